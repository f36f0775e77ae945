/* SPDX-License-Identifier: MIT */
/* A shadow has two copies: the one that the batch changes, and the program's last contents. */
#include "gpu/gpu_shadow.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_system.h"
#include "gpu/gpu_user.h"

struct gpu_shadow {
    uint64_t address, size;
    bool is_read_only;
    uint8_t *memory, *before; /* NULL: not used yet */
};

static uint8_t *allocate(uint64_t size)
{
    void *memory = gpu_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void gpu_shadow_destroy(struct gpu_shadow *shadow)
{
    if (!shadow)
        return;
    if (shadow->memory)
        gpu_sys_munmap(shadow->memory, shadow->size);
    if (shadow->before)
        gpu_sys_munmap(shadow->before, shadow->size);
    free(shadow);
}

struct gpu_shadow *gpu_shadow_create(uint64_t address, uint64_t size, bool is_read_only)
{
    struct gpu_shadow *shadow = calloc(1, sizeof *shadow);

    if (shadow)
        *shadow =
            (struct gpu_shadow){.address = address, .size = size, .is_read_only = is_read_only};
    return shadow;
}

/* Copies the program's memory. Pages that it has unmapped keep what they contain. */
static void read_program(const struct gpu_shadow *shadow, uint8_t *memory)
{
    if (gpu_read_user(shadow->before, shadow->address, shadow->size) != 0) {
        for (uint64_t page = 0; page < shadow->size; page += GPU_PAGE)
            gpu_read_user(shadow->before + page, shadow->address + page, GPU_PAGE);
    }
    memcpy(memory, shadow->before, shadow->size);
}

uint8_t *gpu_shadow_memory(struct gpu_shadow *shadow)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uint8_t *memory = __atomic_load_n(&shadow->memory, __ATOMIC_ACQUIRE);

    if (memory)
        return memory;
    pthread_mutex_lock(&lock);
    if (!shadow->before)
        shadow->before = allocate(shadow->size);
    if (!shadow->memory && shadow->before) {
        memory = allocate(shadow->size);
        if (memory)
            read_program(shadow, memory);
        __atomic_store_n(&shadow->memory, memory, __ATOMIC_RELEASE);
    }
    memory = shadow->memory;
    pthread_mutex_unlock(&lock);
    return memory;
}

/* Writes the changed bytes of a page in as few pieces as possible. */
static void write_page(struct gpu_shadow *shadow, uint64_t page)
{
    const uint8_t *memory = shadow->memory + page, *before = shadow->before + page;

    for (unsigned start = 0, end; start < GPU_PAGE; start = end) {
        end = start + 1;
        if (memory[start] == before[start])
            continue;
        while (end < GPU_PAGE && memory[end] != before[end])
            end++;
        if (gpu_write_user(shadow->address + page + start, memory + start, end - start) != 0)
            return;
    }
}

void gpu_shadow_write_back(struct gpu_shadow *shadow)
{
    if (!shadow->memory || shadow->is_read_only)
        return;
    for (uint64_t page = 0; page < shadow->size; page += GPU_PAGE) {
        if (memcmp(shadow->memory + page, shadow->before + page, GPU_PAGE) == 0)
            continue;
        write_page(shadow, page);
        memcpy(shadow->before + page, shadow->memory + page, GPU_PAGE);
    }
}

void gpu_shadow_refresh(struct gpu_shadow *shadow)
{
    if (!shadow->memory)
        return;
    gpu_shadow_write_back(shadow);
    read_program(shadow, shadow->memory);
}
