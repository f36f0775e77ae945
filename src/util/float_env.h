/* SPDX-License-Identifier: MIT */
/*
 * Floating-point environment for the driver's arithmetic: round to nearest, denormals enabled, no
 * traps. The application may have set another one (fesetround, feenableexcept, flush to zero),
 * which must not affect pixels or kernels.
 */
#ifndef UTIL_FLOAT_ENV_H
#define UTIL_FLOAT_ENV_H

#include "util/macros.h"

#ifdef __SSE__
#include <xmmintrin.h>

/* Holds MXCSR only; the driver computes nothing on the x87 unit. */
typedef uint32_t float_env;

#define FLOAT_ENV_DEFAULT 0x1f80u /* all exceptions masked, round to nearest */
#define FLOAT_ENV_FLAGS   0x3fu   /* sticky exception flags */

static inline bool float_env_is_default(void)
{
    return (_mm_getcsr() & ~FLOAT_ENV_FLAGS) == FLOAT_ENV_DEFAULT;
}

/* Sets the default environment. Returns the previous one, to be passed to float_env_leave. */
static inline float_env float_env_enter(void)
{
    float_env old = _mm_getcsr();
    if (unlikely((old & ~FLOAT_ENV_FLAGS) != FLOAT_ENV_DEFAULT))
        _mm_setcsr(FLOAT_ENV_DEFAULT);
    return old;
}

static inline void float_env_leave(float_env old)
{
    if (unlikely((old & ~FLOAT_ENV_FLAGS) != FLOAT_ENV_DEFAULT))
        _mm_setcsr(old);
}

#else
#include <fenv.h>

typedef fenv_t float_env;

static inline bool float_env_is_default(void)
{
    return false; /* only a full fegetenv would tell */
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

#endif
#endif
