/* SPDX-License-Identifier: MIT */
/* Evaluators (GL 4.6 compatibility §21.1): Bernstein polynomials by de Casteljau's recurrence. */
#include "gl/compat/gl_eval.h"

#include <math.h>
#include <stdlib.h>
#include <talloc.h>

#include "gl/compat/gl_immediate.h"
#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_params.h"
#include "gl_entry.h"

#define MAP_TARGETS 9 /* GL_MAP1_COLOR_4 to GL_MAP1_VERTEX_4 */
#define MAX_ORDER   30

enum {
    MAP_COLOR,
    MAP_INDEX,
    MAP_NORMAL,
    MAP_TEX1,
    MAP_TEX2,
    MAP_TEX3,
    MAP_TEX4,
    MAP_VERTEX3,
    MAP_VERTEX4
};

static const uint8_t components[MAP_TARGETS] = {4, 1, 3, 1, 2, 3, 4, 3, 4};

struct gl_map {
    GLint uorder, vorder; /* vorder is 1 for one-dimensional maps */
    float u1, u2, v1, v2;
    float *points; /* [uorder][vorder][components] */
};

struct gl_evaluators {
    struct gl_map map1[MAP_TARGETS], map2[MAP_TARGETS];
};

/* Sets the initial map: order 1, one control point (table 23.x). Returns false if out of memory. */
static bool init_map(struct gl_map *m, unsigned target)
{
    m->uorder = m->vorder = 1;
    m->u2 = m->v2 = 1.0f;
    m->points = calloc(components[target], sizeof *m->points);
    if (!m->points)
        return false;
    if (target == MAP_COLOR)
        m->points[0] = m->points[1] = m->points[2] = 1.0f;
    if (target == MAP_INDEX)
        m->points[0] = 1.0f;
    if (target == MAP_NORMAL)
        m->points[2] = 1.0f;
    if (components[target] == 4)
        m->points[3] = 1.0f;
    return true;
}

bool gl_evaluators_init(struct gl_context *ctx)
{
    ctx->evaluators = talloc_zero(ctx, struct gl_evaluators);
    if (!ctx->evaluators)
        return false;
    for (unsigned i = 0; i < MAP_TARGETS; i++)
        if (!init_map(&ctx->evaluators->map1[i], i) || !init_map(&ctx->evaluators->map2[i], i))
            return false;
    return true;
}

void gl_evaluators_finish(struct gl_context *ctx)
{
    for (unsigned i = 0; ctx->evaluators && i < MAP_TARGETS; i++) {
        free(ctx->evaluators->map1[i].points);
        free(ctx->evaluators->map2[i].points);
    }
}

unsigned gl_map_components(GLenum target)
{
    if (target >= GL_MAP1_COLOR_4 && target <= GL_MAP1_VERTEX_4)
        return components[target - GL_MAP1_COLOR_4];
    if (target >= GL_MAP2_COLOR_4 && target <= GL_MAP2_VERTEX_4)
        return components[target - GL_MAP2_COLOR_4];
    return 0;
}

static struct gl_map *find_map(struct gl_context *ctx, GLenum target, unsigned *n)
{
    *n = gl_map_components(target);
    if (!*n)
        return NULL;
    return target >= GL_MAP2_COLOR_4 ? &ctx->evaluators->map2[target - GL_MAP2_COLOR_4]
                                     : &ctx->evaluators->map1[target - GL_MAP1_COLOR_4];
}

/* ------------------------------------------------------------------------------------- maps --- */

/* Control points passed by the application: floats or doubles, with strides in elements. */
struct map_source {
    const float *f;
    const double *d;
    GLint ustride, vstride;
};

static void set_map(bool two, GLenum target, double u1, double u2, GLint uorder, double v1,
                    double v2, GLint vorder, const struct map_source *src, const char *call)
{
    GL_CONTEXT(ctx);
    unsigned n;
    struct gl_map *m = find_map(ctx, target, &n);
    if (!m || (target >= GL_MAP2_COLOR_4) != two) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
        return;
    }
    if (u1 == u2 || v1 == v2 || uorder < 1 || uorder > MAX_ORDER || vorder < 1 ||
        vorder > MAX_ORDER || src->ustride < (GLint)n || (two && src->vstride < (GLint)n)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(domain, order or stride)", call);
        return;
    }
    if (ctx->texenv.active) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture unit %u is active)", call,
                 ctx->texenv.active);
        return;
    }
    float *points = malloc((size_t)uorder * vorder * n * sizeof *points), *out = points;
    if (!points) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    for (GLint i = 0; i < uorder; i++)
        for (GLint j = 0; j < vorder; j++)
            for (unsigned c = 0; c < n; c++) {
                size_t at = (size_t)i * src->ustride + (size_t)j * src->vstride + c;
                *out++ = src->f ? src->f[at] : (float)src->d[at];
            }
    FLUSH_VERTICES(ctx, 0);
    free(m->points);
    *m = (struct gl_map){uorder, vorder, u1, u2, v1, v2, points};
}

void gl_Map1f(GLenum target, GLfloat u1, GLfloat u2, GLint stride, GLint order,
              const GLfloat *points)
{
    set_map(false, target, u1, u2, order, 0, 1, 1, &(struct map_source){points, NULL, stride, 0},
            "glMap1f");
}

void gl_Map1d(GLenum target, GLdouble u1, GLdouble u2, GLint stride, GLint order,
              const GLdouble *points)
{
    set_map(false, target, u1, u2, order, 0, 1, 1, &(struct map_source){NULL, points, stride, 0},
            "glMap1d");
}

void gl_Map2f(GLenum target, GLfloat u1, GLfloat u2, GLint ustride, GLint uorder, GLfloat v1,
              GLfloat v2, GLint vstride, GLint vorder, const GLfloat *points)
{
    set_map(true, target, u1, u2, uorder, v1, v2, vorder,
            &(struct map_source){points, NULL, ustride, vstride}, "glMap2f");
}

void gl_Map2d(GLenum target, GLdouble u1, GLdouble u2, GLint ustride, GLint uorder, GLdouble v1,
              GLdouble v2, GLint vstride, GLint vorder, const GLdouble *points)
{
    set_map(true, target, u1, u2, uorder, v1, v2, vorder,
            &(struct map_source){NULL, points, ustride, vstride}, "glMap2d");
}

/* Returns the number of values of a query, or 0 after raising an error. *v points to the values,
 * which are stored in tmp or in the map. */
static size_t get_map(GLenum target, GLenum query, const float **v, float tmp[4], const char *call)
{
    GL_CONTEXT(ctx);
    unsigned n;
    const struct gl_map *m = find_map(ctx, target, &n);
    bool two = target >= GL_MAP2_COLOR_4;
    *v = tmp;
    if (!m) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
        return 0;
    }
    switch (query) {
    case GL_COEFF:
        *v = m->points;
        return (size_t)m->uorder * m->vorder * n;
    case GL_ORDER:
        tmp[0] = m->uorder;
        tmp[1] = m->vorder;
        return two ? 2 : 1;
    case GL_DOMAIN:
        tmp[0] = m->u1;
        tmp[1] = m->u2;
        tmp[2] = m->v1;
        tmp[3] = m->v2;
        return two ? 4 : 2;
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(query=%s)", call, gl_enum_name(query));
    return 0;
}

#define GET_MAP(suffix, T, convert)                                                                \
    void gl_GetMap##suffix(GLenum target, GLenum query, T *out)                                    \
    {                                                                                              \
        const float *v;                                                                            \
        float tmp[4];                                                                              \
        size_t n = get_map(target, query, &v, tmp, "glGetMap" #suffix);                            \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = convert;                                                                      \
    }                                                                                              \
    void gl_GetnMap##suffix(GLenum target, GLenum query, GLsizei bufSize, T *out)                  \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        const float *v;                                                                            \
        float tmp[4];                                                                              \
        if (bufSize < 0) {                                                                         \
            gl_error(ctx, GL_INVALID_VALUE, "glGetnMap" #suffix "(bufSize=%d)", bufSize);          \
            return;                                                                                \
        }                                                                                          \
        size_t n = get_map(target, query, &v, tmp, "glGetnMap" #suffix);                           \
        if (n * sizeof *out > (size_t)bufSize) {                                                   \
            gl_error(ctx, GL_INVALID_OPERATION, "glGetnMap" #suffix "(bufSize=%d)", bufSize);      \
            return;                                                                                \
        }                                                                                          \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = convert;                                                                      \
    }                                                                                              \
    void gl_GetnMap##suffix##ARB(GLenum target, GLenum query, GLsizei bufSize, T *out)             \
    {                                                                                              \
        gl_GetnMap##suffix(target, query, bufSize, out);                                           \
    }
GET_MAP(fv, GLfloat, v[i])
GET_MAP(dv, GLdouble, v[i])
GET_MAP(iv, GLint, gl_nearest_int(v[i]))

/* ------------------------------------------------------------------------------- evaluation --- */

/* Evaluates a Bézier curve at t in [0, 1]. It has `order` control points of n components, `step`
 * floats apart. Also returns the derivative in du unless that is NULL. */
static void curve(const float *points, GLint order, size_t step, unsigned n, float t, float *out,
                  float *du)
{
    float work[MAX_ORDER][4];
    for (GLint i = 0; i < order; i++)
        memcpy(work[i], points + i * step, n * sizeof **work);
    for (GLint level = order - 1; level > 0; level--) {
        if (level == 1 && du)
            for (unsigned c = 0; c < n; c++)
                du[c] = (order - 1) * (work[1][c] - work[0][c]);
        for (GLint i = 0; i < level; i++)
            for (unsigned c = 0; c < n; c++)
                work[i][c] += t * (work[i + 1][c] - work[i][c]);
    }
    if (order == 1 && du)
        memset(du, 0, n * sizeof *du);
    memcpy(out, work[0], n * sizeof *out);
}

static void surface(const struct gl_map *m, unsigned n, float u, float v, float *out, float *du,
                    float *dv)
{
    float rows[MAX_ORDER][4], drows[MAX_ORDER][4];
    for (GLint i = 0; i < m->uorder; i++)
        curve(m->points + (size_t)i * m->vorder * n, m->vorder, n, n, v, rows[i],
              dv ? drows[i] : NULL);
    curve(rows[0], m->uorder, 4, n, u, out, du);
    if (dv)
        curve(drows[0], m->uorder, 4, n, u, dv, NULL);
}

static float to_unit(float x, float x1, float x2)
{
    return (x - x1) / (x2 - x1);
}

static const uint8_t map_attrib[MAP_TARGETS] = {
    VERT_ATTRIB_COLOR0, VERT_ATTRIB_COLOR_INDEX, VERT_ATTRIB_NORMAL,
    VERT_ATTRIB_TEX0,   VERT_ATTRIB_TEX0,        VERT_ATTRIB_TEX0,
    VERT_ATTRIB_TEX0,   VERT_ATTRIB_POS,         VERT_ATTRIB_POS,
};

/* Attributes of an evaluated vertex. The current values are restored afterwards. */
struct eval_vertex {
    float value[MAP_TARGETS][4];
    uint32_t set; /* bit mask of map targets */
    bool has_normal;
    float normal[4];
};

static void set_float(struct gl_context *ctx, unsigned attrib, unsigned n, const float *v)
{
    uint32_t bits[4];
    for (unsigned i = 0; i < 4; i++)
        bits[i] = fui(i < n ? v[i] : i == 3 ? 1.0f : 0.0f);
    gl_attrib(ctx, attrib, n, GL_FLOAT, bits);
}

static void emit_vertex(struct gl_context *ctx, const struct eval_vertex *e)
{
    int vertex = e->set >> MAP_VERTEX4 & 1   ? MAP_VERTEX4
                 : e->set >> MAP_VERTEX3 & 1 ? MAP_VERTEX3
                                             : -1;
    if (vertex < 0 || !ctx->inside_begin_end)
        return;
    int tex = -1;
    for (int t = MAP_TEX1; t <= MAP_TEX4; t++)
        if (e->set >> t & 1)
            tex = t; /* §21.1: the enabled one with the most components */
    const int which[] = {e->set >> MAP_COLOR & 1 ? MAP_COLOR : -1,
                         e->set >> MAP_INDEX & 1 ? MAP_INDEX : -1, tex,
                         e->has_normal || e->set >> MAP_NORMAL & 1 ? MAP_NORMAL : -1};
    float saved[ARRAY_SIZE(which)][4];
    for (unsigned i = 0; i < ARRAY_SIZE(which); i++) {
        if (which[i] < 0)
            continue;
        gl_attrib_current(ctx, map_attrib[which[i]], saved[i]);
        const float *v = which[i] == MAP_NORMAL && e->has_normal ? e->normal : e->value[which[i]];
        set_float(ctx, map_attrib[which[i]], components[which[i]], v);
    }
    set_float(ctx, VERT_ATTRIB_POS, components[vertex], e->value[vertex]);
    for (unsigned i = 0; i < ARRAY_SIZE(which); i++)
        if (which[i] >= 0)
            set_float(ctx, map_attrib[which[i]], 4, saved[i]);
}

static void eval1(struct gl_context *ctx, float u)
{
    struct eval_vertex e = {.set = ctx->eval.map1_enabled};
    for (unsigned t = 0; t < MAP_TARGETS; t++) {
        const struct gl_map *m = &ctx->evaluators->map1[t];
        if (e.set >> t & 1)
            curve(m->points, m->uorder, components[t], components[t], to_unit(u, m->u1, m->u2),
                  e.value[t], NULL);
    }
    emit_vertex(ctx, &e);
}

/* Returns whether a shader or program processes vertices. It gets generated normals as they were
 * computed; otherwise, they are normalized (§21.1). */
static bool has_vertex_shader(const struct gl_context *ctx)
{
    return gl_stage_executable(ctx, SHADER_VERTEX) || ctx->assembly.enabled[GL_ASM_VERTEX];
}

/* Computes the normal of a surface as the cross product of its derivatives (§21.1). */
static void surface_normal(struct eval_vertex *e, unsigned t, const float du[4], const float dv[4],
                           bool normalize)
{
    float scale = 1.0f;
    float a[3], b[3];
    for (unsigned i = 0; i < 3; i++) {
        a[i] = du[i];
        b[i] = dv[i];
    }
    if (t == MAP_VERTEX4) {
        const float *p = e->value[t];
        for (unsigned i = 0; i < 3; i++) {
            a[i] = du[i] * p[3] - du[3] * p[i];
            b[i] = dv[i] * p[3] - dv[3] * p[i];
        }
        /* a and b are the derivatives after the division by w, times w². */
        scale = 1.0f / (p[3] * p[3] * p[3] * p[3]);
    }
    float n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (normalize)
        scale = length > 0.0f ? 1.0f / length : 1.0f;
    for (unsigned i = 0; i < 3; i++)
        e->normal[i] = n[i] * scale;
    e->has_normal = true;
}

static void eval2(struct gl_context *ctx, float u, float v)
{
    struct eval_vertex e = {.set = ctx->eval.map2_enabled};
    unsigned vertex = e.set >> MAP_VERTEX4 & 1 ? MAP_VERTEX4 : MAP_VERTEX3;
    for (unsigned t = 0; t < MAP_TARGETS; t++) {
        const struct gl_map *m = &ctx->evaluators->map2[t];
        float du[4], dv[4];
        if (!(e.set >> t & 1))
            continue;
        bool normal = t == vertex && ctx->eval.auto_normal;
        surface(m, components[t], to_unit(u, m->u1, m->u2), to_unit(v, m->v1, m->v2), e.value[t],
                normal ? du : NULL, normal ? dv : NULL);
        if (!normal)
            continue;
        for (unsigned i = 0; i < 4; i++) {
            du[i] /= m->u2 - m->u1;
            dv[i] /= m->v2 - m->v1;
        }
        surface_normal(&e, t, du, dv, !has_vertex_shader(ctx));
    }
    emit_vertex(ctx, &e);
}

void gl_EvalCoord1f(GLfloat u)
{
    GL_CONTEXT(ctx);
    eval1(ctx, u);
}

void gl_EvalCoord1d(GLdouble u)
{
    gl_EvalCoord1f(u);
}

void gl_EvalCoord1fv(const GLfloat *u)
{
    gl_EvalCoord1f(u[0]);
}

void gl_EvalCoord1dv(const GLdouble *u)
{
    gl_EvalCoord1f(u[0]);
}

void gl_EvalCoord2f(GLfloat u, GLfloat v)
{
    GL_CONTEXT(ctx);
    eval2(ctx, u, v);
}

void gl_EvalCoord2d(GLdouble u, GLdouble v)
{
    gl_EvalCoord2f(u, v);
}

void gl_EvalCoord2fv(const GLfloat *u)
{
    gl_EvalCoord2f(u[0], u[1]);
}

void gl_EvalCoord2dv(const GLdouble *u)
{
    gl_EvalCoord2f(u[0], u[1]);
}

/* ------------------------------------------------------------------------------------ grids --- */

void gl_MapGrid1f(GLint un, GLfloat u1, GLfloat u2)
{
    GL_CONTEXT(ctx);
    if (un < 1) {
        gl_error(ctx, GL_INVALID_VALUE, "glMapGrid1(un=%d)", un);
        return;
    }
    ctx->eval.grid1_un = un;
    ctx->eval.grid1_u1 = u1;
    ctx->eval.grid1_u2 = u2;
}

void gl_MapGrid1d(GLint un, GLdouble u1, GLdouble u2)
{
    gl_MapGrid1f(un, u1, u2);
}

void gl_MapGrid2f(GLint un, GLfloat u1, GLfloat u2, GLint vn, GLfloat v1, GLfloat v2)
{
    GL_CONTEXT(ctx);
    if (un < 1 || vn < 1) {
        gl_error(ctx, GL_INVALID_VALUE, "glMapGrid2(un=%d, vn=%d)", un, vn);
        return;
    }
    struct gl_eval_state *s = &ctx->eval;
    s->grid2_un = un;
    s->grid2_vn = vn;
    s->grid2_u1 = u1;
    s->grid2_u2 = u2;
    s->grid2_v1 = v1;
    s->grid2_v2 = v2;
}

void gl_MapGrid2d(GLint un, GLdouble u1, GLdouble u2, GLint vn, GLdouble v1, GLdouble v2)
{
    gl_MapGrid2f(un, u1, u2, vn, v1, v2);
}

/* Returns grid coordinate i of n steps from a to b. Coordinate n is exactly b. */
static float grid(GLint i, GLint n, float a, float b)
{
    return i == n ? b : a + i * ((b - a) / n);
}

void gl_EvalPoint1(GLint i)
{
    GL_CONTEXT(ctx);
    const struct gl_eval_state *s = &ctx->eval;
    eval1(ctx, grid(i, s->grid1_un, s->grid1_u1, s->grid1_u2));
}

void gl_EvalPoint2(GLint i, GLint j)
{
    GL_CONTEXT(ctx);
    const struct gl_eval_state *s = &ctx->eval;
    eval2(ctx, grid(i, s->grid2_un, s->grid2_u1, s->grid2_u2),
          grid(j, s->grid2_vn, s->grid2_v1, s->grid2_v2));
}

/* Maximum number of points of one command: 2^24, enough for a grid of 4096 × 4096. */
#define MESH_POINTS_MAX (1 << 24)

/* Returns whether a mesh of i1 … i2 by j1 … j2 draws anything. Raises an error if it exceeds the
 * limit. */
static bool mesh_size_ok(struct gl_context *ctx, unsigned maps, int64_t i1, int64_t i2, int64_t j1,
                         int64_t j2, const char *name)
{
    if (!(maps & (1 << MAP_VERTEX3 | 1 << MAP_VERTEX4)) || i1 > i2 || j1 > j2)
        return false;
    int64_t columns = i2 - i1 + 1, rows = j2 - j1 + 1;
    if (columns <= MESH_POINTS_MAX / rows)
        return true;
    gl_error(ctx, GL_OUT_OF_MEMORY, "%s(%ld × %ld points)", name, (long)columns, (long)rows);
    return false;
}

static void begin_checked(GLenum mode, void (*body)(const GLint *arg), const GLint *arg)
{
    GL_CONTEXT(ctx);
    gl_Begin(mode);
    if (!ctx->inside_begin_end)
        return;
    body(arg);
    gl_End();
}

static void mesh1_body(const GLint *a)
{
    for (int64_t i = a[0]; i <= a[1]; i++)
        gl_EvalPoint1(i);
}

void gl_EvalMesh1(GLenum mode, GLint i1, GLint i2)
{
    GL_CONTEXT(ctx);
    if (mode != GL_POINT && mode != GL_LINE) {
        gl_error(ctx, GL_INVALID_ENUM, "glEvalMesh1(mode=%s)", gl_enum_name(mode));
        return;
    }
    const GLint arg[2] = {i1, i2};
    if (mesh_size_ok(ctx, ctx->eval.map1_enabled, i1, i2, 0, 0, "glEvalMesh1"))
        begin_checked(mode == GL_POINT ? GL_POINTS : GL_LINE_STRIP, mesh1_body, arg);
}

/* Bodies of glBegin/glEnd for glEvalMesh2. row_body: a = {i1, i2, j}, a row of points.
 * column_body: a = {i, j1, j2}, a column. strip_body: a = {i1, i2, j}, a strip between two rows. */
static void row_body(const GLint *a)
{
    for (int64_t i = a[0]; i <= a[1]; i++)
        gl_EvalPoint2(i, a[2]);
}

static void column_body(const GLint *a)
{
    for (int64_t j = a[1]; j <= a[2]; j++)
        gl_EvalPoint2(a[0], j);
}

static void strip_body(const GLint *a)
{
    for (int64_t i = a[0]; i <= a[1]; i++) {
        gl_EvalPoint2(i, a[2]);
        gl_EvalPoint2(i, a[2] + 1);
    }
}

void gl_EvalMesh2(GLenum mode, GLint i1, GLint i2, GLint j1, GLint j2)
{
    GL_CONTEXT(ctx);
    if (mode != GL_POINT && mode != GL_LINE && mode != GL_FILL) {
        gl_error(ctx, GL_INVALID_ENUM, "glEvalMesh2(mode=%s)", gl_enum_name(mode));
        return;
    }
    if (!mesh_size_ok(ctx, ctx->eval.map2_enabled, i1, i2, j1, j2, "glEvalMesh2"))
        return;
    if (mode == GL_FILL) {
        for (int64_t j = j1; j < j2; j++)
            begin_checked(GL_QUAD_STRIP, strip_body, (const GLint[]){i1, i2, j});
        return;
    }
    for (int64_t j = j1; j <= j2; j++)
        begin_checked(mode == GL_POINT ? GL_POINTS : GL_LINE_STRIP, row_body,
                      (const GLint[]){i1, i2, j});
    for (int64_t i = i1; i <= i2 && mode == GL_LINE; i++)
        begin_checked(GL_LINE_STRIP, column_body, (const GLint[]){i, j1, j2});
}
