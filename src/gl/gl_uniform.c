/* SPDX-License-Identifier: MIT */
/* Uniforms and the enumeration of active variables (GL 4.6 §7.6, §11.1.1). */
#include <math.h>

#include "gl/gl_context.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

/* --------------------------------------------------------------------------------------- setting --- */

static struct gl_program *linked_program(struct gl_context *ctx, const char *call)
{
    struct gl_program *p = ctx->program.current;
    if (p && p->glsl)
        return p;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(no program)", call);
    return NULL;
}

/* Uniform of a location and the element in it; NULL: ignored (-1) or error raised. */
static const struct glsl_uniform *find(struct gl_context *ctx, struct gl_program *p, GLint location,
                                       GLsizei count, unsigned *element, const char *call)
{
    if (count < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(count=%d)", call, count);
        return NULL;
    }
    if (location == -1)
        return NULL;
    int index = location >= 0 && (unsigned)location < p->glsl->num_locations
                    ? p->glsl->location_to_uniform[location]
                    : -1;
    if (index < 0) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(location=%d)", call, location);
        return NULL;
    }
    const struct glsl_uniform *u = &p->glsl->uniforms[index];
    *element = location - u->location;
    if (count > 1 && !u->array_size) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(count=%d, %s is no array)", call, count, u->name);
        return NULL;
    }
    return u;
}

static unsigned array_stride(const struct glsl_uniform *u)
{
    return u->array_stride ? u->array_stride : glsl_packed_size(u->type);
}

static void set_units(struct gl_context *ctx, struct gl_program *p, const struct glsl_uniform *u,
                      unsigned element, GLsizei count, const GLint *values, const char *call)
{
    for (GLsizei i = 0; i < count; i++)
        if (values[i] < 0 || values[i] >= ctx->consts.max_combined_texture_image_units) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(%s: unit %d)", call, u->name, values[i]);
            return;
        }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM);
    for (GLsizei i = 0; i < count; i++) {
        p->opaque_units[u->location + element + i] = values[i];
        for (unsigned s = 0; s < SHADER_STAGES; s++) {
            unsigned slot = u->opaque_index[s] + element + i;
            if (p->exe->stage[s] && u->opaque_index[s] >= 0 && slot < DRV_MAX_SAMPLERS)
                p->exe->stage[s]->sampler[slot].unit = values[i];
        }
    }
}

/* base: GLSL_TYPE_FLOAT, INT or UINT of the command, with n components. */
static void set_vector(struct gl_context *ctx, struct gl_program *p, GLint location, GLsizei count,
                       enum glsl_base_type base, unsigned n, const void *values, const char *call)
{
    unsigned element;
    const struct glsl_uniform *u = p ? find(ctx, p, location, count, &element, call) : NULL;
    if (!u)
        return;
    const struct glsl_type *t = u->type;
    count = MIN2(count, (GLsizei)(MAX2(u->array_size, 1) - element));
    if (u->opaque) {
        if (base == GLSL_TYPE_INT && n == 1)
            set_units(ctx, p, u, element, count, values, call);
        else
            gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is a sampler)", call, u->name);
        return;
    }
    bool boolean = t->base_type == GLSL_TYPE_BOOL;
    if (glsl_type_is_matrix(t) || t->vector_elements != n || (t->base_type != base && !boolean)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is %s)", call, u->name, t->name);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_UNIFORMS);
    for (GLsizei i = 0; i < count; i++) {
        uint8_t *dst = p->exe->storage + u->offset + (element + i) * array_stride(u);
        const uint32_t *src = (const uint32_t *)values + i * n;
        for (unsigned c = 0; c < n; c++) {
            uint32_t v = src[c];
            if (boolean)
                v = base == GLSL_TYPE_FLOAT ? (v << 1) != 0 : v != 0;
            memcpy(dst + 4 * c, &v, 4);
        }
    }
}

static void set_matrix(struct gl_context *ctx, struct gl_program *p, GLint location, GLsizei count,
                       bool transpose, unsigned columns, unsigned rows, const GLfloat *values,
                       const char *call)
{
    unsigned element;
    const struct glsl_uniform *u = p ? find(ctx, p, location, count, &element, call) : NULL;
    if (!u)
        return;
    if (transpose && gl_is_es(ctx) && ctx->consts.version < 30) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(transpose)", call);
        return;
    }
    const struct glsl_type *t = u->type;
    if (u->opaque || t->base_type != GLSL_TYPE_FLOAT || t->matrix_columns != columns ||
        t->vector_elements != rows) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s is %s)", call, u->name, t->name);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_UNIFORMS);
    count = MIN2(count, (GLsizei)(MAX2(u->array_size, 1) - element));
    unsigned stride = u->matrix_stride ? u->matrix_stride : 4 * rows;
    for (GLsizei i = 0; i < count; i++) {
        uint8_t *dst = p->exe->storage + u->offset + (element + i) * array_stride(u);
        const GLfloat *src = values + i * rows * columns;
        for (unsigned c = 0; c < columns; c++)
            for (unsigned r = 0; r < rows; r++)
                memcpy(dst + c * stride + 4 * r,
                       &src[transpose ? r * columns + c : c * rows + r], 4);
    }
}

#define UNIFORM_VECTORS(suffix, type, base)                                                        \
    void gl_Uniform1##suffix(GLint location, type x)                                               \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_vector(ctx, linked_program(ctx, "glUniform1" #suffix), location, 1, base, 1,           \
                   (type[]){x}, "glUniform1" #suffix);                                             \
    }                                                                                              \
    void gl_Uniform2##suffix(GLint location, type x, type y)                                       \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_vector(ctx, linked_program(ctx, "glUniform2" #suffix), location, 1, base, 2,           \
                   (type[]){x, y}, "glUniform2" #suffix);                                          \
    }                                                                                              \
    void gl_Uniform3##suffix(GLint location, type x, type y, type z)                               \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_vector(ctx, linked_program(ctx, "glUniform3" #suffix), location, 1, base, 3,           \
                   (type[]){x, y, z}, "glUniform3" #suffix);                                       \
    }                                                                                              \
    void gl_Uniform4##suffix(GLint location, type x, type y, type z, type w)                       \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_vector(ctx, linked_program(ctx, "glUniform4" #suffix), location, 1, base, 4,           \
                   (type[]){x, y, z, w}, "glUniform4" #suffix);                                    \
    }
UNIFORM_VECTORS(f, GLfloat, GLSL_TYPE_FLOAT)
UNIFORM_VECTORS(i, GLint, GLSL_TYPE_INT)
UNIFORM_VECTORS(ui, GLuint, GLSL_TYPE_UINT)
#undef UNIFORM_VECTORS

#define UNIFORM_ARRAY(n, suffix, type, base)                                                       \
    void gl_Uniform##n##suffix##v(GLint location, GLsizei count, const type *value)                \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_vector(ctx, linked_program(ctx, "glUniform" #n #suffix "v"), location, count, base, n, \
                   value, "glUniform" #n #suffix "v");                                             \
    }
#define UNIFORM_ARRAYS(suffix, type, base)                                                         \
    UNIFORM_ARRAY(1, suffix, type, base)                                                           \
    UNIFORM_ARRAY(2, suffix, type, base)                                                           \
    UNIFORM_ARRAY(3, suffix, type, base)                                                           \
    UNIFORM_ARRAY(4, suffix, type, base)
UNIFORM_ARRAYS(f, GLfloat, GLSL_TYPE_FLOAT)
UNIFORM_ARRAYS(i, GLint, GLSL_TYPE_INT)
UNIFORM_ARRAYS(ui, GLuint, GLSL_TYPE_UINT)
#undef UNIFORM_ARRAYS
#undef UNIFORM_ARRAY

#define UNIFORM_MATRIX(name, columns, rows)                                                        \
    void gl_UniformMatrix##name##fv(GLint location, GLsizei count, GLboolean transpose,            \
                                    const GLfloat *value)                                          \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        set_matrix(ctx, linked_program(ctx, "glUniformMatrix" #name "fv"), location, count,        \
                   transpose, columns, rows, value, "glUniformMatrix" #name "fv");                 \
    }
UNIFORM_MATRIX(2, 2, 2)
UNIFORM_MATRIX(3, 3, 3)
UNIFORM_MATRIX(4, 4, 4)
UNIFORM_MATRIX(2x3, 2, 3)
UNIFORM_MATRIX(3x2, 3, 2)
UNIFORM_MATRIX(2x4, 2, 4)
UNIFORM_MATRIX(4x2, 4, 2)
UNIFORM_MATRIX(3x4, 3, 4)
UNIFORM_MATRIX(4x3, 4, 3)
#undef UNIFORM_MATRIX

/* --------------------------------------------------------------------------------------- reading --- */

/* The values of a location as doubles; number of them, 0 with an error. */
static unsigned read_uniform(struct gl_context *ctx, GLuint program, GLint location, double *v,
                             GLsizei size, unsigned value_bytes, const char *call)
{
    struct gl_program *p = gl_program_lookup(ctx, program, call);
    if (!p)
        return 0;
    if (!p->linked || !p->glsl) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(not linked)", call);
        return 0;
    }
    int index = location >= 0 && (unsigned)location < p->glsl->num_locations
                    ? p->glsl->location_to_uniform[location]
                    : -1;
    if (index < 0) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(location=%d)", call, location);
        return 0;
    }
    const struct glsl_uniform *u = &p->glsl->uniforms[index];
    unsigned rows = MAX2(u->type->vector_elements, 1), columns = MAX2(u->type->matrix_columns, 1);
    unsigned n = u->opaque ? 1 : rows * columns;
    if (size >= 0 && (uint64_t)size < (uint64_t)n * value_bytes) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(bufSize=%d)", call, size);
        return 0;
    }
    if (u->opaque) {
        v[0] = p->opaque_units[location];
        return 1;
    }
    const uint8_t *src = p->exe->storage + u->offset + (location - u->location) * array_stride(u);
    unsigned stride = u->matrix_stride ? u->matrix_stride : 4 * rows;
    for (unsigned c = 0; c < columns; c++)
        for (unsigned r = 0; r < rows; r++) {
            uint32_t bits;
            memcpy(&bits, src + c * stride + 4 * r, 4);
            v[c * rows + r] = u->type->base_type == GLSL_TYPE_FLOAT ? uif(bits)
                              : u->type->base_type == GLSL_TYPE_INT ? (double)(int32_t)bits
                                                                    : (double)bits;
        }
    return n;
}

static void get_float(GLuint program, GLint location, GLsizei size, GLfloat *params,
                      const char *call)
{
    GL_CONTEXT(ctx);
    double v[16];
    unsigned n = read_uniform(ctx, program, location, v, size, 4, call);
    for (unsigned i = 0; i < n; i++)
        params[i] = v[i];
}

static void get_int(GLuint program, GLint location, GLsizei size, GLint *params, const char *call)
{
    GL_CONTEXT(ctx);
    double v[16];
    unsigned n = read_uniform(ctx, program, location, v, size, 4, call);
    for (unsigned i = 0; i < n; i++)
        params[i] = (GLint)(int64_t)CLAMP(rint(v[i]), -2147483648.0, 4294967295.0);
}

void gl_GetUniformfv(GLuint program, GLint location, GLfloat *params)
{
    get_float(program, location, -1, params, "glGetUniformfv");
}

void gl_GetUniformiv(GLuint program, GLint location, GLint *params)
{
    get_int(program, location, -1, params, "glGetUniformiv");
}

void gl_GetUniformuiv(GLuint program, GLint location, GLuint *params)
{
    get_int(program, location, -1, (GLint *)params, "glGetUniformuiv");
}

void gl_GetnUniformfv(GLuint program, GLint location, GLsizei size, GLfloat *params)
{
    get_float(program, location, MAX2(size, 0), params, "glGetnUniformfv");
}

void gl_GetnUniformiv(GLuint program, GLint location, GLsizei size, GLint *params)
{
    get_int(program, location, MAX2(size, 0), params, "glGetnUniformiv");
}

void gl_GetnUniformuiv(GLuint program, GLint location, GLsizei size, GLuint *params)
{
    get_int(program, location, MAX2(size, 0), (GLint *)params, "glGetnUniformuiv");
}

/* ------------------------------------------------------------------------------------ enumeration --- */

/* "name[3]" → length of "name" and 3; without brackets 0; false for damaged ones. */
static bool split_index(const char *name, size_t *length, unsigned *element)
{
    size_t n = strlen(name);
    *length = n;
    *element = 0;
    if (!n || name[n - 1] != ']')
        return true;
    size_t i = n - 1;
    while (i > 0 && name[i - 1] >= '0' && name[i - 1] <= '9')
        i--;
    if (i == n - 1 || i == 0 || name[i - 1] != '[' || n - 1 - i > 8 ||
        (name[i] == '0' && n - 1 - i > 1))
        return false;
    for (size_t k = i; k < n - 1; k++)
        *element = *element * 10 + (name[k] - '0');
    *length = i - 1;
    return true;
}

GLint gl_GetUniformLocation(GLuint program, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetUniformLocation");
    size_t length;
    unsigned element;
    if (!p)
        return -1;
    if (!p->linked) {
        gl_error(ctx, GL_INVALID_OPERATION, "glGetUniformLocation(not linked)");
        return -1;
    }
    if (!name || !p->glsl)
        return -1;
    bool indexed = split_index(name, &length, &element) && length != strlen(name);
    for (unsigned i = 0; i < p->glsl->num_uniforms; i++) {
        const struct glsl_uniform *u = &p->glsl->uniforms[i];
        if (u->location < 0)
            continue;
        if (!strcmp(u->name, name))
            return u->location;
        if (!u->array_size)
            continue;
        /* arrays are named "a[0]": any index in range, or none, names them too */
        size_t base = strlen(u->name);
        if (base > 3 && !strcmp(u->name + base - 3, "[0]"))
            base -= 3;
        size_t wanted = indexed ? length : strlen(name);
        if (wanted == base && !strncmp(name, u->name, base) &&
            (indexed ? element : 0) < u->array_size)
            return u->location + (indexed ? (GLint)element : 0);
    }
    return -1;
}

static GLenum sampler_enum(const struct glsl_type *t)
{
    static const GLenum plain[] = {GL_SAMPLER_1D, GL_SAMPLER_2D, GL_SAMPLER_3D, GL_SAMPLER_CUBE,
                                   GL_SAMPLER_2D_RECT, GL_SAMPLER_BUFFER,
                                   GL_SAMPLER_2D_MULTISAMPLE, GL_SAMPLER_EXTERNAL_OES};
    static const GLenum ints[] = {GL_INT_SAMPLER_1D, GL_INT_SAMPLER_2D, GL_INT_SAMPLER_3D,
                                  GL_INT_SAMPLER_CUBE, GL_INT_SAMPLER_2D_RECT,
                                  GL_INT_SAMPLER_BUFFER, GL_INT_SAMPLER_2D_MULTISAMPLE, 0};
    static const GLenum uints[] = {GL_UNSIGNED_INT_SAMPLER_1D, GL_UNSIGNED_INT_SAMPLER_2D,
                                   GL_UNSIGNED_INT_SAMPLER_3D, GL_UNSIGNED_INT_SAMPLER_CUBE,
                                   GL_UNSIGNED_INT_SAMPLER_2D_RECT, GL_UNSIGNED_INT_SAMPLER_BUFFER,
                                   GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE, 0};
    if (t->sampler_shadow) {
        static const GLenum shadow[] = {GL_SAMPLER_1D_SHADOW, GL_SAMPLER_2D_SHADOW, 0,
                                        GL_SAMPLER_CUBE_SHADOW, GL_SAMPLER_2D_RECT_SHADOW};
        if (t->sampler_array)
            return t->sampler_dim == GLSL_SAMPLER_DIM_1D ? GL_SAMPLER_1D_ARRAY_SHADOW
                                                         : GL_SAMPLER_2D_ARRAY_SHADOW;
        return t->sampler_dim < ARRAY_SIZE(shadow) ? shadow[t->sampler_dim] : 0;
    }
    bool one = t->sampler_dim == GLSL_SAMPLER_DIM_1D;
    switch (t->sampled_type) {
    case GLSL_TYPE_INT:
        return t->sampler_array ? (one ? GL_INT_SAMPLER_1D_ARRAY : GL_INT_SAMPLER_2D_ARRAY)
                                : ints[t->sampler_dim];
    case GLSL_TYPE_UINT:
        return t->sampler_array ? (one ? GL_UNSIGNED_INT_SAMPLER_1D_ARRAY
                                       : GL_UNSIGNED_INT_SAMPLER_2D_ARRAY)
                                : uints[t->sampler_dim];
    default:
        return t->sampler_array ? (one ? GL_SAMPLER_1D_ARRAY : GL_SAMPLER_2D_ARRAY)
                                : plain[t->sampler_dim];
    }
}

static GLenum type_enum(const struct glsl_type *t)
{
    static const GLenum vectors[4][4] = {
        {GL_FLOAT, GL_FLOAT_VEC2, GL_FLOAT_VEC3, GL_FLOAT_VEC4},
        {GL_INT, GL_INT_VEC2, GL_INT_VEC3, GL_INT_VEC4},
        {GL_UNSIGNED_INT, GL_UNSIGNED_INT_VEC2, GL_UNSIGNED_INT_VEC3, GL_UNSIGNED_INT_VEC4},
        {GL_BOOL, GL_BOOL_VEC2, GL_BOOL_VEC3, GL_BOOL_VEC4},
    };
    static const GLenum matrices[3][3] = {
        {GL_FLOAT_MAT2, GL_FLOAT_MAT2x3, GL_FLOAT_MAT2x4},
        {GL_FLOAT_MAT3x2, GL_FLOAT_MAT3, GL_FLOAT_MAT3x4},
        {GL_FLOAT_MAT4x2, GL_FLOAT_MAT4x3, GL_FLOAT_MAT4},
    };
    if (glsl_type_is_sampler(t))
        return sampler_enum(t);
    if (glsl_type_is_matrix(t))
        return matrices[t->matrix_columns - 2][t->vector_elements - 2];
    unsigned n = CLAMP(t->vector_elements, 1, 4) - 1;
    switch (t->base_type) {
    case GLSL_TYPE_INT:
        return vectors[1][n];
    case GLSL_TYPE_UINT:
        return vectors[2][n];
    case GLSL_TYPE_BOOL:
        return vectors[3][n];
    default:
        return vectors[0][n];
    }
}

static void give_name(const char *text, GLsizei size, GLsizei *length, GLchar *out)
{
    GLsizei n = 0;
    if (size > 0 && out) {
        n = MIN2((GLsizei)strlen(text), size - 1);
        memcpy(out, text, n);
        out[n] = 0;
    }
    if (length)
        *length = n;
}

void gl_GetActiveUniform(GLuint program, GLuint index, GLsizei size, GLsizei *length, GLint *count,
                         GLenum *type, GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetActiveUniform");
    if (!p)
        return;
    if (!p->glsl || index >= p->glsl->num_uniforms || size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetActiveUniform(index=%u, bufSize=%d)", index, size);
        return;
    }
    const struct glsl_uniform *u = &p->glsl->uniforms[index];
    give_name(u->name, size, length, name);
    if (count)
        *count = MAX2(u->array_size, 1);
    if (type)
        *type = type_enum(u->type);
}

void gl_GetActiveAttrib(GLuint program, GLuint index, GLsizei size, GLsizei *length, GLint *count,
                        GLenum *type, GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetActiveAttrib");
    if (!p)
        return;
    if (!p->glsl || !p->glsl->nir[SHADER_VERTEX] || index >= p->glsl->num_inputs || size < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetActiveAttrib(index=%u, bufSize=%d)", index, size);
        return;
    }
    const struct glsl_attrib *a = &p->glsl->inputs[index];
    give_name(a->name, size, length, name);
    if (count)
        *count = glsl_type_is_array(a->type) ? (GLint)a->type->length : 1;
    if (type)
        *type = type_enum(glsl_without_array(a->type));
}
