/* SPDX-License-Identifier: MIT */
/* Tables that assign the lowest free id to an object, as the kernel does for handles. */
#ifndef GPU_TABLE_H
#define GPU_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_table {
    void **objects; /* indexed by id */
    uint32_t capacity;
    uint32_t lowest; /* no id below is free, except those below `first` */
    uint32_t first;  /* lowest id to assign */
};

/* Makes a table empty. Ids begin at `first`. */
void gpu_table_init(struct gpu_table *table, uint32_t first);
/* Frees the table, not the objects. */
void gpu_table_finish(struct gpu_table *table);
/* Returns the id of a new entry, or 0 if memory runs out. */
uint32_t gpu_table_add(struct gpu_table *table, void *object);
/* Returns the object, or NULL if the id is not assigned. */
void *gpu_table_get(const struct gpu_table *table, uint32_t id);
/* Frees an id. Returns its object, or NULL if the id is not assigned. */
void *gpu_table_remove(struct gpu_table *table, uint32_t id);

/* Loops over the objects. `id` is a uint32_t and `object` a pointer, both declared by the caller.
 * The body may remove the object. */
#define gpu_table_foreach(table, id, object)                                                       \
    for (id = 0; id < (table)->capacity; id++)                                                     \
        if ((object = (table)->objects[id]) != NULL)

#endif
