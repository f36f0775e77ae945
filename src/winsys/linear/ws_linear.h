/* SPDX-License-Identifier: MIT */
/*
 * Linear memory that can be shared with other processes and devices. It is a dumb buffer of a DRM
 * device, an imported dma-buf or memfd, or a new memfd, which becomes a dma-buf if the Linux kernel
 * has udmabuf.
 *
 * Reference-counted and thread-safe. The caller owns the device's file descriptor and must keep it
 * open as long as the memory exists.
 */
#ifndef WS_LINEAR_H
#define WS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of linear memory. All fields but `refs` and `handle` are constant. */
struct ws_linear {
    int refs;        /* atomic */
    int device;      /* DRM file descriptor; -1: none */
    uint32_t handle; /* GEM handle on the device, protected by a mutex; 0: none yet */
    bool dumb;       /* created as a dumb buffer of the device */
    int fd;          /* dma-buf or memfd; -1 for a dumb buffer */
    uint32_t stride; /* bytes between rows; 0 if imported */
    size_t size;     /* bytes */
    uint8_t *map;    /* valid for the lifetime of the object */
};

/* Creates zeroed memory for an image of width × height pixels. It is a dumb buffer of the device,
 * or a memfd if device is -1 or cannot create the buffer. Returns NULL if width or height is 0 or
 * above 65536, the memory cannot be mapped, or when out of memory. */
struct ws_linear *ws_linear_create(int device, unsigned width, unsigned height,
                                   unsigned bits_per_pixel);
/* Imports a dma-buf or a file that is sealed against shrinking. fd is duplicated; the caller must
 * close its descriptor, whose file offset becomes 0. `device` (may be -1) is for ws_linear_handle.
 * Returns NULL if fd is neither, cannot be mapped, or when out of memory. */
struct ws_linear *ws_linear_import(int device, int fd);
struct ws_linear *ws_linear_ref(struct ws_linear *l); /* adds a reference; returns l */
void ws_linear_unref(struct ws_linear *l);            /* drops a reference; l may be NULL */

/* Returns a new descriptor that other processes can import, or -1 on failure. The caller must close
 * it. */
int ws_linear_export(struct ws_linear *l);
/* Returns the GEM handle on the device, imported if needed. Returns 0 without a device or on
 * failure. The memory owns the handle. */
uint32_t ws_linear_handle(struct ws_linear *l);

/* Begin and end a CPU access to the map. They synchronize CPU caches with devices if l->fd is a
 * dma-buf (DMA_BUF_IOCTL_SYNC), and do nothing otherwise. `write` says whether the CPU writes; both
 * calls of an access pass the same value. */
void ws_linear_begin(const struct ws_linear *l, bool write);
void ws_linear_end(const struct ws_linear *l, bool write);

#endif
