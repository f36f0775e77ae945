/* SPDX-License-Identifier: MIT */
/*
 * GL_KHR_shader_subgroup: subgroup operations of compute shaders, compared with a model that knows
 * the subgroup size; exact invocation counts in every stage; quad operations.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE   32
#define GROUP  70 /* not a multiple of the subgroup size */
#define GROUPS 3
#define COUNT  (GROUP * GROUPS)

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

#define EXTENSIONS                                                                                 \
    "#extension GL_KHR_shader_subgroup_basic : require\n"                                          \
    "#extension GL_KHR_shader_subgroup_vote : require\n"                                           \
    "#extension GL_KHR_shader_subgroup_arithmetic : require\n"                                     \
    "#extension GL_KHR_shader_subgroup_ballot : require\n"                                         \
    "#extension GL_KHR_shader_subgroup_shuffle : require\n"                                        \
    "#extension GL_KHR_shader_subgroup_shuffle_relative : require\n"                               \
    "#extension GL_KHR_shader_subgroup_clustered : require\n"                                      \
    "#extension GL_KHR_shader_subgroup_quad : require\n"

static unsigned subgroup_size(void)
{
    GLint size = 0;
    glGetIntegerv(GL_SUBGROUP_SIZE_KHR, &size);
    return (unsigned)size;
}

static GLuint make_buffer(GLuint binding, const uint32_t *words, unsigned count)
{
    GLuint b;
    glGenBuffers(1, &b);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, b);
    glBufferData(GL_SHADER_STORAGE_BUFFER, count * sizeof *words, words, GL_DYNAMIC_DRAW);
    return b;
}

/* -------------------------------------------------------------------------------- the model --- */

/* A subgroup: its lanes' values and the mask of active lanes. */
struct subgroup {
    unsigned size, lane;
    uint32_t active;
    uint32_t x[32];
    unsigned group_lanes, id; /* invocations of the workgroup; index of the subgroup in it */
};

#define UNTOUCHED 0x12345u
static const uint32_t anything = 0xdeadbeef; /* stands for an undefined result */

typedef uint32_t (*model_fn)(const struct subgroup *g);

static bool is_active(const struct subgroup *g, unsigned lane)
{
    return lane < g->size && g->active >> lane & 1;
}

static uint32_t read_lane(const struct subgroup *g, unsigned lane)
{
    return is_active(g, lane) ? g->x[lane] : anything;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static bool always(uint32_t x)
{
    return true;
}

static bool sometimes(uint32_t x)
{
    return x % 3 != 0;
}

static bool seldom(uint32_t x)
{
    return x % 11 == 0;
}

/* Conditions, in terms of x = data[…], that select the active invocations. */
static const struct condition {
    const char *text;
    bool (*holds)(uint32_t x);
} conditions[] = {
    {"all", always},
    {"x % 3u != 0u", sometimes},
    {"x % 11u == 0u", seldom},
};
#define CONDITIONS (sizeof conditions / sizeof conditions[0])

static void compare(const uint32_t *in, const uint32_t *out, const struct condition *condition,
                    const char *expr, model_fn model)
{
    for (unsigned i = 0; i < COUNT; i++) {
        struct subgroup g = {.size = subgroup_size(), .group_lanes = GROUP};
        unsigned local = i % GROUP, first = i - local % g.size;
        g.lane = local % g.size;
        g.id = local / g.size;
        for (unsigned k = 0; k < g.size && local - g.lane + k < GROUP; k++) {
            g.x[k] = in[first + k];
            g.active |= (uint32_t)condition->holds(g.x[k]) << k;
        }
        uint32_t want = is_active(&g, g.lane) ? model(&g) : UNTOUCHED;
        if (want != anything && out[i] != want)
            fail_msg("%s where %s: invocation %u has %#x, not %#x", expr, condition->text, i,
                     out[i], want);
    }
}

/* Runs `expr` (a uint) in the invocations of each condition. All invocations run it in uniform
 * control flow; subsets run it in a loop. One program per question contains both. */
static void check(const char *expr, model_fn model)
{
    static uint32_t in[COUNT], out[CONDITIONS][COUNT];
    char text[4000];
    for (unsigned i = 0; i < COUNT; i++)
        in[i] = (i + 1) * 2654435761u >> 13;
    snprintf(text, sizeof text,
             "#version 450\n" EXTENSIONS "layout(local_size_x = %u) in;\n"
             "layout(std430, binding = 0) buffer A { uint data[]; };\n"
             "layout(std430, binding = 1) buffer B { uint result[][%u]; };\n"
             "void main() {\n"
             "    uint i = gl_GlobalInvocationID.x, x = data[i];\n"
             "    uint lane = gl_SubgroupInvocationID;\n"
             "    result[0][i] = %s;\n"
             "    for (int c = 1; c < result.length(); c++) {\n"
             "        result[c][i] = %uu;\n"
             "        if (c == 1 ? %s : %s) result[c][i] = %s;\n"
             "    }\n"
             "}\n",
             GROUP, COUNT, expr, UNTOUCHED, conditions[1].text, conditions[2].text, expr);
    GLuint p = glCreateProgram(), a = make_buffer(0, in, COUNT);
    GLuint b = make_buffer(1, NULL, CONDITIONS * COUNT);
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_use(p);
    glDispatchCompute(GROUPS, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof out, out);
    gl_test_delete_program(p);
    glDeleteBuffers(1, &a);
    glDeleteBuffers(1, &b);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned c = 0; c < CONDITIONS; c++)
        compare(in, out[c], &conditions[c], expr, model);
}

/* ------------------------------------------------------------------------------- reductions --- */

enum number { FLOAT, INT, UINT, BOOL, DOUBLE };
enum scan { REDUCE, INCLUSIVE, EXCLUSIVE, CLUSTERED };

static const char *const op_names[] = {"Add", "Mul", "Min", "Max", "And", "Or", "Xor"};
static enum number number;
static enum scan scan;
static unsigned operation;
#define CLUSTER 4

/* Small numbers, whose sums and products are exact. */
static const char *const operands[] = {"(float(x % 5u) - 2.0)", "int(x * 2654435761u)",
                                       "(x * 2654435761u)", "(x % 5u > 1u)",
                                       "(double(x % 5u) - 2.0)"};
static const char *const results[] = {"floatBitsToUint(%s)", "uint(%s)", "%s", "uint(%s)",
                                      "floatBitsToUint(float(%s))"};

static double combine_numbers(double x, double y)
{
    return operation == 0   ? x + y
           : operation == 1 ? x * y
           : operation == 2 ? fmin(x, y)
                            : fmax(x, y);
}

static uint32_t combine_words(uint32_t x, uint32_t y)
{
    bool less = number == INT ? (int32_t)x < (int32_t)y : x < y;
    switch (operation) {
    case 0:
        return x + y;
    case 1:
        return x * y;
    case 2:
        return less ? x : y;
    case 3:
        return less ? y : x;
    case 4:
        return x & y;
    case 5:
        return x | y;
    default:
        return x ^ y;
    }
}

/* KHR_shader_subgroup's table of identities. */
static double number_identity(void)
{
    static const double values[] = {0.0, 1.0, INFINITY, -INFINITY};
    return values[operation];
}

static uint32_t word_identity(void)
{
    static const uint32_t of_uint[] = {0, 1, UINT32_MAX, 0, UINT32_MAX, 0, 0};
    static const uint32_t of_int[] = {0, 1, INT32_MAX, 0x80000000u, UINT32_MAX, 0, 0};
    return number == BOOL ? operation == 4 : number == INT ? of_int[operation] : of_uint[operation];
}

static uint32_t model_reduction(const struct subgroup *g)
{
    unsigned first = scan == CLUSTERED ? g->lane / CLUSTER * CLUSTER : 0;
    unsigned end = scan == CLUSTERED   ? first + CLUSTER
                   : scan == REDUCE    ? g->size
                   : scan == INCLUSIVE ? g->lane + 1
                                       : g->lane;
    double sum = operation < 4 ? number_identity() : 0.0;
    uint32_t word = word_identity();
    for (unsigned i = first; i < end; i++) {
        if (!is_active(g, i))
            continue;
        sum = combine_numbers(sum, (double)(g->x[i] % 5u) - 2.0);
        word = combine_words(word, number == BOOL ? g->x[i] % 5u > 1 : g->x[i] * 2654435761u);
    }
    return number == FLOAT || number == DOUBLE ? bits_of((float)sum) : word;
}

static void test_reductions(void **state)
{
    static const char *const scans[] = {"", "Inclusive", "Exclusive", "Clustered"};
    for (operation = 0; operation < 7; operation++) {
        for (number = FLOAT; number <= DOUBLE; number++) {
            bool is_number = number == FLOAT || number == DOUBLE;
            if (operation < 4 ? number == BOOL : is_number)
                continue;
            for (scan = REDUCE; scan <= CLUSTERED; scan++) {
                char call[300], expr[400];
                snprintf(call, sizeof call, "subgroup%s%s(%s%s)", scans[scan], op_names[operation],
                         operands[number], scan == CLUSTERED ? ", 4" : "");
                snprintf(expr, sizeof expr, results[number], call);
                check(expr, model_reduction);
            }
        }
    }
}

/* ------------------------------------------------------------------------ ballots and votes --- */

static uint32_t ballot_of(const struct subgroup *g, bool (*holds)(uint32_t x))
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < g->size; i++)
        bits |= (uint32_t)(is_active(g, i) && holds(g->x[i])) << i;
    return bits;
}

static bool is_odd(uint32_t x)
{
    return x & 1;
}

static uint32_t model_elect(const struct subgroup *g)
{
    return (unsigned)__builtin_ctz(g->active) == g->lane;
}

static uint32_t model_all(const struct subgroup *g)
{
    return ballot_of(g, is_odd) == g->active;
}

static uint32_t model_any(const struct subgroup *g)
{
    return ballot_of(g, is_odd) != 0;
}

static uint32_t model_equal(const struct subgroup *g)
{
    return model_all(g) || !model_any(g);
}

static uint32_t model_ballot(const struct subgroup *g)
{
    return ballot_of(g, is_odd);
}

static uint32_t model_inverse(const struct subgroup *g)
{
    return is_odd(g->x[g->lane]);
}

static uint32_t model_extract(const struct subgroup *g)
{
    return ballot_of(g, is_odd) >> (g->x[g->lane] % g->size) & 1;
}

static uint32_t model_count(const struct subgroup *g)
{
    return (uint32_t)__builtin_popcount(ballot_of(g, is_odd));
}

static uint32_t model_count_below(const struct subgroup *g)
{
    return (uint32_t)__builtin_popcount(ballot_of(g, is_odd) & ((1u << g->lane) - 1));
}

static uint32_t model_count_up_to(const struct subgroup *g)
{
    return model_count_below(g) + is_odd(g->x[g->lane]);
}

static uint32_t model_lowest(const struct subgroup *g)
{
    uint32_t bits = ballot_of(g, is_odd);
    return bits ? (uint32_t)__builtin_ctz(bits) : anything;
}

static uint32_t model_highest(const struct subgroup *g)
{
    uint32_t bits = ballot_of(g, is_odd);
    return bits ? 31 - (uint32_t)__builtin_clz(bits) : anything;
}

static uint32_t model_masks(const struct subgroup *g)
{
    uint32_t all = g->size == 32 ? UINT32_MAX : (1u << g->size) - 1, self = 1u << g->lane;
    uint32_t below = self - 1;
    return self * 3 + (all & ~below) * 5 + (all & ~below & ~self) * 7 + (below | self) * 11 +
           below * 13;
}

static uint32_t model_numbers(const struct subgroup *g)
{
    return g->size | g->lane << 8 | g->id << 16 | (g->group_lanes + g->size - 1) / g->size << 24;
}

static void test_ballots(void **state)
{
    check("uint(subgroupElect())", model_elect);
    check("uint(subgroupAll((x & 1u) != 0u))", model_all);
    check("uint(subgroupAny((x & 1u) != 0u))", model_any);
    check("uint(subgroupAllEqual((x & 1u) != 0u))", model_equal);
    check("uint(subgroupAllEqual(x & 1u))", model_equal);
    check("uint(subgroupAllEqual(vec2(x & 1u, 1.0)))", model_equal);
    check("uint(subgroupAllEqual(dvec3(7.0, 1.0, double(x & 1u))))", model_equal);
    check("subgroupBallot((x & 1u) != 0u).x", model_ballot);
    check("uint(subgroupInverseBallot(subgroupBallot((x & 1u) != 0u)))", model_inverse);
    check("uint(subgroupBallotBitExtract(subgroupBallot((x & 1u) != 0u), x % gl_SubgroupSize))",
          model_extract);
    check("subgroupBallotBitCount(subgroupBallot((x & 1u) != 0u))", model_count);
    check("subgroupBallotBitCount(subgroupBallot((x & 1u) != 0u) | uvec4(0u, ~0u, ~0u, ~0u))",
          model_count);
    check("subgroupBallotExclusiveBitCount(subgroupBallot((x & 1u) != 0u))", model_count_below);
    check("subgroupBallotInclusiveBitCount(subgroupBallot((x & 1u) != 0u))", model_count_up_to);
    check("subgroupBallotFindLSB(subgroupBallot((x & 1u) != 0u))", model_lowest);
    check("subgroupBallotFindMSB(subgroupBallot((x & 1u) != 0u))", model_highest);
    check("gl_SubgroupEqMask.x * 3u + gl_SubgroupGeMask.x * 5u + gl_SubgroupGtMask.x * 7u + "
          "gl_SubgroupLeMask.x * 11u + gl_SubgroupLtMask.x * 13u + gl_SubgroupGtMask.w",
          model_masks);
    check("gl_SubgroupSize | gl_SubgroupInvocationID << 8 | gl_SubgroupID << 16 | "
          "gl_NumSubgroups << 24",
          model_numbers);
}

/* --------------------------------------------------------------------------------- shuffles --- */

static uint32_t model_third(const struct subgroup *g)
{
    return read_lane(g, 2);
}

static uint32_t model_first(const struct subgroup *g)
{
    return read_lane(g, (unsigned)__builtin_ctz(g->active));
}

static uint32_t model_shuffle(const struct subgroup *g)
{
    return read_lane(g, g->x[g->lane] % g->size);
}

static uint32_t model_xor_2(const struct subgroup *g)
{
    return read_lane(g, g->lane ^ 2);
}

static uint32_t model_up_1(const struct subgroup *g)
{
    return read_lane(g, g->lane - 1);
}

static uint32_t model_down_3(const struct subgroup *g)
{
    return read_lane(g, g->lane + 3);
}

static uint32_t model_quad_1(const struct subgroup *g)
{
    return read_lane(g, (g->lane & ~3u) + 1);
}

static uint32_t model_xor_1(const struct subgroup *g)
{
    return read_lane(g, g->lane ^ 1);
}

static uint32_t model_xor_3(const struct subgroup *g)
{
    return read_lane(g, g->lane ^ 3);
}

static void test_shuffles(void **state)
{
    check("subgroupBroadcast(x, 2u)", model_third);
    check("subgroupBroadcastFirst(x)", model_first);
    check("uint(subgroupBroadcastFirst(double(x)))", model_first);
    check("uint(subgroupBroadcastFirst(ivec2(7, x)).y)", model_first);
    check("subgroupShuffle(x, x % gl_SubgroupSize)", model_shuffle);
    check("uint(subgroupShuffle(dvec2(1.0, x), x % gl_SubgroupSize).y)", model_shuffle);
    check("(subgroupShuffle(bvec2(false, (x & 4u) != 0u), x % gl_SubgroupSize).y ? 4u : 0u) | "
          "(subgroupShuffle(x, x % gl_SubgroupSize) & ~4u)",
          model_shuffle);
    check("subgroupShuffleXor(x, 2u)", model_xor_2);
    check("subgroupShuffleXor(x, x == 0u ? 3u : 2u)", model_xor_2);
    check("subgroupShuffleUp(x, 1u)", model_up_1);
    check("subgroupShuffleUp(x, x == 0u ? 7u : 1u)", model_up_1);
    check("subgroupShuffleDown(x, 3u)", model_down_3);
    check("subgroupShuffleDown(x, x == 0u ? 7u : 3u)", model_down_3);
    check("subgroupQuadBroadcast(x, 1u)", model_quad_1);
    check("subgroupQuadSwapHorizontal(x)", model_xor_1);
    check("uint(subgroupQuadSwapVertical(double(x)))", model_xor_2);
    check("subgroupQuadSwapDiagonal(uvec4(0u, x, x, 1u)).z", model_xor_3);
}

/* Loops that invocations leave one by one, and functions that they return from. */
static uint32_t model_loop(const struct subgroup *g)
{
    uint32_t sum = 0;
    for (unsigned k = 0; k <= g->x[g->lane] % 7; k++)
        for (unsigned i = 0; i < g->size; i++)
            sum += is_active(g, i) && g->x[i] % 7 >= k ? g->x[i] % 7 + k : 0;
    return sum;
}

static void test_control_flow(void **state)
{
    static uint32_t in[COUNT], out[COUNT];
    unsigned size = subgroup_size();
    for (unsigned i = 0; i < COUNT; i++)
        in[i] = (i + 1) * 2654435761u >> 13;
    GLuint p = glCreateProgram(), a = make_buffer(0, in, COUNT), b = make_buffer(1, in, COUNT);
    gl_test_attach(p, GL_COMPUTE_SHADER,
                   "#version 450\n" EXTENSIONS "layout(local_size_x = 70) in;\n"
                   "layout(std430, binding = 0) buffer A { uint data[]; };\n"
                   "layout(std430, binding = 1) buffer B { uint result[]; };\n"
                   "shared uint s[gl_WorkGroupSize.x];\n"
                   "void main() {\n"
                   "    uint i = gl_GlobalInvocationID.x, n = data[i] % 7u, sum = 0u;\n"
                   "    for (uint k = 0u; k <= n; k++) sum += subgroupAdd(n + k);\n"
                   /* In the same subgroup, stores before a barrier are visible after it. */
                   "    s[gl_LocalInvocationIndex] = sum;\n"
                   "    subgroupBarrier();\n"
                   "    barrier();\n"
                   "    uint first = gl_SubgroupID * gl_SubgroupSize;\n"
                   "    uint next = gl_LocalInvocationIndex + 1u;\n"
                   "    bool last = next == first + gl_SubgroupSize || next == 70u;\n"
                   "    result[i] = s[last ? first : next];\n"
                   "}\n");
    gl_test_use(p);
    glDispatchCompute(GROUPS, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof out, out);
    glDeleteProgram(p);
    glDeleteBuffers(1, &a);
    glDeleteBuffers(1, &b);
    for (unsigned i = 0; i < COUNT; i++) {
        struct subgroup g = {.size = size};
        unsigned local = i % GROUP, first = i - local % size, n = 0;
        for (; n < size && local - local % size + n < GROUP; n++)
            g.x[n] = in[first + n];
        g.active = (uint32_t)((1ull << n) - 1);
        g.lane = (local % size + 1) % n;
        assert_int_equal(out[i], model_loop(&g));
    }
}

/* ----------------------------------------------------------------------------------- stages --- */

#define COUNT_IN(stage)                                                                            \
    "#version 450\n" EXTENSIONS "layout(std430, binding = 0) buffer A { uint count[]; };\n"        \
    "void count_invocations() {\n"                                                                 \
    "    atomicAdd(count[2 * " #stage "], 1u);\n"                                                  \
    "    uint n = subgroupAdd(1u);\n"                                                              \
    "    if (n != subgroupBallotBitCount(subgroupBallot(true))) n = 1000u;\n"                      \
    "    if (subgroupElect()) atomicAdd(count[2 * " #stage " + 1], n);\n"                          \
    "}\n"

/* Checks in every stage that the sum of what elected invocations count for their subgroups is the
 * number of invocations. */
static void test_stages(void **state)
{
    static const uint32_t zeros[12];
    uint32_t counts[12];
    GLuint p = glCreateProgram(), b = make_buffer(0, zeros, 12);
    gl_test_attach(
        p, GL_VERTEX_SHADER,
        COUNT_IN(0) "void main() { count_invocations();\n"
                    "    vec2 at = vec2(gl_VertexID % 3 == 1, gl_VertexID % 3 == 2) - 0.4;\n"
                    "    gl_Position = vec4(at, 0.0, 1.0); }\n");
    gl_test_attach(p, GL_TESS_CONTROL_SHADER,
                   COUNT_IN(1) "layout(vertices = 3) out;\n"
                               "void main() { count_invocations();\n"
                               "    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 3.0;\n"
                               "    gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 3.0;\n"
                               "    gl_out[gl_InvocationID].gl_Position =\n"
                               "        gl_in[gl_InvocationID].gl_Position; }\n");
    gl_test_attach(p, GL_TESS_EVALUATION_SHADER,
                   COUNT_IN(2) "layout(triangles) in;\n"
                               "void main() { count_invocations();\n"
                               "    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x +\n"
                               "                  gl_in[1].gl_Position * gl_TessCoord.y +\n"
                               "                  gl_in[2].gl_Position * gl_TessCoord.z; }\n");
    gl_test_attach(p, GL_GEOMETRY_SHADER,
                   COUNT_IN(3) "layout(triangles) in;\n"
                               "layout(triangle_strip, max_vertices = 3) out;\n"
                               "void main() { count_invocations();\n"
                               "    for (int i = 0; i < 3; i++) {\n"
                               "        gl_Position = gl_in[i].gl_Position; EmitVertex(); } }\n");
    gl_test_attach(p, GL_FRAGMENT_SHADER,
                   COUNT_IN(4) "out vec4 c;\n"
                               "void main() { if (int(gl_FragCoord.x) % 5 == 3) discard;\n"
                               "    count_invocations(); c = vec4(1.0); }\n");
    gl_test_use(p);
    glViewport(0, 0, SIZE, SIZE);
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    glDrawArrays(GL_PATCHES, 0, 18 * 3);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof counts, counts);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned s = 0; s < 5; s++) {
        if (!counts[2 * s] || counts[2 * s] != counts[2 * s + 1])
            fail_msg("stage %u: %u invocations, %u in subgroups", s, counts[2 * s],
                     counts[2 * s + 1]);
    }
    gl_test_delete_program(p);
    glDeleteBuffers(1, &b);
}

/* Checks that quads are those of derivatives, and that helper invocations take part. */
static void test_quads(void **state)
{
    GLuint p = gl_test_program(
        "#version 450\nvoid main() { gl_Position = gl_VertexID == 0   ? vec4(-1.0, -1.0, 0.0, "
        "1.0)\n"
        "                                        : gl_VertexID == 1 ? vec4(1.0, -1.0, 0.0, 1.0)\n"
        "                                                           : vec4(-1.0, 1.0, 0.0, 1.0); }",
        "#version 450\n" EXTENSIONS "out vec4 c;\n"
        "void main() {\n"
        "    vec2 at = gl_FragCoord.xy, x = subgroupQuadSwapHorizontal(at) - at;\n"
        "    vec2 y = subgroupQuadSwapVertical(at) - at, xy = subgroupQuadSwapDiagonal(at) - at;\n"
        "    vec2 corner = subgroupQuadBroadcast(at, 0u);\n"
        "    bool good = abs(x.x) == 1.0 && x.y == 0.0 && y.x == 0.0 && abs(y.y) == 1.0 &&\n"
        "                xy == vec2(x.x, y.y) && floor(corner.x / 2.0) == floor(at.x / 2.0) &&\n"
        "                floor(corner.y / 2.0) == floor(at.y / 2.0);\n"
        "    c = good ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0);\n"
        "}\n");
    glUseProgram(p);
    glViewport(0, 0, SIZE, SIZE);
    glClearColor(0.0f, 1.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int y = 0; y < SIZE; y += 3)
        for (int x = 0; x < SIZE; x++)
            expect(x, y, 0.0f, 1.0f, 0.0f);
    gl_test_delete_program(p);
}

#define MESH_SHADER_BIT 0x40 /* GL_MESH_SHADER_BIT_EXT */
#define TASK_SHADER_BIT 0x80 /* GL_TASK_SHADER_BIT_EXT */

static void test_queries(void **state)
{
    GLint size = 0, stages = 0, features = 0;
    GLint64 size64 = 0;
    GLboolean quads = GL_FALSE;
    glGetIntegerv(GL_SUBGROUP_SIZE_KHR, &size);
    glGetInteger64v(GL_SUBGROUP_SIZE_KHR, &size64);
    glGetIntegerv(GL_SUBGROUP_SUPPORTED_STAGES_KHR, &stages);
    glGetIntegerv(GL_SUBGROUP_SUPPORTED_FEATURES_KHR, &features);
    glGetBooleanv(GL_SUBGROUP_QUAD_ALL_STAGES_KHR, &quads);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_true(size == 4 || size == 8 || size == 16);
    assert_int_equal(size64, size);
    GLint expected = GL_VERTEX_SHADER_BIT | GL_TESS_CONTROL_SHADER_BIT |
                     GL_TESS_EVALUATION_SHADER_BIT | GL_GEOMETRY_SHADER_BIT |
                     GL_FRAGMENT_SHADER_BIT | GL_COMPUTE_SHADER_BIT;
    if (strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_mesh_shader"))
        expected |= MESH_SHADER_BIT | TASK_SHADER_BIT;
    assert_int_equal(stages, expected);
    assert_int_equal(features, 0xff);
    assert_true(quads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries),    cmocka_unit_test(test_ballots),
        cmocka_unit_test(test_shuffles),   cmocka_unit_test(test_control_flow),
        cmocka_unit_test(test_stages),     cmocka_unit_test(test_quads),
        cmocka_unit_test(test_reductions),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
