/* SPDX-License-Identifier: MIT */
/*
 * Built-in functions: looks up overloads in the generated table and builds what the table says for
 * a call. The id of an overload is its row.
 */
#include <stdlib.h>

#include "glsl/glsl_builtin_table.h"

static int compare_names(const void *key, const void *row)
{
    return strcmp(key, ((const struct glsl_builtin_name *)row)->name);
}

static const struct glsl_builtin_name *find_name(const char *name)
{
    return bsearch(name, glsl_builtin_names, glsl_builtin_name_count, sizeof *glsl_builtin_names,
                   compare_names);
}

static const struct glsl_type *decode_type(uint16_t code)
{
    enum glsl_base_type base = code & 0xf;
    switch (code) {
    case VOID:
        return glsl_void_type();
    case ATOMIC_UINT:
        return glsl_atomic_uint_type();
    case OFFSETS:
        return glsl_ivec2_array4_type();
    }
    if (code & 0x8000)
        return glsl_sampler_type(code >> 8 & 0x7f, code >> 5 & 1, code >> 4 & 1, base);
    if (code & 0x2000)
        return glsl_image_type(code >> 8 & 0x1f, code >> 4 & 1, base);
    return glsl_simple_type(code >> 8, code >> 4 & 0xf, code & 0xf);
}

bool glsl_builtin_function_exists(const struct glsl_builtin_env *env, const char *name)
{
    const struct glsl_builtin_name *entry = find_name(name);
    for (unsigned i = 0; entry && i < entry->count; i++) {
        if (glsl_builtin_conditions[glsl_builtin_rows[entry->first + i].condition](env))
            return true;
    }
    return false;
}

bool glsl_builtin_has(const struct glsl_builtin_env *env, unsigned id)
{
    return glsl_builtin_conditions[glsl_builtin_rows[id].condition](env);
}

void glsl_builtin_function_names(const struct glsl_builtin_env *env,
                                 void (*add)(void *data, const char *name), void *data)
{
    for (unsigned i = 0; i < glsl_builtin_name_count; i++)
        if (glsl_builtin_has(env, glsl_builtin_names[i].first))
            add(data, glsl_builtin_names[i].name);
}

void glsl_builtin_signatures(const struct glsl_builtin_env *env, const char *name,
                             void (*add)(void *data, const struct glsl_type *return_type,
                                         const struct glsl_type *const *params,
                                         const enum hir_variable_mode *modes, unsigned count,
                                         unsigned id),
                             void *data)
{
    const struct glsl_builtin_name *entry = find_name(name);
    for (unsigned i = 0; entry && i < entry->count; i++) {
        const struct glsl_builtin_row *row = &glsl_builtin_rows[entry->first + i];
        const struct glsl_type *types[8];
        enum hir_variable_mode modes[8];
        if (!glsl_builtin_has(env, entry->first + i))
            continue;
        for (unsigned k = 0; k < row->num_params; k++) {
            types[k] = decode_type(glsl_builtin_params[row->first_param + k]);
            modes[k] = row->outs >> k & 1 ? HIR_VAR_FUNCTION_OUT : HIR_VAR_FUNCTION_IN;
        }
        if (row->first_param_mode)
            modes[0] = row->first_param_mode;
        add(data, decode_type(row->type), types, modes, row->num_params, entry->first + i);
    }
}

/* ------------------------------------------------------------------------------- textures --- */

/* Returns the number of components of a texture coordinate, including the array layer. */
static unsigned coord_components(const struct glsl_type *sampler)
{
    static const uint8_t components[] = {
        [GLSL_SAMPLER_DIM_1D] = 1,   [GLSL_SAMPLER_DIM_2D] = 2,       [GLSL_SAMPLER_DIM_3D] = 3,
        [GLSL_SAMPLER_DIM_CUBE] = 3, [GLSL_SAMPLER_DIM_RECT] = 2,     [GLSL_SAMPLER_DIM_BUF] = 1,
        [GLSL_SAMPLER_DIM_MS] = 2,   [GLSL_SAMPLER_DIM_EXTERNAL] = 2,
    };
    return components[sampler->sampler_dim] + sampler->sampler_array;
}

/* Returns `count` components of a copy of value, starting at `first`. */
static struct hir_value *slice(struct hir_shader *sh, const struct hir_value *value, unsigned first,
                               unsigned count)
{
    struct hir_value *copy = hir_clone_value(sh, value);
    uint8_t component[4];
    if (!copy || (first == 0 && count == value->type->vector_elements))
        return copy;
    for (unsigned i = 0; i < count; i++)
        component[i] = first + i;
    return hir_swizzle_of(sh, copy, component, count);
}

/* Returns a value that may be used several times: a constant, or a temporary that holds it. */
static struct hir_value *hold(struct hir_shader *sh, struct hir_value *value,
                              struct list_head *instructions)
{
    if (value->node.kind == HIR_CONSTANT || value->node.kind == HIR_DEREF_VARIABLE)
        return value;
    struct hir_variable *var = hir_variable_create(sh, value->type, "coord", HIR_VAR_TEMPORARY);
    struct hir_value *lhs = var ? hir_deref_var(sh, var) : NULL;
    struct hir_assign *assign = lhs ? hir_assign_create(sh, lhs, value, 0) : NULL;
    if (!assign)
        return NULL;
    assign->write_mask = BITFIELD_MASK(value->type->vector_elements);
    list_addtail(&var->node.link, instructions);
    list_addtail(&assign->node.link, instructions);
    return hir_deref_var(sh, var);
}

/* Extracts coordinate, comparator and projector from argument P (GLSL 1.30 §8.7). The projector is
 * the last component. The comparator is the third, or the one after the coordinate if that has more
 * than two components. */
static bool split_coordinate(struct hir_shader *sh, struct hir_texture *tex, struct hir_value *p,
                             char role, struct list_head *instructions)
{
    const struct glsl_type *sampler = tex->sampler->type;
    unsigned n = MIN2(coord_components(sampler), p->type->vector_elements);
    bool comparator = sampler->sampler_shadow && role != 'R';
    if (n == p->type->vector_elements) {
        tex->coord = p;
        return true;
    }
    p = hold(sh, p, instructions);
    if (!p)
        return false;
    tex->coord = slice(sh, p, 0, n);
    if (comparator)
        tex->comparator = slice(sh, p, MAX2(n, 2), 1);
    if (role == 'Q')
        tex->projector = slice(sh, p, p->type->vector_elements - 1, 1);
    return tex->coord;
}

/* type: type of the value. */
static struct hir_texture *build_texture(struct hir_shader *sh, const struct glsl_builtin_row *row,
                                         const struct glsl_type *type, struct hir_value **args,
                                         struct list_head *instructions, struct glsl_loc loc)
{
    struct hir_texture *tex = hir_alloc(sh, sizeof *tex);
    if (!tex)
        return NULL;
    tex->base.node.kind = HIR_TEXTURE;
    tex->base.node.loc = loc;
    tex->base.type = type;
    tex->op = row->op;
    const char *roles = glsl_builtin_roles[row->index];
    for (unsigned i = 0; roles[i]; i++) {
        switch (roles[i]) {
        case 's':
            tex->sampler = args[i];
            break;
        case 'P':
        case 'Q':
        case 'R':
            if (!split_coordinate(sh, tex, args[i], roles[i], instructions))
                return NULL;
            break;
        case 'b':
            tex->bias = args[i];
            break;
        case 'l':
            tex->lod = args[i];
            break;
        case 'x':
            tex->dPdx = args[i];
            break;
        case 'y':
            tex->dPdy = args[i];
            break;
        case 'o':
            tex->offset = args[i];
            break;
        case 'n':
            tex->sample_index = args[i];
            break;
        case 'c':
            tex->comparator = args[i];
            break;
        case 'g':
            tex->component = args[i];
            break;
        case 'O':
            tex->offsets = args[i];
            break;
        case 'm':
            tex->min_lod = args[i];
            break;
        }
    }
    tex->shadow_is_vec4 = tex->sampler->type->sampler_shadow && tex->op != nir_texop_tg4 &&
                          tex->base.type->vector_elements == 4;
    if (row->op == nir_texop_tex || row->op == nir_texop_txb || row->op == nir_texop_lod)
        sh->uses_derivatives = true;
    return tex;
}

static bool append_assign(struct hir_shader *sh, struct hir_value *lhs, struct hir_value *value,
                          struct list_head *instructions)
{
    struct hir_assign *assign = lhs && value ? hir_assign_create(sh, lhs, value, 0) : NULL;
    if (!assign)
        return false;
    assign->write_mask = BITFIELD_MASK(value->type->vector_elements);
    list_addtail(&assign->node.link, instructions);
    return true;
}

/* Builds an access that stores the value in args[texel], and returns whether the texels are
 * committed. That is evaluated first, because the coordinates may be in the same variable. */
static struct hir_value *build_sparse_texture(struct hir_shader *sh,
                                              const struct glsl_builtin_row *row, unsigned texel,
                                              struct hir_value **args,
                                              struct list_head *instructions, struct glsl_loc loc)
{
    struct hir_variable *code = hir_variable_create(sh, glsl_int_type(), "code", HIR_VAR_TEMPORARY);
    struct hir_value *copy[8] = {0};
    for (unsigned i = 0; i < row->num_params; i++)
        if (i != texel && !(copy[i] = hir_clone_value(sh, args[i])))
            return NULL;
    if (!code)
        return NULL;
    list_addtail(&code->node.link, instructions);
    struct hir_texture *residency =
        build_texture(sh, row, glsl_int_type(), copy, instructions, loc);
    if (!residency)
        return NULL;
    residency->residency = true;
    residency->shadow_is_vec4 = false;
    if (!append_assign(sh, hir_deref_var(sh, code), &residency->base, instructions))
        return NULL;
    struct hir_texture *tex = build_texture(sh, row, args[texel]->type, args, instructions, loc);
    if (!tex || !append_assign(sh, args[texel], &tex->base, instructions))
        return NULL;
    return hir_deref_var(sh, code);
}

/* ---------------------------------------------------------------------------------- calls --- */

/* Returns the type of the values that a function computes with: floats in place of half floats. */
static const struct glsl_type *computed_type(const struct glsl_type *t)
{
    return glsl_type_is_16bit(t)
               ? glsl_simple_type(GLSL_TYPE_FLOAT, t->vector_elements, t->matrix_columns)
               : t;
}

/* Converts a value to a type with another base type. */
static struct hir_value *convert(struct hir_shader *sh, struct hir_value *value,
                                 const struct glsl_type *type)
{
    if (value->type == type)
        return value;
    struct hir_value *v = hir_expr(sh, HIR_OP_CONVERT, type, value, NULL, NULL, NULL);
    struct hir_constant *c = v ? hir_constant_value(sh, v) : NULL;
    return c ? &c->base : v;
}

static struct hir_value *build_operation(struct hir_shader *sh, const struct glsl_builtin_row *row,
                                         struct hir_value **args)
{
    if (row->op >= HIR_OP_DFDX && row->op <= HIR_OP_DFDY_FINE)
        sh->uses_derivatives = true;
    unsigned n = row->num_params;
    const struct glsl_type *type = decode_type(row->type);
    if (!row->first_param_mode) /* interpolation has the type of the input */
        type = computed_type(type);
    struct hir_value *value = hir_expr(sh, row->op, type, args[0], n > 1 ? args[1] : NULL,
                                       n > 2 ? args[2] : NULL, n > 3 ? args[3] : NULL);
    if (!value)
        return NULL;
    struct hir_constant *c = hir_constant_value(sh, value);
    return c ? &c->base : value;
}

/* Appends an instruction with the given arguments; its value is stored in a temporary. */
static struct hir_value *build_intrinsic(struct hir_shader *sh, const struct glsl_builtin_row *row,
                                         struct hir_value **args, struct list_head *instructions,
                                         struct glsl_loc loc)
{
    const struct glsl_type *type = decode_type(row->type);
    struct hir_intrinsic *intr = hir_alloc(sh, sizeof *intr);
    if (!intr)
        return NULL;
    intr->node.kind = HIR_INTRINSIC;
    intr->node.loc = loc;
    intr->op = row->op;
    intr->num_args = row->num_params;
    memcpy(intr->args, args, row->num_params * sizeof *args);
    struct hir_value *result = NULL;
    if (!glsl_type_is_void(type)) {
        struct hir_variable *var = hir_variable_create(sh, type, "r", HIR_VAR_TEMPORARY);
        intr->return_deref = var ? hir_deref_var(sh, var) : NULL;
        result = var ? hir_deref_var(sh, var) : NULL;
        if (!intr->return_deref || !result)
            return NULL;
        list_addtail(&var->node.link, instructions);
    }
    list_addtail(&intr->node.link, instructions);
    return result;
}

struct hir_value *glsl_builtin_call(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                    unsigned id, struct hir_value **args, unsigned num_args,
                                    struct list_head *instructions, struct glsl_loc loc)
{
    if (id >= glsl_builtin_row_count || num_args != glsl_builtin_rows[id].num_params)
        return NULL;
    const struct glsl_builtin_row *row = &glsl_builtin_rows[id];
    struct hir_value *in[8] = {0}, *value;
    for (unsigned i = 0; i < num_args; i++) {
        bool is_out = row->outs >> i & 1;
        bool is_lvalue = is_out || (i == 0 && row->first_param_mode);
        struct hir_constant *c = is_lvalue ? NULL : hir_constant_value(sh, args[i]);
        in[i] = c ? &c->base : args[i];
        if (!is_lvalue && !(in[i] = convert(sh, in[i], computed_type(in[i]->type))))
            return NULL;
    }
    if (row->kind == BUILTIN_TEX) {
        const char *roles = glsl_builtin_roles[row->index], *texel = strchr(roles, 'T');
        struct hir_texture *tex = NULL;
        if (texel)
            value = build_sparse_texture(sh, row, (unsigned)(texel - roles), in, instructions, loc);
        else if ((tex = build_texture(sh, row, decode_type(row->type), in, instructions, loc)))
            value = &tex->base;
        else
            value = NULL;
    } else if (row->kind == BUILTIN_OP) {
        value = build_operation(sh, row, in);
    } else if (row->kind == BUILTIN_INTRINSIC) {
        value = build_intrinsic(sh, row, in, instructions, loc);
    } else {
        struct builtin_body body = {
            .sh = sh,
            .env = env,
            .type = computed_type(decode_type(row->type)),
            .instructions = instructions,
            .loc = loc,
        };
        value = glsl_builtin_bodies[row->index](&body, in);
        if (body.failed)
            return NULL;
    }
    if (value && glsl_type_is_16bit(decode_type(row->type)))
        value = convert(sh, value, decode_type(row->type));
    if (value)
        value->node.loc = loc;
    return value;
}
