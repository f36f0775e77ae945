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
    GLenum type; /* GL_NONE, GL_TEXTURE, GL_RENDERBUFFER */
    struct gl_texture *texture;
    struct gl_renderbuffer *renderbuffer;
    unsigned level, face, layer;
    bool layered;
};

/* Indices of gl_framebuffer.attachment; color attachments come first. */
enum { GL_ATTACH_DEPTH = DRV_MAX_COLOR_BUFS, GL_ATTACH_STENCIL, GL_ATTACH_COUNT };

/* A framebuffer object. The object of name 0 stands for the drawable and belongs to one context. */
struct gl_framebuffer {
    int refcount;     /* one for the name and one per binding */
    unsigned changes; /* counts changes, so that other contexts with a binding notice them */
    GLuint name;
    bool ever_bound;
    char *label;
    struct gl_attachment attachment[GL_ATTACH_COUNT];
    GLenum draw_buffer[DRV_MAX_COLOR_BUFS]; /* as set: GL_BACK, GL_COLOR_ATTACHMENT0 … */
    unsigned num_draw_buffers;
    GLenum read_buffer;
    /* Parameters of a framebuffer without attachments (GL 4.6 §9.2.1). */
    GLint default_width, default_height, default_layers, default_samples;
    bool default_fixed_locations;
};

/* Framebuffer state of a context. */
struct gl_framebuffer_state {
    struct gl_framebuffer window;       /* object of name 0, for drawing and reading */
    struct gl_framebuffer *draw, *read; /* bound framebuffers, referenced, never NULL */
    unsigned changes;       /* value of draw->changes that the driver's framebuffer reflects */
    struct gl_names *names; /* points to `own` or to the names of the share group */
    struct gl_names own;
    struct gl_renderbuffer *renderbuffer; /* GL_RENDERBUFFER binding */
    struct drv_framebuffer bound;         /* framebuffer last passed to the driver */
    bool ever_current;
    /* Properties of the draw framebuffer, valid while GL_DIRTY_FRAMEBUFFER is clear. frag_colors is
     * the number of buffers that gl_FragColor is written to. */
    unsigned nr_cbufs, frag_colors;
    unsigned width, height;
    bool complete; /* known to be complete */
    /* All color buffers are fixed-point; all of them clamp to [0, 1] by format. */
    bool fixed_point, clamps;
    uint8_t draw_of_cbuf[DRV_MAX_COLOR_BUFS]; /* draw buffer index of each color buffer */
};

#endif
