/* SPDX-License-Identifier: MIT */
/* Layout qualifiers of interface blocks and their members (GLSL 4.60 §4.4). */
#include "glsl/ast_block.h"

static bool power_of_two(struct ast_state *st, const struct layout *l)
{
    unsigned v = l->value[LAYOUT_ALIGN];
    if (v && !(v & (v - 1)) && v <= 1u << 30)
        return true;
    glsl_error(st->c, l->loc[LAYOUT_ALIGN], "layout(align) must be a power of two");
    return false;
}

/* GLSL 4.60 §4.4.5: offset and align are only allowed in std140 and std430 blocks. */
static void check_known_packing(struct block *b, struct glsl_loc loc)
{
    if (b->packing != GLSL_PACKING_STD140 && b->packing != GLSL_PACKING_STD430)
        glsl_error(b->st->c, loc, "layout(offset) and layout(align) require std140 or std430");
}

void block_layout(struct block *b)
{
    struct ast_state *st = b->st;
    struct layout *l = &b->layout;
    struct glsl_loc loc = b->node->loc;
    bool buffer = b->mode == HIR_VAR_BUFFER;
    layout_read(st, &b->node->qualifier, layout_context(LAYOUT_OF_BLOCK, b->node->qualifier.flags),
                l);
    b->packing = buffer ? st->default_ssbo_packing : st->default_ubo_packing;
    b->row_major = buffer ? st->default_ssbo_row_major : st->default_ubo_row_major;
    if (layout_has(l, LAYOUT_PACKING))
        b->packing = l->value[LAYOUT_PACKING];
    if (layout_has(l, LAYOUT_ROW_MAJOR))
        b->row_major = l->value[LAYOUT_ROW_MAJOR];
    if (b->mode == HIR_VAR_UNIFORM && b->packing == GLSL_PACKING_STD430)
        glsl_error(st->c, loc, "std430 is only allowed for buffer blocks");
    if (layout_has(l, LAYOUT_BINDING) && !buffer && !st_has(st, 420, 310) &&
        !st_ext(st, GLSL_EXT_ARB_shading_language_420pack))
        glsl_error(st->c, l->loc[LAYOUT_BINDING],
                   "layout(binding) requires a later language version");
    if (layout_has(l, LAYOUT_LOCATION) && !location_allowed(st, b->mode))
        glsl_error(st->c, l->loc[LAYOUT_LOCATION],
                   "layout(location) requires a later language version");
    if (layout_has(l, LAYOUT_ALIGN)) {
        check_known_packing(b, l->loc[LAYOUT_ALIGN]);
        if (power_of_two(st, l))
            b->align = l->value[LAYOUT_ALIGN];
    }
}

void block_member_layout(struct block *b, const struct ast_member *m, struct glsl_struct_field *f,
                         struct glsl_loc loc)
{
    struct ast_state *st = b->st;
    struct layout l;
    bool row_major = b->row_major;
    layout_read(st, &m->qualifier, layout_context(LAYOUT_OF_MEMBER, b->node->qualifier.flags), &l);
    if (layout_has(&l, LAYOUT_ROW_MAJOR))
        row_major = l.value[LAYOUT_ROW_MAJOR];
    f->matrix_layout = row_major ? 2 : 1;
    f->row_major = row_major;
    f->align = b->align;
    if (layout_has(&l, LAYOUT_ALIGN)) {
        check_known_packing(b, loc);
        if (power_of_two(st, &l))
            f->align = l.value[LAYOUT_ALIGN];
    }
    if (layout_has(&l, LAYOUT_OFFSET)) {
        check_known_packing(b, loc);
        f->offset = l.value[LAYOUT_OFFSET];
        f->explicit_offset = true;
    }
    if (layout_has(&l, LAYOUT_LOCATION)) {
        if (!location_allowed(st, b->mode))
            glsl_error(st->c, loc, "layout(location) requires a later language version");
        f->location = MIN2(l.value[LAYOUT_LOCATION], 1u << 20);
        b->member_location = true;
    }
    if (layout_has(&l, LAYOUT_COMPONENT)) {
        const struct glsl_type *t = glsl_without_array(f->type);
        unsigned wide = glsl_type_is_64bit(t) ? 2 : 1;
        f->component = l.value[LAYOUT_COMPONENT];
        if (!layout_has(&l, LAYOUT_LOCATION))
            glsl_error(st->c, loc, "layout(component) requires layout(location)");
        else if (!glsl_type_is_vector_or_scalar(t) ||
                 f->component + t->vector_elements * wide > 4 || (wide == 2 && f->component % 2))
            glsl_error(st->c, loc, "layout(component = %d) is not allowed for type %s",
                       f->component, f->type->name);
    }
    const struct glsl_type *element = glsl_without_array(f->type);
    if (layout_has(&l, LAYOUT_FORMAT) || glsl_type_is_image(element)) {
        unsigned access = f->writeonly ? ACCESS_NON_READABLE : 0;
        check_image_format(st, &l, f->type, access, f->name, loc);
    }
    check_xfb(st, &l, f->type);
    unsigned buffer = layout_has(&b->layout, LAYOUT_XFB_BUFFER) ? b->layout.value[LAYOUT_XFB_BUFFER]
                                                                : st->xfb_buffer;
    f->xfb_buffer = buffer;
    f->explicit_xfb_buffer = layout_has(&l, LAYOUT_XFB_BUFFER);
    if (f->explicit_xfb_buffer && l.value[LAYOUT_XFB_BUFFER] != buffer)
        glsl_error(st->c, loc, "the xfb_buffer of a member must be that of its block (%u)", buffer);
    if (layout_has(&l, LAYOUT_XFB_OFFSET)) {
        f->explicit_xfb_offset = true;
        f->xfb_offset = l.value[LAYOUT_XFB_OFFSET];
    }
    if (layout_has(&l, LAYOUT_XFB_STRIDE)) {
        f->explicit_xfb_stride = true;
        f->xfb_stride = l.value[LAYOUT_XFB_STRIDE];
    }
    unsigned stream =
        layout_has(&b->layout, LAYOUT_STREAM) ? b->layout.value[LAYOUT_STREAM] : st->stream;
    f->stream = stream;
    if (layout_has(&l, LAYOUT_STREAM) && l.value[LAYOUT_STREAM] != stream)
        glsl_error(st->c, loc, "the stream of a member must be that of its block (%u)", stream);
}

/* Returns the number of locations that a member takes. The type has no dimension for vertices. */
static unsigned location_count(const struct glsl_type *t)
{
    return glsl_count_attribute_slots(t, false);
}

/* ESSL has no layout(component), so members cannot share a location (ESSL 3.20 §4.4.1). */
static void check_aliasing(struct block *b, unsigned member)
{
    const struct glsl_struct_field *f = &b->fields[member];
    int end = f->location + (int)location_count(f->type);
    for (unsigned i = 0; i < member && b->st->c->es; i++) {
        const struct glsl_struct_field *other = &b->fields[i];
        if (f->location < other->location + (int)location_count(other->type) &&
            other->location < end) {
            glsl_error(b->st->c, b->locs[member], "location %d of \"%s\" overlaps \"%s\"",
                       f->location, f->name, other->name);
            return;
        }
    }
}

void block_locations(struct block *b)
{
    bool from_block = layout_has(&b->layout, LAYOUT_LOCATION);
    unsigned next = from_block ? MIN2(b->layout.value[LAYOUT_LOCATION], 1u << 20) : 0;
    if (!from_block && !b->member_location)
        return;
    for (unsigned i = 0; i < b->num_fields; i++) {
        struct glsl_struct_field *f = &b->fields[i];
        if (f->location < 0 && !from_block) { /* GLSL 4.60 §4.4.1 */
            glsl_error(b->st->c, b->locs[i],
                       "either all members or none must have a location if the block has none");
            return;
        }
        if (f->location >= 0)
            next = f->location;
        f->location = next;
        check_aliasing(b, i);
        next = MIN2(next + location_count(f->type), 1u << 20);
    }
}

void block_offsets(struct block *b)
{
    bool std140 = glsl_packing_is_std140(b->packing);
    uint64_t next = 0;
    for (unsigned i = 0; i < b->num_fields; i++) {
        const struct glsl_struct_field *f = &b->fields[i];
        if (glsl_type_is_error(f->type))
            return;
        unsigned align = std140 ? glsl_std140_align(f->type, f->row_major)
                                : glsl_std430_align(f->type, f->row_major);
        unsigned size = std140 ? glsl_std140_size(f->type, f->row_major)
                               : glsl_std430_size(f->type, f->row_major);
        if (f->explicit_offset) {
            if (f->offset % align)
                glsl_error(b->st->c, b->locs[i], "layout(offset) must be a multiple of %u", align);
            if ((unsigned)f->offset < next)
                glsl_error(b->st->c, b->locs[i], "layout(offset) overlaps a preceding member");
            next = f->offset;
        }
        align = MAX2(align, f->align);
        next = (next + align - 1) / align * align + size;
    }
}

void block_captures(struct block *b)
{
    if (!layout_has(&b->layout, LAYOUT_XFB_OFFSET))
        return;
    uint64_t next = b->layout.value[LAYOUT_XFB_OFFSET];
    for (unsigned i = 0; i < b->num_fields; i++) {
        struct glsl_struct_field *f = &b->fields[i];
        unsigned align = capture_align(f->type);
        if (f->explicit_xfb_offset)
            next = f->xfb_offset;
        else if (i == 0 && next % align)
            glsl_error(b->st->c, b->locs[i], "xfb_offset must be a multiple of %u", align);
        if (capture_align(f->type) == 8 && b->layout.value[LAYOUT_XFB_OFFSET] % 8)
            glsl_error(b->st->c, b->locs[i],
                       "xfb_offset of a block with doubles must be a "
                       "multiple of 8");
        next = (next + align - 1) / align * align;
        f->explicit_xfb_offset = true;
        f->xfb_offset = MIN2(next, UINT32_MAX);
        next += capture_size(f->type);
    }
}

void block_check_binding(struct block *b, const struct glsl_type *type)
{
    const struct glsl_limits *limits = &b->st->c->options->limits;
    unsigned most =
        b->mode == HIR_VAR_BUFFER ? limits->max_storage_bindings : limits->max_uniform_bindings;
    if (!layout_has(&b->layout, LAYOUT_BINDING) || !most)
        return;
    if ((uint64_t)b->layout.value[LAYOUT_BINDING] + glsl_aoa_size(type) > most)
        glsl_error(b->st->c, b->layout.loc[LAYOUT_BINDING], "binding %u is out of range",
                   b->layout.value[LAYOUT_BINDING]);
}

void block_member_variable(struct hir_variable *var, const struct glsl_struct_field *f)
{
    var->precision = f->precision;
    if (f->interpolation)
        var->interpolation = f->interpolation;
    var->centroid |= f->centroid;
    var->sample |= f->sample;
    var->patch |= f->patch;
    if (f->location >= 0) {
        var->explicit_location = true;
        var->location = f->location;
    }
    if (f->component >= 0) {
        var->explicit_component = true;
        var->component = f->component;
    }
    if (f->explicit_offset) {
        var->explicit_offset = true;
        var->offset = f->offset;
    }
    var->xfb_buffer = f->xfb_buffer;
    var->explicit_xfb_offset = f->explicit_xfb_offset;
    var->xfb_offset = f->xfb_offset;
    var->stream = f->stream;
    var->access |= (f->readonly ? ACCESS_NON_WRITEABLE : 0) |
                   (f->writeonly ? ACCESS_NON_READABLE : 0) | (f->coherent ? ACCESS_COHERENT : 0) |
                   (f->is_volatile ? ACCESS_VOLATILE : 0) |
                   (f->restrict_flag ? ACCESS_RESTRICT : 0);
    var->read_only |= f->readonly;
}
