/* SPDX-License-Identifier: MIT */
/*
 * Constants (SPIR-V §3.32.7). Specialization constants have their final value here, because
 * specialization happens before translation.
 */
#include "spirv/spirv_private.h"

static nir_constant *new_constant(struct spv *p)
{
    return spv_alloc(p, sizeof(nir_constant));
}

static nir_constant *null_constant(struct spv *p)
{
    nir_constant *c = new_constant(p);
    c->is_null_constant = true;
    return c;
}

uint32_t spv_constant_u32(struct spv *p, uint32_t id)
{
    const struct spv_value *v = spv_id(p, id);
    spv_fail_if(p, v->kind != SPV_CONSTANT || v->type->op != SpvOpTypeInt || v->type->width != 32,
                "id %u is not a 32-bit integer constant", id);
    return v->constant->values[0].u32;
}

/* Returns part i of a constant of type t. */
static nir_constant *constant_part(struct spv *p, const nir_constant *c, const struct spv_type *t,
                                   unsigned i)
{
    spv_part_type(p, t, i);
    if (c->is_null_constant)
        return null_constant(p);
    if (t->op != SpvOpTypeVector)
        return c->elements[i];
    nir_constant *part = new_constant(p);
    part->values[0] = c->values[i];
    return part;
}

nir_constant *spv_constant_clone(struct spv *p, void *mem_ctx, const nir_constant *c,
                                 const struct spv_type *t)
{
    spv_fail_if(p, t->scalars > SPV_MAX_COPY, "the constant is too large");
    nir_constant *copy = talloc_zero(mem_ctx, nir_constant);
    bool parts = spv_is_aggregate(t) || spv_is_matrix(t);
    if (!copy)
        spv_out_of_memory(p);
    spv_count_work(p, 1);
    copy->is_null_constant = c->is_null_constant;
    memcpy(copy->values, c->values, sizeof copy->values);
    if (!parts)
        return copy;
    copy->num_elements = t->length;
    copy->elements = talloc_array(copy, nir_constant *, t->length + 1);
    if (!copy->elements)
        spv_out_of_memory(p);
    for (unsigned i = 0; i < t->length; i++)
        copy->elements[i] = spv_constant_clone(p, copy, c->is_null_constant ? c : c->elements[i],
                                               spv_part_type(p, t, i));
    return copy;
}

/* ---------------------------------------------------------------------------------- scalars --- */

static void specialize(struct spv *p, struct spv_value *v)
{
    const struct spv_decoration *d = spv_find_decoration(v, -1, SpvDecorationSpecId);
    for (unsigned i = 0; d && i < p->options->num_specializations; i++) {
        const struct spirv_specialization *s = &p->options->specializations[i];
        if (s->id != d->operands[0])
            continue;
        v->constant->values[0] = v->type->op == SpvOpTypeBool
                                     ? nir_const_value_for_uint(s->value != 0, 1)
                                     : nir_const_value_for_uint(s->value, 32);
        /* The API passes 32 bits, so only the low word of a 64-bit constant can be specialized. */
        if (v->type->width == 64 && v->type->op == SpvOpTypeInt && v->type->is_signed)
            v->constant->values[0] = nir_const_value_for_int((int32_t)s->value, 64);
    }
}

static void define_bool(struct spv *p, struct spv_value *v, bool value)
{
    spv_fail_if(p, v->type->op != SpvOpTypeBool, "the type must be boolean");
    v->constant = new_constant(p);
    v->constant->values[0] = nir_const_value_for_uint(value, 1);
    if (v->spec)
        specialize(p, v);
}

static void define_number(struct spv *p, struct spv_value *v, const struct spv_instr *in)
{
    spv_fail_if(p, !spv_is_number(v->type), "the type must be a number");
    spv_fail_if(p, in->count != 3 + v->type->width / 32,
                "the width of the literal does not match its type");
    uint64_t value = in->w[3];
    if (v->type->width == 64)
        value |= (uint64_t)in->w[4] << 32;
    v->constant = new_constant(p);
    v->constant->values[0] = nir_const_value_for_uint(value, v->type->width);
    if (v->spec)
        specialize(p, v);
}

/* ------------------------------------------------------------------------------- composites --- */

/* Returns an operand, which must be a constant. */
static struct spv_value *constant_operand(struct spv *p, uint32_t id)
{
    /* The operands of an instruction in OpSpecConstantOp may be literals instead of ids. */
    spv_fail_if(p, id == 0 || id >= p->bound, "id %u is out of range (bound %u)", id, p->bound);
    struct spv_value *v = spv_id(p, id);
    spv_fail_if(p, v->kind != SPV_CONSTANT, "id %u is not a constant", id);
    return v;
}

static void define_composite(struct spv *p, struct spv_value *v, const struct spv_instr *in)
{
    const struct spv_type *t = v->type;
    spv_fail_if(p, spv_is_scalar(t) || t->opaque || t->unsized, "the type is not a composite");
    spv_fail_if(p, in->count - 3 != t->length, "got %u constituents, expected %u", in->count - 3,
                t->length);
    spv_fail_if(p, t->scalars > SPV_MAX_COPY, "the constant is too large");
    v->constant = new_constant(p);
    if (t->op != SpvOpTypeVector) {
        v->constant->num_elements = t->length;
        v->constant->elements = spv_alloc(p, t->length * sizeof *v->constant->elements + 1);
    }
    for (unsigned i = 0; i < t->length; i++) {
        const struct spv_value *part = constant_operand(p, in->w[3 + i]);
        spv_fail_if(p, !spv_same_type(part->type, spv_part_type(p, t, i)),
                    "constituent %u has the wrong type", i);
        v->spec |= part->spec;
        if (t->op == SpvOpTypeVector)
            v->constant->values[i] = part->constant->values[0];
        else
            v->constant->elements[i] = part->constant;
    }
}

/* ------------------------------------------------------------------------- OpSpecConstantOp --- */

static nir_constant *fold_extract(struct spv *p, const struct spv_instr *in,
                                  const struct spv_type *type)
{
    const struct spv_value *v = constant_operand(p, in->w[4]);
    const struct spv_type *t = v->type;
    nir_constant *c = v->constant;
    for (unsigned i = 5; i < in->count; i++) {
        c = constant_part(p, c, t, in->w[i]);
        t = spv_part_type(p, t, in->w[i]);
    }
    spv_fail_if(p, !spv_same_type(t, type), "the object has the wrong type");
    return c;
}

static nir_constant *insert_part(struct spv *p, const struct spv_instr *in, unsigned at,
                                 nir_constant *into, const struct spv_type *t,
                                 const struct spv_value *part)
{
    if (at == in->count) {
        spv_fail_if(p, !spv_same_type(t, part->type), "the object has the wrong type");
        return part->constant;
    }
    const struct spv_type *inner = spv_part_type(p, t, in->w[at]);
    nir_constant *copy = new_constant(p);
    if (t->op == SpvOpTypeVector) {
        if (!into->is_null_constant)
            *copy = *into;
        copy->values[in->w[at]] =
            insert_part(p, in, at + 1, constant_part(p, into, t, in->w[at]), inner, part)
                ->values[0];
        return copy;
    }
    spv_fail_if(p, t->scalars > SPV_MAX_COPY, "the constant is too large");
    spv_count_work(p, t->length);
    copy->num_elements = t->length;
    copy->elements = spv_alloc(p, t->length * sizeof *copy->elements + 1);
    for (unsigned i = 0; i < t->length; i++)
        copy->elements[i] = constant_part(p, into, t, i);
    copy->elements[in->w[at]] = insert_part(p, in, at + 1, copy->elements[in->w[at]], inner, part);
    return copy;
}

static nir_constant *fold_shuffle(struct spv *p, const struct spv_instr *in,
                                  const struct spv_type *type)
{
    const struct spv_value *a = constant_operand(p, in->w[4]), *b = constant_operand(p, in->w[5]);
    nir_constant *c = new_constant(p);
    spv_fail_if(p,
                type->op != SpvOpTypeVector || a->type->op != SpvOpTypeVector ||
                    b->type->op != SpvOpTypeVector || in->count - 6 != type->length,
                "operands must be vectors");
    spv_fail_if(p,
                !spv_same_type(a->type->element, type->element) ||
                    !spv_same_type(b->type->element, type->element),
                "components have different types");
    for (unsigned i = 0; i < type->length; i++) {
        uint32_t from = in->w[6 + i];
        if (from == UINT32_MAX)
            continue;
        spv_fail_if(p, from >= a->type->length + b->type->length, "component %u does not exist",
                    from);
        c->values[i] = from < a->type->length ? a->constant->values[from]
                                              : b->constant->values[from - a->type->length];
    }
    return c;
}

static nir_constant *fold_values(struct spv *p, const struct spv_instr *in,
                                 const struct spv_type *type)
{
    const struct spv_value *operands[4];
    unsigned n = in->count - 4;
    spv_fail_if(p, n > ARRAY_SIZE(operands), "has too many operands");
    for (unsigned i = 0; i < n; i++)
        operands[i] = constant_operand(p, in->w[4 + i]);
    nir_constant *c = spv_fold_alu(p, in->w[3], type, operands, n);
    spv_fail_if(p, !c, "%s is not allowed in a constant expression", spv_op_name(in->w[3]));
    return c;
}

static nir_constant *fold(struct spv *p, const struct spv_instr *in, const struct spv_type *type)
{
    switch (in->w[3]) {
    case SpvOpCompositeExtract:
        return fold_extract(p, in, type);
    case SpvOpCompositeInsert: {
        const struct spv_value *into = constant_operand(p, in->w[5]);
        spv_fail_if(p, !spv_same_type(into->type, type), "the composite has the wrong type");
        return insert_part(p, in, 6, into->constant, type, constant_operand(p, in->w[4]));
    }
    case SpvOpVectorShuffle:
        return fold_shuffle(p, in, type);
    default:
        return fold_values(p, in, type);
    }
}

void spv_define_constant(struct spv *p, const struct spv_instr *in)
{
    const struct spv_type *type = spv_type(p, in->w[1]);
    spv_fail_if(p, !type->plain || type->op == SpvOpTypePointer || type->opaque,
                "the type has no values");
    struct spv_value *v = spv_define(p, in->w[2], SPV_NOTHING);
    v->type = type;
    v->spec = in->op >= SpvOpSpecConstantTrue && in->op <= SpvOpSpecConstantOp;
    switch (in->op) {
    case SpvOpConstantTrue:
    case SpvOpSpecConstantTrue:
        define_bool(p, v, true);
        break;
    case SpvOpConstantFalse:
    case SpvOpSpecConstantFalse:
        define_bool(p, v, false);
        break;
    case SpvOpConstant:
    case SpvOpSpecConstant:
        define_number(p, v, in);
        break;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite:
        define_composite(p, v, in);
        break;
    case SpvOpConstantNull:
    case SpvOpUndef: /* any value will do for an undefined global */
        spv_fail_if(p, type->unsized, "the type has no size");
        v->constant = null_constant(p);
        break;
    case SpvOpSpecConstantOp:
        v->constant = fold(p, in, type);
        break;
    default:
        spv_fail(p, "is not supported");
    }
    v->kind = SPV_CONSTANT;
    if (spv_decoration_value(v, -1, SpvDecorationBuiltIn, UINT32_MAX) == SpvBuiltInWorkgroupSize) {
        spv_fail_if(p,
                    type->op != SpvOpTypeVector || type->length != 3 || type->element->width != 32,
                    "WorkgroupSize must be a vector of three 32-bit integers");
        p->workgroup_size = v;
    }
}
