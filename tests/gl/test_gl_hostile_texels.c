/* SPDX-License-Identifier: MIT */
/*
 * Texture lookups with arbitrary coordinates, levels, gradients and offsets, including infinity and
 * NaN, in small textures of any target and format. If all texels and the border are one, every
 * filter returns one. Memory outside the texels is zero, or with INDIUM_DEBUG=guard inaccessible.
 *
 * usage: test_gl_hostile_texels [COUNT [SEED]]
 * COUNT: number of lookups, each with its own shader, and of images.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"
#include "util/macros.h"

#define SIZE 32

static const struct gl_test_window window = {SIZE, SIZE};
static unsigned count = 150;
static uint64_t state_of_random = 1;

static unsigned below(unsigned range)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state_of_random >> 33) % range);
}

#define ANY(array) (array)[below(ARRAY_SIZE(array))]

/* --- targets, formats, functions --- */

enum function { PLAIN, LOD, GRAD, OFFSET, PROJ, FETCH, GATHER, SHADOW, FUNCTIONS };

#define BIT(f) (1u << (f))
#define LEVELS (BIT(PLAIN) | BIT(LOD) | BIT(GRAD))

static const struct target {
    GLenum target;
    const char *name;      /* sampler type */
    unsigned functions;    /* bit mask of enum function */
    uint8_t coords, texel; /* components of the coordinates, and of those of texel fetches */
    uint8_t dims;          /* components of gradients and offsets */
    bool plain;            /* without mipmap levels and repeating wrap modes */
} targets[] = {
    {GL_TEXTURE_1D, "1D", LEVELS | BIT(OFFSET) | BIT(FETCH), 1, 1, 1},
    {GL_TEXTURE_2D, "2D", LEVELS | BIT(OFFSET) | BIT(PROJ) | BIT(FETCH) | BIT(GATHER) | BIT(SHADOW),
     2, 2, 2},
    {GL_TEXTURE_3D, "3D", LEVELS | BIT(OFFSET) | BIT(PROJ) | BIT(FETCH), 3, 3, 3},
    {GL_TEXTURE_CUBE_MAP, "Cube", LEVELS | BIT(GATHER) | BIT(SHADOW), 3, 0, 3},
    {GL_TEXTURE_1D_ARRAY, "1DArray", LEVELS | BIT(OFFSET) | BIT(FETCH), 2, 2, 1},
    {GL_TEXTURE_2D_ARRAY, "2DArray", LEVELS | BIT(OFFSET) | BIT(FETCH) | BIT(GATHER) | BIT(SHADOW),
     3, 3, 2},
    {GL_TEXTURE_CUBE_MAP_ARRAY, "CubeArray", LEVELS | BIT(GATHER), 4, 0, 3},
    {GL_TEXTURE_RECTANGLE, "2DRect",
     BIT(PLAIN) | BIT(GRAD) | BIT(OFFSET) | BIT(FETCH) | BIT(GATHER), 2, 2, 2, true},
    {GL_TEXTURE_2D_MULTISAMPLE, "2DMS", BIT(FETCH), 0, 2, 0, true},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, "2DMSArray", BIT(FETCH), 0, 3, 0, true},
};

/* How to upload ones in a format, and the prefix of its sampler type, if any. */
struct format {
    GLenum format, external, type;
    char letter;
};

#define COLOR(f)   {f, GL_RGBA, GL_FLOAT, 0}
#define INTEGER(f) {f, GL_RGBA_INTEGER, GL_INT, 'i'}
#define NATURAL(f) {f, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 'u'}
#define DEPTH(f)   {f, GL_DEPTH_COMPONENT, GL_FLOAT, 0}

static const struct format formats[] = {
    COLOR(GL_R8),
    COLOR(GL_RG8),
    COLOR(GL_RGB8),
    COLOR(GL_RGBA8),
    COLOR(GL_RGBA8),
    COLOR(GL_SRGB8_ALPHA8),
    COLOR(GL_RGB565),
    COLOR(GL_RGBA4),
    COLOR(GL_RGB5_A1),
    COLOR(GL_RGB10_A2),
    COLOR(GL_R11F_G11F_B10F),
    COLOR(GL_RGB9_E5),
    COLOR(GL_R16),
    COLOR(GL_RG16),
    COLOR(GL_RGBA16),
    COLOR(GL_R16F),
    COLOR(GL_RG16F),
    COLOR(GL_RGB16F),
    COLOR(GL_RGBA16F),
    COLOR(GL_R32F),
    COLOR(GL_RG32F),
    COLOR(GL_RGB32F),
    COLOR(GL_RGBA32F),
    COLOR(GL_R8_SNORM),
    COLOR(GL_RG8_SNORM),
    COLOR(GL_RGBA8_SNORM),
    COLOR(GL_RGBA16_SNORM),
    INTEGER(GL_R8I),
    INTEGER(GL_RG16I),
    INTEGER(GL_RGB8I),
    INTEGER(GL_RGBA32I),
    NATURAL(GL_R8UI),
    NATURAL(GL_R16UI),
    NATURAL(GL_RGB32UI),
    NATURAL(GL_RGBA8UI),
    DEPTH(GL_DEPTH_COMPONENT16),
    DEPTH(GL_DEPTH_COMPONENT24),
    DEPTH(GL_DEPTH_COMPONENT32F),
    DEPTH(GL_DEPTH24_STENCIL8),
};

static bool is_depth(const struct format *f)
{
    return f->external == GL_DEPTH_COMPONENT;
}

/* --- textures of ones --- */

static const GLuint integer_ones[4] = {1, 1, 1, 1};
static const GLfloat ones[4] = {1, 1, 1, 1};

static const void *one_texel(const struct format *f)
{
    return f->type == GL_FLOAT ? (const void *)ones : integer_ones;
}

static void fill(GLuint t, const struct format *f, GLsizei levels)
{
    GLenum external = f->format == GL_DEPTH24_STENCIL8 ? GL_DEPTH_STENCIL : f->external;
    static const GLuint depth_stencil = 0xffffff01;
    for (GLint level = 0; level < levels; level++) {
        if (external == GL_DEPTH_STENCIL)
            glClearTexImage(t, level, external, GL_UNSIGNED_INT_24_8, &depth_stencil);
        else
            glClearTexImage(t, level, f->external, f->type, one_texel(f));
    }
}

static GLsizei any_size(void)
{
    return below(8) ? 1 + (GLsizei)below(9) : 1 + (GLsizei)below(130);
}

/* Creates, binds and fills the texture. Returns 0 if the target doesn't support the format. */
static GLuint make_texture(const struct target *target, const struct format *f)
{
    GLsizei width = any_size(), height = any_size(), depth = 1 + (GLsizei)below(5), levels = 1;
    GLenum t = target->target;
    GLuint name;
    if (t == GL_TEXTURE_CUBE_MAP || t == GL_TEXTURE_CUBE_MAP_ARRAY)
        height = width;
    if (!target->plain)
        while (below(3) && (width >> levels ||
                            (t != GL_TEXTURE_1D && t != GL_TEXTURE_1D_ARRAY && height >> levels)))
            levels++;
    glGenTextures(1, &name);
    glBindTexture(t, name);
    if (t == GL_TEXTURE_1D)
        glTexStorage1D(t, levels, f->format, width);
    else if (t == GL_TEXTURE_2D_MULTISAMPLE)
        glTexStorage2DMultisample(t, 4, f->format, width, height, GL_TRUE);
    else if (t == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
        glTexStorage3DMultisample(t, 4, f->format, width, height, depth, GL_TRUE);
    else if (t == GL_TEXTURE_3D || t == GL_TEXTURE_2D_ARRAY)
        glTexStorage3D(t, levels, f->format, width, height, depth);
    else if (t == GL_TEXTURE_CUBE_MAP_ARRAY)
        glTexStorage3D(t, levels, f->format, width, height, 6 * (1 + depth % 2));
    else
        glTexStorage2D(t, levels, f->format, width, t == GL_TEXTURE_1D_ARRAY ? depth : height);
    if (!glGetError()) {
        fill(name, f, levels);
        return name;
    }
    glDeleteTextures(1, &name);
    return 0;
}

static const GLfloat odd[] = {0,    1,      -1,       0.5f,      3.5f, -7.25f, 100,     -1e5f,
                              1e9f, -1e30f, INFINITY, -INFINITY, NAN,  1e-30f, 0x1p24f, -0x1p31f};

static void set_sampling(const struct target *target, bool nearest)
{
    static const GLint wraps[] = {GL_REPEAT,          GL_CLAMP_TO_EDGE,        GL_CLAMP_TO_BORDER,
                                  GL_MIRRORED_REPEAT, GL_MIRROR_CLAMP_TO_EDGE, GL_CLAMP};
    static const GLint far_wraps[] = {GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_CLAMP};
    static const GLint mins[] = {GL_NEAREST,
                                 GL_NEAREST_MIPMAP_NEAREST,
                                 GL_LINEAR,
                                 GL_LINEAR_MIPMAP_NEAREST,
                                 GL_NEAREST_MIPMAP_LINEAR,
                                 GL_LINEAR_MIPMAP_LINEAR};
    static const GLenum axes[] = {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R};
    GLenum t = target->target;
    if (!target->coords)
        return;
    for (unsigned i = 0; i < 3; i++)
        glTexParameteri(t, axes[i], target->plain ? ANY(far_wraps) : ANY(wraps));
    glTexParameteri(t, GL_TEXTURE_MAG_FILTER, nearest || below(2) ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(t, GL_TEXTURE_MIN_FILTER,
                    target->plain ? mins[nearest ? 0 : 2 * below(2)]
                                  : mins[below(nearest ? 2 : 6)]);
    if (nearest)
        glTexParameterIuiv(t, GL_TEXTURE_BORDER_COLOR, integer_ones);
    else
        glTexParameterfv(t, GL_TEXTURE_BORDER_COLOR, ones);
    if (target->plain)
        return;
    glTexParameteri(t, GL_TEXTURE_BASE_LEVEL, (GLint)below(4));
    glTexParameteri(t, GL_TEXTURE_MAX_LEVEL, below(3) ? 1000 : (GLint)below(4));
    glTexParameterf(t, GL_TEXTURE_MIN_LOD, below(3) ? -1000 : ANY(odd));
    glTexParameterf(t, GL_TEXTURE_LOD_BIAS, below(3) ? 0 : ANY(odd));
    if (!below(4))
        glTexParameterf(t, GL_TEXTURE_MAX_ANISOTROPY, (GLfloat)(1 + below(16)));
}

/* --- shaders --- */

/* Coordinates: a plane over the window, with an unusual value in about every third pixel. */
static const char head[] =
    "#version 450 compatibility\n"
    "uniform vec4 odd[16]; uniform mat4 plane; layout(location = 0) out vec4 color;\n"
    "vec4 odd_at(vec2 p, int n) { ivec2 i = ivec2(p);\n"
    "  return odd[(i.x * 7 + i.y * 3 + i.x * i.y + n) & 15]; }\n"
    "bool is_odd(vec2 p) { ivec2 i = ivec2(p); return (i.x * 5 + i.y * 11) % int(plane[3].w) == 0; "
    "}\n";

static const char *swizzles[] = {"", "x", "xy", "xyz", "xyzw"};
static const char *floats[] = {"", "float", "vec2", "vec3", "vec4"};
static const char *ints[] = {"", "int", "ivec2", "ivec3", "ivec4"};

static const char *offset_of(unsigned dims)
{
    return dims == 1 ? "-8" : dims == 2 ? "ivec2(7, -8)" : "ivec3(-3, 7, 5)";
}

/* Writes the lookup at c as a GLSL expression. */
static void make_lookup(char *text, size_t size, const struct target *t, enum function function)
{
    const char *c = swizzles[t->coords], *d = swizzles[t->dims], *i = ints[t->texel];
    switch (function) {
    case LOD:
        snprintf(text, size, "textureLod(s, c.%s, odd_at(p, 5).y)", c);
        break;
    case GRAD:
        snprintf(text, size, "textureGrad(s, c.%s, odd_at(p, 1).%s, odd_at(p, 2).%s)", c, d, d);
        break;
    case OFFSET:
        snprintf(text, size, "textureOffset(s, c.%s, %s)", c, offset_of(t->dims));
        break;
    case PROJ:
        snprintf(text, size, "textureProj(s, %s(c.%s, odd_at(p, 3).x))", floats[t->coords + 1], c);
        break;
    case GATHER:
        snprintf(text, size, "textureGather(s, c.%s)", c);
        break;
    case SHADOW:
        snprintf(text, size, "vec4(texture(s, %s(c.%s, 1.0)))", floats[t->coords + 1], c);
        break;
    case FETCH:
        if (!strcmp(t->name, "2DRect"))
            snprintf(text, size, "texelFetch(s, %s(c.%s * 8.0))", i, swizzles[t->texel]);
        else
            snprintf(text, size, "texelFetch(s, %s(c.%s * 8.0), int(c.w * 3.0))", i,
                     swizzles[t->texel]);
        break;
    default:
        snprintf(text, size, "texture(s, c.%s)", c);
        break;
    }
}

/* Returns a program that draws green if the result is one, NaN or a texel outside the image,
 * otherwise red. A fetch from outside returns zeros, except for alpha. */
static GLuint make_program(const struct target *t, const struct format *f, enum function function)
{
    static const char vs[] = "#version 450 compatibility\nvoid main() { gl_Position = gl_Vertex; }";
    char lookup[200], fs[3000], letter[2] = {f->letter, 0};
    make_lookup(lookup, sizeof lookup, t, function);
    snprintf(fs, sizeof fs,
             "%suniform %ssampler%s%s s;\n"
             "void main() { vec2 p = gl_FragCoord.xy;\n"
             "vec4 c = plane * vec4(p / 32.0, p.x - p.y, 1.0);\n"
             "if (is_odd(p)) c = odd_at(p, 0);\n"
             "vec4 v = vec4(%s);\n"
             "bool wrong = (v.x < 0.99 || v.x > 1.01)%s;\n"
             "color = wrong ? vec4(1, v.xy, 1) : vec4(0, 1, 0, 1); }",
             head, letter, t->name, function == SHADOW ? "Shadow" : "", lookup,
             function == FETCH ? " && v.x != 0.0" : "");
    return gl_test_program(vs, fs);
}

static void set_coordinates(GLuint program)
{
    GLfloat plane[16], value[64];
    for (unsigned i = 0; i < 16; i++)
        plane[i] = ((GLfloat)below(200) - 100) / (below(2) ? 10.0f : 100.0f);
    plane[15] = (GLfloat)(1 + below(40));
    for (unsigned i = 0; i < 64; i++)
        value[i] = ANY(odd);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "plane"), 1, GL_FALSE, plane);
    glUniform4fv(glGetUniformLocation(program, "odd"), 16, value);
}

/* --- running --- */

static void draw_and_check(const char *what)
{
    static GLubyte pixels[SIZE * SIZE][4];
    glRectf(-1, -1, 1, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        if (pixels[i][0])
            fail_msg("%s: pixel %u,%u: %u %u", what, i % SIZE, i / SIZE, pixels[i][1],
                     pixels[i][2]);
}

static void look_up_somewhere(void)
{
    static const char *const names[FUNCTIONS] = {"texture",       "textureLod",  "textureGrad",
                                                 "textureOffset", "textureProj", "texelFetch",
                                                 "textureGather", "shadow"};
    uint64_t seed = state_of_random;
    const struct target *t = &targets[below(ARRAY_SIZE(targets))];
    const struct format *f = &formats[below(ARRAY_SIZE(formats))];
    enum function function = below(FUNCTIONS);
    char what[200];
    if (!(t->functions & BIT(function)) || (function == SHADOW && !is_depth(f)))
        return;
    snprintf(what, sizeof what, "%s of %s, format 0x%x, seed %llu", names[function], t->name,
             f->format, (unsigned long long)seed);
    GLuint texture = make_texture(t, f);
    if (!texture)
        return;
    set_sampling(t, f->letter != 0);
    if (function == SHADOW)
        glTexParameteri(t->target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    GLuint program = make_program(t, f, function);
    set_coordinates(program);
    draw_and_check(what);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteTextures(1, &texture);
}

static void test_lookups(void **state)
{
    for (unsigned i = 0; i < count; i++)
        look_up_somewhere();
}

/* --- images whose format differs from the texture's or changes --- */

static const struct image_format {
    GLenum format;
    const char *layout;
    const char *type; /* type of the image and of its texels */
    const char *texel;
} image_formats[] = {
    {GL_R8, "r8", "image", "vec4"},           {GL_R8UI, "r8ui", "uimage", "uvec4"},
    {GL_RG16F, "rg16f", "image", "vec4"},     {GL_RGBA8, "rgba8", "image", "vec4"},
    {GL_R32UI, "r32ui", "uimage", "uvec4"},   {GL_RGBA16F, "rgba16f", "image", "vec4"},
    {GL_RGBA32F, "rgba32f", "image", "vec4"}, {GL_RGBA32I, "rgba32i", "iimage", "ivec4"},
};

/* Returns a program that reads and writes 32 × 32 texels around a corner of the image, and far
 * outside. */
static GLuint make_image_program(const struct image_format *f)
{
    char text[1000];
    snprintf(text, sizeof text,
             "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\n"
             "layout(%s) uniform %s2D i;\n"
             "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy) - 8;\n"
             "imageStore(i, p, imageLoad(i, p + 1) + %s(1));\n"
             "imageStore(i, p * 0x1001001, %s(2)); imageStore(i, -p * 4096, %s(3)); }",
             f->layout, f->type, f->texel, f->texel, f->texel);
    GLuint program = glCreateProgram();
    gl_test_attach(program, GL_COMPUTE_SHADER, text);
    gl_test_link(program);
    return program;
}

/* Binds a texture as an image of another format, then makes it smaller and changes its format
 * before use. */
static void test_image_formats(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(image_formats); i++) {
        GLuint program = make_image_program(&image_formats[i]), texture;
        glUseProgram(program);
        for (unsigned k = 0; k < count / ARRAY_SIZE(image_formats); k++) {
            const struct format *from = &ANY(formats), *to = &ANY(formats);
            glGenTextures(1, &texture);
            glBindTexture(GL_TEXTURE_2D, texture);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexImage2D(GL_TEXTURE_2D, 0, (GLint)from->format, 40, 9, 0, from->external,
                         from->format == GL_DEPTH24_STENCIL8 ? GL_UNSIGNED_INT : from->type, NULL);
            glBindImageTexture(0, texture, (GLint)below(2), below(2), (GLint)below(3),
                               GL_READ_WRITE, image_formats[i].format);
            glDispatchCompute(4, 4, 1);
            glTexImage2D(GL_TEXTURE_2D, (GLint)below(2), (GLint)to->format, any_size(), any_size(),
                         0, to->external,
                         to->format == GL_DEPTH24_STENCIL8 ? GL_UNSIGNED_INT : to->type, NULL);
            glDispatchCompute(4, 4, 1);
            glFinish();
            glDeleteTextures(1, &texture);
        }
        glUseProgram(0);
        glDeleteProgram(program);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Like test_image_formats, for buffer textures, whose buffers shrink. */
static void test_image_buffers(void **state)
{
    static const char cs[] =
        "#version 450\nlayout(local_size_x = 64) in; layout(rgba32f) uniform imageBuffer i;\n"
        "uniform samplerBuffer s; uniform int at;\n"
        "void main() { int p = int(gl_GlobalInvocationID.x) * 7 - 32 + at;\n"
        "imageStore(i, p, texelFetch(s, p - 1) + imageLoad(i, -p) + texelFetch(s, p * at)); }";
    static const GLenum internal[] = {GL_RGBA32F, GL_R8, GL_RG16F, GL_RGB32F};
    GLuint program = glCreateProgram(), buffer, texture[2];
    gl_test_attach(program, GL_COMPUTE_SHADER, cs);
    gl_test_link(program);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "s"), 0);
    glGenBuffers(1, &buffer);
    glGenTextures(2, texture);
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    for (unsigned i = 0; i < 60; i++) {
        GLsizeiptr size = 1 + (GLsizeiptr)below(3000), offset = 64 * (GLsizeiptr)below(20);
        glBufferData(GL_TEXTURE_BUFFER, size + offset, NULL, GL_STATIC_DRAW);
        glBindTexture(GL_TEXTURE_BUFFER, texture[0]);
        glTexBufferRange(GL_TEXTURE_BUFFER, ANY(internal), buffer, offset, size);
        glBindTexture(GL_TEXTURE_BUFFER, texture[1]);
        glTexBuffer(GL_TEXTURE_BUFFER, ANY(internal), buffer);
        glBindTexture(GL_TEXTURE_BUFFER, texture[below(2)]);
        glBindImageTexture(0, texture[below(2)], 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
        glUniform1i(glGetUniformLocation(program, "at"),
                    (GLint)(below(2) ? below(100) : 0x7fffff00));
        if (below(2))
            glBufferData(GL_TEXTURE_BUFFER, 1 + below(300), NULL, GL_STATIC_DRAW);
        glDispatchCompute(2, 1, 1);
        glFinish();
    }
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(2, texture);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static int setup(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lookups),
        cmocka_unit_test(test_image_formats),
        cmocka_unit_test(test_image_buffers),
    };
    count = argc > 1 ? (unsigned)atoi(argv[1]) : count;
    state_of_random = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
