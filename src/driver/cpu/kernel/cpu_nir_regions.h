/* SPDX-License-Identifier: MIT */
/* Transforms a compute shader, which is code for one invocation, into code for a work group. */
#ifndef CPU_NIR_REGIONS_H
#define CPU_NIR_REGIONS_H

#include "nir/nir.h"

/* Parameters and results of cpu_split_regions(). A frame is the memory in which a vector of
 * invocations keeps its scratch memory and values that live across barriers. */
struct cpu_regions {
    unsigned lanes; /* lanes of a vector */
    /* Kernel argument 0 points to a struct. At this byte offset, it has a pointer to the frames. */
    unsigned frames_offset;
    /* Results: */
    unsigned frame_bytes; /* size of a vector's frame, a multiple of 64; 0: no frames needed */
    bool clear_frames;    /* frames must be 0 when a work group begins */
    unsigned vectors;     /* vectors of a work group; 0: not known before the dispatch */
};

/* Transforms the entry point from the code of one invocation into a function that executes all
 * invocations of a work group, vector by vector. Removes load_local_invocation_id,
 * load_local_invocation_index, and barriers that no other thread needs (cpu_orders_threads). The
 * shader must have been lowered by cpu_lower_shader(). Returns false if out of memory or if a limit
 * is exceeded (64 MB a frame); the shader is then unusable. */
bool cpu_split_regions(nir_shader *shader, struct cpu_regions *regions);

#endif
