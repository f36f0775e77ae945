/* SPDX-License-Identifier: MIT */
/*
 * Surfaces: what RENDER_SURFACE_STATE describes, and where its texels are in memory.
 * Source: Skylake PRM, volume 2d, "RENDER_SURFACE_STATE"; Broadwell PRM, volume 5, "Surface Layout
 * and Tiling".
 */
#ifndef MODEL_SURFACE_H
#define MODEL_SURFACE_H

#include "model_format.h"
#include "model_private.h"

#define MODEL_MAX_LEVELS 15 /* Maximum number of mip levels. */

/* Texels x0 to x1 - 1, y0 to y1 - 1. */
struct model_region {
    uint32_t x0, y0, x1, y1;
};

/* A decoded surface state. An element is a texel, or a block of a compressed format. */
struct model_surface {
    struct model_context *ctx;
    struct model_format format;
    uint8_t type;           /* enum i965_surface_type; reads of null surfaces return 0 */
    uint8_t tile;           /* enum i965_tile_mode */
    uint8_t samples_log2;   /* 0 to 4 */
    bool interleaved;       /* The samples of a pixel are in the same slice (depth and stencil). */
    bool array;             /* Surface Array: the surface has array elements. */
    bool row;               /* Linear 1D surface: the levels of a slice follow each other. */
    uint32_t width, height; /* Of level 0, in texels. */
    uint32_t depth;         /* Slices of a 3D surface, or array elements; 6 for each cube. */
    uint32_t min_element;   /* Array element that index 0 refers to. */
    uint32_t extent;        /* Render targets: number of elements or slices from min_element on. */
    uint8_t first_level, num_levels; /* For the sampling engine. */
    uint8_t lod;                     /* Render targets: the level that is drawn to. */
    float resource_min_lod; /* Minimum level of detail of samples, relative to first_level. */
    uint32_t pitch;         /* Bytes per row of elements; buffers: per element. */
    uint32_t qpitch;        /* Rows of elements from slice to slice; linear 1D surfaces: texels. */
    uint32_t x_offset, y_offset; /* Added to the position, in elements. */
    uint64_t entries;            /* Number of elements of a buffer. */
    uint64_t address;            /* GPU address of level 0. */
    uint8_t swizzle[4];          /* enum i965_shader_channel_select of R, G, B, A */
    uint8_t cube_faces;          /* Enabled faces, +x in bit 0. */
    uint8_t aux;                 /* enum i965_render_surface_state_auxiliary_surface_mode */
    uint8_t *control;            /* Control surface of level 0 (model_control.c), NULL: none. */
    bool has_clears;             /* Blocks of the control surface can be cleared. */
    uint64_t control_mapped;     /* Number of contiguous bytes there. */
    uint32_t control_pitch;      /* In bytes, a multiple of 128. */
    uint32_t clear[4];           /* Clear color; of depth surfaces, [0] is the clear value. */
    /* The hierarchical depth buffer of a sampled depth surface; NULL if there is none. */
    const struct model_surface *hiz;
    struct {
        uint32_t x, y; /* Position of a level's first element in its slice. */
    } level[MODEL_MAX_LEVELS];
    /* Yf and Ys tiles: log2 of a tile's width, height and depth in elements, and log2 of its size
     * in bytes. 0 for other surfaces. Levels from `tail` on share one tile (mip tail). */
    uint8_t tile_log2[3], tile_bytes_log2, tail;
    uint8_t *bytes;  /* Memory at the address, NULL if it is not mapped. */
    uint64_t mapped; /* Number of contiguous bytes there. */
};

/* Initializes a surface from its state. Returns false after model_error(). */
bool model_surface_init(struct model_surface *s, struct model_context *ctx,
                        const struct i965_render_surface_state *state);

/* Initializes the depth or the stencil buffer from their packets. type is SURFTYPE_NULL if there is
 * none. Returns false after model_error(). */
bool model_depth_surface_init(struct model_surface *s, struct model_context *ctx);
bool model_stencil_surface_init(struct model_surface *s, struct model_context *ctx);
/* Initializes the surface of a depth buffer's hierarchical depth buffer. An element has 16 bytes
 * and describes a block of 8×4 samples. type is SURFTYPE_NULL if there is none. */
void model_hiz_surface_init(struct model_surface *s, const struct model_surface *depth);
/* Initializes the hierarchical depth buffer of a surface that the sampler reads: its auxiliary
 * surface in the mode AUX_HIZ. type is SURFTYPE_NULL if there is none. */
void model_sampled_hiz_init(struct model_surface *s, const struct model_surface *depth,
                            const struct i965_render_surface_state *state);
/* First byte of an element of the hierarchical depth buffer if the block's values are in the depth
 * buffer. With any other byte, all samples of the block have the clear value. */
#define MODEL_HIZ_VALUES 0xff

/* --- Control surfaces (model_control.c). For a surface without one, functions do nothing and
 * return false or 0; model_surface_expand() returns true. Blocks are those of level 0: marks don't
 * change if the surface's lod is another level. --- */

/* Allocate and free ctx->clears, the table of surfaces whose cleared blocks have the clear color in
 * memory, too. model_clears_create() returns false if memory is exhausted. */
bool model_clears_create(struct model_context *ctx);
void model_clears_destroy(struct model_context *ctx);
/* Empties the table. Called before a draw or walker decodes surface states. */
void model_clears_start(struct model_context *ctx);

/* Finds the control surface of a decoded surface: sets control, control_mapped, control_pitch and
 * has_clears. */
void model_control_init(struct model_surface *s, const struct i965_render_surface_state *state);
/* Writes the clear color to the memory of cleared blocks, unless this has been done since
 * model_clears_start() or the table is full. Thread-safe. Returns false after model_error(). */
bool model_surface_expand(const struct model_surface *s);
/* Returns whether the block of a texel of level 0 is cleared. */
bool model_surface_is_clear(const struct model_surface *s, uint32_t x, uint32_t y);
/* Stores the size in texels of the region that one pixel of a fast clear's or resolve's rectangle
 * stands for. Also for surfaces without a control surface. */
void model_control_scale(const struct model_surface *s, uint32_t *width, uint32_t *height);
/* Each of these three changes the marks of blocks with texels in a region of level 0, and returns
 * the number of blocks. model_surface_mark_clear() marks them as cleared if they can be
 * (has_clears); model_surface_unmark_clear() marks cleared blocks as uncompressed, as a partial
 * resolve does; model_surface_unmark() marks all as uncompressed, as a full resolve does. */
uint64_t model_surface_mark_clear(const struct model_surface *s, const struct model_region *region);
uint64_t model_surface_unmark_clear(const struct model_surface *s,
                                    const struct model_region *region);
uint64_t model_surface_unmark(const struct model_surface *s, const struct model_region *region);
/* Marks the block of a texel as written: as compressed if the surface has lossless compression,
 * otherwise as uncompressed. Thread-safe. */
void model_surface_mark(const struct model_surface *s, uint32_t x, uint32_t y);

/* Replaces the position *x, *y of a pixel by the position of one of its samples in an interleaved
 * surface. */
void model_interleave(unsigned samples_log2, unsigned sample, uint32_t *x, uint32_t *y);

/* Returns the surface of a binding table entry, valid until model_env_finish(). Decodes it at the
 * first use. Returns NULL after model_error(). */
struct model_surface *model_env_surface(struct model_env *env, unsigned index);

/* Returns the offset of a texel's element from the surface's address, in bytes. x, y: in texels.
 * level and slice are absolute: they include first_level and min_element. */
uint64_t model_surface_offset(const struct model_surface *s, unsigned level, uint32_t x, uint32_t y,
                              uint32_t slice, unsigned sample);

/* Returns `bytes` bytes of memory at an offset, or NULL if they are not mapped. */
uint8_t *model_surface_bytes(const struct model_surface *s, uint64_t offset, unsigned bytes);

/* Returns the memory of a texel's element, or NULL if it is not mapped. */
static inline uint8_t *model_surface_texel(const struct model_surface *s, unsigned level,
                                           uint32_t x, uint32_t y, uint32_t slice, unsigned sample)
{
    return model_surface_bytes(s, model_surface_offset(s, level, x, y, slice, sample),
                               s->format.bytes);
}

/* Returns the size of a level in one dimension. size: that of level 0. */
static inline uint32_t model_minify(uint32_t size, unsigned level)
{
    return MAX2(size >> level, 1);
}

/* Returns the size of a buffer surface in bytes. */
static inline uint64_t model_buffer_size(const struct model_surface *s)
{
    return s->format.kind == MODEL_TEXEL_RAW ? s->entries : s->entries * s->pitch;
}

#endif
