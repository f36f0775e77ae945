/* SPDX-License-Identifier: MIT */
/* Framebuffer and renderbuffer objects, the default framebuffer's state. */
#ifndef GL_FRAMEBUFFER_H
#define GL_FRAMEBUFFER_H

#include "gl/context/gl_framebuffer_types.h"
#include "gl/context/gl_get_types.h"
#include "indium/driver.h"

struct gl_context;
struct gl_image_place;
struct gl_shared;

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

/* A buffer one can draw to or read from. */
struct gl_surface {
    struct drv_surface drv; /* texture NULL: there is none */
    GLenum base;
    unsigned width, height;
    unsigned samples;
};

/* State that depends on the number of samples and the formats of the framebuffer. */
#define GL_DIRTY_BY_FRAMEBUFFER (GL_DIRTY_SAMPLE_MASK | GL_DIRTY_RASTERIZER | GL_DIRTY_BLEND)

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
/* glClear of the accumulation buffer. */
void gl_clear_accum(struct gl_context *ctx);

/* Only what clears, blits and pixel copies need: framebuffer, scissor. */
void gl_update_framebuffer_state(struct gl_context *ctx);
void gl_update_framebuffer(struct gl_context *ctx); /* drv set_framebuffer */
/* Size of the bound draw framebuffer, and whether it is complete (GL_FRAMEBUFFER_COMPLETE …). */
GLenum gl_framebuffer_status(struct gl_context *ctx, GLenum target);
void gl_framebuffer_size(struct gl_context *ctx, unsigned *width, unsigned *height);
/* make_current: the drawables changed. May be NULL. First call ever sets draw and read buffers. */
void gl_framebuffer_drawables_changed(struct gl_context *ctx);
bool gl_framebuffers_init(struct gl_context *ctx);
void gl_framebuffers_finish(struct gl_context *ctx);
void gl_framebuffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
/* The implementation's pair for glReadPixels; raises the error that there is no buffer to read. */
unsigned gl_get_read_pair(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
unsigned gl_get_framebuffers(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                             double *v);
/* Saves and restores glDrawBuffer state (GL_COLOR_BUFFER_BIT) and glReadBuffer (GL_PIXEL_MODE_BIT). */
struct gl_saved_buffers {
    GLuint framebuffer;
    GLenum draw[DRV_MAX_COLOR_BUFS], read;
    unsigned num_draw;
};
void gl_framebuffers_push_attrib(struct gl_context *ctx, struct gl_saved_buffers *saved);
void gl_framebuffers_pop_attrib(struct gl_context *ctx, const struct gl_saved_buffers *saved,
                                bool draw, bool read);
/* glCopyTexImage, glCopyTexSubImage (gl_copy_texture.c). */
void gl_copy_tex_image(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                       GLenum internal, GLint x, GLint y, GLsizei width, GLsizei height,
                       GLint border, const char *name);
void gl_copy_tex_sub_image(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                           GLint dx, GLint dy, GLint dz, GLint x, GLint y, GLsizei width,
                           GLsizei height, const char *name);

#endif
