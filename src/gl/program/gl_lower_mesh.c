/* SPDX-License-Identifier: MIT */
/* Converts task and mesh shaders to compute shaders, see gl_lower_mesh.h. */
#include "gl/program/gl_lower_mesh.h"

#include <string.h>

#include "indium/driver.h"
#include "nir/nir_builder.h"
#include "util/check.h"

#define RECORDS (GL_MESH_CHUNK * (unsigned)sizeof(struct gl_mesh_group))

/* ----------------------------------------------------------------------------------- layout --- */

/* Returns the number of vertices of a primitive (enum drv_primitive). */
static unsigned corners_of(unsigned primitive)
{
    return primitive == DRV_PRIM_POINTS ? 1 : primitive == DRV_PRIM_LINES ? 2 : 3;
}

/* Returns the mask of varying slots that one vertex or primitive has of an output. */
static uint64_t slots_of(const nir_variable *var)
{
    const struct glsl_type *type = var->type->element;
    unsigned n = var->data.compact ? DIV_ROUND_UP(var->data.location_frac + type->length, 4)
                                   : glsl_count_attribute_slots(type, false);
    return var->data.location < 0 || var->data.location >= 64
               ? 0
               : BITFIELD64_MASK(MIN2(n, 64)) << var->data.location;
}

void gl_mesh_layout_of(const nir_shader *nir, struct gl_mesh_layout *l)
{
    const uint64_t indices = BITFIELD64_BIT(VARYING_SLOT_PRIMITIVE_INDICES),
                   culls = BITFIELD64_BIT(VARYING_SLOT_CULL_PRIMITIVE);
    uint64_t vertex = 0, primitive = 0;
    nir_foreach_shader_out_variable(var, nir)
    {
        if (var->data.per_primitive)
            primitive |= slots_of(var);
        else
            vertex |= slots_of(var);
    }
    *l = (struct gl_mesh_layout){
        .vertex_slots = vertex,
        .primitive_slots = primitive & ~(indices | culls),
        .max_vertices = MAX2(nir->info.cs.mesh_vertices, 1),
        .max_primitives = MAX2(nir->info.cs.mesh_primitives, 1),
        .corners = corners_of(nir->info.cs.mesh_output),
        .culls = primitive & culls,
    };
    l->indices = sizeof(struct gl_mesh_counts);
    l->cull_flags = l->indices + l->max_primitives * l->corners * 4;
    l->vertices = ALIGN_POT(l->cull_flags + (l->culls ? l->max_primitives * 4 : 0), 16);
    l->primitives =
        l->vertices + l->max_vertices * (unsigned)__builtin_popcountll(l->vertex_slots) * 16;
    l->stride =
        l->primitives + l->max_primitives * (unsigned)__builtin_popcountll(l->primitive_slots) * 16;
}

/* Returns the payload of a task or mesh shader; NULL: there is none. */
static nir_variable *payload_of(const nir_shader *nir)
{
    nir_foreach_variable_in_list (var, &nir->variables)
        if (var->data.payload)
            return var;
    return NULL;
}

unsigned gl_payload_bytes(const nir_shader *nir)
{
    const nir_variable *var = payload_of(nir);
    return var ? glsl_std140_size(var->type, false) : 0;
}

unsigned gl_task_stride(const nir_shader *nir)
{
    return ALIGN_POT((unsigned)sizeof(struct gl_mesh_counts) + gl_payload_bytes(nir), 16);
}

/* --------------------------------------------------------------------------------- lowering --- */

struct state {
    struct gl_mesh_layout layout;
    bool mesh;
    nir_instr *own_id;      /* the instruction that loads the index of the workgroup in the chunk */
    nir_def *block;         /* index of the storage buffer of the dispatch */
    nir_def *group, *start; /* byte offsets of the workgroup's inputs and outputs in the buffer */
    unsigned payload_block; /* index of the storage buffer with the payload */
    nir_def *payload;       /* byte offset of the payload in it; NULL: there is no payload */
};

/* Loads n words of the workgroup's struct gl_mesh_group, from the byte offset on. */
static nir_def *load_group(nir_builder *b, const struct state *s, unsigned n, size_t offset)
{
    return nir_load_ssbo(b, n, 32, s->block, nir_iadd_imm(b, s->group, offset), .align_mul = 4);
}

/* Makes the first invocation store its arguments in `count` at the start of the record, and the
 * others in `ignored`. The barrier() that EmitMeshTasksEXT implies is left out: only mesh shaders,
 * which run after the dispatch, could observe it. */
static void store_counts(nir_builder *b, const struct state *s, nir_intrinsic_instr *intr)
{
    nir_def *id = nir_load_local_invocation_id(b), *count[3];
    nir_def *any =
        nir_ior(b, nir_channel(b, id, 0), nir_ior(b, nir_channel(b, id, 1), nir_channel(b, id, 2)));
    nir_def *at =
        nir_bcsel(b, nir_ieq_imm(b, any, 0), nir_imm_int(b, offsetof(struct gl_mesh_counts, count)),
                  nir_imm_int(b, offsetof(struct gl_mesh_counts, ignored)));
    const unsigned n = s->mesh ? 2 : 3;
    for (unsigned i = 0; i < n; i++)
        count[i] = intr->src[i].ssa;
    nir_store_ssbo(b, nir_vec(b, count, n), s->block, nir_iadd(b, s->start, at),
                   .write_mask = BITFIELD_MASK(n), .align_mul = 4);
    nir_instr_remove(&intr->instr);
}

/* Returns the byte offset of an output in the buffer. vertex: index of the vertex or primitive.
 * offset: slots after that of the intrinsic. */
static nir_def *output_address(nir_builder *b, const struct state *s,
                               const nir_intrinsic_instr *intr, nir_def *vertex, nir_def *offset)
{
    const struct gl_mesh_layout *l = &s->layout;
    const unsigned slot = nir_intrinsic_base(intr), component = nir_intrinsic_component(intr);
    unsigned area, stride, rank = 0;
    if (slot == VARYING_SLOT_PRIMITIVE_INDICES) {
        area = l->indices;
        stride = l->corners * 4;
    } else if (slot == VARYING_SLOT_CULL_PRIMITIVE) {
        area = l->cull_flags;
        stride = 4;
    } else {
        const bool primitive = l->primitive_slots >> slot & 1;
        const uint64_t slots = primitive ? l->primitive_slots : l->vertex_slots;
        CHECK(slots >> slot & 1);
        area = primitive ? l->primitives : l->vertices;
        stride = (unsigned)__builtin_popcountll(slots) * 16;
        rank = (unsigned)__builtin_popcountll(slots & BITFIELD64_MASK(slot));
    }
    nir_def *at = nir_iadd(b, s->start, nir_imul_imm(b, vertex, stride));
    at = nir_iadd(b, at, nir_imul_imm(b, offset, 16));
    return nir_iadd_imm(b, at, area + rank * 16 + component * 4);
}

/* Turns a store to an output into one to the record. */
static void store_output(nir_builder *b, const struct state *s, nir_intrinsic_instr *intr)
{
    nir_def *at = output_address(b, s, intr, intr->src[1].ssa, intr->src[2].ssa);
    nir_store_ssbo(b, intr->src[0].ssa, s->block, at, .write_mask = nir_intrinsic_write_mask(intr),
                   .align_mul = 4);
    nir_instr_remove(&intr->instr);
}

/* Adds the offset of the workgroup's payload to an access, if it is one to the payload. Returns
 * whether it was one. */
static bool place_payload(nir_builder *b, const struct state *s, nir_intrinsic_instr *intr,
                          unsigned block)
{
    nir_src *source = &intr->src[block];
    if (!s->payload || !nir_src_is_const(*source) || nir_src_as_uint(*source) != s->payload_block)
        return false;
    nir_src_rewrite(&intr->src[block + 1], nir_iadd(b, intr->src[block + 1].ssa, s->payload));
    if (nir_intrinsic_has_align_mul(intr)) { /* payloads start at multiples of 16 */
        const unsigned mul = MIN2(nir_intrinsic_align_mul(intr), 16);
        nir_intrinsic_set_align_offset(intr, nir_intrinsic_align_offset(intr) & (mul - 1));
        nir_intrinsic_set_align_mul(intr, mul);
    }
    return true;
}

/* Lowers what concerns the workgroup, its outputs and its payload. */
static bool lower_intrinsic(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    const struct state *s = data;
    nir_def *v;
    if (&intr->instr == s->own_id)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_emit_mesh_tasks:
    case nir_intrinsic_set_mesh_outputs:
        store_counts(b, s, intr);
        return true;
    case nir_intrinsic_store_per_vertex_output:
        store_output(b, s, intr);
        return true;
    case nir_intrinsic_load_per_vertex_output:
        v = nir_load_ssbo(b, intr->def.num_components, intr->def.bit_size, s->block,
                          output_address(b, s, intr, intr->src[0].ssa, intr->src[1].ssa),
                          .align_mul = 4);
        break;
    case nir_intrinsic_load_workgroup_id:
        v = load_group(b, s, 3, offsetof(struct gl_mesh_group, id));
        break;
    case nir_intrinsic_load_num_workgroups:
        v = load_group(b, s, 3, offsetof(struct gl_mesh_group, count));
        break;
    case nir_intrinsic_load_draw_id:
        v = load_group(b, s, 1, offsetof(struct gl_mesh_group, draw_id));
        break;
    case nir_intrinsic_load_ssbo:
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
        return place_payload(b, s, intr, 0);
    case nir_intrinsic_store_ssbo:
        return place_payload(b, s, intr, 1);
    default:
        return false;
    }
    nir_def_replace(&intr->def, v);
    return true;
}

/* Lowers the payload to accesses to storage buffer `block`, from offset 0 on. Its type has no
 * explicit layout, so it gets that of std140. */
static void lower_payload(nir_shader *nir, nir_variable *var, unsigned block)
{
    var->data.mode = nir_var_mem_ssbo;
    var->data.binding = block;
    var->name = NULL; /* it is no member of a block */
    nir_fixup_deref_modes(nir);
    NIR_PASS_V(nir, nir_lower_explicit_io, nir_var_mem_ssbo);
    nir_remove_dead_derefs(nir);
    list_del(&var->node);
}

bool gl_lower_mesh(nir_shader *nir)
{
    const unsigned first = nir->info.num_ssbos + nir->info.num_abos;
    struct state s = {.mesh = nir->info.stage == SHADER_MESH};
    s.payload_block = first + s.mesh;
    if (s.mesh)
        gl_mesh_layout_of(nir, &s.layout);
    const unsigned stride = s.mesh ? s.layout.stride : gl_task_stride(nir);

    nir_prepare_for_driver(nir);
    nir_variable *payload = payload_of(nir);
    if (payload)
        lower_payload(nir, payload, s.payload_block);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    nir_foreach_shader_out_variable(var, nir) var->data.driver_location = var->data.location;
    NIR_PASS_V(nir, nir_lower_io, nir_var_shader_out);
    NIR_PASS_V(nir, nir_lower_64bit_io);
    NIR_PASS_V(nir, nir_remove_dead_variables, nir_var_shader_out);
    nir->info.stage = SHADER_COMPUTE;
    NIR_PASS_V(nir, nir_lower_system_values);

    nir_builder b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(nir)));
    nir_def *id = nir_load_workgroup_id(&b);
    nir_def *index = nir_channel(&b, id, 0);
    s.own_id = id->parent_instr;
    s.block = nir_imm_int(&b, (int)first);
    s.group = nir_imul_imm(&b, index, sizeof(struct gl_mesh_group));
    s.start = nir_iadd_imm(&b, nir_imul_imm(&b, index, stride), RECORDS);
    if (payload && s.mesh)
        s.payload = load_group(&b, &s, 1, offsetof(struct gl_mesh_group, payload));
    else if (payload)
        s.payload = nir_iadd_imm(&b, s.start, sizeof(struct gl_mesh_counts));
    nir->info.num_abos += 1 + s.mesh;
    nir_shader_intrinsics_pass(nir, lower_intrinsic, nir_metadata_control_flow, &s);
    return true;
}

/* --------------------------------------------------------------------------- vertex shaders --- */

/* Returns the length of the array of clip or cull distances at a location; 0: there is none. */
static unsigned distances_at(const nir_shader *mesh, int location)
{
    nir_foreach_shader_out_variable(var, mesh)
    {
        if (var->data.location == location && glsl_type_is_array(var->type->element))
            return var->type->element->length;
    }
    return 0;
}

/* Copies n clip or cull distances, which take one or two slots from the byte offset `at` on. */
static void copy_distances(nir_builder *b, nir_def *at, int slot, unsigned n)
{
    const bool clip = slot == VARYING_SLOT_CLIP_DIST0;
    const struct glsl_type *type = glsl_array_type(b->shader, glsl_float_type(), n, 0);
    nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, type,
                                            clip ? "gl_ClipDistance" : "gl_CullDistance");
    var->data.location = slot;
    var->data.compact = true;
    if (clip)
        b->shader->info.clip_distance_array_size = (uint8_t)n;
    for (unsigned i = 0; i < n; i++) {
        nir_def *value =
            nir_load_ssbo(b, 1, 32, nir_imm_int(b, 0), nir_iadd_imm(b, at, i * 4), .align_mul = 4);
        nir_store_deref(b, nir_build_deref_array_imm(b, nir_build_deref_var(b, var), i), value, 1);
    }
}

/* Copies the slot at the byte offset `at`. Values of all types are copied as words. */
static void copy_slot(nir_builder *b, nir_def *at, int slot)
{
    const bool integer = slot == VARYING_SLOT_LAYER || slot == VARYING_SLOT_VIEWPORT ||
                         slot == VARYING_SLOT_PRIMITIVE_ID;
    const unsigned n = integer || slot == VARYING_SLOT_PSIZ ? 1 : 4;
    nir_variable *var = nir_variable_create(
        b->shader, nir_var_shader_out, integer ? glsl_int_type() : glsl_vec_type(n), "mesh output");
    var->data.location = slot;
    nir_def *value = nir_load_ssbo(b, n, 32, nir_imm_int(b, 0), at, .align_mul = 16);
    nir_store_var(b, var, value, BITFIELD_MASK(n));
}

/* Copies all slots of a vertex or primitive at the byte offset `at`. */
static void copy_slots(nir_builder *b, const nir_shader *mesh, uint64_t slots, nir_def *at)
{
    unsigned rank = 0;
    while (slots) {
        const int slot = u_bit_scan64(&slots);
        nir_def *here = nir_iadd_imm(b, at, 16 * rank++);
        const bool distance = slot == VARYING_SLOT_CLIP_DIST0 || slot == VARYING_SLOT_CULL_DIST0;
        if (distance)
            copy_distances(b, here, slot, distances_at(mesh, slot));
        else if (slot != VARYING_SLOT_CLIP_DIST1 && slot != VARYING_SLOT_CULL_DIST1)
            copy_slot(b, here, slot);
    }
}

nir_shader *gl_mesh_vertex_shader(const nir_shader *mesh,
                                  const nir_shader_compiler_options *options)
{
    struct gl_mesh_layout l;
    gl_mesh_layout_of(mesh, &l);
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_VERTEX, options, "mesh vertices");
    b.shader->info.num_ssbos = 1;
    nir_def *vertex;
    if (l.primitive_slots) {
        nir_variable *in = nir_variable_create(b.shader, nir_var_shader_in,
                                               glsl_simple_type(GLSL_TYPE_UINT, 2, 1), "addresses");
        in->data.location = VERT_ATTRIB_GENERIC0;
        nir_def *addresses = nir_load_var(&b, in);
        copy_slots(&b, mesh, l.primitive_slots, nir_channel(&b, addresses, 1));
        vertex = nir_channel(&b, addresses, 0);
    } else {
        nir_variable *in =
            nir_variable_create(b.shader, nir_var_system_value, glsl_int_type(), "gl_VertexID");
        in->data.location = SYSTEM_VALUE_VERTEX_ID;
        vertex = nir_imul_imm(&b, nir_load_var(&b, in), 16);
    }
    copy_slots(&b, mesh, l.vertex_slots, vertex);
    return b.shader;
}
