/* SPDX-License-Identifier: MIT */
/* Programs that demand too much of the shader stages: they are harmless, end soon, and other
 * contexts keep working. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test_reset.h"

#define SIZE 32

static const struct gl_test_window window = {SIZE, SIZE};
static struct gl_context *context;

static int setup(void **state)
{
    return gl_test_setup_robust(state, &context, &window);
}

static int teardown(void **state)
{
    return gl_test_teardown((void **)&context);
}

#define HEAD "#version 430 compatibility\n"

static const char plain_vs[] = HEAD "void main() { gl_Position = gl_Vertex; }\n";
static const char green_fs[] = HEAD "void main() { gl_FragColor = vec4(0, 1, 0, 1); }\n";

/* Uses a program with these control, evaluation and geometry shaders (NULL: none). */
static GLuint use_program(const char *tcs, const char *tes, const char *gs)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, plain_vs);
    gl_test_attach(p, GL_TESS_CONTROL_SHADER, tcs);
    gl_test_attach(p, GL_TESS_EVALUATION_SHADER, tes);
    gl_test_attach(p, GL_GEOMETRY_SHADER, gs);
    gl_test_attach(p, GL_FRAGMENT_SHADER, green_fs);
    gl_test_use(p);
    return p;
}

static GLuint use_compute(const char *text)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_use(p);
    return p;
}

/* Draws three vertices at the same position. */
static void draw(GLenum mode)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(mode);
    for (unsigned i = 0; i < 3; i++)
        glVertex2f(0, 0);
    glEnd();
    glFinish();
}

/* Checks that the context is lost, and deletes it with its programs. */
static void expect_reset(void)
{
    assert_int_equal(glGetGraphicsResetStatus(), GL_GUILTY_CONTEXT_RESET);
    gl_test_replace_context(&context);
}

/* Checks that a rectangle is still drawn. */
static void expect_drawing_works(void)
{
    GLuint p = use_program(NULL, NULL, NULL);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    expect(SIZE / 2, SIZE / 2, 0, 1, 0);
    assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
    gl_test_delete_program(p);
}

#define POINT_TES "layout(quads, point_mode) in; uniform int n; "

/* Runs an endless loop in each stage; n is 0, which the text doesn't show. */
static void test_endless_stages(void **state)
{
    static const char control[] =
        HEAD "layout(vertices = 3) out; uniform int n; patch out float x; void main() {\n"
             "float f = 0.5; while (n == 0) { f += 0.5; %s } x = f;\n"
             "gl_TessLevelOuter = float[4](1, 1, 1, 1); gl_TessLevelInner = float[2](1, 1); }\n";
    static const char *const control_bodies[] = {"", "barrier();"};
    static const char evaluation[] =
        HEAD POINT_TES "void main() { float f = 0.5; while (n == 0) f += gl_TessCoord.x;\n"
                       "gl_Position = vec4(f); }\n";
    static const char fixed_evaluation[] = HEAD "layout(quads, point_mode) in; patch in float x;\n"
                                                "void main() { gl_Position = vec4(x); }\n";
    static const char *const geometry[] = {
        HEAD "layout(points) in; layout(points, max_vertices = 1) out; uniform int n;\n"
             "void main() { gl_Position = vec4(0); while (n == 0) gl_Position.x += 0.5;\n"
             "EmitVertex(); }\n",
        HEAD "layout(points) in; layout(points, max_vertices = 256) out; uniform int n;\n"
             "void main() { while (n == 0) { gl_Position = vec4(0, 0, 0, 1); EmitVertex(); } }\n",
        HEAD "layout(points) in; layout(triangle_strip, max_vertices = 256) out; uniform int n;\n"
             "void main() { while (n == 0) { gl_Position = vec4(0, 0, 0, 1); EmitVertex();\n"
             "EndPrimitive(); } }\n",
    };
    char text[1000];
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        /* A barrier in a loop is an error (GLSL 4.60 §8.16). */
        snprintf(text, sizeof text, control, control_bodies[i]);
        if (i) {
            GLint ok;
            GLuint shader = glCreateShader(GL_TESS_CONTROL_SHADER);
            glShaderSource(shader, 1, &(const char *){text}, NULL);
            glCompileShader(shader);
            glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
            assert_false(ok);
            glDeleteShader(shader);
            continue;
        }
        use_program(text, fixed_evaluation, NULL);
        draw(GL_PATCHES);
        expect_reset();
        expect_drawing_works();
    }
    use_program(NULL, evaluation, NULL);
    draw(GL_PATCHES);
    expect_reset();
    expect_drawing_works();
    for (unsigned i = 0; i < sizeof geometry / sizeof *geometry; i++) {
        use_program(NULL, NULL, geometry[i]);
        draw(GL_POINTS);
        expect_reset();
        expect_drawing_works();
    }
}

/* Checks levels that are NaN, infinite, negative or huge, with as many patches as vertices. */
static void test_levels(void **state)
{
    static const char *const levels[] = {"0.0 / zero", "1.0 / zero", "-1.0 / zero", "1e30",
                                         "-5.0",       "zero",       "1e-40"};
    static const char *const spacings[] = {"equal_spacing", "fractional_even_spacing",
                                           "fractional_odd_spacing"};
    static const char *const domains[] = {"triangles", "quads", "isolines"};
    (void)state;
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    for (unsigned i = 0; i < 7 * 9; i++) {
        char tcs[600], tes[300];
        snprintf(tcs, sizeof tcs,
                 HEAD "layout(vertices = 1) out; uniform float zero; void main() {\n"
                      "float l = %s; gl_TessLevelOuter = float[4](l, 2.0, l, 3.0);\n"
                      "gl_TessLevelInner = float[2](l, 2.0); }\n",
                 levels[i % 7]);
        snprintf(tes, sizeof tes,
                 HEAD "layout(%s, %s) in; void main() { gl_Position = "
                      "vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1); }\n",
                 domains[i / 7 % 3], spacings[i / 21]);
        GLuint p = use_program(tcs, tes, NULL);
        draw(GL_PATCHES);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        gl_test_delete_program(p);
    }
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    expect_drawing_works();
}

/* Checks patches with the maximum number of vertices and components. */
static void test_large_patches(void **state)
{
    GLint most;
    (void)state;
    glGetIntegerv(GL_MAX_PATCH_VERTICES, &most);
    glPatchParameteri(GL_PATCH_VERTICES, most);
    GLuint p = use_program(
        HEAD "layout(vertices = 32) out; out vec4 v[][20]; patch out vec4 w[20]; void main() {\n"
             "for (int i = 0; i < 20; i++) { v[gl_InvocationID][i] = vec4(i);\n"
             "w[i] = gl_in[gl_PatchVerticesIn - 1].gl_Position; }\n"
             "gl_TessLevelOuter = float[4](64, 64, 64, 64); gl_TessLevelInner = float[2](64, 64); "
             "}\n",
        HEAD "layout(quads) in; in vec4 v[][20]; patch in vec4 w[20]; void main() {\n"
             "int i = int(gl_TessCoord.x * 19.0);\n"
             "gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1) + (v[31][i] - float(i)) + w[i] "
             "* 0.0; }\n",
        NULL);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_PATCHES);
    for (int i = 0; i < 3 * most + most / 2; i++)
        glVertex2f(0, 0);
    glEnd();
    expect(SIZE / 2, SIZE / 2, 0, 1, 0);
    gl_test_delete_program(p);
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    expect_drawing_works();
}

/* Checks that indirect counts above the limits, which are undefined (GL 4.6 §19), do nothing. */
static void test_indirect_counts(void **state)
{
    static const GLuint counts[][3] = {
        {~0u, 1, 1},   {1, ~0u, 1},     {1, 1, 0x80000000},     {65536, 1, 1},
        {0, ~0u, ~0u}, {~0u, ~0u, ~0u}, {0x10001, 65535, 65535}};
    GLuint buffer[2], value;
    (void)state;
    GLuint p = use_compute("#version 430\nlayout(local_size_x = 1) in;\n"
                           "layout(std430, binding = 0) buffer B { uint data; };\n"
                           "void main() { atomicAdd(data, 1u); }\n");
    glGenBuffers(2, buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer[0]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 4, &(GLuint){7}, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer[1]);
    glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof counts, counts, GL_STATIC_DRAW);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        glDispatchComputeIndirect(i * 12);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDispatchComputeIndirect(sizeof counts - 8);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDispatchComputeIndirect(INTPTR_MAX & ~3l);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDispatchComputeIndirect(INTPTR_MIN);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 4, &value);
    assert_int_equal(value, 7);
    /* Also without a buffer for the counter. */
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    glDispatchCompute(65535, 1, 1);
    glFinish();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteBuffers(2, buffer);
    gl_test_delete_program(p);
    expect_drawing_works();
}

/* Dispatches the maximum number of workgroups of shaders that do nothing; these take no time. */
static void test_many_groups(void **state)
{
    static const char *const bodies[] = {
        "",
        "uint x = gl_GlobalInvocationID.x * 3u; s[gl_LocalInvocationIndex] = x; barrier();\n",
        "for (uint i = 0u; i < data[0]; i++) barrier();\n",
    };
    GLint most[3];
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &most[i]);
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "#version 430\nlayout(local_size_x = 64) in; shared uint s[64];\n"
                 "layout(std430, binding = 0) readonly buffer B { uint data[]; };\n"
                 "void main() { %s }\n",
                 bodies[i]);
        GLuint p = use_compute(text);
        glDispatchCompute(most[0], most[1], most[2]);
        glFinish();
        assert_int_equal(glGetError(), GL_NO_ERROR);
        assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
        gl_test_delete_program(p);
    }
    expect_drawing_works();
}

/* Checks programs over the limits, which fail to compile or link. */
static void test_beyond_limits(void **state)
{
    static const char *const texts[] = {
        "layout(local_size_x = 1) in; shared uint s[%d]; void main() { s[0] = 1u; }",
        "layout(local_size_x = 1) in; shared uvec4 s[0x40000000], t[0x40000000 + %d * 0];\n"
        "void main() { s[0] = t[1]; }",
        "layout(local_size_x = 1) in; shared struct { uint a[0x10000]; dvec4 b[0x10000]; } s[%d];\n"
        "void main() { s[0].a[0] = 1u; }",
        "layout(local_size_x = %d) in; void main() {}",
        "layout(local_size_x = 1024, local_size_y = 1024, local_size_z = 64 + %d * 0) in;\n"
        "void main() {}",
        "layout(local_size_x = 0 * %d) in; void main() {}",
    };
    GLint most, ok, compiled;
    (void)state;
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &most);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[400];
        int head = snprintf(text, sizeof text, "#version 430\n");
        snprintf(text + head, sizeof text - head, texts[i], most / 4 + 1);
        GLuint p = glCreateProgram(), shader = glCreateShader(GL_COMPUTE_SHADER);
        glShaderSource(shader, 1, &(const char *){text}, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
        glAttachShader(p, shader);
        glLinkProgram(p);
        glGetProgramiv(p, GL_LINK_STATUS, &ok);
        if (ok)
            fail_msg("linked: %s", text);
        glUseProgram(p);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
        glDispatchCompute(1, 1, 1);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
        glDeleteShader(shader);
        glDeleteProgram(p);
    }
    /* The maximum that is allowed. */
    char text[400];
    snprintf(text, sizeof text,
             "#version 430\nlayout(local_size_x = 1024) in; shared uint s[%d];\n"
             "layout(std430, binding = 0) buffer B { uint data[]; };\n"
             "void main() { s[s.length() - 1u - gl_LocalInvocationIndex] = 1u; barrier();\n"
             "data[0] = s[0]; }\n",
             most / 4);
    GLuint p = use_compute(text);
    glDispatchCompute(3, 1, 1);
    glFinish();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(p);
    expect_drawing_works();
}

#ifndef GL_EXT_mesh_shader
#define GL_MESH_SHADER_EXT 0x9559
#define GL_TASK_SHADER_EXT 0x955A
GLAPI void APIENTRY glDrawMeshTasksEXT(GLuint x, GLuint y, GLuint z);
#endif

/* Draws by mesh shaders that never end, and by task shaders that launch so many that they would run
 * for years. */
static void test_meshes(void **state)
{
    static const char mesh_head[] = "#version 450\n#extension GL_EXT_mesh_shader : require\n"
                                    "layout(local_size_x = 1) in; uniform int n;\n";
    static const char *const tasks[] = {
        NULL,
        "void main() { EmitMeshTasksEXT(65535u, 64u, 1u); }\n",
        "void main() { float f = 0.5; while (n == 0) f += 0.5;\n"
        "EmitMeshTasksEXT(uint(f), 1u, 1u); }\n",
    };
    static const char *const meshes[] = {
        ("void main() { SetMeshOutputsEXT(1u, 1u); float f = 0.5; while (n == 0) f += 0.5;\n"
         "gl_MeshVerticesEXT[0].gl_Position = vec4(f); }\n"),
        "void main() { SetMeshOutputsEXT(0u, 0u); }\n",
        "void main() { SetMeshOutputsEXT(0u, 0u); }\n",
    };
    (void)state;
    if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_mesh_shader"))
        skip();
    for (unsigned i = 0; i < 3; i++) {
        char task[500], mesh[500];
        snprintf(task, sizeof task, "%s%s", mesh_head, tasks[i] ? tasks[i] : "");
        snprintf(mesh, sizeof mesh, "%s%s%s", mesh_head,
                 "layout(points, max_vertices = 1, max_primitives = 1) out;\n", meshes[i]);
        const GLuint p = glCreateProgram();
        gl_test_attach(p, GL_TASK_SHADER_EXT, tasks[i] ? task : NULL);
        gl_test_attach(p, GL_MESH_SHADER_EXT, mesh);
        gl_test_attach(p, GL_FRAGMENT_SHADER, green_fs);
        gl_test_use(p);
        glDrawMeshTasksEXT(65535, 64, 1);
        glFinish();
        expect_reset();
        expect_drawing_works();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endless_stages), cmocka_unit_test(test_levels),
        cmocka_unit_test(test_large_patches),  cmocka_unit_test(test_indirect_counts),
        cmocka_unit_test(test_many_groups),    cmocka_unit_test(test_beyond_limits),
        cmocka_unit_test(test_meshes),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
