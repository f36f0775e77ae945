/* SPDX-License-Identifier: MIT */
/*
 * Framebuffers: buffers with the layout of an image that a plane of the display can show.
 *
 * All functions require the device's lock, unless they say otherwise.
 */
#ifndef GPU_FRAMEBUFFER_H
#define GPU_FRAMEBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu_bo;
struct gpu_file;

struct gpu_framebuffer {
    int refcount;
    uint32_t id;            /* 0: removed */
    struct gpu_file *file;  /* its creator, whose closing removes it; NULL: removed */
    struct gpu_bo *bo;      /* a reference */
    bool is_pinned;         /* bo is pinned */
    uint32_t width, height; /* in pixels */
    uint32_t pitch, offset; /* in bytes; pitch: between rows, offset: of the first row in bo */
    uint32_t format;        /* DRM_FORMAT_* */
    uint32_t flags;         /* DRM_MODE_FB_* that it was created with */
    uint64_t modifier;      /* DRM_FORMAT_MOD_LINEAR or I915_FORMAT_MOD_*_TILED */
};

/* Returns the framebuffer with that id without a reference, or NULL. */
struct gpu_framebuffer *gpu_framebuffer_get(uint32_t id);
/* Takes a reference and returns fb, which may be NULL. */
struct gpu_framebuffer *gpu_framebuffer_ref(struct gpu_framebuffer *fb);
void gpu_framebuffer_unref(struct gpu_framebuffer *fb); /* fb may be NULL */
/* Removes the framebuffers that a file has created, and calls gpu_display_forget for each. */
void gpu_framebuffers_close(struct gpu_file *file);

/* Copies bytes x to x + count - 1 of row y, which must be inside of the framebuffer, to `bytes`.
 * Converts tiled layouts to a linear one. map: the buffer's memory (gpu_bo_map). Doesn't require
 * the lock. */
void gpu_framebuffer_read(const struct gpu_framebuffer *fb, const uint8_t *map, uint32_t y,
                          uint32_t x, uint8_t *bytes, uint32_t count);
/* Converts row y to R, G, B and A bytes. rgba: 4 bytes for each pixel of the width. Doesn't require
 * the lock. */
void gpu_framebuffer_read_rgba(const struct gpu_framebuffer *fb, const uint8_t *map, uint32_t y,
                               uint8_t *rgba);

/* Stores the contents of the property IN_FORMATS in `blob`, unless it is NULL. Returns their size
 * in bytes, which `blob` must have. */
size_t gpu_framebuffer_formats(void *blob);

#endif
