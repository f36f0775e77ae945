/* SPDX-License-Identifier: MIT */
/* Material state (GL 4.6 compatibility §12.2): parameter names, queries, and tracking of the
 * current color. compat/gl_set_material.c sets materials. */
#include "gl/state/gl_material.h"

#include <string.h>

#include "gl/context/gl_context.h"
#include "gl/state/gl_params.h"
#include "gl_entry.h"

unsigned gl_material_vector_size(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_EMISSION:
    case GL_AMBIENT_AND_DIFFUSE:
        return 4;
    case GL_COLOR_INDEXES:
        return 3;
    default:
        return 1;
    }
}

/* Returns a mask of the properties of one face that a parameter name stands for (GL 4.6
 * compatibility §12.2.3). */
static uint32_t properties_named(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
        return 1 << GL_MATERIAL_AMBIENT;
    case GL_DIFFUSE:
        return 1 << GL_MATERIAL_DIFFUSE;
    case GL_AMBIENT_AND_DIFFUSE:
        return 1 << GL_MATERIAL_AMBIENT | 1 << GL_MATERIAL_DIFFUSE;
    case GL_SPECULAR:
        return 1 << GL_MATERIAL_SPECULAR;
    case GL_EMISSION:
        return 1 << GL_MATERIAL_EMISSION;
    case GL_SHININESS:
        return 1 << GL_MATERIAL_SHININESS;
    default:
        return 0;
    }
}

static bool is_color(GLenum pname)
{
    return properties_named(pname) & ~(1u << GL_MATERIAL_SHININESS);
}

enum gl_param_kind gl_material_kind(GLenum pname)
{
    return is_color(pname) ? GL_PARAM_COLOR : GL_PARAM_PLAIN;
}

uint32_t gl_material_property_mask(GLenum face, GLenum pname)
{
    const uint32_t properties = properties_named(pname);
    return (face != GL_BACK ? properties : 0) |
           (face != GL_FRONT ? properties << GL_MATERIAL_FACE : 0);
}

static bool is_face(GLenum face)
{
    return face == GL_FRONT || face == GL_BACK || face == GL_FRONT_AND_BACK;
}

uint32_t gl_material_tracked_properties(const struct gl_context *ctx)
{
    const struct gl_light_state *s = &ctx->light;
    return s->color_material
               ? gl_material_property_mask(s->color_material_face, s->color_material_mode)
               : 0;
}

GLenum gl_material_check(const struct gl_context *ctx, GLenum face, GLenum pname, const float *v)
{
    const bool es = ctx->api == GL_API_ES1;
    if (!is_face(face) || (es && face != GL_FRONT_AND_BACK) ||
        (!properties_named(pname) && (es || pname != GL_COLOR_INDEXES)))
        return GL_INVALID_ENUM;
    if (pname == GL_SHININESS && !(v[0] >= 0.0f && v[0] <= GL_MAX_EXPONENT))
        return GL_INVALID_VALUE;
    return GL_NO_ERROR;
}

void gl_material_track_color(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    const float *color = (const float *)ctx->current_attribs.attrib[VERT_ATTRIB_COLOR0];
    for (uint32_t tracked = gl_material_tracked_properties(ctx); tracked;) {
        unsigned i = u_bit_scan(&tracked);
        if (gl_material_store(s->material, i, color))
            ctx->dirty |= GL_DIRTY_MATERIAL;
        if (s->material_pending)
            gl_material_store(s->pending_material, i, color);
    }
}

static unsigned get_material(struct gl_context *ctx, GLenum face, GLenum pname, float *v)
{
    const struct gl_material *m = &ctx->light.material[face == GL_BACK];
    const float *where;
    FLUSH_VERTICES(ctx, 0);
    const bool ok = (face == GL_FRONT || face == GL_BACK) &&
                    (pname != GL_COLOR_INDEXES || ctx->api != GL_API_ES1);
    switch (ok ? pname : 0) {
    case GL_AMBIENT:
        where = m->ambient;
        break;
    case GL_DIFFUSE:
        where = m->diffuse;
        break;
    case GL_SPECULAR:
        where = m->specular;
        break;
    case GL_EMISSION:
        where = m->emission;
        break;
    case GL_SHININESS:
        where = &m->shininess;
        break;
    case GL_COLOR_INDEXES:
        where = m->indexes;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetMaterial(face=%s, pname=%s)", gl_enum_name(face),
                 gl_enum_name(pname));
        return 0;
    }
    unsigned n = gl_material_vector_size(pname);
    memcpy(v, where, n * sizeof *v);
    return n;
}

static void get_material_vector(GLenum face, GLenum pname, enum gl_param_type type, void *params)
{
    GL_CONTEXT(ctx);
    float v[4];
    unsigned n = get_material(ctx, face, pname, v);
    gl_params_write(params, type, gl_material_kind(pname), v, n);
}

void gl_GetMaterialfv(GLenum face, GLenum pname, GLfloat *params)
{
    get_material_vector(face, pname, GL_PARAM_FLOAT, params);
}

void gl_GetMaterialiv(GLenum face, GLenum pname, GLint *params)
{
    get_material_vector(face, pname, GL_PARAM_INT, params);
}

void gl_GetMaterialxv(GLenum face, GLenum pname, GLfixed *params)
{
    get_material_vector(face, pname, GL_PARAM_FIXED, params);
}

void gl_ColorMaterial(GLenum face, GLenum mode)
{
    GL_CONTEXT(ctx);
    if (!is_face(face) || !is_color(mode)) {
        gl_error(ctx, GL_INVALID_ENUM, "glColorMaterial(face=%s, mode=%s)", gl_enum_name(face),
                 gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY);
    ctx->light.color_material_face = face;
    ctx->light.color_material_mode = mode;
    gl_material_track_color(ctx);
}
