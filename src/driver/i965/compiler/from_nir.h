/* SPDX-License-Identifier: MIT */
/*
 * Translation of NIR to LIR. There is one struct from_nir per kernel (shader and width). from_nir.c
 * walks the control flow. from_nir_alu.c, from_nir_64bit.c (64-bit ALU), from_nir_memory.c,
 * from_nir_scratch.c and from_nir_tex.c translate single instructions. from_nir_stage.c and
 * from_nir_urb.c handle the payloads, inputs and outputs of the stages.
 *
 * A NIR value is an array of lir_reg, one per component. A register is not written again once its
 * value is complete, so moves, vectors and source modifiers cost nothing: they are different views
 * of the same registers.
 */
#ifndef FROM_NIR_H
#define FROM_NIR_H

#include "lir.h"
#include "nir/nir.h"

/* Values of lir_inst.flag: f0.0 is the current condition; f1.0 has the pixels that are not
 * discarded. */
enum { I965_FLAG_CONDITION = 0, I965_FLAG_LIVE = 2 };

/* I965_MAX_PARTS: maximum number of parts of a payload. I965_MAX_DWORDS: maximum number of dwords
 * of a value. */
enum { I965_MAX_PARTS = 24, I965_MAX_DWORDS = 2 * NIR_MAX_VEC_COMPONENTS };

/* Roles of values in chains. A chain combines comparisons with iand or ior in a flag: each
 * comparison is predicated by the flag that it writes (from_nir_condition.c). */
enum i965_chain_role {
    I965_CHAIN_NONE,  /* Not part of a chain. */
    I965_CHAIN_PART,  /* A comparison or operation that is emitted as part of the chain. */
    I965_CHAIN_FLAG,  /* The chain's result; its only user emits the chain and reads the flag. */
    I965_CHAIN_VALUE, /* The chain's result, which is also written to a register. */
};

/* Translation state. */
struct from_nir {
    struct lir_program *p;
    const nir_shader *nir;
    const struct i965_prog_data *data;
    const struct i965_key *key;
    unsigned width; /* Channels per thread. */
    /* exec_size and group of emitted instructions: width and 0, or one half of the thread. */
    unsigned exec_size, group;
    /* First channel of the half being translated; sources are read from there. */
    unsigned first_channel;
    bool no_mask;            /* Emitted instructions ignore the channel enables (WE_all). */
    struct lir_reg **values; /* Registers of each value, by nir_def.index. */
    uint8_t *chain_roles;    /* enum i965_chain_role, by nir_def.index. */

    unsigned push_grf;  /* First register of the push constants. */
    unsigned input_grf; /* Vertex: attributes. Fragment: plane equations. */
    /* Compute: register with the thread's index in the group. Tessellation: register with the
     * number of patch vertices. */
    unsigned thread_index_grf;
    unsigned return_grf; /* URB return handles of the vertices or primitives. */
    /* primitive_grf: primitive ids (geometry). handles_grf: handles of the input vertices' entries
     * (geometry, tessellation control). */
    unsigned primitive_grf, handles_grf;
    struct lir_reg patch_handle; /* Tessellation: handle of the patch's entry, for each channel. */
    unsigned barycentric_grf[I965_BARYCENTRIC_COUNT]; /* First register of each mode in use. */
    /* SIMD16 without the PLN instruction: i of all channels, then j. LIR_BAD if the mode's
     * coordinates are only in the payload, in groups of 8 channels. */
    struct lir_reg joined_barycentrics[I965_BARYCENTRIC_COUNT];
    /* Fragment payload: first register of each part; sample_pos_grf has the sample positions. */
    unsigned depth_grf, w_grf, sample_pos_grf, mask_grf, coverage_grf, height_grf;

    /* Values of the outputs stored so far, indexed by varying_slot or frag_result. */
    struct lir_reg outputs[VARYING_SLOT_COUNT][4];
    struct lir_reg dual_output[4]; /* Second source of dual-source blending. */
    /* Fragment: for each quad, the 16-bit x of its four pixels, then their y. Set by
     * i965_start_stage(). */
    struct lir_reg pixel_x_y;
    struct lir_reg lanes; /* Channel indices; LIR_BAD until first used. */
    /* 64-bit constants that the start of the program loads to registers. */
    DYNARRAY(struct i965_wide_constant {
        uint64_t value;
        struct lir_reg place; /* A scalar; four share a register. */
    })
    wide_constants;
    /* Blocks of 64 bytes that this NIR block has read from surfaces, for later loads. */
    DYNARRAY(struct i965_block_read {
        uint32_t surface; /* Binding table index. */
        uint32_t offset;  /* In bytes. */
        uint16_t valid;   /* Bit per dword: it has not been written since. */
        bool is_storage;  /* Whether the shader can write to the surface. */
        struct lir_reg value;
    })
    block_reads;
    /* Stores of values that are equal in all channels, not emitted yet: consecutive dwords of a
     * surface. */
    struct i965_block_write {
        uint32_t surface, offset; /* Binding table index; in bytes, a multiple of 16. */
        struct lir_reg data[16];
        unsigned count; /* Number of dwords in data; 0: no stores. */
    } block_write;
    unsigned nesting; /* Number of ifs and loops around the NIR block. */
    /* Header of scattered scratch messages; LIR_BAD until first used. */
    struct lir_reg scratch_header;
    bool comments;       /* Whether instructions get annotations. */
    const char *comment; /* Annotation for the instructions being emitted. */
    bool live_flag;      /* Fragment: f1.0 has the pixels that are not discarded. */
    bool halts;          /* The shader contains a HALT. */
};

/* --- Emission (from_nir.c) --- */

/* Emits an instruction (enum eu_opcode or enum lir_op) with the current exec_size, group and
 * no_mask, and returns it. */
struct lir_inst *i965_emit(struct from_nir *c, unsigned op, struct lir_reg dst, struct lir_reg src0,
                           struct lir_reg src1, struct lir_reg src2);
/* Emit an instruction with one or two sources, as i965_emit(). */
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
/* Returns a new register for one component in all channels being translated. */
struct lir_reg i965_temp(struct from_nir *c, enum eu_type type);
/* Makes the contents of r's VGRF undefined. Emit it before the VGRF is written in parts. */
void i965_undef(struct from_nir *c, struct lir_reg r);
/* Returns the indices of the channels being translated, as words (UW). */
struct lir_reg i965_lanes(struct from_nir *c);
/* Emits dst = op(src0, src1) with a new dst of that type, and returns dst. src1 may be LIR_BAD.
 * Moves or swaps an immediate where the hardware does not accept it. */
struct lir_reg i965_alu(struct from_nir *c, unsigned op, enum eu_type type, struct lir_reg src0,
                        struct lir_reg src1);
/* Copies src to a new register of that type, converting it. Returns the new register. */
struct lir_reg i965_mov(struct from_nir *c, enum eu_type type, struct lir_reg src);
/* Compares a and b; sets flag f0.0, and dst to all ones or zero. Returns the instruction. */
struct lir_inst *i965_cmp(struct from_nir *c, struct lir_reg dst, struct lir_reg a,
                          struct lir_reg b, enum eu_cmod cmod);
/* Returns the modifier for the opposite comparison, such as GE for L. L and GE are both false for
 * NaN, as are G and LE. Modifiers that don't compare are returned unchanged. */
enum eu_cmod i965_negate_cmod(enum eu_cmod cmod);
/* i965_broadcast() returns src's element in that channel (a scalar). The channel may be disabled if
 * src is in a VGRF and has no source modifiers; otherwise src is copied first, in enabled channels
 * only. i965_uniformize() returns the element of the first enabled channel. */
struct lir_reg i965_broadcast(struct from_nir *c, struct lir_reg src, struct lir_reg channel);
struct lir_reg i965_uniformize(struct from_nir *c, struct lir_reg src);

/* --- Values --- */

/* Allocates an array of LIR_BAD for a value's components, records it in c->values, and returns it.
 * The caller sets the elements. */
struct lir_reg *i965_new_value(struct from_nir *c, const nir_def *def);
/* i965_src() returns a component of a source as it is. i965_src_as() returns it viewed as `type`,
 * after applying source modifiers that would have another meaning in that type. */
struct lir_reg i965_src(struct from_nir *c, nir_src src, unsigned component);
struct lir_reg i965_src_as(struct from_nir *c, nir_src src, unsigned component, enum eu_type type);
/* Returns r, or a copy of r with its source modifiers applied. */
struct lir_reg i965_without_modifiers(struct from_nir *c, struct lir_reg r);
/* Sets f0.0 in the channels where the 32-bit boolean is true. Returns the emitted instruction. */
struct lir_inst *i965_test_nonzero(struct from_nir *c, struct lir_reg boolean);
/* Sets f0.0 from a 32-bit boolean and stores in *inverse whether the flag is inverted: the flag of
 * a channel is then clear where the boolean is true. Returns the instruction that sets the flag. */
struct lir_inst *i965_condition(struct from_nir *c, nir_src src, bool *inverse);
/* Like i965_condition(), but the returned instruction sets all bits of the flag, and the caller may
 * change its flag and predicate. */
struct lir_inst *i965_simple_condition(struct from_nir *c, nir_src src, bool *inverse);
/* Fills chain_roles for the values of impl. */
void i965_find_chains(struct from_nir *c, nir_function_impl *impl);
/* Returns whether alu is part of a chain. If so, sets *value: to the boolean, after emitting the
 * chain, if the role is I965_CHAIN_VALUE; otherwise to a placeholder, because the user of the value
 * emits the code. */
bool i965_from_chain(struct from_nir *c, nir_alu_instr *alu, struct lir_reg *value);

/* Return a 64-bit value made of two dwords, or dword 0 or 1 of the 64-bit value r. */
struct lir_reg i965_pack_64(struct from_nir *c, struct lir_reg low, struct lir_reg high);
struct lir_reg i965_unpack_64(struct from_nir *c, struct lir_reg r, unsigned dword);
/* Copies a 64-bit value. */
void i965_move_64(struct from_nir *c, struct lir_reg dst, struct lir_reg src);
/* Compares 64-bit values and sets the flag f0.0. */
void i965_compare_64(struct from_nir *c, const nir_alu_instr *alu);

/* --- Messages --- */

/* Copies n 32-bit values, at most I965_MAX_PARTS, into consecutive registers of a new VGRF, and
 * returns it. Each value takes max(exec_size / 8, 1) registers; those of a part that is LIR_BAD
 * stay undefined. */
struct lir_reg i965_payload(struct from_nir *c, const struct lir_reg *parts, unsigned n);
/* Returns a copy of r0 for use as message header. Dword 2 of the copy is replaced by dword2 unless
 * dword2 is LIR_BAD. */
struct lir_reg i965_header(struct from_nir *c, struct lir_reg dword2);
/* Emits a message and returns it. rlen, mlen and ex_mlen are the lengths in registers of dst,
 * payload and payload2. desc: only the function control bits. If ex_mlen is 0, payload2 is ignored.
 * Marks the message as having side effects if rlen is 0. */
struct lir_inst *i965_send(struct from_nir *c, enum eu_sfid sfid, uint32_t desc, struct lir_reg dst,
                           unsigned rlen, struct lir_reg payload, unsigned mlen,
                           struct lir_reg payload2, unsigned ex_mlen);
/* Makes a fragment shader's message affect only pixels that are not discarded. Does nothing in
 * other stages and in shaders without discards. */
void i965_predicate_live(struct from_nir *c, struct lir_inst *inst);

/* Returns the number of dwords of each component in memory (1 or 2), or 0 after lir_fail(). */
unsigned i965_dwords_of(struct from_nir *c, const nir_def *def);
/* Builds the components of a value from the dwords read from memory. */
void i965_from_dwords(struct from_nir *c, const nir_def *def, const struct lir_reg *dwords,
                      struct lir_reg *value);
/* Returns the byte offset src + add, as an immediate or a register without source modifiers. */
struct lir_reg i965_offset_plus(struct from_nir *c, nir_src src, unsigned add);

/* --- Instructions --- */

/* Reads n dwords of the input entries of a vertex shader, from dword `first` on, with messages, and
 * stores their registers in `dwords`. */
void i965_read_vertex(struct from_nir *c, unsigned first, unsigned n, struct lir_reg *dwords);

/* Each translates one instruction. Those of type bool return false if they do not handle it. value:
 * the result, one register per component, from i965_new_value(). */
void i965_from_alu(struct from_nir *c, nir_alu_instr *alu);
/* Translates an instruction that involves 64-bit values. Returns false for others, and for those
 * that combine unsupported sizes. Calls lir_fail() if the operation is not supported. */
bool i965_from_64bit_alu(struct from_nir *c, nir_alu_instr *alu, struct lir_reg *value);
/* Return the low or high 32 bits of a product of 32-bit integers, on devices that multiply only by
 * 16 bits (from_nir_multiply.c). The factors must have no source modifiers. The factor b of
 * i965_multiply_word() must be below 2^16. type: of the factors and the result, D or UD. */
struct lir_reg i965_multiply(struct from_nir *c, struct lir_reg a, struct lir_reg b);
struct lir_reg i965_multiply_word(struct from_nir *c, struct lir_reg a, struct lir_reg b);
struct lir_reg i965_multiply_high(struct from_nir *c, enum eu_type type, struct lir_reg a,
                                  struct lir_reg b);
/* Translate a texture instruction, and an intrinsic that accesses memory. */
void i965_from_tex(struct from_nir *c, nir_tex_instr *tex);
bool i965_from_memory(struct from_nir *c, nir_intrinsic_instr *intr);
/* Emits the stores that block_write holds, and empties it. */
void i965_end_block_write(struct from_nir *c);
/* Returns whether a load reads a block with one message for all channels. This requires a constant
 * surface and offset; loads of storage blocks must also be large or have an adjacent load. */
bool i965_is_block_load(const nir_intrinsic_instr *intr);
/* Translates an intrinsic that accesses inputs, outputs or other properties of the stage. */
bool i965_from_stage(struct from_nir *c, nir_intrinsic_instr *intr);
/* Translate accesses to scratch memory (from_nir_scratch.c). */
void i965_load_scratch(struct from_nir *c, nir_intrinsic_instr *intr);
void i965_store_scratch(struct from_nir *c, nir_intrinsic_instr *intr);
/* Inputs and outputs in the URB (from_nir_urb.c). i965_setup_* assign the stage's payload registers
 * (push_grf, input_grf and so on) and return the payload's size in registers. */
unsigned i965_setup_geometry(struct from_nir *c);
unsigned i965_setup_tess_control(struct from_nir *c);
unsigned i965_setup_tess_eval(struct from_nir *c);
/* Geometry and tessellation: emits the start of the kernel. */
void i965_start_urb(struct from_nir *c);
/* Translates an intrinsic that accesses the URB. Returns false for others. */
bool i965_from_urb(struct from_nir *c, nir_intrinsic_instr *intr);
void i965_end_urb(struct from_nir *c); /* Geometry, tessellation control: ends the thread. */
/* Vertex, tessellation evaluation: writes the outputs. */
void i965_end_vertices(struct from_nir *c);
/* Returns whether the stage reads its inputs from the URB. */
static inline bool i965_has_urb_inputs(enum shader_stage stage)
{
    return stage == SHADER_GEOMETRY || stage == SHADER_TESS_CTRL || stage == SHADER_TESS_EVAL;
}
/* Assigns the payload registers (push_grf and so on) and sets lir_program.payload_regs. */
void i965_setup_payload(struct from_nir *c);
/* Emit what precedes and follows the shader's own code in a kernel: preparation of inputs; writes
 * of outputs and the end of the thread. */
void i965_start_stage(struct from_nir *c);
void i965_end_stage(struct from_nir *c);
/* Sets *mode to the enum i965_barycentric of a barycentric at a fixed position. Returns false for
 * other intrinsics. */
bool i965_barycentric_mode(const nir_intrinsic_instr *intr, unsigned *mode);
/* Discards the pixels where *condition is true, or all pixels if condition is NULL. If `halt` is
 * true, a quad also stops executing once all its pixels are discarded. */
void i965_discard(struct from_nir *c, const nir_src *condition, bool halt);
/* Return whether alu is a comparison, and whether it is one of 64-bit values. */
bool i965_is_comparison(const nir_alu_instr *alu);
bool i965_is_wide_comparison(const nir_alu_instr *alu);
/* Returns whether all users of the comparison only read its flag. It is then not emitted itself;
 * each user emits it. */
bool i965_only_flag_uses(nir_alu_instr *alu);
/* Sets the flag f0.0 and writes the boolean to dst, which is null for 64-bit values. */
void i965_emit_comparison(struct from_nir *c, nir_alu_instr *alu, struct lir_reg dst);

/* Translates a whole kernel and returns it, allocated under mem_ctx. Never returns NULL;
 * lir_program.failure has the error, if any. Stores the first register of the kernel's push
 * constants in *dispatch_grf_start. comments: annotates instructions for the disassembler. */
struct lir_program *i965_from_nir(void *mem_ctx, const struct i965_device *dev,
                                  const nir_shader *nir, const struct i965_prog_data *data,
                                  const struct i965_key *key, unsigned width, bool comments,
                                  unsigned *dispatch_grf_start);

/* --- Lowering (i965_prepare_nir.c, i965_lower_*.c, i965_urb.c). NIR passes return whether they
 * changed the shader. --- */

/* Lowers a shader to the NIR that from_nir understands, with the device's compiler options. */
void i965_lower_nir(nir_shader *nir, const struct i965_device *dev);
/* Replaces float atomics that the device lacks, and interpolation at divergent samples, by loops.
 * Requires nir_lower_io. */
bool i965_lower_to_loops(nir_shader *nir, const struct i965_device *dev);
/* Replaces EmitVertex and EndPrimitive by stores to the thread's URB entry.
 * Requires nir_lower_io. */
bool i965_lower_geometry(nir_shader *nir);
/* Replaces indirectly indexed arrays by trees of ifs or scratch memory. */
bool i965_lower_arrays(nir_shader *nir);
/* Merges accesses to the same or adjacent slots of URB entries. */
bool i965_join_urb(nir_shader *nir);
/* Moves loads of inputs and of scratch memory down to their first uses in the block; scratch loads
 * not past the next store to scratch memory. Requires nir_lower_io. */
bool i965_sink_loads(nir_shader *nir);
/* Splits scratch accesses at constant offsets into components, then merges adjacent ones. */
bool i965_join_scratch(nir_shader *nir);
/* Assigns a VUE slot to the position and to every varying in `written`, a bit mask indexed by enum
 * varying_slot below 64. Both slots of clip distances exist if either is written. Other varyings
 * get -1. */
void i965_fill_vue_map(uint64_t written, struct i965_vue_map *map);
/* Does the part of i965_fill_prog_data() for geometry and tessellation stages. Returns as it
 * does. */
bool i965_fill_urb_data(const nir_shader *nir, const struct i965_device *dev,
                        const struct i965_key *key, struct i965_prog_data *data, void *mem_ctx,
                        const char **error);
/* Fills in prog_data. Returns false if a limit is exceeded or a feature is missing, with a message
 * in *error: a static string or one allocated under mem_ctx. */
bool i965_fill_prog_data(const nir_shader *nir, const struct i965_device *dev,
                         const struct i965_key *key, struct i965_prog_data *data, void *mem_ctx,
                         const char **error);

/* Returns the index of the push constant register that contains byte `offset` of a constant buffer,
 * or -1 if it is not pushed. Index 0 is the first push constant register. */
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
