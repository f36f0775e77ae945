/* SPDX-License-Identifier: MIT */
/*
 * Types (SPIR-V §3.32.6). Each becomes two glsl_types: one without layout, for values and private
 * variables, and one with the layout of Offset, ArrayStride, MatrixStride and RowMajor, for
 * buffers. A type only refers to types defined before it, so no type contains itself.
 */
#include "spirv/spirv_private.h"

/* ------------------------------------------------------------------------------- questions --- */

bool spv_is_number(const struct spv_type *t)
{
    return t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat;
}

bool spv_is_scalar(const struct spv_type *t)
{
    return spv_is_number(t) || t->op == SpvOpTypeBool;
}

bool spv_is_vector(const struct spv_type *t)
{
    return spv_is_scalar(t) || t->op == SpvOpTypeVector;
}

bool spv_is_matrix(const struct spv_type *t)
{
    return t->op == SpvOpTypeMatrix;
}

bool spv_is_aggregate(const struct spv_type *t)
{
    return t->op == SpvOpTypeArray || t->op == SpvOpTypeStruct || t->op == SpvOpTypeRuntimeArray;
}

const struct spv_type *spv_scalar_of(const struct spv_type *t)
{
    while (t->op == SpvOpTypeVector || t->op == SpvOpTypeMatrix)
        t = t->element;
    return t;
}

unsigned spv_components(const struct spv_type *t)
{
    return t->op == SpvOpTypeVector ? t->length : 1;
}

unsigned spv_bits(const struct spv_type *t)
{
    const struct spv_type *s = spv_scalar_of(t);
    return s->op == SpvOpTypeBool ? 1 : s->width;
}

bool spv_same_type(const struct spv_type *a, const struct spv_type *b)
{
    if (a == b)
        return true;
    if (a->op != b->op || a->width != b->width || a->is_signed != b->is_signed ||
        a->length != b->length || a->nodes != b->nodes)
        return false;
    switch (a->op) {
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeVoid:
        return true;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        return spv_same_type(a->element, b->element);
    case SpvOpTypeStruct:
        for (unsigned i = 0; i < a->length; i++) {
            if (!spv_same_type(a->members[i], b->members[i]))
                return false;
        }
        return true;
    default:
        return false;
    }
}

const struct spv_type *spv_part_type(struct spv *p, const struct spv_type *t, unsigned i)
{
    spv_fail_if(p, !spv_is_aggregate(t) && t->op != SpvOpTypeVector && t->op != SpvOpTypeMatrix,
                "an index is applied to a type without elements");
    spv_fail_if(p, i >= t->length && t->op != SpvOpTypeRuntimeArray,
                "index %u is out of range (size %u)", i, t->length);
    return t->op == SpvOpTypeStruct ? t->members[i] : t->element;
}

const struct spv_type *spv_type(struct spv *p, uint32_t id)
{
    const struct spv_value *v = spv_id(p, id);
    spv_fail_if(p, v->kind != SPV_TYPE, "id %u is not a type that has been defined", id);
    return v->type;
}

/* --------------------------------------------------------------------- scalars, vectors --- */

static void define_int(struct spv *p, struct spv_type *t, const struct spv_instr *in)
{
    t->width = MIN2(in->w[2], 255);
    t->is_signed = in->w[3];
    spv_fail_if(p, in->w[2] != 32 && in->w[2] != 64, "numbers of %u bits are not supported",
                in->w[2]);
    spv_fail_if(p, in->w[3] > 1, "signedness must be 0 or 1, not %u", in->w[3]);
    spv_fail_if(p, t->width == 64 && !p->capabilities[SpvCapabilityInt64],
                "64-bit integers require the capability Int64");
    static const enum glsl_base_type bases[2][2] = {{GLSL_TYPE_UINT, GLSL_TYPE_INT},
                                                    {GLSL_TYPE_UINT64, GLSL_TYPE_INT64}};
    t->plain = glsl_simple_type(bases[t->width == 64][t->is_signed], 1, 1);
}

static void define_float(struct spv *p, struct spv_type *t, const struct spv_instr *in)
{
    t->width = MIN2(in->w[2], 255);
    spv_fail_if(p, in->w[2] != 32 && in->w[2] != 64, "numbers of %u bits are not supported",
                in->w[2]);
    spv_fail_if(p, t->width == 64 && !p->capabilities[SpvCapabilityFloat64],
                "64-bit floats require the capability Float64");
    t->plain = glsl_simple_type(t->width == 64 ? GLSL_TYPE_DOUBLE : GLSL_TYPE_FLOAT, 1, 1);
}

static void define_vector(struct spv *p, struct spv_type *t, const struct spv_instr *in)
{
    t->element = spv_type(p, in->w[2]);
    t->length = in->w[3];
    spv_fail_if(p, !spv_is_scalar(t->element), "components must be scalars");
    spv_fail_if(p, t->length < 2 || t->length > 4, "vectors of %u components are not supported",
                t->length);
    t->plain = glsl_simple_type(t->element->plain->base_type, t->length, 1);
    t->scalars = t->length;
}

static void define_matrix(struct spv *p, struct spv_type *t, const struct spv_instr *in)
{
    t->element = spv_type(p, in->w[2]);
    t->length = in->w[3];
    spv_fail_if(p, t->element->op != SpvOpTypeVector || t->element->element->op != SpvOpTypeFloat,
                "columns must be vectors of floats");
    spv_fail_if(p, t->length < 2 || t->length > 4, "matrices of %u columns are not supported",
                t->length);
    t->plain = glsl_simple_type(t->element->plain->base_type, t->element->length, t->length);
    t->scalars = t->length * t->element->length;
}

/* ---------------------------------------------------------------------------------- images --- */

static void define_image(struct spv *p, struct spv_type *t, const struct spv_instr *in)
{
    static const int dims[] = {
        [SpvDim1D] = GLSL_SAMPLER_DIM_1D,     [SpvDim2D] = GLSL_SAMPLER_DIM_2D,
        [SpvDim3D] = GLSL_SAMPLER_DIM_3D,     [SpvDimCube] = GLSL_SAMPLER_DIM_CUBE,
        [SpvDimRect] = GLSL_SAMPLER_DIM_RECT, [SpvDimBuffer] = GLSL_SAMPLER_DIM_BUF,
    };
    const struct spv_type *sampled = spv_type(p, in->w[2]);
    spv_fail_if(p, !spv_is_number(sampled) || sampled->width != 32,
                "the sampled type must be a 32-bit number");
    spv_fail_if(p, in->w[3] >= ARRAY_SIZE(dims), "dimension %u is not supported", in->w[3]);
    spv_fail_if(p, in->w[4] > 2 || in->w[5] > 1 || in->w[6] > 1 || in->w[7] < 1 || in->w[7] > 2,
                "an operand of the image type is out of range");
    t->element = sampled;
    t->image.dim = in->w[3];
    t->image.depth = in->w[4] == 1;
    t->image.arrayed = in->w[5];
    t->image.multisampled = in->w[6];
    t->image.sampled = in->w[7];
    t->image.format = in->w[8];
    t->image.base = sampled->plain->base_type;
    spv_fail_if(p, t->image.multisampled && t->image.dim != SpvDim2D,
                "only 2D images can be multisampled");
    int dim = t->image.multisampled ? GLSL_SAMPLER_DIM_MS : dims[t->image.dim];
    t->plain = t->image.sampled == 2
                   ? glsl_image_type(dim, t->image.arrayed, t->image.base)
                   : glsl_sampler_type(dim,
                                       t->image.depth && dim != GLSL_SAMPLER_DIM_BUF &&
                                           t->image.base == GLSL_TYPE_FLOAT &&
                                           dim != GLSL_SAMPLER_DIM_MS && dim != GLSL_SAMPLER_DIM_3D,
                                       t->image.arrayed, t->image.base);
    spv_fail_if(p, !t->plain, "this image type is not supported");
    t->opaque = true;
}

static void define_sampled_image(struct spv *p, struct spv_type *t, const struct spv_instr *in)
{
    t->element = spv_type(p, in->w[2]);
    spv_fail_if(p, t->element->op != SpvOpTypeImage || t->element->image.sampled != 1,
                "the image must be a sampled image");
    t->image = t->element->image;
    t->plain = t->element->plain;
    t->opaque = true;
}

/* ------------------------------------------------------------------------------ aggregates --- */

static uint64_t saturate(uint64_t x)
{
    return MIN2(x, UINT32_MAX);
}

/* Checks that a type may be part of an aggregate. */
static void check_part(struct spv *p, const struct spv_type *part)
{
    spv_fail_if(p, !part->plain || part->op == SpvOpTypePointer,
                "an element has a type without values");
}

static void check_growth(struct spv *p, const struct spv_type *t)
{
    spv_fail_if(p, t->depth > SPV_MAX_TYPE_DEPTH, "the type has more than %d levels of nesting",
                SPV_MAX_TYPE_DEPTH);
    spv_fail_if(p, t->nodes > SPV_MAX_TYPE_NODES, "the type has too many members");
}

static void define_array(struct spv *p, struct spv_type *t, const struct spv_instr *in,
                         const struct spv_value *v)
{
    t->element = spv_type(p, in->w[2]);
    check_part(p, t->element);
    t->unsized = t->op == SpvOpTypeRuntimeArray || t->element->unsized;
    spv_fail_if(p,
                t->element->op == SpvOpTypeRuntimeArray ||
                    (t->op == SpvOpTypeRuntimeArray && t->element->unsized),
                "array elements must have a size");
    if (t->op == SpvOpTypeArray) {
        t->length = spv_constant_u32(p, in->w[3]);
        spv_fail_if(p, t->length == 0 || t->length > INT32_MAX,
                    "an array of %d elements is not allowed", (int)t->length);
    }
    t->opaque = t->element->opaque;
    t->depth = t->element->depth + 1;
    t->nodes = t->element->nodes + 1;
    t->scalars = saturate(t->element->scalars * MAX2(t->length, 1));
    check_growth(p, t);
    t->stride = spv_decoration_value(v, -1, SpvDecorationArrayStride, 0);
    spv_fail_if(p, t->stride > SPV_MAX_BYTES || t->stride % 4, "invalid ArrayStride %u", t->stride);
    t->plain = glsl_array_type(p->mem, t->element->plain, t->length, 0);
    t->layout =
        t->stride ? glsl_array_type(p->mem, t->element->layout, t->length, t->stride) : t->plain;
    if (t->stride)
        t->size = saturate((uint64_t)t->stride * t->length);
}

/* Returns a member's type with MatrixStride and majorness applied to the matrices in it. */
static const struct glsl_type *with_matrix_layout(struct spv *p, const struct glsl_type *t,
                                                  unsigned stride, bool row_major)
{
    if (glsl_type_is_array(t))
        return glsl_array_type(p->mem, with_matrix_layout(p, t->element, stride, row_major),
                               t->length, t->explicit_stride);
    return glsl_type_is_matrix(t) ? glsl_explicit_matrix_type(p->mem, t, stride, row_major) : t;
}

static const struct spv_type *without_array(const struct spv_type *t)
{
    while (t->op == SpvOpTypeArray || t->op == SpvOpTypeRuntimeArray)
        t = t->element;
    return t;
}

/* Returns the size in bytes of a block member. */
static uint64_t member_size(const struct spv_type *t, unsigned matrix_stride, bool row_major)
{
    if (t->op == SpvOpTypeArray || t->op == SpvOpTypeRuntimeArray)
        return t->size;
    if (spv_is_matrix(t))
        return (uint64_t)matrix_stride * (row_major ? t->element->length : t->length);
    return spv_is_vector(t) ? (uint64_t)spv_components(t) * MAX2(spv_bits(t) / 8, 4) : t->size;
}

static void lay_out_member(struct spv *p, struct spv_type *t, const struct spv_value *v, unsigned i,
                           struct glsl_struct_field *field)
{
    const struct spv_type *m = t->members[i];
    uint32_t offset = spv_decoration_value(v, i, SpvDecorationOffset, UINT32_MAX);
    field->offset = -1;
    if (offset == UINT32_MAX)
        return;
    spv_fail_if(p, offset > SPV_MAX_BYTES || offset % 4, "invalid Offset %u", offset);
    field->offset = (int)offset;
    field->explicit_offset = true;
    uint32_t stride = 0;
    if (spv_is_matrix(without_array(m))) {
        stride = spv_decoration_value(v, i, SpvDecorationMatrixStride, 0);
        spv_fail_if(p, stride > SPV_MAX_BYTES || stride % 4, "invalid MatrixStride %u", stride);
        field->row_major = spv_has_decoration(v, i, SpvDecorationRowMajor);
        field->matrix_layout = field->row_major ? 2 : 1;
        if (stride)
            field->type = with_matrix_layout(p, m->layout, stride, field->row_major);
    }
    t->size = MAX2(t->size, saturate(offset + member_size(m, stride, field->row_major)));
}

static void set_access(struct glsl_struct_field *field, const struct spv_value *v, unsigned i)
{
    field->readonly = spv_has_decoration(v, i, SpvDecorationNonWritable);
    field->writeonly = spv_has_decoration(v, i, SpvDecorationNonReadable);
    field->coherent = spv_has_decoration(v, i, SpvDecorationCoherent);
    field->is_volatile = spv_has_decoration(v, i, SpvDecorationVolatile);
    field->restrict_flag = spv_has_decoration(v, i, SpvDecorationRestrict);
}

static void define_struct(struct spv *p, struct spv_type *t, const struct spv_instr *in,
                          struct spv_value *v)
{
    t->length = in->count - 2;
    t->members = spv_alloc(p, (t->length + 1) * sizeof *t->members);
    t->depth = 1;
    t->scalars = 0;
    spv_sort_decorations(p, v, t->length);
    struct glsl_struct_field *plain = spv_alloc(p, (t->length + 1) * sizeof *plain);
    struct glsl_struct_field *laid = spv_alloc(p, (t->length + 1) * sizeof *laid);
    t->block = spv_has_decoration(v, -1, SpvDecorationBlock);
    t->buffer_block = spv_has_decoration(v, -1, SpvDecorationBufferBlock);
    for (unsigned i = 0; i < t->length; i++) {
        const struct spv_type *m = t->members[i] = spv_type(p, in->w[2 + i]);
        check_part(p, m);
        spv_fail_if(p, m->unsized && (m->op != SpvOpTypeRuntimeArray || i + 1 < t->length),
                    "only the last member may be an array without a size");
        t->depth = MAX2(t->depth, m->depth + 1);
        t->nodes = MIN2(t->nodes + m->nodes, UINT32_MAX / 2);
        t->scalars = saturate(t->scalars + m->scalars);
        t->opaque |= m->opaque;
        t->unsized |= m->unsized;
        t->builtin_block |= spv_has_decoration(v, i, SpvDecorationBuiltIn);
        check_growth(p, t);
        plain[i].name = talloc_asprintf(p->mem, "m%u", i);
        plain[i].location = plain[i].component = plain[i].offset = -1;
        laid[i] = plain[i];
        plain[i].type = m->plain;
        laid[i].type = m->layout;
        lay_out_member(p, t, v, i, &laid[i]);
        set_access(&laid[i], v, i);
    }
    t->scalars = MAX2(t->scalars, 1); /* an empty struct counts, too: arrays of it have a size */
    /* all structs share a name, because interfaces are not matched by name */
    const char *name = "struct";
    t->plain = glsl_struct_type(p->mem, plain, t->length, name);
    if (t->block || t->buffer_block)
        t->layout = glsl_interface_type(p->mem, laid, t->length, GLSL_PACKING_NONE, false, name);
    else
        t->layout = glsl_struct_type(p->mem, laid, t->length, name);
}

/* -------------------------------------------------------------------------------- the rest --- */

static void define_function_type(struct spv *p, struct spv_type *t, const struct spv_instr *in)
{
    t->element = spv_type(p, in->w[2]);
    t->length = in->count - 3;
    t->members = spv_alloc(p, (t->length + 1) * sizeof *t->members);
    for (unsigned i = 0; i < t->length; i++) {
        t->members[i] = spv_type(p, in->w[3 + i]);
        spv_fail_if(p, !t->members[i]->plain, "parameter %u has a type without values", i);
    }
}

static void define_pointer(struct spv *p, struct spv_type *t, const struct spv_instr *in)
{
    t->storage = in->w[2];
    t->element = spv_type(p, in->w[3]);
    spv_fail_if(p, t->element->op == SpvOpTypePointer || t->element->op == SpvOpTypeFunction,
                "pointers to pointers or functions are not supported");
    t->plain = t->element->plain; /* type of the variable for a parameter */
    t->depth = t->element->depth;
    t->nodes = t->element->nodes;
}

void spv_define_type(struct spv *p, const struct spv_instr *in)
{
    struct spv_type *t = spv_alloc(p, sizeof *t);
    struct spv_value *v = spv_define(p, in->w[1], SPV_NOTHING);
    *t = (struct spv_type){.op = in->op, .id = in->w[1], .nodes = 1, .scalars = 1};
    switch (in->op) {
    case SpvOpTypeVoid:
        break;
    case SpvOpTypeBool:
        t->plain = glsl_bool_type();
        break;
    case SpvOpTypeInt:
        define_int(p, t, in);
        break;
    case SpvOpTypeFloat:
        define_float(p, t, in);
        break;
    case SpvOpTypeVector:
        define_vector(p, t, in);
        break;
    case SpvOpTypeMatrix:
        define_matrix(p, t, in);
        break;
    case SpvOpTypeImage:
        define_image(p, t, in);
        break;
    case SpvOpTypeSampledImage:
        define_sampled_image(p, t, in);
        break;
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        define_array(p, t, in, v);
        break;
    case SpvOpTypeStruct:
        define_struct(p, t, in, v);
        break;
    case SpvOpTypeFunction:
        define_function_type(p, t, in);
        break;
    case SpvOpTypePointer:
        define_pointer(p, t, in);
        break;
    default:
        spv_fail(p, "is not supported");
    }
    if (!t->layout)
        t->layout = t->plain;
    v->kind = SPV_TYPE;
    v->type = t;
}
