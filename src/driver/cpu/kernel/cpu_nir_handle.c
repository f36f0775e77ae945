/* SPDX-License-Identifier: MIT */
/*
 * Accesses through handles (ARB_bindless_texture). A handle comes from the application, so it may
 * have any value. Its low half is the index of an entry in cpu_stage_state.handle, which the code
 * checks; the entry's generation must equal the high half. Lanes with different handles are served
 * one handle after the other, as filter_level() in cpu_nir_sample.c serves different levels. There
 * is separate code for each class of resident textures or images, because formats differ.
 */
#include "driver/cpu/kernel/cpu_nir.h"

static nir_def *load_state(struct cpu_kernel_builder *kb, unsigned offset)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(kb);
    nir_def *value = cpu_load_const(&kb->b, 1, 64, kb->state, offset);
    cpu_kernel_leave_prologue(kb, saved);
    return value;
}

void cpu_begin_handles(struct cpu_kernel_builder *kb, nir_def *handle, struct cpu_handle_loop *l)
{
    nir_builder *b = &kb->b;
    nir_def *table = load_state(kb, offsetof(struct cpu_stage_state, handle));
    nir_def *count = nir_u2u32(b, load_state(kb, offsetof(struct cpu_stage_state, num_handles)));
    nir_def *half[2] = {nir_unpack_64_2x32_split_x(b, handle),
                        nir_unpack_64_2x32_split_y(b, handle)};

    *l = (struct cpu_handle_loop){.kb = kb, .compact = kb->compact, .in_prologue = kb->in_prologue};
    l->waiting = nir_local_variable_create(kb->impl, glsl_bool_type(), "waiting");
    nir_store_var(b, l->waiting, kb->quad_live ? kb->quad_live : nir_imm_true(b), 1);
    l->loop = nir_push_loop(b);
    nir_break_if(b, nir_inot(b, nir_vote_any(b, nir_load_var(b, l->waiting))));
    nir_push_if(b, nir_load_var(b, l->waiting));
    for (unsigned i = 0; i < 2; i++)
        l->word[i] = nir_read_first_invocation(b, half[i]);
    nir_push_if(b, nir_iand(b, nir_ieq(b, half[0], l->word[0]), nir_ieq(b, half[1], l->word[1])));
    nir_def *inside = nir_ult(b, l->word[0], count);
    nir_def *index = nir_bcsel(b, inside, l->word[0], nir_imm_int(b, 0));
    l->entry =
        nir_iadd(b, table, nir_umul_2x32_64(b, index, nir_imm_int(b, sizeof(struct cpu_handle))));
    nir_def *generation = cpu_load_field(b, l->entry, struct cpu_handle, generation, 1, 32);
    nir_def *class = cpu_load_field(b, l->entry, struct cpu_handle, class, 1, 32);
    nir_def *valid = nir_iand(b, inside, nir_ieq(b, generation, l->word[1]));
    l->class = nir_bcsel(b, valid, class, nir_imm_int(b, (int)CPU_NO_CLASS));
    kb->in_prologue = true;
    kb->compact = true;
}

void cpu_end_handles(struct cpu_handle_loop *l)
{
    nir_builder *b = &l->kb->b;

    l->kb->in_prologue = l->in_prologue;
    l->kb->compact = l->compact;
    nir_store_var(b, l->waiting, nir_imm_false(b), 1);
    nir_pop_if(b, NULL);
    nir_pop_if(b, NULL);
    nir_pop_loop(b, l->loop);
}

/* The address is loaded with load_global, which passes never move out of the branch. Accesses to
 * the object depend on it, so they stay in the branch, too: the code for one class must not access
 * objects of another class, whose texels may be smaller. */
nir_def *cpu_begin_handle_class(struct cpu_handle_loop *l, unsigned class, unsigned offset)
{
    nir_builder *b = &l->kb->b;

    nir_push_if(b, nir_ieq_imm(b, l->class, class));
    return nir_load_global(b, 1, 64, l->entry, nir_imm_int(b, (int)offset), .align_mul = 8);
}
