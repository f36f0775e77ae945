# SPDX-License-Identifier: MIT
"""Writes libFuzzer's dictionary: tokens of GLSL and ARB assembly, which random bytes rarely form."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/glsl"))

from glsl_extensions import EXTENSIONS  # noqa: E402
from glsl_keywords import ROWS  # noqa: E402

DIRECTIVES = """#define #undef #if #ifdef #ifndef #elif #else #endif #error #pragma #extension
#version #line #include "a" <b> ## defined __LINE__ __FILE__ __VERSION__ GL_ES all : require enable warn disable
core es compatibility STDGL invariant(all) //@v //@f //@g //@h //@t //@c //@k //@m""".split()

LAYOUTS = """location component index binding offset set align std140 std430 shared packed row_major
column_major origin_upper_left pixel_center_integer early_fragment_tests local_size_x local_size_y
local_size_z xfb_buffer xfb_stride xfb_offset stream points lines lines_adjacency triangles
triangles_adjacency line_strip triangle_strip max_vertices max_primitives invocations vertices quads isolines
equal_spacing fractional_even_spacing fractional_odd_spacing cw ccw point_mode depth_any
depth_greater depth_less depth_unchanged rgba32f r32i r32ui rgba8 local_size_variable
pixel_interlock_ordered pixel_interlock_unordered sample_interlock_ordered
sample_interlock_unordered derivative_group_quadsNV derivative_group_linearNV viewport_relative""".split()

BUILTINS = """gl_Position gl_PointSize gl_ClipDistance gl_CullDistance gl_in gl_out gl_PerVertex
gl_FragCoord gl_FragColor gl_FragData gl_FragDepth gl_FrontFacing gl_PointCoord gl_VertexID
gl_InstanceID gl_PrimitiveID gl_InvocationID gl_Layer gl_ViewportIndex gl_ViewportMask gl_SampleID gl_SampleMask
gl_TessLevelOuter gl_TessLevelInner gl_TessCoord gl_LocalInvocationID gl_WorkGroupSize
gl_ModelViewProjectionMatrix gl_Vertex gl_Color gl_MultiTexCoord0 gl_TexCoord gl_LightSource
gl_MaxDrawBuffers radians sin cos tan asin acos atan pow exp log exp2 log2 sqrt inversesqrt abs sign
floor trunc round fract mod modf min max clamp mix step smoothstep isnan isinf floatBitsToInt fma
frexp ldexp packUnorm2x16 unpackHalf2x16 packDouble2x32 length distance dot cross normalize
ftransform faceforward reflect refract matrixCompMult outerProduct transpose determinant inverse lessThan equal
any all not uaddCarry umulExtended bitfieldExtract bitfieldInsert bitfieldReverse bitCount findLSB
textureSize textureQueryLod texture textureProj textureLod textureOffset texelFetch textureGrad
textureGather texture2D texture2DProj shadow2D textureCube atomicCounterIncrement atomicAdd
imageLoad imageStore imageAtomicAdd dFdx dFdy fwidth interpolateAtCentroid noise1 EmitVertex
EndPrimitive EmitStreamVertex gl_MeshVerticesEXT gl_MeshPrimitivesEXT gl_CullPrimitiveEXT
gl_PrimitivePointIndicesEXT gl_PrimitiveLineIndicesEXT gl_PrimitiveTriangleIndicesEXT
SetMeshOutputsEXT EmitMeshTasksEXT barrier memoryBarrier main( .xyzw .rgba .stpq .length()""".split()

LITERALS = """0 1 2u 3l 0x7fffffff 0xffffffffu 1.0 1e30 .5f 2.0lf 4294967296 - + * / % << >> <= >=
== != && || ^^ <<= >>=""".split()

ASSEMBLY = """!!ARBvp1.0 !!ARBfp1.0 END OPTION TEMP PARAM ATTRIB OUTPUT ADDRESS ALIAS ABS ADD ARL CMP COS
DP3 DP4 DPH DST EX2 EXP FLR FRC KIL LG2 LIT LOG LRP MAD MAX MIN MOV MUL POW RCP RSQ SCS SGE SIN SLT SUB
SWZ TEX TXB TXP XPD _SAT texture[ CUBE RECT 1D 2D 3D SHADOW2D ARB_position_invariant ARB_fog_exp2
ARB_draw_buffers ARB_fragment_program_shadow vertex.attrib[ vertex.position vertex.texcoord[
fragment.color fragment.texcoord[ result.position result.color.back.secondary result.depth state.
state.matrix. program.env[ program.local[ modelview mvp texture[ program[ .row[ .inverse .transpose
.invtrans light[ lightprod[ material lightmodel texgen[ texenv[ fog clip[ point depth.range .. {""".split()


def entry(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\x0A")
    return f'"{escaped}"\n'


if __name__ == "__main__":
    words = ["\\\n", *ROWS, *DIRECTIVES, *LAYOUTS, *BUILTINS, *LITERALS, *ASSEMBLY]
    words += ["GL_" + name for name, _, _ in EXTENSIONS]
    words += [f"#version {v}" for v in (110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450,
                                        460, 100, "300 es", "310 es", "320 es", "150 core")]
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.writelines(entry(word) for word in dict.fromkeys(words))
