/* SPDX-License-Identifier: MIT */
/* Texture and image handles (ARB_bindless_texture): shaders that access textures through them,
 * untrusted handles, errors, lifetimes. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>

#include "gl_test.h"

#define SIZE 16
#define HEAD                                                                                       \
    "#version 450 compatibility\n"                                                                 \
    "#extension GL_ARB_bindless_texture: require\n"

static const char plain_vs[] = HEAD "void main() { gl_Position = gl_Vertex; }\n";

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Returns a 2D texture filled with a color; nearest filtering. */
static GLuint color_texture(GLenum format, float r, float g, float b)
{
    const float texel[4] = {r, g, b, 1.0f};
    float texels[4][4];
    GLuint t;
    for (unsigned i = 0; i < 4; i++)
        memcpy(texels[i], texel, sizeof texel);
    glCreateTextures(GL_TEXTURE_2D, 1, &t);
    glTextureStorage2D(t, 1, format, 2, 2);
    glTextureSubImage2D(t, 0, 0, 0, 2, 2, GL_RGBA, GL_FLOAT, texels);
    glTextureParameteri(t, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(t, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return t;
}

static GLuint64 resident(GLuint texture)
{
    GLuint64 handle = glGetTextureHandleARB(texture);
    assert_true(handle != 0);
    glMakeTextureHandleResidentARB(handle);
    expect_error(GL_NO_ERROR);
    return handle;
}

static GLuint64 resident_image(GLuint texture, GLenum format)
{
    GLuint64 handle = glGetImageHandleARB(texture, 0, GL_FALSE, 0, format);
    assert_true(handle != 0);
    glMakeImageHandleResidentARB(handle, GL_READ_WRITE);
    expect_error(GL_NO_ERROR);
    return handle;
}

static void draw(void)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
}

/* The index of handles is never 0. Runs first, because the first handle allocates the table. */
static void test_no_handles(void **state)
{
    enum { BLOCKS = 16, BYTES = 1024 };
    void *block[BLOCKS];
    for (unsigned i = 0; i < BLOCKS; i++) {
        block[i] = malloc(BYTES);
        assert_non_null(block[i]);
        memset(block[i], 0x5a, BYTES);
    }
    for (unsigned i = 0; i < BLOCKS; i++)
        free(block[i]); /* the table may get this memory */
    GLuint texture = color_texture(GL_RGBA8, 1, 1, 1);
    static const GLuint64 bad[] = {0, 0x5a5a5a5aull << 32, 1ull << 32, UINT64_MAX};
    assert_true(glGetTextureHandleARB(texture) != 0);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(glIsTextureHandleResidentARB(bad[i]));
        expect_error(GL_INVALID_OPERATION);
        glMakeTextureHandleResidentARB(bad[i]);
        expect_error(GL_INVALID_OPERATION);
        glMakeImageHandleNonResidentARB(bad[i]);
        expect_error(GL_INVALID_OPERATION);
    }
    glDeleteTextures(1, &texture);
}

/* A uniform that is set to a handle, to a unit, and to a handle again. */
static void test_uniform(void **state)
{
    static const char fs[] =
        HEAD "layout(bindless_sampler) uniform sampler2D s[2];\n"
             "layout(location = 7) uniform sampler2D bound;\n"
             "void main() { gl_FragColor = texture(s[1], vec2(0.5)); \n"
             "  if (gl_FragCoord.x < 0) gl_FragColor = texture(bound, vec2(0)) +"
             " texture(s[0], vec2(0)); }\n";
    GLuint red = color_texture(GL_RGBA8, 1, 0, 0), green = color_texture(GL_RGBA32F, 0, 1, 0);
    GLuint program = gl_test_program(plain_vs, fs);
    GLuint64 handle = resident(red), got = 1, both[2];
    glUseProgram(program);
    GLint s1 = glGetUniformLocation(program, "s[1]");
    glBindTextureUnit(3, green);
    glUniform1i(s1, 3);
    draw();
    expect(4, 4, 0, 1, 0);
    glUniformHandleui64ARB(s1, handle);
    draw();
    expect(4, 4, 1, 0, 0);
    glGetUniformui64vARB(program, s1, &got);
    assert_true(got == handle);
    glUniform1i(s1, 3);
    draw();
    expect(4, 4, 0, 1, 0);
    glGetUniformui64vARB(program, s1, &got);
    assert_true(got == 3);
    both[0] = handle;
    both[1] = resident(green);
    glProgramUniformHandleui64vARB(program, s1 - 1, 2, both);
    draw();
    expect(4, 4, 0, 1, 0);

    glUniformHandleui64ARB(7, handle); /* not declared bindless */
    expect_error(GL_INVALID_OPERATION);
    glUniformHandleui64vARB(s1, -1, both);
    expect_error(GL_INVALID_VALUE);
    glUniformHandleui64ARB(999, handle);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &red);
    glDeleteTextures(1, &green);
    gl_test_delete_program(program);
}

/* More samplers than texture image units: they have no units, also for queries. */
static void test_many(void **state)
{
    static const char fs[] =
        HEAD "layout(bindless_sampler) uniform sampler2D s[40];\n"
             "void main() { gl_FragColor = vec4(textureSize(s[39], 0), textureQueryLevels(s[38]),"
             " 2) * 0.5 * texture(s[37], vec2(0)); }\n";
    GLuint texture = color_texture(GL_RGBA8, 1, 0.5f, 1), program = gl_test_program(plain_vs, fs);
    GLuint64 handle = resident(texture);
    glUseProgram(program);
    draw(); /* with handles that aren't set; the values are undefined */
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, (GLubyte[4]){0});
    for (unsigned i = 37; i < 40; i++) {
        const char name[] = {'s', '[', (char)('0' + i / 10), (char)('0' + i % 10), ']', 0};
        glUniformHandleui64ARB(glGetUniformLocation(program, name), handle);
    }
    draw();
    expect(4, 4, 1, 0.5f, 0.5f);
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &texture);
    gl_test_delete_program(program);
}

/* Samplers in a uniform block, selected per pixel: adjacent pixels access textures of different
 * formats. One of the handles is not resident, and reads as 0. */
static void test_block(void **state)
{
    static const char fs[] =
        HEAD "layout(std140, binding = 2) uniform B { sampler2D s[6]; };\n"
             "void main() { int i = int(gl_FragCoord.x) % 6; gl_FragColor = textureLod(s[i],"
             " vec2(0.5), 0.0); }\n";
    static const GLenum formats[6] = {GL_RGBA8,          GL_RGBA32F, GL_RGB10_A2,
                                      GL_R11F_G11F_B10F, GL_RGBA16F, GL_RGBA8};
    GLuint program = gl_test_program(plain_vs, fs), textures[6], buffer;
    GLuint64 handles[12] = {0}; /* array elements are 16 bytes apart */
    for (unsigned i = 0; i < 6; i++) {
        textures[i] = color_texture(formats[i], i / 8.0f, 1 - i / 8.0f, 0.5f);
        handles[2 * i] = i == 5 ? glGetTextureHandleARB(textures[i]) : resident(textures[i]);
    }
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof handles, handles, GL_STATIC_DRAW);
    glUseProgram(program);
    draw();
    for (int x = 0; x < SIZE; x++) {
        int i = x % 6;
        expect(x, 9, i == 5 ? 0 : i / 8.0f, i == 5 ? 0 : 1 - i / 8.0f, i == 5 ? 0 : 0.5f);
    }
    glMakeTextureHandleNonResidentARB(handles[0]);
    glMakeTextureHandleResidentARB(handles[10]);
    draw();
    expect(0, 3, 0, 0, 0);
    expect(5, 3, 5 / 8.0f, 3 / 8.0f, 0.5f);
    glDeleteTextures(6, textures);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(program);
}

/* A handle as vertex attribute, current value and array, passed to the fragment shader. */
static void test_varying(void **state)
{
    static const char vs[] =
        HEAD "struct S { sampler2D u[2]; };\n"
             "layout(location = 5) in sampler2D s; flat out sampler2D t; flat out S z;\n"
             "void main() { gl_Position = gl_Vertex; t = s; z.u[0] = s; z.u[1] = s; }\n";
    static const char fs[] = HEAD "struct S { sampler2D u[2]; };\n"
                                  "flat in sampler2D t; flat in S z;\n"
                                  "void main() { gl_FragColor = 0.5 * texture(t, vec2(0))\n"
                                  "  + 0.5 * texture(z.u[1], vec2(0)); }\n";
    GLuint red = color_texture(GL_RGBA8, 1, 0, 0), green = color_texture(GL_RG8, 0, 1, 0);
    GLuint program = gl_test_program(vs, fs);
    GLuint64 handles[2] = {resident(red), resident(green)}, got = 0;
    glUseProgram(program);
    glVertexAttribL1ui64ARB(5, handles[0]);
    glGetVertexAttribLui64vARB(5, GL_CURRENT_VERTEX_ATTRIB, &got);
    assert_true(got == handles[0]);
    draw();
    expect(4, 4, 1, 0, 0);
    glVertexAttribL1ui64vARB(5, &handles[1]);
    draw();
    expect(4, 4, 0, 1, 0);

    const GLuint64 array[3] = {handles[0], handles[0], handles[0]};
    const float position[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
    glVertexAttribLPointer(5, 1, GL_UNSIGNED_INT64_ARB, 0, array);
    glEnableVertexAttribArray(5);
    glVertexPointer(2, GL_FLOAT, 0, position);
    glEnableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(4, 4, 1, 0, 0);
    /* elements between glBegin and glEnd, and in a list */
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    for (unsigned i = 0; i < 3; i++)
        glArrayElement((GLint)i);
    glEnd();
    expect(4, 4, 1, 0, 0);
    glGetVertexAttribLui64vARB(5, GL_CURRENT_VERTEX_ATTRIB, &got);
    assert_true(got == handles[0]);
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndList();
    glClear(GL_COLOR_BUFFER_BIT);
    glCallList(list);
    expect(4, 4, 1, 0, 0);
    glDeleteLists(list, 1);
    glVertexAttribLPointer(5, 2, GL_UNSIGNED_INT64_ARB, 0, array);
    expect_error(GL_INVALID_VALUE);
    glDisableVertexAttribArray(5);
    glDisableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    for (unsigned i = 0; i < 3; i++) {
        glVertexAttribL1ui64ARB(5, handles[1]);
        glVertex2fv(position[i]);
    }
    glEnd();
    expect(4, 4, 0, 1, 0);
    glGetVertexAttribLui64vARB(5, GL_CURRENT_VERTEX_ATTRIB, &got);
    assert_true(got == handles[1]);
    glDeleteTextures(1, &red);
    glDeleteTextures(1, &green);
    gl_test_delete_program(program);
}

/* Samplers in variables, structs, parameters and results; arithmetic on handles; the values of
 * samplers that are bound to units. */
static void test_values(void **state)
{
    static const char fs[] = HEAD
        "layout(bindless_sampler) uniform sampler2D a; uniform sampler2D unit[2]; uniform"
        " uvec2 key;\n"
        "struct S { vec4 scale; sampler2D s; };\n"
        "uniform S bound;\n"
        "sampler2D pick(bool first, sampler2D x, sampler2D y) { if (first) return x; return y; }\n"
        "void swap(inout sampler2D x, inout sampler2D y) { sampler2D t = x; x = y; y = t; }\n"
        "void set(out S s, sampler2D t) { s.scale = vec4(1); s.s = t; }\n"
        "vec4 get(S s) { return s.scale * texture(s.s, vec2(0.5)); }\n"
        "void main() {\n"
        "  sampler2D x = a, y = unit[1], list[2]; S s;\n"
        "  int part = int(gl_FragCoord.x) / 2;\n"
        "  uvec2 bits = uvec2(a) ^ key; sampler2D again = sampler2D(bits ^ key);\n"
        "  list[0] = x; list[1] = y;\n"
        "  if (part == 0) gl_FragColor = texture(x, vec2(0.5));\n"
        "  else if (part == 1) gl_FragColor = texture(y, vec2(0.5));\n"
        "  else if (part == 2) { swap(x, y); gl_FragColor = texture(x, vec2(0.5)); }\n"
        "  else if (part == 3) { set(s, a); gl_FragColor = get(s); }\n"
        "  else if (part == 4) gl_FragColor = texture(again, vec2(0.5));\n"
        "  else if (part == 5) gl_FragColor = texture(list[int(gl_FragCoord.y) & 1], vec2(0.5));\n"
        "  else if (part == 6) gl_FragColor = texture(pick(gl_FragCoord.y < 8.0, unit[0],"
        " a), vec2(0.5));\n"
        "  else { S c = bound; c.scale = vec4(1); gl_FragColor = get(c); }\n"
        "}\n";
    GLuint red = color_texture(GL_RGBA8, 1, 0, 0), green = color_texture(GL_RGBA32F, 0, 1, 0);
    GLuint blue = color_texture(GL_RGBA16F, 0, 0, 1);
    GLuint program = gl_test_program(plain_vs, fs);
    glUseProgram(program);
    glUniformHandleui64ARB(glGetUniformLocation(program, "a"), resident(red));
    glUniform2ui(glGetUniformLocation(program, "key"), 0x12345678, 0x9abcdef0);
    glUniform1i(glGetUniformLocation(program, "unit[0]"), 1);
    glUniform1i(glGetUniformLocation(program, "unit[1]"), 2);
    glUniform1i(glGetUniformLocation(program, "bound.s"), 1);
    glBindTextureUnit(1, blue);
    glBindTextureUnit(2, green);
    draw();
    expect(0, 4, 1, 0, 0);
    expect(2, 4, 0, 1, 0);
    expect(4, 4, 0, 1, 0);
    expect(6, 4, 1, 0, 0);
    expect(8, 4, 1, 0, 0);
    expect(10, 4, 1, 0, 0);
    expect(10, 5, 0, 1, 0);
    expect(12, 4, 0, 0, 1);
    expect(12, 12, 1, 0, 0);
    expect(14, 4, 0, 0, 1);
    glUniform1i(glGetUniformLocation(program, "a"), 2); /* the handle of a unit */
    draw();
    expect(0, 4, 0, 1, 0);
    expect(8, 4, 0, 1, 0);
    glDeleteTextures(1, &red);
    glDeleteTextures(1, &green);
    glDeleteTextures(1, &blue);
    gl_test_delete_program(program);
}

/* Many kinds of textures and images, one after the other: more than kernels tell apart at once. */
static void test_classes(void **state)
{
    static const GLint from[6] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ZERO, GL_ONE};
    static const float texel[6] = {0.25f, 0.5f, 0.75f, 1, 0, 1};
    static const char fs[] =
        HEAD "layout(bindless_sampler) uniform sampler2D s;\n"
             "void main() { gl_FragColor = vec4(texture(s, vec2(0.5)).rgb, 1); }\n";
    GLuint program = gl_test_program(plain_vs, fs);
    GLuint kept = color_texture(GL_RGBA8, 1, 0, 1);
    const GLuint64 kept_handle = resident(kept);
    const GLint s = glGetUniformLocation(program, "s");
    glUseProgram(program);
    for (unsigned i = 0; i < 700; i++) {
        const unsigned c[4] = {i % 6, i / 6 % 6, i / 36 % 6, i / 216};
        const GLint swizzle[4] = {from[c[0]], from[c[1]], from[c[2]], from[c[3]]};
        GLuint t = color_texture(GL_RGBA8, texel[0], texel[1], texel[2]);
        glTextureParameteriv(t, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
        const GLuint64 handle = resident(t);
        if (i % 97 == 5) {
            glUniformHandleui64ARB(s, handle);
            draw();
            expect(4, 4, texel[c[0]], texel[c[1]], texel[c[2]]);
            glUniformHandleui64ARB(s, kept_handle);
            draw();
            expect(4, 4, 1, 0, 1);
        }
        glDeleteTextures(1, &t);
    }
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &kept);
    gl_test_delete_program(program);
}

/* The vertex stage reads a texture through a handle right after each kind of change of its
 * texels. */
static void test_vertex_stage(void **state)
{
    static const char vs[] =
        HEAD "layout(bindless_sampler) uniform sampler2D s; flat out vec4 c;\n"
             "void main() { gl_Position = gl_Vertex; c = texelFetch(s, ivec2(0), 0); }\n";
    static const char fs[] =
        HEAD "flat in vec4 c; void main() { gl_FragColor = vec4(c.rgb, 1); }\n";
    static const char store_fs[] =
        HEAD "layout(bindless_image, rgba8) writeonly uniform image2D i;\n"
             "void main() { imageStore(i, ivec2(0), vec4(1, 0, 1, 1)); discard; }\n";
    static const GLubyte blue[4] = {0, 0, 255, 255}, yellow[4] = {255, 255, 0, 255};
    static const GLubyte blocks[2][8] = {{255, 255}, {0, 0}}; /* red is 1; red is 0 */
    GLuint t = color_texture(GL_RGBA8, 1, 0, 0), others[4], packed, fbo;
    GLuint program = gl_test_program(vs, fs), store = gl_test_program(plain_vs, store_fs);
    for (unsigned i = 0; i < 4; i++)
        resident(others[i] = color_texture(GL_RGBA8, 0, 0, 0));
    glCreateTextures(GL_TEXTURE_2D, 1, &packed);
    glTextureStorage2D(packed, 1, GL_COMPRESSED_RED_RGTC1, 4, 4);
    glCompressedTextureSubImage2D(packed, 0, 0, 0, 4, 4, GL_COMPRESSED_RED_RGTC1, 8, blocks[0]);
    glUseProgram(store);
    glUniformHandleui64ARB(glGetUniformLocation(store, "i"), resident_image(t, GL_RGBA8));
    glUseProgram(program);
    const GLint s = glGetUniformLocation(program, "s");
    glUniformHandleui64ARB(s, resident(t));
    draw();
    draw(); /* nothing has changed */
    expect(4, 4, 1, 0, 0);
    glCreateFramebuffers(1, &fbo);
    glNamedFramebufferTexture(fbo, GL_COLOR_ATTACHMENT0, t, 0);
    draw();
    glClearNamedFramebufferfv(fbo, GL_COLOR, 0, (const GLfloat[4]){0, 1, 0, 1});
    draw();
    expect(4, 4, 0, 1, 0);
    draw();
    glClearTexImage(t, 0, GL_RGBA, GL_UNSIGNED_BYTE, blue);
    draw();
    expect(4, 4, 0, 0, 1);
    draw();
    glTextureSubImage2D(t, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, yellow);
    draw();
    expect(4, 4, 1, 1, 0);
    draw();
    glUseProgram(store);
    glRectf(-1, -1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glUseProgram(program);
    draw();
    expect(4, 4, 1, 0, 1);
    glUniformHandleui64ARB(s, resident(packed));
    draw();
    expect(4, 4, 1, 0, 0);
    draw();
    glCompressedTextureSubImage2D(packed, 0, 0, 0, 4, 4, GL_COMPRESSED_RED_RGTC1, 8, blocks[1]);
    draw();
    expect(4, 4, 0, 0, 0);
    expect_error(GL_NO_ERROR);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(4, others);
    glDeleteTextures(1, &packed);
    glDeleteTextures(1, &t);
    gl_test_delete_program(store);
    gl_test_delete_program(program);
}

/* Image handles in a block and in a uniform: loads, stores, atomics and queries. */
static void test_images(void **state)
{
    static const char cs[] =
        HEAD "layout(local_size_x = 4, local_size_y = 4) in;\n"
             "layout(std140, binding = 0) uniform B { layout(rgba32f) image2D from;"
             " writeonly image2D to;\n"
             "  layout(r32ui) uimage2D count; };\n"
             "layout(bindless_image, r32ui) uniform uimage2D total;\n"
             "layout(r32ui) uniform uimage2D unit;\n"
             "void main() {\n"
             "  ivec2 p = ivec2(gl_LocalInvocationID.xy);\n"
             "  imageStore(to, p, imageLoad(from, p) * 2.0 + vec4(imageSize(from), 0, 0));\n"
             "  imageAtomicAdd(count, p / 2, 3u);\n"
             "  imageAtomicMax(total, ivec2(0), uint(p.x + 4 * p.y));\n"
             "  writeonly uimage2D copy = unit; imageStore(copy, p, uvec4(p.x + 7));\n"
             "}\n";
    float in[16][4], out[16][4];
    GLuint count[4] = {0}, value[16] = {0}, buffer, program = glCreateProgram(), t[5];
    GLuint64 handles[3];
    static const GLenum formats[5] = {GL_RGBA32F, GL_RGBA32F, GL_R32UI, GL_R32UI, GL_R32UI};
    static const GLsizei sizes[5] = {4, 4, 2, 1, 4};
    gl_test_attach(program, GL_COMPUTE_SHADER, cs);
    gl_test_use(program);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned c = 0; c < 4; c++)
            in[i][c] = (float)(i * 4 + c);
    for (unsigned i = 0; i < 5; i++) {
        const GLuint zero = 0;
        glCreateTextures(GL_TEXTURE_2D, 1, &t[i]);
        glTextureStorage2D(t[i], 1, formats[i], sizes[i], sizes[i]);
        if (i > 1)
            glClearTexImage(t[i], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
        glTextureParameteri(t[i], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTextureParameteri(t[i], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    glTextureSubImage2D(t[0], 0, 0, 0, 4, 4, GL_RGBA, GL_FLOAT, in);
    for (unsigned i = 0; i < 3; i++)
        handles[i] = resident_image(t[i], formats[i]);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof handles, handles, GL_STATIC_DRAW);
    glUniformHandleui64ARB(glGetUniformLocation(program, "total"), resident_image(t[3], GL_R32UI));
    glUniform1i(glGetUniformLocation(program, "unit"), 1);
    glBindImageTexture(1, t[4], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetTextureImage(t[1], 0, GL_RGBA, GL_FLOAT, sizeof out, out);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned c = 0; c < 4; c++)
            assert_true(out[i][c] == in[i][c] * 2 + (c < 2 ? 4.0f : 0.0f));
    glGetTextureImage(t[2], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof count, count);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(count[i], 12);
    glGetTextureImage(t[3], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, value);
    assert_int_equal(value[0], 15);
    glGetTextureImage(t[4], 0, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof value, value);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(value[i], i % 4 + 7);
    expect_error(GL_NO_ERROR);
    glDeleteTextures(5, t);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(program);
}

/* Any value as a handle: reads return 0, writes do nothing. */
static void test_garbage(void **state)
{
    static const char cs[] =
        HEAD "layout(local_size_x = 32) in;\n"
             "layout(std430, binding = 0) buffer H { uvec2 handle[64]; };\n"
             "layout(std430, binding = 1) buffer R { vec4 result[64]; };\n"
             "void main() {\n"
             "  uint i = gl_LocalInvocationID.x; uvec2 h = handle[i];\n"
             "  vec4 sum = textureLod(sampler2D(h), vec2(0.5), 0.0) +"
             " texelFetch(sampler2DArray(h), ivec3(9, 9, 9), 0);\n"
             "  sum += textureLod(samplerCube(h), vec3(1, 0, 0), 0.0) +"
             " texelFetch(samplerBuffer(h), 1 << 20);\n"
             "  sum += texelFetch(sampler3D(h), ivec3(1000), 30) + vec4(imageLoad(image3D(h),"
             " ivec3(-1)));\n"
             "  sum += vec4(textureSize(sampler2D(h), 1 << 30), 0, 0) * 0.0;\n"
             "  imageStore(image2D(h), ivec2(1 << 28, 0), vec4(1)); imageStore(imageBuffer(h),"
             " -1, vec4(1));\n"
             "  imageAtomicAdd(uimage2DArray(h), ivec3(1 << 28), 1u);\n"
             "  result[i] = sum;\n"
             "}\n";
    GLuint texture = color_texture(GL_RGBA8, 1, 0.5f, 0), other = color_texture(GL_R8, 1, 1, 1);
    GLuint deleted = color_texture(GL_RGBA8, 1, 1, 1), buffers[2], program = glCreateProgram();
    GLuint64 handles[64] = {0}, good = resident(texture), stale = resident(deleted);
    float result[64][4];
    GLuint64 image = resident_image(other, GL_R8);
    glDeleteTextures(1, &deleted);
    gl_test_attach(program, GL_COMPUTE_SHADER, cs);
    gl_test_use(program);
    uint32_t random = 1;
    for (unsigned i = 0; i < 64; i++) {
        random = random * 1664525 + 1013904223;
        handles[i] = (GLuint64)random << 32 | (random >> 3 & 63);
    }
    const GLuint64 special[] = {good,
                                stale,
                                image,
                                0,
                                1,
                                UINT64_MAX,
                                good + 1,
                                good ^ 1ull << 32,
                                good | 0xffffffff,
                                0xffffffff00000000,
                                0xffffffff0000001f,
                                good & 0xffffffff,
                                1ull << 63};
    memcpy(handles, special, sizeof special);
    glGenBuffers(2, buffers);
    for (unsigned i = 0; i < 2; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, i ? sizeof result : sizeof handles,
                     i ? NULL : handles, GL_STATIC_DRAW);
    }
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof result, result);
    for (unsigned i = 0; i < 32; i++) {
        assert_true(fabsf(result[i][0] - (handles[i] == good ? 1.0f : 0.0f)) < 0.01f);
        assert_true(fabsf(result[i][1] - (handles[i] == good ? 0.5f : 0.0f)) < 0.01f);
    }
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &texture);
    glDeleteTextures(1, &other);
    glDeleteBuffers(2, buffers);
    gl_test_delete_program(program);
}

static void test_errors(void **state)
{
    GLuint t, s, b, sampler_only;
    const float odd[4] = {0.5f, 0, 0, 0}, white[4] = {1, 1, 1, 1};
    glGetTextureHandleARB(0);
    expect_error(GL_INVALID_VALUE);
    glGetTextureHandleARB(12345);
    expect_error(GL_INVALID_VALUE);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    assert_true(glGetTextureHandleARB(t) == 0); /* incomplete */
    expect_error(GL_INVALID_OPERATION);
    assert_true(glGetImageHandleARB(t, 0, GL_FALSE, 0, GL_RGBA8) == 0);
    expect_error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGetTextureHandleARB(t); /* lacks mipmaps */
    expect_error(GL_INVALID_OPERATION);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, odd);
    glGetTextureHandleARB(t);
    expect_error(GL_INVALID_OPERATION);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, white);
    glGenSamplers(1, &s);
    glGenSamplers(1, &sampler_only);
    glSamplerParameteri(s, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glGetTextureSamplerHandleARB(t, 0);
    expect_error(GL_INVALID_VALUE);
    GLuint64 h = glGetTextureHandleARB(t), hs = glGetTextureSamplerHandleARB(t, s);
    GLuint64 i = glGetImageHandleARB(t, 0, GL_FALSE, 0, GL_RGBA8);
    expect_error(GL_NO_ERROR);
    assert_true(h && hs && i && h != hs && h != i && hs != i);
    assert_true(glGetTextureHandleARB(t) == h && glGetTextureSamplerHandleARB(t, s) == hs);
    assert_true(glGetImageHandleARB(t, 0, GL_FALSE, 0, GL_RGBA8) == i);
    assert_true(glGetImageHandleARB(t, 0, GL_FALSE, 0, GL_R32F) != i);

    glGetImageHandleARB(t, 1, GL_FALSE, 0, GL_RGBA8); /* no such level */
    expect_error(GL_INVALID_VALUE);
    glGetImageHandleARB(t, 0, GL_FALSE, 1, GL_RGBA8); /* no such layer */
    expect_error(GL_INVALID_VALUE);
    glGetImageHandleARB(t, 0, GL_TRUE, 0, GL_RGBA8); /* has no layers */
    expect_error(GL_INVALID_OPERATION);
    glGetImageHandleARB(t, 0, GL_FALSE, 0, GL_RGB8);
    expect_error(GL_INVALID_VALUE);

    assert_false(glIsTextureHandleResidentARB(h));
    glMakeTextureHandleNonResidentARB(h);
    expect_error(GL_INVALID_OPERATION);
    glMakeTextureHandleResidentARB(h);
    glMakeTextureHandleResidentARB(h);
    expect_error(GL_INVALID_OPERATION);
    assert_true(glIsTextureHandleResidentARB(h));
    glIsImageHandleResidentARB(h);
    expect_error(GL_INVALID_OPERATION);
    glMakeImageHandleResidentARB(h, GL_READ_ONLY);
    expect_error(GL_INVALID_OPERATION);
    glMakeImageHandleResidentARB(i, GL_RGBA);
    expect_error(GL_INVALID_ENUM);
    glMakeImageHandleResidentARB(i, GL_WRITE_ONLY);
    assert_true(glIsImageHandleResidentARB(i));
    glMakeTextureHandleResidentARB(0);
    expect_error(GL_INVALID_OPERATION);

    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    expect_error(GL_INVALID_OPERATION);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, 4, 4, 0);
    expect_error(GL_INVALID_OPERATION);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RED_RGTC1, 4, 4, 0, 8, white);
    expect_error(GL_INVALID_OPERATION);
    glCompressedTexImage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RED_RGTC1, 1, 1, 0, 8, white);
    expect_error(GL_INVALID_OPERATION);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4);
    expect_error(GL_INVALID_OPERATION);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    expect_error(GL_INVALID_OPERATION);
    glSamplerParameteri(s, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    expect_error(GL_INVALID_OPERATION);
    glSamplerParameteri(sampler_only, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, white);
    expect_error(GL_NO_ERROR);

    GLuint bt;
    glGenBuffers(1, &b);
    glBindBuffer(GL_TEXTURE_BUFFER, b);
    glBufferData(GL_TEXTURE_BUFFER, 64, NULL, GL_STATIC_DRAW);
    glGenTextures(1, &bt);
    glBindTexture(GL_TEXTURE_BUFFER, bt);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, b);
    assert_true(glGetTextureHandleARB(bt) != 0);
    glBufferData(GL_TEXTURE_BUFFER, 128, NULL, GL_STATIC_DRAW);
    expect_error(GL_INVALID_OPERATION);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, 0);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &bt);
    glBufferData(GL_TEXTURE_BUFFER, 128, NULL, GL_STATIC_DRAW);
    expect_error(GL_NO_ERROR);

    glDeleteTextures(1, &t); /* makes the handles nonresident; nothing else uses the texture */
    assert_false(glIsTextureHandleResidentARB(h));
    expect_error(GL_INVALID_OPERATION);
    glMakeTextureHandleResidentARB(hs);
    expect_error(GL_INVALID_OPERATION);
    glSamplerParameteri(s, GL_TEXTURE_MIN_FILTER, GL_LINEAR); /* its handles are gone */
    expect_error(GL_NO_ERROR);
    glDeleteSamplers(1, &s);
    glDeleteSamplers(1, &sampler_only);
    glDeleteBuffers(1, &b);
}

/* Returns a mutable 2D texture of 4×4 RGBA8 texels with the lowest `levels` levels. */
static GLuint mutable_texture(GLint levels, GLenum filter)
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    for (GLint l = 0; l < levels; l++)
        glTexImage2D(GL_TEXTURE_2D, l, GL_RGBA8, 4 >> l, 4 >> l, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    return t;
}

/* The size and format of images, and the parameters, can't change while a texture has handles; the
 * contents can (ARB_bindless_texture §3.9.X). */
static void test_fixed(void **state)
{
    static const GLint ints[4] = {0};
    static const GLuint uints[4] = {0};
    static const GLfloat floats[4] = {0};
    static const GLubyte texel[4] = {0};
    const GLenum target = GL_TEXTURE_2D, param = GL_TEXTURE_BORDER_COLOR;
    GLuint t = mutable_texture(3, GL_NEAREST_MIPMAP_NEAREST), other, array;
    resident(t);
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        call;                                                                                      \
        expect_error(GL_INVALID_OPERATION);                                                        \
    } while (0)
    for (GLint l = 0; l < 4; l++) { /* also levels with the same size, and a level outside */
        const GLsizei size = l < 3 ? 4 >> l : 1;
        REFUSED(glTexImage2D(target, l, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL));
        REFUSED(glCopyTexImage2D(target, l, GL_RGBA8, 0, 0, size, size, 0));
    }
    REFUSED(glTexStorage2D(target, 3, GL_RGBA8, 4, 4));
    REFUSED(glTextureStorage2D(t, 3, GL_RGBA8, 4, 4));
    REFUSED(glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 2));
    REFUSED(glTexParameterf(target, GL_TEXTURE_MIN_LOD, 0));
    REFUSED(glTexParameteriv(target, param, ints));
    REFUSED(glTexParameterfv(target, param, floats));
    REFUSED(glTexParameterIiv(target, param, ints));
    REFUSED(glTexParameterIuiv(target, param, uints));
    REFUSED(glTextureParameteri(t, GL_TEXTURE_BASE_LEVEL, 0));
    REFUSED(glTextureParameterf(t, GL_TEXTURE_LOD_BIAS, 0));
    REFUSED(glTextureParameteriv(t, param, ints));
    REFUSED(glTextureParameterfv(t, param, floats));
    REFUSED(glTextureParameterIiv(t, param, ints));
    REFUSED(glTextureParameterIuiv(t, param, uints));
    glTexSubImage2D(target, 1, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glTextureSubImage2D(t, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glCopyTexSubImage2D(target, 0, 0, 0, 0, 0, 4, 4);
    glClearTexImage(t, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glInvalidateTexImage(t, 2);
    glGenerateMipmap(target); /* the levels keep their sizes */
    glGenerateTextureMipmap(t);
    expect_error(GL_NO_ERROR);

    /* Mipmap generation would define level 1. */
    GLuint base = mutable_texture(1, GL_LINEAR);
    GLint width = -1;
    glTexParameteri(target, GL_GENERATE_MIPMAP, GL_TRUE);
    resident(base);
    REFUSED(glGenerateMipmap(target));
    REFUSED(glGenerateTextureMipmap(base));
    glTexSubImage2D(target, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glGetTexLevelParameteriv(target, 1, GL_TEXTURE_WIDTH, &width);
    expect_error(GL_NO_ERROR);
    assert_int_equal(width, 0);

    GLuint immutable = color_texture(GL_RGBA8, 1, 0, 0);
    glBindTexture(target, immutable);
    resident(immutable);
    glGenerateMipmap(target);
    expect_error(GL_NO_ERROR);

    glGenTextures(1, &other);
    glBindTexture(GL_TEXTURE_1D, other);
    glTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    resident_image(other, GL_RGBA8); /* a handle of an image has the same effect */
    REFUSED(glTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL));
    REFUSED(glCopyTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA8, 0, 0, 4, 0));
    REFUSED(glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MIN_FILTER, GL_NEAREST));
    glGenTextures(1, &array);
    glBindTexture(GL_TEXTURE_2D_ARRAY, array);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    resident(array);
    REFUSED(glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         NULL));
    REFUSED(glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 4, 4, 2));
#undef REFUSED
    const GLuint all[5] = {t, base, immutable, other, array};
    glDeleteTextures(5, all);
    expect_error(GL_NO_ERROR);
}

/* The objects of deleted names live while something else references them, and so do handles. */
static void test_lifetime(void **state)
{
    GLuint t = color_texture(GL_RGBA8, 1, 0, 0), s;
    glGenSamplers(1, &s);
    GLuint64 h = glGetTextureSamplerHandleARB(t, s);
    glMakeTextureHandleResidentARB(h);
    glDeleteSamplers(1, &s); /* in use while the handle is resident (D.1.2) */
    assert_true(glIsTextureHandleResidentARB(h));
    expect_error(GL_NO_ERROR);
    glMakeTextureHandleNonResidentARB(h);
    glIsTextureHandleResidentARB(h);
    expect_error(GL_INVALID_OPERATION);
    /* deleting the texture makes the handle nonresident (issue 7) */
    GLuint both = color_texture(GL_RGBA8, 1, 0, 0);
    glGenSamplers(1, &s);
    h = glGetTextureSamplerHandleARB(both, s);
    glMakeTextureHandleResidentARB(h);
    glDeleteSamplers(1, &s);
    assert_true(glIsTextureHandleResidentARB(h));
    glDeleteTextures(1, &both);
    glIsTextureHandleResidentARB(h);
    expect_error(GL_INVALID_OPERATION);
    h = resident(t);
    glBindTextureUnit(0, t);
    glDeleteTextures(1, &t);
    glIsTextureHandleResidentARB(h);
    expect_error(GL_INVALID_OPERATION);
    for (unsigned i = 0; i < 200; i++) { /* entries are used again, with other generations */
        GLuint u = color_texture(GL_RGBA8, 1, 0, 0);
        GLuint64 again = resident(u);
        assert_true(again != h);
        h = again;
        glDeleteTextures(1, &u);
    }
    expect_error(GL_NO_ERROR);
}

/* Handles that are resident when the context is destroyed, after a draw without a program. */
static void test_destroy(void **state)
{
    enum gl_create_error error;
    struct gl_context *other = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_CORE, .major = 4, .minor = 5, .visual = &visual},
        &error);
    assert_non_null(other);
    assert_true(core->make_current(other, drawable, drawable));
    GLuint array,
        program = gl_test_program("#version 330\nvoid main() { gl_Position = vec4(1); }\n",
                                  "#version 330\nout vec4 c; void main() { c = vec4(1); }\n");
    resident(color_texture(GL_RGBA8, 1, 1, 1));
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glUseProgram(program);
    glDrawArrays(GL_POINTS, 0, 1);
    glFinish();
    glUseProgram(0);
    glDeleteProgram(program);
    glDrawArrays(GL_POINTS, 0, 1); /* undefined */
    while (glGetError())
        ;
    assert_true(core->make_current(*state, drawable, drawable));
    core->context_destroy(other);
}

/* Display lists contain handles as values, but not changes of residency (§5.5.1). */
static void test_lists(void **state)
{
    GLuint texture = color_texture(GL_RGBA8, 1, 0, 0), list = glGenLists(1);
    GLuint64 handle = glGetTextureHandleARB(texture), got = 0;
    glVertexAttribL1ui64ARB(5, 1);
    glNewList(list, GL_COMPILE);
    glMakeTextureHandleResidentARB(handle);
    assert_true(glIsTextureHandleResidentARB(handle));
    glVertexAttribL1ui64vARB(5, &handle);
    glGetVertexAttribLui64vARB(5, GL_CURRENT_VERTEX_ATTRIB, &got);
    assert_true(got == 1);
    glEndList();
    glCallList(list);
    glGetVertexAttribLui64vARB(5, GL_CURRENT_VERTEX_ATTRIB, &got);
    assert_true(got == handle);
    assert_true(glIsTextureHandleResidentARB(handle));
    expect_error(GL_NO_ERROR);
    glDeleteLists(list, 1);
    glDeleteTextures(1, &texture);
}

/* glPopAttrib doesn't change the parameters of a texture that has got a handle. */
static void test_attributes(void **state)
{
    GLuint texture = color_texture(GL_RGBA8, 1, 0, 0);
    GLint filter;
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPushAttrib(GL_TEXTURE_BIT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    assert_true(glGetTextureHandleARB(texture) != 0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glPopAttrib();
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &filter);
    assert_int_equal(filter, GL_LINEAR);
    expect_error(GL_NO_ERROR);
    glDeleteTextures(1, &texture);
}

static void fails(GLenum type, const char *text)
{
    GLuint shader = glCreateShader(type);
    GLint ok;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        fail_msg("%s", text);
    glDeleteShader(shader);
}

static void test_compile_errors(void **state)
{
    const GLenum fs = GL_FRAGMENT_SHADER;
    fails(fs, "#version 450\nvoid main() { sampler2D s; }");
    fails(fs, "#version 450\nlayout(bindless_sampler) uniform sampler2D s; void main() {}");
    fails(fs, HEAD "in sampler2D s; void main() {}"); /* not flat */
    fails(fs, HEAD "out sampler2D s; void main() {}");
    fails(fs, HEAD "uniform sampler2D s = 0; void main() {}");
    fails(fs, HEAD "layout(bindless_sampler) uint i; void main() {}");
    fails(fs, HEAD "layout(bindless_sampler) uniform image2D i; void main() {}");
    fails(fs, HEAD "void main() { sampler2D s = uvec2(0); }");
    fails(fs, HEAD "void main() { sampler2D s; s++; }");
    fails(fs, HEAD "void main() { sampler2D s; uvec2 v = s; }");
    fails(fs, HEAD "void main() { sampler2D s = sampler2D(0u); }");
    fails(fs, HEAD "void f(inout sampler2D s) {} void main() { sampler3D s; f(s); }");
    fails(fs, HEAD "struct { image2D i; } s; void main() {}"); /* neither format nor writeonly */
    fails(fs, HEAD "struct { layout(r32i) image2D i; } s; void main() {}");
    fails(fs, HEAD "struct { atomic_uint i; }; void main() { atomic_uint a; }");
}

/* A handle takes two components of its location. */
static void test_locations(void **state)
{
    static const char vs[] =
        HEAD "layout(location = 5) in sampler2D s; layout(location = 1) flat out sampler2D a;\n"
             "layout(location = 1) out vec4 b;\n"
             "void main() { gl_Position = gl_Vertex; a = s; b = gl_Vertex; }\n";
    GLuint program = glCreateProgram();
    GLint linked = 1;
    gl_test_attach(program, GL_VERTEX_SHADER, vs);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    assert_false(linked);
    glDeleteProgram(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_handles),   cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_block),        cmocka_unit_test(test_varying),
        cmocka_unit_test(test_values),       cmocka_unit_test(test_images),
        cmocka_unit_test(test_garbage),      cmocka_unit_test(test_errors),
        cmocka_unit_test(test_lifetime),     cmocka_unit_test(test_compile_errors),
        cmocka_unit_test(test_locations),    cmocka_unit_test(test_many),
        cmocka_unit_test(test_lists),        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_vertex_stage), cmocka_unit_test(test_classes),
        cmocka_unit_test(test_attributes),   cmocka_unit_test(test_destroy),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
