/* SPDX-License-Identifier: MIT */
/* Vertex threads of eight vertices each, with attributes in registers and results in the URB. */
#include <stdlib.h>
#include <string.h>

#include "i965_driver.h"
#include "jit/jit.h"
#include "util/macros.h"

struct i965_vs {
    struct i965_stage stage; /* Must be first. */
    struct jit_kernel *fetch;
    /* Kernels that read the first VERT_ATTRIB_COUNT slots, and the rest. */
    struct jit_kernel *results[2];
    unsigned first_outputs; /* Number of outputs of results[0]. */
};

/* Builds a CPU driver kernel from a shader, and frees the shader. */
static struct jit_kernel *build(struct jit_engine *engine, nir_shader *nir,
                                const struct cpu_vs_key *key, struct cpu_vs_variant *variant)
{
    struct cpu_shader shader = {.stage = SHADER_VERTEX, .nir = nir};
    struct jit_kernel *kernel = cpu_build_vs(engine, &shader, key, variant);

    nir_shader_destroy(nir);
    return cpu_kernel_wait(kernel);
}

/* Builds a results kernel, which reads entries as vertices whose attributes are slots, starting at
 * `first`. */
static struct jit_kernel *build_results(const struct i965_vs *vs, struct jit_engine *engine,
                                        const struct cpu_vs_key *app_key, unsigned first,
                                        struct cpu_vs_variant *variant)
{
    const struct i965_vue_map *map = &vs->stage.data->vue_map;
    struct cpu_vs_key key = *app_key;

    memset(key.attrib, 0, sizeof key.attrib);
    memset(&key.units, 0, sizeof key.units);
    for (unsigned i = 0; first + i < map->num_slots && i < VERT_ATTRIB_COUNT; i++) {
        key.attrib[i].format = DRV_FORMAT_R32G32B32A32_FLOAT;
        key.attrib[i].stream = (uint8_t)i;
    }
    return build(engine, i965_vue_to_outputs_shader(map, first), &key, variant);
}

/* The second kernel's outputs are numbered after the first's. */
static bool build_all_results(struct i965_vs *vs, struct jit_engine *engine,
                              const struct cpu_vs_key *key, struct cpu_vs_variant *variant)
{
    struct cpu_vs_variant more = {0};

    vs->results[0] = build_results(vs, engine, key, 0, variant);
    vs->first_outputs = variant->outputs.count;
    if (!vs->results[0] || vs->stage.data->vue_map.num_slots <= VERT_ATTRIB_COUNT)
        return vs->results[0];
    vs->results[1] = build_results(vs, engine, key, VERT_ATTRIB_COUNT, &more);
    for (unsigned slot = 0; slot < 64; slot++) {
        if (more.outputs.index[slot])
            variant->outputs.index[slot] = more.outputs.index[slot] + variant->outputs.count;
    }
    variant->outputs.count += more.outputs.count;
    return vs->results[1];
}

void *i965_vs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_vs_key *key,
                     struct cpu_vs_variant *variant)
{
    const struct i965_shader *source = shader->external;
    struct i965_vs *vs = i965_stage_create(sizeof *vs, screen, shader, NULL, &key->units, 8);
    struct cpu_vs_variant unused = {0};
    struct cpu_vs_key one_instance = *key;

    if (!vs)
        return NULL;
    /* The vertices of a batch belong to one instance (cpu_draw.c). */
    one_instance.instances_share_vectors = false;
    vs->fetch =
        build(screen->jit, i965_fetch_shader(vs->stage.data, source->nir), &one_instance, &unused);
    if (vs->fetch && build_all_results(vs, screen->jit, &one_instance, variant))
        return vs;
    i965_vs_destroy(vs);
    return NULL;
}

void i965_vs_destroy(void *data)
{
    struct i965_vs *vs = data;

    jit_kernel_destroy(vs->fetch);
    for (unsigned i = 0; i < 2; i++)
        jit_kernel_destroy(vs->results[i]);
    i965_stage_destroy(&vs->stage);
}

/* ------------------------------------------------------------------------------- dispatch --- */

struct batch {
    struct i965_vs *vs;
    const struct cpu_vs_args *args;
    struct i965_env env;
    float *attribs;       /* [input][component][CPU_BATCH_VERTICES] */
    uint32_t entry_bytes; /* Bytes of a vertex's entry in the URB. */
    /* Unused outputs of the second kernel. */
    uint32_t window[4 * CPU_BATCH_VERTICES], clip_code[CPU_BATCH_VERTICES];
};

static void fetch(struct batch *b)
{
    struct cpu_vs_args args = *b->args;
    const void *argument = &args;

    args.out = b->attribs;
    args.window = (float *)b->window;
    args.clip_code = b->clip_code;
    jit_run(jit_kernel_function(b->vs->fetch), &argument);
}

/* Dwords of the attributes of eight vertices, followed by the slots with vertex and draw ids. */
struct inputs {
    uint32_t dword[(32 + 2) * 4][8];
    unsigned count;
};

static void gather_inputs(const struct batch *b, unsigned first, struct inputs *in)
{
    const struct i965_prog_data *data = b->vs->stage.data;
    const struct cpu_vs_args *args = b->args;
    unsigned n = data->vs.num_inputs * 4u;

    for (unsigned i = 0; i < n; i++)
        memcpy(in->dword[i], b->attribs + i * CPU_BATCH_VERTICES + first, 32);
    memset(in->dword[n], 0, 2 * 4 * sizeof in->dword[0]);
    for (unsigned i = 0; i < 8 && data->vs.uses_vertex_ids; i++) {
        in->dword[n][i] = (uint32_t)args->first_vertex;
        in->dword[n + 1][i] = args->base_instance;
        in->dword[n + 2][i] = args->index[first + i] - (uint32_t)args->first_vertex;
        in->dword[n + 3][i] = args->instance_id;
    }
    n += 4 * data->vs.uses_vertex_ids;
    for (unsigned i = 0; i < 8 && data->vs.uses_draw_id; i++) {
        in->dword[n][i] = args->draw_id;
        in->dword[n + 1][i] = args->indexed;
        in->dword[n + 2][i] = args->view_index;
    }
    in->count = n + 4 * data->vs.uses_draw_id;
}

/* Copies the inputs of eight vertices to the registers of the payload from `reg` on. Those that the
 * payload doesn't have are read from the entries. */
static void load_inputs(const struct batch *b, struct sim_thread *t, unsigned first, unsigned reg)
{
    unsigned pushed = b->vs->stage.data->vs.urb_read_length * 8u;
    struct inputs in;

    gather_inputs(b, first, &in);
    for (unsigned i = 0; i < MIN2(in.count, pushed) && reg < 128; i++, reg++)
        memcpy(sim_grf(t, reg), in.dword[i], 32);
    for (unsigned i = pushed; i < in.count; i++) {
        for (unsigned c = 0; c < 8; c++)
            memcpy(b->env.base.urb + (size_t)(first + c) * b->entry_bytes + i * 4ul,
                   &in.dword[i][c], 4);
    }
}

static bool run_thread(struct batch *b, unsigned first)
{
    const struct i965_prog_data *data = b->vs->stage.data;
    unsigned count = MIN2(b->args->count - first, 8);
    struct sim_thread t;

    sim_thread_init(&t, b->vs->stage.run.code, &b->env.base, (1u << count) - 1);
    for (unsigned i = 0; i < 8; i++)
        sim_grf(&t, 1)[i] = (first + i) * (b->entry_bytes / 64);
    i965_push_constants(data, b->args->state, &t, 2);
    load_inputs(b, &t, first, 2u + data->curb_read_length);
    return i965_run_thread(&b->vs->stage.run, &t, "vertex");
}

static void run_results(struct batch *b, unsigned part, const struct cpu_vs_args *from)
{
    const struct i965_vue_map *map = &b->vs->stage.data->vue_map;
    unsigned first = part * VERT_ATTRIB_COUNT;
    struct cpu_vs_args args = *from;
    const void *argument = &args;

    for (unsigned i = 0; i < VERT_ATTRIB_COUNT && first + i < map->num_slots; i++) {
        args.stream[i] = (struct cpu_vertex_stream){
            .base = b->env.base.urb + (first + i) * 16,
            .stride = b->entry_bytes,
            .max_index = b->args->count - 1,
            .valid = 1,
        };
    }
    jit_run(jit_kernel_function(b->vs->results[part]), &argument);
}

static void finish(struct batch *b)
{
    struct cpu_vs_args args = *b->args;
    uint32_t index[CPU_BATCH_VERTICES + 16];

    for (unsigned i = 0; i < b->args->count + 16; i++)
        index[i] = MIN2(i, b->args->count - 1);
    args.index = index;
    run_results(b, 0, &args);
    if (!b->vs->results[1])
        return;
    args.out += b->vs->first_outputs * 4 * CPU_BATCH_VERTICES;
    args.window = (float *)b->window;
    args.clip_code = b->clip_code;
    run_results(b, 1, &args);
}

void i965_vs_run(void *data, const struct cpu_vs_args *args)
{
    struct i965_vs *vs = data;
    const struct i965_prog_data *prog = vs->stage.data;
    struct batch *b = calloc(1, sizeof *b);

    memset(args->clip_code, 0xff, args->count * sizeof *args->clip_code); /* For an early return. */
    if (!b)
        return;
    b->vs = vs;
    b->args = args;
    b->entry_bytes = MAX2(prog->vs.urb_entry_size, 1) * 64u;
    b->attribs = aligned_alloc(64, MAX2(prog->vs.num_inputs, 1) * 16ul * CPU_BATCH_VERTICES);
    bool ok = i965_env_init(&b->env, prog, args->state, &vs->stage.samplers) && b->attribs;
    b->env.base.urb_size = (size_t)b->entry_bytes * (CPU_BATCH_VERTICES + 8);
    b->env.base.urb = calloc(1, b->env.base.urb_size);
    if (ok && b->env.base.urb) {
        fetch(b);
        for (unsigned first = 0; first < args->count && ok; first += 8)
            ok = run_thread(b, first);
        if (ok)
            finish(b);
    }
    free(b->env.base.urb);
    i965_env_finish(&b->env);
    free(b->attribs);
    free(b);
}
