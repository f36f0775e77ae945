/* SPDX-License-Identifier: MIT */
/*
 * Packets of the command stream: packing, unpacking and printing for each packet and generation,
 * the errors of both, and the decoder of batches with corrupt ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "batch_decode.h"
#include "packet_random.h"
#include "util/macros.h"

#define GEN9 I965_GENERATION_9

/* A C struct of any packet. */
static union {
    unsigned char bytes[1 << 16];
    uint64_t align;
} values;

/* For each packet and structure of each generation: random bits survive unpacking and packing. */
static void test_round_trip(void **state)
{
    uint32_t seed = 1;
    unsigned checked = 0;
    for (unsigned gen = 0; gen < I965_GENERATION_COUNT; gen++) {
        for (unsigned id = 0; id < I965_LAYOUT_COUNT; id++) {
            uint32_t in[I965_PACKET_MAX_DWORDS], out[I965_PACKET_MAX_DWORDS];
            struct i965_packet_error error = {""};
            for (unsigned i = 0; i < 20 && i965_layout_exists(id, gen); i++) {
                unsigned count = packet_random(gen, id, &seed, in);
                if (!i965_unpack(gen, id, in, count, &values, &error))
                    fail_msg("%s", error.text);
                unsigned packed = i965_pack(gen, id, &values, out, ARRAY_SIZE(out), &error);
                if (packed != count)
                    fail_msg("generation column %u: %s", gen, error.text);
                assert_memory_equal(in, out, count * sizeof *in);
                checked++;
            }
        }
    }
    assert_true(checked > 10000);
}

/* Packets that the manuals describe bit by bit. */
static void test_known_dwords(void **state)
{
    struct i965_packet_error error;
    uint32_t dwords[20];
    struct i965_pipeline_select select = {.pipeline_selection = I965_PIPELINE_SELECTION_GPGPU,
                                          .mask_bits = 3};
    assert_int_equal(i965_pack(GEN9, I965_PIPELINE_SELECT, &select, dwords, 1, &error), 1);
    assert_int_equal(dwords[0], 0x69040302);

    struct i965_3dprimitive draw = {
        .primitive_topology_type = 4, .vertex_count_per_instance = 3, .instance_count = 1};
    static const uint32_t draw_dwords[] = {0x7b000005, 4, 3, 0, 1, 0, 0};
    assert_int_equal(i965_pack(GEN9, I965_3DPRIMITIVE, &draw, dwords, 7, &error), 7);
    assert_memory_equal(dwords, draw_dwords, sizeof draw_dwords);

    struct i965_3dstate_sf sf = {
        .viewport_transform_enable = true, .line_width = 1.5f, .point_width = 2.125f};
    static const uint32_t sf_dwords[] = {0x78130002, 192 << 12 | 1 << 1, 0, 17};
    assert_int_equal(i965_pack(GEN9, I965_3DSTATE_SF, &sf, dwords, 4, &error), 4);
    assert_memory_equal(dwords, sf_dwords, sizeof sf_dwords);

    struct i965_mi_store_data_imm store = {.address = 0x123456789abc, .immediate_data = 7};
    assert_int_equal(i965_pack(GEN9, I965_MI_STORE_DATA_IMM, &store, dwords, 5, &error), 5);
    assert_int_equal(dwords[0], 0x10000003);
    assert_int_equal(dwords[1], 0x56789abc);
    assert_int_equal(dwords[2], 0x1234);
    assert_int_equal(dwords[3], 7);
}

/* The same packet has other lengths and fields in other generations. */
static void test_generations(void **state)
{
    static const unsigned lengths[I965_GENERATION_COUNT] = {16, 19, 22, 22};
    struct i965_packet_error error;
    uint32_t dwords[32];
    for (unsigned gen = 0; gen < I965_GENERATION_COUNT; gen++) {
        struct i965_state_base_address base = {.instruction_base_address = 0x7000};
        assert_int_equal(i965_pack(gen, I965_STATE_BASE_ADDRESS, &base, dwords, 32, &error),
                         lengths[gen]);
        assert_int_equal(dwords[10], 0x7000);
    }
    struct i965_state_base_address bindless = {.bindless_surface_state_base_address = 0x1000};
    assert_int_equal(
        i965_pack(I965_GENERATION_8, I965_STATE_BASE_ADDRESS, &bindless, dwords, 32, &error), 0);
    assert_string_equal(error.text,
                        "STATE_BASE_ADDRESS: 'Bindless Surface State Base Address' does not "
                        "exist in this generation");
    struct i965_3dstate_urb_alloc_vs alloc = {0};
    assert_int_equal(i965_pack(GEN9, I965_3DSTATE_URB_ALLOC_VS, &alloc, dwords, 32, &error), 0);
    assert_string_equal(error.text, "3DSTATE_URB_ALLOC_VS: does not exist in this generation");
}

static void expect_pack_error(enum i965_layout_id id, const void *packet, const char *text)
{
    struct i965_packet_error error = {""};
    uint32_t dwords[I965_PACKET_MAX_DWORDS];
    assert_int_equal(i965_pack(GEN9, id, packet, dwords, ARRAY_SIZE(dwords), &error), 0);
    assert_string_equal(error.text, text);
}

static void test_pack_errors(void **state)
{
    struct i965_packet_error error;
    uint32_t dwords[4];
    struct i965_3dstate_clip clip = {.maximum_vp_index = 16};
    expect_pack_error(I965_3DSTATE_CLIP, &clip, "3DSTATE_CLIP: 'Maximum VP Index' is out of range");
    clip = (struct i965_3dstate_clip){.maximum_point_width = 256};
    expect_pack_error(I965_3DSTATE_CLIP, &clip,
                      "3DSTATE_CLIP: 'Maximum Point Width' is out of range");
    clip.maximum_point_width = -1;
    expect_pack_error(I965_3DSTATE_CLIP, &clip,
                      "3DSTATE_CLIP: 'Maximum Point Width' is out of range");
    struct i965_3dstate_cc_state_pointers cc = {.color_calc_state_pointer = 32};
    expect_pack_error(I965_3DSTATE_CC_STATE_POINTERS, &cc,
                      "3DSTATE_CC_STATE_POINTERS: 'Color Calc State Pointer' is not aligned");
    cc.color_calc_state_pointer = 1ull << 32;
    expect_pack_error(I965_3DSTATE_CC_STATE_POINTERS, &cc,
                      "3DSTATE_CC_STATE_POINTERS: 'Color Calc State Pointer' is out of range");
    struct i965_3dstate_vertex_elements elements = {.num_element = 35};
    expect_pack_error(I965_3DSTATE_VERTEX_ELEMENTS, &elements,
                      "3DSTATE_VERTEX_ELEMENTS: 'Element' has too many elements");
    struct i965_mi_load_register_imm registers = {0};
    expect_pack_error(I965_MI_LOAD_REGISTER_IMM, &registers,
                      "MI_LOAD_REGISTER_IMM: 'Register Offset' has too few elements");
    struct i965_color_calc_state alpha = {.alpha_reference_value_as_float32 = 1,
                                          .alpha_reference_value_as_unorm8 = 7};
    expect_pack_error(I965_COLOR_CALC_STATE, &alpha,
                      "COLOR_CALC_STATE: 'Alpha Reference Value As UNORM8' shares bits with "
                      "another field that is "
                      "set, too");
    clip = (struct i965_3dstate_clip){0};
    assert_int_equal(i965_pack(GEN9, I965_3DSTATE_CLIP, &clip, dwords, 3, &error), 0);
    assert_string_equal(error.text, "3DSTATE_CLIP: needs 4 dwords, and there are 3");
}

static void expect_unpack_error(enum i965_layout_id id, const uint32_t *dwords, unsigned count,
                                const char *text)
{
    struct i965_packet_error error = {""};
    assert_false(i965_unpack(GEN9, id, dwords, count, &values, &error));
    assert_string_equal(error.text, text);
    assert_false(i965_check_packet(GEN9, id, dwords, count, &error));
    assert_string_equal(error.text, text);
}

static void test_unpack_errors(void **state)
{
    uint32_t clip[] = {0x78120002, 0, 0, 0};
    expect_unpack_error(I965_3DSTATE_CLIP, clip, 3, "3DSTATE_CLIP: truncated, 3 of 4 dwords");
    expect_unpack_error(I965_3DSTATE_SF, clip, 4, "3DSTATE_SF: has another opcode");
    clip[0]++;
    expect_unpack_error(I965_3DSTATE_CLIP, clip, 4,
                        "3DSTATE_CLIP: the length is 5 dwords instead of 4");
    clip[0]--;
    clip[2] = 1 << 27;
    expect_unpack_error(I965_3DSTATE_CLIP, clip, 4,
                        "3DSTATE_CLIP: dword 2: reserved bits 0x8000000 are set");
    uint32_t buffers[] = {0x78080002, 0, 0, 0};
    expect_unpack_error(I965_3DSTATE_VERTEX_BUFFERS, buffers, 4,
                        "3DSTATE_VERTEX_BUFFERS: the length is 4 dwords instead of 1 or more");
}

/* A canonical address repeats bit 47; it packs to the same bits as the address of 48 bits. */
static void test_canonical_address(void **state)
{
    struct i965_packet_error error;
    struct i965_pipe_control low = {.address = 0xfffefee00000},
                             canonical = {.address = 0xfffffffefee00000};
    uint32_t x[6], y[6];
    assert_int_equal(i965_pack(GEN9, I965_PIPE_CONTROL, &low, x, 6, &error), 6);
    assert_int_equal(i965_pack(GEN9, I965_PIPE_CONTROL, &canonical, y, 6, &error), 6);
    assert_memory_equal(x, y, sizeof x);
    canonical.address = 0x7ffffffefee00000;
    assert_int_equal(i965_pack(GEN9, I965_PIPE_CONTROL, &canonical, y, 6, &error), 0);
}

/* A batch in memory at an address. */
struct batch {
    uint64_t address;
    const uint32_t *dwords;
    unsigned count;
};

static const uint8_t *read_batch(void *data, uint64_t address, uint64_t *size)
{
    const struct batch *b = data;
    if (address < b->address || address - b->address >= b->count * 4ull)
        return NULL;
    *size = b->count * 4ull - (address - b->address);
    return (const uint8_t *)b->dwords + (address - b->address);
}

/* Decodes dwords at address 0x10000 and returns what is printed, to be freed by the caller. */
static char *decode(const uint32_t *dwords, unsigned count, unsigned *errors)
{
    struct batch batch = {0x10000, dwords, count};
    struct i965_batch_memory memory = {read_batch, &batch};
    struct i965_decode_options options = {.generation = GEN9, .address = 0x10000};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    *errors = i965_batch_decode(&options, &memory, out);
    fclose(out);
    return text;
}

static void test_decode_follows_state(void **state)
{
    struct i965_packet_error error;
    uint32_t dwords[128] = {0};
    unsigned at = 0, errors;
    struct i965_state_base_address base = {.dynamic_state_base_address = 0x10000,
                                           .dynamic_state_base_address_modify_enable = true};
    struct i965_3dstate_scissor_state_pointers pointers = {.scissor_rect_pointer = 0x100};
    struct i965_scissor_rect rect = {.scissor_rectangle_x_min = 5, .scissor_rectangle_y_max = 77};
    at += i965_pack(GEN9, I965_STATE_BASE_ADDRESS, &base, dwords, 64, &error);
    at += i965_pack(GEN9, I965_3DSTATE_SCISSOR_STATE_POINTERS, &pointers, dwords + at, 64, &error);
    dwords[at] = 0x05000000;
    assert_int_equal(i965_pack(GEN9, I965_SCISSOR_RECT, &rect, dwords + 64, 64, &error), 2);
    char *text = decode(dwords, 128, &errors);
    assert_int_equal(errors, 0);
    assert_non_null(strstr(text, "0x1004c: 780f0000 3DSTATE_SCISSOR_STATE_POINTERS\n"
                                 "    Scissor Rect Pointer: 0x00000100\n"
                                 "  SCISSOR_RECT at 0x10100\n"));
    assert_non_null(strstr(text, "Scissor Rectangle X Min: 5\n"));
    assert_non_null(strstr(text, "Scissor Rectangle Y Max: 77\n"));
    assert_non_null(strstr(text, "MI_BATCH_BUFFER_END\n"));
    free(text);
}

static void expect_decode_error(const uint32_t *dwords, unsigned count, const char *message)
{
    unsigned errors;
    char *text = decode(dwords, count, &errors);
    assert_int_equal(errors, 1);
    if (!strstr(text, message))
        fail_msg("'%s' is not in:\n%.2000s", message, text);
    free(text);
}

static void test_decode_errors(void **state)
{
    static const uint32_t unknown[] = {0x7fff0000, 0x05000000}, endless[] = {0},
                          cycle[] = {0x18800001, 0x10000, 0}, truncated[] = {0x78120002, 0},
                          again[] = {0x18c00001, 0x10000, 0},
                          nested[] = {0x18c00001, 0x1000c,    0,       0x18c00001, 0x10018,
                                      0,          0x18c00001, 0x10024, 0},
                          outside[] = {0x18800001, 0x5000, 0};
    expect_decode_error(unknown, 2, "error: unknown instruction 0x7fff0000 at 0x10000\n");
    expect_decode_error(endless, 1, "error: batch at 0x10004: no memory\n");
    expect_decode_error(cycle, 3,
                        "error: the batch does not end: the jump at 0x10000 is reached again\n");
    expect_decode_error(truncated, 2, "error: 3DSTATE_CLIP: truncated, 2 of 4 dwords\n");
    expect_decode_error(again, 3, "error: batch at 0x1000c: no memory\n");
    expect_decode_error(nested, 9, "error: more than 3 levels of batches\n");
    expect_decode_error(outside, 3, "error: batch at 0x5000: no memory\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),           cmocka_unit_test(test_known_dwords),
        cmocka_unit_test(test_generations),          cmocka_unit_test(test_pack_errors),
        cmocka_unit_test(test_unpack_errors),        cmocka_unit_test(test_canonical_address),
        cmocka_unit_test(test_decode_follows_state), cmocka_unit_test(test_decode_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
