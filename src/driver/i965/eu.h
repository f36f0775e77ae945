/* SPDX-License-Identifier: MIT */
/*
 * One EU instruction in decoded form, and what eu/ does with it: encode, compact, decode, print,
 * validate. The compiler emits struct eu_inst; the disassembler, validator and simulator get it back
 * from the bytes. Field by field it is the native 128-bit format (Skylake PRM, volume 7, "EU
 * Instruction Formats"), with strides and sizes as plain numbers instead of their encodings.
 */
#ifndef EU_H
#define EU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "driver/i965/i965_device.h"
#include "eu_opcodes.h"

enum eu_file {
    EU_FILE_ARF,
    EU_FILE_GRF,
    EU_FILE_IMM,
};

/* Architecture registers: eu_reg.nr, with the instance in the low four bits. */
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

enum eu_type {
    EU_TYPE_UD,
    EU_TYPE_D,
    EU_TYPE_UW,
    EU_TYPE_W,
    EU_TYPE_UB, /* no immediate */
    EU_TYPE_B,  /* no immediate */
    EU_TYPE_UQ,
    EU_TYPE_Q,
    EU_TYPE_HF,
    EU_TYPE_F,
    EU_TYPE_DF,
    EU_TYPE_UV, /* immediates only: eight 4-bit integers */
    EU_TYPE_V,
    EU_TYPE_VF, /* immediates only: four 8-bit floats */
    EU_TYPE_COUNT,
};

enum eu_cmod { /* the hardware's values */
               EU_CMOD_NONE,
               EU_CMOD_Z, /* also "equal" */
               EU_CMOD_NZ,
               EU_CMOD_G,
               EU_CMOD_GE,
               EU_CMOD_L,
               EU_CMOD_LE,
               EU_CMOD_O = 8, /* overflow */
               EU_CMOD_U,     /* unordered */
};

enum eu_predicate { /* align1's values */
                    EU_PREDICATE_NONE,
                    EU_PREDICATE_NORMAL, /* a flag bit per channel */
                    EU_PREDICATE_ANYV,
                    EU_PREDICATE_ALLV,
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

enum eu_math {
    EU_MATH_INV = 1,
    EU_MATH_LOG, /* base 2 */
    EU_MATH_EXP, /* base 2 */
    EU_MATH_SQRT,
    EU_MATH_RSQ,
    EU_MATH_SIN,
    EU_MATH_COS,
    EU_MATH_FDIV = 9,
    EU_MATH_POW,
    EU_MATH_INT_DIV_BOTH, /* quotient, and remainder in the next register */
    EU_MATH_INT_QUOTIENT,
    EU_MATH_INT_REMAINDER,
    EU_MATH_INVM,
    EU_MATH_RSQRTM,
};

enum eu_sfid { /* shared functions (Skylake PRM, volume 2a, "Message Descriptor") */
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

enum { EU_VSTRIDE_ONE_DIMENSIONAL = 0xff }; /* VxH, Vx1: with indirect addressing only */

struct eu_reg {
    enum eu_file file;
    enum eu_type type;
    uint8_t nr;    /* GRF number, or enum eu_arf + instance */
    uint8_t subnr; /* bytes within the register */
    /* Region <vstride;width,hstride>, elements. A destination has hstride only (1, 2, 4). */
    uint8_t vstride, width, hstride;
    bool negate, abs;       /* logic instructions: negate is bitwise not */
    bool indirect;          /* register file address = a0.address_subnr + address_offset, bytes */
    uint8_t address_subnr;  /* word of a0 */
    int16_t address_offset; /* -512 … 511 */
    /* align16 (three-source instructions of this generation) */
    uint8_t swizzle;   /* four times two bits; 0xE4 is xyzw */
    uint8_t writemask; /* destination; 0xF is xyzw */
    bool replicate;    /* source: one scalar for all channels */
    uint64_t imm; /* EU_FILE_IMM: the bits; words and half floats are given once (low 16 bits) */
};

struct eu_inst {
    enum eu_opcode opcode;
    uint8_t exec_size; /* channels: 1, 2, 4 … 32 */
    uint8_t
        group; /* first channel of the thread it works on: 0, 4, 8 … (quarter and nibble control) */
    bool align16;
    bool no_mask; /* writes regardless of channel enables (WE_all) */
    bool saturate;
    bool acc_write; /* AccWrCtrl: also writes the accumulator; branches: BranchCtrl */
    bool no_dd_clear, no_dd_check;
    bool thread_switch; /* ThreadCtrl switch */
    bool debug;         /* breakpoint bit */
    enum eu_predicate predicate;
    bool predicate_inverse;
    uint8_t flag_nr,
        flag_subnr;    /* of predicate and conditional modifier: f<nr>.<subnr>, subnr in words */
    enum eu_cmod cmod; /* not with math and send, whose fields share its bits */
    enum eu_math math;
    struct eu_reg dst, src[3];

    /* send, sendc: payload src[0]. sends, sendsc: payloads src[0] and src[1]. */
    enum eu_sfid sfid;
    bool eot;              /* end of thread */
    bool desc_indirect;    /* the descriptor is a0.0 */
    bool ex_desc_indirect; /* sends: a0.<address_subnr of src[1]> */
    uint32_t
        desc; /* response length 24:20, message length 28:25, header 19, function control 18:0 */
    uint32_t ex_desc; /* sends: length of the second payload 9:6; sfid and eot are kept above */

    /* Branches; bytes from this instruction's own start. */
    int32_t jip, uip;
};

unsigned eu_type_size(enum eu_type type); /* bytes; immediates' vector types: of the whole */
const char *eu_opcode_name(enum eu_opcode opcode);
unsigned eu_opcode_sources(enum eu_opcode opcode);
bool eu_has_uip(enum eu_opcode opcode); /* a branch with two targets */

/* Native form of an instruction. False if a field has no encoding; then *error (static text) says
 * which, and out is undefined. */
bool eu_encode(const struct eu_inst *inst, uint64_t out[2], const char **error);

/* The instruction at bytes[offset], native or compacted. Returns its size (8 or 16), or 0 if the
 * bytes are none; then error (of error_size) names offset and field. */
unsigned eu_decode(const struct i965_device *dev, const uint8_t *bytes, size_t size, size_t offset,
                   struct eu_inst *inst, char *error, size_t error_size);

/* The 8-byte form of a native instruction; false if it has none. Branches are the caller's to fix. */
bool eu_compact(const struct i965_device *dev, const uint64_t native[2], uint64_t *out);
bool eu_uncompact(const struct i965_device *dev, uint64_t compact, uint64_t native[2]);

/* Compacts a program in place where possible, fixing every JIP and UIP; returns the new size. */
size_t eu_compact_program(const struct i965_device *dev, uint8_t *bytes, size_t size);

/* One instruction as text, without a line end; offset: its own, for branch targets. */
void eu_print(const struct eu_inst *inst, size_t offset, FILE *fp);

/* A whole program, a line each; comments: NULL, or what to print at an offset (the compiler's
 * annotations). Returns false after a message at the first thing that is no instruction. */
struct eu_comment {
    size_t offset;
    const char *text;
};
bool eu_disassemble(const struct i965_device *dev, const uint8_t *bytes, size_t size,
                    const struct eu_comment *comments, unsigned num_comments, FILE *fp);

/* The hardware's rules for regions, types, dependencies and messages. Returns the number of
 * complaints; each is a line on fp (NULL: none is printed) with the offset, the instruction and
 * the rule. */
unsigned eu_validate(const struct i965_device *dev, const uint8_t *bytes, size_t size, FILE *fp);

#endif
