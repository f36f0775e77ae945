/* SPDX-License-Identifier: MIT */
/* Geometry threads of eight primitives, or of up to eight invocations of one primitive. Input
 * vertices and results are URB entries. */
#include <stdlib.h>
#include <string.h>

#include "i965_driver.h"
#include "util/check.h"
#include "util/macros.h"

struct i965_gs {
    struct i965_stage stage; /* Must be first. */
    const struct cpu_gs_key *key;
    uint8_t words;          /* Dwords per output vertex, without the control word. */
    uint16_t place[4 * 64]; /* By dword: its offset in the vertex's part of the entry. */
    /* Entry size of an input vertex and of a primitive, in units of 64 bytes. */
    unsigned input_units, output_units;
};

/* Lists the dwords that the shader writes, in the order of slots. */
static void list_words(struct i965_gs *gs, uint64_t written, struct cpu_gs_variant *variant)
{
    const struct i965_vue_map *map = &gs->stage.data->vue_map;

    for (unsigned slot = 0; slot < 64; slot++) {
        if (!(written >> slot & 1) || map->slot[slot] < 0)
            continue;
        for (unsigned c = 0; c < (i965_vue_is_scalar(slot) ? 1 : 4); c++) {
            gs->place[gs->words] = (uint16_t)i965_vue_dword(slot, (unsigned)map->slot[slot], c);
            NEXT_OF(variant->component, gs->words) = (uint8_t)(variant->outputs.count * 4 + c);
        }
        variant->outputs.index[slot] = ++variant->outputs.count;
    }
    variant->words = gs->words + 1u;
}

void *i965_gs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_gs_key *key,
                     struct cpu_gs_variant *variant)
{
    const struct i965_shader *source = shader->external;
    struct i965_gs *gs = i965_stage_create(sizeof *gs, screen, shader, NULL, &key->units, 8);

    if (!gs)
        return NULL;
    gs->key = key;
    gs->input_units = DIV_ROUND_UP(gs->stage.data->input_map.num_slots, 4);
    gs->output_units = gs->stage.data->gs.urb_entry_size;
    list_words(gs, source->nir->info.outputs_written, variant);
    return gs;
}

/* ------------------------------------------------------------------------------- dispatch --- */

struct batch {
    struct i965_gs *gs;
    const struct i965_prog_data *data;
    const struct cpu_gs_args *args;
    struct i965_env env;
};

/* Returns the handle of vertex v's entry. The vertices' entries of eight primitives precede the
 * primitives' entries. */
static uint32_t vertex_handle(const struct batch *b, unsigned channel, unsigned v)
{
    return (channel * b->data->gs.vertices_in + v) * b->gs->input_units;
}

static uint32_t return_handle(const struct batch *b, unsigned channel)
{
    return vertex_handle(b, 8, 0) + channel * b->gs->output_units;
}

static uint32_t *entry_of(const struct batch *b, uint32_t handle)
{
    return (uint32_t *)(void *)(b->env.base.urb + handle * 64ul);
}

/* Copies the part of a vertex's entry that belongs to the payload: one register per dword. */
static void push_vertex(const struct batch *b, struct sim_thread *t, unsigned channel, unsigned reg,
                        uint32_t handle)
{
    const uint32_t *entry = entry_of(b, handle);
    unsigned first = b->data->urb_read_offset * 8u, n = b->data->urb_read_length * 8u;

    for (unsigned i = 0; i < n && reg + i < 128; i++) {
        bool there = first + i < b->gs->input_units * 16u;
        sim_grf(t, reg + i)[channel] = there ? entry[first + i] : 0;
    }
}

static void load_primitive(const struct batch *b, struct sim_thread *t, unsigned channel,
                           unsigned item)
{
    const struct i965_prog_data *data = b->data;
    const struct cpu_gs_args *args = b->args;
    unsigned reg = 2;

    sim_grf(t, 1)[channel] = return_handle(b, channel) | args->invocation_id[item] << 27;
    if (data->gs.include_primitive_id)
        sim_grf(t, reg++)[channel] = args->primitive_id[item];
    unsigned handles = reg;
    reg += i965_gs_handle_registers(data);
    reg += data->curb_read_length;
    for (unsigned v = 0; v < data->gs.vertices_in; v++) {
        uint32_t handle = vertex_handle(b, channel, v);
        i965_write_vertex(&data->input_map, b->gs->key->input_slot,
                          args->in + args->vertex[v * args->stride + item], entry_of(b, handle));
        if (data->gs.include_vertex_handles && data->gs.invocations > 1)
            sim_grf(t, handles)[v] = handle;
        else if (data->gs.include_vertex_handles)
            sim_grf(t, handles + v)[channel] = handle;
        push_vertex(b, t, channel, reg + v * data->urb_read_length * 8u, handle);
    }
}

/* Returns the control word of a vertex. */
static uint32_t control_word(const struct i965_prog_data *data, const uint32_t *control, unsigned v)
{
    unsigned bits = data->gs.control_data_format;

    if (bits == I965_CONTROL_NONE)
        return 0;
    uint32_t field = control[v * bits / 32] >> v * bits % 32;
    return bits == I965_CONTROL_STREAM ? field & CPU_GS_STREAM : field & 1 ? CPU_GS_END : 0;
}

/* Reads the results of a primitive from its entry. */
static void read_entry(const struct batch *b, unsigned channel, unsigned item)
{
    const struct i965_prog_data *data = b->data;
    const struct cpu_gs_args *args = b->args;
    const uint32_t *control = entry_of(b, return_handle(b, channel));
    unsigned count = data->gs.static_vertex_count, words = b->gs->words + 1u;

    if (!data->gs.static_output) {
        count = MIN2(control[0], data->gs.vertices_out);
        control += 8;
    }
    const uint32_t *vertex = control + data->gs.control_data_header_size * 8;
    for (unsigned v = 0; v < count; v++, vertex += data->gs.output_vertex_size * 8) {
        uint32_t *out = args->out + (size_t)v * words * args->stride + item;
        for (unsigned w = 0; w + 1 < words; w++, out += args->stride)
            *out = vertex[b->gs->place[w]];
        *out = control_word(data, control, v);
    }
    args->num_vertices[item] = count;
}

/* Returns the number of channels of a thread whose first item is `first`. */
static unsigned count_items(const struct batch *b, unsigned first)
{
    unsigned most = MIN2(b->args->count - first, 8), count = 1;

    if (b->data->gs.invocations == 1)
        return most;
    while (count < most && b->args->invocation_id[first + count])
        count++;
    return count;
}

/* Runs `count` items from `first` on. */
static bool run_thread(struct batch *b, unsigned first, unsigned count)
{
    const struct i965_prog_data *data = b->data;
    struct sim_thread t;

    sim_thread_init(&t, b->gs->stage.run.code, &b->env.base, (1u << count) - 1);
    for (unsigned i = 0; i < count; i++)
        load_primitive(b, &t, i, first + i);
    i965_push_constants(data, b->args->state, &t, b->gs->stage.run.kernel->dispatch_grf_start);
    if (!i965_run_thread(&b->gs->stage.run, &t, "geometry"))
        return false;
    for (unsigned i = 0; i < count; i++)
        read_entry(b, i, first + i);
    return true;
}

void i965_gs_run(void *data, const struct cpu_gs_args *args)
{
    struct i965_gs *gs = data;
    struct batch b = {.gs = gs, .data = gs->stage.data, .args = args};

    /* For an early return. */
    memset(args->num_vertices, 0, args->count * sizeof *args->num_vertices);
    bool ok = i965_env_init(&b.env, b.data, args->state, &gs->stage.samplers);
    b.env.base.urb_size = return_handle(&b, 8) * 64ul;
    b.env.base.urb = calloc(1, b.env.base.urb_size);
    ok = ok && b.env.base.urb;
    for (unsigned first = 0, count; first < args->count && ok; first += count) {
        count = count_items(&b, first);
        ok = run_thread(&b, first, count);
    }
    free(b.env.base.urb);
    i965_env_finish(&b.env);
}
