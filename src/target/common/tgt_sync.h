/* SPDX-License-Identifier: MIT */
/*
 * Vertical blanks and swaps of surfaces (GLX_OML_sync_control, GLX_SGI_video_sync,
 * EGL_ANGLE_sync_control_rate). Blanks are those of the window system, or those of a 60 Hz clock if
 * the window system doesn't report any. GLX_OML_sync_control defines the terms UST, MSC and SBC.
 *
 * Any thread may call these functions for any surface. Waiting doesn't block other threads that use
 * the surface.
 */
#ifndef TGT_SYNC_H
#define TGT_SYNC_H

#include "target/common/tgt_surface.h"

/* Counters of GLX_OML_sync_control. */
struct tgt_sync {
    int64_t ust; /* time of the last blank in microseconds of a monotonic clock */
    int64_t msc; /* number of blanks so far */
    int64_t sbc; /* number of swaps of the surface so far */
};

/* Returns the current values. */
struct tgt_sync tgt_sync_now(struct tgt_surface *s);
/* Waits until msc is at least `target` and returns the values at that time. If that is already the
 * case, waits for the next blank at which msc % divisor is `remainder`, or returns at once if
 * divisor is 0. Returns early once the window is known to be destroyed (tgt_surface_is_gone);
 * queries it only if the window system stops reporting blanks. The arguments must not be negative;
 * remainder must be 0 or less than divisor. */
struct tgt_sync tgt_sync_wait_msc(struct tgt_surface *s, int64_t target, int64_t divisor,
                                  int64_t remainder);
/* Waits until sbc is at least `target` and returns the values at that time. Queries the window
 * about every 60 ms, and returns early if it is destroyed. */
struct tgt_sync tgt_sync_wait_sbc(struct tgt_surface *s, int64_t target);
/* Stores the number of blanks per second as a reduced fraction; 60 / 1 if it is unknown. */
void tgt_sync_rate(struct tgt_surface *s, int32_t *numerator, int32_t *denominator);

#endif
