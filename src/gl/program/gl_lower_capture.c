/* SPDX-License-Identifier: MIT */
/* Converts a vertex shader to a compute shader, see gl_lower_capture.h. */
#include "gl/program/gl_lower_capture.h"

#include <string.h>

#include "nir/nir_builder.h"

/* Location of the record that a shader invocation accesses. */
struct place {
    nir_def *block, *start; /* block: storage buffer index. start: byte offset in the buffer. */
};

static nir_def *load_record(nir_builder *b, const struct place *p, unsigned n, nir_def *slot,
                            size_t offset)
{
    nir_def *at = nir_iadd(b, p->start, nir_imul_imm(b, slot, 16));
    return nir_load_ssbo(b, n, 32, p->block, nir_iadd_imm(b, at, offset), .align_mul = 4);
}

static size_t slot_offset(size_t array, const nir_intrinsic_instr *intr, unsigned component)
{
    return array + nir_intrinsic_base(intr) * 16 + component * 4;
}

static nir_def *load_attribute(nir_builder *b, const struct place *p, nir_intrinsic_instr *intr)
{
    /* 64-bit attributes are converted from floats, unlike in draws. */
    const bool wide = intr->def.bit_size == 64;
    const unsigned component = nir_intrinsic_component(intr) >> wide;
    nir_def *v =
        load_record(b, p, intr->def.num_components, intr->src[0].ssa,
                    slot_offset(offsetof(struct gl_capture_record, in.attrib), intr, component));
    return wide ? nir_f2f64(b, v) : v;
}

static bool capture_intrinsic(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    const struct place *p = data;
    const size_t out = offsetof(struct gl_capture_record, out);
    nir_def *v;
    b->cursor = nir_before_instr(&intr->instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_load_input:
        v = load_attribute(b, p, intr);
        break;
    case nir_intrinsic_load_output:
        v = load_record(b, p, intr->def.num_components, intr->src[0].ssa,
                        slot_offset(out, intr, nir_intrinsic_component(intr)));
        break;
    case nir_intrinsic_store_output:
        v = nir_iadd(b, p->start, nir_imul_imm(b, intr->src[1].ssa, 16));
        v = nir_iadd_imm(b, v, slot_offset(out, intr, nir_intrinsic_component(intr)));
        nir_store_ssbo(b, intr->src[0].ssa, p->block, v,
                       .write_mask = nir_intrinsic_write_mask(intr), .align_mul = 4);
        nir_instr_remove(&intr->instr);
        return true;
    case nir_intrinsic_load_vertex_id:
    case nir_intrinsic_load_vertex_id_zero_base:
        v = load_record(b, p, 1, nir_imm_int(b, 0),
                        offsetof(struct gl_capture_record, in.vertex_id));
        break;
    case nir_intrinsic_load_instance_id:
        v = load_record(b, p, 1, nir_imm_int(b, 0),
                        offsetof(struct gl_capture_record, in.instance_id));
        break;
    case nir_intrinsic_load_base_instance:
        v = load_record(b, p, 1, nir_imm_int(b, 0),
                        offsetof(struct gl_capture_record, in.base_instance));
        break;
    case nir_intrinsic_load_draw_id:
        v = load_record(b, p, 1, nir_imm_int(b, 0), offsetof(struct gl_capture_record, in.draw_id));
        break;
    case nir_intrinsic_load_base_vertex:
        v = load_record(b, p, 1, nir_imm_int(b, 0),
                        offsetof(struct gl_capture_record, in.base_vertex));
        break;
    case nir_intrinsic_load_first_vertex: /* included in vertex_id */
    case nir_intrinsic_load_view_index:
        v = nir_imm_int(b, 0);
        break;
    default:
        return false;
    }
    nir_def_replace(&intr->def, v);
    return true;
}

bool gl_lower_capture(nir_shader *nir)
{
    const nir_variable_mode modes = nir_var_shader_in | nir_var_shader_out;
    nir_prepare_for_driver(nir);
    NIR_PASS_V(nir, nir_lower_system_values);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    nir_foreach_variable_with_modes (var, nir, modes)
        var->data.driver_location = var->data.location;
    NIR_PASS_V(nir, nir_lower_io, modes);
    NIR_PASS_V(nir, nir_lower_64bit_io);
    NIR_PASS_V(nir, nir_remove_dead_variables, modes);

    nir_builder b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(nir)));
    nir_def *group = nir_channel(&b, nir_load_workgroup_id(&b), 0);
    struct place p = {
        .block = nir_imm_int(&b, (int)(nir->info.num_ssbos + nir->info.num_abos)),
        .start = nir_imul_imm(&b, group, sizeof(struct gl_capture_record)),
    };
    nir->info.num_abos++;
    nir->info.stage = SHADER_COMPUTE;
    memset(&nir->info.cs, 0, sizeof nir->info.cs);
    for (unsigned i = 0; i < 3; i++)
        nir->info.cs.workgroup_size[i] = 1;
    nir_shader_intrinsics_pass(nir, capture_intrinsic, nir_metadata_control_flow, &p);
    return true;
}
