/* SPDX-License-Identifier: MIT */
/*
 * The context: bound state, what was derived from it for the next draw, and the scenes. Used by one
 * thread at a time; workers see scenes only.
 */
#ifndef CPU_CONTEXT_H
#define CPU_CONTEXT_H

#include "driver/cpu/tile/cpu_scene.h"
#include "driver/cpu/resource/cpu_screen.h"
#include "driver/cpu/kernel/cpu_shader_object.h"
#include "driver/cpu/kernel/cpu_variant.h"
#include "indium/driver.h"

struct cpu_blend_object {
    struct drv_blend_state state;
    struct cpu_blend_key key;
};

struct cpu_zs_object {
    struct drv_depth_stencil_state state;
    struct cpu_zs_key key;
};

struct cpu_vertex_elements {
    unsigned count;
    struct drv_vertex_element element[DRV_MAX_ATTRIBS];
    uint32_t element_bytes[DRV_MAX_ATTRIBS];
};

struct cpu_sampler_view {
    struct drv_sampler_view view; /* references the texture; format as samplers read it */
};

/* What was made of a view for the recorded scene. */
struct cpu_bound_texture {
    const struct cpu_storage *storage; /* from which; NULL: nothing made yet */
    const struct cpu_texture *texture;
};

/* Dirty bits: what has to be derived anew. */
enum cpu_dirty {
    CPU_DIRTY_VS_KEY = 1 << 0,
    CPU_DIRTY_FS_KEY = 1 << 1,
    CPU_DIRTY_FS_STATE = 1 << 2, /* struct cpu_fs_state */
    CPU_DIRTY_DRAW = 1 << 3,     /* struct cpu_draw only */
    CPU_DIRTY_FRONT = 1 << 4,    /* struct cpu_front */
    CPU_DIRTY_ALL = ~0,
};

struct cpu_stage {
    struct cpu_shader_object *shader;
    uint64_t shader_id; /* of shader */
    struct drv_constant_buffer constant[DRV_MAX_CONSTANT_BUFFERS];
    struct drv_storage_buffer storage[DRV_MAX_STORAGE_BUFFERS];
    struct drv_image_view image[DRV_MAX_IMAGES];
    const struct drv_sampler_state *sampler[DRV_MAX_SAMPLERS];
    struct cpu_sampler_view *view[DRV_MAX_SAMPLERS];
    struct cpu_bound_texture texture[DRV_MAX_SAMPLERS]; /* of view */
    uint32_t bound_constants;                           /* bit per slot */
    uint32_t made_constants;                            /* of them, those that state has */
    bool state_dirty;                                   /* state is to be made anew */
    bool constants_dirty;                               /* its constant buffers are */
    struct cpu_stage_state
        *state; /* of fragments in the recorded scene's arena; else in its place */
};

/* A buffer that transform feedback writes. */
struct cpu_stream_target {
    struct drv_resource *buffer; /* referenced; NULL: none */
    uint32_t offset, size;       /* bytes of the buffer */
    uint32_t position;           /* bytes from offset to the next vertex to be written */
};

struct cpu_assembly;
struct cpu_query;

/* Primitive kinds that reach setup. */
enum cpu_kind { CPU_KIND_POINT, CPU_KIND_LINE, CPU_KIND_TRIANGLE };

struct cpu_context {
    struct drv_context base;
    struct cpu_screen *screen;

    const struct cpu_blend_object *blend;
    const struct drv_rasterizer_state *rasterizer;
    const struct cpu_zs_object *zs;
    const struct cpu_vertex_elements *elements;
    struct cpu_stage stage[SHADER_STAGES];
    struct drv_framebuffer fb;
    struct drv_viewport viewport[DRV_MAX_VIEWPORTS];
    unsigned num_viewports; /* the highest that was ever set, plus one */
    struct drv_scissor scissor[DRV_MAX_VIEWPORTS];
    struct drv_vertex_buffer vb[DRV_MAX_VERTEX_BUFFERS];
    unsigned num_vb;
    float blend_color[4];
    uint8_t stencil_ref[2];
    uint32_t sample_mask;
    unsigned min_samples;
    uint32_t stipple[32];
    float patch_outer[4], patch_inner[2];
    struct cpu_stream_target stream_target[DRV_MAX_SO_BUFFERS];
    uint32_t dirty; /* enum cpu_dirty */

    /* Derived. */
    struct cpu_vs_key vs_key;
    struct cpu_tcs_key tcs_key;
    struct cpu_tes_key tes_key;
    struct cpu_gs_key gs_key;
    struct cpu_fs_key fs_key;
    uint64_t key_shader[SHADER_STAGES]; /* ids of the shaders that the variants belong to */
    const struct cpu_vs_variant *vs;
    const struct cpu_tcs_variant *tcs; /* NULL: levels are patch_outer and patch_inner */
    const struct cpu_tes_variant *tes; /* NULL: no tessellation */
    struct cpu_patch_outputs patch;    /* of what makes patches, if there is tessellation */
    const struct cpu_gs_variant *gs;   /* NULL: no geometry stage */
    const struct cpu_fs_variant *fs;
    const struct cpu_stage_outputs *outputs;        /* of the last stage before rasterization */
    const struct cpu_stage_outputs *fs_key_outputs; /* that fs_key names */
    struct cpu_stage_state vertex_state[SHADER_FRAGMENT]; /* of the stages before fragments' */
    struct cpu_fs_state *fs_state;                        /* in the recorded scene's arena */
    struct cpu_draw *draw;                                /* likewise */

    /* Scenes. */
    struct cpu_scene *recording; /* NULL: nothing recorded */
    struct cpu_scene *running;   /* NULL: none */
    struct cpu_scene *idle[2];   /* for reuse */
    struct arena_pool *scene_memory;
    size_t copied_bytes;          /* of storages that the recorded scene reads, to write them */
    size_t unasked_bytes;         /* of scenes before the recorded one that draws ended */
    bool overrun;                 /* a scene was, since this was last asked (reset_status) */
    uint64_t draw_since;          /* watchdog_clock early in the draw; 0: not yet */
    unsigned draw_steps;          /* how often cpu_draw_is_late was asked */
    bool draw_stopped;            /* it took too long */
    struct cpu_fence *last_fence; /* of the last scene submitted; NULL: none yet */
    size_t foreign_orphans;       /* bytes of deleted resources that others hold, when last seen */

    /* Scratch of the front end. */
    struct cpu_assembly *assembly; /* NULL: nothing drawn yet */
    bool lane_instances;           /* the draw's vertices may have instances of their own */
    bool far_arrays;               /* a vertex buffer that is set reaches beyond 2 GiB */
    uint32_t patch_prims;          /* that the largest patch of the last tessellated draw became */
    uint32_t *indices;
    size_t indices_room;
    void *staging; /* linear memory of a past mapping, for the next */
    size_t staging_size;
    void *idle_transfer; /* a past mapping's, for the next; NULL: none */

    /* Queries that run: those for which tiles count, and how many of other statistics. */
    struct cpu_query *counting[CPU_MAX_COUNTERS];
    unsigned num_counting, statistics_running;
    unsigned num_measuring;              /* queries for which tiles do not count */
    uint64_t statistics[DRV_STAT_COUNT]; /* while one runs; atomic while a draw does */
    /* Primitives of each vertex stream since creation; overflows: those that found no room. */
    uint64_t primitives_generated[DRV_MAX_VERTEX_STREAMS];
    uint64_t primitives_emitted[DRV_MAX_VERTEX_STREAMS], so_overflows[DRV_MAX_VERTEX_STREAMS];
    struct cpu_query *condition; /* conditional rendering; NULL: always */
    bool condition_inverted, condition_wait;
};

static inline struct cpu_context *cpu_context(struct drv_context *ctx)
{
    return (struct cpu_context *)ctx;
}

/* --- scenes (cpu_context.c) --- */

/* The scene that records, begun if there is none; NULL: no memory. */
struct cpu_scene *cpu_context_scene(struct cpu_context *ctx);
/* A scene for a dispatch, begun now; there must be none that records. NULL: no memory. */
struct cpu_scene *cpu_context_dispatch_scene(struct cpu_context *ctx);
/* Starts the recorded scene, if any. False: no memory, nothing is drawn. */
bool cpu_context_submit(struct cpu_context *ctx);
/* Whether no scene runs. */
bool cpu_context_idle(struct cpu_context *ctx);
/* Starts it and waits for all. */
void cpu_context_finish(struct cpu_context *ctx);
/* The last vertex-processing stage that has a shader. */
static inline const struct cpu_stage *cpu_last_stage(const struct cpu_context *ctx)
{
    enum shader_stage last = ctx->stage[SHADER_GEOMETRY].shader    ? SHADER_GEOMETRY
                             : ctx->stage[SHADER_TESS_EVAL].shader ? SHADER_TESS_EVAL
                                                                   : SHADER_VERTEX;
    return &ctx->stage[last];
}

/* Waits until no scene writes the storage (or uses it) any more. With dont_block: false instead of
 * waiting. */
bool cpu_context_wait(struct cpu_context *ctx, const struct cpu_storage *storage, bool write,
                      bool dont_block);
/* Makes the storage's memory safe for the caller to read (or write) now. */
void cpu_context_sync(struct cpu_context *ctx, struct cpu_storage *storage, bool write);
/* Makes a copy to linear memory if the recorded scene draws to the layer: tiles are copied while they are
 * in the cache. Returns when it is made. False: nothing was copied. */
bool cpu_context_read(struct cpu_context *ctx, const struct cpu_copy *copy);
/* Before commands of the next scene or the caller write a storage that is going to be exchanged:
 * the recorded scene must not go on with it. */
void cpu_context_rename(struct cpu_context *ctx, struct cpu_resource *r);
/* Likewise, keeping the contents; does nothing if no scene uses the storage. False: a scene writes
 * it, or no memory. */
bool cpu_context_rename_copy(struct cpu_context *ctx, struct cpu_resource *r);
/* Whether conditional rendering lets work through. */
bool cpu_context_condition(struct cpu_context *ctx);

/* --- entries of struct drv_context_ops, by file --- */

/* Sets those of cpu_context.c: flush, barriers, reset status. */
void cpu_context_init_ops(struct drv_context_ops *ops);
void cpu_state_init(struct drv_context_ops *ops);
void cpu_query_init(struct drv_context_ops *ops);

/* Initializes a zeroed context. Returns false if memory is short. */
bool cpu_context_init(struct cpu_context *ctx, struct cpu_screen *screen,
                      const struct drv_context_ops *ops);
/* Waits for the scenes, then frees them and drops the bound state. The scratch memory of the front
 * end and of transfers remains the caller's to free. */
void cpu_context_deinit(struct cpu_context *ctx);
/* Drops what is bound (cpu_state.c). */
void cpu_state_finish(struct cpu_context *ctx);

/* --- derived state (cpu_validate.c) --- */

/* Brings vs, fs, draw and the stages' state up to date for primitives of that kind, and the scene
 * with it. False: nothing can be drawn. */
bool cpu_validate(struct cpu_context *ctx, enum cpu_kind kind);
/* Brings the compute stage's variant and state up to date, for a dispatch in that scene. NULL: no
 * memory. */
const struct cpu_cs_variant *cpu_validate_compute(struct cpu_context *ctx, struct cpu_scene *scene,
                                                  struct cpu_segment *segment);
/* The pixels that rendering through a viewport may touch. */
struct cpu_rect cpu_draw_rect(const struct cpu_context *ctx, const struct cpu_scene *scene,
                              unsigned viewport);

/* --- queries (cpu_query.c) --- */

/* Returns CLOCK_MONOTONIC in nanoseconds. Any thread. */
uint64_t cpu_timestamp(void);

/* The counter of a query for which tiles count. */
struct cpu_counter cpu_query_counter(struct cpu_query *query);

#endif
