/* SPDX-License-Identifier: MIT */
/*
 * Program for a display without a window system: opens /dev/dri/card0 (emulated by src/gpu),
 * draws with EGL on GBM, sets the mode and flips pages. Linked to the usual names of the libraries,
 * so the environment decides which implementation is used. Uses the EGL display of the device, or
 * the default display if EGL_PLATFORM is set. Prints GL_RENDERER. The argument names the scene.
 */
#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <fcntl.h>
#include <gbm.h>
#include <libdrm/drm.h>
#include <libdrm/drm_fourcc.h>
#include <libdrm/drm_mode.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "egl_program.h"

enum { WIDTH = 320, HEIGHT = 240, SIDE = 64 };

static int card;
static uint32_t crtc, connector;
static struct gbm_device *gbm;
static EGLDisplay display;
static EGLConfig config;
static EGLContext context;

/* ------------------------------------------------------------------------------- display --- */

static uint32_t framebuffer_of(struct gbm_bo *bo)
{
    struct drm_mode_fb_cmd2 fb = {
        .width = gbm_bo_get_width(bo),
        .height = gbm_bo_get_height(bo),
        .pixel_format = gbm_bo_get_format(bo),
        .handles = {gbm_bo_get_handle(bo).u32},
        .pitches = {gbm_bo_get_stride(bo)},
    };

    CHECK(ioctl(card, DRM_IOCTL_MODE_ADDFB2, &fb) == 0);
    return fb.fb_id;
}

static void set_mode(uint32_t fb)
{
    struct drm_mode_modeinfo mode;
    struct drm_mode_card_res resources = {.crtc_id_ptr = (uintptr_t)&crtc,
                                          .count_crtcs = 1,
                                          .connector_id_ptr = (uintptr_t)&connector,
                                          .count_connectors = 1};
    struct drm_mode_get_connector get = {.count_modes = 1, .modes_ptr = (uintptr_t)&mode};
    struct drm_mode_crtc set = {.fb_id = fb,
                                .set_connectors_ptr = (uintptr_t)&connector,
                                .count_connectors = 1,
                                .mode_valid = 1};

    CHECK(ioctl(card, DRM_IOCTL_MODE_GETRESOURCES, &resources) == 0);
    get.connector_id = connector;
    CHECK(ioctl(card, DRM_IOCTL_MODE_GETCONNECTOR, &get) == 0 && get.count_modes == 1);
    CHECK(mode.hdisplay == WIDTH && mode.vdisplay == HEIGHT);
    set.crtc_id = crtc;
    set.mode = mode;
    CHECK(ioctl(card, DRM_IOCTL_MODE_SETCRTC, &set) == 0);
}

static void flip(uint32_t fb)
{
    struct drm_mode_crtc_page_flip f = {
        .crtc_id = crtc, .fb_id = fb, .flags = DRM_MODE_PAGE_FLIP_EVENT, .user_data = fb};
    struct drm_event_vblank event;

    CHECK(ioctl(card, DRM_IOCTL_MODE_PAGE_FLIP, &f) == 0);
    CHECK(read(card, &event, sizeof event) == sizeof event && event.user_data == fb);
}

/* -------------------------------------------------------------------------------- drawing --- */

static const char vertex_text[] =
    "attribute vec2 at;\n"
    "varying vec2 v;\n"
    "uniform float turn;\n"
    "void main() {\n"
    "    float c = cos(turn), s = sin(turn);\n"
    "    v = at * 0.5 + 0.5;\n"
    "    gl_Position = vec4(mat2(c, s, -s, c) * at * 0.9, 0.0, 1.0);\n"
    "}\n";

static GLuint program(const char *fragment_text)
{
    return egl_program_create(vertex_text, fragment_text, "at", NULL);
}

/* Draws a quad over most of the viewport. */
static void quad(GLuint p, float turn)
{
    static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};

    glUniform1f(glGetUniformLocation(p, "turn"), turn);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glClearColor(0.1f, 0.2f, 0.3f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(glGetError() == GL_NO_ERROR);
}

static const char colors_text[] = "precision mediump float;\n"
                                  "varying vec2 v;\n"
                                  "void main() { gl_FragColor = vec4(v, 1.0 - v.x, 1.0); }\n";

static const char external_text[] = "#extension GL_OES_EGL_image_external : require\n"
                                    "precision mediump float;\n"
                                    "varying vec2 v;\n"
                                    "uniform samplerExternalOES t;\n"
                                    "void main() { gl_FragColor = texture2D(t, v); }\n";

static const char texture_text[] = "precision mediump float;\n"
                                   "varying vec2 v;\n"
                                   "uniform sampler2D t;\n"
                                   "void main() { gl_FragColor = texture2D(t, v); }\n";

/* --------------------------------------------------------------------------- EGL on GBM --- */

static void choose_config(void)
{
    const EGLint want[] = {
        EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_RED_SIZE, 8,
        EGL_NONE};
    EGLConfig configs[256];
    EGLint n = 0, id = 0;

    CHECK(eglChooseConfig(display, want, configs, 256, &n));
    for (EGLint i = 0; i < n && id != GBM_FORMAT_XRGB8888; i++) {
        config = configs[i];
        eglGetConfigAttrib(display, config, EGL_NATIVE_VISUAL_ID, &id);
    }
    CHECK(id == GBM_FORMAT_XRGB8888);
}

static void open_display(void)
{
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};

    card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    CHECK(card >= 0);
    gbm = gbm_create_device(card);
    CHECK(gbm);
    display = getenv("EGL_PLATFORM") ? eglGetDisplay(EGL_DEFAULT_DISPLAY)
                                     : eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, gbm, NULL);
    CHECK(display && eglInitialize(display, NULL, NULL));
    choose_config();
    eglBindAPI(EGL_OPENGL_ES_API);
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    CHECK(context);
}

/* Draws four frames to a surface, flipping to each buffer; the last one stays. draw: draws a
 * frame. */
static void run_surface(void (*draw)(int frame))
{
    struct gbm_surface *window = gbm_surface_create(gbm, WIDTH, HEIGHT, GBM_FORMAT_XRGB8888,
                                                    GBM_BO_USE_SCANOUT | GBM_BO_USE_RENDERING);
    struct gbm_bo *bo = NULL;
    uint32_t last = 0;
    EGLSurface surface;

    CHECK(window);
    surface = eglCreatePlatformWindowSurface(display, config, window, NULL);
    CHECK(surface && eglMakeCurrent(display, surface, surface, context));
    printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));
    for (int frame = 0; frame < 4; frame++) {
        struct gbm_bo *next;
        uint32_t fb;

        draw(frame);
        CHECK(eglSwapBuffers(display, surface));
        next = gbm_surface_lock_front_buffer(window);
        CHECK(next && next != bo);
        fb = framebuffer_of(next);
        if (frame == 0)
            set_mode(fb);
        else
            flip(fb);
        if (bo) {
            CHECK(ioctl(card, DRM_IOCTL_MODE_RMFB, &last) == 0);
            gbm_surface_release_buffer(window, bo);
            CHECK(gbm_surface_has_free_buffers(window));
        }
        bo = next;
        last = fb;
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(display, surface);
    gbm_surface_release_buffer(window, bo);
    gbm_surface_destroy(window);
}

static GLuint drawing;

static void draw_colors(int frame)
{
    /* the initial viewport is that of the window */
    if (!drawing)
        drawing = program(colors_text);
    quad(drawing, (float)frame * 0.2f);
}

/* ------------------------------------------------------------------------- buffers of GBM --- */

static EGLImage import(int fd, uint32_t fourcc, int width, int height, int planes,
                       const int *strides, const int *offsets)
{
    static const EGLAttrib names[][3] = {
        {EGL_DMA_BUF_PLANE0_FD_EXT, EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT},
        {EGL_DMA_BUF_PLANE1_FD_EXT, EGL_DMA_BUF_PLANE1_OFFSET_EXT, EGL_DMA_BUF_PLANE1_PITCH_EXT},
        {EGL_DMA_BUF_PLANE2_FD_EXT, EGL_DMA_BUF_PLANE2_OFFSET_EXT, EGL_DMA_BUF_PLANE2_PITCH_EXT},
    };
    EGLAttrib attribs[32] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_LINUX_DRM_FOURCC_EXT,
                             fourcc};
    unsigned n = 6;
    EGLImage image;

    for (int p = 0; p < planes; p++) {
        const EGLAttrib values[] = {fd, offsets[p], strides[p]};

        for (int i = 0; i < 3; i++) {
            attribs[n++] = names[p][i];
            attribs[n++] = values[i];
        }
    }
    attribs[n] = EGL_NONE;
    image = eglCreateImage(display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attribs);
    CHECK(image);
    return image;
}

/* Shows the image through a texture after destroying its handle. */
static void show_image(GLenum target, EGLImage image)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    ((PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress("glEGLImageTargetTexture2DOES"))(target,
                                                                                             image);
    CHECK(glGetError() == GL_NO_ERROR);
    eglDestroyImage(display, image);
}

static struct gbm_bo *shared;

static void write_checker(uint32_t a, uint32_t b)
{
    void *data = NULL;
    uint32_t stride;
    uint8_t *map = gbm_bo_map(shared, 0, 0, SIDE, SIDE, GBM_BO_TRANSFER_WRITE, &stride, &data);

    CHECK(map);
    for (unsigned y = 0; y < SIDE; y++) {
        for (unsigned x = 0; x < SIDE; x++)
            ((uint32_t *)(map + y * stride))[x] = (x / 8 + y / 8) % 2 ? a : b;
    }
    gbm_bo_unmap(shared, data);
}

static EGLImage import_shared(void)
{
    int fd = gbm_bo_get_fd(shared), stride = gbm_bo_get_stride(shared), offset = 0;
    EGLImage image;

    CHECK(fd >= 0);
    image = import(fd, gbm_bo_get_format(shared), SIDE, SIDE, 1, &stride, &offset);
    close(fd);
    return image;
}

/* Frames of a buffer written by others: binding the texture again shows the new contents. */
static void draw_external(int frame)
{
    static const uint32_t colors[] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffff00};

    if (!drawing) {
        shared = gbm_bo_create(gbm, SIDE, SIDE, GBM_FORMAT_XRGB8888,
                               GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR);
        CHECK(shared);
        drawing = program(external_text);
        write_checker(0xff123456, 0xff654321);
        show_image(GL_TEXTURE_EXTERNAL_OES, import_shared());
    }
    glFinish();
    write_checker(colors[frame], 0xff808080);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, 1);
    glViewport(0, 0, WIDTH, HEIGHT);
    quad(drawing, (float)frame * 0.2f);
}

/* Draws into the shared buffer through a framebuffer object, then copies its memory to a texture
 * and draws that. */
static void draw_render(int frame)
{
    static GLuint fbo, inner, plain;
    static uint32_t copy[SIDE * SIDE];
    uint32_t stride;
    void *data = NULL;
    const uint8_t *map;

    if (!drawing) {
        shared = gbm_bo_create(gbm, SIDE, SIDE, GBM_FORMAT_ABGR8888, GBM_BO_USE_RENDERING);
        CHECK(shared);
        inner = program(colors_text);
        drawing = program(texture_text);
        show_image(GL_TEXTURE_2D, import_shared());
        glGenFramebuffers(1, &fbo);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 1, 0);
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glGenTextures(1, &plain);
        glBindTexture(GL_TEXTURE_2D, plain);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glUseProgram(inner);
    glViewport(0, 0, SIDE, SIDE);
    quad(inner, (float)frame * -0.3f);
    glFinish();
    map = gbm_bo_map(shared, 0, 0, SIDE, SIDE, GBM_BO_TRANSFER_READ, &stride, &data);
    CHECK(map);
    for (unsigned y = 0; y < SIDE; y++)
        memcpy(copy + y * SIDE, map + y * stride, SIDE * 4);
    gbm_bo_unmap(shared, data);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glUseProgram(drawing);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, copy);
    glViewport(0, 0, WIDTH, HEIGHT);
    quad(drawing, (float)frame * 0.2f);
}

/* A Y'CbCr image: luma increases to the right, chroma changes per quadrant. */
static uint8_t luma(unsigned x)
{
    return 16 + x * 3;
}

static uint8_t chroma(unsigned x, unsigned y, bool red)
{
    return red ? (y < SIDE / 2 ? 90 : 170) : (x < SIDE / 2 ? 100 : 150);
}

static uint8_t clamped(double v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)(v + 0.5);
}

/* The same image, converted on the CPU (ITU-R BT.601, limited range). */
static void draw_converted(int frame)
{
    if (!drawing) {
        static uint8_t texels[SIDE * SIDE][4];
        GLuint texture;

        for (unsigned i = 0; i < SIDE * SIDE; i++) {
            unsigned x = i % SIDE, y = i / SIDE;
            double l = (luma(x) - 16) * 255.0 / 219, b = (chroma(x, y, false) - 128) * 255.0 / 224,
                   r = (chroma(x, y, true) - 128) * 255.0 / 224;

            texels[i][0] = clamped(l + 1.402 * r);
            texels[i][1] = clamped(l - 0.344136 * b - 0.714136 * r);
            texels[i][2] = clamped(l + 1.772 * b);
            texels[i][3] = 255;
        }
        drawing = program(texture_text);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    }
    glViewport(0, 0, WIDTH, HEIGHT);
    quad(drawing, (float)frame * 0.2f);
}

static void draw_nv12(int frame)
{
    if (!drawing) {
        int strides[2], offsets[2], fd;
        uint32_t stride;
        void *data = NULL;
        uint8_t *map;

        /* memory for the planes; the format doesn't matter */
        shared = gbm_bo_create(gbm, SIDE / 4, SIDE * 3 / 2, GBM_FORMAT_XRGB8888,
                               GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR);
        CHECK(shared);
        map =
            gbm_bo_map(shared, 0, 0, SIDE / 4, SIDE * 3 / 2, GBM_BO_TRANSFER_WRITE, &stride, &data);
        CHECK(map);
        for (unsigned y = 0; y < SIDE * 3 / 2; y++) {
            for (unsigned x = 0; x < SIDE; x++)
                map[y * stride + x] = y < SIDE ? luma(x) : chroma(x, (y - SIDE) * 2, x % 2);
        }
        gbm_bo_unmap(shared, data);
        fd = gbm_bo_get_fd(shared);
        strides[0] = strides[1] = stride;
        offsets[0] = 0;
        offsets[1] = SIDE * stride;
        drawing = program(external_text);
        show_image(GL_TEXTURE_EXTERNAL_OES,
                   import(fd, DRM_FORMAT_NV12, SIDE, SIDE, 2, strides, offsets));
        close(fd);
    }
    glViewport(0, 0, WIDTH, HEIGHT);
    quad(drawing, (float)frame * 0.2f);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*draw)(int frame);
    } scenes[] = {
        {"colors", draw_colors}, {"external", draw_external},   {"render", draw_render},
        {"nv12", draw_nv12},     {"converted", draw_converted},
    };

    for (unsigned i = 0; argc == 2 && i < sizeof scenes / sizeof *scenes; i++) {
        if (strcmp(argv[1], scenes[i].name) != 0)
            continue;
        open_display();
        run_surface(scenes[i].draw);
        if (shared)
            gbm_bo_destroy(shared);
        eglDestroyContext(display, context);
        eglTerminate(display);
        gbm_device_destroy(gbm);
        close(card);
        return 0;
    }
    fprintf(stderr, "usage: kms colors|external|render|nv12|converted\n");
    return 2;
}
