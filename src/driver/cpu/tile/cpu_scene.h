/* SPDX-License-Identifier: MIT */
/*
 * Scenes: recorded work on one framebuffer, executed tile by tile.
 *
 * The front end (draw, clip, setup) appends commands to the bins of the tiles that a primitive
 * touches. Bins belong to segments; a tile walks its bins segment by segment, so that segments may
 * be filled by different workers and the order stays the API's. All that commands point to lives in
 * the segments' arenas until the scene has run.
 *
 * A context records one scene while the one before runs on the workers.
 */
#ifndef CPU_SCENE_H
#define CPU_SCENE_H

#include "driver/cpu/kernel/cpu_kernel.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "driver/cpu/kernel/cpu_variant.h"
#include "util/arena.h"
#include "util/dynarray.h"
#include "util/thread_pool.h"
#include "util/watchdog.h"

#define CPU_MAX_COUNTERS 4           /* queries for which tiles count, at the same time */
#define CPU_SCENE_MEMORY (8u << 20)  /* bytes after which a scene is flushed */
#define CPU_SCENE_DEALT  (16u << 20) /* the same if threads fill it, who are then waited for, */
#define CPU_SCENE_SHARE  (5u << 19)  /* or for each thread */
/* Bytes that are worth starting a scene which nobody has asked for, those for each tile included. */
#define CPU_SCENE_WORTH (256u << 10)
#define CPU_TILE_WORTH  (4u << 10)
#define CPU_LIGHT_SCENE                                                                            \
    (16u << 10) /* bytes of a scene that takes little time, as far as one can tell */
#define CPU_ORPHAN_MEMORY (48u << 20) /* bytes of deleted resources that scenes may hold */
#define CPU_MAX_EDGES     4

/* Passes when its jobs have run. Reference-counted; group is submitted once. */
struct cpu_fence {
    int refcount;
    struct job_group group;
};

struct cpu_fence *cpu_fence_create(void);        /* NULL: no memory */
void cpu_fence_release(struct cpu_fence *fence); /* NULL is fine */

typedef int32_t cpu_v4i __attribute__((vector_size(16)));

/* A rectangle of pixels, both ends inclusive; empty when x0 > x1 or y0 > y1. */
struct cpu_rect {
    int32_t x0, y0, x1, y1;
};

/* What a draw's primitives share when they reach the tiles. */
struct cpu_draw {
    const struct cpu_fs_variant *fs;
    const struct cpu_stage_state *state;
    const struct cpu_fs_state *fs_state;
    uint8_t samples;              /* 1: single-sampled */
    const int8_t (*positions)[2]; /* of the samples, in 1/16 pixel from the center; NULL: coverage
                                       is that of pixel centers */
    bool smooth; /* some primitives are: the kernel gets coverage, see struct cpu_block_samples */
    bool smooth_polygons;
    const uint32_t *stipple; /* 32 rows; NULL: no polygon stipple. Only for filled polygons */
    uint8_t num_counters;
    struct cpu_counter {
        uint64_t *sum;    /* atomic */
        bool invocations; /* of the fragment shader are added; else samples that pass */
    } counter[CPU_MAX_COUNTERS];
};

/* Inside of edge i is where c + a * x + b * y >= 0 at the center of pixel x, y. Edges that are not
 * needed are 0: everything is inside. |a|, |b| <= 2^23. */
struct cpu_edges {
    int32_t a[CPU_MAX_EDGES] __attribute__((aligned(16))), b[CPU_MAX_EDGES];
    int64_t c[CPU_MAX_EDGES];
    int32_t
        fraction[CPU_MAX_EDGES]; /* what c has been rounded down by, in 1/256; only where samples
                                        are covered */
};

/* A primitive ready for tiles. */
struct cpu_prim {
    struct cpu_primitive p;
    const struct cpu_draw *draw;
    struct cpu_rect box;    /* pixels that it may cover, inside of scissor and framebuffer */
    bool polygon;           /* polygon stipple applies */
    uint16_t radius;        /* in 1/256 pixel, of a multisampled or smooth round point; else 0 */
    bool smooth;            /* a line or point whose edges are fuzzy, see cpu_smooth.c */
    bool small;             /* its box lies in mask's blocks, which are in one tile */
    uint16_t mask[4];       /* covered pixels of the 2×2 blocks from that of the box's corner */
    struct cpu_edges edges; /* the last: small primitives have no memory for it */
};

struct cpu_clear {
    struct cpu_rect box;
    uint32_t buffers;                                 /* enum drv_clear_buffers */
    uint8_t color[DRV_MAX_COLOR_BUFS][CPU_MAX_TEXEL]; /* a texel of each color buffer */
    uint8_t zs[CPU_MAX_TEXEL];                        /* a texel of the depth-stencil buffer */
    uint8_t zs_mask[8];                               /* its bits that are cleared */
};

/* Commands are pointers whose low bits tell what they point to. */
enum cpu_command {
    CPU_COMMAND_PRIM,  /* struct cpu_prim that covers part of the tile */
    CPU_COMMAND_FULL,  /* struct cpu_prim that covers all of the tile that the framebuffer has */
    CPU_COMMAND_CLEAR, /* struct cpu_clear */
    CPU_COMMAND_MASK = 3,
};

#define CPU_BIN_BLOCK 30

struct cpu_bin_block {
    struct cpu_bin_block *next;
    uint32_t count;
    uintptr_t command[CPU_BIN_BLOCK];
};

struct cpu_bin {
    struct cpu_bin_block *first, *last;
};

/* Vertices' outputs are carved from slabs of CPU_BATCH_VERTICES for a number of outputs. */
struct cpu_vertex_slab {
    float *out;
    uint32_t num_outputs, used;
};

/* Tiles, both ends inclusive; empty when x0 > x1. */
struct cpu_tile_range {
    uint16_t x0, y0, x1, y1;
};

struct cpu_segment {
    struct arena *own;
    struct arena *arena; /* own, or that of the thread which fills it, see cpu_scene_arena */
    struct cpu_bin *bin; /* of each tile of the scene */
    struct cpu_tile_range range; /* outside of it all bins are empty */
    uint32_t bins;               /* room in bin; what lies behind the scene's tiles is empty */
    struct cpu_vertex_slab slab;
    bool out_of_memory;
};

static inline bool cpu_segment_is_empty(const struct cpu_segment *s)
{
    return s->range.x0 > s->range.x1;
}

/* A color or depth-stencil buffer as tiles see it. */
struct cpu_target {
    uint8_t *base; /* first layer; NULL: no buffer */
    enum drv_format format;
    uint32_t texel_bytes, tile_w, tiles_x, layers, samples;
    uint32_t width, height; /* texels of the level */
    uint64_t layer_stride, sample_stride;
    uint64_t tile_bytes; /* from one tile to the next */
    struct cpu_storage *storage;
    struct cpu_uniform *uniform; /* of the level; NULL: clears write texels */
    uint32_t first_layer;        /* of the level: base's */
};

struct cpu_scene_use {
    struct cpu_storage *storage;
    uint32_t slot; /* of struct cpu_scene's use_slot */
    bool write;
    bool shader, shader_write; /* by shaders, not as a target alone */
    bool fenced, fenced_write; /* used, written by commands before the last memory barrier */
};

struct cpu_shader_object;

struct cpu_scene {
    uint64_t id; /* unique in the process */
    struct arena_pool *pool;
    struct cpu_fence *fence;
    struct list_head link;  /* cpu_order.c's; linked while it is submitted and not finished */
    bool starting;          /* it is being submitted: the fence says nothing yet */
    uint32_t width, height; /* pixels of the framebuffer */
    uint32_t tiles_x, tiles_y;
    /* Replaces the tiles: run(data, job) for each job from 0 to count - 1, on any worker; run is
     * NULL in a scene that has tiles. */
    struct {
        void (*run)(void *data, unsigned job);
        void *data;
        unsigned count;
    } work;
    uint32_t overrun; /* kernels set it: a shader's loop took too long and was left; or
                                      WATCHDOG_STOP: the scene took too long */
    unsigned jobs;    /* atomic: that are being run */
    struct watchdog_watch watch;
    uint32_t nr_cbufs;
    struct cpu_target color[DRV_MAX_COLOR_BUFS];
    struct cpu_target zs;
    /* Bit per number of a target; by submit: */
    uint32_t bound_targets;      /* there is a buffer */
    uint32_t kept_targets;       /* it has `uniform` */
    uint32_t flat_targets;       /* and one layer */
    bool targets_end;            /* each of them, where the framebuffer does */
    struct cpu_clear clear;      /* of all pixels, before everything in the bins */
    const struct cpu_copy *read; /* tiles make their part of it when they are done; NULL: none */
    DYNARRAY(struct cpu_segment *) segments; /* in order; the first num_segments are in use */
    uint32_t num_segments;
    uint32_t touched_segments;       /* the most that were in use since the scene began */
    DYNARRAY(struct arena *) arenas; /* of threads that fill segments */
    uint32_t counted_segments;       /* whose own bytes are in counted_bytes */
    size_t counted_bytes;
    uint32_t checked_segments; /* by cpu_scene_lost */
    DYNARRAY(struct cpu_scene_use) uses;
    uint32_t *use_slot; /* a hash table by storage: 1 + index in uses; 0: empty */
    uint32_t use_slots; /* a power of two, or 0 */
    bool shaders_write; /* one of them by shaders: buffers, images */
    bool fenced;        /* there was a memory barrier behind that */
    DYNARRAY(struct cpu_shader_object *) shaders; /* referenced */
    DYNARRAY(struct jit_kernel *) kernels;        /* of those, that were not compiled yet */
    DYNARRAY(uint32_t) tiles;                     /* that have commands; filled by submit */
    DYNARRAY(struct cpu_bin) bins; /* of each tile, those of all segments in order; by gather */
};

static inline const struct cpu_target *cpu_scene_target(const struct cpu_scene *scene,
                                                        unsigned target)
{
    return target == CPU_ZS_TARGET ? &scene->zs : &scene->color[target];
}

/* pool: of segments' memory. NULL: no memory. */
struct cpu_scene *cpu_scene_create(struct arena_pool *pool);
void cpu_scene_destroy(struct cpu_scene *scene); /* idle; NULL is fine */

/* Makes an idle scene ready to record for a framebuffer. False: no memory. */
bool cpu_scene_begin(struct cpu_scene *scene, const struct drv_framebuffer *fb);
/* The segment to append to. NULL: no memory. */
struct cpu_segment *cpu_scene_segment(struct cpu_scene *scene);
/* Another segment behind the last. NULL: no memory. */
struct cpu_segment *cpu_scene_new_segment(struct cpu_scene *scene);
/* Arena number i for a thread that fills one segment after the other: what these need of chunks would mostly
 * stay empty if each had its own. Made when first asked for, with those before it. NULL: no memory. */
struct arena *cpu_scene_arena(struct cpu_scene *scene, unsigned i);
/* Removes empty ones of the scene's last segments, those of which cpu_scene_memory does not know that they
 * are complete; they become new ones again. No segment may be in use by a worker. */
void cpu_scene_drop_empty(struct cpu_scene *scene);
/* Bytes that its arenas hold; no segment may be in use by a worker. */
size_t cpu_scene_memory(struct cpu_scene *scene);

/* Whether commands were lost since the last call because there was no memory for them; no segment
 * may be in use by a worker. */
bool cpu_scene_lost(struct cpu_scene *scene);

/* Lists a storage that shaders of the scene's tiles, or groups, read or write. False: no memory. */
bool cpu_scene_use(struct cpu_scene *scene, struct cpu_storage *storage, bool write);
/* Whether it is listed (write: as written). */
bool cpu_scene_uses(const struct cpu_scene *scene, const struct cpu_storage *storage, bool write);
/* Memory barriers. Tiles run one by one, so that what one tile's fragments write may be read by
 * another's of an earlier command. Only where a shader writes memory, and a command behind a barrier
 * depends on it, must the scene end. cpu_scene_fence: the barrier. cpu_scene_is_fenced: whether a
 * command that reads (write: or writes) the storage must not be in this scene. */
void cpu_scene_fence(struct cpu_scene *scene);
bool cpu_scene_is_fenced(const struct cpu_scene *scene, const struct cpu_storage *storage,
                         bool write);
/* Keeps the shader, of which commands have kernels. False: no memory. */
bool cpu_scene_use_shader(struct cpu_scene *scene, struct cpu_shader_object *shader);
/* Lists a kernel that may yet have to be compiled. False: no memory. */
bool cpu_scene_use_kernel(struct cpu_scene *scene, struct jit_kernel *kernel);
/* Waits for those that were listed. False: one cannot be compiled, and its primitives will be missing. */
bool cpu_scene_await_kernels(struct cpu_scene *scene);

/* Whether its bins are empty. */
bool cpu_scene_has_no_commands(const struct cpu_scene *scene);

/* Has the tiles copy what they have drawn, of the first layer of a color buffer or more, to linear
 * memory. The copy lives until the scene has finished. False: the scene does not draw all of it. */
bool cpu_scene_read(struct cpu_scene *scene, const struct cpu_copy *copy);

/* Puts together what the segments have for each tile, while the context's scene before may yet run. False: no
 * memory, and the scene cannot be submitted. */
bool cpu_scene_gather(struct cpu_scene *scene);
/* Starts the tiles, or draws them at once if they are few, behind what other contexts' scenes do to the
 * same memory; those of the context's scene before must have run. */
void cpu_scene_submit(struct cpu_scene *scene);
/* Waits for the tiles and drops what the scene refers to. */
void cpu_scene_finish(struct cpu_scene *scene);

/* --- scenes of other contexts (cpu_order.c); any thread --- */

/* Waits for those submitted scenes that the scene depends on; from now on others wait for it. */
void cpu_order_begin(struct cpu_scene *scene);
/* Its tiles have been submitted, or never will be. */
void cpu_order_started(struct cpu_scene *scene);
/* It has finished; a scene that never began is fine. */
void cpu_order_end(struct cpu_scene *scene);
/* Waits until no submitted scene writes the storage, with write: uses it. False: dont_block, and one
 * does. */
bool cpu_order_wait(const struct cpu_storage *storage, bool write, bool dont_block);

/* --- bins (cpu_bin.c) --- */

/* Appends the primitive to the bins of the tiles that it touches. */
void cpu_bin_prim(const struct cpu_scene *scene, struct cpu_segment *segment,
                  const struct cpu_prim *prim);
void cpu_bin_clear(const struct cpu_scene *scene, struct cpu_segment *segment,
                   const struct cpu_clear *clear);

/* --- tiles (cpu_raster.c, cpu_tile.c) --- */

/* Whether a primitive with that box is small. */
static inline bool cpu_raster_is_small(const struct cpu_rect *box)
{
    unsigned x0 = box->x0, y0 = box->y0, x1 = box->x1, y1 = box->y1;
    return x1 / CPU_BLOCK - x0 / CPU_BLOCK < 2 && y1 / CPU_BLOCK - y0 / CPU_BLOCK < 2 &&
           x1 / CPU_TILE == x0 / CPU_TILE && y1 / CPU_TILE == y0 / CPU_TILE;
}

/* Finds struct cpu_prim's mask of a small primitive. False: it covers nothing. */
bool cpu_raster_small(const struct cpu_edges *edges, const struct cpu_rect *box, uint16_t mask[4]);
#ifdef __SSE2__
/* The mask of a triangle whose box nothing has cut, 16 bits of each block: e are the edges at the
 * mask's first pixel, a and b what a step to the right and up adds. 7 (|a| + |b|) < 2^15. */
uint64_t cpu_raster_tiny(const int32_t a[3], const int32_t b[3], const int32_t e[3]);
#endif
/* The blocks of the tile at pixel x, y that the primitive covers, at most 256; returns how many. */
unsigned cpu_raster_prim(const struct cpu_prim *prim, int x, int y, struct cpu_block *block);
/* The same for draws of several samples, with the samples of each block. */
unsigned cpu_raster_prim_samples(const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                                 struct cpu_block_samples *samples);
/* The same for draws that have smooth primitives, with the blocks' coverage. */
unsigned cpu_raster_prim_smooth(const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                                struct cpu_block_samples *samples);
/* Drops the samples of pixels that are not in the mask; returns the pixels that have any left. */
uint32_t cpu_raster_mask_samples(struct cpu_block_samples *samples, uint32_t mask);
/* The positions of 2, 4 or 8 samples, see struct cpu_draw; else the center. Windows, whose last row
 * is on top, have those of other images upside down. */
const int8_t (*cpu_sample_positions(unsigned samples, bool window))[2];
/* All blocks of the tile. */
unsigned cpu_raster_full(int x, int y, struct cpu_block *block);

/* --- smooth lines and points (cpu_smooth.c) --- */

/* Finds the coverage of the blocks' pixels; returns the number of blocks that have any. */
unsigned cpu_smooth_coverage(const struct cpu_prim *prim, struct cpu_block *block,
                             struct cpu_block_samples *samples, unsigned count);

/* --- the rest of the worker's side --- */

/* Whether coverage at all of a polygon's samples counts, not at pixels' centers alone. */
static inline bool cpu_draw_samples_polygons(const struct cpu_draw *draw)
{
    return draw->positions || draw->smooth_polygons;
}

/* Executes the scene's clear and a tile's bins. */
void cpu_tile_run(struct cpu_scene *scene, uint32_t tile);

#endif
