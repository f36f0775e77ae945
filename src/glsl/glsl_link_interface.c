/* SPDX-License-Identifier: MIT */
/*
 * Checks declarations of inputs and outputs: overlapping locations (GLSL 4.60 §4.4.1, §4.4.2), and
 * matching between adjacent stages (GL 4.6 §7.4.1, GLSL 4.60 §4.3.4, §4.5). glsl_link_varyings.c
 * assigns slots later, on NIR.
 */
#include <stdlib.h>
#include <talloc.h>

#include "glsl/glsl_link.h"

#define MAX_LOCATIONS 128

struct io_list {
    DYNARRAY(struct link_io) io;
    struct hash_table *names; /* "block.name" or "name" → index + 1 */
};

/* ---------------------------------------------------------------------------------- listing --- */

static void add_io(struct linker *ln, struct io_list *list, struct link_io io)
{
    const char *key = io.block ? talloc_asprintf(ln->tmp, "%s.%s", io.block, io.name) : io.name;
    dynarray_append(&list->io, io);
    hash_table_insert(list->names, key, (void *)(uintptr_t)list->io.count);
}

/* Returns `element` with the array dimensions of `array`. */
static const struct glsl_type *array_of(struct linker *ln, const struct glsl_type *array,
                                        const struct glsl_type *element)
{
    if (!glsl_type_is_array(array))
        return element;
    return glsl_array_type(ln->tmp, array_of(ln, array->element, element), array->length, 0);
}

static void add_field(struct linker *ln, struct io_list *list, const struct link_var *lv,
                      const struct glsl_type *block, unsigned field, const struct glsl_type *dims)
{
    const struct glsl_struct_field *f = &block->fields[field];
    const struct hir_variable *d = lv->decl;
    int first = block->fields[0].location;
    struct link_io io = {
        .name = f->name,
        .block = block->name,
        .field = (int)field,
        .type = array_of(ln, dims, f->type),
        .var = lv,
        /* Locations of all instances are consecutive per member, as hir_to_nir_deref.c assigns
         * slots. */
        .location = f->location < 0 ? -1 : first + (f->location - first) * (int)glsl_aoa_size(dims),
        .component = MAX2(f->component, 0),
        .interpolation = f->interpolation ? f->interpolation : d->interpolation,
        .precision = f->precision,
        .centroid = f->centroid || d->centroid,
        .sample = f->sample || d->sample,
        .patch = f->patch || d->patch,
        .per_primitive = d->per_primitive,
        .stream = f->stream ? f->stream : d->stream,
        .builtin = d->builtin,
    };
    add_io(ln, list, io);
}

static void add_variable(struct linker *ln, const struct link_stage *st, struct io_list *list,
                         const struct link_var *lv)
{
    const struct hir_variable *d = lv->decl;
    const struct glsl_type *type = lv->type;
    if (link_is_per_vertex(st->stage, d))
        type = type->element;
    if (d->interface_type && d->interface_field < 0) {
        const struct glsl_type *block = glsl_without_array(type);
        for (unsigned i = 0; glsl_type_is_interface(block) && i < block->length; i++)
            add_field(ln, list, lv, block, i, type);
        return;
    }
    if (d->interface_type) {
        const struct link_block *block = link_find_block(ln, st->stage, d);
        add_field(ln, list, lv, block->type, d->interface_field, glsl_void_type());
        return;
    }
    struct link_io io = {
        .name = lv->name,
        .type = type,
        .var = lv,
        .location = d->builtin ? -1 : lv->location,
        .component = MAX2(lv->component, 0),
        .index = d->index,
        .interpolation = d->interpolation,
        .precision = d->precision,
        .centroid = d->centroid,
        .sample = d->sample,
        .patch = d->patch,
        .per_primitive = d->per_primitive,
        .stream = d->stream,
        .invariant = d->invariant,
        .builtin = d->builtin,
    };
    add_io(ln, list, io);
}

static struct io_list *list_interface(struct linker *ln, const struct link_stage *st,
                                      enum hir_variable_mode mode)
{
    struct io_list *list = talloc_zero(ln->tmp, struct io_list);
    list->io.mem_ctx = list;
    list->names = hash_table_create_string(list);
    for (unsigned i = 0; i < st->vars.count; i++) {
        if (st->vars.data[i].decl->mode == mode)
            add_variable(ln, st, list, &st->vars.data[i]);
    }
    return list;
}

/* -------------------------------------------------------------------------------- locations --- */

struct location_map {
    struct linker *ln;
    const struct link_stage *st;
    const char *direction; /* "input", "output" */
    /* [1]: patch variables, or the second source of dual-source blending. */
    const struct link_io *owner[2][MAX_LOCATIONS][4];
    uint8_t kind[2][MAX_LOCATIONS]; /* enum glsl_base_type of the first variable at the location */
    bool fragment_output;
    unsigned limit; /* number of locations */
    bool failed;
};

/* Returns the kind of type that may share a location: floats or integers of one size. */
static unsigned numeric_kind(const struct glsl_type *t)
{
    const bool handle = glsl_type_is_sampler(t) || glsl_type_is_image(t);
    return t->base_type == GLSL_TYPE_INT               ? GLSL_TYPE_UINT
           : t->base_type == GLSL_TYPE_INT64 || handle ? GLSL_TYPE_UINT64
                                                       : t->base_type;
}

static void claim(struct location_map *m, const struct link_io *io, const struct glsl_type *t,
                  unsigned location, unsigned first, unsigned count, bool in_struct)
{
    unsigned set = m->fragment_output ? io->index & 1 : io->patch;
    if (location >= m->limit || location >= MAX_LOCATIONS) {
        link_error(m->ln, "location %u of %s shader %s `%s' is out of range (limit %u)", location,
                   link_stage_name(m->st->stage), m->direction, io->name, m->limit);
        m->failed = true;
        return;
    }
    for (unsigned c = 0; c < 4 && !m->failed; c++) {
        const struct link_io *other = m->owner[set][location][c];
        if (!other)
            continue;
        bool overlap = other != io && c >= first && c < first + count;
        bool aux = other->interpolation != io->interpolation || other->centroid != io->centroid ||
                   other->sample != io->sample || other->per_primitive != io->per_primitive;
        const char *why = overlap       ? "overlap"
                          : other == io ? NULL
                          : in_struct || m->kind[set][location] != numeric_kind(t)
                              ? "share it, but have different types"
                          : aux && !m->fragment_output
                              ? "share it, but have different interpolation qualifiers"
                              : NULL;
        if (!why)
            continue;
        link_error(m->ln, "%s shader %ss `%s' and `%s' at location %u %s",
                   link_stage_name(m->st->stage), m->direction, other->name, io->name, location,
                   why);
        m->failed = true;
    }
    for (unsigned c = first; c < MIN2(first + count, 4) && !m->failed; c++)
        m->owner[set][location][c] = io;
    m->kind[set][location] = in_struct ? GLSL_TYPE_STRUCT : numeric_kind(t);
}

/* Returns the number of 32-bit components of a scalar or vector. Samplers and images are 64-bit
 * handles (ARB_bindless_texture). */
static unsigned count_words(const struct glsl_type *t)
{
    if (glsl_type_is_sampler(t) || glsl_type_is_image(t))
        return 2;
    return t->vector_elements * (glsl_type_is_64bit(t) ? 2 : 1);
}

/* Claims the locations and components of a variable, starting at *location. */
static void claim_type(struct location_map *m, const struct link_io *io, const struct glsl_type *t,
                       unsigned *location, bool in_struct)
{
    if (m->failed)
        return;
    if (glsl_type_is_struct_or_ifc(t)) {
        for (unsigned i = 0; i < t->length; i++)
            claim_type(m, io, t->fields[i].type, location, true);
        return;
    }
    if (glsl_type_is_array(t) || glsl_type_is_matrix(t)) {
        for (unsigned i = 0; i < glsl_length_of(t) && !m->failed; i++)
            claim_type(m, io, glsl_element_of(t), location, in_struct);
        return;
    }
    unsigned count = count_words(t), first = io->component;
    do {
        claim(m, io, t, (*location)++, first, MIN2(count, 4 - first), in_struct);
        count -= MIN2(count, 4 - first);
        first = 0;
    } while (count && !m->failed);
}

static unsigned max_locations(const struct linker *ln, enum shader_stage stage, bool input)
{
    const struct glsl_limits *l = &ln->options->limits;
    unsigned components = input ? l->max_input_components[stage] : l->max_output_components[stage];
    if (stage == SHADER_FRAGMENT && !input)
        return l->max_draw_buffers;
    return components ? components / 4 : l->max_varying_components / 4;
}

/* Checks for overlapping locations. Vertex inputs may share locations (GL 4.6 §11.1.1) and have a
 * separate limit. */
static void check_locations(struct linker *ln, const struct link_stage *st,
                            const struct io_list *list, bool input)
{
    if (st->stage == SHADER_VERTEX && input)
        return;
    struct location_map *m = NULL;
    for (unsigned i = 0; i < list->io.count; i++) {
        const struct link_io *io = &list->io.data[i];
        if (io->builtin || io->location < 0)
            continue;
        if (!m) {
            m = talloc_zero(ln->tmp, struct location_map);
            m->ln = ln;
            m->st = st;
            m->direction = input ? "input" : "output";
            m->fragment_output = st->stage == SHADER_FRAGMENT && !input;
            m->limit = max_locations(ln, st->stage, input);
        }
        unsigned location = io->location;
        claim_type(m, io, io->type, &location, false);
        if (m->failed)
            return;
    }
}

/* --------------------------------------------------------------------------------- matching --- */

struct interface {
    struct linker *ln;
    const struct link_stage *producer, *consumer;
    struct io_list *outputs, *inputs;
};

/* Returns the matching output, by location and component if given, else by name (GL 4.6 §7.4.1). */
static const struct link_io *find_output(const struct interface *f, const struct link_io *in)
{
    for (unsigned i = 0; in->location >= 0 && i < f->outputs->io.count; i++) {
        const struct link_io *out = &f->outputs->io.data[i];
        if (out->location == in->location && out->component == in->component &&
            out->patch == in->patch && !out->builtin)
            return out;
    }
    if (in->location >= 0)
        return NULL;
    const char *key =
        in->block ? talloc_asprintf(f->ln->tmp, "%s.%s", in->block, in->name) : in->name;
    uintptr_t index = (uintptr_t)hash_table_get(f->outputs->names, key);
    const struct link_io *out = index ? &f->outputs->io.data[index - 1] : NULL;
    bool by_location = f->ln->es || f->ln->version >= 440;
    return out && out->location >= 0 && in->location < 0 && !in->block && by_location ? NULL : out;
}

/* Checks that qualifiers match (GLSL 1.30 §4.3.7, 4.60 §4.5): interpolation before GLSL 4.40 and in
 * ES, there between all stages (ESSL 3.20 §4.5), centroid before GLSL 4.30. */
static void check_qualifiers(const struct interface *f, const struct link_io *out,
                             const struct link_io *in)
{
    struct linker *ln = f->ln;
    const char *from = link_stage_name(f->producer->stage),
               *to = link_stage_name(f->consumer->stage);
    unsigned a = out->interpolation, b = in->interpolation;
    if (ln->es) { /* ESSL 3.00 §4.3.9: smooth is the default */
        a = a ? a : INTERP_MODE_SMOOTH;
        b = b ? b : INTERP_MODE_SMOOTH;
    }
    const char *what = NULL;
    bool fragment = f->consumer->stage == SHADER_FRAGMENT;
    if (a != b && b != INTERP_MODE_PER_VERTEX && (ln->es || (fragment && ln->version < 440)))
        what = "interpolation";
    else if (out->centroid != in->centroid && fragment && !ln->es && ln->version < 430)
        what = "centroid";
    else if (out->sample != in->sample && fragment && ln->version < (ln->es ? 310 : 430))
        what = "sample";
    else if (fragment && out->stream)
        what = "stream";
    else if (out->patch != in->patch)
        what = "patch";
    else if (out->per_primitive != in->per_primitive)
        what = "perprimitiveEXT";
    else if (out->invariant != in->invariant && (ln->es ? ln->version < 300 : ln->version < 420))
        what = "invariant";
    if (what)
        link_error(ln, "%s shader output `%s' and %s shader input have different %s qualifiers",
                   from, out->name, to, what);
}

/* GL 4.6 §7.4.1: structs match by their members. Type names must match only if variables match by
 * name, as for uniforms. */
static bool types_match(const struct glsl_type *a, const struct glsl_type *b, bool by_location)
{
    if (glsl_type_equal(a, b))
        return true;
    if (!by_location || a->length != b->length)
        return false;
    if (glsl_type_is_array(a) && glsl_type_is_array(b))
        return types_match(a->element, b->element, true);
    if (!glsl_type_is_struct(a) || !glsl_type_is_struct(b))
        return false;
    for (unsigned i = 0; i < a->length; i++)
        if (strcmp(a->fields[i].name, b->fields[i].name) ||
            a->fields[i].interpolation != b->fields[i].interpolation ||
            !types_match(a->fields[i].type, b->fields[i].type, true))
            return false;
    return true;
}

static void check_pair(const struct interface *f, const struct link_io *out,
                       const struct link_io *in)
{
    if (!types_match(out->type, in->type, in->location >= 0)) {
        link_error(f->ln,
                   "%s shader output `%s' has type `%s', but the %s shader input has "
                   "type `%s'",
                   link_stage_name(f->producer->stage), out->name, out->type->name,
                   link_stage_name(f->consumer->stage), in->type->name);
        return;
    }
    check_qualifiers(f, out, in);
}

static const struct link_var *find_block(const struct link_stage *st, const char *name,
                                         enum hir_variable_mode mode)
{
    for (unsigned i = 0; i < st->vars.count; i++) {
        const struct hir_variable *d = st->vars.data[i].decl;
        if (d->mode == mode && d->interface_type && !strcmp(d->interface_type->name, name))
            return &st->vars.data[i];
    }
    return NULL;
}

static bool blocks_match(const struct glsl_type *a, const struct glsl_type *b)
{
    if (a->length != b->length)
        return false;
    for (unsigned i = 0; i < a->length; i++) {
        const struct glsl_struct_field *fa = &a->fields[i], *fb = &b->fields[i];
        if (strcmp(fa->name, fb->name) || !glsl_type_equal(fa->type, fb->type) ||
            fa->location != fb->location || fa->component != fb->component)
            return false;
    }
    return true;
}

/* Returns the array dimensions of a block's instances, without the one that counts vertices. */
static const struct glsl_type *instances(const struct link_stage *st, const struct link_var *lv)
{
    const struct glsl_type *type = lv->decl->interface_field < 0 ? lv->type : glsl_void_type();
    return link_is_per_vertex(st->stage, lv->decl) ? type->element : type;
}

/* GLSL 1.50 §4.3.7: blocks match by block name and have equal members; arrays match arrays. */
static void check_block(const struct interface *f, const struct link_var *in)
{
    struct linker *ln = f->ln;
    const struct glsl_type *block = link_find_block(ln, f->consumer->stage, in->decl)->type;
    const char *name = block->name;
    if (block->length && block->fields[0].location >= 0)
        return; /* members match by location */
    const struct link_var *out = find_block(f->producer, name, HIR_VAR_SHADER_OUT);
    if (!out) {
        if (in->used && !ln->input->separable)
            link_error(ln,
                       "%s shader input block `%s' has no matching output in the previous stage",
                       link_stage_name(f->consumer->stage), name);
        return;
    }
    const struct glsl_type *a = instances(f->producer, out), *b = instances(f->consumer, in);
    while (glsl_type_is_array(a) && glsl_type_is_array(b) && a->length == b->length) {
        a = a->element;
        b = b->element;
    }
    if (glsl_type_is_array(a) || glsl_type_is_array(b) ||
        !blocks_match(link_find_block(ln, f->producer->stage, out->decl)->type,
                      link_find_block(ln, f->consumer->stage, in->decl)->type))
        link_error(ln, "definitions of interface block `%s' do not match", name);
}

/* ----------------------------------------------------------------------------- gl_PerVertex --- */

static bool is_per_vertex_member(const char *name)
{
    static const char *const members[] = {
        "gl_Position",           "gl_PointSize",    "gl_ClipDistance",
        "gl_CullDistance",       "gl_ClipVertex",   "gl_FrontColor",
        "gl_BackColor",          "gl_TexCoord",     "gl_FrontSecondaryColor",
        "gl_BackSecondaryColor", "gl_FogFragCoord",
    };
    for (unsigned i = 0; i < ARRAY_SIZE(members); i++)
        if (!strcmp(members[i], name))
            return true;
    return false;
}

/* Returns whether the shader uses a member of gl_PerVertex as an output. */
static bool uses_per_vertex(const struct hir_shader *sh)
{
    list_for_each_entry (struct hir_node, node, &sh->instructions, link) {
        const struct hir_variable *var = (const struct hir_variable *)node;
        if (node->kind == HIR_VARIABLE && var->builtin && var->mode == HIR_VAR_SHADER_OUT &&
            (var->used || var->assigned) && is_per_vertex_member(var->name))
            return true;
    }
    return false;
}

static bool members_match(const struct glsl_type *a, const struct glsl_type *b)
{
    if (a->length != b->length)
        return false;
    for (unsigned i = 0; i < a->length; i++)
        if (strcmp(a->fields[i].name, b->fields[i].name))
            return false;
    return true;
}

/* GLSL 4.60 §7.1: all shaders of a stage that use a member must redeclare the block in the same
 * way. Returns the redeclared block, or NULL if there is none. */
static const struct glsl_type *check_per_vertex_out(struct linker *ln, const struct link_stage *st)
{
    const struct glsl_type *first = NULL;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct glsl_type *type = st->shaders.data[i]->hir->per_vertex_out;
        if (!first)
            first = type;
        else if (type && !members_match(first, type))
            link_error(ln, "redeclarations of gl_PerVertex in %s shaders do not match",
                       link_stage_name(st->stage));
    }
    for (unsigned i = 0; first && i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        if (!sh->per_vertex_out && uses_per_vertex(sh))
            link_error(ln,
                       "gl_PerVertex is redeclared in one %s shader, but not in another that "
                       "uses it",
                       link_stage_name(st->stage));
    }
    return first;
}

/* Returns the block type of the stage's redeclaration of gl_in or gl_out, or NULL. */
static const struct glsl_type *redeclared_array(const struct link_stage *st, bool output)
{
    const struct glsl_type *type = NULL;
    for (unsigned i = 0; i < st->shaders.count && !type; i++)
        type = st->shaders.data[i]->hir->per_vertex_array[output];
    return type;
}

/* Compares redeclarations between stages, used or not. GL 4.6 §7.4.1: separable programs must
 * redeclare the blocks that they use. */
static void check_per_vertex(const struct interface *f)
{
    const struct link_var *in = link_find_var(f->consumer, "gl_in");
    const struct glsl_type *block = check_per_vertex_out(f->ln, f->producer);
    const struct glsl_type *array = redeclared_array(f->producer, true);
    const struct glsl_type *input = redeclared_array(f->consumer, false);
    const bool used = in && in->used && in->decl->interface_type;
    if (array)
        block = array;
    /* ESSL 3.20 §7.4: the built-in declaration serves without a redeclaration. */
    if (used && f->ln->input->separable && !f->ln->es && !input)
        link_error(f->ln, "in a separable program, a %s shader that uses gl_in must redeclare it",
                   link_stage_name(f->consumer->stage));
    else if (block && input ? !members_match(block, input) : used && block != input)
        link_error(f->ln, "redeclarations of gl_PerVertex in the %s and %s shaders do not match",
                   link_stage_name(f->producer->stage), link_stage_name(f->consumer->stage));
}

static void check_blocks(const struct interface *f)
{
    const char *last = NULL; /* members of a block are adjacent */
    for (unsigned i = 0; i < f->consumer->vars.count && !f->ln->failed; i++) {
        const struct link_var *in = &f->consumer->vars.data[i];
        if (in->decl->mode != HIR_VAR_SHADER_IN || !in->decl->interface_type || in->decl->builtin)
            continue;
        bool again = last && !strcmp(last, in->decl->interface_type->name);
        last = in->decl->interface_type->name;
        if (!again || in->used)
            check_block(f, in);
    }
}

static void check_input(const struct interface *f, const struct link_io *in)
{
    struct linker *ln = f->ln;
    const struct link_io *out = find_output(f, in);
    const char *from = link_stage_name(f->producer->stage),
               *to = link_stage_name(f->consumer->stage);
    if (in->builtin || (out && out->builtin))
        return;
    /* GLSL 1.20 §4.3.6: inputs that are read must be written; from 1.30 on, they are just
     * undefined. */
    if (out && in->var->used && !out->var->assigned && !ln->es && ln->version < 130)
        link_error(ln, "%s shader reads `%s', which the %s shader does not write", to, in->name,
                   from);
    if (out)
        check_pair(f, out, in);
    else if (in->var->used && !ln->input->separable && (!in->block || in->location >= 0))
        link_error(ln, "%s shader input `%s' has no matching output in the previous stage", to,
                   in->name);
}

/* GLSL 1.30 §4.3.7: if a color is redeclared with an interpolation qualifier, all stages that use
 * it must do so. */
static void check_color(const struct interface *f, const char *in_name, const char *front,
                        const char *back)
{
    const struct link_var *in = link_find_var(f->consumer, in_name);
    const char *const names[] = {front, back};
    for (unsigned i = 0; in && in->used && i < 2; i++) {
        const struct link_var *out = link_find_var(f->producer, names[i]);
        if (out && out->assigned && out->decl->interpolation != in->decl->interpolation)
            link_error(f->ln, "`%s' and `%s' have different interpolation qualifiers", names[i],
                       in_name);
    }
}

/* Checks invariance of built-in inputs (ESSL 1.00 §4.6.4). */
static void check_special(struct linker *ln, const char *in_name, const char *out_name)
{
    const struct link_var *in = link_find_var(ln->stages[SHADER_FRAGMENT], in_name);
    const struct link_var *out = link_find_var(ln->stages[SHADER_VERTEX], out_name);
    if (in && in->decl->invariant && !(out && out->decl->invariant))
        link_error(ln, "`%s' is declared invariant, but `%s' is not", in_name, out_name);
}

static void check_stages(struct linker *ln, const struct link_stage *producer,
                         const struct link_stage *consumer, struct io_list *outputs,
                         struct io_list *inputs)
{
    struct interface f = {ln, producer, consumer, outputs, inputs};
    check_blocks(&f);
    check_per_vertex(&f);
    for (unsigned i = 0; i < inputs->io.count && !ln->failed; i++)
        check_input(&f, &inputs->io.data[i]);
    if (consumer->stage != SHADER_FRAGMENT)
        return;
    check_color(&f, "gl_Color", "gl_FrontColor", "gl_BackColor");
    check_color(&f, "gl_SecondaryColor", "gl_FrontSecondaryColor", "gl_BackSecondaryColor");
}

/* ------------------------------------------------------------------------- between programs --- */

static int compare_names(const void *a, const void *b)
{
    const struct link_io *x = *(const struct link_io *const *)a;
    const struct link_io *y = *(const struct link_io *const *)b;
    int order = strcmp(x->block ? x->block : "", y->block ? y->block : "");
    return order ? order : strcmp(x->name, y->name);
}

static unsigned io_slots(const struct link_io *io)
{
    return glsl_count_attribute_slots(io->type, false);
}

/* GL 4.6 §7.4.1: interfaces of separable programs match by name if their declarations agree.
 * Assigning slots in the order of names gives the same slots in both programs, even if code does
 * not use all variables. Explicit locations are left free. */
static struct hash_table *order_slots(struct linker *ln, const struct io_list *list)
{
    struct hash_table *slots = hash_table_create_string(ln->tmp);
    const struct link_io **order =
        talloc_array(ln->tmp, const struct link_io *, list->io.count + 1);
    uint64_t used[2] = {0};
    unsigned count = 0;
    for (unsigned i = 0; i < list->io.count; i++) {
        const struct link_io *io = &list->io.data[i];
        if (io->builtin)
            continue;
        if (io->location < 0)
            order[count++] = io;
        else if (io->location < DRV_MAX_VARYINGS)
            used[io->patch] |= BITFIELD64_MASK(MIN2(io_slots(io), DRV_MAX_VARYINGS))
                               << io->location;
    }
    if (count)
        qsort(order, count, sizeof *order, compare_names);
    for (unsigned i = 0; i < count; i++) {
        const struct link_io *io = order[i];
        unsigned n = io_slots(io);
        int slot = link_find_free(used[io->patch], DRV_MAX_VARYINGS, n);
        if (slot < 0)
            break; /* an error if code uses it: see place_varying */
        used[io->patch] |= BITFIELD64_MASK(n) << slot;
        const char *name =
            io->block ? talloc_asprintf(ln->tmp, "%s.%s", io->block, io->name) : io->name;
        hash_table_insert(slots, name, (void *)(uintptr_t)(slot + 1));
    }
    return slots;
}

static void open_interface(struct linker *ln, const struct io_list *list, bool outputs)
{
    ln->open_slots[outputs] = order_slots(ln, list);
    if (ln->es)
        link_record_open(ln, list->io.data, list->io.count, outputs);
}

void link_check_interfaces(struct linker *ln)
{
    struct io_list *inputs[SHADER_STAGE_COUNT] = {0}, *outputs[SHADER_STAGE_COUNT] = {0};
    if (ln->es && ln->version < 300 && ln->stages[SHADER_VERTEX] && ln->stages[SHADER_FRAGMENT]) {
        check_special(ln, "gl_FragCoord", "gl_Position");
        check_special(ln, "gl_PointCoord", "gl_PointSize");
    }
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        const struct link_stage *st = ln->stages[s];
        if (!st || s == SHADER_COMPUTE || s == SHADER_TASK)
            continue;
        inputs[s] = list_interface(ln, st, HIR_VAR_SHADER_IN);
        outputs[s] = list_interface(ln, st, HIR_VAR_SHADER_OUT);
        check_locations(ln, st, inputs[s], true);
        check_locations(ln, st, outputs[s], false);
    }
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && !ln->failed; s++) {
        const struct link_stage *consumer =
            ln->stages[s] && (s < SHADER_FRAGMENT || s == SHADER_MESH) ? link_stage_after(ln, s)
                                                                       : NULL;
        if (consumer)
            check_stages(ln, ln->stages[s], consumer, outputs[s], inputs[consumer->stage]);
    }
    const struct link_stage *first = link_first_stage(ln), *last = link_last_geometry_stage(ln);
    if (ln->input->separable && first && first->stage != SHADER_VERTEX)
        open_interface(ln, inputs[first->stage], false);
    if (ln->input->separable && last && !ln->stages[SHADER_FRAGMENT])
        open_interface(ln, outputs[last->stage], true);
}
