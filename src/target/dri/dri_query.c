/* SPDX-License-Identifier: MIT */
/* Queries of the renderer and of driver options, of which there are none. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "target/dri/dri_private.h"

static int query_version(const struct indium_core *core, int attribute, unsigned value[2])
{
    static const enum gl_api apis[] = {GL_API_CORE, GL_API_COMPAT, GL_API_ES1, GL_API_ES2};
    unsigned version =
        core->max_version(apis[attribute - __DRI2_RENDERER_OPENGL_CORE_PROFILE_VERSION]);

    value[0] = version / 10;
    value[1] = version % 10;
    return 0;
}

static int query_integer(__DRIscreen *screen, int attribute, unsigned *value)
{
    const struct indium_core *core = screen->core;

    if (attribute >= __DRI2_RENDERER_OPENGL_CORE_PROFILE_VERSION &&
        attribute <= __DRI2_RENDERER_OPENGL_ES2_PROFILE_VERSION)
        return query_version(core, attribute, value);
    switch (attribute) {
    case __DRI2_RENDERER_VENDOR_ID:
    case __DRI2_RENDERER_DEVICE_ID:
        *value = 0xffffffff;
        return 0;
    case __DRI2_RENDERER_VERSION:
        value[0] = value[1] = value[2] = 0;
        sscanf(core->release, "%u.%u.%u", &value[0], &value[1], &value[2]);
        return 0;
    case __DRI2_RENDERER_VIDEO_MEMORY:
        *value = (unsigned)((uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) >> 20);
        return 0;
    case __DRI2_RENDERER_UNIFIED_MEMORY_ARCHITECTURE:
    case __DRI2_RENDERER_HAS_TEXTURE_3D:
    case __DRI2_RENDERER_HAS_NO_ERROR_CONTEXT:
        *value = 1;
        return 0;
    case __DRI2_RENDERER_HAS_FRAMEBUFFER_SRGB:
        *value = tgt_supports_srgb(core);
        return 0;
    case __DRI2_RENDERER_PREFERRED_PROFILE: /* bit number is the API */
        *value = 1u << (core->max_version(GL_API_CORE) > core->max_version(GL_API_COMPAT)
                            ? __DRI_API_OPENGL_CORE
                            : __DRI_API_OPENGL);
        return 0;
    case __DRI2_RENDERER_ACCELERATED:
    case __DRI2_RENDERER_HAS_CONTEXT_PRIORITY:
    case __DRI2_RENDERER_HAS_PROTECTED_SURFACE:
    case __DRI2_RENDERER_HAS_PROTECTED_CONTEXT:
    case __DRI2_RENDERER_PREFER_BACK_BUFFER_REUSE:
        *value = 0;
        return 0;
    default:
        return -1;
    }
}

static int query_string(__DRIscreen *screen, int attribute, const char **value)
{
    switch (attribute) {
    case __DRI2_RENDERER_VENDOR_ID:
        *value = screen->core->name;
        return 0;
    case __DRI2_RENDERER_DEVICE_ID:
        *value = screen->core->renderer();
        return 0;
    default:
        return -1;
    }
}

const __DRI2rendererQueryExtension dri_renderer_extension = {
    {__DRI2_RENDERER_QUERY, 1},
    .queryInteger = query_integer,
    .queryString = query_string,
};

/* -------------------------------------------------------------------------------- options --- */

static int query_bool(__DRIscreen *screen, const char *name, unsigned char *value)
{
    return -1;
}

static int query_int(__DRIscreen *screen, const char *name, int *value)
{
    return -1;
}

static int query_float(__DRIscreen *screen, const char *name, float *value)
{
    return -1;
}

static int query_text(__DRIscreen *screen, const char *name, char **value)
{
    return -1;
}

const __DRI2configQueryExtension dri_config_query_extension = {
    {__DRI2_CONFIG_QUERY, 2},    .configQueryb = query_bool, .configQueryi = query_int,
    .configQueryf = query_float, .configQuerys = query_text,
};

/* An empty option list in driconf's format. */
#define NO_OPTIONS "<?xml version=\"1.0\" standalone=\"yes\"?>\n<driinfo>\n</driinfo>\n"

static char *options_xml(const char *driver_name)
{
    return strdup(NO_OPTIONS);
}

const __DRIconfigOptionsExtension dri_options_extension = {
    {__DRI_CONFIG_OPTIONS, 2},
    .xml = NO_OPTIONS,
    .getXml = options_xml,
};
