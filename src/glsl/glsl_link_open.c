/* SPDX-License-Identifier: MIT */
/*
 * Interfaces between separable ES programs (ES 3.2 §7.4.1). The linker records the declarations
 * that face other programs; a pipeline compares those of adjacent programs. In desktop GL, values
 * that do not match are undefined, so nothing is recorded.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"

/* ------------------------------------------------------------------------------- recording --- */

static void describe_qualifiers(struct strbuf *out, unsigned precision, unsigned interpolation)
{
    /* ESSL 3.20 §4.5: smooth is the default. */
    strbuf_printf(out, " %u %u", precision, interpolation ? interpolation : INTERP_MODE_SMOOTH);
}

/* Appends a text that is equal for matching types: structs match by their members, and by their
 * names only if `named`. */
static void describe_type(struct strbuf *out, const struct glsl_type *type, bool named)
{
    for (; glsl_type_is_array(type); type = type->element)
        strbuf_printf(out, "[%u]", type->length);
    if (!glsl_type_is_struct(type)) {
        strbuf_append(out, type->name);
        return;
    }
    strbuf_printf(out, "%s{", named ? type->name : "");
    for (unsigned i = 0; i < type->length; i++) {
        const struct glsl_struct_field *f = &type->fields[i];
        describe_type(out, f->type, named);
        describe_qualifiers(out, f->precision, f->interpolation);
        strbuf_printf(out, " %s;", f->name);
    }
    strbuf_append_char(out, '}');
}

void link_record_open(struct linker *ln, const struct link_io *io, unsigned count, bool outputs)
{
    struct glsl_program *p = ln->program;
    struct glsl_open_variable **list = outputs ? &p->open_outputs : &p->open_inputs;
    unsigned *n = outputs ? &p->num_open_outputs : &p->num_open_inputs;
    *list = talloc_zero_array(p, struct glsl_open_variable, count + 1);
    for (unsigned i = 0; i < count; i++) {
        struct strbuf type = STRBUF_INIT(ln->tmp);
        if (io[i].builtin)
            continue;
        /* As within a program, the names of structs count for variables that match by name. */
        describe_type(&type, io[i].type, io[i].location < 0);
        describe_qualifiers(&type, io[i].precision, io[i].interpolation);
        (*list)[*n] = (struct glsl_open_variable){
            .name = talloc_strdup(p, io[i].name),
            .block = talloc_strdup(p, io[i].block ? io[i].block : ""),
            .type = talloc_strdup(p, strbuf_str(&type)),
            .field = io[i].field,
            .location = io[i].location,
            .component = io[i].component,
            .patch = io[i].patch,
        };
        ++*n;
    }
}

/* -------------------------------------------------------------------------------- matching --- */

/* Returns whether an input reads an output: variables match by location or name, block members by
 * block, name and position. */
static bool is_pair(const struct glsl_open_variable *out, const struct glsl_open_variable *in)
{
    if (strcmp(out->block, in->block) || out->location != in->location ||
        out->component != in->component || out->patch != in->patch)
        return false;
    if (*in->block)
        return out->field == in->field && !strcmp(out->name, in->name);
    return in->location >= 0 || !strcmp(out->name, in->name);
}

bool glsl_interfaces_match(const struct glsl_program *producer, const struct glsl_program *consumer)
{
    /* Each input has one output, so equal numbers leave no output without an input. */
    if (producer->num_open_outputs != consumer->num_open_inputs)
        return false;
    for (unsigned i = 0; i < consumer->num_open_inputs; i++) {
        const struct glsl_open_variable *in = &consumer->open_inputs[i], *out = NULL;
        for (unsigned o = 0; o < producer->num_open_outputs && !out; o++)
            if (is_pair(&producer->open_outputs[o], in))
                out = &producer->open_outputs[o];
        if (!out || strcmp(out->type, in->type))
            return false;
    }
    return true;
}
