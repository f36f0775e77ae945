/* SPDX-License-Identifier: MIT */
/* Buffer textures, whose texels are stored in a buffer object (GL 4.6 compatibility §8.9,
 * ARB_texture_buffer_object). */
#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "util/format.h"

enum needs {
    ALWAYS,
    LEGACY, /* alpha, luminance and intensity: only in the extension, not in GL 3.1 */
    LEGACY_INTEGER,
    INTEGER,
    RG, /* red and red-green formats */
    RG_INTEGER,
    NORM16, /* in ES only with GL_EXT_texture_norm16 */
    RG_NORM16,
    RGB32,
};

/* clang-format off */
/* Formats of a legacy base format, except unsigned normalized ones. */
#define LEGACY_FORMATS(GLNAME, BASE, DRV8, DRV16, DRV32)                                           \
    {GLNAME##16F_ARB, BASE, DRV16##_FLOAT, LEGACY},                                                \
    {GLNAME##32F_ARB, BASE, DRV32##_FLOAT, LEGACY},                                                \
    {GLNAME##8I_EXT, BASE, DRV8##_SINT, LEGACY_INTEGER},                                           \
    {GLNAME##16I_EXT, BASE, DRV16##_SINT, LEGACY_INTEGER},                                         \
    {GLNAME##32I_EXT, BASE, DRV32##_SINT, LEGACY_INTEGER},                                         \
    {GLNAME##8UI_EXT, BASE, DRV8##_UINT, LEGACY_INTEGER},                                          \
    {GLNAME##16UI_EXT, BASE, DRV16##_UINT, LEGACY_INTEGER},                                        \
    {GLNAME##32UI_EXT, BASE, DRV32##_UINT, LEGACY_INTEGER}
/* clang-format on */

/* Table 8.24, and the legacy formats of the extension's table. */
static const struct buffer_format {
    GLenum internal, base;
    enum drv_format format;
    uint8_t needs;
} formats[] = {
    {GL_RGBA8, GL_RGBA, DRV_FORMAT_R8G8B8A8_UNORM, ALWAYS},
    {GL_RGBA16, GL_RGBA, DRV_FORMAT_R16G16B16A16_UNORM, NORM16},
    {GL_RGBA16F, GL_RGBA, DRV_FORMAT_R16G16B16A16_FLOAT, ALWAYS},
    {GL_RGBA32F, GL_RGBA, DRV_FORMAT_R32G32B32A32_FLOAT, ALWAYS},
    {GL_RGBA8I, GL_RGBA, DRV_FORMAT_R8G8B8A8_SINT, INTEGER},
    {GL_RGBA16I, GL_RGBA, DRV_FORMAT_R16G16B16A16_SINT, INTEGER},
    {GL_RGBA32I, GL_RGBA, DRV_FORMAT_R32G32B32A32_SINT, INTEGER},
    {GL_RGBA8UI, GL_RGBA, DRV_FORMAT_R8G8B8A8_UINT, INTEGER},
    {GL_RGBA16UI, GL_RGBA, DRV_FORMAT_R16G16B16A16_UINT, INTEGER},
    {GL_RGBA32UI, GL_RGBA, DRV_FORMAT_R32G32B32A32_UINT, INTEGER},
    {GL_R8, GL_RED, DRV_FORMAT_R8_UNORM, RG},
    {GL_R16, GL_RED, DRV_FORMAT_R16_UNORM, RG_NORM16},
    {GL_R16F, GL_RED, DRV_FORMAT_R16_FLOAT, RG},
    {GL_R32F, GL_RED, DRV_FORMAT_R32_FLOAT, RG},
    {GL_R8I, GL_RED, DRV_FORMAT_R8_SINT, RG_INTEGER},
    {GL_R16I, GL_RED, DRV_FORMAT_R16_SINT, RG_INTEGER},
    {GL_R32I, GL_RED, DRV_FORMAT_R32_SINT, RG_INTEGER},
    {GL_R8UI, GL_RED, DRV_FORMAT_R8_UINT, RG_INTEGER},
    {GL_R16UI, GL_RED, DRV_FORMAT_R16_UINT, RG_INTEGER},
    {GL_R32UI, GL_RED, DRV_FORMAT_R32_UINT, RG_INTEGER},
    {GL_RG8, GL_RG, DRV_FORMAT_R8G8_UNORM, RG},
    {GL_RG16, GL_RG, DRV_FORMAT_R16G16_UNORM, RG_NORM16},
    {GL_RG16F, GL_RG, DRV_FORMAT_R16G16_FLOAT, RG},
    {GL_RG32F, GL_RG, DRV_FORMAT_R32G32_FLOAT, RG},
    {GL_RG8I, GL_RG, DRV_FORMAT_R8G8_SINT, RG_INTEGER},
    {GL_RG16I, GL_RG, DRV_FORMAT_R16G16_SINT, RG_INTEGER},
    {GL_RG32I, GL_RG, DRV_FORMAT_R32G32_SINT, RG_INTEGER},
    {GL_RG8UI, GL_RG, DRV_FORMAT_R8G8_UINT, RG_INTEGER},
    {GL_RG16UI, GL_RG, DRV_FORMAT_R16G16_UINT, RG_INTEGER},
    {GL_RG32UI, GL_RG, DRV_FORMAT_R32G32_UINT, RG_INTEGER},
    {GL_RGB32F, GL_RGB, DRV_FORMAT_R32G32B32_FLOAT, RGB32},
    {GL_RGB32I, GL_RGB, DRV_FORMAT_R32G32B32_SINT, RGB32},
    {GL_RGB32UI, GL_RGB, DRV_FORMAT_R32G32B32_UINT, RGB32},
    {GL_ALPHA8, GL_ALPHA, DRV_FORMAT_A8_UNORM, LEGACY},
    {GL_ALPHA16, GL_ALPHA, DRV_FORMAT_A16_UNORM, LEGACY},
    LEGACY_FORMATS(GL_ALPHA, GL_ALPHA, DRV_FORMAT_A8, DRV_FORMAT_A16, DRV_FORMAT_A32),
    {GL_LUMINANCE8, GL_LUMINANCE, DRV_FORMAT_L8_UNORM, LEGACY},
    {GL_LUMINANCE16, GL_LUMINANCE, DRV_FORMAT_L16_UNORM, LEGACY},
    LEGACY_FORMATS(GL_LUMINANCE, GL_LUMINANCE, DRV_FORMAT_L8, DRV_FORMAT_L16, DRV_FORMAT_L32),
    {GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, DRV_FORMAT_L8A8_UNORM, LEGACY},
    {GL_LUMINANCE16_ALPHA16, GL_LUMINANCE_ALPHA, DRV_FORMAT_L16A16_UNORM, LEGACY},
    LEGACY_FORMATS(GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, DRV_FORMAT_L8A8, DRV_FORMAT_L16A16,
                   DRV_FORMAT_L32A32),
    {GL_INTENSITY8, GL_INTENSITY, DRV_FORMAT_I8_UNORM, LEGACY},
    {GL_INTENSITY16, GL_INTENSITY, DRV_FORMAT_I16_UNORM, LEGACY},
    LEGACY_FORMATS(GL_INTENSITY, GL_INTENSITY, DRV_FORMAT_I8, DRV_FORMAT_I16, DRV_FORMAT_I32),
};

static bool has_format(const struct gl_context *ctx, const struct buffer_format *f)
{
    bool compat = gl_is_compat(ctx), integer = ctx->consts.version >= 30;
    switch (f->needs) {
    case LEGACY:
        return compat;
    case LEGACY_INTEGER:
        return compat && (integer || ctx->ext.EXT_texture_integer);
    case INTEGER:
        return integer || ctx->ext.EXT_texture_integer;
    case RG:
        return ctx->ext.ARB_texture_rg;
    case RG_INTEGER:
        return ctx->ext.ARB_texture_rg && (integer || ctx->ext.EXT_texture_integer);
    case NORM16:
        return gl_is_desktop(ctx) || ctx->ext.EXT_texture_norm16;
    case RG_NORM16:
        return ctx->ext.ARB_texture_rg && (gl_is_desktop(ctx) || ctx->ext.EXT_texture_norm16);
    case RGB32:
        return ctx->ext.ARB_texture_buffer_object_rgb32;
    default:
        return true;
    }
}

static const struct buffer_format *find_format(GLenum internal)
{
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++)
        if (formats[i].internal == internal)
            return &formats[i];
    return NULL;
}

enum drv_format gl_texture_buffer_format(const struct gl_context *ctx, GLenum internal,
                                         GLenum *base)
{
    const struct buffer_format *f = find_format(internal);
    if (!f || !has_format(ctx, f))
        return DRV_FORMAT_NONE;
    *base = f->base;
    return f->format;
}

/* -------------------------------------------------------------------------------- attaching --- */

/* Attaches a buffer. size 0: the whole buffer, following changes of its size. */
static void attach(struct gl_context *ctx, struct gl_texture *t, GLenum internal, GLuint name,
                   GLintptr offset, GLsizeiptr size, const char *call)
{
    const struct buffer_format *f = find_format(internal);
    if (!f || !has_format(ctx, f)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", call, gl_enum_name(internal));
        return;
    }
    struct gl_buffer *b = gl_buffer_lookup(ctx, name);
    if (name && !b) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no buffer %u)", call, name);
        return;
    }
    unsigned alignment = MAX2(ctx->screen->caps.texture_buffer_offset_alignment, 1);
    if (b && (offset < 0 || size < 0 || offset > b->size - size || offset % alignment)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%lld, size=%lld; buffer of %lld, alignment %u)",
                 call, (long long)offset, (long long)size, (long long)b->size, alignment);
        return;
    }
    if (t->num_handles) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u has handles)", call, t->name);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_buffer_reference(ctx, &t->store.buffer, b);
    t->store.offset = b ? offset : 0;
    t->store.size = b ? size : 0;
    t->store.internal = internal;
    gl_texture_changed(ctx, t);
}

void gl_tex_buffer(struct gl_context *ctx, struct gl_texture *t, GLenum internal, GLuint buffer,
                   const char *call)
{
    attach(ctx, t, internal, buffer, 0, 0, call);
}

void gl_tex_buffer_range(struct gl_context *ctx, struct gl_texture *t, GLenum internal,
                         GLuint buffer, GLintptr offset, GLsizeiptr size, const char *call)
{
    if (buffer && size <= 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(size=%lld)", call, (long long)size);
        return;
    }
    attach(ctx, t, internal, buffer, offset, size, call);
}

/* ------------------------------------------------------------ use by the driver and queries --- */

/* Returns the format of a texture. The initial format of the extension, GL_LUMINANCE8, doesn't
 * exist in the core profile. */
static const struct buffer_format *format_of(const struct gl_context *ctx,
                                             const struct gl_texture *t)
{
    GLenum initial = gl_is_compat(ctx) ? GL_LUMINANCE8 : GL_R8;
    return find_format(t->store.internal ? t->store.internal : initial);
}

/* Returns the accessible bytes from the offset on: whole texels, at most MAX_TEXTURE_BUFFER_SIZE of
 * them. */
static GLsizeiptr usable_bytes(const struct gl_context *ctx, const struct gl_texture *t,
                               enum drv_format format)
{
    const struct gl_buffer *b = t->store.buffer;
    if (!b || t->store.offset >= b->size)
        return 0;
    unsigned texel = drv_format_desc(format)->block_bytes;
    GLsizeiptr bytes = b->size - t->store.offset;
    if (t->store.size)
        bytes = MIN2(bytes, t->store.size);
    return MIN2(bytes / texel, ctx->consts.max_texture_buffer_size) * texel;
}

bool gl_texture_buffer_view(const struct gl_context *ctx, const struct gl_texture *t,
                            struct drv_sampler_view *v)
{
    const struct buffer_format *f = format_of(ctx, t);
    memset(v, 0, sizeof *v); /* views are compared as bytes, so clear padding */
    if (!t->store.buffer || !t->store.buffer->resource)
        return false;
    v->texture = t->store.buffer->resource;
    v->format = f->format;
    v->target = DRV_BUFFER;
    v->buffer_offset = MIN2(t->store.offset, t->store.buffer->size);
    v->buffer_size = usable_bytes(ctx, t, f->format);
    gl_base_format_swizzle(f->base, GL_NONE, v->swizzle);
    return true;
}

struct gl_image gl_texture_buffer_image(const struct gl_context *ctx, const struct gl_texture *t)
{
    const struct buffer_format *f = format_of(ctx, t);
    if (!t->store.buffer)
        return (struct gl_image){.internal = f->internal};
    return (struct gl_image){
        .internal = f->internal,
        .base = f->base,
        .format = f->format,
        .width = usable_bytes(ctx, t, f->format) / drv_format_desc(f->format)->block_bytes,
        .height = 1,
        .depth = 1,
    };
}

GLint gl_texture_buffer_parameter(const struct gl_texture *t, GLenum pname)
{
    const struct gl_buffer *b = t->store.buffer;
    switch (pname) {
    case GL_TEXTURE_BUFFER_DATA_STORE_BINDING:
        return b ? (GLint)b->name : 0;
    case GL_TEXTURE_BUFFER_OFFSET:
        return MIN2(t->store.offset, INT32_MAX);
    case GL_TEXTURE_BUFFER_SIZE:
        return !b ? 0 : MIN2(t->store.size ? t->store.size : b->size, INT32_MAX);
    default:
        return -1;
    }
}

unsigned gl_get_texture_buffer(const struct gl_context *ctx, GLenum pname, double *v)
{
    const struct gl_texture *t =
        ctx->texture.unit[ctx->texenv.active].bound[GL_TEXTURE_INDEX_BUFFER];
    if (!ctx->ext.ARB_texture_buffer_object)
        return 0;
    switch (pname) {
    case GL_TEXTURE_BUFFER_BINDING:
        *v = ctx->texture_buffer ? ctx->texture_buffer->name : 0;
        return 1;
    case GL_TEXTURE_BINDING_BUFFER:
        *v = t->name;
        return 1;
    case GL_MAX_TEXTURE_BUFFER_SIZE:
        *v = ctx->consts.max_texture_buffer_size;
        return 1;
    case GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT:
        *v = ctx->screen->caps.texture_buffer_offset_alignment;
        return ctx->ext.ARB_texture_buffer_range;
    case GL_TEXTURE_BUFFER_DATA_STORE_BINDING:
        *v = gl_texture_buffer_parameter(t, pname);
        return 1;
    case GL_TEXTURE_BUFFER_FORMAT_ARB:
        *v = format_of(ctx, t)->internal;
        return 1;
    default:
        return 0;
    }
}
