/* SPDX-License-Identifier: MIT */
/*
 * The tessellation evaluation kernel: each lane is a vertex that the tessellator generated. All
 * lanes of a vector belong to one patch, so patch inputs are uniform.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_io.h"
#include "driver/cpu/kernel/cpu_nir_vertex.h"

struct tes_builder {
    struct cpu_kernel_builder kb;
    const struct cpu_tes_key *key;
    nir_def *first;  /* index of the vector's first vertex */
    nir_def *row;    /* its byte offset in an array of words */
    nir_def *patch;  /* index of the patch's record */
    nir_def *record; /* address of the patch's record */
    struct cpu_outputs outputs;
};

static nir_def *tes_arg(struct tes_builder *tes, unsigned offset, unsigned bits)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(&tes->kb);
    nir_def *def = cpu_load_const(&tes->kb.b, 1, bits, tes->kb.args, offset);
    cpu_kernel_leave_prologue(&tes->kb, saved);
    return def;
}
#define TES_ARG(tes, field, bits) tes_arg(tes, offsetof(struct cpu_tes_args, field), bits)

/* ----------------------------------------------------------------------------------- inputs --- */

/* Loads a word of the patch's record. */
static nir_def *load_word(struct tes_builder *tes, nir_def *word)
{
    nir_builder *b = &tes->kb.b;
    return nir_load_global_constant(b, 1, 32, tes->record, nir_ishl_imm(b, word, 2),
                                    .align_mul = 4);
}

static nir_def *missing(struct tes_builder *tes, unsigned component)
{
    return nir_imm_float(&tes->kb.b, component == 3 ? 1.0f : 0.0f);
}

struct input_reader {
    struct tes_builder *tes;
    nir_def *vertex; /* word offset of the vertex in the record */
};

static nir_def *read_vertex(void *data, unsigned slot, unsigned component)
{
    struct input_reader *r = data;
    const uint8_t *number = r->tes->key->input_slot;

    if (slot >= CPU_IO_SLOTS || !number[slot])
        return missing(r->tes, component);
    return load_word(r->tes,
                     nir_iadd_imm(&r->tes->kb.b, r->vertex, (number[slot] - 1) * 4 + component));
}

static nir_def *read_patch(void *data, unsigned slot, unsigned component)
{
    struct tes_builder *tes = data;
    nir_builder *b = &tes->kb.b;
    int patch = cpu_patch_slot(slot);

    if (slot == VARYING_SLOT_TESS_LEVEL_OUTER)
        return load_word(tes, nir_imm_int(b, (int)(CPU_PATCH_OUTER + component)));
    if (slot == VARYING_SLOT_TESS_LEVEL_INNER)
        return load_word(tes, nir_imm_int(b, (int)(CPU_PATCH_INNER + component)));
    if (patch < 0 || !tes->key->patch_slot[patch])
        return missing(tes, component);
    int word = CPU_PATCH_FIRST + (tes->key->patch_slot[patch] - 1) * 4 + (int)component;
    return load_word(tes, nir_imm_int(b, word));
}

/* GL 4.6 §11.2.3.3 leaves vertices after the patch's last one undefined; they read the last one. */
static nir_def *load_vertex(struct tes_builder *tes, nir_intrinsic_instr *intr)
{
    nir_builder *b = &tes->kb.b;
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    nir_def *last = nir_iadd_imm(b, TES_ARG(tes, patch_vertices, 32), -1);
    nir_def *vertex = nir_umin(b, nir_u2u32(b, intr->src[0].ssa), last);
    nir_def *words = nir_imul(b, vertex, TES_ARG(tes, vertex_words, 32));
    struct input_reader reader = {tes, nir_iadd(b, words, TES_ARG(tes, vertex_base, 32))};

    return cpu_select_slot(&tes->kb, intr, nir_get_io_offset_src(intr)->ssa, io.location,
                           MAX2(io.num_slots, 1), read_vertex, &reader);
}

static nir_def *load_coord(struct tes_builder *tes)
{
    nir_builder *b = &tes->kb.b;
    nir_def *coord = TES_ARG(tes, coord, 64), *c[3];

    for (unsigned i = 0; i < 3; i++)
        c[i] = nir_load_global_block(
            b, 1, 32, coord, nir_iadd_imm(b, tes->row, i * CPU_BATCH_VERTICES * 4), .align_mul = 4);
    return nir_vec(b, c, 3);
}

static nir_def *tes_value(struct tes_builder *tes, nir_intrinsic_instr *intr)
{
    nir_builder *b = &tes->kb.b;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_per_vertex_input:
        return load_vertex(tes, intr);
    case nir_intrinsic_load_input: {
        nir_io_semantics io = nir_intrinsic_io_semantics(intr);
        return cpu_select_slot(&tes->kb, intr, nir_get_io_offset_src(intr)->ssa, io.location,
                               MAX2(io.num_slots, 1), read_patch, tes);
    }
    case nir_intrinsic_load_tess_coord:
        return load_coord(tes);
    case nir_intrinsic_load_primitive_id:
        return nir_iadd(b, TES_ARG(tes, primitive_id, 32), tes->patch);
    case nir_intrinsic_load_patch_vertices_in:
        return TES_ARG(tes, patch_vertices, 32);
    default:
        return NULL;
    }
}

/* ------------------------------------------------------------------------------- the kernel --- */

static void lower_instr(void *data, nir_instr *instr)
{
    struct tes_builder *tes = data;
    nir_def *value = NULL;

    if (instr->type == nir_instr_type_intrinsic)
        value = tes_value(tes, nir_instr_as_intrinsic(instr));
    cpu_lower_common_instr(&tes->kb, &tes->outputs, instr, value);
}

/* Loads the patch index of the vector and computes its record's address. */
static void find_record(struct tes_builder *tes)
{
    nir_builder *b = &tes->kb.b;
    nir_def *patches = TES_ARG(tes, patch, 64), *words = TES_ARG(tes, record_words, 32);
    nir_def *records = TES_ARG(tes, records, 64);

    tes->row = nir_ishl_imm(b, tes->first, 2);
    tes->patch = nir_load_global_constant(b, 1, 32, patches, tes->row, .align_mul = 4);
    nir_def *bytes = nir_ishl_imm(b, nir_imul(b, tes->patch, words), 2);
    tes->record = nir_iadd(b, records, nir_u2u64(b, bytes));
}

struct jit_kernel *cpu_build_tes(struct jit_engine *engine, const struct cpu_shader *shader,
                                 const struct cpu_tes_key *key, struct cpu_tes_variant *variant)
{
    struct tes_builder tes = {.key = key};
    struct cpu_kernel_builder *kb = &tes.kb;
    const nir_shader_info *info = &shader->nir->info;
    nir_builder *b = &kb->b;

    if (!cpu_kernel_begin(kb, shader, jit_engine_lanes(engine)))
        return NULL;
    kb->units = &key->units;
    kb->state = TES_ARG(&tes, state, 64);
    nir_def *count = TES_ARG(&tes, count, 32);

    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &tes.first);
    kb->outer_loop = loop.loop;
    find_record(&tes);
    if (cpu_masks_idle_lanes(info)) {
        nir_def *live =
            nir_load_global_block(b, 1, 32, TES_ARG(&tes, live, 64), tes.row, .align_mul = 4);
        nir_push_if(b, nir_ine_imm(b, live, 0));
    }
    cpu_kernel_insert_body(kb, lower_instr, &tes);
    if (cpu_masks_idle_lanes(info))
        nir_pop_if(b, NULL);
    const struct cpu_vertex_results results = {
        .key = &key->finish_vertices,
        .first = tes.first,
        .out = TES_ARG(&tes, out, 64),
        .window = TES_ARG(&tes, window, 64),
        .clip_code = TES_ARG(&tes, clip_code, 64),
        .viewport = TES_ARG(&tes, viewport, 64),
    };
    cpu_nir_finish_vertices(kb, &tes.outputs, &results);
    cpu_nir_store_outputs(b, &tes.outputs, ~0ull, &results, &variant->outputs);
    cpu_end_count_loop(b, &loop, kb->lanes);
    return cpu_kernel_finish(kb, engine, info->name ? info->name : "tes");
}
