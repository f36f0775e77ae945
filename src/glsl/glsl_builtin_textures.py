# SPDX-License-Identifier: MIT
"""Prototypes of texture and image functions (GLSL 4.60 §8.9, §8.12; ESSL 3.20 §8.9, §8.14; and
extensions). glsl_builtin_expand.py describes the notation."""
from glsl_builtin_expand import body, intrinsic, tex

FUNCTIONS = []  # (prototype, condition, implementation)


def f(proto, condition, impl):
    FUNCTIONS.append((proto, condition, impl))


V130 = 'GL(130) || ES(300)'
GPU4 = 'X(EXT_gpu_shader4)'

# --- names of GLSL 1.10 and its extensions ---
# GLSL 1.30 deprecates them; from 4.20 on, only the compatibility profile has them.
OLD = '(!env->es && (env->version < 420 || env->compat))'
LOD = f'!FS || GL(130) || X(ARB_shader_texture_lod) || {GPU4}'


def legacy(name, sampler, coord, projs, condition, lod=True, bias=True, grad=None, offset=None,
           es=None, result='vec4'):
    """Adds texture2D and its variants.

    grad, offset: types of derivatives and offsets; None: no such variant.
    es: condition under which ES has the function, too."""
    texels = sampler if 'Shadow' in sampler else 'g' + sampler
    for fn, role, c in [(name, 'P', coord)] + [(name + 'Proj', 'Q', p) for p in projs]:
        first = f'{sampler} s, {c} coord'
        base = f'({condition}) || ({es})' if es else condition
        f(f'{result} {fn}({first})', base, tex('tex', 's' + role))
        if bias:
            f(f'{result} {fn}({first}, float bias)', f'({base}) && DERIVES', tex('txb', 's' + role + 'b'))
        if lod:
            es_lod = f' || (({es}) && VS)' if es else ''
            f(f'{result} {fn}Lod({first}, float lod)', f'(({condition}) && ({LOD})){es_lod}',
              tex('txl', 's' + role + 'l'))
        if grad:
            f(f'{result} {fn}GradARB({first}, {grad} dx, {grad} dy)',
              f'({condition}) && X(ARB_shader_texture_lod)', tex('txd', 's' + role + 'xy'))
        if 'External' not in sampler:
            gpu4(fn, texels, role, c, lod, bias, grad, offset)


def gpu4(fn, texels, role, coord, lod, bias, grad, offset):
    """Adds variants of EXT_gpu_shader4, chapter 8.7: integer texels, offsets, derivatives."""
    r, first = ('gvec4' if texels[0] == 'g' else 'vec4'), f'{texels} s, {coord} coord'
    for off, arg, letter in (('', '', ''), ('Offset', f', {offset} offset', 'o')):
        if off and not offset:
            continue
        f(f'{r} {fn}{off}({first}{arg})', GPU4, tex('tex', 's' + role + letter))
        if bias:
            f(f'{r} {fn}{off}({first}{arg}, float bias)', GPU4 + ' && DERIVES',
              tex('txb', 's' + role + letter + 'b'))
        if lod:
            f(f'{r} {fn}Lod{off}({first}, float lod{arg})', GPU4, tex('txl', 's' + role + 'l' + letter))
        if grad:
            f(f'{r} {fn}Grad{off}({first}, {grad} ddx, {grad} ddy{arg})', GPU4,
              tex('txd', 's' + role + 'xy' + letter))


legacy('texture1D', 'sampler1D', 'float', ['vec2', 'vec4'], OLD, grad='float', offset='int')
# ESSL 3.00 lacks them, but some programs use them there, and other compilers accept them.
legacy('texture2D', 'sampler2D', 'vec2', ['vec3', 'vec4'], OLD, grad='vec2', offset='ivec2', es='env->es')
legacy('texture3D', 'sampler3D', 'vec3', ['vec4'], OLD, grad='vec3', offset='ivec3',
       es='env->es && (env->version >= 300 || X(OES_texture_3D))')
legacy('textureCube', 'samplerCube', 'vec3', [], OLD, grad='vec3', es='env->es')
legacy('shadow1D', 'sampler1DShadow', 'vec3', ['vec4'], OLD, grad='float', offset='int')
legacy('shadow2D', 'sampler2DShadow', 'vec3', ['vec4'], OLD, grad='vec2', offset='ivec2')
legacy('shadowCube', 'samplerCubeShadow', 'vec4', [], GPU4, lod=False, bias=True)
f('vec4 shadowCubeGrad(samplerCubeShadow s, vec4 coord, vec3 ddx, vec3 ddy)', GPU4, tex('txd', 'sPxy'))
RECT = f'(X(ARB_texture_rectangle) || GL(140)) && {OLD}'
legacy('texture2DRect', 'sampler2DRect', 'vec2', ['vec3', 'vec4'], RECT, lod=False, bias=False,
       grad='vec2', offset='ivec2')
legacy('shadow2DRect', 'sampler2DRectShadow', 'vec3', ['vec4'], RECT, lod=False, bias=False,
       grad='vec2', offset='ivec2')
ARRAY = 'X(EXT_texture_array)'
legacy('texture1DArray', 'sampler1DArray', 'vec2', [], ARRAY, grad='float', offset='int')
legacy('texture2DArray', 'sampler2DArray', 'vec3', [], ARRAY, grad='vec2', offset='ivec2')
legacy('shadow1DArray', 'sampler1DArrayShadow', 'vec3', [], ARRAY, grad='float', offset='int')
legacy('shadow2DArray', 'sampler2DArrayShadow', 'vec4', [], ARRAY, lod=False, bias=False, grad='vec2',
       offset='ivec2')
legacy('texture2D', 'samplerExternalOES', 'vec2', ['vec3', 'vec4'],
       'ES100 && X(OES_EGL_image_external)', lod=False, bias=False)
for name, coord in (('shadow2DEXT', 'vec3'), ('shadow2DProjEXT', 'vec4')):
    f(f'float {name}(sampler2DShadow s, {coord} coord)', 'X(EXT_shadow_samplers)',
      tex('tex', 's' + ('Q' if 'Proj' in name else 'P')))
f('vec4 texture4(sampler2D s, vec2 coord)', 'X(AMD_texture_texture4)', tex('tg4', 'sP'))
ESLOD = 'ES100 && FS && X(EXT_shader_texture_lod)'
for fn, sampler, role, c, g in (('texture2D', 'sampler2D', 'P', 'vec2', 'vec2'),
                                ('texture2DProj', 'sampler2D', 'Q', 'vec3', 'vec2'),
                                ('texture2DProj', 'sampler2D', 'Q', 'vec4', 'vec2'),
                                ('textureCube', 'samplerCube', 'P', 'vec3', 'vec3')):
    f(f'vec4 {fn}LodEXT({sampler} s, {c} coord, float lod)', ESLOD, tex('txl', f's{role}l'))
    f(f'vec4 {fn}GradEXT({sampler} s, {c} coord, {g} dx, {g} dy)', ESLOD, tex('txd', f's{role}xy'))
for suffix, coord, size, offset in (
        ('1D', 'int', 'int', 'int'), ('2D', 'ivec2', 'ivec2', 'ivec2'),
        ('3D', 'ivec3', 'ivec3', 'ivec3'), ('2DRect', 'ivec2', 'ivec2', 'ivec2'),
        ('1DArray', 'ivec2', 'ivec2', 'int'), ('2DArray', 'ivec3', 'ivec3', 'ivec2'),
        ('Buffer', 'int', 'int', None), ('Cube', None, 'ivec2', None)):
    level = suffix not in ('2DRect', 'Buffer')
    l, r = (', int lod', 'l') if level else ('', '')
    if coord:
        f(f'gvec4 texelFetch{suffix}(gsampler{suffix} s, {coord} coord{l})', GPU4, tex('txf', 'sP' + r))
    if offset:
        f(f'gvec4 texelFetch{suffix}Offset(gsampler{suffix} s, {coord} coord{l}, {offset} offset)',
          GPU4, tex('txf', 'sP' + r + 'o'))
    # The specification has a level parameter even if there is only one level; shaders omit it.
    l, r = ('', '') if suffix == 'Buffer' else (', int lod', 'l' if level else '-')
    f(f'{size} textureSize{suffix}(gsampler{suffix} s{l})', GPU4, tex('txs', 's' + r))
    if suffix == '2DRect':
        f(f'{size} textureSize{suffix}(gsampler{suffix} s)', GPU4, tex('txs', 's'))

# --- names from GLSL 1.30 on ---
# If a sampler type is available, so are its functions, so the conditions need not be precise.
CUBE_ARRAY = ('GL(400) || ES(320) || X(ARB_texture_cube_map_array) || '
              'X(EXT_texture_cube_map_array) || X(OES_texture_cube_map_array)')
KINDS = {  # suffix: coordinate, derivative, offset, condition
    '1D': ('float', 'float', 'int', V130),
    '2D': ('vec2', 'vec2', 'ivec2', V130),
    '3D': ('vec3', 'vec3', 'ivec3', V130),
    'Cube': ('vec3', 'vec3', None, V130),
    '1DArray': ('vec2', 'float', 'int', V130),
    '2DArray': ('vec3', 'vec2', 'ivec2', V130),
    'CubeArray': ('vec4', 'vec3', None, CUBE_ARRAY),
    '2DRect': ('vec2', 'vec2', 'ivec2', V130),
    '1DShadow': ('vec3', 'float', 'int', V130),
    '2DShadow': ('vec3', 'vec2', 'ivec2', V130),
    'CubeShadow': ('vec4', 'vec3', None, V130),
    '1DArrayShadow': ('vec3', 'float', 'int', V130),
    '2DArrayShadow': ('vec4', 'vec2', 'ivec2', V130),
    '2DRectShadow': ('vec3', 'vec2', 'ivec2', V130),
}
PROJ = {'1D': ['vec2', 'vec4'], '2D': ['vec3', 'vec4'], '3D': ['vec4'], '1DShadow': ['vec4'],
        '2DShadow': ['vec4'], '2DRect': ['vec3', 'vec4'], '2DRectShadow': ['vec4']}
NO_BIAS = ('2DRect', '2DRectShadow', '2DArrayShadow')
LODS = ('1D', '2D', '3D', 'Cube', '1DShadow', '2DShadow', '1DArray', '2DArray', '1DArrayShadow',
        'CubeArray')


def modern(suffix, name, coord, role, offset, condition):
    """Adds texture functions for one coordinate type: bias, Lod, Grad, each also with Offset."""
    shadow = 'Shadow' in suffix
    s = f'sampler{suffix} s' if shadow else f'gsampler{suffix} s'
    r = 'float' if shadow else 'gvec4'
    grad = KINDS[suffix][1]
    for off, arg, letter in (('', '', ''), ('Offset', f', {offset} offset', 'o')):
        if off and not offset:
            continue
        plain = 'GL(430)' if off and suffix == '2DArrayShadow' else condition
        f(f'{r} {name}{off}({s}, {coord} P{arg})', plain, tex('tex', 's' + role + letter))
        if suffix not in NO_BIAS:
            f(f'{r} {name}{off}({s}, {coord} P{arg}, float bias)', f'({condition}) && DERIVES',
              tex('txb', 's' + role + letter + 'b'))
        if suffix in LODS:
            f(f'{r} {name}Lod{off}({s}, {coord} P, float lod{arg})', condition,
              tex('txl', 's' + role + 'l' + letter))
        f(f'{r} {name}Grad{off}({s}, {coord} P, {grad} dx, {grad} dy{arg})', condition,
          tex('txd', 's' + role + 'xy' + letter))


for suffix, (coord, grad, offset, condition) in KINDS.items():
    modern(suffix, 'texture', coord, 'P', offset, condition)
    for p in PROJ.get(suffix, []):
        modern(suffix, 'textureProj', p, 'Q', offset, condition)
f('float texture(samplerCubeArrayShadow s, vec4 P, float compare)', CUBE_ARRAY, tex('tex', 'sRc'))

SHADOW_LOD = 'X(EXT_texture_shadow_lod)'
f('float texture(sampler2DArrayShadow s, vec4 P, float bias)', SHADOW_LOD + ' && DERIVES', tex('txb', 'sPb'))
f('float texture(samplerCubeArrayShadow s, vec4 P, float compare, float bias)',
  SHADOW_LOD + ' && DERIVES', tex('txb', 'sRcb'))
f('float textureOffset(sampler2DArrayShadow s, vec4 P, ivec2 offset)', SHADOW_LOD, tex('tex', 'sPo'))
f('float textureOffset(sampler2DArrayShadow s, vec4 P, ivec2 offset, float bias)',
  SHADOW_LOD + ' && DERIVES', tex('txb', 'sPob'))
f('float textureLod(sampler2DArrayShadow s, vec4 P, float lod)', SHADOW_LOD, tex('txl', 'sPl'))
f('float textureLod(samplerCubeShadow s, vec4 P, float lod)', SHADOW_LOD, tex('txl', 'sPl'))
f('float textureLod(samplerCubeArrayShadow s, vec4 P, float compare, float lod)', SHADOW_LOD,
  tex('txl', 'sRcl'))
f('float textureLodOffset(sampler2DArrayShadow s, vec4 P, float lod, ivec2 offset)', SHADOW_LOD,
  tex('txl', 'sPlo'))

EXTERNAL = 'X(OES_EGL_image_external_essl3)'
for name, coord, role in (('texture', 'vec2', 'P'), ('textureProj', 'vec3', 'Q'),
                          ('textureProj', 'vec4', 'Q')):
    f(f'vec4 {name}(samplerExternalOES s, {coord} P)', EXTERNAL, tex('tex', 's' + role))
    f(f'vec4 {name}(samplerExternalOES s, {coord} P, float bias)', EXTERNAL + ' && DERIVES',
      tex('txb', 's' + role + 'b'))
f('ivec2 textureSize(samplerExternalOES s, int lod)', EXTERNAL, tex('txs', 'sl'))
f('vec4 texelFetch(samplerExternalOES s, ivec2 P, int lod)', EXTERNAL, tex('txf', 'sPl'))

# --- single texels, sizes ---
BUFFER = 'GL(140) || ES(320) || X(EXT_texture_buffer) || X(OES_texture_buffer)'
MS = 'GL(150) || X(ARB_texture_multisample) || ES(310)'
for suffix, coord, lod, offset, condition in (
        ('1D', 'int', True, 'int', V130), ('2D', 'ivec2', True, 'ivec2', V130),
        ('3D', 'ivec3', True, 'ivec3', V130), ('1DArray', 'ivec2', True, 'int', V130),
        ('2DArray', 'ivec3', True, 'ivec2', V130), ('2DRect', 'ivec2', False, 'ivec2', V130),
        ('Buffer', 'int', False, None, BUFFER)):
    l, r = (', int lod', 'l') if lod else ('', '')
    f(f'gvec4 texelFetch(gsampler{suffix} s, {coord} P{l})', condition, tex('txf', 'sP' + r))
    if offset:
        f(f'gvec4 texelFetchOffset(gsampler{suffix} s, {coord} P{l}, {offset} offset)', condition,
          tex('txf', 'sP' + r + 'o'))
f('gvec4 texelFetch(gsampler2DMS s, ivec2 P, int n)', MS, tex('txf_ms', 'sPn'))
f('gvec4 texelFetch(gsampler2DMSArray s, ivec3 P, int n)', MS, tex('txf_ms', 'sPn'))
for suffix, coord in (('2DMS', 'ivec2'), ('2DMSArray', 'ivec3')):
    f(f'bool textureSamplesIdenticalEXT(gsampler{suffix} s, {coord} coord)',
      'X(EXT_shader_samples_identical)', intrinsic('samples_identical'))

for suffix, size, lod, condition in (
        ('1D', 'int', True, V130), ('2D', 'ivec2', True, V130), ('3D', 'ivec3', True, V130),
        ('Cube', 'ivec2', True, V130), ('1DArray', 'ivec2', True, V130),
        ('2DArray', 'ivec3', True, V130), ('CubeArray', 'ivec3', True, CUBE_ARRAY),
        ('2DRect', 'ivec2', False, V130), ('Buffer', 'int', False, BUFFER),
        ('2DMS', 'ivec2', False, MS), ('2DMSArray', 'ivec3', False, MS)):
    l, r = (', int lod', 'l') if lod else ('', '')
    f(f'{size} textureSize(gsampler{suffix} s{l})', condition, tex('txs', 's' + r))
    if suffix not in ('3D', 'Buffer', '2DMS', '2DMSArray'):
        f(f'{size} textureSize(sampler{suffix}Shadow s{l})', condition, tex('txs', 's' + r))

# --- gathering ---
# ARB_texture_gather lacks component selection, comparison and rectangle textures; gpu_shader5 has them.
SHADER5 = 'GL(400) || ES(310) || X(ARB_gpu_shader5)'
GATHER = SHADER5 + ' || X(ARB_texture_gather)'
OFFSETS = ('GL(400) || ES(320) || X(ARB_gpu_shader5) || X(EXT_gpu_shader5) || '
           'X(OES_gpu_shader5)')
for suffix, coord in (('2D', 'vec2'), ('2DArray', 'vec3'), ('Cube', 'vec3'), ('CubeArray', 'vec4'),
                      ('2DRect', 'vec2')):
    condition = SHADER5 if suffix == '2DRect' else GATHER
    f(f'gvec4 textureGather(gsampler{suffix} s, {coord} P)', condition, tex('tg4', 'sP'))
    f(f'gvec4 textureGather(gsampler{suffix} s, {coord} P, int comp)', SHADER5, tex('tg4', 'sPg'))
    f(f'vec4 textureGather(sampler{suffix}Shadow s, {coord} P, float refZ)', SHADER5,
      tex('tg4', 'sRc'))
    if 'Cube' in suffix:
        continue
    f(f'gvec4 textureGatherOffset(gsampler{suffix} s, {coord} P, ivec2 offset)', condition,
      tex('tg4', 'sPo'))
    f(f'gvec4 textureGatherOffset(gsampler{suffix} s, {coord} P, ivec2 offset, int comp)', SHADER5,
      tex('tg4', 'sPog'))
    f(f'vec4 textureGatherOffset(sampler{suffix}Shadow s, {coord} P, float refZ, ivec2 offset)',
      SHADER5, tex('tg4', 'sRco'))
    f(f'gvec4 textureGatherOffsets(gsampler{suffix} s, {coord} P, ivec2[4] offsets)', OFFSETS,
      tex('tg4', 'sPO'))
    f(f'gvec4 textureGatherOffsets(gsampler{suffix} s, {coord} P, ivec2[4] offsets, int comp)',
      OFFSETS, tex('tg4', 'sPOg'))
    f(f'vec4 textureGatherOffsets(sampler{suffix}Shadow s, {coord} P, float refZ, ivec2[4] offsets)',
      OFFSETS, tex('tg4', 'sRcO'))

# --- queries ---
LEVELS = 'GL(430) || X(ARB_texture_query_levels)'
for suffix, coord in (('1D', 'float'), ('2D', 'vec2'), ('3D', 'vec3'), ('Cube', 'vec3'),
                      ('1DArray', 'float'), ('2DArray', 'vec2'), ('CubeArray', 'vec3')):
    samplers = [f'gsampler{suffix}'] + ([f'sampler{suffix}Shadow'] if suffix != '3D' else [])
    for sampler in samplers:
        f(f'vec2 textureQueryLod({sampler} s, {coord} P)', 'DERIVES && GL(400)', tex('lod', 'sR'))
        f(f'vec2 textureQueryLOD({sampler} s, {coord} P)',
          'DERIVES && (X(ARB_texture_query_lod) || X(EXT_texture_query_lod))', tex('lod', 'sR'))
        f(f'int textureQueryLevels({sampler} s)', LEVELS, tex('query_levels', 's'))
for suffix in ('2DMS', '2DMSArray'):
    f(f'int textureSamples(gsampler{suffix} s)', 'GL(450) || X(ARB_shader_texture_image_samples)',
      tex('texture_samples', 's'))

# --- images ---
IMAGE = 'GL(420) || ES(310) || X(ARB_shader_image_load_store)'
ATOMIC = 'GL(420) || ES(320) || X(ARB_shader_image_load_store) || X(OES_shader_image_atomic)'
SIZE = 'GL(430) || ES(310) || X(ARB_shader_image_size)'
FLOAT_EXCHANGE = ('GL(450) || ES(320) || X(ARB_ES3_1_compatibility) || '
                  'X(OES_shader_image_atomic) || X(NV_shader_atomic_float)')
for suffix, coord, size in (
        ('1D', 'int', 'int'), ('2D', 'ivec2', 'ivec2'), ('3D', 'ivec3', 'ivec3'),
        ('2DRect', 'ivec2', 'ivec2'), ('Cube', 'ivec3', 'ivec2'), ('Buffer', 'int', 'int'),
        ('1DArray', 'ivec2', 'ivec2'), ('2DArray', 'ivec3', 'ivec3'),
        ('CubeArray', 'ivec3', 'ivec3'), ('2DMS', 'ivec2, int', 'ivec2'),
        ('2DMSArray', 'ivec3, int', 'ivec3')):
    p = ', '.join(f'{t} P' for t in coord.split(', '))
    f(f'gvec4 imageLoad(gimage{suffix} image, {p})', IMAGE, intrinsic('image_load'))
    f(f'void imageStore(gimage{suffix} image, {p}, gvec4 data)', IMAGE, intrinsic('image_store'))
    f(f'{size} imageSize(gimage{suffix} image)', SIZE, intrinsic('image_size'))
    for o in ('Add', 'Min', 'Max', 'And', 'Or', 'Xor', 'Exchange'):
        f(f'iguint imageAtomic{o}(iguimage{suffix} image, {p}, iguint data)', ATOMIC,
          intrinsic('image_atomic_' + o.lower()))
    f(f'iguint imageAtomicCompSwap(iguimage{suffix} image, {p}, iguint compare, iguint data)', ATOMIC,
      intrinsic('image_atomic_comp_swap'))
    f(f'float imageAtomicExchange(image{suffix} image, {p}, float data)', FLOAT_EXCHANGE,
      intrinsic('image_atomic_exchange'))
    f(f'float imageAtomicAdd(image{suffix} image, {p}, float data)', 'X(NV_shader_atomic_float)',
      intrinsic('image_atomic_add'))
for suffix in ('2DMS', '2DMSArray'):
    f(f'int imageSamples(gimage{suffix} image)', 'GL(450) || X(ARB_shader_texture_image_samples)',
      intrinsic('image_samples'))

# --- ARB_sparse_texture2 and ARB_sparse_texture_clamp: variants for targets of sparse textures ---
SPARSE = 'X(ARB_sparse_texture2)'
CLAMP = 'X(ARB_sparse_texture_clamp)'
SPARSE_KINDS = [k for k in KINDS if not k.startswith('1D')]
SPARSE_LODS = ('2D', '3D', 'Cube', '2DShadow', '2DArray', 'CubeArray')


def result(suffix):
    return 'float' if 'Shadow' in suffix else 'gvec4'


def sampler(suffix):
    return ('' if 'Shadow' in suffix else 'g') + 'sampler' + suffix


def sparse(suffix, name, first, roles, op, condition, bias):
    """Adds a sparse function; bias: also the variant with a bias after the texel."""
    f(f'int {name}({first}, out {result(suffix)} texel)', condition, tex(op, roles + 'T'))
    if bias:
        f(f'int {name}({first}, out {result(suffix)} texel, float bias)', condition + ' && DERIVES',
          tex('txb', roles + 'Tb'))


def clamp(suffix, name, first, roles, op, bias):
    """Adds a function with a minimum level of detail; bias: also the variant with a bias."""
    f(f'{result(suffix)} {name}({first})', CLAMP + ' && DERIVES', tex(op, roles))
    if bias:
        f(f'{result(suffix)} {name}({first}, float bias)', CLAMP + ' && DERIVES',
          tex('txb', roles + 'b'))


for suffix, (coord, grad, offset, _) in KINDS.items():
    rect = 'Rect' in suffix
    bias = suffix not in NO_BIAS
    for off, arg, letter in (('', '', ''), ('Offset', f', {offset} offset', 'o')):
        if off and not offset:
            continue
        first = f'{sampler(suffix)} s, {coord} P'
        derivatives = f'{first}, {grad} dx, {grad} dy{arg}'
        if suffix in SPARSE_KINDS:
            sparse(suffix, f'sparseTexture{off}ARB', first + arg, 'sP' + letter, 'tex', SPARSE, bias)
            sparse(suffix, f'sparseTextureGrad{off}ARB', derivatives, 'sPxy' + letter, 'txd', SPARSE,
                   False)
            if suffix in SPARSE_LODS:
                sparse(suffix, f'sparseTextureLod{off}ARB', f'{first}, float lod{arg}',
                       'sPl' + letter, 'txl', SPARSE, False)
        if rect:
            continue
        if suffix in SPARSE_KINDS:
            sparse(suffix, f'sparseTexture{off}ClampARB', f'{first}{arg}, float lodClamp',
                   'sP' + letter + 'm', 'tex', CLAMP + ' && DERIVES', bias)
            sparse(suffix, f'sparseTextureGrad{off}ClampARB', f'{derivatives}, float lodClamp',
                   'sPxy' + letter + 'm', 'txd', CLAMP + ' && DERIVES', False)
        clamp(suffix, f'texture{off}ClampARB', f'{first}{arg}, float lodClamp', 'sP' + letter + 'm',
              'tex', bias)
        clamp(suffix, f'textureGrad{off}ClampARB', f'{derivatives}, float lodClamp',
              'sPxy' + letter + 'm', 'txd', False)
f('int sparseTextureARB(samplerCubeArrayShadow s, vec4 P, float compare, out float texel)', SPARSE,
  tex('tex', 'sRcT'))
f('int sparseTextureClampARB(samplerCubeArrayShadow s, vec4 P, float compare, float lodClamp, '
  'out float texel)', CLAMP + ' && DERIVES', tex('tex', 'sRcmT'))
f('float textureClampARB(samplerCubeArrayShadow s, vec4 P, float compare, float lodClamp)',
  CLAMP + ' && DERIVES', tex('tex', 'sRcm'))

for suffix, coord, lod, offset in (
        ('2D', 'ivec2', True, 'ivec2'), ('3D', 'ivec3', True, 'ivec3'),
        ('2DRect', 'ivec2', False, 'ivec2'), ('2DArray', 'ivec3', True, 'ivec2')):
    l, r = (', int lod', 'l') if lod else ('', '')
    f(f'int sparseTexelFetchARB(gsampler{suffix} s, {coord} P{l}, out gvec4 texel)', SPARSE,
      tex('txf', 'sP' + r + 'T'))
    f(f'int sparseTexelFetchOffsetARB(gsampler{suffix} s, {coord} P{l}, {offset} offset, '
      'out gvec4 texel)', SPARSE, tex('txf', 'sP' + r + 'oT'))
for suffix, coord in (('2DMS', 'ivec2'), ('2DMSArray', 'ivec3')):
    f(f'int sparseTexelFetchARB(gsampler{suffix} s, {coord} P, int n, out gvec4 texel)', SPARSE,
      tex('txf_ms', 'sPnT'))

for suffix, coord in (('2D', 'vec2'), ('2DArray', 'vec3'), ('Cube', 'vec3'), ('CubeArray', 'vec4'),
                      ('2DRect', 'vec2')):
    for off, arg, letter in (('', '', ''), ('Offset', ', ivec2 offset', 'o'),
                             ('Offsets', ', ivec2[4] offsets', 'O')):
        if off and 'Cube' in suffix:
            continue
        name, first = f'sparseTextureGather{off}ARB', f'gsampler{suffix} s, {coord} P{arg}'
        f(f'int {name}({first}, out gvec4 texel)', SPARSE, tex('tg4', f'sP{letter}T'))
        f(f'int {name}({first}, out gvec4 texel, int comp)', SPARSE, tex('tg4', f'sP{letter}Tg'))
        f(f'int {name}(sampler{suffix}Shadow s, {coord} P, float refZ{arg}, out vec4 texel)', SPARSE,
          tex('tg4', f'sRc{letter}T'))

for suffix, coord in (('2D', 'ivec2'), ('3D', 'ivec3'), ('2DRect', 'ivec2'), ('Cube', 'ivec3'),
                      ('2DArray', 'ivec3'), ('CubeArray', 'ivec3'), ('2DMS', 'ivec2, int'),
                      ('2DMSArray', 'ivec3, int')):
    p = ', '.join(f'{t} P' for t in coord.split(', '))
    f(f'int sparseImageLoadARB(gimage{suffix} image, {p}, out gvec4 texel)', SPARSE,
      body('sparse_image_load'))
f('bool sparseTexelsResidentARB(int code)', SPARSE, body('texels_resident'))
