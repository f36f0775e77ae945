/* SPDX-License-Identifier: MIT */
/* glGet (GL 4.6 compatibility §22.1): a common lookup, and conversions to the requested type. */
#include <math.h>

#include "gl/api/gl_core.h"
#include "gl/buffer/gl_buffer.h"
#include "gl/compat/gl_attrib_stack.h"
#include "gl/compat/gl_lists.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_get_types.h"
#include "gl/draw/gl_feedback.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_enable.h"
#include "gl/state/gl_params.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/format.h"
#include "util/os_memory.h"

/* Returns GL_SUBGROUP_SUPPORTED_STAGES_KHR. */
static GLbitfield subgroup_stages(const struct gl_context *ctx)
{
    static const GLbitfield bits[SHADER_STAGE_COUNT] = {
        [SHADER_VERTEX] = GL_VERTEX_SHADER_BIT,
        [SHADER_TESS_CTRL] = GL_TESS_CONTROL_SHADER_BIT,
        [SHADER_TESS_EVAL] = GL_TESS_EVALUATION_SHADER_BIT,
        [SHADER_GEOMETRY] = GL_GEOMETRY_SHADER_BIT,
        [SHADER_FRAGMENT] = GL_FRAGMENT_SHADER_BIT,
        [SHADER_COMPUTE] = GL_COMPUTE_SHADER_BIT,
        [SHADER_TASK] = GL_TASK_SHADER_BIT_EXT,
        [SHADER_MESH] = GL_MESH_SHADER_BIT_EXT,
    };
    GLbitfield stages = 0;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        if (s <= SHADER_COMPUTE || ctx->ext.EXT_mesh_shader)
            stages |= ctx->screen->caps.stage[s].supported ? bits[s] : 0;
    return stages;
}

static GLuint name_of(const struct gl_buffer *b)
{
    return b ? b->name : 0;
}

static GLbitfield context_flags(const struct gl_context *c)
{
    return (c->forward_compatible ? GL_CONTEXT_FLAG_FORWARD_COMPATIBLE_BIT : 0) |
           (c->debug_context ? GL_CONTEXT_FLAG_DEBUG_BIT : 0) |
           (c->robust_access ? GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT : 0) |
           (c->no_error ? GL_CONTEXT_FLAG_NO_ERROR_BIT : 0);
}

static GLenum list_mode(const struct gl_context *c)
{
    GLenum mode;
    return gl_lists_current(c, &mode) ? mode : 0;
}

/* Returns the vertex that selects layer and viewport. Desktop GL reports GL_PROVOKING_VERTEX; ES
 * has no such value and reports the provoking vertex convention (ES 3.2 §11.3.4.4). */
static GLenum provoking_vertex(const struct gl_context *c)
{
    return gl_is_es(c) ? c->light.provoking_vertex : GL_PROVOKING_VERTEX;
}

enum matrix_form { MATRIX_AS_IT_IS, MATRIX_TRANSPOSED, MATRIX_AS_BITS };

static unsigned get_matrix(double *v, const struct gl_matrix_stack *stack, enum matrix_form form)
{
    const float *m = gl_matrix_top(stack);
    for (unsigned i = 0; i < 16; i++)
        v[i] = form == MATRIX_AS_BITS      ? (int32_t)fui(m[i])
               : form == MATRIX_TRANSPOSED ? m[i % 4 * 4 + i / 4]
                                           : m[i];
    return 16;
}

#include "gl_get_table.h"

/* Returns whether pname is state of a texture coordinate set, which the image units without one
 * lack. */
static bool needs_coordinate_set(GLenum pname)
{
    return pname == GL_TEXTURE_MATRIX || pname == GL_TRANSPOSE_TEXTURE_MATRIX ||
           pname == GL_TEXTURE_STACK_DEPTH || pname == GL_CURRENT_TEXTURE_COORDS ||
           pname == GL_CURRENT_RASTER_TEXTURE_COORDS;
}

/* Returns whether a valid query may have no values: a list of formats may be empty, and there is no
 * read format without a read buffer. gl_get_read_format() has raised the error for that. */
static bool may_be_empty(GLenum pname)
{
    return pname == GL_SHADER_BINARY_FORMATS || pname == GL_COMPRESSED_TEXTURE_FORMATS ||
           pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT ||
           pname == GL_IMPLEMENTATION_COLOR_READ_TYPE;
}

/* Returns the number of values of pname in *v, or 0 if the context doesn't have the name. */
static unsigned find(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    bool enabled;

    if (!gl_enum_available(ctx, pname))
        return 0;
    unsigned n = get_state(ctx, pname, type, v);
    if (!n)
        n = gl_get_textures(ctx, pname, type, v);
    if (!n)
        n = gl_get_framebuffers(ctx, pname, type, v);
    if (!n)
        n = gl_get_pixels(ctx, pname, type, v);
    if (!n)
        n = gl_get_read_format(ctx, pname, type, v);
    if (!n)
        n = gl_get_programs(ctx, pname, type, v);
    if (!n && gl_enabled(ctx, pname, &enabled)) {
        *type = GL_GET_BOOL;
        v[0] = enabled;
        n = 1;
    }
    return n;
}

/* Like find(), but raises errors. Returns 0 if there are no values or an error was raised. */
static unsigned get(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v,
                    const char *call)
{
    /* Stored vertices hold the current attributes. */
    FLUSH_VERTICES(ctx, 0);
    if (ctx->texenv.active >= GL_MAX_TEXTURE_COORD_UNITS && needs_coordinate_set(pname)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s of texture unit %u)", call, gl_enum_name(pname),
                 ctx->texenv.active);
        return 0;
    }
    unsigned n = find(ctx, pname, type, v);
    if (!n && !(gl_enum_available(ctx, pname) && may_be_empty(pname)))
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return n;
}

static GLint64 to_integer(double v, enum gl_get_type type)
{
    if (type == GL_GET_NORMALIZED) /* §22.2: 1 is the largest integer, -1 the smallest */
        v = v * 2147483647.0;
    if (type != GL_GET_FLOAT && type != GL_GET_NORMALIZED)
        return v >= 9.2e18 ? INT64_MAX : (GLint64)v;
    return v >= 9.2e18 ? INT64_MAX : v <= -9.2e18 ? INT64_MIN : llround(v);
}

static GLint to_int(double v, enum gl_get_type type)
{
    GLint64 i = to_integer(v, type);
    if (type == GL_GET_INT || type == GL_GET_ENUM)
        return i > UINT32_MAX ? INT32_MAX : (GLint)i; /* bit masks keep bit 31 */
    return CLAMP(i, INT32_MIN, INT32_MAX);
}

void gl_GetIntegerv(GLenum pname, GLint *data)
{
    GL_CONTEXT(ctx);
    double v[GL_GET_VALUES];
    enum gl_get_type type;
    unsigned n = get(ctx, pname, &type, v, "glGetIntegerv");
    for (unsigned i = 0; i < n; i++)
        data[i] = to_int(v[i], type);
}

void gl_GetInteger64v(GLenum pname, GLint64 *data)
{
    GL_CONTEXT(ctx);
    double v[GL_GET_VALUES];
    enum gl_get_type type;
    unsigned n = get(ctx, pname, &type, v, "glGetInteger64v");
    for (unsigned i = 0; i < n; i++)
        data[i] = to_integer(v[i], type);
}

void gl_GetFloatv(GLenum pname, GLfloat *data)
{
    GL_CONTEXT(ctx);
    double v[GL_GET_VALUES];
    enum gl_get_type type;
    unsigned n = get(ctx, pname, &type, v, "glGetFloatv");
    for (unsigned i = 0; i < n; i++)
        data[i] = v[i];
}

void gl_GetDoublev(GLenum pname, GLdouble *data)
{
    GL_CONTEXT(ctx);
    double v[GL_GET_VALUES];
    enum gl_get_type type;
    unsigned n = get(ctx, pname, &type, v, "glGetDoublev");
    memcpy(data, v, n * sizeof *v);
}

void gl_GetBooleanv(GLenum pname, GLboolean *data)
{
    GL_CONTEXT(ctx);
    double v[GL_GET_VALUES];
    enum gl_get_type type;
    unsigned n = get(ctx, pname, &type, v, "glGetBooleanv");
    for (unsigned i = 0; i < n; i++)
        data[i] = v[i] != 0.0;
}

/* Scales all values but enumerants (GL ES 1.1 §6.1.2). */
void gl_GetFixedv(GLenum pname, GLfixed *params)
{
    GL_CONTEXT(ctx);
    double v[GL_GET_VALUES];
    enum gl_get_type type;
    unsigned n = get(ctx, pname, &type, v, "glGetFixedv");
    for (unsigned i = 0; i < n; i++)
        params[i] = gl_nearest_int(type == GL_GET_ENUM ? v[i] : v[i] * 65536.0);
}

/* ---------------------------------------------------------------------------- indexed forms --- */

/* Queries state of one unit or matrix that has no indexed query (EXT_direct_state_access). */
static unsigned get_selected(struct gl_context *ctx, GLenum target, GLuint index,
                             enum gl_get_type *type, double *v, const char *call)
{
    struct gl_indexed_selection saved;
    GLenum pname = target == GL_PROGRAM_MATRIX_EXT               ? GL_CURRENT_MATRIX_ARB
                   : target == GL_TRANSPOSE_PROGRAM_MATRIX_EXT   ? GL_TRANSPOSE_CURRENT_MATRIX_ARB
                   : target == GL_PROGRAM_MATRIX_STACK_DEPTH_EXT ? GL_CURRENT_MATRIX_STACK_DEPTH_ARB
                                                                 : target;
    unsigned n = 0;
    if (gl_select_indexed(ctx, target, index, &saved, call))
        n = get(ctx, pname, type, v, call);
    gl_restore_selection(ctx, &saved);
    return n;
}

/* Indices of the following functions are in range; get_indexed() checks them. */

static unsigned get_of_draw_buffer(const struct gl_context *ctx, GLenum target, unsigned buffer,
                                   enum gl_get_type *type, double *v)
{
    static const struct {
        GLenum target;
        uint8_t offset; /* offset of a GLenum */
    } fields[] = {
        {GL_BLEND_SRC, offsetof(struct gl_blend_func, src_rgb)},
        {GL_BLEND_DST, offsetof(struct gl_blend_func, dst_rgb)},
        {GL_BLEND_SRC_RGB, offsetof(struct gl_blend_func, src_rgb)},
        {GL_BLEND_DST_RGB, offsetof(struct gl_blend_func, dst_rgb)},
        {GL_BLEND_SRC_ALPHA, offsetof(struct gl_blend_func, src_alpha)},
        {GL_BLEND_DST_ALPHA, offsetof(struct gl_blend_func, dst_alpha)},
        {GL_BLEND_EQUATION_RGB, offsetof(struct gl_blend_func, equation_rgb)},
        {GL_BLEND_EQUATION_ALPHA, offsetof(struct gl_blend_func, equation_alpha)},
    };
    *type = GL_GET_BOOL;
    if (target == GL_BLEND) {
        *v = ctx->color.blend_enabled >> buffer & 1;
        return 1;
    }
    if (target == GL_COLOR_WRITEMASK) {
        for (unsigned c = 0; c < 4; c++)
            v[c] = ctx->color.mask[buffer] >> c & 1;
        return 4;
    }
    *type = GL_GET_ENUM;
    for (unsigned i = 0; i < ARRAY_SIZE(fields); i++) {
        if (fields[i].target == target) {
            *v = *(const GLenum *)((const char *)&ctx->color.blend[buffer] + fields[i].offset);
            return 1;
        }
    }
    return 0;
}

static unsigned get_of_viewport(const struct gl_context *ctx, GLenum target, unsigned viewport,
                                enum gl_get_type *type, double *v)
{
    const struct gl_viewport *vp = &ctx->viewport.vp[viewport];
    const struct gl_scissor *sc = &ctx->scissor.rect[viewport];
    switch (target) {
    case GL_SCISSOR_TEST:
        *type = GL_GET_BOOL;
        *v = ctx->scissor.enabled >> viewport & 1;
        return 1;
    case GL_VIEWPORT:
        *type = GL_GET_FLOAT;
        v[0] = vp->x, v[1] = vp->y, v[2] = vp->width, v[3] = vp->height;
        return 4;
    case GL_DEPTH_RANGE: /* as in other drivers, only queries without an index scale it */
        *type = GL_GET_FLOAT;
        v[0] = vp->near_val, v[1] = vp->far_val;
        return 2;
    case GL_SCISSOR_BOX:
        *type = GL_GET_INT;
        v[0] = sc->x, v[1] = sc->y, v[2] = sc->width, v[3] = sc->height;
        return 4;
    default:
        return 0;
    }
}

static unsigned get_of_vertex_binding(const struct gl_context *ctx, GLenum target, unsigned binding,
                                      double *v)
{
    const struct gl_vertex_binding *b = &ctx->array.vao->binding[VERT_ATTRIB_GENERIC(binding)];
    switch (target) {
    case GL_VERTEX_BINDING_DIVISOR:
        *v = b->divisor;
        return 1;
    case GL_VERTEX_BINDING_OFFSET:
        *v = b->offset;
        return 1;
    case GL_VERTEX_BINDING_STRIDE:
        *v = b->stride;
        return 1;
    case GL_VERTEX_BINDING_BUFFER:
        *v = name_of(b->buffer);
        return 1;
    default:
        return 0;
    }
}

static unsigned get_of_dimension(const struct gl_context *ctx, GLenum target, unsigned dimension,
                                 double *v)
{
    const struct glsl_limits *l = &ctx->consts.glsl->limits;
    if (!gl_enum_available(ctx, target))
        return 0;
    switch (target) {
    case GL_MAX_COMPUTE_WORK_GROUP_COUNT:
        *v = l->max_compute_workgroup_count[dimension];
        return 1;
    case GL_MAX_TASK_WORK_GROUP_COUNT_EXT:
    case GL_MAX_MESH_WORK_GROUP_COUNT_EXT:
        *v = GL_MESH_MAX_COUNT;
        return 1;
    case GL_MAX_COMPUTE_WORK_GROUP_SIZE:
    case GL_MAX_COMPUTE_VARIABLE_GROUP_SIZE_ARB:
    case GL_MAX_TASK_WORK_GROUP_SIZE_EXT:
    case GL_MAX_MESH_WORK_GROUP_SIZE_EXT:
        *v = l->max_compute_workgroup_size[dimension];
        return 1;
    default:
        return 0;
    }
}

/* Returns the number of values and the number of valid indices in *limit. Returns 0 if target isn't
 * indexed. */
static unsigned find_indexed(struct gl_context *ctx, GLenum target, GLuint index, unsigned *limit,
                             enum gl_get_type *type, double *v)
{
    unsigned n;
    *limit = ctx->consts.max_draw_buffers;
    if ((n = get_of_draw_buffer(ctx, target, index < *limit ? index : 0, type, v)))
        return n;
    *limit = ctx->consts.max_viewports;
    if ((n = get_of_viewport(ctx, target, index < *limit ? index : 0, type, v)))
        return n;
    *type = GL_GET_INT64;
    *limit = ctx->consts.max_vertex_attribs;
    if ((n = get_of_vertex_binding(ctx, target, index < *limit ? index : 0, v)))
        return n;
    *limit = 3;
    if ((n = get_of_dimension(ctx, target, index < *limit ? index : 0, v)))
        return n;
    *limit = 1;
    if (target == GL_SAMPLE_MASK_VALUE) {
        *v = ctx->multisample.sample_mask;
        *type = GL_GET_INT;
        return 1;
    }
    return gl_indexed_buffer_get(ctx, target, index, limit, v) ||
           gl_image_unit_get(ctx, target, index, limit, v);
}

static unsigned get_indexed(struct gl_context *ctx, GLenum target, GLuint index,
                            enum gl_get_type *type, double *v, const char *call)
{
    unsigned limit;
    if (gl_index_kind(ctx, target) != GL_INDEX_DIRECT)
        return get_selected(ctx, target, index, type, v, call);
    FLUSH_VERTICES(ctx, 0);
    unsigned n = find_indexed(ctx, target, index, &limit, type, v);
    if (n && index < limit)
        return n;
    if (n)
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
    return 0;
}

#define GET_INDEXED(name, T, convert)                                                              \
    void gl_Get##name(GLenum target, GLuint index, T *data)                                        \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        double v[GL_GET_VALUES];                                                                   \
        enum gl_get_type type;                                                                     \
        unsigned n = get_indexed(ctx, target, index, &type, v, "glGet" #name);                     \
        for (unsigned i = 0; i < n; i++)                                                           \
            data[i] = convert;                                                                     \
    }
GET_INDEXED(Booleani_v, GLboolean, v[i] != 0.0)
GET_INDEXED(Integeri_v, GLint, to_int(v[i], type))
GET_INDEXED(Integer64i_v, GLint64, to_integer(v[i], type))
GET_INDEXED(Floati_v, GLfloat, (GLfloat)v[i])
GET_INDEXED(Doublei_v, GLdouble, v[i])

void gl_GetPolygonStipple(GLubyte *mask)
{
    GL_CONTEXT(ctx);
    gl_pixels_pack_bitmap(ctx, 32, 32, ctx->polygon_stipple, -1, mask, "glGetPolygonStipple");
}

void gl_GetnPolygonStipple(GLsizei size, GLubyte *mask)
{
    GL_CONTEXT(ctx);
    const char *call = "glGetnPolygonStipple";
    if (size < 0)
        gl_error(ctx, GL_INVALID_VALUE, "%s(bufSize=%d)", call, size);
    else
        gl_pixels_pack_bitmap(ctx, 32, 32, ctx->polygon_stipple, size, mask, call);
}

void gl_GetnPolygonStippleARB(GLsizei size, GLubyte *mask)
{
    gl_GetnPolygonStipple(size, mask);
}
