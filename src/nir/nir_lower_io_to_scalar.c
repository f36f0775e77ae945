/* SPDX-License-Identifier: MIT */
/* Loads of inputs and stores of outputs, one component each. */
#include "nir.h"

#include "nir_builder.h"

static nir_variable_mode mode_of(nir_intrinsic_op op)
{
    switch (op) {
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_input_vertex:
    case nir_intrinsic_load_interpolated_input:
        return nir_var_shader_in;
    case nir_intrinsic_load_output:
    case nir_intrinsic_load_per_vertex_output:
    case nir_intrinsic_store_output:
    case nir_intrinsic_store_per_vertex_output:
        return nir_var_shader_out;
    default:
        return 0;
    }
}

/* A 64-bit component takes two of the slot; one past the slot goes on in the next. */
static void set_component(nir_intrinsic_instr *copy, nir_intrinsic_instr *intr, unsigned c,
                          unsigned bit_size)
{
    unsigned component = nir_intrinsic_component(intr) + c * (bit_size == 64 ? 2 : 1);
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    nir_intrinsic_set_component(copy, component % 4);
    nir_intrinsic_set_base(copy, nir_intrinsic_base(intr) + component / 4);
    io.location += component / 4;
    io.gs_streams = (io.gs_streams >> (component % 4 * 2)) & 3;
    nir_intrinsic_set_io_semantics(copy, io);
}

static nir_intrinsic_instr *copy_of(nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_intrinsic_instr *copy = nir_intrinsic_instr_create(b->shader, intr->intrinsic);
    memcpy(copy->const_index, intr->const_index, sizeof copy->const_index);
    copy->num_components = 1;
    for (unsigned s = 0; s < nir_intrinsic_infos[intr->intrinsic].num_srcs; s++)
        copy->src[s] = nir_src_for_ssa(intr->src[s].ssa);
    return copy;
}

static void lower_load(nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_def *comps[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < intr->num_components; c++) {
        nir_intrinsic_instr *copy = copy_of(b, intr);
        set_component(copy, intr, c, intr->def.bit_size);
        nir_def_init(&copy->instr, &copy->def, 1, intr->def.bit_size);
        nir_builder_instr_insert(b, &copy->instr);
        comps[c] = &copy->def;
    }
    nir_def_replace(&intr->def, nir_vec(b, comps, intr->num_components));
}

static void lower_store(nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_def *value = intr->src[0].ssa;
    for (unsigned c = 0; c < intr->num_components; c++) {
        if (!(nir_intrinsic_write_mask(intr) & (1u << c)))
            continue;
        nir_def *scalar = nir_channel(b, value, c);
        nir_intrinsic_instr *copy = copy_of(b, intr);
        copy->src[0] = nir_src_for_ssa(scalar);
        nir_intrinsic_set_write_mask(copy, 1);
        set_component(copy, intr, c, value->bit_size);
        nir_builder_instr_insert(b, &copy->instr);
    }
    nir_instr_remove(&intr->instr);
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *modes)
{
    if (!(mode_of(intr->intrinsic) & *(nir_variable_mode *)modes) || intr->num_components == 1)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    if (nir_intrinsic_infos[intr->intrinsic].has_dest)
        lower_load(b, intr);
    else
        lower_store(b, intr);
    return true;
}

bool nir_lower_io_to_scalar(nir_shader *shader, nir_variable_mode modes)
{
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, &modes);
}
