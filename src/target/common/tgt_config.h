/* SPDX-License-Identifier: MIT */
/*
 * Framebuffer configurations: the FBConfigs of GLX and the configs of EGL and DRI. This code
 * decides which ones exist. Each API library adds its own properties, and has a table that maps its
 * attribute names to properties (struct tgt_attrib_name).
 */
#ifndef TGT_CONFIG_H
#define TGT_CONFIG_H

#include "indium/core.h"
#include "indium/winsys.h"

/* Bits per component of a color or depth/stencil format; 0 for missing components. */
struct tgt_format_bits {
    uint8_t red, green, blue, alpha, depth, stencil;
};

/* Returns the sizes for a format; all 0 if it is not a format of framebuffers. */
struct tgt_format_bits tgt_format_bits(enum drv_format format);

/* Returns whether the components of a color format are floating-point numbers. */
bool tgt_is_float(enum drv_format format);

/* A configuration. gl.color is the color format of `native` or that format with alpha added. */
struct tgt_config {
    int id;                      /* assigned by the API library */
    struct ws_config native;     /* configuration of the windows that can be drawn to */
    struct gl_visual gl;         /* buffers that the core allocates */
    struct tgt_format_bits bits; /* bits per component of gl.color and gl.depth_stencil */
};

/* Selects the configurations that tgt_list_configs returns. Configurations of one kind have the
 * same buffering, samples, accumulation buffer and sRGB capability. They differ in color format,
 * depth and stencil. */
enum tgt_config_api {
    TGT_FOR_GLX, /* all kinds, each in the native format and with alpha added */
    /* Like TGT_FOR_GLX, but only kinds that are double-buffered, without accumulation buffer, and
     * not sRGB. */
    TGT_FOR_EGL,
    TGT_FOR_DRI,       /* all kinds, in the native format only */
    TGT_FOR_EGL_EXACT, /* kinds of TGT_FOR_EGL, in the native format only; for EGL without X11 */
};

/* Native configurations that only pbuffers can have: floating-point colors. They exist on every
 * platform. */
enum { TGT_FLOAT_NATIVES = 3 };
extern const struct ws_config tgt_float_natives[TGT_FLOAT_NATIVES];

enum { TGT_MAX_CONFIGS = 192 }; /* maximum number of configurations per native configuration */
/* Stores in `out` the configurations that the core supports for a native configuration, and returns
 * their number. Their id is 0. Kinds without accumulation buffer, sRGB and multisampling come
 * first. Within a kind and color format, the usual depth and stencil sizes come first (24 and 8
 * bits, then none). */
unsigned tgt_list_configs(const struct indium_core *core, const struct ws_config *native,
                          enum tgt_config_api api, struct tgt_config out[TGT_MAX_CONFIGS]);

/* Properties of a configuration, from which attributes of the APIs get their values. */
enum tgt_attrib {
    TGT_CONSTANT,    /* tgt_attrib_name.constant */
    TGT_ID,          /* tgt_config.id */
    TGT_NATIVE_ID,   /* ws_config.native_id */
    TGT_BUFFER_SIZE, /* bits of red, green, blue and alpha together */
    TGT_RED_SIZE,    /* bits, as for all sizes up to TGT_ACCUM_ALPHA_SIZE */
    TGT_GREEN_SIZE,
    TGT_BLUE_SIZE,
    TGT_ALPHA_SIZE,
    TGT_HAS_ALPHA, /* 0 or 1, as for TGT_SAMPLE_BUFFERS, _DOUBLE_BUFFERED, _STEREO, _SRGB */
    TGT_DEPTH_SIZE,
    TGT_STENCIL_SIZE,
    TGT_ACCUM_SIZE, /* bits of each of red, green and blue */
    TGT_ACCUM_ALPHA_SIZE,
    TGT_SAMPLE_BUFFERS,
    TGT_SAMPLES, /* 0 if single-sampled */
    TGT_DOUBLE_BUFFERED,
    TGT_STEREO,
    TGT_SRGB,
    TGT_RED_MASK, /* bit mask within a pixel; 0: no such component, or pixel above 32 bits */
    TGT_GREEN_MASK,
    TGT_BLUE_MASK,
    TGT_ALPHA_MASK,
    TGT_RED_SHIFT, /* index of the lowest bit within a pixel; -1 if the mask is 0 */
    TGT_GREEN_SHIFT,
    TGT_BLUE_SHIFT,
    TGT_ALPHA_SHIFT,
    TGT_MAX_SIDE, /* maximum width and height of a pbuffer in pixels */
    TGT_MAX_AREA, /* maximum number of pixels of a pbuffer */
};

/* Row of an API library's table of attributes: where the value of one attribute comes from. */
struct tgt_attrib_name {
    int name; /* the attribute's token, such as GLX_RED_SIZE */
    enum tgt_attrib source;
    int constant; /* value if source is TGT_CONSTANT */
};

/* Returns the value of an attribute for a configuration. */
int tgt_config_value(const struct indium_core *core, const struct tgt_config *config,
                     const struct tgt_attrib_name *attrib);
/* Returns the row for `name` in a table of n rows, or NULL. */
const struct tgt_attrib_name *tgt_attrib_find(const struct tgt_attrib_name *table, unsigned n,
                                              int name);

/* Returns whether the core can draw to sRGB drawables. */
bool tgt_supports_srgb(const struct indium_core *core);

/* Returns whether this version of OpenGL, or of OpenGL ES if `es` is true, was published. */
bool tgt_version_defined(bool es, int major, int minor);

/* Returns GL_API_CORE or GL_API_COMPAT for a desktop context of a version
 * (GLX_ARB_create_context). From version 3.2 on, core_profile decides. Earlier versions are
 * GL_API_CORE if `forward` (forward-compatible) is true, and 3.1 also if indium_core has no
 * compatibility profile of that version. */
enum gl_api tgt_desktop_api(const struct indium_core *core, int major, int minor, bool forward,
                            bool core_profile);

#endif
