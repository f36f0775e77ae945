/* SPDX-License-Identifier: MIT */
/* Textures from the contents of native window-system objects, uploaded through GL. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "target/common/tgt_surface.h"
#include "util/macros.h"

/* Pixel unpack state that affects glTexImage2D. */
static const GLenum unpack_state[] = {
    GL_UNPACK_SWAP_BYTES, GL_UNPACK_LSB_FIRST,   GL_UNPACK_ROW_LENGTH,
    GL_UNPACK_SKIP_ROWS,  GL_UNPACK_SKIP_PIXELS, GL_UNPACK_ALIGNMENT,
};

struct texture_upload {
    GLenum type;
    GLenum format;
    int bytes;
};

static struct texture_upload upload_format(enum drv_format format)
{
    switch (format) {
    case DRV_FORMAT_B5G6R5_UNORM:
        return (struct texture_upload){GL_UNSIGNED_SHORT_5_6_5, GL_RGB, 2};
    case DRV_FORMAT_B5G5R5X1_UNORM:
        return (struct texture_upload){GL_UNSIGNED_SHORT_1_5_5_5_REV, GL_BGRA, 2};
    case DRV_FORMAT_B10G10R10A2_UNORM:
        return (struct texture_upload){GL_UNSIGNED_INT_2_10_10_10_REV, GL_BGRA, 4};
    case DRV_FORMAT_R10G10B10A2_UNORM:
        return (struct texture_upload){GL_UNSIGNED_INT_2_10_10_10_REV, GL_RGBA, 4};
    case DRV_FORMAT_R8G8B8A8_UNORM:
    case DRV_FORMAT_R8G8B8X8_UNORM:
        return (struct texture_upload){GL_UNSIGNED_INT_8_8_8_8_REV, GL_RGBA, 4};
    default:
        return (struct texture_upload){GL_UNSIGNED_INT_8_8_8_8_REV, GL_BGRA, 4};
    }
}

static void upload(const struct indium_core *core, const struct ws_buffer *b,
                   enum drv_format format, GLenum target, bool rgba)
{
#define LOOK_UP(f) __typeof__(&f) f##_ = (__typeof__(&f))core->get_proc_address(#f)
    LOOK_UP(glGetIntegerv);
    LOOK_UP(glPixelStorei);
    LOOK_UP(glBindBuffer);
    LOOK_UP(glTexImage2D);
    struct texture_upload u = upload_format(format);
    GLint saved[ARRAY_SIZE(unpack_state)] = {0}, pbo = 0;

    glGetIntegerv_(GL_PIXEL_UNPACK_BUFFER_BINDING, &pbo);
    if (pbo)
        glBindBuffer_(GL_PIXEL_UNPACK_BUFFER, 0);
    for (unsigned i = 0; i < ARRAY_SIZE(unpack_state); i++) {
        glGetIntegerv_(unpack_state[i], &saved[i]);
        glPixelStorei_(unpack_state[i], unpack_state[i] == GL_UNPACK_ALIGNMENT ? 1 : 0);
    }
    glPixelStorei_(GL_UNPACK_ROW_LENGTH, b->stride / u.bytes);
    glTexImage2D_(target, 0, rgba ? GL_RGBA8 : GL_RGB8, b->width, b->height, 0, u.format, u.type,
                  b->map);
    for (unsigned i = 0; i < ARRAY_SIZE(unpack_state); i++)
        glPixelStorei_(unpack_state[i], saved[i]);
    if (pbo)
        glBindBuffer_(GL_PIXEL_UNPACK_BUFFER, pbo);
}

bool tgt_surface_to_texture(struct tgt_surface *s, unsigned target, bool rgba)
{
    struct ws_buffer *b;

    s->core->flush(false);
    b = tgt_surface_read_back(s);
    if (!b)
        return false;
    upload(s->core, b, b->format, target, rgba);
    b->ws->ops->buffer_destroy(b);
    return true;
}
