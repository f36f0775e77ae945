/* SPDX-License-Identifier: MIT */
/* Messages to stderr for people who set INDIUM_DEBUG or whose setup is wrong; thread-safe. */
#ifndef UTIL_LOG_H
#define UTIL_LOG_H

#include "util/macros.h"

void log_error(const char *format, ...) PRINTFLIKE(1, 2);
void log_warning(const char *format, ...) PRINTFLIKE(1, 2);

#endif
