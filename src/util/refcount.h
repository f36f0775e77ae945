/* SPDX-License-Identifier: MIT */
/* Counts of references to an object, which threads may take and drop at once. Whoever drops the last
 * one destroys the object, and sees all that others did to it before they dropped theirs. */
#ifndef UTIL_REFCOUNT_H
#define UTIL_REFCOUNT_H

#include <stdbool.h>

static inline void ref_take(int *refcount)
{
    __atomic_add_fetch(refcount, 1, __ATOMIC_RELAXED);
}

/* Whether it was the last. */
static inline bool ref_drop(int *refcount)
{
    return __atomic_sub_fetch(refcount, 1, __ATOMIC_ACQ_REL) == 0;
}

/* *dst = src, either may be NULL, of objects with a field `refcount`: what *dst was before if nobody
 * refers to it any more, for the caller to destroy, or NULL. */
#define REF_REPLACE(dst, src)                                                                      \
    ({                                                                                             \
        __typeof__(*(dst)) old_ = *(dst), new_ = (src);                                            \
        if (new_ && new_ != old_)                                                                  \
            ref_take(&new_->refcount);                                                             \
        *(dst) = new_;                                                                             \
        old_ &&old_ != new_ &&ref_drop(&old_->refcount) ? old_ : NULL;                             \
    })

#endif
