/* SPDX-License-Identifier: MIT */
/* Framebuffers, and the formats and tilings that planes support. Source of the tilings: Intel's
 * Skylake PRM, volume 5, "Address Tiling Function". */
#include "gpu/gpu_framebuffer.h"

#include <errno.h>
#include <libdrm/drm.h>
#include <libdrm/drm_fourcc.h>
#include <libdrm/i915_drm.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_display.h"
#include "gpu/gpu_requests.h"
#include "util/macros.h"

enum { MAX_SIZE = 8192, FIRST_ID = 1 << 10 };

static struct gpu_table framebuffers; /* struct gpu_framebuffer */

static const struct format {
    uint32_t format;
    uint8_t bytes; /* per pixel */
    uint8_t bits;  /* per color channel of formats with 4 bytes */
    bool is_bgr;   /* red is in the low bits */
    bool has_alpha;
} formats[] = {
    {DRM_FORMAT_XRGB8888, 4, 8, false, false},     {DRM_FORMAT_ARGB8888, 4, 8, false, true},
    {DRM_FORMAT_XBGR8888, 4, 8, true, false},      {DRM_FORMAT_ABGR8888, 4, 8, true, true},
    {DRM_FORMAT_XRGB2101010, 4, 10, false, false}, {DRM_FORMAT_XBGR2101010, 4, 10, true, false},
    {DRM_FORMAT_RGB565, 2, 5, false, false},
};

static const uint64_t modifiers[] = {
    I915_FORMAT_MOD_Y_TILED,
    I915_FORMAT_MOD_X_TILED,
    DRM_FORMAT_MOD_LINEAR,
};

static const struct format *find_format(uint32_t format)
{
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

/* Returns whether the display of the chip can show a tiling: Y since Gen9, X with any GPU. */
static bool supports_modifier(uint64_t modifier)
{
    unsigned ver = gpu_get_chip()->ver;

    return modifier == DRM_FORMAT_MOD_LINEAR || (modifier == I915_FORMAT_MOD_X_TILED && ver) ||
           (modifier == I915_FORMAT_MOD_Y_TILED && ver >= 9);
}

size_t gpu_framebuffer_formats(void *blob)
{
    struct drm_format_modifier_blob header = {
        .version = FORMAT_BLOB_CURRENT,
        .count_formats = ARRAY_SIZE(formats),
        .formats_offset = sizeof header,
        .modifiers_offset = ALIGN_POT(sizeof header + ARRAY_SIZE(formats) * sizeof(uint32_t), 8),
    };
    uint8_t *bytes = blob;

    for (unsigned i = 0; i < ARRAY_SIZE(modifiers); i++) {
        struct drm_format_modifier modifier = {.formats = BITFIELD64_MASK(ARRAY_SIZE(formats)),
                                               .modifier = modifiers[i]};

        if (!supports_modifier(modifiers[i]))
            continue;
        if (blob)
            memcpy(bytes + header.modifiers_offset + header.count_modifiers * sizeof modifier,
                   &modifier, sizeof modifier);
        header.count_modifiers++;
    }
    if (blob) {
        memcpy(blob, &header, sizeof header);
        for (unsigned i = 0; i < ARRAY_SIZE(formats); i++)
            memcpy(bytes + header.formats_offset + i * sizeof(uint32_t), &formats[i].format,
                   sizeof(uint32_t));
    }
    return header.modifiers_offset + header.count_modifiers * sizeof(struct drm_format_modifier);
}

/* ---------------------------------------------------------------------------- lifetime --- */

struct gpu_framebuffer *gpu_framebuffer_get(uint32_t id)
{
    return gpu_table_get(&framebuffers, id);
}

struct gpu_framebuffer *gpu_framebuffer_ref(struct gpu_framebuffer *fb)
{
    if (fb)
        fb->refcount++;
    return fb;
}

void gpu_framebuffer_unref(struct gpu_framebuffer *fb)
{
    if (!fb || --fb->refcount)
        return;
    if (fb->is_pinned)
        gpu_bo_unpin(fb->bo);
    gpu_bo_unref(fb->bo);
    free(fb);
}

/* Revokes the id. close: planes may still show the framebuffer. */
static void remove_framebuffer(struct gpu_framebuffer *fb, bool close)
{
    gpu_table_remove(&framebuffers, fb->id);
    if (!close)
        gpu_display_forget(fb);
    fb->id = 0;
    fb->file = NULL;
    gpu_framebuffer_unref(fb);
}

void gpu_framebuffers_close(struct gpu_file *file)
{
    struct gpu_framebuffer *fb;
    uint32_t id;

    gpu_table_foreach(&framebuffers, id, fb)
    {
        if (fb->file == file)
            remove_framebuffer(fb, false);
    }
}

/* ---------------------------------------------------------------------------- requests --- */

/* Returns the bytes of a row and the number of rows of a tile. */
static void get_tile(uint64_t modifier, uint32_t *width, uint32_t *height)
{
    *width = modifier == I915_FORMAT_MOD_X_TILED   ? 512
             : modifier == I915_FORMAT_MOD_Y_TILED ? 128
                                                   : 64;
    *height = modifier == I915_FORMAT_MOD_X_TILED   ? 8
              : modifier == I915_FORMAT_MOD_Y_TILED ? 32
                                                    : 1;
}

static uint64_t modifier_of(const struct gpu_bo *bo)
{
    return bo->tiling == I915_TILING_X   ? I915_FORMAT_MOD_X_TILED
           : bo->tiling == I915_TILING_Y ? I915_FORMAT_MOD_Y_TILED
                                         : DRM_FORMAT_MOD_LINEAR;
}

static int check_layout(const struct drm_mode_fb_cmd2 *args, const struct gpu_bo *bo,
                        uint64_t modifier)
{
    const struct format *format = find_format(args->pixel_format);
    uint32_t width, height;
    uint64_t end;

    if (!format || !supports_modifier(modifier))
        return -EINVAL;
    get_tile(modifier, &width, &height);
    if (args->pitches[0] < (uint64_t)args->width * format->bytes || args->pitches[0] % width ||
        (height > 1 && args->offsets[0] % GPU_PAGE))
        return -EINVAL;
    end = height == 1
              ? (uint64_t)args->pitches[0] * (args->height - 1) + args->width * format->bytes
              : (uint64_t)args->pitches[0] * ALIGN_POT(args->height, height);
    return end > bo->size || args->offsets[0] > bo->size - end ? -EINVAL : 0;
}

int gpu_mode_addfb2(struct gpu_file *file, void *data)
{
    struct drm_mode_fb_cmd2 *args = data;
    bool has_modifiers = args->flags & DRM_MODE_FB_MODIFIERS;
    struct gpu_framebuffer *fb;
    struct gpu_bo *bo;
    uint64_t modifier;
    int error;

    if (args->flags & ~(uint32_t)(DRM_MODE_FB_INTERLACED | DRM_MODE_FB_MODIFIERS) || !args->width ||
        !args->height || args->width > MAX_SIZE || args->height > MAX_SIZE)
        return -EINVAL;
    for (unsigned i = 1; i < ARRAY_SIZE(args->handles); i++) {
        if (args->handles[i] || args->pitches[i] || args->offsets[i])
            return -EINVAL; /* no format has several planes */
    }
    if (!args->handles[0])
        return -EINVAL;
    bo = gpu_bo_get(file, args->handles[0]);
    if (!bo)
        return -ENOENT;
    if (bo->fd < 0)
        return -EINVAL;
    modifier = has_modifiers ? args->modifier[0] : modifier_of(bo);
    error = check_layout(args, bo, modifier);
    if (error)
        return error;
    fb = calloc(1, sizeof *fb);
    if (!fb)
        return -ENOMEM;
    *fb = (struct gpu_framebuffer){.refcount = 1,
                                   .file = file,
                                   .bo = gpu_bo_ref(bo),
                                   .width = args->width,
                                   .height = args->height,
                                   .pitch = args->pitches[0],
                                   .offset = args->offsets[0],
                                   .format = args->pixel_format,
                                   .flags = args->flags,
                                   .modifier = modifier};
    if (!framebuffers.first)
        gpu_table_init(&framebuffers, FIRST_ID);
    fb->id = gpu_table_add(&framebuffers, fb);
    fb->is_pinned = gpu_bo_pin(bo);
    if (!fb->id || !fb->is_pinned) {
        if (fb->id)
            gpu_table_remove(&framebuffers, fb->id);
        gpu_framebuffer_unref(fb);
        return -ENOMEM;
    }
    args->fb_id = fb->id;
    return 0;
}

/* Returns the format with a number of bits per pixel and of color, or 0. */
static uint32_t legacy_format(uint32_t bpp, uint32_t depth)
{
    return bpp == 32 && depth == 24   ? DRM_FORMAT_XRGB8888
           : bpp == 32 && depth == 32 ? DRM_FORMAT_ARGB8888
           : bpp == 32 && depth == 30 ? DRM_FORMAT_XRGB2101010
           : bpp == 16 && depth == 16 ? DRM_FORMAT_RGB565
                                      : 0;
}

int gpu_mode_addfb(struct gpu_file *file, void *data)
{
    struct drm_mode_fb_cmd *args = data;
    struct drm_mode_fb_cmd2 args2 = {.width = args->width,
                                     .height = args->height,
                                     .pixel_format = legacy_format(args->bpp, args->depth),
                                     .handles = {args->handle},
                                     .pitches = {args->pitch}};
    int error = args2.pixel_format ? gpu_mode_addfb2(file, &args2) : -EINVAL;

    args->fb_id = args2.fb_id;
    return error;
}

/* Returns the file's framebuffer with that id, or NULL. */
static struct gpu_framebuffer *get_own(const struct gpu_file *file, uint32_t id)
{
    struct gpu_framebuffer *fb = gpu_framebuffer_get(id);

    return fb && fb->file == file ? fb : NULL;
}

int gpu_mode_rmfb(struct gpu_file *file, void *data)
{
    struct gpu_framebuffer *fb = get_own(file, *(uint32_t *)data);

    if (!fb)
        return -ENOENT;
    remove_framebuffer(fb, false);
    return 0;
}

int gpu_mode_closefb(struct gpu_file *file, void *data)
{
    const struct gpu_closefb *args = data;
    struct gpu_framebuffer *fb = get_own(file, args->fb_id);

    if (args->pad)
        return -EINVAL;
    if (!fb)
        return -ENOENT;
    remove_framebuffer(fb, true);
    return 0;
}

/* Returns a handle of a framebuffer's buffer, or 0 if the file may not have one. */
static uint32_t make_handle(struct gpu_file *file, struct gpu_framebuffer *fb)
{
    if (!file->is_master && !gpu_is_admin())
        return 0;
    return gpu_bo_add_handle(file, fb->bo);
}

int gpu_mode_getfb(struct gpu_file *file, void *data)
{
    struct drm_mode_fb_cmd *args = data;
    struct gpu_framebuffer *fb = gpu_framebuffer_get(args->fb_id);
    const struct format *format;

    if (!fb)
        return -ENOENT;
    format = find_format(fb->format);
    args->width = fb->width;
    args->height = fb->height;
    args->pitch = fb->pitch;
    args->bpp = format->bytes * 8;
    args->depth = format->bytes == 2 ? 16 : format->bits * 3 + (format->has_alpha ? 8 : 0);
    args->handle = make_handle(file, fb);
    return 0;
}

int gpu_mode_getfb2(struct gpu_file *file, void *data)
{
    struct drm_mode_fb_cmd2 *args = data;
    struct gpu_framebuffer *fb = gpu_framebuffer_get(args->fb_id);

    if (!fb)
        return -ENOENT;
    *args = (struct drm_mode_fb_cmd2){.fb_id = args->fb_id,
                                      .width = fb->width,
                                      .height = fb->height,
                                      .pixel_format = fb->format,
                                      .flags = DRM_MODE_FB_MODIFIERS,
                                      .handles = {make_handle(file, fb)},
                                      .pitches = {fb->pitch},
                                      .offsets = {fb->offset},
                                      .modifier = {fb->modifier}};
    return 0;
}

int gpu_mode_dirtyfb(struct gpu_file *file, void *data)
{
    const struct drm_mode_fb_dirty_cmd *args = data;

    if (!get_own(file, args->fb_id))
        return -ENOENT;
    return args->flags & ~(uint32_t)DRM_MODE_FB_DIRTY_FLAGS ? -EINVAL : gpu_display_refresh();
}

/* ------------------------------------------------------------------------------ pixels --- */

/* Returns the offset in the buffer of byte x of row y. */
static uint64_t offset_of(const struct gpu_framebuffer *fb, uint32_t x, uint32_t y)
{
    uint32_t width, height, column;
    uint64_t tile;

    if (fb->modifier == DRM_FORMAT_MOD_LINEAR)
        return fb->offset + (uint64_t)y * fb->pitch + x;
    get_tile(fb->modifier, &width, &height);
    tile = (uint64_t)(y / height) * (fb->pitch / width) + x / width;
    x %= width;
    y %= height;
    if (fb->modifier == I915_FORMAT_MOD_X_TILED)
        return fb->offset + tile * GPU_PAGE + y * width + x;
    column = x / 16; /* of 16 bytes in each row */
    return fb->offset + tile * GPU_PAGE + column * (16 * height) + y * 16 + x % 16;
}

void gpu_framebuffer_read(const struct gpu_framebuffer *fb, const uint8_t *map, uint32_t y,
                          uint32_t x, uint8_t *bytes, uint32_t count)
{
    uint32_t run = fb->modifier == I915_FORMAT_MOD_Y_TILED   ? 16
                   : fb->modifier == I915_FORMAT_MOD_X_TILED ? 512
                                                             : count;

    for (uint32_t end = x + count, part; x < end; x += part, bytes += part) {
        part = run == count ? count : MIN2(end - x, run - x % run);
        memcpy(bytes, map + offset_of(fb, x, y), part);
    }
}

static void convert(const struct format *format, uint32_t pixel, uint8_t *rgba)
{
    unsigned shift = format->bits == 10 ? 2 : 0, step = format->bits;

    if (format->bytes == 2) {
        rgba[0] = (pixel >> 11) * 255 / 31;
        rgba[1] = (pixel >> 5 & 63) * 255 / 63;
        rgba[2] = (pixel & 31) * 255 / 31;
        rgba[3] = 255;
        return;
    }
    for (unsigned i = 0; i < 3; i++)
        rgba[format->is_bgr ? i : 2 - i] = pixel >> (i * step + shift) & 0xff;
    rgba[3] = format->has_alpha ? pixel >> 24 : 255;
}

void gpu_framebuffer_read_rgba(const struct gpu_framebuffer *fb, const uint8_t *map, uint32_t y,
                               uint8_t *rgba)
{
    const struct format *format = find_format(fb->format);
    uint8_t row[MAX_SIZE * 4];

    gpu_framebuffer_read(fb, map, y, 0, row, fb->width * format->bytes);
    for (uint32_t x = 0; x < fb->width; x++) {
        uint32_t pixel = 0;

        memcpy(&pixel, row + x * format->bytes, format->bytes);
        convert(format, pixel, rgba + x * 4);
    }
}
