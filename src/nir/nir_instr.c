/* SPDX-License-Identifier: MIT */
/* Instructions, sources, definitions and use lists. */
#include "nir.h"

#include "nir_private.h"

/* --- Creation --- */

static void *instr_alloc(struct arena *arena, nir_instr_type type, size_t size)
{
    nir_instr *instr = arena_zalloc(arena, size);
    assert(instr && "out of memory");
    instr->type = type;
    return instr;
}

nir_alu_instr *nir_alu_instr_create(nir_shader *shader, nir_op op)
{
    nir_alu_instr *alu =
        instr_alloc(shader->instrs, nir_instr_type_alu,
                    sizeof *alu + nir_op_infos[op].num_inputs * sizeof alu->src[0]);
    alu->op = op;
    for (unsigned i = 0; i < nir_op_infos[op].num_inputs; i++) {
        alu->src[i].swizzle = NIR_IDENTITY_SWIZZLE;
    }
    return alu;
}

nir_deref_instr *nir_deref_instr_create(nir_shader *shader, nir_deref_type type)
{
    size_t size = type == nir_deref_type_var ? offsetof(nir_deref_instr, var) + sizeof(void *)
                  : type == nir_deref_type_array
                      ? sizeof(nir_deref_instr)
                      : offsetof(nir_deref_instr, strct) + sizeof(unsigned);
    nir_deref_instr *deref = instr_alloc(shader->accesses, nir_instr_type_deref, size);
    deref->deref_type = type;
    return deref;
}

nir_jump_instr *nir_jump_instr_create(nir_shader *shader, nir_jump_type type)
{
    nir_jump_instr *jump = instr_alloc(shader->instrs, nir_instr_type_jump, sizeof *jump);
    jump->type = type;
    return jump;
}

nir_load_const_instr *nir_load_const_instr_create(nir_shader *shader, unsigned num_components,
                                                  unsigned bit_size)
{
    nir_load_const_instr *load = instr_alloc(shader->instrs, nir_instr_type_load_const,
                                             sizeof *load + num_components * sizeof load->value[0]);
    nir_def_init(&load->instr, &load->def, num_components, bit_size);
    return load;
}

nir_intrinsic_instr *nir_intrinsic_instr_create(nir_shader *shader, nir_intrinsic_op op)
{
    bool accesses = op == nir_intrinsic_load_deref || op == nir_intrinsic_store_deref ||
                    op == nir_intrinsic_copy_deref;
    nir_intrinsic_instr *intr =
        instr_alloc(accesses ? shader->accesses : shader->instrs, nir_instr_type_intrinsic,
                    sizeof *intr + nir_intrinsic_infos[op].num_srcs * sizeof intr->src[0]);
    intr->intrinsic = op;
    return intr;
}

nir_call_instr *nir_call_instr_create(nir_shader *shader, nir_function *callee)
{
    nir_call_instr *call = instr_alloc(shader->instrs, nir_instr_type_call,
                                       sizeof *call + callee->num_params * sizeof call->params[0]);
    call->callee = callee;
    call->num_params = callee->num_params;
    return call;
}

nir_tex_instr *nir_tex_instr_create(nir_shader *shader, unsigned num_srcs)
{
    nir_tex_instr *tex = instr_alloc(shader->instrs, nir_instr_type_tex, sizeof *tex);
    tex->num_srcs = num_srcs;
    tex->src = arena_zalloc(shader->instrs, num_srcs * sizeof tex->src[0]);
    return tex;
}

nir_phi_instr *nir_phi_instr_create(nir_shader *shader)
{
    nir_phi_instr *phi = instr_alloc(shader->instrs, nir_instr_type_phi, sizeof *phi);
    list_init(&phi->srcs);
    return phi;
}

nir_parallel_copy_instr *nir_parallel_copy_instr_create(nir_shader *shader)
{
    nir_parallel_copy_instr *pcopy =
        instr_alloc(shader->instrs, nir_instr_type_parallel_copy, sizeof *pcopy);
    list_init(&pcopy->entries);
    return pcopy;
}

nir_undef_instr *nir_undef_instr_create(nir_shader *shader, unsigned num_components,
                                        unsigned bit_size)
{
    nir_undef_instr *undef = instr_alloc(shader->instrs, nir_instr_type_undef, sizeof *undef);
    nir_def_init(&undef->instr, &undef->def, num_components, bit_size);
    return undef;
}

/* --- Sources and uses --- */

void nir_def_init(nir_instr *instr, nir_def *def, unsigned num_components, unsigned bit_size)
{
    *def = (nir_def){
        .parent_instr = instr,
        .index = UINT32_MAX,
        .num_components = num_components,
        .bit_size = bit_size,
        .divergent = true,
    };
    list_init(&def->uses);
}

static void src_link(nir_src *src, nir_instr *instr)
{
    assert(src->ssa && "a source is unset");
    src->parent = (uintptr_t)instr;
    list_addtail(&src->use_link, &src->ssa->uses);
}

static void src_unlink(nir_src *src)
{
    if (src->use_link.next)
        list_del(&src->use_link);
}

static bool link_src_cb(nir_src *src, void *instr)
{
    src_link(src, instr);
    return true;
}

static bool unlink_src_cb(nir_src *src, void *unused)
{
    src_unlink(src);
    return true;
}

static void link_srcs(nir_instr *instr)
{
    nir_foreach_src(instr, link_src_cb, instr);
}

void nir_instr_unlink_srcs(nir_instr *instr)
{
    nir_foreach_src(instr, unlink_src_cb, NULL);
}

void nir_if_link_condition(nir_if *nif)
{
    nif->condition.parent = (uintptr_t)nif | 1;
    list_addtail(&nif->condition.use_link, &nif->condition.ssa->uses);
}

nir_block *nir_src_use_block(const nir_src *src)
{
    if (nir_src_is_if(src))
        return nir_cf_node_as_block(nir_cf_node_prev(&nir_src_parent_if(src)->cf_node));
    if (nir_src_parent_instr(src)->type == nir_instr_type_phi)
        return container_of(src, nir_phi_src, src)->pred;
    return nir_src_parent_instr(src)->block;
}

void nir_src_rewrite(nir_src *src, nir_def *def)
{
    if (src->use_link.next) {
        list_del(&src->use_link);
        list_addtail(&src->use_link, &def->uses);
    }
    src->ssa = def;
}

void nir_instr_init_src(nir_instr *instr, nir_src *src, nir_def *def)
{
    *src = nir_src_for_ssa(def);
    src->parent = (uintptr_t)instr;
    if (instr->block)
        list_addtail(&src->use_link, &def->uses);
}

nir_def *nir_instr_def(nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu:
        return &nir_instr_as_alu(instr)->def;
    case nir_instr_type_deref:
        return &nir_instr_as_deref(instr)->def;
    case nir_instr_type_tex:
        return &nir_instr_as_tex(instr)->def;
    case nir_instr_type_intrinsic: {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        return nir_intrinsic_infos[intr->intrinsic].has_dest ? &intr->def : NULL;
    }
    case nir_instr_type_load_const:
        return &nir_instr_as_load_const(instr)->def;
    case nir_instr_type_undef:
        return &nir_instr_as_undef(instr)->def;
    case nir_instr_type_phi:
        return &nir_instr_as_phi(instr)->def;
    default:
        return NULL;
    }
}

static bool foreach_deref_src(nir_deref_instr *deref, bool (*cb)(nir_src *, void *), void *state)
{
    if (deref->deref_type == nir_deref_type_var)
        return true;
    if (!cb(&deref->parent, state))
        return false;
    return deref->deref_type != nir_deref_type_array || cb(&deref->arr.index, state);
}

static bool foreach_parallel_copy_src(nir_parallel_copy_instr *pcopy, bool (*cb)(nir_src *, void *),
                                      void *state)
{
    list_for_each_entry_safe (nir_parallel_copy_entry, entry, &pcopy->entries, node) {
        if (!cb(&entry->src, state) || (entry->dest_is_reg && !cb(&entry->dest_reg, state)))
            return false;
    }
    return true;
}

bool nir_foreach_src(nir_instr *instr, bool (*cb)(nir_src *src, void *state), void *state)
{
    switch (instr->type) {
    case nir_instr_type_alu: {
        nir_alu_instr *alu = nir_instr_as_alu(instr);
        for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
            if (!cb(&alu->src[i].src, state))
                return false;
        }
        return true;
    }
    case nir_instr_type_deref:
        return foreach_deref_src(nir_instr_as_deref(instr), cb, state);
    case nir_instr_type_call: {
        nir_call_instr *call = nir_instr_as_call(instr);
        for (unsigned i = 0; i < call->num_params; i++) {
            if (!cb(&call->params[i], state))
                return false;
        }
        return true;
    }
    case nir_instr_type_tex: {
        nir_tex_instr *tex = nir_instr_as_tex(instr);
        for (unsigned i = 0; i < tex->num_srcs; i++) {
            if (!cb(&tex->src[i].src, state))
                return false;
        }
        return true;
    }
    case nir_instr_type_intrinsic: {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        for (unsigned i = 0; i < nir_intrinsic_infos[intr->intrinsic].num_srcs; i++) {
            if (!cb(&intr->src[i], state))
                return false;
        }
        return true;
    }
    case nir_instr_type_phi:
        nir_foreach_phi_src_safe(src, nir_instr_as_phi(instr))
        {
            if (!cb(&src->src, state))
                return false;
        }
        return true;
    case nir_instr_type_parallel_copy:
        return foreach_parallel_copy_src(nir_instr_as_parallel_copy(instr), cb, state);
    case nir_instr_type_load_const:
    case nir_instr_type_jump:
    case nir_instr_type_undef:
        return true;
    default:
        UNREACHABLE("instruction type");
    }
}

void nir_def_rewrite_uses(nir_def *def, nir_def *new_def)
{
    if (def == new_def)
        return;
    nir_foreach_use_including_if_safe(src, def) nir_src_rewrite(src, new_def);
}

/* Returns true if instr comes after `start` in its block. */
static bool instr_is_after(const nir_instr *instr, const nir_instr *start)
{
    for (struct list_head *n = start->node.next; n != &start->block->instr_list; n = n->next) {
        if (n == &instr->node)
            return true;
    }
    return false;
}

/* Uses between def and `after` are in the same block, because `after` follows def directly or after
 * straight-line code. All other uses come after `after`. */
void nir_def_rewrite_uses_after(nir_def *def, nir_def *new_def, nir_instr *after)
{
    if (def == new_def)
        return;
    nir_foreach_use_including_if_safe(src, def)
    {
        if (!nir_src_is_if(src)) {
            nir_instr *user = nir_src_parent_instr(src);
            if (user == after)
                continue;
            if (user->type != nir_instr_type_phi && user->block == after->block &&
                !instr_is_after(user, after))
                continue;
        }
        nir_src_rewrite(src, new_def);
    }
}

void nir_def_replace(nir_def *def, nir_def *new_def)
{
    nir_def_rewrite_uses(def, new_def);
    nir_instr_remove(def->parent_instr);
}

bool nir_instr_is_copy(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_alu)
        return false;
    nir_op op = nir_instr_as_alu(instr)->op;
    return op == nir_op_mov || nir_op_is_vec(op);
}

bool nir_instr_has_effect(const nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_call:
    case nir_instr_type_jump:
    case nir_instr_type_parallel_copy:
        return true;
    case nir_instr_type_intrinsic: {
        const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        if (nir_intrinsic_has_access(intr) && (nir_intrinsic_access(intr) & ACCESS_VOLATILE))
            return true;
        return !(nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_ELIMINATE);
    }
    default:
        return false;
    }
}

/* Returns true for a phi of a loop header, whose sources may come after its uses. */
static bool is_loop_phi(const nir_instr *instr)
{
    const nir_cf_node *parent = instr->block->cf_node.parent;
    return instr->type == nir_instr_type_phi && parent && parent->type == nir_cf_node_loop &&
           nir_loop_first_block(nir_cf_node_as_loop(parent)) == instr->block;
}

static bool remove_unused_src(nir_src *src, void *removed)
{
    nir_instr *instr = src->ssa->parent_instr;
    if (instr->block && nir_def_is_unused(src->ssa) && !is_loop_phi(instr) &&
        !nir_instr_has_effect(instr)) {
        nir_instr_remove(instr);
        list_addtail(&instr->node, removed);
    }
    return true;
}

/* Removed instructions are queued until their sources have been checked, because chains may be too
 * long for recursion. */
void nir_def_remove_if_unused(nir_def *def)
{
    nir_instr *instr = def->parent_instr;
    if (!nir_def_is_unused(def) || nir_instr_has_effect(instr))
        return;
    struct list_head removed;
    list_init(&removed);
    nir_instr_remove(instr);
    list_add(&instr->node, &removed);
    while (!list_is_empty(&removed)) {
        instr = list_first_entry(&removed, nir_instr, node);
        list_del(&instr->node);
        nir_foreach_src(instr, remove_unused_src, &removed);
    }
}

void nir_def_replace_and_clean(nir_def *def, nir_def *new_def)
{
    nir_def_rewrite_uses(def, new_def);
    nir_def_remove_if_unused(def);
}

static nir_component_mask_t src_components_read(const nir_src *src)
{
    if (nir_src_is_if(src))
        return 1;
    if (nir_src_parent_instr(src)->type == nir_instr_type_alu) {
        nir_alu_instr *alu = nir_instr_as_alu(nir_src_parent_instr(src));
        unsigned s = container_of(src, nir_alu_src, src) - alu->src;
        nir_component_mask_t mask = 0;
        for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, s); c++)
            mask |= 1 << nir_alu_src_comp(&alu->src[s], c);
        return mask;
    }
    if (nir_src_parent_instr(src)->type == nir_instr_type_intrinsic) {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(nir_src_parent_instr(src));
        bool stores = nir_intrinsic_has_write_mask(intr);
        unsigned value = intr->intrinsic == nir_intrinsic_store_deref ? 1 : 0;
        if (stores && src == &intr->src[value])
            return nir_intrinsic_write_mask(intr);
        return BITFIELD_MASK(nir_intrinsic_src_components(intr, src - intr->src));
    }
    return BITFIELD_MASK(src->ssa->num_components);
}

nir_component_mask_t nir_def_components_read(const nir_def *def)
{
    nir_component_mask_t mask = 0;
    nir_foreach_use_including_if(src, def) mask |= src_components_read(src);
    return mask;
}

/* --- Insertion --- */

static void assign_def_index(nir_instr *instr, nir_function_impl *impl)
{
    nir_def *def = nir_instr_def(instr);
    if (def && def->index == UINT32_MAX)
        def->index = impl->ssa_alloc++;
    if (instr->type == nir_instr_type_parallel_copy) {
        list_for_each_entry (nir_parallel_copy_entry, entry,
                             &nir_instr_as_parallel_copy(instr)->entries, node) {
            if (!entry->dest_is_reg)
                entry->def.index = impl->ssa_alloc++;
        }
    }
}

void nir_impl_add_instr_kind(nir_function_impl *impl, const nir_instr *instr)
{
    impl->instr_types |= 1u << instr->type;
    impl->has_copies |= nir_instr_is_copy(instr);
    if (instr->type != nir_instr_type_deref)
        return;
    const nir_deref_instr *deref = nir_instr_as_deref(instr);
    impl->deref_modes |= deref->modes;
    impl->has_indirect_derefs |=
        deref->deref_type == nir_deref_type_array && !nir_src_is_const(deref->arr.index);
}

void nir_instr_append_detached(nir_block *block, nir_instr *instr)
{
    instr->block = block;
    list_addtail(&instr->node, &block->instr_list);
    link_srcs(instr);
}

static void put_at(nir_cursor cursor, nir_instr *instr)
{
    switch (cursor.option) {
    case nir_cursor_before_block:
        instr->block = cursor.block;
        list_add(&instr->node, &cursor.block->instr_list);
        break;
    case nir_cursor_after_block:
        instr->block = cursor.block;
        list_addtail(&instr->node, &cursor.block->instr_list);
        break;
    case nir_cursor_before_instr:
        instr->block = cursor.instr->block;
        list_addtail(&instr->node, &cursor.instr->node);
        break;
    case nir_cursor_after_instr:
        instr->block = cursor.instr->block;
        list_add(&instr->node, &cursor.instr->node);
        break;
    }
}

void nir_instr_insert(nir_cursor cursor, nir_instr *instr)
{
    nir_instr_insert_in(nir_cf_node_get_function(&nir_cursor_current_block(cursor)->cf_node),
                        cursor, instr);
}

void nir_instr_insert_in(nir_function_impl *impl, nir_cursor cursor, nir_instr *instr)
{
    assert(!instr->block && "already inserted");
    put_at(cursor, instr);
    link_srcs(instr);
    if (impl) {
        assign_def_index(instr, impl);
        nir_impl_add_instr_kind(impl, instr);
        impl->valid_metadata &= ~(nir_metadata_instr_index | nir_metadata_live_defs);
    }
    if (instr->type == nir_instr_type_jump)
        nir_handle_jump_change(instr->block);
}

void nir_instr_remove(nir_instr *instr)
{
    nir_block *block = instr->block;
    if (!block)
        return;
    nir_instr_unlink_srcs(instr);
    list_del(&instr->node);
    instr->block = NULL;
    if (instr->type == nir_instr_type_jump)
        nir_handle_jump_change(block);
}

bool nir_instr_move(nir_cursor cursor, nir_instr *instr)
{
    if ((cursor.option == nir_cursor_before_instr || cursor.option == nir_cursor_after_instr) &&
        cursor.instr == instr)
        return false;
    if (nir_cursors_equal(cursor, nir_before_instr(instr)) ||
        nir_cursors_equal(cursor, nir_after_instr(instr)))
        return false;
    if (instr->type == nir_instr_type_jump) {
        nir_instr_remove(instr);
        nir_instr_insert(cursor, instr);
        return true;
    }
    list_del(&instr->node);
    put_at(cursor, instr);
    nir_function_impl *impl = nir_cf_node_get_function(&instr->block->cf_node);
    if (impl)
        impl->valid_metadata &= ~(nir_metadata_instr_index | nir_metadata_live_defs);
    return true;
}

/* --- ALU --- */

unsigned nir_ssa_alu_instr_src_components(const nir_alu_instr *alu, unsigned src)
{
    unsigned size = nir_op_infos[alu->op].input_sizes[src];
    return size ? size : alu->def.num_components;
}

bool nir_alu_src_is_trivial_ssa(const nir_alu_instr *alu, unsigned src)
{
    unsigned n = nir_ssa_alu_instr_src_components(alu, src);
    if (alu->src[src].src.ssa->num_components != n)
        return false;
    for (unsigned c = 0; c < n; c++) {
        if (nir_alu_src_comp(&alu->src[src], c) != c)
            return false;
    }
    return true;
}

/* dest must belong to an instruction that is not inserted. */
void nir_alu_src_copy(nir_alu_src *dest, const nir_alu_src *src)
{
    dest->src = nir_src_for_ssa(src->src.ssa);
    dest->swizzle = src->swizzle;
}

bool nir_alu_instrs_equal_srcs(const nir_alu_instr *a, const nir_alu_instr *b, unsigned sa,
                               unsigned sb)
{
    if (a->src[sa].src.ssa != b->src[sb].src.ssa)
        return false;
    unsigned n = nir_ssa_alu_instr_src_components(a, sa);
    if (n != nir_ssa_alu_instr_src_components(b, sb))
        return false;
    return ((a->src[sa].swizzle ^ b->src[sb].swizzle) & nir_swizzle_mask(n)) == 0;
}

bool nir_op_is_vec(nir_op op)
{
    return op == nir_op_vec2 || op == nir_op_vec3 || op == nir_op_vec4 || op == nir_op_vec5 ||
           op == nir_op_vec8 || op == nir_op_vec16;
}

nir_op nir_op_vec(unsigned num_components)
{
    switch (num_components) {
    case 1:
        return nir_op_mov;
    case 2:
        return nir_op_vec2;
    case 3:
        return nir_op_vec3;
    case 4:
        return nir_op_vec4;
    case 5:
        return nir_op_vec5;
    case 8:
        return nir_op_vec8;
    case 16:
        return nir_op_vec16;
    default:
        UNREACHABLE("no vector has so many components");
    }
}

/* --- Intrinsics --- */

unsigned nir_intrinsic_src_components(const nir_intrinsic_instr *intr, unsigned src)
{
    int n = nir_intrinsic_infos[intr->intrinsic].src_components[src];
    return n > 0 ? (unsigned)n : n == 0 ? intr->num_components : intr->src[src].ssa->num_components;
}

unsigned nir_intrinsic_dest_components(const nir_intrinsic_instr *intr)
{
    unsigned n = nir_intrinsic_infos[intr->intrinsic].dest_components;
    return n ? n : intr->num_components;
}

bool nir_intrinsic_can_reorder(const nir_intrinsic_instr *intr)
{
    if (intr->intrinsic == nir_intrinsic_load_deref) {
        nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
        nir_variable_mode read_only = nir_var_uniform | nir_var_mem_ubo | nir_var_system_value |
                                      nir_var_shader_in | nir_var_image;
        return (deref && !(deref->modes & ~read_only)) ||
               (nir_intrinsic_access(intr) & ACCESS_CAN_REORDER);
    }
    if (nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_REORDER)
        return true;
    return (nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_ELIMINATE) &&
           !(nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CROSS_LANE) &&
           nir_intrinsic_has_access(intr) && (nir_intrinsic_access(intr) & ACCESS_CAN_REORDER);
}

nir_src *nir_get_io_offset_src(nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_output:
    case nir_intrinsic_load_uniform:
    case nir_intrinsic_load_shared:
    case nir_intrinsic_load_scratch:
    case nir_intrinsic_clear_scratch:
    case nir_intrinsic_load_constant:
    case nir_intrinsic_shared_atomic:
    case nir_intrinsic_shared_atomic_swap:
        return &intr->src[0];
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_input_vertex:
    case nir_intrinsic_load_interpolated_input:
    case nir_intrinsic_load_per_vertex_output:
    case nir_intrinsic_store_output:
    case nir_intrinsic_store_shared:
    case nir_intrinsic_store_scratch:
    case nir_intrinsic_load_ubo:
    case nir_intrinsic_load_ssbo:
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
    case nir_intrinsic_load_global:
    case nir_intrinsic_load_global_constant:
    case nir_intrinsic_load_global_block:
    case nir_intrinsic_global_atomic:
    case nir_intrinsic_global_atomic_swap:
        return &intr->src[1];
    case nir_intrinsic_store_per_vertex_output:
    case nir_intrinsic_store_ssbo:
    case nir_intrinsic_store_global:
    case nir_intrinsic_store_global_block:
        return &intr->src[2];
    default:
        return NULL;
    }
}

/* --- Textures --- */

bool nir_tex_instr_is_query(const nir_tex_instr *tex)
{
    switch (tex->op) {
    case nir_texop_txs:
    case nir_texop_lod:
    case nir_texop_query_levels:
    case nir_texop_texture_samples:
        return true;
    default:
        return false;
    }
}

bool nir_tex_instr_has_implicit_derivative(const nir_tex_instr *tex)
{
    return tex->op == nir_texop_tex || tex->op == nir_texop_txb || tex->op == nir_texop_lod;
}

static unsigned dim_components(enum glsl_sampler_dim dim)
{
    switch (dim) {
    case GLSL_SAMPLER_DIM_1D:
    case GLSL_SAMPLER_DIM_BUF:
        return 1;
    case GLSL_SAMPLER_DIM_3D:
    case GLSL_SAMPLER_DIM_CUBE:
        return 3;
    default:
        return 2;
    }
}

unsigned nir_tex_instr_dest_size(const nir_tex_instr *tex)
{
    switch (tex->op) {
    case nir_texop_txs: {
        /* The faces of a cube are two-dimensional. */
        unsigned n =
            tex->sampler_dim == GLSL_SAMPLER_DIM_CUBE ? 2 : dim_components(tex->sampler_dim);
        return n + tex->is_array;
    }
    case nir_texop_lod:
        return 2;
    case nir_texop_query_levels:
    case nir_texop_texture_samples:
        return 1;
    default:
        if (tex->is_residency) /* a gather has a code for each of its texels */
            return tex->op == nir_texop_tg4 ? 4 : 1;
        return tex->is_shadow && tex->is_new_style_shadow && tex->op != nir_texop_tg4 ? 1 : 4;
    }
}

unsigned nir_tex_instr_src_size(const nir_tex_instr *tex, unsigned src)
{
    switch (tex->src[src].src_type) {
    case nir_tex_src_coord:
        return tex->coord_components;
    case nir_tex_src_offset:
        return tex->sampler_dim == GLSL_SAMPLER_DIM_CUBE ? 3
                                                         : tex->coord_components - tex->is_array;
    case nir_tex_src_ddx:
    case nir_tex_src_ddy:
        return tex->coord_components - tex->is_array;
    default:
        return 1;
    }
}

int nir_tex_instr_src_index(const nir_tex_instr *tex, nir_tex_src_type type)
{
    for (unsigned i = 0; i < tex->num_srcs; i++) {
        if (tex->src[i].src_type == type)
            return i;
    }
    return -1;
}

/* Moves a source to another nir_tex_src and relinks its use. */
static void tex_src_move(nir_tex_instr *tex, nir_tex_src *dst, nir_tex_src *src)
{
    nir_def *def = src->src.ssa;
    dst->src_type = src->src_type;
    src_unlink(&src->src);
    nir_instr_init_src(&tex->instr, &dst->src, def);
}

void nir_tex_instr_add_src(nir_tex_instr *tex, nir_tex_src_type type, nir_def *def)
{
    nir_tex_src *srcs = arena_zalloc(tex->instr.block->arena, (tex->num_srcs + 1) * sizeof *srcs);
    for (unsigned i = 0; i < tex->num_srcs; i++)
        tex_src_move(tex, &srcs[i], &tex->src[i]);
    srcs[tex->num_srcs].src_type = type;
    nir_instr_init_src(&tex->instr, &srcs[tex->num_srcs].src, def);
    tex->src = srcs;
    tex->num_srcs++;
}

void nir_tex_instr_remove_src(nir_tex_instr *tex, unsigned src)
{
    src_unlink(&tex->src[src].src);
    for (unsigned i = src + 1; i < tex->num_srcs; i++)
        tex_src_move(tex, &tex->src[i - 1], &tex->src[i]);
    tex->num_srcs--;
}

/* --- Phis and constants --- */

nir_phi_src *nir_phi_instr_add_src(nir_phi_instr *phi, nir_block *pred, nir_def *def)
{
    nir_phi_src *src = arena_zalloc(pred->arena, sizeof *src);
    src->pred = pred;
    nir_instr_init_src(&phi->instr, &src->src, def);
    list_addtail(&src->node, &phi->srcs);
    return src;
}

uint64_t nir_src_comp_as_uint(nir_src src, unsigned component)
{
    nir_load_const_instr *load = nir_instr_as_load_const(src.ssa->parent_instr);
    return nir_const_value_as_uint(load->value[component], load->def.bit_size);
}

int64_t nir_src_comp_as_int(nir_src src, unsigned component)
{
    nir_load_const_instr *load = nir_instr_as_load_const(src.ssa->parent_instr);
    return nir_const_value_as_int(load->value[component], load->def.bit_size);
}

double nir_src_comp_as_float(nir_src src, unsigned component)
{
    nir_load_const_instr *load = nir_instr_as_load_const(src.ssa->parent_instr);
    return nir_const_value_as_float(load->value[component], load->def.bit_size);
}

bool nir_src_comp_as_bool(nir_src src, unsigned component)
{
    return nir_src_comp_as_uint(src, component) != 0;
}

nir_scalar nir_scalar_resolved(nir_def *def, unsigned comp)
{
    while (def->parent_instr->type == nir_instr_type_alu) {
        nir_alu_instr *alu = nir_instr_as_alu(def->parent_instr);
        if (alu->op == nir_op_mov) {
            comp = nir_alu_src_comp(&alu->src[0], comp);
            def = alu->src[0].src.ssa;
        } else if (nir_op_is_vec(alu->op)) {
            def = alu->src[comp].src.ssa;
            comp = nir_alu_src_comp(&alu->src[comp], 0);
        } else {
            break;
        }
    }
    return (nir_scalar){def, comp};
}

bool nir_scalar_is_const(nir_scalar s)
{
    return s.def->parent_instr->type == nir_instr_type_load_const;
}

nir_const_value nir_scalar_as_const_value(nir_scalar s)
{
    return nir_instr_as_load_const(s.def->parent_instr)->value[s.comp];
}
