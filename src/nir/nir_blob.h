/* SPDX-License-Identifier: MIT */
/*
 * Writer and reader of byte streams for serialization. The reader accepts malformed input.
 *
 * The first occurrence of a type is written in full; later ones refer to it by its number. Types
 * are numbered from 0 in the order in which their first occurrences end. The types that a type
 * contains thus have lower numbers.
 *
 * Reading past the end or reading an invalid value sets blob_reader.failed. From then on all reads
 * return zeros, and the caller must discard everything that it has read.
 *
 * Write and read within an attempt (util/memory.h), which fails if out of memory.
 */
#ifndef NIR_BLOB_H
#define NIR_BLOB_H

#include "nir.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* A stream that is being written. The caller initializes bytes.mem_ctx and numbers, and zeroes the
 * rest. */
struct blob_writer {
    DYNARRAY(uint8_t) bytes; /* mem_ctx: talloc context of the result */
    /* Address of an object → its number + 1. The caller creates the table with
     * hash_table_create_pointer(), and destroys it. */
    struct hash_table *numbers;
    unsigned num_types; /* number of types written so far */
};

/* Append bytes, and a word in the byte order of the host. */
void blob_write_bytes(struct blob_writer *w, const void *data, size_t size);
void blob_write_u32(struct blob_writer *w, uint32_t x);
/* Appends a string. s may be NULL; blob_read_string() then returns NULL. */
void blob_write_string(struct blob_writer *w, const char *s);
void blob_write_type(struct blob_writer *w, const struct glsl_type *type); /* type may be NULL */
/* Assigns a number to the object p. References to p are then written with
 * blob_write_u32(w, blob_number_of(w, p)). */
void blob_set_number(struct blob_writer *w, const void *p, unsigned number);
/* Returns 1 + the number of p; 0 if p is NULL or has no number. */
uint32_t blob_number_of(struct blob_writer *w, const void *p);

typedef DYNARRAY(void *) blob_numbers; /* element i is the object with number i */

/* A stream that is being read. Initialize next, end and mem_ctx, and zero the rest. */
struct blob_reader {
    const uint8_t *next, *end; /* the bytes not read yet; borrowed */
    bool failed;               /* a read has failed */
    unsigned depth;     /* current nesting of types and other objects, at most BLOB_MAX_DEPTH */
    void *mem_ctx;      /* talloc context of the types that are not built in */
    blob_numbers types; /* types by number; free with dynarray_finish */
};

#define BLOB_MAX_DEPTH 256 /* deeper nesting fails */

/* Copies the next `size` bytes to data. */
void blob_read_bytes(struct blob_reader *r, void *data, size_t size);
/* Returns what blob_write_u32() wrote. */
uint32_t blob_read_u32(struct blob_reader *r);
/* Reads a value. Fails and returns 0 if it is not less than limit. */
uint32_t blob_read_below(struct blob_reader *r, uint32_t limit);
/* Reads the number of items that follow, each of which takes at least `each` bytes. Fails and
 * returns 0 if the rest of the input is too short for them. */
uint32_t blob_read_count(struct blob_reader *r, size_t each);
/* Returns a string allocated from mem_ctx, or NULL if NULL was written or the read fails. */
char *blob_read_string(struct blob_reader *r, void *mem_ctx);
/* Reads what blob_number_of() returned and returns the object with that number. Fails and returns
 * NULL if there is none. */
void *blob_read_number(struct blob_reader *r, const blob_numbers *list);
/* Returns the type, or NULL if NULL was written or the read fails. */
const struct glsl_type *blob_read_type(struct blob_reader *r);

#endif
