/* SPDX-License-Identifier: MIT */
/*
 * Any bytes through the compiler; what compiles is linked, a lone vertex or fragment shader with a
 * partner that suits it.
 */
#include <stdio.h>
#include <talloc.h>

#include "fuzz_glsl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char vertex_partner[] = "void main() { gl_Position = vec4(0.5); }\n";
static const char fragment_partner[] = "void main() { }\n";

/* Named strings for #include: `a` includes `b`, `b` itself and `a`. */
static enum glsl_include_result find_string(void *data, const char *path, const char **text,
                                            size_t *length)
{
    static const char a[] = "#ifndef A\n#define A\n#include \"b\"\n#endif\nfloat a;";
    static const char b[] = "#include </b>\n#include \"a\"\n";
    bool is_a = !strcmp(path, "/a");
    if (!is_a && strcmp(path, "/b"))
        return !strcmp(path, "/") ? GLSL_INCLUDE_NO_STRING : GLSL_INCLUDE_NOT_FOUND;
    *text = is_a ? a : b;
    *length = is_a ? sizeof a - 1 : sizeof b - 1;
    return GLSL_INCLUDE_FOUND;
}

/* Compiles the other half of a program with one shader; NULL if it has none. */
static struct glsl_shader *partner(void *mem_ctx, const struct glsl_options *options,
                                   const struct glsl_shader *shader)
{
    char text[200];
    bool fragment = shader->stage == SHADER_FRAGMENT;
    if (!fragment && shader->stage != SHADER_VERTEX)
        return NULL;
    int length = snprintf(text, sizeof text, "#version %u%s\n%s", shader->version,
                          shader->es && shader->version >= 300 ? " es" : "",
                          fragment ? vertex_partner : fragment_partner);
    return glsl_compile(mem_ctx, options, fragment ? SHADER_VERTEX : SHADER_FRAGMENT, text, length);
}

static void link_them(void *mem_ctx, const struct glsl_options *options,
                      struct glsl_shader **shaders, unsigned count)
{
    static const char *const captured[] = {"gl_Position", "v", "v[1]", "b.v"};
    static const struct glsl_binding attribs[] = {{"a", 1, 0}, {"m", 3, 0}};
    struct glsl_link_input input = {
        .shaders = shaders,
        .num_shaders = count,
        .attribs = attribs,
        .num_attribs = ARRAY_SIZE(attribs),
    };
    glsl_link(mem_ctx, options, &input);
    if (shaders[0]->stage != SHADER_VERTEX)
        return;
    input.xfb_varyings = captured;
    input.num_xfb_varyings = ARRAY_SIZE(captured);
    glsl_link(mem_ctx, options, &input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void *mem_ctx = talloc_new(NULL);
    struct fuzz_input in = fuzz_split((const char *)data, size);
    struct glsl_options options = fuzz_options(&in);
    struct glsl_shader *shaders[FUZZ_MAX_SHADERS + 1];
    static const char *const root[] = {"/"};
    const struct glsl_includes includes = {root, 1, find_string, NULL};
    unsigned count = 0;
    for (; count < in.count; count++) {
        const struct fuzz_shader *s = &in.shaders[count];
        shaders[count] = glsl_compile_with(mem_ctx, &options, &includes, s->stage, s->text,
                                           s->length);
        if (!shaders[count] || !shaders[count]->compiled)
            break;
    }
    if (count == in.count) {
        struct glsl_shader *other = count == 1 ? partner(mem_ctx, &options, shaders[0]) : NULL;
        if (other && other->compiled)
            shaders[count++] = other;
        link_them(mem_ctx, &options, shaders, count);
    }
    talloc_free(mem_ctx);
    return 0;
}
