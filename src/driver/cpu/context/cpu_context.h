/* SPDX-License-Identifier: MIT */
/*
 * The context: bound state, state derived from it for the next draw, and scenes (recorded commands,
 * cpu_scene.h). Only one thread at a time may use it. Workers access scenes, not the context.
 */
#ifndef CPU_CONTEXT_H
#define CPU_CONTEXT_H

#include "driver/cpu/tile/cpu_scene.h"
#include "driver/cpu/resource/cpu_screen.h"
#include "driver/cpu/kernel/cpu_shader_object.h"
#include "driver/cpu/kernel/cpu_variant.h"
#include "indium/driver.h"

/* A blend state object. */
struct cpu_blend_object {
    struct drv_blend_state state;
    struct cpu_blend_key key; /* the part of fragment keys that `state` determines */
};

/* A depth and stencil state object. */
struct cpu_zs_object {
    struct drv_depth_stencil_state state;
    struct cpu_zs_key key; /* the part of fragment keys that `state` determines */
};

/* A vertex elements state object. */
struct cpu_vertex_elements {
    unsigned count; /* used elements of the arrays */
    struct drv_vertex_element element[DRV_MAX_ATTRIBS];
    uint32_t element_bytes[DRV_MAX_ATTRIBS]; /* bytes of a value in each element's src_format */
};

/* A sampler view object. */
struct cpu_sampler_view {
    /* The view that was created. It references the texture. `format` is replaced by the format in
     * which the texels are stored (cpu_store_format). */
    struct drv_sampler_view view;
    /* Resource that has the texels: the texture or its cpu_resource.reinterpreted. Borrowed. */
    struct cpu_resource *texels;
};

/* Cached descriptor of a sampler view, which kernels of the recorded scene read. */
struct cpu_bound_texture {
    const struct cpu_storage *storage; /* the storage it describes; NULL: no descriptor yet */
    const struct cpu_texture *texture; /* the descriptor, in the scene's arena */
};

/* Dirty bits: parts of the derived state that the next draw has to update. */
enum cpu_dirty {
    CPU_DIRTY_VS_KEY = 1 << 0,   /* keys of the vertex-processing stages */
    CPU_DIRTY_FS_KEY = 1 << 1,   /* key of the fragment stage */
    CPU_DIRTY_FS_STATE = 1 << 2, /* struct cpu_fs_state */
    CPU_DIRTY_DRAW = 1 << 3,     /* struct cpu_draw */
    CPU_DIRTY_FRONT = 1 << 4,    /* struct cpu_front */
    CPU_DIRTY_ALL = ~0,
};

/* The bindings of a shader stage. The resources of buffers and images are referenced. The shader,
 * the samplers and the views are borrowed from the API layer, which deletes no bound object. NULL:
 * nothing is bound. */
struct cpu_stage {
    struct cpu_shader_object *shader;
    uint64_t shader_id; /* cpu_shader_object.id of shader; 0: none */
    struct drv_constant_buffer constant[DRV_MAX_CONSTANT_BUFFERS];
    struct drv_storage_buffer storage[DRV_MAX_STORAGE_BUFFERS];
    struct drv_image_view image[DRV_MAX_IMAGES];
    const struct drv_sampler_state *sampler[DRV_MAX_SAMPLERS];
    struct cpu_sampler_view *view[DRV_MAX_SAMPLERS];
    struct cpu_bound_texture texture[DRV_MAX_SAMPLERS]; /* one per view */
    uint32_t far_storage;     /* mask of the storage buffer slots with more than 2 GiB */
    uint32_t bound_constants; /* mask of the constant buffer slots with a buffer or user memory */
    /* Mask of the constant buffer slots that were bound when `state` was last updated. The next
     * update resets those that have been unbound. */
    uint32_t filled_constants;
    bool state_dirty;     /* `state` is out of date */
    bool constants_dirty; /* the constant buffers of `state` are out of date */
    /* The bindings in the form that kernels read; NULL: none for the recorded scene yet. Allocated
     * from the scene's arena for fragment and compute shaders. For other stages, an element of
     * cpu_context.vertex_state. */
    struct cpu_stage_state *state;
};

/* A part of a buffer that transform feedback writes. */
struct cpu_stream_target {
    struct drv_resource *buffer; /* referenced; NULL: none */
    uint32_t offset, size;       /* the part, in bytes of the buffer */
    uint32_t position;           /* bytes from `offset` to where the next vertex is written */
};

/* A resident handle (ARB_bindless_texture): a texture or an image. */
struct cpu_resident {
    uint32_t generation;              /* high half of the handle; 0: the entry is free */
    uint32_t class;                   /* index in struct cpu_handle_classes */
    struct cpu_sampler_view *view;    /* the texture, owned; NULL: an image */
    struct drv_sampler_state sampler; /* of a texture */
    struct drv_image_view image;      /* of an image; its resource is referenced */
};

/* Value of cpu_handles.synced_uses: the images were last synchronized only for reading. */
#define CPU_NOT_SYNCED UINT32_MAX

/* The resident handles of a context. */
struct cpu_handles {
    struct cpu_resident *entry; /* indexed by the low half of the handle; NULL if capacity is 0 */
    uint32_t count, capacity;   /* highest index in use, plus one; allocated elements of entry */
    uint64_t classes[CPU_HANDLE_CLASSES / 64]; /* mask of the classes of all entries */
    uint32_t class_uses[CPU_HANDLE_CLASSES];   /* number of entries of each class */
    uint64_t newest_class;                     /* as in struct cpu_units_key */
    /* Table for kernels, in the recorded scene's arena; NULL: not built yet. */
    const struct cpu_handle *table;
    /* Whether cpu_scene_use() has been called for all images in the table. 0: no; 1: for reading;
     * 2: for reading and writing. Valid if `table` isn't NULL. */
    uint8_t uses;
    /* The result of cpu_storage_changes() before the last synchronization of all entries for
     * reading. They remain synchronized as long as it returns this value. 0: the entries have
     * changed. */
    uint64_t synced;
    /* The recorded scene's id (0: no scene) and number of uses when the images were last
     * synchronized for writing, too. They remain synchronized as long as `synced` is valid and
     * these are the same. synced_uses is CPU_NOT_SYNCED if they were last synchronized only for
     * reading. */
    uint64_t synced_scene;
    uint32_t synced_uses;
    /* The last scene in which no read of an entry depended on accesses before a memory barrier
     * (cpu_scene_is_fenced): its id, and its number of barriers at that time. The check needn't be
     * repeated while both are the same. unfenced_scene is 0 if the entries have changed. */
    uint64_t unfenced_scene;
    uint32_t unfenced_count;
    bool unfenced_writes; /* no write of an image depended on such accesses either */
};

struct cpu_assembly;
struct cpu_query;

/* Kinds of primitives that setup receives. */
enum cpu_kind { CPU_KIND_POINT, CPU_KIND_LINE, CPU_KIND_TRIANGLE };

struct cpu_context {
    struct drv_context base;
    struct cpu_screen *screen;

    /* Bound state. State objects are borrowed, as in struct cpu_stage; NULL: none is bound. The
     * resources of fb, vb and stream_target are referenced. */
    const struct cpu_blend_object *blend;
    const struct drv_rasterizer_state *rasterizer;
    const struct cpu_zs_object *zs;
    const struct cpu_vertex_elements *elements;
    struct cpu_stage stage[SHADER_STAGE_COUNT];
    struct drv_framebuffer fb;
    struct drv_viewport viewport[DRV_MAX_VIEWPORTS];
    unsigned num_viewports; /* highest viewport index ever set, plus one */
    struct drv_scissor scissor[DRV_MAX_VIEWPORTS];
    struct drv_vertex_buffer vb[DRV_MAX_VERTEX_BUFFERS];
    unsigned num_vb; /* number of elements of vb that are set */
    float blend_color[4];
    uint8_t stencil_ref[2];   /* front, back */
    uint32_t sample_mask;     /* bit s: sample s may be covered */
    unsigned min_samples;     /* as in drv_context_ops.set_min_samples */
    bool has_sample_location; /* sample_location replaces the standard positions */
    int8_t sample_location[CPU_MAX_SAMPLES][2]; /* as in drv_context_ops.set_sample_locations */
    uint32_t stipple[32];                       /* as in drv_context_ops.set_polygon_stipple */
    float patch_outer[4], patch_inner[2];       /* levels of patches without a control shader */
    struct cpu_stream_target stream_target[DRV_MAX_SO_BUFFERS];
    bool captures; /* transform feedback is active, even if there is no target */
    struct cpu_handles handles;
    uint32_t dirty; /* mask of enum cpu_dirty */

    /* Derived state. */
    struct cpu_vs_key vs_key;
    struct cpu_tcs_key tcs_key;
    struct cpu_tes_key tes_key;
    struct cpu_gs_key gs_key;
    struct cpu_fs_key fs_key;
    uint64_t key_shader[SHADER_STAGE_COUNT]; /* cpu_shader_object.id of each stage's variant */
    const struct cpu_vs_variant *vs;
    const struct cpu_tcs_variant *tcs; /* NULL: patch_outer and patch_inner are the levels */
    const struct cpu_tes_variant *tes; /* NULL: no tessellation */
    struct cpu_patch_outputs patch;    /* contents of patch records; valid with tessellation */
    const struct cpu_gs_variant *gs;   /* NULL: no geometry stage */
    const struct cpu_fs_variant *fs;
    const struct cpu_stage_outputs *outputs;        /* last stage before rasterization */
    const struct cpu_stage_outputs *fs_key_outputs; /* value of outputs when fs_key was made */
    struct cpu_stage_state vertex_state[SHADER_FRAGMENT]; /* stages before rasterization */
    struct cpu_fs_state *fs_state;                        /* in the recorded scene's arena */
    struct cpu_draw *draw;                                /* in the recorded scene's arena */

    /* Scenes. */
    struct cpu_scene *recording;     /* the scene that is recorded; NULL: nothing recorded */
    struct cpu_scene *running;       /* the last submitted scene; NULL: it was retired */
    struct cpu_scene *idle[2];       /* for reuse */
    struct arena_pool *scene_memory; /* memory of the scenes' arenas */
    /* Bytes that cpu_context_rename_copy() has copied since the last submit. The callers limit
     * it. */
    size_t rename_copy_bytes;
    /* Total size in bytes of the scenes that draws have submitted since the last other submit (such
     * as a flush). A draw submits a scene when it is large or workers are idle. */
    size_t self_submitted_bytes;
    struct cpu_fence *last_fence; /* fence of the last submitted scene; NULL: none */
    /* Estimated bytes of the orphans (cpu_storage.h) that other scenes than the recorded one keep.
     * Set to the bytes of all orphans after each submit that is to free some; lowered if there are
     * fewer later. */
    size_t foreign_orphans;

    /* Time limits. */
    uint64_t commands;               /* number of draw commands and dispatches so far */
    struct cpu_task front_task;      /* the front end's work on the current draw */
    struct watchdog_stop front_stop; /* stops the front end's work on the current draw */
    bool draw_dropped;               /* a scene with a part of the current draw was stopped */

    /* Scratch of the front end. */
    struct cpu_assembly *assembly; /* NULL: nothing drawn yet */
    bool instances_share_vectors;  /* a vector may hold vertices of different instances */
    bool far_arrays;               /* offsets in a vertex array may exceed 2 GiB */
    uint32_t patch_prims;    /* primitives of the largest patch in the last tessellated draw */
    uint32_t *indices;       /* 32-bit indices of a draw, base vertex added */
    size_t indices_capacity; /* elements of indices */
    void *staging;           /* linear memory of an earlier map, kept for the next; may be NULL */
    size_t staging_size;     /* bytes of staging */
    void *idle_transfer;     /* transfer object of an earlier map, kept for the next; may be NULL */
    struct util_conversion_cache conversions; /* of blits and transfers */

    /* Active queries. */
    struct cpu_query *counting[CPU_MAX_COUNTERS]; /* those whose counters tiles update */
    unsigned num_counting;                        /* used elements of counting */
    unsigned statistics_running; /* number of active queries of pipeline statistics */
    unsigned num_measuring;      /* number of active queries that are not in `counting` */
    /* Pipeline statistics, by enum drv_statistic. Updated while statistics_running is not 0, with
     * atomic operations during a draw. */
    uint64_t statistics[DRV_STAT_COUNT];
    /* Per vertex stream, since the context's creation: primitives generated, primitives captured by
     * transform feedback, and primitives that did not fit into its buffers. */
    uint64_t primitives_generated[DRV_MAX_VERTEX_STREAMS];
    uint64_t primitives_emitted[DRV_MAX_VERTEX_STREAMS], so_overflows[DRV_MAX_VERTEX_STREAMS];
    struct cpu_query *condition; /* query of conditional rendering; NULL: commands always execute */
    bool condition_inverted;     /* `condition` argument of drv_context_ops.render_condition */
};

/* Returns the struct of which ctx is the base. */
static inline struct cpu_context *cpu_context(struct drv_context *ctx)
{
    return (struct cpu_context *)ctx;
}

/* --- time limits (cpu_context.c) --- */

/* Initializes a task: the work of a stage of the current command. `stop` is the request through
 * which the watchdog stops it, and must remain valid as long as the task. */
void cpu_context_init_task(const struct cpu_context *ctx, struct cpu_task *task,
                           enum shader_stage stage, struct watchdog_stop *stop);
/* Reports to the API layer that a command was stopped, and logs the reason. stop->task must be the
 * first member of a struct cpu_task, or NULL if the reason has been logged already. */
void cpu_context_report_stop(struct cpu_context *ctx, const struct watchdog_stop *stop);
/* Returns whether the rest of the current draw must be dropped. */
static inline bool cpu_draw_stopped(const struct cpu_context *ctx)
{
    return watchdog_stopped(&ctx->front_stop) || ctx->draw_dropped;
}

/* --- scenes (cpu_context.c) --- */

/* Returns the scene that is recorded; starts one if there is none. Returns NULL if out of
 * memory. */
struct cpu_scene *cpu_context_scene(struct cpu_context *ctx);
/* Starts a scene for a dispatch and returns it, or NULL if out of memory. It becomes the recorded
 * scene; an earlier one must have been submitted. */
struct cpu_scene *cpu_context_dispatch_scene(struct cpu_context *ctx);
/* Submits the recorded scene, if any. First waits for its kernels, for the previous scene, and for
 * the scenes of other contexts that it depends on. Does not wait for the submitted scene. If out of
 * memory or if a kernel cannot be compiled, sets base.out_of_memory: then primitives may be
 * missing. Returns false if the whole scene is lost, otherwise true. */
bool cpu_context_submit(struct cpu_context *ctx);
/* Returns whether no scene of the context runs. Retires the running scene if it has finished. */
bool cpu_context_idle(struct cpu_context *ctx);
/* Submits the recorded scene and waits until no scene runs. */
void cpu_context_finish(struct cpu_context *ctx);
/* Returns the bindings of the last stage before rasterization that has a shader; without any
 * shader, those of the vertex stage. */
static inline const struct cpu_stage *cpu_last_stage(const struct cpu_context *ctx)
{
    enum shader_stage last = ctx->stage[SHADER_GEOMETRY].shader    ? SHADER_GEOMETRY
                             : ctx->stage[SHADER_TESS_EVAL].shader ? SHADER_TESS_EVAL
                                                                   : SHADER_VERTEX;
    return &ctx->stage[last];
}

/* Waits until no scene of any context writes the storage; with `write`, until none uses it. Submits
 * the recorded scene if necessary. With dont_block, returns false instead of waiting for these
 * scenes; a submit may still wait for kernels and scenes of other contexts (cpu_context_submit()).
 * Otherwise returns true. */
bool cpu_context_wait(struct cpu_context *ctx, const struct cpu_storage *storage, bool write,
                      bool dont_block);
/* Waits like cpu_context_wait() and resolves fast clears. The caller may then read the storage's
 * memory; with `write`, it may also write it. */
void cpu_context_sync(struct cpu_context *ctx, struct cpu_storage *storage, bool write);
/* Copies the pixels that the recorded scene renders from a color buffer to linear memory. Submits
 * the scene, in which each tile copies its pixels when it is done, and waits. Returns false, and
 * copies nothing, if no scene is recorded, cpu_scene_read() fails, or when out of memory. */
bool cpu_context_read(struct cpu_context *ctx, const struct cpu_copy *copy);
/* If a scene uses the storage of r, replaces it by a new one with undefined contents. If it cannot
 * be replaced, waits for the scenes. Submits the recorded scene if it writes the storage. r must
 * meet the conditions of cpu_resource_rename(). */
void cpu_context_rename(struct cpu_context *ctx, struct cpu_resource *r);
/* If a scene uses the storage of r, replaces it by a copy. Returns true if no scene uses the
 * resource's storage now. Returns false, and changes nothing, if a scene writes the storage, or if
 * cpu_resource_rename() fails, whose conditions r must meet. Never waits for scenes. */
bool cpu_context_rename_copy(struct cpu_context *ctx, struct cpu_resource *r);
/* Returns whether conditional rendering permits drawing; true if it is not active. Waits for the
 * query's result in all modes, and submits the recorded scene if the query counts in it. */
bool cpu_context_condition(struct cpu_context *ctx);

/* --- Each function sets the entries of struct drv_context_ops that one file implements. --- */

/* cpu_context.c: flush, barriers, reset status. */
void cpu_context_init_ops(struct drv_context_ops *ops);
void cpu_state_init(struct drv_context_ops *ops);  /* cpu_state.c: state objects and bindings */
void cpu_query_init(struct drv_context_ops *ops);  /* cpu_query.c: queries */
void cpu_handle_init(struct drv_context_ops *ops); /* cpu_handle.c: resident handles */

/* --- resident handles (cpu_handle.c) --- */

/* Makes all handles nonresident and frees the array. */
void cpu_handles_finish(struct cpu_context *ctx);
/* Returns the resource of an entry, without a reference, or NULL if the entry is free. */
struct drv_resource *cpu_resident_resource(const struct cpu_resident *r);
/* Returns whether the resource has a resident handle. */
bool cpu_handles_refer_to(const struct cpu_context *ctx, const struct drv_resource *resource);

/* Initializes a zeroed context. screen and ops must outlive it. Returns false, with nothing to
 * free, if out of memory. */
bool cpu_context_init(struct cpu_context *ctx, struct cpu_screen *screen,
                      const struct drv_context_ops *ops);
/* Submits the recorded scene, waits for the scenes, frees them and calls cpu_state_finish(). The
 * caller frees the scratch memory of the front end and of transfers, and the context itself. */
void cpu_context_deinit(struct cpu_context *ctx);
/* Unbinds everything that holds references: handles, framebuffer, buffers and images
 * (cpu_state.c). */
void cpu_state_finish(struct cpu_context *ctx);

/* --- derived state (cpu_validate.c) --- */

/* Updates the derived state for a draw of primitives of that kind. Waits until the kernels of the
 * stages before rasterization are compiled, and until these stages may access their memory. May
 * submit the recorded scene, and starts one if none is recorded. Returns false if nothing can be
 * drawn, because state is unbound. Also returns false, and sets base.out_of_memory, when out of
 * memory or if a kernel cannot be compiled. */
bool cpu_validate(struct cpu_context *ctx, enum cpu_kind kind);
/* Updates the compute stage's derived state for a dispatch in `scene`. Allocates it from the arena
 * of `segment`, one of the scene's segments. A compute shader must be bound. Waits for the kernel's
 * compilation. Returns the stage's variant, or NULL if out of memory or if the kernel cannot be
 * compiled; the caller then sets base.out_of_memory. */
const struct cpu_cs_variant *cpu_validate_compute(struct cpu_context *ctx, struct cpu_scene *scene,
                                                  struct cpu_segment *segment);
/* Returns the pixels that a draw may cover in viewport number `viewport`: the scene's framebuffer,
 * clipped to that viewport's scissor rectangle if the scissor test is enabled. May be empty. */
struct cpu_rect cpu_draw_rect(const struct cpu_context *ctx, const struct cpu_scene *scene,
                              unsigned viewport);

/* --- queries (cpu_query.c) --- */

/* Returns CLOCK_MONOTONIC in nanoseconds. Any thread. */
uint64_t cpu_timestamp(void);

/* Returns the counter that tiles update for a query in cpu_context.counting. Its `sum` points into
 * the query. */
struct cpu_counter cpu_query_counter(struct cpu_query *query);

#endif
