/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the EU tools and simulator: disassembles, validates, compacts and runs any bytes as an EU
 * program. Every surface has a little memory.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/eu_sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t memory[512] __attribute__((aligned(16)));

static bool surface(struct sim_env *env, unsigned index, struct sim_surface *s)
{
    *s = (struct sim_surface){memory, sizeof memory, index & 1};
    return true;
}

static bool sample(struct sim_env *env, struct sim_sample *s)
{
    memcpy(s->result, s->param, sizeof s->result);
    return true;
}

static bool typed(struct sim_env *env, struct sim_typed *access)
{
    memcpy(access->data, access->coord, sizeof access->coord);
    return true;
}

static bool render_write(struct sim_env *env, const struct sim_render_write *write)
{
    return true;
}

static void run(const struct i965_device *dev, const uint8_t *data, size_t size)
{
    static uint8_t urb[1024], scratch[256];
    struct sim_env env = {.surface = surface,
                          .sample = sample,
                          .typed = typed,
                          .render_write = render_write,
                          .urb = urb,
                          .urb_size = sizeof urb,
                          .scratch = scratch,
                          .scratch_size = sizeof scratch};
    struct sim_thread t;
    char error[128];
    struct sim_program *program = sim_program_create(dev, data, size, error, sizeof error);

    if (!program)
        return;
    sim_thread_init(&t, program, &env, 0xffff);
    for (unsigned i = 0; i < SIM_GRF_BYTES; i++)
        t.grf[i] = (uint8_t)(i * 3);
    t.max_steps = 2000;
    for (unsigned i = 0; i < 4 && sim_thread_run(&t) == SIM_BARRIER; i++)
        ;
    sim_program_destroy(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The last byte selects the device. */
    const struct i965_device *dev = i965_device_by_index(size ? data[size - 1] % 4u : 1);
    FILE *fp = fopen("/dev/null", "w");
    uint8_t *copy = malloc(size + 16);

    if (fp && copy) {
        eu_disassemble(dev, data, size, NULL, 0, fp);
        eu_validate(dev, data, size, fp);
        run(dev, data, size);
        memcpy(copy, data, size);
        eu_compact_program(dev, copy, size);
    }
    free(copy);
    if (fp)
        fclose(fp);
    return 0;
}
