/* SPDX-License-Identifier: MIT */
/*
 * NIR → LIR. One struct from_nir per kernel (shader and width); from_nir.c walks the control flow,
 * from_nir_alu.c, _memory.c, _scratch.c, _tex.c do an instruction each, from_nir_stage.c and _urb.c
 * know the stages' payloads, inputs and outputs.
 *
 * A NIR value is an array of lir_reg, one per component. Values never change once made, so moves,
 * vectors and source modifiers cost nothing: they are other views of the same registers.
 */
#ifndef FROM_NIR_H
#define FROM_NIR_H

#include "lir.h"
#include "nir/nir.h"

enum { I965_FLAG_CONDITION = 0, I965_FLAG_LIVE = 2 }; /* f0.0; f1.0: pixels not discarded */

enum { I965_MAX_PARTS = 24, I965_MAX_DWORDS = 2 * NIR_MAX_VEC_COMPONENTS /* of a value */ };

struct from_nir {
    struct lir_program *p;
    const nir_shader *nir;
    const struct i965_prog_data *data;
    const struct i965_key *key;
    unsigned width;
    unsigned exec_size, group; /* of what is emitted: the width and 0, or a half of it */
    unsigned first_channel;    /* that sources are read from: of the half that is translated */
    bool no_mask;
    struct lir_reg **values; /* by nir_def.index */

    unsigned push_grf;  /* first register of push constants */
    unsigned input_grf; /* vertex: attributes; fragment: plane equations */
    unsigned
        thread_grf; /* compute: the register of the thread's own; patches: number of vertices */
    unsigned return_grf; /* of the handles that vertices or primitives are written to */
    unsigned primitive_grf, handles_grf; /* geometry: ids; handles of the input's vertices */
    struct lir_reg handles;              /* the same, to choose from */
    struct lir_reg patch_handle;         /* tessellation: for each channel */
    unsigned barycentric_grf[I965_BARYCENTRIC_COUNT];
    unsigned depth_grf, w_grf, offsets_grf, mask_grf, coverage_grf, height_grf;

    struct lir_reg outputs[VARYING_SLOT_COUNT]
                          [4]; /* by varying_slot or frag_result; written with stores */
    struct lir_reg dual_output[4];
    uint8_t outputs_written[VARYING_SLOT_COUNT]; /* components */
    struct lir_reg pixel_x_y; /* words: x and y of the pixels' quads; BAD: not made yet */
    struct lir_reg lanes;     /* BAD: not made yet */
    DYNARRAY(struct i965_wide_constant {
        uint64_t value;
        struct lir_reg place; /* a scalar: four are in a register */
    })
    wide_constants;
    struct lir_reg scratch_header; /* of scattered accesses; BAD: not made yet */
    unsigned loop_depth;
    bool comments;       /* instructions say what they were made of */
    const char *comment; /* what is being translated */
    bool live_flag;      /* fragment: f1.0 has the pixels that were not discarded */
    bool halts;
};

/* --- Emission (from_nir.c) --- */

struct lir_inst *i965_emit(struct from_nir *c, unsigned op, struct lir_reg dst, struct lir_reg src0,
                           struct lir_reg src1, struct lir_reg src2);
static inline struct lir_inst *i965_emit1(struct from_nir *c, unsigned op, struct lir_reg dst,
                                          struct lir_reg src)
{
    return i965_emit(c, op, dst, src, lir_bad(), lir_bad());
}
static inline struct lir_inst *i965_emit2(struct from_nir *c, unsigned op, struct lir_reg dst,
                                          struct lir_reg src0, struct lir_reg src1)
{
    return i965_emit(c, op, dst, src0, src1, lir_bad());
}
/* Room for one component of what is emitted. */
struct lir_reg i965_temp(struct from_nir *c, enum eu_type type);
/* The rest of a register of which a part will be written is not of interest. */
void i965_undef(struct from_nir *c, struct lir_reg r);
/* Words: each channel's number. */
struct lir_reg i965_lanes(struct from_nir *c);
/* dst = op(…) in a new register of that type; immediates go where the hardware takes them. */
struct lir_reg i965_alu(struct from_nir *c, unsigned op, enum eu_type type, struct lir_reg src0,
                        struct lir_reg src1);
struct lir_reg i965_mov(struct from_nir *c, enum eu_type type, struct lir_reg src);
struct lir_inst *i965_cmp(struct from_nir *c, struct lir_reg dst, struct lir_reg a,
                          struct lir_reg b, enum eu_cmod cmod);
enum eu_cmod i965_negate_cmod(enum eu_cmod cmod);
/* The element of a channel (a scalar), whichever run / of any live channel. */
struct lir_reg i965_broadcast(struct from_nir *c, struct lir_reg src, struct lir_reg channel);
struct lir_reg i965_uniformize(struct from_nir *c, struct lir_reg src);

/* --- Values --- */

struct lir_reg *i965_new_value(struct from_nir *c, const nir_def *def);
/* Component of a source, as it is / viewed as type, its modifiers applied where they mean another
 * type's. */
struct lir_reg i965_src(struct from_nir *c, nir_src src, unsigned component);
struct lir_reg i965_src_as(struct from_nir *c, nir_src src, unsigned component, enum eu_type type);
struct lir_reg i965_without_modifiers(struct from_nir *c, struct lir_reg r);
/* Sets flag 0 in the channels where the 32-bit boolean holds; the instruction that does. */
struct lir_inst *i965_test_nonzero(struct from_nir *c, struct lir_reg boolean);
/* Sets the condition flag; the channels for which the 32-bit boolean holds are those where the flag
 * is *inverse ? 0 : 1. Returns the instruction that set it. */
struct lir_inst *i965_condition(struct from_nir *c, nir_src src, bool *inverse);

/* Values of 64 bits from their dwords, and dword 0 or 1 of them. */
struct lir_reg i965_pack_64(struct from_nir *c, struct lir_reg low, struct lir_reg high);
struct lir_reg i965_unpack_64(struct from_nir *c, struct lir_reg r, unsigned dword);
void i965_move_64(struct from_nir *c, struct lir_reg dst, struct lir_reg src);

/* --- Messages --- */

/* Copies parts (32-bit values) into consecutive registers. */
struct lir_reg i965_payload(struct from_nir *c, const struct lir_reg *parts, unsigned n);
/* A copy of r0, with `dword2` in its third dword if that is not BAD. */
struct lir_reg i965_header(struct from_nir *c, struct lir_reg dword2);
struct lir_inst *i965_send(struct from_nir *c, enum eu_sfid sfid, uint32_t desc, struct lir_reg dst,
                           unsigned rlen, struct lir_reg payload, unsigned mlen,
                           struct lir_reg payload2, unsigned ex_mlen);
/* Stores of fragment shaders happen for live pixels only. */
void i965_predicate_live(struct from_nir *c, struct lir_inst *inst);

/* Dwords of each component in memory: 1, 2, or 0 after lir_fail. */
unsigned i965_dwords_of(struct from_nir *c, const nir_def *def);
/* Components from the dwords that memory has. */
void i965_from_dwords(struct from_nir *c, const nir_def *def, const struct lir_reg *dwords,
                      struct lir_reg *value);
/* A byte offset: an immediate, or without source modifiers. */
struct lir_reg i965_offset_plus(struct from_nir *c, nir_src src, unsigned add);

/* --- Instructions --- */

void i965_from_alu(struct from_nir *c, nir_alu_instr *alu);
/* False: it has nothing to do with 64 bits, or cannot be done. */
bool i965_from_wide_alu(struct from_nir *c, nir_alu_instr *alu, struct lir_reg *value);
void i965_from_tex(struct from_nir *c, nir_tex_instr *tex);
/* False: not one of these. */
bool i965_from_memory(struct from_nir *c, nir_intrinsic_instr *intr);
bool i965_from_stage(struct from_nir *c, nir_intrinsic_instr *intr);
/* from_nir_scratch.c */
void i965_load_scratch(struct from_nir *c, nir_intrinsic_instr *intr);
void i965_store_scratch(struct from_nir *c, nir_intrinsic_instr *intr);
/* from_nir_urb.c: registers that the payload has, from the stage's start to its end. */
unsigned i965_setup_geometry(struct from_nir *c);
unsigned i965_setup_tess_control(struct from_nir *c);
unsigned i965_setup_tess_eval(struct from_nir *c);
void i965_start_urb(struct from_nir *c);
bool i965_from_urb(struct from_nir *c, nir_intrinsic_instr *intr);
void i965_end_urb(struct from_nir *c); /* geometry, tessellation control */
void i965_end_vertices(
    struct from_nir *c); /* vertex, tessellation evaluation: writes the outputs */
static inline bool i965_is_urb_stage(enum shader_stage stage)
{
    return stage == SHADER_GEOMETRY || stage == SHADER_TESS_CTRL || stage == SHADER_TESS_EVAL;
}
/* Places of what the thread finds in its registers. */
void i965_setup_payload(struct from_nir *c);
void i965_start_stage(struct from_nir *c);
void i965_end_stage(struct from_nir *c);
/* False: it is no barycentric of a fixed place. mode: enum i965_barycentric. */
bool i965_barycentric_mode(const nir_intrinsic_instr *intr, unsigned *mode);
/* condition NULL: all channels. halt: they end, as far as their quads allow. */
void i965_discard(struct from_nir *c, const nir_src *condition, bool halt);
bool i965_is_comparison(const nir_alu_instr *alu);
void i965_emit_comparison(struct from_nir *c, nir_alu_instr *alu, struct lir_reg dst);

/* The whole kernel; NULL-free: errors are in failure. */
struct lir_program *i965_from_nir(void *mem_ctx, const struct i965_device *dev,
                                  const nir_shader *nir, const struct i965_prog_data *data,
                                  const struct i965_key *key, unsigned width, bool comments,
                                  unsigned *dispatch_grf_start);

/* --- Lowering (i965_nir.c) --- */

/* To what from_nir understands. */
void i965_lower_nir(nir_shader *nir);
/* Atomic sums of floats, interpolation at samples that differ → loops; after nir_lower_io. */
bool i965_lower_to_loops(nir_shader *nir);
/* EmitVertex, EndPrimitive → stores to the thread's entry; after nir_lower_io. */
bool i965_lower_geometry(nir_shader *nir);
/* Indexed arrays → trees of ifs, or scratch memory. */
bool i965_lower_arrays(nir_shader *nir);
/* Accesses to scratch memory that are neighbors → one. */
bool i965_join_scratch(nir_shader *nir);
/* Slots of a vertex's, of a patch's entry (i965_urb.c). written: bits of enum varying_slot; patch: from
 * PATCH0 on. */
void i965_fill_vue_map(uint64_t written, struct i965_vue_map *map);
/* What geometry and tessellation shaders' prog_data is beside bindings and constants. */
bool i965_fill_urb_data(const nir_shader *nir, const struct i965_device *dev,
                        const struct i965_key *key, struct i965_prog_data *data, void *mem_ctx,
                        const char **error);
/* False: a limit is exceeded, *error says which. */
bool i965_fill_prog_data(const nir_shader *nir, const struct i965_device *dev,
                         const struct i965_key *key, struct i965_prog_data *data, void *mem_ctx,
                         const char **error);

/* Register, counted from the first push constant, of the 32 bytes with that offset; -1: not pushed. */
static inline int i965_push_register(const struct i965_prog_data *data, unsigned buffer,
                                     unsigned offset)
{
    unsigned first = 0;
    for (unsigned i = 0; i < data->num_push_ranges; i++) {
        const struct i965_push_range *r = &data->push_ranges[i];
        unsigned at = offset / LIR_REG_SIZE;
        if (r->buffer == buffer && at >= r->start && at < (unsigned)r->start + r->length)
            return (int)(first + at - r->start);
        first += r->length;
    }
    return -1;
}

#endif
