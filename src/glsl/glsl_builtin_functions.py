# SPDX-License-Identifier: MIT
"""The built-in functions as prototypes, and the generator of glsl_builtin_table.c.

A prototype is written as in the specification and expanded into its overloads:
  genType, genIType, genUType, genBType, genDType   scalar and vectors of 2 to 4 components
  vec, ivec, uvec, bvec, dvec                       vectors of 2 to 4 components
  mat, dmat                                         the nine matrices
  gvec4, gsampler…                                  float, int and uint texels
All of these in one prototype go together. Who has it is a C expression of these macros: GL(v),
ES(v): language and least version; OLD(v): desktop where deprecated functions are; X(name): the
extension is on; VS, FS: the stage. What it becomes is one of
  op(name)           the HIR operation of the arguments
  tex(op, roles)     a texture operation; a letter for each argument: s sampler, P coordinate (with
                     comparator), Q the same with projector, b bias, l lod, x, y derivatives,
                     R coordinate alone, o offset, n sample, c comparator, g gathered component, O offsets
  body(name)         build_<name> of glsl_builtin_bodies.c
"""
import re
import sys

FUNCTIONS = []  # (prototype, availability, what)


def op(name):
    return ('op', name)


def tex(texop, roles):
    return ('tex', texop, roles)


def body(name):
    return ('body', name)


def f(proto, who, what, double=False):
    FUNCTIONS.append((proto, who, what))
    if double:
        d = re.sub(r'\bgenType\b', 'genDType', proto)
        d = re.sub(r'\bfloat\b', 'double', d)
        d = re.sub(r'\bvec', 'dvec', d)
        d = re.sub(r'\bmat', 'dmat', d)
        FUNCTIONS.append((d, 'GL(400) || X(ARB_gpu_shader_fp64)', what))


ALL = 'GL(110) || ES(100)'
V120 = 'GL(120) || ES(300)'
V130 = 'GL(130) || ES(300)'
V140 = 'GL(140) || ES(300)'
V150 = 'GL(150) || ES(300)'
BITS = 'GL(330) || ES(300) || X(ARB_shader_bit_encoding) || X(ARB_gpu_shader5)'
GS5 = ('GL(400) || ES(310) || X(ARB_gpu_shader5) || X(EXT_gpu_shader5) || X(OES_gpu_shader5) || '
       'X(MESA_shader_integer_functions)')
FMA = 'GL(400) || ES(320) || X(ARB_gpu_shader5) || X(EXT_gpu_shader5) || X(OES_gpu_shader5)'

# --- angles and trigonometry ---
f('genType radians(genType degrees)', ALL, body('radians'))
f('genType degrees(genType radians)', ALL, body('degrees'))
for name in ('sin', 'cos', 'tan', 'asin', 'acos'):
    f(f'genType {name}(genType x)', ALL, op(name))
f('genType atan(genType y, genType x)', ALL, op('atan2'))
f('genType atan(genType y_over_x)', ALL, op('atan'))
for name in ('sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'):
    f(f'genType {name}(genType x)', V130, op(name))

# --- exponentials ---
f('genType pow(genType x, genType y)', ALL, op('pow'))
for name in ('exp', 'log', 'exp2', 'log2'):
    f(f'genType {name}(genType x)', ALL, op(name))
f('genType sqrt(genType x)', ALL, op('sqrt'), double=True)
f('genType inversesqrt(genType x)', ALL, op('rsq'), double=True)

# --- common ---
for name in ('abs', 'sign', 'floor', 'ceil', 'fract'):
    f(f'genType {name}(genType x)', ALL, op(name), double=True)
for name in ('abs', 'sign'):
    f(f'genIType {name}(genIType x)', V130, op(name))
f('genType trunc(genType x)', V130, op('trunc'), double=True)
f('genType round(genType x)', V130, op('round_even'), double=True)
f('genType roundEven(genType x)', V130, op('round_even'), double=True)
f('genType mod(genType x, float y)', ALL, op('mod'), double=True)
f('vec mod(vec x, vec y)', ALL, op('mod'), double=True)
f('genType modf(genType x, out genType i)', V130, body('modf'), double=True)
for name in ('min', 'max'):
    f(f'genType {name}(genType x, float y)', ALL, op(name), double=True)
    f(f'vec {name}(vec x, vec y)', ALL, op(name), double=True)
    f(f'genIType {name}(genIType x, int y)', V130, op(name))
    f(f'ivec {name}(ivec x, ivec y)', V130, op(name))
    f(f'genUType {name}(genUType x, uint y)', V130, op(name))
    f(f'uvec {name}(uvec x, uvec y)', V130, op(name))
f('genType clamp(genType x, float minVal, float maxVal)', ALL, body('clamp'), double=True)
f('vec clamp(vec x, vec minVal, vec maxVal)', ALL, body('clamp'), double=True)
f('genIType clamp(genIType x, int minVal, int maxVal)', V130, body('clamp'))
f('ivec clamp(ivec x, ivec minVal, ivec maxVal)', V130, body('clamp'))
f('genUType clamp(genUType x, uint minVal, uint maxVal)', V130, body('clamp'))
f('uvec clamp(uvec x, uvec minVal, uvec maxVal)', V130, body('clamp'))
f('genType mix(genType x, genType y, float a)', ALL, op('lrp'), double=True)
f('vec mix(vec x, vec y, vec a)', ALL, op('lrp'), double=True)
f('genType mix(genType x, genType y, genBType a)', V130, body('mix_bool'), double=True)
INTMIX = 'GL(450) || ES(310) || X(EXT_shader_integer_mix)'
f('genIType mix(genIType x, genIType y, genBType a)', INTMIX, body('mix_bool'))
f('genUType mix(genUType x, genUType y, genBType a)', INTMIX, body('mix_bool'))
f('genBType mix(genBType x, genBType y, genBType a)', INTMIX, body('mix_bool'))
f('genType step(float edge, genType x)', ALL, body('step'), double=True)
f('vec step(vec edge, vec x)', ALL, body('step'), double=True)
f('genType smoothstep(float edge0, float edge1, genType x)', ALL, body('smoothstep'), double=True)
f('vec smoothstep(vec edge0, vec edge1, vec x)', ALL, body('smoothstep'), double=True)
f('genBType isnan(genType x)', V130, op('is_nan'), double=True)
f('genBType isinf(genType x)', V130, op('is_inf'), double=True)
f('genIType floatBitsToInt(genType value)', BITS, body('bitcast'))
f('genUType floatBitsToUint(genType value)', BITS, body('bitcast'))
f('genType intBitsToFloat(genIType value)', BITS, body('bitcast'))
f('genType uintBitsToFloat(genUType value)', BITS, body('bitcast'))
f('genType fma(genType a, genType b, genType c)', FMA, op('fma'), double=True)
f('genType frexp(genType x, out genIType exp)', GS5, body('frexp'))
f('genDType frexp(genDType x, out genIType exp)', 'GL(400) || X(ARB_gpu_shader_fp64)', body('frexp'))
f('genType ldexp(genType x, genIType exp)', GS5, op('ldexp'))
f('genDType ldexp(genDType x, genIType exp)', 'GL(400) || X(ARB_gpu_shader_fp64)', op('ldexp'))

# --- packing ---
PACK = 'GL(420) || X(ARB_shading_language_packing)'
for name, bits, n, es in (('Unorm2x16', 'unorm_2x16', 2, 300), ('Snorm2x16', 'snorm_2x16', 2, 300),
                          ('Half2x16', 'half_2x16', 2, 300), ('Unorm4x8', 'unorm_4x8', 4, 310),
                          ('Snorm4x8', 'snorm_4x8', 4, 310)):
    who = PACK + f' || ES({es})' + (' || X(ARB_gpu_shader5)' if 'Half' not in name else '')
    f(f'uint pack{name}(vec{n} v)', who, op('pack_' + bits))
    f(f'vec{n} unpack{name}(uint p)', who, op('unpack_' + bits))
f('double packDouble2x32(uvec2 v)', 'GL(400) || X(ARB_gpu_shader_fp64)', op('pack_double_2x32'))
f('uvec2 unpackDouble2x32(double v)', 'GL(400) || X(ARB_gpu_shader_fp64)', op('unpack_double_2x32'))

# --- geometry ---
f('float length(genType x)', ALL, body('length'), double=True)
f('float distance(genType p0, genType p1)', ALL, body('distance'), double=True)
f('float dot(genType x, genType y)', ALL, op('dot'), double=True)
f('vec3 cross(vec3 x, vec3 y)', ALL, body('cross'), double=True)
f('genType normalize(genType x)', ALL, body('normalize'), double=True)
f('genType faceforward(genType N, genType I, genType Nref)', ALL, body('faceforward'), double=True)
f('genType reflect(genType I, genType N)', ALL, body('reflect'), double=True)
f('genType refract(genType I, genType N, float eta)', ALL, body('refract'), double=True)
f('vec4 ftransform()', 'OLD(110) && VS', body('ftransform'))

# --- matrices ---
f('mat matrixCompMult(mat x, mat y)', ALL, op('comp_mul'), double=True)
for c in '234':
    for r in '234':
        m = f'mat{c}' if c == r else f'mat{c}x{r}'
        t = f'mat{c}' if c == r else f'mat{r}x{c}'
        f(f'{m} outerProduct(vec{r} c, vec{c} r)', V120, body('outer_product'), double=True)
        f(f'{t} transpose({m} m)', V120, op('transpose'), double=True)
    f(f'float determinant(mat{c} m)', V150, op('determinant'), double=True)
    f(f'mat{c} inverse(mat{c} m)', V140, op('inverse'), double=True)

# --- relations of vectors ---
for name, o in (('lessThan', 'less'), ('lessThanEqual', 'lequal'), ('greaterThan', 'greater'),
                ('greaterThanEqual', 'gequal'), ('equal', 'equal'), ('notEqual', 'nequal')):
    f(f'bvec {name}(vec x, vec y)', ALL, op(o), double=True)
    f(f'bvec {name}(ivec x, ivec y)', ALL, op(o))
    f(f'bvec {name}(uvec x, uvec y)', V130 + ' || X(EXT_gpu_shader4)', op(o))
    if name in ('equal', 'notEqual'):
        f(f'bvec {name}(bvec x, bvec y)', ALL, op(o))
f('bool any(bvec x)', ALL, op('any'))
f('bool all(bvec x)', ALL, op('all'))
f('bvec not(bvec x)', ALL, op('logic_not'))

# --- integers ---
f('genUType uaddCarry(genUType x, genUType y, out genUType carry)', GS5, body('add_carry'))
f('genUType usubBorrow(genUType x, genUType y, out genUType borrow)', GS5, body('sub_borrow'))
f('void umulExtended(genUType x, genUType y, out genUType msb, out genUType lsb)', GS5,
  body('mul_extended'))
f('void imulExtended(genIType x, genIType y, out genIType msb, out genIType lsb)', GS5,
  body('mul_extended'))
for g in ('genIType', 'genUType'):
    f(f'{g} bitfieldExtract({g} value, int offset, int bits)', GS5, op('bitfield_extract'))
    f(f'{g} bitfieldInsert({g} base, {g} insert, int offset, int bits)', GS5, op('bitfield_insert'))
    f(f'{g} bitfieldReverse({g} value)', GS5, op('bit_reverse'))
    f(f'genIType bitCount({g} value)', GS5, op('bit_count'))
    f(f'genIType findLSB({g} value)', GS5, op('find_lsb'))
    f(f'genIType findMSB({g} value)', GS5, op('find_msb'))

# --- derivatives, noise ---
DERIV = 'FS && (GL(110) || ES(300) || X(OES_standard_derivatives))'
f('genType dFdx(genType p)', DERIV, op('dfdx'))
f('genType dFdy(genType p)', DERIV, op('dfdy'))
f('genType fwidth(genType p)', DERIV, body('fwidth'))
CONTROL = 'FS && (GL(450) || X(ARB_derivative_control))'
for s in ('Coarse', 'Fine'):
    f(f'genType dFdx{s}(genType p)', CONTROL, op('dfdx_' + s.lower()))
    f(f'genType dFdy{s}(genType p)', CONTROL, op('dfdy_' + s.lower()))
    f(f'genType fwidth{s}(genType p)', CONTROL, body('fwidth_' + s.lower()))
for n, t in ((1, 'float'), (2, 'vec2'), (3, 'vec3'), (4, 'vec4')):
    f(f'{t} noise{n}(genType x)', 'GL(110)', body('noise'))

# --- textures, the names of GLSL 1.10 and its extensions ---
LOD = 'VS || GL(130) || X(ARB_shader_texture_lod)'


def legacy(name, sampler, result, coord, projs, who, lod=True, bias=True, grad=None, ext=''):
    """texture2D & co.; who must not contain ||. grad: type of the derivatives."""
    variants = [(name, 'P', coord)] + [(name + 'Proj', 'Q', p) for p in projs]
    for fn, role, c in variants:
        f(f'{result} {fn}{ext}({sampler} s, {c} coord)', who, tex('tex', 's' + role))
        if bias:
            f(f'{result} {fn}{ext}({sampler} s, {c} coord, float bias)', f'({who}) && FS',
              tex('txb', 's' + role + 'b'))
        if lod:
            f(f'{result} {fn}Lod{ext}({sampler} s, {c} coord, float lod)', f'({who}) && ({LOD})',
              tex('txl', 's' + role + 'l'))
        if grad:
            f(f'{result} {fn}GradARB({sampler} s, {c} coord, {grad} dx, {grad} dy)',
              f'({who}) && X(ARB_shader_texture_lod)', tex('txd', 's' + role + 'xy'))


OLD = 'OLD(110)'
legacy('texture1D', 'sampler1D', 'vec4', 'float', ['vec2', 'vec4'], OLD, grad='float')
legacy('texture2D', 'sampler2D', 'vec4', 'vec2', ['vec3', 'vec4'], OLD + ' || ES100', grad='vec2')
legacy('texture3D', 'sampler3D', 'vec4', 'vec3', ['vec4'], OLD + ' || (ES100 && X(OES_texture_3D))',
       grad='vec3')
legacy('textureCube', 'samplerCube', 'vec4', 'vec3', [], OLD + ' || ES100', grad='vec3')
legacy('shadow1D', 'sampler1DShadow', 'vec4', 'vec3', ['vec4'], OLD, grad='float')
legacy('shadow2D', 'sampler2DShadow', 'vec4', 'vec3', ['vec4'], OLD, grad='vec2')
RECT = '(X(ARB_texture_rectangle) || GL(140)) && ' + OLD
legacy('texture2DRect', 'sampler2DRect', 'vec4', 'vec2', ['vec3', 'vec4'], RECT, lod=False,
       bias=False, grad='vec2')
legacy('shadow2DRect', 'sampler2DRectShadow', 'vec4', 'vec3', ['vec4'], RECT, lod=False, bias=False,
       grad='vec2')
ARRAY = 'X(EXT_texture_array)'
legacy('texture1DArray', 'sampler1DArray', 'vec4', 'vec2', [], ARRAY)
legacy('texture2DArray', 'sampler2DArray', 'vec4', 'vec3', [], ARRAY)
legacy('shadow1DArray', 'sampler1DArrayShadow', 'vec4', 'vec3', [], ARRAY)
legacy('shadow2DArray', 'sampler2DArrayShadow', 'vec4', 'vec4', [], ARRAY, lod=False, bias=False)
legacy('texture2D', 'samplerExternalOES', 'vec4', 'vec2', ['vec3', 'vec4'],
       'ES100 && X(OES_EGL_image_external)', lod=False, bias=False)
legacy('shadow2D', 'sampler2DShadow', 'float', 'vec3', ['vec4'], 'X(EXT_shadow_samplers)', lod=False,
       bias=False, ext='EXT')
ESLOD = 'ES100 && FS && X(EXT_shader_texture_lod)'
for fn, sampler, role, c, g in (('texture2D', 'sampler2D', 'P', 'vec2', 'vec2'),
                                ('texture2DProj', 'sampler2D', 'Q', 'vec3', 'vec2'),
                                ('texture2DProj', 'sampler2D', 'Q', 'vec4', 'vec2'),
                                ('textureCube', 'samplerCube', 'P', 'vec3', 'vec3')):
    f(f'vec4 {fn}LodEXT({sampler} s, {c} coord, float lod)', ESLOD, tex('txl', f's{role}l'))
    f(f'vec4 {fn}GradEXT({sampler} s, {c} coord, {g} dx, {g} dy)', ESLOD, tex('txd', f's{role}xy'))

# --- textures, the names of GLSL 1.30 on ---
CUBE_ARRAY = ('GL(400) || ES(320) || X(ARB_texture_cube_map_array) || '
              'X(EXT_texture_cube_map_array) || X(OES_texture_cube_map_array)')
KINDS = {  # suffix: coordinate, derivative, offset, who
    '1D': ('float', 'float', 'int', 'GL(130)'),
    '2D': ('vec2', 'vec2', 'ivec2', V130),
    '3D': ('vec3', 'vec3', 'ivec3', V130),
    'Cube': ('vec3', 'vec3', None, V130),
    '1DArray': ('vec2', 'float', 'int', 'GL(130)'),
    '2DArray': ('vec3', 'vec2', 'ivec2', V130),
    'CubeArray': ('vec4', 'vec3', None, CUBE_ARRAY),
    '2DRect': ('vec2', 'vec2', 'ivec2', 'GL(140)'),
    '1DShadow': ('vec3', 'float', 'int', 'GL(130)'),
    '2DShadow': ('vec3', 'vec2', 'ivec2', V130),
    'CubeShadow': ('vec4', 'vec3', None, V130),
    '1DArrayShadow': ('vec3', 'float', 'int', 'GL(130)'),
    '2DArrayShadow': ('vec4', 'vec2', 'ivec2', V130),
    '2DRectShadow': ('vec3', 'vec2', 'ivec2', 'GL(140)'),
}
PROJ = {'1D': ['vec2', 'vec4'], '2D': ['vec3', 'vec4'], '3D': ['vec4'], '1DShadow': ['vec4'],
        '2DShadow': ['vec4'], '2DRect': ['vec3', 'vec4'], '2DRectShadow': ['vec4']}
NO_BIAS = ('2DRect', '2DRectShadow', '2DArrayShadow')
LODS = ('1D', '2D', '3D', 'Cube', '1DShadow', '2DShadow', '1DArray', '2DArray', '1DArrayShadow',
        'CubeArray')


def modern(suffix, name, coord, role, offset, who):
    """texture-like functions of one coordinate type: bias, Lod, Grad, each with Offset."""
    shadow = 'Shadow' in suffix
    s = f'sampler{suffix} s' if shadow else f'gsampler{suffix} s'
    r = 'float' if shadow else 'gvec4'
    grad = KINDS[suffix][1]
    for off, arg, letter in (('', '', ''), ('Offset', f', {offset} offset', 'o')):
        if off and (not offset or (suffix == '2DArrayShadow' and name == 'texture')):
            continue
        f(f'{r} {name}{off}({s}, {coord} P{arg})', who, tex('tex', 's' + role + letter))
        if suffix not in NO_BIAS:
            f(f'{r} {name}{off}({s}, {coord} P{arg}, float bias)', f'({who}) && FS',
              tex('txb', 's' + role + letter + 'b'))
        if suffix in LODS:
            f(f'{r} {name}Lod{off}({s}, {coord} P, float lod{arg})', who,
              tex('txl', 's' + role + 'l' + letter))
        f(f'{r} {name}Grad{off}({s}, {coord} P, {grad} dx, {grad} dy{arg})', who,
          tex('txd', 's' + role + 'xy' + letter))
    if suffix == '2DArrayShadow':
        f(f'float textureGradOffset({s}, vec4 P, vec2 dx, vec2 dy, ivec2 offset)', who,
          tex('txd', 'sPxyo'))
        f(f'float textureOffset({s}, vec4 P, ivec2 offset)', 'GL(430)', tex('tex', 'sPo'))


for suffix, (coord, grad, offset, who) in KINDS.items():
    modern(suffix, 'texture', coord, 'P', offset, who)
    for p in PROJ.get(suffix, []):
        modern(suffix, 'textureProj', p, 'Q', offset, who)
f('float texture(samplerCubeArrayShadow s, vec4 P, float compare)', CUBE_ARRAY, tex('tex', 'sRc'))
f('vec4 texture(samplerExternalOES s, vec2 P)', 'X(OES_EGL_image_external_essl3)', tex('tex', 'sP'))

BUFFER = 'GL(140) || ES(320) || X(EXT_texture_buffer) || X(OES_texture_buffer)'
MS = 'GL(150) || X(ARB_texture_multisample)'
for suffix, coord, lod, offset, who in (
        ('1D', 'int', True, 'int', 'GL(130)'), ('2D', 'ivec2', True, 'ivec2', V130),
        ('3D', 'ivec3', True, 'ivec3', V130), ('1DArray', 'ivec2', True, 'int', 'GL(130)'),
        ('2DArray', 'ivec3', True, 'ivec2', V130), ('2DRect', 'ivec2', False, 'ivec2', 'GL(140)'),
        ('Buffer', 'int', False, None, BUFFER)):
    l, r = (', int lod', 'l') if lod else ('', '')
    f(f'gvec4 texelFetch(gsampler{suffix} s, {coord} P{l})', who, tex('txf', 'sP' + r))
    if offset:
        f(f'gvec4 texelFetchOffset(gsampler{suffix} s, {coord} P{l}, {offset} offset)', who,
          tex('txf', 'sP' + r + 'o'))
f('gvec4 texelFetch(gsampler2DMS s, ivec2 P, int n)', MS + ' || ES(310)', tex('txf_ms', 'sPn'))
f('gvec4 texelFetch(gsampler2DMSArray s, ivec3 P, int n)', MS + ' || ES(320)', tex('txf_ms', 'sPn'))

for suffix, size, lod, who in (
        ('1D', 'int', True, 'GL(130)'), ('2D', 'ivec2', True, V130), ('3D', 'ivec3', True, V130),
        ('Cube', 'ivec2', True, V130), ('1DArray', 'ivec2', True, 'GL(130)'),
        ('2DArray', 'ivec3', True, V130), ('CubeArray', 'ivec3', True, CUBE_ARRAY),
        ('2DRect', 'ivec2', False, 'GL(140)'), ('Buffer', 'int', False, BUFFER),
        ('2DMS', 'ivec2', False, MS + ' || ES(310)'), ('2DMSArray', 'ivec3', False, MS + ' || ES(320)')):
    l, r = (', int lod', 'l') if lod else ('', '')
    f(f'{size} textureSize(gsampler{suffix} s{l})', who, tex('txs', 's' + r))
    if suffix not in ('3D', 'Buffer', '2DMS', '2DMSArray'):
        f(f'{size} textureSize(sampler{suffix}Shadow s{l})', who, tex('txs', 's' + r))

GATHER = 'GL(400) || ES(310) || X(ARB_texture_gather) || X(ARB_gpu_shader5)'
GATHER5 = 'GL(400) || ES(310) || X(ARB_gpu_shader5)'
for suffix, coord, who in (('2D', 'vec2', GATHER), ('2DArray', 'vec3', GATHER),
                           ('Cube', 'vec3', GATHER), ('CubeArray', 'vec4', CUBE_ARRAY),
                           ('2DRect', 'vec2', GATHER5)):
    who = who if suffix != '2DRect' else 'GL(400) || X(ARB_gpu_shader5)'
    shadow_coord = coord
    f(f'gvec4 textureGather(gsampler{suffix} s, {coord} P)', who, tex('tg4', 'sP'))
    f(f'gvec4 textureGather(gsampler{suffix} s, {coord} P, int comp)', who, tex('tg4', 'sPg'))
    f(f'vec4 textureGather(sampler{suffix}Shadow s, {coord} P, float refZ)',
      GATHER5 if suffix != '2DRect' else who, tex('tg4', 'sRc'))
    if 'Cube' not in suffix:
        f(f'gvec4 textureGatherOffset(gsampler{suffix} s, {coord} P, ivec2 offset)', who,
          tex('tg4', 'sPo'))
        f(f'gvec4 textureGatherOffset(gsampler{suffix} s, {coord} P, ivec2 offset, int comp)',
          GATHER5, tex('tg4', 'sPog'))
        f(f'vec4 textureGatherOffset(sampler{suffix}Shadow s, {coord} P, float refZ, ivec2 offset)',
          GATHER5, tex('tg4', 'sRco'))
for suffix, coord in (('1D', 'float'), ('2D', 'vec2'), ('3D', 'vec3'), ('Cube', 'vec3'),
                      ('1DArray', 'float'), ('2DArray', 'vec2'), ('CubeArray', 'vec3')):
    for name, who in (('textureQueryLod', 'GL(400)'), ('textureQueryLOD', 'X(ARB_texture_query_lod)')):
        f(f'vec2 {name}(gsampler{suffix} s, {coord} P)', f'FS && {who}', tex('lod', 'sR'))
        if suffix != '3D':
            f(f'vec2 {name}(sampler{suffix}Shadow s, {coord} P)', f'FS && {who}', tex('lod', 'sR'))
    f(f'int textureQueryLevels(gsampler{suffix} s)', 'GL(430) || X(ARB_texture_query_levels)',
      tex('query_levels', 's'))
    if suffix != '3D':
        f(f'int textureQueryLevels(sampler{suffix}Shadow s)',
          'GL(430) || X(ARB_texture_query_levels)', tex('query_levels', 's'))
for suffix in ('2DMS', '2DMSArray'):
    f(f'int textureSamples(gsampler{suffix} s)', 'GL(450) || X(ARB_shader_texture_image_samples)',
      tex('texture_samples', 's'))

# ------------------------------------------------------------------------------- expansion ---
GEN = {'genType': ('float', 'vec'), 'genIType': ('int', 'ivec'), 'genUType': ('uint', 'uvec'),
       'genBType': ('bool', 'bvec'), 'genDType': ('double', 'dvec')}
VEC = ('vec', 'ivec', 'uvec', 'bvec', 'dvec')
MATRICES = ['2', '2x3', '2x4', '3x2', '3', '3x4', '4x2', '4x3', '4']


def substitutions(words):
    """The maps from generic names to types, one for each overload."""
    if words & set(GEN):
        for n in (1, 2, 3, 4):
            yield {g: (s if n == 1 else f'{v}{n}') for g, (s, v) in GEN.items()}
    elif words & set(VEC):
        for n in (2, 3, 4):
            yield {v: f'{v}{n}' for v in VEC}
    elif words & {'mat', 'dmat'}:
        for m in MATRICES:
            yield {'mat': 'mat' + m, 'dmat': 'dmat' + m}
    elif any(w.startswith('gsampler') or w == 'gvec4' for w in words):
        for p in ('', 'i', 'u'):
            yield {w: p + w[1:] for w in words if w.startswith('gsampler') or w == 'gvec4'}
    else:
        yield {}


SCALARS = {'uint': 'UINT', 'int': 'INT', 'float': 'FLOAT', 'double': 'DOUBLE', 'bool': 'BOOL'}
PREFIX = {'': 'FLOAT', 'i': 'INT', 'u': 'UINT', 'b': 'BOOL', 'd': 'DOUBLE'}
DIMS = {'1D': '1D', '2D': '2D', '3D': '3D', 'Cube': 'CUBE', '2DRect': 'RECT', 'Buffer': 'BUF',
        '2DMS': 'MS', 'ExternalOES': 'EXTERNAL'}


def type_code(name):
    if name == 'void':
        return 'VOID'
    if name in SCALARS:
        return f'NUMERIC({SCALARS[name]}, 1, 1)'
    m = re.fullmatch(r'([iubd]?)vec([234])', name)
    if m:
        return f'NUMERIC({PREFIX[m[1]]}, {m[2]}, 1)'
    m = re.fullmatch(r'(d?)mat([234])(?:x([234]))?', name)
    if m:
        return f'NUMERIC({PREFIX[m[1]]}, {m[3] or m[2]}, {m[2]})'
    m = re.fullmatch(r'([iu]?)sampler(1D|2DRect|2DMS|2D|3D|Cube|Buffer|ExternalOES)(Array)?(Shadow)?', name)
    assert m, name
    return f'SAMPLER({DIMS[m[2]]}, {int(bool(m[4]))}, {int(bool(m[3]))}, {PREFIX[m[1]]})'


def parse(proto):
    m = re.fullmatch(r'(\w+) (\w+)\((.*)\)', proto)
    params = []
    for p in filter(None, (x.strip() for x in m[3].split(','))):
        words = p.split()
        params.append((words[-2], words[0] == 'out'))
    return m[1], m[2], params


def expand():
    table = {}
    for proto, who, what in FUNCTIONS:
        ret, name, params = parse(proto)
        words = {ret} | {t for t, _ in params}
        for sub in substitutions(words):
            overload = (sub.get(ret, ret), tuple((sub.get(t, t), out) for t, out in params), who, what)
            rows = table.setdefault(name, [])
            same = [i for i, r in enumerate(rows) if r[0] == overload[0] and r[1] == overload[1]
                    and r[3] == overload[3]]
            if same:  # one overload that two prototypes give
                r = rows[same[0]]
                if r[2] != who:
                    rows[same[0]] = (r[0], r[1], f'({r[2]}) || ({who})', r[3])
            else:
                rows.append(overload)
    return table


def main(path):
    table = expand()
    conditions, bodies, params_pool, rows, names = {}, [], [], [], []
    for name in sorted(table):
        names.append((name, len(rows), len(table[name])))
        for ret, params, who, what in table[name]:
            cond = conditions.setdefault(who, len(conditions))
            first = len(params_pool)
            params_pool += [type_code(t) for t, _ in params]
            outs = sum(1 << i for i, (_, out) in enumerate(params) if out)
            if what[0] == 'op':
                how = f'.kind = BUILTIN_OP, .op = HIR_OP_{what[1].upper()}'
            elif what[0] == 'tex':
                how = f'.kind = BUILTIN_TEX, .op = nir_texop_{what[1]}, .roles = "{what[2]}"'
            else:
                if what[1] not in bodies:
                    bodies.append(what[1])
                how = f'.kind = BUILTIN_BODY, .body = glsl_build_{what[1]}'
            rows.append(f'    {{{type_code(ret)}, {first}, {len(params)}, {outs}, {cond}, {how}}},')
    with open(path, 'w') as out:
        w = out.write
        w('/* SPDX-License-Identifier: MIT */\n/* Generated by glsl_builtin_functions.py. */\n')
        w('#include "glsl/glsl_builtin_table.h"\n\n')
        w('#define GL(v) glsl_env_gl(env, v)\n#define ES(v) glsl_env_es(env, v)\n')
        w('#define ES100 (env->es && env->version == 100)\n')
        w('#define OLD(v) (GL(v) && (env->version < 140 || env->compat))\n')
        w('#define X(name) glsl_env_ext(env, GLSL_EXT_##name)\n')
        w('#define VS (env->stage == SHADER_VERTEX)\n#define FS (env->stage == SHADER_FRAGMENT)\n\n')
        for who, i in conditions.items():
            w(f'static bool condition_{i}(const struct glsl_builtin_env *env)\n{{\n')
            w(f'    return {who};\n}}\n\n')
        w('bool (*const glsl_builtin_conditions[])(const struct glsl_builtin_env *env) = {\n')
        for i in range(len(conditions)):
            w(f'    condition_{i},\n')
        w('};\n\nconst uint16_t glsl_builtin_params[] = {\n')
        for p in params_pool:
            w(f'    {p},\n')
        w('};\n\nconst struct glsl_builtin_row glsl_builtin_rows[] = {\n')
        w('\n'.join(rows))
        w('\n};\n\nconst struct glsl_builtin_name glsl_builtin_names[] = {\n')
        for name, first, count in names:
            w(f'    {{"{name}", {first}, {count}}},\n')
        w('};\n')
        w(f'const unsigned glsl_builtin_name_count = {len(names)};\n')
        w(f'const unsigned glsl_builtin_row_count = {len(rows)};\n')


main(sys.argv[1])
