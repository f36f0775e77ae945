/* SPDX-License-Identifier: MIT */
/* Workloads that keep many objects, to measure the peak memory of a process. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "micro_gl.h"
#include "micro_workloads.h"

enum {
    TEXTURE_SIZE = 128, /* width and height, in texels */
    GRID = 1000,        /* number of distinct vertex positions along each axis */
};

/* Creates `work` textures with mipmaps in the first frame, and draws once with each. */
void micro_setup_kept_textures(unsigned work)
{
    (void)work;
    micro_fragments(GLSL120, "uniform sampler2D t; varying vec2 v;\n"
                             "void main() { gl_FragColor = texture2D(t, v); }");
    gl.Viewport(0, 0, 64, 64);
}

void micro_frame_kept_textures(unsigned work)
{
    static bool created;
    for (unsigned i = 0; i < work && !created; i++) {
        micro_texture(TEXTURE_SIZE, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    created = true;
}

/* Draws triangles with `work` vertices. */
void micro_setup_kept_vertices(unsigned work)
{
    float *place = malloc(2 * (size_t)work * sizeof *place);
    if (!place)
        micro_fail("vertices", "out of memory");
    for (unsigned i = 0; i < work; i++) {
        place[2 * i] = (float)(i / 3 % GRID + (i % 3 == 1)) * 2 / GRID - 1;
        place[2 * i + 1] = (float)(i / 3 / GRID % GRID + (i % 3 == 2)) * 2 / GRID - 1;
    }
    micro_target(0);
    micro_attribute(0, 2, place, 2 * (size_t)work);
    free(place);
    micro_program(GLSL120, micro_plain_vs, NULL,
                  "varying vec2 v; void main() { gl_FragColor = vec4(v, 0.5, 1.0); }");
}

void micro_frame_kept_vertices(unsigned work)
{
    gl.DrawArrays(GL_TRIANGLES, 0, (GLsizei)work);
}

/* Links `work` different programs in the first frame, and draws once with each. */
void micro_setup_kept_programs(unsigned work)
{
    (void)work;
    micro_target(0);
    micro_square();
    gl.Viewport(0, 0, 16, 16);
}

void micro_frame_kept_programs(unsigned work)
{
    static bool created;
    for (unsigned i = 0; i < work && !created; i++) {
        char fs[200];
        snprintf(fs, sizeof fs,
                 "varying vec2 v; void main() { vec3 n = normalize(vec3(v, %u.5));\n"
                 "gl_FragColor = vec4(n * max(dot(n, vec3(0.3, 0.6, 0.%u)), 0.0), 1.0); }",
                 i, i);
        micro_program(GLSL120, micro_plain_vs, NULL, fs);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    created = true;
}
