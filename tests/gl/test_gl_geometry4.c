/* SPDX-License-Identifier: MIT */
/* ARB_geometry_shader4: geometry shaders of GLSL 1.20, whose primitive types are parameters of the
 * program. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 32 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    const int result = gl_test_setup(state, GL_API_COMPAT, &window);
    if (!result && !strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_geometry_shader4"))
        exit(77); /* skipped */
    return result;
}

#define HEADER "#version 120\n#extension GL_ARB_geometry_shader4: require\n"

static const char vertex_text[] = "#version 120\n"
                                  "varying vec4 color;\n"
                                  "varying float parts[2];\n"
                                  "void main() {\n"
                                  "    gl_Position = gl_Vertex;\n"
                                  "    gl_FrontColor = gl_Color;\n"
                                  "    gl_TexCoord[1] = gl_MultiTexCoord1;\n"
                                  "    color = vec4(0.0, gl_Vertex.x * 0.5 + 0.5, 0.0, 1.0);\n"
                                  "    parts[0] = 0.25; parts[1] = gl_Vertex.y;\n"
                                  "}\n";
static const char fragment_text[] = "#version 120\n"
                                    "varying vec4 result;\n"
                                    "void main() { gl_FragColor = result; }\n";

static GLint get(GLuint program, GLenum pname)
{
    GLint value = -1;
    glGetProgramiv(program, pname, &value);
    return value;
}

static void set(GLuint program, GLenum input, GLenum output, GLint vertices)
{
    glProgramParameteriARB(program, GL_GEOMETRY_INPUT_TYPE_ARB, (GLint)input);
    glProgramParameteriARB(program, GL_GEOMETRY_OUTPUT_TYPE_ARB, (GLint)output);
    glProgramParameteriARB(program, GL_GEOMETRY_VERTICES_OUT_ARB, vertices);
}

static GLuint make(const char *geometry)
{
    const GLuint program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER, vertex_text);
    gl_test_attach(program, GL_GEOMETRY_SHADER_ARB, geometry);
    gl_test_attach(program, GL_FRAGMENT_SHADER, fragment_text);
    return program;
}

static bool links(GLuint program)
{
    glLinkProgram(program);
    return get(program, GL_LINK_STATUS);
}

/* Copies the input vertices. */
static const char copy_text[] = HEADER "varying in vec4 color[];\n"
                                       "varying out vec4 result;\n"
                                       "void main() {\n"
                                       "    for (int i = 0; i < gl_VerticesIn; i++) {\n"
                                       "        gl_Position = gl_PositionIn[i];\n"
                                       "        result = gl_FrontColorIn[i] + 0.0 * color[i];\n"
                                       "        EmitVertex();\n"
                                       "    }\n"
                                       "    EndPrimitive();\n"
                                       "}\n";

static void test_parameters(void **state)
{
    const GLuint program = glCreateProgram();
    GLint most;
    assert_int_equal(get(program, GL_GEOMETRY_INPUT_TYPE_ARB), GL_TRIANGLES);
    assert_int_equal(get(program, GL_GEOMETRY_OUTPUT_TYPE_ARB), GL_TRIANGLE_STRIP);
    assert_int_equal(get(program, GL_GEOMETRY_VERTICES_OUT_ARB), 0);
    static const GLenum inputs[] = {GL_POINTS, GL_LINES, GL_LINES_ADJACENCY_ARB, GL_TRIANGLES,
                                    GL_TRIANGLES_ADJACENCY_ARB};
    static const GLenum outputs[] = {GL_POINTS, GL_LINE_STRIP, GL_TRIANGLE_STRIP};
    for (unsigned i = 0; i < 5; i++) {
        glProgramParameteriARB(program, GL_GEOMETRY_INPUT_TYPE_ARB, (GLint)inputs[i]);
        assert_int_equal(get(program, GL_GEOMETRY_INPUT_TYPE_ARB), inputs[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        glProgramParameteriARB(program, GL_GEOMETRY_OUTPUT_TYPE_ARB, (GLint)outputs[i]);
        assert_int_equal(get(program, GL_GEOMETRY_OUTPUT_TYPE_ARB), outputs[i]);
    }
    static const struct {
        GLenum pname;
        GLint least;
    } limits[] = {{GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS_ARB, 0},
                  {GL_MAX_GEOMETRY_OUTPUT_VERTICES_ARB, 256},
                  {GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS_ARB, 1024},
                  {GL_MAX_GEOMETRY_UNIFORM_COMPONENTS_ARB, 512},
                  {GL_MAX_GEOMETRY_VARYING_COMPONENTS_ARB, 32},
                  {GL_MAX_VERTEX_VARYING_COMPONENTS_ARB, 32}};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        GLint value = -1;
        glGetIntegerv(limits[i].pname, &value);
        assert_in_range(value, limits[i].least, 1 << 20);
    }
    glGetIntegerv(GL_MAX_GEOMETRY_OUTPUT_VERTICES_ARB, &most);
    glProgramParameteriARB(program, GL_GEOMETRY_VERTICES_OUT_ARB, most);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glProgramParameteriARB(program, GL_GEOMETRY_VERTICES_OUT_ARB, most + 1);
    expect_error(GL_INVALID_VALUE);
    glProgramParameteriARB(program, GL_GEOMETRY_VERTICES_OUT_ARB, -1);
    expect_error(GL_INVALID_VALUE);
    glProgramParameteriARB(program, GL_GEOMETRY_INPUT_TYPE_ARB, GL_LINE_STRIP);
    expect_error(GL_INVALID_VALUE);
    glProgramParameteriARB(program, GL_GEOMETRY_OUTPUT_TYPE_ARB, GL_TRIANGLES);
    expect_error(GL_INVALID_VALUE);
    assert_int_equal(get(program, GL_GEOMETRY_VERTICES_OUT_ARB), most);
    assert_int_equal(get(program, GL_GEOMETRY_INPUT_TYPE_ARB), GL_TRIANGLES_ADJACENCY_ARB);
    glDeleteProgram(program);
}

static void test_linking(void **state)
{
    GLuint program = make(copy_text);
    assert_false(links(program)); /* GL_GEOMETRY_VERTICES_OUT is 0 */
    set(program, GL_TRIANGLES, GL_TRIANGLE_STRIP, 3);
    assert_true(links(program));
    glDeleteProgram(program);
    /* sizes */
    static const char sized[] = HEADER "varying in vec4 color[3];\n"
                                       "varying in float parts[gl_VerticesIn][2];\n"
                                       "varying out vec4 result;\n"
                                       "void main() { result = color[2] * parts[1][1];\n"
                                       "    gl_Position = gl_PositionIn[0]; EmitVertex(); }\n";
    program = make(sized);
    set(program, GL_TRIANGLES, GL_POINTS, 1);
    assert_true(links(program));
    set(program, GL_LINES, GL_POINTS, 1);
    assert_false(links(program));
    set(program, GL_TRIANGLES_ADJACENCY_ARB, GL_POINTS, 1);
    assert_false(links(program));
    glDeleteProgram(program);
    /* indices */
    static const char indexed[] = HEADER "varying out vec4 result;\n"
                                         "void main() { result = vec4(1.0);\n"
                                         "    gl_Position = gl_PositionIn[3]; EmitVertex(); }\n";
    program = make(indexed);
    set(program, GL_LINES_ADJACENCY_ARB, GL_POINTS, 1);
    assert_true(links(program));
    set(program, GL_TRIANGLES, GL_POINTS, 1);
    assert_false(links(program));
    char log[1000];
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    assert_non_null(strstr(log, "0:5(")); /* the line and column of the index */
    assert_non_null(strstr(log, "error"));
    set(program, GL_TRIANGLES_ADJACENCY_ARB, GL_POINTS, 1);
    assert_true(links(program)); /* after the failure */
    glDeleteProgram(program);
    static const char *const never[] = {
        HEADER "void main() { gl_Position = gl_PositionIn[6]; EmitVertex(); }\n",
        HEADER "void main() { gl_Position = gl_PositionIn[-1]; EmitVertex(); }\n",
    };
    for (unsigned i = 0; i < sizeof never / sizeof *never; i++) {
        program = make(never[i]);
        set(program, GL_TRIANGLES_ADJACENCY_ARB, GL_POINTS, 1);
        assert_false(links(program));
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        assert_non_null(strstr(log, "is out of range for type vec4[6]"));
        glDeleteProgram(program);
    }
    /* the vertex shader need not write the position */
    program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER,
                   "#version 120\nvarying vec4 color;\nvoid main() { color = gl_Vertex; }\n");
    gl_test_attach(program, GL_GEOMETRY_SHADER_ARB,
                   HEADER "varying in vec4 color[];\n"
                          "void main() { gl_Position = color[0]; EmitVertex(); }\n");
    set(program, GL_LINES, GL_POINTS, 1);
    assert_true(links(program));
    glDeleteProgram(program);
    /* a geometry shader needs a vertex shader */
    program = glCreateProgram();
    gl_test_attach(program, GL_GEOMETRY_SHADER_ARB, copy_text);
    set(program, GL_TRIANGLES, GL_TRIANGLE_STRIP, 3);
    assert_false(links(program));
    glDeleteProgram(program);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

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

/* GLSL 1.50: parameters replace layout qualifiers that the shader lacks. */
static void test_layouts(void **state)
{
    static const char vs[] = "#version 150\nin vec4 p;\nvoid main() { gl_Position = p; }";
#define BODY "void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }"
#define V150 "#version 150\n#extension GL_ARB_geometry_shader4: enable\n"
    static const struct {
        const char *text;
        GLenum input, output; /* input 0: doesn't link */
        GLint vertices;
    } rows[] = {
        {V150 BODY, GL_LINES, GL_POINTS, 2},
        {V150 "layout(triangles) in;\n" BODY, GL_TRIANGLES, GL_POINTS, 2},
        {V150 "layout(line_strip) out;\n" BODY, GL_LINES, GL_LINE_STRIP, 2},
        {V150 "layout(max_vertices = 5) out;\n" BODY, GL_LINES, GL_POINTS, 5},
        {"#version 150\n" BODY, 0, 0, 0},
        {"#version 150\nlayout(lines) in; layout(points) out;\n" BODY, 0, 0, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const GLuint program = glCreateProgram();
        gl_test_attach(program, GL_VERTEX_SHADER, vs);
        gl_test_attach(program, GL_GEOMETRY_SHADER_ARB, rows[i].text);
        set(program, GL_LINES, GL_POINTS, 2);
        assert_int_equal(links(program), rows[i].input != 0);
        if (rows[i].input) {
            assert_int_equal(get(program, GL_GEOMETRY_INPUT_TYPE), rows[i].input);
            assert_int_equal(get(program, GL_GEOMETRY_OUTPUT_TYPE), rows[i].output);
            assert_int_equal(get(program, GL_GEOMETRY_VERTICES_OUT), rows[i].vertices);
            assert_int_equal(get(program, GL_GEOMETRY_INPUT_TYPE_ARB), GL_LINES);
        }
        set(program, GL_LINES, GL_POINTS, 0);
        assert_int_equal(links(program), rows[i].vertices == 5);
        glDeleteProgram(program);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Linking needs no named string that was included. */
static void test_includes(void **state)
{
    static const char text[] = HEADER "#extension GL_ARB_shading_language_include: require\n"
                                      "varying out vec4 result;\n"
                                      "void main() {\n"
                                      "    gl_Position = gl_PositionIn[0];\n"
                                      "    result =\n"
                                      "#include </color>\n"
                                      "    EmitVertex();\n"
                                      "}\n";
    glNamedStringARB(GL_SHADER_INCLUDE_ARB, -1, "/color", -1,
                     "gl_FrontColorIn[gl_VerticesIn - 1];\n");
    const GLuint program = make(text);
    glDeleteNamedStringARB(-1, "/color");
    set(program, GL_LINES, GL_POINTS, 1);
    assert_true(links(program));
    glDeleteProgram(program);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_compiling(void **state)
{
    /* valid for at least one primitive */
    assert_true(compiles(GL_GEOMETRY_SHADER,
                         HEADER "varying in vec4 a[];\n"
                                "void main() {\n"
                                "    for (int i = 0; i < gl_VerticesIn; i++) {\n"
                                "        gl_Position = a[i];\n"
                                "        EmitVertex();\n"
                                "    }\n"
                                "}"));
    assert_true(compiles(GL_GEOMETRY_SHADER,
                         HEADER "varying in vec4 a[3];\n"
                                "void main() { gl_Position = a[gl_VerticesIn - 1]; }"));
    assert_true(compiles(GL_GEOMETRY_SHADER,
                         HEADER "varying in float a[1], b[gl_VerticesIn];\nvoid main() {}"));
    assert_false(
        compiles(GL_GEOMETRY_SHADER, HEADER "varying in float a[3], b[2];\nvoid main() {}"));
    assert_false(compiles(GL_GEOMETRY_SHADER, HEADER "varying in float a[5];\nvoid main() {}"));
    assert_true(compiles(GL_GEOMETRY_SHADER, HEADER "varying in float a[][5];\nvoid main() {}"));
    assert_true(compiles(GL_GEOMETRY_SHADER,
                         "#extension GL_ARB_geometry_shader4: enable\n"
                         "void main() { gl_Position = gl_PositionIn[gl_VerticesIn - 1]; }"));
    assert_false(compiles(GL_GEOMETRY_SHADER, HEADER "varying in float a;\nvoid main() {}"));
    assert_false(compiles(GL_GEOMETRY_SHADER,
                          "#version 120\nvoid main() { gl_Position = gl_PositionIn[0]; }"));
    /* an index that no primitive has is an error when the program is linked */
    assert_true(
        compiles(GL_GEOMETRY_SHADER, HEADER "void main() { gl_Position = gl_PositionIn[6]; }"));
    assert_true(
        compiles(GL_GEOMETRY_SHADER, HEADER "void main() { gl_Position = gl_PositionIn[-1]; }"));
    assert_true(compiles(GL_GEOMETRY_SHADER,
                         HEADER "varying in float a[][5];\n"
                                "void main() { gl_Position = vec4(a[7][4]); }"));
    assert_false(compiles(GL_GEOMETRY_SHADER,
                          HEADER "varying in float a[][5];\n"
                                 "void main() { gl_Position = vec4(a[7][4] + a[0][5]); }"));
    /* a literal size leaves one number of vertices, which constant indices are checked against */
    assert_false(compiles(GL_GEOMETRY_SHADER,
                          HEADER "varying in float a[3][4];\n"
                                 "void main() { gl_Position = vec4(a[3][0]); }"));
    assert_true(compiles(GL_GEOMETRY_SHADER,
                         HEADER "varying in float a[3][4];\n"
                                "void main() { gl_Position = vec4(a[2][0]); }"));
    assert_false(compiles(GL_GEOMETRY_SHADER,
                          HEADER "void main() { float a[2]; gl_Position = vec4(a[2]); }"));
    assert_false(compiles(GL_GEOMETRY_SHADER,
                          HEADER "void main() { gl_Position = gl_PositionIn[6] + undeclared; }"));
    assert_false(compiles(GL_GEOMETRY_SHADER, HEADER "void main() { gl_VerticesIn = 3; }"));
    assert_false(compiles(GL_VERTEX_SHADER, HEADER "varying out float a;\nvoid main() {}"));
    assert_false(compiles(GL_FRAGMENT_SHADER, HEADER "varying in float a;\nvoid main() {}"));
}

static void draw(GLenum mode, const float (*at)[2], unsigned count)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(mode);
    for (unsigned i = 0; i < count; i++) {
        glColor3f((float)(i + 1) / 8, 1, 0);
        glMultiTexCoord4f(GL_TEXTURE1, 0, 0, (float)i / 4, 1);
        glVertex2f(at[i][0], at[i][1]);
    }
    glEnd();
}

static const float square[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, 0}, {0.5f, 0.5f}};

static void test_drawing(void **state)
{
    GLuint program = make(copy_text);
    set(program, GL_TRIANGLES, GL_TRIANGLE_STRIP, 3);
    gl_test_use(program);
    glShadeModel(GL_SMOOTH);
    draw(GL_TRIANGLE_FAN, square, 4);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    uint8_t p[4];
    glReadPixels(16, 16, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    assert_int_equal(p[1], 255);
    draw(GL_POINTS, square, 4);
    expect_error(GL_INVALID_OPERATION);
    draw(GL_LINES, square, 4);
    expect_error(GL_INVALID_OPERATION);
    /* the new type has an effect when the program is linked */
    set(program, GL_POINTS, GL_POINTS, 1);
    draw(GL_TRIANGLES, square, 3);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_use(program);
    draw(GL_POINTS, square + 4, 1);
    expect(16, 16, 1 / 8.0f, 1, 0);
    gl_test_delete_program(program);
    /* points at all vertices of other primitives, with values of the last one */
    static const char last[] =
        HEADER "varying in vec4 color[gl_VerticesIn];\n"
               "varying in float parts[][2];\n"
               "varying out vec4 result;\n"
               "void main() {\n"
               "    gl_Position = vec4(0.5, 0.5, 0.0, 1.0);\n"
               "    result = vec4(float(gl_VerticesIn) / 8.0,\n"
               "                  gl_TexCoordIn[gl_VerticesIn - 1][1].z + 0.0 * color[0].x,\n"
               "                  parts[gl_VerticesIn - 1][0], 1.0);\n"
               "    EmitVertex();\n"
               "}\n";
    static const struct {
        GLenum input, mode;
        unsigned vertices;
    } rows[] = {{GL_POINTS, GL_POINTS, 1},
                {GL_LINES, GL_LINES, 2},
                {GL_TRIANGLES, GL_TRIANGLES, 3},
                {GL_LINES_ADJACENCY_ARB, GL_LINES_ADJACENCY_ARB, 4},
                {GL_TRIANGLES_ADJACENCY_ARB, GL_TRIANGLES_ADJACENCY_ARB, 6}};
    program = make(last);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        set(program, rows[i].input, GL_POINTS, 1);
        gl_test_use(program);
        draw(rows[i].mode, square, rows[i].vertices);
        const float z = (float)(rows[i].vertices - 1) / 4;
        expect(24, 24, (float)rows[i].vertices / 8, z > 1 ? 1 : z, 0.25f);
    }
    gl_test_delete_program(program);
}

/* Only varying variables count as output components of all vertices; the position and the point
 * size don't. */
static void test_components(void **state)
{
    static const char geometry[] =
        HEADER "uniform int count;\n"
               "varying out vec4 all[32];\n"
               "void main() {\n"
               "    for (int i = 0; i < count; i++) {\n"
               "        for (int k = 0; k < 32; k++)\n"
               "            all[k] = vec4(float(i), float(count), float(k), 8.0) / 32.0;\n"
               "        gl_Position = vec4(float(i) / 8.0 + 0.01, 0.5, 0.0, 1.0);\n"
               "        gl_PointSize = 1.0;\n"
               "        EmitVertex();\n"
               "    }\n"
               "}\n";
    static const char fragment[] = "#version 120\n"
                                   "varying vec4 all[32];\n"
                                   "uniform int element;\n"
                                   "void main() { gl_FragColor = all[element]; }\n";
    GLint total, each;
    glGetIntegerv(GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS_ARB, &total);
    glGetIntegerv(GL_MAX_GEOMETRY_VARYING_COMPONENTS_ARB, &each);
    assert_in_range(each, 128, 1 << 20);
    const GLuint program = glCreateProgram();
    const GLint most = total / 128;
    gl_test_attach(program, GL_VERTEX_SHADER, vertex_text);
    gl_test_attach(program, GL_GEOMETRY_SHADER_ARB, geometry);
    gl_test_attach(program, GL_FRAGMENT_SHADER, fragment);
    set(program, GL_POINTS, GL_POINTS, most + 1);
    assert_false(links(program));
    set(program, GL_POINTS, GL_POINTS, most);
    gl_test_use(program);
    glUniform1i(glGetUniformLocation(program, "count"), most);
    for (int i = 0; i < most && i < 8; i++) {
        const int element = 31 - i;
        glUniform1i(glGetUniformLocation(program, "element"), element);
        draw(GL_POINTS, square + 4, 1);
        expect(16 + 2 * i, 24, (float)i / 32, (float)(most < 32 ? most : 32) / 32,
               (float)element / 32);
    }
    gl_test_delete_program(program);
}

/* Built-in inputs may be redeclared, the arrays of each vertex with fewer elements. */
static void test_redeclarations(void **state)
{
#define V130 "#version 130\n#extension GL_ARB_geometry_shader4: enable\n"
#define MAIN "void main() { gl_Position = gl_PositionIn[0]; }"
    static const struct {
        const char *text;
        bool valid;
    } rows[] = {
        {HEADER "varying in vec4 gl_TexCoordIn[][2];\n" MAIN, true},
        {HEADER "varying in vec4 gl_TexCoordIn[3][2];\n" MAIN, true},
        {HEADER "varying in vec4 gl_TexCoordIn[gl_VerticesIn][8];\n" MAIN, true},
        {HEADER "varying in vec4 gl_PositionIn[];\n" MAIN, true},
        {HEADER "varying in vec4 gl_PositionIn[4];\n" MAIN, true},
        {V130 "in float gl_ClipDistanceIn[][2];\n" MAIN, true},
        {V130 "void main() { gl_Position = vec4(gl_ClipDistanceIn[0][7]); }", true},
        {HEADER "varying in vec4 gl_TexCoordIn[][9];\n" MAIN, false},
        {HEADER "varying in vec4 gl_TexCoordIn[][];\n" MAIN, false},
        {HEADER "varying in vec3 gl_TexCoordIn[][2];\n" MAIN, false},
        {HEADER "varying in vec4 gl_TexCoordIn[];\n" MAIN, false},
        {HEADER "varying in vec4 gl_TexCoordIn[3][2], gl_PositionIn[2];\n" MAIN, false},
        {HEADER "varying in vec4 gl_PositionIn[5];\n" MAIN, false},
        {HEADER "varying in vec4 gl_PositionIn[][2];\n" MAIN, false},
        {HEADER "varying out vec4 gl_PositionIn[3];\n" MAIN, false},
        {HEADER "vec4 f() { return gl_TexCoordIn[0][0]; }\n"
                "varying in vec4 gl_TexCoordIn[][2];\n" MAIN,
         false},
        {V130 "in float gl_ClipDistanceIn[][9];\n" MAIN, false},
        {V130 "in float gl_ClipDistanceIn[][2];\n"
              "void main() { gl_Position = vec4(gl_ClipDistanceIn[0][2]); }",
         false},
        {HEADER "void main() { gl_Position = vec4(gl_ClipDistanceIn[0][0]); }", false},
        /* without a redeclaration, the arrays of each vertex have no size */
        {HEADER "uniform int i;\nvoid main() { gl_Position = gl_TexCoordIn[i][0]; }", true},
        {HEADER "uniform int i;\nvoid main() { gl_Position = gl_TexCoordIn[0][i]; }", false},
        {HEADER "void main() { gl_Position = vec4(gl_TexCoordIn[0].length()); }", false},
        {V130 "uniform int i;\nvoid main() { gl_Position = vec4(gl_ClipDistanceIn[0][i]); }",
         false},
        {V130 "void main() { gl_Position = vec4(gl_ClipDistanceIn[0].length()); }", false},
        {V130 "in float gl_ClipDistanceIn[][8];\nuniform int i;\n"
              "void main() { gl_Position = vec4(gl_ClipDistanceIn[0][i]); }",
         true},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(compiles(GL_GEOMETRY_SHADER, rows[i].text), rows[i].valid);
}

/* Texture coordinates and clip distances with indices that are not constant. */
static void test_distances(void **state)
{
    static const char vertex[] =
        "#version 130\n"
        "out float gl_ClipDistance[6];\n"
        "void main() {\n"
        "    gl_Position = gl_Vertex;\n"
        "    for (int i = 0; i < 6; i++)\n"
        "        gl_ClipDistance[i] = (gl_MultiTexCoord1.z + float(i)) / 8.0;\n"
        "    gl_TexCoord[0] = gl_MultiTexCoord1;\n"
        "    gl_TexCoord[1] = gl_MultiTexCoord1 + 0.125;\n"
        "}\n";
    static const char geometry[] =
        V130 "in float gl_ClipDistanceIn[][6];\n"
             "in vec4 gl_TexCoordIn[][2];\n"
             "uniform int vertex, element;\n"
             "out vec4 result;\n"
             "void main() {\n"
             "    gl_Position = vec4(0.5, 0.5, 0.0, 1.0);\n"
             "    result = vec4(gl_ClipDistanceIn[vertex][element],\n"
             "                  gl_TexCoordIn[vertex][element % 2].z,\n"
             "                  float(gl_ClipDistanceIn[0].length()) / 8.0, 1.0);\n"
             "    EmitVertex();\n"
             "}\n";
    const GLuint program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER, vertex);
    gl_test_attach(program, GL_GEOMETRY_SHADER_ARB, geometry);
    gl_test_attach(program, GL_FRAGMENT_SHADER, fragment_text);
    set(program, GL_TRIANGLES, GL_POINTS, 1);
    gl_test_use(program);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 6; k++) {
            glUniform1i(glGetUniformLocation(program, "vertex"), i);
            glUniform1i(glGetUniformLocation(program, "element"), k);
            draw(GL_TRIANGLES, square, 3);
            const float z = (float)i / 4;
            expect(24, 24, (z + (float)k) / 8, z + 0.125f * (float)(k % 2), 6 / 8.0f);
        }
    }
    gl_test_delete_program(program);
}

static void test_face(void **state)
{
    GLuint texture, fbo;
    GLint value;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    for (GLenum i = 0; i < 6; i++)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, GL_RGBA8, 8, 8, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTextureFaceARB(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0,
                                GL_TEXTURE_CUBE_MAP_NEGATIVE_Y);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE, &value);
    assert_int_equal(value, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y);
    GLuint plane;
    glGenTextures(1, &plane);
    glBindTexture(GL_TEXTURE_2D, plane);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glFramebufferTextureFaceARB(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, plane, 0,
                                GL_TEXTURE_CUBE_MAP_POSITIVE_X);
    expect_error(GL_INVALID_OPERATION);
    glFramebufferTextureFaceARB(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, plane, 0, GL_TEXTURE_2D);
    expect_error(GL_INVALID_ENUM);
    glFramebufferTextureFaceARB(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0,
                                GL_TEXTURE_CUBE_MAP);
    expect_error(GL_INVALID_ENUM);
    glFramebufferTextureFaceARB(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, plane + 100, 0,
                                GL_TEXTURE_CUBE_MAP_POSITIVE_X);
    expect_error(GL_INVALID_VALUE);
    glDeleteTextures(1, &plane);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE, &value);
    assert_int_equal(value, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y); /* errors change nothing */
    glFramebufferTextureARB(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_LAYERED_ARB, &value);
    assert_true(value);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_linking),
        cmocka_unit_test(test_layouts),    cmocka_unit_test(test_includes),
        cmocka_unit_test(test_compiling),  cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_components), cmocka_unit_test(test_redeclarations),
        cmocka_unit_test(test_distances),  cmocka_unit_test(test_face),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
