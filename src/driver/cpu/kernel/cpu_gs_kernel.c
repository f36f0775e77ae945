/* SPDX-License-Identifier: MIT */
/*
 * The geometry kernel: each lane is an invocation for one primitive. Emitted vertices are stored in
 * memory, a column per lane (struct cpu_gs_args). cpu_geometry.c puts the vertices of all lanes
 * into order.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_io.h"

#include "util/check.h"

#define MAX_VERTICES_IN 6

struct gs_builder {
    struct cpu_kernel_builder kb;
    const struct cpu_gs_key *key;
    const nir_shader_info *info;
    struct cpu_gs_variant *variant;
    nir_def *first, *item; /* first item of the vector; item of the lane */
    nir_def *stride, *out; /* from struct cpu_gs_args */
    nir_cursor head;       /* after the code that loads the lane's item, before the body */
    /* Indices of the lane's vertices, loaded at `head` on first use. */
    nir_def *vertex[MAX_VERTICES_IN];
    struct cpu_outputs outputs;
    nir_variable *emitted; /* number of emitted vertices */
};

static nir_def *gs_arg(struct gs_builder *gs, unsigned offset, unsigned bits)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(&gs->kb);
    nir_def *def = cpu_load_const(&gs->kb.b, 1, bits, gs->kb.args, offset);
    cpu_kernel_leave_prologue(&gs->kb, saved);
    return def;
}
#define GS_ARG(gs, field, bits) gs_arg(gs, offsetof(struct cpu_gs_args, field), bits)

/* ----------------------------------------------------------------------------------- inputs --- */

/* Loads the lane's element of row `row` (NULL: 0) of an array with an element per item. */
static nir_def *load_item(struct gs_builder *gs, nir_def *address, nir_def *row)
{
    nir_builder *b = &gs->kb.b;
    nir_def *at = row ? nir_iadd(b, nir_imul(b, row, gs->stride), gs->first) : gs->first;
    return nir_load_global_block(b, 1, 32, address, nir_ishl_imm(b, at, 2), .align_mul = 4);
}

/* Returns the index in `in` of the primitive's vertex i. A dynamic index is clamped. */
static nir_def *vertex_number(struct gs_builder *gs, nir_def *i)
{
    nir_builder *b = &gs->kb.b;
    unsigned last = CLAMP(gs->info->gs.vertices_in, 1, MAX_VERTICES_IN) - 1;
    nir_src src = nir_src_for_ssa(i);
    nir_def *vertices = GS_ARG(gs, vertex, 64);

    if (!nir_src_is_const(src)) {
        i = nir_umin(b, nir_u2u32(b, i), nir_imm_int(b, (int)last));
        nir_def *at = nir_iadd(b, nir_imul(b, i, gs->stride), gs->item);
        return nir_load_global_constant(b, 1, 32, vertices, nir_ishl_imm(b, at, 2), .align_mul = 4);
    }
    unsigned v = (unsigned)MIN2(nir_src_as_uint(src), last);
    if (!gs->vertex[v]) {
        nir_cursor cursor = b->cursor;
        b->cursor = gs->head;
        gs->vertex[v] = load_item(gs, vertices, nir_imm_int(b, (int)v));
        gs->head = b->cursor;
        b->cursor = cursor;
    }
    return gs->vertex[v];
}

struct input_reader {
    struct gs_builder *gs;
    nir_def *vertex;
};

static nir_def *read_input(void *data, unsigned slot, unsigned component)
{
    struct input_reader *r = data;

    return cpu_load_vertex_input(&r->gs->kb.b, r->gs->key->input_slot, slot, component,
                                 GS_ARG(r->gs, in, 64), r->vertex);
}

static nir_def *gs_value(struct gs_builder *gs, nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_per_vertex_input: {
        nir_io_semantics io = nir_intrinsic_io_semantics(intr);
        struct input_reader reader = {gs, vertex_number(gs, intr->src[0].ssa)};
        return cpu_select_slot(&gs->kb, intr, nir_get_io_offset_src(intr)->ssa, io.location,
                               MAX2(io.num_slots, 1), read_input, &reader);
    }
    case nir_intrinsic_load_primitive_id:
        return load_item(gs, GS_ARG(gs, primitive_id, 64), NULL);
    case nir_intrinsic_load_invocation_id:
        return load_item(gs, GS_ARG(gs, invocation_id, 64), NULL);
    default:
        return NULL;
    }
}

/* ---------------------------------------------------------------------------------- outputs --- */

/* Creates the variables of all outputs that the body writes. An emitted vertex has the current
 * values of all of them, including those that a loop writes after the emit instruction. */
static void declare_outputs(struct gs_builder *gs)
{
    for (unsigned i = 0; i < gs->kb.num_body_instrs; i++) {
        if (gs->kb.body_instrs[i]->type != nir_instr_type_intrinsic)
            continue;
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(gs->kb.body_instrs[i]);
        if (intr->intrinsic == nir_intrinsic_store_output)
            cpu_declare_output(&gs->kb, &gs->outputs, intr);
    }
}

/* Assigns indices to the outputs and lists the words of a vertex. */
static void number_outputs(struct gs_builder *gs)
{
    struct cpu_gs_variant *v = gs->variant;

    for (unsigned slot = 0; slot < CPU_IO_SLOTS; slot++) {
        nir_variable **var = gs->outputs.var[slot];
        if (!var[0] && !var[1] && !var[2] && !var[3])
            continue;
        for (unsigned c = 0; c < 4; c++) {
            if (var[c])
                NEXT_OF(v->component, v->words) = (uint8_t)(v->outputs.count * 4 + c);
        }
        v->outputs.index[slot] = ++v->outputs.count;
    }
    v->outputs.viewport_mask = gs->kb.shader->info.viewport_mask;
    v->outputs.viewport_relative_layer = gs->kb.shader->info.viewport_relative_layer;
    v->words++; /* enum cpu_gs_control */
}

static void init_outputs(struct gs_builder *gs)
{
    nir_builder *b = &gs->kb.b;
    nir_def *zero = nir_imm_int(b, 0);

    for (unsigned i = 0; i < CPU_IO_SLOTS * 4; i++) {
        nir_variable *var = gs->outputs.var[i / 4][i % 4];
        if (var)
            nir_store_var(b, var, zero, 1);
    }
    nir_store_var(b, gs->emitted, zero, 1);
}

static void store_word(struct gs_builder *gs, nir_def *vertex, unsigned word, nir_def *value)
{
    nir_builder *b = &gs->kb.b;
    nir_def *row = nir_iadd_imm(b, nir_imul_imm(b, vertex, gs->variant->words), word);
    nir_def *at = nir_iadd(b, nir_imul(b, row, gs->stride), gs->item);
    nir_store_global(b, value, gs->out, nir_ishl_imm(b, at, 2), .write_mask = 1, .align_mul = 4);
}

/* Vertices beyond max_vertices are dropped; they are undefined (GLSL 4.60 §8.15). */
static void emit_vertex(struct gs_builder *gs, nir_intrinsic_instr *intr)
{
    nir_builder *b = &gs->kb.b;
    nir_def *n = nir_load_var(b, gs->emitted);
    unsigned word = 0;

    nir_push_if(b, nir_ult(b, n, nir_imm_int(b, gs->info->gs.vertices_out)));
    for (unsigned i = 0; i < CPU_IO_SLOTS * 4; i++) {
        nir_def *value = cpu_output_value(b, &gs->outputs, i / 4, i % 4);
        if (value)
            store_word(gs, n, word++, value);
    }
    store_word(gs, n, word, nir_imm_int(b, nir_intrinsic_stream_id(intr) & CPU_GS_STREAM));
    nir_store_var(b, gs->emitted, nir_iadd_imm(b, n, 1), 1);
    nir_pop_if(b, NULL);
    nir_instr_remove(&intr->instr);
}

/* Only stream 0 has primitives with several vertices. */
static void end_primitive(struct gs_builder *gs, nir_intrinsic_instr *intr)
{
    nir_builder *b = &gs->kb.b;
    nir_def *n = nir_load_var(b, gs->emitted);

    if (!nir_intrinsic_stream_id(intr)) {
        nir_push_if(b, nir_ine_imm(b, n, 0));
        store_word(gs, nir_iadd_imm(b, n, -1), gs->variant->words - 1u, nir_imm_int(b, CPU_GS_END));
        nir_pop_if(b, NULL);
    }
    nir_instr_remove(&intr->instr);
}

/* ------------------------------------------------------------------------------- the kernel --- */

static void lower_instr(void *data, nir_instr *instr)
{
    struct gs_builder *gs = data;
    nir_def *value = NULL;

    if (instr->type == nir_instr_type_intrinsic) {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        if (intr->intrinsic == nir_intrinsic_emit_vertex) {
            emit_vertex(gs, intr);
            return;
        }
        if (intr->intrinsic == nir_intrinsic_end_primitive) {
            end_primitive(gs, intr);
            return;
        }
        value = gs_value(gs, intr);
    }
    cpu_lower_common_instr(&gs->kb, &gs->outputs, instr, value);
}

struct jit_kernel *cpu_build_gs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_gs_key *key, struct cpu_gs_variant *variant)
{
    struct gs_builder gs = {.key = key, .info = &shader->nir->info, .variant = variant};
    struct cpu_kernel_builder *kb = &gs.kb;
    nir_builder *b = &kb->b;

    if (!cpu_kernel_begin(kb, shader, jit_engine_lanes(engine)))
        return NULL;
    kb->units = &key->units;
    kb->state = GS_ARG(&gs, state, 64);
    gs.stride = GS_ARG(&gs, stride, 32);
    gs.out = GS_ARG(&gs, out, 64);
    gs.emitted = nir_local_variable_create(kb->impl, glsl_uint_type(), "emitted");
    declare_outputs(&gs);
    number_outputs(&gs);
    nir_def *count = GS_ARG(&gs, count, 32), *num_vertices = GS_ARG(&gs, num_vertices, 64);

    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &gs.first);
    kb->outer_loop = loop.loop;
    gs.item = nir_iadd(b, gs.first, nir_load_subgroup_invocation(b));
    gs.head = nir_after_instr(gs.item->parent_instr);
    init_outputs(&gs);
    if (cpu_masks_idle_lanes(gs.info))
        nir_push_if(b, nir_ult(b, gs.item, count));
    cpu_kernel_insert_body(kb, lower_instr, &gs);
    if (cpu_masks_idle_lanes(gs.info))
        nir_pop_if(b, NULL);
    nir_store_global_block(b, nir_load_var(b, gs.emitted), num_vertices,
                           nir_ishl_imm(b, gs.first, 2), nir_imm_true(b), .align_mul = 4);
    cpu_end_count_loop(b, &loop, kb->lanes);
    return cpu_kernel_finish(kb, engine, gs.info->name ? gs.info->name : "gs");
}
