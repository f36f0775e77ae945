/* SPDX-License-Identifier: MIT */
/*
 * Loops that may never end, or run for very long. Each iteration of a loop without a known small
 * bound polls cpu_stage_state.stop and leaves the loop if its flag is set. The watchdog sets it if
 * the invocations of a vector, or a work group, spend more CPU time than INDIUM_TIMEOUT. The rest
 * of the work then finishes quickly with undefined results. Kernels with such loops report progress
 * for each vector or work group (kernel argument 1).
 */
#include "driver/cpu/kernel/cpu_nir.h"

#include "nir/nir_loop_analyze.h"
#include "util/dynarray.h"

/* Loops that execute at most this number of instructions are not polled. They count as instructions
 * of the enclosing loop. */
#define SMALL_WORK (1 << 16)

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
    DYNARRAY(nir_loop *) list = DYNARRAY_INIT(kb->shader);

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
            if (!dynarray_append(&list, f->loop))
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

void cpu_report_progress(struct cpu_kernel_builder *kb)
{
    nir_builder *b = &kb->b;
    if (!kb->num_unbounded_loops)
        return;
    if (kb->live && kb->shader->info.fs.uses_discard) {
        kb->discarded = nir_local_variable_create(kb->impl, glsl_bool_type(), "ended");
        nir_store_var(b, kb->discarded, nir_imm_false(b), 1);
    }
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(kb);
    nir_def *progress = nir_load_kernel_arg(b, .base = 1);
    cpu_kernel_leave_prologue(kb, saved);
    nir_def *zero = nir_imm_int(b, 0);
    nir_def *count = nir_load_global(b, 1, 32, progress, zero, .align_mul = 4);
    nir_store_global(b, nir_iadd_imm(b, count, 1), progress, zero, .align_mul = 4);
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

static void poll_in_loop(struct cpu_kernel_builder *kb, nir_loop *loop)
{
    nir_builder *b = &kb->b;

    b->cursor = nir_before_cf_node(&loop->cf_node);
    nir_def *stop = cpu_load_field(b, kb->state, struct cpu_stage_state, stop, 1, 64);

    b->cursor = nir_after_phis(nir_loop_first_block(loop));
    if (kb->discarded)
        leave_if_ended(kb, loop);
    nir_push_if(b, nir_poll_stop(b, stop));
    leave(b, loop);
    nir_pop_if(b, NULL);
}

void cpu_poll_in_loops(struct cpu_kernel_builder *kb)
{
    _Static_assert(offsetof(struct watchdog_stop, flag) == 0, "the kernel polls the first word");
    for (unsigned i = 0; i < kb->num_unbounded_loops; i++)
        poll_in_loop(kb, kb->unbounded_loops[i]);
}
