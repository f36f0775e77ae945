/* SPDX-License-Identifier: MIT */
/* A private X server for a test. */
#ifndef TEST_XVFB_H
#define TEST_XVFB_H

#include <stdbool.h>

/* Starts Xvfb with a screen of 640 × 480 pixels on a free display, and sets DISPLAY.
 * depth: color depth in bits, for example "24". without: name of an extension to disable, or NULL.
 * Returns false if Xvfb cannot be started. The server runs until xvfb_stop() is called or the
 * process ends. */
bool xvfb_start(const char *depth, const char *without);
/* Like xvfb_start, with one or two screens. */
bool xvfb_start_screens(const char *depth, const char *without, unsigned screens);
/* Stops the server, if there is one. */
void xvfb_stop(void);

#endif
