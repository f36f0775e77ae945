/* SPDX-License-Identifier: MIT */
/* Compiler options shared by the tests of the GLSL module: those of GL 3.0 and ES 3.0. */
#ifndef GLSL_TEST_H
#define GLSL_TEST_H

#include "tool/compile_options.h"

static inline struct glsl_options test_options(bool es)
{
    struct glsl_options o;
    compile_options_fill(&o, es, es ? 300 : 130);
    o.limits.max_varying_components = 64;
    return o;
}

#endif
