/* SPDX-License-Identifier: MIT */
/* Texture fetches by format, target and filter: bilinear from a 256×256 texture, unless the name
 * says otherwise. */
#include <stdio.h>
#include <stdlib.h>

#include "micro_gl.h"
#include "micro_workloads.h"

#define SIZE                    256
#define LAYERS                  6
#define GL_COMPRESSED_RGBA_DXT1 0x83F1

struct format_case {
    GLenum target;
    GLint internal;
    GLenum format, type;
    const char *sampler, *color; /* GLSL: sampler type; expression that fetches texture t at v */
    GLint min;
};

#define PLAIN  "sampler2D", "texture(t, v * 1.7)", GL_LINEAR
#define MIPMAP "sampler2D", "texture(t, v * 5.7)", GL_LINEAR_MIPMAP_LINEAR
#define TURNED "sampler2D", "texture(t, mat2(4.0, 3.0, -3.0, 4.0) * v)", GL_LINEAR_MIPMAP_LINEAR
#define OFFSETS                                                                                    \
    "sampler2D",                                                                                   \
        "textureOffset(t, v, ivec2(-1, 0)) + textureOffset(t, v, ivec2(0, -1))"                    \
        " + textureOffset(t, v, ivec2(1, 0)) + textureOffset(t, v, ivec2(0, 1))",                  \
        GL_LINEAR
#define SHADOW "sampler2DShadow", "vec4(texture(t, vec3(v * 1.7, 0.5)))", GL_LINEAR
#define ARRAY  "sampler2DArray", "texture(t, vec3(v * 1.7, 2.0))", GL_LINEAR
#define CUBE   "samplerCube", "texture(t, vec3(v * 1.7, 0.9))", GL_LINEAR
#define VOLUME "sampler3D", "texture(t, vec3(v * 1.7, 0.3))", GL_LINEAR

#define D2 GL_TEXTURE_2D

static const struct format_case cases[] = {
    [MICRO_FORMAT_r8] = {D2, GL_R8, GL_RED, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_rg8] = {D2, GL_RG8, GL_RG, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_rgb565] = {D2, GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, PLAIN},
    [MICRO_FORMAT_rgb10a2] = {D2, GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, PLAIN},
    [MICRO_FORMAT_srgb8] = {D2, GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_r32f] = {D2, GL_R32F, GL_RED, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_rgba16f] = {D2, GL_RGBA16F, GL_RGBA, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_rgba32f] = {D2, GL_RGBA32F, GL_RGBA, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_rg11b10f] = {D2, GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_dxt1] = {D2, GL_COMPRESSED_RGBA_DXT1, GL_RGBA, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_rgtc] = {D2, GL_COMPRESSED_RG_RGTC2, GL_RG, GL_UNSIGNED_BYTE, PLAIN},
    [MICRO_FORMAT_dxt1_mipmap] = {D2, GL_COMPRESSED_RGBA_DXT1, GL_RGBA, GL_UNSIGNED_BYTE, MIPMAP},
    [MICRO_FORMAT_rgba16f_mipmap] = {D2, GL_RGBA16F, GL_RGBA, GL_UNSIGNED_BYTE, MIPMAP},
    [MICRO_FORMAT_turned_mipmap] = {D2, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, TURNED},
    [MICRO_FORMAT_offsets] = {D2, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, OFFSETS},
    [MICRO_FORMAT_shadow] = {D2, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, SHADOW},
    [MICRO_FORMAT_array] = {GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, ARRAY},
    [MICRO_FORMAT_cube] = {GL_TEXTURE_CUBE_MAP, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, CUBE},
    [MICRO_FORMAT_3d] = {GL_TEXTURE_3D, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, VOLUME},
};

static void setup(const struct format_case *c)
{
    char fs[300];
    uint8_t *data = malloc(SIZE * SIZE * 4 * LAYERS);
    GLuint texture;

    if (!data)
        micro_fail("texels", "out of memory");
    for (unsigned i = 0; i < SIZE * SIZE * 4 * LAYERS; i++)
        data[i] = (uint8_t)micro_noise(i);
    snprintf(fs, sizeof fs,
             "uniform %s t; varying vec2 v;\n"
             "void main() { gl_FragColor = %s; }",
             c->sampler, c->color);
    micro_fragments("#version 130\n", fs);
    gl.GenTextures(1, &texture);
    gl.BindTexture(c->target, texture);
    for (GLenum face = 0; c->target == GL_TEXTURE_CUBE_MAP && face < LAYERS; face++)
        gl.TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, c->internal, SIZE, SIZE, 0,
                      c->format, c->type, data);
    if (c->target == GL_TEXTURE_2D)
        gl.TexImage2D(c->target, 0, c->internal, SIZE, SIZE, 0, c->format, c->type, data);
    else if (c->target != GL_TEXTURE_CUBE_MAP)
        gl.TexImage3D(c->target, 0, c->internal, SIZE, SIZE, LAYERS, 0, c->format, c->type, data);
    if (c->min == GL_LINEAR_MIPMAP_LINEAR)
        gl.GenerateMipmap(c->target);
    if (c->format == GL_DEPTH_COMPONENT)
        gl.TexParameteri(c->target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    gl.TexParameteri(c->target, GL_TEXTURE_MIN_FILTER, c->min);
    gl.TexParameteri(c->target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    free(data);
}

#define SETUP(id, name)                                                                            \
    void micro_setup_##id(unsigned work)                                                           \
    {                                                                                              \
        (void)work;                                                                                \
        setup(&cases[MICRO_FORMAT_##id]);                                                          \
    }
MICRO_FORMATS(SETUP)
