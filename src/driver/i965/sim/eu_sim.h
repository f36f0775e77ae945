/* SPDX-License-Identifier: MIT */
/*
 * The EU simulator, which executes the bytes of a kernel. A sim_program is decoded once; a
 * sim_thread consists of registers and an instruction pointer. Messages go to models of the shared
 * functions, which access memory, textures and pixels through the dispatcher's struct sim_env.
 *
 * A kernel may contain arbitrary bytes. Any error ends the thread with SIM_FAULT and a message with
 * the instruction's offset. A kernel cannot access anything but the thread and the memory that the
 * environment provides. A thread that exceeds its instruction limit, or that the environment stops,
 * also faults.
 *
 * Threads: any number of host threads may share a program; a sim_thread belongs to one.
 */
#ifndef EU_SIM_H
#define EU_SIM_H

#include "driver/i965/eu.h"
#include "driver/i965/eu_scoreboard.h"

#define SIM_MAX_CHANNELS     32                  /* Channels of a thread. */
#define SIM_GRF_BYTES        (128 * 32)          /* Bytes of the GRF of a thread. */
#define SIM_MAX_INSTRUCTIONS (UINT64_C(1) << 24) /* Default instruction limit of a thread. */

struct sim_program; /* Decoded program; immutable. */

/* Decodes a program. Returns NULL if the bytes are invalid or memory is exhausted; error names the
 * offset and field, or is empty if memory is exhausted. */
struct sim_program *sim_program_create(const struct i965_device *dev, const uint8_t *bytes,
                                       size_t size, char *error, size_t error_size);
void sim_program_destroy(struct sim_program *program); /* program may be NULL. */

/* Byte offsets in the state register: the dispatch mask (sr0.2), and the vector mask (sr0.3), which
 * has all channels of a quad if any of them is dispatched. */
enum { SIM_STATE_DISPATCH_MASK = 8, SIM_STATE_VECTOR_MASK = 12 };

/* Why sim_thread_run() returned. */
enum sim_status {
    SIM_DONE,    /* End of thread. */
    SIM_BARRIER, /* Waits at a barrier; run it again when all threads of its group wait. */
    SIM_FAULT,   /* sim_thread.error has the reason. */
};

/* Memory of a buffer surface. If base is NULL, the surface is unbound. Reads that are out of range
 * or unbound return 0; such writes, and writes to read-only surfaces, are dropped. */
struct sim_surface {
    uint8_t *base;
    uint64_t size; /* Bytes. */
    bool read_only;
    /* Called before each access to bytes of the surface; may be NULL. */
    void (*watch)(void *data, const uint8_t *at, unsigned bytes, bool write);
    void *watch_data;
};

/* A decoded sampler message of up to 16 channels. Parameters are raw bits, per channel. surface:
 * binding table index. sampler: index of the sampler state. */
struct sim_sample {
    unsigned type; /* enum sim_sample_type */
    unsigned surface, sampler;
    unsigned channels;         /* 8 or 16 */
    uint32_t mask;             /* Active channels. */
    uint32_t param[11][16];    /* [parameter][channel], parameters in the order of the message. */
    unsigned num_params;       /* Number of parameters in the message. */
    int offset[3];             /* u, v, r offsets in texels, from the header; 0 without one. */
    unsigned gather_component; /* 0 to 3, from the header; 0 without one. */
    uint32_t result[4][16];    /* [component][channel]; filled in by the environment. */
};

/* Sampler message types (Skylake PRM, volume 2d, "Sampling Engine Messages"). */
enum sim_sample_type {
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
    SIM_LD2DMS = 30,
};

/* A render target write of up to 16 channels. Element i of the arrays belongs to channel first + i
 * of the thread. */
struct sim_render_write {
    unsigned target;          /* Binding table index. */
    unsigned index;           /* Render target index of the header, for the blend state. */
    unsigned first, channels; /* channels: number of elements, 8 or 16. */
    uint32_t mask;            /* Channels to write; bit 0 is element 0. */
    bool last;                /* This is the thread's last render target. */
    bool dual_source;         /* color1 is valid. */
    bool has_depth, has_stencil, has_sample_mask, has_alpha0;
    /* Raw bits: colors are [component][element], component 0 is red. */
    uint32_t color[4][16], color1[4][16];
    uint32_t depth[16], stencil[16], sample_mask[16], alpha0[16];
};

/* Optional parts of a render target write: bits of dword 0 of the message header and of r0. */
enum sim_render_part {
    SIM_RENDER_ALPHA0 = 1 << 11,
    SIM_RENDER_SAMPLE_MASK = 1 << 12,
    SIM_RENDER_DEPTH = 1 << 13,
    SIM_RENDER_STENCIL = 1 << 14,
};

/* A render target read: returns the current values at the pixels, or at the samples with per-sample
 * dispatch. first and channels are as in struct sim_render_write. */
struct sim_render_read {
    unsigned target; /* binding table index */
    unsigned first, channels;
    uint32_t mask;         /* Active channels; bit 0 is element 0. */
    uint32_t color[4][16]; /* [component][element]; filled in by the environment. */
};

/* A typed surface access of up to 8 channels. surface: binding table index. */
struct sim_typed {
    unsigned surface;
    unsigned operation;   /* enum sim_typed_operation */
    unsigned atomic;      /* enum sim_atomic */
    uint32_t mask;        /* Active channels, 8 bits. */
    uint32_t coord[4][8]; /* [u, v, r, level or sample][channel], in texels. */
    uint32_t data[4][8];  /* [component][channel]. In: operands, texels. Out: texels, old value. */
};

/* Values of sim_typed.operation. */
enum sim_typed_operation { SIM_TYPED_READ, SIM_TYPED_WRITE, SIM_TYPED_ATOMIC };

/* Atomic operations (Skylake PRM, volume 7, "Atomic Operations"). */
enum sim_atomic {
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

/* Operations of untyped atomic float messages. */
enum sim_float_atomic { SIM_ATOMIC_FMAX = 1, SIM_ATOMIC_FMIN, SIM_ATOMIC_FCMPWR };

/* Performs the operation (enum sim_atomic, or enum sim_float_atomic if floats) atomically on *word
 * and returns the old value; for SIM_ATOMIC_PREDEC, the new value. x is the operand. CMPWR and
 * FCMPWR store y if the old value equals x. Other host threads may access the word concurrently. */
uint32_t sim_atomic_access(uint32_t *word, unsigned operation, bool floats, uint32_t x, uint32_t y);
/* As sim_atomic_access() for 64-bit integers. */
uint64_t sim_atomic_access64(uint64_t *word, unsigned operation, uint64_t x, uint64_t y);
/* Returns what an operation (enum sim_atomic) stores. wide: the values have 64 bits; otherwise only
 * the lower 32 bits of the result are valid, and `old`, x and y are zero-extended. */
uint64_t sim_atomic_result(unsigned operation, uint64_t old, uint64_t x, uint64_t y, bool wide);

/* A request for barycentrics at other positions than the pixels' own. */
struct sim_interpolation {
    bool linear;      /* Without perspective. */
    bool at_sample;   /* At a sample position. */
    bool at_centroid; /* At the centroid; if neither is set, at offsets. */
    unsigned sample;
    unsigned first;      /* Channel of the thread that element 0 belongs to. */
    unsigned channels;   /* 8 or 16 */
    float offset[2][16]; /* x and y, in pixels from the center. */
    float result[2][16]; /* i and j; filled in by the environment. */
};

/* Everything outside the thread that it can access. The dispatcher fills it in and owns all memory.
 * The functions are called on the host thread that runs the EU thread. Those of type bool return
 * false for a resource that does not exist, which makes the thread fault. A NULL function stands
 * for one that always returns false or NULL. */
struct sim_env {
    /* Fills in *surface for the buffer at binding table index `index`, which may be an
     * I965_BTI_*. */
    bool (*surface)(struct sim_env *env, unsigned index, struct sim_surface *surface);
    /* Each performs an access for the active channels and fills in the results of its parameter. */
    bool (*sample)(struct sim_env *env, struct sim_sample *sample);
    bool (*typed)(struct sim_env *env, struct sim_typed *access);
    bool (*interpolate)(struct sim_env *env, struct sim_interpolation *at);
    bool (*render_write)(struct sim_env *env, const struct sim_render_write *write);
    bool (*render_read)(struct sim_env *env, struct sim_render_read *read);
    /* Stores in *byte the address of the byte of a 2D surface that is x bytes from the left in
     * row y, or NULL if that is outside of the surface. For media blocks. */
    bool (*locate)(struct sim_env *env, unsigned surface, int32_t x, int32_t y, uint8_t **byte);
    /* Returns the memory of `bytes` bytes at a 64-bit GPU address, to be written if `write`.
     * Returns NULL if there is none, or it may not be written; the thread then faults. For messages
     * without a surface. */
    uint8_t *(*find)(struct sim_env *env, uint64_t address, unsigned bytes, bool write);
    uint8_t *urb; /* The entry of a handle is at handle * 64 bytes. */
    size_t urb_size;
    /* Address of the sampler states in r0 (dword 3); addresses in headers of sampler messages are
     * relative to it. */
    uint32_t sampler_address;
    /* Parts of render target writes without a header, as bits of r0.0 (enum sim_render_part). */
    uint32_t render_parts;
    uint8_t *scratch; /* Scratch memory of this thread. */
    size_t scratch_size;
    /* Atomic: a nonzero value stops the thread soon, with a fault. If NULL, the thread has a limit
     * of SIM_MAX_INSTRUCTIONS instead. */
    const uint32_t *stop;
};

/* State of an EU thread. */
struct sim_thread {
    /* GRF nr starts at byte nr * 32. Padded at the end for wide reads. */
    uint8_t grf[SIM_GRF_BYTES + 64] __attribute__((aligned(64)));
    /* Architecture registers, one byte array per register type. A region cannot leave the array it
     * starts in. */
    uint8_t address[32];
    uint8_t flag[8];
    uint8_t acc[96]; /* acc0 and acc1 (SIMD16 dwords), plus padding for regions. */
    /* Bits 63:32 of integers in the accumulators; their bits 31:0 are the dwords of acc. */
    int32_t acc_high[24];
    uint8_t state[32], control[32], timestamp[32], notification[32], tdr[32];
    const struct sim_program *program; /* Borrowed, as env is. */
    struct sim_env *env;
    uint32_t ip;      /* Index of the next instruction. */
    uint32_t active;  /* Enabled channels. */
    uint32_t waiting; /* Disabled channels that resume at wait_ip. */
    uint32_t wait_ip[SIM_MAX_CHANNELS];
    /* steps: number of instructions executed so far. max_steps: their limit, or, with env->stop,
     * the number at which that is read next. */
    uint64_t steps, max_steps;
    /* Number of messages, and of instructions whose channels were computed one after another, so
     * far. They take several times as long as others. */
    uint64_t slow_steps;
    struct eu_scoreboard scoreboard; /* Used if the device has a software scoreboard. */
    bool barrier_pending; /* A barrier message was sent; the thread stops at the next wait. */
    char error[160];      /* After SIM_FAULT: message with the instruction's offset. */
};

/* Prepares a thread to start at the first instruction with the channels in mask enabled. Sets the
 * dispatch and vector masks in the state register to mask, and zeroes all other registers. Borrows
 * program and env. env may be NULL if the program sends no messages. */
void sim_thread_init(struct sim_thread *t, const struct sim_program *program, struct sim_env *env,
                     uint32_t mask);
/* Runs the thread on the calling host thread until its end, a barrier or a fault. After
 * SIM_BARRIER, another call continues after the barrier. */
enum sim_status sim_thread_run(struct sim_thread *t);

/* Returns GRF nr as eight dwords. */
static inline uint32_t *sim_grf(struct sim_thread *t, unsigned nr)
{
    return (uint32_t *)(void *)(t->grf + nr * 32);
}

#endif
