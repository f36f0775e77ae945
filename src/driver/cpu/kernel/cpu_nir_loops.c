/* SPDX-License-Identifier: MIT */
/*
 * Loops that may never end. A loop of the application's shader whose end nothing proves counts what
 * it does and is left after CPU_MAX_ITERATIONS; *cpu_stage_state.overrun then says so, and no such
 * loop of the scene begins anymore. So the rest of the scene goes by quickly, its result is
 * undefined and the context reports a reset (KHR_robustness), as a GPU does that is restarted.
 */
#include "driver/cpu/kernel/cpu_nir.h"

#include "nir/nir_loop_analyze.h"
#include "util/dynarray.h"

bool cpu_collect_endless_loops(struct cpu_kernel_builder *kb)
{
    DYNARRAY(nir_loop *) list = DYNARRAY_INIT(kb->shader);

    /* What a loop makes must go through phis behind it: another way out does not make it. */
    nir_convert_to_lcssa(kb->shader);
    nir_metadata_require(kb->impl, nir_metadata_loop_analysis);
    nir_foreach_block (block, kb->impl) {
        nir_loop *loop = nir_block_get_following_loop(block);
        if (loop && loop->info->max_trips < 0 && !dynarray_append(&list, loop))
            return false;
    }
    kb->endless = list.data;
    kb->num_endless = list.count;
    return true;
}

/* The builder stands in the loop: leaves it. What follows gets no values from here. */
static void leave(nir_builder *b, nir_loop *loop)
{
    nir_block *here = nir_cursor_current_block(b->cursor);
    nir_block *behind = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));

    nir_foreach_instr (instr, behind) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        nir_def *nothing = nir_undef(b, phi->def.num_components, phi->def.bit_size);
        nir_phi_instr_add_src(phi, here, nothing);
    }
    nir_jump(b, nir_jump_break);
}

static void bound_loop(struct cpu_kernel_builder *kb, nir_loop *loop)
{
    nir_builder *b = &kb->b;
    nir_variable *left = nir_local_variable_create(b->impl, glsl_uint_type(), "iterations_left");

    b->cursor = nir_before_cf_node(&loop->cf_node);
    nir_def *zero = nir_imm_int(b, 0);
    nir_def *overrun = cpu_load_field(b, kb->state, struct cpu_stage_state, overrun, 1, 64);
    nir_def *over = nir_load_global(b, 1, 32, overrun, zero, .align_mul = 4);
    nir_def *most = nir_bcsel(b, nir_ieq_imm(b, over, 0), nir_imm_int(b, CPU_MAX_ITERATIONS), zero);
    nir_store_var(b, left, most, 1);

    b->cursor = nir_after_phis(nir_loop_first_block(loop));
    nir_def *n = nir_load_var(b, left);
    nir_push_if(b, nir_ieq_imm(b, n, 0));
    nir_store_global(b, nir_imm_int(b, 1), overrun, zero, .align_mul = 4);
    leave(b, loop);
    nir_pop_if(b, NULL);
    nir_store_var(b, left, nir_iadd_imm(b, n, -1), 1);
}

void cpu_bound_loops(struct cpu_kernel_builder *kb)
{
    for (unsigned i = 0; i < kb->num_endless; i++)
        bound_loop(kb, kb->endless[i]);
}
