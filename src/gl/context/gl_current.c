/* SPDX-License-Identifier: MIT */
/* The current context and dispatch table of each thread, and the screen of the process. */
#include "gl/context/gl_current.h"

#include "gl/context/gl_context.h"
#include "gl_dispatch.h"
#include "util/options.h"

_Thread_local struct gl_context *gl_current_context
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
_Thread_local const struct gl_dispatch *gl_current_dispatch
    __attribute__((tls_model("initial-exec"), visibility("hidden"))) = &gl_dispatch_no_context;

static struct drv_screen *the_screen;
static pthread_once_t screen_once = PTHREAD_ONCE_INIT;

static void create_screen(void)
{
    the_screen = drv_screen_create(util_get_options()->driver);
}

struct drv_screen *gl_screen(void)
{
    pthread_once(&screen_once, create_screen);
    return the_screen;
}

void gl_dispatch_select(struct gl_context *ctx)
{
    bool inside = ctx->inside_begin_end;
    ctx->exec_dispatch = ctx->tables[inside ? GL_TABLE_BEGIN_END : GL_TABLE_EXEC];
    ctx->dispatch = ctx->exec_dispatch;
    if (ctx->compiling_list)
        ctx->dispatch = ctx->tables[inside ? GL_TABLE_SAVE_BEGIN_END : GL_TABLE_SAVE];
    if (ctx->lost)
        ctx->dispatch = ctx->tables[GL_TABLE_LOST];
    if (gl_current_context == ctx)
        gl_current_dispatch = ctx->dispatch;
}
