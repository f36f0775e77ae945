/* SPDX-License-Identifier: MIT */
/*
 * layout(…), read: what each identifier is, where it may stand and from which version on is a table
 * in ast_layout.c (GLSL 4.60 §4.4, the table there); what the values mean is the declarations'
 * business (ast_layout_variable.c, ast_layout_default.c, ast_block.c).
 */
#ifndef AST_LAYOUT_H
#define AST_LAYOUT_H

#include "glsl/ast_to_hir.h"

/* Identifiers that exclude one another share an id; their value tells them apart. */
enum layout_id {
    LAYOUT_PACKING,   /* enum glsl_interface_packing */
    LAYOUT_ROW_MAJOR, /* 1, column major: 0 */
    LAYOUT_BINDING,
    LAYOUT_OFFSET,
    LAYOUT_ALIGN,
    LAYOUT_LOCATION,
    LAYOUT_COMPONENT,
    LAYOUT_INDEX,
    LAYOUT_STREAM,
    LAYOUT_XFB_BUFFER,
    LAYOUT_XFB_OFFSET,
    LAYOUT_XFB_STRIDE,
    LAYOUT_VERTICES,
    LAYOUT_MAX_VERTICES,
    LAYOUT_INVOCATIONS,
    LAYOUT_LOCAL_SIZE_X,
    LAYOUT_LOCAL_SIZE_Y,
    LAYOUT_LOCAL_SIZE_Z,
    LAYOUT_LOCAL_SIZE_VARIABLE,
    LAYOUT_INPUT_PRIMITIVE,  /* geometry: enum drv_primitive */
    LAYOUT_OUTPUT_PRIMITIVE, /* the same */
    LAYOUT_TESS_PRIMITIVE,   /* enum nir_tess_primitive */
    LAYOUT_SPACING,          /* enum nir_tess_spacing */
    LAYOUT_ORDERING,         /* 1: ccw */
    LAYOUT_POINT_MODE,
    LAYOUT_ORIGIN_UPPER_LEFT,
    LAYOUT_PIXEL_CENTER_INTEGER,
    LAYOUT_EARLY_FRAGMENT_TESTS,
    LAYOUT_POST_DEPTH_COVERAGE,
    LAYOUT_DEPTH,         /* enum nir_depth_layout */
    LAYOUT_FORMAT,        /* enum drv_format */
    LAYOUT_BLEND_SUPPORT, /* a bit for each equation; more than one may be given */
    LAYOUT_NONCOHERENT,
    LAYOUT_ID_COUNT,
};

/* Where a layout stands. */
enum layout_place { LAYOUT_OF_DEFAULT, LAYOUT_OF_VARIABLE, LAYOUT_OF_BLOCK, LAYOUT_OF_MEMBER };
enum layout_interface { LAYOUT_IN, LAYOUT_OUT, LAYOUT_UNIFORM, LAYOUT_BUFFER, LAYOUT_OTHER };
#define LAYOUT_CONTEXT(place, interface) (1u << ((place)*5 + (interface)))
/* Of a function with subroutine types; of gl_FragCoord; of gl_FragDepth; of gl_LastFragData. */
#define LAYOUT_OF_SUBROUTINE (1u << 20)
#define LAYOUT_OF_FRAG_COORD (1u << 21)
#define LAYOUT_OF_FRAG_DEPTH (1u << 22)
#define LAYOUT_OF_LAST_FRAG  (1u << 23)

struct layout {
    uint64_t given; /* bit of each enum layout_id */
    unsigned value[LAYOUT_ID_COUNT];
    struct glsl_loc loc[LAYOUT_ID_COUNT];
};

static inline bool layout_has(const struct layout *l, enum layout_id id)
{
    return l->given & BITFIELD64_BIT(id);
}

/* --- ast_layout.c --- */
/* Reads the qualifier's layouts; says what may not stand in that context (one LAYOUT_CONTEXT bit, or
 * LAYOUT_OF_…). Ids with errors are not given. */
void layout_read(struct ast_state *st, const struct ast_qualifier *q, uint32_t context,
                 struct layout *layout);
/* LAYOUT_CONTEXT of a declaration with these storage qualifiers. */
uint32_t layout_context(enum layout_place place, uint32_t flags);

/* --- ast_layout_variable.c --- */
/* layout(…) of a global variable. */
void apply_layout(struct ast_state *st, struct hir_variable *var, const struct ast_qualifier *q);
/* xfb_buffer, xfb_offset, xfb_stride and stream of an output, and the defaults. */
void apply_xfb(struct ast_state *st, struct hir_variable *var, const struct layout *layout);
/* Whether xfb_* values are right for the type; says what is wrong. */
void check_xfb(struct ast_state *st, const struct layout *layout, const struct glsl_type *type);
/* Whether layout(location) may be used for variables of that mode. */
bool location_allowed(struct ast_state *st, enum hir_variable_mode mode);

/* --- ast_layout_default.c --- */
/* `layout(std140) uniform;`, `layout(triangles) in;` */
void ast_default_qualifier(struct ast_state *st, struct ast_node *n);

#endif
