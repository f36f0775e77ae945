/* SPDX-License-Identifier: MIT */
/*
 * Table of the supported hardware generations. Sources: the PRMs of Broadwell to Tiger Lake,
 * volumes 2 (structures) and 4 (configurations).
 */
#include "driver/i965/i965_device.h"

#include <stddef.h>
#include <string.h>

#include "driver/i965/i965_compiler.h"
#include "util/macros.h"

/* Rounded measurements of Skylake from the literature; those of memory vary. */
static const struct i965_latencies latencies = {
    .alu = 14,
    .math = 22,
    .math_slow = 40,
    .sampler = 200,
    .memory = 150,
    .constant = 100,
};

static const struct i965_device devices[] = {
    {
        .name = "bdw",
        .iga_platform = "8",
        .eu = EU_GEN8,
        .verx10 = 80,
        .grf_count = 128,
        .max_simd = 32,
        .threads_per_eu = 7,
        .max_cs_threads = 64,
        .max_scratch = 2 << 20,
        .max_samples = 8,
        .mocs = 0x78,
        .gs_threads_unit = 2,
        .barrier_id_mask = 0x0f000000,
        .latencies = &latencies,
        .nir_options = &i965_nir_options,
        .has_64bit_types = true,
        .has_dword_multiply = true,
        .has_pln = true,
    },
    {
        .name = "skl",
        .iga_platform = "9",
        .eu = EU_GEN9,
        .verx10 = 90,
        .grf_count = 128,
        .max_simd = 32,
        .threads_per_eu = 7,
        .max_cs_threads = 64,
        .max_scratch = 2 << 20,
        .max_samples = 16,
        .mocs = 4,
        .gs_threads_unit = 1,
        .barrier_id_mask = 0x8f000000,
        .latencies = &latencies,
        .nir_options = &i965_nir_options,
        .has_sends = true,
        .has_64bit_types = true,
        .has_dword_multiply = true,
        .has_pln = true,
        .has_lz_messages = true,
        .has_wide_mcs = true,
        .has_float_atomics = true,
        .has_target_reads = true,
        .has_stencil_output = true,
    },
    {
        .name = "icl",
        .iga_platform = "11",
        .eu = EU_GEN11,
        .verx10 = 110,
        .grf_count = 128,
        .max_simd = 32,
        .threads_per_eu = 7,
        .max_cs_threads = 64,
        .max_scratch = 2 << 20,
        .max_samples = 16,
        .mocs = 4,
        .gs_threads_unit = 1,
        .barrier_id_mask = 0x7f000000,
        .latencies = &latencies,
        .nir_options = &i965_nir_options_without_lerp,
        .has_sends = true,
        .has_align1_3src = true,
        .has_lz_messages = true,
        .has_wide_mcs = true,
        .has_float_atomics = true,
        .has_target_reads = true,
        .has_stencil_output = true,
    },
    {
        .name = "tgl",
        .iga_platform = "12p1",
        .eu = EU_GEN12,
        .verx10 = 120,
        .grf_count = 128,
        .max_simd = 32,
        .threads_per_eu = 7,
        .max_cs_threads = 64,
        .max_scratch = 2 << 20,
        .max_samples = 16,
        .mocs = 4,
        .gs_threads_unit = 1,
        .barrier_id_mask = 0x7f000000,
        .latencies = &latencies,
        .nir_options = &i965_nir_options_without_lerp,
        .has_software_scoreboard = true,
        .has_sends = true,
        .has_align1_3src = true,
        .has_vstride1_3src = true,
        .has_lz_messages = true,
        .has_wide_mcs = true,
        .has_float_atomics = true,
        .has_target_reads = true,
        .has_stencil_output = true,
    },
};

const struct i965_device *i965_device_by_name(const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(devices); i++) {
        if (!strcmp(devices[i].name, name))
            return &devices[i];
    }
    return NULL;
}

const struct i965_device *i965_device_by_index(unsigned i)
{
    return i < ARRAY_SIZE(devices) ? &devices[i] : NULL;
}
