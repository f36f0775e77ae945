/* SPDX-License-Identifier: MIT */
/*
 * Definitions that keep the libraries usable with glibc 2.34. Newer compilers, C++ libraries and
 * headers refer to functions that a later glibc introduced or gave a new version. These definitions
 * take precedence in the libraries that link this file. The libraries do not export them.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "util/macros.h"

#ifdef __GLIBC__

#define HIDDEN __attribute__((visibility("hidden")))

/* --- glibc 2.36: libstdc++'s random_device --- */

/* Returns a random number from the system. */
HIDDEN uint32_t arc4random(void);
uint32_t arc4random(void)
{
    uint32_t value;
    ssize_t got;

    do
        got = getrandom(&value, sizeof value, 0);
    while (got < 0 && errno == EINTR);
    if (got != sizeof value)
        abort();
    return value;
}

/* --- glibc 2.35: libgcc's unwinder --- */

#ifdef DLFO_EH_SEGMENT_TYPE
HIDDEN int _dl_find_object(void *address, struct dl_find_object *result);

struct search {
    uintptr_t address;
    struct dl_find_object *result;
};

static int find_in_object(struct dl_phdr_info *info, size_t size, void *data)
{
    const struct search *search = data;
    uintptr_t start = UINTPTR_MAX, end = 0;
    void *eh_frame = NULL;
    bool found = false;

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const uintptr_t first = info->dlpi_addr + p->p_vaddr, last = first + p->p_memsz;

        if (p->p_type == DLFO_EH_SEGMENT_TYPE)
            eh_frame = (void *)first;
        if (p->p_type != PT_LOAD)
            continue;
        start = MIN2(start, first);
        end = MAX2(end, last);
        found |= search->address >= first && search->address < last;
    }
    if (!found)
        return 0;
    *search->result = (struct dl_find_object){
        .dlfo_map_start = (void *)start,
        .dlfo_map_end = (void *)end,
        .dlfo_eh_frame = eh_frame,
    };
    return 1;
}

/* Finds the loaded object that contains an address. Returns 0, or -1 if there is none. */
int _dl_find_object(void *address, struct dl_find_object *result)
{
    struct search search = {(uintptr_t)address, result};

    return dl_iterate_phdr(find_in_object, &search) == 1 ? 0 : -1;
}
#endif

/* --- glibc 2.38: functions of C23, which also accept binary numbers (no text here has any) --- */

/* The function of C17; headers redirect its name. */
#define BEFORE_C23(type, name, ...) extern type c17_##name(__VA_ARGS__) __asm__(#name)

BEFORE_C23(long, strtol, const char *, char **, int);
BEFORE_C23(long long, strtoll, const char *, char **, int);
BEFORE_C23(unsigned long, strtoul, const char *, char **, int);
BEFORE_C23(unsigned long long, strtoull, const char *, char **, int);
extern int c99_vsscanf(const char *, const char *, va_list) __asm__("__isoc99_vsscanf");

#define C23(type, name)                                                                            \
    HIDDEN type __isoc23_##name(const char *text, char **end, int base);                           \
    type __isoc23_##name(const char *text, char **end, int base)                                   \
    {                                                                                              \
        return c17_##name(text, end, base);                                                        \
    }
C23(long, strtol)
C23(long long, strtoll)
C23(unsigned long, strtoul)
C23(unsigned long long, strtoull)

HIDDEN int __isoc23_sscanf(const char *text, const char *format, ...)
    __attribute__((format(scanf, 2, 3)));
int __isoc23_sscanf(const char *text, const char *format, ...)
{
    va_list args;
    int count;

    va_start(args, format);
    count = c99_vsscanf(text, format, args);
    va_end(args);
    return count;
}

/* --- glibc 2.35, 2.38 and 2.43: functions of libm without SVID's error handling --- */

#ifdef __x86_64__
#define BASE_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define BASE_VERSION "GLIBC_2.17"
#endif
#ifdef BASE_VERSION
#define BASE_1(type, name)                                                                         \
    __asm__(".symver base_" #name ", " #name "@" BASE_VERSION);                                    \
    extern type base_##name(type x);                                                               \
    HIDDEN type name(type x);                                                                      \
    type name(type x)                                                                              \
    {                                                                                              \
        return base_##name(x);                                                                     \
    }
#define BASE_2(type, name)                                                                         \
    __asm__(".symver base_" #name ", " #name "@" BASE_VERSION);                                    \
    extern type base_##name(type x, type y);                                                       \
    HIDDEN type name(type x, type y);                                                              \
    type name(type x, type y)                                                                      \
    {                                                                                              \
        return base_##name(x, y);                                                                  \
    }

BASE_1(float, acosf)
BASE_1(float, acoshf)
BASE_1(float, asinf)
BASE_1(float, atanhf)
BASE_1(float, coshf)
BASE_1(float, log10f)
BASE_1(float, sinhf)
BASE_1(float, sqrtf)
BASE_2(double, fmod)
BASE_2(double, hypot)
BASE_2(double, remainder)
BASE_2(float, atan2f)
BASE_2(float, fmodf)
BASE_2(float, hypotf)
BASE_2(float, remainderf)
#endif

#endif
