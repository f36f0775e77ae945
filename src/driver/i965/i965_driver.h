/* SPDX-License-Identifier: MIT */
/*
 * The i965 driver without hardware: the CPU driver's pipeline with external shader stages
 * (driver/cpu/kernel/cpu_external.h) that run in the EU simulator. This header has the shared
 * declarations of the files that dispatch threads.
 *
 * A stage has up to three steps: a CPU driver kernel fetches the inputs (vertices); EU threads with
 * real payloads run the shader; another CPU driver kernel processes their results (viewport, clip
 * codes; tests, blending). The CPU kernels are compiled from pass-through shaders.
 */
#ifndef I965_DRIVER_H
#define I965_DRIVER_H

#include <pthread.h>

#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/screen/cpu_screen_create.h"
#include "driver/i965/i965_compiler.h"
#include "sim/eu_sim.h"

/* The screen: a CPU driver screen with external shader stages. */
struct i965_screen {
    struct cpu_external external; /* Must be first; the pipeline passes it back. */
    struct cpu_screen *cpu;
    struct drv_screen_ops ops; /* The CPU driver's operations with some replaced. */
    const struct i965_device *dev;
};

/* A program with the decoded kernel of one width. `kernel` points into the program. */
struct i965_runnable {
    struct i965_program *program; /* Owned. */
    struct sim_program *code;     /* Owned; decoded from kernel. */
    const struct i965_kernel *kernel;
    bool fault_logged; /* A fault of this program was logged. Accessed atomically. */
};

/* Compiles a clone of nir and decodes its widest kernel that has at most max_width channels. On
 * failure, zeroes *r, logs an error unless it is out of memory, and returns false. Opens its own
 * attempt. */
bool i965_runnable_init(struct i965_runnable *r, const struct i965_device *dev,
                        const struct nir_shader *nir, const struct i965_key *key,
                        unsigned max_width);
/* Frees the program and the decoded kernel. r may be zeroed. */
void i965_runnable_finish(struct i965_runnable *r);

/* Driver data of a shader, from create_shader. */
struct i965_shader {
    struct nir_shader *nir; /* Owned; as the front end (src/gl) left it. */
    const struct i965_device *dev;
    /* A kernel could not be created, also for lack of memory. The shader isn't compiled again then.
     * Protected by the lock of the shader's variants. */
    bool broken;
};

/* CPU driver kernels that each execute one kind of sampler message; compiled on first use. */
struct i965_samplers {
    pthread_mutex_t lock;              /* Protects `first` and the list. */
    struct i965_sampler_kernel *first; /* Linked list; only grows. */
    struct jit_engine *engine;
    const struct cpu_units_key *units;
    /* Bit per unit: shadow comparisons return a scalar instead of a swizzled vector. */
    uint64_t new_style;
    bool upper_row; /* As in struct cpu_fs_key. */
};

/* Initializes s without kernels; upper_row becomes false. nir: the stage's shader, lowered by the
 * CPU driver; read only during the call. engine and units are borrowed until
 * i965_samplers_finish(), which destroys the kernels. */
void i965_samplers_init(struct i965_samplers *s, struct jit_engine *engine,
                        const struct nir_shader *nir, const struct cpu_units_key *units);
void i965_samplers_finish(struct i965_samplers *s);
/* Executes a sampler message and sets its result. unit is the index of the texture and sampler in
 * the stage. Returns false if there is no such unit or message, or if compilation fails. Any thread
 * may call it. */
bool i965_samplers_run(struct i965_samplers *s, const struct cpu_stage_state *state, unsigned unit,
                       struct sim_sample *sample);

/* Common head of the variants of all stages. */
struct i965_stage {
    struct i965_runnable run;
    const struct i965_prog_data *data; /* Owned by run. */
    struct i965_samplers samplers;
};

/* Creates a variant of `size` bytes that starts with a struct i965_stage; the rest is zeroed. Its
 * kernel has at most max_width channels. compile: compile key; NULL means all zeros. units is a
 * part of the variant's key (such as cpu_vs_key.units) and must outlive the variant. Returns NULL
 * if out of memory, or if the shader does not compile (now or in an earlier call). */
void *i965_stage_create(size_t size, struct cpu_screen *screen, const struct cpu_shader *shader,
                        const struct i965_key *compile, const struct cpu_units_key *units,
                        unsigned max_width);
/* Frees a variant that starts with a struct i965_stage. */
void i965_stage_destroy(void *variant);

/* A thread's environment: maps a stage's binding table to the pipeline's state. */
struct i965_env {
    struct sim_env base; /* Must be first. */
    const struct i965_prog_data *data;
    const struct cpu_stage_state *state;
    struct i965_samplers *samplers;
    void *dispatch;  /* Dispatch data of fragment threads (i965_fs.c). */
    uint8_t *shared; /* Shared memory of a compute group. */
    size_t shared_size;
    const uint32_t *num_work_groups; /* Three elements; NULL if this is not a compute thread. */
};

/* Images (i965_image.c). i965_env_image() returns the image at a binding table index, or NULL if
 * the index is not that of an image. i965_typed_access() implements sim_env.typed.
 * i965_image_size() stores the result of a resinfo message. */
const struct cpu_image *i965_env_image(const struct i965_env *env, unsigned surface);
bool i965_typed_access(struct sim_env *base, struct sim_typed *access);
void i965_image_size(const struct cpu_image *image, struct sim_sample *s);

/* Initializes the fields that threads of all stages use, clears the others, and allocates scratch
 * memory, which i965_env_finish() frees. Borrows the parameters. Returns false if out of memory. */
bool i965_env_init(struct i965_env *env, const struct i965_prog_data *data,
                   const struct cpu_stage_state *state, struct i965_samplers *samplers);
void i965_env_finish(struct i965_env *env);
/* Copies the push constants to the thread's registers, starting at register `first`. Registers past
 * the end of a constant buffer keep their contents. */
void i965_push_constants(const struct i965_prog_data *data, const struct cpu_stage_state *state,
                         struct sim_thread *t, unsigned first);
/* Runs the thread to its end. Returns false if it does not get there: after a fault, at a barrier,
 * or if the watchdog has stopped the scene. A fault also stops the scene, and the program's first
 * fault is logged. stage: name of the stage in the log message. */
bool i965_run_thread(struct i965_runnable *run, struct sim_thread *t, const char *stage);

/* Threads that synchronize at barriers. They run one after the other, each until its end or a
 * barrier; when all of them wait, they resume. Each has its own scratch memory. */
struct i965_threads {
    struct i965_runnable *run;
    struct i965_env *env;
    unsigned count; /* Number of threads, and of elements of `thread` and `ended`. */
    struct sim_thread *thread;
    bool *ended;
    uint8_t *scratch; /* That of thread i starts at byte env->base.scratch_size * i. */
};

/* Allocates `count` threads. Borrows run and env until i965_threads_finish(), which frees the
 * threads. Frees env's scratch memory, because each thread gets its own. Returns false if out of
 * memory; i965_threads_finish() must be called even then. */
bool i965_threads_init(struct i965_threads *t, struct i965_runnable *run, struct i965_env *env,
                       unsigned count);
void i965_threads_finish(struct i965_threads *t);
/* Prepares thread i with these channels and zeroed registers, and returns it, so that the caller
 * can set its payload. Start all threads before running them. */
struct sim_thread *i965_threads_start(struct i965_threads *t, unsigned i, uint32_t channels);
/* Runs all threads to their ends. Returns false if a thread faulted or the scene was stopped.
 * Faults are handled as by i965_run_thread(). */
bool i965_threads_run(struct i965_threads *t, const char *stage);

/* URB entries of vertices (VUEs). i965_vue_is_scalar() returns whether a varying slot has one
 * component in an entry. i965_vue_dword() returns the dword offset in an entry of a component of a
 * varying slot. place: the index of the varying's slot in the entry, from the VUE map. */
bool i965_vue_is_scalar(unsigned slot);
unsigned i965_vue_dword(unsigned slot, unsigned place, unsigned component);
/* Writes a vertex of the previous stage to its URB entry. input_slot is as in struct cpu_fs_key,
 * for the outputs of that stage. in points to the vertex's first output (struct cpu_vs_args).
 * Varyings that the previous stage does not write are (0, 0, 0, 1). */
void i965_write_vertex(const struct i965_vue_map *map, const uint8_t input_slot[64],
                       const float *in, uint32_t *entry);

/* Runs args->count thread groups in x, starting at args->group. Ignores args->shared and
 * args->frames; allocates its own memory. Returns false if out of memory, a thread faulted or the
 * watchdog has stopped the dispatch. The program's first fault is logged. */
bool i965_groups_run(struct i965_runnable *run, const struct cpu_cs_args *args,
                     struct i965_samplers *samplers);

/* Pass-through shaders (i965_copy_shaders.c). Each function builds a NIR shader that the caller
 * owns and wraps in a temporary struct cpu_shader. Call them in an attempt (util/memory.h). */

/* Vertex fetch: copies attribute data->vs.inputs[i] to output VARYING_SLOT_VAR0 + i. app: the
 * application's shader, which determines the attributes' types. */
struct nir_shader *i965_fetch_shader(const struct i965_prog_data *data,
                                     const struct nir_shader *app);
/* Copies up to VERT_ATTRIB_COUNT VUE slots, starting at `first`, to the outputs they are
 * mapped to. */
struct nir_shader *i965_vue_to_outputs_shader(const struct i965_vue_map *map, unsigned first);
/* Stores each pixel's mask of samples that pass the depth and stencil tests in plane
 * I965_RESULT_LIVE. The planes are in storage buffer 0. */
struct nir_shader *i965_fragment_test_shader(void);
/* Copies the texels of the targets that the application's shader reads (color buffers, depth,
 * stencil) to the result planes of these targets, in storage buffer 0. */
struct nir_shader *i965_fragment_targets_shader(const struct i965_prog_data *data,
                                                unsigned num_targets);
/* Copies the results of the application's shader from their planes, in uniform block 0, to fragment
 * outputs. Discards pixels whose value in plane I965_RESULT_LIVE is 0. */
struct nir_shader *i965_fragment_results_shader(const struct i965_prog_data *data,
                                                uint64_t outputs_written, unsigned num_targets);

/* Results of fragment threads are planes of 64×64 dwords, one per component: live, depth, stencil,
 * sample mask, four per render target, and after the last target four of the second color of
 * dual-source blending. Within a plane, the pixels of a 4×4 block are consecutive, in channel order
 * (cpu_texel_x), and each row has 16 blocks. I965_RESULT_PIXELS is the size of a plane in dwords,
 * the others are indices of planes; I965_RESULT_COLOR is the first plane of render target 0. */
enum {
    I965_RESULT_LIVE,
    I965_RESULT_DEPTH,
    I965_RESULT_STENCIL,
    I965_RESULT_SAMPLE_MASK,
    I965_RESULT_COLOR,
    I965_RESULT_PIXELS = CPU_TILE * CPU_TILE,
};

/* Functions of struct cpu_external, which describes their arguments and results. Stages without a
 * *_destroy function here use i965_stage_destroy(). */
void *i965_vs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_vs_key *key,
                     struct cpu_vs_variant *variant);
void i965_vs_destroy(void *vs);
void i965_vs_run(void *vs, const struct cpu_vs_args *args);
void *i965_tcs_create(const struct cpu_external *external, struct cpu_screen *screen,
                      struct cpu_shader *shader, const struct cpu_tcs_key *key,
                      struct cpu_tcs_variant *variant);
void i965_tcs_run(void *tcs, const struct cpu_tcs_args *args);
void *i965_tes_create(const struct cpu_external *external, struct cpu_screen *screen,
                      struct cpu_shader *shader, const struct cpu_tes_key *key,
                      struct cpu_tes_variant *variant);
void i965_tes_run(void *tes, const struct cpu_tes_args *args);
void *i965_gs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_gs_key *key,
                     struct cpu_gs_variant *variant);
void i965_gs_run(void *gs, const struct cpu_gs_args *args);
void *i965_cs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_cs_key *key,
                     struct cpu_cs_variant *variant);
void i965_cs_run(void *cs, const struct cpu_cs_args *args);
void *i965_fs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_fs_key *key,
                     struct cpu_fs_variant *variant);
void i965_fs_destroy(void *fs);
void i965_fs_run(void *fs, const struct cpu_fs_args *args);

#endif
