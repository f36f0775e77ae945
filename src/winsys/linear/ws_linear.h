/* SPDX-License-Identifier: MIT */
/*
 * Linear memory that can be shared with other processes and devices: a dumb buffer of a DRM device,
 * a dma-buf, or, without a device, a memfd (exported as a dma-buf if the kernel has udmabuf).
 *
 * Reference-counted and thread-safe. The caller owns the device's file descriptor, which must
 * outlive the memory.
 */
#ifndef WS_LINEAR_H
#define WS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ws_linear {
    int refs;
    int device;      /* DRM file descriptor; -1: none */
    uint32_t handle; /* atomic: GEM handle of the device; 0: none yet */
    bool dumb;       /* created as a dumb buffer of the device */
    int fd;          /* dma-buf or memfd; -1: none yet */
    uint32_t stride; /* bytes; 0 if imported */
    size_t size;
    uint8_t *map; /* mapped for the lifetime of the object */
};

/* Creates zeroed memory for an image. Uses a memfd if device is -1 or lacks dumb buffers. Returns
 * NULL if the size is too large or memory runs out. */
struct ws_linear *ws_linear_create(int device, unsigned width, unsigned height,
                                   unsigned bits_per_pixel);
/* Imports a descriptor, which the caller keeps: a dma-buf, or a file that is sealed against
 * shrinking. Returns NULL if it is neither, cannot be mapped, or memory runs out. */
struct ws_linear *ws_linear_import(int device, int fd);
struct ws_linear *ws_linear_ref(struct ws_linear *l);
void ws_linear_unref(struct ws_linear *l); /* may be NULL */

/* Returns a new descriptor that other processes can import, owned by the caller; -1 on failure. */
int ws_linear_export(struct ws_linear *l);
/* Returns the GEM handle on the device, or 0 if there is none. */
uint32_t ws_linear_handle(struct ws_linear *l);

/* Begin and end a CPU access to the map, to synchronize caches with devices (linux/dma-buf.h). */
void ws_linear_begin(const struct ws_linear *l, bool write);
void ws_linear_end(const struct ws_linear *l, bool write);

#endif
