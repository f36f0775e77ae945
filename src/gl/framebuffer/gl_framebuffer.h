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

/* A renderbuffer object. It is shared by the contexts of a group. */
struct gl_renderbuffer {
    int refcount; /* one for the name until it is deleted, and one per binding or attachment */
    GLuint name;
    char *label;            /* set by glObjectLabel; NULL: none */
    GLenum internal, base;  /* internal format as specified by the application, and base format */
    enum drv_format format; /* of the storage; DRV_FORMAT_NONE: none yet, or not supported */
    GLsizei width, height;  /* in pixels */
    unsigned samples;       /* 0: single-sampled */
    struct drv_resource *resource; /* NULL: no storage */
};

/* A buffer to draw to or read from: a window's buffer or an attached image. */
struct gl_surface {
    struct drv_surface drv; /* not referenced; drv.texture is NULL if there is no buffer */
    /* Format of the storage. drv.format is its linear variant while GL_FRAMEBUFFER_SRGB is
     * disabled, otherwise the same. */
    enum drv_format stored;
    GLenum base;            /* base format */
    unsigned width, height; /* in pixels */
    unsigned samples;       /* 0: single-sampled */
};

/* Dirty bits of state that depends on the framebuffer's buffers, sample count and formats. */
#define GL_DIRTY_BY_FRAMEBUFFER                                                                    \
    (GL_DIRTY_SAMPLE_MASK | GL_DIRTY_RASTERIZER | GL_DIRTY_BLEND | GL_DIRTY_DEPTH_STENCIL)

/* Stores the read framebuffer's color read buffer in *surface. If an attached image is a mirror
 * (gl_mirror.h), updates it from its memory. In flipped framebuffers, surface->height is at most
 * the framebuffer's height. If there is no such buffer, or if a window's buffer can't be allocated,
 * clears *surface and returns false, without raising an error. */
bool gl_read_surface(struct gl_context *ctx, struct gl_surface *surface);
/* Like gl_read_surface, for the draw framebuffer's stencil buffer if `stencil`, otherwise its depth
 * buffer. Doesn't update mirrors. */
bool gl_draw_depth_surface(struct gl_context *ctx, bool stencil, struct gl_surface *surface);
/* Like gl_draw_depth_surface, for the read framebuffer. The default framebuffer's buffers for
 * drawing and reading differ if two drawables are current (glXMakeContextCurrent). */
bool gl_read_depth_surface(struct gl_context *ctx, bool stencil, struct gl_surface *surface);
/* Returns true if the framebuffer bound to target is complete and, for GL_READ_FRAMEBUFFER, has at
 * most one view (OVR_multiview). Otherwise raises GL_INVALID_FRAMEBUFFER_OPERATION for the command
 * `name` and returns false. */
bool gl_check_framebuffer(struct gl_context *ctx, GLenum target, const char *name);
/* Returns the sample count of a framebuffer; 0 if it is single-sampled. */
unsigned gl_framebuffer_samples(struct gl_context *ctx, struct gl_framebuffer *fb);
/* Returns a new reference to a single-sampled resource with the contents of r: r itself, or a copy
 * in which layer 0 is resolved. Returns NULL if out of memory. It uses only drv, so it needs no
 * current context. */
struct drv_resource *gl_resource_resolved(struct drv_context *drv, struct drv_resource *r);
/* Returns a new reference to a single-sampled resource that contains a surface of the read
 * framebuffer, with the rows in the order of window coordinates (row 0 is y = 0). A multisampled
 * surface must be in layer 0. Sets level and layers in s->drv to those of the surface in that
 * resource; s->drv.texture stays unchanged. Returns NULL if out of memory. */
struct drv_resource *gl_surface_resolved(struct gl_context *ctx, struct gl_surface *s);
/* Stores the driver's color buffers for the draw framebuffer in surfaces and returns their number.
 * Surface i belongs to draw buffer draw_of[i]: a draw buffer such as GL_FRONT_AND_BACK has several
 * surfaces. A draw buffer without an image has an empty (zeroed) surface, which may be left out at
 * the end of the list. Creates missing buffers of a window, and sets gl_window.front_drawn if a
 * surface is a front buffer. */
unsigned gl_draw_surfaces(struct gl_context *ctx, struct gl_surface surfaces[DRV_MAX_COLOR_BUFS],
                          uint8_t draw_of[DRV_MAX_COLOR_BUFS]);

/* Returns whether glClampColor clamps fragment colors to [0, 1] (GL 4.6 compatibility §17.3.1).
 * Returns false in contexts without fixed function. Valid while GL_DIRTY_FRAMEBUFFER is clear. */
bool gl_clamps_fragments(const struct gl_context *ctx);
/* Returns whether any color buffer of the draw framebuffer has an integer format. */
bool gl_draws_to_integers(struct gl_context *ctx);
/* Returns whether glClampColor clamps vertex colors (§12.4.6). Returns false in contexts without
 * fixed function. Valid while GL_DIRTY_FRAMEBUFFER is clear. */
bool gl_clamps_vertices(const struct gl_context *ctx);
/* Returns whether glGet clamps the colors that it returns (§22.2). Like gl_clamps_fragments, but
 * updates the framebuffer state first. */
bool gl_get_clamps_colors(struct gl_context *ctx);

/* Intersects a box of the draw framebuffer's images with the first viewport's scissor rectangle, if
 * the scissor test is enabled (GL 4.6 §14.9.2). If ctx->framebuffer.flips, the rows of the box are
 * in the reverse order of window coordinates. Returns false if the result is empty. */
bool gl_scissor_intersect(const struct gl_context *ctx, struct drv_box *box);

/* --- Selectors: return the object that a command refers to. If there is none, they return NULL
 * after raising an error for the command `name` or `call`. --- */

/* Return the object bound to a target, or NULL after raising an error. */
struct gl_framebuffer *gl_bound_framebuffer(struct gl_context *ctx, GLenum target,
                                            const char *name);
struct gl_renderbuffer *gl_bound_renderbuffer(struct gl_context *ctx, GLenum target,
                                              const char *name);

/* Returns the framebuffer object with a name, or NULL after raising an error. Returns the default
 * framebuffer for name 0. */
struct gl_framebuffer *gl_named_framebuffer(struct gl_context *ctx, GLuint name, const char *call);
/* Returns the renderbuffer object with a name, or NULL after raising an error. */
struct gl_renderbuffer *gl_named_renderbuffer(struct gl_context *ctx, GLuint name,
                                              const char *call);
/* Like the two functions above, but create the object if the name has none
 * (EXT_direct_state_access). Outside compatibility profiles, the name must be one that
 * glGenFramebuffers or glGenRenderbuffers returned. */
struct gl_framebuffer *gl_get_or_create_framebuffer(struct gl_context *ctx, GLuint name,
                                                    const char *call);
struct gl_renderbuffer *gl_get_or_create_renderbuffer(struct gl_context *ctx, GLuint name,
                                                      const char *call);
/* Temporarily makes fb the draw framebuffer, or the read framebuffer if target is
 * GL_READ_FRAMEBUFFER. Returns the previous one; call the function again with it to restore the
 * binding. If the framebuffers differ, draws buffered vertices first, and sets dirty bits.
 * Reference counts are not changed, so gl_share_pause must not be called in between. */
struct gl_framebuffer *gl_framebuffer_swap_binding(struct gl_context *ctx, GLenum target,
                                                   struct gl_framebuffer *fb);

/* --- Core functions: commands on a given framebuffer or renderbuffer. The entry-point wrappers
 * (gl_entry_points.py) find the object and call them. `name` or `call` is the command's name for
 * error messages. --- */

/* Values of dims in gl_framebuffer_texture, in addition to 1, 2 and 3 for glFramebufferTexture1D to
 * 3D: GL_ATTACH_LAYER for glFramebufferTextureLayer, GL_ATTACH_WHOLE for glFramebufferTexture,
 * GL_ATTACH_FACE for glFramebufferTextureFaceARB, whose face is the textarget. */
enum { GL_ATTACH_LAYER = 4, GL_ATTACH_WHOLE, GL_ATTACH_FACE };
/* Attaches an image of a texture, or all layers of a level (GL_ATTACH_WHOLE); texture 0 detaches.
 * textarget is used only if dims is 1, 2, 3 or GL_ATTACH_FACE. layer must be 0 unless dims is 3 or
 * GL_ATTACH_LAYER. */
void gl_framebuffer_texture(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum attachment,
                            unsigned dims, GLenum textarget, GLuint texture, GLint level,
                            GLint layer, const char *name);
/* Attaches the layers first_view to first_view + num_views - 1 of a 2D array texture as views
 * (OVR_multiview); texture 0 detaches. */
void gl_framebuffer_texture_views(struct gl_context *ctx, struct gl_framebuffer *fb,
                                  GLenum attachment, GLuint texture, GLint level, GLint first_view,
                                  GLsizei num_views, const char *name);
/* Implement glFramebufferRenderbuffer, glGetFramebufferAttachmentParameteriv, glDrawBuffer,
 * glDrawBuffers and glReadBuffer. */
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
/* Sets programmable sample locations (glFramebufferSampleLocationsfvARB): those of the samples
 * start to start + count - 1. v has x and y of each, in [0, 1]. */
void gl_framebuffer_sample_locations(struct gl_context *ctx, struct gl_framebuffer *fb,
                                     GLuint start, GLsizei count, const GLfloat *v,
                                     const char *name);
/* Stores the programmable sample locations of all DRV_MAX_SAMPLES samples in the form of
 * drv_context_ops.set_sample_locations. Returns false, with nothing stored, if they are not
 * enabled. */
bool gl_framebuffer_locations(const struct gl_framebuffer *fb, int8_t locations[][2]);
/* Returns `value`, or 0 if the draw framebuffer is incomplete. For queries of sample-location
 * limits, which return 0 then (ARB_sample_locations). */
unsigned gl_sample_location_value(struct gl_context *ctx, unsigned value);
/* Set the parameter GL_FRAMEBUFFER_FLIP_Y_MESA (MESA_framebuffer_flip_y), or store its value in
 * *param. For any other pname, raise GL_INVALID_ENUM. */
void gl_framebuffer_parameter_mesa(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                                   GLint param, const char *name);
void gl_framebuffer_get_mesa(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                             GLint *param, const char *name);
/* Implement glFramebufferParameteri and glGetFramebufferParameteriv. */
void gl_framebuffer_parameter(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                              GLint param, const char *name);
void gl_framebuffer_get(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                        GLint *param, const char *name);
/* Stores the value of GL_DRAW_BUFFER, GL_READ_BUFFER or GL_DRAW_BUFFERi in *param. For any other
 * pname, raises GL_INVALID_ENUM. */
void gl_framebuffer_get_buffer(struct gl_context *ctx, const struct gl_framebuffer *fb,
                               GLenum pname, GLint *param, const char *name);
/* Returns the completeness status of fb as if it were bound to target; 0 if target is invalid,
 * after raising an error. */
GLenum gl_framebuffer_check(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum target,
                            const char *name);
/* Implements glInvalidateSubFramebuffer. Only checks for errors; the contents stay unchanged. */
void gl_framebuffer_invalidate(struct gl_context *ctx, struct gl_framebuffer *fb, GLsizei n,
                               const GLenum *attachments, GLint x, GLint y, GLsizei width,
                               GLsizei height, const char *name);
/* Implement glClearBufferfv, iv, uiv and fi for fb. draw is the index of the draw buffer. */
void gl_clear_fv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 const GLfloat *value, const char *name);
void gl_clear_iv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 const GLint *value, const char *name);
void gl_clear_uiv(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                  const GLuint *value, const char *name);
void gl_clear_fi(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer, GLint draw,
                 GLfloat depth, GLint stencil, const char *name);
/* Implement glRenderbufferStorageMultisample (samples 0: glRenderbufferStorage) and
 * glGetRenderbufferParameteriv. */
void gl_renderbuffer_storage(struct gl_context *ctx, struct gl_renderbuffer *rb, GLsizei samples,
                             GLenum internal, GLsizei width, GLsizei height, const char *name);
void gl_renderbuffer_get(struct gl_context *ctx, const struct gl_renderbuffer *rb, GLenum pname,
                         GLint *params, const char *name);

/* --- Functions for other code --- */

/* Returns the renderbuffer object with a name; NULL for 0 and for names without an object. */
struct gl_renderbuffer *gl_renderbuffer_lookup(struct gl_context *ctx, GLuint name);
/* Sets *dst to src and updates both reference counts. Frees the old object with its last
 * reference. */
void gl_renderbuffer_reference(struct gl_renderbuffer **dst, struct gl_renderbuffer *src);
/* Sets an attachment without views (a->views is 0 afterwards) and updates reference counts. object
 * is a struct gl_texture or gl_renderbuffer, according to type; NULL removes the attachment. The
 * caller then calls gl_framebuffer_changed. */
void gl_attachment_set(struct gl_context *ctx, struct gl_attachment *a, GLenum type, void *object,
                       unsigned level, unsigned face, unsigned layer, bool layered);
/* Makes all contexts that have fb bound update their state, and recomputes fb->views. Call it when
 * fb's draw buffers or parameters change, and after its attachments have changed. */
void gl_framebuffer_changed(struct gl_context *ctx, struct gl_framebuffer *fb);
/* Detaches `object`, a texture or renderbuffer that is being deleted, from ctx's bound framebuffers
 * (GL 4.6 §9.2.8). */
void gl_framebuffers_detach(struct gl_context *ctx, const void *object);
/* Clears the accumulation buffer, if there is one, inside the scissor rectangle for glClear. Does
 * nothing if out of memory, or if conditional rendering discards the clear. */
void gl_clear_accum(struct gl_context *ctx);

/* Updates the context's views of its drawables (gl_windows_update). If GL_DIRTY_FRAMEBUFFER is set,
 * also calls gl_update_framebuffer, clears the bit, and sets the dirty bits of the state that
 * depends on the framebuffer. Commands other than draws call it before they use the framebuffer. */
void gl_update_framebuffer_state(struct gl_context *ctx);
/* Recomputes the fields of ctx->framebuffer that describe the draw framebuffer, and passes it to
 * the driver if it changed. First prepares its buffers for drawing (gl_window_resolve_front,
 * gl_mirror_draw). If the rows are or were flipped, sets GL_DIRTY_SCISSOR and GL_DIRTY_STIPPLE.
 * Doesn't clear GL_DIRTY_FRAMEBUFFER. */
void gl_update_framebuffer(struct gl_context *ctx);
/* Returns the completeness status of the framebuffer bound to target. Sets GL_DIRTY_FRAMEBUFFER if
 * another context has changed the draw framebuffer. */
GLenum gl_framebuffer_status(struct gl_context *ctx, GLenum target);
/* Stores the size of the bound draw framebuffer in pixels: the size of the window (0 × 0 without a
 * drawable), the minimum of the sizes of the attached images that have storage and that the driver
 * can render to, or the default size if there are none. */
void gl_framebuffer_size(struct gl_context *ctx, unsigned *width, unsigned *height);
/* Call after the context was made current. The first call with a draw drawable sets the initial
 * draw and read buffers of the default framebuffer (GL 4.6 §17.4.1). */
void gl_framebuffer_drawables_changed(struct gl_context *ctx);
bool gl_framebuffers_init(struct gl_context *ctx); /* returns false if out of memory */
/* Releases the context's bindings and its own framebuffer objects, and unbinds the driver's
 * framebuffer. */
void gl_framebuffers_finish(struct gl_context *ctx);
/* Drops the references that framebuffer and renderbuffer names hold. Called when the share group is
 * destroyed. */
void gl_framebuffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
/* Implements glGet for GL_IMPLEMENTATION_COLOR_READ_FORMAT and …_TYPE, see gl_get_types.h. Raises
 * GL_INVALID_OPERATION if the read framebuffer is incomplete or has no read buffer. */
unsigned gl_get_read_format(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                            double *v);
/* Implements glGet for framebuffer state, see gl_get_types.h. */
unsigned gl_get_framebuffers(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                             double *v);
/* Draw and read buffers that glPushAttrib saves. */
struct gl_saved_buffers {
    GLuint framebuffer, read_framebuffer; /* names of the draw and read framebuffers */
    /* draw: the num_draw draw buffers of the draw framebuffer (GL_COLOR_BUFFER_BIT). read: the read
     * buffer of the read framebuffer (GL_PIXEL_MODE_BIT). */
    GLenum draw[DRV_MAX_COLOR_BUFS], read;
    unsigned num_draw;
};
/* Stores the current draw and read buffers in *saved. */
void gl_framebuffers_push_attrib(struct gl_context *ctx, struct gl_saved_buffers *saved);
/* Restores the draw buffers if `draw`, and the read buffer if `read`, unless the framebuffer has
 * another name than when they were saved. */
void gl_framebuffers_pop_attrib(struct gl_context *ctx, const struct gl_saved_buffers *saved,
                                bool draw, bool read);
/* Implement glCopyTexImage and glCopyTexSubImage (gl_copy_texture.c): x and y are coordinates in
 * the read framebuffer; dx, dy and dz are the offsets in the texture image. */
void gl_copy_tex_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                       GLenum internal, GLint x, GLint y, GLsizei width, GLsizei height,
                       GLint border, const char *name);
void gl_copy_tex_sub_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                           GLint dx, GLint dy, GLint dz, GLint x, GLint y, GLsizei width,
                           GLsizei height, const char *name);

#endif
