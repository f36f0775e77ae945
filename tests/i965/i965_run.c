/* SPDX-License-Identifier: MIT */
/* Runs shaders in the NIR evaluator and in the simulator. */
#include "i965_run.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

void run_set_group(nir_shader *nir)
{
    nir->info.stage = SHADER_COMPUTE;
    nir->info.cs.workgroup_size[0] = RUN_CHANNELS;
    nir->info.cs.workgroup_size[1] = nir->info.cs.workgroup_size[2] = 1;
}

nir_def *run_slot_address(nir_builder *b, unsigned slot)
{
    nir_def *index = nir_load_local_invocation_index(b);
    return nir_iadd_imm(b, nir_imul_imm(b, index, RUN_SLOTS * RUN_SLOT_BYTES),
                        slot * RUN_SLOT_BYTES);
}

/* --- evaluator --- */

/* Returns the dwords of a block at a byte offset; NULL if outside. */
static uint32_t *words(const struct run_place *place, uint32_t block, uint32_t offset,
                       unsigned count)
{
    return offset / 4 + count <= place->block_dwords ? place->block[block & 1] + offset / 4 : NULL;
}

bool run_eval_memory(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                     nir_const_value *const *srcs, nir_const_value *dest)
{
    const struct run_place *place = eval->data;
    uint32_t *word;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_local_invocation_index:
        dest[0].u32 = place->channel;
        return true;
    case nir_intrinsic_load_ssbo:
        word = words(place, srcs[0][0].u32, srcs[1][0].u32, intr->def.num_components);
        for (unsigned i = 0; i < intr->def.num_components; i++)
            dest[i].u32 = word ? word[i] : 0;
        return true;
    case nir_intrinsic_store_ssbo:
        word = words(place, srcs[1][0].u32, srcs[2][0].u32, intr->num_components);
        for (unsigned i = 0; i < intr->num_components; i++) {
            if (word && nir_intrinsic_write_mask(intr) >> i & 1)
                word[i] = srcs[0][i].u32;
        }
        return true;
    default:
        return false;
    }
}

bool run_evaluator(nir_shader *nir, struct run_data *d)
{
    struct nir_eval *eval = talloc_zero(NULL, struct nir_eval);
    enum nir_eval_result result = NIR_EVAL_DONE;

    for (unsigned c = 0; c < RUN_CHANNELS && result == NIR_EVAL_DONE; c++) {
        struct run_place place = {{&d->in[0][0][0], &d->out[0][0][0]}, sizeof d->in / 4, c};
        memset(eval, 0, sizeof *eval);
        memcpy(eval->uniforms, d->uniforms, sizeof d->uniforms);
        eval->intrinsic = run_eval_memory;
        eval->data = &place;
        result = nir_eval_shader(eval, nir);
    }
    talloc_free(eval);
    return result == NIR_EVAL_DONE;
}

/* --- simulator --- */

static bool find_surface(struct sim_env *env, unsigned index, struct sim_surface *surface)
{
    struct run_env *e = (struct run_env *)env;
    unsigned storage = e->prog_data->binding_table.storage_blocks;

    *surface = (struct sim_surface){0};
    if (e->prog_data->constant_size && index == e->prog_data->binding_table.constants)
        *surface = (struct sim_surface){(uint8_t *)(uintptr_t)e->prog_data->constants,
                                        e->prog_data->constant_size, true};
    else if (index == storage || index == storage + 1)
        *surface = e->blocks[index - storage];
    else if (index == e->prog_data->binding_table.uniform_blocks)
        *surface = e->uniforms;
    return true;
}

bool run_env_init(struct run_env *e, const struct i965_prog_data *prog_data,
                  const struct sim_surface blocks[2], struct sim_surface uniforms)
{
    *e = (struct run_env){
        .env = {.surface = find_surface,
                .scratch = calloc(1, MAX2(prog_data->scratch_size, 1)),
                .scratch_size = prog_data->scratch_size},
        .prog_data = prog_data,
        .blocks = {blocks[0], blocks[1]},
        .uniforms = uniforms,
        .thread = aligned_alloc(64, ALIGN_POT(sizeof *e->thread, 64)),
    };
    return e->env.scratch && e->thread;
}

void run_env_finish(struct run_env *e)
{
    free(e->env.scratch);
    free(e->thread);
}

void run_begin_thread(struct run_env *e, const struct sim_program *code,
                      const struct i965_kernel *k, unsigned channels)
{
    const struct i965_prog_data *p = e->prog_data;
    unsigned grf = k->dispatch_grf_start;

    sim_thread_init(e->thread, code, &e->env, UINT32_MAX >> (32 - channels));
    for (unsigned i = 0; i < p->num_push_ranges; i++) {
        for (unsigned r = 0; r < p->push_ranges[i].length; r++, grf++) {
            size_t at = (p->push_ranges[i].start + r) * 32u;
            if (at + 32 <= e->uniforms.size)
                memcpy(sim_grf(e->thread, grf), e->uniforms.base + at, 32);
        }
    }
}

bool run_end_thread(struct run_env *e)
{
    enum sim_status status = sim_thread_run(e->thread);

    if (status != SIM_DONE)
        printf("%s\n", status == SIM_FAULT ? e->thread->error : "it waits at a barrier");
    return status == SIM_DONE;
}

bool run_group(struct run_env *e, const struct sim_program *code, const struct i965_kernel *k,
               unsigned invocations)
{
    bool ok = true;

    for (unsigned i = 0; i < DIV_ROUND_UP(invocations, k->width) && ok; i++) {
        run_begin_thread(e, code, k, MIN2(k->width, invocations));
        sim_grf(e->thread, k->dispatch_grf_start + e->prog_data->curb_read_length)[0] = i;
        ok = run_end_thread(e);
    }
    return ok;
}

bool run_simulator(const struct i965_program *program, const struct i965_kernel *k,
                   struct run_data *d)
{
    const struct sim_surface blocks[2] = {{(uint8_t *)d->in, sizeof d->in, true},
                                          {(uint8_t *)d->out, sizeof d->out, false}};
    struct run_env e;
    char message[160] = "";
    struct sim_program *code =
        sim_program_create(program->dev, k->code, k->code_size, message, sizeof message);
    bool ok = run_env_init(&e, &program->data, blocks,
                           (struct sim_surface){(uint8_t *)d->uniforms, sizeof d->uniforms, true});

    if (!code)
        printf("%s\n", message);
    ok = ok && code && run_group(&e, code, k, RUN_CHANNELS);
    run_env_finish(&e);
    sim_program_destroy(code);
    return ok;
}
