/* SPDX-License-Identifier: MIT */
/* Textures that contexts of different APIs share. Images of two processes in one dma-buf, without a DRM device (EGL_MESA_image_dma_buf_export,
 * EGL_EXT_image_dma_buf_import), with the real core. Each process sees what the other draws or
 * uploads, after it has flushed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define EGL_EGLEXT_PROTOTYPES
#define EGL_NO_X11
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

enum { WIDTH = 19, HEIGHT = 11 };                                 /* rows need padding */
enum { RED = 0xff0000ff, GREEN = 0xff00ff00, BLUE = 0xffff0000 }; /* R, G, B, A in memory */

static EGLDisplay dpy;
static EGLContext ctx;
static void (*image_to_texture)(GLenum target, EGLImage image);

/* What the parent tells the child with the file descriptor. */
struct offer {
    int fourcc, stride, offset;
    EGLuint64KHR modifier;
};

/* Called in each process after the fork. Returns false on failure, because the child doesn't use
 * cmocka. */
static bool start(void)
{
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    if (!eglInitialize(dpy, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        return false;
    ctx = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, NULL);
    image_to_texture =
        (void (*)(GLenum, EGLImage))eglGetProcAddress("glEGLImageTargetTexture2DOES");
    return ctx && eglMakeCurrent(dpy, NULL, NULL, ctx);
}

/* Returns a pixel of the texture, read through a framebuffer after it is bound again. */
static uint32_t pixel(GLuint texture, int x, int y)
{
    uint32_t texels[WIDTH * HEIGHT] = {0};

    glFlush();
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    return texels[y * WIDTH + x];
}

/* Returns a pixel of the texture, read through a framebuffer that is bound for reading only. */
static uint32_t read_pixel(GLuint texture, int x, int y)
{
    uint32_t texel = 0;
    GLuint fbo;

    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &texel);
    glDeleteFramebuffers(1, &fbo);
    return texel;
}

static void draw(GLuint texture, uint32_t color)
{
    GLuint fbo;

    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor((color & 0xff) / 255.0f, (color >> 8 & 0xff) / 255.0f,
                 (color >> 16 & 0xff) / 255.0f, 1);
    glEnable(GL_SCISSOR_TEST);
    glScissor(2, 3, 5, 4);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glFinish();
    glDeleteFramebuffers(1, &fbo);
}

static bool send_offer(int socket, const struct offer *offer, int fd)
{
    char control[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec data = {(void *)offer, sizeof *offer};
    struct msghdr m = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    return sendmsg(socket, &m, 0) == sizeof *offer;
}

static int receive_offer(int socket, struct offer *offer)
{
    int fd = -1;
    char control[CMSG_SPACE(sizeof fd)];
    struct iovec data = {offer, sizeof *offer};
    struct msghdr m = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};

    if (recvmsg(socket, &m, 0) == sizeof *offer && CMSG_FIRSTHDR(&m))
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

/* Tells the other process to continue; waits for it. */
static bool pass(int socket)
{
    return write(socket, "", 1) == 1;
}

static bool wait_turn(int socket)
{
    char byte;

    return read(socket, &byte, 1) == 1;
}

/* Returns 0, or the number of the step that failed. */
static int run_child(int socket)
{
    struct offer o;
    const int fd = receive_offer(socket, &o);
    const EGLint attribs[] = {EGL_WIDTH,
                              WIDTH,
                              EGL_HEIGHT,
                              HEIGHT,
                              EGL_LINUX_DRM_FOURCC_EXT,
                              o.fourcc,
                              EGL_DMA_BUF_PLANE0_FD_EXT,
                              fd,
                              EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                              o.offset,
                              EGL_DMA_BUF_PLANE0_PITCH_EXT,
                              o.stride,
                              EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
                              (EGLint)o.modifier,
                              EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
                              (EGLint)(o.modifier >> 32),
                              EGL_NONE};
    EGLImageKHR image;
    GLuint texture;

    if (fd < 0 || !start())
        return 1;
    image = eglCreateImageKHR(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attribs);
    if (!image)
        return 2;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    image_to_texture(GL_TEXTURE_2D, image);
    if (pixel(texture, 0, 0) != RED || pixel(texture, WIDTH - 1, HEIGHT - 1) != RED)
        return 3;
    draw(texture, GREEN);
    if (!pass(socket) || !wait_turn(socket))
        return 4;
    if (read_pixel(texture, 2, 3) != BLUE || pixel(texture, 2, 3) != BLUE ||
        pixel(texture, 0, 0) != RED)
        return 5;
    if (!pass(socket) || !wait_turn(socket))
        return 6;
    if (pixel(texture, 1, 1) != GREEN || pixel(texture, 2, 3) != BLUE)
        return 7;
    return glGetError() == GL_NO_ERROR ? 0 : 8;
}

static void check_export(EGLImageKHR image, struct offer *o, int *fd)
{
    int again;

    o->offset = -1;
    *fd = -1;
    assert_true(eglExportDMABUFImageQueryMESA(dpy, image, &o->fourcc, &again, &o->modifier));
    assert_int_equal(again, 1);
    assert_true(eglExportDMABUFImageMESA(dpy, image, fd, &o->stride, &o->offset));
    assert_true(*fd >= 0 && o->stride >= WIDTH * 4 && o->offset == 0);
    /* each export is a descriptor of the same memory */
    assert_true(eglExportDMABUFImageMESA(dpy, image, &again, NULL, NULL));
    assert_int_not_equal(again, *fd);
    assert_int_equal(lseek(again, 0, SEEK_END), lseek(*fd, 0, SEEK_END));
    close(again);
}

/* Another image of a texture that has been exported is in the same memory. */
static void check_other_image(GLuint texture, const struct offer *first)
{
    EGLImageKHR image =
        eglCreateImageKHR(dpy, ctx, EGL_GL_TEXTURE_2D, (EGLClientBuffer)(uintptr_t)texture, NULL);
    struct offer o;
    int fd;

    assert_non_null(image);
    check_export(image, &o, &fd);
    assert_int_equal(o.fourcc, first->fourcc);
    assert_int_equal(o.stride, first->stride);
    const uint32_t *texels =
        mmap(NULL, (size_t)o.stride * HEIGHT, PROT_READ, MAP_SHARED, fd, o.offset);
    assert_ptr_not_equal(texels, MAP_FAILED);
    glFlush();
    assert_int_equal(texels[(size_t)3 * o.stride / 4 + 2], BLUE);
    munmap((void *)texels, (size_t)o.stride * HEIGHT);
    close(fd);
    assert_true(eglDestroyImageKHR(dpy, image));
}

static void test_two_processes(void **state)
{
    uint32_t texels[WIDTH * HEIGHT];
    EGLImageKHR image;
    struct offer o;
    GLuint texture;
    int ends[2], fd, status;
    pid_t child;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    child = fork();
    assert_int_not_equal(child, -1);
    if (!child) {
        alarm(60);
        _exit(run_child(ends[1]));
    }
    close(ends[1]);
    assert_true(start());
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        texels[i] = RED;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    image =
        eglCreateImageKHR(dpy, ctx, EGL_GL_TEXTURE_2D, (EGLClientBuffer)(uintptr_t)texture, NULL);
    assert_non_null(image);
    check_export(image, &o, &fd);
    assert_true(send_offer(ends[0], &o, fd));
    close(fd);
    assert_true(wait_turn(ends[0]));
    assert_int_equal(pixel(texture, 2, 3), GREEN); /* what the child has drawn */
    assert_int_equal(pixel(texture, 6, 6), GREEN);
    assert_int_equal(pixel(texture, 7, 6), RED);
    draw(texture, BLUE);
    check_other_image(texture, &o);
    assert_true(pass(ends[0]));
    assert_true(wait_turn(ends[0]));
    texels[0] = GREEN;
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glFlush();
    assert_true(eglDestroyImageKHR(dpy, image)); /* the texture keeps the memory */
    assert_true(pass(ends[0]));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteTextures(1, &texture);
    close(ends[0]);
    eglTerminate(dpy);
    eglReleaseThread();
}

/* A flush writes all images that were changed to their memory, however many there are. */
static void test_many_images(void **state)
{
    enum { COUNT = 9 };
    uint32_t texels[WIDTH * HEIGHT] = {0};
    EGLImageKHR image[COUNT];
    GLuint texture[COUNT];
    struct offer o[COUNT];
    int fd[COUNT];

    assert_true(start());
    glGenTextures(COUNT, texture);
    for (unsigned i = 0; i < COUNT; i++) {
        glBindTexture(GL_TEXTURE_2D, texture[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
        image[i] = eglCreateImageKHR(dpy, ctx, EGL_GL_TEXTURE_2D,
                                     (EGLClientBuffer)(uintptr_t)texture[i], NULL);
        assert_non_null(image[i]);
        check_export(image[i], &o[i], &fd[i]);
    }
    glFlush();
    texels[0] = GREEN;
    for (unsigned i = 0; i < COUNT; i++) {
        glBindTexture(GL_TEXTURE_2D, texture[i]);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    }
    glFlush();
    for (unsigned i = 0; i < COUNT; i++) {
        const size_t bytes = (size_t)o[i].stride * HEIGHT;
        uint32_t *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd[i], o[i].offset);

        assert_ptr_not_equal(memory, MAP_FAILED);
        assert_int_equal(memory[0], GREEN);
        munmap(memory, bytes);
        close(fd[i]);
        assert_true(eglDestroyImageKHR(dpy, image[i]));
    }
    glDeleteTextures(COUNT, texture);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    eglTerminate(dpy);
    eglReleaseThread();
}

/* Images that cannot be shared: levels and layers of textures. */
static void test_unshareable(void **state)
{
    const EGLint level[] = {EGL_GL_TEXTURE_LEVEL_KHR, 1, EGL_NONE};
    const EGLint slice[] = {EGL_GL_TEXTURE_ZOFFSET_KHR, 1, EGL_NONE};
    EGLImageKHR image;
    GLuint textures[2];
    int fourcc = 77;

    assert_true(start());
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    for (int i = 0; i < 3; i++)
        glTexImage2D(GL_TEXTURE_2D, i, GL_RGBA8, 4 >> i, 4 >> i, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     NULL);
    glBindTexture(GL_TEXTURE_3D, textures[1]);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    image = eglCreateImageKHR(dpy, ctx, EGL_GL_TEXTURE_2D, (EGLClientBuffer)(uintptr_t)textures[0],
                              level);
    assert_non_null(image);
    assert_false(eglExportDMABUFImageQueryMESA(dpy, image, &fourcc, NULL, NULL));
    assert_int_equal(eglGetError(), EGL_BAD_MATCH);
    assert_true(eglDestroyImageKHR(dpy, image));
    image = eglCreateImageKHR(dpy, ctx, EGL_GL_TEXTURE_3D, (EGLClientBuffer)(uintptr_t)textures[1],
                              slice);
    assert_non_null(image);
    assert_false(eglExportDMABUFImageMESA(dpy, image, &fourcc, NULL, NULL));
    assert_int_equal(eglGetError(), EGL_BAD_MATCH);
    assert_true(eglDestroyImageKHR(dpy, image));
    assert_false(eglExportDMABUFImageMESA(dpy, image, &fourcc, NULL, NULL));
    assert_int_equal(eglGetError(), EGL_BAD_PARAMETER);
    assert_int_equal(fourcc, 77);
    eglTerminate(dpy);
    eglReleaseThread();
}

/* OpenGL and OpenGL ES contexts share objects, whichever API's context comes first. */
static void test_share_between_apis(void **state)
{
    const EGLint es2[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    const uint32_t texels[2] = {RED, GREEN};

    assert_true(start());
    for (int es_first = 0; es_first < 2; es_first++) {
        GLuint texture;
        assert_true(eglBindAPI(es_first ? EGL_OPENGL_ES_API : EGL_OPENGL_API));
        EGLContext first = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, es_first ? es2 : NULL);
        assert_true(eglBindAPI(es_first ? EGL_OPENGL_API : EGL_OPENGL_ES_API));
        EGLContext second = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, first, es_first ? NULL : es2);
        assert_int_equal(eglGetError(), EGL_SUCCESS);
        assert_true(eglMakeCurrent(dpy, NULL, NULL, first));
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        glFinish();
        assert_true(eglMakeCurrent(dpy, NULL, NULL, second));
        assert_true(glIsTexture(texture));
        assert_int_equal(read_pixel(texture, 0, 0), RED);
        assert_int_equal(read_pixel(texture, 1, 0), GREEN);
        glDeleteTextures(1, &texture);
        assert_true(eglMakeCurrent(dpy, NULL, NULL, first));
        assert_false(glIsTexture(texture));
        assert_int_equal(glGetError(), GL_NO_ERROR);
        assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
        assert_true(eglDestroyContext(dpy, first));
        assert_true(eglDestroyContext(dpy, second));
    }
    eglTerminate(dpy);
    eglReleaseThread();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_processes), /* first, because it forks */
        cmocka_unit_test(test_many_images),
        cmocka_unit_test(test_unshareable),
        cmocka_unit_test(test_share_between_apis),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
