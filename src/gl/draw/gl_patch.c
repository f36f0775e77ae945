/* SPDX-License-Identifier: MIT */
/* Patches (GL 4.6 §10.1.15, §11.2.2): vertices per patch, default tessellation levels, and the
 * primitive bounding box. */
#include <string.h>

#include "gl/context/gl_context.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

void gl_PatchParameteri(GLenum pname, GLint value)
{
    GL_CONTEXT(ctx);
    if (pname != GL_PATCH_VERTICES) {
        gl_error(ctx, GL_INVALID_ENUM, "glPatchParameteri(pname=%s)", gl_enum_name(pname));
        return;
    }
    if (value <= 0 || value > (GLint)ctx->consts.glsl->limits.max_patch_vertices) {
        gl_error(ctx, GL_INVALID_VALUE, "glPatchParameteri(%d)", value);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    ctx->program.patch_vertices = value;
}

void gl_PatchParameterfv(GLenum pname, const GLfloat *values)
{
    GL_CONTEXT(ctx);
    struct gl_program_state *s = &ctx->program;
    if (pname != GL_PATCH_DEFAULT_OUTER_LEVEL && pname != GL_PATCH_DEFAULT_INNER_LEVEL) {
        gl_error(ctx, GL_INVALID_ENUM, "glPatchParameterfv(pname=%s)", gl_enum_name(pname));
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (pname == GL_PATCH_DEFAULT_OUTER_LEVEL)
        memcpy(s->patch_outer, values, sizeof s->patch_outer);
    else
        memcpy(s->patch_inner, values, sizeof s->patch_inner);
}

/* Sets the bounding box of a patch's primitives (ES 3.2 §13.2, ARB_ES3_2_compatibility). It is a
 * hint, stored for queries only. */
void gl_PrimitiveBoundingBox(GLfloat minX, GLfloat minY, GLfloat minZ, GLfloat minW, GLfloat maxX,
                             GLfloat maxY, GLfloat maxZ, GLfloat maxW)
{
    GL_CONTEXT(ctx);
    const GLfloat box[8] = {minX, minY, minZ, minW, maxX, maxY, maxZ, maxW};
    FLUSH_VERTICES(ctx, 0);
    memcpy(ctx->program.bounding_box, box, sizeof box);
}
