/* SPDX-License-Identifier: MIT */
/* Growing string in a talloc context. Unlike talloc_asprintf_append, appending takes amortized time
 * proportional to the appended text. */
#ifndef UTIL_STRBUF_H
#define UTIL_STRBUF_H

#include <stdarg.h>

#include "util/macros.h"

/* A string. Initialize it with STRBUF_INIT. `data` is freed with the talloc context mem_ctx. */
struct strbuf {
    void *mem_ctx;
    char *data;              /* null-terminated; NULL before the first append */
    size_t length, capacity; /* bytes used, without the null terminator, and bytes allocated */
    bool failed;             /* out of memory; later appends are dropped */
};

/* Initializer of an empty string that allocates under a talloc context. */
#define STRBUF_INIT(ctx) {.mem_ctx = (ctx)}

/* Append a copy of a string, of n bytes, of one byte, or of printf output. When out of memory, set
 * sb->failed and append nothing. A printf error appends nothing, too, but doesn't set it. */
void strbuf_append(struct strbuf *sb, const char *text);
void strbuf_append_n(struct strbuf *sb, const char *text, size_t n);
void strbuf_append_char(struct strbuf *sb, char c);
void strbuf_printf(struct strbuf *sb, const char *format, ...) PRINTFLIKE(2, 3);
void strbuf_vprintf(struct strbuf *sb, const char *format, va_list args);
/* Returns the string, which sb owns, or "" if nothing was appended. The pointer is valid until the
 * next append. After a failure, the string lacks the dropped text. */
const char *strbuf_str(const struct strbuf *sb);

#endif
