/* SPDX-License-Identifier: MIT */
/* Pixel transfer modes and maps, zoom, and their queries (GL 4.6 compatibility §8.4.3). */
#include <math.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_get_types.h"
#include "gl/pixel/gl_pixel.h"
#include "gl_entry.h"

void gl_pixels_init(struct gl_context *ctx)
{
    struct gl_pixel_state *p = &ctx->pixel;
    ctx->pack.alignment = ctx->unpack.alignment = 4;
    for (unsigned c = 0; c < 4; c++)
        p->scale[c] = 1.0f;
    p->depth_scale = 1.0f;
    p->zoom_x = p->zoom_y = 1.0f;
    for (unsigned i = 0; i < GL_MAP_COUNT; i++)
        p->map[i].size = 1;
}

void gl_PixelZoom(GLfloat x, GLfloat y)
{
    GL_CONTEXT(ctx);
    ctx->pixel.zoom_x = x;
    ctx->pixel.zoom_y = y;
}

static float *transfer_field(struct gl_pixel_state *p, GLenum pname)
{
    switch (pname) {
    case GL_RED_SCALE:
        return &p->scale[0];
    case GL_GREEN_SCALE:
        return &p->scale[1];
    case GL_BLUE_SCALE:
        return &p->scale[2];
    case GL_ALPHA_SCALE:
        return &p->scale[3];
    case GL_RED_BIAS:
        return &p->bias[0];
    case GL_GREEN_BIAS:
        return &p->bias[1];
    case GL_BLUE_BIAS:
        return &p->bias[2];
    case GL_ALPHA_BIAS:
        return &p->bias[3];
    case GL_DEPTH_SCALE:
        return &p->depth_scale;
    case GL_DEPTH_BIAS:
        return &p->depth_bias;
    default:
        return NULL;
    }
}

void gl_PixelTransferf(GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    struct gl_pixel_state *p = &ctx->pixel;
    float *field = transfer_field(p, pname);
    FLUSH_VERTICES(ctx, 0);
    if (field) {
        *field = param;
        return;
    }
    switch (pname) {
    case GL_MAP_COLOR:
        p->map_color = param != 0.0f;
        return;
    case GL_MAP_STENCIL:
        p->map_stencil = param != 0.0f;
        return;
    case GL_INDEX_SHIFT:
        p->index_shift = rintf(CLAMP(param, -1e9f, 1e9f));
        return;
    case GL_INDEX_OFFSET:
        p->index_offset = rintf(CLAMP(param, -1e9f, 1e9f));
        return;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glPixelTransfer(pname=%s)", gl_enum_name(pname));
    }
}

void gl_PixelTransferi(GLenum pname, GLint param)
{
    gl_PixelTransferf(pname, param);
}

/* ------------------------------------------------------------------------------------- maps --- */

static struct gl_pixel_map *map_of(struct gl_context *ctx, GLenum map, const char *name)
{
    unsigned index = map - GL_PIXEL_MAP_I_TO_I;
    if (index < GL_MAP_COUNT)
        return &ctx->pixel.map[index];
    gl_error(ctx, GL_INVALID_ENUM, "%s(map=%s)", name, gl_enum_name(map));
    return NULL;
}

static bool index_map(GLenum map)
{
    return map == GL_PIXEL_MAP_I_TO_I || map == GL_PIXEL_MAP_S_TO_S;
}

/* Sets a map. value() reads entry i as a float; bytes is the size of one entry, for pixel
 * buffers. */
static void set_map(GLenum map, GLsizei size, unsigned bytes, const void *values,
                    float (*value)(const void *values, unsigned i, bool index), const char *name)
{
    GL_CONTEXT(ctx);
    struct gl_pixel_map *m = map_of(ctx, map, name);
    struct gl_pixel_mapping mapping;
    if (!m)
        return;
    bool by_index = map <= GL_PIXEL_MAP_I_TO_A;
    if (size < 1 || size > GL_PIXEL_MAP_MAX || (by_index && !util_is_power_of_two(size))) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(mapsize=%d)", name, size);
        return;
    }
    const struct gl_pixel_layout l = {.size = (uint64_t)size * bytes};
    if (!gl_pixel_map_client(ctx, &ctx->unpack, &l, values, false, -1, name, &mapping) ||
        !mapping.pointer)
        return;
    FLUSH_VERTICES(ctx, 0);
    m->size = size;
    for (GLsizei i = 0; i < size; i++) {
        float v = value(mapping.pointer, i, index_map(map));
        m->map[i] = index_map(map) ? v : CLAMP(v, 0.0f, 1.0f);
    }
    gl_pixel_unmap_client(ctx, &mapping);
}

static float float_value(const void *values, unsigned i, bool index)
{
    float v;
    memcpy(&v, (const char *)values + 4 * i, 4);
    return v;
}

static float uint_value(const void *values, unsigned i, bool index)
{
    GLuint v;
    memcpy(&v, (const char *)values + 4 * i, 4);
    return index ? v : v / 4294967295.0;
}

static float ushort_value(const void *values, unsigned i, bool index)
{
    GLushort v;
    memcpy(&v, (const char *)values + 2 * i, 2);
    return index ? v : v / 65535.0f;
}

void gl_PixelMapfv(GLenum map, GLsizei size, const GLfloat *values)
{
    set_map(map, size, 4, values, float_value, "glPixelMapfv");
}

void gl_PixelMapuiv(GLenum map, GLsizei size, const GLuint *values)
{
    set_map(map, size, 4, values, uint_value, "glPixelMapuiv");
}

void gl_PixelMapusv(GLenum map, GLsizei size, const GLushort *values)
{
    set_map(map, size, 2, values, ushort_value, "glPixelMapusv");
}

enum map_type { MAP_FLOAT, MAP_UINT, MAP_USHORT };

static void get_map(GLenum map, GLsizei buf_size, enum map_type type, void *values,
                    const char *name)
{
    GL_CONTEXT(ctx);
    const struct gl_pixel_map *m = map_of(ctx, map, name);
    struct gl_pixel_mapping mapping;
    unsigned bytes = type == MAP_USHORT ? 2 : 4;
    if (!m)
        return;
    const struct gl_pixel_layout l = {.size = (uint64_t)m->size * bytes};
    if (!gl_pixel_map_client(ctx, &ctx->pack, &l, values, true, buf_size, name, &mapping) ||
        !mapping.pointer)
        return;
    for (unsigned i = 0; i < m->size; i++) {
        float v = m->map[i];
        GLuint u = index_map(map) ? (GLuint)rint(CLAMP((double)v, 0.0, UINT32_MAX))
                                  : (GLuint)(v * 4294967295.0 + 0.5);
        GLushort s = index_map(map) ? (GLushort)rintf(CLAMP(v, 0.0f, 65535.0f))
                                    : (GLushort)(v * 65535.0f + 0.5f);
        memcpy(mapping.pointer + i * bytes,
               type == MAP_FLOAT  ? (void *)&v
               : type == MAP_UINT ? (void *)&u
                                  : (void *)&s,
               bytes);
    }
    gl_pixel_unmap_client(ctx, &mapping);
}

void gl_GetPixelMapfv(GLenum map, GLfloat *values)
{
    get_map(map, -1, MAP_FLOAT, values, "glGetPixelMapfv");
}

void gl_GetPixelMapuiv(GLenum map, GLuint *values)
{
    get_map(map, -1, MAP_UINT, values, "glGetPixelMapuiv");
}

void gl_GetPixelMapusv(GLenum map, GLushort *values)
{
    get_map(map, -1, MAP_USHORT, values, "glGetPixelMapusv");
}

/* Like get_map, for queries with a buffer size; a negative one is an error (GL 4.6 compatibility
 * §8.4.3). */
static void get_sized_map(GLenum map, GLsizei size, enum map_type type, void *values,
                          const char *name)
{
    GL_CONTEXT(ctx);
    if (size < 0)
        gl_error(ctx, GL_INVALID_VALUE, "%s(bufSize=%d)", name, size);
    else
        get_map(map, size, type, values, name);
}

void gl_GetnPixelMapfv(GLenum map, GLsizei size, GLfloat *values)
{
    get_sized_map(map, size, MAP_FLOAT, values, "glGetnPixelMapfv");
}

void gl_GetnPixelMapfvARB(GLenum map, GLsizei size, GLfloat *values)
{
    gl_GetnPixelMapfv(map, size, values);
}

void gl_GetnPixelMapuiv(GLenum map, GLsizei size, GLuint *values)
{
    get_sized_map(map, size, MAP_UINT, values, "glGetnPixelMapuiv");
}

void gl_GetnPixelMapuivARB(GLenum map, GLsizei size, GLuint *values)
{
    gl_GetnPixelMapuiv(map, size, values);
}

void gl_GetnPixelMapusv(GLenum map, GLsizei size, GLushort *values)
{
    get_sized_map(map, size, MAP_USHORT, values, "glGetnPixelMapusv");
}

void gl_GetnPixelMapusvARB(GLenum map, GLsizei size, GLushort *values)
{
    gl_GetnPixelMapusv(map, size, values);
}

/* ------------------------------------------------------------------------------------ glGet --- */

static unsigned get_transfer(const struct gl_pixel_state *p, GLenum pname, enum gl_get_type *type,
                             double *v)
{
    float *field = transfer_field((struct gl_pixel_state *)p, pname);
    if (field) {
        *type = GL_GET_FLOAT;
        *v = *field;
        return 1;
    }
    if (pname >= GL_PIXEL_MAP_I_TO_I_SIZE && pname <= GL_PIXEL_MAP_A_TO_A_SIZE) {
        *v = p->map[pname - GL_PIXEL_MAP_I_TO_I_SIZE].size;
        return 1;
    }
    switch (pname) {
    case GL_MAP_COLOR:
        *type = GL_GET_BOOL;
        *v = p->map_color;
        return 1;
    case GL_MAP_STENCIL:
        *type = GL_GET_BOOL;
        *v = p->map_stencil;
        return 1;
    case GL_INDEX_SHIFT:
        *v = p->index_shift;
        return 1;
    case GL_INDEX_OFFSET:
        *v = p->index_offset;
        return 1;
    case GL_ZOOM_X:
        *type = GL_GET_FLOAT;
        *v = p->zoom_x;
        return 1;
    case GL_ZOOM_Y:
        *type = GL_GET_FLOAT;
        *v = p->zoom_y;
        return 1;
    default:
        return 0;
    }
}

unsigned gl_get_pixels(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    const struct gl_pixel_store *p = &ctx->pack, *u = &ctx->unpack;
    const struct {
        GLenum pname;
        double value;
        bool boolean;
    } table[] = {
        {GL_PACK_ALIGNMENT, p->alignment, false},
        {GL_PACK_ROW_LENGTH, p->row_length, false},
        {GL_PACK_SKIP_ROWS, p->skip_rows, false},
        {GL_PACK_SKIP_PIXELS, p->skip_pixels, false},
        {GL_PACK_IMAGE_HEIGHT, p->image_height, false},
        {GL_PACK_SKIP_IMAGES, p->skip_images, false},
        {GL_PACK_SWAP_BYTES, p->swap_bytes, true},
        {GL_PACK_LSB_FIRST, p->lsb_first, true},
        {GL_PACK_INVERT_MESA, p->invert, true},
        {GL_PACK_REVERSE_ROW_ORDER_ANGLE, p->invert, true},
        {GL_UNPACK_ALIGNMENT, u->alignment, false},
        {GL_UNPACK_ROW_LENGTH, u->row_length, false},
        {GL_UNPACK_SKIP_ROWS, u->skip_rows, false},
        {GL_UNPACK_SKIP_PIXELS, u->skip_pixels, false},
        {GL_UNPACK_IMAGE_HEIGHT, u->image_height, false},
        {GL_UNPACK_SKIP_IMAGES, u->skip_images, false},
        {GL_UNPACK_SWAP_BYTES, u->swap_bytes, true},
        {GL_UNPACK_LSB_FIRST, u->lsb_first, true},
        {GL_PACK_COMPRESSED_BLOCK_WIDTH, p->compressed_block_width, false},
        {GL_PACK_COMPRESSED_BLOCK_HEIGHT, p->compressed_block_height, false},
        {GL_PACK_COMPRESSED_BLOCK_DEPTH, p->compressed_block_depth, false},
        {GL_PACK_COMPRESSED_BLOCK_SIZE, p->compressed_block_size, false},
        {GL_UNPACK_COMPRESSED_BLOCK_WIDTH, u->compressed_block_width, false},
        {GL_UNPACK_COMPRESSED_BLOCK_HEIGHT, u->compressed_block_height, false},
        {GL_UNPACK_COMPRESSED_BLOCK_DEPTH, u->compressed_block_depth, false},
        {GL_UNPACK_COMPRESSED_BLOCK_SIZE, u->compressed_block_size, false},
        {GL_PIXEL_PACK_BUFFER_BINDING, p->buffer ? p->buffer->name : 0, false},
        {GL_PIXEL_UNPACK_BUFFER_BINDING, u->buffer ? u->buffer->name : 0, false},
    };
    *type = GL_GET_INT;
    for (unsigned i = 0; i < ARRAY_SIZE(table); i++)
        if (table[i].pname == pname) {
            *type = table[i].boolean ? GL_GET_BOOL : GL_GET_INT;
            *v = table[i].value;
            return 1;
        }
    return get_transfer(&ctx->pixel, pname, type, v);
}
