/* SPDX-License-Identifier: MIT */
/*
 * Functions at link time: finds the definition of every call in any shader of the stage, rejects
 * recursion (GLSL 1.20 §6.1: static recursion is an error even if never executed), and limits the
 * size of main after inlining.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"
#include "indium/driver.h"

/* Maximum number of instructions after inlining. Larger shaders are rejected because they would
 * take hours to compile. */
#define MAX_INLINED_SIZE 2000000u

struct walk {
    struct linker *ln;
    struct link_stage *st;
    struct hash_table *state; /* hir_signature → struct node */
};

struct node {
    bool open;     /* on the current path from the root */
    unsigned size; /* number of instructions including callees */
};

static bool same_parameters(const struct hir_signature *a, const struct hir_signature *b)
{
    if (a->num_params != b->num_params)
        return false;
    for (unsigned i = 0; i < a->num_params; i++) {
        if (!glsl_type_equal(a->params[i]->type, b->params[i]->type))
            return false;
    }
    return true;
}

/* Returns the definition in any shader of the stage, or NULL. */
static struct hir_signature *find_definition(const struct link_stage *st,
                                             const struct hir_signature *sig)
{
    for (unsigned i = 0; i < st->shaders.count; i++) {
        struct hir_function *f =
            hash_table_get(st->shaders.data[i]->hir->function_table, sig->function->name);
        if (!f)
            continue;
        list_for_each_entry (struct hir_signature, s, &f->signatures, link) {
            if (s->defined && !s->builtin && same_parameters(s, sig))
                return s;
        }
    }
    return NULL;
}

/* Returns whether arguments of the types of `sig` can be passed to `to` with conversions from
 * integers to floats. */
static bool converts(const struct hir_signature *sig, const struct hir_signature *to)
{
    if (sig->num_params != to->num_params || !glsl_type_equal(sig->return_type, to->return_type))
        return false;
    for (unsigned i = 0; i < sig->num_params; i++) {
        const struct glsl_type *a = sig->params[i]->type, *b = to->params[i]->type;
        bool in =
            to->params[i]->mode == HIR_VAR_FUNCTION_IN || to->params[i]->mode == HIR_VAR_CONST_IN;
        bool integer = a->base_type == GLSL_TYPE_INT || a->base_type == GLSL_TYPE_UINT;
        if (!glsl_type_equal(a, b) &&
            !(in && integer && b->base_type == GLSL_TYPE_FLOAT &&
              a->vector_elements == b->vector_elements && b->matrix_columns == 1))
            return false;
    }
    return true;
}

/* Returns whether a needs no conversion that b doesn't need, and b needs one more. */
static bool is_better(const struct hir_signature *sig, const struct hir_signature *a,
                      const struct hir_signature *b)
{
    bool better = false;
    for (unsigned i = 0; i < sig->num_params; i++) {
        bool exact_a = glsl_type_equal(sig->params[i]->type, a->params[i]->type);
        bool exact_b = glsl_type_equal(sig->params[i]->type, b->params[i]->type);
        if (exact_b && !exact_a)
            return false;
        better |= exact_a && !exact_b;
    }
    return better;
}

/* Returns the shader that contains the signature. */
static const struct hir_shader *shader_of(const struct link_stage *st,
                                          const struct hir_signature *sig)
{
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        if (hash_table_get(sh->function_table, sig->function->name) == sig->function)
            return sh;
    }
    return NULL;
}

/* Returns the definition that a call of the prototype sig selects with implicit conversions (GLSL
 * 4.60 §6.1), or NULL if there is none or the call is ambiguous. */
static struct hir_signature *find_convertible(const struct link_stage *st,
                                              const struct hir_signature *sig)
{
    const struct hir_shader *caller = shader_of(st, sig);
    struct hir_signature *best = NULL;
    bool ambiguous = false;
    if (!caller || !caller->converts_arguments)
        return NULL;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        struct hir_function *f =
            hash_table_get(st->shaders.data[i]->hir->function_table, sig->function->name);
        if (!f)
            continue;
        list_for_each_entry (struct hir_signature, s, &f->signatures, link) {
            if (!s->defined || s->builtin || !converts(sig, s))
                continue;
            bool first = !best;
            if (first || (caller->ranks_conversions && is_better(sig, s, best))) {
                best = s;
                ambiguous = false;
            } else {
                ambiguous |= !caller->ranks_conversions || !is_better(sig, best, s);
            }
        }
    }
    return ambiguous ? NULL : best;
}

struct hir_signature *link_definition(const struct link_stage *st, struct hir_signature *sig)
{
    if (sig->defined)
        return sig;
    return hash_table_get(st->resolved, sig);
}

static unsigned visit(struct walk *w, struct hir_signature *sig);

static void add_size(unsigned *size, unsigned n)
{
    *size = *size > MAX_INLINED_SIZE || n > MAX_INLINED_SIZE ? MAX_INLINED_SIZE + 1 : *size + n;
}

static unsigned value_size(const struct hir_value *value)
{
    unsigned n = 1;
    switch (value->node.kind) {
    case HIR_EXPRESSION: {
        const struct hir_expression *e = (const struct hir_expression *)value;
        for (unsigned i = 0; i < e->num_operands; i++)
            add_size(&n, value_size(e->operands[i]));
        break;
    }
    case HIR_SWIZZLE:
        add_size(&n, value_size(((const struct hir_swizzle *)value)->value));
        break;
    case HIR_DEREF_ARRAY:
        add_size(&n, value_size(((const struct hir_deref_array *)value)->value));
        add_size(&n, value_size(((const struct hir_deref_array *)value)->index));
        break;
    case HIR_DEREF_RECORD:
        add_size(&n, value_size(((const struct hir_deref_record *)value)->value));
        break;
    default:
        break;
    }
    return n;
}

static unsigned visit_call(struct walk *w, const struct hir_call *call)
{
    struct hir_signature *sig = call->callee;
    if (call->subroutine) {
        const struct glsl_type *type = glsl_without_array(call->subroutine->type);
        unsigned size = 0;
        for (unsigned i = 0; i < w->st->subroutines.count; i++) {
            struct hir_signature *s = w->st->subroutines.data[i].sig;
            if (link_is_subroutine_of(s, type))
                add_size(&size, visit(w, s));
        }
        return size;
    }
    if (!sig->defined) {
        struct hir_signature *def = link_definition(w->st, sig);
        if (!def && !(def = find_definition(w->st, sig)) && !(def = find_convertible(w->st, sig)))
            return 0; /* an error if the call remains after optimization: see link_check_resolved */
        hash_table_insert(w->st->resolved, sig, def);
        sig = def;
    }
    return visit(w, sig);
}

/* GLSL 4.60 §8.12: vertex streams that do not exist are an error. */
static void check_emit(struct walk *w, const struct hir_emit *emit)
{
    unsigned streams = MAX2(w->ln->options->limits.max_vertex_streams, 1);
    if (emit->stream >= streams) {
        link_error(w->ln, "vertex stream %d is out of range (limit %u)", (int)emit->stream,
                   streams);
        return;
    }
    w->st->streams |= 1u << emit->stream;
    w->st->ends_primitives |= emit->node.kind == HIR_END_PRIMITIVE;
}

static unsigned visit_list(struct walk *w, const struct list_head *list)
{
    unsigned size = 0;
    list_for_each_entry (struct hir_node, node, list, link) {
        add_size(&size, 1);
        switch (node->kind) {
        case HIR_ASSIGN:
            add_size(&size, value_size(((struct hir_assign *)node)->rhs));
            break;
        case HIR_CALL: {
            struct hir_call *call = (struct hir_call *)node;
            for (unsigned i = 0; i < call->num_args; i++)
                add_size(&size, value_size(call->args[i]));
            add_size(&size, visit_call(w, call));
            break;
        }
        case HIR_IF:
            add_size(&size, visit_list(w, &((struct hir_if *)node)->then_list));
            add_size(&size, visit_list(w, &((struct hir_if *)node)->else_list));
            break;
        case HIR_LOOP:
            add_size(&size, visit_list(w, &((struct hir_loop *)node)->body));
            add_size(&size, visit_list(w, &((struct hir_loop *)node)->continue_list));
            break;
        case HIR_EMIT_VERTEX:
        case HIR_END_PRIMITIVE:
            check_emit(w, (const struct hir_emit *)node);
            break;
        default:
            break;
        }
    }
    return size;
}

static unsigned visit(struct walk *w, struct hir_signature *sig)
{
    struct node *n = hash_table_get(w->state, sig);
    if (n && n->open) {
        link_error(w->ln, "function `%s' is recursive", sig->function->name);
        return 0;
    }
    if (n)
        return n->size;
    n = talloc_zero(w->state, struct node);
    hash_table_insert(w->state, sig, n);
    n->open = true;
    n->size = visit_list(w, &sig->body);
    n->open = false;
    return n->size;
}

/* A function with several bodies is an error, even if it is never called. */
static void check_duplicates(struct linker *ln, struct link_stage *st)
{
    for (unsigned i = 0; i < st->shaders.count; i++) {
        list_for_each_entry (struct hir_function, f, &st->shaders.data[i]->hir->functions, link) {
            list_for_each_entry (struct hir_signature, s, &f->signatures, link) {
                if (!s->defined || s->builtin)
                    continue;
                s->function = f;
                if (find_definition(st, s) != s)
                    link_error(ln, "function `%s' has multiple definitions", f->name);
            }
        }
    }
}

void link_check_resolved(struct linker *ln, struct link_stage *st)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(st->nir);
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic != nir_intrinsic_end_primitive ||
                nir_intrinsic_stream_id(intr) < LINK_UNRESOLVED)
                continue;
            unsigned i = nir_intrinsic_stream_id(intr) - LINK_UNRESOLVED;
            link_error(ln, "unresolved reference to function `%s'",
                       st->unresolved.data[i]->function->name);
            return;
        }
    }
}

/* ------------------------------------------------------------------------------ subroutines --- */

bool link_is_subroutine_of(const struct hir_signature *sig, const struct glsl_type *type)
{
    for (unsigned i = 0; i < sig->num_subroutine_types; i++) {
        if (!strcmp(sig->subroutine_types[i]->type->name, type->name))
            return true;
    }
    return false;
}

static bool index_taken(const struct link_stage *st, unsigned index)
{
    for (unsigned i = 0; i < st->subroutines.count; i++) {
        if (st->subroutines.data[i].index == index)
            return true;
    }
    return false;
}

/* GLSL 4.60 §4.4.4: subroutines without layout(index) get the lowest free indices. */
static void collect_subroutines(struct linker *ln, struct link_stage *st)
{
    unsigned next = 0;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        list_for_each_entry (struct hir_function, f, &st->shaders.data[i]->hir->functions, link) {
            list_for_each_entry (struct hir_signature, s, &f->signatures, link) {
                struct link_subroutine added = {s, UINT32_MAX};
                if (!s->defined || !s->num_subroutine_types)
                    continue;
                if (s->subroutine_index >= 0 && index_taken(st, s->subroutine_index))
                    link_error(ln, "subroutine index %d is used twice", s->subroutine_index);
                if (s->subroutine_index >= 0)
                    added.index = s->subroutine_index;
                dynarray_append(&st->subroutines, added);
            }
        }
    }
    for (unsigned i = 0; i < st->subroutines.count; i++) {
        while (st->subroutines.data[i].index == UINT32_MAX && index_taken(st, next))
            next++;
        if (st->subroutines.data[i].index == UINT32_MAX)
            st->subroutines.data[i].index = next;
    }
    if (st->subroutines.count > MAX2(ln->options->limits.max_subroutines, 1))
        link_error(ln, "too many %s shader subroutines (%u > %u)", link_stage_name(st->stage),
                   st->subroutines.count, ln->options->limits.max_subroutines);
}

void link_functions(struct linker *ln, struct link_stage *st)
{
    struct walk w = {.ln = ln, .st = st, .state = hash_table_create_pointer(ln->tmp)};
    st->resolved = hash_table_create_pointer(ln->tmp);
    check_duplicates(ln, st);
    collect_subroutines(ln, st);
    for (unsigned i = 0; i < st->shaders.count && !ln->failed; i++) {
        struct hir_shader *sh = st->shaders.data[i]->hir;
        list_for_each_entry (struct hir_function, f, &sh->functions, link) {
            list_for_each_entry (struct hir_signature, s, &f->signatures, link) {
                if (!s->defined || s->builtin)
                    continue;
                visit(&w, s);
                if (!strcmp(f->name, "main") && s->num_params == 0)
                    st->main = s;
            }
        }
    }
    if (!st->main) {
        link_error(ln, "%s shader lacks `main'", link_stage_name(st->stage));
        return;
    }
    if (st->streams & ~1u && st->info.gs.output_primitive != DRV_PRIM_POINTS)
        link_error(ln, "vertex streams other than 0 require points as the output primitive type");
    unsigned size = visit(&w, st->main);
    for (unsigned i = 0; i < st->shaders.count; i++)
        add_size(&size, visit_list(&w, &st->shaders.data[i]->hir->instructions));
    if (size > MAX_INLINED_SIZE)
        link_error(ln, "%s shader is too complex", link_stage_name(st->stage));
}
