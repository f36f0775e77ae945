/* SPDX-License-Identifier: MIT */
/*
 * Semaphores (EXT_semaphore), imported from file descriptors (EXT_semaphore_fd).
 *
 * An opaque descriptor refers to a file of memfd_create() with MFD_ALLOW_SEALING. The 32-bit
 * integer at its start is the semaphore: nonzero if it is signaled. To signal it, a process
 * atomically stores 1 and calls FUTEX_WAKE; to wait for it, a process atomically exchanges it with
 * 0 and calls FUTEX_WAIT while it was 0. A file has two advantages over an eventfd: no system call
 * on it can block without a time limit, whatever other owners do, and its seal keeps accesses
 * valid.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gl/api/gl_core.h"
#include "gl/api/gl_semaphore.h"
#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_share.h"
#include "gl_entry.h"
#include "util/mapping.h"
#include "util/os_clock.h"
#include "util/refcount.h"

/* The longest wait for a signal. The application must have submitted the signal before the wait, so
 * a longer wait means that the other process failed. */
#define WAIT_SECONDS 10

struct gl_semaphore {
    int refcount;    /* atomic */
    uint32_t *value; /* mapped; nonzero: signaled */
    size_t mapped;   /* bytes of the mapping */
};

/* ---------------------------------------------------------------------------------- objects --- */

static void release(struct gl_semaphore *s)
{
    if (!ref_drop(&s->refcount))
        return;
    munmap(s->value, s->mapped);
    free(s);
}

static void release_named(GLuint name, void *object, void *data)
{
    release(object);
}

void gl_semaphores_finish_shared(struct gl_shared *shared)
{
    gl_names_foreach(&shared->semaphores, release_named, NULL);
    gl_names_finish(&shared->semaphores);
}

void gl_GenSemaphoresEXT(GLsizei n, GLuint *semaphores)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenSemaphoresEXT(n=%d)", n);
    else if (!gl_names_gen(&ctx->shared->semaphores, n, false, semaphores))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenSemaphoresEXT");
}

void gl_DeleteSemaphoresEXT(GLsizei n, const GLuint *semaphores)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteSemaphoresEXT(n=%d)", n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        struct gl_semaphore *s = gl_names_remove(&ctx->shared->semaphores, semaphores[i]);
        if (s)
            release(s);
    }
}

GLboolean gl_IsSemaphoreEXT(GLuint semaphore)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(&ctx->shared->semaphores, semaphore) != NULL;
}

/* Returns whether the name was generated; raises an error otherwise. */
static bool is_name(struct gl_context *ctx, GLuint name, const char *call)
{
    if (gl_names_is_used(&ctx->shared->semaphores, name))
        return true;
    gl_error(ctx, GL_INVALID_VALUE, "%s(semaphore=%u)", call, name);
    return false;
}

/* No semaphore that is imported from a descriptor has parameters. */
static void no_parameter(GLenum pname, const char *call)
{
    GL_CONTEXT(ctx);
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

void gl_SemaphoreParameterui64vEXT(GLuint semaphore, GLenum pname, const GLuint64 *params)
{
    no_parameter(pname, "glSemaphoreParameterui64vEXT");
}

void gl_GetSemaphoreParameterui64vEXT(GLuint semaphore, GLenum pname, GLuint64 *params)
{
    no_parameter(pname, "glGetSemaphoreParameterui64vEXT");
}

/* ----------------------------------------------------------------------------------- import --- */

/* Maps the integer at the start of a file that can't shrink. Stores the number of mapped bytes in
 * *mapped. Returns NULL on failure. */
static uint32_t *map_value(int fd, size_t *mapped)
{
    struct stat stat;
    const int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || fstat(fd, &stat) || stat.st_size < (off_t)sizeof(uint32_t) ||
        (!(seals & F_SEAL_SHRINK) && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK)) || fstat(fd, &stat) ||
        stat.st_size < (off_t)sizeof(uint32_t))
        return NULL;
    return map_shared_file(fd, sizeof(uint32_t), mapped);
}

void gl_ImportSemaphoreFdEXT(GLuint semaphore, GLenum handleType, GLint fd)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glImportSemaphoreFdEXT";
    if (handleType != GL_HANDLE_TYPE_OPAQUE_FD_EXT) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(handleType=%s)", call, gl_enum_name(handleType));
        return;
    }
    if (!is_name(ctx, semaphore, call))
        return;
    if (gl_names_lookup(&ctx->shared->semaphores, semaphore)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(semaphore %u was imported)", call, semaphore);
        return;
    }
    size_t mapped;
    uint32_t *value = map_value(fd, &mapped);
    if (!value) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(fd=%d is not a semaphore)", call, fd);
        return;
    }
    struct gl_semaphore *s = malloc(sizeof *s);
    if (s)
        *s = (struct gl_semaphore){1, value, mapped};
    if (!s || !gl_names_insert(&ctx->shared->semaphores, semaphore, s)) {
        munmap(value, mapped);
        free(s);
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    close(fd); /* a successful import transfers ownership to the GL */
}

/* ---------------------------------------------------------------------- waits and signals --- */

static bool is_layout(GLenum layout)
{
    return layout == GL_NONE ||
           (layout >= GL_LAYOUT_GENERAL_EXT && layout <= GL_LAYOUT_TRANSFER_DST_EXT) ||
           layout == GL_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_EXT ||
           layout == GL_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_EXT;
}

/* Checks the arguments of a wait or signal. Returns the semaphore, with a reference, or NULL after
 * raising an error. Layouts have no effect: images in memory objects have only one. */
static struct gl_semaphore *check(struct gl_context *ctx, GLuint semaphore, GLuint num_buffers,
                                  const GLuint *buffers, GLuint num_textures,
                                  const GLuint *textures, const GLenum *layouts, const char *call)
{
    struct gl_semaphore *s = gl_names_lookup(&ctx->shared->semaphores, semaphore);
    if (!s) {
        if (is_name(ctx, semaphore, call))
            gl_error(ctx, GL_INVALID_OPERATION, "%s(semaphore %u was not imported)", call,
                     semaphore);
        return NULL;
    }
    for (GLuint i = 0; i < num_buffers; i++) {
        if (!gl_names_lookup(&ctx->shared->buffers, buffers[i])) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(buffer %u)", call, buffers[i]);
            return NULL;
        }
    }
    for (GLuint i = 0; i < num_textures; i++) {
        if (!gl_names_lookup(&ctx->shared->textures, textures[i])) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(texture %u)", call, textures[i]);
            return NULL;
        }
        if (!is_layout(layouts[i])) {
            gl_error(ctx, GL_INVALID_ENUM, "%s(layout=%s)", call, gl_enum_name(layouts[i]));
            return NULL;
        }
    }
    __atomic_add_fetch(&s->refcount, 1, __ATOMIC_RELAXED);
    return s;
}

/* Waits until the semaphore is signaled, but at most WAIT_SECONDS, and resets it. */
static void wait_for(struct gl_semaphore *s)
{
    const uint64_t end = os_clock() + WAIT_SECONDS * UINT64_C(1000000000);
    while (!__atomic_exchange_n(s->value, 0, __ATOMIC_ACQUIRE)) {
        const uint64_t now = os_clock();
        if (now >= end)
            return;
        const struct timespec left = os_clock_timespec(end - now);
        syscall(SYS_futex, s->value, FUTEX_WAIT, 0, &left, NULL, 0);
    }
}

void gl_WaitSemaphoreEXT(GLuint semaphore, GLuint numBufferBarriers, const GLuint *buffers,
                         GLuint numTextureBarriers, const GLuint *textures,
                         const GLenum *srcLayouts)
{
    GL_CONTEXT(ctx);
    struct gl_semaphore *s = check(ctx, semaphore, numBufferBarriers, buffers, numTextureBarriers,
                                   textures, srcLayouts, "glWaitSemaphoreEXT");
    if (!s)
        return;
    gl_context_flush(ctx, false); /* what the other process may wait for */
    gl_share_pause(ctx);
    wait_for(s);
    gl_share_resume(ctx);
    release(s);
}

void gl_SignalSemaphoreEXT(GLuint semaphore, GLuint numBufferBarriers, const GLuint *buffers,
                           GLuint numTextureBarriers, const GLuint *textures,
                           const GLenum *dstLayouts)
{
    GL_CONTEXT(ctx);
    struct gl_semaphore *s = check(ctx, semaphore, numBufferBarriers, buffers, numTextureBarriers,
                                   textures, dstLayouts, "glSignalSemaphoreEXT");
    if (!s)
        return;
    gl_context_flush(ctx, true);
    __atomic_store_n(s->value, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, s->value, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
    release(s);
}
