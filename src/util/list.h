/* SPDX-License-Identifier: MIT */
/* Intrusive doubly linked list. A struct list_head is either the list (its sentinel), or the link
 * that an item embeds. */
#ifndef UTIL_LIST_H
#define UTIL_LIST_H

#include "util/macros.h"

struct list_head {
    struct list_head *prev, *next; /* of the list itself: its last and first item */
};

/* Makes l an empty list. */
static inline void list_init(struct list_head *l)
{
    l->prev = l->next = l;
}

static inline bool list_is_empty(const struct list_head *l)
{
    return l->next == l;
}

/* Returns whether the list has exactly one item. */
static inline bool list_is_singular(const struct list_head *l)
{
    return l->next != l && l->next->next == l;
}

/* Inserts item after the item `at`, or at the front if `at` is the list. */
static inline void list_add(struct list_head *item, struct list_head *at)
{
    item->prev = at;
    item->next = at->next;
    at->next->prev = item;
    at->next = item;
}

/* Inserts item before the item `at`, or at the end if `at` is the list. */
static inline void list_addtail(struct list_head *item, struct list_head *at)
{
    list_add(item, at->prev);
}

/* Removes item and sets its links to NULL. It must not be removed again. */
static inline void list_del(struct list_head *item)
{
    item->prev->next = item->next;
    item->next->prev = item->prev;
    item->prev = item->next = NULL;
}

/* Removes item and makes it an empty list, so that it may be removed again. */
static inline void list_delinit(struct list_head *item)
{
    item->prev->next = item->next;
    item->next->prev = item->prev;
    list_init(item);
}

/* Moves all items of src to the end of dst, leaving src empty. */
static inline void list_splicetail(struct list_head *src, struct list_head *dst)
{
    if (list_is_empty(src))
        return;
    src->next->prev = dst->prev;
    src->prev->next = dst;
    dst->prev->next = src->next;
    dst->prev = src->prev;
    list_init(src);
}

/* Returns the number of items, by walking the list. */
static inline unsigned list_length(const struct list_head *l)
{
    unsigned n = 0;
    for (const struct list_head *i = l->next; i != l; i = i->next)
        n++;
    return n;
}

/* Evaluate to a pointer to the struct `type` that contains a link as `member`: that of an item, or
 * that of the first or last item of a list l, which must not be empty. */
#define list_entry(item, type, member)    container_of(item, type, member)
#define list_first_entry(l, type, member) list_entry((l)->next, type, member)
#define list_last_entry(l, type, member)  list_entry((l)->prev, type, member)

/* Loops over the items from first to last. Declares pos, a pointer to the struct `type` whose link
 * is `member`. The body must not remove pos. */
#define list_for_each_entry(type, pos, head, member)                                               \
    for (type *pos = list_entry((head)->next, type, member); &pos->member != (head);               \
         pos = list_entry(pos->member.next, type, member))

/* Like list_for_each_entry, but the body may remove pos. It must not remove the item after pos. */
#define list_for_each_entry_safe(type, pos, head, member)                                          \
    for (type *pos = list_entry((head)->next, type, member),                                       \
              *pos##_next = list_entry(pos->member.next, type, member);                            \
         &pos->member != (head);                                                                   \
         pos = pos##_next, pos##_next = list_entry(pos##_next->member.next, type, member))

/* Loops from last to first. The body may remove pos. It must not remove the item before pos. */
#define list_for_each_entry_rev_safe(type, pos, head, member)                                      \
    for (type *pos = list_entry((head)->prev, type, member),                                       \
              *pos##_prev = list_entry(pos->member.prev, type, member);                            \
         &pos->member != (head);                                                                   \
         pos = pos##_prev, pos##_prev = list_entry(pos##_prev->member.prev, type, member))

#endif
