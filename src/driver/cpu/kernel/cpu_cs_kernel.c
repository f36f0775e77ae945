/* SPDX-License-Identifier: MIT */
/*
 * The compute kernel executes a row of work groups, one after the other. cpu_nir_regions.c turns
 * the shader into code for a whole group. A group runs on one thread, so its shared memory is
 * private to that thread.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_io.h"
#include "driver/cpu/kernel/cpu_nir_regions.h"

struct cs_builder {
    struct cpu_kernel_builder kb;
    const nir_shader_info *info;
    nir_def *number; /* index of the group in its row */
    nir_def *shared; /* address of shared memory */
};

static nir_def *cs_arg(struct cs_builder *cs, unsigned offset, unsigned components, unsigned bits)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(&cs->kb);
    nir_def *def = cpu_load_const(&cs->kb.b, components, bits, cs->kb.args, offset);
    cpu_kernel_leave_prologue(&cs->kb, saved);
    return def;
}
#define CS_ARG(cs, field, components, bits)                                                        \
    cs_arg(cs, offsetof(struct cpu_cs_args, field), components, bits)

static nir_def *cs_value(struct cs_builder *cs, nir_intrinsic_op op)
{
    nir_builder *b = &cs->kb.b;
    nir_def *first;

    switch (op) {
    case nir_intrinsic_load_workgroup_id:
        first = CS_ARG(cs, group, 3, 32);
        return nir_vec3(b, nir_iadd(b, nir_channel(b, first, 0), cs->number),
                        nir_channel(b, first, 1), nir_channel(b, first, 2));
    case nir_intrinsic_load_num_workgroups:
        return CS_ARG(cs, num_groups, 3, 32);
    case nir_intrinsic_load_workgroup_size:
        return CS_ARG(cs, group_size, 3, 32);
    default:
        return NULL;
    }
}

static void lower_instr(void *data, nir_instr *instr)
{
    struct cs_builder *cs = data;
    nir_def *value = NULL;

    if (instr->type == nir_instr_type_intrinsic) {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        if (cpu_lower_shared(&cs->kb, intr, cs->shared, cs->info->cs.shared_size))
            return;
        value = cs_value(cs, intr->intrinsic);
    }
    cpu_lower_common_instr(&cs->kb, NULL, instr, value);
}

struct jit_kernel *cpu_build_cs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_cs_key *key, struct cpu_cs_variant *variant)
{
    struct cs_builder cs = {.info = &shader->nir->info};
    struct cpu_kernel_builder *kb = &cs.kb;
    nir_builder *b = &kb->b;
    struct cpu_regions regions = {.lanes = jit_engine_lanes(engine),
                                  .frames_offset = offsetof(struct cpu_cs_args, frames)};
    nir_shader *nir = nir_shader_clone(NULL, shader->nir);

    if (!nir || !cpu_split_regions(nir, &regions)) {
        nir_shader_destroy(nir);
        return NULL;
    }
    if (!cpu_kernel_begin_nir(kb, nir, regions.lanes))
        return NULL;
    variant->lanes = regions.lanes;
    variant->shared_bytes = cs.info->cs.shared_size;
    variant->frame_bytes = regions.frame_bytes;
    variant->clear_frames = regions.clear_frames;
    kb->units = &key->units;
    kb->classes = shader->classes;
    kb->state = CS_ARG(&cs, state, 1, 64);
    cs.shared = CS_ARG(&cs, shared, 1, 64);

    struct cpu_count_loop loop = cpu_begin_count_loop(b, CS_ARG(&cs, count, 1, 32), &cs.number);
    kb->outer_loop = loop.loop;
    cpu_kernel_insert_body(kb, lower_instr, &cs);
    cpu_end_count_loop(b, &loop, 1);
    return cpu_kernel_finish(kb, engine, cs.info->name ? cs.info->name : "cs");
}
