/* SPDX-License-Identifier: MIT */
/* Prints HIR as s-expressions. */
#include "glsl/hir.h"

static void indent(FILE *fp, unsigned depth)
{
    fprintf(fp, "%*s", depth * 2, "");
}

static void print_constant(const struct hir_constant *c, FILE *fp)
{
    const struct glsl_type *t = c->base.type;
    fprintf(fp, "(constant %s (", t->name);
    if (c->elements) {
        for (unsigned i = 0; i < t->length; i++) {
            fputs(i ? " " : "", fp);
            print_constant(c->elements[i], fp);
        }
        fputs("))", fp);
        return;
    }
    for (unsigned i = 0; i < glsl_component_count(t); i++) {
        fputs(i ? " " : "", fp);
        switch (t->base_type) {
        case GLSL_TYPE_FLOAT:
        case GLSL_TYPE_FLOAT16:
            fprintf(fp, "%f", c->value[i].f32);
            break;
        case GLSL_TYPE_DOUBLE:
            fprintf(fp, "%f", c->value[i].f64);
            break;
        case GLSL_TYPE_UINT:
            fprintf(fp, "%u", c->value[i].u32);
            break;
        case GLSL_TYPE_BOOL:
            fprintf(fp, "%d", c->value[i].b);
            break;
        default:
            fprintf(fp, "%d", c->value[i].i32);
        }
    }
    fputs("))", fp);
}

static void print_texture(const struct hir_texture *tex, FILE *fp)
{
    static const char *const ops[] = {"tex", "txb", "txl", "txd",          "txf",    "txf_ms",
                                      "txs", "lod", "tg4", "query_levels", "samples"};
    const struct {
        const char *name;
        const struct hir_value *value;
    } sources[] = {
        {"", tex->sampler},         {"", tex->coord},
        {"proj ", tex->projector},  {"ref ", tex->comparator},
        {"lod ", tex->lod},         {"bias ", tex->bias},
        {"ddx ", tex->dPdx},        {"ddy ", tex->dPdy},
        {"offset ", tex->offset},   {"sample ", tex->sample_index},
        {"comp ", tex->component},  {"offsets ", tex->offsets},
        {"min_lod ", tex->min_lod},
    };
    fprintf(fp, "(%s%s %s", ops[tex->op], tex->residency ? " residency" : "", tex->base.type->name);
    for (unsigned i = 0; i < ARRAY_SIZE(sources); i++) {
        if (!sources[i].value)
            continue;
        fprintf(fp, " %s", sources[i].name);
        hir_print_value(sources[i].value, fp);
    }
    fputs(")", fp);
}

void hir_print_value(const struct hir_value *value, FILE *fp)
{
    switch (value->node.kind) {
    case HIR_CONSTANT:
        print_constant((const struct hir_constant *)value, fp);
        break;
    case HIR_EXPRESSION: {
        const struct hir_expression *e = (const struct hir_expression *)value;
        fprintf(fp, "(expression %s %s", value->type->name, hir_op_infos[e->op].name);
        for (unsigned i = 0; i < e->num_operands; i++) {
            fputs(" ", fp);
            hir_print_value(e->operands[i], fp);
        }
        fputs(")", fp);
        break;
    }
    case HIR_SWIZZLE: {
        const struct hir_swizzle *s = (const struct hir_swizzle *)value;
        fputs("(swiz ", fp);
        for (unsigned i = 0; i < value->type->vector_elements; i++)
            fputc("xyzw"[s->component[i] & 3], fp);
        fputs(" ", fp);
        hir_print_value(s->value, fp);
        fputs(")", fp);
        break;
    }
    case HIR_DEREF_VARIABLE:
        fprintf(fp, "(var_ref %s)", ((const struct hir_deref_variable *)value)->var->name);
        break;
    case HIR_DEREF_ARRAY: {
        const struct hir_deref_array *d = (const struct hir_deref_array *)value;
        fputs("(array_ref ", fp);
        hir_print_value(d->value, fp);
        fputs(" ", fp);
        hir_print_value(d->index, fp);
        fputs(")", fp);
        break;
    }
    case HIR_DEREF_RECORD: {
        const struct hir_deref_record *d = (const struct hir_deref_record *)value;
        fputs("(record_ref ", fp);
        hir_print_value(d->value, fp);
        fprintf(fp, " %s)", d->value->type->fields[d->field].name);
        break;
    }
    case HIR_TEXTURE:
        print_texture((const struct hir_texture *)value, fp);
        break;
    default:
        fputs("(?)", fp);
    }
}

static void print_variable(const struct hir_variable *var, FILE *fp)
{
    static const char *const modes[] = {"",        "",          "temporary ", "uniform ", "buffer ",
                                        "shared ", "in ",       "out ",       "in ",      "out ",
                                        "inout ",  "const_in ", "sys "};
    static const char *const interpolation[] = {"", "smooth ", "flat ", "noperspective ",
                                                "pervertexNV "};
    fprintf(fp, "(declare (%s%s%s%s", var->centroid ? "centroid " : "",
            var->invariant ? "invariant " : "", interpolation[MIN2(var->interpolation, 4)],
            modes[var->mode]);
    if (var->location >= 0)
        fprintf(fp, "location=%d ", var->location);
    fprintf(fp, ") %s %s)", var->type->name, var->name);
}

static void print_list(const struct list_head *list, unsigned depth, FILE *fp);

static void print_block(const struct list_head *list, unsigned depth, FILE *fp)
{
    fputs("(\n", fp);
    print_list(list, depth + 1, fp);
    indent(fp, depth);
    fputs(")", fp);
}

static void print_assign(const struct hir_assign *a, FILE *fp)
{
    fputs("(assign ", fp);
    if (a->write_mask) {
        fputs("(", fp);
        for (unsigned i = 0; i < 4; i++) {
            if (a->write_mask >> i & 1)
                fputc("xyzw"[i], fp);
        }
        fputs(") ", fp);
    }
    hir_print_value(a->lhs, fp);
    fputs(" ", fp);
    hir_print_value(a->rhs, fp);
    fputs(")", fp);
}

static void print_call(const struct hir_call *call, FILE *fp)
{
    fprintf(fp, "(call %s ", call->callee->function->name);
    if (call->return_deref) {
        hir_print_value(call->return_deref, fp);
        fputs(" ", fp);
    }
    fputs("(", fp);
    for (unsigned i = 0; i < call->num_args; i++) {
        fputs(i ? " " : "", fp);
        hir_print_value(call->args[i], fp);
    }
    fputs("))", fp);
}

static void print_intrinsic(const struct hir_intrinsic *intr, FILE *fp)
{
    fprintf(fp, "(intrinsic %s", hir_intrinsic_names[intr->op]);
    for (unsigned i = 0; i < intr->num_args; i++) {
        fputs(" ", fp);
        hir_print_value(intr->args[i], fp);
    }
    if (intr->return_deref) {
        fputs(" to ", fp);
        hir_print_value(intr->return_deref, fp);
    }
    fputs(")", fp);
}

static void print_node(const struct hir_node *node, unsigned depth, FILE *fp)
{
    switch (node->kind) {
    case HIR_VARIABLE:
        print_variable((const struct hir_variable *)node, fp);
        break;
    case HIR_ASSIGN:
        print_assign((const struct hir_assign *)node, fp);
        break;
    case HIR_CALL:
        print_call((const struct hir_call *)node, fp);
        break;
    case HIR_IF: {
        const struct hir_if *i = (const struct hir_if *)node;
        fputs("(if ", fp);
        hir_print_value(i->condition, fp);
        fputs(" ", fp);
        print_block(&i->then_list, depth, fp);
        fputs(" ", fp);
        print_block(&i->else_list, depth, fp);
        fputs(")", fp);
        break;
    }
    case HIR_LOOP: {
        const struct hir_loop *l = (const struct hir_loop *)node;
        fputs("(loop ", fp);
        print_block(&l->body, depth, fp);
        fputs(" ", fp);
        print_block(&l->continue_list, depth, fp);
        fputs(")", fp);
        break;
    }
    case HIR_JUMP:
        fputs(((const struct hir_jump *)node)->mode == HIR_JUMP_BREAK ? "break" : "continue", fp);
        break;
    case HIR_RETURN:
        fputs("(return", fp);
        if (((const struct hir_return *)node)->value) {
            fputs(" ", fp);
            hir_print_value(((const struct hir_return *)node)->value, fp);
        }
        fputs(")", fp);
        break;
    case HIR_DISCARD:
        fputs("(discard", fp);
        if (((const struct hir_discard *)node)->condition) {
            fputs(" ", fp);
            hir_print_value(((const struct hir_discard *)node)->condition, fp);
        }
        fputs(")", fp);
        break;
    case HIR_EMIT_VERTEX:
        fputs("(emit-vertex)", fp);
        break;
    case HIR_END_PRIMITIVE:
        fputs("(end-primitive)", fp);
        break;
    case HIR_INTRINSIC:
        print_intrinsic((const struct hir_intrinsic *)node, fp);
        break;
    default:
        fputs("(?)", fp);
    }
}

static void print_list(const struct list_head *list, unsigned depth, FILE *fp)
{
    list_for_each_entry (struct hir_node, node, list, link) {
        indent(fp, depth);
        print_node(node, depth, fp);
        fputs("\n", fp);
    }
}

static void print_signature(const struct hir_signature *sig, FILE *fp)
{
    fprintf(fp, "  (signature %s (parameters", sig->return_type->name);
    for (unsigned i = 0; i < sig->num_params; i++) {
        fputs(" ", fp);
        print_variable(sig->params[i], fp);
    }
    fputs(") ", fp);
    if (sig->defined)
        print_block(&sig->body, 1, fp);
    fputs(")\n", fp);
}

void hir_print(const struct hir_shader *sh, FILE *fp)
{
    print_list(&sh->instructions, 0, fp);
    list_for_each_entry (struct hir_function, f, &sh->functions, link) {
        fprintf(fp, "(function %s\n", f->name);
        list_for_each_entry (struct hir_signature, sig, &f->signatures, link)
            print_signature(sig, fp);
        fputs(")\n", fp);
    }
}
