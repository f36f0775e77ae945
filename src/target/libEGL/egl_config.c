/* SPDX-License-Identifier: MIT */
/* EGLConfigs: each color format that the window system shows, or common formats for pbuffers if
 * there is no window system, combined with depth, stencil and sample counts. */
#include <stdlib.h>

#include "target/libEGL/egl_private.h"

#include "util/check.h"

EGLint egl_max_pbuffer_size(void)
{
    return indium_core_interface()->max_drawable_size();
}

static EGLint renderable_types(const struct indium_core *core)
{
    unsigned es = core->max_version(GL_API_ES2);

    return (core->max_version(GL_API_ES1) ? EGL_OPENGL_ES_BIT : 0) |
           (es >= 20 ? EGL_OPENGL_ES2_BIT : 0) | (es >= 30 ? EGL_OPENGL_ES3_BIT : 0) |
           (core->max_version(GL_API_COMPAT) || core->max_version(GL_API_CORE) ? EGL_OPENGL_BIT
                                                                               : 0);
}

/* Adds the first `most` configs of a native configuration. Deep colors form a select group of their
 * own, because the sort order would prefer them for programs that request 8 bits. */
static void add_native(struct egl_display *d, const struct ws_config *native, bool root,
                       unsigned most)
{
    const struct indium_core *core = indium_core_interface();
    struct tgt_config list[TGT_MAX_CONFIGS];
    unsigned n = tgt_list_configs(core, native,
                                  egl_display_is_x11(d) ? TGT_FOR_EGL : TGT_FOR_EGL_EXACT, list);

    for (unsigned i = 0; i < MIN2(n, most); i++) {
        struct egl_config *config = &d->configs[d->n_configs++];

        *config = (struct egl_config){
            .base = list[i],
            .can_window = d->has_windows && native->can_window,
            .select_group = !root && list[i].bits.red > 8,
            .renderable = renderable_types(core),
        };
        config->base.id = d->n_configs;
    }
}

/* Returns whether native configuration number `config` represents its format: the root visual, if
 * it has this format, else the first one. */
static bool represents_format(const struct ws_config *configs, unsigned count, unsigned config,
                              uint32_t root_visual)
{
    for (unsigned i = 0; i < count; i++) {
        if (configs[i].format == configs[config].format && i != config &&
            (configs[i].native_id == root_visual ||
             (i < config && configs[config].native_id != root_visual)))
            return false;
    }
    return true;
}

bool egl_configs_init(struct egl_display *d, uint32_t root_visual)
{
    unsigned count, pass;
    const struct ws_config *native = d->native->ws->ops->get_configs(d->native->ws, &count);

    d->n_configs = 0;
    d->configs = calloc(((size_t)count + TGT_FLOAT_NATIVES) * TGT_MAX_CONFIGS, sizeof *d->configs);
    if (!d->configs)
        return false;
    /* the root's format first, so that it wins ties; the one with alpha last, because compositors
     * blend its windows */
    for (pass = 0; pass < 3; pass++) {
        for (unsigned i = 0; i < count; i++) {
            bool root = native[i].native_id == root_visual && d->has_windows;
            unsigned rank = root ? 0 : native[i].depth == 32 && d->has_windows ? 2 : 1;

            if (rank != pass ||
                (d->has_windows && !represents_format(native, count, i, root_visual)))
                continue;
            add_native(d, &native[i], root, TGT_MAX_CONFIGS);
        }
    }
    /* EGL_MESA_x11_native_visual_id: eglChooseConfig finds a config for every visual */
    for (unsigned i = 0; i < count && egl_display_is_x11(d); i++) {
        if (!represents_format(native, count, i, root_visual))
            add_native(d, &native[i], false, 1);
    }
    for (unsigned i = 0; i < TGT_FLOAT_NATIVES; i++)
        add_native(d, &tgt_float_natives[i], false, TGT_MAX_CONFIGS);
    return true;
}

struct egl_config *egl_config_get(struct egl_display *d, EGLConfig config)
{
    uintptr_t offset = (uintptr_t)config - (uintptr_t)d->configs;

    if (offset < d->n_configs * sizeof *d->configs && offset % sizeof *d->configs == 0)
        return config;
    return NULL;
}

EGLint egl_config_surfaces(const struct egl_config *c)
{
    return EGL_PBUFFER_BIT | EGL_MULTISAMPLE_RESOLVE_BOX_BIT |
           (c->can_window ? EGL_WINDOW_BIT | EGL_SWAP_BEHAVIOR_PRESERVED_BIT : 0) |
           (c->base.native.can_pixmap && c->can_window ? EGL_PIXMAP_BIT : 0);
}

/* Stores the value of an attribute. Returns false if there is no such attribute. */
static bool config_attrib(const struct egl_config *c, EGLint attribute, EGLint *value)
{
    static const struct tgt_attrib_name names[] = {
        {EGL_BUFFER_SIZE, TGT_BUFFER_SIZE},
        {EGL_RED_SIZE, TGT_RED_SIZE},
        {EGL_GREEN_SIZE, TGT_GREEN_SIZE},
        {EGL_BLUE_SIZE, TGT_BLUE_SIZE},
        {EGL_ALPHA_SIZE, TGT_ALPHA_SIZE},
        {EGL_DEPTH_SIZE, TGT_DEPTH_SIZE},
        {EGL_STENCIL_SIZE, TGT_STENCIL_SIZE},
        {EGL_LUMINANCE_SIZE, TGT_CONSTANT},
        {EGL_ALPHA_MASK_SIZE, TGT_CONSTANT},
        {EGL_LEVEL, TGT_CONSTANT},
        {EGL_TRANSPARENT_RED_VALUE, TGT_CONSTANT},
        {EGL_TRANSPARENT_GREEN_VALUE, TGT_CONSTANT},
        {EGL_TRANSPARENT_BLUE_VALUE, TGT_CONSTANT},
        {EGL_MIN_SWAP_INTERVAL, TGT_CONSTANT, 0},
        {EGL_MAX_SWAP_INTERVAL, TGT_CONSTANT, 1},
        {EGL_BIND_TO_TEXTURE_RGB, TGT_CONSTANT, EGL_TRUE},
        {EGL_BIND_TO_TEXTURE_RGBA, TGT_HAS_ALPHA},
        {EGL_COLOR_BUFFER_TYPE, TGT_CONSTANT, EGL_RGB_BUFFER},
        {EGL_CONFIG_CAVEAT, TGT_CONSTANT, EGL_NONE},
        {EGL_TRANSPARENT_TYPE, TGT_CONSTANT, EGL_NONE},
        {EGL_CONFIG_ID, TGT_ID},
        {EGL_MAX_PBUFFER_WIDTH, TGT_MAX_SIDE},
        {EGL_MAX_PBUFFER_HEIGHT, TGT_MAX_SIDE},
        {EGL_MAX_PBUFFER_PIXELS, TGT_MAX_AREA},
        {EGL_NATIVE_VISUAL_ID, TGT_NATIVE_ID},
        {EGL_SAMPLE_BUFFERS, TGT_SAMPLE_BUFFERS},
        {EGL_SAMPLES, TGT_SAMPLES},
    };
    const struct tgt_attrib_name *attrib = tgt_attrib_find(names, ARRAY_SIZE(names), attribute);

    if (attrib) {
        *value = tgt_config_value(indium_core_interface(), &c->base, attrib);
        return true;
    }
    switch (attribute) {
    case EGL_CONFORMANT:
    case EGL_RENDERABLE_TYPE:
        *value = c->renderable;
        return true;
    case EGL_NATIVE_RENDERABLE:
        *value = c->can_window;
        return true;
    case EGL_CONFIG_SELECT_GROUP_EXT:
        *value = c->select_group;
        return true;
    case EGL_Y_INVERTED_NOK: /* the top row of a pixmap has the texture coordinate 0 */
        *value = c->base.native.can_pixmap ? EGL_TRUE : EGL_FALSE;
        return true;
    case EGL_COLOR_COMPONENT_TYPE_EXT:
        *value = tgt_is_float(c->base.gl.color) ? EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT
                                                : EGL_COLOR_COMPONENT_TYPE_FIXED_EXT;
        return true;
    case EGL_NATIVE_VISUAL_TYPE:
        *value = c->base.native.can_pixmap ? 4 /* X.h: TrueColor */ : EGL_NONE;
        return true;
    case EGL_SURFACE_TYPE:
        *value = egl_config_surfaces(c);
        return true;
    default:
        return false;
    }
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglGetConfigAttrib(EGLDisplay dpy, EGLConfig handle,
                                                     EGLint attribute, EGLint *value)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    const struct egl_config *config;

    if (!d)
        return EGL_FALSE;
    config = egl_config_get(d, handle);
    if (!config)
        return egl_fail(EGL_BAD_CONFIG);
    if (!value)
        return egl_fail(EGL_BAD_PARAMETER);
    return config_attrib(config, attribute, value) ? egl_ok() : egl_fail(EGL_BAD_ATTRIBUTE);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglGetConfigs(EGLDisplay dpy, EGLConfig *configs, EGLint size,
                                                EGLint *count)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);

    if (!d)
        return EGL_FALSE;
    if (!count)
        return egl_fail(EGL_BAD_PARAMETER);
    *count = configs ? CLAMP(size, 0, (EGLint)d->n_configs) : (EGLint)d->n_configs;
    for (EGLint i = 0; configs && i < *count; i++)
        configs[i] = &d->configs[i];
    return egl_ok();
}

/* How an attribute is matched (EGL 1.5 table 3.4). */
enum match { AT_LEAST, EXACT, MASK, SPECIAL };

static const struct criterion {
    EGLint attribute;
    enum match match;
    EGLint fallback;
} criteria[] = {
    {EGL_BUFFER_SIZE, AT_LEAST, 0},
    {EGL_RED_SIZE, AT_LEAST, 0},
    {EGL_GREEN_SIZE, AT_LEAST, 0},
    {EGL_BLUE_SIZE, AT_LEAST, 0},
    {EGL_LUMINANCE_SIZE, AT_LEAST, 0},
    {EGL_ALPHA_SIZE, AT_LEAST, 0},
    {EGL_ALPHA_MASK_SIZE, AT_LEAST, 0},
    {EGL_BIND_TO_TEXTURE_RGB, EXACT, EGL_DONT_CARE},
    {EGL_BIND_TO_TEXTURE_RGBA, EXACT, EGL_DONT_CARE},
    {EGL_COLOR_BUFFER_TYPE, EXACT, EGL_RGB_BUFFER},
    {EGL_COLOR_COMPONENT_TYPE_EXT, EXACT, EGL_COLOR_COMPONENT_TYPE_FIXED_EXT},
    {EGL_CONFIG_CAVEAT, EXACT, EGL_DONT_CARE},
    {EGL_CONFIG_ID, EXACT, EGL_DONT_CARE},
    {EGL_CONFORMANT, MASK, 0},
    {EGL_DEPTH_SIZE, AT_LEAST, 0},
    {EGL_LEVEL, EXACT, 0},
    {EGL_MATCH_NATIVE_PIXMAP, SPECIAL, EGL_NONE},
    {EGL_MAX_SWAP_INTERVAL, EXACT, EGL_DONT_CARE},
    {EGL_MIN_SWAP_INTERVAL, EXACT, EGL_DONT_CARE},
    {EGL_NATIVE_RENDERABLE, EXACT, EGL_DONT_CARE},
    {EGL_NATIVE_VISUAL_ID, EXACT, EGL_DONT_CARE}, /* EGL_MESA_x11_native_visual_id; see below */
    {EGL_NATIVE_VISUAL_TYPE, EXACT, EGL_DONT_CARE},
    {EGL_RENDERABLE_TYPE, MASK, EGL_OPENGL_ES_BIT},
    {EGL_SAMPLE_BUFFERS, AT_LEAST, 0},
    {EGL_SAMPLES, AT_LEAST, 0},
    {EGL_STENCIL_SIZE, AT_LEAST, 0},
    {EGL_SURFACE_TYPE, MASK, EGL_WINDOW_BIT},
    {EGL_Y_INVERTED_NOK, EXACT, EGL_DONT_CARE},
    {EGL_TRANSPARENT_TYPE, EXACT, EGL_NONE},
};

struct request {
    EGLint want[ARRAY_SIZE(criteria)];
    uint8_t pixmap_depth; /* depth of EGL_MATCH_NATIVE_PIXMAP, or 0 */
};

static int criterion_index(EGLint attribute)
{
    for (unsigned i = 0; i < ARRAY_SIZE(criteria); i++) {
        if (criteria[i].attribute == attribute)
            return i;
    }
    return -1;
}

/* Attributes that are accepted but ignored (EGL 1.5 §3.4.1.1). No config has transparent colors.
 * EGL_MESA_x11_native_visual_id makes the visual's ID a criterion on X11 only. */
static bool is_ignored(const struct egl_display *d, EGLint attribute)
{
    switch (attribute) {
    case EGL_MAX_PBUFFER_WIDTH:
    case EGL_MAX_PBUFFER_HEIGHT:
    case EGL_MAX_PBUFFER_PIXELS:
    case EGL_TRANSPARENT_RED_VALUE:
    case EGL_TRANSPARENT_GREEN_VALUE:
    case EGL_TRANSPARENT_BLUE_VALUE:
        return true;
    case EGL_NATIVE_VISUAL_ID:
        return !egl_display_is_x11(d);
    default:
        return false;
    }
}

/* Returns whether `value` is a valid request for the attribute. */
static bool value_allowed(EGLint attribute, EGLint value)
{
    static const EGLint all_apis = EGL_OPENGL_ES_BIT | EGL_OPENVG_BIT | EGL_OPENGL_ES2_BIT |
                                   EGL_OPENGL_BIT | EGL_OPENGL_ES3_BIT;
    static const EGLint all_surfaces = EGL_PBUFFER_BIT | EGL_PIXMAP_BIT | EGL_WINDOW_BIT |
                                       EGL_VG_COLORSPACE_LINEAR_BIT | EGL_VG_ALPHA_FORMAT_PRE_BIT |
                                       EGL_MULTISAMPLE_RESOLVE_BOX_BIT |
                                       EGL_SWAP_BEHAVIOR_PRESERVED_BIT;

    if (value == EGL_DONT_CARE)
        return attribute != EGL_LEVEL && attribute != EGL_MATCH_NATIVE_PIXMAP;
    switch (attribute) {
    case EGL_RENDERABLE_TYPE:
    case EGL_CONFORMANT:
        return !(value & ~all_apis);
    case EGL_SURFACE_TYPE:
        return !(value & ~all_surfaces);
    case EGL_COLOR_BUFFER_TYPE:
        return value == EGL_RGB_BUFFER || value == EGL_LUMINANCE_BUFFER;
    case EGL_COLOR_COMPONENT_TYPE_EXT:
        return value == EGL_COLOR_COMPONENT_TYPE_FIXED_EXT ||
               value == EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT;
    case EGL_CONFIG_CAVEAT:
        return value == EGL_NONE || value == EGL_SLOW_CONFIG || value == EGL_NON_CONFORMANT_CONFIG;
    case EGL_TRANSPARENT_TYPE:
        return value == EGL_NONE || value == EGL_TRANSPARENT_RGB;
    case EGL_NATIVE_RENDERABLE:
    case EGL_BIND_TO_TEXTURE_RGB:
    case EGL_BIND_TO_TEXTURE_RGBA:
    case EGL_Y_INVERTED_NOK:
        return value == EGL_TRUE || value == EGL_FALSE;
    case EGL_SAMPLE_BUFFERS:
        return value >= 0 && value <= 1;
    case EGL_LEVEL:
    case EGL_NATIVE_VISUAL_ID:
    case EGL_NATIVE_VISUAL_TYPE:
    case EGL_MATCH_NATIVE_PIXMAP:
        return true;
    default:
        return value >= 0;
    }
}

static bool match_pixmap(struct egl_display *d, struct request *r, EGLint pixmap)
{
    struct winsys *ws = d->native->ws;
    struct ws_drawable *native =
        d->has_windows ? ws->ops->drawable_create(ws, (uint32_t)pixmap, true, 0, 0) : NULL;

    if (!native)
        return false;
    r->pixmap_depth = native->config.depth;
    ws->ops->drawable_destroy(native);
    return true;
}

/* Parses an attribute list. Returns EGL_SUCCESS or the error. */
static EGLint request_parse(struct egl_display *d, struct request *r, const EGLint *list)
{
    r->pixmap_depth = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(criteria); i++)
        r->want[i] = criteria[i].fallback;
    for (; list && *list != EGL_NONE; list += 2) {
        int index = criterion_index(list[0]);

        if (is_ignored(d, list[0]))
            continue;
        if (index < 0 || !value_allowed(list[0], list[1]))
            return EGL_BAD_ATTRIBUTE;
        if (list[0] == EGL_MATCH_NATIVE_PIXMAP && list[1] != EGL_NONE &&
            !match_pixmap(d, r, list[1]))
            return EGL_BAD_NATIVE_PIXMAP;
        r->want[index] = list[1];
    }
    /* the type of the visual only matters for windows, on platforms that have visuals */
    if (!(r->want[criterion_index(EGL_SURFACE_TYPE)] & EGL_WINDOW_BIT) || !egl_display_is_x11(d))
        r->want[criterion_index(EGL_NATIVE_VISUAL_TYPE)] = EGL_DONT_CARE;
    return EGL_SUCCESS;
}

static EGLint value_of(const struct egl_config *c, EGLint attribute)
{
    EGLint value = 0;

    config_attrib(c, attribute, &value);
    return value;
}

static bool request_matches(const struct request *r, const struct egl_config *c)
{
    EGLint id = r->want[criterion_index(EGL_CONFIG_ID)];

    if (id != EGL_DONT_CARE) /* all other attributes are ignored */
        return c->base.id == id;
    if (r->pixmap_depth && c->base.native.depth != r->pixmap_depth)
        return false;
    for (unsigned i = 0; i < ARRAY_SIZE(criteria); i++) {
        EGLint want = r->want[i], have = value_of(c, criteria[i].attribute);

        if (want == EGL_DONT_CARE || criteria[i].match == SPECIAL)
            continue;
        if ((criteria[i].match == EXACT && have != want) ||
            (criteria[i].match == MASK && (have & want) != want) ||
            (criteria[i].match == AT_LEAST && have < want))
            return false;
    }
    return true;
}

static EGLint requested_bits(const struct request *r, const struct egl_config *c)
{
    static const EGLint sizes[] = {EGL_RED_SIZE, EGL_GREEN_SIZE, EGL_BLUE_SIZE, EGL_ALPHA_SIZE};
    EGLint total = 0;

    for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
        EGLint want = r->want[criterion_index(sizes[i])];

        if (want != 0 && want != EGL_DONT_CARE)
            total += value_of(c, sizes[i]);
    }
    return total;
}

/* Sort order of EGL 1.5 §3.4.1.2, without rules whose values don't differ among our configs, with
 * those of EGL_EXT_config_select_group and EGL_EXT_pixel_format_float. */
static int compare_configs(const void *a, const void *b, void *data)
{
    static const EGLint smaller[] = {EGL_BUFFER_SIZE, EGL_SAMPLE_BUFFERS, EGL_SAMPLES,
                                     EGL_DEPTH_SIZE,  EGL_STENCIL_SIZE,   EGL_CONFIG_ID};
    const struct egl_config *x = *(const struct egl_config *const *)a;
    const struct egl_config *y = *(const struct egl_config *const *)b;
    int order = x->select_group - y->select_group;

    if (order == 0)
        order =
            value_of(x, EGL_COLOR_COMPONENT_TYPE_EXT) - value_of(y, EGL_COLOR_COMPONENT_TYPE_EXT);
    if (order == 0)
        order = requested_bits(data, y) - requested_bits(data, x);
    for (unsigned i = 0; order == 0 && i < ARRAY_SIZE(smaller); i++)
        order = value_of(x, smaller[i]) - value_of(y, smaller[i]);
    return order;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglChooseConfig(EGLDisplay dpy, const EGLint *attribs,
                                                  EGLConfig *configs, EGLint size, EGLint *count)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    const struct egl_config **list;
    struct request r;
    EGLint error, n = 0;

    if (!d)
        return EGL_FALSE;
    if (!count)
        return egl_fail(EGL_BAD_PARAMETER);
    error = request_parse(d, &r, attribs);
    if (error != EGL_SUCCESS)
        return egl_fail(error);
    list = malloc(MAX2(d->n_configs, 1) * sizeof *list);
    if (!list)
        return egl_fail(EGL_BAD_ALLOC);
    for (unsigned i = 0; i < d->n_configs; i++) {
        if (request_matches(&r, &d->configs[i]))
            NEXT_WITHIN(list, n, d->n_configs) = &d->configs[i];
    }
    qsort_r(list, n, sizeof *list, compare_configs, &r);
    if (configs)
        n = CLAMP(size, 0, n);
    for (EGLint i = 0; configs && i < n; i++)
        configs[i] = (EGLConfig)list[i];
    *count = n;
    free(list);
    return egl_ok();
}
