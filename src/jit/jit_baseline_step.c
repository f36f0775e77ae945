/* SPDX-License-Identifier: MIT */
/*
 * Instructions that the baseline code generator has no code for. The generated code calls the
 * interpreter's function for the instruction, so that the generator supports whatever the
 * interpreter does, with the same bits. All calls of a kernel go through one piece of code that
 * saves the vector registers to the frame; values are then read and written there.
 */
#include "jit/jit_baseline.h"

#include <string.h>
#include <talloc.h>

/* Maximum elements of the sources and the result of an instruction: 4 sources of at most 16
 * components in all, and a result of 16 components. */
#define MAX_ELEMENTS (36 * JIT_MAX_LANES)

/* Where a component of a value is during a call. */
struct component {
    enum {
        IS_CONSTANT,
        IS_VECTOR, /* elements of 32 or 64 bits in the frame; equal ones if the value is uniform */
        IS_SCALAR, /* 64 bits in the frame */
        IS_MASK,   /* a bit per lane in the frame */
    } kind;
    uint16_t element; /* index of its first element in jit_machine.value */
    uint8_t bits;
    bool uniform;
    /* Frame offset. For a divergent 64-bit vector, one offset for each half of the lanes. */
    int32_t place[2];
    uint64_t constant;
};

/* A call: the instruction and its operands. */
struct baseline_step {
    struct jit_step step;
    unsigned lanes;
    int32_t scratch; /* frame offset */
    unsigned scratch_slots;
    const uint8_t *constant_data; /* owned by the code's steps */
    unsigned constant_size;
    unsigned num_loads, num_stores;
    const struct component *load, *store; /* components of the sources and of the result */
};

/* --- at run time --- */

static uint64_t element_of(const uint8_t *frame, const struct component *c, unsigned lanes,
                           unsigned lane)
{
    uint64_t value = 0;
    switch (c->kind) {
    case IS_CONSTANT:
        return c->constant;
    case IS_MASK: {
        uint32_t mask;
        memcpy(&mask, frame + c->place[0], sizeof mask);
        return mask >> lane & 1;
    }
    case IS_SCALAR:
        memcpy(&value, frame + c->place[0], c->bits == 64 ? 8 : 4);
        return value;
    default:
        if (c->bits == 64)
            memcpy(&value, frame + c->place[lane >= lanes / 2] + 8 * (lane % (lanes / 2)), 8);
        else
            memcpy(&value, frame + c->place[0] + 4 * lane, 4);
        return value;
    }
}

static void load(const uint8_t *frame, const struct component *c, unsigned lanes,
                 nir_const_value *value)
{
    for (unsigned lane = 0; lane < (c->uniform ? 1 : lanes); lane++)
        value[c->element + lane].u64 = element_of(frame, c, lanes, lane);
}

static void store(uint8_t *frame, const struct component *c, unsigned lanes,
                  const nir_const_value *value)
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const nir_const_value *from = &value[c->element + (c->uniform ? 0 : lane)];
        const uint64_t bits = nir_const_value_as_uint(*from, c->bits);
        if (c->kind == IS_MASK)
            mask |= (uint32_t)bits << lane;
        else if (c->kind == IS_VECTOR && c->bits != 64)
            memcpy(frame + c->place[0] + 4 * lane, &bits, 4);
        else if (c->kind == IS_VECTOR)
            memcpy(frame + c->place[lane >= lanes / 2] + 8 * (lane % (lanes / 2)), &bits, 8);
        else if (lane == 0)
            memcpy(frame + c->place[0], &bits, c->bits == 64 ? 8 : 4);
    }
    if (c->kind == IS_MASK)
        memcpy(frame + c->place[0], &mask, sizeof mask);
}

/* Executes an instruction for the active lanes; the generated code calls it. */
static void run_step(uint8_t *frame, const struct baseline_step *s, const void *const *args,
                     uint32_t exec)
{
    nir_const_value value[MAX_ELEMENTS];
    struct jit_machine m = {
        .lanes = s->lanes,
        .all_lanes = BITFIELD_MASK(s->lanes),
        .args = args,
        .value = value,
        .scratch = (uint32_t *)(frame + s->scratch),
        .scratch_slots = s->scratch_slots,
        .constant_data = s->constant_data,
        .constant_size = s->constant_size,
        .exec = exec,
    };
    for (unsigned i = 0; i < s->num_loads; i++)
        load(frame, &s->load[i], s->lanes, value);
    s->step.run(&m, &s->step);
    for (unsigned i = 0; i < s->num_stores; i++)
        store(frame, &s->store[i], s->lanes, value);
}

/* --- calls --- */

struct call {
    struct baseline *q;
    struct baseline_step *s;
    unsigned elements;
    DYNARRAY(struct component) loads, stores;
};

static int32_t saved_register(struct baseline *q, unsigned reg)
{
    const unsigned bytes = 4 * q->isa->lanes;
    if (!q->saved)
        q->saved = baseline_take_area(q, (q->isa->num_regs - q->isa->first_reg) * bytes);
    return q->saved + (int32_t)((reg - q->isa->first_reg) * bytes);
}

static int32_t place_of(struct baseline *q, const struct baseline_value *value)
{
    return value->vector && value->reg >= 0 ? saved_register(q, (unsigned)value->reg)
                                            : value->place;
}

static struct component component_of(struct call *call, const nir_def *def, unsigned component)
{
    struct baseline *q = call->q;
    struct component c = {
        .kind = IS_CONSTANT,
        .element = (uint16_t)call->elements,
        .bits = def->bit_size,
        .uniform = !def->divergent,
    };
    call->elements += def->divergent ? q->isa->lanes : 1;
    if (baseline_is_constant(def, component, &c.constant))
        return c;
    const struct baseline_value *value = baseline_value(q, def, component, 0);
    const bool pair = baseline_is_pair(def);
    c.kind = value->vector ? IS_VECTOR : def->bit_size == 1 ? IS_MASK : IS_SCALAR;
    c.place[0] = place_of(q, value);
    /* a uniform vector has equal elements */
    c.place[1] = pair ? place_of(q, baseline_value(q, def, component, 1)) : c.place[0];
    return c;
}

static struct jit_operand load_component(struct call *call, const nir_src *src, unsigned component)
{
    struct component c = component_of(call, src->ssa, component);
    (void)dynarray_append(&call->loads, c);
    return (struct jit_operand){c.element, !c.uniform};
}

static struct jit_operand *new_source(struct call *call, unsigned s, unsigned components)
{
    struct jit_operand *o = talloc_array(call->s, struct jit_operand, MAX2(components, 1));
    call->s->step.src[s] = o;
    return o;
}

static void store_result(struct call *call, const nir_def *def)
{
    call->s->step.dest = call->elements;
    call->s->step.count = def->divergent ? call->q->isa->lanes : 1;
    for (unsigned i = 0; i < def->num_components; i++)
        (void)dynarray_append(&call->stores, component_of(call, def, i));
}

static bool describe_alu(struct call *call, const nir_alu_instr *alu)
{
    if (!jit_decode_alu(&call->s->step, alu))
        return false;
    for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++) {
        struct jit_operand *o = new_source(call, s, alu->def.num_components);
        for (unsigned c = 0; c < alu->def.num_components; c++)
            o[c] = load_component(call, &alu->src[s].src, nir_alu_src_comp(&alu->src[s], c));
    }
    store_result(call, &alu->def);
    return true;
}

static bool describe_intrinsic(struct call *call, const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    const struct baseline *q = call->q;
    if (!jit_decode_intrinsic(&call->s->step, intr))
        return false;
    if ((intr->intrinsic == nir_intrinsic_load_scratch ||
         intr->intrinsic == nir_intrinsic_store_scratch ||
         intr->intrinsic == nir_intrinsic_clear_scratch) &&
        !q->nir->scratch_size)
        return false;
    if (intr->intrinsic == nir_intrinsic_load_constant &&
        q->nir->constant_data_size < intr->def.bit_size / 8)
        return false;
    for (unsigned s = 0; s < info->num_srcs; s++) {
        const unsigned n = nir_src_num_components(intr->src[s]);
        struct jit_operand *o = new_source(call, s, n);
        for (unsigned c = 0; c < n; c++)
            o[c] = load_component(call, &intr->src[s], c);
    }
    if (info->has_dest)
        store_result(call, &intr->def);
    return true;
}

/* Emits a call of the code that baseline_emit_step_code emits later. */
static void emit_call(struct baseline *q, const struct baseline_step *s)
{
    (void)saved_register(q, q->isa->first_reg); /* takes the frame place */
    q->machine->step_call(q, s);
}

static const uint8_t *constant_data(struct baseline *q)
{
    if (!q->constant_data && q->nir->constant_data_size)
        q->constant_data =
            talloc_memdup(q->steps, q->nir->constant_data, q->nir->constant_data_size);
    return q->constant_data;
}

bool baseline_emit_step(struct baseline *q, nir_instr *instr)
{
    if (!q->steps)
        q->steps = talloc_new(q->mem_ctx);
    struct baseline_step *s = talloc_zero(q->steps, struct baseline_step);
    struct call call = {.q = q, .s = s, .loads = DYNARRAY_INIT(s), .stores = DYNARRAY_INIT(s)};
    bool known = instr->type == nir_instr_type_alu
                     ? describe_alu(&call, nir_instr_as_alu(instr))
                     : describe_intrinsic(&call, nir_instr_as_intrinsic(instr));
    if (!known || call.elements > MAX_ELEMENTS)
        return false;
    s->lanes = q->isa->lanes;
    s->scratch = q->scratch;
    s->scratch_slots = (q->nir->scratch_size + 3) / 4;
    s->constant_data = constant_data(q);
    s->constant_size = q->nir->constant_data_size;
    s->load = call.loads.data;
    s->num_loads = call.loads.count;
    s->store = call.stores.data;
    s->num_stores = call.stores.count;
    emit_call(q, s);
    return true;
}

void baseline_emit_step_code(struct baseline *q)
{
    if (!q->step_calls)
        return;
    q->machine->patch(q, q->step_calls);
    q->machine->step_code(q, run_step, q->saved);
}
