/* SPDX-License-Identifier: MIT */
/* A syncobj is a list of points with fences. A binary syncobj has one point, 0. */
#include "gpu/gpu_syncobj.h"

#include <errno.h>
#include <libdrm/drm.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_device.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_user.h"
#include "util/list.h"
#include "util/macros.h"

struct point {
    uint64_t value;
    bool restarts; /* the program added it with a value not above the last one */
    struct gpu_fence *fence;
};

struct gpu_syncobj {
    int refcount;
    unsigned count, capacity;
    struct point *points; /* in the order of their addition */
};

/* Syncobjs that a request names. */
struct list {
    unsigned count;
    uint32_t *handles;
    struct gpu_syncobj **syncobjs; /* references */
    uint64_t *points;              /* NULL: binary */
};

/* A thread's wait for syncobjs. It stores the fences that syncobjs get meanwhile at once, because
 * they may be replaced before the thread continues. */
struct wait {
    struct list_head link;
    const struct list *list;
    uint32_t flags;
    struct gpu_fence **fences; /* fence of each syncobj; NULL: none yet */
    uint32_t first;            /* index of the first syncobj whose wait is over */
    bool is_done;
};

static struct list_head waits = {&waits, &waits};

static void update_wait(struct wait *wait);

/* ----------------------------------------------------------------------------- objects --- */

static struct gpu_syncobj *ref(struct gpu_syncobj *syncobj)
{
    if (syncobj)
        syncobj->refcount++;
    return syncobj;
}

static void clear(struct gpu_syncobj *syncobj)
{
    while (syncobj->count)
        gpu_fence_unref(syncobj->points[--syncobj->count].fence);
}

struct gpu_syncobj *gpu_syncobj_get(struct gpu_file *file, uint32_t handle)
{
    return ref(gpu_table_get(&file->syncobjs, handle));
}

void gpu_syncobj_unref(struct gpu_syncobj *syncobj)
{
    if (!syncobj || --syncobj->refcount)
        return;
    clear(syncobj);
    free(syncobj->points);
    free(syncobj);
}

static bool add(struct gpu_syncobj *syncobj, uint64_t value, bool restarts, struct gpu_fence *fence)
{
    if (syncobj->count == syncobj->capacity) {
        unsigned capacity = syncobj->capacity ? syncobj->capacity * 2 : 1;
        struct point *points = realloc(syncobj->points, capacity * sizeof *points);

        if (!points)
            return false;
        syncobj->points = points;
        syncobj->capacity = capacity;
    }
    syncobj->points[syncobj->count++] = (struct point){value, restarts, gpu_fence_ref(fence)};
    list_for_each_entry (struct wait, wait, &waits, link)
        update_wait(wait);
    gpu_wake();
    return true;
}

bool gpu_syncobj_replace(struct gpu_syncobj *syncobj, struct gpu_fence *fence)
{
    gpu_fence_ref(fence);
    clear(syncobj);
    if (fence && !add(syncobj, 0, false, fence)) {
        gpu_fence_unref(fence);
        return false;
    }
    gpu_fence_unref(fence);
    return true;
}

/* Merges points that have been reached into the last one of them. */
static void prune(struct gpu_syncobj *syncobj)
{
    unsigned reached = 0;

    while (reached < syncobj->count && gpu_fence_is_signaled(syncobj->points[reached].fence))
        reached++;
    if (reached < 2)
        return;
    for (unsigned i = 0; i < reached - 1; i++)
        gpu_fence_unref(syncobj->points[i].fence);
    syncobj->count -= reached - 1;
    memmove(syncobj->points, syncobj->points + reached - 1,
            syncobj->count * sizeof *syncobj->points);
}

bool gpu_syncobj_add_point(struct gpu_syncobj *syncobj, uint64_t point, struct gpu_fence *fence)
{
    uint64_t last = syncobj->count ? syncobj->points[syncobj->count - 1].value : 0;

    prune(syncobj);
    return add(syncobj, MAX2(point, last), point <= last, fence); /* values never decrease */
}

/* Returns the index of the point to wait for, or `count` if there is none: the first one since the
 * last restart with at least that value; for value 0, the last point. */
static unsigned find_point(const struct gpu_syncobj *syncobj, uint64_t value)
{
    unsigned i = syncobj->count;

    if (!i || syncobj->points[i - 1].value < value)
        return syncobj->count;
    for (i--; value && i > 0; i--) {
        if (syncobj->points[i].restarts || syncobj->points[i - 1].value < value)
            break;
    }
    return i;
}

struct gpu_fence *gpu_syncobj_fence(struct gpu_syncobj *syncobj, uint64_t point)
{
    unsigned index = find_point(syncobj, point);
    struct gpu_fence **fences, *all;

    if (index == syncobj->count)
        return NULL;
    if (!index)
        return gpu_fence_ref(syncobj->points[0].fence);
    fences = calloc(index + 1, sizeof(struct gpu_fence *));
    if (!fences)
        return NULL;
    for (unsigned i = 0; i <= index; i++)
        fences[i] = syncobj->points[i].fence;
    all = gpu_fence_create_all(fences, index + 1);
    free(fences);
    return all;
}

/* Returns the value of the last point that has been reached; submitted: of the last point. */
static uint64_t value_of(struct gpu_syncobj *syncobj, bool submitted)
{
    uint64_t value = 0;

    if (submitted)
        return syncobj->count ? syncobj->points[syncobj->count - 1].value : 0;
    for (unsigned i = 0; i < syncobj->count; i++) {
        if (!gpu_fence_is_signaled(syncobj->points[i].fence))
            break;
        value = syncobj->points[i].value;
    }
    return value;
}

/* ----------------------------------------------------------------------------- handles --- */

static uint32_t add_handle(struct gpu_file *file, struct gpu_syncobj *syncobj)
{
    return gpu_table_add(&file->syncobjs, syncobj);
}

int gpu_syncobj_create(struct gpu_file *file, void *data)
{
    struct drm_syncobj_create *args = data;
    struct gpu_syncobj *syncobj;
    struct gpu_fence *fence;

    if (args->flags & ~DRM_SYNCOBJ_CREATE_SIGNALED)
        return -EINVAL;
    syncobj = calloc(1, sizeof *syncobj);
    if (!syncobj)
        return -ENOMEM;
    syncobj->refcount = 1;
    if (args->flags & DRM_SYNCOBJ_CREATE_SIGNALED) {
        fence = gpu_fence_signaled();
        gpu_syncobj_replace(syncobj, fence);
        gpu_fence_unref(fence);
    }
    args->handle = add_handle(file, syncobj);
    if (!args->handle) {
        gpu_syncobj_unref(syncobj);
        return -ENOMEM;
    }
    return 0;
}

int gpu_syncobj_destroy(struct gpu_file *file, void *data)
{
    struct drm_syncobj_destroy *args = data;
    struct gpu_syncobj *syncobj;

    if (args->pad)
        return -EINVAL;
    syncobj = gpu_table_remove(&file->syncobjs, args->handle);
    if (!syncobj)
        return -EINVAL;
    gpu_syncobj_unref(syncobj);
    return 0;
}

static void close_fd(void *object)
{
    gpu_syncobj_unref(object);
}

static int export_syncobj(struct gpu_syncobj *syncobj, int *fd)
{
    if (!gpu_fd_create(GPU_FD_SYNCOBJ, syncobj, close_fd, fd))
        return errno ? -errno : -ENOMEM;
    ref(syncobj);
    return 0;
}

static int export_sync_file(struct gpu_syncobj *syncobj, int *fd)
{
    struct gpu_fence *fence = gpu_syncobj_fence(syncobj, 0);

    if (!fence)
        return -EINVAL;
    *fd = gpu_sync_file_create(fence);
    gpu_fence_unref(fence);
    return *fd < 0 ? *fd : 0;
}

int gpu_syncobj_handle_to_fd(struct gpu_file *file, void *data)
{
    struct drm_syncobj_handle *args = data;
    bool is_sync_file = args->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
    struct gpu_syncobj *syncobj;
    int error;

    if (args->pad || args->flags & ~DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
        return -EINVAL;
    syncobj = gpu_table_get(&file->syncobjs, args->handle);
    if (!syncobj)
        return is_sync_file ? -ENOENT : -EINVAL;
    error =
        is_sync_file ? export_sync_file(syncobj, &args->fd) : export_syncobj(syncobj, &args->fd);
    return error;
}

int gpu_syncobj_fd_to_handle(struct gpu_file *file, void *data)
{
    struct drm_syncobj_handle *args = data;
    struct gpu_syncobj *syncobj;
    struct gpu_fence *fence;

    if (args->pad || args->flags & ~DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
        return -EINVAL;
    if (args->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE) {
        fence = gpu_sync_file_fence(args->fd);
        if (!fence)
            return -EINVAL;
        syncobj = gpu_table_get(&file->syncobjs, args->handle);
        if (syncobj)
            gpu_syncobj_replace(syncobj, fence);
        gpu_fence_unref(fence);
        return syncobj ? 0 : -ENOENT;
    }
    syncobj = gpu_fd_get(args->fd, GPU_FD_SYNCOBJ);
    if (!syncobj)
        return -EINVAL;
    args->handle = add_handle(file, syncobj);
    if (!args->handle)
        return -ENOMEM;
    ref(syncobj);
    return 0;
}

/* ----------------------------------------------------------------------- arrays of them --- */

static void free_list(struct list *list)
{
    for (unsigned i = 0; list->syncobjs && i < list->count; i++)
        gpu_syncobj_unref(list->syncobjs[i]);
    free(list->syncobjs);
    free(list->handles);
    free(list->points);
}

static int find_all(struct gpu_file *file, struct list *list, uint64_t handles, uint64_t points)
{
    int error =
        gpu_read_user_array((void **)&list->handles, handles, list->count, sizeof *list->handles);

    if (error)
        return error;
    if (points) {
        error =
            gpu_read_user_array((void **)&list->points, points, list->count, sizeof *list->points);
        if (error)
            return error;
    }
    list->syncobjs = calloc(list->count, sizeof(struct gpu_syncobj *));
    if (!list->syncobjs)
        return -ENOMEM;
    for (unsigned i = 0; i < list->count; i++) {
        list->syncobjs[i] = gpu_syncobj_get(file, list->handles[i]);
        if (!list->syncobjs[i])
            return -ENOENT;
    }
    return 0;
}

/* Finds the syncobjs of two arrays of the program. points: 0 for none. The caller frees the list,
 * also after an error. */
static int read_list(struct gpu_file *file, struct list *list, uint64_t handles, uint64_t points,
                     uint32_t count)
{
    *list = (struct list){.count = count};
    if (!count)
        return -EINVAL;
    return find_all(file, list, handles, points);
}

int gpu_syncobj_reset(struct gpu_file *file, void *data)
{
    struct drm_syncobj_array *args = data;
    struct list list;
    int error;

    if (args->pad)
        return -EINVAL;
    error = read_list(file, &list, args->handles, 0, args->count_handles);
    for (unsigned i = 0; i < list.count && !error; i++)
        gpu_syncobj_replace(list.syncobjs[i], NULL);
    free_list(&list);
    return error;
}

static int signal_list(struct list *list)
{
    struct gpu_fence *fence = gpu_fence_signaled();
    bool done = true;

    for (unsigned i = 0; i < list->count && done; i++) {
        uint64_t point = list->points ? list->points[i] : 0;

        done = point ? gpu_syncobj_add_point(list->syncobjs[i], point, fence)
                     : gpu_syncobj_replace(list->syncobjs[i], fence);
    }
    gpu_fence_unref(fence);
    return done ? 0 : -ENOMEM;
}

/* Signals syncobjs. handles, points: arrays of the program; points: 0 for binary syncobjs. */
static int signal_all(struct gpu_file *file, uint64_t handles, uint64_t points, uint32_t count)
{
    struct list list;
    int error = read_list(file, &list, handles, points, count);

    if (!error)
        error = signal_list(&list);
    free_list(&list);
    return error;
}

int gpu_syncobj_signal(struct gpu_file *file, void *data)
{
    const struct drm_syncobj_array *args = data;

    return args->pad ? -EINVAL : signal_all(file, args->handles, 0, args->count_handles);
}

int gpu_syncobj_timeline_signal(struct gpu_file *file, void *data)
{
    const struct drm_syncobj_timeline_array *args = data;

    return args->flags ? -EINVAL
                       : signal_all(file, args->handles, args->points, args->count_handles);
}

int gpu_syncobj_query(struct gpu_file *file, void *data)
{
    struct drm_syncobj_timeline_array *args = data;
    struct list list;
    int error;

    if (args->flags & ~DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
        return -EINVAL;
    error = read_list(file, &list, args->handles, 0, args->count_handles);
    for (unsigned i = 0; i < list.count && !error; i++) {
        uint64_t value =
            value_of(list.syncobjs[i], args->flags & DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED);

        error = gpu_write_user(args->points + i * sizeof value, &value, sizeof value);
    }
    free_list(&list);
    return error;
}

/* ------------------------------------------------------------------------------- waits --- */

enum {
    KNOWN_WAIT_FLAGS = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT
};

/* Since Linux 6.6: the struct ends with a time that the kernel uses as a hint. */
enum { WAIT_FLAGS_WAIT_DEADLINE = 1 << 3 };

/* Returns whether the wait for syncobj i is over. *fence: the fence to wait for; NULL: none yet. */
static bool is_reached(const struct list *list, unsigned i, uint32_t flags,
                       struct gpu_fence **fence)
{
    if (!*fence)
        *fence = gpu_syncobj_fence(list->syncobjs[i], list->points ? list->points[i] : 0);
    return *fence &&
           (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE || gpu_fence_is_signaled(*fence));
}

static void update_wait(struct wait *wait)
{
    bool all = true, any = false;

    if (wait->is_done)
        return;
    for (unsigned i = 0; i < wait->list->count; i++) {
        if (!is_reached(wait->list, i, wait->flags, &wait->fences[i])) {
            all = false;
        } else if (!any) {
            any = true;
            wait->first = i;
        }
    }
    wait->is_done = wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL ? all : any;
}

static int run_wait(struct wait *wait, int64_t deadline)
{
    const uint32_t may_lack_fences =
        DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;

    update_wait(wait);
    for (unsigned i = 0; i < wait->list->count && !(wait->flags & may_lack_fences); i++) {
        if (!wait->fences[i])
            return -EINVAL;
    }
    list_addtail(&wait->link, &waits);
    while (!wait->is_done && gpu_wait(deadline))
        update_wait(wait);
    list_del(&wait->link);
    return wait->is_done ? 0 : -ETIME;
}

static int wait_for(struct gpu_file *file, uint64_t handles, uint64_t points, uint32_t count,
                    uint32_t flags, int64_t deadline, uint32_t *first)
{
    struct list list;
    struct wait wait = {.list = &list, .flags = flags};
    int error;

    if (!count)
        return 0;
    error = read_list(file, &list, handles, points, count);
    if (!error) {
        wait.fences = calloc(count, sizeof(struct gpu_fence *));
        error = wait.fences ? run_wait(&wait, deadline) : -ENOMEM;
    }
    if (!error && !(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL))
        *first = wait.first;
    for (unsigned i = 0; wait.fences && i < count; i++)
        gpu_fence_unref(wait.fences[i]);
    free(wait.fences);
    free_list(&list);
    return error;
}

int gpu_syncobj_wait(struct gpu_file *file, void *data)
{
    struct drm_syncobj_wait *args = data;

    if (args->flags & ~(KNOWN_WAIT_FLAGS | WAIT_FLAGS_WAIT_DEADLINE))
        return -EINVAL;
    return wait_for(file, args->handles, 0, args->count_handles, args->flags, args->timeout_nsec,
                    &args->first_signaled);
}

int gpu_syncobj_timeline_wait(struct gpu_file *file, void *data)
{
    struct drm_syncobj_timeline_wait *args = data;

    if (args->flags &
        ~(KNOWN_WAIT_FLAGS | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE | WAIT_FLAGS_WAIT_DEADLINE))
        return -EINVAL;
    return wait_for(file, args->handles, args->points, args->count_handles, args->flags,
                    args->timeout_nsec, &args->first_signaled);
}

/* Stores the fence of a point; waits until there is one if the flags say so. */
static int find_source(struct gpu_syncobj *source, uint64_t point, uint32_t flags,
                       struct gpu_fence **fence)
{
    *fence = gpu_syncobj_fence(source, point);
    while (!*fence && flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT && gpu_wait(INT64_MAX))
        *fence = gpu_syncobj_fence(source, point);
    return *fence ? 0 : -EINVAL;
}

int gpu_syncobj_transfer(struct gpu_file *file, void *data)
{
    struct drm_syncobj_transfer *args = data;
    struct gpu_syncobj *source, *target;
    struct gpu_fence *fence = NULL;
    int error = -ENOENT;

    if (args->pad)
        return -EINVAL;
    source = gpu_syncobj_get(file, args->src_handle);
    target = gpu_syncobj_get(file, args->dst_handle);
    if (source && target)
        error = find_source(source, args->src_point, args->flags, &fence);
    if (!error) {
        bool done = args->dst_point ? gpu_syncobj_add_point(target, args->dst_point, fence)
                                    : gpu_syncobj_replace(target, fence);

        error = done ? 0 : -ENOMEM;
    }
    gpu_fence_unref(fence);
    gpu_syncobj_unref(source);
    gpu_syncobj_unref(target);
    return error;
}
