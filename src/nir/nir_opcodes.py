# SPDX-License-Identifier: MIT
"""
The table of ALU opcodes. The generators make the enum, the info table, the constant folder and the
builder from it.

Types: a base type with or without a bit size ("float", "uint32", "bool1"). In one instruction, all
operands whose type has no size have the same bit size.

Sizes: n means exactly n components; 0 means that the operand is per component: it has as many
components as the result of the instruction.

Constant expression: C text that computes the result. For a per-component opcode it is one
expression of the scalars src0, src1, …. For the others it is a list with one expression for each
component of the result; src0[0] is component 0 of the first source. Halves are computed as floats.
A NaN result becomes the one of canonical_nan() (nir_constant_helpers.h).
bit_size is the common bit size of the operands without a size.

Integer results wrap around unless noted.
"""

COMMUTATIVE = "NIR_OP_IS_2SRC_COMMUTATIVE"
ASSOCIATIVE = "NIR_OP_IS_ASSOCIATIVE"
SELECTION = "NIR_OP_IS_SELECTION"
DERIVATIVE = "NIR_OP_IS_DERIVATIVE"


def type_size(t):
    digits = t.lstrip("abcdefghijklmnopqrstuvwxyz")
    return int(digits) if digits else 0


def type_base(t):
    return t.rstrip("0123456789")


class Opcode:
    def __init__(self, name, output_size, output_type, input_sizes, input_types, properties,
                 const_expr, is_conversion=False):
        assert len(input_sizes) == len(input_types)
        self.name = name
        self.output_size = output_size
        self.output_type = output_type
        self.input_sizes = input_sizes
        self.input_types = input_types
        self.num_inputs = len(input_sizes)
        self.properties = properties
        self.const_expr = const_expr
        self.is_conversion = is_conversion

    @property
    def per_component(self):
        return self.output_size == 0

    def unsized_bit_sizes(self):
        """Returns the bit sizes that types without a size may have; [] if all types have a size."""
        bases = {type_base(t) for t in [self.output_type, *self.input_types] if not type_size(t)}
        if not bases:
            return []
        sizes = {1, 8, 16, 32, 64}
        if "float" in bases:
            sizes &= {16, 32, 64}
        return sorted(sizes)


opcodes = {}


def opcode(name, output_size, output_type, input_sizes, input_types, const_expr, properties=(),
           is_conversion=False):
    assert name not in opcodes
    opcodes[name] = Opcode(name, output_size, output_type, input_sizes, input_types,
                           list(properties), const_expr, is_conversion)


def unop(name, ty, expr, out=None, properties=()):
    opcode(name, 0, out or ty, [0], [ty], expr, properties)


def binop(name, ty, expr, properties=(), out=None, second=None):
    opcode(name, 0, out or ty, [0, 0], [ty, second or ty], expr, properties)


def triop(name, ty, expr):
    opcode(name, 0, ty, [0] * 3, [ty] * 3, expr)


def compare(name, ty, expr, properties=()):
    binop(name, ty, expr, properties, out="bool1")
    binop(name + "32", ty, f"({expr}) ? ~0u : 0u", properties, out="uint32")


COMM = (COMMUTATIVE,)
COMM_ASSOC = (COMMUTATIVE, ASSOCIATIVE)

# --- Moves -----------------------------------------------------------------------------------

# mov copies its source. vecN makes a vector of N scalars.
unop("mov", "uint", "src0")
for n in (2, 3, 4, 5, 8, 16):
    opcode(f"vec{n}", n, "uint", [1] * n, ["uint"] * n, [f"src{i}[0]" for i in range(n)])

# --- One source ------------------------------------------------------------------------------

# Change the sign bit, also of NaN. The expressions get the bits as an unsigned integer.
unop("fneg", "float", "src0 ^ 1ull << (bit_size - 1)")
unop("fabs", "float", "src0 & ~(1ull << (bit_size - 1))")
# Clamps to [0, 1]; a NaN becomes 0.
unop("fsat", "float", "src0 > 0 ? (src0 < 1 ? src0 : 1) : 0")
unop("frcp", "float", "1 / src0")
unop("fsqrt", "float", "bit_size == 64 ? sqrt(src0) : sqrtf(src0)")
unop("frsq", "float", "bit_size == 64 ? 1.0 / sqrt(src0) : 1.0f / sqrtf(src0)")
# Functions of 32-bit floats, see nir_math.h.
unop("fexp2", "float32", "nir_math_exp2(src0)")
unop("flog2", "float32", "nir_math_log2(src0)")
unop("fsin", "float32", "nir_math_sin(src0)")
unop("fcos", "float32", "nir_math_cos(src0)")
unop("ftrunc", "float", "trunc(src0)")
unop("ffloor", "float", "floor(src0)")
unop("fceil", "float", "ceil(src0)")
unop("ffract", "float", "src0 - (__typeof__(src0))floor(src0)")
unop("fround_even", "float", "rint(src0)")
unop("fsign", "float", "src0 > 0 ? 1 : src0 < 0 ? -1 : 0")
# Rounds to half precision and back; denormals become zero (quantize_to_half).
unop("fquantize2f16", "float", "quantize_to_half(src0)")
unop("ineg", "int", "-(uint64_t)src0")
unop("iabs", "int", "src0 < 0 ? -(uint64_t)src0 : (uint64_t)src0")
unop("inot", "int", "~src0")
unop("isign", "int", "src0 > 0 ? 1 : src0 < 0 ? -1 : 0")

# ufind_msb and find_lsb return the index of the highest or lowest set bit, or -1 if there is none.
# ifind_msb returns the index of the highest bit that differs from the sign bit, or -1. uclz counts
# leading zeros.
unop("bitfield_reverse", "uint32", "reverse_bits(src0)")
unop("bit_count", "uint", "__builtin_popcountll(src0)", out="uint32")
unop("ufind_msb", "uint", "src0 ? 63 - __builtin_clzll(src0) : -1", out="int32")
unop("ifind_msb", "int",
     "(src0 < 0 ? ~src0 : src0) ? 63 - __builtin_clzll((uint64_t)(src0 < 0 ? ~src0 : src0)) : -1",
     out="int32")
unop("find_lsb", "int", "src0 ? __builtin_ctzll((uint64_t)src0) : -1", out="int32")
unop("uclz", "uint32", "src0 ? __builtin_clz(src0) : 32")

# Derivatives in window x or y: differences between the pixels of a quad. They are 0 for constants.
for suffix in ("", "_fine", "_coarse"):
    for axis in "xy":
        unop(f"fdd{axis}{suffix}", "float", "0 * src0", properties=(DERIVATIVE,))

# Return the exponent and the significand, in [0.5, 1), of GLSL's frexp.
unop("frexp_exp", "float", "frexp_exponent(src0)", out="int32")
unop("frexp_sig", "float", "frexp_significand(src0)")

# --- Conversions -----------------------------------------------------------------------------


def conversion(src, dst, letters, sizes):
    for size in sizes:
        if dst == "bool" and size == 1:
            expr = "src0 != 0"
        elif src == "float" and dst in ("int", "uint"):
            expr = f"float_to_{dst}(src0, {size})"
        else:
            expr = "src0"
        opcode(f"{letters}{size}", 0, f"{dst}{size}", [0], [src], expr, is_conversion=True)


# Conversions of floats to integers round toward zero, saturate, and give 0 for NaN. Booleans become
# 0 or 1.
conversion("float", "float", "f2f", (16, 32, 64))
conversion("float", "int", "f2i", (8, 16, 32, 64))
conversion("float", "uint", "f2u", (8, 16, 32, 64))
conversion("int", "float", "i2f", (16, 32, 64))
conversion("uint", "float", "u2f", (16, 32, 64))
conversion("int", "int", "i2i", (8, 16, 32, 64))
conversion("uint", "uint", "u2u", (8, 16, 32, 64))
conversion("bool1", "float", "b2f", (16, 32, 64))
conversion("bool1", "int", "b2i", (8, 16, 32, 64))
# f2f16_rtne rounds to nearest even, f2f16_rtz toward zero.
opcode("f2f16_rtne", 0, "float16", [0], ["float"], "src0", is_conversion=True)
opcode("f2f16_rtz", 0, "float16", [0], ["float"], "round_to_half_toward_zero(src0)",
       is_conversion=True)
# Rounds toward zero. The result for NaN and for values out of range is INT32_MIN.
opcode("f2i32_in_range", 0, "int32", [0], ["float32"],
       "src0 >= -0x1p31f && src0 < 0x1p31f ? (int32_t)src0 : INT32_MIN", is_conversion=True)
# The same, but rounds to nearest even.
opcode("f2i32_rtne_in_range", 0, "int32", [0], ["float32"],
       "src0 >= -0x1p31f && src0 < 0x1p31f ? (int32_t)rintf(src0) : INT32_MIN", is_conversion=True)
# Conversions between 1-bit and 32-bit booleans (0 or ~0).
opcode("b2b1", 0, "bool1", [0], ["uint32"], "src0 != 0", is_conversion=True)
opcode("b2b32", 0, "uint32", [0], ["bool1"], "src0 ? ~0u : 0u", is_conversion=True)

# --- Two sources -----------------------------------------------------------------------------

binop("fadd", "float", "src0 + src1", COMM_ASSOC)
binop("fsub", "float", "src0 - src1")
binop("fmul", "float", "src0 * src1", COMM_ASSOC)
binop("fdiv", "float", "src0 / src1")
# fmod has the sign of src1 (GLSL mod), frem that of src0.
binop("fmod", "float", "src0 - src1 * (__typeof__(src0))floor(src0 / src1)")
binop("frem", "float", "src0 - src1 * (__typeof__(src0))trunc(src0 / src1)")
binop("fpow", "float32", "nir_math_pow(src0, src1)")
# If src0 is finite and large, an angle whose sine is the sine (or cosine) of src0; otherwise src1.
# See nir_math_reduce_angle.
binop("freduce_sin", "float32", "nir_math_reduce_angle(src0, src1, false)")
binop("freduce_cos", "float32", "nir_math_reduce_angle(src0, src1, true)")
# If one operand is NaN, the result is the other one (IEEE 754-2008 minNum and maxNum).
binop("fmin", "float", "src0 < src1 || src1 != src1 ? src0 : src1", COMM_ASSOC)
binop("fmax", "float", "src0 > src1 || src1 != src1 ? src0 : src1", COMM_ASSOC)
# Flushes denormal results to zero, as GLSL 4.60 §8.3 allows and programs expect.
opcode("ldexp", 0, "float", [0, 0], ["float", "int32"],
       "flush_float(ldexp(src0, src1 < -4096 ? -4096 : src1 > 4096 ? 4096 : src1), bit_size)")

binop("iadd", "int", "(uint64_t)src0 + (uint64_t)src1", COMM_ASSOC)
binop("isub", "int", "(uint64_t)src0 - (uint64_t)src1")
binop("imul", "int", "(uint64_t)src0 * (uint64_t)src1", COMM_ASSOC)
# imul_high and umul_high return the high half of the product, imul_2x32_64 and umul_2x32_64 the
# full 64-bit product of 32-bit factors.
binop("imul_high", "int", "multiply_high_int(src0, src1, bit_size)", COMM)
binop("umul_high", "uint", "multiply_high_uint(src0, src1, bit_size)", COMM)
binop("imul_2x32_64", "int32", "(int64_t)src0 * (int64_t)src1", COMM, out="int64")
binop("umul_2x32_64", "uint32", "(uint64_t)src0 * (uint64_t)src1", COMM, out="uint64")
# Division by zero gives 0; the most negative integer divided by -1 wraps around. imod has the sign
# of the divisor, irem that of the dividend.
binop("idiv", "int", "src1 == 0 ? 0 : src1 == -1 ? -(uint64_t)src0 : (uint64_t)(src0 / src1)")
binop("udiv", "uint", "src1 == 0 ? 0 : src0 / src1")
binop("irem", "int", "src1 == 0 || src1 == -1 ? 0 : src0 % src1")
binop("imod", "int",
      "src1 == 0 || src1 == -1 || src0 % src1 == 0 ? 0 : "
      "(src0 < 0) != (src1 < 0) ? src0 % src1 + src1 : src0 % src1")
binop("umod", "uint", "src1 == 0 ? 0 : src0 % src1")
binop("iand", "uint", "src0 & src1", COMM_ASSOC)
binop("ior", "uint", "src0 | src1", COMM_ASSOC)
binop("ixor", "uint", "src0 ^ src1", COMM_ASSOC)
# Shift counts are taken modulo the bit size.
binop("ishl", "int", "(uint64_t)src0 << (src1 & (bit_size - 1))", second="uint32")
binop("ishr", "int", "src0 >> (src1 & (bit_size - 1))", second="uint32")
binop("ushr", "uint", "src0 >> (src1 & (bit_size - 1))", second="uint32")
binop("imin", "int", "src0 < src1 ? src0 : src1", COMM_ASSOC)
binop("imax", "int", "src0 > src1 ? src0 : src1", COMM_ASSOC)
binop("umin", "uint", "src0 < src1 ? src0 : src1", COMM_ASSOC)
binop("umax", "uint", "src0 > src1 ? src0 : src1", COMM_ASSOC)
# Return 1 if the sum overflows (uadd_carry) or the difference is negative (usub_borrow); otherwise
# 0.
binop("uadd_carry", "uint", "src1 > (UINT64_MAX >> (64 - bit_size)) - src0", COMM)
binop("usub_borrow", "uint", "src0 < src1")
# Saturating addition and subtraction.
binop("uadd_sat", "uint",
      "src1 > (UINT64_MAX >> (64 - bit_size)) - src0 ? UINT64_MAX >> (64 - bit_size) : "
      "(uint64_t)src0 + src1", COMM)
binop("usub_sat", "uint", "src0 < src1 ? 0 : src0 - src1")
binop("iadd_sat", "int", "add_saturated(src0, src1, bit_size)", COMM)
binop("isub_sat", "int", "subtract_saturated(src0, src1, bit_size)")

# Each comparison has a form that returns a 1-bit boolean, and one named …32 that returns 0 or ~0.
# fneu is true for NaN.
compare("flt", "float", "src0 < src1")
compare("fge", "float", "src0 >= src1")
compare("feq", "float", "src0 == src1", COMM)
compare("fneu", "float", "src0 != src1", COMM)
compare("ilt", "int", "src0 < src1")
compare("ige", "int", "src0 >= src1")
compare("ieq", "int", "src0 == src1", COMM)
compare("ine", "int", "src0 != src1", COMM)
compare("ult", "uint", "src0 < src1")
compare("uge", "uint", "src0 >= src1")

# Return byte or 16-bit word number src1 of src0, counted from the lowest, zero-extended (u) or
# sign-extended (i).
binop("extract_u8", "uint", "(uint8_t)(src0 >> (src1 * 8 & (bit_size - 1)))", second="uint32")
binop("extract_i8", "int", "(int8_t)(src0 >> (src1 * 8 & (bit_size - 1)))", second="uint32")
binop("extract_u16", "uint", "(uint16_t)(src0 >> (src1 * 16 & (bit_size - 1)))", second="uint32")
binop("extract_i16", "int", "(int16_t)(src0 >> (src1 * 16 & (bit_size - 1)))", second="uint32")

# Returns a mask of src0 one bits, shifted left by src1. Both sources are taken modulo 32.
binop("bfm", "uint32", "((1u << (src0 & 31)) - 1) << (src1 & 31)")

# --- Three and more --------------------------------------------------------------------------

# ffma rounds once. flrp: src0 * (1 - src2) + src1 * src2.
triop("ffma", "float", "bit_size == 64 ? fma(src0, src1, src2) : fmaf(src0, src1, src2)")
triop("flrp", "float", "src0 * (1 - src2) + src1 * src2")
# Selections. Sources: condition, value if true, value if false.
opcode("bcsel", 0, "uint", [0] * 3, ["bool1", "uint", "uint"], "src0 ? src1 : src2", [SELECTION])
opcode("b32csel", 0, "uint", [0] * 3, ["uint32", "uint", "uint"], "src0 ? src1 : src2",
       [SELECTION])
# Sources: mask, insert, base. Shifts `insert` left to the lowest set bit of the mask, then replaces
# the bits of `base` in the mask by it.
triop("bfi", "uint32",
      "src0 ? (((src1 << __builtin_ctz(src0)) & src0) | (src2 & ~src0)) : src2")
# Extract `bits` bits of `value` from bit `offset` on, zero-extended (u) or sign-extended (i).
# Sources: value, offset, bits. Offset and bits are taken modulo 32.
triop("ubfe", "uint32", "extract_bits(src0, src1 & 31, src2 & 31)")
opcode("ibfe", 0, "int32", [0] * 3, ["int32", "uint32", "uint32"],
       "extract_bits_signed(src0, src1 & 31, src2 & 31)")
# GLSL 4.60 §8.8 bitfieldExtract. The result is 0 where GLSL leaves it undefined.
opcode("ubitfield_extract", 0, "uint32", [0] * 3, ["uint32", "int32", "int32"],
       "bitfield_range_is_valid(src1, src2) ? extract_bits(src0, src1, src2) : 0")
opcode("ibitfield_extract", 0, "int32", [0] * 3, ["int32", "int32", "int32"],
       "bitfield_range_is_valid(src1, src2) ? extract_bits_signed(src0, src1, src2) : 0")
# Interpolates each 16-bit half: src0 + (src1 - src0) * src2 / 2^15, rounded to nearest, ties up.
triop("lerp_2x16", "uint32",
      "lerp_half(src0, src1, src2) | (uint32_t)lerp_half(src0 >> 16, src1 >> 16, src2 >> 16) << 16")
# Unsigned minima of the corresponding 16-bit halves of the sources.
binop("umin_2x16", "uint32",
      "MIN2(src0 & 0xffff, src1 & 0xffff) | MIN2(src0 >> 16, src1 >> 16) << 16", COMM)
# Converts a weight from units of 1/256 (low byte of src0) to units of 2^-15, in both halves.
unop("share_2x16", "uint32", "(src0 & 0xff) * 0x00800080")
# Sums of the corresponding 16-bit halves of the sources.
binop("iadd_2x16", "uint32",
      "((src0 + src1) & 0xffff) | ((src0 >> 16) + (src1 >> 16)) << 16", COMM_ASSOC)
# Decode two sRGB bytes of the source to the 16-bit halves of the result (util_srgb_half): bytes 0
# and 2 (even) or bytes 1 and 3 (odd).
for name, shift in (("even", 0), ("odd", 8)):
    unop(f"srgb_{name}_2x16", "uint32",
         f"util_srgb_half((uint8_t)(src0 >> {shift})) |"
         f" (uint32_t)util_srgb_half((uint8_t)(src0 >> {shift + 16})) << 16")
# GLSL 4.60 §8.8 bitfieldInsert. Sources: base, insert, offset, bits. The result is 0 where GLSL
# leaves it undefined.
opcode("bitfield_insert", 0, "uint32", [0] * 4, ["uint32", "uint32", "int32", "int32"],
       "bitfield_range_is_valid(src2, src3) ? insert_bits(src0, src1, src2, src3) : 0")

# --- Horizontal ------------------------------------------------------------------------------


def horizontal(name, n, out, ty, term, joint, properties=COMM):
    expr = joint.join(term.format(i=i) for i in range(n))
    opcode(f"{name}{n}", 1, out, [n, n], [ty, ty], [expr], properties)


# Dot products and comparisons of whole vectors. ball_*equal is true if all components are equal,
# bany_*nequal if any differ.
for n in (2, 3, 4):
    horizontal("fdot", n, "float", "float", "src0[{i}] * src1[{i}]", " + ")
    horizontal("ball_fequal", n, "bool1", "float", "src0[{i}] == src1[{i}]", " && ")
    horizontal("bany_fnequal", n, "bool1", "float", "src0[{i}] != src1[{i}]", " || ")
    horizontal("ball_iequal", n, "bool1", "int", "src0[{i}] == src1[{i}]", " && ")
    horizontal("bany_inequal", n, "bool1", "int", "src0[{i}] != src1[{i}]", " || ")

# --- Packing ---------------------------------------------------------------------------------

# Conversions between two floats and two half floats in a word, the first in the low 16 bits. The
# _split forms take or return scalars.
opcode("pack_half_2x16", 1, "uint32", [2], ["float32"],
       ["util_float_to_half(src0[0]) | (uint32_t)util_float_to_half(src0[1]) << 16"])
opcode("unpack_half_2x16", 2, "float32", [1], ["uint32"],
       ["util_half_to_float(src0[0] & 0xffff)", "util_half_to_float(src0[0] >> 16)"])
opcode("pack_half_2x16_split", 0, "uint32", [0, 0], ["float32", "float32"],
       "util_float_to_half(src0) | (uint32_t)util_float_to_half(src1) << 16")
unop("unpack_half_2x16_split_x", "uint32", "util_half_to_float(src0 & 0xffff)", out="float32")
unop("unpack_half_2x16_split_y", "uint32", "util_half_to_float(src0 >> 16)", out="float32")


def pack_norm(kind, n, bits):
    """Normalized integers packed into a word, GLSL 4.60 §8.4."""
    limit = (1 << (bits - (kind == "snorm"))) - 1
    mask = (1 << bits) - 1
    terms = " | ".join(f"(({kind}_to_int(src0[{i}], {limit}) & 0x{mask:x}u) << {i * bits})"
                       for i in range(n))
    opcode(f"pack_{kind}_{n}x{bits}", 1, "uint32", [n], ["float32"], [terms])
    if kind == "unorm":
        out = [f"(src0[0] >> {i * bits} & 0x{mask:x}u) / {limit}.0f" for i in range(n)]
    else:
        out = [f"unpack_snorm((int{bits}_t)(src0[0] >> {i * bits}), {limit}.0f)" for i in range(n)]
    opcode(f"unpack_{kind}_{n}x{bits}", n, "float32", [1], ["uint32"], out)


pack_norm("snorm", 2, 16)
pack_norm("snorm", 4, 8)
pack_norm("unorm", 2, 16)
pack_norm("unorm", 4, 8)

# Combine two values to one of twice the size, the low half first, or split it.
opcode("pack_64_2x32", 1, "uint64", [2], ["uint32"], ["src0[0] | (uint64_t)src0[1] << 32"])
opcode("unpack_64_2x32", 2, "uint32", [1], ["uint64"], ["src0[0]", "src0[0] >> 32"])
opcode("pack_64_2x32_split", 0, "uint64", [0, 0], ["uint32", "uint32"],
       "src0 | (uint64_t)src1 << 32")
unop("unpack_64_2x32_split_x", "uint64", "src0", out="uint32")
unop("unpack_64_2x32_split_y", "uint64", "src0 >> 32", out="uint32")
opcode("pack_32_2x16", 1, "uint32", [2], ["uint16"], ["src0[0] | (uint32_t)src0[1] << 16"])
opcode("unpack_32_2x16", 2, "uint16", [1], ["uint32"], ["src0[0]", "src0[0] >> 16"])
opcode("pack_32_2x16_split", 0, "uint32", [0, 0], ["uint16", "uint16"],
       "src0 | (uint32_t)src1 << 16")
