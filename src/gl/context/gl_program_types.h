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
    struct gl_program *current; /* set by glUseProgram, referenced; NULL: none */
    struct gl_names pipelines;
    struct gl_pipeline *pipeline; /* bound pipeline; NULL: none. Used only if `current` is NULL. */
    GLuint compiler_threads;      /* glMaxShaderCompilerThreadsKHR; a hint that is ignored */
    GLint patch_vertices;         /* vertices per patch */
    /* default tessellation levels, used without a tessellation control shader */
    GLfloat patch_outer[4], patch_inner[2];
    /* glPrimitiveBoundingBox: corner of the minima (x, y, z, w) and corner of the maxima, in clip
     * coordinates. A hint that is ignored. */
    GLfloat bounding_box[8];
    /* Executable of `current`, referenced; NULL: none. glUseProgram sets it, and so does a
     * successful link of the program in this context. */
    struct gl_executable *exe;
    /* Values of the subroutine uniforms, by stage and location: max_subroutine_uniform_locations
     * per stage. NULL until the context uses a program that has any. A talloc child of the
     * context. */
    GLuint *subroutines;
    struct gl_owned_state owned;
    struct gl_ff_cache *ff;            /* fixed-function programs */
    struct gl_executable *no_fragment; /* fallback fragment shader; NULL: not created yet */
    /* Executable per stage that was last selected, referenced; NULL: the stage is unused. */
    struct gl_executable *executable[SHADER_STAGE_COUNT];
    /* Variant per stage that the driver has bound. NULL: none, or unknown because an internal draw
     * or dispatch bound another shader. */
    struct gl_variant *bound[SHADER_STAGE_COUNT];
    /* Number of uniform blocks set at the driver: its constant buffers 1, 2, … (0 is the default
     * block). */
    uint8_t num_uniform_buffers[SHADER_STAGE_COUNT];
    uint8_t num_storage_buffers[SHADER_STAGE_COUNT]; /* number of storage buffers at the driver */
    bool drawing_points; /* the last validated draw rasterizes only points */
    bool point_array;    /* the last validated draw uses the point size array of ES 1 */
    /* Cached result of gl_validate_samplers in samplers_ok. It is valid for the executable
     * checked_exe (not referenced) while its units_stamp is checked_stamp. */
    struct gl_executable *checked_exe;
    unsigned checked_stamp;
    bool samplers_ok;
    /* Executable of the vertex shader for meshes while a command draws meshes, else NULL. It then
     * replaces all stages before rasterization. Not referenced. */
    struct gl_executable *mesh_vertex;
    bool usable; /* result of the last gl_update_programs that selected variants */
};

#endif
