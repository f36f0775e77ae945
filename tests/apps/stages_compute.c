/* SPDX-License-Identifier: MIT */
/* Compute shaders with group sizes that aren't multiples of the SIMD width. Effects on shared data
 * don't depend on the order of invocations. */
#include "stages.h"

enum { GROUPS = 9, GROUP = 100, BUCKETS = 23 };

#define COMPUTE "#version 430\n"

/* Prefix sums with barriers. Groups end after different numbers of steps, and some invocations
 * return early. */
static const char sum_text[] =
    COMPUTE "layout(local_size_x = 100) in;\n"
            "layout(std430, binding = 0) buffer In { vec4 seed[]; };\n"
            "layout(std430, binding = 1) buffer Out { vec2 sums[]; };\n"
            "shared float row[2][100];\n"
            "shared struct { vec3 last; uint steps; } told;\n"
            "void main() {\n"
            "    uint me = gl_LocalInvocationIndex, at = gl_WorkGroupID.x * 100u + me, from = 0u;\n"
            "    float mine[5];\n"
            "    for (int i = 0; i < 5; i++)\n"
            "        mine[i] = dot(seed[at], vec4(i, 1 - i, 0.5, 0.25));\n"
            "    row[0][me] = mine[int(me) % 5];\n"
            "    if (me == 99u) {\n"
            "        told.last = seed[at].zyx;\n"
            "        told.steps = 4u + gl_WorkGroupID.x % 4u;\n"
            "    }\n"
            "    barrier();\n"
            "    for (uint step = 0u; step < told.steps; step++) {\n"
            "        float other = me >= 1u << step ? row[from][me - (1u << step)] : 0.0;\n"
            "        row[1u - from][me] = row[from][me] + other;\n"
            "        from = 1u - from;\n"
            "        barrier();\n"
            "    }\n"
            "    sums[at] = vec2(row[from][me], mine[int(at * 7u) % 5] + told.last.y);\n"
            "    if (told.last.x > 0.5 && me > 57u) return;\n"
            "    barrier();\n"
            "    sums[at].y += row[from][99u - me];\n"
            "}\n";

/* Matrix product in tiles of 5 by 12, with sums in doubles. */
static const char product_text[] =
    COMPUTE "layout(local_size_x = 12, local_size_y = 5) in;\n"
            "layout(std430, binding = 0) buffer In { float a[]; };\n"
            "layout(std430, binding = 1) buffer Out { float c[]; };\n"
            "shared float left[5][12], right[12][12];\n"
            "const uint n = 24u;\n"
            "void main() {\n"
            "    uvec2 me = gl_LocalInvocationID.xy, at = gl_GlobalInvocationID.xy;\n"
            "    double sum = 0.0lf;\n"
            "    for (uint t = 0u; t < n; t += 12u) {\n"
            "        left[me.y][me.x] = a[at.y * n + t + me.x];\n"
            "        for (uint y = me.y; y < 12u; y += 5u)\n"
            "            right[y][me.x] = a[(t + y) * n + at.x];\n"
            "        barrier();\n"
            "        for (uint k = 0u; k < 12u; k++)\n"
            "            sum += double(left[me.y][k]) * double(right[k][me.x]);\n"
            "        barrier();\n"
            "    }\n"
            "    c[at.y * n + at.x] = float(sum);\n"
            "}\n";

/* A histogram in shared memory, then in the buffer, with all atomic operations; the maximum by
 * compare-and-swap; and the counts for an indirect dispatch. */
static const char count_text[] =
    COMPUTE "layout(local_size_x = 7, local_size_y = 3, local_size_z = 5) in;\n"
            "layout(std430, binding = 0) buffer In { vec4 seed[]; };\n"
            "layout(std430, binding = 1) buffer Out {\n"
            "    uint counts[3], all, any, odd, least, largest;\n"
            "    int most;\n"
            "    uint bucket[23];\n"
            "};\n"
            "layout(binding = 0, offset = 4) uniform atomic_uint counter;\n"
            "shared uint mine[23];\n"
            "void main() {\n"
            "    uint me = gl_LocalInvocationIndex, at = gl_WorkGroupID.x * 105u + me;\n"
            "    if (me < 23u) mine[me] = 0u;\n"
            "    barrier();\n"
            "    vec4 s = seed[at % uint(seed.length())];\n"
            "    uint word = floatBitsToUint(s.x);\n"
            "    atomicAdd(mine[int(s.y * 23.0)], 1u + (at & 3u));\n"
            "    barrier();\n"
            "    if (me < 23u) atomicAdd(bucket[me], mine[me]);\n"
            "    atomicAnd(all, word | 0xffff0fu);\n"
            "    atomicOr(any, word & 0x3c3c3cu);\n"
            "    atomicXor(odd, word);\n"
            "    atomicMin(least, word);\n"
            "    atomicMax(most, int(word) - int(at));\n"
            "    if (s.z > 0.25) atomicCounterIncrement(counter);\n"
            "    uint seen = largest;\n"
            "    while (uintBitsToFloat(seen) < s.w) {\n"
            "        uint was = atomicCompSwap(largest, seen, floatBitsToUint(s.w));\n"
            "        if (was == seen) break;\n"
            "        seen = was;\n"
            "    }\n"
            "    if (at == 0u) {\n"
            "        counts[0] = 3u;\n"
            "        counts[1] = 2u;\n"
            "        counts[2] = uint(seed.length()) % 7u + 1u;\n"
            "    }\n"
            "}\n";

/* Writes the ids of each group of the indirect dispatch. */
static const char asked_text[] =
    COMPUTE "layout(local_size_x = 3) in;\n"
            "layout(std430, binding = 2) buffer Out { uvec4 place[]; };\n"
            "void main() {\n"
            "    uvec3 n = gl_NumWorkGroups, g = gl_WorkGroupID;\n"
            "    uint at = ((g.z * n.y + g.y) * n.x + g.x) * 3u + gl_LocalInvocationID.x;\n"
            "    place[at] = uvec4(gl_GlobalInvocationID, at);\n"
            "}\n";

static void use_program(const char *text)
{
    glUseProgram(stages_make_program(&(struct stages_program){.compute = text}));
}

void stages_compute(void)
{
    GLuint seeds = stages_make_buffer(GROUPS * GROUP, true), out, counter, places;

    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, seeds);
    out = stages_make_words(GL_SHADER_STORAGE_BUFFER, 1, GROUPS * GROUP * 2);
    use_program(sum_text);
    glDispatchCompute(GROUPS, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    stages_write_buffer(out, GROUPS * GROUP * 8);

    out = stages_make_words(GL_SHADER_STORAGE_BUFFER, 1, 24 * 20);
    use_program(product_text);
    glDispatchCompute(2, 4, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    stages_write_buffer(out, 24 * 20 * 4);

    out = stages_make_words(GL_SHADER_STORAGE_BUFFER, 1, 9 + BUCKETS);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 12, 4, &(GLuint){~0u});
    glBufferSubData(GL_COPY_WRITE_BUFFER, 24, 4, &(GLuint){~0u});
    counter = stages_make_words(GL_ATOMIC_COUNTER_BUFFER, 0, 4);
    use_program(count_text);
    glDispatchCompute(GROUPS, 1, 1);
    glMemoryBarrier(GL_COMMAND_BARRIER_BIT);
    places = stages_make_words(GL_SHADER_STORAGE_BUFFER, 2, 3 * 2 * 5 * 3 * 4);
    use_program(asked_text);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, out);
    glDispatchComputeIndirect(0);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    stages_write_buffer(out, (9 + BUCKETS) * 4);
    stages_write_buffer(counter, 16);
    stages_write_buffer(places, 3 * 2 * 5 * 3 * 16);
}
