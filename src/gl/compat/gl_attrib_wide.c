/* SPDX-License-Identifier: MIT */
/* Current values of generic attributes with 64-bit components (GL 4.6 §10.2.1). */
#include <string.h>

#include "gl/compat/gl_immediate.h"
#include "gl/context/gl_context.h"
#include "gl_entry.h"

/* Sets a generic attribute to n components. */
static void set_attrib(GLuint index, unsigned n, const GLdouble *v)
{
    GL_CONTEXT(ctx);
    unsigned attrib = gl_generic_attrib(ctx, index);
    const GLdouble values[4] = {v[0], n > 1 ? v[1] : 0, n > 2 ? v[2] : 0, n > 3 ? v[3] : 1};
    uint32_t bits[8];
    if (attrib == VERT_ATTRIB_COUNT)
        return;
    memcpy(bits, values, sizeof bits);
    gl_attrib(ctx, attrib, 2 * n, GL_DOUBLE, bits);
}

void gl_VertexAttribL1d(GLuint index, GLdouble x)
{
    set_attrib(index, 1, &x);
}

void gl_VertexAttribL2d(GLuint index, GLdouble x, GLdouble y)
{
    set_attrib(index, 2, (const GLdouble[]){x, y});
}

void gl_VertexAttribL3d(GLuint index, GLdouble x, GLdouble y, GLdouble z)
{
    set_attrib(index, 3, (const GLdouble[]){x, y, z});
}

void gl_VertexAttribL4d(GLuint index, GLdouble x, GLdouble y, GLdouble z, GLdouble w)
{
    set_attrib(index, 4, (const GLdouble[]){x, y, z, w});
}

#define VECTOR(n)                                                                                  \
    void gl_VertexAttribL##n##dv(GLuint index, const GLdouble *v)                                  \
    {                                                                                              \
        set_attrib(index, n, v);                                                                   \
    }
VECTOR(1)
VECTOR(2)
VECTOR(3)
VECTOR(4)

/* Sets a generic attribute to a handle (ARB_bindless_texture). */
void gl_VertexAttribL1ui64ARB(GLuint index, GLuint64EXT x)
{
    GL_CONTEXT(ctx);
    unsigned attrib = gl_generic_attrib(ctx, index);
    const uint32_t bits[4] = {(uint32_t)x, (uint32_t)(x >> 32), 0, 1};
    if (attrib == VERT_ATTRIB_COUNT)
        return;
    gl_attrib(ctx, attrib, 2, GL_UNSIGNED_INT64_ARB, bits);
}

void gl_VertexAttribL1ui64vARB(GLuint index, const GLuint64EXT *v)
{
    gl_VertexAttribL1ui64ARB(index, v[0]);
}
