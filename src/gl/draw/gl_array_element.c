/* SPDX-License-Identifier: MIT */
/* Reads single elements of vertex arrays on the CPU, for glArrayElement, selection and feedback. */
#include "gl/buffer/gl_buffer.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_array.h"
#include "util/format.h"
#include "util/half.h"

/* Returns component i of an array element as the bits of a float or, for integer formats, of the
 * integer. */
static uint32_t fetch_component(const struct gl_attrib_format *f, const uint8_t *p, unsigned i)
{
    float x;
    switch (f->type) {
#define CASE(e, T, max)                                                                            \
    case e: {                                                                                      \
        T v;                                                                                       \
        memcpy(&v, p + i * sizeof v, sizeof v);                                                    \
        if (f->integer)                                                                            \
            return (uint32_t)v;                                                                    \
        x = f->normalized ? (float)MAX2((double)v / (max), -1.0) : (float)v;                       \
        break;                                                                                     \
    }
        CASE(GL_BYTE, int8_t, 127.0)
        CASE(GL_UNSIGNED_BYTE, uint8_t, 255.0)
        CASE(GL_SHORT, int16_t, 32767.0)
        CASE(GL_UNSIGNED_SHORT, uint16_t, 65535.0)
        CASE(GL_INT, int32_t, 2147483647.0)
        CASE(GL_UNSIGNED_INT, uint32_t, 4294967295.0)
#undef CASE
    case GL_DOUBLE: {
        double v;
        memcpy(&v, p + i * sizeof v, sizeof v);
        x = v;
        break;
    }
    case GL_HALF_FLOAT:
    case GL_HALF_FLOAT_OES: {
        uint16_t v;
        memcpy(&v, p + i * sizeof v, sizeof v);
        x = util_half_to_float(v);
        break;
    }
    case GL_FIXED: {
        int32_t v;
        memcpy(&v, p + i * sizeof v, sizeof v);
        x = v / 65536.0f;
        break;
    }
    case GL_INT_2_10_10_10_REV:
    case GL_UNSIGNED_INT_2_10_10_10_REV: {
        uint32_t v;
        memcpy(&v, p, sizeof v);
        unsigned bits = i < 3 ? 10 : 2;
        uint32_t field = v >> 10 * i & BITFIELD_MASK(bits);
        if (f->type == GL_INT_2_10_10_10_REV) {
            int32_t s = (int32_t)(field << (32 - bits)) >> (32 - bits);
            x = f->normalized ? MAX2(s / (float)BITFIELD_MASK(bits - 1), -1.0f) : s;
        } else {
            x = f->normalized ? field / (float)BITFIELD_MASK(bits) : field;
        }
        break;
    }
    case GL_UNSIGNED_INT_10F_11F_11F_REV: {
        float rgba[4];
        util_format_unpack_float(DRV_FORMAT_R11G11B10_FLOAT, &rgba, p, 1);
        x = rgba[i];
        break;
    }
    default:
        memcpy(&x, p + i * sizeof x, sizeof x);
    }
    return fui(x);
}

uint32_t gl_packed_component(const struct gl_context *ctx, GLenum type, bool normalized,
                             GLuint value, unsigned i)
{
    if (type == GL_INT_2_10_10_10_REV && normalized && ctx->consts.version < 42) {
        /* Converts by GL 3.3 equation 2.2, which cannot represent zero. Vertex arrays use the newer
         * equation, like Mesa. */
        unsigned bits = i < 3 ? 10 : 2;
        int32_t s = (int32_t)(value << (32 - bits - 10 * i)) >> (32 - bits);
        return fui((float)(2 * s + 1) / (float)BITFIELD_MASK(bits));
    }
    const struct gl_attrib_format f = {.type = type, .normalized = normalized};
    /* fetch_component() reads up to 32 bytes of other types. */
    const GLuint words[8] = {value};
    return fetch_component(&f, (const uint8_t *)words, i);
}

/* Returns component i of an attribute with n words as a double. */
static double component_as_double(GLenum type, const uint32_t *v, unsigned n, unsigned i)
{
    double wide;
    if (i * (type == GL_DOUBLE ? 2 : 1) >= n)
        return i == 3;
    if (type == GL_DOUBLE)
        memcpy(&wide, v + 2 * i, sizeof wide);
    else
        wide = type == GL_INT            ? (double)(int32_t)v[i]
               : type == GL_UNSIGNED_INT ? (double)v[i]
                                         : (double)uif(v[i]);
    return wide;
}

void gl_convert_attrib(uint32_t *out, unsigned size, GLenum to, const uint32_t *v, unsigned n,
                       GLenum type)
{
    if (to == type || (to != GL_DOUBLE && type != GL_DOUBLE)) {
        for (unsigned i = 0; i < size; i++)
            out[i] = i < n ? v[i] : gl_default_component(to, i);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        const double wide = component_as_double(type, v, n, i);
        if (to == GL_DOUBLE && 2 * i < size)
            memcpy(out + 2 * i, &wide, sizeof wide);
        else if (to != GL_DOUBLE && i < size)
            out[i] = fui((float)wide);
    }
}

unsigned gl_array_value(const struct gl_attrib_format *f, const uint8_t *p, uint32_t v[8],
                        GLenum *of)
{
    GLenum type = !f->integer ? GL_FLOAT
                  : f->type == GL_BYTE || f->type == GL_SHORT || f->type == GL_INT
                      ? GL_INT
                      : GL_UNSIGNED_INT;
    unsigned n = f->size;
    const bool wide = f->doubles; /* components have 64 bits, copied as two words each */
    if (wide) {
        type = f->type;
        n = type == GL_DOUBLE ? 2 * n : 2; /* a handle is one component */
        memcpy(v, p, n * sizeof *v);
    }
    for (unsigned i = 0; i < gl_attrib_words(type); i++)
        if (i >= n)
            v[i] = gl_default_component(type, i);
        else if (!wide)
            v[i] = fetch_component(f, p, i);
    if (f->format == GL_BGRA) {
        uint32_t red = v[2];
        v[2] = v[0];
        v[0] = red;
    }
    *of = type;
    return n;
}

/* Calls `attrib` with element `element` of an array that is not instanced, or with the element of
 * an instance, see gl_array_element. */
static void element_attrib(struct gl_context *ctx, unsigned a, GLint element, GLuint base_instance,
                           GLuint instance,
                           void (*attrib)(struct gl_context *ctx, unsigned attrib, unsigned n,
                                          GLenum type, const uint32_t *v))
{
    const struct gl_vertex_array *vao = ctx->array.vao;
    const struct gl_attrib_format *f = &vao->attrib[a];
    const struct gl_vertex_binding *b = &vao->binding[f->binding];
    /* GL 4.6 §10.4: instanced arrays advance after every `divisor` instances. */
    GLintptr row = b->divisor ? (GLintptr)base_instance + instance / b->divisor : element;
    GLintptr at, offset;
    if (__builtin_mul_overflow(row, (GLintptr)b->stride, &at) ||
        __builtin_add_overflow(at, (GLintptr)f->relative_offset, &at))
        return;
    struct drv_transfer *transfer = NULL;
    const uint8_t *p;
    if (!b->buffer)
        p = b->user ? (const uint8_t *)b->user + at : NULL;
    else if (__builtin_add_overflow(b->offset, at, &offset))
        p = NULL;
    else
        p = gl_buffer_map_internal(ctx, b->buffer, offset, f->element_bytes, DRV_MAP_READ,
                                   &transfer);
    if (!p)
        return;
    uint32_t v[8];
    GLenum type;
    const unsigned n = gl_array_value(f, p, v, &type);
    if (transfer)
        gl_buffer_unmap_internal(ctx, transfer);
    attrib(ctx, a, n, type, v);
}

void gl_array_element(struct gl_context *ctx, GLint i, GLuint base_instance, GLuint instance,
                      void (*attrib)(struct gl_context *ctx, unsigned attrib, unsigned n,
                                     GLenum type, const uint32_t *v))
{
    const uint32_t pos = 1u << VERT_ATTRIB_POS, generic0 = 1u << VERT_ATTRIB_GENERIC0;
    uint32_t enabled = ctx->array.vao->enabled, rest = enabled & ~(pos | generic0);
    while (rest)
        element_attrib(ctx, u_bit_scan(&rest), i, base_instance, instance, attrib);
    if (enabled & pos && !(enabled & generic0))
        element_attrib(ctx, VERT_ATTRIB_POS, i, base_instance, instance, attrib);
    else if (enabled & generic0)
        element_attrib(ctx, VERT_ATTRIB_GENERIC0, i, base_instance, instance, attrib);
}
