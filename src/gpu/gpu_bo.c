/* SPDX-License-Identifier: MIT */
/* Buffer objects: memory, handles, and the batches that use them. */
#include "gpu/gpu_bo.h"

#include <errno.h>
#include <libdrm/i915_drm.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_device.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_shared.h"
#include "gpu/gpu_system.h"
#include "gpu/gpu_user.h"
#include "gpu/gpu_vm.h"
#include "util/check.h"
#include "util/macros.h"

static unsigned bo_count, user_count; /* of all buffers; of userptr buffers */
static struct list_head user_bos = {&user_bos, &user_bos};
static struct list_head mapped_bos = {&mapped_bos, &mapped_bos};
static uint64_t bo_bytes;

void gpu_bo_get_totals(unsigned *count, uint64_t *bytes)
{
    *count = bo_count;
    *bytes = bo_bytes;
}

static struct gpu_bo *create(int fd, uint64_t size)
{
    struct gpu_bo *bo = calloc(1, sizeof *bo);

    if (!bo)
        return NULL;
    bo->refcount = 1;
    bo->size = size;
    bo->fd = fd;
    bo->caching = gpu_get_chip()->has_llc ? I915_CACHING_CACHED : I915_CACHING_NONE;
    list_init(&bo->bindings);
    list_init(&bo->publish_link);
    bo_count++;
    bo_bytes += size;
    return bo;
}

struct gpu_bo *gpu_bo_create(uint64_t size)
{
    int fd = memfd_create("i915", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    struct gpu_bo *bo;

    CHECK(size > 0 && size % GPU_PAGE == 0);
    if (fd < 0)
        return NULL;
    fd = gpu_fd_hide(fd);
    bo = ftruncate(fd, (off_t)size) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0
             ? create(fd, size)
             : NULL;
    if (bo)
        bo->is_created = true;
    else
        gpu_sys_close(fd);
    return bo;
}

struct gpu_bo *gpu_bo_create_import(int fd, uint64_t size, bool is_foreign)
{
    struct gpu_bo *bo = create(fd, size);

    if (bo)
        bo->is_import = is_foreign;
    return bo;
}

struct gpu_bo *gpu_bo_create_user(uint64_t address, uint64_t size, bool is_read_only)
{
    struct gpu_bo *bo = create(-1, size);

    if (!bo)
        return NULL;
    bo->user = address;
    list_addtail(&bo->user_link, &user_bos);
    __atomic_add_fetch(&user_count, 1, __ATOMIC_RELAXED);
    bo->is_read_only = is_read_only;
    bo->caching = I915_CACHING_CACHED;
    return bo;
}

static void unmap(struct gpu_bo *bo)
{
    if (!bo->map)
        return;
    gpu_sys_munmap(bo->map, bo->size);
    bo->map = NULL;
    list_del(&bo->map_link);
}

struct gpu_bo *gpu_bo_ref(struct gpu_bo *bo)
{
    if (bo)
        bo->refcount++;
    return bo;
}

void gpu_bo_unref(struct gpu_bo *bo)
{
    if (!bo)
        return;
    CHECK(bo->refcount > 0);
    if (--bo->refcount)
        return;
    gpu_bo_forget_mmaps(bo);
    gpu_bo_forget_sharing(bo);
    list_for_each_entry_safe (struct gpu_binding, binding, &bo->bindings, link)
        gpu_vm_unbind(binding);
    if (bo->fd < 0) {
        list_del(&bo->user_link);
        __atomic_sub_fetch(&user_count, 1, __ATOMIC_RELAXED);
    }
    for (unsigned i = 0; i < bo->use_count; i++)
        gpu_fence_unref(bo->uses[i].fence);
    gpu_shared_unref(bo->shared);
    if (bo->fd >= 0) {
        unmap(bo);
        gpu_sys_close(bo->fd);
    }
    bo_count--;
    bo_bytes -= bo->size;
    free(bo->uses);
    free(bo->owners);
    free(bo);
}

/* ----------------------------------------------------------------------------- handles --- */

struct gpu_bo *gpu_bo_get(const struct gpu_file *file, uint32_t handle)
{
    return gpu_table_get(&file->handles, handle);
}

uint32_t gpu_bo_add_handle(struct gpu_file *file, struct gpu_bo *bo)
{
    uint32_t handle;

    if (bo->owner_count == bo->owner_capacity) {
        unsigned capacity = bo->owner_capacity ? bo->owner_capacity * 2 : 1;
        struct gpu_bo_owner *owners = realloc(bo->owners, capacity * sizeof *owners);

        if (!owners)
            return 0;
        bo->owners = owners;
        bo->owner_capacity = capacity;
    }
    handle = gpu_table_add(&file->handles, bo);
    if (!handle)
        return 0;
    bo->owners[bo->owner_count++] = (struct gpu_bo_owner){file, handle};
    gpu_bo_ref(bo);
    return handle;
}

uint32_t gpu_bo_find_handle(const struct gpu_file *file, const struct gpu_bo *bo)
{
    for (unsigned i = 0; i < bo->owner_count; i++) {
        if (bo->owners[i].file == file)
            return bo->owners[i].handle;
    }
    return 0;
}

int gpu_bo_close_handle(struct gpu_file *file, uint32_t handle)
{
    struct gpu_bo *bo = gpu_table_remove(&file->handles, handle);

    if (!bo)
        return -EINVAL;
    for (unsigned i = 0; i < bo->owner_count; i++) {
        if (bo->owners[i].file == file && bo->owners[i].handle == handle) {
            bo->owners[i] = bo->owners[--bo->owner_count];
            break;
        }
    }
    if (!bo->owner_count)
        gpu_bo_forget_name(bo);
    gpu_bo_unref(bo);
    return 0;
}

/* ------------------------------------------------------------------------------ memory --- */

/* Unmaps all buffers that aren't pinned. Returns whether there were any. */
static bool unmap_idle(void)
{
    bool found = false;

    list_for_each_entry_safe (struct gpu_bo, bo, &mapped_bos, map_link) {
        if (bo->pin_count)
            continue;
        unmap(bo);
        found = true;
    }
    return found;
}

uint8_t *gpu_bo_map(struct gpu_bo *bo)
{
    void *map;

    if (bo->map)
        return bo->map;
    do {
        map = gpu_sys_mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, bo->fd, 0);
    } while (map == MAP_FAILED && unmap_idle());
    if (map == MAP_FAILED)
        return NULL;
    bo->map = map;
    list_addtail(&bo->map_link, &mapped_bos);
    return map;
}

uint8_t *gpu_bo_pin(struct gpu_bo *bo)
{
    uint8_t *map = gpu_bo_map(bo);

    bo->pin_count += map != NULL;
    return map;
}

void gpu_bo_unpin(struct gpu_bo *bo)
{
    CHECK(bo->pin_count > 0);
    bo->pin_count--;
}

/* Returns whether the pages of the program's memory exist and can be written, which a test by
 * reading and writing bytes can't tell without a race. Returns -1 if the kernel doesn't know. */
static int populate(const struct gpu_bo *bo)
{
    enum { POPULATE_READ = 22, POPULATE_WRITE = 23 }; /* MADV_*, since Linux 5.14 */

    if (madvise((void *)(uintptr_t)bo->user, bo->size,
                bo->is_read_only ? POPULATE_READ : POPULATE_WRITE) == 0)
        return 1;
    return errno == ENOMEM || errno == EFAULT ? 0 : -1;
}

static bool are_pages_accessible(const struct gpu_bo *bo)
{
    int is_populated = populate(bo);
    uint8_t byte;

    if (is_populated >= 0)
        return is_populated;
    for (uint64_t offset = 0; offset < bo->size; offset += GPU_PAGE) {
        if (gpu_read_user(&byte, bo->user + offset, 1) != 0)
            return false;
        if (!bo->is_read_only && gpu_write_user(bo->user + offset, &byte, 1) != 0)
            return false;
    }
    return true;
}

bool gpu_bo_is_accessible(struct gpu_bo *bo)
{
    if (bo->fd >= 0)
        return true;
    /* This msync() only fails if there are pages without a mapping. */
    bo->is_populated = bo->is_populated
                           ? msync((void *)(uintptr_t)bo->user, bo->size, MS_ASYNC) == 0
                           : are_pages_accessible(bo);
    return bo->is_populated;
}

/* Copies through a mapping of a dma-buf of another device. */
static int move_mapped(struct gpu_bo *bo, bool write, void *data, uint64_t size, uint64_t offset)
{
    uint8_t *map = gpu_bo_map(bo);

    if (!map)
        return -ENOMEM;
    return write ? gpu_read_user(map + offset, (uintptr_t)data, size)
                 : gpu_write_user((uintptr_t)data, map + offset, size);
}

/* Copies between memory of the library or the program and a userptr buffer. */
static int move_user(struct gpu_bo *bo, bool write, void *data, uint64_t size, uint64_t offset)
{
    uint8_t part[GPU_PAGE];
    int error = 0;

    for (uint64_t done = 0, count; done < size && !error; done += count) {
        uint64_t there = bo->user + offset + done, here = (uintptr_t)data + done;

        count = MIN2(size - done, sizeof part);
        error = gpu_read_user(part, write ? here : there, count);
        if (!error)
            error = gpu_write_user(write ? there : here, part, count);
    }
    return error;
}

static int move(struct gpu_bo *bo, bool write, void *data, uint64_t size, uint64_t offset)
{
    CHECK(offset <= bo->size && size <= bo->size - offset);
    if (bo->fd < 0)
        return move_user(bo, write, data, size, offset);
    if (bo->is_import)
        return move_mapped(bo, write, data, size, offset);
    while (size) {
        ssize_t moved = write ? pwrite(bo->fd, data, size, (off_t)offset)
                              : pread(bo->fd, data, size, (off_t)offset);

        if (moved <= 0) {
            if (moved < 0 && errno == EINTR)
                continue;
            return moved < 0 ? -errno : -EIO;
        }
        data = (char *)data + moved;
        offset += (uint64_t)moved;
        size -= (uint64_t)moved;
    }
    return 0;
}

int gpu_bo_write(struct gpu_bo *bo, uint64_t offset, const void *data, uint64_t size)
{
    return move(bo, true, (void *)data, size, offset);
}

int gpu_bo_read(struct gpu_bo *bo, uint64_t offset, void *data, uint64_t size)
{
    return move(bo, false, data, size, offset);
}

/* -------------------------------------------------------------------------------- uses --- */

static struct list_head published = {&published, &published}; /* struct gpu_bo */

static void prune(struct gpu_bo *bo)
{
    for (unsigned i = bo->use_count; i-- > 0;) {
        if (gpu_fence_is_signaled(bo->uses[i].fence)) {
            gpu_fence_unref(bo->uses[i].fence);
            bo->uses[i] = bo->uses[--bo->use_count];
        }
    }
}

/* Reports the number before the first one whose batch is not complete. */
static void publish(struct gpu_bo *bo)
{
    uint32_t complete = bo->last_number;
    bool pending = false;

    for (unsigned i = 0; i < bo->use_count; i++) {
        uint32_t number = bo->uses[i].number;

        if (!number || gpu_fence_is_signaled(bo->uses[i].fence))
            continue;
        pending = true;
        if ((int32_t)(number - 1 - complete) < 0)
            complete = number - 1;
    }
    gpu_shared_complete(bo->shared, complete);
    if (!pending && !list_is_empty(&bo->publish_link)) {
        list_delinit(&bo->publish_link);
        gpu_bo_unref(bo);
    }
}

void gpu_bos_after_fork(void)
{
    list_for_each_entry_safe (struct gpu_bo, bo, &published, publish_link) {
        for (unsigned i = 0; i < bo->use_count; i++)
            bo->uses[i].number = 0; /* of a slot of the parent */
        list_delinit(&bo->publish_link);
        gpu_bo_unref(bo);
    }
}

void gpu_bos_publish(void)
{
    list_for_each_entry_safe (struct gpu_bo, bo, &published, publish_link)
        publish(bo);
}

static bool add_use(struct gpu_bo *bo, struct gpu_fence *fence, enum gpu_engine engine, bool writes)
{
    if (bo->use_count == bo->use_capacity) {
        unsigned capacity = bo->use_capacity ? bo->use_capacity * 2 : 1;
        struct gpu_bo_use *uses = realloc(bo->uses, capacity * sizeof *uses);

        if (!uses)
            return false;
        bo->uses = uses;
        bo->use_capacity = capacity;
    }
    bo->uses[bo->use_count++] = (struct gpu_bo_use){gpu_fence_ref(fence), engine, writes, 0};
    return true;
}

void gpu_bo_update_uses(struct gpu_bo *bo)
{
    struct gpu_shared_use use;

    prune(bo);
    while (bo->shared && gpu_shared_next(bo->shared, &use)) {
        struct gpu_fence *fence = gpu_fence_create_shared(bo->shared, &use);

        if (fence) /* without memory, batches don't wait */
            add_use(bo, fence, GPU_RENDER, use.writes);
        gpu_fence_unref(fence);
    }
}

/* Lets other processes wait for the last of the uses. */
static void number_last(struct gpu_bo *bo)
{
    struct gpu_bo_use *use = &bo->uses[bo->use_count - 1];

    use->number = gpu_shared_submit(bo->shared, use->writes);
    if (!use->number)
        return;
    bo->last_number = use->number;
    if (list_is_empty(&bo->publish_link)) {
        /* The buffer must live until its uses are complete, or other processes wait forever. */
        list_addtail(&gpu_bo_ref(bo)->publish_link, &published);
    }
}

bool gpu_bo_add_use(struct gpu_bo *bo, struct gpu_fence *fence, enum gpu_engine engine, bool writes,
                    bool replace)
{
    gpu_bo_update_uses(bo);
    if (replace && !bo->shared) { /* other processes may wait for any of the uses */
        while (bo->use_count)
            gpu_fence_unref(bo->uses[--bo->use_count].fence);
    }
    if (!add_use(bo, fence, engine, writes))
        return false;
    if (bo->shared)
        number_last(bo);
    return true;
}

void gpu_bo_share(struct gpu_bo *bo)
{
    if (bo->shared || !(bo->is_created || gpu_shared_buffer_size(bo->fd) == bo->size))
        return;
    bo->shared = gpu_shared_create(bo->fd, bo->size);
    if (!bo->shared)
        return;
    for (unsigned i = 0; i < bo->use_count; i++) {
        struct gpu_bo_use last = bo->uses[0];

        memmove(bo->uses, bo->uses + 1, (bo->use_count - 1) * sizeof last);
        bo->uses[bo->use_count - 1] = last;
        number_last(bo);
    }
    publish(bo);
}

struct gpu_fence *gpu_bo_fence(struct gpu_bo *bo, bool for_writing)
{
    struct gpu_fence **fences = calloc(bo->use_count + 1, sizeof(struct gpu_fence *)), *all;
    unsigned count = 0;

    if (!fences)
        return NULL;
    for (unsigned i = 0; i < bo->use_count; i++) {
        if (for_writing || bo->uses[i].writes)
            fences[count++] = bo->uses[i].fence;
    }
    all = gpu_fence_create_all(fences, count);
    free(fences);
    return all;
}

bool gpu_bo_wait(struct gpu_bo *bo, bool for_writing, int64_t deadline)
{
    struct gpu_fence *fence;
    bool done;

    gpu_bo_update_uses(bo);
    if (!bo->use_count)
        return true;
    fence = gpu_bo_fence(bo, for_writing);
    if (!fence)
        return false;
    while (!(done = gpu_fence_is_signaled(fence)) && gpu_wait(deadline))
        ;
    gpu_fence_unref(fence);
    return done;
}

/* ---------------------------------------------------------------------- program memory --- */

bool gpu_bo_has_user_memory(void)
{
    return __atomic_load_n(&user_count, __ATOMIC_RELAXED) != 0;
}

/* Returns a userptr buffer with memory in a range that a batch uses, or NULL. */
static struct gpu_bo *find_used(uint64_t address, uint64_t size)
{
    list_for_each_entry (struct gpu_bo, bo, &user_bos, user_link) {
        if (bo->user >= address + size || address >= bo->user + bo->size)
            continue;
        prune(bo);
        if (bo->use_count)
            return bo;
    }
    return NULL;
}

void gpu_bo_wait_for_user_memory(uint64_t address, uint64_t size)
{
    struct gpu_bo *bo;

    list_for_each_entry (struct gpu_bo, user, &user_bos, user_link) {
        if (user->user < address + size && address < user->user + user->size)
            user->is_populated = false;
    }
    while ((bo = find_used(address, size))) {
        gpu_bo_ref(bo);
        gpu_bo_wait(bo, true, INT64_MAX);
        gpu_bo_unref(bo);
    }
}
