/* SPDX-License-Identifier: MIT */
/* Atomic reference counts. The thread that drops the last reference destroys the object; it sees
 * all writes that other threads made before they dropped theirs. */
#ifndef UTIL_REFCOUNT_H
#define UTIL_REFCOUNT_H

#include <stdbool.h>

static inline void ref_take(int *refcount)
{
    __atomic_add_fetch(refcount, 1, __ATOMIC_RELAXED);
}

/* Drops a reference. Returns whether it was the last one. */
static inline bool ref_drop(int *refcount)
{
    return __atomic_sub_fetch(refcount, 1, __ATOMIC_ACQ_REL) == 0;
}

/* Performs *dst = src with reference counting; either may be NULL, and the objects have a field
 * `refcount`. Evaluates to the old object if its last reference was dropped, which the caller must
 * destroy, else to NULL. */
#define REF_REPLACE(dst, src)                                                                      \
    ({                                                                                             \
        __typeof__(*(dst)) old_ = *(dst), new_ = (src);                                            \
        if (new_ && new_ != old_)                                                                  \
            ref_take(&new_->refcount);                                                             \
        *(dst) = new_;                                                                             \
        old_ &&old_ != new_ &&ref_drop(&old_->refcount) ? old_ : NULL;                             \
    })

#endif
