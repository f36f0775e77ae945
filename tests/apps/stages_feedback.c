/* SPDX-License-Identifier: MIT */
/* Draws with transform feedback. */
#include "stages.h"

#include <stddef.h>

#define PARTICLES 1021 /* several batches, the last one partial */
#define STEPS     5
#define CAPACITY  3000 /* size of the overflowing buffer in vectors */

static const char step_vertex[] =
    "#version 330\n"
    "layout(location = 0) in vec4 place;\n"
    "layout(location = 1) in vec4 speed;\n"
    "out vec4 new_place, new_speed;\n"
    "void main() {\n"
    "    vec2 to = vec2(0.5) - place.xy;\n"
    "    float pull = 0.002 / (dot(to, to) + 0.01);\n"
    "    new_speed = vec4((speed.xy - 0.5 + to * pull) * exp(-place.z * 0.1) + 0.5,\n"
    "                     sin(speed.zw + place.x));\n"
    "    new_place = vec4(fract(place.xy + (new_speed.xy - 0.5) * 0.1),\n"
    "                     sqrt(place.z), pow(place.w, 1.1));\n"
    "}\n";

/* Runs a step: reads buffer[from][0 … 1], writes buffer[1 - from][0 … 1]. */
static void step(GLuint buffer[2][2], unsigned from)
{
    for (unsigned i = 0; i < 2; i++) {
        stages_set_attribute(i, buffer[from][i], 0);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffer[!from][i]);
    }
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, PARTICLES);
    glEndTransformFeedback();
}

/* Moves particles with the vertex shader only. Returns the last buffers. */
static const GLuint *move_particles(void)
{
    static const char *const captured[] = {"new_place", "new_speed"};
    static GLuint buffer[2][2];

    for (unsigned i = 0; i < 2; i++) {
        buffer[0][i] = stages_make_buffer(PARTICLES, true);
        buffer[1][i] = stages_make_buffer(PARTICLES, false);
    }
    glUseProgram(stages_make_program(&(struct stages_program){
        step_vertex, .captures = 2, .capture = captured, .capture_mode = GL_SEPARATE_ATTRIBS}));
    glEnable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < STEPS; i++)
        step(buffer, i % 2);
    glDisable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < 2; i++)
        stages_write_buffer(buffer[STEPS % 2][i], PARTICLES * 16);
    return buffer[STEPS % 2];
}

static const char burst_vertex[] = "#version 330\n"
                                   "layout(location = 0) in vec4 place;\n"
                                   "layout(location = 1) in vec4 speed;\n"
                                   "out vec4 v_place, v_speed;\n"
                                   "void main() { v_place = place; v_speed = speed; }\n";

/* Emits zero to two triangles, or a strip of two, per particle. */
static const char burst_geometry[] =
    "#version 330\n"
    "layout(points) in;\n"
    "layout(triangle_strip, max_vertices = 6) out;\n"
    "in vec4 v_place[], v_speed[];\n"
    "out vec4 shown;\n"
    "out vec3 color;\n"
    "flat out float alpha;\n"
    "void main() {\n"
    "    int kind = gl_PrimitiveIDIn % 4;\n"
    "    int count = kind == 0 ? 0 : kind == 1 ? 3 : kind == 2 ? 4 : 6;\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        vec2 to = vec2(cos(float(i) + v_speed[0].x), sin(float(i) * 2.0 + v_speed[0].y));\n"
    "        shown = vec4(v_place[0].xy * 2.0 - 1.0 + to * 0.1, v_speed[0].z, 1.0);\n"
    "        gl_Position = shown;\n"
    "        color = abs(vec3(v_speed[0].zw, v_place[0].x));\n"
    "        alpha = float(i + 1) / 8.0;\n"
    "        EmitVertex();\n"
    "        if (i == 2 && kind == 3)\n"
    "            EndPrimitive();\n"
    "    }\n"
    "}\n";

/* Draws and captures the geometry shader's output, into a buffer that is too small. Writes frames
 * of the image, the buffer, and the numbers of primitives generated and written. Returns the
 * buffer. */
static GLuint burst(const GLuint particles[2], unsigned *triangles)
{
    static const char *const captured[] = {"shown", "color", "alpha"};
    GLuint query[2], counts[2], image = stages_make_framebuffer(1),
                                buffer = stages_make_buffer(CAPACITY, false);

    glUseProgram(stages_make_program(&(struct stages_program){
        burst_vertex, .geometry = burst_geometry, .fragment = stages_paint, .captures = 3,
        .capture = captured, .capture_mode = GL_INTERLEAVED_ATTRIBS}));
    for (unsigned i = 0; i < 2; i++)
        stages_set_attribute(i, particles[i], 0);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glGenQueries(2, query);
    glBeginQuery(GL_PRIMITIVES_GENERATED, query[0]);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[1]);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_POINTS, 0, PARTICLES);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    for (unsigned i = 0; i < 2; i++)
        glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &counts[i]);
    if (counts[0] <= counts[1])
        stages_fail("transform feedback", "the buffer was to overflow");
    stages_write_layers(image, 1);
    stages_write_buffer(buffer, CAPACITY * 16);
    stages_write_frame(2, 1, counts);
    *triangles = counts[1];
    return buffer;
}

static const char again_vertex[] = "#version 330\n"
                                   "layout(location = 0) in vec4 place;\n"
                                   "layout(location = 1) in vec4 paint;\n"
                                   "out vec3 color;\n"
                                   "flat out float alpha;\n"
                                   "void main() {\n"
                                   "    gl_Position = place * vec4(0.9, 0.9, 0.5, 1.0);\n"
                                   "    color = mix(paint.rgb, abs(place.xyz), 0.3);\n"
                                   "    alpha = paint.a;\n"
                                   "}\n";

/* Draws the captured triangles. */
static void draw_captured(GLuint buffer, unsigned triangles)
{
    GLuint image = stages_make_framebuffer(1);

    glUseProgram(
        stages_make_program(&(struct stages_program){again_vertex, .fragment = stages_paint}));
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    for (unsigned i = 0; i < 2; i++)
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 32, (void *)(i * 16ul));
    glDrawArrays(GL_TRIANGLES, 0, (int)triangles * 3);
    stages_write_layers(image, 1);
}

/* An indexed strip with primitive restart and instances, drawn and captured as triangles. */
static void capture_strip(void)
{
    static const char *const captured[] = {"gl_Position", "color"};
    static unsigned index[203];
    GLuint image = stages_make_framebuffer(1), buffer = stages_make_buffer(2 * CAPACITY, false);

    for (unsigned i = 0; i < 203; i++)
        index[i] = i % 29 == 13 ? ~0u : i * 5 % 83;
    glUseProgram(stages_make_program(
        &(struct stages_program){again_vertex, .fragment = stages_paint, .captures = 2,
                                 .capture = captured, .capture_mode = GL_INTERLEAVED_ATTRIBS}));
    stages_set_attribute(0, stages_make_buffer(83, true), 0);
    stages_set_attribute(1, stages_make_buffer(4, true), 1);
    stages_put_indices(index, 203);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glEnable(GL_PRIMITIVE_RESTART);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawElementsInstanced(GL_TRIANGLE_STRIP, 203, GL_UNSIGNED_INT, NULL, 4);
    glEndTransformFeedback();
    glDisable(GL_PRIMITIVE_RESTART);
    stages_write_layers(image, 1);
    stages_write_buffer(buffer, 2 * CAPACITY * 16);
}

void stages_feedback(void)
{
    unsigned triangles;
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glPrimitiveRestartIndex(~0u);
    stages_make_framebuffer(1); /* draws need a framebuffer although nothing is visible */
    const GLuint *particles = move_particles();
    GLuint captured = burst(particles, &triangles);
    draw_captured(captured, triangles);
    capture_strip();
}
