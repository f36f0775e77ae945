/* SPDX-License-Identifier: MIT */
/*
 * Byte streams for serialization, and a reader that doesn't trust its input.
 *
 * The first occurrence of a type is written in full; later ones refer to it by number. Reading past
 * the end or reading an invalid value sets blob_reader.failed. From then on all reads return zeros,
 * and the caller must discard everything that it has read.
 */
#ifndef NIR_BLOB_H
#define NIR_BLOB_H

#include "nir.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

struct blob_writer {
    DYNARRAY(uint8_t) bytes;
    /* Written pointer → number + 1 (hash_table_create_pointer). */
    struct hash_table *numbers;
    unsigned num_types;
};

void blob_write_bytes(struct blob_writer *w, const void *data, size_t size);
void blob_write_u32(struct blob_writer *w, uint32_t x);
void blob_write_string(struct blob_writer *w, const char *s);              /* NULL and "" differ */
void blob_write_type(struct blob_writer *w, const struct glsl_type *type); /* type may be NULL */
/* Assigns a number to p for blob_number_of. */
void blob_set_number(struct blob_writer *w, const void *p, unsigned number);
/* Returns 1 + the number of p; 0 if p is NULL or has no number. */
uint32_t blob_number_of(struct blob_writer *w, const void *p);

typedef DYNARRAY(void *) blob_numbers; /* objects by number */

struct blob_reader {
    const uint8_t *next, *end;
    bool failed;
    unsigned depth;     /* nesting of types and other objects, at most BLOB_MAX_DEPTH */
    void *mem_ctx;      /* owner of the types that are not built in */
    blob_numbers types; /* types by number; free with dynarray_finish */
};

#define BLOB_MAX_DEPTH 256

void blob_read_bytes(struct blob_reader *r, void *data, size_t size);
uint32_t blob_read_u32(struct blob_reader *r);
/* Reads a value and fails unless it is less than limit. */
uint32_t blob_read_below(struct blob_reader *r, uint32_t limit);
/* Reads the count of following items of at least `each` bytes; fails if they exceed the input. */
uint32_t blob_read_count(struct blob_reader *r, size_t each);
char *blob_read_string(struct blob_reader *r, void *mem_ctx);
/* Reads a number written as number + 1 and returns the object with that number; fails and returns
 * NULL if there is none. */
void *blob_read_number(struct blob_reader *r, const blob_numbers *list);
const struct glsl_type *blob_read_type(struct blob_reader *r);

#endif
