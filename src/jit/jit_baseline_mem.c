/* SPDX-License-Identifier: MIT */
/* Intrinsics of the baseline code generator: memory, lanes and votes. See jit_mem.c. */
#include "jit/jit_baseline.h"

#define INSERT_FOUR X86_OP(3, 1, 0, 0x38) /* vinserti32x4 */

#define EXTRACT_FOUR X86_OP(3, 1, 0, 0x39)
#define GATHER       X86_OP(2, 1, 0, 0x90) /* vpgatherdd */
#define GATHER_FAR   X86_OP(2, 1, 0, 0x91) /* vpgatherqd */

static bool is_divergent(const nir_src *src)
{
    return src->ssa->divergent;
}

/* --- addresses --- */

/* Returns base + offset, both uniform, as a memory operand. Clobbers RAX and RCX. */
static struct x86_operand uniform_address(struct baseline *q, const nir_src *base,
                                          const nir_src *offset)
{
    baseline_general(q, true, BASELINE_LOAD, RAX, baseline_operand(q, base, 0, 0));
    if (nir_src_is_const(*offset)) {
        int32_t by = (int32_t)nir_src_as_uint(*offset);
        if (by < INT32_MAX - 64)
            return x86_mem(RAX, by);
    }
    baseline_general(q, true, BASELINE_LOAD_SIGNED, RCX, baseline_operand(q, offset, 0, 0));
    x86_registers(&q->code, true, 0x03, RAX, RCX);
    return x86_mem(RAX, 0);
}

/* --- loads --- */

static void load_uniform(struct baseline *q, nir_intrinsic_instr *intr)
{
    struct x86_operand from = uniform_address(q, &intr->src[0], &intr->src[1]);
    unsigned bits = intr->def.bit_size;
    unsigned opcode = bits == 8 ? 0x1b6 : bits == 16 ? 0x1b7 : BASELINE_LOAD; /* movzx */
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        int32_t place = from.disp + (int32_t)(c * bits / 8);
        if (value->vector && bits >= 32) {
            baseline_op(q, q->isa->spread[bits == 64], q->isa->length, baseline_target(value), 0,
                        x86_mem(RAX, place));
            baseline_settle(q, value, bits == 64);
        } else {
            x86_memory(&q->code, bits == 64, opcode, RCX, RAX, place);
            baseline_settle_general(q, value, RCX, bits == 64);
        }
    }
}

/* Gathers by 32-bit offsets from a uniform base. Inactive lanes access no memory and get zero. */
static void load_each(struct baseline *q, nir_intrinsic_instr *intr)
{
    baseline_general(q, true, BASELINE_LOAD, RAX, baseline_operand(q, &intr->src[0], 0, 0));
    unsigned index = baseline_in_register(q, baseline_operand(q, &intr->src[1], 0, 0), 1, false);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        unsigned to = baseline_target(value);
        struct x86_operand from = {X86_INDEXED, RAX, (uint8_t)index, (int32_t)(4 * c)};
        baseline_op(q, BASELINE_BIT_XOR, q->isa->length, to, to, x86_reg(to));
        baseline_load_exec(q, false, 0);
        q->isa->gather(q, GATHER, to, from);
        baseline_settle(q, value, false);
    }
}

/* Register 2 = 64-bit addresses, base + offset, for one half of the lanes. */
static void half_addresses(struct baseline *q, const nir_src *base, struct x86_operand offset,
                           unsigned half)
{
    const uint32_t widen = X86_OP(2, 1, 0, 0x25), add = X86_OP(1, 1, 1, 0xd4);
    struct x86_operand by = baseline_half(q, offset, half, 2);
    baseline_op(q, widen, q->isa->length, 2, 0, by);
    baseline_op(q, add, q->isa->length, 2, 2, baseline_operand(q, base, 0, half));
}

/* to = words at base + offset + disp, where the base differs between lanes. Inactive lanes access
 * no memory and get zero. Clobbers 2 and 3. */
static void gather_far(struct baseline *q, const nir_src *base, struct x86_operand offset,
                       int32_t disp, unsigned to)
{
    for (unsigned half = 0; half < 2; half++) {
        half_addresses(q, base, offset, half);
        baseline_load_exec(q, false, half);
        x86_registers(&q->code, false, BASELINE_XOR, RAX, RAX);
        baseline_op(q, BASELINE_BIT_XOR, q->isa->length, 3, 3, x86_reg(3));
        q->isa->gather(q, GATHER_FAR, 3, (struct x86_operand){X86_INDEXED, RAX, 2, disp});
        if (half)
            baseline_op_imm(q, q->isa->insert_half, q->isa->length, to, to, x86_reg(3), 1);
        else
            baseline_op(q, BASELINE_MOVE, q->isa->length, to, 0, x86_reg(3));
    }
}

static void load_each_far(struct baseline *q, nir_intrinsic_instr *intr)
{
    struct x86_operand offset = baseline_operand(q, &intr->src[1], 0, 0);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        gather_far(q, &intr->src[0], offset, (int32_t)(4 * c), baseline_target(value));
        baseline_settle(q, value, false);
    }
}

/* Returns a constant vector of jit_grid_lane for all lanes. */
static struct x86_operand grid_lanes(struct baseline *q, unsigned axis, unsigned tap)
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
    baseline_op(q, BASELINE_BIT_XOR, q->isa->length, reg, reg, x86_reg(reg));
    load_accessing(q, intr);
    q->isa->gather(q, GATHER, reg, (struct x86_operand){X86_INDEXED, RAX, (uint8_t)offset, disp});
}

/* Returns a register that holds the byte offset of a tap's texel for each lane; may load it to
 * register 1. */
static unsigned tap_offset(struct baseline *q, const nir_intrinsic_instr *intr, unsigned tap,
                           unsigned scratch)
{
    const uint32_t vpaddd = X86_OP(1, 1, 0, 0xfe);
    if (!is_grid(intr))
        return baseline_in_register(q, baseline_operand(q, &intr->src[1], tap, 0), 1, false);
    unsigned lanes = baseline_in_register(q, grid_lanes(q, 1, tap >> 1), 1, false);
    baseline_op(q, BASELINE_PERMUTE, q->isa->length, 1, lanes,
                baseline_operand(q, &intr->src[2], 1, 0));
    baseline_general(q, true, BASELINE_LOAD, RAX, baseline_operand(q, &intr->src[1], 0, 0));
    gather_words(q, intr, scratch, 1, 0);
    lanes = baseline_in_register(q, grid_lanes(q, 0, tap & 1), 1, false);
    baseline_op(q, BASELINE_PERMUTE, q->isa->length, 1, lanes,
                baseline_operand(q, &intr->src[2], 0, 0));
    baseline_op(q, vpaddd, q->isa->length, 1, 1, x86_reg(scratch));
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
    baseline_general(q, true, BASELINE_LOAD, RAX, baseline_operand(q, &intr->src[0], 0, 0));
    gather_words(q, intr, reg, offset, disp);
}

/* reg = one channel of the tap's texel for each lane, as floats. */
static void load_channel(struct baseline *q, const nir_intrinsic_instr *intr, unsigned tap,
                         unsigned channel, unsigned reg)
{
    const uint32_t vcvtph2ps = X86_OP(2, 1, 0, 0x13);
    if (nir_intrinsic_dest_type(intr) != nir_type_float16) {
        load_tap(q, intr, tap, channel, reg);
        return;
    }
    load_tap(q, intr, tap, channel / 2, reg);
    if (channel & 1)
        baseline_op_imm(q, BASELINE_SHIFT, q->isa->length, 2, reg, x86_reg(reg), 16);
    q->isa->narrow(q, 16, reg, reg);
    baseline_op(q, vcvtph2ps, q->isa->length, reg, 0, x86_reg(reg));
}

/* x += (y - x) * weight. */
static void mix(struct baseline *q, unsigned x, unsigned y, struct x86_operand weight)
{
    const uint32_t vaddps = X86_OP(1, 0, 0, 0x58), vsubps = X86_OP(1, 0, 0, 0x5c),
                   vmulps = X86_OP(1, 0, 0, 0x59);
    baseline_op(q, vsubps, q->isa->length, y, y, x86_reg(x));
    baseline_op(q, vmulps, q->isa->length, y, y, weight);
    baseline_op(q, vaddps, q->isa->length, x, x, x86_reg(y));
}

/* to = a channel of tap 0. If the base differs between lanes, loading clobbers scratch registers,
 * so all taps are loaded to temporaries first. */
static void load_taps(struct baseline *q, nir_intrinsic_instr *intr, unsigned channel, unsigned to)
{
    const bool far = is_divergent(&intr->src[0]);
    for (unsigned tap = 0; far && tap < 4; tap++) {
        load_channel(q, intr, tap, channel, 1);
        baseline_op(q, BASELINE_MOVE_BACK, q->isa->length, 1, 0,
                    x86_mem(RSP, baseline_temporary(q, tap)));
    }
    if (far)
        baseline_op(q, BASELINE_MOVE, q->isa->length, to, 0,
                    x86_mem(RSP, baseline_temporary(q, 0)));
    else
        load_channel(q, intr, 0, channel, to);
}

/* reg = a channel of tap 1, 2 or 3, after load_taps. */
static void load_next(struct baseline *q, nir_intrinsic_instr *intr, unsigned tap, unsigned channel,
                      unsigned reg)
{
    if (is_divergent(&intr->src[0]))
        baseline_op(q, BASELINE_MOVE, q->isa->length, reg, 0,
                    x86_mem(RSP, baseline_temporary(q, tap)));
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
static struct x86_operand lane_offsets(struct baseline *q, unsigned bytes)
{
    uint32_t offset[16];
    for (unsigned i = 0; i < ARRAY_SIZE(offset); i++)
        offset[i] = bytes * i;
    return baseline_lanes_constant(q, offset);
}

/* Returns the instruction that loads elements of 8, 16 or 32 bits, zero-extended to words. */
static uint32_t widening(unsigned bits)
{
    return bits == 8    ? X86_OP(2, 1, 0, 0x31) /* vpmovzxbd */
           : bits == 16 ? X86_OP(2, 1, 0, 0x33)
                        : BASELINE_MOVE;
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
    struct x86_operand from = uniform_address(q, &intr->src[0], &intr->src[1]);
    const uint32_t op = widening(bits);
    struct x86_operand lanes = lane_offsets(q, 4 * n);
    for (unsigned c = 0; c < n; c++) {
        const struct baseline_value *value = baseline_value(q, &intr->def, c, 0);
        unsigned to = baseline_target(value);
        if (n == 1) {
            baseline_op(q, op, q->isa->length, to, 0, from);
        } else {
            struct x86_operand each = {X86_INDEXED, from.reg, 1, from.disp + (int32_t)(4 * c)};
            baseline_in_register(q, lanes, 1, false);
            q->isa->load_condition(q, false, baseline_all_lanes(q));
            q->isa->gather(q, GATHER, to, each);
        }
        baseline_settle(q, value, false);
    }
}

/* --- stores --- */

static void store_uniform(struct baseline *q, nir_intrinsic_instr *intr)
{
    unsigned bits = nir_src_bit_size(intr->src[0]), skip = 0;
    if (q->exec != BASELINE_ALL_LANES) { /* if any lane is active */
        x86_memory(&q->code, false, BASELINE_LOAD, RAX, RSP, q->exec);
        x86_registers(&q->code, false, 0x85, RAX, RAX);
        skip = x86_jump(&q->code, 4, 0);
    }
    struct x86_operand to = uniform_address(q, &intr->src[1], &intr->src[2]);
    for (unsigned c = 0; c < nir_src_num_components(intr->src[0]); c++) {
        if (!(nir_intrinsic_write_mask(intr) >> c & 1))
            continue;
        baseline_general(q, bits == 64, BASELINE_LOAD, RCX,
                         baseline_operand(q, &intr->src[0], c, 0));
        if (bits == 16)
            x86_byte(&q->code, 0x66);
        x86_memory(&q->code, bits == 64, bits == 8 ? 0x88 : BASELINE_STORE, RCX, RAX,
                   to.disp + (int32_t)(c * bits / 8));
    }
    x86_patch_jumps(&q->code, skip);
}

/* Scatters in lane order. */
static void store_each(struct baseline *q, nir_intrinsic_instr *intr)
{
    baseline_general(q, true, BASELINE_LOAD, RAX, baseline_operand(q, &intr->src[1], 0, 0));
    baseline_general(q, false, BASELINE_LOAD, RDX, baseline_active_lanes(q));
    unsigned index = baseline_in_register(q, baseline_operand(q, &intr->src[2], 0, 0), 1, false);
    for (unsigned c = 0; c < nir_src_num_components(intr->src[0]); c++) {
        if (!(nir_intrinsic_write_mask(intr) >> c & 1))
            continue;
        unsigned value =
            baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 2, false);
        struct x86_operand to = {X86_INDEXED, RAX, (uint8_t)index, (int32_t)(4 * c)};
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

/* EAX = mask of lanes that a store writes: active ones for which `mask` is true. */
static void stored_lanes(struct baseline *q, const nir_src *mask)
{
    baseline_general(q, false, BASELINE_LOAD, RAX, baseline_mask(q, mask, 0));
    if (q->exec != BASELINE_ALL_LANES)
        x86_memory(&q->code, false, BASELINE_AND, RAX, RSP, q->exec);
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
    x86_registers(&q->code, false, BASELINE_LOAD, RDX, RAX);
    struct x86_operand to = uniform_address(q, &intr->src[1], &intr->src[2]);
    struct x86_operand lanes = lane_offsets(q, 4 * n);
    for (unsigned c = 0; c < n; c++) {
        unsigned value =
            baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 2, false);
        if (n > 1) {
            struct x86_operand each = {X86_INDEXED, to.reg, 1, to.disp + (int32_t)(4 * c)};
            baseline_in_register(q, lanes, 1, false);
            q->isa->scatter(q, value, each);
            continue;
        }
        q->isa->set_condition(q, false, RDX);
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
        struct x86_operand from = x86_mem(RAX, 0);
        baseline_general(q, true, BASELINE_LOAD, RAX, baseline_operand(q, &intr->src[0], quad, 0));
        if (quad && bits < 32) {
            baseline_op(q, widening(bits), X86_128, 2, 0, from);
            from = x86_reg(2);
        }
        if (quad)
            baseline_op_imm(q, INSERT_FOUR, q->isa->length, to, to, from, quad);
        else
            baseline_op(q, widening(bits), X86_128, to, 0, from);
    }
    baseline_settle(q, value, false);
}

/* Stores the four words of register 3, packed to 8 or 16 bits, for the lanes of the condition;
 * rewrites the old contents of the others. Clobbers 1. */
static void store_narrow_quad(struct baseline *q, unsigned bits, struct x86_operand to)
{
    const uint32_t vpackusdw = X86_OP(2, 1, 0, 0x2b), vpackuswb = X86_OP(1, 1, 0, 0x67),
                   vmovd = X86_OP(1, 1, 0, 0x7e), vmovq = X86_OP(1, 1, 1, 0xd6);
    baseline_op(q, widening(bits), X86_128, 1, 0, to);
    q->isa->choose(q, X86_128, 1, x86_reg(3), false);
    baseline_op(q, vpackusdw, X86_128, 1, 1, x86_reg(1));
    if (bits == 8)
        baseline_op(q, vpackuswb, X86_128, 1, 1, x86_reg(1));
    baseline_op(q, bits == 8 ? vmovd : vmovq, X86_128, 1, 0, to);
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
        q->isa->set_condition(q, false, RAX);
        baseline_shift_right(q, RAX, 4);
        baseline_general(q, true, BASELINE_LOAD, RCX, baseline_operand(q, &intr->src[1], quad, 0));
        baseline_op_imm(q, EXTRACT_FOUR, q->isa->length, value, 0, x86_reg(3), quad);
        if (bits < 32)
            store_narrow_quad(q, bits, x86_mem(RCX, 0));
        else
            q->isa->store(q, false, X86_128, 3, x86_mem(RCX, 0));
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
            struct x86_operand from = baseline_operand(q, &intr->src[0], i + quads * half, 0);
            unsigned reg = baseline_in_register(q, from, 1, pair);
            if (i)
                baseline_op_imm(q, pair ? q->isa->insert_half : INSERT_FOUR, q->isa->length, to, to,
                                x86_reg(reg), i);
            else
                baseline_op(q, BASELINE_MOVE, q->isa->length, to, 0, x86_reg(reg));
        }
        baseline_settle(q, value, false);
    }
}

/* --- lanes --- */

/* Sets a value from a register: all of it if the value is divergent, otherwise element 0. */
static void settle_from(struct baseline *q, const nir_def *def, unsigned component, unsigned reg)
{
    const struct baseline_value *value = baseline_value(q, def, component, 0);
    baseline_op(q, def->divergent ? BASELINE_MOVE : BASELINE_BROADCAST, q->isa->length,
                baseline_target(value), 0, x86_reg(reg));
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
            baseline_general(q, false, BASELINE_LOAD, RAX, baseline_mask(q, &intr->src[0], c));
            x86_memory(&q->code, false, BASELINE_STORE, RAX, RSP, value->place);
        } else {
            settle_from(
                q, &intr->def, c,
                baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 1, false));
        }
    }
    return true;
}

/* Sets a boolean to all lanes if the x86 condition code is true, otherwise to none. */
static void settle_flag(struct baseline *q, const struct baseline_value *value, unsigned condition)
{
    x86_byte(&q->code, 0x0f); /* setcc al */
    x86_byte(&q->code, 0x90 | condition);
    x86_byte(&q->code, 0xc0);
    x86_registers(&q->code, false, 0x1b6, RAX, RAX); /* movzx eax, al */
    x86_registers(&q->code, false, 0xf7, 3, RAX);    /* neg eax */
    baseline_general(q, false, BASELINE_AND, RAX, baseline_all_lanes(q));
    x86_memory(&q->code, false, BASELINE_STORE, RAX, RSP, value->place);
}

static void emit_vote(struct baseline *q, nir_intrinsic_instr *intr)
{
    bool all = intr->intrinsic == nir_intrinsic_vote_all;
    if (copy_uniform(q, intr))
        return;
    baseline_general(q, false, BASELINE_LOAD, RAX, baseline_mask(q, &intr->src[0], 0));
    if (all)
        baseline_general(q, false, BASELINE_XOR, RAX, baseline_all_lanes(q));
    if (q->exec != BASELINE_ALL_LANES)
        x86_memory(&q->code, false, BASELINE_AND, RAX, RSP, q->exec);
    x86_registers(&q->code, false, 0x85, RAX, RAX);
    settle_flag(q, baseline_value(q, &intr->def, 0, 0), all ? 4 : 5);
}

static void emit_ballot(struct baseline *q, nir_intrinsic_instr *intr)
{
    if (intr->def.num_components != 1 || intr->def.divergent) {
        q->failed = true;
        return;
    }
    stored_lanes(q, &intr->src[0]);
    baseline_settle_general(q, baseline_value(q, &intr->def, 0, 0), RAX, intr->def.bit_size == 64);
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
        baseline_op_imm(q, X86_OP(1, 1, 0, 0x70), q->isa->length, baseline_target(value), 0,
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
        baseline_op(q, BASELINE_PERMUTE, q->isa->length, 2, index,
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
    struct x86_operand table[4];
    for (unsigned i = 0; i < vectors; i++)
        table[i] = baseline_operand(q, &intr->src[0], i, 0);
    if (vectors == 1)
        baseline_op(q, BASELINE_PERMUTE, q->isa->length, to, index, table[0]);
    else
        q->isa->look_up_two(q, to, index, table[0], table[1]);
    if (vectors == 4) {
        q->isa->look_up_two(q, 3, index, table[2], table[3]);
        q->isa->test_bit(q, index, q->isa->lanes == 16 ? 5 : 4);
        q->isa->choose(q, q->isa->length, to, x86_reg(3), false);
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
    baseline_op(q, X86_OP(1, 1, 0, 0xfe), X86_512, 1, lanes,
                baseline_operand(q, &intr->src[1], 0, 0));
    baseline_op(q, BASELINE_PERMUTE, X86_512, 1, 1, baseline_lanes_constant(q, row));
    baseline_op(q, X86_OP(1, 1, 0, 0xeb), X86_512, 1, 1, baseline_lanes_constant(q, column));
    q->isa->look_up_two(q, baseline_target(value), 1, baseline_operand(q, &intr->src[0], 0, 0),
                        baseline_operand(q, &intr->src[0], 1, 0));
    baseline_settle(q, value, false);
}

/* Computes the minima of the low and of the high 16 bits over the active lanes. */
static void emit_min_halves(struct baseline *q, nir_intrinsic_instr *intr)
{
    const uint32_t least = X86_OP(2, 1, 0, 0x3a), permute = X86_OP(1, 1, 0, 0x70);
    if (copy_uniform(q, intr))
        return;
    unsigned x = baseline_in_register(q, baseline_operand(q, &intr->src[0], 0, 0), 1, false);
    if (q->exec != BASELINE_ALL_LANES) { /* inactive lanes: all ones */
        unsigned ones = baseline_in_register(q, baseline_constant(q, 0xffffffff), 2, false);
        baseline_load_exec(q, false, 0);
        q->isa->blend(q, false, q->isa->length, 1, ones, x86_reg(x));
        x = 1;
    }
    for (enum x86_length length = q->isa->length; length > X86_128; length--) {
        const uint32_t upper = length == X86_256 ? EXTRACT_FOUR : q->isa->extract_half;
        baseline_op_imm(q, upper, length, x, 0, x86_reg(2), 1);
        baseline_op(q, least, length - 1, 1, x, x86_reg(2));
        x = 1;
    }
    for (unsigned i = 0; i < 2; i++) {
        baseline_op_imm(q, permute, X86_128, 2, 0, x86_reg(x), i ? 0xb1 : 0x4e);
        baseline_op(q, least, X86_128, 1, x, x86_reg(2));
        x = 1;
    }
    if (q->exec != BASELINE_ALL_LANES) { /* 0 if no lane is active */
        x86_memory(&q->code, false, BASELINE_LOAD, RAX, RSP, q->exec);
        x86_registers(&q->code, false, 0x85, RAX, RAX);
        unsigned some = x86_jump(&q->code, 5, 0);
        baseline_op(q, X86_OP(1, 1, 0, 0xef), X86_128, 1, 1, x86_reg(1));
        x86_patch_jumps(&q->code, some);
    }
    settle_from(q, &intr->def, 0, 1);
}

static void emit_lane_number(struct baseline *q, nir_intrinsic_instr *intr)
{
    settle_from(q, &intr->def, 0, baseline_in_register(q, lane_offsets(q, 1), 1, false));
}

static void emit_kernel_arg(struct baseline *q, nir_intrinsic_instr *intr)
{
    x86_memory(&q->code, true, BASELINE_LOAD, RAX, RDI, 8 * nir_intrinsic_base(intr));
    baseline_settle_general(q, baseline_value(q, &intr->def, 0, 0), RAX, intr->def.bit_size == 64);
}

static void emit_subgroup_size(struct baseline *q, nir_intrinsic_instr *intr)
{
    baseline_general(q, false, BASELINE_LOAD, RAX, baseline_constant(q, q->isa->lanes));
    baseline_settle_general(q, baseline_value(q, &intr->def, 0, 0), RAX, false);
}

/* --- scratch, constant data, the end of long loops --- */

#define ADD   X86_OP(1, 1, 0, 0xfe) /* vpaddd */
#define LEAST X86_OP(2, 1, 0, 0x3b) /* vpminud */

/* Register 1 = offset + base, in each lane. */
static void add_base(struct baseline *q, const nir_src *offset, uint32_t base)
{
    unsigned reg = baseline_in_register(q, baseline_operand(q, offset, 0, 0), 1, false);
    baseline_op(q, ADD, q->isa->length, 1, reg, baseline_constant(q, base));
}

/* Register 1 = offset of the slot's word of each lane in scratch memory. */
static void scratch_offsets(struct baseline *q, const nir_src *offset, uint32_t base, unsigned slot)
{
    const uint32_t slots = (q->nir->scratch_size + 3) / 4;
    add_base(q, offset, base);
    baseline_op_imm(q, BASELINE_SHIFT, q->isa->length, 2, 1, x86_reg(1), 2);
    baseline_op(q, ADD, q->isa->length, 1, 1, baseline_constant(q, slot));
    baseline_op(q, LEAST, q->isa->length, 1, 1, baseline_constant(q, slots - 1));
    baseline_op_imm(q, BASELINE_SHIFT, q->isa->length, 6, 1, x86_reg(1),
                    (unsigned)__builtin_ctz(4 * q->isa->lanes));
    baseline_op(q, ADD, q->isa->length, 1, 1, lane_offsets(q, 4));
}

/* Gathers words at register 1 + from; all lanes if the offset is uniform. */
static void gather_at(struct baseline *q, const nir_src *offset, unsigned to,
                      struct x86_operand from)
{
    baseline_op(q, BASELINE_BIT_XOR, q->isa->length, to, to, x86_reg(to));
    if (is_divergent(offset))
        baseline_load_exec(q, false, 0);
    else
        q->isa->load_condition(q, false, baseline_all_lanes(q));
    q->isa->gather(q, GATHER, to, (struct x86_operand){X86_INDEXED, from.reg, 1, from.disp});
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
        unsigned to = baseline_target(value);
        scratch_offsets(q, &intr->src[0], (uint32_t)nir_intrinsic_base(intr), c);
        gather_at(q, &intr->src[0], to, x86_mem(RSP, q->scratch));
        if (bits < 32)
            baseline_op(q, BASELINE_BIT_AND, q->isa->length, to, to,
                        baseline_constant(q, BITFIELD_MASK(bits)));
        baseline_settle(q, value, false);
    }
}

static void emit_store_scratch(struct baseline *q, nir_intrinsic_instr *intr)
{
    if (nir_src_bit_size(intr->src[0]) > 32 || !q->nir->scratch_size) {
        q->failed = true;
        return;
    }
    baseline_general(q, false, BASELINE_LOAD, RDX, baseline_active_lanes(q));
    for (unsigned c = 0; c < nir_src_num_components(intr->src[0]); c++) {
        if (!(nir_intrinsic_write_mask(intr) >> c & 1))
            continue;
        scratch_offsets(q, &intr->src[1], (uint32_t)nir_intrinsic_base(intr), c);
        unsigned value =
            baseline_in_register(q, baseline_operand(q, &intr->src[0], c, 0), 2, false);
        q->isa->scatter(q, value, (struct x86_operand){X86_INDEXED, RSP, 1, q->scratch});
    }
}

static void emit_load_constant(struct baseline *q, nir_intrinsic_instr *intr)
{
    const unsigned size = q->nir->constant_data_size;
    if (intr->def.bit_size != 32 || size < 4) {
        q->failed = true;
        return;
    }
    struct x86_operand data = baseline_constant_data(q);
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        add_base(q, &intr->src[0], (uint32_t)nir_intrinsic_base(intr) + 4 * c);
        baseline_op(q, LEAST, q->isa->length, 1, 1, baseline_constant(q, size - 4));
        gather_at(q, &intr->src[0], 2, data);
        settle_from(q, &intr->def, c, 2);
    }
}

/* Tests the word at a uniform address. */
static void emit_poll_stop(struct baseline *q, nir_intrinsic_instr *intr)
{
    const unsigned not_zero = 5;
    baseline_general(q, true, BASELINE_LOAD, RAX, baseline_operand(q, &intr->src[0], 0, 0));
    x86_memory(&q->code, false, BASELINE_LOAD, RAX, RAX, 0);
    x86_registers(&q->code, false, 0x85, RAX, RAX); /* test eax, eax */
    settle_flag(q, baseline_value(q, &intr->def, 0, 0), not_zero);
}

/* The code accesses memory in the order of the NIR, and x86 CPUs keep the order of loads and that
 * of stores, and don't move stores before earlier loads. */
static void emit_barrier(struct baseline *q, nir_intrinsic_instr *intr)
{
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
