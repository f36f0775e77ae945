/* SPDX-License-Identifier: MIT */
/*
 * Lowering of EmitVertex and EndPrimitive to stores to the thread's URB entry (i965_abi.h). Runs
 * after nir_lower_io. The stores are:
 *
 *   store_per_vertex_output   slots of a vertex, from `base` on; vertex is its index in the entry
 *   store_output, base 0      the number of vertices
 *   store_output, base 1      dword `offset` of the control data
 *
 * Outputs and counters are variables, which nir_lower_vars_to_ssa turns into values again. If a
 * loop was unrolled, the vertex indices and the control data are therefore constants.
 */
#include "from_nir.h"
#include "indium/driver.h"
#include "nir/nir_builder.h"

#include "util/dynarray.h"

struct geometry {
    nir_function_impl *impl;
    struct i965_vue_map map;
    nir_variable *output[VARYING_SLOT_COUNT][4]; /* One variable per dword; NULL if not stored. */
    nir_variable *count, *control; /* Number of vertices; the dword of control data being filled. */
    unsigned max_vertices, bits;   /* bits: control data bits per vertex (0, 1 or 2). */
};

/* Returns the control data bits per vertex. Multiple streams exist only with points, which have no
 * strips (GLSL 4.60 §8.15). */
static unsigned control_bits(const nir_shader *nir)
{
    if (nir->info.gs.active_stream_mask & ~1u)
        return 2;
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type == nir_instr_type_intrinsic &&
                nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_end_primitive)
                return nir->info.gs.output_primitive != DRV_PRIM_POINTS;
        }
    }
    return 0;
}

/* --- Outputs --- */

static void store_dword(nir_builder *b, struct geometry *g, unsigned slot, unsigned component,
                        nir_def *value)
{
    if (slot >= VARYING_SLOT_COUNT)
        return;
    nir_variable **var = &g->output[slot][component];
    if (!*var)
        *var = nir_local_variable_create(g->impl, glsl_uint_type(), "output");
    nir_store_var(b, *var, value, 1);
}

static void keep_output(nir_builder *b, struct geometry *g, nir_intrinsic_instr *intr)
{
    nir_def *value = intr->src[0].ssa;
    unsigned slot = nir_intrinsic_io_semantics(intr).location;
    unsigned at = nir_intrinsic_component(intr), per = value->bit_size == 64 ? 2 : 1;
    for (unsigned i = 0; i < value->num_components * per; i++, at++) {
        if (!(nir_intrinsic_write_mask(intr) >> i / per & 1))
            continue;
        nir_def *dword = nir_channel(b, value, i / per);
        if (per == 2)
            dword =
                i % 2 ? nir_unpack_64_2x32_split_y(b, dword) : nir_unpack_64_2x32_split_x(b, dword);
        store_dword(b, g, slot + at / 4, at % 4, dword);
    }
}

/* Returns the variable of a dword of a slot. */
static nir_variable *variable_at(const struct geometry *g, unsigned slot, unsigned component)
{
    static const uint8_t header[4] = {0, VARYING_SLOT_LAYER, VARYING_SLOT_VIEWPORT,
                                      VARYING_SLOT_PSIZ};
    if (slot == 0)
        return component ? g->output[header[component]][0] : NULL;
    for (unsigned v = 0; v < VARYING_SLOT_COUNT; v++) {
        if (g->map.slot[v] == (int)slot && g->output[v][component])
            return g->output[v][component];
    }
    return NULL;
}

/* Returns whether the shader stores something in a slot. */
static bool is_stored(const struct geometry *g, unsigned slot)
{
    return variable_at(g, slot, 0) || variable_at(g, slot, 1) || variable_at(g, slot, 2) ||
           variable_at(g, slot, 3);
}

/* Stores the slots of a vertex in pairs, the most that a message takes. Each pair starts at the
 * next slot that the shader stores, so slots without values, such as an unused header, are
 * skipped. */
static void store_vertex(nir_builder *b, struct geometry *g, nir_def *vertex)
{
    for (unsigned slot = 0; slot < g->map.num_slots; slot += 2) {
        nir_def *dwords[8];
        while (slot < g->map.num_slots && !is_stored(g, slot))
            slot++;
        unsigned mask = 0;
        for (unsigned i = 0; i < 8; i++) {
            nir_variable *var = variable_at(g, slot + i / 4, i % 4);
            dwords[i] = var ? nir_load_var(b, var) : NULL;
            mask |= (unsigned)(var != NULL) << i;
        }
        if (!mask)
            continue;
        bool header = slot == 0 && mask & 0xf; /* The header is written entirely or not at all. */
        mask |= header ? 0xf : 0;
        for (unsigned i = 0; i < 8; i++) {
            if (!dwords[i])
                dwords[i] = header && i < 4 ? nir_imm_int(b, 0) : nir_undef(b, 1, 32);
        }
        nir_store_per_vertex_output(b, nir_vec(b, dwords, 8), vertex, nir_imm_int(b, 0),
                                    .base = slot, .write_mask = mask, .src_type = nir_type_uint32,
                                    .io_semantics = {.location = VARYING_SLOT_POS, .num_slots = 1});
    }
}

/* --- Vertices and strips --- */

static void store_head(nir_builder *b, unsigned base, nir_def *value, nir_def *offset)
{
    nir_store_output(b, value, offset, .base = base, .write_mask = 1, .src_type = nir_type_uint32,
                     .io_semantics = {.location = VARYING_SLOT_POS, .num_slots = 1});
}

static bool is_one_dword(const struct geometry *g)
{
    return g->max_vertices * g->bits <= 32;
}

/* Stores the dword with the control data of the vertex before `count`, which is not 0. */
static void store_control(nir_builder *b, struct geometry *g, nir_def *count)
{
    nir_def *index = nir_ushr_imm(b, nir_iadd_imm(b, count, -1), g->bits == 2 ? 4 : 5);
    store_head(b, 1, nir_load_var(b, g->control), index);
}

/* Vertices past the declared maximum are dropped (undefined by GLSL 4.60 §8.15). */
static void emit_vertex(nir_builder *b, struct geometry *g, unsigned stream)
{
    nir_def *count = nir_load_var(b, g->count);
    nir_if *fits = nir_push_if(b, nir_ult_imm(b, count, g->max_vertices));
    if (g->bits && !is_one_dword(g)) { /* A new dword begins. */
        nir_def *begins = nir_ieq_imm(b, nir_iand_imm(b, count, 32 / g->bits - 1), 0);
        nir_if *flush = nir_push_if(b, nir_iand(b, begins, nir_ine_imm(b, count, 0)));
        store_control(b, g, count);
        nir_store_var(b, g->control, nir_imm_int(b, 0), 1);
        nir_pop_if(b, flush);
    }
    store_vertex(b, g, count);
    if (stream) {
        nir_def *shift = nir_iand_imm(b, nir_ishl_imm(b, count, 1), 31);
        nir_def *bits = nir_ishl(b, nir_imm_int(b, (int)stream), shift);
        nir_store_var(b, g->control, nir_ior(b, nir_load_var(b, g->control), bits), 1);
    }
    nir_store_var(b, g->count, nir_iadd_imm(b, count, 1), 1);
    nir_pop_if(b, fits);
}

/* Ends the strip after the last vertex, if there is one. */
static void end_primitive(nir_builder *b, struct geometry *g)
{
    nir_def *count = nir_load_var(b, g->count);
    nir_def *shift = nir_iand_imm(b, nir_iadd_imm(b, count, -1), 31);
    nir_def *bit = nir_ishl(b, nir_b2i32(b, nir_ine_imm(b, count, 0)), shift);
    nir_store_var(b, g->control, nir_ior(b, nir_load_var(b, g->control), bit), 1);
}

static void end_thread(nir_builder *b, struct geometry *g)
{
    nir_def *count = nir_load_var(b, g->count);
    if (g->bits && is_one_dword(g)) {
        store_head(b, 1, nir_load_var(b, g->control), nir_imm_int(b, 0));
    } else if (g->bits) {
        nir_if *any = nir_push_if(b, nir_ine_imm(b, count, 0));
        store_control(b, g, count);
        nir_pop_if(b, any);
    }
    store_head(b, 0, count, nir_imm_int(b, 0));
}

/* Removes EndPrimitive calls after the last vertex, because strips end with the thread. */
static void drop_last_ends(nir_function_impl *impl)
{
    nir_block *last = nir_impl_last_block(impl);
    for (nir_instr *instr = nir_block_last_instr(last), *prev; instr; instr = prev) {
        prev = instr->node.prev == &last->instr_list
                   ? NULL
                   : list_entry(instr->node.prev, nir_instr, node);
        if (instr->type != nir_instr_type_intrinsic)
            continue;
        nir_intrinsic_op op = nir_instr_as_intrinsic(instr)->intrinsic;
        if (op == nir_intrinsic_emit_vertex)
            return;
        if (op == nir_intrinsic_end_primitive)
            nir_instr_remove(instr);
    }
}

static void lower_instr(nir_builder *b, struct geometry *g, nir_intrinsic_instr *intr)
{
    b->cursor = nir_before_instr(&intr->instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_store_output:
        keep_output(b, g, intr);
        break;
    case nir_intrinsic_emit_vertex:
        emit_vertex(b, g, nir_intrinsic_stream_id(intr));
        break;
    case nir_intrinsic_end_primitive:
        if (g->bits == 1)
            end_primitive(b, g);
        break;
    default:
        return;
    }
    nir_instr_remove(&intr->instr);
}

bool i965_lower_geometry(nir_shader *nir)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    DYNARRAY(nir_intrinsic_instr *) work = {0};
    struct geometry *g = talloc_zero(NULL, struct geometry);
    drop_last_ends(impl);
    g->impl = impl;
    g->max_vertices = nir->info.gs.vertices_out;
    g->bits = control_bits(nir);
    i965_fill_vue_map(nir->info.outputs_written, &g->map);
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    g->count = nir_local_variable_create(impl, glsl_uint_type(), "vertices");
    g->control = nir_local_variable_create(impl, glsl_uint_type(), "control data");
    nir_store_var(&b, g->count, nir_imm_int(&b, 0), 1);
    nir_store_var(&b, g->control, nir_imm_int(&b, 0), 1);
    /* Stores first: a vertex contains every slot that is stored anywhere. */
    for (unsigned pass = 0; pass < 2; pass++) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block) {
                nir_intrinsic_instr *intr =
                    instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
                if (intr && (intr->intrinsic == nir_intrinsic_store_output) == !pass)
                    (void)dynarray_append(&work, intr);
            }
        }
    }
    for (unsigned i = 0; i < work.count; i++)
        lower_instr(&b, g, work.data[i]);
    b.cursor = nir_after_impl(impl);
    end_thread(&b, g);
    dynarray_finish(&work);
    talloc_free(g);
    nir_metadata_preserve(impl, nir_metadata_none);
    return true;
}
