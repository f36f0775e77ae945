/* SPDX-License-Identifier: MIT */
/* The screen of the CPU driver, which contexts share. Nothing in it changes after its creation
 * except the storage cache and the classes of handles, which any thread may use. */
#ifndef CPU_SCREEN_H
#define CPU_SCREEN_H

#include "driver/cpu/resource/cpu_storage.h"
#include "indium/driver.h"

struct cpu_external;
struct cpu_handle_classes;
struct jit_engine;

struct cpu_screen {
    struct drv_screen base;
    struct jit_engine *jit;
    struct cpu_storage_cache storage_cache;
    const struct cpu_external *external; /* runs the shaders; NULL: kernels compiled by jit do */
    struct cpu_handle_classes *handle_classes; /* thread-safe (cpu_variant.h) */
    char name[128];                            /* the name that the API reports */
};

/* Returns the struct of which `screen` is the base. */
static inline struct cpu_screen *cpu_screen(struct drv_screen *screen)
{
    return (struct cpu_screen *)screen;
}

#endif
