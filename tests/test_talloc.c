/* SPDX-License-Identifier: MIT */
/*
 * Exports the functions of talloc that tests call. The symbols of the static libtalloc are hidden
 * in libindium-test.so, so the link of a test replaces them by these (the linker's --wrap,
 * meson.build). Functions that allocate from a context are exported in the same way by
 * util/memory_talloc.c.
 */
#include <stdarg.h>

#include <talloc.h>

int __wrap__talloc_free(void *pointer, const char *location);
int __wrap__talloc_free(void *pointer, const char *location)
{
    return _talloc_free(pointer, location);
}

char *__wrap_talloc_strdup_append(char *text, const char *more);
char *__wrap_talloc_strdup_append(char *text, const char *more)
{
    return talloc_strdup_append(text, more);
}

char *__wrap_talloc_asprintf_append_buffer(char *text, const char *format, ...)
    PRINTF_ATTRIBUTE(2, 3);
char *__wrap_talloc_asprintf_append_buffer(char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text = talloc_vasprintf_append_buffer(text, format, args);
    va_end(args);
    return text;
}
