/* SPDX-License-Identifier: MIT */
/* The command parser and the functions that execute packets. The pixel half (model_pixel.h) doesn't
 * use it. */
#ifndef MODEL_COMMAND_H
#define MODEL_COMMAND_H

#include "model_private.h"

#define MODEL_MAX_DWORDS 1100 /* Maximum length of a known packet. */

/* Position in a batch, and the current packet. */
struct model_parser {
    uint64_t pc;         /* Address of the next packet. */
    uint64_t end;        /* First address past the batch buffer; UINT64_MAX: unknown. */
    uint64_t return_pc;  /* While second_level: the next packet of the first-level batch. */
    uint64_t return_end; /* While second_level: `end` of the first-level batch. */
    bool second_level;
    bool done;              /* The first-level batch has ended. */
    bool skip;              /* MI_SET_PREDICATE has disabled the following commands. */
    enum i965_layout_id id; /* I965_LAYOUT_COUNT: a packet without a known layout. */
    unsigned count;         /* Dwords of the packet. */
    uint32_t dwords[MODEL_MAX_DWORDS];
};

/* Executes one packet. Returns false after model_error(). */
typedef bool (*model_execute)(struct model_context *ctx, struct model_parser *p);

/* Runs the batch at an address. bytes: size of the batch buffer from there; 0: unknown. Returns
 * false after model_error(). */
bool model_run_batch(struct model_context *ctx, uint64_t address, uint64_t bytes);

/* Calls memory->wait, which must not be NULL, because the batch makes no progress. Returns false
 * after model_error() if the batch may not continue. */
bool model_wait(struct model_context *ctx, bool can_preempt);

/* Unpacks the current packet. values: the C struct of p->id. Returns false after model_error(). */
bool model_unpack(struct model_context *ctx, struct model_parser *p, void *values);

/* Return the function that executes a packet, or NULL if it has none: for MI commands and
 * PIPE_CONTROL (model_mi.c), and for state (model_state.c). */
model_execute model_mi_function(enum i965_layout_id id);
model_execute model_state_function(enum i965_layout_id id);

bool model_primitive(struct model_context *ctx, struct model_parser *p);     /* 3DPRIMITIVE */
bool model_walker(struct model_context *ctx, struct model_parser *p);        /* GPGPU_WALKER */
bool model_media_object(struct model_context *ctx, struct model_parser *p);  /* MEDIA_OBJECT */
bool model_color_blt(struct model_context *ctx, struct model_parser *p);     /* XY_COLOR_BLT */
bool model_copy_blt(struct model_context *ctx, struct model_parser *p);      /* XY_SRC_COPY_BLT */
bool model_fast_copy_blt(struct model_context *ctx, struct model_parser *p); /* XY_FAST_COPY_BLT */

/* --- Registers (model_registers.c) --- */

/* Register offsets in bytes, relative to model_register_base(). */
enum {
    MODEL_REG_PREDICATE_RESULT_2 = 0x3bc,
    MODEL_REG_PREDICATE_SRC0 = 0x400,
    MODEL_REG_PREDICATE_SRC1 = 0x408,
    MODEL_REG_PREDICATE_DATA = 0x410,
    MODEL_REG_PREDICATE_RESULT = 0x418,
    MODEL_REG_PRIM_START_VERTEX = 0x430,
    MODEL_REG_PRIM_VERTEX_COUNT = 0x434,
    MODEL_REG_PRIM_INSTANCE_COUNT = 0x438,
    MODEL_REG_PRIM_START_INSTANCE = 0x43c,
    MODEL_REG_PRIM_BASE_VERTEX = 0x440,
    MODEL_REG_DISPATCH_DIM_X = 0x500,
    MODEL_REG_GPR = 0x600,
};
#define MODEL_REG_SO_WRITE_OFFSET(i) (0x5280u + 4 * (i)) /* Absolute offset. */

/* Allocate and free ctx->registers. Returns false if memory is exhausted. */
bool model_registers_create(struct model_context *ctx);
void model_registers_destroy(struct model_context *ctx);
/* Returns the offset of the first register of the engine that executes the batch. */
uint32_t model_register_base(const struct model_context *ctx);
/* Return the value of a register, or of two adjacent ones, low dword first. A register that was
 * never written is 0, except that counters and the timestamp have their current values. offset: in
 * bytes, absolute. */
uint32_t model_register_read(struct model_context *ctx, uint32_t offset);
uint64_t model_register_read64(struct model_context *ctx, uint32_t offset);
/* Write a register, or two adjacent ones, low dword first. Once CS_DEBUG_MODE2 has been written,
 * the high half of a value for it selects the bits to write. Return false after model_error() if
 * the context uses too many registers or memory is exhausted. */
bool model_register_write(struct model_context *ctx, uint32_t offset, uint32_t value);
bool model_register_write64(struct model_context *ctx, uint32_t offset, uint64_t value);
/* Returns the GPU's time in ticks of the timestamp register, 36 bits. It doesn't follow a clock:
 * each call advances it by a constant. Thread-safe. */
uint64_t model_timestamp(struct model_context *ctx);
/* Returns bit 0 of the register with the result of the last MI_PREDICATE. */
bool model_predicate(struct model_context *ctx);

#endif
