/* SPDX-License-Identifier: MIT */
/*
 * Uniforms, blocks, shared memory and images. Values come from push constants or from messages to
 * the data port (Skylake PRM, volume 7, "Data Port"): untyped and typed surface accesses and
 * atomics (data cache 1), and block reads (constant cache).
 */
#include "from_nir.h"

#include "util/check.h"

#include <string.h>

/* Message types of data cache 1; bits 18:14 of the descriptor. */
enum {
    DC1_UNTYPED_READ = 1 << 14,
    DC1_UNTYPED_ATOMIC = 2 << 14,
    DC1_TYPED_READ = 5 << 14,
    DC1_TYPED_ATOMIC = 6 << 14,
    DC1_UNTYPED_WRITE = 9 << 14,
    DC1_TYPED_WRITE = 13 << 14,
    DC1_UNTYPED_ATOMIC_FLOAT = 27 << 14,
    DC1_RETURN_DATA = 1 << 13,
};
/* Message types of data cache 0; bits 17:14 of the descriptor. */
enum {
    DC0_BLOCK_READ = 0 << 14,
    DC0_MEMORY_FENCE = 7 << 14,
    DC0_BLOCK_WRITE = 8 << 14,
    DC0_FENCE_COMMIT = 1 << 13,
};
enum { GATEWAY_BARRIER = 4, BLOCK_2_OWORDS = 2 << 8, BLOCK_4_OWORDS = 3 << 8 };
enum { BLOCK_BYTES = 64, BLOCK_DWORDS = BLOCK_BYTES / 4, OWORD_BYTES = 16 };

/* Returns the channel mask field for n components; set bits disable components. */
static uint32_t channel_mask(unsigned n)
{
    return (~((1u << n) - 1) & 0xf) << 8;
}

/* Returns the SIMD mode field: 1 for SIMD16, 2 for SIMD8. */
static uint32_t untyped_mode(const struct from_nir *c)
{
    return (c->exec_size == 16 ? 1u : 2u) << 12;
}

/* A surface: a constant index plus a scalar that is added to the descriptor. */
struct surface {
    uint32_t index;
    struct lir_reg extra;
};

static struct surface surface_of(struct from_nir *c, unsigned first, nir_src index)
{
    if (nir_src_is_const(index))
        return (struct surface){first + (unsigned)nir_src_as_uint(index), lir_bad()};
    struct lir_reg i = i965_uniformize(c, i965_src_as(c, index, 0, EU_TYPE_UD));
    return (struct surface){first, lir_retype(i, EU_TYPE_UD)};
}

static struct surface storage_surface(struct from_nir *c, nir_src index)
{
    return surface_of(c, c->data->binding_table.storage_blocks, index);
}

static struct lir_inst *surface_send(struct from_nir *c, const struct surface *s, uint32_t desc,
                                     struct lir_reg dst, unsigned rlen, struct lir_reg address,
                                     unsigned mlen, struct lir_reg data, unsigned ex_mlen)
{
    struct lir_inst *inst =
        i965_send(c, EU_SFID_DATA_CACHE1, desc | s->index, dst, rlen, address, mlen, data, ex_mlen);
    inst->src[2] = s->extra;
    return inst;
}

static struct lir_reg address_register(struct from_nir *c, struct lir_reg address)
{
    return i965_payload(c, &address, 1);
}

/* Reads n dwords, starting at a byte address, into value. */
static struct lir_inst *untyped_read(struct from_nir *c, const struct surface *s,
                                     struct lir_reg address, unsigned n, struct lir_reg *value)
{
    unsigned regs = c->exec_size / 8;
    struct lir_reg dst = lir_temp(c->p, c->exec_size, n, EU_TYPE_UD);
    struct lir_inst *inst =
        surface_send(c, s, DC1_UNTYPED_READ | untyped_mode(c) | channel_mask(n), dst, n * regs,
                     address_register(c, lir_retype(address, EU_TYPE_UD)), regs, lir_bad(), 0);
    for (unsigned i = 0; i < n; i++)
        value[i] = lir_component(dst, c->exec_size, i);
    return inst;
}

static void untyped_write(struct from_nir *c, const struct surface *s, struct lir_reg address,
                          const struct lir_reg *data, unsigned n)
{
    unsigned regs = c->exec_size / 8;
    struct lir_reg a = address_register(c, lir_retype(address, EU_TYPE_UD));
    struct lir_reg d = i965_payload(c, data, n);
    i965_predicate_live(c, surface_send(c, s, DC1_UNTYPED_WRITE | untyped_mode(c) | channel_mask(n),
                                        lir_null(EU_TYPE_UD), 0, a, regs, d, n * regs));
}

unsigned i965_dwords_of(struct from_nir *c, const nir_def *def)
{
    if (def->bit_size == 32 || def->bit_size == 1)
        return 1;
    if (def->bit_size == 64)
        return 2;
    lir_fail(c->p, "memory accesses of %u bits are not supported", def->bit_size);
    return 0;
}

void i965_from_dwords(struct from_nir *c, const nir_def *def, const struct lir_reg *dwords,
                      struct lir_reg *value)
{
    for (unsigned i = 0; i < def->num_components; i++)
        value[i] =
            def->bit_size == 64 ? i965_pack_64(c, dwords[2 * i], dwords[2 * i + 1]) : dwords[i];
}

struct lir_reg i965_offset_plus(struct from_nir *c, nir_src src, unsigned add)
{
    struct lir_reg offset = i965_src_as(c, src, 0, EU_TYPE_D);
    if (offset.file == LIR_IMM)
        return lir_imm_ud(offset.imm + add);
    if (!add)
        return lir_retype(i965_without_modifiers(c, offset), EU_TYPE_UD);
    return lir_retype(i965_alu(c, EU_OPCODE_ADD, EU_TYPE_D, offset, lir_imm_d((int)add)),
                      EU_TYPE_UD);
}

/* --- Blocks: messages with one address for all channels --- */

static void block_message(struct lir_inst *inst, const struct surface *s)
{
    inst->header = true;
    inst->no_mask = true;
    inst->exec_size = 16;
    inst->group = 0;
    inst->src[2] = s->extra;
}

/* Reads the block at an offset, which is a multiple of 16. Constants come from a cache that does
 * not see what shaders write. */
static struct lir_reg read_block(struct from_nir *c, const struct surface *s, unsigned offset,
                                 bool is_storage)
{
    struct lir_reg dst = lir_vgrf(c->p, BLOCK_BYTES / LIR_REG_SIZE, EU_TYPE_UD);
    struct lir_reg header = i965_header(c, lir_imm_ud(offset / OWORD_BYTES));
    struct lir_inst *inst =
        i965_send(c, is_storage ? EU_SFID_DATA_CACHE0 : EU_SFID_DATA_CONSTANT_CACHE,
                  DC0_BLOCK_READ | BLOCK_4_OWORDS | s->index, dst, 2, header, 1, lir_bad(), 0);
    block_message(inst, s);
    inst->side_effects = is_storage;
    return dst;
}

static const struct i965_block_read *find_block(const struct from_nir *c, uint32_t surface,
                                                unsigned at)
{
    for (unsigned i = 0; i < c->block_reads.count; i++) {
        const struct i965_block_read *read = &c->block_reads.data[i];
        if (read->surface == surface && at >= read->offset && at - read->offset < BLOCK_BYTES &&
            read->valid >> (at - read->offset) / 4 & 1)
            return read;
    }
    return NULL;
}

/* Returns the dword at an offset as a scalar. Reads it with the block around it unless this NIR
 * block has done so. `end`: end of what is going to be read. */
static struct lir_reg block_dword(struct from_nir *c, const struct surface *s, unsigned at,
                                  unsigned end, bool is_storage)
{
    const struct i965_block_read *found = find_block(c, s->index, at);
    if (found)
        return lir_scalar(found->value, (at - found->offset) / 4);
    unsigned start = at & ~(BLOCK_BYTES - 1u);
    if (end - start > BLOCK_BYTES)
        start = at & ~(OWORD_BYTES - 1u);
    struct i965_block_read read = {.surface = s->index,
                                   .offset = start,
                                   .valid = (1u << BLOCK_DWORDS) - 1,
                                   .is_storage = is_storage,
                                   .value = read_block(c, s, start, is_storage)};
    (void)dynarray_append(&c->block_reads, read);
    return lir_scalar(read.value, (at - start) / 4);
}

/* Forgets the dwords in [start, end) of a storage surface, and all that is read from others, which
 * may be the same memory. */
static void forget_storage(struct from_nir *c, uint32_t surface, unsigned start, unsigned end)
{
    for (unsigned i = 0; i < c->block_reads.count; i++) {
        struct i965_block_read *read = &c->block_reads.data[i];
        if (!read->is_storage)
            continue;
        for (unsigned d = 0; d < BLOCK_DWORDS; d++) {
            unsigned at = read->offset + 4 * d;
            if (surface != read->surface || (at + 4 > start && at < end))
                read->valid &= (uint16_t)~(1u << d);
        }
    }
}

/* Forgets what an instruction may write to storage, or what it orders with other accesses. */
static void forget_written(struct from_nir *c, const nir_intrinsic_instr *intr)
{
    const nir_src *block, *offset;
    unsigned bytes = 4;
    switch (intr->intrinsic) {
    case nir_intrinsic_store_ssbo:
        block = &intr->src[1];
        offset = &intr->src[2];
        bytes = intr->src[0].ssa->num_components * intr->src[0].ssa->bit_size / 8;
        break;
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
        block = &intr->src[0];
        offset = &intr->src[1];
        break;
    case nir_intrinsic_image_store:
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_image_atomic_swap:
    case nir_intrinsic_barrier:
    case nir_intrinsic_begin_invocation_interlock:
    case nir_intrinsic_end_invocation_interlock:
        block = offset = NULL;
        break;
    default:
        return;
    }
    if (!block || !nir_src_is_const(*block) || !nir_src_is_const(*offset)) {
        forget_storage(c, ~0u, 0, 0);
        return;
    }
    unsigned start = (unsigned)nir_src_as_uint(*offset);
    forget_storage(c, c->data->binding_table.storage_blocks + (unsigned)nir_src_as_uint(*block),
                   start, start + bytes);
}

static bool is_constant_load(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_load_ssbo && nir_src_is_const(intr->src[0]) &&
           nir_src_is_const(intr->src[1]) && !(nir_intrinsic_access(intr) & ACCESS_VOLATILE) &&
           nir_src_as_uint(intr->src[1]) % 4 == 0;
}

static unsigned load_bytes(const nir_intrinsic_instr *intr)
{
    return intr->def.num_components * MAX2(intr->def.bit_size, 32) / 8;
}

/* Whether another load of the NIR block reads from the same 64 bytes. One load alone is better with
 * addresses, because its result then has a value for each channel, as payloads do. */
static bool has_neighbor(const nir_intrinsic_instr *intr)
{
    uint64_t block = nir_src_as_uint(intr->src[0]);
    uint64_t start = nir_src_as_uint(intr->src[1]) / BLOCK_BYTES;
    nir_foreach_instr (instr, intr->instr.block) {
        if (instr->type != nir_instr_type_intrinsic || instr == &intr->instr)
            continue;
        const nir_intrinsic_instr *other = nir_instr_as_intrinsic(instr);
        if (is_constant_load(other) && nir_src_as_uint(other->src[0]) == block &&
            nir_src_as_uint(other->src[1]) / BLOCK_BYTES == start)
            return true;
    }
    return false;
}

bool i965_is_block_load(const nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_uniform:
        return nir_src_is_const(intr->src[0]);
    case nir_intrinsic_load_ubo:
        return nir_src_is_const(intr->src[0]) && nir_src_is_const(intr->src[1]);
    case nir_intrinsic_load_ssbo:
        return is_constant_load(intr) && (load_bytes(intr) > OWORD_BYTES || has_neighbor(intr));
    default:
        return false;
    }
}

static bool is_scalar(const struct lir_reg *r)
{
    return r->file != LIR_BAD && (r->file == LIR_IMM || (!r->stride && !r->region)) && !r->negate &&
           !r->abs && lir_type_size(r->type) == 4;
}

/* Returns registers that hold n scalars one after the other. */
static struct lir_reg consecutive_scalars(struct from_nir *c, const struct lir_reg *data,
                                          unsigned n)
{
    bool in_place = data[0].file == LIR_VGRF && data[0].offset % LIR_REG_SIZE == 0;
    for (unsigned i = 1; i < n && in_place; i++)
        in_place = data[i].file == LIR_VGRF && data[i].nr == data[0].nr &&
                   data[i].offset == data[0].offset + 4 * i;
    if (in_place) {
        struct lir_reg whole = lir_retype(data[0], EU_TYPE_UD);
        whole.stride = 1;
        return whole;
    }
    struct lir_reg payload = lir_vgrf(c->p, n * 4 / LIR_REG_SIZE, EU_TYPE_UD);
    i965_undef(c, payload);
    for (unsigned i = 0; i < n; i++) {
        struct lir_inst *mov = i965_emit1(
            c, EU_OPCODE_MOV, lir_retype(lir_byte_offset(payload, 4 * i), data[i].type), data[i]);
        mov->no_mask = true;
        mov->group = 0;
        mov->exec_size = 1;
    }
    return payload;
}

/* Whether all channels store the same, and at least one of them is certain to run. Fragment shaders
 * write nothing if no pixel of the thread is covered. */
static bool is_uniform_store(const struct from_nir *c, const nir_intrinsic_instr *intr,
                             const struct lir_reg *data, unsigned n)
{
    if (intr->intrinsic != nir_intrinsic_store_ssbo || c->nesting || c->width > 16 ||
        !nir_src_is_const(intr->src[1]) || !nir_src_is_const(intr->src[2]) ||
        (nir_intrinsic_access(intr) & ACCESS_VOLATILE) || n > BLOCK_DWORDS ||
        (c->p->stage == SHADER_FRAGMENT && (!c->live_flag || c->data->fs.uses_discard)))
        return false;
    for (unsigned i = 0; i < n; i++) {
        if (!is_scalar(&data[i]))
            return false;
    }
    return true;
}

/* Adds a store to those that become block writes. Returns false if it cannot be one. */
static bool add_block_write(struct from_nir *c, const nir_intrinsic_instr *intr,
                            const struct surface *s, const struct lir_reg *data, unsigned n)
{
    struct i965_block_write *w = &c->block_write;
    if (!is_uniform_store(c, intr, data, n)) {
        i965_end_block_write(c);
        return false;
    }
    uint32_t offset = (uint32_t)nir_src_as_uint(intr->src[2]);
    if (w->count && (w->surface != s->index || w->offset + 4 * w->count != offset ||
                     w->count + n > BLOCK_DWORDS))
        i965_end_block_write(c);
    if (!w->count && offset % OWORD_BYTES)
        return false;
    if (!w->count)
        *w = (struct i965_block_write){.surface = s->index, .offset = offset};
    memcpy(w->data + w->count, data, n * sizeof *data);
    w->count += n;
    if (w->count == BLOCK_DWORDS)
        i965_end_block_write(c);
    return true;
}

static void write_block(struct from_nir *c, const struct surface *s, unsigned offset,
                        const struct lir_reg *data, unsigned n)
{
    struct lir_reg header = i965_header(c, lir_imm_ud(offset / OWORD_BYTES));
    uint32_t size = n == BLOCK_DWORDS ? BLOCK_4_OWORDS : BLOCK_2_OWORDS;
    struct lir_inst *inst =
        i965_send(c, EU_SFID_DATA_CACHE0, DC0_BLOCK_WRITE | size | s->index, lir_null(EU_TYPE_UD),
                  0, header, 1, consecutive_scalars(c, data, n), n * 4 / LIR_REG_SIZE);
    block_message(inst, s);
    /* Channel c enables dword c of each pair of registers. In SIMD8 kernels, no pixel belongs to
     * the upper half of the flag. */
    if (c->p->stage == SHADER_FRAGMENT) {
        i965_predicate_live(c, inst);
        inst->predicate = EU_PREDICATE_ANY16H;
    }
}

void i965_end_block_write(struct from_nir *c)
{
    struct i965_block_write *w = &c->block_write;
    struct surface s = {.index = w->surface, .extra = lir_bad()};
    unsigned count = w->count, n;
    w->count = 0;
    for (unsigned i = 0; i < count; i += n) {
        unsigned left = count - i, at = w->offset + 4 * i;
        n = left >= BLOCK_DWORDS ? BLOCK_DWORDS : left >= BLOCK_DWORDS / 2 ? BLOCK_DWORDS / 2 : 4;
        if (n > 4) {
            write_block(c, &s, at, w->data + i, n);
            continue;
        }
        n = MIN2(left, 4);
        untyped_write(c, &s, lir_imm_ud(at), w->data + i, n);
    }
}

/* Emits stores that an instruction must not precede. Loads from other dwords of the same surface
 * may. */
static void order_block_write(struct from_nir *c, const nir_intrinsic_instr *intr)
{
    const struct i965_block_write *w = &c->block_write;
    if (!w->count || intr->intrinsic == nir_intrinsic_store_ssbo ||
        intr->intrinsic == nir_intrinsic_load_uniform ||
        intr->intrinsic == nir_intrinsic_load_ubo || intr->intrinsic == nir_intrinsic_load_constant)
        return;
    if (is_constant_load(intr)) {
        uint32_t surface =
            c->data->binding_table.storage_blocks + (uint32_t)nir_src_as_uint(intr->src[0]);
        uint64_t start = nir_src_as_uint(intr->src[1]), end = start + load_bytes(intr);
        if (surface == w->surface && (end <= w->offset || start >= w->offset + 4 * w->count))
            return;
    }
    i965_end_block_write(c);
}

/* --- Constant buffers --- */

/* If block is NULL, loads from the default block (constant buffer 0); block n is constant buffer n
 * + 1. */
static void load_constant_buffer(struct from_nir *c, nir_intrinsic_instr *intr,
                                 const nir_src *block, nir_src offset, unsigned base)
{
    struct lir_reg *value = i965_new_value(c, &intr->def);
    struct lir_reg dwords[I965_MAX_DWORDS];
    unsigned n = intr->def.num_components * i965_dwords_of(c, &intr->def);
    unsigned first = c->data->binding_table.uniform_blocks;
    bool is_const = nir_src_is_const(offset) && (!block || nir_src_is_const(*block));
    struct surface s = {.index = first, .extra = lir_bad()};
    unsigned buffer = 0;
    if (block && nir_src_is_const(*block))
        buffer = (unsigned)nir_src_as_uint(*block) + 1;
    if (block)
        s = surface_of(c, first + 1, *block);
    if (is_const) {
        unsigned start = base + (unsigned)nir_src_as_uint(offset);
        for (unsigned i = 0; i < n; i++) {
            unsigned at = start + 4 * i;
            int reg = i965_push_register(c->data, buffer, at);
            if (reg >= 0)
                dwords[i] =
                    lir_grf_scalar(c->push_grf + (unsigned)reg, at % LIR_REG_SIZE, EU_TYPE_UD);
            else
                dwords[i] = block_dword(c, &s, at, at + 4, false);
        }
    } else {
        for (unsigned i = 0; i < n; i += 4)
            untyped_read(c, &s, i965_offset_plus(c, offset, base + 4 * i), MIN2(n - i, 4),
                         &dwords[i]);
    }
    if (n)
        i965_from_dwords(c, &intr->def, dwords, value);
}

/* Loads from the constant arrays. */
static void load_constant_array(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def), dwords[I965_MAX_DWORDS];
    unsigned n = intr->def.num_components * i965_dwords_of(c, &intr->def);
    struct surface s = {.index = c->data->binding_table.constants, .extra = lir_bad()};
    for (unsigned i = 0; i < n; i += 4)
        untyped_read(c, &s,
                     i965_offset_plus(c, intr->src[0], (unsigned)nir_intrinsic_base(intr) + 4 * i),
                     MIN2(n - i, 4), &dwords[i]);
    if (n)
        i965_from_dwords(c, &intr->def, dwords, value);
}

/* --- Storage and shared memory --- */

static void load_memory(struct from_nir *c, nir_intrinsic_instr *intr, const struct surface *s,
                        nir_src offset, unsigned base)
{
    struct lir_reg *value = i965_new_value(c, &intr->def), dwords[I965_MAX_DWORDS];
    unsigned n = intr->def.num_components * i965_dwords_of(c, &intr->def);
    bool block = i965_is_block_load(intr);
    unsigned start = block ? (unsigned)nir_src_as_uint(offset) : 0;
    for (unsigned i = 0; i < n && block; i++)
        dwords[i] = block_dword(c, s, start + 4 * i, start + 4 * n, true);
    for (unsigned i = 0; i < n && !block; i += 4)
        untyped_read(c, s, i965_offset_plus(c, offset, base + 4 * i), MIN2(n - i, 4), &dwords[i])
            ->side_effects = true;
    if (n)
        i965_from_dwords(c, &intr->def, dwords, value);
}

/* Stores runs of consecutive dwords with one message per four dwords. */
static void store_memory(struct from_nir *c, nir_intrinsic_instr *intr, const struct surface *s,
                         nir_src offset, unsigned base)
{
    unsigned mask = nir_intrinsic_write_mask(intr), per = i965_dwords_of(c, intr->src[0].ssa);
    unsigned n = intr->src[0].ssa->num_components * per;
    struct lir_reg data[I965_MAX_DWORDS];
    for (unsigned i = 0; i < n; i++) {
        struct lir_reg r = mask >> i / per & 1 ? i965_src(c, intr->src[0], i / per) : lir_bad();
        data[i] = per == 2 && r.file != LIR_BAD ? i965_unpack_64(c, r, i % 2) : r;
    }
    if (add_block_write(c, intr, s, data, n))
        return;
    for (unsigned i = 0; i < n;) {
        unsigned run = 0;
        while (run < 4 && i + run < n && data[i + run].file != LIR_BAD)
            run++;
        if (run)
            untyped_write(c, s, i965_offset_plus(c, offset, base + 4 * i), data + i, run);
        i += MAX2(run, 1);
    }
}

/* Float atomics have their own message type, distinguished by a bit above the operation. */
enum { ATOMIC_INCREMENT = 5, ATOMIC_DECREMENT = 6, ATOMIC_ADD = 7, ATOMIC_OF_FLOATS = 1 << 8 };

static uint32_t atomic_operation(struct from_nir *c, nir_atomic_op op)
{
    switch (op) {
    case nir_atomic_op_fmax:
        return ATOMIC_OF_FLOATS | 1;
    case nir_atomic_op_fmin:
        return ATOMIC_OF_FLOATS | 2;
    case nir_atomic_op_fcmpxchg:
        return ATOMIC_OF_FLOATS | 3;
    case nir_atomic_op_iand:
        return 1;
    case nir_atomic_op_ior:
        return 2;
    case nir_atomic_op_ixor:
        return 3;
    case nir_atomic_op_xchg:
        return 4;
    case nir_atomic_op_iadd:
        return ATOMIC_ADD;
    case nir_atomic_op_imax:
        return 10;
    case nir_atomic_op_imin:
        return 11;
    case nir_atomic_op_umax:
        return 12;
    case nir_atomic_op_umin:
        return 13;
    case nir_atomic_op_cmpxchg:
        return 14;
    default:
        lir_fail(c->p, "this hardware has no such atomic operation");
        return ATOMIC_ADD;
    }
}

static void untyped_atomic(struct from_nir *c, nir_intrinsic_instr *intr, const struct surface *s,
                           uint32_t operation, nir_src offset, unsigned base,
                           const nir_src *operands, unsigned n)
{
    struct lir_reg *value = i965_new_value(c, &intr->def), data[2];
    unsigned regs = c->exec_size / 8;
    bool result = !nir_def_is_unused(&intr->def);
    int64_t added =
        operation == ATOMIC_ADD && nir_src_is_const(operands[0]) ? nir_src_as_int(operands[0]) : 0;
    if (added == 1 || added == -1) { /* Increment and decrement need no operand. */
        operation = added == 1 ? ATOMIC_INCREMENT : ATOMIC_DECREMENT;
        n = 0;
    }
    uint32_t type = operation & ATOMIC_OF_FLOATS ? DC1_UNTYPED_ATOMIC_FLOAT : DC1_UNTYPED_ATOMIC;
    uint32_t desc = type | (c->exec_size == 16 ? 0 : 1 << 12) | (operation & 0xf) << 8;
    for (unsigned i = 0; i < n; i++)
        data[i] = i965_src(c, operands[i], 0);
    struct lir_reg a = address_register(c, i965_offset_plus(c, offset, base));
    struct lir_reg d = n ? i965_payload(c, data, n) : lir_bad();
    value[0] = result ? i965_temp(c, EU_TYPE_UD) : lir_null(EU_TYPE_UD);
    struct lir_inst *inst = surface_send(c, s, desc | (result ? DC1_RETURN_DATA : 0), value[0],
                                         result ? regs : 0, a, regs, d, n * regs);
    inst->side_effects = true;
    i965_predicate_live(c, inst);
}

/* Loads the size of a storage block in bytes, which is the size of its surface. */
static void load_storage_size(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct lir_reg *value = i965_new_value(c, &intr->def), lod = lir_imm_ud(0);
    struct surface s = storage_surface(c, intr->src[0]);
    unsigned regs = c->exec_size / 8;
    value[0] = i965_temp(c, EU_TYPE_UD);
    struct lir_inst *inst =
        i965_send(c, EU_SFID_SAMPLER, s.index | 10 << 12 | (regs == 1 ? 1u : 2u) << 17, value[0],
                  regs, i965_payload(c, &lod, 1), regs, lir_bad(), 0);
    inst->src[2] = s.extra;
}

/* --- Images. Typed messages have eight channels. For multisampled images, the simulator expects
 * the sample index where other images have the level; hardware addresses samples as array slices.
 * --- */

static unsigned image_coordinates(const nir_intrinsic_instr *intr)
{
    bool array = nir_intrinsic_image_array(intr);
    switch (nir_intrinsic_image_dim(intr)) {
    case GLSL_SAMPLER_DIM_1D:
    case GLSL_SAMPLER_DIM_BUF:
        return 1 + array;
    case GLSL_SAMPLER_DIM_3D:
    case GLSL_SAMPLER_DIM_CUBE:
        return 3;
    default:
        return 2 + array;
    }
}

static void image_access(struct from_nir *c, nir_intrinsic_instr *intr, uint32_t type,
                         const nir_src *data, unsigned num_data, unsigned num_results)
{
    struct surface s = surface_of(c, c->data->binding_table.images, intr->src[0]);
    unsigned n = image_coordinates(intr), width = c->exec_size, group = c->group;
    struct lir_reg coordinates[4], values[4], result = lir_bad();
    struct lir_reg *value = num_results ? i965_new_value(c, &intr->def) : NULL;

    for (unsigned i = 0; i < n; i++)
        coordinates[i] = i965_src(c, intr->src[1], i);
    if (nir_intrinsic_image_dim(intr) == GLSL_SAMPLER_DIM_MS) {
        if (n == 2)
            NEXT_OF(coordinates, n) = lir_imm_ud(0);
        NEXT_OF(coordinates, n) = i965_src(c, intr->src[2], 0);
    }
    /* Data in the same payload follows all four. */
    while (num_data && !c->p->dev->has_sends && n < 4)
        NEXT_OF(coordinates, n) = lir_imm_ud(0);
    for (unsigned i = 0; i < num_data; i++)
        values[i] = num_data > 2 || type == DC1_TYPED_WRITE ? i965_src(c, data[0], i)
                                                            : i965_src(c, data[i], 0);
    if (num_results) {
        result = lir_temp(c->p, width, num_results, EU_TYPE_UD);
        for (unsigned i = 0; i < num_results; i++)
            value[i] = lir_component(result, width, i);
    }
    c->exec_size = 8;
    for (unsigned half = 0; half < width; half += 8) {
        struct lir_reg u[4], d[4], dst = lir_null(EU_TYPE_UD);
        c->group = group + half;
        for (unsigned i = 0; i < n; i++)
            u[i] = lir_channels(coordinates[i], half);
        for (unsigned i = 0; i < num_data; i++)
            d[i] = lir_channels(values[i], half);
        /* Half of the thread's channels: typed atomics have one bit for it, the other
         * messages two. */
        uint32_t slots = (type & (31 << 14)) == DC1_TYPED_ATOMIC ? (half ? 1u << 12 : 0)
                                                                 : (half ? 2u : 1u) << 12;
        if (num_results)
            dst = width == 8 ? result : lir_temp(c->p, 8, num_results, EU_TYPE_UD);
        struct lir_reg address = i965_payload(c, u, n);
        struct lir_reg payload = num_data ? i965_payload(c, d, num_data) : lir_bad();
        struct lir_inst *inst =
            surface_send(c, &s, type | slots, dst, num_results, address, n, payload, num_data);
        inst->side_effects = true;
        i965_predicate_live(c, inst);
        for (unsigned i = 0; i < num_results && width > 8; i++)
            i965_emit1(c, EU_OPCODE_MOV, lir_channels(value[i], half), lir_component(dst, 8, i));
    }
    c->exec_size = width;
    c->group = group;
}

static void from_image(struct from_nir *c, nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_image_load:
        image_access(c, intr, DC1_TYPED_READ | channel_mask(intr->def.num_components), NULL, 0,
                     intr->def.num_components);
        break;
    case nir_intrinsic_image_store:
        image_access(c, intr, DC1_TYPED_WRITE, &intr->src[3], 4, 0);
        break;
    default: {
        bool swap = intr->intrinsic == nir_intrinsic_image_atomic_swap;
        bool result = !nir_def_is_unused(&intr->def);
        uint32_t operation = atomic_operation(c, nir_intrinsic_atomic_op(intr));
        uint32_t type = DC1_TYPED_ATOMIC | operation << 8 | (result ? DC1_RETURN_DATA : 0);
        if (operation & ATOMIC_OF_FLOATS)
            lir_fail(c->p, "this hardware has no atomic operations on images of floats");
        image_access(c, intr, type, &intr->src[3], swap ? 2 : 1, result);
        break;
    }
    }
}

/* Loads the number of samples (sampleinfo, which ignores the level) or the size (resinfo). */
static void load_image_size(struct from_nir *c, nir_intrinsic_instr *intr)
{
    bool samples = intr->intrinsic == nir_intrinsic_image_samples;
    struct lir_reg *value = i965_new_value(c, &intr->def);
    struct lir_reg lod = samples ? lir_imm_ud(0) : i965_src(c, intr->src[1], 0);
    struct surface s = surface_of(c, c->data->binding_table.images, intr->src[0]);
    unsigned regs = c->exec_size / 8, n = intr->def.num_components;
    struct lir_reg dst = lir_temp(c->p, c->exec_size, n, EU_TYPE_UD);
    uint32_t message = (samples ? 11 : 10) << 12;
    struct lir_inst *inst =
        i965_send(c, EU_SFID_SAMPLER, s.index | message | (regs == 1 ? 1u : 2u) << 17, dst,
                  regs * n, i965_payload(c, &lod, 1), regs, lir_bad(), 0);
    inst->src[2] = s.extra;
    for (unsigned i = 0; i < n; i++)
        value[i] = lir_component(dst, c->exec_size, i);
}

/* --- Memory order and barriers --- */

static struct lir_inst *fence(struct from_nir *c)
{
    struct lir_reg done = lir_vgrf(c->p, 1, EU_TYPE_UD);
    struct lir_inst *inst = i965_send(c, EU_SFID_DATA_CACHE0, DC0_MEMORY_FENCE | DC0_FENCE_COMMIT,
                                      done, 1, lir_grf(0, EU_TYPE_UD), 1, lir_bad(), 0);
    inst->header = true;
    inst->no_mask = true;
    inst->exec_size = 8;
    inst->group = 0;
    inst->side_effects = true;
    return inst;
}

static void scalar(struct lir_inst *inst)
{
    inst->no_mask = true;
    inst->group = 0;
    inst->exec_size = 1;
}

/* Sends a barrier message to the gateway (volume 7, "Barrier Message"). */
static void barrier(struct from_nir *c, nir_intrinsic_instr *intr)
{
    if (nir_intrinsic_memory_scope(intr) > NIR_SCOPE_INVOCATION)
        fence(c);
    bool patch = c->p->stage == SHADER_TESS_CTRL && c->data->tcs.uses_barrier;
    if (nir_intrinsic_execution_scope(intr) < NIR_SCOPE_WORKGROUP ||
        (c->p->stage != SHADER_COMPUTE && !patch))
        return;
    struct lir_reg payload = lir_vgrf(c->p, 1, EU_TYPE_UD);
    struct lir_reg dword2 = lir_byte_offset(payload, 8);
    struct lir_inst *zero = i965_emit1(c, EU_OPCODE_MOV, payload, lir_imm_ud(0));
    struct lir_inst *id = i965_emit2(c, EU_OPCODE_AND, dword2, lir_grf_scalar(0, 8, EU_TYPE_UD),
                                     lir_imm_ud(patch ? 0xf << 13 : c->p->dev->barrier_id_mask));
    if (patch) { /* Bits 27:24 are the barrier id; the number of threads is next to it. */
        uint32_t threads = 1u << 15 | (uint32_t)c->data->tcs.instances << 9;
        scalar(i965_emit2(c, EU_OPCODE_SHL, dword2, lir_scalar(dword2, 0), lir_imm_ud(11)));
        scalar(i965_emit2(c, EU_OPCODE_OR, dword2, lir_scalar(dword2, 0), lir_imm_ud(threads)));
    }
    struct lir_inst *send = i965_send(c, EU_SFID_GATEWAY, GATEWAY_BARRIER, lir_null(EU_TYPE_UD), 0,
                                      payload, 1, lir_bad(), 0);
    struct lir_inst *wait =
        i965_emit1(c, EU_OPCODE_WAIT, lir_bad(), lir_arf(EU_ARF_NOTIFICATION, EU_TYPE_UD));
    struct lir_inst *all[] = {zero, id, send, wait};
    for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
        all[i]->no_mask = true;
        all[i]->group = 0;
        all[i]->exec_size = i == 0 || i == 2 ? 8 : 1;
    }
    send->side_effects = true;
}

bool i965_from_memory(struct from_nir *c, nir_intrinsic_instr *intr)
{
    struct surface slm = {.index = I965_BTI_SLM, .extra = lir_bad()}, s;
    order_block_write(c, intr);
    forget_written(c, intr);
    switch (intr->intrinsic) {
    case nir_intrinsic_load_uniform:
        load_constant_buffer(c, intr, NULL, intr->src[0], nir_intrinsic_base(intr));
        return true;
    case nir_intrinsic_load_ubo:
        load_constant_buffer(c, intr, &intr->src[0], intr->src[1], 0);
        return true;
    case nir_intrinsic_load_constant:
        load_constant_array(c, intr);
        return true;
    case nir_intrinsic_load_ssbo:
        s = storage_surface(c, intr->src[0]);
        load_memory(c, intr, &s, intr->src[1], 0);
        return true;
    case nir_intrinsic_store_ssbo:
        s = storage_surface(c, intr->src[1]);
        store_memory(c, intr, &s, intr->src[2], 0);
        return true;
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
        s = storage_surface(c, intr->src[0]);
        untyped_atomic(c, intr, &s, atomic_operation(c, nir_intrinsic_atomic_op(intr)),
                       intr->src[1], 0, &intr->src[2],
                       intr->intrinsic == nir_intrinsic_ssbo_atomic ? 1 : 2);
        return true;
    case nir_intrinsic_get_ssbo_size:
        load_storage_size(c, intr);
        return true;
    case nir_intrinsic_load_shared:
        load_memory(c, intr, &slm, intr->src[0], nir_intrinsic_base(intr));
        return true;
    case nir_intrinsic_store_shared:
        store_memory(c, intr, &slm, intr->src[1], nir_intrinsic_base(intr));
        return true;
    case nir_intrinsic_shared_atomic:
    case nir_intrinsic_shared_atomic_swap:
        untyped_atomic(c, intr, &slm, atomic_operation(c, nir_intrinsic_atomic_op(intr)),
                       intr->src[0], nir_intrinsic_base(intr), &intr->src[1],
                       intr->intrinsic == nir_intrinsic_shared_atomic ? 1 : 2);
        return true;
    case nir_intrinsic_load_scratch:
        i965_load_scratch(c, intr);
        return true;
    case nir_intrinsic_store_scratch:
        i965_store_scratch(c, intr);
        return true;
    case nir_intrinsic_image_load:
    case nir_intrinsic_image_store:
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_image_atomic_swap:
        from_image(c, intr);
        return true;
    case nir_intrinsic_image_size:
    case nir_intrinsic_image_samples:
        load_image_size(c, intr);
        return true;
    case nir_intrinsic_barrier:
        barrier(c, intr);
        return true;
    case nir_intrinsic_begin_invocation_interlock:
        /* sendc waits until no earlier thread with overlapping pixels runs (volume 7, "Send
         * Conditional Message"). Threads of later pixels wait for the end of this thread. */
        fence(c)->op = EU_OPCODE_SENDC;
        return true;
    case nir_intrinsic_end_invocation_interlock:
        fence(c);
        return true;
    case nir_intrinsic_load_num_workgroups:
        s = (struct surface){c->data->binding_table.num_work_groups, lir_bad()};
        untyped_read(c, &s, lir_imm_ud(0), 3, i965_new_value(c, &intr->def));
        return true;
    default:
        return false;
    }
}
