/* SPDX-License-Identifier: MIT */
/* Mappings of machine code, by the first method that the system allows. */
#include "jit/jit_code.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/log.h"
#include "util/macros.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u /* Linux 6.3 */
#endif

/* Methods of making code executable, tried in this order. A method that fails as forbidden is never
 * tried again. */
enum method {
    BY_PROTECTION,   /* mprotect of written pages */
    BY_TWO_MAPPINGS, /* a writable and an executable mapping of a memfd */
    NOT_AT_ALL,      /* machine code is forbidden */
};
static unsigned method; /* current enum method; atomic */

static size_t whole_pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (MAX2(size, 1) + page - 1) & ~(page - 1);
}

bool jit_code_needs_fence;

/* Makes written code visible to instruction fetches of all CPUs (Arm Architecture Reference Manual,
 * B2.4.4); x86 needs nothing. `start` is the executable mapping. A CPU that runs another thread may
 * still hold instructions that it fetched from the same address before, when other code was there,
 * until an event that synchronizes its context. SYNC_CORE causes one on all CPUs that run threads
 * of the process. Linux before 4.16 doesn't have it, and sandboxes may forbid it. Threads that load
 * the address of code then call jit_code_fence(). */
static void make_visible(void *start, size_t size)
{
    __builtin___clear_cache(start, (char *)start + size);
#if defined(__aarch64__)
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) ||
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0))
        __atomic_store_n(&jit_code_needs_fence, true, __ATOMIC_RELAXED);
#endif
}

/* --- methods: each returns a mapping, or NULL with errno set --- */

static void *create_by_protection(size_t size, jit_code_write_fn *write, void *data)
{
    void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    write(start, (uintptr_t)start, data);
    if (!mprotect(start, size, PROT_READ | PROT_EXEC)) {
        make_visible(start, size);
        return start;
    }
    int error = errno;
    munmap(start, size);
    errno = error;
    return NULL;
}

/* RLIMIT_FSIZE limits memfds, too; exceeding it raises SIGXFSZ. */
static bool fits_limit(size_t size)
{
    struct rlimit limit;
    return !getrlimit(RLIMIT_FSIZE, &limit) && size <= limit.rlim_cur;
}

static int open_memory(size_t size)
{
    if (!fits_limit(size)) {
        errno = EFBIG;
        return -1;
    }
    int fd = memfd_create("indium", MFD_CLOEXEC | MFD_EXEC);
    if (fd < 0 && errno == EINVAL)
        fd = memfd_create("indium", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    if (!ftruncate(fd, (off_t)size))
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static void *create_by_two_mappings(size_t size, jit_code_write_fn *write, void *data)
{
    int fd = open_memory(size);
    if (fd < 0)
        return NULL;
    void *start = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
    void *writable = start == MAP_FAILED
                         ? MAP_FAILED
                         : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int error = errno;
    close(fd);
    if (writable != MAP_FAILED) {
        write(writable, (uintptr_t)start, data);
        make_visible(start, size);
        munmap(writable, size);
        return start;
    }
    if (start != MAP_FAILED)
        munmap(start, size);
    errno = error;
    return NULL;
}

/* --- mappings of code --- */

/* Returns whether the error says that a method is forbidden rather than out of resources. */
static bool is_forbidden(int error)
{
    return error != ENOMEM && error != EAGAIN && error != EMFILE && error != ENFILE;
}

/* Switches from a method to the next one, unless another thread has done so. */
static void give_up(unsigned from)
{
    unsigned expected = from;
    if (__atomic_compare_exchange_n(&method, &expected, from + 1, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) &&
        from + 1 == NOT_AT_ALL)
        log_warning("no memory may become executable here: shaders are interpreted, which is slow");
}

static _Thread_local bool lacks_files;

bool jit_code_create(struct jit_code *code, size_t size, jit_code_write_fn *write, void *data)
{
    size = whole_pages(size);
    lacks_files = false;
    for (;;) {
        unsigned now = __atomic_load_n(&method, __ATOMIC_RELAXED);
        if (now == NOT_AT_ALL)
            return false;
        void *start = now == BY_PROTECTION ? create_by_protection(size, write, data)
                                           : create_by_two_mappings(size, write, data);
        if (start) {
            *code = (struct jit_code){start, size};
            return true;
        }
        if (!is_forbidden(errno)) {
            lacks_files = errno == EMFILE || errno == ENFILE;
            return false;
        }
        give_up(now);
    }
}

bool jit_code_lacks_files(void)
{
    return lacks_files;
}

void jit_code_destroy(struct jit_code *code)
{
    if (code->start)
        munmap(code->start, code->size);
    code->start = NULL;
}

bool jit_code_is_allowed(void)
{
    return __atomic_load_n(&method, __ATOMIC_RELAXED) != NOT_AT_ALL;
}

static void write_nothing(void *to, uintptr_t run_at, void *data)
{
}

void jit_code_probe(void)
{
    struct jit_code code;
    if (jit_code_create(&code, 1, write_nothing, NULL))
        jit_code_destroy(&code);
}
