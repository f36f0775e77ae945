/* SPDX-License-Identifier: MIT */
/*
 * Hash table from const void * keys to void * data, with open addressing. The hash and comparison
 * functions are given at creation. A set is a table whose data is unused. The table is allocated
 * under a talloc context and freed with it. Not thread-safe. The iteration order is unspecified and
 * must not affect any output.
 */
#ifndef UTIL_HASH_TABLE_H
#define UTIL_HASH_TABLE_H

#include "util/macros.h"

struct hash_entry {
    uint32_t hash;
    const void *key; /* NULL is not a valid key */
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
/* Create a table with C string keys (not copied), pointers compared by address, or nonzero uint32_t
 * values cast to pointers. */
struct hash_table *hash_table_create_string(void *mem_ctx);
struct hash_table *hash_table_create_pointer(void *mem_ctx);
struct hash_table *hash_table_create_u32(void *mem_ctx);
void hash_table_destroy(struct hash_table *ht); /* may be NULL; keys and data stay the caller's */
void hash_table_clear(struct hash_table *ht);

/* Returns the entry of key or NULL. Entries are valid until the next insertion. */
struct hash_entry *hash_table_search(const struct hash_table *ht, const void *key);
/* Adds key, or replaces the key and data of an equal entry. Returns NULL if memory runs out. */
struct hash_entry *hash_table_insert(struct hash_table *ht, const void *key, void *data);
void hash_table_remove(struct hash_table *ht, struct hash_entry *entry); /* entry may be NULL */
void hash_table_remove_key(struct hash_table *ht, const void *key);
/* Returns the entry after `entry`, or the first one if `entry` is NULL; NULL at the end. */
struct hash_entry *hash_table_next(const struct hash_table *ht, struct hash_entry *entry);

/* Returns the data of key, or NULL if key is not in the table. */
static inline void *hash_table_get(const struct hash_table *ht, const void *key)
{
    struct hash_entry *e = hash_table_search(ht, key);
    return e ? e->data : NULL;
}

/* The loop body may remove `entry` but must not insert. */
#define hash_table_foreach(ht, entry)                                                              \
    for (struct hash_entry *entry = hash_table_next(ht, NULL); entry;                              \
         entry = hash_table_next(ht, entry))

uint32_t hash_data(const void *data, size_t size);   /* xxhash of the bytes */
uint64_t hash_data64(const void *data, size_t size); /* 64-bit xxhash, for cache keys */

#endif
