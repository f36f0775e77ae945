/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes reading of program binaries: reads serialized programs with changed bytes. The first byte
 * of the input selects the program; each four bytes that follow are an offset and a new byte. An
 * odd byte at the end truncates the binary. A program that is read successfully is serialized
 * again, which visits all of it.
 */
#include <talloc.h>

#include "fuzz_glsl.h"
#include "util/macros.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pair {
    const char *vertex, *fragment;
};

#define V430 "#version 430 compatibility\n"

static const struct pair pairs[] = {
    {V430
     "in vec4 w; out vec4 c; uniform vec4 tint = vec4(1.0);"
     "struct S { vec2 a; mat3 m; }; uniform S s[2];"
     "subroutine vec4 kind(vec4 v); subroutine(kind) vec4 same(vec4 v) { return v; }"
     "subroutine uniform kind f[2];"
     "void main() { c = f[1](tint + vec4(s[1].a, s[0].m[2].xy)) + w; gl_Position = ftransform(); }",
     V430 "in vec4 c; uniform sampler2D image[2];"
          "layout(std140) uniform B { float k[3]; vec4 more; } b[2];"
          "layout(std430) buffer W { uint n[]; }; layout(binding = 0) uniform atomic_uint count;"
          "void main() { gl_FragColor = c + texture(image[1], c.xy) * b[1].more;"
          "if (b[0].k[2] > 5.0) n[3] = atomicCounterIncrement(count); }"},
    {"void main() { gl_Position = gl_Vertex; }", "void main() { gl_FragColor = gl_Fog.color; }"},
};

static struct glsl_options options;
static struct blob_bytes programs[ARRAY_SIZE(pairs)];

static void make_programs(void)
{
    static const char *const captured[] = {"gl_Position", "gl_SkipComponents1"};
    compile_options_fill(&options, false, 460);
    for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct glsl_shader *shaders[] = {
            glsl_compile(mem_ctx, &options, SHADER_VERTEX, pairs[i].vertex,
                         strlen(pairs[i].vertex)),
            glsl_compile(mem_ctx, &options, SHADER_FRAGMENT, pairs[i].fragment,
                         strlen(pairs[i].fragment)),
        };
        const struct glsl_link_input input = {
            .shaders = shaders,
            .num_shaders = 2,
            .xfb_varyings = captured,
            .num_xfb_varyings = ARRAY_SIZE(captured),
        };
        if (!shaders[0]->compiled || !shaders[1]->compiled)
            __builtin_trap();
        const struct glsl_program *program = glsl_link(mem_ctx, &options, &input);
        if (!program->linked)
            __builtin_trap();
        programs[i] = glsl_program_serialize(NULL, program);
        talloc_free(mem_ctx);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!programs[0].data)
        make_programs();
    if (!size)
        return 0;
    const struct blob_bytes *whole = &programs[data[0] % ARRAY_SIZE(pairs)];
    uint8_t *bytes = talloc_memdup(NULL, whole->data, whole->size);
    size_t left = whole->size, i = 1;
    for (; i + 4 <= size; i += 4)
        bytes[(data[i] | data[i + 1] << 8 | data[i + 2] << 16) % whole->size] = data[i + 3];
    if (i < size)
        left = left * data[i] / 255;
    struct glsl_program *program = glsl_program_deserialize(NULL, &options, bytes, left);
    if (program)
        talloc_free(glsl_program_serialize(program, program).data);
    talloc_free(program);
    talloc_free(bytes);
    return 0;
}
