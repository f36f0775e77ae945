/* SPDX-License-Identifier: MIT */
/* Values of uniforms (GL 4.6 §7.6.1, §7.12): stored packed in the executable's default block. */
#include "gl/api/gl_context.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

/* ------------------------------------------------------------------------------------ finding --- */

/* The uniform of a location and the element of it; NULL: none, or with an error raised unless the
 * location is -1. */
static const struct glsl_uniform *find_uniform(struct gl_context *ctx, struct gl_executable *exe,
                                               GLint location, unsigned *element, const char *call)
{
    if (!exe) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no program)", call);
        return NULL;
    }
    if (location == -1)
        return NULL;
    int index = location >= 0 && (unsigned)location < exe->glsl->num_locations
                    ? exe->glsl->location_to_uniform[location]
                    : -1;
    if (index < 0) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(location=%d)", call, location);
        return NULL;
    }
    const struct glsl_uniform *u = &exe->glsl->uniforms[index];
    *element = location - u->location;
    return u;
}

/* Elements that count values from element on may write; -1: error raised. */
static int clamp_count(struct gl_context *ctx, const struct glsl_uniform *u, unsigned element,
                       GLsizei count, const char *call)
{
    if (count < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(count=%d)", call, count);
        return -1;
    }
    if (count > 1 && !u->array_size) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(count=%d, but %s is no array)", call, count,
                 u->name);
        return -1;
    }
    return MIN2(count, (GLsizei)(MAX2(u->array_size, 1) - element));
}

/* Before values of exe change. */
static void uniforms_change(struct gl_context *ctx, struct gl_executable *exe, uint32_t dirty)
{
    if (exe == ctx->program.exe || exe == ctx->program.vertex || exe == ctx->program.fragment)
        FLUSH_VERTICES(ctx, GL_DIRTY_UNIFORMS | dirty);
    exe->stamp++;
}

/* ----------------------------------------------------------------------------------- storing --- */

static void store_vectors(struct gl_context *ctx, struct gl_executable *exe,
                          const struct glsl_uniform *u, unsigned element, unsigned count,
                          enum glsl_base_type base, const void *data)
{
    unsigned n = u->type->vector_elements;
    const uint32_t *src = data;
    uint32_t value[4];
    bool changed = false;
    for (unsigned i = 0; i < count; i++, src += n) {
        uint8_t *dst = exe->storage + u->offset + (element + i) * u->array_stride;
        memcpy(value, src, n * 4);
        if (u->type->base_type == GLSL_TYPE_BOOL) /* -0.0 is false too */
            for (unsigned c = 0; c < n; c++)
                value[c] = base == GLSL_TYPE_FLOAT ? uif(value[c]) != 0.0f : value[c] != 0;
        if (!changed && !memcmp(dst, value, n * 4))
            continue;
        if (!changed)
            uniforms_change(ctx, exe, 0);
        changed = true;
        memcpy(dst, value, n * 4);
    }
}

static void store_units(struct gl_context *ctx, struct gl_executable *exe,
                        const struct glsl_uniform *u, unsigned element, unsigned count,
                        const GLint *units, const char *call)
{
    for (unsigned i = 0; i < count; i++) {
        if (units[i] < 0 || units[i] >= ctx->consts.max_combined_texture_image_units) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(%s: unit %d)", call, u->name, units[i]);
            return;
        }
    }
    bool changed = false;
    for (unsigned i = 0; i < count; i++)
        changed |= exe->opaque_units[u->location + element + i] != units[i];
    if (!changed)
        return;
    uniforms_change(ctx, exe, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM);
    exe->units_stamp++;
    for (unsigned i = 0; i < count; i++) {
        exe->opaque_units[u->location + element + i] = units[i];
        for (unsigned s = 0; s < SHADER_STAGES; s++) {
            unsigned slot = u->opaque_index[s] + element + i;
            if (exe->stage[s] && u->opaque_index[s] >= 0 && slot < DRV_MAX_SAMPLERS &&
                glsl_type_is_sampler(u->type))
                exe->stage[s]->sampler[slot].unit = units[i];
        }
    }
}

/* Which commands may set which types (GL 4.6 §7.6.1). */
static bool type_matches(const struct glsl_type *t, enum glsl_base_type base, unsigned n)
{
    if (glsl_type_is_sampler(t))
        return base == GLSL_TYPE_INT && n == 1;
    return t->matrix_columns == 1 && t->vector_elements == n &&
           (t->base_type == base || t->base_type == GLSL_TYPE_BOOL);
}

static void set_uniform(struct gl_context *ctx, struct gl_executable *exe, GLint location,
                        GLsizei count, enum glsl_base_type base, unsigned n, const void *data,
                        const char *call)
{
    unsigned element;
    const struct glsl_uniform *u = find_uniform(ctx, exe, location, &element, call);
    if (!u)
        return;
    int elements = clamp_count(ctx, u, element, count, call);
    if (elements < 0)
        return;
    if (!type_matches(u->type, base, n)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is a %s)", call, u->name, u->type->name);
        return;
    }
    if (u->opaque)
        store_units(ctx, exe, u, element, elements, data, call);
    else
        store_vectors(ctx, exe, u, element, elements, base, data);
}

static unsigned column_stride(const struct glsl_uniform *u)
{
    return u->matrix_stride ? u->matrix_stride : u->type->vector_elements * 4;
}

static void set_matrix(struct gl_context *ctx, struct gl_executable *exe, GLint location,
                       GLsizei count, GLboolean transpose, unsigned columns, unsigned rows,
                       const GLfloat *data, const char *call)
{
    unsigned element;
    const struct glsl_uniform *u = find_uniform(ctx, exe, location, &element, call);
    if (!u)
        return;
    int elements = clamp_count(ctx, u, element, count, call);
    if (elements < 0)
        return;
    if (u->type->base_type != GLSL_TYPE_FLOAT || u->type->matrix_columns != columns ||
        u->type->vector_elements != rows || columns == 1) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is a %s)", call, u->name, u->type->name);
        return;
    }
    /* ES 2.0 §2.10.4 */
    if (transpose && gl_is_es(ctx) && ctx->consts.version < 30) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(transpose)", call);
        return;
    }
    bool changed = false;
    for (int i = 0; i < elements; i++, data += columns * rows) {
        for (unsigned c = 0; c < columns; c++) {
            float column[4];
            for (unsigned r = 0; r < rows; r++)
                column[r] = transpose ? data[r * columns + c] : data[c * rows + r];
            uint8_t *dst =
                exe->storage + u->offset + (element + i) * u->array_stride + c * column_stride(u);
            if (!changed && !memcmp(dst, column, rows * 4))
                continue;
            if (!changed)
                uniforms_change(ctx, exe, 0);
            changed = true;
            memcpy(dst, column, rows * 4);
        }
    }
}

/* ---------------------------------------------------------------------------------- commands --- */

static struct gl_executable *executable_of(struct gl_context *ctx, GLuint program, const char *call)
{
    struct gl_program *p = gl_program_lookup_linked(ctx, program, call);
    return p ? p->exe : NULL;
}

#define VALUES1       v0
#define VALUES2       v0, v1
#define VALUES3       v0, v1, v2
#define VALUES4       v0, v1, v2, v3
#define PARAMS1(type) type v0
#define PARAMS2(type) type v0, type v1
#define PARAMS3(type) type v0, type v1, type v2
#define PARAMS4(type) type v0, type v1, type v2, type v3

/* The four commands for one type and size, on the current program and on a named one. */
#define UNIFORM(n, suffix, type, base)                                                             \
    void gl_Uniform##n##suffix(GLint location, PARAMS##n(type))                                    \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        type v[] = {VALUES##n};                                                                    \
        set_uniform(ctx, gl_uniform_executable(ctx), location, 1, base, n, v,                      \
                    "glUniform" #n #suffix);                                                       \
    }                                                                                              \
    void gl_Uniform##n##suffix##v(GLint location, GLsizei count, const type *value)                \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_uniform(ctx, gl_uniform_executable(ctx), location, count, base, n, value,              \
                    "glUniform" #n #suffix "v");                                                   \
    }                                                                                              \
    void gl_ProgramUniform##n##suffix(GLuint program, GLint location, PARAMS##n(type))             \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        type v[] = {VALUES##n};                                                                    \
        struct gl_executable *exe = executable_of(ctx, program, "glProgramUniform" #n #suffix);    \
        if (exe)                                                                                   \
            set_uniform(ctx, exe, location, 1, base, n, v, "glProgramUniform" #n #suffix);         \
    }                                                                                              \
    void gl_ProgramUniform##n##suffix##v(GLuint program, GLint location, GLsizei count,            \
                                         const type *value)                                        \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        struct gl_executable *exe =                                                                \
            executable_of(ctx, program, "glProgramUniform" #n #suffix "v");                        \
        if (exe)                                                                                   \
            set_uniform(ctx, exe, location, count, base, n, value,                                 \
                        "glProgramUniform" #n #suffix "v");                                        \
    }

UNIFORM(1, f, GLfloat, GLSL_TYPE_FLOAT)
UNIFORM(2, f, GLfloat, GLSL_TYPE_FLOAT)
UNIFORM(3, f, GLfloat, GLSL_TYPE_FLOAT)
UNIFORM(4, f, GLfloat, GLSL_TYPE_FLOAT)
UNIFORM(1, i, GLint, GLSL_TYPE_INT)
UNIFORM(2, i, GLint, GLSL_TYPE_INT)
UNIFORM(3, i, GLint, GLSL_TYPE_INT)
UNIFORM(4, i, GLint, GLSL_TYPE_INT)
UNIFORM(1, ui, GLuint, GLSL_TYPE_UINT)
UNIFORM(2, ui, GLuint, GLSL_TYPE_UINT)
UNIFORM(3, ui, GLuint, GLSL_TYPE_UINT)
UNIFORM(4, ui, GLuint, GLSL_TYPE_UINT)

#define MATRIX(suffix, columns, rows)                                                              \
    void gl_UniformMatrix##suffix(GLint location, GLsizei count, GLboolean transpose,              \
                                  const GLfloat *value)                                            \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_matrix(ctx, gl_uniform_executable(ctx), location, count, transpose, columns, rows,     \
                   value, "glUniformMatrix" #suffix);                                              \
    }                                                                                              \
    void gl_ProgramUniformMatrix##suffix(GLuint program, GLint location, GLsizei count,            \
                                         GLboolean transpose, const GLfloat *value)                \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        struct gl_executable *exe = executable_of(ctx, program, "glProgramUniformMatrix" #suffix); \
        if (exe)                                                                                   \
            set_matrix(ctx, exe, location, count, transpose, columns, rows, value,                 \
                       "glProgramUniformMatrix" #suffix);                                          \
    }

MATRIX(2fv, 2, 2)
MATRIX(3fv, 3, 3)
MATRIX(4fv, 4, 4)
MATRIX(2x3fv, 2, 3)
MATRIX(3x2fv, 3, 2)
MATRIX(2x4fv, 2, 4)
MATRIX(4x2fv, 4, 2)
MATRIX(3x4fv, 3, 4)
MATRIX(4x3fv, 4, 3)

/* ----------------------------------------------------------------------------------- reading --- */

/* Component i of a uniform's element in column-major order. */
static double read_component(const struct gl_executable *exe, const struct glsl_uniform *u,
                             unsigned element, unsigned i)
{
    if (u->opaque)
        return exe->opaque_units[u->location + element];
    unsigned rows = u->type->vector_elements;
    const uint8_t *at = exe->storage + u->offset + element * u->array_stride +
                        i / rows * (u->type->matrix_columns > 1 ? column_stride(u) : 0) +
                        i % rows * 4;
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    switch (u->type->base_type) {
    case GLSL_TYPE_INT:
        return (int32_t)bits;
    case GLSL_TYPE_UINT:
        return bits;
    case GLSL_TYPE_BOOL:
        return bits != 0;
    default:
        return uif(bits);
    }
}

/* Components to read; 0 with an error raised. value_bytes: size of one as asked for. */
static unsigned read_uniform(struct gl_context *ctx, GLuint program, GLint location, GLsizei size,
                             unsigned value_bytes, double v[16], const char *call)
{
    struct gl_executable *exe = executable_of(ctx, program, call);
    unsigned element;
    if (!exe)
        return 0;
    if (location == -1) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(location=-1)", call);
        return 0;
    }
    const struct glsl_uniform *u = find_uniform(ctx, exe, location, &element, call);
    if (!u)
        return 0;
    unsigned n = u->opaque ? 1 : u->type->vector_elements * u->type->matrix_columns;
    if (size < 0 || (unsigned)size < n * value_bytes) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(bufSize=%d)", call, size);
        return 0;
    }
    for (unsigned i = 0; i < n; i++)
        v[i] = read_component(exe, u, element, i);
    return n;
}

/* GL 4.6 §2.2.2: queries of integers round floats. */
static GLint to_int(double v)
{
    v = v < 0.0 ? v - 0.5 : v + 0.5;
    return v >= INT32_MAX ? INT32_MAX : v > INT32_MIN ? (GLint)v : INT32_MIN;
}

static GLuint to_uint(double v)
{
    return v < 0.0 ? (GLuint)to_int(v) : v >= UINT32_MAX ? UINT32_MAX : (GLuint)(v + 0.5);
}

#define GET_UNIFORM(suffix, type, convert)                                                         \
    void gl_GetnUniform##suffix(GLuint program, GLint location, GLsizei size, type *params)        \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        double v[16];                                                                              \
        unsigned n = read_uniform(ctx, program, location, size, sizeof *params, v,                 \
                                  "glGetnUniform" #suffix);                                        \
        for (unsigned i = 0; i < n; i++)                                                           \
            params[i] = convert(v[i]);                                                             \
    }                                                                                              \
    void gl_GetUniform##suffix(GLuint program, GLint location, type *params)                       \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        double v[16];                                                                              \
        unsigned n = read_uniform(ctx, program, location, INT32_MAX, sizeof *params, v,            \
                                  "glGetUniform" #suffix);                                         \
        for (unsigned i = 0; i < n; i++)                                                           \
            params[i] = convert(v[i]);                                                             \
    }

GET_UNIFORM(fv, GLfloat, (GLfloat))
GET_UNIFORM(iv, GLint, to_int)
GET_UNIFORM(uiv, GLuint, to_uint)

void gl_GetnUniformfvARB(GLuint program, GLint location, GLsizei size, GLfloat *params)
{
    gl_GetnUniformfv(program, location, size, params);
}

void gl_GetnUniformivARB(GLuint program, GLint location, GLsizei size, GLint *params)
{
    gl_GetnUniformiv(program, location, size, params);
}

void gl_GetnUniformuivARB(GLuint program, GLint location, GLsizei size, GLuint *params)
{
    gl_GetnUniformuiv(program, location, size, params);
}
