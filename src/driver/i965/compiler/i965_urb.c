/* SPDX-License-Identifier: MIT */
/*
 * Layouts of URB entries, and prog_data of the geometry and tessellation stages: the contents of
 * their 3DSTATE packets (Skylake PRM, volume 2a, 3DSTATE_GS, 3DSTATE_HS, 3DSTATE_TE, 3DSTATE_DS).
 */
#include "from_nir.h"

#include "indium/driver.h"

enum {
    HEADER_SLOTS = 2,       /* Slots of the tessellation levels at the start of a patch's entry. */
    MAX_ENTRY = 512 * 64,   /* In bytes (volume 2a, 3DSTATE_URB_GS, "Allocation Size"). */
    MAX_CONTROL_HEADER = 8, /* In units of 32 bytes. */
    MAX_OUTPUT_VERTEX = 64, /* In slots. */
};

/* --- Entries --- */

void i965_fill_vue_map(uint64_t written, struct i965_vue_map *map)
{
    for (unsigned i = 0; i < VARYING_SLOT_COUNT; i++)
        map->slot[i] = -1;
    static const uint8_t header[] = {VARYING_SLOT_PSIZ, VARYING_SLOT_LAYER, VARYING_SLOT_VIEWPORT};
    for (unsigned i = 0; i < ARRAY_SIZE(header); i++) {
        if (written >> header[i] & 1)
            map->slot[header[i]] = 0;
    }
    map->slot[VARYING_SLOT_POS] = 1;
    map->num_slots = 2;
    map->num_patch_slots = 0;
    if (written & (1ull << VARYING_SLOT_CLIP_DIST0 | 1ull << VARYING_SLOT_CLIP_DIST1)) {
        map->slot[VARYING_SLOT_CLIP_DIST0] = 2;
        map->slot[VARYING_SLOT_CLIP_DIST1] = 3;
        map->num_slots = 4;
    }
    for (unsigned i = 0; i < 64; i++) {
        if (written >> i & 1 && map->slot[i] < 0)
            map->slot[i] = (int8_t)map->num_slots++;
    }
}

static void fill_patch_map(uint64_t written, uint32_t patch, struct i965_vue_map *map)
{
    /* The bounding box belongs to the patch, although it is not a patch varying. */
    const uint64_t of_patch =
        1ull << VARYING_SLOT_BOUNDING_BOX0 | 1ull << VARYING_SLOT_BOUNDING_BOX1;
    const uint64_t levels =
        1ull << VARYING_SLOT_TESS_LEVEL_OUTER | 1ull << VARYING_SLOT_TESS_LEVEL_INNER;
    i965_fill_vue_map(written & ~(of_patch | levels), map);
    map->num_patch_slots = HEADER_SLOTS;
    for (unsigned i = 0; i < VARYING_SLOT_COUNT; i++) {
        bool there = i >= VARYING_SLOT_PATCH0 ? patch >> (i - VARYING_SLOT_PATCH0) & 1
                     : i < 64                 ? written & of_patch & 1ull << i
                                              : false;
        if (there)
            map->slot[i] = (int8_t)map->num_patch_slots++;
    }
}

void i965_key_from_program(struct i965_key *key, nir_shader *const stages[SHADER_STAGE_COUNT],
                           enum shader_stage stage)
{
    const nir_shader *before = NULL, *after = NULL;
    for (unsigned s = 0; s <= SHADER_GEOMETRY; s++) {
        if (!stages[s])
            continue;
        if (s < (unsigned)stage)
            before = stages[s];
        else if (s > (unsigned)stage && !after)
            after = stages[s];
    }
    if (stage > SHADER_GEOMETRY)
        return;
    if (before) {
        key->inputs_written = before->info.outputs_written;
        key->patch_inputs_written = before->info.patch_outputs_written;
    }
    if (after) {
        key->outputs_read = after->info.inputs_read;
        key->patch_outputs_read = after->info.patch_inputs_read;
    }
    if (stages[SHADER_TESS_EVAL])
        key->tess_primitive = stages[SHADER_TESS_EVAL]->info.tess.primitive_mode;
}

/* --- Inputs in the payload --- */

/* Range of slot pairs that are read at constant positions. pulled: there are also other reads. */
struct reads {
    unsigned first, end;
    bool pulled;
};

static void note_slot(struct reads *r, unsigned slot, unsigned count)
{
    r->first = r->end ? MIN2(r->first, slot / 2) : slot / 2;
    r->end = MAX2(r->end, (slot + count - 1) / 2 + 1);
}

static void note_input(struct reads *r, const nir_shader *nir, const struct i965_vue_map *map,
                       nir_intrinsic_instr *intr)
{
    unsigned location = nir_intrinsic_io_semantics(intr).location;
    bool per_vertex = intr->intrinsic == nir_intrinsic_load_per_vertex_input;
    bool eval = nir->info.stage == SHADER_TESS_EVAL;
    unsigned dwords = intr->def.num_components * (intr->def.bit_size == 64 ? 2 : 1);
    unsigned slots = DIV_ROUND_UP(nir_intrinsic_component(intr) + dwords, 4);
    if (location == VARYING_SLOT_TESS_LEVEL_OUTER || location == VARYING_SLOT_TESS_LEVEL_INNER) {
        note_slot(r, 0, HEADER_SLOTS);
        return;
    }
    if (!nir_src_is_const(intr->src[per_vertex]) ||
        (per_vertex && !nir_src_is_const(intr->src[0])) || location >= VARYING_SLOT_COUNT) {
        r->pulled = true;
        return;
    }
    unsigned slot =
        (unsigned)MAX2(map->slot[location], 0) + (unsigned)nir_src_as_uint(intr->src[per_vertex]);
    if (per_vertex && eval)
        slot += map->num_patch_slots + (unsigned)nir_src_as_uint(intr->src[0]) * map->num_slots;
    note_slot(r, slot, slots);
}

/* Chooses the slots that the payload contains. num: entries in the payload; per_pair: registers per
 * pair of slots. Uses at most three eighths of the registers. Returns whether some inputs are not
 * in the payload. */
static bool choose_pushed(const nir_shader *nir, const struct i965_device *dev,
                          struct i965_prog_data *data, unsigned num, unsigned per_pair)
{
    struct reads r = {0};
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            nir_intrinsic_instr *intr =
                instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
            if (intr && (intr->intrinsic == nir_intrinsic_load_input ||
                         intr->intrinsic == nir_intrinsic_load_per_vertex_input))
                note_input(&r, nir, &data->input_map, intr);
        }
    }
    unsigned length = MIN2(r.end - r.first, dev->grf_count * 3 / 8 / (num * per_pair));
    data->urb_read_offset = length ? (uint8_t)MIN2(r.first, 63) : 0;
    data->urb_read_length = r.first > 63 ? 0 : (uint8_t)length;
    return r.pulled || data->urb_read_offset + data->urb_read_length < r.end;
}

/* --- prog_data --- */

unsigned i965_gs_handle_registers(const struct i965_prog_data *data)
{
    if (!data->gs.include_vertex_handles)
        return 0;
    return data->gs.invocations > 1 ? DIV_ROUND_UP(data->gs.vertices_in, 8u) : data->gs.vertices_in;
}

static bool fits(unsigned bytes, void *mem_ctx, const char **error)
{
    if (bytes <= MAX_ENTRY)
        return true;
    *error = talloc_asprintf(mem_ctx, "%u bytes of a URB entry, of %u that it can have", bytes,
                             MAX_ENTRY);
    return false;
}

/* Examines the stores to the head of the entry (i965_lower_geometry): whether the number of
 * vertices is constant, and whether there is control data. */
static void gather_head(const nir_shader *nir, struct i965_prog_data *data)
{
    bool control = false;
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            const nir_intrinsic_instr *intr =
                instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
            if (!intr || intr->intrinsic != nir_intrinsic_store_output)
                continue;
            if (nir_intrinsic_base(intr)) {
                control = true;
            } else if (nir_src_is_const(intr->src[0])) {
                data->gs.static_vertex_count = (uint16_t)nir_src_as_uint(intr->src[0]);
                data->gs.static_output = data->gs.static_vertex_count > 0;
            }
        }
    }
    if (control)
        data->gs.control_data_format =
            nir->info.gs.active_stream_mask & ~1u ? I965_CONTROL_STREAM : I965_CONTROL_CUT;
}

static bool uses(const nir_shader *nir, nir_intrinsic_op op)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type == nir_instr_type_intrinsic &&
                nir_instr_as_intrinsic(instr)->intrinsic == op)
                return true;
        }
    }
    return false;
}

static bool fill_geometry(const nir_shader *nir, const struct i965_device *dev,
                          struct i965_prog_data *data, void *mem_ctx, const char **error)
{
    const nir_shader_info *info = &nir->info;
    i965_fill_vue_map(info->outputs_written, &data->vue_map);
    data->gs.vertices_in = (uint8_t)MIN2(MAX2(info->gs.vertices_in, 1), 6);
    data->gs.vertices_out = info->gs.vertices_out;
    data->gs.invocations = (uint8_t)MIN2(MAX2(info->gs.invocations, 1), 32);
    data->gs.input_primitive = info->gs.input_primitive;
    data->gs.output_primitive = info->gs.output_primitive;
    gather_head(nir, data);
    data->gs.output_vertex_size = (uint8_t)DIV_ROUND_UP(data->vue_map.num_slots, 2);
    data->gs.control_data_header_size =
        (uint8_t)DIV_ROUND_UP(info->gs.vertices_out * data->gs.control_data_format, 256u);
    data->gs.include_primitive_id = uses(nir, nir_intrinsic_load_primitive_id);
    if (data->gs.invocations > 1)
        data->gs.include_vertex_handles = uses(nir, nir_intrinsic_load_per_vertex_input);
    else
        data->gs.include_vertex_handles = choose_pushed(nir, dev, data, data->gs.vertices_in, 8);
    unsigned units = !data->gs.static_output + data->gs.control_data_header_size +
                     info->gs.vertices_out * data->gs.output_vertex_size;
    data->gs.urb_entry_size = (uint16_t)DIV_ROUND_UP(units, 2);
    if (data->vue_map.num_slots > MAX_OUTPUT_VERTEX ||
        data->gs.control_data_header_size > MAX_CONTROL_HEADER) {
        *error = "a vertex that the geometry shader emits is too large";
        return false;
    }
    return fits(units * 32, mem_ctx, error);
}

static bool fill_tess_control(const nir_shader *nir, const struct i965_key *key,
                              struct i965_prog_data *data, void *mem_ctx, const char **error)
{
    const nir_shader_info *info = &nir->info;
    fill_patch_map(info->outputs_written | info->outputs_read | key->outputs_read,
                   info->patch_outputs_written | key->patch_outputs_read, &data->vue_map);
    data->tcs.vertices_out = info->tess.vertices_out;
    data->tcs.instances = (uint8_t)DIV_ROUND_UP(MAX2(info->tess.vertices_out, 1), 8);
    data->tcs.uses_patch_vertices = uses(nir, nir_intrinsic_load_patch_vertices_in);
    data->tcs.uses_barrier = data->tcs.instances > 1 && uses(nir, nir_intrinsic_barrier);
    unsigned slots =
        data->vue_map.num_patch_slots + info->tess.vertices_out * (unsigned)data->vue_map.num_slots;
    data->tcs.urb_entry_size = (uint16_t)DIV_ROUND_UP(slots, 4);
    return fits(slots * 16, mem_ctx, error);
}

static void fill_tess_eval(const nir_shader *nir, const struct i965_device *dev,
                           struct i965_prog_data *data)
{
    const nir_shader_info *info = &nir->info;
    i965_fill_vue_map(info->outputs_written, &data->vue_map);
    data->tes.primitive = info->tess.primitive_mode;
    data->tes.spacing = info->tess.spacing;
    data->tes.ccw = info->tess.ccw;
    data->tes.point_mode = info->tess.point_mode;
    data->tes.uses_patch_vertices = uses(nir, nir_intrinsic_load_patch_vertices_in);
    data->tes.urb_entry_size = (uint8_t)DIV_ROUND_UP(data->vue_map.num_slots, 4);
    choose_pushed(nir, dev, data, 1, 1);
}

bool i965_fill_urb_data(const nir_shader *nir, const struct i965_device *dev,
                        const struct i965_key *key, struct i965_prog_data *data, void *mem_ctx,
                        const char **error)
{
    uint64_t read = nir->info.inputs_read | key->inputs_written;
    switch (nir->info.stage) {
    case SHADER_GEOMETRY:
        i965_fill_vue_map(read, &data->input_map);
        return fill_geometry(nir, dev, data, mem_ctx, error);
    case SHADER_TESS_CTRL:
        i965_fill_vue_map(read, &data->input_map);
        return fill_tess_control(nir, key, data, mem_ctx, error);
    default:
        fill_patch_map(read, nir->info.patch_inputs_read | key->patch_inputs_written,
                       &data->input_map);
        fill_tess_eval(nir, dev, data);
        return true;
    }
}
