/* SPDX-License-Identifier: MIT */
/* Display lists inside: nodes in blocks, shared by gl_lists.c and the generated gl_save.c. */
#ifndef GL_LISTS_PRIVATE_H
#define GL_LISTS_PRIVATE_H

#include "gl/api/gl_context.h"
#include "gl/compat/gl_lists.h"
#include "gl_dispatch.h"

/* Opcodes: enum gl_slot for recorded commands, then these. */
enum gl_list_opcode {
    GL_LIST_END = GL_SLOT_COUNT, /* of the list */
    GL_LIST_NEXT,                /* goes on in the next block */
    GL_LIST_ATTRIB,              /* an attribute or vertex */
    GL_LIST_DRAW_BEGIN,          /* of an array draw: like glBegin, up to … */
    GL_LIST_DRAW_END,            /* … this all is skipped when glBegin is an error */
    GL_LIST_ERROR,               /* raises an error that was found when compiling */
};

struct gl_list_node {
    uint16_t opcode;
    uint16_t words; /* of 8 bytes, with this header */
    uint32_t data;  /* the node's own */
};

/* A node with bytes of arguments behind its header, in the list being compiled. NULL: no memory
 * (error raised). */
struct gl_list_node *gl_list_node_add(struct gl_context *ctx, unsigned opcode, size_t bytes);
static inline void *gl_list_args(struct gl_list_node *node)
{
    return node + 1;
}

/* Whether the command runs now too (GL_COMPILE_AND_EXECUTE). */
bool gl_list_executes(const struct gl_context *ctx);
/* Memory that the list frees with itself; a copy of size bytes of data, NULL: no memory, no data. */
void *gl_list_copy(struct gl_context *ctx, const void *data, size_t size);
/* Takes malloc'ed memory over. False: no memory (it is then freed). */
bool gl_list_own(struct gl_context *ctx, void *memory);
/* Number of values of a parameter name, for the vector forms of glLight, glFog … */
unsigned gl_list_pname_count(GLenum pname);
/* Replays with the default pixel store. */
struct gl_saved_unpack {
    struct gl_pixel_store store;
};
void gl_list_default_unpack(struct gl_context *ctx, struct gl_saved_unpack *saved);
void gl_list_restore_unpack(struct gl_context *ctx, struct gl_saved_unpack *saved);

/* Generated. */
void gl_save_commands_install(struct gl_dispatch *table);
void gl_list_replay_command(struct gl_context *ctx, struct gl_list_node *node);

#endif
