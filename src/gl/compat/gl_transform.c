/* SPDX-License-Identifier: MIT */
#include "gl/compat/gl_transform.h"

#include <math.h>

#include "nir/nir_eval.h"

void gl_sw_input_current(const struct gl_context *ctx, struct gl_sw_input *in)
{
    memcpy(in->attrib, ctx->current_attribs.attrib, sizeof in->attrib);
}

static float dot3(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalize3(float *v)
{
    float length = sqrtf(dot3(v, v));
    for (unsigned i = 0; length > 0.0f && i < 3; i++)
        v[i] /= length;
}

/* Unit normal in eye space (GL 4.6 compatibility §12.1.3). */
static void eye_normal(const struct gl_context *ctx, const float *n, float out[3])
{
    float inverse[16];
    gl_matrix_invert(inverse, gl_matrix_top(&ctx->modelview));
    for (unsigned i = 0; i < 3; i++)
        out[i] = n[0] * inverse[4 * i] + n[1] * inverse[4 * i + 1] + n[2] * inverse[4 * i + 2];
    if (ctx->transform.normalize) {
        normalize3(out);
    } else if (ctx->transform.rescale_normals) {
        float f =
            sqrtf(inverse[2] * inverse[2] + inverse[6] * inverse[6] + inverse[10] * inverse[10]);
        for (unsigned i = 0; f > 0.0f && i < 3; i++)
            out[i] /= f;
    }
}

/* One light's part (GL 4.6 compatibility §12.2.1). */
static void add_light(const struct gl_context *ctx, const struct gl_light *l,
                      const struct gl_material *m, const float eye[3], const float n[3],
                      float color[3], float specular[3])
{
    float to_light[3], attenuation = 1.0f;
    const float *p = l->eye_position;
    if (p[3] == 0.0f) {
        memcpy(to_light, p, sizeof to_light);
    } else {
        for (unsigned i = 0; i < 3; i++)
            to_light[i] = p[i] / p[3] - eye[i];
        float d = sqrtf(dot3(to_light, to_light));
        attenuation = 1.0f / (l->constant_attenuation + l->linear_attenuation * d +
                              l->quadratic_attenuation * d * d);
    }
    normalize3(to_light);
    if (l->spot_cutoff != 180.0f) {
        float s[3] = {l->spot_eye_direction[0], l->spot_eye_direction[1], l->spot_eye_direction[2]};
        normalize3(s);
        float c = -dot3(to_light, s);
        if (c < cosf(l->spot_cutoff * (float)(M_PI / 180.0)))
            return;
        attenuation *= powf(MAX2(c, 0.0f), l->spot_exponent);
    }
    float diffuse = MAX2(dot3(n, to_light), 0.0f), shine = 0.0f;
    if (diffuse > 0.0f) {
        float h[3], v[3] = {0, 0, 1};
        if (ctx->light.local_viewer) {
            for (unsigned i = 0; i < 3; i++)
                v[i] = -eye[i];
            normalize3(v);
        }
        for (unsigned i = 0; i < 3; i++)
            h[i] = to_light[i] + v[i];
        normalize3(h);
        float nh = MAX2(dot3(n, h), 0.0f);
        shine = m->shininess == 0.0f ? 1.0f : powf(nh, m->shininess);
    }
    for (unsigned i = 0; i < 3; i++) {
        color[i] +=
            attenuation * (m->ambient[i] * l->ambient[i] + diffuse * m->diffuse[i] * l->diffuse[i]);
        specular[i] += attenuation * shine * m->specular[i] * l->specular[i];
    }
}

static void track_color(const struct gl_context *ctx, struct gl_material *m, const float *color)
{
    const struct gl_light_state *s = &ctx->light;
    if (!s->color_material || s->color_material_face == GL_BACK)
        return;
    GLenum mode = s->color_material_mode;
    const size_t size = 4 * sizeof *color;
    if (mode == GL_AMBIENT || mode == GL_AMBIENT_AND_DIFFUSE)
        memcpy(m->ambient, color, size);
    if (mode == GL_DIFFUSE || mode == GL_AMBIENT_AND_DIFFUSE)
        memcpy(m->diffuse, color, size);
    if (mode == GL_SPECULAR)
        memcpy(m->specular, color, size);
    if (mode == GL_EMISSION)
        memcpy(m->emission, color, size);
}

static void light_vertex(const struct gl_context *ctx, const struct gl_sw_input *in,
                         struct gl_sw_vertex *out)
{
    struct gl_material m = ctx->light.material[0];
    float n[3], eye[3], specular[3] = {0};
    track_color(ctx, &m, in->attrib[VERT_ATTRIB_COLOR0]);
    eye_normal(ctx, in->attrib[VERT_ATTRIB_NORMAL], n);
    float w = out->eye[3] == 0.0f ? 1.0f : out->eye[3];
    for (unsigned i = 0; i < 3; i++) {
        eye[i] = out->eye[i] / w;
        out->color[i] = m.emission[i] + m.ambient[i] * ctx->light.model_ambient[i];
    }
    for (unsigned i = 0; i < GL_MAX_LIGHTS_; i++)
        if (ctx->light.light[i].enabled)
            add_light(ctx, &ctx->light.light[i], &m, eye, n, out->color, specular);
    bool separate = ctx->light.color_control == GL_SEPARATE_SPECULAR_COLOR;
    for (unsigned i = 0; i < 3; i++) {
        out->secondary[i] = separate ? specular[i] : 0.0f;
        if (!separate)
            out->color[i] += specular[i];
    }
    out->color[3] = m.diffuse[3];
    out->secondary[3] = 1.0f;
}

/* Generated coordinates (GL 4.6 compatibility §12.1.4). */
static void generate_texcoord(const struct gl_context *ctx, const struct gl_texenv_unit *u,
                              const struct gl_sw_input *in, const struct gl_sw_vertex *v,
                              float coord[4])
{
    float n[3], r[3], e[3];
    for (unsigned c = 0; c < 4; c++) {
        const struct gl_texgen *g = &u->gen[c];
        if (!(u->gen_enabled >> c & 1))
            continue;
        const float *pos = in->attrib[VERT_ATTRIB_POS];
        if (g->mode == GL_OBJECT_LINEAR) {
            coord[c] = dot3(g->object_plane, pos) + g->object_plane[3] * pos[3];
            continue;
        }
        if (g->mode == GL_EYE_LINEAR) {
            coord[c] = dot3(g->eye_plane, v->eye) + g->eye_plane[3] * v->eye[3];
            continue;
        }
        eye_normal(ctx, in->attrib[VERT_ATTRIB_NORMAL], n);
        memcpy(e, v->eye, sizeof e);
        normalize3(e);
        for (unsigned i = 0; i < 3; i++)
            r[i] = e[i] - 2.0f * n[i] * dot3(n, e);
        if (g->mode == GL_SPHERE_MAP) {
            float m = 2.0f * sqrtf(r[0] * r[0] + r[1] * r[1] + (r[2] + 1) * (r[2] + 1));
            coord[c] = m > 0.0f ? r[c & 1] / m + 0.5f : 0.5f;
        } else {
            coord[c] = c < 3 ? (g->mode == GL_NORMAL_MAP ? n[c] : r[c]) : coord[c];
        }
    }
}

static void transform_fixed(const struct gl_context *ctx, const struct gl_sw_input *in,
                            struct gl_sw_vertex *out)
{
    gl_matrix_transform(out->eye, gl_matrix_top(&ctx->modelview), in->attrib[VERT_ATTRIB_POS]);
    gl_matrix_transform(out->clip, gl_matrix_top(&ctx->projection), out->eye);
    if (ctx->light.enabled) {
        light_vertex(ctx, in, out);
    } else {
        memcpy(out->color, in->attrib[VERT_ATTRIB_COLOR0], sizeof out->color);
        memcpy(out->secondary, in->attrib[VERT_ATTRIB_COLOR1], sizeof out->secondary);
    }
    for (unsigned i = 0; i < 4 && gl_clamps_vertices(ctx); i++) {
        out->color[i] = CLAMP(out->color[i], 0.0f, 1.0f);
        out->secondary[i] = CLAMP(out->secondary[i], 0.0f, 1.0f);
    }
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++) {
        float coord[4];
        memcpy(coord, in->attrib[VERT_ATTRIB_TEX(u)], sizeof coord);
        if (ctx->texenv.unit[u].gen_enabled)
            generate_texcoord(ctx, &ctx->texenv.unit[u], in, out, coord);
        gl_matrix_transform(out->texcoord[u], gl_matrix_top(&ctx->texture_matrix[u]), coord);
    }
    out->fog_distance = ctx->fog.coord_source == GL_FOG_COORD ? in->attrib[VERT_ATTRIB_FOG][0]
                                                              : sqrtf(dot3(out->eye, out->eye));
    for (unsigned i = 0; i < DRV_MAX_CLIP_PLANES; i++) {
        const float *plane = ctx->transform.clip_plane[i];
        out->clip_distance[i] = ctx->transform.clip_enabled >> i & 1
                                    ? dot3(plane, out->eye) + plane[3] * out->eye[3]
                                    : 1.0f;
    }
}

/* -------------------------------------------------------------------------------- programs --- */

bool gl_sw_begin(struct gl_context *ctx, struct gl_sw_pipeline *p, const char *name)
{
    struct gl_program_state *s = &ctx->program;
    *p = (struct gl_sw_pipeline){.ctx = ctx};
    gl_update_framebuffer_state(ctx); /* whether colors are clamped */
    if (!gl_stage_executable(ctx, SHADER_VERTEX) && !gl_asm_executable(ctx, SHADER_VERTEX) &&
        !gl_asm_invalid(ctx))
        return true;
    if (!gl_validate_programs(ctx, GL_POINTS, name))
        return false;
    if (gl_update_programs(ctx)) {
        gl_update_constants(ctx);
        p->variant = s->bound[SHADER_VERTEX];
        p->program = gl_variant_nir(s->executable[SHADER_VERTEX], s->bound[SHADER_VERTEX]);
    }
    if (!p->program)
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    return p->program;
}

/* Uniform blocks; what lies outside of their buffers reads 0. */
static bool load_block(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                       nir_const_value *const *srcs, nir_const_value *dest)
{
    if (intr->intrinsic != nir_intrinsic_load_ubo)
        return false;
    const struct gl_context *ctx = eval->data;
    const unsigned bytes = intr->def.bit_size / 8;
    const uint32_t offset = srcs[1]->u32;
    const struct drv_constant_buffer cb =
        gl_uniform_block(ctx, ctx->program.executable[SHADER_VERTEX], SHADER_VERTEX, srcs[0]->u32);
    memset(dest, 0, intr->def.num_components * sizeof *dest);
    if (!cb.buffer || offset >= cb.size)
        return true;
    const unsigned there = MIN2(intr->def.num_components, (cb.size - offset) / bytes);
    const struct drv_box box = {cb.offset + offset, 0, 0, there * bytes, 1, 1};
    struct drv_transfer *transfer;
    const uint8_t *from =
        there ? ctx->drv->ops->map(ctx->drv, cb.buffer, 0, DRV_MAP_READ, &box, &transfer) : NULL;
    for (unsigned c = 0; from && c < there; c++)
        memcpy(&dest[c], from + c * bytes, bytes);
    if (from)
        ctx->drv->ops->unmap(ctx->drv, transfer);
    return true;
}

/* False: the program does what the evaluator does not know (textures), or is too large for it. */
static bool run_program(const struct gl_sw_pipeline *p, const struct gl_sw_input *in,
                        struct gl_sw_vertex *out)
{
    const struct gl_variant *v = p->variant;
    struct nir_eval eval = {.intrinsic = load_block, .data = (void *)p->ctx};
    if (v->const_bytes > sizeof eval.uniforms)
        return false;
    memcpy(eval.uniforms, v->constants, v->const_bytes);
    memcpy(eval.inputs, in->attrib, sizeof in->attrib);
    /* GL 4.6 compatibility §10.2.1: generic attribute 0 is the position */
    memcpy(eval.inputs[VERT_ATTRIB_GENERIC0], in->attrib[VERT_ATTRIB_POS], 4 * sizeof(float));
    if (nir_eval_shader(&eval, p->program) != NIR_EVAL_DONE)
        return false;
    memset(out, 0, sizeof *out);
    memcpy(out->clip, eval.outputs[VARYING_SLOT_POS], sizeof out->clip);
    memcpy(out->color, eval.outputs[VARYING_SLOT_COL0], sizeof out->color);
    memcpy(out->secondary, eval.outputs[VARYING_SLOT_COL1], sizeof out->secondary);
    memcpy(out->texcoord, eval.outputs[VARYING_SLOT_TEX0], sizeof out->texcoord);
    memcpy(&out->fog_distance, eval.outputs[VARYING_SLOT_FOGC], sizeof out->fog_distance);
    memcpy(out->clip_distance, eval.outputs[VARYING_SLOT_CLIP_DIST0], sizeof out->clip_distance);
    unsigned planes = p->ctx->transform.clip_enabled & v->clip_distances;
    for (unsigned i = 0; i < DRV_MAX_CLIP_PLANES; i++)
        if (!(planes >> i & 1))
            out->clip_distance[i] = 1.0f;
    return true;
}

void gl_sw_transform(const struct gl_sw_pipeline *p, const struct gl_sw_input *in,
                     struct gl_sw_vertex *out)
{
    if (!p->program || !run_program(p, in, out))
        transform_fixed(p->ctx, in, out);
}

/* -------------------------------------------------------------------------------- clipping --- */

unsigned gl_sw_num_planes(const struct gl_context *ctx)
{
    return 6 + ctx->consts.max_clip_planes;
}

float gl_sw_plane_distance(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned i)
{
    const float *c = v->clip;
    if (i < 6) {
        bool depth_clamped =
            i >= 4 && (i == 4 ? ctx->transform.depth_clamp_near : ctx->transform.depth_clamp_far);
        if (depth_clamped)
            return 1.0f;
        return i & 1 ? c[3] - c[i / 2] : c[3] + c[i / 2];
    }
    return v->clip_distance[i - 6];
}

void gl_sw_window(const struct gl_context *ctx, const struct gl_sw_vertex *v, float win[4])
{
    const struct gl_viewport *vp = &ctx->viewport.vp[0];
    float w = v->clip[3] == 0.0f ? 1.0f : v->clip[3];
    win[0] = vp->x + vp->width * (v->clip[0] / w + 1.0f) / 2;
    win[1] = vp->y + vp->height * (v->clip[1] / w + 1.0f) / 2;
    double z = v->clip[2] / w;
    win[2] = (vp->far_val - vp->near_val) * z / 2 + (vp->far_val + vp->near_val) / 2;
    win[3] = v->clip[3];
}
