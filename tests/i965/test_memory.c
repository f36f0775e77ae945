/* SPDX-License-Identifier: MIT */
/*
 * Memory messages, from GLSL to their effects: compute shaders of sixteen invocations are compiled
 * at every width and run in the simulator, and the stored values are compared with plain C. Inputs
 * differ between channels, so that addresses and control flow diverge.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver/i965/i965_compiler.h"
#include "driver/i965/sim/eu_sim.h"
#include "glsl/glsl.h"
#include "nir/nir.h"
#include "tool/compile_options.h"

enum { CHANNELS = 16, DWORDS = 64, SHARED = 4096 };

/* The storage block: inputs and results. */
struct block {
    uint32_t data[DWORDS], result[DWORDS];
};

struct memory {
    struct sim_env env;
    const struct i965_prog_data *data;
    struct block block;
    uint32_t counters[DWORDS], shared[SHARED / 4];
    uint8_t scratch[1 << 16];
    uint32_t constant; /* The first push constant. */
};

#define HEAD                                                                                       \
    "#version 430\n"                                                                               \
    "#extension GL_ARB_gpu_shader_fp64: enable\n"                                                  \
    "#extension GL_NV_shader_atomic_float: enable\n"                                               \
    "#extension GL_INTEL_shader_atomic_float_minmax: enable\n"                                     \
    "#extension GL_ARB_shader_clock: enable\n"                                                     \
    "layout(binding = 0, std430) buffer B { uint data[64]; uint result[64]; };\n"                  \
    "#define me gl_LocalInvocationIndex\n"

#define GROUP "layout(local_size_x = 16) in;\n"

/* --- Shaders and their expected results for channel c --- */

struct shader {
    const char *name, *source;
    /* Returns result[c]. It must not depend on the order of atomics between invocations. */
    uint32_t (*expected)(const struct memory *m, unsigned c);
};

static float f(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

static uint32_t u(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static uint32_t vec4_array(const struct memory *m, unsigned c)
{
    unsigned at = m->block.data[c] % 20, from = (m->block.data[c] + 1) % 20;
    return at == from ? 7 : 10 * from + c % 4 + (c >= 8 && from == 3 ? 500 : 0);
}

static uint32_t vec3_array(const struct memory *m, unsigned c)
{
    unsigned from = m->block.data[c] % 24, k = c % 3;
    return from == 5 && (m->block.data[c] & 1) ? 1000 + k : 3 * from + k;
}

static uint32_t array_order(const struct memory *m, unsigned c)
{
    uint32_t first = m->block.data[c] & 1 ? 7 : 15;
    return first + 1000 * (m->block.data[c] & 2 ? 8 : first);
}

static uint32_t double_array(const struct memory *m, unsigned c)
{
    return (uint32_t)((m->block.data[c] % 20) * 3 + (c & 1 ? 0.5 : 0.0) * 2);
}

static uint32_t float_sum(const struct memory *m, unsigned c)
{
    float sum = 0;
    for (unsigned i = 0; i < CHANNELS; i++)
        sum += (float)(m->block.data[i] % 64);
    return c == 15 ? u(sum) : 0;
}

static uint32_t float_largest(const struct memory *m, unsigned c)
{
    float most = -1, least = 1e6f;
    for (unsigned i = 0; i < CHANNELS; i++) {
        most = (float)(m->block.data[i] % 1000) > most ? (float)(m->block.data[i] % 1000) : most;
        least = (float)(m->block.data[i] % 1000) < least ? (float)(m->block.data[i] % 1000) : least;
    }
    return c == 15 ? u(most - least) : 0;
}

static uint32_t neighbors(const struct memory *m, unsigned c)
{
    const uint32_t *d = &m->block.data[4 * (c % 8)];
    return d[0] ^ d[1] * 3 ^ d[2] * 5 ^ d[3] * 7;
}

static uint32_t masked(const struct memory *m, unsigned c)
{
    (void)m;
    return c % 4 == 2 ? 0 : 100 + c;
}

static uint32_t counters(const struct memory *m, unsigned c)
{
    (void)m;
    return c == 15 ? 16 + 3 * 1000 : 0;
}

static uint32_t shared_vectors(const struct memory *m, unsigned c)
{
    return m->block.data[c] + m->block.data[16 + c] + m->block.data[32 + c] + m->block.data[48 + c];
}

static uint32_t clock(const struct memory *m, unsigned c)
{
    (void)m;
    (void)c;
    return 1;
}

static uint32_t selections(const struct memory *m, unsigned c)
{
    uint32_t d = m->block.data[c] & 255, sum = 0;
    bool all = true, any = false;
    for (unsigned i = 0; i < 160; i++) {
        uint32_t s = m->constant == i ? 3 : i * 7;
        all = all && s != d + 900 && s < d + 1300 && s + d != 5000;
        sum = sum * 5 + s;
    }
    for (unsigned i = 0; i < 160; i++) {
        uint32_t s = m->constant == i ? 3 : i * 7;
        any = any || s == 2 * d;
        sum = sum * 3 ^ s;
    }
    return sum * 4 + (all ? 2 : 0) + any;
}

/* Each channel but the first of a thread has a later time than the one before, which left the loop
 * earlier. */
static uint32_t clock_in_loop(const struct memory *m, unsigned c)
{
    (void)m;
    return c % 8 != 0;
}

static uint32_t other_channels(const struct memory *m, unsigned c)
{
    return (c == 3 ? 0 : m->block.data[c] & 1) + 50;
}

/* Products are rounded before they are added, except in fma(). */
static uint32_t precise_sums(const struct memory *m, unsigned c)
{
    float x = f(0x3f800000 | (m->block.data[c] & 0x7fffff));
    float y = f(0x3f800000 | (m->block.data[16 + c] & 0x7fffff));
    float z = f(0xbf800000 | (m->block.data[32 + c] & 0x7fffff));
    volatile float xy = x * y, yz = y * z;
    return u(xy + z) ^ u(z + xy) * 3 ^ u(yz + xy) * 5 ^ u(fmaf(x, y, z)) * 7;
}

static uint32_t chains(const struct memory *m, unsigned c)
{
    int32_t x = (int32_t)(m->block.data[c] % 7), y = (int32_t)(m->block.data[16 + c] % 5);
    bool all = x > 1 && y < 4 && x != 3 && c != 5, any = x == 2 || y == 0 || x == 6 || c > 12;
    bool wide = x * 0.5 >= 0.5 && y + 0.25 < 4.0 && x != y;
    bool wide_any = x * 0.5 == 1.0 || y * 1.5 >= 4.5 || x - 6.0 == 0;
    bool other = x < 5 || (x > y && y > 0 && c < 9);
    bool nan = f(x < 3 ? 0x7fc00000 : 0) < 1.0f || y > 2;
    return all + 2u * !all * (uint32_t)y + (any ? 16u : 32u) + (all && any ? 64u : 0) +
           (wide ? 128u : 0) + (wide_any ? 256u : 0) + (wide_any ? 0 : 512u * (uint32_t)x) +
           (other ? 8192u : 0) + (nan ? 16384u : 0) + (x - 1.5 > 0 ? 32768u : 65536u);
}

static uint32_t sizes(const struct memory *m, unsigned c)
{
    uint32_t x = m->block.data[c] % 7, y = m->block.data[16 + c] % 5;
    return (x > 3 ? 16 : 0) + (x > 1 && y < 4 && x != 3 ? 0 : 32);
}

/* The sum of the dwords of one block, of which one changes between two loads. */
static uint32_t block_sum(const struct memory *m, unsigned c)
{
    const uint32_t *d = m->block.data;
    return d[0] + 3 * d[5] + 5 * d[9] + 7 * d[15] + 11 * (d[9] + 1) + 13 * d[13] + 17 * d[14] + c;
}

/* Dwords on both sides of the end of a block. */
static uint32_t block_border(const struct memory *m, unsigned c)
{
    const uint32_t *d = m->block.data;
    return d[14] + 3 * d[15] + 5 * d[16] + 7 * d[17] + 11 * d[20] + c;
}

static uint32_t copied(const struct memory *m, unsigned c)
{
    return m->block.data[20 + c];
}

/* Copies that overlap what is read later, and dwords that do not fill a block. */
static uint32_t copied_in_parts(const struct memory *m, unsigned c)
{
    const uint32_t *d = m->block.data;
    return c < 12 ? d[32 + c] : c < 14 ? 7 : d[32] + 1;
}

static const struct shader shaders[] = {
    {"loads from one block",
     HEAD GROUP "void main() { uint a = data[0] + 3u * data[5] + 5u * data[9] + 7u * data[15];\n"
                "barrier(); if (me == 0u) data[9]++; barrier();\n"
                "a += 11u * data[9] + 13u * data[13]; barrier();\n"
                "if (me == 0u) data[9]--; a += 17u * data[14];\n"
                "result[me] = a + me; }\n",
     block_sum},
    {"loads across the end of a block",
     HEAD GROUP "void main() { result[me] = data[14] + 3u * data[15] + 5u * data[16] +\n"
                "7u * data[17] + 11u * data[20] + me; }\n",
     block_border},
    {"copies of a block",
     HEAD GROUP "void main() { for (int i = 0; i < 16; i++) result[i] = data[20 + i]; }\n", copied},
    {"copies of parts of blocks",
     HEAD GROUP "void main() { for (int i = 0; i < 12; i++) result[i] = data[32 + i];\n"
                "result[12] = 7u; result[13] = result[12]; result[14] = result[0] + 1u;\n"
                "result[15] = result[14]; }\n",
     copied_in_parts},
    {"arrays of vec4 in scratch memory",
     HEAD GROUP "void main() { vec4 t[20]; uint k = data[me];\n"
                "for (int i = 0; i < 20; i++) t[i] = vec4(10 * i) + vec4(0, 1, 2, 3);\n"
                "if (me >= 8u) t[3] += vec4(500);\n"
                "t[k % 20u] = vec4(7); result[me] = uint(t[(k + 1u) % 20u][me % 4u]); }\n",
     vec4_array},
    {"arrays of vec3, written in parts",
     HEAD GROUP "void main() { vec3 t[24]; uint k = data[me];\n"
                "for (int i = 0; i < 24; i++) t[i] = vec3(3 * i, 3 * i + 1, 3 * i + 2);\n"
                "if ((k & 1u) != 0u) { t[5].xy = vec2(1000, 1001); t[5].z = 1002; }\n"
                "result[me] = uint(t[k % 24u][me % 3u]); }\n",
     vec3_array},
    {"loads from arrays before and after stores",
     HEAD GROUP "void main() { uint t[80], k = data[me];\n"
                "for (int i = 0; i < 80; i++) t[i] = uint(3 * i);\n"
                "t[(k & 1u) != 0u ? 5 : 75] = 7u; uint x = t[5];\n"
                "t[(k & 2u) != 0u ? 5 : 74] = 8u; result[me] = x + 1000u * t[5]; }\n",
     array_order},
    {"arrays of dvec2",
     HEAD GROUP "void main() { dvec2 t[20]; uint k = data[me];\n"
                "for (int i = 0; i < 20; i++) t[i] = dvec2(i * 3, 0.5);\n"
                "if ((me & 1u) == 0u) for (int i = 0; i < 20; i++) t[i].y = 0;\n"
                "result[me] = uint(t[k % 20u].x + 2 * t[(k + 3u) % 20u].y); }\n",
     double_array},
    {"atomic sums of floats",
     HEAD GROUP "shared float s; void main() { if (me == 0u) s = 0; barrier();\n"
                "atomicAdd(s, float(data[me] % 64u)); barrier();\n"
                "result[me] = me == 15u ? floatBitsToUint(s) : 0u; }\n",
     float_sum},
    {"atomic minima and maxima of floats",
     HEAD GROUP
     "shared float s, t; void main() { if (me == 0u) { s = -1; t = 1e6; } barrier();\n"
     "atomicMax(s, float(data[me] % 1000u)); atomicMin(t, float(data[me] % 1000u)); barrier();\n"
     "result[me] = me == 15u ? floatBitsToUint(s - t) : 0u; }\n",
     float_largest},
    {"loads of neighbors",
     HEAD GROUP
     "void main() { uint k = 4u * (me % 8u);\n"
     "result[me] = data[k] ^ data[k + 1u] * 3u ^ data[k + 2u] * 5u ^ data[k + 3u] * 7u; }\n",
     neighbors},
    {"stores with a hole",
     HEAD GROUP
     "void main() { if (me % 4u == 0u) {\n"
     "result[me] = 100u + me; result[me + 1u] = 101u + me; result[me + 3u] = 103u + me; } }\n",
     masked},
    {"atomic counters",
     HEAD GROUP "layout(binding = 0, offset = 0) uniform atomic_uint a[5];\n"
                "void main() { atomicCounterIncrement(a[0]); barrier();\n"
                "if (me < 3u) atomicCounterIncrement(a[1u + data[0] % 4u]); barrier();\n"
                "uint n = 0; for (int i = 1; i < 5; i++) n += atomicCounter(a[i]);\n"
                "result[me] = me == 15u ? atomicCounter(a[0]) + n * 1000u : 0u; }\n",
     counters},
    {"shared memory by vectors",
     HEAD GROUP
     "shared uvec4 s[16]; void main() {\n"
     "s[me] = uvec4(data[me], data[16u + me], data[32u + me], data[48u + me]); barrier();\n"
     "uvec4 v = s[me]; result[me] = v.x + v.y + v.z + v.w; }\n",
     shared_vectors},
    {"the clock",
     HEAD GROUP "void main() { uvec2 a = clock2x32ARB(), b = clock2x32ARB();\n"
                "result[me] = uint(b.x != a.x); }\n",
     clock},
    {"the clock in a loop",
     HEAD GROUP "shared uint s[16]; void main() { uvec2 t;\n"
                "for (uint i = 0u;; i++) { t = clock2x32ARB(); if (i >= me % 8u) break; }\n"
                "s[me] = t.x; barrier();\n"
                "result[me] = me % 8u != 0u && int(t.x - s[max(me, 1u) - 1u]) > 0 ? 1u : 0u; }\n",
     clock_in_loop},
    {"what other channels hold",
     HEAD
     "#extension GL_ARB_shader_ballot: enable\n#extension GL_ARB_gpu_shader_int64: enable\n" GROUP
     "void main() { uint odd = 0;\n"
     "if (me != 3u) odd = unpackUint2x32(ballotARB((data[me] & 1u) != 0u)).x >> "
     "gl_SubGroupInvocationARB & 1u;\n"
     "result[me] = odd + 10u * readInvocationARB(me % 8u, data[0] % 1u + 5u); }\n",
     other_channels},
    {"precise sums of products",
     HEAD GROUP "void main() {\n"
                "float a = uintBitsToFloat(0x3f800000u | data[me] & 0x7fffffu);\n"
                "float b = uintBitsToFloat(0x3f800000u | data[16u + me] & 0x7fffffu);\n"
                "float c = uintBitsToFloat(0xbf800000u | data[32u + me] & 0x7fffffu);\n"
                "precise float sum = a * b + c, difference = c - b * -a, t = b * c;\n"
                "precise float both = t + a * b;\n"
                "result[me] = floatBitsToUint(sum) ^ floatBitsToUint(difference) * 3u ^\n"
                "floatBitsToUint(both) * 5u ^ floatBitsToUint(fma(a, b, c)) * 7u; }\n",
     precise_sums},
    {"chains of comparisons",
     HEAD GROUP
     "void main() { int x = int(data[me] % 7u), y = int(data[16u + me] % 5u); uint r = 0;\n"
     "bool all = x > 1 && y < 4 && x != 3 && me != 5u;\n"
     "bool any = x == 2 || y == 0 || x == 6 || me > 12u;\n"
     "bool wide = x * 0.5lf >= 0.5lf && y + 0.25lf < 4.0lf && x != y;\n"
     "bool wide_any = x * 0.5lf == 1.0lf || y * 1.5lf >= 4.5lf || x - 6.0lf == 0;\n"
     "r += uint(all) + 2u * (all ? 0u : uint(y)) + (any ? 16u : 32u) + (all && any ? 64u : 0u);\n"
     "double d = x - 1.5lf; d = d > 0 ? d * 2 : d - 1000;\n"
     "if (wide) r += 128u; r += wide_any ? 256u : 0u; r += wide_any ? 0u : 512u * uint(x);\n"
     "if (x < 5 || (x > y && y > 0 && me < 9u)) r += 8192u;\n"
     "if (uintBitsToFloat(x < 3 ? 0x7fc00000u : 0u) < 1.0 || y > 2) r += 16384u;\n"
     "result[me] = r + (d > -500 ? 32768u : 65536u); }\n",
     chains},
    {"selections of values that are constants in the driver only",
     HEAD "#extension GL_ARB_shader_ballot: enable\n" GROUP
          "void main() { uint x = data[me] % 7u, y = data[16u + me] % 5u;\n"
          "result[me] = (x > 3u ? gl_SubGroupSizeARB : 0u) +\n"
          "2u * (x > 1u && y < 4u && x != 3u ? 0u : gl_SubGroupSizeARB); }\n",
     sizes},
    {"work groups of variable size",
     HEAD
     "#extension GL_ARB_compute_variable_group_size: enable\n"
     "layout(local_size_variable) in; void main() {\n"
     "uvec3 id = gl_LocalInvocationID; result[id.y * 8u + id.x] = data[id.x] + data[16u + id.y] +\n"
     "data[32u + id.x + 8u * id.y] + data[48u + me]; }\n",
     NULL},
};

/* A group of 8 × 2. */
static uint32_t variable_group(const struct memory *m, unsigned c)
{
    return m->block.data[c % 8] + m->block.data[16 + c / 8] + m->block.data[32 + c] +
           m->block.data[48 + c];
}

/* --- Compiling --- */

static nir_shader *link_shader(void *mem_ctx, const char *source, enum shader_stage stage)
{
    struct glsl_options options;
    compile_options_fill(&options, false, 460);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        options.nir_options[s] = &i965_nir_options;
    struct glsl_shader *shader = glsl_compile(mem_ctx, &options, stage, source, strlen(source));
    if (!shader->compiled) {
        printf("%s\n", shader->info_log);
        return NULL;
    }
    struct glsl_link_input input = {.shaders = &shader, .num_shaders = 1};
    struct glsl_program *program = glsl_link(mem_ctx, &options, &input);
    if (!program->linked)
        printf("%s\n", program->info_log);
    return program->linked ? program->nir[stage] : NULL;
}

/* --- Running --- */

static bool find_surface(struct sim_env *env, unsigned index, struct sim_surface *surface)
{
    struct memory *m = (struct memory *)env;
    unsigned storage = m->data->binding_table.storage_blocks;
    *surface = (struct sim_surface){0};
    if (index == I965_BTI_SLM)
        *surface = (struct sim_surface){(uint8_t *)m->shared, sizeof m->shared, false};
    else if (m->data->constant_size && index == m->data->binding_table.constants)
        *surface = (struct sim_surface){(uint8_t *)(uintptr_t)m->data->constants,
                                        m->data->constant_size, true};
    else if (index == storage)
        *surface = (struct sim_surface){(uint8_t *)&m->block, sizeof m->block, false};
    else if (index == storage + 1)
        *surface = (struct sim_surface){(uint8_t *)m->counters, sizeof m->counters, false};
    return true;
}

static void start_thread(struct sim_thread *t, const struct sim_program *code, struct memory *m,
                         const struct i965_kernel *k, unsigned i)
{
    static const uint32_t variable_size[3] = {8, 2, 1};
    sim_thread_init(t, code, &m->env, k->width >= CHANNELS ? 0xffff : 0xff);
    uint32_t *own = sim_grf(t, k->dispatch_grf_start + m->data->curb_read_length);
    sim_grf(t, k->dispatch_grf_start)[0] = m->constant;
    own[0] = i;
    memcpy(&own[1], variable_size, sizeof variable_size);
    sim_grf(t, 0)[2] = 0x8f000000; /* A barrier id, which must not affect addresses. */
}

/* Runs all threads of the group from barrier to barrier. */
static bool run_group(struct memory *m, const struct i965_kernel *k, const struct sim_program *code)
{
    unsigned threads = MAX2(CHANNELS / k->width, 1), ended = 0;
    struct sim_thread *t = aligned_alloc(64, threads * ALIGN_POT(sizeof *t, 64));
    uint8_t *scratch = calloc(threads, sizeof m->scratch);
    bool ok = true, done[2] = {false, false};
    for (unsigned i = 0; i < threads; i++)
        start_thread(&t[i], code, m, k, i);
    while (ok && ended < threads) {
        for (unsigned i = 0; i < threads && ok; i++) {
            if (done[i])
                continue;
            m->env.scratch = scratch + i * sizeof m->scratch;
            m->env.scratch_size = m->data->scratch_size;
            enum sim_status status = sim_thread_run(&t[i]);
            done[i] = status == SIM_DONE;
            ended += done[i];
            ok = status != SIM_FAULT;
            if (!ok)
                printf("%s\n", t[i].error);
        }
    }
    free(scratch);
    free(t);
    return ok;
}

static void fill(struct memory *m)
{
    uint32_t state = 12345;
    for (unsigned i = 0; i < DWORDS; i++) {
        state = state * 1664525 + 1013904223;
        m->block.data[i] = state >> 8;
        m->block.result[i] = m->counters[i] = 0;
    }
}

static void check_kernel(const struct shader *s, struct memory *m, const struct i965_kernel *k)
{
    char message[160] = "";
    struct sim_program *code = sim_program_create(i965_device_by_name("skl"), k->code, k->code_size,
                                                  message, sizeof message);
    fill(m);
    if (!code)
        print_message("%s: %s\n", s->name, message);
    assert_non_null(code);
    assert_true(run_group(m, k, code));
    for (unsigned c = 0; c < CHANNELS; c++) {
        uint32_t want = s->expected ? s->expected(m, c) : variable_group(m, c);
        if (m->block.result[c] != want)
            print_message("%s, SIMD%u: channel %u has %u (%g), not %u (%g)\n", s->name, k->width, c,
                          m->block.result[c], (double)f(m->block.result[c]), want, (double)f(want));
        assert_int_equal(m->block.result[c], want);
    }
    sim_program_destroy(code);
}

static void test_shaders(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_SIZE(shaders); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct memory *m = talloc_zero(mem_ctx, struct memory);
        nir_shader *nir = link_shader(mem_ctx, shaders[i].source, SHADER_COMPUTE);
        const char *error = NULL;
        struct i965_key key = {0};
        assert_non_null(nir);
        struct i965_program *program = i965_compile(mem_ctx, i965_device_by_name("skl"), nir, &key,
                                                    I965_COMPILE_VALIDATE, &error);
        if (!program)
            print_message("%s: %s\n", shaders[i].name, error);
        assert_non_null(program);
        m->env.surface = find_surface;
        m->data = &program->data;
        for (unsigned k = 0; k < ARRAY_SIZE(program->kernels); k++) {
            if (program->kernels[k].width && program->kernels[k].width <= CHANNELS)
                check_kernel(&shaders[i], m, &program->kernels[k]);
        }
        talloc_free(mem_ctx);
    }
}

/* --- Constant arrays --- */

static uint32_t constant_arrays(const struct memory *m, unsigned c)
{
    unsigned at = m->block.data[c] % 20, other = m->block.data[c] / 32 % 20;
    uint32_t sum = 3 * at * at + (c % 3 == 1 ? 0 : other * 100 + c % 4);
    return sum + (at % 2 ? 25 * other : 0);
}

/* Large constant arrays that are indexed with variables are part of the program, not of scratch
 * memory. */
static void test_constant_arrays(void **state)
{
    static const char source[] = HEAD GROUP
        "void main() { uint a = data[me] % 20u, b = data[me] / 32u % 20u;\n"
        "uint squares[20]; vec4 rows[20]; double quarters[20];\n"
        "for (uint i = 0u; i < 20u; i++) { squares[i] = 3u * i * i; rows[i] = vec4(i * 100u)"
        " + vec4(0, 1, 2, 3); quarters[i] = double(i) * 0.25LF; }\n"
        "uint sum = squares[a];\n"
        "if (me % 3u != 1u) sum += uint(rows[b][me % 4u]);\n"
        "if (a % 2u != 0u) sum += uint(quarters[b] * 100.0LF);\n"
        "result[me] = sum; }\n";
    void *mem_ctx = talloc_new(NULL);
    struct memory *m = talloc_zero(mem_ctx, struct memory);
    nir_shader *nir = link_shader(mem_ctx, source, SHADER_COMPUTE);
    const struct shader shader = {"constant arrays", source, constant_arrays};
    const char *error = NULL;
    struct i965_key key = {0};
    assert_non_null(nir);
    struct i965_program *program =
        i965_compile(mem_ctx, i965_device_by_name("skl"), nir, &key, I965_COMPILE_VALIDATE, &error);
    assert_non_null(program);
    assert_int_equal(program->data.constant_size, 20 * (4 + 16 + 8));
    assert_int_equal(program->data.scratch_size, 0);
    m->env.surface = find_surface;
    m->data = &program->data;
    for (unsigned k = 0; k < 2; k++)
        check_kernel(&shader, m, &program->kernels[k]);
    talloc_free(mem_ctx);
}

/* --- Selections --- */

/* Selections whose sources never change are repeated, not spilled, if registers don't suffice: here
 * 160 of them, each read in two chains of comparisons. */
static void test_many_selections(void **state)
{
    static const char source[] =
        HEAD GROUP "uniform uint k; void main() { uint d = data[me] & 255u, sum = 0u;\n"
                   "bool all = true, any = false;\n"
                   "#define S(i) (k == uint(i) ? 3u : uint(i) * 7u)\n"
                   "#define FOR(n, x) for (int i = 32 * n; i < 32 * n + 32; i++) { x; }\n"
                   "#define EACH(x) FOR(0, x) FOR(1, x) FOR(2, x) FOR(3, x) FOR(4, x)\n"
                   "#define T(i) (S(i) != d + 900u && S(i) < d + 1300u && S(i) + d != 5000u)\n"
                   "EACH(all = all && T(i); sum = sum * 5u + S(i))\n"
                   "EACH(any = any || S(i) == 2u * d; sum = sum * 3u ^ S(i))\n"
                   "result[me] = sum * 4u + (all ? 2u : 0u) + (any ? 1u : 0u); }\n";
    void *mem_ctx = talloc_new(NULL);
    struct memory *m = talloc_zero(mem_ctx, struct memory);
    nir_shader *nir = link_shader(mem_ctx, source, SHADER_COMPUTE);
    const char *error = NULL;
    struct i965_key key = {0};
    assert_non_null(nir);
    struct i965_program *program =
        i965_compile(mem_ctx, i965_device_by_name("skl"), nir, &key, I965_COMPILE_VALIDATE, &error);
    assert_non_null(program);
    m->env.surface = find_surface;
    m->data = &program->data;
    assert_int_equal(program->kernels[0].width, 8);
    assert_true(program->kernels[0].stats.spills < 8);
    for (m->constant = 0; m->constant < 170; m->constant += 17) {
        const struct shader shader = {"selections", source, selections};
        check_kernel(&shader, m, &program->kernels[0]);
    }
    talloc_free(mem_ctx);
}

/* --- Stores of fragment shaders --- */

static bool drop_pixels(struct sim_env *env, const struct sim_render_write *write)
{
    (void)env;
    (void)write;
    return true;
}

/* Runs a thread with the given pixels covered, whose quads run. Returns the results. */
static const uint32_t *store_from_fragments(struct memory *m, const struct i965_kernel *k,
                                            uint32_t covered)
{
    char message[160] = "";
    struct sim_program *code = sim_program_create(i965_device_by_name("skl"), k->code, k->code_size,
                                                  message, sizeof message);
    struct sim_thread *t = aligned_alloc(64, ALIGN_POT(sizeof *t, 64));
    uint32_t running = 0;
    assert_non_null(code);
    fill(m);
    for (unsigned quad = 0; quad < 4; quad++)
        running |= covered >> 4 * quad & 15 ? 15u << 4 * quad : 0;
    sim_thread_init(t, code, &m->env, running);
    sim_grf(t, 1)[7] = covered;
    assert_int_equal(sim_thread_run(t), SIM_DONE);
    sim_program_destroy(code);
    free(t);
    return m->block.result;
}

/* A block write of a fragment shader stores all of its dwords if any pixel is covered, and none
 * otherwise. */
static void test_fragment_block_writes(void **state)
{
    static const char source[] =
        HEAD "out vec4 color; void main() { color = vec4(1);\n"
             "for (int i = 0; i < 24; i++) result[i] = uint(11 * i + 5); }\n";
    static const uint32_t covered[] = {0, 0x10, 0x80, 0x8000, 0xffff};
    void *mem_ctx = talloc_new(NULL);
    struct memory *m = talloc_zero(mem_ctx, struct memory);
    nir_shader *nir = link_shader(mem_ctx, source, SHADER_FRAGMENT);
    const char *error = NULL;
    struct i965_key key = {0};
    unsigned widths = 0;
    assert_non_null(nir);
    struct i965_program *program =
        i965_compile(mem_ctx, i965_device_by_name("skl"), nir, &key, I965_COMPILE_VALIDATE, &error);
    assert_non_null(program);
    m->env.surface = find_surface;
    m->env.render_write = drop_pixels;
    m->data = &program->data;
    for (unsigned k = 0; k < ARRAY_SIZE(program->kernels); k++) {
        const struct i965_kernel *kernel = &program->kernels[k];
        for (unsigned i = 0; kernel->width && i < ARRAY_SIZE(covered); i++) {
            uint32_t any = covered[i] & BITFIELD_MASK(kernel->width);
            const uint32_t *result = store_from_fragments(m, kernel, any);
            for (uint32_t d = 0; d < 24; d++)
                assert_int_equal(result[d], any ? 11 * d + 5 : 0);
        }
        widths |= kernel->width;
    }
    assert_int_equal(widths, 8 | 16);
    talloc_free(mem_ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shaders), cmocka_unit_test(test_constant_arrays),
        cmocka_unit_test(test_many_selections), cmocka_unit_test(test_fragment_block_writes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
