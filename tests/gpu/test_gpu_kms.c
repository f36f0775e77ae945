/* SPDX-License-Identifier: MIT */
/* Mode setting: resources, framebuffers, flips and their events, properties, atomic changes. */
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm_fourcc.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gpu_client.h"

struct display {
    int fd;
    uint32_t crtc, connector, encoder;
    struct drm_mode_modeinfo mode;
};

static struct display open_display(void)
{
    struct display d = {.fd = open_card()};
    struct drm_mode_card_res resources = {.crtc_id_ptr = (uintptr_t)&d.crtc,
                                          .connector_id_ptr = (uintptr_t)&d.connector,
                                          .encoder_id_ptr = (uintptr_t)&d.encoder,
                                          .count_crtcs = 1,
                                          .count_connectors = 1,
                                          .count_encoders = 1};
    struct drm_mode_get_connector connector = {.count_modes = 1, .modes_ptr = (uintptr_t)&d.mode};

    do_ioctl(d.fd, DRM_IOCTL_MODE_GETRESOURCES, &resources);
    assert_int_equal(resources.count_crtcs, 1);
    connector.connector_id = d.connector;
    do_ioctl(d.fd, DRM_IOCTL_MODE_GETCONNECTOR, &connector);
    assert_int_equal(connector.connection, 1);
    assert_int_equal(connector.count_modes, 1);
    assert_int_equal(d.mode.hdisplay, 1024);
    assert_int_equal(d.mode.vdisplay, 768);
    return d;
}

/* Returns 0 or an error number. */
static int try_framebuffer(int fd, uint32_t handle, uint32_t width, uint32_t height, uint32_t pitch,
                           uint64_t modifier, uint32_t *id)
{
    struct drm_mode_fb_cmd2 add = {.width = width,
                                   .height = height,
                                   .pixel_format = DRM_FORMAT_XRGB8888,
                                   .handles = {handle},
                                   .pitches = {pitch},
                                   .flags = modifier ? DRM_MODE_FB_MODIFIERS : 0,
                                   .modifier = {modifier}};
    int error = try_ioctl(fd, DRM_IOCTL_MODE_ADDFB2, &add);

    *id = add.fb_id;
    return error;
}

static uint32_t create_framebuffer(int fd, uint32_t width, uint32_t height)
{
    uint32_t id = 0;

    assert_int_equal(try_framebuffer(fd, create_buffer(fd, (uint64_t)width * height * 4), width,
                                     height, width * 4, 0, &id),
                     0);
    assert_int_not_equal(id, 0);
    return id;
}

static int try_set_crtc(const struct display *d, uint32_t fb)
{
    struct drm_mode_crtc set = {.set_connectors_ptr = (uintptr_t)&d->connector,
                                .count_connectors = fb ? 1 : 0,
                                .crtc_id = d->crtc,
                                .fb_id = fb,
                                .mode_valid = fb != 0,
                                .mode = d->mode};

    return try_ioctl(d->fd, DRM_IOCTL_MODE_SETCRTC, &set);
}

static uint32_t shown(const struct display *d)
{
    struct drm_mode_crtc get = {.crtc_id = d->crtc};

    do_ioctl(d->fd, DRM_IOCTL_MODE_GETCRTC, &get);
    return get.fb_id;
}

static int try_flip(const struct display *d, uint32_t fb, uint64_t user_data)
{
    struct drm_mode_crtc_page_flip flip = {
        .crtc_id = d->crtc, .fb_id = fb, .flags = DRM_MODE_PAGE_FLIP_EVENT, .user_data = user_data};

    return try_ioctl(d->fd, DRM_IOCTL_MODE_PAGE_FLIP, &flip);
}

/* Reads the event of a flip. Returns its number of vertical blanks. */
static uint32_t read_flip(const struct display *d, uint64_t user_data)
{
    struct pollfd poll_fd = {.fd = d->fd, .events = POLLIN};
    struct drm_event_vblank event;

    assert_int_equal(poll(&poll_fd, 1, 10000), 1);
    assert_int_equal(read(d->fd, &event, sizeof event), sizeof event);
    assert_int_equal(event.base.type, DRM_EVENT_FLIP_COMPLETE);
    assert_int_equal(event.base.length, sizeof event);
    assert_int_equal(event.user_data, user_data);
    assert_int_equal(event.crtc_id, d->crtc);
    return event.sequence;
}

static void test_framebuffers(void **state)
{
    int fd = open_card();
    uint32_t handle = create_buffer(fd, 64 * 64 * 4), id = 0;
    struct drm_mode_fb_cmd2 get = {0};

    assert_int_equal(try_framebuffer(fd, handle, 64, 64, 256, 0, &id), 0);
    get.fb_id = id;
    do_ioctl(fd, DRM_IOCTL_MODE_GETFB2, &get);
    assert_int_equal(get.width, 64);
    assert_int_equal(get.pitches[0], 256);
    assert_int_equal(get.pixel_format, DRM_FORMAT_XRGB8888);
    do_ioctl(fd, DRM_IOCTL_MODE_RMFB, &id);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_MODE_RMFB, &id), ENOENT);
    assert_int_equal(try_framebuffer(fd, handle, 64, 65, 256, 0, &id), EINVAL);
    assert_int_equal(try_framebuffer(fd, handle, 64, 64, 252, 0, &id), EINVAL);
    assert_int_equal(try_framebuffer(fd, handle, 0, 64, 256, 0, &id), EINVAL);
    assert_int_equal(try_framebuffer(fd, handle + 7, 64, 64, 256, 0, &id), ENOENT);
    /* A tile of X has 8 rows of 512 bytes. */
    assert_int_equal(try_framebuffer(fd, handle, 64, 64, 256, I915_FORMAT_MOD_X_TILED, &id),
                     EINVAL);
    assert_int_equal(try_framebuffer(fd, handle, 64, 32, 512, I915_FORMAT_MOD_X_TILED, &id), 0);
    assert_int_equal(try_framebuffer(fd, handle, 64, 33, 512, I915_FORMAT_MOD_X_TILED, &id),
                     EINVAL);
    close(fd);
}

static void test_flips(void **state)
{
    struct display d = open_display();
    uint32_t a = create_framebuffer(d.fd, 1024, 768), b = create_framebuffer(d.fd, 1024, 768);
    uint32_t small = create_framebuffer(d.fd, 1008, 768);
    uint32_t first, second;

    assert_int_equal(try_flip(&d, a, 1), EBUSY); /* there is no mode */
    assert_int_equal(try_set_crtc(&d, small), ENOSPC);
    assert_int_equal(try_set_crtc(&d, a), 0);
    assert_int_equal(shown(&d), a);
    assert_int_equal(try_flip(&d, 1, 1), ENOENT);
    assert_int_equal(try_flip(&d, b, 77), 0);
    assert_int_equal(try_flip(&d, a, 78), EBUSY); /* the first one waits for a vertical blank */
    first = read_flip(&d, 77);
    assert_int_equal(shown(&d), b);
    assert_int_equal(try_flip(&d, a, 79), 0);
    second = read_flip(&d, 79);
    assert_true(second > first);
    /* A framebuffer that is removed is not shown anymore. */
    do_ioctl(d.fd, DRM_IOCTL_MODE_RMFB, &a);
    assert_int_equal(shown(&d), 0);
    assert_int_equal(try_set_crtc(&d, 0), 0);
    close(d.fd);
}

/* A flip waits until the batches that write the framebuffer are complete. */
static void test_flip_waits(void **state)
{
    static const uint32_t wait[] = {
        0x1c << 23 | 1 << 15 | 1 << 12 |
            2, /* MI_SEMAPHORE_WAIT: polls until the value is at least 1 */
        1,
        0,
        0,
        MI_BATCH_BUFFER_END,
    };
    struct display d = open_display();
    uint32_t handle = create_buffer(d.fd, 1024 * 768 * 4), a = 0, one = 1;
    uint32_t b = create_framebuffer(d.fd, 1024, 768);
    uint32_t semaphore = create_buffer(d.fd, PAGE);
    struct drm_i915_gem_relocation_entry relocation = {.target_handle = semaphore, .offset = 8};
    struct drm_i915_gem_exec_object2 objects[3] = {
        {.handle = handle, .flags = EXEC_OBJECT_WRITE},
        {.handle = semaphore, .flags = EXEC_OBJECT_ASYNC},
        {.relocs_ptr = (uintptr_t)&relocation, .relocation_count = 1},
    };
    struct pollfd poll_fd = {.fd = d.fd, .events = POLLIN};
    int map_fd = d.fd;

    if (!has_model(d.fd)) {
        close(d.fd);
        skip();
    }
    assert_int_equal(try_framebuffer(d.fd, handle, 1024, 768, 4096, 0, &a), 0);
    assert_int_equal(try_set_crtc(&d, b), 0);
    objects[2].handle = create_batch(d.fd, wait, 5);
    assert_int_equal(try_exec(d.fd, objects, 3, 0, 0), 0);
    assert_int_equal(try_flip(&d, a, 5), 0);
    assert_int_equal(poll(&poll_fd, 1, 100), 0);
    {
        uint32_t *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd,
                             (off_t)mmap_offset(map_fd, semaphore));

        assert_ptr_not_equal(map, MAP_FAILED);
        __atomic_store_n(map, one, __ATOMIC_RELEASE);
        munmap(map, PAGE);
    }
    read_flip(&d, 5);
    close(d.fd);
}

/* Returns the id of an object's property, or 0, and stores its value. */
static uint32_t find_property(int fd, uint32_t object, const char *name, uint64_t *value)
{
    uint32_t ids[32];
    uint64_t values[32];
    struct drm_mode_obj_get_properties get = {.props_ptr = (uintptr_t)ids,
                                              .prop_values_ptr = (uintptr_t)values,
                                              .count_props = 32,
                                              .obj_id = object};

    do_ioctl(fd, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &get);
    for (uint32_t i = 0; i < get.count_props; i++) {
        struct drm_mode_get_property property = {.prop_id = ids[i]};

        do_ioctl(fd, DRM_IOCTL_MODE_GETPROPERTY, &property);
        if (strcmp(property.name, name) == 0) {
            if (value)
                *value = values[i];
            return ids[i];
        }
    }
    return 0;
}

/* An atomic request with up to 16 properties. */
struct request {
    uint32_t objects[16], counts[16], properties[16], count;
    uint64_t values[16];
};

static void add(struct request *r, int fd, uint32_t object, const char *name, uint64_t value)
{
    r->objects[r->count] = object;
    r->counts[r->count] = 1;
    r->properties[r->count] = find_property(fd, object, name, NULL);
    r->values[r->count++] = value;
}

static int try_commit(int fd, const struct request *r, uint32_t flags, uint64_t user_data)
{
    struct drm_mode_atomic atomic = {.flags = flags,
                                     .count_objs = r->count,
                                     .objs_ptr = (uintptr_t)r->objects,
                                     .count_props_ptr = (uintptr_t)r->counts,
                                     .props_ptr = (uintptr_t)r->properties,
                                     .prop_values_ptr = (uintptr_t)r->values,
                                     .user_data = user_data};

    return try_ioctl(fd, DRM_IOCTL_MODE_ATOMIC, &atomic);
}

/* Adds the properties of a plane that shows a framebuffer of the display's size. */
static void add_plane(struct request *r, int fd, uint32_t plane, uint32_t fb, uint32_t crtc)
{
    add(r, fd, plane, "FB_ID", fb);
    add(r, fd, plane, "CRTC_ID", crtc);
    add(r, fd, plane, "CRTC_W", 1024);
    add(r, fd, plane, "CRTC_H", 768);
    add(r, fd, plane, "SRC_W", 1024 << 16);
    add(r, fd, plane, "SRC_H", 768 << 16);
}

static uint32_t find_primary(int fd)
{
    uint32_t planes[4];
    struct drm_mode_get_plane_res get = {.plane_id_ptr = (uintptr_t)planes, .count_planes = 4};
    uint64_t type;

    do_ioctl(fd, DRM_IOCTL_MODE_GETPLANERESOURCES, &get);
    for (uint32_t i = 0; i < get.count_planes; i++) {
        if (find_property(fd, planes[i], "type", &type) && type == 1)
            return planes[i];
    }
    return 0;
}

static void test_atomic(void **state)
{
    struct display d = open_display();
    struct drm_set_client_cap cap = {DRM_CLIENT_CAP_ATOMIC, 1};
    struct drm_mode_create_blob blob = {.data = (uintptr_t)&d.mode, .length = sizeof d.mode};
    uint32_t a = create_framebuffer(d.fd, 1024, 768), b = create_framebuffer(d.fd, 1024, 768);
    struct request set = {0}, flip = {0}, off = {0};
    struct pollfd poll_fd;
    uint32_t primary;
    uint64_t value;
    int out = -1;

    assert_int_equal(find_primary(d.fd), 0); /* the program doesn't know such planes */
    assert_int_equal(find_property(d.fd, d.crtc, "ACTIVE", NULL), 0);
    assert_int_equal(try_commit(d.fd, &set, 0, 0), EINVAL);
    do_ioctl(d.fd, DRM_IOCTL_SET_CLIENT_CAP, &cap);
    primary = find_primary(d.fd);
    assert_int_not_equal(primary, 0);
    do_ioctl(d.fd, DRM_IOCTL_MODE_CREATEPROPBLOB, &blob);
    add_plane(&set, d.fd, primary, a, d.crtc);
    add(&set, d.fd, d.crtc, "ACTIVE", 1);
    add(&set, d.fd, d.crtc, "MODE_ID", blob.blob_id);
    assert_int_equal(try_commit(d.fd, &set, DRM_MODE_ATOMIC_ALLOW_MODESET, 0), EINVAL);
    add(&set, d.fd, d.connector, "CRTC_ID", d.crtc);
    assert_int_equal(try_commit(d.fd, &set, 0, 0), EINVAL); /* it needs ALLOW_MODESET */
    assert_int_equal(
        try_commit(d.fd, &set, DRM_MODE_ATOMIC_ALLOW_MODESET | DRM_MODE_ATOMIC_TEST_ONLY, 0), 0);
    assert_int_equal(shown(&d), 0);
    assert_int_equal(try_commit(d.fd, &set, DRM_MODE_ATOMIC_ALLOW_MODESET, 0), 0);
    assert_int_equal(shown(&d), a);
    add(&flip, d.fd, primary, "FB_ID", b);
    add(&flip, d.fd, d.crtc, "OUT_FENCE_PTR", (uintptr_t)&out);
    assert_int_equal(
        try_commit(d.fd, &flip, DRM_MODE_ATOMIC_NONBLOCK | DRM_MODE_PAGE_FLIP_EVENT, 9), 0);
    read_flip(&d, 9);
    poll_fd = (struct pollfd){.fd = out, .events = POLLIN};
    assert_int_equal(poll(&poll_fd, 1, 10000), 1);
    close(out);
    assert_int_equal(shown(&d), b);
    find_property(d.fd, primary, "FB_ID", &value);
    assert_int_equal(value, b);
    add(&off, d.fd, primary, "SRC_W", 1025 << 16);
    assert_int_equal(try_commit(d.fd, &off, 0, 0), ENOSPC);
    off = (struct request){0};
    add(&off, d.fd, primary, "type", 0);
    assert_int_equal(try_commit(d.fd, &off, 0, 0), EINVAL); /* it can't be changed */
    close(d.fd);
}

static void test_vblanks(void **state)
{
    struct display d = open_display();
    union drm_wait_vblank wait = {.request = {.type = _DRM_VBLANK_RELATIVE, .sequence = 0}};
    uint32_t start;

    assert_int_equal(try_ioctl(d.fd, DRM_IOCTL_WAIT_VBLANK, &wait), EINVAL); /* it is off */
    assert_int_equal(try_set_crtc(&d, create_framebuffer(d.fd, 1024, 768)), 0);
    do_ioctl(d.fd, DRM_IOCTL_WAIT_VBLANK, &wait);
    start = wait.reply.sequence;
    wait.request = (struct drm_wait_vblank_request){.type = _DRM_VBLANK_RELATIVE, .sequence = 2};
    do_ioctl(d.fd, DRM_IOCTL_WAIT_VBLANK, &wait);
    assert_true(wait.reply.sequence - start >= 2);
    close(d.fd);
}

/* Only the master changes the display, and render nodes have none. */
static void test_display_rights(void **state)
{
    struct display d = open_display();
    struct display other = d;
    struct drm_mode_card_res resources = {0};
    int render = open_render();

    other.fd = open_card();
    assert_int_equal(try_set_crtc(&other, 0), EACCES);
    assert_int_equal(try_ioctl(render, DRM_IOCTL_MODE_GETRESOURCES, &resources), EACCES);
    close(render);
    close(other.fd);
    close(d.fd);
}

const struct CMUnitTest kms_tests[] = {
    cmocka_unit_test(test_framebuffers),
    cmocka_unit_test(test_flips),
    cmocka_unit_test(test_flip_waits),
    cmocka_unit_test(test_atomic),
    cmocka_unit_test(test_vblanks),
    cmocka_unit_test(test_display_rights),
    {0},
};
