/* SPDX-License-Identifier: MIT */
/* Atomic reference counts. The thread that drops the last reference destroys the object. It sees
 * all writes that other threads made before they dropped their references. */
#ifndef UTIL_REFCOUNT_H
#define UTIL_REFCOUNT_H

#include <stdbool.h>

#include "util/check.h"

/* Adds a reference. The caller must already hold one, because an object without references is being
 * destroyed. */
static inline void ref_take(int *refcount)
{
    int before = __atomic_fetch_add(refcount, 1, __ATOMIC_RELAXED);
    CHECK(before > 0);
}

/* Drops a reference. Returns whether it was the last one. */
static inline bool ref_drop(int *refcount)
{
    int left = __atomic_sub_fetch(refcount, 1, __ATOMIC_ACQ_REL);
    CHECK(left >= 0);
    return left == 0;
}

/* Performs *dst = src with reference counting. *dst and src point to objects with a field
 * `refcount`, or are NULL. If this drops the last reference of the old object, evaluates to that
 * object, which the caller must destroy. Otherwise evaluates to NULL. The assignment is not atomic.
 * Evaluates dst twice. */
#define REF_REPLACE(dst, src)                                                                      \
    ({                                                                                             \
        __typeof__(*(dst)) old_ = *(dst), new_ = (src);                                            \
        if (new_ && new_ != old_)                                                                  \
            ref_take(&new_->refcount);                                                             \
        *(dst) = new_;                                                                             \
        old_ &&old_ != new_ &&ref_drop(&old_->refcount) ? old_ : NULL;                             \
    })

#endif
