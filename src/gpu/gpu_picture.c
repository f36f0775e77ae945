/* SPDX-License-Identifier: MIT */
/* Composes the planes. A display that is off, and pixels without a plane, are black. */
#include "gpu/gpu_picture.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_display.h"
#include "gpu/gpu_framebuffer.h"
#include "util/macros.h"
#include "util/png.h"

const char *gpu_picture_name(void)
{
    const char *name = getenv("INDIUM_GPU_PICTURE");

    return name && *name ? name : NULL;
}

/* Draws row y of the display, as far as the plane covers it. blend: the plane has premultiplied
 * alpha. */
static void draw_plane(const struct gpu_plane_state *plane, bool blend, uint32_t width, int64_t y,
                       uint8_t *row)
{
    uint8_t *rgba;

    if (!plane->fb || y < plane->y || y >= (int64_t)plane->y + plane->height)
        return;
    rgba = malloc((size_t)plane->fb->width * 4);
    if (!rgba)
        return;
    gpu_framebuffer_read_rgba(plane->fb, plane->fb->bo->map,
                              (plane->src_y >> 16) + (uint32_t)(y - plane->y), rgba);
    for (int64_t x = MAX2(plane->x, 0); x < MIN2((int64_t)plane->x + plane->width, width); x++) {
        const uint8_t *from = rgba + ((plane->src_x >> 16) + (x - plane->x)) * 4;
        uint8_t *to = row + x * 4;

        for (unsigned i = 0; i < 3; i++)
            to[i] = blend ? MIN2(from[i] + to[i] * (255 - from[3]) / 255, 255) : from[i];
    }
    free(rgba);
}

static void get_row(const void *image, int y, uint8_t *rgba)
{
    const struct gpu_display_state *state = image;

    for (unsigned x = 0; x < state->mode.hdisplay; x++)
        memcpy(rgba + x * 4, (uint8_t[4]){0, 0, 0, 255}, 4);
    if (!state->is_active)
        return;
    draw_plane(&state->planes[0], false, state->mode.hdisplay, y, rgba);
    draw_plane(&state->planes[1], true, state->mode.hdisplay, y, rgba);
}

void gpu_picture_write(const struct gpu_display_state *state)
{
    char path[PATH_MAX];
    FILE *file;
    bool done;

    if (!state->has_mode ||
        snprintf(path, sizeof path, "%s.new", gpu_picture_name()) >= (int)sizeof path)
        return;
    file = fopen(path, "wbe");
    if (!file)
        return;
    done = util_png_write(file, state->mode.hdisplay, state->mode.vdisplay, get_row, state);
    if (fclose(file) != 0 || !done || rename(path, gpu_picture_name()) != 0)
        remove(path);
}
