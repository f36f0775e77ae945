/* SPDX-License-Identifier: MIT */
/* Task and mesh shaders (EXT_mesh_shader): drawing, values, queries, errors and hostile meshes. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"

#ifndef GL_EXT_mesh_shader
#define GL_MESH_SHADER_EXT                                     0x9559
#define GL_TASK_SHADER_EXT                                     0x955A
#define GL_MAX_TASK_UNIFORM_BLOCKS_EXT                         0x8E68
#define GL_MAX_TASK_TEXTURE_IMAGE_UNITS_EXT                    0x8E69
#define GL_MAX_TASK_IMAGE_UNIFORMS_EXT                         0x8E6A
#define GL_MAX_TASK_UNIFORM_COMPONENTS_EXT                     0x8E6B
#define GL_MAX_TASK_ATOMIC_COUNTER_BUFFERS_EXT                 0x8E6C
#define GL_MAX_TASK_ATOMIC_COUNTERS_EXT                        0x8E6D
#define GL_MAX_TASK_SHADER_STORAGE_BLOCKS_EXT                  0x8E6E
#define GL_MAX_COMBINED_TASK_UNIFORM_COMPONENTS_EXT            0x8E6F
#define GL_MAX_MESH_UNIFORM_BLOCKS_EXT                         0x8E60
#define GL_MAX_MESH_TEXTURE_IMAGE_UNITS_EXT                    0x8E61
#define GL_MAX_MESH_IMAGE_UNIFORMS_EXT                         0x8E62
#define GL_MAX_MESH_UNIFORM_COMPONENTS_EXT                     0x8E63
#define GL_MAX_MESH_ATOMIC_COUNTER_BUFFERS_EXT                 0x8E64
#define GL_MAX_MESH_ATOMIC_COUNTERS_EXT                        0x8E65
#define GL_MAX_MESH_SHADER_STORAGE_BLOCKS_EXT                  0x8E66
#define GL_MAX_COMBINED_MESH_UNIFORM_COMPONENTS_EXT            0x8E67
#define GL_MAX_TASK_WORK_GROUP_TOTAL_COUNT_EXT                 0x9740
#define GL_MAX_MESH_WORK_GROUP_TOTAL_COUNT_EXT                 0x9741
#define GL_MAX_MESH_WORK_GROUP_INVOCATIONS_EXT                 0x9757
#define GL_MAX_TASK_WORK_GROUP_INVOCATIONS_EXT                 0x9759
#define GL_MAX_TASK_PAYLOAD_SIZE_EXT                           0x9742
#define GL_MAX_TASK_SHARED_MEMORY_SIZE_EXT                     0x9743
#define GL_MAX_MESH_SHARED_MEMORY_SIZE_EXT                     0x9744
#define GL_MAX_TASK_PAYLOAD_AND_SHARED_MEMORY_SIZE_EXT         0x9745
#define GL_MAX_MESH_PAYLOAD_AND_SHARED_MEMORY_SIZE_EXT         0x9746
#define GL_MAX_MESH_OUTPUT_MEMORY_SIZE_EXT                     0x9747
#define GL_MAX_MESH_PAYLOAD_AND_OUTPUT_MEMORY_SIZE_EXT         0x9748
#define GL_MAX_MESH_OUTPUT_VERTICES_EXT                        0x9538
#define GL_MAX_MESH_OUTPUT_PRIMITIVES_EXT                      0x9756
#define GL_MAX_MESH_OUTPUT_COMPONENTS_EXT                      0x9749
#define GL_MAX_MESH_OUTPUT_LAYERS_EXT                          0x974A
#define GL_MAX_MESH_MULTIVIEW_VIEW_COUNT_EXT                   0x9557
#define GL_MESH_OUTPUT_PER_VERTEX_GRANULARITY_EXT              0x92DF
#define GL_MESH_OUTPUT_PER_PRIMITIVE_GRANULARITY_EXT           0x9543
#define GL_MAX_PREFERRED_TASK_WORK_GROUP_INVOCATIONS_EXT       0x974B
#define GL_MAX_PREFERRED_MESH_WORK_GROUP_INVOCATIONS_EXT       0x974C
#define GL_MESH_PREFERS_LOCAL_INVOCATION_VERTEX_OUTPUT_EXT     0x974D
#define GL_MESH_PREFERS_COMPACT_PRIMITIVE_OUTPUT_EXT           0x9750
#define GL_MAX_TASK_WORK_GROUP_COUNT_EXT                       0x9751
#define GL_MAX_MESH_WORK_GROUP_COUNT_EXT                       0x9752
#define GL_MAX_TASK_WORK_GROUP_SIZE_EXT                        0x975A
#define GL_MAX_MESH_WORK_GROUP_SIZE_EXT                        0x9758
#define GL_MESH_WORK_GROUP_SIZE_EXT                            0x953E
#define GL_TASK_WORK_GROUP_SIZE_EXT                            0x953F
#define GL_MESH_VERTICES_OUT_EXT                               0x9579
#define GL_MESH_PRIMITIVES_OUT_EXT                             0x957A
#define GL_MESH_OUTPUT_TYPE_EXT                                0x957B
#define GL_UNIFORM_BLOCK_REFERENCED_BY_MESH_SHADER_EXT         0x959C
#define GL_UNIFORM_BLOCK_REFERENCED_BY_TASK_SHADER_EXT         0x959D
#define GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_MESH_SHADER_EXT 0x959E
#define GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TASK_SHADER_EXT 0x959F
#define GL_REFERENCED_BY_MESH_SHADER_EXT                       0x95A0
#define GL_REFERENCED_BY_TASK_SHADER_EXT                       0x95A1
#define GL_MESH_SUBROUTINE_EXT                                 0x957C
#define GL_TASK_SUBROUTINE_EXT                                 0x957D
#define GL_MESH_SUBROUTINE_UNIFORM_EXT                         0x957E
#define GL_TASK_SUBROUTINE_UNIFORM_EXT                         0x957F
#define GL_TASK_SHADER_INVOCATIONS_EXT                         0x9753
#define GL_MESH_SHADER_INVOCATIONS_EXT                         0x9754
#define GL_MESH_PRIMITIVES_GENERATED_EXT                       0x9755
#define GL_MESH_SHADER_BIT_EXT                                 0x00000040
#define GL_TASK_SHADER_BIT_EXT                                 0x00000080
GLAPI void APIENTRY glDrawMeshTasksEXT(GLuint x, GLuint y, GLuint z);
GLAPI void APIENTRY glDrawMeshTasksIndirectEXT(GLintptr indirect);
GLAPI void APIENTRY glMultiDrawMeshTasksIndirectEXT(GLintptr indirect, GLsizei drawcount,
                                                    GLsizei stride);
GLAPI void APIENTRY glMultiDrawMeshTasksIndirectCountEXT(GLintptr indirect, GLintptr drawcount,
                                                         GLsizei maxdrawcount, GLsizei stride);
#endif

enum { SIZE = 32 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    const int result = gl_test_setup(state, GL_API_COMPAT, &window);
    if (!result && !strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_mesh_shader"))
        exit(77); /* skipped */
    return result;
}

/* ---------------------------------------------------------------------------------- shaders --- */

#define HEAD "#version 450\n#extension GL_EXT_mesh_shader : require\n"
#define ONE  HEAD "layout(local_size_x = 1) in;\n"

/* Declarations of a mesh shader whose workgroups have one invocation and emit one primitive. */
#define ONE_TRIANGLE ONE "layout(triangles, max_vertices = 3, max_primitives = 1) out;\n"
/* Emits a triangle that covers the window. counts: arguments of SetMeshOutputsEXT */
#define COVER_COUNTS(counts)                                                                       \
    "    SetMeshOutputsEXT(" counts ");\n"                                                         \
    "    gl_MeshVerticesEXT[0].gl_Position = vec4(-1, -1, 0, 1);\n"                                \
    "    gl_MeshVerticesEXT[1].gl_Position = vec4(3, -1, 0, 1);\n"                                 \
    "    gl_MeshVerticesEXT[2].gl_Position = vec4(-1, 3, 0, 1);\n"                                 \
    "    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);\n"
#define COVER      COVER_COUNTS("3u, 1u")
#define COVER_MESH ONE_TRIANGLE "void main() {\n" COVER "}\n"
#define GREEN      HEAD "out vec4 color; void main() { color = vec4(0, 1, 0, 1); }\n"

/* Uses a program with these shaders; NULL: none. */
static GLuint use(const char *task, const char *mesh, const char *fragment)
{
    const GLuint p = glCreateProgram();
    gl_test_attach(p, GL_TASK_SHADER_EXT, task);
    gl_test_attach(p, GL_MESH_SHADER_EXT, mesh);
    gl_test_attach(p, GL_FRAGMENT_SHADER, fragment);
    gl_test_use(p);
    return p;
}

/* Clears the window and draws. */
static void draw(GLuint x, GLuint y, GLuint z)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawMeshTasksEXT(x, y, z);
}

/* Creates a buffer of bytes, and binds it to a target and, for storage and atomic counter buffers,
 * to index 0. */
static GLuint make_buffer(GLenum target, GLsizeiptr bytes, const void *data)
{
    GLuint b;
    glGenBuffers(1, &b);
    glBindBuffer(target, b);
    if (target == GL_SHADER_STORAGE_BUFFER || target == GL_ATOMIC_COUNTER_BUFFER)
        glBindBufferBase(target, 0, b);
    glBufferData(target, bytes, data, GL_DYNAMIC_COPY);
    return b;
}

/* Checks that a program with a covering mesh still draws. */
static void expect_drawing_works(void)
{
    const GLuint p = use(NULL, COVER_MESH, GREEN);
    draw(1, 1, 1);
    expect(3, 3, 0, 1, 0);
    expect(SIZE - 1, SIZE - 1, 0, 1, 0);
    gl_test_delete_program(p);
}

/* ---------------------------------------------------------------------------------- drawing --- */

/* Workgroups draw the cells of a grid, each with two triangles. Checks each pixel, and that
 * ordinary draws work before and after. */
static void test_picture(void **state)
{
    static uint8_t image[SIZE][SIZE][4];
    const char *mesh =
        HEAD "layout(local_size_x = 4) in;\n"
             "layout(triangles, max_vertices = 4, max_primitives = 2) out;\n"
             "out vec2 cell[];\n"
             "perprimitiveEXT out float side[];\n"
             "void main() {\n"
             "    uint i = gl_LocalInvocationIndex;\n"
             "    vec2 corner = vec2(i & 1u, i >> 1);\n"
             "    SetMeshOutputsEXT(4u, 2u);\n"
             "    vec2 at = (vec2(gl_WorkGroupID.xy) + corner) / vec2(gl_NumWorkGroups.xy);\n"
             "    gl_MeshVerticesEXT[i].gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);\n"
             "    cell[i] = vec2(gl_WorkGroupID.xy) / 3.0;\n"
             "    if (i < 2u) {\n"
             "        gl_PrimitiveTriangleIndicesEXT[i] = uvec3(2u * i, 1u, 2u + i);\n"
             "        side[i] = float(i);\n"
             "    }\n"
             "}\n";
    const char *fragment = HEAD "in vec2 cell; perprimitiveEXT in float side; out vec4 color;\n"
                                "void main() { color = vec4(cell, side, 1.0); }\n";
    for (unsigned round = 0; round < 2; round++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glColor3f(0, 1, 0);
        glRectf(-1, -1, 1, 1);
        expect(7, 9, 0, 1, 0);
        const GLuint p = use(NULL, mesh, fragment);
        draw(4, 4, 1);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, image);
        for (unsigned y = 0; y < SIZE; y++) {
            for (unsigned x = 0; x < SIZE; x++) {
                const uint8_t *c = image[y][x];
                const unsigned diagonal = x % 8 + y % 8;
                const bool side = c[2] == 255;
                if (abs((int)c[0] - (int)(x / 8 * 85)) > 1 ||
                    abs((int)c[1] - (int)(y / 8 * 85)) > 1 ||
                    (diagonal != 7 && side != (diagonal > 7)) || (!side && c[2]))
                    fail_msg("pixel %u,%u is %u %u %u", x, y, c[0], c[1], c[2]);
            }
        }
        gl_test_delete_program(p);
    }
}

static void test_points_and_lines(void **state)
{
    const char *points = HEAD
        "layout(local_size_x = 2) in; layout(points, max_vertices = 5, max_primitives = 2) out;\n"
        "void main() {\n"
        "    uint i = gl_LocalInvocationIndex;\n"
        "    SetMeshOutputsEXT(5u, 2u);\n"
        "    gl_MeshVerticesEXT[2u + i].gl_Position = vec4(float(i) - 0.5, 0.5, 0.0, 1.0);\n"
        "    gl_MeshVerticesEXT[2u + i].gl_PointSize = 4.0 + 8.0 * float(i);\n"
        "    gl_PrimitivePointIndicesEXT[1u - i] = 2u + i;\n"
        "}\n";
    const char *lines =
        ONE "layout(lines, max_vertices = 3, max_primitives = 2) out;\n"
            "void main() {\n"
            "    SetMeshOutputsEXT(3u, 2u);\n"
            "    gl_MeshVerticesEXT[0].gl_Position = vec4(-0.96875, -0.96875, 0, 1);\n"
            "    gl_MeshVerticesEXT[1].gl_Position = vec4(0.96875, -0.96875, 0, 1);\n"
            "    gl_MeshVerticesEXT[2].gl_Position = vec4(0.96875, 0.96875, 0, 1);\n"
            "    gl_PrimitiveLineIndicesEXT[0] = uvec2(0, 1);\n"
            "    gl_PrimitiveLineIndicesEXT[1] = uvec2(1, 2);\n"
            "}\n";
    GLuint p = use(NULL, points, GREEN);
    glEnable(GL_PROGRAM_POINT_SIZE);
    draw(1, 1, 1);
    expect(8, 24, 0, 1, 0);
    expect(8, 28, 0, 0, 0);
    expect(24, 28, 0, 1, 0);
    expect(24, 31, 0, 0, 0);
    glDisable(GL_PROGRAM_POINT_SIZE);
    gl_test_delete_program(p);
    p = use(NULL, lines, GREEN);
    draw(1, 1, 1);
    expect(16, 0, 0, 1, 0);
    expect(31, 16, 0, 1, 0);
    expect(16, 16, 0, 0, 0);
    gl_test_delete_program(p);
}

/* Checks that primitives are drawn in the order of workgroups, of which there are more than run at
 * once, also if tasks launch them. */
static void test_order(void **state)
{
    const char *mesh = ONE_TRIANGLE "out vec4 c[];\n"
                                    "void main() {\n" COVER
                                    "    bool last = gl_WorkGroupID.x + 1u == gl_NumWorkGroups.x;\n"
                                    "    for (uint i = 0u; i < 3u; i++)\n"
                                    "        c[i] = last ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);\n"
                                    "}\n";
    const char *fragment = HEAD "in vec4 c; out vec4 color; void main() { color = c; }\n";
    const char *task =
        ONE "taskPayloadSharedEXT uint number;\n"
            "void main() {\n"
            "    number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;\n"
            "    EmitMeshTasksEXT(number % 3u, 1u, number == 299u ? 0u : 2u);\n"
            "}\n";
    const char *after_task = ONE_TRIANGLE
        "taskPayloadSharedEXT uint number; out vec4 c[];\n"
        "void main() {\n" COVER "    bool last = number == 298u && gl_WorkGroupID.z == 1u;\n"
        "    for (uint i = 0u; i < 3u; i++)\n"
        "        c[i] = last ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);\n"
        "}\n";
    GLuint p = use(NULL, mesh, fragment);
    static const GLuint counts[] = {1, 2, 255, 256, 257, 700};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        draw(counts[i], 1, 1);
        expect(5, 6, 0, 1, 0);
        expect(30, 2, 0, 1, 0);
    }
    gl_test_delete_program(p);
    p = use(task, after_task, fragment);
    draw(30, 10, 1);
    expect(5, 6, 0, 1, 0);
    expect(30, 2, 0, 1, 0);
    gl_test_delete_program(p);
}

/* The largest meshes. Not all of the workgroups fit in the memory for a chunk. Only the last
 * triangle of each is not degenerate. */
static void test_large(void **state)
{
    const char *mesh =
        HEAD "layout(local_size_x = 64) in;\n"
             "layout(triangles, max_vertices = 256, max_primitives = 256) out;\n"
             "out vec4 v[][16];\n"
             "perprimitiveEXT out vec4 q[][8];\n"
             "void main() {\n"
             "    SetMeshOutputsEXT(256u, 256u);\n"
             "    for (uint i = gl_LocalInvocationIndex; i < 256u; i += 64u) {\n"
             "        gl_MeshVerticesEXT[i].gl_Position = vec4(-1, -1, 0, 1);\n"
             "        gl_PrimitiveTriangleIndicesEXT[i] = uvec3(0);\n"
             "        for (int k = 0; k < 16; k++) v[i][k] = vec4(k);\n"
             "        for (int k = 0; k < 8; k++) q[i][k] = vec4(gl_WorkGroupID.x);\n"
             "    }\n"
             "    barrier();\n"
             "    if (gl_LocalInvocationIndex != 0u) return;\n"
             "    gl_MeshVerticesEXT[254].gl_Position = vec4(3, -1, 0, 1);\n"
             "    gl_MeshVerticesEXT[255].gl_Position = vec4(-1, 3, 0, 1);\n"
             "    gl_PrimitiveTriangleIndicesEXT[255] = uvec3(0, 254, 255);\n"
             "    q[255][7] = vec4(7);\n"
             "}\n";
    const char *fragment =
        HEAD "in vec4 v[16]; perprimitiveEXT in vec4 q[8]; out vec4 color;\n"
             "void main() {\n"
             "    color = vec4(q[6].x / 128.0, abs(v[15].y - 15.0) < 1e-3, q[7].w / 7.0, 1.0);\n"
             "}\n";
    const GLuint p = use(NULL, mesh, fragment);
    draw(100, 1, 1);
    expect(9, 9, 99.0f / 128.0f, 1, 1);
    gl_test_delete_program(p);
    expect_drawing_works();
}

/* gl_PrimitiveID, gl_ViewportIndex, gl_Layer and gl_CullPrimitiveEXT. */
static void test_primitive_outputs(void **state)
{
    const char *mesh = HEAD
        "layout(local_size_x = 3) in;\n"
        "layout(triangles, max_vertices = 3, max_primitives = 3) out;\n"
        "perprimitiveEXT out gl_MeshPerPrimitiveEXT {\n"
        "    int gl_PrimitiveID; int gl_Layer; int gl_ViewportIndex; bool gl_CullPrimitiveEXT;\n"
        "} gl_MeshPrimitivesEXT[];\n"
        "uniform bool layers;\n"
        "void main() {\n"
        "    uint i = gl_LocalInvocationIndex;\n"
        "    SetMeshOutputsEXT(3u, 3u);\n"
        "    gl_MeshVerticesEXT[i].gl_Position =\n"
        "        vec4(i == 1u ? 3.0 : -1.0, i == 2u ? 3.0 : -1.0, 0.0, 1.0);\n"
        "    gl_PrimitiveTriangleIndicesEXT[i] = uvec3(0, 1, 2);\n"
        "    gl_MeshPrimitivesEXT[i].gl_PrimitiveID = 5 + int(i);\n"
        "    gl_MeshPrimitivesEXT[i].gl_Layer = layers ? int(i) : 0;\n"
        "    gl_MeshPrimitivesEXT[i].gl_ViewportIndex = layers ? 0 : int(i);\n"
        "    gl_MeshPrimitivesEXT[i].gl_CullPrimitiveEXT = i == 2u;\n"
        "}\n";
    const char *fragment =
        HEAD "out vec4 color;\n"
             "void main() { color = vec4(gl_PrimitiveID == 5, gl_PrimitiveID == 6, 0, 1); }\n";
    const GLuint p = use(NULL, mesh, fragment);
    GLuint texture, fbo;
    glViewportIndexedf(0, 0, 0, 16, 32);
    glViewportIndexedf(1, 16, 0, 8, 32);
    glViewportIndexedf(2, 0, 0, 32, 32);
    draw(1, 1, 1);
    expect(3, 3, 1, 0, 0);
    expect(15, 30, 1, 0, 0);
    expect(16, 3, 0, 1, 0);
    expect(23, 30, 0, 1, 0);
    expect(25, 3, 0, 0, 0);
    glViewport(0, 0, SIZE, SIZE);

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, SIZE, SIZE, 3);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    glUniform1i(glGetUniformLocation(p, "layers"), 1);
    draw(1, 1, 1);
    for (int layer = 0; layer < 3; layer++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
        expect(17, 9, layer == 0, layer == 1, 0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
    gl_test_delete_program(p);
}

/* Clip and cull distances, with and without a redeclaration of the block. */
static void test_distances(void **state)
{
    static const char body[] =
        "void main() {\n"
        "    uint i = gl_LocalInvocationIndex;\n"
        "    vec4 at = vec4(i == 1u ? 3.0 : -1.0, i == 2u ? 3.0 : -1.0, 0.0, 1.0);\n"
        "    SetMeshOutputsEXT(6u, 2u);\n"
        "    for (uint k = 0u; k < 2u; k++) {\n"
        "        gl_MeshVerticesEXT[3u * k + i].gl_Position = at;\n"
        "        gl_MeshVerticesEXT[3u * k + i].gl_ClipDistance[k] = at.x;\n"
        "        gl_MeshVerticesEXT[3u * k + i].gl_ClipDistance[1u - k] = 1.0;\n"
        "        gl_MeshVerticesEXT[3u * k + i].gl_CullDistance[0] = k == 0u ? at.y : -1.0;\n"
        "        if (i == 0u) gl_PrimitiveTriangleIndicesEXT[k] = 3u * k + uvec3(0, 1, 2);\n"
        "    }\n"
        "}\n";
    static const char *const blocks[] = {
        "",
        "out gl_MeshPerVertexEXT { vec4 gl_Position; float gl_ClipDistance[2];\n"
        "                          float gl_CullDistance[1]; } gl_MeshVerticesEXT[];\n",
    };
    for (unsigned i = 0; i < 2; i++) {
        char mesh[1500];
        snprintf(mesh, sizeof mesh, "%s%s%s",
                 HEAD "layout(local_size_x = 3) in;\n"
                      "layout(triangles, max_vertices = 6, max_primitives = 2) out;\n",
                 blocks[i], body);
        const GLuint p = use(NULL, mesh, GREEN);
        glEnable(GL_CLIP_DISTANCE0);
        draw(1, 1, 1);
        expect(8, 8, 0, 0, 0); /* clipped; the second triangle is culled */
        expect(24, 8, 0, 1, 0);
        glDisable(GL_CLIP_DISTANCE0);
        draw(1, 1, 1);
        expect(8, 8, 0, 1, 0);
        gl_test_delete_program(p);
    }
}

/* ----------------------------------------------------------------------------------- values --- */

/* Outputs of many types, per vertex and per primitive, in blocks and alone. */
static void test_output_types(void **state)
{
    const char *mesh = ONE_TRIANGLE
        "struct S { vec3 a; int b[2]; };\n"
        "out B { mat2 m; vec4 n; } b[];\n"
        "layout(location = 9) flat out ivec2 i[];\n"
        "layout(location = 9, component = 2) flat out uint u[];\n"
        "flat out dvec3 d[];\n"
        "perprimitiveEXT out S s[];\n"
        "perprimitiveEXT out P { uvec3 x; float y[3]; } p[];\n"
        "layout(location = 20) perprimitiveEXT out double z[];\n"
        "void main() {\n" COVER "    for (int k = 0; k < 3; k++) {\n"
        "        b[k].m = mat2(1, 2, 3, 4); b[k].n.wzyx = vec4(5, 6, 7, 8);\n"
        "        i[k] = ivec2(-1, -2); u[k] = 0xffffffffu; d[k] = dvec3(1.1, 2.2, 3.3);\n"
        "    }\n"
        "    s[0].a = vec3(1, 2, 3); s[0].b[1] = -9; s[0].b[0] = 8;\n"
        "    p[0].x = uvec3(7, 8, 0x80000000u);\n"
        "    for (int k = 0; k < 3; k++) p[0].y[k] = float(k) * 0.5;\n"
        "    z[0] = 0.1LF;\n"
        "}\n";
    const char *fragment =
        HEAD "struct S { vec3 a; int b[2]; };\n"
             "in B { mat2 m; vec4 n; } b;\n"
             "layout(location = 9) flat in ivec2 i;\n"
             "layout(location = 9, component = 2) flat in uint u;\n"
             "flat in dvec3 d;\n"
             "perprimitiveEXT in S s;\n"
             "perprimitiveEXT in P { uvec3 x; float y[3]; } p;\n"
             "layout(location = 20) perprimitiveEXT in double z;\n"
             "out vec4 color;\n"
             "void main() {\n"
             "    bool vertices = distance(b.m[1], vec2(3, 4)) < 1e-4 &&\n"
             "        distance(b.n, vec4(8, 7, 6, 5)) < 1e-4 && i == ivec2(-1, -2) &&\n"
             "        u == 0xffffffffu && d == dvec3(1.1, 2.2, 3.3);\n"
             "    bool primitives = s.a == vec3(1, 2, 3) && s.b[0] == 8 && s.b[1] == -9 &&\n"
             "        p.x == uvec3(7, 8, 0x80000000u) && p.y[2] == 1.0 && p.y[1] == 0.5;\n"
             "    color = vec4(vertices, primitives, z == 0.1LF, 1);\n"
             "}\n";
    const GLuint p = use(NULL, mesh, fragment);
    draw(1, 1, 1);
    expect(16, 16, 1, 1, 1);
    gl_test_delete_program(p);
}

/* Outputs that share a location, whose first component no output has. */
static void test_components(void **state)
{
    const char *mesh = ONE_TRIANGLE
        "layout(location = 0, component = 1) out float a[];\n"
        "layout(location = 0, component = 2) out float b[];\n"
        "layout(location = 1) out vec2 c[][2];\n"
        "layout(location = 1, component = 2) out vec2 d[][2];\n"
        "void main() {\n" COVER "    for (int k = 0; k < 3; k++) {\n"
        "        a[k] = 0.25; b[k] = 0.5;\n"
        "        c[k] = vec2[2](vec2(1, 2), vec2(3, 4)); d[k] = vec2[2](vec2(5, 6), vec2(7, 8));\n"
        "    }\n"
        "}\n";
    const char *fragment =
        HEAD "layout(location = 0, component = 1) in float a;\n"
             "layout(location = 0, component = 2) in float b;\n"
             "layout(location = 1) in vec2 c[2];\n"
             "layout(location = 1, component = 2) in vec2 d[2];\n"
             "out vec4 color;\n"
             "void main() {\n"
             "    float e = distance(vec4(c[0], d[0]), vec4(1, 2, 5, 6)) +\n"
             "              distance(vec4(c[1], d[1]), vec4(3, 4, 7, 8));\n"
             "    color = vec4(abs(a - 0.25) < 1e-5, abs(b - 0.5) < 1e-5, e < 1e-4, 1);\n"
             "}\n";
    const GLuint p = use(NULL, mesh, fragment);
    draw(1, 1, 1);
    expect(16, 16, 1, 1, 1);
    gl_test_delete_program(p);
}

/* EmitMeshTasksEXT() ends the shader, also in a function that main() calls in a loop. */
static void test_task_end(void **state)
{
    const char *task = ONE "taskPayloadSharedEXT float green;\n"
                           "int go(int i) {\n"
                           "    if (i == 3)\n"
                           "        EmitMeshTasksEXT(1u, 1u, 1u);\n"
                           "    return i + 1;\n"
                           "}\n"
                           "void main() {\n"
                           "    green = 1.0;\n"
                           "    for (int i = 0; i < 8; i = go(i));\n"
                           "    green = 0.0;\n"
                           "    EmitMeshTasksEXT(0u, 0u, 0u);\n"
                           "}\n";
    const char *mesh = ONE_TRIANGLE "taskPayloadSharedEXT float green;\n"
                                    "perprimitiveEXT out float v[];\n"
                                    "void main() {\n" COVER "    v[0] = green; }\n";
    const GLuint p = use(task, mesh,
                         HEAD "perprimitiveEXT in float v; out vec4 color;\n"
                              "void main() { color = vec4(0, v, 0, 1); }\n");
    draw(1, 1, 1);
    expect(16, 16, 0, 1, 0);
    gl_test_delete_program(p);
}

/* What built-in variables and the payload contain: mesh shaders store it in a buffer. Task k
 * launches k × 2 workgroups. */
static void test_values(void **state)
{
    enum { TASKS = 5, WORDS = 10, GROUPS = TASKS * (TASKS - 1) };
    const char *payload = "struct Payload {\n"
                          "    uint number[5]; mat2 m; bool yes; vec3 v; double wide;\n"
                          "};\n"
                          "taskPayloadSharedEXT Payload p;\n";
    const char *task_body =
        "shared uint total;\n"
        "void main() {\n"
        "    uint i = gl_LocalInvocationIndex, k = gl_WorkGroupID.x;\n"
        "    if (i == 0u) total = 0u;\n"
        "    barrier();\n"
        "    atomicAdd(total, gl_GlobalInvocationID.x);\n"
        "    p.number[i] = 10u * k + i;\n"
        "    barrier();\n"
        "    if (i == 1u) {\n"
        "        p.number[3] = total; p.number[4] = gl_NumWorkGroups.x * gl_WorkGroupSize.x;\n"
        "        p.m = mat2(1, 2, 3, 4); p.yes = k == 2u; p.v = vec3(k); p.wide = 0.1LF;\n"
        "    }\n"
        "    EmitMeshTasksEXT(i == 0u ? k : 100u, 2u, 1u);\n"
        "    p.number[0] = 12345u;\n" /* not executed */
        "}\n";
    const char *mesh_body =
        "buffer Out { uint word[]; };\n"
        "void main() {\n"
        "    uint k = uint(p.v.z), row = gl_WorkGroupID.y * gl_NumWorkGroups.x + "
        "gl_WorkGroupID.x;\n"
        "    uint at = 10u * (k * (k - 1u) + row);\n"
        "    SetMeshOutputsEXT(0u, 0u);\n"
        "    if (gl_LocalInvocationID.x != 1u) return;\n"
        "    for (uint i = 0u; i < 5u; i++) word[at + i] = p.number[i];\n"
        "    word[at + 5u] = uint(p.m[1][0]);\n"
        "    word[at + 6u] = uint(p.yes);\n"
        "    word[at + 7u] = uint(p.wide == 0.1LF);\n"
        "    word[at + 8u] = gl_NumWorkGroups.x * 100u + gl_NumWorkGroups.y * 10u +\n"
        "                    gl_NumWorkGroups.z;\n"
        "    word[at + 9u] = gl_GlobalInvocationID.x * 100u + gl_WorkGroupID.y;\n"
        "}\n";
    static uint32_t got[GROUPS * WORDS];
    char task[2000], mesh[2000];
    snprintf(task, sizeof task, "%s%s%s", HEAD "layout(local_size_x = 3) in;\n", payload,
             task_body);
    snprintf(mesh, sizeof mesh, "%s%s%s",
             HEAD "layout(local_size_x = 2) in;\n"
                  "layout(points, max_vertices = 1, max_primitives = 1) out;\n",
             payload, mesh_body);
    const GLuint p = use(task, mesh, GREEN);
    GLuint buffer = make_buffer(GL_SHADER_STORAGE_BUFFER, sizeof got, NULL);
    draw(TASKS, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, got);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned k = 1; k < TASKS; k++) {
        for (unsigned row = 0; row < 2 * k; row++) {
            const uint32_t x = row % k, y = row / k;
            const uint32_t want[WORDS] = {
                10 * k, 10 * k + 1, 10 * k + 2, 9 * k + 3,        3 * TASKS,
                3,      k == 2,     1,          100 * k + 20 + 1, (2 * x + 1) * 100 + y,
            };
            for (unsigned w = 0; w < WORDS; w++)
                if (got[(k * (k - 1) + row) * WORDS + w] != want[w])
                    fail_msg("task %u, mesh %u, word %u: %u, not %u", k, row, w,
                             got[(k * (k - 1) + row) * WORDS + w], want[w]);
        }
    }
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
}

/* Uniforms, textures, images and uniform blocks of both stages. */
static void test_resources(void **state)
{
    const char *task = ONE "uniform uint launch; layout(r32ui) uniform uimage2D image;\n"
                           "taskPayloadSharedEXT vec4 tint; uniform sampler2D texture_;\n"
                           "void main() {\n"
                           "    imageAtomicAdd(image, ivec2(0), 3u);\n"
                           "    tint = textureLod(texture_, vec2(0.5), 0.0);\n"
                           "    EmitMeshTasksEXT(launch, 1u, 1u);\n"
                           "}\n";
    const char *mesh = ONE_TRIANGLE "taskPayloadSharedEXT vec4 tint; out vec4 c[];\n"
                                    "uniform Block { vec4 factor; }; uniform vec4 add;\n"
                                    "void main() {\n" COVER
                                    "    for (int i = 0; i < 3; i++) c[i] = tint * factor + add;\n"
                                    "}\n";
    const char *fragment = HEAD "in vec4 c; out vec4 color; void main() { color = c; }\n";
    static const float factor[] = {0.5f, 1, 0, 1};
    static const uint8_t texel[] = {255, 51, 255, 255};
    GLuint texture[2], buffer, word;
    const GLuint p = use(task, mesh, fragment);
    glGenTextures(2, texture);
    glBindTexture(GL_TEXTURE_2D, texture[1]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, 1, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, (GLuint[]){4});
    glBindImageTexture(0, texture[1], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    glBindTexture(GL_TEXTURE_2D, texture[0]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 1, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    buffer = make_buffer(GL_UNIFORM_BUFFER, sizeof factor, factor);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glUniform4f(glGetUniformLocation(p, "add"), 0, 0, 0.25f, 0);
    glUniform1ui(glGetUniformLocation(p, "launch"), 1);
    draw(1, 1, 1);
    expect(16, 16, 0.5f, 0.2f, 0.25f);
    glUniform4f(glGetUniformLocation(p, "add"), 0, 0, 0.75f, 0);
    draw(1, 1, 1);
    expect(16, 16, 0.5f, 0.2f, 0.75f);
    glUniform1ui(glGetUniformLocation(p, "launch"), 0);
    draw(2, 1, 1);
    expect(16, 16, 0, 0, 0);
    glBindTexture(GL_TEXTURE_2D, texture[1]);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &word);
    assert_int_equal(word, 4 + 3 * 4);
    glDeleteTextures(2, texture);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
}

/* A dispatch of a compute shader and a draw of a mesh, by turns, don't disturb each other. */
static void test_compute_between(void **state)
{
    const char *compute = "#version 450\nlayout(local_size_x = 1) in;\n"
                          "buffer Out { uint count; }; uniform uint add;\n"
                          "void main() { atomicAdd(count, add); }\n";
    const char *mesh = ONE_TRIANGLE "buffer Out { uint count; };\n"
                                    "void main() {\n" COVER "    atomicAdd(count, 100u); }\n";
    GLuint c = glCreateProgram(), count, buffer;
    gl_test_attach(c, GL_COMPUTE_SHADER, compute);
    gl_test_use(c);
    glUniform1ui(glGetUniformLocation(c, "add"), 1);
    const GLuint p = use(NULL, mesh, GREEN);
    buffer = make_buffer(GL_SHADER_STORAGE_BUFFER, 4, (GLuint[]){0});
    for (unsigned i = 0; i < 3; i++) {
        glUseProgram(c);
        glDispatchCompute(2, 1, 1);
        glUseProgram(p);
        draw(1, 1, 1);
        expect(2, 2, 0, 1, 0);
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 4, &count);
    assert_int_equal(count, 306);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
    glDeleteProgram(c);
}

/* -------------------------------------------------------------------------------- commands --- */

/* Each workgroup increments the counter of its gl_DrawID. */
#define COUNTING                                                                                   \
    "#version 460\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 1) in;\n"        \
    "layout(points, max_vertices = 1, max_primitives = 1) out;\n"                                  \
    "buffer Out { uint count[4]; };\n"                                                             \
    "void main() { SetMeshOutputsEXT(0u, 0u); atomicAdd(count[gl_DrawID & 3], 1u); }\n"

/* Checks the counters, and sets them to 0. */
static void expect_counts(GLuint a, GLuint b, GLuint c, GLuint d)
{
    static const GLuint zero[4];
    const GLuint want[4] = {a, b, c, d};
    GLuint got[4];
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, got);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof zero, zero);
    for (unsigned i = 0; i < 4; i++)
        if (got[i] != want[i])
            fail_msg("counter %u is %u, not %u", i, got[i], want[i]);
}

static void test_indirect(void **state)
{
    /* Commands with 16 bytes each. The last one is beyond the limits. */
    static const GLuint commands[] = {9, 9, 9, 9, 2, 3, 4,     9, 1, 1,
                                      5, 9, 0, 7, 7, 9, 65536, 1, 1, 9};
    static const GLuint counts[] = {99, 3, 1000, 0x80000001u};
    const GLuint p = use(NULL, COUNTING, GREEN);
    GLuint storage = make_buffer(GL_SHADER_STORAGE_BUFFER, 16, (GLuint[4]){0}),
           indirect = make_buffer(GL_DRAW_INDIRECT_BUFFER, sizeof commands, commands),
           parameters = make_buffer(GL_PARAMETER_BUFFER, sizeof counts, counts);
    glDrawMeshTasksEXT(2, 5, 3);
    expect_counts(30, 0, 0, 0);
    glDrawMeshTasksEXT(2, 0, 3);
    expect_counts(0, 0, 0, 0);
    glDrawMeshTasksIndirectEXT(16);
    expect_counts(24, 0, 0, 0);
    glMultiDrawMeshTasksIndirectEXT(16, 3, 16);
    expect_counts(24, 5, 0, 0);
    glMultiDrawMeshTasksIndirectEXT(16, 4, 16); /* undefined, but harmless */
    expect_counts(24, 5, 0, 0);
    glMultiDrawMeshTasksIndirectEXT(16, 2, 0); /* 2 × 3 × 4, 9 × 1 × 1 */
    expect_counts(24, 9, 0, 0);
    glMultiDrawMeshTasksIndirectCountEXT(0, 4, 4, 16);
    expect_counts(729, 24, 5, 0);
    glMultiDrawMeshTasksIndirectCountEXT(16, 8, 2, 16); /* the maximum is less */
    expect_counts(24, 5, 0, 0);
    glMultiDrawMeshTasksIndirectCountEXT(16, 12, 2, 16); /* the count is unsigned */
    expect_counts(24, 5, 0, 0);
    glDeleteBuffers(1, &storage);
    glDeleteBuffers(1, &indirect);
    glDeleteBuffers(1, &parameters);
    gl_test_delete_program(p);
}

/* A display list contains direct draws. Failed conditional rendering draws nothing. */
static void test_lists_and_conditions(void **state)
{
    const GLuint p = use(NULL, COVER_MESH, GREEN), list = glGenLists(1);
    GLuint query;
    glNewList(list, GL_COMPILE);
    glDrawMeshTasksEXT(1, 1, 1);
    glEndList();
    glClear(GL_COLOR_BUFFER_BIT);
    expect(4, 4, 0, 0, 0);
    glCallList(list);
    expect(4, 4, 0, 1, 0);
    glDeleteLists(list, 1);
    glGenQueries(1, &query);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glClear(GL_COLOR_BUFFER_BIT);
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    glDrawMeshTasksEXT(1, 1, 1);
    glEndConditionalRender();
    glDeleteQueries(1, &query);
    expect(4, 4, 0, 0, 0);
    gl_test_delete_program(p);
}

static void test_command_errors(void **state)
{
    static const GLuint commands[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    GLuint buffer, parameters;
    GLuint p = gl_test_program(NULL, GREEN);
    glUseProgram(p);
    buffer = make_buffer(GL_DRAW_INDIRECT_BUFFER, sizeof commands, commands);
    parameters = make_buffer(GL_PARAMETER_BUFFER, 8, commands);
    for (unsigned i = 0; i < 2; i++) { /* a program without a mesh shader, no program */
        glDrawMeshTasksEXT(1, 1, 1);
        expect_error(GL_INVALID_OPERATION);
        glDrawMeshTasksIndirectEXT(0);
        expect_error(GL_INVALID_OPERATION);
        glMultiDrawMeshTasksIndirectEXT(0, 1, 0);
        expect_error(GL_INVALID_OPERATION);
        glMultiDrawMeshTasksIndirectCountEXT(0, 0, 1, 0);
        expect_error(GL_INVALID_OPERATION);
        glUseProgram(0);
    }
    glDeleteProgram(p);

    p = use(NULL, COVER_MESH, GREEN);
    for (unsigned i = 0; i < 3; i++) {
        glDrawMeshTasksEXT(i == 0 ? 65536 : 1, i == 1 ? 65536 : 1, i == 2 ? ~0u : 1);
        expect_error(GL_INVALID_VALUE);
    }
    glDrawMeshTasksEXT(65535, 65, 1); /* more than 2^22 */
    expect_error(GL_INVALID_VALUE);
    glBegin(GL_POINTS);
    glDrawMeshTasksEXT(1, 1, 1);
    glEnd();
    expect_error(GL_INVALID_OPERATION);

    for (unsigned i = 0; i < 2; i++) {
        glDrawMeshTasksIndirectEXT(i ? 2 : -4);
        expect_error(GL_INVALID_VALUE);
        glMultiDrawMeshTasksIndirectEXT(i ? 2 : -4, 1, 0);
        expect_error(GL_INVALID_VALUE);
        glMultiDrawMeshTasksIndirectCountEXT(i ? 2 : -4, 0, 1, 0);
        expect_error(GL_INVALID_VALUE);
        glMultiDrawMeshTasksIndirectCountEXT(0, i ? 2 : -4, 1, 0);
        expect_error(GL_INVALID_VALUE);
        glMultiDrawMeshTasksIndirectEXT(0, i ? 0 : -1, 0);
        expect_error(GL_INVALID_VALUE);
        glMultiDrawMeshTasksIndirectCountEXT(0, 0, i ? 0 : -1, 0);
        expect_error(GL_INVALID_VALUE);
    }
    static const GLsizei strides[] = {-4, -16, 1, 6, 8, 13, 18};
    for (unsigned i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        glMultiDrawMeshTasksIndirectEXT(0, 1, strides[i]);
        expect_error(GL_INVALID_VALUE);
        glMultiDrawMeshTasksIndirectCountEXT(0, 0, 1, strides[i]);
        expect_error(GL_INVALID_VALUE);
    }
    /* Beyond the buffers, which have 48 and 8 bytes. */
    glDrawMeshTasksIndirectEXT(36);
    glMultiDrawMeshTasksIndirectEXT(0, 4, 0);
    glMultiDrawMeshTasksIndirectEXT(0, 2, 36);
    glMultiDrawMeshTasksIndirectCountEXT(12, 4, 3, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDrawMeshTasksIndirectEXT(40);
    expect_error(GL_INVALID_OPERATION);
    glDrawMeshTasksIndirectEXT(INTPTR_MAX / 4 * 4);
    expect_error(GL_INVALID_OPERATION);
    glMultiDrawMeshTasksIndirectEXT(4, 4, 0);
    expect_error(GL_INVALID_OPERATION);
    glMultiDrawMeshTasksIndirectEXT(0, 2, 40);
    expect_error(GL_INVALID_OPERATION);
    glMultiDrawMeshTasksIndirectEXT(0, INT32_MAX, INT32_MAX / 4 * 4);
    expect_error(GL_INVALID_OPERATION);
    glMultiDrawMeshTasksIndirectCountEXT(0, 0, 5, 0);
    expect_error(GL_INVALID_OPERATION);
    glMultiDrawMeshTasksIndirectCountEXT(0, 8, 1, 0);
    expect_error(GL_INVALID_OPERATION);
    /* Mapped or missing buffers. */
    glMapBuffer(GL_DRAW_INDIRECT_BUFFER, GL_READ_ONLY);
    glDrawMeshTasksIndirectEXT(0);
    expect_error(GL_INVALID_OPERATION);
    glUnmapBuffer(GL_DRAW_INDIRECT_BUFFER);
    glBindBuffer(GL_PARAMETER_BUFFER, 0);
    glMultiDrawMeshTasksIndirectCountEXT(0, 0, 1, 0);
    expect_error(GL_INVALID_OPERATION);
    glBindBuffer(GL_PARAMETER_BUFFER, parameters);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    glDrawMeshTasksIndirectEXT(0);
    expect_error(GL_INVALID_OPERATION);
    glMultiDrawMeshTasksIndirectEXT(0, 1, 0);
    expect_error(GL_INVALID_OPERATION);
    glMultiDrawMeshTasksIndirectCountEXT(0, 0, 1, 0);
    expect_error(GL_INVALID_OPERATION);
    glDeleteBuffers(1, &buffer);
    glDeleteBuffers(1, &parameters);
    gl_test_delete_program(p);
    expect_drawing_works();
}

/* ---------------------------------------------------------------------------------- queries --- */

/* Tables 23.53, 23.63 and 23.64. */
static void test_limits(void **state)
{
    static const struct {
        GLenum name;
        GLint least;
    } limits[] = {
        {GL_MAX_TASK_WORK_GROUP_TOTAL_COUNT_EXT, 1 << 22},
        {GL_MAX_TASK_WORK_GROUP_INVOCATIONS_EXT, 128},
        {GL_MAX_TASK_UNIFORM_BLOCKS_EXT, 12},
        {GL_MAX_TASK_TEXTURE_IMAGE_UNITS_EXT, 16},
        {GL_MAX_TASK_ATOMIC_COUNTER_BUFFERS_EXT, 8},
        {GL_MAX_TASK_ATOMIC_COUNTERS_EXT, 8},
        {GL_MAX_TASK_IMAGE_UNIFORMS_EXT, 8},
        {GL_MAX_TASK_SHADER_STORAGE_BLOCKS_EXT, 12},
        {GL_MAX_TASK_UNIFORM_COMPONENTS_EXT, 512},
        {GL_MAX_COMBINED_TASK_UNIFORM_COMPONENTS_EXT, 512 + 12 * 4096},
        {GL_MAX_TASK_PAYLOAD_SIZE_EXT, 16384},
        {GL_MAX_TASK_SHARED_MEMORY_SIZE_EXT, 32768},
        {GL_MAX_TASK_PAYLOAD_AND_SHARED_MEMORY_SIZE_EXT, 32768},
        {GL_MAX_MESH_WORK_GROUP_TOTAL_COUNT_EXT, 1 << 22},
        {GL_MAX_MESH_WORK_GROUP_INVOCATIONS_EXT, 128},
        {GL_MAX_MESH_UNIFORM_BLOCKS_EXT, 12},
        {GL_MAX_MESH_TEXTURE_IMAGE_UNITS_EXT, 16},
        {GL_MAX_MESH_ATOMIC_COUNTER_BUFFERS_EXT, 8},
        {GL_MAX_MESH_ATOMIC_COUNTERS_EXT, 8},
        {GL_MAX_MESH_IMAGE_UNIFORMS_EXT, 8},
        {GL_MAX_MESH_SHADER_STORAGE_BLOCKS_EXT, 12},
        {GL_MAX_MESH_UNIFORM_COMPONENTS_EXT, 512},
        {GL_MAX_COMBINED_MESH_UNIFORM_COMPONENTS_EXT, 512 + 12 * 4096},
        {GL_MAX_MESH_SHARED_MEMORY_SIZE_EXT, 28672},
        {GL_MAX_MESH_PAYLOAD_AND_SHARED_MEMORY_SIZE_EXT, 28672},
        {GL_MAX_MESH_OUTPUT_MEMORY_SIZE_EXT, 32768},
        {GL_MAX_MESH_PAYLOAD_AND_OUTPUT_MEMORY_SIZE_EXT, 48128},
        {GL_MAX_MESH_OUTPUT_PRIMITIVES_EXT, 256},
        {GL_MAX_MESH_OUTPUT_VERTICES_EXT, 256},
        {GL_MAX_MESH_OUTPUT_COMPONENTS_EXT, 128},
        {GL_MAX_MESH_OUTPUT_LAYERS_EXT, 1},
        {GL_MAX_MESH_MULTIVIEW_VIEW_COUNT_EXT, 1},
        {GL_MESH_OUTPUT_PER_VERTEX_GRANULARITY_EXT, 1},
        {GL_MESH_OUTPUT_PER_PRIMITIVE_GRANULARITY_EXT, 1},
        {GL_MAX_PREFERRED_TASK_WORK_GROUP_INVOCATIONS_EXT, 1},
        {GL_MAX_PREFERRED_MESH_WORK_GROUP_INVOCATIONS_EXT, 1},
    };
    static const struct {
        GLenum name;
        GLint least;
    } indexed[] = {
        {GL_MAX_TASK_WORK_GROUP_COUNT_EXT, 65535},
        {GL_MAX_MESH_WORK_GROUP_COUNT_EXT, 65535},
        {GL_MAX_TASK_WORK_GROUP_SIZE_EXT, 128},
        {GL_MAX_MESH_WORK_GROUP_SIZE_EXT, 128},
    };
    for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        GLint value = -1;
        glGetIntegerv(limits[i].name, &value);
        if (value < limits[i].least)
            fail_msg("limit %#x is %d, not %d", limits[i].name, value, limits[i].least);
    }
    for (unsigned i = 0; i < sizeof indexed / sizeof indexed[0]; i++) {
        for (unsigned d = 0; d < 3; d++) {
            GLint value = -1;
            glGetIntegeri_v(indexed[i].name, d, &value);
            if (value < indexed[i].least)
                fail_msg("limit %#x is %d, not %d", indexed[i].name, value, indexed[i].least);
        }
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glGetIntegeri_v(indexed[i].name, 3, (GLint[1]){0});
        expect_error(GL_INVALID_VALUE);
    }
    for (GLenum name = GL_MESH_PREFERS_LOCAL_INVOCATION_VERTEX_OUTPUT_EXT;
         name <= GL_MESH_PREFERS_COMPACT_PRIMITIVE_OUTPUT_EXT; name++) {
        GLboolean value = 77;
        glGetBooleanv(name, &value);
        assert_true(value == GL_FALSE || value == GL_TRUE);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Returns a property of a resource. */
static GLint property(GLuint p, GLenum interface, GLuint index, GLenum name)
{
    GLint value = -1;
    glGetProgramResourceiv(p, interface, index, 1, &name, 1, NULL, &value);
    return value;
}

/* Returns the number of resources of an interface. */
static GLint resources(GLuint p, GLenum interface)
{
    GLint value = -1;
    glGetProgramInterfaceiv(p, interface, GL_ACTIVE_RESOURCES, &value);
    return value;
}

static void test_program_interface(void **state)
{
    const char *task = HEAD "layout(local_size_x = 3, local_size_y = 2) in;\n"
                            "buffer Out { uint count; };\n"
                            "void main() { count = 1u; EmitMeshTasksEXT(1u, 1u, 1u); }\n";
    const char *mesh = HEAD "layout(local_size_x = 1, local_size_z = 4) in;\n"
                            "layout(triangles, max_vertices = 9, max_primitives = 7) out;\n"
                            "uniform Block { vec4 place; };\n"
                            "layout(binding = 0) uniform atomic_uint counter;\n"
                            "subroutine vec4 Shade(); subroutine uniform Shade shade;\n"
                            "subroutine(Shade) vec4 red() { return vec4(1, 0, 0, 1); }\n"
                            "subroutine(Shade) vec4 blue() { return vec4(0, 0, 1, 1); }\n"
                            "out vec4 c[];\n"
                            "void main() {\n" COVER "    atomicCounterIncrement(counter);\n"
                            "    for (int i = 0; i < 3; i++) c[i] = shade() + place;\n"
                            "}\n";
    const char *fragment =
        HEAD "uniform float f; in vec4 c; out vec4 color; void main() { color = c + f; }\n";
    static const float zero[4];
    const GLuint p = use(task, mesh, fragment);
    GLint size[3], value;
    glGetProgramiv(p, GL_TASK_WORK_GROUP_SIZE_EXT, size);
    assert_true(size[0] == 3 && size[1] == 2 && size[2] == 1);
    glGetProgramiv(p, GL_MESH_WORK_GROUP_SIZE_EXT, size);
    assert_true(size[0] == 1 && size[1] == 1 && size[2] == 4);
    glGetProgramiv(p, GL_MESH_VERTICES_OUT_EXT, &value);
    assert_int_equal(value, 9);
    glGetProgramiv(p, GL_MESH_PRIMITIVES_OUT_EXT, &value);
    assert_int_equal(value, 7);
    glGetProgramiv(p, GL_MESH_OUTPUT_TYPE_EXT, &value);
    assert_int_equal(value, GL_TRIANGLES);
    glGetProgramiv(p, GL_COMPUTE_WORK_GROUP_SIZE, size);
    expect_error(GL_INVALID_OPERATION);

    const GLuint block = glGetProgramResourceIndex(p, GL_UNIFORM_BLOCK, "Block"),
                 out = glGetProgramResourceIndex(p, GL_SHADER_STORAGE_BLOCK, "Out"),
                 f = glGetProgramResourceIndex(p, GL_UNIFORM, "f");
    assert_int_equal(property(p, GL_UNIFORM_BLOCK, block, GL_REFERENCED_BY_MESH_SHADER_EXT), 1);
    assert_int_equal(property(p, GL_UNIFORM_BLOCK, block, GL_REFERENCED_BY_TASK_SHADER_EXT), 0);
    assert_int_equal(property(p, GL_UNIFORM_BLOCK, block, GL_REFERENCED_BY_VERTEX_SHADER), 0);
    assert_int_equal(property(p, GL_SHADER_STORAGE_BLOCK, out, GL_REFERENCED_BY_TASK_SHADER_EXT),
                     1);
    assert_int_equal(property(p, GL_SHADER_STORAGE_BLOCK, out, GL_REFERENCED_BY_MESH_SHADER_EXT),
                     0);
    assert_int_equal(property(p, GL_UNIFORM, f, GL_REFERENCED_BY_MESH_SHADER_EXT), 0);
    assert_int_equal(property(p, GL_UNIFORM, f, GL_REFERENCED_BY_FRAGMENT_SHADER), 1);
    assert_int_equal(property(p, GL_ATOMIC_COUNTER_BUFFER, 0, GL_REFERENCED_BY_MESH_SHADER_EXT), 1);
    glGetActiveUniformBlockiv(p, block, GL_UNIFORM_BLOCK_REFERENCED_BY_MESH_SHADER_EXT, &value);
    assert_int_equal(value, 1);
    glGetActiveUniformBlockiv(p, block, GL_UNIFORM_BLOCK_REFERENCED_BY_TASK_SHADER_EXT, &value);
    assert_int_equal(value, 0);
    glGetActiveAtomicCounterBufferiv(p, 0, GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_MESH_SHADER_EXT,
                                     &value);
    assert_int_equal(value, 1);
    glGetActiveAtomicCounterBufferiv(p, 0, GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TASK_SHADER_EXT,
                                     &value);
    assert_int_equal(value, 0);
    assert_int_equal(resources(p, GL_MESH_SUBROUTINE_EXT), 2);
    assert_int_equal(resources(p, GL_MESH_SUBROUTINE_UNIFORM_EXT), 1);
    assert_int_equal(resources(p, GL_TASK_SUBROUTINE_EXT), 0);
    assert_int_equal(resources(p, GL_TASK_SUBROUTINE_UNIFORM_EXT), 0);
    assert_int_equal(resources(p, GL_PROGRAM_INPUT), 0);
    assert_int_equal(resources(p, GL_PROGRAM_OUTPUT), 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);

    /* Each subroutine is used. */
    GLuint storage = make_buffer(GL_SHADER_STORAGE_BUFFER, 4, NULL),
           counters = make_buffer(GL_ATOMIC_COUNTER_BUFFER, 4, zero),
           uniforms = make_buffer(GL_UNIFORM_BUFFER, sizeof zero, zero);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms);
    for (unsigned i = 0; i < 2; i++) {
        GLuint index = glGetSubroutineIndex(p, GL_MESH_SHADER_EXT, i ? "blue" : "red");
        assert_int_not_equal(index, GL_INVALID_INDEX);
        glUniformSubroutinesuiv(GL_MESH_SHADER_EXT, 1, &index);
        draw(1, 1, 1);
        expect(16, 16, !i, 0, i);
    }
    glGetBufferSubData(GL_ATOMIC_COUNTER_BUFFER, 0, 4, &value);
    assert_int_equal(value, 8);
    glDeleteBuffers(1, &storage);
    glDeleteBuffers(1, &counters);
    glDeleteBuffers(1, &uniforms);
    gl_test_delete_program(p);

    static const GLenum names[] = {GL_TASK_WORK_GROUP_SIZE_EXT, GL_MESH_WORK_GROUP_SIZE_EXT,
                                   GL_MESH_VERTICES_OUT_EXT, GL_MESH_PRIMITIVES_OUT_EXT,
                                   GL_MESH_OUTPUT_TYPE_EXT};
    const GLuint other = gl_test_program(NULL, GREEN);
    for (unsigned i = 0; i < 5; i++) {
        glGetProgramiv(other, names[i], size);
        expect_error(GL_INVALID_OPERATION);
    }
    glDeleteProgram(other);
}

/* Pipeline statistics. Vertices and primitives of ordinary draws are not counted. */
static void test_statistics(void **state)
{
    static const struct {
        GLenum target;
        GLuint want;
    } counters[] = {
        {GL_TASK_SHADER_INVOCATIONS_EXT, 4 * 3},
        {GL_MESH_SHADER_INVOCATIONS_EXT, 4 * 2 * 5},
        {GL_MESH_PRIMITIVES_GENERATED_EXT, 4 * 2 * 2}, /* without culled ones */
        {GL_CLIPPING_INPUT_PRIMITIVES, 4 * 2 * 2},
        {GL_VERTICES_SUBMITTED, 0},
        {GL_PRIMITIVES_SUBMITTED, 0},
        {GL_VERTEX_SHADER_INVOCATIONS, 0},
        {GL_COMPUTE_SHADER_INVOCATIONS, 0},
        {GL_PRIMITIVES_GENERATED, 0},
    };
    enum { COUNT = sizeof counters / sizeof counters[0] };
    const char *task = HEAD "layout(local_size_x = 3) in;\n"
                            "void main() { EmitMeshTasksEXT(1u, 2u, 1u); }\n";
    const char *mesh =
        HEAD "layout(local_size_x = 5) in;\n"
             "layout(triangles, max_vertices = 3, max_primitives = 4) out;\n"
             "void main() {\n" COVER_COUNTS(
                 "3u, 3u") "    gl_PrimitiveTriangleIndicesEXT[1] = uvec3(0, 1, 2);\n"
                           "    gl_PrimitiveTriangleIndicesEXT[2] = uvec3(0, 1, 2);\n"
                           "    gl_MeshPrimitivesEXT[1].gl_CullPrimitiveEXT = true;\n"
                           "}\n";
    const GLuint p = use(task, mesh, GREEN);
    GLuint query[COUNT], value;
    GLint bits;
    glGenQueries(COUNT, query);
    for (unsigned i = 0; i < COUNT; i++)
        glBeginQuery(counters[i].target, query[i]);
    draw(2, 2, 1);
    for (unsigned i = 0; i < COUNT; i++)
        glEndQuery(counters[i].target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < COUNT; i++) {
        glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &value);
        if (value != counters[i].want)
            fail_msg("counter %#x is %u, not %u", counters[i].target, value, counters[i].want);
    }
    /* culled primitives */
    for (unsigned i = 0; i < 2; i++) {
        glCullFace(GL_FRONT_AND_BACK);
        (i ? glEnable : glDisable)(GL_RASTERIZER_DISCARD);
        (i ? glDisable : glEnable)(GL_CULL_FACE);
        glBeginQuery(GL_MESH_PRIMITIVES_GENERATED_EXT, query[2]);
        draw(1, 1, 1);
        glEndQuery(GL_MESH_PRIMITIVES_GENERATED_EXT);
        glGetQueryObjectuiv(query[2], GL_QUERY_RESULT, &value);
        assert_int_equal(value, 0);
    }
    glDisable(GL_RASTERIZER_DISCARD);
    glCullFace(GL_BACK);
    for (unsigned i = 0; i < 3; i++) {
        glGetQueryiv(counters[i].target, GL_QUERY_COUNTER_BITS, &bits);
        assert_true(bits >= 32);
        glBeginQueryIndexed(counters[i].target, 1, query[i]);
        expect_error(GL_INVALID_VALUE);
    }
    glDeleteQueries(COUNT, query);
    gl_test_delete_program(p);
}

/* ------------------------------------------------------------------------ separate programs --- */

static void test_pipelines(void **state)
{
    const char *texts[] = {
        ONE "taskPayloadSharedEXT vec4 tint;\n"
            "void main() { tint = vec4(0, 0.5, 0, 0); EmitMeshTasksEXT(1u, 1u, 1u); }\n",
        ONE_TRIANGLE "taskPayloadSharedEXT vec4 tint;\n"
                     "layout(location = 1) out vec4 c[];\n"
                     "layout(location = 0) perprimitiveEXT out vec4 d[];\n"
                     "void main() {\n" COVER "    d[0] = vec4(1, 0, 0, 1);\n"
                     "    for (int i = 0; i < 3; i++) c[i] = tint;\n"
                     "}\n",
        HEAD "layout(location = 1) in vec4 c; layout(location = 0) perprimitiveEXT in vec4 d;\n"
             "out vec4 color; void main() { color = c + d; }\n",
    };
    static const GLenum types[] = {GL_TASK_SHADER_EXT, GL_MESH_SHADER_EXT, GL_FRAGMENT_SHADER};
    static const GLbitfield bits[] = {GL_TASK_SHADER_BIT_EXT, GL_MESH_SHADER_BIT_EXT,
                                      GL_FRAGMENT_SHADER_BIT};
    GLuint pipeline, program[3];
    GLint value;
    glGenProgramPipelines(1, &pipeline);
    for (unsigned i = 0; i < 3; i++) {
        program[i] = glCreateShaderProgramv(types[i], 1, &texts[i]);
        glGetProgramiv(program[i], GL_LINK_STATUS, &value);
        assert_true(value);
        glUseProgramStages(pipeline, bits[i], program[i]);
        glGetProgramPipelineiv(pipeline, types[i], &value);
        assert_int_equal(value, program[i]);
    }
    static const char *const outputs[] = {"c", "d", "gl_MeshPerVertexEXT.gl_Position",
                                          "gl_PrimitiveTriangleIndicesEXT"};
    for (unsigned i = 0; i < 4; i++)
        if (glGetProgramResourceIndex(program[1], GL_PROGRAM_OUTPUT, outputs[i]) ==
            GL_INVALID_INDEX)
            fail_msg("no output %s", outputs[i]);
    glBindProgramPipeline(pipeline);
    draw(1, 1, 1);
    expect(16, 16, 1, 0.5f, 0);
    /* Without the task shader, there is no payload. */
    glUseProgramStages(pipeline, GL_TASK_SHADER_BIT_EXT, 0);
    draw(1, 1, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glUseProgramStages(pipeline, GL_MESH_SHADER_BIT_EXT, 0);
    glDrawMeshTasksEXT(1, 1, 1);
    expect_error(GL_INVALID_OPERATION);
    glUseProgramStages(pipeline, 0x100, 0);
    expect_error(GL_INVALID_VALUE);
    glBindProgramPipeline(0);
    glDeleteProgramPipelines(1, &pipeline);
    for (unsigned i = 0; i < 3; i++)
        glDeleteProgram(program[i]);
    expect_drawing_works();
}

/* ------------------------------------------------------------------------- compiler, linker --- */

static bool compiles(GLenum type, const char *text)
{
    const GLuint shader = glCreateShader(type);
    GLint ok;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    glDeleteShader(shader);
    return ok;
}

static void test_compile_errors(void **state)
{
    const struct {
        GLenum type;
        const char *text;
    } bad[] = {
        {GL_VERTEX_SHADER, HEAD "perprimitiveEXT out vec4 v; void main() {}\n"},
        {GL_COMPUTE_SHADER, ONE "taskPayloadSharedEXT uint u; void main() {}\n"},
        {GL_TASK_SHADER_EXT, ONE "taskPayloadSharedEXT uint u, v; void main() {}\n"},
        {GL_TASK_SHADER_EXT, ONE "taskPayloadSharedEXT uint u;\n"
                                 "taskPayloadSharedEXT uint v; void main() {}\n"},
        {GL_TASK_SHADER_EXT, ONE "taskPayloadSharedEXT uint u[]; void main() { u[3] = 1u; }\n"},
        {GL_TASK_SHADER_EXT, ONE "out vec4 v; void main() {}\n"},
        {GL_TASK_SHADER_EXT, ONE "in vec4 v; void main() {}\n"},
        {GL_TASK_SHADER_EXT, ONE "void main() { SetMeshOutputsEXT(1u, 1u); }\n"},
        {GL_TASK_SHADER_EXT, "#version 450\nlayout(local_size_x = 1) in;\n"
                             "void main() { EmitMeshTasksEXT(1u, 1u, 1u); }\n"},
        {GL_TASK_SHADER_EXT, HEAD "layout(local_size_x = 1000000) in; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "void main() { EmitMeshTasksEXT(1u, 1u, 1u); }\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "in vec4 v; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "out vec4 v; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "out vec4 v[2]; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "perprimitiveEXT out vec4 v[3]; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "flat perprimitiveEXT out vec4 v[]; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "taskPayloadSharedEXT uint u; void main() { u = 1u; }\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "layout(lines) out; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE "layout(max_vertices = 257) out; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "out gl_MeshPerVertexEXT { int gl_PrimitiveID; }\n"
                                          "gl_MeshPrimitivesEXT[]; void main() {}\n"},
        {GL_MESH_SHADER_EXT,
         ONE_TRIANGLE "out gl_MeshPerVertexEXT { vec4 gl_Position; float gl_ClipDistance[8];\n"
                      "float gl_CullDistance[8]; } gl_MeshVerticesEXT[]; void main() {}\n"},
        {GL_FRAGMENT_SHADER, HEAD "in B { perprimitiveEXT float v; } b; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE "layout(max_primitives = 257) out; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE "layout(line_strip) out; void main() {}\n"},
        {GL_MESH_SHADER_EXT, ONE_TRIANGLE "layout(xfb_offset = 0) out vec4 v[]; void main() {}\n"},
        {GL_MESH_SHADER_EXT,
         ONE_TRIANGLE "void main() { gl_MeshVerticesEXT[3].gl_Position = vec4(0); }\n"},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (compiles(bad[i].type, bad[i].text))
            fail_msg("case %u compiles:\n%s", i, bad[i].text);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Returns whether a program with shaders of up to three types links. varying: captured output, or
 * NULL. */
static bool links(bool separable, const char *varying, const GLenum types[3],
                  const char *const texts[3])
{
    const GLuint p = glCreateProgram();
    GLint ok;
    for (unsigned i = 0; i < 3 && types[i]; i++)
        gl_test_attach(p, types[i], texts[i]);
    glProgramParameteri(p, GL_PROGRAM_SEPARABLE, separable);
    if (varying)
        glTransformFeedbackVaryings(p, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glDeleteProgram(p);
    return ok;
}

static void test_link_errors(void **state)
{
    const char *vertex = "#version 450\nvoid main() { gl_Position = vec4(0); }\n";
    const char *geometry =
        "#version 450\nlayout(points) in; layout(points, max_vertices = 1) out;\n"
        "void main() { EmitVertex(); }\n";
    const char *task = ONE "taskPayloadSharedEXT uint u;\n"
                           "void main() { u = 1u; EmitMeshTasksEXT(1u, 1u, 1u); }\n";
    const char *float_mesh = ONE_TRIANGLE "taskPayloadSharedEXT float u; out float v[];\n"
                                          "void main() {\n" COVER "    v[0] = u; }\n";
    const char *reads = HEAD "in float v; out vec4 color; void main() { color = vec4(v); }\n";
    const char *reads_flat =
        HEAD "perprimitiveEXT in float v; out vec4 color; void main() { color = vec4(v); }\n";
    const struct {
        bool links, separable;
        const char *varying;
        GLenum types[3];
        const char *texts[3];
    } cases[] = {
        {true, false, NULL, {GL_MESH_SHADER_EXT}, {COVER_MESH}},
        {true, false, NULL, {GL_MESH_SHADER_EXT, GL_FRAGMENT_SHADER}, {float_mesh, reads}},
        {true, false, NULL, {GL_TASK_SHADER_EXT, GL_MESH_SHADER_EXT}, {task, COVER_MESH}},
        {true, true, NULL, {GL_TASK_SHADER_EXT}, {task}},
        {false, false, NULL, {GL_TASK_SHADER_EXT}, {task}},
        {false, true, NULL, {GL_TASK_SHADER_EXT, GL_FRAGMENT_SHADER}, {task, GREEN}},
        {false, false, NULL, {GL_MESH_SHADER_EXT, GL_VERTEX_SHADER}, {COVER_MESH, vertex}},
        {false, true, NULL, {GL_TASK_SHADER_EXT, GL_VERTEX_SHADER}, {task, vertex}},
        {false, true, NULL, {GL_MESH_SHADER_EXT, GL_GEOMETRY_SHADER}, {COVER_MESH, geometry}},
        {false,
         false,
         NULL,
         {GL_TASK_SHADER_EXT, GL_MESH_SHADER_EXT, GL_FRAGMENT_SHADER},
         {task, float_mesh, reads}}, /* payloads of two types */
        {false, false, NULL, {GL_MESH_SHADER_EXT, GL_FRAGMENT_SHADER}, {float_mesh, reads_flat}},
        {false, false, "gl_Position", {GL_MESH_SHADER_EXT}, {COVER_MESH}},
        {false,
         false,
         NULL,
         {GL_MESH_SHADER_EXT},
         {HEAD "layout(triangles, max_vertices = 3, max_primitives = 1) out; void main() {}\n"}},
        {false,
         false,
         NULL,
         {GL_MESH_SHADER_EXT},
         {ONE "layout(max_vertices = 3, max_primitives = 1) out; void main() {}\n"}},
        {false,
         false,
         NULL,
         {GL_MESH_SHADER_EXT},
         {ONE "layout(points, max_primitives = 1) out; void main() {}\n"}},
        {false,
         false,
         NULL,
         {GL_MESH_SHADER_EXT},
         {ONE "layout(points, max_vertices = 1) out; void main() {}\n"}},
        {false,
         false,
         NULL,
         {GL_MESH_SHADER_EXT},
         {ONE "layout(points, max_vertices = 3, max_primitives = 1) out; void main() {\n" COVER
              "}\n"}}, /* indices of triangles */
        {false,
         false,
         NULL,
         {GL_TASK_SHADER_EXT, GL_MESH_SHADER_EXT},
         {ONE "taskPayloadSharedEXT uint u[5000]; void main() { u[gl_LocalInvocationIndex] = 1u;\n"
              "EmitMeshTasksEXT(1u, 1u, 1u); }\n",
          COVER_MESH}}, /* a payload above 16 KiB */
        {false,
         true,
         NULL,
         {GL_TASK_SHADER_EXT, GL_TASK_SHADER_EXT},
         {task, ONE "taskPayloadSharedEXT uint other; void f() { other = 1u; }\n"}},
        {false,
         true,
         NULL,
         {GL_TASK_SHADER_EXT, GL_TASK_SHADER_EXT},
         {task, ONE "shared uint u; void f() { u = 1u; }\n"}},
        {false,
         false,
         NULL,
         {GL_MESH_SHADER_EXT},
         {ONE_TRIANGLE "layout(location = 0) flat out float a[];\n"
                       "layout(location = 0, component = 1) perprimitiveEXT out float b[];\n"
                       "void main() {\n" COVER "    b[0] = a[0] = 1.0; }\n"}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (links(cases[i].separable, cases[i].varying, cases[i].types, cases[i].texts) !=
            cases[i].links)
            fail_msg("case %u", i);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* ---------------------------------------------------------------------------------- hostile --- */

static const GLuint extremes[] = {4, 255, 256, 257, 65535, 65536, 0x7fffffff, 0x80000000, ~0u};

/* Counts above the declared ones are undefined behavior. The declared ones apply. */
static void test_hostile_counts(void **state)
{
    const char *mesh = ONE_TRIANGLE "uniform uvec2 n;\n"
                                    "void main() {\n" COVER_COUNTS("n.x, n.y") "}\n";
    const GLuint p = use(NULL, mesh, GREEN);
    const GLint n = glGetUniformLocation(p, "n");
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned which = 1; which < 4; which++) {
            glUniform2ui(n, which & 1 ? extremes[i] : 3, which & 2 ? extremes[i] : 1);
            draw(3, 100, 1);
            expect(4, 4, 0, 1, 0);
        }
    }
    glUniform2ui(n, 2, 1); /* the third vertex does not exist */
    draw(1, 1, 1);
    expect(4, 4, 0, 0, 0);
    glUniform2ui(n, 3, 0);
    draw(1, 1, 1);
    expect(4, 4, 0, 0, 0);
    gl_test_delete_program(p);
}

/* Primitives with indices of vertices that don't exist are not drawn. */
static void test_hostile_indices(void **state)
{
    const char *texts[] = {
        ONE "layout(points, max_vertices = 3, max_primitives = 1) out; uniform uint n;\n"
            "void main() { SetMeshOutputsEXT(3u, 1u); gl_MeshPrimitivesEXT[0].gl_Layer = 0;\n"
            "gl_PrimitivePointIndicesEXT[0] = n; }\n",
        ONE
        "layout(lines, max_vertices = 3, max_primitives = 1) out; uniform uint n;\n"
        "void main() { SetMeshOutputsEXT(3u, 1u); gl_PrimitiveLineIndicesEXT[0] = uvec2(0, n);\n"
        "for (int i = 0; i < 3; i++) gl_MeshVerticesEXT[i].gl_Position = vec4(0, 0, 0, 1); }\n",
        ONE_TRIANGLE "uniform uint n;\n"
                     "void main() {\n" COVER "    gl_MeshPrimitivesEXT[0].gl_Layer = 0;\n"
                     "    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, n, 2);\n"
                     "}\n",
        ONE_TRIANGLE "uniform uint n;\n"
                     "void main() {\n" COVER
                     "    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, n);\n"
                     "}\n",
    };
    for (unsigned t = 0; t < 4; t++) {
        const GLuint p = use(NULL, texts[t], GREEN);
        const GLint n = glGetUniformLocation(p, "n");
        for (unsigned i = 0; i < 9; i++) {
            glUniform1ui(n, extremes[i]);
            draw(50, 1, 1);
            expect(16, 16, 0, 0, 0);
        }
        glUniform1ui(n, 3);
        draw(1, 1, 1);
        expect(16, 16, 0, 0, 0);
        gl_test_delete_program(p);
    }
    expect_drawing_works();
}

/* Indices into arrays of outputs and into the payload are out of range. */
static void test_hostile_stores(void **state)
{
    const char *task = ONE "uniform int n; struct P { uint a[4]; vec3 b[2]; };\n"
                           "taskPayloadSharedEXT P p;\n"
                           "void main() { p.a[n] = 0xffffffffu; p.b[n & 0xfffff].z = 3e38;\n"
                           "p.b[-n].x = 1.0; EmitMeshTasksEXT(2u, 1u, 1u); }\n";
    const char *mesh = ONE_TRIANGLE
        "uniform int n; struct P { uint a[4]; vec3 b[2]; }; taskPayloadSharedEXT P p;\n"
        "out vec4 v[][2]; perprimitiveEXT out uint w[];\n"
        "void main() {\n" COVER "    gl_MeshVerticesEXT[n].gl_Position.x += p.b[n].y;\n"
        "    gl_MeshVerticesEXT[n].gl_PointSize = 3e38;\n"
        "    gl_MeshVerticesEXT[1].gl_ClipDistance[n] = -1.0;\n"
        "    v[n][n] = vec4(p.a[n]); w[n] = p.a[n];\n"
        "    gl_PrimitiveTriangleIndicesEXT[n] = uvec3(n);\n"
        "    gl_MeshPrimitivesEXT[n].gl_Layer = n;\n"
        "    gl_MeshPrimitivesEXT[n].gl_ViewportIndex = n;\n"
        "    gl_MeshPrimitivesEXT[n].gl_PrimitiveID = n;\n"
        "}\n";
    const char *fragment = HEAD "in vec4 v[2]; perprimitiveEXT in uint w; out vec4 color;\n"
                                "void main() { color = v[1] + float(w); }\n";
    const GLuint p = use(task, mesh, fragment);
    const GLint n = glGetUniformLocation(p, "n");
    for (unsigned i = 0; i < 9; i++) {
        glUniform1i(n, (GLint)extremes[i]);
        glDrawMeshTasksEXT(70, 2, 1);
        assert_int_equal(glGetError(), GL_NO_ERROR);
    }
    gl_test_delete_program(p);
    expect_drawing_works();
}

/* Task shaders that launch more than the limits launch nothing. */
static void test_hostile_tasks(void **state)
{
    static const GLuint launched[][3] = {
        {65536, 1, 1},  {1, 65536, 1}, {1, 1, ~0u}, {65535, 65535, 65535},
        {65535, 65, 1}, {~0u, 0, 1},   {0, 1, 1},   {1, 0, 1},
        {1, 1, 0},
    };
    const char *task = ONE "uniform uvec3 n; void main() { EmitMeshTasksEXT(n.x, n.y, n.z); }\n";
    /* does not launch anything */
    const char *idle = ONE "uniform uvec3 n; void main() { if (n.x == 77u)\n"
                           "EmitMeshTasksEXT(1u, 1u, 1u); }\n";
    GLuint p = use(task, COVER_MESH, GREEN);
    const GLint n = glGetUniformLocation(p, "n");
    for (unsigned i = 0; i < sizeof launched / sizeof launched[0]; i++) {
        glUniform3uiv(n, 1, launched[i]);
        draw(2, 2, 2);
        expect(16, 16, 0, 0, 0);
    }
    glUniform3ui(n, 2, 1, 1);
    draw(1, 1, 1);
    expect(16, 16, 0, 1, 0);
    gl_test_delete_program(p);
    p = use(idle, COVER_MESH, GREEN);
    draw(1, 1, 1);
    expect(16, 16, 0, 0, 0);
    gl_test_delete_program(p);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, gl_test_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_picture),
        TEST(test_points_and_lines),
        TEST(test_order),
        TEST(test_large),
        TEST(test_primitive_outputs),
        TEST(test_distances),
        TEST(test_output_types),
        TEST(test_components),
        TEST(test_task_end),
        TEST(test_values),
        TEST(test_resources),
        TEST(test_compute_between),
        TEST(test_indirect),
        TEST(test_lists_and_conditions),
        TEST(test_command_errors),
        TEST(test_limits),
        TEST(test_program_interface),
        TEST(test_statistics),
        TEST(test_pipelines),
        TEST(test_compile_errors),
        TEST(test_link_errors),
        TEST(test_hostile_counts),
        TEST(test_hostile_indices),
        TEST(test_hostile_stores),
        TEST(test_hostile_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
