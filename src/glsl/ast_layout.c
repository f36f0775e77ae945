/* SPDX-License-Identifier: MIT */
/* The table of layout(…) identifiers (GLSL 4.60 §4.4), and the functions that apply it. */
#include <strings.h>

#include "glsl/ast_layout.h"
#include "indium/driver.h"
#include "util/stage_bits.h"

/* ------------------------------------------------------------------------------- the table --- */

#define DEF(i) LAYOUT_CONTEXT(LAYOUT_OF_DEFAULT, i)
#define VAR(i) LAYOUT_CONTEXT(LAYOUT_OF_VARIABLE, i)
#define BLK(i) LAYOUT_CONTEXT(LAYOUT_OF_BLOCK, i)
#define MEM(i) LAYOUT_CONTEXT(LAYOUT_OF_MEMBER, i)
#define IN     LAYOUT_IN
#define OUT    LAYOUT_OUT
#define UNI    LAYOUT_UNIFORM
#define BUF    LAYOUT_BUFFER

#define BLOCKS     (DEF(UNI) | BLK(UNI) | DEF(BUF) | BLK(BUF))
#define MATRICES   (BLOCKS | MEM(UNI) | MEM(BUF))
#define BINDINGS   (DEF(UNI) | VAR(UNI) | BLK(UNI) | BLK(BUF))
#define LOCATIONS  (VAR(IN) | VAR(OUT) | VAR(UNI) | BLK(IN) | BLK(OUT) | MEM(IN) | MEM(OUT))
#define COMPONENTS (VAR(IN) | VAR(OUT) | MEM(IN) | MEM(OUT))
#define IMAGES     (VAR(UNI) | MEM(UNI) | MEM(BUF))
#define XFB        (DEF(OUT) | VAR(OUT) | BLK(OUT) | MEM(OUT))

#define PRE (VS | TCS | TES | GS)

#define EXT(name) (GLSL_EXT_##name + 1)
#define VALUE     UINT32_MAX /* the identifier requires a value */

/* Availability: minimum desktop and ES versions (0: never), and extensions that are sufficient. */
#define UBO                                                                                        \
    140, 300,                                                                                      \
    {                                                                                              \
        EXT(ARB_uniform_buffer_object), EXT(ARB_shader_storage_buffer_object)                      \
    }
#define GEOM                                                                                       \
    150, 320,                                                                                      \
    {                                                                                              \
        EXT(OES_geometry_shader), EXT(EXT_geometry_shader)                                         \
    }
#define TESS                                                                                       \
    400, 320,                                                                                      \
    {                                                                                              \
        EXT(ARB_tessellation_shader), EXT(OES_tessellation_shader), EXT(EXT_tessellation_shader)   \
    }
#define ENH                                                                                        \
    440, 0,                                                                                        \
    {                                                                                              \
        EXT(ARB_enhanced_layouts)                                                                  \
    }
#define COMP                                                                                       \
    430, 310,                                                                                      \
    {                                                                                              \
        EXT(ARB_compute_shader)                                                                    \
    }
#define DEPTH                                                                                      \
    420, 0,                                                                                        \
    {                                                                                              \
        EXT(ARB_conservative_depth), EXT(AMD_conservative_depth), EXT(EXT_conservative_depth)      \
    }
#define COORD                                                                                      \
    150, 0,                                                                                        \
    {                                                                                              \
        EXT(ARB_fragment_coord_conventions)                                                        \
    }
#define MESH                                                                                       \
    0, 0,                                                                                          \
    {                                                                                              \
        EXT(EXT_mesh_shader)                                                                       \
    }
#define DERIV                                                                                      \
    0, 0,                                                                                          \
    {                                                                                              \
        EXT(NV_compute_shader_derivatives)                                                         \
    }
#define LOCK                                                                                       \
    0, 0,                                                                                          \
    {                                                                                              \
        EXT(ARB_fragment_shader_interlock), EXT(NV_fragment_shader_interlock)                      \
    }
#define IMAGE                                                                                      \
    420, 310,                                                                                      \
    {                                                                                              \
        EXT(ARB_shader_image_load_store)                                                           \
    }
#define IMGGL                                                                                      \
    420, 0,                                                                                        \
    {                                                                                              \
        EXT(ARB_shader_image_load_store), EXT(NV_image_formats)                                    \
    }
#define BLEND                                                                                      \
    0, 320,                                                                                        \
    {                                                                                              \
        EXT(KHR_blend_equation_advanced)                                                           \
    }

static const struct layout_row {
    const char *name;
    uint8_t id, stages; /* enum layout_id; mask of the stages that allow it */
    uint32_t contexts;  /* LAYOUT_CONTEXT and LAYOUT_OF_… bits that allow it */
    uint32_t value;     /* value of an identifier without =, or VALUE */
    uint16_t gl, es;    /* minimum versions; 0: never */
    uint8_t ext[3];     /* enum glsl_extension + 1; each is sufficient in any version */
    bool norm16;        /* ES: requires 16-bit normalized textures */
} rows[] = {
    {"shared", LAYOUT_PACKING, ANY, BLOCKS, GLSL_PACKING_SHARED, UBO},
    {"packed", LAYOUT_PACKING, ANY, BLOCKS, GLSL_PACKING_PACKED, UBO},
    {"std140", LAYOUT_PACKING, ANY, BLOCKS, GLSL_PACKING_STD140, UBO},
    {"std430",
     LAYOUT_PACKING,
     ANY,
     BLOCKS,
     GLSL_PACKING_STD430,
     430,
     310,
     {EXT(ARB_shader_storage_buffer_object)}},
    {"row_major", LAYOUT_ROW_MAJOR, ANY, MATRICES, 1, UBO},
    {"column_major", LAYOUT_ROW_MAJOR, ANY, MATRICES, 0, UBO},
    {"binding",
     LAYOUT_BINDING,
     ANY,
     BINDINGS,
     VALUE,
     420,
     310,
     {EXT(ARB_shading_language_420pack), EXT(ARB_shader_atomic_counters),
      EXT(ARB_shader_storage_buffer_object)}},
    {"offset",
     LAYOUT_OFFSET,
     ANY,
     DEF(UNI) | VAR(UNI),
     VALUE,
     420,
     310,
     {EXT(ARB_shader_atomic_counters)}},
    {"offset", LAYOUT_OFFSET, ANY, MEM(UNI) | MEM(BUF), VALUE, ENH},
    {"align", LAYOUT_ALIGN, ANY, BLK(UNI) | BLK(BUF) | MEM(UNI) | MEM(BUF), VALUE, ENH},
    {"location",
     LAYOUT_LOCATION,
     ANY,
     LOCATIONS,
     VALUE,
     330,
     300,
     {EXT(ARB_explicit_attrib_location), EXT(ARB_separate_shader_objects),
      EXT(ARB_explicit_uniform_location)}},
    {"location",
     LAYOUT_LOCATION,
     ANY,
     LOCATIONS,
     VALUE,
     0,
     0,
     {EXT(EXT_separate_shader_objects), EXT(ARB_enhanced_layouts)}},
    {"component", LAYOUT_COMPONENT, PRE | FS | MS, COMPONENTS, VALUE, ENH},
    {"index",
     LAYOUT_INDEX,
     FS,
     VAR(OUT),
     VALUE,
     330,
     0,
     {EXT(ARB_explicit_attrib_location), EXT(EXT_blend_func_extended)}},
    {"index",
     LAYOUT_INDEX,
     ANY,
     LAYOUT_OF_SUBROUTINE,
     VALUE,
     430,
     0,
     {EXT(ARB_explicit_uniform_location), EXT(ARB_enhanced_layouts)}},
    {"location",
     LAYOUT_LOCATION,
     ANY,
     VAR(UNI),
     VALUE,
     430,
     310,
     {EXT(ARB_explicit_uniform_location)}},
    {"stream", LAYOUT_STREAM, GS, XFB, VALUE, 400, 0, {EXT(ARB_gpu_shader5)}},
    {"xfb_buffer", LAYOUT_XFB_BUFFER, PRE, XFB, VALUE, ENH},
    {"xfb_offset", LAYOUT_XFB_OFFSET, PRE, VAR(OUT) | BLK(OUT) | MEM(OUT), VALUE, ENH},
    {"xfb_stride", LAYOUT_XFB_STRIDE, PRE, XFB, VALUE, ENH},

    {"vertices", LAYOUT_VERTICES, TCS, DEF(OUT), VALUE, TESS},
    {"triangles", LAYOUT_TESS_PRIMITIVE, TES, DEF(IN), nir_tess_primitive_triangles, TESS},
    {"quads", LAYOUT_TESS_PRIMITIVE, TES, DEF(IN), nir_tess_primitive_quads, TESS},
    {"isolines", LAYOUT_TESS_PRIMITIVE, TES, DEF(IN), nir_tess_primitive_isolines, TESS},
    {"equal_spacing", LAYOUT_SPACING, TES, DEF(IN), nir_tess_spacing_equal, TESS},
    {"fractional_odd_spacing", LAYOUT_SPACING, TES, DEF(IN), nir_tess_spacing_fractional_odd, TESS},
    {"fractional_even_spacing", LAYOUT_SPACING, TES, DEF(IN), nir_tess_spacing_fractional_even,
     TESS},
    {"cw", LAYOUT_ORDERING, TES, DEF(IN), 0, TESS},
    {"ccw", LAYOUT_ORDERING, TES, DEF(IN), 1, TESS},
    {"point_mode", LAYOUT_POINT_MODE, TES, DEF(IN), 1, TESS},

    {"points", LAYOUT_INPUT_PRIMITIVE, GS, DEF(IN), DRV_PRIM_POINTS, GEOM},
    {"lines", LAYOUT_INPUT_PRIMITIVE, GS, DEF(IN), DRV_PRIM_LINES, GEOM},
    {"lines_adjacency", LAYOUT_INPUT_PRIMITIVE, GS, DEF(IN), DRV_PRIM_LINES_ADJACENCY, GEOM},
    {"triangles", LAYOUT_INPUT_PRIMITIVE, GS, DEF(IN), DRV_PRIM_TRIANGLES, GEOM},
    {"triangles_adjacency", LAYOUT_INPUT_PRIMITIVE, GS, DEF(IN), DRV_PRIM_TRIANGLES_ADJACENCY,
     GEOM},
    {"points", LAYOUT_OUTPUT_PRIMITIVE, GS, DEF(OUT), DRV_PRIM_POINTS, GEOM},
    {"line_strip", LAYOUT_OUTPUT_PRIMITIVE, GS, DEF(OUT), DRV_PRIM_LINE_STRIP, GEOM},
    {"triangle_strip", LAYOUT_OUTPUT_PRIMITIVE, GS, DEF(OUT), DRV_PRIM_TRIANGLE_STRIP, GEOM},
    {"max_vertices", LAYOUT_MAX_VERTICES, GS, DEF(OUT), VALUE, GEOM},
    {"invocations",
     LAYOUT_INVOCATIONS,
     GS,
     DEF(IN),
     VALUE,
     400,
     320,
     {EXT(ARB_gpu_shader5), EXT(OES_geometry_shader), EXT(EXT_geometry_shader)}},

    {"points", LAYOUT_OUTPUT_PRIMITIVE, MS, DEF(OUT), DRV_PRIM_POINTS, MESH},
    {"lines", LAYOUT_OUTPUT_PRIMITIVE, MS, DEF(OUT), DRV_PRIM_LINES, MESH},
    {"triangles", LAYOUT_OUTPUT_PRIMITIVE, MS, DEF(OUT), DRV_PRIM_TRIANGLES, MESH},
    {"max_vertices", LAYOUT_MAX_VERTICES, MS, DEF(OUT), VALUE, MESH},
    {"max_primitives", LAYOUT_MAX_PRIMITIVES, MS, DEF(OUT), VALUE, MESH},

    {"local_size_x", LAYOUT_LOCAL_SIZE_X, CS | TS | MS, DEF(IN), VALUE, COMP},
    {"local_size_y", LAYOUT_LOCAL_SIZE_Y, CS | TS | MS, DEF(IN), VALUE, COMP},
    {"local_size_z", LAYOUT_LOCAL_SIZE_Z, CS | TS | MS, DEF(IN), VALUE, COMP},
    {"local_size_variable",
     LAYOUT_LOCAL_SIZE_VARIABLE,
     CS,
     DEF(IN),
     1,
     0,
     0,
     {EXT(ARB_compute_variable_group_size)}},

    {"num_views", LAYOUT_NUM_VIEWS, VS, DEF(IN), VALUE, 0, 0, {EXT(OVR_multiview)}},
    {"num_views",
     LAYOUT_NUM_VIEWS,
     TCS | TES | GS,
     DEF(IN),
     VALUE,
     0,
     0,
     {EXT(EXT_multiview_tessellation_geometry_shader)}},
    {"derivative_group_quadsNV", LAYOUT_DERIVATIVE_GROUP, CS, DEF(IN), nir_derivative_group_quads,
     DERIV},
    {"derivative_group_linearNV", LAYOUT_DERIVATIVE_GROUP, CS, DEF(IN), nir_derivative_group_linear,
     DERIV},

    {"origin_upper_left", LAYOUT_ORIGIN_UPPER_LEFT, FS, LAYOUT_OF_FRAG_COORD, 1, COORD},
    {"pixel_center_integer", LAYOUT_PIXEL_CENTER_INTEGER, FS, LAYOUT_OF_FRAG_COORD, 1, COORD},
    {"early_fragment_tests", LAYOUT_EARLY_FRAGMENT_TESTS, FS, DEF(IN), 1, IMAGE},
    {"post_depth_coverage",
     LAYOUT_POST_DEPTH_COVERAGE,
     FS,
     DEF(IN),
     1,
     0,
     0,
     {EXT(ARB_post_depth_coverage), EXT(EXT_post_depth_coverage),
      EXT(INTEL_conservative_rasterization)}},
    {"inner_coverage",
     LAYOUT_INNER_COVERAGE,
     FS,
     DEF(IN),
     1,
     0,
     0,
     {EXT(INTEL_conservative_rasterization)}},
    {"pixel_interlock_ordered", LAYOUT_INTERLOCK, FS, DEF(IN), nir_interlock_pixel_ordered, LOCK},
    {"pixel_interlock_unordered", LAYOUT_INTERLOCK, FS, DEF(IN), nir_interlock_pixel_unordered,
     LOCK},
    {"sample_interlock_ordered", LAYOUT_INTERLOCK, FS, DEF(IN), nir_interlock_sample_ordered, LOCK},
    {"sample_interlock_unordered", LAYOUT_INTERLOCK, FS, DEF(IN), nir_interlock_sample_unordered,
     LOCK},
    {"viewport_relative",
     LAYOUT_VIEWPORT_RELATIVE,
     VS | TES | GS,
     LAYOUT_OF_LAYER,
     1,
     0,
     0,
     {EXT(NV_viewport_array2)}},
    {"depth_any", LAYOUT_DEPTH, FS, LAYOUT_OF_FRAG_DEPTH, nir_depth_layout_any, DEPTH},
    {"depth_greater", LAYOUT_DEPTH, FS, LAYOUT_OF_FRAG_DEPTH, nir_depth_layout_greater, DEPTH},
    {"depth_less", LAYOUT_DEPTH, FS, LAYOUT_OF_FRAG_DEPTH, nir_depth_layout_less, DEPTH},
    {"depth_unchanged", LAYOUT_DEPTH, FS, LAYOUT_OF_FRAG_DEPTH, nir_depth_layout_unchanged, DEPTH},
    {"noncoherent",
     LAYOUT_NONCOHERENT,
     FS,
     LAYOUT_OF_LAST_FRAG | VAR(OUT),
     1,
     0,
     0,
     {EXT(EXT_shader_framebuffer_fetch_non_coherent)}},

#define HANDLES(name, id, value)                                                                   \
    {                                                                                              \
        name, id, ANY, DEF(UNI) | VAR(UNI), value, 0, 0,                                           \
        {                                                                                          \
            EXT(ARB_bindless_texture)                                                              \
        }                                                                                          \
    }
    HANDLES("bindless_sampler", LAYOUT_BINDLESS_SAMPLER, 1),
    HANDLES("bound_sampler", LAYOUT_BINDLESS_SAMPLER, 0),
    HANDLES("bindless_image", LAYOUT_BINDLESS_IMAGE, 1),
    HANDLES("bound_image", LAYOUT_BINDLESS_IMAGE, 0),

#define FORMAT16(name, format)    {name, LAYOUT_FORMAT, ANY, IMAGES, DRV_FORMAT_##format, IMGGL, true}
#define FORMAT(name, format, who) {name, LAYOUT_FORMAT, ANY, IMAGES, DRV_FORMAT_##format, who}
    FORMAT("rgba32f", R32G32B32A32_FLOAT, IMAGE),
    FORMAT("rgba16f", R16G16B16A16_FLOAT, IMAGE),
    FORMAT("rg32f", R32G32_FLOAT, IMGGL),
    FORMAT("rg16f", R16G16_FLOAT, IMGGL),
    FORMAT("r11f_g11f_b10f", R11G11B10_FLOAT, IMGGL),
    FORMAT("r32f", R32_FLOAT, IMAGE),
    FORMAT("r16f", R16_FLOAT, IMGGL),
    FORMAT16("rgba16", R16G16B16A16_UNORM),
    FORMAT("rgb10_a2", R10G10B10A2_UNORM, IMGGL),
    FORMAT("rgba8", R8G8B8A8_UNORM, IMAGE),
    FORMAT16("rg16", R16G16_UNORM),
    FORMAT("rg8", R8G8_UNORM, IMGGL),
    FORMAT16("r16", R16_UNORM),
    FORMAT("r8", R8_UNORM, IMGGL),
    FORMAT16("rgba16_snorm", R16G16B16A16_SNORM),
    FORMAT("rgba8_snorm", R8G8B8A8_SNORM, IMAGE),
    FORMAT16("rg16_snorm", R16G16_SNORM),
    FORMAT("rg8_snorm", R8G8_SNORM, IMGGL),
    FORMAT16("r16_snorm", R16_SNORM),
    FORMAT("r8_snorm", R8_SNORM, IMGGL),
    FORMAT("rgba32i", R32G32B32A32_SINT, IMAGE),
    FORMAT("rgba16i", R16G16B16A16_SINT, IMAGE),
    FORMAT("rgba8i", R8G8B8A8_SINT, IMAGE),
    FORMAT("rg32i", R32G32_SINT, IMGGL),
    FORMAT("rg16i", R16G16_SINT, IMGGL),
    FORMAT("rg8i", R8G8_SINT, IMGGL),
    FORMAT("r32i", R32_SINT, IMAGE),
    FORMAT("r16i", R16_SINT, IMGGL),
    FORMAT("r8i", R8_SINT, IMGGL),
    FORMAT("rgba32ui", R32G32B32A32_UINT, IMAGE),
    FORMAT("rgba16ui", R16G16B16A16_UINT, IMAGE),
    FORMAT("rgb10_a2ui", R10G10B10A2_UINT, IMGGL),
    FORMAT("rgba8ui", R8G8B8A8_UINT, IMAGE),
    FORMAT("rg32ui", R32G32_UINT, IMGGL),
    FORMAT("rg16ui", R16G16_UINT, IMGGL),
    FORMAT("rg8ui", R8G8_UINT, IMGGL),
    FORMAT("r32ui", R32_UINT, IMAGE),
    FORMAT("r16ui", R16_UINT, IMGGL),
    FORMAT("r8ui", R8_UINT, IMGGL),

#define SUPPORTS(name, bits)                                                                       \
    {"blend_support_" name, LAYOUT_BLEND_SUPPORT, FS, DEF(OUT), bits, BLEND}
    SUPPORTS("multiply", 1 << 0),
    SUPPORTS("screen", 1 << 1),
    SUPPORTS("overlay", 1 << 2),
    SUPPORTS("darken", 1 << 3),
    SUPPORTS("lighten", 1 << 4),
    SUPPORTS("colordodge", 1 << 5),
    SUPPORTS("colorburn", 1 << 6),
    SUPPORTS("hardlight", 1 << 7),
    SUPPORTS("softlight", 1 << 8),
    SUPPORTS("difference", 1 << 9),
    SUPPORTS("exclusion", 1 << 10),
    SUPPORTS("hsl_hue", 1 << 11),
    SUPPORTS("hsl_saturation", 1 << 12),
    SUPPORTS("hsl_color", 1 << 13),
    SUPPORTS("hsl_luminosity", 1 << 14),
    SUPPORTS("all_equations", (1 << 15) - 1),
};

/* ---------------------------------------------------------------------------------- reading --- */

uint32_t layout_context(enum layout_place place, uint32_t flags)
{
    enum layout_interface interface = flags & AST_UNIFORM  ? LAYOUT_UNIFORM
                                      : flags & AST_BUFFER ? LAYOUT_BUFFER
                                      : flags & AST_OUT    ? LAYOUT_OUT
                                      : flags & AST_IN     ? LAYOUT_IN
                                                           : LAYOUT_OTHER;
    return LAYOUT_CONTEXT(place, interface);
}

static bool row_available_with(struct ast_state *st, const struct layout_row *row,
                               const bitset_word *extensions)
{
    /* GL_EXT_texture_norm16 needs no #extension: it is sufficient that it is supported. */
    if (row->norm16 && st->c->es &&
        !bitset_test(st->c->options->es_extensions, GLSL_EXT_EXT_texture_norm16))
        return false;
    if (st_has(st, row->gl, row->es))
        return true;
    for (unsigned i = 0; i < ARRAY_SIZE(row->ext); i++)
        if (row->ext[i] && bitset_test(extensions, row->ext[i] - 1))
            return true;
    return false;
}

static bool row_available(struct ast_state *st, const struct layout_row *row)
{
    return row_available_with(st, row, st->c->ext_enabled);
}

struct row_use {
    struct ast_state *st;
    const struct layout_row *row;
};

static bool has_row(void *data, const bitset_word *extensions)
{
    const struct row_use *use = data;
    return row_available_with(use->st, use->row, extensions);
}

static const char *suggest_row(struct ast_state *st, const char *wrong)
{
    struct glsl_suggestion s = {.wrong = wrong};
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
        if (row_available(st, &rows[i]))
            glsl_suggest(&s, rows[i].name);
    return glsl_suggestion_text(st->c, &s);
}

/* Returns the row of an identifier; NULL after an error. A name may have several rows for different
 * contexts. */
static const struct layout_row *find_row(struct ast_state *st, const struct ast_layout *l,
                                         uint32_t context)
{
    bool known = false, available = false;
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        const struct layout_row *row = &rows[i];
        /* GLSL 4.60 §4.4, ESSL 3.00 §4.3.8: the identifiers are case-sensitive only in ES. */
        if (st->c->es ? strcmp(row->name, l->name->text) : strcasecmp(row->name, l->name->text))
            continue;
        known = true;
        if (!row_available(st, row))
            continue;
        available = true;
        if (row->contexts & context && row->stages & 1u << st->c->stage)
            return row;
    }
    glsl_error(st->c, l->loc,
               !known ? "unknown layout qualifier \"%s\"%s"
               : !available
                   ? "layout qualifier \"%s\" requires a later language version or an extension%s"
                   : "layout qualifier \"%s\" is not allowed here%s",
               l->name->text, known ? "" : suggest_row(st, l->name->text));
    return NULL;
}

static bool layout_value(struct ast_state *st, const struct ast_layout *l, unsigned *value)
{
    int64_t v;
    if (!l->value) {
        glsl_error(st->c, l->loc, "layout qualifier \"%s\" requires a value", l->name->text);
        return false;
    }
    if (l->value->op != AST_INT && l->value->op != AST_UINT && !st_has(st, 440, 0) &&
        !st_ext(st, GLSL_EXT_ARB_enhanced_layouts)) {
        glsl_error(st->c, l->loc, "the value of layout qualifier \"%s\" must be an integer literal",
                   l->name->text);
        return false;
    }
    if (!ast_constant_int(st, l->value, "the value of a layout qualifier", &v))
        return false;
    if (v < 0 || v > INT32_MAX) {
        glsl_error(st->c, l->loc, "the value of layout qualifier \"%s\" is out of range",
                   l->name->text);
        return false;
    }
    *value = v;
    return true;
}

static void read_one(struct ast_state *st, const struct ast_layout *l, uint32_t context,
                     struct layout *layout)
{
    const struct layout_row *row = find_row(st, l, context);
    if (!row)
        return;
    if (st->c->warns)
        glsl_warn_use(st->c, l->loc, row->name, has_row, &(struct row_use){st, row});
    unsigned value = row->value;
    if (value == VALUE) {
        if (!layout_value(st, l, &value))
            return;
    } else if (l->value) {
        glsl_error(st->c, l->loc, "layout qualifier \"%s\" does not take a value", l->name->text);
        return;
    }
    /* These qualifiers exclude each other: all declarations in a shader must agree (GLSL 4.60
     * §4.4.1, §4.4.2, ARB_fragment_shader_interlock, NV_compute_shader_derivatives). */
    bool exclusive = row->id == LAYOUT_INTERLOCK || row->id == LAYOUT_DERIVATIVE_GROUP ||
                     row->id == LAYOUT_INPUT_PRIMITIVE || row->id == LAYOUT_OUTPUT_PRIMITIVE ||
                     row->id == LAYOUT_TESS_PRIMITIVE || row->id == LAYOUT_SPACING ||
                     row->id == LAYOUT_ORDERING;
    bool overrides = row->id == LAYOUT_PACKING || row->id == LAYOUT_ROW_MAJOR ||
                     row->id == LAYOUT_OFFSET || row->id == LAYOUT_BINDING;
    if (row->id == LAYOUT_BLEND_SUPPORT) {
        value |= layout->value[row->id];
    } else if (exclusive && layout_has(layout, row->id) && layout->value[row->id] != value) {
        glsl_error(st->c, l->loc, "layout qualifier \"%s\" contradicts an earlier one",
                   l->name->text);
    } else if (layout_has(layout, row->id) && !overrides && !st_has(st, 420, 310) &&
               !st_ext(st, GLSL_EXT_ARB_enhanced_layouts) &&
               !st_ext(st, GLSL_EXT_ARB_shading_language_420pack)) {
        /* GLSL 4.20 §4.4 and 4.40 §4.4 say that the last one counts; GL_ARB_shader_atomic_counters
         * says so for its own qualifiers. */
        glsl_error(st->c, l->loc, "layout qualifier \"%s\" is given twice", l->name->text);
    }
    layout->given |= BITFIELD64_BIT(row->id);
    layout->value[row->id] = value;
    layout->loc[row->id] = l->loc;
}

void layout_read(struct ast_state *st, const struct ast_qualifier *q, uint32_t context,
                 struct layout *layout)
{
    layout->given = 0;
    layout->value[LAYOUT_BLEND_SUPPORT] = 0;
    for (const struct ast_layout *l = q->layout; l; l = l->next)
        read_one(st, l, context, layout);
}
