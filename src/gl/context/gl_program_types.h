/* SPDX-License-Identifier: MIT */
/* Program bindings of a context. */
#ifndef GL_PROGRAM_TYPES_H
#define GL_PROGRAM_TYPES_H

#include "gl/context/gl_names.h"
#include "gl/context/gl_owned.h"

struct gl_executable;
struct gl_ff_cache;
struct gl_pipeline;
struct gl_program;
struct gl_variant;

struct gl_program_state {
    struct gl_program *current; /* glUseProgram; referenced */
    struct gl_names pipelines;
    struct gl_pipeline *pipeline; /* bound; counts while there is no current program */
    GLuint compiler_threads;      /* glMaxShaderCompilerThreadsKHR: a hint that nothing heeds */
    GLint patch_vertices;
    GLfloat patch_outer[4], patch_inner[2];
    GLfloat
        bounding_box[8]; /* least and greatest corner of primitives in clip coordinates: a hint */
    struct gl_executable *exe; /* of current, as of glUseProgram or its last good relink */
    struct gl_owned_state owned;
    struct gl_ff_cache *ff;
    struct gl_executable *no_fragment; /* stands in for a fragment shader; NULL: not yet made */
    struct gl_executable *executable[SHADER_STAGES]; /* what bound comes from; referenced */
    struct gl_variant *bound[SHADER_STAGES];    /* graphics stages that draw; NULL: there is none */
    uint8_t num_uniform_buffers[SHADER_STAGES]; /* constant buffers at the driver, from 1 on */
    uint8_t num_storage_buffers[SHADER_STAGES]; /* storage buffers at the driver */
    bool drawing_points;                        /* of the last validated draw */
    bool point_array;                           /* … with ES 1's array of point sizes */
    struct gl_executable *checked_exe; /* whose sampler units were checked last (not referenced) */
    unsigned checked_stamp;
    bool samplers_ok;
    bool usable; /* shaders are bound that can draw */
};

#endif
