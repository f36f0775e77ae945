/* SPDX-License-Identifier: MIT */
/*
 * Control flow. SPIR-V control flow is structured (§2.11). Each block is emitted once, where its
 * construct reaches it. A branch becomes fall-through, or a break or continue of a NIR loop.
 *
 * A switch becomes a loop that runs once. A branch from inside it that leaves an outer loop sets an
 * exit code, which is tested after the switch. A phi becomes a variable that each incoming edge
 * stores to.
 *
 * If only one branch reaches the continue target, the continue construct is emitted at that branch.
 * Otherwise it is emitted at the head of the loop and skipped in the first iteration.
 */
#include "spirv/spirv_private.h"

enum construct_kind { CONSTRUCT_IF, CONSTRUCT_LOOP, CONSTRUCT_SWITCH };
/* What to do with the enclosing loop after a switch. */
enum exit_code { EXIT_NONE, EXIT_BREAK, EXIT_CONTINUE };

/* A construct whose blocks are being emitted. */
struct spv_construct {
    enum construct_kind kind;
    struct spv_construct *parent;
    uint32_t merge;
    bool reached; /* a branch to the merge block was emitted */
    unsigned depth;
    /* loops */
    uint32_t header, target;
    bool in_place;    /* the continue construct is emitted at the branch to it */
    bool in_continue; /* the continue construct is being emitted */
    /* switches */
    uint32_t next;      /* target of the case that the current case may fall into; 0: none */
    nir_variable *fall; /* true at run time if the current case falls through */
    nir_variable *exit; /* enum exit_code for the enclosing loop; NULL: never set */
    unsigned exits;     /* mask of the exit codes that are stored */
};

/* ---------------------------------------------------------------------------------- parsing --- */

static struct spv_block *label(struct spv *p, uint32_t id)
{
    const struct spv_value *v = id && id < p->bound ? p->values[id] : NULL;
    spv_fail_if(p, !v || v->kind != SPV_LABEL, "id %u is not a block of this function", id);
    return v->block;
}

/* Calls visit for each target of a terminator. */
static void visit_targets(struct spv *p, const struct spv_instr *in,
                          void (*visit)(struct spv *p, uint32_t id, void *data), void *data)
{
    switch (in->op) {
    case SpvOpBranch:
        visit(p, in->w[1], data);
        break;
    case SpvOpBranchConditional:
        spv_fail_if(p, in->count != 4 && in->count != 6, "has only one branch weight");
        visit(p, in->w[2], data);
        visit(p, in->w[3], data);
        break;
    case SpvOpSwitch: {
        const struct spv_type *t = spv_id(p, in->w[1])->type;
        spv_fail_if(p, !t || t->op != SpvOpTypeInt, "the selector must be an integer");
        unsigned words = t->width / 32;
        spv_fail_if(p, (in->count - 3) % (words + 1), "a case literal has no target");
        visit(p, in->w[2], data);
        for (unsigned i = 3; i < in->count; i += words + 1)
            visit(p, in->w[i + words], data);
        break;
    }
    default:
        break;
    }
}

static bool is_terminator(SpvOp op)
{
    return op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch ||
           op == SpvOpReturn || op == SpvOpReturnValue || op == SpvOpKill || op == SpvOpUnreachable;
}

/* Records the result id of an instruction in a function, so that no id is defined twice. */
static void record_result(struct spv *p, const struct spv_instr *in)
{
    if (in->info->operands[0] != 't')
        return;
    struct spv_value *v = spv_id(p, in->w[2]);
    spv_fail_if(p, v->kind != SPV_NOTHING || v->offset, "id %u is defined twice", in->w[2]);
    v->type = spv_type(p, in->w[1]);
    v->offset = in->offset;
}

static struct spv_block *find_block(struct spv *p, struct spv_function *f, uint32_t *offset)
{
    struct spv_block *b = spv_alloc(p, sizeof *b);
    struct spv_instr in = p->at;
    spv_define(p, in.w[1], SPV_LABEL)->block = b;
    *b = (struct spv_block){.label = in.w[1], .offset = in.offset, .function = f};
    *offset += in.count;
    for (bool phis = true;;) {
        in = spv_next(p, *offset);
        bool line = in.op == SpvOpLine || in.op == SpvOpNoLine;
        spv_fail_if(p,
                    in.op == SpvOpLabel || in.op == SpvOpFunctionEnd || in.op == SpvOpFunction ||
                        in.op == SpvOpFunctionParameter,
                    "the preceding block lacks a terminator");
        spv_fail_if(p, in.op == SpvOpPhi && !phis,
                    "must precede all other instructions of its block");
        spv_fail_if(p, b->merge && !is_terminator(in.op) && !line,
                    "is between a merge instruction and the terminator of the block");
        phis &= in.op == SpvOpPhi || line;
        if (in.op == SpvOpPhi && !b->phis)
            b->phis = in.offset;
        if (!phis && !b->first)
            b->first = in.offset;
        if (in.op == SpvOpSelectionMerge || in.op == SpvOpLoopMerge) {
            b->merge_op = in.op;
            b->merge = in.w[1];
            b->target = in.op == SpvOpLoopMerge ? in.w[2] : 0;
        }
        record_result(p, &in);
        *offset += in.count;
        if (is_terminator(in.op))
            break;
    }
    b->end = in.offset;
    return b;
}

static void count_edge(struct spv *p, uint32_t id, void *data)
{
    struct spv_block *to = label(p, id), *from = data;
    spv_fail_if(p, to->function != from->function, "branches into another function");
    spv_fail_if(p, to == to->function->entry, "branches to the first block of the function");
    to->preds++;
}

static void check_blocks(struct spv *p, struct spv_function *f)
{
    for (struct spv_block *b = f->entry; b; b = b->next) {
        struct spv_instr in = spv_read(p, b->end);
        visit_targets(p, &in, count_edge, b);
        if (b->merge)
            spv_fail_if(p, label(p, b->merge)->function != f || b->merge == b->label,
                        "the merge block is in another function");
        if (b->target)
            spv_fail_if(p, label(p, b->target)->function != f,
                        "the continue target is in another function");
    }
}

void spv_find_function(struct spv *p, uint32_t *offset)
{
    struct spv_instr in = p->at;
    struct spv_function *f = spv_alloc(p, sizeof *f);
    f->params.mem_ctx = p->mem;
    f->id = in.w[2];
    f->offset = in.offset;
    f->type = spv_type(p, in.w[4]);
    spv_fail_if(p, f->type->op != SpvOpTypeFunction || f->type->element != spv_type(p, in.w[1]),
                "the function type does not match the result type");
    spv_define(p, f->id, SPV_FUNCTION)->function = f;
    *offset += in.count;
    struct spv_block **link = &f->entry;
    for (;;) {
        in = spv_next(p, *offset);
        if (in.op == SpvOpFunctionEnd)
            break;
        if (in.op == SpvOpFunctionParameter && !f->entry) {
            unsigned i = f->params.count;
            spv_fail_if(p, i >= f->type->length || f->type->members[i] != spv_type(p, in.w[1]),
                        "the parameter does not match the function type");
            record_result(p, &in);
            dynarray_append(&f->params, in.w[2]);
            *offset += in.count;
        } else if (in.op == SpvOpLabel) {
            *link = find_block(p, f, offset);
            link = &(*link)->next;
        } else if (in.op == SpvOpLine || in.op == SpvOpNoLine || in.op == SpvOpNop) {
            *offset += in.count;
        } else {
            spv_fail(p, "is outside of any block");
        }
    }
    spv_fail_if(p, f->params.count != f->type->length, "too few OpFunctionParameter instructions");
    spv_fail_if(p, !f->entry, "a function without a body is not supported");
    *offset += in.count;
    f->words = *offset - f->offset;
    check_blocks(p, f);
}

/* ------------------------------------------------------------------------------------- phis --- */

static nir_variable *phi_variable(struct spv *p, uint32_t id)
{
    struct spv_value *v = spv_id(p, id);
    if (v->storage_serial != p->serial) {
        spv_fail_if(p, !v->type->plain || v->type->opaque || v->type->op == SpvOpTypePointer,
                    "a phi of this type is not supported");
        spv_count_work(p, v->type->nodes);
        v->storage =
            nir_local_variable_create(p->impl, glsl_type_clone(p->shader, v->type->plain), "phi");
        v->storage_serial = p->serial;
    }
    return v->storage;
}

/* Stores the phi values of the edge between two blocks. */
static void store_phis(struct spv *p, const struct spv_block *from, const struct spv_block *to)
{
    struct spv_instr at = p->at;
    for (uint32_t offset = to->phis; offset && offset < to->first;) {
        struct spv_instr in = spv_read(p, offset);
        unsigned i = 3;
        offset += in.count;
        if (in.op != SpvOpPhi)
            continue;
        while (i + 1 < in.count && in.w[i + 1] != from->label)
            i += 2;
        spv_count_work(p, in.count / 8);
        spv_fail_if(p, i + 1 >= in.count, "has no value for predecessor block %u", from->label);
        struct spv_ssa v = spv_use(p, in.w[i]);
        nir_variable *var = phi_variable(p, in.w[2]);
        spv_fail_if(p, !spv_same_type(v.type, spv_type(p, in.w[1])), "value %u has the wrong type",
                    in.w[i]);
        spv_store_part(p, nir_build_deref_var(&p->b, var), &v);
    }
    p->at = at;
}

static void load_phis(struct spv *p, const struct spv_block *b)
{
    for (uint32_t offset = b->phis; offset && offset < b->first;) {
        struct spv_instr in = spv_read(p, offset);
        offset += in.count;
        if (in.op != SpvOpPhi)
            continue;
        nir_deref_instr *deref = nir_build_deref_var(&p->b, phi_variable(p, in.w[2]));
        spv_set(p, &in, spv_load_part(p, deref, spv_type(p, in.w[1])));
    }
}

/* -------------------------------------------------------------------------------- branches --- */

static void emit_blocks(struct spv *p, uint32_t id);

/* Returns the innermost construct that is a loop in NIR. */
static struct spv_construct *innermost_loop(struct spv_construct *c)
{
    while (c && c->kind == CONSTRUCT_IF)
        c = c->parent;
    return c;
}

/* Emits a break or continue of an outer loop, through the switches in between. */
static void emit_loop_exit(struct spv *p, struct spv_construct *loop, enum exit_code code)
{
    struct spv_construct *c = innermost_loop(p->construct);
    if (c != loop) {
        if (!c->exit)
            c->exit = nir_local_variable_create(p->impl, glsl_int_type(), "exit");
        c->exits |= 1u << code;
        nir_store_var(&p->b, c->exit, nir_imm_int(&p->b, code), 1);
        nir_jump(&p->b, nir_jump_break);
    } else if (code == EXIT_BREAK) {
        nir_jump(&p->b, nir_jump_break);
    } else {
        struct spv_construct *outer = p->construct;
        if (loop->in_place) {
            p->construct = loop;
            loop->in_continue = true;
            emit_blocks(p, loop->target);
            loop->in_continue = false;
            p->construct = outer;
        }
        if (outer != loop && !nir_block_ends_in_jump(nir_cursor_current_block(p->b.cursor)))
            nir_jump(&p->b, nir_jump_continue);
    }
}

enum branch_kind {
    BRANCH_NEXT,  /* to the block that comes next */
    BRANCH_MERGE, /* to the code after the construct */
    BRANCH_JUMP,  /* a break or continue of a NIR loop */
};

/* Classifies a branch to block id; *through is the construct that it ends or leaves. */
static enum branch_kind classify_branch(struct spv *p, uint32_t id, struct spv_construct **through)
{
    for (struct spv_construct *c = p->construct; c; c = c->parent) {
        *through = c;
        if (id == c->merge) {
            spv_fail_if(p, c->kind == CONSTRUCT_IF && c != p->construct,
                        "branches out of a selection to the merge block of an outer selection");
            return c->kind == CONSTRUCT_IF ? BRANCH_MERGE : BRANCH_JUMP;
        }
        if (c->kind == CONSTRUCT_SWITCH && id == c->next) {
            spv_fail_if(p, c != p->construct,
                        "falls through to another case from within a selection");
            return BRANCH_MERGE;
        }
        if (c->kind == CONSTRUCT_LOOP) {
            spv_fail_if(p, id == c->target && id != c->header && c->in_continue,
                        "branches to the continue target from within the continue construct");
            if (id == c->header || id == c->target)
                return c == p->construct ? BRANCH_MERGE : BRANCH_JUMP;
            break;
        }
    }
    *through = NULL;
    return BRANCH_NEXT;
}

/* Emits a branch. Returns the block to emit next at this place, or 0. */
static uint32_t branch(struct spv *p, const struct spv_block *from, uint32_t id)
{
    struct spv_construct *c;
    enum branch_kind kind = classify_branch(p, id, &c);
    store_phis(p, from, label(p, id));
    if (kind == BRANCH_NEXT)
        return id;
    if (id == c->merge) {
        c->reached = true;
        if (c->kind != CONSTRUCT_IF)
            emit_loop_exit(p, c, EXIT_BREAK);
    } else if (c->kind == CONSTRUCT_SWITCH) {
        nir_store_var(&p->b, c->fall, nir_imm_true(&p->b), 1);
    } else if (id == c->header) {
        spv_fail_if(p, c->target != c->header && (!c->in_continue || p->construct != c),
                    "branches back to a loop header from outside its continue construct");
        if (p->construct != c)
            emit_loop_exit(p, c, EXIT_CONTINUE);
    } else {
        emit_loop_exit(p, c, EXIT_CONTINUE);
    }
    return 0;
}

/* Emits a branch and the blocks to emit next at this place. */
static void branch_and_follow(struct spv *p, const struct spv_block *from, uint32_t id)
{
    emit_blocks(p, branch(p, from, id));
}

/* ------------------------------------------------------------------------------ constructs --- */

static void push(struct spv *p, struct spv_construct *c)
{
    c->parent = p->construct;
    c->depth = c->parent ? c->parent->depth + 1 : 1;
    spv_fail_if(p, c->depth > SPV_MAX_NESTING, "control flow is nested too deeply");
    p->construct = c;
}

static nir_def *condition(struct spv *p, uint32_t id)
{
    struct spv_ssa v = spv_use(p, id);
    spv_fail_if(p, v.type->op != SpvOpTypeBool, "the condition must be boolean");
    return v.c[0];
}

/* Emits a selection. Its targets meet in block `merge`; 0: they don't meet. */
static uint32_t emit_if(struct spv *p, const struct spv_block *b, const struct spv_instr *in,
                        uint32_t merge)
{
    struct spv_construct c = {.kind = CONSTRUCT_IF, .merge = merge};
    nir_def *cond = condition(p, in->w[1]);
    const bool same = in->w[2] == in->w[3]; /* the target is emitted once */
    if (same)
        cond = nir_imm_true(&p->b);
    nir_if *nif = nir_push_if(&p->b, cond);
    push(p, &c);
    branch_and_follow(p, b, in->w[2]);
    if (!same) {
        nir_push_else(&p->b, nif);
        branch_and_follow(p, b, in->w[3]);
    }
    nir_pop_if(&p->b, nif);
    p->construct = c.parent;
    return c.reached ? c.merge : 0;
}

struct spv_meeting {
    DYNARRAY(uint32_t) stack;
    uint32_t first; /* spv_block.owner of blocks to which the first target leads */
    uint32_t block; /* the first of them to which the second target leads; 0: none */
};

static void visit_meeting(struct spv *p, uint32_t id, void *data)
{
    struct spv_meeting *m = data;
    struct spv_construct *c;
    struct spv_block *b = label(p, id);
    if (b->owner == p->owner || classify_branch(p, id, &c) != BRANCH_NEXT)
        return;
    if (b->owner == m->first) {
        m->block = id;
        return;
    }
    spv_count_work(p, 1);
    b->owner = p->owner;
    if (!dynarray_append(&m->stack, id))
        spv_out_of_memory(p);
}

/* Returns the block of the innermost construct in which the targets of a conditional branch meet;
 * 0 if there is none. */
static uint32_t find_meeting(struct spv *p, const struct spv_instr *in)
{
    struct spv_instr at = p->at;
    struct spv_meeting m = {.stack.mem_ctx = p->mem};
    for (unsigned i = 0; i < 2; i++) {
        m.first = i ? p->owner : UINT32_MAX;
        p->owner++;
        visit_meeting(p, in->w[2 + i], &m);
        while (m.stack.count) {
            struct spv_instr end = spv_read(p, label(p, m.stack.data[--m.stack.count])->end);
            visit_targets(p, &end, visit_meeting, &m);
        }
    }
    p->at = at;
    return m.block;
}

/* Emits a conditional branch without OpSelectionMerge: at least one target leaves a construct, or
 * the branch ends a loop header. */
static uint32_t emit_exit(struct spv *p, const struct spv_block *b, const struct spv_instr *in)
{
    struct spv_construct *c;
    enum branch_kind kinds[2] = {classify_branch(p, in->w[2], &c),
                                 classify_branch(p, in->w[3], &c)};
    nir_def *cond = condition(p, in->w[1]);
    if (in->w[2] == in->w[3])
        return branch(p, b, in->w[2]);
    if (kinds[0] == BRANCH_NEXT && kinds[1] == BRANCH_NEXT) {
        spv_fail_if(p, b->merge_op != SpvOpLoopMerge, "lacks a merge instruction");
        return emit_if(p, b, in, find_meeting(p, in));
    }
    for (unsigned i = 0; i < 2; i++) {
        if (kinds[i] != BRANCH_JUMP || kinds[!i] != BRANCH_NEXT)
            continue;
        nir_push_if(&p->b, i ? nir_inot(&p->b, cond) : cond);
        branch_and_follow(p, b, in->w[2 + i]);
        nir_pop_if(&p->b, NULL);
        return branch(p, b, in->w[2 + !i]);
    }
    spv_fail_if(p, ++p->depth > SPV_MAX_NESTING, "control flow is nested too deeply");
    nir_if *nif = nir_push_if(&p->b, cond);
    branch_and_follow(p, b, in->w[2]);
    nir_push_else(&p->b, nif);
    branch_and_follow(p, b, in->w[3]);
    nir_pop_if(&p->b, nif);
    p->depth--;
    return 0;
}

static uint32_t emit_contents(struct spv *p, struct spv_block *b);

/* Returns whether a continue construct may be emitted several times: a single short block. */
static bool is_short(struct spv *p, const struct spv_block *b, uint32_t header)
{
    struct spv_instr end = spv_read(p, b->end);
    return end.op == SpvOpBranch && end.w[1] == header && b->end - b->offset < 32;
}

static uint32_t emit_loop(struct spv *p, struct spv_block *b)
{
    struct spv_construct c = {
        .kind = CONSTRUCT_LOOP, .merge = b->merge, .header = b->label, .target = b->target};
    struct spv_block *target = label(p, b->target);
    c.in_place = b->target != b->label && (target->preds <= 1 || is_short(p, target, b->label));
    target->repeatable = c.in_place;
    nir_variable *again = NULL;
    if (!c.in_place && b->target != b->label) {
        again = nir_local_variable_create(p->impl, glsl_bool_type(), "again");
        nir_store_var(&p->b, again, nir_imm_false(&p->b), 1);
    }
    push(p, &c);
    p->loop_depth++;
    nir_loop *loop = nir_push_loop(&p->b);
    emit_blocks(p, emit_contents(p, b));
    if (again) {
        p->b.cursor = nir_before_cf_list(&loop->body);
        nir_push_if(&p->b, nir_load_var(&p->b, again));
        c.in_continue = true;
        p->construct = &c;
        emit_blocks(p, c.target);
        nir_pop_if(&p->b, NULL);
        nir_store_var(&p->b, again, nir_imm_true(&p->b), 1);
    }
    nir_pop_loop(&p->b, loop);
    p->loop_depth--;
    p->construct = c.parent;
    return c.reached ? c.merge : 0;
}

/* --------------------------------------------------------------------------------- switches --- */

struct spv_case {
    uint32_t target;
    bool is_default;
    bool leaves; /* the target is the merge block or continue target of the enclosing loop */
    /* Indices of the case it falls into and of the case that falls into it; UINT32_MAX: none. */
    unsigned next, before;
    nir_def *match; /* true if the selector equals one of its literals; NULL: it has none */
};

struct spv_switch {
    DYNARRAY(struct spv_case) cases;
    DYNARRAY(uint32_t) stack;
    struct hash_table *by_target; /* target → index + 1 */
    uint32_t merge;
    unsigned at; /* index of the case whose blocks are being searched */
};

static void visit_case_target(struct spv *p, uint32_t id, void *data)
{
    struct spv_switch *s = data;
    uintptr_t found = (uintptr_t)hash_table_get(s->by_target, (void *)(uintptr_t)id);
    struct spv_construct *c;
    if (found && s->cases.data[found - 1].leaves)
        return;
    if (found && found - 1 != s->at) {
        s->cases.data[s->at].next = found - 1;
        return;
    }
    if (id == s->merge || found || classify_branch(p, id, &c) != BRANCH_NEXT)
        return;
    struct spv_block *b = label(p, id);
    if (b->owner == p->owner)
        return;
    spv_count_work(p, 1);
    b->owner = p->owner;
    dynarray_append(&s->stack, id);
}

/* Determines which case each case falls into: the one that its blocks branch to. */
static void find_fallthroughs(struct spv *p, struct spv_switch *s)
{
    struct spv_instr at = p->at;
    p->owner++;
    for (s->at = 0; s->at < s->cases.count; s->at++) {
        if (s->cases.data[s->at].leaves)
            continue;
        dynarray_append(&s->stack, s->cases.data[s->at].target);
        while (s->stack.count) {
            const struct spv_block *b = label(p, s->stack.data[--s->stack.count]);
            struct spv_instr in = spv_read(p, b->end);
            visit_targets(p, &in, visit_case_target, s);
        }
        unsigned next = s->cases.data[s->at].next;
        if (next == UINT32_MAX)
            continue;
        spv_fail_if(p, s->cases.data[next].before != UINT32_MAX,
                    "two switch cases fall into the same case");
        s->cases.data[next].before = s->at;
    }
    p->at = at;
}

static struct spv_case *add_case(struct spv *p, struct spv_switch *s, uint32_t target)
{
    uintptr_t found = (uintptr_t)hash_table_get(s->by_target, (void *)(uintptr_t)target);
    struct spv_case added = {.target = target, .next = UINT32_MAX, .before = UINT32_MAX};
    if (!found) {
        if (!dynarray_append(&s->cases, added))
            spv_out_of_memory(p);
        found = s->cases.count;
        hash_table_insert(s->by_target, (void *)(uintptr_t)target, (void *)found);
    }
    return &s->cases.data[found - 1];
}

static void emit_case(struct spv *p, const struct spv_block *from, struct spv_construct *c,
                      struct spv_switch *s, unsigned i, nir_def *none)
{
    const struct spv_case *k = &s->cases.data[i];
    nir_def *cond = k->match;
    if (k->is_default)
        cond = cond ? nir_ior(&p->b, cond, none) : none;
    if (k->before != UINT32_MAX)
        cond = nir_ior(&p->b, cond, nir_load_var(&p->b, c->fall));
    c->next = k->next == UINT32_MAX ? 0 : s->cases.data[k->next].target;
    nir_push_if(&p->b, cond);
    emit_blocks(p, k->leaves ? branch(p, from, k->target) : k->target);
    nir_pop_if(&p->b, NULL);
}

/* Reads literals and targets and emits the comparisons before all cases. Returns the condition of
 * the default case: no literal matches. */
static nir_def *read_cases(struct spv *p, struct spv_switch *s, const struct spv_instr *in)
{
    struct spv_ssa selector = spv_use(p, in->w[1]);
    spv_fail_if(p, selector.type->op != SpvOpTypeInt, "the selector must be an integer");
    unsigned words = selector.type->width / 32;
    nir_def *any = nir_imm_false(&p->b);
    if (in->w[2] != s->merge)
        add_case(p, s, in->w[2])->is_default = true;
    for (unsigned i = 3; i + words < in->count; i += words + 1) {
        uint64_t literal = in->w[i];
        if (words == 2)
            literal |= (uint64_t)in->w[i + 1] << 32;
        nir_def *match = nir_ieq_imm(&p->b, selector.c[0], literal);
        any = nir_ior(&p->b, any, match);
        if (in->w[i + words] == s->merge)
            continue;
        struct spv_case *k = add_case(p, s, in->w[i + words]);
        k->match = k->match ? nir_ior(&p->b, k->match, match) : match;
    }
    return nir_inot(&p->b, any);
}

static void store_target_phis(struct spv *p, uint32_t id, void *data)
{
    store_phis(p, data, label(p, id));
}

static uint32_t emit_switch(struct spv *p, struct spv_block *b, const struct spv_instr *in)
{
    struct spv_construct c = {.kind = CONSTRUCT_SWITCH, .merge = b->merge};
    struct spv_switch s = {.merge = b->merge, .by_target = hash_table_create_u32(p->mem)};
    s.cases.mem_ctx = s.stack.mem_ctx = p->mem;
    nir_def *none = read_cases(p, &s, in);
    visit_targets(p, in, store_target_phis, b);
    push(p, &c);
    for (unsigned i = 0; i < s.cases.count; i++) {
        struct spv_construct *through;
        enum branch_kind kind = classify_branch(p, s.cases.data[i].target, &through);
        s.cases.data[i].leaves = kind == BRANCH_JUMP && through->kind == CONSTRUCT_LOOP;
        spv_fail_if(p, kind != BRANCH_NEXT && !s.cases.data[i].leaves,
                    "a case label branches into another construct");
    }
    find_fallthroughs(p, &s);
    c.fall = nir_local_variable_create(p->impl, glsl_bool_type(), "fall");
    nir_store_var(&p->b, c.fall, nir_imm_false(&p->b), 1);
    nir_loop *loop = nir_push_loop(&p->b);
    unsigned emitted = 0;
    for (unsigned i = 0; i < s.cases.count; i++) {
        if (s.cases.data[i].before != UINT32_MAX)
            continue;
        for (unsigned k = i; k != UINT32_MAX; k = s.cases.data[k].next, emitted++)
            emit_case(p, b, &c, &s, k, none);
    }
    spv_fail_if(p, emitted != s.cases.count, "switch cases fall through in a cycle");
    nir_jump(&p->b, nir_jump_break);
    nir_pop_loop(&p->b, loop);
    p->construct = c.parent;
    if (c.exit) {
        nir_builder before = nir_builder_at(nir_before_cf_node(&loop->cf_node));
        nir_store_var(&before, c.exit, nir_imm_int(&before, EXIT_NONE), 1);
    }
    struct spv_construct *outer = c.parent;
    while (outer && outer->kind != CONSTRUCT_LOOP)
        outer = outer->parent;
    for (unsigned code = EXIT_BREAK; code <= EXIT_CONTINUE; code++) {
        if (!(c.exits >> code & 1))
            continue;
        nir_push_if(&p->b, nir_ieq_imm(&p->b, nir_load_var(&p->b, c.exit), code));
        emit_loop_exit(p, outer, code);
        if (!nir_block_ends_in_jump(nir_cursor_current_block(p->b.cursor)))
            nir_jump(&p->b, nir_jump_continue);
        nir_pop_if(&p->b, NULL);
    }
    /* Without a default, or if the default is the merge block, the head reaches it. */
    return c.merge;
}

/* ----------------------------------------------------------------------------------- blocks --- */

/* Emits a discard. In a loop, the invocation also leaves the loop, so that it cannot loop
 * forever. */
static void emit_kill(struct spv *p)
{
    spv_fail_if(p, p->stage != SHADER_FRAGMENT, "is only allowed in fragment shaders");
    p->shader->info.fs.uses_discard = true;
    nir_discard(&p->b);
    if (p->loop_depth)
        nir_jump(&p->b, nir_jump_return);
}

static void emit_return(struct spv *p, const struct spv_instr *in)
{
    const struct spv_type *type = p->instance->function->type->element;
    spv_fail_if(p, (type->op == SpvOpTypeVoid) != (in->op == SpvOpReturn),
                "does not match the return type of the function");
    if (in->op == SpvOpReturnValue) {
        struct spv_ssa v = spv_use(p, in->w[1]);
        spv_fail_if(p, !spv_same_type(v.type, type), "the value has the wrong type");
        spv_store_part(p, nir_build_deref_var(&p->b, p->instance->result), &v);
    }
    if (p->construct || p->depth)
        nir_jump(&p->b, nir_jump_return);
}

static uint32_t emit_terminator(struct spv *p, struct spv_block *b)
{
    struct spv_instr in = spv_read(p, b->end);
    switch (in.op) {
    case SpvOpBranch:
        return branch(p, b, in.w[1]);
    case SpvOpBranchConditional:
        return b->merge_op == SpvOpSelectionMerge ? emit_if(p, b, &in, b->merge)
                                                  : emit_exit(p, b, &in);
    case SpvOpSwitch:
        spv_fail_if(p, b->merge_op != SpvOpSelectionMerge, "lacks a merge instruction");
        return emit_switch(p, b, &in);
    case SpvOpReturn:
    case SpvOpReturnValue:
        emit_return(p, &in);
        return 0;
    case SpvOpKill:
        emit_kill(p);
        return 0;
    default: /* OpUnreachable */
        return 0;
    }
}

static uint32_t emit_contents(struct spv *p, struct spv_block *b)
{
    load_phis(p, b);
    for (uint32_t offset = b->first; offset < b->end;) {
        struct spv_instr in = spv_read(p, offset);
        offset += in.count;
        if (in.op != SpvOpSelectionMerge && in.op != SpvOpLoopMerge && in.op != SpvOpLine &&
            in.op != SpvOpNoLine && in.op != SpvOpNop)
            spv_emit_instruction(p, &in);
    }
    return emit_terminator(p, b);
}

/* Emits the blocks from `id` on, as far as each leads to the next. */
static void emit_blocks(struct spv *p, uint32_t id)
{
    while (id) {
        struct spv_block *b = label(p, id);
        p->at = spv_read(p, b->offset);
        spv_fail_if(p, b->serial == p->serial && !b->repeatable,
                    "block %u is reached from more than one construct", id);
        spv_count_work(p, b->repeatable ? (b->end - b->offset) : 1);
        b->serial = p->serial;
        id = b->merge_op == SpvOpLoopMerge ? emit_loop(p, b) : emit_contents(p, b);
    }
}

void spv_emit_body(struct spv *p, struct spv_instance *instance)
{
    p->instance = instance;
    p->construct = NULL;
    p->loop_depth = p->depth = 0;
    emit_blocks(p, instance->function->entry->label);
}
