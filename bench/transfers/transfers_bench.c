/* SPDX-License-Identifier: MIT */
/*
 * Measures pixel transfers with whichever libEGL.so.1 the loader finds, off-screen:
 *
 *     transfers-bench                 prints the names of all transfers
 *     transfers-bench SECONDS NAME…   measures each for SECONDS of CPU time and prints a line with
 *                                     wall-clock and CPU milliseconds per call, and the name; -1 if
 *                                     the driver rejects the transfer
 *
 * A name is KIND:SIZE:FORMATS. The matrix of formats is generated from the tables below.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "transfers_gl.h"

static struct transfers_gl gl;

#define MAX_WIDTH  1920
#define MAX_HEIGHT 1080
#define COUNT(a)   (sizeof(a) / sizeof(a)[0])
#define CHUNKS     6 /* number of chunks into which the measured calls are divided */

enum class { COLOR, INTEGER, DEPTH, STENCIL, DEPTH_STENCIL };

/* Internal formats. own_format and own_type: client pixels of the same representation. */
static const struct internal {
    const char *name;
    GLenum format, own_format, own_type;
    enum class class;
    bool renderable, filterable, compressed;
} internals[] = {
    {"RGBA8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, COLOR, true, true, false},
    {"RGB8", GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, COLOR, true, true, false},
    {"RG8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, COLOR, true, true, false},
    {"R8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, COLOR, true, true, false},
    {"SRGB8_A8", GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, COLOR, true, true, false},
    {"RGBA8_SNORM", GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, COLOR, false, true, false},
    {"RGB5", GL_RGB5, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, COLOR, true, true, false},
    {"RGB565", GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, COLOR, true, true, false},
    {"RGB5_A1", GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, COLOR, true, true, false},
    {"RGBA4", GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, COLOR, true, true, false},
    {"RGB10_A2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, COLOR, true, true, false},
    {"RGBA16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, COLOR, true, true, false},
    {"R16", GL_R16, GL_RED, GL_UNSIGNED_SHORT, COLOR, true, true, false},
    {"RGBA16F", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, COLOR, true, true, false},
    {"RGB16F", GL_RGB16F, GL_RGB, GL_HALF_FLOAT, COLOR, true, true, false},
    {"R16F", GL_R16F, GL_RED, GL_HALF_FLOAT, COLOR, true, true, false},
    {"RGBA32F", GL_RGBA32F, GL_RGBA, GL_FLOAT, COLOR, true, true, false},
    {"RGB32F", GL_RGB32F, GL_RGB, GL_FLOAT, COLOR, true, true, false},
    {"R32F", GL_R32F, GL_RED, GL_FLOAT, COLOR, true, true, false},
    {"R11G11B10F", GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, COLOR, true, true,
     false},
    {"RGB9E5", GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, COLOR, false, true, false},
    {"ALPHA8", GL_ALPHA8, GL_ALPHA, GL_UNSIGNED_BYTE, COLOR, false, true, false},
    {"LUMINANCE8", GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, COLOR, false, true, false},
    {"LUMINANCE8_ALPHA8", GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, COLOR, false,
     true, false},
    {"INTENSITY8", GL_INTENSITY8, GL_RED, GL_UNSIGNED_BYTE, COLOR, false, true, false},
    {"LUMINANCE16F", GL_LUMINANCE16F_ARB, GL_LUMINANCE, GL_HALF_FLOAT, COLOR, false, true, false},
    {"RGBA8UI", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, INTEGER, true, false, false},
    {"R16I", GL_R16I, GL_RED_INTEGER, GL_SHORT, INTEGER, true, false, false},
    {"RGBA32UI", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, INTEGER, true, false, false},
    {"DEPTH16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, DEPTH, true, true,
     false},
    {"DEPTH24", GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, DEPTH, true, true,
     false},
    {"DEPTH32F", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, DEPTH, true, true, false},
    {"DEPTH24_STENCIL8", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, DEPTH_STENCIL,
     true, false, false},
    {"DEPTH32F_STENCIL8", GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV,
     DEPTH_STENCIL, true, false, false},
    {"R8_SNORM", GL_R8_SNORM, GL_RED, GL_BYTE, COLOR, false, true, false},
    {"RGBA16_SNORM", GL_RGBA16_SNORM, GL_RGBA, GL_SHORT, COLOR, false, true, false},
    {"INTENSITY16", GL_INTENSITY16, GL_RED, GL_UNSIGNED_SHORT, COLOR, false, true, false},
    {"RGB10", GL_RGB10, GL_RGB, GL_UNSIGNED_SHORT, COLOR, true, true, false},
    {"RGB332", GL_R3_G3_B2, GL_RGB, GL_UNSIGNED_BYTE_3_3_2, COLOR, true, true, false},
    {"SLUMINANCE8", GL_SLUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, COLOR, false, true, false},
    {"RG16I", GL_RG16I, GL_RG_INTEGER, GL_SHORT, INTEGER, true, false, false},
    {"RGB10_A2UI", GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, INTEGER, true,
     false, false},
    {"SRGB_DXT5", GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, GL_RGBA, GL_UNSIGNED_BYTE, COLOR, false,
     true, true},
    {"ETC2", GL_COMPRESSED_RGBA8_ETC2_EAC, GL_RGBA, GL_UNSIGNED_BYTE, COLOR, false, true, true},
    {"DXT1", GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_RGB, GL_UNSIGNED_BYTE, COLOR, false, true, true},
    {"DXT5", GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_RGBA, GL_UNSIGNED_BYTE, COLOR, false, true, true},
    {"RGTC1", GL_COMPRESSED_RED_RGTC1, GL_RED, GL_UNSIGNED_BYTE, COLOR, false, true, true},
    {"RGTC2", GL_COMPRESSED_RG_RGTC2, GL_RG, GL_UNSIGNED_BYTE, COLOR, false, true, true},
    {"BPTC", GL_COMPRESSED_RGBA_BPTC_UNORM, GL_RGBA, GL_UNSIGNED_BYTE, COLOR, false, true, true},
    {"BPTC_FLOAT", GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, GL_RGB, GL_FLOAT, COLOR, false, true,
     true},
};

struct client_format {
    const char *name;
    GLenum format;
    unsigned components;
    enum class class;
};
static const struct client_format client_formats[] = {
    {"RED", GL_RED, 1, COLOR},
    {"RG", GL_RG, 2, COLOR},
    {"RGB", GL_RGB, 3, COLOR},
    {"BGR", GL_BGR, 3, COLOR},
    {"RGBA", GL_RGBA, 4, COLOR},
    {"BGRA", GL_BGRA, 4, COLOR},
    {"ALPHA", GL_ALPHA, 1, COLOR},
    {"ABGR", GL_ABGR_EXT, 4, COLOR},
    {"LUMINANCE", GL_LUMINANCE, 1, COLOR},
    {"LUMINANCE_ALPHA", GL_LUMINANCE_ALPHA, 2, COLOR},
    {"RED_INTEGER", GL_RED_INTEGER, 1, INTEGER},
    {"RGB_INTEGER", GL_RGB_INTEGER, 3, INTEGER},
    {"RGBA_INTEGER", GL_RGBA_INTEGER, 4, INTEGER},
    {"DEPTH", GL_DEPTH_COMPONENT, 1, DEPTH},
    {"STENCIL", GL_STENCIL_INDEX, 1, STENCIL},
    {"DEPTH_STENCIL", GL_DEPTH_STENCIL, 1, DEPTH_STENCIL},
};

/* packed: components of a packed type; 0: an array of components */
struct client_type {
    const char *name;
    GLenum type;
    unsigned packed;
};
static const struct client_type client_types[] = {
    {"ubyte", GL_UNSIGNED_BYTE, 0},
    {"byte", GL_BYTE, 0},
    {"ushort", GL_UNSIGNED_SHORT, 0},
    {"short", GL_SHORT, 0},
    {"uint", GL_UNSIGNED_INT, 0},
    {"int", GL_INT, 0},
    {"half", GL_HALF_FLOAT, 0},
    {"float", GL_FLOAT, 0},
    {"565", GL_UNSIGNED_SHORT_5_6_5, 3},
    {"332", GL_UNSIGNED_BYTE_3_3_2, 3},
    {"565_rev", GL_UNSIGNED_SHORT_5_6_5_REV, 3},
    {"233_rev", GL_UNSIGNED_BYTE_2_3_3_REV, 3},
    {"4444_rev", GL_UNSIGNED_SHORT_4_4_4_4_REV, 4},
    {"10_10_10_2", GL_UNSIGNED_INT_10_10_10_2, 4},
    {"4444", GL_UNSIGNED_SHORT_4_4_4_4, 4},
    {"5551", GL_UNSIGNED_SHORT_5_5_5_1, 4},
    {"1555_rev", GL_UNSIGNED_SHORT_1_5_5_5_REV, 4},
    {"8888", GL_UNSIGNED_INT_8_8_8_8, 4},
    {"8888_rev", GL_UNSIGNED_INT_8_8_8_8_REV, 4},
    {"2_10_10_10_rev", GL_UNSIGNED_INT_2_10_10_10_REV, 4},
    {"10f_11f_11f", GL_UNSIGNED_INT_10F_11F_11F_REV, 3},
    {"5_9_9_9", GL_UNSIGNED_INT_5_9_9_9_REV, 3},
    {"24_8", GL_UNSIGNED_INT_24_8, 1},
    {"32f_24_8", GL_FLOAT_32_UNSIGNED_INT_24_8_REV, 1},
};

enum kind {
    UPLOAD,
    READ,
    GET,
    COPY_TEX,
    BLIT,
    RESOLVE,
    MIPMAP,
    DRAW_PIXELS,
    COPY_PIXELS,
    BITMAP,
    COPY_IMAGE,
    CLEAR_TEX,
    CLEAR_BUFFER,
    KINDS,
};
static const char *const kind_names[KINDS] = {
    [UPLOAD] = "upload",
    [READ] = "read",
    [GET] = "get",
    [COPY_TEX] = "copy-tex",
    [BLIT] = "blit",
    [RESOLVE] = "resolve",
    [MIPMAP] = "mipmap",
    [DRAW_PIXELS] = "draw",
    [COPY_PIXELS] = "copy-pixels",
    [BITMAP] = "bitmap",
    [COPY_IMAGE] = "copy-image",
    [CLEAR_TEX] = "clear-tex",
    [CLEAR_BUFFER] = "clear-buffer",
};

/* Variants: sizes of blits, samples of resolves, zoom of pixel rectangles, parts of images, pixel
 * storage and transfer of uploads, buffers (`persistent`: mapped during the transfer), a layer or
 * slice of other kinds of textures, a mipmap level. */
static const char *const variants[KINDS][11] = {
    [UPLOAD] = {"", "swapped", "rows", "scaled", "buffer", "mapped", "persistent", "array", "3d",
                "cube", "level"},
    [READ] = {"", "swapped", "rows", "buffer", "flipped", "persistent", "array", "3d", "cube"},
    [GET] = {"", "part", "buffer", "array", "3d", "cube", "level"},
    [COPY_TEX] = {"", "array", "3d", "cube", "level"},
    [BLIT] = {"", "mirrored", "double-nearest", "double-linear", "half-linear", "odd-nearest"},
    [RESOLVE] = {"", "2-samples", "8-samples", "16-samples"},
    [MIPMAP] = {""},
    [DRAW_PIXELS] = {"", "zoom-0.5", "zoom-2"},
    [COPY_PIXELS] = {"", "zoom-0.5"},
    [BITMAP] = {"", "lsb-first"},
    [COPY_IMAGE] = {"", "part", "array", "3d", "cube", "level"},
    [CLEAR_TEX] = {"", "array"},
    [CLEAR_BUFFER] = {""},
};

struct transfer {
    enum kind kind;
    const struct internal *from, *to; /* `to`: the image; `from`: the source of copies and blits */
    const struct client_format *format;
    const struct client_type *type;
    unsigned variant;
    int width, height;
};

_Noreturn static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "transfers-bench: %s: %s\n", what, detail);
    exit(1);
}

/* ---------------------------------------------------------------------------------- the matrix --- */

static bool pair_ok(const struct client_format *f, const struct client_type *t)
{
    bool combined = !strcmp(t->name, "24_8") || !strcmp(t->name, "32f_24_8");
    if (f->class == DEPTH_STENCIL || combined)
        return f->class == DEPTH_STENCIL && combined;
    if (f->class == INTEGER && (t->type == GL_HALF_FLOAT || t->type == GL_FLOAT || t->packed))
        return false;
    if (t->packed == 3)
        return f->format == GL_RGB || (f->format == GL_BGR && t->packed == 3 && false);
    return !t->packed || t->packed == f->components;
}

static bool class_ok(enum class image, enum class client)
{
    return image == client || (image == DEPTH_STENCIL && (client == DEPTH || client == STENCIL));
}

static void name_of(const struct transfer *t, char *name, size_t size)
{
    const char *variant = variants[t->kind][t->variant];
    int n = snprintf(name, size, "%s:%d", kind_names[t->kind], t->width);
    if (t->from)
        n += snprintf(name + n, size - n, ":%s", t->from->name);
    if (t->to)
        n += snprintf(name + n, size - n, ":%s", t->to->name);
    if (t->format)
        n += snprintf(name + n, size - n, ":%s-%s", t->format->name, t->type->name);
    if (*variant)
        snprintf(name + n, size - n, ":%s", variant);
}

static void each_client(struct transfer t, void (*visit)(const struct transfer *, void *),
                        void *data)
{
    for (unsigned f = 0; f < COUNT(client_formats); f++)
        for (unsigned p = 0; p < COUNT(client_types); p++) {
            t.format = &client_formats[f];
            t.type = &client_types[p];
            if (pair_ok(t.format, t.type) && class_ok(t.to->class, t.format->class))
                visit(&t, data);
        }
}

static void each_image(struct transfer t, void (*visit)(const struct transfer *, void *),
                       void *data)
{
    for (unsigned i = 0; i < COUNT(internals); i++) {
        t.to = &internals[i];
        switch (t.kind) {
        case UPLOAD:
        case GET:
            each_client(t, visit, data);
            break;
        case READ:
            if (t.to->renderable)
                each_client(t, visit, data);
            break;
        case RESOLVE:
            if (t.to->renderable)
                visit(&t, data);
            break;
        case MIPMAP:
            if (t.to->filterable)
                visit(&t, data);
            break;
        case DRAW_PIXELS:
            if (t.to->format == GL_RGBA8 || t.to->format == GL_DEPTH24_STENCIL8)
                each_client(t, visit, data);
            break;
        case COPY_PIXELS:
        case BITMAP:
            if (t.to->format == GL_RGBA8)
                visit(&t, data);
            break;
        case COPY_IMAGE:
        case CLEAR_TEX:
            visit(&t, data);
            break;
        case COPY_TEX:
        case BLIT:
            for (unsigned k = 0; k < COUNT(internals); k++) {
                t.from = &internals[k];
                if (t.from->renderable && t.from->class == t.to->class &&
                    (t.to->renderable || (t.kind == COPY_TEX && !t.to->compressed)) &&
                    (t.to->class < DEPTH || t.from == t.to))
                    visit(&t, data);
            }
            break;
        case CLEAR_BUFFER:
            if (t.to->format == GL_RGBA8 || t.to->format == GL_R8 || t.to->format == GL_RGB32F ||
                t.to->format == GL_RGBA16F)
                visit(&t, data);
            break;
        case KINDS:
            break;
        }
    }
}

static void each_transfer(void (*visit)(const struct transfer *, void *), void *data)
{
    static const int sizes[][2] = {{MAX_WIDTH, MAX_HEIGHT}, {64, 64}};
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned s = 0; s < COUNT(sizes); s++)
            for (unsigned v = 0; v < COUNT(variants[0]) && variants[kind][v]; v++)
                each_image(
                    (struct transfer){
                        .kind = kind, .variant = v, .width = sizes[s][0], .height = sizes[s][1]},
                    visit, data);
}

/* --------------------------------------------------------------------------------- the transfers --- */

static struct {
    GLuint texture, source, framebuffer[2], renderbuffer, buffer;
} object;
static uint8_t *pixels; /* MAX_WIDTH * MAX_HEIGHT pixels of 16 bytes, and padding */
#define PIXEL_BYTES ((size_t)(MAX_WIDTH + 32) * MAX_HEIGHT * 16)

static const char *variant_of(const struct transfer *t)
{
    return variants[t->kind][t->variant];
}

static GLenum attachment_of(const struct internal *f)
{
    return f->class == DEPTH           ? GL_DEPTH_ATTACHMENT
           : f->class == DEPTH_STENCIL ? GL_DEPTH_STENCIL_ATTACHMENT
                                       : GL_COLOR_ATTACHMENT0;
}

#define LAYERS 3 /* of arrays and 3D textures */
#define LAYER  1 /* the layer, slice or face that is transferred */
#define FACE   (GL_TEXTURE_CUBE_MAP_POSITIVE_X + LAYER)

static GLenum target_of(const struct transfer *t)
{
    const char *v = variant_of(t);
    return !strcmp(v, "array")  ? GL_TEXTURE_2D_ARRAY
           : !strcmp(v, "3d")   ? GL_TEXTURE_3D
           : !strcmp(v, "cube") ? GL_TEXTURE_CUBE_MAP
                                : GL_TEXTURE_2D;
}

/* Returns the mipmap level that is transferred. */
static GLint level_of(const struct transfer *t)
{
    return !strcmp(variant_of(t), "level");
}

/* Returns the first layer, slice or face that is transferred. */
static GLint layer_of(const struct transfer *t)
{
    return target_of(t) == GL_TEXTURE_2D ? 0 : LAYER;
}

/* Makes a texture for the target of the transfer. Faces of cubes are squares. */
static GLuint make_texture(const struct transfer *t, const struct internal *f)
{
    const GLenum target = target_of(t);
    const int w = t->width, h = t->height;
    GLuint texture;
    gl.GenTextures(1, &texture);
    gl.BindTexture(target, texture);
    if (target == GL_TEXTURE_2D)
        for (GLint level = 0; level <= level_of(t); level++)
            gl.TexImage2D(target, level, f->format, w >> level, h >> level, 0, f->own_format,
                          f->own_type, pixels);
    else if (target == GL_TEXTURE_CUBE_MAP)
        for (unsigned face = 0; face < 6; face++)
            gl.TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, f->format, h, h, 0,
                          f->own_format, f->own_type, pixels);
    else
        gl.TexImage3D(target, 0, f->format, w, h, LAYERS, 0, f->own_format, f->own_type, NULL);
    gl.TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    if (f->class == INTEGER)
        gl.TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

/* Makes a framebuffer of a texture, or of a multisampled renderbuffer if the texture is 0. */
static void make_framebuffer(unsigned index, GLenum target, const struct internal *f,
                             GLenum texture_target, GLuint texture)
{
    gl.GenFramebuffers(1, &object.framebuffer[index]);
    gl.BindFramebuffer(target, object.framebuffer[index]);
    if (texture && texture_target == GL_TEXTURE_2D)
        gl.FramebufferTexture2D(target, attachment_of(f), GL_TEXTURE_2D, texture, 0);
    else if (texture && texture_target == GL_TEXTURE_CUBE_MAP)
        gl.FramebufferTexture2D(target, attachment_of(f), FACE, texture, 0);
    else if (texture)
        gl.FramebufferTextureLayer(target, attachment_of(f), texture, 0, LAYER);
    else
        gl.FramebufferRenderbuffer(target, attachment_of(f), GL_RENDERBUFFER, object.renderbuffer);
    if (attachment_of(f) != GL_COLOR_ATTACHMENT0) {
        gl.DrawBuffer(GL_NONE);
        gl.ReadBuffer(GL_NONE);
    }
}

static void setup_store(const struct transfer *t)
{
    const bool swapped = !strcmp(variant_of(t), "swapped"), rows = !strcmp(variant_of(t), "rows");
    const float scale = !strcmp(variant_of(t), "scaled") ? 0.5f : 1.0f;
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl.PixelStorei(GL_UNPACK_SWAP_BYTES, swapped);
    gl.PixelStorei(GL_PACK_SWAP_BYTES, swapped);
    gl.PixelStorei(GL_UNPACK_ROW_LENGTH, rows ? t->width + 7 : 0);
    gl.PixelStorei(GL_PACK_ROW_LENGTH, rows ? t->width + 7 : 0);
    gl.PixelStorei(GL_UNPACK_SKIP_PIXELS, rows ? 3 : 0);
    gl.PixelStorei(GL_PACK_SKIP_PIXELS, rows ? 3 : 0);
    gl.PixelStorei(GL_PACK_INVERT_MESA, !strcmp(variant_of(t), "flipped"));
    gl.PixelStorei(GL_UNPACK_LSB_FIRST, !strcmp(variant_of(t), "lsb-first"));
    gl.PixelTransferi(GL_MAP_COLOR, !strcmp(variant_of(t), "mapped"));
    gl.PixelTransferf(GL_RED_SCALE, scale);
    gl.PixelTransferf(GL_DEPTH_SCALE, scale);
}

static GLsizei samples_of(const struct transfer *t)
{
    const int samples = atoi(variant_of(t));
    return samples ? samples : 4;
}

static void setup(const struct transfer *t)
{
    const struct internal *source = t->from ? t->from : t->to;
    memset(&object, 0, sizeof object);
    gl.PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    object.texture = make_texture(t, t->to);
    switch (t->kind) {
    case BLIT:
    case COPY_TEX:
    case COPY_IMAGE:
        object.source = make_texture(t, source);
        if (t->kind == COPY_IMAGE)
            break;
        make_framebuffer(0, GL_READ_FRAMEBUFFER, source, target_of(t), object.source);
        if (t->kind == BLIT)
            make_framebuffer(1, GL_DRAW_FRAMEBUFFER, t->to, target_of(t), object.texture);
        break;
    case RESOLVE:
        gl.GenRenderbuffers(1, &object.renderbuffer);
        gl.BindRenderbuffer(GL_RENDERBUFFER, object.renderbuffer);
        gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples_of(t), source->format, t->width,
                                          t->height);
        make_framebuffer(0, GL_FRAMEBUFFER, source, GL_TEXTURE_2D, 0);
        gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        make_framebuffer(1, GL_DRAW_FRAMEBUFFER, t->to, GL_TEXTURE_2D, object.texture);
        break;
    case READ:
    case DRAW_PIXELS:
    case COPY_PIXELS:
    case BITMAP:
        make_framebuffer(0, GL_FRAMEBUFFER, t->to, target_of(t), object.texture);
        gl.Viewport(0, 0, t->width, t->height);
        gl.RasterPos2i(-1, -1);
        break;
    default:
        break;
    }
    gl.BindTexture(target_of(t), object.texture);
    setup_store(t);
    const bool persistent = !strcmp(variant_of(t), "persistent");
    if (!strcmp(variant_of(t), "buffer") || persistent || t->kind == CLEAR_BUFFER) {
        GLenum target = t->kind == UPLOAD                   ? GL_PIXEL_UNPACK_BUFFER
                        : t->kind == READ || t->kind == GET ? GL_PIXEL_PACK_BUFFER
                                                            : GL_ARRAY_BUFFER;
        const GLbitfield access = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT;
        gl.GenBuffers(1, &object.buffer);
        gl.BindBuffer(target, object.buffer);
        if (persistent) {
            gl.BufferStorage(target, PIXEL_BYTES, pixels, access);
            gl.MapBufferRange(target, 0, PIXEL_BYTES, access);
        } else {
            gl.BufferData(target, PIXEL_BYTES, pixels, GL_STREAM_DRAW);
        }
    }
}

static void finish(const struct transfer *t)
{
    gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl.BindBuffer(GL_ARRAY_BUFFER, 0);
    gl.DeleteBuffers(1, &object.buffer);
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl.DeleteFramebuffers(2, object.framebuffer);
    gl.DeleteRenderbuffers(1, &object.renderbuffer);
    gl.DeleteTextures(1, &object.texture);
    gl.DeleteTextures(1, &object.source);
    setup_store(&(struct transfer){.kind = GET, .width = t->width});
    while (gl.GetError())
        continue;
}

static void run_blit(const struct transfer *t)
{
    const char *v = variant_of(t);
    const int w = t->width, h = t->height;
    const GLbitfield mask = t->to->class == DEPTH ? GL_DEPTH_BUFFER_BIT
                            : t->to->class == DEPTH_STENCIL
                                ? GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT
                                : GL_COLOR_BUFFER_BIT;
    const GLenum filter = strstr(v, "linear") ? GL_LINEAR : GL_NEAREST;
    if (!strcmp(v, "mirrored"))
        gl.BlitFramebuffer(0, 0, w, h, w, 0, 0, h, mask, filter);
    else if (!strncmp(v, "odd", 3))
        gl.BlitFramebuffer(1, 1, w - 2, h - 5, 3, 2, w * 2 / 3, h * 3 / 4, mask, filter);
    else if (!strncmp(v, "double", 6))
        gl.BlitFramebuffer(0, 0, w / 2, h / 2, 0, 0, w, h, mask, filter);
    else if (!strncmp(v, "half", 4))
        gl.BlitFramebuffer(0, 0, w, h, 0, 0, w / 2, h / 2, mask, filter);
    else
        gl.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, mask, filter);
}

static void upload(const struct transfer *t, int w, int h, GLenum format, GLenum type)
{
    const void *from = object.buffer ? NULL : pixels;
    const GLenum target = target_of(t), image = target == GL_TEXTURE_CUBE_MAP ? FACE : target;
    if (target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_3D)
        gl.TexSubImage3D(target, 0, 0, 0, LAYER, w, h, 1, format, type, from);
    else if (t->to->compressed)
        gl.TexImage2D(image, level_of(t), t->to->format, w, h, 0, format, type, from);
    else
        gl.TexSubImage2D(image, level_of(t), 0, 0, w, h, format, type, from);
}

static void get_texture(const struct transfer *t, int w, int h, GLenum format, GLenum type)
{
    void *to = object.buffer ? NULL : pixels;
    if (!strcmp(variant_of(t), "part"))
        gl.GetTextureSubImage(object.texture, 0, 4, 8, 0, w - 8, h - 12, 1, format, type,
                              PIXEL_BYTES, to);
    else if (target_of(t) != GL_TEXTURE_2D)
        gl.GetTextureSubImage(object.texture, 0, 0, 0, LAYER, w, h, 1, format, type, PIXEL_BYTES,
                              to);
    else
        gl.GetTexImage(GL_TEXTURE_2D, level_of(t), format, type, to);
}

static void copy_to_texture(const struct transfer *t, int w, int h)
{
    const GLenum target = target_of(t);
    if (target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_3D)
        gl.CopyTexSubImage3D(target, 0, 0, 0, LAYER, 0, 0, w, h);
    else
        gl.CopyTexSubImage2D(target == GL_TEXTURE_CUBE_MAP ? FACE : target, level_of(t), 0, 0, 0, 0,
                             w, h);
}

static void run(const struct transfer *t)
{
    /* cubes are squares */
    const int h = t->height >> level_of(t),
              w = target_of(t) == GL_TEXTURE_CUBE_MAP ? h : t->width >> level_of(t);
    const GLenum format = t->format ? t->format->format : t->to->own_format;
    const GLenum type = t->type ? t->type->type : t->to->own_type;
    const char *v = variant_of(t);
    const float zoom = !strcmp(v, "zoom-0.5") ? 0.5f : !strcmp(v, "zoom-2") ? 2.0f : 1.0f;
    switch (t->kind) {
    case UPLOAD:
        upload(t, w, h, format, type);
        break;
    case READ:
        gl.ReadPixels(0, 0, w, h, format, type, object.buffer ? NULL : pixels);
        break;
    case GET:
        get_texture(t, w, h, format, type);
        break;
    case COPY_TEX:
        copy_to_texture(t, w, h);
        break;
    case BLIT:
    case RESOLVE:
        run_blit(t);
        break;
    case MIPMAP:
        gl.GenerateMipmap(GL_TEXTURE_2D);
        break;
    case DRAW_PIXELS:
        gl.PixelZoom(zoom, zoom);
        gl.DrawPixels(w, h, format, type, pixels);
        break;
    case COPY_PIXELS:
        gl.PixelZoom(zoom, zoom);
        gl.CopyPixels(0, 0, w, h, GL_COLOR);
        break;
    case BITMAP:
        gl.Bitmap(w, h, 0, 0, 0, 0, pixels);
        break;
    case COPY_IMAGE:
        if (!strcmp(v, "part"))
            gl.CopyImageSubData(object.source, GL_TEXTURE_2D, 0, 4, 8, 0, object.texture,
                                GL_TEXTURE_2D, 0, 8, 4, 0, w - 16, h - 16, 1);
        else
            gl.CopyImageSubData(object.source, target_of(t), level_of(t), 0, 0, layer_of(t),
                                object.texture, target_of(t), level_of(t), 0, 0, layer_of(t), w, h,
                                1);
        break;
    case CLEAR_TEX:
        gl.ClearTexImage(object.texture, 0, format, type, pixels);
        break;
    case CLEAR_BUFFER:
        gl.ClearBufferSubData(GL_ARRAY_BUFFER, t->to->format, 0, (GLsizeiptr)w * h * 12, format,
                              type, pixels);
        break;
    case KINDS:
        break;
    }
}

/* ------------------------------------------------------------------------------ measurement --- */

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Reads a pixel of the destination, so that a deferred transfer is executed. */
static void complete(const struct transfer *t)
{
    gl.Finish();
}

static void measure(const struct transfer *t, const char *name, double seconds)
{
    setup(t);
    for (unsigned i = 0; i < 2; i++)
        run(t);
    complete(t);
    if (gl.GetError()) {
        printf("-1 -1 %s\n", name);
        finish(t);
        return;
    }
    /* The chunk with the lowest time is the one that suffers least from other processes, which
     * evict data from the caches. */
    const double chunk_seconds = seconds / CHUNKS, begin = now(CLOCK_PROCESS_CPUTIME_ID);
    unsigned calls = 1;
    double best_wall = 0, best_used = 0, spent = 0;
    while (spent < seconds) {
        const double start = now(CLOCK_MONOTONIC), start_used = now(CLOCK_PROCESS_CPUTIME_ID);
        for (unsigned i = 0; i < calls; i++)
            run(t);
        complete(t);
        const double end = now(CLOCK_PROCESS_CPUTIME_ID), used = (end - start_used) / calls;
        if (!spent || used < best_used) {
            best_used = used;
            best_wall = (now(CLOCK_MONOTONIC) - start) / calls;
        }
        spent = end - begin;
        if (used * calls < chunk_seconds)
            calls *= 2;
    }
    printf("%.5f %.5f %s\n", best_wall * 1e3, best_used * 1e3, name);
    fflush(stdout);
    finish(t);
}

static void load(void)
{
    void *lib = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!lib)
        fail("libEGL.so.1", dlerror());
#define EGL(name) __typeof__(egl##name) *name = (__typeof__(egl##name) *)dlsym(lib, "egl" #name)
    EGL(GetProcAddress);
    EGL(Initialize);
    EGL(BindAPI);
    EGL(ChooseConfig);
    EGL(CreateContext);
    EGL(MakeCurrent);
#undef EGL
    PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplay =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)GetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    EGLint attribs[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    if (!Initialize(display, NULL, NULL) || !BindAPI(EGL_OPENGL_API) ||
        !ChooseConfig(display, attribs, &config, 1, &n) || !n)
        fail("EGL", "no OpenGL without a surface");
    EGLContext context = CreateContext(display, config, EGL_NO_CONTEXT, NULL);
    if (!context || !MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("EGL", "no context");
#define LOAD(result, name, arguments)                                                              \
    gl.name = (result(APIENTRY *) arguments)GetProcAddress("gl" #name);                            \
    if (!gl.name)                                                                                  \
        fail("no function", "gl" #name);
    TRANSFERS_FUNCTIONS(LOAD)
#undef LOAD
}

static void print_name(const struct transfer *t, void *data)
{
    char name[200];
    name_of(t, name, sizeof name);
    puts(name);
}

struct wanted {
    char **names;
    int count;
    double seconds;
};

static void measure_wanted(const struct transfer *t, void *data)
{
    const struct wanted *w = data;
    char name[200];
    name_of(t, name, sizeof name);
    for (int i = 0; i < w->count; i++)
        if (!strcmp(w->names[i], name))
            measure(t, name, w->seconds);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        each_transfer(print_name, NULL);
        return 0;
    }
    struct wanted wanted = {argv + 2, argc - 2, atof(argv[1])};
    pixels = malloc(PIXEL_BYTES);
    if (!pixels)
        fail("pixels", "out of memory");
    for (size_t i = 0; i < PIXEL_BYTES; i++)
        pixels[i] = (uint8_t)(i * 2654435761u >> 24) & 0x3f; /* no NaN in any type */
    load();
    static GLfloat map[256];
    for (unsigned i = 0; i < COUNT(map); i++)
        map[i] = (float)(i * i) / 65025.0f;
    for (GLenum m = GL_PIXEL_MAP_R_TO_R; m <= GL_PIXEL_MAP_A_TO_A; m++)
        gl.PixelMapfv(m, COUNT(map), map);
    each_transfer(measure_wanted, &wanted);
    return 0;
}
