/* SPDX-License-Identifier: MIT */
/*
 * Object names of one kind: a map from GLuint to objects, with generation and reservation of names.
 * All functions lock the map. Another context may delete a returned object at any time unless the
 * caller holds a reference or takes one under gl_names_lock.
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
/* Destroys the map. The caller must free the objects first. */
void gl_names_finish(struct gl_names *names);

/* Lock and unlock the map, to keep returned objects alive across several calls. The lock is
 * recursive. */
void gl_names_lock(struct gl_names *names);
void gl_names_unlock(struct gl_names *names);

/* Reserves n unused names, consecutive ones if `contiguous`. Returns false and reserves nothing if
 * out of memory. */
bool gl_names_gen(struct gl_names *names, GLsizei n, bool contiguous, GLuint *out);
/* Reserves `range` consecutive unused names and returns the first one. Returns 0 if out of memory
 * or if range exceeds GL_NAMES_RANGE_MAX. */
#define GL_NAMES_RANGE_MAX (1u << 24)
GLuint gl_names_gen_range(struct gl_names *names, GLuint range);
/* Implements glCreate*: reserves n names and calls make for each, which creates and inserts the
 * object (false: out of memory). After a failure, undo deletes the objects created so far. Raises
 * errors in the name of call. */
struct gl_context;
void gl_names_create(struct gl_context *ctx, struct gl_names *names, GLsizei n, GLuint *out,
                     bool (*make)(struct gl_context *ctx, GLuint name, GLenum target),
                     GLenum target, void (*undo)(GLsizei n, const GLuint *names), const char *call);
/* Returns the object of a name; NULL for 0 and for names that are unused or only reserved. */
void *gl_names_lookup(struct gl_names *names, GLuint name);
/* Returns whether the name is in use: reserved, or with an object. */
bool gl_names_is_used(struct gl_names *names, GLuint name);
/* Sets the object of a name. Returns false if out of memory. */
bool gl_names_insert(struct gl_names *names, GLuint name, void *object);
/* Frees the name. Returns its object or NULL. */
void *gl_names_remove(struct gl_names *names, GLuint name);
/* Frees the names first to first + count - 1 and calls destroy for their objects. The cost is
 * bounded by the number of names in use. */
void gl_names_remove_range(struct gl_names *names, GLuint first, GLuint count,
                           void (*destroy)(void *object));
/* Calls function for each object, but not for reserved names, while the map is locked. It must not
 * add names. */
void gl_names_foreach(struct gl_names *names,
                      void (*function)(GLuint name, void *object, void *data), void *data);

#endif
