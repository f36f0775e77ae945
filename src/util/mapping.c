/* SPDX-License-Identifier: MIT */
#include "util/mapping.h"

#include <linux/magic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/statfs.h>

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

/* Returns the size of a file's pages if they are huge, else 1. */
static size_t huge_page_size(int fd)
{
    struct statfs fs;
    const bool huge = !fstatfs(fd, &fs) && (uint32_t)fs.f_type == HUGETLBFS_MAGIC && fs.f_bsize > 0;
    return huge ? (size_t)fs.f_bsize : 1;
}

void *map_shared_file(int fd, size_t bytes, size_t *mapped)
{
    const size_t page = huge_page_size(fd);
    if (bytes > SIZE_MAX - page)
        return NULL;
    *mapped = ALIGN_POT(bytes, page);
    void *p = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}
