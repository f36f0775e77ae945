/* SPDX-License-Identifier: MIT */
/*
 * indium-demo [FILE.png]: draws a trefoil knot over a tiled floor without a display and writes the
 * image. It uses OpenGL ES 2.0 on EGL's surfaceless platform, like any other program.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH   800
#define HEIGHT  600
#define AROUND  400 /* segments along the knot */
#define SECTION 40  /* segments around the tube */

static int fail(const char *why)
{
    fprintf(stderr, "indium-demo: %s\n", why);
    return 1;
}

/* --- vectors and matrices (column major) --- */

struct vec3 {
    float x, y, z;
};

static struct vec3 sub(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static struct vec3 cross(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static float dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vec3 normalize(struct vec3 v)
{
    float s = 1 / sqrtf(dot(v, v));
    return (struct vec3){v.x * s, v.y * s, v.z * s};
}

static void multiply(float out[16], const float a[16], const float b[16])
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            out[c * 4 + r] = 0;
            for (int k = 0; k < 4; k++)
                out[c * 4 + r] += a[k * 4 + r] * b[c * 4 + k];
        }
}

static void camera(float out[16], struct vec3 eye, struct vec3 at)
{
    float near = 0.5f, far = 50, f = 1 / tanf(0.4f);
    struct vec3 back = normalize(sub(eye, at));
    struct vec3 right = normalize(cross((struct vec3){0, 1, 0}, back)), up = cross(back, right);
    const float view[16] = {
        right.x, up.x, back.x, 0, right.y,          up.y,          back.y,          0,
        right.z, up.z, back.z, 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1};
    const float projection[16] = {f * HEIGHT / WIDTH,
                                  0,
                                  0,
                                  0,
                                  0,
                                  f,
                                  0,
                                  0,
                                  0,
                                  0,
                                  (far + near) / (near - far),
                                  -1,
                                  0,
                                  0,
                                  2 * far * near / (near - far),
                                  0};
    multiply(out, projection, view);
}

/* --- the scene --- */

static struct vec3 knot(float t)
{
    return (struct vec3){sinf(t) + 2 * sinf(2 * t), cosf(t) - 2 * cosf(2 * t) + 0.6f, -sinf(3 * t)};
}

/* Writes position and normal of AROUND × SECTION vertices, and indices of as many quads. */
static void make_knot(float *vertex, GLushort *index)
{
    const float turn = 6.2831853f;
    for (int i = 0; i < AROUND; i++) {
        float t = turn * i / AROUND;
        struct vec3 center = knot(t), along = normalize(sub(knot(t + 0.01f), knot(t - 0.01f)));
        struct vec3 side = normalize(cross(along, (struct vec3){0.3f, 0.2f, 1})),
                    up = cross(side, along);
        for (int j = 0; j < SECTION; j++) {
            float c = cosf(turn * j / SECTION), s = sinf(turn * j / SECTION);
            struct vec3 n = {side.x * c + up.x * s, side.y * c + up.y * s, side.z * c + up.z * s};
            const float v[6] = {center.x + 0.55f * n.x,
                                center.y + 0.55f * n.y,
                                center.z + 0.55f * n.z,
                                n.x,
                                n.y,
                                n.z};
            memcpy(vertex, v, sizeof v);
            vertex += 6;
            int i1 = (i + 1) % AROUND * SECTION, j1 = (j + 1) % SECTION, i0 = i * SECTION;
            const GLushort q[6] = {i0 + j, i0 + j1, i1 + j1, i0 + j, i1 + j1, i1 + j};
            memcpy(index, q, sizeof q);
            index += 6;
        }
    }
}

static const char vertex_text[] = "attribute vec3 position, normal;\n"
                                  "uniform mat4 camera;\n"
                                  "varying vec3 p, n;\n"
                                  "void main() {\n"
                                  "    p = position;\n"
                                  "    n = normal;\n"
                                  "    gl_Position = camera * vec4(position, 1.0);\n"
                                  "}\n";

static const char fragment_text[] =
    "precision highp float;\n"
    "uniform vec3 eye;\n"
    "uniform float is_floor;\n"
    "uniform sampler2D tiles;\n"
    "varying vec3 p, n;\n"
    "void main() {\n"
    "    vec3 N = normalize(n), V = normalize(eye - p), L = normalize(vec3(0.4, 1.0, 0.7));\n"
    "    vec3 base = mix(0.5 + 0.5 * cos(p.x + p.z * 2.0 + vec3(0.0, 2.1, 4.2)),\n"
    "                    texture2D(tiles, p.xz * 0.25).rgb, is_floor);\n"
    "    float diffuse = max(dot(N, L), 0.0);\n"
    "    float specular = pow(max(dot(N, normalize(L + V)), 0.0), 60.0) * (1.0 - 0.7 * is_floor);\n"
    "    vec3 color = base * (0.25 + 0.75 * diffuse) + vec3(specular);\n"
    "    float haze = smoothstep(8.0, 26.0, length(eye - p));\n"
    "    gl_FragColor = vec4(mix(color, vec3(0.62, 0.72, 0.85), haze), 1.0);\n"
    "}\n";

static GLuint compile(GLenum stage, const char *text)
{
    char log[2000] = "";
    GLint ok = 0;
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        fprintf(stderr, "%s", log);
    }
    return shader;
}

static GLuint link_program(void)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex_text));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment_text));
    glBindAttribLocation(program, 0, "position");
    glBindAttribLocation(program, 1, "normal");
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

static void make_tiles(void)
{
    static unsigned char texels[64][64][3];
    for (int y = 0; y < 64; y++) {
        for (int x = 0; x < 64; x++) {
            bool light = (x / 32 + y / 32) % 2, joint = x % 32 == 0 || y % 32 == 0;
            memset(texels[y][x], joint ? 60 : light ? 225 : 140, 3);
        }
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 64, 64, 0, GL_RGB, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
}

static void draw_mesh(const float *vertices, const GLushort *indices, int count)
{
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 24, vertices);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 24, vertices + 3);
    glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_SHORT, indices);
}

static bool draw(void)
{
    static float vertices[AROUND * SECTION * 6];
    static GLushort indices[AROUND * SECTION * 6];
    static const float ground[] = {-30, -2.6f, -30, 0, 1, 0, -30, -2.6f, 30,  0, 1, 0,
                                   30,  -2.6f, 30,  0, 1, 0, 30,  -2.6f, -30, 0, 1, 0};
    static const GLushort ground_index[] = {0, 1, 2, 0, 2, 3};
    const struct vec3 eye = {1.5f, 3, 9};
    float matrix[16];

    GLuint program = link_program();
    make_tiles();
    make_knot(vertices, indices);
    camera(matrix, eye, (struct vec3){0, 0.2f, 0});
    glUniformMatrix4fv(glGetUniformLocation(program, "camera"), 1, GL_FALSE, matrix);
    glUniform3f(glGetUniformLocation(program, "eye"), eye.x, eye.y, eye.z);
    GLint is_floor = glGetUniformLocation(program, "is_floor");

    glViewport(0, 0, WIDTH, HEIGHT);
    glClearColor(0.62f, 0.72f, 0.85f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glUniform1f(is_floor, 0);
    draw_mesh(vertices, indices, AROUND * SECTION * 6);
    glUniform1f(is_floor, 1);
    draw_mesh(ground, ground_index, 6);
    return glGetError() == GL_NO_ERROR;
}

/* --- EGL and the file --- */

static bool begin(void)
{
    static const EGLint want[] = {EGL_SURFACE_TYPE,
                                  EGL_PBUFFER_BIT,
                                  EGL_RENDERABLE_TYPE,
                                  EGL_OPENGL_ES2_BIT,
                                  EGL_RED_SIZE,
                                  8,
                                  EGL_DEPTH_SIZE,
                                  24,
                                  EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) ||
        !eglChooseConfig(display, want, &config, 1, &count) || !count)
        return false;
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    return eglMakeCurrent(display, surface, surface, context);
}

static bool write_picture(const char *path)
{
    unsigned char *pixels = malloc(WIDTH * HEIGHT * 4);
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGBA};
    if (!pixels)
        return false;
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    /* GL rows start at the bottom: negative stride */
    bool ok = png_image_write_to_file(&image, path, 0, pixels, -WIDTH * 4, NULL);
    free(pixels);
    return ok;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "indium-demo.png";
    if (!begin())
        return fail("cannot create a context on EGL's surfaceless platform");
    printf("%s, %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
    if (!draw())
        return fail("drawing raised a GL error");
    if (!write_picture(path))
        return fail("cannot write the image");
    printf("wrote %s\n", path);
    return 0;
}
