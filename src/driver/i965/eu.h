/* SPDX-License-Identifier: MIT */
/*
 * One EU instruction in decoded form, and functions that encode, compact, decode, print and
 * validate it. The compiler emits struct eu_inst; the disassembler, validator and simulator decode
 * it from the bytes. The fields are those of the native 128-bit format (Skylake PRM, volume 7, "EU
 * Instruction Formats"), except that strides and sizes are plain numbers instead of encodings.
 */
#ifndef EU_H
#define EU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "driver/i965/i965_device.h"
#include "eu_opcodes.h"

/* Register files. */
enum eu_file {
    EU_FILE_ARF,
    EU_FILE_GRF,
    EU_FILE_IMM,
};

/* Architecture registers (ARF). eu_reg.nr is one of these plus the register's instance in the low
 * four bits. */
enum eu_arf {
    EU_ARF_NULL = 0x00,
    EU_ARF_ADDRESS = 0x10,     /* a0: 16 words */
    EU_ARF_ACCUMULATOR = 0x20, /* acc0, acc1 */
    EU_ARF_FLAG = 0x30,        /* f0, f1: 32 bits each */
    EU_ARF_CHANNEL_ENABLE = 0x40,
    EU_ARF_STATE = 0x70,
    EU_ARF_CONTROL = 0x80,
    EU_ARF_NOTIFICATION = 0x90,
    EU_ARF_IP = 0xA0,
    EU_ARF_TDR = 0xB0,
    EU_ARF_TIMESTAMP = 0xC0,
};

/* Data types: integers of 8 (B), 16 (W), 32 (D) and 64 bits (Q), unsigned with a U; floats of 16
 * (HF), 32 (F) and 64 bits (DF). The hardware's encoding differs between registers, immediates and
 * instructions (eu_fields.py). */
enum eu_type {
    EU_TYPE_UD,
    EU_TYPE_D,
    EU_TYPE_UW,
    EU_TYPE_W,
    EU_TYPE_UB, /* Not allowed as an immediate. */
    EU_TYPE_B,  /* Not allowed as an immediate. */
    EU_TYPE_UQ,
    EU_TYPE_Q,
    EU_TYPE_HF,
    EU_TYPE_F,
    EU_TYPE_DF,
    EU_TYPE_UV, /* Immediates only: eight unsigned 4-bit integers. */
    EU_TYPE_V,  /* Immediates only: eight signed 4-bit integers. */
    EU_TYPE_VF, /* Immediates only: four 8-bit floats. */
    EU_TYPE_COUNT,
};

/* Conditional modifiers, with the hardware's encoding. */
enum eu_cmod {
    EU_CMOD_NONE,
    EU_CMOD_Z, /* Zero, or equal. */
    EU_CMOD_NZ,
    EU_CMOD_G,
    EU_CMOD_GE,
    EU_CMOD_L,
    EU_CMOD_LE,
    EU_CMOD_O = 8, /* Overflow. */
    EU_CMOD_U,     /* Unordered (NaN). */
};

/* Predicate controls, with the encoding for align1. ANYnH and ALLnH combine the flag bits of each
 * group of n channels. */
enum eu_predicate {
    EU_PREDICATE_NONE,
    EU_PREDICATE_NORMAL, /* One flag bit per channel. */
    EU_PREDICATE_ANYV,   /* A channel's bit in f0 or f1. */
    EU_PREDICATE_ALLV,   /* A channel's bits in f0 and f1. */
    EU_PREDICATE_ANY2H,
    EU_PREDICATE_ALL2H,
    EU_PREDICATE_ANY4H,
    EU_PREDICATE_ALL4H,
    EU_PREDICATE_ANY8H,
    EU_PREDICATE_ALL8H,
    EU_PREDICATE_ANY16H,
    EU_PREDICATE_ALL16H,
    EU_PREDICATE_ANY32H,
    EU_PREDICATE_ALL32H,
};

/* Math functions, with the hardware's encoding. */
enum eu_math {
    EU_MATH_INV = 1,
    EU_MATH_LOG, /* Base 2. */
    EU_MATH_EXP, /* Base 2. */
    EU_MATH_SQRT,
    EU_MATH_RSQ,
    EU_MATH_SIN,
    EU_MATH_COS,
    EU_MATH_FDIV = 9,
    EU_MATH_POW,
    EU_MATH_INT_DIV_BOTH, /* Quotient; the remainder goes to the registers that follow. */
    EU_MATH_INT_QUOTIENT,
    EU_MATH_INT_REMAINDER,
    EU_MATH_INVM,   /* First step of the macro for IEEE division. */
    EU_MATH_RSQRTM, /* First step of the macro for the IEEE square root. */
};

/* Shared functions, the targets of messages (Skylake PRM, volume 2a, "Message Descriptor"). */
enum eu_sfid {
    EU_SFID_NULL = 0,
    EU_SFID_SAMPLER = 2,
    EU_SFID_GATEWAY = 3,
    EU_SFID_DATA_SAMPLER_CACHE = 4,
    EU_SFID_RENDER_CACHE = 5,
    EU_SFID_URB = 6,
    EU_SFID_THREAD_SPAWNER = 7,
    EU_SFID_VME = 8,
    EU_SFID_DATA_CONSTANT_CACHE = 9,
    EU_SFID_DATA_CACHE0 = 10,
    EU_SFID_PIXEL_INTERPOLATOR = 11,
    EU_SFID_DATA_CACHE1 = 12,
};

/* Functions of sync (Gen12), with the hardware's encoding. */
enum eu_sync {
    EU_SYNC_NOP,          /* Waits only for what its scoreboard information requests. */
    EU_SYNC_ALL_READ = 2, /* Waits until all messages and math have read their sources. */
    EU_SYNC_ALL_WRITTEN,  /* Waits until all messages and math have written their results. */
    EU_SYNC_BARRIER = 14,
    EU_SYNC_HOST,
};

/*
 * Software scoreboard information of Gen12 (Tiger Lake PRM, "Software Scoreboard"), as encoded. A
 * value of 1 to 7 is a distance d: the instruction waits until the d-th preceding in-order
 * instruction has finished. A token is 0 to 15. Messages and math take a token until they have
 * written their results; other instructions can wait for the token.
 */
enum {
    EU_SCOREBOARD_WRITTEN = 0x20, /* + token: waits until its instruction has written its result. */
    EU_SCOREBOARD_READ = 0x30,    /* + token: waits until its instruction has read its sources. */
    EU_SCOREBOARD_SET = 0x40,     /* + token: a message or math takes the token. */
    /* + 16 * distance + token: waits for the distance. In addition, messages and math take the
     * token, as with SET; other instructions wait for it, as with WRITTEN. */
    EU_SCOREBOARD_DISTANCE = 0x80,
};

/* vstride of the regions VxH and Vx1, which read an address from a0 for each row. Indirect
 * addressing only. */
enum { EU_VSTRIDE_ONE_DIMENSIONAL = 0xff };

/* An operand. */
struct eu_reg {
    enum eu_file file;
    enum eu_type type;
    uint8_t nr;    /* GRF number, or enum eu_arf plus instance. */
    uint8_t subnr; /* Byte offset within the register. */
    /* Region <vstride;width,hstride> in elements. Destinations use hstride only (1, 2 or 4). */
    uint8_t vstride, width, hstride;
    bool negate, abs;       /* In logic instructions, negate means bitwise not. */
    bool indirect;          /* Byte address in the GRF: a0.address_subnr + address_offset. */
    uint8_t address_subnr;  /* Index of the word in a0. */
    int16_t address_offset; /* Bytes, -512 to 511. */
    /* Align16 mode only (three-source instructions before Gen11): */
    uint8_t swizzle;   /* Two bits per component; 0xE4 is xyzw. */
    uint8_t writemask; /* Destination: bit per component; 0xF is xyzw. */
    bool replicate;    /* Source: one scalar for all channels. */
    uint64_t imm;      /* EU_FILE_IMM: raw bits. 16-bit values are in the low 16 bits only. */
};

/* A decoded instruction. */
struct eu_inst {
    enum eu_opcode opcode;
    uint8_t exec_size; /* Number of channels: 1, 2, 4, 8, 16 or 32. */
    /* First channel of the thread that the instruction operates on: a multiple of 4 (quarter and
     * nibble control). */
    uint8_t group;
    bool align16;
    bool no_mask; /* Writes all channels regardless of the channel enables (WE_all). */
    bool saturate;
    bool acc_write; /* AccWrCtrl: also writes the accumulator. On branches: BranchCtrl. */
    /* DepCtrl. no_dd_clear keeps the dependency on the destination (NoDDClr); no_dd_check does not
     * wait for earlier writes of the destination (NoDDChk). */
    bool no_dd_clear, no_dd_check;
    bool thread_switch; /* ThreadCtrl is "switch". */
    bool debug;         /* Breakpoint (DebugCtrl). */
    enum eu_predicate predicate;
    bool predicate_inverse;
    /* Flag register f<flag_nr>.<flag_subnr> of the predicate and conditional modifier; flag_subnr
     * counts words. */
    uint8_t flag_nr, flag_subnr;
    enum eu_cmod cmod;  /* Not for math and send, which use these bits for other fields. */
    enum eu_math math;  /* EU_OPCODE_MATH only. */
    enum eu_sync sync;  /* EU_OPCODE_SYNC only. */
    uint8_t scoreboard; /* Gen12: EU_SCOREBOARD_*, or a distance. */
    struct eu_reg dst, src[3];

    /* send and sendc have one payload, src[0]; sends and sendsc have two, src[0] and src[1]. */
    enum eu_sfid sfid;
    bool eot;              /* End of thread. */
    bool desc_indirect;    /* The descriptor is in a0.0; `desc` is unused. */
    bool ex_desc_indirect; /* sends: the extended descriptor is in a0.<src[1].address_subnr>. */
    /* Message descriptor: bits 28:25 message length, 24:20 response length, 19 header present, 18:0
     * function control. */
    uint32_t desc;
    /* Extended message descriptor without sfid and eot. send and sendc encode bits 31:16, sends and
     * sendsc bits 9:6 (length of the second payload). Other bits must be 0. */
    uint32_t ex_desc;

    /* Branch offsets in bytes, relative to the start of this instruction. */
    int32_t jip, uip;
};

/* Returns the size of a value of the type in bytes. For UV, V and VF, returns the size of the whole
 * vector. */
unsigned eu_type_size(enum eu_type type);
/* Returns the mnemonic in the spelling of iga64, or "?" for an unknown opcode. */
const char *eu_opcode_name(enum eu_opcode opcode);
/* Returns the number of source operands; for EU_OPCODE_MATH, the maximum of all functions. */
unsigned eu_opcode_num_sources(enum eu_opcode opcode);
/* Return whether the device has the instruction, the math function, or the type (for at least one
 * kind of operand). */
bool eu_has_opcode(const struct i965_device *dev, enum eu_opcode opcode);
bool eu_has_math(const struct i965_device *dev, enum eu_math function);
bool eu_has_type(const struct i965_device *dev, enum eu_type type);
bool eu_has_uip(enum eu_opcode opcode); /* Returns whether the branch has a second target. */

/* Encodes an instruction in the device's native form. Returns false if a field has no encoding;
 * then *error is a static string that names the field, and out is undefined. */
bool eu_encode(const struct i965_device *dev, const struct eu_inst *inst, uint64_t out[2],
               const char **error);

/* Decodes the native or compacted instruction at bytes[offset] of a program of `size` bytes, and
 * returns the instruction's size in bytes (8 or 16). Returns 0 if the bytes are not a valid
 * instruction; then error, a buffer of error_size bytes, names the offset and the field, and *inst
 * is incomplete. */
unsigned eu_decode(const struct i965_device *dev, const uint8_t *bytes, size_t size, size_t offset,
                   struct eu_inst *inst, char *error, size_t error_size);

/* Converts a native instruction to the compacted form of 8 bytes. Returns false if it has none.
 * Leaves branch offsets unchanged: the caller adjusts them to the new sizes of instructions. */
bool eu_compact(const struct i965_device *dev, const uint64_t native[2], uint64_t *out);
/* Converts a compacted instruction to the native form. Returns false if it is malformed. */
bool eu_uncompact(const struct i965_device *dev, uint64_t compact, uint64_t native[2]);

/* Compacts a program of native instructions in place where possible, and adjusts JIPs and UIPs.
 * size: in bytes, a multiple of 16. Returns the new size in bytes. If out of memory, leaves the
 * program unchanged. */
size_t eu_compact_program(const struct i965_device *dev, uint8_t *bytes, size_t size);

/* Prints one instruction without a newline. offset is its byte offset in the program, from which
 * branch targets are computed. */
void eu_print(const struct i965_device *dev, const struct eu_inst *inst, size_t offset, FILE *fp);

/* Annotation that the disassembler prints on the line before the instruction at an offset. */
struct eu_annotation {
    size_t offset; /* In bytes from the start of the program. */
    const char *text;
};
/* Prints a program, one instruction per line. `comments` must be sorted by offset; it may be NULL
 * if num_comments is 0. Stops at bytes that are not a valid instruction: prints a message and
 * returns false. */
bool eu_disassemble(const struct i965_device *dev, const uint8_t *bytes, size_t size,
                    const struct eu_annotation *comments, unsigned num_comments, FILE *fp);

/* Checks the hardware's restrictions on regions, types, dependencies, messages and branches.
 * Returns the number of violations. Unless fp is NULL, prints each as a line with the offset, the
 * instruction and the rule. An instruction that can't be decoded counts as one violation and ends
 * the check. Returns 1 if out of memory. */
unsigned eu_validate(const struct i965_device *dev, const uint8_t *bytes, size_t size, FILE *fp);

#endif
