/* SPDX-License-Identifier: MIT */
/*
 * What contexts report about themselves: versions, strings, extensions, and limits, which must
 * reach the version's minimums (gl_limit_table.h, from gl_versions.py). The version follows from
 * the driver's caps or is forced by the environment.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>

#include "gl_get_names.h"
#include "gl_limit_table.h"
#include "gl_test.h"

static const struct gl_test_window window = {16, 16};

static int setup_compat(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static int setup_core(void **state)
{
    return core->max_version(GL_API_CORE) ? gl_test_setup(state, GL_API_CORE, &window) : 0;
}

static int setup_es1(void **state)
{
    return gl_test_setup(state, GL_API_ES1, &window);
}

static int setup_es(void **state)
{
    return gl_test_setup(state, GL_API_ES2, &window);
}

static int teardown(void **state)
{
    return *state ? gl_test_teardown(state) : 0;
}

static int get_core(void **state)
{
    core = indium_core_interface();
    return 0;
}

/* Returns 10 * major + minor of GL_VERSION. */
static unsigned version(void)
{
    const char *text = (const char *)glGetString(GL_VERSION);
    text += strcspn(text, "0123456789");
    return 10 * (text[0] - '0') + (text[2] - '0');
}

/* Prints all limits that are too small. */
static void check_limits(bool es)
{
    unsigned v = version(), wrong = 0;
    for (unsigned i = 0; i < sizeof limit_table / sizeof *limit_table; i++) {
        unsigned since = es ? limit_table[i].es_version : limit_table[i].gl_version;
        bool is_least = !strncmp(limit_table[i].name, "MIN_PROGRAM", 11);
        GLint64 value = 0x7badbad;
        if (!since || since > v)
            continue;
        if (v >= 32 || (es && v >= 30))
            glGetInteger64v(limit_table[i].pname, &value);
        else
            glGetIntegerv(limit_table[i].pname, (GLint *)&value);
        if (v < 32 && !(es && v >= 30))
            value = (GLint)value;
        GLenum error = glGetError();
        if (!error && (is_least ? value <= limit_table[i].least : value >= limit_table[i].least))
            continue;
        printf("GL_%s of version %u is %lld, not %lld (error %#x)\n", limit_table[i].name, v,
               (long long)value, limit_table[i].least, error);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static bool has_extension(const char *name)
{
    GLint count = 0;
    if (version() < 30) {
        const char *all = (const char *)glGetString(GL_EXTENSIONS), *at = all;
        size_t length = strlen(name);
        while ((at = strstr(at, name)) && (at[length] != ' ' || (at > all && at[-1] != ' ')))
            at += length;
        return at;
    }
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++)
        if (!strcmp((const char *)glGetStringi(GL_EXTENSIONS, i), name))
            return true;
    return false;
}

static bool has_name(unsigned name, enum gl_api api)
{
    unsigned since = get_names[name].since[api];
    bool has = since && since <= version();
    for (unsigned i = 0; i < sizeof get_names->extensions / sizeof *get_names->extensions; i++)
        has =
            has || (get_names[name].extensions[i] && has_extension(get_names[name].extensions[i]));
    return has;
}

/* Checks that the names of state of the context's version and extensions are accepted, at least by
 * indexed queries, and that no others are. */
static void check_names(enum gl_api api)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < sizeof get_names / sizeof *get_names; i++) {
        GLint values[512];
        glGetIntegerv(get_names[i].pname, values);
        bool has = has_name(i, api), answers = glGetError() != GL_INVALID_ENUM;
        if (has && !answers) {
            glGetIntegeri_v(get_names[i].pname, 0, values);
            answers = !glGetError();
        }
        if (has != answers)
            wrong += printf("%s: %d, not %d\n", get_names[i].name, answers, has) > 0;
    }
    assert_int_equal(wrong, 0);
}

/* Checks queries of what is bound to a unit other than the active one (GL 4.6 §22.5). */
static void check_unit_bindings(bool es)
{
    const GLenum names[] = {GL_TEXTURE_BINDING_2D_ARRAY, GL_SAMPLER_BINDING};
    GLuint bound[2];
    GLint v, units;
    if (version() < (es ? 30 : 33))
        return;
    glGenTextures(1, &bound[0]);
    glGenSamplers(1, &bound[1]);
    glActiveTexture(GL_TEXTURE3);
    glBindTexture(GL_TEXTURE_2D_ARRAY, bound[0]);
    glBindSampler(3, bound[1]);
    glActiveTexture(GL_TEXTURE0);
    glGetIntegerv(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &units);
    for (unsigned i = 0; i < 2; i++) {
        glGetIntegeri_v(names[i], 3, &v);
        assert_int_equal(v, bound[i]);
        glGetIntegeri_v(names[i], 2, &v);
        assert_int_equal(v, 0);
        expect_error(GL_NO_ERROR);
        glGetIntegeri_v(names[i], units, &v);
        expect_error(GL_INVALID_VALUE);
    }
    glDeleteTextures(1, &bound[0]);
    glDeleteSamplers(1, &bound[1]);
}

/* GL 4.6 §22.2: the first of the languages is the one in the version string. */
static void check_languages(const char *profile)
{
    const char *latest = (const char *)glGetString(GL_SHADING_LANGUAGE_VERSION);
    GLint count = 0;
    if (version() < 30)
        return;
    glGetIntegerv(GL_NUM_SHADING_LANGUAGE_VERSIONS, &count);
    assert_true(count > 0);
    const char *first = (const char *)glGetStringi(GL_SHADING_LANGUAGE_VERSION, 0);
    int number = 100 * atoi(latest) + atoi(strchr(latest, '.') + 1);
    assert_int_equal(atoi(first), number);
    if (number >= 150)
        assert_non_null(strstr(first, profile));
    for (GLint i = 1; i < count; i++)
        assert_non_null(glGetStringi(GL_SHADING_LANGUAGE_VERSION, i));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_null(glGetStringi(GL_SHADING_LANGUAGE_VERSION, count));
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
}

/* GL 4.6 §22.2: the extension string, its parts by index, and the version numbers agree. */
static void check_strings(bool has_string)
{
    GLint major = 0, minor = 0, count = 0;
    if (version() < 30)
        return;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    assert_int_equal(10 * major + minor, version());
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    assert_true(count > 0);
    for (GLint i = 0; i < count; i++) {
        const char *name = (const char *)glGetStringi(GL_EXTENSIONS, i);
        assert_non_null(name);
        assert_int_equal(strncmp(name, "GL_", 3), 0);
        if (has_string)
            assert_non_null(strstr((const char *)glGetString(GL_EXTENSIONS), name));
    }
    assert_null(glGetStringi(GL_EXTENSIONS, count));
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    assert_null(glGetStringi(GL_RENDERER, 0));
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    if (has_string)
        return;
    assert_null(glGetString(GL_EXTENSIONS));
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
}

/* Checks image parameters that core contexts and OpenGL ES lack (GL 3.2 core, appendix E.2.2). */
static void check_level_parameters(bool compat)
{
    static const GLenum sizes[] = {GL_TEXTURE_LUMINANCE_SIZE, GL_TEXTURE_INTENSITY_SIZE,
                                   GL_TEXTURE_LUMINANCE_TYPE, GL_TEXTURE_INTENSITY_TYPE};
    GLuint t;
    GLint v;
    while (glGetError())
        ;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, sizes[i], &v);
        assert_true(compat ? !glGetError() : glGetError() != GL_NO_ERROR);
    }
    glDeleteTextures(1, &t);
}

/* GL 4.6 §8.11, ES 3.2 §8.11: checks queries of parameters that the context's textures lack. */
static void check_texture_parameters(GLenum of_compat, GLenum of_desktop)
{
    static const GLenum compat[] = {GL_GENERATE_MIPMAP, GL_TEXTURE_PRIORITY, GL_TEXTURE_RESIDENT,
                                    GL_DEPTH_TEXTURE_MODE};
    GLint v;
    for (unsigned i = 0; i < sizeof compat / sizeof *compat; i++) {
        glGetTexParameteriv(GL_TEXTURE_2D, compat[i], &v);
        expect_error(of_compat);
    }
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, &v);
    expect_error(of_desktop);
}

static void test_compat(void **state)
{
    const char *forced = getenv("INDIUM_GL_VERSION_OVERRIDE");
    assert_int_equal(version(), core->max_version(GL_API_COMPAT));
    if (forced)
        assert_int_equal(version(), 10 * (forced[0] - '0') + (forced[2] - '0'));
    check_limits(false);
    check_strings(true);
    check_languages("compatibility");
    check_level_parameters(true);
    check_texture_parameters(GL_NO_ERROR, GL_NO_ERROR);
    check_names(GL_API_COMPAT);
    check_unit_bindings(false);
}

static void test_core(void **state)
{
    if (!*state)
        return;
    assert_int_equal(version(), core->max_version(GL_API_CORE));
    check_limits(false);
    check_strings(false);
    check_languages("core");
    check_level_parameters(false);
    check_texture_parameters(GL_INVALID_ENUM, GL_NO_ERROR);
    check_names(GL_API_CORE);
    check_unit_bindings(false);
}

static void test_es1(void **state)
{
    check_names(GL_API_ES1);
}

static void test_es(void **state)
{
    assert_int_equal(version(), core->max_version(GL_API_ES2));
    check_limits(true);
    check_strings(true);
    check_level_parameters(false);
    check_texture_parameters(GL_INVALID_ENUM, GL_INVALID_ENUM);
    check_names(GL_API_ES2);
    check_unit_bindings(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_compat, setup_compat, teardown),
        cmocka_unit_test_setup_teardown(test_core, setup_core, teardown),
        cmocka_unit_test_setup_teardown(test_es1, setup_es1, teardown),
        cmocka_unit_test_setup_teardown(test_es, setup_es, teardown),
    };
    return cmocka_run_group_tests(tests, get_core, NULL);
}
