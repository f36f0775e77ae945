/* SPDX-License-Identifier: MIT */
/*
 * Framebuffer configurations: their list, attributes, and choosing among them.
 *
 * Each X visual that the winsys supports gets one configuration, which glXGetConfig describes. The
 * first visual of each kind (depth and layout) gets all combinations of alpha, buffering, depth,
 * stencil, accumulation and samples that the core supports. Servers may have fewer visuals than
 * combinations. If glXChooseVisual or glXGetVisualFromFBConfig need a combination that no visual
 * represents, they make a visual represent it from then on. Floating-point configurations have no
 * visual; only pbuffers can have them.
 */
#include <stdlib.h>

#include "target/libGL/glx_private.h"

#include "util/check.h"

static const struct ws_config *find_native(const struct ws_config *configs, unsigned count,
                                           VisualID id)
{
    for (unsigned i = 0; i < count; i++) {
        if (configs[i].native_id == id)
            return &configs[i];
    }
    return NULL;
}

/* Returns an earlier visual of the same kind, or NULL. */
static const XVisualInfo *first_of_kind(const struct glx_screen *screen, const XVisualInfo *info)
{
    for (unsigned i = 0; i < screen->n_visuals; i++) {
        const XVisualInfo *other = &screen->visuals[i].info;

        if (other->depth == info->depth && other->red_mask == info->red_mask &&
            other->blue_mask == info->blue_mask)
            return other;
    }
    return NULL;
}

static struct __GLXFBConfigRec *add_config(struct glx_screen *screen, int visual_class,
                                           const struct tgt_config *base)
{
    struct __GLXFBConfigRec *config = &screen->configs[screen->n_configs++];

    *config = (struct __GLXFBConfigRec){
        .base = *base,
        .screen = screen,
        .visual_class = visual_class,
    };
    config->base.id = screen->n_configs;
    config->deep = config->base.bits.red > 8 &&
                   base->native.depth != DefaultDepth(screen->display->dpy, screen->number);
    return config;
}

static void add_visual(struct glx_screen *screen, const struct ws_config *ws,
                       const XVisualInfo *info, unsigned *spread)
{
    struct tgt_config list[TGT_MAX_CONFIGS];
    unsigned n = tgt_list_configs(screen->display->core, ws, TGT_FOR_GLX, list);
    struct glx_visual *visual;

    if (n == 0)
        return;
    if (first_of_kind(screen, info)) {
        visual = &screen->visuals[screen->n_visuals++];
        visual->config = add_config(screen, info->class, &list[++*spread % n]);
    } else {
        visual = &screen->visuals[screen->n_visuals++];
        for (unsigned i = 0; i < n; i++) {
            struct __GLXFBConfigRec *config = add_config(screen, info->class, &list[i]);

            if (i == 0)
                visual->config = config;
        }
    }
    visual->info = *info;
}

static void add_float_configs(struct glx_screen *screen)
{
    struct tgt_config list[TGT_MAX_CONFIGS];

    for (unsigned i = 0; i < TGT_FLOAT_NATIVES; i++) {
        unsigned n =
            tgt_list_configs(screen->display->core, &tgt_float_natives[i], TGT_FOR_GLX, list);

        for (unsigned j = 0; j < n; j++)
            add_config(screen, -1, &list[j]);
    }
}

/* Sort order: the default visual first, then server order; depths with alpha come last because
 * compositors blend their windows. */
static int compare_visuals(const void *a, const void *b, void *data)
{
    const XVisualInfo *x = a, *y = b;
    VisualID root = *(const VisualID *)data;
    int rank_x = x->visualid == root ? 0 : x->depth == 24 ? 1 : x->depth == 32 ? 3 : 2;
    int rank_y = y->visualid == root ? 0 : y->depth == 24 ? 1 : y->depth == 32 ? 3 : 2;

    if (rank_x != rank_y)
        return rank_x - rank_y;
    if (x->class != y->class)
        return x->class == TrueColor ? -1 : 1;
    return x->visualid < y->visualid ? -1 : x->visualid > y->visualid;
}

bool glx_configs_init(struct glx_screen *screen)
{
    Display *dpy = screen->display->dpy;
    VisualID root = XVisualIDFromVisual(DefaultVisual(dpy, screen->number));
    XVisualInfo template = {.screen = screen->number};
    const struct ws_config *native;
    XVisualInfo *infos;
    unsigned n_native, spread = 0;
    int count = 0;

    if (!screen->ws)
        return true;
    native = screen->ws->ops->get_configs(screen->ws, &n_native);
    infos = XGetVisualInfo(dpy, VisualScreenMask, &template, &count);
    if (!infos) /* out of memory: every screen has visuals */
        return false;
    qsort_r(infos, count, sizeof *infos, compare_visuals, &root);
    /* at most one visual per native format has all combinations */
    screen->configs =
        calloc(count + (16 + TGT_FLOAT_NATIVES) * TGT_MAX_CONFIGS, sizeof *screen->configs);
    screen->visuals = calloc(count, sizeof *screen->visuals);
    for (int i = 0; screen->configs && screen->visuals && i < count; i++) {
        const struct ws_config *ws = find_native(native, n_native, infos[i].visualid);

        if (ws && screen->n_configs + TGT_MAX_CONFIGS <= count + 16 * TGT_MAX_CONFIGS)
            add_visual(screen, ws, &infos[i], &spread);
    }
    XFree(infos);
    if (screen->configs)
        add_float_configs(screen);
    return screen->configs && screen->visuals;
}

void glx_configs_finish(struct glx_screen *screen)
{
    free(screen->configs);
    free(screen->visuals);
    screen->configs = NULL;
    screen->visuals = NULL;
}

struct glx_visual *glx_visual_find(struct glx_screen *screen, VisualID id)
{
    for (unsigned i = 0; screen && i < screen->n_visuals; i++) {
        if (screen->visuals[i].info.visualid == id)
            return &screen->visuals[i];
    }
    return NULL;
}

static bool has_visual(const struct __GLXFBConfigRec *config)
{
    return config->visual_class >= 0;
}

/* Returns the value of GLX_RENDER_TYPE. Signed floating-point colors have the bits of
 * GLX_ARB_fbconfig_float and GLX_ATI_pixel_format_float; unsigned ones that of
 * GLX_EXT_fbconfig_packed_float. */
static int render_type(const struct __GLXFBConfigRec *config)
{
    const enum drv_format color = config->base.gl.color;

    return color == DRV_FORMAT_R11G11B10_FLOAT ? GLX_RGBA_UNSIGNED_FLOAT_BIT_EXT
           : tgt_is_float(color)               ? GLX_RGBA_FLOAT_BIT_ARB | GLX_RGBA_FLOAT_ATI_BIT
                                               : GLX_RGBA_BIT;
}

int glx_config_render_type(const struct __GLXFBConfigRec *config)
{
    const enum drv_format color = config->base.gl.color;

    return color == DRV_FORMAT_R11G11B10_FLOAT ? GLX_RGBA_UNSIGNED_FLOAT_TYPE_EXT
           : tgt_is_float(color)               ? GLX_RGBA_FLOAT_TYPE_ARB
                                               : GLX_RGBA_TYPE;
}

int glx_config_attrib(const struct __GLXFBConfigRec *config, int attribute, int *value)
{
    static const struct tgt_attrib_name names[] = {
        {GLX_USE_GL, TGT_CONSTANT, True},
        {GLX_RGBA, TGT_CONSTANT, True},
        {GLX_BUFFER_SIZE, TGT_BUFFER_SIZE},
        {GLX_LEVEL, TGT_CONSTANT},
        {GLX_AUX_BUFFERS, TGT_CONSTANT},
        {GLX_TRANSPARENT_INDEX_VALUE, TGT_CONSTANT},
        {GLX_TRANSPARENT_RED_VALUE, TGT_CONSTANT},
        {GLX_TRANSPARENT_GREEN_VALUE, TGT_CONSTANT},
        {GLX_TRANSPARENT_BLUE_VALUE, TGT_CONSTANT},
        {GLX_TRANSPARENT_ALPHA_VALUE, TGT_CONSTANT},
        {GLX_DOUBLEBUFFER, TGT_DOUBLE_BUFFERED},
        {GLX_STEREO, TGT_STEREO},
        {GLX_RED_SIZE, TGT_RED_SIZE},
        {GLX_GREEN_SIZE, TGT_GREEN_SIZE},
        {GLX_BLUE_SIZE, TGT_BLUE_SIZE},
        {GLX_ALPHA_SIZE, TGT_ALPHA_SIZE},
        {GLX_DEPTH_SIZE, TGT_DEPTH_SIZE},
        {GLX_STENCIL_SIZE, TGT_STENCIL_SIZE},
        {GLX_ACCUM_RED_SIZE, TGT_ACCUM_SIZE},
        {GLX_ACCUM_GREEN_SIZE, TGT_ACCUM_SIZE},
        {GLX_ACCUM_BLUE_SIZE, TGT_ACCUM_SIZE},
        {GLX_ACCUM_ALPHA_SIZE, TGT_ACCUM_ALPHA_SIZE},
        {GLX_CONFIG_CAVEAT, TGT_CONSTANT, GLX_NONE},
        {GLX_TRANSPARENT_TYPE, TGT_CONSTANT, GLX_NONE},
        {GLX_VISUAL_ID, TGT_NATIVE_ID},
        {GLX_FBCONFIG_ID, TGT_ID},
        {GLX_MAX_PBUFFER_WIDTH, TGT_MAX_SIDE},
        {GLX_MAX_PBUFFER_HEIGHT, TGT_MAX_SIDE},
        {GLX_MAX_PBUFFER_PIXELS, TGT_MAX_AREA},
        {GLX_OPTIMAL_PBUFFER_WIDTH_SGIX, TGT_CONSTANT},
        {GLX_OPTIMAL_PBUFFER_HEIGHT_SGIX, TGT_CONSTANT},
        {GLX_SAMPLE_BUFFERS, TGT_SAMPLE_BUFFERS},
        {GLX_SAMPLES, TGT_SAMPLES},
        {GLX_FRAMEBUFFER_SRGB_CAPABLE_ARB, TGT_SRGB},
        {GLX_BIND_TO_MIPMAP_TEXTURE_EXT, TGT_CONSTANT, False},
        {GLX_Y_INVERTED_EXT, TGT_CONSTANT, True},
    };
    const struct tgt_attrib_name *attrib = tgt_attrib_find(names, ARRAY_SIZE(names), attribute);

    if (attrib) {
        *value = tgt_config_value(config->screen->display->core, &config->base, attrib);
        return Success;
    }
    switch (attribute) {
    case GLX_X_VISUAL_TYPE:
        *value = config->visual_class == TrueColor     ? GLX_TRUE_COLOR
                 : config->visual_class == DirectColor ? GLX_DIRECT_COLOR
                                                       : GLX_NONE;
        return Success;
    case GLX_X_RENDERABLE:
        *value = has_visual(config);
        return Success;
    case GLX_DRAWABLE_TYPE:
        *value = GLX_PBUFFER_BIT | (has_visual(config) ? GLX_WINDOW_BIT | GLX_PIXMAP_BIT : 0);
        return Success;
    case GLX_RENDER_TYPE:
        *value = render_type(config);
        return Success;
    case GLX_BIND_TO_TEXTURE_RGB_EXT:
        *value = has_visual(config);
        return Success;
    case GLX_BIND_TO_TEXTURE_RGBA_EXT:
        *value = has_visual(config) && config->base.bits.alpha > 0;
        return Success;
    case GLX_BIND_TO_TEXTURE_TARGETS_EXT:
        *value = has_visual(config) ? GLX_TEXTURE_2D_BIT_EXT | GLX_TEXTURE_RECTANGLE_BIT_EXT : 0;
        return Success;
    case GLX_FLOAT_COMPONENTS_NV:
        *value = tgt_is_float(config->base.gl.color);
        return Success;
    case GLX_VISUAL_SELECT_GROUP_SGIX:
        *value = config->deep;
        return Success;
    case GLX_SWAP_METHOD_OML: /* the back buffer keeps its contents */
        *value = config->base.gl.double_buffered ? GLX_SWAP_COPY_OML : GLX_SWAP_UNDEFINED_OML;
        return Success;
    case GLX_SCREEN:
        *value = config->screen->number;
        return Success;
    default:
        return GLX_BAD_ATTRIBUTE;
    }
}

/* Matching rules of GLX 1.4 table 3.4 and of extensions. The visual column is the default of
 * glXChooseVisual, where it differs (table 3.8). */
enum match { SMALLER, LARGER, EXACT, MASK };

static const struct criterion {
    int attribute;
    enum match match;
    int fallback, visual_fallback;
} criteria[] = {
    {GLX_FBCONFIG_ID, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_BUFFER_SIZE, SMALLER, 0, 0},
    {GLX_LEVEL, EXACT, 0, 0},
    {GLX_RGBA, EXACT, GLX_DONT_CARE, False},
    {GLX_DOUBLEBUFFER, EXACT, GLX_DONT_CARE, False},
    {GLX_STEREO, EXACT, False, False},
    {GLX_AUX_BUFFERS, SMALLER, 0, 0},
    {GLX_RED_SIZE, LARGER, 0, 0},
    {GLX_GREEN_SIZE, LARGER, 0, 0},
    {GLX_BLUE_SIZE, LARGER, 0, 0},
    {GLX_ALPHA_SIZE, LARGER, 0, 0},
    {GLX_DEPTH_SIZE, LARGER, 0, 0},
    {GLX_STENCIL_SIZE, SMALLER, 0, 0},
    {GLX_ACCUM_RED_SIZE, LARGER, 0, 0},
    {GLX_ACCUM_GREEN_SIZE, LARGER, 0, 0},
    {GLX_ACCUM_BLUE_SIZE, LARGER, 0, 0},
    {GLX_ACCUM_ALPHA_SIZE, LARGER, 0, 0},
    {GLX_SAMPLE_BUFFERS, SMALLER, 0, 0},
    {GLX_SAMPLES, SMALLER, 0, 0},
    {GLX_RENDER_TYPE, MASK, GLX_RGBA_BIT, GLX_RGBA_BIT},
    {GLX_DRAWABLE_TYPE, MASK, GLX_WINDOW_BIT, GLX_WINDOW_BIT},
    {GLX_X_RENDERABLE, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_X_VISUAL_TYPE, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_CONFIG_CAVEAT, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_TRANSPARENT_TYPE, EXACT, GLX_NONE, GLX_NONE},
    {GLX_VISUAL_ID, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_MAX_PBUFFER_WIDTH, LARGER, 0, 0},
    {GLX_MAX_PBUFFER_HEIGHT, LARGER, 0, 0},
    {GLX_MAX_PBUFFER_PIXELS, LARGER, 0, 0},
    {GLX_FRAMEBUFFER_SRGB_CAPABLE_ARB, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_BIND_TO_TEXTURE_RGB_EXT, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_BIND_TO_TEXTURE_RGBA_EXT, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_BIND_TO_MIPMAP_TEXTURE_EXT, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_BIND_TO_TEXTURE_TARGETS_EXT, MASK, 0, 0},
    {GLX_Y_INVERTED_EXT, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_SWAP_METHOD_OML, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
    {GLX_FLOAT_COMPONENTS_NV, EXACT, GLX_DONT_CARE, GLX_DONT_CARE},
};

struct request {
    int want[ARRAY_SIZE(criteria)];
    bool for_visual;
};

static int criterion_index(int attribute)
{
    for (unsigned i = 0; i < ARRAY_SIZE(criteria); i++) {
        if (criteria[i].attribute == attribute)
            return i;
    }
    return -1;
}

/* Attributes that are undefined for opaque configurations: accepted and ignored. */
static bool is_transparent_value(int attribute)
{
    return attribute >= GLX_TRANSPARENT_INDEX_VALUE && attribute <= GLX_TRANSPARENT_ALPHA_VALUE;
}

/* Parses an attribute list. Returns false if it contains an unknown attribute. */
static bool request_parse(struct request *r, const int *list, bool for_visual)
{
    r->for_visual = for_visual;
    for (unsigned i = 0; i < ARRAY_SIZE(criteria); i++)
        r->want[i] = for_visual ? criteria[i].visual_fallback : criteria[i].fallback;
    while (list && *list != None) {
        int attribute = *list++;
        int index = criterion_index(attribute);

        if (for_visual &&
            (attribute == GLX_RGBA || attribute == GLX_DOUBLEBUFFER || attribute == GLX_STEREO)) {
            r->want[index] = True;
            continue;
        }
        if (for_visual && attribute == GLX_USE_GL)
            continue;
        if (index < 0 && !is_transparent_value(attribute) && attribute != GLX_USE_GL &&
            attribute != GLX_SCREEN)
            return false;
        if (index >= 0 && !(for_visual && attribute == GLX_FBCONFIG_ID))
            r->want[index] = *list;
        list++;
    }
    return true;
}

static int value_of(const struct __GLXFBConfigRec *config, int attribute)
{
    int value = 0;

    glx_config_attrib(config, attribute, &value);
    return value;
}

static bool request_matches(const struct request *r, const struct __GLXFBConfigRec *config)
{
    for (unsigned i = 0; i < ARRAY_SIZE(criteria); i++) {
        int want = r->want[i], have = value_of(config, criteria[i].attribute);
        bool ok;

        if (want == (int)GLX_DONT_CARE)
            continue;
        switch (criteria[i].match) {
        case EXACT:
            ok = have == want;
            break;
        case MASK:
            ok = (have & want) == want;
            break;
        default:
            ok = have >= want;
        }
        if (!ok)
            return false;
    }
    return true;
}

static int requested(const struct request *r, int attribute)
{
    int want = r->want[criterion_index(attribute)];

    return want == (int)GLX_DONT_CARE ? 0 : want;
}

/* Returns the total size of the requested components among attributes[]. */
static int total_bits(const struct request *r, const struct __GLXFBConfigRec *config,
                      const int attributes[4])
{
    int total = 0;

    for (int i = 0; i < 4; i++) {
        if (requested(r, attributes[i]) > 0)
            total += value_of(config, attributes[i]);
    }
    return total;
}

/* Sort order of GLX 1.4 §3.3.3, rules by priority. */
static int compare_configs(const void *a, const void *b, void *data)
{
    static const int color[4] = {GLX_RED_SIZE, GLX_GREEN_SIZE, GLX_BLUE_SIZE, GLX_ALPHA_SIZE};
    static const int accum[4] = {GLX_ACCUM_RED_SIZE, GLX_ACCUM_GREEN_SIZE, GLX_ACCUM_BLUE_SIZE,
                                 GLX_ACCUM_ALPHA_SIZE};
    static const int smaller[] = {GLX_BUFFER_SIZE, GLX_DOUBLEBUFFER, GLX_AUX_BUFFERS,
                                  GLX_SAMPLE_BUFFERS, GLX_SAMPLES};
    const struct request *r = data;
    const struct __GLXFBConfigRec *x = *(const GLXFBConfig *)a, *y = *(const GLXFBConfig *)b;
    /* GLX_SGIX_visual_select_group: deep colors form a group of their own, because the following
     * rule would prefer them for programs that request 8 bits */
    int order = x->deep - y->deep;

    if (order == 0)
        order = total_bits(r, y, color) - total_bits(r, x, color);
    for (unsigned i = 0; order == 0 && i < ARRAY_SIZE(smaller); i++)
        order = value_of(x, smaller[i]) - value_of(y, smaller[i]);
    /* glXChooseVisual prefers no depth buffer if none was requested */
    if (order == 0 && r->for_visual && requested(r, GLX_DEPTH_SIZE) == 0)
        order = x->base.bits.depth - y->base.bits.depth;
    if (order == 0)
        order = y->base.bits.depth - x->base.bits.depth;
    if (order == 0)
        order = x->base.bits.stencil - y->base.bits.stencil;
    if (order == 0)
        order = total_bits(r, y, accum) - total_bits(r, x, accum);
    if (order == 0)
        order = value_of(x, GLX_X_VISUAL_TYPE) - value_of(y, GLX_X_VISUAL_TYPE);
    if (order == 0)
        order = x->base.gl.accum_bits - y->base.gl.accum_bits;
    return order ? order : x->base.id - y->base.id;
}

/* Returns a sorted array of the matching configurations, to be freed with XFree; NULL if none
 * match. */
static GLXFBConfig *choose(struct glx_screen *screen, const struct request *r, int *count)
{
    GLXFBConfig *list = malloc(MAX2(screen->n_configs, 1) * sizeof *list);
    int n = 0;

    *count = 0;
    if (!list)
        return NULL;
    for (unsigned i = 0; i < screen->n_configs; i++) {
        if (request_matches(r, &screen->configs[i]))
            NEXT_WITHIN(list, n, screen->n_configs) = &screen->configs[i];
    }
    if (n == 0) {
        free(list);
        return NULL;
    }
    qsort_r(list, n, sizeof *list, compare_configs, (void *)r);
    *count = n;
    return list;
}

GLX_EXPORT GLXFBConfig *glXChooseFBConfig(Display *dpy, int screen_number, const int *attribs,
                                          int *count)
{
    struct glx_screen *screen = glx_screen_get(dpy, screen_number);
    struct request r;
    int index = criterion_index(GLX_FBCONFIG_ID), n = 0;
    GLXFBConfig *list;

    if (count)
        *count = 0;
    if (!screen || !request_parse(&r, attribs, false))
        return NULL;
    if (r.want[index] != (int)GLX_DONT_CARE) {
        int id = r.want[index];

        /* all other attributes are ignored */
        for (unsigned i = 0; i < ARRAY_SIZE(criteria); i++)
            r.want[i] = GLX_DONT_CARE;
        r.want[index] = id;
    }
    list = choose(screen, &r, &n);
    if (count)
        *count = n;
    return list;
}

GLX_EXPORT GLXFBConfig *glXGetFBConfigs(Display *dpy, int screen_number, int *count)
{
    struct glx_screen *screen = glx_screen_get(dpy, screen_number);
    GLXFBConfig *list;

    if (count)
        *count = 0;
    if (!screen || screen->n_configs == 0)
        return NULL;
    list = malloc(screen->n_configs * sizeof *list);
    for (unsigned i = 0; list && i < screen->n_configs; i++)
        list[i] = &screen->configs[i];
    if (list && count)
        *count = screen->n_configs;
    return list;
}

GLX_EXPORT int glXGetFBConfigAttrib(Display *dpy, GLXFBConfig config, int attribute, int *value)
{
    if (!glx_display_get(dpy))
        return GLX_NO_EXTENSION;
    if (!glx_config_valid(dpy, config))
        return GLX_BAD_VISUAL;
    if (!value || attribute == GLX_USE_GL || attribute == GLX_RGBA)
        return GLX_BAD_ATTRIBUTE;
    return glx_config_attrib(config, attribute, value);
}

static XVisualInfo *copy_visual_info(const struct glx_visual *visual)
{
    XVisualInfo *info = visual ? malloc(sizeof *info) : NULL;

    if (info)
        *info = visual->info;
    return info;
}

GLX_EXPORT XVisualInfo *glXGetVisualFromFBConfig(Display *dpy, GLXFBConfig config)
{
    struct glx_visual *visual;

    if (!glx_config_valid(dpy, config))
        return NULL;
    visual = glx_visual_find(config->screen, config->base.native.native_id);
    if (visual)
        __atomic_store_n(&visual->config, config, __ATOMIC_RELAXED);
    return copy_visual_info(visual);
}

GLX_EXPORT XVisualInfo *glXChooseVisual(Display *dpy, int screen_number, int *attribs)
{
    struct glx_screen *screen = glx_screen_get(dpy, screen_number);
    struct glx_visual *visual;
    struct request r;
    GLXFBConfig *list;
    int count;

    if (!screen || !request_parse(&r, attribs, true))
        return NULL;
    list = choose(screen, &r, &count);
    if (!list)
        return NULL;
    visual = glx_visual_find(screen, list[0]->base.native.native_id);
    if (visual)
        __atomic_store_n(&visual->config, list[0], __ATOMIC_RELAXED);
    free(list);
    return copy_visual_info(visual);
}

GLX_EXPORT int glXGetConfig(Display *dpy, XVisualInfo *info, int attribute, int *value)
{
    struct glx_display *d = glx_display_get(dpy);
    const struct glx_visual *visual;

    if (!d)
        return GLX_NO_EXTENSION;
    if (!info || !value)
        return GLX_BAD_VISUAL;
    if (info->screen < 0 || info->screen >= d->n_screens)
        return GLX_BAD_SCREEN;
    visual = glx_visual_find(&d->screens[info->screen], info->visualid);
    if (!visual) {
        /* GLX 1.4 §3.4.1: visuals without GL support only answer GLX_USE_GL */
        if (attribute != GLX_USE_GL)
            return GLX_BAD_VISUAL;
        *value = False;
        return Success;
    }
    return glx_config_attrib(glx_visual_config(visual), attribute, value);
}

GLX_EXPORT int glXGetFBConfigAttribSGIX(Display *dpy, GLXFBConfigSGIX config, int attribute,
                                        int *value)
{
    return glXGetFBConfigAttrib(dpy, config, attribute, value);
}

GLX_EXPORT GLXFBConfigSGIX *glXChooseFBConfigSGIX(Display *dpy, int screen, int *attribs,
                                                  int *count)
{
    return glXChooseFBConfig(dpy, screen, attribs, count);
}

GLX_EXPORT XVisualInfo *glXGetVisualFromFBConfigSGIX(Display *dpy, GLXFBConfigSGIX config)
{
    return glXGetVisualFromFBConfig(dpy, config);
}

GLX_EXPORT GLXFBConfigSGIX glXGetFBConfigFromVisualSGIX(Display *dpy, XVisualInfo *info)
{
    struct glx_screen *screen = info ? glx_screen_get(dpy, info->screen) : NULL;
    const struct glx_visual *visual = screen ? glx_visual_find(screen, info->visualid) : NULL;

    return visual ? glx_visual_config(visual) : NULL;
}
