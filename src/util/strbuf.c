/* SPDX-License-Identifier: MIT */
#include "util/strbuf.h"

#include <stdio.h>
#include <talloc.h>

static bool strbuf_reserve(struct strbuf *sb, size_t n)
{
    if (sb->failed)
        return false;
    if (sb->length + n + 1 <= sb->capacity)
        return true;
    size_t capacity = MAX2(sb->capacity * 2, MAX2(sb->length + n + 1, (size_t)64));
    char *data = talloc_realloc(sb->mem_ctx, sb->data, char, capacity);
    if (!data) {
        sb->failed = true;
        return false;
    }
    sb->data = data;
    sb->capacity = capacity;
    return true;
}

void strbuf_append_n(struct strbuf *sb, const char *text, size_t n)
{
    if (!strbuf_reserve(sb, n))
        return;
    memcpy(sb->data + sb->length, text, n);
    sb->length += n;
    sb->data[sb->length] = '\0';
}

void strbuf_append(struct strbuf *sb, const char *text)
{
    strbuf_append_n(sb, text, strlen(text));
}

void strbuf_append_char(struct strbuf *sb, char c)
{
    strbuf_append_n(sb, &c, 1);
}

void strbuf_vprintf(struct strbuf *sb, const char *format, va_list args)
{
    va_list measure;
    va_copy(measure, args);
    int n = vsnprintf(NULL, 0, format, measure);
    va_end(measure);
    if (n < 0 || !strbuf_reserve(sb, n))
        return;
    vsnprintf(sb->data + sb->length, n + 1, format, args);
    sb->length += n;
}

void strbuf_printf(struct strbuf *sb, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_vprintf(sb, format, args);
    va_end(args);
}

const char *strbuf_str(const struct strbuf *sb)
{
    return sb->data ? sb->data : "";
}
