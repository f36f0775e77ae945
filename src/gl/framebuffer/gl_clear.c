/* SPDX-License-Identifier: MIT */
/* Clears (GL 4.6 §17.4.3), clear values and color write masks. */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl_entry.h"
#include "util/format.h"

static void set_clear_color(union drv_color color, GLenum type)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    ctx->color.clear = color;
    ctx->color.clear_type = type;
}

void gl_ClearColor(GLfloat r, GLfloat g, GLfloat b, GLfloat a)
{
    set_clear_color((union drv_color){.f = {r, g, b, a}}, GL_FLOAT);
}

/* Sets the same clear color without conversion (GL_EXT_texture_integer). */
void gl_ClearColorIiEXT(GLint r, GLint g, GLint b, GLint a)
{
    set_clear_color((union drv_color){.i = {r, g, b, a}}, GL_INT);
}

void gl_ClearColorIuiEXT(GLuint r, GLuint g, GLuint b, GLuint a)
{
    set_clear_color((union drv_color){.u = {r, g, b, a}}, GL_UNSIGNED_INT);
}

void gl_ClearColorx(GLfixed r, GLfixed g, GLfixed b, GLfixed a)
{
    gl_ClearColor(r / 65536.0f, g / 65536.0f, b / 65536.0f, a / 65536.0f);
}

void gl_ClearIndex(GLfloat index)
{
    GL_CONTEXT(ctx);
    ctx->color.clear_index = index;
}

void gl_ClearDepth(GLdouble depth)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    ctx->depth.clear = CLAMP(depth, 0.0, 1.0);
}

void gl_ClearDepthf(GLfloat depth)
{
    gl_ClearDepth(depth);
}

void gl_ClearDepthx(GLfixed depth)
{
    gl_ClearDepth(depth / 65536.0);
}

void gl_ClearStencil(GLint s)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
    ctx->stencil.clear = s;
}

void gl_IndexMask(GLuint mask)
{
    GL_CONTEXT(ctx);
    ctx->color.index_mask = mask;
}

static uint8_t mask_bits(GLboolean r, GLboolean g, GLboolean b, GLboolean a)
{
    return (r ? 1 : 0) | (g ? 2 : 0) | (b ? 4 : 0) | (a ? 8 : 0);
}

void gl_ColorMask(GLboolean r, GLboolean g, GLboolean b, GLboolean a)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, GL_DIRTY_BLEND);
    memset(ctx->color.mask, mask_bits(r, g, b, a), sizeof ctx->color.mask);
}

void gl_ColorMaski(GLuint buffer, GLboolean r, GLboolean g, GLboolean b, GLboolean a)
{
    GL_CONTEXT(ctx);
    if (buffer >= (GLuint)ctx->consts.max_draw_buffers) {
        gl_error(ctx, GL_INVALID_VALUE, "glColorMaski(buffer=%u)", buffer);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_BLEND);
    ctx->color.mask[buffer] = mask_bits(r, g, b, a);
}

/* ----------------------------------------------------------------------------------- clears --- */

/* Gets the scissored area of the draw framebuffer. Returns false if it is empty. *whole: the
 * scissor test is disabled. */
static bool clear_area(const struct gl_context *ctx, struct drv_scissor *area, bool *whole)
{
    struct drv_box box = {.width = ctx->framebuffer.width, .height = ctx->framebuffer.height};
    *whole = !(ctx->scissor.enabled & 1);
    if (!gl_scissor_intersect(ctx, &box))
        return false;
    *area = (struct drv_scissor){box.x, box.y, box.x + box.width, box.y + box.height};
    return true;
}

/* Returns a mask of the components that the buffer's format stores. */
static uint8_t existing_components(const struct gl_surface *s)
{
    uint8_t mask = 0;
    for (unsigned c = 0; c < 4; c++)
        if (util_format_component_bits(s->drv.format, c))
            mask |= 1 << c;
    return mask;
}

/* Gets a box with all samples of all layers. Returns false if it is empty: another context may have
 * made the image smaller than the framebuffer was when this context updated its state. */
static bool masked_box(const struct gl_surface *s, const struct drv_scissor *area,
                       struct drv_box *box)
{
    int samples = MAX2(s->samples, 1);
    *box = (struct drv_box){area->minx,
                            area->miny,
                            s->drv.first_layer * samples,
                            MIN2(area->maxx, (int)s->width) - area->minx,
                            MIN2(area->maxy, (int)s->height) - area->miny,
                            (s->drv.last_layer - s->drv.first_layer + 1) * samples};
    return box->width > 0 && box->height > 0;
}

/* Clears some of the color components by reading and writing the mapped texels. */
static void masked_color_clear(struct gl_context *ctx, const struct gl_surface *s,
                               const struct drv_scissor *area, const union drv_color *color,
                               uint8_t mask)
{
    struct drv_box box;
    struct drv_transfer *t;
    if (!masked_box(s, area, &box))
        return;
    float(*row)[4] = malloc(box.width * sizeof *row);
    uint8_t *map = row ? ctx->drv->ops->map(ctx->drv, s->drv.texture, s->drv.level,
                                            DRV_MAP_READ | DRV_MAP_WRITE, &box, &t)
                       : NULL;
    if (!map) {
        free(row);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glClear");
        return;
    }
    bool integer = util_format_is_pure_integer(s->drv.format);
    for (int z = 0; z < box.depth; z++)
        for (int y = 0; y < box.height; y++) {
            uint8_t *p = map + z * t->layer_stride + (size_t)y * t->stride;
            if (integer)
                util_format_unpack_int(s->drv.format, (uint32_t(*)[4])row, p, box.width);
            else
                util_format_unpack_float(s->drv.format, row, p, box.width);
            for (int x = 0; x < box.width; x++)
                for (unsigned c = 0; c < 4; c++)
                    if (mask & 1 << c)
                        memcpy(&row[x][c], &color->u[c], 4);
            if (integer)
                util_format_pack_int(s->drv.format, p, (const uint32_t(*)[4])row,
                                     util_format_is_pure_sint(s->drv.format), box.width);
            else
                util_format_pack_float(s->drv.format, p, (const float(*)[4])row, box.width);
        }
    ctx->drv->ops->unmap(ctx->drv, t);
    free(row);
}

static void masked_stencil_clear(struct gl_context *ctx, const struct gl_surface *s,
                                 const struct drv_scissor *area, uint8_t value, uint8_t mask)
{
    struct drv_box box;
    struct drv_transfer *t;
    if (!masked_box(s, area, &box))
        return;
    uint8_t *row = malloc(box.width);
    uint8_t *map = row ? ctx->drv->ops->map(ctx->drv, s->drv.texture, s->drv.level,
                                            DRV_MAP_READ | DRV_MAP_WRITE, &box, &t)
                       : NULL;
    if (!map) {
        free(row);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glClear");
        return;
    }
    for (int z = 0; z < box.depth; z++)
        for (int y = 0; y < box.height; y++) {
            uint8_t *p = map + z * t->layer_stride + (size_t)y * t->stride;
            util_format_unpack_stencil(s->drv.format, row, p, box.width);
            for (int x = 0; x < box.width; x++)
                row[x] = (row[x] & ~mask) | (value & mask);
            util_format_pack_stencil(s->drv.format, p, row, box.width);
        }
    ctx->drv->ops->unmap(ctx->drv, t);
    free(row);
}

struct clear {
    uint32_t draw_buffers; /* bit mask of draw buffers */
    union drv_color color;
    bool depth, stencil;
    double depth_value; /* for fixed-point buffers, it is clamped to [0, 1] */
    GLint stencil_value;
};

/* Returns whether to clear. Conditional rendering discards clears (GL 4.6 §10.9), also those of
 * some components, which the driver doesn't execute. */
static bool begin_clear(struct gl_context *ctx, const char *name)
{
    if (!gl_check_framebuffer(ctx, GL_DRAW_FRAMEBUFFER, name))
        return false;
    if (ctx->transform.rasterizer_discard || (gl_is_compat(ctx) && ctx->render_mode != GL_RENDER))
        return false;
    gl_update_framebuffer_state(ctx);
    return ctx->drv->ops->condition_passes(ctx->drv);
}

static unsigned clear_colors(struct gl_context *ctx, const struct clear *c,
                             const struct drv_scissor *area)
{
    struct gl_surface s[DRV_MAX_COLOR_BUFS];
    uint8_t of[DRV_MAX_COLOR_BUFS];
    unsigned n = gl_draw_surfaces(ctx, s, of), whole = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!s[i].drv.texture || !(c->draw_buffers & 1u << of[i]))
            continue;
        uint8_t mask = ctx->color.mask[of[i]], exists = existing_components(&s[i]);
        if ((mask & exists) == exists)
            whole |= DRV_CLEAR_COLOR0 << i;
        else if (mask & exists)
            masked_color_clear(ctx, &s[i], area, &c->color, mask & exists);
    }
    return whole;
}

static void run_clear(struct gl_context *ctx, const struct clear *c)
{
    struct drv_scissor area;
    struct gl_surface zs;
    bool whole;
    if (!clear_area(ctx, &area, &whole))
        return;
    unsigned buffers = clear_colors(ctx, c, &area);
    double depth = c->depth_value;
    if (c->depth && ctx->depth.mask && gl_draw_depth_surface(ctx, false, &zs)) {
        buffers |= DRV_CLEAR_DEPTH;
        if (!util_format_is_float(zs.drv.format))
            depth = depth > 0.0 ? MIN2(depth, 1.0) : 0.0; /* 0 also for NaN */
    }
    if (c->stencil && gl_draw_depth_surface(ctx, true, &zs)) {
        uint8_t mask = ctx->stencil.write_mask[0];
        if (mask == 0xff)
            buffers |= DRV_CLEAR_STENCIL;
        else if (mask)
            masked_stencil_clear(ctx, &zs, &area, c->stencil_value, mask);
    }
    if (buffers)
        ctx->drv->ops->clear(ctx->drv, buffers, whole ? NULL : &area, &c->color, depth,
                             c->stencil_value & 0xff);
}

void gl_Clear(GLbitfield mask)
{
    GL_CONTEXT(ctx);
    GLbitfield valid = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT |
                       (gl_is_compat(ctx) ? GL_ACCUM_BUFFER_BIT : 0);
    if (mask & ~valid) {
        gl_error(ctx, GL_INVALID_VALUE, "glClear(mask=0x%x)", mask);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!begin_clear(ctx, "glClear"))
        return;
    run_clear(ctx, &(struct clear){
                       .draw_buffers = mask & GL_COLOR_BUFFER_BIT ? ~0u : 0,
                       .color = ctx->color.clear,
                       .depth = mask & GL_DEPTH_BUFFER_BIT,
                       .stencil = mask & GL_STENCIL_BUFFER_BIT,
                       .depth_value = ctx->depth.clear,
                       .stencil_value = ctx->stencil.clear,
                   });
    if (mask & GL_ACCUM_BUFFER_BIT)
        gl_clear_accum(ctx);
}

static void clear_framebuffer(struct gl_context *ctx, struct gl_framebuffer *fb,
                              const struct clear *c, const char *name)
{
    FLUSH_VERTICES(ctx, 0);
    struct gl_framebuffer *old = gl_framebuffer_swap_binding(ctx, GL_DRAW_FRAMEBUFFER, fb);
    if (begin_clear(ctx, name))
        run_clear(ctx, c);
    gl_framebuffer_swap_binding(ctx, GL_DRAW_FRAMEBUFFER, old);
}

/* Implements glClearBuffer*. depth, stencil: whether the command may clear them. */
static void clear_buffer(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer,
                         GLint draw, const union drv_color *v, bool depth, bool stencil,
                         const char *name)
{
    struct clear c = {.depth_value = 1.0};
    bool ok =
        buffer == GL_COLOR || (buffer == GL_DEPTH && depth) || (buffer == GL_STENCIL && stencil);
    if (!ok) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(buffer=%s)", name, gl_enum_name(buffer));
        return;
    }
    if (draw < 0 || (buffer == GL_COLOR ? draw >= ctx->consts.max_draw_buffers : draw != 0)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(drawbuffer=%d)", name, draw);
        return;
    }
    if (buffer == GL_COLOR) {
        c.draw_buffers = 1u << draw;
        c.color = *v;
    } else if (buffer == GL_DEPTH) {
        c.depth = true;
        c.depth_value = v->f[0];
    } else {
        c.stencil = true;
        c.stencil_value = v->i[0];
    }
    clear_framebuffer(ctx, fb, &c, name);
}

static union drv_color load(const void *value, GLenum buffer)
{
    union drv_color v = {{0}};
    memcpy(&v, value, buffer == GL_COLOR ? 16 : 4);
    return v;
}

void gl_clear_fv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 const GLfloat *value, const char *name)
{
    union drv_color v = load(value, buffer);
    clear_buffer(ctx, fb, buffer, draw, &v, true, false, name);
}

void gl_clear_iv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 const GLint *value, const char *name)
{
    union drv_color v = load(value, buffer);
    clear_buffer(ctx, fb, buffer, draw, &v, false, true, name);
}

void gl_clear_uiv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                  const GLuint *value, const char *name)
{
    union drv_color v = load(value, buffer);
    clear_buffer(ctx, fb, buffer, draw, &v, false, false, name);
}

void gl_clear_fi(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 GLfloat depth, GLint stencil, const char *name)
{
    if (buffer != GL_DEPTH_STENCIL || draw != 0) {
        gl_error(ctx, buffer != GL_DEPTH_STENCIL ? GL_INVALID_ENUM : GL_INVALID_VALUE,
                 "%s(buffer=%s, drawbuffer=%d)", name, gl_enum_name(buffer), draw);
        return;
    }
    clear_framebuffer(ctx, fb,
                      &(struct clear){
                          .depth = true,
                          .stencil = true,
                          .depth_value = depth,
                          .stencil_value = stencil,
                      },
                      name);
}
