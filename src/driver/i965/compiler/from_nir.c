/* SPDX-License-Identifier: MIT */
/* Translation of NIR to LIR: emission, values and control flow. */
#include "from_nir.h"

#include <stdlib.h>
#include <string.h>

/* --- Emission --- */

struct lir_inst *i965_emit(struct from_nir *c, unsigned op, struct lir_reg dst, struct lir_reg src0,
                           struct lir_reg src1, struct lir_reg src2)
{
    struct lir_inst *inst = lir_inst_create(c->p, op, c->exec_size, dst, src0, src1, src2);
    inst->group = (uint8_t)c->group;
    inst->no_mask = c->no_mask;
    inst->comment = c->comment;
    list_addtail(&inst->node, &c->p->insts);
    return inst;
}

void i965_undef(struct from_nir *c, struct lir_reg r)
{
    i965_emit(c, LIR_OP_UNDEF, r, lir_bad(), lir_bad(), lir_bad())->rlen =
        (uint8_t)c->p->vgrfs.data[r.nr].size;
}

struct lir_reg i965_temp(struct from_nir *c, enum eu_type type)
{
    struct lir_reg r = lir_temp(c->p, c->exec_size, 1, type);
    if (c->exec_size * lir_type_size(type) < LIR_REG_SIZE)
        i965_undef(c, r);
    return r;
}

/* Emitted at the start of the program, where it dominates all uses; dead-code elimination removes
 * it if unused. */
struct lir_reg i965_lanes(struct from_nir *c)
{
    if (c->lanes.file != LIR_BAD)
        return lir_channels(c->lanes, c->first_channel);
    c->lanes = lir_vgrf(c->p, c->width > 16 ? 2 : 1, EU_TYPE_UW);
    struct lir_inst *low = lir_inst_create(c->p, EU_OPCODE_MOV, 16, c->lanes,
                                           lir_imm(0x76543210, EU_TYPE_V), lir_bad(), lir_bad());
    low->no_mask = true;
    list_add(&low->node, &c->p->insts);
    struct list_head *at = &low->node;
    for (unsigned n = 8; n < c->width; n *= 2) { /* Doubles the number of channels. */
        struct lir_inst *high = lir_inst_create(c->p, EU_OPCODE_ADD, n, lir_channels(c->lanes, n),
                                                c->lanes, lir_imm(n, EU_TYPE_UW), lir_bad());
        high->no_mask = true;
        list_add(&high->node, at);
        at = &high->node;
    }
    return lir_channels(c->lanes, c->first_channel);
}

struct lir_reg i965_mov(struct from_nir *c, enum eu_type type, struct lir_reg src)
{
    struct lir_reg dst = i965_temp(c, type);
    i965_emit1(c, EU_OPCODE_MOV, dst, src);
    return dst;
}

struct lir_reg i965_without_modifiers(struct from_nir *c, struct lir_reg r)
{
    return r.negate || r.abs ? i965_mov(c, r.type, r) : r;
}

static bool is_commutative(unsigned op)
{
    return op == EU_OPCODE_ADD || op == EU_OPCODE_MUL || op == EU_OPCODE_AND ||
           op == EU_OPCODE_OR || op == EU_OPCODE_XOR;
}

struct lir_reg i965_alu(struct from_nir *c, unsigned op, enum eu_type type, struct lir_reg src0,
                        struct lir_reg src1)
{
    struct lir_reg dst = i965_temp(c, type);
    if (src0.file == LIR_IMM && src1.file != LIR_BAD) {
        if (is_commutative(op) && src1.file != LIR_IMM) {
            struct lir_reg t = src0;
            src0 = src1;
            src1 = t;
        } else {
            src0 = i965_mov(c, src0.type, src0);
        }
    }
    i965_emit2(c, op, dst, src0, src1);
    return dst;
}

/* Returns the modifier for swapped operands. */
static enum eu_cmod swap_cmod(enum eu_cmod cmod)
{
    switch (cmod) {
    case EU_CMOD_G:
        return EU_CMOD_L;
    case EU_CMOD_GE:
        return EU_CMOD_LE;
    case EU_CMOD_L:
        return EU_CMOD_G;
    case EU_CMOD_LE:
        return EU_CMOD_GE;
    default:
        return cmod;
    }
}

enum eu_cmod i965_negate_cmod(enum eu_cmod cmod)
{
    switch (cmod) {
    case EU_CMOD_Z:
        return EU_CMOD_NZ;
    case EU_CMOD_NZ:
        return EU_CMOD_Z;
    case EU_CMOD_G:
        return EU_CMOD_LE;
    case EU_CMOD_GE:
        return EU_CMOD_L;
    case EU_CMOD_L:
        return EU_CMOD_GE;
    case EU_CMOD_LE:
        return EU_CMOD_G;
    default:
        return cmod;
    }
}

struct lir_inst *i965_cmp(struct from_nir *c, struct lir_reg dst, struct lir_reg a,
                          struct lir_reg b, enum eu_cmod cmod)
{
    if (a.file == LIR_IMM && b.file == LIR_IMM) {
        a = i965_mov(c, a.type, a);
    } else if (a.file == LIR_IMM) {
        struct lir_reg t = a;
        a = b;
        b = t;
        cmod = swap_cmod(cmod);
    }
    struct lir_inst *inst = i965_emit2(c, EU_OPCODE_CMP, dst, a, b);
    inst->cmod = cmod;
    inst->flag = I965_FLAG_CONDITION;
    return inst;
}

struct lir_reg i965_broadcast(struct from_nir *c, struct lir_reg src, struct lir_reg channel)
{
    if (src.file == LIR_IMM || (!src.stride && !src.region))
        return src;
    src = i965_without_modifiers(c, src);
    if (src.file != LIR_VGRF)
        src = i965_mov(c, src.type, src);
    struct lir_reg dst = lir_scalar(lir_vgrf(c->p, 1, src.type), 0);
    i965_undef(c, dst);
    i965_emit2(c, LIR_OP_BROADCAST, dst, src, channel)->no_mask = true;
    return dst;
}

/* Which channel is read does not matter, because all of them have the same value. */
struct lir_reg i965_uniformize(struct from_nir *c, struct lir_reg src)
{
    if (src.file == LIR_IMM || (!src.stride && !src.region))
        return src;
    struct lir_reg channel = lir_scalar(lir_vgrf(c->p, 1, EU_TYPE_UD), 0);
    i965_undef(c, channel);
    struct lir_inst *first =
        i965_emit1(c, EU_OPCODE_FBL, channel, lir_arf(EU_ARF_CHANNEL_ENABLE, EU_TYPE_UD));
    first->no_mask = true;
    first->exec_size = 1;
    return i965_broadcast(c, src, channel);
}

/* --- Values --- */

struct lir_reg *i965_new_value(struct from_nir *c, const nir_def *def)
{
    struct lir_reg *value = talloc_zero_array(c, struct lir_reg, def->num_components);
    c->values[def->index] = value;
    return value;
}

static struct lir_reg constant(const nir_src *src, unsigned component)
{
    unsigned bits = src->ssa->bit_size;
    uint64_t v = nir_src_comp_as_uint(*src, component);
    if (bits == 1)
        v = v ? ~0u : 0;
    return lir_imm_ud((uint32_t)v);
}

struct lir_reg i965_src(struct from_nir *c, nir_src src, unsigned component)
{
    if (src.ssa->bit_size == 64 && (nir_src_is_const(src) || nir_src_is_undef(src))) {
        uint64_t v = nir_src_is_const(src) ? nir_src_comp_as_uint(src, component) : 0;
        return i965_pack_64(c, lir_imm_ud((uint32_t)v), lir_imm_ud((uint32_t)(v >> 32)));
    }
    if (nir_src_is_const(src))
        return constant(&src, component);
    if (nir_src_is_undef(src))
        return lir_imm_ud(0);
    const struct lir_reg *value = c->values[src.ssa->index];
    if (!value || component >= src.ssa->num_components) {
        lir_fail(c->p, "a value has no definition");
        return lir_imm_ud(0);
    }
    return lir_channels(value[component], c->first_channel);
}

struct lir_reg i965_src_as(struct from_nir *c, nir_src src, unsigned component, enum eu_type type)
{
    struct lir_reg r = i965_src(c, src, component);
    bool both_int = (r.type == EU_TYPE_D || r.type == EU_TYPE_UD) &&
                    (type == EU_TYPE_D || type == EU_TYPE_UD) && !r.abs;
    if ((r.negate || r.abs) && r.type != type && !(both_int && type == EU_TYPE_D))
        r = i965_without_modifiers(c, r);
    return lir_retype(r, type);
}

/* --- Messages --- */

struct lir_reg i965_payload(struct from_nir *c, const struct lir_reg *parts, unsigned n)
{
    unsigned regs = MAX2(c->exec_size / 8, 1);
    struct lir_reg payload = lir_vgrf(c->p, n * regs, EU_TYPE_UD);
    bool holes = false;
    for (unsigned i = 0; i < n; i++)
        holes |= parts[i].file == LIR_BAD;
    if (holes)
        i965_undef(c, payload);
    for (unsigned i = 0; i < n; i++) {
        if (parts[i].file == LIR_BAD)
            continue;
        struct lir_reg dst = lir_byte_offset(payload, i * regs * LIR_REG_SIZE);
        i965_emit1(c, EU_OPCODE_MOV, lir_retype(dst, parts[i].type), parts[i]);
    }
    return payload;
}

struct lir_reg i965_header(struct from_nir *c, struct lir_reg dword2)
{
    struct lir_reg header = lir_vgrf(c->p, 1, EU_TYPE_UD);
    struct lir_inst *copy = i965_emit1(c, EU_OPCODE_MOV, header, lir_grf(0, EU_TYPE_UD));
    copy->exec_size = 8;
    copy->group = 0;
    copy->no_mask = true;
    if (dword2.file != LIR_BAD) {
        struct lir_inst *set = i965_emit1(c, EU_OPCODE_MOV, lir_byte_offset(header, 8), dword2);
        set->exec_size = 1;
        set->group = 0;
        set->no_mask = true;
    }
    return header;
}

struct lir_inst *i965_send(struct from_nir *c, enum eu_sfid sfid, uint32_t desc, struct lir_reg dst,
                           unsigned rlen, struct lir_reg payload, unsigned mlen,
                           struct lir_reg payload2, unsigned ex_mlen)
{
    struct lir_inst *inst = i965_emit(c, ex_mlen ? EU_OPCODE_SENDS : EU_OPCODE_SEND, dst, payload,
                                      ex_mlen ? payload2 : lir_bad(), lir_bad());
    inst->sfid = sfid;
    inst->desc = desc;
    inst->mlen = (uint8_t)mlen;
    inst->ex_mlen = (uint8_t)ex_mlen;
    inst->rlen = (uint8_t)rlen;
    inst->side_effects = rlen == 0;
    return inst;
}

void i965_predicate_live(struct from_nir *c, struct lir_inst *inst)
{
    if (c->p->stage != SHADER_FRAGMENT || !c->live_flag)
        return;
    inst->predicate = EU_PREDICATE_NORMAL;
    inst->flag = I965_FLAG_LIVE;
}

/* --- NIR registers --- */

static void declare_register(struct from_nir *c, nir_intrinsic_instr *intr)
{
    unsigned n = nir_intrinsic_num_components(intr);
    if (nir_intrinsic_num_array_elems(intr))
        lir_fail(c->p, "arrays of registers are not supported");
    struct lir_reg *value = i965_new_value(c, &intr->def);
    unsigned bits = nir_intrinsic_bit_size(intr);
    if (bits != 64 && bits != 32 && bits != 1)
        lir_fail(c->p, "variables of %u bits are not supported", bits);
    value[0] = lir_temp(c->p, c->width, n, bits == 64 ? EU_TYPE_UQ : EU_TYPE_UD);
    i965_undef(c, value[0]);
}

static void load_register(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    struct lir_reg reg = c->values[intr->src[0].ssa->index][0];
    for (unsigned i = 0; i < intr->def.num_components; i++) {
        struct lir_reg from = lir_component(reg, c->width, i);
        value[i] = i965_temp(c, reg.type);
        if (reg.type == EU_TYPE_UQ)
            i965_move_64(c, value[i], from);
        else
            i965_emit1(c, EU_OPCODE_MOV, value[i], from);
    }
}

static void store_register(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg reg = c->values[intr->src[1].ssa->index][0];
    unsigned mask = nir_intrinsic_write_mask(intr);
    for (unsigned i = 0; i < intr->src[0].ssa->num_components; i++) {
        if (!(mask >> i & 1))
            continue;
        struct lir_reg src = i965_src(c, intr->src[0], i);
        struct lir_reg dst = lir_component(reg, c->width, i);
        if (reg.type == EU_TYPE_UQ)
            i965_move_64(c, dst, src);
        else
            i965_emit1(c, EU_OPCODE_MOV, lir_retype(dst, src.type), src);
    }
}

static void from_intrinsic(struct from_nir *c, nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_decl_reg:
        declare_register(c, intr);
        return;
    case nir_intrinsic_load_reg:
        load_register(c, intr);
        return;
    case nir_intrinsic_store_reg:
        store_register(c, intr);
        return;
    default:
        break;
    }
    if (i965_from_memory(c, intr) || i965_from_stage(c, intr))
        return;
    lir_fail(c->p, "intrinsic %s is not supported", nir_intrinsic_infos[intr->intrinsic].name);
    if (nir_intrinsic_infos[intr->intrinsic].has_dest) {
        struct lir_reg *value = i965_new_value(c, &intr->def);
        for (unsigned i = 0; i < intr->def.num_components; i++)
            value[i] = lir_imm_ud(0);
    }
}

/* --- Control flow --- */

static void from_jump(struct from_nir *c, nir_jump_instr *jump)
{
    switch (jump->type) {
    case nir_jump_break:
        i965_emit(c, EU_OPCODE_BREAK, lir_bad(), lir_bad(), lir_bad(), lir_bad());
        break;
    case nir_jump_continue:
        i965_emit(c, EU_OPCODE_CONT, lir_bad(), lir_bad(), lir_bad(), lir_bad());
        break;
    default:
        lir_fail(c->p, "jump that is neither break nor continue");
        break;
    }
}

/* --- Messages for 32 channels, in two halves: messages have at most 16 channels --- */

/* Returns the source of a message that must be uniform (surface or sampler index). */
static const nir_src *surface_source(const nir_instr *instr, unsigned n)
{
    if (instr->type == nir_instr_type_tex) {
        const nir_tex_instr *tex = nir_instr_as_tex((nir_instr *)instr);
        if (n >= tex->num_srcs)
            return NULL;
        bool offset = tex->src[n].src_type == nir_tex_src_texture_offset ||
                      tex->src[n].src_type == nir_tex_src_sampler_offset;
        return offset ? &tex->src[n].src : NULL;
    }
    const nir_intrinsic_instr *intr = nir_instr_as_intrinsic((nir_instr *)instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_store_ssbo:
        return n == 1 ? &intr->src[1] : NULL;
    case nir_intrinsic_load_ubo:
    case nir_intrinsic_load_ssbo:
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
    case nir_intrinsic_get_ssbo_size:
    case nir_intrinsic_image_load:
    case nir_intrinsic_image_store:
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_image_atomic_swap:
    case nir_intrinsic_image_size:
        return n == 0 ? &intr->src[0] : NULL;
    default:
        return NULL;
    }
}

static bool is_message(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return instr->type == nir_instr_type_tex;
    const nir_intrinsic_instr *intr = nir_instr_as_intrinsic((nir_instr *)instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_load_uniform:
    case nir_intrinsic_load_ubo:
    case nir_intrinsic_load_ssbo:
        return !i965_is_block_load(intr);
    case nir_intrinsic_store_ssbo:
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
    case nir_intrinsic_get_ssbo_size:
    case nir_intrinsic_load_shared:
    case nir_intrinsic_store_shared:
    case nir_intrinsic_shared_atomic:
    case nir_intrinsic_shared_atomic_swap:
    case nir_intrinsic_load_scratch:
    case nir_intrinsic_store_scratch:
    case nir_intrinsic_image_load:
    case nir_intrinsic_image_store:
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_image_atomic_swap:
    case nir_intrinsic_image_size:
    case nir_intrinsic_load_num_workgroups:
        return true;
    default:
        return false;
    }
}

static void from_message(struct from_nir *c, nir_instr *instr)
{
    if (instr->type == nir_instr_type_tex)
        i965_from_tex(c, nir_instr_as_tex(instr));
    else
        from_intrinsic(c, nir_instr_as_intrinsic(instr));
}

/* Combines the halves' values into one for 32 channels. */
static struct lir_reg join_halves(struct from_nir *c, struct lir_reg low, struct lir_reg high)
{
    if (lir_reg_equal(&low, &high) && (low.file == LIR_IMM || !low.stride))
        return low;
    struct lir_reg dst = lir_temp(c->p, c->width, 1, low.type);
    const struct lir_reg halves[] = {low, high};
    for (unsigned i = 0; i < 2; i++) {
        c->group = 16 * i;
        struct lir_reg to = lir_channels(dst, 16 * i);
        if (lir_type_size(dst.type) == 8)
            i965_move_64(c, to, halves[i]);
        else
            i965_emit1(c, EU_OPCODE_MOV, to, halves[i]);
    }
    return dst;
}

static void from_message_in_halves(struct from_nir *c, nir_instr *instr)
{
    nir_def *def = nir_instr_def(instr);
    const struct lir_reg *results[2] = {NULL, NULL};
    struct lir_reg *saved[8], one[8];
    /* Surface and sampler indices are made uniform for both halves, from any of the 32 channels. */
    for (unsigned n = 0; n < 8; n++) {
        const nir_src *src = surface_source(instr, n);
        saved[n] = NULL;
        if (!src || nir_src_is_const(*src) || !c->values[src->ssa->index])
            continue;
        saved[n] = c->values[src->ssa->index];
        one[n] = i965_uniformize(c, saved[n][0]);
        c->values[src->ssa->index] = &one[n];
    }
    c->exec_size = 16;
    for (unsigned half = 0; half < 2; half++) {
        c->group = c->first_channel = 16 * half;
        from_message(c, instr);
        results[half] = def ? c->values[def->index] : NULL;
    }
    c->first_channel = 0;
    for (unsigned n = 8; n-- > 0;) {
        const nir_src *src = surface_source(instr, n);
        if (src && saved[n])
            c->values[src->ssa->index] = saved[n];
    }
    if (results[0] && results[1]) {
        struct lir_reg *value = i965_new_value(c, def);
        for (unsigned i = 0; i < def->num_components; i++)
            value[i] = join_halves(c, results[0][i], results[1][i]);
    }
    c->exec_size = c->width;
    c->group = 0;
}

static const char *text_of(struct from_nir *c, const nir_instr *instr)
{
    char *text = NULL, *copy;
    size_t size = 0;
    FILE *fp = open_memstream(&text, &size);
    if (!fp)
        return NULL;
    nir_print_instr(instr, fp);
    fclose(fp);
    copy = talloc_strndup(c->p, text, strcspn(text, "\n"));
    free(text);
    return copy;
}

static void from_block(struct from_nir *c, nir_block *block)
{
    c->block_reads.count = 0;
    nir_foreach_instr (instr, block) {
        if (c->comments)
            c->comment = text_of(c, instr);
        if (c->width > 16 && is_message(instr)) {
            from_message_in_halves(c, instr);
            continue;
        }
        switch (instr->type) {
        case nir_instr_type_alu:
            i965_from_alu(c, nir_instr_as_alu(instr));
            break;
        case nir_instr_type_intrinsic:
            from_intrinsic(c, nir_instr_as_intrinsic(instr));
            break;
        case nir_instr_type_tex:
            i965_from_tex(c, nir_instr_as_tex(instr));
            break;
        case nir_instr_type_jump:
            from_jump(c, nir_instr_as_jump(instr));
            break;
        case nir_instr_type_load_const:
        case nir_instr_type_undef:
            break;
        default:
            lir_fail(c->p, "instruction of an unexpected kind");
            break;
        }
    }
    i965_end_block_write(c);
}

static void from_cf_list(struct from_nir *c, struct list_head *list);

static bool is_empty_list(struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type != nir_cf_node_block ||
            !list_is_empty(&nir_cf_node_as_block(node)->instr_list))
            return false;
    }
    return true;
}

/* Returns the jump if the list contains nothing else; otherwise NULL. */
static nir_jump_instr *only_jump(struct list_head *list)
{
    nir_block *block = nir_cf_node_as_block(list_first_entry(list, nir_cf_node, node));
    nir_instr *first = nir_block_first_instr(block);
    if (!first || first->type != nir_instr_type_jump)
        return NULL;
    return nir_instr_as_jump(first);
}

/* Returns the discard if the list contains nothing else; otherwise NULL. */
static nir_intrinsic_instr *only_discard(struct list_head *list)
{
    nir_cf_node *first = list_first_entry(list, nir_cf_node, node);
    nir_instr *instr = nir_block_first_instr(nir_cf_node_as_block(first));
    if (!list_is_singular(list) || !instr || instr->type != nir_instr_type_intrinsic ||
        instr != nir_block_last_instr(nir_cf_node_as_block(first)))
        return NULL;
    nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    bool discards = intr->intrinsic == nir_intrinsic_discard ||
                    intr->intrinsic == nir_intrinsic_terminate ||
                    intr->intrinsic == nir_intrinsic_demote;
    return discards ? intr : NULL;
}

static void from_if(struct from_nir *c, nir_if *nif)
{
    bool inverse, then_empty = is_empty_list(&nif->then_list);
    bool else_empty = is_empty_list(&nif->else_list);
    nir_jump_instr *jump = only_jump(&nif->then_list);
    bool jump_else = false;
    if (!jump && then_empty) {
        jump = only_jump(&nif->else_list);
        jump_else = true;
    }
    if (then_empty && else_empty)
        return;
    if (else_empty && only_discard(&nif->then_list)) {
        nir_intrinsic_instr *intr = only_discard(&nif->then_list);
        i965_discard(c, &nif->condition, intr->intrinsic != nir_intrinsic_demote);
        return;
    }
    i965_condition(c, nif->condition, &inverse);
    if (jump && (jump_else || else_empty)) {
        from_jump(c, jump);
        struct lir_inst *inst = list_last_entry(&c->p->insts, struct lir_inst, node);
        inst->predicate = EU_PREDICATE_NORMAL;
        inst->predicate_inverse = inverse != jump_else;
        return;
    }
    struct lir_inst *if_inst =
        i965_emit(c, EU_OPCODE_IF, lir_bad(), lir_bad(), lir_bad(), lir_bad());
    if_inst->predicate = EU_PREDICATE_NORMAL;
    if_inst->predicate_inverse = inverse != then_empty;
    c->nesting++;
    from_cf_list(c, then_empty ? &nif->else_list : &nif->then_list);
    if (!then_empty && !else_empty) {
        i965_emit(c, EU_OPCODE_ELSE, lir_bad(), lir_bad(), lir_bad(), lir_bad());
        from_cf_list(c, &nif->else_list);
    }
    c->nesting--;
    i965_emit(c, EU_OPCODE_ENDIF, lir_bad(), lir_bad(), lir_bad(), lir_bad());
}

static void from_loop(struct from_nir *c, nir_loop *loop)
{
    i965_emit(c, LIR_OP_DO, lir_bad(), lir_bad(), lir_bad(), lir_bad());
    c->p->loops++;
    c->nesting++;
    from_cf_list(c, &loop->body);
    c->nesting--;
    i965_emit(c, EU_OPCODE_WHILE, lir_bad(), lir_bad(), lir_bad(), lir_bad());
}

static void from_cf_list(struct from_nir *c, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        switch (node->type) {
        case nir_cf_node_block:
            from_block(c, nir_cf_node_as_block(node));
            break;
        case nir_cf_node_if:
            from_if(c, nir_cf_node_as_if(node));
            break;
        case nir_cf_node_loop:
            from_loop(c, nir_cf_node_as_loop(node));
            break;
        default:
            break;
        }
    }
}

struct lir_program *i965_from_nir(void *mem_ctx, const struct i965_device *dev,
                                  const nir_shader *nir, const struct i965_prog_data *data,
                                  const struct i965_key *key, unsigned width, bool comments,
                                  unsigned *dispatch_grf_start)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    struct lir_program *p = talloc_zero(mem_ctx, struct lir_program);
    struct from_nir *c = talloc_zero(p, struct from_nir);
    p->dev = dev;
    p->stage = nir->info.stage;
    p->width = width;
    p->vgrfs.mem_ctx = p;
    list_init(&p->insts);
    *c = (struct from_nir){.p = p,
                           .nir = nir,
                           .data = data,
                           .key = key,
                           .width = width,
                           .exec_size = width,
                           .comments = comments};
    c->wide_constants.mem_ctx = c->block_reads.mem_ctx = c;
    c->values = talloc_zero_array(c, struct lir_reg *, MAX2(impl->ssa_alloc, 1));
    i965_setup_payload(c);
    *dispatch_grf_start = c->push_grf;
    if (p->payload_regs > dev->grf_count) {
        lir_fail(p, "the thread's payload takes %u registers, more than %u", p->payload_regs,
                 dev->grf_count);
    } else {
        i965_find_chains(c, impl);
        i965_start_stage(c);
        from_cf_list(c, &impl->body);
        c->comment = comments ? "end of the thread" : NULL;
        i965_end_stage(c);
    }
    talloc_free(c);
    return p;
}
