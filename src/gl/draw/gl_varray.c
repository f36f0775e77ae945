/* SPDX-License-Identifier: MIT */
/* Vertex array objects, array pointers and generic attribute arrays (GL 4.6 compatibility
 * §10.3). */
#include <math.h>
#include <stdlib.h>

#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_array.h"
#include "gl/draw/gl_feedback.h"
#include "gl/state/gl_params.h"
#include "gl_entry.h"

/* ---------------------------------------------------------------------------------- objects --- */

void gl_vertex_array_init(struct gl_vertex_array *v)
{
    for (unsigned i = 0; i < VERT_ATTRIB_COUNT; i++) {
        unsigned size = i == VERT_ATTRIB_NORMAL || i == VERT_ATTRIB_COLOR1 ? 3
                        : i == VERT_ATTRIB_FOG || i == VERT_ATTRIB_COLOR_INDEX ||
                                i == VERT_ATTRIB_EDGEFLAG || i == VERT_ATTRIB_POINT_SIZE
                            ? 1
                            : 4;
        v->attrib[i] = (struct gl_attrib_format){
            .type = i == VERT_ATTRIB_EDGEFLAG ? GL_UNSIGNED_BYTE : GL_FLOAT,
            .format = GL_RGBA,
            .size = size,
            .binding = i,
            .drv_format =
                i == VERT_ATTRIB_EDGEFLAG ? DRV_FORMAT_R8_USCALED : DRV_FORMAT_R32_FLOAT + size - 1,
            .element_bytes = i == VERT_ATTRIB_EDGEFLAG ? 1 : 4 * size,
        };
        v->binding[i].stride = v->attrib[i].element_bytes;
    }
}

static struct gl_vertex_array *vao_create(GLuint name)
{
    struct gl_vertex_array *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->name = name;
    gl_vertex_array_init(v);
    return v;
}

static bool make_vao(struct gl_context *ctx, GLuint name, GLenum target)
{
    struct gl_vertex_array *v = vao_create(name);
    bool ok = v && gl_names_insert(&ctx->vertex_arrays, name, v);
    if (!ok)
        free(v);
    return ok;
}

static void vao_destroy(struct gl_context *ctx, struct gl_vertex_array *v)
{
    if (!v)
        return;
    for (unsigned i = 0; i < VERT_ATTRIB_COUNT; i++)
        gl_buffer_reference(ctx, &v->binding[i].buffer, NULL);
    gl_buffer_reference(ctx, &v->index_buffer, NULL);
    free(v->label);
    free(v);
}

bool gl_arrays_init(struct gl_context *ctx)
{
    ctx->array.default_vao = ctx->array.vao = vao_create(0);
    return ctx->array.vao;
}

static void destroy_named(GLuint name, void *object, void *data)
{
    vao_destroy(data, object);
}

void gl_arrays_finish(struct gl_context *ctx)
{
    struct gl_buffer **const bindings[] = {
        &ctx->array.array_buffer,
        &ctx->copy_read_buffer,
        &ctx->copy_write_buffer,
        &ctx->draw_indirect_buffer,
        &ctx->uniform_buffer,
        &ctx->texture_buffer,
        &ctx->shader_storage_buffer,
        &ctx->query_buffer,
        &ctx->dispatch_indirect_buffer,
        &ctx->transform_feedback_buffer,
        &ctx->atomic_counter_buffer,
        &ctx->parameter_buffer,
        &ctx->external_memory_buffer,
        &ctx->pack.buffer,
        &ctx->unpack.buffer,
    };
    for (unsigned i = 0; i < ARRAY_SIZE(bindings); i++)
        gl_buffer_reference(ctx, bindings[i], NULL);
    gl_indexed_buffers_unbind(ctx, NULL);
    if (ctx->vertex_arrays.table)
        gl_names_foreach(&ctx->vertex_arrays, destroy_named, ctx);
    vao_destroy(ctx, ctx->array.default_vao);
}

void gl_GenVertexArrays(GLsizei n, GLuint *arrays)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenVertexArrays(n=%d)", n);
    else if (!gl_names_gen(&ctx->vertex_arrays, n, false, arrays))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenVertexArrays(n=%d)", n);
}

void gl_CreateVertexArrays(GLsizei n, GLuint *arrays)
{
    GL_CONTEXT(ctx);
    gl_names_create(ctx, &ctx->vertex_arrays, n, arrays, make_vao, 0, gl_DeleteVertexArrays,
                    "glCreateVertexArrays");
}

struct gl_vertex_array *gl_get_or_create_arrays(struct gl_context *ctx, GLuint name,
                                                const char *call)
{
    struct gl_vertex_array *v = gl_names_lookup(&ctx->vertex_arrays, name);
    if (v)
        return v;
    if (!gl_names_is_used(&ctx->vertex_arrays, name))
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%u was not generated)", call, name);
    else if (!make_vao(ctx, name, 0))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return gl_names_lookup(&ctx->vertex_arrays, name);
}

bool gl_use_source(struct gl_context *ctx, GLuint name, GLuint buffer, const char *call,
                   struct gl_array_source *source)
{
    source->vao = gl_get_or_create_arrays(ctx, name, call);
    source->buffer = NULL;
    source->offset = buffer != 0;
    return source->vao && gl_buffer_for_bind(ctx, buffer, &source->buffer, call);
}

void gl_BindVertexArray(GLuint array)
{
    GL_CONTEXT(ctx);
    struct gl_vertex_array *v =
        array ? gl_get_or_create_arrays(ctx, array, "glBindVertexArray") : ctx->array.default_vao;
    if (!v)
        return;
    if (v == ctx->array.vao)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    ctx->array.vao = v;
}

void gl_DeleteVertexArrays(GLsizei n, const GLuint *arrays)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteVertexArrays(n=%d)", n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        struct gl_vertex_array *v = gl_names_remove(&ctx->vertex_arrays, arrays[i]);
        if (v && v == ctx->array.vao)
            gl_BindVertexArray(0);
        vao_destroy(ctx, v);
    }
}

GLboolean gl_IsVertexArray(GLuint array)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(&ctx->vertex_arrays, array) != NULL;
}

/* ---------------------------------------------------------------------------------- formats --- */

enum {
    T_BYTE = 1 << 0,
    T_UBYTE = 1 << 1,
    T_SHORT = 1 << 2,
    T_USHORT = 1 << 3,
    T_INT = 1 << 4,
    T_UINT = 1 << 5,
    T_FLOAT = 1 << 6,
    T_DOUBLE = 1 << 7,
    T_HALF = 1 << 8,
    T_FIXED = 1 << 9,
    T_PACKED = 1 << 10,
    T_PACKED_FLOAT = 1 << 11,
    T_UINT64 = 1 << 12,
    T_INTEGERS = T_BYTE | T_UBYTE | T_SHORT | T_USHORT | T_INT | T_UINT,
};

static const struct attrib_type {
    GLenum type;
    uint16_t bit;
    uint8_t bytes;
    /* Formats with one component; those with two to four follow. */
    enum drv_format normalized, scaled, integer;
} attrib_types[] = {
    {GL_BYTE, T_BYTE, 1, DRV_FORMAT_R8_SNORM, DRV_FORMAT_R8_SSCALED, DRV_FORMAT_R8_SINT},
    {GL_UNSIGNED_BYTE, T_UBYTE, 1, DRV_FORMAT_R8_UNORM, DRV_FORMAT_R8_USCALED, DRV_FORMAT_R8_UINT},
    {GL_SHORT, T_SHORT, 2, DRV_FORMAT_R16_SNORM, DRV_FORMAT_R16_SSCALED, DRV_FORMAT_R16_SINT},
    {GL_UNSIGNED_SHORT, T_USHORT, 2, DRV_FORMAT_R16_UNORM, DRV_FORMAT_R16_USCALED,
     DRV_FORMAT_R16_UINT},
    {GL_INT, T_INT, 4, DRV_FORMAT_R32_SNORM, DRV_FORMAT_R32_SSCALED, DRV_FORMAT_R32_SINT},
    {GL_UNSIGNED_INT, T_UINT, 4, DRV_FORMAT_R32_UNORM, DRV_FORMAT_R32_USCALED, DRV_FORMAT_R32_UINT},
    {GL_FLOAT, T_FLOAT, 4, DRV_FORMAT_R32_FLOAT, DRV_FORMAT_R32_FLOAT, DRV_FORMAT_NONE},
    {GL_DOUBLE, T_DOUBLE, 8, DRV_FORMAT_R64_FLOAT, DRV_FORMAT_R64_FLOAT, DRV_FORMAT_NONE},
    {GL_UNSIGNED_INT64_ARB, T_UINT64, 8, DRV_FORMAT_NONE, DRV_FORMAT_R64_UINT, DRV_FORMAT_NONE},
    {GL_HALF_FLOAT, T_HALF, 2, DRV_FORMAT_R16_FLOAT, DRV_FORMAT_R16_FLOAT, DRV_FORMAT_NONE},
    {GL_HALF_FLOAT_OES, T_HALF, 2, DRV_FORMAT_R16_FLOAT, DRV_FORMAT_R16_FLOAT, DRV_FORMAT_NONE},
    {GL_FIXED, T_FIXED, 4, DRV_FORMAT_R32_FIXED, DRV_FORMAT_R32_FIXED, DRV_FORMAT_NONE},
    {GL_INT_2_10_10_10_REV, T_PACKED, 4, DRV_FORMAT_R10G10B10A2_SNORM,
     DRV_FORMAT_R10G10B10A2_SSCALED, DRV_FORMAT_NONE},
    {GL_UNSIGNED_INT_2_10_10_10_REV, T_PACKED, 4, DRV_FORMAT_R10G10B10A2_UNORM,
     DRV_FORMAT_R10G10B10A2_USCALED, DRV_FORMAT_NONE},
    {GL_UNSIGNED_INT_10F_11F_11F_REV, T_PACKED_FLOAT, 4, DRV_FORMAT_R11G11B10_FLOAT,
     DRV_FORMAT_R11G11B10_FLOAT, DRV_FORMAT_NONE},
};

static const struct attrib_type *find_type(GLenum type)
{
    for (unsigned i = 0; i < ARRAY_SIZE(attrib_types); i++)
        if (attrib_types[i].type == type)
            return &attrib_types[i];
    return NULL;
}

/* Parameters that an array command accepts. */
struct array_rules {
    uint8_t attrib;    /* attribute, or number 0 of texture coordinates and generic attributes */
    unsigned types;    /* T_ bits in desktop GL */
    unsigned es_types; /* T_ bits in ES 1 or 2 */
    uint8_t min_size, max_size; /* range of components */
    bool bgra, normalized, integer, doubles;
};

static const struct array_rules array_rules[] = {
    [GL_ARRAY_VERTEX] = {VERT_ATTRIB_POS, T_SHORT | T_INT | T_FLOAT | T_DOUBLE | T_HALF | T_PACKED,
                         T_BYTE | T_SHORT | T_FIXED | T_FLOAT, 2, 4, false, false, false},
    [GL_ARRAY_NORMAL] = {VERT_ATTRIB_NORMAL,
                         T_BYTE | T_SHORT | T_INT | T_FLOAT | T_DOUBLE | T_HALF | T_PACKED,
                         T_BYTE | T_SHORT | T_FIXED | T_FLOAT, 3, 4, false, true, false},
    [GL_ARRAY_COLOR] = {VERT_ATTRIB_COLOR0, T_INTEGERS | T_FLOAT | T_DOUBLE | T_HALF | T_PACKED,
                        T_UBYTE | T_FIXED | T_FLOAT, 3, 4, true, true, false},
    [GL_ARRAY_SECONDARY_COLOR] = {VERT_ATTRIB_COLOR1,
                                  T_INTEGERS | T_FLOAT | T_DOUBLE | T_HALF | T_PACKED, 0, 3, 4,
                                  true, true, false},
    [GL_ARRAY_INDEX] = {VERT_ATTRIB_COLOR_INDEX, T_UBYTE | T_SHORT | T_INT | T_FLOAT | T_DOUBLE, 0,
                        1, 1, false, false, false},
    [GL_ARRAY_FOG_COORD] = {VERT_ATTRIB_FOG, T_FLOAT | T_DOUBLE | T_HALF, 0, 1, 1, false, false,
                            false},
    [GL_ARRAY_EDGE_FLAG] = {VERT_ATTRIB_EDGEFLAG, T_UBYTE, 0, 1, 1, false, false, false},
    [GL_ARRAY_TEX_COORD] = {VERT_ATTRIB_TEX(0),
                            T_SHORT | T_INT | T_FLOAT | T_DOUBLE | T_HALF | T_PACKED,
                            T_BYTE | T_SHORT | T_FIXED | T_FLOAT, 1, 4, false, false, false},
    [GL_ARRAY_POINT_SIZE] = {VERT_ATTRIB_POINT_SIZE, 0, T_FIXED | T_FLOAT, 1, 1, false, false,
                             false},
    [GL_ARRAY_ATTRIB] = {VERT_ATTRIB_GENERIC(0),
                         T_INTEGERS | T_FLOAT | T_DOUBLE | T_HALF | T_PACKED | T_PACKED_FLOAT |
                             T_FIXED,
                         T_BYTE | T_UBYTE | T_SHORT | T_USHORT | T_FLOAT | T_FIXED | T_HALF, 1, 4,
                         true, true, false},
    [GL_ARRAY_ATTRIB_I] = {VERT_ATTRIB_GENERIC(0), T_INTEGERS, T_INTEGERS, 1, 4, .integer = true},
    [GL_ARRAY_ATTRIB_L] = {VERT_ATTRIB_GENERIC(0), T_DOUBLE, 0, 1, 4, .doubles = true},
};

static enum drv_format bgra_format(GLenum type, bool normalized)
{
    switch (type) {
    case GL_UNSIGNED_BYTE:
        return DRV_FORMAT_B8G8R8A8_UNORM;
    case GL_INT_2_10_10_10_REV:
        return normalized ? DRV_FORMAT_B10G10R10A2_SNORM : DRV_FORMAT_B10G10R10A2_SSCALED;
    default:
        return normalized ? DRV_FORMAT_B10G10R10A2_UNORM : DRV_FORMAT_B10G10R10A2_USCALED;
    }
}

/* Checks type, size and normalization and fills in the format. Returns false after raising an
 * error. */
static bool make_format(struct gl_context *ctx, const struct array_rules *rules, GLint size,
                        GLenum type, bool normalized, struct gl_attrib_format *f, const char *call)
{
    bool bgra = rules->bgra && size == GL_BGRA && gl_is_desktop(ctx);
    /* GL ES 1.1 table 2.4 */
    int min_size = !gl_is_es(ctx)                        ? rules->min_size
                   : rules->attrib == VERT_ATTRIB_TEX(0) ? 2
                   : rules->attrib == VERT_ATTRIB_COLOR0 ? 4
                                                         : rules->min_size;
    if (!bgra && (size < min_size || size > rules->max_size)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(size=%d)", call, size);
        return false;
    }
    const struct attrib_type *t = find_type(type);
    unsigned allowed = gl_is_es(ctx) ? rules->es_types : rules->types;
    if (rules == &array_rules[GL_ARRAY_ATTRIB] && gl_is_es(ctx) && ctx->consts.version >= 30)
        allowed |= T_INT | T_UINT | T_PACKED; /* ES 3.2 table 10.2 */
    if (rules->doubles && ctx->ext.ARB_bindless_texture)
        allowed |= T_UINT64;
    if (type == GL_HALF_FLOAT_OES && !gl_is_es(ctx))
        t = NULL;
    if (!t || !(t->bit & allowed)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(type=%s)", call, gl_enum_name(type));
        return false;
    }
    if (t->bit & T_UINT64 && size != 1) { /* handles; there are no vectors of them */
        gl_error(ctx, GL_INVALID_VALUE, "%s(size=%d)", call, size);
        return false;
    }
    bool packed = t->bit & T_PACKED;
    if (bgra && ((type != GL_UNSIGNED_BYTE && !packed) || !normalized)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(GL_BGRA, type=%s, normalized=%d)", call,
                 gl_enum_name(type), normalized);
        return false;
    }
    if ((packed && size != 4 && !bgra) || (t->bit & T_PACKED_FLOAT && size != 3)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(size=%d, type=%s)", call, size, gl_enum_name(type));
        return false;
    }
    bool whole = packed || t->bit & T_PACKED_FLOAT;
    *f = (struct gl_attrib_format){
        .type = type,
        .format = bgra ? GL_BGRA : GL_RGBA,
        .size = bgra ? 4 : size,
        .normalized = normalized,
        .integer = rules->integer,
        .doubles = rules->doubles,
        .element_bytes = whole ? 4 : t->bytes * (bgra ? 4 : size),
    };
    enum drv_format base = rules->integer ? t->integer : normalized ? t->normalized : t->scaled;
    f->drv_format = bgra ? bgra_format(type, normalized) : whole ? base : base + f->size - 1;
    return true;
}

/* --------------------------------------------------------------------------------- pointers --- */

static bool attrib_index_ok(struct gl_context *ctx, GLuint index, const char *call)
{
    if (index < (unsigned)ctx->consts.max_vertex_attribs)
        return true;
    gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
    return false;
}

void gl_array_pointer(struct gl_context *ctx, const struct gl_array_source *source,
                      enum gl_array_kind kind, GLuint index, GLint size, GLenum type,
                      bool normalized, GLsizei stride, const void *pointer, const char *call)
{
    const struct array_rules *rules = &array_rules[kind];
    const struct attrib_type *t = find_type(type);
    struct gl_vertex_array *v = source->vao;
    struct gl_attrib_format f;
    if (kind >= GL_ARRAY_ATTRIB && !attrib_index_ok(ctx, index, call))
        return;
    if (ctx->api == GL_API_CORE && !v->name) { /* GL 4.6 §E.2.2 */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no vertex array object)", call);
        return;
    }
    if (kind == GL_ARRAY_NORMAL && t && t->bit & T_PACKED)
        size = 4;
    if (!make_format(ctx, rules, size, type, normalized, &f, call))
        return;
    const unsigned limited_since = gl_is_es(ctx) ? 31 : 44;
    if (stride < 0 || (ctx->consts.version >= limited_since &&
                       stride > ctx->screen->caps.max_vertex_attrib_stride)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(stride=%d)", call, stride);
        return;
    }
    if (source->offset && (GLintptr)pointer < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%td)", call, (GLintptr)pointer);
        return;
    }
    if (v->name && !source->buffer && pointer) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(client memory in a vertex array object)", call);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    unsigned attrib = rules->attrib + index;
    f.binding = attrib;
    f.stride = stride;
    f.pointer = pointer;
    v->attrib[attrib] = f;
    struct gl_vertex_binding *b = &v->binding[attrib];
    gl_buffer_reference(ctx, &b->buffer, source->buffer);
    b->offset = (GLintptr)pointer;
    b->user = b->buffer ? NULL : pointer;
    b->stride = stride ? stride : f.element_bytes;
}

void gl_array_tex_coords(struct gl_context *ctx, const struct gl_array_source *source,
                         GLenum texunit, GLint size, GLenum type, GLsizei stride,
                         const void *pointer, const char *call)
{
    unsigned unit = texunit - GL_TEXTURE0;
    if (unit < GL_MAX_TEXTURE_COORD_UNITS)
        gl_array_pointer(ctx, source, GL_ARRAY_TEX_COORD, unit, size, type, false, stride, pointer,
                         call);
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(texunit=%s)", call, gl_enum_name(texunit));
}

/* EXT_vertex_array's commands have a count parameter without effect. */
void gl_VertexPointerEXT(GLint size, GLenum type, GLsizei stride, GLsizei count, const void *p)
{
    gl_VertexPointer(size, type, stride, p);
}

void gl_NormalPointerEXT(GLenum type, GLsizei stride, GLsizei count, const void *p)
{
    gl_NormalPointer(type, stride, p);
}

void gl_ColorPointerEXT(GLint size, GLenum type, GLsizei stride, GLsizei count, const void *p)
{
    gl_ColorPointer(size, type, stride, p);
}

void gl_IndexPointerEXT(GLenum type, GLsizei stride, GLsizei count, const void *p)
{
    gl_IndexPointer(type, stride, p);
}

void gl_TexCoordPointerEXT(GLint size, GLenum type, GLsizei stride, GLsizei count, const void *p)
{
    gl_TexCoordPointer(size, type, stride, p);
}

void gl_EdgeFlagPointerEXT(GLsizei stride, GLsizei count, const GLboolean *p)
{
    gl_EdgeFlagPointer(stride, p);
}

void gl_ClientActiveTexture(GLenum texture)
{
    GL_CONTEXT(ctx);
    unsigned unit = texture - GL_TEXTURE0;
    if (unit >= GL_MAX_TEXTURE_COORD_UNITS) {
        gl_error(ctx, GL_INVALID_ENUM, "glClientActiveTexture(texture=%s)", gl_enum_name(texture));
        return;
    }
    ctx->array.client_active_texture = unit;
}

void gl_array_enable(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index, bool enable,
                     const char *call)
{
    if (!attrib_index_ok(ctx, index, call))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    vao->enabled &= ~(1u << VERT_ATTRIB_GENERIC(index));
    if (enable)
        vao->enabled |= 1u << VERT_ATTRIB_GENERIC(index);
}

void gl_array_divisor(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index,
                      GLuint divisor, const char *call)
{
    if (!attrib_index_ok(ctx, index, call))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    vao->attrib[VERT_ATTRIB_GENERIC(index)].binding = VERT_ATTRIB_GENERIC(index);
    vao->binding[VERT_ATTRIB_GENERIC(index)].divisor = divisor;
}

/* Sets arrays by the formats of GL 4.6 compatibility table 10.6. */
void gl_InterleavedArrays(GLenum format, GLsizei stride, const void *pointer)
{
    GL_CONTEXT(ctx);
    static const struct {
        GLenum format;
        uint8_t tex, color, vertex; /* components */
        bool normal;
        GLenum color_type;
        uint8_t color_offset, normal_offset, vertex_offset, bytes;
    } table[] = {
        {GL_V2F, 0, 0, 2, false, 0, 0, 0, 0, 8},
        {GL_V3F, 0, 0, 3, false, 0, 0, 0, 0, 12},
        {GL_C4UB_V2F, 0, 4, 2, false, GL_UNSIGNED_BYTE, 0, 0, 4, 12},
        {GL_C4UB_V3F, 0, 4, 3, false, GL_UNSIGNED_BYTE, 0, 0, 4, 16},
        {GL_C3F_V3F, 0, 3, 3, false, GL_FLOAT, 0, 0, 12, 24},
        {GL_N3F_V3F, 0, 0, 3, true, 0, 0, 0, 12, 24},
        {GL_C4F_N3F_V3F, 0, 4, 3, true, GL_FLOAT, 0, 16, 28, 40},
        {GL_T2F_V3F, 2, 0, 3, false, 0, 0, 0, 8, 20},
        {GL_T4F_V4F, 4, 0, 4, false, 0, 0, 0, 16, 32},
        {GL_T2F_C4UB_V3F, 2, 4, 3, false, GL_UNSIGNED_BYTE, 8, 0, 12, 24},
        {GL_T2F_C3F_V3F, 2, 3, 3, false, GL_FLOAT, 8, 0, 20, 32},
        {GL_T2F_N3F_V3F, 2, 0, 3, true, 0, 0, 8, 20, 32},
        {GL_T2F_C4F_N3F_V3F, 2, 4, 3, true, GL_FLOAT, 8, 24, 36, 48},
        {GL_T4F_C4F_N3F_V4F, 4, 4, 4, true, GL_FLOAT, 16, 32, 44, 60},
    };
    unsigned i = 0;
    while (i < ARRAY_SIZE(table) && table[i].format != format)
        i++;
    if (i == ARRAY_SIZE(table)) {
        gl_error(ctx, GL_INVALID_ENUM, "glInterleavedArrays(format=%s)", gl_enum_name(format));
        return;
    }
    if (stride < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glInterleavedArrays(stride=%d)", stride);
        return;
    }
    const char *p = pointer;
    GLsizei step = stride ? stride : table[i].bytes;
    gl_DisableClientState(GL_EDGE_FLAG_ARRAY);
    gl_DisableClientState(GL_INDEX_ARRAY);
    gl_DisableClientState(GL_SECONDARY_COLOR_ARRAY);
    gl_DisableClientState(GL_FOG_COORD_ARRAY);
    (table[i].tex ? gl_EnableClientState : gl_DisableClientState)(GL_TEXTURE_COORD_ARRAY);
    (table[i].color ? gl_EnableClientState : gl_DisableClientState)(GL_COLOR_ARRAY);
    (table[i].normal ? gl_EnableClientState : gl_DisableClientState)(GL_NORMAL_ARRAY);
    gl_EnableClientState(GL_VERTEX_ARRAY);
    if (table[i].tex)
        gl_TexCoordPointer(table[i].tex, GL_FLOAT, step, p);
    if (table[i].color)
        gl_ColorPointer(table[i].color, table[i].color_type, step, p + table[i].color_offset);
    if (table[i].normal)
        gl_NormalPointer(GL_FLOAT, step, p + table[i].normal_offset);
    gl_VertexPointer(table[i].vertex, GL_FLOAT, step, p + table[i].vertex_offset);
}

/* ------------------------------------------------------------ separate formats and bindings --- */

struct gl_vertex_array *gl_bound_arrays(struct gl_context *ctx, const char *call)
{
    if (ctx->array.vao->name || ctx->api == GL_API_COMPAT)
        return ctx->array.vao;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(no vertex array object)", call);
    return NULL;
}

struct gl_vertex_array *gl_named_arrays(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_vertex_array *v = name || !gl_is_compat(ctx)
                                    ? gl_names_lookup(&ctx->vertex_arrays, name)
                                    : ctx->array.default_vao;
    if (!v)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no vertex array object %u)", call, name);
    return v;
}

/* Checks the offset and stride of a binding. Returns false after raising an error. */
static bool binding_ok(struct gl_context *ctx, GLintptr offset, GLsizei stride, const char *call)
{
    if (offset >= 0 && stride >= 0 && stride <= (GLsizei)ctx->screen->caps.max_vertex_attrib_stride)
        return true;
    gl_error(ctx, GL_INVALID_VALUE, "%s(offset=%td, stride=%d)", call, offset, stride);
    return false;
}

static void set_binding(struct gl_context *ctx, struct gl_vertex_array *vao, unsigned index,
                        struct gl_buffer *b, GLintptr offset, GLsizei stride)
{
    struct gl_vertex_binding *vb = &vao->binding[VERT_ATTRIB_GENERIC(index)];
    gl_buffer_reference(ctx, &vb->buffer, b);
    vb->offset = offset;
    vb->user = NULL;
    vb->stride = stride;
}

void gl_array_vertex_buffer(struct gl_context *ctx, struct gl_vertex_array *vao,
                            GLuint bindingindex, GLuint buffer, GLintptr offset, GLsizei stride,
                            const char *call)
{
    if (!attrib_index_ok(ctx, bindingindex, call) || !binding_ok(ctx, offset, stride, call))
        return;
    /* Unlike in glBindBuffer, ES requires generated names here, too (ES 3.2 §10.3.2). */
    struct gl_buffer *b;
    if (gl_is_es(ctx) && buffer && !gl_names_is_used(&ctx->shared->buffers, buffer)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(buffer %u)", call, buffer);
        return;
    }
    if (!gl_buffer_for_bind(ctx, buffer, &b, call))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    set_binding(ctx, vao, bindingindex, b, offset, stride);
}

/* ARB_multi_bind: an invalid binding does not affect the others. */
void gl_array_vertex_buffers(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint first,
                             GLsizei count, const GLuint *buffers, const GLintptr *offsets,
                             const GLsizei *strides, const char *call)
{
    if (count < 0 || (uint64_t)first + count > (uint64_t)ctx->consts.max_vertex_attribs) {
        gl_error(ctx, count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION, "%s(first=%u, count=%d)",
                 call, first, count);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    for (GLsizei i = 0; i < count; i++) {
        struct gl_buffer *b = buffers ? gl_buffer_lookup(ctx, buffers[i]) : NULL;
        if (buffers && buffers[i] && !b)
            gl_error(ctx, GL_INVALID_OPERATION, "%s(buffer %u)", call, buffers[i]);
        else if (!buffers)
            set_binding(ctx, vao, first + i, NULL, 0, 16);
        else if (binding_ok(ctx, offsets[i], strides[i], call))
            set_binding(ctx, vao, first + i, b, offsets[i], strides[i]);
    }
}

void gl_array_element_buffer(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint buffer,
                             const char *call)
{
    struct gl_buffer *b = gl_buffer_lookup(ctx, buffer);
    if (buffer && !b) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(buffer %u)", call, buffer);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    gl_buffer_reference(ctx, &vao->index_buffer, b);
}

void gl_array_format(struct gl_context *ctx, struct gl_vertex_array *vao, enum gl_array_kind kind,
                     GLuint index, GLint size, GLenum type, bool normalized, GLuint relativeoffset,
                     const char *call)
{
    struct gl_attrib_format f;
    if (!attrib_index_ok(ctx, index, call) ||
        !make_format(ctx, &array_rules[kind], size, type, normalized, &f, call))
        return;
    if (relativeoffset > 2047) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(relativeoffset=%u)", call, relativeoffset);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    struct gl_attrib_format *old = &vao->attrib[VERT_ATTRIB_GENERIC(index)];
    f.binding = old->binding;
    f.stride = old->stride;
    f.pointer = old->pointer;
    f.relative_offset = relativeoffset;
    *old = f;
}

void gl_array_attrib_binding(struct gl_context *ctx, struct gl_vertex_array *vao,
                             GLuint attribindex, GLuint bindingindex, const char *call)
{
    if (!attrib_index_ok(ctx, attribindex, call) || !attrib_index_ok(ctx, bindingindex, call))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    vao->attrib[VERT_ATTRIB_GENERIC(attribindex)].binding = VERT_ATTRIB_GENERIC(bindingindex);
}

void gl_array_binding_divisor(struct gl_context *ctx, struct gl_vertex_array *vao,
                              GLuint bindingindex, GLuint divisor, const char *call)
{
    if (!attrib_index_ok(ctx, bindingindex, call))
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    vao->binding[VERT_ATTRIB_GENERIC(bindingindex)].divisor = divisor;
}

/* ---------------------------------------------------------------------------------- queries --- */

/* Returns one value of an attribute's array state in *v. Returns false after raising an error. */
static bool get_attrib(struct gl_context *ctx, const struct gl_vertex_array *vao, GLuint index,
                       GLenum pname, double *v, const char *call)
{
    if (!attrib_index_ok(ctx, index, call))
        return false;
    unsigned a = VERT_ATTRIB_GENERIC(index);
    const struct gl_attrib_format *f = &vao->attrib[a];
    const struct gl_vertex_binding *b = &vao->binding[f->binding];
    switch (pname) {
    case GL_VERTEX_ATTRIB_ARRAY_ENABLED:
        *v = vao->enabled >> a & 1;
        return true;
    case GL_VERTEX_ATTRIB_ARRAY_SIZE:
        *v = f->format == GL_BGRA ? GL_BGRA : f->size;
        return true;
    case GL_VERTEX_ATTRIB_ARRAY_STRIDE:
        *v = f->stride;
        return true;
    case GL_VERTEX_ATTRIB_ARRAY_TYPE:
        *v = f->type;
        return true;
    case GL_VERTEX_ATTRIB_ARRAY_NORMALIZED:
        *v = f->normalized;
        return true;
    case GL_VERTEX_ATTRIB_ARRAY_INTEGER:
        *v = f->integer;
        return true;
    case GL_VERTEX_ATTRIB_ARRAY_LONG:
        if (gl_is_es(ctx))
            break;
        *v = f->doubles;
        return true;
    case GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
        *v = b->buffer ? b->buffer->name : 0;
        return true;
    case GL_VERTEX_ATTRIB_ARRAY_DIVISOR:
        *v = b->divisor;
        return true;
    case GL_VERTEX_ATTRIB_BINDING:
        *v = f->binding - VERT_ATTRIB_GENERIC0;
        return true;
    case GL_VERTEX_ATTRIB_RELATIVE_OFFSET:
        *v = f->relative_offset;
        return true;
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return false;
}

void gl_array_get(struct gl_context *ctx, const struct gl_vertex_array *vao, GLenum pname,
                  GLint *param, const char *call)
{
    if (pname == GL_ELEMENT_ARRAY_BUFFER_BINDING)
        *param = vao->index_buffer ? vao->index_buffer->name : 0;
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

void gl_array_get_indexed(struct gl_context *ctx, const struct gl_vertex_array *vao, GLuint index,
                          GLenum pname, GLint *param, const char *call)
{
    double v = 0.0;
    switch (pname) {
    case GL_VERTEX_BINDING_STRIDE:
    case GL_VERTEX_BINDING_DIVISOR:
    case GL_VERTEX_BINDING_BUFFER:
        if (!attrib_index_ok(ctx, index, call))
            return;
        const struct gl_vertex_binding *b = &vao->binding[VERT_ATTRIB_GENERIC(index)];
        v = pname == GL_VERTEX_BINDING_STRIDE    ? b->stride
            : pname == GL_VERTEX_BINDING_DIVISOR ? b->divisor
            : b->buffer                          ? b->buffer->name
                                                 : 0;
        break;
    case GL_VERTEX_ATTRIB_BINDING:
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
        return;
    default:
        if (!get_attrib(ctx, vao, index, pname, &v, call))
            return;
    }
    *param = (GLint)MIN2(v, INT32_MAX);
}

void gl_array_get_indexed64(struct gl_context *ctx, const struct gl_vertex_array *vao, GLuint index,
                            GLenum pname, GLint64 *param, const char *call)
{
    if (pname != GL_VERTEX_BINDING_OFFSET)
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    else if (attrib_index_ok(ctx, index, call))
        *param = vao->binding[VERT_ATTRIB_GENERIC(index)].offset;
}

/* Returns the current value of a generic attribute, or NULL after raising an error. */
static const float *current_attrib(struct gl_context *ctx, GLuint index, const char *call)
{
    if (!attrib_index_ok(ctx, index, call))
        return NULL;
    if (index == 0 && gl_is_compat(ctx)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(attribute 0 has no current value)", call);
        return NULL;
    }
    FLUSH_VERTICES(ctx, 0);
    return ctx->current_attribs.attrib[VERT_ATTRIB_GENERIC(index)];
}

#define GET_ATTRIB(suffix, type, value, convert)                                                   \
    void gl_GetVertexAttrib##suffix(GLuint index, GLenum pname, type *params)                      \
    {                                                                                              \
        GL_CONTEXT(ctx);                                                                           \
        const char *call = "glGetVertexAttrib" #suffix;                                            \
        double v;                                                                                  \
        if (pname == GL_CURRENT_VERTEX_ATTRIB) {                                                   \
            const float *c = current_attrib(ctx, index, call);                                     \
            for (unsigned i = 0; c && i < 4; i++)                                                  \
                params[i] = convert;                                                               \
        } else if (get_attrib(ctx, ctx->array.vao, index, pname, &v, call)) {                      \
            params[0] = value;                                                                     \
        }                                                                                          \
    }
GET_ATTRIB(fv, GLfloat, v, c[i])
GET_ATTRIB(dv, GLdouble, v, c[i])
GET_ATTRIB(iv, GLint, MIN2(v, INT32_MAX), gl_nearest_int(c[i]))
GET_ATTRIB(Iiv, GLint, MIN2(v, INT32_MAX), (GLint)fui(c[i]))
GET_ATTRIB(Iuiv, GLuint, v, fui(c[i]))

void gl_GetVertexAttribLdv(GLuint index, GLenum pname, GLdouble *params)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0); /* may change the type */
    if (pname != GL_CURRENT_VERTEX_ATTRIB || index >= ARRAY_SIZE(ctx->current_attribs.wide) ||
        ctx->current_attribs.attrib_type[VERT_ATTRIB_GENERIC(index)] != GL_DOUBLE) {
        gl_GetVertexAttribdv(index, pname, params);
        return;
    }
    if (current_attrib(ctx, index, "glGetVertexAttribLdv"))
        memcpy(params, ctx->current_attribs.wide[index], sizeof ctx->current_attribs.wide[index]);
}

void gl_GetVertexAttribLui64vARB(GLuint index, GLenum pname, GLuint64EXT *params)
{
    GL_CONTEXT(ctx);
    const char *call = "glGetVertexAttribLui64vARB";
    double v;
    if (pname != GL_CURRENT_VERTEX_ATTRIB) {
        if (get_attrib(ctx, ctx->array.vao, index, pname, &v, call))
            params[0] = v;
        return;
    }
    const float *c = current_attrib(ctx, index, call);
    if (c && ctx->current_attribs.attrib_type[VERT_ATTRIB_GENERIC(index)] == GL_UNSIGNED_INT64_ARB)
        memcpy(params, ctx->current_attribs.wide[index], sizeof *params);
    else if (c)
        params[0] = c[0] > 0.0f ? (GLuint64EXT)MIN2(c[0], 0x1.fffffep63f) : 0;
}

void gl_GetVertexAttribPointerv(GLuint index, GLenum pname, void **pointer)
{
    GL_CONTEXT(ctx);
    if (pname != GL_VERTEX_ATTRIB_ARRAY_POINTER) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetVertexAttribPointerv(pname=%s)", gl_enum_name(pname));
        return;
    }
    if (attrib_index_ok(ctx, index, "glGetVertexAttribPointerv"))
        *pointer = (void *)ctx->array.vao->attrib[VERT_ATTRIB_GENERIC(index)].pointer;
}

void gl_GetPointerv(GLenum pname, void **params)
{
    GL_CONTEXT(ctx);
    const struct gl_attrib_format *a = ctx->array.vao->attrib;
    bool debug = pname == GL_DEBUG_CALLBACK_FUNCTION || pname == GL_DEBUG_CALLBACK_USER_PARAM;
    switch (debug || gl_has_fixed_function(ctx) ? pname : GL_NONE) {
    case GL_VERTEX_ARRAY_POINTER:
        *params = (void *)a[VERT_ATTRIB_POS].pointer;
        return;
    case GL_NORMAL_ARRAY_POINTER:
        *params = (void *)a[VERT_ATTRIB_NORMAL].pointer;
        return;
    case GL_COLOR_ARRAY_POINTER:
        *params = (void *)a[VERT_ATTRIB_COLOR0].pointer;
        return;
    case GL_SECONDARY_COLOR_ARRAY_POINTER:
        *params = (void *)a[VERT_ATTRIB_COLOR1].pointer;
        return;
    case GL_FOG_COORD_ARRAY_POINTER:
        *params = (void *)a[VERT_ATTRIB_FOG].pointer;
        return;
    case GL_INDEX_ARRAY_POINTER:
        *params = (void *)a[VERT_ATTRIB_COLOR_INDEX].pointer;
        return;
    case GL_EDGE_FLAG_ARRAY_POINTER:
        *params = (void *)a[VERT_ATTRIB_EDGEFLAG].pointer;
        return;
    case GL_POINT_SIZE_ARRAY_POINTER_OES:
        *params = (void *)a[VERT_ATTRIB_POINT_SIZE].pointer;
        return;
    case GL_TEXTURE_COORD_ARRAY_POINTER:
        *params = (void *)a[VERT_ATTRIB_TEX(ctx->array.client_active_texture)].pointer;
        return;
    case GL_FEEDBACK_BUFFER_POINTER:
    case GL_SELECTION_BUFFER_POINTER:
        if (gl_is_compat(ctx)) {
            *params = gl_feedback_pointer(ctx, pname);
            return;
        }
        break;
    case GL_DEBUG_CALLBACK_FUNCTION:
        *params = (void *)ctx->debug.callback;
        return;
    case GL_DEBUG_CALLBACK_USER_PARAM:
        *params = (void *)ctx->debug.user;
        return;
    }
    gl_error(ctx, GL_INVALID_ENUM, "glGetPointerv(pname=%s)", gl_enum_name(pname));
}
