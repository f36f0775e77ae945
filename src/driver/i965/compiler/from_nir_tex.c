/* SPDX-License-Identifier: MIT */
/*
 * Translation of texture instructions to sampler messages (Skylake PRM, volume 7, "3D Sampler",
 * message and payload tables). Each parameter takes one register per eight channels, in the order
 * of the message.
 */
#include "from_nir.h"

#include "util/check.h"

enum sampler_message {
    MSG_SAMPLE = 0,
    MSG_SAMPLE_B = 1,
    MSG_SAMPLE_L = 2,
    MSG_SAMPLE_C = 3,
    MSG_SAMPLE_D = 4,
    MSG_SAMPLE_B_C = 5,
    MSG_SAMPLE_L_C = 6,
    MSG_LD = 7,
    MSG_GATHER4 = 8,
    MSG_LOD = 9,
    MSG_RESINFO = 10,
    MSG_SAMPLEINFO = 11,
    MSG_GATHER4_C = 16,
    MSG_GATHER4_PO = 17,
    MSG_GATHER4_PO_C = 18,
    MSG_SAMPLE_D_C = 20,
    MSG_SAMPLE_LZ = 24,
    MSG_SAMPLE_C_LZ = 25,
    MSG_LD_LZ = 26,
    MSG_LD2DMS_W = 28,
    MSG_LD_MCS = 29,
    MSG_LD2DMS = 30,
};

enum {
    MAX_MESSAGE = 11,   /* Registers per payload. */
    SAMPLERS = 16,      /* Number of samplers that the descriptor can address. */
    SAMPLER_STATE = 16, /* Size in bytes. */
};

struct tex {
    nir_tex_instr *instr;
    struct lir_reg parts[I965_MAX_PARTS];
    unsigned num_parts;
    enum sampler_message message;
    bool header;
    uint32_t header_bits;      /* Third dword of the header: offsets and gather channel. */
    uint32_t surface, sampler; /* Constant parts of the indices. */
    struct lir_reg extra;      /* Scalar to add to the descriptor, or LIR_BAD. */
    struct lir_reg states; /* Scalar: byte offset of the group of sixteen sampler states in use. */
};

static bool has_src(const struct tex *t, nir_tex_src_type type)
{
    return nir_tex_instr_src_index(t->instr, type) >= 0;
}

static struct lir_reg tex_src(struct from_nir *c, const struct tex *t, nir_tex_src_type type,
                              unsigned component)
{
    int s = nir_tex_instr_src_index(t->instr, type);
    if (s < 0)
        return lir_imm_ud(0);
    const nir_src *src = &t->instr->src[s].src;
    return component < src->ssa->num_components ? i965_src(c, *src, component) : lir_imm_ud(0);
}

static bool is_const_zero(const struct tex *t, nir_tex_src_type type)
{
    int s = nir_tex_instr_src_index(t->instr, type);
    return s < 0 || (nir_src_is_const(t->instr->src[s].src) &&
                     nir_src_comp_as_uint(t->instr->src[s].src, 0) == 0);
}

static void add(struct tex *t, struct lir_reg part)
{
    if (t->num_parts < I965_MAX_PARTS)
        NEXT_OF(t->parts, t->num_parts) = part;
}

static unsigned coordinates(struct from_nir *c, const struct tex *t, struct lir_reg out[4])
{
    for (unsigned i = 0; i < 4; i++) /* Parameters past the last are zero. */
        out[i] = tex_src(c, t, nir_tex_src_coord, i);
    return t->instr->coord_components;
}

/* --- Parameters of each kind of message --- */

static void add_all(struct tex *t, const struct lir_reg *parts, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        add(t, parts[i]);
}

static void sample_parameters(struct from_nir *c, struct tex *t)
{
    struct lir_reg coord[4];
    unsigned n = coordinates(c, t, coord);
    bool shadow = t->instr->is_shadow;
    if (shadow)
        add(t, tex_src(c, t, nir_tex_src_comparator, 0));
    switch (t->instr->op) {
    case nir_texop_txb:
        t->message = shadow ? MSG_SAMPLE_B_C : MSG_SAMPLE_B;
        add(t, tex_src(c, t, nir_tex_src_bias, 0));
        break;
    case nir_texop_txl:
        if (c->p->dev->has_lz_messages && is_const_zero(t, nir_tex_src_lod)) {
            t->message = shadow ? MSG_SAMPLE_C_LZ : MSG_SAMPLE_LZ;
            break;
        }
        t->message = shadow ? MSG_SAMPLE_L_C : MSG_SAMPLE_L;
        add(t, tex_src(c, t, nir_tex_src_lod, 0));
        break;
    case nir_texop_lod:
        t->message = MSG_LOD;
        if (shadow)
            t->num_parts = 0;
        break;
    default:
        t->message = shadow ? MSG_SAMPLE_C : MSG_SAMPLE;
        break;
    }
    bool quads = c->p->stage == SHADER_FRAGMENT ||
                 (c->p->stage == SHADER_COMPUTE && c->nir->info.cs.derivative_group);
    if (t->instr->op == nir_texop_tex && !quads) {
        t->message = shadow ? MSG_SAMPLE_C_LZ : MSG_SAMPLE_LZ;
        if (!c->p->dev->has_lz_messages) {
            t->message = shadow ? MSG_SAMPLE_L_C : MSG_SAMPLE_L;
            add(t, lir_imm_ud(0));
        }
    }
    add_all(t, coord, n);
    if (has_src(t, nir_tex_src_min_lod)) {
        while (t->num_parts < (shadow ? 5u : 4u) + (t->instr->op == nir_texop_txb))
            add(t, lir_imm_ud(0));
        add(t, tex_src(c, t, nir_tex_src_min_lod, 0));
    }
}

/* Parameters are u, du/dx, du/dy, v, … */
static void gradient_parameters(struct from_nir *c, struct tex *t)
{
    struct lir_reg coord[4];
    unsigned n = coordinates(c, t, coord), derived = n - t->instr->is_array;
    if (t->instr->is_shadow)
        add(t, tex_src(c, t, nir_tex_src_comparator, 0));
    t->message = t->instr->is_shadow ? MSG_SAMPLE_D_C : MSG_SAMPLE_D;
    for (unsigned i = 0; i < n; i++) {
        add(t, coord[i]);
        if (i < derived) {
            add(t, tex_src(c, t, nir_tex_src_ddx, i));
            add(t, tex_src(c, t, nir_tex_src_ddy, i));
        }
    }
}

/* Parameters are u, v, level, layer. */
static void fetch_parameters(struct from_nir *c, struct tex *t)
{
    struct lir_reg coord[4];
    unsigned n = coordinates(c, t, coord);
    bool zero = c->p->dev->has_lz_messages && is_const_zero(t, nir_tex_src_lod);
    t->message = zero ? MSG_LD_LZ : MSG_LD;
    add(t, coord[0]);
    add(t, coord[1]);
    if (!zero)
        add(t, tex_src(c, t, nir_tex_src_lod, 0));
    if (n > 2)
        add(t, coord[2]);
}

/* Returns whether constant offsets fit in the header's fields. */
static bool fits_header(const nir_src *src)
{
    for (unsigned i = 0; i < src->ssa->num_components; i++) {
        int64_t offset = nir_src_comp_as_int(*src, i);
        if (offset < -8 || offset > 7)
            return false;
    }
    return true;
}

/* Returns whether a gather passes its offsets as parameters. */
static bool sends_offsets(const nir_tex_instr *tex)
{
    int s = nir_tex_instr_src_index(tex, nir_tex_src_offset);
    return tex->op == nir_texop_tg4 && s >= 0 &&
           !(nir_src_is_const(tex->src[s].src) && fits_header(&tex->src[s].src));
}

static void gather_parameters(struct from_nir *c, struct tex *t)
{
    struct lir_reg coord[4];
    unsigned n = coordinates(c, t, coord);
    bool variable = sends_offsets(t->instr);
    if (t->instr->is_shadow)
        add(t, tex_src(c, t, nir_tex_src_comparator, 0));
    t->message = t->instr->is_shadow ? (variable ? MSG_GATHER4_PO_C : MSG_GATHER4_C)
                                     : (variable ? MSG_GATHER4_PO : MSG_GATHER4);
    add_all(t, coord, MIN2(n, 2));
    if (variable) {
        add(t, tex_src(c, t, nir_tex_src_offset, 0));
        add(t, tex_src(c, t, nir_tex_src_offset, 1));
    }
    if (n > 2)
        add_all(t, coord + 2, n - 2);
    /* Shadow gathers always use the first channel. */
    t->header = true;
    t->header_bits |= (uint32_t)(t->instr->is_shadow ? 0 : t->instr->component) << 16;
}

/* Sets the header's offset fields: signed, four bits each; u, v, r from bit 11 downwards. */
static void constant_offsets(struct from_nir *c, struct tex *t)
{
    int s = nir_tex_instr_src_index(t->instr, nir_tex_src_offset);
    if (s < 0 || sends_offsets(t->instr))
        return;
    const nir_src *src = &t->instr->src[s].src;
    if (!nir_src_is_const(*src)) {
        lir_fail(c->p, "texture offsets that are no constants are not supported");
        return;
    }
    for (unsigned i = 0; i < src->ssa->num_components && i < 3; i++)
        t->header_bits |= ((uint32_t)nir_src_comp_as_int(*src, i) & 0xf) << (8 - 4 * i);
    t->header |= t->header_bits != 0;
}

/* --- The message --- */

/* Returns the variable part of an index, which must be uniform; LIR_BAD if there is none. */
static struct lir_reg add_index(struct from_nir *c, struct tex *t, nir_tex_src_type type,
                                uint32_t *constant)
{
    int s = nir_tex_instr_src_index(t->instr, type);
    if (s < 0)
        return lir_bad();
    const nir_src *src = &t->instr->src[s].src;
    if (!nir_src_is_const(*src))
        return lir_retype(i965_uniformize(c, i965_src_as(c, *src, 0, EU_TYPE_UD)), EU_TYPE_UD);
    *constant += (uint32_t)nir_src_as_uint(*src);
    return lir_bad();
}

static struct lir_reg scalar_alu(struct from_nir *c, unsigned op, struct lir_reg a,
                                 struct lir_reg b)
{
    unsigned width = c->exec_size;
    bool no_mask = c->no_mask;
    c->exec_size = 1;
    c->no_mask = true;
    struct lir_reg r = lir_scalar(i965_alu(c, op, EU_TYPE_UD, a, b), 0);
    c->exec_size = width;
    c->no_mask = no_mask;
    return r;
}

/* The descriptor addresses sixteen samplers; the header selects the group of sixteen. */
static void add_sampler(struct from_nir *c, struct tex *t, struct lir_reg index)
{
    if (index.file != LIR_BAD && c->data->sampler_count > SAMPLERS) {
        index = scalar_alu(c, EU_OPCODE_ADD, index, lir_imm_ud(t->sampler));
        t->states = scalar_alu(c, EU_OPCODE_AND, index, lir_imm_ud(~(SAMPLERS - 1u)));
        t->states = scalar_alu(c, EU_OPCODE_SHL, t->states, lir_imm_ud(4));
        index = scalar_alu(c, EU_OPCODE_AND, index, lir_imm_ud(SAMPLERS - 1));
        t->sampler = 0;
    } else if (t->sampler >= SAMPLERS) {
        t->states = lir_imm_ud(t->sampler / SAMPLERS * SAMPLERS * SAMPLER_STATE);
        t->sampler %= SAMPLERS;
    }
    if (index.file == LIR_BAD)
        return;
    index = scalar_alu(c, EU_OPCODE_SHL, index, lir_imm_ud(8));
    t->extra = t->extra.file == LIR_BAD ? index : scalar_alu(c, EU_OPCODE_ADD, index, t->extra);
}

static struct lir_reg message_header(struct from_nir *c, const struct tex *t)
{
    struct lir_reg header = i965_header(c, lir_imm_ud(t->header_bits));
    if (t->states.file != LIR_BAD) {
        struct lir_inst *add = i965_emit2(c, EU_OPCODE_ADD, lir_byte_offset(header, 12),
                                          lir_grf_scalar(0, 12, EU_TYPE_UD), t->states);
        add->exec_size = 1;
        add->group = 0;
        add->no_mask = true;
    }
    return header;
}

/* Sends the message for exec_size channels starting at `first`, and returns the registers of the
 * result. */
static struct lir_reg send_message(struct from_nir *c, struct tex *t, enum sampler_message message,
                                   const struct lir_reg *parts, unsigned num_parts, unsigned first,
                                   unsigned components)
{
    struct lir_reg channels[I965_MAX_PARTS];
    unsigned regs = c->exec_size / 8;
    struct lir_reg dst = lir_temp(c->p, c->exec_size, components, EU_TYPE_UD);
    for (unsigned i = 0; i < num_parts; i++)
        channels[i] = lir_channels(parts[i], first);
    uint32_t desc =
        t->surface | t->sampler << 8 | (uint32_t)message << 12 | (regs == 2 ? 2u : 1u) << 17;
    bool header = t->header || t->states.file != LIR_BAD;
    struct lir_reg payload = num_parts ? i965_payload(c, channels, num_parts) : lir_bad();
    struct lir_inst *inst;
    if (header)
        inst = i965_send(c, EU_SFID_SAMPLER, desc, dst, components * regs, message_header(c, t), 1,
                         payload, num_parts * regs);
    else
        inst = i965_send(c, EU_SFID_SAMPLER, desc, dst, components * regs, payload,
                         num_parts * regs, lir_bad(), 0);
    inst->header = header;
    inst->src[2] = t->extra;
    return dst;
}

static void fetch_multisample(struct from_nir *c, struct tex *t)
{
    struct lir_reg coord[4];
    unsigned n = coordinates(c, t, coord);
    bool wide = c->p->dev->has_wide_mcs;
    struct lir_reg mcs = send_message(c, t, MSG_LD_MCS, coord, n > 2 ? 3 : 2, 0, wide ? 4 : 1);
    t->message = wide ? MSG_LD2DMS_W : MSG_LD2DMS;
    add(t, tex_src(c, t, nir_tex_src_ms_index, 0));
    add(t, lir_component(mcs, c->exec_size, 0));
    if (wide)
        add(t, lir_component(mcs, c->exec_size, 1));
    add_all(t, coord, n);
}

/* Returns the number of leading components of the result that are read. */
static unsigned components_read(const nir_def *def)
{
    unsigned mask = nir_def_components_read(def), n = 1;
    for (unsigned i = 0; i < def->num_components; i++) {
        if (mask >> i & 1)
            n = i + 1;
    }
    return n;
}

static struct lir_reg send_all(struct from_nir *c, struct tex *t, unsigned components)
{
    unsigned width = c->exec_size, group = c->group, regs = width / 8;
    bool split = regs > 1 && (t->num_parts * regs > MAX_MESSAGE || t->message == MSG_SAMPLE_D ||
                              t->message == MSG_SAMPLE_D_C || t->message == MSG_GATHER4_PO_C);
    if (!split)
        return send_message(c, t, t->message, t->parts, t->num_parts, 0, components);
    struct lir_reg dst = lir_temp(c->p, width, components, EU_TYPE_UD);
    c->exec_size = 8;
    for (unsigned i = 0; i < width; i += 8) {
        c->group = group + i;
        struct lir_reg half = send_message(c, t, t->message, t->parts, t->num_parts, i, components);
        for (unsigned k = 0; k < components; k++)
            i965_emit1(c, EU_OPCODE_MOV, lir_channels(lir_component(dst, width, k), i),
                       lir_component(half, 8, k));
    }
    c->exec_size = width;
    c->group = group;
    return dst;
}

/* --- Queries --- */

static void texture_size(struct from_nir *c, struct tex *t, struct lir_reg *value)
{
    unsigned n = t->instr->def.num_components;
    t->message = MSG_RESINFO;
    add(t, tex_src(c, t, nir_tex_src_lod, 0));
    struct lir_reg dst = send_all(c, t, n);
    for (unsigned i = 0; i < n; i++)
        value[i] = lir_component(dst, c->exec_size, i);
}

/* No parameters: the header requests only the number of samples. */
static struct lir_reg texture_samples(struct from_nir *c, struct tex *t)
{
    enum { WITHOUT_GBA = 0xe000 };
    t->message = MSG_SAMPLEINFO;
    t->header = true;
    t->header_bits = WITHOUT_GBA;
    return send_message(c, t, t->message, NULL, 0, 0, 1);
}

void i965_from_tex(struct from_nir *c, nir_tex_instr *instr)
{
    struct tex t = {
        .instr = instr,
        .surface = c->data->binding_table.textures + instr->texture_index,
        .sampler =
            nir_tex_instr_is_query(instr) || instr->op == nir_texop_txf ? 0 : instr->sampler_index,
        .extra = lir_bad(),
        .states = lir_bad(),
    };
    struct lir_reg *value = i965_new_value(c, &instr->def), dst;
    unsigned n = components_read(&instr->def);

    for (unsigned i = 0; i < instr->def.num_components; i++)
        value[i] = lir_imm_ud(0);
    t.extra = add_index(c, &t, nir_tex_src_texture_offset, &t.surface);
    if (instr->op != nir_texop_txf && !nir_tex_instr_is_query(instr))
        add_sampler(c, &t, add_index(c, &t, nir_tex_src_sampler_offset, &t.sampler));
    constant_offsets(c, &t);
    switch (instr->op) {
    case nir_texop_tex:
    case nir_texop_txb:
    case nir_texop_txl:
    case nir_texop_lod:
        sample_parameters(c, &t);
        break;
    case nir_texop_txd:
        gradient_parameters(c, &t);
        break;
    case nir_texop_txf:
        fetch_parameters(c, &t);
        break;
    case nir_texop_txf_ms:
        fetch_multisample(c, &t);
        break;
    case nir_texop_tg4:
        gather_parameters(c, &t);
        break;
    case nir_texop_txs:
        texture_size(c, &t, value);
        return;
    case nir_texop_query_levels:
        t.message = MSG_RESINFO;
        add(&t, lir_imm_ud(0));
        value[0] = lir_component(send_all(c, &t, 4), c->exec_size, 3);
        return;
    case nir_texop_texture_samples:
        value[0] = texture_samples(c, &t);
        return;
    }
    dst = send_all(c, &t, n);
    for (unsigned i = 0; i < instr->def.num_components; i++)
        value[i] = lir_component(dst, c->exec_size, MIN2(i, n - 1));
}
