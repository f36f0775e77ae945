/* SPDX-License-Identifier: MIT */
/* Display lists inside: nodes in blocks, shared by gl_lists.c and the generated gl_save.c. */
#ifndef GL_LISTS_PRIVATE_H
#define GL_LISTS_PRIVATE_H

#include "gl/context/gl_context.h"
#include "gl/compat/gl_lists.h"
#include "gl_dispatch.h"

/* Opcodes: enum gl_slot for recorded commands, then these. */
enum gl_list_opcode {
    GL_LIST_END = GL_SLOT_COUNT, /* of the list */
    GL_LIST_NEXT,                /* goes on in the next block */
    GL_LIST_ATTRIB,              /* an attribute or vertex */
    GL_LIST_MATERIAL,            /* properties of materials: face, name << 16 */
    GL_LIST_DRAW_BEGIN,          /* of an array draw: like glBegin, up to … */
    GL_LIST_DRAW_END,            /* … this all is skipped when glBegin is an error */
    GL_LIST_ERROR,               /* raises an error that was found when compiling */
    GL_LIST_GROUP, /* a primitive, and perhaps a pack of them, begins (gl_list_pack.h) */
};

struct gl_list_node {
    uint16_t opcode;
    uint16_t words; /* of 8 bytes, with this header */
    uint32_t data;  /* the node's own */
};

struct gl_list_block {
    struct gl_list_block *next;
    size_t used, size; /* bytes of data */
    uint64_t data[];
};

/* A place in a list: bytes of a block before it. */
struct gl_list_place {
    struct gl_list_block *block;
    size_t used;
};

static inline struct gl_list_node *gl_list_node_at(const struct gl_list_place *p)
{
    return (struct gl_list_node *)((char *)p->block->data + p->used);
}

/* To the next node; blocks are linked by nodes of their own, which nobody else sees. */
static inline void gl_list_follow_links(struct gl_list_place *p)
{
    while (gl_list_node_at(p)->opcode == GL_LIST_NEXT)
        *p = (struct gl_list_place){p->block->next, 0};
}

static inline void gl_list_step(struct gl_list_place *p)
{
    p->used += gl_list_node_at(p)->words * 8;
    gl_list_follow_links(p);
}

/* A node with bytes of arguments behind its header, in the list being compiled. NULL: no memory
 * (error raised). */
struct gl_list_node *gl_list_node_add(struct gl_context *ctx, unsigned opcode, size_t bytes);
/* The same for what belongs to a run of primitives; *at (unless NULL) becomes its place. */
struct gl_list_node *gl_list_node_append(struct gl_context *ctx, unsigned opcode, size_t bytes,
                                         struct gl_list_place *at);
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
void gl_save_commands_install(struct gl_dispatch *table, const struct gl_slot_info *slots);
void gl_list_replay_command(struct gl_context *ctx, struct gl_list_node *node);

#endif
