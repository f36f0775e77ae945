/* SPDX-License-Identifier: MIT */
/*
 * Properties of each hardware generation. Code tests these properties and never compares generation
 * numbers. Instruction encodings are not here but in the Python tables of eu/, which have a column
 * per generation.
 */
#ifndef I965_DEVICE_H
#define I965_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "eu_opcodes.h"

struct nir_shader_compiler_options;

/* Cycles from the issue of an instruction to its result, in the scheduler's model. */
struct i965_latencies {
    uint8_t alu, math, math_slow; /* math_slow: EU_MATH_FDIV and the functions after it. */
    /* Messages to the sampler; to other shared functions, if they return data; and to the constant
     * cache. */
    uint8_t sampler, memory, constant;
};

/* A hardware generation. */
struct i965_device {
    const char *name;         /* Argument of indium-compile --target, e.g. "skl". */
    const char *iga_platform; /* Argument of iga64 -p=, e.g. "9". */
    enum eu_generation eu;    /* Column of the tables of eu/. */
    unsigned verx10;          /* Generation times ten, e.g. 90. */
    unsigned grf_count;       /* Registers per thread, 32 bytes each. */
    unsigned max_simd;        /* Widest SIMD dispatch of any stage, in channels. */
    unsigned threads_per_eu;  /* Hardware threads per EU. */
    unsigned max_cs_threads;  /* Maximum number of threads per thread group. */
    unsigned max_scratch;     /* Maximum scratch space of a thread in bytes. */
    uint8_t max_samples;      /* Maximum number of samples per pixel. */
    uint8_t mocs;             /* Memory object control state that enables all caches. */
    uint8_t gs_threads_unit;  /* Unit of "Maximum Number of Threads" in 3DSTATE_GS, in threads. */
    uint32_t barrier_id_mask; /* Bits of r0.2 that contain the ID of the thread group's barrier. */
    const struct i965_latencies *latencies;
    const struct nir_shader_compiler_options *nir_options;
    /* Instructions wait for earlier ones only if their scoreboard information says so. */
    bool has_software_scoreboard;
    bool has_sends;          /* Split send: two payloads in separate registers. */
    bool has_64bit_types;    /* Doubles and 64-bit integers. */
    bool has_dword_multiply; /* 32-bit × 32-bit multiplication; otherwise src1 has 16 bits. */
    bool has_pln;            /* Plane-equation instruction. */
    bool has_align1_3src;    /* Three-source instructions are align1, otherwise align16. */
    bool has_vstride1_3src;  /* Align1 three-source regions have vertical stride 1 instead of 2. */
    bool has_lz_messages;    /* Sampler messages for level 0: sample_lz, sample_c_lz, ld_lz. */
    bool has_wide_mcs;       /* ld2dms_w: the MCS parameter has two dwords instead of one. */
    bool has_float_atomics;  /* Float minimum, maximum and compare-exchange. */
    bool has_target_reads;   /* Render target read message. */
    bool has_stencil_output; /* Render target writes can contain stencil values. */
};

/* Returns the device with that name (i965_device.name), or NULL if the name is unknown. */
const struct i965_device *i965_device_by_name(const char *name);
/* Returns device i, oldest generation first, or NULL if there are no more. */
const struct i965_device *i965_device_by_index(unsigned i);

#endif
