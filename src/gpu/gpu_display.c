/* SPDX-License-Identifier: MIT */
/* The display's state and its thread. The refresh rate is 60 Hz. */
#include "gpu/gpu_display.h"

#include <errno.h>
#include <libdrm/drm_fourcc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_framebuffer.h"
#include "gpu/gpu_picture.h"
#include "gpu/gpu_thread.h"
#include "util/macros.h"

static const int64_t period = 1000000000 / 60; /* of vertical blanks, in ns */

/* An event that a file gets at a vertical blank. */
struct event {
    struct list_head link; /* in `events`, by sequence */
    struct gpu_file *file;
    uint64_t sequence;
    union {
        struct drm_event base;
        struct drm_event_vblank vblank;
        struct drm_event_crtc_sequence crtc;
    } data;
};

static struct gpu_display_state current; /* the last commit's */
static struct gpu_commit *pending;       /* NULL: `current` is shown */
static uint64_t pending_sequence;        /* vertical blank that completes it; 0: not known yet */
static struct list_head events = {&events, &events};
static bool has_thread;

/* ------------------------------------------------------------------------------- state --- */

const struct drm_mode_modeinfo *gpu_display_mode(void)
{
    static struct drm_mode_modeinfo mode;
    unsigned width = 1024, height = 768;
    const char *text = getenv("INDIUM_GPU_MODE");

    if (mode.clock)
        return &mode;
    if (!text || sscanf(text, "%ux%u", &width, &height) != 2 || !width || !height || width > 8192 ||
        height > 8192) {
        width = 1024;
        height = 768;
    }
    mode = (struct drm_mode_modeinfo){
        .clock = (uint32_t)((uint64_t)width * height * 60 / 1000 + 1),
        .hdisplay = (uint16_t)width,
        .hsync_start = (uint16_t)width,
        .hsync_end = (uint16_t)width,
        .htotal = (uint16_t)width,
        .vdisplay = (uint16_t)height,
        .vsync_start = (uint16_t)height,
        .vsync_end = (uint16_t)height,
        .vtotal = (uint16_t)height,
        .vrefresh = 60,
        .type = DRM_MODE_TYPE_PREFERRED | DRM_MODE_TYPE_DRIVER,
    };
    snprintf(mode.name, sizeof mode.name, "%ux%u", width, height);
    return &mode;
}

const struct gpu_display_state *gpu_display_get(void)
{
    return &current;
}

void gpu_display_state_copy(struct gpu_display_state *to, const struct gpu_display_state *from)
{
    *to = *from;
    for (unsigned i = 0; i < GPU_PLANE_COUNT; i++)
        gpu_framebuffer_ref(to->planes[i].fb);
}

void gpu_display_state_finish(struct gpu_display_state *state)
{
    for (unsigned i = 0; i < GPU_PLANE_COUNT; i++)
        gpu_framebuffer_unref(state->planes[i].fb);
    memset(state, 0, sizeof *state);
}

void gpu_plane_set_fb(struct gpu_plane_state *plane, struct gpu_framebuffer *fb)
{
    gpu_framebuffer_ref(fb);
    gpu_framebuffer_unref(plane->fb);
    plane->fb = fb;
}

static int check_plane(const struct gpu_plane_state *plane)
{
    const uint64_t width = (uint64_t)(plane->fb ? plane->fb->width : 0) << 16,
                   height = (uint64_t)(plane->fb ? plane->fb->height : 0) << 16;

    if (!plane->fb != !plane->crtc)
        return -EINVAL;
    if (!plane->fb)
        return 0;
    if (plane->width > INT32_MAX || plane->x > INT32_MAX - (int32_t)plane->width ||
        plane->height > INT32_MAX || plane->y > INT32_MAX - (int32_t)plane->height)
        return -ERANGE;
    if (plane->src_width > width || plane->src_x > width - plane->src_width ||
        plane->src_height > height || plane->src_y > height - plane->src_height)
        return -ENOSPC;
    /* There is no scaling. */
    return plane->src_width >> 16 == plane->width && plane->src_height >> 16 == plane->height
               ? 0
               : -EINVAL;
}

int gpu_display_check(const struct gpu_display_state *state)
{
    const struct gpu_plane_state *primary = &state->planes[0], *cursor = &state->planes[1];

    if (state->is_active && !state->has_mode)
        return -EINVAL;
    if (state->has_mode != state->is_connected)
        return -EINVAL;
    for (unsigned i = 0; i < GPU_PLANE_COUNT; i++) {
        int error = check_plane(&state->planes[i]);

        if (error)
            return error;
    }
    if (cursor->fb && (cursor->width > GPU_CURSOR_SIZE || cursor->height > GPU_CURSOR_SIZE ||
                       cursor->fb->format != DRM_FORMAT_ARGB8888))
        return -EINVAL;
    /* The primary plane covers the display. */
    if (state->is_active && primary->fb &&
        (primary->x > 0 || primary->y > 0 ||
         (int64_t)primary->x + primary->width < state->mode.hdisplay ||
         (int64_t)primary->y + primary->height < state->mode.vdisplay))
        return -EINVAL;
    return 0;
}

/* -------------------------------------------------------------------------------- time --- */

uint64_t gpu_display_sequence(int64_t time)
{
    return (uint64_t)(time / period);
}

int64_t gpu_display_time(uint64_t sequence)
{
    return (int64_t)sequence * period;
}

static void free_event(struct event *event)
{
    list_del(&event->link);
    free(event);
}

static void send_event(struct event *event)
{
    int64_t time = gpu_display_time(event->sequence);

    if (event->data.base.type == DRM_EVENT_CRTC_SEQUENCE) {
        event->data.crtc.time_ns = time;
        event->data.crtc.sequence = event->sequence;
    } else {
        event->data.vblank.tv_sec = (uint32_t)(time / 1000000000);
        event->data.vblank.tv_usec = (uint32_t)(time % 1000000000 / 1000);
        event->data.vblank.sequence = (uint32_t)event->sequence;
        event->data.vblank.crtc_id = GPU_CRTC;
    }
    gpu_fd_send(event->file->fd, &event->data, sizeof event->data);
    free_event(event);
}

static void run_display(void *data);

static int start(void)
{
    if (!has_thread)
        has_thread = gpu_thread_start(run_display, NULL);
    return has_thread ? 0 : -ENOMEM;
}

int gpu_display_send_at(struct gpu_file *file, uint64_t sequence, const void *data)
{
    struct event *event = calloc(1, sizeof *event);
    struct list_head *after = &events;

    if (!event)
        return -ENOMEM;
    event->file = file;
    event->sequence = sequence;
    memcpy(&event->data, data, sizeof event->data);
    list_for_each_entry (struct event, other, &events, link) {
        if (other->sequence > sequence)
            break;
        after = &other->link;
    }
    list_add(&event->link, after);
    if (start() != 0) {
        free_event(event);
        return -ENOMEM;
    }
    gpu_wake();
    return 0;
}

/* ----------------------------------------------------------------------------- commits --- */

static void free_commit(struct gpu_commit *commit)
{
    if (!commit)
        return;
    if (commit->out_fence)
        gpu_fence_signal(commit->out_fence, 0);
    gpu_display_state_finish(&commit->state);
    gpu_fence_unref(commit->fence);
    gpu_fence_unref(commit->out_fence);
    free(commit);
}

/* Writes the picture, releasing the lock. */
static void draw(const struct gpu_display_state *state)
{
    struct gpu_display_state copy;

    if (!gpu_picture_name())
        return;
    gpu_display_state_copy(&copy, state);
    pthread_mutex_unlock(&gpu_lock);
    gpu_picture_write(&copy);
    pthread_mutex_lock(&gpu_lock);
    gpu_display_state_finish(&copy);
}

/* Shows the state of `pending`. */
static void complete(void)
{
    struct gpu_commit *commit = pending;
    uint64_t now;

    draw(&commit->state);
    if (pending != commit) /* the process forked */
        return;
    now = gpu_display_sequence(gpu_now());
    if (commit->file) {
        const struct drm_event_vblank event = {
            .base = {DRM_EVENT_FLIP_COMPLETE, sizeof event},
            .user_data = commit->user_data,
        };

        gpu_display_send_at(commit->file, MAX2(now, pending_sequence), &event);
    }
    pending = NULL;
    free_commit(commit);
    gpu_wake();
}

/* Performs one change or event that is due. Returns the time of the next one, INT64_MAX if that is
 * unknown, or 0 if something was done. */
static int64_t work(void)
{
    struct event *event =
        list_is_empty(&events) ? NULL : list_first_entry(&events, struct event, link);
    int64_t now = gpu_now(), next = INT64_MAX;

    if (event && gpu_display_time(event->sequence) <= now) {
        send_event(event);
        return 0;
    }
    if (event)
        next = gpu_display_time(event->sequence);
    if (pending && !pending_sequence && gpu_fence_is_signaled(pending->fence))
        pending_sequence = gpu_display_sequence(now) + 1;
    if (!pending || !pending_sequence)
        return next;
    if (gpu_display_time(pending_sequence) <= now) {
        complete();
        return 0;
    }
    return MIN2(next, gpu_display_time(pending_sequence));
}

static void run_display(void *data)
{
    while (pending || !list_is_empty(&events)) {
        int64_t next = work();

        if (next)
            gpu_wait(next);
    }
    has_thread = false;
}

int gpu_display_commit(struct gpu_commit *commit, bool wait)
{
    struct gpu_commit *own = malloc(sizeof *own);
    int error = own ? 0 : -ENOMEM;

    if (!error && pending && !wait)
        error = -EBUSY;
    while (!error && pending)
        gpu_wait(INT64_MAX);
    if (!error)
        error = start();
    if (error) {
        free(own);
        return error;
    }
    *own = *commit;
    if (own->file && !own->file->fd) /* closed meanwhile */
        own->file = NULL;
    pending = own;
    pending_sequence = 0;
    gpu_display_state_finish(&current);
    gpu_display_state_copy(&current, &own->state);
    gpu_wake();
    while (wait && pending == own)
        gpu_wait(INT64_MAX);
    return 0;
}

int gpu_display_refresh(void)
{
    if (!pending)
        draw(&current);
    return 0;
}

void gpu_display_forget(struct gpu_framebuffer *fb)
{
    for (unsigned i = 0; i < GPU_PLANE_COUNT; i++) {
        struct gpu_plane_state *plane = &current.planes[i];

        if (plane->fb != fb)
            continue;
        gpu_plane_set_fb(plane, NULL);
        plane->crtc = 0;
        if (i == 0) { /* the CRTC is turned off */
            current.is_active = current.is_connected = current.has_mode = false;
            current.mode_blob = 0;
        }
    }
}

void gpu_display_close(struct gpu_file *file)
{
    if (pending && pending->file == file)
        pending->file = NULL;
    list_for_each_entry_safe (struct event, event, &events, link) {
        if (event->file == file)
            free_event(event);
    }
}

void gpu_display_after_fork(void)
{
    pending = NULL; /* the parent signals its fence */
    has_thread = false;
    list_for_each_entry_safe (struct event, event, &events, link)
        free_event(event);
}
