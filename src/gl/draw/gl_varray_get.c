/* SPDX-License-Identifier: MIT */
/* Queries of the arrays of any vertex array object (EXT_direct_state_access): binds it temporarily
 * and queries the bound one. */
#include "gl/context/gl_context.h"
#include "gl/draw/gl_array.h"
#include "gl_dispatch.h"
#include "gl_entry.h"

/* Names by which glGetIntegerv, glIsEnabled and glGetPointerv query arrays (GL 3.0 tables 6.6 to
 * 6.9). */
static const struct array_names {
    GLenum enable, size, type, stride, buffer, pointer; /* 0: none */
} array_names[] = {
#define ARRAY(NAME, size, type)                                                                    \
    {GL_##NAME##_ARRAY,                                                                            \
     size,                                                                                         \
     type,                                                                                         \
     GL_##NAME##_ARRAY_STRIDE,                                                                     \
     GL_##NAME##_ARRAY_BUFFER_BINDING,                                                             \
     GL_##NAME##_ARRAY_POINTER}
    ARRAY(TEXTURE_COORD, GL_TEXTURE_COORD_ARRAY_SIZE, GL_TEXTURE_COORD_ARRAY_TYPE),
    ARRAY(VERTEX, GL_VERTEX_ARRAY_SIZE, GL_VERTEX_ARRAY_TYPE),
    ARRAY(NORMAL, 0, GL_NORMAL_ARRAY_TYPE),
    ARRAY(COLOR, GL_COLOR_ARRAY_SIZE, GL_COLOR_ARRAY_TYPE),
    ARRAY(SECONDARY_COLOR, GL_SECONDARY_COLOR_ARRAY_SIZE, GL_SECONDARY_COLOR_ARRAY_TYPE),
    ARRAY(INDEX, 0, GL_INDEX_ARRAY_TYPE),
    ARRAY(FOG_COORD, 0, GL_FOG_COORD_ARRAY_TYPE),
    ARRAY(EDGE_FLAG, 0, 0),
#undef ARRAY
};

static bool names_integer(const struct array_names *a, GLenum pname)
{
    return pname && (pname == a->enable || pname == a->size || pname == a->type ||
                     pname == a->stride || pname == a->buffer);
}

static void get_as_bound(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum pname,
                         GLint *param)
{
    struct gl_vertex_array *bound = ctx->array.vao;
    FLUSH_VERTICES(ctx, 0);
    ctx->array.vao = vao;
    ctx->exec_dispatch->GetIntegerv(pname, param);
    ctx->array.vao = bound;
}

static void get_pointer_as_bound(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum pname,
                                 void **param)
{
    struct gl_vertex_array *bound = ctx->array.vao;
    ctx->array.vao = vao;
    gl_GetPointerv(pname, param);
    ctx->array.vao = bound;
}

/* Selects the client's active texture coordinate set. Returns false after raising an error. */
static bool use_tex_coords(struct gl_context *ctx, GLuint index, const char *call)
{
    if (index >= GL_MAX_TEXTURE_COORD_UNITS) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
        return false;
    }
    ctx->array.client_active_texture = index;
    return true;
}

void gl_array_get_client(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum pname,
                         GLint *param, const char *call)
{
    bool known = pname == GL_CLIENT_ACTIVE_TEXTURE || pname == GL_ARRAY_BUFFER_BINDING ||
                 pname == GL_ELEMENT_ARRAY_BUFFER_BINDING;
    void *pointer = NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(array_names); i++) {
        known |= names_integer(&array_names[i], pname);
        if (array_names[i].pointer == pname) { /* returns its low bits */
            get_pointer_as_bound(ctx, vao, pname, &pointer);
            *param = (GLint)(GLintptr)pointer;
            return;
        }
    }
    if (known)
        get_as_bound(ctx, vao, pname, param);
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

void gl_array_get_client_indexed(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index,
                                 GLenum pname, GLint *param, const char *call)
{
    GLuint active = ctx->array.client_active_texture;
    struct gl_vertex_array *bound = ctx->array.vao;
    if (names_integer(&array_names[0], pname)) {
        if (use_tex_coords(ctx, index, call))
            get_as_bound(ctx, vao, pname, param);
        ctx->array.client_active_texture = active;
    } else if (pname == GL_CURRENT_VERTEX_ATTRIB) { /* not array state */
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    } else {
        ctx->array.vao = vao;
        gl_GetVertexAttribiv(index, pname, param);
        ctx->array.vao = bound;
    }
}

void gl_array_get_pointer(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum pname,
                          void **param, const char *call)
{
    for (unsigned i = 0; i < ARRAY_SIZE(array_names); i++)
        if (array_names[i].pointer == pname) {
            get_pointer_as_bound(ctx, vao, pname, param);
            return;
        }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

void gl_array_get_tex_coords_pointer(struct gl_context *ctx, struct gl_vertex_array *vao,
                                     GLenum pname, GLuint index, void **param, const char *call)
{
    GLuint active = ctx->array.client_active_texture;
    if (pname != GL_TEXTURE_COORD_ARRAY_POINTER) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
        return;
    }
    if (use_tex_coords(ctx, index, call))
        get_pointer_as_bound(ctx, vao, pname, param);
    ctx->array.client_active_texture = active;
}

void gl_array_get_pointer_indexed(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index,
                                  GLenum pname, void **param, const char *call)
{
    struct gl_vertex_array *bound = ctx->array.vao;
    if (pname != GL_VERTEX_ATTRIB_ARRAY_POINTER) {
        gl_array_get_tex_coords_pointer(ctx, vao, pname, index, param, call);
        return;
    }
    ctx->array.vao = vao;
    gl_GetVertexAttribPointerv(index, pname, param);
    ctx->array.vao = bound;
}
