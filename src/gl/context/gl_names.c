/* SPDX-License-Identifier: MIT */
#include "gl/context/gl_names.h"

#include <stdlib.h>

#include "gl/context/gl_context.h"

/* Object of names that glGen* reserved and that have no object yet. */
static char reserved;

static const void *key_of(GLuint name)
{
    return (const void *)(uintptr_t)name;
}

bool gl_names_init(struct gl_names *names)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&names->mutex, &attr);
    pthread_mutexattr_destroy(&attr);
    names->next = 1;
    names->table = hash_table_create_u32(NULL);
    return names->table;
}

void gl_names_finish(struct gl_names *names)
{
    if (!names->table)
        return;
    hash_table_destroy(names->table);
    names->table = NULL;
    pthread_mutex_destroy(&names->mutex);
}

void gl_names_lock(struct gl_names *names)
{
    pthread_mutex_lock(&names->mutex);
}

void gl_names_unlock(struct gl_names *names)
{
    pthread_mutex_unlock(&names->mutex);
}

/* Returns the first of `count` consecutive unused names; 0: none. */
static GLuint find_range(struct gl_names *names, GLuint count)
{
    GLuint start = names->next, run = 0;
    bool wrapped = false;
    if (!start || start > UINT32_MAX - count) {
        start = 1;
        wrapped = true;
    }
    for (GLuint name = start;; name++) {
        if (hash_table_search(names->table, key_of(name))) {
            run = 0;
        } else if (++run == count) {
            return name - count + 1;
        }
        if (name >= UINT32_MAX - 1) {
            if (wrapped)
                return 0;
            wrapped = true;
            name = 0;
            run = 0;
        }
    }
}

bool gl_names_gen(struct gl_names *names, GLsizei n, bool contiguous, GLuint *out)
{
    if (n <= 0)
        return true;
    gl_names_lock(names);
    GLuint first = contiguous ? find_range(names, n) : 0;
    bool ok = !contiguous || first;
    GLsizei made = 0;
    for (; ok && made < n; made++) {
        GLuint name = contiguous ? first + made : find_range(names, 1);
        ok = name && hash_table_insert(names->table, key_of(name), &reserved);
        if (!ok)
            break;
        names->next = name + 1;
        out[made] = name;
    }
    if (!ok)
        while (made--)
            hash_table_remove_key(names->table, key_of(out[made]));
    gl_names_unlock(names);
    return ok;
}

GLuint gl_names_gen_range(struct gl_names *names, GLuint range)
{
    GLuint *out = range <= GL_NAMES_RANGE_MAX ? malloc(range * sizeof *out) : NULL, first = 0;
    if (out && gl_names_gen(names, range, true, out))
        first = out[0];
    free(out);
    return first;
}

void gl_names_create(struct gl_context *ctx, struct gl_names *names, GLsizei n, GLuint *out,
                     bool (*make)(struct gl_context *ctx, GLuint name, GLenum target),
                     GLenum target, void (*undo)(GLsizei n, const GLuint *names), const char *call)
{
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(n=%d)", call, n);
        return;
    }
    bool ok = gl_names_gen(names, n, false, out);
    GLsizei made = 0;
    while (ok && made < n && make(ctx, out[made], target))
        made++;
    if (made == n)
        return;
    if (ok)
        undo(n, out);
    gl_error(ctx, GL_OUT_OF_MEMORY, "%s(n=%d)", call, n);
}

void *gl_names_lookup(struct gl_names *names, GLuint name)
{
    if (!name)
        return NULL;
    gl_names_lock(names);
    void *object = hash_table_get(names->table, key_of(name));
    gl_names_unlock(names);
    return object == &reserved ? NULL : object;
}

bool gl_names_is_used(struct gl_names *names, GLuint name)
{
    if (!name)
        return false;
    gl_names_lock(names);
    bool used = hash_table_search(names->table, key_of(name));
    gl_names_unlock(names);
    return used;
}

bool gl_names_insert(struct gl_names *names, GLuint name, void *object)
{
    gl_names_lock(names);
    bool ok = name && hash_table_insert(names->table, key_of(name), object);
    gl_names_unlock(names);
    return ok;
}

void *gl_names_remove(struct gl_names *names, GLuint name)
{
    if (!name)
        return NULL;
    gl_names_lock(names);
    void *object = hash_table_get(names->table, key_of(name));
    hash_table_remove_key(names->table, key_of(name));
    gl_names_unlock(names);
    return object == &reserved ? NULL : object;
}

void gl_names_remove_range(struct gl_names *names, GLuint first, GLuint count,
                           void (*destroy)(void *object))
{
    gl_names_lock(names);
    if (count < names->table->entries) {
        for (GLuint i = 0; i < count && first + i >= first; i++) {
            void *object = gl_names_remove(names, first + i);
            if (object)
                destroy(object);
        }
    } else {
        hash_table_foreach (names->table, entry) {
            void *object = entry->data;
            if ((GLuint)(uintptr_t)entry->key - first >= count)
                continue;
            hash_table_remove(names->table, entry);
            if (object != &reserved)
                destroy(object);
        }
    }
    gl_names_unlock(names);
}

void gl_names_foreach(struct gl_names *names,
                      void (*function)(GLuint name, void *object, void *data), void *data)
{
    if (!names->table)
        return;
    gl_names_lock(names);
    hash_table_foreach (names->table, entry) {
        if (entry->data != &reserved)
            function((GLuint)(uintptr_t)entry->key, entry->data, data);
    }
    gl_names_unlock(names);
}
