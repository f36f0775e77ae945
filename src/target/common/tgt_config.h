/* SPDX-License-Identifier: MIT */
/*
 * Configurations: what GLX calls an FBConfig, EGL and DRI a config. Which there are is decided here
 * and nowhere else; a face adds what its API knows of them and a table of its attributes' names.
 */
#ifndef TGT_CONFIG_H
#define TGT_CONFIG_H

#include "indium/core.h"
#include "indium/winsys.h"

/* Sizes in bits of the components of a color or depth/stencil format; 0 for what it lacks. */
struct tgt_format_bits {
    uint8_t red, green, blue, alpha, depth, stencil;
};

struct tgt_format_bits tgt_format_bits(enum drv_format format);

struct tgt_config {
    int id;                  /* the face's */
    struct ws_config native; /* what windows hold (gl.color may have alpha on top) */
    struct gl_visual gl;
    struct tgt_format_bits bits; /* of color and depth/stencil together */
};

/* For whom a list is made. */
enum tgt_lister {
    TGT_FOR_GLX, /* all kinds, each with and without alpha */
    TGT_FOR_EGL, /* the same but what EGL has no attribute for: one buffer, accumulation, sRGB */
    TGT_FOR_DRI, /* all kinds of the format as it is */
    TGT_FOR_EGL_PLAIN, /* not X11, where alpha may be on top of a format: as they are */
};

/* Writes the configurations over one native format that the core can draw to, the plainest kind
 * first and within a kind the richest depth and stencil; returns how many. Their ids are 0. */
enum { TGT_MAX_CONFIGS = 128 };
unsigned tgt_list_configs(const struct indium_core *core, const struct ws_config *native,
                          enum tgt_lister lister, struct tgt_config out[TGT_MAX_CONFIGS]);

/* Where the value of an attribute comes from. */
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
    TGT_ACCUM_SIZE, /* of red, green or blue */
    TGT_ACCUM_ALPHA_SIZE,
    TGT_SAMPLE_BUFFERS,
    TGT_SAMPLES,
    TGT_DOUBLE_BUFFERED,
    TGT_STEREO,
    TGT_SRGB,
    TGT_RED_MASK, /* in a pixel */
    TGT_GREEN_MASK,
    TGT_BLUE_MASK,
    TGT_ALPHA_MASK,
    TGT_RED_SHIFT, /* lowest bit, or -1 */
    TGT_GREEN_SHIFT,
    TGT_BLUE_SHIFT,
    TGT_ALPHA_SHIFT,
    TGT_MAX_SIDE, /* of pbuffers, pixels */
    TGT_MAX_AREA,
};

struct tgt_attrib_name {
    int name; /* the API's */
    enum tgt_attrib source;
    int constant; /* of TGT_CONSTANT */
};

int tgt_config_value(const struct indium_core *core, const struct tgt_config *config,
                     const struct tgt_attrib_name *attrib);
/* The row of that name in a table of n, or NULL. */
const struct tgt_attrib_name *tgt_attrib_find(const struct tgt_attrib_name *table, unsigned n,
                                              int name);

/* Whether drawables may be sRGB. */
bool tgt_supports_srgb(const struct indium_core *core);

/* Whether a version of GL or ES was ever published. */
bool tgt_version_defined(bool es, int major, int minor);

/* The API of a desktop context of that version: before 3.2 there are no profiles, and what a driver
 * without compatibility gives at 3.1 is a core context (GLX_ARB_create_context). */
enum gl_api tgt_desktop_api(const struct indium_core *core, int major, int minor, bool forward,
                            bool core_profile);

#endif
