/* SPDX-License-Identifier: MIT */
/* Transforms compute shaders from one invocation to a whole work group. */
#ifndef CPU_NIR_REGIONS_H
#define CPU_NIR_REGIONS_H

#include "nir/nir.h"

struct cpu_regions {
    unsigned lanes;         /* lanes of a vector */
    unsigned frames_offset; /* byte offset in the kernel's arguments of the pointer to the frames */
    /* Results: */
    unsigned frame_bytes; /* size of a vector's spill frame, a multiple of 64; 0: none needed */
    unsigned vectors;     /* vectors of a work group; 0: depends on the group size at run time */
};

/* Transforms the entry point from the code of one invocation into a function that executes all
 * invocations of a work group, vector by vector. Removes barriers, load_local_invocation_id and
 * load_local_invocation_index. The shader must have been lowered by cpu_lower_shader(). Returns
 * false if memory is short; the shader is unusable then. */
bool cpu_split_regions(nir_shader *shader, struct cpu_regions *regions);

#endif
