/* SPDX-License-Identifier: MIT */
/*
 * Layout qualifiers (GLSL 4.60 §4.4). A table in ast_layout.c lists the identifiers that layout(…)
 * may contain, and the declarations, versions and extensions that allow each. The values are
 * applied in ast_layout_variable.c, ast_layout_default.c and ast_block_layout.c.
 */
#ifndef AST_LAYOUT_H
#define AST_LAYOUT_H

#include "glsl/ast_to_hir.h"

/* Ids of the identifiers. Identifiers that exclude each other share an id, and the value says which
 * one was given. The comments describe the value; without a comment, it is the integer after the =,
 * or 1 for an identifier that takes no value. */
enum layout_id {
    LAYOUT_PACKING,   /* enum glsl_interface_packing */
    LAYOUT_ROW_MAJOR, /* row_major: 1, column_major: 0 */
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
    LAYOUT_MAX_PRIMITIVES,
    LAYOUT_INVOCATIONS,
    LAYOUT_LOCAL_SIZE_X,
    LAYOUT_LOCAL_SIZE_Y,
    LAYOUT_LOCAL_SIZE_Z,
    LAYOUT_LOCAL_SIZE_VARIABLE,
    LAYOUT_NUM_VIEWS,
    LAYOUT_DERIVATIVE_GROUP, /* enum nir_derivative_group */
    LAYOUT_INPUT_PRIMITIVE,  /* geometry shaders: enum drv_primitive */
    LAYOUT_OUTPUT_PRIMITIVE, /* geometry and mesh shaders: enum drv_primitive */
    LAYOUT_TESS_PRIMITIVE,   /* enum nir_tess_primitive */
    LAYOUT_SPACING,          /* enum nir_tess_spacing */
    LAYOUT_ORDERING,         /* ccw: 1, cw: 0 */
    LAYOUT_POINT_MODE,
    LAYOUT_ORIGIN_UPPER_LEFT,
    LAYOUT_PIXEL_CENTER_INTEGER,
    LAYOUT_EARLY_FRAGMENT_TESTS,
    LAYOUT_POST_DEPTH_COVERAGE,
    LAYOUT_INNER_COVERAGE,
    LAYOUT_INTERLOCK,     /* enum nir_interlock */
    LAYOUT_DEPTH,         /* enum nir_depth_layout */
    LAYOUT_FORMAT,        /* enum drv_format */
    LAYOUT_BLEND_SUPPORT, /* mask of all equations given, as in hir_declared_layout */
    LAYOUT_NONCOHERENT,
    LAYOUT_VIEWPORT_RELATIVE,
    LAYOUT_BINDLESS_SAMPLER, /* bindless_sampler: 1, bound_sampler: 0 */
    LAYOUT_BINDLESS_IMAGE,   /* bindless_image: 1, bound_image: 0 */
    LAYOUT_ID_COUNT,
};

/* Kinds of declarations that a layout qualifier applies to. LAYOUT_OF_DEFAULT stands for those
 * without a name, such as `layout(std140) uniform;`. */
enum layout_place { LAYOUT_OF_DEFAULT, LAYOUT_OF_VARIABLE, LAYOUT_OF_BLOCK, LAYOUT_OF_MEMBER };
/* Storage qualifiers; LAYOUT_OTHER stands for all others and for none. */
enum layout_interface { LAYOUT_IN, LAYOUT_OUT, LAYOUT_UNIFORM, LAYOUT_BUFFER, LAYOUT_OTHER };
/* Bit that stands for a kind of declaration (enum layout_place) with a storage qualifier (enum
 * layout_interface). */
#define LAYOUT_CONTEXT(place, interface) (1u << ((place) * 5 + (interface)))
/* Bits for functions with subroutine types, and for redeclarations of gl_FragCoord, gl_FragDepth,
 * gl_LastFragData and gl_Layer. */
#define LAYOUT_OF_SUBROUTINE (1u << 20)
#define LAYOUT_OF_FRAG_COORD (1u << 21)
#define LAYOUT_OF_FRAG_DEPTH (1u << 22)
#define LAYOUT_OF_LAST_FRAG  (1u << 23)
#define LAYOUT_OF_LAYER      (1u << 24)

/* The layout qualifiers of one declaration. value and loc are undefined for ids that are not
 * given. */
struct layout {
    uint64_t given; /* mask with a bit per enum layout_id */
    unsigned value[LAYOUT_ID_COUNT];
    struct glsl_loc loc[LAYOUT_ID_COUNT];
};

/* Returns whether the declaration has an identifier with this id. */
static inline bool layout_has(const struct layout *l, enum layout_id id)
{
    return l->given & BITFIELD64_BIT(id);
}

/* --- ast_layout.c --- */
/* Reads the layout qualifiers of q into *layout. Reports errors, for example an identifier that is
 * not allowed in `context`, which is one LAYOUT_CONTEXT or LAYOUT_OF_… bit. Identifiers with errors
 * are left out. */
void layout_read(struct ast_state *st, const struct ast_qualifier *q, uint32_t context,
                 struct layout *layout);
/* Returns the LAYOUT_CONTEXT bit of a declaration. flags: mask of enum ast_qualifier_flag. */
uint32_t layout_context(enum layout_place place, uint32_t flags);

/* --- ast_layout_variable.c --- */
/* Sets the fields of a global variable from the layout(…) of its declaration. Reports errors. */
void apply_layout(struct ast_state *st, struct hir_variable *var, const struct ast_qualifier *q);
/* Checks the format of an image (GLSL 4.60 §4.4.6.2, ESSL 3.20 §4.4.7). access: mask of enum
 * gl_access_qualifier. Reports errors. Returns the format; 0 if none is given or it does not fit
 * the type. */
unsigned check_image_format(struct ast_state *st, const struct layout *layout,
                            const struct glsl_type *type, unsigned access, const char *name,
                            struct glsl_loc loc);
/* Handles `layout(binding = 1, offset = 4) uniform atomic_uint;`, which sets the offset of the
 * binding's next counter (GLSL 4.60 §4.4.6.1). Reports errors. */
void default_counter_offset(struct ast_state *st, const struct ast_qualifier *q,
                            struct glsl_loc loc);
/* Sets the transform feedback fields and the stream of an output from its layout qualifiers or the
 * defaults of the shader. Ignores other variables. */
void apply_xfb(struct ast_state *st, struct hir_variable *var, const struct layout *layout);
/* Reports errors in the xfb_* values of a declaration of `type` (NULL: a default qualifier).
 * Records an xfb_stride in hir_shader.declared. */
void check_xfb(struct ast_state *st, const struct layout *layout, const struct glsl_type *type);
/* Returns whether version, extensions and stage allow layout(location) on variables of a mode. */
bool location_allowed(struct ast_state *st, enum hir_variable_mode mode);

/* --- ast_layout_default.c --- */
/* Handles `layout(std140) uniform;`, `layout(triangles) in;` and similar declarations. */
void ast_default_qualifier(struct ast_state *st, struct ast_node *n);

#endif
