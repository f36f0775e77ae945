/* SPDX-License-Identifier: MIT */
/*
 * Tests of relocations. The expected bytes are those that GNU as and ld give for the same
 * instructions, symbols and addresses.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "jit/jit_link_machine.h"
#include "util/macros.h"

#define HERE 0x10000000u /* address of the first case's bytes */
#define SLOT 0x10020000u /* address of the symbol's slot */
#define DATA 0x100fedc0u
#define NEAR 0x17fffff0u
#define BACK 0x0f000004u

struct relocation_case {
    unsigned type, offset;
    uint64_t symbol;
    int64_t addend;
    uint64_t before, after;
    bool is_external;
};

static void check_cases(const struct jit_link_machine *machine, const struct relocation_case *cases,
                        unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct relocation_case *c = &cases[i];
        uint8_t bytes[17];
        memset(bytes, 0xa5, sizeof bytes);
        memcpy(bytes + 1, &c->before, 8); /* unaligned */
        machine->apply(&(struct jit_relocation){
            .type = c->type,
            .to = bytes + 1,
            .here = HERE + c->offset,
            .symbol = c->symbol,
            .slot = SLOT,
            .is_external = c->is_external,
            .addend = c->addend,
        });
        const int size = machine->bytes(c->type);
        uint64_t got;
        memcpy(&got, bytes + 1, 8);
        if (got != c->after)
            fail_msg("relocation %u: %llx, not %llx", c->type, (unsigned long long)got,
                     (unsigned long long)c->after);
        assert_true(size == 8 || (size >= 0 && got >> 8 * size == c->before >> 8 * size));
        assert_int_equal(bytes[0], 0xa5);
        assert_int_equal(bytes[9], 0xa5);
    }
    assert_int_equal(machine->bytes(0xffff), -1);
}

static void test_aarch64(void **state)
{
    static const struct relocation_case cases[] = {
        {R_AARCH64_NONE, 0, DATA, 8, 0x1234, 0x1234},
        {R_AARCH64_ADR_PREL_LO21, 0x00, DATA, 0, 0x10000003, 0x107f6e03},
        {R_AARCH64_ADR_PREL_PG_HI21, 0x04, DATA, 8, 0x90000005, 0xd00007e5},
        {R_AARCH64_ADD_ABS_LO12_NC, 0x08, DATA, 8, 0x910000a5, 0x913720a5},
        {R_AARCH64_LDST8_ABS_LO12_NC, 0x0c, DATA, 3, 0x394000a1, 0x39770ca1},
        {R_AARCH64_LDST16_ABS_LO12_NC, 0x10, DATA, 2, 0x794000a1, 0x795b84a1},
        {R_AARCH64_LDST32_ABS_LO12_NC, 0x14, DATA, 4, 0xb94000a1, 0xb94dc4a1},
        {R_AARCH64_LDST64_ABS_LO12_NC, 0x18, DATA, 8, 0xf94000a1, 0xf946e4a1},
        {R_AARCH64_LDST128_ABS_LO12_NC, 0x1c, DATA, 16, 0x3dc000a1, 0x3dc374a1},
        {R_AARCH64_JUMP26, 0x20, NEAR, 0, 0x14000000, 0x15fffff4},
        {R_AARCH64_CALL26, 0x24, NEAR, 0, 0x94000000, 0x95fffff3},
        {R_AARCH64_CALL26, 0x28, BACK, 0, 0x94000000, 0x97bffff7},
        {R_AARCH64_ABS64, 0x2c, DATA, 8, 0, 0x100fedc8},
        {R_AARCH64_PREL64, 0x34, DATA, 8, 0, 0xfed94},
        {R_AARCH64_PREL32, 0x3c, DATA, 8, 0, 0xfed8c},
        {R_AARCH64_PREL32, 0x3c, BACK, 0, UINT64_C(7) << 32, 0x7feffffc8},
        /* helpers: through the slot and the address in it */
        {R_AARCH64_CALL26, 0x20, DATA, 0, 0x94000000, 0x94007ff8, true},
        {R_AARCH64_ADR_GOT_PAGE, 0x30, DATA, 0, 0x90000000, 0x90000100, true},
        {R_AARCH64_LD64_GOT_LO12_NC, 0x34, DATA, 0, 0xf9400000, 0xf9400400, true},
    };
    check_cases(&jit_link_aarch64, cases, ARRAY_SIZE(cases));
}

static void test_x86(void **state)
{
    static const struct relocation_case cases[] = {
        {R_X86_64_NONE, 0, DATA, 8, 0x1234, 0x1234},
        {R_X86_64_64, 0, DATA, 8, 0, 0x100fedc8},
        {R_X86_64_PC64, 0x10, BACK, -4, 0, 0xfffffffffefffff0},
        {R_X86_64_PC32, 0x10, DATA, -4, UINT64_C(7) << 32, 0x7000fedac},
        {R_X86_64_PLT32, 0x10, DATA, -4, 0, 0xfedac},
        {R_X86_64_PLT32, 0x10, DATA, -4, 0, 0x1ffec, true},
        {R_X86_64_GOTPCRELX, 0x10, DATA, -4, 0, 0x1fff4},
        {R_X86_64_REX_GOTPCRELX, 0x10, DATA, -4, 0, 0x1fff4, true},
    };
    check_cases(&jit_link_x86, cases, ARRAY_SIZE(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aarch64),
        cmocka_unit_test(test_x86),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
