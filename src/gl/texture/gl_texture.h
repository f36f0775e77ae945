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

/* What sampler objects and textures have of their own. */
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
    bool seamless; /* cube maps: filters cross edges whatever the context says */
};

struct gl_sampler { /* shared, reference-counted */
    int refcount;
    GLuint name;
    char *label;
    struct gl_sampler_params params;
};

/* One image: a level of a face. Sizes in texels as the GL sees them (1D arrays: height layers;
 * 2D arrays: depth layers); no border is ever stored. */
struct gl_image {
    GLint internal; /* as specified; 0: no image */
    GLenum base;
    enum drv_format format;
    GLsizei width, height, depth;
    unsigned samples;              /* 0: single-sampled */
    bool fixed_samples;            /* GL_TEXTURE_FIXED_SAMPLE_LOCATIONS */
    struct drv_resource *resource; /* where the texels are; NULL while empty */
    unsigned level, layer;         /* in the resource; layer: the face */
};

struct gl_view {           /* a driver's sampler view of a texture, made by one context */
    struct list_head node; /* in gl_texture.views */
    struct gl_context *ctx;
    struct drv_sampler_view desc;
    struct gl_owned *owned;
};

struct gl_texture { /* shared, reference-counted */
    int refcount;
    GLuint name;
    GLenum target; /* 0 until first bound */
    enum gl_texture_index index;
    char *label;
    struct gl_sampler_params params;
    GLint set_base_level, set_max_level; /* by the application */
    GLint base_level, max_level;         /* what counts: gl_texture_update_levels */
    GLenum swizzle[4];
    GLenum depth_mode, stencil_mode;
    bool generate_mipmap, immutable;
    bool sibling;  /* of an EGLImage: part says what of its resource the texture shows */
    GLint crop[4]; /* OES_draw_texture: x, y, width, height in texels */
    unsigned immutable_levels;
    struct
    { /* of an immutable one's or sibling's storage: what of it the texture shows (GL 4.6 §8.18) */
        unsigned first_level, levels, first_layer, layers;
    } part;
    float priority;
    struct gl_image image[6][DRV_MAX_TEXTURE_LEVELS];
    struct drv_resource *resource;     /* the whole texture, when it has been put together */
    struct drv_resource *window_image; /* bound drawable's buffer */
    struct {
        struct gl_buffer *buffer; /* of a buffer texture; NULL: none */
        GLintptr offset;
        GLsizeiptr size; /* 0: to the buffer's end */
        GLenum internal; /* 0: not specified yet */
    } store;
    unsigned stamp;         /* raised when images change */
    struct list_head views; /* gl_view.node */
};

/* enum gl_texture_index of a target (proxies and faces too), -1: not in this context, or without
 * images (GL_TEXTURE_BUFFER). */
int gl_texture_target_index(const struct gl_context *ctx, GLenum target);
struct gl_texture *gl_texture_lookup(struct gl_context *ctx, GLuint name);
void gl_texture_reference(struct gl_context *ctx, struct gl_texture **dst, struct gl_texture *src);
struct gl_texture *gl_texture_create(GLuint name);
/* First use of a name with a target. */
void gl_texture_set_target(struct gl_texture *t, GLenum target, enum gl_texture_index index);
/* The object of an unused name, of that target; NULL: no memory. */
struct gl_texture *gl_texture_make(struct gl_context *ctx, GLuint name, GLenum target);
/* The object that binding a name to a target gives, made by its first use; 0: the target's default.
 * NULL: error raised. */
struct gl_texture *gl_texture_use(struct gl_context *ctx, GLuint name, enum gl_texture_index index,
                                  const char *call);
/* Number of units that GL_TEXTUREi can name. */
unsigned gl_texture_unit_limit(const struct gl_context *ctx);
/* Number of layers that it has in its resource, cube faces counted. */
unsigned gl_texture_layers(const struct gl_texture *t);
/* After a change of set_base_level, set_max_level or part.levels. */
void gl_texture_update_levels(struct gl_texture *t);
/* Says that images of it changed: drops what was made from them. */
void gl_texture_changed(struct gl_context *ctx, struct gl_texture *t);
void gl_texture_free_images(struct gl_texture *t);
/* Textures of several samples: one level, no sampling parameters. */
static inline bool gl_texture_is_multisampled(enum gl_texture_index index)
{
    return index == GL_TEXTURE_INDEX_2D_MS || index == GL_TEXTURE_INDEX_2D_MS_ARRAY;
}
enum drv_target gl_texture_drv_target(enum gl_texture_index index);
unsigned gl_texture_max_levels(const struct gl_context *ctx, enum gl_texture_index index);
unsigned gl_texture_faces(enum gl_texture_index index); /* images per level: 6 or 1 */
unsigned gl_face_of(GLenum target);                     /* 0 … 5; 0 for no cube face */

/* Buffer textures (gl_texbuffer.c). Describes the view of what is attached; false: nothing is. */
bool gl_texture_buffer_view(const struct gl_context *ctx, const struct gl_texture *t,
                            struct drv_sampler_view *v);
/* How texels of an internal format lie in buffers (table 8.24), and its base format; NONE: not at
 * all. */
enum drv_format gl_texture_buffer_format(const struct gl_context *ctx, GLenum internal,
                                         GLenum *base);
/* Its texels as an image without a resource, for queries. */
struct gl_image gl_texture_buffer_image(const struct gl_context *ctx, const struct gl_texture *t);
/* Parameters of a level that only buffer textures have; -1: pname is none. */
GLint gl_texture_buffer_parameter(const struct gl_texture *t, GLenum pname);
/* glGet of integers about buffer textures; 0: pname is none of these. */
unsigned gl_get_texture_buffer(const struct gl_context *ctx, GLenum pname, double *v);

/* Completeness (GL 4.6 §8.17) with these sampling parameters. */
bool gl_texture_is_complete(const struct gl_texture *t, const struct gl_sampler_params *p);
/* What the driver is asked to make of images with levels 0 … last_level. */
struct drv_resource gl_texture_describe(struct gl_context *ctx, enum gl_texture_index index,
                                        enum drv_format format, GLsizei width, GLsizei height,
                                        GLsizei depth, unsigned last_level);
/* Whether the driver takes images of that format and size, with levels 0 … last_level. */
bool gl_texture_fits(struct gl_context *ctx, enum gl_texture_index index, enum drv_format format,
                     GLsizei width, GLsizei height, GLsizei depth, unsigned last_level);
/* Puts all levels base … last into t->resource. False: no memory or not complete. */
bool gl_texture_finalize(struct gl_context *ctx, struct gl_texture *t, unsigned first,
                         unsigned last);
/* Last level that min_filter reads. */
unsigned gl_texture_last_level(const struct gl_texture *t, const struct gl_sampler_params *p);
/* Ensures that the image can be rendered to: resource and its level/layer; false: it has none. */
bool gl_texture_renderable(struct gl_texture *t, unsigned face, unsigned level,
                           struct drv_surface *surface);
void gl_texture_generate_mipmap(struct gl_context *ctx, struct gl_texture *t);
/* All of an image, in GL coordinates. */
static inline struct drv_box gl_image_whole(const struct gl_image *image)
{
    return (struct drv_box){0, 0, 0, image->width, image->height, image->depth};
}
/* Gives an image storage of its size. False: no memory. */
bool gl_image_alloc(struct gl_context *ctx, struct gl_texture *t, unsigned face, unsigned level);
void gl_image_clear(struct gl_image *image);
/* A part of an image, in GL coordinates, as a box of its resource (1D arrays' rows are layers). */
struct drv_box gl_image_box(const struct gl_texture *t, const struct gl_image *image,
                            const struct drv_box *part);

/* Leaves the EGLImage that the texture is a sibling of; its image is then one like others. */
void gl_texture_leave_siblings(struct gl_texture *t);

/* Of the core's interface (indium/core.h). */
struct gl_shared_image *gl_shared_image_create(struct gl_context *ctx, unsigned target,
                                               unsigned name, int level, int z,
                                               enum gl_image_error *error);
struct gl_shared_image *gl_shared_image_import(const struct gl_memory_image *memory);
bool gl_shared_image_format_supported(enum drv_format format);
void gl_shared_image_destroy(struct gl_shared_image *image);

/* The driver's object for a description, from a cache of the context; NULL: no memory. */
void *gl_sampler_state(struct gl_context *ctx, const struct drv_sampler_state *desc);
/* Takes all views and samplers from the driver's stages. */
void gl_textures_unbind(struct gl_context *ctx);

/* --- Image units (gl_image_unit.c) --- */

/* Takes the texture (NULL: every one) off the image units. */
void gl_image_units_unbind(struct gl_context *ctx, const struct gl_texture *t);
/* A value of a unit (glGetIntegeri_v), a default beyond the limit; false: pname is none. */
bool gl_image_unit_get(struct gl_context *ctx, GLenum pname, GLuint unit, unsigned *limit,
                       double *value);
/* How texels of a format are accessed, and its class (GL_IMAGE_CLASS_…); NONE: none of images. */
enum drv_format gl_image_unit_format(const struct gl_context *ctx, GLint internal,
                                     GLenum *image_class);

void gl_sampler_reference(struct gl_sampler **dst, struct gl_sampler *src);
void gl_sampler_params_init(struct gl_sampler_params *p, enum gl_texture_index index);
void gl_samplers_finish_shared(struct gl_shared *shared);

/* Sets a sampling parameter; v: values as floats, i: as given by an integer command (NULL: v only).
 * 1 done, 0 pname is none of these, or not in this context, -1 error raised. */
int gl_sampler_param_set(struct gl_context *ctx, struct gl_sampler_params *p,
                         enum gl_texture_index index, GLenum pname, const float *v, const GLint *i,
                         bool vector, bool pure, const char *name);
/* Number of values, 0: likewise. */
unsigned gl_sampler_param_get(const struct gl_context *ctx, const struct gl_sampler_params *p,
                              GLenum pname, double *v);
/* A value of a texture or sampler as queries of integers give it (GL 4.6 §2.2.2). */
GLint gl_sampler_param_to_int(GLenum pname, double value);

bool gl_textures_init_shared(struct gl_shared *shared); /* false: no memory */
void gl_textures_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
bool gl_textures_init(struct gl_context *ctx);
void gl_textures_finish(struct gl_context *ctx);
/* Makes level 0 of the texture bound to target show a drawable's buffer; NULL: undoes it. */
bool gl_textures_bind_image(struct gl_context *ctx, GLenum target, struct drv_resource *image,
                            bool with_alpha);
/* glPushAttrib: opaque copies of GL_TEXTURE_BIT bindings and parameters, GL_PIXEL_MODE_BIT, draw
 * buffer. push returns NULL on no memory; pop frees. */
void *gl_textures_push_attrib(struct gl_context *ctx);
void gl_textures_pop_attrib(struct gl_context *ctx, void *saved, bool restore);
unsigned gl_get_textures(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
/* glClearBufferSubData (gl_clear_buffer.c): copies of one texel, given as a pixel; data NULL: zeros. size
 * INTPTR_MAX: the whole buffer. */
void gl_buffer_clear(struct gl_context *ctx, struct gl_buffer *b, GLenum internal, GLintptr offset,
                     GLsizeiptr size, GLenum format, GLenum type, const void *data,
                     const char *call);

/* Whether the texture is attached to the bound draw framebuffer. */
bool gl_texture_is_attached(const struct gl_context *ctx, const struct gl_texture *t);

struct gl_sampler_use { /* a sampler slot of a stage */
    bool used, shadow;
    uint8_t index; /* enum gl_texture_index */
    uint8_t unit;  /* texture image unit */
};

struct gl_image_use { /* an image slot of a stage */
    bool used;
    uint8_t index; /* enum gl_texture_index that the shader takes it for */
    uint8_t unit;  /* image unit */
};

/* Gives the driver the views and samplers, or the images, of a stage: num uses, by slot. */
void gl_update_stage_textures(struct gl_context *ctx, enum shader_stage stage,
                              const struct gl_sampler_use *uses, unsigned num);
void gl_update_stage_images(struct gl_context *ctx, enum shader_stage stage,
                            const struct gl_image_use *uses, unsigned num);

#endif
