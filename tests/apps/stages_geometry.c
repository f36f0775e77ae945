/* SPDX-License-Identifier: MIT */
/* Draws with geometry shaders. */
#include "stages.h"

#include <string.h>

#define LAYERS 3

static const char scatter_vertex[] =
    "#version 330\n"
    "layout(location = 0) in vec4 seed;\n"
    "layout(location = 1) in vec4 turn;\n"
    "out vec4 v_seed, v_turn;\n"
    "void main() {\n"
    "    v_seed = seed;\n"
    "    v_turn = turn;\n"
    "    gl_Position = vec4(fract(seed.xy + turn.xy) * 2.0 - 1.0, seed.z * 2.0 - 1.0, 1.0);\n"
    "}\n";

/* Emits zero to three strips of three to five vertices per point, into the layer of the invocation.
 * The last strip ends with the shader. */
static const char scatter_geometry[] =
    "#version 330\n"
    "#extension GL_ARB_gpu_shader5 : require\n"
    "layout(points, invocations = 3) in;\n"
    "layout(triangle_strip, max_vertices = 15) out;\n"
    "in vec4 v_seed[], v_turn[];\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void main() {\n"
    "    int strips = int(v_seed[0].w * 4.0 + float(gl_InvocationID)) % 4;\n"
    "    for (int s = 0; s < strips; s++) {\n"
    "        int count = 3 + (gl_PrimitiveIDIn + s) % 3;\n"
    "        for (int i = 0; i < count; i++) {\n"
    "            float a = float(i) * 0.9 + float(s) * 2.0 + v_turn[0].z * 6.0;\n"
    "            float r = 0.05 + 0.25 * fract(v_seed[0].x * 7.0 + float(i) * 0.37);\n"
    "            gl_Position = gl_in[0].gl_Position + vec4(cos(a) * r, sin(a) * r, r, 0.0);\n"
    "            gl_Layer = gl_InvocationID;\n"
    "            color = fract(v_seed[0].xyz * 3.0 + vec3(float(i), float(s), 0.5) * 0.3);\n"
    "            alpha = 0.3 + 0.5 * v_turn[0].w;\n"
    "            EmitVertex();\n"
    "        }\n"
    "        if (s + 1 < strips)\n"
    "            EndPrimitive();\n"
    "    }\n"
    "}\n";

/* Points drawn to layers: instances, invocations, several strips each. */
static void draw_layers(void)
{
    GLuint image = stages_make_framebuffer(LAYERS);
    glUseProgram(stages_make_program(&(struct stages_program){
        scatter_vertex, .geometry = scatter_geometry, .fragment = stages_paint}));
    stages_set_attribute(0, stages_make_buffer(53, true), 0);
    stages_set_attribute(1, stages_make_buffer(5, true), 1);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArraysInstanced(GL_POINTS, 0, 53, 5);
    glDisable(GL_DEPTH_TEST);
    stages_write_layers(image, LAYERS);
}

#define GRID 13

static const char relief_vertex[] =
    "#version 330\n"
    "layout(location = 0) in vec4 seed;\n"
    "uniform float columns;\n"
    "out vec3 v_color;\n"
    "void main() {\n"
    "    float row = floor(float(gl_VertexID) / columns);\n"
    "    vec2 p = vec2(float(gl_VertexID) - row * columns, row) / (columns - 1.0);\n"
    "    v_color = seed.rgb;\n"
    "    gl_Position = vec4(p * 1.8 - 0.9 + seed.xy * 0.06, seed.w - 0.5, 1.0);\n"
    "}\n";

/* Shrinks each triangle, then draws a line over each edge whose neighbor slopes the other way. */
static const char relief_geometry[] =
    "#version 330\n"
    "layout(triangles_adjacency) in;\n"
    "layout(line_strip, max_vertices = 10) out;\n"
    "in vec3 v_color[];\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void emit(vec4 p, vec3 c) {\n"
    "    gl_Position = p;\n"
    "    color = c;\n"
    "    alpha = 0.6;\n"
    "    EmitVertex();\n"
    "}\n"
    "float slope(int a, int b, int c) {\n"
    "    vec3 u = gl_in[b].gl_Position.xyz - gl_in[a].gl_Position.xyz;\n"
    "    vec3 v = gl_in[c].gl_Position.xyz - gl_in[a].gl_Position.xyz;\n"
    "    return cross(u, v).x;\n"
    "}\n"
    "void main() {\n"
    "    vec4 center = gl_in[0].gl_Position + gl_in[2].gl_Position + gl_in[4].gl_Position;\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        emit(mix(gl_in[i % 3 * 2].gl_Position, center / 3.0, 0.4), v_color[i % 3 * 2]);\n"
    "    EndPrimitive();\n"
    "    for (int i = 0; i < 6; i += 2) {\n"
    "        if (slope(0, 2, 4) * slope(i, i + 1, (i + 2) % 6) > 1e-6) {\n"
    "            emit(gl_in[i].gl_Position, v_color[i + 1]);\n"
    "            emit(gl_in[(i + 2) % 6].gl_Position, vec3(1.0));\n"
    "            EndPrimitive();\n"
    "        }\n"
    "    }\n"
    "}\n";

static unsigned grid_vertex(int x, int y)
{
    x = x < 0 ? 0 : x >= GRID ? GRID - 1 : x;
    y = y < 0 ? 0 : y >= GRID ? GRID - 1 : y;
    return (unsigned)(y * GRID + x);
}

/* Triangles of a grid with adjacency. */
static void draw_relief(void)
{
    static unsigned index[(GRID - 1) * (GRID - 1) * 12];
    GLuint program = stages_make_program(&(struct stages_program){
        relief_vertex, .geometry = relief_geometry, .fragment = stages_paint});
    unsigned *next = index;

    for (int i = 0; i < (GRID - 1) * (GRID - 1); i++) {
        int x = i % (GRID - 1), y = i / (GRID - 1);
        const unsigned two[12] = {
            grid_vertex(x, y),         grid_vertex(x + 1, y - 1), grid_vertex(x + 1, y),
            grid_vertex(x + 1, y + 1), grid_vertex(x, y + 1),     grid_vertex(x - 1, y + 1),
            grid_vertex(x + 1, y),     grid_vertex(x + 2, y),     grid_vertex(x + 1, y + 1),
            grid_vertex(x, y + 2),     grid_vertex(x, y + 1),     grid_vertex(x, y)};
        memcpy(next, two, sizeof two);
        next += 12;
    }
    GLuint image = stages_make_framebuffer(1);
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "columns"), GRID);
    stages_set_attribute(0, stages_make_buffer(GRID * GRID, true), 0);
    stages_put_indices(index, sizeof index / 4);
    glDrawElementsInstanced(GL_TRIANGLES_ADJACENCY, sizeof index / 4, GL_UNSIGNED_INT, NULL, 1);
    stages_write_layers(image, 1);
}

/* Emits the middle of four vertices as points with sizes given by the outer two. */
static const char beads_geometry[] =
    "#version 330\n"
    "layout(lines_adjacency) in;\n"
    "layout(points, max_vertices = 6) out;\n"
    "in vec4 v_seed[], v_turn[];\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void main() {\n"
    "    int count = 1 + int(v_seed[1].w * 6.0);\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        float t = float(i) / float(count);\n"
    "        gl_Position = mix(gl_in[1].gl_Position, gl_in[2].gl_Position, t);\n"
    "        gl_PointSize = 1.0 + 12.0 * v_seed[0].x * v_seed[3].y;\n"
    "        color = mix(v_seed[1].rgb, v_seed[2].rgb, t);\n"
    "        alpha = 0.5;\n"
    "        EmitVertex();\n"
    "    }\n"
    "}\n";

/* Strips with adjacency and restarts, some too short to draw anything. */
static void draw_beads(void)
{
    static unsigned index[131];
    GLuint image = stages_make_framebuffer(1);

    for (unsigned i = 0; i < 131; i++)
        index[i] = i % 17 == 11 || i % 23 == 20 ? ~0u : i * 7 % 97;
    glUseProgram(stages_make_program(&(struct stages_program){
        scatter_vertex, .geometry = beads_geometry, .fragment = stages_paint}));
    stages_set_attribute(0, stages_make_buffer(97, true), 0);
    stages_set_attribute(1, stages_make_buffer(2, true), 3);
    stages_put_indices(index, 131);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_PRIMITIVE_RESTART);
    glPrimitiveRestartIndex(~0u);
    glDrawElementsInstanced(GL_LINE_STRIP_ADJACENCY, 131, GL_UNSIGNED_INT, NULL, 5);
    glDisable(GL_PRIMITIVE_RESTART);
    stages_write_layers(image, 1);
}

void stages_geometry(void)
{
    draw_layers();
    draw_relief();
    draw_beads();
}
