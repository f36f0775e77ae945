/* SPDX-License-Identifier: MIT */
/* gl_FragColor goes to every color buffer (GLSL 4.60 §7.1.5): one output for each. */
#include "nir_lower_gl_state.h"

#include "indium/limits.h"

struct state {
    unsigned count;
    nir_variable *data[DRV_MAX_COLOR_BUFS];
};

static nir_variable *data_variable(struct state *s, nir_shader *shader, const nir_variable *color,
                                   unsigned i)
{
    if (!s->data[i]) {
        nir_variable *var = nir_variable_clone(color, shader);
        var->data.location = FRAG_RESULT_DATA0 + i;
        list_addtail(&var->node, &shader->variables);
        s->data[i] = var;
    }
    return s->data[i];
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct state *s = data;
    struct nir_io_access io;
    if (!nir_get_io_access(intr, nir_var_shader_out, &io) ||
        io.var->data.location != FRAG_RESULT_COLOR)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    for (unsigned i = 0; i < s->count; i++) {
        nir_variable *var = data_variable(s, b->shader, io.var, i);
        nir_deref_instr *deref = nir_build_deref_var(b, var);
        if (io.deref->deref_type == nir_deref_type_array)
            deref = nir_build_deref_array(b, deref, io.deref->arr.index.ssa);
        if (intr->intrinsic == nir_intrinsic_load_deref) {
            nir_def_rewrite_uses(&intr->def, nir_load_deref(b, deref));
            break;
        }
        nir_store_deref(b, deref, intr->src[1].ssa, nir_intrinsic_write_mask(intr));
    }
    nir_instr_remove(&intr->instr);
    nir_deref_instr_remove_if_unused(io.deref);
    return true;
}

bool nir_lower_fragcolor(nir_shader *shader, unsigned num_color_buffers)
{
    /* With no buffer one output is kept: the alpha test reads it. */
    struct state s = {.count = CLAMP(num_color_buffers, 1, DRV_MAX_COLOR_BUFS)};
    if (shader->info.stage != SHADER_FRAGMENT ||
        !nir_find_variable_with_location(shader, nir_var_shader_out, FRAG_RESULT_COLOR))
        return false;
    bool progress = nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, &s);
    nir_remove_dead_derefs(shader);
    nir_foreach_variable_with_modes_safe(var, shader, nir_var_shader_out) {
        if (var->data.location == FRAG_RESULT_COLOR) {
            list_del(&var->node);
            progress = true;
        }
    }
    return progress;
}
