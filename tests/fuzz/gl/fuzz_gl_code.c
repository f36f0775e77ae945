/* SPDX-License-Identifier: MIT */
/* Prints calls as they are made: a line for each, or C code that can be pasted into a test. */
#include "fuzz_gl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_BYTES 16384 /* size limit of arrays that are printed completely */
#define IN_A_LINE  16

static _Thread_local const struct fuzz *self;

void fuzz_print_begin(const struct fuzz *f)
{
    self = f;
}

void fuzz_note(const char *format, ...)
{
    va_list list;
    if (!self->code)
        return;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

/* Returns whether a parameter is text, which ends with a zero or at the end of its slot. */
static bool is_text(const struct fuzz_param *p)
{
    return p->pointer == 1 && p->text && p->constant;
}

/* Returns the bytes of the argument's data in client memory; 0 if it is an offset or there are
 * none. */
static uint64_t array_bytes(const struct fuzz *f, const struct fuzz_command *c, unsigned i,
                            const union fuzz_value *a)
{
    const uint64_t first_page = 65536;
    const struct fuzz_param *p = &c->params[i];
    uint64_t bytes = fuzz_slot_bytes(f, i, a[i].i);
    if (!p->pointer || (uint64_t)a[i].i < first_page)
        return 0;
    if (bytes)
        return bytes;
    return is_text(p) ? strlen((const char *)(uintptr_t)a[i].i) + 1 : fuzz_pointer_bytes(c, p, a);
}

/* Prints bytes without trailing zeros. */
static void print_bytes(const uint8_t *p, uint64_t bytes)
{
    while (bytes && !p[bytes - 1])
        bytes--;
    for (uint64_t i = 0; i < bytes; i++)
        fprintf(stderr, "%s%u,", i % IN_A_LINE ? " " : "\n        ", p[i]);
}

static void print_text(const char *text)
{
    fputc('"', stderr);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", stderr);
        else if (*text == '"' || *text == '\\')
            fprintf(stderr, "\\%c", *text);
        else
            fputc(*text, stderr);
    fputc('"', stderr);
}

static void print_pointers(const struct fuzz_param *p, const void *const *array, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        fputs("\n        ", stderr);
        if (p->text && array[k])
            print_text(array[k]);
        else
            fputs("NULL", stderr);
        fputc(',', stderr);
    }
}

/* Prints an array with the data that the call reads, or with space for what it writes. */
static void print_array(const struct fuzz_param *p, unsigned i, const void *data, uint64_t bytes)
{
    if (p->pointer == 2) {
        fprintf(stderr, "    static const void *p%u[] = {", i);
        print_pointers(p, data, bytes / sizeof(void *));
        fputs("\n    };\n", stderr);
    } else if (p->constant && bytes <= MOST_BYTES) {
        fprintf(stderr, "    static uint8_t p%u[%" PRIu64 "] __attribute__((aligned(16))) = {", i,
                bytes);
        print_bytes(data, bytes);
        fputs("\n    };\n", stderr);
    } else {
        fprintf(stderr, "    static uint8_t p%u[%" PRIu64 "] __attribute__((aligned(16)));\n", i,
                bytes);
    }
}

static void print_code(const struct fuzz *f, const struct fuzz_command *c,
                       const union fuzz_value *a)
{
    uint64_t bytes[FUZZ_MAX_PARAMS] = {0};
    fputs("{\n", stderr);
    for (unsigned i = 0; i < c->num_params; i++) {
        bytes[i] = array_bytes(f, c, i, a);
        if (bytes[i])
            print_array(&c->params[i], i, (const void *)(uintptr_t)a[i].i, bytes[i]);
    }
    fprintf(stderr, "    %s(", c->name);
    for (unsigned i = 0; i < c->num_params; i++) {
        const struct fuzz_param *p = &c->params[i];
        const char *comma = i ? ", " : "";
        bool address = p->pointer || p->kind == FUZZ_KIND_SYNC || p->kind == FUZZ_KIND_CALLBACK ||
                       p->kind == FUZZ_KIND_OPAQUE;
        if (bytes[i])
            fprintf(stderr, "%s(void *)p%u", comma, i);
        else if (address)
            fprintf(stderr, "%s(void *)%#" PRIx64, comma, (uint64_t)a[i].i);
        else if (p->kind == FUZZ_KIND_FLOAT)
            fprintf(stderr, "%s(float)%.9g", comma, a[i].f);
        else if (p->kind == FUZZ_KIND_ENUM || p->kind == FUZZ_KIND_BITS)
            fprintf(stderr, "%s%#" PRIx32, comma, (uint32_t)a[i].i);
        else
            fprintf(stderr, "%s%" PRId64 "%s", comma, a[i].i,
                    a[i].i > INT32_MAX || a[i].i < INT32_MIN ? "ll" : "");
    }
    fputs(");\n}\n", stderr);
}

static void print_line(const struct fuzz *f, const struct fuzz_command *c,
                       const union fuzz_value *a)
{
    fprintf(stderr, "%u: %s(", f->thread, c->name);
    for (unsigned i = 0; i < c->num_params; i++) {
        const struct fuzz_param *p = &c->params[i];
        const char *comma = i ? ", " : "";
        if (p->kind == FUZZ_KIND_FLOAT && !p->pointer)
            fprintf(stderr, "%s%g", comma, a[i].f);
        else if (p->kind == FUZZ_KIND_ENUM || p->kind == FUZZ_KIND_BITS || p->pointer)
            fprintf(stderr, "%s%#" PRIx64, comma, (uint64_t)a[i].i);
        else
            fprintf(stderr, "%s%" PRId64, comma, a[i].i);
    }
    fprintf(stderr, ")\n");
}

void fuzz_print_call(const struct fuzz *f, const struct fuzz_command *c, const union fuzz_value *a)
{
    if (f->code)
        print_code(f, c, a);
    else if (f->trace)
        print_line(f, c, a);
}

uint64_t fuzz_print_and_call(unsigned command, const union fuzz_value *a)
{
    fuzz_print_call(self, &fuzz_commands[command], a);
    return fuzz_commands[command].call(a);
}
