/* SPDX-License-Identifier: MIT */
/* GL errors and KHR_debug. Every error is recorded here, with a message that states the reason. */
#ifndef GL_ERROR_H
#define GL_ERROR_H

#include "gl/context/gl_types.h"
#include "util/list.h"
#include "util/macros.h"

struct gl_context;

#define GL_DEBUG_LOG_MAX     64
#define GL_DEBUG_RULES_MAX   4096 /* in one debug group */
#define GL_DEBUG_MESSAGE_MAX 1024
#define GL_DEBUG_GROUPS_MAX  64

/* A message of the debug log or of a debug group. */
struct gl_debug_message {
    GLenum source, type, severity;
    GLuint id;
    char *text;
    GLsizei length;
};

/* A glDebugMessageControl call; later ones override earlier ones. */
struct gl_debug_rule {
    struct gl_debug_rule *next;
    GLenum source, type, severity; /* GL_DONT_CARE: any */
    bool by_id, enabled;
    GLuint id;
};

/* A debug group with the rules that were set in it. */
struct gl_debug_group {
    struct gl_debug_rule *rules; /* newest first */
    struct gl_debug_message message;
};

/* Debug output state of a context (KHR_debug). The log is a ring buffer. */
struct gl_debug_state {
    bool output, synchronous;
    GLDEBUGPROC callback;
    const void *user;
    struct gl_debug_message log[GL_DEBUG_LOG_MAX];
    unsigned log_first, log_count;
    struct gl_debug_group groups[GL_DEBUG_GROUPS_MAX];
    unsigned group_depth;
};

/* Records the error unless one is pending, and reports it to debug output and INDIUM_DEBUG=api. The
 * message starts with the call: "glTexImage2D(level=20)". */
void gl_error(struct gl_context *ctx, GLenum error, const char *format, ...) PRINTFLIKE(3, 4);
/* Reports a message other than an error, e.g. from the shader compiler or about performance. */
void gl_debug_message(struct gl_context *ctx, GLenum source, GLenum type, GLuint id,
                      GLenum severity, const char *format, ...) PRINTFLIKE(6, 7);
/* Returns the name of an enumerant ("GL_TEXTURE_2D"). For unknown values, returns "0x1234" in a
 * thread-local buffer. */
const char *gl_enum_name(GLenum value);

/* Initialize and free the debug state of a context. */
void gl_debug_init(struct gl_context *ctx);
void gl_debug_finish(struct gl_context *ctx);

/* Returns the length of a message or label in bytes. A negative length, as passed by the
 * application, means a null-terminated string. Returns a negative value with the error raised if
 * the text is too long. */
GLsizei gl_debug_message_length(struct gl_context *ctx, const char *call, GLsizei length,
                                const GLchar *text);

#endif
