/* SPDX-License-Identifier: MIT */
/* Uniform values (GL 4.6 §7.6.1, §7.12), stored packed in the executable's default block. */
#include <math.h>

#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/half.h"

/* ---------------------------------------------------------------------------------- finding --- */

/* Returns whether the location was explicitly assigned to an inactive uniform. */
static bool is_inactive(const struct gl_executable *exe, GLint location)
{
    return location >= 0 && (unsigned)location < exe->glsl->num_locations &&
           exe->glsl->location_to_uniform[location] == -2;
}

/* Returns the uniform at a location, and its array element. Returns NULL for location -1 and
 * locations of inactive uniforms, whose values are ignored (GL 4.6 §7.6). Otherwise, NULL means
 * that an error was raised. */
static const struct glsl_uniform *find_uniform(struct gl_context *ctx, struct gl_executable *exe,
                                               GLint location, unsigned *element, const char *call)
{
    if (!exe) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no linked program)", call);
        return NULL;
    }
    if (location == -1 || is_inactive(exe, location))
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

/* Returns the number of elements that `count` values can set, starting at `element`. -1: an error
 * was raised. */
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

/* Call before changing values that the stages in a mask read. Other stages keep their constants. */
static void uniforms_change(struct gl_context *ctx, struct gl_executable *exe, unsigned stages,
                            uint64_t dirty)
{
    for (uint32_t rest = stages; rest;) {
        const int s = u_bit_scan(&rest);
        if (!exe->stage[s])
            continue;
        if (gl_stage_executable(ctx, s) == exe)
            FLUSH_VERTICES(ctx, GL_DIRTY_UNIFORMS | dirty);
        exe->stage[s]->stamp++;
    }
}

/* ---------------------------------------------------------------------------------- storing --- */

static unsigned component_bytes(const struct glsl_type *t)
{
    return glsl_type_is_64bit(t) ? 8 : 4;
}

/* Half floats are stored as floats (AMD_gpu_shader_half_float). */
static void round_to_halves(const struct glsl_uniform *u, float *value, unsigned count)
{
    for (unsigned i = 0; i < count && glsl_type_is_16bit(u->type); i++)
        value[i] = util_round_to_half(value[i]);
}

static unsigned column_stride(const struct glsl_uniform *u)
{
    return u->matrix_stride ? u->matrix_stride
                            : u->type->vector_elements * component_bytes(u->type);
}

/* Stores one column if it differs. *changed: whether the command has changed any value yet. */
static void store_column(struct gl_context *ctx, struct gl_executable *exe,
                         const struct glsl_uniform *u, uint8_t *dst, const void *value,
                         unsigned bytes, bool *changed)
{
    if (!*changed && !memcmp(dst, value, bytes))
        return;
    if (!*changed)
        uniforms_change(ctx, exe, u->stages, 0);
    *changed = true;
    memcpy(dst, value, bytes);
}

static void store_vectors(struct gl_context *ctx, struct gl_executable *exe,
                          const struct glsl_uniform *u, unsigned element, unsigned count,
                          enum glsl_base_type base, const void *data)
{
    unsigned n = u->type->vector_elements, bytes = n * component_bytes(u->type);
    const uint8_t *src = data;
    uint8_t *dst = exe->storage + u->offset + element * u->array_stride;
    bool changed = false, to_bool = u->type->base_type == GLSL_TYPE_BOOL;
    for (unsigned i = 0; i < count; i++, src += bytes, dst += u->array_stride) {
        uint32_t truth[4];
        if (to_bool) {
            memcpy(truth, src, bytes);
            for (unsigned c = 0; c < n; c++) /* -0.0 is also false */
                truth[c] = base == GLSL_TYPE_FLOAT ? uif(truth[c]) != 0.0f : truth[c] != 0;
        }
        float half[4];
        const bool to_half = glsl_type_is_16bit(u->type);
        if (to_half) {
            memcpy(half, src, bytes);
            round_to_halves(u, half, n);
        }
        store_column(ctx, exe, u, dst,
                     to_bool   ? (const void *)truth
                     : to_half ? (const void *)half
                               : src,
                     bytes, &changed);
    }
}

static void store_handles(struct gl_context *ctx, struct gl_executable *exe,
                          const struct glsl_uniform *u, unsigned element, unsigned count,
                          const uint64_t *handles);

static void store_units(struct gl_context *ctx, struct gl_executable *exe,
                        const struct glsl_uniform *u, unsigned element, unsigned count,
                        const GLint *units, const char *call)
{
    GLint limit = glsl_type_is_image(u->type) ? (GLint)ctx->consts.glsl->limits.max_image_units
                                              : ctx->consts.max_combined_texture_image_units;
    for (unsigned i = 0; i < count; i++) {
        if (units[i] < 0 || units[i] >= limit) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(%s: unit %d)", call, u->name, units[i]);
            return;
        }
    }
    store_handles(ctx, exe, u, element, count, NULL);
    bool changed = false;
    for (unsigned i = 0; i < count; i++)
        changed |= exe->opaque_units[u->location + element + i] != units[i];
    if (!changed)
        return;
    bool image = glsl_type_is_image(u->type);
    uniforms_change(ctx, exe, u->stages,
                    image ? GL_DIRTY_IMAGES : GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM);
    exe->units_stamp++;
    for (unsigned i = 0; i < count; i++) {
        exe->opaque_units[u->location + element + i] = units[i];
        for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
            unsigned slot = u->opaque_index[s] + element + i;
            if (!exe->stage[s] || u->opaque_index[s] < 0)
                continue;
            if (image && slot < DRV_MAX_IMAGES)
                exe->stage[s]->image[slot].unit = units[i];
            else if (!image && slot < DRV_MAX_SAMPLERS && glsl_type_is_sampler(u->type))
                exe->stage[s]->sampler[slot].unit = units[i];
        }
    }
}

/* Commands for floats also set half floats. */
static bool base_matches(const struct glsl_type *t, enum glsl_base_type base)
{
    return t->base_type == base || (glsl_type_is_16bit(t) && base == GLSL_TYPE_FLOAT);
}

/* Returns the handles of a sampler or image uniform, or NULL if no code reads them. */
static uint8_t *handle_storage(const struct gl_executable *exe, const struct glsl_uniform *u,
                               unsigned element)
{
    return u->opaque && u->handle_offset >= 0 ? exe->storage + u->handle_offset + 8 * element
                                              : NULL;
}

/* Records which samplers of a uniform refer to texture image units, and which to handles. Only the
 * former must agree about the type of the texture (ARB_bindless_texture, §2.14.6). */
static void use_handles(struct gl_executable *exe, const struct glsl_uniform *u, unsigned element,
                        unsigned count, const uint64_t *handles)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        for (unsigned i = 0; i < count && exe->stage[s] && u->opaque_index[s] >= 0; i++) {
            unsigned slot = u->opaque_index[s] + element + i;
            if (glsl_type_is_sampler(u->type) && slot < DRV_MAX_SAMPLERS)
                exe->stage[s]->sampler[slot].has_handle = handles && handles[i];
        }
    }
}

/* Stores handles, or zeros for `handles` NULL, which stand for units. */
static void store_handles(struct gl_context *ctx, struct gl_executable *exe,
                          const struct glsl_uniform *u, unsigned element, unsigned count,
                          const uint64_t *handles)
{
    uint8_t *at = handle_storage(exe, u, element);
    if (!at || !count)
        return;
    bool same = true, switches = false; /* switches: from a unit to a handle, or back */
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = handles ? handles[i] : 0, old;
        memcpy(&old, at + 8 * i, 8);
        same = same && old == value;
        switches |= !old != !value;
    }
    if (same)
        return;
    uniforms_change(ctx, exe, u->stages, switches ? GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM : 0);
    if (handles)
        memcpy(at, handles, count * 8);
    else
        memset(at, 0, count * 8);
    if (!switches)
        return;
    exe->units_stamp++;
    use_handles(exe, u, element, count, handles);
}

/* Returns whether a command can set uniforms of a type (GL 4.6 §7.6.1). In ES, the units of images
 * are fixed by their layout qualifiers (ES 3.2 §7.6). */
static bool type_matches(const struct gl_context *ctx, const struct glsl_type *t,
                         enum glsl_base_type base, unsigned n)
{
    if (glsl_type_is_sampler(t) || (glsl_type_is_image(t) && !gl_is_es(ctx)))
        return base == GLSL_TYPE_INT && n == 1;
    bool has_bools = base == GLSL_TYPE_FLOAT || base == GLSL_TYPE_INT || base == GLSL_TYPE_UINT;
    return t->matrix_columns == 1 && t->vector_elements == n &&
           (base_matches(t, base) || (t->base_type == GLSL_TYPE_BOOL && has_bools));
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
    if (!type_matches(ctx, u->type, base, n)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is a %s)", call, u->name, u->type->name);
        return;
    }
    if (u->opaque)
        store_units(ctx, exe, u, element, elements, data, call);
    else
        store_vectors(ctx, exe, u, element, elements, base, data);
}

static void set_matrix(struct gl_context *ctx, struct gl_executable *exe, GLint location,
                       GLsizei count, GLboolean transpose, enum glsl_base_type base,
                       unsigned columns, unsigned rows, const void *data, const char *call)
{
    unsigned element;
    /* This error doesn't depend on the location (ES 2.0 §2.10.4). */
    if (transpose && gl_is_es(ctx) && ctx->consts.version < 30) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(transpose)", call);
        return;
    }
    const struct glsl_uniform *u = find_uniform(ctx, exe, location, &element, call);
    if (!u)
        return;
    int elements = clamp_count(ctx, u, element, count, call);
    if (elements < 0)
        return;
    if (!base_matches(u->type, base) || u->type->matrix_columns != columns ||
        u->type->vector_elements != rows || columns == 1) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is a %s)", call, u->name, u->type->name);
        return;
    }
    unsigned size = component_bytes(u->type);
    const uint8_t *src = data;
    bool changed = false;
    for (int i = 0; i < elements; i++, src += columns * rows * size) {
        uint8_t *dst = exe->storage + u->offset + (element + i) * u->array_stride;
        for (unsigned c = 0; c < columns; c++, dst += column_stride(u)) {
            union {
                float f[4];
                double d[4];
            } column;
            for (unsigned r = 0; r < rows; r++)
                memcpy((uint8_t *)&column + r * size,
                       src + (transpose ? r * columns + c : c * rows + r) * size, size);
            round_to_halves(u, column.f, rows);
            store_column(ctx, exe, u, dst, &column, rows * size, &changed);
        }
    }
}

/* --------------------------------------------------------------------------------- commands --- */

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

/* Defines the four commands for a type and size: scalar and vector forms, for the current and for a
 * named program. */
#define UNIFORM(n, suffix, vendor, type, base)                                                     \
    void gl_Uniform##n##suffix##vendor(GLint location, PARAMS##n(type))                            \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        type v[] = {VALUES##n};                                                                    \
        set_uniform(ctx, gl_uniform_executable(ctx), location, 1, base, n, v,                      \
                    "glUniform" #n #suffix #vendor);                                               \
    }                                                                                              \
    void gl_Uniform##n##suffix##v##vendor(GLint location, GLsizei count, const type *value)        \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_uniform(ctx, gl_uniform_executable(ctx), location, count, base, n, value,              \
                    "glUniform" #n #suffix "v" #vendor);                                           \
    }                                                                                              \
    void gl_ProgramUniform##n##suffix##vendor(GLuint program, GLint location, PARAMS##n(type))     \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        static const char call[] = "glProgramUniform" #n #suffix #vendor;                          \
        type v[] = {VALUES##n};                                                                    \
        struct gl_executable *exe = executable_of(ctx, program, call);                             \
        if (exe)                                                                                   \
            set_uniform(ctx, exe, location, 1, base, n, v, call);                                  \
    }                                                                                              \
    void gl_ProgramUniform##n##suffix##v##vendor(GLuint program, GLint location, GLsizei count,    \
                                                 const type *value)                                \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        static const char call[] = "glProgramUniform" #n #suffix "v" #vendor;                      \
        struct gl_executable *exe = executable_of(ctx, program, call);                             \
        if (exe)                                                                                   \
            set_uniform(ctx, exe, location, count, base, n, value, call);                          \
    }

#define UNIFORMS(suffix, vendor, type, base)                                                       \
    UNIFORM(1, suffix, vendor, type, base)                                                         \
    UNIFORM(2, suffix, vendor, type, base)                                                         \
    UNIFORM(3, suffix, vendor, type, base)                                                         \
    UNIFORM(4, suffix, vendor, type, base)

UNIFORMS(f, , GLfloat, GLSL_TYPE_FLOAT)
UNIFORMS(i, , GLint, GLSL_TYPE_INT)
UNIFORMS(ui, , GLuint, GLSL_TYPE_UINT)
UNIFORMS(d, , GLdouble, GLSL_TYPE_DOUBLE)
UNIFORMS(i64, ARB, GLint64, GLSL_TYPE_INT64)
UNIFORMS(ui64, ARB, GLuint64, GLSL_TYPE_UINT64)

/* Sets samplers or images to handles (ARB_bindless_texture). The handles are not checked. */
static void set_handles(struct gl_context *ctx, struct gl_executable *exe, GLint location,
                        GLsizei count, const GLuint64 *values, const char *call)
{
    unsigned element;
    const struct glsl_uniform *u = find_uniform(ctx, exe, location, &element, call);
    if (!u)
        return;
    int elements = clamp_count(ctx, u, element, count, call);
    if (elements < 0)
        return;
    if (!glsl_type_is_sampler(u->type) && !glsl_type_is_image(u->type)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is a %s)", call, u->name, u->type->name);
        return;
    }
    if (!u->bindless) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is not declared bindless)", call, u->name);
        return;
    }
    store_handles(ctx, exe, u, element, (unsigned)elements, values);
}

void gl_UniformHandleui64ARB(GLint location, GLuint64 value)
{
    GL_CONTEXT(ctx);
    set_handles(ctx, gl_uniform_executable(ctx), location, 1, &value, "glUniformHandleui64ARB");
}

void gl_UniformHandleui64vARB(GLint location, GLsizei count, const GLuint64 *value)
{
    GL_CONTEXT(ctx);
    set_handles(ctx, gl_uniform_executable(ctx), location, count, value, "glUniformHandleui64vARB");
}

void gl_ProgramUniformHandleui64ARB(GLuint program, GLint location, GLuint64 value)
{
    GL_CONTEXT(ctx);
    struct gl_executable *exe = executable_of(ctx, program, "glProgramUniformHandleui64ARB");
    if (exe)
        set_handles(ctx, exe, location, 1, &value, "glProgramUniformHandleui64ARB");
}

void gl_ProgramUniformHandleui64vARB(GLuint program, GLint location, GLsizei count,
                                     const GLuint64 *values)
{
    GL_CONTEXT(ctx);
    struct gl_executable *exe = executable_of(ctx, program, "glProgramUniformHandleui64vARB");
    if (exe)
        set_handles(ctx, exe, location, count, values, "glProgramUniformHandleui64vARB");
}

#define MATRIX(suffix, columns, rows, type, base)                                                  \
    void gl_UniformMatrix##suffix(GLint location, GLsizei count, GLboolean transpose,              \
                                  const type *value)                                               \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_matrix(ctx, gl_uniform_executable(ctx), location, count, transpose, base, columns,     \
                   rows, value, "glUniformMatrix" #suffix);                                        \
    }                                                                                              \
    void gl_ProgramUniformMatrix##suffix(GLuint program, GLint location, GLsizei count,            \
                                         GLboolean transpose, const type *value)                   \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        struct gl_executable *exe = executable_of(ctx, program, "glProgramUniformMatrix" #suffix); \
        if (exe)                                                                                   \
            set_matrix(ctx, exe, location, count, transpose, base, columns, rows, value,           \
                       "glProgramUniformMatrix" #suffix);                                          \
    }

#define MATRICES(columns, rows, size)                                                              \
    MATRIX(size##fv, columns, rows, GLfloat, GLSL_TYPE_FLOAT)                                      \
    MATRIX(size##dv, columns, rows, GLdouble, GLSL_TYPE_DOUBLE)

MATRICES(2, 2, 2)
MATRICES(3, 3, 3)
MATRICES(4, 4, 4)
MATRICES(2, 3, 2x3)
MATRICES(3, 2, 3x2)
MATRICES(2, 4, 2x4)
MATRICES(4, 2, 4x2)
MATRICES(3, 4, 3x4)
MATRICES(4, 3, 4x3)

/* ---------------------------------------------------------------------------------- reading --- */

/* A uniform component converted to a type that can represent all component types. */
struct uniform_value {
    enum { VALUE_FLOAT, VALUE_SIGNED, VALUE_UNSIGNED } kind;
    union {
        double f;
        int64_t i;
        uint64_t u;
    };
};

/* Returns component i of a uniform's element, in column-major order. */
static struct uniform_value read_component(const struct gl_executable *exe,
                                           const struct glsl_uniform *u, unsigned element,
                                           unsigned i)
{
    if (u->opaque) {
        const uint8_t *at = handle_storage(exe, u, element);
        uint64_t handle = 0;
        if (at)
            memcpy(&handle, at, 8);
        if (handle)
            return (struct uniform_value){VALUE_UNSIGNED, .u = handle};
        return (struct uniform_value){VALUE_SIGNED, .i = exe->opaque_units[u->location + element]};
    }
    unsigned rows = u->type->vector_elements, size = component_bytes(u->type);
    const uint8_t *at = exe->storage + u->offset + element * u->array_stride +
                        i / rows * (u->type->matrix_columns > 1 ? column_stride(u) : 0) +
                        i % rows * size;
    union {
        float f;
        double d;
        int32_t i;
        uint32_t u;
        int64_t i64;
        uint64_t u64;
    } bits;
    memcpy(&bits, at, size);
    switch (u->type->base_type) {
    case GLSL_TYPE_INT:
        return (struct uniform_value){VALUE_SIGNED, .i = bits.i};
    case GLSL_TYPE_UINT:
        return (struct uniform_value){VALUE_UNSIGNED, .u = bits.u};
    case GLSL_TYPE_BOOL:
        return (struct uniform_value){VALUE_UNSIGNED, .u = bits.u != 0};
    case GLSL_TYPE_INT64:
        return (struct uniform_value){VALUE_SIGNED, .i = bits.i64};
    case GLSL_TYPE_UINT64:
        return (struct uniform_value){VALUE_UNSIGNED, .u = bits.u64};
    case GLSL_TYPE_DOUBLE:
        return (struct uniform_value){VALUE_FLOAT, .f = bits.d};
    default:
        return (struct uniform_value){VALUE_FLOAT, .f = bits.f};
    }
}

/* Reads the components of a uniform. value_bytes: size of a component in the caller's buffer.
 * Returns their number; 0: an error was raised. */
static unsigned read_uniform(struct gl_context *ctx, GLuint program, GLint location, GLsizei size,
                             unsigned value_bytes, struct uniform_value v[16], const char *call)
{
    struct gl_executable *exe = executable_of(ctx, program, call);
    unsigned element;
    if (!exe)
        return 0;
    if (location == -1 || is_inactive(exe, location)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(location=%d)", call, location);
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

static double as_double(struct uniform_value v)
{
    return v.kind == VALUE_FLOAT ? v.f : v.kind == VALUE_SIGNED ? (double)v.i : (double)v.u;
}

/* Integer queries round floats, and return the nearest value that the type can represent (GL 4.6
 * §2.2.2). NaN, for which nothing is specified, gives 0. */
static int64_t as_signed(struct uniform_value v, int64_t low, int64_t high)
{
    if (v.kind == VALUE_UNSIGNED)
        return v.u > (uint64_t)high ? high : (int64_t)v.u;
    if (v.kind == VALUE_SIGNED)
        return CLAMP(v.i, low, high);
    double f = isnan(v.f) ? 0.0 : round(v.f);
    return f >= (double)high ? high : f > (double)low ? (int64_t)f : low;
}

static uint64_t as_unsigned(struct uniform_value v, uint64_t high)
{
    if (v.kind == VALUE_UNSIGNED)
        return MIN2(v.u, high);
    if (v.kind == VALUE_SIGNED)
        return v.i < 0 ? 0 : MIN2((uint64_t)v.i, high);
    double f = v.f > 0.0 ? round(v.f) : 0.0;
    return f >= (double)high ? high : (uint64_t)f;
}

#define TO_FLOAT(v)  (GLfloat) as_double(v)
#define TO_INT(v)    (GLint) as_signed(v, INT32_MIN, INT32_MAX)
#define TO_UINT(v)   (GLuint) as_unsigned(v, UINT32_MAX)
#define TO_INT64(v)  as_signed(v, INT64_MIN, INT64_MAX)
#define TO_UINT64(v) as_unsigned(v, UINT64_MAX)

#define GET(suffix, type, convert, size)                                                           \
    GL_CONTEXT(ctx);                                                                               \
    struct uniform_value v[16];                                                                    \
    unsigned n = read_uniform(ctx, program, location, size, sizeof *params, v, suffix);            \
    for (unsigned i = 0; i < n; i++)                                                               \
        params[i] = convert(v[i]);

#define GET_UNIFORM(suffix, type, convert)                                                         \
    void gl_GetUniform##suffix(GLuint program, GLint location, type *params)                       \
    {                                                                                              \
        GET("glGetUniform" #suffix, type, convert, INT32_MAX)                                      \
    }

#define GETN_UNIFORM(suffix, type, convert)                                                        \
    void gl_GetnUniform##suffix(GLuint program, GLint location, GLsizei size, type *params)        \
    {                                                                                              \
        GET("glGetnUniform" #suffix, type, convert, size)                                          \
    }

GET_UNIFORM(fv, GLfloat, TO_FLOAT)
GET_UNIFORM(iv, GLint, TO_INT)
GET_UNIFORM(uiv, GLuint, TO_UINT)
GET_UNIFORM(dv, GLdouble, as_double)
GET_UNIFORM(i64vARB, GLint64, TO_INT64)
GET_UNIFORM(ui64vARB, GLuint64, TO_UINT64)
GETN_UNIFORM(fv, GLfloat, TO_FLOAT)
GETN_UNIFORM(iv, GLint, TO_INT)
GETN_UNIFORM(uiv, GLuint, TO_UINT)
GETN_UNIFORM(dv, GLdouble, as_double)
GETN_UNIFORM(fvARB, GLfloat, TO_FLOAT)
GETN_UNIFORM(ivARB, GLint, TO_INT)
GETN_UNIFORM(uivARB, GLuint, TO_UINT)
GETN_UNIFORM(dvARB, GLdouble, as_double)
GETN_UNIFORM(i64vARB, GLint64, TO_INT64)
GETN_UNIFORM(ui64vARB, GLuint64, TO_UINT64)
