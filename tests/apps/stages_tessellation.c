/* SPDX-License-Identifier: MIT */
/*
 * Draws with tessellation shaders. All domains share one shader text: it interpolates the corners
 * of a quad at two coordinates, so triangles show half of it and isolines its rows.
 */
#include "stages.h"

#include <stdio.h>

enum { PATCH = 5, PATCHES = 7, CAPACITY = 2500 };

/* Points in [-1, 1]². */
static const char patch_vertex[] = "#version 400\n"
                                   "layout(location = 0) in vec4 seed;\n"
                                   "out vec4 v_seed;\n"
                                   "void main() {\n"
                                   "    v_seed = seed;\n"
                                   "    gl_Position = vec4(seed.xy * 2.0 - 1.0, seed.z, 1.0);\n"
                                   "}\n";

/* Converts five vertices to four, sorted by angle using each other's outputs. The levels combine
 * values of all vertices; some are zero (no patch), less than one, or above the maximum. */
static const char patch_control[] =
    "#version 400\n"
    "layout(vertices = 4) out;\n"
    "in vec4 v_seed[];\n"
    "out vec4 c_seed[];\n"
    "out float c_angle[];\n"
    "patch out vec3 tint;\n"
    "patch out float share[4];\n"
    "uniform float most;\n"
    "void main() {\n"
    "    int me = gl_InvocationID;\n"
    "    vec2 d = gl_in[me].gl_Position.xy - gl_in[4].gl_Position.xy;\n"
    "    c_angle[gl_InvocationID] = atan(d.y, d.x);\n"
    "    c_seed[gl_InvocationID] = v_seed[me];\n"
    "    share[me] = v_seed[me].w;\n"
    "    barrier();\n"
    "    int before = 0;\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        before += int(c_angle[i] < c_angle[me] || c_angle[i] == c_angle[me] && i < me);\n"
    "    float level = fract(share[before] * 7.0 + v_seed[4].w) * most;\n"
    "    gl_TessLevelOuter[me] = gl_PrimitiveID == 3 && me == 2 ? 0.0 : level;\n"
    "    if (me < 2)\n"
    "        gl_TessLevelInner[me] = gl_PrimitiveID == 5 ? 1000.0 : level * 0.7 + share[3];\n"
    "    if (me == 3)\n"
    "        tint = v_seed[4].rgb;\n"
    "    barrier();\n"
    "    vec4 to = gl_in[4].gl_Position;\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        if (before == i)\n"
    "            to = mix(to, gl_in[me].gl_Position, 0.8);\n"
    "    gl_out[gl_InvocationID].gl_Position = to;\n"
    "    gl_out[gl_InvocationID].gl_PointSize = 1.0 + float(before);\n"
    "}\n";

static const char patch_evaluation[] =
    "#version 400\n"
    "layout(%s, %s, %s%s) in;\n"
    "in vec4 c_seed[];\n"
    "in float c_angle[];\n"
    "patch in vec3 tint;\n"
    "patch in float share[4];\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void main() {\n"
    "    vec2 t = gl_TessCoord.xy;\n"
    "    vec4 a = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x);\n"
    "    vec4 b = mix(gl_in[3].gl_Position, gl_in[2].gl_Position, t.x);\n"
    "    gl_Position = mix(a, b, t.y) + vec4(sin(t * 9.0) * 0.03, 0.0, 0.0);\n"
    "    gl_PointSize = gl_in[gl_PrimitiveID & 3].gl_PointSize;\n"
    "    color = fract(tint + gl_TessCoord.zxy + c_seed[int(t.x * 3.0)].rgb * 0.3);\n"
    "    alpha = 0.3 + 0.1 * gl_TessLevelOuter[1] / 9.0 + 0.1 * share[2] + 0.05 * c_angle[1];\n"
    "}\n";

static const char *const domains[] = {"triangles", "quads", "isolines"};
static const char *const spacings[] = {"equal_spacing", "fractional_even_spacing",
                                       "fractional_odd_spacing"};

/* points: use point mode, clockwise. */
static const char *evaluation_text(const char *domain, const char *spacing, bool points)
{
    static char text[sizeof patch_evaluation + 100];
    snprintf(text, sizeof text, patch_evaluation, domain, spacing, points ? "cw" : "ccw",
             points ? ", point_mode" : "");
    return text;
}

static GLuint use_program(const struct stages_program *program, float most)
{
    GLuint p = stages_make_program(program);
    glUseProgram(p);
    glUniform1f(glGetUniformLocation(p, "most"), most);
    return p;
}

/* Draws a column for each spacing, with a row for triangles or lines and one for points. */
static void draw_domain(const char *domain)
{
    GLuint image = stages_make_framebuffer(1);

    for (unsigned i = 0; i < 6; i++) {
        bool points = i >= 3;
        glViewport(i % 3 * STAGES_SIZE / 3, points ? STAGES_SIZE / 2 : 0, STAGES_SIZE / 3,
                   STAGES_SIZE / 2);
        GLuint p =
            use_program(&(struct stages_program){patch_vertex, patch_control,
                                                 evaluation_text(domain, spacings[i % 3], points),
                                                 .fragment = stages_paint},
                        i % 3 == 1 ? 19.0f : 9.0f);
        glDrawArrays(GL_PATCHES, 0, PATCHES * PATCH);
        glDeleteProgram(p);
    }
    stages_write_layers(image, 1);
}

/* Numbers the primitives of the tessellator and sends them to layers by invocation. */
static const char patch_geometry[] =
    "#version 400\n"
    "layout(triangles, invocations = 2) in;\n"
    "layout(line_strip, max_vertices = 4) out;\n"
    "in vec3 color[];\n"
    "flat in float alpha[];\n"
    "out vec3 g_color;\n"
    "flat out float g_alpha;\n"
    "void main() {\n"
    "    vec4 center = (gl_in[0].gl_Position + gl_in[1].gl_Position + gl_in[2].gl_Position) / "
    "3.0;\n"
    "    int count = gl_PrimitiveIDIn % 5 == 1 ? 0 : 3 + gl_InvocationID;\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        gl_Position = mix(gl_in[i % 3].gl_Position, center, 0.2);\n"
    "        gl_Layer = gl_InvocationID;\n"
    "        g_color = color[i % 3];\n"
    "        g_alpha = alpha[0] + 0.2;\n"
    "        EmitVertex();\n"
    "    }\n"
    "}\n";

static const char line_paint[] = "#version 400\n"
                                 "in vec3 g_color;\n"
                                 "flat in float g_alpha;\n"
                                 "out vec4 result;\n"
                                 "void main() { result = vec4(g_color, g_alpha); }\n";

/* Indexed instances with a geometry shader; then captures what fits into a buffer. */
static void draw_geometry(void)
{
    static const char *const captured[] = {"gl_Position", "g_color", "g_alpha"};
    unsigned index[PATCHES * PATCH];
    GLuint query, made, image = stages_make_framebuffer(2), buffer;

    for (unsigned i = 0; i < PATCHES * PATCH; i++)
        index[i] = i * 11 % (PATCHES * PATCH);
    stages_put_indices(index, PATCHES * PATCH);
    buffer = stages_make_buffer(CAPACITY, false);
    use_program(&(struct stages_program){patch_vertex, patch_control,
                                         evaluation_text("quads", "fractional_odd_spacing", false),
                                         patch_geometry, line_paint, .captures = 3,
                                         .capture = captured,
                                         .capture_mode = GL_INTERLEAVED_ATTRIBS},
                7.0f);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glGenQueries(1, &query);
    glBeginQuery(GL_PRIMITIVES_GENERATED, query);
    glBeginTransformFeedback(GL_LINES);
    glDrawElementsInstanced(GL_PATCHES, PATCHES * PATCH, GL_UNSIGNED_INT, NULL, 3);
    glEndTransformFeedback();
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &made);
    if (made * 64 <= CAPACITY * 16)
        stages_fail("transform feedback", "the buffer was to overflow");
    stages_write_layers(image, 2);
    stages_write_buffer(buffer, CAPACITY * 16);
    stages_write_frame(1, 1, &made);
}

void stages_tessellation(void)
{
    GLuint seeds = stages_make_buffer(PATCHES * PATCH, true);

    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glPatchParameteri(GL_PATCH_VERTICES, PATCH);
    stages_set_attribute(0, seeds, 0);
    for (unsigned i = 0; i < 3; i++)
        draw_domain(domains[i]);
    draw_geometry();
}
