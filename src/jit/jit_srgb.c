/* SPDX-License-Identifier: MIT */
/*
 * Decoding of sRGB bytes to 16-bit numbers (util/srgb_half.h) without a load per lane. With AVX-512
 * VBMI, byte permutations look each byte up in a table of 256. Otherwise, byte shuffles look up the
 * coefficients of a parabola among 16.
 */
#include "jit/jit_private.h"
#include "util/srgb_half.h"

/* --- scalars, and targets without such instructions: a table in memory --- */

static LLVMValueRef table_in_memory(struct jit_builder *jb)
{
    LLVMValueRef global = LLVMGetNamedGlobal(jb->module, "srgb"), entry[256];
    if (global)
        return global;
    for (unsigned i = 0; i < 256; i++)
        entry[i] = LLVMConstInt(jb->i16, util_srgb_half((uint8_t)i), false);
    LLVMValueRef table = LLVMConstArray2(jb->i16, entry, 256);
    global = LLVMAddGlobal(jb->module, LLVMTypeOf(table), "srgb");
    LLVMSetInitializer(global, table);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

static LLVMValueRef load_half(struct jit_builder *jb, LLVMValueRef word, unsigned shift)
{
    LLVMBuilderRef b = jb->b;
    LLVMValueRef index = LLVMBuildLShr(b, word, jit_const_int(jb, jb->i32, shift), "");
    index = LLVMBuildAnd(b, index, jit_const_int(jb, jb->i32, 0xff), "");
    LLVMValueRef place = LLVMBuildGEP2(b, jb->i16, table_in_memory(jb), &index, 1, "");
    return LLVMBuildZExt(b, LLVMBuildLoad2(b, jb->i16, place, ""), jb->i32, "");
}

static LLVMValueRef decode_word(struct jit_builder *jb, LLVMValueRef word, bool odd)
{
    LLVMValueRef high = load_half(jb, word, odd ? 24 : 16);
    high = LLVMBuildShl(jb->b, high, jit_const_int(jb, jb->i32, 16), "");
    return LLVMBuildOr(jb->b, load_half(jb, word, odd ? 8 : 0), high, "");
}

static LLVMValueRef decode_each(struct jit_builder *jb, LLVMValueRef words, bool odd)
{
    LLVMValueRef all = LLVMGetPoison(LLVMTypeOf(words));
    for (unsigned i = 0; i < jb->lanes; i++) {
        LLVMValueRef lane = jit_const_int(jb, jb->i32, i);
        LLVMValueRef word = LLVMBuildExtractElement(jb->b, words, lane, "");
        all = LLVMBuildInsertElement(jb->b, all, decode_word(jb, word, odd), lane, "");
    }
    return all;
}

#if defined(__x86_64__)
/* --- lookup among 256 bytes --- */

/* Returns the low or high bytes of the results for the 64 inputs from `first` on. */
static LLVMValueRef decoded_bytes(struct jit_builder *jb, unsigned first, bool high)
{
    LLVMValueRef byte[64];
    for (unsigned i = 0; i < 64; i++) {
        uint16_t half = util_srgb_half((uint8_t)(first + i));
        byte[i] = LLVMConstInt(jb->i8, high ? half >> 8 : half & 0xff, false);
    }
    return LLVMConstVector(byte, 64);
}

static LLVMValueRef permute_bytes(struct jit_builder *jb, LLVMValueRef bytes, bool high)
{
    LLVMValueRef value[2];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef args[] = {decoded_bytes(jb, 128 * i, high), bytes,
                               decoded_bytes(jb, 128 * i + 64, high)};
        value[i] = jit_call(jb, "llvm.x86.avx512.vpermi2var.qi.512", NULL, 0, args, 3);
    }
    LLVMValueRef upper =
        LLVMBuildICmp(jb->b, LLVMIntSLT, bytes, LLVMConstNull(LLVMTypeOf(bytes)), "");
    return LLVMBuildSelect(jb->b, upper, value[1], value[0], "");
}

static LLVMValueRef decode_by_permutations(struct jit_builder *jb, LLVMValueRef words, bool odd)
{
    LLVMBuilderRef b = jb->b;
    LLVMTypeRef type = LLVMTypeOf(words);
    LLVMValueRef bytes = LLVMBuildBitCast(b, words, LLVMVectorType(jb->i8, 64), ""), part[2];
    LLVMValueRef even_bytes = jit_const_int(jb, type, 0x00ff00ff);
    LLVMValueRef odd_bytes = jit_const_int(jb, type, 0xff00ff00),
                 eight = jit_const_int(jb, type, 8);
    for (unsigned high = 0; high < 2; high++)
        part[high] = LLVMBuildBitCast(b, permute_bytes(jb, bytes, high), type, "");
    if (odd)
        part[0] = LLVMBuildLShr(b, part[0], eight, "");
    else
        part[1] = LLVMBuildShl(b, part[1], eight, "");
    return LLVMBuildOr(b, LLVMBuildAnd(b, part[0], even_bytes, ""),
                       LLVMBuildAnd(b, part[1], odd_bytes, ""), "");
}

/* --- lookup of coefficients among 16 --- */

/* Returns bytes of the table at the indices; 0 where an index byte has its highest bit set. */
static LLVMValueRef shuffle_bytes(struct jit_builder *jb, enum util_srgb_table table,
                                  LLVMValueRef index)
{
    LLVMTypeRef halves = LLVMTypeOf(index);
    unsigned count = 2 * LLVMGetVectorSize(halves);
    LLVMValueRef byte[64];
    for (unsigned i = 0; i < count; i++)
        byte[i] = LLVMConstInt(jb->i8, util_srgb_table[table][i & 15], false);
    const char *name = count == 64   ? "llvm.x86.avx512.pshuf.b.512"
                       : count == 32 ? "llvm.x86.avx2.pshuf.b"
                                     : "llvm.x86.ssse3.pshuf.b.128";
    index = LLVMBuildBitCast(jb->b, index, LLVMVectorType(jb->i8, count), "");
    LLVMValueRef args[] = {LLVMConstVector(byte, count), index};
    return LLVMBuildBitCast(jb->b, jit_call(jb, name, NULL, 0, args, 2), halves, "");
}

/* Returns 16-bit elements whose low and high bytes come from two tables. */
static LLVMValueRef shuffle_halves(struct jit_builder *jb, enum util_srgb_table low,
                                   enum util_srgb_table high, LLVMValueRef low_index,
                                   LLVMValueRef high_index)
{
    return LLVMBuildOr(jb->b, shuffle_bytes(jb, low, low_index),
                       shuffle_bytes(jb, high, high_index), "");
}

static LLVMValueRef add_saturating(struct jit_builder *jb, LLVMValueRef halves, unsigned bytes)
{
    LLVMTypeRef type = LLVMTypeOf(halves),
                each = LLVMVectorType(jb->i8, 2 * LLVMGetVectorSize(type));
    LLVMValueRef args[] = {
        LLVMBuildBitCast(jb->b, halves, each, ""),
        LLVMBuildBitCast(jb->b, jit_const_int(jb, type, bytes), each, ""),
    };
    return LLVMBuildBitCast(jb->b, jit_call(jb, "llvm.uadd.sat", &each, 1, args, 2), type, "");
}

/* Returns util_srgb_half of 16-bit elements below 256; the vector fills a register. */
static LLVMValueRef decode_by_parabolas(struct jit_builder *jb, LLVMValueRef halves)
{
    LLVMBuilderRef b = jb->b;
    LLVMTypeRef type = LLVMTypeOf(halves);
    LLVMValueRef four = jit_const_int(jb, type, 4), eight = jit_const_int(jb, type, 8);
    LLVMValueRef part = LLVMBuildLShr(b, halves, four, "");
    LLVMValueRef low = LLVMBuildOr(b, part, jit_const_int(jb, type, 0x8000), "");
    LLVMValueRef high =
        LLVMBuildOr(b, LLVMBuildShl(b, part, eight, ""), jit_const_int(jb, type, 0x0080), "");
    LLVMValueRef from_middle = LLVMBuildAnd(b, halves, jit_const_int(jb, type, 15), "");
    from_middle = LLVMBuildSub(b, from_middle, eight, "");
    LLVMValueRef middle =
        shuffle_halves(jb, UTIL_SRGB_MIDDLE_LOW, UTIL_SRGB_MIDDLE_HIGH, low, high);
    LLVMValueRef slope = shuffle_halves(jb, UTIL_SRGB_SLOPE_LOW, UTIL_SRGB_SLOPE_HIGH, low, high);
    LLVMValueRef bend =
        LLVMBuildMul(b, from_middle, shuffle_bytes(jb, UTIL_SRGB_CURVATURE, low), "");
    slope = LLVMBuildAdd(b, slope, bend, "");
    LLVMValueRef scaled = LLVMBuildShl(b, from_middle, jit_const_int(jb, type, 9), "");
    LLVMValueRef sum = LLVMBuildAdd(b, middle, jit_multiply_halves(jb, scaled, slope), "");
    LLVMValueRef first = shuffle_bytes(jb, UTIL_SRGB_FIRST, add_saturating(jb, halves, 0x8070));
    return LLVMBuildAdd(b, sum, first, "");
}

static LLVMValueRef decode_by_shuffles(struct jit_builder *jb, LLVMValueRef words, bool odd)
{
    LLVMBuilderRef b = jb->b;
    LLVMTypeRef type = LLVMTypeOf(words), halves = LLVMVectorType(jb->i16, 2 * jb->lanes);

    if (odd)
        words = LLVMBuildLShr(b, words, jit_const_int(jb, type, 8), "");
    words = LLVMBuildAnd(b, words, jit_const_int(jb, type, 0x00ff00ff), "");
    LLVMValueRef value = decode_by_parabolas(jb, LLVMBuildBitCast(b, words, halves, ""));
    return LLVMBuildBitCast(b, value, type, "");
}
#endif

LLVMValueRef jit_decode_srgb(struct jit_builder *jb, LLVMValueRef words, bool odd)
{
    if (!jit_is_vector(words))
        return decode_word(jb, words, odd);
#if defined(__x86_64__)
    if (jb->engine->permutes_bytes && jb->lanes == 16)
        return decode_by_permutations(jb, words, odd);
    if (jb->lanes == jb->engine->register_lanes)
        return decode_by_shuffles(jb, words, odd);
#endif
    return decode_each(jb, words, odd);
}
