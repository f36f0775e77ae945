/* SPDX-License-Identifier: MIT */
/* Intrusive doubly linked list with a sentinel. A struct list_head is both link and list. */
#ifndef UTIL_LIST_H
#define UTIL_LIST_H

#include "util/macros.h"

struct list_head {
    struct list_head *prev, *next;
};

static inline void list_init(struct list_head *l)
{
    l->prev = l->next = l;
}

static inline bool list_is_empty(const struct list_head *l)
{
    return l->next == l;
}

static inline bool list_is_singular(const struct list_head *l)
{
    return l->next != l && l->next->next == l;
}

/* Inserts item after `at`; at the front if `at` is the list. */
static inline void list_add(struct list_head *item, struct list_head *at)
{
    item->prev = at;
    item->next = at->next;
    at->next->prev = item;
    at->next = item;
}

/* Inserts item before `at`; at the end if `at` is the list. */
static inline void list_addtail(struct list_head *item, struct list_head *at)
{
    list_add(item, at->prev);
}

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

static inline unsigned list_length(const struct list_head *l)
{
    unsigned n = 0;
    for (const struct list_head *i = l->next; i != l; i = i->next)
        n++;
    return n;
}

#define list_entry(item, type, member)    container_of(item, type, member)
#define list_first_entry(l, type, member) list_entry((l)->next, type, member)
#define list_last_entry(l, type, member)  list_entry((l)->prev, type, member)

#define list_for_each_entry(type, pos, head, member)                                               \
    for (type *pos = list_entry((head)->next, type, member); &pos->member != (head);               \
         pos = list_entry(pos->member.next, type, member))

/* The loop bodies may remove pos, but not its successor. */
#define list_for_each_entry_safe(type, pos, head, member)                                          \
    for (type *pos = list_entry((head)->next, type, member),                                       \
              *pos##_next = list_entry(pos->member.next, type, member);                            \
         &pos->member != (head);                                                                   \
         pos = pos##_next, pos##_next = list_entry(pos##_next->member.next, type, member))

#define list_for_each_entry_rev_safe(type, pos, head, member)                                      \
    for (type *pos = list_entry((head)->prev, type, member),                                       \
              *pos##_prev = list_entry(pos->member.prev, type, member);                            \
         &pos->member != (head);                                                                   \
         pos = pos##_prev, pos##_prev = list_entry(pos##_prev->member.prev, type, member))

#endif
