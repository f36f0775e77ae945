/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical memory: the functions of Samba's talloc that Indium uses, with the same names and
 * results, allocated by Indium's own malloc.
 *
 * Each block belongs to a parent block or, if its context is NULL, to none. Freeing a block frees
 * all blocks below it. A block's address is the context for further allocations. Blocks are aligned
 * to 16 bytes. A tree of blocks may be used by one thread at a time.
 *
 * libtalloc itself cannot be used: only Debian 12 has it as a static library, and the malloc of a
 * shared library is the C library's, which costs each thread 64 MB of address space
 * (util/thread_heap.h).
 *
 * Functions that allocate return NULL if out of memory or if a block would have 256 MiB or more.
 * Within an attempt (util/memory.h), they fail the attempt instead, and a NULL context stands for
 * the attempt's.
 */
#ifndef UTIL_TALLOC_H
#define UTIL_TALLOC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Attribute of printf-like functions: 1-based indices of the format and of its first argument; 0 if
 * that is a va_list. */
#define TALLOC_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))

/* --- blocks --- */

/* Allocates an empty block, a parent for others. */
#define talloc_new(context) talloc_size(context, 0)
/* Allocate a block for an object of a type, uninitialized or zeroed. */
#define talloc(context, type)      ((type *)talloc_size(context, sizeof(type)))
#define talloc_zero(context, type) ((type *)talloc_zero_size(context, sizeof(type)))
/* Allocate a block for `count` objects of a type, uninitialized or zeroed. */
#define talloc_array(context, type, count)                                                         \
    ((type *)talloc_elements(context, sizeof(type), count, false))
#define talloc_zero_array(context, type, count)                                                    \
    ((type *)talloc_elements(context, sizeof(type), count, true))
/* Resizes a block to `count` objects, or frees it and returns NULL if count is 0. Returns the block
 * at its new address; added objects are uninitialized. If `old` is NULL, allocates a block under
 * the context instead; otherwise, ignores the context. On failure, the block is unchanged. */
#define talloc_realloc(context, old, type, count)                                                  \
    ((type *)talloc_realloc_elements(context, old, sizeof(type), count))

/* The functions behind these macros. `size` is in bytes: of the block, or of an element if there is
 * a count. talloc_realloc_size and talloc_realloc_elements work as talloc_realloc. */
void *talloc_size(const void *context, size_t size);
void *talloc_zero_size(const void *context, size_t size);
void *talloc_elements(const void *context, size_t size, size_t count, bool zero);
void *talloc_realloc_size(const void *context, void *old, size_t size);
void *talloc_realloc_elements(const void *context, void *old, size_t size, size_t count);
/* Copies `size` bytes to a new block. Returns NULL if data is NULL. */
void *talloc_memdup(const void *context, const void *data, size_t size);

/* Frees a block and all blocks below it. The destructor of a block runs before those of its
 * children; the block's memory is freed after theirs. Does nothing if block is NULL. */
void talloc_free(const void *block);
/* Frees all blocks below a block, which itself remains. Does nothing if block is NULL. */
void talloc_free_children(const void *block);

/* Moves a block and those below it to another parent. A NULL parent means the same as a NULL
 * context of an allocation. Evaluates to the block. Does nothing if block is NULL. */
#define talloc_steal(parent, block) ((__typeof__(block))talloc_move_block(parent, block))
void *talloc_move_block(const void *parent, const void *block);
/* Moves all children of `from` to `to`. A NULL `to` means the same as for talloc_steal(). */
void talloc_move_children(const void *to, const void *from);

/* Sets the function that is called with the block before it is freed. It must return 0. It may free
 * other trees, but no block of this one. */
void talloc_set_destructor(const void *block, int (*destructor)(void *block));

void *talloc_parent(const void *block);    /* NULL if it has none */
size_t talloc_get_size(const void *block); /* in bytes; 0 if block is NULL */
/* Returns the number of elements of an array. */
#define talloc_array_length(block) (talloc_get_size(block) / sizeof *(block))
/* Returns the number of blocks in the tree of a block, itself included. */
size_t talloc_total_blocks(const void *block);

/* --- strings --- */

char *talloc_strdup(const void *context, const char *text); /* NULL if text is NULL */
/* Copies at most n characters and adds a terminator. Returns NULL if text is NULL. */
char *talloc_strndup(const void *context, const char *text, size_t n);
/* Return a new string with printf output. */
char *talloc_asprintf(const void *context, const char *format, ...) TALLOC_PRINTF(2, 3);
char *talloc_vasprintf(const void *context, const char *format, va_list args) TALLOC_PRINTF(2, 0);
/* Append to a string in a block and return it at its new address. If text is NULL, create the
 * string under the NULL context. On failure, return NULL; the string is then unchanged. */
char *talloc_strdup_append(char *text, const char *more);
char *talloc_asprintf_append(char *text, const char *format, ...) TALLOC_PRINTF(2, 3);

#endif
