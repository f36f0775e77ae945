/* SPDX-License-Identifier: MIT */
/* Composites (SPIR-V §3.32.12). Values are immutable, so an instruction that changes an aggregate
 * copies it. */
#include "spirv/spirv_private.h"

#include "util/check.h"

static nir_deref_instr *part_deref(struct spv *p, nir_deref_instr *deref, const struct spv_type *t,
                                   unsigned i)
{
    return t->op == SpvOpTypeStruct ? nir_build_deref_struct(&p->b, deref, i)
                                    : nir_build_deref_array_imm(&p->b, deref, i);
}

/* Follows the literal indices from *at on into an aggregate, down to a type that is not one. Sets
 * *at to the first index not used and *type to the type reached. */
static nir_deref_instr *walk(struct spv *p, const struct spv_instr *in, const struct spv_ssa *v,
                             unsigned *at, const struct spv_type **type)
{
    nir_deref_instr *deref = spv_aggregate_deref(p, v);
    const struct spv_type *t = v->type;
    while (*at < in->count && spv_is_aggregate(t)) {
        const struct spv_type *part = spv_part_type(p, t, in->w[*at]);
        deref = part_deref(p, deref, t, in->w[(*at)++]);
        t = part;
    }
    *type = t;
    return deref;
}

/* Extracts a column or component of a matrix or vector. */
static struct spv_ssa extract_number(struct spv *p, const struct spv_instr *in, unsigned at,
                                     struct spv_ssa v)
{
    for (; at < in->count; at++) {
        uint32_t i = in->w[at];
        const struct spv_type *part = spv_part_type(p, v.type, i);
        v.c[0] = spv_is_matrix(v.type) ? v.c[i] : nir_channel(&p->b, v.c[0], i);
        v.n = 1;
        v.type = part;
    }
    return v;
}

static void emit_extract(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa v = spv_use(p, in->w[3]);
    unsigned at = 4;
    if (spv_is_aggregate(v.type)) {
        const struct spv_type *t;
        nir_deref_instr *deref = walk(p, in, &v, &at, &t);
        v = spv_load_part(p, deref, t);
    }
    spv_set(p, in, extract_number(p, in, at, v));
}

static struct spv_ssa insert_number(struct spv *p, const struct spv_instr *in, unsigned at,
                                    struct spv_ssa v, const struct spv_ssa *part)
{
    if (at == in->count) {
        spv_fail_if(p, !spv_same_type(v.type, part->type), "the object has the wrong type");
        return *part;
    }
    uint32_t i = in->w[at];
    const struct spv_type *inner = spv_part_type(p, v.type, i);
    if (spv_is_matrix(v.type)) {
        struct spv_ssa column = {.type = inner, .n = 1, .c = {v.c[i]}};
        v.c[i] = insert_number(p, in, at + 1, column, part).c[0];
    } else {
        spv_fail_if(p, !spv_same_type(inner, part->type) || at + 1 != in->count,
                    "the object has the wrong type");
        v.c[0] = nir_vector_insert_imm(&p->b, v.c[0], part->c[0], i);
    }
    return v;
}

/* Returns a copy of an aggregate that may be modified. */
static struct spv_ssa copy_aggregate(struct spv *p, const struct spv_ssa *v)
{
    return spv_load_part(p, spv_aggregate_deref(p, v), v->type);
}

static void emit_insert(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa part = spv_use(p, in->w[3]), v = spv_use(p, in->w[4]);
    unsigned at = 5;
    if (!spv_is_aggregate(v.type)) {
        spv_set(p, in, insert_number(p, in, at, v, &part));
        return;
    }
    const struct spv_type *t;
    v = copy_aggregate(p, &v);
    nir_deref_instr *deref = walk(p, in, &v, &at, &t);
    if (at < in->count)
        part = insert_number(p, in, at, spv_load_part(p, deref, t), &part);
    spv_fail_if(p, !spv_same_type(t, part.type), "the object has the wrong type");
    spv_store_part(p, deref, &part);
    spv_set(p, in, v);
}

/* Builds a vector from parts of any size. */
static void construct_vector(struct spv *p, const struct spv_instr *in, struct spv_ssa *out)
{
    nir_def *comps[4];
    unsigned n = 0;
    for (unsigned i = 3; i < in->count; i++) {
        struct spv_ssa v = spv_use(p, in->w[i]);
        spv_fail_if(
            p, !spv_is_vector(v.type) || !spv_same_type(spv_scalar_of(v.type), out->type->element),
            "constituent %u has the wrong type", i - 3);
        spv_fail_if(p, n + spv_components(v.type) > out->type->length, "too many components");
        for (unsigned k = 0; k < spv_components(v.type); k++)
            NEXT_OF(comps, n) = nir_channel(&p->b, v.c[0], k);
    }
    spv_fail_if(p, n != out->type->length, "too few components");
    out->c[0] = nir_vec(&p->b, comps, n);
    out->n = 1;
}

static void emit_construct(struct spv *p, const struct spv_instr *in)
{
    const struct spv_type *type = spv_type(p, in->w[1]);
    struct spv_ssa out = {.type = type};
    if (type->op == SpvOpTypeVector) {
        construct_vector(p, in, &out);
        spv_set(p, in, out);
        return;
    }
    spv_fail_if(p, !spv_is_aggregate(type) && !spv_is_matrix(type), "the type is not a composite");
    spv_fail_if(p, in->count - 3 != type->length, "got %u constituents, expected %u", in->count - 3,
                type->length);
    if (spv_is_aggregate(type))
        out = spv_temporary(p, type);
    else
        out.n = type->length;
    for (unsigned i = 0; i < type->length; i++) {
        struct spv_ssa v = spv_use(p, in->w[3 + i]);
        spv_fail_if(p, !spv_same_type(v.type, spv_part_type(p, type, i)),
                    "constituent %u has the wrong type", i);
        if (spv_is_matrix(type))
            out.c[i] = v.c[0];
        else
            spv_store_part(p, part_deref(p, spv_aggregate_deref(p, &out), type, i), &v);
    }
    spv_set(p, in, out);
}

static void emit_shuffle(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa a = spv_use(p, in->w[3]), b = spv_use(p, in->w[4]);
    const struct spv_type *type = spv_type(p, in->w[1]);
    spv_fail_if(p,
                type->op != SpvOpTypeVector || a.type->op != SpvOpTypeVector ||
                    b.type->op != SpvOpTypeVector ||
                    !spv_same_type(a.type->element, type->element) ||
                    !spv_same_type(b.type->element, type->element),
                "the types must be vectors with the same component type");
    spv_fail_if(p, in->count - 5 != type->length, "the result must have %u components",
                type->length);
    nir_def *comps[4];
    for (unsigned i = 0; i < type->length; i++) {
        uint32_t from = in->w[5 + i];
        spv_fail_if(p, from != UINT32_MAX && from >= a.type->length + b.type->length,
                    "component %u does not exist", from);
        comps[i] = from == UINT32_MAX      ? nir_imm_zero(&p->b, 1, a.c[0]->bit_size)
                   : from < a.type->length ? nir_channel(&p->b, a.c[0], from)
                                           : nir_channel(&p->b, b.c[0], from - a.type->length);
    }
    struct spv_ssa out = {.type = type, .n = 1, .c = {nir_vec(&p->b, comps, type->length)}};
    spv_set(p, in, out);
}

/* Returns a component index, clamped to the size of the vector. */
static nir_def *component_index(struct spv *p, const struct spv_ssa *v, uint32_t id)
{
    spv_fail_if(p, v->type->op != SpvOpTypeVector, "the operand must be a vector");
    return nir_umin_imm(&p->b, spv_use_int(p, id), v->type->length - 1);
}

bool spv_emit_composite(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa v;
    switch (in->op) {
    case SpvOpCompositeExtract:
        emit_extract(p, in);
        return true;
    case SpvOpCompositeInsert:
        emit_insert(p, in);
        return true;
    case SpvOpCompositeConstruct:
        emit_construct(p, in);
        return true;
    case SpvOpVectorShuffle:
        emit_shuffle(p, in);
        return true;
    case SpvOpVectorExtractDynamic:
        v = spv_use(p, in->w[3]);
        v.c[0] = nir_vector_extract(&p->b, v.c[0], component_index(p, &v, in->w[4]));
        v.type = v.type->element;
        spv_set(p, in, v);
        return true;
    case SpvOpVectorInsertDynamic: {
        struct spv_ssa part = spv_use(p, in->w[4]);
        v = spv_use(p, in->w[3]);
        nir_def *index = component_index(p, &v, in->w[5]);
        spv_fail_if(p, !spv_same_type(part.type, v.type->element), "the object has the wrong type");
        v.c[0] = nir_vector_insert(&p->b, v.c[0], part.c[0], index);
        spv_set(p, in, v);
        return true;
    }
    case SpvOpUndef:
        spv_fail_if(p,
                    !spv_type(p, in->w[1])->plain ||
                        spv_type(p, in->w[1])->op == SpvOpTypePointer ||
                        spv_type(p, in->w[1])->opaque,
                    "the type has no values");
        spv_set(p, in, spv_undefined(p, spv_type(p, in->w[1])));
        return true;
    default:
        return false;
    }
}
