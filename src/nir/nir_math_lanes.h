/* SPDX-License-Identifier: MIT */
/*
 * The reduction of large angles on vectors, compiled for each width (util/simd_each.h, which
 * describes LANES, NAME and TARGET). The includer defines the type `context`, whose value isn't
 * used. The code uses only integer arithmetic and float operations that are exact or correctly
 * rounded, so the result of a lane has the same bits as the result for a single value.
 *
 * The functions word() to unsigned_to_float() are the operations that nir_math_reduce.h requires
 * (see there, and nir_math_opcodes.h). A `condition` has all bits of a lane set or none.
 */
typedef uint32_t NAME(words) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(ints) __attribute__((vector_size(4 * LANES)));
typedef float NAME(floats) __attribute__((vector_size(4 * LANES)));
typedef uint64_t NAME(longs) __attribute__((vector_size(4 * LANES)));
typedef uint32_t NAME(unaligned) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* Specifiers of functions, and the names of this width for the types and functions below. */
#define INLINE                  TARGET static inline __attribute__((always_inline))
#define REDUCE_FUNCTION         INLINE
#define value                   NAME(words)
#define condition               NAME(ints)
#define word                    NAME(word)
#define number                  NAME(number)
#define choose                  NAME(choose)
#define add                     NAME(add)
#define sub                     NAME(sub)
#define mul                     NAME(mul)
#define int_add                 NAME(int_add)
#define int_sub                 NAME(int_sub)
#define int_and                 NAME(int_and)
#define int_xor                 NAME(int_xor)
#define int_mul                 NAME(int_mul)
#define high_mul                NAME(high_mul)
#define unsigned_less           NAME(unsigned_less)
#define equal_words             NAME(equal_words)
#define shift_left              NAME(shift_left)
#define shift_right             NAME(shift_right)
#define shift_left_by           NAME(shift_left_by)
#define unsigned_shift_right_by NAME(unsigned_shift_right_by)
#define highest_bit             NAME(highest_bit)
#define unsigned_to_float       NAME(unsigned_to_float)
#define is_finite_from          NAME(is_finite_from)
#define is_large_angle          NAME(is_large_angle)
#define is_huge_angle           NAME(is_huge_angle)
#define reduce_medium           NAME(reduce_medium)
#define shift_pair_left         NAME(shift_pair_left)
#define select_words            NAME(select_words)
#define inverse_pi_bits         NAME(inverse_pi_bits)
#define reduce_large            NAME(reduce_large)

INLINE value word(context b, uint32_t bits)
{
    return (value){0} + bits;
}

INLINE value number(context b, float x)
{
    return (value)((NAME(floats)){0} + x);
}

INLINE value choose(context b, condition which, value x, value y)
{
    return ((value)which & x) | (~(value)which & y);
}

INLINE value add(context b, value x, value y)
{
    return (value)((NAME(floats))x + (NAME(floats))y);
}

INLINE value sub(context b, value x, value y)
{
    return (value)((NAME(floats))x - (NAME(floats))y);
}

INLINE value mul(context b, value x, value y)
{
    return (value)((NAME(floats))x * (NAME(floats))y);
}

INLINE value int_add(context b, value x, value y)
{
    return x + y;
}

INLINE value int_sub(context b, value x, value y)
{
    return x - y;
}

INLINE value int_and(context b, value x, value y)
{
    return x & y;
}

INLINE value int_xor(context b, value x, value y)
{
    return x ^ y;
}

INLINE value int_mul(context b, value x, value y)
{
    return x * y;
}

/* Returns the 64-bit products of the even 32-bit lanes. */
INLINE NAME(longs) NAME(mul_even)(value x, value y)
{
#if LANES == 16
    return (NAME(longs))_mm512_mul_epu32((__m512i)x, (__m512i)y);
#elif LANES == 8
    return (NAME(longs))_mm256_mul_epu32((__m256i)x, (__m256i)y);
#elif defined(__SSE2__)
    return (NAME(longs))_mm_mul_epu32((__m128i)x, (__m128i)y);
#else
    return ((NAME(longs))x & 0xffffffff) * ((NAME(longs))y & 0xffffffff);
#endif
}

/* Returns the upper 32 bits of each lane's 64-bit product. Multiplies even and odd lanes
 * separately, because a product occupies two lanes. */
INLINE value high_mul(context b, value x, value y)
{
    const NAME(longs) even = NAME(mul_even)(x, y);
    const NAME(longs) odd =
        NAME(mul_even)((value)((NAME(longs))x >> 32), (value)((NAME(longs))y >> 32));
    return (value)(even >> 32 | (odd & 0xffffffff00000000));
}

INLINE condition unsigned_less(context b, value x, value y)
{
    return x < y;
}

INLINE condition equal_words(context b, value x, value y)
{
    return x == y;
}

INLINE value shift_left(context b, value x, unsigned count)
{
    return x << count;
}

INLINE value shift_right(context b, value x, unsigned count)
{
    return (value)((NAME(ints))x >> (int32_t)count);
}

INLINE value shift_left_by(context b, value x, value count)
{
    return x << (count & 31);
}

INLINE value unsigned_shift_right_by(context b, value x, value count)
{
    return x >> (count & 31);
}

/* Returns the index of the highest set bit of x; unspecified for 0. It is the exponent of x as a
 * float. The bit below the highest one is cleared first, so that rounding doesn't carry. The
 * conversion is signed, so numbers with bit 31 set are handled separately. */
INLINE value highest_bit(context b, value x)
{
    const NAME(ints) clear = (NAME(ints))(x & ~(x >> 1));
    const value exponent = ((value) __builtin_convertvector(clear, NAME(floats)) >> 23) - 127;
    return choose(b, (NAME(ints))x < 0, word(b, 31), exponent);
}

/* Returns the nearest float. Both halves of x and the product are exact, so only the sum is
 * rounded. */
INLINE value unsigned_to_float(context b, value x)
{
    const NAME(floats) high = __builtin_convertvector((NAME(ints))(x >> 16), NAME(floats));
    const NAME(floats) low = __builtin_convertvector((NAME(ints))(x & 0xffff), NAME(floats));
    return (value)(high * 65536.0f + low);
}

#if LANES == 8
/* Replaces select_words of nir_math_reduce.h. Gets each word with one permutation of all eight. */
#define HAS_SELECT_WORDS
INLINE void select_words(context b, value at, value result[4])
{
    static const uint32_t inverse_pi[] __attribute__((aligned(32))) = INVERSE_PI;
    const __m256i all = *(const __m256i *)inverse_pi;
    for (unsigned i = 0; i < 4; i++)
        result[i] = (value)_mm256_permutevar8x32_epi32(all, (__m256i)((at >> 5) + i));
}
#else
#undef HAS_SELECT_WORDS
#endif

#include "nir_math_reduce.h"

/* Returns whether any lane is all ones; the others are 0. */
INLINE bool NAME(any)(condition which)
{
#if LANES == 16
    return _mm512_movepi32_mask((__m512i)which);
#elif LANES == 8
    return _mm256_movemask_ps((__m256)which);
#elif defined(__SSE2__)
    return _mm_movemask_ps((__m128)which);
#else
    return ((NAME(longs))which)[0] | ((NAME(longs))which)[1];
#endif
}

/* Replaces the lanes of *reduced whose angle is huge by the results of reduce_large. It is a
 * separate function so that its constants don't occupy registers in the loop below. */
TARGET __attribute__((noinline)) static void NAME(reduce_huge)(const value *x, value *reduced,
                                                               bool cosine)
{
    const condition huge = is_huge_angle(NULL, *x & 0x7fffffff);
    *reduced = choose(NULL, huge, reduce_large(NULL, *x, cosine), *reduced);
}

/* Stores the reductions of the large angles among x[0] to x[count - 1] in `result`, and keeps the
 * other elements of `result`. cosine: as in reduce_medium. Processes whole vectors only. Returns
 * the number of angles processed, a multiple of LANES; the caller processes the rest. */
TARGET static unsigned NAME(reduce_vectors)(const float *x, float *result, unsigned count,
                                            bool cosine)
{
    unsigned i = 0;
    for (; i + LANES <= count; i += LANES) {
        const value angle = *(const NAME(unaligned) *)(x + i);
        const value small = *(const NAME(unaligned) *)(result + i);
        const value magnitude = angle & 0x7fffffff;
        value reduced = reduce_medium(NULL, angle, cosine);
        if (NAME(any)(is_huge_angle(NULL, magnitude)))
            NAME(reduce_huge)(&angle, &reduced, cosine);
        *(NAME(unaligned) *)(result + i) =
            choose(NULL, is_large_angle(NULL, magnitude), reduced, small);
    }
    return i;
}
