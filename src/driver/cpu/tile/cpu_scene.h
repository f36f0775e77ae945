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
#define CPU_SCENE_MEMORY (8u << 20) /* a scene that reaches this size is submitted */
/* When several threads fill a scene, the limit is CPU_SCENE_MAX_PER_THREAD times the number of
 * threads, but at most CPU_SCENE_MAX_THREADED. */
#define CPU_SCENE_MAX_THREADED   (16u << 20)
#define CPU_SCENE_MAX_PER_THREAD (5u << 19)
/* If the workers are idle, a draw submits the scene early once it is larger than
 * CPU_EARLY_SUBMIT_SCENE and larger than CPU_EARLY_SUBMIT_TILE for each tile. */
#define CPU_EARLY_SUBMIT_SCENE (256u << 10)
#define CPU_EARLY_SUBMIT_TILE  (4u << 10)
/* The largest one-tile scene that the submitting thread executes itself. */
#define CPU_INLINE_SCENE (16u << 10)
/* A scene that keeps more bytes of orphans (cpu_storage.h) is submitted. */
#define CPU_ORPHAN_MEMORY (4u << 20)

#define CPU_MAX_EDGES 4 /* maximum number of edge functions of a primitive */

/* A fence is signaled when the jobs of its scene have run. */
struct cpu_fence {
    int refcount;           /* atomic */
    struct job_group group; /* the scene's jobs; submitted at most once */
};

/* Returns a signaled fence with one reference, or NULL if out of memory. */
struct cpu_fence *cpu_fence_create(void);
/* Drops a reference; NULL does nothing. Any thread. */
void cpu_fence_release(struct cpu_fence *fence);

/* Four integers, processed by one vector instruction. */
typedef int32_t cpu_v4i __attribute__((vector_size(16)));

/* A rectangle of pixels, both ends inclusive; empty when x0 > x1 or y0 > y1. */
struct cpu_rect {
    int32_t x0, y0, x1, y1;
};

/* What a thread works on: the fragments of draws with the same state, the vertices of a draw, or a
 * dispatch. */
struct cpu_task {
    struct watchdog_task watchdog; /* the first member */
    const char *command;           /* name of the GL command */
    uint32_t program;              /* name of the program object; 0: none */
    enum shader_stage stage;       /* SHADER_VERTEX stands for all stages before rasterization */
    uint64_t first, last;          /* numbers of the context's commands, counted from 1 */
};

/* State that all primitives of a draw share when tiles execute them. Lives in an arena of the
 * scene. */
struct cpu_draw {
    const struct cpu_fs_variant *fs;
    struct cpu_task *task;               /* the work on fragments; draws may share it */
    const struct cpu_stage_state *state; /* of the fragment stage */
    const struct cpu_fs_state *fs_state;
    uint8_t samples; /* 1 without multisampling */
    /* Offset of each sample from the pixel center in 1/16 pixel. NULL: coverage is computed at
     * pixel centers. */
    const int8_t (*positions)[2];
    bool smooth; /* the kernel gets covered fractions of pixels (cpu_block_samples), not samples */
    bool smooth_polygons;     /* polygon smoothing is enabled */
    bool conservative;        /* primitives cover the pixels that they touch */
    bool conservative_expand; /* as in drv_rasterizer_state */
    bool inner_coverage;      /* cpu_block.mask gets the pixels that lie inside of the polygon */
    const uint32_t *stipple;  /* 32 rows of polygon stipple for filled polygons, or NULL */
    uint8_t num_counters;     /* used elements of counter */
    struct cpu_counter {
        uint64_t *sum;    /* atomic */
        bool invocations; /* true: counts fragment shader invocations; false: samples that pass */
    } counter[CPU_MAX_COUNTERS]; /* counters of the active queries */
};

/* Edge functions of a primitive. The center of pixel x, y is inside edge i if
 * c[i] + a[i] * x + b[i] * y >= 0. Unused edges are 0, so that every pixel is inside. |a| and |b|
 * are at most 2^23. */
struct cpu_edges {
    int32_t a[CPU_MAX_EDGES] __attribute__((aligned(16))), b[CPU_MAX_EDGES];
    int64_t c[CPU_MAX_EDGES];
    /* The amount, in units of 1/256, by which c was rounded down. Only set if coverage is computed
     * per sample. */
    int32_t fraction[CPU_MAX_EDGES];
};

/* A primitive in the form that tiles execute. */
struct cpu_prim {
    struct cpu_primitive p;
    const struct cpu_draw *draw;
    struct cpu_rect box; /* bounding box, clipped to the scissor and the framebuffer */
    bool polygon;        /* a filled polygon, to which polygon stipple applies */
    uint16_t radius;     /* radius of a round point in 1/256 pixel; 0: not a round point */
    bool smooth;         /* a line or point with antialiased edges (cpu_smooth.c) */
    bool has_area;       /* polygons: the area is not 0; can be false only in conservative draws */
    bool small;          /* the box lies within 2×2 blocks of one tile; mask replaces edges */
    /* If small: the covered pixels of the four blocks, in the order x, then y. mask[0] is that of
     * the block that contains the pixel box.x0, box.y0. */
    uint16_t mask[4];
    struct cpu_edges edges; /* the last member, because small primitives are allocated without it */
};

/* A clear of some buffers in a rectangle, in all layers. */
struct cpu_clear {
    struct cpu_rect box;
    uint32_t buffers;                                 /* enum drv_clear_buffers */
    uint8_t color[DRV_MAX_COLOR_BUFS][CPU_MAX_TEXEL]; /* the texel value of each color buffer */
    uint8_t zs[CPU_MAX_TEXEL];                        /* the depth-stencil texel value */
    uint8_t zs_mask[8];                               /* bits of the zs texel that are cleared */
};

/* Type of a command, stored in the low bits of the command's pointer in a bin. */
enum cpu_command {
    CPU_COMMAND_PRIM,  /* struct cpu_prim that covers part of the tile */
    CPU_COMMAND_FULL,  /* struct cpu_prim that covers all framebuffer pixels of the tile */
    CPU_COMMAND_CLEAR, /* struct cpu_clear */
    CPU_COMMAND_MASK = 3,
};

#define CPU_BIN_BLOCK 30 /* maximum number of commands of a struct cpu_bin_block */

struct cpu_bin_block {
    struct cpu_bin_block *next;
    uint32_t count;                   /* used elements of command */
    uintptr_t command[CPU_BIN_BLOCK]; /* pointer to the struct + enum cpu_command */
};

/* The commands of a tile in API order, as a list of blocks. */
struct cpu_bin {
    struct cpu_bin_block *first, *last;
};

/* Memory for the outputs of CPU_BATCH_VERTICES vertices. Small batches share one slab: each takes
 * the next vertices. */
struct cpu_vertex_slab {
    float *out;           /* as described at CPU_BATCH_VERTICES; NULL: no slab yet */
    uint32_t num_outputs; /* outputs per vertex */
    uint32_t used;        /* vertices taken */
};

/* A rectangle of tiles, both ends inclusive; empty when x0 > x1. */
struct cpu_tile_range {
    uint16_t x0, y0, x1, y1;
};

/* A sequence of commands that one thread at a time appends to. */
struct cpu_segment {
    struct arena *own;           /* the segment's arena */
    struct arena *arena;         /* arena to allocate from: `own`, or one of cpu_scene.arenas */
    struct cpu_bin *bin;         /* one bin per tile of the scene */
    struct cpu_tile_range range; /* all bins outside it are empty */
    uint32_t bins;               /* allocated elements of bin; those past the tiles are empty */
    struct cpu_vertex_slab slab; /* slab that cpu_vertex_alloc() takes vertices from */
    bool out_of_memory;          /* commands were dropped */
};

/* Returns whether the segment contains no commands. */
static inline bool cpu_segment_is_empty(const struct cpu_segment *s)
{
    return s->range.x0 > s->range.x1;
}

/* A color or depth-stencil buffer of the framebuffer (tile_w, tiles_x, samples: cpu_layout.h). */
struct cpu_target {
    uint8_t *base; /* texels of the first layer; NULL: no buffer */
    enum drv_format format;
    uint32_t texel_bytes, tile_w, tiles_x, layers, samples; /* layers: those of the surface */
    uint32_t width, height;                                 /* size of the level in texels */
    uint64_t layer_stride, sample_stride; /* bytes, as in struct cpu_level_layout */
    uint64_t tile_bytes;                  /* bytes from one tile to the next */
    struct cpu_storage *storage;
    struct cpu_fast_clear *fast_clear; /* the level's states; NULL: clears write texels */
    uint32_t first_layer;              /* layer of the level that base points to */
};

/* How a scene uses a storage. */
struct cpu_scene_use {
    struct cpu_storage *storage; /* referenced */
    uint32_t slot;               /* index in cpu_scene.use_slot */
    bool write;                  /* written, by shaders or as a target */
    bool shader, shader_write;   /* accessed by shaders; written by shaders */
    bool fenced, fenced_write;   /* used, or written, before the last recorded memory barrier */
};

struct cpu_shader_object;

struct cpu_scene {
    uint64_t id; /* unique in the process */
    struct arena_pool *pool;
    struct cpu_fence *fence; /* NULL: the scene is idle */
    struct list_head link;   /* in cpu_order.c's list, from cpu_order_begin() to cpu_order_end() */
    /* Set from cpu_order_begin() to cpu_order_started(): the fence seems signaled, because the jobs
     * have not been submitted. */
    bool starting;
    uint32_t width, height;    /* framebuffer in pixels, at most the size of its smallest buffer */
    uint32_t tiles_x, tiles_y; /* tiles in a row and in a column of the framebuffer */
    /* The jobs of a scene without tiles (a dispatch): workers call run(data, job) for each job from
     * 0 to count - 1. run is NULL in a scene that has tiles. */
    struct {
        void (*run)(void *data, unsigned job);
        void *data;
        unsigned count;
    } work;
    /* Set by the watchdog. If a kernel call stalled, long loops end. If a command exceeded its
     * total limit, jobs end. */
    struct watchdog_stop stop;
    uint64_t command;  /* number of the context's last command in the scene; see cpu_task */
    uint32_t nr_cbufs; /* elements of color in use */
    struct cpu_target color[DRV_MAX_COLOR_BUFS];
    struct cpu_target zs; /* the depth-stencil buffer */
    /* Computed by cpu_scene_submit(). Bit i of the masks is target i, as in cpu_scene_target(). */
    uint32_t bound_targets;                  /* targets that have a buffer */
    uint32_t kept_targets;                   /* targets whose cpu_target.fast_clear is set */
    uint32_t flat_targets;                   /* targets of kept_targets with a single layer */
    uint32_t sparse_targets;                 /* targets with a sparse storage */
    bool targets_match_framebuffer;          /* every target has the framebuffer's size */
    struct cpu_clear clear;                  /* clears all pixels before any bin is executed */
    const struct cpu_copy *read;             /* set by cpu_scene_read(), otherwise NULL */
    DYNARRAY(struct cpu_segment *) segments; /* in API order; the first num_segments are in use */
    uint32_t num_segments;
    uint32_t touched_segments;       /* maximum of num_segments since the scene began */
    DYNARRAY(struct arena *) arenas; /* one per thread that fills segments */
    /* The first counted_segments segments are complete; counted_bytes is the sum of their bytes. */
    uint32_t counted_segments;
    size_t counted_bytes;
    size_t table_bytes;        /* bytes of the last table of handles in the arenas */
    uint32_t checked_segments; /* number of segments that cpu_scene_lost() need not check again */
    DYNARRAY(struct cpu_scene_use) uses;
    uint32_t *use_slot; /* hash table from storage to 1 + index in uses; 0: empty */
    uint32_t use_slots; /* size of the table: a power of two, or 0 */
    bool shaders_write; /* shaders write at least one of the storages in uses */
    bool fenced;        /* a memory barrier was recorded after a write by shaders */
    uint32_t fences;    /* number of those barriers */
    DYNARRAY(struct cpu_storage *) kept; /* referenced; may contain a storage several times */
    DYNARRAY(struct cpu_shader_object *) shaders; /* referenced */
    DYNARRAY(struct jit_kernel *) kernels;        /* kernels that were not compiled when listed */
    DYNARRAY(uint32_t) tiles;      /* indices of tiles to execute; set by cpu_scene_submit() */
    DYNARRAY(struct cpu_bin) bins; /* one per tile, from all segments; set by cpu_scene_gather() */
};

/* Returns target number `target`: a color buffer, or the depth-stencil buffer for CPU_ZS_TARGET. */
static inline const struct cpu_target *cpu_scene_target(const struct cpu_scene *scene,
                                                        unsigned target)
{
    return target == CPU_ZS_TARGET ? &scene->zs : &scene->color[target];
}

/* Creates an idle scene whose segments take memory from the pool, which must outlive it. Returns
 * NULL if out of memory. */
struct cpu_scene *cpu_scene_create(struct arena_pool *pool);
/* Frees an idle scene; NULL does nothing. */
void cpu_scene_destroy(struct cpu_scene *scene);

/* --- recording; the context's thread --- */

/* Starts recording commands for a framebuffer in an idle scene. Adds the storages of its buffers to
 * the uses that write. When out of memory, returns false and leaves the scene idle. */
bool cpu_scene_begin(struct cpu_scene *scene, const struct drv_framebuffer *fb);
/* Returns the last segment, to which the caller may append. Creates a segment if there is none.
 * Returns NULL if out of memory. */
struct cpu_segment *cpu_scene_segment(struct cpu_scene *scene);
/* Adds an empty segment after the last and returns it, or NULL if out of memory. */
struct cpu_segment *cpu_scene_new_segment(struct cpu_scene *scene);
/* Returns element i of scene->arenas, for a thread that fills several segments one after the other:
 * small segments with separate arenas would waste memory. Creates the arenas up to i. Returns NULL
 * if out of memory. */
struct arena *cpu_scene_arena(struct cpu_scene *scene, unsigned i);
/* Removes empty segments and keeps their memory for later segments. Does not remove those that
 * cpu_scene_memory() has counted (counted_segments) or that lost commands (out_of_memory). No
 * worker may be filling a segment. */
void cpu_scene_drop_empty(struct cpu_scene *scene);
/* Returns the bytes that the arenas hold, without the last table of handles. Each scene whose
 * shaders use handles needs such a table, so submitting the scene wouldn't save its memory. No
 * worker may be filling a segment. */
size_t cpu_scene_memory(struct cpu_scene *scene);
/* Returns whether commands were dropped for lack of memory since the last call. No worker may be
 * filling a segment. */
bool cpu_scene_lost(struct cpu_scene *scene);

/* Records that shaders of the scene read the storage, or also write it if `write` is set. Keeps a
 * reference to it. Returns false if out of memory. */
bool cpu_scene_use(struct cpu_scene *scene, struct cpu_storage *storage, bool write);
/* Keeps a reference to a storage to which the scene's memory has pointers, though no command of the
 * scene accesses it. Returns false if out of memory. */
bool cpu_scene_keep(struct cpu_scene *scene, struct cpu_storage *storage);
/* Returns whether the scene uses the storage. With `write`, only counts uses that write. */
bool cpu_scene_uses(const struct cpu_scene *scene, const struct cpu_storage *storage, bool write);
/* Records a memory barrier; does nothing if no shader of the scene writes memory. A worker executes
 * all commands of one tile, then those of another, so a fragment may run before fragments of
 * earlier commands in other tiles. A command after the barrier that depends on shader writes before
 * it must therefore go to another scene; cpu_scene_is_fenced() reports this. */
void cpu_scene_fence(struct cpu_scene *scene);
/* Returns whether a new command that reads the storage, or also writes it if `write` is set,
 * depends on accesses before the last memory barrier and must therefore go to another scene. */
bool cpu_scene_is_fenced(const struct cpu_scene *scene, const struct cpu_storage *storage,
                         bool write);
/* Keeps a reference to a shader whose kernels the scene's commands call. Returns false if out of
 * memory. */
bool cpu_scene_use_shader(struct cpu_scene *scene, struct cpu_shader_object *shader);
/* Makes cpu_scene_await_kernels() wait for the kernel, unless it is compiled already. The scene
 * must also use the kernel's shader, which keeps it alive. Returns false if out of memory. */
bool cpu_scene_use_kernel(struct cpu_scene *scene, struct jit_kernel *kernel);

/* Returns whether all bins are empty. */
bool cpu_scene_has_no_commands(const struct cpu_scene *scene);

/* Makes each tile execute its part of *copy when the tile is done. *copy reads the first layer of a
 * color buffer to linear memory; it must live until the scene has finished. Returns false, and
 * changes nothing, if it is empty, leaves the framebuffer, or reads something else. */
bool cpu_scene_read(struct cpu_scene *scene, const struct cpu_copy *copy);

/* --- execution --- */

/* Waits for the kernels of cpu_scene_use_kernel(). Returns false if one could not be compiled; its
 * primitives will be missing. */
bool cpu_scene_await_kernels(struct cpu_scene *scene);
/* Concatenates the segments' bins of each tile. May be called while the context's previous scene
 * runs. Returns false if out of memory; the scene cannot be submitted then. */
bool cpu_scene_gather(struct cpu_scene *scene);
/* Waits for the submitted scenes of other contexts that this scene depends on (cpu_order_begin()).
 * Then resolves the storages that its shaders access, and submits the tiles' jobs to the workers or
 * executes a small scene in the calling thread. cpu_scene_gather() must have succeeded, and the
 * context's previous scene must have finished. */
void cpu_scene_submit(struct cpu_scene *scene);
/* Waits for the scene's jobs, if it was submitted, drops all references, frees the commands and
 * makes the scene idle. */
void cpu_scene_finish(struct cpu_scene *scene);

/* --- order between the scenes of several contexts (cpu_order.c); any thread --- */

/* Waits for the submitted scenes that the scene depends on because both use a storage and one
 * writes it. Later scenes that depend on this scene will wait for it. */
void cpu_order_begin(struct cpu_scene *scene);
/* Marks the scene's fence as valid: its jobs were submitted, or there will be none. */
void cpu_order_started(struct cpu_scene *scene);
/* Removes a finished scene; does nothing if cpu_order_begin() was not called. */
void cpu_order_end(struct cpu_scene *scene);
/* Waits until no submitted scene writes the storage; with `write`, until none uses it. Then returns
 * true. With `dont_block`, returns false instead of waiting. */
bool cpu_order_wait(const struct cpu_storage *storage, bool write, bool dont_block);

/* --- bins (cpu_bin.c) --- */

/* Appends the primitive to the bins of the tiles that it touches. The bins hold pointers to *prim,
 * which must live in an arena of the scene. Its box must lie in the framebuffer and not be empty.
 * When out of memory, drops commands and sets segment->out_of_memory. */
void cpu_bin_prim(const struct cpu_scene *scene, struct cpu_segment *segment,
                  const struct cpu_prim *prim);
/* Appends the clear to the bins of the tiles that its box touches. The rules for memory and box of
 * cpu_bin_prim() apply. */
void cpu_bin_clear(const struct cpu_scene *scene, struct cpu_segment *segment,
                   const struct cpu_clear *clear);

/* --- rasterization (cpu_raster.c) --- */

/* Returns whether a primitive with that bounding box is small (cpu_prim.small): it lies within 2×2
 * blocks of one tile. */
static inline bool cpu_raster_is_small(const struct cpu_rect *box)
{
    unsigned x0 = box->x0, y0 = box->y0, x1 = box->x1, y1 = box->y1;
    return x1 / CPU_BLOCK - x0 / CPU_BLOCK < 2 && y1 / CPU_BLOCK - y0 / CPU_BLOCK < 2 &&
           x1 / CPU_TILE == x0 / CPU_TILE && y1 / CPU_TILE == y0 / CPU_TILE;
}

/* Computes cpu_prim.mask of a small primitive with at most three edges. Returns false if it covers
 * no pixel. */
bool cpu_raster_small(const struct cpu_edges *edges, const struct cpu_rect *box, uint16_t mask[4]);
/* Like cpu_raster_small(), for a line: edges 0 and 1 run along the line, and the box cuts off its
 * ends. The other edges must be 0. */
bool cpu_raster_line(const struct cpu_edges *edges, const struct cpu_rect *box, uint16_t mask[4]);
/* Stores in mask[] all pixels of the box of a small primitive (cpu_prim.mask). */
void cpu_raster_box(const struct cpu_rect *box, uint16_t mask[4]);
#if defined(__SSE2__) || defined(__aarch64__)
#define CPU_RASTER_HAS_TINY 1 /* cpu_raster_tiny() exists */
/* Returns the mask (16 bits per block, as in cpu_prim.mask) of a small triangle whose box is not
 * clipped. e holds the edge functions at the first pixel of block 0, a and b their increments per
 * pixel in x and y. 7 * (|a| + |b|) must be less than 2^15. */
uint64_t cpu_raster_tiny(const int32_t a[3], const int32_t b[3], const int32_t e[3]);
#else
#define CPU_RASTER_HAS_TINY 0 /* no saturated addition of 16-bit integers */
#endif
/* Rasterizes the primitive in the tile whose first pixel is x, y: stores the covered blocks, at
 * most 256, in block[]. Returns their number. */
unsigned cpu_raster_prim(const struct cpu_prim *prim, int x, int y, struct cpu_block *block);
/* Adds the pixels that lie inside of a conservatively rasterized polygon to the masks of blocks
 * that it touches (struct cpu_block); does nothing for other primitives. expand: the polygon is
 * first made smaller by 1/512 pixel in x and y; its edges must have been moved outward by as
 * much. */
void cpu_raster_inner(const struct cpu_prim *prim, bool expand, struct cpu_block *block,
                      unsigned count);
/* Like cpu_raster_prim(), for multisampled draws. Also stores the covered samples of each block in
 * samples[], which has 256 elements, or 512 if cpu_draw_has_high_samples(). */
unsigned cpu_raster_prim_samples(const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                                 struct cpu_block_samples *samples);
/* Like cpu_raster_prim(), for draws with smooth primitives. Also stores the coverage of each block
 * in samples[], which has 256 elements. */
unsigned cpu_raster_prim_smooth(const struct cpu_prim *prim, int x, int y, struct cpu_block *block,
                                struct cpu_block_samples *samples);
/* Removes the samples of pixels that are not in the mask. `high`: the block has samples 8 to 15
 * (CPU_HIGH_SAMPLES). Returns the mask of the pixels that still have samples. */
uint32_t cpu_raster_mask_samples(struct cpu_block_samples *samples, bool high, uint32_t mask);
/* Returns a static array of x and y of the sample positions relative to the pixel center, in 1/16
 * pixel, for 2, 4, 8 or 16 samples; for other counts, one position at the pixel center. With
 * `window`, the positions are flipped vertically, for windows, whose last row is at the top. */
const int8_t (*cpu_sample_positions(unsigned samples, bool window))[2];
/* Stores all 256 blocks of the tile at pixel x, y as fully covered. Returns 256. */
unsigned cpu_raster_full(int x, int y, struct cpu_block *block);

/* --- smooth lines and points (cpu_smooth.c) --- */

/* Computes the covered fraction of each pixel of `count` blocks and stores it in samples[]. Removes
 * blocks that are not covered at all. Returns the number of remaining blocks. */
unsigned cpu_smooth_coverage(const struct cpu_prim *prim, struct cpu_block *block,
                             struct cpu_block_samples *samples, unsigned count);

/* --- tiles (cpu_tile.c) --- */

/* Returns whether a polygon's coverage is computed at sample positions instead of pixel centers. */
static inline bool cpu_draw_samples_polygons(const struct cpu_draw *draw)
{
    return draw->positions || draw->smooth_polygons;
}

/* Returns whether the draw's blocks have samples 8 to 15 (CPU_HIGH_SAMPLES). */
static inline bool cpu_draw_has_high_samples(const struct cpu_draw *draw)
{
    return draw->samples > CPU_LOW_SAMPLES && !draw->smooth;
}

/* Executes the scene's clear and the bins of a tile. Runs on a worker. */
void cpu_tile_run(struct cpu_scene *scene, uint32_t tile);

#endif
