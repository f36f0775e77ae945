/* SPDX-License-Identifier: MIT */
/* Values of state uniforms (nir_state_tokens.h), and the dirty bits that announce their changes. */
#include <math.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_asm.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_matrix.h"
#include "nir/nir_state_tokens.h"
#include "util/angle.h"

static void set4(float v[4], float x, float y, float z, float w)
{
    v[0] = x;
    v[1] = y;
    v[2] = z;
    v[3] = w;
}

/* --------------------------------------------------------------------------------- matrices --- */

static bool matrix_of(struct gl_context *ctx, const int16_t *t, float m[16])
{
    switch (t[0]) {
    case STATE_MODELVIEW_MATRIX:
        memcpy(m, gl_matrix_top(&ctx->modelview), 16 * sizeof *m);
        return true;
    case STATE_PROJECTION_MATRIX:
        memcpy(m, gl_matrix_top(&ctx->projection), 16 * sizeof *m);
        return true;
    case STATE_MVP_MATRIX:
        gl_matrix_mul(m, gl_matrix_top(&ctx->projection), gl_matrix_top(&ctx->modelview));
        return true;
    case STATE_TEXTURE_MATRIX:
        if ((unsigned)t[1] >= GL_MAX_TEXTURE_COORD_UNITS)
            return false;
        memcpy(m, gl_matrix_top(&ctx->texture_matrix[t[1]]), 16 * sizeof *m);
        return true;
    case STATE_PROGRAM_MATRIX:
        if ((unsigned)t[1] >= GL_ASM_MATRICES)
            return false;
        memcpy(m, gl_matrix_top(&ctx->program_matrix[t[1]]), 16 * sizeof *m);
        return true;
    default:
        return false;
    }
}

static void store_matrix(struct gl_context *ctx, const struct gl_state_value *value, uint8_t *out,
                         struct gl_state_matrix *last)
{
    const int16_t *t = value->slot.tokens;
    bool invert = t[4] == STATE_MATRIX_INVERSE || t[4] == STATE_MATRIX_INVTRANS;
    bool transpose = t[4] == STATE_MATRIX_TRANSPOSE || t[4] == STATE_MATRIX_INVTRANS;
    if (!last->valid || last->kind != t[0] || last->index != t[1] || last->inverted != invert) {
        if (!matrix_of(ctx, t, last->m))
            gl_matrix_identity(last->m);
        if (invert)
            gl_matrix_invert(last->m, last->m);
        last->valid = true;
        last->kind = t[0];
        last->index = t[1];
        last->inverted = invert;
    }
    for (unsigned c = 0; c < value->columns; c++, out += value->stride) {
        const unsigned column = (t[2] + c) & 3;
        float v[4];
        for (unsigned i = 0; i < 4; i++)
            v[i] = last->m[transpose ? 4 * i + column : 4 * column + i];
        memcpy(out, v, value->components * sizeof *v);
    }
}

/* Returns the factor of GL_RESCALE_NORMAL: 1 / sqrt(m31² + m32² + m33²) of the inverse modelview
 * matrix (GL 4.6 compatibility §12.2). */
static float normal_scale(struct gl_context *ctx)
{
    float m[16];
    gl_matrix_invert(m, gl_matrix_top(&ctx->modelview));
    float square = m[2] * m[2] + m[6] * m[6] + m[10] * m[10];
    return square > 0.0f ? 1.0f / sqrtf(square) : 1.0f;
}

/* --------------------------------------------------------------------------------- lighting --- */

static void normalize3(float v[4])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length > 0.0f)
        for (unsigned i = 0; i < 3; i++)
            v[i] /= length;
}

static float spot_cos_cutoff(const struct gl_light *l)
{
    return l->spot_cutoff == 180.0f ? -1.0f : (float)util_cos_degrees(l->spot_cutoff);
}

static void evaluate_light(const struct gl_light *l, int property, float v[4])
{
    switch (property) {
    case STATE_LIGHT_AMBIENT:
        memcpy(v, l->ambient, sizeof l->ambient);
        break;
    case STATE_LIGHT_DIFFUSE:
        memcpy(v, l->diffuse, sizeof l->diffuse);
        break;
    case STATE_LIGHT_SPECULAR:
        memcpy(v, l->specular, sizeof l->specular);
        break;
    case STATE_LIGHT_POSITION:
        memcpy(v, l->eye_position, sizeof l->eye_position);
        break;
    case STATE_LIGHT_POSITION_NORMALIZED:
        memcpy(v, l->eye_position, sizeof l->eye_position);
        normalize3(v);
        break;
    case STATE_LIGHT_HALF_VECTOR:
        memcpy(v, l->eye_position, sizeof l->eye_position);
        normalize3(v);
        v[2] += 1.0f;
        normalize3(v);
        v[3] = 1.0f;
        break;
    case STATE_LIGHT_SPOT_DIRECTION:
    case STATE_LIGHT_SPOT_DIRECTION_NORMALIZED:
        memcpy(v, l->spot_eye_direction, sizeof l->spot_eye_direction);
        if (property == STATE_LIGHT_SPOT_DIRECTION_NORMALIZED)
            normalize3(v);
        v[3] = spot_cos_cutoff(l);
        break;
    case STATE_LIGHT_SPOT_EXPONENT:
        v[0] = l->spot_exponent;
        break;
    case STATE_LIGHT_SPOT_CUTOFF:
        v[0] = l->spot_cutoff;
        break;
    case STATE_LIGHT_SPOT_COS_CUTOFF:
        v[0] = spot_cos_cutoff(l);
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
        set4(v, l->constant_attenuation, l->linear_attenuation, l->quadratic_attenuation,
             l->spot_exponent);
        break;
    default:
        break;
    }
}

static const float *material_color(const struct gl_material *m, int property)
{
    switch (property) {
    case STATE_MATERIAL_EMISSION:
        return m->emission;
    case STATE_MATERIAL_AMBIENT:
        return m->ambient;
    case STATE_MATERIAL_DIFFUSE:
        return m->diffuse;
    case STATE_MATERIAL_SPECULAR:
        return m->specular;
    default:
        return NULL;
    }
}

static void evaluate_lighting(struct gl_context *ctx, const int16_t *t, float v[4])
{
    const struct gl_light_state *s = &ctx->light;
    const struct gl_material *m = &s->material[t[1] & 1];
    switch (t[0]) {
    case STATE_LIGHT:
        if ((unsigned)t[1] < GL_MAX_LIGHTS_)
            evaluate_light(&s->light[t[1]], t[2], v);
        break;
    case STATE_MATERIAL:
        if (t[2] == STATE_MATERIAL_SHININESS)
            v[0] = m->shininess;
        else if (material_color(m, t[2]))
            memcpy(v, material_color(m, t[2]), 4 * sizeof *v);
        break;
    case STATE_LIGHTPROD: {
        if ((unsigned)t[2] >= GL_MAX_LIGHTS_)
            break;
        const struct gl_light *l = &s->light[t[2]];
        const float *light = t[3] == STATE_MATERIAL_AMBIENT   ? l->ambient
                             : t[3] == STATE_MATERIAL_DIFFUSE ? l->diffuse
                                                              : l->specular;
        const float *material = material_color(m, t[3]);
        /* Alpha of lit colors is the material's (GL 4.6 compatibility §12.2.1). */
        for (unsigned i = 0; material && i < 4; i++)
            v[i] = i < 3 ? material[i] * light[i] : material[i];
        break;
    }
    case STATE_LIGHTMODEL_AMBIENT:
        memcpy(v, s->model_ambient, sizeof s->model_ambient);
        break;
    case STATE_LIGHTMODEL_SCENECOLOR:
        for (unsigned i = 0; i < 3; i++)
            v[i] = m->emission[i] + m->ambient[i] * s->model_ambient[i];
        v[3] = m->diffuse[3];
        break;
    default:
        v[0] = normal_scale(ctx);
        break;
    }
}

/* ------------------------------------------------------------------------------ other state --- */

/* Fragment colors are clamped when they are used (GL_ARB_color_buffer_float). */
static void load_color(const struct gl_context *ctx, const float *color, unsigned n, float *v)
{
    bool clamp = gl_clamps_fragments(ctx);
    for (unsigned i = 0; i < n; i++)
        v[i] = clamp ? CLAMP(color[i], 0.0f, 1.0f) : color[i];
}

static void evaluate_texture(struct gl_context *ctx, const int16_t *t, float v[4])
{
    if ((unsigned)t[1] >= GL_MAX_TEXTURE_COORD_UNITS)
        return;
    const struct gl_texenv_unit *u = &ctx->texenv.unit[t[1]];
    if (t[0] == STATE_TEXENV_COLOR) {
        load_color(ctx, u->color, 4, v);
    } else if (t[0] == STATE_TEXTURE_LOD_BIAS) {
        v[0] = ctx->texenv.lod_bias[t[1]];
    } else {
        unsigned c = t[2] & 3;
        memcpy(v, t[2] >= STATE_TEXGEN_OBJECT_S ? u->gen[c].object_plane : u->gen[c].eye_plane,
               4 * sizeof *v);
    }
}

static void evaluate_fog(const struct gl_context *ctx, int property, float v[4])
{
    const struct gl_fog_state *f = &ctx->fog;
    /* infinite if they are equal, so fog is all or nothing */
    float scale = 1.0f / (f->end - f->start);
    switch (property) {
    case STATE_FOG_COLOR:
        load_color(ctx, f->color, 4, v);
        break;
    case STATE_FOG_PARAMS:
        set4(v, f->density, f->start, f->end, scale);
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
        set4(v, -scale, f->end * scale, f->density * (float)M_LOG2E,
             f->density * sqrtf((float)M_LOG2E));
        break;
    default:
        break;
    }
}

static float clamped_point_size(struct gl_context *ctx)
{
    const struct gl_point_state *p = &ctx->point;
    float size = MIN2(MAX2(p->size, p->min), p->max);
    return CLAMP(size, ctx->consts.point_size_range[0], ctx->consts.point_size_range[1]);
}

static void evaluate_point(struct gl_context *ctx, int property, float v[4])
{
    const struct gl_point_state *p = &ctx->point;
    switch (property) {
    case STATE_POINT_SIZE_CLAMPED:
        v[0] = clamped_point_size(ctx);
        break;
    case STATE_POINT_SIZE:
        v[0] = p->size;
        break;
    case STATE_POINT_SIZE_MIN:
        v[0] = p->min;
        break;
    case STATE_POINT_SIZE_MAX:
        v[0] = p->max;
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
        set4(v, p->size, p->min, p->max, p->fade_threshold);
        break;
    case STATE_POINT_ATTENUATION:
        set4(v, p->attenuation[0], p->attenuation[1], p->attenuation[2], 1.0f);
        break;
    default:
        break;
    }
}

static void evaluate_clip_plane(struct gl_context *ctx, const int16_t *t, float v[4])
{
    if ((unsigned)t[1] >= DRV_MAX_CLIP_PLANES)
        return;
    const float *plane = ctx->transform.clip_plane[t[1]];
    memcpy(v, plane, 4 * sizeof *v);
    if (t[0] == STATE_CLIPPLANE)
        return;
    /* p · eye = p · P⁻¹ · clip = (P⁻ᵀ p) · clip */
    float m[16];
    gl_matrix_invert(m, gl_matrix_top(&ctx->projection));
    for (unsigned c = 0; c < 4; c++)
        v[c] = plane[0] * m[4 * c] + plane[1] * m[4 * c + 1] + plane[2] * m[4 * c + 2] +
               plane[3] * m[4 * c + 3];
}

static void evaluate_window(struct gl_context *ctx, const int16_t *t, float v[4])
{
    const struct gl_viewport *vp = &ctx->viewport.vp[(unsigned)t[1] % DRV_MAX_VIEWPORTS];
    float near_val = vp->near_val, far_val = vp->far_val;
    unsigned width, height;
    switch (t[0]) {
    case STATE_DEPTH_RANGE:
        if (t[2] == STATE_DEPTH_RANGE_PARAMS)
            set4(v, near_val, far_val, far_val - near_val, 1.0f);
        else
            v[0] = t[2] == STATE_DEPTH_RANGE_NEAR  ? near_val
                   : t[2] == STATE_DEPTH_RANGE_FAR ? far_val
                                                   : far_val - near_val;
        break;
    case STATE_VIEWPORT:
        set4(v, vp->x, vp->y, vp->width, vp->height);
        break;
    case STATE_VIEWPORT_SCALE:
        set4(v, vp->width / 2, vp->height / 2, (far_val - near_val) / 2, 1.0f);
        break;
    case STATE_VIEWPORT_OFFSET:
        set4(v, vp->x + vp->width / 2, vp->y + vp->height / 2, (far_val + near_val) / 2, 1.0f);
        break;
    case STATE_FB_SIZE:
        gl_framebuffer_size(ctx, &width, &height);
        v[0] = width;
        v[1] = height;
        break;
    case STATE_NUM_SAMPLES: { /* GLSL 4.60 §7.1.5 */
        unsigned samples = gl_framebuffer_samples(ctx, ctx->framebuffer.draw);
        int n = samples ? (int)samples : 1;
        memcpy(v, &n, sizeof n);
        break;
    }
    case STATE_FB_WPOS_Y: /* every framebuffer stores the bottom row first */
        v[0] = 1.0f;
        break;
    default:
        break;
    }
}

bool gl_state_is_matrix(const nir_state_slot *slot)
{
    switch (slot->tokens[0]) {
    case STATE_MODELVIEW_MATRIX:
    case STATE_PROJECTION_MATRIX:
    case STATE_MVP_MATRIX:
    case STATE_TEXTURE_MATRIX:
    case STATE_PROGRAM_MATRIX:
        return true;
    default:
        return false;
    }
}

static void evaluate(struct gl_context *ctx, const int16_t *t, float v[4])
{
    set4(v, 0.0f, 0.0f, 0.0f, 1.0f);
    switch (t[0]) {
    case STATE_LIGHT:
    case STATE_MATERIAL:
    case STATE_LIGHTPROD:
    case STATE_LIGHTMODEL_AMBIENT:
    case STATE_LIGHTMODEL_SCENECOLOR:
    case STATE_NORMAL_SCALE:
        evaluate_lighting(ctx, t, v);
        break;
    case STATE_TEXENV_COLOR:
    case STATE_TEXGEN:
    case STATE_TEXTURE_LOD_BIAS:
        evaluate_texture(ctx, t, v);
        break;
    case STATE_FOG:
        evaluate_fog(ctx, t[2], v);
        break;
    case STATE_CLIPPLANE:
    case STATE_CLIPPLANE_CLIP:
        evaluate_clip_plane(ctx, t, v);
        break;
    case STATE_POINT:
        evaluate_point(ctx, t[2], v);
        break;
    case STATE_VERTEX_PROGRAM_ENV:
    case STATE_VERTEX_PROGRAM_LOCAL:
    case STATE_FRAGMENT_PROGRAM_ENV:
    case STATE_FRAGMENT_PROGRAM_LOCAL:
        gl_asm_parameter(ctx, t, v);
        break;
    case STATE_ATI_CONSTANT:
        memcpy(v, ctx->ati.constant[(unsigned)t[1] % GL_ATI_CONSTANTS], 4 * sizeof *v);
        break;
    case STATE_FRAG_ALPHA_REF:
        load_color(ctx, &ctx->color.alpha_ref, 1, v);
        break;
    default:
        evaluate_window(ctx, t, v);
        break;
    }
}

void gl_state_store(struct gl_context *ctx, const struct gl_state_value *value, uint8_t *constants,
                    struct gl_state_matrix *last)
{
    if (gl_state_is_matrix(&value->slot)) {
        store_matrix(ctx, value, constants + value->offset, last);
        return;
    }
    float v[4];
    evaluate(ctx, value->slot.tokens, v);
    memcpy(constants + value->offset, v, value->components * sizeof *v);
}

uint64_t gl_state_dirty(const nir_state_slot *slot)
{
    static const uint64_t dirty[STATE_TOKEN_COUNT] = {
        [STATE_MODELVIEW_MATRIX] = GL_DIRTY_MODELVIEW,
        [STATE_PROJECTION_MATRIX] = GL_DIRTY_PROJECTION,
        [STATE_MVP_MATRIX] = GL_DIRTY_MODELVIEW | GL_DIRTY_PROJECTION,
        [STATE_TEXTURE_MATRIX] = GL_DIRTY_TEXTURE_MATRIX,
        [STATE_PROGRAM_MATRIX] = GL_DIRTY_PROGRAM_PARAMETERS,
        [STATE_LIGHT] = GL_DIRTY_LIGHT,
        [STATE_MATERIAL] = GL_DIRTY_MATERIAL,
        [STATE_LIGHTPROD] = GL_DIRTY_LIGHT | GL_DIRTY_MATERIAL,
        [STATE_LIGHTMODEL_AMBIENT] = GL_DIRTY_LIGHT,
        [STATE_LIGHTMODEL_SCENECOLOR] = GL_DIRTY_LIGHT | GL_DIRTY_MATERIAL,
        [STATE_NORMAL_SCALE] = GL_DIRTY_MODELVIEW,
        [STATE_TEXENV_COLOR] = GL_DIRTY_TEXENV | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_FRAMEBUFFER,
        [STATE_TEXGEN] = GL_DIRTY_TEXENV,
        [STATE_TEXTURE_LOD_BIAS] = GL_DIRTY_TEXENV,
        [STATE_FOG] = GL_DIRTY_FOG | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_FRAMEBUFFER,
        [STATE_CLIPPLANE] = GL_DIRTY_CLIP,
        [STATE_CLIPPLANE_CLIP] = GL_DIRTY_CLIP | GL_DIRTY_PROJECTION,
        [STATE_POINT] = GL_DIRTY_POINT,
        [STATE_FRAG_ALPHA_REF] = GL_DIRTY_ALPHA_REF | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_FRAMEBUFFER,
        [STATE_DEPTH_RANGE] = GL_DIRTY_VIEWPORT,
        [STATE_VIEWPORT] = GL_DIRTY_VIEWPORT,
        [STATE_VIEWPORT_SCALE] = GL_DIRTY_VIEWPORT,
        [STATE_VIEWPORT_OFFSET] = GL_DIRTY_VIEWPORT,
        [STATE_VERTEX_PROGRAM_ENV] = GL_DIRTY_PROGRAM_PARAMETERS,
        [STATE_VERTEX_PROGRAM_LOCAL] = GL_DIRTY_PROGRAM_PARAMETERS,
        [STATE_FRAGMENT_PROGRAM_ENV] = GL_DIRTY_PROGRAM_PARAMETERS,
        [STATE_FRAGMENT_PROGRAM_LOCAL] = GL_DIRTY_PROGRAM_PARAMETERS,
        [STATE_ATI_CONSTANT] = GL_DIRTY_PROGRAM_PARAMETERS,
        [STATE_FB_SIZE] = GL_DIRTY_FRAMEBUFFER,
        [STATE_FB_WPOS_Y] = GL_DIRTY_FRAMEBUFFER,
        [STATE_NUM_SAMPLES] = GL_DIRTY_FRAMEBUFFER,
    };
    int t = slot->tokens[0];
    return t >= 0 && t < STATE_TOKEN_COUNT ? dirty[t] : 0;
}
