/* SPDX-License-Identifier: MIT */
/*
 * Random requests with random arguments. A request must return 0 or an error; it must not crash or
 * hang. Each run is a child process. A number seeds it, so it repeats the same requests.
 *
 * Usage: test_gpu_random [FIRST [COUNT]], numbers of runs.
 */
#include <errno.h>
#include <libdrm/drm_fourcc.h>
#include <libdrm/i915_drm.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "gpu/gpu_device.h"
#include "gpu/gpu_display.h"
#include "gpu/gpu_fd.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_system.h"
#include "util/macros.h"

enum {
    REQUESTS = 3000,
    SECONDS = 60,
    POOL_BYTES = 1 << 16,
    GUARD_BYTES = 1 << 16,
    IDS = 12,
    FIELDS = 8
};

/* What values a member of a struct may have. */
enum kind {
    NONE,
    ID,       /* of any object of the file */
    FD,       /* of a descriptor */
    COUNT,    /* 0 to 8, rarely more */
    PAGES,    /* a size or offset, mostly a multiple of a page */
    FLAGS,    /* few low bits */
    PARAM,    /* the number of a parameter */
    SMALL,    /* 0 to 15 */
    DATA,     /* the address of random bytes */
    LIST,     /* the address of random ids and flags */
    OBJECTS,  /* the address of a list of buffers */
    SETTING,  /* the address of a parameter of a new context */
    QUERIES,  /* the address of a list of queries */
    TIMEOUT,  /* at most 2 ms */
    DEADLINE, /* at most 2 ms from now */
    OBJECT,   /* the id of an object of the display, or of a property */
    NAMES,    /* the address of a list of such ids */
    FORMAT,   /* DRM_FORMAT_* */
    BYTES,    /* a size, mostly that of a mode */
};

struct field {
    unsigned offset, size;
    enum kind kind;
};

struct request {
    unsigned long number;
    struct field fields[FIELDS];
};

#define F(type, member, kind)                                                                      \
    {offsetof(struct type, member), sizeof(((struct type *)0)->member), kind}

/* The first 4 bytes of an array. */
#define FIRST(type, member, kind) {offsetof(struct type, member), 4, kind}

static const struct request requests[] = {
    {DRM_IOCTL_I915_GETPARAM,
     {F(drm_i915_getparam, param, PARAM), F(drm_i915_getparam, value, DATA)}},
    {DRM_IOCTL_I915_GEM_CREATE, {F(drm_i915_gem_create, size, PAGES)}},
    {DRM_IOCTL_I915_GEM_CREATE, {F(drm_i915_gem_create, size, PAGES)}},
    {DRM_IOCTL_I915_GEM_CREATE_EXT,
     {F(drm_i915_gem_create_ext, size, PAGES), F(drm_i915_gem_create_ext, flags, FLAGS),
      F(drm_i915_gem_create_ext, extensions, LIST)}},
    {DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
     {F(drm_i915_gem_execbuffer2, buffers_ptr, OBJECTS),
      F(drm_i915_gem_execbuffer2, buffer_count, COUNT), F(drm_i915_gem_execbuffer2, flags, FLAGS),
      F(drm_i915_gem_execbuffer2, rsvd1, ID), F(drm_i915_gem_execbuffer2, rsvd2, FD)}},
    {DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
     {F(drm_i915_gem_execbuffer2, buffers_ptr, OBJECTS),
      F(drm_i915_gem_execbuffer2, buffer_count, COUNT)}},
    {DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
     {F(drm_i915_gem_execbuffer2, buffers_ptr, OBJECTS),
      F(drm_i915_gem_execbuffer2, buffer_count, COUNT),
      F(drm_i915_gem_execbuffer2, num_cliprects, COUNT),
      F(drm_i915_gem_execbuffer2, cliprects_ptr, LIST), F(drm_i915_gem_execbuffer2, flags, FLAGS)}},
    {DRM_IOCTL_I915_GEM_BUSY, {F(drm_i915_gem_busy, handle, ID)}},
    {DRM_IOCTL_I915_GEM_SET_CACHING,
     {F(drm_i915_gem_caching, handle, ID), F(drm_i915_gem_caching, caching, COUNT)}},
    {DRM_IOCTL_I915_GEM_GET_CACHING, {F(drm_i915_gem_caching, handle, ID)}},
    {DRM_IOCTL_I915_GEM_PREAD,
     {F(drm_i915_gem_pread, handle, ID), F(drm_i915_gem_pread, offset, PAGES),
      F(drm_i915_gem_pread, size, PAGES), F(drm_i915_gem_pread, data_ptr, DATA)}},
    {DRM_IOCTL_I915_GEM_PWRITE,
     {F(drm_i915_gem_pwrite, handle, ID), F(drm_i915_gem_pwrite, offset, PAGES),
      F(drm_i915_gem_pwrite, size, PAGES), F(drm_i915_gem_pwrite, data_ptr, DATA)}},
    {DRM_IOCTL_I915_GEM_MMAP,
     {F(drm_i915_gem_mmap, handle, ID), F(drm_i915_gem_mmap, size, PAGES),
      F(drm_i915_gem_mmap, offset, PAGES), F(drm_i915_gem_mmap, flags, FLAGS)}},
    {DRM_IOCTL_I915_GEM_MMAP_OFFSET,
     {F(drm_i915_gem_mmap_offset, handle, ID), F(drm_i915_gem_mmap_offset, flags, COUNT)}},
    {DRM_IOCTL_I915_GEM_SET_DOMAIN,
     {F(drm_i915_gem_set_domain, handle, ID), F(drm_i915_gem_set_domain, read_domains, FLAGS),
      F(drm_i915_gem_set_domain, write_domain, FLAGS)}},
    {DRM_IOCTL_I915_GEM_SW_FINISH, {F(drm_i915_gem_sw_finish, handle, ID)}},
    {DRM_IOCTL_I915_GEM_SET_TILING,
     {F(drm_i915_gem_set_tiling, handle, ID), F(drm_i915_gem_set_tiling, tiling_mode, COUNT),
      F(drm_i915_gem_set_tiling, stride, PAGES)}},
    {DRM_IOCTL_I915_GEM_GET_TILING, {F(drm_i915_gem_get_tiling, handle, ID)}},
    {DRM_IOCTL_I915_GEM_MADVISE,
     {F(drm_i915_gem_madvise, handle, ID), F(drm_i915_gem_madvise, madv, COUNT)}},
    {DRM_IOCTL_I915_GEM_WAIT,
     {F(drm_i915_gem_wait, bo_handle, ID), F(drm_i915_gem_wait, timeout_ns, TIMEOUT)}},
    {DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
     {F(drm_i915_gem_context_create_ext, flags, FLAGS),
      F(drm_i915_gem_context_create_ext, extensions, SETTING)}},
    {DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, {F(drm_i915_gem_context_destroy, ctx_id, ID)}},
    {DRM_IOCTL_I915_REG_READ, {F(drm_i915_reg_read, offset, PAGES)}},
    {DRM_IOCTL_I915_GET_RESET_STATS, {F(drm_i915_reset_stats, ctx_id, ID)}},
    {DRM_IOCTL_I915_GEM_USERPTR,
     {F(drm_i915_gem_userptr, user_ptr, DATA), F(drm_i915_gem_userptr, user_size, PAGES),
      F(drm_i915_gem_userptr, flags, FLAGS)}},
    {DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
     {F(drm_i915_gem_context_param, ctx_id, ID), F(drm_i915_gem_context_param, size, COUNT),
      F(drm_i915_gem_context_param, param, SMALL), F(drm_i915_gem_context_param, value, LIST)}},
    {DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
     {F(drm_i915_gem_context_param, ctx_id, ID), F(drm_i915_gem_context_param, size, COUNT),
      F(drm_i915_gem_context_param, param, SMALL), F(drm_i915_gem_context_param, value, COUNT)}},
    {DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
     {F(drm_i915_gem_context_param, ctx_id, ID), F(drm_i915_gem_context_param, param, SMALL)}},
    {DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
     {F(drm_i915_gem_context_param, ctx_id, ID), F(drm_i915_gem_context_param, param, SMALL),
      F(drm_i915_gem_context_param, value, COUNT)}},
    {DRM_IOCTL_I915_GEM_CREATE_EXT, {F(drm_i915_gem_create_ext, size, PAGES)}},
    {DRM_IOCTL_I915_GEM_CREATE, {F(drm_i915_gem_create, size, PAGES)}},
    {DRM_IOCTL_I915_GEM_VM_CREATE, {{0}}},
    {DRM_IOCTL_I915_QUERY,
     {F(drm_i915_query, num_items, COUNT), F(drm_i915_query, items_ptr, QUERIES)}},
    {DRM_IOCTL_I915_GEM_VM_CREATE, {F(drm_i915_gem_vm_control, extensions, COUNT)}},
    {DRM_IOCTL_I915_GEM_VM_DESTROY, {F(drm_i915_gem_vm_control, vm_id, ID)}},
    {DRM_IOCTL_VERSION,
     {F(drm_version, name_len, COUNT), F(drm_version, name, DATA), F(drm_version, desc_len, COUNT),
      F(drm_version, desc, DATA)}},
    {DRM_IOCTL_GET_UNIQUE, {F(drm_unique, unique_len, COUNT), F(drm_unique, unique, DATA)}},
    {DRM_IOCTL_GET_CAP, {F(drm_get_cap, capability, PARAM)}},
    {DRM_IOCTL_SET_CLIENT_CAP, {F(drm_set_client_cap, capability, PARAM)}},
    {DRM_IOCTL_GET_MAGIC, {{0}}},
    {DRM_IOCTL_AUTH_MAGIC, {F(drm_auth, magic, ID)}},
    {DRM_IOCTL_DROP_MASTER, {{0}}},
    {DRM_IOCTL_SET_MASTER, {{0}}},
    {DRM_IOCTL_GEM_CLOSE, {F(drm_gem_close, handle, ID)}},
    {DRM_IOCTL_GEM_FLINK, {F(drm_gem_flink, handle, ID)}},
    {DRM_IOCTL_GEM_OPEN, {F(drm_gem_open, name, ID)}},
    {DRM_IOCTL_PRIME_HANDLE_TO_FD,
     {F(drm_prime_handle, handle, ID), F(drm_prime_handle, flags, FLAGS)}},
    {DRM_IOCTL_PRIME_FD_TO_HANDLE, {F(drm_prime_handle, fd, FD)}},
    {DRM_IOCTL_MODE_CREATE_DUMB,
     {F(drm_mode_create_dumb, width, COUNT), F(drm_mode_create_dumb, height, COUNT),
      F(drm_mode_create_dumb, bpp, PARAM)}},
    {DRM_IOCTL_MODE_MAP_DUMB, {F(drm_mode_map_dumb, handle, ID)}},
    {DRM_IOCTL_MODE_DESTROY_DUMB, {F(drm_mode_destroy_dumb, handle, ID)}},
    {DRM_IOCTL_MODE_ADDFB2,
     {F(drm_mode_fb_cmd2, width, COUNT), F(drm_mode_fb_cmd2, height, COUNT),
      F(drm_mode_fb_cmd2, pixel_format, FORMAT), F(drm_mode_fb_cmd2, flags, COUNT),
      FIRST(drm_mode_fb_cmd2, handles, ID), FIRST(drm_mode_fb_cmd2, pitches, PAGES)}},
    {DRM_IOCTL_MODE_RMFB, {{0, 4, OBJECT}}},
    {DRM_IOCTL_MODE_GETFB, {F(drm_mode_fb_cmd, fb_id, OBJECT)}},
    {DRM_IOCTL_MODE_GETFB2, {F(drm_mode_fb_cmd2, fb_id, OBJECT)}},
    {DRM_IOCTL_MODE_SETCRTC,
     {F(drm_mode_crtc, crtc_id, OBJECT),
      F(drm_mode_crtc, fb_id, OBJECT),
      F(drm_mode_crtc, count_connectors, COUNT),
      F(drm_mode_crtc, set_connectors_ptr, LIST),
      F(drm_mode_crtc, mode_valid, COUNT),
      {offsetof(struct drm_mode_crtc, mode.hdisplay), 2, COUNT}}},
    {DRM_IOCTL_MODE_PAGE_FLIP,
     {F(drm_mode_crtc_page_flip, crtc_id, OBJECT), F(drm_mode_crtc_page_flip, fb_id, OBJECT),
      F(drm_mode_crtc_page_flip, flags, COUNT)}},
    {DRM_IOCTL_MODE_SETPLANE,
     {F(drm_mode_set_plane, plane_id, OBJECT), F(drm_mode_set_plane, crtc_id, OBJECT),
      F(drm_mode_set_plane, fb_id, OBJECT), F(drm_mode_set_plane, crtc_w, COUNT),
      F(drm_mode_set_plane, crtc_h, COUNT), F(drm_mode_set_plane, src_w, FLAGS)}},
    {DRM_IOCTL_MODE_CURSOR,
     {F(drm_mode_cursor, flags, COUNT), F(drm_mode_cursor, crtc_id, OBJECT),
      F(drm_mode_cursor, width, COUNT), F(drm_mode_cursor, height, COUNT),
      F(drm_mode_cursor, handle, ID)}},
    {DRM_IOCTL_MODE_CREATEPROPBLOB,
     {F(drm_mode_create_blob, data, DATA), F(drm_mode_create_blob, length, BYTES)}},
    {DRM_IOCTL_MODE_GETPROPBLOB,
     {F(drm_mode_get_blob, blob_id, OBJECT), F(drm_mode_get_blob, length, BYTES),
      F(drm_mode_get_blob, data, DATA)}},
    {DRM_IOCTL_MODE_DESTROYPROPBLOB, {F(drm_mode_destroy_blob, blob_id, OBJECT)}},
    {DRM_IOCTL_MODE_OBJ_GETPROPERTIES,
     {F(drm_mode_obj_get_properties, obj_id, OBJECT),
      F(drm_mode_obj_get_properties, count_props, COUNT),
      F(drm_mode_obj_get_properties, props_ptr, LIST),
      F(drm_mode_obj_get_properties, prop_values_ptr, LIST)}},
    {DRM_IOCTL_MODE_GETPROPERTY,
     {F(drm_mode_get_property, prop_id, OBJECT), F(drm_mode_get_property, count_values, COUNT),
      F(drm_mode_get_property, values_ptr, DATA), F(drm_mode_get_property, enum_blob_ptr, DATA)}},
    {DRM_IOCTL_MODE_OBJ_SETPROPERTY,
     {F(drm_mode_obj_set_property, obj_id, OBJECT), F(drm_mode_obj_set_property, prop_id, OBJECT),
      F(drm_mode_obj_set_property, value, COUNT)}},
    {DRM_IOCTL_MODE_ATOMIC,
     {F(drm_mode_atomic, flags, FLAGS), F(drm_mode_atomic, count_objs, COUNT),
      F(drm_mode_atomic, objs_ptr, NAMES), F(drm_mode_atomic, count_props_ptr, LIST),
      F(drm_mode_atomic, props_ptr, NAMES), F(drm_mode_atomic, prop_values_ptr, NAMES)}},
    {DRM_IOCTL_WAIT_VBLANK, {{0, 4, FLAGS}, {4, 4, COUNT}}},
    {DRM_IOCTL_SYNCOBJ_CREATE, {F(drm_syncobj_create, flags, FLAGS)}},
    {DRM_IOCTL_SYNCOBJ_DESTROY, {F(drm_syncobj_destroy, handle, ID)}},
    {DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,
     {F(drm_syncobj_handle, handle, ID), F(drm_syncobj_handle, flags, FLAGS)}},
    {DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE,
     {F(drm_syncobj_handle, handle, ID), F(drm_syncobj_handle, flags, FLAGS),
      F(drm_syncobj_handle, fd, FD)}},
    {DRM_IOCTL_SYNCOBJ_TRANSFER,
     {F(drm_syncobj_transfer, src_handle, ID), F(drm_syncobj_transfer, dst_handle, ID),
      F(drm_syncobj_transfer, src_point, COUNT), F(drm_syncobj_transfer, dst_point, COUNT)}},
    {DRM_IOCTL_SYNCOBJ_WAIT,
     {F(drm_syncobj_wait, handles, LIST), F(drm_syncobj_wait, count_handles, COUNT),
      F(drm_syncobj_wait, flags, FLAGS), F(drm_syncobj_wait, timeout_nsec, DEADLINE)}},
    {DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
     {F(drm_syncobj_timeline_wait, handles, LIST), F(drm_syncobj_timeline_wait, points, LIST),
      F(drm_syncobj_timeline_wait, count_handles, COUNT),
      F(drm_syncobj_timeline_wait, flags, FLAGS),
      F(drm_syncobj_timeline_wait, timeout_nsec, DEADLINE)}},
    {DRM_IOCTL_SYNCOBJ_RESET,
     {F(drm_syncobj_array, handles, LIST), F(drm_syncobj_array, count_handles, COUNT)}},
    {DRM_IOCTL_SYNCOBJ_SIGNAL,
     {F(drm_syncobj_array, handles, LIST), F(drm_syncobj_array, count_handles, COUNT)}},
    {DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL,
     {F(drm_syncobj_timeline_array, handles, LIST), F(drm_syncobj_timeline_array, points, LIST),
      F(drm_syncobj_timeline_array, count_handles, COUNT)}},
    {DRM_IOCTL_SYNCOBJ_QUERY,
     {F(drm_syncobj_timeline_array, handles, LIST), F(drm_syncobj_timeline_array, points, LIST),
      F(drm_syncobj_timeline_array, count_handles, COUNT),
      F(drm_syncobj_timeline_array, flags, FLAGS)}},
};

/* ----------------------------------------------------------------------------- values --- */

static uint64_t random_state;
static uint8_t *pool; /* POOL_BYTES that arguments point to */

/* xorshift64* */
static uint64_t random_bits(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(0x2545f4914f6cdd1d);
}

static uint32_t below(uint32_t limit)
{
    return (uint32_t)((random_bits() >> 32) * limit >> 32);
}

static bool one_in(uint32_t count)
{
    return below(count) == 0;
}

static uint64_t random_pages(void)
{
    uint64_t value = (uint64_t)below(one_in(20) ? 1 << 20 : 5) * 4096;

    if (one_in(5))
        value += random_bits() % 4096;
    return one_in(50) ? random_bits() >> below(64) : value;
}

static uint64_t random_flags(void)
{
    uint64_t bits = 0;

    for (unsigned i = below(4); i; i--)
        bits |= UINT64_C(1) << below(one_in(10) ? 64 : 24);
    return one_in(3) ? bits : below(4);
}

static uint64_t random_list(void)
{
    uint64_t at = below(POOL_BYTES / 8 - 64) * 8;

    for (unsigned i = 0; i < 48; i++) {
        uint32_t value = one_in(8) ? (uint32_t)random_flags() : below(IDS);

        memcpy(pool + at + i * 4, &value, sizeof value);
    }
    return (uintptr_t)pool + at;
}

static uint64_t random_objects(void)
{
    uint64_t at = below(POOL_BYTES / 8 - 128) * 8;
    uint32_t first = 1 + below(3);

    for (unsigned i = 0; i < 8; i++) {
        struct drm_i915_gem_exec_object2 object = {
            .handle = one_in(30) ? below(IDS) : first + i,
            .offset = one_in(2) ? random_pages() : 0,
            .flags = one_in(6) ? random_flags() : 0,
        };

        if (one_in(16)) {
            object.relocs_ptr = random_list();
            object.relocation_count = below(3);
        }
        if (one_in(20))
            object.alignment = UINT64_C(1) << below(64);
        memcpy(pool + at + i * sizeof object, &object, sizeof object);
    }
    return (uintptr_t)pool + at;
}

static uint64_t random_setting(void)
{
    uint64_t at = below(POOL_BYTES / 8 - 128) * 8;
    struct drm_i915_gem_context_create_ext_setparam setting = {
        .base = {.name = below(8) / 7,
                 .next_extension = one_in(3) ? (uintptr_t)pool + below(POOL_BYTES) : 0},
        .param = {.param = below(16), .size = below(5) * 4, .value = below(4)},
    };

    if (one_in(2)) {
        setting.param.param = I915_CONTEXT_PARAM_ENGINES;
        setting.param.size = 8 + below(8) * 4;
        setting.param.value = (uintptr_t)pool + below(POOL_BYTES / 8) * 8;
    }
    memcpy(pool + at, &setting, sizeof setting);
    return (uintptr_t)pool + at;
}

static uint64_t random_queries(void)
{
    uint64_t at = below(POOL_BYTES / 8 - 128) * 8;

    for (unsigned i = 0; i < 8; i++) {
        struct drm_i915_query_item item = {
            .query_id = below(10),
            .length = one_in(3) ? 0 : (int32_t)below(512),
            .flags = one_in(5) ? below(8) : 0,
            .data_ptr = (uintptr_t)pool + below(POOL_BYTES / 8) * 8,
        };

        memcpy(pool + at + i * sizeof item, &item, sizeof item);
    }
    return (uintptr_t)pool + at;
}

/* Commands without loops, and random dwords. */
static uint64_t random_data(void)
{
    static const uint32_t commands[] = {0,          0x05000000, 0x10000002, 0x11000001,
                                        0x12000002, 0x7a000004, 0x02800000};
    uint64_t at = below(POOL_BYTES / 4096) * 4096;

    for (unsigned i = 0; i < 64; i++) {
        uint32_t value =
            one_in(4) ? (uint32_t)random_bits() : commands[below(ARRAY_SIZE(commands))];

        if (value >> 23 == 0x31 || value >> 23 == 0x1c) /* jumps and waits */
            value = 0;
        memcpy(pool + at + i * 4, &value, sizeof value);
    }
    return (uintptr_t)pool + at;
}

/* An id of the display's objects, properties, framebuffers or blobs. */
static uint32_t random_object(void)
{
    static const uint32_t ids[] = {GPU_CRTC, GPU_ENCODER, GPU_CONNECTOR, GPU_PRIMARY, GPU_CURSOR};
    static const uint32_t starts[] = {100, 1 << 10, 1 << 16};

    return one_in(2) ? ids[below(ARRAY_SIZE(ids))]
                     : starts[below(ARRAY_SIZE(starts))] + below(one_in(3) ? 24 : 4);
}

static uint64_t random_names(void)
{
    uint64_t at = below(POOL_BYTES / 8 - 64) * 8;

    for (unsigned i = 0; i < 48; i++) {
        uint32_t value = one_in(4) ? below(4) : random_object();

        memcpy(pool + at + i * 4, &value, sizeof value);
    }
    return (uintptr_t)pool + at;
}

static uint64_t random_value(enum kind kind)
{
    if (kind == TIMEOUT)
        return below(2000000);
    if (kind == DEADLINE)
        return (uint64_t)gpu_now() + below(2000000);
    if (one_in(60))
        return random_bits() >> below(64);
    switch (kind) {
    case ID:
        return below(IDS);
    case FD:
        return below(40);
    case COUNT:
        return below(one_in(10) ? 100 : 9);
    case PAGES:
        return random_pages();
    case FLAGS:
        return random_flags();
    case PARAM:
        return below(70);
    case SMALL:
        return below(16);
    case DATA:
        return random_data();
    case LIST:
        return random_list();
    case OBJECTS:
        return random_objects();
    case SETTING:
        return random_setting();
    case QUERIES:
        return random_queries();
    case OBJECT:
        return random_object();
    case NAMES:
        return random_names();
    case FORMAT:
        return one_in(8) ? DRM_FORMAT_RGB565 : DRM_FORMAT_XRGB8888;
    case BYTES:
        return one_in(3) ? below(4096) : sizeof(struct drm_mode_modeinfo);
    default:
        return 0;
    }
}

/* ------------------------------------------------------------------------------- runs --- */

/* Performs a random request on one of two files. */
static void perform(const int *files)
{
    const struct request *request = &requests[below(ARRAY_SIZE(requests))];
    unsigned long number = request->number;
    uint64_t argument[512] = {0}; /* as large as a request can be, if the size is changed */
    unsigned size = _IOC_SIZE(number);
    int result;

    for (unsigned i = 0; i < size && one_in(20); i++)
        ((uint8_t *)argument)[i] = (uint8_t)random_bits();
    for (unsigned i = 0; i < FIELDS && request->fields[i].size; i++) {
        const struct field *field = &request->fields[i];
        uint64_t value = random_value(field->kind);

        memcpy((uint8_t *)argument + field->offset, &value, field->size);
    }
    if (one_in(40)) { /* an older or newer struct */
        number = _IOC(_IOC_DIR(number), _IOC_TYPE(number), _IOC_NR(number), below(2048));
        if (request->fields[0].kind == NONE || _IOC_SIZE(number) < size)
            memset((uint8_t *)argument + _IOC_SIZE(number), 0, sizeof argument - _IOC_SIZE(number));
    }
    pthread_mutex_lock(&gpu_lock);
    result = gpu_device_ioctl(files[below(2)], number,
                              one_in(200) ? random_bits() : (uintptr_t)argument);
    pthread_mutex_unlock(&gpu_lock);
    if (result > 0 || result < -4095) {
        fprintf(stderr, "request %#lx returned %d\n", number, result);
        abort();
    }
}

static int open_file(bool is_render)
{
    int fd;

    pthread_mutex_lock(&gpu_lock);
    fd = gpu_device_open(is_render, O_RDWR | O_CLOEXEC);
    pthread_mutex_unlock(&gpu_lock);
    if (fd < 0)
        abort();
    return fd;
}

static void run(unsigned number)
{
    int files[2];

    random_state = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
    pool =
        gpu_sys_mmap(NULL, POOL_BYTES + GUARD_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pool == MAP_FAILED || mprotect(pool, POOL_BYTES, PROT_READ | PROT_WRITE) != 0)
        abort();
    files[0] = open_file(true);
    files[1] = open_file(false);
    for (unsigned i = 0; i < REQUESTS; i++) {
        perform(files);
        if (one_in(500)) { /* all objects go, some of which batches still use */
            pthread_mutex_lock(&gpu_lock);
            gpu_fd_close(files[0]);
            pthread_mutex_unlock(&gpu_lock);
            files[0] = open_file(true);
        }
    }
}

static void print_end(FILE *file)
{
    char text[8000];
    size_t length;

    if (fseek(file, -(long)sizeof text, SEEK_END) != 0)
        rewind(file);
    length = fread(text, 1, sizeof text, file);
    fwrite(text, 1, length, stdout);
}

/* Returns whether a run ended without a crash and in time. */
static bool try_run(unsigned number)
{
    FILE *messages = tmpfile(); /* of batches that fail, and of sanitizers */
    pid_t child;
    int status;

    if (!messages)
        return false;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        dup2(fileno(messages), 2);
        alarm(SECONDS);
        run(number);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (WIFSIGNALED(status))
        printf("run %u: %s\n", number,
               WTERMSIG(status) == SIGALRM ? "too slow" : strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status))
        printf("run %u: status %d\n", number, WEXITSTATUS(status));
    if (status)
        print_end(messages);
    fclose(messages);
    return status == 0;
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 8;
    unsigned failed = 0;

    for (unsigned i = 0; i < count; i++)
        failed += !try_run(first + i);
    printf("%u of %u runs failed\n", failed, count);
    return failed != 0;
}
