/* SPDX-License-Identifier: MIT */
#include "jit/jit_stack.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#define GUARD_BYTES ((size_t)64 << 10) /* at the lower end: nothing may be touched there */

/* At the upper end of a stack that no kernel is on. */
struct free_stack {
    _Alignas(64) struct free_stack *next;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t given;
    struct free_stack *free;
    bool any; /* one was mapped */
} stacks = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, false};

/* With the lock held. NULL: no memory. */
static struct free_stack *map_stack(void)
{
    uint8_t *base = mmap(NULL, JIT_STACK_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    if (mprotect(base, GUARD_BYTES, PROT_NONE)) {
        munmap(base, JIT_STACK_BYTES);
        return NULL;
    }
    stacks.any = true;
    return (struct free_stack *)(base + JIT_STACK_BYTES) - 1;
}

static void put_back(struct free_stack *stack)
{
    stack->next = stacks.free;
    stacks.free = stack;
    pthread_cond_signal(&stacks.given);
}

bool jit_stack_prepare(void)
{
    pthread_mutex_lock(&stacks.lock);
    struct free_stack *made = stacks.any ? NULL : map_stack();
    if (made)
        put_back(made);
    bool there = stacks.any;
    pthread_mutex_unlock(&stacks.lock);
    return there;
}

void *jit_stack_take(void)
{
    pthread_mutex_lock(&stacks.lock);
    struct free_stack *stack = NULL;
    while (!stack) {
        if ((stack = stacks.free))
            stacks.free = stack->next;
        else if (!(stack = map_stack()))
            pthread_cond_wait(&stacks.given, &stacks.lock);
    }
    pthread_mutex_unlock(&stacks.lock);
    return stack;
}

void jit_stack_give(void *top)
{
    pthread_mutex_lock(&stacks.lock);
    put_back(top);
    pthread_mutex_unlock(&stacks.lock);
}
