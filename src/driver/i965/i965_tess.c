/* SPDX-License-Identifier: MIT */
/*
 * Tessellation threads, each for one patch. Control threads have eight invocations and synchronize
 * with the patch's other threads; evaluation threads have eight vertices. A patch is an entry of
 * the URB; it is converted from and to the pipeline's records (cpu_kernel.h).
 */
#include <stdlib.h>
#include <string.h>

#include "i965_driver.h"
#include "util/macros.h"

struct i965_tcs {
    struct i965_stage stage; /* Must be first. */
    const struct cpu_tcs_key *key;
    struct cpu_patch_outputs outputs;
    unsigned input_units; /* Entry size of a vertex in units of 64 bytes. */
};

struct i965_tes {
    struct i965_stage stage; /* Must be first. */
    const struct cpu_tes_key *key;
    struct cpu_stage_outputs outputs;
    unsigned input_units; /* Size of the patch's entry in units of 64 bytes. */
};

/* Rounded up for reads of whole pairs of slots. */
static unsigned patch_units(const struct i965_vue_map *map, unsigned vertices)
{
    return DIV_ROUND_UP(map->num_patch_slots + vertices * map->num_slots, 4) + 1;
}

static unsigned slot_of_patch(unsigned i)
{
    return i < 32 ? VARYING_SLOT_PATCH0 + i : VARYING_SLOT_BOUNDING_BOX0 + i - 32;
}

static uint32_t *entry_at(const struct i965_env *env, uint32_t handle)
{
    return (uint32_t *)(void *)(env->base.urb + handle * 64ul);
}

/* --- control shaders --- */

static void number_patch(const struct i965_prog_data *data, struct cpu_patch_outputs *o)
{
    const struct i965_vue_map *map = &data->vue_map;
    const uint64_t of_patch =
        1ull << VARYING_SLOT_BOUNDING_BOX0 | 1ull << VARYING_SLOT_BOUNDING_BOX1;

    for (unsigned i = 0; i < CPU_PATCH_SLOTS; i++)
        if (map->slot[slot_of_patch(i)] >= 0)
            o->index[i] = ++o->count;
    for (unsigned slot = 0; slot < 64; slot++)
        if (map->slot[slot] >= 0 && !(of_patch >> slot & 1))
            o->vertex.index[slot] = ++o->vertex.count;
}

void *i965_tcs_create(const struct cpu_external *external, struct cpu_screen *screen,
                      struct cpu_shader *shader, const struct cpu_tcs_key *key,
                      struct cpu_tcs_variant *variant)
{
    struct i965_tcs *tcs = i965_stage_create(sizeof *tcs, screen, shader, NULL, &key->units, 8);

    if (!tcs)
        return NULL;
    tcs->key = key;
    tcs->input_units = DIV_ROUND_UP(tcs->stage.data->input_map.num_slots, 4);
    number_patch(tcs->stage.data, &tcs->outputs);
    variant->outputs = tcs->outputs;
    return tcs;
}

/* Dispatch data of a patch. The input vertices' entries precede the patch's. */
struct control {
    struct i965_tcs *tcs;
    const struct i965_prog_data *data;
    const struct cpu_tcs_args *args;
    struct i965_env env;
    struct i965_threads threads;
    uint32_t patch;
};

static uint32_t patch_handle(const struct control *c)
{
    return CPU_MAX_PATCH_VERTICES * c->tcs->input_units;
}

static void start_control(struct control *c, unsigned instance)
{
    unsigned count = MIN2(c->data->tcs.vertices_out - 8 * instance, 8);
    struct sim_thread *t = i965_threads_start(&c->threads, instance, BITFIELD_MASK(count));
    unsigned first = c->tcs->stage.run.kernel->dispatch_grf_start;

    sim_grf(t, 0)[0] = patch_handle(c);
    sim_grf(t, 0)[1] = c->args->primitive_id + c->patch;
    sim_grf(t, 0)[2] = instance << 17;
    for (unsigned v = 0; v < CPU_MAX_PATCH_VERTICES; v++)
        sim_grf(t, 1)[v] = MIN2(v, c->args->patch_vertices - 1) * c->tcs->input_units;
    i965_push_constants(c->data, c->args->state, t, first);
    if (c->data->tcs.uses_patch_vertices)
        sim_grf(t, first + c->data->curb_read_length)[0] = c->args->patch_vertices;
}

static void copy_slot(uint32_t *to, const uint32_t *from)
{
    memcpy(to, from, 16);
}

/* Converts the patch's entry to its record. */
static void read_patch(const struct control *c)
{
    const struct i965_vue_map *map = &c->data->vue_map;
    const struct cpu_patch_outputs *o = &c->tcs->outputs;
    const uint32_t *entry = entry_at(&c->env, patch_handle(c));
    uint32_t *record = c->args->out + (size_t)c->patch * c->args->record_words;

    for (unsigned i = 0; i < 4; i++)
        record[CPU_PATCH_OUTER + i] =
            entry[i965_level_dword(VARYING_SLOT_TESS_LEVEL_OUTER, i, nir_tess_primitive_quads)];
    for (unsigned i = 0; i < 2; i++)
        record[CPU_PATCH_INNER + i] =
            entry[i965_level_dword(VARYING_SLOT_TESS_LEVEL_INNER, i, nir_tess_primitive_quads)];
    for (unsigned i = 0; i < CPU_PATCH_SLOTS; i++)
        if (o->index[i])
            copy_slot(record + CPU_PATCH_FIRST + 4 * (o->index[i] - 1),
                      entry + 4 * map->slot[slot_of_patch(i)]);
    record += cpu_patch_vertex_base(o);
    entry += 4 * map->num_patch_slots;
    for (unsigned v = 0; v < c->data->tcs.vertices_out; v++) {
        for (unsigned slot = 0; slot < 64; slot++) {
            if (!o->vertex.index[slot])
                continue;
            uint32_t *to = record + 4 * (o->vertex.index[slot] - 1);
            copy_slot(to, entry + 4 * map->slot[slot]);
            to[0] = entry[i965_vue_dword(slot, (unsigned)map->slot[slot], 0)];
        }
        record += 4 * o->vertex.count;
        entry += 4 * map->num_slots;
    }
}

static bool run_patch(struct control *c)
{
    const uint32_t *vertex = c->args->vertex + c->patch * CPU_MAX_PATCH_VERTICES;

    memset(c->env.base.urb, 0, c->env.base.urb_size);
    for (unsigned v = 0; v < c->args->patch_vertices; v++)
        i965_write_vertex(&c->data->input_map, c->tcs->key->input_slot, c->args->in + vertex[v],
                          entry_at(&c->env, v * c->tcs->input_units));
    for (unsigned i = 0; i < c->threads.count; i++)
        start_control(c, i);
    if (!i965_threads_run(&c->threads, "tessellation control"))
        return false;
    read_patch(c);
    return true;
}

void i965_tcs_run(void *data, const struct cpu_tcs_args *args)
{
    struct i965_tcs *tcs = data;
    struct control c = {.tcs = tcs, .data = tcs->stage.data, .args = args};
    uint32_t patches = args->count ? args->patch[args->count - 1] + 1 : 0;
    bool ok = i965_env_init(&c.env, c.data, args->state, &tcs->stage.samplers);

    ok = i965_threads_init(&c.threads, &tcs->stage.run, &c.env, c.data->tcs.instances) && ok;
    c.env.base.urb_size =
        (patch_handle(&c) + patch_units(&c.data->vue_map, c.data->tcs.vertices_out)) * 64ul;
    c.env.base.urb = malloc(c.env.base.urb_size);
    ok = ok && c.env.base.urb;
    for (c.patch = 0; c.patch < patches && ok; c.patch++)
        ok = run_patch(&c);
    free(c.env.base.urb);
    i965_threads_finish(&c.threads);
    i965_env_finish(&c.env);
}

/* --- evaluation shaders --- */

void *i965_tes_create(const struct cpu_external *external, struct cpu_screen *screen,
                      struct cpu_shader *shader, const struct cpu_tes_key *key,
                      struct cpu_tes_variant *variant)
{
    const struct i965_shader *source = shader->external;
    struct i965_tes *tes = i965_stage_create(sizeof *tes, screen, shader, NULL, &key->units, 8);

    if (!tes)
        return NULL;
    tes->key = key;
    const struct i965_vue_map *map = &tes->stage.data->vue_map;
    for (unsigned slot = 0; slot < 64; slot++)
        if (map->slot[slot] >= 0 && source->nir->info.outputs_written >> slot & 1)
            tes->outputs.index[slot] = ++tes->outputs.count;
    tes->input_units = patch_units(&tes->stage.data->input_map, CPU_MAX_PATCH_VERTICES);
    variant->outputs = tes->outputs;
    return tes;
}

/* Dispatch data of a patch. The patch's entry precedes those of eight vertices. */
struct evaluation {
    struct i965_tes *tes;
    const struct i965_prog_data *data;
    const struct cpu_tes_args *args;
    struct i965_env env;
};

static uint32_t result_handle(const struct evaluation *e, unsigned channel)
{
    return e->tes->input_units + channel * e->data->tes.urb_entry_size;
}

/* Converts a record to the patch's entry. */
static void write_patch(const struct evaluation *e, const uint32_t *record)
{
    static const uint32_t missing[4] = {0, 0, 0, 0x3f800000};
    const struct i965_vue_map *map = &e->data->input_map;
    const struct cpu_tes_key *key = e->tes->key;
    uint32_t *entry = entry_at(&e->env, 0);

    for (unsigned i = 0; i < 4; i++)
        entry[i965_level_dword(VARYING_SLOT_TESS_LEVEL_OUTER, i, e->data->tes.primitive)] =
            record[CPU_PATCH_OUTER + i];
    for (unsigned i = 0; i < 2; i++)
        entry[i965_level_dword(VARYING_SLOT_TESS_LEVEL_INNER, i, e->data->tes.primitive)] =
            record[CPU_PATCH_INNER + i];
    for (unsigned i = 0; i < CPU_PATCH_SLOTS; i++) {
        int place = map->slot[slot_of_patch(i)];
        if (place < 0)
            continue;
        copy_slot(entry + 4 * place, key->patch_slot[i]
                                         ? record + CPU_PATCH_FIRST + 4 * (key->patch_slot[i] - 1)
                                         : missing);
    }
    entry += 4 * map->num_patch_slots;
    for (unsigned v = 0; v < e->args->patch_vertices; v++, entry += 4 * map->num_slots) {
        const uint32_t *from = record + e->args->vertex_base + v * e->args->vertex_words;
        for (unsigned slot = 0; slot < 64; slot++) {
            if (map->slot[slot] < 0)
                continue;
            const uint32_t *value =
                key->input_slot[slot] ? from + 4 * (key->input_slot[slot] - 1) : missing;
            for (unsigned c = 0; c < (i965_vue_is_scalar(slot) ? 1 : 4); c++)
                entry[i965_vue_dword(slot, (unsigned)map->slot[slot], c)] = value[c];
        }
    }
}

/* Converts vertex entries to the pipeline's outputs, starting at vertex `first`. */
static void read_vertices(const struct evaluation *e, unsigned first)
{
    const struct i965_vue_map *map = &e->data->vue_map;

    for (unsigned channel = 0; channel < 8; channel++) {
        const uint32_t *entry = entry_at(&e->env, result_handle(e, channel));
        uint32_t *out = (uint32_t *)e->args->out + first + channel;
        for (unsigned slot = 0; slot < 64; slot++) {
            if (!e->tes->outputs.index[slot])
                continue;
            unsigned row = (e->tes->outputs.index[slot] - 1u) * 4;
            for (unsigned c = 0; c < 4; c++)
                out[(row + c) * CPU_BATCH_VERTICES] =
                    c && i965_vue_is_scalar(slot)
                        ? 0
                        : entry[i965_vue_dword(slot, (unsigned)map->slot[slot], c)];
        }
    }
}

static bool run_vertices(struct evaluation *e, unsigned first)
{
    const struct cpu_tes_args *args = e->args;
    unsigned reg = e->tes->stage.run.kernel->dispatch_grf_start, count = 0;
    uint32_t patch = args->patch[first];
    struct sim_thread t;

    while (count < 8 && args->live[first + count])
        count++;
    memset(e->env.base.urb, 0, e->env.base.urb_size);
    write_patch(e, args->records + (size_t)patch * args->record_words);
    sim_thread_init(&t, e->tes->stage.run.code, &e->env.base, (1u << count) - 1);
    sim_grf(&t, 0)[1] = args->primitive_id + patch;
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned c = 0; c < 3; c++)
            memcpy(&sim_grf(&t, 1 + c)[i], &args->coord[c * CPU_BATCH_VERTICES + first + i], 4);
        sim_grf(&t, 4)[i] = result_handle(e, i);
    }
    i965_push_constants(e->data, args->state, &t, reg);
    reg += e->data->curb_read_length;
    if (e->data->tes.uses_patch_vertices)
        sim_grf(&t, reg++)[0] = args->patch_vertices;
    if (reg + e->data->urb_read_length <= 128)
        memcpy(sim_grf(&t, reg), e->env.base.urb + e->data->urb_read_offset * 32ul,
               e->data->urb_read_length * 32ul);
    if (!i965_run_thread(&e->tes->stage.run, &t, "tessellation evaluation"))
        return false;
    read_vertices(e, first);
    return true;
}

void i965_tes_run(void *data, const struct cpu_tes_args *args)
{
    struct i965_tes *tes = data;
    struct evaluation e = {.tes = tes, .data = tes->stage.data, .args = args};
    bool ok = i965_env_init(&e.env, e.data, args->state, &tes->stage.samplers);

    /* For an early return. */
    for (unsigned i = 0; i < 4u * tes->outputs.count; i++)
        memset(args->out + (size_t)i * CPU_BATCH_VERTICES, 0, args->count * sizeof *args->out);
    e.env.base.urb_size = result_handle(&e, 8) * 64ul;
    e.env.base.urb = malloc(e.env.base.urb_size);
    ok = ok && e.env.base.urb;
    for (unsigned first = 0; first < args->count && ok; first += 8)
        ok = run_vertices(&e, first);
    free(e.env.base.urb);
    i965_env_finish(&e.env);
}
