/* SPDX-License-Identifier: MIT */
/* Initial state, and commands that set viewport, scissor, per-fragment and rasterization state (GL
 * 4.6 compatibility chapters 13, 14, 17). */
#include "gl/state/gl_state.h"

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/pixel/gl_pixel.h"
#include "gl_entry.h"

/* ---------------------------------------------------------------------------- initial state --- */

static void init_lights(struct gl_light_state *s)
{
    s->color_control = GL_SINGLE_COLOR;
    s->shade_model = GL_SMOOTH;
    s->color_material_face = GL_FRONT_AND_BACK;
    s->color_material_mode = GL_AMBIENT_AND_DIFFUSE;
    s->provoking_vertex = GL_LAST_VERTEX_CONVENTION;
    s->clamp_vertex = GL_TRUE;
    for (unsigned i = 0; i < 4; i++)
        s->model_ambient[i] = i == 3 ? 1.0f : 0.2f;
    for (unsigned i = 0; i < GL_MAX_LIGHTS_; i++) {
        float one = i == 0 ? 1.0f : 0.0f;
        s->light[i] = (struct gl_light){
            .ambient = {0, 0, 0, 1},
            .diffuse = {one, one, one, 1},
            .specular = {one, one, one, 1},
            .eye_position = {0, 0, 1, 0},
            .spot_eye_direction = {0, 0, -1},
            .spot_cutoff = 180.0f,
            .constant_attenuation = 1.0f,
        };
    }
    for (unsigned i = 0; i < 2; i++)
        s->material[i] = (struct gl_material){
            .ambient = {0.2f, 0.2f, 0.2f, 1},
            .diffuse = {0.8f, 0.8f, 0.8f, 1},
            .specular = {0, 0, 0, 1},
            .emission = {0, 0, 0, 1},
            .indexes = {0, 1, 1},
        };
}

static void init_texenv(struct gl_context *ctx)
{
    for (unsigned i = 0; i < GL_MAX_TEXTURE_COORD_UNITS; i++) {
        struct gl_texenv_unit *u = &ctx->texenv.unit[i];
        *u = (struct gl_texenv_unit){
            .mode = GL_MODULATE,
            .combine_rgb = GL_MODULATE,
            .combine_alpha = GL_MODULATE,
            .source_rgb = {GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT, GL_ZERO},
            .source_alpha = {GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT, GL_ZERO},
            .operand_rgb = {GL_SRC_COLOR, GL_SRC_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_COLOR},
            .operand_alpha = {GL_SRC_ALPHA, GL_SRC_ALPHA, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA},
            .rgb_scale = 1.0f,
            .alpha_scale = 1.0f,
        };
        for (unsigned c = 0; c < 4; c++)
            u->gen[c].mode = ctx->api == GL_API_ES1 ? GL_REFLECTION_MAP : GL_EYE_LINEAR;
        u->gen[0].object_plane[0] = u->gen[0].eye_plane[0] = 1.0f;
        u->gen[1].object_plane[1] = u->gen[1].eye_plane[1] = 1.0f;
    }
}

static void init_current(struct gl_current_state *s)
{
    for (unsigned i = 0; i < VERT_ATTRIB_COUNT; i++) {
        s->attrib[i][3] = 1.0f;
        s->attrib_type[i] = GL_FLOAT;
    }
    s->attrib[VERT_ATTRIB_NORMAL][2] = 1.0f;
    for (unsigned i = 0; i < 3; i++)
        s->attrib[VERT_ATTRIB_COLOR0][i] = 1.0f;
    s->attrib[VERT_ATTRIB_COLOR_INDEX][0] = 1.0f;
    s->attrib[VERT_ATTRIB_EDGEFLAG][0] = 1.0f;
    s->attrib[VERT_ATTRIB_POINT_SIZE][0] = 1.0f;
    s->raster_pos[3] = 1.0f;
    s->raster_valid = true;
    s->raster_index = 1.0f;
    for (unsigned i = 0; i < 4; i++)
        s->raster_color[i] = 1.0f;
    s->raster_secondary_color[3] = 1.0f;
    for (unsigned i = 0; i < GL_MAX_TEXTURE_COORD_UNITS; i++)
        s->raster_texcoord[i][3] = 1.0f;
}

void gl_context_init_state(struct gl_context *ctx)
{
    bool es = gl_is_es(ctx);
    ctx->dirty = GL_DIRTY_ALL;
    ctx->render_mode = GL_RENDER;
    for (unsigned i = 0; i < DRV_MAX_COLOR_BUFS; i++) {
        ctx->color.mask[i] = 0xf;
        ctx->color.blend[i] =
            (struct gl_blend_func){GL_ONE, GL_ZERO, GL_ONE, GL_ZERO, GL_FUNC_ADD, GL_FUNC_ADD};
    }
    ctx->color.index_mask = ~0u;
    ctx->color.alpha_func = GL_ALWAYS;
    ctx->color.advanced_coherent = true;
    ctx->color.logic_op = GL_COPY;
    ctx->color.dither = true;
    ctx->color.clear_type = GL_FLOAT;
    ctx->color.clamp_fragment = GL_FIXED_ONLY;
    ctx->color.clamp_read = GL_FIXED_ONLY;
    ctx->color.srgb = es;
    ctx->depth.mask = true;
    ctx->depth.func = GL_LESS;
    ctx->depth.clear = 1.0;
    ctx->depth.bounds[1] = 1.0;
    for (unsigned i = 0; i < GL_STENCIL_FACES; i++) {
        ctx->stencil.func[i] = GL_ALWAYS;
        ctx->stencil.fail[i] = ctx->stencil.zfail[i] = ctx->stencil.zpass[i] = GL_KEEP;
        ctx->stencil.value_mask[i] = ctx->stencil.write_mask[i] = ~0u;
    }
    ctx->polygon.front_mode = ctx->polygon.back_mode = GL_FILL;
    ctx->polygon.cull_mode = GL_BACK;
    ctx->polygon.front_face = GL_CCW;
    memset(ctx->polygon_stipple, 0xff, sizeof ctx->polygon_stipple);
    ctx->line.width = 1.0f;
    ctx->line.stipple_factor = 1;
    ctx->line.stipple_pattern = 0xffff;
    ctx->point.size = 1.0f;
    ctx->point.max = ctx->consts.point_size_range[1];
    ctx->point.fade_threshold = 1.0f;
    ctx->point.attenuation[0] = 1.0f;
    ctx->point.sprite_origin = GL_UPPER_LEFT;
    ctx->point.sprite = ctx->api == GL_API_ES2 || ctx->api == GL_API_CORE;
    ctx->point.program_size = ctx->api == GL_API_ES2;
    for (unsigned i = 0; i < DRV_MAX_VIEWPORTS; i++)
        ctx->viewport.vp[i].far_val = 1.0;
    ctx->viewport.clip_origin = GL_LOWER_LEFT;
    ctx->viewport.clip_depth = GL_NEGATIVE_ONE_TO_ONE;
    ctx->multisample.enabled = true;
    ctx->multisample.coverage_value = 1.0f;
    ctx->multisample.alpha_dither = GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV;
    ctx->multisample.sample_mask = ~0u;
    for (unsigned i = 0; i < sizeof ctx->hint / sizeof(GLenum); i++)
        ((GLenum *)&ctx->hint)[i] = GL_DONT_CARE;
    init_lights(&ctx->light);
    ctx->fog.mode = GL_EXP;
    ctx->fog.coord_source = GL_FRAGMENT_DEPTH;
    ctx->fog.distance_mode = GL_EYE_PLANE_ABSOLUTE_NV;
    ctx->fog.density = 1.0f;
    ctx->fog.end = 1.0f;
    init_texenv(ctx);
    ctx->transform.matrix_mode = GL_MODELVIEW;
    init_current(&ctx->current_attribs);
    ctx->eval.grid1_un = ctx->eval.grid2_un = ctx->eval.grid2_vn = 1;
    ctx->eval.grid1_u2 = ctx->eval.grid2_u2 = ctx->eval.grid2_v2 = 1.0f;
}

/* ------------------------------------------------------------------------ viewport, scissor --- */

/* With ARB_viewport_array, positions are clamped to GL_VIEWPORT_BOUNDS_RANGE (GL 4.6 §13.8.1). */
static void set_viewport(struct gl_context *ctx, unsigned i, float x, float y, float w, float h)
{
    struct gl_viewport *vp = &ctx->viewport.vp[i];
    bool bounded = ctx->consts.max_viewports > 1;
    vp->x = bounded ? CLAMP(x, -32768.0f, 32767.0f) : x;
    vp->y = bounded ? CLAMP(y, -32768.0f, 32767.0f) : y;
    vp->width = MIN2(w, ctx->consts.max_viewport_dims[0]);
    vp->height = MIN2(h, ctx->consts.max_viewport_dims[1]);
}

void gl_Viewport(GLint x, GLint y, GLsizei width, GLsizei height)
{
    GL_CONTEXT(ctx);
    if (width < 0 || height < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glViewport(width=%d, height=%d)", width, height);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_VIEWPORT);
    for (int i = 0; i < ctx->consts.max_viewports; i++)
        set_viewport(ctx, i, x, y, width, height);
    /* Applications call glViewport after the window was resized, so query its size. The query may
     * take a round trip to the window system. It is deferred while a framebuffer object is bound,
     * because many applications set viewports for textures in each frame. */
    ctx->window_size_pending = ctx->framebuffer.draw != &ctx->framebuffer.window;
    if (ctx->draw_drawable && !ctx->window_size_pending)
        gl_drawable_update(ctx, ctx->draw_drawable);
}

static bool range_ok(struct gl_context *ctx, GLuint first, GLsizei count, const char *call)
{
    if (count >= 0 && (uint64_t)first + count <= (unsigned)ctx->consts.max_viewports)
        return true;
    gl_error(ctx, GL_INVALID_VALUE, "%s(first=%u, count=%d)", call, first, count);
    return false;
}

void gl_ViewportArrayv(GLuint first, GLsizei count, const GLfloat *v)
{
    GL_CONTEXT(ctx);
    if (!range_ok(ctx, first, count, "glViewportArrayv"))
        return;
    for (GLsizei i = 0; i < count; i++)
        if (v[4 * i + 2] < 0 || v[4 * i + 3] < 0) {
            gl_error(ctx, GL_INVALID_VALUE, "glViewportArrayv(negative size)");
            return;
        }
    FLUSH_VERTICES(ctx, GL_DIRTY_VIEWPORT);
    for (GLsizei i = 0; i < count; i++)
        set_viewport(ctx, first + i, v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]);
}

void gl_ViewportIndexedf(GLuint index, GLfloat x, GLfloat y, GLfloat w, GLfloat h)
{
    gl_ViewportArrayv(index, 1, (GLfloat[]){x, y, w, h});
}

void gl_ViewportIndexedfv(GLuint index, const GLfloat *v)
{
    gl_ViewportArrayv(index, 1, v);
}

static void set_depth_range(struct gl_viewport *vp, GLdouble n, GLdouble f)
{
    vp->near_val = CLAMP(n, 0.0, 1.0);
    vp->far_val = CLAMP(f, 0.0, 1.0);
}

void gl_DepthRange(GLdouble n, GLdouble f)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, GL_DIRTY_VIEWPORT);
    for (int i = 0; i < ctx->consts.max_viewports; i++)
        set_depth_range(&ctx->viewport.vp[i], n, f);
}

void gl_DepthRangef(GLfloat n, GLfloat f)
{
    gl_DepthRange(n, f);
}

void gl_DepthRangex(GLfixed n, GLfixed f)
{
    gl_DepthRange(n / 65536.0, f / 65536.0);
}

void gl_DepthRangeArrayv(GLuint first, GLsizei count, const GLdouble *v)
{
    GL_CONTEXT(ctx);
    if (!range_ok(ctx, first, count, "glDepthRangeArrayv"))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_VIEWPORT);
    for (GLsizei i = 0; i < count; i++)
        set_depth_range(&ctx->viewport.vp[first + i], v[2 * i], v[2 * i + 1]);
}

void gl_DepthRangeIndexed(GLuint index, GLdouble n, GLdouble f)
{
    gl_DepthRangeArrayv(index, 1, (GLdouble[]){n, f});
}

/* OES_viewport_array has no commands with doubles. */
void gl_DepthRangeArrayfvOES(GLuint first, GLsizei count, const GLfloat *v)
{
    GL_CONTEXT(ctx);
    GLdouble range[2 * DRV_MAX_VIEWPORTS];
    if (!range_ok(ctx, first, count, "glDepthRangeArrayfvOES"))
        return;
    for (GLsizei i = 0; i < 2 * count; i++)
        range[i] = (GLdouble)v[i];
    gl_DepthRangeArrayv(first, count, range);
}

void gl_DepthRangeIndexedfOES(GLuint index, GLfloat n, GLfloat f)
{
    gl_DepthRangeArrayfvOES(index, 1, (GLfloat[]){n, f});
}

void gl_ClipControl(GLenum origin, GLenum depth)
{
    GL_CONTEXT(ctx);
    if ((origin != GL_LOWER_LEFT && origin != GL_UPPER_LEFT) ||
        (depth != GL_NEGATIVE_ONE_TO_ONE && depth != GL_ZERO_TO_ONE)) {
        gl_error(ctx, GL_INVALID_ENUM, "glClipControl(origin=%s, depth=%s)", gl_enum_name(origin),
                 gl_enum_name(depth));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_VIEWPORT | GL_DIRTY_RASTERIZER);
    ctx->viewport.clip_origin = origin;
    ctx->viewport.clip_depth = depth;
}

void gl_ScissorArrayv(GLuint first, GLsizei count, const GLint *v)
{
    GL_CONTEXT(ctx);
    if (!range_ok(ctx, first, count, "glScissorArrayv"))
        return;
    for (GLsizei i = 0; i < count; i++)
        if (v[4 * i + 2] < 0 || v[4 * i + 3] < 0) {
            gl_error(ctx, GL_INVALID_VALUE, "glScissorArrayv(negative size)");
            return;
        }
    FLUSH_VERTICES(ctx, GL_DIRTY_SCISSOR);
    for (GLsizei i = 0; i < count; i++)
        ctx->scissor.rect[first + i] =
            (struct gl_scissor){v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]};
}

void gl_ScissorIndexed(GLuint index, GLint left, GLint bottom, GLsizei width, GLsizei height)
{
    gl_ScissorArrayv(index, 1, (GLint[]){left, bottom, width, height});
}

void gl_ScissorIndexedv(GLuint index, const GLint *v)
{
    gl_ScissorArrayv(index, 1, v);
}

void gl_Scissor(GLint x, GLint y, GLsizei width, GLsizei height)
{
    GL_CONTEXT(ctx);
    if (width < 0 || height < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glScissor(width=%d, height=%d)", width, height);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_SCISSOR);
    for (int i = 0; i < ctx->consts.max_viewports; i++)
        ctx->scissor.rect[i] = (struct gl_scissor){x, y, width, height};
}

/* --------------------------------------------------------------------------------- blending --- */

static bool is_second_color(GLenum factor)
{
    return factor == GL_SRC1_COLOR || factor == GL_ONE_MINUS_SRC1_COLOR ||
           factor == GL_SRC1_ALPHA || factor == GL_ONE_MINUS_SRC1_ALPHA;
}

static bool valid_factor(const struct gl_context *ctx, GLenum f)
{
    switch (f) {
    case GL_ZERO:
    case GL_ONE:
    case GL_SRC_COLOR:
    case GL_ONE_MINUS_SRC_COLOR:
    case GL_DST_COLOR:
    case GL_ONE_MINUS_DST_COLOR:
    case GL_SRC_ALPHA:
    case GL_ONE_MINUS_SRC_ALPHA:
    case GL_DST_ALPHA:
    case GL_ONE_MINUS_DST_ALPHA:
    case GL_SRC_ALPHA_SATURATE:
        return true;
    case GL_CONSTANT_COLOR:
    case GL_ONE_MINUS_CONSTANT_COLOR:
    case GL_CONSTANT_ALPHA:
    case GL_ONE_MINUS_CONSTANT_ALPHA:
        return ctx->api != GL_API_ES1;
    case GL_SRC1_COLOR:
    case GL_ONE_MINUS_SRC1_COLOR:
    case GL_SRC1_ALPHA:
    case GL_ONE_MINUS_SRC1_ALPHA:
        return ctx->api != GL_API_ES1 && ctx->consts.max_dual_source_draw_buffers > 0;
    default:
        return false;
    }
}

static void set_blend_func(unsigned first, unsigned count, GLenum src_rgb, GLenum dst_rgb,
                           GLenum src_alpha, GLenum dst_alpha)
{
    GL_CONTEXT(ctx);
    if (first + (uint64_t)count > DRV_MAX_COLOR_BUFS) {
        gl_error(ctx, GL_INVALID_VALUE, "glBlendFunci(buf=%u)", first);
        return;
    }
    if (!valid_factor(ctx, src_rgb) || !valid_factor(ctx, dst_rgb) ||
        !valid_factor(ctx, src_alpha) || !valid_factor(ctx, dst_alpha)) {
        gl_error(ctx, GL_INVALID_ENUM, "glBlendFunc(%s, %s, %s, %s)", gl_enum_name(src_rgb),
                 gl_enum_name(dst_rgb), gl_enum_name(src_alpha), gl_enum_name(dst_alpha));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_BLEND);
    for (unsigned i = first; i < first + count; i++) {
        ctx->color.blend[i].src_rgb = src_rgb;
        ctx->color.blend[i].dst_rgb = dst_rgb;
        ctx->color.blend[i].src_alpha = src_alpha;
        ctx->color.blend[i].dst_alpha = dst_alpha;
        ctx->color.dual_source &= ~(1u << i);
        if (is_second_color(src_rgb) || is_second_color(dst_rgb) || is_second_color(src_alpha) ||
            is_second_color(dst_alpha))
            ctx->color.dual_source |= 1u << i;
    }
}

void gl_BlendFunc(GLenum sfactor, GLenum dfactor)
{
    set_blend_func(0, DRV_MAX_COLOR_BUFS, sfactor, dfactor, sfactor, dfactor);
}

void gl_BlendFuncSeparate(GLenum sfactorRGB, GLenum dfactorRGB, GLenum sfactorAlpha,
                          GLenum dfactorAlpha)
{
    set_blend_func(0, DRV_MAX_COLOR_BUFS, sfactorRGB, dfactorRGB, sfactorAlpha, dfactorAlpha);
}

void gl_BlendFunci(GLuint buf, GLenum src, GLenum dst)
{
    set_blend_func(buf, 1, src, dst, src, dst);
}

void gl_BlendFuncSeparatei(GLuint buf, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha,
                           GLenum dstAlpha)
{
    set_blend_func(buf, 1, srcRGB, dstRGB, srcAlpha, dstAlpha);
}

/* KHR_blend_equation_advanced, in the order of enum nir_advanced_blend. */
static const GLenum advanced_equations[] = {
    GL_MULTIPLY_KHR,       GL_SCREEN_KHR,     GL_OVERLAY_KHR,        GL_DARKEN_KHR,
    GL_LIGHTEN_KHR,        GL_COLORDODGE_KHR, GL_COLORBURN_KHR,      GL_HARDLIGHT_KHR,
    GL_SOFTLIGHT_KHR,      GL_DIFFERENCE_KHR, GL_EXCLUSION_KHR,      GL_HSL_HUE_KHR,
    GL_HSL_SATURATION_KHR, GL_HSL_COLOR_KHR,  GL_HSL_LUMINOSITY_KHR,
};

int gl_advanced_equation(GLenum e)
{
    for (unsigned i = 0; i < ARRAY_SIZE(advanced_equations); i++)
        if (advanced_equations[i] == e)
            return (int)i;
    return -1;
}

static bool valid_equation(const struct gl_context *ctx, GLenum e)
{
    return e == GL_FUNC_ADD || e == GL_FUNC_SUBTRACT || e == GL_FUNC_REVERSE_SUBTRACT ||
           ((e == GL_MIN || e == GL_MAX) && ctx->screen->caps.blend_minmax);
}

/* together: the same equation for color and alpha, which may be an advanced one. */
static void set_blend_equation(unsigned first, unsigned count, GLenum rgb, GLenum alpha,
                               bool together)
{
    GL_CONTEXT(ctx);
    if (first + (uint64_t)count > DRV_MAX_COLOR_BUFS) {
        gl_error(ctx, GL_INVALID_VALUE, "glBlendEquationi(buf=%u)", first);
        return;
    }
    bool advanced =
        together && ctx->ext.KHR_blend_equation_advanced && gl_advanced_equation(rgb) >= 0;
    if (!advanced && (!valid_equation(ctx, rgb) || !valid_equation(ctx, alpha))) {
        gl_error(ctx, GL_INVALID_ENUM, "glBlendEquation(%s, %s)", gl_enum_name(rgb),
                 gl_enum_name(alpha));
        return;
    }
    FLUSH_VERTICES(ctx,
                   GL_DIRTY_BLEND | (advanced || ctx->color.advanced ? GL_DIRTY_PROGRAM_KEY : 0));
    for (unsigned i = first; i < first + count; i++) {
        ctx->color.advanced = (ctx->color.advanced & ~(1u << i)) | (unsigned)advanced << i;
        ctx->color.blend[i].equation_rgb = rgb;
        ctx->color.blend[i].equation_alpha = alpha;
    }
}

void gl_BlendEquation(GLenum mode)
{
    set_blend_equation(0, DRV_MAX_COLOR_BUFS, mode, mode, true);
}

void gl_BlendEquationSeparate(GLenum modeRGB, GLenum modeAlpha)
{
    set_blend_equation(0, DRV_MAX_COLOR_BUFS, modeRGB, modeAlpha, false);
}

void gl_BlendEquationi(GLuint buf, GLenum mode)
{
    set_blend_equation(buf, 1, mode, mode, true);
}

void gl_BlendEquationSeparatei(GLuint buf, GLenum modeRGB, GLenum modeAlpha)
{
    set_blend_equation(buf, 1, modeRGB, modeAlpha, false);
}

void gl_BlendColor(GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, GL_DIRTY_BLEND_COLOR);
    ctx->color.blend_color[0] = red;
    ctx->color.blend_color[1] = green;
    ctx->color.blend_color[2] = blue;
    ctx->color.blend_color[3] = alpha;
}

void gl_LogicOp(GLenum opcode)
{
    GL_CONTEXT(ctx);
    if (opcode < GL_CLEAR || opcode > GL_SET) {
        gl_error(ctx, GL_INVALID_ENUM, "glLogicOp(opcode=%s)", gl_enum_name(opcode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_BLEND);
    ctx->color.logic_op = opcode;
}

static bool valid_func(struct gl_context *ctx, GLenum func, const char *call)
{
    if (func >= GL_NEVER && func <= GL_ALWAYS)
        return true;
    gl_error(ctx, GL_INVALID_ENUM, "%s(func=%s)", call, gl_enum_name(func));
    return false;
}

void gl_AlphaFunc(GLenum func, GLfloat ref)
{
    GL_CONTEXT(ctx);
    if (!valid_func(ctx, func, "glAlphaFunc"))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY | GL_DIRTY_ALPHA_REF);
    ctx->color.alpha_func = func;
    ctx->color.alpha_ref = ref;
}

void gl_AlphaFuncx(GLenum func, GLfixed ref)
{
    gl_AlphaFunc(func, ref / 65536.0f);
}

/* The core profile has only GL_CLAMP_READ_COLOR. */
void gl_ClampColor(GLenum target, GLenum clamp)
{
    GL_CONTEXT(ctx);
    if ((clamp != GL_TRUE && clamp != GL_FALSE && clamp != GL_FIXED_ONLY) ||
        (target != GL_CLAMP_READ_COLOR && !gl_is_compat(ctx)))
        goto bad;
    switch (target) {
    case GL_CLAMP_VERTEX_COLOR:
        FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY);
        ctx->light.clamp_vertex = clamp;
        return;
    case GL_CLAMP_FRAGMENT_COLOR:
        FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY | GL_DIRTY_BLEND);
        ctx->color.clamp_fragment = clamp;
        return;
    case GL_CLAMP_READ_COLOR:
        ctx->color.clamp_read = clamp;
        return;
    }
bad:
    gl_error(ctx, GL_INVALID_ENUM, "glClampColor(target=%s, clamp=%s)", gl_enum_name(target),
             gl_enum_name(clamp));
}

/* --------------------------------------------------------------------------- depth, stencil --- */

void gl_DepthFunc(GLenum func)
{
    GL_CONTEXT(ctx);
    if (!valid_func(ctx, func, "glDepthFunc"))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_DEPTH_STENCIL);
    ctx->depth.func = func;
}

void gl_DepthBoundsEXT(GLclampd zmin, GLclampd zmax)
{
    GL_CONTEXT(ctx);
    zmin = CLAMP(zmin, 0.0, 1.0);
    zmax = CLAMP(zmax, 0.0, 1.0);
    if (!(zmin <= zmax)) {
        gl_error(ctx, GL_INVALID_VALUE, "glDepthBoundsEXT(%g, %g)", zmin, zmax);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_DEPTH_STENCIL);
    ctx->depth.bounds[0] = zmin;
    ctx->depth.bounds[1] = zmax;
}

void gl_DepthMask(GLboolean flag)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, GL_DIRTY_DEPTH_STENCIL);
    ctx->depth.mask = flag;
}

/* Returns a mask of faces, bit 0 front, bit 1 back. 0: an error was raised. */
static unsigned stencil_faces(struct gl_context *ctx, GLenum face, const char *call)
{
    switch (face) {
    case GL_FRONT:
        return 1;
    case GL_BACK:
        return 2;
    case GL_FRONT_AND_BACK:
        return 3;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "%s(face=%s)", call, gl_enum_name(face));
        return 0;
    }
}

/* Returns the faces that commands without a face argument set: both, or the active one of
 * EXT_stencil_two_side. */
static unsigned implied_faces(const struct gl_context *ctx)
{
    return ctx->stencil.active_face ? 1u << ctx->stencil.active_face : 3;
}

static void set_stencil_func(struct gl_context *ctx, unsigned faces, GLenum func, GLint ref,
                             GLuint mask)
{
    if (!faces || !valid_func(ctx, func, "glStencilFunc"))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_DEPTH_STENCIL);
    for (unsigned i = 0; i < GL_STENCIL_FACES; i++) {
        if (!(faces >> i & 1))
            continue;
        ctx->stencil.func[i] = func;
        ctx->stencil.ref[i] = ref;
        ctx->stencil.value_mask[i] = mask;
    }
}

void gl_StencilFunc(GLenum func, GLint ref, GLuint mask)
{
    GL_CONTEXT(ctx);
    set_stencil_func(ctx, implied_faces(ctx), func, ref, mask);
}

void gl_StencilFuncSeparate(GLenum face, GLenum func, GLint ref, GLuint mask)
{
    GL_CONTEXT(ctx);
    set_stencil_func(ctx, stencil_faces(ctx, face, "glStencilFuncSeparate"), func, ref, mask);
}

/* ATI_separate_stencil: the faces have separate functions and share reference and mask. */
void gl_StencilFuncSeparateATI(GLenum frontfunc, GLenum backfunc, GLint ref, GLuint mask)
{
    GL_CONTEXT(ctx);
    if (!valid_func(ctx, frontfunc, "glStencilFuncSeparateATI") ||
        !valid_func(ctx, backfunc, "glStencilFuncSeparateATI"))
        return;
    set_stencil_func(ctx, 1, frontfunc, ref, mask);
    set_stencil_func(ctx, 2, backfunc, ref, mask);
}

static bool valid_stencil_op(struct gl_context *ctx, GLenum op)
{
    switch (op) {
    case GL_KEEP:
    case GL_ZERO:
    case GL_REPLACE:
    case GL_INCR:
    case GL_DECR:
    case GL_INVERT:
    case GL_INCR_WRAP:
    case GL_DECR_WRAP:
        return true;
    }
    gl_error(ctx, GL_INVALID_ENUM, "glStencilOp(%s)", gl_enum_name(op));
    return false;
}

static void set_stencil_op(struct gl_context *ctx, unsigned faces, GLenum fail, GLenum zfail,
                           GLenum zpass)
{
    if (!faces || !valid_stencil_op(ctx, fail) || !valid_stencil_op(ctx, zfail) ||
        !valid_stencil_op(ctx, zpass))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_DEPTH_STENCIL);
    for (unsigned i = 0; i < GL_STENCIL_FACES; i++) {
        if (!(faces >> i & 1))
            continue;
        ctx->stencil.fail[i] = fail;
        ctx->stencil.zfail[i] = zfail;
        ctx->stencil.zpass[i] = zpass;
    }
}

void gl_StencilOp(GLenum fail, GLenum zfail, GLenum zpass)
{
    GL_CONTEXT(ctx);
    set_stencil_op(ctx, implied_faces(ctx), fail, zfail, zpass);
}

void gl_StencilOpSeparate(GLenum face, GLenum sfail, GLenum dpfail, GLenum dppass)
{
    GL_CONTEXT(ctx);
    set_stencil_op(ctx, stencil_faces(ctx, face, "glStencilOpSeparate"), sfail, dpfail, dppass);
}

static void set_stencil_mask(struct gl_context *ctx, unsigned faces, GLuint mask)
{
    if (!faces)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_DEPTH_STENCIL);
    for (unsigned i = 0; i < GL_STENCIL_FACES; i++)
        if (faces >> i & 1)
            ctx->stencil.write_mask[i] = mask;
}

void gl_StencilMask(GLuint mask)
{
    GL_CONTEXT(ctx);
    set_stencil_mask(ctx, implied_faces(ctx), mask);
}

void gl_StencilMaskSeparate(GLenum face, GLuint mask)
{
    GL_CONTEXT(ctx);
    set_stencil_mask(ctx, stencil_faces(ctx, face, "glStencilMaskSeparate"), mask);
}

void gl_ActiveStencilFaceEXT(GLenum face)
{
    GL_CONTEXT(ctx);
    if (face != GL_FRONT && face != GL_BACK) {
        gl_error(ctx, GL_INVALID_ENUM, "glActiveStencilFaceEXT(face=%s)", gl_enum_name(face));
        return;
    }
    ctx->stencil.active_face = face == GL_BACK ? 2 : 0;
}

/* ------------------------------------------------------------------ polygons, lines, points --- */

void gl_CullFace(GLenum mode)
{
    GL_CONTEXT(ctx);
    if (!stencil_faces(ctx, mode, "glCullFace"))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER);
    ctx->polygon.cull_mode = mode;
}

void gl_FrontFace(GLenum mode)
{
    GL_CONTEXT(ctx);
    if (mode != GL_CW && mode != GL_CCW) {
        gl_error(ctx, GL_INVALID_ENUM, "glFrontFace(mode=%s)", gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER);
    ctx->polygon.front_face = mode;
}

void gl_PolygonMode(GLenum face, GLenum mode)
{
    GL_CONTEXT(ctx);
    unsigned faces = stencil_faces(ctx, face, "glPolygonMode");
    if (!faces)
        return;
    if ((mode != GL_POINT && mode != GL_LINE && mode != GL_FILL) ||
        (ctx->api == GL_API_CORE && faces != 3)) {
        gl_error(ctx, GL_INVALID_ENUM, "glPolygonMode(face=%s, mode=%s)", gl_enum_name(face),
                 gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER | GL_DIRTY_PROGRAM_KEY);
    if (faces & 1)
        ctx->polygon.front_mode = mode;
    if (faces & 2)
        ctx->polygon.back_mode = mode;
}

void gl_PolygonOffsetClamp(GLfloat factor, GLfloat units, GLfloat clamp)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER);
    ctx->polygon.offset_factor = factor;
    ctx->polygon.offset_units = units;
    ctx->polygon.offset_clamp = clamp;
}

void gl_PolygonOffset(GLfloat factor, GLfloat units)
{
    gl_PolygonOffsetClamp(factor, units, 0.0f);
}

void gl_PolygonOffsetx(GLfixed factor, GLfixed units)
{
    gl_PolygonOffset(factor / 65536.0f, units / 65536.0f);
}

void gl_LineWidth(GLfloat width)
{
    GL_CONTEXT(ctx);
    if (!(width > 0.0f) || (width > 1.0f && ctx->forward_compatible)) {
        gl_error(ctx, GL_INVALID_VALUE, "glLineWidth(width=%g)", width);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER);
    ctx->line.width = width;
}

void gl_LineWidthx(GLfixed width)
{
    gl_LineWidth(width / 65536.0f);
}

void gl_LineStipple(GLint factor, GLushort pattern)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER);
    ctx->line.stipple_factor = CLAMP(factor, 1, 256);
    ctx->line.stipple_pattern = pattern;
}

void gl_PointSize(GLfloat size)
{
    GL_CONTEXT(ctx);
    if (!(size > 0.0f)) {
        gl_error(ctx, GL_INVALID_VALUE, "glPointSize(size=%g)", size);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER | GL_DIRTY_POINT);
    ctx->point.size = size;
}

void gl_PointSizex(GLfixed size)
{
    gl_PointSize(size / 65536.0f);
}

void gl_PointParameterfv(GLenum pname, const GLfloat *params)
{
    GL_CONTEXT(ctx);
    struct gl_point_state *s = &ctx->point;
    float *where = NULL;
    bool compat = gl_has_fixed_function(ctx);
    switch (pname) {
    case GL_POINT_SIZE_MIN:
        where = compat ? &s->min : NULL;
        break;
    case GL_POINT_SIZE_MAX:
        where = compat ? &s->max : NULL;
        break;
    case GL_POINT_FADE_THRESHOLD_SIZE:
        where = &s->fade_threshold;
        break;
    case GL_POINT_DISTANCE_ATTENUATION:
        if (!compat)
            break;
        FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER | GL_DIRTY_POINT | GL_DIRTY_PROGRAM_KEY);
        memcpy(s->attenuation, params, sizeof s->attenuation);
        return;
    case GL_POINT_SPRITE_COORD_ORIGIN:
        if (!gl_is_desktop(ctx))
            break;
        if (params[0] != GL_LOWER_LEFT && params[0] != GL_UPPER_LEFT) {
            gl_error(ctx, GL_INVALID_VALUE, "glPointParameter(origin=%g)", params[0]);
            return;
        }
        FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER | GL_DIRTY_PROGRAM_KEY);
        s->sprite_origin = params[0];
        return;
    }
    if (!where) {
        gl_error(ctx, GL_INVALID_ENUM, "glPointParameter(pname=%s)", gl_enum_name(pname));
        return;
    }
    if (!(params[0] >= 0.0f)) {
        gl_error(ctx, GL_INVALID_VALUE, "glPointParameter(%s=%g)", gl_enum_name(pname), params[0]);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER | GL_DIRTY_POINT | GL_DIRTY_PROGRAM_KEY);
    *where = params[0];
}

void gl_PointParameterf(GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    if (pname == GL_POINT_DISTANCE_ATTENUATION) {
        gl_error(ctx, GL_INVALID_ENUM, "glPointParameterf(GL_POINT_DISTANCE_ATTENUATION)");
        return;
    }
    gl_PointParameterfv(pname, &param);
}

void gl_PointParameteriv(GLenum pname, const GLint *params)
{
    float v[3] = {params[0]};
    if (pname == GL_POINT_DISTANCE_ATTENUATION) {
        v[1] = params[1];
        v[2] = params[2];
    }
    gl_PointParameterfv(pname, v);
}

void gl_PointParameteri(GLenum pname, GLint param)
{
    gl_PointParameterf(pname, param);
}

void gl_PointParameterxv(GLenum pname, const GLfixed *params)
{
    float v[3] = {params[0] / 65536.0f};
    if (pname == GL_POINT_DISTANCE_ATTENUATION) {
        v[1] = params[1] / 65536.0f;
        v[2] = params[2] / 65536.0f;
    }
    gl_PointParameterfv(pname, v);
}

void gl_PointParameterx(GLenum pname, GLfixed param)
{
    gl_PointParameterf(pname, param / 65536.0f);
}

/* ----------------------------------------------------------------------- multisample, hints --- */

void gl_SampleCoverage(GLfloat value, GLboolean invert)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, GL_DIRTY_SAMPLE_MASK);
    ctx->multisample.coverage_value = CLAMP(value, 0.0f, 1.0f);
    ctx->multisample.coverage_invert = invert;
}

void gl_SampleCoveragex(GLclampx value, GLboolean invert)
{
    gl_SampleCoverage(value / 65536.0f, invert);
}

void gl_SampleMaski(GLuint maskNumber, GLbitfield mask)
{
    GL_CONTEXT(ctx);
    if (maskNumber) {
        gl_error(ctx, GL_INVALID_VALUE, "glSampleMaski(maskNumber=%u)", maskNumber);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_SAMPLE_MASK);
    ctx->multisample.sample_mask = mask;
}

void gl_AlphaToCoverageDitherControlNV(GLenum mode)
{
    GL_CONTEXT(ctx);
    if (mode != GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV &&
        mode != GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV &&
        mode != GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV) {
        gl_error(ctx, GL_INVALID_ENUM, "glAlphaToCoverageDitherControlNV(mode=%s)",
                 gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_BLEND);
    ctx->multisample.alpha_dither = mode;
}

void gl_SubpixelPrecisionBiasNV(GLuint xbits, GLuint ybits)
{
    GL_CONTEXT(ctx);
    const unsigned most = ctx->screen->caps.max_subpixel_bias;
    if (xbits > most || ybits > most) {
        gl_error(ctx, GL_INVALID_VALUE, "glSubpixelPrecisionBiasNV(%u, %u, maximum %u)", xbits,
                 ybits, most);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER);
    ctx->viewport.subpixel_bias[0] = (uint8_t)xbits;
    ctx->viewport.subpixel_bias[1] = (uint8_t)ybits;
}

void gl_MinSampleShading(GLfloat value)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, GL_DIRTY_SAMPLE_MASK);
    ctx->multisample.min_sample_shading = CLAMP(value, 0.0f, 1.0f);
}

void gl_Hint(GLenum target, GLenum mode)
{
    GL_CONTEXT(ctx);
    bool ff = gl_has_fixed_function(ctx), es2 = ctx->api == GL_API_ES2;
    GLenum *where = NULL;
    if (mode != GL_NICEST && mode != GL_FASTEST && mode != GL_DONT_CARE) {
        gl_error(ctx, GL_INVALID_ENUM, "glHint(mode=%s)", gl_enum_name(mode));
        return;
    }
    switch (target) {
    case GL_PERSPECTIVE_CORRECTION_HINT:
        where = ff ? &ctx->hint.perspective_correction : NULL;
        break;
    case GL_POINT_SMOOTH_HINT:
        where = ff ? &ctx->hint.point_smooth : NULL;
        break;
    case GL_LINE_SMOOTH_HINT:
        where = es2 ? NULL : &ctx->hint.line_smooth;
        break;
    case GL_POLYGON_SMOOTH_HINT:
        where = gl_is_desktop(ctx) ? &ctx->hint.polygon_smooth : NULL;
        break;
    case GL_FOG_HINT:
        where = ff ? &ctx->hint.fog : NULL;
        break;
    case GL_TEXTURE_COMPRESSION_HINT:
        where = gl_is_desktop(ctx) ? &ctx->hint.texture_compression : NULL;
        break;
    case GL_GENERATE_MIPMAP_HINT:
        where = ctx->api != GL_API_CORE ? &ctx->hint.generate_mipmap : NULL;
        break;
    case GL_FRAGMENT_SHADER_DERIVATIVE_HINT:
        where = ctx->api != GL_API_ES1 ? &ctx->hint.fragment_derivative : NULL;
        break;
    }
    if (!where) {
        gl_error(ctx, GL_INVALID_ENUM, "glHint(target=%s)", gl_enum_name(target));
        return;
    }
    *where = mode;
}

/* -------------------------------------------------------------------------- polygon stipple --- */

void gl_PolygonStipple(const GLubyte *mask)
{
    GL_CONTEXT(ctx);
    uint32_t rows[32];
    if (!gl_pixels_unpack_bitmap(ctx, 32, 32, mask, rows)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glPolygonStipple(unpack buffer)");
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_STIPPLE);
    memcpy(ctx->polygon_stipple, rows, sizeof rows);
}
