/* SPDX-License-Identifier: MIT */
/*
 * Work limits for loops that may never end, or run for very long. All loops of an invocation
 * without a known small bound share a budget of CPU_MAX_WORK. When it is used up, the loops are
 * left and *cpu_stage_state.overrun is set; no such loop of the scene starts again. The rest of the
 * scene then finishes quickly with undefined results, and the context reports a reset
 * (KHR_robustness), like a GPU that was reset.
 *
 * The remaining budget is a single word for all lanes of a vector, in a scalar register
 * (load_work_left). A variable would become a vector after the first divergent loop.
 */
#include "driver/cpu/kernel/cpu_nir.h"

#include "nir/nir_loop_analyze.h"
#include "util/dynarray.h"

/* The work of smaller loops is added to the iterations of the enclosing loop instead. */
#define SMALL_WORK (1 << 16)

struct cpu_unbounded_loop {
    nir_loop *loop;
    unsigned work; /* work of an iteration, in units of CPU_MAX_WORK */
};

struct found_loop {
    nir_loop *loop;
    uint64_t instrs; /* instructions of an iteration, including small inner loops; saturates */
};

static nir_loop *enclosing_loop(const nir_loop *loop)
{
    nir_cf_node *node = loop->cf_node.parent;
    while (node && node->type != nir_cf_node_loop)
        node = node->parent;
    return node ? nir_cf_node_as_loop(node) : NULL;
}

bool cpu_collect_unbounded_loops(struct cpu_kernel_builder *kb)
{
    DYNARRAY(struct found_loop) found = DYNARRAY_INIT(kb->shader);
    DYNARRAY(struct cpu_unbounded_loop) list = DYNARRAY_INIT(kb->shader);

    /* Values used after a loop must pass through phis, because leaving the loop early skips their
     * definition. */
    nir_convert_to_lcssa(kb->shader);
    nir_metadata_require(kb->impl, nir_metadata_loop_analysis);
    nir_foreach_block (block, kb->impl) {
        nir_loop *loop = nir_block_get_following_loop(block);
        struct found_loop f = {loop, loop ? loop->info->num_instrs : 0};
        if (loop && !dynarray_append(&found, f))
            return false;
    }
    /* inner loops first: they follow the enclosing loops in the list */
    for (unsigned i = found.count; i--;) {
        struct found_loop *f = &found.data[i];
        int trips = f->loop->info->max_trips;
        uint64_t all = trips < 0 ? UINT64_MAX : (uint64_t)(trips + 1) * f->instrs;
        if (all > SMALL_WORK) {
            uint64_t work = MIN2(1 + f->instrs / CPU_WORK_INSTRS, CPU_MAX_WORK);
            struct cpu_unbounded_loop bounded = {f->loop, (unsigned)work};
            if (!dynarray_append(&list, bounded))
                return false;
            continue;
        }
        const nir_loop *outer = enclosing_loop(f->loop);
        for (unsigned k = i; outer && k--;)
            if (found.data[k].loop == outer) {
                found.data[k].instrs = MIN2(found.data[k].instrs + all, UINT32_MAX);
                break;
            }
    }
    kb->unbounded_loops = list.data;
    kb->num_unbounded_loops = list.count;
    return true;
}

void cpu_init_work_left(struct cpu_kernel_builder *kb)
{
    nir_builder *b = &kb->b;
    if (!kb->num_unbounded_loops)
        return;
    if (kb->live && kb->shader->info.fs.uses_discard) {
        kb->discarded = nir_local_variable_create(kb->impl, glsl_bool_type(), "ended");
        nir_store_var(b, kb->discarded, nir_imm_false(b), 1);
    }
    nir_def *zero = nir_imm_int(b, 0);
    nir_def *overrun = cpu_load_field(b, kb->state, struct cpu_stage_state, overrun, 1, 64);
    nir_def *over = nir_load_global(b, 1, 32, overrun, zero, .align_mul = 4);
    nir_store_work_left(
        b, nir_bcsel(b, nir_ieq_imm(b, over, 0), nir_imm_int(b, (int)kb->work_limit), zero));
}

/* Emits a jump out of the loop, in which the builder stands. Phis after the loop get undefined
 * values from here. */
static void leave(nir_builder *b, nir_loop *loop)
{
    nir_block *here = nir_cursor_current_block(b->cursor);
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));

    nir_foreach_instr (instr, following) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        nir_def *nothing = nir_undef(b, phi->def.num_components, phi->def.bit_size);
        nir_phi_instr_add_src(phi, here, nothing);
    }
    nir_jump(b, nir_jump_break);
}

/* Discarded fragments continue as helper invocations of their quads, but must not keep such a loop
 * running alone: control flow has left their shader (GLSL 1.30 §6.4). All lanes leave together, so
 * a uniform loop stays uniform. */
static void leave_if_ended(struct cpu_kernel_builder *kb, nir_loop *loop)
{
    nir_builder *b = &kb->b;
    nir_def *running = nir_vote_any(b, nir_inot(b, nir_load_var(b, kb->discarded)));
    nir_push_if(b, nir_inot(b, running));
    leave(b, loop);
    nir_pop_if(b, NULL);
}

static void bound_loop(struct cpu_kernel_builder *kb, const struct cpu_unbounded_loop *bounded)
{
    nir_builder *b = &kb->b;
    nir_loop *loop = bounded->loop;

    b->cursor = nir_before_cf_node(&loop->cf_node);
    nir_def *overrun = cpu_load_field(b, kb->state, struct cpu_stage_state, overrun, 1, 64);

    b->cursor = nir_after_phis(nir_loop_first_block(loop));
    if (kb->discarded)
        leave_if_ended(kb, loop);
    nir_def *left = nir_load_work_left(b);
    nir_push_if(b, nir_ult(b, left, nir_imm_int(b, (int)bounded->work)));
    nir_store_global(b, nir_imm_int(b, 1), overrun, nir_imm_int(b, 0), .align_mul = 4);
    nir_store_work_left(b, nir_imm_int(b, 0)); /* also stops loops with less work per iteration */
    leave(b, loop);
    nir_pop_if(b, NULL);
    /* Never below 0: the rest of the body of a divergent loop is executed anyway, without active
     * lanes. */
    nir_def *work = nir_imm_int(b, (int)bounded->work);
    nir_store_work_left(b, nir_isub(b, nir_umax(b, left, work), work));
}

void cpu_limit_loops(struct cpu_kernel_builder *kb)
{
    for (unsigned i = 0; i < kb->num_unbounded_loops; i++)
        bound_loop(kb, &kb->unbounded_loops[i]);
}
