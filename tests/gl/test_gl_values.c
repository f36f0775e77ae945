/* SPDX-License-Identifier: MIT */
/*
 * Values of expressions with side effects, in the order of evaluation of glslang's SPIR-V, and of
 * variables that are read before they are written, which are 0. The same source, compiled with each
 * SIMD width, must give these values.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdlib.h>

#include "gl_test.h"

#define MAX_VALUES 4

struct value_case {
    const char *code; /* statements of main(); R(x) appends a value */
    float values[MAX_VALUES];
    unsigned count;
};

static int setup(void **state)
{
    static const struct gl_test_window window = {16, 16};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static const char head[] =
    "#version 450\n"
    "layout(local_size_x = 1) in;\n"
    "layout(std430, binding = 0) buffer B { float r[8], buf[4]; };\n"
    "struct S { float a, b; };\n"
    "uniform float one;\n"
    "int n; float glob, unwritten, unwritten_array[7];\n"
    "shared vec4 memory[10];\n"
    "float f2(float x, float y) { return x * 10.0 + y; }\n"
    "float fc(const float x, float y) { return x * 10.0 + y; }\n"
    "float fv2(vec2 x, float y) { return x.x * 100.0 + x.y * 10.0 + y; }\n"
    "float fs(S x, float y) { return x.a * 10.0 + y; }\n"
    "float fi(float x, int y) { return x * 10.0 + float(y); }\n"
    "float fio(inout float x, float y) { x = x * 2.0 + y; return x + y * 100.0; }\n"
    "float fio2(inout float x, inout float y) { x += 1.0; y += 2.0; return x * 10.0 + y; }\n"
    "void fout(out float x, out float y) { x = 11.0; y = 22.0; }\n"
    "void foutv(out vec4 x, out float y) { x = vec4(11.0); y = 22.0; }\n"
    "void foutw(out float x, out vec4 y) { x = 11.0; y = vec4(22.0); }\n"
    "float g1() { glob += 3.0; return glob * 10.0; }\n"
    "float fg(float x) { glob = 50.0; return x; }\n"
    "float fgo(inout float x) { glob = 50.0; x += 1.0; return glob; }\n"
    "float sarr(float x[3], float y) { return x[0] * 10.0 + y; }\n"
    "float[3] carr() { return float[3](7.0, 8.0, 9.0); }\n"
    "mat2 rot(float x) { return mat2(x, 0, 0, x); }\n"
    "float fu(float x) { float y; y += x; return y; }\n"
    "void fo_(out float x, out float y) { y = 1.0; }\n"
    "float fo(float o) { float p = 7.0 * o, q = 8.0 * o; fo_(p, q); return p * 10.0 + q; }\n"
    "float fn(float x) { if (x > 0.5) return 3.0; }\n"
    "void foa_(out float x[3]) { x[1] = 1.0; }\n"
    "float foa(int i) { float q[3] = float[3](4.0, 5.0, 6.0); foa_(q);\n"
    "    return q[i] * 100.0 + q[i + 1] * 10.0 + q[i + 2]; }\n"
    "float z2() { float y[3], x; y[2] = 1.0; return y[0] + x; }\n"
    "#define R(x) r[n++] = float(x);\n"
    "void main() {\n"
    "    float a = 2.0 * one, b = 3.0 * one; int i = int(one) - 1;\n"
    "    float arr[3] = float[3](1.0, 2.0, 3.0); int arri[3] = int[3](1, 2, 3);\n"
    "    mat2 mm = mat2(1.0, 2.0, 3.0, 4.0); mat4 mm4 = mat4(1.0);\n"
    "    vec4 v = vec4(1.5, 2.5, 3.5, 4.5); S s = S(1.0, 2.0);\n"
    "    n = 0; glob = 1.0; buf[0] = 1.0; buf[1] = 2.0;\n";

/* Arguments and operands are evaluated from left to right. The target of a compound assignment is
 * read last, and so are variables that are passed to user functions. */
static const struct value_case order_cases[] = {
    {"a *= a = 3.0; R(a)", {9}, 1},
    {"vec2 p = vec2(one); R(dot(p = vec2(2.0*one), p))", {8}, 1},
    {"R(b + (b = 5.0*one))", {8}, 1},
    {"R((b = 5.0*one) + b)", {10}, 1},
    {"float e = one, f = (e = 4.0*one) + e; R(f)", {8}, 1},
    {"R(a++ + a)", {5}, 1},
    {"R(a + a++)", {4}, 1},
    {"a += a++; R(a)", {5}, 1},
    {"a -= ++a; R(a)", {0}, 1},
    {"a = a++ + ++a; R(a)", {6}, 1},
    {"R(arr[i] + float(i++))", {1}, 1},
    {"R(arr[i++] + arr[i])", {3}, 1},
    {"arr[i] = float(i++); R(arr[0]) R(arr[1])", {0, 2}, 2},
    {"arr[i++] += float(i); R(arr[0]) R(arr[1])", {2, 2}, 2},
    {"arr[i++] *= arr[i] = 7.0; R(arr[0]) R(arr[1])", {7, 7}, 2},
    {"R(mm[i][i++])", {1}, 1},
    {"R(mm[i++][i])", {2}, 1},
    {"mm[i][i++] = 9.0; R(mm[0][0]) R(mm[1][0]) R(mm[0][1])", {9, 3, 2}, 3},
    {"mm[i][i++] += 9.0; R(mm[0][0]) R(mm[1][0]) R(mm[0][1])", {10, 3, 2}, 3},
    {"v[i] *= float(i = 2); R(v.x) R(v.y) R(v.z)", {3, 2.5f, 3.5f}, 3},
    {"v.xy = v.yx; R(v.x) R(v.y)", {2.5f, 1.5f}, 2},
    {"v.xy *= v.yx = vec2(5,7); R(v.x) R(v.y)", {35, 35}, 2},
    {"v.zx[i++] += float(i); R(v.x) R(v.z)", {1.5f, 4.5f}, 2},
    {"R(f2(a, a = 9.0))", {99}, 1},
    {"R(f2(a = 9.0, a))", {99}, 1},
    {"R(f2(a++, a++))", {23}, 1},
    {"R(fio(a, a = 9.0)) R(a)", {927, 27}, 2},
    {"R(fio(a, a++)) R(a)", {208, 8}, 2},
    {"R(fio2(a, a)) R(a)", {34, 4}, 2},
    {"fout(a, a); R(a)", {22}, 1},
    {"fout(v.x, v.x); R(v.x)", {22}, 1},
    {"fout(v.x, v[i]); R(v.x)", {22}, 1},
    {"fout(a, v.x); R(a) R(v.x)", {11, 22}, 2},
    {"foutv(v, v.x); R(v.x) R(v.y)", {22, 11}, 2},
    {"foutw(v.x, v); R(v.x) R(v.y)", {22, 22}, 2},
    {"fout(arr[i++], arr[i++]); R(arr[0]) R(arr[1])", {11, 22}, 2},
    {"fout(arr[i], arr[i = 2]); R(arr[0]) R(arr[1]) R(arr[2])", {11, 2, 22}, 3},
    {"a = fio(a, a); R(a)", {206}, 1},
    {"a += fio(a, 1.0); R(a)", {110}, 1},
    {"a = a + fio(a, 1.0); R(a)", {107}, 1},
    {"R(a + fio(a, 1.0) + a)", {112}, 1},
    {"R((a, b) + (b = 3.0))", {6}, 1},
    {"R((a = 2.0, a) * (a = 3.0, a))", {6}, 1},
    {"R(bool(i++) ? a : float(i))", {1}, 1},
    {"R(i == 0 ? a = 5.0 : b) R(a)", {5, 5}, 2},
    {"R(a + (i == 0 ? a = 5.0 : b))", {7}, 1},
    {"R((i == 0 && (i = 1) == 1) ? float(i) : -1.0)", {1}, 1},
    {"R(float(i == 0 && i++ == 0 && i == 1))", {1}, 1},
    {"R(float(i == 1 || i++ == 0 || i++ == 0)) R(float(i))", {1, 1}, 2},
    {"R(float((i++ == 0) ^^ (i == 1)))", {0}, 1},
    {"vec2 c2 = vec2(a, a = 4.0); R(c2.x) R(c2.y)", {2, 4}, 2},
    {"vec3 c3 = vec3(a++, a++, a); R(c3.x) R(c3.y) R(c3.z)", {2, 3, 4}, 3},
    {"float cl[3] = float[3](a, a++, a); R(cl[0]) R(cl[1]) R(cl[2])", {2, 2, 3}, 3},
    {"float cl[3] = {a, a++, a}; R(cl[0]) R(cl[1]) R(cl[2])", {2, 2, 3}, 3},
    {"S s2 = S(a, a = 6.0); R(s2.a) R(s2.b)", {2, 6}, 2},
    {"S s2 = {a, a = 6.0}; R(s2.a) R(s2.b)", {2, 6}, 2},
    {"vec2 c2 = {a, a = 6.0}; R(c2.x) R(c2.y)", {2, 6}, 2},
    {"mat2 c2 = mat2(a, a++, a, a++); R(c2[0].x) R(c2[0].y) R(c2[1].x) R(c2[1].y)",
     {2, 2, 3, 3},
     4},
    {"mat2 c2 = {{a, a++}, {a, a++}}; R(c2[0].x) R(c2[0].y) R(c2[1].x) R(c2[1].y)",
     {2, 2, 3, 3},
     4},
    {"s = S(s.b, s.a); R(s.a) R(s.b)", {2, 1}, 2},
    {"s.a += s.b = s.a = 4.0; R(s.a) R(s.b)", {8, 4}, 2},
    {"s = S(1.0, (s.a = 8.0, s.a)); R(s.a) R(s.b)", {1, 8}, 2},
    {"S t = s, u = (s.a = 7.0, s); R(t.a) R(u.a)", {1, 7}, 2},
    {"R(mix(a, a = 3.0, 0.5))", {2.5f}, 1},
    {"R(clamp(a, b = 0.25, b))", {0.25f}, 1},
    {"R(modf(v.x, v.x)) R(v.x)", {0.5f, 1}, 2},
    {"R(frexp(a, i)) R(float(i))", {0.5f, 2}, 2},
    {"R(frexp(a, arri[i++])) R(float(arri[0])) R(float(i))", {0.5f, 2, 1}, 3},
    {"R(fma(a, a = 2.0, a))", {6}, 1},
    {"R(-a + (a = 2.0))", {0}, 1},
    {"R(g1() + glob) ", {44}, 1},
    {"R(glob + g1())", {41}, 1},
    {"R(glob + g1() + glob)", {45}, 1},
    {"R(f2(glob, g1()))", {80}, 1},
    {"R(f2(g1(), glob))", {404}, 1},
    {"glob += g1(); R(glob)", {44}, 1},
    {"glob = glob + g1(); R(glob)", {41}, 1},
    {"R(fg(glob)) R(glob)", {1, 50}, 2},
    {"R(fgo(glob)) R(glob)", {50, 2}, 2},
    {"R(sarr(arr, arr[0] = 9.0))", {99}, 1},
    {"R(carr()[i++] + float(i))", {8}, 1},
    {"R(carr()[i] + float(i++))", {7}, 1},
    {"R((arr)[i] + float(i++))", {1}, 1},
    {"R((a *= 2.0) + a)", {8}, 1},
    {"R((a *= 2.0) + (a *= 2.0))", {12}, 1},
    {"R(a * (a += 1.0) * (a += 1.0))", {24}, 1},
    {"a = b = a + b; R(a) R(b)", {5, 5}, 2},
    {"a += b += a; R(a) R(b)", {7, 5}, 2},
    {"a *= b *= a *= 2.0; R(a) R(b)", {48, 12}, 2},
    {"i <<= i += 2; R(float(i))", {8}, 1},
    {"i |= i = 6; R(float(i))", {6}, 1},
    {"i = i++ + i++; R(float(i))", {1}, 1},
    {"R(float(i-- - --i))", {2}, 1},
    {"buf[i] += buf[i++] = 4.0; R(buf[0]) R(buf[1])", {8, 2}, 2},
    {"R(v.x + (v = vec4(9.0)).x)", {10.5f}, 1},
    {"R(v.x + v[(v.x = 9.0, 0)])", {10.5f}, 1},
    {"R(arr[(arr[0] = 5.0, 0)])", {5}, 1},
    {"R(arr[0] + arr[(arr[0] = 5.0, 0)])", {6}, 1},
    {"R(length(v = vec4(0, 3, 0, 4)) + v.y)", {8}, 1},
    {"vec2 q = vec2(1.0); q *= rot(a = 2.0) * q; R(q.x) R(q.y)", {2, 2}, 2},
    {"v *= mm4 *= 2.0; R(v.x)", {3}, 1},
    {"if ((a = 3.0) > a - 1.0 && a++ > 0.0) R(a)", {4}, 1},
    {"for (int k = 0, m = k++; k < 3; k += m + 1) R(float(k))", {1, 2}, 2},
    {"switch (i++) { case 0: R(float(i)) break; default: R(-1.0) }", {1}, 1},
    {"while (i++ < 2) R(float(i))", {1, 2}, 2},
    {"do R(float(i)) while (i++ < 2);", {0, 1, 2}, 3},
    {"float x1 = a++, x2 = a++, x3 = x1 + x2 * a; R(x3)", {14}, 1},
    {"bool bb = (a == 2.0) == ((a = 3.0) == 3.0); R(float(bb))", {1}, 1},
    {"R(float(v == (v = vec4(4.0))))", {0}, 1},
    {"R(float(s == (s = S(8.0, 8.0))))", {0}, 1},
    {"R(float(lessThan(v.xy, (v = vec4(4.0)).xy).x))", {1}, 1},
    {"R(f2(v.x, v.x = 9.0))", {99}, 1},
    {"R(f2(v[0], v.x = 9.0))", {99}, 1},
    {"R(f2(v[i], v.x = 9.0))", {99}, 1},
    {"R(f2(v[i], float(i = 1)))", {16}, 1},
    {"R(f2(arr[i], float(i = 1)))", {11}, 1},
    {"R(f2(arr[i], arr[0] = 9.0))", {99}, 1},
    {"R(f2(s.a, s.a = 9.0))", {99}, 1},
    {"R(f2(a + 0.0, a = 9.0))", {29}, 1},
    {"R(f2(-a, a = 9.0))", {-11}, 1},
    {"R(f2((a), a = 9.0))", {99}, 1},
    {"R(f2((b, a), a = 9.0))", {99}, 1},
    {"R(f2(true ? a : b, a = 9.0))", {29}, 1},
    {"R(f2(i == 0 ? a : b, a = 9.0))", {29}, 1},
    {"R(f2(i, float(i = 4)))", {4}, 1},
    {"R(fc(a, a = 9.0))", {29}, 1},
    {"R(fc(v.x, v.x = 9.0))", {24}, 1},
    {"R(f2(v.yx.y, v.x = 9.0))", {99}, 1},
    {"R(fv2(v.yx, v.x = 9.0))", {349}, 1},
    {"R(fv2(v.xy, v.x = 9.0))", {934}, 1},
    {"R(fv2(vec2(a,b), a = 9.0))", {239}, 1},
    {"R(fs(s, s.a = 9.0))", {99}, 1},
    {"R(fs(S(a,b), a = 9.0))", {29}, 1},
    {"R(f2(buf[0], buf[0] = 9.0))", {99}, 1},
    {"R(f2(glob, glob = 9.0))", {99}, 1},
    {"R(f2(mm[0][1], mm[0][1] = 9.0))", {99}, 1},
    {"R(fi(i, i = 9))", {9}, 1},
    {"R(max(a, a = 9.0))", {9}, 1},
    {"R(f2(a, f2(a = 9.0, a)))", {189}, 1},
    {"R(f2(f2(a, a = 3.0), a = 9.0))", {339}, 1},
    {"R(f2(float(a), a = 9.0))", {29}, 1},
    {"R(f2(a = 5.0, a = 9.0))", {59}, 1},
    {"R(f2(++a, ++a))", {34}, 1},
    {"R(f2(a, fio(a, 1.0)))", {155}, 1},
    {"R(f2(fio(a, 1.0), a))", {1055}, 1},
    {"R(fio(a, fio(a, 1.0))) R(a)", {10615, 115}, 2},
};

/* A variable that is read before it is written is 0. */
static const struct value_case zero_cases[] = {
    {"for (int k = 0; k < 3; k++) { float x; x += 1.0 * one; a = a * 10.0 + x; } R(a)", {2111}, 1},
    {"for (int k = 0; k < 3; k++) a = a * 10.0 + fu(one); R(a)", {2111}, 1},
    {"a = fu(one) + 10.0 * fu(one); R(a)", {11}, 1},
    {"for (int k = 0; k < 3; k++) { float q[3]; q[i] += 1.0; a = a * 10.0 + q[i]; } R(a)",
     {2111},
     1},
    {"for (int k = 0; k < 3; k++) { float q[3]; q[k] += 1.0; a = a * 10.0 + q[i]; } R(a)",
     {2100},
     1},
    {"float q[5]; R(q[i]) R(q[i + 3])", {0, 0}, 2},
    {"float q[500]; R(q[i]) R(q[i + 499]) q[i] = 1.0; R(q[int(one) - 1])", {0, 0, 1}, 3},
    {"for (int k = 0; k < 3; k++) { float q[20000]; q[i] += 1.0; a = a * 10.0 + q[i]; } R(a)",
     {2111},
     1},
    {"for (int k = 0; k < 2; k++) { S q[10000]; R(q[i + 9990].b) q[i + 9990].b = one; }",
     {0, 0},
     2},
    {"R(fo(one))", {1}, 1},
    {"R(fn(0.0)) R(fn(one))", {0, 3}, 2},
    {"R(fn(one) + fn(0.0))", {3}, 1},
    {"R(foa(i))", {10}, 1},
    {"S t; R(t.a) t.b += 3.0; R(t.b)", {0, 3}, 2},
    {"vec4 w; w.x = 1.0; R(w.x) R(w.y) R(w.w)", {1, 0, 0}, 3},
    {"mat3 m; m[1] = vec3(1); R(m[1][1]) R(m[0][0]) R(m[i][2])", {1, 0, 0}, 3},
    {"float z; if (one == 1.0) z = 5.0; R(z)", {5}, 1},
    {"float z; if (one == 2.0) z = 5.0; R(z) R(z + 1.0)", {0, 1}, 2},
    {"float z; R(z * 0.0 + one) R(1.0 / (z + 2.0))", {1, 0.5f}, 2},
    {"int z; R(z << 3 | 5)", {5}, 1},
    {"bool z; R(z ? 1.0 : 2.0) if (z) R(1.0) else R(2.0)", {2, 2}, 2},
    {"double z; R(z)", {0}, 1},
    {"float z; R(z == z ? 1.0 : 0.0) R(max(z, -1.0))", {1, 0}, 2},
    {"R(unwritten) R(unwritten_array[i]) unwritten += 1.0; R(unwritten)", {0, 0, 1}, 3},
    {"float z; for (int k = 0; k < 3; k++) { if (k > 0) a += z; z = 4.0; } R(a)", {10}, 1},
    {"float z; while (z < 3.0) z += 1.0; R(z)", {3}, 1},
    {"R(memory[i].x)", {0}, 1},
    {"S t[4]; R(t[i].b) t[i + 1].a = 2.0; R(t[i + 1].b) R(t[i + 1].a)", {0, 0, 2}, 3},
    {"int j; R(arr[j])", {1}, 1},
    {"float z, y = z; R(y)", {0}, 1},
    {"float z = z2(); R(z)", {0}, 1},
    {"switch (i) { case 1: float z = 3.0; break; default: R(z) }", {0}, 1},
    {"switch (i) { case 1: break; float z = 3.0; default: R(z) }", {0}, 1},
};

static void check_case(const struct value_case *c)
{
    char text[8000];
    float values[8];
    GLuint buffer, program = glCreateProgram();
    snprintf(text, sizeof text, "%s%s\n}\n", head, c->code);
    gl_test_attach(program, GL_COMPUTE_SHADER, text);
    gl_test_use(program);
    glUniform1f(glGetUniformLocation(program, "one"), 1.0f);
    for (unsigned k = 0; k < 8; k++)
        values[k] = -1e9f;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 48, NULL, GL_DYNAMIC_DRAW);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof values, values);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof values, values);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &buffer);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned k = 0; k < c->count; k++)
        if (values[k] != c->values[k])
            fail_msg("%s: value %u is %g, not %g", c->code, k, (double)values[k],
                     (double)c->values[k]);
}

static void test_order(void **state)
{
    for (unsigned i = 0; i < sizeof order_cases / sizeof *order_cases; i++)
        check_case(&order_cases[i]);
}

static void test_zero(void **state)
{
    for (unsigned i = 0; i < sizeof zero_cases / sizeof *zero_cases; i++)
        check_case(&zero_cases[i]);
}

/* Arrays that are too large to be cleared element by element are 0 when an invocation begins, also
 * where another invocation, group or draw has written to the same memory. */
static void test_large_arrays(void **state)
{
    enum { GROUPS = 6, SIZE = 32, COUNT = GROUPS * SIZE };
    static const char *const between[] = {"", "barrier();"};
    static const char elements[] = "vec4 a[43000]; uint n = k.y + i * 37u;\n"
                                   "float x = a[n].x + a[k.x + i].x;\n"
                                   "a[n].x = 1.0; a[k.x + i].x = 2.0; %s\n";
    const char *driver = getenv("INDIUM_DRIVER");
    GLuint buffer, vao;
    if (driver && !strcmp(driver, "i965")) /* a thread has 2 MiB of scratch memory */
        skip();
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    for (unsigned b = 0; b < 2; b++) {
        float values[COUNT];
        char text[1000], body[500];
        GLuint program = glCreateProgram();
        snprintf(body, sizeof body, elements, between[b]);
        snprintf(text, sizeof text,
                 "#version 450\nlayout(local_size_x = %u) in; uniform uvec2 k;\n"
                 "layout(std430, binding = 0) buffer B { float r[]; };\n"
                 "void main() { uint i = gl_LocalInvocationIndex * 2u; %s\n"
                 "r[gl_GlobalInvocationID.x] = x * 10.0 + a[n].x + a[k.x + i].x + a[n + 1u].x; }",
                 SIZE, body);
        gl_test_attach(program, GL_COMPUTE_SHADER, text);
        gl_test_use(program);
        glUniform2ui(glGetUniformLocation(program, "k"), 40000, 20);
        glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof values, NULL, GL_DYNAMIC_DRAW);
        glDispatchCompute(GROUPS, 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof values, values);
        for (unsigned i = 0; i < COUNT; i++)
            if (values[i] != 3)
                fail_msg("invocation %u, %s: %g", i, between[b], (double)values[i]);
        gl_test_delete_program(program);
    }
    char fs[1000], body[500];
    uint8_t pixels[16 * 16 * 4];
    snprintf(body, sizeof body, elements, "");
    snprintf(fs, sizeof fs,
             "#version 450\nout vec4 c; uniform uvec2 k; void main() {\n"
             "uint i = uint(gl_FragCoord.x) & 1u; %s\n"
             "c = vec4(x, (a[n].x + a[k.x + i].x) / 3.0, a[n + 1u].x, 1); }",
             body);
    GLuint program = gl_test_program("#version 450\nvoid main() {\n"
                                     "gl_Position = vec4(gl_VertexID == 1 ? 3 : -1,\n"
                                     "gl_VertexID == 2 ? 3 : -1, 0, 1); }",
                                     fs);
    glUseProgram(program);
    glUniform2ui(glGetUniformLocation(program, "k"), 40000, 20);
    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    for (unsigned draw = 0; draw < 2; draw++) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        for (unsigned i = 0; i < 16 * 16; i++)
            assert_memory_equal(&pixels[i * 4], ((uint8_t[]){0, 255, 0, 255}), 4);
    }
    glDeleteVertexArrays(1, &vao);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &buffer);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Shared memory is 0 at the start of each workgroup. */
static void test_shared_memory(void **state)
{
    enum { GROUPS = 400 };
    static uint32_t words[GROUPS];
    GLuint buffer, program = glCreateProgram();
    gl_test_attach(program, GL_COMPUTE_SHADER,
                   "#version 430\n"
                   "layout(local_size_x = 20) in;\n"
                   "layout(std430, binding = 0) buffer B { uint words[]; };\n"
                   "shared uint s[20], t;\n"
                   "void main() {\n"
                   "    uint old = s[gl_LocalInvocationIndex];\n"
                   "    s[gl_LocalInvocationIndex] = 7u;\n"
                   "    atomicAdd(t, 1u + old);\n"
                   "    barrier();\n"
                   "    words[gl_WorkGroupID.x] = t;\n"
                   "}\n");
    gl_test_use(program);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof words, NULL, GL_DYNAMIC_DRAW);
    glDispatchCompute(GROUPS, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof words, words);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &buffer);
    for (unsigned i = 0; i < GROUPS; i++)
        assert_int_equal(words[i], 20);
}

/* Outputs that a stage does not write, or writes only in part or on some paths, are 0. */
static void test_outputs(void **state)
{
    GLuint program = gl_test_program(
        "#version 150\n"
        "out vec4 a, b, c[3]; uniform int i;\n"
        "void main() {\n"
        "    gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);\n"
        "    a.x = 0.5; c[i].y = 0.25; if (i == 1) b = vec4(1.0);\n"
        "}\n",
        "#version 150\n"
        "in vec4 a, b, c[3]; out vec4 o; uniform int i;\n"
        "void main() { if (i == 0) o.xy = a.xy + b.xy + c[i].xy; else o = vec4(1.0); }\n");
    glUseProgram(program);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(3, 3, 0.5f, 0.25f, 0.0f);
    gl_test_delete_program(program);
}

/* Inputs that the previous stage declares, but does not write, or writes in part. */
static void test_unwritten_inputs(void **state)
{
#define INTERFACE(in)                                                                              \
    in " vec2 none; flat " in " ivec3 integers; " in " float array[3]; " in                        \
       " Block { vec4 member; mat2 m; }; " in " vec4 part;\n"
    static const char fs[] = "#version 450\n" INTERFACE(
        "in") "out vec4 c; uniform int k;\n"
              "void main() {\n"
              "    float sum = none.x + float(integers.x | integers.y | integers.z) + array[0]\n"
              "        + array[k] + array[2] + member.z + member.w + m[1].x + part.z + part.w;\n"
              "    c = sum == 0.0 ? vec4(0, 1, 0, none.y) : vec4(1, 0, 0, 1);\n"
              "}";
    static const char *const before[] = {
        "gl_Position = vec4(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1, 0, 1);",
        "gl_Position = vec4(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1, 0, 1);\n"
        "if (k == 7) array[1] = 5.0; member.xy = vec2(k); part.x = 1.0;",
        "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position;\n"
        "none.x = lost[i].x + lost[2 - i].y; EmitVertex(); }",
    };
    GLuint buffer, framebuffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    for (unsigned i = 0; i < 3; i++) {
        char vs[600], gs[600];
        GLubyte pixel[4];
        GLuint p = glCreateProgram();
        snprintf(vs, sizeof vs, "#version 450\n%suniform int k; void main() { %s }",
                 i < 2 ? INTERFACE("out") : "out vec2 lost;\n", before[i & 1]);
        snprintf(gs, sizeof gs,
                 "#version 450\nlayout(triangles) in; in vec2 lost[];\n"
                 "layout(triangle_strip, max_vertices = 3) out;\n%svoid main() { %s }",
                 INTERFACE("out"), before[i]);
        gl_test_attach(p, GL_VERTEX_SHADER, vs);
        gl_test_attach(p, GL_FRAGMENT_SHADER, fs);
        if (i == 2)
            gl_test_attach(p, GL_GEOMETRY_SHADER, gs);
        gl_test_use(p);
        glClearColor(1, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glReadPixels(5, 9, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
        assert_memory_equal(pixel, ((const GLubyte[]){0, 255, 0, 0}), 4);
        gl_test_delete_program(p);
    }
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &buffer);
    assert_int_equal(glGetError(), GL_NO_ERROR);
#undef INTERFACE
}

/* An input block is copied whole to an output block. */
static void test_block_copy(void **state)
{
    GLuint program = glCreateProgram();
    gl_test_attach(
        program, GL_VERTEX_SHADER,
        "#version 150\n"
        "out Data { vec3 a; float b[2]; mat2 m; } data; out vec4 position;\n"
        "void main() {\n"
        "    position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);\n"
        "    data.a = vec3(0.25, 0.0, position.w); data.b[1] = 0.5;\n"
        "    data.m = mat2(0.125 * position.w);\n"
        "}\n");
    gl_test_attach(program, GL_GEOMETRY_SHADER,
                   "#version 150\n"
                   "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                   "in vec4 position[3]; in Data { vec3 a; float b[2]; mat2 m; } data[];\n"
                   "out Data { vec3 a; float b[2]; mat2 m; } copy;\n"
                   "void main() { for (int i = 0; i < 3; i++) {\n"
                   "    gl_Position = position[i]; copy = data[i]; EmitVertex(); } }\n");
    gl_test_attach(
        program, GL_FRAGMENT_SHADER,
        "#version 150\n"
        "in Data { vec3 a; float b[2]; mat2 m; } copy; out vec4 color;\n"
        "void main() { color = vec4(copy.a.x + copy.m[1].y, copy.b[1], copy.a.z, 1); }\n");
    gl_test_use(program);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(3, 3, 0.375f, 0.5f, 1.0f);
    gl_test_delete_program(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_order, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_zero, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_large_arrays, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_shared_memory, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_outputs, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_unwritten_inputs, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_block_copy, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests_name("gl values", tests, NULL, NULL);
}
