/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing and tombstones. The table grows when 70% of the slots are
 * used. */
#include "util/hash_table.h"

#include <assert.h>
#include <talloc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static const char deleted_key;
#define DELETED ((const void *)&deleted_key)

#define LEAST_SIZE 16 /* minimum slots of a table, a power of two */

static bool entry_is_live(const struct hash_entry *e)
{
    return e->key && e->key != DELETED;
}

uint32_t hash_data(const void *data, size_t size)
{
    return (uint32_t)XXH3_64bits(data, size);
}

uint64_t hash_data64(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

static uint32_t hash_string(const void *string)
{
    return hash_data(string, strlen(string));
}

static uint32_t hash_pointer(const void *pointer)
{
    uint64_t x = (uintptr_t)pointer;
    x *= 0x9e3779b97f4a7c15ull; /* Fibonacci hashing, Knuth TAOCP 6.4 */
    return (uint32_t)(x >> 32);
}

static bool equal_string(const void *a, const void *b)
{
    return strcmp(a, b) == 0;
}

static bool equal_pointer(const void *a, const void *b)
{
    return a == b;
}

struct hash_table *hash_table_create(void *mem_ctx, uint32_t (*hash)(const void *key),
                                     bool (*equal)(const void *a, const void *b))
{
    struct hash_table *ht = talloc_zero(mem_ctx, struct hash_table);
    if (!ht)
        return NULL;
    ht->size = LEAST_SIZE;
    ht->hash = hash;
    ht->equal = equal;
    ht->table = talloc_zero_array(ht, struct hash_entry, ht->size);
    if (!ht->table) {
        talloc_free(ht);
        return NULL;
    }
    return ht;
}

struct hash_table *hash_table_create_string(void *mem_ctx)
{
    return hash_table_create(mem_ctx, hash_string, equal_string);
}

struct hash_table *hash_table_create_pointer(void *mem_ctx)
{
    return hash_table_create(mem_ctx, hash_pointer, equal_pointer);
}

struct hash_table *hash_table_create_u32(void *mem_ctx)
{
    return hash_table_create_pointer(mem_ctx);
}

void hash_table_destroy(struct hash_table *ht)
{
    talloc_free(ht);
}

void hash_table_clear(struct hash_table *ht)
{
    /* shrink a mostly empty table, which would otherwise be walked and cleared at full size */
    if (ht->size > LEAST_SIZE && (uint64_t)(ht->entries + ht->deleted) * 16 < ht->size) {
        struct hash_entry *table = talloc_realloc(ht, ht->table, struct hash_entry, LEAST_SIZE);
        if (table) {
            ht->table = table;
            ht->size = LEAST_SIZE;
        }
    }
    memset(ht->table, 0, ht->size * sizeof *ht->table);
    ht->entries = ht->deleted = 0;
}

static struct hash_entry *search(const struct hash_table *ht, uint32_t hash, const void *key)
{
    uint32_t mask = ht->size - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        struct hash_entry *e = &ht->table[i];
        if (!e->key)
            return NULL;
        if (e->key != DELETED && e->hash == hash && ht->equal(e->key, key))
            return e;
    }
}

struct hash_entry *hash_table_search(const struct hash_table *ht, const void *key)
{
    return search(ht, ht->hash(key), key);
}

static bool hash_table_rehash(struct hash_table *ht, uint32_t new_size)
{
    struct hash_entry *table = talloc_zero_array(ht, struct hash_entry, new_size);
    if (!table)
        return false;
    for (uint32_t i = 0; i < ht->size; i++) {
        if (!entry_is_live(&ht->table[i]))
            continue;
        uint32_t j = ht->table[i].hash & (new_size - 1);
        while (table[j].key)
            j = (j + 1) & (new_size - 1);
        table[j] = ht->table[i];
    }
    talloc_free(ht->table);
    ht->table = table;
    ht->size = new_size;
    ht->deleted = 0;
    return true;
}

static struct hash_entry *insert(struct hash_table *ht, uint32_t hash, const void *key, void *data)
{
    assert(key && key != DELETED);
    struct hash_entry *e = search(ht, hash, key);
    if (!e) {
        if ((uint64_t)(ht->entries + ht->deleted + 1) * 10 > (uint64_t)ht->size * 7 &&
            !hash_table_rehash(ht, ht->entries * 2 >= ht->size / 2 ? ht->size * 2 : ht->size))
            return NULL;
        uint32_t mask = ht->size - 1, i = hash & mask;
        while (entry_is_live(&ht->table[i]))
            i = (i + 1) & mask;
        e = &ht->table[i];
        if (e->key == DELETED)
            ht->deleted--;
        ht->entries++;
    }
    e->hash = hash;
    e->key = key;
    e->data = data;
    return e;
}

struct hash_entry *hash_table_insert(struct hash_table *ht, const void *key, void *data)
{
    return insert(ht, ht->hash(key), key, data);
}

void hash_table_remove(struct hash_table *ht, struct hash_entry *entry)
{
    if (!entry)
        return;
    entry->key = DELETED;
    ht->entries--;
    ht->deleted++;
}

void hash_table_remove_key(struct hash_table *ht, const void *key)
{
    hash_table_remove(ht, hash_table_search(ht, key));
}

struct hash_entry *hash_table_next(const struct hash_table *ht, struct hash_entry *entry)
{
    for (entry = entry ? entry + 1 : ht->table; entry != ht->table + ht->size; entry++) {
        if (entry_is_live(entry))
            return entry;
    }
    return NULL;
}
