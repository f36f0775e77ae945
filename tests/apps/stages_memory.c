/* SPDX-License-Identifier: MIT */
/* Effects of draws on memory that don't depend on their order. */
#include "stages.h"

#define MEMORY                                                                                     \
    "#version 330\n"                                                                               \
    "#extension GL_ARB_shader_storage_buffer_object: require\n"                                    \
    "#extension GL_ARB_shader_atomic_counters: require\n"                                          \
    "#extension GL_ARB_shader_image_load_store: require\n"                                         \
    "#extension GL_ARB_shading_language_420pack: require\n"

enum { MEMORY_TRIANGLES = 301, BUCKETS = 61 };

/* Vertices count themselves by position. */
static const char memory_vertex[] =
    MEMORY "layout(location = 0) in vec4 place;\n"
           "layout(std430, binding = 0) buffer Vertices { uint quarter[4], times[]; };\n"
           "flat out uint key;\n"
           "out vec3 color;\n"
           "void main() {\n"
           "    vec2 p = place.xy * 2.4 - 1.2;\n"
           "    atomicAdd(quarter[int(p.x > 0.0) + 2 * int(p.y > 0.0)], 1u);\n"
           "    atomicAdd(times[gl_VertexID], 1u);\n"
           "    gl_Position = vec4(p, place.z, 1);\n"
           "    color = place.zwx;\n"
           "    key = uint(gl_VertexID);\n"
           "}\n";

/* Keeps the nearest fragment of each pixel, and a histogram of all fragments that are not
 * discarded. */
static const char memory_fragment[] =
    MEMORY "flat in uint key;\n"
           "in vec3 color;\n"
           "layout(std430, binding = 1) buffer Buckets { uint sum[61], most[61]; };\n"
           "layout(binding = 3, offset = 8) uniform atomic_uint fragments;\n"
           "layout(r32ui, binding = 4) uniform uimage2D nearest;\n"
           "layout(r32i, binding = 5) uniform iimageBuffer rows;\n"
           "void main() {\n"
           "    if (fract(color.x * 17.0) > 0.8) discard;\n"
           "    uint depth = uint(gl_FragCoord.z * 4095.0), b = key % 61u;\n"
           "    atomicAdd(sum[b], depth);\n"
           "    atomicMax(most[b], depth);\n"
           "    atomicCounterIncrement(fragments);\n"
           "    uvec3 c = uvec3(color * 63.0);\n"
           "    imageAtomicMax(nearest, ivec2(gl_FragCoord.xy), depth << 20 | c.r << 12 | c.g << 6 "
           "| c.b);\n"
           "    imageAtomicXor(rows, int(gl_FragCoord.y), int(key * 2654435761u));\n"
           "}\n";

static const char show_vertex[] = MEMORY
    "void main() { gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1); }";
static const char show_fragment[] = MEMORY
    "layout(r32ui, binding = 4) readonly uniform uimage2D nearest;\n"
    "layout(rgba8, binding = 6) writeonly uniform image2D copy;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    ivec2 p = ivec2(gl_FragCoord.xy);\n"
    "    uint v = imageLoad(nearest, p).x;\n"
    "    result = vec4(v >> 12 & 63u, v >> 6 & 63u, v & 63u, v >> 24) / vec4(63, 63, 63, 255);\n"
    "    imageStore(copy, p.yx, result.bgra * 1.1);\n"
    "}\n";

void stages_memory(void)
{
    static unsigned char pixels[STAGES_SIZE * STAGES_SIZE * 4];
    GLuint picture = stages_make_framebuffer(1), rows;
    GLuint vertices = stages_make_words(GL_SHADER_STORAGE_BUFFER, 0, 4 + 3 * MEMORY_TRIANGLES);
    GLuint buckets = stages_make_words(GL_SHADER_STORAGE_BUFFER, 1, 2 * BUCKETS);
    GLuint counter = stages_make_words(GL_ATOMIC_COUNTER_BUFFER, 3, 4),
           row = stages_make_words(0, 0, STAGES_SIZE);

    stages_make_plain_image(4, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT);
    glGenTextures(1, &rows);
    glBindTexture(GL_TEXTURE_BUFFER, rows);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32I, row);
    glBindImageTexture(5, rows, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32I);
    GLuint copy = stages_make_plain_image(6, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE);
    stages_set_attribute(0, stages_make_buffer(3 * MEMORY_TRIANGLES, true), 0);
    glUseProgram(
        stages_make_program(&(struct stages_program){memory_vertex, .fragment = memory_fragment}));
    glDrawArrays(GL_TRIANGLES, 0, 3 * MEMORY_TRIANGLES);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glUseProgram(
        stages_make_program(&(struct stages_program){show_vertex, .fragment = show_fragment}));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    stages_write_layers(picture, 1);
    glBindTexture(GL_TEXTURE_2D, copy);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    stages_write_frame(STAGES_SIZE, STAGES_SIZE, pixels);
    stages_write_buffer(vertices, (4 + 3 * MEMORY_TRIANGLES) * 4);
    stages_write_buffer(buckets, 2 * BUCKETS * 4);
    stages_write_buffer(counter, 16);
    stages_write_buffer(row, STAGES_SIZE * 4);
}
