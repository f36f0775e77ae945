/* SPDX-License-Identifier: MIT */
/* Framebuffer and renderbuffer objects, and the default framebuffer's state. */
#ifndef GL_FRAMEBUFFER_H
#define GL_FRAMEBUFFER_H

#include "gl/context/gl_framebuffer_types.h"
#include "gl/context/gl_get_types.h"
#include "indium/driver.h"

struct gl_context;
struct gl_image_target;
struct gl_shared;

/* A renderbuffer object. Shared by the group, reference-counted. */
struct gl_renderbuffer {
    int refcount;
    GLuint name;
    char *label;
    GLenum internal, base;
    enum drv_format format;
    GLsizei width, height;
    unsigned samples;
    struct drv_resource *resource; /* NULL: no storage */
};

/* A buffer to draw to or read from. */
struct gl_surface {
    struct drv_surface drv; /* texture is NULL if there is no buffer */
    GLenum base;
    unsigned width, height;
    unsigned samples;
};

/* State that depends on the sample count and the formats of the framebuffer. */
#define GL_DIRTY_BY_FRAMEBUFFER (GL_DIRTY_SAMPLE_MASK | GL_DIRTY_RASTERIZER | GL_DIRTY_BLEND)

/* Get the color read buffer, or the depth or stencil buffer of the draw or the read framebuffer.
 * The two default framebuffers differ if glXMakeContextCurrent was given two drawables. Return
 * false if there is no such buffer or no memory. */
bool gl_read_surface(struct gl_context *ctx, struct gl_surface *surface);
bool gl_draw_depth_surface(struct gl_context *ctx, bool stencil, struct gl_surface *surface);
bool gl_read_depth_surface(struct gl_context *ctx, bool stencil, struct gl_surface *surface);
/* Raises GL_INVALID_FRAMEBUFFER_OPERATION and returns false unless the framebuffer bound to target
 * is complete. */
bool gl_check_framebuffer(struct gl_context *ctx, GLenum target, const char *name);
/* Returns the sample count of a framebuffer; 0 if it is single-sampled. */
unsigned gl_framebuffer_samples(struct gl_context *ctx, struct gl_framebuffer *fb);
/* Returns a reference to a single-sampled image of a buffer: r itself, or a resolved copy. NULL:
 * out of memory. Any thread that owns drv may call it. */
struct drv_resource *gl_resource_resolved(struct drv_context *drv, struct drv_resource *r);
/* Fills in the surfaces of all draw buffers and returns their number. */
unsigned gl_draw_surfaces(struct gl_context *ctx, struct gl_surface surfaces[DRV_MAX_COLOR_BUFS],
                          uint8_t draw_of[DRV_MAX_COLOR_BUFS]);

/* Returns whether fragment colors are clamped to [0, 1] (GL 4.6 compatibility §17.3.1). Only
 * contexts with fixed function clamp. Valid while GL_DIRTY_FRAMEBUFFER is clear. */
bool gl_clamps_fragments(const struct gl_context *ctx);
/* Returns whether vertex colors are clamped (§12.4.6). */
bool gl_clamps_vertices(const struct gl_context *ctx);
/* Like gl_clamps_fragments, but valid at any time. If true, glGet clamps the colors that it returns
 * (§22.2). */
bool gl_get_clamps_colors(struct gl_context *ctx);

/* Intersects a box with the first viewport's scissor rectangle, if enabled (GL 4.6 §14.9.2).
 * Returns false if the result is empty. */
bool gl_scissor_intersect(const struct gl_context *ctx, struct drv_box *box);

/* --- Selectors: return the object that a command refers to. NULL: an error was raised. --- */

struct gl_framebuffer *gl_bound_framebuffer(struct gl_context *ctx, GLenum target,
                                            const char *name);
struct gl_renderbuffer *gl_bound_renderbuffer(struct gl_context *ctx, GLenum target,
                                              const char *name);

/* Name 0 selects the default framebuffer. */
struct gl_framebuffer *gl_named_framebuffer(struct gl_context *ctx, GLuint name, const char *call);
struct gl_renderbuffer *gl_named_renderbuffer(struct gl_context *ctx, GLuint name,
                                              const char *call);
/* Returns the framebuffer of a name and creates it if the name has none
 * (EXT_direct_state_access). */
struct gl_framebuffer *gl_get_or_create_framebuffer(struct gl_context *ctx, GLuint name,
                                                    const char *call);
struct gl_renderbuffer *gl_get_or_create_renderbuffer(struct gl_context *ctx, GLuint name,
                                                      const char *call);
/* Temporarily makes fb the draw or read framebuffer for a command on it. Returns the previous one,
 * which the command must restore the same way. Such commands must not pause the share group's lock,
 * because reference counts stay unchanged. */
struct gl_framebuffer *gl_framebuffer_swap_binding(struct gl_context *ctx, GLenum target,
                                                   struct gl_framebuffer *fb);

/* --- Cores: commands on a given framebuffer or renderbuffer, called by the entry-point wrappers
 * (gl_entry_points.py) --- */

/* Kind of glFramebufferTexture command, passed as dims: 1, 2 and 3 for the commands with textarget,
 * GL_ATTACH_LAYER for glFramebufferTextureLayer, GL_ATTACH_WHOLE for glFramebufferTexture. */
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
/* Queries GL_DRAW_BUFFER, GL_READ_BUFFER or GL_DRAW_BUFFERi. */
void gl_framebuffer_get_buffer(struct gl_context *ctx, const struct gl_framebuffer *fb,
                               GLenum pname, GLint *param, const char *name);
/* Returns the completeness status of fb as if it were bound to target. */
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
/* Sets an attachment and its references. object NULL: detaches. */
void gl_attachment_set(struct gl_context *ctx, struct gl_attachment *a, GLenum type, void *object,
                       unsigned level, unsigned face, unsigned layer, bool layered);
/* Call when attachments, draw buffers or parameters of fb change. */
void gl_framebuffer_changed(struct gl_context *ctx, struct gl_framebuffer *fb);
/* Detaches a deleted texture or renderbuffer from the bound framebuffers (GL 4.6 §9.2.8). */
void gl_framebuffers_detach(struct gl_context *ctx, const void *object);
/* Clears the accumulation buffer for glClear. */
void gl_clear_accum(struct gl_context *ctx);

/* Updates only the state that clears, blits and pixel copies need: framebuffer and scissor. */
void gl_update_framebuffer_state(struct gl_context *ctx);
void gl_update_framebuffer(struct gl_context *ctx); /* calls the driver's set_framebuffer */
/* Returns the completeness status of the bound framebuffer and updates its size. */
GLenum gl_framebuffer_status(struct gl_context *ctx, GLenum target);
/* Gets the size of the bound draw framebuffer. */
void gl_framebuffer_size(struct gl_context *ctx, unsigned *width, unsigned *height);
/* Call when make_current changes the drawables, which may be NULL. The first call in a context's
 * life sets the initial draw and read buffers. */
void gl_framebuffer_drawables_changed(struct gl_context *ctx);
bool gl_framebuffers_init(struct gl_context *ctx);
void gl_framebuffers_finish(struct gl_context *ctx);
void gl_framebuffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
/* Implements glGet for the implementation's glReadPixels format and type. Raises an error if there
 * is no read buffer. */
unsigned gl_get_read_format(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                            double *v);
/* Implements glGet for framebuffer state, see gl_get_types.h. */
unsigned gl_get_framebuffers(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                             double *v);
/* Saved draw buffers (GL_COLOR_BUFFER_BIT) and read buffer (GL_PIXEL_MODE_BIT) of glPushAttrib. */
struct gl_saved_buffers {
    GLuint framebuffer;
    GLenum draw[DRV_MAX_COLOR_BUFS], read;
    unsigned num_draw;
};
void gl_framebuffers_push_attrib(struct gl_context *ctx, struct gl_saved_buffers *saved);
/* Restores what `draw` and `read` select, if the same framebuffer is still bound. */
void gl_framebuffers_pop_attrib(struct gl_context *ctx, const struct gl_saved_buffers *saved,
                                bool draw, bool read);
/* Implementations of glCopyTexImage and glCopyTexSubImage (gl_copy_texture.c). */
void gl_copy_tex_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                       GLenum internal, GLint x, GLint y, GLsizei width, GLsizei height,
                       GLint border, const char *name);
void gl_copy_tex_sub_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                           GLint dx, GLint dy, GLint dz, GLint x, GLint y, GLsizei width,
                           GLsizei height, const char *name);

#endif
