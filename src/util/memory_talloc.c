/* SPDX-License-Identifier: MIT */
/*
 * Wrappers of the talloc functions that allocate, installed by the linker's --wrap (meson.build).
 * Within an attempt they never fail, and a NULL context stands for the attempt's context.
 */
#include <stdarg.h>

#include <talloc.h>

#include "util/memory.h"

static void *context_of(const void *context)
{
    return context ? (void *)context : util_attempt_root();
}

/* Fails the attempt if the result is NULL although an allocation was wanted. */
static void *check(void *got, bool wanted)
{
    if (!got && wanted)
        util_out_of_memory();
    return got;
}

/* Wraps a talloc function whose first parameter is the context that it allocates under. */
#define WRAP(type, function, wanted, parameters, ...)                                              \
    type __real_##function parameters;                                                             \
    type __wrap_##function parameters;                                                             \
    type __wrap_##function parameters                                                              \
    {                                                                                              \
        context = context_of(context);                                                             \
        return check(__real_##function(context, __VA_ARGS__), wanted);                             \
    }

WRAP(void *, talloc_named_const, true, (const void *context, size_t size, const char *name), size,
     name)
WRAP(void *, _talloc_zero, true, (const void *context, size_t size, const char *name), size, name)
WRAP(void *, _talloc_memdup, old,
     (const void *context, const void *old, size_t size, const char *name), old, size, name)
WRAP(void *, _talloc_array, true,
     (const void *context, size_t element, unsigned count, const char *name), element, count, name)
WRAP(void *, _talloc_zero_array, true,
     (const void *context, size_t element, unsigned count, const char *name), element, count, name)
WRAP(void *, _talloc_realloc, size, (const void *context, void *old, size_t size, const char *name),
     old, size, name)
WRAP(void *, _talloc_realloc_array, count,
     (const void *context, void *old, size_t element, unsigned count, const char *name), old,
     element, count, name)
WRAP(char *, talloc_strdup, text, (const void *context, const char *text), text)
WRAP(char *, talloc_strndup, text, (const void *context, const char *text, size_t n), text, n)
WRAP(char *, talloc_vasprintf, true, (const void *context, const char *format, va_list args),
     format, args)
WRAP(void *, _talloc_steal_loc, false, (const void *context, const void *old, const char *place),
     old, place)

char *__wrap_talloc_asprintf(const void *context, const char *format, ...) PRINTF_ATTRIBUTE(2, 3);
char *__wrap_talloc_asprintf(const void *context, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = __real_talloc_vasprintf(context_of(context), format, args);
    va_end(args);
    return check(text, true);
}

char *__wrap_talloc_asprintf_append(char *text, const char *format, ...) PRINTF_ATTRIBUTE(2, 3);
char *__wrap_talloc_asprintf_append(char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text = talloc_vasprintf_append(text, format, args);
    va_end(args);
    return check(text, true);
}
