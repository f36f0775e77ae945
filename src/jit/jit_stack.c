/* SPDX-License-Identifier: MIT */
/* Pools of stacks for kernels with large frames. */
#include "jit/jit_stack.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#include "util/fork_lock.h"
#include "util/stack_switch.h"

#define GUARD_BYTES ((size_t)64 << 10) /* inaccessible bytes at a stack's lower end */

/* Link of the list of free stacks, stored at the upper end of each. */
struct free_stack {
    _Alignas(64) struct free_stack *next;
};

struct pool {
    size_t bytes;         /* address space per stack; pages are allocated when touched */
    pthread_cond_t given; /* signaled when a stack is added to the list */
    struct free_stack *free;
    bool any; /* at least one stack has been mapped */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pool pools[JIT_STACK_COUNT] = {
    [JIT_STACK_SMALL] = {(size_t)4 << 20, PTHREAD_COND_INITIALIZER, NULL, false},
    [JIT_STACK_LARGE] = {(size_t)64 << 20, PTHREAD_COND_INITIALIZER, NULL, false},
};

static void reset_conditions(void)
{
    pthread_cond_init(&pools[JIT_STACK_SMALL].given, NULL);
    pthread_cond_init(&pools[JIT_STACK_LARGE].given, NULL);
}

UTIL_FORK_LOCK_RESET(lock, reset_conditions());

size_t jit_stack_frame(enum jit_stack which)
{
    return which == JIT_STACK_CALLERS ? (size_t)64 << 10 : pools[which].bytes - (1 << 20);
}

/* Maps a stack and returns its upper end; NULL if memory is exhausted. The lock must be held. */
static struct free_stack *map_stack(struct pool *pool)
{
    uint8_t *base = mmap(NULL, pool->bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    if (mprotect(base, GUARD_BYTES, PROT_NONE)) {
        munmap(base, pool->bytes);
        return NULL;
    }
    pool->any = true;
    return (struct free_stack *)(base + pool->bytes) - 1;
}

static void put_back(struct pool *pool, struct free_stack *stack)
{
    stack->next = pool->free;
    pool->free = stack;
    pthread_cond_signal(&pool->given);
}

bool jit_stack_prepare(enum jit_stack which)
{
    struct pool *pool = &pools[which];
    pthread_mutex_lock(&lock);
    struct free_stack *made = pool->any ? NULL : map_stack(pool);
    if (made)
        put_back(pool, made);
    bool there = pool->any;
    pthread_mutex_unlock(&lock);
    return there;
}

static void *take(struct pool *pool)
{
    pthread_mutex_lock(&lock);
    struct free_stack *stack = NULL;
    while (!stack) {
        if ((stack = pool->free))
            pool->free = stack->next;
        else if (!(stack = map_stack(pool)))
            pthread_cond_wait(&pool->given, &lock);
    }
    pthread_mutex_unlock(&lock);
    return stack;
}

static void give(struct pool *pool, void *top)
{
    pthread_mutex_lock(&lock);
    put_back(pool, top);
    pthread_mutex_unlock(&lock);
}

void *jit_stack_take_small(void)
{
    return take(&pools[JIT_STACK_SMALL]);
}

void *jit_stack_take_large(void)
{
    return take(&pools[JIT_STACK_LARGE]);
}

void jit_stack_release_small(void *top)
{
    give(&pools[JIT_STACK_SMALL], top);
}

void jit_stack_release_large(void *top)
{
    give(&pools[JIT_STACK_LARGE], top);
}

static void call(struct pool *pool, void (*body)(void *args), void *args)
{
    void *top = take(pool);
    util_call_on_stack(top, body, args);
    give(pool, top);
}

void jit_stack_call_small(void (*body)(void *args), void *args)
{
    call(&pools[JIT_STACK_SMALL], body, args);
}

void jit_stack_call_large(void (*body)(void *args), void *args)
{
    call(&pools[JIT_STACK_LARGE], body, args);
}
