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

/* Program state of a context. */
struct gl_program_state {
    struct gl_program *current; /* set by glUseProgram, referenced */
    struct gl_names pipelines;
    struct gl_pipeline *pipeline; /* bound pipeline; used only without a current program */
    GLuint compiler_threads;      /* glMaxShaderCompilerThreadsKHR; a hint that is ignored */
    GLint patch_vertices;
    GLfloat patch_outer[4], patch_inner[2];
    /* glPrimitiveBoundingBox: minimum and maximum corner in clip coordinates. A hint that is
     * ignored. */
    GLfloat bounding_box[8];
    /* executable of `current`, updated by glUseProgram and each successful relink */
    struct gl_executable *exe;
    struct gl_owned_state owned;
    struct gl_ff_cache *ff;
    struct gl_executable *no_fragment; /* fallback fragment shader; NULL: not created yet */
    struct gl_executable *executable[SHADER_STAGE_COUNT]; /* executables of `bound`, referenced */
    /* variants of the graphics stages that draw; NULL: stage unused */
    struct gl_variant *bound[SHADER_STAGE_COUNT];
    /* constant buffers bound at the driver, without number 0 */
    uint8_t num_uniform_buffers[SHADER_STAGE_COUNT];
    uint8_t num_storage_buffers[SHADER_STAGE_COUNT]; /* storage buffers bound at the driver */
    bool drawing_points;                             /* the last validated draw rasterizes points */
    bool point_array; /* that draw uses the point size array of ES 1 */
    /* executable whose sampler units were checked last (not referenced) */
    struct gl_executable *checked_exe;
    unsigned checked_stamp;
    bool samplers_ok;
    bool usable; /* the bound shaders can draw */
};

#endif
