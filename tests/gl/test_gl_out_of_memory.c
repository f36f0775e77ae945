/* SPDX-License-Identifier: MIT */
/*
 * Commands without memory, with shaders that are already compiled. test_gl_compile_memory.c covers
 * compilation.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test_memory.h"

static GLuint new_texture(GLenum target)
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(target, t);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return t;
}

static GLuint color_texture(GLenum internal)
{
    GLuint t = new_texture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    return t;
}

static GLuint framebuffer_of(GLuint texture)
{
    GLuint f;
    glGenFramebuffers(1, &f);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, SIZE, SIZE);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    return f;
}

static GLuint link_stages(const char *vs, const char *gs, const char *fs, const char *captured)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, vs);
    gl_test_attach(p, GL_GEOMETRY_SHADER, gs);
    gl_test_attach(p, GL_FRAGMENT_SHADER, fs);
    glBindAttribLocation(p, 0, "position");
    if (captured)
        glTransformFeedbackVaryings(p, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    gl_test_link(p);
    return p;
}

static const char plain_vs[] = "#version 150\nin vec2 position; out vec2 at;\n"
                               "void main() { at = position; gl_Position = vec4(position, 0, 1); }";
static const char green_fs[] = "#version 150\nout vec4 c; void main() { c = vec4(0, 1, 0, 1); }";

/* --- draws --- */

enum { CELLS = 90, VERTICES = CELLS * CELLS * 6 };

static struct {
    GLuint program, geometry, capture;
    GLuint points, grid, captured;
    float *triangles; /* in client memory */
} drawing;

static void fill_grid(void)
{
    float *v = drawing.triangles = malloc(VERTICES * 2 * sizeof *v);
    for (int i = 0; i < VERTICES; i++) {
        static const int corner[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
        int cell = i / 6, x = cell % CELLS + corner[i % 6][0], y = cell / CELLS + corner[i % 6][1];
        *v++ = (float)x * 2 / CELLS - 1;
        *v++ = (float)y * 2 / CELLS - 1;
    }
}

static void make_drawing(void)
{
    static const float middle[2] = {0, 0};
    drawing.program = link_stages(plain_vs, NULL, green_fs, NULL);
    drawing.geometry = link_stages(
        plain_vs,
        "#version 150\nlayout(points) in; layout(triangle_strip, max_vertices = 4) out;\n"
        "void main() { for (int i = 0; i < 4; i++) {\n"
        "gl_Position = vec4(float(i & 1) * 2.0 - 1.0, float(i >> 1) * 2.0 - 1.0, 0, 1);\n"
        "EmitVertex(); } }",
        green_fs, NULL);
    drawing.capture = link_stages(plain_vs, NULL, green_fs, "at");
    fill_grid();
    glGenBuffers(1, &drawing.points);
    glBindBuffer(GL_ARRAY_BUFFER, drawing.points);
    glBufferData(GL_ARRAY_BUFFER, sizeof middle, middle, GL_STATIC_DRAW);
    glGenBuffers(1, &drawing.grid);
    glBindBuffer(GL_ARRAY_BUFFER, drawing.grid);
    glBufferData(GL_ARRAY_BUFFER, VERTICES * 8, drawing.triangles, GL_STATIC_DRAW);
    glGenBuffers(1, &drawing.captured);
    glBindBuffer(GL_COPY_WRITE_BUFFER, drawing.captured);
    glBufferData(GL_COPY_WRITE_BUFFER, VERTICES * 8, NULL, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
}

static void bind_grid(void)
{
    glUseProgram(drawing.program);
    glBindBuffer(GL_ARRAY_BUFFER, drawing.grid);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void draw_grid(void)
{
    bind_grid();
    glDrawArrays(GL_TRIANGLES, 0, VERTICES);
}

/* Draws with state that no earlier draw used, so driver objects are created. The kernels stay the
 * same. */
static void draw_culled(void)
{
    glDisable(GL_DITHER);
    glEnable(GL_CULL_FACE);
    glDepthFunc(GL_ALWAYS);
    draw_grid();
}

static void draw_user_grid(void)
{
    static GLuint index[VERTICES];
    for (unsigned i = 0; i < VERTICES; i++)
        index[i] = i;
    glUseProgram(drawing.program);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, drawing.triangles);
    glDrawElements(GL_TRIANGLES, VERTICES, GL_UNSIGNED_INT, index);
}

static void draw_points_as_squares(void)
{
    glUseProgram(drawing.geometry);
    glBindBuffer(GL_ARRAY_BUFFER, drawing.points);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glDrawArrays(GL_POINTS, 0, 1);
}

static void forget_captured(void)
{
    glBindBuffer(GL_COPY_WRITE_BUFFER, drawing.captured);
    glBufferData(GL_COPY_WRITE_BUFFER, VERTICES * 8, NULL, GL_STATIC_DRAW);
    glFinish();
}

static void capture_grid(void)
{
    glUseProgram(drawing.capture);
    glBindBuffer(GL_ARRAY_BUFFER, drawing.grid);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, drawing.captured);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, VERTICES);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
}

static bool is_captured(void)
{
    static float got[VERTICES * 2];
    glBindBuffer(GL_COPY_READ_BUFFER, drawing.captured);
    glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof got, got);
    return !memcmp(got, drawing.triangles, sizeof got);
}

/* A context that has drawn nothing yet, cleared to red. It shares with the first one, whose kernels
 * it uses. */
static struct gl_context *first_context, *new_context;

static void drop_new_context(void)
{
    core->make_current(first_context, drawable, drawable);
    if (new_context)
        core->context_destroy(new_context);
    new_context = NULL;
}

static void in_new_context(void)
{
    enum gl_create_error error;
    drop_new_context();
    clear_red();
    glFinish();
    new_context = core->context_create(
        &(struct gl_context_attribs){
            .api = GL_API_COMPAT, .major = 1, .visual = &visual, .share = first_context},
        &error);
    assert_true(core->make_current(new_context, drawable, drawable));
    glEnableVertexAttribArray(0);
}

/* Runs in a context that has compiled its shaders and drawn a triangle. */
static void in_warm_context(void)
{
    in_new_context();
    bind_grid();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    clear_red();
}

static void clear_green(void)
{
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void test_draws(void **state)
{
    static const struct scene scenes[] = {
        {"a clear", clear_red, clear_green, all_green},
        {"a clear in a new context", in_new_context, clear_green, all_green},
        {"a draw in a new context", in_warm_context, draw_grid, all_green},
        {"new state", in_warm_context, draw_culled, all_green},
        {"a draw", clear_red, draw_grid, all_green},
        {"a draw from memory", clear_red, draw_user_grid, all_green},
        {"a geometry shader", clear_red, draw_points_as_squares, all_green},
        {"transform feedback", forget_captured, capture_grid, is_captured},
    };
    first_context = *state;
    make_drawing();
    for (unsigned i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        run_scene(&scenes[i]);
        drop_new_context();
    }
    glUseProgram(0);
    glDisableVertexAttribArray(0);
}

/* --- textures --- */

static struct {
    GLuint texture, framebuffer;
} image;

static void make_image(GLenum internal)
{
    image.texture = color_texture(internal);
    image.framebuffer = framebuffer_of(image.texture);
}

static void drop_image(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &image.framebuffer);
    glDeleteTextures(1, &image.texture);
}

static uint8_t green_pixels[SIZE * SIZE][4];

static void upload_again(void)
{
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 green_pixels);
}

static void upload_part(void)
{
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, green_pixels);
}

static void upload_converted(void)
{
    static float wide[SIZE * SIZE][4];
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        wide[i][1] = wide[i][3] = 1;
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, wide);
}

static void draw_pixels(void)
{
    glWindowPos2i(0, 0);
    glDrawPixels(SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, green_pixels);
}

static void test_uploads(void **state)
{
    static const struct scene scenes[] = {
        {"glTexImage2D", clear_red, upload_again, all_green},
        {"glTexSubImage2D", clear_red, upload_part, all_green},
        {"glTexSubImage2D that converts", clear_red, upload_converted, all_green},
        {"glDrawPixels", clear_red, draw_pixels, all_green},
    };
    make_image(GL_RGBA8);
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        memcpy(green_pixels[i], green, 4);
    RUN_SCENES(scenes);
    drop_image();
}

/* --- copies and blits --- */

static GLuint source, source_framebuffer; /* a texture or a renderbuffer */

/* Clears the source to green and the destination to red, and binds both for a blit. */
static void colored(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, source_framebuffer);
    clear_green();
    glBindFramebuffer(GL_FRAMEBUFFER, image.framebuffer);
    clear_red();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, source_framebuffer);
}

static bool destination_green(void)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, image.framebuffer);
    return all_green();
}

static void blit_scaled(void)
{
    glBlitFramebuffer(0, 0, SIZE / 2, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

static void blit_same(void)
{
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void copy_image(void)
{
    glCopyImageSubData(source, GL_TEXTURE_2D, 0, 0, 0, 0, image.texture, GL_TEXTURE_2D, 0, 0, 0, 0,
                       SIZE, SIZE, 1);
}

static void copy_tex_image(void)
{
    glBindTexture(GL_TEXTURE_2D, image.texture);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, SIZE, SIZE);
}

static void copy_pixels(void)
{
    glWindowPos2i(0, 0);
    glCopyPixels(0, 0, SIZE, SIZE, GL_COLOR);
}

static void test_copies(void **state)
{
    static const struct scene scenes[] = {
        {"a scaled blit", colored, blit_scaled, destination_green},
        {"a blit", colored, blit_same, destination_green},
        {"glCopyImageSubData", colored, copy_image, destination_green},
        {"glCopyTexSubImage2D", colored, copy_tex_image, destination_green},
        {"glCopyPixels", colored, copy_pixels, destination_green},
    };
    for (unsigned converted = 0; converted < 2; converted++) {
        source = color_texture(converted ? GL_RGBA16 : GL_RGBA8);
        source_framebuffer = framebuffer_of(source);
        make_image(GL_RGBA8);
        for (unsigned i = 0; i < sizeof scenes / sizeof *scenes; i++)
            if (!converted || scenes[i].run != copy_image)
                run_scene(&scenes[i]);
        drop_image();
        glDeleteFramebuffers(1, &source_framebuffer);
        glDeleteTextures(1, &source);
    }
}

/* --- samples --- */

static void make_samples(GLenum internal)
{
    glGenRenderbuffers(1, &source);
    glBindRenderbuffer(GL_RENDERBUFFER, source);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, internal, SIZE, SIZE);
    glGenFramebuffers(1, &source_framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, source_framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, source);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

static void test_resolves(void **state)
{
    static const GLenum formats[] = {GL_RGBA8, GL_RGBA16F};
    static const struct scene resolve = {"a resolve", colored, blit_same, destination_green};
    for (unsigned i = 0; i < 2; i++) {
        make_samples(formats[i]);
        make_image(formats[i]);
        run_scene(&resolve);
        drop_image();
        glDeleteFramebuffers(1, &source_framebuffer);
        glDeleteRenderbuffers(1, &source);
    }
}

/* --- compressed textures and mipmaps --- */

static uint8_t green_block[16];
static GLenum compressed;
static GLuint read_back;

/* Drops the levels or makes them red. */
static void forget_levels(void)
{
    glDeleteTextures(1, &read_back);
    read_back = new_texture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, compressed, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
}

static void upload_blocks(void)
{
    static uint8_t blocks[SIZE / 4 * SIZE / 4][8];
    for (unsigned i = 0; i < SIZE / 4 * SIZE / 4; i++)
        memcpy(blocks[i], green_block, 8);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, compressed, sizeof blocks,
                              blocks);
}

/* Returns whether a lookup of the level, not its storage, is green. */
static bool draws_green(int level)
{
    bool is_green;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, level);
    clear_red();
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glRectf(-1, -1, 1, 1);
    glDisable(GL_TEXTURE_2D);
    is_green = all_are(green, 2);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
    return is_green;
}

static bool first_level_green(void)
{
    return draws_green(0);
}

static void upload_levels(void)
{
    forget_levels();
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, green_pixels);
}

static void generate(void)
{
    glGenerateMipmap(GL_TEXTURE_2D);
}

static bool levels_green(void)
{
    return draws_green(1) && draws_green(3) && draws_green(6);
}

static void test_compressed(void **state)
{
    static const struct scene blocks = {"glCompressedTexSubImage2D", forget_levels, upload_blocks,
                                        first_level_green};
    static const struct scene encoded = {"glTexSubImage2D that encodes", forget_levels, upload_part,
                                         first_level_green};
    /* Two RGB565 greens; all texels use the first. */
    memcpy(green_block, (const uint8_t[8]){0xe0, 0x07, 0xe0, 0x07}, 8);
    compressed = GL_COMPRESSED_RGB_S3TC_DXT1_EXT;
    glViewport(0, 0, SIZE, SIZE);
    run_scene(&blocks);
    run_scene(&encoded);
}

static void test_mipmaps(void **state)
{
    static const GLenum formats[] = {GL_RGBA8, GL_RGBA16F, GL_COMPRESSED_RGB_S3TC_DXT1_EXT};
    static const struct scene mipmaps = {"glGenerateMipmap", upload_levels, generate, levels_green};
    for (unsigned i = 0; i < 3; i++) {
        compressed = formats[i];
        run_scene(&mipmaps);
    }
}

/* --- buffers --- */

enum { BYTES = 5000 };
static uint8_t bytes[BYTES], got_bytes[BYTES];
static GLuint buffers[2];

static void forget_bytes(void)
{
    static const uint8_t zero[BYTES];
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[0]);
    glBufferData(GL_COPY_READ_BUFFER, BYTES, bytes, GL_STATIC_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[1]);
    glBufferData(GL_COPY_WRITE_BUFFER, BYTES, zero, GL_STATIC_DRAW);
}

static void put_data(void)
{
    glBufferData(GL_COPY_WRITE_BUFFER, BYTES, bytes, GL_STATIC_DRAW);
}

static void put_part(void)
{
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, BYTES, bytes);
}

static void put_mapped(void)
{
    void *to = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, BYTES, GL_MAP_WRITE_BIT);
    if (!to)
        return;
    memcpy(to, bytes, BYTES);
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
}

static void copy_bytes(void)
{
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, BYTES);
}

static bool bytes_there(void)
{
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, BYTES, got_bytes);
    return !memcmp(bytes, got_bytes, BYTES);
}

static void test_buffers(void **state)
{
    static const struct scene scenes[] = {
        {"glBufferData", forget_bytes, put_data, bytes_there},
        {"glBufferSubData", forget_bytes, put_part, bytes_there},
        {"a mapped buffer", forget_bytes, put_mapped, bytes_there},
        {"glCopyBufferSubData", forget_bytes, copy_bytes, bytes_there},
    };
    for (unsigned i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i * 7 + 1);
    glGenBuffers(2, buffers);
    RUN_SCENES(scenes);
    glDeleteBuffers(2, buffers);
}

/* --- reading --- */

static uint8_t read_pixels[SIZE * SIZE][4];

static void forget_read(void)
{
    memset(read_pixels, 0, sizeof read_pixels);
    clear_green();
}

static void read_all(void)
{
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, read_pixels);
}

static void read_texture(void)
{
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, read_pixels);
}

static bool read_green(void)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        if (memcmp(read_pixels[i], green, 4))
            return false;
    return true;
}

static void test_reads(void **state)
{
    static const struct scene scenes[] = {
        {"glReadPixels", forget_read, read_all, read_green},
        {"glGetTexImage", forget_read, read_texture, read_green},
    };
    static const struct scene flipped = {"a flipped glReadPixels", forget_read, read_all,
                                         read_green};
    static const GLenum formats[] = {GL_RGBA8, GL_RGBA16F};
    for (unsigned f = 0; f < 2; f++) {
        make_image(formats[f]);
        RUN_SCENES(scenes);
        glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        run_scene(&flipped);
        drop_image();
    }
}

/* --- the rest --- */

static GLuint list;

static void forget_list(void)
{
    clear_red();
    glNewList(list, GL_COMPILE);
    glEndList();
}

static void immediate(void)
{
    glColor3f(0, 1, 0);
    glBegin(GL_QUADS);
    for (int i = 0; i < 400; i++) {
        glVertex2f(-1, -1);
        glVertex2f(1, -1);
        glVertex2f(1, 1);
        glVertex2f(-1, 1);
    }
    glEnd();
}

static void record_and_call(void)
{
    glNewList(list, GL_COMPILE);
    immediate();
    glEndList();
    glCallList(list);
}

static void record_pixels(void)
{
    static GLubyte pixels[SIZE * SIZE][4];
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        pixels[i][1] = pixels[i][3] = 255;
    glNewList(list, GL_COMPILE);
    glWindowPos2i(0, 0);
    glDrawPixels(SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glEndList();
    glCallList(list);
}

static GLuint samples_passed;

static void count_samples(void)
{
    GLuint query;
    samples_passed = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glRectf(-1, -1, 1, 1);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &samples_passed);
    glDeleteQueries(1, &query);
}

static bool all_counted(void)
{
    return samples_passed == SIZE * SIZE;
}

static void reset_attributes(void)
{
    clear_red();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

static void attributes(void)
{
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glPopAttrib();
}

static bool attributes_restored(void)
{
    GLint filter;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &filter);
    return filter == GL_LINEAR && all_green();
}

static void accumulate(void)
{
    glClear(GL_ACCUM_BUFFER_BIT);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glAccum(GL_LOAD, 1);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glAccum(GL_RETURN, 1);
}

static void test_the_rest(void **state)
{
    static const struct scene scenes[] = {
        {"a display list", forget_list, record_and_call, all_green},
        {"pixels in a display list", forget_list, record_pixels, all_green},
        {"glBegin", clear_red, immediate, all_green},
        {"an occlusion query", nothing, count_samples, all_counted},
        {"glPushAttrib", reset_attributes, attributes, attributes_restored},
        {"accumulation", clear_red, accumulate, all_green},
    };
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, SIZE, SIZE);
    list = glGenLists(1);
    RUN_SCENES(scenes);
    glDeleteLists(list, 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws),      cmocka_unit_test(test_uploads),
        cmocka_unit_test(test_copies),     cmocka_unit_test(test_resolves),
        cmocka_unit_test(test_compressed), cmocka_unit_test(test_mipmaps),
        cmocka_unit_test(test_buffers),    cmocka_unit_test(test_reads),
        cmocka_unit_test(test_the_rest),
    };
    memory_arguments(argc, argv, 16);
    return cmocka_run_group_tests(tests, memory_setup, gl_test_teardown);
}
