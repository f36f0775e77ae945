/* SPDX-License-Identifier: MIT */
/*
 * The part of the Linux kernel's display interface (DRM) that Indium uses: pixel formats, and
 * ioctls for buffers. Distributions install the headers of this interface in different directories,
 * so it is declared here, with the names of those headers.
 */
#ifndef WS_DRM_H
#define WS_DRM_H

#include <stdint.h>
#include <sys/ioctl.h>

/* --- formats: components from the most to the least significant bit of a little-endian word --- */

/* The code that consists of four characters, the first one in the lowest byte. */
#define DRM_FOURCC(a, b, c, d)                                                                     \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define DRM_FORMAT_R8            DRM_FOURCC('R', '8', ' ', ' ')
#define DRM_FORMAT_R16           DRM_FOURCC('R', '1', '6', ' ')
#define DRM_FORMAT_GR88          DRM_FOURCC('G', 'R', '8', '8')
#define DRM_FORMAT_GR1616        DRM_FOURCC('G', 'R', '3', '2')
#define DRM_FORMAT_RGB565        DRM_FOURCC('R', 'G', '1', '6')
#define DRM_FORMAT_ARGB1555      DRM_FOURCC('A', 'R', '1', '5')
#define DRM_FORMAT_XRGB8888      DRM_FOURCC('X', 'R', '2', '4')
#define DRM_FORMAT_XBGR8888      DRM_FOURCC('X', 'B', '2', '4')
#define DRM_FORMAT_ARGB8888      DRM_FOURCC('A', 'R', '2', '4')
#define DRM_FORMAT_ABGR8888      DRM_FOURCC('A', 'B', '2', '4')
#define DRM_FORMAT_XRGB2101010   DRM_FOURCC('X', 'R', '3', '0')
#define DRM_FORMAT_XBGR2101010   DRM_FOURCC('X', 'B', '3', '0')
#define DRM_FORMAT_ARGB2101010   DRM_FOURCC('A', 'R', '3', '0')
#define DRM_FORMAT_ABGR2101010   DRM_FOURCC('A', 'B', '3', '0')
#define DRM_FORMAT_ABGR16161616  DRM_FOURCC('A', 'B', '4', '8')
#define DRM_FORMAT_XBGR16161616F DRM_FOURCC('X', 'B', '4', 'H')
#define DRM_FORMAT_ABGR16161616F DRM_FOURCC('A', 'B', '4', 'H')
/* Y'CbCr with one, two and three planes. Names of formats with one plane list the components in the
 * order of their bytes. */
#define DRM_FORMAT_YUYV   DRM_FOURCC('Y', 'U', 'Y', 'V')
#define DRM_FORMAT_YVYU   DRM_FOURCC('Y', 'V', 'Y', 'U')
#define DRM_FORMAT_UYVY   DRM_FOURCC('U', 'Y', 'V', 'Y')
#define DRM_FORMAT_VYUY   DRM_FOURCC('V', 'Y', 'U', 'Y')
#define DRM_FORMAT_NV12   DRM_FOURCC('N', 'V', '1', '2')
#define DRM_FORMAT_NV21   DRM_FOURCC('N', 'V', '2', '1')
#define DRM_FORMAT_NV16   DRM_FOURCC('N', 'V', '1', '6')
#define DRM_FORMAT_NV61   DRM_FOURCC('N', 'V', '6', '1')
#define DRM_FORMAT_YUV420 DRM_FOURCC('Y', 'U', '1', '2')
#define DRM_FORMAT_YVU420 DRM_FOURCC('Y', 'V', '1', '2')
#define DRM_FORMAT_YUV422 DRM_FOURCC('Y', 'U', '1', '6')
#define DRM_FORMAT_YVU422 DRM_FOURCC('Y', 'V', '1', '6')
#define DRM_FORMAT_YUV444 DRM_FOURCC('Y', 'U', '2', '4')
#define DRM_FORMAT_YVU444 DRM_FOURCC('Y', 'V', '2', '4')

/* Format modifiers, which name layouts of memory. INVALID stands for an unspecified layout. */
#define DRM_FORMAT_MOD_LINEAR  UINT64_C(0)
#define DRM_FORMAT_MOD_INVALID UINT64_C(0x00ffffffffffffff)

/* --- buffers: arguments of ioctls; a handle identifies a buffer of an open device --- */

/* DRM_IOCTL_MODE_CREATE_DUMB: creates a buffer that the CPU writes and the display reads. */
struct drm_mode_create_dumb {
    uint32_t height, width, bpp; /* size in pixels; bits per pixel */
    uint32_t flags;              /* must be 0 */
    uint32_t handle;             /* result */
    uint32_t pitch;              /* result: bytes between rows */
    uint64_t size;               /* result: bytes */
};
/* DRM_IOCTL_MODE_MAP_DUMB: returns the offset in the device file at which mmap() maps a buffer. */
struct drm_mode_map_dumb {
    uint32_t handle, pad;
    uint64_t offset; /* result */
};
/* DRM_IOCTL_MODE_DESTROY_DUMB: closes the handle of a dumb buffer. */
struct drm_mode_destroy_dumb {
    uint32_t handle;
};
/* DRM_IOCTL_GEM_CLOSE: closes the handle of a buffer. */
struct drm_gem_close {
    uint32_t handle, pad;
};
/* DRM_IOCTL_PRIME_HANDLE_TO_FD exports the buffer `handle` as a dma-buf and stores a new descriptor
 * in fd. DRM_IOCTL_PRIME_FD_TO_HANDLE imports the dma-buf fd and stores its handle in `handle`. */
struct drm_prime_handle {
    uint32_t handle;
    uint32_t flags; /* export: DRM_CLOEXEC | DRM_RDWR, for the new descriptor */
    int32_t fd;
};

#define DRM_CLOEXEC O_CLOEXEC
#define DRM_RDWR    O_RDWR

#define DRM_IOCTL_GEM_CLOSE          _IOW('d', 0x09, struct drm_gem_close)
#define DRM_IOCTL_PRIME_HANDLE_TO_FD _IOWR('d', 0x2d, struct drm_prime_handle)
#define DRM_IOCTL_PRIME_FD_TO_HANDLE _IOWR('d', 0x2e, struct drm_prime_handle)
#define DRM_IOCTL_MODE_CREATE_DUMB   _IOWR('d', 0xb2, struct drm_mode_create_dumb)
#define DRM_IOCTL_MODE_MAP_DUMB      _IOWR('d', 0xb3, struct drm_mode_map_dumb)
#define DRM_IOCTL_MODE_DESTROY_DUMB  _IOWR('d', 0xb4, struct drm_mode_destroy_dumb)

#endif
