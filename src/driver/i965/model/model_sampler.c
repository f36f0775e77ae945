/* SPDX-License-Identifier: MIT */
/* Sampler messages: parameters, levels of detail, and the results of each kind of message. */
#include "model_sampler.h"

#include <math.h>
#include <string.h>

#include "model_texture.h"
#include "nir/nir_math.h"

/* Parameters in the order of the message (Skylake PRM, volume 2d, "Sampling Engine Messages"). u,
 * v, r, a: coordinates; c: reference value; b: bias; l: level; x: derivatives of u; o: offsets; s:
 * sample. */
struct layout {
    const char *params;
    bool implicit; /* Levels follow from differences between pixels. */
};

static const struct layout layouts[] = {
    [SIM_SAMPLE] = {"uvra", true},
    [SIM_SAMPLE_C] = {"cuvra", true},
    [SIM_SAMPLE_B] = {"buvra", true},
    [SIM_SAMPLE_B_C] = {"cbuvra", true},
    [SIM_LOD] = {"uvra", true},
    [SIM_SAMPLE_L] = {"luvra", false},
    [SIM_SAMPLE_L_C] = {"cluvra", false},
    [SIM_SAMPLE_LZ] = {"uvra", false},
    [SIM_SAMPLE_C_LZ] = {"cuvra", false},
    [SIM_SAMPLE_D] = {"ux.v..r..a", false},
    [SIM_SAMPLE_D_C] = {"cux.v..r..a", false},
    [SIM_GATHER4] = {"uvra", false},
    [SIM_GATHER4_C] = {"cuvra", false},
    [SIM_GATHER4_PO] = {"uvo.r", false},
    [SIM_GATHER4_PO_C] = {"cuvo.r", false},
    [SIM_LD] = {"uvlr", false},
    [SIM_LD_LZ] = {"uvr", false},
    [SIM_LD2DMS_W] = {"sm.uvr", false},
    [SIM_LD2DMS] = {"smuvr", false},
    [SIM_LD_MCS] = {"uvrl", false},
    [SIM_RESINFO] = {"l", false},
    [SIM_SAMPLEINFO] = {"", false},
};

/* A message being executed. */
struct request {
    const struct model_surface *surface;
    const struct model_sampler *sampler;
    struct model_block_cache *blocks;
    struct sim_sample *m;
    int coord[4], compare, bias, level, derivatives, offsets, sample,
        mcs; /* Parameters; -1: none */
};

static int place_of(const struct layout *layout, char param)
{
    const char *at = strchr(layout->params, param);

    return at && param ? (int)(at - layout->params) : -1;
}

/* Returns a parameter's bits; parameters that were not sent are 0. */
static uint32_t param(const struct request *r, int place, unsigned lane)
{
    return place >= 0 && (unsigned)place < r->m->num_params ? r->m->param[place][lane] : 0;
}

static float param_float(const struct request *r, int place, unsigned lane)
{
    return uif(param(r, place, lane));
}

/* ------------------------------------------------------------------------ level of detail --- */

/* Returns the number of coordinates without the array index. */
static unsigned dimensions(const struct model_surface *s)
{
    switch (s->type) {
    case I965_SURFACE_TYPE_SURFTYPE_1D:
        return 1;
    case I965_SURFACE_TYPE_SURFTYPE_3D:
    case I965_SURFACE_TYPE_SURFTYPE_CUBE:
        return 3;
    default:
        return 2;
    }
}

/* Derivatives along the screen's axes, in texels of level 0. */
struct gradient {
    float x[3], y[3];
};

/* Computes the coordinates' derivatives of a lane. */
static void coordinate_gradient(const struct request *r, unsigned lane, struct gradient *g)
{
    const unsigned n = dimensions(r->surface), quad = lane & ~3u;

    memset(g, 0, sizeof *g);
    for (unsigned c = 0; c < n; c++) {
        if (r->derivatives >= 0) {
            g->x[c] = param_float(r, r->derivatives + 3 * (int)c, lane);
            g->y[c] = param_float(r, r->derivatives + 3 * (int)c + 1, lane);
        } else {
            float base = param_float(r, r->coord[c], quad);
            g->x[c] = param_float(r, r->coord[c], quad + 1) - base;
            g->y[c] = param_float(r, r->coord[c], quad + 2) - base;
        }
    }
}

/* Projects the derivatives of a direction to the face that it hits: with major axis m, the
 * coordinate s/m changes by (ds·m - s·dm)/m². The face is two units wide. */
static void project_gradient(const float direction[3], struct gradient *g)
{
    struct model_cube_face face;
    struct gradient in = *g;

    model_cube_project(direction, &face);
    for (unsigned i = 0; i < 2; i++) {
        float m = direction[face.major], s = direction[face.axis[i]];
        float scale = face.sign[i] * 0.5f / (m * fabsf(m));
        g->x[i] = (in.x[face.axis[i]] * m - s * in.x[face.major]) * scale;
        g->y[i] = (in.y[face.axis[i]] * m - s * in.y[face.major]) * scale;
    }
    g->x[2] = g->y[2] = 0.0f;
}

static void scale_gradient(const struct request *r, unsigned lane, struct gradient *g)
{
    const struct model_surface *s = r->surface;
    const uint32_t size[3] = {
        model_minify(s->width, s->first_level), model_minify(s->height, s->first_level),
        model_minify(s->type == I965_SURFACE_TYPE_SURFTYPE_3D ? s->depth : 1, s->first_level)};

    if (s->type == I965_SURFACE_TYPE_SURFTYPE_CUBE) {
        float direction[3];
        for (unsigned c = 0; c < 3; c++)
            direction[c] = param_float(r, r->coord[c], lane);
        project_gradient(direction, g);
    }
    if (r->sampler->state.non_normalized_coordinate_enable)
        return;
    for (unsigned c = 0; c < 3; c++) {
        g->x[c] *= (float)size[c];
        g->y[c] *= (float)size[c];
    }
}

static float length_squared(const float v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* Returns the base-2 logarithm of the square root of `squared`. */
static float log2_root(float squared)
{
    return squared > 0.0f ? 0.5f * nir_math_log2(squared) : -126.0f;
}

static bool is_anisotropic(const struct request *r)
{
    return r->sampler->state.min_mode_filter == I965_MAP_FILTER_ANISOTROPIC &&
           dimensions(r->surface) == 2;
}

/* Computes the level of detail from derivatives. With anisotropic filtering, stores the number of
 * samples along the longer axis of the footprint, and that axis in coordinates of the texture. */
static float gradient_level(const struct request *r, unsigned lane, struct model_footprint *f)
{
    struct gradient g;

    coordinate_gradient(r, lane, &g);
    f->samples = 1;
    struct gradient raw = g;
    scale_gradient(r, lane, &g);
    float x = length_squared(g.x), y = length_squared(g.y), most = fmaxf(x, y);
    if (!is_anisotropic(r) || !(most > 0.0f))
        return log2_root(most);
    float least = fmaxf(fminf(x, y), most * 1e-6f);
    float ratio = ceilf(sqrtf(most / least) - 1.0f / 64.0f);
    unsigned limit = 2 * (r->sampler->state.maximum_anisotropy + 1);
    /* Infinite derivatives have no ratio. */
    f->samples = ratio >= (float)limit ? limit : ratio >= 1.0f ? (unsigned)ratio : 1;
    for (unsigned c = 0; c < 2; c++)
        f->axis[c] = x >= y ? raw.x[c] : raw.y[c];
    return log2_root(most) - nir_math_log2((float)f->samples);
}

/* Returns the level of detail of a lane before clamping. */
static float unclamped_level(const struct request *r, unsigned lane, bool implicit,
                             struct model_footprint *f)
{
    float level = 0.0f;

    f->samples = 1;
    if (r->level >= 0)
        level = param_float(r, r->level, lane);
    else if (implicit || r->derivatives >= 0)
        level = gradient_level(r, lane, f);
    if (r->m->type != SIM_SAMPLE_LZ && r->m->type != SIM_SAMPLE_C_LZ)
        level += r->sampler->state.texture_lod_bias;
    if (r->bias >= 0)
        level += param_float(r, r->bias, lane);
    return level;
}

/* Clamps the level to what the sampler and the surface allow. */
static float clamp_level(const struct request *r, float level)
{
    const struct i965_sampler_state *s = &r->sampler->state;
    float most = fminf(s->max_lod, (float)(r->surface->num_levels - 1));

    level = fminf(level, most);
    level = fmaxf(level, s->min_lod);
    level = fmaxf(level, r->surface->resource_min_lod);
    return fminf(fmaxf(level, 0.0f), (float)(r->surface->num_levels - 1));
}

/* Selects filter and levels: magnified if the level, clamped as OpenGL says, is at most 0. */
static void select_levels(const struct request *r, float level, struct model_footprint *f)
{
    const struct i965_sampler_state *s = &r->sampler->state;

    if (s->lod_preclamp_mode == I965_LOD_PRECLAMP_MODE_OGL)
        level = fmaxf(fminf(level, s->max_lod), s->min_lod);
    const bool magnified = !(level > 0.0f);
    const uint32_t filter = magnified ? s->mag_mode_filter : s->min_mode_filter;
    f->linear = filter != I965_MAP_FILTER_NEAREST;
    if (filter != I965_MAP_FILTER_ANISOTROPIC)
        f->samples = 1;
    level = clamp_level(r, level);
    f->level[0] = f->level[1] = 0;
    f->weight = 0.0f;
    if (s->mip_mode_filter == I965_MIP_MODE_FILTER_NONE) {
        f->level[0] = f->level[1] = (unsigned)fmaxf(s->min_lod, r->surface->resource_min_lod);
    } else if (s->mip_mode_filter == I965_MIP_MODE_FILTER_NEAREST) {
        f->level[0] = f->level[1] = (unsigned)ceilf(level + 0.5f) - 1;
    } else {
        f->level[0] = (unsigned)level;
        f->level[1] = f->level[0] + 1;
        f->weight = level - (float)f->level[0];
    }
    for (unsigned i = 0; i < 2; i++)
        f->level[i] = MIN2(f->level[i], r->surface->num_levels - 1u);
}

/* ------------------------------------------------------------------------------- messages --- */

/* Returns bits that shaders see for a component of the surface, with its channel select. */
static uint32_t select_channel(const struct model_surface *s, unsigned select,
                               const uint32_t texel[4])
{
    if (select >= I965_SHADER_CHANNEL_SELECT_RED)
        return texel[select - I965_SHADER_CHANNEL_SELECT_RED];
    if (select == I965_SHADER_CHANNEL_SELECT_ZERO)
        return 0;
    const bool integer =
        s->format.kind == MODEL_TEXEL_INTEGER || s->format.kind == MODEL_TEXEL_STENCIL;
    return integer ? 1 : fui(1.0f);
}

static void store_texel(const struct request *r, unsigned lane, const uint32_t texel[4])
{
    for (unsigned c = 0; c < 4; c++)
        r->m->result[c][lane] = select_channel(r->surface, r->surface->swizzle[c], texel);
}

/* Fills in the coordinates of a lane; index 3 is the array element. */
static void take_position(const struct request *r, unsigned lane, struct model_position *p)
{
    const struct model_surface *s = r->surface;
    const unsigned n = dimensions(s);

    memset(p, 0, sizeof *p);
    for (unsigned c = 0; c < n; c++) {
        p->coord[c] = param_float(r, r->coord[c], lane);
        p->offset[c] = r->m->offset[c];
        if (r->offsets >= 0 && c < 2)
            p->offset[c] = (int)(param(r, r->offsets + (int)c, lane) << 26) >> 26;
    }
    if (s->array && s->type != I965_SURFACE_TYPE_SURFTYPE_3D)
        p->element = rintf(param_float(r, r->coord[n], lane));
    if (r->compare >= 0) {
        p->compares = true;
        p->reference = param_float(r, r->compare, lane);
    }
}

static void sample_lane(const struct request *r, unsigned lane, bool implicit)
{
    struct model_footprint f = {0};
    struct model_position p;
    uint32_t texel[4];

    take_position(r, lane, &p);
    select_levels(r, unclamped_level(r, lane, implicit, &f), &f);
    model_texture_filter(r->surface, r->sampler, r->blocks, &p, &f, texel);
    store_texel(r, lane, texel);
}

static void gather_lane(const struct request *r, unsigned lane)
{
    struct model_position p;
    uint32_t texel[4][4];
    const unsigned select = r->surface->swizzle[r->m->gather_component & 3];

    take_position(r, lane, &p);
    model_texture_gather(r->surface, r->sampler, r->blocks, &p, texel);
    for (unsigned i = 0; i < 4; i++)
        r->m->result[i][lane] =
            p.compares ? texel[i][0] : select_channel(r->surface, select, texel[i]);
}

static void lod_lane(const struct request *r, unsigned lane)
{
    struct model_footprint f = {0};
    float level = unclamped_level(r, lane, true, &f), clamped = clamp_level(r, level);

    if (r->sampler->state.mip_mode_filter == I965_MIP_MODE_FILTER_NEAREST)
        clamped = fmaxf(ceilf(clamped + 0.5f) - 1.0f, 0.0f);
    else if (r->sampler->state.mip_mode_filter == I965_MIP_MODE_FILTER_NONE)
        clamped = 0.0f;
    r->m->result[0][lane] = fui(clamped);
    r->m->result[1][lane] = fui(level);
    r->m->result[2][lane] = r->m->result[3][lane] = 0;
}

/* Messages with integer coordinates. Texels outside of the surface are 0. */
static void load_lane(const struct request *r, unsigned lane)
{
    static const uint32_t zero[4];
    const struct model_surface *s = r->surface;
    const unsigned n = dimensions(s), samples = 1u << s->samples_log2;
    int32_t at[4] = {0};
    uint32_t level = r->level >= 0 ? param(r, r->level, lane) : 0, element = 0;
    uint32_t sample = r->sample >= 0 ? param(r, r->sample, lane) : 0, texel[4];

    for (unsigned c = 0; c < n; c++)
        at[c] = (int32_t)(param(r, r->coord[c], lane) + (uint32_t)r->m->offset[c]);
    if (s->type != I965_SURFACE_TYPE_SURFTYPE_3D && s->array)
        element = param(r, r->coord[n], lane);
    /* With a control surface, the message says in which slice the sample is. */
    if (r->mcs >= 0 && s->samples_log2 && !s->interleaved && s->aux) {
        const unsigned bits = s->samples_log2 == 1 ? 1 : s->samples_log2;
        uint64_t mcs = param(r, r->mcs, lane);
        if (r->m->type == SIM_LD2DMS_W)
            mcs |= (uint64_t)param(r, r->mcs + 1, lane) << 32;
        if (sample < samples)
            sample = (uint32_t)(mcs >> sample * bits) & (samples - 1);
    }
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_BUFFER)
        at[1] = at[2] = 0;
    if (sample >= samples || level >= s->num_levels ||
        !model_texture_load(s, r->blocks, level, at, element, sample, texel))
        memcpy(texel, zero, sizeof texel);
    store_texel(r, lane, texel);
}

/* The control surface of a surface whose samples all have their own slice. */
static void load_mcs_lane(const struct request *r, unsigned lane)
{
    static const uint32_t identity[5][2] = {
        {0, 0}, {2, 0}, {0xe4, 0}, {0xfac688, 0}, {0x76543210, 0xfedcba98}};
    const uint32_t *value = identity[r->surface->samples_log2];
    const bool clear = model_surface_is_clear(r->surface, param(r, r->coord[0], lane),
                                              param(r, r->coord[1], lane));

    r->m->result[0][lane] = clear ? UINT32_MAX : value[0];
    r->m->result[1][lane] = clear ? UINT32_MAX : value[1];
    r->m->result[2][lane] = r->m->result[3][lane] = 0;
}

static void resinfo_lane(const struct request *r, unsigned lane)
{
    const struct model_surface *s = r->surface;
    uint32_t level = param(r, r->level, lane), size[4] = {0};

    size[3] = s->num_levels;
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_BUFFER) {
        size[0] = (uint32_t)s->entries;
        size[3] = 0;
    } else if (level < s->num_levels && s->type != I965_SURFACE_TYPE_SURFTYPE_NULL) {
        level += s->first_level;
        size[0] = model_minify(s->width, level);
        size[1] = model_minify(s->height, level);
        if (s->type == I965_SURFACE_TYPE_SURFTYPE_3D)
            size[2] = model_minify(s->depth, level);
        else if (s->type == I965_SURFACE_TYPE_SURFTYPE_1D)
            size[1] = s->array ? s->depth : 0;
        else if (s->array)
            size[2] = s->type == I965_SURFACE_TYPE_SURFTYPE_CUBE ? s->depth / 6 : s->depth;
    }
    for (unsigned c = 0; c < 4; c++)
        r->m->result[c][lane] = size[c];
}

static void run_lane(const struct request *r, unsigned lane)
{
    switch ((enum sim_sample_type)r->m->type) {
    case SIM_GATHER4:
    case SIM_GATHER4_C:
    case SIM_GATHER4_PO:
    case SIM_GATHER4_PO_C:
        gather_lane(r, lane);
        break;
    case SIM_LOD:
        lod_lane(r, lane);
        break;
    case SIM_LD:
    case SIM_LD_LZ:
    case SIM_LD2DMS:
    case SIM_LD2DMS_W:
        load_lane(r, lane);
        break;
    case SIM_LD_MCS:
        load_mcs_lane(r, lane);
        break;
    case SIM_RESINFO:
        resinfo_lane(r, lane);
        break;
    case SIM_SAMPLEINFO:
        r->m->result[0][lane] = 1u << r->surface->samples_log2;
        r->m->result[1][lane] = r->m->result[2][lane] = r->m->result[3][lane] = 0;
        break;
    default:
        sample_lane(r, lane, layouts[r->m->type].implicit);
        break;
    }
}

bool model_sample_uses_sampler(unsigned type)
{
    switch (type) {
    case SIM_LD:
    case SIM_LD_LZ:
    case SIM_LD2DMS:
    case SIM_LD2DMS_W:
    case SIM_LD_MCS:
    case SIM_RESINFO:
    case SIM_SAMPLEINFO:
        return false;
    default:
        return true;
    }
}

static bool check_request(const struct request *r)
{
    struct model_context *ctx = r->surface->ctx;
    const struct model_surface *s = r->surface;

    if (r->m->type >= ARRAY_SIZE(layouts) || !layouts[r->m->type].params)
        return model_error(ctx, "sampler message", "type %u is not supported", r->m->type);
    if (r->sampler && r->sampler->state.min_mode_filter == I965_MAP_FILTER_MONO)
        return model_error(ctx, "Min Mode Filter", "SAMPLER_STATE: MONO is not supported");
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return true;
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_BUFFER && model_sample_uses_sampler(r->m->type))
        return model_error(ctx, "Surface Type", "RENDER_SURFACE_STATE: buffers can't be filtered");
    if (s->format.kind == MODEL_TEXEL_RAW && r->m->type != SIM_RESINFO)
        return model_error(ctx, "Surface Format",
                           "RENDER_SURFACE_STATE: RAW surfaces can't be sampled");
    return true;
}

uint64_t model_sampler_work(const struct model_sampler *sampler)
{
    const bool anisotropic =
        sampler && (sampler->state.min_mode_filter == I965_MAP_FILTER_ANISOTROPIC ||
                    sampler->state.mag_mode_filter == I965_MAP_FILTER_ANISOTROPIC);

    return MODEL_WORK_TEXEL * (anisotropic ? 2 * (sampler->state.maximum_anisotropy + 1ull) : 1);
}

bool model_sample(const struct model_surface *surface, const struct model_sampler *sampler,
                  struct model_block_cache *blocks, struct sim_sample *m)
{
    struct request r = {.surface = surface, .sampler = sampler, .blocks = blocks, .m = m};

    if (!check_request(&r))
        return false;
    const struct layout *layout = &layouts[m->type];
    for (unsigned c = 0; c < 4; c++)
        r.coord[c] = place_of(layout, "uvra"[c]);
    r.compare = place_of(layout, 'c');
    r.bias = place_of(layout, 'b');
    r.level = place_of(layout, 'l');
    r.derivatives = place_of(layout, 'x');
    r.offsets = place_of(layout, 'o');
    r.sample = place_of(layout, 's');
    r.mcs = place_of(layout, 'm');
    memset(m->result, 0, sizeof m->result);
    for (unsigned lane = 0; lane < m->channels; lane++) {
        if (!(m->mask >> lane & 1))
            continue;
        if (surface->type == I965_SURFACE_TYPE_SURFTYPE_NULL && m->type != SIM_RESINFO)
            continue;
        run_lane(&r, lane);
    }
    return true;
}

bool model_sampler_init(struct model_sampler *sampler, struct model_context *ctx,
                        const struct i965_sampler_state *state)
{
    const uint32_t modes = 1u << state->tcx_address_control_mode |
                           1u << state->tcy_address_control_mode |
                           1u << state->tcz_address_control_mode;
    const uint32_t border = 1u << I965_TEXTURE_COORDINATE_MODE_CLAMP_BORDER |
                            1u << I965_TEXTURE_COORDINATE_MODE_HALF_BORDER;

    sampler->state = *state;
    memset(sampler->border, 0, sizeof sampler->border);
    return !(modes & border) ||
           model_read_state(ctx, "Border Color Pointer",
                            ctx->state.dynamic.address + state->border_color_pointer,
                            sampler->border, sizeof sampler->border);
}
