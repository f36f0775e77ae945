/* SPDX-License-Identifier: MIT */
/*
 * Input format of the fuzz targets that read GLSL. An input is one shader or several, each after a
 * marker of its stage: `//@v` vertex, `//@h` tessellation control, `//@t` tessellation evaluation,
 * `//@g` geometry, `//@f` fragment, `//@c` compute, `//@k` task, `//@m` mesh. An additional letter
 * selects the kind of context: `e` ES, `c` core profile. Text before the first marker is a fragment
 * shader. Markers are comments, so any tool accepts the parts of an input as shaders.
 */
#ifndef FUZZ_GLSL_H
#define FUZZ_GLSL_H

#include <string.h>

#include "tool/compile_options.h"

#define FUZZ_MAX_SHADERS 5 /* all stages of a draw call */

struct fuzz_shader {
    enum shader_stage stage;
    const char *text; /* begins with its marker, if any; not terminated */
    size_t length;
};

struct fuzz_input {
    struct fuzz_shader shaders[FUZZ_MAX_SHADERS];
    unsigned count;
    bool es, core; /* whether a marker has the additional letter `e`; `c` */
};

/* Returns the stage of a marker's letter; SHADER_FRAGMENT for unknown letters. */
static enum shader_stage fuzz_stage(char letter)
{
    switch (letter) {
    case 'v':
        return SHADER_VERTEX;
    case 'h':
        return SHADER_TESS_CTRL;
    case 't':
        return SHADER_TESS_EVAL;
    case 'g':
        return SHADER_GEOMETRY;
    case 'c':
        return SHADER_COMPUTE;
    case 'k':
        return SHADER_TASK;
    case 'm':
        return SHADER_MESH;
    default:
        return SHADER_FRAGMENT;
    }
}

/* Splits an input at its markers. The shaders point into `text`. Markers after FUZZ_MAX_SHADERS
 * shaders are ignored. */
static struct fuzz_input fuzz_split(const char *text, size_t length)
{
    struct fuzz_input in = {.count = 1};
    in.shaders[0] = (struct fuzz_shader){SHADER_FRAGMENT, text, length};
    for (size_t i = 0; i + 4 <= length; i++) {
        if (memcmp(text + i, "//@", 3))
            continue;
        if (i) {
            if (in.count == FUZZ_MAX_SHADERS)
                break;
            struct fuzz_shader *last = &in.shaders[in.count - 1];
            last->length = text + i - last->text;
            in.count++;
        }
        in.shaders[in.count - 1] =
            (struct fuzz_shader){fuzz_stage(text[i + 3]), text + i, length - i};
        if (i + 4 < length) {
            in.es |= text[i + 4] == 'e';
            in.core |= text[i + 4] == 'c';
        }
    }
    return in;
}

/* Returns options that enable all language features. */
static inline struct glsl_options fuzz_options(const struct fuzz_input *in)
{
    struct glsl_options o;
    compile_options_fill(&o, in->es, in->es ? 320 : 460);
    o.max_es_version = 320; /* desktop contexts accept ES shaders, too */
    o.core = in->core && !in->es;
    return o;
}

#endif
