/* SPDX-License-Identifier: MIT */
/*
 * Sizes of fixed arrays in the interfaces. They are upper bounds for the limits that a driver
 * reports in struct drv_caps.
 */
#ifndef INDIUM_LIMITS_H
#define INDIUM_LIMITS_H

#define DRV_MAX_ATTRIBS          32  /* vertex shader inputs in vec4 slots */
#define DRV_MAX_VERTEX_BUFFERS   32  /* vertex buffers bound at a time */
#define DRV_MAX_VARYINGS         32  /* generic vec4 slots between stages; built-ins don't count */
#define DRV_MAX_COLOR_BUFS       8   /* color buffers of a framebuffer */
#define DRV_MAX_VIEWPORTS        16  /* viewports, and scissor rectangles */
#define DRV_MAX_SAMPLES          16  /* samples per pixel */
#define DRV_MAX_VIEWS            32  /* views of a draw (OVR_multiview) */
#define DRV_MAX_CLIP_PLANES      8   /* clip distances per vertex */
#define DRV_MAX_SAMPLERS         33  /* per stage: 32 for the shader, 1 for glDrawPixels */
#define DRV_MAX_CONSTANT_BUFFERS 16  /* per stage; slot 0 is the default uniform block */
#define DRV_MAX_STORAGE_BUFFERS  25  /* per stage, including atomic counter buffers */
#define DRV_MAX_IMAGES           16  /* per stage */
#define DRV_MAX_SO_BUFFERS       4   /* transform feedback buffers */
#define DRV_MAX_SO_OUTPUTS       160 /* entries of struct drv_stream_output */
#define DRV_MAX_TEXTURE_LEVELS   15  /* levels of a 16384-texel texture */
#define DRV_MAX_VERTEX_STREAMS   4   /* streams of a geometry shader */

/* Image offsets in a struct drv_memory are multiples of this many bytes. */
#define DRV_MEMORY_ALIGNMENT 64

#endif
