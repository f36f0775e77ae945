/* SPDX-License-Identifier: MIT */
/*
 * Preloaded library that emulates /dev/dri/card0: a DRM device with dumb buffers, PRIME, and one
 * connected display of 320x240 pixels. What the display shows is written to DRM_SHIM_PICTURE: width
 * and height, then rows of R, G, B, A from the bottom up.
 *
 * With DRM_SHIM_RENDER, the device stands for a render node, which has no display.
 *
 * The device is a memfd identified by its inode, so duplicated descriptors are the device, too.
 * Buffers are memfds sealed against shrinking, which stand for dma-bufs. Supports one process that
 * uses it from one thread at a time.
 */
#undef _FILE_OFFSET_BITS /* so that open and open64 keep separate names */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <libdrm/drm_fourcc.h>
#include <libdrm/drm_mode.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xf86drm.h>

enum { CRTC = 10, ENCODER = 20, CONNECTOR = 30, MOST = 256, WIDTH = 320, HEIGHT = 240 };

static const char path[] = "/dev/dri/card0";

static struct {
    int fd; /* -1: unused */
    size_t size;
} buffers[MOST]; /* indexed by handle */

static struct {
    uint32_t handle, width, height, pitch, format; /* handle 0: unused */
} framebuffers[MOST];                              /* indexed by id */

static ino_t device_inode;
static uint32_t shown; /* id of the displayed framebuffer */

#define EXPORT     __attribute__((visibility("default")))
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static bool inode_of(int fd, ino_t *inode)
{
    struct statx st;

    if (fd < 0 || statx(fd, "", AT_EMPTY_PATH, STATX_INO, &st) != 0)
        return false;
    *inode = st.stx_ino;
    return true;
}

static bool is_device(int fd)
{
    ino_t inode;
    int error = errno;
    bool is = device_inode && inode_of(fd, &inode) && inode == device_inode;

    errno = error;
    return is;
}

static int open_device(void)
{
    static int device = -1;

    if (device < 0) {
        device = memfd_create("card0", MFD_CLOEXEC);
        inode_of(device, &device_inode);
        for (unsigned i = 0; i < MOST; i++)
            buffers[i].fd = -1;
    }
    return fcntl(device, F_DUPFD_CLOEXEC, 0);
}

/* ------------------------------------------------------------------------------ buffers --- */

static int new_handle(int fd, size_t size, uint32_t *handle)
{
    for (unsigned i = 1; i < MOST; i++) {
        if (buffers[i].fd < 0) {
            buffers[i].fd = fd;
            buffers[i].size = size;
            *handle = i;
            return 0;
        }
    }
    close(fd);
    return ENOMEM;
}

static bool handle_ok(uint32_t handle)
{
    return handle > 0 && handle < MOST && buffers[handle].fd >= 0;
}

static int create_dumb(struct drm_mode_create_dumb *d)
{
    int fd = memfd_create("dumb", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    d->pitch = (d->width * d->bpp / 8 + 63) & ~63u;
    d->size = ((uint64_t)d->pitch * d->height + 4095) & ~4095ull;
    if (fd < 0 || ftruncate(fd, (off_t)d->size) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
        return ENOMEM;
    return new_handle(fd, d->size, &d->handle);
}

static int forget_handle(uint32_t handle)
{
    if (!handle_ok(handle))
        return ENOENT;
    close(buffers[handle].fd);
    buffers[handle].fd = -1;
    return 0;
}

static int export_handle(struct drm_prime_handle *p)
{
    if (!handle_ok(p->handle))
        return ENOENT;
    p->fd = fcntl(buffers[p->handle].fd, F_DUPFD_CLOEXEC, 0);
    return p->fd < 0 ? errno : 0;
}

static int import_handle(struct drm_prime_handle *p)
{
    ino_t inode, other;
    struct statx st;

    if (!inode_of(p->fd, &inode) || statx(p->fd, "", AT_EMPTY_PATH, STATX_SIZE, &st) != 0)
        return EBADF;
    for (unsigned i = 1; i < MOST; i++) {
        if (buffers[i].fd >= 0 && inode_of(buffers[i].fd, &other) && other == inode) {
            p->handle = i;
            return 0;
        }
    }
    return new_handle(fcntl(p->fd, F_DUPFD_CLOEXEC, 0), st.stx_size, &p->handle);
}

/* ------------------------------------------------------------------------------ display --- */

static void put_pixel(FILE *file, uint32_t format, uint32_t v)
{
    bool bgr = format == DRM_FORMAT_XBGR8888 || format == DRM_FORMAT_ABGR8888;
    uint8_t rgba[4] = {v >> (bgr ? 0 : 16), v >> 8, v >> (bgr ? 16 : 0), 255};

    fwrite(rgba, 1, sizeof rgba, file);
}

static void show(uint32_t id)
{
    const char *name = getenv("DRM_SHIM_PICTURE");
    uint32_t size[2] = {framebuffers[id].width, framebuffers[id].height};
    const uint8_t *map;
    FILE *file;

    shown = id;
    if (!name || !handle_ok(framebuffers[id].handle))
        return;
    map = REAL(mmap)(NULL, buffers[framebuffers[id].handle].size, PROT_READ, MAP_SHARED,
                     buffers[framebuffers[id].handle].fd, 0);
    file = fopen(name, "wb");
    if (map == MAP_FAILED || !file)
        abort();
    fwrite(size, sizeof *size, 2, file);
    for (uint32_t y = size[1]; y-- > 0;) {
        for (uint32_t x = 0; x < size[0]; x++)
            put_pixel(file, framebuffers[id].format,
                      ((const uint32_t *)(map + (size_t)y * framebuffers[id].pitch))[x]);
    }
    fclose(file);
    munmap((void *)map, buffers[framebuffers[id].handle].size);
}

static int add_framebuffer(uint32_t handle, uint32_t width, uint32_t height, uint32_t pitch,
                           uint32_t format, uint32_t *id)
{
    if (!handle_ok(handle) || (uint64_t)pitch * height > buffers[handle].size)
        return EINVAL;
    for (uint32_t i = 1; i < MOST; i++) {
        if (framebuffers[i].handle)
            continue;
        framebuffers[i].handle = handle;
        framebuffers[i].width = width;
        framebuffers[i].height = height;
        framebuffers[i].pitch = pitch;
        framebuffers[i].format = format;
        *id = i;
        return 0;
    }
    return ENOMEM;
}

static bool framebuffer_ok(uint32_t id)
{
    return id > 0 && id < MOST && framebuffers[id].handle;
}

static const struct drm_mode_modeinfo mode = {
    .clock = 5000,
    .hdisplay = WIDTH,
    .hsync_start = WIDTH,
    .hsync_end = WIDTH,
    .htotal = WIDTH,
    .vdisplay = HEIGHT,
    .vsync_start = HEIGHT,
    .vsync_end = HEIGHT,
    .vtotal = HEIGHT,
    .vrefresh = 60,
    .type = DRM_MODE_TYPE_PREFERRED,
    .name = "320x240",
};

/* Stores a list of one element. Lists are queried twice, first for their length. */
static void one(uint64_t pointer, uint32_t *count, uint32_t value)
{
    if (*count && pointer)
        *(uint32_t *)(uintptr_t)pointer = value;
    *count = 1;
}

static int get_resources(struct drm_mode_card_res *r)
{
    r->count_fbs = 0;
    one(r->crtc_id_ptr, &r->count_crtcs, CRTC);
    one(r->connector_id_ptr, &r->count_connectors, CONNECTOR);
    one(r->encoder_id_ptr, &r->count_encoders, ENCODER);
    r->min_width = r->min_height = 1;
    r->max_width = r->max_height = 4096;
    return 0;
}

static int get_connector(struct drm_mode_get_connector *c)
{
    if (c->connector_id != CONNECTOR)
        return ENOENT;
    if (c->count_modes && c->modes_ptr)
        *(struct drm_mode_modeinfo *)(uintptr_t)c->modes_ptr = mode;
    c->count_modes = 1;
    c->count_props = 0;
    one(c->encoders_ptr, &c->count_encoders, ENCODER);
    c->encoder_id = ENCODER;
    c->connector_type = DRM_MODE_CONNECTOR_VIRTUAL;
    c->connector_type_id = 1;
    c->connection = 1; /* connected */
    return 0;
}

static int flip(int fd, const struct drm_mode_crtc_page_flip *f)
{
    struct drm_event_vblank event = {.base = {DRM_EVENT_FLIP_COMPLETE, sizeof event},
                                     .user_data = f->user_data,
                                     .crtc_id = CRTC};

    if (f->crtc_id != CRTC || !framebuffer_ok(f->fb_id))
        return EINVAL;
    show(f->fb_id);
    /* the event is read next */
    if (f->flags & DRM_MODE_PAGE_FLIP_EVENT &&
        pwrite(fd, &event, sizeof event, lseek(fd, 0, SEEK_CUR)) != sizeof event)
        return EIO;
    return 0;
}

/* ------------------------------------------------------------------------------- ioctl --- */

static void give(char *to, __kernel_size_t *length, const char *text)
{
    if (to && *length)
        memcpy(to, text, *length < strlen(text) ? *length : strlen(text));
    *length = strlen(text);
}

static int get_version(struct drm_version *v)
{
    give(v->name, &v->name_len, "shim");
    give(v->date, &v->date_len, "0");
    give(v->desc, &v->desc_len, "a device of a test");
    v->version_major = 1;
    return 0;
}

static int get_cap(struct drm_get_cap *c)
{
    c->value = c->capability == DRM_CAP_DUMB_BUFFER ? 1
               : c->capability == DRM_CAP_PRIME     ? DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT
                                                    : 0;
    return 0;
}

/* Returns 0 or an error. */
static int device_ioctl(int fd, unsigned long request, void *arg)
{
    switch (request) {
    case DRM_IOCTL_VERSION:
        return get_version(arg);
    case DRM_IOCTL_GET_CAP:
        return get_cap(arg);
    case DRM_IOCTL_SET_CLIENT_CAP:
    case DRM_IOCTL_SET_MASTER:
    case DRM_IOCTL_DROP_MASTER:
        return 0;
    case DRM_IOCTL_GEM_CLOSE:
        return forget_handle(((struct drm_gem_close *)arg)->handle);
    case DRM_IOCTL_PRIME_HANDLE_TO_FD:
        return export_handle(arg);
    case DRM_IOCTL_PRIME_FD_TO_HANDLE:
        return import_handle(arg);
    case DRM_IOCTL_MODE_CREATE_DUMB:
        return create_dumb(arg);
    case DRM_IOCTL_MODE_MAP_DUMB: {
        struct drm_mode_map_dumb *m = arg;

        m->offset = (uint64_t)m->handle << 32;
        return handle_ok(m->handle) ? 0 : ENOENT;
    }
    case DRM_IOCTL_MODE_DESTROY_DUMB:
        return forget_handle(((struct drm_mode_destroy_dumb *)arg)->handle);
    case DRM_IOCTL_MODE_GETRESOURCES:
        return get_resources(arg);
    case DRM_IOCTL_MODE_GETCONNECTOR:
        return get_connector(arg);
    case DRM_IOCTL_MODE_GETENCODER: {
        struct drm_mode_get_encoder *e = arg;

        e->encoder_type = DRM_MODE_ENCODER_VIRTUAL;
        e->crtc_id = CRTC;
        e->possible_crtcs = 1;
        return 0;
    }
    case DRM_IOCTL_MODE_GETCRTC: {
        struct drm_mode_crtc *c = arg;

        c->fb_id = shown;
        c->mode_valid = 1;
        c->mode = mode;
        return 0;
    }
    case DRM_IOCTL_MODE_SETCRTC: {
        const struct drm_mode_crtc *c = arg;

        if (c->fb_id && !framebuffer_ok(c->fb_id))
            return ENOENT;
        if (c->fb_id)
            show(c->fb_id);
        return 0;
    }
    case DRM_IOCTL_MODE_ADDFB: {
        struct drm_mode_fb_cmd *f = arg;

        return add_framebuffer(f->handle, f->width, f->height, f->pitch, DRM_FORMAT_XRGB8888,
                               &f->fb_id);
    }
    case DRM_IOCTL_MODE_ADDFB2: {
        struct drm_mode_fb_cmd2 *f = arg;

        return add_framebuffer(f->handles[0], f->width, f->height, f->pitches[0], f->pixel_format,
                               &f->fb_id);
    }
    case DRM_IOCTL_MODE_RMFB: {
        uint32_t id = *(uint32_t *)arg;

        if (!framebuffer_ok(id))
            return ENOENT;
        framebuffers[id].handle = 0;
        return 0;
    }
    case DRM_IOCTL_MODE_PAGE_FLIP:
        return flip(fd, arg);
    default:
        return EINVAL;
    }
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    void *arg;

    va_start(list, request);
    arg = va_arg(list, void *);
    va_end(list);
    if (!is_device(fd))
        return REAL(ioctl)(fd, request, arg);
    errno = device_ioctl(fd, request, arg);
    return errno ? -1 : 0;
}

/* --------------------------------------------------------------------------- its file --- */

#define OPEN(name)                                                                                 \
    EXPORT int name(const char *file, int flags, ...)                                              \
    {                                                                                              \
        va_list list;                                                                              \
        unsigned permissions;                                                                      \
                                                                                                   \
        va_start(list, flags);                                                                     \
        permissions = va_arg(list, unsigned);                                                      \
        va_end(list);                                                                              \
        return strcmp(file, path) == 0 ? open_device() : REAL(name)(file, flags, permissions);     \
    }

OPEN(open)
OPEN(open64)

/* Returns whether the device stands for a render node. */
static bool renders(void)
{
    return getenv("DRM_SHIM_RENDER") != NULL;
}

static void pretend(mode_t *file_mode, dev_t *device)
{
    *file_mode = S_IFCHR | 0660;
    *device = makedev(226, renders() ? 128 : 0);
}

#define FSTAT(name, type)                                                                          \
    EXPORT int name(int fd, struct type *st)                                                       \
    {                                                                                              \
        int result = REAL(name)(fd, st);                                                           \
                                                                                                   \
        if (result == 0 && is_device(fd))                                                          \
            pretend(&st->st_mode, &st->st_rdev);                                                   \
        return result;                                                                             \
    }

FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

#define MMAP(name, offset_type)                                                                    \
    EXPORT void *name(void *at, size_t size, int protection, int flags, int fd,                    \
                      offset_type offset)                                                          \
    {                                                                                              \
        uint32_t handle = (uint64_t)offset >> 32;                                                  \
                                                                                                   \
        if (fd < 0 || !is_device(fd))                                                              \
            return REAL(name)(at, size, protection, flags, fd, offset);                            \
        if (!handle_ok(handle)) {                                                                  \
            errno = EINVAL;                                                                        \
            return MAP_FAILED;                                                                     \
        }                                                                                          \
        return REAL(name)(at, size, protection, flags, buffers[handle].fd, 0);                     \
    }

MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

/* ----------------------------------------------------------------- libdrm's list of devices --- */

/* libdrm would search for the device in /sys. */
static drmDevicePtr make_device(void)
{
    static char *nodes[DRM_NODE_MAX] = {(char *)path, (char *)path, (char *)path};
    drmDevicePtr device = calloc(1, sizeof *device);

    if (device) {
        device->nodes = nodes;
        device->available_nodes = 1 << (renders() ? DRM_NODE_RENDER : DRM_NODE_PRIMARY);
        device->bustype = DRM_BUS_PLATFORM;
    }
    return device;
}

EXPORT int drmGetDevice2(int fd, uint32_t flags, drmDevicePtr *device)
{
    if (!is_device(fd))
        return -ENODEV;
    *device = make_device();
    return *device ? 0 : -ENOMEM;
}

EXPORT int drmGetDevices2(uint32_t flags, drmDevicePtr devices[], int most)
{
    if (devices && most > 0)
        devices[0] = make_device();
    return 1;
}

/* These would look for the device in /sys, too. */
EXPORT int drmGetNodeTypeFromFd(int fd)
{
    if (!is_device(fd))
        return REAL(drmGetNodeTypeFromFd)(fd);
    return renders() ? DRM_NODE_RENDER : DRM_NODE_PRIMARY;
}

EXPORT int drmGetDeviceFromDevId(dev_t id, uint32_t flags, drmDevicePtr *device)
{
    *device = major(id) == 226 ? make_device() : NULL;
    return *device ? 0 : -ENODEV;
}

EXPORT int drmGetDevice(int fd, drmDevicePtr *device)
{
    return drmGetDevice2(fd, 0, device);
}

EXPORT char *drmGetRenderDeviceNameFromFd(int fd)
{
    return is_device(fd) && renders() ? strdup(path) : NULL;
}

EXPORT int drmDevicesEqual(drmDevicePtr a, drmDevicePtr b)
{
    return a && b;
}

EXPORT void drmFreeDevice(drmDevicePtr *device)
{
    free(*device);
    *device = NULL;
}

EXPORT void drmFreeDevices(drmDevicePtr devices[], int count)
{
    for (int i = 0; i < count; i++)
        drmFreeDevice(&devices[i]);
}
