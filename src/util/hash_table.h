/* SPDX-License-Identifier: MIT */
/*
 * Hash table from const void * keys to void * data, open addressing, keyed by functions given at
 * creation. A set is a table whose data is unused. Allocated under a talloc context and freed with
 * it. Not thread-safe. Iteration order is the order of the table, not of insertion: it must not
 * decide anything that reaches the output.
 */
#ifndef UTIL_HASH_TABLE_H
#define UTIL_HASH_TABLE_H

#include "util/macros.h"

struct hash_entry {
    uint32_t hash;
    const void *key; /* NULL is no valid key */
    void *data;
};

struct hash_table {
    struct hash_entry *table;
    uint32_t size; /* slots, a power of two */
    uint32_t entries, deleted;
    uint32_t (*hash)(const void *key);
    bool (*equal)(const void *a, const void *b);
};

struct hash_table *hash_table_create(void *mem_ctx, uint32_t (*hash)(const void *key),
                                     bool (*equal)(const void *a, const void *b));
/* Keys are C strings (not copied) / pointers compared as such / uint32_t cast to pointers, not 0. */
struct hash_table *hash_table_create_string(void *mem_ctx);
struct hash_table *hash_table_create_pointer(void *mem_ctx);
struct hash_table *hash_table_create_u32(void *mem_ctx);
void hash_table_destroy(struct hash_table *ht); /* NULL is fine; keys and data are the caller's */
void hash_table_clear(struct hash_table *ht);

/* The entry of key or NULL. Entries are valid until the next insertion. */
struct hash_entry *hash_table_search(const struct hash_table *ht, const void *key);
/* Adds key or replaces its key and data. NULL on no memory. */
struct hash_entry *hash_table_insert(struct hash_table *ht, const void *key, void *data);
void hash_table_remove(struct hash_table *ht, struct hash_entry *entry); /* NULL is fine */
void hash_table_remove_key(struct hash_table *ht, const void *key);
/* The first entry after `entry` (NULL: the first of all), NULL at the end. */
struct hash_entry *hash_table_next(const struct hash_table *ht, struct hash_entry *entry);

/* Data of key or NULL. */
static inline void *hash_table_get(const struct hash_table *ht, const void *key)
{
    struct hash_entry *e = hash_table_search(ht, key);
    return e ? e->data : NULL;
}

/* The entry may be removed in the loop, nothing added. */
#define hash_table_foreach(ht, entry)                                                              \
    for (struct hash_entry *entry = hash_table_next(ht, NULL); entry;                              \
         entry = hash_table_next(ht, entry))

uint32_t hash_data(const void *data, size_t size);   /* xxhash of bytes */
uint64_t hash_data64(const void *data, size_t size); /* the same, 64 bits: cache keys */

#endif
