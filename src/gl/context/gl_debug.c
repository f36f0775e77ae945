/* SPDX-License-Identifier: MIT */
/* Errors and debug output (GL 4.6 §2.3.1 and chapter 20, KHR_debug, ARB_debug_output). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_reset.h"
#include "gl/context/gl_share.h"
#include "gl_entry.h"
#include "gl_enum_names.h"
#include "util/log.h"
#include "util/options.h"

const char *gl_enum_name(GLenum value)
{
    static _Thread_local char text[4][12];
    static _Thread_local unsigned next;
    unsigned low = 0, high = ARRAY_SIZE(enum_names);
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (enum_names[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < ARRAY_SIZE(enum_names) && enum_names[low].value == value)
        return enum_names[low].name;
    char *t = text[next++ & 3];
    snprintf(t, sizeof text[0], "0x%x", value);
    return t;
}

/* -------------------------------------------------------------------------- message filters --- */

static bool rule_matches(const struct gl_debug_rule *rule, GLenum source, GLenum type, GLuint id,
                         GLenum severity)
{
    return (rule->source == GL_DONT_CARE || rule->source == source) &&
           (rule->type == GL_DONT_CARE || rule->type == type) &&
           (rule->severity == GL_DONT_CARE || rule->severity == severity) &&
           (!rule->by_id || rule->id == id);
}

/* All messages are enabled initially, except those of low severity (GL 4.6 §20.4). */
static bool message_enabled(const struct gl_context *ctx, GLenum source, GLenum type, GLuint id,
                            GLenum severity)
{
    for (unsigned g = ctx->debug.group_depth + 1; g--;)
        for (const struct gl_debug_rule *r = ctx->debug.groups[g].rules; r; r = r->next)
            if (rule_matches(r, source, type, id, severity))
                return r->enabled;
    return severity != GL_DEBUG_SEVERITY_LOW;
}

static void clear_message(struct gl_debug_message *m)
{
    free(m->text);
    *m = (struct gl_debug_message){0};
}

static bool copy_message(struct gl_debug_message *m, GLenum source, GLenum type, GLuint id,
                         GLenum severity, const char *text, GLsizei length)
{
    char *copy = malloc((size_t)length + 1);
    if (!copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    *m = (struct gl_debug_message){source, type, severity, id, copy, length};
    return true;
}

/* A debug callback runs on this thread. Messages that its own commands cause in any context with a
 * callback are dropped, so callbacks don't recurse. */
static _Thread_local bool in_callback;

static void send(const struct gl_debug_state *d, GLenum source, GLenum type, GLuint id,
                 GLenum severity, const char *text, GLsizei length)
{
    in_callback = true;
    d->callback(source, type, id, severity, length, text, d->user);
    in_callback = false;
}

void gl_debug_send_queue(struct gl_context *ctx)
{
    struct gl_debug_message queue[GL_DEBUG_QUEUE_MAX];
    unsigned count = ctx->debug.queue_count;
    memcpy(queue, ctx->debug.queue, count * sizeof *queue);
    ctx->debug.queue_count = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct gl_debug_message *m = &queue[i];
        /* The callback may have released or destroyed the context, or set another callback. */
        if (ctx == gl_current_context && ctx->debug.callback)
            send(&ctx->debug, m->source, m->type, m->id, m->severity, m->text, m->length);
        clear_message(&queue[i]);
    }
}

/* Queues the message if a command is running; it then still holds locks and pointers to objects. */
static bool enqueue(struct gl_context *ctx, GLenum source, GLenum type, GLuint id, GLenum severity,
                    const char *text, GLsizei length)
{
    struct gl_debug_state *d = &ctx->debug;
    if (!ctx->command_running || d->queue_count == GL_DEBUG_QUEUE_MAX ||
        !copy_message(&d->queue[d->queue_count], source, type, id, severity, text, length))
        return false;
    d->queue_count++;
    ctx->after_command |= GL_AFTER_MESSAGES;
    return true;
}

static void emit(struct gl_context *ctx, GLenum source, GLenum type, GLuint id, GLenum severity,
                 const char *text, GLsizei length)
{
    struct gl_debug_state *d = &ctx->debug;
    if (!d->output || !message_enabled(ctx, source, type, id, severity))
        return;
    if (d->callback) {
        if (in_callback || enqueue(ctx, source, type, id, severity, text, length))
            return;
        gl_debug_send_queue(ctx); /* older messages, if the queue is full */
        if (ctx == gl_current_context && d->callback)
            send(d, source, type, id, severity, text, length);
        return;
    }
    if (d->log_count == GL_DEBUG_LOG_MAX)
        return; /* new messages are discarded (§20.3) */
    unsigned slot = (d->log_first + d->log_count) % GL_DEBUG_LOG_MAX;
    if (copy_message(&d->log[slot], source, type, id, severity, text, length))
        d->log_count++;
}

void gl_debug_message(struct gl_context *ctx, GLenum source, GLenum type, GLuint id,
                      GLenum severity, const char *format, ...)
{
    if (!ctx->debug.output)
        return;
    char text[GL_DEBUG_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    emit(ctx, source, type, id, severity, text, CLAMP(n, 0, (int)sizeof text - 1));
}

void gl_error(struct gl_context *ctx, GLenum error, const char *format, ...)
{
    if (!ctx->error)
        ctx->error = error;
    if (!ctx->debug.output && !util_debug(DEBUG_API))
        return;
    char what[GL_DEBUG_MESSAGE_MAX - 64], text[GL_DEBUG_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    int n = snprintf(text, sizeof text, "%s in %s", gl_enum_name(error), what);
    if (util_debug(DEBUG_API))
        log_error("%s", text);
    emit(ctx, GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_ERROR, error, GL_DEBUG_SEVERITY_HIGH, text, n);
}

GLenum gl_GetError(void)
{
    GL_CONTEXT(ctx);
    gl_check_reset(ctx, false);
    /* A GL may have several error flags (GL 4.6 §2.3.1). The driver's flag is reported after the
     * context's. */
    if (!ctx->error && ctx->drv->out_of_memory) {
        ctx->drv->out_of_memory = false;
        gl_error(ctx, GL_OUT_OF_MEMORY, "a drawing command (it was not executed in full)");
    }
    GLenum error = ctx->error;
    ctx->error = GL_NO_ERROR;
    if (ctx->no_error && error != GL_OUT_OF_MEMORY)
        return GL_NO_ERROR;
    return error;
}

void gl_debug_init(struct gl_context *ctx)
{
    ctx->debug.output = ctx->debug_context;
}

static void free_rules(struct gl_debug_group *group)
{
    while (group->rules) {
        struct gl_debug_rule *next = group->rules->next;
        free(group->rules);
        group->rules = next;
    }
}

void gl_debug_finish(struct gl_context *ctx)
{
    for (unsigned i = 0; i < GL_DEBUG_LOG_MAX; i++)
        clear_message(&ctx->debug.log[i]);
    for (unsigned i = 0; i < ctx->debug.queue_count; i++)
        clear_message(&ctx->debug.queue[i]);
    for (unsigned i = 0; i < GL_DEBUG_GROUPS_MAX; i++) {
        free_rules(&ctx->debug.groups[i]);
        clear_message(&ctx->debug.groups[i].message);
    }
}

/* --------------------------------------------------------------------------------- commands --- */

static bool valid_source(GLenum source, bool application_only)
{
    if (source == GL_DEBUG_SOURCE_APPLICATION || source == GL_DEBUG_SOURCE_THIRD_PARTY)
        return true;
    return !application_only && source >= GL_DEBUG_SOURCE_API && source <= GL_DEBUG_SOURCE_OTHER;
}

static bool valid_type(GLenum type)
{
    return (type >= GL_DEBUG_TYPE_ERROR && type <= GL_DEBUG_TYPE_OTHER) ||
           (type >= GL_DEBUG_TYPE_MARKER && type <= GL_DEBUG_TYPE_POP_GROUP);
}

static bool valid_severity(GLenum severity)
{
    return (severity >= GL_DEBUG_SEVERITY_HIGH && severity <= GL_DEBUG_SEVERITY_LOW) ||
           severity == GL_DEBUG_SEVERITY_NOTIFICATION;
}

/* Returns the length of a message, whose length argument may be negative. Returns -1 with the error
 * raised if it is too long. */
GLsizei gl_debug_message_length(struct gl_context *ctx, const char *call, GLsizei length,
                                const GLchar *text)
{
    size_t n = length < 0 ? strlen(text) : (size_t)length;
    if (n >= GL_DEBUG_MESSAGE_MAX) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(length=%zu, maximum %d)", call, n,
                 GL_DEBUG_MESSAGE_MAX - 1);
        return -1;
    }
    return n;
}

void gl_DebugMessageInsert(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                           const GLchar *buf)
{
    GL_CONTEXT(ctx);
    if (!valid_source(source, true) || !valid_type(type) || !valid_severity(severity)) {
        gl_error(ctx, GL_INVALID_ENUM, "glDebugMessageInsert(source=%s, type=%s, severity=%s)",
                 gl_enum_name(source), gl_enum_name(type), gl_enum_name(severity));
        return;
    }
    length = gl_debug_message_length(ctx, "glDebugMessageInsert", length, buf);
    if (length >= 0)
        emit(ctx, source, type, id, severity, buf, length);
}

void gl_DebugMessageCallback(GLDEBUGPROC callback, const void *userParam)
{
    GL_CONTEXT(ctx);
    ctx->debug.callback = callback;
    ctx->debug.user = userParam;
}

/* Returns whether rule b applies to all messages that rule a applies to. */
static bool rule_covers(const struct gl_debug_rule *b, const struct gl_debug_rule *a)
{
    return (b->source == GL_DONT_CARE || b->source == a->source) &&
           (b->type == GL_DONT_CARE || b->type == a->type) &&
           (b->severity == GL_DONT_CARE || b->severity == a->severity) &&
           (!b->by_id || (a->by_id && b->id == a->id));
}

/* Adds a rule, which overrides older ones, and removes the rules that it covers. Returns false if
 * out of memory or if there are too many rules; their number is limited because every message is
 * compared with all of them. */
static bool add_rule(struct gl_debug_group *group, const struct gl_debug_rule *rule)
{
    unsigned count = 0;
    for (struct gl_debug_rule **at = &group->rules, *r; (r = *at);) {
        if (rule_covers(rule, r)) {
            *at = r->next;
            free(r);
        } else {
            at = &r->next;
            count++;
        }
    }
    struct gl_debug_rule *fresh = count < GL_DEBUG_RULES_MAX ? malloc(sizeof *fresh) : NULL;
    if (!fresh)
        return false;
    *fresh = *rule;
    fresh->next = group->rules;
    group->rules = fresh;
    return true;
}

void gl_DebugMessageControl(GLenum source, GLenum type, GLenum severity, GLsizei count,
                            const GLuint *ids, GLboolean enabled)
{
    GL_CONTEXT(ctx);
    if ((source != GL_DONT_CARE && !valid_source(source, false)) ||
        (type != GL_DONT_CARE && !valid_type(type)) ||
        (severity != GL_DONT_CARE && !valid_severity(severity))) {
        gl_error(ctx, GL_INVALID_ENUM, "glDebugMessageControl(source=%s, type=%s, severity=%s)",
                 gl_enum_name(source), gl_enum_name(type), gl_enum_name(severity));
        return;
    }
    if (count < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDebugMessageControl(count=%d)", count);
        return;
    }
    if (count && (severity != GL_DONT_CARE || source == GL_DONT_CARE || type == GL_DONT_CARE)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glDebugMessageControl(ids need source and type only)");
        return;
    }
    struct gl_debug_group *group = &ctx->debug.groups[ctx->debug.group_depth];
    struct gl_debug_rule rule = {
        .source = source,
        .type = type,
        .severity = severity,
        .by_id = count > 0,
        .enabled = enabled,
    };
    if (count > GL_DEBUG_RULES_MAX) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glDebugMessageControl(count=%d)", count);
        return;
    }
    for (GLsizei i = 0; i < MAX2(count, 1); i++) {
        rule.id = count ? ids[i] : 0;
        if (!add_rule(group, &rule)) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "glDebugMessageControl(more than %d rules)",
                     GL_DEBUG_RULES_MAX);
            return;
        }
    }
}

GLuint gl_GetDebugMessageLog(GLuint count, GLsizei bufSize, GLenum *sources, GLenum *types,
                             GLuint *ids, GLenum *severities, GLsizei *lengths, GLchar *messageLog)
{
    GL_CONTEXT(ctx);
    struct gl_debug_state *d = &ctx->debug;
    if (bufSize < 0 && messageLog) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetDebugMessageLog(bufSize=%d)", bufSize);
        return 0;
    }
    GLuint n = 0;
    for (; n < count && d->log_count; n++) {
        struct gl_debug_message *m = &d->log[d->log_first];
        if (messageLog) {
            if (m->length + 1 > bufSize)
                break;
            memcpy(messageLog, m->text, (size_t)m->length + 1);
            messageLog += m->length + 1;
            bufSize -= m->length + 1;
        }
        if (sources)
            sources[n] = m->source;
        if (types)
            types[n] = m->type;
        if (ids)
            ids[n] = m->id;
        if (severities)
            severities[n] = m->severity;
        if (lengths)
            lengths[n] = m->length + 1;
        clear_message(m);
        d->log_first = (d->log_first + 1) % GL_DEBUG_LOG_MAX;
        d->log_count--;
    }
    return n;
}

void gl_PushDebugGroup(GLenum source, GLuint id, GLsizei length, const GLchar *message)
{
    GL_CONTEXT(ctx);
    struct gl_debug_state *d = &ctx->debug;
    if (!valid_source(source, true)) {
        gl_error(ctx, GL_INVALID_ENUM, "glPushDebugGroup(source=%s)", gl_enum_name(source));
        return;
    }
    length = gl_debug_message_length(ctx, "glPushDebugGroup", length, message);
    if (length < 0)
        return;
    if (d->group_depth + 1 >= GL_DEBUG_GROUPS_MAX) {
        gl_error(ctx, GL_STACK_OVERFLOW, "glPushDebugGroup");
        return;
    }
    copy_message(&d->groups[++d->group_depth].message, source, GL_DEBUG_TYPE_POP_GROUP, id,
                 GL_DEBUG_SEVERITY_NOTIFICATION, message, length);
    /* Last, because the callback may push and pop groups. */
    emit(ctx, source, GL_DEBUG_TYPE_PUSH_GROUP, id, GL_DEBUG_SEVERITY_NOTIFICATION, message,
         length);
}

void gl_PopDebugGroup(void)
{
    GL_CONTEXT(ctx);
    struct gl_debug_state *d = &ctx->debug;
    if (!d->group_depth) {
        gl_error(ctx, GL_STACK_UNDERFLOW, "glPopDebugGroup");
        return;
    }
    struct gl_debug_group *group = &d->groups[d->group_depth];
    free_rules(group);
    d->group_depth--;
    struct gl_debug_message m = group->message;
    group->message = (struct gl_debug_message){0};
    if (m.text) /* Last, because the callback may push and pop groups. */
        emit(ctx, m.source, m.type, m.id, m.severity, m.text, m.length);
    clear_message(&m);
}
