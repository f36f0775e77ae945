/* SPDX-License-Identifier: MIT */
/* Reads, places and relocates ELF object files. */
#include "jit/jit_link.h"

#include <elf.h>
#include <string.h>

#include <talloc.h>

#include "jit/jit_link_machine.h"
#include "util/macros.h"

#define SLOT      JIT_LINK_SLOT
#define NOT_THERE UINT64_MAX

#ifdef __aarch64__
static const struct jit_link_machine *const machine = &jit_link_aarch64;
#else
static const struct jit_link_machine *const machine = &jit_link_x86;
#endif

struct object {
    const uint8_t *bytes;
    size_t size;
    const Elf64_Shdr *section;
    unsigned num_sections;
    const Elf64_Sym *symbol;
    unsigned num_symbols;
    const char *names;   /* string table of the symbols */
    uint64_t *place;     /* [section]: offset in the code, or NOT_THERE */
    uint64_t slots;      /* offset of the symbols' slots in the code */
    uint64_t total;      /* size of the code in bytes */
    uint64_t *external;  /* [symbol]: address of the helper, or 0 */
    const char *problem; /* first error; NULL if there is none */
};

/* Records `what` if there is a problem, and returns whether there is. */
static bool has_problem(struct object *o, bool problem, const char *what)
{
    if (problem && !o->problem)
        o->problem = what;
    return problem;
}

/* --- reading; files may be damaged and are checked --- */

static bool is_inside(const struct object *o, uint64_t offset, uint64_t size)
{
    return offset <= o->size && size <= o->size - offset;
}

static const void *section_bytes(const struct object *o, const Elf64_Shdr *section)
{
    return is_inside(o, section->sh_offset, section->sh_size) ? o->bytes + section->sh_offset
                                                              : NULL;
}

static void read_symbols(struct object *o)
{
    for (unsigned i = 0; i < o->num_sections; i++) {
        const Elf64_Shdr *s = &o->section[i];
        if (s->sh_type != SHT_SYMTAB || s->sh_link >= o->num_sections)
            continue;
        const Elf64_Shdr *names = &o->section[s->sh_link];
        o->symbol = section_bytes(o, s);
        o->num_symbols = o->symbol ? (unsigned)(s->sh_size / sizeof *o->symbol) : 0;
        o->names = section_bytes(o, names);
        if (has_problem(o, !o->names || !names->sh_size || o->names[names->sh_size - 1],
                        "damaged names"))
            return;
        for (unsigned k = 0; k < o->num_symbols; k++)
            if (has_problem(o, o->symbol[k].st_name >= names->sh_size, "damaged symbols"))
                return;
    }
    has_problem(o, !o->symbol, "no symbols");
}

static void read_object(struct object *o)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)o->bytes;
    if (has_problem(o,
                    o->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
                        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_REL ||
                        header->e_machine != machine->elf_machine ||
                        header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 ||
                        !is_inside(o, header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr)),
                    "no object file of this machine"))
        return;
    o->section = (const Elf64_Shdr *)(o->bytes + header->e_shoff);
    o->num_sections = header->e_shnum;
    read_symbols(o);
}

/* --- layout --- */

/* Returns whether the section is part of the code at run time. Unwind information is excluded by
 * is_unwinding: no exception passes through a kernel. */
static bool is_loaded(const Elf64_Shdr *s)
{
    return s->sh_flags & SHF_ALLOC && (s->sh_type == SHT_PROGBITS || s->sh_type == SHT_NOBITS);
}

static bool is_unwinding(const struct object *o, unsigned section)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)o->bytes;
    static const char name[] = ".eh_frame";
    if (header->e_shstrndx >= o->num_sections)
        return false;
    const Elf64_Shdr *names = &o->section[header->e_shstrndx];
    const char *text = section_bytes(o, names);
    const uint64_t at = o->section[section].sh_name;
    return text && at + sizeof name <= names->sh_size && !memcmp(text + at, name, sizeof name);
}

static void place_sections(struct object *o)
{
    for (unsigned i = 0; i < o->num_sections; i++) {
        const Elf64_Shdr *s = &o->section[i];
        o->place[i] = NOT_THERE;
        if (!is_loaded(s) || is_unwinding(o, i))
            continue;
        const uint64_t align = MAX2(s->sh_addralign, 1);
        if (has_problem(o, s->sh_flags & SHF_WRITE, "variables") ||
            has_problem(o, align > 4096 || align & (align - 1), "a large alignment") ||
            has_problem(o, s->sh_size > machine->max_bytes, "too much code") ||
            has_problem(o, s->sh_type == SHT_PROGBITS && !section_bytes(o, s), "damaged code"))
            return;
        o->place[i] = (o->total + align - 1) & ~(align - 1);
        o->total = o->place[i] + s->sh_size;
        if (has_problem(o, o->total > machine->max_bytes, "too much code"))
            return;
    }
    o->slots = (o->total + SLOT - 1) & ~(uint64_t)(SLOT - 1);
    o->total = o->slots + (uint64_t)o->num_symbols * SLOT;
    has_problem(o, o->total > machine->max_bytes, "too many symbols");
}

static void find_helpers(struct object *o, const struct jit_helper *helpers, unsigned num_helpers)
{
    for (unsigned i = 1; i < o->num_symbols && !o->problem; i++) {
        if (o->symbol[i].st_shndx != SHN_UNDEF)
            continue;
        const char *name = o->names + o->symbol[i].st_name;
        for (unsigned h = 0; h < num_helpers && !o->external[i]; h++)
            if (!strcmp(helpers[h].name, name))
                o->external[i] = helpers[h].address;
        has_problem(o, !o->external[i], "an unknown function");
    }
}

/* --- relocation --- */

/* Returns a symbol's address if the code runs at `run_at`; 0 if its section isn't loaded. */
static uint64_t address_of(const struct object *o, uintptr_t run_at, unsigned symbol)
{
    const Elf64_Sym *s = &o->symbol[symbol];
    if (s->st_shndx == SHN_UNDEF)
        return o->external[symbol];
    if (s->st_shndx >= o->num_sections || o->place[s->st_shndx] == NOT_THERE)
        return 0;
    return run_at + o->place[s->st_shndx] + s->st_value;
}

static void write_slots(const struct object *o, uint8_t *to, uintptr_t run_at)
{
    for (unsigned i = 0; i < o->num_symbols; i++) {
        const uint64_t address = address_of(o, run_at, i);
        uint8_t *slot = to + o->slots + (uint64_t)i * SLOT;
        memcpy(slot, machine->jump, JIT_LINK_JUMP);
        memcpy(slot + JIT_LINK_JUMP, &address, sizeof address);
    }
}

/* Applies a relocation to the code written at `to`, which will run at `run_at`. section is the
 * offset of the relocated section. */
static void relocate(const struct object *o, uint8_t *to, uintptr_t run_at, uint64_t section,
                     const Elf64_Rela *r)
{
    const unsigned symbol = ELF64_R_SYM(r->r_info);
    machine->apply(&(struct jit_relocation){
        .type = ELF64_R_TYPE(r->r_info),
        .to = to + section + r->r_offset,
        .here = run_at + section + r->r_offset,
        .symbol = address_of(o, run_at, symbol),
        .slot = run_at + o->slots + (uint64_t)symbol * SLOT,
        .is_external = o->symbol[symbol].st_shndx == SHN_UNDEF,
        .addend = r->r_addend,
    });
}

/* Returns the relocations in section s and their number; NULL if it contains none, or those of a
 * section that isn't loaded. */
static const Elf64_Rela *relocations(const struct object *o, const Elf64_Shdr *s, unsigned *count)
{
    if (s->sh_type != SHT_RELA || s->sh_info >= o->num_sections ||
        o->place[s->sh_info] == NOT_THERE)
        return NULL;
    *count = (unsigned)(s->sh_size / sizeof(Elf64_Rela));
    return section_bytes(o, s);
}

static void check_relocations(struct object *o)
{
    for (unsigned i = 0; i < o->num_sections && !o->problem; i++) {
        unsigned count = 0;
        const Elf64_Rela *r = relocations(o, &o->section[i], &count);
        for (unsigned k = 0; r && k < count; k++) {
            const unsigned symbol = ELF64_R_SYM(r[k].r_info);
            const uint64_t size = o->section[o->section[i].sh_info].sh_size;
            const int bytes = machine->bytes(ELF64_R_TYPE(r[k].r_info));
            if (has_problem(o, bytes < 0, "an unknown relocation") ||
                has_problem(o,
                            symbol >= o->num_symbols || r[k].r_offset > size ||
                                size - r[k].r_offset < (uint64_t)bytes,
                            "damaged relocations"))
                return;
        }
    }
}

static void write_code(void *to, uintptr_t run_at, void *data)
{
    const struct object *o = data;
    for (unsigned i = 0; i < o->num_sections; i++)
        if (o->place[i] != NOT_THERE && o->section[i].sh_type == SHT_PROGBITS)
            memcpy((uint8_t *)to + o->place[i], o->bytes + o->section[i].sh_offset,
                   o->section[i].sh_size);
    write_slots(o, to, run_at);
    for (unsigned i = 0; i < o->num_sections; i++) {
        unsigned count = 0;
        const Elf64_Rela *r = relocations(o, &o->section[i], &count);
        for (unsigned k = 0; r && k < count; k++)
            relocate(o, to, run_at, o->place[o->section[i].sh_info], &r[k]);
    }
}

static uintptr_t find_function(const struct object *o, uintptr_t run_at, const char *name,
                               uint64_t *bytes)
{
    for (unsigned i = 1; i < o->num_symbols; i++) {
        const Elf64_Sym *s = &o->symbol[i];
        if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF ||
            strcmp(o->names + s->st_name, name))
            continue;
        *bytes = s->st_size;
        return address_of(o, run_at, i);
    }
    return 0;
}

static uintptr_t place_and_write(struct object *o, struct jit_code *code, const char *function,
                                 uint64_t *bytes)
{
    if (o->problem || !jit_code_create(code, o->total, write_code, o))
        return 0;
    uintptr_t found = find_function(o, (uintptr_t)code->start, function, bytes);
    if (has_problem(o, !found, "no function of that name"))
        jit_code_destroy(code);
    return found;
}

uintptr_t jit_link(struct jit_code *code, const void *object, size_t size, const char *function,
                   const struct jit_helper *helpers, unsigned num_helpers, uint64_t *bytes,
                   const char **problem)
{
    void *mem_ctx = talloc_new(NULL);
    struct object o = {.bytes = object, .size = size};
    read_object(&o);
    if (!o.problem) {
        o.place = talloc_zero_array(mem_ctx, uint64_t, o.num_sections);
        o.external = talloc_zero_array(mem_ctx, uint64_t, o.num_symbols);
        place_sections(&o);
        find_helpers(&o, helpers, num_helpers);
        check_relocations(&o);
    }
    uintptr_t found = place_and_write(&o, code, function, bytes);
    *problem = o.problem;
    talloc_free(mem_ctx);
    return found;
}
