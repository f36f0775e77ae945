/* SPDX-License-Identifier: MIT */
/*
 * Bytes that things with types are written to, and read from without trust: types are written where
 * they are first met and named by number later. What is read beyond the end, or is no type, makes the
 * reader fail for good: it then gives zeros, and nothing of what it gave counts.
 */
#ifndef NIR_BLOB_H
#define NIR_BLOB_H

#include "nir.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

struct blob_writer {
    DYNARRAY(uint8_t) bytes;
    struct hash_table
        *numbers; /* any pointer that was written → number + 1; hash_table_create_pointer */
    unsigned num_types;
};

void blob_write_bytes(struct blob_writer *w, const void *data, size_t size);
void blob_write_u32(struct blob_writer *w, uint32_t x);
void blob_write_string(struct blob_writer *w, const char *s); /* NULL is another one than "" */
void blob_write_type(struct blob_writer *w, const struct glsl_type *type); /* NULL is fine */
void blob_set_number(struct blob_writer *w, const void *p, unsigned number);
/* The number that p was given plus 1; 0: NULL, or none. */
uint32_t blob_number_of(struct blob_writer *w, const void *p);

typedef DYNARRAY(void *) blob_numbers; /* what has been numbered */

struct blob_reader {
    const uint8_t *next, *end;
    bool failed;
    unsigned depth;     /* of types and what else is nested: at most BLOB_MAX_DEPTH */
    void *mem_ctx;      /* of types that are not built in */
    blob_numbers types; /* to be freed: dynarray_finish */
};

#define BLOB_MAX_DEPTH 256

void blob_read_bytes(struct blob_reader *r, void *data, size_t size);
uint32_t blob_read_u32(struct blob_reader *r);
/* A number below limit. */
uint32_t blob_read_below(struct blob_reader *r, uint32_t limit);
/* A count of things that take at least `each` bytes. */
uint32_t blob_read_count(struct blob_reader *r, size_t each);
char *blob_read_string(struct blob_reader *r, void *mem_ctx);
/* What has the number that is read; NULL: failed. */
void *blob_read_number(struct blob_reader *r, const blob_numbers *list);
const struct glsl_type *blob_read_type(struct blob_reader *r);

#endif
