/* SPDX-License-Identifier: MIT */
/*
 * The EU simulator: runs the bytes of a kernel. A program is decoded once (sim_program), a thread is
 * registers and an instruction pointer; what a thread sends goes to models of the shared functions,
 * which reach memory, textures and pixels through struct sim_env, the dispatcher's.
 *
 * A kernel may be any bytes: what is wrong ends the thread with SIM_FAULT and a text that names the
 * instruction's offset. Nothing outside of the thread, and of the memory that the environment hands
 * out, is touched. A thread that runs too long is stopped in the same way.
 *
 * Threads: a program may be used by any number of host threads; a sim_thread by one.
 */
#ifndef EU_SIM_H
#define EU_SIM_H

#include "driver/i965/eu.h"

#define SIM_MAX_CHANNELS 32
#define SIM_GRF_BYTES    (128 * 32)
#define SIM_MAX_STEPS    (UINT64_C(1) << 24) /* instructions of a thread */

struct sim_program; /* decoded; immutable */

/* NULL: not a program, or no memory; error says which offset and field. */
struct sim_program *sim_program_create(const struct i965_device *dev, const uint8_t *bytes,
                                       size_t size, char *error, size_t error_size);
void sim_program_destroy(struct sim_program *program); /* NULL is fine */

enum sim_status {
    SIM_DONE,    /* end of thread */
    SIM_BARRIER, /* waits for the other threads of its group: run it again when all do */
    SIM_FAULT,   /* sim_thread.error says why */
};

/* Memory behind a binding table index: bytes of buffers; NULL base: nothing (reads 0). */
struct sim_surface {
    uint8_t *base;
    uint64_t size;
    bool read_only;
};

/* A sampler message of up to 16 channels, decoded. Coordinates and such are raw bits per channel. */
struct sim_sample {
    unsigned type; /* enum sim_sample_type */
    unsigned surface, sampler;
    unsigned channels;      /* 8 or 16 */
    uint32_t mask;          /* channels that run */
    uint32_t param[11][16]; /* in the message's order */
    unsigned num_params;    /* as many as the message carries */
    int offset[3];          /* of the header: u, v, r in texels */
    unsigned gather_component;
    uint32_t result[4][16]; /* filled by the environment */
};

enum sim_sample_type { /* message types (Skylake PRM, volume 2d, "Sampling Engine Messages") */
                       SIM_SAMPLE = 0,
                       SIM_SAMPLE_B = 1,
                       SIM_SAMPLE_L = 2,
                       SIM_SAMPLE_C = 3,
                       SIM_SAMPLE_D = 4,
                       SIM_SAMPLE_B_C = 5,
                       SIM_SAMPLE_L_C = 6,
                       SIM_LD = 7,
                       SIM_GATHER4 = 8,
                       SIM_LOD = 9,
                       SIM_RESINFO = 10,
                       SIM_SAMPLEINFO = 11,
                       SIM_GATHER4_C = 16,
                       SIM_GATHER4_PO = 17,
                       SIM_GATHER4_PO_C = 18,
                       SIM_SAMPLE_D_C = 20,
                       SIM_SAMPLE_LZ = 24,
                       SIM_SAMPLE_C_LZ = 25,
                       SIM_LD_LZ = 26,
                       SIM_LD2DMS_W = 28,
                       SIM_LD_MCS = 29,
};

/* Colors of a render target write of up to 16 channels; first: thread's channel of element 0. */
struct sim_render_write {
    unsigned target; /* binding table index */
    unsigned first, channels;
    uint32_t mask;    /* channels written, bit 0 is element 0 */
    bool last;        /* last render target of the thread */
    bool dual_source; /* color1 is given */
    bool has_depth, has_stencil, has_sample_mask, has_alpha0;
    uint32_t color[4][16], color1[4][16];
    uint32_t depth[16], stencil[16], sample_mask[16], alpha0[16];
};

/* What a render target has at the pixels (samples, if they are shaded one by one). */
struct sim_render_read {
    unsigned target; /* binding table index */
    unsigned first, channels;
    uint32_t mask;         /* channels that run, bit 0 is element 0 */
    uint32_t color[4][16]; /* filled by the environment */
};

/* A typed surface access. */
struct sim_typed {
    unsigned surface;
    unsigned operation;   /* enum sim_typed_operation */
    unsigned atomic;      /* enum sim_atomic */
    uint32_t mask;        /* 8 channels */
    uint32_t coord[4][8]; /* the last: level or sample */
    uint32_t data[4][8];  /* in: operands or texels; out: texels or the old value */
};

enum sim_typed_operation { SIM_TYPED_READ, SIM_TYPED_WRITE, SIM_TYPED_ATOMIC };

enum sim_atomic { /* (Skylake PRM, volume 7, "Atomic Operations") */
                  SIM_ATOMIC_AND = 1,
                  SIM_ATOMIC_OR,
                  SIM_ATOMIC_XOR,
                  SIM_ATOMIC_MOV,
                  SIM_ATOMIC_INC,
                  SIM_ATOMIC_DEC,
                  SIM_ATOMIC_ADD,
                  SIM_ATOMIC_SUB,
                  SIM_ATOMIC_REVSUB,
                  SIM_ATOMIC_IMAX,
                  SIM_ATOMIC_IMIN,
                  SIM_ATOMIC_UMAX,
                  SIM_ATOMIC_UMIN,
                  SIM_ATOMIC_CMPWR,
                  SIM_ATOMIC_PREDEC,
};

enum sim_float_atomic { SIM_ATOMIC_FMAX = 1, SIM_ATOMIC_FMIN, SIM_ATOMIC_FCMPWR };

/* What the operation on a word of memory gives; floats: enum sim_float_atomic. Other host threads may
 * work on the word. */
uint32_t sim_atomic_access(uint32_t *word, unsigned operation, bool floats, uint32_t x, uint32_t y);

/* Barycentrics at other places of the pixels than its own. */
struct sim_interpolation {
    bool linear;    /* without perspective */
    bool at_sample; /* else at offsets */
    unsigned sample;
    unsigned channels;   /* 8 or 16 */
    float offset[2][16]; /* pixels from the center: x, y */
    float result[2][16]; /* i, j: filled by the environment */
};

/* What a thread can reach. Entries return false for what does not exist: a fault. */
struct sim_env {
    bool (*surface)(struct sim_env *env, unsigned index, struct sim_surface *surface);
    bool (*sample)(struct sim_env *env, struct sim_sample *sample);
    bool (*typed)(struct sim_env *env, struct sim_typed *access);
    bool (*interpolate)(struct sim_env *env, struct sim_interpolation *at);
    bool (*render_write)(struct sim_env *env, const struct sim_render_write *write);
    bool (*render_read)(struct sim_env *env, struct sim_render_read *read);
    uint8_t *urb; /* entries lie at handle · 64 bytes */
    size_t urb_size;
    uint8_t *scratch; /* of this thread */
    size_t scratch_size;
};

struct sim_thread {
    uint8_t grf[SIM_GRF_BYTES + 64] __attribute__((aligned(64))); /* the tail is for wide reads */
    /* architecture registers; one array, so that regions work on all of them alike */
    uint8_t address[32];
    uint8_t flag[8];
    uint8_t acc[96];      /* acc0, acc1 (SIMD16 dwords), room for regions */
    int32_t acc_high[24]; /* bits 63:32 of integer results */
    uint8_t state[32], control[32], timestamp[32], notification[32], tdr[32];
    const struct sim_program *program;
    struct sim_env *env;
    uint32_t ip;      /* index of the instruction */
    uint32_t active;  /* channels that run */
    uint32_t waiting; /* channels that wait at wait_ip for the others */
    uint32_t wait_ip[SIM_MAX_CHANNELS];
    uint64_t steps, max_steps; /* instructions run; after which the thread is stopped */
    bool at_barrier;           /* a barrier message was sent; wait comes to it */
    char error[160];
};

/* A thread at the program's start: channels in mask run, registers are zero. */
void sim_thread_init(struct sim_thread *t, const struct sim_program *program, struct sim_env *env,
                     uint32_t mask);
enum sim_status sim_thread_run(struct sim_thread *t);

static inline uint32_t *sim_grf(struct sim_thread *t, unsigned nr)
{
    return (uint32_t *)(void *)(t->grf + nr * 32);
}

#endif
