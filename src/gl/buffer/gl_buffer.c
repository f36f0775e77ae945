/* SPDX-License-Identifier: MIT */
/* Buffer objects (GL 4.6 chapter 6). */
#include "gl/buffer/gl_buffer.h"

#include <stdlib.h>

#include "gl/buffer/gl_memory.h"
#include "gl/context/gl_context.h"
#include "gl_entry.h"
#include "util/format.h"
#include "util/refcount.h"

#define MAP_BITS_ALL                                                                               \
    (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT |                            \
     GL_MAP_INVALIDATE_BUFFER_BIT | GL_MAP_FLUSH_EXPLICIT_BIT | GL_MAP_UNSYNCHRONIZED_BIT |        \
     GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT)

/* ---------------------------------------------------------------------------------- objects --- */

static void unmap(struct gl_context *ctx, struct gl_buffer *b)
{
    if (b->map_transfer)
        ctx->drv->ops->unmap(ctx->drv, b->map_transfer);
    b->map_transfer = NULL;
    b->map_pointer = NULL;
    b->map_offset = 0;
    b->map_length = 0;
    b->map_access = 0;
}

/* Waits until the GL has stopped using pinned memory. The application may free it once no buffer
 * uses it (AMD_pinned_memory, issue 3). */
static void await_pinned(struct gl_context *ctx, struct gl_buffer *b)
{
    struct drv_transfer *t;
    if (!b->pinned || !b->resource)
        return;
    if (gl_buffer_map_internal(ctx, b, 0, b->size, DRV_MAP_READ | DRV_MAP_WRITE, &t))
        gl_buffer_unmap_internal(ctx, t);
    b->pinned = false;
}

static void drop_storage(struct gl_context *ctx, struct gl_buffer *b)
{
    unmap(ctx, b);
    await_pinned(ctx, b);
    drv_resource_reference(&b->resource, NULL);
    drv_memory_reference(&b->sparse, NULL);
}

void gl_buffer_reference(struct gl_context *ctx, struct gl_buffer **dst, struct gl_buffer *src)
{
    struct gl_buffer *dead = REF_REPLACE(dst, src);
    if (dead) {
        drop_storage(ctx, dead);
        free(dead->label);
        free(dead);
    }
}

struct gl_buffer *gl_buffer_lookup(struct gl_context *ctx, GLuint name)
{
    return gl_names_lookup(&ctx->shared->buffers, name);
}

static struct gl_buffer *buffer_create(struct gl_context *ctx, GLuint name)
{
    struct gl_buffer *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->refcount = 1; /* for the name */
    b->name = name;
    b->usage = GL_STATIC_DRAW;
    if (!gl_names_insert(&ctx->shared->buffers, name, b)) {
        free(b);
        return NULL;
    }
    return b;
}

bool gl_buffer_is_mapped(const struct gl_buffer *b)
{
    return b->map_pointer && !(b->map_access & GL_MAP_PERSISTENT_BIT);
}

void *gl_buffer_map_internal(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                             GLsizeiptr length, unsigned flags, struct drv_transfer **transfer)
{
    if (!b->resource || offset < 0 || length <= 0 || offset > b->size || length > b->size - offset)
        return NULL;
    struct drv_box box = {offset, 0, 0, length, 1, 1};
    if (b->map_pointer) /* the application may keep writing to its mapping */
        flags |= DRV_MAP_PERSISTENT;
    return ctx->drv->ops->map(ctx->drv, b->resource, 0, flags, &box, transfer);
}

void gl_buffer_unmap_internal(struct gl_context *ctx, struct drv_transfer *transfer)
{
    ctx->drv->ops->unmap(ctx->drv, transfer);
}

static void delete_shared(GLuint name, void *object, void *data)
{
    struct gl_buffer *b = object;
    gl_buffer_reference(data, &b, NULL);
}

void gl_buffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared)
{
    if (shared->buffers.table)
        gl_names_foreach(&shared->buffers, delete_shared, ctx);
}

/* --------------------------------------------------------------------------------- bindings --- */

struct gl_buffer **gl_buffer_binding(struct gl_context *ctx, GLenum target)
{
    unsigned v = ctx->consts.version;
    bool desktop = gl_is_desktop(ctx), es3 = ctx->api == GL_API_ES2 && v >= 30;
    switch (target) {
    case GL_ARRAY_BUFFER:
        return &ctx->array.array_buffer;
    case GL_ELEMENT_ARRAY_BUFFER:
        return &ctx->array.vao->index_buffer;
    case GL_PIXEL_PACK_BUFFER:
        return desktop || es3 ? &ctx->pack.buffer : NULL;
    case GL_PIXEL_UNPACK_BUFFER:
        return desktop || es3 ? &ctx->unpack.buffer : NULL;
    case GL_COPY_READ_BUFFER:
        return desktop || es3 ? &ctx->copy_read_buffer : NULL;
    case GL_COPY_WRITE_BUFFER:
        return desktop || es3 ? &ctx->copy_write_buffer : NULL;
    case GL_UNIFORM_BUFFER:
        return ctx->ext.ARB_uniform_buffer_object || es3 ? &ctx->uniform_buffer : NULL;
    case GL_TEXTURE_BUFFER:
        return ctx->ext.ARB_texture_buffer_object ? &ctx->texture_buffer : NULL;
    case GL_TRANSFORM_FEEDBACK_BUFFER:
        return (desktop && (v >= 30 || ctx->ext.EXT_transform_feedback)) || es3
                   ? &ctx->transform_feedback_buffer
                   : NULL;
    case GL_DRAW_INDIRECT_BUFFER:
        return ctx->ext.ARB_draw_indirect ? &ctx->draw_indirect_buffer : NULL;
    case GL_PARAMETER_BUFFER:
        return desktop && (v >= 46 || ctx->ext.ARB_indirect_parameters) ? &ctx->parameter_buffer
                                                                        : NULL;
    case GL_SHADER_STORAGE_BUFFER:
        return ctx->ext.ARB_shader_storage_buffer_object ? &ctx->shader_storage_buffer : NULL;
    case GL_DISPATCH_INDIRECT_BUFFER:
        return ctx->ext.ARB_compute_shader ? &ctx->dispatch_indirect_buffer : NULL;
    case GL_QUERY_BUFFER:
        return desktop && (v >= 44 || ctx->ext.ARB_query_buffer_object) ? &ctx->query_buffer : NULL;
    case GL_ATOMIC_COUNTER_BUFFER:
        return ctx->ext.ARB_shader_atomic_counters ? &ctx->atomic_counter_buffer : NULL;
    case GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD:
        return ctx->ext.AMD_pinned_memory ? &ctx->external_memory_buffer : NULL;
    default:
        return NULL;
    }
}

void gl_GenBuffers(GLsizei n, GLuint *buffers)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenBuffers(n=%d)", n);
    else if (!gl_names_gen(&ctx->shared->buffers, n, false, buffers))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenBuffers(n=%d)", n);
}

static bool make_buffer(struct gl_context *ctx, GLuint name, GLenum target)
{
    return buffer_create(ctx, name);
}

void gl_CreateBuffers(GLsizei n, GLuint *buffers)
{
    GL_CONTEXT(ctx);
    gl_names_create(ctx, &ctx->shared->buffers, n, buffers, make_buffer, 0, gl_DeleteBuffers,
                    "glCreateBuffers");
}

GLboolean gl_IsBuffer(GLuint buffer)
{
    GL_CONTEXT(ctx);
    return gl_buffer_lookup(ctx, buffer) != NULL;
}

bool gl_buffer_for_bind(struct gl_context *ctx, GLuint name, struct gl_buffer **b, const char *call)
{
    *b = gl_buffer_lookup(ctx, name);
    if (*b || !name)
        return true;
    if (ctx->api == GL_API_CORE && !gl_names_is_used(&ctx->shared->buffers, name)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(buffer %u was not generated)", call, name);
        return false;
    }
    *b = buffer_create(ctx, name);
    if (!*b)
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return *b;
}

void gl_BindBuffer(GLenum target, GLuint buffer)
{
    GL_CONTEXT(ctx);
    struct gl_buffer **where = gl_buffer_binding(ctx, target), *b;
    if (!where) {
        gl_error(ctx, GL_INVALID_ENUM, "glBindBuffer(target=%s)", gl_enum_name(target));
        return;
    }
    if (*where && (*where)->name == buffer && !(*where)->deleted)
        return;
    if (gl_buffer_for_bind(ctx, buffer, &b, "glBindBuffer"))
        gl_buffer_reference(ctx, where, b);
}

/* Unbinds a deleted buffer from this context's targets and its bound vertex array (§6.1). */
static void unbind_everywhere(struct gl_context *ctx, struct gl_buffer *b)
{
    struct gl_buffer **const where[] = {
        &ctx->array.array_buffer,
        &ctx->array.vao->index_buffer,
        &ctx->pack.buffer,
        &ctx->unpack.buffer,
        &ctx->copy_read_buffer,
        &ctx->copy_write_buffer,
        &ctx->uniform_buffer,
        &ctx->texture_buffer,
        &ctx->transform_feedback_buffer,
        &ctx->draw_indirect_buffer,
        &ctx->shader_storage_buffer,
        &ctx->dispatch_indirect_buffer,
        &ctx->query_buffer,
        &ctx->atomic_counter_buffer,
        &ctx->parameter_buffer,
        &ctx->external_memory_buffer,
    };
    for (unsigned i = 0; i < ARRAY_SIZE(where); i++)
        if (*where[i] == b)
            gl_buffer_reference(ctx, where[i], NULL);
    gl_indexed_buffers_unbind(ctx, b);
    for (unsigned i = 0; i < VERT_ATTRIB_COUNT; i++)
        if (ctx->array.vao->binding[i].buffer == b) {
            gl_buffer_reference(ctx, &ctx->array.vao->binding[i].buffer, NULL);
            ctx->dirty |= GL_DIRTY_ARRAYS;
        }
}

void gl_DeleteBuffers(GLsizei n, const GLuint *buffers)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteBuffers(n=%d)", n);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    for (GLsizei i = 0; i < n; i++) {
        struct gl_buffer *b = gl_names_remove(&ctx->shared->buffers, buffers[i]);
        if (!b)
            continue;
        unmap(ctx, b);
        unbind_everywhere(ctx, b);
        b->deleted = true;
        gl_buffer_reference(ctx, &b, NULL);
    }
}

static struct gl_buffer *bound(struct gl_context *ctx, GLenum target, GLenum none, const char *call)
{
    struct gl_buffer **where = gl_buffer_binding(ctx, target);
    if (!where)
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
    else if (!*where)
        gl_error(ctx, none, "%s(no buffer bound to %s)", call, gl_enum_name(target));
    return where ? *where : NULL;
}

struct gl_buffer *gl_bound_buffer(struct gl_context *ctx, GLenum target, const char *call)
{
    return bound(ctx, target, GL_INVALID_OPERATION, call);
}

struct gl_buffer *gl_bound_buffer_to_clear(struct gl_context *ctx, GLenum target, const char *call)
{
    return bound(ctx, target, GL_INVALID_VALUE, call);
}

struct gl_buffer *gl_named_buffer(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_buffer *b = gl_buffer_lookup(ctx, name);
    if (!b)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no buffer %u)", call, name);
    return b;
}

struct gl_buffer *gl_get_or_create_buffer(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_buffer *b = NULL;
    if (!name)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(buffer=0)", call);
    else
        gl_buffer_for_bind(ctx, name, &b, call);
    return b;
}

/* ---------------------------------------------------------------------------------- storage --- */

static bool valid_usage(const struct gl_context *ctx, GLenum usage)
{
    switch (usage) {
    case GL_STREAM_DRAW:
        return ctx->api != GL_API_ES1;
    case GL_STATIC_DRAW:
    case GL_DYNAMIC_DRAW:
        return true;
    case GL_STREAM_READ:
    case GL_STREAM_COPY:
    case GL_STATIC_READ:
    case GL_STATIC_COPY:
    case GL_DYNAMIC_READ:
    case GL_DYNAMIC_COPY:
        return gl_is_desktop(ctx) || (ctx->api == GL_API_ES2 && ctx->consts.version >= 30);
    default:
        return false;
    }
}

static bool write_bytes(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                        GLsizeiptr size, const void *data, unsigned flags)
{
    struct drv_transfer *t;
    void *p = gl_buffer_map_internal(ctx, b, offset, size, DRV_MAP_WRITE | flags, &t);
    if (!p)
        return false;
    memcpy(p, data, size);
    gl_buffer_unmap_internal(ctx, t);
    return true;
}

/* Returns the resource template of a buffer. */
static struct drv_resource describe(GLsizeiptr size, GLbitfield storage_flags)
{
    return (struct drv_resource){
        .target = DRV_BUFFER,
        .format = DRV_FORMAT_R8_UNORM,
        .width = size,
        .height = 1,
        .depth = 1,
        .array_size = 1,
        .bind = DRV_BIND_VERTEX_BUFFER | DRV_BIND_INDEX_BUFFER | DRV_BIND_CONSTANT_BUFFER |
                DRV_BIND_STREAM_OUTPUT | DRV_BIND_SAMPLER_VIEW | DRV_BIND_STORAGE_BUFFER,
        .map_flags = (storage_flags & GL_MAP_PERSISTENT_BIT ? DRV_MAP_PERSISTENT : 0) |
                     (storage_flags & GL_MAP_COHERENT_BIT ? DRV_MAP_COHERENT : 0),
    };
}

/* Replaces the buffer's resource; `resource` is NULL for zero bytes. */
static void replace_storage(struct gl_context *ctx, struct gl_buffer *b,
                            struct drv_resource *resource, GLsizeiptr size, GLenum usage,
                            GLbitfield storage_flags)
{
    drop_storage(ctx, b);
    b->resource = resource;
    b->size = size;
    b->usage = usage;
    b->storage_flags = storage_flags;
    /* users of the buffer must bind the new resource */
    ctx->dirty |=
        GL_DIRTY_ARRAYS | GL_DIRTY_UNIFORM_BUFFERS | GL_DIRTY_STORAGE_BUFFERS | GL_DIRTY_TEXTURES;
}

/* Allocates new storage. On failure, the old storage is kept. */
static bool allocate(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size, const void *data,
                     GLenum usage, GLbitfield storage_flags)
{
    bool rename = b->resource && b->size == size && size && !b->immutable && !b->pinned &&
                  !(storage_flags & GL_MAP_PERSISTENT_BIT);
    if (rename) {
        unmap(ctx, b);
        b->usage = usage;
        b->storage_flags = storage_flags;
        return !data || write_bytes(ctx, b, 0, size, data, DRV_MAP_DISCARD_WHOLE);
    }
    struct drv_resource *fresh = NULL;
    if (size) {
        if (size > ctx->screen->caps.max_buffer_size)
            return false;
        struct drv_resource templ = describe(size, storage_flags);
        fresh = ctx->screen->ops->resource_create(ctx->screen, &templ);
        if (!fresh)
            return false;
    }
    replace_storage(ctx, b, fresh, size, usage, storage_flags);
    return !data || !size || write_bytes(ctx, b, 0, size, data, DRV_MAP_UNSYNCHRONIZED);
}

/* Initial storage flags of glBufferData, as queries return them. */
#define MUTABLE (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT)

/* Checks the arguments of glBufferData. False: an error was raised. */
static bool may_specify(struct gl_context *ctx, const struct gl_buffer *b, GLsizeiptr size,
                        GLenum usage, const char *call)
{
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(size=%td)", call, size);
        return false;
    }
    if (!valid_usage(ctx, usage)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(usage=%s)", call, gl_enum_name(usage));
        return false;
    }
    if (b->immutable || b->texture_handles) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", call,
                 b->immutable ? "immutable storage" : "a buffer texture has handles");
        return false;
    }
    return true;
}

void gl_buffer_data(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size, const void *data,
                    GLenum usage, const char *call)
{
    if (!may_specify(ctx, b, size, usage, call))
        return;
    FLUSH_VERTICES(ctx, 0);
    if (!allocate(ctx, b, size, data, usage, MUTABLE))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s(size=%td)", call, size);
}

static void free_memory(struct drv_memory *memory)
{
    free(memory);
}

/* Makes application memory the storage of the buffer (AMD_pinned_memory). Shaders read whole
 * words. */
static void pin_memory(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size,
                       const void *data, GLenum usage, const char *call)
{
    if (!may_specify(ctx, b, size, usage, call))
        return;
    if (!data || (uintptr_t)data % 4 || !size || size > ctx->screen->caps.max_buffer_size) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(size=%td, data=%p)", call, size, data);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    struct drv_memory *memory = malloc(sizeof *memory);
    struct drv_resource *resource = NULL, templ = describe(size, 0);
    if (memory) {
        *memory = (struct drv_memory){1, (uint8_t *)data, size, free_memory};
        resource = ctx->screen->ops->resource_create_in(ctx->screen, &templ, memory, 0);
        drv_memory_reference(&memory, NULL);
    }
    if (!resource) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s(size=%td)", call, size);
        return;
    }
    replace_storage(ctx, b, resource, size, usage, MUTABLE);
    b->pinned = true;
}

void gl_BufferData(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glBufferData";
    struct gl_buffer *b = gl_bound_buffer(ctx, target, call);
    if (b && target == GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD)
        pin_memory(ctx, b, size, data, usage, call);
    else if (b)
        gl_buffer_data(ctx, b, size, data, usage, call);
}

void gl_buffer_storage_mem(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size,
                           GLuint memory, GLuint64 offset, const char *call)
{
    if (size <= 0 || size > ctx->screen->caps.max_buffer_size) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(size=%td)", call, size);
        return;
    }
    if (b->immutable || b->texture_handles) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", call,
                 b->immutable ? "immutable storage" : "a buffer texture has handles");
        return;
    }
    const struct gl_memory_location place = {memory, offset};
    struct drv_resource templ = describe(size, 0);
    struct drv_resource *resource = gl_memory_resource(ctx, &templ, &place, call);
    if (!resource)
        return;
    FLUSH_VERTICES(ctx, 0);
    /* EXT_external_objects, issue 6: flags are not relevant for external memory */
    replace_storage(ctx, b, resource, size, GL_DYNAMIC_DRAW, GL_DYNAMIC_STORAGE_BIT);
    b->immutable = true;
}

/* Allocates storage whose pages are uncommitted. Returns false if out of memory. */
static bool allocate_sparse(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size,
                            GLbitfield flags)
{
    struct drv_resource templ = describe(size, flags), *resource = NULL;
    struct drv_memory *memory =
        size > ctx->screen->caps.max_buffer_size ? NULL : gl_sparse_memory_create(size);
    if (memory)
        resource = ctx->screen->ops->resource_create_in(ctx->screen, &templ, memory, 0);
    if (!resource) {
        drv_memory_reference(&memory, NULL);
        return false;
    }
    replace_storage(ctx, b, resource, size, GL_DYNAMIC_DRAW, flags);
    b->sparse = memory;
    return true;
}

void gl_buffer_storage(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size,
                       const void *data, GLbitfield flags, const char *call)
{
    const GLbitfield known = GL_DYNAMIC_STORAGE_BIT | GL_MAP_READ_BIT | GL_MAP_WRITE_BIT |
                             GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT | GL_CLIENT_STORAGE_BIT |
                             (ctx->ext.ARB_sparse_buffer ? GL_SPARSE_STORAGE_BIT_ARB : 0);
    const bool sparse = flags & GL_SPARSE_STORAGE_BIT_ARB;
    if (size <= 0 || flags & ~known || (sparse && flags & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)) ||
        (flags & GL_MAP_PERSISTENT_BIT && !(flags & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT))) ||
        (flags & GL_MAP_COHERENT_BIT && !(flags & GL_MAP_PERSISTENT_BIT))) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(size=%td, flags=0x%x)", call, size, flags);
        return;
    }
    if (b->immutable || b->texture_handles) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", call,
                 b->immutable ? "immutable storage" : "a buffer texture has handles");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (sparse ? !allocate_sparse(ctx, b, size, flags)
               : !allocate(ctx, b, size, data, GL_DYNAMIC_DRAW, flags))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s(size=%td)", call, size);
    else
        b->immutable = true;
}

/* Implements the range check of §6.2.1. */
bool gl_check_buffer_range(struct gl_context *ctx, const struct gl_buffer *b, GLintptr offset,
                           GLsizeiptr size, const char *call)
{
    if (offset < 0 || size < 0 || offset > b->size || size > b->size - offset) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%td, size=%td of %td bytes)", call, offset, size,
                 b->size);
        return false;
    }
    return true;
}

static bool unmapped(struct gl_context *ctx, const struct gl_buffer *b, const char *call)
{
    if (!gl_buffer_is_mapped(b))
        return true;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(buffer is mapped)", call);
    return false;
}

/* For commands that are allowed while other parts of the buffer are mapped. */
bool gl_check_buffer_range_unmapped(struct gl_context *ctx, const struct gl_buffer *b,
                                    GLintptr offset, GLsizeiptr size, const char *call)
{
    if (!gl_buffer_is_mapped(b) || offset >= b->map_offset + b->map_length ||
        offset + size <= b->map_offset)
        return true;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(range is mapped)", call);
    return false;
}

void gl_buffer_sub_data(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                        GLsizeiptr size, const void *data, const char *call)
{
    if (!gl_check_buffer_range(ctx, b, offset, size, call) ||
        !gl_check_buffer_range_unmapped(ctx, b, offset, size, call))
        return;
    if (b->immutable && !(b->storage_flags & GL_DYNAMIC_STORAGE_BIT)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(storage is not dynamic)", call);
        return;
    }
    if (!size || !data)
        return;
    FLUSH_VERTICES(ctx, 0);
    if (!write_bytes(ctx, b, offset, size, data,
                     size == b->size ? DRV_MAP_DISCARD_WHOLE : DRV_MAP_DISCARD_RANGE))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
}

void gl_buffer_get_sub_data(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                            GLsizeiptr size, void *data, const char *call)
{
    if (!gl_check_buffer_range(ctx, b, offset, size, call) || !unmapped(ctx, b, call) || !size)
        return;
    FLUSH_VERTICES(ctx, 0);
    struct drv_transfer *t;
    const void *p = gl_buffer_map_internal(ctx, b, offset, size, DRV_MAP_READ, &t);
    if (!p) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    memcpy(data, p, size);
    gl_buffer_unmap_internal(ctx, t);
}

static void copy_sub_data(struct gl_context *ctx, struct gl_buffer *src, struct gl_buffer *dst,
                          GLintptr readOffset, GLintptr writeOffset, GLsizeiptr size,
                          const char *call)
{
    if (!unmapped(ctx, src, call) || !unmapped(ctx, dst, call) ||
        !gl_check_buffer_range(ctx, src, readOffset, size, call) ||
        !gl_check_buffer_range(ctx, dst, writeOffset, size, call))
        return;
    if (src == dst && readOffset < writeOffset + size && writeOffset < readOffset + size) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(ranges overlap)", call);
        return;
    }
    if (!size)
        return;
    FLUSH_VERTICES(ctx, 0);
    struct drv_box box = {readOffset, 0, 0, size, 1, 1};
    ctx->drv->ops->copy_region(ctx->drv, dst->resource, 0, writeOffset, 0, 0, src->resource, 0,
                               &box);
}

void gl_CopyBufferSubData(GLenum readTarget, GLenum writeTarget, GLintptr readOffset,
                          GLintptr writeOffset, GLsizeiptr size)
{
    GL_CONTEXT(ctx);
    const char *call = "glCopyBufferSubData";
    struct gl_buffer *src = gl_bound_buffer(ctx, readTarget, call);
    struct gl_buffer *dst = src ? gl_bound_buffer(ctx, writeTarget, call) : NULL;
    if (dst)
        copy_sub_data(ctx, src, dst, readOffset, writeOffset, size, call);
}

/* Copies between buffers given by name; `find` is the selector. */
static void copy_named(struct gl_buffer *(*find)(struct gl_context *, GLuint, const char *),
                       GLuint from, GLuint to, GLintptr from_offset, GLintptr to_offset,
                       GLsizeiptr size, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_buffer *src = find(ctx, from, call);
    struct gl_buffer *dst = src ? find(ctx, to, call) : NULL;
    if (dst)
        copy_sub_data(ctx, src, dst, from_offset, to_offset, size, call);
}

void gl_CopyNamedBufferSubData(GLuint readBuffer, GLuint writeBuffer, GLintptr readOffset,
                               GLintptr writeOffset, GLsizeiptr size)
{
    copy_named(gl_named_buffer, readBuffer, writeBuffer, readOffset, writeOffset, size,
               "glCopyNamedBufferSubData");
}

void gl_NamedCopyBufferSubDataEXT(GLuint readBuffer, GLuint writeBuffer, GLintptr readOffset,
                                  GLintptr writeOffset, GLsizeiptr size)
{
    copy_named(gl_get_or_create_buffer, readBuffer, writeBuffer, readOffset, writeOffset, size,
               "glNamedCopyBufferSubDataEXT");
}

/* ---------------------------------------------------------------------------------- mapping --- */

static void *map_range(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                       GLsizeiptr length, GLbitfield access, const char *call)
{
    if (b->map_pointer) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(already mapped)", call);
        return NULL;
    }
    const GLbitfield must =
        GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    if (access & must & ~b->storage_flags) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(access not allowed by the storage)", call);
        return NULL;
    }
    unsigned flags = 0;
    flags |= access & GL_MAP_READ_BIT ? DRV_MAP_READ : 0;
    flags |= access & GL_MAP_WRITE_BIT ? DRV_MAP_WRITE : 0;
    flags |= access & GL_MAP_INVALIDATE_RANGE_BIT ? DRV_MAP_DISCARD_RANGE : 0;
    flags |= access & GL_MAP_INVALIDATE_BUFFER_BIT ? DRV_MAP_DISCARD_WHOLE : 0;
    flags |= access & GL_MAP_FLUSH_EXPLICIT_BIT ? DRV_MAP_FLUSH_EXPLICIT : 0;
    flags |= access & GL_MAP_UNSYNCHRONIZED_BIT ? DRV_MAP_UNSYNCHRONIZED : 0;
    flags |= access & GL_MAP_PERSISTENT_BIT ? DRV_MAP_PERSISTENT : 0;
    flags |= access & GL_MAP_COHERENT_BIT ? DRV_MAP_COHERENT : 0;
    FLUSH_VERTICES(ctx, 0);
    b->map_pointer = gl_buffer_map_internal(ctx, b, offset, length, flags, &b->map_transfer);
    if (!b->map_pointer) {
        b->map_transfer = NULL;
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return NULL;
    }
    b->map_offset = offset;
    b->map_length = length;
    b->map_access = access;
    return b->map_pointer;
}

void *gl_buffer_map_range(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                          GLsizeiptr length, GLbitfield access, const char *call)
{
    if (!gl_check_buffer_range(ctx, b, offset, length, call))
        return NULL;
    if (access & ~MAP_BITS_ALL) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(access=0x%x)", call, access);
        return NULL;
    }
    const GLbitfield no_read =
        GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT | GL_MAP_UNSYNCHRONIZED_BIT;
    if (!length || !(access & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)) ||
        (access & GL_MAP_READ_BIT && access & no_read) ||
        (access & GL_MAP_FLUSH_EXPLICIT_BIT && !(access & GL_MAP_WRITE_BIT))) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(length=%td, access=0x%x)", call, length, access);
        return NULL;
    }
    return map_range(ctx, b, offset, length, access, call);
}

void *gl_buffer_map(struct gl_context *ctx, struct gl_buffer *b, GLenum access, const char *call)
{
    GLbitfield bits = access == GL_READ_ONLY    ? GL_MAP_READ_BIT
                      : access == GL_WRITE_ONLY ? GL_MAP_WRITE_BIT
                      : access == GL_READ_WRITE ? GL_MAP_READ_BIT | GL_MAP_WRITE_BIT
                                                : 0;
    if (!bits || (gl_is_es(ctx) && access != GL_WRITE_ONLY)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(access=%s)", call, gl_enum_name(access));
        return NULL;
    }
    if (!b->size) { /* the length of the mapping would be 0 */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(empty buffer)", call);
        return NULL;
    }
    return map_range(ctx, b, 0, b->size, bits, call);
}

void gl_buffer_flush_range(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                           GLsizeiptr length, const char *call)
{
    if (!b->map_pointer || !(b->map_access & GL_MAP_FLUSH_EXPLICIT_BIT)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(not mapped for explicit flushes)", call);
        return;
    }
    if (offset < 0 || length < 0 || offset > b->map_length || length > b->map_length - offset) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%td, length=%td)", call, offset, length);
        return;
    }
    struct drv_box box = {offset, 0, 0, length, 1, 1};
    if (length)
        ctx->drv->ops->flush_region(ctx->drv, b->map_transfer, &box);
}

GLboolean gl_buffer_unmap(struct gl_context *ctx, struct gl_buffer *b, const char *call)
{
    if (!b->map_pointer) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(not mapped)", call);
        return GL_FALSE;
    }
    FLUSH_VERTICES(ctx, 0);
    unmap(ctx, b);
    return GL_TRUE;
}

/* ---------------------------------------------------------------------------------- queries --- */

static GLenum map_access_enum(GLbitfield access)
{
    GLbitfield rw = access & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT);
    return rw == GL_MAP_READ_BIT    ? GL_READ_ONLY
           : rw == GL_MAP_WRITE_BIT ? GL_WRITE_ONLY
                                    : GL_READ_WRITE;
}

static bool get_parameter(struct gl_context *ctx, const struct gl_buffer *b, GLenum pname,
                          GLint64 *v, const char *call)
{
    switch (pname) {
    case GL_BUFFER_SIZE:
        *v = b->size;
        return true;
    case GL_BUFFER_USAGE:
        *v = b->usage;
        return true;
    case GL_BUFFER_ACCESS:
        *v = b->map_pointer  ? map_access_enum(b->map_access)
             : gl_is_es(ctx) ? GL_WRITE_ONLY
                             : GL_READ_WRITE;
        return true;
    case GL_BUFFER_MAPPED:
        *v = b->map_pointer != NULL;
        return true;
    case GL_BUFFER_ACCESS_FLAGS:
        *v = b->map_access;
        return true;
    case GL_BUFFER_MAP_OFFSET:
        *v = b->map_offset;
        return true;
    case GL_BUFFER_MAP_LENGTH:
        *v = b->map_length;
        return true;
    case GL_BUFFER_IMMUTABLE_STORAGE:
        *v = b->immutable;
        return true;
    case GL_BUFFER_STORAGE_FLAGS:
        *v = b->storage_flags;
        return true;
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return false;
}

void gl_buffer_get_iv(struct gl_context *ctx, const struct gl_buffer *b, GLenum pname,
                      GLint *params, const char *call)
{
    GLint64 v;
    if (get_parameter(ctx, b, pname, &v, call))
        *params = MIN2(v, INT32_MAX);
}

void gl_buffer_get_i64v(struct gl_context *ctx, const struct gl_buffer *b, GLenum pname,
                        GLint64 *params, const char *call)
{
    GLint64 v;
    if (get_parameter(ctx, b, pname, &v, call))
        *params = v;
}

void gl_buffer_get_pointer(struct gl_context *ctx, const struct gl_buffer *b, GLenum pname,
                           void **params, const char *call)
{
    if (pname == GL_BUFFER_MAP_POINTER)
        *params = b->map_pointer;
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

void gl_InvalidateBufferData(GLuint buffer)
{
    GL_CONTEXT(ctx);
    const struct gl_buffer *b = gl_buffer_lookup(ctx, buffer);
    if (!b)
        gl_error(ctx, GL_INVALID_VALUE, "glInvalidateBufferData(buffer=%u)", buffer);
    else
        unmapped(ctx, b, "glInvalidateBufferData");
}

void gl_InvalidateBufferSubData(GLuint buffer, GLintptr offset, GLsizeiptr length)
{
    GL_CONTEXT(ctx);
    const struct gl_buffer *b = gl_buffer_lookup(ctx, buffer);
    if (!b)
        gl_error(ctx, GL_INVALID_VALUE, "glInvalidateBufferSubData(buffer=%u)", buffer);
    else if (gl_check_buffer_range(ctx, b, offset, length, "glInvalidateBufferSubData"))
        gl_check_buffer_range_unmapped(ctx, b, offset, length, "glInvalidateBufferSubData");
}
