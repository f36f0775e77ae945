/* SPDX-License-Identifier: MIT */
/*
 * Linear memory that other processes and devices can share: a dumb buffer of a DRM device, a dma-buf,
 * or, without a device, pages of a memfd (a dma-buf of them where the kernel has udmabuf).
 *
 * Reference-counted; any thread may use one. The device's descriptor stays the caller's and must
 * outlive the memory.
 */
#ifndef WS_LINEAR_H
#define WS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ws_linear {
    int refs;
    int device;      /* -1: none */
    uint32_t handle; /* the device's name for it; 0: none yet */
    bool dumb;       /* the device made it */
    int fd;          /* a dma-buf or memfd; -1: none yet */
    uint32_t stride; /* bytes; 0 of what was imported */
    size_t size;
    uint8_t *map; /* for as long as it lives */
};

/* Zeroed memory for rows of so many pixels. device -1, or one without dumb buffers: a memfd. NULL: no
 * memory, or too large. */
struct ws_linear *ws_linear_create(int device, unsigned width, unsigned height,
                                   unsigned bits_per_pixel);
/* What a descriptor names, which stays the caller's: a dma-buf, or a file that is sealed against
 * shrinking. NULL: it is none, cannot be mapped, or no memory. */
struct ws_linear *ws_linear_import(int device, int fd);
struct ws_linear *ws_linear_ref(struct ws_linear *l);
void ws_linear_unref(struct ws_linear *l); /* NULL is fine */

/* A new descriptor that others can import; the caller's. -1: none can be made. */
int ws_linear_export(struct ws_linear *l);
/* The device's name for it; 0: it has none. */
uint32_t ws_linear_handle(struct ws_linear *l);

/* Around reading or writing the map: devices' caches (linux/dma-buf.h). */
void ws_linear_begin(const struct ws_linear *l, bool write);
void ws_linear_end(const struct ws_linear *l, bool write);

#endif
