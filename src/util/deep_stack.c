/* SPDX-License-Identifier: MIT */
/* A pool of large stacks. A stack reserves address space only; the Linux kernel allocates the pages
 * that are touched. */
#include "util/deep_stack.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "util/fork_lock.h"
#include "util/memory.h"
#include "util/sanitize.h"
#include "util/stack_switch.h"

#define LARGE_BYTES ((size_t)256 << 20) /* size of a stack for UTIL_DEEP_LEVELS */
#define SMALL_BYTES ((size_t)16 << 20)  /* size of a stack for UTIL_SHALLOW_LEVELS */
#define GUARD_BYTES ((size_t)64 << 10)  /* inaccessible bytes at the lower end */
#define KEPT_BYTES  ((size_t)128 << 10) /* bytes at the upper end that stay allocated */
#define ROOMY_BYTES ((size_t)256 << 10) /* what util_roomy_call wants */
#define MAIN_BYTES  ((size_t)64 << 20)  /* less than the main thread's stack may grow */

/* Stored at the upper end of its stack. */
struct deep_stack {
    _Alignas(64) struct deep_stack *next; /* next free stack */
    size_t bytes;
    void (*function)(void *data);
    void *data;
    bool deep; /* code that recurses has run on it */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_LOCK(lock);
static struct deep_stack *free_stacks; /* free stacks of SMALL_BYTES */
static bool needs_large; /* atomic: some shader has more than UTIL_SHALLOW_LEVELS levels */
static _Thread_local struct deep_stack *current __attribute__((tls_model("initial-exec")));

static uint8_t *base_of(struct deep_stack *stack)
{
    return (uint8_t *)(stack + 1) - stack->bytes;
}

static struct deep_stack *map_stack(size_t bytes)
{
    uint8_t *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    if (mprotect(base, GUARD_BYTES, PROT_NONE)) {
        munmap(base, bytes);
        return NULL;
    }
    struct deep_stack *stack = (struct deep_stack *)(base + bytes) - 1;
    stack->bytes = bytes;
    stack->deep = false;
    return stack;
}

static struct deep_stack *take_stack(size_t bytes)
{
    if (bytes > SMALL_BYTES)
        return map_stack(bytes);
    pthread_mutex_lock(&lock);
    struct deep_stack *stack = free_stacks;
    if (stack)
        free_stacks = stack->next;
    pthread_mutex_unlock(&lock);
    return stack ? stack : map_stack(bytes);
}

/* Large stacks are unmapped, because their address space counts where that is limited. */
static void release_stack(struct deep_stack *stack)
{
    if (stack->bytes > SMALL_BYTES) {
        munmap(base_of(stack), stack->bytes);
        return;
    }
    if (stack->deep)
        madvise(base_of(stack) + GUARD_BYTES, stack->bytes - GUARD_BYTES - KEPT_BYTES,
                MADV_DONTNEED);
    stack->deep = false;
    pthread_mutex_lock(&lock);
    stack->next = free_stacks;
    free_stacks = stack;
    pthread_mutex_unlock(&lock);
}

#if SANITIZED_ADDRESS || SANITIZED_THREAD

/* The sanitizers know the stacks of threads only. */
static void *run_thread(void *data)
{
    current = data;
    current->function(current->data);
    return NULL;
}

static bool call_on(struct deep_stack *stack)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, base_of(stack) + GUARD_BYTES,
                          stack->bytes - GUARD_BYTES - KEPT_BYTES);
    bool created = pthread_create(&thread, &attr, run_thread, stack) == 0;
    pthread_attr_destroy(&attr);
    return created && pthread_join(thread, NULL) == 0;
}

#else

static bool call_on(struct deep_stack *stack)
{
    struct deep_stack *outer = current;
    current = stack;
    /* The stack grows down from the struct. */
    util_call_on_stack(stack, stack->function, stack->data);
    current = outer;
    return true;
}

#endif

bool util_deep_enough(unsigned levels)
{
    if (levels <= UTIL_SHALLOW_LEVELS || (current && current->bytes == LARGE_BYTES))
        return true;
    __atomic_store_n(&needs_large, true, __ATOMIC_RELAXED);
    return false;
}

bool util_deep_call(void (*function)(void *data), void *data)
{
    const size_t bytes =
        __atomic_load_n(&needs_large, __ATOMIC_RELAXED) ? LARGE_BYTES : SMALL_BYTES;
    if (current && current->bytes >= bytes) {
        current->deep = true;
        function(data);
        return true;
    }
    struct deep_stack *stack = take_stack(bytes);
    if (!stack)
        return false;
    stack->deep = true;
    stack->function = function;
    stack->data = data;
    bool called = call_on(stack);
    release_stack(stack);
    return called;
}

#if SANITIZED_ADDRESS || SANITIZED_THREAD

void util_roomy_call(void (*function)(void *data), void *data)
{
    function(data);
}

#else

/* Returns whether the address is on the main thread's stack, whose upper end is above the bytes
 * that AT_RANDOM points to. pthread_getattr_np would read a file in that thread. */
static bool is_on_main_stack(uintptr_t address)
{
    static uintptr_t found; /* atomic; getauxval searches a list */
    uintptr_t end = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (!end) {
        end = getauxval(AT_RANDOM);
        __atomic_store_n(&found, end, __ATOMIC_RELAXED);
    }
    return address < end && end - address < MAIN_BYTES;
}

/* Returns how many bytes of the current stack are left, or SIZE_MAX if that is unknown. 0 if it is
 * not the thread's own stack, such as that of a coroutine. */
static size_t bytes_left(void)
{
    static _Thread_local struct {
        bool known;
        uintptr_t base;
        size_t bytes;
    } own __attribute__((tls_model("initial-exec")));
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    if (is_on_main_stack(here))
        return SIZE_MAX;
    if (!own.known) {
        pthread_attr_t attr;
        void *base;
        if (pthread_getattr_np(pthread_self(), &attr))
            return SIZE_MAX;
        if (!pthread_attr_getstack(&attr, &base, &own.bytes))
            own.base = (uintptr_t)base;
        pthread_attr_destroy(&attr);
        own.known = true;
    }
    return here - own.base < own.bytes ? here - own.base : 0;
}

void util_roomy_call(void (*function)(void *data), void *data)
{
    struct deep_stack *stack =
        !current && bytes_left() < ROOMY_BYTES ? take_stack(SMALL_BYTES) : NULL;
    if (!stack) {
        function(data);
        return;
    }
    stack->function = function;
    stack->data = data;
    call_on(stack);
    release_stack(stack);
}

#endif

struct deep_attempt {
    void *(*function)(void *data);
    void *data, *result;
};

static void run_attempt(void *data)
{
    struct deep_attempt *a = data;
    a->result = UTIL_ATTEMPT(a->function(a->data));
}

void *util_deep_attempt(void *(*function)(void *data), void *data)
{
    struct deep_attempt a = {function, data, NULL};
    return util_deep_call(run_attempt, &a) ? a.result : NULL;
}
