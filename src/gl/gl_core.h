/* SPDX-License-Identifier: MIT */
/* Inside of the core interface: the screen, dispatch tables, creation of contexts. */
#ifndef GL_CORE_H
#define GL_CORE_H

#include "gl/gl_context.h"
#include "gl/gl_lists.h"
#include "gl_dispatch.h"

/* The process's screen, made at the first call; NULL: no driver works. */
struct drv_screen *gl_screen(void);

enum gl_table {
    GL_TABLE_EXEC,      /* outside glBegin / glEnd */
    GL_TABLE_BEGIN_END, /* inside: what is not allowed there reports an error */
    GL_TABLE_SAVE,      /* compiling a display list */
    GL_TABLE_SAVE_BEGIN_END, /* the same, executing it too, inside glBegin / glEnd */
    GL_TABLE_COUNT,
};
/* NULL: no memory. */
const struct gl_dispatch *gl_dispatch_get(enum gl_api api, enum gl_table table);
/* Makes the thread use exec outside of list compilation and the save table inside. */
void gl_dispatch_select(struct gl_context *ctx);

/* Highest version of the API, 10 * major + minor; 0: none. */
unsigned gl_max_version(enum gl_api api);

struct gl_context *gl_context_new(const struct gl_context_attribs *attribs,
                                  enum gl_create_error *error);
void gl_context_free(struct gl_context *ctx);
void gl_context_init_state(struct gl_context *ctx);
bool gl_context_init_strings(struct gl_context *ctx);
/* Whether the context advertises "GL_ARB_…"; for tables, code asks ctx->ext. */
bool gl_has_extension(const struct gl_context *ctx, const char *name);
void gl_context_copy_state(struct gl_context *src, struct gl_context *dst, GLbitfield mask);
/* glFlush without errors. */
void gl_context_flush(struct gl_context *ctx, bool finish);

void gl_drawable_reference(struct gl_drawable **dst, struct gl_drawable *src);
bool gl_visual_supported(const struct gl_visual *visual);
struct gl_drawable *gl_drawable_new(const struct gl_visual *visual,
                                    const struct gl_drawable_ops *ops, void *data);
void gl_drawable_free(struct gl_drawable *d);
bool gl_drawable_read(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                      uint32_t stride, int width, int height);
void gl_drawable_exchange(struct gl_drawable *d, bool preserve);
bool gl_drawable_copy_back(struct gl_drawable *d, int x, int y, int width, int height);

void gl_debug_init(struct gl_context *ctx);
void gl_debug_finish(struct gl_context *ctx);

/* Value of a capability; false: this context has no such one. */
bool gl_enabled(struct gl_context *ctx, GLenum cap, bool *value);
/* glColorMaterial: copies the current color into the materials that follow it. */
void gl_light_track_color(struct gl_context *ctx);
/* glEnd: material properties that waited for it. */
void gl_light_end(struct gl_context *ctx);

/* --- areas of this side; init: false on no memory --- */
bool gl_matrices_init(struct gl_context *ctx);
void gl_matrices_finish(struct gl_context *ctx);
bool gl_arrays_init(struct gl_context *ctx);
void gl_arrays_finish(struct gl_context *ctx);
void gl_buffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
bool gl_immediate_init(struct gl_context *ctx);
void gl_immediate_finish(struct gl_context *ctx);
bool gl_lists_init(struct gl_context *ctx);
void gl_lists_finish(struct gl_context *ctx);
void gl_lists_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
bool gl_evaluators_init(struct gl_context *ctx);
void gl_evaluators_finish(struct gl_context *ctx);
bool gl_feedback_init(struct gl_context *ctx);
void gl_feedback_finish(struct gl_context *ctx);
bool gl_attrib_stack_init(struct gl_context *ctx);
void gl_attrib_stack_finish(struct gl_context *ctx);
/* Entries on glPushAttrib's, or glPushClientAttrib's stack. */
unsigned gl_attrib_stack_depth(const struct gl_context *ctx, bool client);
bool gl_queries_init(struct gl_context *ctx);
char **gl_query_label(struct gl_context *ctx, GLuint name); /* NULL: no such query */
void gl_queries_finish(struct gl_context *ctx);
/* Where a sync object's label is; NULL: no such object. */
char **gl_sync_label(struct gl_context *ctx, const void *sync);
void gl_syncs_finish_shared(struct gl_shared *shared);
bool gl_cso_init(struct gl_context *ctx);
void gl_cso_finish(struct gl_context *ctx);

#endif
