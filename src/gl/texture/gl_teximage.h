/* SPDX-License-Identifier: MIT */
/* Functions shared by the commands on texture images. */
#ifndef GL_TEXIMAGE_H
#define GL_TEXIMAGE_H

#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_texture.h"

/* Returns whether a texture target is a proxy target (GL_PROXY_TEXTURE_2D …). */
bool gl_is_proxy(GLenum target);

/* --- Selectors: find the texture, or the texture and face, that a command refers to. They return
 * false or NULL after raising an error for the command `call`. --- */

/* The images that a command on texture images refers to: a texture and a face, called a place in
 * this header. The level is a separate argument. */
struct gl_image_target {
    struct gl_texture *texture; /* the context's proxy texture if `proxy` */
    enum gl_texture_index index;
    unsigned face; /* index of a cube map face; 0 for other targets */
    bool proxy;    /* the target is a proxy target */
    /* All faces of a cube map, which the command addresses like a three-dimensional image: z is the
     * index of a face. `face` is unused. */
    bool all_faces;
};

/* Flags for the targets that a command accepts. Without flags, it accepts targets of images except
 * proxies, GL_TEXTURE_CUBE_MAP, buffer textures and multisampled textures. */
enum gl_target_rules {
    GL_PLACE_PROXY = 1 << 0,       /* also accept proxy targets */
    GL_PLACE_WHOLE = 1 << 1,       /* also accept GL_TEXTURE_CUBE_MAP, but not targets of faces */
    GL_PLACE_BUFFER = 1 << 2,      /* also accept GL_TEXTURE_BUFFER */
    GL_PLACE_ONLY_BUFFER = 1 << 3, /* accept only GL_TEXTURE_BUFFER */
    GL_PLACE_NO_RECT = 1 << 4,     /* accept neither rectangle nor external textures */
    /* for selectors by name: set all_faces for cube maps, and treat them as three-dimensional */
    GL_PLACE_FACES = 1 << 5,
    GL_PLACE_SAMPLES = 1 << 6,      /* also accept multisample targets */
    GL_PLACE_ONLY_SAMPLES = 1 << 7, /* accept only multisample targets */
};

/* Checks a target and fills in *place, with texture NULL. If the target isn't accepted, raises
 * GL_INVALID_ENUM and returns false. dims: number of dimensions that the target's images must have,
 * counting layers of arrays as one; 0: any. External textures are only accepted if it is 0. rules:
 * enum gl_target_rules flags. */
bool gl_resolve_target(struct gl_context *ctx, GLenum target, unsigned dims, unsigned rules,
                       const char *call, struct gl_image_target *place);
/* Fills in *place with the texture bound to a target of a texture unit. unit is an index. dims and
 * rules: see gl_resolve_target. */
bool gl_bound_image(struct gl_context *ctx, unsigned unit, GLenum target, unsigned dims,
                    unsigned rules, const char *call, struct gl_image_target *place);
/* Like gl_bound_image, for the texture that glBindTexture would bind for `name` and `target`.
 * Creates it if it doesn't exist (EXT_direct_state_access). With a proxy target, name must be 0. */
bool gl_bindable_image(struct gl_context *ctx, GLuint name, GLenum target, unsigned dims,
                       unsigned rules, const char *call, struct gl_image_target *place);
/* Like gl_bindable_image, for commands on whole textures: accepts GL_TEXTURE_CUBE_MAP and any
 * number of dimensions, and returns the texture. */
struct gl_texture *gl_get_or_create_texture(struct gl_context *ctx, GLuint name, GLenum target,
                                            unsigned rules, const char *call);
/* Like gl_bound_image, for the texture with a name. The texture must have a target already, i.e.
 * have been bound or created by glCreateTextures. Unless rules have GL_PLACE_FACES, face is 0 for a
 * cube map. */
bool gl_named_image(struct gl_context *ctx, GLuint name, unsigned dims, unsigned rules,
                    const char *call, struct gl_image_target *place);
/* Like gl_named_image, for commands on whole textures: accepts any number of dimensions and returns
 * the texture. */
struct gl_texture *gl_named_texture(struct gl_context *ctx, GLuint name, unsigned rules,
                                    const char *call);
/* Like gl_bound_image, for commands on whole textures: accepts GL_TEXTURE_CUBE_MAP and any number
 * of dimensions, and returns the texture. */
struct gl_texture *gl_bound_texture(struct gl_context *ctx, unsigned unit, GLenum target,
                                    unsigned rules, const char *call);

/* --- Core functions: commands of GL 4.6 §8.5 to §8.19 on a given texture or place. The entry-point
 * wrappers (gl_entry_points.py) find the texture and call them. The functions raise the commands'
 * errors; `name` or `call` is the command's name for the messages. `pixels` and `data` are offsets
 * into the pixel unpack or pack buffer if one is bound. --- */

/* Implement glTexImage*D and glTexSubImage*D. dims is the number in the command's name. In
 * dimensions that the command doesn't have, pass the size 1 and the offset 0. */
void gl_tex_image(struct gl_context *ctx, const struct gl_image_target *place, unsigned dims,
                  GLint level, GLint internal, GLsizei width, GLsizei height, GLsizei depth,
                  GLint border, GLenum format, GLenum type, const void *pixels, const char *name);
void gl_tex_sub_image(struct gl_context *ctx, const struct gl_image_target *place, unsigned dims,
                      GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                      GLsizei depth, GLenum format, GLenum type, const void *pixels,
                      const char *name);

/* Implements glTexImage2D for Y'CbCr images (MESA_ycbcr_texture), once gl_image_check has returned
 * true. Returns true if `format` or `internal` is GL_YCBCR_MESA, even after raising an error.
 * Otherwise, does nothing and returns false. */
bool gl_ycbcr_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                    GLint internal, GLsizei width, GLsizei height, GLint border, GLenum format,
                    GLenum type, const void *pixels, const char *name);
/* Implements glTexSubImage2D for Y'CbCr images. Returns true if `format` is GL_YCBCR_MESA and the
 * context has the extension, even after raising an error. Otherwise, does nothing and returns
 * false. */
bool gl_ycbcr_sub_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                        const struct drv_box *part, GLenum format, GLenum type, const void *pixels,
                        const char *name);
/* Implements glGenerateMipmap. */
void gl_generate_mipmap(struct gl_context *ctx, struct gl_texture *t, const char *name);
/* Implements glCompressedTexImage. size is the number of bytes at data. */
void gl_compressed_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                         GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                         GLint border, GLsizei size, const void *data, const char *name);
/* Implements glCompressedTexSubImage. size is the number of bytes at data. */
void gl_compressed_sub_image(struct gl_context *ctx, const struct gl_image_target *place,
                             GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                             GLsizei depth, GLenum format, GLsizei size, const void *data,
                             const char *name);
/* Implements glTexStorage, also for proxies. */
void gl_tex_storage(struct gl_context *ctx, const struct gl_image_target *place, GLsizei levels,
                    GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                    const char *name);
/* Like gl_tex_storage, with attributes (EXT_texture_storage_compression): pairs of a name and a
 * value, terminated by GL_NONE; NULL: none. */
void gl_tex_storage_attribs(struct gl_context *ctx, const struct gl_image_target *place,
                            GLsizei levels, GLenum internal, GLsizei width, GLsizei height,
                            GLsizei depth, const GLint *attribs, const char *name);
/* Like gl_tex_storage and gl_tex_multisample, with the storage at byte offset `offset` of memory
 * object `memory` (EXT_memory_object). */
void gl_tex_storage_mem(struct gl_context *ctx, const struct gl_image_target *place, GLsizei levels,
                        GLenum internal, GLsizei width, GLsizei height, GLsizei depth,
                        GLuint memory, GLuint64 offset, const char *name);
void gl_tex_multisample_mem(struct gl_context *ctx, const struct gl_image_target *place,
                            GLsizei samples, GLenum internal, GLsizei width, GLsizei height,
                            GLsizei depth, GLboolean fixed, GLuint memory, GLuint64 offset,
                            const char *name);
/* Implements glTexImage*Multisample, or glTexStorage*Multisample if `immutable`, also for proxies
 * (GL 4.6 §8.8, §8.19). */
void gl_tex_multisample(struct gl_context *ctx, const struct gl_image_target *place, bool immutable,
                        GLsizei samples, GLenum internal, GLsizei width, GLsizei height,
                        GLsizei depth, GLboolean fixed, const char *name);
/* Implement glGetTexImage and related commands. size is the number of bytes available at the
 * command's pointer (pixels or data), or INTPTR_MAX for commands without a bufSize argument.
 * Negative sizes raise GL_INVALID_VALUE. */
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
/* Implement glTexParameter* and glGetTexParameter*. samples_error is the error for sampling
 * parameters of multisampled textures, which have none (§8.10). */
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
/* Implement glTexBuffer and glTexBufferRange (gl_texbuffer.c). offset and size are in bytes. */
void gl_tex_buffer(struct gl_context *ctx, struct gl_texture *t, GLenum internal, GLuint buffer,
                   const char *call);
void gl_tex_buffer_range(struct gl_context *ctx, struct gl_texture *t, GLenum internal,
                         GLuint buffer, GLintptr offset, GLsizeiptr size, const char *call);

/* --- Helpers shared by the implementations --- */

/* Properties of an image to create. Sizes are in texels, without the border. */
struct gl_image_shape {
    GLint internal;
    enum drv_format format;
    GLsizei width, height, depth;
};

/* Replaces the image at a face and level by a new one with undefined contents, and returns it.
 * Detaches the texture from an EGLImage or from a resource of gl_textures_bind_image. If out of
 * memory, returns NULL without raising an error; the image then has the shape, but no storage. */
struct gl_image *gl_define_image(struct gl_context *ctx, struct gl_texture *t, unsigned face,
                                 GLint level, const struct gl_image_shape *shape);
/* Returns the image of a place at a level, which must be valid. Never NULL. z is the face if
 * place->all_faces, limited to 5; otherwise, it is ignored. */
struct gl_image *gl_image_target_image(const struct gl_image_target *place, GLint level, GLint z);
/* Checks for a place with all_faces that the images of all faces at a level have the same format
 * and size. If not, raises GL_INVALID_OPERATION and returns false. Returns true for other
 * places. */
bool gl_image_target_is_complete(struct gl_context *ctx, const struct gl_image_target *place,
                                 GLint level, const char *name);
/* Checks the level and box of a command on a part of an image. Returns the image (of face 0 with
 * all_faces), or NULL after raising an error for the command `name`. */
struct gl_image *gl_sub_image_check(struct gl_context *ctx, const struct gl_image_target *place,
                                    GLint level, const struct drv_box *part, const char *name);
/* Returns the box of the whole image, in GL coordinates (struct gl_image). With all_faces, its
 * depth is 6. */
struct drv_box gl_image_target_whole_box(const struct gl_image_target *place,
                                         const struct gl_image *image);
/* Returns whether a box has no negative size and lies inside the image, or inside the six faces
 * with all_faces. */
bool gl_image_target_contains(const struct gl_image_target *place, const struct gl_image *image,
                              const struct drv_box *part);
/* Returns the number of steps (images) in which to process a box of a place: with all_faces, one
 * per face of the box, otherwise one. */
unsigned gl_image_target_num_steps(const struct gl_image_target *place, const struct drv_box *part);
/* Stores the image of step i, which is below gl_image_target_num_steps(), of processing `part` in
 * *image. Returns the step's box in coordinates of the image's resource. */
struct drv_box gl_image_target_step(const struct gl_image_target *place, GLint level,
                                    const struct drv_box *part, unsigned i,
                                    struct gl_image **image);
/* Returns a description of a box, in coordinates of the image's resource, for gl_pixels_upload and
 * gl_pixels_download. */
struct gl_texels gl_image_target_texels(const struct gl_image_target *place,
                                        const struct gl_image *image, const struct drv_box *box);
/* Returns whether the sizes of an image, which include its border, are within the limits for a
 * level. */
bool gl_image_size_ok(const struct gl_context *ctx, enum gl_texture_index index, GLint level,
                      GLsizei width, GLsizei height, GLsizei depth, GLint border);
/* Stores the result of a command on a level of a proxy target. ok: whether images of this shape are
 * supported; the level then gets such an image without storage. Otherwise it gets no image. */
void gl_define_proxy(struct gl_context *ctx, enum gl_texture_index index, GLint level,
                     const struct gl_image_shape *shape, bool ok);
/* Returns whether an internal format is a compressed paletted format of ES 1 that the context has
 * (gl_paletted.c). */
bool gl_is_paletted(const struct gl_context *ctx, GLenum internal);
/* Stores the context's paletted formats in out, at most `max`. Returns the number stored. */
unsigned gl_paletted_formats(const struct gl_context *ctx, GLint *out, unsigned max);
/* Implements glCompressedTexImage2D for paletted formats. level is 0 or negative: data contains
 * levels 0 to -level. size is the number of bytes at data. */
void gl_paletted_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                       GLenum internal, GLsizei width, GLsizei height, GLint border, GLsizei size,
                       const void *data, const char *name);
/* Returns whether the sizes of an image are valid for its target: cube maps and cube map arrays
 * need square faces, and the arrays a multiple of six layers. Returns true for other targets. */
bool gl_cube_shape_ok(enum gl_texture_index index, GLsizei width, GLsizei height, GLsizei depth);
/* Returns whether the context's textures can have a base format. Without some extensions, depth and
 * stencil formats are for renderbuffers only. */
bool gl_can_texture(const struct gl_context *ctx, GLenum base);
/* Returns whether mipmaps can be generated from a base level with these formats (§8.14.4). */
bool gl_can_generate_mipmap(const struct gl_context *ctx, GLint internal, GLenum base,
                            enum drv_format format);
/* Returns whether a target supports a specific compressed format (§8.7, table 8.14). */
bool gl_compressed_fits_target(enum gl_texture_index index, GLenum internal);

/* Like gl_base_format, returns the base format of an internal format. Returns 0 for ETC formats,
 * for which glTexImage accepts no client pixels. */
GLenum gl_image_base_format(const struct gl_context *ctx, GLint internal);
/* Checks the level, border and sizes of a new image, but not the sizes' limits (gl_image_size_ok).
 * Returns false after raising GL_INVALID_VALUE for the command `name`. */
bool gl_image_check(struct gl_context *ctx, enum gl_texture_index index, GLint level, GLint border,
                    GLsizei width, GLsizei height, GLsizei depth, const char *name);
/* Returns the driver format of a new image that glTexImage specifies. Compressed internal formats
 * are stored uncompressed if there is no encoder or the target doesn't support them. format and
 * type are those of the client pixels, or 0 without pixels. Returns DRV_FORMAT_NONE if none is
 * supported. */
enum drv_format gl_image_format(struct gl_context *ctx, enum gl_texture_index index, GLint internal,
                                GLenum base, GLenum format, GLenum type);
/* Returns whether texels of a driver format have four bytes, with 8-bit components and blue before
 * red. RGBA8 and RGB8 images may have such a format; applications can't observe the order. */
bool gl_format_is_reversed(enum drv_format format);
/* Swaps the first and third bytes of the 4-byte texels of a box of the image's resource. Returns
 * false if out of memory. */
bool gl_image_reverse(struct gl_context *ctx, const struct gl_image *image,
                      const struct drv_box *box);
/* Stores the RGBA8 images of a texture, and those that are specified later, with red first, so that
 * image units can reinterpret their texels. Returns false if out of memory. For immutable textures,
 * EGLImage siblings and textures with a window_image, does nothing and returns true. */
bool gl_texture_store_rgba(struct gl_context *ctx, struct gl_texture *t);
/* Returns in how many dimensions images of a target have a border: 1 to 3, not counting layers. */
unsigned gl_image_border_dims(enum gl_texture_index index);
/* Returns whether client pixels can replace a box of an image. In compressed images, the format
 * must have an encoder and the box must consist of whole blocks, except at the right and upper
 * edges of the image. */
bool gl_image_can_change(const struct gl_image *image, const struct drv_box *part);
/* Returns whether mipmaps of a texture may be generated. Returns false only for a mutable texture
 * with handles (ARB_bindless_texture), if generating them would replace its resource or change an
 * image's size or format. */
bool gl_texture_may_generate(const struct gl_texture *t);
/* Called after an image of a level changed. Generates mipmaps if the texture's GL_GENERATE_MIPMAP
 * is set, `level` is its base level, and gl_texture_may_generate() is true. */
void gl_image_generate_mipmap(struct gl_context *ctx, struct gl_texture *t, GLint level);

#endif
