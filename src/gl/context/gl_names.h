/* SPDX-License-Identifier: MIT */
/*
 * The names of one kind of objects: a map from GLuint to objects. A name is unused, reserved (by
 * glGen*, without an object yet), or has an object. Functions that access the map lock it. Another
 * context may delete a returned object at any time, unless the caller holds a reference, or takes
 * one before it calls gl_names_unlock.
 */
#ifndef GL_NAMES_H
#define GL_NAMES_H

#include <pthread.h>

#include "gl/context/gl_types.h"
#include "util/hash_table.h"

struct gl_names {
    pthread_mutex_t mutex;    /* recursive */
    struct hash_table *table; /* name → object, or a marker for reserved names */
    GLuint next;              /* first candidate when searching for unused names */
};

bool gl_names_init(struct gl_names *names); /* returns false if out of memory */
/* Destroys the map, but not the objects. Does nothing if gl_names_init failed or if *names is
 * zeroed. */
void gl_names_finish(struct gl_names *names);

/* Lock and unlock the map, so that no other context can remove names. Calls may be nested. */
void gl_names_lock(struct gl_names *names);
void gl_names_unlock(struct gl_names *names);

/* Reserves n unused names and stores them in out; they are consecutive if `contiguous`. Returns
 * false and reserves nothing if out of memory or names; the contents of out are then undefined.
 * Returns true if n is 0 or negative. */
bool gl_names_gen(struct gl_names *names, GLsizei n, bool contiguous, GLuint *out);
/* Maximum number of names that gl_names_gen_range reserves. */
#define GL_NAMES_RANGE_MAX (1u << 24)
/* Reserves `range` consecutive unused names and returns the first one. Returns 0 if out of memory
 * or names, or if range exceeds GL_NAMES_RANGE_MAX. range must not be 0. */
GLuint gl_names_gen_range(struct gl_names *names, GLuint range);
struct gl_context;
/* Implements glCreate*: reserves n names in out and calls make(ctx, name, target) for each. make
 * creates the object and inserts it, or returns false if out of memory. If one call fails, undo
 * (glDelete*) frees all n names and the objects created so far. Raises GL_OUT_OF_MEMORY on failure,
 * and GL_INVALID_VALUE if n is negative, for the command `call`. */
void gl_names_create(struct gl_context *ctx, struct gl_names *names, GLsizei n, GLuint *out,
                     bool (*make)(struct gl_context *ctx, GLuint name, GLenum target),
                     GLenum target, void (*undo)(GLsizei n, const GLuint *names), const char *call);
/* Returns the object of a name; NULL for 0 and for names that are unused or only reserved. */
void *gl_names_lookup(struct gl_names *names, GLuint name);
/* Returns whether the name is reserved or has an object. */
bool gl_names_is_used(struct gl_names *names, GLuint name);
/* Sets the object of a name, which need not be reserved. Doesn't free an object that the name had
 * before. Returns false if out of memory or if name is 0. */
bool gl_names_insert(struct gl_names *names, GLuint name, void *object);
/* Makes the name unused. Returns its object, which the caller frees, or NULL if it had none. */
void *gl_names_remove(struct gl_names *names, GLuint name);
/* Makes the names first to first + count - 1 unused and calls destroy for their objects, with the
 * map locked. The cost is bounded by the number of names in the map, however large count is. */
void gl_names_remove_range(struct gl_names *names, GLuint first, GLuint count,
                           void (*destroy)(void *object));
/* Calls function(name, object, data) for each name that has an object, with the map locked. The
 * function must not add names. Does nothing if gl_names_init failed or if *names is zeroed. */
void gl_names_foreach(struct gl_names *names,
                      void (*function)(GLuint name, void *object, void *data), void *data);

#endif
