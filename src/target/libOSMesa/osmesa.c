/* SPDX-License-Identifier: MIT */
/*
 * OSMesa (GL/osmesa.h): rendering into the program's memory.
 *
 * A context draws to a single-buffered drawable. glFlush and glFinish convert the image into the
 * program's buffer, with the requested format and orientation. Programs may free their buffer
 * before they attach a new one or destroy the context, so neither of these writes to the old
 * buffer.
 *
 * Context handles are looked up in a list before use, so invalid handles are never dereferenced. A
 * context that is current to another thread when it is destroyed lives until that thread releases
 * it. osmesa_lock protects the list, and to which thread a context is current.
 */
#include <GL/osmesa.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "target/common/tgt_config.h"
#include "util/fork_lock.h"
#include "util/format.h"
#include "util/list.h"
#include "util/macros.h"

#define OSMESA_EXPORT PUBLIC

/* Component order of a pixel in the program's buffer. */
struct osmesa_layout {
    GLenum format;
    uint8_t channels;
    uint8_t source[4]; /* component in each channel: 0 red … 3 alpha */
};

static const struct osmesa_layout layouts[] = {
    {OSMESA_RGBA, 4, {0, 1, 2, 3}}, {OSMESA_BGRA, 4, {2, 1, 0, 3}}, {OSMESA_ARGB, 4, {3, 0, 1, 2}},
    {OSMESA_RGB, 3, {0, 1, 2}},     {OSMESA_BGR, 3, {2, 1, 0}},     {OSMESA_RGB_565, 1},
};

struct osmesa_context {
    struct list_head link;
    struct gl_context *gl;
    const struct osmesa_layout *layout;
    struct gl_visual visual; /* visual of the drawable */
    struct gl_drawable *drawable;
    GLenum type;
    void *buffer;          /* atomic: the program's; may be NULL */
    OSMesaContext *thread; /* osmesa_current of the thread to which it is current; may be NULL */
    bool destroyed;        /* its handle is invalid; destroyed once no thread uses it */
    int width, height, row_length;
    bool y_up;
    void *pixels; /* pixels of the drawable, width x height */
    void *depth;  /* last result of OSMesaGetDepthBuffer */
};

static pthread_mutex_t osmesa_lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_LOCK(osmesa_lock);
static struct list_head osmesa_contexts = {&osmesa_contexts, &osmesa_contexts};
static __thread OSMesaContext osmesa_current;
static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;

/* Returns the context with that handle, or NULL if it is invalid. Requires osmesa_lock. */
static OSMesaContext find_locked(OSMesaContext handle)
{
    list_for_each_entry (struct osmesa_context, c, &osmesa_contexts, link) {
        if (c == handle)
            return c;
    }
    return NULL;
}

/* Returns the context with that handle, or NULL if it is invalid. */
static OSMesaContext find(OSMesaContext handle)
{
    OSMesaContext found;

    pthread_mutex_lock(&osmesa_lock);
    found = find_locked(handle);
    pthread_mutex_unlock(&osmesa_lock);
    return found;
}

/* Returns the thread's current context, unless another window-system API has replaced it. */
static OSMesaContext current(void)
{
    OSMesaContext c = osmesa_current;

    return c && indium_core_interface()->get_current() == c->gl ? c : NULL;
}

/* Frees a context that is not in the list and not current to any thread. */
static void context_free(struct osmesa_context *c)
{
    const struct indium_core *core = indium_core_interface();

    core->context_destroy(c->gl);
    if (c->drawable)
        core->drawable_destroy(c->drawable);
    free(c->pixels);
    free(c->depth);
    free(c);
}

/* Assigns the context with that handle to the calling thread. Returns NULL if the handle is invalid
 * or the context is current to another thread. */
static OSMesaContext claim(OSMesaContext handle)
{
    struct osmesa_context *c;

    pthread_mutex_lock(&osmesa_lock);
    c = find_locked(handle);
    if (c && c->thread && c->thread != &osmesa_current)
        c = NULL;
    if (c)
        c->thread = &osmesa_current;
    pthread_mutex_unlock(&osmesa_lock);
    return c;
}

/* Undoes claim(), unless the context is current. Frees the context if it was destroyed since. */
static void unclaim(struct osmesa_context *c)
{
    bool destroyed;

    if (c == osmesa_current)
        return;
    pthread_mutex_lock(&osmesa_lock);
    c->thread = NULL;
    destroyed = c->destroyed;
    pthread_mutex_unlock(&osmesa_lock);
    if (destroyed)
        context_free(c);
}

/* Releases the thread's context, also if another window-system API has replaced it. */
static void release(void)
{
    struct osmesa_context *c = osmesa_current;

    if (current())
        indium_core_interface()->make_current(NULL, NULL, NULL);
    osmesa_current = NULL;
    if (c)
        unclaim(c);
}

/* -------------------------------------------------------------------- the program's buffer --- */

static size_t channel_bytes(GLenum type)
{
    return type == GL_FLOAT ? 4 : type == GL_UNSIGNED_BYTE ? 1 : 2;
}

static size_t pixel_bytes(const struct osmesa_context *c)
{
    return c->layout->channels * channel_bytes(c->type);
}

/* Converts a row of RGBA bytes to the program's layout. */
static void store_bytes(const struct osmesa_layout *layout, uint8_t *dst, const uint8_t *src, int n)
{
    if (layout->format == OSMESA_RGBA) {
        memcpy(dst, src, (size_t)n * 4);
        return;
    }
    for (int x = 0; x < n; x++, src += 4) {
        for (unsigned i = 0; i < layout->channels; i++)
            *dst++ = src[layout->source[i]];
    }
}

/* Converts a row of n pixels of any format to floats or 16-bit integers. */
static void store_wide(const struct osmesa_context *c, void *dst, const uint8_t *src, int n)
{
    size_t bytes = util_format_row_bytes(c->visual.color, 1);
    uint16_t *shorts = dst;
    float *floats = dst;

    for (int x = 0; x < n; x++, src += bytes) {
        float pixel[1][4];

        util_format_unpack_float(c->visual.color, pixel, src, 1);
        for (unsigned i = 0; i < c->layout->channels; i++) {
            float value = pixel[0][c->layout->source[i]];

            if (c->type == GL_FLOAT)
                *floats++ = value;
            else
                *shorts++ = (uint16_t)(CLAMP(value, 0.0f, 1.0f) * 65535.0f + 0.5f);
        }
    }
}

static void store_row(const struct osmesa_context *c, void *dst, const uint8_t *src, int n)
{
    if (c->type == GL_UNSIGNED_SHORT_5_6_5)
        memcpy(dst, src, (size_t)n * 2);
    else if (c->type == GL_UNSIGNED_BYTE)
        store_bytes(c->layout, dst, src, n);
    else
        store_wide(c, dst, src, n);
}

/* Copies the image to the program's buffer. */
static void store(void *data)
{
    struct osmesa_context *c = data;
    int length = c->row_length ? c->row_length : c->width;
    size_t stride = (size_t)length * pixel_bytes(c);
    size_t source_stride = util_format_row_bytes(c->visual.color, c->width);
    uint8_t *buffer = __atomic_load_n(&c->buffer, __ATOMIC_RELAXED);

    if (!buffer || !c->pixels ||
        !indium_core_interface()->drawable_resolve(c->drawable, GL_BUFFER_FRONT_LEFT, c->pixels,
                                                   source_stride, 0, 0, c->width, c->height))
        return;
    for (int y = 0; y < c->height; y++) {
        int row = c->y_up ? c->height - 1 - y : y;

        store_row(c, buffer + row * stride, (uint8_t *)c->pixels + y * source_stride,
                  MIN2(length, c->width));
    }
}

static bool get_size(void *data, int *width, int *height)
{
    struct osmesa_context *c = data;

    *width = c->width;
    *height = c->height;
    return true;
}

static const struct gl_drawable_ops drawable_ops = {get_size, store};

/* --------------------------------------------------------------------------------- contexts --- */

/* Chooses a color format as wide as the buffer's type if the core can draw to it, else 8 bits. */
static enum drv_format choose_color(const struct osmesa_context *c, GLenum type)
{
    static const struct {
        GLenum type;
        enum drv_format with_alpha, without;
    } formats[] = {
        {GL_UNSIGNED_SHORT_5_6_5, DRV_FORMAT_NONE, DRV_FORMAT_B5G6R5_UNORM},
        {GL_FLOAT, DRV_FORMAT_R32G32B32A32_FLOAT, DRV_FORMAT_R32G32B32X32_FLOAT},
        {GL_UNSIGNED_SHORT, DRV_FORMAT_R16G16B16A16_UNORM, DRV_FORMAT_R16G16B16X16_UNORM},
        {GL_UNSIGNED_BYTE, DRV_FORMAT_R8G8B8A8_UNORM, DRV_FORMAT_R8G8B8X8_UNORM},
    };
    bool alpha = c->layout->channels == 4;

    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        struct gl_visual v = c->visual;

        if (formats[i].type != type &&
            (formats[i].type != GL_UNSIGNED_BYTE || type == GL_UNSIGNED_SHORT_5_6_5))
            continue;
        v.color = alpha ? formats[i].with_alpha : formats[i].without;
        if (indium_core_interface()->visual_supported(&v))
            return v.color;
    }
    return DRV_FORMAT_NONE;
}

/* Chooses the smallest supported format with at least these bits, else the largest one. */
static enum drv_format choose_depth_stencil(int depth, int stencil)
{
    static const enum drv_format candidates[] = {
        DRV_FORMAT_Z16_UNORM,   DRV_FORMAT_Z24X8_UNORM, DRV_FORMAT_X8Z24_UNORM,
        DRV_FORMAT_Z24S8_UNORM, DRV_FORMAT_S8Z24_UNORM,
    };
    enum drv_format last = DRV_FORMAT_NONE;

    for (unsigned i = 0; (depth > 0 || stencil > 0) && i < ARRAY_SIZE(candidates); i++) {
        struct tgt_format_bits bits = tgt_format_bits(candidates[i]);
        const struct gl_visual v = {.color = DRV_FORMAT_R8G8B8A8_UNORM,
                                    .depth_stencil = candidates[i]};

        if (!indium_core_interface()->visual_supported(&v))
            continue;
        last = candidates[i];
        if (bits.depth >= depth && bits.stencil >= MIN2(stencil, 8))
            break;
    }
    return last;
}

struct request {
    int format, depth, stencil, accum, profile, major, minor;
};

static OSMesaContext create(const struct request *r, OSMesaContext share)
{
    const struct indium_core *core = indium_core_interface();
    struct gl_context_attribs attribs = {
        .api = r->profile == OSMESA_CORE_PROFILE ? GL_API_CORE : GL_API_COMPAT,
        .major = r->major,
        .minor = r->minor,
    };
    enum gl_create_error error;
    OSMesaContext shared = share ? find(share) : NULL;
    struct osmesa_context *c;

    if (core->version != INDIUM_CORE_VERSION || (share && !shared) ||
        (r->profile != OSMESA_CORE_PROFILE && r->profile != OSMESA_COMPAT_PROFILE) ||
        !tgt_version_defined(false, r->major, r->minor))
        return NULL;
    c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(layouts); i++) {
        if (layouts[i].format == (GLenum)r->format)
            c->layout = &layouts[i];
    }
    c->y_up = true;
    c->visual.depth_stencil = choose_depth_stencil(r->depth, r->stencil);
    c->visual.accum_bits = r->accum > 0 ? 16 : 0;
    attribs.share = shared ? shared->gl : NULL;
    c->gl = c->layout ? core->context_create(&attribs, &error) : NULL;
    if (!c->gl) {
        free(c);
        return NULL;
    }
    pthread_mutex_lock(&osmesa_lock);
    list_add(&c->link, &osmesa_contexts);
    pthread_mutex_unlock(&osmesa_lock);
    return c;
}

OSMESA_EXPORT OSMesaContext GLAPIENTRY OSMesaCreateContextAttribs(const int *attribs,
                                                                  OSMesaContext share)
{
    struct request r = {.format = OSMESA_RGBA, .profile = OSMESA_COMPAT_PROFILE, .major = 1};

    for (; attribs && *attribs; attribs += 2) {
        const struct {
            int name, *value;
        } known[] = {
            {OSMESA_FORMAT, &r.format},
            {OSMESA_DEPTH_BITS, &r.depth},
            {OSMESA_STENCIL_BITS, &r.stencil},
            {OSMESA_ACCUM_BITS, &r.accum},
            {OSMESA_PROFILE, &r.profile},
            {OSMESA_CONTEXT_MAJOR_VERSION, &r.major},
            {OSMESA_CONTEXT_MINOR_VERSION, &r.minor},
        };
        unsigned i = 0;

        while (i < ARRAY_SIZE(known) && known[i].name != attribs[0])
            i++;
        if (i == ARRAY_SIZE(known))
            return NULL;
        *known[i].value = attribs[1];
    }
    if (r.depth < 0 || r.stencil < 0 || r.accum < 0)
        return NULL;
    return create(&r, share);
}

OSMESA_EXPORT OSMesaContext GLAPIENTRY OSMesaCreateContextExt(GLenum format, GLint depth,
                                                              GLint stencil, GLint accum,
                                                              OSMesaContext share)
{
    const int attribs[] = {OSMESA_FORMAT,
                           format,
                           OSMESA_DEPTH_BITS,
                           depth,
                           OSMESA_STENCIL_BITS,
                           stencil,
                           OSMESA_ACCUM_BITS,
                           accum,
                           0};

    return OSMesaCreateContextAttribs(attribs, share);
}

OSMESA_EXPORT OSMesaContext GLAPIENTRY OSMesaCreateContext(GLenum format, OSMesaContext share)
{
    return OSMesaCreateContextExt(format, 24, 8, 0, share);
}

OSMESA_EXPORT void GLAPIENTRY OSMesaDestroyContext(OSMesaContext handle)
{
    OSMesaContext c, *thread = NULL;

    pthread_mutex_lock(&osmesa_lock);
    c = find_locked(handle);
    if (c) {
        list_del(&c->link);
        __atomic_store_n(&c->buffer, NULL, __ATOMIC_RELAXED);
        c->destroyed = true;
        thread = c->thread; /* if it is another thread, that one frees the context */
    }
    pthread_mutex_unlock(&osmesa_lock);
    if (c && thread == &osmesa_current)
        release();
    else if (c && !thread)
        context_free(c);
}

/* ------------------------------------------------------------------------- what is current --- */

/* Releases the context of an exiting thread without storing; the buffer may be freed already. */
static void thread_exit(void *data)
{
    if (osmesa_current)
        __atomic_store_n(&osmesa_current->buffer, NULL, __ATOMIC_RELAXED);
    release();
}

static void thread_init(void)
{
    pthread_key_create(&thread_key, thread_exit);
}

/* Attaches the program's buffer. Returns false if out of memory; the context then has none. */
static bool attach(struct osmesa_context *c, void *buffer, GLenum type, int width, int height)
{
    const struct indium_core *core = indium_core_interface();
    enum drv_format color = choose_color(c, type);
    void *pixels = color == DRV_FORMAT_NONE
                       ? NULL
                       : malloc((size_t)util_format_row_bytes(color, width) * height);

    if (!pixels)
        return false;
    if (c->drawable && color != c->visual.color) {
        core->drawable_destroy(c->drawable);
        c->drawable = NULL;
    }
    c->visual.color = color;
    free(c->pixels);
    c->pixels = pixels;
    c->type = type;
    c->width = width;
    c->height = height;
    if (!c->drawable)
        c->drawable = core->drawable_create(&c->visual, &drawable_ops, c);
    __atomic_store_n(&c->buffer, NULL, __ATOMIC_RELAXED);
    if (!c->drawable || !core->make_current(c->gl, c->drawable, c->drawable))
        return false;
    pthread_mutex_lock(&osmesa_lock);
    if (!c->destroyed)
        __atomic_store_n(&c->buffer, buffer, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&osmesa_lock);
    return true;
}

/* Returns whether the context can draw to the program's buffer. */
static bool buffer_valid(const struct osmesa_context *c, const void *buffer, GLenum type, int width,
                         int height)
{
    const int most = (int)indium_core_interface()->max_drawable_size();

    return buffer && width >= 1 && height >= 1 && width <= most && height <= most &&
           (c->layout->format == OSMESA_RGB_565
                ? type == GL_UNSIGNED_SHORT_5_6_5
                : type == GL_UNSIGNED_BYTE || type == GL_UNSIGNED_SHORT || type == GL_FLOAT);
}

OSMESA_EXPORT GLboolean GLAPIENTRY OSMesaMakeCurrent(OSMesaContext handle, void *buffer,
                                                     GLenum type, GLsizei width, GLsizei height)
{
    struct osmesa_context *c;

    if (!handle && !buffer) {
        release();
        return GL_TRUE;
    }
    c = claim(handle);
    if (!c)
        return GL_FALSE;
    if (!buffer_valid(c, buffer, type, width, height)) {
        unclaim(c);
        return GL_FALSE;
    }
    if (osmesa_current != c)
        release();
    if (!attach(c, buffer, type, width, height)) {
        unclaim(c);
        return GL_FALSE;
    }
    pthread_once(&thread_once, thread_init);
    pthread_setspecific(thread_key, &osmesa_current);
    osmesa_current = c;
    return GL_TRUE;
}

OSMESA_EXPORT OSMesaContext GLAPIENTRY OSMesaGetCurrentContext(void)
{
    return current();
}

OSMESA_EXPORT void GLAPIENTRY OSMesaPixelStore(GLint name, GLint value)
{
    struct osmesa_context *c = current();

    if (c && name == OSMESA_ROW_LENGTH && value >= 0)
        c->row_length = value;
    else if (c && name == OSMESA_Y_UP)
        c->y_up = value != 0;
}

OSMESA_EXPORT void GLAPIENTRY OSMesaGetIntegerv(GLint name, GLint *value)
{
    const struct osmesa_context *c = current();

    if (!value)
        return;
    switch (name) {
    case OSMESA_WIDTH:
        *value = c ? c->width : 0;
        break;
    case OSMESA_HEIGHT:
        *value = c ? c->height : 0;
        break;
    case OSMESA_FORMAT:
        *value = c ? (GLint)c->layout->format : 0;
        break;
    case OSMESA_TYPE:
        *value = c ? (GLint)c->type : 0;
        break;
    case OSMESA_ROW_LENGTH:
        *value = c ? c->row_length : 0;
        break;
    case OSMESA_Y_UP:
        *value = c ? c->y_up : 0;
        break;
    case OSMESA_MAX_WIDTH:
    case OSMESA_MAX_HEIGHT:
        *value = indium_core_interface()->max_drawable_size();
        break;
    }
}

/* Stores the results of a query. Old programs pass NULL for values they don't need. */
static GLboolean answer(const struct osmesa_context *c, GLint *width, GLint *height, GLint *third,
                        GLint third_value, void **buffer, void *found)
{
    if (width)
        *width = found ? c->width : 0;
    if (height)
        *height = found ? c->height : 0;
    if (third)
        *third = found ? third_value : 0;
    if (buffer)
        *buffer = found;
    return found ? GL_TRUE : GL_FALSE;
}

/* Returns depth values in as many low bits as the depth buffer has, bottom row first. Valid until
 * the next call for this context. */
OSMESA_EXPORT GLboolean GLAPIENTRY OSMesaGetDepthBuffer(OSMesaContext handle, GLint *width,
                                                        GLint *height, GLint *bytes, void **buffer)
{
    struct osmesa_context *c = handle ? find(handle) : NULL;
    unsigned bits = c ? tgt_format_bits(c->visual.depth_stencil).depth : 0;
    size_t n = c ? (size_t)c->width * c->height : 0;
    uint32_t *values = c && c->drawable && bits ? malloc(n * sizeof *values) : NULL;

    if (!values || !indium_core_interface()->drawable_read_depth(
                       c->drawable, values, c->width * sizeof *values, c->width, c->height)) {
        free(values);
        return answer(c, width, height, bytes, 0, buffer, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t value = values[i] >> (32 - bits);

        if (bits == 16)
            ((uint16_t *)values)[i] = value;
        else
            values[i] = value;
    }
    free(c->depth);
    c->depth = values;
    return answer(c, width, height, bytes, bits == 16 ? 2 : 4, buffer, values);
}

OSMESA_EXPORT GLboolean GLAPIENTRY OSMesaGetColorBuffer(OSMesaContext handle, GLint *width,
                                                        GLint *height, GLint *format, void **buffer)
{
    struct osmesa_context *c = handle ? find(handle) : NULL;

    if (c && c == current())
        indium_core_interface()->flush(true);
    return answer(c, width, height, format, c ? (GLint)c->layout->format : 0, buffer,
                  c ? c->buffer : NULL);
}

OSMESA_EXPORT OSMESAproc GLAPIENTRY OSMesaGetProcAddress(const char *name)
{
    static const struct {
        const char *name;
        OSMESAproc function;
    } functions[] = {
#define ENTRY(f) {"OSMesa" #f, (void (*)(void))OSMesa##f}
        ENTRY(CreateContext),  ENTRY(CreateContextExt), ENTRY(CreateContextAttribs),
        ENTRY(DestroyContext), ENTRY(MakeCurrent),      ENTRY(GetCurrentContext),
        ENTRY(PixelStore),     ENTRY(GetIntegerv),      ENTRY(GetDepthBuffer),
        ENTRY(GetColorBuffer), ENTRY(GetProcAddress),   ENTRY(ColorClamp),
        ENTRY(Postprocess),
#undef ENTRY
    };

    for (unsigned i = 0; name && i < ARRAY_SIZE(functions); i++) {
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    }
    return indium_core_interface()->get_proc_address(name);
}

/* Clamps fragment colors of float buffers to [0, 1], as for fixed-point buffers (GL 4.6
 * compatibility §17.3.10). */
OSMESA_EXPORT void GLAPIENTRY OSMesaColorClamp(GLboolean enable)
{
    const struct indium_core *core = indium_core_interface();
    struct osmesa_context *c = current();

    if (c && core->context_api(c->gl) == GL_API_COMPAT && core->max_version(GL_API_COMPAT) >= 30)
        ((PFNGLCLAMPCOLORPROC)core->get_proc_address("glClampColor"))(
            GL_CLAMP_FRAGMENT_COLOR, enable ? GL_TRUE : GL_FIXED_ONLY);
}

/* Gallium's postprocessing filters; none exist here. */
OSMESA_EXPORT void GLAPIENTRY OSMesaPostprocess(OSMesaContext c, const char *filter, unsigned value)
{
}
