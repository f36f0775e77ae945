/* SPDX-License-Identifier: MIT */
/*
 * Debug callbacks that call GL and the core. KHR_debug leaves this undefined; here, the callback is
 * not called again, commands work as outside of it, and it runs when the command that caused the
 * message has ended, without the lock of the share group.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <pthread.h>
#include <stdio.h>

#include "gl_test.h"

static const struct gl_test_window window = {16, 16};

/* What the callback does; the messages that it got. */
static void (*action)(void);
static unsigned count;
static GLuint last_id;
static GLenum last_type;
static char last_text[4096];

static void GLAPIENTRY on_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                  GLsizei length, const GLchar *text, const void *user)
{
    assert_ptr_equal(user, &count);
    assert_int_equal(length, strlen(text));
    snprintf(last_text, sizeof last_text, "%s", text);
    last_type = type;
    last_id = id;
    count++;
    if (action)
        action();
}

/* Lets later messages call on_message, which calls `f`. */
static void listen(void (*f)(void))
{
    glEnable(GL_DEBUG_OUTPUT);
    glDebugMessageCallback(on_message, &count);
    action = f;
    count = 0;
}

static int setup(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* The first raises its error without a lock, the second is a command that takes the lock of a
 * share group. */
static void set_bad_width(void)
{
    glLineWidth(-1);
}

static void bind_bad_texture(void)
{
    glBindTexture(GL_LINE, 1);
}

static void (*const failing[])(void) = {set_bad_width, bind_bad_texture};
static const GLenum errors[] = {GL_INVALID_VALUE, GL_INVALID_ENUM};

static void fail_and_insert(void)
{
    assert_int_equal(glGetError(), last_id); /* the callback may clear the error */
    set_bad_width();
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_OTHER, 7,
                         GL_DEBUG_SEVERITY_HIGH, -1, "not sent");
    bind_bad_texture();
}

/* Errors and inserted messages of the callback don't call it, and are not logged. */
static void check_recursion(void)
{
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned synchronous = 0; synchronous < 2; synchronous++) {
            (synchronous ? glEnable : glDisable)(GL_DEBUG_OUTPUT_SYNCHRONOUS);
            listen(fail_and_insert);
            failing[i]();
            assert_int_equal(count, 1);
            assert_int_equal(last_type, GL_DEBUG_TYPE_ERROR);
            assert_int_equal(last_id, errors[i]);
            assert_int_equal(glGetError(), GL_INVALID_ENUM); /* of the callback's last command */
            action = NULL;
            failing[i]();
            assert_int_equal(count, 2);
            assert_int_equal(glGetError(), errors[i]);
        }
    }
    GLint logged = -1;
    glGetIntegerv(GL_DEBUG_LOGGED_MESSAGES, &logged);
    assert_int_equal(logged, 0);
    glDisable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
}

static void test_recursion(void **state)
{
    check_recursion();
}

static void remove_callback(void)
{
    glDebugMessageCallback(NULL, NULL);
    set_bad_width(); /* goes to the log */
}

static void test_other_callback(void **state)
{
    for (unsigned i = 0; i < 2; i++) {
        GLenum type = 0;
        listen(remove_callback);
        failing[i]();
        failing[i]();
        assert_int_equal(count, 1);
        assert_int_equal(glGetDebugMessageLog(1, 0, NULL, &type, NULL, NULL, NULL, NULL), 1);
        assert_int_equal(type, GL_DEBUG_TYPE_ERROR);
        assert_int_equal(glGetDebugMessageLog(9, 0, NULL, NULL, NULL, NULL, NULL, NULL), 1);
        assert_int_equal(glGetError(), errors[i]);
    }
}

/* All messages of a command arrive, in their order, even if there are many. */
static unsigned sum;

static void add_id(void)
{
    assert_int_equal(last_id, sum % 40);
    sum++;
}

static void test_many_messages(void **state)
{
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    for (unsigned i = 0; i < 40; i++)
        glBindTexture(GL_LINE, i);
    glEndList();
    listen(NULL);
    glCallList(list);
    assert_int_equal(count, 40);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glDeleteLists(list, 1);
    listen(add_id);
    for (GLuint i = 0; i < 80; i++)
        glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_OTHER, i % 40,
                             GL_DEBUG_SEVERITY_HIGH, -1, "text");
    assert_int_equal(sum, 80);
}

static void push_all(void)
{
    for (unsigned i = 0; i < 100; i++)
        glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, i, -1, "inner");
    assert_int_equal(glGetError(), GL_STACK_OVERFLOW);
}

static void push_one(void)
{
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 9, -1, "pushed while another is popped");
}

/* Callbacks of glPushDebugGroup and glPopDebugGroup change the stack of groups. */
static void test_groups(void **state)
{
    GLint depth = 0, most = 0;
    glGetIntegerv(GL_MAX_DEBUG_GROUP_STACK_DEPTH, &most);
    listen(push_all);
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "outer");
    assert_int_equal(count, 1);
    assert_string_equal(last_text, "outer");
    glGetIntegerv(GL_DEBUG_GROUP_STACK_DEPTH, &depth);
    assert_int_equal(depth, most);
    listen(NULL);
    for (GLint i = 1; i < most - 1; i++) {
        glPopDebugGroup();
        assert_string_equal(last_text, "inner");
    }
    listen(push_one);
    glPopDebugGroup();
    assert_int_equal(count, 1);
    assert_int_equal(last_id, 1);
    assert_string_equal(last_text, "outer");
    listen(NULL);
    glPopDebugGroup();
    assert_int_equal(last_id, 9);
    assert_string_equal(last_text, "pushed while another is popped");
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glPopDebugGroup();
    assert_int_equal(glGetError(), GL_STACK_UNDERFLOW);
}

/* Messages, groups and labels have up to 4,095 characters, as in Mesa. */
static void test_long_messages(void **state)
{
    GLint limit = 0, label_limit = 0;
    GLuint texture;
    static char text[4097], label[4096];
    memset(text, 'x', sizeof text - 1);
    glGetIntegerv(GL_MAX_DEBUG_MESSAGE_LENGTH, &limit);
    glGetIntegerv(GL_MAX_LABEL_LENGTH, &label_limit);
    assert_int_equal(limit, 4096);
    assert_int_equal(label_limit, 4096);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    listen(NULL);
    for (unsigned explicit_length = 0; explicit_length < 2; explicit_length++) {
        for (GLsizei n = 4094; n <= 4096; n++) {
            const GLenum want = n < limit ? GL_NO_ERROR : GL_INVALID_VALUE;
            const GLsizei length = explicit_length ? n : -1;
            text[n] = explicit_length ? 'x' : 0;
            count = 0;
            glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1,
                                 GL_DEBUG_SEVERITY_HIGH, length, text);
            assert_int_equal(glGetError(), want);
            assert_int_equal(count, 1); /* the message, or that of the error */
            assert_int_equal(last_type, want ? GL_DEBUG_TYPE_ERROR : GL_DEBUG_TYPE_MARKER);
            if (!want)
                assert_int_equal(strlen(last_text), n);
            glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, length, text);
            assert_int_equal(glGetError(), want);
            if (!want)
                glPopDebugGroup();
            glObjectLabel(GL_TEXTURE, texture, length, text);
            assert_int_equal(glGetError(), want);
            if (!want) {
                GLsizei stored = 0;
                glGetObjectLabel(GL_TEXTURE, texture, sizeof label, &stored, label);
                assert_int_equal(stored, n);
            }
            text[n] = 'x';
        }
        text[4096] = 0;
    }
    glDebugMessageCallback(NULL, NULL);
    glDeleteTextures(1, &texture);
}

static GLuint doomed;

static void delete_program(void)
{
    assert_non_null(strstr(last_text, "does not link"));
    glDeleteProgram(doomed);
    assert_false(glIsProgram(doomed));
}

static void delete_shader(void)
{
    assert_non_null(strstr(last_text, "does not compile"));
    glDeleteShader(doomed);
    assert_false(glIsShader(doomed));
}

/* The object that the message is about. */
static void test_deleted_objects(void **state)
{
    const char *text = "void main() { x; }";
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    doomed = glCreateProgram();
    glAttachShader(doomed, shader); /* it is not compiled */
    glDeleteShader(shader);
    listen(delete_program);
    glLinkProgram(doomed);
    assert_int_equal(count, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    doomed = glCreateShader(GL_FRAGMENT_SHADER);
    listen(delete_shader);
    glShaderSource(doomed, 1, &text, NULL);
    glCompileShader(doomed);
    assert_int_equal(count, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static struct gl_context *main_context, *second;

/* A command of another context of the group, on another thread. */
static void *name_texture(void *unused)
{
    GLuint texture = 0;
    if (core->make_current(second, NULL, NULL)) {
        glGenTextures(1, &texture);
        glDeleteTextures(1, &texture);
        core->make_current(NULL, NULL, NULL);
    }
    return texture ? &second : NULL;
}

static void wait_for_thread(void)
{
    pthread_t thread;
    void *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, name_texture, NULL), 0);
    pthread_join(thread, &result);
    assert_ptr_equal(result, &second);
}

static void use_second(void)
{
    GLuint texture = 0;
    assert_true(core->make_current(second, NULL, NULL));
    set_bad_width();
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGenTextures(1, &texture);
    assert_int_not_equal(texture, 0);
    assert_true(core->make_current(main_context, drawable, drawable));
}

static void destroy_second(void)
{
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(second);
}

/* A callback that waits for another thread's command, makes contexts current, and destroys the
 * context of the command. */
static void test_contexts(void **state)
{
    for (unsigned i = 0; i < 2; i++) {
        enum gl_create_error error;
        second = core->context_create(
            &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 3, .share = *state},
            &error);
        main_context = *state;
        assert_non_null(second);
        check_recursion();
        listen(wait_for_thread);
        failing[i]();
        assert_int_equal(count, 1);
        listen(use_second);
        failing[i]();
        assert_int_equal(count, 1);
        assert_int_equal(glGetError(), errors[i]);
        assert_true(core->make_current(second, NULL, NULL));
        listen(destroy_second);
        failing[i]();
        assert_int_equal(count, 1);
        assert_null(core->get_current());
        assert_true(core->make_current(*state, drawable, drawable));
        action = NULL;
        glClearColor(0, 1, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        expect(5, 5, 0, 1, 0);
        assert_int_equal(glGetError(), GL_NO_ERROR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recursion),      cmocka_unit_test(test_long_messages),
        cmocka_unit_test(test_other_callback), cmocka_unit_test(test_many_messages),
        cmocka_unit_test(test_groups),         cmocka_unit_test(test_deleted_objects),
        cmocka_unit_test(test_contexts),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
