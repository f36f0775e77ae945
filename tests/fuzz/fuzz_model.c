/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the model of a GPU: executes any bytes as memory with a batch. An input is a byte that
 * selects the engine, and pieces of memory: an offset in units of four bytes and a length in bytes
 * (16 bits each), and that many bytes. The batch begins at offset 0; the rest of memory is 0. The
 * mutator also changes fields of packets, and inserts packets with random fields.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "i965_batch.h"
#include "i965_device.h"
#include "i965_model.h"
#include "packet_random.h"

#define BASE         UINT64_C(0x123456000) /* As tests/i965/check_model.py. */
#define BYTES        (6u << 20)
#define MAX_COMMANDS 4096u
#define MAX_WORK     (UINT64_C(1) << 20)
#define PIECE_HEADER 4u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static uint8_t *find(void *vm, uint64_t address, uint64_t *bytes)
{
    if (address < BASE || address >= BASE + BYTES)
        return NULL;
    *bytes = BASE + BYTES - address;
    return (uint8_t *)vm + (address - BASE);
}

/* Implements i965_model_memory.wait: batches that make no progress end soon, without sleeping. */
static bool wait_briefly(void *vm, uint64_t count, bool can_preempt)
{
    return count < 4;
}

/* Returns the piece at an offset in the input, or 0 bytes past the last one. */
static size_t read_piece(const uint8_t *data, size_t size, size_t at, uint32_t *to)
{
    uint16_t place[2];

    if (size - at < PIECE_HEADER)
        return 0;
    memcpy(place, data + at, sizeof place);
    *to = place[0] * 4u;
    return place[1] < size - at - PIECE_HEADER ? place[1] : size - at - PIECE_HEADER;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t *memory;
    char error[256];
    uint32_t to;

    if (!memory)
        memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!size || memory == MAP_FAILED)
        return 0;
    madvise(memory, BYTES, MADV_DONTNEED); /* Clears the pages that the last batch touched. */
    for (size_t at = 1, bytes; (bytes = read_piece(data, size, at, &to)) != 0;
         at += PIECE_HEADER + bytes)
        memcpy(memory + to, data + at + PIECE_HEADER, bytes);
    const struct i965_model_memory access = {find, memory, wait_briefly};
    struct i965_model *model = i965_model_create(i965_device_by_name("skl"));
    i965_model_set_strict(model, data[0] & 0x80);
    i965_model_set_limits(model, MAX_COMMANDS, MAX_WORK);
    struct i965_model_context *context = i965_model_context_create(model);
    if (context)
        i965_model_execute(context, &access, (enum i965_ring)(data[0] & 3), BASE, 0, error,
                           sizeof error);
    i965_model_context_destroy(context);
    i965_model_destroy(model);
    return 0;
}

/* Returns a packet with random fields. */
static unsigned random_packet(uint32_t *seed, uint32_t *dwords)
{
    for (;;) {
        enum i965_layout_id id =
            (enum i965_layout_id)((*seed = *seed * 1664525 + 1013904223) >> 8) % I965_LAYOUT_COUNT;
        if (i965_layout_exists(id, I965_GENERATION_9) && i965_layout_is_packet(id))
            return packet_random(I965_GENERATION_9, id, seed, dwords);
    }
}

/* Returns the offset in a batch of one of its packets, by walking over them. */
static size_t choose_packet(const uint8_t *batch, size_t bytes, uint32_t *seed, unsigned *dwords)
{
    size_t chosen = 0, at = 0;

    *dwords = 0;
    for (unsigned count = 1; bytes - at >= 4; count++) {
        enum i965_layout_id id;
        uint32_t first;
        memcpy(&first, batch + at, 4);
        const unsigned length =
            i965_find_packet(I965_GENERATION_9, first, &id) ? i965_packet_length(id, first) : 1;
        *seed = *seed * 1664525 + 1013904223;
        if ((*seed >> 8) % count == 0) {
            chosen = at;
            *dwords = length;
        }
        if (length * 4ull > bytes - at)
            break;
        at += length * 4ull;
    }
    return chosen;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint32_t state = seed, to, dwords[I965_PACKET_MAX_DWORDS];
    unsigned length;

    if (seed % 2 || size < 16)
        return LLVMFuzzerMutate(data, size, max_size);
    const size_t piece = read_piece(data, size, 1, &to);
    uint8_t *batch = data + 1 + PIECE_HEADER;
    const size_t at = choose_packet(batch, piece, &state, &length);
    if (seed % 8 == 0) { /* Insert a packet. */
        const size_t bytes = random_packet(&state, dwords) * 4ull;
        if (size + bytes > max_size || piece + bytes > UINT16_MAX)
            return size;
        memmove(batch + at + bytes, batch + at, size - at - 1 - PIECE_HEADER);
        memcpy(batch + at, dwords, bytes);
        const uint16_t total = (uint16_t)(piece + bytes);
        memcpy(data + 3, &total, sizeof total);
        return size + bytes;
    }
    if (length < 2 || piece - at < length * 4ull)
        return size;
    /* Change a bit, or a dword, of the packet's fields. */
    const size_t field = at + 4 * (1 + (state >> 8) % (length - 1));
    uint32_t value;
    memcpy(&value, batch + field, sizeof value);
    value = seed % 8 == 2 ? value ^ 1u << (state >> 20 & 31) : seed % 8 == 4 ? state : value + 1;
    memcpy(batch + field, &value, sizeof value);
    return size;
}
