# SPDX-License-Identifier: MIT
"""Prototypes of the built-in functions (GLSL 4.60 §8, ESSL 3.20 §8, and extensions); generates
glsl_builtin_table.c. Texture and image functions are in glsl_builtin_textures.py.
glsl_builtin_expand.py describes the notation.
"""
import re
import sys

import glsl_builtin_textures
from glsl_builtin_expand import body, intrinsic, op, source

FUNCTIONS = []  # (prototype, condition, implementation)
FP64 = 'GL(400) || X(ARB_gpu_shader_fp64)'
HALF = 'X(AMD_gpu_shader_half_float)'
INT64 = 'X(ARB_gpu_shader_int64) || X(AMD_gpu_shader_int64)'


def f(proto, condition, impl, double=False, half=None):
    """Adds a prototype; double: also adds the variant with doubles, available from GLSL 4.00 on.

    half: also adds the variant with half floats; by default, if there is one with doubles. A string
    is its condition."""
    FUNCTIONS.append((proto, condition, impl))
    if double if half is None else half:
        h = re.sub(r'\bgenType\b', 'genF16Type', proto)
        h = re.sub(r'\bfloat\b', 'float16_t', h)
        h = re.sub(r'\b(vec|mat(?!rix))', r'f16\1', h)
        FUNCTIONS.append((h, half if isinstance(half, str) else HALF, impl))
    if double:
        d = re.sub(r'\bgenType\b', 'genDType', proto)
        d = re.sub(r'\bfloat\b', 'double', d)
        d = re.sub(r'\bvec', 'dvec', d)
        d = re.sub(r'\bmat(?!rix)', 'dmat', d)
        FUNCTIONS.append((d, FP64, impl))


def integers(proto, condition, impl):
    """Adds variants for int, uint, int64_t and uint64_t.

    {I} stands for the generic type, {v} for the vectors, {s} for the scalar."""
    for kind, vec, scalar, name in (('I', 'ivec', 'int', 'genIType'), ('U', 'uvec', 'uint', 'genUType')):
        if kind in condition:
            FUNCTIONS.append((proto.format(I=name, v=vec, s=scalar), condition[kind], impl))
    for kind, vec, scalar, name in (('I', 'i64vec', 'int64_t', 'genI64Type'),
                                    ('U', 'u64vec', 'uint64_t', 'genU64Type')):
        if kind in condition:
            FUNCTIONS.append((proto.format(I=name, v=vec, s=scalar), INT64, impl))


ALL = 'GL(110) || ES(100)'
V120 = 'GL(120) || ES(300)'
V130 = 'GL(130) || ES(300)'
GPU4 = 'X(EXT_gpu_shader4)'
V130_GPU4 = V130 + ' || ' + GPU4
V140 = 'GL(140) || ES(300)'
V150 = 'GL(150) || ES(300)'
BITS = 'GL(330) || ES(300) || X(ARB_shader_bit_encoding) || X(ARB_gpu_shader5)'
GS5 = 'GL(400) || ES(310) || X(ARB_gpu_shader5) || X(MESA_shader_integer_functions)'
FMA = 'GL(400) || ES(320) || X(ARB_gpu_shader5) || X(EXT_gpu_shader5) || X(OES_gpu_shader5)'

# --- angles and trigonometry ---
f('genType radians(genType degrees)', ALL, body('radians'), half=True)
f('genType degrees(genType radians)', ALL, body('degrees'), half=True)
for name in ('sin', 'cos', 'tan', 'asin', 'acos'):
    f(f'genType {name}(genType x)', ALL, op(name), half=True)
f('genType atan(genType y, genType x)', ALL, op('atan2'), half=True)
f('genType atan(genType y_over_x)', ALL, op('atan'), half=True)
for name in ('sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'):
    f(f'genType {name}(genType x)', V130, op(name), half=True)

# --- exponentials ---
f('genType pow(genType x, genType y)', ALL, op('pow'), half=True)
for name in ('exp', 'log', 'exp2', 'log2'):
    f(f'genType {name}(genType x)', ALL, op(name), half=True)
f('genType sqrt(genType x)', ALL, op('sqrt'), double=True)
f('genType inversesqrt(genType x)', ALL, op('rsq'), double=True)

# --- common ---
for name in ('abs', 'sign', 'floor', 'ceil', 'fract'):
    f(f'genType {name}(genType x)', ALL, op(name), double=True)
for name in ('abs', 'sign'):
    integers(f'{{I}} {name}({{I}} x)', {'I': V130_GPU4}, op(name))
f('genType trunc(genType x)', V130, op('trunc'), double=True)
f('genType truncate(genType x)', GPU4, op('trunc'))
f('genType round(genType x)', V130_GPU4, op('round_even'), double=True)
f('genType roundEven(genType x)', V130, op('round_even'), double=True)
f('genType mod(genType x, float y)', ALL, op('mod'), double=True)
f('vec mod(vec x, vec y)', ALL, op('mod'), double=True)
f('genType modf(genType x, out genType i)', V130, body('modf'), double=True)
# Some programs use min of two ints before desktop GLSL 1.30, which other compilers accept.
MIN_MAX = {'I': 'GL(110) || ES(300)', 'U': V130_GPU4}
for name in ('min', 'max'):
    f(f'genType {name}(genType x, float y)', ALL, op(name), double=True)
    f(f'vec {name}(vec x, vec y)', ALL, op(name), double=True)
    integers(f'{{I}} {name}({{I}} x, {{s}} y)', MIN_MAX, op(name))
    integers(f'{{v}} {name}({{v}} x, {{v}} y)', MIN_MAX, op(name))
f('genType clamp(genType x, float minVal, float maxVal)', ALL, body('clamp'), double=True)
f('vec clamp(vec x, vec minVal, vec maxVal)', ALL, body('clamp'), double=True)
integers('{I} clamp({I} x, {s} minVal, {s} maxVal)', {'I': V130_GPU4, 'U': V130_GPU4}, body('clamp'))
integers('{v} clamp({v} x, {v} minVal, {v} maxVal)', {'I': V130_GPU4, 'U': V130_GPU4}, body('clamp'))
f('genType mix(genType x, genType y, float a)', ALL, op('lrp'), double=True)
f('vec mix(vec x, vec y, vec a)', ALL, op('lrp'), double=True)
f('genType mix(genType x, genType y, genBType a)', V130, body('mix_bool'), double=True)
INTMIX = 'GL(450) || ES(310) || X(EXT_shader_integer_mix)'
integers('{I} mix({I} x, {I} y, genBType a)', {'I': INTMIX, 'U': INTMIX}, body('mix_bool'))
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
f('genType fma(genType a, genType b, genType c)', FMA, op('fma'), double=True, half=False)
f('genF16Type fma(genF16Type a, genF16Type b, genF16Type c)', HALF, body('fma_half'))
f('genType frexp(genType x, out genIType exp)', GS5, body('frexp'), half=True)
f('genDType frexp(genDType x, out genIType exp)', FP64, body('frexp'))
f('genType ldexp(genType x, genIType exp)', GS5, op('ldexp'), half=True)
f('genDType ldexp(genDType x, genIType exp)', FP64, op('ldexp'))
f('genI64Type doubleBitsToInt64(genDType value)', INT64, body('bitcast'))
f('genU64Type doubleBitsToUint64(genDType value)', INT64, body('bitcast'))
f('genDType int64BitsToDouble(genI64Type value)', INT64, body('bitcast'))
f('genDType uint64BitsToDouble(genU64Type value)', INT64, body('bitcast'))
for name in ('min3', 'max3', 'mid3'):
    for g, more in (('genType', ''), ('genIType', ''), ('genUType', ''), ('genF16Type', f' && {HALF}')):
        f(f'{g} {name}({g} x, {g} y, {g} z)', 'X(AMD_shader_trinary_minmax)' + more, body(name))

# --- packing ---
# GLSL 4.00 has those of GL_ARB_gpu_shader5; 4.20 and GL_ARB_shading_language_packing add two.
GPU5_PACK = 'GL(400) || X(ARB_gpu_shader5)'
for name, bits, n, es, gl in (('Unorm2x16', 'unorm_2x16', 2, 300, GPU5_PACK),
                              ('Snorm2x16', 'snorm_2x16', 2, 300, 'GL(420)'),
                              ('Half2x16', 'half_2x16', 2, 300, 'GL(420)'),
                              ('Unorm4x8', 'unorm_4x8', 4, 310, GPU5_PACK),
                              ('Snorm4x8', 'snorm_4x8', 4, 310, GPU5_PACK)):
    condition = f'{gl} || ES({es}) || X(ARB_shading_language_packing)'
    f(f'uint pack{name}(vec{n} v)', condition, op('pack_' + bits))
    f(f'vec{n} unpack{name}(uint p)', condition, op('unpack_' + bits))
f('uint packFloat2x16(f16vec2 v)', HALF, op('pack_half_2x16'))
f('f16vec2 unpackFloat2x16(uint v)', HALF, op('unpack_half_2x16'))
f('double packDouble2x32(uvec2 v)', FP64, op('pack_64_2x32'))
f('uvec2 unpackDouble2x32(double v)', FP64, op('unpack_64_2x32'))
f('int64_t packInt2x32(ivec2 v)', INT64, op('pack_64_2x32'))
f('ivec2 unpackInt2x32(int64_t v)', INT64, op('unpack_64_2x32'))
f('uint64_t packUint2x32(uvec2 v)', INT64, op('pack_64_2x32'))
f('uvec2 unpackUint2x32(uint64_t v)', INT64, op('unpack_64_2x32'))

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

# --- vector relational functions ---
for name, o in (('lessThan', 'less'), ('lessThanEqual', 'lequal'), ('greaterThan', 'greater'),
                ('greaterThanEqual', 'gequal'), ('equal', 'equal'), ('notEqual', 'nequal')):
    f(f'bvec {name}(vec x, vec y)', ALL, op(o), double=True)
    integers(f'bvec {name}({{v}} x, {{v}} y)', {'I': ALL, 'U': V130_GPU4}, op(o))
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

INTEL2 = 'X(INTEL_shader_integer_functions2)'
for name, impl in (('countLeadingZeros', 'count_leading_zeros'),
                   ('countTrailingZeros', 'count_trailing_zeros')):
    f(f'genUType {name}(genUType value)', INTEL2, op(impl))
for i, u, condition in (('genIType', 'genUType', INTEL2),
                  ('genI64Type', 'genU64Type', f'{INTEL2} && ({INT64})')):
    for g in (i, u):
        f(f'{u} absoluteDifference({g} x, {g} y)', condition, op('abs_difference'))
        for name, impl in (('addSaturate', 'add_saturate'), ('subtractSaturate', 'subtract_saturate'),
                           ('average', 'average'), ('averageRounded', 'average_rounded')):
            f(f'{g} {name}({g} x, {g} y)', condition, op(impl))
for g in ('genIType', 'genUType'):
    f(f'{g} multiply32x16({g} x, {g} y)', INTEL2, op('mul_32x16'))

# --- derivatives, noise ---
DERIV = 'DERIVES && (GL(110) || ES(300) || X(OES_standard_derivatives))'
HALF_DERIV = f'DERIVES && {HALF}'
f('genType dFdx(genType p)', DERIV, op('dfdx'), half=HALF_DERIV)
f('genType dFdy(genType p)', DERIV, op('dfdy'), half=HALF_DERIV)
f('genType fwidth(genType p)', DERIV, body('fwidth'), half=HALF_DERIV)
CONTROL = 'DERIVES && (GL(450) || X(ARB_derivative_control))'
for s in ('Coarse', 'Fine'):
    f(f'genType dFdx{s}(genType p)', CONTROL, op('dfdx_' + s.lower()), half=HALF_DERIV)
    f(f'genType dFdy{s}(genType p)', CONTROL, op('dfdy_' + s.lower()), half=HALF_DERIV)
    f(f'genType fwidth{s}(genType p)', CONTROL, body('fwidth_' + s.lower()), half=HALF_DERIV)
for n, t in ((1, 'float'), (2, 'vec2'), (3, 'vec3'), (4, 'vec4')):
    f(f'{t} noise{n}(genType x)', 'GL(110)', body('noise'))
PER_SAMPLE = ('FS && (GL(400) || ES(320) || X(ARB_gpu_shader5) || '
              'X(OES_shader_multisample_interpolation))')
f('genType interpolateAtCentroid(input genType interpolant)', PER_SAMPLE, op('interp_centroid'), half=f'FS && {HALF}')
f('genType interpolateAtSample(input genType interpolant, int sample)', PER_SAMPLE, op('interp_sample'), half=f'FS && {HALF}')
f('genType interpolateAtOffset(input genType interpolant, vec2 offset)', PER_SAMPLE, op('interp_offset'), half=f'FS && {HALF}')

# --- geometry and tessellation ---
f('void EmitVertex()', 'GS', body('emit_vertex'))
f('void EndPrimitive()', 'GS', body('end_primitive'))
STREAMS = 'GS && (GL(400) || X(ARB_gpu_shader5))'
f('void EmitStreamVertex(int stream)', STREAMS, body('emit_vertex'))
f('void EndStreamPrimitive(int stream)', STREAMS, body('end_primitive'))
f('void barrier()', 'TCS || GROUPS', intrinsic('barrier'))

# --- task and mesh shaders ---
f('void EmitMeshTasksEXT(uint groupCountX, uint groupCountY, uint groupCountZ)',
  'TASK && X(EXT_mesh_shader)', intrinsic('emit_mesh_tasks'))
f('void SetMeshOutputsEXT(uint vertexCount, uint primitiveCount)', 'MESH && X(EXT_mesh_shader)',
  intrinsic('set_mesh_outputs'))

# --- memory ---
f('void memoryBarrier()', 'GL(420) || ES(310) || X(ARB_shader_image_load_store) || X(ARB_compute_shader)',
  intrinsic('memory_barrier'))
COMPUTE = 'GL(430) || ES(310) || X(ARB_compute_shader)'
f('void memoryBarrierAtomicCounter()', COMPUTE, intrinsic('memory_barrier_atomic_counter'))
f('void memoryBarrierBuffer()', COMPUTE, intrinsic('memory_barrier_buffer'))
f('void memoryBarrierImage()', COMPUTE, intrinsic('memory_barrier_image'))
f('void memoryBarrierShared()', f'GROUPS && ({COMPUTE})', intrinsic('memory_barrier_shared'))
f('void groupMemoryBarrier()', f'GROUPS && ({COMPUTE})', intrinsic('group_memory_barrier'))

BUFFER = 'GL(430) || ES(310) || X(ARB_shader_storage_buffer_object) || X(ARB_compute_shader)'
for t in ('int', 'uint'):
    for o in ('Add', 'Min', 'Max', 'And', 'Or', 'Xor', 'Exchange'):
        f(f'{t} atomic{o}(mem {t} m, {t} data)', BUFFER, intrinsic('atomic_' + o.lower()))
    f(f'{t} atomicCompSwap(mem {t} m, {t} compare, {t} data)', BUFFER, intrinsic('atomic_comp_swap'))
NV_FLOAT, INTEL_FLOAT = 'X(NV_shader_atomic_float)', 'X(INTEL_shader_atomic_float_minmax)'
f('float atomicAdd(mem float m, float data)', NV_FLOAT, intrinsic('atomic_add'))
f('float atomicExchange(mem float m, float data)', f'{NV_FLOAT} || {INTEL_FLOAT}',
  intrinsic('atomic_exchange'))
f('float atomicMin(mem float m, float data)', INTEL_FLOAT, intrinsic('atomic_min'))
f('float atomicMax(mem float m, float data)', INTEL_FLOAT, intrinsic('atomic_max'))
f('float atomicCompSwap(mem float m, float compare, float data)', INTEL_FLOAT,
  intrinsic('atomic_comp_swap'))

INT64_ATOMICS = 'X(NV_shader_atomic_int64)'
for t, names in (('uint64_t', 'Min Max And Or Xor'), ('int64_t', 'Min Max And Or Xor Add Exchange')):
    for o in names.split():
        f(f'{t} atomic{o}(mem {t} m, {t} data)', INT64_ATOMICS, intrinsic('atomic_' + o.lower()))
f('int64_t atomicCompSwap(mem int64_t m, int64_t compare, int64_t data)', INT64_ATOMICS,
  intrinsic('atomic_comp_swap'))

COUNTER = 'GL(420) || ES(310) || X(ARB_shader_atomic_counters)'
f('uint atomicCounterIncrement(atomic_uint c)', COUNTER, intrinsic('counter_increment'))
f('uint atomicCounterDecrement(atomic_uint c)', COUNTER, intrinsic('counter_decrement'))
f('uint atomicCounter(atomic_uint c)', COUNTER, intrinsic('counter_read'))
for suffix, condition in (('', 'GL(460)'), ('ARB', 'X(ARB_shader_atomic_counter_ops)')):
    for o in ('Add', 'Subtract', 'Min', 'Max', 'And', 'Or', 'Xor', 'Exchange'):
        f(f'uint atomicCounter{o}{suffix}(atomic_uint c, uint data)', condition,
          intrinsic('counter_' + o.lower()))
    f(f'uint atomicCounterCompSwap{suffix}(atomic_uint c, uint compare, uint data)', condition,
      intrinsic('counter_comp_swap'))

# --- communication between invocations ---
for suffix, condition in (('', 'GL(460)'), ('ARB', 'X(ARB_shader_group_vote)'),
                    ('EXT', 'X(EXT_shader_group_vote)')):
    f(f'bool anyInvocation{suffix}(bool value)', condition, intrinsic('vote_any'))
    f(f'bool allInvocations{suffix}(bool value)', condition, intrinsic('vote_all'))
    f(f'bool allInvocationsEqual{suffix}(bool value)', condition, intrinsic('vote_equal'))
BALLOT = 'X(ARB_shader_ballot)'
f('uint64_t ballotARB(bool value)', BALLOT, intrinsic('ballot'))
for g in ('genType', 'genIType', 'genUType'):
    f(f'{g} readInvocationARB({g} value, uint invocationIndex)', BALLOT, intrinsic('read_invocation'))
    f(f'{g} readFirstInvocationARB({g} value)', BALLOT, intrinsic('read_first_invocation'))


def subgroup(proto, extension, impl, types='FIUBD'):
    """Adds a function of KHR_shader_subgroup_*, with {g} replaced by each kind in types."""
    condition = f'X(KHR_shader_subgroup_{extension})'
    for kind in types:
        g = 'genType' if kind == 'F' else f'gen{kind}Type'
        f(proto.format(g=g), f'({condition}) && ({FP64})' if kind == 'D' else condition,
          intrinsic(impl))


for name, impl in (('Barrier', 'barrier'), ('MemoryBarrier', 'memory_barrier'),
                   ('MemoryBarrierBuffer', 'memory_barrier_buffer'),
                   ('MemoryBarrierImage', 'memory_barrier_image')):
    f(f'void subgroup{name}()', 'X(KHR_shader_subgroup_basic)', intrinsic('subgroup_' + impl))
f('void subgroupMemoryBarrierShared()', 'GROUPS && X(KHR_shader_subgroup_basic)',
  intrinsic('subgroup_memory_barrier_shared'))
f('bool subgroupElect()', 'X(KHR_shader_subgroup_basic)', intrinsic('elect'))
VOTE, BITS4 = 'X(KHR_shader_subgroup_vote)', 'X(KHR_shader_subgroup_ballot)'
f('bool subgroupAll(bool value)', VOTE, intrinsic('vote_all'))
f('bool subgroupAny(bool value)', VOTE, intrinsic('vote_any'))
subgroup('bool subgroupAllEqual({g} value)', 'vote', 'vote_equal')
subgroup('{g} subgroupBroadcast({g} value, uint id)', 'ballot', 'read_invocation')
subgroup('{g} subgroupBroadcastFirst({g} value)', 'ballot', 'read_first_invocation')
f('uvec4 subgroupBallot(bool value)', BITS4, intrinsic('ballot'))
f('bool subgroupInverseBallot(uvec4 value)', BITS4, intrinsic('inverse_ballot'))
f('bool subgroupBallotBitExtract(uvec4 value, uint index)', BITS4, intrinsic('ballot_bit_extract'))
for name, impl in (('BitCount', 'bit_count'), ('InclusiveBitCount', 'bit_count_inclusive'),
                   ('ExclusiveBitCount', 'bit_count_exclusive'), ('FindLSB', 'find_lsb'),
                   ('FindMSB', 'find_msb')):
    f(f'uint subgroupBallot{name}(uvec4 value)', BITS4, intrinsic('ballot_' + impl))
subgroup('{g} subgroupShuffle({g} value, uint id)', 'shuffle', 'shuffle')
subgroup('{g} subgroupShuffleXor({g} value, uint mask)', 'shuffle', 'shuffle_xor')
subgroup('{g} subgroupShuffleUp({g} value, uint delta)', 'shuffle_relative', 'shuffle_up')
subgroup('{g} subgroupShuffleDown({g} value, uint delta)', 'shuffle_relative', 'shuffle_down')
for o in ('add', 'mul', 'min', 'max', 'and', 'or', 'xor'):
    types = 'IUB' if o in ('and', 'or', 'xor') else 'FIUD'
    for scan, impl in (('', 'reduce'), ('Inclusive', 'inclusive_scan'),
                       ('Exclusive', 'exclusive_scan')):
        subgroup('{g} subgroup' + scan + o.title() + '({g} value)', 'arithmetic', f'{impl}_{o}', types)
    subgroup('{g} subgroupClustered' + o.title() + '({g} value, uint clusterSize)', 'clustered',
             'reduce_' + o, types)
subgroup('{g} subgroupQuadBroadcast({g} value, uint id)', 'quad', 'quad_broadcast')
for name in ('Horizontal', 'Vertical', 'Diagonal'):
    subgroup('{g} subgroupQuadSwap' + name + '({g} value)', 'quad', 'quad_swap_' + name.lower())
f('uvec2 clock2x32ARB()', 'X(ARB_shader_clock)', intrinsic('clock'))
f('uvec2 clock2x32EXT()', 'X(EXT_shader_clock)', intrinsic('clock'))
f('uint64_t clockARB()', 'X(ARB_shader_clock)', intrinsic('clock'))
f('bool helperInvocationEXT()', 'FS && X(EXT_demote_to_helper_invocation)',
  intrinsic('helper_invocation'))

for name in ('begin', 'end'):
    for suffix in ('ARB', 'NV'):
        f(f'void {name}InvocationInterlock{suffix}()',
          f'FS && X({suffix}_fragment_shader_interlock)', intrinsic(f'interlock_{name}'))
# Starts a section that ends with the invocation; it may be called anywhere and repeatedly.
f('void beginFragmentShaderOrderingINTEL()', 'FS && X(INTEL_fragment_shader_ordering)',
  intrinsic('interlock_begin'))

with open(sys.argv[1], 'w', encoding='utf-8') as table:
    source(FUNCTIONS + glsl_builtin_textures.FUNCTIONS, table)
