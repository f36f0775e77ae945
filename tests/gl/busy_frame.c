/* SPDX-License-Identifier: MIT */
/* Draws a frame that takes several times INDIUM_TIMEOUT=1, with long loops in the vertex, fragment
 * and compute shaders, and prints a hash of its bytes. Fails if an error is raised. See busy.py. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

#include "gl_test.h"

#define SIZE   192
#define DRAWS  6
#define POINTS 4096
#define GROUPS 256

static const char vs[] =
    "#version 430 compatibility\nuniform int n;\n"
    "void main() { uint x = uint(gl_VertexID);\n"
    "for (int i = 0; i < n; i++) x = x * 1664525u + 1013904223u;\n"
    "gl_Position = vec4(vec2(x >> 16 & 255u, x >> 24) / 128.0 - 1.0, 0, 1); }\n";
static const char fs[] =
    "#version 430 compatibility\nuniform int n;\n"
    "void main() { vec2 z = gl_FragCoord.xy / 192.0; float s = 0.0;\n"
    "for (int i = 0; i < n; i++) { z = fract(sin(z.yx * 12.9898 + s) * 437.5);\n"
    "s += z.x * z.y; } gl_FragColor = vec4(z, fract(s), 1) * 0.1; }\n";
static const char quad_vs[] =
    "#version 430 compatibility\nvoid main() { gl_Position = gl_Vertex; }\n";
static const char green_fs[] = "#version 430 compatibility\n"
                               "void main() { gl_FragColor = vec4(0, 0.2, 0, 1); }\n";
static const char cs[] = "#version 430\nlayout(local_size_x = 16) in; uniform int n;\n"
                         "layout(std430, binding = 0) buffer B { uint word[]; };\n"
                         "void main() { uint x = gl_GlobalInvocationID.x;\n"
                         "for (int i = 0; i < n; i++) x = x * 1664525u + 1013904223u ^ x >> 13;\n"
                         "word[gl_GlobalInvocationID.x] = x; }\n";

static uint64_t hash = 0xcbf29ce484222325;

static void add_bytes(const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3;
}

static void use(GLuint program, int n)
{
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "n"), n);
}

static void draw_frame(void)
{
    GLuint heavy = gl_test_program(quad_vs, fs), points = gl_test_program(vs, green_fs);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    for (unsigned i = 0; i < DRAWS; i++) {
        use(heavy, 400 + (int)i);
        glRectf(-1, -1, 1, 1);
        use(points, 40000);
        glDrawArrays(GL_POINTS, (int)i, POINTS);
    }
    static uint8_t pixels[SIZE * SIZE * 4];
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    add_bytes(pixels, sizeof pixels);
}

static void dispatch(void)
{
    static uint32_t words[GROUPS * 16];
    GLuint buffer, p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, cs);
    gl_test_link(p);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof words, NULL, GL_STATIC_DRAW);
    use(p, 1000000);
    glDispatchCompute(GROUPS, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof words, words);
    add_bytes(words, sizeof words);
}

int main(void)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    void *context;
    if (gl_test_setup(&context, GL_API_COMPAT, &window))
        return 1;
    draw_frame();
    dispatch();
    GLenum error = glGetError();
    printf("%016llx\n", (unsigned long long)hash);
    gl_test_teardown(&context);
    return error != GL_NO_ERROR;
}
