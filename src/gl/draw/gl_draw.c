/* SPDX-License-Identifier: MIT */
/* Drawing commands, and the vertex state that draws bind in the driver (GL 4.6 compatibility §10.4,
 * §10.5). */
#include "gl/draw/gl_draw.h"

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_share.h"
#include "gl/draw/gl_feedback.h"
#include "gl/draw/gl_transform_feedback.h"
#include "gl/draw/gl_update_state.h"
#include "gl/fixed/gl_ff.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_cso.h"
#include "gl/state/gl_state.h"
#include "gl_dispatch.h"
#include "gl_entry.h"
#include "util/check.h"
#include "util/float_env.h"

/* -------------------------------------------------------------------------- vertex elements --- */

static enum drv_format current_format(GLenum type)
{
    return type == GL_INT                  ? DRV_FORMAT_R32G32B32A32_SINT
           : type == GL_UNSIGNED_INT       ? DRV_FORMAT_R32G32B32A32_UINT
           : type == GL_DOUBLE             ? DRV_FORMAT_R64G64B64A64_FLOAT
           : type == GL_UNSIGNED_INT64_ARB ? DRV_FORMAT_R64_UINT
                                           : DRV_FORMAT_R32G32B32A32_FLOAT;
}

/* Vertex elements and buffers of one draw while they are collected. */
struct vertex_setup {
    unsigned num_elements, num_buffers;
    struct drv_vertex_element elements[DRV_MAX_ATTRIBS];
    struct drv_vertex_buffer buffers[DRV_MAX_VERTEX_BUFFERS];
    int current_buffer; /* index of the buffer of current values, -1: none yet */
};

static void setup_init(struct vertex_setup *s)
{
    memset(s->elements, 0, sizeof s->elements);
    s->num_elements = s->num_buffers = 0;
    s->current_buffer = -1;
}

static void add_element(struct vertex_setup *s, unsigned attrib, unsigned buffer,
                        unsigned src_offset, enum drv_format format, unsigned divisor)
{
    NEXT_OF(s->elements, s->num_elements) = (struct drv_vertex_element){
        .src_offset = src_offset,
        .vertex_buffer = buffer,
        .attrib = attrib,
        .src_format = format,
        .instance_divisor = divisor,
    };
}

/* Adds an element that reads the current value of an attribute. Attribute 0 has one, too: outside
 * glBegin and glEnd, glVertexAttrib of 0 sets it without emitting a vertex, and draws without an
 * array read it, like in Mesa. */
static void add_current(struct gl_context *ctx, struct vertex_setup *s, unsigned attrib)
{
    const struct gl_current_state *c = &ctx->current_attribs;
    if (s->current_buffer < 0) {
        s->current_buffer = s->num_buffers++;
        s->buffers[s->current_buffer] = (struct drv_vertex_buffer){
            .user = c,
            .user_size = offsetof(struct gl_current_state, attrib) + sizeof c->attrib,
        };
    }
    unsigned offset = offsetof(struct gl_current_state, attrib) + attrib * sizeof c->attrib[0];
    if (c->attrib_type[attrib] == GL_DOUBLE || c->attrib_type[attrib] == GL_UNSIGNED_INT64_ARB) {
        offset = offsetof(struct gl_current_state, wide[attrib - VERT_ATTRIB_GENERIC0]);
        s->buffers[s->current_buffer].user_size =
            offsetof(struct gl_current_state, wide) + sizeof c->wide;
    }
    add_element(s, attrib, s->current_buffer, offset, current_format(c->attrib_type[attrib]), 0);
}

static void finish_setup(struct gl_context *ctx, const struct vertex_setup *s)
{
    gl_cso_bind_vertex_elements(ctx, s->num_elements, s->elements);
    ctx->drv->ops->set_vertex_buffers(ctx->drv, s->num_buffers, s->buffers);
}

/* Returns the array among `have` (a bit mask) that provides input `attrib`, or -1 if its current
 * value does. Generic attribute 0 aliases the vertex position (GL 4.6 compatibility §10.2.1). */
static int source_attrib(const struct gl_context *ctx, uint32_t have, unsigned attrib)
{
    const uint32_t pos = 1u << VERT_ATTRIB_POS, generic0 = 1u << VERT_ATTRIB_GENERIC0;
    if (gl_is_compat(ctx) && (1u << attrib) & (pos | generic0)) {
        if (have & generic0)
            return VERT_ATTRIB_GENERIC0;
        if (have & pos)
            return VERT_ATTRIB_POS;
        return -1;
    }
    return have >> attrib & 1 ? (int)attrib : -1;
}

/* The range that a draw reads from arrays in client memory. */
struct vertex_range {
    uint64_t last_vertex;
    uint64_t base_instance, last_instance; /* last_instance is relative to base_instance */
};

static size_t user_bytes(const struct gl_vertex_binding *b, const struct vertex_range *range,
                         unsigned offset, unsigned element)
{
    uint64_t n =
        b->divisor ? range->base_instance + range->last_instance / b->divisor : range->last_vertex;
    return n * b->stride + offset + element;
}

static void add_array(struct vertex_setup *s, const struct gl_vertex_array *vao, unsigned attrib,
                      unsigned source, const struct vertex_range *range, int8_t *buffer_of)
{
    const struct gl_attrib_format *f = &vao->attrib[source];
    const struct gl_vertex_binding *b = &vao->binding[f->binding];
    int vb = buffer_of[f->binding];
    if (vb < 0) {
        vb = buffer_of[f->binding] = s->num_buffers++;
        struct drv_vertex_buffer *out = &s->buffers[vb];
        *out = (struct drv_vertex_buffer){.stride = b->stride};
        if (b->buffer) {
            out->buffer = b->buffer->resource;
            out->offset = MIN2((uint64_t)b->offset, UINT32_MAX);
        } else {
            out->user = b->user;
        }
    }
    if (b->user) {
        size_t bytes = user_bytes(b, range, f->relative_offset, f->element_bytes);
        s->buffers[vb].user_size = MAX2(s->buffers[vb].user_size, bytes);
    }
    add_element(s, attrib, vb, f->relative_offset, f->drv_format, b->divisor);
}

/* Returns whether the vertex state of the last draw is still valid: all arrays are in buffers, and
 * no other context can have replaced their storage. */
static bool arrays_are_set_up(const struct gl_context *ctx)
{
    return ctx->array.from_buffers && !(ctx->dirty & GL_DIRTY_ARRAYS) &&
           !__atomic_load_n(&ctx->share_multiple, __ATOMIC_RELAXED);
}

static void setup_arrays(struct gl_context *ctx, const struct vertex_range *range)
{
    const struct gl_vertex_array *vao = ctx->array.vao;
    struct vertex_setup s;
    if (arrays_are_set_up(ctx))
        return;
    int8_t buffer_of[VERT_ATTRIB_COUNT];
    memset(buffer_of, -1, sizeof buffer_of);
    setup_init(&s);
    uint32_t inputs = ctx->vs_inputs;
    while (inputs) {
        unsigned attrib = u_bit_scan(&inputs);
        int source = source_attrib(ctx, vao->enabled, attrib);
        if (source >= 0 && s.num_buffers < DRV_MAX_VERTEX_BUFFERS)
            add_array(&s, vao, attrib, source, range, buffer_of);
        else
            add_current(ctx, &s, attrib);
    }
    finish_setup(ctx, &s);
    ctx->array.from_buffers = true;
    for (unsigned i = 0; i < s.num_buffers; i++)
        ctx->array.from_buffers &= s.buffers[i].buffer != NULL;
    ctx->dirty &= ~GL_DIRTY_ARRAYS;
}

/* Returns the format of an attribute in a vertex layout. size: in 32-bit words. */
static enum drv_format layout_format(GLenum type, unsigned size)
{
    if (type == GL_UNSIGNED_INT64_ARB)
        return DRV_FORMAT_R64_UINT;
    if (type == GL_DOUBLE)
        return DRV_FORMAT_R64_FLOAT + size / 2 - 1;
    enum drv_format base = type == GL_INT            ? DRV_FORMAT_R32_SINT
                           : type == GL_UNSIGNED_INT ? DRV_FORMAT_R32_UINT
                                                     : DRV_FORMAT_R32_FLOAT;
    return base + size - 1;
}

static void setup_layout(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                         const uint32_t *vertices, struct drv_resource *buffer, unsigned num)
{
    struct vertex_setup s;
    setup_init(&s);
    s.num_buffers = 1;
    s.buffers[0] = (struct drv_vertex_buffer){
        .stride = layout->vertex_words * 4,
        .buffer = buffer,
        .user = buffer ? NULL : vertices,
        .user_size = buffer ? 0 : (size_t)num * layout->vertex_words * 4,
    };
    uint32_t inputs = ctx->vs_inputs;
    while (inputs) {
        unsigned attrib = u_bit_scan(&inputs);
        int source = gl_ff_is_material(ctx, attrib)
                         ? GL_ATTRIB_MATERIAL + (int)attrib - GL_FF_ATTRIB_MATERIAL
                         : source_attrib(ctx, (uint32_t)layout->attribs, attrib);
        if (source >= 0)
            add_element(&s, attrib, 0, layout->offset[source] * 4,
                        layout_format(layout->type[source], layout->size[source]), 0);
        else
            add_current(ctx, &s, attrib);
    }
    finish_setup(ctx, &s);
}

/* ------------------------------------------------------------------------------- validation --- */

static bool valid_mode(struct gl_context *ctx, GLenum mode, const char *name)
{
    bool ok = mode <= GL_TRIANGLE_FAN || (mode <= GL_POLYGON && gl_is_compat(ctx)) ||
              (mode >= GL_LINES_ADJACENCY && mode <= GL_TRIANGLE_STRIP_ADJACENCY &&
               ctx->consts.version >= 32 && ctx->screen->caps.stage[SHADER_GEOMETRY].supported) ||
              (mode == GL_PATCHES && gl_has_tessellation(ctx));
    if (!ok)
        gl_error(ctx, GL_INVALID_ENUM, "%s(mode=%s)", name, gl_enum_name(mode));
    return ok;
}

/* Returns whether there are more than MAX_DUAL_SOURCE_DRAW_BUFFERS draw buffers, the limit for
 * blending with a second color (GL 4.6 §17.3.6.5). */
static bool has_buffers_beyond_dual_source(const struct gl_context *ctx)
{
    const struct gl_framebuffer *fb = ctx->framebuffer.draw;
    for (unsigned i = ctx->consts.max_dual_source_draw_buffers; i < fb->num_draw_buffers; i++)
        if (fb->draw_buffer[i] != GL_NONE)
            return true;
    return false;
}

/* Checks the rules of KHR_blend_equation_advanced: the fragment shader must declare the blend
 * equation, and only the first draw buffer may be enabled. Returns false after raising an error. */
static bool advanced_blending_allows(struct gl_context *ctx, const char *name)
{
    const struct gl_framebuffer *fb = ctx->framebuffer.draw;
    const struct gl_executable *exe = gl_stage_executable(ctx, SHADER_FRAGMENT);
    unsigned known = exe ? exe->stage[SHADER_FRAGMENT]->nir->info.fs.blend_support : 0;
    const char *why = NULL;
    struct gl_surface surfaces[DRV_MAX_COLOR_BUFS];
    uint8_t draw_of[DRV_MAX_COLOR_BUFS];
    /* The first draw buffer may name several buffers of a window, for example GL_LEFT. */
    if (!fb->name && gl_draw_surfaces(ctx, surfaces, draw_of) > 1 && !draw_of[1])
        why = "several color buffers";
    for (unsigned i = 0; i < fb->num_draw_buffers; i++) {
        if (fb->draw_buffer[i] == GL_NONE || !(ctx->color.advanced >> i & 1))
            continue;
        for (unsigned k = 1; k < fb->num_draw_buffers; k++)
            if (fb->draw_buffer[k] != GL_NONE)
                why = "more than the first color";
        if (!(known >> gl_advanced_equation(ctx->color.blend[i].equation_rgb) & 1))
            why = "the shader does not support the equation";
    }
    if (why)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(advanced blending: %s)", name, why);
    return !why;
}

/* Returns the primitive modes that a geometry shader with this input type accepts (GL 4.6 §11.3.4),
 * as a bit mask. */
static uint32_t modes_for_gs_input(unsigned input)
{
    switch (input) {
    case DRV_PRIM_POINTS:
        return 1u << GL_POINTS;
    case DRV_PRIM_LINES:
        return 1u << GL_LINES | 1u << GL_LINE_STRIP | 1u << GL_LINE_LOOP;
    case DRV_PRIM_TRIANGLES:
        return 1u << GL_TRIANGLES | 1u << GL_TRIANGLE_STRIP | 1u << GL_TRIANGLE_FAN;
    case DRV_PRIM_LINES_ADJACENCY:
        return 1u << GL_LINES_ADJACENCY | 1u << GL_LINE_STRIP_ADJACENCY;
    default:
        return 1u << GL_TRIANGLES_ADJACENCY | 1u << GL_TRIANGLE_STRIP_ADJACENCY;
    }
}

static bool geometry_allows(struct gl_context *ctx, GLenum mode, const char *name)
{
    const struct gl_executable *exe = gl_stage_executable(ctx, SHADER_GEOMETRY);
    mode = gl_assembled_mode(ctx, mode);
    if (!exe ||
        modes_for_gs_input(exe->stage[SHADER_GEOMETRY]->nir->info.gs.input_primitive) >> mode & 1)
        return true;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(mode %s does not match the geometry shader)", name,
             gl_enum_name(mode));
    return false;
}

/* Checks the tessellation stages (GL 4.6 §11.2, ES 3.2 §11.2): GL_PATCHES needs an evaluation
 * shader and vice versa, both need a vertex shader, and ES also needs a control shader.
 * Returns false after raising an error. */
static bool tessellation_allows(struct gl_context *ctx, GLenum mode, const char *name)
{
    bool control = gl_stage_executable(ctx, SHADER_TESS_CTRL);
    bool evaluation = gl_stage_executable(ctx, SHADER_TESS_EVAL);
    const char *why = NULL;
    if ((mode == GL_PATCHES) != evaluation)
        why = evaluation ? "tessellation draws only patches" : "patches without tessellation";
    else if ((control || evaluation) && !gl_stage_executable(ctx, SHADER_VERTEX))
        why = "tessellation without a vertex shader";
    else if (gl_is_es(ctx) && control != evaluation)
        why = "one tessellation shader without the other";
    if (why)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(mode=%s: %s)", name, gl_enum_name(mode), why);
    return !why;
}

bool gl_validate_fragments(struct gl_context *ctx, const char *name)
{
    if (!gl_is_compat(ctx) || gl_stage_executable(ctx, SHADER_FRAGMENT) ||
        !gl_draws_to_integers(ctx))
        return true;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(integer color buffer without a fragment shader)", name);
    return false;
}

/* Checks the rules of OVR_multiview and EXT_multiview_tessellation_geometry_shader: the programs of
 * all stages before rasterization declare the framebuffer's number of views, and draws to views are
 * not captured. Returns false after raising an error. */
static bool views_allow(struct gl_context *ctx, const char *name)
{
    const unsigned views = ctx->framebuffer.draw->views;
    const struct gl_program_state *p = &ctx->program;
    const bool one = p->current || !p->pipeline; /* one program has all stages */
    if (!views && one && (!p->exe || p->exe->num_views <= 1))
        return true;
    bool any = false;
    unsigned declared = 0;
    const char *why = NULL;
    for (unsigned s = SHADER_VERTEX; s < SHADER_FRAGMENT; s++) {
        const struct gl_executable *exe = gl_stage_executable(ctx, s);
        if (!exe)
            continue;
        if (any && exe->num_views != declared)
            why = "the programs declare different numbers of views";
        else if (s != SHADER_VERTEX && views &&
                 !ctx->ext.EXT_multiview_tessellation_geometry_shader)
            why = "tessellation or geometry shader with views";
        any = true;
        declared = exe->num_views;
    }
    if (MAX2(views, 1) != MAX2(declared, 1))
        why = "the program declares another number of views";
    else if (views && gl_transform_feedback_captures(ctx))
        why = "transform feedback with views";
    if (why)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", name, why);
    return !why;
}

/* Checks that only filled polygons are drawn while GL_CONSERVATIVE_RASTERIZATION_INTEL is enabled
 * (INTEL_conservative_rasterization, changes to GL 4.5 §14.6.4). Returns false after raising an
 * error. */
static bool conservative_allows(struct gl_context *ctx, GLenum mode, const char *name)
{
    const struct gl_polygon_state *p = &ctx->polygon;
    const char *why = NULL;
    if (!ctx->conservative.intel)
        return true;
    mode = gl_rasterized_mode(ctx, mode);
    if (mode == GL_POINTS || mode == GL_LINES || mode == GL_LINE_LOOP || mode == GL_LINE_STRIP ||
        mode == GL_LINES_ADJACENCY || mode == GL_LINE_STRIP_ADJACENCY)
        why = "points or lines";
    else if (gl_is_desktop(ctx) && (p->front_mode != GL_FILL || p->back_mode != GL_FILL))
        why = "polygon mode";
    if (why)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(conservative rasterization: %s)", name, why);
    return !why;
}

bool gl_validate_draw(struct gl_context *ctx, GLenum mode, const char *name)
{
    if (!valid_mode(ctx, mode, name))
        return false;
    ctx->drv->command.name = name;
    GLenum status = gl_framebuffer_status(ctx, GL_DRAW_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        gl_error(ctx, GL_INVALID_FRAMEBUFFER_OPERATION, "%s(framebuffer: %s)", name,
                 gl_enum_name(status));
        return false;
    }
    if (ctx->color.dual_source & ctx->color.blend_enabled && has_buffers_beyond_dual_source(ctx)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(second color for too many buffers)", name);
        return false;
    }
    if (ctx->color.advanced & ctx->color.blend_enabled && !ctx->color.logic_op_enabled &&
        !advanced_blending_allows(ctx, name))
        return false;
    return gl_validate_fragments(ctx, name) && gl_validate_programs(ctx, mode, name) &&
           views_allow(ctx, name) && tessellation_allows(ctx, mode, name) &&
           geometry_allows(ctx, mode, name) && conservative_allows(ctx, mode, name) &&
           gl_transform_feedback_allows(ctx, mode, name);
}

/* Validates a draw from arrays. Arrays and indices in mapped buffers are drawn: GL 4.6 §6.3.2
 * allows an error, but Mesa raises none. */
static bool validate_arrays(struct gl_context *ctx, GLenum mode, const char *name)
{
    const struct gl_vertex_array *vao = ctx->array.vao;
    if (ctx->api == GL_API_CORE && !vao->name) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no vertex array object)", name);
        return false;
    }
    return gl_validate_draw(ctx, mode, name);
}

/* Returns whether a draw must be skipped: an enabled array has no memory, or there is no position
 * array. */
static bool arrays_missing(const struct gl_context *ctx)
{
    const struct gl_vertex_array *vao = ctx->array.vao;
    uint32_t enabled = vao->enabled & ctx->vs_inputs;
    while (enabled) {
        const struct gl_attrib_format *f = &vao->attrib[u_bit_scan(&enabled)];
        const struct gl_vertex_binding *b = &vao->binding[f->binding];
        if (!b->buffer && !b->user)
            return true;
    }
    /* GL 4.6 compatibility §10.4: without a position array there are no vertices. */
    const uint32_t position = 1u << VERT_ATTRIB_POS | 1u << VERT_ATTRIB_GENERIC0;
    return gl_has_fixed_function(ctx) && ctx->vs_inputs & 1u << VERT_ATTRIB_POS &&
           !(vao->enabled & position);
}

static bool user_arrays(const struct gl_context *ctx)
{
    const struct gl_vertex_array *vao = ctx->array.vao;
    uint32_t enabled = vao->enabled;
    while (enabled) {
        const struct gl_attrib_format *f = &vao->attrib[u_bit_scan(&enabled)];
        if (!vao->binding[f->binding].buffer)
            return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------ draws --- */

static void submit(struct gl_context *ctx, struct drv_draw_info *info,
                   const struct drv_draw_range *ranges, unsigned n)
{
    const struct gl_program_state *s = &ctx->program;
    if (info->mode == GL_PATCHES) {
        info->vertices_per_patch = s->patch_vertices;
        ctx->drv->ops->set_patch_levels(ctx->drv, s->patch_outer, s->patch_inner);
    }
    info->num_views = ctx->framebuffer.draw->views;
    info->continues = ctx->array.multi_draw == GL_MULTI_DRAW_DRAWN;
    if (ctx->array.multi_draw)
        ctx->array.multi_draw = GL_MULTI_DRAW_DRAWN;
    ctx->drv->ops->draw(ctx->drv, info, ranges, n);
}

void gl_multi_draw_begin(struct gl_context *ctx)
{
    FLUSH_VERTICES(ctx, 0); /* vertices of earlier commands */
    ctx->array.multi_draw = GL_MULTI_DRAW_BEGUN;
}

void gl_multi_draw_end(struct gl_context *ctx)
{
    ctx->array.multi_draw = GL_SINGLE_DRAW;
    ctx->array.draw_id = 0;
}

static void draw_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                          const uint32_t *vertices, struct drv_resource *buffer, unsigned num,
                          const struct gl_prim *prims, unsigned num_prims)
{
    if (!num || !gl_validate_draw(ctx, prims[0].mode, "glEnd"))
        return;
    const bool lit = ctx->light.enabled && gl_ff_processes_vertices(ctx);
    ctx->light.vertex_materials = lit ? gl_materials_of(layout->attribs) : 0;
    bool ready = gl_update_state(ctx);
    if (ready)
        setup_layout(ctx, layout, vertices, buffer, num);
    ctx->light.vertex_materials = 0;
    if (!ready)
        return;
    ctx->dirty |= GL_DIRTY_ARRAYS;
    for (unsigned i = 0; i < num_prims;) {
        /* One call draws adjacent primitives of the same mode, including the strips of a split
         * primitive. */
        struct drv_draw_range ranges[64];
        unsigned n = 0;
        const unsigned mode = prims[i].mode;
        const bool compiled = prims[i].compiled;
        for (; i < num_prims && n < ARRAY_SIZE(ranges) && prims[i].mode == mode &&
               prims[i].compiled == compiled;
             i++)
            if (prims[i].count)
                NEXT_OF(ranges, n) = (struct drv_draw_range){prims[i].start, prims[i].count, 0};
        if (!n)
            continue;
        struct drv_draw_info info = {
            .mode = mode,
            .compiled = compiled,
            .instance_count = 1,
        };
        submit(ctx, &info, ranges, n);
    }
}

void gl_draw_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                      const uint32_t *vertices, struct drv_resource *buffer, unsigned num,
                      const struct gl_prim *prims, unsigned num_prims)
{
    /* Any glVertex may flush a full buffer, so set the driver's floating-point environment. */
    float_env env = float_env_enter();
    bool outermost = gl_share_enter(ctx);
    draw_vertices(ctx, layout, vertices, buffer, num, prims, num_prims);
    gl_share_leave(ctx, outermost);
    float_env_leave(env);
}

/* Draws ranges of the arrays in one primitive mode. */
static void draw_array_ranges(GLenum mode, const struct drv_draw_range *ranges, unsigned n,
                              GLsizei instances, GLuint base_instance, const char *name)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    if (!validate_arrays(ctx, mode, name) || !instances)
        return;
    struct vertex_range range = {.base_instance = base_instance, .last_instance = instances - 1};
    uint64_t total = 0;
    for (unsigned i = 0; i < n; i++) {
        total += ranges[i].count;
        if (ranges[i].count)
            range.last_vertex =
                MAX2(range.last_vertex, (uint64_t)ranges[i].start + ranges[i].count - 1);
    }
    if (!total)
        return;
    if (ctx->render_mode != GL_RENDER) {
        for (unsigned i = 0; i < n; i++, ctx->array.draw_id++)
            for (GLsizei instance = 0; instance < instances; instance++)
                gl_feedback_arrays(ctx, mode, ranges[i].start, ranges[i].count, base_instance,
                                   instance);
        ctx->array.draw_id -= n;
        return;
    }
    if (!gl_update_state(ctx) || arrays_missing(ctx))
        return;
    setup_arrays(ctx, &range);
    struct drv_draw_info info = {
        .mode = mode,
        .start_instance = base_instance,
        .instance_count = instances,
        .first_draw_id = ctx->array.draw_id,
    };
    submit(ctx, &info, ranges, n);
}

static bool counts_ok(struct gl_context *ctx, int64_t first, GLsizei count, GLsizei instances,
                      const char *name)
{
    if (first >= 0 && count >= 0 && instances >= 0)
        return true;
    gl_error(ctx, GL_INVALID_VALUE, "%s(first=%lld, count=%d, instances=%d)", name,
             (long long)first, count, instances);
    return false;
}

void gl_draw_arrays(GLenum mode, int64_t first, GLsizei count, GLsizei instances,
                    GLuint base_instance, const char *name)
{
    GL_CONTEXT(ctx);
    if (!counts_ok(ctx, first, count, instances, name))
        return;
    struct drv_draw_range range = {first, count, 0};
    draw_array_ranges(mode, &range, 1, instances, base_instance, name);
}

void gl_DrawArrays(GLenum mode, GLint first, GLsizei count)
{
    gl_draw_arrays(mode, first, count, 1, 0, "glDrawArrays");
}

void gl_DrawArraysInstanced(GLenum mode, GLint first, GLsizei count, GLsizei instancecount)
{
    gl_draw_arrays(mode, first, count, instancecount, 0, "glDrawArraysInstanced");
}

void gl_DrawArraysInstancedBaseInstance(GLenum mode, GLint first, GLsizei count,
                                        GLsizei instancecount, GLuint baseinstance)
{
    gl_draw_arrays(mode, first, count, instancecount, baseinstance,
                   "glDrawArraysInstancedBaseInstance");
}

void gl_MultiDrawArrays(GLenum mode, const GLint *first, const GLsizei *count, GLsizei drawcount)
{
    GL_CONTEXT(ctx);
    const char *name = "glMultiDrawArrays";
    if (drawcount < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(drawcount=%d)", name, drawcount);
        return;
    }
    for (GLsizei i = 0; i < drawcount; i++)
        if (!counts_ok(ctx, first[i], count[i], 1, name))
            return;
    struct drv_draw_range ranges[64];
    gl_multi_draw_begin(ctx);
    for (GLsizei done = 0; done < drawcount || !drawcount;) {
        unsigned n = 0;
        ctx->array.draw_id = done;
        while (done < drawcount && n < ARRAY_SIZE(ranges)) {
            NEXT_OF(ranges, n) = (struct drv_draw_range){first[done], count[done], 0};
            done++;
        }
        draw_array_ranges(mode, ranges, n, 1, 0, name);
        if (!drawcount)
            break;
    }
    gl_multi_draw_end(ctx);
}

/* ---------------------------------------------------------------------------------- indices --- */

static unsigned index_bytes(GLenum type)
{
    switch (type) {
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_UNSIGNED_SHORT:
        return 2;
    case GL_UNSIGNED_INT:
        return 4;
    default:
        return 0;
    }
}

static uint32_t index_at(const void *indices, unsigned bytes, size_t i)
{
    switch (bytes) {
    case 1:
        return ((const uint8_t *)indices)[i];
    case 2: {
        uint16_t v;
        memcpy(&v, (const uint8_t *)indices + 2 * i, 2);
        return v;
    }
    default: {
        uint32_t v;
        memcpy(&v, (const uint8_t *)indices + 4 * i, 4);
        return v;
    }
    }
}

bool gl_restart_index(const struct gl_context *ctx, unsigned bytes, uint32_t *index)
{
    if (ctx->array.primitive_restart_fixed)
        *index = BITFIELD_MASK(8 * bytes);
    else if (ctx->array.primitive_restart)
        *index = ctx->array.restart_index;
    else
        return false;
    return true;
}

struct indexed_draw {
    GLenum mode;
    GLsizei count;
    GLenum type;
    const void *indices; /* pointer, or byte offset in the index buffer */
    GLsizei instances;
    GLint base_vertex;
    GLuint base_instance;
    const char *name;
};

/* Finds the largest index, ignoring restart indices. Returns false if there is none. */
static bool max_index(const struct gl_context *ctx, const void *indices, unsigned bytes,
                      GLsizei count, uint32_t *max)
{
    uint32_t restart = 0;
    bool restarts = gl_restart_index(ctx, bytes, &restart), any = false;
    *max = 0;
    for (GLsizei i = 0; i < count; i++) {
        uint32_t v = index_at(indices, bytes, i);
        if (restarts && v == restart)
            continue;
        any = true;
        *max = MAX2(*max, v);
    }
    return any;
}

/* Submits a draw whose indices are in client memory, or in `buffer` if indices is NULL. */
static void submit_elements(struct gl_context *ctx, const struct indexed_draw *d,
                            const void *indices, struct gl_buffer *buffer, unsigned bytes)
{
    struct drv_draw_info info = {
        .mode = d->mode,
        .index_size = bytes,
        .start_instance = d->base_instance,
        .instance_count = d->instances,
        .first_draw_id = ctx->array.draw_id,
    };
    struct drv_draw_range range = {0, d->count, d->base_vertex};
    struct vertex_range vertices = {.base_instance = d->base_instance,
                                    .last_instance = d->instances - 1};
    info.primitive_restart = gl_restart_index(ctx, bytes, &info.restart_index);
    if (indices) {
        info.index_user = indices;
    } else {
        info.index_buffer = buffer->resource;
        range.start = (uintptr_t)d->indices / bytes;
    }
    if (indices && user_arrays(ctx)) {
        uint32_t max;
        if (!max_index(ctx, indices, bytes, d->count, &max))
            return;
        int64_t last = (int64_t)max + d->base_vertex;
        if (last < 0)
            return;
        vertices.last_vertex = last;
    }
    if (!gl_update_state(ctx) || arrays_missing(ctx))
        return;
    setup_arrays(ctx, &vertices);
    submit(ctx, &info, &range, 1);
}

/* Processes each part between restart indices, for each instance. */
static void feedback_elements(struct gl_context *ctx, const struct indexed_draw *d,
                              const void *indices, unsigned bytes)
{
    uint32_t restart = 0;
    bool restarts = gl_restart_index(ctx, bytes, &restart);
    for (GLsizei instance = 0; instance < d->instances; instance++) {
        GLsizei start = 0;
        for (GLsizei i = 0; i <= d->count; i++) {
            if (i < d->count && (!restarts || index_at(indices, bytes, i) != restart))
                continue;
            gl_feedback_elements(ctx, d->mode, i - start, bytes,
                                 (const uint8_t *)indices + (size_t)start * bytes, d->base_vertex,
                                 d->base_instance, instance);
            start = i + 1;
        }
    }
}

static bool validate_elements(struct gl_context *ctx, const struct indexed_draw *d)
{
    if (!counts_ok(ctx, 0, d->count, d->instances, d->name))
        return false;
    if (!index_bytes(d->type)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(type=%s)", d->name, gl_enum_name(d->type));
        return false;
    }
    return validate_arrays(ctx, d->mode, d->name) && d->count && d->instances;
}

static void draw_elements(const struct indexed_draw *draw)
{
    GL_CONTEXT(ctx);
    struct indexed_draw d = *draw;
    FLUSH_VERTICES(ctx, 0);
    if (!validate_elements(ctx, &d))
        return;
    unsigned bytes = index_bytes(d.type);
    struct gl_buffer *b = ctx->array.vao->index_buffer;
    bool feedback = ctx->render_mode != GL_RENDER;
    if (!b) {
        if (!d.indices)
            return;
        if (feedback)
            feedback_elements(ctx, &d, d.indices, bytes);
        else
            submit_elements(ctx, &d, d.indices, NULL, bytes);
        return;
    }
    /* Indices past the end of the buffer are not drawn. */
    uintptr_t offset = (uintptr_t)d.indices;
    if (!b->resource || offset >= (uintptr_t)b->size)
        return;
    d.count = MIN2((uint64_t)d.count, (b->size - offset) / bytes);
    if (!d.count)
        return;
    if (!feedback && !user_arrays(ctx) && offset % bytes == 0) {
        submit_elements(ctx, &d, NULL, b, bytes);
        return;
    }
    struct drv_transfer *transfer;
    const void *indices = gl_buffer_map_internal(ctx, b, offset, (GLsizeiptr)d.count * bytes,
                                                 DRV_MAP_READ, &transfer);
    if (!indices) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", d.name);
        return;
    }
    if (feedback)
        feedback_elements(ctx, &d, indices, bytes);
    else
        submit_elements(ctx, &d, indices, NULL, bytes);
    gl_buffer_unmap_internal(ctx, transfer);
}

void gl_draw_elements(GLenum mode, GLsizei count, GLenum type, const void *indices,
                      GLsizei instances, GLint base_vertex, GLuint base_instance, const char *name)
{
    draw_elements(&(struct indexed_draw){mode, count, type, indices, instances, base_vertex,
                                         base_instance, name});
}

void gl_DrawElements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    draw_elements(&(struct indexed_draw){mode, count, type, indices, 1, 0, 0, "glDrawElements"});
}

void gl_DrawElementsBaseVertex(GLenum mode, GLsizei count, GLenum type, const void *indices,
                               GLint basevertex)
{
    draw_elements(&(struct indexed_draw){mode, count, type, indices, 1, basevertex, 0,
                                         "glDrawElementsBaseVertex"});
}

static bool range_ok(GLuint start, GLuint end, const char *name)
{
    GL_CONTEXT(ctx);
    if (end >= start)
        return true;
    gl_error(ctx, GL_INVALID_VALUE, "%s(start=%u, end=%u)", name, start, end);
    return false;
}

void gl_DrawRangeElements(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                          const void *indices)
{
    if (range_ok(start, end, "glDrawRangeElements"))
        draw_elements(
            &(struct indexed_draw){mode, count, type, indices, 1, 0, 0, "glDrawRangeElements"});
}

void gl_DrawRangeElementsBaseVertex(GLenum mode, GLuint start, GLuint end, GLsizei count,
                                    GLenum type, const void *indices, GLint basevertex)
{
    if (range_ok(start, end, "glDrawRangeElementsBaseVertex"))
        draw_elements(&(struct indexed_draw){mode, count, type, indices, 1, basevertex, 0,
                                             "glDrawRangeElementsBaseVertex"});
}

void gl_DrawElementsInstanced(GLenum mode, GLsizei count, GLenum type, const void *indices,
                              GLsizei instancecount)
{
    draw_elements(&(struct indexed_draw){mode, count, type, indices, instancecount, 0, 0,
                                         "glDrawElementsInstanced"});
}

void gl_DrawElementsInstancedBaseVertex(GLenum mode, GLsizei count, GLenum type,
                                        const void *indices, GLsizei instancecount,
                                        GLint basevertex)
{
    draw_elements(&(struct indexed_draw){mode, count, type, indices, instancecount, basevertex, 0,
                                         "glDrawElementsInstancedBaseVertex"});
}

void gl_DrawElementsInstancedBaseInstance(GLenum mode, GLsizei count, GLenum type,
                                          const void *indices, GLsizei instancecount,
                                          GLuint baseinstance)
{
    draw_elements(&(struct indexed_draw){mode, count, type, indices, instancecount, 0, baseinstance,
                                         "glDrawElementsInstancedBaseInstance"});
}

void gl_DrawElementsInstancedBaseVertexBaseInstance(GLenum mode, GLsizei count, GLenum type,
                                                    const void *indices, GLsizei instancecount,
                                                    GLint basevertex, GLuint baseinstance)
{
    draw_elements(&(struct indexed_draw){mode, count, type, indices, instancecount, basevertex,
                                         baseinstance,
                                         "glDrawElementsInstancedBaseVertexBaseInstance"});
}

static void multi_draw_elements(GLenum mode, const GLsizei *count, GLenum type,
                                const void *const *indices, GLsizei drawcount,
                                const GLint *basevertex, const char *name)
{
    GL_CONTEXT(ctx);
    if (drawcount < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(drawcount=%d)", name, drawcount);
        return;
    }
    for (GLsizei i = 0; i < drawcount; i++)
        if (!counts_ok(ctx, 0, count[i], 1, name))
            return;
    gl_multi_draw_begin(ctx);
    if (!drawcount) /* raises the errors of the other arguments */
        draw_elements(&(struct indexed_draw){mode, 0, type, NULL, 1, 0, 0, name});
    for (GLsizei i = 0; i < drawcount; i++) {
        ctx->array.draw_id = i;
        draw_elements(&(struct indexed_draw){mode, count[i], type, indices[i], 1,
                                             basevertex ? basevertex[i] : 0, 0, name});
    }
    gl_multi_draw_end(ctx);
}

void gl_MultiDrawElements(GLenum mode, const GLsizei *count, GLenum type,
                          const void *const *indices, GLsizei drawcount)
{
    multi_draw_elements(mode, count, type, indices, drawcount, NULL, "glMultiDrawElements");
}

void gl_MultiDrawElementsBaseVertex(GLenum mode, const GLsizei *count, GLenum type,
                                    const void *const *indices, GLsizei drawcount,
                                    const GLint *basevertex)
{
    multi_draw_elements(mode, count, type, indices, drawcount, basevertex,
                        "glMultiDrawElementsBaseVertex");
}

/* Returns mode i of IBM_multimode_draw_arrays, where modes are stride bytes apart. Each draw goes
 * through the regular command, so that display lists compile it. */
static GLenum mode_at(const GLenum *mode, GLint stride, GLsizei i)
{
    GLenum value;
    memcpy(&value, (const char *)mode + (ptrdiff_t)i * stride, sizeof value);
    return value;
}

void gl_MultiModeDrawArraysIBM(const GLenum *mode, const GLint *first, const GLsizei *count,
                               GLsizei primcount, GLint modestride)
{
    GL_CONTEXT(ctx);
    for (GLsizei i = 0; i < primcount; i++)
        if (count[i] > 0)
            ctx->dispatch->DrawArrays(mode_at(mode, modestride, i), first[i], count[i]);
}

void gl_MultiModeDrawElementsIBM(const GLenum *mode, const GLsizei *count, GLenum type,
                                 const void *const *indices, GLsizei primcount, GLint modestride)
{
    GL_CONTEXT(ctx);
    for (GLsizei i = 0; i < primcount; i++)
        if (count[i] > 0)
            ctx->dispatch->DrawElements(mode_at(mode, modestride, i), count[i], type, indices[i]);
}

void gl_PrimitiveRestartIndex(GLuint index)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    ctx->array.restart_index = index;
}

void gl_PrimitiveRestartIndexNV(GLuint index)
{
    gl_PrimitiveRestartIndex(index);
}

void gl_LockArraysEXT(GLint first, GLsizei count)
{
    GL_CONTEXT(ctx);
    if (first < 0 || count <= 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glLockArraysEXT(first=%d, count=%d)", first, count);
        return;
    }
    if (ctx->array.lock_count) {
        gl_error(ctx, GL_INVALID_OPERATION, "glLockArraysEXT(already locked)");
        return;
    }
    ctx->array.lock_first = first;
    ctx->array.lock_count = count;
}

void gl_UnlockArraysEXT(void)
{
    GL_CONTEXT(ctx);
    if (!ctx->array.lock_count)
        gl_error(ctx, GL_INVALID_OPERATION, "glUnlockArraysEXT(not locked)");
    ctx->array.lock_first = 0;
    ctx->array.lock_count = 0;
}

/* --------------------------------------------------------------------------- internal draws --- */

void gl_draw_internal(struct gl_context *ctx, enum drv_primitive mode, unsigned num, unsigned count,
                      const uint8_t *attribs, const float (*const *data)[4])
{
    struct vertex_setup s;
    setup_init(&s);
    for (unsigned i = 0; i < count && i < DRV_MAX_ATTRIBS; i++) {
        s.buffers[s.num_buffers] = (struct drv_vertex_buffer){
            .stride = 16,
            .user = data[i],
            .user_size = (size_t)num * 16,
        };
        add_element(&s, attribs[i], s.num_buffers++, 0, DRV_FORMAT_R32G32B32A32_FLOAT, 0);
    }
    finish_setup(ctx, &s);
    ctx->dirty |= GL_DIRTY_ARRAYS;
    struct drv_draw_info info = {
        .mode = mode,
        .instance_count = 1,
        .internal = true,
    };
    struct drv_draw_range range = {0, num, 0};
    ctx->drv->command.name = "an internal draw";
    memset(ctx->drv->command.program, 0, sizeof ctx->drv->command.program);
    ctx->drv->ops->draw(ctx->drv, &info, &range, 1);
}
