/* SPDX-License-Identifier: MIT */
/*
 * Vertical blanks and swaps of surfaces (GLX_OML_sync_control, GLX_SGI_video_sync,
 * EGL_ANGLE_sync_control_rate). Blanks are those of the window system, or of a clock with 60 Hz if
 * it doesn't report any. The names UST, MSC and SBC are those of GLX_OML_sync_control.
 *
 * Any thread may call these functions for any surface. Waiting doesn't block other threads that use
 * the surface.
 */
#ifndef TGT_SYNC_H
#define TGT_SYNC_H

#include "target/common/tgt_surface.h"

struct tgt_sync {
    int64_t ust; /* time of the last blank in microseconds */
    int64_t msc; /* number of blanks */
    int64_t sbc; /* number of swaps of the surface */
};

/* Returns the current values. */
struct tgt_sync tgt_sync_now(struct tgt_surface *s);
/* Waits until the blank `target` and returns the values then. If it has passed, waits until the
 * next blank at which msc % divisor is `remainder`; doesn't wait if divisor is 0. Returns at once if
 * the window is destroyed. The arguments are not negative, and remainder is 0 or less than divisor.
 */
struct tgt_sync tgt_sync_wait_msc(struct tgt_surface *s, int64_t target, int64_t divisor,
                                  int64_t remainder);
/* Waits until `target` swaps have occurred and returns the values then. */
struct tgt_sync tgt_sync_wait_sbc(struct tgt_surface *s, int64_t target);
/* Stores the number of blanks per second as a reduced fraction. */
void tgt_sync_rate(struct tgt_surface *s, int32_t *numerator, int32_t *denominator);

#endif
