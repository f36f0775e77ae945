/* SPDX-License-Identifier: MIT */
/* State of an interface block while it is translated from the syntax tree to variables; used by
 * ast_block*.c. */
#ifndef AST_BLOCK_H
#define AST_BLOCK_H

#include "glsl/ast_layout.h"

struct block {
    struct ast_state *st;
    struct ast_node *node;
    enum hir_variable_mode mode;
    enum glsl_interface_packing packing;
    bool row_major;       /* the block redeclares gl_PerVertex */
    bool builtin;         /* some member has an explicit location */
    bool member_location; /* layout(align) of the block; 0: none */
    unsigned align;       /* layout qualifiers of the block */
    struct layout layout; /* of the block */
    struct glsl_struct_field *fields;
    struct glsl_loc *locs;
    struct glsl_atom **atoms;
    unsigned num_fields, fields_capacity, locs_capacity, atoms_capacity;
};

/* --- ast_block_layout.c --- */
/* Reads the layout qualifiers of the block. */
void block_layout(struct block *b);
/* Reads the layout qualifiers of a member into its field. */
void block_member_layout(struct block *b, const struct ast_member *m,
                         struct glsl_struct_field *field, struct glsl_loc loc);
/* Assigns locations to members, from the location of the block and of preceding members. */
void block_locations(struct block *b);
/* Checks layout(offset) and layout(align) (GLSL 4.60 §4.4.5). */
void block_offsets(struct block *b);
/* Assigns transform feedback offsets to members (GLSL 4.60 §4.4.2). */
void block_captures(struct block *b);
/* Checks that the bindings of the block exist. `type` includes the array dimensions. */
void block_check_binding(struct block *b, const struct glsl_type *type);
/* Copies the qualifiers of a field to its variable. */
void block_member_variable(struct hir_variable *var, const struct glsl_struct_field *f);

/* --- ast_block_builtin.c --- */
/* Returns whether gl_PerVertex may have a member with this name. */
bool is_per_vertex_member(const char *name);
/* Handles `out gl_PerVertex { … };` and `in gl_PerVertex { … } gl_in[];` (GLSL 4.60 §7.1). */
void block_redeclare_builtin(struct block *b, const struct glsl_type *type);

#endif
