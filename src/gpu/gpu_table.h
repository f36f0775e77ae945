/* SPDX-License-Identifier: MIT */
/* Tables that assign the lowest free id to an object, as the kernel does for handles. */
#ifndef GPU_TABLE_H
#define GPU_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_table {
    void **objects;    /* indexed by id; NULL: the id is free */
    uint32_t capacity; /* number of elements of `objects` */
    uint32_t lowest;   /* all ids from `first` to lowest - 1 are assigned */
    uint32_t first;    /* lowest id to assign */
};

/* Initializes an empty table. first: the lowest id, at least 1. */
void gpu_table_init(struct gpu_table *table, uint32_t first);
/* Frees the table's memory, not the objects. */
void gpu_table_finish(struct gpu_table *table);
/* Assigns the lowest free id to an object, which must not be NULL. Returns the id, or 0 if out of
 * memory. */
uint32_t gpu_table_add(struct gpu_table *table, void *object);
/* Makes later calls of gpu_table_add assign no ids below `id`. Ids that are assigned remain so. */
void gpu_table_skip(struct gpu_table *table, uint32_t id);
/* Returns the object, or NULL if the id is not assigned. */
void *gpu_table_get(const struct gpu_table *table, uint32_t id);
/* Frees an id. Returns its object, or NULL if the id is not assigned. */
void *gpu_table_remove(struct gpu_table *table, uint32_t id);

/* Loops over the objects of *table, setting the caller's variables `id`, a uint32_t, and `object`,
 * a pointer. The body may remove the object. */
#define gpu_table_foreach(table, id, object)                                                       \
    for (id = 0; id < (table)->capacity; id++)                                                     \
        if ((object = (table)->objects[id]) != NULL)

#endif
