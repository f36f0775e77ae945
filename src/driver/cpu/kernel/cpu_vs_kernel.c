/* SPDX-License-Identifier: MIT */
/*
 * The vertex kernel: fetches attributes of a batch of vertices, runs the application's shader,
 * stores outputs, and finishes vertices (cpu_nir_vertex.h), one vector at a time. If most triangles
 * are culled, two kernels replace it: one computes positions, the other computes the remaining
 * outputs of the vertices that are still needed.
 */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_format.h"
#include "driver/cpu/kernel/cpu_nir_io.h"
#include "driver/cpu/kernel/cpu_nir_vertex.h"
#include "util/format.h"

struct vs_builder {
    struct cpu_kernel_builder kb;
    const struct cpu_vs_key *key;
    nir_def *index;    /* per lane: index of the vertex to fetch */
    nir_def *instance; /* per lane, or uniform */
    nir_def *first;    /* index of the vector's first vertex in the batch */
    nir_cursor fetch;  /* where fetches are inserted: after their operands, before the body */
    nir_def *attrib[2][VERT_ATTRIB_COUNT][4]; /* [0]: as 32 bits, [1]: as 64 bits */
    struct cpu_outputs outputs;
};

static nir_def *vs_arg(struct vs_builder *vs, unsigned offset, unsigned components, unsigned bits)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(&vs->kb);
    nir_def *def = cpu_load_const(&vs->kb.b, components, bits, vs->kb.args, offset);
    cpu_kernel_leave_prologue(&vs->kb, saved);
    return def;
}
#define VS_ARG(vs, field, bits) vs_arg(vs, offsetof(struct cpu_vs_args, field), 1, bits)

/* ------------------------------------------------------------------------------------ fetch --- */

/* Returns the default of a component, for vertices that can't be read. */
static nir_def *missing_component(nir_builder *b, unsigned component, bool integer, bool wide)
{
    if (wide)
        return nir_imm_double(b, component == 3);
    return integer ? nir_imm_int(b, component == 3) : nir_imm_float(b, component == 3);
}

/* Fetches an attribute into vs->attrib, as 32-bit values or doubles. An index outside the buffer
 * reads vertex 0 and returns the default. A stream without readable data is replaced by the
 * kernel's arguments, which are longer than any vertex element. For far arrays, addresses are
 * computed instead of offsets, and the arguments replace vertex 0, too. */
static void fetch_attrib(struct vs_builder *vs, unsigned attrib, bool wide)
{
    nir_builder *b = &vs->kb.b;
    unsigned stream = offsetof(struct cpu_vs_args, stream) +
                      vs->key->attrib[attrib].stream * sizeof(struct cpu_vertex_stream);
    enum drv_format format = vs->key->attrib[attrib].format;
    unsigned components, size;
    nir_def **value = vs->attrib[wide][attrib];

#define STREAM(field, bits) vs_arg(vs, stream + offsetof(struct cpu_vertex_stream, field), 1, bits)
    nir_def *stride = STREAM(stride, 32), *max_index = STREAM(max_index, 32);
    nir_def *base = STREAM(base, 64), *valid = nir_ine_imm(b, STREAM(valid, 32), 0);
    nir_def *index = vs->index;
    if (vs->key->attrib[attrib].instanced && vs->key->instances_share_vectors)
        index = nir_iadd(b, VS_ARG(vs, base_instance, 32),
                         nir_udiv(b, vs->instance, STREAM(divisor, 32)));
    else if (vs->key->attrib[attrib].instanced)
        index = STREAM(divisor_index, 32);
#undef STREAM
    base = nir_bcsel(b, valid, base, vs->kb.args);
    /* Without readable data no index is inside: one comparison checks both. */
    nir_def *zero = nir_imm_int(b, 0), *none = nir_bcsel(b, valid, zero, nir_imm_int(b, -1));
    max_index = nir_bcsel(b, valid, max_index, zero);
    nir_def *inside = nir_uge(b, max_index, nir_ior(b, index, none));
    nir_def *offset = zero;
    if (vs->key->far_arrays)
        base = nir_bcsel(b, inside, nir_iadd(b, base, nir_umul_2x32_64(b, index, stride)),
                         vs->kb.args);
    else
        offset = nir_imul(b, nir_bcsel(b, inside, index, zero), stride);

    cpu_texel_shape(format, &components, &size);
    nir_def *texel = nir_load_global_constant(b, components, size, base, offset, .align_mul = 1);
    if (wide)
        cpu_nir_unpack_doubles(b, format, texel, value);
    else
        cpu_nir_unpack(b, format, texel, value);
    bool integer = util_format_is_pure_integer(format) && !wide;
    for (unsigned c = 0; c < 4; c++)
        value[c] = nir_bcsel(b, inside, value[c], missing_component(b, c, integer, wide));
}

static nir_def *find_attrib(struct vs_builder *vs, unsigned attrib, unsigned component, bool wide)
{
    nir_builder *b = &vs->kb.b;

    if (attrib >= VERT_ATTRIB_COUNT || !vs->key->attrib[attrib].format)
        return missing_component(b, component, false, wide);
    if (!vs->attrib[wide][attrib][0]) {
        nir_cursor cursor = b->cursor;
        b->cursor = vs->fetch;
        fetch_attrib(vs, attrib, wide);
        vs->fetch = b->cursor;
        b->cursor = cursor;
    }
    return vs->attrib[wide][attrib][component];
}

static nir_def *read_attrib(void *data, unsigned attrib, unsigned component)
{
    return find_attrib(data, attrib, component, false);
}

static nir_def *read_wide_attrib(void *data, unsigned attrib, unsigned component)
{
    return find_attrib(data, attrib, component, true);
}

/* A missing attribute's w is the integer 1 if the shader reads integers. */
static nir_def *load_input(struct vs_builder *vs, nir_intrinsic_instr *intr)
{
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    bool wide = intr->def.bit_size == 64;
    nir_def *value =
        cpu_select_slot(&vs->kb, intr, nir_get_io_offset_src(intr)->ssa, io.location,
                        MAX2(io.num_slots, 1), wide ? read_wide_attrib : read_attrib, vs);
    nir_alu_type type = nir_alu_type_get_base_type(nir_intrinsic_dest_type(intr));
    bool missing = io.location >= VERT_ATTRIB_COUNT || !vs->key->attrib[io.location].format;
    if (missing && !wide && (type == nir_type_int || type == nir_type_uint)) {
        nir_builder *b = &vs->kb.b;
        value = nir_b2i32(b, nir_ieq_imm(b, value, 0x3f800000));
    }
    return value;
}

/* ------------------------------------------------------------------------------------- body --- */

static nir_def *vs_value(struct vs_builder *vs, nir_intrinsic_instr *intr)
{
    nir_builder *b = &vs->kb.b;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_input:
        return load_input(vs, intr);
    case nir_intrinsic_load_vertex_id:
        return vs->index;
    case nir_intrinsic_load_vertex_id_zero_base:
        return nir_isub(b, vs->index, VS_ARG(vs, first_vertex, 32));
    case nir_intrinsic_load_instance_id:
        return vs->instance;
    case nir_intrinsic_load_base_vertex:
        return nir_iand(b, VS_ARG(vs, first_vertex, 32), VS_ARG(vs, indexed, 32));
    case nir_intrinsic_load_base_instance:
        return VS_ARG(vs, base_instance, 32);
    case nir_intrinsic_load_draw_id:
        return VS_ARG(vs, draw_id, 32);
    case nir_intrinsic_load_view_index:
        return VS_ARG(vs, view_index, 32);
    default:
        return NULL;
    }
}

static void lower_instr(void *data, nir_instr *instr)
{
    struct vs_builder *vs = data;
    nir_def *value = NULL;

    if (instr->type == nir_instr_type_intrinsic)
        value = vs_value(vs, nir_instr_as_intrinsic(instr));
    cpu_lower_common_instr(&vs->kb, &vs->outputs, instr, value);
}

/* Begins the loop over the vectors of a batch and sets vs->first. */
static struct cpu_count_loop begin_vectors(struct vs_builder *vs, enum cpu_vs_part part)
{
    nir_builder *b = &vs->kb.b;
    if (part != CPU_VS_REST)
        return cpu_begin_count_loop(b, VS_ARG(vs, count, 32), &vs->first);
    nir_def *vector = VS_ARG(vs, vector, 64), *number;
    struct cpu_count_loop loop = cpu_begin_count_loop(b, VS_ARG(vs, num_vectors, 32), &number);
    vs->first =
        nir_load_global_constant(b, 1, 32, vector, nir_ishl_imm(b, number, 2), .align_mul = 4);
    return loop;
}

static struct jit_kernel *build_vs(struct jit_engine *engine, const struct cpu_shader *shader,
                                   const struct cpu_vs_key *key, enum cpu_vs_part part,
                                   struct cpu_stage_outputs *numbers)
{
    static const uint64_t stored[] = {
        [CPU_VS_WHOLE] = ~0ull,
        [CPU_VS_POSITIONS] = CPU_POSITION_SLOTS,
        [CPU_VS_REST] = ~CPU_POSITION_SLOTS,
    };
    struct vs_builder vs = {.key = key};
    struct cpu_kernel_builder *kb = &vs.kb;
    nir_builder *b = &kb->b;

    if (!cpu_kernel_begin(kb, shader, jit_engine_lanes(engine)))
        return NULL;
    kb->units = &key->units;
    kb->state = VS_ARG(&vs, state, 64);
    nir_def *index_address = VS_ARG(&vs, index, 64), *count = VS_ARG(&vs, count, 32);

    struct cpu_count_loop loop = begin_vectors(&vs, part);
    kb->outer_loop = loop.loop;
    vs.index = nir_load_global_block(b, 1, 32, index_address, nir_ishl_imm(b, vs.first, 2),
                                     .align_mul = 4);
    vs.instance = key->instances_share_vectors
                      ? nir_load_global_block(b, 1, 32, VS_ARG(&vs, instance, 64),
                                              nir_ishl_imm(b, vs.first, 2), .align_mul = 4)
                      : VS_ARG(&vs, instance_id, 32);
    vs.fetch = nir_after_instr(key->instances_share_vectors ? vs.instance->parent_instr
                                                            : vs.index->parent_instr);
    bool masks = cpu_masks_idle_lanes(&shader->nir->info);
    if (masks) {
        nir_def *vertex = nir_iadd(b, vs.first, nir_load_subgroup_invocation(b));
        nir_push_if(b, nir_ult(b, vertex, count));
    }
    cpu_kernel_insert_body(kb, lower_instr, &vs);
    if (masks)
        nir_pop_if(b, NULL);
    const struct cpu_vertex_results results = {
        .key = &key->finish_vertices,
        .first = vs.first,
        .out = VS_ARG(&vs, out, 64),
        .window = VS_ARG(&vs, window, 64),
        .clip_code = VS_ARG(&vs, clip_code, 64),
        .viewport = VS_ARG(&vs, viewport, 64),
    };
    if (part != CPU_VS_REST)
        cpu_nir_finish_vertices(kb, &vs.outputs, &results);
    cpu_nir_store_outputs(b, &vs.outputs, stored[part], &results, numbers);
    cpu_end_count_loop(b, &loop, part == CPU_VS_REST ? 1 : kb->lanes);
    return cpu_kernel_finish(kb, engine, shader->nir->info.name ? shader->nir->info.name : "vs");
}

struct jit_kernel *cpu_build_vs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_vs_key *key, struct cpu_vs_variant *variant)
{
    return build_vs(engine, shader, key, CPU_VS_WHOLE, &variant->outputs);
}

struct jit_kernel *cpu_build_vs_part(struct jit_engine *engine, const struct cpu_shader *shader,
                                     const struct cpu_vs_key *key, enum cpu_vs_part part)
{
    struct cpu_stage_outputs numbers = {0};
    return build_vs(engine, shader, key, part, &numbers);
}
