/* SPDX-License-Identifier: MIT */
/*
 * Lowers derefs of inputs, outputs and default-block uniforms to load_input,
 * load_interpolated_input, store_output, load_uniform and so on, with a constant base and an offset
 * for variable indices.
 *
 * Inputs and outputs are addressed in slots of four 32-bit components, uniforms in bytes. Blocks
 * and shared memory are lowered by nir_lower_explicit_io.
 */
#include "nir.h"

#include "nir_builder.h"
#include "nir_private.h"

struct state {
    nir_variable_mode modes;
    bool vertex; /* vertex stage, whose inputs use one location for any bit size */
};

/* Returns the size in slots (inputs and outputs) or bytes (uniforms). */
static unsigned type_size(const struct glsl_type *type, nir_variable_mode mode)
{
    if (mode & (nir_var_shader_in | nir_var_shader_out))
        return glsl_count_attribute_slots(type, false);
    return glsl_packed_size(type);
}

/* --- Slots --- */

static bool is_per_vertex(const nir_shader *shader, const nir_variable *var)
{
    enum shader_stage stage = shader->info.stage;
    if (var->data.patch || !glsl_type_is_array(var->type))
        return false;
    if (var->data.mode == nir_var_shader_in)
        return stage == SHADER_GEOMETRY || stage == SHADER_TESS_CTRL || stage == SHADER_TESS_EVAL ||
               (stage == SHADER_FRAGMENT && var->data.interpolation == INTERP_MODE_PER_VERTEX);
    return var->data.mode == nir_var_shader_out &&
           (stage == SHADER_TESS_CTRL || stage == SHADER_MESH);
}

static unsigned slots_of(const nir_shader *shader, const nir_variable *var)
{
    const struct glsl_type *type = is_per_vertex(shader, var) ? var->type->element : var->type;
    if (var->data.compact)
        return DIV_ROUND_UP(var->data.location_frac + glsl_length_of(type), 4);
    bool attribute = shader->info.stage == SHADER_VERTEX && var->data.mode == nir_var_shader_in;
    return MAX2(glsl_count_attribute_slots(type, attribute), 1);
}

/* --- Offsets --- */

struct access {
    nir_variable *var;
    nir_def *vertex; /* index into a per-vertex array, or NULL */
    nir_def *offset; /* variable part of the offset, or NULL */
    unsigned const_offset;
    unsigned component;
    /* slots that the access may reach, from the first slot of the variable on */
    unsigned num_slots;
    const struct glsl_type *type;
};

static void add_offset(nir_builder *b, struct access *a, nir_def *index, unsigned stride)
{
    nir_src src = nir_src_for_ssa(index);
    if (nir_src_is_const(src)) {
        a->const_offset += nir_src_as_uint(src) * stride;
        return;
    }
    nir_def *scaled = nir_imul_imm(b, nir_u2uN(b, index, 32), stride);
    a->offset = a->offset ? nir_iadd(b, a->offset, scaled) : scaled;
}

/* Returns the size in slots or bytes. */
static unsigned size_of(const struct state *s, const struct glsl_type *type, nir_variable_mode mode)
{
    if (s->vertex && mode == nir_var_shader_in)
        return glsl_count_attribute_slots(type, true);
    return type_size(type, mode);
}

static unsigned field_offset(const struct state *s, const struct glsl_type *type, unsigned field,
                             nir_variable_mode mode)
{
    unsigned offset = 0;
    if (mode == nir_var_uniform)
        return nir_packed_field_offset(type, field);
    for (unsigned i = 0; i < field; i++)
        offset += size_of(s, type->fields[i].type, mode);
    return offset;
}

/* Adds one step of a path. Clamps indices, so that no access leaves the variable. */
static void add_step(struct state *s, nir_builder *b, struct access *a, nir_deref_instr *parent,
                     nir_deref_instr *step)
{
    nir_variable_mode mode = a->var->data.mode;
    if (step->deref_type == nir_deref_type_struct) {
        a->const_offset += field_offset(s, parent->type, step->strct.index, mode);
        return;
    }
    nir_def *index = step->arr.index.ssa;
    unsigned length = MAX2(glsl_length_of(parent->type), 1);
    if (nir_src_is_const(step->arr.index))
        index = nir_imm_int(b, MIN2(nir_src_as_uint(step->arr.index), length - 1));
    else
        index = nir_umin_imm(b, nir_u2uN(b, index, 32), length - 1);
    if (a->var->data.compact) {
        /* nir_lower_io() has lowered variable indices into compact arrays. */
        a->component += nir_src_as_uint(nir_src_for_ssa(index));
        a->const_offset += a->component / 4;
        a->component %= 4;
        return;
    }
    unsigned stride = size_of(s, step->type, mode);
    if (mode == nir_var_uniform)
        stride = ALIGN_POT(stride, glsl_packed_align(step->type));
    add_offset(b, a, index, stride);
}

static struct access get_access(struct state *s, nir_builder *b, nir_deref_instr *deref)
{
    nir_deref_path path;
    nir_deref_path_init(&path, deref, NULL);
    struct access a = {.var = path.path[0]->var, .type = deref->type};
    nir_deref_instr **step = &path.path[1];
    a.component = a.var->data.location_frac;
    if (is_per_vertex(b->shader, a.var) && *step) {
        unsigned length = MAX2(a.var->type->length, 1);
        nir_def *index = nir_u2uN(b, (*step)->arr.index.ssa, 32);
        a.vertex = a.var->type->length ? nir_umin_imm(b, index, length - 1) : index;
        step++;
    }
    for (; *step; step++)
        add_step(s, b, &a, step[-1], *step);
    a.num_slots = slots_of(b->shader, a.var);
    nir_deref_path_finish(&path);
    return a;
}

static nir_io_semantics io_semantics(const struct access *a)
{
    const struct nir_variable_data *data = &a->var->data;
    nir_io_semantics io = {
        .location = data->location < 0 ? 0 : data->location,
        .num_slots = MIN2(a->num_slots, 63),
        .dual_source_blend_index = data->index,
        .interpolation =
            data->interpolation == INTERP_MODE_PER_VERTEX ? INTERP_MODE_FLAT : data->interpolation,
        .centroid = data->centroid,
        .sample = data->sample,
        .invariant = data->invariant,
        .per_patch = data->patch,
        .gs_streams = data->stream * 0x55,
    };
    /* A direct access has exactly this slot. */
    if (!a->offset) {
        io.location += a->const_offset;
        io.num_slots = 1;
    }
    return io;
}

/* The base contains the constant part, except if there is an offset, because num_slots counts from
 * the base. */
static nir_def *offset_def(nir_builder *b, const struct access *a, unsigned *base)
{
    *base = a->var->data.driver_location;
    if (!a->offset) {
        *base += a->const_offset;
        return nir_imm_int(b, 0);
    }
    return nir_iadd_imm(b, a->offset, a->const_offset);
}

/* --- Loads --- */

/* Booleans have 32 bits outside of SSA values. */
static unsigned memory_bit_size(const struct glsl_type *type)
{
    unsigned size = glsl_bit_size(type);
    return size == 1 ? 32 : size;
}

static nir_alu_type memory_type(const struct glsl_type *type)
{
    nir_alu_type t = nir_get_nir_type_for_glsl_base_type(type->base_type);
    return t == nir_type_bool1 ? nir_type_uint32 : t;
}

static nir_def *to_register_size(nir_builder *b, const struct glsl_type *type, nir_def *value)
{
    return glsl_bit_size(type) == 1 ? nir_ine_imm(b, value, 0) : value;
}

static bool is_interpolated(const nir_shader *shader, const struct access *a)
{
    return shader->info.stage == SHADER_FRAGMENT && a->var->data.mode == nir_var_shader_in &&
           !a->var->data.patch && a->var->data.interpolation != INTERP_MODE_FLAT &&
           a->var->data.interpolation != INTERP_MODE_PER_VERTEX &&
           a->type->base_type == GLSL_TYPE_FLOAT;
}

static nir_def *barycentric(nir_builder *b, const struct access *a, nir_intrinsic_instr *intr)
{
    unsigned mode = a->var->data.interpolation;
    switch (intr->intrinsic) {
    case nir_intrinsic_interp_deref_at_centroid:
        return nir_load_barycentric_centroid(b, .interp_mode = mode);
    case nir_intrinsic_interp_deref_at_sample:
        return nir_load_barycentric_at_sample(b, intr->src[1].ssa, .interp_mode = mode);
    case nir_intrinsic_interp_deref_at_offset:
        return nir_load_barycentric_at_offset(b, intr->src[1].ssa, .interp_mode = mode);
    default:
        if (a->var->data.sample)
            return nir_load_barycentric_sample(b, .interp_mode = mode);
        if (a->var->data.centroid)
            return nir_load_barycentric_centroid(b, .interp_mode = mode);
        return nir_load_barycentric_pixel(b, .interp_mode = mode);
    }
}

static nir_def *load_io(nir_builder *b, const struct access *a, nir_intrinsic_instr *intr)
{
    unsigned n = a->type->vector_elements, size = memory_bit_size(a->type), base;
    nir_alu_type type = memory_type(a->type);
    nir_io_semantics io = io_semantics(a);
    nir_def *offset = offset_def(b, a, &base);
    if (is_interpolated(b->shader, a)) {
        nir_def *bary = barycentric(b, a, intr);
        return nir_load_interpolated_input(b, n, size, bary, offset, .base = base,
                                           .component = a->component, .dest_type = type,
                                           .io_semantics = io);
    }
    if (a->var->data.mode == nir_var_shader_out) {
        if (a->vertex)
            return nir_load_per_vertex_output(b, n, size, a->vertex, offset, .base = base,
                                              .component = a->component, .dest_type = type,
                                              .io_semantics = io);
        return nir_load_output(b, n, size, offset, .base = base, .component = a->component,
                               .dest_type = type, .io_semantics = io);
    }
    if (a->vertex && b->shader->info.stage == SHADER_FRAGMENT)
        return nir_load_input_vertex(b, n, size, a->vertex, offset, .base = base,
                                     .component = a->component, .dest_type = type,
                                     .io_semantics = io);
    if (a->vertex)
        return nir_load_per_vertex_input(b, n, size, a->vertex, offset, .base = base,
                                         .component = a->component, .dest_type = type,
                                         .io_semantics = io);
    return nir_load_input(b, n, size, offset, .base = base, .component = a->component,
                          .dest_type = type, .io_semantics = io);
}

static nir_def *load_uniform(nir_builder *b, const struct access *a)
{
    nir_def *offset =
        a->offset ? nir_iadd_imm(b, a->offset, a->const_offset) : nir_imm_int(b, a->const_offset);
    return nir_load_uniform(b, a->type->vector_elements, memory_bit_size(a->type), offset,
                            .base = a->var->data.driver_location,
                            .range = type_size(a->var->type, nir_var_uniform),
                            .dest_type = memory_type(a->type));
}

static void lower_load(struct state *s, nir_builder *b, nir_intrinsic_instr *intr,
                       nir_deref_instr *deref)
{
    b->cursor = nir_before_instr(&intr->instr);
    struct access a = get_access(s, b, deref);
    nir_def *value =
        a.var->data.mode == nir_var_uniform ? load_uniform(b, &a) : load_io(b, &a, intr);
    nir_def_replace(&intr->def, to_register_size(b, a.type, value));
}

static void lower_store(struct state *s, nir_builder *b, nir_intrinsic_instr *intr,
                        nir_deref_instr *deref)
{
    unsigned base;
    b->cursor = nir_before_instr(&intr->instr);
    struct access a = get_access(s, b, deref);
    nir_def *value = intr->src[1].ssa, *offset = offset_def(b, &a, &base);
    if (value->bit_size == 1)
        value = nir_b2i32(b, value);
    if (a.vertex)
        nir_store_per_vertex_output(b, value, a.vertex, offset, .base = base,
                                    .write_mask = nir_intrinsic_write_mask(intr),
                                    .component = a.component, .src_type = memory_type(a.type),
                                    .io_semantics = io_semantics(&a));
    else
        nir_store_output(b, value, offset, .base = base,
                         .write_mask = nir_intrinsic_write_mask(intr), .component = a.component,
                         .src_type = memory_type(a.type), .io_semantics = io_semantics(&a));
    nir_instr_remove(&intr->instr);
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct state *s = data;
    nir_deref_instr *deref = nir_intrinsic_value_deref(intr);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var || !(var->data.mode & s->modes) || !glsl_type_is_vector_or_scalar(deref->type))
        return false;
    if (intr->intrinsic == nir_intrinsic_store_deref)
        lower_store(s, b, intr, deref);
    else
        lower_load(s, b, intr, deref);
    nir_deref_instr_remove_if_unused(deref);
    return true;
}

bool nir_lower_io(nir_shader *shader, nir_variable_mode modes)
{
    nir_variable_mode blocks = nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_shared;
    struct state s = {
        .modes = modes & (nir_var_shader_in | nir_var_shader_out | nir_var_uniform),
        .vertex = shader->info.stage == SHADER_VERTEX,
    };
    bool progress = false;
    if (modes & blocks)
        progress |= nir_lower_explicit_io(shader, modes & blocks);
    progress |= nir_lower_array_deref_of_vec(shader, s.modes);
    progress |= nir_lower_indirect_compact(shader, s.modes);
    progress |= nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, &s);
    return progress;
}
