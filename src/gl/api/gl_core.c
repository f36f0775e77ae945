/* SPDX-License-Identifier: MIT */
/* The core interface: functions that the loader libraries (libGL, libEGL …) call. */
#include "gl/api/gl_core.h"

#include <stdlib.h>

#include "gl/api/gl_core_private.h"
#include "gl/compat/gl_attrib_stack.h"
#include "gl/compat/gl_lists.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_current.h"
#include "gl/context/gl_share.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/texture/gl_texture.h"
#include "gl_dispatch.h"
#include "util/blob_cache.h"
#include "util/options.h"

static const char *core_renderer(void)
{
    struct drv_screen *screen = gl_screen();
    return screen ? screen->name : "none";
}

static struct gl_context *core_context_create(const struct gl_context_attribs *attribs,
                                              enum gl_create_error *error)
{
    enum gl_create_error ignored;
    return gl_context_new(attribs, error ? error : &ignored);
}

static void core_context_destroy(struct gl_context *ctx)
{
    if (!ctx)
        return;
    /* One operation, paired with that of unclaim(): exactly one of them sees the other's bit and
     * frees the context. Acquires what the context's last user has written. */
    if (!(__atomic_fetch_or(&ctx->claims, GL_CLAIM_DELETED, __ATOMIC_ACQ_REL) & GL_CLAIM_USED))
        gl_context_free(ctx);
}

/* Claims a context for the calling thread, to make it current or to copy its state. Returns false
 * if another thread uses it. */
static bool claim(struct gl_context *ctx)
{
    return !(__atomic_fetch_or(&ctx->claims, GL_CLAIM_USED, __ATOMIC_ACQUIRE) & GL_CLAIM_USED);
}

static void unclaim(struct gl_context *ctx)
{
    /* Afterwards, another thread may claim or free the context. */
    if (__atomic_fetch_and(&ctx->claims, ~(unsigned)GL_CLAIM_USED, __ATOMIC_ACQ_REL) &
        GL_CLAIM_DELETED)
        gl_context_free(ctx);
}

static void release_current(struct gl_context *ctx)
{
    if (ctx->no_release_flush)
        FLUSH_VERTICES(ctx, 0);
    else
        gl_context_flush(ctx, false);
    gl_windows_bind(ctx, NULL, NULL);
    gl_current_context = NULL;
    gl_current_dispatch = &gl_dispatch_no_context;
    unclaim(ctx);
}

/* Sets viewport and scissor to the window's size on the first binding (GL 4.6 §13.8.1, §14.9.2). */
static void first_current(struct gl_context *ctx)
{
    const struct gl_window *draw = gl_draw_window(ctx);
    if (ctx->ever_current || !draw)
        return;
    ctx->ever_current = true;
    for (unsigned i = 0; i < DRV_MAX_VIEWPORTS; i++) {
        ctx->viewport.vp[i].width = draw->buffers.width;
        ctx->viewport.vp[i].height = draw->buffers.height;
        ctx->scissor.rect[i].width = draw->buffers.width;
        ctx->scissor.rect[i].height = draw->buffers.height;
    }
}

static bool core_make_current(struct gl_context *ctx, struct gl_drawable *draw,
                              struct gl_drawable *read)
{
    struct gl_context *old = gl_current_context;
    if (!ctx) {
        if (old)
            release_current(old);
        return true;
    }
    if (!draw != !read)
        return false;
    if (ctx != old) {
        if (!claim(ctx))
            return false;
        if (old)
            release_current(old);
    } else {
        gl_context_flush(ctx, false);
    }
    ctx->thread = pthread_self();
    gl_current_context = ctx;
    gl_dispatch_select(ctx);
    gl_windows_bind(ctx, draw, read);
    if (draw)
        gl_drawable_update(ctx, draw);
    if (read && read != draw)
        gl_drawable_update(ctx, read);
    gl_framebuffer_drawables_changed(ctx);
    first_current(ctx);
    return true;
}

static struct gl_context *core_get_current(void)
{
    return gl_current_context;
}

static void core_flush(bool finish)
{
    if (gl_current_context)
        gl_context_flush(gl_current_context, finish);
}

static void core_flush_vertices(void)
{
    if (gl_current_context)
        FLUSH_VERTICES(gl_current_context, 0);
}

static void core_delay_commands(struct gl_context *ctx, void (*wait)(void *data), void *data)
{
    if (ctx == gl_current_context)
        gl_context_flush(ctx, false);
    gl_share_delay(ctx, wait, data);
}

static bool core_context_copy(struct gl_context *src, struct gl_context *dst, unsigned long mask)
{
    bool others = src != gl_current_context && src != dst;
    if (others && !claim(src))
        return false;
    bool ok = claim(dst);
    if (ok && src == gl_current_context)
        gl_context_flush(src, false); /* GLX 1.4 §3.3.7 */
    if (ok && src != dst)
        gl_context_copy_state(src, dst, mask);
    if (ok)
        unclaim(dst);
    if (others)
        unclaim(src);
    return ok;
}

static enum gl_api core_context_api(const struct gl_context *ctx)
{
    return ctx->api;
}

static int compare_procs(const void *key, const void *proc)
{
    return strcmp(key, ((const struct gl_proc *)proc)->name);
}

static void (*core_get_proc_address(const char *name))(void)
{
    if (!name)
        return NULL;
    const struct gl_proc *p = bsearch(name, gl_procs, gl_num_procs, sizeof *p, compare_procs);
    return p ? p->function : NULL;
}

static bool core_bind_tex_image(struct gl_drawable *d, enum gl_buffer_index buffer, unsigned target,
                                bool with_alpha)
{
    struct gl_context *ctx = gl_current_context;
    struct drv_resource *color = ctx ? gl_drawable_reference_color(d, buffer) : NULL;
    if (!color)
        return false;
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    bool outermost = gl_share_enter(ctx);
    bool bound = gl_textures_bind_image(ctx, target, color, with_alpha);
    gl_share_leave(ctx, outermost);
    drv_resource_reference(&color, NULL);
    return bound;
}

static void core_release_tex_image(struct gl_drawable *d, unsigned target)
{
    struct gl_context *ctx = gl_current_context;
    if (!ctx)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    bool outermost = gl_share_enter(ctx);
    gl_textures_bind_image(ctx, target, NULL, false);
    gl_share_leave(ctx, outermost);
}

static bool core_image_bind(struct gl_shared_image *image, unsigned target, bool with_alpha)
{
    struct gl_context *ctx = gl_current_context;
    if (!ctx)
        return false;
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    bool outermost = gl_share_enter(ctx);
    bool bound = gl_shared_image_bind(ctx, image, target, with_alpha);
    gl_share_leave(ctx, outermost);
    return bound;
}

static void core_set_blob_cache(const void *owner, gl_blob_set set, gl_blob_get get)
{
    if (set && get)
        util_blob_cache_provide(owner, set, get);
    else
        util_blob_cache_withdraw(owner);
}

static const struct indium_core core = {
    .version = INDIUM_CORE_VERSION,
    .name = "Indium",
    .release = INDIUM_RELEASE,
    .renderer = core_renderer,
    .max_version = gl_max_version,
    .visual_supported = gl_visual_supported,
    .max_drawable_size = gl_drawable_max_size,
    .context_create = core_context_create,
    .context_destroy = core_context_destroy,
    .make_current = core_make_current,
    .get_current = core_get_current,
    .flush = core_flush,
    .flush_vertices = core_flush_vertices,
    .delay_commands = core_delay_commands,
    .context_copy = core_context_copy,
    .context_api = core_context_api,
    .drawable_create = gl_drawable_new,
    .drawable_destroy = gl_drawable_free,
    .drawable_resolve = gl_drawable_read,
    .drawable_read_depth = gl_drawable_read_depth,
    .drawable_swap = gl_drawable_swap,
    .drawable_age = gl_drawable_age,
    .drawable_copy_back = gl_drawable_copy_back,
    .get_proc_address = core_get_proc_address,
    .bind_tex_image = core_bind_tex_image,
    .release_tex_image = core_release_tex_image,
    .image_create = gl_shared_image_create,
    .image_import = gl_shared_image_import,
    .image_format_supported = gl_shared_image_format_supported,
    .image_bind = core_image_bind,
    .image_describe = gl_shared_image_describe,
    .image_attach = gl_shared_image_attach,
    .image_destroy = gl_shared_image_destroy,
    .set_blob_cache = core_set_blob_cache,
};

PUBLIC const struct indium_core *indium_core_interface(void)
{
    return &core;
}

/* ---------------------------------------------------------------------------- dispatch --- */

typedef void (*gl_function)(void);

static union gl_dispatch_union {
    struct gl_dispatch dispatch;
    gl_function slot[GL_SLOT_COUNT];
} tables[GL_API_COUNT][GL_TABLE_LOST], lost_table;
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

_Static_assert(sizeof(struct gl_dispatch) == GL_SLOT_COUNT * sizeof(gl_function),
               "dispatch tables are arrays of pointers");

static uintptr_t inside_begin_end(void)
{
    GL_CONTEXT(ctx);
    gl_error(ctx, GL_INVALID_OPERATION, "command between glBegin and glEnd");
    return 0;
}

static uintptr_t while_compiling(void)
{
    GL_CONTEXT(ctx);
    gl_error(ctx, GL_INVALID_OPERATION, "instanced or indirect draw into a display list");
    return 0;
}

static uintptr_t while_lost(void)
{
    GL_CONTEXT(ctx);
    gl_error(ctx, GL_CONTEXT_LOST, "the context was reset");
    return 0;
}

/* Reports the sync object as signaled, so that no application waits for it forever. */
static void lost_sync(GLsync sync, GLenum name, GLsizei size, GLsizei *length, GLint *values)
{
    while_lost();
    if (name == GL_SYNC_STATUS && values)
        *values = GL_SIGNALED;
}

static void lost_query(GLuint id, GLenum name, GLuint *params)
{
    while_lost();
    if (name == GL_QUERY_RESULT_AVAILABLE && params)
        *params = GL_TRUE;
}

/* Builds the dispatch table of lost contexts (KHR_robustness, "Graphics Reset Recovery"). */
static void build_lost_table(void)
{
    for (unsigned s = 0; s < GL_SLOT_COUNT; s++) {
        const struct gl_slot_info *info = &gl_slots[s];
        bool kept = !strcmp(info->name, "glGetError") ||
                    !strncmp(info->name, "glGetGraphicsResetStatus", 24);
        lost_table.slot[s] =
            kept && info->implementation ? info->implementation : (gl_function)while_lost;
    }
    lost_table.dispatch.GetSynciv = lost_sync;
    lost_table.dispatch.GetQueryObjectuiv = lost_query;
}

static void build_tables(void)
{
    build_lost_table();
    for (unsigned api = 0; api < GL_API_COUNT; api++) {
        bool has_begin = api == GL_API_COMPAT;
        for (unsigned t = 0; t < (has_begin ? GL_TABLE_LOST : 1); t++) {
            union gl_dispatch_union *table = &tables[api][t];
            for (unsigned s = 0; s < GL_SLOT_COUNT; s++) {
                const struct gl_slot_info *info = &gl_slots[s];
                gl_function f = (gl_function)info->missing;
                if (info->implementation && info->apis >> api & 1)
                    f = info->guarded ? info->guarded : info->implementation;
                bool inside = t == GL_TABLE_BEGIN_END || t == GL_TABLE_SAVE_BEGIN_END;
                bool save = t == GL_TABLE_SAVE || t == GL_TABLE_SAVE_BEGIN_END;
                if (inside && !info->in_begin_end)
                    f = (gl_function)inside_begin_end;
                else if (save && info->not_in_lists)
                    f = (gl_function)while_compiling;
                table->slot[s] = f;
            }
            if (t == GL_TABLE_SAVE || t == GL_TABLE_SAVE_BEGIN_END)
                gl_save_install(&table->dispatch, gl_slots);
        }
    }
}

const struct gl_dispatch *gl_dispatch_get(enum gl_api api, enum gl_table table)
{
    pthread_once(&tables_once, build_tables);
    return table == GL_TABLE_LOST ? &lost_table.dispatch : &tables[api][table].dispatch;
}

bool gl_has_command(unsigned slot)
{
    return gl_slots[slot].implementation;
}

static uint64_t incomplete[GL_API_COUNT];

static void find_incomplete_versions(void)
{
    for (unsigned s = 0; s < GL_SLOT_COUNT; s++)
        for (unsigned api = 0; api < GL_API_COUNT && !gl_slots[s].implementation; api++)
            incomplete[api] |= 1ull << gl_slots[s].since[api];
}

uint64_t gl_incomplete_versions(unsigned api)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_incomplete_versions);
    return incomplete[api];
}

uintptr_t gl_missing_command(unsigned slot)
{
    GL_CONTEXT(ctx);
    const struct gl_slot_info *info = &gl_slots[slot];
    if (!(info->apis >> ctx->api & 1))
        gl_error(ctx, GL_INVALID_OPERATION, "%s is not a command of this API", info->name);
    else
        gl_error(ctx, GL_INVALID_OPERATION, "%s is not implemented", info->name);
    return 0;
}
