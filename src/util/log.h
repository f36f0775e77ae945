/* SPDX-License-Identifier: MIT */
/* Messages to stderr about invalid configuration and for INDIUM_DEBUG. Thread-safe. */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include "util/macros.h"

/* Each writes one line, "indium: error: …" or "indium: warning: …", truncated at 1023 bytes. Format
 * and arguments are printf's, without the newline. */
void log_error(const char *format, ...) PRINTFLIKE(1, 2);
void log_warning(const char *format, ...) PRINTFLIKE(1, 2);

#endif
