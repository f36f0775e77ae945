/* SPDX-License-Identifier: MIT */
/* Requests of mode setting without properties (libdrm/drm_mode.h): resources, legacy changes of the
 * CRTC and the planes, and vertical blanks. */
#include "gpu/gpu_kms.h"

#include <errno.h>
#include <libdrm/drm_fourcc.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_display.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_framebuffer.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_user.h"
#include "util/macros.h"

enum { MAX_GAMMA = 256, MAX_VBLANKS = 180 /* that a request waits for */ };

int gpu_kms_store(uint64_t to, uint32_t *count, const void *elements, uint32_t length,
                  uint32_t element_size)
{
    uint32_t copied = MIN2(*count, length);

    *count = length;
    return to && copied ? gpu_write_user(to, elements, (size_t)copied * element_size) : 0;
}

/* Stores a list if it fits. */
static int store_all(uint64_t to, uint32_t *count, const void *elements, uint32_t length,
                     uint32_t element_size)
{
    if (*count < length) {
        *count = length;
        return 0;
    }
    return gpu_kms_store(to, count, elements, length, element_size);
}

static int store_id(uint64_t to, uint32_t *count, uint32_t id)
{
    return store_all(to, count, &id, 1, sizeof id);
}

/* --------------------------------------------------------------------------- resources --- */

int gpu_mode_getresources(struct gpu_file *file, void *data)
{
    struct drm_mode_card_res *args = data;
    int error = store_id(args->crtc_id_ptr, &args->count_crtcs, GPU_CRTC);

    if (!error)
        error = store_id(args->connector_id_ptr, &args->count_connectors, GPU_CONNECTOR);
    if (!error)
        error = store_id(args->encoder_id_ptr, &args->count_encoders, GPU_ENCODER);
    args->count_fbs = 0;
    args->min_width = args->min_height = 1;
    args->max_width = args->max_height = 8192;
    return error;
}

int gpu_mode_getplaneresources(struct gpu_file *file, void *data)
{
    static const uint32_t planes[GPU_PLANE_COUNT] = {GPU_PRIMARY, GPU_CURSOR};
    struct drm_mode_get_plane_res *args = data;

    return gpu_kms_store(args->plane_id_ptr, &args->count_planes, planes,
                         file->has_universal_planes ? GPU_PLANE_COUNT : 0, sizeof planes[0]);
}

int gpu_mode_getconnector(struct gpu_file *file, void *data)
{
    struct drm_mode_get_connector *args = data;
    int error;

    if (args->connector_id != GPU_CONNECTOR)
        return -ENOENT;
    error = store_all(args->modes_ptr, &args->count_modes, gpu_display_mode(), 1,
                      sizeof(struct drm_mode_modeinfo));
    if (!error)
        error = store_id(args->encoders_ptr, &args->count_encoders, GPU_ENCODER);
    if (!error)
        error = gpu_kms_get_properties(file, GPU_CONNECTOR, args->props_ptr, args->prop_values_ptr,
                                       &args->count_props);
    args->encoder_id = gpu_display_get()->is_connected ? GPU_ENCODER : 0;
    args->connector_type = DRM_MODE_CONNECTOR_VIRTUAL;
    args->connector_type_id = 1;
    args->connection = 1; /* connected */
    args->mm_width = gpu_display_mode()->hdisplay * 254u / 960;
    args->mm_height = gpu_display_mode()->vdisplay * 254u / 960;
    args->subpixel = 1; /* unknown */
    return error;
}

int gpu_mode_getencoder(struct gpu_file *file, void *data)
{
    struct drm_mode_get_encoder *args = data;

    if (args->encoder_id != GPU_ENCODER)
        return -ENOENT;
    args->encoder_type = DRM_MODE_ENCODER_VIRTUAL;
    args->crtc_id = gpu_display_get()->is_connected ? GPU_CRTC : 0;
    args->possible_crtcs = 1;
    args->possible_clones = 1;
    return 0;
}

int gpu_mode_getcrtc(struct gpu_file *file, void *data)
{
    const struct gpu_display_state *state = gpu_display_get();
    struct drm_mode_crtc *args = data;

    if (args->crtc_id != GPU_CRTC)
        return -ENOENT;
    args->fb_id = state->planes[0].fb ? state->planes[0].fb->id : 0;
    args->x = state->planes[0].src_x >> 16;
    args->y = state->planes[0].src_y >> 16;
    args->gamma_size = MAX_GAMMA;
    args->mode_valid = state->has_mode;
    args->mode = state->mode;
    return 0;
}

/* Returns the index of a plane's state, or -1. */
static int find_plane(uint32_t id)
{
    return id == GPU_PRIMARY ? 0 : id == GPU_CURSOR ? 1 : -1;
}

int gpu_mode_getplane(struct gpu_file *file, void *data)
{
    static const uint32_t all[] = {
        DRM_FORMAT_XRGB8888,    DRM_FORMAT_ARGB8888,    DRM_FORMAT_XBGR8888, DRM_FORMAT_ABGR8888,
        DRM_FORMAT_XRGB2101010, DRM_FORMAT_XBGR2101010, DRM_FORMAT_RGB565};
    static const uint32_t cursor[] = {DRM_FORMAT_ARGB8888};
    struct drm_mode_get_plane *args = data;
    int index = find_plane(args->plane_id);
    const struct gpu_plane_state *plane;

    if (index < 0)
        return -ENOENT;
    plane = &gpu_display_get()->planes[index];
    args->crtc_id = plane->crtc;
    args->fb_id = plane->fb ? plane->fb->id : 0;
    args->possible_crtcs = 1;
    args->gamma_size = 0;
    return store_all(args->format_type_ptr, &args->count_format_types, index ? cursor : all,
                     index ? ARRAY_SIZE(cursor) : ARRAY_SIZE(all), sizeof all[0]);
}

/* ----------------------------------------------------------------------------- changes --- */

int gpu_kms_commit(struct gpu_commit *commit, bool wait)
{
    struct gpu_fence *fences[GPU_PLANE_COUNT + 1];
    unsigned count = 0;
    int error = gpu_display_check(&commit->state);

    for (unsigned i = 0; i < GPU_PLANE_COUNT && !error; i++) {
        struct gpu_framebuffer *fb = commit->state.planes[i].fb;

        if (!fb)
            continue;
        gpu_bo_update_uses(fb->bo);
        fences[count] = gpu_bo_fence(fb->bo, false);
        if (fences[count])
            count++;
        else
            error = -ENOMEM;
    }
    if (!error) {
        struct gpu_fence *in_fences = commit->fence;

        if (in_fences)
            fences[count++] = in_fences;
        commit->fence = gpu_fence_create_all(fences, count);
        error = commit->fence ? gpu_display_commit(commit, wait) : -ENOMEM;
    }
    while (count)
        gpu_fence_unref(fences[--count]);
    if (error) {
        gpu_display_state_finish(&commit->state);
        gpu_fence_unref(commit->fence);
        gpu_fence_unref(commit->out_fence);
    }
    return error;
}

/* Makes a plane show a framebuffer at a position, unscaled. fb may be NULL. */
static void show(struct gpu_plane_state *plane, struct gpu_framebuffer *fb, int32_t x, int32_t y,
                 uint32_t width, uint32_t height)
{
    gpu_plane_set_fb(plane, fb);
    plane->crtc = fb ? GPU_CRTC : 0;
    plane->x = x;
    plane->y = y;
    plane->width = width;
    plane->height = height;
    plane->src_x = plane->src_y = 0;
    plane->src_width = width << 16;
    plane->src_height = height << 16;
}

static int set_mode(struct gpu_commit *commit, const struct drm_mode_crtc *args)
{
    struct gpu_display_state *state = &commit->state;
    struct gpu_framebuffer *fb =
        args->fb_id == UINT32_MAX ? state->planes[0].fb : gpu_framebuffer_get(args->fb_id);
    uint32_t connector;

    if (!args->mode.hdisplay || !args->mode.vdisplay)
        return -EINVAL;
    if (!fb)
        return args->fb_id == UINT32_MAX ? -EINVAL : -ENOENT;
    if (args->count_connectors != 1)
        return -EINVAL;
    if (gpu_read_user(&connector, args->set_connectors_ptr, sizeof connector) != 0)
        return -EFAULT;
    if (connector != GPU_CONNECTOR)
        return -ENOENT;
    if ((uint64_t)args->x + args->mode.hdisplay > fb->width ||
        (uint64_t)args->y + args->mode.vdisplay > fb->height)
        return -ENOSPC;
    state->is_active = state->is_connected = state->has_mode = true;
    state->mode = args->mode;
    state->mode_blob = 0;
    show(&state->planes[0], fb, 0, 0, args->mode.hdisplay, args->mode.vdisplay);
    state->planes[0].src_x = args->x << 16;
    state->planes[0].src_y = args->y << 16;
    return 0;
}

/* Commits a changed state unless there was an error. */
static int finish(struct gpu_commit *commit, int error, bool wait)
{
    if (!error)
        return gpu_kms_commit(commit, wait);
    gpu_display_state_finish(&commit->state);
    return error;
}

int gpu_mode_setcrtc(struct gpu_file *file, void *data)
{
    const struct drm_mode_crtc *args = data;
    struct gpu_commit commit = {0};
    int error = 0;

    if (args->crtc_id != GPU_CRTC)
        return -ENOENT;
    gpu_display_state_copy(&commit.state, gpu_display_get());
    if (args->mode_valid) {
        error = set_mode(&commit, args);
    } else if (args->count_connectors) {
        error = -EINVAL;
    } else {
        show(&commit.state.planes[0], NULL, 0, 0, 0, 0);
        commit.state.is_active = commit.state.is_connected = commit.state.has_mode = false;
    }
    return finish(&commit, error, true);
}

int gpu_mode_page_flip(struct gpu_file *file, void *data)
{
    const struct drm_mode_crtc_page_flip *args = data;
    struct gpu_plane_state *plane;
    struct gpu_framebuffer *fb;
    struct gpu_commit commit = {.user_data = args->user_data};

    if (args->flags & ~(uint32_t)DRM_MODE_PAGE_FLIP_EVENT || args->reserved)
        return -EINVAL; /* there are no asynchronous flips and no targets */
    if (args->crtc_id != GPU_CRTC)
        return -ENOENT;
    if (!gpu_display_get()->planes[0].fb)
        return -EBUSY; /* the CRTC is off */
    fb = gpu_framebuffer_get(args->fb_id);
    if (!fb)
        return -ENOENT;
    gpu_display_state_copy(&commit.state, gpu_display_get());
    plane = &commit.state.planes[0];
    if (plane->fb->format != fb->format) {
        gpu_display_state_finish(&commit.state);
        return -EINVAL;
    }
    gpu_plane_set_fb(plane, fb);
    if (args->flags & DRM_MODE_PAGE_FLIP_EVENT)
        commit.file = file;
    return gpu_kms_commit(&commit, false);
}

int gpu_mode_setplane(struct gpu_file *file, void *data)
{
    const struct drm_mode_set_plane *args = data;
    int index = find_plane(args->plane_id);
    struct gpu_framebuffer *fb = args->fb_id ? gpu_framebuffer_get(args->fb_id) : NULL;
    struct gpu_commit commit = {0};
    struct gpu_plane_state *plane;

    if (index < 0 || (args->fb_id && (!fb || args->crtc_id != GPU_CRTC)))
        return -ENOENT;
    gpu_display_state_copy(&commit.state, gpu_display_get());
    plane = &commit.state.planes[index];
    show(plane, fb, args->crtc_x, args->crtc_y, args->crtc_w, args->crtc_h);
    if (fb) {
        plane->src_x = args->src_x;
        plane->src_y = args->src_y;
        plane->src_width = args->src_w;
        plane->src_height = args->src_h;
    }
    return finish(&commit, 0, true);
}

/* Makes a framebuffer of a buffer with the image of a cursor. */
static int make_cursor(struct gpu_file *file, const struct drm_mode_cursor2 *args, uint32_t *id)
{
    struct drm_mode_fb_cmd2 create = {.width = args->width,
                                      .height = args->height,
                                      .pixel_format = DRM_FORMAT_ARGB8888,
                                      .handles = {args->handle},
                                      .pitches = {args->width * 4}};
    int error = gpu_mode_addfb2(file, &create);

    *id = create.fb_id;
    return error;
}

/* Changes a cursor. The change is not synchronized with vertical blanks. */
static int set_cursor(struct gpu_file *file, const struct drm_mode_cursor2 *args)
{
    struct gpu_commit commit = {0};
    struct gpu_plane_state *plane = &commit.state.planes[1];
    uint32_t id = 0;
    int error = 0;

    if (!args->flags || args->flags & ~(uint32_t)DRM_MODE_CURSOR_FLAGS)
        return -EINVAL;
    if (args->crtc_id != GPU_CRTC)
        return -ENOENT;
    if (args->flags & DRM_MODE_CURSOR_BO && args->handle)
        error = make_cursor(file, args, &id);
    if (error)
        return error;
    gpu_display_state_copy(&commit.state, gpu_display_get());
    if (args->flags & DRM_MODE_CURSOR_BO)
        show(plane, gpu_framebuffer_get(id), plane->x, plane->y, id ? args->width : 0,
             id ? args->height : 0);
    if (args->flags & DRM_MODE_CURSOR_MOVE) {
        plane->x = args->x;
        plane->y = args->y;
    }
    error = finish(&commit, 0, true);
    if (id)
        gpu_mode_closefb(file, (uint32_t[2]){id});
    return error;
}

int gpu_mode_cursor(struct gpu_file *file, void *data)
{
    struct drm_mode_cursor2 args = {0};

    memcpy(&args, data, sizeof(struct drm_mode_cursor));
    return set_cursor(file, &args);
}

int gpu_mode_cursor2(struct gpu_file *file, void *data)
{
    return set_cursor(file, data);
}

/* Gamma tables are accepted and have no effect. */
int gpu_mode_setgamma(struct gpu_file *file, void *data)
{
    const struct drm_mode_crtc_lut *args = data;

    if (args->crtc_id != GPU_CRTC)
        return -ENOENT;
    return args->gamma_size == MAX_GAMMA ? 0 : -EINVAL;
}

/* --------------------------------------------------------------------- vertical blanks --- */

int gpu_wait_vblank(struct gpu_file *file, void *data)
{
    union drm_wait_vblank *args = data;
    const uint32_t known =
        _DRM_VBLANK_TYPES_MASK | _DRM_VBLANK_FLAGS_MASK | _DRM_VBLANK_HIGH_CRTC_MASK;
    uint64_t now = gpu_display_sequence(gpu_now()), target;
    unsigned type = args->request.type;

    if (type & ~known || type & (_DRM_VBLANK_SIGNAL | _DRM_VBLANK_HIGH_CRTC_MASK |
                                 _DRM_VBLANK_SECONDARY | _DRM_VBLANK_FLIP))
        return -EINVAL;
    if (!gpu_display_get()->is_active)
        return -EINVAL;
    target = type & _DRM_VBLANK_RELATIVE
                 ? now + args->request.sequence
                 : now + (int64_t)(int32_t)(args->request.sequence - (uint32_t)now);
    if (type & _DRM_VBLANK_NEXTONMISS && target <= now)
        target = now + 1;
    if (type & _DRM_VBLANK_EVENT) {
        const struct drm_event_vblank event = {.base = {DRM_EVENT_VBLANK, sizeof event},
                                               .user_data = args->request.signal};

        args->reply.sequence = (uint32_t)target;
        return gpu_display_send_at(file, MAX2(target, now), &event);
    }
    if (target > now + MAX_VBLANKS)
        return -EBUSY;
    while (gpu_wait(gpu_display_time(target)))
        ;
    now = MAX2(target, now);
    args->reply.sequence = (uint32_t)now;
    args->reply.tval_sec = gpu_display_time(now) / 1000000000;
    args->reply.tval_usec = gpu_display_time(now) % 1000000000 / 1000;
    return 0;
}

int gpu_crtc_get_sequence(struct gpu_file *file, void *data)
{
    struct drm_crtc_get_sequence *args = data;

    if (args->crtc_id != GPU_CRTC)
        return -ENOENT;
    args->active = gpu_display_get()->is_active;
    args->sequence = gpu_display_sequence(gpu_now());
    args->sequence_ns = gpu_display_time(args->sequence);
    return 0;
}

int gpu_crtc_queue_sequence(struct gpu_file *file, void *data)
{
    struct drm_crtc_queue_sequence *args = data;
    const struct drm_event_crtc_sequence event = {
        .base = {DRM_EVENT_CRTC_SEQUENCE, sizeof event},
        .user_data = args->user_data,
    };
    uint64_t now = gpu_display_sequence(gpu_now());

    if (args->crtc_id != GPU_CRTC)
        return -ENOENT;
    if (args->flags & ~(uint32_t)(DRM_CRTC_SEQUENCE_RELATIVE | DRM_CRTC_SEQUENCE_NEXT_ON_MISS))
        return -EINVAL;
    if (!gpu_display_get()->is_active)
        return -EINVAL;
    if (args->flags & DRM_CRTC_SEQUENCE_RELATIVE)
        args->sequence += now;
    if (args->flags & DRM_CRTC_SEQUENCE_NEXT_ON_MISS && args->sequence <= now)
        args->sequence = now + 1;
    return gpu_display_send_at(file, MAX2(args->sequence, now), &event);
}
