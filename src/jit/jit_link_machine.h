/* SPDX-License-Identifier: MIT */
/*
 * The parts of the linker (jit_link.h) that depend on the instruction set. Every build contains all
 * machines, so that tests can check them on any host.
 */
#ifndef JIT_LINK_MACHINE_H
#define JIT_LINK_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* Size in bytes of a slot, the PLT and GOT entry of a symbol. Its first JIT_LINK_JUMP bytes are
 * code that jumps to the address in the last eight bytes. */
#define JIT_LINK_SLOT 16
#define JIT_LINK_JUMP (JIT_LINK_SLOT - 8)

/* A place to relocate. The integer addresses are those at run time. */
struct jit_relocation {
    unsigned type;    /* relocation type of the machine's ABI */
    uint8_t *to;      /* where the linker writes the bytes; unaligned */
    uint64_t here;    /* address of these bytes */
    uint64_t symbol;  /* address of the symbol */
    uint64_t slot;    /* address of the symbol's slot */
    bool is_external; /* the symbol is a helper, which may be out of a branch's range */
    int64_t addend;   /* constant to add to the address, from the object file */
};

/* An instruction set. The functions may be called by any thread. */
struct jit_link_machine {
    uint16_t elf_machine; /* EM_… */
    uint64_t max_bytes;   /* maximum size of code and slots, so that branches reach all of it */
    uint8_t jump[JIT_LINK_JUMP]; /* code at the start of every slot */
    /* Returns how many bytes a relocation of that type changes, or -1 if the type is unknown. */
    int (*bytes)(unsigned type);
    /* Writes the relocated bytes to r->to. The type must be known. */
    void (*apply)(const struct jit_relocation *r);
};

extern const struct jit_link_machine jit_link_x86, jit_link_aarch64;

#endif
