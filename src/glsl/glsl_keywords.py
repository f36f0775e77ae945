# SPDX-License-Identifier: MIT
"""Keywords and reserved words; generates glsl_keyword_table.h (sorted, for bsearch).

A row has: the word, its token, the desktop and ES versions from which it is a keyword (None: never),
the desktop and ES versions from which it is reserved (None: never before it is a keyword), and the
extensions that make it a keyword in earlier versions.
Sources: GLSL 1.10-4.60 §3.6, ESSL 1.00 §3.7, 3.00 §3.8, 3.20 §3.7.
"""

import sys

ROWS = {}


def words(text, token, gl, es, gl_reserved=None, es_reserved=None, ext=""):
    for word in text.split():
        assert word not in ROWS, word
        ROWS[word] = (token, gl, es, gl_reserved, es_reserved, ext.split())


def keywords(text, *args, **kwargs):
    for word in text.split():
        words(word, "TOK_" + word.upper(), *args, **kwargs)


def types(text, *args, **kwargs):
    words(text, "TOK_TYPE", *args, **kwargs)


keywords("const uniform", 110, 100)
keywords("break continue do for while if else return discard struct true false", 110, 100)
keywords("in out inout", 110, 100)
keywords("attribute varying", 110, 100)
keywords("invariant", 120, 100)
keywords("lowp mediump highp precision", 130, 100, 120)
keywords("centroid", 120, 300, None, None, "EXT_gpu_shader4")
keywords("flat", 130, 300, 130, 100, "EXT_gpu_shader4")
keywords("smooth", 130, 300)
keywords("noperspective", 130, None, None, 300,
         "EXT_gpu_shader4 NV_shader_noperspective_interpolation")
keywords("switch default", 130, 300, 110, 100)
keywords("case", 130, 300)
keywords("layout", 140, 300, None, None,
         "ARB_explicit_attrib_location ARB_uniform_buffer_object ARB_fragment_coord_conventions "
         "ARB_conservative_depth AMD_conservative_depth ARB_separate_shader_objects "
         "ARB_shader_image_load_store ARB_shader_atomic_counters ARB_compute_shader "
         "ARB_explicit_uniform_location ARB_enhanced_layouts ARB_shading_language_420pack "
         "ARB_tessellation_shader KHR_blend_equation_advanced EXT_separate_shader_objects "
         "EXT_blend_func_extended EXT_shader_framebuffer_fetch_non_coherent OVR_multiview")
keywords("patch", 400, 320, 400, 300, "ARB_tessellation_shader OES_tessellation_shader EXT_tessellation_shader")
keywords("sample", 400, 320, 400, 300, "ARB_gpu_shader5 OES_shader_multisample_interpolation")
keywords("subroutine", 400, None, 400, 300, "ARB_shader_subroutine")
keywords("precise", 400, 320, 400, 310, "ARB_gpu_shader5 EXT_gpu_shader5 OES_gpu_shader5")
keywords("coherent restrict readonly writeonly", 420, 310, 420, 300,
         "ARB_shader_image_load_store ARB_shader_storage_buffer_object")
keywords("volatile", 420, 310, 110, 100,
         "ARB_shader_image_load_store ARB_shader_storage_buffer_object")
keywords("buffer", 430, 310, None, None, "ARB_shader_storage_buffer_object")
keywords("shared", 430, 310, None, None, "ARB_compute_shader")
keywords("pervertexNV", None, None, None, None, "NV_fragment_shader_barycentric")
words("perprimitiveEXT", "TOK_PERPRIMITIVE", None, None, None, None, "EXT_mesh_shader")
words("taskPayloadSharedEXT", "TOK_TASK_PAYLOAD", None, None, None, None, "EXT_mesh_shader")
keywords("demote", None, None, None, None, "EXT_demote_to_helper_invocation")

words("void", "TOK_VOID", 110, 100)
types("float int bool vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 mat2 mat3 mat4", 110, 100)
types("mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4", 120, 300)
types("uint uvec2 uvec3 uvec4", 130, 300, None, None, "EXT_gpu_shader4")
words("unsigned", "TOK_UNSIGNED", None, None, 110, 100, "EXT_gpu_shader4")
FP64 = "ARB_gpu_shader_fp64 ARB_vertex_attrib_64bit"
types("double dvec2 dvec3 dvec4", 400, None, 110, 100, FP64)
types("dmat2 dmat3 dmat4 dmat2x2 dmat2x3 dmat2x4 dmat3x2 dmat3x3 dmat3x4 dmat4x2 dmat4x3 dmat4x4",
      400, None, 400, 310, FP64)
types("int64_t i64vec2 i64vec3 i64vec4 uint64_t u64vec2 u64vec3 u64vec4", None, None, None, None,
      "ARB_gpu_shader_int64 AMD_gpu_shader_int64")
types("float16_t f16vec2 f16vec3 f16vec4 f16mat2 f16mat3 f16mat4 f16mat2x2 f16mat2x3 f16mat2x4 "
      "f16mat3x2 f16mat3x3 f16mat3x4 f16mat4x2 f16mat4x3 f16mat4x4", None, None, None, None,
      "AMD_gpu_shader_half_float")
types("atomic_uint", 420, 310, 420, 300, "ARB_shader_atomic_counters")

types("sampler2D", 110, 100)
types("samplerCube", 110, 100)
types("sampler3D", 110, 300, 110, 100, "OES_texture_3D")
types("sampler1D sampler1DShadow", 110, None, 110, 100)
types("sampler2DShadow", 110, 300, 110, 100, "EXT_shadow_samplers")
types("sampler2DRect sampler2DRectShadow", 140, None, 110, 100, "ARB_texture_rectangle EXT_gpu_shader4")
types("samplerCubeShadow", 130, 300, None, None, "EXT_gpu_shader4")
types("sampler2DArray sampler2DArrayShadow", 130, 300, None, None, "EXT_texture_array EXT_gpu_shader4")
types("sampler1DArray sampler1DArrayShadow", 130, None, None, 300, "EXT_texture_array EXT_gpu_shader4")
types("isampler1D usampler1D isampler1DArray usampler1DArray", 130, None, None, 300, "EXT_gpu_shader4")
types("isampler2D usampler2D isampler3D usampler3D isamplerCube usamplerCube isampler2DArray "
      "usampler2DArray", 130, 300, None, None, "EXT_gpu_shader4")
types("isampler2DRect usampler2DRect", 140, None, 140, 300, "EXT_gpu_shader4")
BUFFERS = "EXT_gpu_shader4 OES_texture_buffer EXT_texture_buffer"
types("samplerBuffer", 140, 320, 130, 300, BUFFERS)
types("isamplerBuffer usamplerBuffer", 140, 320, None, 300, BUFFERS)
types("sampler2DMS isampler2DMS usampler2DMS", 150, 310, 150, 300, "ARB_texture_multisample")
types("sampler2DMSArray isampler2DMSArray usampler2DMSArray", 150, 320, 150, 300,
      "ARB_texture_multisample OES_texture_storage_multisample_2d_array")
types("samplerCubeArray samplerCubeArrayShadow isamplerCubeArray usamplerCubeArray", 400, 320, 400,
      310, "ARB_texture_cube_map_array OES_texture_cube_map_array EXT_texture_cube_map_array")
types("samplerExternalOES", None, None, None, None,
      "OES_EGL_image_external OES_EGL_image_external_essl3")
ILS = "ARB_shader_image_load_store"
types("image2D iimage2D uimage2D image3D iimage3D uimage3D imageCube iimageCube uimageCube "
      "image2DArray iimage2DArray uimage2DArray", 420, 310, 130, 300, ILS)
types("image1D iimage1D uimage1D image1DArray iimage1DArray uimage1DArray", 420, None, 130, 300, ILS)
types("image2DRect iimage2DRect uimage2DRect image2DMS iimage2DMS uimage2DMS "
      "image2DMSArray iimage2DMSArray uimage2DMSArray", 420, None, 420, 310, ILS)
types("imageBuffer iimageBuffer uimageBuffer", 420, 320, 130, 300, ILS + " OES_texture_buffer EXT_texture_buffer")
types("imageCubeArray iimageCubeArray uimageCubeArray", 420, 320, 420, 310,
      ILS + " OES_texture_cube_map_array EXT_texture_cube_map_array")


def reserved(text, gl, es):
    words(text, "TOK_RESERVED", None, None, gl, es)


reserved("asm class union enum typedef template this goto inline noinline public "
         "static extern external interface long short half fixed input output "
         "hvec2 hvec3 hvec4 fvec2 fvec3 fvec4 sampler3DRect sizeof cast namespace using", 110, 100)
reserved("packed", 110, 100)
reserved("row_major", 130, None)
reserved("superp", 130, 100)
reserved("common partition active filter", 130, 300)
reserved("image1DShadow image2DShadow image1DArrayShadow image2DArrayShadow", 130, None)
reserved("resource", 420, 300)


def number(value):
    return 0 if value is None else value


def row(word):
    token, gl, es, gl_reserved, es_reserved, ext = ROWS[word]
    exts = ", ".join(f"GLSL_EXT_{e} + 1" for e in ext)
    return (f'    {{"{word}", {token}, {number(gl)}, {number(es)}, {number(gl_reserved)}, '
            f'{number(es_reserved)}, {{{exts}}}}},')


def write(path):
    with open(path, "w", encoding="utf-8") as out:
        out.write("/* Generated by src/glsl/glsl_keywords.py. */\n")
        out.write(f"#define KEYWORD_MAX_EXTENSIONS {max(len(r[5]) for r in ROWS.values()) + 1}\n\n")
        out.write("static const struct keyword {\n"
                  "    const char *word;\n"
                  "    uint8_t token;\n"
                  "    uint16_t gl, es; /* versions from which it is a keyword; 0: never */\n"
                  "    uint16_t gl_reserved, es_reserved; /* versions from which it is reserved; 0: never */\n"
                  "    uint8_t ext[KEYWORD_MAX_EXTENSIONS]; /* enum glsl_extension + 1; ends with 0 */\n"
                  "} keywords[] = {\n")
        out.write("\n".join(row(w) for w in sorted(ROWS)))
        out.write("\n};\n")


if __name__ == "__main__":
    write(sys.argv[1])
