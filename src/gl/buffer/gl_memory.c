/* SPDX-License-Identifier: MIT */
/*
 * Memory objects, and the UUIDs of device and driver (EXT_memory_object). Memory is imported from
 * file descriptors (EXT_memory_object_fd). An opaque descriptor refers to a file that can be
 * mapped, such as one of memfd_create or a dma-buf. Processes that share images must have the same
 * device and driver UUIDs.
 */
#include "gl/buffer/gl_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gl/context/gl_context.h"
#include "gl_entry.h"
#include "util/build_id.h"
#include "util/mapping.h"

struct gl_memory_object {
    GLint dedicated, is_protected; /* set by the application; GL_TRUE or GL_FALSE */
    struct drv_memory *memory;     /* NULL: nothing imported yet */
};

/* ---------------------------------------------------------------------------------- objects --- */

static bool make_object(struct gl_context *ctx, GLuint name, GLenum target)
{
    struct gl_memory_object *m = calloc(1, sizeof *m);
    if (m && gl_names_insert(&ctx->shared->memory_objects, name, m))
        return true;
    free(m);
    return false;
}

static void destroy_object(struct gl_memory_object *m)
{
    drv_memory_reference(&m->memory, NULL);
    free(m);
}

static void destroy_named(GLuint name, void *object, void *data)
{
    destroy_object(object);
}

void gl_memory_finish_shared(struct gl_shared *shared)
{
    gl_names_foreach(&shared->memory_objects, destroy_named, NULL);
    gl_names_finish(&shared->memory_objects);
}

void gl_CreateMemoryObjectsEXT(GLsizei n, GLuint *memoryObjects)
{
    GL_CONTEXT(ctx);
    gl_names_create(ctx, &ctx->shared->memory_objects, n, memoryObjects, make_object, 0,
                    gl_DeleteMemoryObjectsEXT, "glCreateMemoryObjectsEXT");
}

void gl_DeleteMemoryObjectsEXT(GLsizei n, const GLuint *memoryObjects)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteMemoryObjectsEXT(n=%d)", n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        struct gl_memory_object *m =
            gl_names_remove(&ctx->shared->memory_objects, memoryObjects[i]);
        if (m)
            destroy_object(m);
    }
}

GLboolean gl_IsMemoryObjectEXT(GLuint memoryObject)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(&ctx->shared->memory_objects, memoryObject) != NULL;
}

/* Returns the memory object of a name. NULL: an error was raised. */
static struct gl_memory_object *find(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_memory_object *m = gl_names_lookup(&ctx->shared->memory_objects, name);
    if (!m)
        gl_error(ctx, GL_INVALID_VALUE, "%s(memory=%u)", call, name);
    return m;
}

/* Returns the location of a parameter. NULL: an error was raised. */
static GLint *parameter(struct gl_context *ctx, struct gl_memory_object *m, GLenum pname,
                        const char *call)
{
    switch (pname) {
    case GL_DEDICATED_MEMORY_OBJECT_EXT:
        return &m->dedicated;
    case GL_PROTECTED_MEMORY_OBJECT_EXT:
        return &m->is_protected;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
        return NULL;
    }
}

void gl_MemoryObjectParameterivEXT(GLuint memoryObject, GLenum pname, const GLint *params)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glMemoryObjectParameterivEXT";
    struct gl_memory_object *m = find(ctx, memoryObject, call);
    GLint *where = m ? parameter(ctx, m, pname, call) : NULL;
    if (where && m->memory)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(memory %u was imported)", call, memoryObject);
    else if (where)
        *where = params[0] != 0;
}

void gl_GetMemoryObjectParameterivEXT(GLuint memoryObject, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glGetMemoryObjectParameterivEXT";
    struct gl_memory_object *m = find(ctx, memoryObject, call);
    const GLint *where = m ? parameter(ctx, m, pname, call) : NULL;
    if (where)
        *params = *where;
}

/* ----------------------------------------------------------------------------------- import --- */

/* Imported memory. */
struct file_memory {
    struct drv_memory base; /* first */
    size_t mapped;          /* bytes of the mapping */
};

static void unmap(struct drv_memory *memory)
{
    struct file_memory *m = (struct file_memory *)memory;
    munmap(memory->data, m->mapped);
    free(m);
}

/* Maps the first size bytes of a file. Returns NULL and sets *error on failure. */
static struct drv_memory *map_file(int fd, GLuint64 size, GLenum *error)
{
    struct stat stat;
    *error = GL_INVALID_VALUE;
    if (!size || size > INT64_MAX || fstat(fd, &stat) ||
        (S_ISREG(stat.st_mode) && (GLuint64)stat.st_size < size))
        return NULL;
    *error = GL_OUT_OF_MEMORY;
    struct file_memory *m = malloc(sizeof *m);
    void *data = m ? map_shared_file(fd, size, &m->mapped) : NULL;
    if (!data) {
        free(m);
        return NULL;
    }
    /* Prevent other owners from shrinking the file, because accessing the removed pages would raise
     * SIGBUS. Not every file supports seals. */
    (void)!fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
    m->base = (struct drv_memory){1, data, size, unmap};
    return &m->base;
}

void gl_ImportMemoryFdEXT(GLuint memory, GLuint64 size, GLenum handleType, GLint fd)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glImportMemoryFdEXT";
    GLenum error;
    if (handleType != GL_HANDLE_TYPE_OPAQUE_FD_EXT) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(handleType=%s)", call, gl_enum_name(handleType));
        return;
    }
    struct gl_memory_object *m = find(ctx, memory, call);
    if (!m)
        return;
    if (m->memory) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(memory %u was imported)", call, memory);
        return;
    }
    m->memory = map_file(fd, size, &error);
    if (!m->memory)
        gl_error(ctx, error, "%s(size=%llu, fd=%d)", call, (unsigned long long)size, fd);
    else
        close(fd); /* a successful import transfers ownership to the GL */
}

/* -------------------------------------------------------------------------------- resources --- */

struct drv_resource *gl_memory_resource(struct gl_context *ctx, const struct drv_resource *templ,
                                        const struct gl_memory_location *place, const char *call)
{
    const struct drv_screen_ops *ops = ctx->screen->ops;
    struct gl_memory_object *m = find(ctx, place->memory, call);
    if (!m)
        return NULL;
    if (!m->memory) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(memory %u is empty)", call, place->memory);
        return NULL;
    }
    uint64_t bytes = ops->resource_bytes(ctx->screen, templ), size = m->memory->size;
    if (!bytes) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(nothing to lie in memory objects)", call);
        return NULL;
    }
    uint64_t alignment = templ->target == DRV_BUFFER ? 4 : DRV_MEMORY_ALIGNMENT;
    if (place->offset % alignment || place->offset > size || bytes > size - place->offset) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%llu, %llu bytes of %llu)", call,
                 (unsigned long long)place->offset, (unsigned long long)bytes,
                 (unsigned long long)size);
        return NULL;
    }
    struct drv_resource *r = ops->resource_create_in(ctx->screen, templ, m->memory, place->offset);
    if (!r)
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return r;
}

/* --------------------------------------------------------------------------------- identity --- */

/* Screens with the same number have the same image layouts. */
static void write_uuid(GLubyte uuid[GL_UUID_SIZE_EXT], uint64_t number)
{
    static const char name[8] = "Indium";
    memcpy(uuid, name, sizeof name);
    memcpy(uuid + sizeof name, &number, sizeof number);
}

static bool get_uuid(const struct gl_context *ctx, GLenum pname, GLubyte *data)
{
    uint64_t build = 0;
    if (pname != GL_DRIVER_UUID_EXT && pname != GL_DEVICE_UUID_EXT)
        return false;
    util_build_id(&build);
    write_uuid(data, pname == GL_DRIVER_UUID_EXT ? build : ctx->screen->device_id);
    return true;
}

void gl_GetUnsignedBytevEXT(GLenum pname, GLubyte *data)
{
    GL_CONTEXT(ctx);
    if (!get_uuid(ctx, pname, data))
        gl_error(ctx, GL_INVALID_ENUM, "glGetUnsignedBytevEXT(pname=%s)", gl_enum_name(pname));
}

void gl_GetUnsignedBytei_vEXT(GLenum target, GLuint index, GLubyte *data)
{
    GL_CONTEXT(ctx);
    if (target != GL_DEVICE_UUID_EXT)
        gl_error(ctx, GL_INVALID_ENUM, "glGetUnsignedBytei_vEXT(target=%s)", gl_enum_name(target));
    else if (index)
        gl_error(ctx, GL_INVALID_VALUE, "glGetUnsignedBytei_vEXT(index=%u)", index);
    else
        get_uuid(ctx, target, data);
}
