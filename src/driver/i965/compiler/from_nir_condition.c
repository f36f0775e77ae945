/* SPDX-License-Identifier: MIT */
/*
 * Conditions. A comparison that is only needed as a flag is emitted where the flag is read. A tree
 * of iand or of ior over comparisons becomes a chain: each comparison is predicated by the flag
 * that it writes, so that a channel's flag changes only while it can still change the result:
 *     cmp.l.f0.0 null a b          (f0.0) cmp.l.f0.0 null c d          // a < b && c < d
 * The result is the flag. If it is needed as a boolean, too, a register is set to the value of the
 * channels whose flag no longer changes, and the last comparison writes that of the others.
 */
#include "from_nir.h"

#include "util/dynarray.h"

enum { MAX_LEAVES = 64 };

/* --- Which values are part of a chain --- */

static nir_alu_instr *alu_of(const nir_def *def)
{
    return def->parent_instr->type == nir_instr_type_alu ? nir_instr_as_alu(def->parent_instr)
                                                         : NULL;
}

static enum i965_chain_role role_of(const struct from_nir *c, const nir_def *def)
{
    return c->chain_roles ? c->chain_roles[def->index] : I965_CHAIN_NONE;
}

static bool is_logic(const nir_alu_instr *alu)
{
    return alu && (alu->op == nir_op_iand || alu->op == nir_op_ior) && alu->def.bit_size == 32 &&
           alu->def.num_components == 1;
}

/* Returns the instruction that uses the value if it has a single use; otherwise NULL. */
static const nir_instr *only_user(const nir_def *def)
{
    if (!list_is_singular(&def->uses))
        return NULL;
    const nir_src *use = list_first_entry(&def->uses, nir_src, use_link);
    return nir_src_is_if(use) ? NULL : nir_src_parent_instr((nir_src *)use);
}

/* Returns whether alu is only an operand of an operation of the same kind in the same block. */
static bool is_inner(const nir_alu_instr *alu)
{
    const nir_instr *user = only_user(&alu->def);
    return user && user->type == nir_instr_type_alu && user->block == alu->instr.block &&
           nir_instr_as_alu((nir_instr *)user)->op == alu->op;
}

/* Returns whether the comparison is only an operand of the chain and can be emitted there. */
static bool is_own_comparison(const nir_alu_instr *alu, const nir_alu_instr *root)
{
    return alu && i965_is_comparison(alu) && only_user(&alu->def) &&
           alu->instr.block == root->instr.block;
}

static bool is_boolean(const struct from_nir *c, const nir_def *def)
{
    const nir_alu_instr *alu = alu_of(def);
    return alu && (i965_is_comparison(alu) || role_of(c, def) == I965_CHAIN_VALUE);
}

typedef DYNARRAY(nir_alu_src *) leaf_list;

/* Lists the operands of the tree whose root is alu, from left to right, and returns true. Returns
 * false as soon as there are too many. */
static bool list_leaves(nir_alu_instr *root, leaf_list *leaves, leaf_list *stack)
{
    leaves->count = stack->count = 0;
    for (unsigned i = 2; i-- > 0;)
        (void)dynarray_append(stack, &root->src[i]);
    while (stack->count) {
        if (leaves->count + stack->count > MAX_LEAVES) /* Each source on the stack has a leaf. */
            return false;
        nir_alu_src *src = stack->data[--stack->count];
        nir_alu_instr *alu = alu_of(src->src.ssa);
        if (!is_logic(alu) || alu->op != root->op || !is_inner(alu)) {
            (void)dynarray_append(leaves, src);
            continue;
        }
        for (unsigned i = 2; i-- > 0;)
            (void)dynarray_append(stack, &alu->src[i]);
    }
    return true;
}

static void mark_inner(struct from_nir *c, nir_alu_instr *root, leaf_list *stack)
{
    stack->count = 0;
    for (unsigned i = 0; i < 2; i++)
        (void)dynarray_append(stack, &root->src[i]);
    while (stack->count) {
        nir_alu_instr *alu = alu_of(stack->data[--stack->count]->src.ssa);
        if (is_logic(alu) && alu->op == root->op && is_inner(alu)) {
            c->chain_roles[alu->def.index] = I965_CHAIN_PART;
            for (unsigned i = 0; i < 2; i++)
                (void)dynarray_append(stack, &alu->src[i]);
        } else if (is_own_comparison(alu, root)) {
            c->chain_roles[alu->def.index] = I965_CHAIN_PART;
        }
    }
}

struct search {
    struct from_nir *c;
    leaf_list leaves, stack;
    unsigned *order; /* By nir_def.index: position in the program. */
};

/* Returns whether the operation becomes a chain: it must save instructions, beyond one that makes a
 * boolean if more than a flag is needed. */
static bool is_chain(struct search *s, nir_alu_instr *root)
{
    if (!list_leaves(root, &s->leaves, &s->stack))
        return false;
    /* A comparison of 64-bit values takes another instruction to make a boolean. */
    unsigned saved = 0, first = s->order[root->def.index], own = 0;
    for (unsigned i = 0; i < s->leaves.count; i++) {
        const nir_alu_src *leaf = s->leaves.data[i];
        const nir_alu_instr *alu = alu_of(leaf->src.ssa);
        if (!is_boolean(s->c, leaf->src.ssa))
            return false;
        if (!is_own_comparison(alu, root))
            continue;
        own++;
        saved += i965_is_wide_comparison(alu) ? 2 : 1;
        if (s->order[alu->def.index] < first)
            first = s->order[alu->def.index];
    }
    /* The operands live until the end of the chain, so nothing else may be in between. */
    if (s->order[root->def.index] - first > own + s->leaves.count)
        return false;
    bool flag = list_is_singular(&root->def.uses) && i965_only_flag_uses(root);
    return saved >= (flag ? 2 : 3);
}

/* Makes the operation or parts of it chains. */
static void find_chain(struct search *s, nir_alu_instr *root)
{
    struct from_nir *c = s->c;
    leaf_list roots = {.mem_ctx = c};
    (void)dynarray_append(&roots, &root->src[0]);
    for (nir_alu_instr *alu = root; alu;) {
        if (is_chain(s, alu)) {
            bool flag = list_is_singular(&alu->def.uses) && i965_only_flag_uses(alu);
            c->chain_roles[alu->def.index] = flag ? I965_CHAIN_FLAG : I965_CHAIN_VALUE;
            mark_inner(c, alu, &s->stack);
        } else {
            for (unsigned i = 0; i < 2; i++) {
                nir_alu_instr *part = alu_of(alu->src[i].src.ssa);
                if (is_logic(part) && part->op == alu->op && is_inner(part))
                    (void)dynarray_append(&roots, &alu->src[i]);
            }
        }
        alu = roots.count > 1 ? alu_of(roots.data[--roots.count]->src.ssa) : NULL;
    }
    dynarray_finish(&roots);
}

void i965_find_chains(struct from_nir *c, nir_function_impl *impl)
{
    struct search s = {.c = c, .leaves.mem_ctx = c, .stack.mem_ctx = c};
    unsigned next = 0;
    c->chain_roles = talloc_zero_array(c, uint8_t, impl->ssa_alloc + 1);
    s.order = talloc_zero_array(c, unsigned, impl->ssa_alloc + 1);
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            const nir_def *def = nir_instr_def(instr);
            if (def)
                s.order[def->index] = next;
            next++;
            nir_alu_instr *alu = instr->type == nir_instr_type_alu ? nir_instr_as_alu(instr) : NULL;
            if (is_logic(alu) && !is_inner(alu))
                find_chain(&s, alu);
        }
    }
    dynarray_finish(&s.leaves);
    dynarray_finish(&s.stack);
    talloc_free(s.order);
}

/* --- Emission --- */

/* Predicates the instructions after `before` that write the flag. */
static void predicate_since(struct from_nir *c, struct list_head *before, bool inverse)
{
    for (struct list_head *at = before->next; at != &c->p->insts; at = at->next) {
        struct lir_inst *inst = list_entry(at, struct lir_inst, node);
        if (!inst->cmod)
            continue;
        inst->predicate = EU_PREDICATE_NORMAL;
        inst->predicate_inverse = inverse;
    }
}

static void emit_leaf(struct from_nir *c, const nir_alu_src *leaf, struct lir_reg dst)
{
    nir_alu_instr *alu = alu_of(leaf->src.ssa);
    if (role_of(c, leaf->src.ssa) == I965_CHAIN_PART && i965_is_comparison(alu))
        i965_emit_comparison(c, alu, dst);
    else
        i965_test_nonzero(
            c, i965_src_as(c, leaf->src, nir_alu_src_comp((nir_alu_src *)leaf, 0), EU_TYPE_D));
}

/* Moves a comparison that can write a boolean to the end; returns whether there is one. */
static bool put_comparison_last(struct from_nir *c, leaf_list *leaves)
{
    for (unsigned i = leaves->count; i-- > 0;) {
        nir_alu_src *leaf = leaves->data[i];
        const nir_alu_instr *alu = alu_of(leaf->src.ssa);
        if (role_of(c, leaf->src.ssa) != I965_CHAIN_PART || i965_is_wide_comparison(alu))
            continue;
        leaves->data[i] = leaves->data[leaves->count - 1];
        leaves->data[leaves->count - 1] = leaf;
        return true;
    }
    return false;
}

/* Emits the chain, which sets the flag. If dst is a register, it becomes the boolean. */
static struct lir_inst *emit_chain(struct from_nir *c, nir_alu_instr *root, struct lir_reg dst)
{
    leaf_list leaves = {.mem_ctx = c}, stack = {.mem_ctx = c};
    bool inverse = root->op == nir_op_ior, boolean = !lir_is_null(&dst), direct = false;
    list_leaves(root, &leaves, &stack);
    if (boolean) {
        i965_emit1(c, EU_OPCODE_MOV, dst, lir_imm_ud(inverse ? ~0u : 0));
        direct = put_comparison_last(c, &leaves);
    }
    for (unsigned i = 0; i < leaves.count; i++) {
        struct list_head *before = c->p->insts.prev;
        bool last = i + 1 == leaves.count;
        emit_leaf(c, leaves.data[i], direct && last ? dst : lir_null(EU_TYPE_UD));
        if (i)
            predicate_since(c, before, inverse);
    }
    struct lir_inst *inst = list_last_entry(&c->p->insts, struct lir_inst, node);
    if (boolean && !direct) {
        inst = i965_emit1(c, EU_OPCODE_MOV, dst, lir_imm_ud(inverse ? 0 : ~0u));
        inst->predicate = EU_PREDICATE_NORMAL;
        inst->predicate_inverse = inverse;
    }
    inst->flag_is_result = direct;
    dynarray_finish(&leaves);
    dynarray_finish(&stack);
    return inst;
}

bool i965_from_chain(struct from_nir *c, nir_alu_instr *alu, struct lir_reg *value)
{
    switch (role_of(c, &alu->def)) {
    case I965_CHAIN_NONE:
        return false;
    case I965_CHAIN_VALUE:
        *value = i965_temp(c, EU_TYPE_UD);
        emit_chain(c, alu, *value);
        return true;
    default: /* The user emits it. */
        *value = lir_imm_ud(0);
        return true;
    }
}

/* Returns the comparison that computes the boolean, if it can be repeated here; otherwise NULL. */
static nir_alu_instr *comparison_of(nir_src src)
{
    nir_alu_instr *alu = alu_of(src.ssa);
    return alu && i965_is_comparison(alu) ? alu : NULL;
}

struct lir_inst *i965_test_nonzero(struct from_nir *c, struct lir_reg boolean)
{
    struct lir_reg r = lir_retype(i965_without_modifiers(c, boolean), EU_TYPE_D);
    if (r.file == LIR_IMM)
        r = i965_mov(c, EU_TYPE_D, r);
    struct lir_inst *mov = i965_emit1(c, EU_OPCODE_MOV, lir_null(EU_TYPE_D), r);
    mov->cmod = EU_CMOD_NZ;
    return mov;
}

struct lir_inst *i965_condition(struct from_nir *c, nir_src src, bool *inverse)
{
    *inverse = false;
    nir_alu_instr *alu = comparison_of(src);
    if (!alu && alu_of(src.ssa)) {
        nir_alu_instr *other = alu_of(src.ssa);
        if (other->op == nir_op_inot) {
            struct lir_inst *inst = i965_condition(c, other->src[0].src, inverse);
            *inverse = !*inverse;
            return inst;
        }
        if (role_of(c, src.ssa) == I965_CHAIN_FLAG)
            return emit_chain(c, other, lir_null(EU_TYPE_UD));
    }
    if (alu) {
        i965_emit_comparison(c, alu, lir_null(EU_TYPE_UD));
        return list_last_entry(&c->p->insts, struct lir_inst, node);
    }
    struct lir_inst *mov = i965_test_nonzero(c, i965_src_as(c, src, 0, EU_TYPE_D));
    mov->flag = I965_FLAG_CONDITION;
    return mov;
}

struct lir_inst *i965_simple_condition(struct from_nir *c, nir_src src, bool *inverse)
{
    nir_alu_instr *alu = alu_of(src.ssa);
    bool chain = alu && role_of(c, src.ssa) == I965_CHAIN_FLAG;
    *inverse = false;
    if (alu && alu->op == nir_op_inot) {
        struct lir_inst *inst = i965_simple_condition(c, alu->src[0].src, inverse);
        *inverse = !*inverse;
        return inst;
    }
    if (!chain && !(alu && i965_is_wide_comparison(alu)))
        return i965_condition(c, src, inverse);
    struct lir_reg boolean = i965_temp(c, EU_TYPE_UD);
    if (chain) {
        emit_chain(c, alu, boolean);
    } else {
        i965_emit1(c, EU_OPCODE_MOV, boolean, lir_imm_ud(0));
        i965_emit_comparison(c, alu, lir_null(EU_TYPE_UD));
        i965_emit1(c, EU_OPCODE_MOV, boolean, lir_imm_ud(~0u))->predicate = EU_PREDICATE_NORMAL;
    }
    return i965_test_nonzero(c, boolean);
}
