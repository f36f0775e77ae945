/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the GLSL compiler and linker. Shaders that compile are linked as one program, as a
 * separable program, and with transform feedback. A single shader gets a generated partner
 * (fuzz_partner.h).
 */
#include <stdio.h>
#include <talloc.h>

#include "fuzz_glsl.h"
#include "fuzz_partner.h"
#include "indium/driver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns named strings for #include: `a` includes `b`; `b` includes itself and `a`. */
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

/* Lists names to capture by transform feedback: the shader's first outputs, and some that may not
 * exist. */
static unsigned list_captured(const struct glsl_shader *shader, const char **names, unsigned most)
{
    static const char *const fixed[] = {"gl_Position", "gl_NextBuffer", "gl_SkipComponents3",
                                        "v[1]"};
    unsigned n = 0;
    while (n < ARRAY_SIZE(fixed)) {
        names[n] = fixed[n];
        n++;
    }
    list_for_each_entry (struct hir_node, node, &shader->hir->instructions, link) {
        const struct hir_variable *var = (const struct hir_variable *)node;
        if (node->kind == HIR_VARIABLE && var->mode == HIR_VAR_SHADER_OUT && n < most)
            names[n++] = var->name;
    }
    return n;
}

static void link_them(void *mem_ctx, const struct glsl_options *options,
                      struct glsl_shader **shaders, unsigned count)
{
    static const struct glsl_binding attribs[] = {{"a", 1, 0}, {"m", 3, 0}};
    const char *captured[12];
    struct glsl_link_input input = {
        .shaders = shaders,
        .num_shaders = count,
        .attribs = attribs,
        .num_attribs = ARRAY_SIZE(attribs),
        .geometry_input = DRV_PRIM_TRIANGLES, /* for shaders without layout qualifiers */
        .geometry_output = DRV_PRIM_TRIANGLE_STRIP,
        .geometry_vertices = 3,
    };
    glsl_link(mem_ctx, options, &input);
    input.separable = true;
    glsl_link(mem_ctx, options, &input);
    if (shaders[0]->stage == SHADER_FRAGMENT || shaders[0]->stage == SHADER_COMPUTE)
        return;
    unsigned all = list_captured(shaders[0], captured, ARRAY_SIZE(captured));
    for (unsigned first = 0; first < all; first += 4) {
        input.separable = input.xfb_separate = first & 4;
        input.xfb_varyings = captured + first;
        input.num_xfb_varyings = MIN2(all - first, 4);
        glsl_link(mem_ctx, options, &input);
    }
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
        shaders[count] =
            glsl_compile_with(mem_ctx, &options, &includes, s->stage, s->text, s->length);
        if (!shaders[count] || !shaders[count]->compiled)
            break;
    }
    if (count == in.count) {
        struct glsl_shader *other =
            count == 1 ? fuzz_partner(mem_ctx, &options, shaders[0], (uint32_t)size) : NULL;
        if (other && other->compiled)
            shaders[count++] = other;
        link_them(mem_ctx, &options, shaders, count);
    }
    talloc_free(mem_ctx);
    return 0;
}
