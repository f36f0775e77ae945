/* SPDX-License-Identifier: MIT */
/* Growing string in a talloc context. Appending is amortized linear, unlike talloc_asprintf_append. */
#ifndef UTIL_STRBUF_H
#define UTIL_STRBUF_H

#include <stdarg.h>

#include "util/macros.h"

struct strbuf {
    void *mem_ctx;
    char *data; /* always terminated once something was appended; NULL before */
    size_t length, capacity;
    bool failed; /* memory ran out; what was appended since is lost */
};

#define STRBUF_INIT(ctx)                                                                           \
    {                                                                                              \
        .mem_ctx = (ctx)                                                                           \
    }

/* Each appends a copy: a string, n bytes, a byte, what printf makes. */
void strbuf_append(struct strbuf *sb, const char *text);
void strbuf_append_n(struct strbuf *sb, const char *text, size_t n);
void strbuf_append_char(struct strbuf *sb, char c);
void strbuf_printf(struct strbuf *sb, const char *format, ...) PRINTFLIKE(2, 3);
void strbuf_vprintf(struct strbuf *sb, const char *format, va_list args);
/* The string, "" if nothing was appended. Stays the buffer's. */
const char *strbuf_str(const struct strbuf *sb);

#endif
