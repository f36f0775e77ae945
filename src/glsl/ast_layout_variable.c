/* SPDX-License-Identifier: MIT */
/* Layout qualifiers of a variable (GLSL 4.60 §4.4). */
#include "glsl/ast_layout.h"
#include "indium/format.h"

static bool enhanced(const struct ast_state *st)
{
    return st_has(st, 440, 0) || st_ext(st, GLSL_EXT_ARB_enhanced_layouts);
}

/* ------------------------------------------------------------------------------- locations --- */

bool location_allowed(struct ast_state *st, enum hir_variable_mode mode)
{
    bool attribs = st_has(st, 330, 300) || st_ext(st, GLSL_EXT_ARB_explicit_attrib_location);
    bool separate = st_has(st, 410, 310) || st_ext(st, GLSL_EXT_ARB_separate_shader_objects) ||
                    st_ext(st, GLSL_EXT_EXT_separate_shader_objects);
    switch (mode) {
    case HIR_VAR_SHADER_IN:
        return st->c->stage == SHADER_VERTEX ? attribs : separate;
    case HIR_VAR_SHADER_OUT:
        return st->c->stage == SHADER_FRAGMENT ? attribs : separate;
    case HIR_VAR_UNIFORM:
        return st_has(st, 430, 310) || st_ext(st, GLSL_EXT_ARB_explicit_uniform_location);
    default:
        return false;
    }
}

/* Stores the location as written. The linker assigns slots. */
static void apply_location(struct ast_state *st, struct hir_variable *var,
                           const struct ast_qualifier *q, const struct layout *l)
{
    struct glsl_loc loc = l->loc[LAYOUT_LOCATION];
    unsigned value = l->value[LAYOUT_LOCATION];
    unsigned most = st->c->options->limits.max_uniform_locations;
    if (!layout_has(l, LAYOUT_LOCATION))
        return;
    if (q->flags & (AST_ATTRIBUTE | AST_VARYING) || !location_allowed(st, var->mode)) {
        glsl_error(st->c, loc, "layout(location) is not allowed for \"%s\" here", var->name);
        return;
    }
    if (var->mode == HIR_VAR_UNIFORM &&
        glsl_without_array(var->type)->base_type == GLSL_TYPE_ATOMIC_UINT) {
        glsl_error(st->c, loc, "atomic counters cannot have a location");
        return;
    }
    if (var->mode == HIR_VAR_UNIFORM && most && value >= most) {
        glsl_error(st->c, loc, "location %u is out of range (limit %u)", value, most);
        return;
    }
    /* The linker checks the other limits; every larger location exceeds them. */
    var->explicit_location = true;
    var->location = MIN2(value, 1u << 20);
}

static void apply_index(struct ast_state *st, struct hir_variable *var, const struct layout *l)
{
    if (!layout_has(l, LAYOUT_INDEX))
        return;
    if (!layout_has(l, LAYOUT_LOCATION)) {
        glsl_error(st->c, l->loc[LAYOUT_INDEX], "layout(index) requires layout(location)");
        return;
    }
    if (l->value[LAYOUT_INDEX] > 1) {
        glsl_error(st->c, l->loc[LAYOUT_INDEX], "layout(index) is 0 or 1");
        return;
    }
    var->explicit_index = true;
    var->index = l->value[LAYOUT_INDEX];
}

static void apply_component(struct ast_state *st, struct hir_variable *var, const struct layout *l)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    struct glsl_loc loc = l->loc[LAYOUT_COMPONENT];
    unsigned value = l->value[LAYOUT_COMPONENT], wide = glsl_type_is_64bit(t) ? 2 : 1;
    if (!layout_has(l, LAYOUT_COMPONENT))
        return;
    if (!layout_has(l, LAYOUT_LOCATION))
        glsl_error(st->c, loc, "layout(component) requires layout(location)");
    else if (!glsl_type_is_vector_or_scalar(t))
        glsl_error(st->c, loc, "layout(component) is not allowed for type %s", var->type->name);
    else if (t->vector_elements * wide > 4)
        glsl_error(st->c, loc, "layout(component) is not allowed for type %s", t->name);
    else if (value + t->vector_elements * wide > 4)
        glsl_error(st->c, loc, "type %s does not fit at component %u", t->name, value);
    else if (wide == 2 && value % 2)
        glsl_error(st->c, loc, "a value of type %s cannot start at component %u", t->name, value);
    else {
        var->explicit_component = true;
        var->component = value;
    }
}

/* ------------------------------------------------------------------------ opaque variables --- */

/* Returns the number of bindings for this kind of variable; 0: unknown. */
static unsigned binding_limit(const struct ast_state *st, const struct glsl_type *t)
{
    const struct glsl_limits *limits = &st->c->options->limits;
    switch (t->base_type) {
    case GLSL_TYPE_SAMPLER:
        return limits->max_combined_texture_image_units;
    case GLSL_TYPE_IMAGE:
        return limits->max_image_units;
    case GLSL_TYPE_ATOMIC_UINT:
        return limits->max_atomic_bindings;
    default:
        return 0;
    }
}

static bool binding_allowed(const struct ast_state *st, const struct glsl_type *t)
{
    return st_has(st, 420, 310) || st_ext(st, GLSL_EXT_ARB_shading_language_420pack) ||
           t->base_type == GLSL_TYPE_ATOMIC_UINT;
}

static void apply_binding(struct ast_state *st, struct hir_variable *var, const struct layout *l)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    struct glsl_loc loc = l->loc[LAYOUT_BINDING];
    unsigned value = l->value[LAYOUT_BINDING], most = binding_limit(st, t);
    if (!layout_has(l, LAYOUT_BINDING))
        return;
    /* An array of counters has one binding; other arrays have one per element. */
    uint64_t last = (uint64_t)value +
                    (t->base_type == GLSL_TYPE_ATOMIC_UINT ? 0 : glsl_aoa_size(var->type) - 1);
    if (!type_is_opaque(t) || !binding_allowed(st, t)) {
        glsl_error(st->c, loc, "layout(binding) is not allowed for type %s", var->type->name);
        return;
    }
    if (most && last >= most) {
        glsl_error(st->c, loc, "binding %u is out of range", value);
        return;
    }
    var->explicit_binding = true;
    var->binding = value;
}

/* GLSL 4.60 §4.4.6: offsets of counters are consecutive and start at the binding's default. */
static void apply_counter(struct ast_state *st, struct hir_variable *var, const struct layout *l)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    if (t->base_type != GLSL_TYPE_ATOMIC_UINT) {
        if (layout_has(l, LAYOUT_OFFSET))
            glsl_error(st->c, l->loc[LAYOUT_OFFSET], "layout(offset) is not allowed for \"%s\"",
                       var->name);
        return;
    }
    if (!var->explicit_binding) {
        glsl_error(st->c, var->node.loc, "atomic counter \"%s\" requires layout(binding)",
                   var->name);
        return;
    }
    if (lacks_size(var->type)) {
        glsl_error(st->c, var->node.loc, "array \"%s\" of atomic counters must have a size",
                   var->name);
        return;
    }
    unsigned *next = counter_offset(st, var->binding);
    unsigned offset = layout_has(l, LAYOUT_OFFSET) ? l->value[LAYOUT_OFFSET] : *next;
    if (offset % 4) {
        glsl_error(st->c, var->node.loc, "the offset of an atomic counter must be a multiple of 4");
        return;
    }
    unsigned size = 4 * glsl_aoa_size(var->type);
    if (counter_overlaps(st, var->binding, offset, size))
        glsl_error(st->c, var->node.loc, "offset %u of \"%s\" overlaps another atomic counter",
                   offset, var->name);
    var->explicit_offset = true;
    var->offset = offset;
    *next = offset + size;
}

void default_counter_offset(struct ast_state *st, const struct ast_qualifier *q,
                            struct glsl_loc loc)
{
    struct layout l;
    layout_read(st, q, layout_context(LAYOUT_OF_VARIABLE, q->flags), &l);
    unsigned most = st->c->options->limits.max_atomic_bindings;
    bool has_offset = layout_has(&l, LAYOUT_OFFSET);
    if (!layout_has(&l, LAYOUT_BINDING))
        glsl_error(st->c, loc, "a default offset of atomic counters requires layout(binding)");
    else if (most && l.value[LAYOUT_BINDING] >= most)
        glsl_error(st->c, l.loc[LAYOUT_BINDING], "binding %u is out of range",
                   l.value[LAYOUT_BINDING]);
    else if (has_offset && l.value[LAYOUT_OFFSET] % 4)
        glsl_error(st->c, l.loc[LAYOUT_OFFSET],
                   "the offset of an atomic counter must be a multiple of 4");
    else if (has_offset)
        *counter_offset(st, l.value[LAYOUT_BINDING]) = l.value[LAYOUT_OFFSET];
}

static bool format_fits(unsigned format, enum glsl_base_type sampled)
{
    const struct drv_format_desc *desc = drv_format_desc(format);
    enum glsl_base_type base = !desc->channel[0].pure_integer                ? GLSL_TYPE_FLOAT
                               : desc->channel[0].type == DRV_CHANNEL_SIGNED ? GLSL_TYPE_INT
                                                                             : GLSL_TYPE_UINT;
    return base == sampled;
}

unsigned check_image_format(struct ast_state *st, const struct layout *l,
                            const struct glsl_type *type, unsigned access, const char *name,
                            struct glsl_loc loc)
{
    const struct glsl_type *t = glsl_without_array(type);
    bool has = layout_has(l, LAYOUT_FORMAT);
    unsigned format = l->value[LAYOUT_FORMAT];
    if (t->base_type != GLSL_TYPE_IMAGE) {
        if (has)
            glsl_error(st->c, l->loc[LAYOUT_FORMAT],
                       "format layout qualifiers are only allowed on images");
        return 0;
    }
    if (!has) {
        if (st->c->es)
            glsl_error(st->c, loc, "image \"%s\" requires a format layout qualifier", name);
        else if (!(access & ACCESS_NON_READABLE) &&
                 !st_ext(st, GLSL_EXT_EXT_shader_image_load_formatted))
            glsl_error(st->c, loc,
                       "image \"%s\" without a format layout qualifier must be writeonly", name);
        return 0;
    }
    if (!format_fits(format, t->sampled_type)) {
        glsl_error(st->c, l->loc[LAYOUT_FORMAT], "the image format does not match type %s",
                   t->name);
        return 0;
    }
    bool atomic = format == DRV_FORMAT_R32_FLOAT || format == DRV_FORMAT_R32_SINT ||
                  format == DRV_FORMAT_R32_UINT;
    if (st->c->es && !atomic && !(access & (ACCESS_NON_READABLE | ACCESS_NON_WRITEABLE)))
        glsl_error(st->c, loc, "image \"%s\" with this format must be readonly or writeonly", name);
    return format;
}

/* ------------------------------------------------------------------------------- handles --- */

/* ARB_bindless_texture: whether a uniform may be set to a handle, by its own layout qualifiers or
 * the defaults of the shader. */
static void apply_handles(struct ast_state *st, struct hir_variable *var, const struct layout *l)
{
    static const struct {
        enum layout_id id;
        enum glsl_base_type base;
        const char *what;
    } kinds[] = {{LAYOUT_BINDLESS_SAMPLER, GLSL_TYPE_SAMPLER, "samplers"},
                 {LAYOUT_BINDLESS_IMAGE, GLSL_TYPE_IMAGE, "images"}};
    for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
        if (layout_has(l, kinds[i].id) && !glsl_type_contains(var->type, kinds[i].base))
            glsl_error(st->c, l->loc[kinds[i].id], "this layout qualifier is only allowed on %s",
                       kinds[i].what);
    var->bindless_sampler = layout_has(l, LAYOUT_BINDLESS_SAMPLER)
                                ? l->value[LAYOUT_BINDLESS_SAMPLER]
                                : st->default_bindless_sampler;
    var->bindless_image = layout_has(l, LAYOUT_BINDLESS_IMAGE) ? l->value[LAYOUT_BINDLESS_IMAGE]
                                                               : st->default_bindless_image;
}

/* --------------------------------------------------------------------- transform feedback --- */

/* Records the stride of a buffer, which must be the same in all declarations. */
static void set_stride(struct ast_state *st, unsigned buffer, unsigned stride, struct glsl_loc loc)
{
    struct hir_declared_layout *d = &st->sh->declared;
    unsigned most = st->c->options->limits.max_transform_feedback_components;
    if (stride % 4)
        glsl_error(st->c, loc, "xfb_stride must be a multiple of 4");
    else if (most && stride / 4 > most)
        glsl_error(st->c, loc, "xfb_stride exceeds the limit of %u", most * 4);
    else if (d->xfb_strides & 1u << buffer && d->xfb_stride[buffer] != stride)
        glsl_error(st->c, loc, "transform feedback buffer %u already has a different xfb_stride",
                   buffer);
    else {
        d->xfb_strides |= 1u << buffer;
        d->xfb_stride[buffer] = stride;
    }
}

void check_xfb(struct ast_state *st, const struct layout *l, const struct glsl_type *type)
{
    const struct glsl_limits *limits = &st->c->options->limits;
    unsigned buffer = st->xfb_buffer;
    if (layout_has(l, LAYOUT_XFB_BUFFER)) {
        buffer = l->value[LAYOUT_XFB_BUFFER];
        unsigned count =
            type && glsl_type_is_array(type) && glsl_type_is_interface(glsl_without_array(type))
                ? glsl_aoa_size(type)
                : 1;
        if (buffer + count > MIN2(limits->max_transform_feedback_buffers, 4)) {
            glsl_error(st->c, l->loc[LAYOUT_XFB_BUFFER], "xfb_buffer %u is out of range", buffer);
            return;
        }
    }
    if (layout_has(l, LAYOUT_XFB_STRIDE))
        set_stride(st, buffer, l->value[LAYOUT_XFB_STRIDE], l->loc[LAYOUT_XFB_STRIDE]);
    if (!type || !layout_has(l, LAYOUT_XFB_OFFSET))
        return;
    unsigned align = glsl_largest_scalar(type);
    if (l->value[LAYOUT_XFB_OFFSET] % align)
        glsl_error(st->c, l->loc[LAYOUT_XFB_OFFSET], "xfb_offset must be a multiple of %u", align);
    if (glsl_type_is_unsized_array(type))
        glsl_error(st->c, l->loc[LAYOUT_XFB_OFFSET],
                   "xfb_offset is not allowed on an unsized array");
}

static void check_stream(struct ast_state *st, const struct layout *l)
{
    unsigned most = st->c->options->limits.max_vertex_streams;
    if (layout_has(l, LAYOUT_STREAM) && l->value[LAYOUT_STREAM] >= (most ? most : 4))
        glsl_error(st->c, l->loc[LAYOUT_STREAM], "stream %u is out of range",
                   l->value[LAYOUT_STREAM]);
}

void apply_xfb(struct ast_state *st, struct hir_variable *var, const struct layout *l)
{
    if (var->mode != HIR_VAR_SHADER_OUT)
        return;
    check_xfb(st, l, var->type);
    check_stream(st, l);
    var->explicit_xfb_buffer = layout_has(l, LAYOUT_XFB_BUFFER);
    var->xfb_buffer = var->explicit_xfb_buffer ? l->value[LAYOUT_XFB_BUFFER] : st->xfb_buffer;
    if (layout_has(l, LAYOUT_XFB_OFFSET)) {
        var->explicit_xfb_offset = true;
        var->xfb_offset = l->value[LAYOUT_XFB_OFFSET];
    }
    if (layout_has(l, LAYOUT_XFB_STRIDE)) {
        var->explicit_xfb_stride = true;
        var->xfb_stride = l->value[LAYOUT_XFB_STRIDE];
    }
    var->explicit_stream = layout_has(l, LAYOUT_STREAM);
    var->stream = var->explicit_stream ? l->value[LAYOUT_STREAM] : st->stream;
}

/* -------------------------------------------------------------------------- all qualifiers --- */

void apply_layout(struct ast_state *st, struct hir_variable *var, const struct ast_qualifier *q)
{
    struct layout l;
    layout_read(st, q, layout_context(LAYOUT_OF_VARIABLE, q->flags), &l);
    apply_location(st, var, q, &l);
    apply_index(st, var, &l);
    apply_component(st, var, &l);
    apply_binding(st, var, &l);
    if (var->mode == HIR_VAR_UNIFORM) {
        apply_counter(st, var, &l);
        apply_handles(st, var, &l);
        var->image_format =
            check_image_format(st, &l, var->type, var->access, var->name, var->node.loc);
    }
    apply_xfb(st, var, &l);
    var->noncoherent = layout_has(&l, LAYOUT_NONCOHERENT);
    if (var->explicit_location && !enhanced(st) && var->mode == HIR_VAR_SHADER_OUT &&
        glsl_type_is_struct(glsl_without_array(var->type)) && !st_has(st, 410, 310) &&
        !st_ext(st, GLSL_EXT_ARB_separate_shader_objects))
        glsl_error(st->c, var->node.loc, "structs cannot have a location here");
}
