/* SPDX-License-Identifier: MIT */
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

struct place {
    struct run_data *data;
    unsigned channel;
};

/* Dwords of a block at a byte offset; NULL: outside. */
static uint32_t *words(struct run_data *d, uint32_t block, uint32_t offset, unsigned count)
{
    uint32_t *all = block ? &d->out[0][0][0] : &d->in[0][0][0];
    return offset / 4 + count <= RUN_CHANNELS * RUN_SLOTS * 4 ? all + offset / 4 : NULL;
}

static bool eval_memory(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                        nir_const_value *const *srcs, nir_const_value *dest)
{
    struct place *place = eval->data;
    uint32_t *word;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_local_invocation_index:
        dest[0].u32 = place->channel;
        return true;
    case nir_intrinsic_load_ssbo:
        word = words(place->data, srcs[0][0].u32, srcs[1][0].u32, intr->def.num_components);
        for (unsigned i = 0; i < intr->def.num_components; i++)
            dest[i].u32 = word ? word[i] : 0;
        return true;
    case nir_intrinsic_store_ssbo:
        word = words(place->data, srcs[1][0].u32, srcs[2][0].u32, intr->num_components);
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
        struct place place = {d, c};
        memset(eval, 0, sizeof *eval);
        memcpy(eval->uniforms, d->uniforms, sizeof d->uniforms);
        eval->intrinsic = eval_memory;
        eval->data = &place;
        result = nir_eval_shader(eval, nir);
    }
    talloc_free(eval);
    return result == NIR_EVAL_DONE;
}

/* --- simulator --- */

struct environment {
    struct sim_env env; /* first */
    struct run_data *data;
    const struct i965_prog_data *prog_data;
};

static bool find_surface(struct sim_env *env, unsigned index, struct sim_surface *surface)
{
    struct environment *e = (struct environment *)env;
    unsigned storage = e->prog_data->binding_table.storage_blocks;

    *surface = (struct sim_surface){0};
    if (index == storage)
        *surface = (struct sim_surface){(uint8_t *)e->data->in, sizeof e->data->in, true};
    else if (index == storage + 1)
        *surface = (struct sim_surface){(uint8_t *)e->data->out, sizeof e->data->out, false};
    else if (index == e->prog_data->binding_table.uniform_blocks)
        *surface = (struct sim_surface){(uint8_t *)e->data->uniforms, sizeof e->data->uniforms, true};
    return true;
}

static void push_constants(struct sim_thread *t, const struct i965_prog_data *p,
                           const struct run_data *d, unsigned grf)
{
    for (unsigned i = 0; i < p->num_push_ranges; i++) {
        for (unsigned r = 0; r < p->push_ranges[i].length; r++, grf++) {
            unsigned first = (p->push_ranges[i].start + r) * 8u;
            if (first + 8 <= RUN_UNIFORMS)
                memcpy(sim_grf(t, grf), d->uniforms + first, 32);
        }
    }
}

static bool run_thread(struct sim_thread *t)
{
    enum sim_status status = sim_thread_run(t);

    if (status != SIM_DONE)
        printf("%s\n", status == SIM_FAULT ? t->error : "it waits at a barrier");
    return status == SIM_DONE;
}

bool run_simulator(const struct i965_program *program, const struct i965_kernel *k,
                   struct run_data *d)
{
    const struct i965_prog_data *p = &program->data;
    struct environment e = {.env = {.surface = find_surface, .scratch_size = p->scratch_size},
                            .data = d, .prog_data = p};
    struct sim_thread *t = aligned_alloc(64, ALIGN_POT(sizeof *t, 64));
    char message[160] = "";
    struct sim_program *code = sim_program_create(i965_device_by_name("skl"), k->code,
                                                  k->code_size, message, sizeof message);
    bool ok = code && t;

    if (!code)
        printf("%s\n", message);
    e.env.scratch = calloc(1, MAX2(p->scratch_size, 1));
    for (unsigned i = 0; i < DIV_ROUND_UP(RUN_CHANNELS, k->width) && ok; i++) {
        sim_thread_init(t, code, &e.env, k->width < 16 ? 0xff : 0xffff);
        push_constants(t, p, d, k->dispatch_grf_start);
        sim_grf(t, k->dispatch_grf_start + p->curb_read_length)[0] = i;
        ok = run_thread(t);
    }
    free(e.env.scratch);
    sim_program_destroy(code);
    free(t);
    return ok;
}
