/* SPDX-License-Identifier: MIT */
#include "nir_eval.h"

#include <talloc.h>

#include "nir_eval_subgroup.h"
#include "util/hash_table.h"

typedef nir_const_value vec_value[NIR_MAX_VEC_COMPONENTS];

/* Argument of a call: a value, or a position in a variable. */
struct param {
    vec_value value;
    nir_variable *var; /* NULL: the argument is a value */
    unsigned cell;
};

enum waits { FOR_NOTHING, FOR_SUBGROUP, FOR_GROUP };

/* State of an invocation. */
struct machine {
    struct nir_eval *eval;
    nir_shader *shader;
    void *mem_ctx;
    vec_value *values;         /* values of the current function, by nir_def.index */
    struct param *params;      /* parameters of the current function */
    struct hash_table *frames; /* nir_function_impl → values; no recursion */
    unsigned depth;            /* call depth */
    struct hash_table *memory; /* nir_variable or decl_reg → cells, one per component */
    uint8_t *scratch;
    unsigned steps;
    enum nir_eval_result result;
    nir_block *block;  /* block to continue with; NULL: the entrypoint has ended */
    nir_instr *resume; /* instruction of the block where the invocation stopped, or NULL */
    enum waits waits;  /* why the invocation has stopped there */
    /* iteration counts of the entrypoint's loops, by the index of their first block */
    unsigned *trips;
};

static nir_const_value *value_of(struct machine *m, const nir_def *def)
{
    return m->values[def->index];
}

static void unsupported(struct machine *m)
{
    m->result = NIR_EVAL_UNSUPPORTED;
}

/* --- Variables: cells in the order of the type's components --- */

static nir_const_value *cells(struct machine *m, const void *key, unsigned count)
{
    nir_const_value *c = hash_table_get(m->memory, key);
    if (!c) {
        c = talloc_zero_array(m->mem_ctx, nir_const_value, MAX2(count, 1));
        hash_table_insert(m->memory, key, c);
    }
    return c;
}

/* Adds the step from parent to deref to *cell. Returns false if the step is not to a single
 * element. */
static bool step_cells(struct machine *m, nir_deref_instr *parent, nir_deref_instr *deref,
                       unsigned *cell)
{
    if (deref->deref_type == nir_deref_type_struct) {
        for (unsigned i = 0; i < deref->strct.index; i++)
            *cell += glsl_component_count(parent->type->fields[i].type);
        return true;
    }
    if (deref->deref_type != nir_deref_type_array)
        return false;
    uint64_t index = nir_const_value_as_uint(value_of(m, deref->arr.index.ssa)[0],
                                             deref->arr.index.ssa->bit_size);
    index = MIN2(index, MAX2(glsl_length_of(parent->type), 1) - 1u);
    *cell += index * glsl_component_count(deref->type);
    return true;
}

/* Returns the variable of deref and stores the index of its first cell; clamps out-of-range
 * indices. Returns NULL if the deref is not supported. */
static nir_variable *deref_place(struct machine *m, nir_deref_instr *deref, unsigned *cell)
{
    if (deref->deref_type == nir_deref_type_var) {
        *cell = 0;
        return deref->var;
    }
    if (deref->deref_type == nir_deref_type_cast) {
        nir_instr *source = deref->parent.ssa->parent_instr;
        if (source->type != nir_instr_type_intrinsic ||
            nir_instr_as_intrinsic(source)->intrinsic != nir_intrinsic_load_param || !m->params)
            return NULL;
        struct param *p = &m->params[nir_intrinsic_param_idx(nir_instr_as_intrinsic(source))];
        *cell = p->cell;
        return p->var;
    }
    nir_deref_instr *parent = nir_deref_instr_parent(deref);
    nir_variable *var = parent ? deref_place(m, parent, cell) : NULL;
    if (!var)
        return NULL;
    return step_cells(m, parent, deref, cell) ? var : NULL;
}

/* Returns the I/O word of a cell of an input or output. */
static uint32_t *io_word(struct machine *m, const nir_variable *var, unsigned cell)
{
    unsigned width = var->type->base_type == GLSL_TYPE_ARRAY && var->data.compact
                         ? 4
                         : MAX2(glsl_without_array(var->type)->vector_elements, 1);
    unsigned slot = var->data.driver_location + cell / width;
    unsigned component = var->data.location_frac + cell % width;
    if (slot >= NIR_EVAL_MAX_SLOTS || component >= 4) {
        unsupported(m);
        return NULL;
    }
    return var->data.mode == nir_var_shader_in ? &m->eval->inputs[slot][component]
                                               : &m->eval->outputs[slot][component];
}

static void access_cell(struct machine *m, nir_variable *var, unsigned cell, unsigned bit_size,
                        nir_const_value *value, bool store)
{
    uint32_t *word = NULL;
    if (var->data.mode & (nir_var_shader_in | nir_var_shader_out)) {
        word = io_word(m, var, cell);
        if (!word)
            return;
    } else if (var->data.mode == nir_var_uniform) {
        word = &m->eval->uniforms[(var->data.driver_location / 4 + cell) % 1024];
    }
    if (word) {
        if (store)
            *word = nir_const_value_as_uint(*value, bit_size);
        else
            *value = nir_const_value_for_uint(bit_size == 1 ? *word != 0 : *word, bit_size);
        return;
    }
    nir_const_value *c = &cells(m, var, glsl_component_count(var->type))[cell];
    if (store)
        *c = *value;
    else
        *value = *c;
}

static void eval_deref_access(struct machine *m, nir_intrinsic_instr *intr)
{
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    unsigned cell = 0;
    nir_variable *var = deref ? deref_place(m, deref, &cell) : NULL;
    if (!var) {
        unsupported(m);
        return;
    }
    bool store = intr->intrinsic == nir_intrinsic_store_deref;
    nir_def *def = store ? intr->src[1].ssa : &intr->def;
    for (unsigned c = 0; c < intr->num_components; c++) {
        if (!store || (nir_intrinsic_write_mask(intr) & (1u << c)))
            access_cell(m, var, cell + c, def->bit_size, &value_of(m, def)[c], store);
    }
}

/* One side of a copy: its position and the remaining path. */
struct copy_side {
    nir_variable *var;
    unsigned cell;
    const struct glsl_type *type;
    nir_deref_instr *at;    /* last deref that was followed */
    nir_deref_instr **path; /* next deref of the path; NULL-terminated */
};

static void walk_to_wildcard(struct machine *m, struct copy_side *side)
{
    while (*side->path && (*side->path)->deref_type != nir_deref_type_array_wildcard) {
        step_cells(m, side->at, *side->path, &side->cell);
        side->at = *side->path++;
        side->type = side->at->type;
    }
}

/* Returns the side after stepping to element or field i. */
static struct copy_side enter(const struct copy_side *side, unsigned i)
{
    struct copy_side in = *side;
    bool is_struct = glsl_type_is_struct_or_ifc(side->type);
    in.type = is_struct ? side->type->fields[i].type : glsl_element_of(side->type);
    for (unsigned before = 0; before < i; before++)
        in.cell += glsl_component_count(is_struct ? side->type->fields[before].type : in.type);
    if (*side->path)
        in.at = *in.path++;
    return in;
}

static void copy_cells(struct machine *m, struct copy_side dst, struct copy_side src)
{
    walk_to_wildcard(m, &dst);
    walk_to_wildcard(m, &src);
    if (*dst.path || *src.path || !glsl_type_is_vector_or_scalar(dst.type)) {
        unsigned n =
            glsl_type_is_struct_or_ifc(dst.type) ? dst.type->length : glsl_length_of(dst.type);
        for (unsigned i = 0; i < n; i++)
            copy_cells(m, enter(&dst, i), enter(&src, i));
        return;
    }
    for (unsigned c = 0; c < dst.type->vector_elements; c++) {
        nir_const_value v = {0};
        access_cell(m, src.var, src.cell + c, glsl_bit_size(src.type), &v, false);
        access_cell(m, dst.var, dst.cell + c, glsl_bit_size(dst.type), &v, true);
    }
}

static void eval_copy(struct machine *m, nir_intrinsic_instr *intr)
{
    nir_deref_path paths[2];
    struct copy_side sides[2];
    for (unsigned i = 0; i < 2; i++) {
        nir_deref_path_init(&paths[i], nir_src_as_deref(intr->src[i]), m->mem_ctx);
        nir_deref_instr *root = paths[i].path[0];
        sides[i] = (struct copy_side){.type = root->type, .at = root, .path = paths[i].path + 1};
        sides[i].var = deref_place(m, root, &sides[i].cell);
    }
    if (sides[0].var && sides[1].var)
        copy_cells(m, sides[0], sides[1]);
    else
        unsupported(m);
    nir_deref_path_finish(&paths[0]);
    nir_deref_path_finish(&paths[1]);
}

/* --- Intrinsics --- */

static uint64_t src_uint(struct machine *m, nir_src src)
{
    return nir_const_value_as_uint(value_of(m, src.ssa)[0], src.ssa->bit_size);
}

static void eval_io(struct machine *m, nir_intrinsic_instr *intr, bool store)
{
    nir_def *def = store ? intr->src[0].ssa : &intr->def;
    bool output = store || intr->intrinsic == nir_intrinsic_load_output;
    unsigned slot = nir_intrinsic_base(intr) + src_uint(m, *nir_get_io_offset_src(intr));
    for (unsigned c = 0; c < intr->num_components; c++) {
        unsigned component = nir_intrinsic_component(intr) + c;
        if (slot >= NIR_EVAL_MAX_SLOTS || component >= 4 || def->bit_size != 32) {
            unsupported(m);
            return;
        }
        uint32_t *word =
            output ? &m->eval->outputs[slot][component] : &m->eval->inputs[slot][component];
        if (!store)
            value_of(m, def)[c] = nir_const_value_for_uint(*word, 32);
        else if (nir_intrinsic_write_mask(intr) & (1u << c))
            *word = value_of(m, def)[c].u32;
    }
}

/* Loads an input of a vertex. */
static void eval_vertex_input(struct machine *m, nir_intrinsic_instr *intr)
{
    const struct nir_eval *eval = m->eval;
    const uint64_t vertex = src_uint(m, intr->src[0]);
    const uint64_t slot = nir_intrinsic_base(intr) + src_uint(m, intr->src[1]);
    const unsigned first = nir_intrinsic_component(intr), n = intr->num_components;
    if (!eval->num_vertices || slot >= NIR_EVAL_MAX_SLOTS || first + n > 4 ||
        intr->def.bit_size != 32) {
        unsupported(m);
        return;
    }
    for (unsigned c = 0; c < n; c++) {
        const uint32_t word =
            vertex < eval->num_vertices ? eval->vertices[vertex][slot][first + c] : 0;
        value_of(m, &intr->def)[c] = nir_const_value_for_uint(word, 32);
    }
}

static void eval_memory(struct machine *m, nir_intrinsic_instr *intr, uint8_t *base, size_t size,
                        bool store)
{
    nir_def *def = store ? intr->src[0].ssa : &intr->def;
    unsigned bytes = MAX2(def->bit_size / 8, 1);
    uint64_t offset = nir_intrinsic_base(intr) + src_uint(m, *nir_get_io_offset_src(intr));
    for (unsigned c = 0; c < intr->num_components; c++, offset += bytes) {
        nir_const_value v = {0};
        if (!store) {
            if (offset + bytes <= size)
                memcpy(&v, base + offset, bytes);
            value_of(m, def)[c] = v;
        } else if ((nir_intrinsic_write_mask(intr) & (1u << c)) && offset + bytes <= size) {
            memcpy(base + offset, &value_of(m, def)[c], bytes);
        }
    }
}

static void eval_clear_scratch(struct machine *m, const nir_intrinsic_instr *intr)
{
    const uint64_t size = m->shader->scratch_size;
    const uint64_t offset = MIN2(nir_intrinsic_base(intr) + src_uint(m, intr->src[0]), size);
    memset(m->scratch + offset, 0, MIN2(src_uint(m, intr->src[1]), size - offset));
}

static void eval_reg(struct machine *m, nir_intrinsic_instr *intr)
{
    bool store = intr->intrinsic == nir_intrinsic_store_reg ||
                 intr->intrinsic == nir_intrinsic_store_reg_indirect;
    bool indirect = intr->intrinsic == nir_intrinsic_load_reg_indirect ||
                    intr->intrinsic == nir_intrinsic_store_reg_indirect;
    nir_def *reg = intr->src[store ? 1 : 0].ssa;
    nir_intrinsic_instr *decl = nir_instr_as_intrinsic(reg->parent_instr);
    unsigned n = nir_intrinsic_num_components(decl);
    unsigned elements = MAX2(nir_intrinsic_num_array_elems(decl), 1);
    uint64_t element = nir_intrinsic_base(intr);
    if (indirect)
        element += src_uint(m, intr->src[store ? 2 : 1]);
    element = MIN2(element, elements - 1u);
    nir_const_value *c = cells(m, reg, n * elements) + element * n;
    for (unsigned i = 0; i < intr->num_components; i++) {
        if (!store)
            value_of(m, &intr->def)[i] = c[i];
        else if (nir_intrinsic_write_mask(intr) & (1u << i))
            c[i] = value_of(m, intr->src[0].ssa)[i];
    }
}

static bool eval_by_callback(struct machine *m, nir_intrinsic_instr *intr)
{
    nir_const_value *srcs[NIR_INTRINSIC_MAX_INPUTS], none[NIR_MAX_VEC_COMPONENTS];
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    for (unsigned i = 0; i < info->num_srcs; i++)
        srcs[i] = value_of(m, intr->src[i].ssa);
    return m->eval->intrinsic &&
           m->eval->intrinsic(m->eval, intr, srcs, info->has_dest ? value_of(m, &intr->def) : none);
}

/* --- Workgroups --- */

static unsigned subgroup_size(const struct nir_eval *eval)
{
    return eval->group && eval->group->subgroup_size ? eval->group->subgroup_size : 1;
}

static void stop(struct machine *m, nir_intrinsic_instr *intr, enum waits waits)
{
    m->resume = &intr->instr;
    m->waits = waits;
}

static void set_words(struct machine *m, nir_intrinsic_instr *intr, const uint32_t *words)
{
    for (unsigned c = 0; c < intr->def.num_components; c++)
        value_of(m, &intr->def)[c] = nir_const_value_for_uint(words[c], 32);
}

/* Returns the new value of an integer atomic; signed operands are sign-extended to 64 bits. */
static uint64_t atomic_result(nir_atomic_op op, uint64_t old, uint64_t data)
{
    switch (op) {
    case nir_atomic_op_iadd:
        return old + data;
    case nir_atomic_op_imin:
        return (uint64_t)MIN2((int64_t)old, (int64_t)data);
    case nir_atomic_op_umin:
        return MIN2(old, data);
    case nir_atomic_op_imax:
        return (uint64_t)MAX2((int64_t)old, (int64_t)data);
    case nir_atomic_op_umax:
        return MAX2(old, data);
    case nir_atomic_op_iand:
        return old & data;
    case nir_atomic_op_ior:
        return old | data;
    case nir_atomic_op_ixor:
        return old ^ data;
    default:
        return data;
    }
}

static void eval_shared_atomic(struct machine *m, nir_intrinsic_instr *intr)
{
    const struct nir_eval_group *g = m->eval->group;
    bool swap = intr->intrinsic == nir_intrinsic_shared_atomic_swap;
    nir_atomic_op op = nir_intrinsic_atomic_op(intr);
    bool is_signed = op == nir_atomic_op_imin || op == nir_atomic_op_imax;
    uint64_t offset = nir_intrinsic_base(intr) + src_uint(m, intr->src[0]);
    uint64_t data = src_uint(m, intr->src[1]), old = 0;
    unsigned bytes = intr->def.bit_size / 8;
    if (offset + bytes <= g->shared_size) {
        memcpy(&old, g->shared + offset, bytes);
        if (swap)
            data = old == data ? src_uint(m, intr->src[2]) : old;
        else if (is_signed && bytes == 4)
            data = atomic_result(op, (uint64_t)(int32_t)old, (uint64_t)(int32_t)data);
        else
            data = atomic_result(op, old, data);
        memcpy(g->shared + offset, &data, bytes);
    }
    value_of(m, &intr->def)[0] = nir_const_value_for_uint(old, intr->def.bit_size);
}

/* Returns false if it is not a workgroup intrinsic. */
static bool eval_group_intrinsic(struct machine *m, nir_intrinsic_instr *intr)
{
    const struct nir_eval_group *g = m->eval->group;
    uint32_t l = m->eval->local_index;
    if (!g)
        return false;
    const uint32_t id[3] = {l % g->size[0], l / g->size[0] % g->size[1],
                            l / g->size[0] / g->size[1]};
    switch (intr->intrinsic) {
    case nir_intrinsic_load_local_invocation_index:
        set_words(m, intr, &l);
        return true;
    case nir_intrinsic_load_local_invocation_id:
        set_words(m, intr, id);
        return true;
    case nir_intrinsic_load_workgroup_id:
        set_words(m, intr, g->id);
        return true;
    case nir_intrinsic_load_num_workgroups:
        set_words(m, intr, g->num_groups);
        return true;
    case nir_intrinsic_load_workgroup_size:
        set_words(m, intr, g->size);
        return true;
    case nir_intrinsic_load_shared:
        eval_memory(m, intr, g->shared, g->shared_size, false);
        return true;
    case nir_intrinsic_store_shared:
        eval_memory(m, intr, g->shared, g->shared_size, true);
        return true;
    case nir_intrinsic_shared_atomic:
    case nir_intrinsic_shared_atomic_swap:
        eval_shared_atomic(m, intr);
        return true;
    case nir_intrinsic_begin_invocation_interlock:
    case nir_intrinsic_end_invocation_interlock: /* invocations are evaluated in order */
        return true;
    case nir_intrinsic_barrier:
        if (m->depth)
            unsupported(m);
        else if (nir_intrinsic_execution_scope(intr) >= NIR_SCOPE_WORKGROUP)
            stop(m, intr, FOR_GROUP);
        return true;
    default:
        return false;
    }
}

/* --- Subgroups --- */

static struct nir_eval_subgroup_lane lane_of(struct machine *m, const nir_intrinsic_instr *intr)
{
    struct nir_eval_subgroup_lane lane = {.dest = value_of(m, &intr->def)};
    for (unsigned i = 0; i < nir_intrinsic_infos[intr->intrinsic].num_srcs; i++)
        lane.src[i] = value_of(m, intr->src[i].ssa);
    return lane;
}

/* Returns false if it is not a subgroup intrinsic. In a subgroup of several invocations, stops
 * until the others have arrived. */
static bool eval_subgroup(struct machine *m, nir_intrinsic_instr *intr)
{
    unsigned size = subgroup_size(m->eval);
    if (intr->intrinsic == nir_intrinsic_load_subgroup_size) {
        set_words(m, intr, &size);
    } else if (intr->intrinsic == nir_intrinsic_load_subgroup_invocation) {
        const uint32_t lane = m->eval->local_index % size;
        set_words(m, intr, &lane);
    } else if (intr->intrinsic == nir_intrinsic_is_helper_invocation) {
        value_of(m, &intr->def)->b = false;
    } else if (!nir_eval_is_subgroup_op(intr->intrinsic)) {
        return false;
    } else if (size == 1) {
        const struct nir_eval_subgroup_lane lane = lane_of(m, intr);
        nir_eval_subgroup_op(intr, &lane, 1);
    } else if (m->depth) {
        unsupported(m);
    } else {
        stop(m, intr, FOR_SUBGROUP);
    }
    return true;
}

static void eval_intrinsic(struct machine *m, nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_deref:
    case nir_intrinsic_store_deref:
        eval_deref_access(m, intr);
        break;
    case nir_intrinsic_copy_deref:
        eval_copy(m, intr);
        break;
    case nir_intrinsic_decl_reg:
        break;
    case nir_intrinsic_load_param:
        if (m->params)
            memcpy(value_of(m, &intr->def), m->params[nir_intrinsic_param_idx(intr)].value,
                   intr->num_components * sizeof(nir_const_value));
        else
            unsupported(m);
        break;
    case nir_intrinsic_load_reg:
    case nir_intrinsic_load_reg_indirect:
    case nir_intrinsic_store_reg:
    case nir_intrinsic_store_reg_indirect:
        eval_reg(m, intr);
        break;
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_interpolated_input:
    case nir_intrinsic_load_output:
        eval_io(m, intr, false);
        break;
    case nir_intrinsic_store_output:
        eval_io(m, intr, true);
        break;
    case nir_intrinsic_load_input_vertex:
    case nir_intrinsic_load_per_vertex_input:
        if (!eval_by_callback(m, intr))
            eval_vertex_input(m, intr);
        break;
    case nir_intrinsic_load_barycentric_pixel:
    case nir_intrinsic_load_barycentric_centroid:
    case nir_intrinsic_load_barycentric_sample:
        break;
    case nir_intrinsic_load_uniform:
        eval_memory(m, intr, (uint8_t *)m->eval->uniforms, sizeof m->eval->uniforms, false);
        break;
    case nir_intrinsic_load_scratch:
        eval_memory(m, intr, m->scratch, m->shader->scratch_size, false);
        break;
    case nir_intrinsic_store_scratch:
        eval_memory(m, intr, m->scratch, m->shader->scratch_size, true);
        break;
    case nir_intrinsic_clear_scratch:
        eval_clear_scratch(m, intr);
        break;
    case nir_intrinsic_load_constant:
        eval_memory(m, intr, m->shader->constant_data, m->shader->constant_data_size, false);
        break;
    case nir_intrinsic_discard:
    case nir_intrinsic_demote:
    case nir_intrinsic_terminate:
        m->eval->discarded = true;
        break;
    case nir_intrinsic_discard_if:
    case nir_intrinsic_demote_if:
    case nir_intrinsic_terminate_if:
        m->eval->discarded |= src_uint(m, intr->src[0]) != 0;
        break;
    default:
        if (!eval_group_intrinsic(m, intr) && !eval_by_callback(m, intr) && !eval_subgroup(m, intr))
            unsupported(m);
        break;
    }
}

/* --- Other instructions --- */

static void eval_alu(struct machine *m, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    nir_const_value srcs[NIR_ALU_MAX_INPUTS][NIR_MAX_VEC_COMPONENTS], *ptrs[NIR_ALU_MAX_INPUTS];
    nir_const_value dest[NIR_MAX_VEC_COMPONENTS];
    unsigned bit_size = alu->def.bit_size;
    bool sized = nir_alu_type_get_type_size(info->output_type) != 0;
    for (unsigned s = 0; s < info->num_inputs; s++) {
        for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, s); c++)
            srcs[s][c] = value_of(m, alu->src[s].src.ssa)[nir_alu_src_comp(&alu->src[s], c)];
        ptrs[s] = srcs[s];
        if (sized && nir_alu_type_get_type_size(info->input_types[s]) == 0)
            bit_size = alu->src[s].src.ssa->bit_size;
    }
    nir_eval_const_opcode(alu->op, dest, alu->def.num_components, bit_size, ptrs);
    memcpy(value_of(m, &alu->def), dest, alu->def.num_components * sizeof dest[0]);
}

/* Reads all phi sources before writing any phi. */
static void eval_phis(struct machine *m, nir_block *block, nir_block *pred)
{
    unsigned n = 0;
    nir_foreach_instr (instr, block)
        n += instr->type == nir_instr_type_phi;
    nir_const_value(*next)[NIR_MAX_VEC_COMPONENTS] =
        talloc_zero_size(m->mem_ctx, MAX2(n, 1) * sizeof *next);
    unsigned i = 0;
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_foreach_phi_src (src, nir_instr_as_phi(instr)) {
            if (src->pred == pred)
                memcpy(next[i], value_of(m, src->src.ssa), sizeof next[i]);
        }
        i++;
    }
    i = 0;
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        memcpy(value_of(m, &nir_instr_as_phi(instr)->def), next[i++], sizeof next[0]);
    }
    talloc_free(next);
}

static nir_block *eval_block(struct machine *m, nir_block *block);

static vec_value *frame_of(struct machine *m, nir_function_impl *impl)
{
    vec_value *values = hash_table_get(m->frames, impl);
    if (!values) {
        nir_index_ssa_defs(impl);
        values = talloc_zero_size(m->mem_ctx, MAX2(impl->ssa_alloc, 1) * sizeof *values);
        hash_table_insert(m->frames, impl, values);
    }
    return values;
}

static void eval_body(struct machine *m, nir_function_impl *impl)
{
    nir_block *block = nir_start_block(impl);
    while (block && block != impl->end_block)
        block = eval_block(m, block);
}

#define MAX_DEPTH 32

static void eval_call(struct machine *m, nir_call_instr *call)
{
    nir_function_impl *impl = call->callee->impl;
    if (!impl || m->depth == MAX_DEPTH) {
        unsupported(m);
        return;
    }
    struct param *params = talloc_zero_array(m->mem_ctx, struct param, call->num_params);
    for (unsigned i = 0; i < call->num_params; i++) {
        nir_deref_instr *deref = nir_src_as_deref(call->params[i]);
        if (deref)
            params[i].var = deref_place(m, deref, &params[i].cell);
        else
            memcpy(params[i].value, value_of(m, call->params[i].ssa), sizeof params[i].value);
    }
    vec_value *values = m->values;
    struct param *outer = m->params;
    m->values = frame_of(m, impl);
    m->params = params;
    m->depth++;
    eval_body(m, impl);
    m->depth--;
    m->values = values;
    m->params = outer;
    talloc_free(params);
}

static void eval_instr(struct machine *m, nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu:
        eval_alu(m, nir_instr_as_alu(instr));
        break;
    case nir_instr_type_intrinsic:
        eval_intrinsic(m, nir_instr_as_intrinsic(instr));
        break;
    case nir_instr_type_load_const: {
        nir_load_const_instr *load = nir_instr_as_load_const(instr);
        memcpy(value_of(m, &load->def), load->value,
               load->def.num_components * sizeof load->value[0]);
        break;
    }
    case nir_instr_type_call:
        eval_call(m, nir_instr_as_call(instr));
        break;
    case nir_instr_type_undef:
    case nir_instr_type_deref:
    case nir_instr_type_phi:
    case nir_instr_type_jump:
        break;
    default:
        unsupported(m);
        break;
    }
}

/* Counts the iterations of loops, starting at 0 on entry. */
static void count_trips(struct machine *m, const nir_block *from, nir_block *to)
{
    nir_cf_node *parent = to->cf_node.parent;
    if (m->depth || parent->type != nir_cf_node_loop ||
        nir_loop_first_block(nir_cf_node_as_loop(parent)) != to)
        return;
    m->trips[to->index] = from->index >= to->index ? m->trips[to->index] + 1 : 0;
}

/* Runs the block. Returns the next block, or this one if the invocation stops. */
static nir_block *eval_block(struct machine *m, nir_block *block)
{
    bool skip = m->resume; /* skip the instructions that already ran */
    nir_foreach_instr (instr, block) {
        if (skip) {
            skip = instr != m->resume;
            if (!skip)
                m->resume = NULL;
            continue;
        }
        if (m->steps-- == 0)
            m->result = NIR_EVAL_ENDLESS;
        if (m->result != NIR_EVAL_DONE)
            return NULL;
        eval_instr(m, instr);
        if (m->resume)
            return block;
    }
    if (m->steps-- == 0)
        m->result = NIR_EVAL_ENDLESS;
    nir_block *next = block->successors[0];
    nir_if *nif = nir_block_ends_in_jump(block) ? NULL : nir_block_get_following_if(block);
    if (nif && !src_uint(m, nif->condition))
        next = block->successors[1];
    if (next) {
        count_trips(m, block, next);
        eval_phis(m, next, block);
    }
    return m->result == NIR_EVAL_DONE ? next : NULL;
}

/* Initializes a machine at the first instruction; allocates from mem_ctx. */
static void start(struct machine *m, void *mem_ctx, struct nir_eval *eval, nir_shader *shader,
                  nir_function_impl *impl)
{
    *m = (struct machine){
        .eval = eval,
        .shader = shader,
        .mem_ctx = mem_ctx,
        .steps = eval->max_steps ? eval->max_steps : 1000000,
        .result = NIR_EVAL_DONE,
        .block = nir_start_block(impl),
    };
    m->frames = hash_table_create_pointer(mem_ctx);
    m->values = frame_of(m, impl);
    nir_index_blocks(impl);
    m->trips = talloc_zero_array(mem_ctx, unsigned, impl->num_blocks + 1);
    m->memory = hash_table_create_pointer(mem_ctx);
    m->scratch = talloc_zero_array(mem_ctx, uint8_t, MAX2(shader->scratch_size, 1));
}

enum nir_eval_result nir_eval_shader(struct nir_eval *eval, nir_shader *shader)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    struct machine m;
    if (!impl)
        return NIR_EVAL_UNSUPPORTED;
    void *mem_ctx = talloc_new(NULL);
    start(&m, mem_ctx, eval, shader, impl);
    eval_body(&m, impl);
    talloc_free(mem_ctx);
    return m.result;
}

/* Runs the invocation until it has to wait or ends. */
static void eval_phase(struct machine *m, nir_function_impl *impl)
{
    do
        m->block = eval_block(m, m->block);
    while (m->block && m->block != impl->end_block && !m->resume);
    if (m->block == impl->end_block)
        m->block = NULL;
}

/* Stores the loops around the block, the outermost first, and returns their number. */
static unsigned loops_around(const nir_block *block, nir_loop *loops[MAX_DEPTH])
{
    unsigned n = 0;
    for (nir_cf_node *node = block->cf_node.parent; node; node = node->parent)
        n += node->type == nir_cf_node_loop;
    unsigned i = n = MIN2(n, MAX_DEPTH);
    for (nir_cf_node *node = block->cf_node.parent; node && i; node = node->parent)
        if (node->type == nir_cf_node_loop)
            loops[--i] = nir_cf_node_as_loop(node);
    return n;
}

/* Orders two stopped invocations by their positions: earlier iterations first, and branches before
 * the code after them. All invocations that can still reach the first position have then arrived
 * there. Returns 0 for the same position. */
static int compare_places(const struct machine *a, const struct machine *b)
{
    nir_loop *around_a[MAX_DEPTH], *around_b[MAX_DEPTH];
    unsigned n = MIN2(loops_around(a->block, around_a), loops_around(b->block, around_b));
    for (unsigned i = 0; i < n && around_a[i] == around_b[i]; i++) {
        unsigned head = nir_loop_first_block(around_a[i])->index;
        if (a->trips[head] != b->trips[head])
            return a->trips[head] < b->trips[head] ? -1 : 1;
    }
    if (a->block != b->block)
        return a->block->index < b->block->index ? -1 : 1;
    if (a->resume == b->resume)
        return 0;
    nir_foreach_instr (instr, a->block) {
        if (instr == a->resume)
            return -1;
        if (instr == b->resume)
            return 1;
    }
    return 0;
}

/* Evaluates the subgroup operation of the invocations at the first position and lets them continue.
 * Returns false if none waits for a subgroup operation. */
static bool eval_together(struct machine *m, unsigned count, unsigned size)
{
    struct nir_eval_subgroup_lane lanes[NIR_EVAL_MAX_LANES] = {{{NULL}}};
    struct machine *first = NULL;
    for (unsigned i = 0; i < count; i++)
        if (m[i].block && m[i].waits == FOR_SUBGROUP &&
            (!first || compare_places(&m[i], first) < 0))
            first = &m[i];
    if (!first)
        return false;
    const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(first->resume);
    for (unsigned i = 0; i < count; i++) {
        if (!m[i].block || m[i].waits != FOR_SUBGROUP || compare_places(&m[i], first) != 0)
            continue;
        lanes[i] = lane_of(&m[i], intr);
    }
    nir_eval_subgroup_op(intr, lanes, size);
    for (unsigned i = 0; i < count; i++)
        if (lanes[i].dest)
            m[i].waits = FOR_NOTHING;
    return true;
}

/* Runs a subgroup to the next barrier or its end. index: first invocation of the subgroup. */
static void eval_subgroup_phase(struct nir_eval *eval, struct machine *m, unsigned index,
                                unsigned count, nir_function_impl *impl)
{
    for (unsigned i = 0; i < count; i++)
        m[i].waits = FOR_NOTHING;
    do {
        for (unsigned i = 0; i < count; i++) {
            eval->local_index = index + i;
            if (m[i].block && m[i].waits == FOR_NOTHING)
                eval_phase(&m[i], impl);
        }
    } while (eval_together(m, count, subgroup_size(eval)));
}

enum nir_eval_result nir_eval_invocations(struct nir_eval *eval, nir_shader *shader)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    const struct nir_eval_group *g = eval->group;
    unsigned n = g->size[0] * g->size[1] * g->size[2], size = subgroup_size(eval);
    if (!impl || size > NIR_EVAL_MAX_LANES)
        return NIR_EVAL_UNSUPPORTED;
    void *mem_ctx = talloc_new(NULL);
    struct machine *m = talloc_array(mem_ctx, struct machine, MAX2(n, 1));
    enum nir_eval_result result = NIR_EVAL_DONE;
    for (unsigned i = 0; i < n; i++)
        start(&m[i], mem_ctx, eval, shader, impl);
    for (bool again = true; again && result == NIR_EVAL_DONE;) {
        again = false;
        for (unsigned i = 0; i < n; i += size)
            eval_subgroup_phase(eval, &m[i], i, MIN2(size, n - i), impl);
        for (unsigned i = 0; i < n && result == NIR_EVAL_DONE; i++) {
            result = m[i].result;
            again |= m[i].block != NULL;
        }
    }
    talloc_free(mem_ctx);
    return result;
}
