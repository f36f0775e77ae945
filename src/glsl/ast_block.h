/* SPDX-License-Identifier: MIT */
/* An interface block on its way from the tree to variables; shared by ast_block*.c. */
#ifndef AST_BLOCK_H
#define AST_BLOCK_H

#include "glsl/ast_layout.h"

struct block {
    struct ast_state *st;
    struct ast_node *node;
    enum hir_variable_mode mode;
    enum glsl_interface_packing packing;
    bool row_major;
    bool builtin;         /* a redeclaration of gl_PerVertex */
    bool member_location; /* some member has a location of its own */
    unsigned align;       /* layout(align) of the block, 0: none */
    struct layout layout; /* of the block */
    struct glsl_struct_field *fields;
    struct glsl_loc *locs;
    struct glsl_atom **atoms;
    unsigned num_fields, fields_capacity, locs_capacity, atoms_capacity;
};

/* --- ast_block_layout.c --- */
/* Reads the block's own layouts. */
void block_layout(struct block *b);
/* Reads a member's into its field. */
void block_member_layout(struct block *b, const struct ast_member *m,
                         struct glsl_struct_field *field, struct glsl_loc loc);
/* Gives members the locations that follow from the block's and from other members'. */
void block_locations(struct block *b);
/* Checks layout(offset) and layout(align), GLSL 4.60 §4.4.5. */
void block_offsets(struct block *b);
/* Gives members their places in transform feedback buffers, GLSL 4.60 §4.4.2. */
void block_captures(struct block *b);
/* Whether the bindings of the block, of that type (with array levels), exist. */
void block_check_binding(struct block *b, const struct glsl_type *type);
/* Takes over to a variable what its field says. */
void block_member_variable(struct hir_variable *var, const struct glsl_struct_field *f);

/* --- ast_block_builtin.c --- */
/* Whether gl_PerVertex may have a member of that name. */
bool is_per_vertex_member(const char *name);
/* `out gl_PerVertex { … };` and `in gl_PerVertex { … } gl_in[];`, GLSL 4.60 §7.1. */
void block_redeclare_builtin(struct block *b, const struct glsl_type *type);

#endif
