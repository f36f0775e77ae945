/* SPDX-License-Identifier: MIT */
/*
 * Texture lookups at any coordinates, levels, gradients and offsets, infinite ones and what is no number
 * included, from textures of any target, format and small size: with all texels and the border one, each
 * filter gives one. What is beside the texels is zero, or with INDIUM_DEBUG=guard cannot be touched.
 *
 * usage: test_gl_hostile_texels [COUNT [SEED]]: so many lookups, each by a shader of its own
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
    const char *name;      /* of the sampler's type */
    unsigned functions;    /* bits of enum function */
    uint8_t coords, texel; /* components of coordinates, and where texels are fetched */
    uint8_t dims;          /* of gradients and offsets */
    bool plain;            /* has neither levels nor wrap modes that repeat */
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

/* How ones are given to it, and the first letter of its sampler's type, if there is one. */
struct format {
    GLenum format, external, type;
    char letter;
};

#define COLOR(f)                                                                                   \
    {                                                                                              \
        f, GL_RGBA, GL_FLOAT, 0                                                                    \
    }
#define INTEGER(f)                                                                                 \
    {                                                                                              \
        f, GL_RGBA_INTEGER, GL_INT, 'i'                                                            \
    }
#define NATURAL(f)                                                                                 \
    {                                                                                              \
        f, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 'u'                                                   \
    }
#define DEPTH(f)                                                                                   \
    {                                                                                              \
        f, GL_DEPTH_COMPONENT, GL_FLOAT, 0                                                         \
    }

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

/* The texture, bound and filled; 0: there is none of the format. */
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

/* Coordinates: a plane over the window, in every third pixel or so something odd. */
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

/* What is looked up at c, an expression. */
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

/* Red where one came out, or what is no number, or a texel that is not there: green. A fetch from
 * elsewhere is all zeros, but for alpha. */
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

static int setup(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lookups)};
    count = argc > 1 ? (unsigned)atoi(argv[1]) : count;
    state_of_random = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
