/* SPDX-License-Identifier: MIT */
/* Encoder, decoder, compaction and validator: accepted inputs, and error messages for others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/macros.h"
#include "driver/i965/eu.h"

static const struct i965_device *dev;

static int find_device(void **state)
{
    dev = i965_device_by_name("skl");
    return dev ? 0 : -1;
}

static int find_tgl(void **state)
{
    dev = i965_device_by_name("tgl");
    return dev ? 0 : -1;
}

static struct eu_reg grf(unsigned nr, enum eu_type type)
{
    return (struct eu_reg){.file = EU_FILE_GRF,
                           .type = type,
                           .nr = (uint8_t)nr,
                           .vstride = 8,
                           .width = 8,
                           .hstride = 1};
}

static struct eu_inst add(void)
{
    return (struct eu_inst){
        .opcode = EU_OPCODE_ADD,
        .exec_size = 8,
        .dst = grf(10, EU_TYPE_F),
        .src = {grf(2, EU_TYPE_F), grf(4, EU_TYPE_F)},
    };
}

static struct eu_inst end_of_thread(void)
{
    return (struct eu_inst){
        .opcode = EU_OPCODE_SEND,
        .exec_size = 8,
        .sfid = EU_SFID_THREAD_SPAWNER,
        .eot = true,
        .desc = 1u << 25,
        .dst = {.file = EU_FILE_ARF, .hstride = 1},
        .src = {grf(127, EU_TYPE_UD)},
    };
}

static void encode_at(uint64_t *program, unsigned i, struct eu_inst inst)
{
    const char *error = NULL;
    assert_true(eu_encode(dev, &inst, program + i * 2, &error));
}

static char *text_of(const struct eu_inst *inst)
{
    char *text = NULL;
    size_t size = 0;
    FILE *fp = open_memstream(&text, &size);
    eu_print(dev, inst, 0, fp);
    fclose(fp);
    return text;
}

static void test_round_trip(void **state)
{
    struct eu_inst inst = add(), back;
    uint64_t word[2];
    const char *error = NULL;
    char why[128];

    inst.predicate = EU_PREDICATE_NORMAL;
    inst.predicate_inverse = true;
    inst.flag_nr = 1;
    inst.flag_subnr = 1;
    inst.cmod = EU_CMOD_LE;
    inst.saturate = true;
    inst.group = 8;
    inst.src[0].negate = inst.src[1].abs = true;
    assert_true(eu_encode(dev, &inst, word, &error));
    assert_int_equal(eu_decode(dev, (uint8_t *)word, 16, 0, &back, why, sizeof why), 16);
    char *a = text_of(&inst), *b = text_of(&back);
    assert_string_equal(a, b);
    assert_string_equal(a, "(~f1.1) add (8|M8) (le)f1.1 (sat)r10.0<1>:f -r2.0<8;8,1>:f "
                           "(abs)r4.0<8;8,1>:f");
    free(a);
    free(b);
}

static void expect_unencodable(struct eu_inst inst, const char *field)
{
    uint64_t word[2];
    const char *error = NULL;

    assert_false(eu_encode(dev, &inst, word, &error));
    assert_non_null(error);
    if (!strstr(error, field))
        fail_msg("\"%s\" does not name %s", error, field);
}

static void test_unencodable(void **state)
{
    struct eu_inst inst = add();
    inst.exec_size = 3;
    expect_unencodable(inst, "exec_size");
    inst = add();
    inst.src[0].width = 5;
    expect_unencodable(inst, "src0_width");
    inst = add();
    inst.dst.type = EU_TYPE_VF;
    expect_unencodable(inst, "dst_type");
    inst = add();
    inst.group = 2;
    expect_unencodable(inst, "nibble_control");
    inst = add();
    inst.src[0].file = EU_FILE_IMM;
    expect_unencodable(inst, "src0_file");
    inst = add();
    inst.src[1].indirect = true;
    inst.src[1].address_offset = 512;
    expect_unencodable(inst, "src1_address_offset");
    inst = add();
    inst.opcode = (enum eu_opcode)0x7d;
    expect_unencodable(inst, "opcode");
}

/* Arbitrary 16 bytes are either an instruction whose encoding decodes to the same text, or cause an
 * error that names the offset and the field. */
static void test_random_bytes(void **state)
{
    uint64_t seed = 1;

    for (unsigned i = 0; i < 200000; i++) {
        uint64_t word[2], again[2];
        struct eu_inst inst, back;
        const char *error = NULL;
        char why[128] = "";
        for (unsigned k = 0; k < 2; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            word[k] = seed ^ seed >> 29;
        }
        if (i % 2) /* Prefer known opcodes. */
            word[0] = (word[0] & ~UINT64_C(0x2000007f)) | (i % 4 == 1 ? 0x40 : 0x31);
        unsigned size = eu_decode(dev, (uint8_t *)word, 16, 0, &inst, why, sizeof why);
        if (!size) {
            assert_non_null(strstr(why, "offset 0"));
            continue;
        }
        if (!eu_encode(dev, &inst, again, &error))
            continue; /* Reserved bits may contradict the format. */
        assert_int_equal(eu_decode(dev, (uint8_t *)again, 16, 0, &back, why, sizeof why), 16);
        char *a = text_of(&inst), *b = text_of(&back);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
}

/* Align16 instructions with two sources, as in Mesa's kernels. */
static void test_align16(void **state)
{
    static const struct {
        uint64_t word[2];
        const char *text; /* Part of the text, or of the error message. */
    } cases[] = {
        {{UINT64_C(0x216f3ae800600140), UINT64_C(0x006e014e3a644144)},
         "r11.0<1>.xyzw:f -r10.0<4>.xyxy:f r10.0<4>.zwzw:f"},
        {{UINT64_C(0x21653ae800600140), UINT64_C(0x006e014e3a044154)},
         "r11.0<1>.xz:f -r10.4<0>.xyxy:f r10.0<4>.zwzw:f"},
        {{UINT64_C(0x216f3ae800620140), UINT64_C(0x006e014e3a644144)}, "field predicate"},
        {{UINT64_C(0x216f3ae800200140), UINT64_C(0x006e014e3a644144)}, "field exec_size"},
        {{UINT64_C(0x416f3ae800600140), UINT64_C(0x006e014e3a644144)}, "field dst_hstride"},
        {{UINT64_C(0x216f3ae800600140), UINT64_C(0x006e014e3aa44144)}, "field src0_vstride"},
        {{UINT64_C(0x216f3ae80060015a), UINT64_C(0x006e014e3a644144)}, "field access_mode"},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        struct eu_inst inst;
        char why[128] = "";
        unsigned size =
            eu_decode(dev, (const uint8_t *)cases[i].word, 16, 0, &inst, why, sizeof why);
        char *text = size ? text_of(&inst) : NULL;
        if (!strstr(text ? text : why, cases[i].text))
            fail_msg("case %u: \"%s\"", i, text ? text : why);
        free(text);
    }
    /* The region of eight floats at r127.4 ends past the last register. */
    uint64_t program[4] = {UINT64_C(0x216f3ae800600140), UINT64_C(0x006e014e3a644ff4)};
    encode_at(program, 1, end_of_thread());
    assert_int_equal(eu_validate(dev, (uint8_t *)program, sizeof program, NULL), 1);
}

static void test_truncated(void **state)
{
    struct eu_inst inst = add();
    uint64_t word[2];
    const char *error = NULL;
    char why[128];

    assert_true(eu_encode(dev, &inst, word, &error));
    for (size_t size = 0; size < 16; size++)
        assert_int_equal(eu_decode(dev, (uint8_t *)word, size, 0, &inst, why, sizeof why), 0);
    assert_int_equal(eu_decode(dev, (uint8_t *)word, 16, 24, &inst, why, sizeof why), 0);
    assert_non_null(strstr(why, "offset 24"));
}

/* ------------------------------------------------------------------------------ compaction --- */

static void test_compaction(void **state)
{
    struct eu_inst inst = add();
    uint64_t native[2], back[2], compact;
    const char *error = NULL;

    assert_true(eu_encode(dev, &inst, native, &error));
    assert_true(eu_compact(dev, native, &compact));
    assert_true(eu_uncompact(dev, compact, back));
    assert_memory_equal(native, back, sizeof native);
    inst.src[0].subnr = 28; /* Not in the table. */
    assert_true(eu_encode(dev, &inst, native, &error));
    assert_false(eu_compact(dev, native, &compact));
}

static struct eu_inst mad(unsigned dst, unsigned src0, unsigned src1, unsigned src2)
{
    struct eu_inst inst = {
        .opcode = EU_OPCODE_MAD,
        .exec_size = 8,
        .dst = grf(dst, EU_TYPE_F),
        .src = {grf(src0, EU_TYPE_F), grf(src1, EU_TYPE_F), grf(src2, EU_TYPE_F)},
    };
    inst.src[2].vstride = inst.src[2].width = 1;
    inst.src[2].hstride = 0;
    return inst;
}

static void expect_compacted(struct eu_inst inst, uint64_t expected)
{
    uint64_t native[2], back[2], compact;
    const char *error = NULL;

    assert_true(eu_encode(dev, &inst, native, &error));
    assert_true(eu_compact(dev, native, &compact));
    assert_int_equal(compact, expected);
    assert_true(eu_uncompact(dev, compact, back));
    assert_memory_equal(native, back, sizeof native);
}

/* Three sources in align1 mode. Intel's assembler encodes them so. */
static void test_compaction_3src(void **state)
{
    struct eu_inst inst = mad(0x66, 0x21, 0x43, 0x55);
    uint64_t native[2], compact;
    const char *error = NULL;

    expect_compacted(inst, UINT64_C(0x43552100a166005b));
    inst = mad(10, 4, 0, 4);
    inst.scoreboard = 3;
    expect_compacted(inst, UINT64_C(0x00040400a10a035b));
    inst = mad(10, 4, 0, 4);
    inst.exec_size = 16;
    inst.src[0].negate = true;
    inst.src[2].vstride = 0;
    inst.src[2].subnr = 12;
    expect_compacted(inst, UINT64_C(0x0004042be00a005b));
    inst.src[2].abs = true; /* Not in the table. */
    assert_true(eu_encode(dev, &inst, native, &error));
    assert_false(eu_compact(dev, native, &compact));

    dev = i965_device_by_name("icl"); /* Has no such form. */
    assert_non_null(dev);
    inst = mad(10, 4, 0, 4);
    inst.src[2].vstride = 0;
    assert_true(eu_encode(dev, &inst, native, &error));
    assert_false(eu_compact(dev, native, &compact));
    assert_false(eu_uncompact(dev, UINT64_C(0x00040400a10a005b), native));
}

/* Every row of the tables of Gen12 occurs once. */
static void test_compaction_rows(void **state)
{
    static const struct {
        uint64_t word;
        unsigned low, rows; /* lowest bit of the index, number of rows */
    } tables[] = {
        {UINT64_C(0x4300210021660040), 24, 32}, {UINT64_C(0x4300210021660040), 30, 32},
        {UINT64_C(0x4300210021660040), 35, 32}, {UINT64_C(0x4300210021660040), 48, 16},
        {UINT64_C(0x4300210021660040), 52, 16}, {UINT64_C(0x435521002066005b), 24, 32},
        {UINT64_C(0x435521002066005b), 30, 32}, {UINT64_C(0x435521002066005b), 35, 32},
    };
    uint64_t native[2], compact;

    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++) {
        for (uint64_t row = 0; row < tables[i].rows; row++) {
            uint64_t word = tables[i].word & ~(UINT64_C(15) << tables[i].low);
            word |= row << tables[i].low;
            assert_true(eu_uncompact(dev, word, native));
            assert_true(eu_compact(dev, native, &compact));
            assert_int_equal(compact, word);
        }
    }
}

/* Immediates of 12 bits. Values as Intel's disassembler prints them. */
static void test_compaction_immediate(void **state)
{
    static const struct {
        unsigned row; /* of the data types */
        uint32_t bits, value;
        enum eu_type type;
    } cases[] = {
        {3, 0xbf8, 0xbf800000, EU_TYPE_F},  {9, 0x800, 0xf800, EU_TYPE_W},
        {14, 0x800, 0xfffff800, EU_TYPE_D}, {14, 0x765, 0x765, EU_TYPE_D},
        {15, 0xfff, 0xfff, EU_TYPE_UD},     {20, 0x765, 0x765, EU_TYPE_V},
        {20, 0xfff, 0xfff, EU_TYPE_V},      {21, 0x800, 0x800, EU_TYPE_UW},
    };
    char why[128];

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t word = UINT64_C(0x0000210021660040) | (uint64_t)cases[i].row << 30 |
                        (uint64_t)cases[i].bits << 52;
        uint64_t native[2], again;
        struct eu_inst inst;
        assert_int_equal(eu_decode(dev, (uint8_t *)&word, 8, 0, &inst, why, sizeof why), 8);
        assert_int_equal(inst.src[1].file, EU_FILE_IMM);
        assert_int_equal(inst.src[1].type, cases[i].type);
        assert_int_equal(inst.src[1].imm, cases[i].value);
        assert_true(eu_uncompact(dev, word, native));
        assert_true(eu_compact(dev, native, &again));
        assert_int_equal(again, word);
    }
}

/* Jumps across instructions that shrink. */
static void test_compact_program(void **state)
{
    uint64_t program[12];
    struct eu_inst branch = {.opcode = EU_OPCODE_IF,
                             .exec_size = 8,
                             .jip = 48,
                             .uip = 48,
                             .predicate = EU_PREDICATE_NORMAL};
    struct eu_inst end = {.opcode = EU_OPCODE_ENDIF, .exec_size = 8, .jip = 16}, inst;
    char why[128];

    encode_at(program, 0, branch);
    encode_at(program, 1, add());
    encode_at(program, 2, add());
    encode_at(program, 3, end);
    encode_at(program, 4, add());
    encode_at(program, 5, end_of_thread());
    assert_int_equal(eu_validate(dev, (uint8_t *)program, sizeof program, NULL), 0);
    size_t size = eu_compact_program(dev, (uint8_t *)program, sizeof program);
    assert_int_equal(size, 3 * 16 + 3 * 8);
    assert_int_equal(eu_validate(dev, (uint8_t *)program, size, stderr), 0);
    assert_int_equal(eu_decode(dev, (uint8_t *)program, size, 0, &inst, why, sizeof why), 16);
    assert_int_equal(inst.jip, 32);
    assert_int_equal(inst.uip, 32);
}

/* ------------------------------------------------------------------------------- validator --- */

static void expect_complaint(struct eu_inst inst, const char *rule)
{
    uint64_t program[4];
    char *text = NULL;
    size_t size = 0;
    FILE *fp = open_memstream(&text, &size);

    encode_at(program, 0, inst);
    encode_at(program, 1, end_of_thread());
    unsigned complaints = eu_validate(dev, (uint8_t *)program, sizeof program, fp);
    fclose(fp);
    if (!complaints || !strstr(text, rule))
        fail_msg("no complaint about \"%s\" but: %s", rule, text);
    assert_non_null(strstr(text, "offset 0"));
    free(text);
}

static void test_region_rules(void **state)
{
    struct eu_inst inst = add();
    inst.exec_size = 4;
    expect_complaint(inst, "wider than the execution size");
    inst = add();
    inst.src[0].vstride = 4;
    expect_complaint(inst, "vertical stride");
    inst = add();
    inst.src[1].width = 1;
    expect_complaint(inst, "row of one element");
    inst = add();
    inst.src[0].subnr = 16;
    expect_complaint(inst, "crosses a register");
    inst = add();
    inst.src[0].subnr = 2;
    expect_complaint(inst, "not aligned");
    inst = add();
    inst.exec_size = 16;
    inst.dst.hstride = 2;
    expect_complaint(inst, "lies in 4 registers");
    inst = add();
    inst.exec_size = 16;
    inst.dst.nr = 127;
    expect_complaint(inst, "past the last register");
}

static void test_type_rules(void **state)
{
    struct eu_inst inst = add();
    inst.src[1].type = EU_TYPE_D;
    expect_complaint(inst, "mixed");
    inst = add();
    inst.opcode = EU_OPCODE_SHL;
    expect_complaint(inst, "does not take this type");
    inst = add();
    inst.dst.type = EU_TYPE_W;
    expect_complaint(inst, "stride times size");
    inst = add();
    inst.opcode = EU_OPCODE_CMP;
    expect_complaint(inst, "conditional modifier");
    inst = add();
    inst.opcode = EU_OPCODE_AND;
    inst.src[0].type = inst.src[1].type = inst.dst.type = EU_TYPE_UD;
    inst.src[0].abs = true;
    expect_complaint(inst, "absolute");
}

static void test_message_rules(void **state)
{
    struct eu_inst send = end_of_thread();
    send.src[0].nr = 20;
    expect_complaint(send, "the last 16 registers");
    send = end_of_thread();
    send.eot = false;
    send.desc |= 2u << 20;
    expect_complaint(send, "null");
    send = end_of_thread();
    send.desc |= 2u << 25;
    expect_complaint(send, "past the last register");
    struct eu_inst jump = {.opcode = EU_OPCODE_WHILE, .exec_size = 8, .jip = 16};
    expect_complaint(jump, "backwards");
    jump.jip = -8;
    expect_complaint(jump, "no instruction starts");
    struct eu_inst end = {.opcode = EU_OPCODE_ENDIF, .exec_size = 8, .jip = 16};
    expect_complaint(end, "no if");
}

static unsigned complaints_about(struct eu_inst inst)
{
    uint64_t program[4];
    encode_at(program, 0, inst);
    encode_at(program, 1, end_of_thread());
    return eu_validate(dev, (uint8_t *)program, sizeof program, NULL);
}

/* Two payloads, of two and three registers, at every distance. The error names the first register
 * that both use; there is none if one starts after the other. */
static void test_overlap(void **state)
{
    enum { FIRST = 40, FIRST_LENGTH = 2, SECOND_LENGTH = 3 };
    for (unsigned second = FIRST - 5; second <= FIRST + 5; second++) {
        struct eu_inst send = {
            .opcode = EU_OPCODE_SENDS,
            .exec_size = 8,
            .sfid = EU_SFID_DATA_CACHE1,
            .desc = FIRST_LENGTH << 25,
            .ex_desc = SECOND_LENGTH << 6,
            .dst = {.file = EU_FILE_ARF, .hstride = 1},
            .src = {grf(FIRST, EU_TYPE_UD), grf(second, EU_TYPE_UD)},
        };
        bool apart = second + SECOND_LENGTH <= FIRST || FIRST + FIRST_LENGTH <= second;
        if (apart)
            assert_int_equal(complaints_about(send), 0);
        else
            expect_complaint(send, "the payloads overlap");
    }
}

/* A two-register response that ends in r127, and a payload before it. */
static void test_last_answer(void **state)
{
    for (unsigned payload = 122; payload <= 127; payload++) {
        struct eu_inst send = {
            .opcode = EU_OPCODE_SEND,
            .exec_size = 8,
            .sfid = EU_SFID_SAMPLER,
            .desc = 1u << 25 | 2u << 20,
            .dst = grf(126, EU_TYPE_UD),
            .src = {grf(payload, EU_TYPE_UD)},
        };
        if (payload < 126)
            assert_int_equal(complaints_about(send), 0);
        else
            expect_complaint(send, "an answer in r127");
    }
}

/* An immediate is in the last 32 bits of an instruction; 16-bit ones are in both halves. */
static void test_immediates(void **state)
{
    const char *error = NULL;
    uint64_t word[2];
    (void)state;
    struct eu_inst inst = add();
    inst.opcode = EU_OPCODE_MOV;
    inst.dst = grf(10, EU_TYPE_W);
    inst.src[0] = (struct eu_reg){.file = EU_FILE_IMM, .type = EU_TYPE_W, .imm = 0x8234};
    inst.src[1] = (struct eu_reg){.file = EU_FILE_ARF};
    assert_true(eu_encode(dev, &inst, word, &error));
    assert_int_equal(word[1] >> 32, 0x82348234);
    inst.dst.type = inst.src[0].type = EU_TYPE_D;
    assert_true(eu_encode(dev, &inst, word, &error));
    assert_int_equal(word[1] >> 32, 0x8234);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_unencodable),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_compaction),
        cmocka_unit_test(test_compact_program),
        cmocka_unit_test_setup_teardown(test_compaction_3src, find_tgl, find_device),
        cmocka_unit_test_setup_teardown(test_compaction_immediate, find_tgl, find_device),
        cmocka_unit_test_setup_teardown(test_compaction_rows, find_tgl, find_device),
        cmocka_unit_test(test_region_rules),
        cmocka_unit_test(test_type_rules),
        cmocka_unit_test(test_message_rules),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_last_answer),
        cmocka_unit_test(test_immediates),
        cmocka_unit_test(test_align16),
    };
    return cmocka_run_group_tests(tests, find_device, NULL);
}
