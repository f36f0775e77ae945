/* SPDX-License-Identifier: MIT */
/*
 * Checks the combination of stages (GL 4.6 §7.3), and merges the `layout(…) in;` and `layout(…)
 * out;` declarations of a stage's shaders (GLSL 4.60 §4.4.1, §4.4.2).
 */
#include "glsl/glsl_link.h"
#include "indium/driver.h"

/* ----------------------------------------------------------------------------- combinations --- */

static void need_vertex(struct linker *ln, enum shader_stage stage)
{
    if (ln->stages[stage] && !ln->stages[SHADER_VERTEX])
        link_error(ln, "%s shader without a vertex shader", link_stage_name(stage));
}

/* Checks which stages a task or mesh shader can be linked with (EXT_mesh_shader, GL §7.3). */
static void check_mesh_stages(struct linker *ln)
{
    const bool task = ln->stages[SHADER_TASK], mesh = ln->stages[SHADER_MESH];
    for (unsigned s = SHADER_VERTEX; (task || mesh) && s < SHADER_FRAGMENT; s++)
        if (ln->stages[s])
            link_error(ln, "a %s shader cannot be linked with a %s shader",
                       link_stage_name(mesh ? SHADER_MESH : SHADER_TASK), link_stage_name(s));
    if (task && !mesh && ln->stages[SHADER_FRAGMENT])
        link_error(ln, "a task shader cannot be linked with a fragment shader without a mesh "
                       "shader");
    else if (task && !mesh && !ln->input->separable)
        link_error(ln, "task shader without a mesh shader");
    if ((task || mesh) && ln->input->num_xfb_varyings)
        link_error(ln, "transform feedback cannot capture the outputs of mesh shaders");
}

void link_check_stages(struct linker *ln)
{
    bool mesh = ln->stages[SHADER_TASK] || ln->stages[SHADER_MESH];
    bool graphics = mesh || ln->stages[SHADER_VERTEX] || ln->stages[SHADER_FRAGMENT] ||
                    ln->stages[SHADER_GEOMETRY] || ln->stages[SHADER_TESS_CTRL] ||
                    ln->stages[SHADER_TESS_EVAL];
    if (ln->stages[SHADER_COMPUTE] && graphics)
        link_error(ln, "a compute shader cannot be linked with shaders of other stages");
    check_mesh_stages(ln);
    if (ln->input->separable)
        return;
    need_vertex(ln, SHADER_TESS_CTRL);
    need_vertex(ln, SHADER_TESS_EVAL);
    need_vertex(ln, SHADER_GEOMETRY);
    if (ln->stages[SHADER_TESS_CTRL] && !ln->stages[SHADER_TESS_EVAL])
        link_error(ln, "tessellation control shader without a tessellation evaluation shader");
    if (!ln->es || !graphics)
        return;
    if (ln->stages[SHADER_TESS_EVAL] && !ln->stages[SHADER_TESS_CTRL])
        link_error(ln, "tessellation evaluation shader without a tessellation control shader");
    if (!ln->stages[SHADER_VERTEX] && !ln->stages[SHADER_MESH])
        link_error(ln, "program lacks a vertex shader");
    if (!ln->stages[SHADER_FRAGMENT])
        link_error(ln, "program lacks a fragment shader");
}

/* ---------------------------------------------------------------------------------- merging --- */

/* Merges a value declared by several shaders; *seen: an earlier shader declared it. */
static void merge(struct linker *ln, const struct link_stage *st, bool declared, bool *seen,
                  unsigned value, unsigned *merged, const char *what)
{
    if (!declared)
        return;
    if (*seen && *merged != value)
        link_error(ln, "%s shaders have conflicting %s (%u and %u)", link_stage_name(st->stage),
                   what, *merged, value);
    *seen = true;
    *merged = value;
}

unsigned link_primitive_vertices(unsigned primitive)
{
    switch (primitive) {
    case DRV_PRIM_POINTS:
        return 1;
    case DRV_PRIM_LINES:
        return 2;
    case DRV_PRIM_LINES_ADJACENCY:
        return 4;
    case DRV_PRIM_TRIANGLES_ADJACENCY:
        return 6;
    default:
        return 3;
    }
}

bool link_has_program_geometry(const struct link_stage *st)
{
    bool any = false;
    for (unsigned i = 0; i < st->shaders.count; i++)
        any |= st->shaders.data[i]->hir && st->shaders.data[i]->hir->has_program_geometry;
    return any;
}

/* Sets what no geometry shader declares to the program's parameters. */
static void apply_parameters(struct linker *ln, struct hir_declared_layout *seen, unsigned *input,
                             unsigned *output, unsigned *vertices)
{
    if (!seen->input_primitive)
        *input = ln->input->geometry_input;
    if (!seen->output_primitive)
        *output = ln->input->geometry_output;
    if (!seen->max_vertices)
        *vertices = ln->input->geometry_vertices;
    if (!seen->max_vertices && !*vertices)
        link_error(ln, "GL_GEOMETRY_VERTICES_OUT_ARB of the program is 0");
    seen->input_primitive = seen->output_primitive = seen->max_vertices = true;
}

static void merge_geometry(struct linker *ln, struct link_stage *st)
{
    struct hir_declared_layout seen = {0};
    unsigned input = 0, output = 0, vertices = 0, invocations = 1;
    const struct glsl_limits *limits = &ln->options->limits;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        const struct hir_declared_layout *d = &sh->declared;
        merge(ln, st, d->input_primitive, &seen.input_primitive, sh->info.gs.input_primitive,
              &input, "input types");
        merge(ln, st, d->output_primitive, &seen.output_primitive, sh->info.gs.output_primitive,
              &output, "output types");
        merge(ln, st, d->max_vertices, &seen.max_vertices, sh->info.gs.vertices_out, &vertices,
              "output vertex counts");
        merge(ln, st, d->invocations, &seen.invocations, sh->info.gs.invocations, &invocations,
              "invocation counts");
    }
    if (link_has_program_geometry(st))
        apply_parameters(ln, &seen, &input, &output, &vertices);
    if (!seen.input_primitive)
        link_error(ln, "geometry shader does not declare an input primitive type");
    if (!seen.output_primitive)
        link_error(ln, "geometry shader does not declare an output primitive type");
    if (!seen.max_vertices)
        link_error(ln, "geometry shader does not declare max_vertices");
    if (limits->max_geometry_output_vertices && vertices > limits->max_geometry_output_vertices)
        link_error(ln, "max_vertices of geometry shader is too large (%u > %u)", vertices,
                   limits->max_geometry_output_vertices);
    st->info.gs.input_primitive = input;
    st->info.gs.output_primitive = output;
    st->info.gs.vertices_out = vertices;
    st->info.gs.invocations = invocations;
    st->info.gs.vertices_in = link_primitive_vertices(input);
}

static void merge_control(struct linker *ln, struct link_stage *st)
{
    bool seen = false;
    unsigned vertices = 0;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        merge(ln, st, sh->declared.vertices, &seen, sh->info.tess.vertices_out, &vertices,
              "output vertex counts");
    }
    if (!seen)
        link_error(ln,
                   "tessellation control shader does not declare its number of output vertices");
    st->info.tess.vertices_out = vertices;
}

static void merge_evaluation(struct linker *ln, struct link_stage *st)
{
    struct hir_declared_layout seen = {0};
    unsigned mode = 0, spacing = 0, ccw = 1;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        const struct hir_declared_layout *d = &sh->declared;
        merge(ln, st, d->primitive_mode, &seen.primitive_mode, sh->info.tess.primitive_mode, &mode,
              "input primitive modes");
        merge(ln, st, d->spacing, &seen.spacing, sh->info.tess.spacing, &spacing, "vertex spacing");
        merge(ln, st, d->ordering, &seen.ordering, sh->info.tess.ccw, &ccw, "vertex order");
        st->info.tess.point_mode |= d->point_mode;
    }
    if (!seen.primitive_mode)
        link_error(ln, "tessellation evaluation shader does not declare its primitive mode");
    st->info.tess.primitive_mode = mode;
    st->info.tess.spacing = spacing;
    st->info.tess.ccw = ccw;
}

const char *glsl_derivative_group_error(unsigned group, const uint16_t size[3])
{
    if (group == nir_derivative_group_quads && (size[0] % 2 || size[1] % 2))
        return "derivative_group_quadsNV requires a local width and height that are multiples of 2";
    if (group == nir_derivative_group_linear && (uint64_t)size[0] * size[1] * size[2] % 4)
        return "derivative_group_linearNV requires a local size that is a multiple of 4";
    return NULL;
}

static void merge_compute(struct linker *ln, struct link_stage *st)
{
    bool seen[3] = {false}, variable = false, grouped = false;
    unsigned size[3] = {1, 1, 1}, group = nir_derivative_group_none;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        for (unsigned k = 0; k < 3; k++)
            merge(ln, st, sh->declared.local_size, &seen[k], sh->info.cs.workgroup_size[k],
                  &size[k], "local sizes");
        variable |= sh->declared.local_size_variable;
        merge(ln, st, sh->declared.derivative_group, &grouped, sh->info.cs.derivative_group, &group,
              "derivative groups");
    }
    if (variable && seen[0])
        link_error(ln, "compute shader declares both a fixed and a variable local size");
    if (!variable && !seen[0])
        link_error(ln, "%s shader does not declare a local size", link_stage_name(st->stage));
    for (unsigned k = 0; k < 3; k++)
        st->info.cs.workgroup_size[k] = size[k];
    st->info.cs.workgroup_size_variable = variable;
    st->info.cs.derivative_group = group;
    const char *why =
        variable ? NULL : glsl_derivative_group_error(group, st->info.cs.workgroup_size);
    if (why)
        link_error(ln, "%s", why);
}

/* Only the array for the output primitives is available (EXT_mesh_shader, GLSL §4.4.2.5). */
static void check_indices(struct linker *ln, const struct link_stage *st)
{
    static const char *const arrays[] = {
        [DRV_PRIM_POINTS] = "gl_PrimitivePointIndicesEXT",
        [DRV_PRIM_LINES] = "gl_PrimitiveLineIndicesEXT",
        [DRV_PRIM_TRIANGLES] = "gl_PrimitiveTriangleIndicesEXT",
    };
    for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++) {
        const struct link_var *lv = arrays[i] ? link_find_var(st, arrays[i]) : NULL;
        if (lv && (lv->used || lv->assigned) && i != st->info.cs.mesh_output)
            link_error(ln, "mesh shader uses `%s', but outputs other primitives", arrays[i]);
    }
}

/* Merges the output layouts of the mesh shaders and reports contradictions and missing declarations
 * (EXT_mesh_shader, GLSL §4.4.2.5). */
static void merge_mesh(struct linker *ln, struct link_stage *st)
{
    struct hir_declared_layout seen = {0};
    unsigned output = 0, vertices = 0, primitives = 0;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        const struct hir_declared_layout *d = &sh->declared;
        merge(ln, st, d->mesh_output, &seen.mesh_output, sh->info.cs.mesh_output, &output,
              "output types");
        merge(ln, st, d->mesh_vertices, &seen.mesh_vertices, sh->info.cs.mesh_vertices, &vertices,
              "output vertex counts");
        merge(ln, st, d->mesh_primitives, &seen.mesh_primitives, sh->info.cs.mesh_primitives,
              &primitives, "output primitive counts");
    }
    if (!seen.mesh_output)
        link_error(ln, "mesh shader does not declare an output primitive type");
    if (!seen.mesh_vertices)
        link_error(ln, "mesh shader does not declare max_vertices");
    if (!seen.mesh_primitives)
        link_error(ln, "mesh shader does not declare max_primitives");
    st->info.cs.mesh_output = output;
    st->info.cs.mesh_vertices = vertices;
    st->info.cs.mesh_primitives = primitives;
    if (seen.mesh_output)
        check_indices(ln, st);
}

static void merge_views(struct linker *ln, struct link_stage *st)
{
    bool seen = false;
    unsigned views = 0;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        unsigned declared = st->shaders.data[i]->hir->declared.views;
        merge(ln, st, declared, &seen, declared, &views, "numbers of views");
    }
    st->info.num_views = (uint8_t)views;
}

static void merge_fragment(struct linker *ln, struct link_stage *st)
{
    bool seen = false;
    unsigned interlock = 0;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        st->info.fs.origin_upper_left |= sh->fs_origin_upper_left;
        st->info.fs.pixel_center_integer |= sh->fs_pixel_center_integer;
        st->info.fs.post_depth_coverage |= sh->declared.post_depth_coverage;
        st->info.fs.inner_coverage |= sh->declared.inner_coverage;
        st->info.fs.early_fragment_tests |=
            sh->fs_early_fragment_tests || sh->declared.post_depth_coverage;
        st->info.fs.uses_discard |= sh->uses_discard;
        st->info.fs.blend_support |= (uint16_t)sh->declared.blend_support;
        merge(ln, st, sh->declared.interlock, &seen, sh->info.fs.interlock, &interlock,
              "interlock modes");
    }
    st->info.fs.interlock = interlock;
    if (st->info.fs.inner_coverage && st->info.fs.post_depth_coverage)
        link_error(ln, "inner_coverage and post_depth_coverage are mutually exclusive");
}

/* ARB_bindless_texture §4.4.6: a stage has only one default for samplers, and one for images. */
static void check_handle_defaults(struct linker *ln, const struct link_stage *st)
{
    unsigned samplers = 0, images = 0;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        samplers |= st->shaders.data[i]->hir->declared.samplers;
        images |= st->shaders.data[i]->hir->declared.images;
    }
    if (samplers == 3)
        link_error(ln, "%s shader: both bindless_sampler and bound_sampler are declared",
                   link_stage_name(st->stage));
    if (images == 3)
        link_error(ln, "%s shader: both bindless_image and bound_image are declared",
                   link_stage_name(st->stage));
}

/* GLSL 4.60 §4.4.2: all declared strides of a transform feedback buffer must be equal. */
static void merge_xfb_strides(struct linker *ln, struct link_stage *st)
{
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_declared_layout *d = &st->shaders.data[i]->hir->declared;
        for (unsigned b = 0; b < 4; b++) {
            bool seen = st->xfb_stride[b] != 0;
            merge(ln, st, d->xfb_strides >> b & 1, &seen, d->xfb_stride[b], &st->xfb_stride[b],
                  "xfb_stride");
        }
    }
}

static void merge_layer(struct linker *ln, struct link_stage *st)
{
    bool seen = false;
    unsigned relative = 0;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_declared_layout *d = &st->shaders.data[i]->hir->declared;
        merge(ln, st, d->layer, &seen, d->viewport_relative_layer, &relative,
              "viewport_relative qualifiers of gl_Layer");
    }
    st->info.viewport_relative_layer = relative;
}

void link_merge_layouts(struct linker *ln, struct link_stage *st)
{
    st->info.stage = st->stage;
    switch (st->stage) {
    case SHADER_GEOMETRY:
        merge_geometry(ln, st);
        break;
    case SHADER_TESS_CTRL:
        merge_control(ln, st);
        break;
    case SHADER_TESS_EVAL:
        merge_evaluation(ln, st);
        break;
    case SHADER_MESH:
        merge_mesh(ln, st);
        /* fallthrough */
    case SHADER_COMPUTE:
    case SHADER_TASK:
        merge_compute(ln, st);
        break;
    case SHADER_FRAGMENT:
        merge_fragment(ln, st);
        break;
    default:
        break;
    }
    if (st->stage < SHADER_FRAGMENT) {
        merge_views(ln, st);
        merge_xfb_strides(ln, st);
    }
    check_handle_defaults(ln, st);
    merge_layer(ln, st);
}

void link_check_views(struct linker *ln)
{
    const struct link_stage *first = NULL;
    for (unsigned s = SHADER_VERTEX; s < SHADER_FRAGMENT; s++) {
        const struct link_stage *st = ln->stages[s];
        if (!st)
            continue;
        if (first && first->info.num_views != st->info.num_views)
            link_error(ln, "%s and %s shader declare different numbers of views (%u and %u)",
                       link_stage_name(first->stage), link_stage_name(s), first->info.num_views,
                       st->info.num_views);
        first = first ? first : st;
    }
}

/* ------------------------------------------------------------------- per-vertex interfaces --- */

bool link_is_per_vertex(enum shader_stage stage, const struct hir_variable *var)
{
    bool in = var->mode == HIR_VAR_SHADER_IN, out = var->mode == HIR_VAR_SHADER_OUT;
    bool arrayed =
        (in &&
         (stage == SHADER_GEOMETRY || stage == SHADER_TESS_CTRL || stage == SHADER_TESS_EVAL ||
          (stage == SHADER_FRAGMENT && var->interpolation == INTERP_MODE_PER_VERTEX))) ||
        (out && (stage == SHADER_TESS_CTRL || stage == SHADER_MESH));
    if (!arrayed || var->patch || !glsl_type_is_array(var->type))
        return false;
    /* The per-vertex built-ins are gl_in, gl_out, gl_PositionIn and so on, and the outputs of mesh
     * shaders. gl_TessLevelOuter and similar outputs are per patch. */
    return !var->builtin || var->interface_type || stage == SHADER_GEOMETRY || stage == SHADER_MESH;
}

unsigned link_vertex_count(const struct linker *ln, const struct link_stage *st,
                           const struct hir_variable *var)
{
    const enum hir_variable_mode mode = var->mode;
    if (st->stage == SHADER_MESH)
        return MAX2(var->per_primitive ? st->info.cs.mesh_primitives : st->info.cs.mesh_vertices,
                    1);
    if (st->stage == SHADER_GEOMETRY)
        return st->info.gs.vertices_in;
    if (st->stage == SHADER_FRAGMENT)
        return 3;
    if (st->stage == SHADER_TESS_CTRL && mode == HIR_VAR_SHADER_OUT)
        return st->info.tess.vertices_out;
    return MAX2(ln->options->limits.max_patch_vertices, 1);
}
