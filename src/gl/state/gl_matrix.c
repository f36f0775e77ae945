/* SPDX-License-Identifier: MIT */
/* Matrices and the commands on matrix stacks (GL 4.6 compatibility §12.1.1). */
#include "gl/state/gl_matrix.h"

#include <math.h>
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl_entry.h"
#include "util/angle.h"

/* ------------------------------------------------------------------------------- arithmetic --- */

void gl_matrix_identity(float m[16])
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(m, identity, sizeof identity);
}

void gl_matrix_mul(float out[16], const float a[16], const float b[16])
{
    float r[16];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < 4; i++)
            r[4 * c + i] = a[i] * b[4 * c] + a[4 + i] * b[4 * c + 1] + a[8 + i] * b[4 * c + 2] +
                           a[12 + i] * b[4 * c + 3];
    memcpy(out, r, sizeof r);
}

void gl_matrix_transpose(float out[16], const float m[16])
{
    float r[16];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < 4; i++)
            r[4 * i + c] = m[4 * c + i];
    memcpy(out, r, sizeof r);
}

void gl_matrix_transform(float out[4], const float m[16], const float v[4])
{
    float r[4];
    for (unsigned i = 0; i < 4; i++)
        r[i] = m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2] + m[12 + i] * v[3];
    memcpy(out, r, sizeof r);
}

/* Inverts a matrix with last row 0 0 0 1, as most modelview matrices have, by cofactors of its 3×3
 * part. Doubles make products of two elements exact. */
static bool invert_affine(float out[16], const float m[16])
{
    const double a = m[0], b = m[4], c = m[8];
    const double d = m[1], e = m[5], f = m[9];
    const double g = m[2], h = m[6], i = m[10];
    const double co[3][3] = {{e * i - f * h, c * h - b * i, b * f - c * e},
                             {f * g - d * i, a * i - c * g, c * d - a * f},
                             {d * h - e * g, b * g - a * h, a * e - b * d}};
    const double determinant = a * co[0][0] + b * co[1][0] + c * co[2][0];
    const double x = m[12], y = m[13], z = m[14];
    if (!(fabs(determinant) > 0.0)) {
        gl_matrix_identity(out);
        return false;
    }
    const double scale = 1.0 / determinant;
    for (unsigned r = 0; r < 3; r++) {
        const double v[3] = {co[r][0] * scale, co[r][1] * scale, co[r][2] * scale};
        out[r] = (float)v[0];
        out[4 + r] = (float)v[1];
        out[8 + r] = (float)v[2];
        out[12 + r] = (float)-(v[0] * x + v[1] * y + v[2] * z);
    }
    out[3] = out[7] = out[11] = 0.0f;
    out[15] = 1.0f;
    return true;
}

/* Gauss-Jordan elimination with partial pivoting, in doubles. */
bool gl_matrix_invert(float out[16], const float m[16])
{
    double a[4][8];
    if (m[3] == 0.0f && m[7] == 0.0f && m[11] == 0.0f && m[15] == 1.0f)
        return invert_affine(out, m);
    for (unsigned r = 0; r < 4; r++)
        for (unsigned c = 0; c < 4; c++) {
            a[r][c] = m[4 * c + r];
            a[r][4 + c] = r == c;
        }
    for (unsigned c = 0; c < 4; c++) {
        unsigned pivot = c;
        for (unsigned r = c + 1; r < 4; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c]))
                pivot = r;
        if (!(fabs(a[pivot][c]) > 0.0)) {
            gl_matrix_identity(out);
            return false;
        }
        if (pivot != c) {
            double row[8];
            memcpy(row, a[c], sizeof row);
            memcpy(a[c], a[pivot], sizeof row);
            memcpy(a[pivot], row, sizeof row);
        }
        double scale = 1.0 / a[c][c];
        for (unsigned k = 0; k < 8; k++)
            a[c][k] *= scale;
        for (unsigned r = 0; r < 4; r++) {
            if (r == c)
                continue;
            double f = a[r][c];
            for (unsigned k = 0; k < 8; k++)
                a[r][k] -= f * a[c][k];
        }
    }
    for (unsigned r = 0; r < 4; r++)
        for (unsigned c = 0; c < 4; c++)
            out[4 * c + r] = a[r][4 + c];
    return true;
}

/* ----------------------------------------------------------------------------------- stacks --- */

static bool init_stack(struct gl_matrix_stack *s, unsigned max_depth, uint64_t dirty)
{
    s->stack = calloc(max_depth, sizeof *s->stack);
    s->max_depth = max_depth;
    s->dirty = dirty;
    if (s->stack)
        gl_matrix_identity(s->stack[0]);
    return s->stack;
}

bool gl_matrices_init(struct gl_context *ctx)
{
    bool ok = init_stack(&ctx->modelview, ctx->consts.max_modelview_stack, GL_DIRTY_MODELVIEW) &&
              init_stack(&ctx->projection, ctx->consts.max_projection_stack, GL_DIRTY_PROJECTION) &&
              init_stack(&ctx->color_matrix, 2, 0);
    for (unsigned i = 0; ok && i < GL_MAX_TEXTURE_COORD_UNITS; i++)
        ok = init_stack(&ctx->texture_matrix[i], ctx->consts.max_texture_stack,
                        GL_DIRTY_TEXTURE_MATRIX | GL_DIRTY_PROGRAM_KEY);
    for (unsigned i = 0; ok && i < GL_ASM_MATRICES; i++)
        ok = init_stack(&ctx->program_matrix[i], GL_ASM_MATRIX_STACK, GL_DIRTY_PROGRAM_PARAMETERS);
    return ok;
}

void gl_matrices_finish(struct gl_context *ctx)
{
    free(ctx->modelview.stack);
    free(ctx->projection.stack);
    free(ctx->color_matrix.stack);
    for (unsigned i = 0; i < GL_MAX_TEXTURE_COORD_UNITS; i++)
        free(ctx->texture_matrix[i].stack);
    for (unsigned i = 0; i < GL_ASM_MATRICES; i++)
        free(ctx->program_matrix[i].stack);
}

static bool is_program_matrix(const struct gl_context *ctx, GLenum mode)
{
    return mode >= GL_MATRIX0_ARB && mode < GL_MATRIX0_ARB + GL_ASM_MATRICES &&
           (ctx->ext.ARB_vertex_program || ctx->ext.ARB_fragment_program);
}

/* Returns the stack of a matrix mode or of a name of EXT_direct_state_access. NULL: an error was
 * raised. */
static struct gl_matrix_stack *stack_of(struct gl_context *ctx, GLenum mode, const char *call)
{
    switch (mode) {
    case GL_MODELVIEW:
        return &ctx->modelview;
    case GL_PROJECTION:
        return &ctx->projection;
    case GL_COLOR:
        if (gl_is_compat(ctx))
            return &ctx->color_matrix;
        break;
    case GL_TEXTURE:
        /* Only units with a texture coordinate set have a matrix (§12.1.1). */
        if (ctx->texenv.active < GL_MAX_TEXTURE_COORD_UNITS)
            return &ctx->texture_matrix[ctx->texenv.active];
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture unit %u has no matrix)", call,
                 ctx->texenv.active);
        return NULL;
    default:
        if (mode >= GL_TEXTURE0 && mode < GL_TEXTURE0 + GL_MAX_TEXTURE_COORD_UNITS)
            return &ctx->texture_matrix[mode - GL_TEXTURE0];
        if (is_program_matrix(ctx, mode))
            return &ctx->program_matrix[mode - GL_MATRIX0_ARB];
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(mode=%s)", call, gl_enum_name(mode));
    return NULL;
}

struct gl_matrix_stack *gl_current_stack(struct gl_context *ctx, const char *call)
{
    return stack_of(ctx, ctx->transform.matrix_mode, call);
}

/* Returns the stack of a matrix mode, to be modified. */
static struct gl_matrix_stack *current_stack(struct gl_context *ctx, const char *call)
{
    struct gl_matrix_stack *s = gl_current_stack(ctx, call);
    if (s)
        FLUSH_VERTICES(ctx, s->dirty);
    return s;
}

bool gl_use_matrix_mode(struct gl_context *ctx, GLenum mode, const char *call)
{
    if (!stack_of(ctx, mode, call))
        return false;
    ctx->transform.matrix_mode = mode;
    return true;
}

void gl_MatrixMode(GLenum mode)
{
    GL_CONTEXT(ctx);
    if (mode != GL_MODELVIEW && mode != GL_PROJECTION && mode != GL_TEXTURE &&
        !(mode == GL_COLOR && gl_is_compat(ctx)) && !is_program_matrix(ctx, mode)) {
        gl_error(ctx, GL_INVALID_ENUM, "glMatrixMode(mode=%s)", gl_enum_name(mode));
        return;
    }
    ctx->transform.matrix_mode = mode;
}

static void push(struct gl_context *ctx, struct gl_matrix_stack *s)
{
    if (s->depth + 1 >= s->max_depth) {
        gl_error(ctx, GL_STACK_OVERFLOW, "glPushMatrix");
        return;
    }
    memcpy(s->stack[s->depth + 1], s->stack[s->depth], sizeof *s->stack);
    s->depth++;
}

static void pop(struct gl_context *ctx, struct gl_matrix_stack *s)
{
    if (!s->depth) {
        gl_error(ctx, GL_STACK_UNDERFLOW, "glPopMatrix");
        return;
    }
    s->depth--;
}

void gl_PushMatrix(void)
{
    GL_CONTEXT(ctx);
    struct gl_matrix_stack *s = gl_current_stack(ctx, "glPushMatrix");
    if (s)
        push(ctx, s);
}

void gl_PopMatrix(void)
{
    GL_CONTEXT(ctx);
    struct gl_matrix_stack *s = current_stack(ctx, "glPopMatrix");
    if (s)
        pop(ctx, s);
}

static void load(struct gl_matrix_stack *s, const float m[16])
{
    if (s)
        memcpy(gl_matrix_top(s), m, sizeof *s->stack);
}

static void multiply(struct gl_matrix_stack *s, const float m[16])
{
    if (s)
        gl_matrix_mul(gl_matrix_top(s), gl_matrix_top(s), m);
}

static void from_doubles(float out[16], const GLdouble *m)
{
    for (unsigned i = 0; i < 16; i++)
        out[i] = m[i];
}

void gl_LoadIdentity(void)
{
    GL_CONTEXT(ctx);
    struct gl_matrix_stack *s = current_stack(ctx, "glLoadIdentity");
    if (s)
        gl_matrix_identity(gl_matrix_top(s));
}

void gl_LoadMatrixf(const GLfloat *m)
{
    GL_CONTEXT(ctx);
    load(current_stack(ctx, "glLoadMatrixf"), m);
}

void gl_LoadMatrixd(const GLdouble *m)
{
    GL_CONTEXT(ctx);
    float f[16];
    from_doubles(f, m);
    load(current_stack(ctx, "glLoadMatrixd"), f);
}

void gl_MultMatrixf(const GLfloat *m)
{
    GL_CONTEXT(ctx);
    multiply(current_stack(ctx, "glMultMatrixf"), m);
}

void gl_MultMatrixd(const GLdouble *m)
{
    GL_CONTEXT(ctx);
    float f[16];
    from_doubles(f, m);
    multiply(current_stack(ctx, "glMultMatrixd"), f);
}

void gl_LoadTransposeMatrixf(const GLfloat *m)
{
    float t[16];
    gl_matrix_transpose(t, m);
    gl_LoadMatrixf(t);
}

void gl_LoadTransposeMatrixd(const GLdouble *m)
{
    float f[16];
    from_doubles(f, m);
    gl_LoadTransposeMatrixf(f);
}

void gl_MultTransposeMatrixf(const GLfloat *m)
{
    float t[16];
    gl_matrix_transpose(t, m);
    gl_MultMatrixf(t);
}

void gl_MultTransposeMatrixd(const GLdouble *m)
{
    float f[16];
    from_doubles(f, m);
    gl_MultTransposeMatrixf(f);
}

/* Computes the matrix R of glRotate (GL 4.6 compatibility §12.1.1). */
static void rotation(float m[16], double angle, double x, double y, double z)
{
    gl_matrix_identity(m);
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0.0))
        return;
    x /= length;
    y /= length;
    z /= length;
    const double s = util_sin_degrees(angle), c = util_cos_degrees(angle), d = 1.0 - c;
    m[0] = x * x * d + c;
    m[1] = y * x * d + z * s;
    m[2] = x * z * d - y * s;
    m[4] = x * y * d - z * s;
    m[5] = y * y * d + c;
    m[6] = y * z * d + x * s;
    m[8] = x * z * d + y * s;
    m[9] = y * z * d - x * s;
    m[10] = z * z * d + c;
}

void gl_Rotatef(GLfloat angle, GLfloat x, GLfloat y, GLfloat z)
{
    GL_CONTEXT(ctx);
    float m[16];
    rotation(m, angle, x, y, z);
    multiply(current_stack(ctx, "glRotatef"), m);
}

void gl_Rotated(GLdouble angle, GLdouble x, GLdouble y, GLdouble z)
{
    GL_CONTEXT(ctx);
    float m[16];
    rotation(m, angle, x, y, z);
    multiply(current_stack(ctx, "glRotated"), m);
}

void gl_Scalef(GLfloat x, GLfloat y, GLfloat z)
{
    GL_CONTEXT(ctx);
    const float m[16] = {x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1};
    multiply(current_stack(ctx, "glScalef"), m);
}

void gl_Scaled(GLdouble x, GLdouble y, GLdouble z)
{
    gl_Scalef(x, y, z);
}

void gl_Translatef(GLfloat x, GLfloat y, GLfloat z)
{
    GL_CONTEXT(ctx);
    const float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
    multiply(current_stack(ctx, "glTranslatef"), m);
}

void gl_Translated(GLdouble x, GLdouble y, GLdouble z)
{
    gl_Translatef(x, y, z);
}

void gl_Ortho(GLdouble left, GLdouble right, GLdouble bottom, GLdouble top, GLdouble zNear,
              GLdouble zFar)
{
    GL_CONTEXT(ctx);
    if (left == right || bottom == top || zNear == zFar) {
        gl_error(ctx, GL_INVALID_VALUE, "glOrtho(empty volume)");
        return;
    }
    float m[16];
    gl_matrix_identity(m);
    m[0] = 2.0 / (right - left);
    m[5] = 2.0 / (top - bottom);
    m[10] = -2.0 / (zFar - zNear);
    m[12] = -(right + left) / (right - left);
    m[13] = -(top + bottom) / (top - bottom);
    m[14] = -(zFar + zNear) / (zFar - zNear);
    multiply(current_stack(ctx, "glOrtho"), m);
}

void gl_Frustum(GLdouble left, GLdouble right, GLdouble bottom, GLdouble top, GLdouble zNear,
                GLdouble zFar)
{
    GL_CONTEXT(ctx);
    if (zNear <= 0.0 || zFar <= 0.0 || left == right || bottom == top || zNear == zFar) {
        gl_error(ctx, GL_INVALID_VALUE, "glFrustum(near=%g, far=%g)", zNear, zFar);
        return;
    }
    float m[16] = {0};
    m[0] = 2.0 * zNear / (right - left);
    m[5] = 2.0 * zNear / (top - bottom);
    m[8] = (right + left) / (right - left);
    m[9] = (top + bottom) / (top - bottom);
    m[10] = -(zFar + zNear) / (zFar - zNear);
    m[11] = -1.0f;
    m[14] = -2.0 * zFar * zNear / (zFar - zNear);
    multiply(current_stack(ctx, "glFrustum"), m);
}

/* -------------------------------------------------------------------- ES 1 spellings, 16.16 --- */

static float fixed(GLfixed x)
{
    return x / 65536.0f;
}

void gl_Orthof(GLfloat l, GLfloat r, GLfloat b, GLfloat t, GLfloat n, GLfloat f)
{
    gl_Ortho(l, r, b, t, n, f);
}

void gl_Orthox(GLfixed l, GLfixed r, GLfixed b, GLfixed t, GLfixed n, GLfixed f)
{
    gl_Ortho(fixed(l), fixed(r), fixed(b), fixed(t), fixed(n), fixed(f));
}

void gl_Frustumf(GLfloat l, GLfloat r, GLfloat b, GLfloat t, GLfloat n, GLfloat f)
{
    gl_Frustum(l, r, b, t, n, f);
}

void gl_Frustumx(GLfixed l, GLfixed r, GLfixed b, GLfixed t, GLfixed n, GLfixed f)
{
    gl_Frustum(fixed(l), fixed(r), fixed(b), fixed(t), fixed(n), fixed(f));
}

void gl_Rotatex(GLfixed angle, GLfixed x, GLfixed y, GLfixed z)
{
    gl_Rotatef(fixed(angle), fixed(x), fixed(y), fixed(z));
}

void gl_Scalex(GLfixed x, GLfixed y, GLfixed z)
{
    gl_Scalef(fixed(x), fixed(y), fixed(z));
}

void gl_Translatex(GLfixed x, GLfixed y, GLfixed z)
{
    gl_Translatef(fixed(x), fixed(y), fixed(z));
}

void gl_LoadMatrixx(const GLfixed *m)
{
    float f[16];
    for (unsigned i = 0; i < 16; i++)
        f[i] = fixed(m[i]);
    gl_LoadMatrixf(f);
}

void gl_MultMatrixx(const GLfixed *m)
{
    float f[16];
    for (unsigned i = 0; i < 16; i++)
        f[i] = fixed(m[i]);
    gl_MultMatrixf(f);
}

/* OES_query_matrix: returns the current matrix as mantissas and exponents to base 2, without loss
 * of precision. Each set bit of the result marks a component that is not a finite number. */
GLbitfield gl_QueryMatrixxOES(GLfixed *mantissa, GLint *exponent)
{
    GL_CONTEXT(ctx);
    const struct gl_matrix_stack *s = gl_current_stack(ctx, "glQueryMatrixxOES");
    if (!s)
        return BITFIELD_MASK(16);
    const float *m = gl_matrix_top(s);
    GLbitfield invalid = 0;
    for (unsigned i = 0; i < 16; i++) {
        int e = 0;
        bool number = isfinite(m[i]);
        float f = number ? frexpf(m[i], &e) : 0.0f;
        /* |f| < 1, so |mantissa| < 2^14 in 16.16 format */
        mantissa[i] = (GLfixed)(f * 1073741824.0f);
        exponent[i] = f == 0.0f ? 0 : e - 14;
        invalid |= (GLbitfield)!number << i;
    }
    return invalid;
}
