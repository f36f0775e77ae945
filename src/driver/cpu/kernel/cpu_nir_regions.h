/* SPDX-License-Identifier: MIT */
/* Compute shaders as functions of a whole group. */
#ifndef CPU_NIR_REGIONS_H
#define CPU_NIR_REGIONS_H

#include "nir/nir.h"

struct cpu_regions {
    unsigned lanes;         /* of a vector */
    unsigned frames_offset; /* bytes in the kernel's argument 0 to the address of the frames */
    /* Results. */
    unsigned frame_bytes; /* of a vector's frame; 0: no frames are wanted. A multiple of 64 */
    unsigned vectors;     /* of a group; 0: as many as the group's size asks for */
};

/* Makes of the entrypoint, an invocation's, a function that runs all of a group's, a vector of them
 * after the other: barriers are gone, and so are load_local_invocation_id and _index. Lowered as
 * cpu_lower_shader leaves it. False: no memory; the shader is of no use then. */
bool cpu_split_regions(nir_shader *shader, struct cpu_regions *regions);

#endif
