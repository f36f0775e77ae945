/* SPDX-License-Identifier: MIT */
/* Extensions of OpenGL ES: what they allow in addition to the context's version. */
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#include "gl_test.h"

enum { SIZE = 16 };

#define COVER                                                                                      \
    "#version 310 es\n"                                                                            \
    "void main() { gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1); }"

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_ES2, &window);
}

static void draw(const char *vs, const char *fs)
{
    GLuint p = gl_test_program(vs, fs);
    glUseProgram(p);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gl_test_delete_program(p);
}

static void test_bounding_box(void **state)
{
    const GLfloat start[8] = {-1, -1, -1, 1, 1, 1, 1, 1}, own[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    GLfloat box[8];
    glGetFloatv(GL_PRIMITIVE_BOUNDING_BOX_EXT, box);
    assert_memory_equal(box, start, sizeof box);
    glPrimitiveBoundingBoxEXT(0, 1, 2, 3, 4, 5, 6, 7);
    glGetFloatv(GL_PRIMITIVE_BOUNDING_BOX_OES, box);
    assert_memory_equal(box, own, sizeof box);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks texels of every ES format; EXT_texture_norm16 adds the 16-bit ones. */
static void test_texture_buffer(void **state)
{
    static const struct {
        GLenum format;
        GLubyte texel[16];
    } cases[] = {
        {GL_RGBA8, {0, 255, 0, 255}},
        {GL_RG16_EXT, {0, 0, 255, 255}},
        {GL_RGB32F, {0, 0, 0, 0, 0, 0, 0x80, 0x3f}},
    };
    GLuint buffer, texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER_EXT, texture);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_TEXTURE_BUFFER_EXT, buffer);
        glBufferData(GL_TEXTURE_BUFFER_EXT, 16, cases[i].texel, GL_STATIC_DRAW);
        glTexBufferEXT(GL_TEXTURE_BUFFER_EXT, cases[i].format, buffer);
        draw(COVER, "#version 310 es\n"
                    "#extension GL_EXT_texture_buffer: require\n"
                    "uniform highp samplerBuffer texels;\n"
                    "out lowp vec4 color;\n"
                    "void main() { color = texelFetch(texels, 0); }");
        expect(8, 8, 0, 1, 0);
        glDeleteBuffers(1, &buffer);
    }
    glTexBufferEXT(GL_TEXTURE_BUFFER_EXT, GL_RGB16_EXT, 0);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glDeleteTextures(1, &texture);
}

/* EXT_texture_norm16: RGB and signed formats are not color-renderable. */
static void test_norm16(void **state)
{
    static const struct {
        GLenum internal, format, type;
        GLenum status;
    } cases[] = {
        {GL_R16_EXT, GL_RED, GL_UNSIGNED_SHORT, GL_FRAMEBUFFER_COMPLETE},
        {GL_RGBA16_EXT, GL_RGBA, GL_UNSIGNED_SHORT, GL_FRAMEBUFFER_COMPLETE},
        {GL_RGB16_EXT, GL_RGB, GL_UNSIGNED_SHORT, GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT},
    };
    GLuint texture, fbo;
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)cases[i].internal, 4, 4, 0, cases[i].format,
                     GL_UNSIGNED_BYTE, NULL);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)cases[i].internal, 4, 4, 0, cases[i].format,
                     cases[i].type, NULL);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), cases[i].status);
        glDeleteTextures(1, &texture);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
}

/* Checks that ASTC images are uploaded as blocks, not from pixels. */
static void test_astc(void **state)
{
    static const GLubyte green[2][16] = {
        {0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff},
        {0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff},
    };
    const GLenum format = GL_COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR;
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format, 13, 10, 0, 16, green);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format, 13, 10, 0, 32, green);
    draw(COVER, "#version 310 es\n"
                "uniform lowp sampler2D image;\n"
                "out lowp vec4 color;\n"
                "void main() { color = texture(image, gl_FragCoord.xy / 16.0); }");
    expect(8, 8, 0, 1, 0);
    expect(15, 15, 0, 1, 0);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 10, 0, 3, 10, format, 16, green);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 12, 0, 1, 10, format, 16, green);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, 12, 10, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGenerateMipmap(GL_TEXTURE_2D);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteTextures(1, &texture);
}

/* Checks names that extensions add to the language, each in a program that draws green. */
static void test_language(void **state)
{
    static const struct {
        const char *vs, *fs;
    } cases[] = {
        {"#version 310 es\n"
         "#extension GL_EXT_shader_io_blocks: require\n"
         "out Block { lowp vec4 color; } block;\n"
         "void main() { block.color = vec4(0, 1, 0, 1);\n"
         "gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1); }",
         "#version 310 es\n"
         "#extension GL_OES_shader_io_blocks: require\n"
         "in Block { lowp vec4 color; } block;\n"
         "out lowp vec4 color;\n"
         "void main() { color = block.color; }"},
        {COVER, "#version 310 es\n"
                "#extension GL_EXT_shader_implicit_conversions: require\n"
                "out lowp vec4 color;\n"
                "void main() { mediump float one = 1; color = vec4(0, one, 0, 1u); }"},
        {"#version 300 es\n"
         "#extension GL_NV_shader_noperspective_interpolation: require\n"
         "noperspective out mediump float green;\n"
         "void main() { float w = gl_VertexID == 1 ? 9.0 : 1.0; green = w > 1.0 ? 0.0 : 2.0;\n"
         "gl_Position = w * vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1); }",
         "#version 300 es\n"
         "#extension GL_NV_shader_noperspective_interpolation: require\n"
         "noperspective in mediump float green;\n"
         /* linear in the window: 2 at its lower edge, 1 at the upper one */
         "out lowp vec4 color;\n"
         "void main() { color = vec4(0, green >= 0.999 && green < 2.0, 0, 1); }"},
        {COVER, "#version 310 es\n"
                "#extension GL_EXT_texture_shadow_lod: require\n"
                "uniform lowp sampler2DArrayShadow s;\n"
                "out lowp vec4 color;\n"
                "void main() { color = vec4(0, 1.0 + 0.0 * textureLod(s, vec4(0), 0.0), 0, 1); }"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        draw(cases[i].vs, cases[i].fs);
        expect(3, 12, 0, 1, 0);
    }
}

/* EXT_clip_cull_distance: half of the window is clipped. */
static void test_clip_distance(void **state)
{
    glEnable(GL_CLIP_DISTANCE1_EXT);
    draw("#version 300 es\n"
         "#extension GL_EXT_clip_cull_distance: require\n"
         "out highp float gl_ClipDistance[2];\n"
         "void main() {\n"
         "gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1);\n"
         "gl_ClipDistance[0] = 0.0; gl_ClipDistance[1] = gl_Position.x; }",
         "#version 300 es\n"
         "out lowp vec4 color;\n"
         "void main() { color = vec4(0, 1, 0, 1); }");
    expect(4, 8, 0, 0, 0);
    expect(12, 8, 0, 1, 0);
    glDisable(GL_CLIP_DISTANCE1_EXT);
}

/* Checks ES 3.2 commands under their extension names. */
static void test_other_names(void **state)
{
    const GLfloat border[4] = {0, 1, 0, 1};
    GLuint texture[2];
    glGenTextures(2, texture);
    for (unsigned i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_3D, texture[i]);
        glTexImage3DOES(GL_TEXTURE_3D_OES, 0, GL_RGBA, 2, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
        glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    glCopyImageSubDataEXT(texture[0], GL_TEXTURE_3D, 0, 0, 0, 0, texture[1], GL_TEXTURE_3D, 0, 0, 0,
                          0, 2, 2, 2);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER_EXT);
    glTexParameterfv(GL_TEXTURE_3D, GL_TEXTURE_BORDER_COLOR_EXT, border);
    draw(COVER, "#version 310 es\n"
                "uniform lowp sampler3D s;\n"
                "out lowp vec4 color;\n"
                "void main() { color = texture(s, vec3(-3.0, 0.5, 0.5)); }");
    expect(8, 8, 0, 1, 0);
    glEnableiEXT(GL_BLEND, 1);
    glBlendEquationiOES(1, GL_FUNC_SUBTRACT);
    assert_true(glIsEnablediOES(GL_BLEND, 1));
    assert_false(glIsEnabled(GL_BLEND));
    glDisableiOES(GL_BLEND, 1);
    glEnable(GL_SAMPLE_SHADING_OES);
    glMinSampleShadingOES(0.5f);
    glDisable(GL_SAMPLE_SHADING_OES);
    glDeleteTextures(2, texture);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks desktop features in OpenGL ES, under their extension names. */
static void test_desktop_features(void **state)
{
    static const GLubyte green[4] = {0, 255, 0, 255};
    GLuint texture, buffer;
    GLint value = 0;
    glClipControlEXT(GL_UPPER_LEFT_EXT, GL_ZERO_TO_ONE_EXT);
    glGetIntegerv(GL_CLIP_ORIGIN_EXT, &value);
    assert_int_equal(value, GL_UPPER_LEFT_EXT);
    glClipControlEXT(GL_LOWER_LEFT_EXT, GL_NEGATIVE_ONE_TO_ONE_EXT);
    /* Behind the far plane, unless depths are clamped. */
    const char *far_vs = "#version 310 es\n"
                         "void main() { gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % "
                         "2 * 4 - 1, 3, 1); }";
    const char *green_fs = "#version 310 es\n"
                           "out lowp vec4 color; void main() { color = vec4(0, 1, 0, 1); }";
    draw(far_vs, green_fs);
    expect(8, 8, 0, 0, 0);
    glEnable(GL_DEPTH_CLAMP_EXT);
    assert_true(glIsEnabled(GL_DEPTH_CLAMP_EXT));
    draw(far_vs, green_fs);
    expect(8, 8, 0, 1, 0);
    glDisable(GL_DEPTH_CLAMP_EXT);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4);
    glClearTexImageEXT(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, green);
    draw(COVER, "#version 310 es\n"
                "uniform lowp sampler2D image; out lowp vec4 color;\n"
                "void main() { color = texture(image, vec2(0.5)); }");
    expect(8, 8, 0, 1, 0);
    glDeleteTextures(1, &texture);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorageEXT(GL_ARRAY_BUFFER, 16, NULL, GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT);
    assert_non_null(
        glMapBufferRange(GL_ARRAY_BUFFER, 0, 16, GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT));
    glDeleteBuffers(1, &buffer);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* EXT_texture_sRGB_R8, _RG8: formats that can be sampled but not rendered to in ES 3.2. */
static void test_srgb_red(void **state)
{
    static const GLubyte texel[2] = {128, 255};
    GLuint texture, fbo;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (unsigned i = 0; i < 2; i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, i ? GL_SRG8_EXT : GL_SR8_EXT, 1, 1, 0, i ? GL_RG : GL_RED,
                     GL_UNSIGNED_BYTE, texel);
        draw(COVER, "#version 310 es\n"
                    "uniform lowp sampler2D image; out lowp vec4 color;\n"
                    "void main() { color = texture(image, vec2(0.5)); }");
        expect(8, 8, 0.2159f, i ? 1 : 0, 0);
    }
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER),
                     GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
}

/* The formats are in the view classes of 8 and 16 bits. */
static void test_srgb_red_views(void **state)
{
    static const GLenum linear[2] = {GL_R8, GL_RG8}, srgb[2] = {GL_SR8_EXT, GL_SRG8_EXT};
    static const GLubyte texel[2] = {128, 255};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (unsigned i = 0; i < 2; i++) {
        GLuint textures[4]; /* linear, a view of it, a copy, unused */
        glGenTextures(4, textures);
        glBindTexture(GL_TEXTURE_2D, textures[0]);
        glTexStorage2D(GL_TEXTURE_2D, 1, linear[i], 1, 1);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, i ? GL_RG : GL_RED, GL_UNSIGNED_BYTE, texel);
        glTextureViewEXT(textures[1], GL_TEXTURE_2D, textures[0], srgb[i], 0, 1, 0, 1);
        glBindTexture(GL_TEXTURE_2D, textures[2]);
        glTexStorage2D(GL_TEXTURE_2D, 1, srgb[i], 1, 1);
        glCopyImageSubDataEXT(textures[0], GL_TEXTURE_2D, 0, 0, 0, 0, textures[2], GL_TEXTURE_2D, 0,
                              0, 0, 0, 1, 1, 1);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        for (unsigned k = 0; k < 3; k++) {
            glBindTexture(GL_TEXTURE_2D, textures[k]);
            draw(COVER, "#version 310 es\n"
                        "uniform lowp sampler2D image; out lowp vec4 color;\n"
                        "void main() { color = texture(image, vec2(0.5)); }");
            expect(8, 8, k ? 0.2159f : 0.502f, i ? 1 : 0, 0);
        }
        glTextureViewEXT(textures[3], GL_TEXTURE_2D, textures[0], srgb[!i], 0, 1, 0, 1);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
        glDeleteTextures(4, textures);
    }
}

/* EXT_compressed_ETC1_RGB8_sub_texture: blocks of an image can be replaced. */
static void test_etc1_parts(void **state)
{
    static const GLubyte black[2][8], white[8] = {0xff, 0xff, 0xff, 0, 0, 0, 0, 0};
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 8, 4, 0, 16, black);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 4, 0, 4, 4, GL_ETC1_RGB8_OES, 8, white);
    draw(COVER, "#version 310 es\n"
                "uniform lowp sampler2D image; out lowp vec4 color;\n"
                "void main() { color = step(0.5, texture(image, gl_FragCoord.xy / 16.0)); }");
    expect(4, 8, 0, 0, 0);
    expect(12, 8, 1, 1, 1);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 2, 0, 4, 4, GL_ETC1_RGB8_OES, 8, white);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteTextures(1, &texture);
}

/* Checks that one directive enables all extensions of the pack. */
static void test_android_pack(void **state)
{
    if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ANDROID_extension_pack_es31a"))
        return; /* the driver lacks one of them */
    draw("#version 310 es\n"
         "#extension GL_ANDROID_extension_pack_es31a: require\n"
         "out Block { lowp vec4 color; } block;\n"
         "void main() { block.color = vec4(0, 1, 0, 1);\n"
         "gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1); }",
         "#version 310 es\n"
         "#extension GL_ANDROID_extension_pack_es31a: require\n"
         "layout(blend_support_all_equations) out;\n"
         "in Block { lowp vec4 color; } block;\n"
         "out lowp vec4 color;\n"
         "void main() { lowp float w = fma(1.0, 1.0, 0.0); color = w * block.color; }");
    expect(8, 8, 0, 1, 0);
}

#ifndef GL_EXT_mesh_shader
#define GL_MESH_SHADER_EXT     0x9559
#define GL_TASK_SHADER_EXT     0x955A
#define GL_MESH_SHADER_BIT_EXT 0x00000040
GL_APICALL void GL_APIENTRY glDrawMeshTasksEXT(GLuint x, GLuint y, GLuint z);
#endif

#define MESH_HEAD "#version 310 es\n#extension GL_EXT_mesh_shader : require\n"
#define MESH_FS   MESH_HEAD "precision highp float; precision highp int; out vec4 color;\n"
#define MESH                                                                                       \
    MESH_HEAD "layout(local_size_x = 3) in;\n"                                                     \
              "layout(triangles, max_vertices = 3, max_primitives = 1) out;\n"                     \
              "taskPayloadSharedEXT vec4 tint; out vec4 c[]; perprimitiveEXT out int n[];\n"       \
              "void main() {\n"                                                                    \
              "    uint i = gl_LocalInvocationIndex;\n"                                            \
              "    SetMeshOutputsEXT(3u, 1u);\n"                                                   \
              "    gl_MeshVerticesEXT[i].gl_Position =\n"                                          \
              "        vec4(i == 1u ? 3.0 : -1.0, i == 2u ? 3.0 : -1.0, 0, 1);\n"                  \
              "    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);\n"                          \
              "    c[i] = tint + vec4(0, 0, 1, 0);\n"                                              \
              "    n[0] = 7;\n"                                                                    \
              "}\n"

/* Task and mesh shaders in one program, and with a fragment shader of another program, whose inputs
 * must match (ES 3.2 §7.4.1). */
static void test_mesh_shaders(void **state)
{
    const char *task = MESH_HEAD "layout(local_size_x = 1) in; taskPayloadSharedEXT vec4 tint;\n"
                                 "void main() { tint = vec4(0, 1, 0, 1);\n"
                                 "EmitMeshTasksEXT(1u, 1u, 1u); }\n";
    const char *fragments[] = {
        MESH_FS "in vec4 c; perprimitiveEXT in int n;\n"
                "void main() { color = n == 7 ? c : vec4(1, 0, 0, 1); }\n",
        MESH_FS "in vec4 other; void main() { color = other; }\n",
        MESH_FS "in vec3 c; void main() { color = c.xyzx; }\n",
    };
    const char *mesh = MESH;
    GLuint pipeline, program[2];
    if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_EXT_mesh_shader"))
        skip();
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_TASK_SHADER_EXT, task);
    gl_test_attach(p, GL_MESH_SHADER_EXT, mesh);
    gl_test_attach(p, GL_FRAGMENT_SHADER, fragments[0]);
    gl_test_use(p);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawMeshTasksEXT(1, 1, 1);
    expect(8, 8, 0, 1, 1);
    gl_test_delete_program(p);

    p = glCreateProgram(); /* ES requires a fragment shader */
    gl_test_attach(p, GL_MESH_SHADER_EXT, mesh);
    glLinkProgram(p);
    GLint linked;
    glGetProgramiv(p, GL_LINK_STATUS, &linked);
    assert_false(linked);
    glDeleteProgram(p);

    glGenProgramPipelines(1, &pipeline);
    glBindProgramPipeline(pipeline);
    program[0] = glCreateShaderProgramv(GL_MESH_SHADER_EXT, 1, &mesh);
    glUseProgramStages(pipeline, GL_MESH_SHADER_BIT_EXT, program[0]);
    for (unsigned i = 0; i < 3; i++) {
        program[1] = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 1, &fragments[i]);
        glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, program[1]);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawMeshTasksEXT(1, 1, 1);
        if (i)
            expect_error(GL_INVALID_OPERATION);
        else
            expect(8, 8, 0, 0, 1); /* there is no payload */
        glDeleteProgram(program[1]);
    }
    glDeleteProgram(program[0]);
    glDeleteProgramPipelines(1, &pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounding_box),   cmocka_unit_test(test_texture_buffer),
        cmocka_unit_test(test_norm16),         cmocka_unit_test(test_astc),
        cmocka_unit_test(test_language),       cmocka_unit_test(test_clip_distance),
        cmocka_unit_test(test_other_names),    cmocka_unit_test(test_desktop_features),
        cmocka_unit_test(test_android_pack),   cmocka_unit_test(test_srgb_red),
        cmocka_unit_test(test_srgb_red_views), cmocka_unit_test(test_etc1_parts),
        cmocka_unit_test(test_mesh_shaders),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
