/* SPDX-License-Identifier: MIT */
/*
 * Redeclarations: sizes of unsized arrays, qualifiers of built-in variables, and `invariant x;`
 * (GLSL 4.60 §4.1.9, §4.8.1, §7.1).
 */
#include "glsl/ast_block.h"
#include "glsl/glsl_builtins.h"

unsigned array_size_limit(const struct ast_state *st, const char *name)
{
    if (!strcmp(name, "gl_TexCoord"))
        return st->c->options->limits.max_texture_coords;
    if (!strcmp(name, "gl_CullDistance"))
        return st->c->options->limits.max_cull_distances;
    return strcmp(name, "gl_ClipDistance") ? 0 : st->c->options->limits.max_clip_distances;
}

/* Handles a redeclaration that sizes an unsized array. Members of blocks cannot be redeclared (GLSL
 * 4.60 §4.1.9). */
static bool redeclare_size(struct ast_state *st, struct hir_variable *old,
                           const struct glsl_type *type, const struct ast_declarator *d)
{
    if (!glsl_type_is_unsized_array(old->type) || !glsl_type_is_array(type) ||
        !glsl_type_equal(old->type->element, type->element) || old->interface_type)
        return false;
    if (type->length && (int64_t)old->max_array_access >= (int64_t)type->length) {
        glsl_error(st->c, d->loc, "\"%s\" is redeclared with %u elements, but was indexed with %d",
                   old->name, type->length, old->max_array_access);
        return true;
    }
    unsigned most = array_size_limit(st, old->name);
    if (most && type->length > most)
        glsl_error(st->c, d->loc, "\"%s\" cannot have more than %u elements", old->name, most);
    old->type = type;
    if (type->length)
        old->implicit_sized = false;
    return true;
}

static bool is_one_of(const char *name, const char *const *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* layout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord; GLSL 1.50 §4.3.8.1 */
static void redeclare_frag_coord(struct ast_state *st, const struct ast_qualifier *q,
                                 const struct ast_declarator *d)
{
    struct layout l;
    layout_read(st, q, LAYOUT_OF_FRAG_COORD, &l);
    bool upper = layout_has(&l, LAYOUT_ORIGIN_UPPER_LEFT);
    bool integer = layout_has(&l, LAYOUT_PIXEL_CENTER_INTEGER);
    if (st->fragcoord_used && !st->fragcoord_declared)
        glsl_error(st->c, d->loc, "gl_FragCoord is redeclared after its first use");
    if (st->fragcoord_declared &&
        (st->sh->fs_origin_upper_left != upper || st->sh->fs_pixel_center_integer != integer))
        glsl_error(st->c, d->loc, "gl_FragCoord is redeclared with different layout qualifiers");
    st->fragcoord_declared = st->sh->fs_redeclares_frag_coord = true;
    st->sh->fs_origin_upper_left |= upper;
    st->sh->fs_pixel_center_integer |= integer;
}

static void redeclare_frag_depth(struct ast_state *st, struct hir_variable *old,
                                 const struct ast_qualifier *q, const struct ast_declarator *d)
{
    struct layout l;
    layout_read(st, q, LAYOUT_OF_FRAG_DEPTH, &l);
    if (!st_has(st, 420, 0) && !st_ext(st, GLSL_EXT_ARB_conservative_depth) &&
        !st_ext(st, GLSL_EXT_AMD_conservative_depth) &&
        !st_ext(st, GLSL_EXT_EXT_conservative_depth))
        glsl_error(st->c, d->loc,
                   "gl_FragDepth can be redeclared from GLSL 4.20 or with "
                   "GL_ARB_conservative_depth");
    if (!layout_has(&l, LAYOUT_DEPTH))
        return;
    uint8_t layout = l.value[LAYOUT_DEPTH];
    if (old->used && old->depth_layout == nir_depth_layout_none)
        glsl_error(st->c, d->loc, "gl_FragDepth is redeclared after its first use");
    if (old->depth_layout && old->depth_layout != layout)
        glsl_error(st->c, d->loc, "gl_FragDepth is redeclared with a different depth layout");
    old->depth_layout = layout;
}

/* layout(viewport_relative) out int gl_Layer; NV_viewport_array2 */
static void redeclare_layer(struct ast_state *st, struct hir_variable *old,
                            const struct ast_qualifier *q, const struct ast_declarator *d)
{
    struct hir_declared_layout *declared = &st->sh->declared;
    struct layout l;
    layout_read(st, q, LAYOUT_OF_LAYER, &l);
    bool relative = layout_has(&l, LAYOUT_VIEWPORT_RELATIVE);
    if (old->used && relative)
        glsl_error(st->c, d->loc, "gl_Layer is redeclared after its first use");
    if (declared->layer && declared->viewport_relative_layer != relative)
        glsl_error(st->c, d->loc, "gl_Layer is redeclared with a different layout qualifier");
    declared->layer = true;
    declared->viewport_relative_layer = relative;
}

static bool redeclare_builtin(struct ast_state *st, struct hir_variable *old,
                              const struct glsl_type *type, const struct ast_qualifier *q,
                              const struct ast_declarator *d)
{
    static const char *const colors[] = {
        "gl_FrontColor",         "gl_BackColor", "gl_FrontSecondaryColor",
        "gl_BackSecondaryColor", "gl_Color",     "gl_SecondaryColor",
    };
    if (!glsl_type_equal(old->type, type))
        return false;
    if (!strcmp(old->name, "gl_FragCoord")) {
        redeclare_frag_coord(st, q, d);
        return true;
    }
    if (!strcmp(old->name, "gl_FragDepth")) {
        redeclare_frag_depth(st, old, q, d);
        return true;
    }
    if (!strcmp(old->name, "gl_Layer") && old->mode == HIR_VAR_SHADER_OUT &&
        st_ext(st, GLSL_EXT_NV_viewport_array2)) {
        redeclare_layer(st, old, q, d);
        return true;
    }
    if (is_one_of(old->name, colors, ARRAY_SIZE(colors)) && st_has(st, 130, 0)) {
        /* GLSL 1.30 §7.6 */
        old->interpolation = qualifier_interpolation(q);
        return true;
    }
    if (st_has(st, 410, 0) || st_ext(st, GLSL_EXT_ARB_separate_shader_objects) ||
        st_ext(st, GLSL_EXT_EXT_separate_shader_objects) ||
        (q->flags & AST_INVARIANT && st_has(st, 120, 100))) {
        if (q->flags & AST_INVARIANT)
            old->invariant = st->sh->has_precise = true;
        return true;
    }
    return false;
}

/* Handles `layout(noncoherent) mediump vec4 gl_LastFragData[gl_MaxDrawBuffers];`
 * (GL_EXT_shader_framebuffer_fetch) and precision redeclarations of the variables of
 * GL_ARM_shader_framebuffer_fetch_depth_stencil. */
static void redeclare_last_frag(struct ast_state *st, struct hir_variable *old,
                                const struct ast_qualifier *q, struct glsl_loc loc)
{
    struct layout l;
    layout_read(st, q, LAYOUT_OF_LAST_FRAG, &l);
    if (old->used)
        glsl_error(st->c, loc, "\"%s\" is redeclared after its first use", old->name);
    old->noncoherent = layout_has(&l, LAYOUT_NONCOHERENT);
    if (q->precision)
        old->precision = q->precision;
    use_variable(st, old);
}

/* Handles a redeclaration of an input of ARB_geometry_shader4, such as
 * `varying in vec4 gl_TexCoordIn[][2];`. The vertices may have no size. There may be fewer texture
 * coordinates and clip distances than in the built-in declaration (section 7.6). */
static bool redeclare_vertices_in(struct ast_state *st, struct hir_variable *old,
                                  const struct glsl_type *type, const struct ast_declarator *d)
{
    if (!old->builtin || old->mode != HIR_VAR_SHADER_IN || !glsl_has_vertices_in(&st->env) ||
        !glsl_type_is_array(type))
        return false;
    const struct glsl_type *was = old->type->element, *is = type->element;
    if (!glsl_type_equal(was, is)) {
        if (!glsl_type_is_array(was) || !glsl_type_is_array(is) ||
            !glsl_type_equal(was->element, is->element))
            return false;
        if (old->used)
            glsl_error(st->c, d->loc, "\"%s\" is redeclared after its first use", old->name);
        else if (is->length > was->length)
            glsl_error(st->c, d->loc, "\"%s\" cannot have more than %u elements per vertex",
                       old->name, was->length);
    }
    if (glsl_type_is_unsized_array(is)) /* reported already */
        return true;
    old->type = type;
    old->redeclared = glsl_type_is_array(is);
    add_per_vertex(st, old, d->loc);
    return true;
}

bool ast_redeclare(struct ast_state *st, struct hir_variable *old, const struct glsl_type *type,
                   const struct ast_qualifier *q, const struct ast_declarator *d)
{
    if (glsl_type_is_error(type) || glsl_type_is_error(old->type))
        return true;
    if (old->builtin && !strncmp(old->name, "gl_LastFrag", 11) && !q->flags &&
        glsl_type_equal(old->type, type)) {
        redeclare_last_frag(st, old, q, d->loc);
        return true;
    }
    /* In the scope of the built-ins, the redeclaration must be a global of the same kind. */
    if (qualifier_mode(st, q) != old->mode &&
        !(old->builtin && (old->mode == HIR_VAR_SYSTEM_VALUE || old->mode == HIR_VAR_SHADER_IN) &&
          qualifier_mode(st, q) == HIR_VAR_SHADER_IN))
        return false;
    if (old->builtin && st->per_vertex_declared && is_per_vertex_member(old->name) &&
        old->mode == HIR_VAR_SHADER_OUT) {
        glsl_error(st->c, d->loc, "\"%s\" is already declared in gl_PerVertex", old->name);
        return true;
    }
    if (redeclare_size(st, old, type, d)) {
        if (old->builtin)
            use_variable(st, old);
        return true;
    }
    if (redeclare_vertices_in(st, old, type, d))
        return true;
    return old->builtin && redeclare_builtin(st, old, type, q, d);
}

void ast_requalify(struct ast_state *st, struct ast_node *n)
{
    uint32_t flags = n->qualifier.flags;
    if (flags & ~(AST_INVARIANT | AST_PRECISE) || !flags || n->qualifier.layout) {
        glsl_error(st->c, n->loc,
                   "a declaration without a type must be \"invariant\" or \"precise\"");
        return;
    }
    for (const struct ast_declarator *d = n->declarators; d; d = d->next) {
        struct glsl_symbol *s = d->name->symbol;
        if (!s || s->kind != SYMBOL_VARIABLE) {
            glsl_error(st->c, d->loc, "\"%s\" is not a variable", d->name->text);
            continue;
        }
        struct hir_variable *var = s->var;
        if (flags & AST_PRECISE && s->level != st->scope->level && !var->builtin) {
            /* GLSL 4.60 §4.9: must be in the scope of the declaration. */
            glsl_error(st->c, d->loc, "\"%s\" is not declared in this scope", d->name->text);
            continue;
        }
        st->sh->has_precise = true;
        var->precise |= (flags & AST_PRECISE) != 0;
        if (!(flags & AST_INVARIANT))
            continue;
        bool input = st->c->stage != SHADER_VERTEX && var->mode == HIR_VAR_SHADER_IN;
        bool facing = st->c->es && !strcmp(var->name, "gl_FrontFacing"); /* ESSL 1.00 §4.6.4 */
        if (st->sig)
            glsl_error(st->c, d->loc, "invariant is only allowed at global scope");
        else if (var->mode != HIR_VAR_SHADER_OUT && !(input && !st_has(st, 420, 300)) &&
                 !(var->builtin && !facing && st->c->stage == SHADER_FRAGMENT &&
                   !st_has(st, 420, 300)))
            glsl_error(st->c, d->loc, "\"%s\" cannot be declared invariant", var->name);
        else if (var->used)
            glsl_error(st->c, d->loc, "\"%s\" is redeclared invariant after its first use",
                       var->name);
        var->invariant = true;
    }
}
