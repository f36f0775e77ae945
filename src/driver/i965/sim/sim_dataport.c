/* SPDX-License-Identifier: MIT */
/*
 * The data port (Skylake PRM, volume 7, "Data Port Messages"): constant blocks, scratch, untyped
 * and scattered accesses, atomics, typed surfaces. Out-of-range reads return 0, out-of-range writes
 * are dropped.
 */
#include <string.h>

#include "driver/i965/i965_abi.h"
#include "sim_message.h"
#include "util/macros.h"

static bool find_surface(struct sim_message *m, unsigned index, struct sim_surface *surface)
{
    struct sim_env *env = m->t->env;

    *surface = (struct sim_surface){0};
    if (index == I965_BTI_STATELESS || index == I965_BTI_STATELESS_NONCOHERENT) {
        surface->base = env->scratch;
        surface->size = env->scratch_size;
        return true;
    }
    if (!env->surface || !env->surface(env, index, surface))
        return sim_fault(m->t, m->inst, "field desc: no such surface");
    return true;
}

static bool inside(const struct sim_surface *s, uint64_t at, unsigned bytes)
{
    return s->base && at <= s->size && s->size - at >= bytes;
}

/* Reports an access that is inside to the environment. */
static void watch(const struct sim_surface *s, uint64_t at, unsigned bytes, bool write)
{
    if (s->watch)
        s->watch(s->watch_data, s->base + at, bytes, write);
}

static uint32_t read_bytes(const struct sim_surface *s, uint64_t at, unsigned bytes)
{
    uint32_t value = 0;

    if (inside(s, at, bytes)) {
        watch(s, at, bytes, false);
        memcpy(&value, s->base + at, bytes);
    }
    return value;
}

static void write_bytes(const struct sim_surface *s, uint64_t at, uint32_t value, unsigned bytes)
{
    if (!s->read_only && inside(s, at, bytes)) {
        watch(s, at, bytes, true);
        memcpy(s->base + at, &value, bytes);
    }
}

/* --------------------------------------------------------------------------------- blocks --- */

static unsigned block_owords(uint32_t desc)
{
    static const uint8_t owords[8] = {1, 1, 2, 4, 8, 0, 0, 0};
    return owords[sim_bits(desc, 10, 8)];
}

/* The address in the header is in owords, or in bytes for unaligned messages. Bit i of the
 * execution mask enables dword i of each pair of registers; a write skips the dwords that are
 * disabled. */
static bool run_block(struct sim_message *m, bool write, bool unaligned)
{
    struct sim_surface surface;
    unsigned owords = block_owords(m->desc), high = sim_bits(m->desc, 10, 8) == 1 ? 4 : 0;
    uint64_t at = (uint64_t)m->payload[0][2] * (unaligned ? 1 : 16);

    if (!m->header || !owords)
        return sim_fault(m->t, m->inst, "field desc: not a block message");
    if (!find_surface(m, sim_bits(m->desc, 7, 0), &surface))
        return false;
    for (unsigned i = 0; i < owords * 4; i++) {
        unsigned dword = i + high;
        if (write && m->mask >> dword % 16 & 1)
            write_bytes(&surface, at + i * 4, sim_data(m, dword / 8)[dword % 8], 4);
        else if (!write && dword / 8 < m->response)
            m->answer[dword / 8][dword % 8] = read_bytes(&surface, at + i * 4, 4);
    }
    return true;
}

/* Transfers registers to or from the thread's scratch space, whose base is in the header. */
static bool run_scratch(struct sim_message *m)
{
    static const uint8_t sizes[4] = {1, 2, 4, 8};
    unsigned registers = sizes[sim_bits(m->desc, 13, 12)];
    struct sim_surface scratch = {m->t->env->scratch, m->t->env->scratch_size, false};
    uint64_t at = (uint64_t)sim_bits(m->desc, 11, 0) * 32;
    bool write = sim_bits(m->desc, 17, 17);

    for (unsigned i = 0; i < registers * 8; i++) {
        bool enabled = m->inst->eu.no_mask || m->mask >> i % m->inst->eu.exec_size & 1;
        if (write && enabled)
            write_bytes(&scratch, at + i * 4, sim_data(m, i / 8)[i % 8], 4);
        else if (!write && i / 8 < m->response)
            m->answer[i / 8][i % 8] = read_bytes(&scratch, at + i * 4, 4);
    }
    return true;
}

/* Reads or writes a block of bytes of a 2D surface. The header has its position and size; rows in
 * registers have 4, 8, 16, 32 or 64 bytes. Bytes outside of the surface are 0, or dropped. */
static bool run_media_block(struct sim_message *m, bool write)
{
    struct sim_env *env = m->t->env;
    const int32_t x = (int32_t)m->payload[0][0], y = (int32_t)m->payload[0][1];
    const unsigned width = sim_bits(m->payload[0][2], 5, 0) + 1,
                   height = sim_bits(m->payload[0][2], 21, 16) + 1,
                   pitch = util_next_power_of_two(MAX2(width, 4));
    const unsigned registers = write ? sim_data_length(m) : m->response;

    if (!m->header || !env->locate)
        return sim_fault(m->t, m->inst, "field desc: no media block here");
    if (height * pitch > registers * 32)
        return sim_fault(m->t, m->inst, "field desc: the media block has more data");
    for (unsigned i = 0; i < height * width; i++) {
        const unsigned column = i % width, at = i / width * pitch + column;
        uint8_t *byte, *data = (uint8_t *)(write ? m->payload[1] : m->answer[0]) + at;
        if (!env->locate(env, sim_bits(m->desc, 7, 0), (int32_t)((uint32_t)x + column),
                         (int32_t)((uint32_t)y + i / width), &byte))
            return sim_fault(m->t, m->inst, "field desc: no such surface");
        if (!write)
            *data = byte ? *byte : 0;
        else if (byte)
            *byte = *data;
    }
    return true;
}

/* ------------------------------------------------------------------------------ scattered --- */

struct scattered {
    unsigned channels, components, bytes, scale;
    uint32_t disabled; /* Disabled components. */
    uint64_t base;
    bool write;
};

/* Returns value c of the data of channel i, which follows the addresses. */
static uint32_t operand(const struct sim_message *m, unsigned channels, unsigned c, unsigned i)
{
    return sim_data(m, (1 + c) * (channels / 8) + i / 8)[i % 8];
}

static void run_channel(struct sim_message *m, const struct scattered *s,
                        const struct sim_surface *surface, unsigned i)
{
    uint64_t at = s->base + (uint64_t)sim_data(m, i / 8)[i % 8] * s->scale;
    unsigned slot = 0;

    for (unsigned c = 0; c < s->components; c++) {
        if (s->disabled >> c & 1)
            continue;
        unsigned reg = slot * (s->channels / 8) + i / 8;
        if (s->write)
            write_bytes(surface, at + c * 4, operand(m, s->channels, slot, i), s->bytes);
        else if (reg < m->response)
            m->answer[reg][i % 8] = read_bytes(surface, at + c * 4, s->bytes);
        slot++;
    }
}

static bool run_scattered(struct sim_message *m, const struct scattered *s)
{
    struct sim_surface surface;

    if (!find_surface(m, sim_bits(m->desc, 7, 0), &surface))
        return false;
    for (unsigned i = 0; i < s->channels; i++) {
        if (m->mask >> i & 1)
            run_channel(m, s, &surface, i);
    }
    return true;
}

/* Descriptor bits 13:12: 1 is SIMD16, 2 is SIMD8. Bits 11:8: disabled components. */
static bool run_untyped(struct sim_message *m, bool write)
{
    unsigned mode = sim_bits(m->desc, 13, 12);
    struct scattered s = {.channels = mode == 1 ? 16 : 8,
                          .components = 4,
                          .bytes = 4,
                          .scale = 1,
                          .disabled = sim_bits(m->desc, 11, 8),
                          .write = write};

    if (mode != 1 && mode != 2)
        return sim_fault(m->t, m->inst, "field desc: the SIMD mode is neither 8 nor 16");
    return run_scattered(m, &s);
}

static bool run_byte_scattered(struct sim_message *m, bool write)
{
    static const uint8_t bytes[4] = {1, 2, 4, 0};
    struct scattered s = {.channels = sim_bits(m->desc, 8, 8) ? 16 : 8,
                          .components = 1,
                          .bytes = bytes[sim_bits(m->desc, 11, 10)],
                          .scale = 1,
                          .write = write};

    if (!s.bytes)
        return sim_fault(m->t, m->inst, "field desc: no such size of data");
    return run_scattered(m, &s);
}

/* Offsets are in dwords, relative to the header's byte offset. */
static bool run_dword_scattered(struct sim_message *m, bool write)
{
    unsigned size = sim_bits(m->desc, 9, 8);
    struct scattered s = {.channels = size == 3 ? 16 : 8,
                          .components = 1,
                          .bytes = 4,
                          .scale = 4,
                          .base = m->header ? m->payload[0][2] : 0,
                          .write = write};

    if (size < 2)
        return sim_fault(m->t, m->inst, "field desc: neither 8 nor 16 dwords");
    return run_scattered(m, &s);
}

/* -------------------------------------------------------------------------------- atomics --- */

uint64_t sim_atomic_result(unsigned op, uint64_t old, uint64_t x, uint64_t y, bool wide)
{
    const int64_t old_signed = wide ? (int64_t)old : (int32_t)old;
    const int64_t x_signed = wide ? (int64_t)x : (int32_t)x;

    switch ((enum sim_atomic)op) {
    case SIM_ATOMIC_AND:
        return old & x;
    case SIM_ATOMIC_OR:
        return old | x;
    case SIM_ATOMIC_XOR:
        return old ^ x;
    case SIM_ATOMIC_MOV:
        return x;
    case SIM_ATOMIC_INC:
        return old + 1;
    case SIM_ATOMIC_DEC:
    case SIM_ATOMIC_PREDEC:
        return old - 1;
    case SIM_ATOMIC_ADD:
        return old + x;
    case SIM_ATOMIC_SUB:
        return old - x;
    case SIM_ATOMIC_REVSUB:
        return x - old;
    case SIM_ATOMIC_IMAX:
        return old_signed > x_signed ? old : x;
    case SIM_ATOMIC_IMIN:
        return old_signed < x_signed ? old : x;
    case SIM_ATOMIC_UMAX:
        return MAX2(old, x);
    case SIM_ATOMIC_UMIN:
        return MIN2(old, x);
    case SIM_ATOMIC_CMPWR:
        return old == x ? y : old;
    }
    return old;
}

/* Computes a float atomic on raw bits: maximum, minimum, or y if the old value equals x. */
static uint32_t float_atomic_result(unsigned op, uint32_t old, uint32_t x, uint32_t y)
{
    float a, b;

    memcpy(&a, &old, 4);
    memcpy(&b, &x, 4);
    if (op == SIM_ATOMIC_FCMPWR)
        return a == b ? y : old;
    return (op == SIM_ATOMIC_FMAX ? b > a : b < a) || a != a ? x : old;
}

uint32_t sim_atomic_access(uint32_t *word, unsigned op, bool floats, uint32_t x, uint32_t y)
{
    uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED), new;

    do
        new = floats ? float_atomic_result(op, old, x, y)
                     : (uint32_t)sim_atomic_result(op, old, x, y, false);
    while (!__atomic_compare_exchange_n(word, &old, new, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return op == SIM_ATOMIC_PREDEC && !floats ? old - 1 : old;
}

static bool run_untyped_atomic(struct sim_message *m, bool floats)
{
    unsigned channels = sim_bits(m->desc, 12, 12) ? 8 : 16, op = sim_bits(m->desc, 11, 8);
    bool returns = sim_bits(m->desc, 13, 13);
    struct sim_surface surface;

    if (!op || (floats && op > SIM_ATOMIC_FCMPWR))
        return sim_fault(m->t, m->inst, "field desc: no such atomic operation");
    if (!find_surface(m, sim_bits(m->desc, 7, 0), &surface))
        return false;
    for (unsigned i = 0; i < channels; i++) {
        uint64_t at = sim_data(m, i / 8)[i % 8] & ~3u;
        uint32_t old = 0;
        if (!(m->mask >> i & 1))
            continue;
        if (!surface.read_only && inside(&surface, at, 4)) {
            watch(&surface, at, 4, false);
            watch(&surface, at, 4, true);
            old = sim_atomic_access((uint32_t *)(void *)(surface.base + at), op, floats,
                                    operand(m, channels, 0, i), operand(m, channels, 1, i));
        }
        if (returns && i / 8 < m->response)
            m->answer[i / 8][i % 8] = old;
    }
    return true;
}

uint64_t sim_atomic_access64(uint64_t *word, unsigned op, uint64_t x, uint64_t y)
{
    uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

    while (!__atomic_compare_exchange_n(word, &old, sim_atomic_result(op, old, x, y, true), true,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        ;
    return op == SIM_ATOMIC_PREDEC ? old - 1 : old;
}

/* ------------------------------------------------------------------------ 64-bit addresses --- */

static uint8_t *find_memory(struct sim_message *m, uint64_t address, unsigned bytes, bool write)
{
    struct sim_env *env = m->t->env;
    uint8_t *memory = env->find ? env->find(env, address, bytes, write) : NULL;

    if (!memory)
        sim_fault(m->t, m->inst, "field desc: no memory at the address");
    return memory;
}

/* Reads or writes consecutive owords, starting at the address in the first two dwords of the
 * header. A write skips the dwords that are disabled as in run_block(). */
static bool run_a64_block(struct sim_message *m, bool write)
{
    const unsigned owords = block_owords(m->desc), high = sim_bits(m->desc, 10, 8) == 1 ? 4 : 0;
    const unsigned registers = write ? sim_data_length(m) : m->response;
    uint64_t address;

    if (!m->header || !owords || (high * 4 + owords * 16) > registers * 32)
        return sim_fault(m->t, m->inst, "field desc: not a block message");
    memcpy(&address, m->payload[0], sizeof address);
    uint8_t *memory = find_memory(m, address, owords * 16, write);
    if (!memory)
        return false;
    for (unsigned i = 0; i < owords * 4; i++) {
        const unsigned dword = i + high;
        if (!write)
            memcpy(&m->answer[dword / 8][dword % 8], memory + i * 4, 4);
        else if (m->mask >> dword % 16 & 1)
            memcpy(memory + i * 4, sim_data(m, dword / 8) + dword % 8, 4);
    }
    return true;
}

/* Returns the address of a channel. The payload starts with 64 bits for each. */
static uint64_t channel_address(const struct sim_message *m, unsigned channel)
{
    uint64_t address;

    memcpy(&address, sim_data(m, channel / 4) + channel % 4 * 2, sizeof address);
    return address;
}

/* Returns 32 or 64 bits of a channel from register `reg` of the data on. */
static uint64_t channel_data(const struct sim_message *m, unsigned reg, unsigned channel, bool wide)
{
    uint64_t value;

    if (!wide)
        return sim_data(m, reg + channel / 8)[channel % 8];
    memcpy(&value, sim_data(m, reg + channel / 4) + channel % 4 * 2, sizeof value);
    return value;
}

/* Performs an atomic operation on 32 or 64 bits for each of eight channels. */
static bool run_a64_atomic(struct sim_message *m, bool floats)
{
    const unsigned op = sim_bits(m->desc, 11, 8), bytes = sim_bits(m->desc, 12, 12) ? 8 : 4;
    const bool wide = bytes == 8, returns = sim_bits(m->desc, 13, 13);
    const unsigned registers = bytes / 4;

    if (!op || (floats && (op > SIM_ATOMIC_FCMPWR || wide)))
        return sim_fault(m->t, m->inst, "field desc: no such atomic operation");
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t x = channel_data(m, 2, i, wide), y = channel_data(m, 2 + registers, i, wide);
        uint64_t old;
        if (!(m->mask >> i & 1))
            continue;
        uint8_t *memory = find_memory(m, channel_address(m, i) & ~(bytes - 1ull), bytes, true);
        if (!memory)
            return false;
        if (wide)
            old = sim_atomic_access64((uint64_t *)(void *)memory, op, x, y);
        else
            old =
                sim_atomic_access((uint32_t *)(void *)memory, op, floats, (uint32_t)x, (uint32_t)y);
        if (returns && i * bytes / 32 < m->response)
            memcpy((uint8_t *)m->answer[0] + i * bytes, &old, bytes);
    }
    return true;
}

/* Accesses bytes, dwords or qwords at an address of each channel. Bits 11:10 are the logarithm of
 * their number: up to four bytes are in a dword, other elements in registers of their own. */
static bool run_a64_scattered(struct sim_message *m, bool write)
{
    const unsigned size = sim_bits(m->desc, 9, 8), log2 = sim_bits(m->desc, 11, 10);
    const unsigned channels = sim_bits(m->desc, 12, 12) ? 16 : 8;
    const unsigned bytes = size == 0 ? 1u << log2 : size == 1 ? 4 : 8;
    const unsigned count = size == 0 ? 1 : 1u << log2, stride = MAX2(bytes, 4);

    if (size > 2 || bytes > 8 || (size == 0 && bytes > 4))
        return sim_fault(m->t, m->inst, "field desc: no such size of data");
    for (unsigned i = 0; i < channels; i++) {
        if (!(m->mask >> i & 1))
            continue;
        for (unsigned c = 0; c < count; c++) {
            const unsigned at = (c * channels + i) * stride; /* In bytes. */
            uint8_t *memory = find_memory(m, channel_address(m, i) + c * bytes, bytes, write);
            if (!memory)
                return false;
            if (write) {
                memcpy(memory, (const uint8_t *)sim_data(m, channels / 4 + at / 32) + at % 32,
                       bytes);
            } else if (at / 32 < m->response) {
                uint64_t value = 0;
                memcpy(&value, memory, bytes);
                memcpy((uint8_t *)m->answer[0] + at, &value, stride);
            }
        }
    }
    return true;
}

/* Accesses up to four consecutive dwords of each channel. The payload starts with an address of 64
 * bits for each channel. */
static bool run_a64_untyped(struct sim_message *m, bool write)
{
    const unsigned mode = sim_bits(m->desc, 13, 12), disabled = sim_bits(m->desc, 11, 8);
    const unsigned channels = mode == 1 ? 16 : 8, registers = channels / 8;

    if (mode != 1 && mode != 2)
        return sim_fault(m->t, m->inst, "field desc: the SIMD mode is neither 8 nor 16");
    for (unsigned i = 0; i < channels; i++) {
        unsigned slot = 0;
        const uint64_t address = channel_address(m, i);
        if (!(m->mask >> i & 1))
            continue;
        for (unsigned c = 0; c < 4; c++) {
            if (disabled >> c & 1)
                continue;
            const unsigned at = slot * registers + i / 8;
            uint8_t *memory = find_memory(m, address + c * 4, 4, write);
            if (!memory)
                return false;
            if (write)
                memcpy(memory, sim_data(m, 2 * registers + at) + i % 8, 4);
            else if (at < m->response)
                memcpy(&m->answer[at][i % 8], memory, 4);
            slot++;
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------------- typed --- */

/* Returns how many registers of data follow the coordinates. */
static unsigned typed_data(const struct sim_message *m, const struct sim_typed *a)
{
    if (a->operation == SIM_TYPED_READ)
        return 0;
    if (a->operation == SIM_TYPED_WRITE)
        return 4 - (unsigned)__builtin_popcount(sim_bits(m->desc, 11, 8));
    switch (a->atomic) {
    case SIM_ATOMIC_INC:
    case SIM_ATOMIC_DEC:
    case SIM_ATOMIC_PREDEC:
        return 0;
    case SIM_ATOMIC_CMPWR:
        return 2;
    default:
        return 1;
    }
}

static void read_typed_payload(const struct sim_message *m, struct sim_typed *a, bool data)
{
    unsigned slot = 0, disabled = a->operation == SIM_TYPED_ATOMIC ? 0 : sim_bits(m->desc, 11, 8);
    unsigned total = m->length + m->ex_length - m->header, operands = typed_data(m, a);
    unsigned coordinates = total > operands ? total - operands : 0;

    for (unsigned c = 0; c < MIN2(coordinates, 4); c++)
        memcpy(a->coord[c], sim_data(m, c), 32);
    for (unsigned c = 0; c < 4 && data; c++) {
        if (!(disabled >> c & 1))
            memcpy(a->data[c], sim_data(m, coordinates + slot++), 32);
    }
}

/* Payload: u, v, r and level, of which messages may omit the last ones, then data. Eight channels:
 * the lower or upper half of a SIMD16 thread. */
static bool run_typed(struct sim_message *m, enum sim_typed_operation operation)
{
    struct sim_typed a;
    unsigned group = sim_bits(m->desc, 13, 12), slot = 0;
    unsigned disabled = operation == SIM_TYPED_ATOMIC ? 0xe : sim_bits(m->desc, 11, 8);

    memset(&a, 0, sizeof a);
    a.surface = sim_bits(m->desc, 7, 0);
    a.operation = operation;
    a.atomic = sim_bits(m->desc, 11, 8);
    a.mask = m->mask & 0xff;
    if (m->inst->eu.exec_size == 16 && group == 2)
        a.mask = m->mask >> 8 & 0xff;
    read_typed_payload(m, &a, operation != SIM_TYPED_READ);
    if (!m->t->env->typed || !m->t->env->typed(m->t->env, &a))
        return sim_fault(m->t, m->inst, "field desc: no such image");
    for (unsigned c = 0; c < 4; c++) {
        if (disabled >> c & 1)
            continue;
        for (unsigned i = 0; i < 8 && slot < m->response; i++) {
            if (a.mask >> i & 1)
                m->answer[slot][i] = a.data[c][i];
        }
        slot++;
    }
    return true;
}

/* ------------------------------------------------------------------------------- messages --- */

static bool run_data_cache0(struct sim_message *m)
{
    if (sim_bits(m->desc, 18, 18))
        return run_scratch(m);
    switch (sim_bits(m->desc, 17, 14)) {
    case 0:
    case 1:
        return run_block(m, false, sim_bits(m->desc, 14, 14));
    case 3:
        return run_dword_scattered(m, false);
    case 4:
        return run_byte_scattered(m, false);
    case 7: /* Memory fence: accesses are already in order. */
        return true;
    case 8:
        return run_block(m, true, false);
    case 11:
        return run_dword_scattered(m, true);
    case 12:
        return run_byte_scattered(m, true);
    default:
        return sim_fault(m->t, m->inst, "field desc: no such data port message here");
    }
}

static bool run_data_cache1(struct sim_message *m)
{
    switch (sim_bits(m->desc, 18, 14)) {
    case 1:
        return run_untyped(m, false);
    case 2:
        return run_untyped_atomic(m, false);
    case 4:
        return run_media_block(m, false);
    case 5:
        return run_typed(m, SIM_TYPED_READ);
    case 6:
        return run_typed(m, SIM_TYPED_ATOMIC);
    case 9:
        return run_untyped(m, true);
    case 10:
        return run_media_block(m, true);
    case 13:
        return run_typed(m, SIM_TYPED_WRITE);
    case 16:
        return run_a64_scattered(m, false);
    case 17:
        return run_a64_untyped(m, false);
    case 18:
        return run_a64_atomic(m, false);
    case 20:
        return run_a64_block(m, false);
    case 21:
        return run_a64_block(m, true);
    case 25:
        return run_a64_untyped(m, true);
    case 26:
        return run_a64_scattered(m, true);
    case 27:
        return run_untyped_atomic(m, true);
    case 29:
        return run_a64_atomic(m, true);
    default:
        return sim_fault(m->t, m->inst, "field desc: no such data port message here");
    }
}

/* Block and dword reads, which the data cache also supports. */
static bool run_constant_cache(struct sim_message *m)
{
    const uint32_t reads = 1 << 0 | 1 << 1 | 1 << 3;

    if (sim_bits(m->desc, 18, 18) || !(reads >> sim_bits(m->desc, 17, 14) & 1))
        return sim_fault(m->t, m->inst, "field desc: no such constant cache message here");
    return run_data_cache0(m);
}

bool sim_message_data_cache(struct sim_message *m)
{
    if (m->sfid == EU_SFID_DATA_CACHE0)
        return run_data_cache0(m);
    return m->sfid == EU_SFID_DATA_CACHE1 ? run_data_cache1(m) : run_constant_cache(m);
}
