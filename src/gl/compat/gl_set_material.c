/* SPDX-License-Identifier: MIT */
/* glMaterial: materials are state of draws or attributes of immediate mode vertices (GL 4.6
 * compatibility §12.2.3). */
#include "gl/compat/gl_set_material.h"

#include "gl/compat/gl_immediate.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl/program/gl_asm.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_material.h"
#include "gl/state/gl_params.h"
#include "gl_entry.h"

bool gl_material_is_per_vertex(const struct gl_context *ctx)
{
    if (ctx->render_mode != GL_RENDER)
        return false;
    for (unsigned s = 0; s < SHADER_COMPUTE; s++) {
        const struct gl_executable *exe = gl_stage_executable(ctx, s);
        if (!exe)
            exe = gl_asm_executable(ctx, s);
        if (exe && exe->reads_materials)
            return false;
    }
    return true;
}

/* Returns the value of a property for the next vertex. */
static const float *property_now(struct gl_context *ctx, unsigned i)
{
    const struct gl_immediate *imm = ctx->immediate;
    const unsigned a = GL_ATTRIB_MATERIAL + i;
    if (imm->layout.attribs >> a & 1)
        return (const float *)(imm->vertex + imm->layout.offset[a]);
    return gl_material_property(ctx->light.material, i);
}

static float *deferred_property(struct gl_context *ctx, unsigned i)
{
    struct gl_light_state *s = &ctx->light;
    if (!s->material_pending) {
        memcpy(s->pending_material, s->material, sizeof s->material);
        for (unsigned k = 0; k < GL_MATERIAL_PROPERTIES; k++)
            gl_material_store(s->pending_material, k, property_now(ctx, k));
    }
    s->material_pending = true;
    return gl_material_property(s->pending_material, i);
}

/* Returns whether a property differs from v. Many programs set the same material again for each
 * primitive. */
static bool property_changes(struct gl_context *ctx, unsigned i, const float *v)
{
    struct gl_light_state *s = &ctx->light;
    const float *now =
        s->material_pending ? gl_material_property(s->pending_material, i) : property_now(ctx, i);
    return memcmp(now, v, gl_material_components(i) * sizeof *v);
}

/* Sets a property for the next vertices where materials are vertex attributes. */
static void set_for_vertices(struct gl_context *ctx, unsigned i, const float *v)
{
    const struct gl_immediate *imm = ctx->immediate;
    const unsigned a = GL_ATTRIB_MATERIAL + i, n = gl_material_components(i);
    const bool inside = ctx->inside_begin_end, in_layout = imm->layout.attribs >> a & 1;
    if (in_layout ? inside || imm->num : inside && imm->num) {
        gl_attrib(ctx, a, n, GL_FLOAT, (const uint32_t *)v);
        if (ctx->light.material_pending)
            gl_material_store(ctx->light.pending_material, i, v);
    } else if (imm->num) { /* deferred: other state may still change before the next primitive */
        memcpy(deferred_property(ctx, i), v, n * sizeof *v);
    } else {
        if (!inside)
            FLUSH_VERTICES(ctx, 0);
        if (gl_material_store(ctx->light.material, i, v))
            ctx->dirty |= GL_DIRTY_MATERIAL;
    }
}

/* Sets properties where materials apply to whole draws. With a vertex shader, changes may take
 * effect at glEnd (GL 4.6 compatibility §12.2.3); deferring them keeps the primitive in one
 * draw. */
static void set_for_draws(struct gl_context *ctx, uint32_t properties, const float *v)
{
    const bool waits = ctx->inside_begin_end && gl_stage_executable(ctx, SHADER_VERTEX);
    if (!waits)
        FLUSH_VERTICES(ctx, GL_DIRTY_MATERIAL);
    while (properties) {
        unsigned i = u_bit_scan(&properties);
        if (waits)
            memcpy(deferred_property(ctx, i), v, gl_material_components(i) * sizeof *v);
        else
            gl_material_store(ctx->light.material, i, v);
    }
}

void gl_material_set_property(struct gl_context *ctx, unsigned property, const float *v)
{
    if (!(gl_material_tracked_properties(ctx) >> property & 1) &&
        property_changes(ctx, property, v))
        set_for_vertices(ctx, property, v);
}

void gl_material_begin(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    struct gl_material next[2];
    memcpy(next, s->pending_material, sizeof next);
    s->material_pending = false;
    for (unsigned i = 0; i < GL_MATERIAL_PROPERTIES; i++)
        if (property_changes(ctx, i, gl_material_property(next, i)))
            set_for_vertices(ctx, i, gl_material_property(next, i));
}

void gl_material_apply_pending(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    memcpy(s->material, s->pending_material, sizeof s->material);
    s->material_pending = false;
    ctx->dirty |= GL_DIRTY_MATERIAL;
    gl_material_track_color(ctx);
}

void gl_material_end(struct gl_context *ctx)
{
    if (ctx->light.material_pending)
        FLUSH_VERTICES(ctx, 0);
}

void gl_material_set(struct gl_context *ctx, GLenum face, GLenum pname, const float *v)
{
    struct gl_light_state *s = &ctx->light;
    GLenum error = gl_material_check(ctx, face, pname, v);
    if (error) {
        gl_error(ctx, error, "glMaterial(face=%s, pname=%s, %g)", gl_enum_name(face),
                 gl_enum_name(pname), v[0]);
        return;
    }
    if (pname == GL_COLOR_INDEXES) { /* color index mode is not supported */
        for (unsigned f = 0; f < 2; f++)
            if (face != (f ? GL_FRONT : GL_BACK)) {
                memcpy(s->material[f].indexes, v, sizeof s->material[f].indexes);
                memcpy(s->pending_material[f].indexes, v, sizeof s->material[f].indexes);
            }
        return;
    }
    uint32_t changed = 0, properties = gl_material_property_mask(face, pname) &
                                       ~gl_material_tracked_properties(ctx);
    while (properties) {
        unsigned i = u_bit_scan(&properties);
        changed |= (uint32_t)property_changes(ctx, i, v) << i;
    }
    if (!changed)
        return;
    if (!gl_material_is_per_vertex(ctx)) {
        set_for_draws(ctx, changed, v);
        return;
    }
    while (changed)
        set_for_vertices(ctx, u_bit_scan(&changed), v);
}

static void set_material(GLenum face, GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    gl_material_set(ctx, face, pname, v);
}

static void set_material_vector(GLenum face, GLenum pname, enum gl_param_type type,
                                const void *params)
{
    float buffer[4];
    set_material(face, pname,
                 gl_params_read(buffer, type, gl_material_kind(pname), params,
                                gl_material_vector_size(pname)));
}

void gl_Materialfv(GLenum face, GLenum pname, const GLfloat *params)
{
    set_material_vector(face, pname, GL_PARAM_FLOAT, params);
}

void gl_Materialiv(GLenum face, GLenum pname, const GLint *params)
{
    set_material_vector(face, pname, GL_PARAM_INT, params);
}

void gl_Materialxv(GLenum face, GLenum pname, const GLfixed *params)
{
    set_material_vector(face, pname, GL_PARAM_FIXED, params);
}

/* Unlike other scalar commands, glMaterial accepts the names of vectors. */
void gl_Materialf(GLenum face, GLenum pname, GLfloat param)
{
    set_material(face, pname, (float[4]){param});
}

void gl_Materiali(GLenum face, GLenum pname, GLint param)
{
    gl_Materialf(face, pname, param);
}

void gl_Materialx(GLenum face, GLenum pname, GLfixed param)
{
    gl_Materialf(face, pname, param / 65536.0f);
}
