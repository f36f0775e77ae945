/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback layout of the whole shader (GLSL 4.60 §4.4.2): captured outputs must not
 * overlap or extend past the stride of their buffer.
 */
#include <stdlib.h>

#include "glsl/ast_to_hir.h"

struct capture {
    unsigned buffer;
    uint64_t offset, end;
    bool wide; /* contains 64-bit components */
    struct glsl_loc loc;
};

struct captures {
    struct ast_state *st;
    struct capture *data;
    unsigned count, capacity;
};

unsigned capture_align(const struct glsl_type *t)
{
    return glsl_largest_scalar(t);
}

uint64_t capture_size(const struct glsl_type *t)
{
    if (glsl_type_is_array(t))
        return t->length * capture_size(t->element);
    if (glsl_type_is_struct_or_ifc(t)) {
        uint64_t size = 0;
        for (unsigned i = 0; i < t->length; i++) {
            unsigned align = capture_align(t->fields[i].type);
            size = (size + align - 1) / align * align + capture_size(t->fields[i].type);
        }
        unsigned align = capture_align(t);
        return (size + align - 1) / align * align;
    }
    return (uint64_t)type_components(t) * (glsl_type_is_64bit(t)   ? 8
                                           : glsl_type_is_16bit(t) ? 2
                                                                   : 4);
}

static void add(struct captures *list, unsigned buffer, uint64_t offset,
                const struct glsl_type *type, struct glsl_loc loc)
{
    if (buffer >= 4)
        return;
    glsl_grow(list->st->c, (void **)&list->data, &list->capacity, list->count, sizeof *list->data);
    list->data[list->count++] = (struct capture){
        .buffer = buffer,
        .offset = offset,
        .end = offset + capture_size(type),
        .wide = capture_align(type) == 8,
        .loc = loc,
    };
}

/* Adds the members of a block instance. In an array of blocks, each element has a separate
 * buffer. */
static void add_instance(struct captures *list, const struct hir_variable *var)
{
    const struct glsl_type *block = glsl_without_array(var->type);
    unsigned count = MIN2(glsl_aoa_size(var->type), 4);
    for (unsigned b = 0; b < count; b++) {
        for (unsigned i = 0; i < block->length; i++) {
            const struct glsl_struct_field *f = &block->fields[i];
            if (f->explicit_xfb_offset)
                add(list, f->xfb_buffer + b, f->xfb_offset, f->type, var->node.loc);
        }
    }
}

static int compare_offsets(const void *a, const void *b)
{
    const struct capture *x = a, *y = b;
    if (x->buffer != y->buffer)
        return x->buffer < y->buffer ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void check_stride(struct ast_state *st, const struct capture *c)
{
    const struct hir_declared_layout *d = &st->sh->declared;
    unsigned most = st->c->options->limits.max_transform_feedback_components;
    if (!(d->xfb_strides & 1u << c->buffer)) {
        if (most && c->end > most * 4u)
            glsl_error(st->c, c->loc,
                       "the stride of the transform feedback buffer exceeds the limit of %u bytes",
                       most * 4);
        return;
    }
    if (c->end > d->xfb_stride[c->buffer])
        glsl_error(st->c, c->loc, "the output extends past the xfb_stride of %u",
                   d->xfb_stride[c->buffer]);
    else if (c->wide && d->xfb_stride[c->buffer] % 8)
        glsl_error(
            st->c, c->loc,
            "the stride of a transform feedback buffer with doubles must be a multiple of 8");
}

void check_captures(struct ast_state *st)
{
    struct captures list = {.st = st};
    list_for_each_entry (struct hir_node, node, &st->sh->instructions, link) {
        const struct hir_variable *var = (const struct hir_variable *)node;
        if (node->kind != HIR_VARIABLE || var->mode != HIR_VAR_SHADER_OUT)
            continue;
        if (glsl_type_is_interface(glsl_without_array(var->type)))
            add_instance(&list, var);
        else if (var->explicit_xfb_offset)
            add(&list, var->xfb_buffer, var->xfb_offset, var->type, node->loc);
    }
    if (!list.count)
        return;
    qsort(list.data, list.count, sizeof *list.data, compare_offsets);
    for (unsigned i = 0; i < list.count; i++) {
        const struct capture *c = &list.data[i], *before = c - 1;
        if (i && before->buffer == c->buffer && before->end > c->offset)
            glsl_error(st->c, c->loc, "outputs overlap in transform feedback buffer %u", c->buffer);
        check_stride(st, c);
    }
}
