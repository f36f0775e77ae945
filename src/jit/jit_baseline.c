/* SPDX-License-Identifier: MIT */
/*
 * Baseline code generator: compiles a kernel's NIR for AVX-512 (16 lanes), AVX2 (8 lanes), SSE4.1 or
 * NEON (4 lanes) in one pass, in about a hundredth of the time that LLVM takes. LLVM's code replaces
 * the code of kernels that run for long (jit_engine.c); results have the same bits. For an
 * instruction without code here, the interpreter's function is called (jit_baseline_step.c), so no
 * kernel needs LLVM. struct baseline_machine hides the differences of CPU architectures, struct
 * baseline_isa those of their instruction sets. The time is linear in the kernel's size, apart from
 * a logarithm for spilled values.
 *
 *  - Vectors are in registers assigned by linear scan (Poletto and Sarkar, "Linear Scan Register
 *    Allocation", 1999), or in the frame if there are too many. A value that is live into a loop is
 *    live throughout the loop.
 *  - Masks are in the frame.
 *  - With AVX-512, uniform values defined outside loops are scalars in the frame. Instructions
 *    broadcast them, and constants, when they load them; instructions on the shortest vectors
 *    compute uniform results. In loops, where each iteration would wait for the frame, and with
 *    AVX2 and SSE4.1, a uniform value is a vector of equal elements.
 *  - A uniform boolean is a mask of all lanes or of none.
 *  - A phi has a place in the frame, where predecessors store its value and its block loads it.
 *  - Frames that the thread's stack may have no room for are on a stack of jit_stack.h.
 *
 * Control flow and its masks work as in jit_cf.c.
 */
#include "jit/jit_baseline.h"

#include <string.h>
#include <talloc.h>

#include "jit/jit_stack.h"
#include "util/check.h"
#include "util/hash_table.h"

#define CALLERS_FRAME (48 << 10) /* maximum bytes of a frame on the calling thread's stack */
#define FEW_PHIS      8          /* frame places of this many phis are cleared one by one */

/* A kernel is compiled with LLVM after BASE_TICKS TSC ticks, plus BYTE_TICKS per byte of baseline
 * code. LLVM takes 7000 to 20000 ticks per byte, but its result is cached for later processes.
 * Above FEW_BYTES, where it keeps a thread from drawing for long and gains less, the kernel must
 * have run for as long as LLVM will take: LATER_TICKS per byte. */
#define BASE_TICKS  ((uint64_t)10000000)
#define BYTE_TICKS  ((uint64_t)2500)
#define LATER_TICKS ((uint64_t)10000)
#define FEW_BYTES   ((uint64_t)256 << 10)

static void emit_cf_list(struct baseline *q, struct list_head *list);

/* --- the frame and constants --- */

int32_t baseline_take_frame(struct baseline *q, unsigned bytes)
{
    int32_t place = (q->frame + (int32_t)bytes - 1) & -(int32_t)bytes;
    q->frame = place + (int32_t)bytes;
    if ((size_t)q->frame > jit_stack_frame(JIT_STACK_LARGE)) {
        q->too_large = true;
        q->frame = CALLERS_FRAME;
    }
    return place;
}

int32_t baseline_take_area(struct baseline *q, uint64_t bytes)
{
    const int32_t place = baseline_take_frame(q, 64);
    if (place + bytes > jit_stack_frame(JIT_STACK_LARGE))
        q->too_large = true;
    else if (bytes > 64)
        q->frame = place + (int32_t)bytes;
    return place;
}

static int32_t add_to_pool(struct baseline *q, const void *data, unsigned bytes)
{
    (void)dynarray_reserve(&q->pool, bytes);
    memcpy(q->pool.data + q->pool.count, data, bytes);
    q->pool.count += bytes;
    return (int32_t)(q->pool.count - bytes);
}

/* Adds a constant: one element if instructions can broadcast it, otherwise a full vector. */
static int32_t add_constant(struct baseline *q, uint64_t value, unsigned bytes)
{
    int32_t place = add_to_pool(q, &value, bytes);
    for (unsigned i = 1; !q->isa->spreads && i < 4 * q->isa->lanes / bytes; i++)
        (void)add_to_pool(q, &value, bytes);
    return place;
}

static struct code_operand constant(struct baseline *q, struct hash_table *table, uint64_t value,
                                    unsigned bytes)
{
    const void *key = (const void *)(uintptr_t)(value + 1); /* not NULL */
    uintptr_t known = key ? (uintptr_t)hash_table_get(table, key) : 0;
    int32_t place = known ? (int32_t)known - 1 : add_constant(q, value, bytes);
    if (!known && key)
        hash_table_insert(table, key, (void *)((uintptr_t)place + 1));
    return (struct code_operand){q->isa->spreads ? CODE_BROADCAST : CODE_MEM, REG_POOL, 0, place};
}

struct code_operand baseline_constant(struct baseline *q, uint32_t word)
{
    return constant(q, q->words, word, 4);
}

struct code_operand baseline_long_constant(struct baseline *q, uint64_t value)
{
    return constant(q, q->longs, value, 8);
}

/* A linear search suffices, because such constants are few. */
struct code_operand baseline_lanes_constant(struct baseline *q, const uint32_t *words)
{
    const unsigned bytes = 4 * q->isa->lanes;
    for (unsigned i = 0; i < q->lane_constants.count; i++)
        if (memcmp(q->pool.data + q->lane_constants.data[i], words, bytes) == 0)
            return code_mem(REG_POOL, q->lane_constants.data[i]);
    int32_t place = add_to_pool(q, words, bytes);
    (void)dynarray_append(&q->lane_constants, place);
    return code_mem(REG_POOL, place);
}

static uint32_t all_lanes(const struct baseline *q)
{
    return (1u << q->isa->lanes) - 1;
}

struct code_operand baseline_all_lanes(struct baseline *q)
{
    struct code_operand all = baseline_constant(q, all_lanes(q));
    all.kind = CODE_MEM;
    return all;
}

/* --- operands --- */

static bool is_pair(const nir_def *def)
{
    return def->divergent && def->bit_size == 64;
}

bool baseline_is_pair(const nir_def *def)
{
    return is_pair(def);
}

static unsigned num_values(const nir_def *def)
{
    return def->num_components << is_pair(def);
}

struct baseline_value *baseline_value(struct baseline *q, const nir_def *def, unsigned component,
                                      unsigned half)
{
    return &q->values.data[q->first[def->index] + (component << is_pair(def)) + half];
}

static bool is_constant(const nir_def *def)
{
    return def->parent_instr->type == nir_instr_type_load_const ||
           def->parent_instr->type == nir_instr_type_undef;
}

/* Returns the bits of a constant. Undefined values are zero, which gives equal results at every
 * width. */
static uint64_t constant_bits(const nir_def *def, unsigned component)
{
    if (def->parent_instr->type == nir_instr_type_undef)
        return 0;
    nir_load_const_instr *load = nir_instr_as_load_const(def->parent_instr);
    return nir_const_value_as_uint(load->value[component], def->bit_size);
}

int32_t baseline_temporary(struct baseline *q, unsigned i)
{
    const unsigned bytes = 4 * q->isa->lanes;
    assert(i < BASELINE_TEMPORARIES);
    if (!q->temporaries)
        q->temporaries = baseline_take_area(q, BASELINE_TEMPORARIES * bytes);
    return q->temporaries + (int32_t)(i * bytes);
}

struct code_operand baseline_constant_data(struct baseline *q)
{
    if (q->constants < 0)
        q->constants = add_to_pool(q, q->nir->constant_data, q->nir->constant_data_size);
    while (q->pool.count % 64)
        (void)dynarray_append(&q->pool, 0);
    return code_mem(REG_POOL, q->constants);
}

bool baseline_is_constant(const nir_def *def, unsigned component, uint64_t *bits)
{
    if (!is_constant(def))
        return false;
    *bits = constant_bits(def, component);
    return true;
}

struct code_operand baseline_operand(struct baseline *q, const nir_src *src, unsigned component,
                                     unsigned half)
{
    const nir_def *def = src->ssa;
    if (is_constant(def))
        return def->bit_size == 64 ? baseline_long_constant(q, constant_bits(def, component))
                                   : baseline_constant(q, (uint32_t)constant_bits(def, component));
    const struct baseline_value *value = baseline_value(q, def, component, is_pair(def) ? half : 0);
    if (!value->vector)
        return (struct code_operand){CODE_BROADCAST, REG_FRAME, 0, value->place};
    return value->reg >= 0 ? code_reg((unsigned)value->reg) : code_mem(REG_FRAME, value->place);
}

struct code_operand baseline_mask(struct baseline *q, const nir_src *src, unsigned component)
{
    struct code_operand operand;
    if (is_constant(src->ssa))
        operand = baseline_constant(q, constant_bits(src->ssa, component) ? all_lanes(q) : 0);
    else
        operand = code_mem(REG_FRAME, baseline_value(q, src->ssa, component, 0)->place);
    operand.kind = CODE_MEM;
    return operand;
}

/* --- code --- */

void baseline_op(struct baseline *q, enum baseline_vop op, enum code_length length, unsigned reg,
                 unsigned v, struct code_operand rm)
{
    q->isa->op(q, op, length, reg, v, rm);
}

void baseline_op_imm(struct baseline *q, enum baseline_vop op, enum code_length length,
                     unsigned reg, unsigned v, struct code_operand rm, unsigned immediate)
{
    q->isa->op_imm(q, op, length, reg, v, rm, immediate);
}

unsigned baseline_in_register(struct baseline *q, struct code_operand operand, unsigned scratch,
                              bool wide)
{
    if (operand.kind == CODE_REG)
        return operand.reg;
    if (operand.kind == CODE_BROADCAST) {
        operand.kind = CODE_MEM;
        baseline_op(q, baseline_spread(wide), q->isa->length, scratch, 0, operand);
    } else {
        baseline_op(q, VOP_MOVE, q->isa->length, scratch, 0, operand);
    }
    return scratch;
}

struct code_operand baseline_whole(struct baseline *q, struct code_operand operand,
                                   unsigned scratch)
{
    if (operand.kind != CODE_BROADCAST)
        return operand;
    return code_reg(baseline_in_register(q, operand, scratch, false));
}

struct code_operand baseline_half(struct baseline *q, struct code_operand operand, unsigned half,
                                  unsigned scratch)
{
    if (operand.kind == CODE_BROADCAST) {
        return code_reg(baseline_in_register(q, operand, scratch, false));
    } else if (half && operand.kind == CODE_MEM) {
        operand.disp += (int32_t)(2 * q->isa->lanes);
    } else if (half) {
        baseline_op_imm(q, VOP_EXTRACT_HALF, q->isa->length, operand.reg, 0, code_reg(scratch), 1);
        operand.reg = (uint8_t)scratch;
    }
    return operand;
}

unsigned baseline_target(const struct baseline_value *value)
{
    return value->vector && value->reg >= 0 ? (unsigned)value->reg : 0;
}

void baseline_settle(struct baseline *q, const struct baseline_value *value, bool wide)
{
    struct code_operand place = code_mem(REG_FRAME, value->place);
    if (!value->vector)
        baseline_op(q, wide ? VOP_STORE_LONG : VOP_STORE_WORD, CODE_128, 0, 0, place);
    else if (value->reg < 0)
        baseline_op(q, VOP_STORE, q->isa->length, 0, 0, place);
}

void baseline_settle_general(struct baseline *q, const struct baseline_value *value, unsigned reg,
                             bool wide)
{
    if (!value->vector) {
        baseline_memory(q, wide, BASELINE_STORE, reg, REG_FRAME, value->place);
        return;
    }
    q->isa->broadcast_general(q, wide, baseline_target(value), reg);
    baseline_settle(q, value, wide);
}

void baseline_settle_mask(struct baseline *q, const struct baseline_value *value)
{
    baseline_memory(q, false, BASELINE_STORE, REG_VALUE, REG_FRAME, value->place);
}

void baseline_load_condition(struct baseline *q, bool wide, unsigned half, struct code_operand from)
{
    if (!half) {
        q->isa->load_condition(q, wide, from);
        return;
    }
    baseline_general(q, false, BASELINE_LOAD, REG_VALUE, from);
    q->machine->shift_right(q, REG_VALUE, q->isa->lanes / 2);
    q->isa->set_condition(q, wide, REG_VALUE);
}

struct code_operand baseline_active_lanes(struct baseline *q)
{
    return q->exec == BASELINE_ALL_LANES ? baseline_all_lanes(q) : code_mem(REG_FRAME, q->exec);
}

void baseline_load_exec(struct baseline *q, bool wide, unsigned half)
{
    baseline_load_condition(q, wide, half, baseline_active_lanes(q));
}

void baseline_general(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                      struct code_operand operand)
{
    if (operand.kind == CODE_REG) {
        q->machine->element(q, wide, reg, operand.reg);
        if (op == BASELINE_LOAD_SIGNED)
            baseline_registers(q, wide, op, reg, reg);
        return;
    }
    baseline_memory(q, wide, op, reg, operand.reg, operand.disp);
}

void baseline_memory(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                     unsigned base, int32_t disp)
{
    q->machine->memory(q, wide, op, reg, base, disp);
}

void baseline_registers(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                        unsigned from)
{
    q->machine->registers(q, wide, op, reg, from);
}

/* --- phis: which sources each block copies --- */

static bool is_copied(const nir_phi_src *src)
{
    return !nir_src_is_undef(src->src);
}

/* Sorts the sources of all phis by predecessor. */
static void collect_copies(struct baseline *q, nir_function_impl *impl)
{
    nir_metadata_require(impl, nir_metadata_block_index);
    uint32_t *first = talloc_zero_array(q->mem_ctx, uint32_t, impl->num_blocks + 2);
    for (unsigned pass = 0; pass < 2; pass++) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block) {
                if (instr->type != nir_instr_type_phi)
                    break;
                nir_phi_instr *phi = nir_instr_as_phi(instr);
                nir_foreach_phi_src (src, phi) {
                    if (!is_copied(src))
                        continue;
                    uint32_t *at = &first[src->pred->index + 2 - pass];
                    if (pass)
                        q->copy[*at] = (struct baseline_copy){phi, &src->src};
                    ++*at;
                }
            }
        }
        /* first[i + 2] is the number of block i's copies, then first[i + 1] is its first one */
        for (unsigned i = 1; !pass && i < impl->num_blocks + 2; i++)
            first[i] += first[i - 1];
        if (!pass)
            q->copy =
                talloc_array(q->mem_ctx, struct baseline_copy, first[impl->num_blocks + 1] + 1);
    }
    q->first_copy = first;
}

/* --- numbering: positions of instructions, and live ranges of values --- */

/* Range of positions of a loop. */
struct extent {
    uint32_t start, end;
    int outer; /* index of the enclosing loop; -1 if there is none */
};

struct numbering {
    struct baseline *q;
    uint32_t position;
    int loop; /* index of the innermost loop; -1 outside loops */
    DYNARRAY(struct extent) loops;
    int next_loop;
    bool uses; /* second pass: numbers uses, because the ends of loops are known */
};

static void number_def(struct numbering *n, nir_def *def)
{
    struct baseline *q = n->q;
    q->first[def->index] = q->values.count;
    if (is_constant(def))
        return;
    for (unsigned i = 0; i < num_values(def); i++) {
        struct baseline_value value = {
            .vector = (def->divergent || n->loop >= 0 || !q->isa->spreads) && def->bit_size > 1,
            .reg = -1,
            .start = n->position,
            .end = n->position,
        };
        (void)dynarray_append(&q->values, value);
    }
}

/* Extends the live range of a source to this position. If the value is defined outside the loops
 * around the use, it lives until the end of the outermost of these loops. */
static bool number_use(nir_src *src, void *data)
{
    struct numbering *n = data;
    struct baseline *q = n->q;
    if (is_constant(src->ssa))
        return true;
    struct baseline_value *value = &q->values.data[q->first[src->ssa->index]];
    uint32_t end = n->position;
    for (int l = n->loop; l >= 0 && n->loops.data[l].start >= value->start;
         l = n->loops.data[l].outer)
        end = n->loops.data[l].end;
    for (unsigned i = 0; i < num_values(src->ssa); i++)
        value[i].end = MAX2(value[i].end, end);
    return true;
}

static void number_block(struct numbering *n, nir_block *block)
{
    nir_foreach_instr (instr, block) {
        n->position++;
        nir_def *def = nir_instr_def(instr);
        if (!n->uses && def)
            number_def(n, def);
        if (n->uses && instr->type != nir_instr_type_phi)
            nir_foreach_src(instr, number_use, n);
    }
    n->position++;
    const uint32_t *first = &n->q->first_copy[block->index];
    for (uint32_t i = first[0]; n->uses && i < first[1]; i++)
        number_use(n->q->copy[i].src, n);
}

static void number_list(struct numbering *n, struct list_head *list);

static void number_loop(struct numbering *n, nir_loop *loop)
{
    const int index = n->next_loop++, outer = n->loop;
    if (!n->uses)
        (void)dynarray_append(&n->loops, ((struct extent){.start = n->position, .outer = outer}));
    n->loop = index;
    number_list(n, &loop->body);
    n->loops.data[index].end = ++n->position;
    n->loop = outer;
}

static void number_list(struct numbering *n, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block) {
            number_block(n, nir_cf_node_as_block(node));
        } else if (node->type == nir_cf_node_if) {
            nir_if *nif = nir_cf_node_as_if(node);
            n->position++;
            if (n->uses)
                number_use(&nif->condition, n);
            number_list(n, &nif->then_list);
            if (n->uses) /* a divergent condition is read again before the other side */
                number_use(&nif->condition, n);
            number_list(n, &nif->else_list);
        } else if (node->type == nir_cf_node_loop) {
            number_loop(n, nir_cf_node_as_loop(node));
        }
    }
}

static void number_values(struct baseline *q, nir_function_impl *impl)
{
    struct numbering n = {.q = q, .loop = -1, .loops = DYNARRAY_INIT(q->mem_ctx)};
    number_list(&n, &impl->body);
    n.position = 0;
    n.next_loop = 0;
    n.uses = true;
    number_list(&n, &impl->body);
}

/* --- registers --- */

struct place {
    int32_t place;
    uint32_t end; /* end of the last live range that was given the place */
};

/* Frame places of one size; values whose live ranges don't overlap share a place. A heap whose
 * first element is the place that is free first. */
struct places {
    unsigned bytes;
    DYNARRAY(struct place) heap;
};

/* Moves the element at index i down to where the heap is in order. */
static void sift_down(struct places *p, unsigned i)
{
    const struct place moved = p->heap.data[i];
    for (unsigned child; (child = 2 * i + 1) < p->heap.count; i = child) {
        if (child + 1 < p->heap.count && p->heap.data[child + 1].end < p->heap.data[child].end)
            child++;
        if (moved.end <= p->heap.data[child].end)
            break;
        p->heap.data[i] = p->heap.data[child];
    }
    p->heap.data[i] = moved;
}

static void sift_up(struct places *p, unsigned i)
{
    const struct place moved = p->heap.data[i];
    for (; i && moved.end < p->heap.data[(i - 1) / 2].end; i = (i - 1) / 2)
        p->heap.data[i] = p->heap.data[(i - 1) / 2];
    p->heap.data[i] = moved;
}

/* Gives the value a place in the frame. */
static void place_value(struct baseline *q, struct places *p, struct baseline_value *value)
{
    value->reg = -1;
    if (p->heap.count && p->heap.data[0].end < value->start) {
        value->place = p->heap.data[0].place;
        p->heap.data[0].end = value->end;
        sift_down(p, 0);
        return;
    }
    value->place = baseline_take_frame(q, p->bytes);
    (void)dynarray_append(&p->heap, ((struct place){value->place, value->end}));
    sift_up(p, p->heap.count - 1);
}

/* Assigns registers by linear scan; values are sorted by start. The result of an instruction never
 * gets the register of one of its operands. If registers run out, the value that ends last is
 * spilled. Scalars and masks get places in the frame. */
static void allocate_registers(struct baseline *q)
{
    const int first = (int)q->isa->first_reg, last = (int)q->isa->num_regs - 1;
    struct baseline_value *in[BASELINE_MAX_REGS] = {NULL};
    struct places vectors = {.bytes = 4 * q->isa->lanes, .heap = DYNARRAY_INIT(q->mem_ctx)};
    struct places scalars = {.bytes = 8, .heap = DYNARRAY_INIT(q->mem_ctx)};
    for (unsigned i = 0; i < q->values.count; i++) {
        struct baseline_value *value = &q->values.data[i], *longest = value;
        if (!value->vector) {
            place_value(q, &scalars, value);
            continue;
        }
        int free_reg = -1;
        for (int r = last; r >= first; r--) {
            if (!in[r] || in[r]->end < value->start)
                free_reg = r;
            else if (in[r]->end > longest->end)
                longest = in[r];
        }
        if (free_reg < 0) {
            free_reg = longest->reg;
            place_value(q, &vectors, longest);
        }
        if (free_reg >= 0) {
            value->reg = (int8_t)free_reg;
            in[free_reg] = value;
        }
    }
}

/* --- phis --- */

static int32_t phi_place(struct baseline *q, const nir_def *def, unsigned i)
{
    return q->phi[q->first[def->index] + i];
}

/* Allocates a frame place for each phi value. Returns their number. */
static unsigned place_phis(struct baseline *q, nir_function_impl *impl, bool vectors)
{
    const unsigned bytes = vectors ? 4 * q->isa->lanes : 8;
    unsigned count = 0;
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            nir_def *def = &nir_instr_as_phi(instr)->def;
            if (vectors != (def->divergent && def->bit_size > 1))
                continue;
            for (unsigned i = 0; i < num_values(def); i++, count++)
                q->phi[q->first[def->index] + i] = baseline_take_frame(q, bytes);
        }
    }
    return count;
}

/* Allocates frame places for all phis and for scratch memory, and clears them, so that inactive
 * lanes never hold old contents of the stack. */
static void clear_frame(struct baseline *q, nir_function_impl *impl)
{
    const unsigned bytes = 4 * q->isa->lanes;
    const uint64_t scratch = (q->nir->scratch_size + 3) / 4 * (uint64_t)bytes;
    const int32_t start = baseline_take_area(q, 64);
    unsigned vectors = place_phis(q, impl, true), scalars = place_phis(q, impl, false);
    if (scratch) {
        q->scratch = baseline_take_area(q, scratch);
        q->machine->clear_area(q, q->scratch, scratch);
    }
    if (vectors + scalars > FEW_PHIS) {
        q->machine->clear_area(q, start + 64, (uint64_t)vectors * bytes + scalars * 8);
        return;
    }
    baseline_op(q, VOP_XOR, q->isa->length, 0, 0, code_reg(0));
    for (unsigned i = 0; i < vectors; i++)
        baseline_op(q, VOP_STORE, q->isa->length, 0, 0,
                    code_mem(REG_FRAME, start + 64 + (int32_t)(i * bytes)));
    for (unsigned i = 0; i < scalars; i++)
        baseline_op(q, VOP_STORE_LONG, CODE_128, 0, 0,
                    code_mem(REG_FRAME, start + 64 + (int32_t)(vectors * bytes + i * 8)));
}

/* Stores component c of a boolean phi; if it is divergent, for the active lanes only. */
static void store_phi_mask(struct baseline *q, const nir_phi_instr *phi, const nir_src *src,
                           unsigned c)
{
    int32_t place = phi_place(q, &phi->def, c);
    baseline_general(q, false, BASELINE_LOAD, REG_VALUE, baseline_mask(q, src, c));
    if (phi->def.divergent && q->exec != BASELINE_ALL_LANES) { /* (old ^ new) & exec ^ old */
        baseline_memory(q, false, BASELINE_XOR, REG_VALUE, REG_FRAME, place);
        baseline_memory(q, false, BASELINE_AND, REG_VALUE, REG_FRAME, q->exec);
        baseline_memory(q, false, BASELINE_XOR, REG_VALUE, REG_FRAME, place);
    }
    baseline_memory(q, false, BASELINE_STORE, REG_VALUE, REG_FRAME, place);
}

/* Stores component c of a divergent phi for the active lanes. */
static void store_phi_vector(struct baseline *q, const nir_phi_instr *phi, const nir_src *src,
                             unsigned c)
{
    bool pair = is_pair(&phi->def), masked = q->exec != BASELINE_ALL_LANES;
    for (unsigned half = 0; half <= pair; half++) {
        unsigned reg = baseline_in_register(q, baseline_operand(q, src, c, half), 0, pair);
        struct code_operand place =
            code_mem(REG_FRAME, phi_place(q, &phi->def, (c << pair) + half));
        if (masked) {
            baseline_load_exec(q, pair, half);
            q->isa->store(q, pair, q->isa->length, reg, place);
        } else {
            baseline_op(q, VOP_STORE, q->isa->length, reg, 0, place);
        }
    }
}

static void store_phi_source(struct baseline *q, const nir_phi_instr *phi, const nir_src *src)
{
    bool wide = phi->def.bit_size == 64;
    for (unsigned c = 0; c < phi->def.num_components; c++) {
        if (phi->def.bit_size == 1) {
            store_phi_mask(q, phi, src, c);
        } else if (phi->def.divergent) {
            store_phi_vector(q, phi, src, c);
        } else { /* uniform */
            assert(!src->ssa->divergent);
            baseline_general(q, wide, BASELINE_LOAD, REG_VALUE, baseline_operand(q, src, c, 0));
            baseline_memory(q, wide, BASELINE_STORE, REG_VALUE, REG_FRAME,
                            phi_place(q, &phi->def, c));
        }
    }
}

/* Stores the values that the block gives to the phis of its successors. */
static void store_phi_sources(struct baseline *q, const nir_block *block)
{
    for (uint32_t i = q->first_copy[block->index]; i < q->first_copy[block->index + 1]; i++)
        store_phi_source(q, q->copy[i].phi, q->copy[i].src);
}

static void load_phi(struct baseline *q, nir_phi_instr *phi)
{
    bool wide = phi->def.bit_size == 64;
    for (unsigned i = 0; i < num_values(&phi->def); i++) {
        struct baseline_value *value = &q->values.data[q->first[phi->def.index] + i];
        struct code_operand place = code_mem(REG_FRAME, phi_place(q, &phi->def, i));
        if (value->vector) {
            baseline_op(q, phi->def.divergent ? VOP_MOVE : baseline_spread(wide), q->isa->length,
                        baseline_target(value), 0, place);
            baseline_settle(q, value, wide);
        } else {
            baseline_general(q, wide, BASELINE_LOAD, REG_VALUE, place);
            baseline_memory(q, wide, BASELINE_STORE, REG_VALUE, REG_FRAME, value->place);
        }
    }
}

/* --- control flow: see jit_cf.c --- */

static int32_t take_mask(struct baseline *q)
{
    return q->free_masks.count ? q->free_masks.data[--q->free_masks.count]
                               : baseline_take_frame(q, 8);
}

static void release_mask(struct baseline *q, int32_t place)
{
    (void)dynarray_append(&q->free_masks, place);
}

static int32_t store_new_mask(struct baseline *q)
{
    int32_t place = take_mask(q);
    baseline_memory(q, false, BASELINE_STORE, REG_VALUE, REG_FRAME, place);
    return place;
}

static void load_exec_bits(struct baseline *q)
{
    baseline_general(q, false, BASELINE_LOAD, REG_VALUE, baseline_active_lanes(q));
}

/* Emits [mask] &= REG_VALUE. */
static void keep_lanes(struct baseline *q, int32_t mask)
{
    baseline_memory(q, false, BASELINE_AND_BACK, REG_VALUE, REG_FRAME, mask);
}

static void emit_jump(struct baseline *q, nir_jump_instr *jump)
{
    struct baseline_loop *loop = q->loop;
    bool is_break = jump->type == nir_jump_break;
    if (!loop || (!is_break && jump->type != nir_jump_continue)) {
        q->failed = true;
        return;
    }
    if (loop->divergent) {
        load_exec_bits(q);
        q->machine->invert(q, REG_VALUE);
        if (is_break)
            keep_lanes(q, loop->live);
        keep_lanes(q, loop->running);
        loop->left = true;
        return;
    }
    assert(q->exec == loop->exec); /* all active lanes of the loop jump */
    if (is_break) {
        loop->exits = q->machine->jump(q, loop->exits);
    } else {
        q->machine->jump_back(q, loop->head);
    }
}

/* Emits an ALU instruction or intrinsic; if there is no code for it, a call of the interpreter. */
static void emit_operation(struct baseline *q, nir_instr *instr)
{
    const unsigned start = q->code.bytes.count;
    if (instr->type == nir_instr_type_alu)
        baseline_emit_alu(q, nir_instr_as_alu(instr));
    else
        baseline_emit_intrinsic(q, nir_instr_as_intrinsic(instr));
    if (!q->failed && !q->code.unsupported)
        return;
    q->code.bytes.count = start;
    q->code.unsupported = false;
    q->failed = !baseline_emit_step(q, instr);
}

static void emit_instr(struct baseline *q, nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu:
    case nir_instr_type_intrinsic:
        emit_operation(q, instr);
        break;
    case nir_instr_type_phi:
        load_phi(q, nir_instr_as_phi(instr));
        break;
    case nir_instr_type_load_const:
    case nir_instr_type_undef:
        break;
    default:
        q->failed = true;
        break;
    }
}

static void emit_block(struct baseline *q, nir_block *block)
{
    nir_foreach_instr (instr, block) {
        if (q->failed)
            return;
        if (instr->type == nir_instr_type_jump) {
            store_phi_sources(q, block);
            emit_jump(q, nir_instr_as_jump(instr));
            return;
        }
        emit_instr(q, instr);
    }
    store_phi_sources(q, block);
}

/* Emits one side of a divergent if for the lanes in the mask REG_VALUE; skips it if there are none.
 */
static void emit_masked(struct baseline *q, struct list_head *list)
{
    q->exec = store_new_mask(q);
    unsigned skip = q->machine->jump_if(q, REG_VALUE, true, 0);
    const int32_t mask = q->exec;
    emit_cf_list(q, list);
    release_mask(q, mask);
    q->machine->patch(q, skip);
}

/* Returns whether the list of an if does nothing, not even for phis after the if. */
static bool is_empty(struct list_head *list, nir_block *next)
{
    nir_block *block = nir_cf_node_as_block(list_first_entry(list, nir_cf_node, node));
    nir_instr *first = nir_block_first_instr(next);
    return list_is_singular(list) && list_is_empty(&block->instr_list) &&
           (!first || first->type != nir_instr_type_phi);
}

static void emit_divergent_if(struct baseline *q, nir_if *nif, struct code_operand condition)
{
    const int32_t outer = q->exec;
    nir_block *next = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    baseline_general(q, false, BASELINE_LOAD, REG_VALUE, condition);
    if (outer != BASELINE_ALL_LANES)
        baseline_memory(q, false, BASELINE_AND, REG_VALUE, REG_FRAME, outer);
    emit_masked(q, &nif->then_list);
    if (is_empty(&nif->else_list, next))
        return;
    q->exec = outer;
    load_exec_bits(q);
    baseline_registers(q, false, BASELINE_LOAD, REG_OTHER, REG_VALUE);
    baseline_general(q, false, BASELINE_AND, REG_OTHER, condition);
    baseline_registers(q, false, BASELINE_XOR, REG_VALUE, REG_OTHER);
    emit_masked(q, &nif->else_list);
}

/* Removes lanes that have left a divergent loop inside an if from the active lanes after the if. */
static void mask_left_lanes(struct baseline *q)
{
    const struct baseline_loop *loop = q->loop;
    if (!loop || !loop->left || q->exec == loop->running)
        return;
    baseline_memory(q, false, BASELINE_LOAD, REG_VALUE, REG_FRAME, loop->running);
    keep_lanes(q, q->exec);
}

static void emit_if(struct baseline *q, nir_if *nif)
{
    const int32_t outer = q->exec;
    struct code_operand condition = baseline_mask(q, &nif->condition, 0);
    if (nif->condition.ssa->divergent) {
        emit_divergent_if(q, nif, condition);
    } else {
        baseline_general(q, false, BASELINE_LOAD, REG_VALUE, condition);
        unsigned to_else = q->machine->jump_if(q, REG_VALUE, true, 0);
        emit_cf_list(q, &nif->then_list);
        unsigned to_end = q->machine->jump(q, 0);
        q->exec = outer;
        q->machine->patch(q, to_else);
        emit_cf_list(q, &nif->else_list);
        q->machine->patch(q, to_end);
    }
    q->exec = outer;
    mask_left_lanes(q);
}

/* Emits a divergent loop, in whose body the active lanes are loop->running. */
static void emit_divergent_loop(struct baseline *q, nir_loop *nloop, struct baseline_loop *loop)
{
    const int32_t outer = q->exec;
    load_exec_bits(q);
    loop->live = store_new_mask(q);
    loop->running = q->exec = take_mask(q);
    loop->head = q->code.bytes.count;
    baseline_memory(q, false, BASELINE_LOAD, REG_VALUE, REG_FRAME, loop->live);
    baseline_memory(q, false, BASELINE_STORE, REG_VALUE, REG_FRAME, loop->running);
    emit_cf_list(q, &nloop->body);
    baseline_memory(q, false, BASELINE_LOAD, REG_VALUE, REG_FRAME, loop->live);
    q->machine->jump_back_if(q, REG_VALUE, loop->head);
    release_mask(q, loop->live);
    release_mask(q, loop->running);
    q->exec = outer;
}

static void emit_loop(struct baseline *q, nir_loop *nloop)
{
    struct baseline_loop loop = {
        .outer = q->loop,
        .divergent = nloop->divergent,
        .exec = q->exec,
    };
    q->loop = &loop;
    if (loop.divergent) {
        emit_divergent_loop(q, nloop, &loop);
    } else {
        loop.head = q->code.bytes.count;
        emit_cf_list(q, &nloop->body);
        q->machine->jump_back(q, loop.head);
        q->machine->patch(q, loop.exits);
    }
    q->loop = loop.outer;
}

static void emit_cf_list(struct baseline *q, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (q->failed)
            return;
        if (node->type == nir_cf_node_block)
            emit_block(q, nir_cf_node_as_block(node));
        else if (node->type == nir_cf_node_if)
            emit_if(q, nir_cf_node_as_if(node));
        else if (node->type == nir_cf_node_loop)
            emit_loop(q, nir_cf_node_as_loop(node));
        else
            q->failed = true;
    }
}

/* --- the function --- */

enum jit_stack baseline_stack(const struct baseline *q)
{
    return q->frame <= CALLERS_FRAME                              ? JIT_STACK_CALLERS
           : (size_t)q->frame <= jit_stack_frame(JIT_STACK_SMALL) ? JIT_STACK_SMALL
                                                                  : JIT_STACK_LARGE;
}

/* Emits the function. The entry sequence follows the body, since it needs the final size of the
 * frame. */
static void emit_function(struct baseline *q, nir_function_impl *impl, uint64_t *ticks)
{
    const int32_t since = baseline_take_frame(q, 8), top = baseline_take_frame(q, 8);

    clear_frame(q, impl);
    emit_cf_list(q, &impl->body);
    q->machine->leave(q, since, top, ticks);
    baseline_emit_step_code(q);
    baseline_emit_reductions(q);

    q->entry = q->code.bytes.count;
    q->machine->enter(q, since, top);
}

static void write_code(void *to, uintptr_t run_at, void *data)
{
    const struct baseline *q = data;
    memcpy(to, q->code.bytes.data, q->code.bytes.count);
    if (q->pool.count)
        memcpy((char *)to + q->code.bytes.count, q->pool.data, q->pool.count);
}

static bool map_code(struct baseline *q, struct jit_baseline_code *code)
{
    const size_t size =
        q->code.bytes.count + q->pool.count + 8; /* 64-bit loads may read past a word */
    const enum jit_stack stack = baseline_stack(q);
    struct jit_code mapped;
    if ((stack != JIT_STACK_CALLERS && !jit_stack_prepare(stack)) ||
        !jit_code_create(&mapped, size, write_code, q))
        return false;
    *code = (struct jit_baseline_code){
        .code = mapped,
        .end = (const char *)mapped.start + q->end,
        .function = (jit_kernel_fn)((uintptr_t)mapped.start + q->entry),
        .steps = q->steps ? talloc_steal(NULL, q->steps) : NULL,
        .much = q->machine->ticks(BASE_TICKS + MIN2(q->end, FEW_BYTES) * BYTE_TICKS +
                                  (q->end > FEW_BYTES ? (q->end - FEW_BYTES) * LATER_TICKS : 0)),
    };
    return true;
}

/* Returns the host's instruction set whose registers have that many lanes, or NULL. */
static const struct baseline_isa *isa_of(unsigned lanes)
{
#if defined(__aarch64__)
    return lanes == 4 ? &baseline_neon : NULL;
#else
    return lanes == 16 ? &baseline_avx512 : lanes == 8 ? &baseline_avx2 : &baseline_sse;
#endif
}

bool jit_baseline_has(unsigned lanes)
{
    return isa_of(lanes) != NULL;
}

bool jit_baseline_compile(nir_shader *nir, unsigned lanes, struct jit_baseline_code *code)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    const struct baseline_isa *isa = isa_of(lanes);
    nir_index_ssa_defs(impl);
    void *mem_ctx = talloc_new(NULL);
    struct baseline q = {
        .isa = isa,
        .machine = isa->machine,
        .nir = nir,
        .mem_ctx = mem_ctx,
        .code.bytes = DYNARRAY_INIT(mem_ctx),
        .pool = DYNARRAY_INIT(mem_ctx),
        .lane_constants = DYNARRAY_INIT(mem_ctx),
        .values = DYNARRAY_INIT(mem_ctx),
        .free_masks = DYNARRAY_INIT(mem_ctx),
        .words = hash_table_create_pointer(mem_ctx),
        .longs = hash_table_create_pointer(mem_ctx),
        .first = talloc_zero_array(mem_ctx, uint32_t, impl->ssa_alloc + 1),
        .frame = 8,
        .exec = BASELINE_ALL_LANES,
        .constants = -1,
    };
    collect_copies(&q, impl);
    number_values(&q, impl);
    allocate_registers(&q);
    q.phi = talloc_zero_array(mem_ctx, int32_t, q.values.count + 1);
    emit_function(&q, impl, &code->ticks);
    CHECK(!q.code.unsupported);
    bool done = !q.failed && !q.too_large && map_code(&q, code);
    talloc_free(mem_ctx);
    return done;
}

void jit_baseline_free(struct jit_baseline_code *code)
{
    jit_code_destroy(&code->code);
    talloc_free(code->steps);
    code->steps = NULL;
}
