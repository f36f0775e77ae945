/* SPDX-License-Identifier: MIT */
/* The PNG file with what the display shows. */
#ifndef GPU_PICTURE_H
#define GPU_PICTURE_H

struct gpu_display_state;

/* Returns the name of the file (INDIUM_GPU_PICTURE), or NULL if there is to be none. */
const char *gpu_picture_name(void);
/* Replaces the file by a picture of a state, whose framebuffers must be mapped (gpu_bo_map).
 * Requires gpu_picture_name(). Keeps the old file if the state has no mode or after an error.
 * Doesn't require the lock. */
void gpu_picture_write(const struct gpu_display_state *state);

#endif
