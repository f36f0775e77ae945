/* SPDX-License-Identifier: MIT */
/*
 * glGetInternalformativ: capabilities of internal formats (GL 4.6 §22.3). A query first describes
 * the image that a target would have with the format, using the same choices as the commands that
 * create such images. If no command can create it, it is not supported and every answer is 0.
 */
#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/check.h"
#include "util/format.h"

#define MAX_COUNTS 8 /* maximum number of different sample counts */

/* ---------------------------------------------------------------------------------- targets --- */

/* Table 22.2. dims: number of sizes among GL_MAX_WIDTH, GL_MAX_HEIGHT and GL_MAX_DEPTH, counting
 * layers as one. */
static const struct query_target {
    GLenum target;
    uint8_t dims;
    bool layers;  /* is an array */
    bool layered; /* can be attached to a framebuffer as a whole */
    bool gather, shadow;
} targets[] = {
    {GL_TEXTURE_1D, 1, false, false, false, true},
    {GL_TEXTURE_1D_ARRAY, 2, true, true, false, true},
    {GL_TEXTURE_2D, 2, false, false, true, true},
    {GL_TEXTURE_2D_ARRAY, 3, true, true, true, true},
    {GL_TEXTURE_2D_MULTISAMPLE, 2, false, false, false, false},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 3, true, true, false, false},
    {GL_TEXTURE_3D, 3, false, true, false, false},
    {GL_TEXTURE_BUFFER, 1, false, false, false, false},
    {GL_TEXTURE_CUBE_MAP, 2, false, true, true, true},
    {GL_TEXTURE_CUBE_MAP_ARRAY, 3, true, true, true, true},
    {GL_TEXTURE_RECTANGLE, 2, false, false, true, true},
    {GL_RENDERBUFFER, 2, false, false, false, false},
};

static const struct query_target *find_target(GLenum target)
{
    for (unsigned i = 0; i < ARRAY_SIZE(targets); i++)
        if (targets[i].target == target)
            return &targets[i];
    return NULL;
}

/* -------------------------------------------------------------------------------- resources --- */

struct resource {
    const struct gl_context *ctx;
    const struct query_target *target;
    int index; /* enum gl_texture_index; -1: renderbuffer */
    GLint internal;
    GLenum base;
    enum drv_format format;
    unsigned counts;
    GLint samples[MAX_COUNTS]; /* supported sample counts, largest first */
};

static enum drv_target drv_target_of(const struct resource *r)
{
    return r->index < 0 ? DRV_TEXTURE_2D : gl_texture_drv_target(r->index);
}

static unsigned render_bind(const struct resource *r)
{
    return gl_base_is_color(r->base) ? DRV_BIND_RENDER_TARGET : DRV_BIND_DEPTH_STENCIL;
}

static bool is_buffer(const struct resource *r)
{
    return r->index == GL_TEXTURE_INDEX_BUFFER;
}

static bool is_multisampled(const struct resource *r)
{
    return r->index >= 0 && gl_texture_is_multisampled(r->index);
}

/* Returns whether the target is a texture with filtering and client-specified pixels. */
static bool is_plain_texture(const struct resource *r)
{
    return r->index >= 0 && !is_buffer(r) && !is_multisampled(r);
}

static void find_samples(struct resource *r)
{
    unsigned bind = render_bind(r) | (is_multisampled(r) ? DRV_BIND_SAMPLER_VIEW : 0);
    for (GLint i = r->ctx->consts.max_samples; i > 1 && r->counts < MAX_COUNTS; i--)
        if (gl_choose_format(r->ctx, r->internal, 0, 0, drv_target_of(r), i, bind) !=
            DRV_FORMAT_NONE)
            NEXT_OF(r->samples, r->counts) = i;
}

/* Sets base and format. Returns false if there is no such texture. */
static bool describe_texture(struct resource *r)
{
    const struct gl_context *ctx = r->ctx;
    r->base = gl_base_format(ctx, r->internal);
    if (r->internal <= 4 || !r->base || !gl_can_texture(ctx, r->base) ||
        (!gl_base_is_color(r->base) && r->index == GL_TEXTURE_INDEX_3D) ||
        (gl_format_is_compressed(ctx, r->internal) &&
         !gl_compressed_fits_target(r->index, r->internal)))
        return false;
    if (is_multisampled(r)) {
        if (!gl_format_is_renderable(ctx, r->internal))
            return false;
        find_samples(r);
    }
    r->format = gl_choose_format(ctx, r->internal, 0, 0, drv_target_of(r),
                                 r->counts ? r->samples[r->counts - 1] : 0,
                                 DRV_BIND_SAMPLER_VIEW | (is_multisampled(r) ? render_bind(r) : 0));
    return r->format != DRV_FORMAT_NONE && (!is_multisampled(r) || r->counts);
}

static bool describe_renderbuffer(struct resource *r)
{
    r->base = gl_base_format(r->ctx, r->internal);
    if (!r->base || !gl_format_is_renderable(r->ctx, r->internal))
        return false;
    r->format = gl_choose_format(r->ctx, r->internal, 0, 0, DRV_TEXTURE_2D, 0, render_bind(r));
    find_samples(r);
    return r->format != DRV_FORMAT_NONE;
}

static bool describe(struct resource *r)
{
    if (r->target->target == GL_RENDERBUFFER) {
        r->index = -1;
        return describe_renderbuffer(r);
    }
    if (r->target->target == GL_TEXTURE_BUFFER) {
        r->index = GL_TEXTURE_INDEX_BUFFER;
        if (!r->ctx->ext.ARB_texture_buffer_object)
            return false;
        r->format = gl_texture_buffer_format(r->ctx, r->internal, &r->base);
        return r->format != DRV_FORMAT_NONE;
    }
    r->index = gl_texture_target_index(r->ctx, r->target->target);
    return r->index >= 0 && describe_texture(r);
}

/* Returns whether the image can be attached to a framebuffer (§9.4.4). */
static bool is_renderable(const struct resource *r)
{
    return !is_buffer(r) && gl_format_is_renderable(r->ctx, r->internal) &&
           r->ctx->screen->ops->is_format_supported(r->ctx->screen, r->format, drv_target_of(r),
                                                    is_multisampled(r) ? r->samples[0] : 0,
                                                    render_bind(r));
}

static bool is_srgb(const struct resource *r)
{
    return util_format_is_srgb(r->format);
}

/* ----------------------------------------------------------------------------------- pixels --- */

GLenum gl_pixels_format(GLenum base, enum drv_format format)
{
    static const GLenum integer[][2] = {
        {GL_RED, GL_RED_INTEGER},
        {GL_RG, GL_RG_INTEGER},
        {GL_RGB, GL_RGB_INTEGER},
        {GL_RGBA, GL_RGBA_INTEGER},
        {GL_ALPHA, GL_ALPHA_INTEGER_EXT},
        {GL_LUMINANCE, GL_LUMINANCE_INTEGER_EXT},
        {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA_INTEGER_EXT},
        {GL_INTENSITY, GL_RED_INTEGER},
    };
    if (gl_base_is_color(base) && util_format_is_pure_integer(format))
        for (unsigned i = 0; i < ARRAY_SIZE(integer); i++)
            if (integer[i][0] == base)
                return integer[i][1];
    return base == GL_INTENSITY ? GL_RED : base;
}

GLenum gl_pixels_type(enum drv_format format)
{
    static const struct {
        uint16_t format, type;
    } packed[] = {
        {DRV_FORMAT_R11G11B10_FLOAT, GL_UNSIGNED_INT_10F_11F_11F_REV},
        {DRV_FORMAT_R9G9B9E5_FLOAT, GL_UNSIGNED_INT_5_9_9_9_REV},
        {DRV_FORMAT_R10G10B10A2_UNORM, GL_UNSIGNED_INT_2_10_10_10_REV},
        {DRV_FORMAT_R10G10B10A2_UINT, GL_UNSIGNED_INT_2_10_10_10_REV},
        {DRV_FORMAT_B10G10R10A2_UNORM, GL_UNSIGNED_INT_2_10_10_10_REV},
        {DRV_FORMAT_R10G10B10X2_UNORM, GL_UNSIGNED_SHORT},
        {DRV_FORMAT_B4G4R4A4_UNORM, GL_UNSIGNED_SHORT_4_4_4_4},
        {DRV_FORMAT_A4B4G4R4_UNORM, GL_UNSIGNED_SHORT_4_4_4_4},
        {DRV_FORMAT_B5G5R5A1_UNORM, GL_UNSIGNED_SHORT_5_5_5_1},
        {DRV_FORMAT_A1B5G5R5_UNORM, GL_UNSIGNED_SHORT_5_5_5_1},
        {DRV_FORMAT_B5G6R5_UNORM, GL_UNSIGNED_SHORT_5_6_5},
        {DRV_FORMAT_B2G3R3_UNORM, GL_UNSIGNED_BYTE_3_3_2},
        {DRV_FORMAT_Z16_UNORM, GL_UNSIGNED_SHORT},
        {DRV_FORMAT_Z24X8_UNORM, GL_UNSIGNED_INT},
        {DRV_FORMAT_Z32_UNORM, GL_UNSIGNED_INT},
        {DRV_FORMAT_Z32_FLOAT, GL_FLOAT},
        {DRV_FORMAT_Z24S8_UNORM, GL_UNSIGNED_INT_24_8},
        {DRV_FORMAT_Z32S8X24_FLOAT, GL_FLOAT_32_UNSIGNED_INT_24_8_REV},
        {DRV_FORMAT_S8_UINT, GL_UNSIGNED_BYTE},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(packed); i++)
        if (packed[i].format == format)
            return packed[i].type;
    unsigned bits = 0;
    for (unsigned c = 0; c < 4; c++)
        bits = MAX2(bits, util_format_component_bits(format, c));
    if (util_format_is_float(format))
        return bits == 32 ? GL_FLOAT : GL_HALF_FLOAT;
    bool sign = util_format_is_snorm(format) || util_format_is_pure_sint(format);
    return bits <= 8    ? (sign ? GL_BYTE : GL_UNSIGNED_BYTE)
           : bits <= 16 ? (sign ? GL_SHORT : GL_UNSIGNED_SHORT)
                        : (sign ? GL_INT : GL_UNSIGNED_INT);
}

/* ---------------------------------------------------------------------------------- answers --- */

/* Answers a query for a supported image; arg comes from the query's row. */
typedef GLint64 (*answer)(const struct resource *r, GLint arg);

static GLint64 full(bool yes)
{
    return yes ? GL_FULL_SUPPORT : GL_NONE;
}

static GLint64 ask_supported(const struct resource *r, GLint arg)
{
    (void)r, (void)arg;
    return GL_TRUE;
}

static GLint64 ask_preferred(const struct resource *r, GLint arg)
{
    return r->internal;
}

/* arg: component, as in gl_format_bits. */
static GLint64 ask_size(const struct resource *r, GLint component)
{
    return gl_format_bits(r->base, r->format, component);
}

static GLint64 ask_shared_size(const struct resource *r, GLint arg)
{
    return r->format == DRV_FORMAT_R9G9B9E5_FLOAT ? 5 : 0;
}

static GLint64 ask_type(const struct resource *r, GLint component)
{
    return gl_format_component_type(r->base, r->format, component);
}

/* arg: 0 width, 1 height, 2 depth. */
static GLint64 ask_dimension(const struct resource *r, GLint dim)
{
    const struct gl_constants *k = &r->ctx->consts;
    if (dim >= r->target->dims)
        return 0;
    if (r->target->layers && dim == r->target->dims - 1)
        return k->max_array_texture_layers;
    switch (r->target->target) {
    case GL_RENDERBUFFER:
        return k->max_renderbuffer_size;
    case GL_TEXTURE_BUFFER:
        return k->max_texture_buffer_size;
    case GL_TEXTURE_3D:
        return k->max_3d_texture_size;
    case GL_TEXTURE_RECTANGLE:
        return k->max_rect_texture_size;
    case GL_TEXTURE_CUBE_MAP:
    case GL_TEXTURE_CUBE_MAP_ARRAY:
        return k->max_cube_texture_size;
    default:
        return k->max_texture_size;
    }
}

static GLint64 ask_layers(const struct resource *r, GLint arg)
{
    return r->target->layers ? ask_dimension(r, r->target->dims - 1) : 0;
}

static GLint64 ask_combined(const struct resource *r, GLint arg)
{
    bool cube = r->index == GL_TEXTURE_INDEX_CUBE || r->index == GL_TEXTURE_INDEX_CUBE_ARRAY;
    GLint64 n = cube ? 6 : 1;
    for (GLint i = 0; i < r->target->dims; i++)
        n *= ask_dimension(r, i);
    return is_multisampled(r) ? n * r->samples[0] : n;
}

enum kind {
    COLOR,
    DEPTH,
    STENCIL,
};

static GLint64 ask_components(const struct resource *r, GLint kind)
{
    return kind == COLOR   ? gl_base_is_color(r->base)
           : kind == DEPTH ? gl_base_is_depth(r->base)
                           : gl_base_is_stencil(r->base);
}

static GLint64 ask_renderable(const struct resource *r, GLint kind)
{
    return ask_components(r, kind) && is_renderable(r);
}

static GLint64 ask_framebuffer(const struct resource *r, GLint arg)
{
    return full(is_renderable(r));
}

static GLint64 ask_layered(const struct resource *r, GLint arg)
{
    return full(r->target->layered && r->ctx->consts.version >= 32 && is_renderable(r));
}

static GLint64 ask_blend(const struct resource *r, GLint arg)
{
    return full(ask_renderable(r, COLOR) && !util_format_is_pure_integer(r->format));
}

static GLint64 ask_read_pixels(const struct resource *r, GLint pname)
{
    return !is_renderable(r)                ? GL_NONE
           : pname == GL_READ_PIXELS_FORMAT ? gl_pixels_format(r->base, r->format)
                                            : gl_pixels_type(r->format);
}

static GLint64 ask_texture_pixels(const struct resource *r, GLint pname)
{
    bool format = pname == GL_TEXTURE_IMAGE_FORMAT || pname == GL_GET_TEXTURE_IMAGE_FORMAT;
    return !is_plain_texture(r) ? GL_NONE
           : format             ? gl_pixels_format(r->base, r->format)
                                : gl_pixels_type(r->format);
}

static GLint64 ask_mipmap(const struct resource *r, GLint arg)
{
    return r->index >= 0 && gl_texture_max_levels(r->ctx, r->index) > 1;
}

static GLint64 ask_generate(const struct resource *r, GLint pname)
{
    return full(ask_mipmap(r, 0) &&
                gl_can_generate_mipmap(r->ctx, r->internal, r->base, r->format) &&
                (pname == GL_MANUAL_GENERATE_MIPMAP || gl_is_compat(r->ctx)));
}

static GLint64 ask_encoding(const struct resource *r, GLint arg)
{
    return !gl_base_is_color(r->base) ? GL_NONE : is_srgb(r) ? GL_SRGB : GL_LINEAR;
}

static GLint64 ask_srgb_read(const struct resource *r, GLint arg)
{
    return full(is_srgb(r) && r->index >= 0);
}

static GLint64 ask_srgb_write(const struct resource *r, GLint arg)
{
    return full(is_srgb(r) && is_renderable(r) && r->ctx->ext.ARB_framebuffer_sRGB);
}

static GLint64 ask_filter(const struct resource *r, GLint arg)
{
    return full(is_plain_texture(r) && r->base != GL_STENCIL_INDEX &&
                !util_format_is_pure_integer(r->format));
}

static GLint64 ask_stage(const struct resource *r, GLint pname)
{
    const struct gl_context *ctx = r->ctx;
    bool has = pname == GL_VERTEX_TEXTURE     ? ctx->consts.max_vertex_texture_image_units > 0
               : pname == GL_GEOMETRY_TEXTURE ? ctx->consts.version >= 32
               : pname == GL_FRAGMENT_TEXTURE ? true
               : pname == GL_COMPUTE_TEXTURE  ? ctx->ext.ARB_compute_shader
                                              : ctx->ext.ARB_tessellation_shader;
    return full(has && r->index >= 0);
}

static GLint64 ask_shadow(const struct resource *r, GLint arg)
{
    return full(gl_base_is_depth(r->base) && r->target->shadow);
}

static GLint64 ask_gather(const struct resource *r, GLint arg)
{
    return full(r->ctx->ext.ARB_texture_gather && r->target->gather);
}

static GLint64 ask_gather_shadow(const struct resource *r, GLint arg)
{
    return full(r->ctx->ext.ARB_gpu_shader5 && ask_gather(r, arg) && ask_shadow(r, arg));
}

static GLint64 ask_image(const struct resource *r, GLint pname)
{
    GLenum image_class = 0;
    enum drv_format format = gl_image_unit_format(r->ctx, r->internal, &image_class);
    if (format == DRV_FORMAT_NONE || r->index < 0)
        return 0;
    switch (pname) {
    case GL_IMAGE_TEXEL_SIZE:
        return drv_format_desc(format)->block_bytes * 8;
    case GL_IMAGE_COMPATIBILITY_CLASS:
        return image_class;
    case GL_IMAGE_PIXEL_FORMAT:
        return gl_pixels_format(r->base, format);
    case GL_IMAGE_PIXEL_TYPE:
        return gl_pixels_type(format);
    default: /* loads, stores and atomic operations (§8.26) */
        return full(
            (!is_multisampled(r) || r->ctx->consts.glsl->limits.max_image_samples > 0) &&
            (pname != GL_SHADER_IMAGE_ATOMIC || r->internal == GL_R32I || r->internal == GL_R32UI));
    }
}

/* Like the texture parameter, which buffer textures don't have. */
static GLint64 ask_image_compatibility(const struct resource *r, GLint arg)
{
    return r->ctx->ext.ARB_shader_image_load_store && r->index >= 0 && !is_buffer(r)
               ? GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE
               : GL_NONE;
}

static GLint64 ask_feedback(const struct resource *r, GLint kind)
{
    return full(r->index >= 0 && ask_renderable(r, kind));
}

/* Sampling an image while writing it is a feedback loop with undefined results (§9.3.1). There is
 * no fixed-rate compression. */
static GLint64 ask_nothing(const struct resource *r, GLint arg)
{
    (void)r, (void)arg;
    return GL_NONE;
}

static GLint64 ask_block(const struct resource *r, GLint pname)
{
    const struct drv_format_desc *d = drv_format_desc(r->format);
    return !util_format_is_compressed(r->format)         ? 0
           : pname == GL_TEXTURE_COMPRESSED              ? GL_TRUE
           : pname == GL_TEXTURE_COMPRESSED_BLOCK_WIDTH  ? d->block_width
           : pname == GL_TEXTURE_COMPRESSED_BLOCK_HEIGHT ? d->block_height
                                                         : d->block_bytes;
}

static GLint64 ask_clear_texture(const struct resource *r, GLint arg)
{
    return full(r->ctx->ext.ARB_clear_texture && r->index >= 0 && !is_buffer(r) &&
                !gl_format_is_compressed(r->ctx, r->internal) &&
                !gl_format_is_generic(r->internal));
}

static GLint64 ask_clear_buffer(const struct resource *r, GLint arg)
{
    return full(r->ctx->ext.ARB_clear_buffer_object && is_buffer(r));
}

static GLint64 ask_view(const struct resource *r, GLint pname)
{
    bool has = r->ctx->ext.ARB_texture_view && r->index >= 0 && !is_buffer(r) &&
               !gl_format_is_unsized(r->internal);
    return !has ? GL_NONE : pname == GL_TEXTURE_VIEW ? GL_FULL_SUPPORT : gl_view_class(r->internal);
}

static GLint64 ask_num_samples(const struct resource *r, GLint arg)
{
    return r->counts;
}

/* ARB_sparse_texture: each format that can be sparse has one page size. axis: 0 to 2; -1: number of
 * page sizes */
static GLint64 ask_page(const struct resource *r, GLint axis)
{
    uint32_t size[3];
    if (r->index < 0 || !gl_sparse_page_size(r->ctx, r->index, r->format,
                                             is_multisampled(r) ? r->samples[0] : 0, size))
        return 0;
    return axis < 0 ? 1 : size[axis];
}

#define SELF(pname, ask) {pname, ask, pname}

static const struct query {
    GLenum pname;
    answer ask;
    GLint arg;
} queries[] = {
    {GL_INTERNALFORMAT_SUPPORTED, ask_supported, 0},
    {GL_NUM_SAMPLE_COUNTS, ask_num_samples, 0},
    {GL_INTERNALFORMAT_PREFERRED, ask_preferred, 0},
    {GL_INTERNALFORMAT_RED_SIZE, ask_size, 0},
    {GL_INTERNALFORMAT_GREEN_SIZE, ask_size, 1},
    {GL_INTERNALFORMAT_BLUE_SIZE, ask_size, 2},
    {GL_INTERNALFORMAT_ALPHA_SIZE, ask_size, 3},
    {GL_INTERNALFORMAT_DEPTH_SIZE, ask_size, 6},
    {GL_INTERNALFORMAT_STENCIL_SIZE, ask_size, 7},
    {GL_INTERNALFORMAT_SHARED_SIZE, ask_shared_size, 0},
    {GL_INTERNALFORMAT_RED_TYPE, ask_type, 0},
    {GL_INTERNALFORMAT_GREEN_TYPE, ask_type, 1},
    {GL_INTERNALFORMAT_BLUE_TYPE, ask_type, 2},
    {GL_INTERNALFORMAT_ALPHA_TYPE, ask_type, 3},
    {GL_INTERNALFORMAT_DEPTH_TYPE, ask_type, 6},
    {GL_INTERNALFORMAT_STENCIL_TYPE, ask_type, 7},
    {GL_MAX_WIDTH, ask_dimension, 0},
    {GL_MAX_HEIGHT, ask_dimension, 1},
    {GL_MAX_DEPTH, ask_dimension, 2},
    {GL_MAX_LAYERS, ask_layers, 0},
    {GL_MAX_COMBINED_DIMENSIONS, ask_combined, 0},
    {GL_COLOR_COMPONENTS, ask_components, COLOR},
    {GL_DEPTH_COMPONENTS, ask_components, DEPTH},
    {GL_STENCIL_COMPONENTS, ask_components, STENCIL},
    {GL_COLOR_RENDERABLE, ask_renderable, COLOR},
    {GL_DEPTH_RENDERABLE, ask_renderable, DEPTH},
    {GL_STENCIL_RENDERABLE, ask_renderable, STENCIL},
    {GL_FRAMEBUFFER_RENDERABLE, ask_framebuffer, 0},
    {GL_FRAMEBUFFER_RENDERABLE_LAYERED, ask_layered, 0},
    {GL_FRAMEBUFFER_BLEND, ask_blend, 0},
    {GL_READ_PIXELS, ask_framebuffer, 0},
    SELF(GL_READ_PIXELS_FORMAT, ask_read_pixels),
    SELF(GL_READ_PIXELS_TYPE, ask_read_pixels),
    SELF(GL_TEXTURE_IMAGE_FORMAT, ask_texture_pixels),
    SELF(GL_TEXTURE_IMAGE_TYPE, ask_texture_pixels),
    SELF(GL_GET_TEXTURE_IMAGE_FORMAT, ask_texture_pixels),
    SELF(GL_GET_TEXTURE_IMAGE_TYPE, ask_texture_pixels),
    {GL_MIPMAP, ask_mipmap, 0},
    SELF(GL_MANUAL_GENERATE_MIPMAP, ask_generate),
    SELF(GL_AUTO_GENERATE_MIPMAP, ask_generate),
    {GL_COLOR_ENCODING, ask_encoding, 0},
    {GL_SRGB_READ, ask_srgb_read, 0},
    {GL_SRGB_WRITE, ask_srgb_write, 0},
    {GL_SRGB_DECODE_ARB, ask_srgb_read, 0},
    {GL_FILTER, ask_filter, 0},
    {GL_TEXTURE_REDUCTION_MODE_ARB, ask_filter, 0},
    SELF(GL_VERTEX_TEXTURE, ask_stage),
    SELF(GL_TESS_CONTROL_TEXTURE, ask_stage),
    SELF(GL_TESS_EVALUATION_TEXTURE, ask_stage),
    SELF(GL_GEOMETRY_TEXTURE, ask_stage),
    SELF(GL_FRAGMENT_TEXTURE, ask_stage),
    SELF(GL_COMPUTE_TEXTURE, ask_stage),
    {GL_TEXTURE_SHADOW, ask_shadow, 0},
    {GL_TEXTURE_GATHER, ask_gather, 0},
    {GL_TEXTURE_GATHER_SHADOW, ask_gather_shadow, 0},
    SELF(GL_SHADER_IMAGE_LOAD, ask_image),
    SELF(GL_SHADER_IMAGE_STORE, ask_image),
    SELF(GL_SHADER_IMAGE_ATOMIC, ask_image),
    SELF(GL_IMAGE_TEXEL_SIZE, ask_image),
    SELF(GL_IMAGE_COMPATIBILITY_CLASS, ask_image),
    SELF(GL_IMAGE_PIXEL_FORMAT, ask_image),
    SELF(GL_IMAGE_PIXEL_TYPE, ask_image),
    {GL_IMAGE_FORMAT_COMPATIBILITY_TYPE, ask_image_compatibility, 0},
    {GL_SIMULTANEOUS_TEXTURE_AND_DEPTH_TEST, ask_feedback, DEPTH},
    {GL_SIMULTANEOUS_TEXTURE_AND_STENCIL_TEST, ask_feedback, STENCIL},
    {GL_SIMULTANEOUS_TEXTURE_AND_DEPTH_WRITE, ask_nothing, 0},
    {GL_SIMULTANEOUS_TEXTURE_AND_STENCIL_WRITE, ask_nothing, 0},
    SELF(GL_TEXTURE_COMPRESSED, ask_block),
    SELF(GL_TEXTURE_COMPRESSED_BLOCK_WIDTH, ask_block),
    SELF(GL_TEXTURE_COMPRESSED_BLOCK_HEIGHT, ask_block),
    SELF(GL_TEXTURE_COMPRESSED_BLOCK_SIZE, ask_block),
    {GL_CLEAR_BUFFER, ask_clear_buffer, 0},
    {GL_CLEAR_TEXTURE, ask_clear_texture, 0},
    SELF(GL_TEXTURE_VIEW, ask_view),
    SELF(GL_VIEW_COMPATIBILITY_CLASS, ask_view),
    {GL_NUM_VIRTUAL_PAGE_SIZES_ARB, ask_page, -1},
    {GL_VIRTUAL_PAGE_SIZE_X_ARB, ask_page, 0},
    {GL_VIRTUAL_PAGE_SIZE_Y_ARB, ask_page, 1},
    {GL_VIRTUAL_PAGE_SIZE_Z_ARB, ask_page, 2},
    {GL_NUM_SURFACE_COMPRESSION_FIXED_RATES_EXT, ask_nothing, 0},
    {GL_SURFACE_COMPRESSION_EXT, ask_nothing, 0},
};

#undef SELF

/* --------------------------------------------------------------------------------- commands --- */

/* Returns whether the query is one of EXT_texture_storage_compression. It applies to all formats
 * and targets of textures. */
static bool is_rate_query(const struct gl_context *ctx, GLenum pname)
{
    return ctx->ext.EXT_texture_storage_compression &&
           (pname == GL_NUM_SURFACE_COMPRESSION_FIXED_RATES_EXT ||
            pname == GL_SURFACE_COMPRESSION_EXT);
}

/* Returns whether the query is one of ARB_sparse_texture. */
static bool is_page_query(GLenum pname)
{
    return pname == GL_NUM_VIRTUAL_PAGE_SIZES_ARB || pname == GL_VIRTUAL_PAGE_SIZE_X_ARB ||
           pname == GL_VIRTUAL_PAGE_SIZE_Y_ARB || pname == GL_VIRTUAL_PAGE_SIZE_Z_ARB;
}

/* Returns the row of a query; NULL if the context doesn't have it. GL_SAMPLES uses the row of
 * GL_NUM_SAMPLE_COUNTS. */
static const struct query *find_query(const struct gl_context *ctx, GLenum pname)
{
    bool counts = pname == GL_SAMPLES || pname == GL_NUM_SAMPLE_COUNTS;
    if ((!counts && !is_rate_query(ctx, pname) && !ctx->ext.ARB_internalformat_query2) ||
        (pname == GL_SRGB_DECODE_ARB && !ctx->ext.EXT_texture_sRGB_decode) ||
        (is_page_query(pname) && !ctx->ext.ARB_sparse_texture) ||
        (pname == GL_TEXTURE_REDUCTION_MODE_ARB && !ctx->ext.ARB_texture_filter_minmax) ||
        (pname == GL_SURFACE_COMPRESSION_EXT && !is_rate_query(ctx, pname)) ||
        (pname == GL_NUM_SURFACE_COMPRESSION_FIXED_RATES_EXT && !is_rate_query(ctx, pname)))
        return NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(queries); i++)
        if (queries[i].pname == (counts ? GL_NUM_SAMPLE_COUNTS : pname))
            return &queries[i];
    return NULL;
}

/* Returns whether the target may be queried. Without ARB_internalformat_query2, only multisample
 * targets may. */
static bool may_ask(const struct gl_context *ctx, GLenum target)
{
    return ctx->ext.ARB_internalformat_query2 || target == GL_RENDERBUFFER ||
           (ctx->ext.ARB_texture_multisample &&
            (target == GL_TEXTURE_2D_MULTISAMPLE || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY));
}

/* Executes a query. Stores up to count values and returns their number; 0 after an error. */
static unsigned query(struct gl_context *ctx, GLenum target, GLenum internal, GLenum pname,
                      GLsizei count, GLint64 values[MAX_COUNTS], const char *call)
{
    struct resource r = {.ctx = ctx, .target = find_target(target), .internal = (GLint)internal};
    const struct query *q = find_query(ctx, pname);
    const bool rates = is_rate_query(ctx, pname);
    if (!r.target || (!rates && !may_ask(ctx, target))) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
        return 0;
    }
    if (!ctx->ext.ARB_internalformat_query2 &&
        (!gl_base_format(ctx, internal) || (!rates && !gl_format_is_renderable(ctx, internal)))) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", call, gl_enum_name(internal));
        return 0;
    }
    if (!q) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
        return 0;
    }
    if (count < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(count=%d)", call, count);
        return 0;
    }
    if (pname == GL_SURFACE_COMPRESSION_EXT)
        return 0;
    bool supported = describe(&r);
    if (pname == GL_SAMPLES) {
        unsigned n = supported ? r.counts : 0;
        for (unsigned i = 0; i < n; i++)
            values[i] = r.samples[i];
        return MIN2(n, (unsigned)count);
    }
    values[0] = supported ? q->ask(&r, q->arg) : 0;
    return MIN2(1, (unsigned)count);
}

void gl_GetInternalformativ(GLenum target, GLenum internalformat, GLenum pname, GLsizei count,
                            GLint *params)
{
    GL_CONTEXT(ctx);
    GLint64 values[MAX_COUNTS];
    unsigned n = query(ctx, target, internalformat, pname, count, values, "glGetInternalformativ");
    for (unsigned i = 0; i < n; i++)
        params[i] = (GLint)MIN2(values[i], INT32_MAX);
}

void gl_GetInternalformati64v(GLenum target, GLenum internalformat, GLenum pname, GLsizei count,
                              GLint64 *params)
{
    GL_CONTEXT(ctx);
    GLint64 values[MAX_COUNTS];
    unsigned n =
        query(ctx, target, internalformat, pname, count, values, "glGetInternalformati64v");
    for (unsigned i = 0; i < n; i++)
        params[i] = values[i];
}
