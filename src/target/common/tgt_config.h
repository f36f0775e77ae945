/* SPDX-License-Identifier: MIT */
/*
 * Framebuffer configurations: GLX's FBConfigs, EGL's and DRI's configs. This module decides which
 * ones exist. Each API library adds its own attributes and a table that maps its attribute names.
 */
#ifndef TGT_CONFIG_H
#define TGT_CONFIG_H

#include "indium/core.h"
#include "indium/winsys.h"

/* Bits per component of a color or depth/stencil format; 0 for missing components. */
struct tgt_format_bits {
    uint8_t red, green, blue, alpha, depth, stencil;
};

struct tgt_format_bits tgt_format_bits(enum drv_format format);

struct tgt_config {
    int id;                  /* assigned by the API library */
    struct ws_config native; /* format of windows (gl.color may add alpha) */
    struct gl_visual gl;
    struct tgt_format_bits bits; /* sums up color and depth/stencil */
};

/* The API that a list is made for. */
enum tgt_config_api {
    TGT_FOR_GLX, /* all kinds, each with and without alpha */
    /* without the kinds that EGL attributes can't express: single-buffered, accumulation, sRGB */
    TGT_FOR_EGL,
    TGT_FOR_DRI,       /* all kinds, with the exact format only */
    TGT_FOR_EGL_EXACT, /* EGL without X11: like TGT_FOR_EGL, with the exact format only */
};

/* Writes the configurations for a native format that the core can draw to, with id 0, and returns
 * their number. The simplest kinds come first; within a kind, the largest depth and stencil come
 * first. */
enum { TGT_MAX_CONFIGS = 128 };
unsigned tgt_list_configs(const struct indium_core *core, const struct ws_config *native,
                          enum tgt_config_api api, struct tgt_config out[TGT_MAX_CONFIGS]);

/* Source of an attribute's value. */
enum tgt_attrib {
    TGT_CONSTANT,
    TGT_ID,
    TGT_NATIVE_ID,
    TGT_BUFFER_SIZE,
    TGT_RED_SIZE,
    TGT_GREEN_SIZE,
    TGT_BLUE_SIZE,
    TGT_ALPHA_SIZE,
    TGT_HAS_ALPHA,
    TGT_DEPTH_SIZE,
    TGT_STENCIL_SIZE,
    TGT_ACCUM_SIZE, /* size of red, green or blue */
    TGT_ACCUM_ALPHA_SIZE,
    TGT_SAMPLE_BUFFERS,
    TGT_SAMPLES,
    TGT_DOUBLE_BUFFERED,
    TGT_STEREO,
    TGT_SRGB,
    TGT_RED_MASK, /* mask within a pixel */
    TGT_GREEN_MASK,
    TGT_BLUE_MASK,
    TGT_ALPHA_MASK,
    TGT_RED_SHIFT, /* index of the lowest bit, or -1 */
    TGT_GREEN_SHIFT,
    TGT_BLUE_SHIFT,
    TGT_ALPHA_SHIFT,
    TGT_MAX_SIDE, /* pbuffer limit in pixels */
    TGT_MAX_AREA,
};

struct tgt_attrib_name {
    int name; /* token of the API */
    enum tgt_attrib source;
    int constant; /* value if source is TGT_CONSTANT */
};

int tgt_config_value(const struct indium_core *core, const struct tgt_config *config,
                     const struct tgt_attrib_name *attrib);
/* Returns the row for `name` in a table of n rows, or NULL. */
const struct tgt_attrib_name *tgt_attrib_find(const struct tgt_attrib_name *table, unsigned n,
                                              int name);

/* Whether the core can draw to sRGB drawables. */
bool tgt_supports_srgb(const struct indium_core *core);

/* Whether this version of GL (or ES) was ever published. */
bool tgt_version_defined(bool es, int major, int minor);

/* Returns the API of a desktop context of that version. Before 3.2 there are no profiles; at 3.1, a
 * core without compatibility support creates a core context (GLX_ARB_create_context). */
enum gl_api tgt_desktop_api(const struct indium_core *core, int major, int minor, bool forward,
                            bool core_profile);

#endif
