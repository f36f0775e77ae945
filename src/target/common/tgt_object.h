/* SPDX-License-Identifier: MIT */
/*
 * What a face's handles name: contexts, surfaces, syncs. An object is in a list, which tells that its
 * handle is valid, until the handle is destroyed, and lives until its last user has dropped it: one
 * reference is the list's, one each of the calls that use it and of the threads to which it is current.
 *
 * Objects are structs that begin with a struct tgt_object. Any thread may call, without the lock.
 */
#ifndef TGT_OBJECT_H
#define TGT_OBJECT_H

#include <pthread.h>

#include "util/list.h"

struct tgt_object {
    struct list_head link; /* empty once the handle is destroyed */
    unsigned refs;
};

/* A kind of objects. */
struct tgt_object_kind {
    pthread_mutex_t *lock;         /* guards lists and references; not held by destroy */
    void (*destroy)(void *object); /* frees it */
};

/* Puts a new object into a list, with that many references: one is the list's. */
void tgt_object_list(const struct tgt_object_kind *kind, struct list_head *list, void *object,
                     unsigned refs);
/* A reference to the object of a list that the handle points to; NULL: there is none. */
void *tgt_object_ref(const struct tgt_object_kind *kind, struct list_head *list,
                     const void *handle);
void tgt_object_unref(const struct tgt_object_kind *kind, void *object); /* NULL is fine */
/* Takes the handle away, and its reference, unless another thread has done so. The caller has one. */
void tgt_object_forget(const struct tgt_object_kind *kind, void *object);
/* Forgets all of a list. */
void tgt_objects_close(const struct tgt_object_kind *kind, struct list_head *list);

#endif
