/* SPDX-License-Identifier: MIT */
/*
 * Hash table from const void * keys to void * data, with open addressing. A set is a table whose
 * data is unused. The table is allocated under a talloc context and freed with it; keys and data
 * remain the caller's. Not thread-safe. The iteration order is unspecified and must not affect any
 * output.
 */
#ifndef UTIL_HASH_TABLE_H
#define UTIL_HASH_TABLE_H

#include "util/macros.h"

/* An entry of a table. The user may change `data`, but not the other fields. */
struct hash_entry {
    uint32_t hash;   /* of the key */
    const void *key; /* NULL is not a valid key */
    void *data;
};

/* A table. All fields but `entries` are private. */
struct hash_table {
    struct hash_entry *table;
    uint32_t size;             /* slots, a power of two */
    uint32_t entries, deleted; /* live entries; slots of removed entries not reused yet */
    uint32_t (*hash)(const void *key);
    bool (*equal)(const void *a, const void *b);
};

/* Creates a table. Equal keys must have equal hashes. All functions that create a table return NULL
 * if out of memory. */
struct hash_table *hash_table_create(void *mem_ctx, uint32_t (*hash)(const void *key),
                                     bool (*equal)(const void *a, const void *b));
/* Creates a table whose keys are C strings, compared by contents and not copied. */
struct hash_table *hash_table_create_string(void *mem_ctx);
/* Creates a table whose keys are pointers, compared by address. */
struct hash_table *hash_table_create_pointer(void *mem_ctx);
/* Creates a table whose keys are nonzero uint32_t values cast to pointers. */
struct hash_table *hash_table_create_u32(void *mem_ctx);
void hash_table_destroy(struct hash_table *ht); /* may be NULL */
/* Removes all entries. */
void hash_table_clear(struct hash_table *ht);

/* Returns the entry of key, or NULL if there is none. The pointer is valid until the next insertion
 * or clear. */
struct hash_entry *hash_table_search(const struct hash_table *ht, const void *key);
/* Adds key, or replaces the key and data of an equal entry. key must not be NULL. Returns the
 * entry, which is valid until the next insertion or clear, or NULL if out of memory. */
struct hash_entry *hash_table_insert(struct hash_table *ht, const void *key, void *data);
void hash_table_remove(struct hash_table *ht, struct hash_entry *entry); /* entry may be NULL */
/* Removes the entry of key, if there is one. */
void hash_table_remove_key(struct hash_table *ht, const void *key);
/* Returns the entry after `entry`, or the first one if `entry` is NULL; NULL at the end. */
struct hash_entry *hash_table_next(const struct hash_table *ht, struct hash_entry *entry);

/* Returns the data of key. Returns NULL if the data is NULL or key is not in the table. */
static inline void *hash_table_get(const struct hash_table *ht, const void *key)
{
    struct hash_entry *e = hash_table_search(ht, key);
    return e ? e->data : NULL;
}

/* Loops over all entries; declares `entry`. The body may remove entries but must not insert. */
#define hash_table_foreach(ht, entry)                                                              \
    for (struct hash_entry *entry = hash_table_next(ht, NULL); entry;                              \
         entry = hash_table_next(ht, entry))

uint32_t hash_data(const void *data, size_t size);   /* low 32 bits of hash_data64 */
uint64_t hash_data64(const void *data, size_t size); /* XXH3 of the bytes */

#endif
