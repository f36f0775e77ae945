/* SPDX-License-Identifier: MIT */
/* Messages to stderr for people who set INDIUM_DEBUG or whose setup is wrong; thread-safe. */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include "util/macros.h"

/* Each writes a line, "indium: error: …" or "indium: warning: …", cut at 1023 bytes; format and
 * arguments as printf has them, without the newline. */
void log_error(const char *format, ...) PRINTFLIKE(1, 2);
void log_warning(const char *format, ...) PRINTFLIKE(1, 2);

#endif
