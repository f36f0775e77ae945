/* SPDX-License-Identifier: MIT */
/*
 * Fixed-function vertex processing as NIR (GL 2.1 §2.11 to §2.14): transformation, lighting,
 * texture coordinate generation and matrices, fog coordinate, point size. There is one program per
 * key.
 */
#include "gl/context/gl_context.h"
#include "gl/fixed/gl_ff.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_material.h"
#include "nir/nir_builder.h"
#include "nir/nir_state_tokens.h"
#include "util/hash_table.h"

enum { GEN_NONE, GEN_OBJECT, GEN_EYE, GEN_SPHERE, GEN_REFLECTION, GEN_NORMAL };

static uint8_t gen_mode(GLenum mode)
{
    switch (mode) {
    case GL_OBJECT_LINEAR:
        return GEN_OBJECT;
    case GL_SPHERE_MAP:
        return GEN_SPHERE;
    case GL_REFLECTION_MAP:
        return GEN_REFLECTION;
    case GL_NORMAL_MAP:
        return GEN_NORMAL;
    default:
        return GEN_EYE;
    }
}

/* -------------------------------------------------------------------------------------- key --- */

static bool is_identity(const float *m)
{
    for (unsigned i = 0; i < 16; i++)
        if (m[i] != (i % 5 == 0 ? 1.0f : 0.0f))
            return false;
    return true;
}

static void light_key(const struct gl_context *ctx, struct gl_ff_vertex_key *k)
{
    const struct gl_light_state *l = &ctx->light;
    k->lighting = true;
    k->two_side = l->two_side;
    k->local_viewer = l->local_viewer;
    k->separate_specular = l->color_control == GL_SEPARATE_SPECULAR_COLOR;
    k->tracked = gl_material_tracked_properties(ctx);
    k->materials = l->vertex_materials & ~k->tracked;
    for (unsigned i = 0; i < GL_MAX_LIGHTS_; i++) {
        const struct gl_light *light = &l->light[i];
        if (!light->enabled)
            continue;
        k->lights |= 1 << i;
        if (light->eye_position[3] != 0.0f) {
            k->positional |= 1 << i;
            if (light->constant_attenuation != 1.0f || light->linear_attenuation != 0.0f ||
                light->quadratic_attenuation != 0.0f)
                k->attenuated |= 1 << i;
        }
        if (light->spot_cutoff != 180.0f)
            k->spot |= 1 << i;
    }
}

/* Fills in the key. read: fragment shader inputs, a bit mask indexed by enum varying_slot. */
static void make_key(const struct gl_context *ctx, uint64_t read, struct gl_ff_vertex_key *k)
{
    memset(k, 0, sizeof *k);
    k->color0 = read & (BITFIELD64_BIT(VARYING_SLOT_COL0) | BITFIELD64_BIT(VARYING_SLOT_BFC0));
    k->color1 = read & (BITFIELD64_BIT(VARYING_SLOT_COL1) | BITFIELD64_BIT(VARYING_SLOT_BFC1));
    k->clip_vertex = ctx->transform.clip_enabled;
    if (ctx->light.enabled && (k->color0 || k->color1)) {
        light_key(ctx, k);
        k->two_side = k->two_side && read & (BITFIELD64_BIT(VARYING_SLOT_BFC0) |
                                             BITFIELD64_BIT(VARYING_SLOT_BFC1));
        if (!k->two_side) {
            k->tracked &= BITFIELD_MASK(GL_MATERIAL_FACE);
            k->materials &= BITFIELD_MASK(GL_MATERIAL_FACE);
        }
    }
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++) {
        if (!(read >> VARYING_SLOT_TEX(u) & 1))
            continue;
        const struct gl_texenv_unit *unit = &ctx->texenv.unit[u];
        k->coords |= 1 << u;
        if (!is_identity(gl_matrix_top(&ctx->texture_matrix[u])))
            k->texture_matrices |= 1 << u;
        for (unsigned c = 0; c < 4; c++)
            if (unit->gen_enabled & 1 << c)
                k->gen[u][c] = gen_mode(unit->gen[c].mode);
    }
    bool normals = k->lighting;
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++)
        for (unsigned c = 0; c < 4; c++)
            normals |= k->gen[u][c] >= GEN_SPHERE;
    if (normals)
        k->normal = ctx->transform.normalize         ? GL_FF_NORMALIZE
                    : ctx->transform.rescale_normals ? GL_FF_RESCALE
                                                     : GL_FF_NORMAL;
    k->fog = !(read >> VARYING_SLOT_FOGC & 1)             ? GL_FF_FOG_NONE
             : ctx->fog.coord_source == GL_FOG_COORDINATE ? GL_FF_FOG_COORD
             : ctx->fog.distance_mode == GL_EYE_RADIAL_NV ? GL_FF_FOG_RADIAL
             : ctx->fog.distance_mode == GL_EYE_PLANE     ? GL_FF_FOG_PLANE
                                                          : GL_FF_FOG_DEPTH;
    const float *a = ctx->point.attenuation;
    k->point_attenuation =
        ctx->program.drawing_points && (a[0] != 1.0f || a[1] != 0.0f || a[2] != 0.0f);
    k->point_array = ctx->program.point_array;
}

/* --------------------------------------------------------------------------------- building --- */

struct build {
    nir_builder b;
    const struct gl_ff_vertex_key *key;
    nir_def *position, *color, *eye, *eye_point, *eye_dir, *normal, *reflection;
};

static nir_def *state4(struct build *p, int a, int i, int j, int k, int m)
{
    int16_t tokens[5] = {a, i, j, k, m};
    return nir_load_var(&p->b, gl_state_uniform(p->b.shader, tokens));
}

static nir_def *state3(struct build *p, int a, int i, int j, int k)
{
    return nir_trim_vector(&p->b, state4(p, a, i, j, k, 0), 3);
}

static nir_def *state1(struct build *p, int a, int i, int j)
{
    return nir_channel(&p->b, state4(p, a, i, j, 0, 0), 0);
}

static nir_def *input(struct build *p, unsigned attrib)
{
    nir_variable *v = nir_find_variable_with_location(p->b.shader, nir_var_shader_in, (int)attrib);
    if (!v) {
        v = nir_variable_create(p->b.shader, nir_var_shader_in, glsl_vec4_type(), NULL);
        v->data.location = attrib;
    }
    return nir_load_var(&p->b, v);
}

static void output(struct build *p, unsigned slot, nir_def *value)
{
    nir_variable *v = nir_variable_create(p->b.shader, nir_var_shader_out,
                                          glsl_vec_type(value->num_components), NULL);
    v->data.location = slot;
    nir_store_var(&p->b, v, value, BITFIELD_MASK(value->num_components));
}

static nir_def *color_of(struct build *p)
{
    if (!p->color)
        p->color = input(p, VERT_ATTRIB_COLOR0);
    return p->color;
}

/* Multiplies a state matrix with v. */
static nir_def *transform(struct build *p, int matrix, int index, nir_def *v)
{
    nir_builder *b = &p->b;
    nir_def *sum = NULL;
    for (unsigned c = 0; c < 4; c++) {
        nir_def *column = state4(p, matrix, index, c, c, STATE_MATRIX_PLAIN);
        nir_def *term = nir_fmul(b, column, nir_vec_broadcast(b, nir_channel(b, v, c), 4));
        sum = sum ? nir_fadd(b, sum, term) : term;
    }
    return sum;
}

static nir_def *scale(nir_builder *b, nir_def *v, nir_def *s)
{
    return nir_fmul(b, v, nir_vec_broadcast(b, s, v->num_components));
}

static nir_def *normalize(nir_builder *b, nir_def *v)
{
    nir_def *squares = nir_fmax_imm(b, nir_fdot3(b, v, v), 1e-36);
    return scale(b, v, nir_frsq(b, squares));
}

static nir_def *eye_position(struct build *p)
{
    if (!p->eye)
        p->eye = transform(p, STATE_MODELVIEW_MATRIX, 0, p->position);
    return p->eye;
}

/* Returns the vertex in eye space, divided by w. */
static nir_def *eye_point(struct build *p)
{
    nir_builder *b = &p->b;
    if (!p->eye_point) {
        nir_def *eye = eye_position(p);
        p->eye_point = scale(b, nir_trim_vector(b, eye, 3), nir_frcp(b, nir_channel(b, eye, 3)));
    }
    return p->eye_point;
}

/* Returns the unit vector from the eye to the vertex. */
static nir_def *eye_direction(struct build *p)
{
    if (!p->eye_dir)
        p->eye_dir = normalize(&p->b, eye_point(p));
    return p->eye_dir;
}

/* Returns the normal in eye space (GL 2.1 §2.11.3). */
static nir_def *eye_normal(struct build *p)
{
    nir_builder *b = &p->b;
    if (p->normal)
        return p->normal;
    nir_def *n = nir_trim_vector(b, input(p, VERT_ATTRIB_NORMAL), 3);
    nir_def *rows[3];
    for (unsigned c = 0; c < 3; c++) {
        /* Normals are row vectors, n · M⁻¹, which is the transposed inverse times n. */
        nir_def *column = state4(p, STATE_MODELVIEW_MATRIX, 0, c, c, STATE_MATRIX_INVERSE);
        rows[c] = nir_fdot3(b, nir_trim_vector(b, column, 3), n);
    }
    n = nir_vec(b, rows, 3);
    if (p->key->normal == GL_FF_NORMALIZE)
        n = normalize(b, n);
    else if (p->key->normal == GL_FF_RESCALE)
        n = scale(b, n, state1(p, STATE_NORMAL_SCALE, 0, 0));
    return p->normal = n;
}

/* --------------------------------------------------------------------------------- lighting --- */

struct face {
    nir_def *primary, *specular; /* three components */
};

/* State uniform tokens of a face's properties. */
static const uint8_t material_token[GL_MATERIAL_FACE] = {
    [GL_MATERIAL_AMBIENT] = STATE_MATERIAL_AMBIENT,
    [GL_MATERIAL_DIFFUSE] = STATE_MATERIAL_DIFFUSE,
    [GL_MATERIAL_SPECULAR] = STATE_MATERIAL_SPECULAR,
    [GL_MATERIAL_EMISSION] = STATE_MATERIAL_EMISSION,
    [GL_MATERIAL_SHININESS] = STATE_MATERIAL_SHININESS,
};

/* Returns a face's property if it varies per vertex: the tracked color or an attribute. Returns
 * NULL if it is uniform. */
static nir_def *vertex_material(struct build *p, unsigned face, unsigned property)
{
    const unsigned i = face * GL_MATERIAL_FACE + property;
    if (p->key->tracked >> i & 1)
        return color_of(p);
    return p->key->materials >> i & 1 ? input(p, GL_FF_ATTRIB_MATERIAL + i) : NULL;
}

static nir_def *material4(struct build *p, unsigned face, unsigned property)
{
    nir_def *v = vertex_material(p, face, property);
    return v ? v : state4(p, STATE_MATERIAL, face, material_token[property], 0, 0);
}

static nir_def *material3(struct build *p, unsigned face, unsigned property)
{
    return nir_trim_vector(&p->b, material4(p, face, property), 3);
}

/* Returns the product of a face's property and the light's. */
static nir_def *product(struct build *p, unsigned face, unsigned light, unsigned property,
                        unsigned light_token)
{
    nir_def *v = vertex_material(p, face, property);
    if (v)
        return nir_fmul(&p->b, nir_trim_vector(&p->b, v, 3),
                        state3(p, STATE_LIGHT, light, light_token, 0));
    return state3(p, STATE_LIGHTPROD, face, light, material_token[property]);
}

static nir_def *scene_color(struct build *p, unsigned face)
{
    nir_builder *b = &p->b;
    if (!vertex_material(p, face, GL_MATERIAL_EMISSION) &&
        !vertex_material(p, face, GL_MATERIAL_AMBIENT))
        return state3(p, STATE_LIGHTMODEL_SCENECOLOR, face, 0, 0);
    nir_def *ambient = nir_fmul(b, material3(p, face, GL_MATERIAL_AMBIENT),
                                state3(p, STATE_LIGHTMODEL_AMBIENT, 0, 0, 0));
    return nir_fadd(b, material3(p, face, GL_MATERIAL_EMISSION), ambient);
}

/* A light's contribution that is the same for both faces: the direction to the light, the half
 * vector, and attenuation × spot (NULL: 1). */
struct lamp {
    nir_def *direction, *half, *factor;
};

static nir_def *spot_factor(struct build *p, unsigned light, nir_def *to_light)
{
    nir_builder *b = &p->b;
    nir_def *spot = state4(p, STATE_LIGHT, light, STATE_LIGHT_SPOT_DIRECTION_NORMALIZED, 0, 0);
    nir_def *cosine = nir_fdot3(b, nir_fneg(b, to_light), nir_trim_vector(b, spot, 3));
    nir_def *exponent = state1(p, STATE_LIGHT, light, STATE_LIGHT_SPOT_EXPONENT);
    nir_def *power = nir_fpow(b, nir_fmax_imm(b, cosine, 1e-20), exponent);
    return nir_bcsel(b, nir_fge(b, cosine, nir_channel(b, spot, 3)), power, nir_imm_float(b, 0.0f));
}

static nir_def *distance_factor(struct build *p, unsigned light, nir_def *distance)
{
    nir_builder *b = &p->b;
    nir_def *k = state4(p, STATE_LIGHT, light, STATE_LIGHT_ATTENUATION, 0, 0);
    nir_def *sum = nir_fmul(b, nir_channel(b, k, 2), distance);
    sum = nir_fmul(b, nir_fadd(b, sum, nir_channel(b, k, 1)), distance);
    return nir_frcp(b, nir_fadd(b, sum, nir_channel(b, k, 0)));
}

static struct lamp make_lamp(struct build *p, unsigned light)
{
    nir_builder *b = &p->b;
    const struct gl_ff_vertex_key *key = p->key;
    struct lamp lamp = {0};
    bool positional = key->positional >> light & 1;
    if (positional) {
        nir_def *position = state4(p, STATE_LIGHT, light, STATE_LIGHT_POSITION, 0, 0);
        nir_def *w = nir_channel(b, position, 3);
        /* vector from the vertex to the light; both are homogeneous points */
        nir_def *point = scale(b, nir_trim_vector(b, position, 3), nir_frcp(b, w));
        nir_def *to = nir_fsub(b, point, eye_point(p));
        nir_def *distance = nir_fsqrt(b, nir_fdot3(b, to, to));
        lamp.direction = normalize(b, to);
        if (key->attenuated >> light & 1)
            lamp.factor = distance_factor(p, light, distance);
    } else {
        lamp.direction = state3(p, STATE_LIGHT, light, STATE_LIGHT_POSITION_NORMALIZED, 0);
    }
    if (key->spot >> light & 1) {
        nir_def *spot = spot_factor(p, light, lamp.direction);
        lamp.factor = lamp.factor ? nir_fmul(b, lamp.factor, spot) : spot;
    }
    if (key->local_viewer)
        lamp.half = normalize(b, nir_fsub(b, lamp.direction, eye_direction(p)));
    else if (positional)
        lamp.half = normalize(b, nir_fadd(b, lamp.direction, nir_imm_vec3(b, 0, 0, 1)));
    else
        lamp.half = state3(p, STATE_LIGHT, light, STATE_LIGHT_HALF_VECTOR, 0);
    return lamp;
}

static void add_light(struct build *p, const struct lamp *lamp, unsigned light, unsigned face,
                      nir_def *normal, struct face *out)
{
    nir_builder *b = &p->b;
    nir_def *zero = nir_imm_float(b, 0.0f);
    nir_def *nl = nir_fdot3(b, normal, lamp->direction);
    nir_def *nh = nir_fdot3(b, normal, lamp->half);
    nir_def *shininess = nir_channel(b, material4(p, face, GL_MATERIAL_SHININESS), 0);
    nir_def *power = nir_fpow(b, nir_fmax_imm(b, nh, 1e-20), shininess);
    power = nir_bcsel(b, nir_flt(b, zero, nl), power, zero);
    nir_def *color = product(p, face, light, GL_MATERIAL_AMBIENT, STATE_LIGHT_AMBIENT);
    nir_def *diffuse = product(p, face, light, GL_MATERIAL_DIFFUSE, STATE_LIGHT_DIFFUSE);
    nir_def *specular = product(p, face, light, GL_MATERIAL_SPECULAR, STATE_LIGHT_SPECULAR);
    color = nir_fadd(b, color, scale(b, diffuse, nir_fmax_imm(b, nl, 0.0)));
    specular = scale(b, specular, power);
    if (lamp->factor) {
        color = scale(b, color, lamp->factor);
        specular = scale(b, specular, lamp->factor);
    }
    out->primary = nir_fadd(b, out->primary, color);
    out->specular = out->specular ? nir_fadd(b, out->specular, specular) : specular;
}

static nir_def *with_alpha(nir_builder *b, nir_def *rgb, nir_def *alpha)
{
    nir_def *v[4] = {nir_channel(b, rgb, 0), nir_channel(b, rgb, 1), nir_channel(b, rgb, 2), alpha};
    return nir_vec(b, v, 4);
}

static void light_outputs(struct build *p, unsigned face, struct face *f)
{
    nir_builder *b = &p->b;
    nir_def *alpha = nir_channel(b, material4(p, face, GL_MATERIAL_DIFFUSE), 3);
    nir_def *specular = f->specular ? f->specular : nir_imm_vec3(b, 0, 0, 0);
    nir_def *primary = f->primary;
    if (!p->key->separate_specular)
        primary = nir_fadd(b, primary, specular);
    output(p, face ? VARYING_SLOT_BFC0 : VARYING_SLOT_COL0, with_alpha(b, primary, alpha));
    if (!p->key->color1)
        return;
    if (!p->key->separate_specular)
        specular = nir_imm_vec3(b, 0, 0, 0);
    /* GL 4.6 compatibility §12.2.1.1: its alpha is always 1. */
    output(p, face ? VARYING_SLOT_BFC1 : VARYING_SLOT_COL1,
           with_alpha(b, specular, nir_imm_float(b, 1.0f)));
}

static void build_lighting(struct build *p)
{
    nir_builder *b = &p->b;
    unsigned faces = p->key->two_side ? 2 : 1;
    struct face face[2] = {0};
    nir_def *normal[2] = {eye_normal(p), NULL};
    if (faces == 2)
        normal[1] = nir_fneg(b, normal[0]);
    for (unsigned f = 0; f < faces; f++)
        face[f].primary = scene_color(p, f);
    for (unsigned i = 0; i < GL_MAX_LIGHTS_; i++) {
        if (!(p->key->lights >> i & 1))
            continue;
        struct lamp lamp = make_lamp(p, i);
        for (unsigned f = 0; f < faces; f++)
            add_light(p, &lamp, i, f, normal[f], &face[f]);
    }
    for (unsigned f = 0; f < faces; f++)
        light_outputs(p, f, &face[f]);
}

/* ---------------------------------------------------------------------- texture coordinates --- */

static nir_def *reflection_vector(struct build *p)
{
    nir_builder *b = &p->b;
    if (!p->reflection) {
        nir_def *u = eye_direction(p), *n = eye_normal(p);
        nir_def *twice = nir_fmul_imm(b, nir_fdot3(b, n, u), 2.0);
        p->reflection = nir_fsub(b, u, scale(b, n, twice));
    }
    return p->reflection;
}

/* Returns a generated texture coordinate (GL 2.1 §2.11.4). */
static nir_def *generated(struct build *p, unsigned unit, unsigned c)
{
    nir_builder *b = &p->b;
    switch (p->key->gen[unit][c]) {
    case GEN_OBJECT:
        return nir_fdot4(b, p->position,
                         state4(p, STATE_TEXGEN, unit, STATE_TEXGEN_OBJECT_S + c, 0, 0));
    case GEN_EYE:
        return nir_fdot4(b, eye_position(p),
                         state4(p, STATE_TEXGEN, unit, STATE_TEXGEN_EYE_S + c, 0, 0));
    case GEN_REFLECTION:
        return nir_channel(b, reflection_vector(p), c % 3);
    case GEN_NORMAL:
        return nir_channel(b, eye_normal(p), c % 3);
    default: { /* sphere map: r.xy / m + 1/2 with m = 2 |r + (0, 0, 1)| */
        nir_def *r = nir_fadd(b, reflection_vector(p), nir_imm_vec3(b, 0, 0, 1));
        nir_def *inverse =
            nir_fmul_imm(b, nir_frsq(b, nir_fmax_imm(b, nir_fdot3(b, r, r), 1e-36)), 0.5);
        return nir_fadd_imm(b, nir_fmul(b, nir_channel(b, r, c % 2), inverse), 0.5);
    }
    }
}

static void build_texcoord(struct build *p, unsigned unit)
{
    nir_builder *b = &p->b;
    const uint8_t *gen = p->key->gen[unit];
    nir_def *v[4], *coord = NULL;
    if (!(gen[0] && gen[1] && gen[2] && gen[3]))
        coord = input(p, VERT_ATTRIB_TEX(unit));
    for (unsigned c = 0; c < 4; c++)
        v[c] = gen[c] ? generated(p, unit, c) : nir_channel(b, coord, c);
    coord = nir_vec(b, v, 4);
    if (p->key->texture_matrices >> unit & 1)
        coord = transform(p, STATE_TEXTURE_MATRIX, unit, coord);
    output(p, VARYING_SLOT_TEX(unit), coord);
}

/* -------------------------------------------------------------------- point size and result --- */

/* Computes the attenuated point size, clamped to the ranges of the application and the driver (GL
 * 2.1 §3.3). Like Mesa, and as programs expect, uses the distance from the eye plane. */
static void build_point_size(struct build *p)
{
    nir_builder *b = &p->b;
    nir_def *size = p->key->point_array ? nir_channel(b, input(p, VERT_ATTRIB_POINT_SIZE), 0)
                                        : state1(p, STATE_POINT, 0, STATE_POINT_SIZE);
    if (p->key->point_attenuation) {
        nir_def *d = nir_fabs(b, nir_channel(b, eye_position(p), 2));
        nir_def *k = state4(p, STATE_POINT, 0, STATE_POINT_ATTENUATION, 0, 0);
        nir_def *sum = nir_fmul(b, nir_channel(b, k, 2), d);
        sum = nir_fmul(b, nir_fadd(b, sum, nir_channel(b, k, 1)), d);
        size = nir_fmul(b, size, nir_frsq(b, nir_fadd(b, sum, nir_channel(b, k, 0))));
    }
    size = nir_fmax(b, size, state1(p, STATE_POINT, 0, STATE_POINT_SIZE_MIN));
    size = nir_fmin(b, size, state1(p, STATE_POINT, 0, STATE_POINT_SIZE_MAX));
    output(p, VARYING_SLOT_PSIZ, size);
}

static nir_def *fog_distance(struct build *p)
{
    nir_builder *b = &p->b;
    if (p->key->fog == GL_FF_FOG_COORD)
        return nir_channel(b, input(p, VERT_ATTRIB_FOG), 0);
    nir_def *eye = eye_position(p), *z = nir_channel(b, eye, 2);
    if (p->key->fog == GL_FF_FOG_RADIAL) {
        nir_def *xyz = nir_trim_vector(b, eye, 3);
        return nir_fsqrt(b, nir_fdot3(b, xyz, xyz));
    }
    return p->key->fog == GL_FF_FOG_PLANE ? z : nir_fabs(b, z);
}

static void build_fog_coord(struct build *p)
{
    nir_builder *b = &p->b;
    nir_def *c = fog_distance(p);
    nir_def *zero = nir_imm_float(b, 0.0f);
    nir_def *v[4] = {c, zero, zero, nir_imm_float(b, 1.0f)};
    output(p, VARYING_SLOT_FOGC, nir_vec(b, v, 4));
}

static nir_shader *build_program(struct gl_context *ctx, const void *data)
{
    const struct gl_ff_vertex_key *key = data;
    struct build p = {.key = key};
    p.b = nir_builder_init_simple_shader(
        NULL, SHADER_VERTEX, ctx->screen->nir_options[SHADER_VERTEX], "fixed-function vs");
    p.position = input(&p, VERT_ATTRIB_POS);
    p.b.exact = true; /* ftransform() and ARB_position_invariant have the same result. */
    output(&p, VARYING_SLOT_POS, transform(&p, STATE_MVP_MATRIX, 0, p.position));
    p.b.exact = false;
    if (key->clip_vertex)
        output(&p, VARYING_SLOT_CLIP_VERTEX, eye_position(&p));
    if (key->lighting) {
        build_lighting(&p);
    } else {
        if (key->color0)
            output(&p, VARYING_SLOT_COL0, input(&p, VERT_ATTRIB_COLOR0));
        if (key->color1)
            output(&p, VARYING_SLOT_COL1, input(&p, VERT_ATTRIB_COLOR1));
    }
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++)
        if (key->coords >> u & 1)
            build_texcoord(&p, u);
    if (key->fog)
        build_fog_coord(&p);
    if (key->point_attenuation || key->point_array)
        build_point_size(&p);
    return p.b.shader;
}

struct gl_executable *gl_ff_vertex(struct gl_context *ctx, uint64_t outputs)
{
    struct gl_ff_vertex_key key;
    make_key(ctx, outputs, &key);
    return gl_ff_find(ctx, ctx->program.ff->vertex, &key, sizeof key, build_program);
}
