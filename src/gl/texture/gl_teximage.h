/* SPDX-License-Identifier: MIT */
/* What the commands for texture images share. */
#ifndef GL_TEXIMAGE_H
#define GL_TEXIMAGE_H

#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_texture.h"

bool gl_is_proxy(GLenum target);

/* --- Selectors: what a command means by its target; false or NULL: error raised --- */

/* An image of a texture, but for its level. */
struct gl_image_place {
    struct gl_texture *texture; /* or the context's of proxies */
    enum gl_texture_index index;
    unsigned face;
    bool proxy;
    bool all_faces; /* of a cube map, as six slices: z is the face, depth their number */
};

enum gl_place_rules {
    GL_PLACE_PROXY = 1 << 0,  /* proxy targets too */
    GL_PLACE_WHOLE = 1 << 1,  /* cube maps as a whole instead of their faces */
    GL_PLACE_BUFFER = 1 << 2, /* GL_TEXTURE_BUFFER too */
    GL_PLACE_ONLY_BUFFER = 1 << 3,
    GL_PLACE_NO_RECT = 1 << 4, /* nor external ones */
    GL_PLACE_FACES = 1 << 5,   /* by name: cube maps are three-dimensional, all_faces */
    GL_PLACE_SAMPLES = 1 << 6, /* multisampled targets too */
    GL_PLACE_ONLY_SAMPLES = 1 << 7,
};

/* Says what the target is, but not whose: texture is NULL. dims: of the target, 0: any. */
bool gl_find_place(struct gl_context *ctx, GLenum target, unsigned dims, unsigned rules,
                   const char *call, struct gl_image_place *place);
bool gl_bound_place(struct gl_context *ctx, unsigned unit, GLenum target, unsigned dims,
                    unsigned rules, const char *call, struct gl_image_place *place);
/* The same of the texture that binding the name to the target would bind (EXT_direct_state_access). */
bool gl_use_place(struct gl_context *ctx, GLuint name, GLenum target, unsigned dims, unsigned rules,
                  const char *call, struct gl_image_place *place);
struct gl_texture *gl_use_texture(struct gl_context *ctx, GLuint name, GLenum target,
                                  unsigned rules, const char *call);
/* The same by the name of a texture that has a target. */
bool gl_named_place(struct gl_context *ctx, GLuint name, unsigned dims, unsigned rules,
                    const char *call, struct gl_image_place *place);
struct gl_texture *gl_named_texture(struct gl_context *ctx, GLuint name, unsigned rules,
                                    const char *call);
struct gl_texture *gl_bound_texture(struct gl_context *ctx, unsigned unit, GLenum target,
                                    unsigned rules, const char *call);

/* --- Cores: the commands of GL 4.6 §8.5 to §8.19 with their parameters, called by the
 * entry-point wrappers (gl_entry_points.py) --- */

/* dims: of the command; sizes and offsets that it lacks are 1 and 0. */
void gl_tex_image(struct gl_context *ctx, const struct gl_image_place *place, unsigned dims,
                  GLint level, GLint internal, GLsizei width, GLsizei height, GLsizei depth,
                  GLint border, GLenum format, GLenum type, const void *pixels, const char *name);
void gl_tex_sub_image(struct gl_context *ctx, const struct gl_image_place *place, unsigned dims,
                      GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                      GLsizei depth, GLenum format, GLenum type, const void *pixels,
                      const char *name);

/* Images of YCbCr; false: this is none, and nothing happened. */
bool gl_ycbcr_image(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                    GLint internal, GLsizei width, GLsizei height, GLint border, GLenum format,
                    GLenum type, const void *pixels, const char *name);
bool gl_ycbcr_sub_image(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                        const struct drv_box *part, GLenum format, GLenum type, const void *pixels,
                        const char *name);
void gl_generate_mipmap(struct gl_context *ctx, struct gl_texture *t, const char *name);
void gl_compressed_image(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                         GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                         GLint border, GLsizei size, const void *data, const char *name);
void gl_compressed_sub_image(struct gl_context *ctx, const struct gl_image_place *place,
                             GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                             GLsizei depth, GLenum format, GLsizei size, const void *data,
                             const char *name);
void gl_tex_storage(struct gl_context *ctx, const struct gl_image_place *place, GLsizei levels,
                    GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                    const char *name);
/* The same in a memory object (EXT_memory_object). */
void gl_tex_storage_mem(struct gl_context *ctx, const struct gl_image_place *place, GLsizei levels,
                        GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                        GLuint memory, GLuint64 offset, const char *name);
void gl_tex_multisample_mem(struct gl_context *ctx, const struct gl_image_place *place,
                            GLsizei samples, GLenum internal, GLsizei width, GLsizei height,
                            GLsizei depth, GLboolean fixed, GLuint memory, GLuint64 offset,
                            const char *name);
/* GL 4.6 §8.8, §8.19; proxies too. */
void gl_tex_multisample(struct gl_context *ctx, const struct gl_image_place *place, bool immutable,
                        GLsizei samples, GLenum internal, GLsizei width, GLsizei height,
                        GLsizei depth, GLboolean fixed, const char *name);
/* size: bytes behind the pointer, at most. */
void gl_get_tex_image(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                      GLenum format, GLenum type, GLsizeiptr size, void *pixels, const char *name);
void gl_get_tex_sub_image(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                          GLint x, GLint y, GLint z, GLsizei width, GLsizei height, GLsizei depth,
                          GLenum format, GLenum type, GLsizeiptr size, void *pixels,
                          const char *name);
void gl_get_compressed_sub_image(struct gl_context *ctx, const struct gl_image_place *place,
                                 GLint level, GLint x, GLint y, GLint z, GLsizei width,
                                 GLsizei height, GLsizei depth, GLsizeiptr size, void *pixels,
                                 const char *name);
void gl_get_compressed_image(struct gl_context *ctx, const struct gl_image_place *place,
                             GLint level, GLsizeiptr size, void *data, const char *name);
void gl_get_level_iv(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                     GLenum pname, GLint *params, const char *name);
void gl_get_level_fv(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                     GLenum pname, GLfloat *params, const char *name);
/* samples_error: of sampling parameters of multisampled textures, which have none (§8.10). */
void gl_tex_parameter_i(struct gl_context *ctx, struct gl_texture *t, GLenum pname, GLint param,
                        GLenum samples_error, const char *call);
void gl_tex_parameter_f(struct gl_context *ctx, struct gl_texture *t, GLenum pname, GLfloat param,
                        GLenum samples_error, const char *call);
void gl_tex_parameter_iv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                         const GLint *params, GLenum samples_error, const char *call);
void gl_tex_parameter_fv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                         const GLfloat *params, GLenum samples_error, const char *call);
void gl_tex_parameter_Iiv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                          const GLint *params, GLenum samples_error, const char *call);
void gl_tex_parameter_Iuiv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                           const GLuint *params, GLenum samples_error, const char *call);
void gl_get_tex_parameter_fv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                             GLfloat *params, const char *call);
void gl_get_tex_parameter_iv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                             GLint *params, const char *call);
void gl_get_tex_parameter_Iiv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                              GLint *params, const char *call);
void gl_get_tex_parameter_Iuiv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                               GLuint *params, const char *call);
/* Buffer textures (gl_texbuffer.c). */
void gl_tex_buffer(struct gl_context *ctx, struct gl_texture *t, GLenum internal, GLuint buffer,
                   const char *call);
void gl_tex_buffer_range(struct gl_context *ctx, struct gl_texture *t, GLenum internal,
                         GLuint buffer, GLintptr offset, GLsizeiptr size, const char *call);

/* --- What they share --- */

/* What an image is to become; sizes without border. */
struct gl_image_shape {
    GLint internal;
    enum drv_format format;
    GLsizei width, height, depth;
};

/* Replaces an image by an empty one with storage; NULL: no memory. */
struct gl_image *gl_define_image(struct gl_context *ctx, struct gl_texture *t, unsigned face,
                                 GLint level, const struct gl_image_shape *shape);
/* The image at a z of the place: there or, of all faces, of face z. */
struct gl_image *gl_place_image(const struct gl_image_place *place, GLint level, GLint z);
/* Whether all faces of a level are alike (of one face alone: true), else GL_INVALID_OPERATION. */
bool gl_place_is_complete(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                          const char *name);
/* The image that a subimage command changes; NULL: error raised. */
struct gl_image *gl_sub_image_check(struct gl_context *ctx, const struct gl_image_place *place,
                                    GLint level, const struct drv_box *part, const char *name);
/* All of the image at z 0 of a place; of all faces, as six slices. */
struct drv_box gl_place_whole(const struct gl_image_place *place, const struct gl_image *image);
/* Whether a part, of no negative size, lies in it. */
bool gl_place_holds(const struct gl_image_place *place, const struct gl_image *image,
                    const struct drv_box *part);
/* Parts of all faces are one for each face; this is the part of step i, of a number of steps, as a box
 * of the resource of *image. */
unsigned gl_place_steps(const struct gl_image_place *place, const struct drv_box *part);
struct drv_box gl_place_step(const struct gl_image_place *place, GLint level,
                             const struct drv_box *part, unsigned i, struct gl_image **image);
/* A box of the resource of an image of the place, for conversion. */
struct gl_texels gl_place_texels(const struct gl_image_place *place, const struct gl_image *image,
                                 const struct drv_box *box);
/* Sizes (with border) within the limits of the level of a target. */
bool gl_image_size_ok(const struct gl_context *ctx, enum gl_texture_index index, GLint level,
                      GLsizei width, GLsizei height, GLsizei depth, GLint border);
/* Answers for a level of a proxy target; ok false: there is no such image. */
void gl_define_proxy(struct gl_context *ctx, enum gl_texture_index index, GLint level,
                     const struct gl_image_shape *shape, bool ok);
/* Compressed paletted textures, of ES 1 (gl_paletted.c): whether an internal format is one; all of
 * them, up to max (their number); glCompressedTexImage2D of one, with its errors. */
bool gl_is_paletted(const struct gl_context *ctx, GLenum internal);
unsigned gl_paletted_formats(const struct gl_context *ctx, GLint *out, unsigned max);
void gl_paletted_image(struct gl_context *ctx, const struct gl_image_place *place, GLint level,
                       GLenum internal, GLsizei width, GLsizei height, GLint border, GLsizei size,
                       const void *data, const char *name);
/* Whether cube maps of that target can have such images (others: true). */
bool gl_cube_shape_ok(enum gl_texture_index index, GLsizei width, GLsizei height, GLsizei depth);
/* Whether textures can have an internal format with that base; ES renders to more. */
bool gl_can_texture(const struct gl_context *ctx, GLenum base);
/* Whether levels of smaller images can be made from such a base level (§8.14.4). */
bool gl_can_generate_mipmap(const struct gl_context *ctx, GLenum base, enum drv_format format);
/* Whether textures of that target have images of a specific compressed format (§8.7, table 8.14). */
bool gl_compressed_fits_target(enum gl_texture_index index, GLenum internal);

/* The base format of an internal format that pixels can be converted to; 0: there is none. */
GLenum gl_image_base_format(const struct gl_context *ctx, GLint internal);
/* Level, border and sizes of a new image; false: error raised. */
bool gl_image_check(struct gl_context *ctx, enum gl_texture_index index, GLint level, GLint border,
                    GLsizei width, GLsizei height, GLsizei depth, const char *name);
/* How the texels of an image are stored; formats without an encoder are stored uncompressed. format, type: of
 * the client's pixels, 0: others. */
enum drv_format gl_image_format(struct gl_context *ctx, enum gl_texture_index index, GLint internal,
                                GLenum base, GLenum format, GLenum type);
/* Dimensions of an image that have a border: layers have none. */
unsigned gl_image_border_dims(enum gl_texture_index index);
/* Whether a part of a compressed image can be changed: whole blocks, of formats that can be encoded. */
bool gl_image_can_change(const struct gl_image *image, const struct drv_box *part);
/* Makes the smaller levels after a change of the base level, if the texture asks for it. */
void gl_image_generate_mipmap(struct gl_context *ctx, struct gl_texture *t, GLint level);

#endif
