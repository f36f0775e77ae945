/* SPDX-License-Identifier: MIT */
/* Commands that the driver stops at INDIUM_TIMEOUT, what a program sees of it, and work that must
 * not be stopped. Runs with INDIUM_TIMEOUT=1. Only CPU time is measured. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "gl_test_reset.h"

#define SIZE  32
#define LIMIT 1.0 /* INDIUM_TIMEOUT in seconds */

static const struct gl_test_window window = {SIZE, SIZE};
static struct gl_context *context;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* --- debug messages and stderr --- */

static unsigned num_messages;
static GLuint message_id;
static char message[1000], said[1000];
static int saved_stderr, stderr_file;

static void on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                       const GLchar *text, const void *user)
{
    num_messages++;
    message_id = id;
    snprintf(message, sizeof message, "%s", text);
}

/* Redirects stderr to a file. */
static void begin_capture(void)
{
    char name[] = "/tmp/gl-stopped-XXXXXX";
    stderr_file = mkstemp(name);
    assert_true(stderr_file >= 0);
    unlink(name);
    fflush(stderr);
    saved_stderr = dup(2);
    dup2(stderr_file, 2);
}

/* Restores stderr, and stores in `said` what was written to it. Returns the number of lines. */
static unsigned end_capture(void)
{
    unsigned lines = 0;
    fflush(stderr);
    dup2(saved_stderr, 2);
    ssize_t n = pread(stderr_file, said, sizeof said - 1, 0);
    close(saved_stderr);
    close(stderr_file);
    said[n > 0 ? n : 0] = 0;
    for (const char *c = said; *c; c++)
        lines += *c == '\n';
    return lines;
}

static void use_context(enum gl_reset_strategy strategy)
{
    enum gl_create_error error;
    const struct gl_context_attribs attribs = {
        .api = GL_API_COMPAT, .major = 1, .visual = &visual, .reset = strategy};
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(context);
    context = core->context_create(&attribs, &error);
    assert_non_null(context);
    assert_true(core->make_current(context, drawable, drawable));
    glEnable(GL_DEBUG_OUTPUT);
    glDebugMessageCallback(on_message, NULL);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, NULL,
                          GL_FALSE);
}

static int setup(void **state)
{
    if (gl_test_setup(state, GL_API_COMPAT, &window))
        return -1;
    context = *state;
    return 0;
}

static int teardown(void **state)
{
    return gl_test_teardown((void **)&context);
}

/* --- an endless loop in each stage --- */

#define HEAD "#version 430 compatibility\nuniform int n;\n"
/* Endless if n is 0. */
#define LOOP "float f = 0.0; while (f < 1.0) f += float(n);\n"

static const char plain_vs[] = HEAD "void main() { gl_Position = gl_Vertex; }\n";
static const char green_fs[] = HEAD "void main() { gl_FragColor = vec4(0, 1, 0, 1); }\n";
static const char plain_tes[] = HEAD
    "layout(triangles) in;\nvoid main() { gl_Position = gl_TessCoord.x * gl_in[0].gl_Position\n"
    "+ gl_TessCoord.y * gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position; }\n";

enum { VERTEX, CONTROL, EVALUATION, GEOMETRY, FRAGMENT, COMPUTE, STAGES };

static const struct {
    GLenum type;
    const char *text;
} endless[STAGES] = {
    {GL_VERTEX_SHADER, HEAD "void main() { " LOOP "gl_Position = gl_Vertex * f; }\n"},
    {GL_TESS_CONTROL_SHADER,
     HEAD "layout(vertices = 3) out;\nvoid main() { " LOOP
          "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
          "gl_TessLevelOuter = float[4](f, f, f, f); gl_TessLevelInner = float[2](f, f); }\n"},
    {GL_TESS_EVALUATION_SHADER,
     HEAD "layout(triangles) in;\nvoid main() { " LOOP
          "gl_Position = f * (gl_TessCoord.x * gl_in[0].gl_Position\n"
          "+ gl_TessCoord.y * gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position); }\n"},
    {GL_GEOMETRY_SHADER,
     HEAD "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\nvoid main() { " LOOP
          "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position * f; EmitVertex(); } "
          "}\n"},
    {GL_FRAGMENT_SHADER, HEAD "void main() { " LOOP "gl_FragColor = vec4(0, f, 0, 1); }\n"},
    {GL_COMPUTE_SHADER, HEAD "layout(local_size_x = 1) in;\n"
                             "layout(std430, binding = 0) buffer B { float word; };\n"
                             "void main() { " LOOP "word = f; }\n"},
};

static GLuint endless_program(unsigned stage)
{
    GLuint p = glCreateProgram();
    if (stage != COMPUTE) {
        const bool patches = stage == CONTROL || stage == EVALUATION;
        gl_test_attach(p, GL_VERTEX_SHADER, stage == VERTEX ? NULL : plain_vs);
        gl_test_attach(p, GL_TESS_EVALUATION_SHADER, stage == CONTROL ? plain_tes : NULL);
        gl_test_attach(p, GL_FRAGMENT_SHADER, stage == FRAGMENT ? NULL : green_fs);
        glPatchParameteri(GL_PATCH_VERTICES, patches ? 3 : 1);
    }
    gl_test_attach(p, endless[stage].type, endless[stage].text);
    gl_test_use(p);
    return p;
}

/* Draws one triangle or patch that covers the window. */
static void draw_window(GLenum mode)
{
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glDrawArrays(mode, 0, 3);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/* Draws the window, or dispatches one work group, and returns the CPU time that it took. One tile
 * has all pixels, so the loop runs on one thread. */
static double run_stage(unsigned stage, GLuint program, int n)
{
    const double begun = cpu_seconds();
    glUniform1i(glGetUniformLocation(program, "n"), n);
    if (stage == COMPUTE)
        glDispatchCompute(1, 1, 1);
    else
        draw_window(stage == CONTROL || stage == EVALUATION ? GL_PATCHES : GL_TRIANGLES);
    glFinish();
    return cpu_seconds() - begun;
}

static void expect_result(unsigned stage)
{
    float word = 0;
    if (stage != COMPUTE) {
        expect(SIZE / 2, SIZE / 2, 0, 1, 0);
        return;
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof word, &word);
    assert_float_equal(word, 1, 0);
}

/* Stops the stage and checks the time, the message and the line on stderr. */
static void stop_stage(unsigned stage, GLuint program)
{
    char name[32];
    snprintf(name, sizeof name, "program %u", program);
    num_messages = 0;
    begin_capture();
    const double time = run_stage(stage, program, 0);
    const unsigned lines = end_capture();
    assert_true(time > 0.9 * LIMIT);
    assert_int_equal(lines, 1);
    assert_int_equal(num_messages, 1);
    for (unsigned i = 0; i < 2; i++) {
        const char *text = i ? message : said;
        assert_non_null(strstr(text, "INDIUM_TIMEOUT"));
        assert_non_null(strstr(text, stage == COMPUTE ? "glDispatchCompute" : "glDrawArrays"));
        assert_non_null(strstr(text, name));
    }
}

static void create_storage(void)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 16, NULL, GL_STATIC_DRAW);
}

/* A context without reset notification keeps its state and never reports a reset (GL 4.6
 * §2.3.2). */
static void test_plain_context(void **state)
{
    use_context(GL_RESET_NO_NOTIFICATION);
    create_storage();
    for (unsigned stage = 0; stage < STAGES; stage++) {
        GLuint p = endless_program(stage);
        run_stage(stage, p, 1);
        expect_result(stage);
        stop_stage(stage, p);
        assert_int_equal(message_id, GL_OUT_OF_MEMORY);
        assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
        assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
        glClear(GL_COLOR_BUFFER_BIT);
        run_stage(stage, p, 1);
        expect_result(stage);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        assert_int_equal(num_messages, 1);
        gl_test_delete_program(p);
    }
}

static void test_robust_context(void **state)
{
    for (unsigned stage = 0; stage < STAGES; stage++) {
        use_context(GL_RESET_LOSE_CONTEXT);
        create_storage();
        GLuint p = endless_program(stage);
        run_stage(stage, p, 1);
        expect_result(stage);
        stop_stage(stage, p);
        assert_int_equal(message_id, GL_CONTEXT_LOST);
        assert_int_equal(glGetError(), GL_CONTEXT_LOST);
        assert_int_equal(glGetGraphicsResetStatus(), GL_GUILTY_CONTEXT_RESET);
        assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glClear(GL_COLOR_BUFFER_BIT);
        assert_int_equal(glGetError(), GL_CONTEXT_LOST);
    }
}

/* Checks that glGetError alone finds the stopped command, after a command that waits for it. */
static void test_get_error(void **state)
{
    for (unsigned robust = 0; robust < 2; robust++) {
        GLubyte pixel[4];
        use_context(robust ? GL_RESET_LOSE_CONTEXT : GL_RESET_NO_NOTIFICATION);
        GLuint p = endless_program(FRAGMENT);
        glUniform1i(glGetUniformLocation(p, "n"), 0);
        begin_capture();
        glRectf(-1, -1, 1, 1);
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
        assert_int_equal(glGetError(), robust ? GL_CONTEXT_LOST : GL_OUT_OF_MEMORY);
        assert_int_equal(end_capture(), 1);
    }
}

/* Checks that vertices that are stopped leave earlier and later draws of the frame alone. */
static void test_other_draws(void **state)
{
    static const char loop_fs[] = HEAD "void main() { " LOOP "gl_FragColor = vec4(1, f, 0, 1); }\n";
    use_context(GL_RESET_NO_NOTIFICATION);
    GLuint bad = endless_program(VERTEX), good = gl_test_program(plain_vs, loop_fs);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(good);
    glUniform1i(glGetUniformLocation(good, "n"), 1);
    glRectf(-1, -1, 0, 1);
    begin_capture();
    glUseProgram(bad);
    glUniform1i(glGetUniformLocation(bad, "n"), 0);
    glRectf(-1, -1, -0.9f, -0.9f);
    glUseProgram(good);
    glRectf(0, -1, 1, 1);
    glFinish();
    assert_int_equal(end_capture(), 1);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    expect(SIZE / 4, SIZE / 2, 1, 1, 0);
    expect(3 * SIZE / 4, SIZE / 2, 1, 1, 0);
}

/* --- work that advances --- */

/* Each pixel iterates x = 5 x + 3 from its column on. */
static const char long_fs[] =
    HEAD "void main() { uint x = uint(gl_FragCoord.x);\n"
         "for (int i = 0; i < n; i++) x = x * 5u + 3u;\n"
         "gl_FragColor = vec4(uvec4(x, x >> 8, x >> 16, 255) & 255u) / 255.0; }\n";

static void expect_long_pixels(int n)
{
    for (unsigned column = 0; column < SIZE; column++) {
        uint32_t x = column;
        GLubyte p[4];
        for (int i = 0; i < n; i++)
            x = x * 5 + 3;
        glReadPixels(column, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        assert_int_equal(p[0] | p[1] << 8 | p[2] << 16, x & 0xffffff);
    }
}

/* Draws the window with the current program, and returns the CPU time. */
static double draw_long(GLuint program, int n)
{
    const double begun = cpu_seconds();
    glUniform1i(glGetUniformLocation(program, "n"), n);
    glRectf(-1, -1, 1, 1);
    glFinish();
    return cpu_seconds() - begun;
}

/* Returns the number of iterations that make a draw take `time`, not much more. */
static int find_length(GLuint program, double time)
{
    int n = 1000;
    double taken;

    draw_long(program, n); /* includes the compilation, which would count as iterations */
    while ((taken = fmin(draw_long(program, n), draw_long(program, n))) < 0.1 * LIMIT &&
           n < 1 << 26) /* a lost context draws nothing */
        n *= 2;
    return (int)(n * (time / taken));
}

/* Repeats a check that fails by chance if the host takes the CPU away for about the limit, which
 * counts as CPU time. */
static void check_patiently(bool (*check)(void))
{
    unsigned attempts = 5;
    while (!check())
        assert_true(--attempts > 0);
}

static bool check_long_draw(void)
{
    use_context(GL_RESET_NO_NOTIFICATION);
    GLuint p = gl_test_program(plain_vs, long_fs);
    glUseProgram(p);
    const int n = find_length(p, 3 * LIMIT);
    const double time = draw_long(p, n);
    if (time <= LIMIT || glGetError() != GL_NO_ERROR)
        return false;
    expect_long_pixels(n);
    return true;
}

/* Checks that a draw whose vectors each take a small part of the limit may take several times the
 * limit, and a frame of such draws. */
static void test_long_draw(void **state)
{
    check_patiently(check_long_draw);
}

static bool check_long_frame(void)
{
    enum { DRAWS = 10 };
    use_context(GL_RESET_LOSE_CONTEXT);
    GLuint p = gl_test_program(plain_vs, long_fs);
    glUseProgram(p);
    const int n = find_length(p, 0.3 * LIMIT);
    for (unsigned changes = 0; changes < 2; changes++) {
        for (unsigned i = 0; i < DRAWS; i++) {
            glUniform1i(glGetUniformLocation(p, "n"), n + (int)(changes * i));
            draw_window(GL_TRIANGLES);
        }
        glFinish();
        if (glGetError() != GL_NO_ERROR)
            return false;
        expect_long_pixels(n + (changes ? DRAWS - 1 : 0));
    }
    return glGetGraphicsResetStatus() == GL_NO_ERROR;
}

/* Checks that a frame of a robust context may take longer than the limit, which is one for each
 * draw, whether the draws have the same state or not. */
static void test_long_frame(void **state)
{
    check_patiently(check_long_frame);
}

/* Checks that the number of iterations alone has no limit. Only machine code is fast enough. */
static void test_many_iterations(void **state)
{
    const char *debug = getenv("INDIUM_DEBUG"), *driver = getenv("INDIUM_DRIVER");
    if ((debug && strstr(debug, "interpret")) || (driver && !strcmp(driver, "i965")))
        skip();
    use_context(GL_RESET_NO_NOTIFICATION);
    GLuint p = gl_test_program(plain_vs, long_fs);
    glUseProgram(p);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, SIZE / 2, SIZE, 1);
    draw_long(p, 40000000);
    glDisable(GL_SCISSOR_TEST);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    expect_long_pixels(40000000);
}

/* --- debug callbacks --- */

static unsigned calls;

static void on_message_fail(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                            const GLchar *text, const void *user)
{
    calls++;
    glEnable(0xffff);
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1,
                         GL_DEBUG_SEVERITY_HIGH, -1, "in the callback");
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "group");
    glPopDebugGroup();
}

/* Checks that a callback whose commands cause messages isn't called again for them. */
static void test_failing_callback(void **state)
{
    use_context(GL_RESET_NO_NOTIFICATION);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
    glDebugMessageCallback(on_message_fail, NULL);
    calls = 0;
    glLineWidth(-1);
    assert_int_equal(calls, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1,
                         GL_DEBUG_SEVERITY_HIGH, -1, "message");
    assert_int_equal(calls, 2);
    assert_int_equal(glGetError(), GL_INVALID_ENUM); /* raised in the callback */
    GLuint p = endless_program(FRAGMENT);
    calls = 0;
    run_stage(FRAGMENT, p, 0);
    assert_int_equal(calls, 1);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
    glDebugMessageCallback(on_message, NULL);
    num_messages = 0;
    glLineWidth(-1);
    assert_int_equal(num_messages, 1);
}

/* Checks that a command whose first draw is empty is not taken for a part of the command before,
 * which was stopped. */
static void test_empty_first_draw(void **state)
{
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    static const GLubyte order[] = {0, 1, 2};
    static const void *const indices[] = {order, order};
    static const GLsizei counts[] = {0, 3};
    use_context(GL_RESET_NO_NOTIFICATION);
    GLuint p = endless_program(VERTEX);
    run_stage(VERTEX, p, 0);
    while (glGetError() != GL_NO_ERROR)
        ;
    glUniform1i(glGetUniformLocation(p, "n"), 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glMultiDrawElements(GL_TRIANGLES, counts, GL_UNSIGNED_BYTE, indices, 2);
    glDisableClientState(GL_VERTEX_ARRAY);
    expect(SIZE / 2, SIZE / 2, 0, 1, 0);
    gl_test_delete_program(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_context),    cmocka_unit_test(test_robust_context),
        cmocka_unit_test(test_get_error),        cmocka_unit_test(test_other_draws),
        cmocka_unit_test(test_long_draw),        cmocka_unit_test(test_long_frame),
        cmocka_unit_test(test_many_iterations),  cmocka_unit_test(test_failing_callback),
        cmocka_unit_test(test_empty_first_draw),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
