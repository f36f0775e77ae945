/* SPDX-License-Identifier: MIT */
/*
 * Reduces the data that one stage passes to the next. Varyings that are arrays, matrices or structs
 * are split into one variable per vector, so that unread ones can be removed. Components that the
 * consumer does not read are not written. Constants that the producer writes are moved into the
 * consumer.
 *
 * This applies to user-defined varyings that transform feedback does not capture. Outputs have been
 * lowered to temporaries before, so they are written as whole vectors, in a geometry shader at each
 * emitted vertex.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"
#include "nir/nir_builder.h"

#define MAX_LEAVES 256 /* vectors of a variable */

/* An output and the input that reads it. */
struct flow {
    nir_variable *var[2];         /* variables of the producer (0) and the consumer (1) */
    const struct glsl_type *type; /* type for one vertex */
    bool per_vertex[2];           /* the outermost dimension counts vertices */
    bool direct[2];               /* every access is to a vector selected by constant indices */
    uint8_t read;             /* single vectors: mask of the components that the consumer reads */
    bool constant;            /* all stores write these constants, and the input is only loaded */
    nir_variable *one_vertex; /* replaces the input for all vertices; NULL: none */
    struct leaf {
        nir_variable *var[2]; /* created on first use */
        uint8_t written;      /* mask of components */
        nir_const_value value[4];
    } *leaves;
};

struct flows {
    struct flow *list;
    unsigned count;
    struct hash_table *of; /* nir_variable → flow */
    nir_shader *shaders[2];
};

/* --------------------------------------------------------------------------------- leaves --- */

static bool is_leaf(const struct glsl_type *type)
{
    return glsl_type_is_vector_or_scalar(type);
}

static const struct glsl_type *part_type(const struct glsl_type *type, unsigned i)
{
    return glsl_type_is_struct_or_ifc(type) ? type->fields[i].type : glsl_element_of(type);
}

static unsigned num_parts(const struct glsl_type *type)
{
    return glsl_type_is_struct_or_ifc(type) ? type->length : glsl_length_of(type);
}

/* Returns the number of vectors in a type; stops counting above MAX_LEAVES. */
static unsigned count_leaves(const struct glsl_type *type)
{
    unsigned n = 0;
    if (is_leaf(type))
        return 1;
    for (unsigned i = 0; i < num_parts(type) && n <= MAX_LEAVES; i++)
        n += count_leaves(part_type(type, i));
    return n;
}

/* Returns the index of the first leaf of part i. */
static unsigned leaf_of_part(const struct glsl_type *type, unsigned i)
{
    unsigned n = 0;
    for (unsigned k = 0; k < i; k++)
        n += count_leaves(part_type(type, k));
    return n;
}

/* Returns the index of the part that a deref step selects; -1: dynamic or out of range. */
static int part_of_step(const struct glsl_type *type, const nir_deref_instr *step)
{
    if (step->deref_type == nir_deref_type_struct)
        return (int)step->strct.index;
    if (step->deref_type != nir_deref_type_array || !nir_src_is_const(step->arr.index))
        return -1;
    uint64_t i = nir_src_as_uint(step->arr.index);
    return i < num_parts(type) ? (int)i : -1;
}

/* -------------------------------------------------------------------------------- variables --- */

static struct flow *add_flow(struct flows *f, nir_variable *out, nir_variable *in, bool per_vertex)
{
    const struct glsl_type *type = per_vertex ? in->type->element : in->type;
    unsigned leaves = count_leaves(type);
    if (!leaves || leaves > MAX_LEAVES || !glsl_type_equal(type, out->type))
        return NULL;
    struct flow *flow = &f->list[f->count++];
    *flow = (struct flow){
        .var = {out, in},
        .type = type,
        .per_vertex = {false, per_vertex},
        .direct = {true, true},
        .constant = true,
        .leaves = talloc_zero_array(f->list, struct leaf, leaves),
    };
    hash_table_insert(f->of, out, flow);
    hash_table_insert(f->of, in, flow);
    return flow;
}

static struct flows *find_flows(struct linker *ln, struct link_stage *producer,
                                struct link_stage *consumer)
{
    struct flows *f = talloc_zero(ln->tmp, struct flows);
    unsigned count = 0;
    nir_foreach_variable_with_modes (var, producer->nir, nir_var_shader_out)
        count++;
    f->list = talloc_zero_array(f, struct flow, count);
    f->of = hash_table_create_pointer(f);
    f->shaders[0] = producer->nir;
    f->shaders[1] = consumer->nir;
    nir_foreach_variable_with_modes (out, producer->nir, nir_var_shader_out) {
        if (out->data.always_active_io || out->data.patch || out->data.compact ||
            !strncmp(out->name, "gl_", 3))
            continue;
        nir_variable *in = link_partner(producer, consumer, out, nir_var_shader_in);
        if (!in || in->data.patch || hash_table_get(f->of, in))
            continue;
        bool per_vertex =
            consumer->stage != SHADER_FRAGMENT || in->data.interpolation == INTERP_MODE_PER_VERTEX;
        if (!per_vertex || glsl_type_is_array(in->type))
            add_flow(f, out, in, per_vertex);
    }
    return f;
}

typedef void (*visit_fn)(struct flows *f, struct flow *flow, nir_deref_instr *root, unsigned side);

/* Calls visit for each deref of a variable of a flow in the producer (side 0) or the consumer (side
 * 1). */
static void visit_roots(struct flows *f, unsigned side, visit_fn visit)
{
    nir_foreach_function_impl (impl, f->shaders[side]) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block) {
                if (instr->type != nir_instr_type_deref)
                    continue;
                nir_deref_instr *deref = nir_instr_as_deref(instr);
                struct flow *flow = deref->deref_type == nir_deref_type_var
                                        ? hash_table_get(f->of, deref->var)
                                        : NULL;
                if (flow)
                    visit(f, flow, deref, side);
            }
        }
    }
}

/* -------------------------------------------------------------------------------- analysis --- */

static uint8_t all_components(const struct glsl_type *type)
{
    return BITFIELD_MASK(type->vector_elements);
}

static bool component_constant(nir_def *def, unsigned c, nir_const_value *value)
{
    nir_instr *instr = def->parent_instr;
    if (instr->type == nir_instr_type_load_const) {
        *value = nir_instr_as_load_const(instr)->value[c];
        return true;
    }
    if (instr->type != nir_instr_type_alu)
        return false;
    nir_alu_instr *alu = nir_instr_as_alu(instr);
    if (alu->op == nir_op_mov)
        return component_constant(alu->src[0].src.ssa, nir_alu_src_comp(&alu->src[0], c), value);
    if (!nir_op_is_vec(alu->op))
        return false;
    return component_constant(alu->src[c].src.ssa, nir_alu_src_comp(&alu->src[c], 0), value);
}

/* Updates what is known about a leaf with a store to it. */
static void record_store(struct flow *flow, const nir_intrinsic_instr *store, struct leaf *leaf)
{
    nir_def *value = store->src[1].ssa;
    unsigned mask = nir_intrinsic_write_mask(store), bits = value->bit_size;
    if (is_leaf(flow->type))
        mask &= flow->read;
    for (unsigned c = 0; c < value->num_components && flow->constant; c++) {
        nir_const_value v;
        if (!(mask >> c & 1) || value->parent_instr->type == nir_instr_type_undef)
            continue;
        bool known = c < 4 && component_constant(value, c, &v);
        if (known && leaf->written >> c & 1)
            known =
                nir_const_value_as_uint(v, bits) == nir_const_value_as_uint(leaf->value[c], bits);
        if (!known) {
            flow->constant = false;
            return;
        }
        leaf->value[c] = v;
        leaf->written |= 1u << c;
    }
}

/* Records a use of a leaf or of one of its components. */
static void record_leaf_use(struct flow *flow, nir_deref_instr *deref, const nir_src *src,
                            unsigned side, int first_leaf)
{
    nir_instr *user = nir_src_parent_instr(src);
    nir_intrinsic_instr *intr = !nir_src_is_if(src) && user->type == nir_instr_type_intrinsic
                                    ? nir_instr_as_intrinsic(user)
                                    : NULL;
    if (side == 1 && intr && intr->intrinsic == nir_intrinsic_load_deref) {
        flow->read |= nir_def_components_read(&intr->def);
    } else if (side == 0 && intr && intr->intrinsic == nir_intrinsic_store_deref &&
               &intr->src[0] == src && first_leaf >= 0) {
        record_store(flow, intr, &flow->leaves[first_leaf]);
    } else {
        flow->read = all_components(deref->type);
        flow->constant = false;
    }
}

/* first_leaf: index of the first leaf that deref selects; -1: unknown. */
static void record_uses(struct flow *flow, nir_deref_instr *deref, const struct glsl_type *type,
                        unsigned side, bool at_vertices, int first_leaf)
{
    nir_foreach_use_including_if(src, &deref->def)
    {
        nir_deref_instr *step =
            !nir_src_is_if(src) && nir_src_parent_instr(src)->type == nir_instr_type_deref
                ? nir_instr_as_deref(nir_src_parent_instr(src))
                : NULL;
        if (at_vertices && step && step->deref_type == nir_deref_type_array) {
            record_uses(flow, step, type, side, false, first_leaf);
            continue;
        }
        if (!at_vertices && is_leaf(type)) {
            record_leaf_use(flow, deref, src, side, first_leaf);
            continue;
        }
        int part = !at_vertices && step ? part_of_step(type, step) : -1;
        flow->direct[side] &= part >= 0;
        if (part < 0 && (side == 0 || !step || step->deref_type == nir_deref_type_cast)) {
            flow->constant = false;
            continue;
        }
        unsigned leaf = part < 0 ? 0 : leaf_of_part(type, (unsigned)part);
        bool known = part >= 0 && first_leaf >= 0;
        record_uses(flow, step, part_type(type, (unsigned)MAX2(part, 0)), side, false,
                    known ? first_leaf + (int)leaf : -1);
    }
}

static void record_root_uses(struct flows *f, struct flow *flow, nir_deref_instr *root,
                             unsigned side)
{
    record_uses(flow, root, flow->type, side, flow->per_vertex[side], 0);
}

/* -------------------------------------------------------------------------------- splitting --- */

/* Appends the path of leaf n to the name and counts the slots before it. */
static char *leaf_path(char *name, const struct glsl_type *type, unsigned n, unsigned *slots,
                       const struct glsl_type **leaf)
{
    while (!is_leaf(type)) {
        unsigned i = 0;
        for (; n >= count_leaves(part_type(type, i)); i++) {
            n -= count_leaves(part_type(type, i));
            *slots += glsl_count_attribute_slots(part_type(type, i), false);
        }
        name = glsl_type_is_struct_or_ifc(type)
                   ? talloc_asprintf_append(name, ".%s", type->fields[i].name)
                   : talloc_asprintf_append(name, "[%u]", i);
        type = part_type(type, i);
    }
    *leaf = type;
    return name;
}

static nir_variable *leaf_variable(struct flows *f, struct flow *flow, unsigned side, unsigned n)
{
    nir_variable *whole = flow->var[side], **var = &flow->leaves[n].var[side];
    if (*var)
        return *var;
    unsigned slots = 0;
    const struct glsl_type *type;
    char *name = leaf_path(talloc_strdup(NULL, whole->name), flow->type, n, &slots, &type);
    if (flow->per_vertex[side])
        type = glsl_array_type(f->shaders[side], type, whole->type->length, 0);
    *var = nir_variable_create(f->shaders[side], whole->data.mode, type, name);
    (*var)->data = whole->data;
    (*var)->interface_type = whole->interface_type;
    if (whole->data.explicit_location)
        (*var)->data.location += (int)slots;
    talloc_free(name);
    return *var;
}

static void split_uses(struct flows *f, struct flow *flow, nir_deref_instr *deref, unsigned side,
                       const struct glsl_type *type, nir_def *vertex, unsigned first_leaf)
{
    bool at_vertices = flow->per_vertex[side] && !vertex;
    if (!at_vertices && is_leaf(type)) {
        nir_builder b = nir_builder_at(nir_before_instr(&deref->instr));
        nir_deref_instr *leaf = nir_build_deref_var(&b, leaf_variable(f, flow, side, first_leaf));
        if (vertex)
            leaf = nir_build_deref_array(&b, leaf, vertex);
        nir_def_rewrite_uses(&deref->def, &leaf->def);
        return;
    }
    nir_foreach_use_safe (src, &deref->def) {
        nir_deref_instr *step = nir_instr_as_deref(nir_src_parent_instr(src));
        if (at_vertices) {
            split_uses(f, flow, step, side, type, step->arr.index.ssa, first_leaf);
            continue;
        }
        unsigned part = (unsigned)part_of_step(type, step);
        split_uses(f, flow, step, side, part_type(type, part), vertex,
                   first_leaf + leaf_of_part(type, part));
    }
}

static bool is_split(const struct flow *flow)
{
    return flow->direct[0] && flow->direct[1] && !is_leaf(flow->type);
}

static void split_root(struct flows *f, struct flow *flow, nir_deref_instr *root, unsigned side)
{
    if (is_split(flow))
        split_uses(f, flow, root, side, flow->type, NULL, 0);
}

bool link_split_varyings(struct linker *ln, struct link_stage *producer,
                         struct link_stage *consumer)
{
    struct flows *f = find_flows(ln, producer, consumer);
    bool progress = false;
    for (unsigned side = 0; side < 2; side++)
        visit_roots(f, side, record_root_uses);
    for (unsigned i = 0; i < f->count; i++)
        progress |= is_split(&f->list[i]);
    for (unsigned side = 0; side < 2 && progress; side++) {
        visit_roots(f, side, split_root);
        nir_foreach_function_impl (impl, f->shaders[side])
            nir_metadata_preserve(impl, nir_metadata_control_flow);
        nir_remove_dead_derefs(f->shaders[side]);
        nir_remove_dead_variables(f->shaders[side], side ? nir_var_shader_in : nir_var_shader_out);
    }
    talloc_free(f);
    return progress;
}

/* ------------------------------------------------------------------------ unread components --- */

static bool drop_unread(struct flows *f)
{
    bool progress = false;
    nir_foreach_function_impl (impl, f->shaders[0]) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block) {
                nir_intrinsic_instr *store =
                    instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
                if (!store || store->intrinsic != nir_intrinsic_store_deref)
                    continue;
                nir_deref_instr *deref = nir_src_as_deref(store->src[0]);
                struct flow *flow = deref->deref_type == nir_deref_type_var
                                        ? hash_table_get(f->of, deref->var)
                                        : NULL;
                unsigned mask = nir_intrinsic_write_mask(store);
                if (!flow || !is_leaf(flow->type) || !(mask & ~flow->read))
                    continue;
                nir_intrinsic_set_write_mask(store, mask & flow->read);
                if (!(mask & flow->read))
                    nir_instr_remove(&store->instr);
                progress = true;
            }
        }
    }
    return progress;
}

/* -------------------------------------------------------------------------------- constants --- */

static void store_constants(const struct flow *flow, nir_builder *b, nir_deref_instr *deref,
                            const struct glsl_type *type, unsigned first_leaf)
{
    if (is_leaf(type)) {
        const struct leaf *leaf = &flow->leaves[first_leaf];
        nir_def *value = nir_build_imm(b, type->vector_elements, glsl_bit_size(type), leaf->value);
        if (leaf->written)
            nir_store_deref(b, deref, value, leaf->written);
        return;
    }
    for (unsigned i = 0; i < num_parts(type); i++) {
        nir_deref_instr *part = glsl_type_is_struct_or_ifc(type)
                                    ? nir_build_deref_struct(b, deref, i)
                                    : nir_build_deref_array_imm(b, deref, i);
        store_constants(flow, b, part, part_type(type, i), first_leaf + leaf_of_part(type, i));
    }
}

/* All vertices have the same value, so replaces reads of any vertex by reads of one variable. */
static void join_vertices(struct flows *f, struct flow *flow, nir_deref_instr *root, unsigned side)
{
    if (!flow->one_vertex)
        return;
    nir_foreach_use_safe (src, &root->def) {
        nir_deref_instr *vertex = nir_instr_as_deref(nir_src_parent_instr(src));
        nir_builder b = nir_builder_at(nir_before_instr(&vertex->instr));
        nir_def_rewrite_uses(&vertex->def, &nir_build_deref_var(&b, flow->one_vertex)->def);
    }
}

static bool make_constants(struct flows *f)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(f->shaders[1]);
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    bool progress = false;
    for (unsigned i = 0; i < f->count; i++) {
        struct flow *flow = &f->list[i];
        if (!flow->constant)
            continue;
        nir_variable *in = flow->var[1];
        flow->var[0]->data.mode = in->data.mode = nir_var_shader_temp;
        if (flow->per_vertex[1])
            in = flow->one_vertex =
                nir_variable_create(f->shaders[1], nir_var_shader_temp, flow->type, in->name);
        store_constants(flow, &b, nir_build_deref_var(&b, in), flow->type, 0);
        progress = true;
    }
    if (!progress)
        return false;
    visit_roots(f, 1, join_vertices);
    nir_metadata_preserve(impl, nir_metadata_control_flow);
    return true;
}

bool link_propagate_varyings(struct linker *ln, struct link_stage *producer,
                             struct link_stage *consumer)
{
    struct flows *f = find_flows(ln, producer, consumer);
    visit_roots(f, 1, record_root_uses);
    visit_roots(f, 0, record_root_uses);
    bool progress = drop_unread(f);
    progress |= make_constants(f);
    talloc_free(f);
    return progress;
}
