/* SPDX-License-Identifier: MIT */
/* Functions shared by the commands on texture images. */
#ifndef GL_TEXIMAGE_H
#define GL_TEXIMAGE_H

#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_texture.h"

/* Returns whether a target is a proxy target. */
bool gl_is_proxy(GLenum target);

/* --- Selectors: resolve the target of a command. False or NULL: an error was raised. --- */

/* A texture image without its level: the target of an image command. */
struct gl_image_target {
    struct gl_texture *texture; /* or the context's proxy texture */
    enum gl_texture_index index;
    unsigned face;
    bool proxy;
    /* The whole cube map as six slices: z is the first face, depth the number of faces. */
    bool all_faces;
};

/* Targets that a command accepts. Flags. */
enum gl_target_rules {
    GL_PLACE_PROXY = 1 << 0,  /* also accept proxy targets */
    GL_PLACE_WHOLE = 1 << 1,  /* accept whole cube maps instead of their faces */
    GL_PLACE_BUFFER = 1 << 2, /* also accept GL_TEXTURE_BUFFER */
    GL_PLACE_ONLY_BUFFER = 1 << 3,
    GL_PLACE_NO_RECT = 1 << 4, /* accept neither rectangle nor external textures */
    GL_PLACE_FACES = 1 << 5,   /* by name: treat cube maps as three-dimensional (all_faces) */
    GL_PLACE_SAMPLES = 1 << 6, /* also accept multisample targets */
    GL_PLACE_ONLY_SAMPLES = 1 << 7,
};

/* Resolves the target only; place->texture is NULL. dims: required dimensions of the target; 0:
 * any. */
bool gl_resolve_target(struct gl_context *ctx, GLenum target, unsigned dims, unsigned rules,
                       const char *call, struct gl_image_target *place);
/* Resolves the texture bound to a target of a texture unit. rules: enum gl_target_rules flags. */
bool gl_bound_image(struct gl_context *ctx, unsigned unit, GLenum target, unsigned dims,
                    unsigned rules, const char *call, struct gl_image_target *place);
/* Like gl_bound_image, for the texture that binding the name to the target would bind
 * (EXT_direct_state_access). */
bool gl_bindable_image(struct gl_context *ctx, GLuint name, GLenum target, unsigned dims,
                       unsigned rules, const char *call, struct gl_image_target *place);
/* Like gl_bindable_image, for commands on whole textures. */
struct gl_texture *gl_get_or_create_texture(struct gl_context *ctx, GLuint name, GLenum target,
                                            unsigned rules, const char *call);
/* Like gl_bound_image, for the texture of a name, which must have a target already. */
bool gl_named_image(struct gl_context *ctx, GLuint name, unsigned dims, unsigned rules,
                    const char *call, struct gl_image_target *place);
/* Like gl_named_image, for commands on whole textures. */
struct gl_texture *gl_named_texture(struct gl_context *ctx, GLuint name, unsigned rules,
                                    const char *call);
/* Like gl_bound_image, for commands on whole textures. */
struct gl_texture *gl_bound_texture(struct gl_context *ctx, unsigned unit, GLenum target,
                                    unsigned rules, const char *call);

/* --- Cores: commands of GL 4.6 §8.5 to §8.19 on a given texture image, called by the entry-point
 * wrappers (gl_entry_points.py) --- */

/* dims is the number in the command's name. Sizes and offsets of missing dimensions are 1 and 0. */
void gl_tex_image(struct gl_context *ctx, const struct gl_image_target *place, unsigned dims,
                  GLint level, GLint internal, GLsizei width, GLsizei height, GLsizei depth,
                  GLint border, GLenum format, GLenum type, const void *pixels, const char *name);
void gl_tex_sub_image(struct gl_context *ctx, const struct gl_image_target *place, unsigned dims,
                      GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                      GLsizei depth, GLenum format, GLenum type, const void *pixels,
                      const char *name);

/* Implement glTexImage2D and glTexSubImage2D for Y'CbCr images (MESA_ycbcr_texture). They return
 * false and do nothing for other formats. */
bool gl_ycbcr_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                    GLint internal, GLsizei width, GLsizei height, GLint border, GLenum format,
                    GLenum type, const void *pixels, const char *name);
bool gl_ycbcr_sub_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                        const struct drv_box *part, GLenum format, GLenum type, const void *pixels,
                        const char *name);
/* Implements glGenerateMipmap. */
void gl_generate_mipmap(struct gl_context *ctx, struct gl_texture *t, const char *name);
void gl_compressed_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                         GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                         GLint border, GLsizei size, const void *data, const char *name);
/* Implements glCompressedTexSubImage. size is the number of bytes at data. */
void gl_compressed_sub_image(struct gl_context *ctx, const struct gl_image_target *place,
                             GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                             GLsizei depth, GLenum format, GLsizei size, const void *data,
                             const char *name);
void gl_tex_storage(struct gl_context *ctx, const struct gl_image_target *place, GLsizei levels,
                    GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                    const char *name);
/* Like gl_tex_storage and gl_tex_multisample, in a memory object (EXT_memory_object). */
void gl_tex_storage_mem(struct gl_context *ctx, const struct gl_image_target *place, GLsizei levels,
                        GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                        GLuint memory, GLuint64 offset, const char *name);
void gl_tex_multisample_mem(struct gl_context *ctx, const struct gl_image_target *place,
                            GLsizei samples, GLenum internal, GLsizei width, GLsizei height,
                            GLsizei depth, GLboolean fixed, GLuint memory, GLuint64 offset,
                            const char *name);
/* Implements glTexImage*Multisample and glTexStorage*Multisample, also for proxies (GL 4.6 §8.8,
 * §8.19). */
void gl_tex_multisample(struct gl_context *ctx, const struct gl_image_target *place, bool immutable,
                        GLsizei samples, GLenum internal, GLsizei width, GLsizei height,
                        GLsizei depth, GLboolean fixed, const char *name);
/* size is the number of bytes available at pixels. */
void gl_get_tex_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                      GLenum format, GLenum type, GLsizeiptr size, void *pixels, const char *name);
void gl_get_tex_sub_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                          GLint x, GLint y, GLint z, GLsizei width, GLsizei height, GLsizei depth,
                          GLenum format, GLenum type, GLsizeiptr size, void *pixels,
                          const char *name);
void gl_get_compressed_sub_image(struct gl_context *ctx, const struct gl_image_target *place,
                                 GLint level, GLint x, GLint y, GLint z, GLsizei width,
                                 GLsizei height, GLsizei depth, GLsizeiptr size, void *pixels,
                                 const char *name);
void gl_get_compressed_image(struct gl_context *ctx, const struct gl_image_target *place,
                             GLint level, GLsizeiptr size, void *data, const char *name);
/* Implement glGetTexLevelParameter. */
void gl_get_level_iv(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                     GLenum pname, GLint *params, const char *name);
void gl_get_level_fv(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                     GLenum pname, GLfloat *params, const char *name);
/* samples_error is the error for sampling parameters of multisample textures, which don't have any
 * (§8.10). */
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
/* Cores for buffer textures (gl_texbuffer.c). */
void gl_tex_buffer(struct gl_context *ctx, struct gl_texture *t, GLenum internal, GLuint buffer,
                   const char *call);
void gl_tex_buffer_range(struct gl_context *ctx, struct gl_texture *t, GLenum internal,
                         GLuint buffer, GLintptr offset, GLsizeiptr size, const char *call);

/* --- Helpers shared by the implementations --- */

/* Properties of an image to create; sizes exclude the border. */
struct gl_image_shape {
    GLint internal;
    enum drv_format format;
    GLsizei width, height, depth;
};

/* Replaces an image by a new one with undefined contents. Returns NULL if out of memory. */
struct gl_image *gl_define_image(struct gl_context *ctx, struct gl_texture *t, unsigned face,
                                 GLint level, const struct gl_image_shape *shape);
/* Returns the image of a place at a level; with all_faces, the image of face z. */
struct gl_image *gl_image_target_image(const struct gl_image_target *place, GLint level, GLint z);
/* Returns whether all faces of a level match, as a place with all_faces needs; true for other
 * places. Otherwise raises GL_INVALID_OPERATION. */
bool gl_image_target_is_complete(struct gl_context *ctx, const struct gl_image_target *place,
                                 GLint level, const char *name);
/* Validates a subimage command and returns its image. NULL: an error was raised. */
struct gl_image *gl_sub_image_check(struct gl_context *ctx, const struct gl_image_target *place,
                                    GLint level, const struct drv_box *part, const char *name);
/* Returns the box of the whole image; with all_faces, six slices. */
struct drv_box gl_image_target_whole_box(const struct gl_image_target *place,
                                         const struct gl_image *image);
/* Returns whether a box with nonnegative sizes lies inside the image. */
bool gl_image_target_contains(const struct gl_image_target *place, const struct gl_image *image,
                              const struct drv_box *part);
/* With all_faces, a box is processed in one step per face. gl_image_target_num_steps returns the
 * number of steps; gl_image_target_step returns the box of step i in the resource of *image. */
unsigned gl_image_target_num_steps(const struct gl_image_target *place, const struct drv_box *part);
struct drv_box gl_image_target_step(const struct gl_image_target *place, GLint level,
                                    const struct drv_box *part, unsigned i,
                                    struct gl_image **image);
/* Describes a box of the image's resource for gl_pixels_upload and gl_pixels_download. */
struct gl_texels gl_image_target_texels(const struct gl_image_target *place,
                                        const struct gl_image *image, const struct drv_box *box);
/* Returns whether sizes that include the border are within the limits of a level. */
bool gl_image_size_ok(const struct gl_context *ctx, enum gl_texture_index index, GLint level,
                      GLsizei width, GLsizei height, GLsizei depth, GLint border);
/* Stores the result for a level of a proxy target. ok is false if such an image is not
 * supported. */
void gl_define_proxy(struct gl_context *ctx, enum gl_texture_index index, GLint level,
                     const struct gl_image_shape *shape, bool ok);
/* Compressed paletted textures of ES 1 (gl_paletted.c). gl_is_paletted tests an internal format;
 * gl_paletted_formats lists up to max formats and returns their number; gl_paletted_image
 * implements glCompressedTexImage2D. */
bool gl_is_paletted(const struct gl_context *ctx, GLenum internal);
unsigned gl_paletted_formats(const struct gl_context *ctx, GLint *out, unsigned max);
void gl_paletted_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                       GLenum internal, GLsizei width, GLsizei height, GLint border, GLsizei size,
                       const void *data, const char *name);
/* Returns whether the sizes are valid for a cube map or cube map array; true for other targets. */
bool gl_cube_shape_ok(enum gl_texture_index index, GLsizei width, GLsizei height, GLsizei depth);
/* Returns whether textures can have a base format. In ES, some formats are for rendering only. */
bool gl_can_texture(const struct gl_context *ctx, GLenum base);
/* Returns whether mipmaps can be generated from such a base level (§8.14.4). */
bool gl_can_generate_mipmap(const struct gl_context *ctx, GLenum base, enum drv_format format);
/* Returns whether a target supports a specific compressed format (§8.7, table 8.14). */
bool gl_compressed_fits_target(enum gl_texture_index index, GLenum internal);

/* Returns the base format of an internal format that images can be specified in from pixels; 0 if
 * there is none. */
GLenum gl_image_base_format(const struct gl_context *ctx, GLint internal);
/* Checks level, border and sizes of a new image. False: an error was raised. */
bool gl_image_check(struct gl_context *ctx, enum gl_texture_index index, GLint level, GLint border,
                    GLsizei width, GLsizei height, GLsizei depth, const char *name);
/* Returns the driver format of a new image; compressed formats without an encoder are stored
 * uncompressed. format and type are those of the client's pixels; 0: no pixels. */
enum drv_format gl_image_format(struct gl_context *ctx, enum gl_texture_index index, GLint internal,
                                GLenum base, GLenum format, GLenum type);
/* Returns the number of dimensions that have a border. Layers have none. */
unsigned gl_image_border_dims(enum gl_texture_index index);
/* Returns whether a box of an image can be replaced. In compressed images, it must consist of whole
 * blocks and the format must have an encoder. */
bool gl_image_can_change(const struct gl_image *image, const struct drv_box *part);
/* Generates the mipmap after a change of the base level, if the texture's GL_GENERATE_MIPMAP is
 * set. */
void gl_image_generate_mipmap(struct gl_context *ctx, struct gl_texture *t, GLint level);

#endif
