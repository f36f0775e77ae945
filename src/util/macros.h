/* SPDX-License-Identifier: MIT */
/* Small macros and integer helpers, available to every module. */
#ifndef UTIL_MACROS_H
#define UTIL_MACROS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Number of elements of an array, which must not be a pointer. */
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
/* Mask with only bit b set; b is 0 to 31. */
#define BITFIELD_BIT(b) (1u << (b))
/* Mask of the b lowest bits; b is 0 to 32. */
#define BITFIELD_MASK(b) ((uint32_t)((1ull << (b)) - 1))
/* Mask with only bit b set; b is 0 to 63. */
#define BITFIELD64_BIT(b) (1ull << (b))
/* Mask of the b lowest bits; b is 0 to 64. */
#define BITFIELD64_MASK(b) ((b) == 64 ? ~0ull : (1ull << (b)) - 1)

/* These macros evaluate their arguments more than once. */
#define MIN2(a, b)       ((a) < (b) ? (a) : (b))
#define MAX2(a, b)       ((a) > (b) ? (a) : (b))
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
/* n / d rounded up, for n >= 0 and d > 0. n + d - 1 must not overflow. */
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
/* x rounded up to a multiple of a, a power of two. The result has the type of x. */
#define ALIGN_POT(x, a) (((x) + (__typeof__(x))(a) - 1) & ~((__typeof__(x))(a) - 1))

/* Pointer to the struct `type` whose `member` is at ptr. */
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

/* Evaluate to 1 if x is true, else to 0. Tell the compiler that x is probably true (likely) or
 * false (unlikely). */
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Attribute of printf-like functions: 1-based indices of the format and of its first argument. */
#define PRINTFLIKE(fmt, args) __attribute__((format(printf, fmt, args)))
/* Attribute of functions and variables that a shared library exports. */
#define PUBLIC __attribute__((visibility("default")))

/* Marks a line that control flow never reaches. Fails an assertion in debug builds; undefined
 * behavior with NDEBUG. `why` is a string literal. */
#ifdef NDEBUG
#define UNREACHABLE(why) __builtin_unreachable()
#else
#include <assert.h>
#define UNREACHABLE(why)                                                                           \
    do {                                                                                           \
        assert(!why);                                                                              \
        __builtin_unreachable();                                                                   \
    } while (0)
#endif

/* Returns whether x is a power of two. False for 0. */
static inline bool util_is_power_of_two(uint64_t x)
{
    return x && !(x & (x - 1));
}

/* Returns the smallest power of two >= x, or 1 if x is 0. x is at most 2^31. */
static inline uint32_t util_next_power_of_two(uint32_t x)
{
    return x <= 1 ? 1 : 1u << (32 - __builtin_clz(x - 1));
}

/* Returns the base-2 logarithm of x, rounded down, or 0 if x is 0. */
static inline unsigned util_logbase2(uint32_t x)
{
    return 31 - __builtin_clz(x | 1);
}

/* Like util_logbase2(), for 64 bits. */
static inline unsigned util_logbase2_64(uint64_t x)
{
    return 63 - __builtin_clzll(x | 1);
}

/* Clears the lowest set bit of *mask and returns its index. *mask must not be 0. */
static inline int u_bit_scan(uint32_t *mask)
{
    int i = __builtin_ctz(*mask);
    *mask &= *mask - 1;
    return i;
}

/* Like u_bit_scan(), for 64 bits. */
static inline int u_bit_scan64(uint64_t *mask)
{
    int i = __builtin_ctzll(*mask);
    *mask &= *mask - 1;
    return i;
}

/* Returns the bit pattern of a float. */
static inline uint32_t fui(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* Returns the float with a bit pattern. */
static inline float uif(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

#endif
