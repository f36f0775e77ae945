/* SPDX-License-Identifier: MIT */
/*
 * Runs piglit shader tests that need only uniforms through compiler, linker, optimizer and NIR
 * evaluator. For each draw, the color must be the one that all probes of the test expect.
 * Arguments: files; without arguments, runs samples of the generated tests of built-in functions.
 */
#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "glsl/glsl.h"
#include "nir/nir_eval.h"
#include "tool/compile_options.h"
#include "util/strbuf.h"

#define PIGLIT "/usr/lib/x86_64-linux-gnu/piglit/generated_tests/spec/"

static const nir_shader_compiler_options nir_options = {.max_unroll_iterations = 32};

#define MAX_SHADERS 8

enum result { PASS, FAIL, SKIP };

struct test {
    void *mem_ctx;
    struct glsl_options options;
    struct strbuf source[MAX_SHADERS];
    enum shader_stage stages[MAX_SHADERS];
    unsigned num_shaders;
    struct strbuf script;
    unsigned version;
    struct glsl_program *program;
    uint32_t *uniforms;
    float expected[4];
    unsigned components; /* number of components compared, 3 or 4; 0: no probe yet */
};

static void fill_options(struct test *t)
{
    compile_options_fill(&t->options, false, 330);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        t->options.nir_options[s] = &nir_options;
}

/* --- reading --- */

static struct strbuf *add_shader(struct test *t, enum shader_stage stage)
{
    t->stages[t->num_shaders] = stage;
    t->source[t->num_shaders] = (struct strbuf)STRBUF_INIT(t->mem_ctx);
    return &t->source[t->num_shaders++];
}

static bool read_sections(struct test *t, FILE *fp)
{
    char line[4096];
    struct strbuf *to = NULL;
    while (fgets(line, sizeof line, fp)) {
        unsigned major, minor;
        if (sscanf(line, "GLSL >= %u.%u", &major, &minor) == 2)
            t->version = major * 100 + minor;
        if (line[0] == '[') {
            if (t->num_shaders == MAX_SHADERS)
                return false;
            if (!strncmp(line, "[vertex shader]", 15))
                to = add_shader(t, SHADER_VERTEX);
            else if (!strncmp(line, "[vertex shader passthrough]", 27))
                strbuf_append(add_shader(t, SHADER_VERTEX),
                              "void main() { gl_Position = gl_Vertex; }\n");
            else if (!strncmp(line, "[fragment shader]", 17))
                to = add_shader(t, SHADER_FRAGMENT);
            else if (!strncmp(line, "[test]", 6))
                to = &t->script;
            else if (!strncmp(line, "[require]", 9))
                to = NULL;
            else
                return false;
            continue;
        }
        if (to)
            strbuf_append(to, line);
    }
    return t->num_shaders > 0;
}

static bool build(struct test *t, const char *name)
{
    struct glsl_shader *shaders[MAX_SHADERS];
    for (unsigned i = 0; i < t->num_shaders; i++) {
        const char *text = strbuf_str(&t->source[i]);
        if (t->version > 110 && !strstr(text, "#version"))
            text = talloc_asprintf(t->mem_ctx, "#version %u\n%s", t->version, text);
        shaders[i] = glsl_compile(t->mem_ctx, &t->options, t->stages[i], text, strlen(text));
        if (!shaders[i]->compiled) {
            printf("%s: %s\n", name, shaders[i]->info_log);
            return false;
        }
    }
    struct glsl_link_input input = {.shaders = shaders, .num_shaders = t->num_shaders};
    t->program = glsl_link(t->mem_ctx, &t->options, &input);
    if (!t->program->linked)
        printf("%s: %s\n", name, t->program->info_log);
    return t->program->linked && t->program->nir[SHADER_VERTEX] && t->program->nir[SHADER_FRAGMENT];
}

/* --- the script --- */

static const struct glsl_uniform *find_uniform(const struct test *t, const char *name,
                                               unsigned *element)
{
    char base[256];
    snprintf(base, sizeof base, "%s", name);
    char *bracket = strrchr(base, '[');
    *element = 0;
    if (bracket && strchr(bracket, ']') && !strchr(bracket, ']')[1]) {
        *element = strtoul(bracket + 1, NULL, 10);
        *bracket = 0;
    }
    for (unsigned i = 0; i < t->program->num_uniforms; i++) {
        const struct glsl_uniform *u = &t->program->uniforms[i];
        size_t n = strlen(u->name);
        if (u->array_size)
            n -= 3;
        if ((strlen(base) == n && !strncmp(u->name, base, n)) || !strcmp(u->name, name))
            return u;
    }
    return NULL;
}

static void set_uniform(struct test *t, const char *rest)
{
    char type[64], name[256];
    int used;
    unsigned element;
    if (sscanf(rest, "%63s %255s%n", type, name, &used) != 2)
        return;
    const struct glsl_uniform *u = find_uniform(t, name, &element);
    if (!u || u->opaque)
        return;
    unsigned total = glsl_packed_size(u->type) / 4 * MAX2(u->array_size, 1);
    unsigned at = element * u->array_stride / 4;
    const char *p = rest + used;
    for (char *end; at < total; p = end, at++) {
        uint32_t *word = &t->uniforms[u->offset / 4 + at];
        p += strspn(p, " \t");
        if (u->type->base_type == GLSL_TYPE_FLOAT && strncmp(p, "0x", 2)) /* else raw bits */
            *word = fui(strtof(p, &end));
        else
            *word = (uint32_t)strtoll(p, &end, 0);
        if (end == p)
            break;
    }
}

/* Addresses inputs and outputs by slot, as the linker assigned them. */
static void address_by_slot(nir_shader *nir)
{
    nir_foreach_variable_with_modes (var, nir, nir_var_shader_in | nir_var_shader_out)
        var->data.driver_location = var->data.location;
}

static enum result evaluate(struct nir_eval *eval, const struct test *t, enum shader_stage stage)
{
    memcpy(eval->uniforms, t->uniforms, t->program->default_block_size);
    address_by_slot(t->program->nir[stage]);
    switch (nir_eval_shader(eval, t->program->nir[stage])) {
    case NIR_EVAL_DONE:
        return PASS;
    case NIR_EVAL_UNSUPPORTED:
        return SKIP;
    default:
        return FAIL;
    }
}

/* Draws with the vertex (-1, -1, 0, 1). */
static enum result draw(struct test *t)
{
    struct nir_eval vs = {.max_steps = 0}, fs = {.max_steps = 0};
    uint32_t position[4] = {fui(-1), fui(-1), fui(0), fui(1)};
    memcpy(vs.inputs[VERT_ATTRIB_POS], position, sizeof position);
    memcpy(vs.inputs[VERT_ATTRIB_GENERIC0], position, sizeof position);
    enum result result = evaluate(&vs, t, SHADER_VERTEX);
    memcpy(fs.inputs, vs.outputs, sizeof fs.inputs);
    if (result == PASS)
        result = evaluate(&fs, t, SHADER_FRAGMENT);
    if (result != PASS)
        return result;
    bool all =
        t->program->nir[SHADER_FRAGMENT]->info.outputs_written & BITFIELD64_BIT(FRAG_RESULT_COLOR);
    const uint32_t *color = fs.outputs[all ? FRAG_RESULT_COLOR : FRAG_RESULT_DATA0];
    if (fs.discarded)
        return FAIL;
    for (unsigned i = 0; i < t->components; i++) {
        float c = uif(color[i]);
        c = c > 0 ? c < 1 ? c : 1 : 0;
        if (fabsf(c - t->expected[i]) > 0.01f)
            return FAIL;
    }
    return PASS;
}

/* Finds the expected color; all probes must expect the same one. */
static bool find_expected(struct test *t)
{
    static const char *const forms[] = {
        "probe all rgba %f %f %f %f%n",
        "probe all rgb %f %f %f%n",
        "probe rect rgba (%*f, %*f, %*f, %*f) (%f, %f, %f, %f)%n",
        "probe rgba %*f %*f %f %f %f %f%n",
        "probe rgb %*f %*f %f %f %f%n",
    };
    for (const char *p = strbuf_str(&t->script); (p = strstr(p, "probe ")); p++) {
        float c[4];
        unsigned n = 0;
        for (unsigned i = 0; i < ARRAY_SIZE(forms) && !n; i++) {
            int end = 0;
            if (strstr(forms[i], "rgba")) {
                sscanf(p, forms[i], &c[0], &c[1], &c[2], &c[3], &end);
                n = end ? 4 : 0;
            } else {
                sscanf(p, forms[i], &c[0], &c[1], &c[2], &end);
                n = end ? 3 : 0;
            }
        }
        if (!n || (t->components && (n != t->components || memcmp(c, t->expected, n * sizeof *c))))
            return false;
        memcpy(t->expected, c, n * sizeof *c);
        t->components = n;
    }
    return t->components > 0;
}

static enum result run_script(struct test *t, const char *name)
{
    char *save, *script = talloc_strdup(t->mem_ctx, strbuf_str(&t->script));
    unsigned draws = 0;
    if (t->program->default_block_size > sizeof((struct nir_eval *)NULL)->uniforms)
        return SKIP;
    t->uniforms = talloc_zero_size(t->mem_ctx, t->program->default_block_size + 64);
    for (unsigned i = 0; i < t->program->num_uniforms; i++) {
        const struct glsl_uniform *u = &t->program->uniforms[i];
        if (u->initial)
            memcpy((uint8_t *)t->uniforms + u->offset, u->initial,
                   glsl_packed_size(u->type) * MAX2(u->array_size, 1));
    }
    for (char *line = strtok_r(script, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (!strncmp(line, "uniform ", 8)) {
            set_uniform(t, line + 8);
        } else if (!strncmp(line, "draw ", 5)) {
            enum result result = draw(t);
            if (result == FAIL)
                printf("%s: draw %u has another color\n", name, draws);
            if (result != PASS)
                return result;
            draws++;
        }
    }
    return draws ? PASS : SKIP;
}

static enum result run(const char *path)
{
    struct test t = {.mem_ctx = talloc_new(NULL), .version = 110};
    enum result result = SKIP;
    FILE *fp = fopen(path, "r");
    fill_options(&t);
    t.script = (struct strbuf)STRBUF_INIT(t.mem_ctx);
    if (fp && read_sections(&t, fp) && find_expected(&t))
        result = build(&t, path) ? run_script(&t, path) : FAIL;
    if (fp)
        fclose(fp);
    talloc_free(t.mem_ctx);
    return result;
}

/* Runs every step-th file of a directory. */
static void run_directory(const char *pattern, unsigned step, unsigned counts[3])
{
    glob_t files;
    if (glob(pattern, 0, NULL, &files))
        return;
    for (size_t i = 0; i < files.gl_pathc; i += step)
        counts[run(files.gl_pathv[i])]++;
    globfree(&files);
}

int main(int argc, char **argv)
{
    unsigned counts[3] = {0};
    for (int i = 1; i < argc; i++)
        counts[run(argv[i])]++;
    if (argc == 1) {
        run_directory(PIGLIT "glsl-1.10/execution/built-in-functions/*.shader_test", 9, counts);
        run_directory(PIGLIT "glsl-1.20/execution/built-in-functions/*.shader_test", 9, counts);
        run_directory(PIGLIT "glsl-1.30/execution/built-in-functions/*.shader_test", 19, counts);
    }
    printf("%u passed, %u failed, %u skipped\n", counts[PASS], counts[FAIL], counts[SKIP]);
    return counts[FAIL] ? 1 : counts[PASS] ? 0 : 77;
}
