/* SPDX-License-Identifier: MIT */
/* Internals of display lists, shared by gl_lists.c, gl_list_pack.c and the generated gl_save.c. A
 * list is a linked list of blocks of memory, which contain nodes of different sizes, one per
 * recorded command. */
#ifndef GL_LISTS_PRIVATE_H
#define GL_LISTS_PRIVATE_H

#include "gl/context/gl_context.h"
#include "gl/compat/gl_lists.h"
#include "gl_dispatch.h"

/* Opcodes of nodes: enum gl_slot for recorded commands, followed by these. */
enum gl_list_opcode {
    GL_LIST_END = GL_SLOT_COUNT, /* end of the list */
    GL_LIST_NEXT,                /* end of a block; the list continues in the next block */
    /* sets an attribute, or emits a vertex; data: attribute | n << 8 | type << 16, see gl_attrib,
     * with the type as index into attrib_types (gl_lists.c); arguments: gl_attrib_words(type)
     * words */
    GL_LIST_ATTRIB,
    GL_LIST_MATERIAL,   /* glMaterial; data: face | pname << 16; arguments: four floats */
    GL_LIST_DRAW_BEGIN, /* start of an array draw, like glBegin; data: mode */
    GL_LIST_DRAW_END, /* end of an array draw; after an error at its start, replay continues here */
    GL_LIST_ERROR,    /* raises an error that was detected during compilation; data: the error */
    /* start of a group; argument: pointer to the pack that starts here (gl_list_pack.h), or NULL */
    GL_LIST_GROUP,
};

/* A recorded command: this header, followed by its arguments. */
struct gl_list_node {
    uint16_t opcode;
    uint16_t words; /* size in 8-byte words, including this header */
    uint32_t data;  /* depends on the opcode */
};

/* A block of nodes. */
struct gl_list_block {
    struct gl_list_block *next; /* NULL: last block of the list */
    size_t used, size;          /* bytes of `data`: in use, and in total */
    uint64_t data[];
};

/* A position in a list; `used` is in bytes from the start of the block's data. */
struct gl_list_position {
    struct gl_list_block *block;
    size_t used;
};

/* Returns the node at a position. */
static inline struct gl_list_node *gl_list_node_at(const struct gl_list_position *p)
{
    return (struct gl_list_node *)((char *)p->block->data + p->used);
}

/* If the node at *p is a GL_LIST_NEXT node, moves *p to the start of the next block. */
static inline void gl_list_follow_links(struct gl_list_position *p)
{
    while (gl_list_node_at(p)->opcode == GL_LIST_NEXT)
        *p = (struct gl_list_position){p->block->next, 0};
}

/* Moves *p to the next node that is not a GL_LIST_NEXT node. The node at *p must not be a
 * GL_LIST_END node. */
static inline void gl_list_step(struct gl_list_position *p)
{
    p->used += gl_list_node_at(p)->words * 8;
    gl_list_follow_links(p);
}

/* Adds a node with `bytes` bytes of uninitialized arguments to the list being compiled, and ends
 * the current run (gl_list_pack.h) before it. The node's size must fit in gl_list_node.words: bytes
 * is at most 8 * (UINT16_MAX - 1); gl_list_copy stores larger data. `data` is 0. If out of memory,
 * calls gl_list_out_of_memory and returns NULL. */
struct gl_list_node *gl_list_node_add(struct gl_context *ctx, unsigned opcode, size_t bytes);
/* Like gl_list_node_add, but doesn't end the current run. If at is not NULL, stores the node's
 * position in *at. */
struct gl_list_node *gl_list_node_append(struct gl_context *ctx, unsigned opcode, size_t bytes,
                                         struct gl_list_position *at);
/* Returns the arguments of a node. */
static inline void *gl_list_args(struct gl_list_node *node)
{
    return node + 1;
}

/* Returns whether commands are executed as well as compiled (GL_COMPILE_AND_EXECUTE). Call it only
 * while a list is compiled. */
bool gl_list_executes(const struct gl_context *ctx);
/* Returns a copy of `size` bytes of data, which is freed with the list being compiled. Returns NULL
 * if data is NULL, or if size is 0 or above PTRDIFF_MAX (a negative count). If out of memory, and
 * for other sizes above INT32_MAX, calls gl_list_out_of_memory and returns NULL. */
void *gl_list_copy(struct gl_context *ctx, const void *data, size_t size);
/* Raises GL_OUT_OF_MEMORY, and makes glEndList keep the list's old contents. Returns NULL. */
void *gl_list_out_of_memory(struct gl_context *ctx);
/* Makes malloc'ed memory be freed with the list being compiled. If out of memory, frees it at once,
 * calls gl_list_out_of_memory, and returns false. */
bool gl_list_take_ownership(struct gl_context *ctx, void *memory);
/* Returns the number of values that vector commands such as glLightfv and glFogfv read for a
 * pname. */
unsigned gl_list_pname_count(GLenum pname);
/* Returns the bytes of one texel of client memory. Returns 0 if the type is GL_BITMAP or unknown,
 * or if it is not packed and the format is unknown. */
size_t gl_list_texel_bytes(GLenum format, GLenum type);
/* The application's unpack state while a command with pixels is replayed. */
struct gl_saved_unpack {
    struct gl_pixel_store store;
};
/* Saves the unpack state, and sets it for the tightly packed client memory in which lists store
 * pixels: alignment 1, no skips, no pixel buffer. */
void gl_list_default_unpack(struct gl_context *ctx, struct gl_saved_unpack *saved);
/* Restores the saved unpack state. */
void gl_list_restore_unpack(struct gl_context *ctx, struct gl_saved_unpack *saved);

/* Stores the recording functions that gl_save.py generates in a dispatch table, see
 * gl_save_install. */
void gl_save_commands_install(struct gl_dispatch *table, const struct gl_slot_info *slots);
/* Executes a recorded command whose opcode is an enum gl_slot. Generated by gl_save.py. */
void gl_list_replay_command(struct gl_context *ctx, struct gl_list_node *node);

#endif
