/* SPDX-License-Identifier: MIT */
/* Helpers of programs that draw with EGL and OpenGL ES 2. On errors they exit with a message. */
#ifndef EGL_PROGRAM_H
#define EGL_PROGRAM_H

#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <stdio.h>
#include <stdlib.h>

/* Exits if the expression is false. */
#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: %s (EGL 0x%x)\n", __FILE__, __LINE__, #what, eglGetError());   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Returns a compiled shader. */
static inline GLuint egl_program_shader(GLenum type, const char *text)
{
    const GLuint shader = glCreateShader(type);
    GLint ok = 0;
    char log[512];

    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        fprintf(stderr, "%s\n", log);
        exit(1);
    }
    return shader;
}

/* Links and uses a program. The named attributes get the locations 0 and 1. attribute1 may be
 * NULL. */
static inline GLuint egl_program_create(const char *vertex, const char *fragment,
                                        const char *attribute0, const char *attribute1)
{
    const GLuint program = glCreateProgram();
    GLint ok = 0;

    glAttachShader(program, egl_program_shader(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, egl_program_shader(GL_FRAGMENT_SHADER, fragment));
    glBindAttribLocation(program, 0, attribute0);
    if (attribute1)
        glBindAttribLocation(program, 1, attribute1);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    CHECK(ok);
    glUseProgram(program);
    return program;
}

#endif
