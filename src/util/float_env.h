/* SPDX-License-Identifier: MIT */
/*
 * The floating-point environment of the driver's own arithmetic: rounding to nearest, denormals
 * kept, no traps. Applications may have set another one (fesetround, feenableexcept, flush to
 * zero), which neither pixels nor kernels may notice.
 */
#ifndef UTIL_FLOAT_ENV_H
#define UTIL_FLOAT_ENV_H

#include "util/macros.h"

#ifdef __SSE__
#include <xmmintrin.h>

/* What the x87 unit does is not asked: nothing is computed there. */
typedef uint32_t float_env;

#define FLOAT_ENV_DEFAULT 0x1f80u /* all masked, to nearest */
#define FLOAT_ENV_FLAGS   0x3fu   /* sticky flags of exceptions that happened */

static inline bool float_env_is_default(void)
{
    return (_mm_getcsr() & ~FLOAT_ENV_FLAGS) == FLOAT_ENV_DEFAULT;
}

/* The environment that was, to be given back to float_env_leave. */
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
    return false; /* not known without asking for all of it */
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
