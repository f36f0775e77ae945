/* SPDX-License-Identifier: MIT */
/* Program queries: glGetProgramiv, active uniforms and attributes, locations (GL 4.6 §7.3.1, §7.6,
 * §11.1.1). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

/* ------------------------------------------------------------------------------------ types --- */

static GLenum vector_type(const struct glsl_type *t)
{
    static const GLenum types[][4] = {
        [GLSL_TYPE_UINT] = {GL_UNSIGNED_INT, GL_UNSIGNED_INT_VEC2, GL_UNSIGNED_INT_VEC3,
                            GL_UNSIGNED_INT_VEC4},
        [GLSL_TYPE_INT] = {GL_INT, GL_INT_VEC2, GL_INT_VEC3, GL_INT_VEC4},
        [GLSL_TYPE_FLOAT] = {GL_FLOAT, GL_FLOAT_VEC2, GL_FLOAT_VEC3, GL_FLOAT_VEC4},
        [GLSL_TYPE_FLOAT16] = {GL_FLOAT16_NV, GL_FLOAT16_VEC2_NV, GL_FLOAT16_VEC3_NV,
                               GL_FLOAT16_VEC4_NV},
        [GLSL_TYPE_DOUBLE] = {GL_DOUBLE, GL_DOUBLE_VEC2, GL_DOUBLE_VEC3, GL_DOUBLE_VEC4},
        [GLSL_TYPE_BOOL] = {GL_BOOL, GL_BOOL_VEC2, GL_BOOL_VEC3, GL_BOOL_VEC4},
    };
    if (t->base_type >= ARRAY_SIZE(types) || !t->vector_elements)
        return GL_NONE;
    return types[t->base_type][t->vector_elements - 1];
}

static GLenum matrix_type(const struct glsl_type *t)
{
    static const GLenum types[3][3][3] = {
        {
            {GL_FLOAT_MAT2, GL_FLOAT_MAT2x3, GL_FLOAT_MAT2x4},
            {GL_FLOAT_MAT3x2, GL_FLOAT_MAT3, GL_FLOAT_MAT3x4},
            {GL_FLOAT_MAT4x2, GL_FLOAT_MAT4x3, GL_FLOAT_MAT4},
        },
        {
            {GL_DOUBLE_MAT2, GL_DOUBLE_MAT2x3, GL_DOUBLE_MAT2x4},
            {GL_DOUBLE_MAT3x2, GL_DOUBLE_MAT3, GL_DOUBLE_MAT3x4},
            {GL_DOUBLE_MAT4x2, GL_DOUBLE_MAT4x3, GL_DOUBLE_MAT4},
        },
        {
            {GL_FLOAT16_MAT2_AMD, GL_FLOAT16_MAT2x3_AMD, GL_FLOAT16_MAT2x4_AMD},
            {GL_FLOAT16_MAT3x2_AMD, GL_FLOAT16_MAT3_AMD, GL_FLOAT16_MAT3x4_AMD},
            {GL_FLOAT16_MAT4x2_AMD, GL_FLOAT16_MAT4x3_AMD, GL_FLOAT16_MAT4_AMD},
        },
    };
    const unsigned kind = t->base_type == GLSL_TYPE_DOUBLE ? 1 : glsl_type_is_16bit(t) ? 2 : 0;
    return types[kind][t->matrix_columns - 2][t->vector_elements - 2];
}

struct sampler_name {
    uint8_t dim;
    bool array, shadow;
    GLenum types[3]; /* for float, integer and unsigned samplers */
};

static const struct sampler_name sampler_names[] = {
    {GLSL_SAMPLER_DIM_1D,
     false,
     false,
     {GL_SAMPLER_1D, GL_INT_SAMPLER_1D, GL_UNSIGNED_INT_SAMPLER_1D}},
    {GLSL_SAMPLER_DIM_2D,
     false,
     false,
     {GL_SAMPLER_2D, GL_INT_SAMPLER_2D, GL_UNSIGNED_INT_SAMPLER_2D}},
    {GLSL_SAMPLER_DIM_3D,
     false,
     false,
     {GL_SAMPLER_3D, GL_INT_SAMPLER_3D, GL_UNSIGNED_INT_SAMPLER_3D}},
    {GLSL_SAMPLER_DIM_CUBE,
     false,
     false,
     {GL_SAMPLER_CUBE, GL_INT_SAMPLER_CUBE, GL_UNSIGNED_INT_SAMPLER_CUBE}},
    {GLSL_SAMPLER_DIM_RECT,
     false,
     false,
     {GL_SAMPLER_2D_RECT, GL_INT_SAMPLER_2D_RECT, GL_UNSIGNED_INT_SAMPLER_2D_RECT}},
    {GLSL_SAMPLER_DIM_BUF,
     false,
     false,
     {GL_SAMPLER_BUFFER, GL_INT_SAMPLER_BUFFER, GL_UNSIGNED_INT_SAMPLER_BUFFER}},
    {GLSL_SAMPLER_DIM_MS,
     false,
     false,
     {GL_SAMPLER_2D_MULTISAMPLE, GL_INT_SAMPLER_2D_MULTISAMPLE,
      GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE}},
    {GLSL_SAMPLER_DIM_EXTERNAL, false, false, {GL_SAMPLER_EXTERNAL_OES}},
    {GLSL_SAMPLER_DIM_1D,
     true,
     false,
     {GL_SAMPLER_1D_ARRAY, GL_INT_SAMPLER_1D_ARRAY, GL_UNSIGNED_INT_SAMPLER_1D_ARRAY}},
    {GLSL_SAMPLER_DIM_2D,
     true,
     false,
     {GL_SAMPLER_2D_ARRAY, GL_INT_SAMPLER_2D_ARRAY, GL_UNSIGNED_INT_SAMPLER_2D_ARRAY}},
    {GLSL_SAMPLER_DIM_CUBE,
     true,
     false,
     {GL_SAMPLER_CUBE_MAP_ARRAY, GL_INT_SAMPLER_CUBE_MAP_ARRAY,
      GL_UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY}},
    {GLSL_SAMPLER_DIM_MS,
     true,
     false,
     {GL_SAMPLER_2D_MULTISAMPLE_ARRAY, GL_INT_SAMPLER_2D_MULTISAMPLE_ARRAY,
      GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY}},
    {GLSL_SAMPLER_DIM_1D, false, true, {GL_SAMPLER_1D_SHADOW}},
    {GLSL_SAMPLER_DIM_2D, false, true, {GL_SAMPLER_2D_SHADOW}},
    {GLSL_SAMPLER_DIM_CUBE, false, true, {GL_SAMPLER_CUBE_SHADOW}},
    {GLSL_SAMPLER_DIM_RECT, false, true, {GL_SAMPLER_2D_RECT_SHADOW}},
    {GLSL_SAMPLER_DIM_1D, true, true, {GL_SAMPLER_1D_ARRAY_SHADOW}},
    {GLSL_SAMPLER_DIM_2D, true, true, {GL_SAMPLER_2D_ARRAY_SHADOW}},
    {GLSL_SAMPLER_DIM_CUBE, true, true, {GL_SAMPLER_CUBE_MAP_ARRAY_SHADOW}},
};

static GLenum sampler_type(const struct glsl_type *t)
{
    unsigned kind = t->sampled_type == GLSL_TYPE_INT    ? 1
                    : t->sampled_type == GLSL_TYPE_UINT ? 2
                                                        : 0;
    for (unsigned i = 0; i < ARRAY_SIZE(sampler_names); i++) {
        const struct sampler_name *s = &sampler_names[i];
        if (s->dim == t->sampler_dim && s->array == t->sampler_array &&
            s->shadow == t->sampler_shadow)
            return s->types[kind];
    }
    return GL_NONE;
}

/* The integer and unsigned enumerants of an image type follow its float enumerant at a constant
 * distance. */
static GLenum image_type(const struct glsl_type *t)
{
    static const GLenum types[][2] = {
        [GLSL_SAMPLER_DIM_1D] = {GL_IMAGE_1D, GL_IMAGE_1D_ARRAY},
        [GLSL_SAMPLER_DIM_2D] = {GL_IMAGE_2D, GL_IMAGE_2D_ARRAY},
        [GLSL_SAMPLER_DIM_3D] = {GL_IMAGE_3D},
        [GLSL_SAMPLER_DIM_CUBE] = {GL_IMAGE_CUBE, GL_IMAGE_CUBE_MAP_ARRAY},
        [GLSL_SAMPLER_DIM_RECT] = {GL_IMAGE_2D_RECT},
        [GLSL_SAMPLER_DIM_BUF] = {GL_IMAGE_BUFFER},
        [GLSL_SAMPLER_DIM_MS] = {GL_IMAGE_2D_MULTISAMPLE, GL_IMAGE_2D_MULTISAMPLE_ARRAY},
    };
    unsigned kind = t->sampled_type == GLSL_TYPE_INT    ? GL_INT_IMAGE_1D - GL_IMAGE_1D
                    : t->sampled_type == GLSL_TYPE_UINT ? GL_UNSIGNED_INT_IMAGE_1D - GL_IMAGE_1D
                                                        : 0;
    return types[t->sampler_dim][t->sampler_array] + kind;
}

GLenum gl_uniform_type(const struct glsl_type *type)
{
    const struct glsl_type *t = glsl_without_array(type);
    if (glsl_type_is_sampler(t))
        return sampler_type(t);
    if (glsl_type_is_image(t))
        return image_type(t);
    if (t->base_type == GLSL_TYPE_ATOMIC_UINT)
        return GL_UNSIGNED_INT_ATOMIC_COUNTER;
    return glsl_type_is_matrix(t) ? matrix_type(t) : vector_type(t);
}

/* --------------------------------------------------------------------------- glGetProgramiv --- */

static GLint name_length(const char *name)
{
    return (GLint)strlen(name) + 1;
}

static bool active_attrib(const struct gl_executable *exe)
{
    return exe && exe->stage[SHADER_VERTEX];
}

static GLint max_uniform_length(const struct gl_executable *exe)
{
    GLint longest = 0;
    for (unsigned i = 0; exe && i < exe->glsl->num_active_uniforms; i++)
        longest = MAX2(longest, name_length(exe->glsl->uniforms[i].name));
    return longest;
}

static GLint max_attrib_length(const struct gl_executable *exe)
{
    GLint longest = 0;
    for (unsigned i = 0; active_attrib(exe) && i < exe->glsl->num_inputs; i++)
        longest = MAX2(longest, name_length(exe->glsl->inputs[i].name));
    return longest;
}

/* Counts uniform blocks, without storage blocks. *longest: maximum name length. */
static GLint count_blocks(const struct gl_executable *exe, GLint *longest)
{
    GLint count = 0;
    *longest = 0;
    for (unsigned i = 0; exe && i < exe->glsl->num_blocks; i++) {
        if (exe->glsl->blocks[i].is_storage)
            continue;
        count++;
        *longest = MAX2(*longest, name_length(exe->glsl->blocks[i].name));
    }
    return count;
}

bool gl_program_get(struct gl_context *ctx, struct gl_program *p, GLenum pname, GLint *value)
{
    bool blocks =
        ctx->ext.ARB_uniform_buffer_object || (gl_is_es(ctx) && ctx->consts.version >= 30);
    GLint longest, count;
    switch (pname) {
    case GL_DELETE_STATUS:
        *value = p->delete_pending;
        return true;
    case GL_LINK_STATUS:
        *value = p->linked;
        return true;
    case GL_COMPLETION_STATUS_KHR:
        *value = GL_TRUE;
        return true;
    case GL_VALIDATE_STATUS:
        *value = p->validated;
        return true;
    case GL_INFO_LOG_LENGTH:
        *value = p->info_log && *p->info_log ? name_length(p->info_log) : 0;
        return true;
    case GL_ATTACHED_SHADERS:
        *value = p->num_shaders;
        return true;
    case GL_ACTIVE_ATTRIBUTES:
        *value = active_attrib(p->exe) ? p->exe->glsl->num_inputs : 0;
        return true;
    case GL_ACTIVE_ATTRIBUTE_MAX_LENGTH:
        *value = max_attrib_length(p->exe);
        return true;
    case GL_ACTIVE_UNIFORMS:
        *value = p->exe ? p->exe->glsl->num_active_uniforms : 0;
        return true;
    case GL_ACTIVE_UNIFORM_MAX_LENGTH:
        *value = max_uniform_length(p->exe);
        return true;
    case GL_ACTIVE_UNIFORM_BLOCKS:
    case GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH:
        count = count_blocks(p->exe, &longest);
        *value = pname == GL_ACTIVE_UNIFORM_BLOCKS ? count : longest;
        return blocks;
    case GL_ACTIVE_ATOMIC_COUNTER_BUFFERS:
        *value = p->exe ? p->exe->glsl->num_atomic_buffers : 0;
        return ctx->consts.glsl->limits.max_combined_atomic_buffers > 0;
    case GL_TRANSFORM_FEEDBACK_VARYINGS:
        *value = p->exe ? p->exe->glsl->num_xfb : 0;
        return ctx->consts.version >= 30 || ctx->ext.EXT_transform_feedback;
    case GL_TRANSFORM_FEEDBACK_BUFFER_MODE:
        *value = p->xfb_mode ? p->xfb_mode : GL_INTERLEAVED_ATTRIBS;
        return ctx->consts.version >= 30 || ctx->ext.EXT_transform_feedback;
    case GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH:
        longest = 0;
        for (unsigned i = 0; p->exe && i < p->exe->glsl->num_xfb; i++)
            longest = MAX2(longest, name_length(p->exe->glsl->xfb[i].name));
        *value = longest;
        return ctx->consts.version >= 30 || ctx->ext.EXT_transform_feedback;
    case GL_PROGRAM_SEPARABLE:
        *value = p->linked && p->separable; /* FALSE before a successful link */
        return ctx->consts.version >= (gl_is_es(ctx) ? 31 : 41) ||
               ctx->ext.ARB_separate_shader_objects;
    case GL_PROGRAM_BINARY_RETRIEVABLE_HINT:
        *value = p->retrievable;
        return ctx->consts.version >= (gl_is_es(ctx) ? 30 : 41) || ctx->ext.ARB_get_program_binary;
    case GL_PROGRAM_BINARY_LENGTH:
        *value = gl_program_binary_length(ctx, p);
        return ctx->consts.version >= (gl_is_es(ctx) ? 30 : 41) ||
               ctx->ext.ARB_get_program_binary || ctx->ext.OES_get_program_binary;
    default:
        return false;
    }
}

static bool is_geometry_property(const struct gl_context *ctx, GLenum pname)
{
    bool has =
        ctx->consts.version >= 32 || ctx->ext.OES_geometry_shader || ctx->ext.EXT_geometry_shader;
    switch (pname) {
    case GL_GEOMETRY_VERTICES_OUT:
    case GL_GEOMETRY_INPUT_TYPE:
    case GL_GEOMETRY_OUTPUT_TYPE:
        return has;
    case GL_GEOMETRY_SHADER_INVOCATIONS:
        return has && (gl_is_es(ctx) || ctx->consts.version >= 40 || ctx->ext.ARB_gpu_shader5);
    default:
        return false;
    }
}

/* Returns a parameter that glProgramParameteriARB sets (ARB_geometry_shader4), whose names differ
 * from those of GL 3.2. Returns false if pname is not one. */
static bool get_geometry_parameter(const struct gl_program *p, GLenum pname, GLint *value)
{
    switch (pname) {
    case GL_GEOMETRY_VERTICES_OUT_ARB:
        *value = p->geometry.vertices_out;
        return true;
    case GL_GEOMETRY_INPUT_TYPE_ARB:
        *value = (GLint)p->geometry.input;
        return true;
    case GL_GEOMETRY_OUTPUT_TYPE_ARB:
        *value = (GLint)p->geometry.output;
        return true;
    default:
        return false;
    }
}

/* GL 4.6 §7.13 */
static void get_geometry_property(struct gl_context *ctx, const struct gl_program *p, GLenum pname,
                                  GLint *value)
{
    const nir_shader *nir = p->linked && p->exe ? p->exe->glsl->nir[SHADER_GEOMETRY] : NULL;
    if (!nir) {
        gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramiv(%s without a geometry shader)",
                 gl_enum_name(pname));
        return;
    }
    *value = pname == GL_GEOMETRY_VERTICES_OUT  ? nir->info.gs.vertices_out
             : pname == GL_GEOMETRY_INPUT_TYPE  ? nir->info.gs.input_primitive
             : pname == GL_GEOMETRY_OUTPUT_TYPE ? nir->info.gs.output_primitive
                                                : MAX2(nir->info.gs.invocations, 1);
}

static bool is_tessellation_property(const struct gl_context *ctx, GLenum pname)
{
    switch (pname) {
    case GL_TESS_CONTROL_OUTPUT_VERTICES:
    case GL_TESS_GEN_MODE:
    case GL_TESS_GEN_SPACING:
    case GL_TESS_GEN_VERTEX_ORDER:
    case GL_TESS_GEN_POINT_MODE:
        return gl_has_tessellation(ctx);
    default:
        return false;
    }
}

static GLint tessellation_property(const nir_shader_info *info, GLenum pname)
{
    static const GLenum mode[] = {
        [nir_tess_primitive_triangles] = GL_TRIANGLES,
        [nir_tess_primitive_quads] = GL_QUADS,
        [nir_tess_primitive_isolines] = GL_ISOLINES,
    };
    static const GLenum spacing[] = {
        [nir_tess_spacing_none] = GL_EQUAL,
        [nir_tess_spacing_equal] = GL_EQUAL,
        [nir_tess_spacing_fractional_odd] = GL_FRACTIONAL_ODD,
        [nir_tess_spacing_fractional_even] = GL_FRACTIONAL_EVEN,
    };
    switch (pname) {
    case GL_TESS_CONTROL_OUTPUT_VERTICES:
        return info->tess.vertices_out;
    case GL_TESS_GEN_MODE:
        return mode[info->tess.primitive_mode];
    case GL_TESS_GEN_SPACING:
        return spacing[info->tess.spacing];
    case GL_TESS_GEN_VERTEX_ORDER:
        return info->tess.ccw ? GL_CCW : GL_CW;
    default:
        return info->tess.point_mode;
    }
}

/* GL 4.6 §7.14 */
static void get_tessellation_property(struct gl_context *ctx, const struct gl_program *p,
                                      GLenum pname, GLint *value)
{
    enum shader_stage stage =
        pname == GL_TESS_CONTROL_OUTPUT_VERTICES ? SHADER_TESS_CTRL : SHADER_TESS_EVAL;
    const nir_shader *nir = p->linked && p->exe ? p->exe->glsl->nir[stage] : NULL;
    if (nir)
        *value = tessellation_property(&nir->info, pname);
    else
        gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramiv(%s without such a shader)",
                 gl_enum_name(pname));
}

/* Stores the group size of a compute, task or mesh shader (GL 4.6 §7.13). Programs with a variable
 * group size have none (ARB_compute_variable_group_size). */
static void get_group_size(struct gl_context *ctx, const struct gl_program *p,
                           enum shader_stage stage, GLint *value)
{
    const nir_shader *nir = p->linked && p->exe ? p->exe->glsl->nir[stage] : NULL;
    if (!nir || nir->info.cs.workgroup_size_variable) {
        gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramiv(no group size in the program)");
        return;
    }
    for (unsigned i = 0; i < 3; i++)
        value[i] = nir->info.cs.workgroup_size[i];
}

static bool is_mesh_property(const struct gl_context *ctx, GLenum pname)
{
    return ctx->ext.EXT_mesh_shader &&
           (pname == GL_TASK_WORK_GROUP_SIZE_EXT || pname == GL_MESH_WORK_GROUP_SIZE_EXT ||
            pname == GL_MESH_VERTICES_OUT_EXT || pname == GL_MESH_PRIMITIVES_OUT_EXT ||
            pname == GL_MESH_OUTPUT_TYPE_EXT);
}

/* Gets a property of the task or mesh shader (EXT_mesh_shader, GL §7.14). Raises an error if the
 * program has no such shader. */
static void get_mesh_property(struct gl_context *ctx, const struct gl_program *p, GLenum pname,
                              GLint *value)
{
    if (pname == GL_TASK_WORK_GROUP_SIZE_EXT || pname == GL_MESH_WORK_GROUP_SIZE_EXT) {
        get_group_size(ctx, p, pname == GL_TASK_WORK_GROUP_SIZE_EXT ? SHADER_TASK : SHADER_MESH,
                       value);
        return;
    }
    const nir_shader *nir = p->linked && p->exe ? p->exe->glsl->nir[SHADER_MESH] : NULL;
    if (!nir)
        gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramiv(%s without a mesh shader)",
                 gl_enum_name(pname));
    else if (pname == GL_MESH_OUTPUT_TYPE_EXT)
        *value = nir->info.cs.mesh_output; /* enum drv_primitive has GL's values */
    else
        *value = pname == GL_MESH_VERTICES_OUT_EXT ? nir->info.cs.mesh_vertices
                                                   : nir->info.cs.mesh_primitives;
}

void gl_GetProgramiv(GLuint program, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetProgramiv");
    if (p && ctx->ext.ARB_geometry_shader4 && get_geometry_parameter(p, pname, params))
        return;
    if (p && is_geometry_property(ctx, pname))
        get_geometry_property(ctx, p, pname, params);
    else if (p && is_tessellation_property(ctx, pname))
        get_tessellation_property(ctx, p, pname, params);
    else if (p && pname == GL_COMPUTE_WORK_GROUP_SIZE &&
             (ctx->ext.ARB_compute_shader || ctx->consts.version >= (gl_is_es(ctx) ? 31 : 43)))
        get_group_size(ctx, p, SHADER_COMPUTE, params);
    else if (p && is_mesh_property(ctx, pname))
        get_mesh_property(ctx, p, pname, params);
    else if (p && !gl_program_get(ctx, p, pname, params))
        gl_error(ctx, GL_INVALID_ENUM, "glGetProgramiv(pname=%s)", gl_enum_name(pname));
}

void gl_GetProgramInfoLog(GLuint program, GLsizei size, GLsizei *length, GLchar *out)
{
    GL_CONTEXT(ctx);
    if (size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetProgramInfoLog(bufSize=%d)", size);
        return;
    }
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetProgramInfoLog");
    if (p)
        gl_copy_string(size, length, out, p->info_log ? p->info_log : "");
}

/* -------------------------------------------------------------------------------- resources --- */

void gl_GetActiveUniform(GLuint program, GLuint index, GLsizei size, GLsizei *length,
                         GLint *elements, GLenum *type, GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetActiveUniform");
    if (!p)
        return;
    if (size < 0 || !p->exe || index >= p->exe->glsl->num_active_uniforms) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetActiveUniform(index=%u, bufSize=%d)", index, size);
        return;
    }
    const struct glsl_uniform *u = &p->exe->glsl->uniforms[index];
    if (elements)
        *elements = MAX2(u->array_size, 1);
    if (type)
        *type = gl_uniform_type(u->type);
    gl_copy_string(size, length, name, u->name);
}

void gl_GetActiveAttrib(GLuint program, GLuint index, GLsizei size, GLsizei *length,
                        GLint *elements, GLenum *type, GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetActiveAttrib");
    if (!p)
        return;
    if (size < 0 || !active_attrib(p->exe) || index >= p->exe->glsl->num_inputs) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetActiveAttrib(index=%u, bufSize=%d)", index, size);
        return;
    }
    const struct glsl_attrib *a = &p->exe->glsl->inputs[index];
    if (elements)
        *elements = glsl_type_is_array(a->type) ? glsl_aoa_size(a->type) : 1;
    if (type)
        *type = gl_uniform_type(a->type);
    gl_copy_string(size, length, name, a->name);
}

bool gl_split_subscript(const char *name, size_t *base, unsigned *index)
{
    size_t n = strlen(name);
    if (n < 4 || name[n - 1] != ']')
        return false;
    size_t at = n - 2;
    while (at > 0 && isdigit((unsigned char)name[at]))
        at--;
    size_t digits = n - 2 - at;
    if (!at || name[at] != '[' || !digits || digits > 9 || (name[at + 1] == '0' && digits > 1))
        return false;
    *base = at;
    *index = (unsigned)strtoul(name + at + 1, NULL, 10);
    return true;
}

/* Returns the element that name refers to in an active array "a[0]" or "a"; -1 if name refers to
 * something else. */
static int element_of(const char *active, unsigned array_size, const char *name)
{
    if (!*active) /* SPIR-V modules have no names (ARB_gl_spirv 7.3.1) */
        return -1;
    if (!strcmp(active, name))
        return 0;
    size_t length = strlen(active), base;
    unsigned index;
    if (length > 3 && !strcmp(active + length - 3, "[0]"))
        length -= 3;
    if (!array_size || strncmp(active, name, length))
        return -1;
    if (!name[length])
        return 0;
    if (!gl_split_subscript(name, &base, &index) || base != length || index >= array_size)
        return -1;
    return (int)index;
}

GLint gl_GetUniformLocation(GLuint program, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup_linked(ctx, program, "glGetUniformLocation");
    if (!p || !name)
        return -1;
    for (unsigned i = 0; i < p->exe->glsl->num_uniforms; i++) {
        const struct glsl_uniform *u = &p->exe->glsl->uniforms[i];
        if (u->location < 0)
            continue;
        /* like Mesa, finds a uniform that is not an array as "u[0]", too */
        int element = element_of(u->name, MAX2(u->array_size, 1), name);
        if (element >= 0)
            return u->location + element;
    }
    return -1;
}

GLint gl_GetAttribLocation(GLuint program, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup_linked(ctx, program, "glGetAttribLocation");
    if (!p || !name || !active_attrib(p->exe))
        return -1;
    for (unsigned i = 0; i < p->exe->glsl->num_inputs; i++) {
        const struct glsl_attrib *a = &p->exe->glsl->inputs[i];
        unsigned size = glsl_type_is_array(a->type) ? glsl_aoa_size(a->type) : 0;
        int element = a->location < 0 ? -1 : element_of(a->name, size, name);
        if (element >= 0)
            return a->location +
                   element * glsl_count_attribute_slots(glsl_without_array(a->type), true);
    }
    return -1;
}

static const struct glsl_attrib *find_output(const struct gl_executable *exe, const char *name,
                                             int *element)
{
    for (unsigned i = 0; exe->stage[SHADER_FRAGMENT] && i < exe->glsl->num_outputs; i++) {
        const struct glsl_attrib *a = &exe->glsl->outputs[i];
        unsigned size = glsl_type_is_array(a->type) ? glsl_aoa_size(a->type) : 0;
        *element = a->location < 0 ? -1 : element_of(a->name, size, name);
        if (*element >= 0)
            return a;
    }
    return NULL;
}

GLint gl_GetFragDataLocation(GLuint program, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup_linked(ctx, program, "glGetFragDataLocation");
    int element;
    const struct glsl_attrib *a = p && name ? find_output(p->exe, name, &element) : NULL;
    return a ? a->location + element : -1;
}

GLint gl_GetFragDataIndex(GLuint program, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup_linked(ctx, program, "glGetFragDataIndex");
    int element;
    const struct glsl_attrib *a = p && name ? find_output(p->exe, name, &element) : NULL;
    return a ? a->index : -1;
}

void gl_GetTransformFeedbackVarying(GLuint program, GLuint index, GLsizei bufsize, GLsizei *length,
                                    GLsizei *size, GLenum *type, GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetTransformFeedbackVarying");
    if (!p)
        return;
    if (bufsize < 0 || !p->exe || index >= p->exe->glsl->num_xfb) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetTransformFeedbackVarying(index=%u, bufSize=%d)",
                 index, bufsize);
        return;
    }
    const struct glsl_xfb_output *x = &p->exe->glsl->xfb[index];
    if (size)
        *size = x->type ? MAX2(x->array_size, 1) : x->array_size;
    if (type)
        *type = x->type ? gl_uniform_type(x->type) : GL_NONE;
    gl_copy_string(bufsize, length, name, x->name);
}
