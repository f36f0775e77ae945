/* SPDX-License-Identifier: MIT */
/*
 * A shader as bytes and back. Layout: magic, checksum of what follows, then the shader: types are
 * written where they are first met and named by number later, as are variables, functions, blocks
 * and values. The reader checks the checksum, and every count and number all the same.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_private.h"

#include "util/dynarray.h"
#include "util/hash_table.h"

#define MAGIC 0x314e4149u /* changes with the format and with the tables of opcodes */

static uint32_t magic(void)
{
    return MAGIC + nir_num_opcodes * 65536u + nir_num_intrinsics;
}

/* ------------------------------------------------------------------------------- writing --- */

struct writer {
    DYNARRAY(uint8_t) bytes;
    struct hash_table *numbers; /* any pointer that was written → number + 1 */
    unsigned num_types, num_vars, num_functions, num_blocks, num_defs;
};

static void write_bytes(struct writer *w, const void *data, size_t size)
{
    if (size && dynarray_reserve(&w->bytes, size)) {
        memcpy(w->bytes.data + w->bytes.count, data, size);
        w->bytes.count += size;
    }
}

static void write_u32(struct writer *w, uint32_t x)
{
    write_bytes(w, &x, sizeof x);
}

static void write_string(struct writer *w, const char *s)
{
    uint32_t size = s ? strlen(s) + 1 : 0;
    write_u32(w, size);
    write_bytes(w, s, size);
}

static void set_number(struct writer *w, const void *p, unsigned number)
{
    hash_table_insert(w->numbers, p, (void *)(uintptr_t)(number + 1));
}

static uint32_t number_of(struct writer *w, const void *p)
{
    return p ? (uint32_t)(uintptr_t)hash_table_get(w->numbers, p) : 0;
}

static void write_type(struct writer *w, const struct glsl_type *type);

static void write_fields(struct writer *w, const struct glsl_type *type)
{
    for (unsigned i = 0; i < type->length; i++) {
        struct glsl_struct_field f;
        memcpy(&f, &type->fields[i], sizeof f);
        f.type = NULL;
        f.name = NULL;
        write_type(w, type->fields[i].type);
        write_string(w, type->fields[i].name);
        write_bytes(w, &f, sizeof f);
    }
}

/* 0: none; a number that was given; or 1 past the numbers given so far, and the type. */
static void write_type(struct writer *w, const struct glsl_type *type)
{
    uint32_t known = number_of(w, type);
    if (!type || known) {
        write_u32(w, known);
        return;
    }
    write_u32(w, UINT32_MAX);
    write_u32(w, type->base_type);
    switch (type->base_type) {
    case GLSL_TYPE_ARRAY:
        write_u32(w, type->length);
        write_u32(w, type->explicit_stride);
        write_type(w, type->element);
        break;
    case GLSL_TYPE_STRUCT:
    case GLSL_TYPE_INTERFACE:
        write_u32(w, type->length);
        write_u32(w, type->packing);
        write_u32(w, type->row_major);
        write_string(w, type->name);
        write_fields(w, type);
        break;
    case GLSL_TYPE_SAMPLER:
    case GLSL_TYPE_IMAGE:
        write_u32(w, type->sampler_dim);
        write_u32(w, type->sampler_shadow);
        write_u32(w, type->sampler_array);
        write_u32(w, type->sampled_type);
        break;
    case GLSL_TYPE_SUBROUTINE:
        write_string(w, type->name);
        break;
    default:
        write_u32(w, type->vector_elements);
        write_u32(w, type->matrix_columns);
        write_u32(w, type->explicit_stride);
        write_u32(w, type->row_major);
        break;
    }
    set_number(w, type, w->num_types++);
}

static void write_constant(struct writer *w, const nir_constant *c)
{
    write_u32(w, c != NULL);
    if (!c)
        return;
    write_bytes(w, c->values, sizeof c->values);
    write_u32(w, c->is_null_constant);
    write_u32(w, c->num_elements);
    for (unsigned i = 0; i < c->num_elements; i++)
        write_constant(w, c->elements[i]);
}

static void write_variables(struct writer *w, const struct list_head *list)
{
    write_u32(w, list_length(list));
    nir_foreach_variable_in_list (var, list) {
        set_number(w, var, w->num_vars++);
        write_type(w, var->type);
        write_type(w, var->interface_type);
        write_string(w, var->name);
        write_bytes(w, &var->data, sizeof var->data);
        write_u32(w, var->num_state_slots);
        write_bytes(w, var->state_slots, var->num_state_slots * sizeof *var->state_slots);
        write_constant(w, var->constant_initializer);
    }
}

static void write_def(struct writer *w, const nir_def *def)
{
    write_u32(w, def->num_components | def->bit_size << 8 | def->divergent << 16);
    set_number(w, def, w->num_defs++);
}

static void write_src(struct writer *w, const nir_src *src)
{
    write_u32(w, number_of(w, src->ssa));
}

static void write_alu(struct writer *w, const nir_alu_instr *alu)
{
    write_u32(w, alu->op);
    write_u32(w, alu->exact | alu->no_signed_wrap << 1 | alu->no_unsigned_wrap << 2);
    for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++) {
        write_src(w, &alu->src[s].src);
        write_bytes(w, &alu->src[s].swizzle, sizeof alu->src[s].swizzle);
    }
    write_def(w, &alu->def);
}

static void write_deref(struct writer *w, const nir_deref_instr *deref)
{
    write_u32(w, deref->deref_type);
    write_u32(w, deref->modes);
    write_type(w, deref->type);
    if (deref->deref_type == nir_deref_type_var)
        write_u32(w, number_of(w, deref->var));
    else
        write_src(w, &deref->parent);
    if (deref->deref_type == nir_deref_type_array)
        write_src(w, &deref->arr.index);
    else if (deref->deref_type == nir_deref_type_struct)
        write_u32(w, deref->strct.index);
    write_def(w, &deref->def);
}

static void write_intrinsic(struct writer *w, const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    write_u32(w, intr->intrinsic);
    write_u32(w, intr->num_components);
    write_bytes(w, intr->const_index, sizeof intr->const_index);
    for (unsigned s = 0; s < info->num_srcs; s++)
        write_src(w, &intr->src[s]);
    if (info->has_dest)
        write_def(w, &intr->def);
}

static void write_tex(struct writer *w, const nir_tex_instr *tex)
{
    write_u32(w, tex->num_srcs);
    for (unsigned s = 0; s < tex->num_srcs; s++) {
        write_u32(w, tex->src[s].src_type);
        write_src(w, &tex->src[s].src);
    }
    write_u32(w, tex->op);
    write_u32(w, tex->sampler_dim);
    write_u32(w, tex->dest_type);
    write_u32(w, tex->coord_components | tex->is_array << 8 | tex->is_shadow << 9 |
                     tex->is_new_style_shadow << 10 | tex->component << 16);
    write_bytes(w, tex->tg4_offsets, sizeof tex->tg4_offsets);
    write_u32(w, tex->texture_index);
    write_u32(w, tex->sampler_index);
    write_def(w, &tex->def);
}

static void write_instr(struct writer *w, const nir_instr *instr)
{
    write_u32(w, instr->type);
    switch (instr->type) {
    case nir_instr_type_alu:
        write_alu(w, nir_instr_as_alu(instr));
        break;
    case nir_instr_type_deref:
        write_deref(w, nir_instr_as_deref(instr));
        break;
    case nir_instr_type_call: {
        nir_call_instr *call = nir_instr_as_call(instr);
        write_u32(w, number_of(w, call->callee));
        for (unsigned i = 0; i < call->num_params; i++)
            write_src(w, &call->params[i]);
        break;
    }
    case nir_instr_type_tex:
        write_tex(w, nir_instr_as_tex(instr));
        break;
    case nir_instr_type_intrinsic:
        write_intrinsic(w, nir_instr_as_intrinsic(instr));
        break;
    case nir_instr_type_load_const: {
        nir_load_const_instr *load = nir_instr_as_load_const(instr);
        write_def(w, &load->def);
        write_bytes(w, load->value, load->def.num_components * sizeof load->value[0]);
        break;
    }
    case nir_instr_type_jump:
        write_u32(w, nir_instr_as_jump(instr)->type);
        break;
    case nir_instr_type_undef:
        write_def(w, &nir_instr_as_undef(instr)->def);
        break;
    case nir_instr_type_phi:
        write_def(w, &nir_instr_as_phi(instr)->def); /* sources follow the function's body */
        break;
    default:
        UNREACHABLE("parallel copies live inside one pass alone");
    }
}

static void write_cf_list(struct writer *w, const struct list_head *list)
{
    write_u32(w, list_length(list));
    nir_foreach_cf_node(node, list)
    {
        write_u32(w, node->type);
        if (node->type == nir_cf_node_block) {
            nir_block *block = nir_cf_node_as_block(node);
            set_number(w, block, w->num_blocks++);
            write_u32(w, list_length(&block->instr_list));
            nir_foreach_instr (instr, block)
                write_instr(w, instr);
        } else if (node->type == nir_cf_node_if) {
            write_src(w, &nir_cf_node_as_if(node)->condition);
            write_cf_list(w, &nir_cf_node_as_if(node)->then_list);
            write_cf_list(w, &nir_cf_node_as_if(node)->else_list);
        } else {
            write_u32(w, nir_cf_node_as_loop(node)->divergent);
            write_cf_list(w, &nir_cf_node_as_loop(node)->body);
        }
    }
}

static void write_phi_srcs(struct writer *w, nir_function_impl *impl)
{
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            write_u32(w, list_length(&nir_instr_as_phi(instr)->srcs));
            nir_foreach_phi_src (src, nir_instr_as_phi(instr)) {
                write_u32(w, number_of(w, src->pred));
                write_src(w, &src->src);
            }
        }
    }
}

static void write_shader(struct writer *w, const nir_shader *shader)
{
    nir_shader_info info;
    memcpy(&info, &shader->info, sizeof info);
    info.name = NULL;
    write_bytes(w, &info, sizeof info);
    write_string(w, shader->info.name);
    write_u32(w, shader->num_inputs);
    write_u32(w, shader->num_outputs);
    write_u32(w, shader->num_uniforms);
    write_u32(w, shader->scratch_size);
    write_u32(w, shader->constant_data_size);
    write_bytes(w, shader->constant_data, shader->constant_data_size);
    write_variables(w, &shader->variables);

    write_u32(w, list_length(&shader->functions));
    nir_foreach_function (function, shader) {
        set_number(w, function, w->num_functions++);
        write_string(w, function->name);
        write_u32(w, function->is_entrypoint);
        write_u32(w, function->num_params);
        write_bytes(w, function->params, function->num_params * sizeof *function->params);
    }
    nir_foreach_function (function, shader) {
        write_u32(w, function->impl != NULL);
        if (!function->impl)
            continue;
        write_variables(w, &function->impl->locals);
        write_cf_list(w, &function->impl->body);
        write_phi_srcs(w, function->impl);
    }
}

struct blob_bytes nir_serialize(void *mem_ctx, const nir_shader *shader)
{
    struct writer w = {.bytes.mem_ctx = mem_ctx, .numbers = hash_table_create_pointer(NULL)};
    uint64_t checksum = 0;
    write_u32(&w, magic());
    write_bytes(&w, &checksum, sizeof checksum);
    unsigned header = w.bytes.count;
    write_shader(&w, shader);
    hash_table_destroy(w.numbers);
    checksum = hash_data64(w.bytes.data + header, w.bytes.count - header);
    memcpy(w.bytes.data + sizeof(uint32_t), &checksum, sizeof checksum);
    return (struct blob_bytes){w.bytes.data, w.bytes.count};
}

/* ------------------------------------------------------------------------------- reading --- */

typedef DYNARRAY(void *) pointer_list;

struct reader {
    const uint8_t *next, *end;
    bool failed;
    unsigned depth;
    nir_shader *shader;
    nir_function_impl *impl;
    pointer_list types, vars, functions, blocks, defs;
};

#define MAX_DEPTH 256 /* of types, constants and control flow */

static void read_bytes(struct reader *r, void *data, size_t size)
{
    if (r->failed || size > (size_t)(r->end - r->next)) {
        r->failed = true;
        memset(data, 0, size);
        return;
    }
    if (size)
        memcpy(data, r->next, size);
    r->next += size;
}

static uint32_t read_u32(struct reader *r)
{
    uint32_t x;
    read_bytes(r, &x, sizeof x);
    return x;
}

/* A number below limit; else the bytes are damaged. */
static uint32_t read_below(struct reader *r, uint32_t limit)
{
    uint32_t x = read_u32(r);
    if (x >= limit) {
        r->failed = true;
        return 0;
    }
    return x;
}

/* A count of things that take at least `each` bytes. */
static uint32_t read_count(struct reader *r, size_t each)
{
    uint32_t n = read_u32(r);
    if (r->failed || n > (size_t)(r->end - r->next) / each) {
        r->failed = true;
        return 0;
    }
    return n;
}

static char *read_string(struct reader *r, void *mem_ctx)
{
    uint32_t size = read_count(r, 1);
    if (!size)
        return NULL;
    char *s = talloc_array(mem_ctx, char, size);
    read_bytes(r, s, size);
    s[size - 1] = '\0';
    return s;
}

static void *read_number(struct reader *r, const pointer_list *list)
{
    uint32_t number = read_u32(r);
    if (r->failed || number == 0 || number > list->count) {
        r->failed = true;
        return NULL;
    }
    return list->data[number - 1];
}

static const struct glsl_type *read_type(struct reader *r);

static const struct glsl_type *read_record(struct reader *r, uint32_t base)
{
    uint32_t length = read_count(r, sizeof(struct glsl_struct_field));
    uint32_t packing = read_below(r, GLSL_PACKING_PACKED + 1), row_major = read_u32(r);
    char *name = read_string(r, r->shader);
    struct glsl_struct_field *fields =
        talloc_zero_array(NULL, struct glsl_struct_field, length + 1);
    for (uint32_t i = 0; i < length && !r->failed; i++) {
        const struct glsl_type *type = read_type(r);
        char *field_name = read_string(r, fields);
        read_bytes(r, &fields[i], sizeof fields[i]);
        fields[i].type = type;
        fields[i].name = field_name ? field_name : "";
        r->failed |= !type;
    }
    const struct glsl_type *type = NULL;
    if (!r->failed)
        type = base == GLSL_TYPE_STRUCT
                   ? glsl_struct_type(r->shader, fields, length, name ? name : "")
                   : glsl_interface_type(r->shader, fields, length, packing, row_major != 0,
                                         name ? name : "");
    talloc_free(fields);
    return type;
}

static const struct glsl_type *read_array(struct reader *r)
{
    uint32_t length = read_u32(r), stride = read_u32(r);
    const struct glsl_type *element = read_type(r);
    return element ? glsl_array_type(r->shader, element, length, stride) : NULL;
}

static const struct glsl_type *read_sampler(struct reader *r, uint32_t base)
{
    uint32_t dim = read_below(r, GLSL_SAMPLER_DIM_EXTERNAL + 1), shadow = read_u32(r);
    uint32_t array = read_u32(r), sampled = read_below(r, GLSL_TYPE_ERROR + 1);
    if (base == GLSL_TYPE_SAMPLER)
        return glsl_sampler_type(dim, shadow != 0, array != 0, sampled);
    return glsl_image_type(dim, array != 0, sampled);
}

static const struct glsl_type *read_simple(struct reader *r, uint32_t base)
{
    uint32_t rows = read_below(r, 5), columns = read_below(r, 5);
    uint32_t stride = read_u32(r), row_major = read_u32(r);
    if (base == GLSL_TYPE_ATOMIC_UINT)
        return glsl_atomic_uint_type();
    if (base == GLSL_TYPE_VOID)
        return glsl_void_type();
    if (base == GLSL_TYPE_ERROR)
        return glsl_error_type();
    const struct glsl_type *type = glsl_simple_type(base, rows, columns);
    if (type && (stride || row_major))
        type = glsl_explicit_matrix_type(r->shader, type, stride, row_major != 0);
    return type;
}

static const struct glsl_type *read_new_type(struct reader *r)
{
    uint32_t base = read_below(r, GLSL_TYPE_ERROR + 1);
    switch (base) {
    case GLSL_TYPE_ARRAY:
        return read_array(r);
    case GLSL_TYPE_STRUCT:
    case GLSL_TYPE_INTERFACE:
        return read_record(r, base);
    case GLSL_TYPE_SAMPLER:
    case GLSL_TYPE_IMAGE:
        return read_sampler(r, base);
    case GLSL_TYPE_SUBROUTINE: {
        char *name = read_string(r, r->shader);
        return glsl_subroutine_type(r->shader, name ? name : "");
    }
    default:
        return read_simple(r, base);
    }
}

static const struct glsl_type *read_type(struct reader *r)
{
    uint32_t number = read_u32(r);
    if (number == 0 || r->failed)
        return NULL;
    if (number != UINT32_MAX) {
        r->failed |= number > r->types.count;
        return r->failed ? NULL : r->types.data[number - 1];
    }
    if (++r->depth > MAX_DEPTH)
        r->failed = true;
    const struct glsl_type *type = r->failed ? NULL : read_new_type(r);
    r->depth--;
    r->failed |= !type;
    (void)dynarray_append(&r->types, (void *)type);
    return type;
}

static nir_constant *read_constant(struct reader *r, void *mem_ctx)
{
    if (!read_u32(r) || r->failed)
        return NULL;
    if (++r->depth > MAX_DEPTH)
        r->failed = true;
    nir_constant *c = talloc_zero(mem_ctx, nir_constant);
    read_bytes(r, c->values, sizeof c->values);
    c->is_null_constant = read_u32(r) != 0;
    c->num_elements = read_count(r, sizeof(uint32_t));
    c->elements = talloc_zero_array(c, nir_constant *, c->num_elements);
    for (unsigned i = 0; i < c->num_elements && !r->failed; i++) {
        c->elements[i] = read_constant(r, c);
        r->failed |= !c->elements[i];
    }
    r->depth--;
    return c;
}

static void read_variables(struct reader *r, struct list_head *list, bool local)
{
    uint32_t count = read_count(r, sizeof(struct nir_variable_data));
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        nir_variable *var = talloc_zero(r->shader, nir_variable);
        var->type = read_type(r);
        var->interface_type = read_type(r);
        var->name = read_string(r, var);
        read_bytes(r, &var->data, sizeof var->data);
        var->num_state_slots = read_count(r, sizeof *var->state_slots);
        var->state_slots = talloc_array(var, nir_state_slot, var->num_state_slots);
        read_bytes(r, var->state_slots, var->num_state_slots * sizeof *var->state_slots);
        var->constant_initializer = read_constant(r, var);
        r->failed |= !var->type || !util_is_power_of_two(var->data.mode) ||
                     (var->data.mode == nir_var_function_temp) != local;
        list_addtail(&var->node, list);
        (void)dynarray_append(&r->vars, var);
    }
}

static void read_def(struct reader *r, nir_instr *instr, nir_def *def)
{
    uint32_t shape = read_u32(r);
    unsigned n = shape & 0xff, bits = shape >> 8 & 0xff;
    bool ok = ((n >= 1 && n <= 5) || n == 8 || n == 16) &&
              (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64);
    r->failed |= !ok;
    nir_def_init(instr, def, ok ? n : 1, ok ? bits : 32);
    def->divergent = shape >> 16 & 1;
    (void)dynarray_append(&r->defs, def);
}

static nir_src read_src(struct reader *r)
{
    return nir_src_for_ssa(read_number(r, &r->defs));
}

static nir_instr *read_alu(struct reader *r)
{
    nir_alu_instr *alu = nir_alu_instr_create(r->shader, read_below(r, nir_num_opcodes));
    uint32_t flags = read_u32(r);
    alu->exact = flags & 1;
    alu->no_signed_wrap = flags >> 1 & 1;
    alu->no_unsigned_wrap = flags >> 2 & 1;
    for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++) {
        alu->src[s].src = read_src(r);
        read_bytes(r, &alu->src[s].swizzle, sizeof alu->src[s].swizzle);
    }
    read_def(r, &alu->instr, &alu->def);
    for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs && !r->failed; s++) {
        for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, s); c++)
            r->failed |= nir_alu_src_comp(&alu->src[s], c) >= alu->src[s].src.ssa->num_components;
    }
    return &alu->instr;
}

static nir_instr *read_deref(struct reader *r)
{
    nir_deref_instr *deref =
        nir_deref_instr_create(r->shader, read_below(r, nir_deref_type_cast + 1));
    deref->modes = read_u32(r);
    deref->type = read_type(r);
    r->failed |= !deref->type;
    if (deref->deref_type == nir_deref_type_var)
        deref->var = read_number(r, &r->vars);
    else
        deref->parent = read_src(r);
    if (deref->deref_type == nir_deref_type_array)
        deref->arr.index = read_src(r);
    else if (deref->deref_type == nir_deref_type_struct)
        deref->strct.index = read_u32(r);
    if (!r->failed && deref->deref_type == nir_deref_type_struct) {
        nir_deref_instr *parent = nir_src_as_deref(deref->parent);
        r->failed |= !parent || !glsl_type_is_struct_or_ifc(parent->type) ||
                     deref->strct.index >= parent->type->length;
    }
    read_def(r, &deref->instr, &deref->def);
    return &deref->instr;
}

static nir_instr *read_call(struct reader *r)
{
    nir_function *callee = read_number(r, &r->functions);
    if (!callee)
        return NULL;
    nir_call_instr *call = nir_call_instr_create(r->shader, callee);
    for (unsigned i = 0; i < call->num_params; i++)
        call->params[i] = read_src(r);
    return &call->instr;
}

static nir_instr *read_intrinsic(struct reader *r)
{
    nir_intrinsic_instr *intr =
        nir_intrinsic_instr_create(r->shader, read_below(r, nir_num_intrinsics));
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    intr->num_components = read_u32(r);
    read_bytes(r, intr->const_index, sizeof intr->const_index);
    for (unsigned s = 0; s < info->num_srcs; s++) {
        intr->src[s] = read_src(r);
        if (!r->failed && info->src_components[s] >= 0)
            r->failed |= intr->src[s].ssa->num_components != nir_intrinsic_src_components(intr, s);
    }
    if (info->has_dest) {
        read_def(r, &intr->instr, &intr->def);
        r->failed |= intr->def.num_components != nir_intrinsic_dest_components(intr);
    }
    return &intr->instr;
}

static nir_instr *read_tex(struct reader *r)
{
    nir_tex_instr *tex = nir_tex_instr_create(r->shader, read_below(r, nir_num_tex_src_types + 1));
    for (unsigned s = 0; s < tex->num_srcs; s++) {
        tex->src[s].src_type = read_below(r, nir_num_tex_src_types);
        tex->src[s].src = read_src(r);
    }
    tex->op = read_below(r, nir_texop_texture_samples + 1);
    tex->sampler_dim = read_below(r, GLSL_SAMPLER_DIM_EXTERNAL + 1);
    tex->dest_type = read_u32(r);
    uint32_t bits = read_u32(r);
    tex->coord_components = bits & 0xff;
    tex->is_array = bits >> 8 & 1;
    tex->is_shadow = bits >> 9 & 1;
    tex->is_new_style_shadow = bits >> 10 & 1;
    tex->component = bits >> 16 & 3;
    read_bytes(r, tex->tg4_offsets, sizeof tex->tg4_offsets);
    tex->texture_index = read_u32(r);
    tex->sampler_index = read_u32(r);
    read_def(r, &tex->instr, &tex->def);
    return &tex->instr;
}

static nir_instr *read_load_const(struct reader *r)
{
    nir_load_const_instr *load = nir_load_const_instr_create(r->shader, NIR_MAX_VEC_COMPONENTS, 32);
    read_def(r, &load->instr, &load->def);
    read_bytes(r, load->value, load->def.num_components * sizeof load->value[0]);
    return &load->instr;
}

static nir_instr *read_instr(struct reader *r)
{
    switch (read_below(r, nir_instr_type_parallel_copy)) {
    case nir_instr_type_alu:
        return read_alu(r);
    case nir_instr_type_deref:
        return read_deref(r);
    case nir_instr_type_call:
        return read_call(r);
    case nir_instr_type_tex:
        return read_tex(r);
    case nir_instr_type_intrinsic:
        return read_intrinsic(r);
    case nir_instr_type_load_const:
        return read_load_const(r);
    case nir_instr_type_jump:
        return &nir_jump_instr_create(r->shader, read_below(r, nir_jump_continue + 1))->instr;
    case nir_instr_type_undef: {
        nir_undef_instr *undef = nir_undef_instr_create(r->shader, 1, 32);
        read_def(r, &undef->instr, &undef->def);
        return &undef->instr;
    }
    default: {
        nir_phi_instr *phi = nir_phi_instr_create(r->shader);
        read_def(r, &phi->instr, &phi->def);
        return &phi->instr;
    }
    }
}

static void read_cf_list(struct reader *r, struct list_head *list, nir_cf_node *parent);

static nir_cf_node *read_block(struct reader *r)
{
    nir_block *block = nir_block_create(r->shader);
    (void)dynarray_append(&r->blocks, block);
    uint32_t count = read_count(r, sizeof(uint32_t));
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        nir_instr *instr = read_instr(r);
        r->failed |= instr && instr->type == nir_instr_type_jump && i + 1 != count;
        if (!r->failed)
            nir_instr_append_detached(block, instr);
    }
    return &block->cf_node;
}

static nir_cf_node *read_if(struct reader *r)
{
    nir_if *nif = nir_if_create_bare(r->shader);
    nif->condition = read_src(r);
    if (r->failed)
        return NULL;
    nir_if_link_condition(nif);
    read_cf_list(r, &nif->then_list, &nif->cf_node);
    read_cf_list(r, &nif->else_list, &nif->cf_node);
    return &nif->cf_node;
}

static nir_cf_node *read_loop(struct reader *r)
{
    nir_loop *loop = talloc_zero(r->shader, nir_loop);
    loop->cf_node.type = nir_cf_node_loop;
    loop->divergent = read_u32(r) != 0;
    read_cf_list(r, &loop->body, &loop->cf_node);
    return &loop->cf_node;
}

static void read_cf_list(struct reader *r, struct list_head *list, nir_cf_node *parent)
{
    list_init(list);
    uint32_t count = read_count(r, sizeof(uint32_t));
    if (++r->depth > MAX_DEPTH || count % 2 == 0)
        r->failed = true;
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uint32_t type = read_below(r, nir_cf_node_function);
        r->failed |= (type == nir_cf_node_block) != (i % 2 == 0);
        nir_cf_node *node = r->failed                   ? NULL
                            : type == nir_cf_node_block ? read_block(r)
                            : type == nir_cf_node_if    ? read_if(r)
                                                        : read_loop(r);
        if (!node)
            break;
        node->parent = parent;
        list_addtail(&node->node, list);
    }
    r->depth--;
}

static bool has_stray_jump(nir_block *block)
{
    if (!nir_block_ends_in_jump(block))
        return false;
    nir_jump_type type = nir_instr_as_jump(nir_block_last_instr(block))->type;
    if (type == nir_jump_return || type == nir_jump_halt)
        return false;
    nir_cf_node *node = &block->cf_node;
    while (node && node->type != nir_cf_node_loop)
        node = node->parent;
    return !node;
}

static void read_phi_srcs(struct reader *r)
{
    nir_foreach_block (block, r->impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            uint32_t count = read_count(r, 2 * sizeof(uint32_t));
            r->failed |= count != block->num_predecessors;
            for (uint32_t i = 0; i < count && !r->failed; i++) {
                nir_block *pred = read_number(r, &r->blocks);
                nir_src src = read_src(r);
                if (!r->failed)
                    nir_phi_instr_add_src(nir_instr_as_phi(instr), pred, src.ssa);
            }
        }
    }
}

static void read_impl(struct reader *r, nir_function *function)
{
    r->impl = nir_function_impl_create(function);
    r->impl->end_block->num_predecessors = 0;
    read_variables(r, &r->impl->locals, true);
    read_cf_list(r, &r->impl->body, &r->impl->cf_node);
    if (r->failed)
        return;
    nir_foreach_block (block, r->impl) {
        r->failed |= has_stray_jump(block);
        if (r->failed)
            return;
        nir_relink_block(block, false);
        nir_foreach_instr (instr, block)
            nir_impl_note_instr(r->impl, instr);
    }
    read_phi_srcs(r);
    nir_index_ssa_defs(r->impl);
}

static void read_functions(struct reader *r)
{
    uint32_t count = read_count(r, sizeof(uint32_t));
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        char *name = read_string(r, r->shader);
        nir_function *function = nir_function_create(r->shader, name);
        function->is_entrypoint = read_u32(r) != 0;
        function->num_params = read_count(r, sizeof *function->params);
        function->params = talloc_array(function, nir_parameter, function->num_params);
        read_bytes(r, function->params, function->num_params * sizeof *function->params);
        (void)dynarray_append(&r->functions, function);
    }
    nir_foreach_function (function, r->shader) {
        if (!r->failed && read_u32(r))
            read_impl(r, function);
    }
}

static void read_shader(struct reader *r)
{
    nir_shader *shader = r->shader;
    read_bytes(r, &shader->info, sizeof shader->info);
    shader->info.name = read_string(r, shader);
    shader->num_inputs = read_u32(r);
    shader->num_outputs = read_u32(r);
    shader->num_uniforms = read_u32(r);
    shader->scratch_size = read_u32(r);
    shader->constant_data_size = read_count(r, 1);
    shader->constant_data = talloc_size(shader, shader->constant_data_size);
    read_bytes(r, shader->constant_data, shader->constant_data_size);
    read_variables(r, &shader->variables, false);
    read_functions(r);
    r->failed |= r->next != r->end;
}

nir_shader *nir_deserialize(void *mem_ctx, const nir_shader_compiler_options *options,
                            const void *data, size_t size)
{
    struct reader r = {.next = data, .end = (const uint8_t *)data + size};
    uint64_t checksum;
    uint32_t version = read_u32(&r);
    read_bytes(&r, &checksum, sizeof checksum);
    if (r.failed || version != magic() || checksum != hash_data64(r.next, r.end - r.next))
        return NULL;
    r.shader = nir_shader_create(mem_ctx, SHADER_VERTEX, options);
    if (!r.shader)
        return NULL;
    read_shader(&r);
    dynarray_finish(&r.types);
    dynarray_finish(&r.vars);
    dynarray_finish(&r.functions);
    dynarray_finish(&r.blocks);
    dynarray_finish(&r.defs);
    if (r.failed) {
        nir_shader_destroy(r.shader);
        return NULL;
    }
    return r.shader;
}
