/* SPDX-License-Identifier: MIT */
#include "util/mapping.h"

#include <sys/mman.h>

#include "util/macros.h"

static char *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void *map_aligned(size_t bytes, size_t align)
{
    char *p = map(bytes);
    if (!p || (uintptr_t)p % align == 0)
        return p;
    munmap(p, bytes);
    char *more = map(bytes + align); /* contains an aligned range */
    if (!more)
        return NULL;
    p = (char *)ALIGN_POT((uintptr_t)more, align);
    if (p > more)
        munmap(more, (size_t)(p - more));
    if (p < more + align)
        munmap(p + bytes, (size_t)(more + align - p));
    return p;
}
