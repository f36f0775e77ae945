/* SPDX-License-Identifier: MIT */
/* Open files, rights, and the dispatch of requests. */
#include "gpu/gpu_device.h"

#include <errno.h>
#include <libdrm/drm.h>
#include <libdrm/i915_drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_context.h"
#include "gpu/gpu_display.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_framebuffer.h"
#include "gpu/gpu_model.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_syncobj.h"
#include "gpu/gpu_system.h"
#include "gpu/gpu_timeline.h"
#include "gpu/gpu_user.h"
#include "gpu/gpu_vm.h"
#include "util/macros.h"

pthread_mutex_t gpu_lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static struct list_head files = {&files, &files};
static uint32_t *fork_count; /* number of calls of fork() by all processes; shared; may be NULL */

/* -------------------------------------------------------------------------------- fork --- */

static void before_fork(void)
{
    pthread_mutex_lock(&gpu_lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&gpu_lock);
}

/* The files of a process and its children are one file to the program, so new buffers get handles
 * that the other processes don't use. */
static void separate_handles(void)
{
    const uint32_t count = 1 << 14,
                   processes = 1 << 8; /* handles per process; before they repeat */
    uint32_t process = __atomic_add_fetch(fork_count, 1, __ATOMIC_RELAXED) % processes;

    list_for_each_entry (struct gpu_file, file, &files, link)
        gpu_table_skip(&file->handles, process * count);
}

static void after_fork_in_child(void)
{
    if (fork_count)
        separate_handles();
    gpu_user_after_fork();
    gpu_fence_after_fork();
    gpu_bos_after_fork();
    gpu_sync_files_after_fork();
    gpu_timeline_after_fork();
    gpu_model_after_fork();
    gpu_display_after_fork();
    /* Its owner is a thread of the parent. */
    gpu_lock = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
}

__attribute__((constructor)) static void handle_forks(void)
{
    fork_count =
        gpu_sys_mmap(NULL, GPU_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork_count == MAP_FAILED)
        fork_count = NULL;
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* -------------------------------------------------------------------------------- chip --- */

const struct gpu_chip *gpu_get_chip(void)
{
    static const struct gpu_chip *selected;
    const struct gpu_chip *chip = __atomic_load_n(&selected, __ATOMIC_RELAXED);
    const char *name;

    if (chip)
        return chip;
    name = getenv("INDIUM_GPU_CHIP");
    chip = gpu_chip_by_name(name && *name ? name : "skl");
    if (!chip) {
        fprintf(stderr, "indium gpu: unknown chip %s; known are", name);
        for (unsigned i = 0; gpu_chip_by_index(i); i++)
            fprintf(stderr, " %s", gpu_chip_by_index(i)->name);
        fprintf(stderr, "\n");
        _exit(2);
    }
    __atomic_store_n(&selected, chip, __ATOMIC_RELAXED);
    return chip;
}

bool gpu_is_admin(void)
{
    return syscall(SYS_geteuid) == 0;
}

/* ------------------------------------------------------------------------------- files --- */

static void free_file(struct gpu_file *file)
{
    struct gpu_syncobj *syncobj;
    struct gpu_context *context;
    struct gpu_vm *vm;
    struct gpu_bo *bo;
    uint32_t id;

    gpu_table_foreach(&file->contexts, id, context) gpu_context_unref(context);
    gpu_table_foreach(&file->vms, id, vm) gpu_vm_unref(vm);
    gpu_table_foreach(&file->syncobjs, id, syncobj) gpu_syncobj_unref(syncobj);
    gpu_table_foreach(&file->handles, id, bo) gpu_bo_close_handle(file, id);
    gpu_table_finish(&file->contexts);
    gpu_table_finish(&file->vms);
    gpu_table_finish(&file->syncobjs);
    gpu_table_finish(&file->handles);
    free(file);
}

static void unref_file(struct gpu_file *file)
{
    if (--file->refcount == 0)
        free_file(file);
}

/* The last descriptor is closed; requests of other threads may still use the file. */
static void close_file(void *object)
{
    struct gpu_file *file = object;

    list_del(&file->link);
    file->is_master = false;
    file->fd = NULL;
    gpu_display_close(file);
    gpu_framebuffers_close(file);
    gpu_kms_close(file);
    unref_file(file);
}

static bool has_master(void)
{
    list_for_each_entry (struct gpu_file, file, &files, link) {
        if (file->is_master)
            return true;
    }
    return false;
}

static struct gpu_file *create_file(bool is_render)
{
    struct gpu_file *file = calloc(1, sizeof *file);
    struct gpu_context *context;

    if (!file)
        return NULL;
    file->refcount = 1;
    file->is_render = is_render;
    gpu_table_init(&file->handles, 1);
    gpu_table_init(&file->contexts, 1);
    gpu_table_init(&file->vms, 1);
    gpu_table_init(&file->syncobjs, 1);
    context = gpu_context_create();
    if (!context || !gpu_table_add(&file->contexts, context)) {
        gpu_context_unref(context);
        free_file(file);
        return NULL;
    }
    context->is_used = true;
    return file;
}

int gpu_device_open(bool is_render, int flags)
{
    struct gpu_file *file;
    int fd;

    gpu_fd_sweep(); /* a file that was closed may be the master */
    file = create_file(is_render);
    if (!file)
        return -ENOMEM;
    file->fd = gpu_fd_create(GPU_FD_DEVICE, file, close_file, &fd);
    if (!file->fd) {
        free_file(file);
        return errno ? -errno : -ENOMEM;
    }
    gpu_fd_set_label(fd, is_render ? "renderD128" : "card0");
    if (!(flags & O_CLOEXEC))
        fcntl(fd, F_SETFD, 0);
    if (flags & O_NONBLOCK)
        fcntl(fd, F_SETFL, O_NONBLOCK);
    file->is_master = !is_render && !has_master();
    file->is_authenticated = file->is_master || gpu_is_admin();
    list_addtail(&file->link, &files);
    return fd;
}

/* ------------------------------------------------------------------------------ rights --- */

int gpu_get_magic(struct gpu_file *file, void *data)
{
    static uint32_t last;

    if (!file->magic)
        file->magic = ++last;
    ((struct drm_auth *)data)->magic = file->magic;
    return 0;
}

int gpu_auth_magic(struct gpu_file *file, void *data)
{
    uint32_t magic = ((struct drm_auth *)data)->magic;

    list_for_each_entry (struct gpu_file, other, &files, link) {
        if (magic && other->magic == magic) {
            other->is_authenticated = true;
            return 0;
        }
    }
    return -EINVAL;
}

int gpu_set_master(struct gpu_file *file, void *data)
{
    if (file->is_master)
        return 0;
    if (!gpu_is_admin())
        return -EACCES;
    if (has_master())
        return -EBUSY;
    file->is_master = file->is_authenticated = true;
    return 0;
}

int gpu_drop_master(struct gpu_file *file, void *data)
{
    if (!file->is_master)
        return -EINVAL;
    file->is_master = false;
    return 0;
}

static int check_rights(const struct gpu_file *file, unsigned flags)
{
    if (flags & GPU_REQUEST_ROOT && !gpu_is_admin())
        return -EACCES;
    if (flags & GPU_REQUEST_AUTH && !file->is_render && !file->is_authenticated)
        return -EACCES;
    if (flags & GPU_REQUEST_MASTER && !file->is_master)
        return -EACCES;
    if (flags & GPU_REQUEST_DUMB && !gpu_get_chip()->ver)
        return 0;
    if (!(flags & GPU_REQUEST_RENDER) && file->is_render)
        return -EACCES;
    return 0;
}

/* -------------------------------------------------------------------------------- exit --- */

/* The kernel runs batches after their process has ended. Here the process ends after its batches,
 * but not later than a batch that makes no progress. Those of contexts that aren't persistent
 * end. */
__attribute__((destructor)) static void finish_batches(void)
{
    const int64_t limit = 20000000000; /* nanoseconds */

    if (pthread_mutex_lock(&gpu_lock)) /* a signal handler calls exit() during a request */
        return;
    list_for_each_entry (struct gpu_file, file, &files, link) {
        struct gpu_context *context;
        uint32_t id;

        gpu_table_foreach(&file->contexts, id, context) gpu_context_end(context);
    }
    gpu_timelines_finish(gpu_deadline(limit));
    pthread_mutex_unlock(&gpu_lock);
}

/* ---------------------------------------------------------------------------- dispatch --- */

enum { MAX_REQUEST_SIZE = 1 << 14 }; /* what _IOC_SIZE can express */

/* Returns the request with the same number, or NULL. */
static const struct gpu_request_info *find_request(unsigned long request)
{
    unsigned number = _IOC_NR(request);
    bool is_i915 = number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END;
    const struct gpu_request_info *list = is_i915 ? gpu_i915_requests : gpu_drm_requests;

    if (is_i915 && !gpu_get_chip()->ver)
        return NULL;
    for (unsigned i = 0; list[i].handler; i++) {
        if (_IOC_NR(list[i].request) == number)
            return &list[i];
    }
    return NULL;
}

/* Copies the argument in, calls the handler, and copies the argument out. Programs may be older or
 * newer than this library, so structs may be shorter or longer. */
static int call(struct gpu_file *file, const struct gpu_request_info *info, unsigned long request,
                uint64_t arg)
{
    size_t size = _IOC_SIZE(request), own = _IOC_SIZE(info->request);
    uint64_t small[32] = {0};
    void *data = small, *large = NULL;
    int result = 0;

    if (MAX2(size, own) > sizeof small) {
        data = large = calloc(1, MAX_REQUEST_SIZE);
        if (!large)
            return -ENOMEM;
    }
    if (request & info->request & ((unsigned long)_IOC_WRITE << _IOC_DIRSHIFT))
        result = gpu_read_user(data, arg, size);
    if (!result) {
        result = info->handler(file, data);
        if (request & info->request & ((unsigned long)_IOC_READ << _IOC_DIRSHIFT) &&
            gpu_write_user(arg, data, size) != 0)
            result = -EFAULT;
    }
    free(large);
    return result;
}

int gpu_device_ioctl(int fd, unsigned long request, uint64_t arg)
{
    struct gpu_file *file = gpu_fd_get(fd, GPU_FD_DEVICE);
    const struct gpu_request_info *info;
    int result;

    if (!file)
        return -ENOTTY;
    info = find_request(request);
    if (!info)
        return -EINVAL;
    result = check_rights(file, info->flags);
    if (result)
        return result;
    file->refcount++;
    file->request_fd = fd;
    result = call(file, info, request, arg);
    unref_file(file);
    return result;
}
