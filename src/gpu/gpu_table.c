/* SPDX-License-Identifier: MIT */
/* An array with the lowest id that may be free. */
#include "gpu/gpu_table.h"

#include <stdlib.h>
#include <string.h>

#include "util/check.h"
#include "util/macros.h"

void gpu_table_init(struct gpu_table *table, uint32_t first)
{
    CHECK(first > 0);
    *table = (struct gpu_table){.first = first, .lowest = first};
}

void gpu_table_finish(struct gpu_table *table)
{
    free(table->objects);
    *table = (struct gpu_table){0};
}

static bool grow(struct gpu_table *table)
{
    uint32_t capacity = table->capacity ? table->capacity * 2 : 64;
    void **objects;

    if (capacity > UINT32_MAX / 4)
        return false;
    objects = realloc(table->objects, capacity * sizeof *objects);
    if (!objects)
        return false;
    memset(objects + table->capacity, 0, (capacity - table->capacity) * sizeof *objects);
    table->objects = objects;
    table->capacity = capacity;
    return true;
}

uint32_t gpu_table_add(struct gpu_table *table, void *object)
{
    uint32_t id = table->lowest;

    CHECK(object && table->first);
    while (id < table->capacity && table->objects[id])
        id++;
    while (id >= table->capacity) {
        if (!grow(table))
            return 0;
    }
    table->objects[id] = object;
    table->lowest = id + 1;
    return id;
}

void gpu_table_skip(struct gpu_table *table, uint32_t id)
{
    table->first = MAX2(table->first, id);
    table->lowest = MAX2(table->lowest, id);
}

void *gpu_table_get(const struct gpu_table *table, uint32_t id)
{
    return id < table->capacity ? table->objects[id] : NULL;
}

void *gpu_table_remove(struct gpu_table *table, uint32_t id)
{
    void *object = gpu_table_get(table, id);

    if (object) {
        table->objects[id] = NULL;
        table->lowest = MAX2(MIN2(table->lowest, id), table->first);
    }
    return object;
}
