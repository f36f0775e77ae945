/* SPDX-License-Identifier: MIT */
/* An X server of a test's own. */
#ifndef TEST_XVFB_H
#define TEST_XVFB_H

#include <stdbool.h>

/* Starts Xvfb (640 x 480, with all its extensions but one, or all if NULL) on a free display and
 * sets DISPLAY. False if there is no Xvfb. It ends with the process or xvfb_stop. */
bool xvfb_start(const char *depth, const char *without);
/* Like xvfb_start, with one or two screens. */
bool xvfb_start_screens(const char *depth, const char *without, unsigned screens);
void xvfb_stop(void);

#endif
