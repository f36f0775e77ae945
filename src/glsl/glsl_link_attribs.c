/* SPDX-License-Identifier: MIT */
/*
 * Lists the program's inputs and outputs (GL 4.6 §7.3.1): inputs of the first stage and outputs of
 * the last stage, with the names that applications query. Structs are listed by member, arrays of
 * aggregates by element.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"

#define MAX_LISTED 65536

struct listing {
    struct linker *ln;
    struct glsl_attrib **list;
    unsigned *count;
    struct glsl_attrib common; /* fields shared by all parts of a variable */
    unsigned slots_before;     /* slots of the variable before this part */
    bool is_input;             /* vertex shader input: a double vector takes one slot */
};

static void add_part(struct listing *l, const char *name, const struct glsl_type *type)
{
    struct glsl_program *p = l->ln->program;
    if (*l->count >= MAX_LISTED)
        return;
    *l->list = talloc_realloc(p, *l->list, struct glsl_attrib, *l->count + 1);
    struct glsl_attrib *a = &(*l->list)[(*l->count)++];
    *a = l->common;
    /* Adds "[0]" for the innermost array dimension; queries add it for a single dimension. */
    bool element = glsl_type_is_array(type) && name[strlen(name) - 1] == ']';
    a->name = talloc_asprintf(p, "%s%s", name, element ? "[0]" : "");
    a->type = glsl_type_clone(p, type);
    a->slot += (int)l->slots_before;
    if (a->location >= 0)
        a->location += (int)l->slots_before;
    l->slots_before += glsl_count_attribute_slots(type, l->is_input);
}

static void add_parts(struct listing *l, const char *name, const struct glsl_type *type)
{
    bool array = glsl_type_is_array(type);
    bool aggregates =
        array && (glsl_type_is_array(type->element) || glsl_type_is_struct_or_ifc(type->element));
    if (!aggregates && !glsl_type_is_struct_or_ifc(type)) {
        add_part(l, name, type);
        return;
    }
    for (unsigned i = 0; i < type->length && *l->count < MAX_LISTED; i++) {
        const char *part = array ? talloc_asprintf(l->ln->tmp, "%s[%u]", name, i)
                                 : talloc_asprintf(l->ln->tmp, "%s.%s", name, type->fields[i].name);
        add_parts(l, part, array ? type->element : type->fields[i].type);
    }
}

/* Returns the location that the application sees. */
static int known_location(const struct link_stage *st, const nir_variable *var, bool builtin)
{
    int location = var->data.location;
    if (builtin || var->data.mode == nir_var_system_value)
        return -1;
    if (st->stage == SHADER_VERTEX && var->data.mode == nir_var_shader_in)
        return location - VERT_ATTRIB_GENERIC0;
    if (st->stage == SHADER_FRAGMENT && var->data.mode == nir_var_shader_out)
        return location - FRAG_RESULT_DATA0;
    return !var->data.explicit_location ? -1
           : var->data.patch            ? location - VARYING_SLOT_PATCH0
                                        : location - VARYING_SLOT_VAR0;
}

/* Returns the declaration of the block that an input or output is a member of: the instance, or the
 * member itself if there is no instance name. NULL: it is no block member. */
static const struct link_var *find_block(const struct link_stage *st, const nir_variable *var)
{
    const char *dot = strchr(var->name, '.');
    const bool output = var->data.mode == nir_var_shader_out;
    const enum hir_variable_mode mode = output ? HIR_VAR_SHADER_OUT : HIR_VAR_SHADER_IN;
    for (unsigned i = 0; dot && i < st->vars.count; i++) {
        const struct hir_variable *d = st->vars.data[i].decl;
        const size_t n = (size_t)(dot - var->name);
        if (d->mode == mode && !d->builtin && d->interface_type &&
            !strncmp(d->interface_type->name, var->name, n) && !d->interface_type->name[n] &&
            (d->interface_field < 0 || !strcmp(d->name, dot + 1)))
            return &st->vars.data[i];
    }
    return NULL;
}

/* Returns the type of a member without the dimensions of the block's instances, which are not
 * listed (GL 4.6 §7.3.1.1). */
static const struct glsl_type *without_instances(const struct link_stage *st,
                                                 const struct link_var *block,
                                                 const struct glsl_type *type)
{
    const struct glsl_type *t = block->type;
    if (block->decl->interface_field >= 0)
        return type;
    if (link_is_per_vertex(st->stage, block->decl))
        t = t->element;
    for (; glsl_type_is_array(t) && glsl_type_is_array(type); t = t->element)
        type = type->element;
    return type;
}

/* Returns the name of the block that a built-in input or output is a member of. */
static const char *builtin_block(const struct link_stage *st, const nir_variable *var)
{
    return st->stage != SHADER_MESH  ? "gl_PerVertex"
           : var->data.per_primitive ? "gl_MeshPerPrimitiveEXT"
                                     : "gl_MeshPerVertexEXT";
}

static void list_variable(struct linker *ln, const struct link_stage *st, const nir_variable *var,
                          bool output)
{
    struct glsl_program *p = ln->program;
    const char *dot = strchr(var->name, '.'), *name = var->name;
    const struct glsl_type *type = link_declared_type(var);
    const struct glsl_type *vertex = link_declared_vertex_type(st->stage, var);
    bool builtin = !strncmp(name, "gl_", 3);
    struct listing l = {
        .ln = ln,
        .list = output ? &p->outputs : &p->inputs,
        .count = output ? &p->num_outputs : &p->num_inputs,
        .is_input = st->stage == SHADER_VERTEX && !output,
        .common =
            {
                .location = known_location(st, var, builtin),
                .slot = var->data.location,
                .index = var->data.index,
                .component = var->data.location_frac,
                .patch = var->data.patch,
                .stages = 1 << st->stage,
            },
    };
    const struct link_var *block = find_block(st, var);
    if (block)
        vertex = without_instances(st, block, vertex);
    if (dot) /* members of an array of blocks are listed once */
        type = vertex;
    if (block && block->decl->interface_field >= 0) /* no instance name: "member" */
        name = dot + 1;
    if (dot && builtin) /* gl_Position.gl_in */
        name = talloc_asprintf(ln->tmp, "%s.%.*s", builtin_block(st, var), (int)(dot - name), name);
    if (type == vertex || glsl_type_is_vector_or_scalar(vertex)) {
        add_parts(&l, name, type);
        return;
    }
    for (unsigned i = 0; i < type->length; i++) { /* all vertices have the same locations */
        l.slots_before = 0;
        add_parts(&l, talloc_asprintf(ln->tmp, "%s[%u]", name, i), vertex);
    }
}

void link_list_attributes(struct linker *ln, const struct link_stage *first,
                          const struct link_stage *last)
{
    nir_foreach_variable_with_modes (var, first->nir, nir_var_shader_in | nir_var_system_value)
        list_variable(ln, first, var, false);
    nir_foreach_shader_out_variable(var, last->nir) list_variable(ln, last, var, true);
}
