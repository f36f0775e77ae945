/* SPDX-License-Identifier: MIT */
/* Query objects, conditional rendering and sync objects (GL 4.6 chapter 4, §10.9). */
#include <stdlib.h>
#include <talloc.h>
#include <time.h>

#include "gl/gl_core.h"
#include "gl_entry.h"

/* -------------------------------------------------------------------------------- query objects --- */

struct gl_query {
    GLuint name;
    GLenum target;       /* 0: never used */
    bool active;
    struct drv_query *drv;
    enum drv_query_type type;
    bool ready;          /* result is valid */
    GLuint64 result;
    char *label;
};

enum { ACTIVE_OCCLUSION, ACTIVE_TIME, ACTIVE_GENERATED, ACTIVE_WRITTEN, ACTIVE_COUNT };

struct gl_queries {
    struct gl_names names;
    struct gl_query *active[ACTIVE_COUNT];
    struct gl_query *condition; /* of glBeginConditionalRender */
};

bool gl_queries_init(struct gl_context *ctx)
{
    ctx->queries = talloc_zero(ctx, struct gl_queries);
    return ctx->queries && gl_names_init(&ctx->queries->names);
}

char **gl_query_label(struct gl_context *ctx, GLuint name)
{
    struct gl_query *q = gl_names_lookup(&ctx->queries->names, name);
    return q ? &q->label : NULL;
}

static void query_free(struct gl_context *ctx, struct gl_query *q)
{
    if (!q)
        return;
    if (q->drv)
        ctx->drv->ops->destroy_query(ctx->drv, q->drv);
    free(q->label);
    free(q);
}

static void free_named(GLuint name, void *object, void *data)
{
    query_free(data, object);
}

void gl_queries_finish(struct gl_context *ctx)
{
    if (!ctx->queries || !ctx->queries->names.table)
        return;
    gl_names_foreach(&ctx->queries->names, free_named, ctx);
    gl_names_finish(&ctx->queries->names);
}

/* Slot of active queries of a target, and the driver's type; -1: not a target here. */
static int target_slot(const struct gl_context *ctx, GLenum target, enum drv_query_type *type)
{
    const struct drv_caps *c = &ctx->screen->caps;
    switch (target) {
    case GL_SAMPLES_PASSED:
        *type = DRV_QUERY_OCCLUSION_COUNTER;
        return c->occlusion_query && gl_is_desktop(ctx) ? ACTIVE_OCCLUSION : -1;
    case GL_ANY_SAMPLES_PASSED:
    case GL_ANY_SAMPLES_PASSED_CONSERVATIVE:
        *type = DRV_QUERY_OCCLUSION_PREDICATE;
        return c->occlusion_query ? ACTIVE_OCCLUSION : -1;
    case GL_TIME_ELAPSED:
        *type = DRV_QUERY_TIME_ELAPSED;
        return c->timer_query && gl_is_desktop(ctx) ? ACTIVE_TIME : -1;
    default:
        return -1;
    }
}

void gl_GenQueries(GLsizei n, GLuint *ids)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenQueries(n=%d)", n);
    else if (!gl_names_gen(&ctx->queries->names, n, false, ids))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenQueries(n=%d)", n);
}

void gl_DeleteQueries(GLsizei n, const GLuint *ids)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteQueries(n=%d)", n);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    for (GLsizei i = 0; i < n; i++) {
        struct gl_query *q = gl_names_remove(&ctx->queries->names, ids[i]);
        if (!q)
            continue;
        for (unsigned s = 0; s < ACTIVE_COUNT; s++)
            if (ctx->queries->active[s] == q) {
                ctx->drv->ops->end_query(ctx->drv, q->drv);
                ctx->queries->active[s] = NULL;
            }
        if (ctx->queries->condition == q) {
            ctx->drv->ops->render_condition(ctx->drv, NULL, false, false);
            ctx->queries->condition = NULL;
        }
        query_free(ctx, q);
    }
}

GLboolean gl_IsQuery(GLuint id)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(&ctx->queries->names, id) != NULL;
}

static struct gl_query *find_or_create(struct gl_context *ctx, GLuint id, const char *call)
{
    struct gl_query *q = gl_names_lookup(&ctx->queries->names, id);
    if (q)
        return q;
    if (!id || (!gl_names_is_used(&ctx->queries->names, id) && ctx->api != GL_API_COMPAT)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(id=%u)", call, id);
        return NULL;
    }
    q = calloc(1, sizeof *q);
    if (!q || !gl_names_insert(&ctx->queries->names, id, q)) {
        free(q);
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return NULL;
    }
    q->name = id;
    return q;
}

/* Gives the query a driver object of the type. False: no memory. */
static bool prepare(struct gl_context *ctx, struct gl_query *q, GLenum target,
                    enum drv_query_type type)
{
    if (q->drv && q->type != type) {
        ctx->drv->ops->destroy_query(ctx->drv, q->drv);
        q->drv = NULL;
    }
    if (!q->drv)
        q->drv = ctx->drv->ops->create_query(ctx->drv, type, 0);
    q->type = type;
    q->target = target;
    q->ready = false;
    q->result = 0;
    return q->drv;
}

void gl_BeginQuery(GLenum target, GLuint id)
{
    GL_CONTEXT(ctx);
    enum drv_query_type type;
    int slot = target_slot(ctx, target, &type);
    if (slot < 0) {
        gl_error(ctx, GL_INVALID_ENUM, "glBeginQuery(target=%s)", gl_enum_name(target));
        return;
    }
    if (ctx->queries->active[slot]) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBeginQuery(%s is active)", gl_enum_name(target));
        return;
    }
    struct gl_query *q = find_or_create(ctx, id, "glBeginQuery");
    if (!q)
        return;
    if (q->active || (q->target && q->target != target)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBeginQuery(id=%u: active or of another target)",
                 id);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!prepare(ctx, q, target, type) || !ctx->drv->ops->begin_query(ctx->drv, q->drv)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glBeginQuery");
        return;
    }
    q->active = true;
    ctx->queries->active[slot] = q;
}

void gl_EndQuery(GLenum target)
{
    GL_CONTEXT(ctx);
    enum drv_query_type type;
    int slot = target_slot(ctx, target, &type);
    if (slot < 0) {
        gl_error(ctx, GL_INVALID_ENUM, "glEndQuery(target=%s)", gl_enum_name(target));
        return;
    }
    struct gl_query *q = ctx->queries->active[slot];
    if (!q || q->target != target) {
        gl_error(ctx, GL_INVALID_OPERATION, "glEndQuery(%s is not active)", gl_enum_name(target));
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    ctx->drv->ops->end_query(ctx->drv, q->drv);
    q->active = false;
    ctx->queries->active[slot] = NULL;
}

void gl_QueryCounter(GLuint id, GLenum target)
{
    GL_CONTEXT(ctx);
    if (target != GL_TIMESTAMP || !ctx->screen->caps.timer_query) {
        gl_error(ctx, GL_INVALID_ENUM, "glQueryCounter(target=%s)", gl_enum_name(target));
        return;
    }
    struct gl_query *q = find_or_create(ctx, id, "glQueryCounter");
    if (!q)
        return;
    if (q->active || (q->target && q->target != target)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glQueryCounter(id=%u)", id);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!prepare(ctx, q, target, DRV_QUERY_TIMESTAMP)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glQueryCounter");
        return;
    }
    ctx->drv->ops->end_query(ctx->drv, q->drv);
}

void gl_GetQueryiv(GLenum target, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    enum drv_query_type type;
    bool timestamp = target == GL_TIMESTAMP && ctx->screen->caps.timer_query;
    int slot = target_slot(ctx, target, &type);
    if (slot < 0 && !timestamp) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetQueryiv(target=%s)", gl_enum_name(target));
        return;
    }
    const struct gl_query *q = timestamp ? NULL : ctx->queries->active[slot];
    switch (pname) {
    case GL_CURRENT_QUERY:
        *params = q && q->target == target ? q->name : 0;
        return;
    case GL_QUERY_COUNTER_BITS:
        *params = timestamp || slot == ACTIVE_TIME              ? 64
                  : target == GL_SAMPLES_PASSED                 ? 32
                                                                : 1;
        return;
    }
    gl_error(ctx, GL_INVALID_ENUM, "glGetQueryiv(pname=%s)", gl_enum_name(pname));
}

/* Fetches the result if it is there; wait: until it is. */
static bool fetch(struct gl_context *ctx, struct gl_query *q, bool wait)
{
    union drv_query_result r = {0};
    if (q->ready || !q->drv)
        return true;
    FLUSH_VERTICES(ctx, 0);
    if (!wait)
        ctx->drv->ops->flush(ctx->drv, NULL);
    if (!ctx->drv->ops->get_query_result(ctx->drv, q->drv, wait, &r))
        return false;
    q->result = q->type == DRV_QUERY_OCCLUSION_PREDICATE ? r.b : r.u64;
    q->ready = true;
    return true;
}

/* A query's value; false: error raised or (GL_QUERY_RESULT_NO_WAIT) nothing to write. */
static bool get_object(GLuint id, GLenum pname, GLuint64 *v, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_query *q = gl_names_lookup(&ctx->queries->names, id);
    if (!q || q->active) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(id=%u)", call, id);
        return false;
    }
    switch (pname) {
    case GL_QUERY_RESULT:
        fetch(ctx, q, true);
        *v = q->result;
        return true;
    case GL_QUERY_RESULT_NO_WAIT:
        *v = q->result;
        return fetch(ctx, q, false);
    case GL_QUERY_RESULT_AVAILABLE:
        *v = fetch(ctx, q, false);
        return true;
    case GL_QUERY_TARGET:
        *v = q->target;
        return true;
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return false;
}

void gl_GetQueryObjectiv(GLuint id, GLenum pname, GLint *params)
{
    GLuint64 v;
    if (get_object(id, pname, &v, "glGetQueryObjectiv"))
        *params = MIN2(v, INT32_MAX);
}

void gl_GetQueryObjectuiv(GLuint id, GLenum pname, GLuint *params)
{
    GLuint64 v;
    if (get_object(id, pname, &v, "glGetQueryObjectuiv"))
        *params = MIN2(v, UINT32_MAX);
}

void gl_GetQueryObjecti64v(GLuint id, GLenum pname, GLint64 *params)
{
    GLuint64 v;
    if (get_object(id, pname, &v, "glGetQueryObjecti64v"))
        *params = MIN2(v, INT64_MAX);
}

void gl_GetQueryObjectui64v(GLuint id, GLenum pname, GLuint64 *params)
{
    GLuint64 v;
    if (get_object(id, pname, &v, "glGetQueryObjectui64v"))
        *params = v;
}

/* ------------------------------------------------------------------------ conditional rendering --- */

void gl_BeginConditionalRender(GLuint id, GLenum mode)
{
    GL_CONTEXT(ctx);
    struct gl_query *q = gl_names_lookup(&ctx->queries->names, id);
    bool inverted = mode >= GL_QUERY_WAIT_INVERTED && mode <= GL_QUERY_BY_REGION_NO_WAIT_INVERTED;
    if (!inverted && (mode < GL_QUERY_WAIT || mode > GL_QUERY_BY_REGION_NO_WAIT)) {
        gl_error(ctx, GL_INVALID_ENUM, "glBeginConditionalRender(mode=%s)", gl_enum_name(mode));
        return;
    }
    if (ctx->queries->condition) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBeginConditionalRender(already active)");
        return;
    }
    if (!q) {
        gl_error(ctx, GL_INVALID_VALUE, "glBeginConditionalRender(id=%u)", id);
        return;
    }
    enum drv_query_type type;
    if (q->active || !q->drv || target_slot(ctx, q->target, &type) != ACTIVE_OCCLUSION) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBeginConditionalRender(id=%u)", id);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    ctx->queries->condition = q;
    bool wait = mode == GL_QUERY_WAIT || mode == GL_QUERY_BY_REGION_WAIT ||
                mode == GL_QUERY_WAIT_INVERTED || mode == GL_QUERY_BY_REGION_WAIT_INVERTED;
    ctx->drv->ops->render_condition(ctx->drv, q->drv, inverted, wait);
}

void gl_EndConditionalRender(void)
{
    GL_CONTEXT(ctx);
    if (!ctx->queries->condition) {
        gl_error(ctx, GL_INVALID_OPERATION, "glEndConditionalRender(not active)");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    ctx->queries->condition = NULL;
    ctx->drv->ops->render_condition(ctx->drv, NULL, false, false);
}

/* --------------------------------------------------------------------------------- sync objects --- */

struct gl_sync {
    int refcount; /* atomic */
    struct drv_fence *fence; /* NULL: signalled */
    struct drv_screen *screen;
    char *label;
};

/* Sync names are handed out as pointers: index in the share group's names. */
static struct gl_sync *sync_acquire(struct gl_context *ctx, const void *sync)
{
    uintptr_t name = (uintptr_t)sync;
    if (!name || name > UINT32_MAX)
        return NULL;
    gl_names_lock(&ctx->shared->syncs);
    struct gl_sync *s = gl_names_lookup(&ctx->shared->syncs, name);
    if (s)
        __atomic_add_fetch(&s->refcount, 1, __ATOMIC_RELAXED);
    gl_names_unlock(&ctx->shared->syncs);
    return s;
}

static void sync_release(struct gl_sync *s)
{
    if (!s || __atomic_sub_fetch(&s->refcount, 1, __ATOMIC_ACQ_REL))
        return;
    if (s->fence)
        s->screen->ops->fence_reference(s->screen, &s->fence, NULL);
    free(s->label);
    free(s);
}

static void release_named(GLuint name, void *object, void *data)
{
    sync_release(object);
}

void gl_syncs_finish_shared(struct gl_shared *shared)
{
    if (shared->syncs.table)
        gl_names_foreach(&shared->syncs, release_named, NULL);
}

char **gl_sync_label(struct gl_context *ctx, const void *sync)
{
    uintptr_t name = (uintptr_t)sync;
    struct gl_sync *s = name <= UINT32_MAX ? gl_names_lookup(&ctx->shared->syncs, name) : NULL;
    return s ? &s->label : NULL;
}

GLsync gl_FenceSync(GLenum condition, GLbitfield flags)
{
    GL_CONTEXT(ctx);
    if (condition != GL_SYNC_GPU_COMMANDS_COMPLETE) {
        gl_error(ctx, GL_INVALID_ENUM, "glFenceSync(condition=%s)", gl_enum_name(condition));
        return NULL;
    }
    if (flags) {
        gl_error(ctx, GL_INVALID_VALUE, "glFenceSync(flags=0x%x)", flags);
        return NULL;
    }
    GLuint name;
    struct gl_sync *s = calloc(1, sizeof *s);
    if (!s || !gl_names_gen(&ctx->shared->syncs, 1, false, &name)) {
        free(s);
        gl_error(ctx, GL_OUT_OF_MEMORY, "glFenceSync");
        return NULL;
    }
    s->refcount = 1;
    s->screen = ctx->screen;
    FLUSH_VERTICES(ctx, 0);
    ctx->drv->ops->flush(ctx->drv, &s->fence);
    gl_names_insert(&ctx->shared->syncs, name, s);
    return (GLsync)(uintptr_t)name;
}

GLboolean gl_IsSync(GLsync sync)
{
    GL_CONTEXT(ctx);
    struct gl_sync *s = sync_acquire(ctx, sync);
    sync_release(s);
    return s != NULL;
}

void gl_DeleteSync(GLsync sync)
{
    GL_CONTEXT(ctx);
    uintptr_t name = (uintptr_t)sync;
    if (!name)
        return;
    struct gl_sync *s = name <= UINT32_MAX ? gl_names_remove(&ctx->shared->syncs, name) : NULL;
    if (!s)
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteSync(no such sync)");
    sync_release(s);
}

GLenum gl_ClientWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout)
{
    GL_CONTEXT(ctx);
    if (flags & ~GL_SYNC_FLUSH_COMMANDS_BIT) {
        gl_error(ctx, GL_INVALID_VALUE, "glClientWaitSync(flags=0x%x)", flags);
        return GL_WAIT_FAILED;
    }
    struct gl_sync *s = sync_acquire(ctx, sync);
    if (!s) {
        gl_error(ctx, GL_INVALID_VALUE, "glClientWaitSync(no such sync)");
        return GL_WAIT_FAILED;
    }
    GLenum result = GL_TIMEOUT_EXPIRED;
    if (!s->fence || ctx->screen->ops->fence_finish(ctx->screen, s->fence, 0))
        result = GL_ALREADY_SIGNALED;
    else if (timeout && ctx->screen->ops->fence_finish(ctx->screen, s->fence, timeout))
        result = GL_CONDITION_SATISFIED;
    sync_release(s);
    return result;
}

void gl_WaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout)
{
    GL_CONTEXT(ctx);
    if (flags || timeout != GL_TIMEOUT_IGNORED) {
        gl_error(ctx, GL_INVALID_VALUE, "glWaitSync(flags=0x%x)", flags);
        return;
    }
    struct gl_sync *s = sync_acquire(ctx, sync);
    if (!s)
        gl_error(ctx, GL_INVALID_VALUE, "glWaitSync(no such sync)");
    else if (s->fence)
        ctx->screen->ops->fence_finish(ctx->screen, s->fence, UINT64_MAX);
    sync_release(s);
}

void gl_GetSynciv(GLsync sync, GLenum pname, GLsizei count, GLsizei *length, GLint *values)
{
    GL_CONTEXT(ctx);
    struct gl_sync *s = sync_acquire(ctx, sync);
    if (!s) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetSynciv(no such sync)");
        return;
    }
    GLint v = 0;
    switch (pname) {
    case GL_OBJECT_TYPE:
        v = GL_SYNC_FENCE;
        break;
    case GL_SYNC_CONDITION:
        v = GL_SYNC_GPU_COMMANDS_COMPLETE;
        break;
    case GL_SYNC_FLAGS:
        break;
    case GL_SYNC_STATUS:
        v = !s->fence || ctx->screen->ops->fence_finish(ctx->screen, s->fence, 0) ? GL_SIGNALED
                                                                                 : GL_UNSIGNALED;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetSynciv(pname=%s)", gl_enum_name(pname));
        count = 0;
    }
    sync_release(s);
    if (count < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetSynciv(count=%d)", count);
        return;
    }
    if (count)
        values[0] = v;
    if (length)
        *length = count > 0;
}
