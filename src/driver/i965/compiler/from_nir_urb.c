/* SPDX-License-Identifier: MIT */
/*
 * Inputs and outputs that stages exchange in the URB (Skylake PRM, volume 7, "Unified Return
 * Buffer": SIMD8 read and write), and the payloads of geometry and tessellation threads. i965_abi.h
 * describes the interface, struct i965_vue_map the layout of entries.
 */
#include "from_nir.h"

#include <string.h>

#include "indium/driver.h"

#include "util/check.h"

/* Fields of the message descriptor. The offset is in slots. */
enum {
    URB_SIMD8_WRITE = 7,
    URB_SIMD8_READ = 8,
    URB_OFFSET_SHIFT = 4,
    URB_CHANNEL_MASK = 1 << 15,
    URB_PER_SLOT_OFFSET = 1 << 17,
};
/* MAX_OFFSET: largest offset in the descriptor, in slots. TESS_HANDLES: vertices of an input
 * patch. */
enum { MAX_OFFSET = 2047, MASK_SHIFT = 16, TESS_HANDLES = 32 };

static struct lir_inst *for_all(struct lir_inst *inst)
{
    inst->no_mask = true;
    inst->group = 0;
    return inst;
}

/* --- Messages --- */

/* A URB location: a register with handles, a per-channel slot offset (LIR_BAD if none), and a
 * constant slot offset. */
struct place {
    struct lir_reg handles, offsets;
    unsigned slot;
};

/* Returns the descriptor bits. Adds the part of the offset that the descriptor cannot hold to the
 * per-channel offset. */
static uint32_t place_bits(struct from_nir *c, struct place *at)
{
    if (at->slot > MAX_OFFSET) {
        at->offsets = at->offsets.file == LIR_BAD ? lir_imm_ud(at->slot)
                                                  : i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD,
                                                             at->offsets, lir_imm_ud(at->slot));
        at->slot = 0;
    }
    return at->slot << URB_OFFSET_SHIFT |
           (at->offsets.file == LIR_BAD ? 0 : (uint32_t)URB_PER_SLOT_OFFSET);
}

/* Writes n dwords; those that are LIR_BAD have undefined values. mask has one bit per dword,
 * starting at MASK_SHIFT, for each channel; if it is LIR_BAD, all dwords are written. */
static struct lir_inst *write(struct from_nir *c, struct place at, struct lir_reg mask,
                              const struct lir_reg *dwords, unsigned n)
{
    struct lir_reg parts[2 + 8];
    unsigned count = 0;
    uint32_t desc = URB_SIMD8_WRITE | place_bits(c, &at);
    if (at.offsets.file != LIR_BAD)
        NEXT_OF(parts, count) = at.offsets;
    if (mask.file != LIR_BAD) {
        desc |= URB_CHANNEL_MASK;
        NEXT_OF(parts, count) = mask;
    }
    memcpy(&parts[count], dwords, n * sizeof *dwords);
    count += n;
    struct lir_inst *inst = i965_send(c, EU_SFID_URB, desc, lir_null(EU_TYPE_UD), 0, at.handles, 1,
                                      i965_payload(c, parts, count), count);
    inst->header = true;
    return inst;
}

/* Writes the dwords in mask (of at most eight, starting at the location) with one message. */
static void write_masked(struct from_nir *c, struct place at, const struct lir_reg *dwords,
                         unsigned mask)
{
    while (mask && !(mask & 0xf)) { /* Skip the first slot if nothing is written there. */
        mask >>= 4;
        dwords += 4;
        at.slot++;
    }
    if (!mask)
        return;
    unsigned n = 32 - (unsigned)__builtin_clz(mask);
    bool all = mask == (1u << n) - 1;
    write(c, at, all ? lir_bad() : lir_imm_ud(mask << MASK_SHIFT), dwords, n);
}

/* Reads n dwords, the first of which is `component` of the location's slot. */
static void read_dwords(struct from_nir *c, struct place at, unsigned component, unsigned n,
                        bool changes, struct lir_reg *dwords)
{
    at.slot += component / 4;
    component %= 4;
    for (unsigned done = 0; done < n;) {
        struct place here = at;
        unsigned count = MIN2(n - done, 8 - component), rlen = component + count;
        uint32_t desc = URB_SIMD8_READ | place_bits(c, &here);
        struct lir_reg dst = lir_temp(c->p, 8, rlen, EU_TYPE_UD), payload2 = lir_bad();
        if (here.offsets.file != LIR_BAD)
            payload2 = i965_payload(c, &here.offsets, 1);
        struct lir_inst *inst = i965_send(c, EU_SFID_URB, desc, dst, rlen, here.handles, 1,
                                          payload2, payload2.file == LIR_BAD ? 0 : 1);
        inst->header = true;
        inst->side_effects = changes;
        for (unsigned i = 0; i < count; i++)
            dwords[done + i] = lir_component(dst, 8, component + i);
        done += count;
        at.slot += 2;
        component = 0;
    }
}

/* Returns the last instruction if it writes to the URB, otherwise NULL. */
static struct lir_inst *last_write(const struct from_nir *c)
{
    struct lir_inst *last =
        list_is_empty(&c->p->insts) ? NULL : list_last_entry(&c->p->insts, struct lir_inst, node);
    return last && lir_is_send(last) && last->sfid == EU_SFID_URB && !last->rlen ? last : NULL;
}

/* Ends the thread: with the last write if nothing follows it, otherwise with an empty one. The
 * payload must be at the end of the register file. */
static void end_with_write(struct from_nir *c, struct lir_reg handles)
{
    struct lir_inst *last = last_write(c);
    if (!last) {
        struct lir_reg zero = lir_imm_ud(0);
        last = write(c, (struct place){handles, lir_bad(), 0}, zero, &zero, 1);
    }
    struct lir_reg copy = lir_vgrf(c->p, 1, EU_TYPE_UD);
    struct lir_inst *move =
        lir_inst_create(c->p, EU_OPCODE_MOV, 8, copy, last->src[0], lir_bad(), lir_bad());
    move->no_mask = true;
    move->comment = last->comment;
    list_addtail(&move->node, &last->node);
    last->src[0] = copy;
    last->eot = true;
}

/* --- Vertex entries of vertex and tessellation evaluation shaders --- */

static void vue_slot(struct from_nir *c, unsigned slot, struct lir_reg parts[4])
{
    if (slot == 0) {
        static const uint8_t header[4] = {0, VARYING_SLOT_LAYER, VARYING_SLOT_VIEWPORT,
                                          VARYING_SLOT_PSIZ};
        parts[0] = lir_imm_ud(0);
        for (unsigned i = 1; i < 4; i++) {
            parts[i] = c->outputs[header[i]][0];
            if (parts[i].file == LIR_BAD)
                parts[i] = lir_imm_ud(0);
        }
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        parts[i] = lir_bad();
    for (unsigned v = 0; v < VARYING_SLOT_COUNT; v++) {
        bool in_header =
            v == VARYING_SLOT_LAYER || v == VARYING_SLOT_VIEWPORT || v == VARYING_SLOT_PSIZ;
        if (c->data->vue_map.slot[v] != (int)slot || in_header)
            continue;
        memcpy(parts, c->outputs[v], 4 * sizeof *parts);
        return;
    }
}

void i965_end_vertices(struct from_nir *c)
{
    const struct i965_vue_map *map = &c->data->vue_map;
    struct lir_reg handles = lir_grf(c->return_grf, EU_TYPE_UD);
    bool header = map->slot[VARYING_SLOT_PSIZ] == 0 || map->slot[VARYING_SLOT_LAYER] == 0 ||
                  map->slot[VARYING_SLOT_VIEWPORT] == 0;
    for (unsigned slot = header ? 0 : 1; slot < map->num_slots; slot += 2) {
        struct lir_reg parts[8];
        unsigned n = MIN2(map->num_slots - slot, 2u);
        for (unsigned i = 0; i < n; i++)
            vue_slot(c, slot + i, &parts[4 * i]);
        write(c, (struct place){handles, lir_bad(), slot}, lir_bad(), parts, 4 * n);
    }
    end_with_write(c, handles);
}

/* The entry of a vertex contains its inputs until the shader writes the outputs. */
void i965_read_vertex(struct from_nir *c, unsigned first, unsigned n, struct lir_reg *dwords)
{
    struct place at = {lir_grf(c->return_grf, EU_TYPE_UD), lir_bad(), first / 4};
    read_dwords(c, at, first % 4, n, true, dwords);
}

/* --- Payloads --- */

unsigned i965_setup_geometry(struct from_nir *c)
{
    const struct i965_prog_data *data = c->data;
    c->return_grf = 1;
    c->primitive_grf = 2;
    c->handles_grf = c->primitive_grf + data->gs.include_primitive_id;
    unsigned handles = i965_gs_handle_registers(data);
    c->push_grf = c->handles_grf + handles;
    c->input_grf = c->push_grf + data->curb_read_length;
    return c->input_grf + 8u * data->urb_read_length * data->gs.vertices_in;
}

unsigned i965_setup_tess_control(struct from_nir *c)
{
    c->handles_grf = 1;
    c->push_grf = c->handles_grf + TESS_HANDLES / 8;
    c->thread_index_grf = c->push_grf + c->data->curb_read_length;
    return c->thread_index_grf + c->data->tcs.uses_patch_vertices;
}

unsigned i965_setup_tess_eval(struct from_nir *c)
{
    c->return_grf = 4;
    c->push_grf = 5;
    c->thread_index_grf = c->push_grf + c->data->curb_read_length;
    c->input_grf = c->thread_index_grf + c->data->tes.uses_patch_vertices;
    return c->input_grf + c->data->urb_read_length;
}

/* Returns the invocation index of each channel in a tessellation control thread. */
static struct lir_reg patch_invocation(struct from_nir *c)
{
    struct lir_reg lane = i965_mov(c, EU_TYPE_UD, i965_lanes(c));
    if (c->data->tcs.instances == 1)
        return lane;
    struct lir_reg thread = i965_alu(c, EU_OPCODE_SHR, EU_TYPE_UD, lir_grf_scalar(0, 8, EU_TYPE_UD),
                                     lir_imm_ud(17 - 3));
    thread = i965_alu(c, EU_OPCODE_AND, EU_TYPE_UD, thread, lir_imm_ud(0x7f << 3));
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, thread, lane);
}

/* Returns whether all channels belong to one patch or primitive. The handles of its vertices are
 * then consecutive dwords. */
static bool shares_vertices(const struct from_nir *c)
{
    return c->p->stage == SHADER_TESS_CTRL || c->data->gs.invocations > 1;
}

/* Returns whether channels of tessellation control threads have no invocation. All channels are
 * enabled at the start. */
static bool has_spare_channels(const struct from_nir *c)
{
    return c->p->stage == SHADER_TESS_CTRL && c->data->tcs.vertices_out % 8;
}

/* Sets the flag of the channels that have an invocation. */
static void find_invocations(struct from_nir *c)
{
    unsigned count = c->data->tcs.vertices_out;
    if (c->data->tcs.instances > 1) {
        i965_cmp(c, lir_null(EU_TYPE_UD), patch_invocation(c), lir_imm_ud(count), EU_CMOD_L);
        return;
    }
    struct lir_inst *inst = i965_emit1(c, EU_OPCODE_MOV, lir_arf(EU_ARF_FLAG, EU_TYPE_UW),
                                       lir_imm((1u << count) - 1, EU_TYPE_UW));
    for_all(inst)->exec_size = 1;
}

/* Dead-code elimination removes unused values. */
void i965_start_urb(struct from_nir *c)
{
    bool patch = c->p->stage != SHADER_GEOMETRY;
    if (patch) {
        c->patch_handle = lir_vgrf(c->p, 1, EU_TYPE_UD);
        for_all(i965_emit1(c, EU_OPCODE_MOV, c->patch_handle, lir_grf_scalar(0, 0, EU_TYPE_UD)));
    }
    if (has_spare_channels(c)) {
        find_invocations(c);
        i965_emit(c, EU_OPCODE_IF, lir_bad(), lir_bad(), lir_bad(), lir_bad())->predicate =
            EU_PREDICATE_NORMAL;
    }
}

/* --- Inputs --- */

/* An access to an input or output in an entry. */
struct access {
    const struct i965_vue_map *map;
    const nir_src *vertex, *offset; /* Indirect indices. vertex is NULL for per-patch variables. */
    unsigned slot, component;       /* Relative to the VUE map. */
    bool level;                     /* Tessellation level. */
};

static bool is_level(unsigned location)
{
    return location == VARYING_SLOT_TESS_LEVEL_OUTER || location == VARYING_SLOT_TESS_LEVEL_INNER;
}

static struct access describe(struct from_nir *c, const nir_intrinsic_instr *intr,
                              const struct i965_vue_map *map, const nir_src *vertex,
                              const nir_src *offset)
{
    unsigned location = nir_intrinsic_io_semantics(intr).location;
    struct access a = {
        .map = map,
        .vertex = vertex,
        .offset = offset,
        .component = nir_intrinsic_component(intr),
        .level = !vertex && is_level(location),
    };
    int slot = location < VARYING_SLOT_COUNT ? map->slot[location] : -1;
    if (slot < 0 && !a.level)
        lir_fail(c->p, "an input or output has no place");
    a.slot = (unsigned)MAX2(slot, 0);
    if (location == VARYING_SLOT_PSIZ)
        a.component = 3;
    else if (location == VARYING_SLOT_LAYER)
        a.component = 1;
    else if (location == VARYING_SLOT_VIEWPORT)
        a.component = 2;
    return a;
}

unsigned i965_level_dword(unsigned location, unsigned level, unsigned primitive)
{
    bool inner = location == VARYING_SLOT_TESS_LEVEL_INNER;
    switch (primitive) {
    case nir_tess_primitive_triangles:
        if (inner)
            return level ? 0 : 4;
        return level < 3 ? 7 - level : 1;
    case nir_tess_primitive_isolines:
        if (inner)
            return MIN2(level, 1);
        return level < 2 ? 6 + level : MIN2(level, 3);
    default:
        return inner ? 3 - MIN2(level, 1) : 7 - MIN2(level, 3);
    }
}

static bool is_invocation_id(nir_src src)
{
    const nir_instr *instr = src.ssa->parent_instr;
    return instr->type == nir_instr_type_intrinsic &&
           nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic ==
               nir_intrinsic_load_invocation_id;
}

/* Returns each channel's handle of the input vertex with that index. */
static struct lir_reg vertex_handle(struct from_nir *c, nir_src vertex)
{
    bool shared = shares_vertices(c);
    unsigned count = c->p->stage == SHADER_TESS_CTRL ? TESS_HANDLES : c->data->gs.vertices_in;
    if (nir_src_is_const(vertex)) {
        unsigned v = (unsigned)MIN2(nir_src_as_uint(vertex), count - 1u);
        if (!shared)
            return lir_grf(c->handles_grf + v, EU_TYPE_UD);
        struct lir_reg handle = lir_vgrf(c->p, 1, EU_TYPE_UD);
        for_all(i965_emit1(c, EU_OPCODE_MOV, handle,
                           lir_grf_scalar(c->handles_grf + v / 8, v % 8 * 4, EU_TYPE_UD)));
        return handle;
    }
    if (c->p->stage == SHADER_TESS_CTRL && c->data->tcs.instances == 1 && is_invocation_id(vertex))
        return lir_grf(c->handles_grf, EU_TYPE_UD);
    struct lir_reg index = i965_without_modifiers(c, i965_src_as(c, vertex, 0, EU_TYPE_UD));
    if (!shared) { /* One register per vertex. */
        index = i965_alu(c, EU_OPCODE_SHL, EU_TYPE_UD, index, lir_imm_ud(3));
        index = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, index, i965_lanes(c));
    }
    if (!index.stride)
        index = i965_mov(c, EU_TYPE_UD, index);
    struct lir_reg handle = lir_vgrf(c->p, 1, EU_TYPE_UD);
    unsigned registers =
        c->p->stage == SHADER_TESS_CTRL ? TESS_HANDLES / 8 : i965_gs_handle_registers(c->data);
    i965_emit2(c, LIR_OP_GATHER, handle, lir_grf(c->handles_grf, EU_TYPE_UD),
               lir_retype(index, EU_TYPE_UD))
        ->rlen = (uint8_t)util_next_power_of_two(registers);
    return handle;
}

static struct lir_reg sum(struct from_nir *c, struct lir_reg a, struct lir_reg b)
{
    if (a.file == LIR_BAD)
        return b;
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, a, b);
}

/* Returns src · n slots for each channel. */
static struct lir_reg times(struct from_nir *c, nir_src src, unsigned n)
{
    struct lir_reg value = i965_without_modifiers(c, i965_src_as(c, src, 0, EU_TYPE_UD));
    if (n == 1)
        return value;
    if (!(n & (n - 1)))
        return i965_alu(c, EU_OPCODE_SHL, EU_TYPE_UD, value,
                        lir_imm_ud((unsigned)__builtin_ctz(n)));
    return i965_alu(c, EU_OPCODE_MUL, EU_TYPE_UD, value, lir_imm(n, EU_TYPE_UW));
}

/* Returns a location in the patch's entry: the patch slots precede those of the vertices. */
static struct place place_in_patch(struct from_nir *c, const struct access *a)
{
    struct place at = {c->patch_handle, lir_bad(), a->slot};
    if (a->vertex) {
        at.slot += a->map->num_patch_slots;
        if (nir_src_is_const(*a->vertex))
            at.slot += (unsigned)nir_src_as_uint(*a->vertex) * a->map->num_slots;
        else
            at.offsets = times(c, *a->vertex, a->map->num_slots);
    }
    if (nir_src_is_const(*a->offset))
        at.slot += (unsigned)nir_src_as_uint(*a->offset);
    else
        at.offsets = sum(c, at.offsets, times(c, *a->offset, 1));
    return at;
}

/* Returns whether the slot within the entry is constant, and which. */
static bool constant_slot(const struct access *a, unsigned *slot)
{
    if (!nir_src_is_const(*a->offset) || (a->vertex && !nir_src_is_const(*a->vertex)))
        return false;
    *slot = a->slot + (unsigned)nir_src_as_uint(*a->offset);
    return true;
}

/* Returns a dword of the payload, or LIR_BAD if it is not there. slot counts within the vertex's or
 * patch's entry. */
static struct lir_reg pushed_dword(struct from_nir *c, const struct access *a, unsigned slot,
                                   unsigned component)
{
    unsigned first = c->data->urb_read_offset * 2u, count = c->data->urb_read_length * 2u;
    unsigned vertex = a->vertex ? (unsigned)nir_src_as_uint(*a->vertex) : 0;
    slot += component / 4;
    component %= 4;
    if (c->p->stage == SHADER_TESS_EVAL && a->vertex)
        slot += a->map->num_patch_slots + vertex * a->map->num_slots;
    if (slot < first || slot >= first + count)
        return lir_bad();
    slot -= first;
    if (c->p->stage == SHADER_TESS_EVAL)
        return lir_grf_scalar(c->input_grf + slot / 2, (slot % 2 * 4 + component) * 4, EU_TYPE_UD);
    if (vertex >= c->data->gs.vertices_in)
        return lir_bad();
    return lir_grf(c->input_grf + (vertex * count + slot) * 4 + component, EU_TYPE_UD);
}

/* Loads n dwords from the payload if it contains all of them; otherwise returns false. */
static bool load_pushed(struct from_nir *c, const struct access *a, unsigned n,
                        struct lir_reg *dwords)
{
    unsigned slot;
    if (c->p->stage == SHADER_TESS_CTRL || !constant_slot(a, &slot))
        return false;
    for (unsigned i = 0; i < n; i++) {
        dwords[i] = pushed_dword(c, a, slot, a->component + i);
        if (dwords[i].file == LIR_BAD)
            return false;
    }
    return true;
}

static void load_from_vertex(struct from_nir *c, const struct access *a, unsigned n,
                             struct lir_reg *dwords)
{
    struct place at = {vertex_handle(c, *a->vertex), lir_bad(), a->slot};
    if (nir_src_is_const(*a->offset))
        at.slot += (unsigned)nir_src_as_uint(*a->offset);
    else
        at.offsets = times(c, *a->offset, 1);
    read_dwords(c, at, a->component, n, false, dwords);
}

static unsigned tess_primitive(const struct from_nir *c)
{
    return c->p->stage == SHADER_TESS_EVAL ? c->data->tes.primitive : c->key->tess_primitive;
}

/* Returns the dword of component i of an access to the tessellation levels. The inner levels follow
 * the four outer ones if i965_join_urb() has merged accesses to both. */
static unsigned level_dword(const struct from_nir *c, const nir_intrinsic_instr *intr, unsigned i)
{
    unsigned location = nir_intrinsic_io_semantics(intr).location;
    if (i >= 4) {
        assert(location == VARYING_SLOT_TESS_LEVEL_OUTER);
        location = VARYING_SLOT_TESS_LEVEL_INNER;
    }
    return i965_level_dword(location, i % 4, tess_primitive(c));
}

static void load_levels(struct from_nir *c, const nir_intrinsic_instr *intr, struct access a,
                        bool changes, struct lir_reg *dwords)
{
    unsigned first = a.component;
    struct lir_reg all[8];
    bool read = false;
    for (unsigned i = 0; i < intr->def.num_components; i++) {
        unsigned at = level_dword(c, intr, first + i);
        dwords[i] = lir_bad();
        if (c->p->stage == SHADER_TESS_EVAL)
            dwords[i] = pushed_dword(c, &a, at / 4, at % 4);
        if (dwords[i].file != LIR_BAD)
            continue;
        if (!read)
            read_dwords(c, (struct place){c->patch_handle, lir_bad(), 0}, 0, 8, changes, all);
        read = true;
        dwords[i] = all[at];
    }
}

static unsigned dwords_of(struct from_nir *c, const nir_def *def)
{
    return def->num_components * i965_dwords_of(c, def);
}

/* Returns the number of dwords to read. Accesses that i965_join_urb() has merged may need less than
 * two slots. */
static unsigned dwords_read(struct from_nir *c, const nir_def *def)
{
    if (def->num_components <= 4)
        return dwords_of(c, def);
    return 32 - (unsigned)__builtin_clz((unsigned)nir_def_components_read(def) | 1);
}

static void load_input(struct from_nir *c, nir_intrinsic_instr *intr)
{
    bool per_vertex = intr->intrinsic == nir_intrinsic_load_per_vertex_input;
    struct access a = describe(c, intr, &c->data->input_map, per_vertex ? &intr->src[0] : NULL,
                               &intr->src[per_vertex]);
    struct lir_reg *value = i965_new_value(c, &intr->def), dwords[I965_MAX_DWORDS];
    unsigned all = dwords_of(c, &intr->def), n = dwords_read(c, &intr->def);
    for (unsigned i = n; i < all; i++)
        dwords[i] = lir_imm_ud(0);
    if (a.level)
        load_levels(c, intr, a, false, dwords);
    else if (load_pushed(c, &a, n, dwords))
        ;
    else if (c->p->stage == SHADER_TESS_EVAL)
        read_dwords(c, place_in_patch(c, &a), a.component, n, false, dwords);
    else
        load_from_vertex(c, &a, n, dwords);
    if (n)
        i965_from_dwords(c, &intr->def, dwords, value);
}

/* --- Outputs of tessellation control, which other invocations may read --- */

static struct access describe_output(struct from_nir *c, const nir_intrinsic_instr *intr,
                                     bool per_vertex, unsigned first)
{
    return describe(c, intr, &c->data->vue_map, per_vertex ? &intr->src[first] : NULL,
                    &intr->src[first + per_vertex]);
}

static void load_patch_output(struct from_nir *c, nir_intrinsic_instr *intr)
{
    bool per_vertex = intr->intrinsic == nir_intrinsic_load_per_vertex_output;
    struct access a = describe_output(c, intr, per_vertex, 0);
    struct lir_reg *value = i965_new_value(c, &intr->def), dwords[I965_MAX_DWORDS];
    unsigned all = dwords_of(c, &intr->def), n = dwords_read(c, &intr->def);
    for (unsigned i = n; i < all; i++)
        dwords[i] = lir_imm_ud(0);
    if (a.level)
        load_levels(c, intr, a, true, dwords);
    else
        read_dwords(c, place_in_patch(c, &a), a.component, n, true, dwords);
    if (n)
        i965_from_dwords(c, &intr->def, dwords, value);
}

/* Returns dword i of a value. */
static struct lir_reg stored_dword(struct from_nir *c, nir_src src, unsigned per, unsigned i)
{
    struct lir_reg r = i965_src(c, src, i / per);
    return per == 2 ? i965_unpack_64(c, r, i % 2) : r;
}

static void store_patch_output(struct from_nir *c, nir_intrinsic_instr *intr)
{
    bool per_vertex = intr->intrinsic == nir_intrinsic_store_per_vertex_output;
    struct access a = describe_output(c, intr, per_vertex, 1);
    unsigned per = i965_dwords_of(c, intr->src[0].ssa), mask = 0;
    unsigned n = intr->src[0].ssa->num_components * per;
    struct lir_reg dwords[I965_MAX_DWORDS + 8];
    for (unsigned i = 0; i < ARRAY_SIZE(dwords); i++)
        dwords[i] = lir_bad();
    for (unsigned i = 0; i < n; i++) {
        if (!(nir_intrinsic_write_mask(intr) >> i / per & 1))
            continue;
        unsigned at = a.component + i;
        if (a.level)
            at = level_dword(c, intr, at);
        dwords[at] = stored_dword(c, intr->src[0], per, i);
        mask |= 1u << at;
    }
    struct place at =
        a.level ? (struct place){c->patch_handle, lir_bad(), 0} : place_in_patch(c, &a);
    for (unsigned i = 0; mask >> i; i += 8, at.slot += 2)
        write_masked(c, at, &dwords[i], mask >> i & 0xff);
}

/* --- Outputs of geometry shaders, after i965_lower_geometry --- */

/* Returns the number of slots before the control data, which hold the vertex count. */
static unsigned count_slots(const struct from_nir *c)
{
    return c->data->gs.static_output ? 0 : 2;
}

static void store_vertex(struct from_nir *c, nir_intrinsic_instr *intr)
{
    unsigned size = c->data->gs.output_vertex_size * 2u, n = intr->src[0].ssa->num_components;
    struct place at = {lir_grf(c->return_grf, EU_TYPE_UD), lir_bad(),
                       count_slots(c) + c->data->gs.control_data_header_size * 2u +
                           nir_intrinsic_base(intr)};
    struct lir_reg dwords[8];
    unsigned mask = nir_intrinsic_write_mask(intr);
    for (unsigned i = 0; i < 8; i++)
        dwords[i] = i < n && mask >> i & 1 ? i965_src(c, intr->src[0], i) : lir_bad();
    if (nir_src_is_const(intr->src[1]))
        at.slot += (unsigned)nir_src_as_uint(intr->src[1]) * size;
    else
        at.offsets = times(c, intr->src[1], size);
    /* Whole slots are written: components that the shader does not write are undefined. */
    if (!(mask & 0xf))
        write_masked(c, at, dwords, 0xf0);
    else
        write_masked(c, at, dwords, mask & 0xf0 ? 0xff : 0xf);
}

/* Stores a dword of the control data. */
static void store_control(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct place at = {lir_grf(c->return_grf, EU_TYPE_UD), lir_bad(), count_slots(c)};
    struct lir_reg bits = i965_src(c, intr->src[0], 0), dwords[4], mask;
    for (unsigned i = 0; i < 4; i++)
        dwords[i] = bits;
    if (nir_src_is_const(intr->src[1])) {
        unsigned dword = (unsigned)nir_src_as_uint(intr->src[1]);
        at.slot += dword / 4;
        write_masked(c, at, dwords, 1u << dword % 4);
        return;
    }
    struct lir_reg dword = i965_src_as(c, intr->src[1], 0, EU_TYPE_UD);
    at.offsets = i965_alu(c, EU_OPCODE_SHR, EU_TYPE_UD, dword, lir_imm_ud(2));
    mask = i965_alu(c, EU_OPCODE_AND, EU_TYPE_UD, dword, lir_imm_ud(3));
    mask = i965_alu(c, EU_OPCODE_SHL, EU_TYPE_UD, lir_imm_ud(1u << MASK_SHIFT), mask);
    write(c, at, mask, dwords, 4);
}

static void store_head(struct from_nir *c, nir_intrinsic_instr *intr)
{
    if (nir_intrinsic_base(intr)) {
        store_control(c, intr);
    } else if (!c->data->gs.static_output) {
        struct lir_reg count = i965_src(c, intr->src[0], 0);
        write(c, (struct place){lir_grf(c->return_grf, EU_TYPE_UD), lir_bad(), 0}, lir_bad(),
              &count, 1);
    }
}

/* --- Intrinsics --- */

static bool load_value(struct from_nir *c, nir_intrinsic_instr *intr, struct lir_reg *value)
{
    bool geometry = c->p->stage == SHADER_GEOMETRY;
    switch (intr->intrinsic) {
    case nir_intrinsic_load_primitive_id:
        value[0] =
            geometry ? lir_grf(c->primitive_grf, EU_TYPE_UD) : lir_grf_scalar(0, 4, EU_TYPE_UD);
        return true;
    case nir_intrinsic_load_invocation_id:
        value[0] = geometry ? i965_alu(c, EU_OPCODE_SHR, EU_TYPE_UD,
                                       lir_grf(c->return_grf, EU_TYPE_UD), lir_imm_ud(27))
                            : patch_invocation(c);
        return true;
    case nir_intrinsic_load_patch_vertices_in:
        value[0] = lir_grf_scalar(c->thread_index_grf, 0, EU_TYPE_UD);
        return true;
    case nir_intrinsic_load_tess_coord:
        for (unsigned i = 0; i < intr->def.num_components; i++)
            value[i] = lir_grf(1 + i, EU_TYPE_F);
        return true;
    default:
        return false;
    }
}

bool i965_from_urb(struct from_nir *c, nir_intrinsic_instr *intr)
{
    enum shader_stage stage = c->p->stage;
    struct lir_reg value[4];
    switch (intr->intrinsic) {
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_per_vertex_input:
        load_input(c, intr);
        return true;
    case nir_intrinsic_load_output:
    case nir_intrinsic_load_per_vertex_output:
        if (stage == SHADER_TESS_CTRL)
            load_patch_output(c, intr);
        return stage == SHADER_TESS_CTRL;
    case nir_intrinsic_store_output:
    case nir_intrinsic_store_per_vertex_output:
        if (stage == SHADER_TESS_CTRL)
            store_patch_output(c, intr);
        else if (intr->intrinsic == nir_intrinsic_store_output)
            store_head(c, intr);
        else
            store_vertex(c, intr);
        return true;
    default:
        if (!load_value(c, intr, value))
            return false;
        memcpy(i965_new_value(c, &intr->def), value, intr->def.num_components * sizeof *value);
        return true;
    }
}

/* Enables the channels without an invocation again. The last write moves behind this, so that it
 * can end the thread. */
static void enable_spare_channels(struct from_nir *c)
{
    struct lir_inst *last = last_write(c);
    if (last)
        list_del(&last->node);
    i965_emit(c, EU_OPCODE_ENDIF, lir_bad(), lir_bad(), lir_bad(), lir_bad());
    if (!last)
        return;
    find_invocations(c);
    last->predicate = EU_PREDICATE_NORMAL;
    list_addtail(&last->node, &c->p->insts);
}

void i965_end_urb(struct from_nir *c)
{
    if (has_spare_channels(c))
        enable_spare_channels(c);
    end_with_write(c, c->p->stage == SHADER_GEOMETRY ? lir_grf(c->return_grf, EU_TYPE_UD)
                                                     : c->patch_handle);
}
