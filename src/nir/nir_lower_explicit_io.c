/* SPDX-License-Identifier: MIT */
/*
 * Lowers derefs of uniform blocks, storage blocks and shared variables to accesses by byte offset.
 *
 * The types carry the layout: field offsets and strides of arrays and matrices. Missing values
 * follow std140 or std430 by the block's packing (GL 4.6 §7.6.2.2), or std430 for shared variables.
 * A block variable has the interface type, or an array type of it. For a block without an instance
 * name, the variable is one of its members, found by name in interface_type. data.binding is the
 * block index; element i of an array of blocks has the index binding + i.
 */
#include "nir.h"

#include "nir_builder.h"

struct state {
    nir_variable_mode modes;
};

struct access {
    nir_variable *var;
    nir_def *block;  /* block index */
    nir_def *offset; /* bytes, 32 bits; NULL: 0 */
    unsigned const_offset;
    unsigned align; /* alignment of the variable part of the offset */
    bool row_major, std140;
    unsigned component_stride; /* bytes */
    unsigned access;           /* qualifiers of the variable and of all members on the path */
    const struct glsl_type *type;
};

static unsigned size_of(const struct access *a, const struct glsl_type *type)
{
    return a->std140 ? glsl_std140_size(type, a->row_major) : glsl_std430_size(type, a->row_major);
}

static unsigned align_of(const struct access *a, const struct glsl_type *type)
{
    return a->std140 ? glsl_std140_align(type, a->row_major)
                     : glsl_std430_align(type, a->row_major);
}

static bool field_row_major(const struct access *a, const struct glsl_struct_field *f)
{
    return f->matrix_layout ? f->matrix_layout == 2 : a->row_major;
}

static void add_index(nir_builder *b, struct access *a, nir_def *index, unsigned stride)
{
    nir_src src = nir_src_for_ssa(index);
    if (nir_src_is_const(src)) {
        a->const_offset += (unsigned)nir_src_as_uint(src) * stride;
        return;
    }
    nir_def *scaled = nir_imul_imm(b, nir_u2uN(b, index, 32), stride);
    a->offset = a->offset ? nir_iadd(b, a->offset, scaled) : scaled;
    a->align = MIN2(a->align, stride & -stride);
}

static unsigned field_access(const struct glsl_struct_field *f)
{
    return (f->readonly ? ACCESS_NON_WRITEABLE : 0) | (f->writeonly ? ACCESS_NON_READABLE : 0) |
           (f->coherent ? ACCESS_COHERENT : 0) | (f->is_volatile ? ACCESS_VOLATILE : 0) |
           (f->restrict_flag ? ACCESS_RESTRICT : 0);
}

static unsigned field_offset(struct access *a, const struct glsl_type *type, unsigned field)
{
    unsigned offset = 0;
    if (type->fields[field].offset >= 0)
        return type->fields[field].offset;
    bool outer = a->row_major;
    for (unsigned i = 0; i <= field; i++) {
        a->row_major = field_row_major(a, &type->fields[i]);
        offset = ALIGN_POT(offset, align_of(a, type->fields[i].type));
        if (i < field)
            offset += size_of(a, type->fields[i].type);
        a->row_major = outer;
    }
    return offset;
}

static unsigned matrix_stride(const struct access *a, const struct glsl_type *type)
{
    return type->explicit_stride ? type->explicit_stride : align_of(a, type);
}

static unsigned scalar_size(const struct glsl_type *type)
{
    return glsl_type_is_64bit(type) ? 8 : glsl_type_is_16bit(type) ? 2 : 4;
}

static void add_step(nir_builder *b, struct access *a, nir_deref_instr *parent,
                     nir_deref_instr *step)
{
    const struct glsl_type *type = parent->type;
    if (step->deref_type == nir_deref_type_struct) {
        a->const_offset += field_offset(a, type, step->strct.index);
        a->row_major = field_row_major(a, &type->fields[step->strct.index]);
        a->access |= field_access(&type->fields[step->strct.index]);
    } else if (glsl_type_is_array(type)) {
        unsigned stride = type->explicit_stride
                              ? type->explicit_stride
                              : ALIGN_POT(size_of(a, type->element), align_of(a, type));
        add_index(b, a, step->arr.index.ssa, stride);
    } else if (glsl_type_is_matrix(type)) {
        bool row_major = type->row_major || a->row_major;
        unsigned stride = matrix_stride(a, type);
        a->component_stride = row_major ? stride : scalar_size(type);
        add_index(b, a, step->arr.index.ssa, row_major ? scalar_size(type) : stride);
    } else { /* component of a vector */
        add_index(b, a, step->arr.index.ssa,
                  a->component_stride ? a->component_stride : scalar_size(type));
    }
}

/* Computes the block index from the array steps before the interface type. */
static nir_deref_instr **block_index(nir_builder *b, struct access *a, nir_deref_instr **step)
{
    const struct glsl_type *type = a->var->type;
    a->block = NULL;
    bool is_array = glsl_type_is_interface(glsl_without_array(type));
    for (; is_array && *step && glsl_type_is_array(type); step++, type = type->element) {
        unsigned each = glsl_aoa_size(type->element);
        nir_def *index =
            nir_umin_imm(b, nir_u2uN(b, (*step)->arr.index.ssa, 32), MAX2(type->length, 1) - 1);
        index = nir_imul_imm(b, index, each);
        a->block = a->block ? nir_iadd(b, a->block, index) : index;
    }
    a->block = a->block ? nir_iadd_imm(b, a->block, a->var->data.binding)
                        : nir_imm_int(b, a->var->data.binding);
    return step;
}

static struct access get_access(nir_builder *b, nir_deref_instr *deref)
{
    nir_deref_path path;
    nir_deref_path_init(&path, deref, NULL);
    nir_variable *var = path.path[0]->var;
    const struct glsl_type *interface = var->interface_type
                                            ? glsl_without_array(var->interface_type)
                                            : glsl_without_array(var->type);
    struct access a = {.var = var, .align = 16, .type = deref->type, .access = var->data.access};
    nir_deref_instr **step = &path.path[1];
    if (var->data.mode == nir_var_mem_shared) {
        a.const_offset = var->data.driver_location;
    } else {
        a.std140 = glsl_packing_is_std140(interface->packing);
        a.row_major = interface->row_major;
        step = block_index(b, &a, step);
        if (!glsl_type_is_interface(glsl_without_array(var->type)) && var->name) {
            int field = glsl_field_index(interface, var->name);
            if (field >= 0) {
                a.const_offset += field_offset(&a, interface, field);
                a.row_major = field_row_major(&a, &interface->fields[field]);
            }
        }
    }
    for (; *step; step++)
        add_step(b, &a, step[-1], *step);
    nir_deref_path_finish(&path);
    if (!a.component_stride)
        a.component_stride = scalar_size(deref->type);
    return a;
}

static nir_def *byte_offset(nir_builder *b, const struct access *a, unsigned extra)
{
    if (!a->offset)
        return nir_imm_int(b, a->const_offset + extra);
    return nir_iadd_imm(b, a->offset, a->const_offset + extra);
}

struct alignment {
    unsigned mul, offset;
};

static struct alignment alignment(const struct access *a, unsigned extra)
{
    unsigned mul = a->offset ? a->align : 256;
    return (struct alignment){mul, (a->const_offset + extra) & (mul - 1)};
}

static nir_def *load_at(nir_builder *b, const struct access *a, unsigned n, unsigned size,
                        unsigned extra, unsigned access)
{
    struct alignment al = alignment(a, extra);
    nir_def *offset = byte_offset(b, a, extra);
    switch (a->var->data.mode) {
    case nir_var_mem_ubo:
        return nir_load_ubo(b, n, size, a->block, offset, .access = access, .align_mul = al.mul,
                            .align_offset = al.offset);
    case nir_var_mem_ssbo:
        return nir_load_ssbo(b, n, size, a->block, offset, .access = access, .align_mul = al.mul,
                             .align_offset = al.offset);
    default:
        return nir_load_shared(b, n, size, offset, .align_mul = al.mul, .align_offset = al.offset);
    }
}

static void store_at(nir_builder *b, const struct access *a, nir_def *value, unsigned mask,
                     unsigned extra, unsigned access)
{
    struct alignment al = alignment(a, extra);
    nir_def *offset = byte_offset(b, a, extra);
    if (a->var->data.mode == nir_var_mem_ssbo)
        nir_store_ssbo(b, value, a->block, offset, .write_mask = mask, .access = access,
                       .align_mul = al.mul, .align_offset = al.offset);
    else
        nir_store_shared(b, value, offset, .write_mask = mask, .align_mul = al.mul,
                         .align_offset = al.offset);
}

static void lower_load(nir_builder *b, nir_intrinsic_instr *intr, const struct access *a)
{
    unsigned n = a->type->vector_elements, size = scalar_size(a->type) * 8;
    unsigned access = nir_intrinsic_access(intr) | a->access;
    nir_def *value;
    if (n == 1 || a->component_stride == size / 8) {
        value = load_at(b, a, n, size, 0, access);
    } else {
        nir_def *comps[NIR_MAX_VEC_COMPONENTS];
        for (unsigned c = 0; c < n; c++)
            comps[c] = load_at(b, a, 1, size, c * a->component_stride, access);
        value = nir_vec(b, comps, n);
    }
    if (intr->def.bit_size == 1)
        value = nir_ine_imm(b, value, 0);
    nir_def_replace(&intr->def, value);
}

static void lower_store(nir_builder *b, nir_intrinsic_instr *intr, const struct access *a)
{
    nir_def *value = intr->src[1].ssa;
    unsigned mask = nir_intrinsic_write_mask(intr);
    unsigned access = nir_intrinsic_access(intr) | a->access;
    if (value->bit_size == 1)
        value = nir_b2i32(b, value);
    if (value->num_components == 1 || a->component_stride == value->bit_size / 8) {
        if (mask)
            store_at(b, a, value, mask, 0, access);
    } else {
        for (unsigned c = 0; c < value->num_components; c++) {
            if (mask & (1u << c))
                store_at(b, a, nir_channel(b, value, c), 1, c * a->component_stride, access);
        }
    }
    nir_instr_remove(&intr->instr);
}

static void lower_atomic(nir_builder *b, nir_intrinsic_instr *intr, const struct access *a)
{
    nir_atomic_op op = nir_intrinsic_atomic_op(intr);
    bool swap = intr->intrinsic == nir_intrinsic_deref_atomic_swap;
    unsigned size = intr->def.bit_size;
    nir_def *offset = byte_offset(b, a, 0), *result;
    nir_def *data = intr->src[1].ssa, *data2 = swap ? intr->src[2].ssa : NULL;
    if (a->var->data.mode == nir_var_mem_ssbo)
        result = swap ? nir_ssbo_atomic_swap(b, size, a->block, offset, data, data2,
                                             .access = a->access, .atomic_op = op)
                      : nir_ssbo_atomic(b, size, a->block, offset, data, .access = a->access,
                                        .atomic_op = op);
    else
        result = swap ? nir_shared_atomic_swap(b, size, offset, data, data2, .atomic_op = op)
                      : nir_shared_atomic(b, size, offset, data, .atomic_op = op);
    nir_def_replace(&intr->def, result);
}

/* (buffer size - offset of the array) / stride, GLSL 4.60 §4.1.9. */
static void lower_array_length(nir_builder *b, nir_intrinsic_instr *intr, const struct access *a)
{
    const struct glsl_type *type = a->type;
    unsigned stride = type->explicit_stride
                          ? type->explicit_stride
                          : ALIGN_POT(size_of(a, type->element), align_of(a, type));
    nir_def *size = nir_get_ssbo_size(b, a->block);
    nir_def *start = nir_umin(b, byte_offset(b, a, 0), size);
    nir_def_replace(&intr->def, nir_udiv_imm(b, nir_isub(b, size, start), MAX2(stride, 1)));
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct state *s = data;
    switch (intr->intrinsic) {
    case nir_intrinsic_load_deref:
    case nir_intrinsic_store_deref:
    case nir_intrinsic_deref_atomic:
    case nir_intrinsic_deref_atomic_swap:
    case nir_intrinsic_deref_buffer_array_length:
        break;
    default:
        return false;
    }
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var || !(var->data.mode & s->modes))
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    struct access a = get_access(b, deref);
    if (intr->intrinsic == nir_intrinsic_load_deref)
        lower_load(b, intr, &a);
    else if (intr->intrinsic == nir_intrinsic_store_deref)
        lower_store(b, intr, &a);
    else if (intr->intrinsic == nir_intrinsic_deref_buffer_array_length)
        lower_array_length(b, intr, &a);
    else
        lower_atomic(b, intr, &a);
    nir_deref_instr_remove_if_unused(deref);
    return true;
}

static void lay_out_shared(nir_shader *shader)
{
    unsigned offset = 0;
    nir_foreach_variable_with_modes (var, shader, nir_var_mem_shared) {
        offset = ALIGN_POT(offset, glsl_std430_align(var->type, false));
        var->data.driver_location = offset;
        offset += glsl_std430_size(var->type, false);
    }
    if (shader->info.stage == SHADER_COMPUTE)
        shader->info.cs.shared_size = MAX2(shader->info.cs.shared_size, offset);
}

bool nir_lower_explicit_io(nir_shader *shader, nir_variable_mode modes)
{
    struct state s = {.modes = modes & (nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_shared)};
    if (s.modes & nir_var_mem_shared)
        lay_out_shared(shader);
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, &s);
}
