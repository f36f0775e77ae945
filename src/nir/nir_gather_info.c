/* SPDX-License-Identifier: MIT */
/* Fills nir_shader_info from variables and code, before or after nir_lower_io. */
#include "nir.h"

static void mark_slots(nir_shader_info *info, nir_variable_mode mode, bool per_patch,
                       unsigned location, unsigned count, bool write)
{
    for (unsigned slot = location; slot < location + count; slot++) {
        if (per_patch || slot >= VARYING_SLOT_PATCH0) {
            uint32_t bit = slot >= VARYING_SLOT_PATCH0 && slot < VARYING_SLOT_PATCH0 + 32
                               ? BITFIELD_BIT(slot - VARYING_SLOT_PATCH0)
                               : 0;
            if (mode == nir_var_shader_in)
                info->patch_inputs_read |= bit;
            else if (write)
                info->patch_outputs_written |= bit;
            if (bit)
                continue;
        }
        if (slot >= 64)
            continue;
        if (mode == nir_var_shader_in)
            info->inputs_read |= BITFIELD64_BIT(slot);
        else if (write)
            info->outputs_written |= BITFIELD64_BIT(slot);
        else
            info->outputs_read |= BITFIELD64_BIT(slot);
    }
}

/* Returns true for arrays over the vertices of a primitive, whose outer dimension takes no
 * slots. */
static bool is_per_vertex(const nir_shader *shader, const nir_variable *var)
{
    if (var->data.patch || !glsl_type_is_array(var->type))
        return false;
    enum shader_stage stage = shader->info.stage;
    if (var->data.mode == nir_var_shader_in)
        return stage == SHADER_GEOMETRY || stage == SHADER_TESS_CTRL || stage == SHADER_TESS_EVAL ||
               (stage == SHADER_FRAGMENT && var->data.interpolation == INTERP_MODE_PER_VERTEX);
    return var->data.mode == nir_var_shader_out &&
           (stage == SHADER_TESS_CTRL || stage == SHADER_MESH);
}

static void mark_variable(nir_shader *shader, nir_variable *var, nir_deref_instr *deref, bool write)
{
    const struct glsl_type *type = var->type;
    bool per_vertex = is_per_vertex(shader, var);
    if (var->data.location < 0)
        return;
    if (per_vertex)
        type = type->element;
    bool attribute = shader->info.stage == SHADER_VERTEX && var->data.mode == nir_var_shader_in;
    unsigned location = var->data.location, count;
    count = var->data.compact ? DIV_ROUND_UP(var->data.location_frac + glsl_length_of(type), 4)
                              : glsl_count_attribute_slots(type, attribute);
    /* With a constant index, an access to an array uses only the slots of one element. */
    nir_deref_path path;
    nir_deref_path_init(&path, deref, NULL);
    nir_deref_instr **step = &path.path[per_vertex && path.path[1] ? 2 : 1];
    if (!var->data.compact && *step && (*step)->deref_type == nir_deref_type_array &&
        nir_src_is_const((*step)->arr.index) && glsl_type_is_array(type)) {
        unsigned each = glsl_count_attribute_slots(type->element, attribute);
        uint64_t index = nir_src_as_uint((*step)->arr.index);
        if (index < type->length) {
            location += index * each;
            count = each;
        }
    }
    nir_deref_path_finish(&path);
    mark_slots(&shader->info, var->data.mode, var->data.patch, location, count, write);
    if (var->data.mode == nir_var_shader_out && var->data.index &&
        shader->info.stage == SHADER_FRAGMENT)
        shader->info.fs.color_is_dual_source = true;
}

static void gather_deref(nir_shader *shader, nir_src src, bool write)
{
    nir_deref_instr *deref = nir_src_as_deref(src);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var) {
        shader->info.writes_memory |= write;
        return;
    }
    if (var->data.mode & (nir_var_shader_in | nir_var_shader_out))
        mark_variable(shader, var, deref, write);
    if ((var->data.mode & nir_var_system_value) && var->data.location >= 0 &&
        var->data.location < SYSTEM_VALUE_COUNT)
        bitset_set(shader->info.system_values_read, var->data.location);
    if (write && (var->data.mode & (nir_var_mem_ssbo | nir_var_image | nir_var_mem_global)))
        shader->info.writes_memory = true;
}

/* Returns the system value that an intrinsic reads. */
static int system_value_of(nir_intrinsic_op op)
{
    switch (op) {
#define SV(name, NAME)                                                                             \
    case nir_intrinsic_load_##name:                                                                \
        return SYSTEM_VALUE_##NAME;
        SV(vertex_id, VERTEX_ID)
        SV(vertex_id_zero_base, VERTEX_ID_ZERO_BASE)
        SV(instance_id, INSTANCE_ID)
        SV(base_vertex, BASE_VERTEX)
        SV(base_instance, BASE_INSTANCE)
        SV(draw_id, DRAW_ID)
        SV(view_index, VIEW_INDEX)
        SV(frag_coord, FRAG_COORD)
        SV(last_frag_data, LAST_FRAG_DATA)
        SV(last_frag_depth, LAST_FRAG_DEPTH)
        SV(last_frag_stencil, LAST_FRAG_STENCIL)
        SV(point_coord, POINT_COORD)
        SV(front_face, FRONT_FACE)
        SV(sample_id, SAMPLE_ID)
        SV(sample_pos, SAMPLE_POS)
        SV(sample_mask_in, SAMPLE_MASK_IN)
        SV(helper_invocation, HELPER_INVOCATION)
        SV(primitive_id, PRIMITIVE_ID)
        SV(invocation_id, INVOCATION_ID)
        SV(tess_coord, TESS_COORD)
        SV(patch_vertices_in, PATCH_VERTICES_IN)
        SV(local_invocation_id, LOCAL_INVOCATION_ID)
        SV(local_invocation_index, LOCAL_INVOCATION_INDEX)
        SV(workgroup_id, WORKGROUP_ID)
        SV(workgroup_size, WORKGROUP_SIZE)
        SV(num_workgroups, NUM_WORKGROUPS)
        SV(global_invocation_id, GLOBAL_INVOCATION_ID)
#undef SV
    default:
        return -1;
    }
}

static void gather_io(nir_shader *shader, nir_intrinsic_instr *intr)
{
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    nir_src *offset = nir_get_io_offset_src(intr);
    unsigned location = io.location, count = MAX2(io.num_slots, 1);
    if (nir_src_is_const(*offset) && nir_src_as_uint(*offset) < count) {
        location += nir_src_as_uint(*offset);
        count = 1;
    }
    bool store = !nir_intrinsic_infos[intr->intrinsic].has_dest;
    const nir_def *value = store ? intr->src[0].ssa : &intr->def;
    bool attribute =
        shader->info.stage == SHADER_VERTEX && intr->intrinsic == nir_intrinsic_load_input;
    if (value->bit_size == 64 && !attribute && nir_src_is_const(*offset))
        count = DIV_ROUND_UP(nir_intrinsic_component(intr) + 2 * value->num_components, 4);
    bool output = store || intr->intrinsic == nir_intrinsic_load_output ||
                  intr->intrinsic == nir_intrinsic_load_per_vertex_output;
    mark_slots(&shader->info, output ? nir_var_shader_out : nir_var_shader_in, io.per_patch,
               location, count, store);
    if (store && io.dual_source_blend_index && shader->info.stage == SHADER_FRAGMENT)
        shader->info.fs.color_is_dual_source = true;
}

static void gather_memory_write(nir_shader *shader, nir_intrinsic_op op)
{
    const char *name = nir_intrinsic_infos[op].name;
    /* Stores to and atomics on buffers and images, but not registers, outputs, scratch or shared
     * memory. */
    if (strncmp(name, "store_ssbo", 10) == 0 || strncmp(name, "ssbo_atomic", 11) == 0 ||
        strncmp(name, "store_global", 12) == 0 || strncmp(name, "global_atomic", 13) == 0 ||
        strncmp(name, "atomic_counter", 14) == 0 ||
        ((strncmp(name, "image_", 6) == 0 || strncmp(name, "bindless_image_", 15) == 0) &&
         (strstr(name, "store") || strstr(name, "atomic"))))
        shader->info.writes_memory = true;
    if (strncmp(name, "bindless_image_", 15) == 0)
        shader->info.uses_image_handles = true;
}

static void gather_intrinsic(nir_shader *shader, nir_intrinsic_instr *intr)
{
    bool fragment = shader->info.stage == SHADER_FRAGMENT;
    int sv = system_value_of(intr->intrinsic);
    if (sv >= 0)
        bitset_set(shader->info.system_values_read, sv);
    if (nir_intrinsic_has_io_semantics(intr))
        gather_io(shader, intr);
    gather_memory_write(shader, intr->intrinsic);
    shader->info.uses_subgroups |=
        intr->intrinsic == nir_intrinsic_load_subgroup_invocation ||
        (intr->intrinsic != nir_intrinsic_barrier &&
         nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CROSS_LANE);

    switch (intr->intrinsic) {
    case nir_intrinsic_load_deref:
    case nir_intrinsic_interp_deref_at_centroid:
    case nir_intrinsic_interp_deref_at_sample:
    case nir_intrinsic_interp_deref_at_offset:
        gather_deref(shader, intr->src[0], false);
        break;
    case nir_intrinsic_store_deref:
    case nir_intrinsic_deref_atomic:
    case nir_intrinsic_deref_atomic_swap:
        gather_deref(shader, intr->src[0], true);
        break;
    case nir_intrinsic_copy_deref:
        gather_deref(shader, intr->src[0], true);
        gather_deref(shader, intr->src[1], false);
        break;
    case nir_intrinsic_discard:
    case nir_intrinsic_discard_if:
    case nir_intrinsic_terminate:
    case nir_intrinsic_terminate_if:
        if (fragment)
            shader->info.fs.uses_discard = true;
        break;
    case nir_intrinsic_demote:
    case nir_intrinsic_demote_if:
        if (fragment)
            shader->info.fs.uses_demote = shader->info.fs.uses_discard = true;
        break;
    case nir_intrinsic_load_sample_id:
    case nir_intrinsic_load_sample_pos:
    case nir_intrinsic_load_barycentric_sample:
    case nir_intrinsic_load_last_frag_data: /* per sample */
    case nir_intrinsic_load_last_frag_depth:
    case nir_intrinsic_load_last_frag_stencil:
        if (fragment)
            shader->info.fs.uses_sample_shading = true;
        break;
    case nir_intrinsic_end_primitive:
        if (shader->info.stage == SHADER_GEOMETRY)
            shader->info.gs.uses_end_primitive = true;
        break;
    case nir_intrinsic_emit_vertex:
        if (shader->info.stage == SHADER_GEOMETRY)
            shader->info.gs.active_stream_mask |= 1 << (nir_intrinsic_stream_id(intr) & 3);
        break;
    default:
        break;
    }
}

static void gather_tex(nir_shader *shader, nir_tex_instr *tex)
{
    if (tex->op == nir_texop_tg4)
        shader->info.uses_texture_gather = true;
    if (shader->info.stage == SHADER_FRAGMENT && nir_tex_instr_has_implicit_derivative(tex))
        shader->info.fs.uses_derivatives = true;
    if (nir_tex_instr_src_index(tex, nir_tex_src_texture_handle) >= 0)
        shader->info.uses_texture_handles = true;
    else if (nir_tex_instr_src_index(tex, nir_tex_src_texture_deref) < 0 && tex->texture_index < 64)
        shader->info.textures_used |= BITFIELD64_BIT(tex->texture_index);
}

static void gather_instr(nir_shader *shader, nir_instr *instr)
{
    if (instr->type == nir_instr_type_intrinsic) {
        gather_intrinsic(shader, nir_instr_as_intrinsic(instr));
    } else if (instr->type == nir_instr_type_tex) {
        gather_tex(shader, nir_instr_as_tex(instr));
    } else if (instr->type == nir_instr_type_alu && shader->info.stage == SHADER_FRAGMENT) {
        nir_op op = nir_instr_as_alu(instr)->op;
        if (nir_op_infos[op].algebraic_properties & NIR_OP_IS_DERIVATIVE)
            shader->info.fs.uses_derivatives = true;
    }
}

static void gather_variables(nir_shader *shader)
{
    nir_shader_info *info = &shader->info;
    unsigned textures = 0, images = 0, ubos = 0, ssbos = 0;
    nir_foreach_variable_in_list (var, &shader->variables) {
        unsigned end = var->data.binding + glsl_aoa_size(var->type);
        if (var->data.binding == NIR_NO_SLOT)
            continue;
        if (var->data.mode == nir_var_uniform) {
            unsigned samplers = glsl_count_of_base(var->type, GLSL_TYPE_SAMPLER);
            if (samplers)
                textures = MAX2(textures, var->data.binding + samplers);
        }
        if (var->data.mode == nir_var_image || glsl_type_is_image(glsl_without_array(var->type)))
            images = MAX2(images, end);
        else if (var->data.mode == nir_var_mem_ubo)
            ubos = MAX2(ubos, end);
        else if (var->data.mode == nir_var_mem_ssbo)
            ssbos = MAX2(ssbos, end);
        if (info->stage == SHADER_FRAGMENT && var->data.mode == nir_var_shader_in &&
            var->data.sample)
            info->fs.uses_sample_shading = true;
    }
    /* After lowering, variables may be gone; keep the earlier values. */
    info->num_textures = MAX2(info->num_textures, textures);
    info->num_images = MAX2(info->num_images, images);
    info->num_ubos = MAX2(info->num_ubos, ubos);
    info->num_ssbos = MAX2(info->num_ssbos, ssbos);
}

void nir_shader_gather_info(nir_shader *shader)
{
    nir_shader_info *info = &shader->info;
    info->inputs_read = info->outputs_written = info->outputs_read = 0;
    info->patch_inputs_read = info->patch_outputs_written = 0;
    info->textures_used = 0;
    memset(info->system_values_read, 0, sizeof info->system_values_read);
    info->writes_memory = info->uses_texture_gather = info->uses_subgroups = false;
    info->uses_texture_handles = info->uses_image_handles = false;
    if (info->stage == SHADER_FRAGMENT) {
        info->fs.uses_discard = info->fs.uses_demote = info->fs.uses_derivatives = false;
        info->fs.uses_sample_shading = info->fs.color_is_dual_source = false;
    }
    gather_variables(shader);
    nir_foreach_function_impl (impl, shader) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block)
                gather_instr(shader, instr);
        }
    }
    if (info->textures_used)
        info->num_textures = MAX2(info->num_textures, util_logbase2_64(info->textures_used) + 1);
}
