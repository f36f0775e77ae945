/* SPDX-License-Identifier: MIT */
/*
 * Scratch memory, for arrays that do not fit in registers. Dword d of channel c is at byte 4 * (d *
 * width + c) of the thread's scratch space; threads of 32 channels have two such spaces of 16
 * channels, one after the other. An access at a constant offset is therefore a block of whole
 * registers, transferred by one message (Skylake PRM, volume 7, "Scratch Block Read/Write"). Other
 * accesses transfer single dwords ("DWord Scattered Read/Write").
 */
#include "from_nir.h"

/* Message descriptors of data cache 0. */
enum {
    SCRATCH_BLOCK = 1 << 18,
    SCRATCH_BLOCK_WRITE = 1 << 17,
    SCRATCH_BLOCK_BY_DWORD = 1 << 16, /* Disabled channels are not written. */
    DWORD_SCATTERED_READ = 3 << 14,
    DWORD_SCATTERED_WRITE = 11 << 14,
};
enum { MAX_BLOCK = 8 /* Registers per message. */, MAX_BLOCK_OFFSET = 0xfff };

/* --- Blocks --- */

/* Returns the offset in dwords of the half being translated. */
static unsigned half_start(const struct from_nir *c)
{
    return c->first_channel * DIV_ROUND_UP(c->nir->scratch_size, 4);
}

/* Returns the number of dwords, at most n, that the next message transfers. */
static unsigned block_dwords(const struct from_nir *c, unsigned n)
{
    unsigned regs = c->exec_size / 8, dwords = MAX_BLOCK / regs;
    while (dwords > n)
        dwords /= 2;
    return dwords;
}

static uint32_t block_descriptor(const struct from_nir *c, unsigned dword, unsigned n)
{
    unsigned regs = c->exec_size / 8;
    return SCRATCH_BLOCK | (uint32_t)__builtin_ctz(n * regs) << 12 |
           (half_start(c) / 8 + dword * regs);
}

static void read_block(struct from_nir *c, unsigned first, unsigned n, struct lir_reg *dwords)
{
    for (unsigned i = 0; i < n;) {
        unsigned count = block_dwords(c, n - i);
        struct lir_reg dst = lir_temp(c->p, c->exec_size, count, EU_TYPE_UD);
        struct lir_inst *inst =
            i965_send(c, EU_SFID_DATA_CACHE0, block_descriptor(c, first + i, count), dst,
                      count * c->exec_size / 8, lir_grf(0, EU_TYPE_UD), 1, lir_bad(), 0);
        inst->header = true;
        inst->no_mask = true;
        inst->side_effects = true;
        for (unsigned k = 0; k < count; k++)
            dwords[i + k] = lir_component(dst, c->exec_size, k);
        i += count;
    }
}

static void write_block(struct from_nir *c, unsigned first, unsigned n,
                        const struct lir_reg *dwords)
{
    for (unsigned i = 0; i < n;) {
        unsigned count = block_dwords(c, n - i);
        uint32_t desc =
            block_descriptor(c, first + i, count) | SCRATCH_BLOCK_WRITE | SCRATCH_BLOCK_BY_DWORD;
        struct lir_reg payload = i965_payload(c, dwords + i, count);
        i965_send(c, EU_SFID_DATA_CACHE0, desc, lir_null(EU_TYPE_UD), 0, lir_grf(0, EU_TYPE_UD), 1,
                  payload, count * c->exec_size / 8)
            ->header = true;
        i += count;
    }
}

/* --- Scattered --- */

/* Returns a header with nothing but the thread's scratch offset. It is emitted at the start of the
 * program, where it dominates all uses. */
static struct lir_reg scattered_header(struct from_nir *c)
{
    if (c->scratch_header.file != LIR_BAD)
        return c->scratch_header;
    c->scratch_header = lir_vgrf(c->p, 1, EU_TYPE_UD);
    struct lir_inst *zero = lir_inst_create(c->p, EU_OPCODE_MOV, 8, c->scratch_header,
                                            lir_imm_ud(0), lir_bad(), lir_bad());
    struct lir_inst *base =
        lir_inst_create(c->p, EU_OPCODE_AND, 1, lir_byte_offset(c->scratch_header, 20),
                        lir_grf_scalar(0, 20, EU_TYPE_UD), lir_imm_ud(~0x3ffu), lir_bad());
    zero->no_mask = base->no_mask = true;
    list_add(&zero->node, &c->p->insts);
    list_add(&base->node, &zero->node);
    return c->scratch_header;
}

/* Returns each channel's address of dword 0 of the value, in dwords. */
static struct lir_reg scattered_address(struct from_nir *c, nir_src offset, unsigned base)
{
    struct lir_reg at = i965_offset_plus(c, offset, base), lanes = i965_lanes(c);
    unsigned shift = (unsigned)__builtin_ctz(c->exec_size);
    if (c->first_channel) /* lanes includes first_channel. */
        lanes = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, lanes,
                         lir_imm_ud(half_start(c) - c->first_channel));
    if (at.file == LIR_IMM)
        return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, lanes, lir_imm_ud(at.imm / 4 << shift));
    /* Computes offset / 4 << shift. */
    at = i965_alu(c, EU_OPCODE_AND, EU_TYPE_UD, at, lir_imm_ud(~3u));
    at = i965_alu(c, EU_OPCODE_SHL, EU_TYPE_UD, at, lir_imm_ud(shift - 2));
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, at, lanes);
}

/* Reads into dst if data is LIR_BAD. */
static void scattered_access(struct from_nir *c, struct lir_reg address, unsigned dword,
                             struct lir_reg data, struct lir_reg dst)
{
    bool write = data.file != LIR_BAD;
    unsigned regs = c->exec_size / 8, n = write ? 2 : 1;
    uint32_t desc = (write ? DWORD_SCATTERED_WRITE : DWORD_SCATTERED_READ) |
                    (regs == 2 ? 3u : 2u) << 8 | I965_BTI_STATELESS;
    if (dword)
        address = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, address, lir_imm_ud(dword * c->exec_size));
    struct lir_reg parts[2] = {address, data};
    struct lir_reg payload = i965_payload(c, parts, n);
    struct lir_inst *inst = i965_send(c, EU_SFID_DATA_CACHE0, desc, dst, write ? 0 : regs,
                                      scattered_header(c), 1, payload, n * regs);
    inst->header = true;
    inst->side_effects = true;
}

/* --- Instructions --- */

/* Returns whether the access is a block transfer; *first is its first dword. */
static bool is_block(const struct from_nir *c, nir_src offset, unsigned base, unsigned n,
                     unsigned *first)
{
    if (!nir_src_is_const(offset))
        return false;
    uint64_t at = nir_src_as_uint(offset) + base;
    *first = (unsigned)(at / 4);
    return at % 4 == 0 && half_start(c) / 8 + (at / 4 + n) * (c->exec_size / 8) <= MAX_BLOCK_OFFSET;
}

static void use_scratch(struct from_nir *c)
{
    uint64_t size = (uint64_t)c->nir->scratch_size * c->width;
    if (size > c->p->dev->max_scratch)
        lir_fail(c->p,
                 "arrays take %llu bytes of a thread's scratch memory, of %u that it can have",
                 (unsigned long long)size, c->p->dev->max_scratch);
    else
        c->p->scratch_size = MAX2(c->p->scratch_size, (unsigned)size);
}

void i965_load_scratch(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def), dwords[I965_MAX_DWORDS];
    unsigned n = intr->def.num_components * i965_dwords_of(c, &intr->def), first;
    use_scratch(c);
    if (is_block(c, intr->src[0], nir_intrinsic_base(intr), n, &first)) {
        read_block(c, first, n, dwords);
    } else {
        struct lir_reg address = scattered_address(c, intr->src[0], nir_intrinsic_base(intr));
        for (unsigned i = 0; i < n; i++) {
            dwords[i] = i965_temp(c, EU_TYPE_UD);
            scattered_access(c, address, i, lir_bad(), dwords[i]);
        }
    }
    if (n)
        i965_from_dwords(c, &intr->def, dwords, value);
}

void i965_store_scratch(struct from_nir *c, nir_intrinsic_instr *intr)
{
    const nir_def *def = intr->src[0].ssa;
    unsigned per = i965_dwords_of(c, def), n = def->num_components * per, first;
    unsigned mask = nir_intrinsic_write_mask(intr), base = nir_intrinsic_base(intr);
    struct lir_reg data[I965_MAX_DWORDS], address = lir_bad();
    bool block = is_block(c, intr->src[1], base, n, &first);
    use_scratch(c);
    if (!block)
        address = scattered_address(c, intr->src[1], base);
    for (unsigned i = 0; i < n;) { /* One run of written components per iteration. */
        unsigned run = 0;
        while (i + run < n && mask >> (i + run) / per & 1) {
            struct lir_reg r = i965_src(c, intr->src[0], (i + run) / per);
            data[run] = per == 2 ? i965_unpack_64(c, r, (i + run) % 2) : r;
            run++;
        }
        if (block)
            write_block(c, first + i, run, data);
        for (unsigned k = 0; k < run && !block; k++)
            scattered_access(c, address, i + k, data[k], lir_null(EU_TYPE_UD));
        i += MAX2(run, 1);
    }
}
