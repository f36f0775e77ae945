/* SPDX-License-Identifier: MIT */
/* Texture units and image units of a context. */
#ifndef GL_TEXTURE_TYPES_H
#define GL_TEXTURE_TYPES_H

#include "gl/context/gl_types.h"
#include "indium/driver.h"
#include "util/dynarray.h"

struct gl_sampler;
struct gl_texture;
struct hash_table;

/* Texture targets, ordered by increasing priority of the fixed-function enables. */
enum gl_texture_index {
    GL_TEXTURE_INDEX_1D,
    GL_TEXTURE_INDEX_2D,
    GL_TEXTURE_INDEX_RECT,
    GL_TEXTURE_INDEX_3D,
    GL_TEXTURE_INDEX_CUBE,
    GL_TEXTURE_INDEX_1D_ARRAY,
    GL_TEXTURE_INDEX_2D_ARRAY,
    GL_TEXTURE_INDEX_CUBE_ARRAY,
    GL_TEXTURE_INDEX_BUFFER,
    GL_TEXTURE_INDEX_EXTERNAL,
    GL_TEXTURE_INDEX_2D_MS,
    GL_TEXTURE_INDEX_2D_MS_ARRAY,
    GL_TEXTURE_INDEX_COUNT,
};

/* Texture image units of a stage. The driver's last sampler slot is GL_IMAGE_SAMPLER. */
#define GL_MAX_STAGE_UNITS (DRV_MAX_SAMPLERS - 1)
#define GL_MAX_UNITS       (6 * GL_MAX_STAGE_UNITS) /* units of all stages */

/* A texture image unit. Its bindings are referenced. */
struct gl_texture_unit {
    struct gl_texture *bound[GL_TEXTURE_INDEX_COUNT]; /* never NULL */
    struct gl_sampler *sampler;                       /* NULL: the texture's parameters apply */
};

/* An image unit (glBindImageTexture). */
struct gl_image_unit {
    struct gl_texture *texture; /* referenced; NULL: none */
    GLint level, layer;
    bool layered;
    GLenum access, format;
};

/* What a context references for a resident handle (ARB_bindless_texture). */
struct gl_resident {
    struct gl_texture *texture; /* NULL: the handle isn't resident */
    struct gl_sampler *sampler; /* NULL: none */
};

/* Texture state of a context. */
struct gl_texture_state {
    struct gl_texture_unit unit[GL_MAX_UNITS];
    struct gl_texture *proxy[GL_TEXTURE_INDEX_COUNT]; /* images of the proxy targets */
    /* Textures that are sampled instead of incomplete ones and return (0, 0, 0, 1). NULL: not
     * created yet. */
    struct gl_texture *fallback[GL_TEXTURE_INDEX_COUNT];
    /* The driver's sampler objects: hash of a drv_sampler_state → list of those with that hash. */
    struct hash_table *samplers;
    /* number of sampler view and sampler slots in use at the driver */
    unsigned num_views[SHADER_STAGE_COUNT];
    /* array of as many units as the context's GL_MAX_IMAGE_UNITS; NULL: nothing was bound yet */
    struct gl_image_unit *image_unit;
    struct gl_resident *resident; /* indexed by the low half of a handle; num_resident elements */
    uint32_t num_resident;
    uint8_t num_images[SHADER_STAGE_COUNT]; /* number of image slots in use at the driver */
    /* mirrors: resources (gl_mirror.h) that were drawn to since the last flush, referenced.
     * has_mirrors: the context has drawn to or sampled mirrors since then. */
    DYNARRAY(struct drv_resource *) mirrors;
    bool has_mirrors;
};

#endif
