/* SPDX-License-Identifier: MIT */
/*
 * Compilation without memory: each allocation fails once, in the compilers, in NIR's passes, in
 * LLVM and its linker, and in the baseline JIT.
 *
 * usage: test_gl_compile_memory [DENSITY [SCENE [TEST]]]
 * DENSITY: spacing of the failures (gl_test_memory.h); 0: each allocation; -1: each call site (with
 * INDIUM_THREADS=1 INDIUM_TIMEOUT=0). SCENE: runs only the scenes whose names begin with it. TEST:
 * runs only one of the tests.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test_memory.h"

/* --- programs --- */

struct stage {
    GLenum type;
    const char *text;
};

static bool compile(GLuint program, const struct stage *stage)
{
    GLint ok = 0;
    GLuint shader = glCreateShader(stage->type);
    if (!shader)
        return false;
    glShaderSource(shader, 1, &stage->text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        glAttachShader(program, shader);
    glDeleteShader(shader);
    return ok;
}

/* Returns a program, or 0 if it doesn't compile or link. */
static GLuint make_program(const struct stage *stages)
{
    GLuint program = glCreateProgram();
    GLint ok = program != 0;
    for (unsigned i = 0; ok && stages[i].text; i++)
        ok = compile(program, &stages[i]);
    glBindAttribLocation(program, 0, "position");
    if (ok) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &ok);
    }
    if (ok)
        return program;
    if (program)
        glDeleteProgram(program);
    return 0;
}

static void draw_with(GLuint program, GLenum primitive)
{
    if (!program)
        return;
    glUseProgram(program);
    glDrawArrays(primitive, 0, 3);
    glUseProgram(0);
    glDeleteProgram(program);
}

/* Vertices 0 to 2 are a triangle that covers the window. */
#define COVER                                                                                      \
    "gl_Position = vec4(float(gl_VertexID / 2) * 4.0 - 1.0, float(gl_VertexID % 2) * 4.0 - 1.0, "  \
    "0.0, 1.0);"

static GLuint texture, buffer;

static const struct stage plain[] = {
    {GL_VERTEX_SHADER,
     "#version 150\nout vec2 at; void main() { at = vec2(gl_VertexID); " COVER "}"},
    {GL_FRAGMENT_SHADER,
     "#version 150\n#define LEVELS 3\n"
     "struct S { vec4 a[2]; float f; }; uniform sampler2D image; uniform float weight[4];\n"
     "layout(std140) uniform B { mat4 m; vec4 v[2]; };\n"
     "in vec2 at; out vec4 color;\n"
     "float twice(float x, int n) { for (int i = 0; i < n; i++) x = sin(x) * 0.5; return x; }\n"
     "void main() { S s; s.a[0] = texture(image, at) * weight[1]; s.a[1] = m * v[1]; s.f = 0.0;\n"
     "for (int i = 0; i < LEVELS; i++) s.f += twice(at.x, int(at.y) & 3);\n"
     "if (s.f > 1000.0) discard;\n"
     "color = vec4(0, 1, 0, 1) + 0.0 * min(abs(s.a[0] + s.a[1]), vec4(1)); }"},
    {0, NULL},
};

static void run_plain(void)
{
    draw_with(make_program(plain), GL_TRIANGLES);
}

static const struct stage stages[] = {
    {GL_VERTEX_SHADER, "#version 400\nvoid main() { " COVER "}"},
    {GL_TESS_CONTROL_SHADER,
     "#version 400\nlayout(vertices = 3) out; void main() {\n"
     "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
     "gl_TessLevelInner[0] = 2; for (int i = 0; i < 3; i++) gl_TessLevelOuter[i] = 2; }"},
    {GL_TESS_EVALUATION_SHADER,
     "#version 400\nlayout(triangles) in; void main() {\n"
     "gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position\n"
     "+ gl_TessCoord.z * gl_in[2].gl_Position; }"},
    {GL_GEOMETRY_SHADER,
     "#version 400\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
     "void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position;\n"
     "EmitVertex(); } }"},
    {GL_FRAGMENT_SHADER, "#version 400\nout vec4 c; void main() { c = vec4(0, 1, 0, 1); }"},
    {0, NULL},
};

static void run_stages(void)
{
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    draw_with(make_program(stages), GL_PATCHES);
}

/* --- a compute shader --- */

static const struct stage compute[] = {
    {GL_COMPUTE_SHADER,
     "#version 430\nlayout(local_size_x = 8) in; shared uint sum;\n"
     "layout(std430) buffer B { uint total; };\n"
     "void main() { sum = 0u; barrier(); atomicAdd(sum, gl_LocalInvocationIndex); barrier();\n"
     "if (gl_LocalInvocationIndex == 0u) total = sum; }"},
    {0, NULL},
};

static void forget_total(void)
{
    static const GLuint zero;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 4, &zero, GL_DYNAMIC_COPY);
}

static void run_compute(void)
{
    GLuint program = make_program(compute);
    if (!program)
        return;
    glUseProgram(program);
    glDispatchCompute(1, 1, 1);
    glUseProgram(0);
    glDeleteProgram(program);
}

static bool total_right(void)
{
    GLuint total = 0;
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 4, &total);
    return total == 28;
}

/* --- an invalid shader, which the log reports --- */

static bool has_log;

static void forget_log(void)
{
    has_log = false;
}

static void run_wrong(void)
{
    static const char *const text = "#version 150\n#define F(x) x + y\n"
                                    "void main() { int a = F(1.0); struct { int b; } c = 1; }";
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    char log[500] = "";
    if (!shader)
        return;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    has_log = strstr(log, "error") != NULL;
    glDeleteShader(shader);
}

static bool log_there(void)
{
    return has_log;
}

/* --- assembly programs and fixed function --- */

static void run_assembly(void)
{
    static const char text[] = "!!ARBfp1.0\nPARAM p[2] = { { 0, 1, 0, 1 }, program.local[0] };\n"
                               "TEMP t; MUL t, fragment.color, 0.0; ADD t, t, p[0];\n"
                               "LRP result.color, 0.0, t.yxzw, t; END";
    GLuint program;
    glGenProgramsARB(1, &program);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, program);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof text - 1, text);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    GLint length = 0;
    glGetProgramivARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_LENGTH_ARB, &length);
    if (length)
        glRectf(-1, -1, 1, 1);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glDeleteProgramsARB(1, &program);
}

static struct gl_context *first_context, *new_context;

static void drop_new_context(void)
{
    core->make_current(first_context, drawable, drawable);
    if (new_context)
        core->context_destroy(new_context);
    new_context = NULL;
}

/* Runs in a new context, because each context creates its own fixed-function programs. */
static void in_new_context(void)
{
    enum gl_create_error error;
    drop_new_context();
    clear_red();
    glFinish();
    new_context = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = &visual}, &error);
    assert_true(core->make_current(new_context, drawable, drawable));
}

static void run_fixed(void)
{
    static const float black[4] = {0, 0, 0, 1};
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_DIFFUSE, black);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, black);
    glEnable(GL_COLOR_MATERIAL);
    glColorMaterial(GL_FRONT_AND_BACK, GL_EMISSION);
    glEnable(GL_FOG);
    glFogf(GL_FOG_DENSITY, 0);
    glColor3f(0, 1, 0);
    glRectf(-1, -1, 1, 1);
}

static void run_pixels(void)
{
    static uint8_t pixels[SIZE * SIZE][4];
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        memcpy(pixels[i], green, 4);
    glPixelZoom(1, 1);
    glRasterPos2f(-1, -1);
    glDrawPixels(SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

/* Creating a context raises no GL error. */
static bool made_or_refused;

static void run_creation(void)
{
    enum gl_create_error error;
    struct gl_context *made = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_CORE, .major = 3, .minor = 2, .visual = &visual},
        &error);
    made_or_refused = made || refused;
    if (made)
        core->context_destroy(made);
}

static bool creation_right(void)
{
    return made_or_refused;
}

/* --- binaries --- */

static uint8_t binary[1 << 16];
static GLsizei binary_length;
static GLenum binary_format;
static GLuint binary_source;

static void forget_binary(void)
{
    clear_red();
    binary_length = 0;
    if (!binary_source)
        binary_source = make_program(plain);
}

static void run_binary(void)
{
    GLint ok = 0;
    glGetProgramBinary(binary_source, sizeof binary, &binary_length, &binary_format, binary);
    GLuint program = binary_length ? glCreateProgram() : 0;
    if (!program)
        return;
    glProgramBinary(program, binary_format, binary, binary_length);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok)
        draw_with(program, GL_TRIANGLES);
    else
        glDeleteProgram(program);
}

/* --- running them --- */

static void test_programs(void **state)
{
    static const struct scene scenes[] = {
        {"a new context", nothing, run_creation, creation_right, true},
        {"a shader that is wrong", forget_log, run_wrong, log_there, true},
        {"a binary of a program", forget_binary, run_binary, all_green},
        {"a compute shader", forget_total, run_compute, total_right},
        {"vertex and fragment shaders", clear_red, run_plain, all_green},
        {"shaders of all stages", clear_red, run_stages, all_green},
        {"an assembly program", clear_red, run_assembly, all_green},
    };
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glBufferData(GL_UNIFORM_BUFFER, 96, NULL, GL_STATIC_DRAW);
    RUN_SCENES(scenes);
    glDeleteProgram(binary_source);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
}

static void test_fixed_function(void **state)
{
    static const struct scene scenes[] = {
        {"fixed function", in_new_context, run_fixed, all_green},
        {"glDrawPixels", in_new_context, run_pixels, all_green},
    };
    first_context = *state;
    for (unsigned i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        run_scene(&scenes[i]);
        drop_new_context();
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_fixed_function),
    };
    memory_arguments(argc, argv, 1);
    if (argc > 3)
        cmocka_set_test_filter(argv[3]);
    return cmocka_run_group_tests(tests, memory_setup, gl_test_teardown);
}
