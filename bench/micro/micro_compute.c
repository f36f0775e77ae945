/* SPDX-License-Identifier: MIT */
/* Compute shader workloads. A unit of work is one dispatch. */
#include <stdint.h>
#include <stdlib.h>

#include "micro_gl.h"
#include "micro_workloads.h"

enum { ELEMENTS = 1 << 20, PRODUCT_SIZE = 256, IMAGE_SIZE = 512 };

static GLuint groups[2];

static void make_program(const char *text, GLuint groups_x, GLuint groups_y)
{
    GLuint p = gl.CreateProgram(), s = gl.CreateShader(GL_COMPUTE_SHADER);
    GLint ok = 0;
    char log[1000] = "";
    gl.ShaderSource(s, 1, &text, NULL);
    gl.CompileShader(s);
    gl.AttachShader(p, s);
    gl.LinkProgram(p);
    gl.GetProgramiv(p, GL_LINK_STATUS, &ok);
    gl.GetProgramInfoLog(p, sizeof log, NULL, log);
    if (!ok)
        micro_fail("compute program", log);
    gl.UseProgram(p);
    groups[0] = groups_x;
    groups[1] = groups_y;
}

/* Creates a buffer of pseudorandom words below `limit`, converted to floats if `floats`. */
static void make_buffer(GLuint binding, unsigned words, uint32_t limit, bool floats)
{
    uint32_t *data = malloc(words * sizeof *data);
    GLuint buffer;
    if (!data)
        micro_fail("buffer", "out of memory");
    for (unsigned i = 0; i < words; i++) {
        data[i] = micro_noise(i) % limit;
        if (floats)
            ((float *)data)[i] = (float)data[i] / (float)limit;
    }
    gl.GenBuffers(1, &buffer);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
    gl.BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(words * sizeof *data), data,
                  GL_DYNAMIC_COPY);
    free(data);
}

void micro_frame_compute(unsigned work)
{
    for (unsigned i = 0; i < work; i++) {
        gl.DispatchCompute(groups[0], groups[1], 1);
        gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    }
}

/* Multiplies 256×256 matrices in tiles that are copied to shared memory. */
void micro_setup_product(unsigned work)
{
    (void)work;
    for (GLuint i = 0; i < 3; i++)
        make_buffer(i, PRODUCT_SIZE * PRODUCT_SIZE, 1000, true);
    make_program("#version 430\n"
                 "layout(local_size_x = 16, local_size_y = 16) in;\n"
                 "layout(std430, binding = 0) readonly buffer A { float a[]; };\n"
                 "layout(std430, binding = 1) readonly buffer B { float b[]; };\n"
                 "layout(std430, binding = 2) writeonly buffer C { float c[]; };\n"
                 "shared float left[16][16], right[16][16];\n"
                 "void main() {\n"
                 "    uvec2 me = gl_LocalInvocationID.xy, at = gl_GlobalInvocationID.xy;\n"
                 "    float sum = 0.0;\n"
                 "    for (uint t = 0u; t < 256u; t += 16u) {\n"
                 "        left[me.y][me.x] = a[at.y * 256u + t + me.x];\n"
                 "        right[me.y][me.x] = b[(t + me.y) * 256u + at.x];\n"
                 "        barrier();\n"
                 "        for (uint k = 0u; k < 16u; k++)\n"
                 "            sum += left[me.y][k] * right[k][me.x];\n"
                 "        barrier();\n"
                 "    }\n"
                 "    c[at.y * 256u + at.x] = sum;\n"
                 "}\n",
                 PRODUCT_SIZE / 16, PRODUCT_SIZE / 16);
}

/* Sums blocks of 256 numbers by a tree reduction in shared memory. */
void micro_setup_reduction(unsigned work)
{
    (void)work;
    make_buffer(0, ELEMENTS, 1000, true);
    make_buffer(1, ELEMENTS / 256, 1, false);
    make_program("#version 430\n"
                 "layout(local_size_x = 256) in;\n"
                 "layout(std430, binding = 0) readonly buffer In { float x[]; };\n"
                 "layout(std430, binding = 1) writeonly buffer Out { float sum[]; };\n"
                 "shared float part[256];\n"
                 "void main() {\n"
                 "    uint me = gl_LocalInvocationIndex;\n"
                 "    part[me] = x[gl_GlobalInvocationID.x];\n"
                 "    barrier();\n"
                 "    for (uint n = 128u; n > 0u; n >>= 1) {\n"
                 "        if (me < n) part[me] += part[me + n];\n"
                 "        barrier();\n"
                 "    }\n"
                 "    if (me == 0u) sum[gl_WorkGroupID.x] = part[0];\n"
                 "}\n",
                 ELEMENTS / 256, 1);
}

/* Counts 16 numbers per invocation in shared memory, then adds the counts to a buffer. */
void micro_setup_histogram(unsigned work)
{
    (void)work;
    make_buffer(0, ELEMENTS, 256, false);
    make_buffer(1, 256, 1, false);
    make_program("#version 430\n"
                 "layout(local_size_x = 256) in;\n"
                 "layout(std430, binding = 0) readonly buffer In { uint x[]; };\n"
                 "layout(std430, binding = 1) buffer Out { uint count[256]; };\n"
                 "shared uint mine[256];\n"
                 "void main() {\n"
                 "    uint me = gl_LocalInvocationIndex;\n"
                 "    mine[me] = 0u;\n"
                 "    barrier();\n"
                 "    for (uint i = 0u; i < 16u; i++)\n"
                 "        atomicAdd(mine[x[gl_WorkGroupID.x * 4096u + i * 256u + me]], 1u);\n"
                 "    barrier();\n"
                 "    atomicAdd(count[me], mine[me]);\n"
                 "}\n",
                 ELEMENTS / 4096, 1);
}

/* Moves points: reads and writes two vec4s per invocation. */
void micro_setup_particles(unsigned work)
{
    (void)work;
    for (GLuint i = 0; i < 2; i++)
        make_buffer(i, ELEMENTS / 2, 1000, true);
    make_program("#version 430\n"
                 "layout(local_size_x = 128) in;\n"
                 "layout(std430, binding = 0) buffer P { vec4 place[]; };\n"
                 "layout(std430, binding = 1) buffer S { vec4 speed[]; };\n"
                 "void main() {\n"
                 "    uint i = gl_GlobalInvocationID.x;\n"
                 "    vec4 p = place[i], s = speed[i];\n"
                 "    vec3 to = vec3(0.5) - p.xyz;\n"
                 "    s.xyz += to * (0.001 / (dot(to, to) + 0.01));\n"
                 "    place[i] = p + s * 0.01;\n"
                 "    speed[i] = s;\n"
                 "}\n",
                 ELEMENTS / 8 / 128, 1);
}

static void make_image(GLuint unit, GLenum access)
{
    GLuint texture;
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, IMAGE_SIZE, IMAGE_SIZE);
    gl.BindImageTexture(unit, texture, 0, GL_FALSE, 0, access, GL_RGBA8);
}

/* Averages 3×3 texels. */
void micro_setup_blur(unsigned work)
{
    (void)work;
    make_image(0, GL_READ_ONLY);
    make_image(1, GL_WRITE_ONLY);
    make_program("#version 430\n"
                 "layout(local_size_x = 16, local_size_y = 16) in;\n"
                 "layout(rgba8, binding = 0) readonly uniform image2D from;\n"
                 "layout(rgba8, binding = 1) writeonly uniform image2D to;\n"
                 "void main() {\n"
                 "    ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
                 "    vec4 sum = vec4(0.0);\n"
                 "    for (int y = -1; y <= 1; y++)\n"
                 "        for (int x = -1; x <= 1; x++)\n"
                 "            sum += imageLoad(from, at + ivec2(x, y));\n"
                 "    imageStore(to, at, sum / 9.0);\n"
                 "}\n",
                 IMAGE_SIZE / 16, IMAGE_SIZE / 16);
}
