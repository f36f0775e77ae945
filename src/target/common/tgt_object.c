/* SPDX-License-Identifier: MIT */
#include "target/common/tgt_object.h"

void tgt_object_list(const struct tgt_object_kind *kind, struct list_head *list, void *object,
                     unsigned refs)
{
    struct tgt_object *o = object;

    pthread_mutex_lock(kind->lock);
    o->refs = refs;
    list_addtail(&o->link, list);
    pthread_mutex_unlock(kind->lock);
}

void *tgt_object_ref(const struct tgt_object_kind *kind, struct list_head *list, const void *handle)
{
    struct tgt_object *found = NULL;

    pthread_mutex_lock(kind->lock);
    list_for_each_entry (struct tgt_object, o, list, link) {
        if (o == handle)
            found = o;
    }
    if (found)
        found->refs++;
    pthread_mutex_unlock(kind->lock);
    return found;
}

void tgt_object_unref(const struct tgt_object_kind *kind, void *object)
{
    struct tgt_object *o = object;
    bool last;

    if (!o)
        return;
    pthread_mutex_lock(kind->lock);
    last = --o->refs == 0;
    pthread_mutex_unlock(kind->lock);
    if (last)
        kind->destroy(o);
}

void tgt_object_forget(const struct tgt_object_kind *kind, void *object)
{
    struct tgt_object *o = object;
    bool listed;

    pthread_mutex_lock(kind->lock);
    listed = !list_is_empty(&o->link);
    if (listed)
        list_delinit(&o->link);
    pthread_mutex_unlock(kind->lock);
    if (listed)
        tgt_object_unref(kind, o);
}

void tgt_objects_close(const struct tgt_object_kind *kind, struct list_head *list)
{
    for (;;) {
        struct tgt_object *o = NULL;

        pthread_mutex_lock(kind->lock);
        if (!list_is_empty(list)) {
            o = list_first_entry(list, struct tgt_object, link);
            o->refs++; /* another thread may destroy it in the meantime */
        }
        pthread_mutex_unlock(kind->lock);
        if (!o)
            return;
        tgt_object_forget(kind, o);
        tgt_object_unref(kind, o);
    }
}
