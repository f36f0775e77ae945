/* SPDX-License-Identifier: MIT */
/*
 * Fragment threads. A block of 4×4 pixels is four subspans: one thread of 16 channels or two of
 * eight. Their render target writes are stored per pixel of the tile. A CPU driver kernel then
 * tests and blends the results as if it had shaded the fragments itself. With per-sample shading
 * all of this is done for each sample.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "i965_driver.h"
#include "jit/jit.h"
#include "util/macros.h"

struct i965_fs {
    struct i965_stage stage; /* Must be first. */
    struct jit_kernel *results;
    /* Early tests before shading; NULL if the shader does not request them. */
    struct jit_kernel *tests;
    /* Copies render targets that the shader reads before shading; NULL if it reads none. */
    struct jit_kernel *targets;
    const struct cpu_fs_key *key;
    uint64_t outputs_written;
    bool per_sample;          /* There is one thread per sample. */
    bool post_depth_coverage; /* The sample mask contains only samples that passed the tests. */
};

/* Builds the kernel that tests depth and stencil, counts samples, and reports which samples of the
 * fragments pass. Removes from results_key what the results kernel then need not do. */
static struct jit_kernel *build_tests(struct jit_engine *engine, struct cpu_fs_key *results_key)
{
    struct cpu_shader stub = {.stage = SHADER_FRAGMENT, .nir = i965_fragment_test_shader()};
    struct cpu_fs_key key = *results_key;
    struct cpu_fs_variant unused = {0};
    struct jit_kernel *kernel;

    key.num_color_bufs = 0;
    key.sample_masks = key.samples > 0;
    kernel = cpu_kernel_wait(cpu_build_fs(engine, &stub, &key, &unused));
    nir_shader_destroy(stub.nir);
    results_key->zs_format = DRV_FORMAT_NONE;
    results_key->count_samples = false;
    return kernel;
}

/* Builds the kernel that copies the color, depth and stencil buffers to the result planes. */
static struct jit_kernel *build_targets(const struct i965_prog_data *data,
                                        struct jit_engine *engine,
                                        const struct cpu_fs_key *results_key)
{
    struct cpu_shader stub = {
        .stage = SHADER_FRAGMENT,
        .nir = i965_fragment_targets_shader(data, results_key->num_color_bufs),
    };
    struct cpu_fs_key key = *results_key;
    struct cpu_fs_variant unused = {0};

    memset(&key.zs, 0, sizeof key.zs); /* No tests. */
    key.count_samples = false;
    struct jit_kernel *kernel = cpu_kernel_wait(cpu_build_fs(engine, &stub, &key, &unused));
    nir_shader_destroy(stub.nir);
    return kernel;
}

/* Builds the kernels that run before the threads. */
static bool build_before(struct i965_fs *fs, struct jit_engine *engine, bool tests,
                         struct cpu_fs_key *results_key)
{
    const struct i965_prog_data *data = fs->stage.data;

    if ((data->fs.reads_targets || data->fs.reads_depth_stencil) &&
        !(fs->targets = build_targets(data, engine, results_key)))
        return false;
    return !tests || (fs->tests = build_tests(engine, results_key));
}

void *i965_fs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_fs_key *key,
                     struct cpu_fs_variant *variant)
{
    bool per_sample =
        key->samples &&
        (key->sample_shading || (key->sample_masks && shader->nir->info.fs.uses_sample_shading) ||
         (key->smooth && shader->nir->info.fs.early_fragment_tests));
    const struct i965_key compile = {
        .num_color_targets = key->num_color_bufs,
        .persample = per_sample && key->sample_masks,
    };
    struct i965_fs *fs = i965_stage_create(sizeof *fs, screen, shader, &compile, &key->units, 16);
    struct cpu_shader stub = {.stage = SHADER_FRAGMENT};
    struct cpu_fs_key results_key = *key;

    if (!fs)
        return NULL;
    fs->key = key;
    fs->outputs_written = shader->outputs_written;
    fs->stage.samplers.upper_row = key->upper_row;
    fs->post_depth_coverage = shader->nir->info.fs.post_depth_coverage;
    fs->per_sample = per_sample;
    results_key.sample_shading = 0;
    results_key.count_invocations = 0; /* fs_run() counts them. */
    memset(&results_key.units, 0, sizeof results_key.units);
    if (!build_before(fs, screen->jit, shader->nir->info.fs.early_fragment_tests, &results_key))
        goto fail;
    stub.nir =
        i965_fragment_results_shader(fs->stage.data, fs->outputs_written, key->num_color_bufs);
    fs->results = cpu_kernel_wait(cpu_build_fs(screen->jit, &stub, &results_key, variant));
    nir_shader_destroy(stub.nir);
    variant->no_op = variant->no_op && !shader->nir->info.writes_memory && !key->count_samples &&
                     !key->count_invocations;
    if (fs->results)
        return fs;
fail:
    i965_fs_destroy(fs);
    return NULL;
}

void i965_fs_destroy(void *data)
{
    struct i965_fs *fs = data;

    jit_kernel_destroy(fs->results);
    jit_kernel_destroy(fs->tests);
    jit_kernel_destroy(fs->targets);
    i965_stage_destroy(&fs->stage);
}

/* ------------------------------------------------------------------------------- dispatch --- */

/* Columns and rows of a thread's channels in the block. */
struct texels {
    float x[16], y[16];
};

/* Dispatch data of a run of blocks. */
struct run {
    struct i965_fs *fs;
    const struct cpu_fs_args *args;
    struct i965_env env;
    uint32_t *result;        /* Planes of I965_RESULT_PIXELS dwords each. */
    uint32_t planes[128][4]; /* Plane equations of the input components: a_dx, a_dy, 0, a_0. */
    const struct cpu_block *block;
    /* Samples of the current block; NULL if single-sampled. */
    const struct cpu_block_samples *samples;
    /* Pixel coverage of a smooth primitive; NULL: all full. */
    const struct cpu_block_samples *smooth;
    unsigned first;             /* First channel of the thread in the block: 0 or 8. */
    const struct texels *texel; /* Position of the thread's channels in the block. */
    struct texels texels[3];    /* For a whole block and for its two halves. */
    uint32_t coverage;          /* Covered channels of the thread. */
    uint32_t passed[16];        /* With early tests: samples of each channel that passed. */
    unsigned sample;            /* Sample index with per-sample shading. */
};

/* Returns the address of the results of the thread's channels, starting at `channel`. */
static uint32_t *result_of(const struct run *r, unsigned channel, unsigned plane)
{
    unsigned x = r->block->x % CPU_TILE / 4, y = r->block->y % CPU_TILE / 4;
    return &r->result[plane * I965_RESULT_PIXELS + (y * (CPU_TILE / 4) + x) * 16 + r->first +
                      channel];
}

/* --- inputs --- */

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static float vertex_value(const struct run *r, const float *vertex, unsigned slot, unsigned c)
{
    return vertex[((r->fs->key->input_slot[slot] - 1u) * 4 + c) * CPU_BATCH_VERTICES];
}

/* Returns the value of an input that no previous stage writes. */
static uint32_t missing_value(const struct run *r, unsigned slot, unsigned c)
{
    const struct cpu_primitive *p = r->args->primitive;

    switch (slot) {
    case VARYING_SLOT_PRIMITIVE_ID:
        return p->primitive_id;
    case VARYING_SLOT_LAYER:
        return p->layer;
    case VARYING_SLOT_VIEWPORT:
        return p->viewport;
    case VARYING_SLOT_FACE:
        return bits_of(p->front_facing ? 1.0f : -1.0f);
    default:
        return bits_of(c == 3 ? 1.0f : 0.0f);
    }
}

/* Sets the plane of a point coordinate. The barycentrics of points are the distance from the
 * point's center in pixels. */
static void point_coord_plane(const struct run *r, unsigned c, uint32_t plane[4])
{
    const struct cpu_primitive *p = r->args->primitive;

    plane[3] = bits_of(c == 3 ? 1.0f : 0.0f);
    if (!r->fs->key->point || c > 1)
        return;
    const struct cpu_plane *from = c ? &p->point_t : &p->point_s;
    plane[0] = bits_of(from->dx);
    plane[1] = bits_of(from->dy);
    plane[3] = bits_of(from->c);
}

static void component_plane(const struct run *r, unsigned input, unsigned c, uint32_t plane[4])
{
    const struct i965_prog_data *data = r->fs->stage.data;
    const struct cpu_primitive *p = r->args->primitive;
    unsigned slot = data->fs.inputs[input];

    memset(plane, 0, 4 * sizeof *plane);
    if (slot == VARYING_SLOT_POINT_COORD) {
        point_coord_plane(r, c, plane);
    } else if (slot >= 64 || !r->fs->key->input_slot[slot]) {
        plane[3] = missing_value(r, slot, c);
    } else if (data->fs.flat_inputs >> input & 1) {
        plane[3] = bits_of(vertex_value(r, p->provoking, slot, c));
    } else {
        /* Weights are those of vertices 0 and 2 (see cpu_fs_planes.c). */
        float v1 = vertex_value(r, p->vertex[r->fs->key->point ? 0 : 1], slot, c);
        plane[3] = bits_of(v1);
        if (!r->fs->key->point) {
            plane[0] = bits_of(vertex_value(r, p->vertex[0], slot, c) - v1);
            plane[1] = bits_of(vertex_value(r, p->vertex[2], slot, c) - v1);
        }
    }
}

static void make_texels(struct texels *t, unsigned first)
{
    for (unsigned i = 0; i < 16; i++) {
        t->x[i] = (float)cpu_texel_x((first + i) % 16);
        t->y[i] = (float)cpu_texel_y((first + i) % 16);
    }
}

static void make_planes(struct run *r)
{
    unsigned inputs = MIN2(r->fs->stage.data->fs.num_inputs, 32);

    for (unsigned i = 0; i < inputs * 4; i++)
        component_plane(r, i / 4, i % 4, r->planes[i]);
}

/* --- payload --- */

/* Maximum number of channels per thread. Arrays always have this size, so that loops run over all
 * of them. */
enum { CHANNELS = 16 };

/* Positions of the channels, in pixels from the center of the block's first pixel. */
struct places {
    float x[CHANNELS], y[CHANNELS];
};

static void offset_places(const struct run *r, const float offset[2][CHANNELS], struct places *at)
{
    for (unsigned i = 0; i < CHANNELS; i++) {
        at->x[i] = r->texel->x[i] + offset[0][i];
        at->y[i] = r->texel->y[i] + offset[1][i];
    }
}

/* Evaluates a plane exactly like the CPU driver's kernel, for identical bits. */
static void plane_at(const struct run *r, const struct cpu_plane *plane, const struct places *at,
                     float value[CHANNELS])
{
    const struct cpu_primitive *p = r->args->primitive;
    float dx = (float)r->block->x + 0.5f - p->x_ref, dy = (float)r->block->y + 0.5f - p->y_ref;
    float c = plane->c + (plane->dx * dx + plane->dy * dy);

    for (unsigned i = 0; i < CHANNELS; i++)
        value[i] = c + (plane->dx * at->x[i] + plane->dy * at->y[i]);
}

/* [0]: perspective, [1]: linear weights of vertices 0 and 2; 1/w of the pixels. */
struct barycentrics {
    float weight[2][2][CHANNELS];
    float inv_w[CHANNELS];
};

static void evaluate_barycentrics(const struct run *r, const float offset[2][CHANNELS],
                                  struct barycentrics *b)
{
    const struct cpu_primitive *p = r->args->primitive;
    struct places at;

    offset_places(r, offset, &at);
    plane_at(r, &p->b1, &at, b->weight[1][0]);
    plane_at(r, &p->b2, &at, b->weight[1][1]);
    for (unsigned i = 0; i < CHANNELS; i++) {
        float b1 = b->weight[1][0][i], b2 = b->weight[1][1][i];
        float b0 = 1.0f - b1 - b2, n0 = b0 * p->inv_w[0], n2 = b2 * p->inv_w[2];
        float sum = n0 + b1 * p->inv_w[1] + n2, w = 1.0f / sum;
        b->weight[1][0][i] = b0;
        b->weight[0][0][i] = n0 * w;
        b->weight[0][1][i] = n2 * w;
        b->inv_w[i] = sum;
    }
    if (!r->fs->key->point)
        return;
    for (unsigned i = 0; i < CHANNELS; i++) {
        float x = ((float)r->block->x + r->texel->x[i]) + 0.5f - p->x_ref;
        float y = ((float)r->block->y + r->texel->y[i]) + 0.5f - p->y_ref;
        b->weight[0][0][i] = b->weight[1][0][i] = x + offset[0][i];
        b->weight[0][1][i] = b->weight[1][1][i] = y + offset[1][i];
    }
}

static void evaluate_depth(const struct run *r, const float offset[2][CHANNELS],
                           float depth[CHANNELS])
{
    const struct cpu_fs_state *s = r->args->fs;
    unsigned viewport = r->fs->key->viewports ? r->args->primitive->viewport : 0;
    float lo = r->fs->key->depth_clamp ? s->depth_range[viewport].min : 0.0f;
    float hi = r->fs->key->depth_clamp ? s->depth_range[viewport].max : 1.0f;
    struct places at;

    offset_places(r, offset, &at);
    plane_at(r, &r->args->primitive->z, &at, depth);
    for (unsigned i = 0; i < CHANNELS; i++)
        depth[i] = fminf(fmaxf(depth[i], lo), hi);
}

/* --- samples --- */

static void sample_offset(const struct run *r, unsigned sample, float offset[2])
{
    for (unsigned i = 0; i < 2; i++)
        offset[i] = r->args->fs->sample_offset[i][MIN2(sample, CPU_MAX_SAMPLES - 1)];
}

/* Returns the covered samples of the channel's pixel, one bit each; with per-sample shading only
 * the current sample. */
static uint32_t covered_samples(const struct run *r, unsigned channel)
{
    if (!r->samples)
        return r->coverage >> channel & 1;
    const unsigned pixel = r->first + channel, samples = r->fs->key->samples;
    uint32_t covered;
    if (r->fs->key->smooth)
        covered = r->samples->pixel[pixel] ? (1u << samples) - 1 : 0;
    else
        covered = cpu_covered_samples(r->samples, pixel, samples);
    return covered & r->args->fs->sample_mask;
}

/* Sets the centroid as in the CPU driver's kernel: the center of fully covered pixels, otherwise
 * the first covered sample. */
static void centroid_offset(const struct run *r, unsigned channel, float offset[2])
{
    uint32_t samples = covered_samples(r, channel), all = (1u << r->fs->key->samples) - 1;

    offset[0] = offset[1] = 0.0f;
    if (r->samples && samples && samples != all)
        sample_offset(r, (unsigned)__builtin_ctz(samples), offset);
}

/* Computes the offsets for pixel, centroid and sample, in the order of enum i965_barycentric.
 * Returns false if all are 0. */
static bool place_offsets(const struct run *r, unsigned channels, float offset[3][2][CHANNELS])
{
    bool at_sample = r->fs->per_sample && r->fs->key->sample_masks;
    float one[2];

    memset(offset, 0, 3 * sizeof *offset);
    for (unsigned i = 0; i < channels && r->samples; i++) {
        centroid_offset(r, i, one);
        for (unsigned c = 0; c < 2; c++)
            offset[1][c][i] = one[c];
        sample_offset(r, r->sample, one);
        for (unsigned c = 0; c < 2 && at_sample; c++)
            offset[2][c][i] = one[c];
    }
    if (r->samples && r->fs->key->sample_shading) {
        memcpy(offset[0], offset[2], sizeof offset[0]);
        memcpy(offset[1], offset[2], sizeof offset[1]);
    }
    return r->samples;
}

/* --- registers --- */

/* Writer of consecutive payload registers. */
struct payload {
    struct sim_thread *t;
    unsigned reg;
};

/* Writes one value per channel: one register per eight channels. */
static void put_channels(struct payload *p, const float *value, unsigned channels)
{
    for (unsigned i = 0; i < channels; i += 8, p->reg++) {
        if (p->reg < 128)
            memcpy(sim_grf(p->t, p->reg), value + i, 32);
    }
}

static void put_header(const struct run *r, struct sim_thread *t, unsigned channels)
{
    const struct cpu_primitive *p = r->args->primitive;
    uint32_t *r0 = sim_grf(t, 0), *r1 = sim_grf(t, 1);

    /* Without multisampling, the sample index is 0. */
    const unsigned sample = r->fs->key->sample_masks ? r->sample & 0xf : 0;
    r0[0] = (p->front_facing ? 0 : 1u << 15) | (p->layer & 0x7ff) << 16 | sample << 6;
    for (unsigned s = 0; s < channels / 4; s++) {
        uint32_t x = r->block->x + cpu_texel_x(r->first + s * 4);
        uint32_t y = r->block->y + cpu_texel_y(r->first + s * 4);
        r1[2 + s] = x | y << 16;
    }
    r1[7] = r->coverage;
}

/* Writes the barycentrics at the pixel, centroid and sample positions. */
static void put_barycentrics(struct payload *p, const struct i965_prog_data *data,
                             const struct barycentrics *const at[3], unsigned channels)
{
    for (unsigned mode = 0; mode < I965_BARYCENTRIC_COUNT; mode++) {
        bool linear = mode >= I965_BARYCENTRIC_NONPERSPECTIVE_PIXEL;
        if (!(data->fs.barycentric_modes >> mode & 1))
            continue;
        for (unsigned i = 0; i < channels / 8 * 2; i++) /* i, then j of each eight channels. */
            put_channels(p, at[mode % 3]->weight[linear][i % 2] + i / 2 * 8, 8);
    }
}

/* Writes x and y of each channel in sixteenths of a pixel: the position of the sample with
 * per-sample shading, otherwise the pixel center. */
static void put_position_offsets(struct payload *p, const float offset[2][CHANNELS])
{
    uint8_t *bytes = p->reg < 128 ? p->t->grf + p->reg * 32 : NULL;

    for (unsigned i = 0; bytes && i < CHANNELS; i++) {
        bytes[2 * i] = (uint8_t)(int)((offset[0][i] + 0.5f) * 16.0f);
        bytes[2 * i + 1] = (uint8_t)(int)((offset[1][i] + 0.5f) * 16.0f);
    }
    p->reg++;
}

static void put_inputs(const struct run *r, struct payload *p)
{
    const struct i965_prog_data *data = r->fs->stage.data;

    for (unsigned i = 0; i < MIN2(data->fs.num_inputs, 32) * 2u && p->reg < 128; i++, p->reg++)
        memcpy(sim_grf(p->t, p->reg), r->planes[i * 2], 32);
}

static void put_sample_masks(const struct run *r, struct payload *p, unsigned channels)
{
    float mask[CHANNELS];

    for (unsigned i = 0; i < channels; i++) {
        uint32_t covered = covered_samples(r, i);
        /* Conservative rasterization covers all samples of a pixel, and shows them to the shader of
         * each one. */
        if (r->samples && covered && (r->fs->key->all_samples || r->fs->key->inner_coverage))
            covered = ((1u << r->fs->key->samples) - 1) & r->args->fs->sample_mask;
        if (r->samples && r->fs->post_depth_coverage)
            covered = r->passed[i];
        if (r->fs->key->inner_coverage && !(r->block->mask >> (16 + r->first + i) & 1))
            covered = 0;
        if (r->samples && !r->fs->key->sample_masks)
            covered = covered != 0;
        memcpy(&mask[i], &covered, 4);
    }
    put_channels(p, mask, channels);
}

/* Computes coverage like the CPU driver's kernel. */
static void put_coverage(const struct run *r, struct payload *p, unsigned channels)
{
    float value[CHANNELS];

    for (unsigned i = 0; i < channels; i++)
        value[i] = r->smooth ? (float)r->smooth->pixel[r->first + i] * (float)(1.0 / 255.0) : 1.0f;
    put_channels(p, value, channels);
}

static void put_interpolation(const struct run *r, struct payload *p, unsigned channels)
{
    const struct i965_prog_data *data = r->fs->stage.data;
    float offset[3][2][CHANNELS], value[CHANNELS];
    bool differ = place_offsets(r, channels, offset);
    struct barycentrics at[3];
    const struct barycentrics *places[3] = {&at[0], &at[differ ? 1 : 0], &at[differ ? 2 : 0]};

    for (unsigned place = 0; place < 3; place++) {
        unsigned modes = data->fs.barycentric_modes >> place;
        bool used = modes & (1 | 1 << I965_BARYCENTRIC_NONPERSPECTIVE_PIXEL) ||
                    (!place && (data->fs.uses_source_w || (!differ && data->fs.barycentric_modes)));
        if (used && places[place] == &at[place])
            evaluate_barycentrics(r, offset[place], &at[place]);
    }
    put_barycentrics(p, data, places, channels);
    if (data->fs.uses_source_depth) {
        evaluate_depth(r, offset[2], value);
        put_channels(p, value, channels);
    }
    for (unsigned i = 0; i < channels && data->fs.uses_source_w; i++)
        value[i] = 1.0f / at[0].inv_w[i];
    if (data->fs.uses_source_w)
        put_channels(p, value, channels);
    if (data->fs.uses_position_offsets)
        put_position_offsets(p, offset[2]);
}

static void put_payload(const struct run *r, struct sim_thread *t, unsigned channels)
{
    const struct i965_prog_data *data = r->fs->stage.data;
    struct payload p = {t, 2};

    put_header(r, t, channels);
    put_interpolation(r, &p, channels);
    if (data->fs.uses_sample_mask)
        put_sample_masks(r, &p, channels);
    if (data->fs.uses_coverage)
        put_coverage(r, &p, channels);
    i965_push_constants(data, r->args->state, t, p.reg);
    p.reg += data->curb_read_length;
    if (data->fs.uses_height && p.reg < 128)
        memcpy(sim_grf(t, p.reg++), &r->args->fs->fb_height, 4);
    put_inputs(r, &p);
}

static bool interpolate(struct sim_env *base, struct sim_interpolation *at)
{
    const struct run *r = ((struct i965_env *)base)->dispatch;
    float offset[2][CHANNELS] = {{0}}, one[2];
    struct barycentrics b;

    if (at->at_sample)
        sample_offset(r, MIN2(at->sample, MAX2(r->fs->key->samples, 1) - 1u), one);
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned i = 0; i < at->channels; i++)
            offset[c][i] = at->at_sample ? one[c] : at->offset[c][i];
    }
    evaluate_barycentrics(r, offset, &b);
    for (unsigned c = 0; c < 2; c++)
        memcpy(at->result[c], b.weight[at->linear][c], at->channels * sizeof(float));
    return true;
}

/* --- results --- */

/* Returns the size of all planes in bytes. */
static size_t result_size(const struct i965_fs *fs)
{
    unsigned colors = fs->key->num_color_bufs + fs->stage.data->fs.dual_source;
    return (I965_RESULT_COLOR + colors * 4ul) * I965_RESULT_PIXELS * 4;
}

/* Stores the values of the channels in the mask, out of `channels` channels. */
static void write_plane(uint32_t *first, unsigned plane, const uint32_t value[16],
                        unsigned channels, uint32_t mask)
{
    uint32_t *to = first + plane * I965_RESULT_PIXELS;

    if (mask == (1u << channels) - 1) {
        memcpy(to, value, channels * sizeof *to);
        return;
    }
    for (unsigned i = 0; i < channels; i++) {
        if (mask >> i & 1)
            to[i] = value[i];
    }
}

/* color: index among the colors that have planes. */
static void write_color(uint32_t *first, unsigned color, const struct sim_render_write *w,
                        const uint32_t value[4][16], uint32_t mask)
{
    for (unsigned c = 0; c < 4; c++)
        write_plane(first, I965_RESULT_COLOR + color * 4 + c, value[c], w->channels, mask);
}

static bool render_write(struct sim_env *base, const struct sim_render_write *w)
{
    static const uint32_t live[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct i965_env *env = (struct i965_env *)base;
    struct run *r = env->dispatch;
    unsigned target = w->target - env->data->binding_table.render_targets;
    uint32_t mask = w->mask & r->coverage >> w->first, *first;

    if (w->first + w->channels > 16 - r->first)
        return false;
    first = result_of(r, w->first, 0);
    if (target < r->fs->key->num_color_bufs)
        write_color(first, target, w, w->color, mask);
    if (w->dual_source && env->data->fs.dual_source)
        write_color(first, r->fs->key->num_color_bufs, w, w->color1, mask);
    write_plane(first, I965_RESULT_LIVE, live, w->channels, mask);
    if (w->has_depth)
        write_plane(first, I965_RESULT_DEPTH, w->depth, w->channels, mask);
    if (w->has_stencil)
        write_plane(first, I965_RESULT_STENCIL, w->stencil, w->channels, mask);
    if (w->has_sample_mask)
        write_plane(first, I965_RESULT_SAMPLE_MASK, w->sample_mask, w->channels, mask);
    return true;
}

static bool render_read(struct sim_env *base, struct sim_render_read *read)
{
    struct i965_env *env = (struct i965_env *)base;
    const struct run *r = env->dispatch;
    unsigned target = read->target - env->data->binding_table.render_targets;

    unsigned plane = I965_RESULT_COLOR + target * 4, planes = 4;

    if (read->first + read->channels > 16 - r->first)
        return false;
    if (env->data->fs.reads_depth_stencil &&
        read->target == env->data->binding_table.depth_stencil) {
        plane = I965_RESULT_DEPTH;
        planes = 2;
    } else if (target >= r->fs->key->num_color_bufs) {
        planes = 0;
    }
    for (unsigned c = 0; c < planes; c++)
        memcpy(read->color[c], result_of(r, read->first, plane + c),
               read->channels * sizeof(uint32_t));
    return true;
}

/* Returns the channels of all quads with a covered pixel. */
static uint32_t quads(uint32_t coverage)
{
    uint32_t any = coverage | coverage >> 1;

    any = (any | any >> 2) & 0x1111;
    return any * 15;
}

static bool run_block(struct run *r, unsigned number)
{
    const struct cpu_block *block = &r->args->block[number];
    unsigned channels = r->fs->stage.run.kernel->width;
    struct sim_thread t;

    r->block = block;
    r->samples = r->fs->key->samples ? &r->args->block_samples[number] : NULL;
    r->smooth = r->fs->key->smooth ? &r->args->block_samples[number] : NULL;
    for (r->first = 0; r->first < 16; r->first += channels) {
        uint32_t *live = result_of(r, 0, I965_RESULT_LIVE);
        r->texel = channels == 16 ? &r->texels[0] : &r->texels[1 + r->first / 8];
        r->coverage = block->mask >> r->first & (channels == 16 ? 0xffff : 0xff);
        for (unsigned i = 0; i < channels && r->fs->tests; i++) {
            r->passed[i] = live[i];
            if (!live[i])
                r->coverage &= ~(1u << i);
        }
        memset(live, 0, channels * sizeof *live);
        if (!r->coverage)
            continue;
        if (r->fs->key->count_invocations)
            *r->args->invocations += (unsigned)__builtin_popcount(r->coverage);
        sim_thread_init(&t, r->fs->stage.run.code, &r->env.base, quads(r->coverage));
        put_payload(r, &t, channels);
        if (!i965_run_thread(&r->fs->stage.run, &t, "fragment"))
            return false;
    }
    return true;
}

/* Runs a CPU driver kernel before or after the threads. It accesses the result planes as a storage
 * buffer and samples no textures. Of the state, which contains what the application's shader uses,
 * it needs only the buffers. */
static void run_kernel(const struct run *r, struct jit_kernel *kernel)
{
    struct cpu_fs_args args = *r->args;
    struct cpu_stage_state state;
    const void *argument = &args;

    memcpy(&state, r->args->state, offsetof(struct cpu_stage_state, texture));
    state.constant[1] = state.storage[0] = (struct cpu_buffer){
        .base = (const uint8_t *)r->result,
        .size = result_size(r->fs),
    };
    args.state = &state;
    jit_run(jit_kernel_function(kernel), &argument);
}

/* Performs the early tests. Sets *passed to the samples that pass, if multisampled. */
static void test_early(struct run *r, struct cpu_block_samples *passed)
{
    for (unsigned i = 0; i < r->args->count; i++) {
        r->block = &r->args->block[i];
        r->first = 0;
        memset(result_of(r, 0, I965_RESULT_LIVE), 0, 16 * sizeof(uint32_t));
    }
    run_kernel(r, r->fs->tests);
    for (unsigned i = 0; i < r->args->count && passed; i++) {
        r->block = &r->args->block[i];
        for (unsigned p = 0; p < 16; p++)
            cpu_set_covered_samples(&passed[i], p, r->fs->key->samples,
                                    *result_of(r, p, I965_RESULT_LIVE));
    }
}

/* Allocates an array with the samples of `count` blocks (CPU_HIGH_SAMPLES); free() it. Returns NULL
 * if out of memory. */
static struct cpu_block_samples *alloc_samples(const struct run *r, size_t count)
{
    const size_t before = r->fs->key->samples > CPU_LOW_SAMPLES ? CPU_HIGH_SAMPLES : 0;
    return calloc(before + count, sizeof(struct cpu_block_samples));
}

/* Shades the blocks. passed receives the samples that pass early tests; if NULL, there are results
 * for all covered samples. */
static bool shade_blocks(struct run *r, struct cpu_block_samples *passed)
{
    const struct cpu_fs_args *all = r->args;
    struct cpu_fs_args tested = *all;

    if (r->fs->tests)
        test_early(r, passed);
    if (r->fs->targets)
        run_kernel(r, r->fs->targets);
    for (unsigned i = 0; i < all->count; i++) {
        if (!run_block(r, i))
            return false;
    }
    if (passed)
        tested.block_samples = passed;
    r->args = &tested;
    run_kernel(r, r->fs->results);
    r->args = all;
    return true;
}

static bool run_blocks(struct run *r)
{
    if (!r->fs->tests || !r->fs->key->samples || r->fs->per_sample)
        return shade_blocks(r, NULL);
    struct cpu_block_samples *passed = alloc_samples(r, r->args->count);
    bool ok = passed && shade_blocks(r, passed);
    free(passed);
    return ok;
}

/* Stores the blocks with pixels of which the current sample is covered, and their samples. Samples
 * of smooth primitives are not masked, because their bytes are fractions. Returns the number of
 * blocks. */
static unsigned select_sample(const struct run *r, const struct cpu_fs_args *all,
                              struct cpu_block *block, struct cpu_block_samples *samples)
{
    const unsigned num_samples = r->fs->key->smooth ? 1 : r->fs->key->samples;
    const uint32_t bits = r->fs->key->smooth ? UINT8_MAX : 1u << r->sample;
    unsigned count = 0;

    for (unsigned i = 0; i < all->count; i++) {
        uint32_t mask = 0;
        for (unsigned p = 0; p < 16; p++) {
            uint32_t covered = cpu_covered_samples(&all->block_samples[i], p, num_samples) & bits;
            cpu_set_covered_samples(&samples[count], p, num_samples, covered);
            mask |= (uint32_t)(covered != 0) << p;
        }
        if (mask)
            block[count++] = (struct cpu_block){all->block[i].x, all->block[i].y,
                                                mask | (all->block[i].mask & 0xffff0000)};
    }
    return count;
}

/* Shades the blocks once per sample. */
static bool run_samples(struct run *r)
{
    const struct cpu_fs_args *all = r->args;
    struct cpu_fs_args one = *all;
    struct cpu_fs_state state = *all->fs;
    struct cpu_block *block = malloc(all->count * sizeof *block);
    struct cpu_block_samples *samples = alloc_samples(r, all->count);
    bool ok = block && samples;

    one.block = block;
    one.block_samples = samples;
    if (r->fs->key->smooth)
        one.fs = &state;
    r->args = &one;
    for (r->sample = 0; r->sample < r->fs->key->samples && ok; r->sample++) {
        state.sample_mask = 1u << r->sample & all->fs->sample_mask;
        if (!state.sample_mask)
            continue;
        one.count = select_sample(r, all, block, samples);
        ok = !one.count || run_blocks(r);
    }
    r->args = all;
    free(block);
    free(samples);
    return ok;
}

void i965_fs_run(void *data, const struct cpu_fs_args *args)
{
    struct i965_fs *fs = data;
    struct run *r = calloc(1, sizeof *r);
    bool ok;

    if (!r)
        return;
    r->fs = fs;
    r->args = args;
    r->result = malloc(result_size(fs));
    ok = i965_env_init(&r->env, fs->stage.data, args->state, &fs->stage.samplers) && r->result;
    r->env.base.render_write = render_write;
    r->env.base.render_read = render_read;
    r->env.base.interpolate = interpolate;
    r->env.dispatch = r;
    if (ok) {
        make_planes(r);
        for (unsigned i = 0; i < 3; i++)
            make_texels(&r->texels[i], i > 1 ? 8 : 0);
        if (fs->per_sample)
            run_samples(r);
        else
            run_blocks(r);
    }
    i965_env_finish(&r->env);
    free(r->result);
    free(r);
}
