/* SPDX-License-Identifier: MIT */
/*
 * Stage-specific translation: the payload at the start of a thread, inputs, outputs, and the
 * messages that end the thread. i965_abi.h describes the interface.
 */
#include "from_nir.h"

#include "util/check.h"

enum {
    RT_WRITE = 12 << 14,
    RT_WRITE_SIMD16 = 0 << 8,
    RT_WRITE_SIMD8_DUAL_LOW = 2 << 8,
    RT_WRITE_SIMD8_DUAL_HIGH = 3 << 8,
    RT_WRITE_SIMD8 = 4 << 8,
    RT_WRITE_LAST = 1 << 12,
    RT_READ = 13 << 14, /* The subtypes differ from those of writes. */
    RT_READ_SIMD16 = 0 << 8,
    RT_READ_SIMD8 = 1 << 8,
    RT_READ_PER_SAMPLE = 1 << 13,
    SPAWNER_END = 1 << 4,
    PI_AT_SAMPLE = 1 << 12, /* Pixel interpolator. */
    PI_AT_OFFSETS = 3 << 12,
    PI_LINEAR = 1 << 14,
    PI_SIMD16 = 1 << 16,
    PI_SAMPLE_SHIFT = 4,
};

/* --- The payload --- */

static unsigned setup_vertex(struct from_nir *c)
{
    const struct i965_prog_data *data = c->data;
    c->return_grf = 1;
    c->push_grf = 2;
    c->input_grf = c->push_grf + data->curb_read_length;
    unsigned slots = data->vs.num_inputs + data->vs.uses_vertex_ids + data->vs.uses_draw_id;
    return c->input_grf + 4 * MIN2(slots, 2u * data->vs.urb_read_length);
}

static unsigned setup_fragment(struct from_nir *c)
{
    const struct i965_prog_data *data = c->data;
    unsigned regs = c->width / 8, next = 2;
    for (unsigned m = 0; m < I965_BARYCENTRIC_COUNT; m++) {
        c->barycentric_grf[m] = next;
        if (data->fs.barycentric_modes >> m & 1)
            next += 2 * regs;
    }
    c->depth_grf = next;
    next += data->fs.uses_source_depth ? regs : 0;
    c->w_grf = next;
    next += data->fs.uses_source_w ? regs : 0;
    c->sample_pos_grf = next;
    next += data->fs.uses_position_offsets;
    c->mask_grf = next;
    next += data->fs.uses_sample_mask ? regs : 0;
    c->coverage_grf = next;
    next += data->fs.uses_coverage ? regs : 0;
    c->push_grf = next;
    c->height_grf = next + data->curb_read_length;
    c->input_grf = c->height_grf + data->fs.uses_height;
    return c->input_grf + 2u * data->fs.num_inputs;
}

void i965_setup_payload(struct from_nir *c)
{
    switch (c->p->stage) {
    case SHADER_VERTEX:
        c->p->payload_regs = setup_vertex(c);
        break;
    case SHADER_FRAGMENT:
        c->p->payload_regs = setup_fragment(c);
        break;
    case SHADER_GEOMETRY:
        c->p->payload_regs = i965_setup_geometry(c);
        break;
    case SHADER_TESS_CTRL:
        c->p->payload_regs = i965_setup_tess_control(c);
        break;
    case SHADER_TESS_EVAL:
        c->p->payload_regs = i965_setup_tess_eval(c);
        break;
    default:
        c->push_grf = 1;
        c->thread_index_grf = c->push_grf + c->data->curb_read_length;
        c->p->payload_regs = c->thread_index_grf + 1;
        break;
    }
}

static struct lir_inst *scalar_inst(struct lir_inst *inst, unsigned exec_size)
{
    inst->exec_size = (uint8_t)exec_size;
    inst->group = 0;
    inst->no_mask = true;
    return inst;
}

/* --- Vertex inputs --- */

/* Returns the slot of an attribute. */
static unsigned attribute_slot(const struct from_nir *c, unsigned location)
{
    unsigned slot = 0;
    while (slot + 1 < c->data->vs.num_inputs && c->data->vs.inputs[slot] != location)
        slot++;
    return slot;
}

/* Loads n dwords of a slot of the vertex, from `component` on, and of the slots after it: from the
 * payload if they are there, otherwise from the URB. */
static void load_vertex_dwords(struct from_nir *c, unsigned slot, unsigned component, unsigned n,
                               struct lir_reg *dwords)
{
    unsigned first = 4 * slot + component, pushed = 8u * c->data->vs.urb_read_length, i = 0;
    for (; i < n && first + i < pushed; i++)
        dwords[i] = lir_grf(c->input_grf + first + i, EU_TYPE_UD);
    if (i < n)
        i965_read_vertex(c, first + i, n - i, &dwords[i]);
}

static void load_vertex_input(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    unsigned location = nir_intrinsic_base(intr), first = nir_intrinsic_component(intr);
    if (nir_src_is_const(intr->src[0]))
        location += (unsigned)nir_src_as_uint(intr->src[0]);
    else
        lir_fail(c->p, "vertex inputs with a variable index are not supported");
    /* The second half of a 64-bit attribute is the next location. */
    unsigned count = intr->def.num_components * (intr->def.bit_size == 64 ? 2 : 1);
    struct lir_reg dwords[I965_MAX_DWORDS];
    for (unsigned i = 0; i < count;) {
        unsigned half = (first + i) / 4, end = MIN2(4 * (half + 1) - first, count);
        load_vertex_dwords(c, attribute_slot(c, location + half), (first + i) % 4, end - i,
                           &dwords[i]);
        i = end;
    }
    i965_from_dwords(c, &intr->def, dwords, value);
}

/* Returns a component of the two slots after the attributes. */
static struct lir_reg vertex_system_value(struct from_nir *c, unsigned slot, unsigned component)
{
    struct lir_reg dword;
    load_vertex_dwords(c, c->data->vs.num_inputs + slot, component, 1, &dword);
    return lir_retype(dword, EU_TYPE_D);
}

static bool load_vertex_value(struct from_nir *c, nir_intrinsic_instr *intr, struct lir_reg *value)
{
    unsigned draw_slot = c->data->vs.uses_vertex_ids;
    switch (intr->intrinsic) {
    case nir_intrinsic_load_first_vertex:
        *value = vertex_system_value(c, 0, 0);
        return true;
    case nir_intrinsic_load_base_instance:
        *value = vertex_system_value(c, 0, 1);
        return true;
    case nir_intrinsic_load_vertex_id_zero_base:
        *value = vertex_system_value(c, 0, 2);
        return true;
    case nir_intrinsic_load_instance_id:
        *value = vertex_system_value(c, 0, 3);
        return true;
    case nir_intrinsic_load_vertex_id:
        *value = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_D, vertex_system_value(c, 0, 0),
                          vertex_system_value(c, 0, 2));
        return true;
    case nir_intrinsic_load_draw_id:
        *value = vertex_system_value(c, draw_slot, 0);
        return true;
    case nir_intrinsic_load_view_index:
        *value = vertex_system_value(c, draw_slot, 2);
        return true;
    case nir_intrinsic_load_base_vertex:
        *value = i965_alu(c, EU_OPCODE_AND, EU_TYPE_D, vertex_system_value(c, 0, 0),
                          vertex_system_value(c, draw_slot, 1));
        return true;
    default:
        return false;
    }
}

/* --- Fragment inputs --- */

static unsigned input_slot(struct from_nir *c, unsigned location)
{
    for (unsigned i = 0; i < c->data->fs.num_inputs; i++) {
        if (c->data->fs.inputs[i] == location)
            return i;
    }
    lir_fail(c->p, "an input was not expected");
    return 0;
}

/* Returns a component's plane equation: a_dx, a_dy, unused, a_0. */
static struct lir_reg plane(struct from_nir *c, unsigned slot, unsigned component)
{
    return lir_grf_scalar(c->input_grf + 2 * slot + component / 2, component % 2 * 16, EU_TYPE_F);
}

static struct lir_reg flat_dword(struct from_nir *c, unsigned location, unsigned n)
{
    return lir_byte_offset(plane(c, input_slot(c, location + n / 4), n % 4), 12);
}

static void load_flat_input(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    unsigned first = nir_intrinsic_component(intr);
    unsigned location = nir_intrinsic_io_semantics(intr).location;
    for (unsigned i = 0; i < intr->def.num_components; i++) {
        if (intr->def.bit_size == 64)
            value[i] = i965_pack_64(c, flat_dword(c, location, first + 2 * i),
                                    flat_dword(c, location, first + 2 * i + 1));
        else
            value[i] = flat_dword(c, location, MIN2(first + i, 3));
    }
}

/* Evaluates a plane equation at i and j of each channel without pln, with the same rounding. */
static void evaluate_plane(struct from_nir *c, struct lir_reg dst, struct lir_reg p,
                           struct lir_reg i, struct lir_reg j)
{
    struct lir_reg sum = i965_temp(c, EU_TYPE_F);
    i965_emit(c, EU_OPCODE_MAD, sum, lir_byte_offset(p, 12), j, lir_byte_offset(p, 4));
    i965_emit(c, EU_OPCODE_MAD, dst, sum, i, p);
}

/* Interpolates an input. at holds the barycentrics: i and j for each eight channels. */
static struct lir_reg interpolate(struct from_nir *c, struct lir_reg at, unsigned slot,
                                  unsigned component)
{
    struct lir_reg dst = i965_temp(c, EU_TYPE_F), p = plane(c, slot, component);
    if (c->p->dev->has_pln) {
        i965_emit2(c, EU_OPCODE_PLN, dst, p, at);
        return dst;
    }
    unsigned width = c->exec_size, group = c->group;
    c->exec_size = 8;
    for (unsigned i = 0; i < width; i += 8) {
        struct lir_reg u = lir_byte_offset(at, i / 8 * 2 * LIR_REG_SIZE);
        c->group = group + i;
        evaluate_plane(c, lir_channels(dst, i), p, u, lir_byte_offset(u, LIR_REG_SIZE));
    }
    c->exec_size = width;
    c->group = group;
    return dst;
}

/* Interpolates an input at the barycentrics in the payload. */
static struct lir_reg interpolate_at_mode(struct from_nir *c, enum i965_barycentric mode,
                                          unsigned slot, unsigned component)
{
    const struct lir_reg *joined = &c->joined_barycentrics[mode];
    if (joined->file == LIR_BAD)
        return interpolate(c, lir_grf(c->barycentric_grf[mode], EU_TYPE_F), slot, component);
    struct lir_reg dst = i965_temp(c, EU_TYPE_F);
    evaluate_plane(c, dst, plane(c, slot, component), *joined, lir_component(*joined, 16, 1));
    return dst;
}

/* Counts the components that are interpolated with each barycentric mode. */
static void count_interpolated(const struct from_nir *c, unsigned count[I965_BARYCENTRIC_COUNT])
{
    unsigned mode;
    nir_foreach_block (block, nir_shader_get_entrypoint(c->nir)) {
        nir_foreach_instr (instr, block) {
            nir_intrinsic_instr *intr =
                instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
            if (!intr || intr->intrinsic != nir_intrinsic_load_interpolated_input)
                continue;
            const nir_instr *parent = intr->src[0].ssa->parent_instr;
            if (parent->type == nir_instr_type_intrinsic &&
                i965_barycentric_mode(nir_instr_as_intrinsic((nir_instr *)parent), &mode))
                count[mode] += (unsigned)__builtin_popcount(nir_def_components_read(&intr->def));
        }
    }
}

/* The payload of SIMD16 has i and j for eight channels at a time, as pln reads them. Without pln,
 * four moves join those of all channels; then a component takes two instructions instead of
 * four. */
static void join_barycentrics(struct from_nir *c)
{
    unsigned count[I965_BARYCENTRIC_COUNT] = {0};
    if (c->p->dev->has_pln || c->width != 16)
        return;
    count_interpolated(c, count);
    c->exec_size = 8;
    for (unsigned m = 0; m < I965_BARYCENTRIC_COUNT; m++) {
        if (count[m] <= 2)
            continue;
        struct lir_reg joined = lir_temp(c->p, 16, 2, EU_TYPE_F);
        for (unsigned i = 0; i < 4; i++) { /* i and j of channels 0 to 7, then of 8 to 15. */
            c->group = i / 2 * 8;
            i965_emit1(c, EU_OPCODE_MOV,
                       lir_byte_offset(joined, (i % 2 * 2 + i / 2) * LIR_REG_SIZE),
                       lir_grf(c->barycentric_grf[m] + i, EU_TYPE_F));
        }
        c->joined_barycentrics[m] = joined;
    }
    c->exec_size = c->width;
    c->group = 0;
}

/* --- The start of the program --- */

void i965_start_stage(struct from_nir *c)
{
    if (i965_has_urb_inputs(c->p->stage))
        i965_start_urb(c);
    if (c->p->stage != SHADER_FRAGMENT)
        return;
    /* Words: x of the four pixels of a quad, then their y, for each quad. */
    struct lir_reg quads = lir_grf_scalar(1, 8, EU_TYPE_UW);
    quads.region = true;
    quads.vstride = 1;
    quads.width = 4;
    quads.hstride = 0;
    c->pixel_x_y = lir_vgrf(c->p, c->width / 8, EU_TYPE_UW);
    scalar_inst(i965_emit2(c, EU_OPCODE_ADD, c->pixel_x_y, quads, lir_imm(0x11001010, EU_TYPE_V)),
                c->width * 2);
    if (c->data->fs.uses_discard || c->data->fs.uses_side_effects) {
        scalar_inst(i965_emit1(c, EU_OPCODE_MOV, lir_arf(EU_ARF_FLAG + 1, EU_TYPE_UW),
                               lir_grf_scalar(1, 28, EU_TYPE_UW)),
                    1);
        c->live_flag = true;
    }
    join_barycentrics(c);
}

/* --- Interpolation at other positions --- */

/* Converts an offset from the pixel center to sixteenths of a pixel, clamped to the range of the
 * hardware (GL 4.6 §14.3: offsets outside the limits are undefined). */
static struct lir_reg interpolator_offset(struct from_nir *c, struct lir_reg offset)
{
    struct lir_reg scaled = i965_alu(c, EU_OPCODE_MUL, EU_TYPE_F, offset, lir_imm_f(16.0f));
    struct lir_reg fixed = i965_mov(c, EU_TYPE_D, scaled), low = i965_temp(c, EU_TYPE_D);
    struct lir_reg high = i965_temp(c, EU_TYPE_D);
    i965_emit2(c, EU_OPCODE_SEL, low, fixed, lir_imm_d(7))->cmod = EU_CMOD_L;
    i965_emit2(c, EU_OPCODE_SEL, high, low, lir_imm_d(-8))->cmod = EU_CMOD_GE;
    return high;
}

/* Loads barycentrics at an offset per channel, or at a sample that is uniform. */
static void load_barycentric(struct from_nir *c, nir_intrinsic_instr *intr)
{
    bool linear = nir_intrinsic_interp_mode(intr) == INTERP_MODE_NOPERSPECTIVE;
    bool at_offset = intr->intrinsic == nir_intrinsic_load_barycentric_at_offset;
    unsigned regs = c->width / 8;
    uint32_t desc = (at_offset ? PI_AT_OFFSETS : PI_AT_SAMPLE) | (linear ? PI_LINEAR : 0) |
                    (regs == 2 ? PI_SIMD16 : 0);
    struct lir_reg *value = i965_new_value(c, &intr->def), sample = lir_bad(), payload;
    struct lir_reg dst = lir_temp(c->p, c->width, 2, EU_TYPE_F);
    if (at_offset) {
        struct lir_reg offsets[2];
        for (unsigned i = 0; i < 2; i++)
            offsets[i] = interpolator_offset(c, i965_src_as(c, intr->src[0], i, EU_TYPE_F));
        payload = i965_payload(c, offsets, 2);
    } else {
        sample = i965_uniformize(c, i965_src_as(c, intr->src[0], 0, EU_TYPE_UD));
        payload = lir_grf(0, EU_TYPE_UD);
    }
    if (sample.file == LIR_IMM) {
        desc |= (sample.imm & 0xf) << PI_SAMPLE_SHIFT;
        sample = lir_bad();
    } else if (sample.file != LIR_BAD) {
        struct lir_reg bits = lir_scalar(lir_vgrf(c->p, 1, EU_TYPE_UD), 0);
        i965_undef(c, bits);
        scalar_inst(i965_emit2(c, EU_OPCODE_SHL, bits, sample, lir_imm_ud(PI_SAMPLE_SHIFT)), 1);
        sample = bits;
    }
    struct lir_inst *inst = i965_send(c, EU_SFID_PIXEL_INTERPOLATOR, desc, dst, 2 * regs, payload,
                                      at_offset ? 2 * regs : 1, lir_bad(), 0);
    inst->src[2] = sample;
    value[0] = value[1] = dst;
}

static void load_interpolated_input(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    unsigned first = nir_intrinsic_component(intr), mode;
    unsigned slot = input_slot(c, nir_intrinsic_io_semantics(intr).location);
    nir_instr *parent = intr->src[0].ssa->parent_instr;
    bool fixed = parent->type == nir_instr_type_intrinsic &&
                 i965_barycentric_mode(nir_instr_as_intrinsic(parent), &mode);
    for (unsigned i = 0; i < intr->def.num_components; i++) {
        unsigned component = MIN2(first + i, 3);
        value[i] =
            fixed ? interpolate_at_mode(c, mode, slot, component)
                  : interpolate(c, i965_src_as(c, intr->src[0], 0, EU_TYPE_F), slot, component);
    }
}

/* Returns x or y of the sample within its pixel; the payload has x and y in alternating bytes, in
 * sixteenths. */
static struct lir_reg sample_position(struct from_nir *c, unsigned component)
{
    struct lir_reg bytes = lir_byte_offset(lir_grf(c->sample_pos_grf, EU_TYPE_UB), component);
    bytes.region = true;
    bytes.vstride = 16;
    bytes.width = 8;
    bytes.hstride = 2;
    return i965_alu(c, EU_OPCODE_MUL, EU_TYPE_F, i965_mov(c, EU_TYPE_F, bytes),
                    lir_imm_f(1.0f / 16.0f));
}

/* Loads the position of the pixel center, or of the sample with per-sample shading (GLSL 4.60
 * §7.1.5, gl_FragCoord). */
static void load_frag_coord(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    bool at_sample = c->data->fs.persample && c->data->fs.uses_position_offsets;
    float center = c->nir->info.fs.pixel_center_integer ? 0.0f : 0.5f;
    struct lir_reg height = lir_grf_scalar(c->height_grf, 0, EU_TYPE_F);
    for (unsigned i = 0; i < 2; i++) {
        struct lir_reg words = lir_byte_offset(c->pixel_x_y, 8 * i);
        words.region = true;
        words.vstride = 8;
        words.width = 4;
        words.hstride = 1;
        value[i] = i965_mov(c, EU_TYPE_F, words);
        if (center != 0.0f && at_sample)
            value[i] = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_F, value[i], sample_position(c, i));
        else if (center != 0.0f)
            value[i] = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_F, value[i], lir_imm_f(center));
    }
    if (c->data->fs.uses_height) {
        struct lir_reg up = value[1];
        up.negate = true;
        value[1] = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_F, up, height);
    }
    value[2] = lir_grf(c->depth_grf, EU_TYPE_F);
    value[3] = i965_temp(c, EU_TYPE_F);
    if (c->data->fs.uses_source_w)
        i965_emit1(c, EU_OPCODE_MATH, value[3], lir_grf(c->w_grf, EU_TYPE_F))->math = EU_MATH_INV;
}

/* Bit 15 of r0.0 is set for back-facing primitives. */
static struct lir_reg load_front_face(struct from_nir *c)
{
    struct lir_reg back =
        i965_alu(c, EU_OPCODE_ASR, EU_TYPE_D, lir_grf_scalar(0, 0, EU_TYPE_W), lir_imm_d(15));
    return i965_alu(c, EU_OPCODE_NOT, EU_TYPE_D, back, lir_bad());
}

static struct lir_reg load_helper(struct from_nir *c)
{
    struct lir_reg dst = i965_temp(c, EU_TYPE_D);
    i965_emit1(c, EU_OPCODE_MOV, dst, lir_imm_d(-1));
    i965_predicate_live(c, i965_emit1(c, EU_OPCODE_MOV, dst, lir_imm_d(0)));
    return dst;
}

static bool load_fragment_value(struct from_nir *c, nir_intrinsic_instr *intr,
                                struct lir_reg *value)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_front_face:
        *value = load_front_face(c);
        return true;
    case nir_intrinsic_load_helper_invocation:
    case nir_intrinsic_is_helper_invocation:
        *value = load_helper(c);
        return true;
    case nir_intrinsic_load_sample_id:
        *value =
            i965_alu(c, EU_OPCODE_SHR, EU_TYPE_UD, lir_grf_scalar(0, 0, EU_TYPE_UD), lir_imm_ud(6));
        *value = i965_alu(c, EU_OPCODE_AND, EU_TYPE_UD, *value, lir_imm_ud(0xf));
        return true;
    case nir_intrinsic_load_sample_mask_in:
        *value = lir_grf(c->mask_grf, EU_TYPE_UD);
        return true;
    case nir_intrinsic_load_frag_coverage:
        *value = lir_grf(c->coverage_grf, EU_TYPE_F);
        return true;
    case nir_intrinsic_load_primitive_id:
        *value = lir_byte_offset(plane(c, input_slot(c, VARYING_SLOT_PRIMITIVE_ID), 0), 12);
        return true;
    default:
        return false;
    }
}

/* --- Discard: clears the pixel's bit in f1.0; quads without live pixels halt --- */

void i965_discard(struct from_nir *c, const nir_src *condition, bool halt)
{
    struct lir_inst *cmp;
    bool inverse = false;
    if (condition) {
        cmp = i965_simple_condition(c, *condition, &inverse);
        if (cmp->op == EU_OPCODE_CMP && lir_is_null(&cmp->dst) && cmp->dst.type != EU_TYPE_F) {
            cmp->cmod = inverse ? cmp->cmod : i965_negate_cmod(cmp->cmod);
        } else if (cmp->op == EU_OPCODE_CMP &&
                   (cmp->cmod == EU_CMOD_Z || cmp->cmod == EU_CMOD_NZ || inverse)) {
            cmp->cmod = inverse ? cmp->cmod : i965_negate_cmod(cmp->cmod);
        } else if (cmp->op == EU_OPCODE_MOV) {
            cmp->cmod = inverse ? EU_CMOD_NZ : EU_CMOD_Z;
        } else {
            /* The inverse of an ordered comparison is true for NaN, so use the boolean's value. */
            struct lir_reg bits = i965_temp(c, EU_TYPE_F);
            cmp->dst = bits;
            bits.type = EU_TYPE_D;
            cmp = i965_emit1(c, EU_OPCODE_MOV, lir_null(EU_TYPE_D), bits);
            cmp->cmod = EU_CMOD_Z;
        }
    } else {
        cmp = i965_cmp(c, lir_null(EU_TYPE_UD), lir_grf_scalar(0, 0, EU_TYPE_UD),
                       lir_grf_scalar(0, 0, EU_TYPE_UD), EU_CMOD_NZ);
    }
    cmp->flag = I965_FLAG_LIVE;
    cmp->predicate = EU_PREDICATE_NORMAL;
    if (!halt)
        return;
    struct lir_inst *inst =
        i965_emit(c, EU_OPCODE_HALT, lir_bad(), lir_bad(), lir_bad(), lir_bad());
    inst->predicate = EU_PREDICATE_ANY4H;
    inst->predicate_inverse = true;
    inst->flag = I965_FLAG_LIVE;
    c->halts = true;
}

/* --- Compute --- */

static struct lir_reg local_index(struct from_nir *c)
{
    unsigned shift = (unsigned)__builtin_ctz(c->width);
    struct lir_reg first =
        i965_alu(c, EU_OPCODE_SHL, EU_TYPE_D, lir_grf_scalar(c->thread_index_grf, 0, EU_TYPE_D),
                 lir_imm_ud(shift));
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_D, i965_mov(c, EU_TYPE_D, i965_lanes(c)), first);
}

static bool load_compute_value(struct from_nir *c, nir_intrinsic_instr *intr)
{
    static const uint8_t group_dword[] = {1, 6, 7};
    struct lir_reg *value;
    switch (intr->intrinsic) {
    case nir_intrinsic_load_workgroup_id:
        value = i965_new_value(c, &intr->def);
        for (unsigned i = 0; i < 3; i++)
            value[i] = lir_grf_scalar(0, 4 * group_dword[i], EU_TYPE_UD);
        return true;
    case nir_intrinsic_load_workgroup_size:
        value = i965_new_value(c, &intr->def);
        for (unsigned i = 0; i < 3; i++)
            value[i] = lir_grf_scalar(c->thread_index_grf, 4 + 4 * i, EU_TYPE_UD);
        return true;
    case nir_intrinsic_load_local_invocation_index:
        i965_new_value(c, &intr->def)[0] = local_index(c);
        return true;
    default:
        return false;
    }
}

/* --- Outputs --- */

static void store_output(struct from_nir *c, nir_intrinsic_instr *intr)
{
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    unsigned first = nir_intrinsic_component(intr), mask = nir_intrinsic_write_mask(intr);
    unsigned slot = io.location;
    if (!nir_src_is_const(intr->src[1])) {
        lir_fail(c->p, "outputs with a variable index are not supported");
        return;
    }
    unsigned per = intr->src[0].ssa->bit_size == 64 ? 2 : 1; /* Dwords per component. */
    unsigned n = intr->src[0].ssa->num_components * per;
    if (slot + (first + n - 1) / 4 >= VARYING_SLOT_COUNT || intr->src[0].ssa->bit_size < 32) {
        lir_fail(c->p, "an output has no place");
        return;
    }
    bool dual = io.dual_source_blend_index && c->p->stage == SHADER_FRAGMENT;
    for (unsigned i = 0; i < n; i++) {
        unsigned at = first + i;
        if (!(mask >> i / per & 1) || (dual && at > 3))
            continue;
        struct lir_reg src = i965_src(c, intr->src[0], i / per);
        struct lir_reg *out = dual ? &c->dual_output[at] : &c->outputs[slot + at / 4][at % 4];
        if (per == 2)
            src = i965_unpack_64(c, src, i % 2);
        if (out->file == LIR_BAD)
            *out = i965_temp(c, EU_TYPE_UD);
        i965_emit1(c, EU_OPCODE_MOV, lir_retype(*out, src.type), src);
    }
}

static bool load_output(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    unsigned slot = nir_intrinsic_io_semantics(intr).location,
             first = nir_intrinsic_component(intr);
    if (c->p->stage == SHADER_FRAGMENT || slot >= VARYING_SLOT_COUNT ||
        !nir_src_is_const(intr->src[0]))
        return false;
    for (unsigned i = 0; i < intr->def.num_components; i++) {
        struct lir_reg *out = &c->outputs[slot][MIN2(first + i, 3)];
        if (out->file == LIR_BAD)
            *out = i965_temp(c, EU_TYPE_UD);
        value[i] = i965_mov(c, EU_TYPE_UD, *out);
    }
    return true;
}

/* --- Render target writes --- */

/* A message to one render target, for exec_size channels starting at group. */
struct target_write {
    /* Color, and the second color of dual-source blending or NULL. */
    const struct lir_reg *color, *second;
    unsigned target, group, exec_size;
    uint32_t control;
    bool last;
    struct lir_reg payload;
    unsigned length;
};

/* Flags in the first dword of the header for optional parts of the payload. */
enum {
    HEADER_SAMPLE_MASK = 1 << 12,
    HEADER_DEPTH = 1 << 13,
    HEADER_STENCIL = 1 << 14,
};

static struct lir_reg target_header(struct from_nir *c, unsigned target)
{
    struct lir_reg header = lir_vgrf(c->p, 2, EU_TYPE_UD);
    struct lir_inst *copy = i965_emit1(c, EU_OPCODE_MOV, header, lir_grf(0, EU_TYPE_UD));
    uint32_t parts = (c->data->fs.writes_sample_mask ? HEADER_SAMPLE_MASK : 0) |
                     (c->data->fs.writes_depth ? HEADER_DEPTH : 0) |
                     (c->data->fs.writes_stencil ? HEADER_STENCIL : 0);
    scalar_inst(copy, 16);
    if (parts)
        scalar_inst(i965_emit2(c, EU_OPCODE_OR, header, lir_grf_scalar(0, 0, EU_TYPE_UD),
                               lir_imm_ud(parts)),
                    1);
    if (target)
        scalar_inst(i965_emit1(c, EU_OPCODE_MOV, lir_byte_offset(header, 8), lir_imm_ud(target)),
                    1);
    if (c->live_flag)
        scalar_inst(i965_emit1(c, EU_OPCODE_MOV,
                               lir_retype(lir_byte_offset(header, LIR_REG_SIZE + 28), EU_TYPE_UW),
                               lir_arf(EU_ARF_FLAG + 1, EU_TYPE_UW)),
                    1);
    return header;
}

/* Packs the low words or bytes of an output into one register, at any width. */
static struct lir_reg pack_output(struct from_nir *c, unsigned output, enum eu_type type,
                                  unsigned first)
{
    struct lir_reg wide = i965_temp(c, EU_TYPE_UD), packed = lir_vgrf(c->p, 1, EU_TYPE_UD);
    i965_emit1(c, EU_OPCODE_MOV, wide, lir_channels(c->outputs[output][0], first));
    i965_undef(c, packed);
    wide.type = type;
    wide.stride = (uint8_t)(4 / lir_type_size(type));
    i965_emit1(c, EU_OPCODE_MOV, lir_retype(packed, type), wide);
    return packed;
}

static void make_payload(struct from_nir *c, struct target_write *w)
{
    struct lir_reg parts[12];
    unsigned n = 0, regs = c->exec_size / 8, first = w->group;
    bool mask = c->data->fs.writes_sample_mask, stencil = c->data->fs.writes_stencil, holes = mask;
    for (unsigned i = 0; i < 4; i++)
        NEXT_OF(parts, n) = w->color ? w->color[i] : lir_bad();
    for (unsigned i = 0; i < 4 && w->second; i++)
        NEXT_OF(parts, n) = w->second[i];
    if (c->data->fs.writes_depth)
        NEXT_OF(parts, n) = c->outputs[FRAG_RESULT_DEPTH][0];
    for (unsigned i = 0; i < n; i++)
        holes |= parts[i].file == LIR_BAD;

    w->length = mask + n * regs + stencil;
    w->payload = lir_vgrf(c->p, w->length, EU_TYPE_UD);
    if (holes)
        i965_undef(c, w->payload);
    if (mask)
        scalar_inst(i965_emit1(c, EU_OPCODE_MOV, w->payload,
                               pack_output(c, FRAG_RESULT_SAMPLE_MASK, EU_TYPE_UW, first)),
                    8);
    if (stencil)
        scalar_inst(i965_emit1(c, EU_OPCODE_MOV,
                               lir_byte_offset(w->payload, (w->length - 1) * LIR_REG_SIZE),
                               pack_output(c, FRAG_RESULT_STENCIL, EU_TYPE_UB, first)),
                    8);
    for (unsigned i = 0; i < n; i++) {
        struct lir_reg dst = lir_byte_offset(w->payload, (mask + i * regs) * LIR_REG_SIZE);
        if (parts[i].file != LIR_BAD)
            i965_emit1(c, EU_OPCODE_MOV, lir_retype(dst, parts[i].type),
                       lir_channels(parts[i], first));
    }
}

static void send_target(struct from_nir *c, const struct target_write *w, bool header)
{
    struct lir_inst *inst;
    uint32_t desc = RT_WRITE | w->control | (c->data->binding_table.render_targets + w->target) |
                    (w->last ? RT_WRITE_LAST : 0);
    if (header)
        inst = i965_send(c, EU_SFID_RENDER_CACHE, desc, lir_null(EU_TYPE_UD), 0,
                         target_header(c, w->target), 2, w->payload, w->length);
    else
        inst = i965_send(c, EU_SFID_RENDER_CACHE, desc, lir_null(EU_TYPE_UW), 0, w->payload,
                         w->length, lir_bad(), 0);
    inst->op = inst->op == EU_OPCODE_SENDS ? EU_OPCODE_SENDSC : EU_OPCODE_SENDC;
    inst->header = header;
    inst->eot = w->last;
    if (c->data->fs.uses_discard)
        i965_predicate_live(c, inst);
}

/* Dual-source writes have eight channels each. */
static unsigned list_dual_source(struct from_nir *c, struct target_write *writes,
                                 struct target_write w)
{
    unsigned n = 0;
    w.second = c->dual_output;
    w.exec_size = 8;
    for (unsigned i = 0; i < c->width; i += 8) {
        w.group = i;
        w.control = i ? RT_WRITE_SIMD8_DUAL_HIGH : RT_WRITE_SIMD8_DUAL_LOW;
        w.last = i + 8 >= c->width;
        writes[n++] = w;
    }
    return n;
}

static unsigned list_targets(struct from_nir *c, struct target_write *writes)
{
    unsigned num_targets = MIN2(MAX2(c->data->fs.num_color_outputs, 1), 8), n = 0;
    uint64_t written = c->nir->info.outputs_written;
    for (unsigned t = 0; t < num_targets; t++) {
        struct target_write w = {.target = t,
                                 .exec_size = c->width,
                                 .control = c->width == 16 ? RT_WRITE_SIMD16 : RT_WRITE_SIMD8};
        if (written >> (FRAG_RESULT_DATA0 + t) & 1)
            w.color = c->outputs[FRAG_RESULT_DATA0 + t];
        else if (written >> FRAG_RESULT_COLOR & 1)
            w.color = c->outputs[FRAG_RESULT_COLOR];
        else
            continue;
        if (c->data->fs.dual_source)
            return list_dual_source(c, writes, w);
        writes[n++] = w;
    }
    if (!n) /* The thread must end with a message even without outputs. */
        writes[n++] = (struct target_write){
            .exec_size = c->width, .control = c->width == 16 ? RT_WRITE_SIMD16 : RT_WRITE_SIMD8};
    writes[n - 1].last = true;
    return n;
}

/* Builds the payloads before the halt target, because halted channels are not written anyway. */
static void end_fragment(struct from_nir *c)
{
    const struct i965_prog_data *data = c->data;
    struct target_write writes[8];
    unsigned n = list_targets(c, writes);
    bool header = writes[n - 1].target > 0 || data->fs.writes_depth || data->fs.writes_stencil ||
                  data->fs.writes_sample_mask;
    for (unsigned i = 0; i < n; i++) {
        c->exec_size = writes[i].exec_size;
        c->group = writes[i].group;
        make_payload(c, &writes[i]);
    }
    c->exec_size = c->width;
    c->group = 0;
    if (c->halts)
        i965_emit(c, LIR_OP_HALT_TARGET, lir_bad(), lir_bad(), lir_bad(), lir_bad());
    for (unsigned i = 0; i < n; i++) {
        c->exec_size = writes[i].exec_size;
        c->group = writes[i].group;
        send_target(c, &writes[i], header);
    }
    c->exec_size = c->width;
    c->group = 0;
}

static void end_compute(struct from_nir *c)
{
    struct lir_reg payload = i965_header(c, lir_bad());
    struct lir_inst *inst = i965_send(c, EU_SFID_THREAD_SPAWNER, SPAWNER_END, lir_null(EU_TYPE_UW),
                                      0, payload, 1, lir_bad(), 0);
    scalar_inst(inst, 16);
    inst->eot = true;
}

void i965_end_stage(struct from_nir *c)
{
    switch (c->p->stage) {
    case SHADER_VERTEX:
    case SHADER_TESS_EVAL:
        i965_end_vertices(c);
        break;
    case SHADER_GEOMETRY:
    case SHADER_TESS_CTRL:
        i965_end_urb(c);
        break;
    case SHADER_FRAGMENT:
        end_fragment(c);
        break;
    default:
        end_compute(c);
        break;
    }
}

/* --- Render target reads --- */

/* Reads the render target at a binding table index. */
static void read_target(struct from_nir *c, unsigned surface, struct lir_reg value[4])
{
    unsigned regs = c->width / 8;
    struct lir_reg dst = lir_temp(c->p, c->width, 4, EU_TYPE_UD);
    uint32_t desc = RT_READ | (c->width == 16 ? RT_READ_SIMD16 : RT_READ_SIMD8) |
                    (c->data->fs.persample ? RT_READ_PER_SAMPLE : 0) | surface;
    unsigned target = surface - c->data->binding_table.render_targets;
    struct lir_inst *inst = i965_send(c, EU_SFID_RENDER_CACHE, desc, dst, 4 * regs,
                                      target_header(c, target), 2, lir_bad(), 0);
    inst->header = true;
    for (unsigned i = 0; i < 4; i++)
        value[i] = lir_component(dst, c->width, i);
}

/* Loads the last color; components that the target lacks are 0. */
static void load_last_color(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def), index;
    unsigned first = 0, last = c->data->fs.num_color_outputs;
    bool chosen = !nir_src_is_const(intr->src[0]);
    if (!chosen) {
        first = (unsigned)MIN2(nir_src_as_uint(intr->src[0]), last);
        last = MIN2(first + 1, last);
    } else {
        index = i965_src_as(c, intr->src[0], 0, EU_TYPE_UD);
    }
    for (unsigned i = 0; i < 4; i++)
        value[i] = lir_imm_ud(0);
    for (unsigned t = first; t < last; t++) {
        struct lir_reg color[4];
        read_target(c, c->data->binding_table.render_targets + t, color);
        if (chosen)
            i965_cmp(c, lir_null(EU_TYPE_UD), index, lir_imm_ud(t), EU_CMOD_Z);
        for (unsigned i = 0; i < 4; i++) {
            if (chosen) {
                struct lir_reg either = i965_temp(c, EU_TYPE_UD);
                i965_emit2(c, EU_OPCODE_SEL, either, color[i], value[i])->predicate =
                    EU_PREDICATE_NORMAL;
                color[i] = either;
            }
            value[i] = color[i];
        }
    }
}

static void load_last_depth_stencil(struct from_nir *c, nir_intrinsic_instr *intr, unsigned which)
{
    struct lir_reg there[4];
    read_target(c, c->data->binding_table.depth_stencil, there);
    i965_new_value(c, &intr->def)[0] = there[which];
}

/* --- Intrinsics --- */

bool i965_barycentric_mode(const nir_intrinsic_instr *intr, unsigned *mode)
{
    unsigned place;
    switch (intr->intrinsic) {
    case nir_intrinsic_load_barycentric_pixel:
        place = 0;
        break;
    case nir_intrinsic_load_barycentric_centroid:
        place = 1;
        break;
    case nir_intrinsic_load_barycentric_sample:
        place = 2;
        break;
    default:
        return false;
    }
    bool linear = nir_intrinsic_interp_mode(intr) == INTERP_MODE_NOPERSPECTIVE;
    *mode = place + (linear ? I965_BARYCENTRIC_NONPERSPECTIVE_PIXEL : 0);
    return true;
}

static bool from_fragment(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value;
    switch (intr->intrinsic) {
    case nir_intrinsic_load_barycentric_pixel:
    case nir_intrinsic_load_barycentric_centroid:
    case nir_intrinsic_load_barycentric_sample:
        return true; /* The inputs check this. */
    case nir_intrinsic_load_barycentric_at_offset:
    case nir_intrinsic_load_barycentric_at_sample:
        load_barycentric(c, intr);
        return true;
    case nir_intrinsic_load_input:
        load_flat_input(c, intr);
        return true;
    case nir_intrinsic_load_interpolated_input:
        load_interpolated_input(c, intr);
        return true;
    case nir_intrinsic_load_frag_coord:
        load_frag_coord(c, intr);
        return true;
    case nir_intrinsic_load_last_frag_data:
        load_last_color(c, intr);
        return true;
    case nir_intrinsic_load_last_frag_depth:
        load_last_depth_stencil(c, intr, 0);
        return true;
    case nir_intrinsic_load_last_frag_stencil:
        load_last_depth_stencil(c, intr, 1);
        return true;
    case nir_intrinsic_load_sample_pos:
        value = i965_new_value(c, &intr->def);
        for (unsigned i = 0; i < 2; i++)
            value[i] = sample_position(c, i);
        return true;
    case nir_intrinsic_load_point_coord:
        value = i965_new_value(c, &intr->def);
        for (unsigned i = 0; i < 2; i++)
            value[i] = interpolate_at_mode(c, I965_BARYCENTRIC_PERSPECTIVE_PIXEL,
                                           input_slot(c, VARYING_SLOT_POINT_COORD), i);
        return true;
    case nir_intrinsic_discard:
    case nir_intrinsic_terminate:
        i965_discard(c, NULL, true);
        return true;
    case nir_intrinsic_demote:
        i965_discard(c, NULL, false);
        return true;
    case nir_intrinsic_discard_if:
    case nir_intrinsic_terminate_if:
        i965_discard(c, &intr->src[0], true);
        return true;
    case nir_intrinsic_demote_if:
        i965_discard(c, &intr->src[0], false);
        return true;
    default:
        return false;
    }
}

/* --- Subgroup operations: predicates over all channels; disabled ones must not count --- */

/* Returns the flag with the channels where the boolean is true; disabled channels have the value
 * `others`. */
static struct lir_reg collect(struct from_nir *c, struct lir_reg boolean, bool others)
{
    enum eu_type type = c->width > 16 ? EU_TYPE_UD : EU_TYPE_UW;
    struct lir_reg flag = lir_arf(EU_ARF_FLAG, type);
    scalar_inst(i965_emit1(c, EU_OPCODE_MOV, flag,
                           lir_imm(!others              ? 0
                                   : type == EU_TYPE_UD ? ~0u
                                                        : 0xffff,
                                   type)),
                1);
    i965_test_nonzero(c, boolean)->side_effects = true;
    return flag;
}

static void ballot(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    struct lir_reg flag = collect(c, i965_src(c, intr->src[0], 0), false);
    struct lir_reg bits = lir_scalar(lir_vgrf(c->p, 1, EU_TYPE_UD), 0);
    i965_undef(c, bits);
    scalar_inst(i965_emit1(c, EU_OPCODE_MOV, bits, flag), 1);
    bits = i965_mov(c, EU_TYPE_UD, bits);
    value[0] = intr->def.bit_size == 64 ? i965_pack_64(c, bits, lir_imm_ud(0)) : bits;
    for (unsigned i = 1; i < intr->def.num_components; i++)
        value[i] = intr->def.bit_size == 64 ? i965_pack_64(c, lir_imm_ud(0), lir_imm_ud(0))
                                            : lir_imm_ud(0);
}

/* Channel indices wrap around at the width. */
static void read_invocation(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    struct lir_reg lane = i965_uniformize(c, i965_src_as(c, intr->src[1], 0, EU_TYPE_UD));
    struct lir_reg channel = lir_scalar(lir_vgrf(c->p, 1, EU_TYPE_UD), 0),
                   last = lir_imm_ud(c->width - 1);
    i965_undef(c, channel);
    if (lane.file == LIR_IMM)
        scalar_inst(i965_emit1(c, EU_OPCODE_MOV, channel, lir_imm_ud(lane.imm & last.imm)), 1);
    else
        scalar_inst(i965_emit2(c, EU_OPCODE_AND, channel, lir_retype(lane, EU_TYPE_UD), last), 1);
    for (unsigned i = 0; i < intr->def.num_components; i++) {
        struct lir_reg one =
            i965_broadcast(c, i965_src_as(c, intr->src[0], i, EU_TYPE_UD), channel);
        value[i] = i965_mov(c, EU_TYPE_UD, one);
    }
}

static struct lir_reg vote(struct from_nir *c, struct lir_reg boolean, bool all)
{
    struct lir_reg dst = lir_scalar(lir_vgrf(c->p, 1, EU_TYPE_D), 0);
    i965_undef(c, dst);
    collect(c, boolean, all);
    scalar_inst(i965_emit1(c, EU_OPCODE_MOV, dst, lir_imm_d(0)), 1);
    struct lir_inst *set = scalar_inst(i965_emit1(c, EU_OPCODE_MOV, dst, lir_imm_d(-1)), 1);
    set->predicate = (uint8_t)((all ? EU_PREDICATE_ALL8H : EU_PREDICATE_ANY8H) +
                               2 * (__builtin_ctz(c->width) - 3));
    /* Copy per channel: channels that leave the loop keep the value of this iteration. */
    return i965_mov(c, EU_TYPE_D, dst);
}

/* Reads both dwords of the timestamp with one instruction. In loops and ifs, copies them per
 * channel: channels that left a loop keep the value of their last iteration. */
static void read_clock(struct from_nir *c, struct lir_reg value[2])
{
    struct lir_reg stamp = lir_vgrf(c->p, 1, EU_TYPE_UD),
                   time = lir_arf(EU_ARF_TIMESTAMP, EU_TYPE_UD);
    time.stride = 1;
    i965_undef(c, stamp);
    scalar_inst(i965_emit1(c, EU_OPCODE_MOV, stamp, time), 4);
    for (unsigned i = 0; i < 2; i++) {
        value[i] = lir_scalar(stamp, i);
        if (c->nesting)
            value[i] = i965_mov(c, EU_TYPE_UD, value[i]);
    }
}

static bool from_lanes(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg value, *values;
    switch (intr->intrinsic) {
    case nir_intrinsic_shader_clock:
        read_clock(c, i965_new_value(c, &intr->def));
        return true;
    case nir_intrinsic_read_first_invocation:
        if (intr->def.bit_size != 32)
            return false;
        values = i965_new_value(c, &intr->def);
        for (unsigned i = 0; i < intr->def.num_components; i++)
            values[i] =
                i965_mov(c, EU_TYPE_UD,
                         lir_retype(i965_uniformize(c, i965_src(c, intr->src[0], i)), EU_TYPE_UD));
        return true;
    case nir_intrinsic_read_invocation:
        if (intr->def.bit_size != 32)
            return false;
        read_invocation(c, intr);
        return true;
    case nir_intrinsic_ballot:
        ballot(c, intr);
        return true;
    case nir_intrinsic_vote_any:
        value = vote(c, i965_src(c, intr->src[0], 0), false);
        break;
    case nir_intrinsic_vote_all:
        value = vote(c, i965_src(c, intr->src[0], 0), true);
        break;
    case nir_intrinsic_load_subgroup_invocation:
        value = i965_mov(c, EU_TYPE_D, i965_lanes(c));
        break;
    case nir_intrinsic_load_subgroup_size:
        value = lir_imm_ud(I965_SUBGROUP_SIZE);
        break;
    default:
        return false;
    }
    i965_new_value(c, &intr->def)[0] = value;
    return true;
}

bool i965_from_stage(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg value = lir_bad();
    if (from_lanes(c, intr))
        return true;
    bool vertices =
        c->p->stage == SHADER_TESS_EVAL && (intr->intrinsic == nir_intrinsic_store_output ||
                                            intr->intrinsic == nir_intrinsic_load_output);
    if (i965_has_urb_inputs(c->p->stage) && !vertices)
        return i965_from_urb(c, intr);
    if (intr->intrinsic == nir_intrinsic_store_output) {
        store_output(c, intr);
        return true;
    }
    if (intr->intrinsic == nir_intrinsic_load_output)
        return load_output(c, intr);
    switch (c->p->stage) {
    case SHADER_VERTEX:
        if (intr->intrinsic == nir_intrinsic_load_input) {
            load_vertex_input(c, intr);
            return true;
        }
        if (!load_vertex_value(c, intr, &value))
            return false;
        break;
    case SHADER_FRAGMENT:
        if (from_fragment(c, intr))
            return true;
        if (!load_fragment_value(c, intr, &value))
            return false;
        break;
    default:
        return load_compute_value(c, intr);
    }
    i965_new_value(c, &intr->def)[0] = value;
    return true;
}
