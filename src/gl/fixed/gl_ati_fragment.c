/* SPDX-License-Identifier: MIT */
/* ATI_fragment_shader: translates a definition to NIR. There is one program per combination of
 * texture targets and fog mode. */
#include "gl/context/gl_context.h"
#include "gl/fixed/gl_ati_shader.h"
#include "gl/fixed/gl_ff.h"
#include "gl/fixed/gl_ff_fragment.h"
#include "gl/program/gl_program.h"
#include "nir/nir_state_tokens.h"

struct build {
    nir_builder b;
    const struct gl_ff_fragment_key *key;
    const struct gl_ati_definition *definition;
    nir_def *reg[GL_ATI_REGISTERS];
    nir_def *input[VARYING_SLOT_TEX0 + GL_ATI_COORDS]; /* by slot; NULL until first read */
};

static nir_def *input(struct build *p, unsigned slot)
{
    if (!p->input[slot])
        p->input[slot] = gl_ff_input(&p->b, slot);
    return p->input[slot];
}

/* ---------------------------------------------------------------------------------- routing --- */

/* Returns three texture coordinates after the swizzle of table 3.20. */
static nir_def *routed_coord(struct build *p, const struct gl_ati_route *route,
                             nir_def *const before[GL_ATI_REGISTERS])
{
    nir_builder *b = &p->b;
    unsigned reg = route->source - GL_REG_0_ATI;
    nir_def *v = reg < GL_ATI_REGISTERS ? before[reg]
                                        : input(p, VARYING_SLOT_TEX(route->source - GL_TEXTURE0));
    bool q = route->swizzle == GL_SWIZZLE_STQ_ATI || route->swizzle == GL_SWIZZLE_STQ_DQ_ATI;
    nir_def *c[3] = {nir_channel(b, v, 0), nir_channel(b, v, 1), nir_channel(b, v, q ? 3 : 2)};
    if (route->swizzle == GL_SWIZZLE_STR_DR_ATI || route->swizzle == GL_SWIZZLE_STQ_DQ_ATI) {
        c[2] = nir_frcp(b, c[2]);
        c[0] = nir_fmul(b, c[0], c[2]);
        c[1] = nir_fmul(b, c[1], c[2]);
    }
    return nir_vec(b, c, 3);
}

/* Sets the registers at the start of a pass. Sources are the values from the previous pass. A
 * register that is not routed is undefined; it keeps its value here. The fourth component
 * of passed coordinates is 1. */
static void route_registers(struct build *p, const struct gl_ati_pass *pass)
{
    nir_builder *b = &p->b;
    nir_def *before[GL_ATI_REGISTERS];
    memcpy(before, p->reg, sizeof before);
    for (unsigned r = 0; r < GL_ATI_REGISTERS; r++) {
        const struct gl_ati_route *route = &pass->route[r];
        if (!route->source)
            continue;
        if (route->sample && !p->key->unit[r].target) { /* like an incomplete texture */
            p->reg[r] = nir_imm_vec4(b, 0, 0, 0, 1);
            continue;
        }
        nir_def *coord = routed_coord(p, route, before);
        p->reg[r] = route->sample ? gl_ff_sample(b, p->key, r, coord)
                                  : gl_ff_with_alpha(b, coord, nir_imm_float(b, 1));
    }
}

/* ------------------------------------------------------------------------------- arithmetic --- */

static nir_def *source(struct build *p, GLenum name)
{
    nir_builder *b = &p->b;
    unsigned reg = name - GL_REG_0_ATI, con = name - GL_CON_0_ATI;
    if (reg < GL_ATI_REGISTERS)
        return p->reg[reg];
    if (con < GL_ATI_CONSTANTS) {
        const float *v = p->definition->constant[con];
        return p->definition->local & 1u << con ? nir_imm_vec4(b, v[0], v[1], v[2], v[3])
                                                : gl_ff_state(b, STATE_ATI_CONSTANT, con, 0);
    }
    switch (name) {
    case GL_PRIMARY_COLOR:
        return input(p, VARYING_SLOT_COL0);
    case GL_SECONDARY_INTERPOLATOR_ATI:
        return input(p, VARYING_SLOT_COL1);
    default: {
        float x = name == GL_ONE;
        return nir_imm_vec4(b, x, x, x, x);
    }
    }
}

/* Applies the argument modifiers COMP, BIAS, 2X and NEGATE, in this order (tables 3.23 and
 * 3.24). */
static nir_def *argument(struct build *p, const struct gl_ati_argument *a)
{
    nir_builder *b = &p->b;
    nir_def *v = source(p, a->source);
    if (a->rep)
        v = nir_vec_broadcast(b, nir_channel(b, v, a->rep - GL_RED), 4);
    if (a->mod & GL_COMP_BIT_ATI)
        v = nir_fsub_imm(b, 1.0, v);
    if (a->mod & GL_BIAS_BIT_ATI)
        v = nir_fadd_imm(b, v, -0.5);
    if (a->mod & GL_2X_BIT_ATI)
        v = nir_fmul_imm(b, v, 2.0);
    return a->mod & GL_NEGATE_BIT_ATI ? nir_fneg(b, v) : v;
}

static nir_def *dot(nir_builder *b, nir_def *x, nir_def *y, unsigned n)
{
    return nir_fdot(b, nir_trim_vector(b, x, n), nir_trim_vector(b, y, n));
}

/* Computes all four components of the operation, before the destination modifier (table 3.21). */
static nir_def *result(struct build *p, const struct gl_ati_op *op)
{
    nir_builder *b = &p->b;
    nir_def *a[3];
    for (unsigned i = 0; i < 3; i++)
        a[i] = argument(p, &op->arg[i]);
    switch (op->op) {
    case GL_ADD_ATI:
        return nir_fadd(b, a[0], a[1]);
    case GL_SUB_ATI:
        return nir_fsub(b, a[0], a[1]);
    case GL_MUL_ATI:
        return nir_fmul(b, a[0], a[1]);
    case GL_MAD_ATI:
        return nir_fadd(b, nir_fmul(b, a[0], a[1]), a[2]);
    case GL_LERP_ATI:
        return gl_ff_mix(b, a[2], a[1], a[0]);
    case GL_CND_ATI: {
        nir_def *half = nir_vec_broadcast(b, nir_imm_float(b, 0.5), 4);
        return nir_bcsel(b, nir_flt(b, half, a[2]), a[0], a[1]);
    }
    case GL_CND0_ATI:
        return nir_bcsel(b, nir_fge(b, a[2], nir_imm_vec4(b, 0, 0, 0, 0)), a[0], a[1]);
    case GL_DOT2_ADD_ATI: {
        nir_def *sum = nir_fadd(b, dot(b, a[0], a[1], 2), nir_channel(b, a[2], 2));
        return nir_vec_broadcast(b, sum, 4);
    }
    case GL_DOT3_ATI:
    case GL_DOT4_ATI:
        return nir_vec_broadcast(b, dot(b, a[0], a[1], op->op == GL_DOT3_ATI ? 3 : 4), 4);
    default:
        return a[0];
    }
}

/* Applies the destination modifier (table 3.22). */
static nir_def *modified(nir_builder *b, GLbitfield mod, nir_def *v)
{
    static const struct {
        GLbitfield bit;
        double scale;
    } scales[] = {
        {GL_2X_BIT_ATI, 2.0},   {GL_4X_BIT_ATI, 4.0},       {GL_8X_BIT_ATI, 8.0},
        {GL_HALF_BIT_ATI, 0.5}, {GL_QUARTER_BIT_ATI, 0.25}, {GL_EIGHTH_BIT_ATI, 0.125},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(scales); i++)
        if (mod & scales[i].bit)
            v = nir_fmul_imm(b, v, scales[i].scale);
    return mod & GL_SATURATE_BIT_ATI ? nir_fsat(b, v) : v;
}

/* Writes the components in `mask` to a register. */
static void write(struct build *p, unsigned reg, unsigned mask, nir_def *v)
{
    nir_def *c[4];
    for (unsigned i = 0; i < 4; i++)
        c[i] = nir_channel(&p->b, mask & 1u << i ? v : p->reg[reg], i);
    p->reg[reg] = nir_vec(&p->b, c, 4);
}

/* Runs a color and an alpha instruction; both read before either writes. Dot products write the
 * color result to alpha (table 3.21). */
static void run_pair(struct build *p, const struct gl_ati_op pair[2])
{
    const struct gl_ati_op *color = &pair[GL_ATI_COLOR], *alpha = &pair[GL_ATI_ALPHA];
    nir_def *rgb = color->op ? result(p, color) : NULL, *a = NULL;
    if (alpha->op) {
        bool same =
            alpha->op == GL_DOT2_ADD_ATI || alpha->op == GL_DOT3_ATI || alpha->op == GL_DOT4_ATI;
        a = same ? rgb : result(p, alpha);
        a = modified(&p->b, alpha->mod, a);
    }
    if (rgb)
        write(p, color->dst, color->mask ? color->mask : 7, modified(&p->b, color->mod, rgb));
    if (a)
        write(p, alpha->dst, 8, a);
}

/* ---------------------------------------------------------------------------------- program --- */

static nir_shader *build_program(struct gl_context *ctx, const void *key)
{
    struct build p = {.key = key, .definition = &ctx->ati.current->definition};
    p.b = nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT,
                                         ctx->screen->nir_options[SHADER_FRAGMENT], "ATI fs");
    for (unsigned r = 0; r < GL_ATI_REGISTERS; r++)
        p.reg[r] = nir_imm_vec4(&p.b, 0, 0, 0, 0);
    for (unsigned i = 0; i < p.definition->passes; i++) {
        const struct gl_ati_pass *pass = &p.definition->pass[i];
        route_registers(&p, pass);
        for (unsigned j = 0; j < pass->pairs; j++)
            run_pair(&p, pass->pair[j]);
    }
    gl_ff_finish_fragment(&p.b, p.key, p.reg[0]);
    return p.b.shader;
}

/* Texture targets follow the enables of texture environments. Depth textures are never compared
 * (the extension's interaction with ARB_shadow). There is no color sum: the secondary color is a
 * source. */
bool gl_ati_fragment(struct gl_context *ctx, struct gl_executable **exe)
{
    struct gl_ati_shader *s = ctx->ati.current;
    struct gl_ff_fragment_key key;
    if (!ctx->ati.enabled || !s->valid)
        return false;
    gl_ff_fragment_key_init(ctx, &key);
    for (unsigned i = 0; i < s->definition.passes; i++)
        for (unsigned r = 0; r < GL_ATI_REGISTERS; r++)
            if (s->definition.pass[i].route[r].sample)
                key.unit[r].target = gl_ff_unit_target(ctx, r) + 1;
    if (!s->programs)
        s->programs = gl_ff_table(s);
    *exe = s->programs ? gl_ff_find_fragment(ctx, s->programs, &key, build_program) : NULL;
    return true;
}
