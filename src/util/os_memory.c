/* SPDX-License-Identifier: MIT */
/* The system's memory. /proc/meminfo has the better estimate of what is available, because
 * sysconf() counts the page cache as used. */
#include "util/os_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/macros.h"

static uint64_t pages(int name)
{
    long count = sysconf(name), size = sysconf(_SC_PAGESIZE);
    return count > 0 && size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

/* Bytes up to which zeroing takes less time than a system call and new pages. */
#define FEW_BYTES ((size_t)256 << 10)

void os_memory_zero(void *memory, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)memory;
    const uintptr_t first = ALIGN_POT(start, page), end = (start + bytes) & -page;
    /* fails for locked memory */
    if (bytes <= FEW_BYTES || madvise((void *)first, end - first, MADV_DONTNEED)) {
        memset(memory, 0, bytes);
        return;
    }
    memset(memory, 0, first - start);
    memset((void *)end, 0, start + bytes - end);
}

struct os_memory os_memory_get(void)
{
    struct os_memory m = {0, 0};
    char line[128];
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        uint64_t kb;
        if (sscanf(line, "MemTotal: %" SCNu64 " kB", &kb) == 1)
            m.total = kb << 10;
        else if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kb) == 1)
            m.available = kb << 10;
    }
    if (file)
        fclose(file);
    if (!m.total || !m.available)
        m = (struct os_memory){pages(_SC_PHYS_PAGES), pages(_SC_AVPHYS_PAGES)};
    m.available = MIN2(m.available, m.total);
    return m;
}
