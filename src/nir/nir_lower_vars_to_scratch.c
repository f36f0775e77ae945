/* SPDX-License-Identifier: MIT */
/*
 * Moves the function temporaries that are still accessed by derefs to scratch memory of the
 * invocation, with the layout of the default uniform block. Clamps indices to the variable. Clears
 * variables with zero_first at the start of the function.
 */
#include "nir.h"

#include "nir_builder.h"
#include "nir_private.h"

struct access {
    nir_def *offset;
    unsigned const_offset, align;
};

static void add_index(nir_builder *b, struct access *a, nir_src index, unsigned length,
                      unsigned stride)
{
    length = MAX2(length, 1);
    if (nir_src_is_const(index)) {
        a->const_offset += MIN2(nir_src_as_uint(index), length - 1) * stride;
        return;
    }
    nir_def *i = nir_umin_imm(b, nir_u2uN(b, index.ssa, 32), length - 1);
    i = nir_imul_imm(b, i, stride);
    a->offset = a->offset ? nir_iadd(b, a->offset, i) : i;
}

unsigned nir_packed_field_offset(const struct glsl_type *type, unsigned field)
{
    unsigned offset = 0;
    for (unsigned i = 0; i <= field; i++) {
        offset = ALIGN_POT(offset, glsl_packed_align(type->fields[i].type));
        if (i < field)
            offset += glsl_packed_size(type->fields[i].type);
    }
    return offset;
}

unsigned nir_packed_stride(const struct glsl_type *element)
{
    return ALIGN_POT(glsl_packed_size(element), glsl_packed_align(element));
}

/* Variables don't overlap, so their locations distinguish them. */
static unsigned scratch_var(const nir_variable *var)
{
    return var->data.driver_location + 1;
}

static struct access get_access(nir_builder *b, nir_deref_instr *deref)
{
    nir_deref_path path;
    nir_deref_path_init(&path, deref, NULL);
    struct access a = {.const_offset = path.path[0]->var->data.driver_location,
                       .align = glsl_packed_align(deref->type)};
    for (nir_deref_instr **step = &path.path[1]; *step; step++) {
        const struct glsl_type *type = step[-1]->type;
        if ((*step)->deref_type == nir_deref_type_struct)
            a.const_offset += nir_packed_field_offset(type, (*step)->strct.index);
        else
            add_index(b, &a, (*step)->arr.index, glsl_length_of(type),
                      nir_packed_stride((*step)->type));
    }
    nir_deref_path_finish(&path);
    return a;
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    if (intr->intrinsic != nir_intrinsic_load_deref && intr->intrinsic != nir_intrinsic_store_deref)
        return false;
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var || var->data.mode != nir_var_function_temp)
        return false;

    b->cursor = nir_before_instr(&intr->instr);
    struct access a = get_access(b, deref);
    nir_def *offset = a.offset ? a.offset : nir_imm_int(b, 0);
    if (intr->intrinsic == nir_intrinsic_load_deref) {
        unsigned size = intr->def.bit_size;
        nir_def *value = nir_load_scratch(b, intr->num_components, size == 1 ? 32 : size, offset,
                                          .base = a.const_offset, .scratch_var = scratch_var(var),
                                          .align_mul = a.align);
        nir_def_replace(&intr->def, size == 1 ? nir_ine_imm(b, value, 0) : value);
    } else {
        nir_def *value = intr->src[1].ssa;
        if (value->bit_size == 1)
            value = nir_b2i32(b, value);
        if (nir_intrinsic_write_mask(intr))
            nir_store_scratch(b, value, offset, .base = a.const_offset,
                              .scratch_var = scratch_var(var),
                              .write_mask = nir_intrinsic_write_mask(intr), .align_mul = a.align);
        nir_instr_remove(&intr->instr);
    }
    nir_deref_instr_remove_if_unused(deref);
    return true;
}

/* Clears the memory of a variable before the function's first instruction. */
static void clear_variable(nir_function_impl *impl, const nir_variable *var)
{
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    nir_clear_scratch(&b, nir_imm_int(&b, 0),
                      nir_imm_int(&b, ALIGN_POT(glsl_packed_size(var->type), 4)),
                      .base = (int)var->data.driver_location, .scratch_var = scratch_var(var));
}

/* Limit of the scratch size. Rounding it up to the alignment doesn't overflow. */
#define MAX_SCRATCH (UINT32_MAX - 255)

bool nir_lower_vars_to_scratch(nir_shader *shader)
{
    bool progress = nir_remove_dead_variables(shader, nir_var_function_temp);
    progress |= nir_lower_var_copies(shader);
    progress |= nir_lower_array_deref_of_vec(shader, nir_var_function_temp);
    nir_foreach_function_impl (impl, shader) {
        nir_foreach_function_temp_variable(var, impl)
        {
            uint64_t offset =
                ALIGN_POT((uint64_t)shader->scratch_size, glsl_packed_align(var->type));
            var->data.driver_location = (unsigned)offset;
            /* Drivers refuse shaders whose scratch memory is too large. */
            shader->scratch_size = MIN2(offset + glsl_packed_size(var->type), MAX_SCRATCH);
            if (var->data.zero_first)
                clear_variable(impl, var);
            progress = true;
        }
    }
    progress |= nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
    nir_remove_dead_variables(shader, nir_var_function_temp);
    return progress;
}
