/* SPDX-License-Identifier: MIT */
#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/write_signals.h"

static void log_line(const char *kind, const char *format, va_list args)
{
    char line[1024]; /* written with one call, so lines of different threads don't mix */
    int n = snprintf(line, sizeof line, "indium: %s", kind);
    vsnprintf(line + n, sizeof line - n, format, args);
    /* A message must not end the process if stderr is a pipe that nobody reads or a full file. */
    sigset_t signals;
    bool held = util_write_signals_hold(&signals);
    bool failed = fprintf(stderr, "%s\n", line) < 0;
    if (held)
        util_write_signals_release(&signals, failed);
}

#define LOG_FUNCTION(name, kind)                                                                   \
    void name(const char *format, ...)                                                             \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        log_line(kind, format, args);                                                              \
        va_end(args);                                                                              \
    }

LOG_FUNCTION(log_error, "error: ")
LOG_FUNCTION(log_warning, "warning: ")
