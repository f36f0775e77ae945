/* SPDX-License-Identifier: MIT */
/* Framebuffer objects, and the framebuffer bindings of a context. */
#ifndef GL_FRAMEBUFFER_TYPES_H
#define GL_FRAMEBUFFER_TYPES_H

#include "gl/context/gl_names.h"
#include "indium/driver.h"

struct gl_renderbuffer;
struct gl_texture;

/* The image attached to an attachment point. */
struct gl_attachment {
    GLenum type;                          /* GL_NONE, GL_TEXTURE, GL_RENDERBUFFER */
    struct gl_texture *texture;           /* referenced; NULL unless type is GL_TEXTURE */
    struct gl_renderbuffer *renderbuffer; /* referenced; NULL unless type is GL_RENDERBUFFER */
    unsigned level, face, layer;          /* image of the texture; face: cube map face, 0 to 5 */
    bool layered;                         /* all layers are attached (glFramebufferTexture) */
    unsigned views; /* number of views (OVR_multiview): layers that start at `layer`; 0: none */
};

/* Indices of gl_framebuffer.attachment; color attachments come first. */
enum { GL_ATTACH_DEPTH = DRV_MAX_COLOR_BUFS, GL_ATTACH_STENCIL, GL_ATTACH_COUNT };

/* A framebuffer object. The object of name 0 is the default framebuffer, whose buffers are the
 * drawables'; each context has its own. Compatibility contexts share the others. */
struct gl_framebuffer {
    int refcount;     /* one for the name until it is deleted, and one per binding */
    unsigned changes; /* incremented by each change, so that other contexts notice it */
    GLuint name;
    /* Default framebuffer: the context was current with a draw drawable, which set draw_buffer and
     * read_buffer. Unused in other objects. */
    bool ever_bound;
    char *label; /* set by glObjectLabel, malloc'ed; NULL: none */
    struct gl_attachment attachment[GL_ATTACH_COUNT];
    unsigned views;                         /* maximum of gl_attachment.views */
    GLenum draw_buffer[DRV_MAX_COLOR_BUFS]; /* glDrawBuffers: GL_BACK, GL_COLOR_ATTACHMENT0 … */
    unsigned num_draw_buffers;              /* number of elements in use in draw_buffer */
    GLenum read_buffer;                     /* glReadBuffer */
    /* Size in pixels, layers and samples of a framebuffer without attachments (GL 4.6 §9.2.1). */
    GLint default_width, default_height, default_layers, default_samples;
    bool default_fixed_locations;
    /* ARB_sample_locations. programmable_locations: sample_location replaces the default positions.
     * location_grid: GL_FRAMEBUFFER_SAMPLE_LOCATION_PIXEL_GRID_ARB, which has no effect, because
     * the grid consists of one pixel. */
    bool programmable_locations, location_grid;
    bool flip_y; /* MESA_framebuffer_flip_y: y = 0 is the last row of the images */
    float sample_location[DRV_MAX_SAMPLES][2]; /* in pixels from the pixel's lower left corner */
};

/* Framebuffer state of a context. */
struct gl_framebuffer_state {
    struct gl_framebuffer window;       /* object of name 0, the default framebuffer */
    struct gl_framebuffer *draw, *read; /* bound framebuffers, referenced, never NULL */
    unsigned changes;       /* value of draw->changes when the driver's framebuffer was set */
    struct gl_names *names; /* framebuffer names: `own`, or those of the share group */
    struct gl_names own;
    struct gl_renderbuffer *renderbuffer; /* GL_RENDERBUFFER binding, referenced; may be NULL */
    /* framebuffer last passed to the driver; its textures are referenced */
    struct drv_framebuffer bound;
    bool ever_current; /* a framebuffer was passed to the driver */
    /* The following fields describe the draw framebuffer. They are valid while GL_DIRTY_FRAMEBUFFER
     * is clear. nr_cbufs: number of the driver's color buffers. frag_colors: number of color
     * outputs that gl_FragColor sets, which is nr_cbufs but at least 1. */
    unsigned nr_cbufs, frag_colors;
    unsigned width, height; /* in pixels */
    bool flips;             /* flip_y of the draw framebuffer */
    bool complete;          /* true: known to be complete; false: unknown */
    /* Whether there is a depth buffer, and a stencil buffer. If a packed depth-stencil image is
     * attached to only one of the two points, only that aspect of it counts (GL 4.6 §15.1.3,
     * §15.1.4, §17.3). */
    bool has_depth, has_stencil;
    /* fixed_point: all color buffers have normalized formats (no floats, no integers). clamps: they
     * are also unsigned, so that storing a color clamps it to [0, 1]. */
    bool fixed_point, clamps;
    bool integers; /* any color buffer has an integer format */
    /* [n]: index of the draw buffer that the driver's color buffer n belongs to */
    uint8_t draw_of_cbuf[DRV_MAX_COLOR_BUFS];
};

#endif
