/* SPDX-License-Identifier: MIT */
/* Relocations of AArch64 (ELF for the Arm 64-bit Architecture, §5.7), of the small code model. */
#include "jit/jit_link_machine.h"

#include <elf.h>
#include <string.h>

#include "util/macros.h"

/* The value of a relocation before the addend. */
enum target { TO_SYMBOL, TO_FUNCTION /* the slot of a helper */, TO_SLOT /* the address in it */ };
/* What is subtracted from the value. */
enum base { FROM_ZERO, FROM_HERE, FROM_PAGE /* both are rounded down to 4 KB */ };

/* The field of an instruction that holds the value; a width of 0 stands for data. */
static const struct kind {
    uint16_t type;
    uint8_t bytes; /* size of the data or instruction */
    enum target target;
    enum base base;
    uint8_t shift; /* low bits that the field omits */
    uint8_t width; /* bits of the field */
    uint8_t first; /* lowest bit of the field; SPLIT: that of ADR and ADRP */
} kinds[] = {
#define SPLIT 255
    {R_AARCH64_NONE, 0, TO_SYMBOL, FROM_ZERO, 0, 0, 0},
    {R_AARCH64_ABS64, 8, TO_SYMBOL, FROM_ZERO, 0, 0, 0},
    {R_AARCH64_PREL64, 8, TO_SYMBOL, FROM_HERE, 0, 0, 0},
    {R_AARCH64_PREL32, 4, TO_SYMBOL, FROM_HERE, 0, 0, 0},
    {R_AARCH64_ADR_PREL_LO21, 4, TO_SYMBOL, FROM_HERE, 0, 21, SPLIT},
    {R_AARCH64_ADR_PREL_PG_HI21, 4, TO_SYMBOL, FROM_PAGE, 12, 21, SPLIT},
    {R_AARCH64_ADD_ABS_LO12_NC, 4, TO_SYMBOL, FROM_ZERO, 0, 12, 10},
    {R_AARCH64_LDST8_ABS_LO12_NC, 4, TO_SYMBOL, FROM_ZERO, 0, 12, 10},
    {R_AARCH64_LDST16_ABS_LO12_NC, 4, TO_SYMBOL, FROM_ZERO, 1, 11, 10},
    {R_AARCH64_LDST32_ABS_LO12_NC, 4, TO_SYMBOL, FROM_ZERO, 2, 10, 10},
    {R_AARCH64_LDST64_ABS_LO12_NC, 4, TO_SYMBOL, FROM_ZERO, 3, 9, 10},
    {R_AARCH64_LDST128_ABS_LO12_NC, 4, TO_SYMBOL, FROM_ZERO, 4, 8, 10},
    {R_AARCH64_JUMP26, 4, TO_FUNCTION, FROM_HERE, 2, 26, 0},
    {R_AARCH64_CALL26, 4, TO_FUNCTION, FROM_HERE, 2, 26, 0},
    {R_AARCH64_ADR_GOT_PAGE, 4, TO_SLOT, FROM_PAGE, 12, 21, SPLIT},
    {R_AARCH64_LD64_GOT_LO12_NC, 4, TO_SLOT, FROM_ZERO, 3, 9, 10},
};

static const struct kind *find(unsigned type)
{
    for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

static int bytes_of(unsigned type)
{
    const struct kind *kind = find(type);
    return kind ? kind->bytes : -1;
}

static uint64_t value_of(const struct kind *kind, const struct jit_relocation *r)
{
    uint64_t value = r->symbol, base = 0;
    if (kind->target == TO_SLOT)
        value = r->slot + JIT_LINK_JUMP;
    else if (kind->target == TO_FUNCTION && r->is_external)
        value = r->slot;
    value += (uint64_t)r->addend;
    if (kind->base != FROM_ZERO)
        base = r->here;
    if (kind->base == FROM_PAGE) {
        value &= ~UINT64_C(0xfff);
        base &= ~UINT64_C(0xfff);
    }
    return value - base;
}

static void set_field(uint32_t *instr, unsigned first, unsigned width, uint64_t value)
{
    const uint32_t mask = (uint32_t)BITFIELD64_MASK(width) << first;
    *instr = (*instr & ~mask) | ((uint32_t)value << first & mask);
}

static void apply(const struct jit_relocation *r)
{
    const struct kind *kind = find(r->type);
    uint64_t value = value_of(kind, r);
    if (!kind->width) {
        memcpy(r->to, &value, kind->bytes);
        return;
    }
    uint32_t instr;
    memcpy(&instr, r->to, sizeof instr);
    value >>= kind->shift;
    if (kind->first == SPLIT) {
        set_field(&instr, 29, 2, value);
        set_field(&instr, 5, 19, value >> 2);
    } else {
        set_field(&instr, kind->first, kind->width, value);
    }
    memcpy(r->to, &instr, sizeof instr);
}

const struct jit_link_machine jit_link_aarch64 = {
    .elf_machine = EM_AARCH64,
    .max_bytes = UINT64_C(1) << 27,               /* the range of B and BL */
    .jump = {0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6}, /* ldr x16, [pc + 8]; br x16 */
    .bytes = bytes_of,
    .apply = apply,
};
