/* SPDX-License-Identifier: MIT */
/* The screen of the CPU driver: one per process, shared by all contexts, immutable once created but
 * for the cache of storages. */
#ifndef CPU_SCREEN_H
#define CPU_SCREEN_H

#include "driver/cpu/resource/cpu_storage.h"
#include "indium/driver.h"

struct cpu_external;
struct jit_engine;

struct cpu_screen {
    struct drv_screen base;
    struct jit_engine *jit;
    struct cpu_storage_cache storage_cache;
    const struct cpu_external *external; /* runs the shaders; NULL: the JIT does */
    char name[128];
};

static inline struct cpu_screen *cpu_screen(struct drv_screen *screen)
{
    return (struct cpu_screen *)screen;
}

/* A screen whose shaders `external` runs, which must outlive it; name, id and NIR options are the
 * caller's to set. NULL: no memory, or no JIT. */
struct cpu_screen *cpu_screen_create_external(const struct cpu_external *external);

/* The entries of the other files. */
bool cpu_is_format_supported(struct drv_screen *screen, enum drv_format format,
                             enum drv_target target, unsigned samples, unsigned bind);
struct drv_context *cpu_context_create(struct drv_screen *screen);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t cpu_timestamp(void);

#endif
