/* SPDX-License-Identifier: MIT */
/* Layout qualifiers without a variable, which apply to the shader (GLSL 4.60 §4.4.1, §4.4.2,
 * §4.4.5). */
#include "glsl/ast_layout.h"
#include "indium/driver.h"

/* Checks an identifier that must have the same value in all declarations. Returns true if the value
 * is to be stored. */
static bool declare_once(struct ast_state *st, const struct layout *l, enum layout_id id,
                         bool *declared, unsigned old, const char *what)
{
    if (!layout_has(l, id))
        return false;
    if (*declared && old != l->value[id]) {
        glsl_error(st->c, l->loc[id], "%s is already declared with a different value", what);
        return false;
    }
    *declared = true;
    return true;
}

static bool in_limit(struct ast_state *st, const struct layout *l, enum layout_id id,
                     unsigned least, unsigned most, const char *what)
{
    if (!layout_has(l, id) || (l->value[id] >= least && (!most || l->value[id] <= most)))
        return true;
    glsl_error(st->c, l->loc[id], "%s is out of range", what);
    return false;
}

/* ------------------------------------------------------------------------------- geometry --- */

static unsigned vertices_in(unsigned primitive)
{
    switch (primitive) {
    case DRV_PRIM_POINTS:
        return 1;
    case DRV_PRIM_LINES:
        return 2;
    case DRV_PRIM_TRIANGLES:
        return 3;
    case DRV_PRIM_LINES_ADJACENCY:
        return 4;
    default:
        return 6;
    }
}

static void geometry_in(struct ast_state *st, const struct layout *l)
{
    nir_shader_info *info = &st->sh->info;
    struct hir_declared_layout *d = &st->sh->declared;
    unsigned most = st->c->options->limits.max_geometry_invocations;
    if (declare_once(st, l, LAYOUT_INPUT_PRIMITIVE, &d->input_primitive, info->gs.input_primitive,
                     "the input primitive")) {
        info->gs.input_primitive = l->value[LAYOUT_INPUT_PRIMITIVE];
        info->gs.vertices_in = vertices_in(info->gs.input_primitive);
        set_per_vertex(st, HIR_VAR_SHADER_IN, false, info->gs.vertices_in,
                       l->loc[LAYOUT_INPUT_PRIMITIVE]);
    }
    if (in_limit(st, l, LAYOUT_INVOCATIONS, 1, most ? most : 127, "invocations") &&
        declare_once(st, l, LAYOUT_INVOCATIONS, &d->invocations, info->gs.invocations,
                     "invocations"))
        info->gs.invocations = l->value[LAYOUT_INVOCATIONS];
}

static void geometry_out(struct ast_state *st, const struct layout *l)
{
    nir_shader_info *info = &st->sh->info;
    struct hir_declared_layout *d = &st->sh->declared;
    unsigned streams = st->c->options->limits.max_vertex_streams;
    unsigned most = st->c->options->limits.max_geometry_output_vertices;
    if (declare_once(st, l, LAYOUT_OUTPUT_PRIMITIVE, &d->output_primitive,
                     info->gs.output_primitive, "the output primitive"))
        info->gs.output_primitive = l->value[LAYOUT_OUTPUT_PRIMITIVE];
    if (in_limit(st, l, LAYOUT_MAX_VERTICES, 0, most, "max_vertices") &&
        declare_once(st, l, LAYOUT_MAX_VERTICES, &d->max_vertices, info->gs.vertices_out,
                     "max_vertices"))
        info->gs.vertices_out = l->value[LAYOUT_MAX_VERTICES];
    if (layout_has(l, LAYOUT_STREAM) &&
        in_limit(st, l, LAYOUT_STREAM, 0, streams ? streams - 1 : 3, "stream"))
        st->stream = l->value[LAYOUT_STREAM];
}

/* ----------------------------------------------------------------------------- tessellation --- */

static void control_out(struct ast_state *st, const struct layout *l)
{
    nir_shader_info *info = &st->sh->info;
    unsigned most = st->c->options->limits.max_patch_vertices;
    if (!in_limit(st, l, LAYOUT_VERTICES, 1, most, "vertices") ||
        !declare_once(st, l, LAYOUT_VERTICES, &st->sh->declared.vertices, info->tess.vertices_out,
                      "vertices"))
        return;
    info->tess.vertices_out = l->value[LAYOUT_VERTICES];
    set_per_vertex(st, HIR_VAR_SHADER_OUT, false, info->tess.vertices_out, l->loc[LAYOUT_VERTICES]);
}

static void evaluation_in(struct ast_state *st, const struct layout *l)
{
    nir_shader_info *info = &st->sh->info;
    struct hir_declared_layout *d = &st->sh->declared;
    if (declare_once(st, l, LAYOUT_TESS_PRIMITIVE, &d->primitive_mode, info->tess.primitive_mode,
                     "the primitive mode"))
        info->tess.primitive_mode = l->value[LAYOUT_TESS_PRIMITIVE];
    if (declare_once(st, l, LAYOUT_SPACING, &d->spacing, info->tess.spacing, "the vertex spacing"))
        info->tess.spacing = l->value[LAYOUT_SPACING];
    if (declare_once(st, l, LAYOUT_ORDERING, &d->ordering, info->tess.ccw, "the vertex order"))
        info->tess.ccw = l->value[LAYOUT_ORDERING];
    if (layout_has(l, LAYOUT_POINT_MODE))
        info->tess.point_mode = d->point_mode = true;
}

/* ------------------------------------------------------------------------------------ views --- */

/* OVR_multiview: the number of views that the shader is used with. */
static void views_in(struct ast_state *st, const struct layout *l)
{
    unsigned *views = &st->sh->declared.views, most = st->c->options->limits.max_views;
    bool declared = *views;
    if (in_limit(st, l, LAYOUT_NUM_VIEWS, 1, MAX2(most, 1), "num_views") &&
        declare_once(st, l, LAYOUT_NUM_VIEWS, &declared, *views, "num_views"))
        *views = l->value[LAYOUT_NUM_VIEWS];
}

/* ---------------------------------------------------------------------------------- compute --- */

/* NV_compute_shader_derivatives: the local size, if it is known, must consist of whole quads. loc
 * is that of the declaration being checked. */
static void check_derivative_group(struct ast_state *st, struct glsl_loc loc)
{
    const struct hir_declared_layout *d = &st->sh->declared;
    const nir_shader_info *info = &st->sh->info;
    if (!d->derivative_group || !d->local_size)
        return;
    const char *why =
        glsl_derivative_group_error(info->cs.derivative_group, info->cs.workgroup_size);
    if (why)
        glsl_error(st->c, loc, "%s", why);
}

static void local_size(struct ast_state *st, const struct layout *l)
{
    const struct glsl_limits *limits = &st->c->options->limits;
    struct hir_declared_layout *d = &st->sh->declared;
    uint16_t *old = st->sh->info.cs.workgroup_size;
    unsigned size[3] = {1, 1, 1};
    uint64_t total = 1;
    struct glsl_loc loc = {0};
    bool given = false;
    if (layout_has(l, LAYOUT_LOCAL_SIZE_VARIABLE)) {
        d->local_size_variable = st->sh->info.cs.workgroup_size_variable = true;
        loc = l->loc[LAYOUT_LOCAL_SIZE_VARIABLE];
        given = d->local_size;
    }
    for (unsigned i = 0; i < 3; i++) {
        enum layout_id id = LAYOUT_LOCAL_SIZE_X + i;
        if (!layout_has(l, id))
            continue;
        given = true;
        loc = l->loc[id];
        if (!in_limit(st, l, id, 1, limits->max_compute_workgroup_size[i], "the local size"))
            return;
        size[i] = l->value[id];
        total *= size[i];
    }
    if (given && d->local_size_variable)
        glsl_error(st->c, loc, "a shader cannot declare both a fixed and a variable local size");
    if (!given)
        return;
    if (d->local_size && (old[0] != size[0] || old[1] != size[1] || old[2] != size[2])) {
        glsl_error(st->c, loc, "the local size is already declared with a different value");
        return;
    }
    if (limits->max_compute_workgroup_invocations &&
        total > limits->max_compute_workgroup_invocations)
        glsl_error(st->c, loc, "the local size exceeds the limit of %u invocations",
                   limits->max_compute_workgroup_invocations);
    d->local_size = true;
    for (unsigned i = 0; i < 3; i++)
        old[i] = MIN2(size[i], UINT16_MAX);
    check_derivative_group(st, loc);
}

static void compute_in(struct ast_state *st, const struct layout *l)
{
    nir_shader_info *info = &st->sh->info;
    if (declare_once(st, l, LAYOUT_DERIVATIVE_GROUP, &st->sh->declared.derivative_group,
                     info->cs.derivative_group, "the derivative group")) {
        info->cs.derivative_group = l->value[LAYOUT_DERIVATIVE_GROUP];
        check_derivative_group(st, l->loc[LAYOUT_DERIVATIVE_GROUP]);
    }
    local_size(st, l);
}

/* ------------------------------------------------------------------------------------- mesh --- */

/* Declares the output layout of a mesh shader (EXT_mesh_shader, GLSL §4.4.2.5). */
static void mesh_out(struct ast_state *st, const struct layout *l)
{
    const struct glsl_limits *limits = &st->c->options->limits;
    nir_shader_info *info = &st->sh->info;
    struct hir_declared_layout *d = &st->sh->declared;
    if (declare_once(st, l, LAYOUT_OUTPUT_PRIMITIVE, &d->mesh_output, info->cs.mesh_output,
                     "the output primitive"))
        info->cs.mesh_output = l->value[LAYOUT_OUTPUT_PRIMITIVE];
    if (in_limit(st, l, LAYOUT_MAX_VERTICES, 0, limits->max_mesh_vertices, "max_vertices") &&
        declare_once(st, l, LAYOUT_MAX_VERTICES, &d->mesh_vertices, info->cs.mesh_vertices,
                     "max_vertices")) {
        info->cs.mesh_vertices = MIN2(l->value[LAYOUT_MAX_VERTICES], UINT16_MAX);
        set_per_vertex(st, HIR_VAR_SHADER_OUT, false, MAX2(info->cs.mesh_vertices, 1),
                       l->loc[LAYOUT_MAX_VERTICES]);
    }
    if (in_limit(st, l, LAYOUT_MAX_PRIMITIVES, 0, limits->max_mesh_primitives, "max_primitives") &&
        declare_once(st, l, LAYOUT_MAX_PRIMITIVES, &d->mesh_primitives, info->cs.mesh_primitives,
                     "max_primitives")) {
        info->cs.mesh_primitives = MIN2(l->value[LAYOUT_MAX_PRIMITIVES], UINT16_MAX);
        set_per_vertex(st, HIR_VAR_SHADER_OUT, true, MAX2(info->cs.mesh_primitives, 1),
                       l->loc[LAYOUT_MAX_PRIMITIVES]);
    }
}

/* ----------------------------------------------------------------------------------- blocks --- */

/* GL_ARB_shader_atomic_counters §4.3.8.3 allows `layout(binding = 1, offset = 4) uniform;`, which
 * GLSL writes with `atomic_uint`. It is accepted without effect, as other drivers do. */
static void check_counter(struct ast_state *st, const struct layout *l)
{
    if (layout_has(l, LAYOUT_BINDING) && st_ext(st, GLSL_EXT_ARB_shader_atomic_counters))
        return;
    if (layout_has(l, LAYOUT_BINDING))
        glsl_error(st->c, l->loc[LAYOUT_BINDING], "layout(binding) requires a variable or a block");
    if (layout_has(l, LAYOUT_OFFSET))
        glsl_error(st->c, l->loc[LAYOUT_OFFSET], "layout(offset) requires a variable");
}

static void default_packing(struct ast_state *st, const struct layout *l, bool buffer)
{
    uint8_t *packing = buffer ? &st->default_ssbo_packing : &st->default_ubo_packing;
    bool *row_major = buffer ? &st->default_ssbo_row_major : &st->default_ubo_row_major;
    if (layout_has(l, LAYOUT_PACKING)) {
        *packing = l->value[LAYOUT_PACKING];
        if (!buffer && *packing == GLSL_PACKING_STD430)
            glsl_error(st->c, l->loc[LAYOUT_PACKING], "std430 is only allowed for buffer blocks");
    }
    if (layout_has(l, LAYOUT_ROW_MAJOR))
        *row_major = l->value[LAYOUT_ROW_MAJOR];
    check_counter(st, l);
    if (layout_has(l, LAYOUT_BINDLESS_SAMPLER)) {
        st->default_bindless_sampler = l->value[LAYOUT_BINDLESS_SAMPLER];
        st->sh->declared.samplers |= 1u << l->value[LAYOUT_BINDLESS_SAMPLER];
    }
    if (layout_has(l, LAYOUT_BINDLESS_IMAGE)) {
        st->default_bindless_image = l->value[LAYOUT_BINDLESS_IMAGE];
        st->sh->declared.images |= 1u << l->value[LAYOUT_BINDLESS_IMAGE];
    }
}

static void apply_out(struct ast_state *st, const struct layout *l)
{
    if (st->c->stage == SHADER_GEOMETRY)
        geometry_out(st, l);
    else if (st->c->stage == SHADER_TESS_CTRL)
        control_out(st, l);
    else if (st->c->stage == SHADER_MESH)
        mesh_out(st, l);
    if (layout_has(l, LAYOUT_BLEND_SUPPORT))
        st->sh->declared.blend_support |= l->value[LAYOUT_BLEND_SUPPORT];
    check_xfb(st, l, NULL);
    if (layout_has(l, LAYOUT_XFB_BUFFER))
        st->xfb_buffer = MIN2(l->value[LAYOUT_XFB_BUFFER], 3);
}

static void apply_in(struct ast_state *st, const struct layout *l)
{
    if (st->c->stage == SHADER_GEOMETRY)
        geometry_in(st, l);
    else if (st->c->stage == SHADER_TESS_EVAL)
        evaluation_in(st, l);
    else if (shader_stage_has_workgroups(st->c->stage))
        compute_in(st, l);
    views_in(st, l);
    if (layout_has(l, LAYOUT_EARLY_FRAGMENT_TESTS))
        st->sh->fs_early_fragment_tests = true;
    if (layout_has(l, LAYOUT_POST_DEPTH_COVERAGE))
        st->sh->declared.post_depth_coverage = true;
    if (layout_has(l, LAYOUT_INNER_COVERAGE))
        st->sh->declared.inner_coverage = true;
    /* INTEL_conservative_rasterization, changes to GLSL §4.4.1.3 */
    if (st->sh->declared.post_depth_coverage && st->sh->declared.inner_coverage &&
        (layout_has(l, LAYOUT_INNER_COVERAGE) || layout_has(l, LAYOUT_POST_DEPTH_COVERAGE)))
        glsl_error(st->c,
                   l->loc[layout_has(l, LAYOUT_INNER_COVERAGE) ? LAYOUT_INNER_COVERAGE
                                                               : LAYOUT_POST_DEPTH_COVERAGE],
                   "inner_coverage and post_depth_coverage are mutually exclusive");
    if (declare_once(st, l, LAYOUT_INTERLOCK, &st->sh->declared.interlock,
                     st->sh->info.fs.interlock, "the interlock mode"))
        st->sh->info.fs.interlock = l->value[LAYOUT_INTERLOCK];
}

void ast_default_qualifier(struct ast_state *st, struct ast_node *n)
{
    const struct ast_qualifier *q = &n->qualifier;
    struct layout l;
    bool storage = q->flags == AST_UNIFORM || q->flags == AST_BUFFER || q->flags == AST_IN ||
                   q->flags == AST_OUT;
    if (!storage || !q->layout || q->precision) {
        glsl_error(st->c, n->loc, "this declaration declares nothing");
        return;
    }
    layout_read(st, q, layout_context(LAYOUT_OF_DEFAULT, q->flags), &l);
    if (q->flags == AST_IN)
        apply_in(st, &l);
    else if (q->flags == AST_OUT)
        apply_out(st, &l);
    else
        default_packing(st, &l, q->flags == AST_BUFFER);
}
