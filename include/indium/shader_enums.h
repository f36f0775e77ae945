/* SPDX-License-Identifier: MIT */
/*
 * Enumerations shared by the compilers, the API layer and the drivers: shader stages and the slots
 * through which stages exchange data. nir_variable.data.location holds these slot numbers.
 */
#ifndef INDIUM_SHADER_ENUMS_H
#define INDIUM_SHADER_ENUMS_H

#include <stdbool.h>
#include <stdint.h>

/* Shader stages; also the indices of arrays with an element per stage. */
enum shader_stage {
    SHADER_VERTEX,
    SHADER_TESS_CTRL,
    SHADER_TESS_EVAL,
    SHADER_GEOMETRY,
    SHADER_FRAGMENT,
    SHADER_COMPUTE,
    /* EXT_mesh_shader. The API layer converts both to compute shaders for the drivers. */
    SHADER_TASK,
    SHADER_MESH,
    SHADER_STAGE_COUNT,
    SHADER_STAGE_NONE = -1, /* no stage; not an index */
};

/* Returns whether the stage runs in workgroups: compute, task and mesh shaders. */
static inline bool shader_stage_has_workgroups(enum shader_stage stage)
{
    return stage == SHADER_COMPUTE || stage == SHADER_TASK || stage == SHADER_MESH;
}

/* Inputs of the vertex shader. Conventional attributes first, then the generic ones. */
enum vert_attrib {
    VERT_ATTRIB_POS,
    VERT_ATTRIB_NORMAL,
    VERT_ATTRIB_COLOR0,
    VERT_ATTRIB_COLOR1,
    VERT_ATTRIB_FOG,
    VERT_ATTRIB_COLOR_INDEX,
    VERT_ATTRIB_EDGEFLAG,
    VERT_ATTRIB_POINT_SIZE, /* the point size array of OpenGL ES 1 */
    VERT_ATTRIB_TEX0,
    VERT_ATTRIB_TEX7 = VERT_ATTRIB_TEX0 + 7,
    VERT_ATTRIB_GENERIC0,
    VERT_ATTRIB_GENERIC15 = VERT_ATTRIB_GENERIC0 + 15,
    VERT_ATTRIB_COUNT,
};
/* Texture coordinate array i (0 to 7) and generic attribute i (0 to 15). */
#define VERT_ATTRIB_TEX(i)     (VERT_ATTRIB_TEX0 + (i))
#define VERT_ATTRIB_GENERIC(i) (VERT_ATTRIB_GENERIC0 + (i))

/* Outputs of one stage and inputs of the next. VAR0 to VAR31 are user-defined varyings. */
enum varying_slot {
    VARYING_SLOT_POS,
    VARYING_SLOT_COL0,
    VARYING_SLOT_COL1,
    VARYING_SLOT_FOGC, /* fog coordinate */
    VARYING_SLOT_TEX0,
    VARYING_SLOT_TEX7 = VARYING_SLOT_TEX0 + 7,
    VARYING_SLOT_PSIZ, /* gl_PointSize */
    VARYING_SLOT_BFC0, /* back colors, for COL0 and COL1 */
    VARYING_SLOT_BFC1,
    VARYING_SLOT_EDGE, /* edge flag */
    VARYING_SLOT_CLIP_VERTEX,
    VARYING_SLOT_CLIP_DIST0, /* gl_ClipDistance[0] to [3] */
    VARYING_SLOT_CLIP_DIST1, /* gl_ClipDistance[4] to [7] */
    VARYING_SLOT_CULL_DIST0, /* gl_CullDistance[0] to [3] */
    VARYING_SLOT_CULL_DIST1, /* gl_CullDistance[4] to [7] */
    VARYING_SLOT_PRIMITIVE_ID,
    VARYING_SLOT_LAYER,
    VARYING_SLOT_VIEWPORT,    /* gl_ViewportIndex, or gl_ViewportMask (NV_viewport_array2) */
    VARYING_SLOT_FACE,        /* fragment input: 1.0 for front faces, -1.0 for back faces */
    VARYING_SLOT_POINT_COORD, /* gl_PointCoord */
    VARYING_SLOT_TESS_LEVEL_OUTER,
    VARYING_SLOT_TESS_LEVEL_INNER,
    VARYING_SLOT_BOUNDING_BOX0, /* gl_BoundingBox[0], minimum corner of a patch (clip space) */
    VARYING_SLOT_BOUNDING_BOX1, /* gl_BoundingBox[1], maximum corner of a patch (clip space) */
    /* gl_BaryCoordNV and gl_BaryCoordNoPerspNV, inputs of fragment shaders */
    VARYING_SLOT_BARY_COORD,
    VARYING_SLOT_BARY_COORD_LINEAR,
    /* Outputs of mesh shaders, in slots that they don't use otherwise: gl_Primitive*IndicesEXT and
     * gl_CullPrimitiveEXT. */
    VARYING_SLOT_PRIMITIVE_INDICES = VARYING_SLOT_BOUNDING_BOX0,
    VARYING_SLOT_CULL_PRIMITIVE = VARYING_SLOT_BOUNDING_BOX1,
    VARYING_SLOT_VAR0 = 32,
    VARYING_SLOT_VAR31 = VARYING_SLOT_VAR0 + 31,
    VARYING_SLOT_PATCH0, /* per-patch outputs of the tessellation control shader */
    VARYING_SLOT_PATCH31 = VARYING_SLOT_PATCH0 + 31,
    VARYING_SLOT_COUNT,
};
/* Texture coordinate set i (0 to 7) and user-defined varying i (0 to 31). */
#define VARYING_SLOT_TEX(i) (VARYING_SLOT_TEX0 + (i))
#define VARYING_SLOT_VAR(i) (VARYING_SLOT_VAR0 + (i))

/* Outputs of the fragment shader. COLOR (gl_FragColor) is written to every color buffer. DATAn
 * (gl_FragData[n] or a user-defined output) is written to draw buffer n. */
enum frag_result {
    FRAG_RESULT_DEPTH,
    FRAG_RESULT_STENCIL,
    FRAG_RESULT_SAMPLE_MASK,
    FRAG_RESULT_COLOR,
    FRAG_RESULT_DATA0,
    FRAG_RESULT_DATA7 = FRAG_RESULT_DATA0 + 7,
    FRAG_RESULT_COUNT,
};

/* Built-in shader inputs that are not outputs of the previous stage. A nir_variable with mode
 * nir_var_system_value has one of these in data.location. */
enum system_value {
    SYSTEM_VALUE_VERTEX_ID, /* gl_VertexID, which includes the first or base vertex */
    /* gl_VertexID minus the draw's first vertex, or its base vertex if indexed. */
    SYSTEM_VALUE_VERTEX_ID_ZERO_BASE,
    SYSTEM_VALUE_INSTANCE_ID, /* gl_InstanceID, which doesn't include the base instance */
    SYSTEM_VALUE_BASE_VERTEX, /* gl_BaseVertex: 0 in draws without indices */
    SYSTEM_VALUE_BASE_INSTANCE,
    SYSTEM_VALUE_DRAW_ID,
    SYSTEM_VALUE_VIEW_INDEX, /* gl_ViewID_OVR */
    SYSTEM_VALUE_FRAG_COORD,
    SYSTEM_VALUE_POINT_COORD,
    SYSTEM_VALUE_FRONT_FACE,
    SYSTEM_VALUE_SAMPLE_ID,
    SYSTEM_VALUE_SAMPLE_POS,
    SYSTEM_VALUE_SAMPLE_MASK_IN,
    SYSTEM_VALUE_HELPER_INVOCATION,
    SYSTEM_VALUE_PRIMITIVE_ID,
    SYSTEM_VALUE_INVOCATION_ID,
    SYSTEM_VALUE_TESS_COORD,
    SYSTEM_VALUE_PATCH_VERTICES_IN,
    SYSTEM_VALUE_LOCAL_INVOCATION_ID,
    SYSTEM_VALUE_LOCAL_INVOCATION_INDEX,
    SYSTEM_VALUE_WORKGROUP_ID,
    SYSTEM_VALUE_WORKGROUP_SIZE,
    SYSTEM_VALUE_NUM_WORKGROUPS,
    SYSTEM_VALUE_GLOBAL_INVOCATION_ID,
    SYSTEM_VALUE_SUBGROUP_SIZE,
    SYSTEM_VALUE_SUBGROUP_INVOCATION,
    SYSTEM_VALUE_SUBGROUP_ID, /* index of the subgroup in its workgroup */
    SYSTEM_VALUE_NUM_SUBGROUPS,
    /* Masks of the subgroup's invocations whose index is == (EQ), >= (GE), > (GT), <= (LE) or <
     * (LT) this invocation's index. A mask is one 64-bit value or four 32-bit components. */
    SYSTEM_VALUE_SUBGROUP_EQ_MASK,
    SYSTEM_VALUE_SUBGROUP_GE_MASK,
    SYSTEM_VALUE_SUBGROUP_GT_MASK,
    SYSTEM_VALUE_SUBGROUP_LE_MASK,
    SYSTEM_VALUE_SUBGROUP_LT_MASK,
    SYSTEM_VALUE_LAST_FRAG_DATA, /* gl_LastFragData: current values of the color buffers */
    SYSTEM_VALUE_LAST_FRAG_DEPTH,
    SYSTEM_VALUE_LAST_FRAG_STENCIL,
    SYSTEM_VALUE_COUNT,
};

/* Interpolation of a varying. */
enum glsl_interp_mode {
    INTERP_MODE_DEFAULT, /* smooth; for built-in colors, flat if glShadeModel is GL_FLAT */
    INTERP_MODE_SMOOTH,
    INTERP_MODE_FLAT,
    INTERP_MODE_NOPERSPECTIVE,
    INTERP_MODE_PER_VERTEX, /* pervertexNV: an array with the values of the vertices */
};

#endif
