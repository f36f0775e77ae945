/* SPDX-License-Identifier: MIT */
/* Smooth triangles, their outlines, and smooth lines of several widths. */
#include "stages.h"

enum { SMOOTH_VERTICES = 90 };

static const char smooth_vertex[] = "#version 330 core\n"
                                    "layout(location = 0) in vec4 position;\n"
                                    "out vec4 color;\n"
                                    "void main() {\n"
                                    "    color = position.wzyx * 0.5 + 0.5;\n"
                                    "    gl_Position = vec4(position.xyz * 1.2, 1.0);\n"
                                    "}\n";
static const char smooth_fragment[] = "#version 330 core\n"
                                      "in vec4 color;\n"
                                      "out vec4 result;\n"
                                      "void main() { result = color; }\n";

void stages_smooth(void)
{
    const struct stages_program program = {.vertex = smooth_vertex, .fragment = smooth_fragment};
    GLuint picture = stages_make_framebuffer(1);

    stages_set_attribute(0, stages_make_buffer(SMOOTH_VERTICES, true), 0);
    glUseProgram(stages_make_program(&program));
    glEnable(GL_POLYGON_SMOOTH);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, SMOOTH_VERTICES);
    stages_write_layers(picture, 1);
    glEnable(GL_LINE_SMOOTH);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, SMOOTH_VERTICES);
    stages_write_layers(picture, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    for (unsigned i = 0; i < SMOOTH_VERTICES; i += 2) {
        glLineWidth(1.0f + (float)(i % 16) * 0.3f);
        glDrawArrays(GL_LINES, (GLint)i, 2);
    }
    stages_write_layers(picture, 1);
}
