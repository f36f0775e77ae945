/* SPDX-License-Identifier: MIT */
/*
 * Copies inputs to temporaries at the start of the entrypoint, and outputs from temporaries at its
 * end (in geometry shaders at each EmitVertex), so that the shader can read, index and partially
 * write them. Outputs that the shader does not write are 0. Doesn't change interpolateAt inputs,
 * per-vertex arrays, and outputs shared by invocations. Runs after nir_lower_returns.
 */
#include "nir.h"

#include "nir_builder.h"

#include "util/dynarray.h"
#include "util/hash_table.h"

struct pair {
    nir_variable *io, *temp;
};

typedef DYNARRAY(struct pair) pair_list;

static bool is_per_vertex_input(const nir_shader *shader)
{
    return shader->info.stage == SHADER_TESS_CTRL || shader->info.stage == SHADER_TESS_EVAL ||
           shader->info.stage == SHADER_GEOMETRY;
}

static void collect_interpolated(nir_function_impl *impl, struct hash_table *vars)
{
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic != nir_intrinsic_interp_deref_at_centroid &&
                intr->intrinsic != nir_intrinsic_interp_deref_at_sample &&
                intr->intrinsic != nir_intrinsic_interp_deref_at_offset)
                continue;
            nir_variable *var = nir_deref_instr_get_variable(nir_src_as_deref(intr->src[0]));
            if (var)
                hash_table_insert(vars, var, var);
        }
    }
}

/* Turns var into the temporary, so that its derefs stay valid; a copy becomes the input or
 * output. */
static void make_pair(nir_shader *shader, nir_variable *var, pair_list *pairs)
{
    nir_variable *io = nir_variable_clone(var, shader);
    list_add(&io->node, &var->node);
    var->data.mode = nir_var_shader_temp;
    var->data.location = -1;
    var->data.always_active_io = false;
    var->constant_initializer =
        io->data.mode == nir_var_shader_out ? var->constant_initializer : NULL;
    io->constant_initializer = NULL;
    (void)dynarray_append(pairs, ((struct pair){io, var}));
}

static void copy_outputs(nir_cursor cursor, const pair_list *outputs)
{
    nir_builder b = nir_builder_at(cursor);
    for (unsigned i = 0; i < outputs->count; i++)
        nir_copy_var(&b, outputs->data[i].io, outputs->data[i].temp);
}

static void copy_at_emits(nir_shader *shader, const pair_list *outputs)
{
    nir_foreach_function_impl (impl, shader) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block) {
                if (instr->type == nir_instr_type_intrinsic &&
                    nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_emit_vertex)
                    copy_outputs(nir_before_instr(instr), outputs);
            }
        }
    }
}

bool nir_lower_io_to_temporaries(nir_shader *shader, bool outputs, bool inputs)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    pair_list in = {0}, out = {0};
    if (!impl)
        return false;
    outputs =
        outputs && shader->info.stage != SHADER_TESS_CTRL && shader->info.stage != SHADER_MESH;
    inputs = inputs && !is_per_vertex_input(shader);

    struct hash_table *interpolated = hash_table_create_pointer(NULL);
    nir_foreach_function_impl (i, shader)
        collect_interpolated(i, interpolated);
    nir_foreach_variable_in_list_safe(var, &shader->variables)
    {
        if (inputs && var->data.mode == nir_var_shader_in &&
            var->data.interpolation != INTERP_MODE_PER_VERTEX && !hash_table_get(interpolated, var))
            make_pair(shader, var, &in);
        else if (outputs && var->data.mode == nir_var_shader_out && !var->data.fb_fetch_output)
            make_pair(shader, var, &out);
    }
    hash_table_destroy(interpolated);
    bool progress = in.count || out.count;

    if (progress)
        nir_fixup_deref_modes(shader);
    nir_foreach_function_impl (i, shader)
        nir_progress(progress, i, nir_metadata_control_flow);
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    for (unsigned i = 0; i < in.count; i++)
        nir_copy_var(&b, in.data[i].temp, in.data[i].io);
    for (unsigned i = 0; i < out.count; i++)
        if (!out.data[i].temp->constant_initializer)
            nir_store_zero(&b, nir_build_deref_var(&b, out.data[i].temp));
    if (out.count && shader->info.stage == SHADER_GEOMETRY)
        copy_at_emits(shader, &out);
    else if (out.count)
        copy_outputs(nir_after_impl(impl), &out);
    dynarray_finish(&in);
    dynarray_finish(&out);
    return progress;
}
