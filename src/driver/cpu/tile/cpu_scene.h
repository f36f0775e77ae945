/* SPDX-License-Identifier: MIT */
/*
 * Scenes: recorded commands for one framebuffer, which workers execute tile by tile.
 *
 * The front end (draw, clip, setup) appends commands to the bins of the tiles that a primitive
 * touches. Bins belong to segments. Workers may fill different segments at the same time; a tile
 * executes its bins segment by segment, which keeps the API's order. Everything that commands point
 * to lives in the segments' arenas until the scene has run.
 *
 * A context records one scene while the workers execute its previous one.
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

#define CPU_MAX_COUNTERS 4 /* maximum number of active queries that tiles count for */

/* Sizes of scenes in bytes, as cpu_scene_memory() counts them. */
#define CPU_SCENE_MEMORY (8u << 20) /* a larger scene is submitted */
/* The limit when several threads fill the scene: CPU_SCENE_MAX_PER_THREAD bytes for each thread, at
 * most CPU_SCENE_MAX_THREADED. */
#define CPU_SCENE_MAX_THREADED   (16u << 20)
#define CPU_SCENE_MAX_PER_THREAD (5u << 19)
/* The smallest scene that a draw submits early, while workers are idle: CPU_EARLY_SUBMIT_SCENE
 * bytes, or CPU_EARLY_SUBMIT_TILE bytes for each tile if that is more. */
#define CPU_EARLY_SUBMIT_SCENE (256u << 10)
#define CPU_EARLY_SUBMIT_TILE  (4u << 10)
/* The largest one-tile scene that the submitting thread executes itself. */
#define CPU_INLINE_SCENE  (16u << 10)
#define CPU_ORPHAN_MEMORY (48u << 20) /* limit of deleted resources that scenes keep alive */

#define CPU_MAX_EDGES 4 /* edge functions of a primitive */

/* Is signaled when the jobs of a scene have run. The group is submitted once. */
struct cpu_fence {
    int refcount; /* atomic */
    struct job_group group;
};

/* Returns a signaled fence with one reference, or NULL if memory is short. */
struct cpu_fence *cpu_fence_create(void);
/* Drops a reference; NULL does nothing. Any thread. */
void cpu_fence_release(struct cpu_fence *fence);

typedef int32_t cpu_v4i __attribute__((vector_size(16)));

/* A rectangle of pixels, both ends inclusive; empty when x0 > x1 or y0 > y1. */
struct cpu_rect {
    int32_t x0, y0, x1, y1;
};

/* State that all primitives of a draw share when tiles execute them. */
struct cpu_draw {
    const struct cpu_fs_variant *fs;
    const struct cpu_stage_state *state;
    const struct cpu_fs_state *fs_state;
    uint8_t samples; /* 1 without multisampling */
    /* Offset of each sample from the pixel center in 1/16 pixel. NULL: coverage is computed at
     * pixel centers. */
    const int8_t (*positions)[2];
    bool smooth; /* the draw has smooth primitives: the kernel gets coverage (cpu_block_samples) */
    bool smooth_polygons;
    const uint32_t *stipple; /* 32 rows of polygon stipple for filled polygons, or NULL */
    uint8_t num_counters;
    struct cpu_counter {
        uint64_t *sum;    /* atomic */
        bool invocations; /* counts fragment shader invocations; otherwise samples that pass */
    } counter[CPU_MAX_COUNTERS];
};

/* Edge functions. The center of pixel x, y is inside edge i if c + a * x + b * y >= 0. Unused edges
 * are 0, so that every pixel is inside. |a| and |b| are at most 2^23. */
struct cpu_edges {
    int32_t a[CPU_MAX_EDGES] __attribute__((aligned(16))), b[CPU_MAX_EDGES];
    int64_t c[CPU_MAX_EDGES];
    /* The amount in 1/256 by which c was rounded down; set if coverage is computed per sample. */
    int32_t fraction[CPU_MAX_EDGES];
};

/* A primitive in the form that tiles execute. */
struct cpu_prim {
    struct cpu_primitive p;
    const struct cpu_draw *draw;
    struct cpu_rect box;    /* bounding box, clipped to the scissor and the framebuffer */
    bool polygon;           /* polygon stipple applies */
    uint16_t radius;        /* 1/256 pixel; 0 unless it is a multisampled or smooth round point */
    bool smooth;            /* a line or point with antialiased edges (cpu_smooth.c) */
    bool small;             /* the box lies in the 2×2 blocks of mask, all in one tile */
    uint16_t mask[4];       /* covered pixels of these blocks; the first holds the box's corner */
    struct cpu_edges edges; /* the last member, because small primitives are allocated without it */
};

struct cpu_clear {
    struct cpu_rect box;
    uint32_t buffers;                                 /* enum drv_clear_buffers */
    uint8_t color[DRV_MAX_COLOR_BUFS][CPU_MAX_TEXEL]; /* the texel value of each color buffer */
    uint8_t zs[CPU_MAX_TEXEL];                        /* the depth-stencil texel value */
    uint8_t zs_mask[8];                               /* bits of the texel that are cleared */
};

/* Type of a command: the low bits of the pointer that a bin stores. */
enum cpu_command {
    CPU_COMMAND_PRIM,  /* struct cpu_prim that covers part of the tile */
    CPU_COMMAND_FULL,  /* struct cpu_prim that covers all framebuffer pixels of the tile */
    CPU_COMMAND_CLEAR, /* struct cpu_clear */
    CPU_COMMAND_MASK = 3,
};

#define CPU_BIN_BLOCK 30 /* commands of a bin block */

struct cpu_bin_block {
    struct cpu_bin_block *next;
    uint32_t count;
    uintptr_t command[CPU_BIN_BLOCK];
};

/* The commands of a tile in API order, as a list of blocks. */
struct cpu_bin {
    struct cpu_bin_block *first, *last;
};

/* Memory for the outputs of CPU_BATCH_VERTICES vertices, of which batches take slices. */
struct cpu_vertex_slab {
    float *out;
    uint32_t num_outputs; /* outputs per vertex */
    uint32_t used;        /* vertices taken */
};

/* A rectangle of tiles, both ends inclusive; empty when x0 > x1. */
struct cpu_tile_range {
    uint16_t x0, y0, x1, y1;
};

/* A sequence of commands that one thread at a time appends to. */
struct cpu_segment {
    struct arena *own;
    struct arena *arena;         /* own, or the arena of the thread that fills the segment */
    struct cpu_bin *bin;         /* one bin per tile of the scene */
    struct cpu_tile_range range; /* all bins outside it are empty */
    uint32_t bins;               /* length of bin; entries past the tiles are empty */
    struct cpu_vertex_slab slab;
    bool out_of_memory; /* commands were dropped */
};

static inline bool cpu_segment_is_empty(const struct cpu_segment *s)
{
    return s->range.x0 > s->range.x1;
}

/* A color or depth-stencil buffer of the framebuffer. */
struct cpu_target {
    uint8_t *base; /* texels of the first layer; NULL: no buffer */
    enum drv_format format;
    uint32_t texel_bytes, tile_w, tiles_x, layers, samples;
    uint32_t width, height; /* size of the level in texels */
    uint64_t layer_stride, sample_stride;
    uint64_t tile_bytes; /* bytes from one tile to the next */
    struct cpu_storage *storage;
    struct cpu_fast_clear *fast_clear; /* of the level; NULL: clears write texels */
    uint32_t first_layer;              /* layer of the level that base points to */
};

/* How a scene uses a storage. */
struct cpu_scene_use {
    struct cpu_storage *storage;
    uint32_t slot;             /* index in cpu_scene.use_slot */
    bool write;                /* written, by shaders or as a target */
    bool shader, shader_write; /* accessed by shaders; written by shaders */
    bool fenced, fenced_write; /* used, or written, before the last memory barrier */
};

struct cpu_shader_object;

struct cpu_scene {
    uint64_t id; /* unique in the process */
    struct arena_pool *pool;
    struct cpu_fence *fence;
    struct list_head link;  /* linked from cpu_order_begin() to cpu_order_end() (cpu_order.c) */
    bool starting;          /* being submitted: the fence is not valid yet */
    uint32_t width, height; /* size of the framebuffer in pixels */
    uint32_t tiles_x, tiles_y;
    /* Replaces the tiles: run(data, job) for each job from 0 to count - 1, on any worker; run is
     * NULL in a scene that has tiles. */
    struct {
        void (*run)(void *data, unsigned job);
        void *data;
        unsigned count;
    } work;
    /* Nonzero stops the scene. Kernels set it when a shader's loop exceeds its limit, the watchdog
     * sets WATCHDOG_STOP when the scene exceeds its time. */
    uint32_t overrun;
    unsigned jobs; /* atomic: number of jobs that are running */
    struct watchdog_watch watch;
    uint32_t nr_cbufs;
    struct cpu_target color[DRV_MAX_COLOR_BUFS];
    struct cpu_target zs;
    /* Sets of targets, one bit each, computed by cpu_scene_submit(): */
    uint32_t bound_targets;                  /* have a buffer */
    uint32_t kept_targets;                   /* have fast_clear */
    uint32_t flat_targets;                   /* have fast_clear and a single layer */
    bool targets_match_framebuffer;          /* every target has the framebuffer's size */
    struct cpu_clear clear;                  /* clears all pixels before any bin is executed */
    const struct cpu_copy *read;             /* each tile copies its part when done; may be NULL */
    DYNARRAY(struct cpu_segment *) segments; /* in API order; the first num_segments are in use */
    uint32_t num_segments;
    uint32_t touched_segments;       /* maximum of num_segments since the scene began */
    DYNARRAY(struct arena *) arenas; /* one per thread that fills segments */
    uint32_t counted_segments;       /* segments whose bytes counted_bytes includes */
    size_t counted_bytes;
    uint32_t checked_segments; /* segments that cpu_scene_lost() need not look at again */
    DYNARRAY(struct cpu_scene_use) uses;
    uint32_t *use_slot; /* hash table from storage to 1 + index in uses; 0: empty */
    uint32_t use_slots; /* size of the table: a power of two, or 0 */
    bool shaders_write; /* shaders write one of the storages in uses */
    bool fenced;        /* a memory barrier followed such a write */
    DYNARRAY(struct cpu_shader_object *) shaders; /* referenced */
    DYNARRAY(struct jit_kernel *) kernels;        /* kernels that were not compiled when listed */
    DYNARRAY(uint32_t) tiles;      /* indices of tiles to execute; set by cpu_scene_submit() */
    DYNARRAY(struct cpu_bin) bins; /* of each tile; set by cpu_scene_gather() */
};

static inline const struct cpu_target *cpu_scene_target(const struct cpu_scene *scene,
                                                        unsigned target)
{
    return target == CPU_ZS_TARGET ? &scene->zs : &scene->color[target];
}

/* Creates an idle scene whose segments take memory from the pool, which must outlive it. Returns
 * NULL if memory is short. */
struct cpu_scene *cpu_scene_create(struct arena_pool *pool);
/* Frees an idle scene; NULL does nothing. */
void cpu_scene_destroy(struct cpu_scene *scene);

/* --- recording; the context's thread --- */

/* Starts recording for a framebuffer in an idle scene. Returns false if memory is short; the scene
 * is then idle again. */
bool cpu_scene_begin(struct cpu_scene *scene, const struct drv_framebuffer *fb);
/* Returns the last segment, to append to; creates the first. Returns NULL if memory is short. */
struct cpu_segment *cpu_scene_segment(struct cpu_scene *scene);
/* Adds an empty segment after the last and returns it, or NULL if memory is short. */
struct cpu_segment *cpu_scene_new_segment(struct cpu_scene *scene);
/* Returns arena i, for a thread that fills one segment after the other; with arenas of their own,
 * small segments would leave most of their memory unused. Creates the arenas up to i. Returns NULL
 * if memory is short. */
struct arena *cpu_scene_arena(struct cpu_scene *scene, unsigned i);
/* Drops the empty segments that cpu_scene_memory() has not counted as complete, and keeps their
 * memory for later segments. No worker may be filling a segment. */
void cpu_scene_drop_empty(struct cpu_scene *scene);
/* Returns the bytes that the arenas hold. No worker may be filling a segment. */
size_t cpu_scene_memory(struct cpu_scene *scene);
/* Returns whether commands were dropped for lack of memory since the last call. No worker may be
 * filling a segment. */
bool cpu_scene_lost(struct cpu_scene *scene);

/* Adds a storage that shaders of the scene read or write. Keeps a reference to it. Returns false if
 * memory is short. */
bool cpu_scene_use(struct cpu_scene *scene, struct cpu_storage *storage, bool write);
/* Returns whether the scene uses the storage; with `write`, whether it writes it. */
bool cpu_scene_uses(const struct cpu_scene *scene, const struct cpu_storage *storage, bool write);
/* Records a memory barrier. Tiles run one after the other, so that one tile's fragments could read
 * what another tile's fragments of an earlier command write only later. A command after the barrier
 * that depends on such a write needs another scene; cpu_scene_is_fenced() detects it. */
void cpu_scene_fence(struct cpu_scene *scene);
/* Returns whether a command that reads the storage (with `write`: that reads or writes it) depends
 * on a shader's write before the last memory barrier, and therefore needs another scene. */
bool cpu_scene_is_fenced(const struct cpu_scene *scene, const struct cpu_storage *storage,
                         bool write);
/* Keeps a reference to a shader whose kernels the commands call. Returns false if memory is short.
 * */
bool cpu_scene_use_shader(struct cpu_scene *scene, struct cpu_shader_object *shader);
/* Adds a kernel that cpu_scene_await_kernels() has to wait for, unless it is compiled already.
 * Returns false if memory is short. */
bool cpu_scene_use_kernel(struct cpu_scene *scene, struct jit_kernel *kernel);

/* Returns whether all bins are empty. */
bool cpu_scene_has_no_commands(const struct cpu_scene *scene);

/* Makes each tile copy its part of *copy, which reads a layer of a color buffer to linear memory,
 * when the tile is done. *copy must live until the scene has finished. Returns false, and copies
 * nothing, if the scene's framebuffer does not contain all of it. */
bool cpu_scene_read(struct cpu_scene *scene, const struct cpu_copy *copy);

/* --- execution --- */

/* Waits for the kernels of cpu_scene_use_kernel(). Returns false if one could not be compiled; its
 * primitives will be missing. */
bool cpu_scene_await_kernels(struct cpu_scene *scene);
/* Concatenates the segments' bins of each tile. May be called while the context's previous scene
 * runs. Returns false if memory is short; the scene cannot be submitted then. */
bool cpu_scene_gather(struct cpu_scene *scene);
/* Starts the tiles' jobs, or executes a small scene at once. Waits before that for the submitted
 * scenes of other contexts that access the same storages. The context's previous scene must have
 * run. */
void cpu_scene_submit(struct cpu_scene *scene);
/* Waits for the tiles, drops all references and makes the scene idle. */
void cpu_scene_finish(struct cpu_scene *scene);

/* --- order between the scenes of several contexts (cpu_order.c); any thread --- */

/* Waits for the submitted scenes that the scene depends on, and makes later scenes wait for it. */
void cpu_order_begin(struct cpu_scene *scene);
/* Marks the scene's fence as valid: its jobs were submitted, or there will be none. */
void cpu_order_started(struct cpu_scene *scene);
/* Removes a finished scene; does nothing if cpu_order_begin() was not called. */
void cpu_order_end(struct cpu_scene *scene);
/* Waits until no submitted scene writes the storage; with `write`, until none uses it. With
 * `dont_block`, returns false instead of waiting. */
bool cpu_order_wait(const struct cpu_storage *storage, bool write, bool dont_block);

/* --- bins (cpu_bin.c) --- */

/* Appends the primitive to the bins of the tiles that it touches. */
void cpu_bin_prim(const struct cpu_scene *scene, struct cpu_segment *segment,
                  const struct cpu_prim *prim);
/* Appends the clear to the bins of the tiles that its box touches. */
void cpu_bin_clear(const struct cpu_scene *scene, struct cpu_segment *segment,
                   const struct cpu_clear *clear);

/* --- rasterization (cpu_raster.c) --- */

/* Returns whether a primitive with that bounding box is small: it lies in 2×2 blocks of one tile.
 * */
static inline bool cpu_raster_is_small(const struct cpu_rect *box)
{
    unsigned x0 = box->x0, y0 = box->y0, x1 = box->x1, y1 = box->y1;
    return x1 / CPU_BLOCK - x0 / CPU_BLOCK < 2 && y1 / CPU_BLOCK - y0 / CPU_BLOCK < 2 &&
           x1 / CPU_TILE == x0 / CPU_TILE && y1 / CPU_TILE == y0 / CPU_TILE;
}

/* Computes cpu_prim.mask of a small primitive. Returns false if it covers no pixel. */
bool cpu_raster_small(const struct cpu_edges *edges, const struct cpu_rect *box, uint16_t mask[4]);
#ifdef __SSE2__
/* Returns the mask of a small triangle whose box is not clipped, 16 bits per block. e holds the
 * edge functions at the first pixel of the mask, a and b their increments per pixel in x and y. 7
 * (|a| + |b|) must be less than 2^15. */
uint64_t cpu_raster_tiny(const int32_t a[3], const int32_t b[3], const int32_t e[3]);
#endif
/* Stores the blocks, at most 256, of the tile at pixel x, y that the primitive covers. Returns
 * their number. */
unsigned cpu_raster_prim(const struct cpu_prim *prim, int x, int y, struct cpu_block *block);
/* Does the same for multisampled draws and stores the covered samples of each block. */
unsigned cpu_raster_prim_samples(const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                                 struct cpu_block_samples *samples);
/* Does the same for draws that have smooth primitives and stores the coverage of each block. */
unsigned cpu_raster_prim_smooth(const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                                struct cpu_block_samples *samples);
/* Removes the samples of pixels outside the mask. Returns the pixels that still have samples. */
uint32_t cpu_raster_mask_samples(struct cpu_block_samples *samples, uint32_t mask);
/* Returns the positions of 2, 4 or 8 samples (cpu_draw.positions), or for other counts the pixel
 * center. `window`: the image is a window, whose last row is at the top, and the positions are
 * flipped vertically. */
const int8_t (*cpu_sample_positions(unsigned samples, bool window))[2];
/* Stores all blocks of the tile at pixel x, y as fully covered. Returns their number. */
unsigned cpu_raster_full(int x, int y, struct cpu_block *block);

/* --- smooth lines and points (cpu_smooth.c) --- */

/* Computes the coverage of the blocks' pixels and removes blocks without any. Returns the number of
 * blocks left. */
unsigned cpu_smooth_coverage(const struct cpu_prim *prim, struct cpu_block *block,
                             struct cpu_block_samples *samples, unsigned count);

/* --- tiles (cpu_tile.c) --- */

/* Returns whether a polygon's coverage is computed at sample positions instead of pixel centers. */
static inline bool cpu_draw_samples_polygons(const struct cpu_draw *draw)
{
    return draw->positions || draw->smooth_polygons;
}

/* Executes the scene's clear and the bins of a tile. Runs on a worker. */
void cpu_tile_run(struct cpu_scene *scene, uint32_t tile);

#endif
