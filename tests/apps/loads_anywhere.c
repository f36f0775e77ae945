/* SPDX-License-Identifier: MIT */
/*
 * loads-anywhere LIBRARY…: loads the given libraries (another LLVM, another GL, their libstdc++)
 * with global symbols, then our libEGL.so.1 (the last one), and draws a triangle.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "loads-anywhere: %s: %s\n", what, why ? why : "failed");
    return 1;
}

static void *egl;

static void *proc(const char *name)
{
    PFNEGLGETDISPLAYPROC (*get)(const char *) = dlsym(egl, "eglGetProcAddress");
    return get ? (void *)get(name) : NULL;
}
#define CALL(type, name) ((type)proc(#name))

static GLuint compile(GLenum stage, const char *text)
{
    GLuint shader = CALL(PFNGLCREATESHADERPROC, glCreateShader)(stage);
    CALL(PFNGLSHADERSOURCEPROC, glShaderSource)(shader, 1, &text, NULL);
    CALL(PFNGLCOMPILESHADERPROC, glCompileShader)(shader);
    return shader;
}

static int draw(void)
{
    static const char vs[] = "attribute vec2 p; varying vec2 v;"
                             "void main() { v = p; gl_Position = vec4(p, 0.0, 1.0); }";
    static const char fs[] = "precision mediump float; varying vec2 v;"
                             "void main() { gl_FragColor = vec4(1.0, step(0.0, v.x), 0.5, 1.0); }";
    static const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    unsigned char pixels[16 * 16 * 4];

    EGLDisplay display = CALL(PFNEGLGETPLATFORMDISPLAYPROC, eglGetPlatformDisplay)(
        EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!CALL(PFNEGLINITIALIZEPROC, eglInitialize)(display, NULL, NULL))
        return fail("eglInitialize", NULL);
    const EGLint want[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_ES2_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    CALL(PFNEGLCHOOSECONFIGPROC, eglChooseConfig)(display, want, &config, 1, &count);
    if (count < 1)
        return fail("eglChooseConfig", "no config");
    EGLSurface surface =
        CALL(PFNEGLCREATEPBUFFERSURFACEPROC, eglCreatePbufferSurface)(display, config, size);
    EGLContext context =
        CALL(PFNEGLCREATECONTEXTPROC, eglCreateContext)(display, config, EGL_NO_CONTEXT, version);
    if (!CALL(PFNEGLMAKECURRENTPROC, eglMakeCurrent)(display, surface, surface, context))
        return fail("eglMakeCurrent", NULL);

    const char *renderer = (const char *)CALL(PFNGLGETSTRINGPROC, glGetString)(GL_RENDERER);
    printf("renderer: %s\n", renderer ? renderer : "none");
    if (!renderer || !strstr(renderer, "Indium"))
        return fail("renderer", "not ours");

    GLuint program = CALL(PFNGLCREATEPROGRAMPROC, glCreateProgram)();
    CALL(PFNGLATTACHSHADERPROC, glAttachShader)(program, compile(GL_VERTEX_SHADER, vs));
    CALL(PFNGLATTACHSHADERPROC, glAttachShader)(program, compile(GL_FRAGMENT_SHADER, fs));
    CALL(PFNGLBINDATTRIBLOCATIONPROC, glBindAttribLocation)(program, 0, "p");
    CALL(PFNGLLINKPROGRAMPROC, glLinkProgram)(program);
    CALL(PFNGLUSEPROGRAMPROC, glUseProgram)(program);
    CALL(PFNGLVERTEXATTRIBPOINTERPROC, glVertexAttribPointer)(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    CALL(PFNGLENABLEVERTEXATTRIBARRAYPROC, glEnableVertexAttribArray)(0);
    CALL(PFNGLVIEWPORTPROC, glViewport)(0, 0, 16, 16);
    CALL(PFNGLDRAWARRAYSPROC, glDrawArrays)(GL_TRIANGLES, 0, 3);
    CALL(PFNGLREADPIXELSPROC, glReadPixels)(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    GLenum error = CALL(PFNGLGETERRORPROC, glGetError)();
    if (error != GL_NO_ERROR)
        return fail("glGetError", "an error");
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < 16; x++) {
            const unsigned char *p = pixels + (y * 16 + x) * 4;
            if (p[0] != 255 || p[1] != (x < 8 ? 0 : 255) || p[2] < 127 || p[2] > 128) {
                fprintf(stderr, "pixel %d %d is %d %d %d %d\n", x, y, p[0], p[1], p[2], p[3]);
                return 1;
            }
        }
    }
    CALL(PFNEGLTERMINATEPROC, eglTerminate)(display);
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | (i == argc - 1 ? RTLD_LOCAL : RTLD_GLOBAL));
        if (!library)
            return fail("dlopen", dlerror());
        egl = library;
    }
    return draw();
}
