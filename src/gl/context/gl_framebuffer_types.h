/* SPDX-License-Identifier: MIT */
/* Framebuffer objects, and the framebuffer bindings of a context. */
#ifndef GL_FRAMEBUFFER_TYPES_H
#define GL_FRAMEBUFFER_TYPES_H

#include "gl/context/gl_names.h"
#include "indium/driver.h"

struct gl_renderbuffer;
struct gl_texture;

struct gl_attachment {
    GLenum type; /* GL_NONE, GL_TEXTURE, GL_RENDERBUFFER */
    struct gl_texture *texture;
    struct gl_renderbuffer *renderbuffer;
    unsigned level, face, layer;
    bool layered;
};

enum { GL_ATTACH_DEPTH = DRV_MAX_COLOR_BUFS, GL_ATTACH_STENCIL, GL_ATTACH_COUNT };

/* name 0: the drawable's, which is its context's own. */
struct gl_framebuffer {
    int refcount;     /* of the name and of bindings */
    unsigned changes; /* counted, for other contexts that it is bound in */
    GLuint name;
    bool ever_bound;
    char *label;
    struct gl_attachment attachment[GL_ATTACH_COUNT];
    GLenum draw_buffer[DRV_MAX_COLOR_BUFS]; /* as set: GL_BACK, GL_COLOR_ATTACHMENT0 … */
    unsigned num_draw_buffers;
    GLenum read_buffer;
    /* of one without attachments (GL 4.6 §9.2.1) */
    GLint default_width, default_height, default_layers, default_samples;
    bool default_fixed_locations;
};

struct gl_framebuffer_state {
    struct gl_framebuffer window;       /* of name 0, draw side and read side */
    struct gl_framebuffer *draw, *read; /* never NULL; references */
    unsigned changes;                   /* of draw, when the driver's state was made of it */
    struct gl_names *names;             /* its own, or those of the share group */
    struct gl_names own;
    struct gl_renderbuffer *renderbuffer; /* GL_RENDERBUFFER */
    struct drv_framebuffer bound;         /* at the driver */
    bool ever_current;
    /* of the draw framebuffer, valid while GL_DIRTY_FRAMEBUFFER is not set */
    unsigned nr_cbufs, frag_colors; /* frag_colors: buffers that gl_FragColor goes to */
    unsigned width, height;
    bool complete;            /* is known to be */
    bool fixed_point, clamps; /* all color buffers are; all of them clamp to 0 … 1 by themselves */
    uint8_t draw_of_cbuf[DRV_MAX_COLOR_BUFS]; /* draw buffer number of each color buffer */
};

#endif
