/* SPDX-License-Identifier: MIT */
/* Messages in the simulator: surfaces, blocks, URB, render targets, barriers. */
#include "sim_test.h"

#include <string.h>

static uint8_t memory[256];
static struct sim_render_write written;

static bool surface(struct sim_env *env, unsigned index, struct sim_surface *s)
{
    *s = (struct sim_surface){memory, sizeof memory, index == 1};
    return index < 2;
}

static bool render_write(struct sim_env *env, const struct sim_render_write *w)
{
    written = *w;
    return true;
}

static uint32_t memory_word(unsigned at)
{
    uint32_t word;
    memcpy(&word, memory + at, 4);
    return word;
}

void test_untyped(void **state)
{
    struct sim_env env = {.surface = surface};
    struct sim_thread t;
    uint32_t simd8 = 2 << 12, x = 0xe << 8, length = 1u << 25, answer = 1u << 20;

    for (unsigned i = 0; i < 256; i++)
        memory[i] = (uint8_t)i;
    start(&t);
    t.env = &env;
    t.active = 0x7f;
    for (unsigned i = 0; i < 8; i++)
        sim_grf(&t, 10)[i] = i * 40; /* The last one is outside. */
    run_one(&t, message(EU_SFID_DATA_CACHE1, 1 << 14 | simd8 | x | length | answer, 20, 10));
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(sim_grf(&t, 20)[i], i == 6 ? memory_word(240) : memory_word(i * 40));
    /* Write with one disabled channel and one address outside. */
    for (unsigned i = 0; i < 8; i++) {
        sim_grf(&t, 10)[i] = i == 6 ? 1000 : i * 8;
        sim_grf(&t, 11)[i] = 0xabc00 + i;
    }
    run_one(&t, message(EU_SFID_DATA_CACHE1, 9 << 14 | simd8 | x | 2u << 25, 20, 10));
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(memory_word(i * 8), 0xabc00 + i);
    assert_int_equal(memory[56], 56);
    /* A read-only surface. */
    run_one(&t, message(EU_SFID_DATA_CACHE1, 1 | 9 << 14 | simd8 | x | 2u << 25, 20, 11));
    assert_int_equal(memory_word(0), 0xabc00);
    /* Atomic add to one word by all channels, in channel order. */
    for (unsigned i = 0; i < 8; i++) {
        sim_grf(&t, 10)[i] = 128;
        sim_grf(&t, 11)[i] = i + 1;
    }
    memset(memory + 128, 0, 4);
    run_one(&t,
            message(EU_SFID_DATA_CACHE1,
                    2 << 14 | 1 << 13 | 1 << 12 | SIM_ATOMIC_ADD << 8 | 2u << 25 | answer, 20, 10));
    assert_int_equal(memory_word(128), 28);
    assert_int_equal(sim_grf(&t, 20)[3], 6);
}

static bool render_read(struct sim_env *env, struct sim_render_read *r)
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < r->channels; i++)
            r->color[c][i] = 1000 * r->channels + 100 * c + i;
    }
    return true;
}

/* Render target reads of 16 (subtype 0) and of 8 channels (subtype 1). */
void test_render_read(void **state)
{
    struct sim_env env = {.render_read = render_read};
    struct sim_thread t;

    for (unsigned subtype = 0; subtype < 2; subtype++) {
        const unsigned channels = subtype ? 8 : 16, registers = channels / 8;
        start(&t);
        t.env = &env;
        t.active = 0xffff;
        struct eu_inst inst =
            message(EU_SFID_RENDER_CACHE,
                    13u << 14 | subtype << 8 | 1u << 19 | 2u << 25 | 4 * registers << 20, 20, 10);
        inst.exec_size = (uint8_t)channels;
        run_one(&t, inst);
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(sim_grf(&t, 20 + (c + 1) * registers - 1)[7],
                             1000 * channels + 100 * c + channels - 1);
    }
}

static struct sim_typed accessed;

static bool typed(struct sim_env *env, struct sim_typed *a)
{
    accessed = *a;
    return true;
}

/* Messages with two coordinates in front of their data, in one payload. */
void test_typed(void **state)
{
    struct sim_env env = {.typed = typed};
    struct sim_thread t;

    start(&t);
    t.env = &env;
    for (unsigned r = 0; r < 6; r++) {
        for (unsigned i = 0; i < 8; i++)
            sim_grf(&t, 10 + r)[i] = 100 * r + i;
    }
    run_one(&t, message(EU_SFID_DATA_CACHE1, 13u << 14 | 6u << 25, 20, 10));
    for (unsigned c = 0; c < 4; c++) {
        assert_int_equal(accessed.coord[c][3], c < 2 ? 100 * c + 3 : 0);
        assert_int_equal(accessed.data[c][3], 100 * (c + 2) + 3);
    }
    run_one(&t, message(EU_SFID_DATA_CACHE1, 6u << 14 | SIM_ATOMIC_CMPWR << 8 | 4u << 25, 20, 10));
    assert_int_equal(accessed.coord[1][7], 107);
    assert_int_equal(accessed.coord[2][7], 0);
    assert_int_equal(accessed.data[0][7], 207);
    assert_int_equal(accessed.data[1][7], 307);
}

static uint8_t *find(struct sim_env *env, uint64_t address, unsigned bytes, bool write)
{
    return address >= 0x123400000000 && address + bytes <= 0x123400000000 + sizeof memory
               ? memory + (address - 0x123400000000)
               : NULL;
}

/* Messages with 64-bit addresses: x and z of eight and of 16 channels, blocks. */
void test_a64(void **state)
{
    struct sim_env env = {.find = find};
    struct sim_thread t;

    for (unsigned i = 0; i < 256; i++)
        memory[i] = (uint8_t)i;
    for (unsigned simd16 = 0; simd16 < 2; simd16++) {
        const uint32_t desc = 17u << 14 | (simd16 ? 1u : 2u) << 12 | 0xa << 8 | 0xfd;
        const unsigned channels = simd16 ? 16 : 8;
        start(&t);
        t.env = &env;
        t.active = UINT32_MAX;
        for (unsigned i = 0; i < channels; i++) {
            const uint64_t address = 0x123400000000 + i * 12;
            memcpy(sim_grf(&t, 10) + 2 * i, &address, sizeof address);
        }
        struct eu_inst inst =
            message(EU_SFID_DATA_CACHE1, desc | channels / 4 << 25 | channels / 4 << 20, 20, 10);
        inst.exec_size = (uint8_t)channels;
        run_one(&t, inst);
        for (unsigned i = 0; i < channels; i++) {
            assert_int_equal(sim_grf(&t, 20)[i], memory_word(i * 12));
            assert_int_equal(sim_grf(&t, 20 + channels / 8)[i], memory_word(i * 12 + 8));
        }
    }
    const uint64_t address = 0x123400000000 + 16;
    memcpy(sim_grf(&t, 10), &address, sizeof address);
    run_one(&t, message(EU_SFID_DATA_CACHE1,
                        20u << 14 | 1u << 19 | 2u << 8 | 0xfd | 1u << 25 | 1u << 20, 20, 10));
    assert_memory_equal(sim_grf(&t, 20), memory + 16, 32);
    /* A write of one dword. */
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t at = 0x123400000000 + i * 4;
        memcpy(sim_grf(&t, 10) + 2 * i, &at, sizeof at);
        sim_grf(&t, 12)[i] = 100 + i;
    }
    run_one(&t, message(EU_SFID_DATA_CACHE1, 25u << 14 | 2u << 12 | 0xe << 8 | 0xfd | 3u << 25, 20,
                        10));
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(memory_word(i * 4), 100 + i);
}

static uint64_t memory_qword(unsigned at)
{
    uint64_t value;

    memcpy(&value, memory + at, sizeof value);
    return value;
}

/* Starts a thread whose channels have the addresses of consecutive elements. */
static void start_a64(struct sim_thread *t, struct sim_env *env, unsigned bytes)
{
    start(t);
    t->env = env;
    t->active = UINT32_MAX;
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t address = 0x123400000000 + i * bytes;
        memcpy(sim_grf(t, 10) + 2 * i, &address, sizeof address);
    }
}

/* Atomic operations with 64-bit addresses, on 32 and 64 bits and on floats. */
void test_a64_atomics(void **state)
{
    const uint32_t desc = 18u << 14 | 1u << 13 | 0xff;
    struct sim_env env = {.find = find};
    struct sim_thread t;

    memset(memory, 0, sizeof memory);
    start_a64(&t, &env, 4);
    for (unsigned i = 0; i < 8; i++)
        sim_grf(&t, 12)[i] = i + 1;
    run_one(&t,
            message(EU_SFID_DATA_CACHE1, desc | SIM_ATOMIC_SUB << 8 | 3u << 25 | 1u << 20, 20, 10));
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(sim_grf(&t, 20)[i], 0);
        assert_int_equal(memory_word(i * 4), (uint32_t)-(int32_t)(i + 1));
    }
    /* 64 bits: the smaller signed value; then a comparison that only channel 3 passes. */
    start_a64(&t, &env, 8);
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t old = UINT64_C(0x500000000) + i, x = i % 2 ? UINT64_MAX << 32 : old + 1;
        memcpy(memory + i * 8, &old, sizeof old);
        memcpy(sim_grf(&t, 12) + 2 * i, &x, sizeof x);
    }
    run_one(&t, message(EU_SFID_DATA_CACHE1,
                        desc | 1u << 12 | SIM_ATOMIC_IMIN << 8 | 4u << 25 | 2u << 20, 20, 10));
    for (unsigned i = 0; i < 8; i++) {
        uint64_t old;
        memcpy(&old, sim_grf(&t, 20) + 2 * i, sizeof old);
        assert_true(old == UINT64_C(0x500000000) + i);
        assert_true(memory_qword(i * 8) == (i % 2 ? UINT64_MAX << 32 : old));
    }
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t x = i == 3 ? UINT64_MAX << 32 : 1, y = UINT64_C(0x700000000) + i;
        memcpy(sim_grf(&t, 12) + 2 * i, &x, sizeof x);
        memcpy(sim_grf(&t, 14) + 2 * i, &y, sizeof y);
    }
    run_one(&t, message(EU_SFID_DATA_CACHE1,
                        desc | 1u << 12 | SIM_ATOMIC_CMPWR << 8 | 6u << 25 | 2u << 20, 20, 10));
    assert_true(memory_qword(2 * 8) == UINT64_C(0x500000002));
    assert_true(memory_qword(3 * 8) == UINT64_C(0x700000003));
    assert_true(memory_qword(5 * 8) == UINT64_MAX << 32);
    /* The larger float. */
    start_a64(&t, &env, 4);
    for (unsigned i = 0; i < 8; i++) {
        const float old = 2.0f, x = (float)i;
        memcpy(memory + i * 4, &old, sizeof old);
        memcpy(sim_grf(&t, 12) + i, &x, sizeof x);
    }
    run_one(&t, message(EU_SFID_DATA_CACHE1, 29u << 14 | SIM_ATOMIC_FMAX << 8 | 0xff | 3u << 25, 0,
                        10));
    for (unsigned i = 0; i < 8; i++) {
        float value;
        memcpy(&value, memory + i * 4, sizeof value);
        assert_float_equal(value, i > 2 ? (float)i : 2.0f, 0);
    }
}

/* Scattered accesses with 64-bit addresses: bytes, pairs of dwords, qwords; blocks are written. */
void test_a64_scattered(void **state)
{
    struct sim_env env = {.find = find};
    struct sim_thread t;

    for (unsigned i = 0; i < 256; i++)
        memory[i] = (uint8_t)(i ^ 0xa5);
    start_a64(&t, &env, 3);
    run_one(&t, message(EU_SFID_DATA_CACHE1, 16u << 14 | 1u << 10 | 0xff | 2u << 25 | 1u << 20, 20,
                        10));
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(sim_grf(&t, 20)[i], memory_word(i * 3) & 0xffff);
    start_a64(&t, &env, 8);
    run_one(&t, message(EU_SFID_DATA_CACHE1,
                        16u << 14 | 1u << 10 | 1u << 8 | 0xff | 2u << 25 | 2u << 20, 20, 10));
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(sim_grf(&t, 20)[i], memory_word(i * 8));
        assert_int_equal(sim_grf(&t, 21)[i], memory_word(i * 8 + 4));
    }
    for (unsigned i = 0; i < 16; i++)
        sim_grf(&t, 12)[i] = 1000 + i;
    run_one(&t, message(EU_SFID_DATA_CACHE1, 26u << 14 | 2u << 8 | 0xff | 4u << 25, 0, 10));
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(memory_word(i * 4), 1000 + i);
    const uint64_t address = 0x123400000000 + 128;
    memcpy(sim_grf(&t, 10), &address, sizeof address);
    for (unsigned i = 0; i < 8; i++)
        sim_grf(&t, 11)[i] = 2000 + i;
    run_one(&t,
            message(EU_SFID_DATA_CACHE1, 21u << 14 | 1u << 19 | 2u << 8 | 0xff | 2u << 25, 0, 10));
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(memory_word(128 + i * 4), 2000 + i);
    assert_int_equal(memory[160], 160 ^ 0xa5);
}

void test_blocks_and_urb(void **state)
{
    static uint8_t urb[1024], scratch[256];
    struct sim_env env = {.surface = surface,
                          .urb = urb,
                          .urb_size = sizeof urb,
                          .scratch = scratch,
                          .scratch_size = sizeof scratch};
    struct sim_thread t;

    for (unsigned i = 0; i < 256; i++)
        memory[i] = (uint8_t)(i ^ 0x5a);
    start(&t);
    t.env = &env;
    sim_grf(&t, 10)[2] = 4; /* In owords. */
    run_one(&t,
            message(EU_SFID_DATA_CONSTANT_CACHE, 1 << 19 | 3 << 8 | 1u << 25 | 2u << 20, 20, 10));
    assert_memory_equal(sim_grf(&t, 20), memory + 64, 64);
    /* Scratch write and read. */
    memcpy(sim_grf(&t, 31), memory, 32);
    run_one(&t, message(EU_SFID_DATA_CACHE0, 1 << 19 | 1 << 18 | 1 << 17 | 3 | 2u << 25, 0, 30));
    assert_memory_equal(scratch + 96, memory, 32);
    run_one(&t, message(EU_SFID_DATA_CACHE0, 1 << 19 | 1 << 18 | 3 | 1u << 25 | 1u << 20, 40, 30));
    assert_memory_equal(sim_grf(&t, 40), memory, 32);
    /* URB: component c of channel i's entry, at oword 2. */
    for (unsigned i = 0; i < 8; i++) {
        sim_grf(&t, 50)[i] = i * 2;
        for (unsigned c = 0; c < 4; c++)
            sim_grf(&t, 51 + c)[i] = c * 100 + i;
    }
    run_one(&t, message(EU_SFID_URB, 7 | 2 << 4 | 1 << 19 | 5u << 25, 0, 50));
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned c = 0; c < 4; c++) {
            uint32_t word;
            memcpy(&word, urb + i * 128 + 32 + c * 4, 4);
            assert_int_equal(word, c * 100 + i);
        }
    }
}

void test_render_target(void **state)
{
    struct sim_env env = {.render_write = render_write};
    struct sim_thread t;
    struct eu_inst inst = message(EU_SFID_RENDER_CACHE, 3 | 12 << 14 | 1 << 12 | 8u << 25, 0, 10);

    start(&t);
    t.env = &env;
    t.active = 0x0ff0;
    for (unsigned r = 0; r < 8; r++) {
        for (unsigned i = 0; i < 8; i++)
            sim_grf(&t, 10 + r)[i] = r / 2 * 1000 + r % 2 * 8 + i;
    }
    inst.exec_size = 16;
    run_one(&t, inst);
    assert_int_equal(written.target, 3);
    assert_int_equal(written.mask, 0x0ff0);
    assert_int_equal(written.channels, 16);
    assert_true(written.last);
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(written.color[c][i], c * 1000 + i);
    }
}

/* Addresses and data in separate registers; with and without waiting for earlier pixels. */
void test_split_payload(void **state)
{
    static const enum eu_opcode opcodes[] = {EU_OPCODE_SENDS, EU_OPCODE_SENDSC, EU_OPCODE_SENDC};
    struct sim_env env = {.surface = surface};

    for (unsigned k = 0; k < ARRAY_SIZE(opcodes); k++) {
        bool split = opcodes[k] != EU_OPCODE_SENDC;
        struct eu_inst inst = message(
            EU_SFID_DATA_CACHE1, 9 << 14 | 2 << 12 | 0xe << 8 | (split ? 1u : 2u) << 25, 0, 10);
        struct sim_thread t;
        start(&t);
        t.env = &env;
        for (unsigned i = 0; i < 8; i++) {
            sim_grf(&t, 10)[i] = i * 4;
            sim_grf(&t, split ? 50 : 11)[i] = k * 100 + i;
        }
        inst.opcode = opcodes[k];
        inst.dst = (struct eu_reg){.file = EU_FILE_ARF, .hstride = 1};
        if (split) {
            inst.src[1] = (struct eu_reg){.file = EU_FILE_GRF, .nr = 50};
            inst.ex_desc = 1 << 6;
        }
        run_one(&t, inst);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(memory_word(i * 4), k * 100 + i);
    }
}

/* The thread stops at wait and continues when it is run again. */
void test_barrier(void **state)
{
    struct eu_inst wait = alu(EU_OPCODE_WAIT, EU_TYPE_UD), add = alu(EU_OPCODE_ADD, EU_TYPE_UD);
    struct eu_reg n0 = {.file = EU_FILE_ARF,
                        .nr = EU_ARF_NOTIFICATION,
                        .type = EU_TYPE_UD,
                        .width = 1,
                        .hstride = 0};
    struct sim_program *p;
    struct code c = {.count = 0};
    struct sim_thread t;
    char error[128];

    wait.exec_size = 1;
    wait.src[0] = wait.dst = n0;
    wait.dst.hstride = 1;
    add.src[1] = imm(EU_TYPE_UD, 9);
    emit(&c, message(EU_SFID_GATEWAY, 4 | 1u << 25, 0, 10));
    emit(&c, wait);
    emit(&c, add);
    end(&c);
    start(&t);
    p = sim_program_create(sim_dev, (const uint8_t *)c.word, c.count * 16ul, error, sizeof error);
    assert_non_null(p);
    t.program = p;
    assert_int_equal(sim_thread_run(&t), SIM_BARRIER);
    assert_int_equal(sim_grf(&t, 20)[0], 0);
    assert_int_equal(sim_thread_run(&t), SIM_DONE);
    assert_int_equal(sim_grf(&t, 20)[0], 9);
    sim_program_destroy(p);
    sim_ran[EU_OPCODE_WAIT] = true;
}
