/* SPDX-License-Identifier: MIT */
/* The vertex pipeline outside draws: transformation, lighting and texture coordinates in C, and
 * vertex programs, which run in the driver as compute shaders. */
#include "gl/draw/gl_transform.h"

#include <math.h>

#include "gl/context/gl_context.h"
#include "gl/draw/gl_query.h"
#include "gl/draw/gl_update_state.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_asm.h"
#include "gl/program/gl_lower_capture.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_matrix.h"
#include "nir/nir_builder.h"
#include "nir/nir_math.h"
#include "util/angle.h"
#include "util/check.h"

void gl_sw_input_current(const struct gl_context *ctx, struct gl_sw_input *in)
{
    in->vertex_id = in->instance_id = in->base_instance = in->draw_id = in->base_vertex = 0;
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

/* Computes the unit normal in eye space (GL 4.6 compatibility §12.1.3). */
static void eye_normal(struct gl_sw_pipeline *p, const float *n, float out[3])
{
    const struct gl_context *ctx = p->ctx;
    const float *inverse = p->inverse;
    if (!p->inverted)
        gl_matrix_invert(p->inverse, gl_matrix_top(&ctx->modelview));
    p->inverted = true;
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

/* Adds one light's contribution (GL 4.6 compatibility §12.2.1). */
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
        if (c < (float)util_cos_degrees(l->spot_cutoff))
            return;
        attenuation *= nir_math_pow(MAX2(c, 1e-20f), l->spot_exponent);
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
        shine = nir_math_pow(MAX2(dot3(n, h), 1e-20f), m->shininess);
    }
    for (unsigned i = 0; i < 3; i++) {
        color[i] +=
            attenuation * (m->ambient[i] * l->ambient[i] + diffuse * m->diffuse[i] * l->diffuse[i]);
        specular[i] += attenuation * shine * m->specular[i] * l->specular[i];
    }
}

/* Sets the properties of a face's material that track the color of the vertex. */
static void track_color(const struct gl_context *ctx, struct gl_material *m, bool back,
                        const float *color)
{
    const struct gl_light_state *s = &ctx->light;
    if (!s->color_material || s->color_material_face == (GLenum)(back ? GL_FRONT : GL_BACK))
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

/* Computes the colors of a face of a vertex in eye space. n: normal on the face's side. */
static void light_face(const struct gl_context *ctx, const struct gl_sw_input *in, bool back,
                       const float eye[3], const float n[3], float color[4], float secondary[4])
{
    struct gl_material m = ctx->light.material[back];
    float specular[3] = {0};
    track_color(ctx, &m, back, in->attrib[VERT_ATTRIB_COLOR0]);
    for (unsigned i = 0; i < 3; i++)
        color[i] = m.emission[i] + m.ambient[i] * ctx->light.model_ambient[i];
    for (unsigned i = 0; i < GL_MAX_LIGHTS_; i++)
        if (ctx->light.light[i].enabled)
            add_light(ctx, &ctx->light.light[i], &m, eye, n, color, specular);
    bool separate = ctx->light.color_control == GL_SEPARATE_SPECULAR_COLOR;
    for (unsigned i = 0; i < 3; i++) {
        secondary[i] = separate ? specular[i] : 0.0f;
        if (!separate)
            color[i] += specular[i];
    }
    color[3] = m.diffuse[3];
    secondary[3] = 1.0f;
}

/* Computes the colors of a vertex. The back color is set only if lighting is two-sided. */
static void light_vertex(struct gl_sw_pipeline *p, const struct gl_sw_input *in,
                         struct gl_sw_vertex *out)
{
    const struct gl_context *ctx = p->ctx;
    float n[3], eye[3], back_secondary[4];
    eye_normal(p, in->attrib[VERT_ATTRIB_NORMAL], n);
    float w = out->eye[3] == 0.0f ? 1.0f : out->eye[3];
    for (unsigned i = 0; i < 3; i++)
        eye[i] = out->eye[i] / w;
    light_face(ctx, in, false, eye, n, out->color, out->secondary);
    if (!ctx->light.two_side)
        return;
    for (unsigned i = 0; i < 3; i++)
        n[i] = -n[i];
    light_face(ctx, in, true, eye, n, out->back_color, back_secondary);
}

/* Computes generated texture coordinates (GL 4.6 compatibility §12.1.4). */
static void generate_texcoord(struct gl_sw_pipeline *p, const struct gl_texenv_unit *u,
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
        eye_normal(p, in->attrib[VERT_ATTRIB_NORMAL], n);
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

static void compute_colors(struct gl_sw_pipeline *p, const struct gl_sw_input *in,
                           struct gl_sw_vertex *out)
{
    const struct gl_context *ctx = p->ctx;
    if (ctx->light.enabled) {
        light_vertex(p, in, out);
    } else {
        memcpy(out->color, in->attrib[VERT_ATTRIB_COLOR0], sizeof out->color);
        memcpy(out->secondary, in->attrib[VERT_ATTRIB_COLOR1], sizeof out->secondary);
    }
    if (!ctx->light.enabled || !ctx->light.two_side)
        memcpy(out->back_color, out->color, sizeof out->back_color);
    if (!p->clamp)
        return;
    for (unsigned i = 0; i < 4; i++) {
        out->color[i] = CLAMP(out->color[i], 0.0f, 1.0f);
        out->back_color[i] = CLAMP(out->back_color[i], 0.0f, 1.0f);
        out->secondary[i] = CLAMP(out->secondary[i], 0.0f, 1.0f);
    }
}

static void compute_texcoords(struct gl_sw_pipeline *p, const struct gl_sw_input *in,
                              struct gl_sw_vertex *out)
{
    const struct gl_context *ctx = p->ctx;
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++) {
        float coord[4];
        memcpy(coord, in->attrib[VERT_ATTRIB_TEX(u)], sizeof coord);
        if (ctx->texenv.unit[u].gen_enabled)
            generate_texcoord(p, &ctx->texenv.unit[u], in, out, coord);
        gl_matrix_transform(out->texcoord[u], gl_matrix_top(&ctx->texture_matrix[u]), coord);
    }
}

void gl_sw_complete(struct gl_sw_pipeline *p, const struct gl_sw_input *in,
                    struct gl_sw_vertex *out)
{
    const struct gl_context *ctx = p->ctx;
    if (p->outputs & GL_SW_COLORS)
        compute_colors(p, in, out);
    if (p->outputs & GL_SW_TEXCOORDS)
        compute_texcoords(p, in, out);
    if (p->outputs & GL_SW_FOG)
        out->fog_distance = ctx->fog.coord_source == GL_FOG_COORD ? in->attrib[VERT_ATTRIB_FOG][0]
                                                                  : sqrtf(dot3(out->eye, out->eye));
    out->edge_flag = in->attrib[VERT_ATTRIB_EDGEFLAG][0] != 0.0f;
    for (unsigned i = 0; i < DRV_MAX_CLIP_PLANES; i++)
        out->clip_distance[i] = 1.0f;
    uint32_t enabled = ctx->transform.clip_enabled;
    while (enabled) {
        const unsigned i = u_bit_scan(&enabled);
        const float *plane = ctx->transform.clip_plane[i];
        out->clip_distance[i] = dot3(plane, out->eye) + plane[3] * out->eye[3];
    }
}

static void transform_fixed(struct gl_sw_pipeline *p, const struct gl_sw_input *in,
                            struct gl_sw_vertex *out)
{
    const struct gl_context *ctx = p->ctx;
    gl_matrix_transform(out->eye, gl_matrix_top(&ctx->modelview), in->attrib[VERT_ATTRIB_POS]);
    gl_matrix_transform(out->clip, gl_matrix_top(&ctx->projection), out->eye);
    gl_sw_complete(p, in, out);
}

/* -------------------------------------------------------------------------- vertex programs --- */

#define MAX_RECORDS 256 /* vertices per run of a vertex program */

/* Maps the records, to read them or, zeroed, to write them. Returns false if out of memory. */
static bool map_records(struct gl_sw_pipeline *p, bool write)
{
    struct drv_context *drv = p->ctx->drv;
    const size_t bytes = p->capacity * sizeof(struct gl_capture_record);
    const struct drv_box all = {0, 0, 0, (int32_t)bytes, 1, 1};
    p->record = drv->ops->map(drv, p->records, 0,
                              write ? DRV_MAP_WRITE | DRV_MAP_DISCARD_WHOLE : DRV_MAP_READ, &all,
                              &p->transfer);
    if (p->record && write)
        memset(p->record, 0, bytes);
    return p->record;
}

static void unmap_records(struct gl_sw_pipeline *p)
{
    if (p->record)
        p->ctx->drv->ops->unmap(p->ctx->drv, p->transfer);
    p->record = NULL;
}

static bool create_records(struct gl_sw_pipeline *p, unsigned count)
{
    struct drv_screen *screen = p->ctx->screen;
    p->capacity = MIN2(count, MAX_RECORDS);
    p->records = screen->ops->resource_create(
        screen, &(struct drv_resource){
                    .target = DRV_BUFFER,
                    .format = DRV_FORMAT_R8_UNORM,
                    .width = p->capacity * sizeof(struct gl_capture_record),
                    .height = 1,
                    .depth = 1,
                    .array_size = 1,
                    .bind = DRV_BIND_STORAGE_BUFFER,
                });
    return p->records && map_records(p, true);
}

static void release(struct gl_sw_pipeline *p)
{
    unmap_records(p);
    drv_resource_reference(&p->records, NULL);
    gl_executable_reference(p->ctx, &p->program, NULL);
}

static void read_record(const struct gl_context *ctx, const struct gl_capture_record *r,
                        unsigned clip_distances, struct gl_sw_vertex *v)
{
    memset(v, 0, sizeof *v);
    memcpy(v->clip, r->out[VARYING_SLOT_POS], sizeof v->clip);
    memcpy(v->color, r->out[VARYING_SLOT_COL0], sizeof v->color);
    memcpy(v->back_color, r->out[VARYING_SLOT_BFC0], sizeof v->back_color);
    memcpy(v->secondary, r->out[VARYING_SLOT_COL1], sizeof v->secondary);
    memcpy(v->texcoord, r->out[VARYING_SLOT_TEX0], sizeof v->texcoord);
    v->fog_distance = r->out[VARYING_SLOT_FOGC][0];
    v->edge_flag = r->in.attrib[VERT_ATTRIB_EDGEFLAG][0] != 0.0f;
    memcpy(v->clip_distance, r->out[VARYING_SLOT_CLIP_DIST0], sizeof v->clip_distance);
    for (unsigned i = 0; i < DRV_MAX_CLIP_PLANES; i++)
        if (!(ctx->transform.clip_enabled & clip_distances & 1u << i))
            v->clip_distance[i] = 1.0f;
}

/* Runs the collected records. Returns false after raising GL_OUT_OF_MEMORY. */
static bool run_records(struct gl_sw_pipeline *p)
{
    struct gl_context *ctx = p->ctx;
    const struct drv_storage_buffer buffer = {
        .buffer = p->records, .size = p->capacity * sizeof(struct gl_capture_record)};
    const struct drv_grid_info grid = {.block = {1, 1, 1}, .grid = {p->filled, 1, 1}};
    unsigned clip_distances;
    unmap_records(p);
    if (!gl_bind_capture(ctx, p->program, &buffer, &clip_distances))
        return false;
    gl_condition_suspend(ctx);
    ctx->drv->command.name = "an internal dispatch";
    ctx->drv->command.program[SHADER_COMPUTE] = 0;
    ctx->drv->ops->launch_grid(ctx->drv, &grid);
    gl_condition_resume(ctx);
    gl_unbind_capture(ctx);
    bool ok = map_records(p, false);
    for (unsigned i = 0; ok && i < p->filled; i++)
        read_record(ctx, &p->record[i], clip_distances, p->next++);
    unmap_records(p);
    p->filled = 0;
    if (!ok)
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", p->call);
    return ok;
}

/* ----------------------------------------------------------------------------- the pipeline --- */

bool gl_sw_begin(struct gl_context *ctx, struct gl_sw_pipeline *p, unsigned count,
                 struct gl_sw_vertex *v, unsigned outputs, const char *call)
{
    *p = (struct gl_sw_pipeline){.ctx = ctx, .call = call, .next = v, .outputs = outputs};
    gl_update_framebuffer_state(ctx); /* determines whether colors are clamped */
    p->clamp = gl_clamps_vertices(ctx);
    struct gl_executable *program = gl_stage_executable(ctx, SHADER_VERTEX);
    if (!program)
        program = gl_asm_executable(ctx, SHADER_VERTEX);
    if (!program && !gl_asm_invalid(ctx))
        return true;
    if (!gl_validate_programs(ctx, GL_POINTS, call))
        return false;
    if (!ctx->screen->caps.compute)
        return true;
    gl_executable_reference(ctx, &p->program, program);
    if (create_records(p, count))
        return true;
    release(p);
    gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return false;
}

void gl_sw_transform(struct gl_sw_pipeline *p, const struct gl_sw_input *in)
{
    if (!p->program) {
        transform_fixed(p, in, p->next++);
        return;
    }
    if (p->filled == p->capacity && !(run_records(p) && map_records(p, true)))
        p->capacity = 0;
    if (!p->capacity)
        return;
    struct gl_sw_input *to = &NEXT_WITHIN(p->record, p->filled, p->capacity).in;
    *to = *in;
    /* GL 4.6 compatibility §10.2.1: generic attribute 0 is the position. */
    memcpy(to->attrib[VERT_ATTRIB_GENERIC0], in->attrib[VERT_ATTRIB_POS], 4 * sizeof(float));
}

bool gl_sw_flush(struct gl_sw_pipeline *p, struct gl_sw_vertex *v)
{
    if (p->program && p->filled && !(run_records(p) && map_records(p, true)))
        p->capacity = 0;
    p->next = v;
    return !p->program || p->capacity;
}

bool gl_sw_end(struct gl_sw_pipeline *p)
{
    bool ok = !p->program || (p->capacity && (!p->filled || run_records(p)));
    release(p);
    return ok;
}

bool gl_sw_two_sided(const struct gl_sw_pipeline *p)
{
    const struct gl_light_state *s = &p->ctx->light;
    return p->program ? s->program_two_side : s->enabled && s->two_side;
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
        if (i == 4 && ctx->viewport.clip_depth == GL_ZERO_TO_ONE) /* GL 4.6 §13.7 */
            return c[2];
        return i & 1 ? c[3] - c[i / 2] : c[3] + c[i / 2];
    }
    return v->clip_distance[i - 6];
}

bool gl_sw_inside(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned first)
{
    for (unsigned p = first; p < gl_sw_num_planes(ctx); p++)
        if (!(gl_sw_plane_distance(ctx, v, p) >= 0.0f))
            return false;
    return true;
}

float gl_sw_window_z(const struct gl_context *ctx, float z)
{
    const struct gl_viewport *vp = &ctx->viewport.vp[0];
    return ctx->viewport.clip_depth == GL_ZERO_TO_ONE
               ? (vp->far_val - vp->near_val) * (double)z + vp->near_val
               : (vp->far_val - vp->near_val) * (double)z / 2 + (vp->far_val + vp->near_val) / 2;
}

void gl_sw_window(const struct gl_context *ctx, const float clip[4], float win[4])
{
    const struct gl_viewport *vp = &ctx->viewport.vp[0];
    const bool upper = ctx->viewport.clip_origin == GL_UPPER_LEFT;
    float w = clip[3] == 0.0f ? 1.0f : clip[3];
    float y = upper ? -clip[1] : clip[1];
    win[0] = vp->x + vp->width * (clip[0] / w + 1.0f) / 2;
    win[1] = vp->y + vp->height * (y / w + 1.0f) / 2;
    win[2] = gl_sw_window_z(ctx, clip[2] / w);
    win[3] = clip[3];
}
