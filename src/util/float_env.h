/* SPDX-License-Identifier: MIT */
/*
 * Floating-point environment for the driver's arithmetic: round to nearest, denormals enabled, no
 * traps. The application may have set another environment (fesetround, feenableexcept, flush to
 * zero); it must not affect pixels or shader results. All functions act on the calling thread.
 */
#ifndef UTIL_FLOAT_ENV_H
#define UTIL_FLOAT_ENV_H

#include "util/macros.h"

#ifdef __SSE__
#include <xmmintrin.h>

/* A saved MXCSR. The x87 control word is not saved, because the driver doesn't use the x87 unit. */
typedef uint32_t float_env;

#define FLOAT_ENV_DEFAULT 0x1f80u /* all exceptions masked, round to nearest */
#define FLOAT_ENV_FLAGS   0x3fu   /* exception flags, which don't affect results */

/* Returns whether the default environment is set. Always returns false on architectures other than
 * x86 with SSE and AArch64, where the test would be slow. */
static inline bool float_env_is_default(void)
{
    return (_mm_getcsr() & ~FLOAT_ENV_FLAGS) == FLOAT_ENV_DEFAULT;
}

/* Sets the default environment. Returns the previous one, to pass to float_env_leave. */
static inline float_env float_env_enter(void)
{
    float_env old = _mm_getcsr();
    if (unlikely((old & ~FLOAT_ENV_FLAGS) != FLOAT_ENV_DEFAULT))
        _mm_setcsr(FLOAT_ENV_DEFAULT);
    return old;
}

/* Restores the environment that float_env_enter returned. */
static inline void float_env_leave(float_env old)
{
    if (unlikely((old & ~FLOAT_ENV_FLAGS) != FLOAT_ENV_DEFAULT))
        _mm_setcsr(old);
}

/* Like float_env_enter. On x86 with SSE and on AArch64, it also makes operations on floats and
 * doubles treat denormal operands and results as 0. float_env_leave_flush restores the environment
 * that it returned. */
static inline float_env float_env_enter_flush(void)
{
    float_env old = _mm_getcsr();
    _mm_setcsr(FLOAT_ENV_DEFAULT | 0x8040); /* FTZ, DAZ */
    return old;
}

static inline void float_env_leave_flush(float_env old)
{
    _mm_setcsr(old);
}

#elif defined(__aarch64__)

/* The same functions for AArch64, and for other architectures below. */

/* A saved FPCR (Arm Architecture Reference Manual, C5.2.8). Exception flags are in FPSR. */
typedef uint64_t float_env;

/* Read and write FPCR. */
static inline uint64_t float_env_read(void)
{
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
}

static inline void float_env_write(uint64_t fpcr)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr) : "memory");
}

static inline bool float_env_is_default(void)
{
    return float_env_read() == 0;
}

static inline float_env float_env_enter(void)
{
    float_env old = float_env_read();
    if (unlikely(old))
        float_env_write(0);
    return old;
}

static inline void float_env_leave(float_env old)
{
    if (unlikely(old))
        float_env_write(old);
}

static inline float_env float_env_enter_flush(void)
{
    float_env old = float_env_read();
    float_env_write(UINT64_C(1) << 24); /* FZ */
    return old;
}

static inline void float_env_leave_flush(float_env old)
{
    float_env_write(old);
}

#else
#include <fenv.h>

typedef fenv_t float_env;

static inline bool float_env_is_default(void)
{
    return false; /* a cheap test is not possible */
}

static inline float_env float_env_enter(void)
{
    fenv_t old;
    fegetenv(&old);
    fesetenv(FE_DFL_ENV);
    return old;
}

static inline void float_env_leave(float_env old)
{
    fesetenv(&old);
}

static inline float_env float_env_enter_flush(void)
{
    return float_env_enter();
}

static inline void float_env_leave_flush(float_env old)
{
    float_env_leave(old);
}

#endif
#endif
