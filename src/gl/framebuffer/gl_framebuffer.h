/* SPDX-License-Identifier: MIT */
/* Framebuffer and renderbuffer objects, the default framebuffer's state. */
#ifndef GL_FRAMEBUFFER_H
#define GL_FRAMEBUFFER_H

#include "gl/framebuffer/gl_drawable.h"
#include "gl/context/gl_names.h"

struct gl_texture;

struct gl_renderbuffer { /* shared, reference-counted */
    int refcount;
    GLuint name;
    char *label;
    GLenum internal, base;
    enum drv_format format;
    GLsizei width, height;
    unsigned samples;
    struct drv_resource *resource; /* NULL: no storage */
};

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

/* A buffer one can draw to or read from. */
struct gl_surface {
    struct drv_surface drv; /* texture NULL: there is none */
    GLenum base;
    unsigned width, height;
    unsigned samples;
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

/* The read buffer; depth or stencil of the draw and of the read framebuffer, which are two even if both are
 * the window's (glXMakeContextCurrent). False: there is none, or no memory. */
bool gl_read_surface(struct gl_context *ctx, struct gl_surface *surface);
bool gl_draw_depth_surface(struct gl_context *ctx, bool stencil, struct gl_surface *surface);
bool gl_read_depth_surface(struct gl_context *ctx, bool stencil, struct gl_surface *surface);
/* Raises GL_INVALID_FRAMEBUFFER_OPERATION unless the target's framebuffer is complete. */
bool gl_check_framebuffer(struct gl_context *ctx, GLenum target, const char *name);
/* Samples of a framebuffer; 0: single-sampled. */
unsigned gl_framebuffer_samples(struct gl_context *ctx, struct gl_framebuffer *fb);
/* A single-sampled image of a window's buffer, or of what is single-sampled: the resource itself if there
 * is nothing to resolve; referenced for the caller. NULL: no memory. Any thread that owns drv. */
struct drv_resource *gl_resource_resolved(struct drv_context *drv, struct drv_resource *r);
/* Surfaces of all draw buffers; returns their number. */
unsigned gl_draw_surfaces(struct gl_context *ctx, struct gl_surface surfaces[DRV_MAX_COLOR_BUFS],
                          uint8_t draw_of[DRV_MAX_COLOR_BUFS]);

/* Whether fragments' colors are clamped to [0, 1] (GL 4.6 compatibility §17.3.1): with fixed function
 * only. While GL_DIRTY_FRAMEBUFFER is not set. */
bool gl_clamps_fragments(const struct gl_context *ctx);
/* The same for vertices' colors (§12.4.6). */
bool gl_clamps_vertices(const struct gl_context *ctx);
/* That of fragments at any time; colors that glGet shows are clamped then (§22.2). */
bool gl_shows_clamped_colors(struct gl_context *ctx);

/* Cuts off a box of pixels what the scissor test of the first viewport leaves out (GL 4.6 §14.9.2);
 * false: nothing is left. */
bool gl_scissor_cut(const struct gl_context *ctx, struct drv_box *box);

/* --- Selectors: the object that a command means; NULL: error raised --- */

struct gl_framebuffer *gl_bound_framebuffer(struct gl_context *ctx, GLenum target,
                                            const char *name);
struct gl_renderbuffer *gl_bound_renderbuffer(struct gl_context *ctx, GLenum target,
                                              const char *name);

/* Name 0 is the default framebuffer. */
struct gl_framebuffer *gl_named_framebuffer(struct gl_context *ctx, GLuint name, const char *call);
struct gl_renderbuffer *gl_named_renderbuffer(struct gl_context *ctx, GLuint name,
                                              const char *call);
/* By a name that becomes an object where it is none yet (EXT_direct_state_access). */
struct gl_framebuffer *gl_use_framebuffer(struct gl_context *ctx, GLuint name, const char *call);
struct gl_renderbuffer *gl_use_renderbuffer(struct gl_context *ctx, GLuint name, const char *call);
/* Makes a framebuffer the one to draw to (or to read from), for a command on it alone, which does not
 * pause the share group's lock; returns the one to make it again afterwards. */
struct gl_framebuffer *gl_framebuffer_use(struct gl_context *ctx, GLenum target,
                                          struct gl_framebuffer *fb);

/* --- Cores: commands on a framebuffer or renderbuffer, called by gl_entry_points.py's wrappers --- */

/* What glFramebufferTexture…: 1, 2, 3: …1D, …2D, …3D, whose textarget counts. */
enum { GL_ATTACH_LAYER = 4, GL_ATTACH_WHOLE };
void gl_framebuffer_texture(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum attachment,
                            unsigned dims, GLenum textarget, GLuint texture, GLint level,
                            GLint layer, const char *name);
void gl_framebuffer_renderbuffer(struct gl_context *ctx, struct gl_framebuffer *fb,
                                 GLenum attachment, GLenum rb_target, GLuint name,
                                 const char *call);
void gl_framebuffer_get_attachment(struct gl_context *ctx, const struct gl_framebuffer *fb,
                                   GLenum attachment, GLenum pname, GLint *params,
                                   const char *name);
void gl_framebuffer_draw_buffer(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer,
                                const char *name);
void gl_framebuffer_draw_buffers(struct gl_context *ctx, struct gl_framebuffer *fb, GLsizei n,
                                 const GLenum *buffers, const char *name);
void gl_framebuffer_read_buffer(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer,
                                const char *name);
void gl_framebuffer_parameter(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                              GLint param, const char *name);
void gl_framebuffer_get(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                        GLint *param, const char *name);
/* GL_DRAW_BUFFER, GL_READ_BUFFER, GL_DRAW_BUFFERi. */
void gl_framebuffer_get_buffer(struct gl_context *ctx, const struct gl_framebuffer *fb,
                               GLenum pname, GLint *param, const char *name);
/* target: as what it would be bound. */
GLenum gl_framebuffer_check(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum target,
                            const char *name);
void gl_framebuffer_invalidate(struct gl_context *ctx, struct gl_framebuffer *fb, GLsizei n,
                               const GLenum *attachments, GLint x, GLint y, GLsizei width,
                               GLsizei height, const char *name);
void gl_clear_fv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 const GLfloat *value, const char *name);
void gl_clear_iv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 const GLint *value, const char *name);
void gl_clear_uiv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                  const GLuint *value, const char *name);
void gl_clear_fi(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 GLfloat depth, GLint stencil, const char *name);
void gl_renderbuffer_storage(struct gl_context *ctx, struct gl_renderbuffer *rb, GLsizei samples,
                             GLenum internal, GLsizei width, GLsizei height, const char *name);
void gl_renderbuffer_get(struct gl_context *ctx, const struct gl_renderbuffer *rb, GLenum pname,
                         GLint *params, const char *name);

struct gl_renderbuffer *gl_renderbuffer_lookup(struct gl_context *ctx, GLuint name);
void gl_renderbuffer_reference(struct gl_renderbuffer **dst, struct gl_renderbuffer *src);
void gl_attachment_set(struct gl_context *ctx, struct gl_attachment *a, GLenum type, void *object,
                       unsigned level, unsigned face, unsigned layer, bool layered);
/* Attachments, draw buffers or parameters of the object change. */
void gl_framebuffer_changed(struct gl_context *ctx, struct gl_framebuffer *fb);
/* A texture or renderbuffer is deleted: detached from the bound framebuffers (GL 4.6 §9.2.8). */
void gl_framebuffers_detach(struct gl_context *ctx, const void *object);
/* Whether the texture is attached to the bound draw framebuffer. */
/* glClear of the accumulation buffer. */
void gl_clear_accum(struct gl_context *ctx);
bool gl_framebuffers_use_texture(struct gl_context *ctx, const struct gl_texture *t);

#endif
