# SPDX-License-Identifier: MIT
"""Operations of HIR expressions; generates hir_ops.h (enum) and hir_ops.c (table, scalar evaluation).

A row has: the name, the number of operands, the printed symbol, the rule for the type, and, for each
class of base types, the NIR opcode and the value of a component as a C expression of a, b, c.
Classes: f floats and doubles, i signed, u unsigned, b booleans. In expressions, T is the C type of
the component, I and U are the signed and unsigned integer of its size, and @f(x) is a function of
math.h in the precision of T, whose result must be exact. $ marks expressions for floats, but not
doubles. If the opcode is None, hir_to_nir builds the operation from others.

Type rules: same (that of the widest operand), bool (booleans, as many components), scalar (one
component), scalar_bool, given (specified by the code that creates the expression).
"""
import sys

OPS = []


def op(name, operands, symbol, type='same', swap=False, **classes):
    OPS.append(dict(name=name, operands=operands, symbol=symbol, type=type, swap=swap,
                    classes=classes))


# --- arithmetic; + - * / accept vectors and matrices as in the language ---
op('neg', 1, 'neg', f=('fneg', '-a'), i=('ineg', '(I)(0 - (U)a)'), u=('ineg', '0 - a'))
op('add', 2, '+', f=('fadd', 'a + b'), i=('iadd', '(I)((U)a + (U)b)'), u=('iadd', 'a + b'))
op('sub', 2, '-', f=('fsub', 'a - b'), i=('isub', '(I)((U)a - (U)b)'), u=('isub', 'a - b'))
# Linear algebra if one operand is a matrix and the other is not a scalar.
op('mul', 2, '*', f=('fmul', 'a * b'), i=('imul', '(I)((U)a * (U)b)'), u=('imul', 'a * b'))
op('div', 2, '/', f=('fdiv', 'a / b'),
   i=('idiv', 'b == 0 ? 0 : b == -1 ? (I)(0 - (U)a) : a / b'), u=('udiv', 'b ? a / b : 0'))
op('mod', 2, '%', f=('fmod', 'a - b * @floor(a / b)'),
   i=('irem', 'b == 0 || b == -1 ? 0 : a % b'), u=('umod', 'b ? a % b : 0'))
op('comp_mul', 2, 'compmul', f=('fmul', 'a * b'))
op('abs', 1, 'abs', f=('fabs', '@fabs(a)'), i=('iabs', 'a < 0 ? (I)(0 - (U)a) : a'))
op('sign', 1, 'sign', f=('fsign', 'a > 0 ? 1 : a < 0 ? -1 : 0'), i=('isign', '(a > 0) - (a < 0)'))
op('min', 2, 'min', f=('fmin', 'a < b || b != b ? a : b'), i=('imin', 'b < a ? b : a'),
   u=('umin', 'b < a ? b : a'))
op('max', 2, 'max', f=('fmax', 'a > b || b != b ? a : b'), i=('imax', 'a < b ? b : a'),
   u=('umax', 'a < b ? b : a'))
op('fma', 3, 'fma', f=('ffma', '@fma(a, b, c)'))
op('lrp', 3, 'lrp', f=('flrp', 'a * (1 - c) + b * c'))
op('saturate', 1, 'sat', f=('fsat', 'a > 0 ? (a < 1 ? a : 1) : 0'))
# condition (one boolean, or one per component), value if true, value if false
op('select', 3, 'csel', type='given')
op('vector', 4, 'vec', type='given')   # concatenates the components of the operands
op('matrix', 4, 'mat', type='given')   # columns
op('convert', 1, 'convert', type='given')   # to the base type of the expression
op('bitcast', 1, 'bitcast', type='given')   # the same bits

# --- component-wise comparison ---
op('less', 2, '<', type='bool', f=('flt', 'a < b'), i=('ilt', 'a < b'), u=('ult', 'a < b'))
op('greater', 2, '>', type='bool', swap=True, f=('flt', 'a > b'), i=('ilt', 'a > b'),
   u=('ult', 'a > b'))
op('lequal', 2, '<=', type='bool', swap=True, f=('fge', 'a <= b'), i=('ige', 'a <= b'),
   u=('uge', 'a <= b'))
op('gequal', 2, '>=', type='bool', f=('fge', 'a >= b'), i=('ige', 'a >= b'), u=('uge', 'a >= b'))
op('equal', 2, '==.', type='bool', f=('feq', 'a == b'), i=('ieq', 'a == b'), u=('ieq', 'a == b'),
   b=('ieq', 'a == b'))
op('nequal', 2, '!=.', type='bool', f=('fneu', 'a != b'), i=('ine', 'a != b'), u=('ine', 'a != b'),
   b=('ine', 'a != b'))
# --- comparison of whole values, including matrices, arrays and structs; returns one bool ---
op('all_equal', 2, '==', type='scalar_bool')
op('any_nequal', 2, '!=', type='scalar_bool')
op('any', 1, 'any', type='scalar_bool')
op('all', 1, 'all', type='scalar_bool')

# --- logic; both operands are evaluated ---
op('logic_not', 1, '!', b=('inot', '!a'))
op('logic_and', 2, '&&', b=('iand', 'a && b'))
op('logic_or', 2, '||', b=('ior', 'a || b'))
op('logic_xor', 2, '^^', b=('ixor', 'a != b'))

# --- bit operations; shift counts are modulo the size ---
op('bit_not', 1, '~', i=('inot', '~a'), u=('inot', '~a'))
op('bit_and', 2, '&', i=('iand', 'a & b'), u=('iand', 'a & b'))
op('bit_or', 2, '|', i=('ior', 'a | b'), u=('ior', 'a | b'))
op('bit_xor', 2, '^', i=('ixor', 'a ^ b'), u=('ixor', 'a ^ b'))
# The second operand may be int or uint.
op('shl', 2, '<<', type='first', i=('ishl', '(I)((U)a << (b & (sizeof(a) * 8 - 1)))'),
   u=('ishl', 'a << (b & (sizeof(a) * 8 - 1))'))
op('shr', 2, '>>', type='first', i=('ishr', 'a >> (b & (sizeof(a) * 8 - 1))'),
   u=('ushr', 'a >> (b & (sizeof(a) * 8 - 1))'))
op('bit_count', 1, 'bitCount', type='int', i=('bit_count', '__builtin_popcountll((U)a)'),
   u=('bit_count', '__builtin_popcountll(a)'))
op('bit_reverse', 1, 'bitfieldReverse', i=('bitfield_reverse', '(I)REVERSE((U)a)'),
   u=('bitfield_reverse', '(U)REVERSE(a)'))
op('find_lsb', 1, 'findLSB', type='int', i=('find_lsb', '__builtin_ffsll(a) - 1'),
   u=('find_lsb', '__builtin_ffsll((long long)a) - 1'))
op('find_msb', 1, 'findMSB', type='int', i=('ifind_msb', 'MSB(a < 0 ? ~(U)a : (U)a)'),
   u=('ufind_msb', 'MSB(a)'))
op('bitfield_extract', 3, 'bitfieldExtract', type='first', i=('ibitfield_extract', None),
   u=('ubitfield_extract', None))
op('bitfield_insert', 4, 'bitfieldInsert', type='first', i=('bitfield_insert', None),
   u=('bitfield_insert', None))
op('add_carry', 2, 'uaddCarry', u=('uadd_carry', '(U)(a + b) < a'))
op('sub_borrow', 2, 'usubBorrow', u=('usub_borrow', 'a < b'))
op('mul_high', 2, 'mulhi', i=('imul_high', '(I)(((int64_t)a * b) >> 32)'),
   u=('umul_high', '(U)(((uint64_t)a * b) >> 32)'))

# --- GL_INTEL_shader_integer_functions2; LIMIT(low): minimum of the type if low, else maximum ---
op('count_leading_zeros', 1, 'countLeadingZeros', u=('uclz', '(U)(sizeof(a) * 8 - 1) - (U)MSB(a)'))
op('count_trailing_zeros', 1, 'countTrailingZeros',
   u=(None, 'a ? (U)__builtin_ctzll(a) : (U)(sizeof(a) * 8)'))
op('abs_difference', 2, 'absoluteDifference', type='given',
   i=(None, '(I)(a < b ? (U)b - (U)a : (U)a - (U)b)'), u=(None, 'a < b ? b - a : a - b'))
op('add_saturate', 2, 'addSaturate', u=('uadd_sat', '(U)(a + b) < a ? ~(U)0 : a + b'),
   i=('iadd_sat', '({ I sum; __builtin_add_overflow(a, b, &sum) ? LIMIT(a < 0) : sum; })'))
op('subtract_saturate', 2, 'subtractSaturate', u=('usub_sat', 'a < b ? 0 : a - b'),
   i=('isub_sat', '({ I sum; __builtin_sub_overflow(a, b, &sum) ? LIMIT(a < 0) : sum; })'))
op('average', 2, 'average', i=(None, '(a & b) + ((a ^ b) >> 1)'),
   u=(None, '(a & b) + ((a ^ b) >> 1)'))
op('average_rounded', 2, 'averageRounded', i=(None, '(a | b) - ((a ^ b) >> 1)'),
   u=(None, '(a | b) - ((a ^ b) >> 1)'))
op('mul_32x16', 2, 'multiply32x16', i=(None, '(I)((U)a * (U)(int16_t)b)'),
   u=(None, 'a * (uint16_t)b'))

# --- float functions ---
op('rcp', 1, 'rcp', f=('frcp', '1 / a'))
op('sqrt', 1, 'sqrt', f=('fsqrt', '@sqrt(a)'))
op('rsq', 1, 'rsq', f=('frsq', '1 / @sqrt(a)'))
op('exp', 1, 'exp', f=(None, '$nir_math_exp(a)'))
op('log', 1, 'log', f=(None, '$nir_math_log(a)'))
op('exp2', 1, 'exp2', f=('fexp2', '$nir_math_exp2(a)'))
op('log2', 1, 'log2', f=('flog2', '$nir_math_log2(a)'))
op('pow', 2, 'pow', f=('fpow', '$nir_math_pow(a, b)'))
op('sin', 1, 'sin', f=('fsin', '$nir_math_sin(a)'))
op('cos', 1, 'cos', f=('fcos', '$nir_math_cos(a)'))
op('tan', 1, 'tan', f=(None, '$nir_math_tan(a)'))
op('asin', 1, 'asin', f=(None, '$nir_math_asin(a)'))
op('acos', 1, 'acos', f=(None, '$nir_math_acos(a)'))
op('atan', 1, 'atan', f=(None, '$nir_math_atan(a)'))
op('atan2', 2, 'atan2', f=(None, '$nir_math_atan2(a, b)'))
op('sinh', 1, 'sinh', f=(None, '$nir_math_sinh(a)'))
op('cosh', 1, 'cosh', f=(None, '$nir_math_cosh(a)'))
op('tanh', 1, 'tanh', f=(None, '$nir_math_tanh(a)'))
op('asinh', 1, 'asinh', f=(None, '$nir_math_asinh(a)'))
op('acosh', 1, 'acosh', f=(None, '$nir_math_acosh(a)'))
op('atanh', 1, 'atanh', f=(None, '$nir_math_atanh(a)'))
op('trunc', 1, 'trunc', f=('ftrunc', '@trunc(a)'))
op('floor', 1, 'floor', f=('ffloor', '@floor(a)'))
op('ceil', 1, 'ceil', f=(None, '@ceil(a)'))
op('fract', 1, 'fract', f=('ffract', 'a - @floor(a)'))
op('round_even', 1, 'roundEven', f=('fround_even', '@rint(a)'))
op('is_nan', 1, 'isnan', type='bool', f=(None, 'a != a'))
op('is_inf', 1, 'isinf', type='bool', f=(None, '@fabs(a) == (T)INFINITY'))
op('ldexp', 2, 'ldexp', type='first', f=('ldexp', None))
op('frexp_sig', 1, 'frexp_sig', f=('frexp_sig', None))
op('frexp_exp', 1, 'frexp_exp', type='int', f=('frexp_exp', None))
op('dot', 2, 'dot', type='scalar')
op('transpose', 1, 'transpose', type='given')
op('determinant', 1, 'determinant', type='scalar')
op('inverse', 1, 'inverse')

# --- derivatives; zero for constants ---
op('dfdx', 1, 'dFdx', f=('fddx', '0'))
op('dfdy', 1, 'dFdy', f=('fddy', '0'))
op('dfdx_coarse', 1, 'dFdxCoarse', f=('fddx_coarse', '0'))
op('dfdy_coarse', 1, 'dFdyCoarse', f=('fddy_coarse', '0'))
op('dfdx_fine', 1, 'dFdxFine', f=('fddx_fine', '0'))
op('dfdy_fine', 1, 'dFdyFine', f=('fddy_fine', '0'))
op('interp_centroid', 1, 'interpolateAtCentroid')
op('interp_sample', 2, 'interpolateAtSample', type='first')
op('interp_offset', 2, 'interpolateAtOffset', type='first')

# --- packing: vector → scalar and back ---
for name in ('unorm_2x16', 'snorm_2x16', 'unorm_4x8', 'snorm_4x8', 'half_2x16'):
    op('pack_' + name, 1, 'pack_' + name, type='given')
    op('unpack_' + name, 1, 'unpack_' + name, type='given')
op('pack_64_2x32', 1, 'pack_64_2x32', type='given')   # to any 64-bit type
op('unpack_64_2x32', 1, 'unpack_64_2x32', type='given')

# uvec2 or uint64_t → sampler or image, and back (ARB_bindless_texture)
op('handle', 1, 'handle', type='given')
op('handle_value', 1, 'handle_value', type='given')

op('array_length', 1, 'length', type='given')   # length of the unsized array at the end of a storage block

# Operations of struct hir_intrinsic. The arguments are those in glsl_builtin_functions.py.
INTRINSICS = ['barrier', 'memory_barrier', 'memory_barrier_atomic_counter', 'memory_barrier_buffer',
              'memory_barrier_image', 'memory_barrier_shared', 'group_memory_barrier',
              'subgroup_barrier', 'subgroup_memory_barrier', 'subgroup_memory_barrier_buffer',
              'subgroup_memory_barrier_image', 'subgroup_memory_barrier_shared',
              'image_load', 'image_store', 'image_residency', 'image_size', 'image_samples']
ATOMICS = ('add', 'min', 'max', 'and', 'or', 'xor', 'exchange', 'comp_swap')
INTRINSICS += ['image_atomic_' + a for a in ATOMICS]
INTRINSICS += ['atomic_' + a for a in ATOMICS]
INTRINSICS += ['counter_increment', 'counter_decrement', 'counter_read']
INTRINSICS += ['counter_' + a for a in ATOMICS] + ['counter_subtract']
INTRINSICS += ['vote_any', 'vote_all', 'vote_equal', 'ballot', 'read_invocation',
               'read_first_invocation', 'clock', 'helper_invocation', 'interlock_begin',
               'interlock_end', 'samples_identical', 'emit_mesh_tasks', 'set_mesh_outputs']
INTRINSICS += ['elect', 'inverse_ballot', 'ballot_bit_extract', 'ballot_bit_count',
               'ballot_bit_count_inclusive', 'ballot_bit_count_exclusive', 'ballot_find_lsb',
               'ballot_find_msb', 'shuffle', 'shuffle_xor', 'shuffle_up', 'shuffle_down',
               'quad_broadcast', 'quad_swap_horizontal', 'quad_swap_vertical', 'quad_swap_diagonal']
REDUCTIONS = ('add', 'mul', 'min', 'max', 'and', 'or', 'xor')
for scan in ('reduce', 'inclusive_scan', 'exclusive_scan'):
    INTRINSICS += [f'{scan}_{r}' for r in REDUCTIONS]

TYPE_RULES = ('same', 'first', 'bool', 'scalar', 'scalar_bool', 'int', 'given')


def header(out):
    out.write('/* SPDX-License-Identifier: MIT */\n/* Generated by hir_ops.py. */\n')
    out.write('#ifndef HIR_OPS_H\n#define HIR_OPS_H\n\nenum hir_op {\n')
    for o in OPS:
        out.write(f"    HIR_OP_{o['name'].upper()},\n")
    out.write('    HIR_OP_COUNT,\n};\n\nenum hir_intrinsic_op {\n')
    for name in INTRINSICS:
        out.write(f'    HIR_INTRINSIC_{name.upper()},\n')
    out.write('    HIR_INTRINSIC_COUNT,\n};\n')
    out.write('extern const char *const hir_intrinsic_names[HIR_INTRINSIC_COUNT];\n\n')
    out.write('enum hir_op_type_rule {\n')
    for r in TYPE_RULES:
        out.write(f'    HIR_OP_TYPE_{r.upper()},\n')
    out.write('};\n\n')
    out.write('''struct hir_op_info {
    const char *name;        /* printed name */
    unsigned num_operands;   /* maximum number of operands */
    uint8_t type_rule;       /* enum hir_op_type_rule */
    bool component_wise;     /* hir_op_eval supports it */
    bool swap;               /* the NIR opcode takes the operands in reverse order */
    int nir_op[4];           /* indexed by class: float, int, uint, bool; -1: none */
};

extern const struct hir_op_info hir_op_infos[HIR_OP_COUNT];

/* Evaluates one component of a component-wise operation on operands of a base type (ldexp and
 * shifts: that of the first operand). Returns false if the operation has no constant value. */
bool hir_op_eval(enum hir_op op, enum glsl_base_type base, nir_const_value *dest,
                 const nir_const_value *src);

#endif
''')


FIELDS = {  # class: base type, T, I, U, field, math suffix
    'f': [('GLSL_TYPE_FLOAT', 'float', 'int32_t', 'uint32_t', 'f32', 'f'),
          ('GLSL_TYPE_DOUBLE', 'double', 'int64_t', 'uint64_t', 'f64', '')],
    'i': [('GLSL_TYPE_INT', 'int32_t', 'int32_t', 'uint32_t', 'i32', ''),
          ('GLSL_TYPE_INT64', 'int64_t', 'int64_t', 'uint64_t', 'i64', '')],
    'u': [('GLSL_TYPE_UINT', 'uint32_t', 'int32_t', 'uint32_t', 'u32', ''),
          ('GLSL_TYPE_UINT64', 'uint64_t', 'int64_t', 'uint64_t', 'u64', '')],
    'b': [('GLSL_TYPE_BOOL', 'bool', 'int32_t', 'uint32_t', 'b', '')],
}


def expression(text, suffix):
    out = ''
    i = 0
    while i < len(text):
        if text[i] == '@':
            j = text.index('(', i)
            out += text[i + 1:j] + suffix
            i = j
        else:
            out += text[i]
            i += 1
    return out


def function(o):
    lines = []
    for cls, (_, expr) in o['classes'].items():
        if expr is None:
            continue
        for base, t, i, u, field, suffix in FIELDS[cls]:
            if (o['name'] == 'mul_high' or expr.startswith('$')) and '64' in field:
                continue
            result = field
            if o['type'] == 'bool':
                result = 'b'
            elif o['type'] == 'int':
                result = 'i32'
            lines.append(f'    case {base}: {{')
            lines.append(f'        typedef {t} T __attribute__((unused));')
            lines.append(f'        typedef {i} I __attribute__((unused));')
            lines.append(f'        typedef {u} U __attribute__((unused));')
            for k, name in enumerate('abc'[:min(o['operands'], 3)]):
                lines.append(f'        const {t} {name} __attribute__((unused)) = s[{k}].{field};')
            lines.append(f"        d->{result} = {expression(expr.lstrip('$'), suffix)};")
            lines.append('        return true;')
            lines.append('    }')
    if not lines:
        return None
    name = f"eval_{o['name']}"
    return name, '\n'.join(
        [f'static bool {name}(enum glsl_base_type base, nir_const_value *d, const nir_const_value *s)',
         '{', '    switch (base) {'] + lines + ['    default:', '        return false;', '    }', '}', ''])


def source(out):
    out.write('/* SPDX-License-Identifier: MIT */\n/* Generated by hir_ops.py. */\n')
    out.write('#include <math.h>\n\n#include "glsl/hir.h"\n#include "nir/nir_math.h"\n\n')
    out.write('''static uint64_t reverse_bits(uint64_t x, unsigned size)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < size; i++)
        r |= (x >> i & 1) << (size - 1 - i);
    return r;
}
#define REVERSE(x) reverse_bits(x, sizeof(x) * 8)
#define MSB(x)     ((x) ? 63 - __builtin_clzll(x) : -1)
#define LIMIT(low) (I)((~(U)0 >> 1) + (low))

''')
    names = {}
    for o in OPS:
        f = function(o)
        if f:
            names[o['name']] = f[0]
            out.write(f[1] + '\n')
    out.write('typedef bool (*eval_fn)(enum glsl_base_type base, nir_const_value *d, '
              'const nir_const_value *s);\n')
    out.write('static const eval_fn eval_fns[HIR_OP_COUNT] = {\n')
    for name, fn in names.items():
        out.write(f'    [HIR_OP_{name.upper()}] = {fn},\n')
    out.write('''};

bool hir_op_eval(enum hir_op op, enum glsl_base_type base, nir_const_value *dest,
                 const nir_const_value *src)
{
    /* Half floats are values of float; only comparisons don't convert them (hir_expr). */
    if (base == GLSL_TYPE_FLOAT16)
        base = GLSL_TYPE_FLOAT;
    return eval_fns[op] && eval_fns[op](base, dest, src);
}

const struct hir_op_info hir_op_infos[HIR_OP_COUNT] = {
''')
    for o in OPS:
        ops = []
        for cls in 'fiub':
            n = o['classes'].get(cls, (None, None))[0]
            ops.append(f'nir_op_{n}' if n else '-1')
        wise = 'true' if o['name'] in names else 'false'
        out.write(f"    [HIR_OP_{o['name'].upper()}] = {{\"{o['symbol']}\", {o['operands']}, "
                  f"HIR_OP_TYPE_{o['type'].upper()}, {wise}, {'true' if o['swap'] else 'false'}, "
                  f"{{{', '.join(ops)}}}}},\n")
    out.write('};\n\nconst char *const hir_intrinsic_names[HIR_INTRINSIC_COUNT] = {\n')
    for name in INTRINSICS:
        out.write(f'    "{name}",\n')
    out.write('};\n')


with open(sys.argv[2], 'w') as f:
    {'h': header, 'c': source}[sys.argv[1]](f)
