/* SPDX-License-Identifier: MIT */
/* GL errors and KHR_debug. Every error is recorded here, with a message that states the reason. */
#ifndef GL_ERROR_H
#define GL_ERROR_H

#include "gl/context/gl_types.h"
#include "util/list.h"
#include "util/macros.h"

struct gl_context;

#define GL_DEBUG_LOG_MAX     64   /* messages in the log; later ones are discarded */
#define GL_DEBUG_RULES_MAX   4096 /* rules (struct gl_debug_rule) in one debug group */
#define GL_DEBUG_MESSAGE_MAX 4096 /* bytes in a message, including the terminator */
#define GL_DEBUG_GROUPS_MAX  64   /* stack depth, including the default group */
#define GL_DEBUG_QUEUE_MAX   16   /* messages that a command can queue for the callback */

/* A message in the debug log or queue, or the message that glPushDebugGroup was called with. */
struct gl_debug_message {
    GLenum source, type, severity;
    GLuint id;
    char *text;     /* malloc'ed and null-terminated; NULL: no message */
    GLsizei length; /* bytes of text, without the terminator */
};

/* A rule of glDebugMessageControl. A call adds a rule per id, or one rule if it has no ids. Later
 * rules override earlier ones. */
struct gl_debug_rule {
    struct gl_debug_rule *next;
    GLenum source, type, severity; /* GL_DONT_CARE: any */
    /* by_id: the rule applies only to messages with `id`. enabled: it enables the messages it
     * applies to; otherwise it disables them. */
    bool by_id, enabled;
    GLuint id;
};

/* A debug group with the rules that were set in it. */
struct gl_debug_group {
    struct gl_debug_rule *rules; /* newest first */
    struct gl_debug_message message;
};

/* Debug output state of a context (KHR_debug). */
struct gl_debug_state {
    /* GL_DEBUG_OUTPUT, and GL_DEBUG_OUTPUT_SYNCHRONOUS, which is only queried */
    bool output, synchronous;
    GLDEBUGPROC callback; /* gets the messages; NULL: they are stored in the log */
    const void *user;     /* passed to the callback */
    /* Ring buffer of log_count messages. log_first is the index of the oldest one. */
    struct gl_debug_message log[GL_DEBUG_LOG_MAX];
    unsigned log_first, log_count;
    struct gl_debug_group groups[GL_DEBUG_GROUPS_MAX]; /* stack; groups[0] is the default group */
    unsigned group_depth;                              /* index of the top group */
    /* Messages of the running command for the callback, oldest first. They are sent when the
     * command ends, or before the next message if the queue is full. */
    struct gl_debug_message queue[GL_DEBUG_QUEUE_MAX];
    unsigned queue_count;
};

/* Raises a GL error: stores it for glGetError unless one is pending, and reports it to debug output
 * and, with INDIUM_DEBUG=api, to the log (util/log.h). `format` and its arguments name the call and
 * the reason, e.g. "glTexImage2D(level=20)"; the message starts with the name of the error. */
void gl_error(struct gl_context *ctx, GLenum error, const char *format, ...) PRINTFLIKE(3, 4);
/* Reports a message to debug output without raising a GL error, e.g. from the shader compiler or
 * about performance. Truncates it to GL_DEBUG_MESSAGE_MAX - 1 bytes. Does nothing if debug output
 * or the message is disabled. */
void gl_debug_message(struct gl_context *ctx, GLenum source, GLenum type, GLuint id,
                      GLenum severity, const char *format, ...) PRINTFLIKE(6, 7);
/* Returns the name of an enumerant ("GL_TEXTURE_2D"), or its value ("0x1234") if it is unknown.
 * The string of a value is thread-local and valid until the fourth call after this one; names are
 * always valid. */
const char *gl_enum_name(GLenum value);

/* Calls the debug callback for the messages that a command of ctx has queued, and empties the
 * queue. Messages are dropped once ctx has no callback or isn't current to the thread.
 * gl_share_leave calls this when the command has ended and holds no lock, so that the callback may
 * call GL and the window system, and even destroy ctx. It is also called when the queue is full,
 * while the command is still running. */
void gl_debug_send_queue(struct gl_context *ctx);

/* Initialize and free the debug state of a context. */
void gl_debug_init(struct gl_context *ctx);
void gl_debug_finish(struct gl_context *ctx);

/* Returns the length in bytes of a message or label from the application. If `length` is negative,
 * the text is null-terminated. If it has GL_DEBUG_MESSAGE_MAX bytes or more, raises
 * GL_INVALID_VALUE and returns a negative value. */
GLsizei gl_debug_message_length(struct gl_context *ctx, const char *call, GLsizei length,
                                const GLchar *text);

#endif
