/* SPDX-License-Identifier: MIT */
/* Intrinsics of the baseline code generator: memory, lanes and votes. See jit_mem.c. */
#include "jit/jit_baseline.h"

static bool is_divergent(const nir_src *src)
{
    return src->ssa->divergent;
}

/* --- addresses --- */

/* Returns base + offset, both uniform, as a memory operand. Clobbers REG_VALUE and REG_OTHER. */
static struct code_operand uniform_address(struct baseline *q, const nir_src *base,
                                           const nir_src *offset)
{
    baseline_general(q, true, BASELINE_LOAD, REG_VALUE, baseline_operand(q, base, 0, 0));
    if (nir_src_is_const(*offset)) {
        int32_t by = (int32_t)nir_src_as_uint(*offset);
        if (by < INT32_MAX - 64)
            return code_mem(REG_VALUE, by);
    }
    baseline_general(q, true, BASELINE_LOAD_SIGNED, REG_OTHER, baseline_operand(q, offset, 0, 0));
    baseline_registers(q, true, BASELINE_ADD, REG_VALUE, REG_OTHER);
    return code_mem(REG_VALUE, 0);
}

/* --- loads --- */

static void load_uniform(struct baseline *q, nir_intrinsic_instr *intr)
{
    struct code_operand from = uniform_address(q, &intr->src[0], &intr->src[1]);
    unsigned bits = intr->def.bit_size;
    enum baseline_general_op op = bits == 8    ? BASELINE_LOAD_BYTE
                                  : bits == 16 ? BASELINE_LOAD_HALF
                                               : BASELINE_LOAD;
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        int32_t place = from.disp + (int32_t)(c * bits / 8);
        if (value->vector && bits >= 32) {
            baseline_op(q, baseline_spread(bits == 64), q->isa->length, baseline_target(value), 0,
                        code_mem(REG_VALUE, place));
            baseline_settle(q, value, bits == 64);
        } else {
            baseline_memory(q, bits == 64, op, REG_OTHER, REG_VALUE, place);
            baseline_settle_general(q, value, REG_OTHER, bits == 64);
        }
    }
}

/* Gathers by 32-bit offsets from a uniform base. Inactive lanes access no memory and get zero. */
static void load_each(struct baseline *q, nir_intrinsic_instr *intr)
{
    baseline_general(q, true, BASELINE_LOAD, REG_VALUE, baseline_operand(q, &intr->src[0], 0, 0));
    unsigned index = baseline_in_register(q, baseline_operand(q, &intr->src[1], 0, 0), 1, false);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        unsigned to = baseline_target(value);
        struct code_operand from = {CODE_INDEXED, REG_VALUE, (uint8_t)index, (int32_t)(4 * c)};
        baseline_op(q, VOP_XOR, q->isa->length, to, to, code_reg(to));
        baseline_load_exec(q, false, 0);
        q->isa->gather(q, false, to, from);
        baseline_settle(q, value, false);
    }
}

/* Register 2 = 64-bit addresses, base + offset, for one half of the lanes. */
static void half_addresses(struct baseline *q, const nir_src *base, struct code_operand offset,
                           unsigned half)
{
    struct code_operand by = baseline_half(q, offset, half, 2);
    baseline_op(q, VOP_WIDEN_SIGNED, q->isa->length, 2, 0, by);
    baseline_op(q, VOP_ADD_LONG, q->isa->length, 2, 2, baseline_operand(q, base, 0, half));
}

/* to = words at base + offset + disp, where the base differs between lanes. Inactive lanes access
 * no memory and get zero. Clobbers 2 and 3. */
static void gather_far(struct baseline *q, const nir_src *base, struct code_operand offset,
                       int32_t disp, unsigned to)
{
    for (unsigned half = 0; half < 2; half++) {
        half_addresses(q, base, offset, half);
        baseline_load_exec(q, false, half);
        baseline_registers(q, false, BASELINE_XOR, REG_VALUE, REG_VALUE);
        baseline_op(q, VOP_XOR, q->isa->length, 3, 3, code_reg(3));
        q->isa->gather(q, true, 3, (struct code_operand){CODE_INDEXED, REG_VALUE, 2, disp});
        if (half)
            baseline_op_imm(q, VOP_INSERT_HALF, q->isa->length, to, to, code_reg(3), 1);
        else
            baseline_op(q, VOP_MOVE, q->isa->length, to, 0, code_reg(3));
    }
}

static void load_each_far(struct baseline *q, nir_intrinsic_instr *intr)
{
    struct code_operand offset = baseline_operand(q, &intr->src[1], 0, 0);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        gather_far(q, &intr->src[0], offset, (int32_t)(4 * c), baseline_target(value));
        baseline_settle(q, value, false);
    }
}

/* Returns a constant vector of jit_grid_lane for all lanes. */
static struct code_operand grid_lanes(struct baseline *q, unsigned axis, unsigned tap)
{
    uint32_t from[16];
    for (unsigned i = 0; i < ARRAY_SIZE(from); i++)
        from[i] = jit_grid_lane(q->isa->lanes, axis, tap, i);
    return baseline_lanes_constant(q, from);
}

static bool is_grid(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_load_global_bilinear_grid;
}

/* Sets the condition to the lanes that access memory: all if the result is uniform, otherwise the
 * active ones. */
static void load_accessing(struct baseline *q, const nir_intrinsic_instr *intr)
{
    if (intr->def.divergent)
        baseline_load_exec(q, false, 0);
    else
        q->isa->load_condition(q, false, baseline_all_lanes(q));
}

static void gather_words(struct baseline *q, const nir_intrinsic_instr *intr, unsigned reg,
                         unsigned offset, int32_t disp)
{
    baseline_op(q, VOP_XOR, q->isa->length, reg, reg, code_reg(reg));
    load_accessing(q, intr);
    q->isa->gather(q, false, reg,
                   (struct code_operand){CODE_INDEXED, REG_VALUE, (uint8_t)offset, disp});
}

/* Returns a register that holds the byte offset of a tap's texel for each lane; may load it to
 * register 1. */
static unsigned tap_offset(struct baseline *q, const nir_intrinsic_instr *intr, unsigned tap,
                           unsigned scratch)
{
    if (!is_grid(intr))
        return baseline_in_register(q, baseline_operand(q, &intr->src[1], tap, 0), 1, false);
    unsigned lanes = baseline_in_register(q, grid_lanes(q, 1, tap >> 1), 1, false);
    baseline_op(q, VOP_PERMUTE, q->isa->length, 1, lanes, baseline_operand(q, &intr->src[2], 1, 0));
    baseline_general(q, true, BASELINE_LOAD, REG_VALUE, baseline_operand(q, &intr->src[1], 0, 0));
    gather_words(q, intr, scratch, 1, 0);
    lanes = baseline_in_register(q, grid_lanes(q, 0, tap & 1), 1, false);
    baseline_op(q, VOP_PERMUTE, q->isa->length, 1, lanes, baseline_operand(q, &intr->src[2], 0, 0));
    baseline_op(q, VOP_ADD, q->isa->length, 1, 1, code_reg(scratch));
    return 1;
}

/* reg = one word of the tap's texel for each lane. Clobbers 2 and 3 if the base differs between
 * lanes. */
static void load_tap(struct baseline *q, const nir_intrinsic_instr *intr, unsigned tap,
                     unsigned word, unsigned reg)
{
    const int32_t disp = (int32_t)(4 * word);
    if (is_divergent(&intr->src[0])) {
        gather_far(q, &intr->src[0], baseline_operand(q, &intr->src[1], tap, 0), disp, reg);
        return;
    }
    unsigned offset = tap_offset(q, intr, tap, reg);
    baseline_general(q, true, BASELINE_LOAD, REG_VALUE, baseline_operand(q, &intr->src[0], 0, 0));
    gather_words(q, intr, reg, offset, disp);
}

/* reg = one channel of the tap's texel for each lane, as floats. */
static void load_channel(struct baseline *q, const nir_intrinsic_instr *intr, unsigned tap,
                         unsigned channel, unsigned reg)
{
    if (nir_intrinsic_dest_type(intr) != nir_type_float16) {
        load_tap(q, intr, tap, channel, reg);
        return;
    }
    load_tap(q, intr, tap, channel / 2, reg);
    if (channel & 1)
        baseline_op_imm(q, VOP_SHIFT_RIGHT, q->isa->length, reg, 0, code_reg(reg), 16);
    q->isa->narrow(q, 16, reg, reg);
    baseline_op(q, VOP_WIDEN_HALF_FLOAT, q->isa->length, reg, 0, code_reg(reg));
}

/* x += (y - x) * weight. */
static void mix(struct baseline *q, unsigned x, unsigned y, struct code_operand weight)
{
    baseline_op(q, VOP_FSUB, q->isa->length, y, y, code_reg(x));
    baseline_op(q, VOP_FMUL, q->isa->length, y, y, weight);
    baseline_op(q, VOP_FADD, q->isa->length, x, x, code_reg(y));
}

/* to = a channel of tap 0. If the base differs between lanes, loading clobbers scratch registers,
 * so all taps are loaded to temporaries first. */
static void load_taps(struct baseline *q, nir_intrinsic_instr *intr, unsigned channel, unsigned to)
{
    const bool far = is_divergent(&intr->src[0]);
    for (unsigned tap = 0; far && tap < 4; tap++) {
        load_channel(q, intr, tap, channel, 1);
        baseline_op(q, VOP_STORE, q->isa->length, 1, 0,
                    code_mem(REG_FRAME, baseline_temporary(q, tap)));
    }
    if (far)
        baseline_op(q, VOP_MOVE, q->isa->length, to, 0,
                    code_mem(REG_FRAME, baseline_temporary(q, 0)));
    else
        load_channel(q, intr, 0, channel, to);
}

/* reg = a channel of tap 1, 2 or 3, after load_taps. */
static void load_next(struct baseline *q, nir_intrinsic_instr *intr, unsigned tap, unsigned channel,
                      unsigned reg)
{
    if (is_divergent(&intr->src[0]))
        baseline_op(q, VOP_MOVE, q->isa->length, reg, 0,
                    code_mem(REG_FRAME, baseline_temporary(q, tap)));
    else
        load_channel(q, intr, tap, channel, reg);
}

static void emit_load_bilinear(struct baseline *q, nir_intrinsic_instr *intr)
{
    const nir_src *weights = &intr->src[is_grid(intr) ? 3 : 2];
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        unsigned to = baseline_target(value);
        load_taps(q, intr, c, to);
        load_next(q, intr, 1, c, 2);
        mix(q, to, 2, baseline_operand(q, weights, 0, 0));
        load_next(q, intr, 2, c, 2);
        load_next(q, intr, 3, c, 3);
        mix(q, 2, 3, baseline_operand(q, weights, 0, 0));
        mix(q, to, 2, baseline_operand(q, weights, 1, 0));
        baseline_settle(q, value, false);
    }
}

static void emit_load_global(struct baseline *q, nir_intrinsic_instr *intr)
{
    bool far = is_divergent(&intr->src[0]), each = far || is_divergent(&intr->src[1]);
    if (!each && !intr->def.divergent)
        load_uniform(q, intr);
    else if (!each || intr->def.bit_size != 32)
        q->failed = true;
    else if (far)
        load_each_far(q, intr);
    else
        load_each(q, intr);
}

/* Returns a constant vector of lane * bytes. */
static struct code_operand lane_offsets(struct baseline *q, unsigned bytes)
{
    uint32_t offset[16];
    for (unsigned i = 0; i < ARRAY_SIZE(offset); i++)
        offset[i] = bytes * i;
    return baseline_lanes_constant(q, offset);
}

/* Returns the instruction that loads elements of 8, 16 or 32 bits, zero-extended to words. */
static enum baseline_vop widening(unsigned bits)
{
    return bits == 8    ? VOP_WIDEN_BYTES /* vpmovzxbd */
           : bits == 16 ? VOP_WIDEN_HALVES
                        : VOP_MOVE;
}

/* Loads a block of 8-, 16- or 32-bit elements. */
static void emit_load_block(struct baseline *q, nir_intrinsic_instr *intr)
{
    unsigned bits = intr->def.bit_size, n = intr->def.num_components;
    if (is_divergent(&intr->src[0]) || is_divergent(&intr->src[1]) || bits > 32 ||
        (n > 1 && bits < 32)) {
        q->failed = true;
        return;
    }
    struct code_operand from = uniform_address(q, &intr->src[0], &intr->src[1]);
    const enum baseline_vop op = widening(bits);
    struct code_operand lanes = lane_offsets(q, 4 * n);
    for (unsigned c = 0; c < n; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        unsigned to = baseline_target(value);
        if (n == 1) {
            baseline_op(q, op, q->isa->length, to, 0, from);
        } else {
            struct code_operand each = {CODE_INDEXED, from.reg, 1, from.disp + (int32_t)(4 * c)};
            baseline_in_register(q, lanes, 1, false);
            q->isa->load_condition(q, false, baseline_all_lanes(q));
            q->isa->gather(q, false, to, each);
        }
        baseline_settle(q, value, false);
    }
}

/* --- stores --- */

static void store_uniform(struct baseline *q, nir_intrinsic_instr *intr)
{
    unsigned bits = nir_src_bit_size(intr->src[0]), skip = 0;
    enum baseline_general_op op = bits == 8    ? BASELINE_STORE_BYTE
                                  : bits == 16 ? BASELINE_STORE_HALF
                                               : BASELINE_STORE;
    if (q->exec != BASELINE_ALL_LANES) { /* if any lane is active */
        baseline_memory(q, false, BASELINE_LOAD, REG_VALUE, REG_FRAME, q->exec);
        skip = q->machine->jump_if(q, REG_VALUE, true, 0);
    }
    struct code_operand to = uniform_address(q, &intr->src[1], &intr->src[2]);
    for (unsigned c = 0; c < nir_src_num_components(intr->src[0]); c++) {
        if (!(nir_intrinsic_write_mask(intr) >> c & 1))
            continue;
        baseline_general(q, bits == 64, BASELINE_LOAD, REG_OTHER,
                         baseline_operand(q, &intr->src[0], c, 0));
        baseline_memory(q, bits == 64, op, REG_OTHER, REG_VALUE, to.disp + (int32_t)(c * bits / 8));
    }
    q->machine->patch(q, skip);
}

/* Scatters in lane order. */
static void store_each(struct baseline *q, nir_intrinsic_instr *intr)
{
    baseline_general(q, true, BASELINE_LOAD, REG_VALUE, baseline_operand(q, &intr->src[1], 0, 0));
    baseline_general(q, false, BASELINE_LOAD, REG_LANES, baseline_active_lanes(q));
    unsigned index = baseline_in_register(q, baseline_operand(q, &intr->src[2], 0, 0), 1, false);
    for (unsigned c = 0; c < nir_src_num_components(intr->src[0]); c++) {
        if (!(nir_intrinsic_write_mask(intr) >> c & 1))
            continue;
        unsigned value =
            baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 2, false);
        struct code_operand to = {CODE_INDEXED, REG_VALUE, (uint8_t)index, (int32_t)(4 * c)};
        q->isa->scatter(q, value, to);
    }
}

static void emit_store_global(struct baseline *q, nir_intrinsic_instr *intr)
{
    bool each = is_divergent(&intr->src[2]) || is_divergent(&intr->src[0]);
    if (!each && !is_divergent(&intr->src[1]))
        store_uniform(q, intr);
    else if (is_divergent(&intr->src[1]) || nir_src_bit_size(intr->src[0]) != 32)
        q->failed = true;
    else
        store_each(q, intr);
}

/* REG_VALUE = mask of lanes that a store writes: active ones for which `mask` is true. */
static void stored_lanes(struct baseline *q, const nir_src *mask)
{
    baseline_general(q, false, BASELINE_LOAD, REG_VALUE, baseline_mask(q, mask, 0));
    if (q->exec != BASELINE_ALL_LANES)
        baseline_memory(q, false, BASELINE_AND, REG_VALUE, REG_FRAME, q->exec);
}

static void emit_store_block(struct baseline *q, nir_intrinsic_instr *intr)
{
    unsigned bits = nir_src_bit_size(intr->src[0]), n = nir_src_num_components(intr->src[0]);
    if (is_divergent(&intr->src[1]) || is_divergent(&intr->src[2]) || bits > 32 ||
        (n > 1 && bits < 32)) {
        q->failed = true;
        return;
    }
    stored_lanes(q, &intr->src[3]);
    baseline_registers(q, false, BASELINE_LOAD, REG_LANES, REG_VALUE);
    struct code_operand to = uniform_address(q, &intr->src[1], &intr->src[2]);
    struct code_operand lanes = lane_offsets(q, 4 * n);
    for (unsigned c = 0; c < n; c++) {
        unsigned value =
            baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 2, false);
        if (n > 1) {
            struct code_operand each = {CODE_INDEXED, to.reg, 1, to.disp + (int32_t)(4 * c)};
            baseline_in_register(q, lanes, 1, false);
            q->isa->scatter(q, value, each);
            continue;
        }
        q->isa->set_condition(q, false, REG_LANES);
        if (bits == 32)
            q->isa->store(q, false, q->isa->length, value, to);
        else
            q->isa->store_narrow(q, bits, value, to);
    }
}

/* --- quads: four lanes' elements are consecutive, each quad has its own address --- */

static void emit_load_quads(struct baseline *q, nir_intrinsic_instr *intr)
{
    const unsigned bits = intr->def.bit_size;
    if (bits > 32 || intr->def.num_components != 1 || is_divergent(&intr->src[0])) {
        q->failed = true;
        return;
    }
    const struct baseline_value *value = baseline_value(q, &intr->def, 0, 0);
    unsigned to = baseline_target(value);
    for (unsigned quad = 0; quad < q->isa->lanes / 4; quad++) {
        struct code_operand from = code_mem(REG_VALUE, 0);
        baseline_general(q, true, BASELINE_LOAD, REG_VALUE,
                         baseline_operand(q, &intr->src[0], quad, 0));
        if (quad && bits < 32) {
            baseline_op(q, widening(bits), CODE_128, 2, 0, from);
            from = code_reg(2);
        }
        if (quad)
            baseline_op_imm(q, VOP_INSERT_FOUR, q->isa->length, to, to, from, quad);
        else
            baseline_op(q, widening(bits), CODE_128, to, 0, from);
    }
    baseline_settle(q, value, false);
}

/* Stores the four words of register 3, packed to 8 or 16 bits, for the lanes of the condition;
 * rewrites the old contents of the others. Clobbers 1. */
static void store_narrow_quad(struct baseline *q, unsigned bits, struct code_operand to)
{
    baseline_op(q, widening(bits), CODE_128, 1, 0, to);
    q->isa->choose(q, CODE_128, 1, code_reg(3), false);
    baseline_op(q, VOP_PACK_WORDS, CODE_128, 1, 1, code_reg(1));
    if (bits == 8)
        baseline_op(q, VOP_PACK_HALVES, CODE_128, 1, 1, code_reg(1));
    baseline_op(q, bits == 8 ? VOP_STORE_WORD : VOP_STORE_LONG, CODE_128, 1, 0, to);
}

static void emit_store_quads(struct baseline *q, nir_intrinsic_instr *intr)
{
    const unsigned bits = nir_src_bit_size(intr->src[0]);
    if (bits > 32 || nir_src_num_components(intr->src[0]) != 1 || is_divergent(&intr->src[1])) {
        q->failed = true;
        return;
    }
    unsigned value = baseline_in_register(q, baseline_operand(q, &intr->src[0], 0, 0), 2, false);
    stored_lanes(q, &intr->src[2]);
    for (unsigned quad = 0; quad < q->isa->lanes / 4; quad++) {
        q->isa->set_condition(q, false, REG_VALUE);
        q->machine->shift_right(q, REG_VALUE, 4);
        baseline_general(q, true, BASELINE_LOAD, REG_OTHER,
                         baseline_operand(q, &intr->src[1], quad, 0));
        baseline_op_imm(q, VOP_EXTRACT_FOUR, q->isa->length, value, 0, code_reg(3), quad);
        if (bits < 32)
            store_narrow_quad(q, bits, code_mem(REG_OTHER, 0));
        else
            q->isa->store(q, false, CODE_128, 3, code_mem(REG_OTHER, 0));
    }
}

/* Broadcasts source component i to quad i. */
static void emit_select_quad(struct baseline *q, nir_intrinsic_instr *intr)
{
    const bool pair = baseline_is_pair(&intr->def);
    const unsigned quads = q->isa->lanes / 4 >> pair; /* quads per register */
    if (is_divergent(&intr->src[0]) || intr->def.bit_size < 32 || !quads) {
        q->failed = true;
        return;
    }
    for (unsigned half = 0; half <= pair; half++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, 0, half);
        unsigned to = baseline_target(value);
        for (unsigned i = 0; i < quads; i++) {
            struct code_operand from = baseline_operand(q, &intr->src[0], i + quads * half, 0);
            unsigned reg = baseline_in_register(q, from, 1, pair);
            if (i)
                baseline_op_imm(q, pair ? VOP_INSERT_HALF : VOP_INSERT_FOUR, q->isa->length, to, to,
                                code_reg(reg), i);
            else
                baseline_op(q, VOP_MOVE, q->isa->length, to, 0, code_reg(reg));
        }
        baseline_settle(q, value, false);
    }
}

/* --- lanes --- */

/* Sets a value from a register: all of it if the value is divergent, otherwise element 0. */
static void settle_from(struct baseline *q, const nir_def *def, unsigned component, unsigned reg)
{
    const struct baseline_value *value = baseline_value(q, def, component, 0);
    baseline_op(q, def->divergent ? VOP_MOVE : VOP_BROADCAST, q->isa->length,
                baseline_target(value), 0, code_reg(reg));
    baseline_settle(q, value, false);
}

/* Copies the source if it is uniform, since cross-lane operations don't change it. Returns false
 * otherwise. */
static bool copy_uniform(struct baseline *q, nir_intrinsic_instr *intr)
{
    if (is_divergent(&intr->src[0]) || intr->def.bit_size == 64)
        return false;
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        if (intr->def.bit_size == 1) {
            baseline_general(q, false, BASELINE_LOAD, REG_VALUE,
                             baseline_mask(q, &intr->src[0], c));
            baseline_memory(q, false, BASELINE_STORE, REG_VALUE, REG_FRAME, value->place);
        } else {
            settle_from(
                q, &intr->def, c,
                baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 1, false));
        }
    }
    return true;
}

/* Sets a boolean to all lanes if REG_VALUE is zero or, if `zero` is false, if it isn't; otherwise to
 * none. */
static void settle_flag(struct baseline *q, const struct baseline_value *value, bool zero)
{
    q->machine->flag(q, REG_VALUE, zero);
    baseline_general(q, false, BASELINE_AND, REG_VALUE, baseline_all_lanes(q));
    baseline_settle_mask(q, value);
}

static void emit_vote(struct baseline *q, nir_intrinsic_instr *intr)
{
    bool all = intr->intrinsic == nir_intrinsic_vote_all;
    if (copy_uniform(q, intr))
        return;
    baseline_general(q, false, BASELINE_LOAD, REG_VALUE, baseline_mask(q, &intr->src[0], 0));
    if (all)
        baseline_general(q, false, BASELINE_XOR, REG_VALUE, baseline_all_lanes(q));
    if (q->exec != BASELINE_ALL_LANES)
        baseline_memory(q, false, BASELINE_AND, REG_VALUE, REG_FRAME, q->exec);
    settle_flag(q, baseline_value(q, &intr->def, 0, 0), all);
}

static void emit_ballot(struct baseline *q, nir_intrinsic_instr *intr)
{
    if (intr->def.num_components != 1 || intr->def.divergent) {
        q->failed = true;
        return;
    }
    stored_lanes(q, &intr->src[0]);
    baseline_settle_general(q, baseline_value(q, &intr->def, 0, 0), REG_VALUE,
                            intr->def.bit_size == 64);
}

static void emit_quad(struct baseline *q, nir_intrinsic_instr *intr)
{
    unsigned pattern;
    if (copy_uniform(q, intr))
        return;
    switch (intr->intrinsic) {
    case nir_intrinsic_quad_swap_horizontal:
        pattern = 0xb1;
        break;
    case nir_intrinsic_quad_swap_vertical:
        pattern = 0x4e;
        break;
    case nir_intrinsic_quad_swap_diagonal:
        pattern = 0x1b;
        break;
    default:
        if (!nir_src_is_const(intr->src[1])) {
            q->failed = true;
            return;
        }
        pattern = 0x55 * (nir_src_as_uint(intr->src[1]) & 3);
    }
    if (intr->def.bit_size != 32) {
        q->failed = true;
        return;
    }
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        baseline_op_imm(q, VOP_PERMUTE_FOUR, q->isa->length, baseline_target(value), 0,
                        baseline_operand(q, &intr->src[0], c, 0), pattern);
        baseline_settle(q, value, false);
    }
}

static void emit_read_first(struct baseline *q, nir_intrinsic_instr *intr)
{
    if (copy_uniform(q, intr))
        return;
    if (intr->def.bit_size != 32) {
        q->failed = true;
        return;
    }
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        unsigned from = baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 2, false);
        q->isa->first_active(q, from);
        settle_from(q, &intr->def, c, 1);
    }
}

/* Reads the value of the lane given by the second source. */
static void emit_shuffle(struct baseline *q, nir_intrinsic_instr *intr)
{
    if (copy_uniform(q, intr))
        return;
    if (intr->def.bit_size != 32) {
        q->failed = true;
        return;
    }
    unsigned index = baseline_in_register(q, baseline_operand(q, &intr->src[1], 0, 0), 1, false);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        baseline_op(q, VOP_PERMUTE, q->isa->length, 2, index,
                    baseline_operand(q, &intr->src[0], c, 0));
        settle_from(q, &intr->def, c, 2);
    }
}

static void emit_lookup(struct baseline *q, nir_intrinsic_instr *intr)
{
    const struct baseline_value *value = baseline_value(q, &intr->def, 0, 0);
    unsigned vectors = nir_src_num_components(intr->src[0]), to = baseline_target(value);
    if (intr->def.bit_size != 32 || vectors > 4 || vectors == 3) {
        q->failed = true;
        return;
    }
    unsigned index = baseline_in_register(q, baseline_operand(q, &intr->src[1], 0, 0), 1, false);
    struct code_operand table[4];
    for (unsigned i = 0; i < vectors; i++)
        table[i] = baseline_operand(q, &intr->src[0], i, 0);
    if (vectors == 1)
        baseline_op(q, VOP_PERMUTE, q->isa->length, to, index, table[0]);
    else
        q->isa->look_up_two(q, to, index, table[0], table[1]);
    if (vectors == 4) {
        q->isa->look_up_two(q, 3, index, table[2], table[3]);
        q->isa->test_bit(q, index, (unsigned)__builtin_ctz(2 * q->isa->lanes));
        q->isa->choose(q, q->isa->length, to, code_reg(3), false);
    }
    baseline_settle(q, value, false);
}

/* A texel's index (jit_row_texel) is the sum of a term for its row and one for its column. */
static void emit_rows_of_blocks(struct baseline *q, nir_intrinsic_instr *intr)
{
    const struct baseline_value *value = baseline_value(q, &intr->def, 0, 0);
    uint32_t row[16], column[16], lane_row[16];
    if (q->isa->lanes != 16 || is_divergent(&intr->src[1])) {
        q->failed = true;
        return;
    }
    for (unsigned i = 0; i < 16; i++) {
        row[i] = jit_row_texel(i & 7, 0);
        column[i] = jit_row_texel(0, i & 12);
        lane_row[i] = i & 3;
    }
    unsigned lanes = baseline_in_register(q, baseline_lanes_constant(q, lane_row), 1, false);
    baseline_op(q, VOP_ADD, CODE_512, 1, lanes, baseline_operand(q, &intr->src[1], 0, 0));
    baseline_op(q, VOP_PERMUTE, CODE_512, 1, 1, baseline_lanes_constant(q, row));
    baseline_op(q, VOP_OR, CODE_512, 1, 1, baseline_lanes_constant(q, column));
    q->isa->look_up_two(q, baseline_target(value), 1, baseline_operand(q, &intr->src[0], 0, 0),
                        baseline_operand(q, &intr->src[0], 1, 0));
    baseline_settle(q, value, false);
}

/* Computes the minima of the low and of the high 16 bits over the active lanes. */
static void emit_min_halves(struct baseline *q, nir_intrinsic_instr *intr)
{
    if (copy_uniform(q, intr))
        return;
    unsigned x = baseline_in_register(q, baseline_operand(q, &intr->src[0], 0, 0), 1, false);
    if (q->exec != BASELINE_ALL_LANES) { /* inactive lanes: all ones */
        unsigned ones = baseline_in_register(q, baseline_constant(q, 0xffffffff), 2, false);
        baseline_load_exec(q, false, 0);
        q->isa->blend(q, false, q->isa->length, 1, ones, code_reg(x));
        x = 1;
    }
    for (enum code_length length = q->isa->length; length > CODE_128; length--) {
        const enum baseline_vop upper = length == CODE_256 ? VOP_EXTRACT_FOUR : VOP_EXTRACT_HALF;
        baseline_op_imm(q, upper, length, x, 0, code_reg(2), 1);
        baseline_op(q, VOP_UMIN_HALVES, length - 1, 1, x, code_reg(2));
        x = 1;
    }
    for (unsigned i = 0; i < 2; i++) {
        baseline_op_imm(q, VOP_PERMUTE_FOUR, CODE_128, 2, 0, code_reg(x), i ? 0xb1 : 0x4e);
        baseline_op(q, VOP_UMIN_HALVES, CODE_128, 1, x, code_reg(2));
        x = 1;
    }
    if (q->exec != BASELINE_ALL_LANES) { /* 0 if no lane is active */
        baseline_memory(q, false, BASELINE_LOAD, REG_VALUE, REG_FRAME, q->exec);
        unsigned some = q->machine->jump_if(q, REG_VALUE, false, 0);
        baseline_op(q, VOP_XOR, CODE_128, 1, 1, code_reg(1));
        q->machine->patch(q, some);
    }
    settle_from(q, &intr->def, 0, 1);
}

static void emit_lane_number(struct baseline *q, nir_intrinsic_instr *intr)
{
    settle_from(q, &intr->def, 0, baseline_in_register(q, lane_offsets(q, 1), 1, false));
}

static void emit_kernel_arg(struct baseline *q, nir_intrinsic_instr *intr)
{
    baseline_memory(q, true, BASELINE_LOAD, REG_VALUE, REG_ARGS, 8 * nir_intrinsic_base(intr));
    baseline_settle_general(q, baseline_value(q, &intr->def, 0, 0), REG_VALUE,
                            intr->def.bit_size == 64);
}

static void emit_subgroup_size(struct baseline *q, nir_intrinsic_instr *intr)
{
    baseline_general(q, false, BASELINE_LOAD, REG_VALUE, baseline_constant(q, q->isa->lanes));
    baseline_settle_general(q, baseline_value(q, &intr->def, 0, 0), REG_VALUE, false);
}

/* --- scratch, constant data, the end of long loops --- */

/* Register 1 = offset + base, in each lane. */
static void add_base(struct baseline *q, const nir_src *offset, uint32_t base)
{
    unsigned reg = baseline_in_register(q, baseline_operand(q, offset, 0, 0), 1, false);
    baseline_op(q, VOP_ADD, q->isa->length, 1, reg, baseline_constant(q, base));
}

/* Register 1 = offset of the slot's word of each lane in scratch memory. */
static void scratch_offsets(struct baseline *q, const nir_src *offset, uint32_t base, unsigned slot)
{
    const uint32_t slots = (q->nir->scratch_size + 3) / 4;
    add_base(q, offset, base);
    baseline_op_imm(q, VOP_SHIFT_RIGHT, q->isa->length, 1, 0, code_reg(1), 2);
    baseline_op(q, VOP_ADD, q->isa->length, 1, 1, baseline_constant(q, slot));
    baseline_op(q, VOP_UMIN, q->isa->length, 1, 1, baseline_constant(q, slots - 1));
    baseline_op_imm(q, VOP_SHIFT_LEFT, q->isa->length, 1, 0, code_reg(1),
                    (unsigned)__builtin_ctz(4 * q->isa->lanes));
    baseline_op(q, VOP_ADD, q->isa->length, 1, 1, lane_offsets(q, 4));
}

/* Gathers words at register 1 + from; all lanes if the offset is uniform. */
static void gather_at(struct baseline *q, const nir_src *offset, unsigned to,
                      struct code_operand from)
{
    baseline_op(q, VOP_XOR, q->isa->length, to, to, code_reg(to));
    if (is_divergent(offset))
        baseline_load_exec(q, false, 0);
    else
        q->isa->load_condition(q, false, baseline_all_lanes(q));
    q->isa->gather(q, false, to, (struct code_operand){CODE_INDEXED, from.reg, 1, from.disp});
}

static void emit_load_scratch(struct baseline *q, nir_intrinsic_instr *intr)
{
    const unsigned bits = intr->def.bit_size;
    if (bits > 32 || !q->nir->scratch_size) {
        q->failed = true;
        return;
    }
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        const unsigned to = intr->def.divergent ? baseline_target(value) : 2;
        scratch_offsets(q, &intr->src[0], (uint32_t)nir_intrinsic_base(intr), c);
        gather_at(q, &intr->src[0], to, code_mem(REG_FRAME, q->scratch));
        if (bits < 32)
            baseline_op(q, VOP_AND, q->isa->length, to, to,
                        baseline_constant(q, BITFIELD_MASK(bits)));
        if (intr->def.divergent)
            baseline_settle(q, value, false);
        else
            settle_from(q, &intr->def, c, to);
    }
}

static void emit_store_scratch(struct baseline *q, nir_intrinsic_instr *intr)
{
    if (nir_src_bit_size(intr->src[0]) > 32 || !q->nir->scratch_size) {
        q->failed = true;
        return;
    }
    baseline_general(q, false, BASELINE_LOAD, REG_LANES, baseline_active_lanes(q));
    for (unsigned c = 0; c < nir_src_num_components(intr->src[0]); c++) {
        if (!(nir_intrinsic_write_mask(intr) >> c & 1))
            continue;
        scratch_offsets(q, &intr->src[1], (uint32_t)nir_intrinsic_base(intr), c);
        unsigned value =
            baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 2, false);
        q->isa->scatter(q, value, (struct code_operand){CODE_INDEXED, REG_FRAME, 1, q->scratch});
    }
}

static void emit_load_constant(struct baseline *q, nir_intrinsic_instr *intr)
{
    const unsigned size = q->nir->constant_data_size;
    if (intr->def.bit_size != 32 || size < 4) {
        q->failed = true;
        return;
    }
    struct code_operand data = baseline_constant_data(q);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        add_base(q, &intr->src[0], (uint32_t)nir_intrinsic_base(intr) + 4 * c);
        baseline_op(q, VOP_UMIN, q->isa->length, 1, 1, baseline_constant(q, size - 4));
        gather_at(q, &intr->src[0], 2, data);
        settle_from(q, &intr->def, c, 2);
    }
}

/* Tests the word at a uniform address. */
static void emit_poll_stop(struct baseline *q, nir_intrinsic_instr *intr)
{
    baseline_general(q, true, BASELINE_LOAD, REG_VALUE, baseline_operand(q, &intr->src[0], 0, 0));
    baseline_memory(q, false, BASELINE_LOAD, REG_VALUE, REG_VALUE, 0);
    settle_flag(q, baseline_value(q, &intr->def, 0, 0), false);
}

/* The code accesses memory in the order of the NIR, so only the CPU can change the order. */
static void emit_barrier(struct baseline *q, nir_intrinsic_instr *intr)
{
    q->machine->barrier(q);
}

void baseline_emit_intrinsic(struct baseline *q, nir_intrinsic_instr *intr)
{
    static const struct {
        nir_intrinsic_op op;
        void (*emit)(struct baseline *q, nir_intrinsic_instr *intr);
    } table[] = {
        {nir_intrinsic_load_kernel_arg, emit_kernel_arg},
        {nir_intrinsic_load_global, emit_load_global},
        {nir_intrinsic_load_global_constant, emit_load_global},
        {nir_intrinsic_load_global_bilinear, emit_load_bilinear},
        {nir_intrinsic_load_global_bilinear_grid, emit_load_bilinear},
        {nir_intrinsic_load_global_block, emit_load_block},
        {nir_intrinsic_load_global_quads, emit_load_quads},
        {nir_intrinsic_store_global, emit_store_global},
        {nir_intrinsic_store_global_block, emit_store_block},
        {nir_intrinsic_store_global_quads, emit_store_quads},
        {nir_intrinsic_select_quad, emit_select_quad},
        {nir_intrinsic_vote_any, emit_vote},
        {nir_intrinsic_vote_all, emit_vote},
        {nir_intrinsic_ballot, emit_ballot},
        {nir_intrinsic_quad_broadcast, emit_quad},
        {nir_intrinsic_quad_swap_horizontal, emit_quad},
        {nir_intrinsic_quad_swap_vertical, emit_quad},
        {nir_intrinsic_quad_swap_diagonal, emit_quad},
        {nir_intrinsic_read_first_invocation, emit_read_first},
        {nir_intrinsic_read_invocation, emit_shuffle},
        {nir_intrinsic_shuffle, emit_shuffle},
        {nir_intrinsic_lookup_lanes, emit_lookup},
        {nir_intrinsic_rows_of_blocks, emit_rows_of_blocks},
        {nir_intrinsic_min_2x16, emit_min_halves},
        {nir_intrinsic_load_subgroup_invocation, emit_lane_number},
        {nir_intrinsic_load_subgroup_size, emit_subgroup_size},
        {nir_intrinsic_load_scratch, emit_load_scratch},
        {nir_intrinsic_store_scratch, emit_store_scratch},
        {nir_intrinsic_load_constant, emit_load_constant},
        {nir_intrinsic_poll_stop, emit_poll_stop},
        {nir_intrinsic_barrier, emit_barrier},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
        if (table[i].op == intr->intrinsic) {
            table[i].emit(q, intr);
            return;
        }
    }
    q->failed = true;
}
