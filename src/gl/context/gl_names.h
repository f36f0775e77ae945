/* SPDX-License-Identifier: MIT */
/*
 * Object names of one kind: the map from GLuint to objects, with Gen and reservation. All functions
 * lock; an object found may be deleted by another context at any time unless the caller holds a
 * reference or takes one under gl_names_lock.
 */
#ifndef GL_NAMES_H
#define GL_NAMES_H

#include <pthread.h>

#include "gl/context/gl_types.h"
#include "util/hash_table.h"

struct gl_names {
    pthread_mutex_t mutex;    /* recursive */
    struct hash_table *table; /* name → object, or the reservation marker */
    GLuint next;              /* where the search for free names starts */
};

bool gl_names_init(struct gl_names *names); /* false: no memory */
/* Objects are the caller's: iterate and free them before. */
void gl_names_finish(struct gl_names *names);

void gl_names_lock(struct gl_names *names);
void gl_names_unlock(struct gl_names *names);

/* Reserves n unused names (contiguous if asked); false on no memory: nothing is reserved. */
bool gl_names_gen(struct gl_names *names, GLsizei n, bool contiguous, GLuint *out);
/* The first of range unused names in a row, now reserved, at most GL_NAMES_RANGE_MAX; 0: no memory. */
#define GL_NAMES_RANGE_MAX (1u << 24)
GLuint gl_names_gen_range(struct gl_names *names, GLuint range);
/* glCreate*: reserves n names and gives each an object by make, which inserts it (false: no memory).
 * undo deletes what was made. Raises the errors of call. */
struct gl_context;
void gl_names_create(struct gl_context *ctx, struct gl_names *names, GLsizei n, GLuint *out,
                     bool (*make)(struct gl_context *ctx, GLuint name, GLenum target),
                     GLenum target, void (*undo)(GLsizei n, const GLuint *names), const char *call);
/* The object, or NULL: never used, or only reserved. name 0: NULL. */
void *gl_names_lookup(struct gl_names *names, GLuint name);
/* Whether the name is in use: reserved by Gen or with an object. */
bool gl_names_is_used(struct gl_names *names, GLuint name);
/* Gives the name its object. False: no memory. */
bool gl_names_insert(struct gl_names *names, GLuint name, void *object);
/* Frees the name; returns its object or NULL. */
void *gl_names_remove(struct gl_names *names, GLuint name);
/* Frees the names first, first + 1 …; destroy gets their objects. Takes no longer than there are
 * names in use. */
void gl_names_remove_range(struct gl_names *names, GLuint first, GLuint count,
                           void (*destroy)(void *object));
/* Calls function for each object (not for reservations), under the lock; it must not add. */
void gl_names_foreach(struct gl_names *names,
                      void (*function)(GLuint name, void *object, void *data), void *data);

#endif
