/* SPDX-License-Identifier: MIT */
/* Texture objects, their images and bindings. */
#ifndef GL_TEXTURE_H
#define GL_TEXTURE_H

#include "gl/context/gl_get_types.h"
#include "gl/context/gl_texture_types.h"
#include "indium/core.h"
#include "indium/driver.h"
#include "util/list.h"

struct gl_buffer;
struct gl_context;
struct gl_shared;

/* Sampling parameters, which both sampler objects and textures have. */
struct gl_sampler_params {
    GLenum wrap_s, wrap_t, wrap_r, min_filter, mag_filter;
    GLenum compare_mode, compare_func;
    GLenum srgb_decode;
    GLenum reduction; /* GL_WEIGHTED_AVERAGE_ARB, GL_MIN, GL_MAX */
    float min_lod, max_lod, lod_bias, max_anisotropy;
    union {
        float f[4];
        int32_t i[4];
        uint32_t u[4];
    } border;
    bool border_integer;
    bool seamless; /* for cube maps: seamless filtering regardless of the context's enable */
};

/* A sampler object. Shared by the group, reference-counted. */
struct gl_sampler {
    int refcount;
    GLuint name;
    char *label;
    struct gl_sampler_params params;
};

/* One image: a level of a face. Sizes are in texels as the GL sees them: the height of a 1D array
 * and the depth of a 2D array are layers. Borders are never stored. */
struct gl_image {
    GLint internal; /* as specified by the application; 0: no image */
    GLenum base;
    enum drv_format format;
    GLsizei width, height, depth;
    unsigned samples;              /* 0: single-sampled */
    bool fixed_samples;            /* GL_TEXTURE_FIXED_SAMPLE_LOCATIONS */
    struct drv_resource *resource; /* contains the texels; NULL: no storage */
    unsigned level, layer;         /* position in the resource; layer: index of the face */
};

/* A driver sampler view of a texture, created by one context. */
struct gl_view {
    struct list_head node; /* link in gl_texture.views */
    struct gl_context *ctx;
    struct drv_sampler_view desc;
    struct gl_owned *owned;
};

/* A texture object. Shared by the group, reference-counted. */
struct gl_texture {
    int refcount;
    GLuint name;
    GLenum target; /* 0 until first bound */
    enum gl_texture_index index;
    char *label;
    struct gl_sampler_params params;
    GLint set_base_level, set_max_level; /* as set by the application */
    GLint base_level, max_level;         /* effective, see gl_texture_update_levels */
    GLenum swizzle[4];
    GLenum depth_mode, stencil_mode;
    bool generate_mipmap, immutable;
    bool sibling;  /* shares an EGLImage; `part` selects the part of its resource */
    GLint crop[4]; /* OES_draw_texture: x, y, width, height in texels */
    unsigned immutable_levels;
    /* Part of the storage that an immutable texture or an EGLImage sibling shows (GL 4.6 §8.18). */
    struct {
        unsigned first_level, levels, first_layer, layers;
    } part;
    float priority;
    struct gl_image image[6][DRV_MAX_TEXTURE_LEVELS];
    struct drv_resource *resource; /* contains all levels once gl_texture_collect_levels has run */
    /* buffer of a drawable that is bound as the texture's image */
    struct drv_resource *window_image;
    struct {
        struct gl_buffer *buffer; /* buffer of a buffer texture; NULL: none */
        GLintptr offset;
        GLsizeiptr size; /* bytes; 0: up to the end of the buffer */
        GLenum internal; /* 0: not specified yet */
    } store;
    unsigned stamp;         /* incremented when images change */
    struct list_head views; /* list of gl_view.node */
};

/* Returns the enum gl_texture_index of a target, which may be a proxy or a cube face. Returns -1 if
 * the context doesn't have the target or it has no images (GL_TEXTURE_BUFFER). */
int gl_texture_target_index(const struct gl_context *ctx, GLenum target);
/* Returns the texture of a name; NULL for 0 and unknown names. */
struct gl_texture *gl_texture_lookup(struct gl_context *ctx, GLuint name);
/* Sets *dst to src and updates both reference counts. Frees the old texture with its last
 * reference. */
void gl_texture_reference(struct gl_context *ctx, struct gl_texture **dst, struct gl_texture *src);
/* Returns a new texture without a target, with one reference. It is not entered into the name map.
 * NULL: out of memory. */
struct gl_texture *gl_texture_create(GLuint name);
/* Sets the target of a texture when its name is first used. */
void gl_texture_set_target(struct gl_texture *t, GLenum target, enum gl_texture_index index);
/* Creates a texture of that target for an unused name. Returns NULL if out of memory. */
struct gl_texture *gl_texture_make(struct gl_context *ctx, GLuint name, GLenum target);
/* Returns the texture that binding a name to a target gives, and creates it on first use. Name 0 is
 * the target's default texture. NULL: an error was raised. */
struct gl_texture *gl_texture_use(struct gl_context *ctx, GLuint name, enum gl_texture_index index,
                                  const char *call);
/* Returns the number of units that GL_TEXTUREi can name. */
unsigned gl_texture_unit_limit(const struct gl_context *ctx);
/* Returns the number of layers in the texture's resource; each cube face counts as a layer. */
unsigned gl_texture_layers(const struct gl_texture *t);
/* Recomputes base_level and max_level. Call it after a change of set_base_level, set_max_level or
 * part.levels. */
void gl_texture_update_levels(struct gl_texture *t);
/* Marks the images of a texture as changed and drops everything derived from them. */
void gl_texture_changed(struct gl_context *ctx, struct gl_texture *t);
/* Releases the texture's images and resource. */
void gl_texture_free_images(struct gl_texture *t);
/* Returns whether textures of that kind are multisampled. These have one level and no sampling
 * parameters. */
static inline bool gl_texture_is_multisampled(enum gl_texture_index index)
{
    return index == GL_TEXTURE_INDEX_2D_MS || index == GL_TEXTURE_INDEX_2D_MS_ARRAY;
}
/* Returns the driver's resource target of a texture type. */
enum drv_target gl_texture_drv_target(enum gl_texture_index index);
/* Returns the maximum number of mipmap levels of a texture type. */
unsigned gl_texture_max_levels(const struct gl_context *ctx, enum gl_texture_index index);
unsigned gl_texture_faces(enum gl_texture_index index); /* images per level: 6 or 1 */
unsigned gl_face_of(GLenum target);                     /* face index 0 to 5; 0 for other targets */

/* Describes the driver view of a buffer texture (gl_texbuffer.c). Returns false if no buffer is
 * attached. */
bool gl_texture_buffer_view(const struct gl_context *ctx, const struct gl_texture *t,
                            struct drv_sampler_view *v);
/* Returns the format of texels in buffers for an internal format (table 8.24) and stores its base
 * format; DRV_FORMAT_NONE if buffer textures don't support it. */
enum drv_format gl_texture_buffer_format(const struct gl_context *ctx, GLenum internal,
                                         GLenum *base);
/* Describes a buffer texture as an image without a resource, for queries. */
struct gl_image gl_texture_buffer_image(const struct gl_context *ctx, const struct gl_texture *t);
/* Returns a level parameter that only buffer textures have; -1 if pname is not one. */
GLint gl_texture_buffer_parameter(const struct gl_texture *t, GLenum pname);
/* Implements glGet for integers of buffer textures; returns 0 if pname is not one. */
unsigned gl_get_texture_buffer(const struct gl_context *ctx, GLenum pname, double *v);

/* Returns whether the texture is complete with these sampling parameters (GL 4.6 §8.17). */
bool gl_texture_is_complete(const struct gl_texture *t, const struct gl_sampler_params *p);
/* Returns a driver resource template for images with levels 0 to last_level. */
struct drv_resource gl_texture_describe(struct gl_context *ctx, enum gl_texture_index index,
                                        enum drv_format format, GLsizei width, GLsizei height,
                                        GLsizei depth, unsigned last_level);
/* Returns whether the driver supports images of that format and size with levels 0 to
 * last_level. */
bool gl_texture_fits(struct gl_context *ctx, enum gl_texture_index index, enum drv_format format,
                     GLsizei width, GLsizei height, GLsizei depth, unsigned last_level);
/* Collects the levels first to last in t->resource. Returns false if out of memory or
 * incomplete. */
bool gl_texture_collect_levels(struct gl_context *ctx, struct gl_texture *t, unsigned first,
                               unsigned last);
/* Returns the last level that the minification filter can read. */
unsigned gl_texture_last_level(const struct gl_texture *t, const struct gl_sampler_params *p);
/* Gets the resource, level and layer of an image to render to. Returns false if the image has no
 * storage. */
bool gl_texture_renderable(struct gl_texture *t, unsigned face, unsigned level,
                           struct drv_surface *surface);
/* Generates the mipmap levels above the base level. */
void gl_texture_generate_mipmap(struct gl_context *ctx, struct gl_texture *t);
/* Returns the box of the whole image, in GL coordinates. */
static inline struct drv_box gl_image_whole(const struct gl_image *image)
{
    return (struct drv_box){0, 0, 0, image->width, image->height, image->depth};
}
/* Allocates storage for an image. Returns false if out of memory. */
bool gl_image_alloc(struct gl_context *ctx, struct gl_texture *t, unsigned face, unsigned level);
/* Resets an image to undefined and releases its resource. */
void gl_image_clear(struct gl_image *image);
/* Converts a box of an image from GL coordinates to coordinates of its resource, where rows of 1D
 * arrays are layers. */
struct drv_box gl_image_box(const struct gl_texture *t, const struct gl_image *image,
                            const struct drv_box *part);

/* Detaches the texture from its EGLImage. Its image becomes an ordinary one. */
void gl_texture_detach_egl_image(struct gl_texture *t);

/* Implementations of entries of the core interface (indium/core.h). */
struct gl_shared_image *gl_shared_image_create(struct gl_context *ctx, unsigned target,
                                               unsigned name, int level, int z,
                                               enum gl_image_error *error);
struct gl_shared_image *gl_shared_image_import(const struct gl_memory_image *memory);
bool gl_shared_image_format_supported(enum drv_format format);
void gl_shared_image_destroy(struct gl_shared_image *image);

/* Returns the driver sampler for a description, from the context's cache. NULL: out of memory. */
void *gl_sampler_state(struct gl_context *ctx, const struct drv_sampler_state *desc);
/* Unbinds all sampler views and samplers from the driver. */
void gl_textures_unbind(struct gl_context *ctx);

/* --- Image units (gl_image_unit.c) --- */

/* Removes a texture from the context's image units; NULL removes all textures. */
void gl_image_units_unbind(struct gl_context *ctx, const struct gl_texture *t);
/* Returns a value of an image unit for glGetIntegeri_v and the number of units in *limit; the
 * default value for units not below the limit. Returns false if pname is not such a value. */
bool gl_image_unit_get(struct gl_context *ctx, GLenum pname, GLuint unit, unsigned *limit,
                       double *value);
/* Returns the driver format for image accesses in an internal format, and its class
 * (GL_IMAGE_CLASS_…). DRV_FORMAT_NONE: not an image format. */
enum drv_format gl_image_unit_format(const struct gl_context *ctx, GLint internal,
                                     GLenum *image_class);

void gl_sampler_reference(struct gl_sampler **dst, struct gl_sampler *src);
/* Sets the initial sampling parameters of a texture type. */
void gl_sampler_params_init(struct gl_sampler_params *p, enum gl_texture_index index);
void gl_samplers_finish_shared(struct gl_shared *shared);

/* Sets a sampling parameter. v: values as floats; i: values as passed to an integer command, or
 * NULL. Returns 1 if done, 0 if pname is not a sampling parameter of this context, -1 if an error
 * was raised. */
int gl_sampler_param_set(struct gl_context *ctx, struct gl_sampler_params *p,
                         enum gl_texture_index index, GLenum pname, const float *v, const GLint *i,
                         bool vector, bool pure, const char *name);
/* Returns the number of values; 0 if pname is not a sampling parameter of this context. */
unsigned gl_sampler_param_get(const struct gl_context *ctx, const struct gl_sampler_params *p,
                              GLenum pname, double *v);
/* Converts a texture or sampler value for integer queries (GL 4.6 §2.2.2). */
GLint gl_sampler_param_to_int(GLenum pname, double value);

bool gl_textures_init_shared(struct gl_shared *shared); /* returns false if out of memory */
void gl_textures_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
bool gl_textures_init(struct gl_context *ctx);
void gl_textures_finish(struct gl_context *ctx);
/* Makes level 0 of the bound texture show a drawable's buffer; NULL ends this. */
bool gl_textures_bind_image(struct gl_context *ctx, GLenum target, struct drv_resource *image,
                            bool with_alpha);
/* glPushAttrib for textures: saves bindings and parameters of GL_TEXTURE_BIT. push returns an
 * opaque copy, or NULL if out of memory; pop restores and frees it. */
void *gl_textures_push_attrib(struct gl_context *ctx);
void gl_textures_pop_attrib(struct gl_context *ctx, void *saved, bool restore);
/* Implements glGet for texture state, see gl_get_types.h. */
unsigned gl_get_textures(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
/* Implements glClearBufferSubData (gl_clear_buffer.c): fills with copies of one texel, given as a
 * pixel. data NULL: zeros. size INTPTR_MAX: the whole buffer. */
void gl_buffer_clear(struct gl_context *ctx, struct gl_buffer *b, GLenum internal, GLintptr offset,
                     GLsizeiptr size, GLenum format, GLenum type, const void *data,
                     const char *call);

/* Returns whether the texture is attached to the bound draw framebuffer. */
bool gl_texture_is_attached(const struct gl_context *ctx, const struct gl_texture *t);

/* A sampler slot of a shader stage. */
struct gl_sampler_use {
    bool used, shadow;
    uint8_t index; /* enum gl_texture_index */
    uint8_t unit;  /* texture image unit */
};

/* An image slot of a shader stage. */
struct gl_image_use {
    bool used;
    uint8_t index; /* enum gl_texture_index that the shader declares */
    uint8_t unit;  /* image unit */
};

/* Bind the sampler views and samplers, or the images, of a stage at the driver. `num` slots are
 * used. */
void gl_update_stage_textures(struct gl_context *ctx, enum shader_stage stage,
                              const struct gl_sampler_use *uses, unsigned num);
void gl_update_stage_images(struct gl_context *ctx, enum shader_stage stage,
                            const struct gl_image_use *uses, unsigned num);

#endif
