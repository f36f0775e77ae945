/* SPDX-License-Identifier: MIT */
/* Relocations of x86-64 (System V ABI, AMD64 supplement, §4.4). */
#include "jit/jit_link_machine.h"

#include <elf.h>
#include <string.h>

static int bytes_of(unsigned type)
{
    switch (type) {
    case R_X86_64_NONE:
        return 0;
    case R_X86_64_64:
    case R_X86_64_PC64:
        return 8;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return 4;
    default:
        return -1;
    }
}

static void apply(const struct jit_relocation *r)
{
    uint64_t value = r->symbol;
    if ((r->type == R_X86_64_PLT32 || r->type == R_X86_64_PC32) && r->is_external)
        value = r->slot;
    if (r->type == R_X86_64_GOTPCREL || r->type == R_X86_64_GOTPCRELX ||
        r->type == R_X86_64_REX_GOTPCRELX)
        value = r->slot + JIT_LINK_JUMP;
    value += (uint64_t)r->addend;
    if (r->type != R_X86_64_64)
        value -= r->here;
    memcpy(r->to, &value, (size_t)bytes_of(r->type));
}

const struct jit_link_machine jit_link_x86 = {
    .elf_machine = EM_X86_64,
    .max_bytes = UINT64_C(1) << 30,
    .jump = {0xff, 0x25, 2, 0, 0, 0, 0xcc, 0xcc}, /* jmp [rip + 2] */
    .bytes = bytes_of,
    .apply = apply,
};
