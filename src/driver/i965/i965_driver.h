/* SPDX-License-Identifier: MIT */
/*
 * The driver without hardware: the CPU driver's pipeline with shader stages that the EU simulator
 * runs (driver/cpu/cpu_external.h). Between the files that dispatch threads.
 *
 * A stage is three steps: a kernel of the CPU driver's that fetches (vertices) — threads with real
 * payloads — a kernel of the CPU driver's that goes on with what the threads wrote (viewport, clip
 * codes; tests, blending). The outer kernels are built from shaders of our own, which only copy.
 */
#ifndef I965_DRIVER_H
#define I965_DRIVER_H

#include <pthread.h>

#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/screen/cpu_screen_create.h"
#include "driver/i965/i965_compiler.h"
#include "sim/eu_sim.h"

struct i965_screen {
    struct cpu_external external; /* first: what the pipeline passes back */
    struct cpu_screen *cpu;
    struct drv_screen_ops ops; /* the CPU driver's and our own */
    const struct i965_device *dev;
    char name[64];
};

/* A program ready to run: a decoded kernel of one width. */
struct i965_runnable {
    struct i965_program *program; /* owned */
    struct sim_program *code;
    const struct i965_kernel *kernel;
    bool said; /* atomic: a fault is in the log */
};

/* Compiles a clone of nir, takes the kernel of at most max_width channels. False: with a message in
 * the log. */
bool i965_runnable_init(struct i965_runnable *r, const struct i965_device *dev,
                        const struct nir_shader *nir, const struct i965_key *key,
                        unsigned max_width);
void i965_runnable_finish(struct i965_runnable *r); /* zeroed is fine */

/* What create_shader was given. */
struct i965_shader {
    struct nir_shader *nir; /* owned, as src/gl left it */
    const struct i965_device *dev;
    bool broken; /* it does not compile, which is in the log; under the variants' lock */
};

/* Kernels that do one sampler message each, made when first sent. */
struct i965_samplers {
    pthread_mutex_t lock;
    struct i965_sampler_kernel *first; /* list; grows only */
    struct jit_engine *engine;
    const struct cpu_units_key *units;
    uint32_t new_style; /* units whose comparisons give one number, not a swizzled vector */
    bool upper_row;     /* of struct cpu_fs_key */
};

/* nir: after the CPU driver's lowering; units: borrowed as long as there is s. */
void i965_samplers_init(struct i965_samplers *s, struct jit_engine *engine,
                        const struct nir_shader *nir, const struct cpu_units_key *units);
void i965_samplers_finish(struct i965_samplers *s);
/* Answers a message; unit: texture's and sampler's number in the stage. */
bool i965_samplers_run(struct i965_samplers *s, const struct cpu_stage_state *state, unsigned unit,
                       struct sim_sample *sample);

/* What the variants of every stage begin with. */
struct i965_stage {
    struct i965_runnable run;
    const struct i965_prog_data *data; /* run's */
    struct i965_samplers samplers;
};

/* A variant of that many bytes, zeroed but for its struct i965_stage, whose run is of at most max_width
 * channels. compile: NULL stands for zeros; units: of the pipeline's key, borrowed as long as there is
 * the variant. NULL: no memory, or the shader does not compile, now or before. */
void *i965_stage_create(size_t size, struct cpu_screen *screen, const struct cpu_shader *shader,
                        const struct i965_key *compile, const struct cpu_units_key *units,
                        unsigned max_width);
/* Frees a variant, which begins with a struct i965_stage. */
void i965_stage_destroy(void *variant);

/* A thread's environment: binding table of a stage over the pipeline's state. */
struct i965_env {
    struct sim_env base; /* first */
    const struct i965_prog_data *data;
    const struct cpu_stage_state *state;
    struct i965_samplers *samplers;
    void *dispatch;  /* of the stage */
    uint8_t *shared; /* of a compute group */
    size_t shared_size;
    const uint32_t *num_work_groups; /* 3; NULL: not a compute thread */
};

/* Images (i965_image.c): of a binding table index, NULL: it is none's; the environment's entry; the
 * answer of a resinfo message. */
const struct cpu_image *i965_env_image(const struct i965_env *env, unsigned surface);
bool i965_typed_access(struct sim_env *base, struct sim_typed *access);
void i965_image_size(const struct cpu_image *image, struct sim_sample *s);

/* Fills what does not depend on the thread; scratch comes from the heap. False: no memory. */
bool i965_env_init(struct i965_env *env, const struct i965_prog_data *data,
                   const struct cpu_stage_state *state, struct i965_samplers *samplers);
void i965_env_finish(struct i965_env *env);
/* Copies the push constants to registers from `first` on. */
void i965_push_constants(const struct i965_prog_data *data, const struct cpu_stage_state *state,
                         struct sim_thread *t, unsigned first);
/* Runs the thread to its end; false: it did not get there. A fault, as of a thread without an end, is the
 * scene's overrun, after which its threads run no more; the program's first is logged. */
bool i965_run_thread(struct i965_runnable *run, struct sim_thread *t, const char *stage);

/* Threads that wait for each other at barriers: they run one after the other, each until its end or a
 * barrier; when all wait, they go on. Each has scratch memory of its own. */
struct i965_threads {
    struct i965_runnable *run;
    struct i965_env *env;
    unsigned count;
    struct sim_thread *thread;
    bool *ended;
    uint8_t *scratch;
};

/* run and env are borrowed; env's scratch memory goes. False: no memory; to be finished all the same. */
bool i965_threads_init(struct i965_threads *t, struct i965_runnable *run, struct i965_env *env,
                       unsigned count);
void i965_threads_finish(struct i965_threads *t);
/* Thread i, with these channels and its registers zeroed; all are started before they run. */
struct sim_thread *i965_threads_start(struct i965_threads *t, unsigned i, uint32_t channels);
/* All to their ends; false: one did not get there. */
bool i965_threads_run(struct i965_threads *t, const char *stage);

/* A slot of which an entry has one component, and where in an entry a component of a slot is, in
 * dwords; place: of the slot in the map. */
bool i965_vue_is_scalar(unsigned slot);
unsigned i965_vue_dword(unsigned slot, unsigned place, unsigned component);
/* A vertex of the stage before, whose first output is at in (struct cpu_vs_args) → its entry. What that
 * does not write is (0, 0, 0, 1). */
void i965_write_vertex(const struct i965_vue_map *map, const uint8_t input_slot[64],
                       const float *in, uint32_t *entry);

/* Runs a row of thread groups; of the arguments, memory of groups and frames is not looked at. False: a
 * thread had a fault (the program's first is in the log), or no memory. */
bool i965_groups_run(struct i965_runnable *run, const struct cpu_cs_args *args,
                     struct i965_samplers *samplers);

/* Shaders that copy (i965_standin.c); each becomes the caller's, as a struct cpu_shader on its own
 * stack. NULL: no memory. */
struct nir_shader *i965_fetch_shader(const struct i965_prog_data *data,
                                     const struct nir_shader *app);
/* Of the slots from first on, as many as there are attributes. */
struct nir_shader *i965_vertex_results_shader(const struct i965_vue_map *map, unsigned first);
/* Marks pixels that pass the tests as live, in the planes of results as storage buffer 0. */
struct nir_shader *i965_fragment_test_shader(void);
/* Copies what of color buffers, depth and stencil the application's shader reads to the planes of their
 * results, likewise. */
struct nir_shader *i965_fragment_targets_shader(const struct i965_prog_data *data,
                                                unsigned num_targets);
struct nir_shader *i965_fragment_results_shader(const struct i965_prog_data *data,
                                                uint64_t outputs_written, unsigned num_targets);

/* Fragments' results are planes of 64×64 dwords, a plane per component: live, depth, stencil, sample
 * mask, then four of each render target, then four of a second color that is blended with. In a plane the
 * pixels of a block of 4×4 follow each other as channels do (cpu_texel_x), and rows of 16 blocks. */
enum {
    I965_RESULT_LIVE,
    I965_RESULT_DEPTH,
    I965_RESULT_STENCIL,
    I965_RESULT_SAMPLE_MASK,
    I965_RESULT_COLOR,
    I965_RESULT_PIXELS = CPU_TILE * CPU_TILE,
};

/* Entries of struct cpu_external; i965_stage_destroy is another. */
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
