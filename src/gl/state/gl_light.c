/* SPDX-License-Identifier: MIT */
/* Lights, materials, fog, texture environment and generation, clip planes: values of the fixed
 * function (GL 4.6 compatibility §12.2, §13.7, §16.1, §17.3). */
#include <math.h>

#include "gl/api/gl_core.h"
#include "gl/compat/gl_immediate.h"
#include "gl/program/gl_asm.h"
#include "gl_entry.h"

/* Parameter vectors come as floats, integers or fixed; n: components of pname. */
typedef float params4[4];

static void from_int(params4 out, const GLint *v, unsigned n, bool normalized)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = normalized ? (float)MAX2(v[i] / 2147483647.0, -1.0) : (float)v[i];
}

static void from_fixed(params4 out, const GLfixed *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = v[i] / 65536.0f;
}

/* glMaterial and glLightModel have always taken names of vectors with a scalar too. */
static bool scalar_ok(struct gl_context *ctx, unsigned n, const char *call, GLenum pname)
{
    if (n == 1)
        return true;
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return false;
}

/* ------------------------------------------------------------------------------------ lights --- */

static unsigned light_components(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_POSITION:
        return 4;
    case GL_SPOT_DIRECTION:
        return 3;
    default:
        return 1;
    }
}

static bool light_is_color(GLenum pname)
{
    return pname == GL_AMBIENT || pname == GL_DIFFUSE || pname == GL_SPECULAR;
}

static void set_light(GLenum light, GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    unsigned i = light - GL_LIGHT0;
    if (i >= (unsigned)ctx->consts.max_lights) {
        gl_error(ctx, GL_INVALID_ENUM, "glLight(light=%s)", gl_enum_name(light));
        return;
    }
    struct gl_light *l = &ctx->light.light[i];
    float *where = NULL;
    switch (pname) {
    case GL_AMBIENT:
        where = l->ambient;
        break;
    case GL_DIFFUSE:
        where = l->diffuse;
        break;
    case GL_SPECULAR:
        where = l->specular;
        break;
    case GL_POSITION:
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY);
        gl_matrix_transform(l->eye_position, gl_matrix_top(&ctx->modelview), v);
        return;
    case GL_SPOT_DIRECTION: {
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT);
        const float *m = gl_matrix_top(&ctx->modelview);
        for (unsigned r = 0; r < 3; r++)
            l->spot_eye_direction[r] = m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2];
        return;
    }
    case GL_SPOT_EXPONENT:
        if (!(v[0] >= 0.0f && v[0] <= GL_MAX_EXPONENT))
            goto bad_value;
        where = &l->spot_exponent;
        break;
    case GL_SPOT_CUTOFF:
        if (!(v[0] >= 0.0f && v[0] <= 90.0f) && v[0] != 180.0f)
            goto bad_value;
        where = &l->spot_cutoff;
        break;
    case GL_CONSTANT_ATTENUATION:
        where = &l->constant_attenuation;
        break;
    case GL_LINEAR_ATTENUATION:
        where = &l->linear_attenuation;
        break;
    case GL_QUADRATIC_ATTENUATION:
        where = &l->quadratic_attenuation;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glLight(pname=%s)", gl_enum_name(pname));
        return;
    }
    unsigned n = light_components(pname);
    if (n == 1 && pname != GL_SPOT_EXPONENT && pname != GL_SPOT_CUTOFF && !(v[0] >= 0.0f))
        goto bad_value;
    FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | (n == 1 ? GL_DIRTY_PROGRAM_KEY : 0));
    memcpy(where, v, n * sizeof *v);
    return;
bad_value:
    gl_error(ctx, GL_INVALID_VALUE, "glLight(%s=%g)", gl_enum_name(pname), v[0]);
}

void gl_Lightfv(GLenum light, GLenum pname, const GLfloat *params)
{
    set_light(light, pname, params);
}

void gl_Lightiv(GLenum light, GLenum pname, const GLint *params)
{
    params4 v;
    from_int(v, params, light_components(pname), light_is_color(pname));
    set_light(light, pname, v);
}

void gl_Lightxv(GLenum light, GLenum pname, const GLfixed *params)
{
    params4 v;
    from_fixed(v, params, light_components(pname));
    set_light(light, pname, v);
}

void gl_Lightf(GLenum light, GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    if (scalar_ok(ctx, light_components(pname), "glLightf", pname))
        set_light(light, pname, &param);
}

void gl_Lighti(GLenum light, GLenum pname, GLint param)
{
    gl_Lightf(light, pname, param);
}

void gl_Lightx(GLenum light, GLenum pname, GLfixed param)
{
    gl_Lightf(light, pname, param / 65536.0f);
}

/* Values of a light's parameter; their number, 0: error raised. */
static unsigned get_light(struct gl_context *ctx, GLenum light, GLenum pname, float *v)
{
    unsigned i = light - GL_LIGHT0;
    const struct gl_light *l = &ctx->light.light[i & 7];
    const float *where = NULL;
    switch (i < (unsigned)ctx->consts.max_lights ? pname : 0) {
    case GL_AMBIENT:
        where = l->ambient;
        break;
    case GL_DIFFUSE:
        where = l->diffuse;
        break;
    case GL_SPECULAR:
        where = l->specular;
        break;
    case GL_POSITION:
        where = l->eye_position;
        break;
    case GL_SPOT_DIRECTION:
        where = l->spot_eye_direction;
        break;
    case GL_SPOT_EXPONENT:
        where = &l->spot_exponent;
        break;
    case GL_SPOT_CUTOFF:
        where = &l->spot_cutoff;
        break;
    case GL_CONSTANT_ATTENUATION:
        where = &l->constant_attenuation;
        break;
    case GL_LINEAR_ATTENUATION:
        where = &l->linear_attenuation;
        break;
    case GL_QUADRATIC_ATTENUATION:
        where = &l->quadratic_attenuation;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetLight(light=%s, pname=%s)", gl_enum_name(light),
                 gl_enum_name(pname));
        return 0;
    }
    unsigned n = light_components(pname);
    memcpy(v, where, n * sizeof *v);
    return n;
}

static GLint to_int(float f, bool normalized)
{
    double d = normalized ? f * 2147483647.0 : (double)f;
    return CLAMP(lrint(d), INT32_MIN, INT32_MAX);
}

static void to_ints(GLint *params, const float *v, unsigned n, bool normalized)
{
    for (unsigned i = 0; i < n; i++)
        params[i] = to_int(v[i], normalized);
}

static void to_fixed(GLfixed *params, const float *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        params[i] = to_int(v[i] * 65536.0f, false);
}

void gl_GetLightfv(GLenum light, GLenum pname, GLfloat *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    memcpy(params, v, get_light(ctx, light, pname, v) * sizeof *v);
}

void gl_GetLightiv(GLenum light, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    to_ints(params, v, get_light(ctx, light, pname, v), light_is_color(pname));
}

void gl_GetLightxv(GLenum light, GLenum pname, GLfixed *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    to_fixed(params, v, get_light(ctx, light, pname, v));
}

/* ------------------------------------------------------------------------------- light model --- */

static void set_light_model(GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    struct gl_light_state *s = &ctx->light;
    switch (pname) {
    case GL_LIGHT_MODEL_AMBIENT:
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT);
        memcpy(s->model_ambient, v, sizeof s->model_ambient);
        return;
    case GL_LIGHT_MODEL_TWO_SIDE:
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_RASTERIZER);
        s->two_side = v[0] != 0.0f;
        return;
    case GL_LIGHT_MODEL_LOCAL_VIEWER:
        if (ctx->api == GL_API_ES1)
            break;
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY);
        s->local_viewer = v[0] != 0.0f;
        return;
    case GL_LIGHT_MODEL_COLOR_CONTROL:
        if (ctx->api == GL_API_ES1)
            break;
        if (v[0] != GL_SINGLE_COLOR && v[0] != GL_SEPARATE_SPECULAR_COLOR) {
            gl_error(ctx, GL_INVALID_ENUM, "glLightModel(color control %s)", gl_enum_name(v[0]));
            return;
        }
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY);
        s->color_control = v[0];
        return;
    }
    gl_error(ctx, GL_INVALID_ENUM, "glLightModel(pname=%s)", gl_enum_name(pname));
}

static unsigned light_model_components(GLenum pname)
{
    return pname == GL_LIGHT_MODEL_AMBIENT ? 4 : 1;
}

void gl_LightModelfv(GLenum pname, const GLfloat *params)
{
    set_light_model(pname, params);
}

void gl_LightModeliv(GLenum pname, const GLint *params)
{
    params4 v;
    from_int(v, params, light_model_components(pname), pname == GL_LIGHT_MODEL_AMBIENT);
    set_light_model(pname, v);
}

void gl_LightModelxv(GLenum pname, const GLfixed *params)
{
    params4 v;
    from_fixed(v, params, light_model_components(pname));
    set_light_model(pname, v);
}

void gl_LightModelf(GLenum pname, GLfloat param)
{
    set_light_model(pname, (params4){param});
}

void gl_LightModeli(GLenum pname, GLint param)
{
    gl_LightModelf(pname, param);
}

void gl_LightModelx(GLenum pname, GLfixed param)
{
    gl_LightModelf(pname, param / 65536.0f);
}

/* --------------------------------------------------------------------------------- materials --- */

static unsigned material_components(GLenum pname)
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

/* Properties that a name means, of one face (GL 4.6 compatibility §12.2.3): bits. */
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

uint32_t gl_light_properties(GLenum face, GLenum pname)
{
    const uint32_t properties = properties_named(pname);
    return (face != GL_BACK ? properties : 0) |
           (face != GL_FRONT ? properties << GL_MATERIAL_FACE : 0);
}

static bool is_face(GLenum face)
{
    return face == GL_FRONT || face == GL_BACK || face == GL_FRONT_AND_BACK;
}

uint32_t gl_light_tracked(const struct gl_context *ctx)
{
    const struct gl_light_state *s = &ctx->light;
    return s->color_material ? gl_light_properties(s->color_material_face, s->color_material_mode)
                             : 0;
}

bool gl_light_by_vertex(const struct gl_context *ctx)
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

/* What a property is for the next vertex. */
static const float *property_now(struct gl_context *ctx, unsigned i)
{
    const struct gl_immediate *imm = ctx->immediate;
    const unsigned a = GL_ATTRIB_MATERIAL + i;
    if (imm->layout.attribs >> a & 1)
        return (const float *)(imm->vertex + imm->layout.offset[a]);
    return gl_material_property(ctx->light.material, i);
}

static float *waiting_property(struct gl_context *ctx, unsigned i)
{
    struct gl_light_state *s = &ctx->light;
    if (!s->material_waits) {
        memcpy(s->next_material, s->material, sizeof s->material);
        for (unsigned k = 0; k < GL_MATERIAL_PROPERTIES; k++)
            gl_material_store(s->next_material, k, property_now(ctx, k));
    }
    s->material_waits = true;
    return gl_material_property(s->next_material, i);
}

/* Whether a property is another than v. Many programs say the same material again for each primitive. */
static bool property_changes(struct gl_context *ctx, unsigned i, const float *v)
{
    struct gl_light_state *s = &ctx->light;
    const float *now =
        s->material_waits ? gl_material_property(s->next_material, i) : property_now(ctx, i);
    return memcmp(now, v, gl_material_components(i) * sizeof *v);
}

/* A property where materials are the vertices': the next ones have it. */
static void set_for_vertices(struct gl_context *ctx, unsigned i, const float *v)
{
    const struct gl_immediate *imm = ctx->immediate;
    const unsigned a = GL_ATTRIB_MATERIAL + i, n = gl_material_components(i);
    const bool inside = ctx->inside_begin_end, in_layout = imm->layout.attribs >> a & 1;
    if (in_layout ? inside || imm->num : inside && imm->num) {
        gl_attrib(ctx, a, n, GL_FLOAT, (const uint32_t *)v);
        if (ctx->light.material_waits)
            gl_material_store(ctx->light.next_material, i, v);
    } else if (
        imm->num) { /* until it is known whether state that is not the vertices' changes, too */
        memcpy(waiting_property(ctx, i), v, n * sizeof *v);
    } else {
        if (!inside)
            FLUSH_VERTICES(ctx, 0);
        if (gl_material_store(ctx->light.material, i, v))
            ctx->dirty |= GL_DIRTY_MATERIAL;
    }
}

/* Properties where materials are those of whole draws. Under a vertex shader changes may wait for glEnd (GL
 * 4.6 compatibility §12.2.3), and do, so that the primitive stays whole. */
static void set_for_draws(struct gl_context *ctx, uint32_t properties, const float *v)
{
    const bool waits = ctx->inside_begin_end && gl_stage_executable(ctx, SHADER_VERTEX);
    if (!waits)
        FLUSH_VERTICES(ctx, GL_DIRTY_MATERIAL);
    while (properties) {
        unsigned i = u_bit_scan(&properties);
        if (waits)
            memcpy(waiting_property(ctx, i), v, gl_material_components(i) * sizeof *v);
        else
            gl_material_store(ctx->light.material, i, v);
    }
}

void gl_light_set_property(struct gl_context *ctx, unsigned property, const float *v)
{
    if (!(gl_light_tracked(ctx) >> property & 1) && property_changes(ctx, property, v))
        set_for_vertices(ctx, property, v);
}

void gl_light_begin(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    struct gl_material next[2];
    memcpy(next, s->next_material, sizeof next);
    s->material_waits = false;
    for (unsigned i = 0; i < GL_MATERIAL_PROPERTIES; i++)
        if (property_changes(ctx, i, gl_material_property(next, i)))
            set_for_vertices(ctx, i, gl_material_property(next, i));
}

void gl_light_settle(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    memcpy(s->material, s->next_material, sizeof s->material);
    s->material_waits = false;
    ctx->dirty |= GL_DIRTY_MATERIAL;
    gl_light_track_color(ctx);
}

void gl_light_end(struct gl_context *ctx)
{
    if (ctx->light.material_waits)
        FLUSH_VERTICES(ctx, 0);
}

GLenum gl_light_material_check(const struct gl_context *ctx, GLenum face, GLenum pname,
                               const float *v)
{
    if (!is_face(face) || (ctx->api == GL_API_ES1 && face != GL_FRONT_AND_BACK) ||
        (!properties_named(pname) && pname != GL_COLOR_INDEXES))
        return GL_INVALID_ENUM;
    if (pname == GL_SHININESS && !(v[0] >= 0.0f && v[0] <= GL_MAX_EXPONENT))
        return GL_INVALID_VALUE;
    return GL_NO_ERROR;
}

void gl_light_material(struct gl_context *ctx, GLenum face, GLenum pname, const float *v)
{
    struct gl_light_state *s = &ctx->light;
    GLenum error = gl_light_material_check(ctx, face, pname, v);
    if (error) {
        gl_error(ctx, error, "glMaterial(face=%s, pname=%s, %g)", gl_enum_name(face),
                 gl_enum_name(pname), v[0]);
        return;
    }
    if (pname == GL_COLOR_INDEXES) { /* which nothing draws with */
        for (unsigned f = 0; f < 2; f++)
            if (face != (f ? GL_FRONT : GL_BACK)) {
                memcpy(s->material[f].indexes, v, sizeof s->material[f].indexes);
                memcpy(s->next_material[f].indexes, v, sizeof s->material[f].indexes);
            }
        return;
    }
    uint32_t changed = 0, properties = gl_light_properties(face, pname) & ~gl_light_tracked(ctx);
    while (properties) {
        unsigned i = u_bit_scan(&properties);
        changed |= (uint32_t)property_changes(ctx, i, v) << i;
    }
    if (!changed)
        return;
    if (!gl_light_by_vertex(ctx)) {
        set_for_draws(ctx, changed, v);
        return;
    }
    while (changed)
        set_for_vertices(ctx, u_bit_scan(&changed), v);
}

static void set_material(GLenum face, GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    gl_light_material(ctx, face, pname, v);
}

void gl_light_track_color(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    const float *color = (const float *)ctx->current_attribs.attrib[VERT_ATTRIB_COLOR0];
    for (uint32_t tracked = gl_light_tracked(ctx); tracked;) {
        unsigned i = u_bit_scan(&tracked);
        if (gl_material_store(s->material, i, color))
            ctx->dirty |= GL_DIRTY_MATERIAL;
        if (s->material_waits)
            gl_material_store(s->next_material, i, color);
    }
}

void gl_Materialfv(GLenum face, GLenum pname, const GLfloat *params)
{
    set_material(face, pname, params);
}

void gl_Materialiv(GLenum face, GLenum pname, const GLint *params)
{
    params4 v;
    from_int(v, params, material_components(pname), is_color(pname));
    set_material(face, pname, v);
}

void gl_Materialxv(GLenum face, GLenum pname, const GLfixed *params)
{
    params4 v;
    from_fixed(v, params, material_components(pname));
    set_material(face, pname, v);
}

void gl_Materialf(GLenum face, GLenum pname, GLfloat param)
{
    set_material(face, pname, (params4){param});
}

void gl_Materiali(GLenum face, GLenum pname, GLint param)
{
    gl_Materialf(face, pname, param);
}

void gl_Materialx(GLenum face, GLenum pname, GLfixed param)
{
    gl_Materialf(face, pname, param / 65536.0f);
}

static unsigned get_material(struct gl_context *ctx, GLenum face, GLenum pname, float *v)
{
    const struct gl_material *m = &ctx->light.material[face == GL_BACK];
    const float *where;
    FLUSH_VERTICES(ctx, 0);
    switch (face == GL_FRONT || face == GL_BACK ? pname : 0) {
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
    unsigned n = material_components(pname);
    memcpy(v, where, n * sizeof *v);
    return n;
}

void gl_GetMaterialfv(GLenum face, GLenum pname, GLfloat *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    memcpy(params, v, get_material(ctx, face, pname, v) * sizeof *v);
}

void gl_GetMaterialiv(GLenum face, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    to_ints(params, v, get_material(ctx, face, pname, v), is_color(pname));
}

void gl_GetMaterialxv(GLenum face, GLenum pname, GLfixed *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    to_fixed(params, v, get_material(ctx, face, pname, v));
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
    gl_light_track_color(ctx);
}

void gl_ShadeModel(GLenum mode)
{
    GL_CONTEXT(ctx);
    if (mode != GL_FLAT && mode != GL_SMOOTH) {
        gl_error(ctx, GL_INVALID_ENUM, "glShadeModel(mode=%s)", gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY | GL_DIRTY_RASTERIZER);
    ctx->light.shade_model = mode;
}

void gl_ProvokingVertex(GLenum mode)
{
    GL_CONTEXT(ctx);
    if (mode != GL_FIRST_VERTEX_CONVENTION && mode != GL_LAST_VERTEX_CONVENTION) {
        gl_error(ctx, GL_INVALID_ENUM, "glProvokingVertex(mode=%s)", gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER);
    ctx->light.provoking_vertex = mode;
}

/* --------------------------------------------------------------------------------------- fog --- */

static void set_fog(GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    struct gl_fog_state *s = &ctx->fog;
    bool es = ctx->api == GL_API_ES1;
    GLenum e = v[0];
    switch (pname) {
    case GL_FOG_MODE:
        if (e != GL_LINEAR && e != GL_EXP && e != GL_EXP2)
            goto bad_enum;
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG | GL_DIRTY_PROGRAM_KEY);
        s->mode = e;
        return;
    case GL_FOG_DENSITY:
        if (!(v[0] >= 0.0f)) {
            gl_error(ctx, GL_INVALID_VALUE, "glFog(density=%g)", v[0]);
            return;
        }
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG);
        s->density = v[0];
        return;
    case GL_FOG_START:
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG);
        s->start = v[0];
        return;
    case GL_FOG_END:
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG);
        s->end = v[0];
        return;
    case GL_FOG_INDEX:
        if (es)
            goto bad_pname;
        s->index = v[0];
        return;
    case GL_FOG_COLOR:
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG);
        memcpy(s->color, v, sizeof s->color);
        return;
    case GL_FOG_COORD_SRC:
        if (es)
            goto bad_pname;
        if (e != GL_FOG_COORD && e != GL_FRAGMENT_DEPTH)
            goto bad_enum;
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG | GL_DIRTY_PROGRAM_KEY);
        s->coord_source = e;
        return;
    case GL_FOG_DISTANCE_MODE_NV:
        if (es || !ctx->ext.NV_fog_distance)
            goto bad_pname;
        if (e != GL_EYE_RADIAL_NV && e != GL_EYE_PLANE && e != GL_EYE_PLANE_ABSOLUTE_NV)
            goto bad_enum;
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG | GL_DIRTY_PROGRAM_KEY);
        s->distance_mode = e;
        return;
    }
bad_pname:
    gl_error(ctx, GL_INVALID_ENUM, "glFog(pname=%s)", gl_enum_name(pname));
    return;
bad_enum:
    gl_error(ctx, GL_INVALID_ENUM, "glFog(%s=%s)", gl_enum_name(pname), gl_enum_name(e));
}

static unsigned fog_components(GLenum pname)
{
    return pname == GL_FOG_COLOR ? 4 : 1;
}

void gl_Fogfv(GLenum pname, const GLfloat *params)
{
    set_fog(pname, params);
}

void gl_Fogiv(GLenum pname, const GLint *params)
{
    params4 v;
    from_int(v, params, fog_components(pname), pname == GL_FOG_COLOR);
    set_fog(pname, v);
}

void gl_Fogxv(GLenum pname, const GLfixed *params)
{
    params4 v;
    from_fixed(v, params, fog_components(pname));
    if (pname == GL_FOG_MODE)
        v[0] = params[0];
    set_fog(pname, v);
}

void gl_Fogf(GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    if (scalar_ok(ctx, fog_components(pname), "glFogf", pname))
        set_fog(pname, &param);
}

void gl_Fogi(GLenum pname, GLint param)
{
    gl_Fogf(pname, param);
}

void gl_Fogx(GLenum pname, GLfixed param)
{
    gl_Fogf(pname, pname == GL_FOG_MODE ? (float)param : param / 65536.0f);
}

/* ------------------------------------------------------------------------------- clip planes --- */

static void set_clip_plane(GLenum plane, const float equation[4])
{
    GL_CONTEXT(ctx);
    unsigned i = plane - GL_CLIP_PLANE0;
    if (i >= (unsigned)ctx->consts.max_clip_planes) {
        gl_error(ctx, GL_INVALID_ENUM, "glClipPlane(plane=%s)", gl_enum_name(plane));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_CLIP);
    /* eye-space plane = equation · M⁻¹ (GL 4.6 compatibility §13.7) */
    float inverse[16], transposed[16];
    gl_matrix_invert(inverse, gl_matrix_top(&ctx->modelview));
    gl_matrix_transpose(transposed, inverse);
    gl_matrix_transform(ctx->transform.clip_plane[i], transposed, equation);
}

void gl_ClipPlane(GLenum plane, const GLdouble *equation)
{
    params4 e = {equation[0], equation[1], equation[2], equation[3]};
    set_clip_plane(plane, e);
}

void gl_ClipPlanef(GLenum p, const GLfloat *eqn)
{
    set_clip_plane(p, eqn);
}

void gl_ClipPlanex(GLenum plane, const GLfixed *equation)
{
    params4 e;
    from_fixed(e, equation, 4);
    set_clip_plane(plane, e);
}

static const float *get_clip_plane(struct gl_context *ctx, GLenum plane)
{
    unsigned i = plane - GL_CLIP_PLANE0;
    if (i < (unsigned)ctx->consts.max_clip_planes)
        return ctx->transform.clip_plane[i];
    gl_error(ctx, GL_INVALID_ENUM, "glGetClipPlane(plane=%s)", gl_enum_name(plane));
    return NULL;
}

void gl_GetClipPlane(GLenum plane, GLdouble *equation)
{
    GL_CONTEXT(ctx);
    const float *e = get_clip_plane(ctx, plane);
    for (unsigned i = 0; e && i < 4; i++)
        equation[i] = e[i];
}

void gl_GetClipPlanef(GLenum plane, GLfloat *equation)
{
    GL_CONTEXT(ctx);
    const float *e = get_clip_plane(ctx, plane);
    if (e)
        memcpy(equation, e, sizeof(params4));
}

void gl_GetClipPlanex(GLenum plane, GLfixed *equation)
{
    GL_CONTEXT(ctx);
    const float *e = get_clip_plane(ctx, plane);
    for (unsigned i = 0; e && i < 4; i++)
        equation[i] = to_int(e[i] * 65536.0f, false);
}
