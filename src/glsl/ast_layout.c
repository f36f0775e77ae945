/* SPDX-License-Identifier: MIT */
/* layout(…), GLSL 4.60 §4.4. */
#include "glsl/ast_to_hir.h"

const struct ast_layout *find_layout(const struct ast_qualifier *q, const char *name)
{
    const struct ast_layout *found = NULL;
    for (const struct ast_layout *l = q->layout; l; l = l->next)
        if (!strcmp(l->name->text, name))
            found = l; /* the last one counts */
    return found;
}

bool layout_value(struct ast_state *st, const struct ast_layout *l, unsigned *value)
{
    int64_t v;
    if (!l->value) {
        glsl_error(st->c, l->loc, "layout qualifier \"%s\" needs a value", l->name->text);
        return false;
    }
    if (l->value->op != AST_INT && l->value->op != AST_UINT && !st_has(st, 440, 0) &&
        !st_ext(st, GLSL_EXT_ARB_enhanced_layouts)) {
        glsl_error(st->c, l->loc, "the value of \"%s\" must be a literal", l->name->text);
        return false;
    }
    if (!ast_constant_int(st, l->value, "the value of a layout qualifier", &v))
        return false;
    if (v < 0 || v > INT32_MAX) {
        glsl_error(st->c, l->loc, "the value of \"%s\" is out of range", l->name->text);
        return false;
    }
    *value = v;
    return true;
}

/* ------------------------------------------------------------------------------ variables --- */

static bool location_allowed(struct ast_state *st, const struct hir_variable *var)
{
    bool attribs = st_has(st, 330, 300) || st_ext(st, GLSL_EXT_ARB_explicit_attrib_location);
    bool separate = st_has(st, 410, 310) || st_ext(st, GLSL_EXT_ARB_separate_shader_objects) ||
                    st_ext(st, GLSL_EXT_EXT_separate_shader_objects);
    switch (var->mode) {
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

/* Locations are kept as written; the linker gives them their slots. */
static void apply_location(struct ast_state *st, struct hir_variable *var,
                           const struct ast_qualifier *q, const struct ast_layout *l)
{
    unsigned value;
    if (q->flags & (AST_ATTRIBUTE | AST_VARYING) || !location_allowed(st, var)) {
        glsl_error(st->c, l->loc, "layout(location) is not allowed for \"%s\" here", var->name);
        return;
    }
    if (!layout_value(st, l, &value))
        return;
    /* The linker knows the limits, and any location beyond this is over them. */
    var->explicit_location = true;
    var->location = MIN2(value, 1u << 20);
}

static void apply_index(struct ast_state *st, struct hir_variable *var, const struct ast_layout *l)
{
    unsigned value;
    if (!layout_value(st, l, &value))
        return;
    if (st->c->stage != SHADER_FRAGMENT || var->mode != HIR_VAR_SHADER_OUT || value > 1) {
        glsl_error(st->c, l->loc, "layout(index) is 0 or 1, on fragment shader outputs");
        return;
    }
    var->explicit_index = true;
    var->index = value;
}

static void apply_component(struct ast_state *st, struct hir_variable *var,
                            const struct ast_layout *l)
{
    unsigned value;
    if (!st_has(st, 440, 0) && !st_ext(st, GLSL_EXT_ARB_enhanced_layouts)) {
        glsl_error(st->c, l->loc, "layout(component) needs GLSL 4.40");
        return;
    }
    if (!layout_value(st, l, &value))
        return;
    if (value > 3) {
        glsl_error(st->c, l->loc, "component %u is out of range", value);
        return;
    }
    var->explicit_component = true;
    var->component = value;
}

static void apply_binding(struct ast_state *st, struct hir_variable *var,
                          const struct ast_layout *l)
{
    unsigned value;
    bool counter = glsl_without_array(var->type)->base_type == GLSL_TYPE_ATOMIC_UINT;
    if (!counter && !st_has(st, 420, 310) && !st_ext(st, GLSL_EXT_ARB_shading_language_420pack)) {
        glsl_error(st->c, l->loc, "layout(binding) needs GLSL 4.20 or GLSL ES 3.10");
        return;
    }
    if (!layout_value(st, l, &value))
        return;
    if (!type_is_opaque(glsl_without_array(var->type))) {
        glsl_error(st->c, l->loc, "layout(binding) is not allowed for type %s", var->type->name);
        return;
    }
    uint64_t last = (uint64_t)value + glsl_aoa_size(var->type) - 1;
    if (glsl_type_is_sampler(glsl_without_array(var->type)) &&
        last >= st->c->options->limits.max_combined_texture_image_units) {
        glsl_error(st->c, l->loc, "binding %u is out of range", value);
        return;
    }
    var->explicit_binding = true;
    var->binding = value;
}

void apply_layout(struct ast_state *st, struct hir_variable *var, const struct ast_qualifier *q)
{
    for (const struct ast_layout *l = q->layout; l; l = l->next) {
        const char *name = l->name->text;
        if (!strcmp(name, "location"))
            apply_location(st, var, q, l);
        else if (!strcmp(name, "index"))
            apply_index(st, var, l);
        else if (!strcmp(name, "component"))
            apply_component(st, var, l);
        else if (!strcmp(name, "binding"))
            apply_binding(st, var, l);
        else
            glsl_error(st->c, l->loc, "layout qualifier \"%s\" is not allowed for \"%s\"", name,
                       var->name);
    }
    if (var->explicit_index && !var->explicit_location)
        glsl_error(st->c, q->loc, "layout(index) needs layout(location)");
}

/* -------------------------------------------------------------------------------- blocks --- */

void layout_packing(struct ast_state *st, const struct ast_layout *l,
                    enum glsl_interface_packing *packing, bool *row_major)
{
    static const struct {
        const char *name;
        uint8_t packing;
    } packings[] = {
        {"shared", GLSL_PACKING_SHARED},
        {"packed", GLSL_PACKING_PACKED},
        {"std140", GLSL_PACKING_STD140},
        {"std430", GLSL_PACKING_STD430},
    };
    for (; l; l = l->next) {
        const char *name = l->name->text;
        bool known = !strcmp(name, "binding") || !strcmp(name, "location");
        if (!strcmp(name, "row_major") || !strcmp(name, "column_major")) {
            *row_major = name[0] == 'r';
            known = true;
        }
        for (unsigned i = 0; i < ARRAY_SIZE(packings); i++) {
            if (!strcmp(name, packings[i].name)) {
                *packing = packings[i].packing;
                known = true;
            }
        }
        if (!known)
            glsl_error(st->c, l->loc, "unknown layout qualifier \"%s\"", name);
    }
}

/* `layout(std140) uniform;`, `layout(early_fragment_tests) in;` */
void ast_default_qualifier(struct ast_state *st, struct ast_node *n)
{
    const struct ast_qualifier *q = &n->qualifier;
    bool blocks = st_has(st, 140, 300) || st_ext(st, GLSL_EXT_ARB_uniform_buffer_object);
    if (q->flags == AST_UNIFORM && q->layout && blocks) {
        enum glsl_interface_packing packing = st->default_ubo_packing;
        layout_packing(st, q->layout, &packing, &st->default_ubo_row_major);
        st->default_ubo_packing = packing;
    } else if (q->flags == AST_BUFFER && q->layout) {
        enum glsl_interface_packing packing = st->default_ssbo_packing;
        layout_packing(st, q->layout, &packing, &st->default_ssbo_row_major);
        st->default_ssbo_packing = packing;
    } else if (q->flags == AST_IN && st->c->stage == SHADER_FRAGMENT &&
               find_layout(q, "early_fragment_tests") &&
               (st_has(st, 420, 310) || st_ext(st, GLSL_EXT_ARB_shader_image_load_store))) {
        st->sh->fs_early_fragment_tests = true;
    } else {
        glsl_error(st->c, n->loc, "this declaration declares nothing");
    }
}
