/* SPDX-License-Identifier: MIT */
/* Alpha test (GL 4.6 compatibility §17.3.4): discards fragments whose alpha fails the
 * comparison. */
#include "nir_lower_gl_state.h"

#include "indium/driver.h"

struct state {
    unsigned func;
    const int16_t *tokens;
    bool smooth;
};

static nir_def *passes(nir_builder *b, unsigned func, nir_def *alpha, nir_def *ref)
{
    switch (func) {
    case DRV_FUNC_LESS:
        return nir_flt(b, alpha, ref);
    case DRV_FUNC_EQUAL:
        return nir_feq(b, alpha, ref);
    case DRV_FUNC_LEQUAL:
        return nir_fge(b, ref, alpha);
    case DRV_FUNC_GREATER:
        return nir_flt(b, ref, alpha);
    case DRV_FUNC_NOTEQUAL:
        return nir_fneu(b, alpha, ref);
    case DRV_FUNC_GEQUAL:
        return nir_fge(b, alpha, ref);
    default:
        return nir_imm_false(b);
    }
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct state *s = data;
    struct nir_io_access io;
    if (intr->intrinsic != nir_intrinsic_store_deref ||
        !nir_get_io_access(intr, nir_var_shader_out, &io) || io.index || io.var->data.index ||
        (io.location != FRAG_RESULT_COLOR && io.location != FRAG_RESULT_DATA0))
        return false;
    nir_def *value = intr->src[1].ssa;
    if (value->num_components != 4 || !(nir_intrinsic_write_mask(intr) & 8) ||
        io.deref->type->base_type != GLSL_TYPE_FLOAT)
        return false;

    b->cursor = nir_before_instr(&intr->instr);
    if (s->func == DRV_FUNC_NEVER) {
        nir_discard(b);
        return true;
    }
    nir_variable *var = nir_get_state_uniform(b->shader, glsl_float_type(), s->tokens, "alpha_ref");
    nir_def *alpha = nir_channel(b, value, 3);
    if (s->smooth) /* §17.1 comes before the alpha test, which uses the final alpha. */
        alpha = nir_fmul(b, alpha, nir_load_frag_coverage(b));
    nir_def *pass = passes(b, s->func, alpha, nir_load_var(b, var));
    nir_discard_if(b, nir_inot(b, pass));
    return true;
}

bool nir_lower_alpha_test(nir_shader *shader, unsigned func, const int16_t tokens[NIR_STATE_LENGTH],
                          bool smooth)
{
    struct state s = {func, tokens, smooth};
    if (func == DRV_FUNC_ALWAYS || shader->info.stage != SHADER_FRAGMENT)
        return false;
    bool progress = nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, &s);
    shader->info.fs.uses_discard |= progress;
    return progress;
}
