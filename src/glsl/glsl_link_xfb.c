/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback (GL 4.6 §11.1.2.1): determines which outputs of the last stage before
 * rasterization are captured, and where. Layout qualifiers take precedence over names from the API.
 */
#include <ctype.h>
#include <stdlib.h>
#include <talloc.h>

#include "glsl/glsl_link.h"
#include "indium/driver.h"

static nir_variable *find_output(nir_shader *nir, const char *name)
{
    nir_foreach_shader_out_variable(var, nir)
    {
        if (var->name && !strcmp(var->name, name))
            return var;
    }
    return NULL;
}

unsigned glsl_skipped_components(const char *name)
{
    static const char prefix[] = "gl_SkipComponents";
    size_t n = sizeof prefix - 1;
    return !strncmp(name, prefix, n) && name[n] >= '1' && name[n] <= '4' && !name[n + 1]
               ? (unsigned)(name[n] - '0')
               : 0;
}

static bool is_pseudo(const char *name)
{
    return glsl_skipped_components(name) || !strcmp(name, "gl_NextBuffer");
}

/* Returns the output variable with this name, which may be a member of a block without an instance
 * name. */
static nir_variable *find_captured(struct linker *ln, const struct link_stage *st, const char *name)
{
    nir_variable *var = find_output(st->nir, name);
    const struct link_var *lv = link_find_var(st, name);
    if (var || !lv || !lv->decl->interface_type)
        return var;
    return find_output(st->nir,
                       talloc_asprintf(ln->tmp, "%s.%s", lv->decl->interface_type->name, lv->name));
}

/* A captured part of an output. */
struct captured {
    nir_variable *var;
    const struct glsl_type *type;
    unsigned slots, components; /* offsets from the start of the variable */
};

/* Returns the instance of the output block whose name is the first n characters of `name`, or
 * NULL. */
static const struct link_var *find_instance(const struct link_stage *st, const char *name, size_t n)
{
    for (unsigned i = 0; i < st->vars.count; i++) {
        const struct hir_variable *d = st->vars.data[i].decl;
        if (d->mode == HIR_VAR_SHADER_OUT && !d->builtin && d->interface_type &&
            d->interface_field < 0 && !strncmp(d->interface_type->name, name, n) &&
            !d->interface_type->name[n])
            return &st->vars.data[i];
    }
    return NULL;
}

static unsigned count_dimensions(const struct glsl_type *t)
{
    unsigned n = 0;
    for (; glsl_type_is_array(t); t = t->element)
        n++;
    return n;
}

/* Returns the number of array dimensions of a block's instances, without the one that counts
 * vertices. */
static unsigned count_instances(const struct link_stage *st, const struct link_var *instance)
{
    return count_dimensions(instance->type) - link_is_per_vertex(st->stage, instance->decl);
}

/* Splits "Block[1].member[2]" (GLSL 1.50 §4.3.7) into *member, "Block.member", and *rest, "[1][2]".
 * Returns the block instance, whose number of dimensions the name matches, or NULL if there is
 * none. */
static const struct link_var *split_member(struct linker *ln, const struct link_stage *st,
                                           const char *name, const char **member, const char **rest)
{
    size_t n = strcspn(name, ".["), dot = n + strcspn(name + n, ".");
    const struct link_var *instance = name[dot] ? find_instance(st, name, n) : NULL;
    if (!instance)
        return NULL;
    unsigned missing = count_instances(st, instance);
    for (size_t i = n; i < dot; i++)
        missing -= name[i] == '[';
    size_t end = dot + 1 + strcspn(name + dot + 1, ".[");
    *member = talloc_asprintf(ln->tmp, "%.*s%.*s", (int)n, name, (int)(end - dot), name + dot);
    *rest = talloc_asprintf(ln->tmp, "%.*s%s", (int)(dot - n), name + n, name + end);
    return missing ? NULL : instance;
}

/* Returns the variable that a name starts with, or NULL. *rest: the remaining steps, "" or
 * "[1].f". */
static nir_variable *find_base(struct linker *ln, const struct link_stage *st, const char *name,
                               const char **rest)
{
    const char *member;
    if (split_member(ln, st, name, &member, rest))
        return find_output(st->nir, member);
    size_t n = strcspn(name, ".[");
    *rest = name + n;
    return find_captured(ln, st, talloc_strndup(ln->tmp, name, n));
}

/* ----------------------------------------------------------------------- layout(xfb_offset) --- */

/* An output with layout(xfb_offset) (GLSL 4.60 §4.4.2.1). */
struct declared {
    const char *name; /* "a", "Block.member" */
    struct link_var *lv;
    unsigned buffer, offset, stream;
    unsigned dimensions; /* array dimensions of the block instance in GLSL */
    unsigned index_at;   /* position in the name where the instance index is inserted */
};

struct declarations {
    DYNARRAY(struct declared) list;
    unsigned strides[4];
};

static void declare_fields(struct linker *ln, const struct link_stage *st, struct link_var *lv,
                           struct declarations *d)
{
    const struct glsl_type *block = link_find_block(ln, st->stage, lv->decl)->type;
    for (unsigned i = 0; i < block->length; i++) {
        const struct glsl_struct_field *f = &block->fields[i];
        struct declared added = {
            .name = talloc_asprintf(ln->tmp, "%s.%s", block->name, f->name),
            .buffer = f->explicit_xfb_buffer ? f->xfb_buffer : lv->decl->xfb_buffer,
            .offset = f->xfb_offset,
            .stream = f->stream,
            .dimensions = count_dimensions(lv->type),
            .index_at = strlen(block->name),
        };
        if (f->explicit_xfb_offset)
            dynarray_append(&d->list, added);
    }
}

static struct declarations *find_declarations(struct linker *ln, const struct link_stage *st)
{
    struct declarations *d = talloc_zero(ln->tmp, struct declarations);
    d->list.mem_ctx = d;
    memcpy(d->strides, st->xfb_stride, sizeof d->strides);
    for (unsigned i = 0; i < st->vars.count; i++) {
        struct link_var *lv = &st->vars.data[i];
        const struct hir_variable *v = lv->decl;
        if (v->mode != HIR_VAR_SHADER_OUT)
            continue;
        if (v->interface_type && v->interface_field < 0) {
            declare_fields(ln, st, lv, d);
            continue;
        }
        struct declared added = {
            .name = lv->name,
            .lv = lv,
            .buffer = v->xfb_buffer,
            .offset = v->xfb_offset,
            .stream = v->stream,
            .index_at = strlen(lv->name),
        };
        if (v->explicit_xfb_offset)
            dynarray_append(&d->list, added);
    }
    return d;
}

/* Creates an output of the declared type. */
static nir_variable *create_output(struct link_stage *st, const struct glsl_type *type,
                                   const char *name)
{
    const struct glsl_type *declared = glsl_type_clone(st->nir, type);
    const struct glsl_type *floats = glsl_type_halves_to_floats(st->nir, declared);
    nir_variable *var = nir_variable_create(st->nir, nir_var_shader_out, floats, name);
    var->declared_type = floats != declared ? declared : NULL;
    return var;
}

/* Returns a captured variable and creates it if no code uses it. Returns NULL if there is no such
 * output. */
static nir_variable *keep(struct linker *ln, struct link_stage *st, const char *name,
                          const struct link_var *lv)
{
    nir_variable *var = find_captured(ln, st, name);
    if (!var && lv && lv->decl->mode == HIR_VAR_SHADER_OUT) {
        var = create_output(st, lv->type, name);
        var->data.location = lv->location;
        var->data.explicit_location = lv->location >= 0 && !lv->decl->builtin;
    }
    if (var)
        var->data.always_active_io = true;
    return var;
}

/* Returns the type of a block member with the array dimensions of the instance. */
static const struct glsl_type *member_type(struct linker *ln, const struct glsl_type *instance,
                                           const struct glsl_type *member)
{
    if (!glsl_type_is_array(instance))
        return member;
    const struct glsl_type *element = member_type(ln, instance->element, member);
    return glsl_array_type(ln->tmp, element, instance->length, 0);
}

/* Does the same for a member of a block with an instance name. */
static nir_variable *keep_member(struct linker *ln, struct link_stage *st, const char *name)
{
    const char *member, *rest;
    const struct link_var *instance = split_member(ln, st, name, &member, &rest);
    if (!instance)
        return NULL;
    const struct glsl_type *block = link_find_block(ln, st->stage, instance->decl)->type;
    int field = glsl_field_index(block, strchr(member, '.') + 1);
    if (field < 0)
        return NULL;
    const struct glsl_struct_field *f = &block->fields[field];
    const struct glsl_type *type = member_type(ln, instance->type, f->type);
    nir_variable *var = create_output(st, type, member);
    var->data.location = f->location;
    var->data.explicit_location = f->location >= 0;
    var->data.always_active_io = true;
    return var;
}

void link_keep_captured(struct linker *ln)
{
    const struct glsl_link_input *in = ln->input;
    struct link_stage *st = link_last_geometry_stage(ln);
    if (!st && in->num_xfb_varyings)
        link_error(ln, "transform feedback requires a vertex, tessellation or geometry shader");
    if (!st)
        return;
    struct declarations *d = find_declarations(ln, st);
    for (unsigned i = 0; i < d->list.count; i++)
        keep(ln, st, d->list.data[i].name, d->list.data[i].lv);
    for (unsigned i = 0; i < in->num_xfb_varyings && !d->list.count; i++) {
        const char *name = in->xfb_varyings[i], *rest;
        if (is_pseudo(name))
            continue;
        nir_variable *var = find_base(ln, st, name, &rest);
        const char *base = talloc_strndup(ln->tmp, name, strcspn(name, "[."));
        if (var)
            var->data.always_active_io = true;
        else if (!keep(ln, st, base, link_find_var(st, base)) && !keep_member(ln, st, name)) {
            link_error(ln, "transform feedback varying `%s' is not an output", name);
            return;
        }
    }
}

static struct glsl_xfb_output *add_output(struct linker *ln, const char *name, unsigned buffer)
{
    struct glsl_program *p = ln->program;
    p->xfb = talloc_realloc(p, p->xfb, struct glsl_xfb_output, p->num_xfb + 1);
    struct glsl_xfb_output *out = &p->xfb[p->num_xfb++];
    *out = (struct glsl_xfb_output){.buffer = buffer};
    out->name = talloc_strdup(p, name);
    out->offset = p->xfb_stride[buffer];
    return out;
}

/* Adds a name without a variable: gl_SkipComponents or gl_NextBuffer. */
static void add_pseudo(struct linker *ln, const char *name, unsigned buffer)
{
    struct glsl_xfb_output *out = add_output(ln, name, buffer);
    out->array_size = glsl_skipped_components(name);
    ln->program->xfb_stride[buffer] += 4 * out->array_size;
}

/* Returns whether one name refers to the same variable as the other or a part of it. */
static bool names_overlap(const char *a, const char *b)
{
    size_t n = MIN2(strlen(a), strlen(b));
    return !strncmp(a, b, n) && (!a[n] || strchr(".[", a[n])) && (!b[n] || strchr(".[", b[n]));
}

/* Compares a new output with those captured before. */
static void check_others(struct linker *ln, const struct glsl_xfb_output *out)
{
    const struct glsl_program *p = ln->program;
    for (unsigned i = 0; &p->xfb[i] != out; i++) {
        const struct glsl_xfb_output *other = &p->xfb[i];
        if (!other->type)
            continue;
        if (names_overlap(other->name, out->name))
            link_error(ln, "transform feedback varyings `%s' and `%s' capture the same output",
                       out->name, other->name);
        else if (other->buffer == out->buffer && other->stream != out->stream)
            link_error(ln,
                       "transform feedback varyings `%s' and `%s' of different streams "
                       "are captured in the same buffer",
                       out->name, other->name);
    }
}

/* Applies one step, `[2]` or `.member`, to a part of an output and advances *text. Returns false if
 * there is no such part. */
static bool take_step(struct captured *c, const char **text)
{
    const struct glsl_type *t = c->type;
    unsigned skipped = 0;
    if (**text == '[') {
        char *end;
        unsigned long i = isdigit((unsigned char)(*text)[1]) ? strtoul(*text + 1, &end, 10) : 0;
        if (!isdigit((unsigned char)(*text)[1]) || *end != ']' || !glsl_type_is_array(t) ||
            i >= t->length)
            return false;
        *text = end + 1;
        c->type = t->element;
        skipped = (unsigned)i;
    } else if (**text == '.' && glsl_type_is_struct(t)) {
        size_t n = strcspn(*text + 1, ".[");
        unsigned f = 0;
        while (f < t->length &&
               (strncmp(t->fields[f].name, *text + 1, n) != 0 || t->fields[f].name[n]))
            c->slots += glsl_count_attribute_slots(t->fields[f++].type, false);
        if (f == t->length)
            return false;
        *text += n + 1;
        c->type = t->fields[f].type;
        return true;
    } else {
        return false;
    }
    if (c->var->data.compact)
        c->components += skipped;
    else
        c->slots += skipped * glsl_count_attribute_slots(c->type, false);
    return true;
}

/* Finds what a name refers to: "a", "a[1]", "s[2].f", "Block.member". Returns false if it is not an
 * output, or is more than an array of vectors. */
static bool find_part(struct linker *ln, const struct link_stage *st, const char *name,
                      struct captured *c)
{
    const char *rest;
    *c = (struct captured){.var = find_base(ln, st, name, &rest)};
    if (!c->var)
        return false;
    c->type = link_declared_vertex_type(st->stage, c->var);
    while (*rest)
        if (!take_step(c, &rest))
            return false;
    const struct glsl_type *element = glsl_type_is_array(c->type) ? c->type->element : c->type;
    return glsl_type_is_vector_or_scalar(element) || glsl_type_is_matrix(element);
}

static bool capture(struct linker *ln, struct link_stage *st, const char *text, unsigned buffer)
{
    struct captured c;
    if (!find_part(ln, st, text, &c)) {
        link_error(ln, "transform feedback varying `%s' is not an output that can be captured",
                   text);
        return false;
    }
    const struct glsl_type *type = c.type;
    unsigned component = c.var->data.location_frac + c.components;
    struct glsl_xfb_output *out = add_output(ln, text, buffer);
    out->slot = c.var->data.location + c.slots + component / 4;
    out->component = component % 4;
    out->stream = c.var->data.stream;
    if (glsl_type_is_array(type)) {
        out->array_size = type->length;
        type = type->element;
    }
    out->type = glsl_type_clone(ln->program, type);
    out->num_components =
        glsl_component_count(type) * MAX2(out->array_size, 1) * (glsl_type_is_64bit(type) ? 2 : 1);
    ln->program->xfb_stride[buffer] += glsl_xfb_bytes(out);
    check_others(ln, out);
    return !ln->failed;
}

/* Returns whether two outputs overlap in a buffer. */
static bool overlaps(const struct glsl_xfb_output *a, const struct glsl_xfb_output *b)
{
    return a->buffer == b->buffer && a->offset < b->offset + glsl_xfb_bytes(b) &&
           b->offset < a->offset + glsl_xfb_bytes(a);
}

static void check_components(struct linker *ln, unsigned buffer, bool separate)
{
    const struct glsl_limits *limits = &ln->options->limits;
    unsigned used = DIV_ROUND_UP(ln->program->xfb_stride[buffer], 4);
    unsigned max = separate ? limits->max_transform_feedback_separate_components
                            : limits->max_transform_feedback_components;
    if (used > max && (max || !separate))
        link_error(ln,
                   "too many transform feedback components (%u > %u, "
                   "MAX_TRANSFORM_FEEDBACK_%s_COMPONENTS)",
                   used, max, separate ? "SEPARATE" : "INTERLEAVED");
}

/* Captures an output at *offset and advances *offset. Struct members are captured in order, each
 * aligned to its component size; the end of a struct is aligned to its largest component (GLSL 4.60
 * §4.4.2). */
static bool capture_at(struct linker *ln, struct link_stage *st, const char *name,
                       const struct glsl_type *type, unsigned buffer, unsigned *offset)
{
    struct glsl_program *p = ln->program;
    const struct glsl_type *bare = glsl_without_array(type);
    unsigned align = glsl_largest_scalar(type), before = p->num_xfb;
    bool nested = glsl_type_is_array(type) && glsl_type_is_array(type->element);
    if (!glsl_type_is_struct(bare) && !nested) {
        if (!capture(ln, st, name, buffer))
            return false;
        struct glsl_xfb_output *out = &p->xfb[before];
        out->offset = ALIGN_POT(*offset, align);
        *offset = out->offset + glsl_xfb_bytes(out);
        for (unsigned k = 0; k < before; k++)
            if (overlaps(out, &p->xfb[k]))
                link_error(ln, "transform feedback outputs `%s' and `%s' overlap", out->name,
                           p->xfb[k].name);
        return true;
    }
    bool array = glsl_type_is_array(type);
    for (unsigned i = 0; i < type->length; i++) {
        const char *part = array ? talloc_asprintf(ln->tmp, "%s[%u]", name, i)
                                 : talloc_asprintf(ln->tmp, "%s.%s", name, type->fields[i].name);
        if (!capture_at(ln, st, part, array ? type->element : type->fields[i].type, buffer, offset))
            return false;
    }
    *offset = ALIGN_POT(*offset, align);
    return true;
}

/* Captures a declared output. The instances of its block are captured one after another, each in
 * the next buffer (GLSL 4.60 §4.4.2). */
static bool capture_instances(struct linker *ln, struct link_stage *st, const struct declared *want,
                              const nir_variable *var)
{
    const struct glsl_type *element = link_declared_type(var);
    unsigned instances = 1, dimensions = want->dimensions;
    if (var->interface_type) /* SPIR-V: each member is a separate output */
        dimensions = count_dimensions(var->interface_type);
    for (unsigned d = 0; d < dimensions; d++, element = element->element)
        instances = MIN2(instances * MIN2(element->length, 5), 5);
    if (want->buffer + instances > 4) {
        link_error(ln, "`%s' is captured by more than 4 transform feedback buffers", want->name);
        return false;
    }
    for (unsigned i = 0; i < instances; i++) {
        const struct glsl_type *t = var->type;
        char *index = talloc_strdup(ln->tmp, "");
        unsigned offset = want->offset, rest = i, size = instances;
        for (unsigned d = 0; d < dimensions; d++, t = t->element) {
            size /= t->length;
            index = talloc_asprintf(ln->tmp, "%s[%u]", index, rest / size);
            rest %= size;
        }
        const char *name = talloc_asprintf(ln->tmp, "%.*s%s%s", (int)want->index_at, want->name,
                                           index, want->name + want->index_at);
        if (!capture_at(ln, st, name, element, want->buffer + i, &offset))
            return false;
    }
    return true;
}

/* Applies the declared offsets and strides (GLSL 4.60 §4.4.2.1). */
static void capture_declared(struct linker *ln, struct link_stage *st, const struct declarations *d)
{
    struct glsl_program *p = ln->program;
    for (unsigned i = 0; i < d->list.count; i++) {
        const struct declared *want = &d->list.data[i];
        const nir_variable *var = find_captured(ln, st, want->name);
        if (var && !capture_instances(ln, st, want, var))
            return;
    }
    memset(p->xfb_stride, 0, sizeof p->xfb_stride);
    for (unsigned i = 0; i < p->num_xfb; i++) {
        const struct glsl_xfb_output *out = &p->xfb[i];
        unsigned end = out->offset + glsl_xfb_bytes(out), b = out->buffer;
        p->xfb_stride[b] = MAX2(p->xfb_stride[b], end);
        if (d->strides[b] && end > d->strides[b])
            link_error(ln, "transform feedback output `%s' extends past the stride of buffer %u",
                       out->name, b);
    }
    for (unsigned b = 0; b < 4; b++) {
        if (d->strides[b])
            p->xfb_stride[b] = d->strides[b];
        check_components(ln, b, false);
    }
}

/* Determines the captured outputs (GL 4.6 §11.1.2.1). */
void link_transform_feedback(struct linker *ln)
{
    const struct glsl_link_input *in = ln->input;
    const struct glsl_limits *limits = &ln->options->limits;
    struct link_stage *st = link_last_geometry_stage(ln);
    unsigned buffer = 0, buffers = MIN2(limits->max_transform_feedback_buffers, 4);
    struct declarations *d = st ? find_declarations(ln, st) : NULL;
    if (d && d->list.count) {
        capture_declared(ln, st, d);
        st->nir->info.has_transform_feedback_varyings = true;
        return;
    }
    for (unsigned i = 0; st && i < in->num_xfb_varyings && !ln->failed; i++) {
        const char *name = in->xfb_varyings[i];
        if (in->xfb_separate && i > 0)
            buffer++;
        if (buffer >= MAX2(buffers, 1) || (in->xfb_separate && is_pseudo(name))) {
            link_error(ln, "transform feedback varying `%s' has no buffer", name);
            return;
        }
        if (is_pseudo(name))
            add_pseudo(ln, name, buffer);
        else if (!capture(ln, st, name, buffer))
            return;
        check_components(ln, buffer, in->xfb_separate);
        if (!strcmp(name, "gl_NextBuffer"))
            buffer++;
    }
    if (st && in->num_xfb_varyings)
        st->nir->info.has_transform_feedback_varyings = true;
}

/* --------------------------------------------------------------------- layout for drivers --- */

static void append_output(const struct glsl_xfb_output *x, struct drv_stream_output *out)
{
    /* Array elements and matrix columns start in separate slots, at the same component as the first
     * one. Clip distances are packed instead. */
    bool compact = x->slot == VARYING_SLOT_CLIP_DIST0 || x->slot == VARYING_SLOT_CLIP_DIST1;
    unsigned row = x->type->vector_elements * (glsl_type_is_64bit(x->type) ? 2 : 1);
    unsigned slot = x->slot, at = 0;
    const bool half = glsl_type_is_16bit(x->type);
    if (compact)
        row = x->num_components;
    while (at < x->num_components) {
        unsigned component = x->component;
        for (unsigned left = row; left && out->num_outputs < DRV_MAX_SO_OUTPUTS;) {
            unsigned n = MIN2(left, 4 - component), i = out->num_outputs++;
            out->output[i].slot = slot++;
            out->output[i].start_component = component;
            out->output[i].num_components = n;
            out->output[i].buffer = x->buffer;
            out->output[i].stream = x->stream;
            out->output[i].half = half;
            out->output[i].dst_offset = x->offset + (half ? 2 : 4) * (at + row - left);
            component = 0;
            left -= n;
        }
        at += row;
    }
}

bool glsl_stream_output(const struct glsl_program *program, struct drv_stream_output *out)
{
    if (!program->num_xfb)
        return false;
    memset(out, 0, sizeof *out);
    for (unsigned b = 0; b < DRV_MAX_SO_BUFFERS; b++)
        out->stride[b] = program->xfb_stride[b];
    for (unsigned i = 0; i < program->num_xfb; i++) {
        if (program->xfb[i].type)
            append_output(&program->xfb[i], out);
    }
    return true;
}
