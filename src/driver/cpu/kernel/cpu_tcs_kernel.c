/* SPDX-License-Identifier: MIT */
/*
 * The tessellation control kernel: each lane is an invocation for one patch. Outputs are in memory,
 * where other invocations of the patch read them.
 *
 * Lanes of a vector execute in lockstep, so barriers can be removed if all invocations of a patch
 * share one vector. Otherwise a barrier ends a phase. Barriers are in main() outside of any control
 * flow (GLSL 4.60 §8.16). The body is therefore split into phases, each of which becomes a loop
 * over the patch's vectors. Values that one phase computes and another uses are spilled to memory.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_io.h"
#include "util/check.h"
#include "util/dynarray.h"

#define MAX_PHASES 64

/* What the lanes of a vector execute. */
struct lanes {
    nir_def *item, *patch, *invocation;
    nir_def *vector; /* index of the vector in its patch; NULL: the patch has one vector */
    nir_instr *head; /* start of a phase; values of other phases are loaded after it */
};

struct tcs_builder {
    struct cpu_kernel_builder kb;
    const struct cpu_tcs_key *key;
    const nir_shader_info *info;
    struct cpu_tcs_variant *variant;
    unsigned vertices_out;
    unsigned vectors; /* vectors of a patch if it has phases, otherwise 0 */
    unsigned num_phases;
    struct lanes phase[MAX_PHASES];
    nir_instr *barrier[MAX_PHASES];
};

static nir_def *tcs_arg(struct tcs_builder *tcs, unsigned offset, unsigned bits)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(&tcs->kb);
    nir_def *def = cpu_load_const(&tcs->kb.b, 1, bits, tcs->kb.args, offset);
    cpu_kernel_leave_prologue(&tcs->kb, saved);
    return def;
}
#define TCS_ARG(tcs, field, bits) tcs_arg(tcs, offsetof(struct cpu_tcs_args, field), bits)

/* ----------------------------------------------------------------------------------- inputs --- */

struct input_reader {
    struct tcs_builder *tcs;
    nir_def *vertex;
};

static nir_def *read_input(void *data, unsigned slot, unsigned component)
{
    struct input_reader *r = data;
    return cpu_load_vertex_input(&r->tcs->kb.b, r->tcs->key->input_slot, slot, component,
                                 TCS_ARG(r->tcs, in, 64), r->vertex);
}

/* GL 4.6 §11.2.1.2.2 leaves vertices after the patch's last one undefined; they read the last
 * one. */
static nir_def *load_vertex(struct tcs_builder *tcs, const struct lanes *lanes,
                            nir_intrinsic_instr *intr)
{
    nir_builder *b = &tcs->kb.b;
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    nir_def *last = nir_iadd_imm(b, TCS_ARG(tcs, patch_vertices, 32), -1);
    nir_def *i = nir_umin(b, nir_u2u32(b, intr->src[0].ssa), last);
    nir_def *at = nir_iadd(b, nir_imul_imm(b, lanes->patch, CPU_MAX_PATCH_VERTICES), i);
    nir_def *vertex = nir_load_global_constant(b, 1, 32, TCS_ARG(tcs, vertex, 64),
                                               nir_ishl_imm(b, at, 2), .align_mul = 4);
    struct input_reader reader = {tcs, vertex};

    return cpu_select_slot(&tcs->kb, intr, nir_get_io_offset_src(intr)->ssa, io.location,
                           MAX2(io.num_slots, 1), read_input, &reader);
}

/* ---------------------------------------------------------------------------------- outputs --- */

static bool is_output(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_store_output ||
           intr->intrinsic == nir_intrinsic_load_output ||
           intr->intrinsic == nir_intrinsic_store_per_vertex_output ||
           intr->intrinsic == nir_intrinsic_load_per_vertex_output;
}

static nir_src *vertex_of(nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_store_per_vertex_output  ? &intr->src[1]
           : intr->intrinsic == nir_intrinsic_load_per_vertex_output ? &intr->src[0]
                                                                     : NULL;
}

/* Returns the first slot that an instruction accesses. *count: number of slots that its offset may
 * reach. */
static unsigned first_slot(nir_intrinsic_instr *intr, unsigned *count)
{
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    nir_src *offset = nir_get_io_offset_src(intr);
    bool direct = nir_src_is_const(*offset);

    *count = direct ? 1 : MAX2(io.num_slots, 1);
    return io.location + (direct ? (unsigned)nir_src_as_uint(*offset) : 0);
}

/* Assigns indices to all outputs that the body accesses. Slots of one array get consecutive
 * indices. */
static void number_outputs(struct tcs_builder *tcs)
{
    struct cpu_patch_outputs *o = &tcs->variant->outputs;

    for (unsigned i = 0; i < tcs->kb.num_body_instrs; i++) {
        if (tcs->kb.body_instrs[i]->type != nir_instr_type_intrinsic)
            continue;
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(tcs->kb.body_instrs[i]);
        unsigned count, slot = is_output(intr) ? first_slot(intr, &count) : 0;
        for (unsigned s = 0; is_output(intr) && s < count; s++) {
            int patch = cpu_patch_slot(slot + s);
            if (patch >= 0)
                o->index[patch] = 1;
            else if (vertex_of(intr) && slot + s < CPU_IO_SLOTS)
                o->vertex.index[slot + s] = 1;
        }
    }
    for (unsigned i = 0; i < CPU_PATCH_SLOTS; i++)
        if (o->index[i])
            o->index[i] = ++o->count;
    for (unsigned i = 0; i < CPU_IO_SLOTS; i++)
        if (o->vertex.index[i])
            o->vertex.index[i] = ++o->vertex.count;
}

/* Returns the word offset in `out` of the first component that the instruction accesses. */
static nir_def *output_word(struct tcs_builder *tcs, const struct lanes *lanes,
                            nir_intrinsic_instr *intr)
{
    nir_builder *b = &tcs->kb.b;
    const struct cpu_patch_outputs *o = &tcs->variant->outputs;
    unsigned count, slot = first_slot(intr, &count), word = 0;
    nir_src *vertex = vertex_of(intr), *offset = nir_get_io_offset_src(intr);
    int patch = cpu_patch_slot(slot);
    nir_def *record = nir_imul(b, lanes->patch, TCS_ARG(tcs, record_words, 32));

    if (slot == VARYING_SLOT_TESS_LEVEL_OUTER) {
        word = CPU_PATCH_OUTER;
    } else if (slot == VARYING_SLOT_TESS_LEVEL_INNER) {
        word = CPU_PATCH_INNER;
    } else if (patch >= 0) {
        word = CPU_PATCH_FIRST + (o->index[patch] - 1u) * 4;
    } else {
        word = cpu_patch_vertex_base(o) + (o->vertex.index[slot] - 1u) * 4;
        nir_def *v = nir_umin_imm(b, nir_u2u32(b, vertex->ssa), tcs->vertices_out - 1);
        record = nir_iadd(b, record, nir_imul_imm(b, v, o->vertex.count * 4));
    }
    if (count > 1)
        record = nir_iadd(b, record, nir_ishl_imm(b, offset->ssa, 2));
    return nir_iadd_imm(b, record, word + nir_intrinsic_component(intr));
}

/* Returns whether the slot exists in patch records; other outputs are discarded. */
static bool has_place(nir_intrinsic_instr *intr)
{
    unsigned count, slot = first_slot(intr, &count);
    return slot == VARYING_SLOT_TESS_LEVEL_OUTER || slot == VARYING_SLOT_TESS_LEVEL_INNER ||
           cpu_patch_slot(slot) >= 0 || (vertex_of(intr) && slot < CPU_IO_SLOTS);
}

static void store_output(struct tcs_builder *tcs, const struct lanes *lanes,
                         nir_intrinsic_instr *intr)
{
    nir_builder *b = &tcs->kb.b;
    nir_def *value = intr->src[0].ssa, *out = TCS_ARG(tcs, out, 64);
    unsigned first = nir_intrinsic_component(intr), mask = nir_intrinsic_write_mask(intr);
    nir_def *word = has_place(intr) ? output_word(tcs, lanes, intr) : NULL;

    for (unsigned c = 0; word && c < value->num_components && first + c < 4; c++) {
        if (!(mask >> c & 1))
            continue;
        nir_def *bytes = nir_ishl_imm(b, nir_iadd_imm(b, word, c), 2);
        nir_store_global(b, cpu_output_to_u32(b, nir_channel(b, value, c)), out, bytes,
                         .write_mask = 1, .align_mul = 4);
    }
    nir_instr_remove(&intr->instr);
}

struct output_reader {
    struct tcs_builder *tcs;
    nir_def *word; /* word offset of the first component; NULL: the output doesn't exist */
    unsigned first;
};

static nir_def *read_output(void *data, unsigned slot, unsigned component)
{
    struct output_reader *r = data;
    nir_builder *b = &r->tcs->kb.b;

    if (!r->word)
        return nir_imm_int(b, 0);
    nir_def *word = nir_iadd_imm(b, r->word, component - r->first);
    return nir_load_global(b, 1, 32, TCS_ARG(r->tcs, out, 64), nir_ishl_imm(b, word, 2),
                           .align_mul = 4);
}

static nir_def *load_output(struct tcs_builder *tcs, const struct lanes *lanes,
                            nir_intrinsic_instr *intr)
{
    nir_def *word = has_place(intr) ? output_word(tcs, lanes, intr) : NULL;
    struct output_reader reader = {tcs, word, nir_intrinsic_component(intr)};

    /* the word offset includes the slot offset */
    return cpu_select_slot(&tcs->kb, intr, nir_imm_int(&tcs->kb.b, 0), 0, 1, read_output, &reader);
}

/* ----------------------------------------------------------------------------------- phases --- */

static bool is_barrier(const nir_instr *instr)
{
    return instr->type == nir_instr_type_intrinsic &&
           nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic == nir_intrinsic_barrier;
}

/* Determines whether barriers must divide the body into phases, and the number of vectors of a
 * patch. */
static void plan_phases(struct tcs_builder *tcs)
{
    const struct cpu_kernel_builder *kb = &tcs->kb;

    tcs->num_phases = 1;
    for (unsigned i = 0; i < kb->num_body_instrs; i++)
        tcs->variant->barrier |= is_barrier(kb->body_instrs[i]);
    if (tcs->variant->barrier && tcs->vertices_out > kb->lanes)
        tcs->vectors = DIV_ROUND_UP(tcs->vertices_out, kb->lanes);
}

/* Stores the phase of each instruction between `from` and `to`, which are in one list of nodes, in
 * pass_flags. Returns false if there are too many phases. */
static bool mark_phases(struct tcs_builder *tcs, nir_instr *from, nir_instr *to)
{
    nir_block *block = from->block;
    nir_cf_node *outer = block->cf_node.parent;
    bool inside = false;

    for (; block; block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block) {
            if (instr == to)
                return true;
            if (inside && is_barrier(instr) && block->cf_node.parent == outer) {
                if (tcs->num_phases == MAX_PHASES)
                    return false;
                NEXT_OF(tcs->barrier, tcs->num_phases) = instr;
            }
            inside |= instr == from;
            instr->pass_flags = (uint8_t)(tcs->num_phases - 1);
        }
    }
    return true;
}

static struct lanes load_lanes(struct tcs_builder *tcs, nir_def *first)
{
    nir_builder *b = &tcs->kb.b;
    nir_def *row = nir_ishl_imm(b, first, 2);

    return (struct lanes){
        .item = nir_iadd(b, first, nir_load_subgroup_invocation(b)),
        .patch = nir_load_global_block(b, 1, 32, TCS_ARG(tcs, patch, 64), row, .align_mul = 4),
        .invocation =
            nir_load_global_block(b, 1, 32, TCS_ARG(tcs, invocation, 64), row, .align_mul = 4),
    };
}

/* Masks idle lanes, which repeat others and must not have side effects. */
static void begin_live(struct tcs_builder *tcs, nir_def *first)
{
    nir_builder *b = &tcs->kb.b;

    if (!cpu_masks_idle_lanes(tcs->info))
        return;
    nir_def *live = nir_load_global_block(b, 1, 32, TCS_ARG(tcs, live, 64),
                                          nir_ishl_imm(b, first, 2), .align_mul = 4);
    nir_push_if(b, nir_ine_imm(b, live, 0));
}

static void end_live(struct tcs_builder *tcs)
{
    if (cpu_masks_idle_lanes(tcs->info))
        nir_pop_if(&tcs->kb.b, NULL);
}

/* Puts a loop over the patch's vectors around the code between the two cursors. first: the patch's
 * first item. */
static void loop_phase(struct tcs_builder *tcs, struct lanes *lanes, nir_def *first,
                       nir_cursor begin, nir_cursor end)
{
    nir_builder *b = &tcs->kb.b;
    nir_cf_list body;
    nir_def *vector;

    nir_cf_extract(&body, begin, end);
    b->cursor = begin;
    struct cpu_count_loop loop =
        cpu_begin_count_loop(b, nir_imm_int(b, (int)tcs->vectors), &vector);
    nir_def *at = nir_iadd(b, first, nir_imul_imm(b, vector, tcs->kb.lanes));
    *lanes = load_lanes(tcs, at);
    lanes->vector = vector;
    begin_live(tcs, at);
    lanes->head = nir_imm_int(b, 0)->parent_instr;
    b->cursor = nir_cf_reinsert(&body, nir_after_instr(lanes->head));
    end_live(tcs);
    cpu_end_count_loop(b, &loop, 1);
}

/* --- spilling between phases --- */

static nir_def *spill_offset(struct tcs_builder *tcs, const struct lanes *lanes, unsigned row)
{
    nir_builder *b = &tcs->kb.b;
    return nir_ishl_imm(b, nir_iadd_imm(b, lanes->item, row * CPU_MAX_TCS_ITEMS), 2);
}

static void spill_word(struct tcs_builder *tcs, const struct lanes *lanes, nir_def *word)
{
    nir_builder *b = &tcs->kb.b;
    nir_def *offset = spill_offset(tcs, lanes, tcs->variant->spill_words++);
    nir_store_global(b, word, TCS_ARG(tcs, spill, 64), offset, .write_mask = 1, .align_mul = 4);
}

/* Spills a value to as many rows as it has words. */
static void spill(struct tcs_builder *tcs, const struct lanes *lanes, nir_def *def)
{
    nir_builder *b = &tcs->kb.b;

    for (unsigned c = 0; c < def->num_components; c++) {
        nir_def *v = nir_channel(b, def, c);
        if (def->bit_size == 64) {
            v = nir_unpack_64_2x32(b, v);
            spill_word(tcs, lanes, nir_channel(b, v, 0));
            v = nir_channel(b, v, 1);
        }
        spill_word(tcs, lanes, cpu_output_to_u32(b, v));
    }
}

static nir_def *fill_word(struct tcs_builder *tcs, const struct lanes *lanes, unsigned row)
{
    return nir_load_global(&tcs->kb.b, 1, 32, TCS_ARG(tcs, spill, 64),
                           spill_offset(tcs, lanes, row), .align_mul = 4);
}

static nir_def *fill(struct tcs_builder *tcs, const struct lanes *lanes, const nir_def *like,
                     unsigned row)
{
    nir_builder *b = &tcs->kb.b;
    nir_def *c[NIR_MAX_VEC_COMPONENTS];

    for (unsigned i = 0; i < like->num_components; i++) {
        c[i] = fill_word(tcs, lanes, row++);
        if (like->bit_size == 64)
            c[i] = nir_pack_64_2x32_split(b, c[i], fill_word(tcs, lanes, row++));
        else if (like->bit_size == 1)
            c[i] = nir_ine_imm(b, c[i], 0);
        else
            c[i] = nir_u2uN(b, c[i], like->bit_size);
    }
    return nir_vec(b, c, like->num_components);
}

/* Returns the value of another phase for use in the phase of `lanes`. */
static nir_def *carry(struct tcs_builder *tcs, const struct lanes *lanes, nir_def *def,
                      unsigned row)
{
    nir_builder *b = &tcs->kb.b;

    b->cursor = nir_after_instr(lanes->head);
    switch (def->parent_instr->type) {
    case nir_instr_type_load_const:
        return nir_build_imm(b, def->num_components, def->bit_size,
                             nir_instr_as_load_const(def->parent_instr)->value);
    case nir_instr_type_undef:
        return nir_undef(b, def->num_components, def->bit_size);
    default:
        return fill(tcs, lanes, def, row);
    }
}

/* Returns the set of phases, other than the one that defines the value, that use it. */
static uint64_t foreign_phases(const nir_def *def)
{
    uint64_t phases = 0;

    nir_foreach_use (src, def)
        phases |= BITFIELD64_BIT(nir_src_parent_instr(src)->pass_flags);
    return phases & ~BITFIELD64_BIT(def->parent_instr->pass_flags);
}

static void carry_over(struct tcs_builder *tcs, nir_def *def, uint64_t phases)
{
    nir_builder *b = &tcs->kb.b;
    nir_instr *from = def->parent_instr;
    unsigned row = tcs->variant->spill_words;

    while (phases) {
        unsigned p = (unsigned)u_bit_scan64(&phases);
        nir_def *there = carry(tcs, &tcs->phase[p], def, row);
        nir_foreach_use_safe (src, def)
            if (nir_src_parent_instr(src)->pass_flags == p)
                nir_src_rewrite(src, there);
    }
    if (from->type == nir_instr_type_load_const || from->type == nir_instr_type_undef)
        return;
    b->cursor = nir_after_instr_and_phis(from);
    spill(tcs, &tcs->phase[from->pass_flags], def);
}

struct carried {
    nir_def *def;
    uint64_t phases;
};

/* Lists the values that other phases use. Returns false if out of memory. */
static bool list_carried(struct tcs_builder *tcs, nir_instr *from, nir_instr *to,
                         struct carried **list, unsigned *count)
{
    DYNARRAY(struct carried) found = DYNARRAY_INIT(tcs->kb.shader);

    for (nir_block *block = from->block; block; block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block) {
            nir_def *def = nir_instr_def(instr);
            struct carried c = {def, def ? foreign_phases(def) : 0};
            if (c.phases && !dynarray_append(&found, c))
                return false;
        }
        if (block == to->block)
            break;
    }
    *list = found.data;
    *count = found.count;
    return true;
}

/* Copies the conditions of ifs to instructions of the phase that tests them, so that every use is
 * an instruction. */
static void name_conditions(struct tcs_builder *tcs, nir_instr *from, nir_instr *to)
{
    nir_builder *b = &tcs->kb.b;

    for (nir_block *block = from->block; block != to->block;
         block = nir_block_cf_tree_next(block)) {
        nir_if *nif = nir_block_get_following_if(block);
        if (!nif)
            continue;
        b->cursor = nir_after_block(block);
        nir_src_rewrite(&nif->condition, nir_mov(b, nif->condition.ssa));
    }
}

/* Splits the body, which is between `from` and `to`, into phases. Returns false if out of memory or
 * if there are too many barriers. */
static bool make_phases(struct tcs_builder *tcs, nir_def *first, nir_instr *from, nir_instr *to)
{
    struct carried *carried;
    unsigned count;

    name_conditions(tcs, from, to);
    if (!mark_phases(tcs, from, to) || !list_carried(tcs, from, to, &carried, &count))
        return false;
    tcs->barrier[0] = from;
    for (unsigned p = 0; p < tcs->num_phases; p++) {
        nir_instr *end = p + 1 < tcs->num_phases ? tcs->barrier[p + 1] : to;
        loop_phase(tcs, &tcs->phase[p], first, nir_after_instr(tcs->barrier[p]),
                   nir_before_instr(end));
    }
    for (unsigned i = 0; i < count; i++)
        carry_over(tcs, carried[i].def, carried[i].phases);
    return true;
}

/* ------------------------------------------------------------------------------- the kernel --- */

/* Gives each vector of a patch separate scratch memory. */
static void lower_scratch(struct tcs_builder *tcs, const struct lanes *lanes,
                          nir_intrinsic_instr *intr)
{
    nir_builder *b = &tcs->kb.b;
    nir_src *offset = &intr->src[intr->intrinsic == nir_intrinsic_store_scratch];

    if (lanes->vector)
        nir_src_rewrite(
            offset,
            nir_iadd(b, offset->ssa, nir_imul_imm(b, lanes->vector, tcs->kb.shader->scratch_size)));
}

static nir_def *tcs_value(struct tcs_builder *tcs, const struct lanes *lanes,
                          nir_intrinsic_instr *intr)
{
    nir_builder *b = &tcs->kb.b;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_per_vertex_input:
        return load_vertex(tcs, lanes, intr);
    case nir_intrinsic_load_output:
    case nir_intrinsic_load_per_vertex_output:
        return load_output(tcs, lanes, intr);
    case nir_intrinsic_load_invocation_id:
        return lanes->invocation;
    case nir_intrinsic_load_primitive_id:
        return nir_iadd(b, TCS_ARG(tcs, primitive_id, 32), lanes->patch);
    case nir_intrinsic_load_patch_vertices_in:
        return TCS_ARG(tcs, patch_vertices, 32);
    default:
        return NULL;
    }
}

static void lower_instr(void *data, nir_instr *instr)
{
    struct tcs_builder *tcs = data;
    const struct lanes *lanes = &tcs->phase[tcs->vectors ? instr->pass_flags : 0];
    nir_def *value = NULL;

    if (instr->type == nir_instr_type_intrinsic) {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        switch (intr->intrinsic) {
        case nir_intrinsic_store_output:
        case nir_intrinsic_store_per_vertex_output:
            store_output(tcs, lanes, intr);
            return;
        case nir_intrinsic_load_scratch:
        case nir_intrinsic_store_scratch:
        case nir_intrinsic_clear_scratch:
            lower_scratch(tcs, lanes, intr);
            return;
        default:
            value = tcs_value(tcs, lanes, intr);
        }
    }
    cpu_lower_common_instr(&tcs->kb, NULL, instr, value);
}

/* Inserts the body undivided, for one vector of items. */
static void insert_whole(struct tcs_builder *tcs, nir_def *first)
{
    tcs->phase[0] = load_lanes(tcs, first);
    begin_live(tcs, first);
    cpu_kernel_insert_body(&tcs->kb, lower_instr, tcs);
    end_live(tcs);
}

/* Inserts the body divided into phases, for one patch. */
static bool insert_phases(struct tcs_builder *tcs, nir_def *first)
{
    nir_builder *b = &tcs->kb.b;
    nir_instr *from = nir_imm_int(b, 0)->parent_instr;

    cpu_kernel_place_body(&tcs->kb);
    nir_instr *to = nir_imm_int(b, 0)->parent_instr;
    if (!make_phases(tcs, first, from, to))
        return false;
    cpu_kernel_lower_body(&tcs->kb, lower_instr, tcs);
    uint64_t scratch = (uint64_t)tcs->kb.shader->scratch_size * tcs->vectors;
    /* In any case more than is available. */
    tcs->kb.shader->scratch_size = MIN2(scratch, UINT32_MAX - 255);
    b->cursor = nir_after_instr(to);
    return true;
}

struct jit_kernel *cpu_build_tcs(struct jit_engine *engine, const struct cpu_shader *shader,
                                 const struct cpu_tcs_key *key, struct cpu_tcs_variant *variant)
{
    struct tcs_builder tcs = {.key = key, .info = &shader->nir->info, .variant = variant};
    struct cpu_kernel_builder *kb = &tcs.kb;
    nir_builder *b = &kb->b;
    nir_def *first;

    if (!cpu_kernel_begin(kb, shader, jit_engine_lanes(engine)))
        return NULL;
    tcs.vertices_out = CLAMP(tcs.info->tess.vertices_out, 1, CPU_MAX_PATCH_VERTICES);
    kb->units = &key->units;
    kb->state = TCS_ARG(&tcs, state, 64);
    number_outputs(&tcs);
    plan_phases(&tcs);
    struct cpu_count_loop loop = cpu_begin_count_loop(b, TCS_ARG(&tcs, count, 32), &first);
    kb->outer_loop = loop.loop;
    if (!tcs.vectors) {
        insert_whole(&tcs, first);
    } else if (!insert_phases(&tcs, first)) {
        nir_shader_destroy(kb->shader);
        return NULL;
    }
    cpu_end_count_loop(b, &loop, kb->lanes * MAX2(tcs.vectors, 1));
    return cpu_kernel_finish(kb, engine, tcs.info->name ? tcs.info->name : "tcs");
}
