/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback (GL 4.6 §11.1.2.1): which outputs of the last stage before rasterization are
 * captured, and where. Layout qualifiers of the shader come before names that the API gives.
 */
#include <ctype.h>
#include <stdlib.h>
#include <talloc.h>

#include "glsl/glsl_link.h"

static nir_variable *find_output(nir_shader *nir, const char *name)
{
    nir_foreach_shader_out_variable(var, nir)
    {
        if (var->name && !strcmp(var->name, name))
            return var;
    }
    return NULL;
}

/* "name", "name[3]"; the index is -1 without brackets. False if the brackets are malformed. */
static bool split_name(void *mem_ctx, const char *text, char **base, int *index)
{
    const char *bracket = strchr(text, '[');
    *index = -1;
    *base = bracket ? talloc_strndup(mem_ctx, text, bracket - text) : talloc_strdup(mem_ctx, text);
    if (!bracket)
        return true;
    char *end;
    unsigned long i = isdigit((unsigned char)bracket[1]) ? strtoul(bracket + 1, &end, 10) : 0;
    if (!isdigit((unsigned char)bracket[1]) || strcmp(end, "]") || i > INT32_MAX)
        return false;
    *index = (int)i;
    return true;
}

/* gl_SkipComponents1-4, as the number; 0 otherwise. */
static unsigned skip_components(const char *name)
{
    static const char prefix[] = "gl_SkipComponents";
    size_t n = sizeof prefix - 1;
    return !strncmp(name, prefix, n) && name[n] >= '1' && name[n] <= '4' && !name[n + 1]
               ? (unsigned)(name[n] - '0')
               : 0;
}

static bool is_pseudo(const char *name)
{
    return skip_components(name) || !strcmp(name, "gl_NextBuffer");
}

/* The output variable of that name, members of blocks without instance name among them. */
static nir_variable *find_captured(const struct link_stage *st, const char *name)
{
    nir_variable *var = find_output(st->nir, name);
    const struct link_var *lv = link_find_var(st, name);
    return var || !lv || !lv->nir ? var : find_output(st->nir, lv->nir->name);
}

/* ------------------------------------------------------------------------- layout(xfb_offset) --- */

/* GLSL 4.60 §4.4.2.1: what a shader says to capture. */
struct declared {
    const char *name; /* "a", "Block.member" */
    struct link_var *lv;
    unsigned buffer, offset, stream;
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
        const char *name = v->interface_type && !v->builtin
                               ? talloc_asprintf(ln->tmp, "%s.%s", v->interface_type->name, lv->name)
                               : lv->name;
        struct declared added = {name, lv, v->xfb_buffer, v->xfb_offset, v->stream};
        if (v->explicit_xfb_offset)
            dynarray_append(&d->list, added);
    }
    return d;
}

/* A variable that is captured, made if no code mentions it. NULL: no such output. */
static nir_variable *keep(struct link_stage *st, const char *name, const struct link_var *lv)
{
    nir_variable *var = find_captured(st, name);
    if (!var && lv && lv->decl->mode == HIR_VAR_SHADER_OUT) {
        var = nir_variable_create(st->nir, nir_var_shader_out, glsl_type_clone(st->nir, lv->type),
                                  name);
        var->data.location = lv->location;
        var->data.explicit_location = lv->location >= 0 && !lv->decl->builtin;
    }
    if (var)
        var->data.always_active_io = true;
    return var;
}

void link_keep_captured(struct linker *ln)
{
    const struct glsl_link_input *in = ln->input;
    struct link_stage *st = link_last_geometry_stage(ln);
    if (!st && in->num_xfb_varyings)
        link_error(ln, "transform feedback without a vertex, tessellation or geometry shader");
    if (!st)
        return;
    struct declarations *d = find_declarations(ln, st);
    for (unsigned i = 0; i < d->list.count; i++)
        keep(st, d->list.data[i].name, d->list.data[i].lv);
    for (unsigned i = 0; i < in->num_xfb_varyings && !d->list.count; i++) {
        char *base;
        int index;
        if (is_pseudo(in->xfb_varyings[i]))
            continue;
        bool well_formed = split_name(ln->tmp, in->xfb_varyings[i], &base, &index);
        if (!well_formed || !keep(st, base, link_find_var(st, base))) {
            link_error(ln, "transform feedback varying `%s' is no output", in->xfb_varyings[i]);
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

/* A name without variable: gl_SkipComponents or gl_NextBuffer. */
static void add_pseudo(struct linker *ln, const char *name, unsigned buffer)
{
    struct glsl_xfb_output *out = add_output(ln, name, buffer);
    out->array_size = skip_components(name);
    ln->program->xfb_stride[buffer] += 4 * out->array_size;
}

/* Whether two names mean the same variable, or have an element in common. */
static bool names_meet(void *mem_ctx, const char *a, const char *b)
{
    char *base_a, *base_b;
    int i, k;
    split_name(mem_ctx, a, &base_a, &i);
    split_name(mem_ctx, b, &base_b, &k);
    return !strcmp(base_a, base_b) && (i < 0 || k < 0 || i == k);
}

/* What was captured before, against an output that was added just now. */
static void check_others(struct linker *ln, const struct glsl_xfb_output *out)
{
    const struct glsl_program *p = ln->program;
    for (unsigned i = 0; &p->xfb[i] != out; i++) {
        const struct glsl_xfb_output *other = &p->xfb[i];
        if (!other->type)
            continue;
        if (names_meet(ln->tmp, other->name, out->name))
            link_error(ln, "transform feedback varyings `%s' and `%s' capture the same", out->name,
                       other->name);
        else if (other->buffer == out->buffer && other->stream != out->stream)
            link_error(ln, "transform feedback varyings `%s' and `%s' go to one buffer from "
                           "different streams",
                       out->name, other->name);
    }
}

static bool capture(struct linker *ln, struct link_stage *st, const char *text, unsigned buffer)
{
    char *base;
    int index;
    split_name(ln->tmp, text, &base, &index);
    nir_variable *var = find_captured(st, base);
    if (!var) {
        link_error(ln, "transform feedback varying `%s' is no output", text);
        return false;
    }
    const struct glsl_type *type = var->type;
    if (index >= 0 && (!glsl_type_is_array(type) || index >= (int)type->length)) {
        link_error(ln, "transform feedback varying `%s' is no element of an array", text);
        return false;
    }
    struct glsl_xfb_output *out = add_output(ln, text, buffer);
    out->slot = var->data.location;
    out->component = var->data.location_frac;
    out->stream = var->data.stream;
    if (index >= 0) {
        type = type->element;
        if (var->data.compact) {
            out->slot += index / 4;
            out->component = index % 4;
        } else {
            out->slot += index * glsl_count_attribute_slots(type, false);
        }
    } else if (glsl_type_is_array(type)) {
        out->array_size = type->length;
        type = type->element;
    }
    out->type = glsl_type_clone(ln->program, type);
    out->num_components = glsl_component_count(type) * MAX2(out->array_size, 1) *
                          (glsl_type_is_64bit(glsl_without_array(type)) ? 2 : 1);
    ln->program->xfb_stride[buffer] += out->num_components * 4;
    check_others(ln, out);
    return !ln->failed;
}

/* Whether the parts of a buffer that two outputs take have a byte in common. */
static bool overlaps(const struct glsl_xfb_output *a, const struct glsl_xfb_output *b)
{
    return a->buffer == b->buffer && a->offset < b->offset + 4 * b->num_components &&
           b->offset < a->offset + 4 * a->num_components;
}

static void check_components(struct linker *ln, unsigned buffer, bool separate)
{
    const struct glsl_limits *limits = &ln->options->limits;
    unsigned used = ln->program->xfb_stride[buffer] / 4;
    unsigned max = separate ? limits->max_transform_feedback_separate_components
                            : limits->max_transform_feedback_components;
    if (used > max && (max || !separate))
        link_error(ln, "too many transform feedback components (%u > %u, "
                       "MAX_TRANSFORM_FEEDBACK_%s_COMPONENTS)",
                   used, max, separate ? "SEPARATE" : "INTERLEAVED");
}

/* Places and strides as the shader says (GLSL 4.60 §4.4.2.1). */
static void capture_declared(struct linker *ln, struct link_stage *st, const struct declarations *d)
{
    struct glsl_program *p = ln->program;
    for (unsigned i = 0; i < d->list.count; i++) {
        const struct declared *want = &d->list.data[i];
        unsigned before = p->num_xfb;
        if (want->buffer >= 4 || !find_captured(st, want->name))
            continue;
        if (!capture(ln, st, want->name, want->buffer))
            return;
        struct glsl_xfb_output *out = &p->xfb[before];
        out->offset = want->offset;
        for (unsigned k = 0; k < before; k++)
            if (overlaps(out, &p->xfb[k]))
                link_error(ln, "transform feedback outputs `%s' and `%s' overlap", out->name,
                           p->xfb[k].name);
    }
    memset(p->xfb_stride, 0, sizeof p->xfb_stride);
    for (unsigned i = 0; i < p->num_xfb; i++) {
        const struct glsl_xfb_output *out = &p->xfb[i];
        unsigned end = out->offset + 4 * out->num_components, b = out->buffer;
        p->xfb_stride[b] = MAX2(p->xfb_stride[b], end);
        if (d->strides[b] && end > d->strides[b])
            link_error(ln, "transform feedback output `%s' is beyond the stride of buffer %u",
                       out->name, b);
    }
    for (unsigned b = 0; b < 4; b++) {
        if (d->strides[b])
            p->xfb_stride[b] = d->strides[b];
        check_components(ln, b, false);
    }
}

/* GL 4.6 §11.1.2.1. */
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
