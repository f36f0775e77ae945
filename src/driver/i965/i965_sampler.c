/* SPDX-License-Identifier: MIT */
/*
 * The sampler. Each kind of message becomes a CPU driver kernel: a vertex shader that executes one
 * texture instruction with the parameters as attributes. Textures are therefore addressed and
 * filtered by the same code as in the CPU driver. Derivatives are computed here, from the message's
 * quads.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/cpu/kernel/cpu_lower.h"
#include "i965_driver.h"
#include "jit/jit.h"
#include "nir/nir_builder.h"
#include "util/check.h"
#include "util/macros.h"
#include "util/memory.h"

/* Attributes following the message's parameters. */
enum { DDX = 11, DDY = 14, NUM_ATTRIBUTES = 17 };

/* Properties that the kernel depends on; compared as bytes. */
struct message {
    uint32_t type, unit, num_params, gather_component;
    int32_t offset[3];
};

struct i965_sampler_kernel {
    struct i965_sampler_kernel *next;
    struct message message;
    struct jit_kernel *kernel;
};

_Static_assert(DRV_MAX_SAMPLERS <= 64, "new_style has a bit for each unit");

/* Returns the units with new-style comparisons, which the message does not indicate. A variable
 * index may reach all following units. */
static uint64_t new_style_units(const nir_shader *nir)
{
    uint64_t units = 0;

    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_tex)
                continue;
            const nir_tex_instr *tex = nir_instr_as_tex(instr);
            bool dynamic = nir_tex_instr_src_index(tex, nir_tex_src_texture_offset) >= 0;
            if (tex->is_new_style_shadow && tex->texture_index < DRV_MAX_SAMPLERS)
                units |= (dynamic ? UINT64_MAX : 1) << tex->texture_index;
        }
    }
    return units;
}

void i965_samplers_init(struct i965_samplers *s, struct jit_engine *engine,
                        const struct nir_shader *nir, const struct cpu_units_key *units)
{
    *s =
        (struct i965_samplers){.engine = engine, .units = units, .new_style = new_style_units(nir)};
    pthread_mutex_init(&s->lock, NULL);
}

void i965_samplers_finish(struct i965_samplers *s)
{
    for (struct i965_sampler_kernel *k = s->first, *next; k; k = next) {
        next = k->next;
        jit_kernel_destroy(k->kernel);
        free(k);
    }
    pthread_mutex_destroy(&s->lock);
}

/* -------------------------------------------------------------------------- message layout --- */

/* Parameters in message order (Skylake PRM, volume 2d, "Sampling Engine Messages"). u, v, r:
 * coordinates; a: index of a cube array layer; c: reference value; b: bias; l: level; x:
 * derivatives of u; o: offsets; s: sample. Other arrays have their layer in place of the next
 * coordinate. */
struct layout {
    uint8_t op;    /* enum nir_texop */
    bool implicit; /* Derivatives are those of the message's quads. */
    const char *params;
};

static const struct layout layouts[] = {
    [SIM_SAMPLE] = {nir_texop_txd, true, "uvra"},
    [SIM_SAMPLE_C] = {nir_texop_txd, true, "cuvra"},
    [SIM_SAMPLE_B] = {nir_texop_txd, true, "buvra"},
    [SIM_SAMPLE_B_C] = {nir_texop_txd, true, "cbuvra"},
    [SIM_LOD] = {nir_texop_lod, true, "uvra"},
    [SIM_SAMPLE_L] = {nir_texop_txl, false, "luvra"},
    [SIM_SAMPLE_L_C] = {nir_texop_txl, false, "cluvra"},
    [SIM_SAMPLE_LZ] = {nir_texop_txl, false, "uvra"},
    [SIM_SAMPLE_C_LZ] = {nir_texop_txl, false, "cuvra"},
    [SIM_SAMPLE_D] = {nir_texop_txd, false, "ux.v..r..a"},
    [SIM_SAMPLE_D_C] = {nir_texop_txd, false, "cux.v..r..a"},
    [SIM_GATHER4] = {nir_texop_tg4, false, "uvra"},
    [SIM_GATHER4_C] = {nir_texop_tg4, false, "cuvra"},
    [SIM_GATHER4_PO] = {nir_texop_tg4, false, "uvo.r"},
    [SIM_GATHER4_PO_C] = {nir_texop_tg4, false, "cuvo.r"},
    [SIM_LD] = {nir_texop_txf, false, "uvlr"},
    [SIM_LD_LZ] = {nir_texop_txf, false, "uvr"},
    /* In between: words of a control surface, which images do not have. */
    [SIM_LD2DMS_W] = {nir_texop_txf_ms, false, "s..uvr"},
    [SIM_LD2DMS] = {nir_texop_txf_ms, false, "s.uvr"},
};

/* Returns NULL if the message samples nothing. */
static const struct layout *layout_of(unsigned type)
{
    return type < ARRAY_SIZE(layouts) && layouts[type].params ? &layouts[type] : NULL;
}

/* Returns the index of a parameter; -1 if the message has none of that kind. */
static int place_of(const struct layout *l, char param)
{
    const char *at = strchr(l->params, param);
    return at ? (int)(at - l->params) : -1;
}

static int place_of_coord(const struct layout *l, unsigned i)
{
    return place_of(l, "uvra"[i]);
}

struct target {
    enum glsl_sampler_dim dim;
    unsigned dims; /* Number of coordinates without the layer. */
    bool array;
};

static struct target target_of(const struct cpu_sampler_key *key)
{
    switch ((enum drv_target)key->target) {
    case DRV_TEXTURE_1D:
        return (struct target){GLSL_SAMPLER_DIM_1D, 1, false};
    case DRV_TEXTURE_1D_ARRAY:
        return (struct target){GLSL_SAMPLER_DIM_1D, 1, true};
    case DRV_TEXTURE_2D_ARRAY:
        return (struct target){GLSL_SAMPLER_DIM_2D, 2, true};
    case DRV_TEXTURE_3D:
        return (struct target){GLSL_SAMPLER_DIM_3D, 3, false};
    case DRV_TEXTURE_CUBE:
        return (struct target){GLSL_SAMPLER_DIM_CUBE, 3, false};
    case DRV_TEXTURE_CUBE_ARRAY:
        return (struct target){GLSL_SAMPLER_DIM_CUBE, 3, true};
    case DRV_TEXTURE_RECT:
        return (struct target){GLSL_SAMPLER_DIM_RECT, 2, false};
    default:
        return (struct target){GLSL_SAMPLER_DIM_2D, 2, false};
    }
}

/* --------------------------------------------------------------------------------- kernels --- */

struct builder {
    nir_builder b;
    const struct message *message;
    nir_tex_instr *tex;
    unsigned num_srcs;
};

static nir_def *attribute(struct builder *k, unsigned i)
{
    return nir_load_input(&k->b, 1, 32, nir_imm_int(&k->b, 0), .dest_type = nir_type_uint32,
                          .io_semantics = {.location = i, .num_slots = 1});
}

/* Returns parameter i; parameters that were not sent are 0. */
static nir_def *parameter(struct builder *k, int i)
{
    if (i < 0 || (unsigned)i >= k->message->num_params)
        return nir_imm_int(&k->b, 0);
    return attribute(k, (unsigned)i);
}

static void add_source(struct builder *k, nir_tex_src_type type, nir_def *def)
{
    k->tex->src[k->num_srcs].src_type = type;
    NEXT_WITHIN(k->tex->src, k->num_srcs, k->tex->num_srcs).src = nir_src_for_ssa(def);
}

static void add_coordinates(struct builder *k, const struct layout *l, const struct target *t)
{
    nir_def *c[4];
    unsigned n = t->dims;

    for (unsigned i = 0; i < n; i++)
        c[i] = parameter(k, place_of_coord(l, i));
    if (t->array && l->op != nir_texop_lod)
        NEXT_OF(c, n) = parameter(k, place_of_coord(l, t->dims));
    k->tex->coord_components = (uint8_t)n;
    add_source(k, nir_tex_src_coord, nir_vec(&k->b, c, n));
}

static void add_derivatives(struct builder *k, const struct layout *l, const struct target *t)
{
    nir_def *d[2][3];
    int given = place_of(l, 'x');

    for (unsigned i = 0; i < t->dims; i++) {
        d[0][i] = l->implicit ? attribute(k, DDX + i) : parameter(k, given + 3 * (int)i);
        d[1][i] = l->implicit ? attribute(k, DDY + i) : parameter(k, given + 3 * (int)i + 1);
    }
    add_source(k, nir_tex_src_ddx, nir_vec(&k->b, d[0], t->dims));
    add_source(k, nir_tex_src_ddy, nir_vec(&k->b, d[1], t->dims));
}

static void add_offset(struct builder *k, const struct layout *l, const struct target *t)
{
    const int32_t *fixed = k->message->offset;
    nir_def *o[3];
    int given = place_of(l, 'o');

    if (given < 0 && !fixed[0] && !fixed[1] && !fixed[2])
        return;
    for (unsigned i = 0; i < t->dims; i++)
        o[i] = given >= 0 && i < 2 ? parameter(k, given + (int)i) : nir_imm_int(&k->b, fixed[i]);
    add_source(k, nir_tex_src_offset, nir_vec(&k->b, o, t->dims));
}

static nir_shader *sampler_shader(const struct message *m, const struct layout *l,
                                  const struct cpu_sampler_key *key, bool new_style)
{
    struct builder k = {.message = m};
    struct target t = target_of(key);
    int compare = place_of(l, 'c'), bias = place_of(l, 'b'), sample = place_of(l, 's');
    bool one = new_style && compare >= 0 && l->op != nir_texop_tg4;

    k.b = nir_builder_init_simple_shader(NULL, SHADER_VERTEX, &cpu_nir_options, "sampler");
    k.tex = nir_tex_instr_create(k.b.shader, 8);
    k.tex->op = (nir_texop)l->op;
    k.tex->sampler_dim = t.dim;
    k.tex->dest_type = nir_type_float32;
    k.tex->is_array = t.array;
    k.tex->is_shadow = compare >= 0;
    k.tex->is_new_style_shadow = one;
    k.tex->component = (uint8_t)m->gather_component;
    k.tex->texture_index = k.tex->sampler_index = m->unit;
    add_coordinates(&k, l, &t);
    if (l->op == nir_texop_txd || l->op == nir_texop_lod)
        add_derivatives(&k, l, &t);
    if (compare >= 0)
        add_source(&k, nir_tex_src_comparator, parameter(&k, compare));
    if (bias >= 0)
        add_source(&k, nir_tex_src_bias, parameter(&k, bias));
    if (sample >= 0)
        add_source(&k, nir_tex_src_ms_index, parameter(&k, sample));
    if (l->op == nir_texop_txl || (l->op == nir_texop_txf && t.dim != GLSL_SAMPLER_DIM_RECT))
        add_source(&k, nir_tex_src_lod, parameter(&k, place_of(l, 'l')));
    add_offset(&k, l, &t);
    k.tex->num_srcs = k.num_srcs;
    nir_def_init(&k.tex->instr, &k.tex->def, one ? 1 : 4, 32);
    nir_builder_instr_insert(&k.b, &k.tex->instr);
    nir_def *x = nir_channel(&k.b, &k.tex->def, 0);
    nir_def *result = one ? nir_vec4(&k.b, x, x, x, x) : &k.tex->def;
    nir_store_output(&k.b, result, nir_imm_int(&k.b, 0), .src_type = nir_type_float32,
                     .io_semantics = {.location = VARYING_SLOT_VAR0, .num_slots = 1});
    nir_shader_gather_info(k.b.shader);
    return k.b.shader;
}

static struct jit_kernel *build_kernel(struct i965_samplers *s, const struct message *m,
                                       const struct layout *layout, const struct cpu_vs_key *key)
{
    struct cpu_vs_variant variant = {0};
    struct cpu_shader shader = {.stage = SHADER_VERTEX};
    shader.nir =
        sampler_shader(m, layout, &s->units->sampler[m->unit], s->new_style >> m->unit & 1);
    struct jit_kernel *kernel = cpu_kernel_wait(cpu_build_vs(s->engine, &shader, key, &variant));
    nir_shader_destroy(shader.nir);
    return kernel;
}

static struct jit_kernel *make_kernel(struct i965_samplers *s, const struct message *m)
{
    const struct layout *layout = layout_of(m->type);
    struct cpu_vs_key *key = layout ? calloc(1, sizeof *key) : NULL;

    if (!key)
        return NULL;
    for (unsigned i = 0; i < NUM_ATTRIBUTES; i++) {
        key->attrib[i].format = DRV_FORMAT_R32_UINT;
        key->attrib[i].stream = (uint8_t)i;
    }
    key->units = *s->units;
    struct jit_kernel *kernel = UTIL_ATTEMPT(build_kernel(s, m, layout, key));
    free(key);
    return kernel;
}

static struct jit_kernel *find_kernel(struct i965_samplers *s, const struct message *m)
{
    struct i965_sampler_kernel *k;

    pthread_mutex_lock(&s->lock);
    for (k = s->first; k && memcmp(&k->message, m, sizeof *m); k = k->next)
        ;
    if (!k && (k = calloc(1, sizeof *k))) {
        k->message = *m;
        k->kernel = make_kernel(s, m);
        k->next = s->first;
        s->first = k;
    }
    pthread_mutex_unlock(&s->lock);
    return k ? k->kernel : NULL;
}

/* ------------------------------------------------------------------------------------- run --- */

static float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint32_t difference(uint32_t a, uint32_t b)
{
    float f = as_float(a) - as_float(b);
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

/* Computes derivatives: one level per quad, from differences along one row and one column. */
static void take_derivatives(const struct i965_samplers *s, const struct sim_sample *sample,
                             uint32_t value[NUM_ATTRIBUTES][16])
{
    const struct layout *l = layout_of(sample->type);
    unsigned row = s->upper_row ? 2 : 0;

    if (!l || !l->implicit)
        return;
    for (unsigned c = 0; c < 3; c++) {
        unsigned place = (unsigned)place_of_coord(l, c);
        if (place >= sample->num_params)
            continue;
        const uint32_t *x = sample->param[place];
        for (unsigned i = 0; i < sample->channels; i++) {
            unsigned quad = i & ~3u;
            value[DDX + c][i] = difference(x[quad + row + 1], x[quad + row]);
            value[DDY + c][i] = difference(x[quad + 2], x[quad]);
        }
    }
}

/* Stores the size of a level, then its layers, cubes or slices, and the number of levels. */
static void size_query(const struct cpu_texture *t, const struct target *target,
                       struct sim_sample *s)
{
    bool cubes = target->array && target->dims == 3, lines = target->array && target->dims == 1;
    for (unsigned i = 0; i < s->channels; i++) {
        uint32_t level = s->num_params ? s->param[0][i] : 0;
        bool exists = level < t->num_levels;
        const struct cpu_level *l = &t->level[exists ? level : 0];
        s->result[0][i] = exists ? l->width : 0;
        s->result[1][i] = !exists ? 0 : lines ? t->num_layers : l->height;
        s->result[2][i] = exists ? MAX2(l->depth, t->num_layers) / (cubes ? 6 : 1) : 0;
        s->result[3][i] = t->num_levels;
    }
}

static void run_kernel(struct i965_samplers *s, struct jit_kernel *kernel,
                       const struct cpu_stage_state *state, struct sim_sample *sample)
{
    uint32_t value[NUM_ATTRIBUTES][16] = {{0}}, index[32], clip_code[CPU_BATCH_VERTICES];
    float out[4][CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    float window[4][CPU_BATCH_VERTICES] __attribute__((aligned(64)));
    struct cpu_vs_args args = {
        .state = state,
        .index = index,
        .out = out[0],
        .clip_code = clip_code,
        .window = window[0],
        .count = sample->channels,
    };
    const void *argument = &args;

    memcpy(value, sample->param, sizeof sample->param);
    take_derivatives(s, sample, value);
    for (unsigned i = 0; i < 32; i++)
        index[i] = i % 16;
    for (unsigned i = 0; i < NUM_ATTRIBUTES; i++)
        args.stream[i] = (struct cpu_vertex_stream){(const uint8_t *)value[i], 4, 15, 1, 0};
    jit_run(jit_kernel_function(kernel), &argument);
    for (unsigned c = 0; c < 4; c++)
        memcpy(sample->result[c], out[c], sample->channels * 4);
}

bool i965_samplers_run(struct i965_samplers *s, const struct cpu_stage_state *state, unsigned unit,
                       struct sim_sample *sample)
{
    struct message m = {.type = sample->type,
                        .unit = unit,
                        .num_params = sample->num_params,
                        .gather_component = sample->gather_component};

    if (unit >= DRV_MAX_SAMPLERS || !state->texture[unit])
        return false;
    if (sample->type == SIM_RESINFO) {
        struct target target = {GLSL_SAMPLER_DIM_2D, 2, false};
        if (unit < s->units->num_samplers)
            target = target_of(&s->units->sampler[unit]);
        size_query(state->texture[unit], &target, sample);
        return true;
    }
    if (sample->type == SIM_SAMPLEINFO) {
        for (unsigned i = 0; i < sample->channels; i++)
            sample->result[0][i] = state->texture[unit]->num_samples;
        return true;
    }
    if (sample->type == SIM_LD_MCS) { /* Every sample is stored separately. */
        memset(sample->result, 0, sizeof sample->result);
        return true;
    }
    if (unit >= s->units->num_samplers)
        return false;
    memcpy(m.offset, sample->offset, sizeof m.offset);
    struct jit_kernel *kernel = find_kernel(s, &m);
    if (!kernel)
        return false;
    run_kernel(s, kernel, state, sample);
    return true;
}
