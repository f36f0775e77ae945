/* SPDX-License-Identifier: MIT */
/* Buffer objects: storage in a driver's buffer resource, mappings, bindings. */
#ifndef GL_BUFFER_H
#define GL_BUFFER_H

#include "gl/context/gl_buffer_types.h"
#include "indium/driver.h"

struct gl_context;
struct gl_shared;

/* *dst = src with references; destroys what nobody refers to any more. */
void gl_buffer_reference(struct gl_context *ctx, struct gl_buffer **dst, struct gl_buffer *src);
/* Object of a name or NULL (0, unknown). */
struct gl_buffer *gl_buffer_lookup(struct gl_context *ctx, GLuint name);
/* Whether a mapping keeps GL commands from using the buffer (mapped and not persistent). */
bool gl_buffer_is_mapped(const struct gl_buffer *buffer);
/* Maps bytes for the API layer's own use (pixel pack and unpack, index scans); NULL: no memory. */
void *gl_buffer_map_internal(struct gl_context *ctx, struct gl_buffer *buffer, GLintptr offset,
                             GLsizeiptr length, unsigned drv_map_flags,
                             struct drv_transfer **transfer);
void gl_buffer_unmap_internal(struct gl_context *ctx, struct drv_transfer *transfer);

/* --- Selectors: the buffer that a command means; NULL: error raised, call names the command --- */

struct gl_buffer *gl_bound_buffer(struct gl_context *ctx, GLenum target, const char *call);
/* With the error of ARB_clear_buffer_object where none is bound. */
struct gl_buffer *gl_bound_buffer_to_clear(struct gl_context *ctx, GLenum target, const char *call);
struct gl_buffer *gl_named_buffer(struct gl_context *ctx, GLuint name, const char *call);
/* By a name that becomes a buffer where it is none yet (EXT_direct_state_access). */
struct gl_buffer *gl_use_buffer(struct gl_context *ctx, GLuint name, const char *call);

/* --- Cores: the commands of GL 4.6 §6.2 to §6.7 on a buffer, called by gl_entry_points.py's wrappers --- */

void gl_buffer_data(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size, const void *data,
                    GLenum usage, const char *call);
/* In a memory object (EXT_memory_object). */
void gl_buffer_storage_mem(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size,
                           GLuint memory, GLuint64 offset, const char *call);
void gl_buffer_storage(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size,
                       const void *data, GLbitfield flags, const char *call);
void gl_buffer_sub_data(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                        GLsizeiptr size, const void *data, const char *call);
void gl_buffer_get_sub_data(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                            GLsizeiptr size, void *data, const char *call);
void *gl_buffer_map(struct gl_context *ctx, struct gl_buffer *b, GLenum access, const char *call);
void *gl_buffer_map_range(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                          GLsizeiptr length, GLbitfield access, const char *call);
void gl_buffer_flush_range(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                           GLsizeiptr length, const char *call);
GLboolean gl_buffer_unmap(struct gl_context *ctx, struct gl_buffer *b, const char *call);
void gl_buffer_get_iv(struct gl_context *ctx, const struct gl_buffer *b, GLenum pname,
                      GLint *params, const char *call);
void gl_buffer_get_i64v(struct gl_context *ctx, const struct gl_buffer *b, GLenum pname,
                        GLint64 *params, const char *call);
void gl_buffer_get_pointer(struct gl_context *ctx, const struct gl_buffer *b, GLenum pname,
                           void **params, const char *call);

/* --- Indexed binding points --- */

/* Takes b (NULL: every buffer) off the indexed binding points. */
void gl_indexed_buffers_unbind(struct gl_context *ctx, const struct gl_buffer *b);
/* A value of an indexed binding point (glGetIntegeri_v), 0 beyond the limit; false: pname is none. */
bool gl_indexed_buffer_get(struct gl_context *ctx, GLenum pname, GLuint index, unsigned *limit,
                           double *value);
/* Object of a name to be bound, made if needed; 0 gives NULL. False: error raised. */
bool gl_buffer_for_bind(struct gl_context *ctx, GLuint name, struct gl_buffer **b,
                        const char *call);
/* Where a target's binding is, NULL for a target that this context does not have. */
struct gl_buffer **gl_buffer_binding(struct gl_context *ctx, GLenum target);

void gl_buffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared);

/* Whether the range is inside the buffer, and not mapped by the application (GL 4.6 §6.2.1); false: error
 * raised. */
bool gl_buffer_range_ok(struct gl_context *ctx, const struct gl_buffer *b, GLintptr offset,
                        GLsizeiptr size, const char *call);
bool gl_buffer_range_unmapped(struct gl_context *ctx, const struct gl_buffer *b, GLintptr offset,
                              GLsizeiptr size, const char *call);

#endif
