/* SPDX-License-Identifier: MIT */
/* Error and warning messages to stderr. Thread-safe. */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include "util/macros.h"

/* Print one line, "indium: error: …" or "indium: warning: …", truncated to 1023 bytes. The
 * arguments are those of printf; the format has no newline at the end. */
void log_error(const char *format, ...) PRINTFLIKE(1, 2);
void log_warning(const char *format, ...) PRINTFLIKE(1, 2);

#endif
