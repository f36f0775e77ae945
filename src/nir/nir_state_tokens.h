/* SPDX-License-Identifier: MIT */
/*
 * Tokens (nir_state_slot) of the GL state that built-in uniforms mirror. The GLSL compiler, the ARB
 * assembly compilers, the fixed-function generator and NIR's state lowering passes name state by
 * tokens; src/gl evaluates them when it fills constant buffers.
 *
 * A slot is a vec4 of floats (STATE_NUM_SAMPLES: an int). Five tokens name it:
 *   [0] enum gl_state_token
 *   [1] index: light, texture unit, clip plane, matrix, viewport, face (0 front, 1 back), parameter
 *   [2] property (enums below) or matrix column; for STATE_LIGHTPROD the index of the light
 *   [3] matrices: the same column as [2]; STATE_LIGHTPROD: the property; otherwise 0
 *   [4] matrices: enum gl_state_modifier; otherwise 0
 *
 * A variable has one slot for each vector in it, in memory order: a scalar or vector has one slot,
 * a matrix one per column, and an array or struct has the slots of all its elements or fields. A
 * vector of n components takes the first n values of its slot. The vectors are stored in the packed
 * default block without padding between them (glsl_packed_size). Comments below name the components
 * that are used. Unused components are 0 in x, y and z, and 1 in w.
 *
 * Matrices use column vectors as in GLSL: clip = P * (MV * v). [2] selects a column of the matrix
 * after the modifier. With STATE_MATRIX_TRANSPOSE, column i is row i of the original matrix; this
 * is how state.matrix rows of ARB_vertex_program are named.
 */
#ifndef NIR_STATE_TOKENS_H
#define NIR_STATE_TOKENS_H

/* Token [0]: the kind of state. */
enum gl_state_token {
    STATE_NONE,

    /* --- matrices: [2] = [3] = column, [4] = modifier --- */
    STATE_MODELVIEW_MATRIX, /* [1] = vertex blend unit, always 0 */
    STATE_PROJECTION_MATRIX,
    STATE_MVP_MATRIX,     /* projection * modelview */
    STATE_TEXTURE_MATRIX, /* [1] = texture unit */
    STATE_PROGRAM_MATRIX, /* [1] = MATRIXn_ARB */

    /* --- lighting, GL 4.6 compatibility §12.2 --- */
    STATE_LIGHT,    /* [1] = light, [2] = enum gl_state_light */
    STATE_MATERIAL, /* [1] = face, [2] = enum gl_state_material */
    /* rgb: material * light; a: alpha of the material. [1] = face, [2] = light, [3] = AMBIENT,
     * DIFFUSE or SPECULAR of enum gl_state_material */
    STATE_LIGHTPROD,
    STATE_LIGHTMODEL_AMBIENT,
    /* [1] = face. rgb: emission + material ambient * light model ambient; a: alpha of the diffuse
     * material. */
    STATE_LIGHTMODEL_SCENECOLOR,
    STATE_NORMAL_SCALE, /* x: gl_NormalScale, the factor of GL_RESCALE_NORMAL */

    /* --- texturing --- */
    STATE_TEXENV_COLOR,     /* [1] = texture unit */
    STATE_TEXGEN,           /* [1] = texture unit, [2] = enum gl_state_texgen */
    STATE_TEXTURE_LOD_BIAS, /* x: bias of GL_TEXTURE_FILTER_CONTROL; [1] = texture unit */

    /* --- the rest of the pipeline --- */
    STATE_FOG,       /* [2] = enum gl_state_fog */
    STATE_CLIPPLANE, /* [1] = plane: equation in eye coordinates */
    /* [1] = plane: equation in clip coordinates, for shaders that don't write gl_ClipVertex. */
    STATE_CLIPPLANE_CLIP,
    STATE_POINT,           /* [2] = enum gl_state_point */
    STATE_DEPTH_RANGE,     /* [1] = viewport, [2] = enum gl_state_depth_range */
    STATE_FRAG_ALPHA_REF,  /* x: reference value of the alpha test */
    STATE_VIEWPORT,        /* [1] = viewport: its x, y, width and height */
    STATE_VIEWPORT_SCALE,  /* [1] = viewport; x, y, z: scale of the viewport transform */
    STATE_VIEWPORT_OFFSET, /* [1] = viewport; x, y, z: offset of the viewport transform */
    STATE_FB_SIZE,         /* x, y: size of the draw framebuffer in pixels */
    STATE_FB_WPOS_Y,       /* x, y: factor and offset that turn the driver's window y into GL's */
    STATE_NUM_SAMPLES,     /* x: an int, 1 without multisampling */

    /* --- parameters of ARB assembly programs: [1] = index of the parameter --- */
    STATE_VERTEX_PROGRAM_ENV,
    STATE_VERTEX_PROGRAM_LOCAL,
    STATE_FRAGMENT_PROGRAM_ENV,
    STATE_FRAGMENT_PROGRAM_LOCAL,

    STATE_ATI_CONSTANT, /* ATI_fragment_shader: [1] = index of a global constant */

    STATE_TOKEN_COUNT,
};

/* Token [4] of matrices: what is applied to the matrix. INVTRANS is the transpose of the
 * inverse. */
enum gl_state_modifier {
    STATE_MATRIX_PLAIN,
    STATE_MATRIX_INVERSE,
    STATE_MATRIX_TRANSPOSE,
    STATE_MATRIX_INVTRANS,
};

/* Token [2] of STATE_LIGHT. Scalars are in x. Positions and directions are in eye coordinates. */
enum gl_state_light {
    STATE_LIGHT_AMBIENT,
    STATE_LIGHT_DIFFUSE,
    STATE_LIGHT_SPECULAR,
    STATE_LIGHT_POSITION,
    /* xyz: normalize(normalize(position.xyz) + (0, 0, 1)), for a light at infinity. */
    STATE_LIGHT_HALF_VECTOR,
    /* xyz: modelview matrix times the direction given to glLight; w: cosine of the cutoff. */
    STATE_LIGHT_SPOT_DIRECTION,
    STATE_LIGHT_SPOT_EXPONENT,
    STATE_LIGHT_SPOT_CUTOFF, /* degrees */
    STATE_LIGHT_SPOT_COS_CUTOFF,
    STATE_LIGHT_CONSTANT_ATTENUATION,
    STATE_LIGHT_LINEAR_ATTENUATION,
    STATE_LIGHT_QUADRATIC_ATTENUATION,
    STATE_LIGHT_ATTENUATION, /* constant, linear, quadratic, spot exponent (ARB programs) */
    /* xyz: position normalized to unit length, for lights at infinity; w: w of the position. */
    STATE_LIGHT_POSITION_NORMALIZED,
    STATE_LIGHT_SPOT_DIRECTION_NORMALIZED, /* xyz: unit length; w: cosine of the cutoff */
};

/* Token [2] of STATE_MATERIAL. Colors are R, G, B, A. */
enum gl_state_material {
    STATE_MATERIAL_EMISSION,
    STATE_MATERIAL_AMBIENT,
    STATE_MATERIAL_DIFFUSE,
    STATE_MATERIAL_SPECULAR,
    STATE_MATERIAL_SHININESS, /* x: the specular exponent */
};

/* Token [2] of STATE_TEXGEN: eye and object planes of the coordinates. */
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

/* Token [2] of STATE_FOG. */
enum gl_state_fog {
    STATE_FOG_COLOR,
    STATE_FOG_PARAMS, /* density, start, end, 1 / (end - start) */
    /* The following four are scalars in x. */
    STATE_FOG_DENSITY,
    STATE_FOG_START,
    STATE_FOG_END,
    STATE_FOG_SCALE, /* 1 / (end - start) */
    /* -1 / (end - start), end / (end - start), density / ln 2, density / sqrt(ln 2): coefficients
     * of linear, exp and exp2 fog. */
    STATE_FOG_OPTIMIZED,
};

/* Token [2] of STATE_POINT. Single values are scalars in x. Sizes are in pixels. */
enum gl_state_point {
    /* x: size clamped to [min, max] and to implementation limits; for ES 1 and fixed function. */
    STATE_POINT_SIZE_CLAMPED,
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

/* Token [2] of STATE_DEPTH_RANGE. */
enum gl_state_depth_range {
    STATE_DEPTH_RANGE_PARAMS, /* near, far, far - near, 1 (ARB programs) */
    /* The following three are scalars in x. */
    STATE_DEPTH_RANGE_NEAR,
    STATE_DEPTH_RANGE_FAR,
    STATE_DEPTH_RANGE_DIFF,
};

#endif
