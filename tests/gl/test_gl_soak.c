/* SPDX-License-Identifier: MIT */
/*
 * Eight contexts on four threads, with objects and shaders that are created, used and deleted over
 * and over. Every picture is right and memory doesn't grow. `test_gl_soak 3600` runs for an hour.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "gl_test.h"
#include "util/sanitize.h"

#define THREADS  4
#define CONTEXTS 2 /* per thread; pairs of threads share */
#define SIZE     96
#define ROUNDS   20 /* per phase, if no time is given */
/* Maximum growth between the ends of two phases, in bytes: of the C library's heaps, and of
 * resident memory. The latter includes memory for compilation on workers; the previous phase's end
 * may have returned its pages. */
#define MAX_HEAP_GROWTH     2000000
#define MAX_RESIDENT_GROWTH (24 << 20)

static int seconds;
static const struct gl_test_window window = {SIZE, SIZE};

struct worker {
    pthread_t thread;
    struct gl_context *context[CONTEXTS];
    struct gl_drawable *drawable;
    const char *wrong; /* NULL: nothing */
    unsigned rounds;   /* rounds drawn */
};

static GLuint make_program(unsigned number)
{
    static const char vs[] =
        "varying vec4 v; void main() { gl_Position = gl_Vertex; v = gl_Vertex; }";
    char fs[300];
    snprintf(fs, sizeof fs,
             "uniform sampler2D s; varying vec4 v; void main() {\n"
             "vec4 c = texture2D(s, v.xy * %u.0); if (v.x * v.y > %u.0) discard;\n"
             "gl_FragColor = vec4(c.x * 0.0, 1.0, sin(c.y) * 0.0, 1.0); }",
             number % 5 + 1, number % 7 + 2);
    const char *text[] = {vs, fs};
    GLuint p = glCreateProgram();
    for (unsigned i = 0; i < 2; i++) {
        GLuint s = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(s, 1, &text[i], NULL);
        glCompileShader(s);
        glAttachShader(p, s);
        glDeleteShader(s);
    }
    glLinkProgram(p);
    return p;
}

/* Draws a scene and returns what is wrong with it, or NULL. */
static const char *draw_scene(unsigned number)
{
    uint8_t texels[16 * 16 * 4], pixel[4];
    GLuint texture, target, fbo, p = make_program(number);
    memset(texels, (int)number, sizeof texels);
    glGenTextures(1, &texture);
    glGenTextures(1, &target);
    glGenFramebuffers(1, &fbo);
    glBindTexture(GL_TEXTURE_2D, target);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(p);
    glRectf(-1, -1, 1, 1);
    glUseProgram(0);
    glReadPixels(SIZE - 2, (int)(number % SIZE), 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    glDeleteProgram(p);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
    glDeleteTextures(1, &target);
    if (glGetError() != GL_NO_ERROR)
        return "an error";
    return pixel[0] == 0 && pixel[1] == 255 && pixel[2] == 0 ? NULL : "a wrong picture";
}

static void *work(void *data)
{
    struct worker *w = data;
    time_t end = time(NULL) + seconds / 2;
    for (unsigned round = 0; !w->wrong && (seconds ? time(NULL) < end : round < ROUNDS); round++) {
        for (unsigned i = 0; i < CONTEXTS && !w->wrong; i++) {
            if (!core->make_current(w->context[i], w->drawable, w->drawable))
                w->wrong = "a context that cannot be current";
            else
                w->wrong = draw_scene(round + i);
        }
        w->rounds++;
    }
    core->make_current(NULL, NULL, NULL);
    return NULL;
}

struct memory {
    size_t heaps, resident; /* bytes */
};

static size_t resident(void)
{
    size_t size, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%zu %zu", &size, &pages), 2);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Runs a phase and returns the memory in use after it. */
static struct memory run_phase(struct worker *workers)
{
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        if (workers[i].wrong)
            fail_msg("thread %u: %s", i, workers[i].wrong);
    }
    struct mallinfo2 info = mallinfo2();
    return (struct memory){info.uordblks + info.hblkhd, resident()};
}

static void test_soak(void **state)
{
    static const struct gl_drawable_ops ops = {.get_size = gl_test_get_size};
    struct worker workers[THREADS] = {0};
    enum gl_create_error error;
    core = indium_core_interface();
    for (unsigned i = 0; i < THREADS; i++) {
        struct worker *w = &workers[i];
        w->drawable = core->drawable_create(&visual, &ops, (void *)&window);
        assert_non_null(w->drawable);
        for (unsigned k = 0; k < CONTEXTS; k++) {
            struct gl_context_attribs attribs = {
                .api = GL_API_COMPAT, .major = 1, .visual = &visual};
            attribs.share = i % 2 ? workers[i - 1].context[k] : NULL;
            w->context[k] = core->context_create(&attribs, &error);
            assert_non_null(w->context[k]);
        }
    }
    struct memory first = run_phase(workers), second = run_phase(workers);
    unsigned rounds = 0;
    for (unsigned i = 0; i < THREADS; i++)
        rounds += workers[i].rounds;
    print_message("%u rounds: %zu bytes, then %zu; %zu resident, then %zu\n", rounds, first.heaps,
                  second.heaps, first.resident, second.resident);
    assert_true(second.heaps <= first.heaps + MAX_HEAP_GROWTH);
#if !SANITIZED_ADDRESS && !SANITIZED_THREAD /* sanitizers keep freed memory */
    assert_true(second.resident <= first.resident + MAX_RESIDENT_GROWTH);
#endif
    for (unsigned i = 0; i < THREADS; i++) {
        for (unsigned k = 0; k < CONTEXTS; k++)
            core->context_destroy(workers[i].context[k]);
        core->drawable_destroy(workers[i].drawable);
    }
}

int main(int argc, char **argv)
{
    seconds = argc > 1 ? atoi(argv[1]) : 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_soak)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
