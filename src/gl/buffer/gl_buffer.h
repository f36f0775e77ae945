/* SPDX-License-Identifier: MIT */
/* Buffer objects: storage in driver buffer resources, mappings, bindings. */
#ifndef GL_BUFFER_H
#define GL_BUFFER_H

#include "gl/context/gl_buffer_types.h"
#include "indium/driver.h"

struct gl_context;
struct gl_shared;

/* Sets *dst to src and updates both reference counts. *dst and src may be NULL. Destroys the old
 * object with its last reference. */
void gl_buffer_reference(struct gl_context *ctx, struct gl_buffer **dst, struct gl_buffer *src);
/* Returns the buffer object with a name; NULL for 0 and for names without an object. */
struct gl_buffer *gl_buffer_lookup(struct gl_context *ctx, GLuint name);
/* Returns whether the application has mapped the buffer without GL_MAP_PERSISTENT_BIT. Only draws,
 * which read arrays and indices, and shaders access such a buffer. */
bool gl_buffer_is_mapped(const struct gl_buffer *buffer);
/* Maps length bytes at byte offset `offset` for the API layer itself (pixel packing, index scans).
 * drv_map_flags: DRV_MAP_… flags. Stores in *transfer what gl_buffer_unmap_internal needs. The
 * buffer may also be mapped by the application. Returns NULL without raising an error if out of
 * memory, or if the range is empty or not inside the buffer's storage. */
void *gl_buffer_map_internal(struct gl_context *ctx, struct gl_buffer *buffer, GLintptr offset,
                             GLsizeiptr length, unsigned drv_map_flags,
                             struct drv_transfer **transfer);
/* Ends the access that gl_buffer_map_internal began. */
void gl_buffer_unmap_internal(struct gl_context *ctx, struct drv_transfer *transfer);

/* --- Selectors: return the buffer that a command refers to. They raise an error for the command
 * `call` and return NULL if there is none. --- */

/* Returns the buffer bound to a target, or NULL after raising an error. */
struct gl_buffer *gl_bound_buffer(struct gl_context *ctx, GLenum target, const char *call);
/* Like gl_bound_buffer, but raises GL_INVALID_VALUE if no buffer is bound
 * (ARB_clear_buffer_object). */
struct gl_buffer *gl_bound_buffer_to_clear(struct gl_context *ctx, GLenum target, const char *call);
/* Returns the buffer object with a name, or NULL after raising an error. */
struct gl_buffer *gl_named_buffer(struct gl_context *ctx, GLuint name, const char *call);
/* Like gl_named_buffer, but creates the object if the name has none (EXT_direct_state_access), as
 * gl_buffer_for_bind() does. Name 0 is an error. */
struct gl_buffer *gl_get_or_create_buffer(struct gl_context *ctx, GLuint name, const char *call);

/* --- Core functions: commands of GL 4.6 §6.2 to §6.7 on a given buffer. gl_buffer_data implements
 * glBufferData, gl_buffer_flush_range glFlushMappedBufferRange, gl_buffer_get_iv
 * glGetBufferParameteriv, gl_buffer_get_pointer glGetBufferPointerv, and so on. Offsets and sizes
 * are in bytes. Errors are raised for the command `call`; functions that return a pointer or
 * GLboolean then return NULL or GL_FALSE. The entry-point wrappers (gl_entry_points.py) find the
 * buffer and call them. --- */

void gl_buffer_data(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size, const void *data,
                    GLenum usage, const char *call);
/* Places the buffer's storage in a memory object (EXT_memory_object). It consists of `size` bytes
 * from byte `offset` of the memory object with the name `memory`. */
void gl_buffer_storage_mem(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size,
                           GLuint memory, GLuint64 offset, const char *call);

void gl_buffer_storage(struct gl_context *ctx, struct gl_buffer *b, GLsizeiptr size,
                       const void *data, GLbitfield flags, const char *call);
/* Commits the pages of a range of a sparse buffer, or decommits them if commit is GL_FALSE
 * (ARB_sparse_buffer). */
void gl_buffer_page_commitment(struct gl_context *ctx, struct gl_buffer *b, GLintptr offset,
                               GLsizeiptr size, GLboolean commit, const char *call);

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

/* --- Sparse buffers --- */

#define GL_SPARSE_BUFFER_PAGE_BYTES 65536 /* GL_SPARSE_BUFFER_PAGE_SIZE_ARB */

/* Reserves address space for a sparse buffer of `size` bytes; pages use memory only after they are
 * written. Returns NULL if out of address space or memory. The caller owns the reference. */
struct drv_memory *gl_sparse_memory_create(GLsizeiptr size);

/* --- Indexed binding points --- */

/* Unbinds b from all indexed binding points of the context. If b is NULL, unbinds all buffers. If a
 * binding point changes, sets the dirty bits of uniform and storage buffers. */
void gl_indexed_buffers_unbind(struct gl_context *ctx, const struct gl_buffer *b);
/* Queries indexed binding point `index` for glGetIntegeri_v. Stores the number of binding points in
 * *limit and the result in *value, which is 0 if index is not below *limit. Returns false, and
 * stores nothing, if pname is not a query of indexed binding points. */
bool gl_indexed_buffer_get(struct gl_context *ctx, GLenum pname, GLuint index, unsigned *limit,
                           double *value);
/* Stores the buffer object with a name in *b, for a command that binds it. Creates the object if
 * the name has none; *b is NULL for name 0. Returns false if an error was raised: out of memory,
 * or, in the core profile, a name that glGenBuffers did not return. */
bool gl_buffer_for_bind(struct gl_context *ctx, GLuint name, struct gl_buffer **b,
                        const char *call);
/* Returns the location of the (non-indexed) binding of a target, which owns a reference; NULL if
 * the context doesn't have the target. GL_ELEMENT_ARRAY_BUFFER's is in the bound vertex array
 * object. */
struct gl_buffer **gl_buffer_binding(struct gl_context *ctx, GLenum target);

/* Drops the references that the buffer names hold. Called when the share group is destroyed. */
void gl_buffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared);

/* Returns whether a range of bytes lies inside the buffer (GL 4.6 §6.2.1). Otherwise raises
 * GL_INVALID_VALUE. */
bool gl_check_buffer_range(struct gl_context *ctx, const struct gl_buffer *b, GLintptr offset,
                           GLsizeiptr size, const char *call);
/* Returns whether a range of bytes may be accessed: it doesn't overlap the application's mapping,
 * or the mapping is persistent. Otherwise raises GL_INVALID_OPERATION. The range must be inside the
 * buffer. */
bool gl_check_buffer_range_unmapped(struct gl_context *ctx, const struct gl_buffer *b,
                                    GLintptr offset, GLsizeiptr size, const char *call);

#endif
