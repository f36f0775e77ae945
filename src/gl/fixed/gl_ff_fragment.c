/* SPDX-License-Identifier: MIT */
/* Fixed-function fragment processing as NIR: texture environment (GL 2.1 §3.8.13), color sum (§3.9)
 * and fog (§3.10). There is one program per key. */
#include "gl/fixed/gl_ff_fragment.h"

#include "gl/context/gl_context.h"
#include "gl/fixed/gl_ati_shader.h"
#include "gl/fixed/gl_ff.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/program/gl_program.h"
#include "gl/texture/gl_texture.h"
#include "nir/nir_state_tokens.h"

enum { ENV_MODULATE, ENV_DECAL, ENV_BLEND, ENV_REPLACE, ENV_ADD, ENV_COMBINE, ENV_COMBINE4 };
enum { BASE_RGBA, BASE_RGB, BASE_ALPHA, BASE_LUMINANCE, BASE_LUMINANCE_ALPHA, BASE_INTENSITY };
enum {
    OP_REPLACE,
    OP_MODULATE,
    OP_ADD,
    OP_ADD_SIGNED,
    OP_INTERPOLATE,
    OP_SUBTRACT,
    OP_DOT3_RGB,
    OP_DOT3_RGBA,
    OP_MODULATE_ADD, /* ATI_texture_env_combine3 */
    OP_MODULATE_SIGNED_ADD,
    OP_MODULATE_SUBTRACT,
    OP_PRODUCTS, /* NV_texture_env_combine4: a0 a1 + a2 a3 */
    OP_PRODUCTS_SIGNED,
};
enum { SRC_TEXTURE, SRC_CONSTANT, SRC_PRIMARY, SRC_PREVIOUS, SRC_ZERO, SRC_ONE, SRC_TEXTURE0 };
enum { OPERAND_COLOR, OPERAND_ONE_MINUS_COLOR, OPERAND_ALPHA, OPERAND_ONE_MINUS_ALPHA };

/* -------------------------------------------------------------------------------------- key --- */

static uint8_t mode_key(GLenum mode)
{
    switch (mode) {
    case GL_DECAL:
        return ENV_DECAL;
    case GL_BLEND:
        return ENV_BLEND;
    case GL_REPLACE:
        return ENV_REPLACE;
    case GL_ADD:
        return ENV_ADD;
    case GL_COMBINE:
        return ENV_COMBINE;
    case GL_COMBINE4_NV:
        return ENV_COMBINE4;
    default:
        return ENV_MODULATE;
    }
}

static uint8_t base_key(GLenum base, GLenum depth_mode)
{
    if (gl_base_is_depth(base))
        base = depth_mode;
    switch (base) {
    case GL_RGB:
    case GL_RG:
    case GL_RED:
        return BASE_RGB;
    case GL_ALPHA:
        return BASE_ALPHA;
    case GL_LUMINANCE:
        return BASE_LUMINANCE;
    case GL_LUMINANCE_ALPHA:
        return BASE_LUMINANCE_ALPHA;
    case GL_INTENSITY:
        return BASE_INTENSITY;
    default:
        return BASE_RGBA;
    }
}

static uint8_t op_key(uint8_t mode, GLenum op)
{
    if (mode == ENV_COMBINE4) /* other modes are undefined */
        return op == GL_ADD_SIGNED ? OP_PRODUCTS_SIGNED : OP_PRODUCTS;
    switch (op) {
    case GL_MODULATE_ADD_ATI:
        return OP_MODULATE_ADD;
    case GL_MODULATE_SIGNED_ADD_ATI:
        return OP_MODULATE_SIGNED_ADD;
    case GL_MODULATE_SUBTRACT_ATI:
        return OP_MODULATE_SUBTRACT;
    case GL_REPLACE:
        return OP_REPLACE;
    case GL_ADD:
        return OP_ADD;
    case GL_ADD_SIGNED:
        return OP_ADD_SIGNED;
    case GL_INTERPOLATE:
        return OP_INTERPOLATE;
    case GL_SUBTRACT:
        return OP_SUBTRACT;
    case GL_DOT3_RGB:
    case GL_DOT3_RGB_EXT:
        return OP_DOT3_RGB;
    case GL_DOT3_RGBA:
    case GL_DOT3_RGBA_EXT:
        return OP_DOT3_RGBA;
    default:
        return OP_MODULATE;
    }
}

static uint8_t source_key(GLenum source)
{
    switch (source) {
    case GL_TEXTURE:
        return SRC_TEXTURE;
    case GL_CONSTANT:
        return SRC_CONSTANT;
    case GL_PRIMARY_COLOR:
        return SRC_PRIMARY;
    case GL_PREVIOUS:
        return SRC_PREVIOUS;
    case GL_ZERO:
        return SRC_ZERO;
    case GL_ONE:
        return SRC_ONE;
    default:
        return SRC_TEXTURE0 + (source - GL_TEXTURE0);
    }
}

static uint8_t operand_key(GLenum operand)
{
    switch (operand) {
    case GL_ONE_MINUS_SRC_COLOR:
        return OPERAND_ONE_MINUS_COLOR;
    case GL_SRC_ALPHA:
        return OPERAND_ALPHA;
    case GL_ONE_MINUS_SRC_ALPHA:
        return OPERAND_ONE_MINUS_ALPHA;
    default:
        return OPERAND_COLOR;
    }
}

static unsigned op_sources(uint8_t op)
{
    switch (op) {
    case OP_REPLACE:
        return 1;
    case OP_INTERPOLATE:
    case OP_MODULATE_ADD:
    case OP_MODULATE_SIGNED_ADD:
    case OP_MODULATE_SUBTRACT:
        return 3;
    case OP_PRODUCTS:
    case OP_PRODUCTS_SIGNED:
        return 4;
    default:
        return 2;
    }
}

static uint8_t shift_key(float scale)
{
    return scale == 4.0f ? 2 : scale == 2.0f ? 1 : 0;
}

static void unit_key(struct gl_context *ctx, unsigned u, int target, struct gl_ff_env *e)
{
    const struct gl_texenv_unit *unit = &ctx->texenv.unit[u];
    const struct gl_texture *t = ctx->texture.unit[u].bound[target];
    const struct gl_image *image =
        &t->image[0][CLAMP(t->base_level, 0, DRV_MAX_TEXTURE_LEVELS - 1)];
    const struct gl_sampler *sampler = ctx->texture.unit[u].sampler;
    const struct gl_sampler_params *params = sampler ? &sampler->params : &t->params;
    e->target = target + 1;
    e->shadow = gl_base_is_depth(image->base) && params->compare_mode == GL_COMPARE_REF_TO_TEXTURE;
    e->mode = mode_key(unit->mode);
    e->base = base_key(image->base, t->depth_mode);
    if (e->mode != ENV_COMBINE && e->mode != ENV_COMBINE4)
        return;
    e->rgb_op = op_key(e->mode, unit->combine_rgb);
    e->alpha_op = op_key(e->mode, unit->combine_alpha);
    /* EXT_texture_env_dot3: unlike in ARB_texture_env_dot3, dot products are not scaled. */
    if (unit->combine_rgb != GL_DOT3_RGB_EXT && unit->combine_rgb != GL_DOT3_RGBA_EXT)
        e->rgb_shift = shift_key(unit->rgb_scale);
    e->alpha_shift = shift_key(unit->alpha_scale);
    for (unsigned i = 0; i < op_sources(e->rgb_op); i++) {
        e->rgb_source[i] = source_key(unit->source_rgb[i]);
        e->rgb_operand[i] = operand_key(unit->operand_rgb[i]);
    }
    for (unsigned i = 0; i < op_sources(e->alpha_op); i++) {
        e->alpha_source[i] = source_key(unit->source_alpha[i]);
        e->alpha_operand[i] = operand_key(unit->operand_alpha[i]);
    }
}

void gl_ff_fragment_key_init(const struct gl_context *ctx, struct gl_ff_fragment_key *k)
{
    memset(k, 0, sizeof *k);
    k->fog = !ctx->fog.enabled            ? 0
             : ctx->fog.mode == GL_LINEAR ? 1
             : ctx->fog.mode == GL_EXP    ? 2
                                          : 3;
}

static void make_key(struct gl_context *ctx, struct gl_ff_fragment_key *k)
{
    gl_ff_fragment_key_init(ctx, k);
    k->clamp = gl_clamps_fragments(ctx);
    /* GL 4.6 compatibility §16.3: lighting enables the sum only if it computes the colors. */
    k->color_sum = ctx->fog.color_sum || (ctx->light.enabled && gl_ff_processes_vertices(ctx) &&
                                          ctx->light.color_control == GL_SEPARATE_SPECULAR_COLOR);
    for (int u = 0; u < ctx->consts.max_texture_units; u++) {
        int target = gl_ff_unit_target(ctx, u);
        if (target >= 0)
            unit_key(ctx, u, target, &k->unit[u]);
    }
}

/* --------------------------------------------------------------------------------- building --- */

struct build {
    nir_builder b;
    const struct gl_ff_fragment_key *key;
    nir_def *primary, *previous;
    nir_def *texel[GL_MAX_TEXTURE_COORD_UNITS];
};

nir_def *gl_ff_state(nir_builder *b, int a, int i, int j)
{
    int16_t tokens[5] = {a, i, j, 0, 0};
    return nir_load_var(b, gl_state_uniform(b->shader, tokens));
}

nir_def *gl_ff_input(nir_builder *b, unsigned slot)
{
    nir_variable *v = nir_variable_create(b->shader, nir_var_shader_in, glsl_vec4_type(), NULL);
    v->data.location = slot;
    return nir_load_var(b, v);
}

static const struct {
    enum glsl_sampler_dim dim;
    uint8_t components;
    bool array;
} targets[GL_TEXTURE_INDEX_COUNT] = {
    [GL_TEXTURE_INDEX_1D] = {GLSL_SAMPLER_DIM_1D, 1},
    [GL_TEXTURE_INDEX_2D] = {GLSL_SAMPLER_DIM_2D, 2},
    [GL_TEXTURE_INDEX_RECT] = {GLSL_SAMPLER_DIM_RECT, 2},
    [GL_TEXTURE_INDEX_3D] = {GLSL_SAMPLER_DIM_3D, 3},
    [GL_TEXTURE_INDEX_CUBE] = {GLSL_SAMPLER_DIM_CUBE, 3},
    [GL_TEXTURE_INDEX_EXTERNAL] = {GLSL_SAMPLER_DIM_EXTERNAL, 2},
};

nir_def *gl_ff_sample(nir_builder *b, const struct gl_ff_fragment_key *key, unsigned u,
                      nir_def *coord)
{
    const struct gl_ff_env *e = &key->unit[u];
    enum glsl_sampler_dim dim = targets[e->target - 1].dim;
    unsigned n = targets[e->target - 1].components;
    nir_variable *v =
        nir_variable_create(b->shader, nir_var_uniform,
                            glsl_sampler_type(dim, e->shadow, false, GLSL_TYPE_FLOAT), NULL);
    v->data.binding = u;
    nir_deref_instr *deref = nir_build_deref_var(b, v);
    nir_tex_instr *tex = nir_tex_instr_create(b->shader, e->shadow ? 4 : 3);
    tex->op = nir_texop_tex;
    tex->sampler_dim = dim == GLSL_SAMPLER_DIM_EXTERNAL ? GLSL_SAMPLER_DIM_2D : dim;
    tex->dest_type = nir_type_float32;
    tex->coord_components = n;
    tex->is_shadow = e->shadow;
    tex->src[0] = (nir_tex_src){nir_src_for_ssa(&deref->def), nir_tex_src_texture_deref};
    tex->src[1] = (nir_tex_src){nir_src_for_ssa(&deref->def), nir_tex_src_sampler_deref};
    tex->src[2] = (nir_tex_src){nir_src_for_ssa(nir_trim_vector(b, coord, n)), nir_tex_src_coord};
    if (e->shadow)
        tex->src[3] =
            (nir_tex_src){nir_src_for_ssa(nir_channel(b, coord, 2)), nir_tex_src_comparator};
    nir_def_init(&tex->instr, &tex->def, 4, 32);
    nir_builder_instr_insert(b, &tex->instr);
    return &tex->def;
}

/* Samples a unit's texture at its own coordinates. */
static nir_def *sample(struct build *p, unsigned u)
{
    nir_builder *b = &p->b;
    nir_def *coord = gl_ff_input(b, VARYING_SLOT_TEX(u));
    nir_def *str = nir_trim_vector(b, coord, 3);
    if (targets[p->key->unit[u].target - 1].dim != GLSL_SAMPLER_DIM_CUBE)
        str = nir_fmul(b, str, nir_vec_broadcast(b, nir_frcp(b, nir_channel(b, coord, 3)), 3));
    return gl_ff_sample(b, p->key, u, str);
}

nir_def *gl_ff_with_alpha(nir_builder *b, nir_def *rgb, nir_def *alpha)
{
    nir_def *v[4] = {nir_channel(b, rgb, 0), nir_channel(b, rgb, 1), nir_channel(b, rgb, 2), alpha};
    return nir_vec(b, v, 4);
}

nir_def *gl_ff_mix(nir_builder *b, nir_def *x, nir_def *y, nir_def *t)
{
    return nir_fadd(b, nir_fmul(b, x, nir_fsub_imm(b, 1.0, t)), nir_fmul(b, y, t));
}

/* Applies the texture environment functions of GL 2.1 tables 3.22 and 3.23. Texels are already
 * swizzled by their base format (L, L, L, 1 and so on), so most cases are the same. */
static nir_def *environment(struct build *p, unsigned u)
{
    nir_builder *b = &p->b;
    const struct gl_ff_env *e = &p->key->unit[u];
    nir_def *cf = nir_trim_vector(b, p->previous, 3), *af = nir_channel(b, p->previous, 3);
    nir_def *cs = nir_trim_vector(b, p->texel[u], 3), *as = nir_channel(b, p->texel[u], 3);
    bool has_color = e->base != BASE_ALPHA;
    bool has_alpha = e->base != BASE_RGB && e->base != BASE_LUMINANCE;
    switch (e->mode) {
    case ENV_REPLACE:
        return gl_ff_with_alpha(b, has_color ? cs : cf, has_alpha ? as : af);
    case ENV_MODULATE:
        return gl_ff_with_alpha(b, has_color ? nir_fmul(b, cf, cs) : cf,
                                has_alpha ? nir_fmul(b, af, as) : af);
    case ENV_DECAL: /* undefined except for RGB and RGBA */
        if (e->base == BASE_RGBA)
            return gl_ff_with_alpha(b, gl_ff_mix(b, cf, cs, nir_vec_broadcast(b, as, 3)), af);
        return gl_ff_with_alpha(b, e->base == BASE_RGB ? cs : cf, af);
    case ENV_BLEND: {
        nir_def *cc = gl_ff_state(&p->b, STATE_TEXENV_COLOR, u, 0);
        nir_def *rgb = has_color ? gl_ff_mix(b, cf, nir_trim_vector(b, cc, 3), cs) : cf;
        nir_def *alpha = !has_alpha                  ? af
                         : e->base == BASE_INTENSITY ? gl_ff_mix(b, af, nir_channel(b, cc, 3), as)
                                                     : nir_fmul(b, af, as);
        return gl_ff_with_alpha(b, rgb, alpha);
    }
    default: { /* GL_ADD */
        nir_def *rgb = has_color ? nir_fadd(b, cf, cs) : cf;
        nir_def *alpha = !has_alpha                  ? af
                         : e->base == BASE_INTENSITY ? nir_fadd(b, af, as)
                                                     : nir_fmul(b, af, as);
        return gl_ff_with_alpha(b, rgb, alpha);
    }
    }
}

static nir_def *combine_source(struct build *p, unsigned u, uint8_t source)
{
    nir_builder *b = &p->b;
    switch (source) {
    case SRC_TEXTURE:
        return p->texel[u];
    case SRC_CONSTANT:
        return gl_ff_state(&p->b, STATE_TEXENV_COLOR, u, 0);
    case SRC_PRIMARY:
        return p->primary;
    case SRC_PREVIOUS:
        return p->previous;
    case SRC_ZERO:
        return nir_imm_vec4(b, 0, 0, 0, 0);
    case SRC_ONE:
        return nir_imm_vec4(b, 1, 1, 1, 1);
    /* texture of another unit; if that unit is off: 1 for COMBINE4, otherwise undefined, here
     * black */
    default: {
        unsigned other = source - SRC_TEXTURE0;
        float off = p->key->unit[u].mode == ENV_COMBINE4 ? 1.0f : 0.0f;
        if (other >= GL_MAX_TEXTURE_COORD_UNITS || !p->key->unit[other].target)
            return nir_imm_vec4(b, off, off, off, 1);
        return p->texel[other];
    }
    }
}

/* Returns an argument with the requested number of components. */
static nir_def *argument(struct build *p, unsigned u, uint8_t source, uint8_t operand,
                         unsigned components)
{
    nir_builder *b = &p->b;
    nir_def *v = combine_source(p, u, source);
    bool alpha = operand == OPERAND_ALPHA || operand == OPERAND_ONE_MINUS_ALPHA || components == 1;
    v = alpha ? nir_vec_broadcast(b, nir_channel(b, v, 3), components) : nir_trim_vector(b, v, 3);
    if (operand == OPERAND_ONE_MINUS_COLOR || operand == OPERAND_ONE_MINUS_ALPHA)
        v = nir_fsub_imm(b, 1.0, v);
    return v;
}

static nir_def *combine_op(nir_builder *b, uint8_t op, nir_def *const a[4])
{
    switch (op) {
    case OP_REPLACE:
        return a[0];
    case OP_ADD:
        return nir_fadd(b, a[0], a[1]);
    case OP_ADD_SIGNED:
        return nir_fadd_imm(b, nir_fadd(b, a[0], a[1]), -0.5);
    case OP_INTERPOLATE:
        return gl_ff_mix(b, a[1], a[0], a[2]);
    case OP_SUBTRACT:
        return nir_fsub(b, a[0], a[1]);
    case OP_MODULATE_ADD:
        return nir_fadd(b, nir_fmul(b, a[0], a[2]), a[1]);
    case OP_MODULATE_SIGNED_ADD:
        return nir_fadd_imm(b, nir_fadd(b, nir_fmul(b, a[0], a[2]), a[1]), -0.5);
    case OP_MODULATE_SUBTRACT:
        return nir_fsub(b, nir_fmul(b, a[0], a[2]), a[1]);
    case OP_PRODUCTS:
    case OP_PRODUCTS_SIGNED: {
        nir_def *sum = nir_fadd(b, nir_fmul(b, a[0], a[1]), nir_fmul(b, a[2], a[3]));
        return op == OP_PRODUCTS ? sum : nir_fadd_imm(b, sum, -0.5);
    }
    case OP_DOT3_RGB:
    case OP_DOT3_RGBA: {
        nir_def *x = nir_fadd_imm(b, a[0], -0.5), *y = nir_fadd_imm(b, a[1], -0.5);
        return nir_vec_broadcast(b, nir_fmul_imm(b, nir_fdot3(b, x, y), 4.0), 3);
    }
    default:
        return nir_fmul(b, a[0], a[1]);
    }
}

/* Clamps a color only if fragment colors are clamped (ARB_color_buffer_float on GL 1.5's
 * §3.8.13). */
static nir_def *clamped(struct build *p, nir_def *color)
{
    return p->key->clamp ? nir_fsat(&p->b, color) : color;
}

static nir_def *combine(struct build *p, unsigned u)
{
    nir_builder *b = &p->b;
    const struct gl_ff_env *e = &p->key->unit[u];
    nir_def *rgb_args[4] = {0}, *alpha_args[4] = {0};
    for (unsigned i = 0; i < op_sources(e->rgb_op); i++)
        rgb_args[i] = argument(p, u, e->rgb_source[i], e->rgb_operand[i], 3);
    nir_def *rgb = combine_op(b, e->rgb_op, rgb_args);
    rgb = clamped(p, nir_fmul_imm(b, rgb, 1 << e->rgb_shift));
    if (e->rgb_op == OP_DOT3_RGBA)
        return gl_ff_with_alpha(b, rgb, nir_channel(b, rgb, 0));
    for (unsigned i = 0; i < op_sources(e->alpha_op); i++)
        alpha_args[i] = argument(p, u, e->alpha_source[i], e->alpha_operand[i], 1);
    nir_def *alpha = combine_op(b, e->alpha_op, alpha_args);
    return gl_ff_with_alpha(b, rgb, clamped(p, nir_fmul_imm(b, alpha, 1 << e->alpha_shift)));
}

static nir_def *fogged(nir_builder *b, const struct gl_ff_fragment_key *key, nir_def *color)
{
    nir_def *c = nir_channel(b, gl_ff_input(b, VARYING_SLOT_FOGC), 0), *f;
    if (key->fog == 1) { /* (end - c) / (end - start) */
        nir_def *k = gl_ff_state(b, STATE_FOG, 0, STATE_FOG_PARAMS);
        f = nir_fmul(b, nir_fsub(b, nir_channel(b, k, 2), c), nir_channel(b, k, 3));
    } else {
        nir_def *k = gl_ff_state(b, STATE_FOG, 0, STATE_FOG_OPTIMIZED);
        nir_def *t = nir_fmul(b, c, nir_channel(b, k, key->fog == 2 ? 2 : 3));
        if (key->fog == 3)
            t = nir_fmul(b, t, t);
        f = nir_fexp2(b, nir_fneg(b, t));
    }
    f = nir_vec_broadcast(b, nir_fsat(b, f), 3);
    nir_def *fog = nir_trim_vector(b, gl_ff_state(b, STATE_FOG, 0, STATE_FOG_COLOR), 3);
    return gl_ff_with_alpha(b, gl_ff_mix(b, fog, nir_trim_vector(b, color, 3), f),
                            nir_channel(b, color, 3));
}

void gl_ff_finish_fragment(nir_builder *b, const struct gl_ff_fragment_key *key, nir_def *color)
{
    nir_variable *out = nir_variable_create(b->shader, nir_var_shader_out, glsl_vec4_type(), NULL);
    out->data.location = FRAG_RESULT_COLOR;
    nir_store_var(b, out, key->fog ? fogged(b, key, color) : color, 0xf);
}

static nir_shader *build_program(struct gl_context *ctx, const void *data)
{
    const struct gl_ff_fragment_key *key = data;
    struct build p = {.key = key};
    p.b = nir_builder_init_simple_shader(
        NULL, SHADER_FRAGMENT, ctx->screen->nir_options[SHADER_FRAGMENT], "fixed-function fs");
    nir_builder *b = &p.b;
    p.primary = p.previous = gl_ff_input(b, VARYING_SLOT_COL0);
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++)
        if (key->unit[u].target)
            p.texel[u] = sample(&p, u);
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++) {
        if (!key->unit[u].target)
            continue;
        bool combined = key->unit[u].mode >= ENV_COMBINE;
        p.previous = combined ? combine(&p, u) : clamped(&p, environment(&p, u));
    }
    nir_def *color = p.previous;
    if (key->color_sum) {
        nir_def *sum = nir_fadd(b, nir_trim_vector(b, color, 3),
                                nir_trim_vector(b, gl_ff_input(b, VARYING_SLOT_COL1), 3));
        color = gl_ff_with_alpha(b, clamped(&p, sum), nir_channel(b, color, 3));
    }
    gl_ff_finish_fragment(b, key, color);
    return b->shader;
}

/* Sets the samplers; unit n's texture is sampler n. */
static void set_samplers(struct gl_stage *stage, const struct gl_ff_fragment_key *key)
{
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++) {
        if (!key->unit[u].target)
            continue;
        stage->sampler[u] = (struct gl_sampler_use){.used = true,
                                                    .shadow = key->unit[u].shadow,
                                                    .index = key->unit[u].target - 1,
                                                    .unit = u};
        stage->num_samplers = u + 1;
    }
}

struct gl_executable *gl_ff_find_fragment(struct gl_context *ctx, struct hash_table *table,
                                          const struct gl_ff_fragment_key *key, gl_ff_build build)
{
    struct gl_executable *exe = gl_ff_find(ctx, table, key, sizeof *key, build);
    if (exe && !exe->stage[SHADER_FRAGMENT]->num_samplers)
        set_samplers(exe->stage[SHADER_FRAGMENT], key);
    return exe;
}

struct gl_executable *gl_ff_fragment(struct gl_context *ctx)
{
    struct gl_ff_fragment_key key;
    struct gl_executable *exe;
    if (gl_ati_fragment(ctx, &exe))
        return exe;
    make_key(ctx, &key);
    return gl_ff_find_fragment(ctx, ctx->program.ff->fragment, &key, build_program);
}

bool gl_ff_keeps_colors(struct gl_context *ctx)
{
    struct gl_ff_fragment_key key;
    if (ctx->ati.enabled)
        return false;
    make_key(ctx, &key);
    bool keeps = !key.fog && !key.color_sum;
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++)
        keeps = keeps && !key.unit[u].target;
    return keeps;
}
