/* SPDX-License-Identifier: MIT */
/*
 * The order of scenes of different contexts: a scene sees the results of all earlier submitted
 * scenes, of any thread, in the memory that both use. GL requires it for contexts that draw to one
 * window, because a context is flushed when another becomes current (GLX 1.4 §3.3.7). For shared
 * objects it requires a fence or glFinish (GL 4.6 §5.3), but many programs only flush.
 *
 * A scene waits in its submission, so that jobs on workers never wait.
 */
#include <pthread.h>

#include "driver/cpu/tile/cpu_scene.h"
#include "util/check.h"
#include "util/refcount.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static struct list_head scenes = {&scenes,
                                  &scenes}; /* submitted, unfinished scenes of all contexts */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

/* Empties the list, because the threads that started its scenes don't exist in the child. */
static void after_fork_in_child(void)
{
    list_for_each_entry (struct cpu_scene, s, &scenes, link)
        s->starting = false;
    pthread_cond_init(&started, NULL);
    pthread_mutex_unlock(&lock);
}

static void init(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static bool runs(const struct cpu_scene *scene)
{
    return scene->starting || !thread_pool_done(&scene->fence->group);
}

/* Waits for a scene of the list. The lock is held on entry and on return, but not while waiting, so
 * the list may have changed. */
static void wait_for(const struct cpu_scene *scene)
{
    struct cpu_fence *fence = scene->fence;

    if (scene->starting) {
        pthread_cond_wait(&started, &lock);
        return;
    }
    ref_take(&fence->refcount);
    pthread_mutex_unlock(&lock);
    thread_pool_wait(&fence->group);
    cpu_fence_release(fence);
    pthread_mutex_lock(&lock);
}

/* Returns whether both scenes use a common storage and at least one of them writes it. */
static bool depends(const struct cpu_scene *scene, const struct cpu_scene *before)
{
    for (unsigned i = 0; i < scene->uses.count; i++) {
        const struct cpu_scene_use *use = &scene->uses.data[i];
        if (__atomic_load_n(&use->storage->users, __ATOMIC_RELAXED) > 1 &&
            cpu_scene_uses(before, use->storage, !use->write))
            return true;
    }
    return false;
}

static const struct cpu_scene *find_before(const struct cpu_scene *scene)
{
    list_for_each_entry (struct cpu_scene, s, &scenes, link) {
        if (runs(s) && depends(scene, s))
            return s;
    }
    return NULL;
}

static const struct cpu_scene *find_user(const struct cpu_storage *storage, bool write)
{
    list_for_each_entry (struct cpu_scene, s, &scenes, link) {
        if (runs(s) && cpu_scene_uses(s, storage, !write))
            return s;
    }
    return NULL;
}

void cpu_order_begin(struct cpu_scene *scene)
{
    const struct cpu_scene *before;

    pthread_once(&once, init);
    pthread_mutex_lock(&lock);
    while ((before = find_before(scene)))
        wait_for(before);
    CHECK(list_is_empty(&scene->link)); /* it is submitted once */
    scene->starting = true;
    list_addtail(&scene->link, &scenes);
    pthread_mutex_unlock(&lock);
}

void cpu_order_started(struct cpu_scene *scene)
{
    pthread_mutex_lock(&lock);
    CHECK(scene->starting);
    scene->starting = false;
    pthread_cond_broadcast(&started);
    pthread_mutex_unlock(&lock);
}

void cpu_order_end(struct cpu_scene *scene)
{
    pthread_mutex_lock(&lock);
    CHECK(!scene->starting);
    list_delinit(&scene->link);
    pthread_mutex_unlock(&lock);
}

bool cpu_order_wait(const struct cpu_storage *storage, bool write, bool dont_block)
{
    const struct cpu_scene *user;

    if (!__atomic_load_n(&storage->users, __ATOMIC_ACQUIRE))
        return true;
    pthread_mutex_lock(&lock);
    while ((user = find_user(storage, write)) && !dont_block)
        wait_for(user);
    pthread_mutex_unlock(&lock);
    return !user;
}
