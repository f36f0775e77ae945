/* SPDX-License-Identifier: MIT */
/*
 * Objects with handles: contexts, surfaces, syncs. The handle is the object's address; it is valid
 * while the object is in its list. Destroying the handle removes the object from the list. The
 * object itself is destroyed when its last reference is dropped. The list, each call that uses the
 * object, and each thread to which it is current hold a reference.
 *
 * An object is a struct that begins with struct tgt_object. All functions are thread-safe. The
 * caller must not hold the kind's lock.
 */
#ifndef TGT_OBJECT_H
#define TGT_OBJECT_H

#include <pthread.h>

#include "util/list.h"

/* First member of every object. */
struct tgt_object {
    struct list_head link; /* in the list; empty once the handle is destroyed */
    unsigned refs;         /* number of references; protected by the kind's lock */
};

/* Type of objects. */
struct tgt_object_kind {
    pthread_mutex_t *lock; /* protects the lists and reference counts */
    /* Frees an object whose last reference was dropped. Called without the lock. */
    void (*destroy)(void *object);
};

/* Adds a new object to a list. `refs` is its initial reference count and includes the list's. */
void tgt_object_list(const struct tgt_object_kind *kind, struct list_head *list, void *object,
                     unsigned refs);
/* Returns a new reference to the list's object with that handle, or NULL if there is none. */
void *tgt_object_ref(const struct tgt_object_kind *kind, struct list_head *list,
                     const void *handle);
/* Drops a reference. Destroys the object if it was the last one. `object` may be NULL. */
void tgt_object_unref(const struct tgt_object_kind *kind, void *object);
/* Invalidates the handle: removes the object from its list and drops the list's reference. Does
 * nothing if the handle is already invalid. The caller must hold a reference. */
void tgt_object_forget(const struct tgt_object_kind *kind, void *object);
/* Calls tgt_object_forget for all objects of a list. */
void tgt_objects_close(const struct tgt_object_kind *kind, struct list_head *list);

#endif
