/* SPDX-License-Identifier: MIT */
/*
 * GL state that built-in uniforms mirror: the tokens of nir_state_slot. The GLSL and the ARB
 * assembly compilers, the fixed-function generator and NIR's state lowerings name state by them;
 * src/gl evaluates them when it fills constant buffers.
 *
 * A slot is a vec4 of floats, named by five tokens:
 *   [0] enum gl_state_token
 *   [1] index: light, texture unit, clip plane, matrix, face (0 front, 1 back), parameter
 *   [2] property of the kind (below), or the matrix column; for STATE_LIGHTPROD the light
 *   [3] matrices: last column (= [2], a slot holds one); STATE_LIGHTPROD: the property; else 0
 *   [4] enum gl_state_modifier of a matrix; else 0
 *
 * A variable has one slot for each vector in it, in memory order: a scalar or vector one, a matrix
 * one per column, arrays and structs those of their elements and fields one after the other. A
 * vector of n components takes the first n values of its slot; its place in the packed default
 * block follows the one before it without padding (glsl_packed_size). Values that are not in the
 * comment of a token are 0, the fourth 1.
 *
 * Matrices: column vectors, as GLSL sees them: clip = P * (MV * v). Column i of the matrix after
 * the modifier. With STATE_TRANSPOSE column i is row i of the matrix itself, which is how
 * ARB_vertex_program's state.matrix rows are named.
 */
#ifndef NIR_STATE_TOKENS_H
#define NIR_STATE_TOKENS_H

enum gl_state_token {
    STATE_NONE,

    /* --- matrices: [2] = [3] = column, [4] = modifier --- */
    STATE_MODELVIEW_MATRIX, /* [1] = vertex blend unit, 0 */
    STATE_PROJECTION_MATRIX,
    STATE_MVP_MATRIX,     /* projection * modelview */
    STATE_TEXTURE_MATRIX, /* [1] = texture unit */
    STATE_PROGRAM_MATRIX, /* [1] = MATRIXn_ARB */

    /* --- lighting, GL 4.6 compatibility §12.2 --- */
    STATE_LIGHT,     /* [1] = light, [2] = enum gl_state_light */
    STATE_MATERIAL,  /* [1] = face, [2] = enum gl_state_material */
    STATE_LIGHTPROD, /* material * light: [1] = face, [2] = light, [3] = AMBIENT, DIFFUSE
                              * or SPECULAR of enum gl_state_material */
    STATE_LIGHTMODEL_AMBIENT,
    STATE_LIGHTMODEL_SCENECOLOR, /* emission + material ambient * model ambient; [1] = face;
                                  * alpha: of the diffuse material */
    STATE_NORMAL_SCALE,          /* x: gl_NormalScale, the factor of GL_RESCALE_NORMAL */

    /* --- texturing --- */
    STATE_TEXENV_COLOR,     /* [1] = texture unit */
    STATE_TEXGEN,           /* [1] = texture unit, [2] = enum gl_state_texgen */
    STATE_TEXTURE_LOD_BIAS, /* x; [1] = texture unit: GL_TEXTURE_FILTER_CONTROL */

    /* --- the rest of the pipeline --- */
    STATE_FOG,            /* [2] = enum gl_state_fog */
    STATE_CLIPPLANE,      /* [1] = plane: the equation in eye coordinates */
    STATE_CLIPPLANE_CLIP, /* the same in clip coordinates: for shaders that write no gl_ClipVertex */
    STATE_POINT,          /* [2] = enum gl_state_point */
    STATE_DEPTH_RANGE,    /* [2] = enum gl_state_depth_range */
    STATE_FRAG_ALPHA_REF,  /* x: the alpha test's reference value */
    STATE_VIEWPORT,        /* x, y, width, height of viewport [1] */
    STATE_VIEWPORT_SCALE,  /* x, y, z of the viewport transform's scale, viewport [1] */
    STATE_VIEWPORT_OFFSET, /* … and of its offset */
    STATE_FB_SIZE,         /* x, y: pixels of the draw framebuffer */
    STATE_FB_WPOS_Y,       /* x, y: window y of a shader = x * gl_FragCoord.y + y */
    STATE_NUM_SAMPLES,     /* x: int, 1 without multisampling */

    /* --- parameters of ARB assembly programs: [1] = number --- */
    STATE_VERTEX_PROGRAM_ENV,
    STATE_VERTEX_PROGRAM_LOCAL,
    STATE_FRAGMENT_PROGRAM_ENV,
    STATE_FRAGMENT_PROGRAM_LOCAL,

    STATE_ATI_CONSTANT, /* of ATI_fragment_shader: [1] = number, global */

    STATE_TOKEN_COUNT,
};

enum gl_state_modifier {
    STATE_MATRIX_PLAIN,
    STATE_MATRIX_INVERSE,
    STATE_MATRIX_TRANSPOSE,
    STATE_MATRIX_INVTRANS,
};

/* Scalars are in x. Positions and directions are in eye coordinates. */
enum gl_state_light {
    STATE_LIGHT_AMBIENT,
    STATE_LIGHT_DIFFUSE,
    STATE_LIGHT_SPECULAR,
    STATE_LIGHT_POSITION,
    STATE_LIGHT_HALF_VECTOR,    /* xyz: normalize(VP + (0, 0, 1)) for the light at infinity */
    STATE_LIGHT_SPOT_DIRECTION, /* xyz as given to glLight times modelview, w: cosine of the cutoff */
    STATE_LIGHT_SPOT_EXPONENT,
    STATE_LIGHT_SPOT_CUTOFF, /* degrees */
    STATE_LIGHT_SPOT_COS_CUTOFF,
    STATE_LIGHT_CONSTANT_ATTENUATION,
    STATE_LIGHT_LINEAR_ATTENUATION,
    STATE_LIGHT_QUADRATIC_ATTENUATION,
    STATE_LIGHT_ATTENUATION,         /* constant, linear, quadratic, spot exponent (ARB programs) */
    STATE_LIGHT_POSITION_NORMALIZED, /* xyz of the position, unit length: for lights at infinity */
    STATE_LIGHT_SPOT_DIRECTION_NORMALIZED, /* xyz unit length, w: cosine of the cutoff */
};

enum gl_state_material {
    STATE_MATERIAL_EMISSION,
    STATE_MATERIAL_AMBIENT,
    STATE_MATERIAL_DIFFUSE,
    STATE_MATERIAL_SPECULAR,
    STATE_MATERIAL_SHININESS, /* x */
};

enum gl_state_texgen {
    STATE_TEXGEN_EYE_S,
    STATE_TEXGEN_EYE_T,
    STATE_TEXGEN_EYE_R,
    STATE_TEXGEN_EYE_Q,
    STATE_TEXGEN_OBJECT_S,
    STATE_TEXGEN_OBJECT_T,
    STATE_TEXGEN_OBJECT_R,
    STATE_TEXGEN_OBJECT_Q,
};

enum gl_state_fog {
    STATE_FOG_COLOR,
    STATE_FOG_PARAMS,  /* density, start, end, 1 / (end - start) */
    STATE_FOG_DENSITY, /* these scalars in x */
    STATE_FOG_START,
    STATE_FOG_END,
    STATE_FOG_SCALE,     /* 1 / (end - start) */
    STATE_FOG_OPTIMIZED, /* -1/(end-start), end/(end-start), density/ln 2, density/sqrt(ln 2) */
};

enum gl_state_point {
    STATE_POINT_SIZE_CLAMPED, /* x: size within the implementation's limits; for ES 1 and fixed function */
    STATE_POINT_SIZE,
    STATE_POINT_SIZE_MIN,
    STATE_POINT_SIZE_MAX,
    STATE_POINT_FADE_THRESHOLD,
    STATE_POINT_CONSTANT_ATTENUATION,
    STATE_POINT_LINEAR_ATTENUATION,
    STATE_POINT_QUADRATIC_ATTENUATION,
    STATE_POINT_PARAMS,      /* size, min, max, fade threshold (ARB programs) */
    STATE_POINT_ATTENUATION, /* constant, linear, quadratic, 1 */
};

enum gl_state_depth_range {
    STATE_DEPTH_RANGE_PARAMS, /* near, far, far - near, 1 (ARB programs) */
    STATE_DEPTH_RANGE_NEAR,
    STATE_DEPTH_RANGE_FAR,
    STATE_DEPTH_RANGE_DIFF,
};

#endif
