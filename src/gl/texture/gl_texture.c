/* SPDX-License-Identifier: MIT */
/* Texture objects: names and bindings (GL 4.6 compatibility §8.1). */
#include "gl/texture/gl_texture.h"

#include <stdlib.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_get_types.h"
#include "gl/context/gl_owned.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_mirror.h"
#include "gl_entry.h"
#include "util/format.h"
#include "util/refcount.h"

static const GLenum index_target[GL_TEXTURE_INDEX_COUNT] = {
    GL_TEXTURE_1D,
    GL_TEXTURE_2D,
    GL_TEXTURE_RECTANGLE,
    GL_TEXTURE_3D,
    GL_TEXTURE_CUBE_MAP,
    GL_TEXTURE_1D_ARRAY,
    GL_TEXTURE_2D_ARRAY,
    GL_TEXTURE_CUBE_MAP_ARRAY,
    GL_TEXTURE_BUFFER,
    GL_TEXTURE_EXTERNAL_OES,
    GL_TEXTURE_2D_MULTISAMPLE,
    GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
};

static bool index_supported(const struct gl_context *ctx, enum gl_texture_index index)
{
    bool desktop = gl_is_desktop(ctx), es3 = ctx->api == GL_API_ES2 && ctx->consts.version >= 30;
    switch (index) {
    case GL_TEXTURE_INDEX_2D:
        return true;
    case GL_TEXTURE_INDEX_CUBE:
        return ctx->api != GL_API_ES1 || ctx->ext.OES_texture_cube_map;
    case GL_TEXTURE_INDEX_1D:
        return desktop;
    case GL_TEXTURE_INDEX_3D:
        return desktop || es3 || ctx->ext.OES_texture_3D;
    case GL_TEXTURE_INDEX_RECT:
        return desktop && ctx->ext.ARB_texture_rectangle;
    case GL_TEXTURE_INDEX_1D_ARRAY:
        return desktop && (ctx->ext.EXT_texture_array || ctx->consts.version >= 30);
    case GL_TEXTURE_INDEX_2D_ARRAY:
        return es3 || (desktop && (ctx->ext.EXT_texture_array || ctx->consts.version >= 30));
    case GL_TEXTURE_INDEX_CUBE_ARRAY:
        return ctx->ext.ARB_texture_cube_map_array;
    case GL_TEXTURE_INDEX_2D_MS:
    case GL_TEXTURE_INDEX_2D_MS_ARRAY:
        return ctx->ext.ARB_texture_multisample;
    case GL_TEXTURE_INDEX_EXTERNAL:
        return ctx->ext.OES_EGL_image_external;
    default:
        return false;
    }
}

int gl_texture_target_index(const struct gl_context *ctx, GLenum target)
{
    int index;
    switch (target) {
    case GL_TEXTURE_1D:
    case GL_PROXY_TEXTURE_1D:
        index = GL_TEXTURE_INDEX_1D;
        break;
    case GL_TEXTURE_2D:
    case GL_PROXY_TEXTURE_2D:
        index = GL_TEXTURE_INDEX_2D;
        break;
    case GL_TEXTURE_RECTANGLE:
    case GL_PROXY_TEXTURE_RECTANGLE:
        index = GL_TEXTURE_INDEX_RECT;
        break;
    case GL_TEXTURE_3D:
    case GL_PROXY_TEXTURE_3D:
        index = GL_TEXTURE_INDEX_3D;
        break;
    case GL_TEXTURE_CUBE_MAP:
    case GL_PROXY_TEXTURE_CUBE_MAP:
    case GL_TEXTURE_CUBE_MAP_POSITIVE_X:
    case GL_TEXTURE_CUBE_MAP_NEGATIVE_X:
    case GL_TEXTURE_CUBE_MAP_POSITIVE_Y:
    case GL_TEXTURE_CUBE_MAP_NEGATIVE_Y:
    case GL_TEXTURE_CUBE_MAP_POSITIVE_Z:
    case GL_TEXTURE_CUBE_MAP_NEGATIVE_Z:
        index = GL_TEXTURE_INDEX_CUBE;
        break;
    case GL_TEXTURE_1D_ARRAY:
    case GL_PROXY_TEXTURE_1D_ARRAY:
        index = GL_TEXTURE_INDEX_1D_ARRAY;
        break;
    case GL_TEXTURE_2D_ARRAY:
    case GL_PROXY_TEXTURE_2D_ARRAY:
        index = GL_TEXTURE_INDEX_2D_ARRAY;
        break;
    case GL_TEXTURE_CUBE_MAP_ARRAY:
    case GL_PROXY_TEXTURE_CUBE_MAP_ARRAY:
        index = GL_TEXTURE_INDEX_CUBE_ARRAY;
        break;
    case GL_TEXTURE_EXTERNAL_OES:
        index = GL_TEXTURE_INDEX_EXTERNAL;
        break;
    case GL_TEXTURE_2D_MULTISAMPLE:
    case GL_PROXY_TEXTURE_2D_MULTISAMPLE:
        index = GL_TEXTURE_INDEX_2D_MS;
        break;
    case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
    case GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY:
        index = GL_TEXTURE_INDEX_2D_MS_ARRAY;
        break;
    default:
        return -1;
    }
    return index_supported(ctx, index) ? index : -1;
}

enum drv_target gl_texture_drv_target(enum gl_texture_index index)
{
    static const uint8_t targets[GL_TEXTURE_INDEX_COUNT] = {
        DRV_TEXTURE_1D,   DRV_TEXTURE_2D,       DRV_TEXTURE_RECT,     DRV_TEXTURE_3D,
        DRV_TEXTURE_CUBE, DRV_TEXTURE_1D_ARRAY, DRV_TEXTURE_2D_ARRAY, DRV_TEXTURE_CUBE_ARRAY,
        DRV_BUFFER,       DRV_TEXTURE_2D,       DRV_TEXTURE_2D,       DRV_TEXTURE_2D_ARRAY,
    };
    return targets[index];
}

unsigned gl_texture_max_levels(const struct gl_context *ctx, enum gl_texture_index index)
{
    const struct gl_constants *k = &ctx->consts;
    GLint size = index == GL_TEXTURE_INDEX_RECT || index == GL_TEXTURE_INDEX_EXTERNAL ||
                         index == GL_TEXTURE_INDEX_BUFFER || gl_texture_is_multisampled(index)
                     ? 1
                 : index == GL_TEXTURE_INDEX_3D ? k->max_3d_texture_size
                 : index == GL_TEXTURE_INDEX_CUBE || index == GL_TEXTURE_INDEX_CUBE_ARRAY
                     ? k->max_cube_texture_size
                     : k->max_texture_size;
    return MIN2(util_logbase2(size) + 1, DRV_MAX_TEXTURE_LEVELS);
}

unsigned gl_texture_faces(enum gl_texture_index index)
{
    return index == GL_TEXTURE_INDEX_CUBE ? 6 : 1;
}

unsigned gl_face_of(GLenum target)
{
    unsigned face = target - GL_TEXTURE_CUBE_MAP_POSITIVE_X;
    return face < 6 ? face : 0;
}

/* --------------------------------------------------------------------------------- lifetime --- */

struct gl_texture *gl_texture_create(GLuint name)
{
    struct gl_texture *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->refcount = 1;
    t->name = name;
    t->max_level = t->set_max_level = 1000;
    t->depth_mode = GL_LUMINANCE;
    t->stencil_mode = GL_DEPTH_COMPONENT;
    t->swizzle[0] = GL_RED;
    t->swizzle[1] = GL_GREEN;
    t->swizzle[2] = GL_BLUE;
    t->swizzle[3] = GL_ALPHA;
    t->priority = 1.0f;
    gl_sampler_params_init(&t->params, GL_TEXTURE_INDEX_2D);
    list_init(&t->views);
    list_init(&t->handles);
    return t;
}

/* The levels of an immutable texture clamp the effective levels (GL 4.6 §8.14.3). The original
 * parameters are kept, so their order doesn't matter. */
void gl_texture_update_levels(struct gl_texture *t)
{
    t->base_level = t->set_base_level;
    t->max_level = t->set_max_level;
    if (t->immutable) {
        GLint last = t->part.levels - 1;
        t->base_level = MIN2(t->base_level, last);
        t->max_level = CLAMP(t->max_level, t->base_level, last);
    }
}

void gl_texture_set_target(struct gl_texture *t, GLenum target, enum gl_texture_index index)
{
    t->target = target;
    t->index = index;
    gl_sampler_params_init(&t->params, index);
}

static void free_views(struct gl_context *ctx, struct gl_texture *t)
{
    list_for_each_entry_safe (struct gl_view, v, &t->views, node) {
        list_del(&v->node);
        gl_owned_release(ctx, v->owned);
        free(v->owned);
        free(v);
    }
}

void gl_texture_detach_egl_image(struct gl_texture *t)
{
    if (!t->sibling)
        return;
    t->sibling = false;
    memset(&t->part, 0, sizeof t->part);
    drv_resource_reference(&t->resource, NULL);
}

void gl_texture_free_images(struct gl_texture *t)
{
    for (unsigned f = 0; f < 6; f++)
        for (unsigned l = 0; l < DRV_MAX_TEXTURE_LEVELS; l++)
            gl_image_clear(&t->image[f][l]);
    gl_texture_detach_egl_image(t);
    drv_resource_reference(&t->resource, NULL);
    drv_resource_reference(&t->window_image, NULL);
}

bool gl_texture_is_attached(const struct gl_context *ctx, const struct gl_texture *t)
{
    for (unsigned i = 0; i < GL_ATTACH_COUNT; i++)
        if (ctx->framebuffer.draw->attachment[i].texture == t)
            return true;
    return false;
}

void gl_texture_changed(struct gl_context *ctx, struct gl_texture *t)
{
    ctx->dirty |= GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM_KEY;
    if (gl_texture_is_attached(ctx, t))
        ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
}

static void destroy(struct gl_context *ctx, struct gl_texture *t)
{
    gl_texture_free_handles(t);
    free_views(ctx, t);
    gl_texture_free_images(t);
    gl_buffer_reference(ctx, &t->store.buffer, NULL);
    free(t->label);
    free(t);
}

void gl_texture_reference(struct gl_context *ctx, struct gl_texture **dst, struct gl_texture *src)
{
    struct gl_texture *dead = REF_REPLACE(dst, src);
    if (dead)
        destroy(ctx, dead);
}

struct gl_texture *gl_texture_lookup(struct gl_context *ctx, GLuint name)
{
    return gl_names_lookup(&ctx->shared->textures, name);
}

struct gl_default_textures {
    struct gl_texture *texture[GL_TEXTURE_INDEX_COUNT];
};

bool gl_textures_init_shared(struct gl_shared *shared)
{
    struct gl_default_textures *d = calloc(1, sizeof *d);
    shared->texture_private = d;
    for (unsigned i = 0; d && i < GL_TEXTURE_INDEX_COUNT; i++) {
        d->texture[i] = gl_texture_create(0);
        if (!d->texture[i])
            return false;
        gl_texture_set_target(d->texture[i], index_target[i], i);
    }
    return d;
}

static void free_texture(GLuint name, void *object, void *data)
{
    struct gl_texture *t = object;
    gl_texture_reference(data, &t, NULL);
}

void gl_textures_finish_shared(struct gl_context *ctx, struct gl_shared *shared)
{
    struct gl_default_textures *d = shared->texture_private;
    if (shared->textures.table)
        gl_names_foreach(&shared->textures, free_texture, ctx);
    if (shared->samplers.table)
        gl_samplers_finish_shared(shared);
    for (unsigned i = 0; d && i < GL_TEXTURE_INDEX_COUNT; i++)
        if (d->texture[i])
            gl_texture_reference(ctx, &d->texture[i], NULL);
    gl_handles_finish_shared(shared);
    free(d);
    shared->texture_private = NULL;
}

bool gl_textures_init(struct gl_context *ctx)
{
    const struct gl_default_textures *d = ctx->shared->texture_private;
    struct gl_texture_state *s = &ctx->texture;
    s->samplers = hash_table_create_pointer(ctx);
    if (!s->samplers)
        return false;
    for (unsigned i = 0; i < GL_TEXTURE_INDEX_COUNT; i++) {
        for (unsigned u = 0; u < GL_MAX_UNITS; u++)
            gl_texture_reference(ctx, &s->unit[u].bound[i], d->texture[i]);
        s->proxy[i] = gl_texture_create(0);
        if (!s->proxy[i])
            return false;
        gl_texture_set_target(s->proxy[i], index_target[i], i);
    }
    return true;
}

/* ----------------------------------------------------------------------- names and bindings --- */

void gl_GenTextures(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenTextures(n=%d)", n);
    else if (!gl_names_gen(&ctx->shared->textures, n, false, names))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenTextures");
}

void gl_GenTexturesEXT(GLsizei n, GLuint *names)
{
    gl_GenTextures(n, names);
}

GLboolean gl_IsTexture(GLuint name)
{
    GL_CONTEXT(ctx);
    return gl_texture_lookup(ctx, name) != NULL;
}

GLboolean gl_IsTextureEXT(GLuint name)
{
    return gl_IsTexture(name);
}

/* Returns the enum gl_texture_index of a target that textures can be bound to, otherwise -1. */
static int bind_index(const struct gl_context *ctx, GLenum target)
{
    bool buffer = target == GL_TEXTURE_BUFFER && ctx->ext.ARB_texture_buffer_object;
    int index = buffer ? GL_TEXTURE_INDEX_BUFFER : gl_texture_target_index(ctx, target);
    return index >= 0 && target == index_target[index] ? index : -1;
}

struct gl_texture *gl_texture_make(struct gl_context *ctx, GLuint name, GLenum target)
{
    struct gl_texture *t = gl_texture_create(name);
    if (!t || !gl_names_insert(&ctx->shared->textures, name, t)) {
        free(t);
        return NULL;
    }
    if (target)
        gl_texture_set_target(t, target, bind_index(ctx, target));
    return t;
}

static bool make_texture(struct gl_context *ctx, GLuint name, GLenum target)
{
    return gl_texture_make(ctx, name, target);
}

void gl_CreateTextures(GLenum target, GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    if (bind_index(ctx, target) < 0)
        gl_error(ctx, GL_INVALID_ENUM, "glCreateTextures(target=%s)", gl_enum_name(target));
    else
        gl_names_create(ctx, &ctx->shared->textures, n, names, make_texture, target,
                        gl_DeleteTextures, "glCreateTextures");
}

/* Binds a texture to the unit at its own target. Name 0 binds the default textures to all
 * targets. */
static void bind_to_unit(struct gl_context *ctx, GLuint unit, GLuint name, const char *call)
{
    const struct gl_default_textures *d = ctx->shared->texture_private;
    struct gl_texture *t = gl_texture_lookup(ctx, name);
    if (name && (!t || !t->target)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no texture %u)", call, name);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM_KEY);
    struct gl_texture **bound = ctx->texture.unit[unit].bound;
    if (t)
        gl_texture_reference(ctx, &bound[t->index], t);
    for (unsigned i = 0; !t && i < GL_TEXTURE_INDEX_COUNT; i++)
        gl_texture_reference(ctx, &bound[i], d->texture[i]);
}

void gl_BindTextureUnit(GLuint unit, GLuint name)
{
    GL_CONTEXT(ctx);
    if (unit >= (GLuint)ctx->consts.max_combined_texture_image_units)
        gl_error(ctx, GL_INVALID_VALUE, "glBindTextureUnit(unit=%u)", unit);
    else
        bind_to_unit(ctx, unit, name, "glBindTextureUnit");
}

void gl_BindTextures(GLuint first, GLsizei count, const GLuint *names)
{
    GL_CONTEXT(ctx);
    if (count < 0 ||
        (uint64_t)first + count > (uint64_t)ctx->consts.max_combined_texture_image_units) {
        gl_error(ctx, count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION,
                 "glBindTextures(first=%u, count=%d)", first, count);
        return;
    }
    for (GLsizei i = 0; i < count; i++)
        bind_to_unit(ctx, first + i, names ? names[i] : 0, "glBindTextures");
}

struct gl_texture *gl_texture_use(struct gl_context *ctx, GLuint name, enum gl_texture_index index,
                                  const char *call)
{
    const struct gl_default_textures *d = ctx->shared->texture_private;
    if (!name)
        return d->texture[index];
    struct gl_texture *t = gl_texture_lookup(ctx, name);
    if (!t) {
        if (ctx->api == GL_API_CORE && !gl_names_is_used(&ctx->shared->textures, name)) {
            gl_error(ctx, GL_INVALID_OPERATION, "%s(%u is not a name)", call, name);
            return NULL;
        }
        t = gl_texture_make(ctx, name, 0);
        if (!t) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
            return NULL;
        }
    }
    if (!t->target)
        gl_texture_set_target(t, index_target[index], index);
    if (t->index == index)
        return t;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(%u has target %s)", call, name,
             gl_enum_name(t->target));
    return NULL;
}

unsigned gl_texture_unit_limit(const struct gl_context *ctx)
{
    return MAX2(ctx->consts.max_combined_texture_image_units, ctx->consts.max_texture_coords);
}

void gl_BindTexture(GLenum target, GLuint name)
{
    GL_CONTEXT(ctx);
    int index = bind_index(ctx, target);
    if (index < 0) {
        gl_error(ctx, GL_INVALID_ENUM, "glBindTexture(target=%s)", gl_enum_name(target));
        return;
    }
    struct gl_texture *t = gl_texture_use(ctx, name, index, "glBindTexture");
    struct gl_texture **bound = &ctx->texture.unit[ctx->texenv.active].bound[index];
    if (t && *bound == t && t->resource && gl_has_mirror(t->resource))
        /* read the mirrored memory again (OES_EGL_image_external) */
        ctx->dirty |= GL_DIRTY_TEXTURES;
    if (!t || *bound == t)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM_KEY);
    gl_texture_reference(ctx, bound, t);
}

void gl_DeleteTextures(GLsizei n, const GLuint *names)
{
    GL_CONTEXT(ctx);
    const struct gl_default_textures *d = ctx->shared->texture_private;
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteTextures(n=%d)", n);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM_KEY);
    for (GLsizei i = 0; i < n; i++) {
        struct gl_texture *t = gl_names_remove(&ctx->shared->textures, names[i]);
        if (!t)
            continue;
        for (unsigned u = 0; t->target && u < GL_MAX_UNITS; u++)
            if (ctx->texture.unit[u].bound[t->index] == t)
                gl_texture_reference(ctx, &ctx->texture.unit[u].bound[t->index],
                                     d->texture[t->index]);
        gl_image_units_unbind(ctx, t);
        gl_texture_evict_handles(ctx, t);
        ctx->hooks.detach_texture(ctx, t);
        gl_texture_reference(ctx, &t, NULL);
    }
}

void gl_DeleteTexturesEXT(GLsizei n, const GLuint *names)
{
    gl_DeleteTextures(n, names);
}

void gl_PrioritizeTextures(GLsizei n, const GLuint *names, const GLfloat *priorities)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glPrioritizeTextures(n=%d)", n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        struct gl_texture *t = gl_texture_lookup(ctx, names[i]);
        if (t)
            t->priority = CLAMP(priorities[i], 0.0f, 1.0f);
    }
}

GLboolean gl_AreTexturesResident(GLsizei n, const GLuint *names, GLboolean *residences)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glAreTexturesResident(n=%d)", n);
        return GL_FALSE;
    }
    for (GLsizei i = 0; i < n; i++)
        if (!gl_texture_lookup(ctx, names[i])) {
            gl_error(ctx, GL_INVALID_VALUE, "glAreTexturesResident(%u)", names[i]);
            return GL_FALSE;
        }
    return GL_TRUE;
}

GLboolean gl_AreTexturesResidentEXT(GLsizei n, const GLuint *names, GLboolean *residences)
{
    return gl_AreTexturesResident(n, names, residences);
}

/* ------------------------------------------------------------------- glGet and glPushAttrib --- */

unsigned gl_get_textures(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    static const struct {
        GLenum pname;
        uint8_t index;
    } bindings[] = {
        {GL_TEXTURE_BINDING_1D, GL_TEXTURE_INDEX_1D},
        {GL_TEXTURE_BINDING_2D, GL_TEXTURE_INDEX_2D},
        {GL_TEXTURE_BINDING_3D, GL_TEXTURE_INDEX_3D},
        {GL_TEXTURE_BINDING_CUBE_MAP, GL_TEXTURE_INDEX_CUBE},
        {GL_TEXTURE_BINDING_RECTANGLE, GL_TEXTURE_INDEX_RECT},
        {GL_TEXTURE_BINDING_1D_ARRAY, GL_TEXTURE_INDEX_1D_ARRAY},
        {GL_TEXTURE_BINDING_2D_ARRAY, GL_TEXTURE_INDEX_2D_ARRAY},
        {GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, GL_TEXTURE_INDEX_CUBE_ARRAY},
        {GL_TEXTURE_BINDING_EXTERNAL_OES, GL_TEXTURE_INDEX_EXTERNAL},
        {GL_TEXTURE_BINDING_2D_MULTISAMPLE, GL_TEXTURE_INDEX_2D_MS},
        {GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_INDEX_2D_MS_ARRAY},
    };
    const struct gl_texture_unit *unit = &ctx->texture.unit[ctx->texenv.active];
    GLint formats[GL_GET_VALUES];
    unsigned n;
    *type = GL_GET_INT;
    for (unsigned i = 0; i < ARRAY_SIZE(bindings); i++)
        if (bindings[i].pname == pname) {
            if (!index_supported(ctx, bindings[i].index))
                return 0;
            *v = unit->bound[bindings[i].index]->name;
            return 1;
        }
    switch (pname) {
    case GL_SAMPLER_BINDING:
        *v = unit->sampler ? unit->sampler->name : 0;
        return 1;
    case GL_NUM_COMPRESSED_TEXTURE_FORMATS:
        *v = gl_compressed_formats(ctx, formats, ARRAY_SIZE(formats));
        return 1;
    case GL_COMPRESSED_TEXTURE_FORMATS:
        n = gl_compressed_formats(ctx, formats, ARRAY_SIZE(formats));
        *type = GL_GET_ENUM;
        for (unsigned i = 0; i < n; i++)
            v[i] = formats[i];
        return n;
    default:
        return gl_get_texture_buffer(ctx, pname, v);
    }
}

/* What glPushAttrib saves of textures. Its objects are referenced. */
struct saved_textures {
    struct gl_buffer *buffer; /* GL_TEXTURE_BUFFER binding */
    struct gl_texture *bound[GL_MAX_TEXTURE_COORD_UNITS][GL_TEXTURE_INDEX_COUNT];
    struct saved_params {
        struct gl_sampler_params params;
        GLint base_level, max_level;
        GLenum depth_mode, swizzle[4];
        bool generate_mipmap;
        float priority;
    } params[GL_MAX_TEXTURE_COORD_UNITS][GL_TEXTURE_INDEX_COUNT];
};

void *gl_textures_push_attrib(struct gl_context *ctx)
{
    struct saved_textures *s = calloc(1, sizeof *s);
    if (s)
        gl_buffer_reference(ctx, &s->buffer, ctx->texture_buffer);
    for (unsigned u = 0; s && u < GL_MAX_TEXTURE_COORD_UNITS; u++)
        for (unsigned i = 0; i < GL_TEXTURE_INDEX_COUNT; i++) {
            struct gl_texture *t = ctx->texture.unit[u].bound[i];
            struct saved_params *p = &s->params[u][i];
            gl_texture_reference(ctx, &s->bound[u][i], t);
            p->params = t->params;
            p->base_level = t->set_base_level;
            p->max_level = t->set_max_level;
            p->depth_mode = t->depth_mode;
            memcpy(p->swizzle, t->swizzle, sizeof p->swizzle);
            p->generate_mipmap = t->generate_mipmap;
            p->priority = t->priority;
        }
    return s;
}

/* Restores the parameters of a texture without handles, which would forbid changes. */
static void restore_params(struct gl_texture *t, const struct saved_params *p)
{
    t->params = p->params;
    t->set_base_level = p->base_level;
    t->set_max_level = p->max_level;
    gl_texture_update_levels(t);
    t->depth_mode = p->depth_mode;
    memcpy(t->swizzle, p->swizzle, sizeof t->swizzle);
    t->generate_mipmap = p->generate_mipmap;
    t->priority = p->priority;
}

void gl_textures_pop_attrib(struct gl_context *ctx, void *saved, bool restore)
{
    struct saved_textures *s = saved;
    if (!s)
        return;
    if (restore)
        FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM_KEY);
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++)
        for (unsigned i = 0; i < GL_TEXTURE_INDEX_COUNT; i++) {
            struct gl_texture *t = s->bound[u][i];
            const struct saved_params *p = &s->params[u][i];
            /* Deleted textures are not bound again. */
            bool alive = !t->name || gl_texture_lookup(ctx, t->name) == t;
            if (restore && alive)
                gl_texture_reference(ctx, &ctx->texture.unit[u].bound[i], t);
            if (restore && alive && !t->num_handles)
                restore_params(t, p);
            gl_texture_reference(ctx, &s->bound[u][i], NULL);
        }
    /* Like textures, a deleted buffer isn't bound again. */
    if (restore && (!s->buffer || !s->buffer->deleted))
        gl_buffer_reference(ctx, &ctx->texture_buffer, s->buffer);
    gl_buffer_reference(ctx, &s->buffer, NULL);
    free(s);
}

void gl_textures_copy_bindings(const struct gl_context *src, struct gl_context *dst)
{
    if (src->shared != dst->shared)
        return;
    for (unsigned u = 0; u < GL_MAX_TEXTURE_COORD_UNITS; u++)
        for (unsigned i = 0; i < GL_TEXTURE_INDEX_COUNT; i++)
            gl_texture_reference(dst, &dst->texture.unit[u].bound[i],
                                 src->texture.unit[u].bound[i]);
    gl_buffer_reference(dst, &dst->texture_buffer, src->texture_buffer);
}
