/* SPDX-License-Identifier: MIT */
/* State of ast_block*.c while they translate an interface block from the syntax tree to
 * variables. */
#ifndef AST_BLOCK_H
#define AST_BLOCK_H

#include "glsl/ast_layout.h"

/* State of translating one block. */
struct block {
    struct ast_state *st;
    struct ast_node *node;
    enum hir_variable_mode mode;
    enum glsl_interface_packing packing;
    bool row_major;       /* default for the matrices in its members */
    bool builtin;         /* the block redeclares gl_PerVertex */
    bool member_location; /* some member has an explicit location */
    unsigned align;       /* layout(align) of the block in bytes; 0: none */
    struct layout layout; /* layout qualifiers of the block itself */
    /* The next three arrays have one element per member. */
    struct glsl_struct_field *fields; /* types and qualifiers */
    struct glsl_loc *locs;            /* locations in the source, for messages */
    struct glsl_atom **atoms;         /* names */
    unsigned num_fields, fields_capacity, locs_capacity, atoms_capacity;
};

/* --- ast_block_layout.c --- */
/* Reads the layout qualifiers of the block into packing, row_major, align and layout. Reports
 * errors. */
void block_layout(struct block *b);
/* Stores the layout qualifiers of a member in *field. Reports errors at `loc`. */
void block_member_layout(struct block *b, const struct ast_member *m,
                         struct glsl_struct_field *field, struct glsl_loc loc);
/* If the block or any member has an explicit location, assigns one to each member. A member without
 * one gets the next location after the preceding member; the first gets the block's. Reports an
 * error if the block has no location and only some members have one or, in ESSL, if the locations
 * of members overlap. */
void block_locations(struct block *b);
/* Reports a layout(offset) that is misaligned or overlaps a preceding member (GLSL 4.60 §4.4.5). */
void block_offsets(struct block *b);
/* If the block has an xfb_offset, gives each member without one the next aligned offset (GLSL 4.60
 * §4.4.2). Reports misaligned offsets. */
void block_captures(struct block *b);
/* Reports an error if a binding of the block is out of range. `type` includes the array dimensions
 * of the instance; each element takes one binding. */
void block_check_binding(struct block *b, const struct glsl_type *type);
/* Copies the qualifiers of a member to the variable that represents it. Only members of blocks
 * without an instance name have variables. */
void block_member_variable(struct hir_variable *var, const struct glsl_struct_field *f);

/* --- ast_block_builtin.c --- */
/* Returns whether gl_PerVertex may have a member with this name. */
bool is_per_vertex_member(const char *name);
/* Handles `out gl_PerVertex { … };` and `in gl_PerVertex { … } gl_in[];` (GLSL 4.60 §7.1). `type`
 * is the block type made of b->fields. Reports errors. */
void block_redeclare_builtin(struct block *b, const struct glsl_type *type);

#endif
