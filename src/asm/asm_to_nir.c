/* SPDX-License-Identifier: MIT */
/* Translates instructions to NIR (ARB_vertex_program 2.14.5, ARB_fragment_program 3.11.5).
 * Temporaries, address registers and results are local variables; nir_lower_vars_to_ssa turns them
 * into SSA values. */
#include <talloc.h>

#include "asm/asm_parser.h"
#include "nir/nir_state_tokens.h"
#include "nir/nir_builder.h"
#include "nir/nir_passes.h"

#define UNPLACED (~0u) /* driver_location of uniforms; src/gl assigns the offset */

struct translation {
    struct asm_parser *p;
    nir_builder b;
    nir_variable **temps, **addresses, **arrays; /* created on first use */
    nir_variable **results;                      /* indexed by slot */
    nir_variable *samplers[ASM_MAX_SAMPLERS];
};

/* --------------------------------------------------------------------------------- operands --- */

static nir_variable *local(struct translation *t, nir_variable **slot, const struct glsl_type *type)
{
    if (!*slot) {
        *slot = nir_local_variable_create(t->b.impl, type, "register");
        nir_builder start = nir_builder_at(nir_before_impl(t->b.impl));
        if (glsl_type_is_vector_or_scalar(type))
            nir_store_var(&start, *slot, nir_imm_zero(&start, type->vector_elements, 32),
                          BITFIELD_MASK(type->vector_elements));
        /* The initialization may have been inserted at the cursor. */
        t->b.cursor = nir_after_cf_list(&t->b.impl->body);
    }
    return *slot;
}

static nir_variable *state_uniform(struct translation *t, const struct asm_param *param)
{
    nir_shader *shader = t->b.shader;
    nir_foreach_uniform_variable(var, shader)
    {
        if (var->num_state_slots == 1 &&
            !memcmp(var->state_slots[0].tokens, param->tokens, sizeof param->tokens))
            return var;
    }
    nir_variable *var = nir_variable_create(shader, nir_var_uniform, glsl_vec4_type(), "parameter");
    var->data.driver_location = UNPLACED;
    var->data.location = -1;
    var->state_slots = talloc_zero(var, nir_state_slot);
    var->num_state_slots = 1;
    memcpy(var->state_slots[0].tokens, param->tokens, sizeof param->tokens);
    return var;
}

static nir_def *parameter(struct translation *t, unsigned index)
{
    const struct asm_param *param = &t->p->params.data[index];
    const float *v = param->value;
    return param->constant ? nir_imm_vec4(&t->b, v[0], v[1], v[2], v[3])
                           : nir_load_var(&t->b, state_uniform(t, param));
}

/* Returns the variable of an array with relative addressing: a uniform if it contains only state,
 * else a copy. */
static nir_variable *parameter_array(struct translation *t, unsigned index)
{
    const struct asm_array *a = &t->p->arrays.data[index];
    const struct glsl_type *type = glsl_array_type(t->b.shader, glsl_vec4_type(), a->length, 0);
    bool constant = false;
    if (t->arrays[index])
        return t->arrays[index];
    for (unsigned i = 0; i < a->length; i++)
        constant |= t->p->params.data[a->params[i]].constant;
    if (!constant) {
        nir_variable *var = nir_variable_create(t->b.shader, nir_var_uniform, type, "parameters");
        var->data.driver_location = UNPLACED;
        var->data.location = -1;
        var->state_slots = talloc_zero_array(var, nir_state_slot, a->length);
        var->num_state_slots = a->length;
        for (unsigned i = 0; i < a->length; i++)
            memcpy(var->state_slots[i].tokens, t->p->params.data[a->params[i]].tokens,
                   sizeof var->state_slots[i].tokens);
        return t->arrays[index] = var;
    }
    nir_variable *var = t->arrays[index] = nir_local_variable_create(t->b.impl, type, "parameters");
    for (unsigned i = 0; i < a->length; i++) {
        nir_deref_instr *deref = nir_build_deref_var(&t->b, var);
        nir_store_deref(&t->b, nir_build_deref_array_imm(&t->b, deref, i),
                        parameter(t, a->params[i]), 0xf);
    }
    return var;
}

static nir_def *relative(struct translation *t, const struct asm_source *src)
{
    nir_builder *b = &t->b;
    unsigned last = t->p->arrays.data[src->reg.index].length - 1;
    nir_def *index = nir_load_var(b, local(t, &t->addresses[src->address], glsl_int_type()));
    index = nir_imin_imm(b, nir_imax_imm(b, nir_iadd_imm(b, index, src->offset), 0), last);
    nir_deref_instr *array = nir_build_deref_var(b, parameter_array(t, src->reg.index));
    return nir_load_deref(b, nir_build_deref_array(b, array, index));
}

static nir_def *attribute(struct translation *t, unsigned slot)
{
    nir_variable *var = nir_find_variable_with_location(t->b.shader, nir_var_shader_in, (int)slot);
    if (!var) {
        var = nir_variable_create(t->b.shader, nir_var_shader_in, glsl_vec4_type(), "attribute");
        var->data.location = slot;
    }
    return nir_load_var(&t->b, var);
}

/* Applies the definitions of fragment.fogcoord, (f, 0, 0, 1), and of fragment.position, the window
 * position. */
static nir_def *fragment_attribute(struct translation *t, unsigned slot)
{
    nir_builder *b = &t->b;
    if (slot == VARYING_SLOT_POS)
        return nir_load_frag_coord(b);
    nir_def *value = attribute(t, slot);
    if (slot != VARYING_SLOT_FOGC)
        return value;
    nir_def *zero = nir_imm_float(b, 0.0f);
    return nir_vec4(b, nir_channel(b, value, 0), zero, zero, nir_imm_float(b, 1.0f));
}

static nir_def *load(struct translation *t, const struct asm_source *src)
{
    nir_builder *b = &t->b;
    nir_def *value;
    switch (src->reg.file) {
    case ASM_FILE_TEMP:
        value = nir_load_var(b, local(t, &t->temps[src->reg.index], glsl_vec4_type()));
        break;
    case ASM_FILE_ATTRIB:
        value = t->p->stage == SHADER_VERTEX ? attribute(t, src->reg.index)
                                             : fragment_attribute(t, src->reg.index);
        break;
    case ASM_FILE_ARRAY:
        value = relative(t, src);
        break;
    default:
        value = parameter(t, src->reg.index);
        break;
    }
    nir_def *c[4];
    for (unsigned i = 0; i < 4; i++) {
        c[i] = src->select[i] == ASM_SELECT_ZERO  ? nir_imm_float(b, 0.0f)
               : src->select[i] == ASM_SELECT_ONE ? nir_imm_float(b, 1.0f)
                                                  : nir_channel(b, value, src->select[i]);
        if (src->negate >> i & 1)
            c[i] = nir_fneg(b, c[i]);
    }
    return nir_vec(b, c, 4);
}

static unsigned result_components(const struct translation *t, unsigned slot)
{
    bool scalar =
        t->p->stage == SHADER_VERTEX ? slot == VARYING_SLOT_PSIZ : slot == FRAG_RESULT_DEPTH;
    return scalar ? 1 : 4;
}

static void store(struct translation *t, const struct asm_inst *inst, nir_def *value)
{
    nir_variable **slot =
        inst->dst.file == ASM_FILE_TEMP ? &t->temps[inst->dst.index] : &t->results[inst->dst.index];
    if (inst->saturate)
        value = nir_fsat(&t->b, value);
    if (value->num_components == 1)
        value = nir_vec_broadcast(&t->b, value, 4);
    nir_store_var(&t->b, local(t, slot, glsl_vec4_type()), value, inst->mask);
}

/* ----------------------------------------------------------------------------- instructions --- */

static nir_def *dot(nir_builder *b, nir_def *x, nir_def *y, unsigned n)
{
    return nir_fdot(b, nir_trim_vector(b, x, n), nir_trim_vector(b, y, n));
}

static nir_def *cross(nir_builder *b, nir_def *x, nir_def *y)
{
    static const unsigned yzx[] = {1, 2, 0, 3}, zxy[] = {2, 0, 1, 3};
    nir_def *left = nir_fmul(b, nir_swizzle(b, x, yzx, 4), nir_swizzle(b, y, zxy, 4));
    nir_def *right = nir_fmul(b, nir_swizzle(b, x, zxy, 4), nir_swizzle(b, y, yzx, 4));
    return nir_fsub(b, left, right);
}

static nir_def *power(nir_builder *b, nir_def *x, nir_def *y)
{
    return nir_fpow(b, x, y);
}

/* Computes lighting coefficients. The exponent is clamped to (-128, 128), and pow(0, 0) is 1. */
static nir_def *lit(nir_builder *b, nir_def *v)
{
    nir_def *diffuse = nir_fmax_imm(b, nir_channel(b, v, 0), 0.0);
    nir_def *specular = nir_fmax_imm(b, nir_channel(b, v, 1), 0.0);
    nir_def *exponent =
        nir_fmin_imm(b, nir_fmax_imm(b, nir_channel(b, v, 3), -127.99999), 127.99999);
    nir_def *one = nir_imm_float(b, 1.0f), *zero = nir_imm_float(b, 0.0f);
    nir_def *pow = nir_select(b, nir_feq_imm(b, exponent, 0.0), one, power(b, specular, exponent));
    pow = nir_select(b, nir_flt(b, zero, diffuse), pow, zero);
    return nir_vec4(b, one, diffuse, pow, one);
}

static nir_def *distance_vector(nir_builder *b, nir_def *x, nir_def *y)
{
    return nir_vec4(b, nir_imm_float(b, 1.0f),
                    nir_fmul(b, nir_channel(b, x, 1), nir_channel(b, y, 1)), nir_channel(b, x, 2),
                    nir_channel(b, y, 3));
}

static nir_def *partial_exp(nir_builder *b, nir_def *x)
{
    nir_def *floor = nir_ffloor(b, x);
    return nir_vec4(b, nir_fexp2(b, floor), nir_fsub(b, x, floor), nir_fexp2(b, x),
                    nir_imm_float(b, 1.0f));
}

static nir_def *partial_log(nir_builder *b, nir_def *x)
{
    x = nir_fabs(b, x);
    nir_def *log = nir_flog2(b, x), *floor = nir_ffloor(b, log);
    return nir_vec4(b, floor, nir_fmul(b, x, nir_fexp2(b, nir_fneg(b, floor))), log,
                    nir_imm_float(b, 1.0f));
}

static nir_def *sine_cosine(nir_builder *b, nir_def *x)
{
    nir_def *zero = nir_imm_float(b, 0.0f);
    return nir_vec4(b, nir_fcos(b, x), nir_fsin(b, x), zero, zero);
}

static nir_def *compute(struct translation *t, enum asm_op op, nir_def **s)
{
    nir_builder *b = &t->b;
    nir_def *x = asm_op_infos[op].scalar ? nir_channel(b, s[0], 0) : s[0];
    switch (op) {
    case ASM_ABS:
        return nir_fabs(b, x);
    case ASM_ADD:
        return nir_fadd(b, x, s[1]);
    case ASM_CMP:
        return nir_select(b, nir_flt_imm(b, x, 0.0), s[1], s[2]);
    case ASM_COS:
        return nir_fcos(b, x);
    case ASM_DP3:
        return dot(b, x, s[1], 3);
    case ASM_DP4:
        return dot(b, x, s[1], 4);
    case ASM_DPH:
        return nir_fadd(b, dot(b, x, s[1], 3), nir_channel(b, s[1], 3));
    case ASM_DST:
        return distance_vector(b, x, s[1]);
    case ASM_EX2:
        return nir_fexp2(b, x);
    case ASM_EXP:
        return partial_exp(b, x);
    case ASM_FLR:
        return nir_ffloor(b, x);
    case ASM_FRC:
        return nir_ffract(b, x);
    case ASM_LG2:
        return nir_flog2(b, x);
    case ASM_LIT:
        return lit(b, x);
    case ASM_LOG:
        return partial_log(b, x);
    case ASM_LRP:
        return nir_fadd(b, nir_fmul(b, x, s[1]), nir_fmul(b, nir_fsub_imm(b, 1.0, x), s[2]));
    case ASM_MAD:
        return nir_fadd(b, nir_fmul(b, x, s[1]), s[2]);
    case ASM_MAX:
        return nir_fmax(b, x, s[1]);
    case ASM_MIN:
        return nir_fmin(b, x, s[1]);
    case ASM_MUL:
        return nir_fmul(b, x, s[1]);
    case ASM_POW:
        return power(b, x, nir_channel(b, s[1], 0));
    case ASM_RCP:
        return nir_frcp(b, x);
    case ASM_RSQ: /* of the absolute value */
        return nir_frsq(b, nir_fabs(b, x));
    case ASM_SCS:
        return sine_cosine(b, x);
    case ASM_SGE:
        return nir_b2fN(b, nir_fge(b, x, s[1]), 32);
    case ASM_SIN:
        return nir_fsin(b, x);
    case ASM_SLT:
        return nir_b2fN(b, nir_flt(b, x, s[1]), 32);
    case ASM_SUB:
        return nir_fsub(b, x, s[1]);
    case ASM_XPD:
        return cross(b, x, s[1]);
    default: /* MOV, SWZ */
        return x;
    }
}

static nir_variable *sampler(struct translation *t, const struct asm_inst *inst)
{
    nir_variable **var = &t->samplers[inst->unit];
    if (!*var) {
        *var = nir_variable_create(
            t->b.shader, nir_var_uniform,
            glsl_sampler_type(inst->dim, inst->shadow, false, GLSL_TYPE_FLOAT), "texture");
        (*var)->data.binding = inst->unit;
    }
    return *var;
}

static void sample(struct translation *t, const struct asm_inst *inst, nir_def *coord)
{
    nir_builder *b = &t->b;
    unsigned n = inst->dim == GLSL_SAMPLER_DIM_1D                                         ? 1
                 : inst->dim == GLSL_SAMPLER_DIM_3D || inst->dim == GLSL_SAMPLER_DIM_CUBE ? 3
                                                                                          : 2;
    nir_def *w = nir_channel(b, coord, 3);
    if (inst->op == ASM_TXP)
        coord = nir_fmul(b, coord, nir_vec_broadcast(b, nir_frcp(b, w), 4));
    nir_deref_instr *deref = nir_build_deref_var(b, sampler(t, inst));
    unsigned sources = 3 + inst->shadow + (inst->op == ASM_TXB), i = 3;
    nir_tex_instr *tex = nir_tex_instr_create(b->shader, sources);
    tex->op = inst->op == ASM_TXB ? nir_texop_txb : nir_texop_tex;
    tex->sampler_dim = inst->dim;
    tex->dest_type = nir_type_float32;
    tex->coord_components = n;
    tex->is_shadow = inst->shadow;
    tex->src[0] = (nir_tex_src){nir_src_for_ssa(&deref->def), nir_tex_src_texture_deref};
    tex->src[1] = (nir_tex_src){nir_src_for_ssa(&deref->def), nir_tex_src_sampler_deref};
    tex->src[2] = (nir_tex_src){nir_src_for_ssa(nir_trim_vector(b, coord, n)), nir_tex_src_coord};
    if (inst->shadow)
        tex->src[i++] =
            (nir_tex_src){nir_src_for_ssa(nir_channel(b, coord, 2)), nir_tex_src_comparator};
    if (inst->op == ASM_TXB)
        tex->src[i++] = (nir_tex_src){nir_src_for_ssa(w), nir_tex_src_bias};
    nir_def_init(&tex->instr, &tex->def, 4, 32);
    nir_builder_instr_insert(b, &tex->instr);
    store(t, inst, &tex->def);
}

static void instruction(struct translation *t, const struct asm_inst *inst)
{
    nir_builder *b = &t->b;
    nir_def *s[3] = {0};
    for (unsigned i = 0; i < asm_op_infos[inst->op].sources; i++)
        s[i] = load(t, &inst->src[i]);
    switch (inst->op) {
    case ASM_ARL:
        nir_store_var(b, local(t, &t->addresses[inst->dst.index], glsl_int_type()),
                      nir_f2i32(b, nir_ffloor(b, nir_channel(b, s[0], 0))), 1);
        break;
    case ASM_KIL:
        nir_discard_if(b, nir_bany(b, nir_flt_imm(b, s[0], 0.0)));
        break;
    case ASM_TEX:
    case ASM_TXB:
    case ASM_TXP:
        sample(t, inst, s[0]);
        break;
    default:
        store(t, inst, compute(t, inst->op, s));
        break;
    }
}

/* --------------------------------------------------------------------- fixed-function parts --- */

static nir_def *state4(struct translation *t, int kind, int property, int last)
{
    struct asm_param param = {.tokens = {kind, 0, property, last}};
    return nir_load_var(&t->b, state_uniform(t, &param));
}

/* OPTION ARB_position_invariant: computes the same operations in the same order as fixed
 * function, without fusing any. */
static nir_def *invariant_position(struct translation *t)
{
    nir_builder *b = &t->b;
    nir_def *v = attribute(t, VERT_ATTRIB_POS), *sum = NULL;
    b->exact = true;
    for (unsigned c = 0; c < 4; c++) {
        nir_def *column = state4(t, STATE_MVP_MATRIX, c, c);
        nir_def *term = nir_fmul(b, column, nir_vec_broadcast(b, nir_channel(b, v, c), 4));
        sum = sum ? nir_fadd(b, sum, term) : term;
    }
    b->exact = false;
    return sum;
}

/* OPTION ARB_fog_*: applies fog to the color after the program (ARB_fragment_program
 * 3.11.4.5.1). */
static nir_def *fogged(struct translation *t, nir_def *color)
{
    nir_builder *b = &t->b;
    nir_def *c = nir_channel(b, attribute(t, VARYING_SLOT_FOGC), 0), *f;
    if (t->p->fog == ASM_FOG_LINEAR) { /* (end - c) / (end - start) */
        nir_def *k = state4(t, STATE_FOG, STATE_FOG_PARAMS, 0);
        f = nir_fmul(b, nir_fsub(b, nir_channel(b, k, 2), c), nir_channel(b, k, 3));
    } else {
        nir_def *k = state4(t, STATE_FOG, STATE_FOG_OPTIMIZED, 0);
        f = nir_fmul(b, c, nir_channel(b, k, t->p->fog == ASM_FOG_EXP ? 2 : 3));
        if (t->p->fog == ASM_FOG_EXP2)
            f = nir_fmul(b, f, f);
        f = nir_fexp2(b, nir_fneg(b, f));
    }
    f = nir_vec_broadcast(b, nir_fsat(b, f), 3);
    nir_def *fog = nir_trim_vector(b, state4(t, STATE_FOG, STATE_FOG_COLOR, 0), 3);
    nir_def *rgb = nir_fsat(b, nir_trim_vector(b, color, 3));
    rgb = nir_fadd(b, nir_fmul(b, rgb, f), nir_fmul(b, fog, nir_fsub_imm(b, 1.0, f)));
    return nir_vec4(b, nir_channel(b, rgb, 0), nir_channel(b, rgb, 1), nir_channel(b, rgb, 2),
                    nir_channel(b, color, 3));
}

static void write_result(struct translation *t, unsigned slot, nir_def *value)
{
    nir_builder *b = &t->b;
    bool vertex = t->p->stage == SHADER_VERTEX;
    unsigned n = result_components(t, slot);
    if (n == 1) /* depth is the third component, the point size the first */
        value = nir_channel(b, value, vertex ? 0 : 2);
    else if (!vertex && t->p->fog && (slot == FRAG_RESULT_COLOR || slot == FRAG_RESULT_DATA0))
        value = fogged(t, value);
    nir_variable *out =
        nir_variable_create(b->shader, nir_var_shader_out, glsl_vec_type(n), "result");
    out->data.location = slot;
    nir_store_var(b, out, value, BITFIELD_MASK(n));
}

nir_shader *asm_to_nir(struct asm_parser *p)
{
    enum { SLOTS = 64 };
    struct translation t = {.p = p};
    t.temps = talloc_zero_array(p->mem_ctx, nir_variable *, MAX2(p->temporaries, 1));
    t.addresses = talloc_zero_array(p->mem_ctx, nir_variable *, MAX2(p->addresses, 1));
    t.arrays = talloc_zero_array(p->mem_ctx, nir_variable *, MAX2(p->arrays.count, 1));
    t.results = talloc_zero_array(p->mem_ctx, nir_variable *, SLOTS);
    if (!t.temps || !t.addresses || !t.arrays || !t.results)
        return NULL;
    t.b = nir_builder_init_simple_shader(p->program, p->stage, p->options->nir_options,
                                         p->stage == SHADER_VERTEX ? "ARB vp" : "ARB fp");
    for (unsigned i = 0; i < p->insts.count; i++)
        instruction(&t, &p->insts.data[i]);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        if (t.results[slot])
            write_result(&t, slot, nir_load_var(&t.b, t.results[slot]));
    if (p->position_invariant)
        write_result(&t, VARYING_SLOT_POS, invariant_position(&t));
    nir_shader *nir = t.b.shader;
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    nir_optimize(nir);
    NIR_PASS_V(nir, nir_lower_zero_comparisons);
    nir_remove_dead_variables(nir, nir_var_function_temp);
    nir_shader_gather_info(nir);
    if (p->stage == SHADER_FRAGMENT) {
        nir->info.fs.origin_upper_left = p->origin_upper_left;
        nir->info.fs.pixel_center_integer = p->pixel_center_integer;
    }
    return nir;
}
