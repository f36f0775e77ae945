/* SPDX-License-Identifier: MIT */
/* Entry point of the compiler: compiles NIR to kernels of all widths and their prog_data. */
#include "from_nir.h"

#include <string.h>

/* Schedules and allocates: for latency if registers suffice, otherwise with lower register
 * pressure, and finally, if allowed, with spills. */
static bool place_registers(struct lir_program *p, bool may_spill)
{
    static const uint8_t eighths[] = {6, 5, 4, 3, 0}; /* Limits on live registers, in eighths. */
    struct lir_order *order = lir_save_order(p);
    for (unsigned i = 0; i < ARRAY_SIZE(eighths); i++) {
        lir_schedule(p, LIR_SCHEDULE_VIRTUAL, p->dev->grf_count * eighths[i] / 8);
        lir_check(p, LIR_PHASE_LOWERED, "lir_schedule");
        if (lir_allocate(p, false))
            return true;
        lir_restore_order(p, order);
        p->failure = NULL;
    }
    return lir_allocate(p, may_spill);
}

/* Schedules allocated code, but keeps the previous order if it is faster. */
static void schedule_finally(struct lir_program *p)
{
    struct lir_order *order = lir_save_order(p);
    uint64_t before = lir_count_cycles(p);
    lir_schedule(p, LIR_SCHEDULE_ALLOCATED, 0);
    p->cycles = lir_count_cycles(p);
    if (p->cycles > before) {
        lir_restore_order(p, order);
        p->cycles = before;
    }
}

static const char rules_broken[] = "the code breaks rules of the hardware";

/* Compiles one width. Returns false on failure; *error has the reason, which is rules_broken or a
 * string under mem_ctx. */
static bool compile_width(void *mem_ctx, const struct i965_device *dev, const nir_shader *nir,
                          struct i965_program *program, const struct i965_key *key, unsigned width,
                          unsigned flags, bool may_spill, struct i965_kernel *kernel,
                          const char **error)
{
    void *tmp = talloc_new(mem_ctx);
    unsigned grf_start = 0;
    struct lir_program *p = i965_from_nir(tmp, dev, nir, &program->data, key, width,
                                          flags & I965_COMPILE_COMMENTS, &grf_start);
    bool ok = !p->failure;
    if (ok) {
        lir_check(p, LIR_PHASE_TRANSLATED, "i965_from_nir");
        lir_lower_width(p);
        lir_check(p, LIR_PHASE_DIVIDED, "lir_lower_width");
        if (!dev->has_sends)
            lir_join_payloads(p);
        lir_check(p, LIR_PHASE_DIVIDED, "lir_join_payloads");
        lir_split_vgrfs(p);
        lir_check(p, LIR_PHASE_DIVIDED, "lir_split_vgrfs");
        lir_optimize(p);
        lir_lower_constants(p);
        lir_check(p, LIR_PHASE_LOWERED, "lir_lower_constants");
        lir_join_moves(p);
        lir_check(p, LIR_PHASE_LOWERED, "lir_join_moves");
        ok = place_registers(p, may_spill);
    }
    if (ok) {
        lir_check(p, LIR_PHASE_ALLOCATED, "lir_allocate");
        schedule_finally(p);
        lir_check(p, LIR_PHASE_ORDERED, "the last lir_schedule");
        ok = lir_emit(p, program, flags, kernel);
    }
    if (ok) {
        kernel->width = width;
        kernel->dispatch_grf_start = grf_start;
        if (p->scratch_size)
            program->data.scratch_size = MAX2(program->data.scratch_size,
                                              util_next_power_of_two(MAX2(p->scratch_size, 1024)));
    } else {
        *error = talloc_strdup(mem_ctx, p->failure);
        *kernel = (struct i965_kernel){0};
    }
    talloc_free(tmp);
    if (ok && flags & I965_COMPILE_VALIDATE &&
        eu_validate(dev, kernel->code, kernel->code_size, stderr)) {
        *error = rules_broken;
        *kernel = (struct i965_kernel){0};
        return false;
    }
    return ok;
}

static unsigned group_size(const struct i965_prog_data *data)
{
    return (unsigned)data->cs.local_size[0] * data->cs.local_size[1] * data->cs.local_size[2];
}

static unsigned widest_useful(enum shader_stage stage, const struct i965_prog_data *data)
{
    switch (stage) {
    case SHADER_COMPUTE:
        return group_size(data) > 16 ? 32 : 16;
    case SHADER_FRAGMENT:
        /* Stencil is written by eight channels at a time. */
        return data->fs.writes_stencil ? 8 : 16;
    default:
        return 8;
    }
}

/* Returns whether the wider kernel is at least as fast per channel in the scheduler's model. */
static bool pays(const struct i965_kernel *wide, const struct i965_kernel *narrow)
{
    return (double)wide->stats.cycles * narrow->width <= (double)narrow->stats.cycles * wide->width;
}

/* Copies the constant arrays, and pads them with zeros. */
static void copy_constants(struct i965_program *program, const nir_shader *nir)
{
    struct i965_prog_data *data = &program->data;
    if (!data->constant_size)
        return;
    uint8_t *constants = talloc_zero_array(program, uint8_t, data->constant_size);
    memcpy(constants, nir->constant_data, nir->constant_data_size);
    data->constants = constants;
}

struct i965_program *i965_compile(void *mem_ctx, const struct i965_device *dev,
                                  struct nir_shader *nir, const struct i965_key *key,
                                  unsigned flags, const char **error)
{
    static const unsigned widths[] = {8, 16, 32};
    struct i965_program *program = talloc_zero(mem_ctx, struct i965_program);
    unsigned max_width = key->max_width ? key->max_width : dev->max_simd;
    bool any = false;
    const char *why = "no width was asked for", *ignored = NULL;

    program->dev = dev;
    *error = NULL;
    i965_lower_nir(nir, dev);
    if (!i965_fill_prog_data(nir, dev, key, &program->data, mem_ctx, error)) {
        talloc_free(program);
        return NULL;
    }
    copy_constants(program, nir);
    max_width = MIN2(max_width, widest_useful(nir->info.stage, &program->data));
    for (unsigned i = 0; i < ARRAY_SIZE(widths) && widths[i] <= max_width; i++) {
        if (nir->info.stage == SHADER_COMPUTE &&
            DIV_ROUND_UP(group_size(&program->data), widths[i]) > dev->max_cs_threads) {
            why = "the work group takes more threads than the hardware has";
            continue;
        }
        if (nir->info.stage == SHADER_COMPUTE && nir->info.uses_subgroups &&
            widths[i] != I965_SUBGROUP_SIZE) {
            why = "the width is not that of subgroups";
            continue;
        }
        /* Only the narrowest kernel may spill. */
        bool ok = compile_width(mem_ctx, dev, nir, program, key, widths[i], flags, !any,
                                &program->kernels[i], any ? &ignored : &why);
        if (ok && widths[i] == 32 && program->kernels[1].width &&
            !pays(&program->kernels[2], &program->kernels[1]))
            program->kernels[2] = (struct i965_kernel){0};
        if (!ok && (any ? ignored : why) == rules_broken) {
            why = rules_broken;
            any = false;
            break;
        }
        any |= ok;
        if (!ok && !any && widths[i] == 8 && nir->info.stage != SHADER_COMPUTE)
            break;
    }
    if (!any) {
        *error = why;
        talloc_free(program);
        return NULL;
    }
    return program;
}
