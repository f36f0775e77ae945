/* SPDX-License-Identifier: MIT */
/* Values of the state that built-in uniforms mirror: glsl_state.h's tokens from the context. */
#include <math.h>

#include "gl/gl_context.h"
#include "glsl/glsl_state.h"

static void copy(float *v, const float *from, unsigned n)
{
    memcpy(v, from, n * sizeof *v);
}

/* ------------------------------------------------------------------------------------- matrices --- */

static void matrix(struct gl_context *ctx, const int16_t *t, float v[4])
{
    float product[16];
    const float *m = product;
    switch (t[0]) {
    case STATE_MODELVIEW_MATRIX:
        m = gl_matrix_top(&ctx->modelview);
        break;
    case STATE_PROJECTION_MATRIX:
        m = gl_matrix_top(&ctx->projection);
        break;
    case STATE_MVP_MATRIX:
        gl_matrix_mul(product, gl_matrix_top(&ctx->projection), gl_matrix_top(&ctx->modelview));
        break;
    case STATE_TEXTURE_MATRIX:
        m = gl_matrix_top(&ctx->texture_matrix[CLAMP(t[1], 0, GL_MAX_TEXTURE_COORD_UNITS - 1)]);
        break;
    case STATE_COLOR_MATRIX:
        m = gl_matrix_top(&ctx->color_matrix);
        break;
    default:
        gl_matrix_identity(product);
        break;
    }
    unsigned column = t[2] & 3;
    float inverse[16];
    if (t[4] == STATE_MATRIX_INVERSE || t[4] == STATE_MATRIX_INVTRANS) {
        gl_matrix_invert(inverse, m);
        m = inverse;
    }
    bool transpose = t[4] == STATE_MATRIX_TRANSPOSE || t[4] == STATE_MATRIX_INVTRANS;
    for (unsigned r = 0; r < 4; r++)
        v[r] = transpose ? m[4 * r + column] : m[4 * column + r];
}

/* ------------------------------------------------------------------------------------- lighting --- */

static void normalize3(float *v)
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length > 0.0f)
        for (unsigned i = 0; i < 3; i++)
            v[i] /= length;
}

static float cos_cutoff(const struct gl_light *l)
{
    return l->spot_cutoff == 180.0f ? -1.0f : cosf(l->spot_cutoff * (float)M_PI / 180.0f);
}

static void light(const struct gl_light *l, unsigned property, float v[4])
{
    switch (property) {
    case STATE_LIGHT_AMBIENT:
        copy(v, l->ambient, 4);
        break;
    case STATE_LIGHT_DIFFUSE:
        copy(v, l->diffuse, 4);
        break;
    case STATE_LIGHT_SPECULAR:
        copy(v, l->specular, 4);
        break;
    case STATE_LIGHT_POSITION:
        copy(v, l->eye_position, 4);
        break;
    case STATE_LIGHT_HALF_VECTOR:
        copy(v, l->eye_position, 3);
        normalize3(v);
        v[2] += 1.0f;
        normalize3(v);
        v[3] = 1.0f;
        break;
    case STATE_LIGHT_SPOT_DIRECTION:
        copy(v, l->spot_eye_direction, 3);
        v[3] = cos_cutoff(l);
        break;
    case STATE_LIGHT_SPOT_EXPONENT:
        v[0] = l->spot_exponent;
        break;
    case STATE_LIGHT_SPOT_CUTOFF:
        v[0] = l->spot_cutoff;
        break;
    case STATE_LIGHT_SPOT_COS_CUTOFF:
        v[0] = cos_cutoff(l);
        break;
    case STATE_LIGHT_CONSTANT_ATTENUATION:
        v[0] = l->constant_attenuation;
        break;
    case STATE_LIGHT_LINEAR_ATTENUATION:
        v[0] = l->linear_attenuation;
        break;
    case STATE_LIGHT_QUADRATIC_ATTENUATION:
        v[0] = l->quadratic_attenuation;
        break;
    case STATE_LIGHT_ATTENUATION:
        v[0] = l->constant_attenuation;
        v[1] = l->linear_attenuation;
        v[2] = l->quadratic_attenuation;
        v[3] = l->spot_exponent;
        break;
    case STATE_LIGHT_POSITION_NORMALIZED:
        copy(v, l->eye_position, 3);
        normalize3(v);
        break;
    case STATE_LIGHT_SPOT_DIRECTION_NORMALIZED:
        copy(v, l->spot_eye_direction, 3);
        normalize3(v);
        v[3] = cos_cutoff(l);
        break;
    }
}

static const float *material_color(const struct gl_material *m, unsigned property)
{
    switch (property) {
    case STATE_MATERIAL_EMISSION:
        return m->emission;
    case STATE_MATERIAL_AMBIENT:
        return m->ambient;
    case STATE_MATERIAL_DIFFUSE:
        return m->diffuse;
    default:
        return m->specular;
    }
}

static void light_product(const struct gl_context *ctx, const int16_t *t, float v[4])
{
    const struct gl_light *l = &ctx->light.light[t[2] & (GL_MAX_LIGHTS_ - 1)];
    const float *m = material_color(&ctx->light.material[t[1] & 1], t[3]);
    const float *c = t[3] == STATE_MATERIAL_AMBIENT   ? l->ambient
                     : t[3] == STATE_MATERIAL_DIFFUSE ? l->diffuse
                                                      : l->specular;
    for (unsigned i = 0; i < 4; i++)
        v[i] = m[i] * c[i];
    v[3] = m[3];
}

static void scene_color(const struct gl_context *ctx, unsigned face, float v[4])
{
    const struct gl_material *m = &ctx->light.material[face & 1];
    for (unsigned i = 0; i < 3; i++)
        v[i] = m->emission[i] + m->ambient[i] * ctx->light.model_ambient[i];
    v[3] = m->diffuse[3];
}

/* GL 2.1 §2.11.3: one over the length of the inverse's third row. */
static float normal_scale(const struct gl_context *ctx)
{
    float inverse[16];
    gl_matrix_invert(inverse, gl_matrix_top(&ctx->modelview));
    float sum = inverse[2] * inverse[2] + inverse[6] * inverse[6] + inverse[10] * inverse[10];
    return sum > 0.0f ? 1.0f / sqrtf(sum) : 1.0f;
}

/* ----------------------------------------------------------------------------------- the others --- */

static void fog(const struct gl_fog_state *f, unsigned property, float v[4])
{
    float range = f->end - f->start, scale = range != 0.0f ? 1.0f / range : 0.0f;
    switch (property) {
    case STATE_FOG_COLOR:
        for (unsigned i = 0; i < 4; i++)
            v[i] = CLAMP(f->color[i], 0.0f, 1.0f);
        break;
    case STATE_FOG_PARAMS:
        v[0] = f->density;
        v[1] = f->start;
        v[2] = f->end;
        v[3] = scale;
        break;
    case STATE_FOG_DENSITY:
        v[0] = f->density;
        break;
    case STATE_FOG_START:
        v[0] = f->start;
        break;
    case STATE_FOG_END:
        v[0] = f->end;
        break;
    case STATE_FOG_SCALE:
        v[0] = scale;
        break;
    case STATE_FOG_OPTIMIZED:
        v[0] = -scale;
        v[1] = f->end * scale;
        v[2] = f->density / (float)M_LN2;
        v[3] = f->density / sqrtf((float)M_LN2);
        break;
    }
}

static void point(const struct gl_context *ctx, unsigned property, float v[4])
{
    const struct gl_point_state *p = &ctx->point;
    float max = MIN2(p->max, ctx->consts.point_size_range[1]);
    float min = MAX2(p->min, 0.0f);
    switch (property) {
    case STATE_POINT_SIZE_CLAMPED:
        v[0] = CLAMP(p->size, min, max);
        break;
    case STATE_POINT_SIZE:
        v[0] = p->size;
        break;
    case STATE_POINT_SIZE_MIN:
        v[0] = min;
        break;
    case STATE_POINT_SIZE_MAX:
        v[0] = max;
        break;
    case STATE_POINT_FADE_THRESHOLD:
        v[0] = p->fade_threshold;
        break;
    case STATE_POINT_CONSTANT_ATTENUATION:
    case STATE_POINT_LINEAR_ATTENUATION:
    case STATE_POINT_QUADRATIC_ATTENUATION:
        v[0] = p->attenuation[property - STATE_POINT_CONSTANT_ATTENUATION];
        break;
    case STATE_POINT_PARAMS:
        v[0] = p->size;
        v[1] = min;
        v[2] = max;
        v[3] = p->fade_threshold;
        break;
    case STATE_POINT_ATTENUATION:
        copy(v, p->attenuation, 3);
        break;
    }
}

static void depth_range(const struct gl_viewport *vp, unsigned property, float v[4])
{
    float values[4] = {vp->near_val, vp->far_val, vp->far_val - vp->near_val, 1.0f};
    if (property == STATE_DEPTH_RANGE_PARAMS)
        copy(v, values, 4);
    else
        v[0] = values[(property - STATE_DEPTH_RANGE_NEAR) & 3];
}

/* Plane equations are covectors: in clip space p · P⁻¹. */
static void clip_plane(const struct gl_context *ctx, unsigned plane, bool clip_space, float v[4])
{
    const float *p = ctx->transform.clip_plane[plane & (DRV_MAX_CLIP_PLANES - 1)];
    if (!clip_space) {
        copy(v, p, 4);
        return;
    }
    float inverse[16];
    gl_matrix_invert(inverse, gl_matrix_top(&ctx->projection));
    for (unsigned c = 0; c < 4; c++)
        v[c] = p[0] * inverse[4 * c] + p[1] * inverse[4 * c + 1] + p[2] * inverse[4 * c + 2] +
               p[3] * inverse[4 * c + 3];
}

static void viewport(const struct gl_viewport *vp, unsigned token, float v[4])
{
    float half_w = vp->width * 0.5f, half_h = vp->height * 0.5f;
    float n = vp->near_val, f = vp->far_val;
    switch (token) {
    case STATE_VIEWPORT:
        copy(v, (float[4]){vp->x, vp->y, vp->width, vp->height}, 4);
        break;
    case STATE_VIEWPORT_SCALE:
        copy(v, (float[3]){half_w, half_h, (f - n) * 0.5f}, 3);
        break;
    default:
        copy(v, (float[3]){vp->x + half_w, vp->y + half_h, (n + f) * 0.5f}, 3);
        break;
    }
}

void gl_state_evaluate(struct gl_context *ctx, const nir_state_slot *slot, float v[4])
{
    const int16_t *t = slot->tokens;
    const struct gl_texenv_unit *unit =
        &ctx->texenv.unit[CLAMP(t[1], 0, GL_MAX_TEXTURE_COORD_UNITS - 1)];
    copy(v, (float[4]){0, 0, 0, 1}, 4);
    switch (t[0]) {
    case STATE_MODELVIEW_MATRIX:
    case STATE_PROJECTION_MATRIX:
    case STATE_MVP_MATRIX:
    case STATE_TEXTURE_MATRIX:
    case STATE_PROGRAM_MATRIX:
    case STATE_COLOR_MATRIX:
        matrix(ctx, t, v);
        break;
    case STATE_LIGHT:
        light(&ctx->light.light[t[1] & (GL_MAX_LIGHTS_ - 1)], t[2], v);
        break;
    case STATE_MATERIAL:
        if (t[2] == STATE_MATERIAL_SHININESS)
            v[0] = ctx->light.material[t[1] & 1].shininess;
        else
            copy(v, material_color(&ctx->light.material[t[1] & 1], t[2]), 4);
        break;
    case STATE_LIGHTPROD:
        light_product(ctx, t, v);
        break;
    case STATE_LIGHTMODEL_AMBIENT:
        copy(v, ctx->light.model_ambient, 4);
        break;
    case STATE_LIGHTMODEL_SCENECOLOR:
        scene_color(ctx, t[1], v);
        break;
    case STATE_NORMAL_SCALE:
        v[0] = normal_scale(ctx);
        break;
    case STATE_TEXENV_COLOR:
        for (unsigned i = 0; i < 4; i++)
            v[i] = CLAMP(unit->color[i], 0.0f, 1.0f);
        break;
    case STATE_TEXGEN:
        copy(v, t[2] >= STATE_TEXGEN_OBJECT_S
                    ? unit->gen[(t[2] - STATE_TEXGEN_OBJECT_S) & 3].object_plane
                    : unit->gen[t[2] & 3].eye_plane, 4);
        break;
    case STATE_TEXTURE_LOD_BIAS:
        v[0] = unit->lod_bias;
        break;
    case STATE_FOG:
        fog(&ctx->fog, t[2], v);
        break;
    case STATE_CLIPPLANE:
    case STATE_CLIPPLANE_CLIP:
        clip_plane(ctx, t[1], t[0] == STATE_CLIPPLANE_CLIP, v);
        break;
    case STATE_POINT:
        point(ctx, t[2], v);
        break;
    case STATE_DEPTH_RANGE:
        depth_range(&ctx->viewport.vp[0], t[2], v);
        break;
    case STATE_FRAG_ALPHA_REF:
        v[0] = ctx->color.alpha_ref;
        break;
    case STATE_CURRENT_ATTRIB:
        copy(v, ctx->current_attribs.attrib[t[1] & 31], 4);
        break;
    case STATE_VIEWPORT:
    case STATE_VIEWPORT_SCALE:
    case STATE_VIEWPORT_OFFSET:
        viewport(&ctx->viewport.vp[t[1] & (DRV_MAX_VIEWPORTS - 1)], t[0], v);
        break;
    case STATE_FB_SIZE:
        v[0] = ctx->framebuffer.width;
        v[1] = ctx->framebuffer.height;
        break;
    case STATE_FB_WPOS_Y: /* rows count from the bottom, as the GL has them */
        v[0] = 1.0f;
        break;
    case STATE_NUM_SAMPLES:
        v[0] = MAX2(gl_framebuffer_samples(ctx, ctx->framebuffer.draw), 1);
        break;
    case STATE_PIXEL_SCALE:
        copy(v, ctx->pixel.scale, 4);
        break;
    case STATE_PIXEL_BIAS:
        copy(v, ctx->pixel.bias, 4);
        break;
    }
}
