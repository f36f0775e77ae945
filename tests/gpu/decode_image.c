/* SPDX-License-Identifier: MIT */
/*
 * decode_image IMAGE: prints what Mesa's batch decoder (INTEL_DEBUG=bat) says of an image of GPU
 * memory. Runs on the emulated GPU with Mesa's iris, and is linked to the usual names of the
 * libraries. A buffer of 16 MiB gets the image. When iris starts to flush its second batch, and
 * before it decodes it, the batch is replaced by a jump to the image. The program ends when that
 * batch is submitted. Without IMAGE, prints only the buffer's address, "address 0xfffefee00000".
 *
 * The executable's functions replace those that libraries call: ioctl() and mmap64() learn the
 * buffer's address and where batches are mapped, __fprintf_chk() sees the message of the flush.
 */
#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <gbm.h>
#include <libdrm/i915_drm.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../apps/egl_program.h"

enum { BUFFER = 16 << 20, BATCH = 128 << 10, MAX_MAPS = 256 };

static const uint32_t BATCH_BUFFER_START = 0x18800101; /* 64-bit address, per-process memory */

static struct {
    void *address;
    size_t size;
} maps[MAX_MAPS];
static unsigned num_maps, render_flushes;
static uint32_t buffer; /* handle */
static uint64_t buffer_address;
static bool decoding;

#define EXPORT     __attribute__((visibility("default")))
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void submitted(const struct drm_i915_gem_execbuffer2 *exec)
{
    const struct drm_i915_gem_exec_object2 *objects = (const void *)(uintptr_t)exec->buffers_ptr;

    if (decoding) {
        fflush(NULL);
        _exit(0);
    }
    for (unsigned i = 0; i < exec->buffer_count; i++) {
        if (objects[i].handle == buffer)
            buffer_address = objects[i].offset;
    }
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (request == DRM_IOCTL_I915_GEM_EXECBUFFER2 || request == DRM_IOCTL_I915_GEM_EXECBUFFER2_WR)
        submitted(argument);
    int result = NEXT(ioctl)(fd, request, argument);
    if (!result && request == DRM_IOCTL_I915_GEM_CREATE) {
        const struct drm_i915_gem_create *create = argument;
        if (create->size == BUFFER)
            buffer = create->handle;
    } else if (!result && request == DRM_IOCTL_I915_GEM_CREATE_EXT) {
        const struct drm_i915_gem_create_ext *create = argument;
        if (create->size == BUFFER)
            buffer = create->handle;
    }
    return result;
}

EXPORT void *mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
    void *map = NEXT(mmap64)(address, size, protection, flags, fd, offset);

    if (map != MAP_FAILED && fd >= 0 && size == BATCH && num_maps < MAX_MAPS) {
        maps[num_maps].address = map;
        maps[num_maps++].size = size;
    }
    return map;
}

EXPORT int munmap(void *address, size_t size)
{
    for (unsigned i = 0; i < num_maps; i++) {
        if (maps[i].address == address)
            maps[i--] = maps[--num_maps];
    }
    return NEXT(munmap)(address, size);
}

/* Replaces the first packet of each mapped batch by a jump to the image. */
static void jump(void)
{
    for (unsigned i = 0; i < num_maps; i++) {
        uint32_t *batch = maps[i].address;
        /* 3D commands, and MI_LOAD_REGISTER_IMM. */
        if (batch[0] >> 29 != 3 && batch[0] >> 23 != 0x22)
            continue;
        batch[0] = BATCH_BUFFER_START;
        batch[1] = (uint32_t)buffer_address;
        batch[2] = (uint32_t)(buffer_address >> 32);
        decoding = true;
    }
}

EXPORT int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    va_list list;
    (void)flag;
    if (strstr(format, "batch [%u] flush with")) {
        va_start(list, format);
        (void)va_arg(list, char *);
        (void)va_arg(list, int);
        const char *engine = va_arg(list, char *);
        va_end(list);
        if (strcmp(engine, "render") == 0 && ++render_flushes == 2)
            jump();
    }
    va_start(list, format);
    int result = vfprintf(file, format, list);
    va_end(list);
    return result;
}

/* Makes a context without a surface, and a program that draws to a renderbuffer. */
static void start(void)
{
    GLuint target, framebuffer;
    struct gbm_device *gbm = gbm_create_device(open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC));
    CHECK(gbm);
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, gbm, NULL);
    CHECK(eglInitialize(display, NULL, NULL));
    CHECK(eglBindAPI(EGL_OPENGL_ES_API));
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    CHECK(context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    glGenRenderbuffers(1, &target);
    glBindRenderbuffer(GL_RENDERBUFFER, target);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 64, 64);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target);
    egl_program_create("attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
                       "void main() { gl_FragColor = vec4(1); }", "p", NULL);
}

int main(int argc, char **argv)
{
    GLuint name;

    start();
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    PFNGLBUFFERSTORAGEEXTPROC storage =
        (PFNGLBUFFERSTORAGEEXTPROC)eglGetProcAddress("glBufferStorageEXT");
    const GLbitfield access =
        GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    storage(GL_ARRAY_BUFFER, BUFFER, NULL, access);
    void *memory = glMapBufferRange(GL_ARRAY_BUFFER, 0, BUFFER, access);
    CHECK(memory);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
    printf("address %#llx\n", (unsigned long long)buffer_address & 0xffffffffffff);
    if (argc < 2)
        return 0;
    FILE *image = fopen(argv[1], "rbe");
    CHECK(image && fread(memory, 1, BUFFER, image) > 0);
    fclose(image);
    fflush(stdout);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
    fprintf(stderr, "decode_image: iris did not decode the image\n");
    return 1;
}
