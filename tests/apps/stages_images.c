/* SPDX-License-Identifier: MIT */
/* Images in compute shaders: loads and stores with formats of all kinds, also out of bounds, and
 * atomics on images of all targets. */
#include "stages.h"

#include <stdio.h>

enum { WIDTH = 29, HEIGHT = 13, LAYERS = 6, WORDS = 1024 };

/* The first pass stores all texels of image 0 and some out of bounds. The second pass loads at
 * other coordinates, inside and outside, and writes the results to the buffer. */
static const char format_text[] =
    "#version 430\n"
    "layout(local_size_x = 7, local_size_y = 5) in;\n"
    "layout(%s, binding = 0) uniform %simage2D image;\n"
    "layout(std430, binding = 1) buffer Out { uvec4 loaded[]; };\n"
    "uniform int pass;\n"
    "#define BITS_u(x) (x)\n"
    "#define BITS_i(x) uvec4(x)\n"
    "#define BITS_(x) floatBitsToUint(x)\n"
    "#define VALUE_u(x) (x >> (x.yzwx >> 27))\n"
    "#define VALUE_i(x) (ivec4(x) >> ivec4(x.yzwx >> 27))\n"
    "#define VALUE_(x) (vec4(ivec4(x)) * vec4(0.6e-9, 1.7e-9, -0.3e-9, 1e-4))\n"
    "void main() {\n"
    "    ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
    "    uint mix = uint(at.y * 64 + at.x + 1) * 2654435761u;\n"
    "    if (pass == 0) {\n"
    "        uvec4 bits = uvec4(mix, mix * 3u, mix * 75u, mix * 40503u);\n"
    "        imageStore(image, at, VALUE_%s(bits));\n"
    "        return;\n"
    "    }\n"
    "    ivec2 size = imageSize(image), from = at + ivec2(mix >> 28, mix >> 24 & 15u) - 5;\n"
    "    if (all(lessThan(at, size)))\n"
    "        loaded[at.y * size.x + at.x] = BITS_%s(imageLoad(image, from));\n"
    "}\n";

/* kind: prefix of the image type: u, i or empty. */
static const struct {
    const char *name, *kind;
    GLenum internal;
} formats[] = {
    {"rgba32f", "", GL_RGBA32F},
    {"rgba16f", "", GL_RGBA16F},
    {"r11f_g11f_b10f", "", GL_R11F_G11F_B10F},
    {"rgba16", "", GL_RGBA16},
    {"rgb10_a2", "", GL_RGB10_A2},
    {"rgba8", "", GL_RGBA8},
    {"r16", "", GL_R16},
    {"rg8_snorm", "", GL_RG8_SNORM},
    {"rgba32ui", "u", GL_RGBA32UI},
    {"rgb10_a2ui", "u", GL_RGB10_A2UI},
    {"r8ui", "u", GL_R8UI},
    {"rgba16i", "i", GL_RGBA16I},
};

static void store_and_load(const char *format, const char *kind, GLenum internal)
{
    char text[sizeof format_text + 100];
    GLuint texture, p, out = stages_make_words(GL_SHADER_STORAGE_BUFFER, 1, WIDTH * HEIGHT * 4);

    snprintf(text, sizeof text, format_text, format, kind, kind, kind);
    p = stages_make_program(&(struct stages_program){.compute = text});
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, internal, WIDTH, HEIGHT);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, internal);
    glUseProgram(p);
    for (int pass = 0; pass < 2; pass++) {
        glUniform1i(glGetUniformLocation(p, "pass"), pass);
        glDispatchCompute(WIDTH / 7 + 1, HEIGHT / 5 + 1, 1);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
    }
    stages_write_buffer(out, WIDTH * HEIGHT * 16);
}

/* Atomics that hit each texel several times, image sizes, and then the texels. The operation on a
 * texel depends only on its coordinates, so the order doesn't matter. */
static const char target_text[] =
    "#version 430\n"
    "layout(local_size_x = 23) in;\n"
    "layout(r32ui, binding = 0) uniform uimage%s image;\n"
    "layout(std430, binding = 1) buffer Out { uint loaded[]; };\n"
    "uniform int pass;\n"
    "void main() {\n"
    "    uint at = gl_GlobalInvocationID.x, mix = at * 2654435761u;\n"
    "    ivec3 size = ivec3(1), from = ivec3(mix >> 20, mix >> 25, mix >> 16) %% ivec3(31, 8, 7);\n"
    "    from *= ivec3(%s);\n"
    "    size.%s = imageSize(image);\n"
    "    if (pass == 0) {\n"
    "        switch ((from.x + from.y) %% 5) {\n"
    "        case 0: imageAtomicAdd(image, from.%s, mix); break;\n"
    "        case 1: imageAtomicMax(image, from.%s, mix); break;\n"
    "        case 2: imageAtomicXor(image, from.%s, mix); break;\n"
    "        case 3: imageAtomicOr(image, from.%s, mix & 0xfff000u); break;\n"
    "        default: imageAtomicCompSwap(image, from.%s, 0u, uint(from.x + from.y * 7));\n"
    "        }\n"
    "    } else {\n"
    "        loaded[at] = imageLoad(image, from.%s).x + uint(size.x + size.y * 100 + size.z * "
    "10000);\n"
    "    }\n"
    "}\n";

static const struct {
    const char *name, *size, *coord; /* components taken from a vector of three */
    const char *used;                /* 1 for each component that coord has */
    GLenum target;
} targets[] = {
    {"1D", "x", "x", "1, 0, 0", GL_TEXTURE_1D},
    {"2D", "xy", "xy", "1, 1, 0", GL_TEXTURE_2D},
    {"3D", "xyz", "xyz", "1, 1, 1", GL_TEXTURE_3D},
    {"Cube", "xy", "yyz", "0, 1, 1", GL_TEXTURE_CUBE_MAP},
    {"2DArray", "xyz", "xyz", "1, 1, 1", GL_TEXTURE_2D_ARRAY},
    {"Buffer", "x", "x", "1, 0, 0", GL_TEXTURE_BUFFER},
};

static void make_texture(GLenum target)
{
    glBindTexture(target, 0);
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    switch (target) {
    case GL_TEXTURE_1D:
        glTexStorage1D(target, 1, GL_R32UI, WIDTH);
        break;
    case GL_TEXTURE_BUFFER:
        glTexBuffer(target, GL_R32UI, stages_make_words(0, 0, WIDTH));
        break;
    case GL_TEXTURE_2D:
        glTexStorage2D(target, 1, GL_R32UI, WIDTH, LAYERS);
        break;
    case GL_TEXTURE_CUBE_MAP:
        glTexStorage2D(target, 1, GL_R32UI, LAYERS, LAYERS);
        break;
    default:
        glTexStorage3D(target, 1, GL_R32UI, WIDTH, LAYERS, LAYERS);
    }
    glBindImageTexture(0, texture, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
}

static void count_in(unsigned i)
{
    char text[sizeof target_text + 200];
    const char *c = targets[i].coord;
    GLuint p, out = stages_make_words(GL_SHADER_STORAGE_BUFFER, 1, WORDS);

    snprintf(text, sizeof text, target_text, targets[i].name, targets[i].used, targets[i].size, c,
             c, c, c, c, c);
    p = stages_make_program(&(struct stages_program){.compute = text});
    make_texture(targets[i].target);
    glUseProgram(p);
    for (int pass = 0; pass < 2; pass++) {
        glUniform1i(glGetUniformLocation(p, "pass"), pass);
        glDispatchCompute(WORDS / 23 + 1, 1, 1);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
    }
    stages_write_buffer(out, WORDS * 4);
}

void stages_images(void)
{
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        store_and_load(formats[i].name, formats[i].kind, formats[i].internal);
    for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++)
        count_in(i);
}
