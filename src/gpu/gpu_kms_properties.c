/* SPDX-License-Identifier: MIT */
/* Properties of the display's objects, blobs, and atomic changes. Names, ranges and rules are those
 * of the kernel's documentation, "KMS Properties". */
#include <errno.h>
#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_device.h"
#include "gpu/gpu_display.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_framebuffer.h"
#include "gpu/gpu_kms.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_user.h"
#include "util/macros.h"

/* ------------------------------------------------------------------------------- blobs --- */

enum { FIRST_BLOB = 1 << 16, MAX_BLOB = 1 << 16 };

struct blob {
    struct gpu_file *file; /* its creator; NULL: the display */
    uint32_t size;
    uint8_t data[];
};

static struct gpu_table blobs;

static uint32_t create_blob(struct gpu_file *file, const void *data, uint32_t size)
{
    struct blob *blob = malloc(sizeof *blob + size);
    uint32_t id;

    if (!blob)
        return 0;
    blob->file = file;
    blob->size = size;
    memcpy(blob->data, data, size);
    if (!blobs.first)
        gpu_table_init(&blobs, FIRST_BLOB);
    id = gpu_table_add(&blobs, blob);
    if (!id)
        free(blob);
    return id;
}

/* Returns the blob of IN_FORMATS, or 0. */
static uint32_t formats_blob(void)
{
    static uint32_t id;
    uint64_t data[64];
    size_t size = gpu_framebuffer_formats(NULL);

    if (!id && size <= sizeof data) {
        gpu_framebuffer_formats(data);
        id = create_blob(NULL, data, (uint32_t)size);
    }
    return id;
}

void gpu_kms_close(struct gpu_file *file)
{
    struct blob *blob;
    uint32_t id;

    gpu_table_foreach(&blobs, id, blob)
    {
        if (blob->file == file) {
            gpu_table_remove(&blobs, id);
            free(blob);
        }
    }
}

int gpu_mode_createpropblob(struct gpu_file *file, void *data)
{
    struct drm_mode_create_blob *args = data;
    uint8_t *bytes;
    int error;

    if (!args->length || args->length > MAX_BLOB)
        return -EINVAL;
    error = gpu_read_user_array((void **)&bytes, args->data, args->length, 1);
    if (error)
        return error;
    args->blob_id = create_blob(file, bytes, args->length);
    free(bytes);
    return args->blob_id ? 0 : -ENOMEM;
}

int gpu_mode_destroypropblob(struct gpu_file *file, void *data)
{
    const struct drm_mode_destroy_blob *args = data;
    struct blob *blob = gpu_table_get(&blobs, args->blob_id);

    if (!blob)
        return -ENOENT;
    if (blob->file != file)
        return -EPERM;
    gpu_table_remove(&blobs, args->blob_id);
    free(blob);
    return 0;
}

int gpu_mode_getpropblob(struct gpu_file *file, void *data)
{
    struct drm_mode_get_blob *args = data;
    const struct blob *blob;

    /* The blob of a mode lives as long as the mode, even if the program destroys it. */
    if (args->blob_id && args->blob_id == gpu_display_get()->mode_blob) {
        if (args->length == sizeof gpu_display_get()->mode &&
            gpu_write_user(args->data, &gpu_display_get()->mode, args->length) != 0)
            return -EFAULT;
        args->length = sizeof gpu_display_get()->mode;
        return 0;
    }
    blob = gpu_table_get(&blobs, args->blob_id);
    if (!blob)
        return -ENOENT;
    if (args->length == blob->size && gpu_write_user(args->data, blob->data, blob->size) != 0)
        return -EFAULT;
    args->length = blob->size;
    return 0;
}

/* -------------------------------------------------------------------------- properties --- */

enum property_id {
    P_ACTIVE = 100,
    P_MODE_ID,
    P_OUT_FENCE_PTR,
    P_CONNECTOR_CRTC_ID,
    P_DPMS,
    P_EDID,
    P_NON_DESKTOP,
    P_LINK_STATUS,
    P_TYPE,
    P_FB_ID,
    P_CRTC_ID,
    P_CRTC_X,
    P_CRTC_Y,
    P_CRTC_W,
    P_CRTC_H,
    P_SRC_X,
    P_SRC_Y,
    P_SRC_W,
    P_SRC_H,
    P_IN_FENCE_FD,
    P_IN_FORMATS,
    P_END,
};

#define ATOMIC    DRM_MODE_PROP_ATOMIC
#define IMMUTABLE DRM_MODE_PROP_IMMUTABLE
#define RANGE     DRM_MODE_PROP_RANGE
#define SIGNED    DRM_MODE_PROP_SIGNED_RANGE
#define OBJECT    DRM_MODE_PROP_OBJECT
#define BLOB      DRM_MODE_PROP_BLOB
#define ENUM      DRM_MODE_PROP_ENUM

static const struct property {
    uint32_t object_type; /* DRM_MODE_OBJECT_* that has it */
    const char *name;
    uint32_t flags;
    uint64_t values[2];
    const char *enums[4]; /* by value */
} properties[P_END - P_ACTIVE] = {
#define P(id) [P_##id - P_ACTIVE]
    P(ACTIVE) = {DRM_MODE_OBJECT_CRTC, "ACTIVE", RANGE | ATOMIC, {0, 1}},
    P(MODE_ID) = {DRM_MODE_OBJECT_CRTC, "MODE_ID", BLOB | ATOMIC},
    P(OUT_FENCE_PTR) = {DRM_MODE_OBJECT_CRTC, "OUT_FENCE_PTR", RANGE | ATOMIC, {0, UINT64_MAX}},
    P(CONNECTOR_CRTC_ID) = {DRM_MODE_OBJECT_CONNECTOR,
                            "CRTC_ID",
                            OBJECT | ATOMIC,
                            {DRM_MODE_OBJECT_CRTC}},
    P(DPMS) = {DRM_MODE_OBJECT_CONNECTOR, "DPMS", ENUM, {0}, {"On", "Standby", "Suspend", "Off"}},
    P(EDID) = {DRM_MODE_OBJECT_CONNECTOR, "EDID", BLOB | IMMUTABLE},
    P(NON_DESKTOP) = {DRM_MODE_OBJECT_CONNECTOR, "non-desktop", RANGE | IMMUTABLE, {0, 1}},
    P(LINK_STATUS) = {DRM_MODE_OBJECT_CONNECTOR, "link-status", ENUM, {0}, {"Good", "Bad"}},
    P(TYPE) =
        {DRM_MODE_OBJECT_PLANE, "type", ENUM | IMMUTABLE, {0}, {"Overlay", "Primary", "Cursor"}},
    P(FB_ID) = {DRM_MODE_OBJECT_PLANE, "FB_ID", OBJECT | ATOMIC, {DRM_MODE_OBJECT_FB}},
    P(CRTC_ID) = {DRM_MODE_OBJECT_PLANE, "CRTC_ID", OBJECT | ATOMIC, {DRM_MODE_OBJECT_CRTC}},
    P(CRTC_X) = {DRM_MODE_OBJECT_PLANE,
                 "CRTC_X",
                 SIGNED | ATOMIC,
                 {(uint64_t)INT32_MIN, INT32_MAX}},
    P(CRTC_Y) = {DRM_MODE_OBJECT_PLANE,
                 "CRTC_Y",
                 SIGNED | ATOMIC,
                 {(uint64_t)INT32_MIN, INT32_MAX}},
    P(CRTC_W) = {DRM_MODE_OBJECT_PLANE, "CRTC_W", RANGE | ATOMIC, {0, INT32_MAX}},
    P(CRTC_H) = {DRM_MODE_OBJECT_PLANE, "CRTC_H", RANGE | ATOMIC, {0, INT32_MAX}},
    P(SRC_X) = {DRM_MODE_OBJECT_PLANE, "SRC_X", RANGE | ATOMIC, {0, UINT32_MAX}},
    P(SRC_Y) = {DRM_MODE_OBJECT_PLANE, "SRC_Y", RANGE | ATOMIC, {0, UINT32_MAX}},
    P(SRC_W) = {DRM_MODE_OBJECT_PLANE, "SRC_W", RANGE | ATOMIC, {0, UINT32_MAX}},
    P(SRC_H) = {DRM_MODE_OBJECT_PLANE, "SRC_H", RANGE | ATOMIC, {0, UINT32_MAX}},
    P(IN_FENCE_FD) = {DRM_MODE_OBJECT_PLANE,
                      "IN_FENCE_FD",
                      SIGNED | ATOMIC,
                      {(uint64_t)-1, INT32_MAX}},
    P(IN_FORMATS) = {DRM_MODE_OBJECT_PLANE, "IN_FORMATS", BLOB | IMMUTABLE},
#undef P
};

static const struct property *find_property(uint32_t id)
{
    return id >= P_ACTIVE && id < P_END ? &properties[id - P_ACTIVE] : NULL;
}

/* Returns the DRM_MODE_OBJECT_* of an object, or 0. */
static uint32_t type_of(uint32_t object)
{
    switch (object) {
    case GPU_CRTC:
        return DRM_MODE_OBJECT_CRTC;
    case GPU_ENCODER:
        return DRM_MODE_OBJECT_ENCODER;
    case GPU_CONNECTOR:
        return DRM_MODE_OBJECT_CONNECTOR;
    case GPU_PRIMARY:
    case GPU_CURSOR:
        return DRM_MODE_OBJECT_PLANE;
    default:
        return gpu_framebuffer_get(object) ? DRM_MODE_OBJECT_FB : 0;
    }
}

static uint64_t get_plane_value(const struct gpu_plane_state *plane, uint32_t object, uint32_t id)
{
    switch (id) {
    case P_TYPE:
        return object == GPU_PRIMARY ? 1 : 2; /* of the names of P_TYPE */
    case P_FB_ID:
        return plane->fb ? plane->fb->id : 0;
    case P_CRTC_ID:
        return plane->crtc;
    case P_CRTC_X:
        return (uint64_t)plane->x;
    case P_CRTC_Y:
        return (uint64_t)plane->y;
    case P_CRTC_W:
        return plane->width;
    case P_CRTC_H:
        return plane->height;
    case P_SRC_X:
        return plane->src_x;
    case P_SRC_Y:
        return plane->src_y;
    case P_SRC_W:
        return plane->src_width;
    case P_SRC_H:
        return plane->src_height;
    case P_IN_FENCE_FD:
        return (uint64_t)-1;
    default:
        return formats_blob();
    }
}

static uint64_t get_value(const struct gpu_display_state *state, uint32_t object, uint32_t id)
{
    switch (id) {
    case P_ACTIVE:
        return state->is_active;
    case P_MODE_ID:
        return state->mode_blob;
    case P_CONNECTOR_CRTC_ID:
        return state->is_connected ? GPU_CRTC : 0;
    case P_DPMS:
        return state->is_active ? DRM_MODE_DPMS_ON : DRM_MODE_DPMS_OFF;
    case P_OUT_FENCE_PTR:
    case P_EDID:
    case P_NON_DESKTOP:
    case P_LINK_STATUS:
        return 0;
    default:
        return get_plane_value(&state->planes[object == GPU_CURSOR], object, id);
    }
}

/* Returns whether an object has a property that the file may see. */
static bool has_property(const struct gpu_file *file, uint32_t object, uint32_t id)
{
    const struct property *property = find_property(id);

    return property && property->object_type == type_of(object) &&
           (!(property->flags & ATOMIC) || file->is_atomic);
}

int gpu_kms_get_properties(const struct gpu_file *file, uint32_t object, uint64_t ids,
                           uint64_t values, uint32_t *count)
{
    uint32_t found[P_END - P_ACTIVE], length = 0, room = *count;
    uint64_t contents[P_END - P_ACTIVE];
    int error;

    if (!type_of(object))
        return -ENOENT;
    for (uint32_t id = P_ACTIVE; id < P_END; id++) {
        if (!has_property(file, object, id))
            continue;
        found[length] = id;
        contents[length++] = get_value(gpu_display_get(), object, id);
    }
    error = gpu_kms_store(ids, count, found, length, sizeof found[0]);
    return error ? error : gpu_kms_store(values, &room, contents, length, sizeof contents[0]);
}

int gpu_mode_obj_getproperties(struct gpu_file *file, void *data)
{
    struct drm_mode_obj_get_properties *args = data;
    uint32_t type = type_of(args->obj_id);

    if (!type || (args->obj_type && args->obj_type != type))
        return -ENOENT;
    if (type != DRM_MODE_OBJECT_CRTC && type != DRM_MODE_OBJECT_CONNECTOR &&
        type != DRM_MODE_OBJECT_PLANE)
        return -EINVAL;
    return gpu_kms_get_properties(file, args->obj_id, args->props_ptr, args->prop_values_ptr,
                                  &args->count_props);
}

int gpu_mode_getproperty(struct gpu_file *file, void *data)
{
    struct drm_mode_get_property *args = data;
    const struct property *property = find_property(args->prop_id);
    struct drm_mode_property_enum enums[ARRAY_SIZE(property->enums)] = {0};
    uint32_t count = 0, values;
    int error;

    if (!property)
        return -ENOENT;
    memset(args->name, 0, sizeof args->name);
    strncpy(args->name, property->name, sizeof args->name - 1);
    args->flags = property->flags;
    while (count < ARRAY_SIZE(enums) && property->enums[count]) {
        enums[count].value = count;
        strncpy(enums[count].name, property->enums[count], sizeof enums[count].name - 1);
        count++;
    }
    values = property->flags & (RANGE | BLOB)                            ? 2
             : (property->flags & DRM_MODE_PROP_EXTENDED_TYPE) == SIGNED ? 2
             : (property->flags & DRM_MODE_PROP_EXTENDED_TYPE) == OBJECT ? 1
                                                                         : count;
    if (property->flags & BLOB) {
        args->count_values = args->count_enum_blobs = 0;
        return 0;
    }
    if (property->flags & ENUM) {
        uint64_t numbers[ARRAY_SIZE(enums)] = {0, 1, 2, 3};

        error = gpu_kms_store(args->values_ptr, &args->count_values, numbers, values,
                              sizeof numbers[0]);
    } else {
        error = gpu_kms_store(args->values_ptr, &args->count_values, property->values, values,
                              sizeof property->values[0]);
    }
    return error ? error
                 : gpu_kms_store(args->enum_blob_ptr, &args->count_enum_blobs, enums, count,
                                 sizeof enums[0]);
}

/* ----------------------------------------------------------------------------- changes --- */

/* A change that a request describes. */
struct change {
    struct gpu_commit commit;
    uint64_t out_fence; /* address of OUT_FENCE_PTR, or 0 */
};

static bool is_in_range(const struct property *property, uint64_t value)
{
    if ((property->flags & DRM_MODE_PROP_EXTENDED_TYPE) == SIGNED)
        return (int64_t)value >= (int64_t)property->values[0] &&
               (int64_t)value <= (int64_t)property->values[1];
    if (property->flags & RANGE)
        return value >= property->values[0] && value <= property->values[1];
    if (property->flags & ENUM)
        return value < ARRAY_SIZE(property->enums) && property->enums[value];
    return value <= UINT32_MAX;
}

static int set_mode(struct gpu_display_state *state, uint32_t id)
{
    const struct blob *blob = gpu_table_get(&blobs, id);

    if (id && id == state->mode_blob)
        return 0;
    if (id && (!blob || blob->size != sizeof state->mode))
        return -EINVAL;
    state->mode_blob = id;
    state->has_mode = id != 0;
    memset(&state->mode, 0, sizeof state->mode);
    if (blob)
        memcpy(&state->mode, blob->data, sizeof state->mode);
    return !id || (state->mode.hdisplay && state->mode.vdisplay) ? 0 : -EINVAL;
}

static int add_in_fence(struct gpu_commit *commit, int fd)
{
    struct gpu_fence *fences[2] = {commit->fence}, *all;

    if (fd < 0)
        return 0;
    fences[1] = gpu_sync_file_fence(fd);
    if (!fences[1])
        return -EINVAL;
    all = gpu_fence_create_all(fences[0] ? fences : fences + 1, fences[0] ? 2 : 1);
    gpu_fence_unref(fences[1]);
    if (!all)
        return -ENOMEM;
    gpu_fence_unref(commit->fence);
    commit->fence = all;
    return 0;
}

/* Returns 0 if a property may have an object as its value. */
static int check_crtc(uint64_t id)
{
    return !id || id == GPU_CRTC ? 0 : -EINVAL;
}

static int set_plane_value(struct gpu_commit *commit, struct gpu_plane_state *plane, uint32_t id,
                           uint64_t value)
{
    switch (id) {
    case P_FB_ID:
        if (value && !gpu_framebuffer_get((uint32_t)value))
            return -EINVAL;
        gpu_plane_set_fb(plane, gpu_framebuffer_get((uint32_t)value));
        return 0;
    case P_CRTC_ID:
        plane->crtc = (uint32_t)value;
        return check_crtc(value);
    case P_CRTC_X:
        plane->x = (int32_t)value;
        return 0;
    case P_CRTC_Y:
        plane->y = (int32_t)value;
        return 0;
    case P_CRTC_W:
        plane->width = (uint32_t)value;
        return 0;
    case P_CRTC_H:
        plane->height = (uint32_t)value;
        return 0;
    case P_SRC_X:
        plane->src_x = (uint32_t)value;
        return 0;
    case P_SRC_Y:
        plane->src_y = (uint32_t)value;
        return 0;
    case P_SRC_W:
        plane->src_width = (uint32_t)value;
        return 0;
    case P_SRC_H:
        plane->src_height = (uint32_t)value;
        return 0;
    case P_IN_FENCE_FD:
        return add_in_fence(commit, (int)value);
    default:
        return -EINVAL;
    }
}

static int set_value(struct change *change, uint32_t object, uint32_t id, uint64_t value)
{
    struct gpu_display_state *state = &change->commit.state;
    const struct property *property = find_property(id);

    if (property->flags & IMMUTABLE || !is_in_range(property, value))
        return -EINVAL;
    switch (id) {
    case P_ACTIVE:
        state->is_active = value != 0;
        return 0;
    case P_MODE_ID:
        return set_mode(state, (uint32_t)value);
    case P_OUT_FENCE_PTR:
        change->out_fence = value;
        return 0;
    case P_CONNECTOR_CRTC_ID:
        state->is_connected = value != 0;
        return check_crtc(value);
    case P_DPMS:
    case P_LINK_STATUS:
        return 0;
    default:
        return set_plane_value(&change->commit, &state->planes[object == GPU_CURSOR], id, value);
    }
}

static void finish_change(struct change *change)
{
    gpu_display_state_finish(&change->commit.state);
    gpu_fence_unref(change->commit.fence);
    gpu_fence_unref(change->commit.out_fence);
}

/* Sets a property by a request that is not atomic. */
static int set_single(struct gpu_file *file, uint32_t object, uint32_t id, uint64_t value)
{
    struct change change = {0};
    int error;

    if (!type_of(object) || !has_property(file, object, id))
        return -ENOENT;
    if (find_property(id)->flags & ATOMIC)
        return -EINVAL;
    gpu_display_state_copy(&change.commit.state, gpu_display_get());
    if (id == P_DPMS)
        change.commit.state.is_active = value == DRM_MODE_DPMS_ON && change.commit.state.has_mode;
    error = set_value(&change, object, id, value);
    if (!error)
        return gpu_kms_commit(&change.commit, true);
    finish_change(&change);
    return error;
}

int gpu_mode_setproperty(struct gpu_file *file, void *data)
{
    const struct drm_mode_connector_set_property *args = data;

    return set_single(file, args->connector_id, args->prop_id, args->value);
}

int gpu_mode_obj_setproperty(struct gpu_file *file, void *data)
{
    const struct drm_mode_obj_set_property *args = data;

    return set_single(file, args->obj_id, args->prop_id, args->value);
}

/* The lists of an atomic request, copied from the program. */
struct lists {
    uint32_t *objects, *counts, *properties;
    uint64_t *values;
};

static void free_lists(struct lists *lists)
{
    free(lists->objects);
    free(lists->counts);
    free(lists->properties);
    free(lists->values);
}

static int read_lists(const struct drm_mode_atomic *args, struct lists *lists)
{
    uint64_t total = 0;
    int error = gpu_read_user_array((void **)&lists->objects, args->objs_ptr, args->count_objs,
                                    sizeof lists->objects[0]);

    if (!error)
        error = gpu_read_user_array((void **)&lists->counts, args->count_props_ptr,
                                    args->count_objs, sizeof lists->counts[0]);
    for (uint32_t i = 0; i < args->count_objs && !error; i++)
        total += lists->counts[i];
    if (!error)
        error = gpu_read_user_array((void **)&lists->properties, args->props_ptr, total,
                                    sizeof lists->properties[0]);
    if (!error)
        error = gpu_read_user_array((void **)&lists->values, args->prop_values_ptr, total,
                                    sizeof lists->values[0]);
    return error;
}

static int apply(struct gpu_file *file, const struct drm_mode_atomic *args,
                 const struct lists *lists, struct change *change)
{
    for (uint32_t i = 0, k = 0; i < args->count_objs; i++) {
        if (!type_of(lists->objects[i]))
            return -ENOENT;
        for (uint32_t end = k + lists->counts[i]; k < end; k++) {
            int error =
                has_property(file, lists->objects[i], lists->properties[k])
                    ? set_value(change, lists->objects[i], lists->properties[k], lists->values[k])
                    : -ENOENT;

            if (error)
                return error;
        }
    }
    return 0;
}

/* Creates the fence of OUT_FENCE_PTR and stores its descriptor. */
static int create_out_fence(struct change *change)
{
    struct gpu_fence *fence = gpu_fence_create();
    int32_t fd;

    if (!fence)
        return -ENOMEM;
    fd = gpu_sync_file_create(fence);
    change->commit.out_fence = fence;
    if (fd < 0)
        return fd;
    if (gpu_write_user(change->out_fence, &fd, sizeof fd) != 0) {
        gpu_fd_close(fd);
        return -EFAULT;
    }
    return 0;
}

/* Returns whether a change needs DRM_MODE_ATOMIC_ALLOW_MODESET. */
static bool is_modeset(const struct gpu_display_state *to)
{
    const struct gpu_display_state *from = gpu_display_get();

    return from->is_active != to->is_active || from->is_connected != to->is_connected ||
           from->has_mode != to->has_mode || memcmp(&from->mode, &to->mode, sizeof to->mode) != 0;
}

static int commit(struct gpu_file *file, const struct drm_mode_atomic *args, struct change *change)
{
    int error = gpu_display_check(&change->commit.state);

    if (!error && is_modeset(&change->commit.state) &&
        !(args->flags & DRM_MODE_ATOMIC_ALLOW_MODESET))
        error = -EINVAL;
    if (!error && args->flags & DRM_MODE_PAGE_FLIP_EVENT) {
        if (!change->commit.state.is_active && !gpu_display_get()->is_active)
            error = -EINVAL;
        change->commit.file = file;
        change->commit.user_data = args->user_data;
    }
    if (!error && !(args->flags & DRM_MODE_ATOMIC_TEST_ONLY) && change->out_fence)
        error = create_out_fence(change);
    if (error || args->flags & DRM_MODE_ATOMIC_TEST_ONLY) {
        finish_change(change);
        return error;
    }
    return gpu_kms_commit(&change->commit, !(args->flags & DRM_MODE_ATOMIC_NONBLOCK));
}

int gpu_mode_atomic(struct gpu_file *file, void *data)
{
    const struct drm_mode_atomic *args = data;
    struct change change = {0};
    struct lists lists = {0};
    int error;

    if (!file->is_atomic || args->reserved ||
        args->flags & ~(uint32_t)(DRM_MODE_ATOMIC_TEST_ONLY | DRM_MODE_ATOMIC_NONBLOCK |
                                  DRM_MODE_ATOMIC_ALLOW_MODESET | DRM_MODE_PAGE_FLIP_EVENT))
        return -EINVAL;
    if (args->flags & DRM_MODE_ATOMIC_TEST_ONLY && args->flags & DRM_MODE_PAGE_FLIP_EVENT)
        return -EINVAL;
    error = read_lists(args, &lists);
    if (!error) {
        gpu_display_state_copy(&change.commit.state, gpu_display_get());
        error = apply(file, args, &lists, &change);
        if (error)
            finish_change(&change);
        else
            error = commit(file, args, &change);
    }
    free_lists(&lists);
    return error;
}
