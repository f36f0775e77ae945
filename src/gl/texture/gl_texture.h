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
    GLenum srgb_decode; /* GL_DECODE_EXT or GL_SKIP_DECODE_EXT */
    GLenum reduction;   /* GL_WEIGHTED_AVERAGE_ARB, GL_MIN, GL_MAX */
    float min_lod, max_lod, lod_bias, max_anisotropy;
    union {
        float f[4];
        int32_t i[4];
        uint32_t u[4];
    } border;
    bool border_integer; /* `border` was set by an integer command (glTexParameterI) */
    bool seamless;       /* for cube maps: seamless filtering regardless of the context's enable */
};

/* A sampler object. It is shared by the contexts of a group. */
struct gl_sampler {
    int refcount; /* one for the name until it is deleted, one per binding and resident handle */
    GLuint name;
    char *label; /* set by glObjectLabel; NULL: none */
    struct gl_sampler_params params;
    struct list_head handles; /* list of gl_handle.of_sampler */
    unsigned num_handles;     /* if not 0, the parameters can't be changed */
};

/* A texture image: one level of a texture, and of one face in cube maps. Sizes are in GL
 * coordinates: the height of a 1D array and the depth of a 2D array are numbers of layers. Borders
 * are not stored. */
struct gl_image {
    GLint internal;         /* internal format as specified by the application; 0: no image */
    GLenum base;            /* base format */
    enum drv_format format; /* format of the texels */
    GLsizei width, height, depth;
    unsigned samples;              /* 0: single-sampled */
    bool fixed_samples;            /* GL_TEXTURE_FIXED_SAMPLE_LOCATIONS */
    struct drv_resource *resource; /* contains the texels; NULL: no storage */
    /* level and first layer (for a cube map, the face's layer) of the image in its resource */
    unsigned level, layer;
};

/* A driver sampler view of a texture, created by one context. */
struct gl_view {
    struct list_head node;        /* link in gl_texture.views */
    struct gl_context *ctx;       /* context that created it */
    struct drv_sampler_view desc; /* description that the view was created from */
    struct gl_owned *owned; /* contains the driver's view; owned->ctx is NULL if ctx is gone */
};

/* A texture object. It is shared by the contexts of a group. */
struct gl_texture {
    /* one for the name until it is deleted, and one per binding, attachment, image unit, resident
     * handle and binding that glPushAttrib saved */
    int refcount;
    GLuint name;                 /* 0: default or internal texture */
    GLenum target;               /* 0 until first bound, unless glCreateTextures set it */
    enum gl_texture_index index; /* of target; not valid while target is 0 */
    char *label;
    struct gl_sampler_params params;
    GLint set_base_level, set_max_level; /* as set by the application */
    GLint base_level, max_level;         /* effective, see gl_texture_update_levels */
    GLenum swizzle[4]; /* GL_TEXTURE_SWIZZLE_R, G, B, A: GL_RED … GL_ALPHA, GL_ZERO, GL_ONE */
    GLenum depth_mode, stencil_mode; /* GL_DEPTH_TEXTURE_MODE, GL_DEPTH_STENCIL_TEXTURE_MODE */
    bool generate_mipmap, immutable;
    bool sparse;           /* GL_TEXTURE_SPARSE_ARB: glTexStorage creates a sparse texture */
    GLint page_size_index; /* GL_VIRTUAL_PAGE_SIZE_INDEX_ARB */
    /* Queries of the base and maximum level return the effective levels. Set when the application
     * sets one of them after the storage became immutable. */
    bool shows_clamped_levels;
    bool stores_rgba; /* RGBA8 images are stored with red first, see gl_texture_store_rgba */
    /* shares the resource of an EGLImage, and shows the part of it that `part` describes */
    bool sibling;
    GLint crop[4];             /* OES_draw_texture: x, y, width, height in texels */
    unsigned immutable_levels; /* GL_TEXTURE_IMMUTABLE_LEVELS */
    /* Levels and layers of the resource that an immutable texture (which may be a view, GL 4.6
     * §8.18) or an EGLImage sibling shows. */
    struct {
        unsigned first_level, levels, first_layer, layers;
    } part;
    float priority;                                   /* GL_TEXTURE_PRIORITY, from 0 to 1 */
    struct gl_image image[6][DRV_MAX_TEXTURE_LEVELS]; /* by face and level */
    /* Resource for several levels. Images can have separate resources until
     * gl_texture_collect_levels moves them here. NULL: none. */
    struct drv_resource *resource;
    /* The texture's image, if it is a drawable's buffer or a shared image (gl_textures_bind_image);
     * referenced; NULL: none. */
    struct drv_resource *window_image;
    /* storage of a buffer texture */
    struct {
        struct gl_buffer *buffer; /* referenced; NULL: none */
        GLintptr offset;          /* bytes */
        GLsizeiptr size;          /* bytes; 0: up to the end of the buffer */
        GLenum internal;          /* internal format; 0: not specified yet */
    } store;
    struct list_head views;   /* list of gl_view.node */
    struct list_head handles; /* list of gl_handle.of_texture */
    /* If not 0, the images can't be specified again, and the parameters can't be changed
     * (ARB_bindless_texture). */
    unsigned num_handles;
};

/* Returns whether the texture's images can't be specified again: it is immutable or has handles. */
static inline bool gl_texture_is_fixed(const struct gl_texture *t)
{
    return t->immutable || t->num_handles;
}

/* Returns the enum gl_texture_index of a texture target, which may be a proxy or a cube map face.
 * Returns -1 for GL_TEXTURE_BUFFER, which has no images, and if the context doesn't have the
 * target. */
int gl_texture_target_index(const struct gl_context *ctx, GLenum target);
/* Returns the texture object with a name; NULL for 0 and for names without an object. */
struct gl_texture *gl_texture_lookup(struct gl_context *ctx, GLuint name);
/* Sets *dst to src and updates both reference counts. Frees the old texture with its last
 * reference. */
void gl_texture_reference(struct gl_context *ctx, struct gl_texture **dst, struct gl_texture *src);
/* Returns a new texture without a target and with initial parameters; the caller gets the only
 * reference. The texture is not in the name map. Returns NULL if out of memory. */
struct gl_texture *gl_texture_create(GLuint name);
/* Sets the target of a texture that has none, and the target's initial sampling parameters. */
void gl_texture_set_target(struct gl_texture *t, GLenum target, enum gl_texture_index index);
/* Creates the texture object of a name that has none, with a target or, if that is 0, without one.
 * The name map holds the reference. Returns NULL if out of memory. */
struct gl_texture *gl_texture_make(struct gl_context *ctx, GLuint name, GLenum target);
/* Returns the texture that glBindTexture binds for a name and target. Creates it if needed, and
 * sets the target of a texture that has none. Name 0 is the target's default texture. Returns NULL
 * if an error was raised for the command `call`. */
struct gl_texture *gl_texture_use(struct gl_context *ctx, GLuint name, enum gl_texture_index index,
                                  const char *call);
/* Returns the number of texture units that glActiveTexture accepts. */
unsigned gl_texture_unit_limit(const struct gl_context *ctx);
/* Returns the number of layers that the texture shows of its resource (gl_texture.resource), which
 * must exist. Each cube map face is a layer; three-dimensional textures have one. */
unsigned gl_texture_layers(const struct gl_texture *t);
/* Recomputes base_level and max_level from set_base_level and set_max_level: immutable textures
 * limit them to part.levels. Call it when one of these changes. */
void gl_texture_update_levels(struct gl_texture *t);
/* Call when images of a texture were replaced: sets the dirty bits of the state that depends on
 * them. */
void gl_texture_changed(struct gl_context *ctx, struct gl_texture *t);
/* Removes all images of the texture and releases its resources, including window_image. An EGLImage
 * sibling becomes an ordinary texture. Sets no dirty bits (gl_texture_changed). */
void gl_texture_free_images(struct gl_texture *t);
/* Returns whether textures of a target are multisampled. They have one level and no sampling
 * parameters. */
static inline bool gl_texture_is_multisampled(enum gl_texture_index index)
{
    return index == GL_TEXTURE_INDEX_2D_MS || index == GL_TEXTURE_INDEX_2D_MS_ARRAY;
}
/* Returns the driver's resource target for textures of a GL target. */
enum drv_target gl_texture_drv_target(enum gl_texture_index index);
/* Returns the maximum number of mipmap levels of textures of a target. */
unsigned gl_texture_max_levels(const struct gl_context *ctx, enum gl_texture_index index);
unsigned gl_texture_faces(enum gl_texture_index index); /* 6 for cube maps, otherwise 1 */
/* Returns the face index (0 to 5) of a cube map face target; 0 for other targets. */
unsigned gl_face_of(GLenum target);

/* Fills in the description of a driver view of a buffer texture (gl_texbuffer.c). Returns false,
 * with *v zeroed, if the texture has no buffer, or the buffer no storage. */
bool gl_texture_buffer_view(const struct gl_context *ctx, const struct gl_texture *t,
                            struct drv_sampler_view *v);
/* Returns the driver format of a buffer texture's texels for an internal format (GL 4.6 table
 * 8.24), and stores the base format in *base. Returns DRV_FORMAT_NONE if buffer textures can't have
 * the internal format. */
enum drv_format gl_texture_buffer_format(const struct gl_context *ctx, GLenum internal,
                                         GLenum *base);
/* Returns an image without a resource that has the format and width (in texels) of a buffer
 * texture, for queries. Without a buffer, the image has only an internal format. */
struct gl_image gl_texture_buffer_image(const struct gl_context *ctx, const struct gl_texture *t);
/* Returns the value of a glGetTexLevelParameter query that only buffer textures have; -1 if pname
 * is not one. */
GLint gl_texture_buffer_parameter(const struct gl_texture *t, GLenum pname);
/* Implements glGet for state of buffer textures, whose values are all integers, see
 * gl_get_types.h. */
unsigned gl_get_texture_buffer(const struct gl_context *ctx, GLenum pname, double *v);

/* Returns whether the minification filter uses mipmaps. */
bool gl_uses_mipmaps(const struct gl_sampler_params *p);
/* Returns whether the texture is complete when it is sampled with these parameters (GL 4.6
 * §8.17). */
bool gl_texture_is_complete(const struct gl_texture *t, const struct gl_sampler_params *p);
/* Returns whether the base level is complete or, with `mipmaps`, the whole mipmap pyramid, for
 * accesses without filters. If so, stores the last one of these levels in *last. */
bool gl_texture_levels_complete(const struct gl_texture *t, bool mipmaps, unsigned *last);
/* Returns a template for a driver resource with levels 0 to last_level. The sizes are those of
 * level 0, in GL coordinates (struct gl_image). Its uses are sampling and, if the driver can render
 * to the format, rendering. */
struct drv_resource gl_texture_describe(struct gl_context *ctx, enum gl_texture_index index,
                                        enum drv_format format, GLsizei width, GLsizei height,
                                        GLsizei depth, unsigned last_level);
/* --- Sparse textures (ARB_sparse_texture) --- */

/* Returns whether textures of the target can be sparse. */
bool gl_texture_can_be_sparse(enum gl_texture_index index);
/* Stores the page size, in texels, of sparse textures with this target, format and number of
 * samples (0: single-sampled). Returns false if they are not supported. */
bool gl_sparse_page_size(const struct gl_context *ctx, enum gl_texture_index index,
                         enum drv_format format, unsigned samples, uint32_t size[3]);
/* Checks the parameters of a texture that is about to get storage; the sizes are in GL coordinates.
 * If the texture is to be sparse (t->sparse) and can't be, raises an error for the command `call`
 * and returns false. Otherwise returns true. */
bool gl_check_sparse_storage(struct gl_context *ctx, const struct gl_texture *t,
                             enum gl_texture_index index, enum drv_format format, unsigned samples,
                             GLsizei width, GLsizei height, GLsizei depth, const char *call);
/* Returns the number of levels whose pages can be committed one by one (GL_NUM_SPARSE_LEVELS_ARB);
 * 0 if the texture is not sparse. */
unsigned gl_texture_sparse_levels(const struct gl_texture *t);
/* Implements glTexPageCommitmentARB: commits the pages in a box if `commit`, otherwise decommits
 * them. */
void gl_tex_page_commitment(struct gl_context *ctx, struct gl_texture *t, GLint level,
                            GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width,
                            GLsizei height, GLsizei depth, GLboolean commit, const char *call);

/* Returns whether the driver supports the resource that gl_texture_describe describes. Images
 * without texels are always supported, except with DRV_FORMAT_NONE. */
bool gl_texture_fits(struct gl_context *ctx, enum gl_texture_index index, enum drv_format format,
                     GLsizei width, GLsizei height, GLsizei depth, unsigned last_level);
/* Makes t->resource contain the images of levels first to last of all faces. Allocates it again if
 * it can't contain them, and copies images from other resources; then also updates resident
 * handles, and sets GL_DIRTY_FRAMEBUFFER if t is attached. Images whose size or format doesn't
 * match level `first` are left out, so check completeness first. Returns false if out of memory.
 * For immutable textures and EGLImage siblings, only returns whether they have storage. */
bool gl_texture_collect_levels(struct gl_context *ctx, struct gl_texture *t, unsigned first,
                               unsigned last);
/* Returns the last level that the minification filter can read; the base level if it doesn't use
 * mipmaps. */
unsigned gl_texture_last_level(const struct gl_texture *t, const struct gl_sampler_params *p);
/* Stores the resource (without a reference), format, level and layer of an image to render to in
 * *surface; first_layer and last_layer are the image's first layer. Returns false if the image has
 * no storage, or if the driver can't render to it. */
bool gl_texture_renderable(struct gl_texture *t, unsigned face, unsigned level,
                           struct drv_surface *surface);
/* Generates the mipmap levels after the base level from it. Detaches the texture from an EGLImage.
 * Does nothing if the base level has no storage, or if there are no levels after it.
 * gl_texture_may_generate must have returned true. Raises GL_OUT_OF_MEMORY for glGenerateMipmap if
 * out of memory. */
void gl_texture_generate_mipmap(struct gl_context *ctx, struct gl_texture *t);
/* Returns the box of the whole image, in GL coordinates. */
static inline struct drv_box gl_image_whole(const struct gl_image *image)
{
    return (struct drv_box){0, 0, 0, image->width, image->height, image->depth};
}
/* Allocates storage for the image at a face and level, whose format and sizes are set: in
 * t->resource if it fits there, otherwise in a resource for this image. Sets the image's resource,
 * level and layer. For level 0 of a mutable texture, may first replace t->resource by one that has
 * all levels up to t->max_level, or only level 0 if t's parameters don't use mipmaps. For an image
 * without texels, allocates nothing and returns true. Returns false if out of memory. */
bool gl_image_alloc(struct gl_context *ctx, struct gl_texture *t, unsigned face, unsigned level);
/* Removes an image (internal becomes 0) and releases its resource. */
void gl_image_clear(struct gl_image *image);
/* Converts a box of an image from GL coordinates to coordinates of its resource: the y coordinate
 * of a 1D array becomes the layer, and the image's first layer is added. */
struct drv_box gl_image_box(const struct gl_texture *t, const struct gl_image *image,
                            const struct drv_box *part);

/* Makes an EGLImage sibling an ordinary texture, which keeps its image. Does nothing for other
 * textures. */
void gl_texture_detach_egl_image(struct gl_texture *t);

/* Implementations of entries of struct indium_core (indium/core.h): image_create, image_import and
 * so on. */
struct gl_shared_image *gl_shared_image_create(struct gl_context *ctx, unsigned target,
                                               unsigned name, int level, int z,
                                               enum gl_image_error *error);
struct gl_shared_image *gl_shared_image_import(const struct gl_memory_image *memory);
bool gl_shared_image_format_supported(enum drv_format format);
bool gl_shared_image_describe(struct gl_shared_image *image, struct gl_memory_image *memory);
bool gl_shared_image_attach(struct gl_shared_image *image, const struct gl_memory_image *memory);
/* Calls gl_textures_bind_image with the resource of a shared image (indium_core.image_bind). */
bool gl_shared_image_bind(struct gl_context *ctx, struct gl_shared_image *image, GLenum target,
                          bool with_alpha);
/* Implements indium_core.image_destroy. */
void gl_shared_image_destroy(struct gl_shared_image *image);

/* Returns the driver sampler object for a description, and creates it if needed. The context's
 * cache owns the object until the context is destroyed. The description's padding must be clear.
 * Returns NULL if out of memory. */
void *gl_sampler_state(struct gl_context *ctx, const struct drv_sampler_state *desc);
/* Unbinds all sampler views and samplers from the driver, and sets GL_DIRTY_TEXTURES. */
void gl_textures_unbind(struct gl_context *ctx);

/* --- Image units (gl_image_unit.c) --- */

/* Resets the context's image units that have texture t, or any texture if t is NULL: removes the
 * texture and restores the initial level, layer, access and format. If there are such units, draws
 * queued vertices and sets GL_DIRTY_IMAGES. */
void gl_image_units_unbind(struct gl_context *ctx, const struct gl_texture *t);
/* Queries an image unit for glGetIntegeri_v. Stores the number of image units in *limit and the
 * result in *value, which is the initial value if unit is not below *limit. Returns false if pname
 * is not a query of image units, or if the context has none; *value is then unchanged. */
bool gl_image_unit_get(struct gl_context *ctx, GLenum pname, GLuint unit, unsigned *limit,
                       double *value);
/* Returns the driver format for image loads and stores in an internal format, and stores the
 * format's class (GL_IMAGE_CLASS_…) in *image_class. If the context's image units can't have the
 * format, returns DRV_FORMAT_NONE and stores nothing. */
enum drv_format gl_image_unit_format(const struct gl_context *ctx, GLint internal,
                                     GLenum *image_class);

/* Sets *dst to src and updates both reference counts. Frees the old sampler object with its last
 * reference. */
void gl_sampler_reference(struct gl_sampler **dst, struct gl_sampler *src);
/* Sets the initial sampling parameters of textures of a target. */
void gl_sampler_params_init(struct gl_sampler_params *p, enum gl_texture_index index);
/* Drops the references that the sampler names hold. Called when the share group is destroyed. */
void gl_samplers_finish_shared(struct gl_shared *shared);

/* Sets a sampling parameter of a texture of target `index`, or of a sampler object
 * (GL_TEXTURE_INDEX_2D). The values are in i if the command takes integers, otherwise i is NULL and
 * they are in v. vector: the command takes a vector. pure: its integers are not normalized
 * (glTexParameterI). Returns 1 if the parameter was set, 0 if pname is not a sampling parameter of
 * this context, and -1 if an error was raised for the command `name`. */
int gl_sampler_param_set(struct gl_context *ctx, struct gl_sampler_params *p,
                         enum gl_texture_index index, GLenum pname, const float *v, const GLint *i,
                         bool vector, bool pure, const char *name);
/* Stores the values of a sampling parameter in v, at most 4. Returns their number; 0 if pname is
 * not a sampling parameter of this context. */
unsigned gl_sampler_param_get(const struct gl_context *ctx, const struct gl_sampler_params *p,
                              GLenum pname, double *v);
/* Converts a value of a texture or sampler parameter for integer queries (GL 4.6 §2.2.2): border
 * colors and priorities are normalized, others rounded. */
GLint gl_sampler_param_to_int(GLenum pname, double value);

/* Creates the default textures of a share group. Returns false if out of memory; also then, call
 * gl_textures_finish_shared. */
bool gl_textures_init_shared(struct gl_shared *shared);
/* Drops the references that the names of textures and samplers hold, and frees the default textures
 * and the handle table. */
void gl_textures_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
/* Binds the default textures to the context's units, and creates its proxy textures. Returns false
 * if out of memory. */
bool gl_textures_init(struct gl_context *ctx);
/* Releases the context's textures, samplers, image units and handles, and unbinds them from the
 * driver. Works also after gl_textures_init failed. */
void gl_textures_finish(struct gl_context *ctx);
/* Makes a resource (a drawable's buffer or a shared image) the image of level 0 of the texture
 * bound to target on the active unit; image NULL removes the image. with_alpha: the base format is
 * GL_RGBA, otherwise GL_RGB. Draws queued vertices, and sets the dirty bits like
 * gl_texture_changed. Returns false, without raising an error, if target is neither a 2D nor a
 * rectangle target, or if the texture has handles. */
bool gl_textures_bind_image(struct gl_context *ctx, GLenum target, struct drv_resource *image,
                            bool with_alpha);
/* Returns a copy of the texture bindings of units 0 to GL_MAX_TEXTURE_COORD_UNITS - 1, the bound
 * textures' parameters and the GL_TEXTURE_BUFFER binding for glPushAttrib (GL_TEXTURE_BIT), or NULL
 * if out of memory. gl_textures_pop_attrib frees the copy. */
void *gl_textures_push_attrib(struct gl_context *ctx);
/* Frees a copy, which may be NULL. If `restore`, first restores the bindings and parameters from
 * it. Skips textures and buffers that have been deleted since, and the parameters of textures with
 * handles. */
void gl_textures_pop_attrib(struct gl_context *ctx, void *saved, bool restore);
/* Copies the bindings that gl_textures_push_attrib saves from src to dst (glXCopyContext). Does
 * nothing if the contexts don't share objects, because the same name then means different textures.
 * Sets no dirty bits. */
void gl_textures_copy_bindings(const struct gl_context *src, struct gl_context *dst);
/* Implements glGet for texture state, see gl_get_types.h. */
unsigned gl_get_textures(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
/* Implements glClearBufferSubData (gl_clear_buffer.c): fills size bytes at byte offset `offset`
 * with copies of one texel of an internal format. data is the texel as a client pixel, or NULL for
 * zeros. size INTPTR_MAX: the size of the whole buffer (glClearBufferData). */
void gl_buffer_clear(struct gl_context *ctx, struct gl_buffer *b, GLenum internal, GLintptr offset,
                     GLsizeiptr size, GLenum format, GLenum type, const void *data,
                     const char *call);

/* Returns whether the texture is attached to the bound draw framebuffer. */
bool gl_texture_is_attached(const struct gl_context *ctx, const struct gl_texture *t);

/* A sampler slot of a shader stage. */
struct gl_sampler_use {
    bool used, shadow; /* shadow: the sampler compares depths */
    bool has_handle;   /* it is set to a handle, so it does not use the unit */
    uint8_t index;     /* enum gl_texture_index */
    uint8_t unit;      /* texture image unit */
};

/* An image slot of a shader stage. */
struct gl_image_use {
    bool used;
    uint8_t index; /* enum gl_texture_index that the shader declares */
    uint8_t unit;  /* image unit */
};

/* Binds a stage's sampler views and samplers at the driver: for slots 0 to num - 1, those that
 * `uses` describes; for the following slots, none. Also collects each texture's levels in one
 * resource, and updates mirrors (gl_mirror.h). An opaque black texture replaces incomplete ones and
 * those whose levels can't be collected because memory is exhausted. A slot stays empty if it is
 * unused or set to a handle, if its buffer texture has no buffer or the buffer no storage, or if
 * there is no memory for its sampler view or the black texture. */
void gl_update_stage_textures(struct gl_context *ctx, enum shader_stage stage,
                              const struct gl_sampler_use *uses, unsigned num);
/* Binds a stage's images at the driver: for slots 0 to num - 1, those that `uses` describes; for
 * the following slots, none. A slot stays empty if it is unused, or if shaders can't access its
 * unit's image. Also prepares mirrors for writing (gl_mirror_draw). */
void gl_update_stage_images(struct gl_context *ctx, enum shader_stage stage,
                            const struct gl_image_use *uses, unsigned num);

/* --- gl_handle.c: texture and image handles --- */
/* Free the handles of a texture or of a sampler object. Called before the object is freed. */
void gl_texture_free_handles(struct gl_texture *t);
void gl_sampler_free_handles(struct gl_sampler *s);
/* Makes the handles of a texture nonresident in the context. */
void gl_texture_evict_handles(struct gl_context *ctx, struct gl_texture *t);
/* Passes the handles of a texture that are resident in the context to the driver again. Call it
 * when the texture's resource was replaced. If out of memory, shaders read 0 through a handle. */
void gl_texture_refresh_handles(struct gl_context *ctx, struct gl_texture *t);
/* Makes all handles nonresident in the context, and frees its table of resident handles. */
void gl_handles_finish(struct gl_context *ctx);
/* Frees the handle table of a share group. Its textures must have been freed. */
void gl_handles_finish_shared(struct gl_shared *shared);
/* Stores the descriptions of a handle's sampler view and sampler. p: parameters of the sampler
 * object, or of the texture if the handle has none. view->texture is NULL if the texture has no
 * texels. */
void gl_describe_handle_texture(struct gl_context *ctx, struct gl_texture *t,
                                const struct gl_sampler_params *p, struct drv_sampler_view *view,
                                struct drv_sampler_state *state);
/* Moves the levels that shaders can access when sampling with p to the texture's resource
 * (gl_texture_collect_levels). Returns false if out of memory. The texture must be complete. */
bool gl_texture_collect_readable(struct gl_context *ctx, struct gl_texture *t,
                                 const struct gl_sampler_params *p);
/* Stores the description of an image handle's view: texture, level, layers and format are those of
 * `unit`. Returns false if the image can't be accessed. */
bool gl_describe_handle_image(struct gl_context *ctx, const struct gl_image_unit *unit,
                              struct drv_image_view *view);
/* Returns the number of layers of a level that image handles can select: slices, layers or faces.
 * Returns 0 if the level has no image. */
unsigned gl_image_handle_layers(const struct gl_texture *t, GLint level);
/* Returns whether the target has layers, which shaders can access as separate images. */
bool gl_image_has_layers(enum gl_texture_index index);

#endif
