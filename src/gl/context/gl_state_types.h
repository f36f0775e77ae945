/* SPDX-License-Identifier: MIT */
/*
 * GL state, in one struct per attribute group (glPushAttrib). Values are validated, and stored as
 * the application set them, in GL enumerants and units. draw/gl_update_state.c converts them to
 * driver state.
 */
#ifndef GL_STATE_TYPES_H
#define GL_STATE_TYPES_H

#include <string.h>

#include "gl/context/gl_texture_types.h"
#include "gl/context/gl_types.h"
#include "indium/driver.h"

#define GL_MAX_LIGHTS_ 8 /* number of lights; GL_MAX_LIGHTS is the GL's enumerant */
/* maximum shininess of materials and maximum spot exponent (NV_light_max_exponent) */
#define GL_MAX_EXPONENT            128
#define GL_MAX_TEXTURE_COORD_UNITS 8 /* texture coordinate sets and fixed-function texture units */

/* GL_COLOR_BUFFER_BIT */
struct gl_color_state {
    union drv_color clear;
    GLenum clear_type;                /* type of `clear`: GL_FLOAT, GL_INT, GL_UNSIGNED_INT */
    float clear_index;                /* glClearIndex; only queried */
    GLuint index_mask;                /* glIndexMask; only queried */
    uint8_t mask[DRV_MAX_COLOR_BUFS]; /* write mask per draw buffer: bit 0 red to bit 3 alpha */
    uint32_t blend_enabled;           /* bit n: blending of draw buffer n is enabled */
    struct gl_blend_func {
        GLenum src_rgb, dst_rgb, src_alpha, dst_alpha, equation_rgb, equation_alpha;
    } blend[DRV_MAX_COLOR_BUFS];
    /* bit n: draw buffer n has an equation of KHR_blend_equation_advanced, which the fragment
     * shader computes */
    uint32_t advanced;
    bool advanced_coherent;
    uint32_t dual_source; /* bit n: a blend factor of draw buffer n uses the second color */
    float blend_color[4];
    bool alpha_enabled;
    GLenum alpha_func;
    float alpha_ref;
    bool logic_op_enabled, index_logic_op_enabled;
    GLenum logic_op;
    bool dither;
    GLenum clamp_fragment, clamp_read; /* GL_TRUE, GL_FALSE, GL_FIXED_ONLY */
    bool srgb;                         /* GL_FRAMEBUFFER_SRGB */
};

struct gl_accum_state {
    float clear[4];
};

struct gl_depth_state {
    bool test, mask;
    GLenum func;
    double clear;
    bool bounds_test;
    double bounds[2]; /* minimum and maximum (glDepthBoundsEXT), in [0, 1] */
};

/* Number of stencil states: 0 is front, 1 is back, 2 is the back state of EXT_stencil_two_side.
 * State 2 replaces state 1 while GL_STENCIL_TEST_TWO_SIDE_EXT is enabled. */
#define GL_STENCIL_FACES 3
#define GL_STENCIL_MAX   255 /* every stencil format has 8 bits */

struct gl_stencil_state {
    bool enabled;
    GLenum func[GL_STENCIL_FACES], fail[GL_STENCIL_FACES], zfail[GL_STENCIL_FACES],
        zpass[GL_STENCIL_FACES];
    GLint ref[GL_STENCIL_FACES];
    GLuint value_mask[GL_STENCIL_FACES], write_mask[GL_STENCIL_FACES];
    GLint clear;
    bool two_side; /* EXT_stencil_two_side */
    /* glActiveStencilFaceEXT: 0 for GL_FRONT, 2 for GL_BACK. Commands without a face argument set
     * states 0 and 1 if it is 0, and state 2 if it is 2. Queries return state active_face. */
    unsigned active_face;
};

struct gl_polygon_state {
    GLenum front_mode, back_mode, cull_mode, front_face;
    bool cull, smooth, stipple;
    bool offset_point, offset_line, offset_fill;
    float offset_factor, offset_units, offset_clamp;
};

struct gl_line_state {
    float width;
    bool smooth, stipple;
    GLint stipple_factor;
    GLushort stipple_pattern;
};

struct gl_point_state {
    float size, min, max, fade_threshold;
    float attenuation[3];
    bool smooth, sprite;
    GLenum sprite_origin;   /* GL_UPPER_LEFT, GL_LOWER_LEFT */
    uint32_t coord_replace; /* bit n: GL_COORD_REPLACE of texture unit n */
    bool program_size;      /* GL_VERTEX_PROGRAM_POINT_SIZE */
};

struct gl_viewport_state {
    struct gl_viewport {
        float x, y, width, height;
        float near_val, far_val;
    } vp[DRV_MAX_VIEWPORTS];
    GLenum clip_origin, clip_depth; /* glClipControl */
    uint8_t subpixel_bias[2];       /* bits of x and y (glSubpixelPrecisionBiasNV) */
};

/* GL_CONSERVATIVE_RASTERIZATION_NV and _INTEL. */
struct gl_conservative_state {
    bool nv, intel;
};

struct gl_scissor_state {
    uint32_t enabled; /* bit n: scissor test of viewport n */
    struct gl_scissor {
        GLint x, y;
        GLsizei width, height;
    } rect[DRV_MAX_VIEWPORTS];
};

struct gl_multisample_state {
    bool enabled, alpha_to_coverage, alpha_to_one, sample_coverage, coverage_invert;
    float coverage_value;
    GLenum alpha_dither; /* glAlphaToCoverageDitherControlNV */
    bool sample_mask_enabled;
    GLuint sample_mask;
    bool sample_shading;
    float min_sample_shading;
};

struct gl_hint_state {
    GLenum perspective_correction, point_smooth, line_smooth, polygon_smooth, fog,
        texture_compression, generate_mipmap, fragment_derivative;
};

/* Parameters of a light source. */
struct gl_light {
    bool enabled;
    float ambient[4], diffuse[4], specular[4];
    /* Position and spot direction in eye space: glLight transforms them by the modelview matrix. */
    float eye_position[4];
    float spot_eye_direction[3];
    float spot_exponent, spot_cutoff; /* spot_cutoff is in degrees */
    float constant_attenuation, linear_attenuation, quadratic_attenuation;
};

/* Material of one face: index 0 is front, 1 is back. */
struct gl_material {
    float ambient[4], diffuse[4], specular[4], emission[4];
    float shininess;
    float indexes[3]; /* GL_COLOR_INDEXES; only queried */
};

/* Indices of the material properties that lighting reads. Those of the front face are listed; the
 * index of a back face's property is larger by GL_MATERIAL_FACE. */
enum {
    GL_MATERIAL_AMBIENT,
    GL_MATERIAL_DIFFUSE,
    GL_MATERIAL_SPECULAR,
    GL_MATERIAL_EMISSION,
    GL_MATERIAL_SHININESS,
    GL_MATERIAL_FACE, /* number of properties per face */
    GL_MATERIAL_PROPERTIES = 2 * GL_MATERIAL_FACE,
};
_Static_assert(offsetof(struct gl_material, shininess) == GL_MATERIAL_SHININESS * 4 * sizeof(float),
               "properties are consecutive vectors");

/* Returns the address of property i, which has gl_material_components(i) floats. materials: those
 * of the front and the back face. */
static inline float *gl_material_property(struct gl_material materials[2], unsigned i)
{
    return materials[i / GL_MATERIAL_FACE].ambient + 4 * (i % GL_MATERIAL_FACE);
}

/* Returns the number of floats of property i. */
static inline unsigned gl_material_components(unsigned i)
{
    return i % GL_MATERIAL_FACE == GL_MATERIAL_SHININESS ? 1 : 4;
}

/* Stores the values v of property i. Returns whether they changed. */
static inline bool gl_material_store(struct gl_material materials[2], unsigned i, const float *v)
{
    float *where = gl_material_property(materials, i);
    const size_t bytes = gl_material_components(i) * sizeof *v;
    bool change = memcmp(where, v, bytes);
    memcpy(where, v, bytes);
    return change;
}

/* Lighting state (GL_LIGHTING_BIT). */
struct gl_light_state {
    bool enabled, two_side, local_viewer, color_material;
    bool program_two_side; /* GL_VERTEX_PROGRAM_TWO_SIDE */
    GLenum color_control;  /* GL_SINGLE_COLOR, GL_SEPARATE_SPECULAR_COLOR */
    GLenum shade_model, color_material_face, color_material_mode;
    GLenum provoking_vertex; /* GL_FIRST_VERTEX_CONVENTION, GL_LAST_VERTEX_CONVENTION */
    GLenum clamp_vertex;     /* GL_TRUE, GL_FALSE, GL_FIXED_ONLY */
    float model_ambient[4];
    struct gl_light light[GL_MAX_LIGHTS_];
    struct gl_material material[2];
    /* New materials, valid while material_pending is set. Queued vertices still need the old values
     * in `material`. pending_material replaces `material` when the queued vertices are drawn: at
     * the latest, by glEnd. If vertices contain material properties (gl_material_is_per_vertex),
     * the next glBegin applies the new values without drawing. */
    struct gl_material pending_material[2];
    bool material_pending;
    /* Bit masks of material properties. vertex_materials: properties that are vertex attributes in
     * the current draw. program_materials: value of vertex_materials for which the bound program
     * variants were selected. */
    uint16_t vertex_materials, program_materials;
};

/* Fog state (GL_FOG_BIT). color_sum is GL_COLOR_SUM; distance_mode is defined by
 * NV_fog_distance. */
struct gl_fog_state {
    bool enabled, color_sum;
    GLenum mode, coord_source, distance_mode;
    float color[4], density, start, end, index;
};

/* Texture coordinate generation for one component. */
struct gl_texgen {
    GLenum mode; /* GL_OBJECT_LINEAR … */
    /* eye_plane is in eye space: glTexGen transforms it by the inverse modelview matrix. */
    float object_plane[4], eye_plane[4];
};

/* One fixed-function texture unit. */
struct gl_texenv_unit {
    uint32_t enabled;    /* bit mask by enum gl_texture_index: targets enabled by glEnable */
    uint8_t gen_enabled; /* components with texture coordinate generation: bit 0 is S, bit 3 is Q */
    struct gl_texgen gen[4];
    GLenum mode; /* GL_MODULATE … GL_COMBINE */
    float color[4];
    GLenum combine_rgb, combine_alpha;
    GLenum source_rgb[4], source_alpha[4], operand_rgb[4], operand_alpha[4];
    float rgb_scale, alpha_scale; /* 1, 2 or 4 */
};

struct gl_texenv_state {
    unsigned active; /* glActiveTexture: unit index, may exceed the elements of `unit` */
    bool seamless_cube_map;
    float lod_bias[GL_MAX_UNITS]; /* GL_TEXTURE_FILTER_CONTROL of each image unit */
    struct gl_texenv_unit unit[GL_MAX_TEXTURE_COORD_UNITS];
};

struct gl_transform_state {
    GLenum matrix_mode;
    bool normalize, rescale_normals, depth_clamp_near, depth_clamp_far, rasterizer_discard;
    bool raster_unclipped; /* raster positions are not clipped (IBM_rasterpos_clip) */
    uint32_t clip_enabled; /* bit n: GL_CLIP_PLANEn or GL_CLIP_DISTANCEn is enabled */
    float clip_plane[DRV_MAX_CLIP_PLANES][4]; /* in eye space */
};

/* Current attribute values and the current raster position (GL_CURRENT_BIT). */
struct gl_current_state {
    float attrib[32][4]; /* by enum vert_attrib; integers are stored as bit patterns */
    /* GL_FLOAT, GL_INT or GL_UNSIGNED_INT; GL_DOUBLE or GL_UNSIGNED_INT64_ARB: `wide` is valid */
    GLenum attrib_type[32];
    /* by index of the generic attribute: exact values of attributes of 64-bit types; a 64-bit
     * integer is stored as its bits */
    double wide[16][4];
    float raster_pos[4];   /* window coordinates x, y, z, and clip coordinate w */
    float raster_distance; /* fog coordinate, or distance from the eye */
    float raster_color[4], raster_secondary_color[4], raster_index;
    float raster_texcoord[GL_MAX_TEXTURE_COORD_UNITS][4];
    bool raster_valid;
};

/* Evaluator state (GL_EVAL_BIT) except the maps, which compat/gl_eval.c stores. */
struct gl_eval_state {
    /* Masks of enabled maps. The bit index is target - GL_MAP1_COLOR_4 in map1_enabled, and
     * target - GL_MAP2_COLOR_4 in map2_enabled. */
    uint32_t map1_enabled, map2_enabled;
    bool auto_normal;
    GLint grid1_un, grid2_un, grid2_vn;
    float grid1_u1, grid1_u2, grid2_u1, grid2_u2, grid2_v1, grid2_v2;
};

#endif
