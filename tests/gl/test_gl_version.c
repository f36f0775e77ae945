/* SPDX-License-Identifier: MIT */
/* The version and extensions that follow from a driver's caps, by the tables of gl_versions.py. */
#include "gl/api/gl_version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gl/api/gl_core_private.h"
#include "gl_dispatch.h"

static unsigned absent = GL_SLOT_COUNT; /* the only command that is not implemented */

bool gl_has_command(unsigned slot)
{
    return slot != absent;
}

uint64_t gl_incomplete_versions(unsigned api)
{
    return absent == GL_SLOT_ClearBufferfi && api <= GL_API_CORE ? 1ull << 30 : 0;
}

/* Returns the caps of a device that supports everything. */
static struct drv_caps full_caps(void)
{
    struct drv_caps c;
    memset(&c, 1, sizeof c); /* every bool is true, every number is large */
    c.min_texel_offset = c.min_gather_offset = -8;
    c.max_anisotropy = 16.0f;
    return c;
}

static void test_overrides_pick_rows(void **state)
{
    assert_int_equal(gl_version_row(GL_API_COMPAT, 33)->language, 330);
    assert_ptr_equal(gl_version_row(GL_API_COMPAT, 33), gl_version_row(GL_API_CORE, 33));
    assert_int_equal(gl_version_row(GL_API_ES2, 31)->language, 310);
    assert_null(gl_version_row(GL_API_COMPAT, 34));
    assert_null(gl_version_row(GL_API_ES2, 33));
    assert_null(gl_version_row(GL_API_ES1, 11));
}

static void test_caps_bound_the_version(void **state)
{
    const struct drv_caps full = full_caps();
    struct drv_caps c = full;

    c.max_samples = 1;
    assert_int_equal(gl_supported_version(&c, GL_API_COMPAT), 21);
    assert_int_equal(gl_supported_version(&c, GL_API_CORE), 0);
    assert_int_equal(gl_supported_version(&c, GL_API_ES1), 11);
    assert_int_equal(gl_supported_version(&c, GL_API_ES2), 20);
    c = full;
    c.texture_buffer_objects = false;
    assert_int_equal(gl_supported_version(&c, GL_API_COMPAT), 30);
    assert_int_equal(gl_supported_version(&c, GL_API_CORE), 0);
    c = full;
    c.stage[SHADER_GEOMETRY].supported = false;
    assert_int_equal(gl_supported_version(&c, GL_API_COMPAT), 31);
    assert_int_equal(gl_supported_version(&c, GL_API_CORE), 31);
    c = full;
    c.max_gs_output_vertices = 255;
    assert_int_equal(gl_supported_version(&c, GL_API_CORE), 31);
    c.stage[SHADER_FRAGMENT].supported = false;
    assert_int_equal(gl_supported_version(&c, GL_API_COMPAT), 0);
}

/* Checks that a version needs the commands it adds, and an extension its own. */
static void test_commands_bound_the_version(void **state)
{
    const struct drv_caps c = full_caps();
    struct gl_extensions e;

    absent = GL_SLOT_ClearBufferfi;
    assert_int_equal(gl_supported_version(&c, GL_API_COMPAT), 21);
    assert_int_equal(gl_supported_version(&c, GL_API_CORE), 0);
    absent = GL_SLOT_FenceSync;
    gl_supported_extensions(&e, &c, GL_API_COMPAT, 21);
    assert_false(e.ARB_sync);
    assert_int_equal(gl_supported_version(&c, GL_API_COMPAT), 31);
    absent = GL_SLOT_COUNT;
    gl_supported_extensions(&e, &c, GL_API_COMPAT, 21);
    assert_true(e.ARB_sync);
    assert_true(gl_supported_version(&c, GL_API_COMPAT) >= 32);
}

/* Checks that forced versions include the extensions they absorbed, whatever the driver; others
 * depend on caps. */
static void test_extensions(void **state)
{
    struct drv_caps c = full_caps();
    struct gl_extensions e;

    c.dual_source_blend = c.texture_multisample = false;
    gl_supported_extensions(&e, &c, GL_API_CORE, 33);
    assert_true(e.ARB_blend_func_extended && e.ARB_texture_multisample);
    gl_supported_extensions(&e, &c, GL_API_CORE, 31);
    assert_false(e.ARB_blend_func_extended || e.ARB_texture_multisample);
    assert_true(e.ARB_texture_buffer_object && e.ARB_sampler_objects);
    assert_true(e.EXT_gpu_shader4); /* as part of the version */
    assert_false(e.ARB_compatibility || e.EXT_bgra);
    gl_supported_extensions(&e, &c, GL_API_COMPAT, 30);
    assert_true(e.EXT_gpu_shader4);
    assert_false(e.ARB_compatibility || e.ARB_texture_buffer_object); /* from 3.1 on */
    gl_supported_extensions(&e, &c, GL_API_ES2, 20);
    assert_false(e.OES_geometry_shader || e.ARB_sync);
    gl_supported_extensions(&e, &c, GL_API_ES2, 30);
    assert_true(e.ARB_sync);
    assert_false(e.OES_geometry_shader || e.ARB_debug_output);
    gl_supported_extensions(&e, &c, GL_API_ES2, 31);
    assert_true(e.OES_geometry_shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overrides_pick_rows),
        cmocka_unit_test(test_caps_bound_the_version),
        cmocka_unit_test(test_commands_bound_the_version),
        cmocka_unit_test(test_extensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
