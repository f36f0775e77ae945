/* SPDX-License-Identifier: MIT */
/* Compute shaders: results of workgroups with shared memory and barriers, and errors of
 * dispatches. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE 32
#define MAX  2048 /* words per buffer */

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLuint link_compute(const char *text)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_link(p);
    return p;
}

static GLuint make_buffer(GLuint binding, const uint32_t *words)
{
    GLuint b;
    glGenBuffers(1, &b);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, b);
    glBufferData(GL_SHADER_STORAGE_BUFFER, MAX * sizeof *words, words, GL_DYNAMIC_DRAW);
    return b;
}

/* Runs workgroups of a shader whose buffer `data` (binding 0) starts with `in`, and copies it to
 * `out`. */
static void run(const char *text, unsigned groups, const uint32_t *in, uint32_t *out)
{
    GLuint p = link_compute(text), b = make_buffer(0, in);
    glUseProgram(p);
    glDispatchCompute(groups, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, MAX * sizeof *out, out);
    gl_test_delete_program(p);
    glDeleteBuffers(1, &b);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void fill(uint32_t *words)
{
    for (unsigned i = 0; i < MAX; i++)
        words[i] = i * 2654435761u >> 16;
}

#define HEAD                                                                                       \
    "#version 430\n#extension GL_ARB_gpu_shader_int64 : enable\n"                                  \
    "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n"                        \
    "layout(std430, binding = 0) buffer B { uint data[]; };\n"                                     \
    "const uint n = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;\n"               \
    "uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.x * n + l;\n"                            \
    "shared uint s[n];\n"

static const unsigned sizes[][3] = {{1, 1, 1},   {3, 1, 1},   {5, 3, 2},  {16, 1, 1},
                                    {17, 1, 1},  {8, 8, 1},   {64, 1, 1}, {7, 4, 9},
                                    {16, 16, 1}, {31, 33, 1}, {1, 1, 64}, {1024, 1, 1}};

/* Runs the body in workgroups of every size and compares with the result of `expected` for a
 * group. */
static void compare(const char *body, void (*expected)(uint32_t *words, unsigned n))
{
    static uint32_t in[MAX], out[MAX], want[MAX];
    char text[4000];
    fill(in);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned n = sizes[i][0] * sizes[i][1] * sizes[i][2], groups = MAX / n < 3 ? MAX / n : 3;
        int length = snprintf(text, sizeof text, HEAD, sizes[i][0], sizes[i][1], sizes[i][2]);
        snprintf(text + length, sizeof text - length, "%s", body);
        run(text, groups, in, out);
        memcpy(want, in, sizeof want);
        for (unsigned g = 0; g < groups; g++)
            expected(want + g * n, n);
        for (unsigned k = 0; k < MAX; k++)
            if (out[k] != want[k])
                fail_msg("groups of %u: word %u is %u, not %u", n, k, out[k], want[k]);
    }
}

static void expect_local(uint32_t *words, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        words[i] += 3 * i;
}

static void test_no_barrier(void **state)
{
    compare("void main() { uvec3 id = gl_LocalInvocationID; uvec3 w = gl_WorkGroupSize;\n"
            "data[g] += id.x + id.y * w.x + id.z * w.x * w.y + 2u * l; }\n",
            expect_local);
}

static void expect_reverse(uint32_t *words, unsigned n)
{
    for (unsigned i = 0; i < n / 2; i++) {
        uint32_t w = words[i];
        words[i] = words[n - 1 - i];
        words[n - 1 - i] = w;
    }
}

static void test_reverse(void **state)
{
    compare("void main() { s[l] = data[g]; barrier(); data[g] = s[n - 1u - l]; }\n",
            expect_reverse);
}

static void expect_prefix_sum(uint32_t *words, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        words[i] += words[i - 1];
}

/* Checks barriers in a loop with a uniform bound, two per iteration, with a value that lives across
 * all. */
static void test_prefix_sum(void **state)
{
    compare("void main() { uint sum = data[g]; s[l] = sum; barrier();\n"
            "for (uint d = 1u; d < n; d <<= 1) {\n"
            "  uint add = l >= d ? s[l - d] : 0u; barrier(); sum += add; s[l] = sum; barrier(); }\n"
            "data[g] = sum; }\n",
            expect_prefix_sum);
}

static void expect_sum(uint32_t *words, unsigned n)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += words[i];
    words[0] = sum;
}

/* Reads the loop bound from shared memory; only the shader's logic makes it uniform. */
static void test_bound_from_memory(void **state)
{
    compare("shared uint bound, total;\n"
            "void main() { if (l == 0u) { bound = n; total = 0u; } barrier();\n"
            "for (uint i = 0u; i < bound; i++) { if (i == l) total += data[g]; barrier(); }\n"
            "if (l == 0u) data[g] = total; }\n",
            expect_sum);
}

static void expect_marks(uint32_t *words, unsigned n)
{
    uint32_t low = 0;
    for (unsigned i = 0; i < n && i < 5; i++)
        low += words[i];
    for (unsigned i = 0; i < n; i++)
        words[i] = i < 5 ? low + i : words[i] ^ 1;
}

/* Checks invocations that return before the barrier of the others. */
static void test_early_return(void **state)
{
    compare("void main() { s[l] = 0u; if (l >= 5u) { data[g] ^= 1u; return; }\n"
            "s[l] = data[g]; barrier(); uint sum = 0u;\n"
            "for (uint i = 0u; i < min(n, 5u); i++) sum += s[i];\n"
            "data[g] = sum + l; }\n",
            expect_marks);
}

static void expect_leaving(uint32_t *words, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        words[i] = words[i] % 7 * 100 + (words[i] % 7 > 3 ? 1 : 0);
}

/* Checks invocations that leave a loop with barriers one by one by break, after skipping some with
 * continue. */
static void test_leaving_one_by_one(void **state)
{
    compare("void main() { uint limit = data[g] % 7u, sum = 0u, late = 0u; s[l] = 1u;\n"
            "for (uint i = 0u; i < 10u; i++) {\n"
            "  if (i >= limit) break;\n"
            "  barrier(); sum += 50u * s[l];\n"
            "  if (i != 3u) { barrier(); sum += 50u; continue; }\n"
            "  barrier(); sum += 50u; late = 1u; }\n"
            "data[g] = sum + late; }\n",
            expect_leaving);
}

static void expect_kinds(uint32_t *words, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t w = words[i], next = words[(i + 1) % n];
        (void)next;
        words[i] = (w & 1 ? 5u : 9u) + w * 3 + (uint32_t)((uint64_t)w * 0x100000001ull >> 32) +
                   (i & 3) * 2;
    }
}

/* Checks booleans, vectors, 64-bit values, arrays and workgroup values that live across
 * barriers. */
static void test_kinds_of_values(void **state)
{
    compare("uniform uint zero;\n"
            "void main() { uint w = data[g]; bool odd = (w & 1u) != 0u; uvec3 v = uvec3(w, w, w);\n"
            "uint64_t wide = uint64_t(w) * 0x100000001ul; uint a[4]; uint k = zero;\n"
            "for (uint i = 0u; i < 4u; i++) a[i] = i * 2u + k;\n"
            "barrier(); k += gl_WorkGroupID.y; s[l] = w; barrier();\n"
            "uint last = a[(l + k) & 3u]; a[l & 3u] = 77u; barrier();\n"
            "data[g] = (odd ? 5u : 9u) + v.x + v.y + v.z + uint(wide >> 32) + last + zero; }\n",
            expect_kinds);
}

static void expect_nested(uint32_t *words, unsigned n)
{
    uint32_t total = 0;
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 4; b++)
            if ((a + b) % 2)
                for (unsigned i = 0; i < n; i++)
                    total += words[i] + a * 4 + b;
    for (unsigned i = 0; i < n; i++)
        words[i] = total + i;
}

/* Checks nested loops and ifs, shared-memory atomics, and early exits from the inner loop. */
static void test_nested(void **state)
{
    compare("shared uint total;\n"
            "void main() { if (l == 0u) total = 0u; uint w = data[g]; barrier();\n"
            "for (uint a = 0u; a < 3u; a++) { for (uint b = 0u;; b++) {\n"
            "  if (b == 4u) break; if ((a + b) % 2u == 0u) continue;\n"
            "  atomicAdd(total, w + a * 4u + b); barrier(); } barrier(); }\n"
            "data[g] = total + l; }\n",
            expect_nested);
}

static void test_variable_size(void **state)
{
    static const char text[] =
        "#version 430\n#extension GL_ARB_compute_variable_group_size : require\n"
        "layout(local_size_variable) in;\nlayout(std430, binding = 0) buffer B { uint data[]; };\n"
        "shared uint s[1024];\nvoid main() { uvec3 w = gl_LocalGroupSizeARB;\n"
        "uint n = w.x * w.y * w.z, l = gl_LocalInvocationIndex;\n"
        "uvec3 id = gl_LocalInvocationID;\n"
        "s[l] = data[l]; barrier();\n"
        "data[l] = s[n - 1u - l] + id.x + id.y * w.x + id.z * w.x * w.y - l; }\n";
    static uint32_t in[MAX], out[MAX], want[MAX];
    GLuint p = link_compute(text);
    GLint size[3];
    fill(in);
    glUseProgram(p);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const unsigned *w = sizes[i];
        GLuint b = make_buffer(0, in);
        glDispatchComputeGroupSizeARB(1, 1, 1, w[0], w[1], w[2]);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof out, out);
        memcpy(want, in, sizeof want);
        expect_reverse(want, w[0] * w[1] * w[2]);
        assert_memory_equal(out, want, sizeof want);
        glDeleteBuffers(1, &b);
    }
    glDispatchCompute(1, 1, 1);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDispatchComputeGroupSizeARB(1, 1, 1, 0, 1, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDispatchComputeGroupSizeARB(1, 1, 1, 1024, 2, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGetProgramiv(p, GL_COMPUTE_WORK_GROUP_SIZE, size);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    gl_test_delete_program(p);
}

/* Checks the order of a dispatch, an indirect dispatch of its counts, and a draw of the
 * vertices. */
static void test_order(void **state)
{
    GLuint counts = link_compute("#version 430\nlayout(local_size_x = 1) in;\n"
                                 "layout(std430, binding = 0) buffer B { uint data[]; };\n"
                                 "void main() { data[0] = 4u; data[1] = data[2] = 1u; }\n");
    GLuint corners = link_compute("#version 430\nlayout(local_size_x = 1) in;\n"
                                  "layout(std430, binding = 1) buffer B { vec2 corner[]; };\n"
                                  "void main() { uint i = gl_WorkGroupID.x;\n"
                                  "corner[i] = vec2(i & 1u, i >> 1) * 2.0 - 1.0; }\n");
    static const uint32_t zero[MAX];
    GLuint b0 = make_buffer(0, zero), b1 = make_buffer(1, zero);

    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(counts);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_COMMAND_BARRIER_BIT);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, b0);
    glUseProgram(corners);
    glDispatchComputeIndirect(0);
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
    glUseProgram(0);
    glBindBuffer(GL_ARRAY_BUFFER, b1);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glColor3f(0, 1, 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    expect(3, 3, 0, 1, 0);
    expect(30, 30, 0, 1, 0);
    glDispatchComputeIndirect(0);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUseProgram(corners);
    glDispatchComputeIndirect(2);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDispatchComputeIndirect(-4);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDispatchComputeIndirect(MAX * 4 - 8);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
    glDispatchComputeIndirect(0);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDispatchCompute(65536, 1, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDispatchCompute(0, 1, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDisableClientState(GL_VERTEX_ARRAY);
    gl_test_delete_program(counts);
    glDeleteProgram(corners);
    glDeleteBuffers(1, &b0);
    glDeleteBuffers(1, &b1);
}

/* Each group adds to a part of the result. The last group to finish sums the parts, which the
 * others have written from other threads. */
static void test_last_group(void **state)
{
    static const char text[] =
        "#version 430\n"
        "layout(local_size_x = %u) in;\n"
        "layout(std430, binding = 0) coherent buffer B { uint count, total, part[]; };\n"
        "shared uint sum;\n"
        "shared bool last;\n"
        "void main()\n"
        "{\n"
        "    uint l = gl_LocalInvocationIndex;\n"
        "    if (l == 0u) sum = 0u;\n"
        "    memoryBarrierShared(); barrier();\n"
        "    atomicAdd(sum, gl_WorkGroupID.x + l);\n"
        "    memoryBarrierShared(); barrier();\n"
        "    if (l == 0u) part[gl_WorkGroupID.x] = sum;\n"
        "    memoryBarrier(); barrier();\n"
        "    if (l == 0u) last = atomicAdd(count, 1u) == gl_NumWorkGroups.x - 1u;\n"
        "    memoryBarrier(); barrier();\n"
        "    for (uint i = l; last && i < gl_NumWorkGroups.x; i += gl_WorkGroupSize.x)\n"
        "        atomicAdd(total, part[i]);\n"
        "}\n";
    static const unsigned group_sizes[] = {1, 16, 100};
    static const uint32_t zeros[MAX];
    const unsigned groups = 1000;
    for (unsigned i = 0; i < sizeof group_sizes / sizeof *group_sizes; i++) {
        const unsigned n = group_sizes[i];
        uint32_t out[MAX];
        char source[2000];
        snprintf(source, sizeof source, text, n);
        run(source, groups, zeros, out);
        assert_int_equal(out[0], groups);
        assert_int_equal(out[1], n * (groups * (groups - 1) / 2) + groups * (n * (n - 1) / 2));
    }
}

/* Checks endless loops with and without barriers; the context stays usable. */
static void test_endless(void **state)
{
    static const char *const bodies[] = {
        "void main() { while (data[1] != 77u) data[g] += 1u; }\n",
        "void main() { while (data[1] != 77u) { data[g] += 1u; barrier(); } }\n",
        "void main() { for (uint i = 0u; i < 100000u; i++) { while (data[1] != 77u) data[g] += "
        "1u;\n"
        " barrier(); } }\n",
    };
    static uint32_t in[MAX], out[MAX];
    char text[4000];
    for (unsigned i = 0; i < 3; i++) {
        int length = snprintf(text, sizeof text, HEAD, 64, 1, 1);
        snprintf(text + length, sizeof text - length, "%s", bodies[i]);
        memset(in, 0, sizeof in);
        run(text, 8, in, out);
    }
    test_reverse(state);
}

/* Checks that out-of-range indices into shared memory and buffers are harmless. */
static void test_bounds(void **state)
{
    static uint32_t in[MAX], out[MAX];
    fill(in);
    run("#version 430\nlayout(local_size_x = 64) in;\n"
        "layout(std430, binding = 0) buffer B { uint data[]; };\nshared uint s[64];\n"
        "shared uvec4 t[2];\n"
        "void main() { uint l = gl_LocalInvocationIndex, far = 1000u + data[l] * 7u;\n"
        "s[l] = l; barrier(); s[far] = 5u; t[far].y = 5u;\n"
        "atomicAdd(s[far], 9u); barrier();\n"
        "data[l] = s[l] + s[far] + t[far].x; data[far + 2000u] = 3u; "
        "}\n",
        1, in, out);
    assert_memory_equal(out + 64, in + 64, sizeof out - 64 * sizeof *out);
}

/* Loads and stores consecutive elements: whole vectors of them, vectors that the end of the buffer
 * or a branch divides, and elements of two and four words. Loads outside of the buffer return 0. */
static void test_consecutive(void **state)
{
    static uint32_t in[MAX], out[MAX], want[MAX];
    enum { N = 64, PAST_END = 27 };
    fill(in);
    run("#version 430\nlayout(local_size_x = 64) in;\n"
        "layout(std430, binding = 0) buffer B { uint data[]; };\n"
        "layout(std430, binding = 0) buffer P { uvec2 pairs[]; };\n"
        "layout(std430, binding = 0) buffer V { uvec4 fours[]; };\n"
        "void main() { uint l = gl_LocalInvocationID.x, end = uint(data.length());\n"
        "data[l] = data[1024u + l] * 3u;\n"
        "data[64u + l] = data[end - 37u + l] + 1u;\n"
        "data[128u + l] = data[l + 1027u] ^ data[1090u - l] ^ data[2u * l + 1024u];\n"
        "if (l % 5u != 2u) data[192u + l] = data[1100u + l];\n"
        "uint sum = 0u; for (uint i = 0u; i < l % 4u; i++) sum += data[1200u + i * 64u + l];\n"
        "data[256u + l] = sum;\n"
        "pairs[160u + l] = pairs[600u + l].yx;\n"
        "fours[112u + l] = fours[300u + l].wzyx; }\n",
        1, in, out);
    memcpy(want, in, sizeof want);
    for (unsigned l = 0; l < N; l++) {
        want[l] = in[1024 + l] * 3;
        want[64 + l] = (l < N - PAST_END ? in[MAX - (N - PAST_END) + l] : 0) + 1;
        want[128 + l] = in[1027 + l] ^ in[1090 - l] ^ in[1024 + 2 * l];
        if (l % 5 != 2)
            want[192 + l] = in[1100 + l];
        want[256 + l] = 0;
        for (unsigned i = 0; i < l % 4; i++)
            want[256 + l] += in[1200 + i * 64 + l];
        for (unsigned c = 0; c < 2; c++)
            want[320 + 2 * l + c] = in[1200 + 2 * l + 1 - c];
        for (unsigned c = 0; c < 4; c++)
            want[448 + 4 * l + c] = in[1200 + 4 * l + 3 - c];
    }
    for (unsigned k = 0; k < MAX; k++)
        if (out[k] != want[k])
            fail_msg("word %u is %u, not %u", k, out[k], want[k]);
}

/* Stores past the end of a buffer change nothing. */
static void test_consecutive_stores_at_end(void **state)
{
    static uint32_t in[MAX], out[MAX];
    fill(in);
    run("#version 430\nlayout(local_size_x = 64) in;\n"
        "layout(std430, binding = 0) buffer B { uint data[]; };\n"
        "void main() { data[uint(data.length()) - 21u + gl_LocalInvocationID.x] = 5u; }\n",
        1, in, out);
    for (unsigned k = 0; k < MAX; k++)
        assert_int_equal(out[k], k < MAX - 21 ? in[k] : 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_barrier),
        cmocka_unit_test(test_reverse),
        cmocka_unit_test(test_prefix_sum),
        cmocka_unit_test(test_bound_from_memory),
        cmocka_unit_test(test_early_return),
        cmocka_unit_test(test_leaving_one_by_one),
        cmocka_unit_test(test_kinds_of_values),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_variable_size),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_last_group),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_consecutive),
        cmocka_unit_test(test_consecutive_stores_at_end),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
