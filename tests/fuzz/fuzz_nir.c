/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes nir_deserialize: reads serialized shaders with changed bytes and a corrected checksum. The
 * first byte of the input selects the shader; each four bytes that follow are an offset and a new
 * byte. If a shader is read successfully, it must be valid, so other passes must be able to process
 * it.
 */
#include <stdio.h>
#include <string.h>

#include <talloc.h>

#include "nir/nir.h"
#include "nir/nir_passes.h"
#include "tool/compile_options.h"
#include "util/hash_table.h"
#include "util/macros.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Offsets of the checksum, which follows the magic, and of the data that follows it. */
enum { HEADER = sizeof(uint32_t), BODY = HEADER + sizeof(uint64_t) };

struct text {
    enum shader_stage stage;
    const char *text;
};

static const struct text texts[] = {
    {SHADER_FRAGMENT,
     "#version 430\n"
     "struct S { vec4 a[3]; mat3 m; }; uniform S s[2]; uniform sampler2DArrayShadow t[2];\n"
     "layout(rgba8) uniform image2D i; layout(std430) buffer B { int n; float v[]; } b;\n"
     "in vec4 c; out vec4 o[2];\n"
     "float f(float x) { for (int k = 0; k < b.n; k++) { if (x > 3.0) break; x += s[k].m[1].y; }\n"
     "return x; }\n"
     "void main() { o[0] = imageLoad(i, ivec2(c.xy)) + texture(t[1], c); o[1] = s[b.n].a[b.n];\n"
     "if (f(c.x) < 0.5) discard; else b.v[b.n] += f(dFdx(c.y)); }"},
    {SHADER_COMPUTE,
     "#version 430\nlayout(local_size_x = 4) in; shared uvec2 s[8];\n"
     "layout(std140) uniform U { dmat2x3 m; int k[3]; } u[2]; layout(r32ui) uniform uimage3D i;\n"
     "void main() { switch (u[1].k[2]) { case 1: s[gl_LocalInvocationIndex].x = 3u; barrier();\n"
     "case 2: imageAtomicAdd(i, ivec3(1), s[2].y); break; default: atomicMax(s[1].x, 4u); }\n"
     "memoryBarrierShared(); do { s[0] += uvec2(u[0].m[1].xy); } while (s[0].x < 7u); }"},
};

static const nir_shader_compiler_options *stage_options;
static struct blob_bytes shaders[ARRAY_SIZE(texts)];

static void make_shaders(void)
{
    static struct glsl_options options;
    compile_options_fill(&options, false, 460);
    for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct glsl_shader *shader =
            glsl_compile(mem_ctx, &options, texts[i].stage, texts[i].text, strlen(texts[i].text));
        const struct glsl_link_input input = {
            .shaders = &shader, .num_shaders = 1, .separable = true};
        const struct glsl_program *program =
            shader->compiled ? glsl_link(mem_ctx, &options, &input) : NULL;
        if (!program || !program->linked)
            __builtin_trap();
        stage_options = program->nir[texts[i].stage]->options;
        shaders[i] = nir_serialize(NULL, program->nir[texts[i].stage]);
        talloc_free(mem_ctx);
    }
}

/* Clones, serializes, validates and prints the shader, which visits all of it. */
static void use(nir_shader *nir)
{
    FILE *nowhere = fopen("/dev/null", "w");
    nir_shader *clone = nir_shader_clone(nir, nir);
    struct blob_bytes again = nir_serialize(nir, clone);
    nir_validate_shader(clone, "after reading");
    if (nowhere) {
        nir_print_shader(clone, nowhere);
        fclose(nowhere);
    }
    if (!nir_deserialize(nir, stage_options, again.data, again.size))
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!shaders[0].data)
        make_shaders();
    if (!size)
        return 0;
    const struct blob_bytes *whole = &shaders[data[0] % ARRAY_SIZE(texts)];
    uint8_t *bytes = talloc_memdup(NULL, whole->data, whole->size);
    for (size_t i = 1; i + 4 <= size; i += 4)
        bytes[BODY + (data[i] | data[i + 1] << 8 | data[i + 2] << 16) % (whole->size - BODY)] =
            data[i + 3];
    uint64_t checksum = hash_data64(bytes + BODY, whole->size - BODY);
    memcpy(bytes + HEADER, &checksum, sizeof checksum);
    nir_shader *nir = nir_deserialize(NULL, stage_options, bytes, whole->size);
    if (nir)
        use(nir);
    talloc_free(nir);
    talloc_free(bytes);
    return 0;
}
