/* SPDX-License-Identifier: MIT */
/* Query objects, conditional rendering and sync objects (GL 4.6 chapter 4, §10.9). */
#include "gl/draw/gl_query.h"

#include <stdlib.h>
#include <talloc.h>
#include <time.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/refcount.h"

/* ---------------------------------------------------------------------------- query objects --- */

struct gl_query {
    GLuint name;
    GLenum target; /* 0: never used */
    GLuint index;  /* vertex stream, while active */
    bool active;
    struct drv_query *drv;
    enum drv_query_type type;
    bool ready; /* result is valid */
    GLuint64 result;
    char *label;
};

/* Slots of active queries. Each pipeline statistic has a slot; transform feedback queries have one
 * per stream. */
enum {
    ACTIVE_OCCLUSION,
    ACTIVE_TIME,
    ACTIVE_OVERFLOW_ANY,
    ACTIVE_STATISTIC,
    ACTIVE_GENERATED = ACTIVE_STATISTIC + DRV_STAT_COUNT,
    ACTIVE_WRITTEN = ACTIVE_GENERATED + DRV_MAX_VERTEX_STREAMS,
    ACTIVE_OVERFLOW = ACTIVE_WRITTEN + DRV_MAX_VERTEX_STREAMS,
    ACTIVE_COUNT = ACTIVE_OVERFLOW + DRV_MAX_VERTEX_STREAMS,
};

struct gl_queries {
    struct gl_names names;
    struct gl_query *active[ACTIVE_COUNT];
    struct gl_query *condition; /* query of glBeginConditionalRender */
    bool inverted, wait;        /* its mode */
};

bool gl_queries_init(struct gl_context *ctx)
{
    ctx->queries = talloc_zero(ctx, struct gl_queries);
    return ctx->queries && gl_names_init(&ctx->queries->names);
}

bool gl_queries_observe_draws(const struct gl_context *ctx)
{
    const struct gl_queries *q = ctx->queries;
    if (q->condition)
        return true;
    for (unsigned i = 0; i < ACTIVE_COUNT; i++)
        if (q->active[i] && q->active[i]->type != DRV_QUERY_TIME_ELAPSED)
            return true;
    return false;
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

static bool has_timers(const struct gl_context *ctx)
{
    return ctx->ext.ARB_timer_query || ctx->ext.EXT_timer_query;
}

/* Targets of pipeline statistics queries (GL 4.6 §4.2). A statistic is no valid target if the
 * driver lacks its stage. */
static const struct {
    GLenum target;
    enum shader_stage stage;
} statistics[DRV_STAT_COUNT] = {
    [DRV_STAT_VERTICES_SUBMITTED] = {GL_VERTICES_SUBMITTED, SHADER_VERTEX},
    [DRV_STAT_PRIMITIVES_SUBMITTED] = {GL_PRIMITIVES_SUBMITTED, SHADER_VERTEX},
    [DRV_STAT_VS_INVOCATIONS] = {GL_VERTEX_SHADER_INVOCATIONS, SHADER_VERTEX},
    [DRV_STAT_TCS_PATCHES] = {GL_TESS_CONTROL_SHADER_PATCHES, SHADER_TESS_CTRL},
    [DRV_STAT_TES_INVOCATIONS] = {GL_TESS_EVALUATION_SHADER_INVOCATIONS, SHADER_TESS_EVAL},
    [DRV_STAT_GS_INVOCATIONS] = {GL_GEOMETRY_SHADER_INVOCATIONS, SHADER_GEOMETRY},
    [DRV_STAT_GS_PRIMITIVES] = {GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED, SHADER_GEOMETRY},
    [DRV_STAT_FS_INVOCATIONS] = {GL_FRAGMENT_SHADER_INVOCATIONS, SHADER_FRAGMENT},
    [DRV_STAT_CS_INVOCATIONS] = {GL_COMPUTE_SHADER_INVOCATIONS, SHADER_COMPUTE},
    [DRV_STAT_CLIPPING_INPUT] = {GL_CLIPPING_INPUT_PRIMITIVES, SHADER_VERTEX},
    [DRV_STAT_CLIPPING_OUTPUT] = {GL_CLIPPING_OUTPUT_PRIMITIVES, SHADER_VERTEX},
    /* EXT_mesh_shader */
    [DRV_STAT_TASK_INVOCATIONS] = {GL_TASK_SHADER_INVOCATIONS_EXT, SHADER_TASK},
    [DRV_STAT_MESH_INVOCATIONS] = {GL_MESH_SHADER_INVOCATIONS_EXT, SHADER_MESH},
    [DRV_STAT_MESH_PRIMITIVES] = {GL_MESH_PRIMITIVES_GENERATED_EXT, SHADER_MESH},
};

/* Returns the slot of a statistics target, or -1 if the context doesn't have it. */
static int statistic_slot(const struct gl_context *ctx, GLenum target)
{
    for (unsigned i = 0; i < DRV_STAT_COUNT; i++)
        if (statistics[i].target == target)
            return (statistics[i].stage > SHADER_COMPUTE
                        ? ctx->ext.EXT_mesh_shader
                        : ctx->ext.ARB_pipeline_statistics_query) &&
                           ctx->screen->caps.stage[statistics[i].stage].supported
                       ? ACTIVE_STATISTIC + (int)i
                       : -1;
    return -1;
}

/* Returns the slot of a target (of stream 0) and sets *type, or returns -1 if the context doesn't
 * have the target. */
static int target_slot(const struct gl_context *ctx, GLenum target, enum drv_query_type *type)
{
    const struct drv_caps *c = &ctx->screen->caps;
    const struct gl_extensions *e = &ctx->ext;
    bool feedback = gl_is_es(ctx) ? ctx->consts.version >= 30
                                  : ctx->consts.version >= 30 || e->EXT_transform_feedback;
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
        return has_timers(ctx) ? ACTIVE_TIME : -1;
    case GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN:
        *type = DRV_QUERY_PRIMITIVES_EMITTED;
        return feedback ? ACTIVE_WRITTEN : -1;
    case GL_PRIMITIVES_GENERATED:
        *type = DRV_QUERY_PRIMITIVES_GENERATED;
        return feedback && (gl_is_desktop(ctx) || e->OES_geometry_shader) ? ACTIVE_GENERATED : -1;
    case GL_TRANSFORM_FEEDBACK_OVERFLOW:
        *type = DRV_QUERY_SO_OVERFLOW_ANY;
        return e->ARB_transform_feedback_overflow_query ? ACTIVE_OVERFLOW_ANY : -1;
    case GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW:
        *type = DRV_QUERY_SO_OVERFLOW;
        return e->ARB_transform_feedback_overflow_query ? ACTIVE_OVERFLOW : -1;
    default:
        *type = DRV_QUERY_STATISTIC;
        return statistic_slot(ctx, target);
    }
}

/* Returns the slot of a target and stream, like target_slot(), or -1 after raising an error. */
static int indexed_slot(struct gl_context *ctx, GLenum target, GLuint index,
                        enum drv_query_type *type, const char *call)
{
    int slot = target_slot(ctx, target, type);
    if (slot < 0) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
        return -1;
    }
    GLuint streams = slot >= ACTIVE_GENERATED ? ctx->consts.glsl->limits.max_vertex_streams : 1;
    if (index >= MAX2(streams, 1)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
        return -1;
    }
    return slot + (int)index;
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

static bool make_query(struct gl_context *ctx, GLuint name, GLenum target)
{
    struct gl_query *q = calloc(1, sizeof *q);
    if (!q || !gl_names_insert(&ctx->queries->names, name, q)) {
        free(q);
        return false;
    }
    q->name = name;
    q->target = target;
    return true;
}

void gl_CreateQueries(GLenum target, GLsizei n, GLuint *ids)
{
    GL_CONTEXT(ctx);
    enum drv_query_type type;
    if (!(target == GL_TIMESTAMP && has_timers(ctx)) && target_slot(ctx, target, &type) < 0)
        gl_error(ctx, GL_INVALID_ENUM, "glCreateQueries(target=%s)", gl_enum_name(target));
    else
        gl_names_create(ctx, &ctx->queries->names, n, ids, make_query, target, gl_DeleteQueries,
                        "glCreateQueries");
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
    if (!make_query(ctx, id, 0))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return gl_names_lookup(&ctx->queries->names, id);
}

/* Returns whether a target is one of the boolean occlusion queries. A query of one of them may be
 * reused for the other (GL 4.6 §4.2.2). */
static bool asks_for_any_samples(GLenum target)
{
    return target == GL_ANY_SAMPLES_PASSED || target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE;
}

/* Returns whether a query may be begun with this target: it is new or has been used for it. */
static bool has_type(const struct gl_query *q, GLenum target)
{
    return !q->target || q->target == target ||
           (asks_for_any_samples(q->target) && asks_for_any_samples(target));
}

/* Creates the driver's query object of that type. The query gets this target. Returns
 * false if out of memory. */
static bool prepare(struct gl_context *ctx, struct gl_query *q, GLenum target, GLuint index,
                    enum drv_query_type type)
{
    if (q->drv && (q->type != type || q->index != index)) {
        ctx->drv->ops->destroy_query(ctx->drv, q->drv);
        q->drv = NULL;
    }
    if (!q->drv)
        q->drv = ctx->drv->ops->create_query(
            ctx->drv, type,
            type == DRV_QUERY_STATISTIC ? statistic_slot(ctx, target) - ACTIVE_STATISTIC : index);
    q->type = type;
    q->target = target;
    q->index = index;
    q->ready = false;
    q->result = 0;
    return q->drv;
}

static void begin_query(GLenum target, GLuint index, GLuint id, const char *call)
{
    GL_CONTEXT(ctx);
    enum drv_query_type type;
    int slot = indexed_slot(ctx, target, index, &type, call);
    if (slot < 0)
        return;
    if (ctx->queries->active[slot]) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is active)", call, gl_enum_name(target));
        return;
    }
    struct gl_query *q = find_or_create(ctx, id, call);
    if (!q)
        return;
    if (q->active || q == ctx->queries->condition || !has_type(q, target)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(id=%u: active, a condition or of another target)",
                 call, id);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!prepare(ctx, q, target, index, type) || !ctx->drv->ops->begin_query(ctx->drv, q->drv)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    q->active = true;
    ctx->queries->active[slot] = q;
}

void gl_BeginQuery(GLenum target, GLuint id)
{
    begin_query(target, 0, id, "glBeginQuery");
}

void gl_BeginQueryIndexed(GLenum target, GLuint index, GLuint id)
{
    begin_query(target, index, id, "glBeginQueryIndexed");
}

static void end_query(GLenum target, GLuint index, const char *call)
{
    GL_CONTEXT(ctx);
    enum drv_query_type type;
    int slot = indexed_slot(ctx, target, index, &type, call);
    if (slot < 0)
        return;
    struct gl_query *q = ctx->queries->active[slot];
    if (!q || q->target != target) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is not active)", call, gl_enum_name(target));
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    ctx->drv->ops->end_query(ctx->drv, q->drv);
    q->active = false;
    ctx->queries->active[slot] = NULL;
}

void gl_EndQuery(GLenum target)
{
    end_query(target, 0, "glEndQuery");
}

void gl_EndQueryIndexed(GLenum target, GLuint index)
{
    end_query(target, index, "glEndQueryIndexed");
}

void gl_QueryCounter(GLuint id, GLenum target)
{
    GL_CONTEXT(ctx);
    if (target != GL_TIMESTAMP || !has_timers(ctx)) {
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
    if (!prepare(ctx, q, target, 0, DRV_QUERY_TIMESTAMP)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glQueryCounter");
        return;
    }
    ctx->drv->ops->end_query(ctx->drv, q->drv);
}

/* Returns the number of counter bits: at least 32 for counters, 1 for booleans (GL 4.6 §4.2.3). */
static GLint counter_bits(enum drv_query_type type)
{
    switch (type) {
    case DRV_QUERY_TIMESTAMP:
    case DRV_QUERY_TIME_ELAPSED:
    case DRV_QUERY_STATISTIC:
        return 64;
    case DRV_QUERY_OCCLUSION_COUNTER:
    case DRV_QUERY_PRIMITIVES_GENERATED:
    case DRV_QUERY_PRIMITIVES_EMITTED:
        return 32;
    default:
        return 1;
    }
}

static void get_query(GLenum target, GLuint index, GLenum pname, GLint *params, const char *call)
{
    GL_CONTEXT(ctx);
    enum drv_query_type type = DRV_QUERY_TIMESTAMP;
    const bool timestamp = target == GL_TIMESTAMP && has_timers(ctx);
    if (timestamp && index) { /* GL 4.6 §4.2.3 */
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
        return;
    }
    int slot = timestamp ? 0 : indexed_slot(ctx, target, index, &type, call);
    if (slot < 0)
        return;
    const struct gl_query *q = timestamp ? NULL : ctx->queries->active[slot];
    switch (pname) {
    case GL_CURRENT_QUERY:
        *params = q && q->target == target ? q->name : 0;
        return;
    case GL_QUERY_COUNTER_BITS:
        *params = counter_bits(type);
        return;
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

void gl_GetQueryiv(GLenum target, GLenum pname, GLint *params)
{
    get_query(target, 0, pname, params, "glGetQueryiv");
}

void gl_GetQueryIndexediv(GLenum target, GLuint index, GLenum pname, GLint *params)
{
    get_query(target, index, pname, params, "glGetQueryIndexediv");
}

/* Fetches the result. Returns false if it isn't available yet; with `wait`, waits for it. */
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
    bool predicate = q->type == DRV_QUERY_OCCLUSION_PREDICATE || q->type == DRV_QUERY_SO_OVERFLOW ||
                     q->type == DRV_QUERY_SO_OVERFLOW_ANY;
    q->result = predicate ? r.b : r.u64;
    q->ready = true;
    return true;
}

/* Reads a property or the result of a query. Returns false after raising an error, or if
 * GL_QUERY_RESULT_NO_WAIT has no result to write. */
static bool get_object(struct gl_context *ctx, GLuint id, GLenum pname, GLuint64 *v,
                       const char *call)
{
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
        if (gl_is_es(ctx)) /* ES 3.2 §4.2.1 */
            break;
        *v = q->result;
        return fetch(ctx, q, false);
    case GL_QUERY_RESULT_AVAILABLE:
        *v = fetch(ctx, q, false);
        return true;
    case GL_QUERY_TARGET:
        if (gl_is_es(ctx))
            break;
        *v = q->target;
        return true;
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return false;
}

/* Stores the value, clamped to max, in `bytes` bytes. */
static void put_value(GLuint64 v, unsigned bytes, GLuint64 max, void *to)
{
    v = MIN2(v, max);
    memcpy(to, &v, bytes); /* assumes a little-endian host */
}

/* Writes a query result to a buffer (GL 4.6 §4.2.1). */
static void get_to_buffer(struct gl_context *ctx, GLuint id, GLenum pname, struct gl_buffer *b,
                          GLintptr offset, unsigned bytes, GLuint64 max, const char *call)
{
    struct drv_transfer *t;
    GLuint64 v;
    if (offset < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%td)", call, offset);
        return;
    }
    if (offset > b->size || b->size - offset < (GLsizeiptr)bytes || gl_buffer_is_mapped(b)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(offset=%td in a buffer of %td bytes, mapped: %d)",
                 call, offset, b->size, gl_buffer_is_mapped(b));
        return;
    }
    if (!get_object(ctx, id, pname, &v, call))
        return;
    void *to = gl_buffer_map_internal(ctx, b, offset, bytes, DRV_MAP_WRITE, &t);
    if (!to) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    put_value(v, bytes, max, to);
    gl_buffer_unmap_internal(ctx, t);
}

/* Implements glGetQueryObject*. With a query buffer bound, params is an offset into it
 * (ARB_query_buffer_object). */
static void get_to_params(GLuint id, GLenum pname, unsigned bytes, GLuint64 max, void *params,
                          const char *call)
{
    GL_CONTEXT(ctx);
    GLuint64 v;
    if (ctx->query_buffer)
        get_to_buffer(ctx, id, pname, ctx->query_buffer, (GLintptr)params, bytes, max, call);
    else if (get_object(ctx, id, pname, &v, call))
        put_value(v, bytes, max, params);
}

static void get_to_named(GLuint id, GLuint buffer, GLenum pname, GLintptr offset, unsigned bytes,
                         GLuint64 max, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_buffer *b = gl_named_buffer(ctx, buffer, call);
    if (b)
        get_to_buffer(ctx, id, pname, b, offset, bytes, max, call);
}

#define GET_QUERY(suffix, type, max)                                                               \
    void gl_GetQueryObject##suffix(GLuint id, GLenum pname, type *params)                          \
    {                                                                                              \
        get_to_params(id, pname, sizeof(type), max, params, "glGetQueryObject" #suffix);           \
    }                                                                                              \
    void gl_GetQueryBufferObject##suffix(GLuint id, GLuint buffer, GLenum pname, GLintptr offset)  \
    {                                                                                              \
        get_to_named(id, buffer, pname, offset, sizeof(type), max,                                 \
                     "glGetQueryBufferObject" #suffix);                                            \
    }
GET_QUERY(iv, GLint, INT32_MAX)
GET_QUERY(uiv, GLuint, UINT32_MAX)
GET_QUERY(i64v, GLint64, INT64_MAX)
GET_QUERY(ui64v, GLuint64, UINT64_MAX)

/* -------------------------------------------------------------------- conditional rendering --- */

void gl_condition_suspend(struct gl_context *ctx)
{
    if (ctx->queries->condition)
        ctx->drv->ops->render_condition(ctx->drv, NULL, false, false);
}

void gl_condition_resume(struct gl_context *ctx)
{
    const struct gl_queries *q = ctx->queries;
    if (q->condition)
        ctx->drv->ops->render_condition(ctx->drv, q->condition->drv, q->inverted, q->wait);
}

/* Returns whether queries of a target may be conditions. */
static bool may_be_condition(GLenum target)
{
    return target == GL_SAMPLES_PASSED || asks_for_any_samples(target) ||
           target == GL_TRANSFORM_FEEDBACK_OVERFLOW ||
           target == GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW;
}

/* A query that was created but never begun has the result 0 (GL 4.6 §4.2.2). */
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
    if (q->active || !may_be_condition(q->target)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBeginConditionalRender(id=%u)", id);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    enum drv_query_type type;
    if (!q->drv &&
        (target_slot(ctx, q->target, &type) < 0 || !prepare(ctx, q, q->target, 0, type))) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glBeginConditionalRender");
        return;
    }
    ctx->queries->condition = q;
    ctx->queries->inverted = inverted;
    ctx->queries->wait = mode == GL_QUERY_WAIT || mode == GL_QUERY_BY_REGION_WAIT ||
                         mode == GL_QUERY_WAIT_INVERTED || mode == GL_QUERY_BY_REGION_WAIT_INVERTED;
    gl_condition_resume(ctx);
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

/* ----------------------------------------------------------------------------- sync objects --- */

struct gl_sync {
    int refcount;            /* atomic */
    struct drv_fence *fence; /* NULL: signaled */
    struct drv_screen *screen;
    char *label;
};

/* Returns the sync object with a new reference, or NULL. A sync handle is its name in the share
 * group, cast to a pointer. */
static struct gl_sync *sync_acquire(struct gl_context *ctx, const void *sync)
{
    uintptr_t name = (uintptr_t)sync;
    if (!name || name > UINT32_MAX)
        return NULL;
    gl_names_lock(&ctx->shared->syncs);
    struct gl_sync *s = gl_names_lookup(&ctx->shared->syncs, name);
    if (s)
        ref_take(&s->refcount);
    gl_names_unlock(&ctx->shared->syncs);
    return s;
}

static void sync_release(struct gl_sync *s)
{
    if (!s || !ref_drop(&s->refcount))
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
        sync_release(s);
        return;
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
