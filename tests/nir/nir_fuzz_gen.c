/* SPDX-License-Identifier: MIT */
/*
 * Generates random valid shaders: every ALU opcode at every bit size, variables, arrays and
 * structs, nested control flow with early exits, loops of many shapes, phis, and functions with
 * value and deref parameters.
 *
 * Usable values are in a pool; at the end of a scope, its values are removed. Each value has a
 * kind, because the bits of a NaN are unspecified.
 */
#include "nir_fuzz.h"

#include <math.h>
#include <talloc.h>

enum kind { KIND_FLOAT, KIND_INT, KIND_BOOL, NUM_KINDS };

struct value {
    nir_def *def;
    enum kind kind;
};

struct place { /* a variable that stores vectors */
    nir_variable *var;
    enum kind kind;
    unsigned bits, components, elements; /* elements: 0: not an array */
    unsigned inner; /* elements of an inner array or columns of a matrix; 0: none */
    bool in_struct; /* the value is field 0 of the element */
    bool read_only; /* written only by its initialization */
};

#define MAX_VALUES    512
#define MAX_PLACES    24
#define MAX_FUNCTIONS 3
#define MAX_DEPTH     5

struct gen {
    nir_builder b;
    struct fuzz_rng rng;
    struct fuzz_limits limits;
    nir_shader *shader;
    struct value values[MAX_VALUES];
    unsigned num_values;
    struct place places[MAX_PLACES];
    /* The first num_globals places are global; the others belong to the current function. */
    unsigned num_places, num_globals;
    nir_function *functions[MAX_FUNCTIONS];
    unsigned num_functions;
    nir_variable *out[2 * FUZZ_VECTORS];
    /* type of the last struct, so that structs can be copied */
    const struct glsl_type *struct_type;
    struct place struct_place;
    unsigned depth, loop_depth;
    int budget;
};

static unsigned rnd(struct gen *g, unsigned n)
{
    return fuzz_random(&g->rng, n);
}

static bool one_in(struct gen *g, unsigned n)
{
    return rnd(g, n) == 0;
}

static nir_def *keep(struct gen *g, nir_def *def, enum kind kind)
{
    struct value v = {def, kind};
    if (g->num_values < MAX_VALUES)
        g->values[g->num_values++] = v;
    return def;
}

/* ----------------------------------------------------------------------------- operands --- */

static double random_float(struct gen *g)
{
    static const double list[] = {0.0,  -0.0,   1.0,      -1.0,  0.5,        2.0,
                                  -2.5, 3.0,    0.1,      255.0, 65504.0,    1e-3,
                                  1e30, -1e-40, INFINITY, NAN,   16777216.0, -7.25};
    return one_in(g, 3) ? (double)rnd(g, 2000) / 64.0 - 15.0 : list[rnd(g, ARRAY_SIZE(list))];
}

static int64_t random_int(struct gen *g)
{
    static const int64_t list[] = {
        0,         1,         -1,         2,          3,     7,     8,         15,
        16,        31,        32,         33,         63,    64,    100,       127,
        128,       255,       256,        32767,      65535, 65536, INT32_MAX, INT32_MIN,
        INT64_MAX, INT64_MIN, 0x12345678, 0x00ff00ff, 10,    5};
    return one_in(g, 4) ? (int64_t)rnd(g, 1u << 30) - (1 << 29) : list[rnd(g, ARRAY_SIZE(list))];
}

static nir_def *constant(struct gen *g, enum kind kind, unsigned bits)
{
    nir_const_value v[4] = {0};
    unsigned n = one_in(g, 2) ? 1 : 1 + rnd(g, 4);
    for (unsigned c = 0; c < n; c++) {
        if (kind == KIND_FLOAT)
            v[c] = nir_const_value_for_float(random_float(g), bits);
        else if (kind == KIND_BOOL)
            v[c].b = one_in(g, 2);
        else
            v[c] = nir_const_value_for_int(random_int(g), bits);
    }
    return nir_build_imm(&g->b, n, bits, v);
}

static nir_def *to_size(struct gen *g, nir_def *def, enum kind kind, unsigned bits)
{
    if (def->bit_size == bits)
        return def;
    if (kind == KIND_FLOAT)
        return nir_f2fN(&g->b, def, bits);
    return one_in(g, 2) ? nir_i2iN(&g->b, def, bits) : nir_u2uN(&g->b, def, bits);
}

/* Returns a value of that kind and size, from the pool if it contains one. */
static nir_def *pick(struct gen *g, enum kind kind, unsigned bits)
{
    unsigned start = rnd(g, MAX2(g->num_values, 1));
    for (unsigned i = 0; i < g->num_values && !one_in(g, 40); i++) {
        /* Prefers the latest value half of the time. */
        const struct value *v = &g->values[(start + i) % g->num_values];
        if (v->kind == kind && v->def->bit_size == bits)
            return v->def;
    }
    if (one_in(g, 3) || kind == KIND_BOOL)
        return constant(g, kind, bits);
    for (unsigned i = 0; i < g->num_values; i++) {
        const struct value *v = &g->values[(start + i) % g->num_values];
        if (v->kind == kind)
            return keep(g, to_size(g, v->def, kind, bits), kind);
    }
    return constant(g, kind, bits);
}

/* Replaces NaN by 0. */
static nir_def *numbers_only(struct gen *g, nir_def *x)
{
    nir_builder *b = &g->b;
    nir_def *zero = nir_vec_broadcast(b, nir_imm_floatN_t(b, 0.0, x->bit_size), x->num_components);
    return nir_bcsel(b, nir_feq(b, x, x), x, zero);
}

static nir_def *pick_vector(struct gen *g, enum kind kind, unsigned bits, unsigned n)
{
    nir_def *def = pick(g, kind, bits);
    unsigned swizzle[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < n; c++)
        swizzle[c] = rnd(g, def->num_components);
    return nir_swizzle(&g->b, def, swizzle, n);
}

static nir_def *pick_scalar(struct gen *g, enum kind kind, unsigned bits)
{
    return pick_vector(g, kind, bits, 1);
}

static nir_def *condition(struct gen *g)
{
    nir_def *x = pick_scalar(g, KIND_BOOL, 1);
    if (!nir_src_is_const(nir_src_for_ssa(x)) || one_in(g, 8))
        return x;
    return nir_ilt(&g->b, pick_scalar(g, KIND_INT, 32), pick_scalar(g, KIND_INT, 32));
}

/* ------------------------------------------------------------------------------------- ALU --- */

static bool is_typeless(nir_op op)
{
    return op == nir_op_mov || nir_op_is_vec(op) || op == nir_op_bcsel || op == nir_op_b32csel;
}

/* Returns true for operations that the evaluator computes with more precision than halves have, so
 * that lowering changes the result. */
static bool rounds_once(nir_op op)
{
    switch (op) {
    case nir_op_flrp:
    case nir_op_fmod:
    case nir_op_frem:
    case nir_op_ffract:
    case nir_op_fdot2:
    case nir_op_fdot3:
    case nir_op_fdot4:
    case nir_op_ffma:
        return true;
    default:
        return false;
    }
}

static enum kind kind_of(nir_alu_type type)
{
    nir_alu_type base = nir_alu_type_get_base_type(type);
    return base == nir_type_float ? KIND_FLOAT : base == nir_type_bool ? KIND_BOOL : KIND_INT;
}

/* Returns a bit size for the types without a fixed size. */
static unsigned pick_size(struct gen *g, nir_op op, enum kind kind)
{
    static const unsigned floats[] = {32, 32, 16, 64}, ints[] = {32, 32, 8, 16, 64};
    if (kind == KIND_BOOL)
        return 1;
    if (kind == KIND_FLOAT)
        return rounds_once(op) ? (one_in(g, 3) ? 64 : 32) : floats[rnd(g, 4)];
    return ints[rnd(g, 5)];
}

/* Returns the kind of the sources without a fixed size, or of the result. */
static enum kind unsized_kind(struct gen *g, nir_op op)
{
    const nir_op_info *info = &nir_op_infos[op];
    if (is_typeless(op))
        return rnd(g, NUM_KINDS);
    for (unsigned s = 0; s < info->num_inputs; s++) {
        if (!nir_alu_type_get_type_size(info->input_types[s]))
            return kind_of(info->input_types[s]);
    }
    return kind_of(info->output_type);
}

static bool is_bitwise(nir_op op)
{
    return op == nir_op_iand || op == nir_op_ior || op == nir_op_ixor || op == nir_op_inot ||
           op == nir_op_ieq || op == nir_op_ine;
}

static nir_def *source(struct gen *g, nir_op op, unsigned s, enum kind unsized, unsigned bits,
                       unsigned n)
{
    const nir_op_info *info = &nir_op_infos[op];
    nir_alu_type type = info->input_types[s];
    unsigned size = nir_alu_type_get_type_size(type);
    enum kind kind = size ? kind_of(type) : unsized;
    nir_builder *b = &g->b;
    nir_def *x =
        pick_vector(g, kind, size ? size : bits, info->input_sizes[s] ? info->input_sizes[s] : n);
    /* fmin, fmax and fsign don't distinguish +0 and -0. */
    if (op == nir_op_fmin || op == nir_op_fmax || (op == nir_op_fsign && g->limits.takes))
        x = nir_fadd_imm(b, x, 0.0);
    if (kind == KIND_FLOAT && kind_of(info->output_type) == KIND_INT && !info->is_conversion)
        x = numbers_only(g, x);
    /* offset + bits beyond 32 is undefined. */
    if ((op == nir_op_bitfield_insert && s >= 2) ||
        ((op == nir_op_ubitfield_extract || op == nir_op_ibitfield_extract) && s >= 1))
        x = nir_iand_imm(b, x, 15);
    return x;
}

static void gen_alu(struct gen *g)
{
    nir_op op = rnd(g, nir_num_opcodes);
    const nir_op_info *info = &nir_op_infos[op];
    if (info->algebraic_properties & NIR_OP_IS_DERIVATIVE)
        return;
    enum kind unsized = unsized_kind(g, op);
    if (is_bitwise(op) && one_in(g, 3))
        unsized = KIND_BOOL;
    unsigned bits = pick_size(g, op, unsized), n = one_in(g, 2) ? 1 : 1 + rnd(g, 4);
    if (g->limits.takes && !g->limits.takes(op, bits))
        return;
    nir_def *srcs[NIR_ALU_MAX_INPUTS];
    for (unsigned s = 0; s < info->num_inputs; s++)
        srcs[s] = source(g, op, s, unsized, bits, n);
    nir_def *def = nir_build_alu(&g->b, op, srcs);
    enum kind kind = kind_of(info->output_type);
    if (is_typeless(op) || (is_bitwise(op) && kind == KIND_INT))
        kind = unsized;
    keep(g, def, kind);
}

/* ------------------------------------------------------------------------------- variables --- */

static const struct glsl_type *vector_type(enum kind kind, unsigned bits, unsigned n)
{
    enum glsl_base_type base = kind == KIND_FLOAT
                                   ? (bits == 64 ? GLSL_TYPE_DOUBLE : GLSL_TYPE_FLOAT)
                               : kind == KIND_BOOL ? GLSL_TYPE_BOOL
                               : bits == 64        ? GLSL_TYPE_INT64
                                                   : GLSL_TYPE_INT;
    return glsl_simple_type(base, n, 1);
}

static nir_deref_instr *step_into(struct gen *g, nir_deref_instr *d, unsigned count, bool indirect)
{
    nir_builder *b = &g->b;
    if (!count)
        return d;
    if (indirect && one_in(g, 3))
        return nir_build_deref_array(b, d,
                                     nir_umin_imm(b, pick_scalar(g, KIND_INT, 32), count - 1));
    return nir_build_deref_array_imm(b, d, rnd(g, count));
}

static nir_deref_instr *element_of(struct gen *g, const struct place *p, bool indirect)
{
    nir_deref_instr *d = step_into(g, nir_build_deref_var(&g->b, p->var), p->elements, indirect);
    if (p->in_struct)
        d = nir_build_deref_struct(&g->b, d, 0);
    return step_into(g, d, p->inner, indirect);
}

static nir_def *load_random(struct gen *g, nir_deref_instr *d, const struct place *p)
{
    if (p->components > 1 && one_in(g, 8))
        d = step_into(g, d, p->components, true);
    return nir_load_deref(&g->b, d);
}

static void store_random(struct gen *g, nir_deref_instr *d, const struct place *p)
{
    unsigned all = BITFIELD_MASK(p->components);
    if (p->components > 1 && one_in(g, 8)) {
        nir_store_deref(&g->b, step_into(g, d, p->components, true),
                        pick_scalar(g, p->kind, p->bits), 1);
        return;
    }
    nir_store_deref(&g->b, d, pick_vector(g, p->kind, p->bits, p->components),
                    one_in(g, 3) ? 1 + rnd(g, all) : all);
}

static void initialize(struct gen *g, const struct place *p)
{
    nir_builder *b = &g->b;
    bool constants = p->elements && one_in(g, 2);
    for (unsigned i = 0; i < MAX2(p->elements, 1) * MAX2(p->inner, 1); i++) {
        nir_deref_instr *d = nir_build_deref_var(b, p->var);
        if (p->elements)
            d = nir_build_deref_array_imm(b, d, i / MAX2(p->inner, 1));
        if (p->in_struct) {
            nir_store_deref(b, nir_build_deref_struct(b, d, 1), nir_imm_int(b, 1), 1);
            d = nir_build_deref_struct(b, d, 0);
        }
        if (p->inner)
            d = nir_build_deref_array_imm(b, d, i % p->inner);
        nir_def *x = pick_vector(g, p->kind, p->bits, p->components);
        if (constants) {
            nir_const_value v[4] = {0};
            for (unsigned c = 0; c < p->components; c++)
                v[c] = p->kind == KIND_FLOAT  ? nir_const_value_for_float(random_float(g), p->bits)
                       : p->kind == KIND_BOOL ? (nir_const_value){.u64 = one_in(g, 2)}
                                              : nir_const_value_for_int(random_int(g), p->bits);
            x = nir_build_imm(b, p->components, p->bits, v);
        }
        nir_store_deref(b, d, x, BITFIELD_MASK(p->components));
    }
}

/* Returns the type of the value in an element, inside of a struct if there is one. */
static const struct glsl_type *leaf_type(struct gen *g, struct place *p)
{
    const struct glsl_type *type = vector_type(p->kind, p->bits, p->components);
    if (!one_in(g, 4))
        return type;
    p->inner = 2 + rnd(g, 3);
    if (p->kind == KIND_FLOAT && p->components > 1 && one_in(g, 2))
        return glsl_simple_type(type->base_type, p->components, p->inner);
    return glsl_array_type(g->shader, type, p->inner, 0);
}

static void add_place(struct gen *g, bool global)
{
    if (g->num_places == MAX_PLACES)
        return;
    struct place p = {.kind = rnd(g, NUM_KINDS), .components = 1 + rnd(g, 4)};
    p.bits = p.kind == KIND_BOOL ? 1 : one_in(g, 4) && !g->limits.narrow_places ? 64 : 32;
    p.elements = one_in(g, 3) ? 2 + rnd(g, 5) : 0;
    p.in_struct = one_in(g, 5);
    p.read_only = p.elements && one_in(g, 2);
    const struct glsl_type *type = leaf_type(g, &p);
    if (p.in_struct && g->struct_type && one_in(g, 2)) {
        type = g->struct_type;
        p.kind = g->struct_place.kind;
        p.bits = g->struct_place.bits;
        p.components = g->struct_place.components;
        p.inner = g->struct_place.inner;
    } else if (p.in_struct) {
        struct glsl_struct_field fields[2] = {
            {.type = type, .name = "x", .location = -1, .component = -1, .offset = -1},
            {.type = glsl_int_type(), .name = "y", .location = -1, .component = -1, .offset = -1},
        };
        type = g->struct_type = glsl_struct_type(g->shader, fields, 2, "S");
        g->struct_place = p;
    }
    if (p.elements)
        type = glsl_array_type(g->shader, type, p.elements, 0);
    p.var = global ? nir_variable_create(g->shader, nir_var_shader_temp, type, "g")
                   : nir_local_variable_create(g->b.impl, type, "l");
    initialize(g, &p);
    g->places[g->num_places++] = p;
}

static struct place *pick_place(struct gen *g)
{
    return &g->places[rnd(g, g->num_places)];
}

static void gen_copy(struct gen *g)
{
    struct place *p = pick_place(g);
    for (unsigned i = 0; i < g->num_places; i++) {
        struct place *q = &g->places[i];
        if (q != p && !q->read_only && glsl_type_equal(q->var->type, p->var->type))
            nir_copy_var(&g->b, q->var, p->var);
    }
}

/* --------------------------------------------------------------------------------- control --- */

static void gen_statements(struct gen *g);

static void gen_if(struct gen *g)
{
    nir_builder *b = &g->b;
    unsigned scope = g->num_values;
    nir_def *then_def = NULL, *else_def = NULL;
    enum kind kind = rnd(g, NUM_KINDS);
    unsigned bits = pick_size(g, nir_op_mov, kind), n = 1 + rnd(g, 4);
    if (g->limits.narrow_places && bits > 1)
        bits = 32;
    nir_if *nif = nir_push_if(b, condition(g));
    gen_statements(g);
    if (!nir_block_ends_in_jump(nir_cursor_current_block(b->cursor)))
        then_def = pick_vector(g, kind, bits, n);
    g->num_values = scope;
    nir_push_else(b, nif);
    if (one_in(g, 2))
        gen_statements(g);
    if (!nir_block_ends_in_jump(nir_cursor_current_block(b->cursor)))
        else_def = pick_vector(g, kind, bits, n);
    g->num_values = scope;
    nir_pop_if(b, nif);
    if (then_def && else_def)
        keep(g, nir_if_phi(b, then_def, else_def), kind);
}

/* Adds the exit of a counted loop: i < n, i >= n, i != n, a shift or a float counter. */
static void gen_exit(struct gen *g, nir_variable *counter, unsigned shape, unsigned trips)
{
    nir_builder *b = &g->b;
    nir_def *i = nir_load_var(b, counter);
    switch (shape) {
    case 0:
        nir_break_if(b, nir_ige_imm(b, i, trips));
        break;
    case 1:
        nir_break_if(b, nir_ieq_imm(b, i, trips));
        break;
    case 2:
        nir_break_if(b, nir_inot(b, nir_ult_imm(b, i, trips)));
        break;
    default: {
        nir_if *nif = nir_push_if(b, nir_ilt_imm(b, i, trips));
        nir_push_else(b, nif);
        nir_jump(b, nir_jump_break);
        nir_pop_if(b, nif);
        break;
    }
    }
}

static void gen_loop(struct gen *g)
{
    nir_builder *b = &g->b;
    unsigned scope = g->num_values, shape = rnd(g, 4), trips = rnd(g, 7), start = 0;
    nir_variable *counter = nir_local_variable_create(b->impl, glsl_int_type(), "counter");
    bool at_top = one_in(g, 2), bounded_by_data = one_in(g, 4);
    /* An exit on equality must not be stepped over. */
    if (shape != 1)
        start = rnd(g, 4);
    else if (!at_top)
        trips++;
    nir_store_var(b, counter, nir_imm_int(b, (int)start), 1);
    nir_def *limit = bounded_by_data ? nir_umin_imm(b, pick_scalar(g, KIND_INT, 32), 9) : NULL;
    nir_loop *loop = nir_push_loop(b);
    g->loop_depth++;
    if (at_top)
        gen_exit(g, counter, shape, trips);
    if (limit)
        nir_break_if(b, nir_uge(b, nir_load_var(b, counter), limit));
    nir_store_var(b, counter, nir_iadd_imm(b, nir_load_var(b, counter), 1), 1);
    keep(g, nir_load_var(b, counter), KIND_INT);
    gen_statements(g);
    if (!nir_block_ends_in_jump(nir_cursor_current_block(b->cursor)) && !at_top)
        gen_exit(g, counter, shape, trips);
    nir_pop_loop(b, loop);
    g->loop_depth--;
    g->num_values = scope;
    keep(g, nir_load_var(b, counter), KIND_INT);
}

/* Adds an if with a jump. A continue doesn't skip the counter, which is updated at the top. */
static void gen_jump(struct gen *g)
{
    nir_builder *b = &g->b;
    nir_if *nif = nir_push_if(b, condition(g));
    unsigned kind = rnd(g, 6), scope = g->num_values;
    bool in_else = one_in(g, 2);
    if (in_else)
        nir_push_else(b, nif);
    if (kind < 2 && g->loop_depth)
        nir_jump(b, nir_jump_break);
    else if (kind == 5)
        nir_jump(b, nir_jump_return);
    else if (!g->places[0].read_only)
        store_random(g, element_of(g, &g->places[0], false), &g->places[0]);
    nir_pop_if(b, nif);
    g->num_values = scope;
}

static void gen_call(struct gen *g)
{
    nir_builder *b = &g->b;
    if (!g->num_functions)
        return;
    nir_function *f = g->functions[rnd(g, g->num_functions)];
    nir_call_instr *call = nir_call_instr_create(g->shader, f);
    call->params[0] = nir_src_for_ssa(pick_vector(g, KIND_INT, 32, 1));
    call->params[1] = nir_src_for_ssa(pick_vector(g, KIND_FLOAT, 32, 2));
    nir_variable *var = nir_local_variable_create(b->impl, glsl_int_type(), "argument");
    nir_store_var(b, var, pick_scalar(g, KIND_INT, 32), 1);
    call->params[2] = nir_src_for_ssa(&nir_build_deref_var(b, var)->def);
    nir_builder_instr_insert(b, &call->instr);
    keep(g, nir_load_var(b, var), KIND_INT);
}

static void gen_discard(struct gen *g)
{
    nir_builder *b = &g->b;
    if (!one_in(g, 4))
        return;
    if (one_in(g, 2)) {
        nir_demote_if(b, condition(g));
        return;
    }
    nir_if *nif = nir_push_if(b, condition(g));
    if (one_in(g, 3))
        nir_push_else(b, nif);
    nir_discard(b);
    nir_pop_if(b, nif);
}

/* Adds a subgroup operation. In a subgroup of one invocation it returns its source. Zeros are
 * excluded, because sums lose their sign. */
static void gen_subgroup(struct gen *g)
{
    static const nir_op ops[] = {nir_op_fmul, nir_op_iadd, nir_op_imul, nir_op_imin,
                                 nir_op_umax, nir_op_iand, nir_op_ior,  nir_op_ixor};
    nir_builder *b = &g->b;
    unsigned which = rnd(g, ARRAY_SIZE(ops));
    enum kind kind = which == 0 ? KIND_FLOAT : which > 4 && one_in(g, 2) ? KIND_BOOL : KIND_INT;
    unsigned bits = kind == KIND_BOOL ? 1 : one_in(g, 3) ? 64 : 32;
    nir_def *x = pick_vector(g, kind, bits, 1 + rnd(g, 4)), *zero = nir_imm_int(b, 0);
    if (g->limits.takes) /* drivers have larger subgroups */
        return;
    switch (rnd(g, 6)) {
    case 0:
        x = nir_reduce(b, x, .reduction_op = ops[which], .cluster_size = 1u << rnd(g, 5));
        break;
    case 1:
        x = nir_reduce(b, x, .reduction_op = ops[which]);
        break;
    case 2:
        x = nir_inclusive_scan(b, x, .reduction_op = ops[which]);
        break;
    case 3:
        x = nir_shuffle_xor(b, x, zero);
        break;
    case 4:
        x = nir_shuffle(b, x, nir_load_subgroup_invocation(b));
        break;
    default:
        x = nir_read_first_invocation(b, x);
    }
    keep(g, x, kind);
}

static void gen_statement(struct gen *g)
{
    unsigned kind = rnd(g, 41);
    g->budget--;
    if (kind < 22) {
        gen_alu(g);
    } else if (kind < 26) {
        struct place *p = pick_place(g);
        keep(g, load_random(g, element_of(g, p, true), p), p->kind);
    } else if (kind < 31) {
        struct place *p = pick_place(g);
        if (p->read_only)
            return;
        store_random(g, element_of(g, p, true), p);
    } else if (kind < 32) {
        gen_copy(g);
    } else if (kind < 33) {
        gen_call(g);
    } else if (kind < 34) {
        gen_discard(g);
    } else if (g->depth >= MAX_DEPTH) {
        gen_alu(g);
    } else if (kind < 37) {
        gen_if(g);
    } else if (kind < 38) {
        if (g->loop_depth < 3)
            gen_loop(g);
    } else if (kind < 40) {
        gen_jump(g);
    } else {
        gen_subgroup(g);
    }
}

static void gen_statements(struct gen *g)
{
    g->depth++;
    for (unsigned i = 0, n = 1 + rnd(g, 10); i < n && g->budget > 0; i++)
        gen_statement(g);
    g->depth--;
}

/* ------------------------------------------------------------------------------- functions --- */

/* Parameters: int, vec2, and a deref of an int that the function modifies. */
static void gen_function(struct gen *g, unsigned index)
{
    static const nir_parameter params[3] = {
        {.num_components = 1, .bit_size = 32},
        {.num_components = 2, .bit_size = 32},
        {.num_components = 1, .bit_size = 32, .is_deref = true},
    };
    nir_function *f = nir_function_create(g->shader, "f");
    f->num_params = 3;
    f->params = talloc_memdup(g->shader, params, sizeof params);
    nir_function_impl *impl = nir_function_impl_create(f);
    g->b = nir_builder_at(nir_before_impl(impl));
    g->b.exact = true;
    g->num_values = 0;
    g->num_places = g->num_globals;
    nir_builder *b = &g->b;
    keep(g, nir_load_param(b, 1, 32, .param_idx = 0), KIND_INT);
    keep(g, nir_load_param(b, 2, 32, .param_idx = 1), KIND_FLOAT);
    nir_def *address = nir_load_param(b, 1, 32, .param_idx = 2);
    nir_deref_instr *d = nir_build_deref_cast(b, address, nir_var_function_temp, glsl_int_type());
    keep(g, nir_load_deref(b, d), KIND_INT);
    add_place(g, false);
    int budget = g->budget;
    g->budget = 12;
    gen_statements(g);
    g->budget = budget;
    if (!nir_block_ends_in_jump(nir_cursor_current_block(b->cursor)))
        nir_store_deref(b, d, pick_scalar(g, KIND_INT, 32), 1);
    g->functions[index] = f;
}

/* ------------------------------------------------------------------------------------ main --- */

static void make_io(struct gen *g)
{
    nir_builder *b = &g->b;
    for (unsigned i = 0; i < FUZZ_VECTORS; i++) {
        nir_variable *in =
            nir_variable_create(g->shader, nir_var_shader_in, glsl_vec4_type(), "in");
        in->data.location = VARYING_SLOT_VAR0 + i;
        in->data.driver_location = i;
        keep(g, nir_load_var(b, in), KIND_FLOAT);
    }
    for (unsigned i = 0; i < FUZZ_WORDS; i++) {
        nir_variable *u = nir_variable_create(g->shader, nir_var_uniform, glsl_int_type(), "u");
        u->data.driver_location = 4 * i;
        keep(g, nir_load_var(b, u), KIND_INT);
    }
    for (unsigned i = 0; i < 2 * FUZZ_VECTORS; i++) {
        enum kind kind = i < FUZZ_VECTORS ? KIND_FLOAT : KIND_INT;
        g->out[i] =
            nir_variable_create(g->shader, nir_var_shader_out, vector_type(kind, 32, 4), "out");
        g->out[i]->data.location = FRAG_RESULT_DATA0 + (int)i;
        g->out[i]->data.driver_location = i;
        /* The results of an early return. */
        nir_store_var(b, g->out[i], pick_vector(g, kind, 32, 4), 0xf);
    }
}

/* Writes all values that are still in the pool to the outputs. */
static void write_results(struct gen *g)
{
    nir_builder *b = &g->b;
    nir_def *hash = nir_imm_int(b, 17);
    for (unsigned i = 0; i < g->num_places; i++) {
        nir_def *x = nir_load_deref(b, element_of(g, &g->places[i], false));
        keep(g, x, g->places[i].kind);
    }
    for (unsigned i = 0, floats = 0; i < g->num_values; i++) {
        nir_def *x = g->values[i].def;
        unsigned c = rnd(g, x->num_components);
        x = nir_channel(b, x, c);
        if (g->values[i].kind == KIND_FLOAT) {
            x = to_size(g, x, KIND_FLOAT, 32);
            nir_store_var(b, g->out[floats / 4 % FUZZ_VECTORS], nir_vec_broadcast(b, x, 4),
                          1u << floats % 4);
            floats++;
        } else {
            x = g->values[i].kind == KIND_BOOL ? nir_b2i32(b, x) : to_size(g, x, KIND_INT, 32);
            hash = nir_iadd(b, nir_imul_imm(b, hash, 31), x);
        }
    }
    for (unsigned i = 0; i < FUZZ_VECTORS; i++)
        nir_store_var(b, g->out[FUZZ_VECTORS + i],
                      i ? pick_vector(g, KIND_INT, 32, 4) : nir_vec_broadcast(b, hash, 4), 0xf);
}

nir_shader *fuzz_generate(uint64_t seed, unsigned size, const nir_shader_compiler_options *options,
                          const struct fuzz_limits *limits)
{
    struct gen *g = talloc_zero(NULL, struct gen);
    if (limits)
        g->limits = *limits;
    g->rng.state = seed * 2654435761u + 17;
    g->budget = (int)size;
    nir_builder main_builder =
        nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, options, "random");
    main_builder.exact = true;
    nir_shader *shader = g->shader = main_builder.shader;
    g->b = main_builder;
    make_io(g);
    unsigned globals = rnd(g, 3), locals = 2 + rnd(g, 6);
    for (unsigned i = 0; i < globals; i++)
        add_place(g, true);
    g->num_globals = g->num_places;
    main_builder = g->b;
    struct value inputs[MAX_VALUES];
    unsigned num_inputs = g->num_values;
    memcpy(inputs, g->values, num_inputs * sizeof inputs[0]);
    unsigned functions = one_in(g, 2) ? rnd(g, MAX_FUNCTIONS + 1) : 0;
    for (unsigned i = 0; i < functions; i++) {
        gen_function(g, i);
        g->num_functions = i + 1; /* functions call earlier functions only */
    }
    g->b = main_builder;
    g->num_places = g->num_globals;
    g->num_values = num_inputs;
    memcpy(g->values, inputs, num_inputs * sizeof inputs[0]);
    for (unsigned i = 0; i < locals; i++)
        add_place(g, false);
    while (g->budget > 0 && !nir_block_ends_in_jump(nir_cursor_current_block(g->b.cursor)))
        gen_statements(g);
    write_results(g);
    talloc_free(g);
    return shader;
}
