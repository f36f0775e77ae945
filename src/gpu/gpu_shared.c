/* SPDX-License-Identifier: MIT */
/* The page of an exported buffer. Processes access it with atomic operations. */
#include "gpu/gpu_shared.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_system.h"
#include "util/macros.h"

enum { SLOTS = 127, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static const char magic[16] = "indium i915 bo1";
static const int64_t check_interval = 50000000; /* between checks whether a process exists, in ns */

/* Batches of a process. The counters wrap around. */
struct slot {
    uint64_t owner;                         /* id of the process, and when it started; 0: free */
    uint32_t submitted, written, completed; /* numbers of the last batches */
    uint32_t reserved[3];
};

struct page {
    char magic[16];
    uint8_t reserved[16];
    struct slot slots[SLOTS];
};

struct gpu_shared {
    int refcount;
    struct page *page;
    unsigned own; /* index of this process's slot */
    struct {
        uint64_t owner;
        uint32_t submitted, written; /* last numbers that gpu_shared_next has returned */
        int64_t checked;             /* last time when the process was found to exist, in ns */
    } seen[SLOTS];
};

/* ----------------------------------------------------------------------------- processes --- */

/* Returns a number for a process that differs from those of earlier processes with its id, or 0 if
 * there is no such process. */
static uint64_t identify(uint32_t pid)
{
    char path[64], text[1024], *field;
    unsigned long long start;
    ssize_t length;
    int fd;

    snprintf(path, sizeof path, "/proc/%u/stat", pid);
    fd = gpu_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    length = read(fd, text, sizeof text - 1);
    gpu_sys_close(fd);
    if (length <= 0)
        return 0;
    text[length] = 0;
    field = strrchr(text, ')'); /* the name, field 2, may contain blanks */
    for (unsigned i = 2; field && i < 22; i++)
        field = strchr(field + 1, ' ');
    if (!field || sscanf(field, "%llu", &start) != 1)
        return 0;
    return (uint64_t)start << 32 | pid;
}

static uint64_t identify_self(void)
{
    static uint64_t self;
    uint32_t pid = (uint32_t)getpid();

    if ((uint32_t)self != pid)
        self = identify(pid);
    return self;
}

static bool exists(uint64_t owner)
{
    return (uint32_t)owner && identify((uint32_t)owner) == owner;
}

/* ---------------------------------------------------------------------------- the page --- */

uint64_t gpu_shared_buffer_size(int fd)
{
    char found[sizeof magic];
    struct stat st;
    int error = errno;
    uint64_t size = 0;

    if (fd >= 0 && (fcntl(fd, F_GET_SEALS) & SEALS) == SEALS && gpu_sys_fstat(fd, &st) == 0 &&
        st.st_size > GPU_PAGE &&
        pread(fd, found, sizeof found, st.st_size - GPU_PAGE) == sizeof found &&
        memcmp(found, magic, sizeof magic) == 0)
        size = (uint64_t)st.st_size - GPU_PAGE;
    errno = error;
    return size;
}

struct gpu_shared *gpu_shared_create(int fd, uint64_t size)
{
    struct gpu_shared *shared = calloc(1, sizeof *shared);
    void *page;

    _Static_assert(sizeof(struct page) <= GPU_PAGE, "the page is too small");
    if (!shared)
        return NULL;
    shared->refcount = 1;
    shared->own = SLOTS;
    if (gpu_shared_buffer_size(fd) != size &&
        (ftruncate(fd, (off_t)(size + GPU_PAGE)) != 0 ||
         pwrite(fd, magic, sizeof magic, (off_t)size) != sizeof magic ||
         fcntl(fd, F_ADD_SEALS, SEALS) != 0)) {
        free(shared);
        return NULL;
    }
    page = gpu_sys_mmap(NULL, GPU_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (int64_t)size);
    if (page == MAP_FAILED) {
        free(shared);
        return NULL;
    }
    shared->page = page;
    return shared;
}

static uint32_t load(const uint32_t *counter)
{
    return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *counter, uint32_t value)
{
    __atomic_store_n(counter, value, __ATOMIC_RELEASE);
}

/* Returns this process's slot, or NULL if it has none. A child of fork() starts without one. */
static struct slot *own_slot(const struct gpu_shared *shared)
{
    struct slot *slot = shared->own < SLOTS ? &shared->page->slots[shared->own] : NULL;

    return slot && slot->owner == identify_self() ? slot : NULL;
}

struct gpu_shared *gpu_shared_ref(struct gpu_shared *shared)
{
    shared->refcount++;
    return shared;
}

void gpu_shared_unref(struct gpu_shared *shared)
{
    struct slot *slot;

    if (!shared || --shared->refcount)
        return;
    slot = own_slot(shared);
    if (slot && load(&slot->completed) == load(&slot->submitted))
        __atomic_store_n(&slot->owner, 0, __ATOMIC_RELEASE);
    gpu_sys_munmap(shared->page, GPU_PAGE);
    free(shared);
}

/* Takes a slot that is free or whose process has ended. */
static struct slot *take(struct gpu_shared *shared)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        struct slot *slot = &shared->page->slots[i];
        uint64_t owner = __atomic_load_n(&slot->owner, __ATOMIC_ACQUIRE);

        if ((owner && exists(owner)) ||
            !__atomic_compare_exchange_n(&slot->owner, &owner, identify_self(), false,
                                         __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        store(&slot->completed, load(&slot->submitted));
        store(&slot->written, load(&slot->submitted));
        shared->own = i;
        return slot;
    }
    return NULL;
}

uint32_t gpu_shared_submit(struct gpu_shared *shared, bool writes)
{
    struct slot *slot = own_slot(shared);
    uint32_t number;

    if (!slot)
        slot = take(shared);
    if (!slot)
        return 0;
    number = load(&slot->submitted) + 1;
    if (!number) { /* 0 means that there is no number */
        number = 1;
        store(&slot->completed, 0);
    }
    if (writes)
        store(&slot->written, number);
    store(&slot->submitted, number);
    return number;
}

void gpu_shared_complete(struct gpu_shared *shared, uint32_t number)
{
    struct slot *slot = own_slot(shared);

    if (slot)
        store(&slot->completed, number);
}

/* Returns whether a counter has reached a number. */
static bool has_reached(uint32_t counter, uint32_t number)
{
    return (int32_t)(counter - number) >= 0;
}

bool gpu_shared_next(struct gpu_shared *shared, struct gpu_shared_use *use)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        const struct slot *slot = &shared->page->slots[i];
        uint64_t owner = __atomic_load_n(&slot->owner, __ATOMIC_ACQUIRE);
        uint32_t submitted = load(&slot->submitted), written = load(&slot->written);
        uint32_t completed = load(&slot->completed);

        if (!owner || owner == identify_self() || has_reached(completed, submitted))
            continue;
        if (shared->seen[i].owner != owner) {
            shared->seen[i].owner = owner;
            shared->seen[i].submitted = shared->seen[i].written = completed;
        }
        *use = (struct gpu_shared_use){.owner = owner, .slot = i};
        if (!has_reached(completed, written) && !has_reached(shared->seen[i].written, written)) {
            use->writes = true;
            use->number = shared->seen[i].written = written;
            return true;
        }
        if (!has_reached(shared->seen[i].submitted, submitted)) {
            use->number = shared->seen[i].submitted = submitted;
            return true;
        }
    }
    return false;
}

bool gpu_shared_is_complete(struct gpu_shared *shared, const struct gpu_shared_use *use)
{
    const struct slot *slot = &shared->page->slots[use->slot];
    int64_t now;

    if (__atomic_load_n(&slot->owner, __ATOMIC_ACQUIRE) != use->owner ||
        has_reached(load(&slot->completed), use->number))
        return true;
    now = gpu_now();
    if (now - shared->seen[use->slot].checked < check_interval)
        return false;
    if (!exists(use->owner))
        return true;
    shared->seen[use->slot].checked = now;
    return false;
}
