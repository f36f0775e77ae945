/* SPDX-License-Identifier: MIT */
/* Sets up state that random calls rarely reach, such as linked programs, complete textures,
 * framebuffers, vertex arrays and shared contexts, and draws with it. */
#include "fuzz_gl.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz_gl_told.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(a)[0])

/* --- contexts --- */

static const struct gl_visual visual = {
    .color = DRV_FORMAT_B8G8R8A8_UNORM,
    .depth_stencil = DRV_FORMAT_Z24S8_UNORM,
    .double_buffered = true,
    .accum_bits = 16,
};

static bool window_size(void *data, int *width, int *height)
{
    const struct fuzz *f = data;
    *width = 40 + (int)f->thread;
    *height = 40;
    return true;
}

static bool make_context(struct fuzz *f, unsigned i, struct gl_context *share)
{
    static const struct gl_drawable_ops ops = {.get_size = window_size};
    const struct indium_core *core = indium_core_interface();
    enum gl_create_error error;
    struct gl_context_attribs attribs = {
        .api = f->api,
        .major = f->api == GL_API_CORE  ? 3
                 : f->api == GL_API_ES2 ? 2
                                        : 1,
        .minor = f->api == GL_API_CORE ? 2 : 0,
        .debug = i == 1,
        .visual = &visual,
        .share = share,
    };
    fuzz_note("context[%u] = …; /* %s */\n", i, share ? "shares" : "of its own");
    f->drawable[i] = core->drawable_create(&visual, &ops, f);
    f->context[i] = core->context_create(&attribs, &error);
    return f->drawable[i] && f->context[i];
}

static bool make_current(struct fuzz *f, unsigned i)
{
    struct gl_drawable *d = fuzz_chance(f, 90) ? f->drawable[i] : NULL;
    f->current = i;
    f->inside_begin = f->compiling = false; /* state of the previous context */
    fuzz_note("core->make_current(context[%u], %s, …);\n", i, d ? "drawable" : "NULL");
    return indium_core_interface()->make_current(f->context[i], d, d);
}

bool fuzz_contexts_init(struct fuzz *f, struct gl_context *share)
{
    return make_context(f, 0, share) && make_current(f, 0);
}

void fuzz_contexts_finish(struct fuzz *f)
{
    const struct indium_core *core = indium_core_interface();
    core->make_current(NULL, NULL, NULL);
    for (unsigned i = 0; i < FUZZ_CONTEXTS; i++) {
        if (f->context[i])
            core->context_destroy(f->context[i]);
        if (f->drawable[i])
            core->drawable_destroy(f->drawable[i]);
    }
}

/* Makes another context current, or creates or destroys one. */
static void scene_context(struct fuzz *f)
{
    const struct indium_core *core = indium_core_interface();
    unsigned i = fuzz_random(f, FUZZ_CONTEXTS);
    if (f->context[i] && i != f->current && i && fuzz_chance(f, 20)) {
        fuzz_note("core->context_destroy(context[%u]);\n", i);
        core->context_destroy(f->context[i]);
        core->drawable_destroy(f->drawable[i]);
        f->context[i] = NULL;
        f->drawable[i] = NULL;
        return;
    }
    if (!f->context[i] && !make_context(f, i, fuzz_chance(f, 90) ? f->context[f->current] : NULL))
        abort();
    if (f->inside_begin)
        glEnd();
    if (f->compiling)
        glEndList();
    make_current(f, i);
}

static void scene_swap(struct fuzz *f)
{
    fuzz_note("core->drawable_swap(drawable);\n");
    indium_core_interface()->drawable_swap(f->drawable[f->current]);
}

/* --- objects --- */

static const char *const programs[][6] = {
    [GL_API_COMPAT] =
        {"#version 120\nattribute vec4 position; varying vec4 v; uniform mat4 matrix;\n"
         "void main() { v = position; gl_Position = gl_Vertex + position; }",
         "#version 120\nvarying vec4 v; uniform sampler2D tex; uniform vec4 color;\n"
         "void main() { gl_FragColor = texture2D(tex, v.xy) + color; }",
         "#version 330 compatibility\nin vec4 position; flat out ivec4 v;\n"
         "uniform block { vec4 member[4]; }; uniform samplerBuffer tex;\n"
         "void main() { v = ivec4(position); gl_Position = position + member[v.x & 3] "
         "+ texelFetch(tex, v.y); }",
         "#version 330 compatibility\nflat in ivec4 v; uniform isampler2DArray tex;\n"
         "layout(location = 0) out ivec4 color;\n"
         "void main() { color = v + texelFetch(tex, v.xyz, v.w); }",
         "#version 330 compatibility\n#extension GL_OVR_multiview2 : require\n"
         "layout(num_views = 2) in; in vec4 position; flat out uint v;\n"
         "void main() { v = gl_ViewID_OVR; gl_Position = position + vec4(v); }",
         "#version 330 compatibility\n#extension GL_OVR_multiview2 : require\n"
         "flat in uint v; out  vec4 color;\n"
         "void main() { color = vec4(v, gl_ViewID_OVR, 0, 1); }"},
    [GL_API_CORE] =
        {"#version 150\nin vec4 position; out vec4 v; uniform mat4 matrix;\n"
         "void main() { v = position; gl_Position = position; gl_PointSize = v.x; }",
         "#version 150\nin vec4 v; uniform sampler2DArray tex; uniform vec4 values[3];\n"
         "out vec4 color; void main() { color = texture(tex, v.xyz) + values[int(v.w)]; }",
         "#version 330\nin vec4 position; out vec4 v; uniform block { vec4 member[4]; };\n"
         "void main() { v = position; gl_Position = member[int(position.x)]; }",
         "#version 330\nin vec4 v; uniform samplerCubeShadow tex; out vec4 color;\n"
         "void main() { color = vec4(texture(tex, v)); gl_FragDepth = v.x; }",
         "#version 330\n#extension GL_OVR_multiview2 : require\n"
         "layout(num_views = 2) in; in vec4 position; flat out uint v;\n"
         "void main() { v = gl_ViewID_OVR; gl_Position = position + vec4(v); }",
         "#version 330\n#extension GL_OVR_multiview2 : require\n"
         "flat in uint v; out  vec4 color;\n"
         "void main() { color = vec4(v, gl_ViewID_OVR, 0, 1); }"},
    [GL_API_ES2] =
        {"attribute vec4 position; varying vec4 v;\n"
         "void main() { v = position; gl_Position = position; gl_PointSize = 3.0; }",
         "precision mediump float; varying vec4 v; uniform sampler2D tex;\n"
         "void main() { gl_FragColor = texture2D(tex, v.xy); }",
         "#version 300 es\nin vec4 position; out vec4 v; uniform block { vec4 member[4]; };\n"
         "void main() { v = position; gl_Position = position + member[1]; }",
         "#version 300 es\nprecision mediump float; in vec4 v; out vec4 color;\n"
         "uniform sampler2D tex; void main() { color = texture(tex, v.xy); }",
         "#version 300 es\n#extension GL_OVR_multiview2 : require\n"
         "layout(num_views = 2) in; in vec4 position; flat out uint v;\n"
         "void main() { v = gl_ViewID_OVR; gl_Position = position + vec4(v); }",
         "#version 300 es\n#extension GL_OVR_multiview2 : require\n"
         "flat in uint v; out mediump vec4 color;\n"
         "void main() { color = vec4(v, gl_ViewID_OVR, 0, 1); }"},
};

/* Makes a program current: elements `pair` and `pair` + 1 of the API's row of `programs`. */
static void use_program(struct fuzz *f, unsigned pair)
{
    GLuint program = glCreateProgram();
    fuzz_name_add(FUZZ_PROGRAM, program);
    for (unsigned i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &programs[f->api][pair + i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        fuzz_name_add(FUZZ_SHADER, shader);
    }
    glBindAttribLocation(program, fuzz_random(f, 3), "position");
    glLinkProgram(program);
    glUseProgram(program);
}

static void scene_program(struct fuzz *f)
{
    if (f->api != GL_API_ES1)
        use_program(f, 2 * fuzz_random(f, 2));
}

static void scene_texture(struct fuzz *f)
{
    static const GLenum targets[] = {GL_TEXTURE_2D,       GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D,
                                     GL_TEXTURE_CUBE_MAP, GL_TEXTURE_2D,       GL_TEXTURE_RECTANGLE,
                                     GL_TEXTURE_1D_ARRAY, GL_TEXTURE_1D};
    static const GLenum formats[][3] = {
        {GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE},
        {GL_RGBA32F, GL_RGBA, GL_FLOAT},
        {GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE},
        {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8},
        {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5},
        {GL_R8, GL_RED, GL_UNSIGNED_BYTE}};
    GLenum target = targets[f->api == GL_API_ES1 ? 0 : fuzz_random(f, ARRAY_SIZE(targets))];
    const GLenum *format = formats[f->api == GL_API_ES1 ? 0 : fuzz_random(f, ARRAY_SIZE(formats))];
    GLsizei size = 1 << fuzz_random(f, 6);
    GLuint texture;
    glGenTextures(1, &texture);
    fuzz_name_add(FUZZ_TEXTURE, texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, fuzz_chance(f, 50) ? GL_NEAREST : GL_LINEAR);
    if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY)
        glTexImage3D(target, 0, format[0], size, size, 3, 0, format[1], format[2], NULL);
    else if (target == GL_TEXTURE_1D)
        glTexImage1D(target, 0, format[0], size, 0, format[1], format[2], NULL);
    else if (target == GL_TEXTURE_CUBE_MAP)
        for (unsigned i = 0; i < 6; i++)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, format[0], size, size, 0, format[1],
                         format[2], NULL);
    else
        glTexImage2D(target, 0, format[0], size, size, 0, format[1], format[2], NULL);
}

static void scene_arrays(struct fuzz *f)
{
    static const float data[256] = {-1, -1, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1, 0.5f, 0.25f, 3, -2};
    static const uint16_t indices[] = {0, 1, 2, 2, 1, 3, 4, 5, 6, 0xffff, 7, 8, 9, 300, 1, 1};
    GLuint buffer[2], array;
    glGenBuffers(2, buffer);
    if (f->api != GL_API_ES1 && fuzz_chance(f, f->api == GL_API_CORE ? 95 : 40)) {
        glGenVertexArrays(1, &array);
        glBindVertexArray(array);
        fuzz_name_add(FUZZ_VERTEX_ARRAY, array);
    }
    for (unsigned i = 0; i < 2; i++) {
        fuzz_name_add(FUZZ_BUFFER, buffer[i]);
        glBindBuffer(i ? GL_ELEMENT_ARRAY_BUFFER : GL_ARRAY_BUFFER, buffer[i]);
        glBufferData(i ? GL_ELEMENT_ARRAY_BUFFER : GL_ARRAY_BUFFER,
                     i ? sizeof indices : sizeof data, i ? (const void *)indices : data,
                     GL_STATIC_DRAW);
    }
    if (f->api == GL_API_ES1 || (f->api == GL_API_COMPAT && fuzz_chance(f, 50))) {
        glVertexPointer(4, GL_FLOAT, 0, NULL);
        glEnableClientState(GL_VERTEX_ARRAY);
    } else {
        for (unsigned i = 0; i < 2; i++) {
            glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 16, NULL);
            glEnableVertexAttribArray(i);
        }
    }
}

/* Binds a sparse buffer of three and a half pages, and commits and decommits some of them. */
static void scene_sparse(struct fuzz *f)
{
    static const GLenum targets[] = {GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER, GL_UNIFORM_BUFFER,
                                     GL_SHADER_STORAGE_BUFFER};
    GLenum target = targets[fuzz_random(f, ARRAY_SIZE(targets))];
    const GLintptr page = 65536;
    GLuint buffer;
    if (f->api != GL_API_CORE && f->api != GL_API_COMPAT)
        return;
    glGenBuffers(1, &buffer);
    fuzz_name_add(FUZZ_BUFFER, buffer);
    glBindBuffer(target, buffer);
    glBufferStorage(target, 3 * page + page / 2, NULL,
                    GL_SPARSE_STORAGE_BIT_ARB | GL_DYNAMIC_STORAGE_BIT);
    for (unsigned i = 0; i < 4; i++)
        glBufferPageCommitmentARB(target, fuzz_random(f, 4) * page, fuzz_random(f, 3) * page,
                                  fuzz_chance(f, 60));
    if (target == GL_UNIFORM_BUFFER || target == GL_SHADER_STORAGE_BUFFER)
        glBindBufferBase(target, fuzz_random(f, 3), buffer);
}

/* Binds a sparse texture, commits and decommits some of its pages, and may render to it or bind it
 * to an image unit. */
static void scene_sparse_texture(struct fuzz *f)
{
    static const GLenum targets[] = {GL_TEXTURE_2D,        GL_TEXTURE_2D_ARRAY,
                                     GL_TEXTURE_CUBE_MAP,  GL_TEXTURE_3D,
                                     GL_TEXTURE_RECTANGLE, GL_TEXTURE_2D_MULTISAMPLE};
    static const GLenum formats[] = {GL_RGBA8, GL_R32UI, GL_RGBA32F, GL_R8, GL_RGB9_E5};
    const GLenum target = targets[fuzz_random(f, ARRAY_SIZE(targets))];
    const GLenum format = formats[fuzz_random(f, ARRAY_SIZE(formats))];
    const GLsizei layers = target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_3D ? 3 : 1;
    const GLsizei width = 256, height = target == GL_TEXTURE_CUBE_MAP ? 256 : 200;
    GLint page[2] = {1, 1};
    GLuint texture;
    if (f->api != GL_API_CORE && f->api != GL_API_COMPAT)
        return;
    glGenTextures(1, &texture);
    fuzz_name_add(FUZZ_TEXTURE, texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_SPARSE_ARB, GL_TRUE);
    if (target == GL_TEXTURE_2D_MULTISAMPLE)
        glTexStorage2DMultisample(target, 4, format, width, height, GL_TRUE);
    else if (layers > 1)
        glTexStorage3D(target, 1 + (GLsizei)fuzz_random(f, 9), format, width, height, layers);
    else
        glTexStorage2D(target, target == GL_TEXTURE_RECTANGLE ? 1 : 4, format, width, height);
    glGetInternalformativ(target, format, GL_VIRTUAL_PAGE_SIZE_X_ARB, 1, &page[0]);
    glGetInternalformativ(target, format, GL_VIRTUAL_PAGE_SIZE_Y_ARB, 1, &page[1]);
    for (unsigned i = 0; i < 5; i++)
        glTexPageCommitmentARB(target, (GLint)fuzz_random(f, 4), (GLint)fuzz_random(f, 3) * page[0],
                               (GLint)fuzz_random(f, 3) * page[1], (GLint)fuzz_random(f, 2),
                               page[0], page[1], 1, fuzz_chance(f, 60));
    if (fuzz_chance(f, 30))
        glGenerateMipmap(target);
    if (fuzz_chance(f, 50))
        glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture,
                             (GLint)fuzz_random(f, 3));
    if (fuzz_chance(f, 50))
        glBindImageTexture((GLuint)fuzz_random(f, 3), texture, (GLint)fuzz_random(f, 3), GL_TRUE, 0,
                           GL_READ_WRITE, format);
}

static void scene_framebuffer(struct fuzz *f)
{
    GLuint framebuffer, renderbuffer;
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    fuzz_name_add(FUZZ_FRAMEBUFFER, framebuffer);
    fuzz_name_add(FUZZ_RENDERBUFFER, renderbuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, fuzz_chance(f, 50) ? GL_DEPTH24_STENCIL8 : GL_RGBA4, 33,
                          20);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                              fuzz_chance(f, 50) ? GL_COLOR_ATTACHMENT0 : GL_DEPTH_ATTACHMENT,
                              GL_RENDERBUFFER, renderbuffer);
    if (fuzz_chance(f, 60))
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               (GLuint)fuzz_name(f, FUZZ_TEXTURE), (GLint)fuzz_random(f, 2));
}

/* A framebuffer with views (OVR_multiview) and a program that declares two. */
static void scene_views(struct fuzz *f)
{
    GLuint framebuffer, texture;
    if (f->api == GL_API_ES1)
        return;
    glGenFramebuffers(1, &framebuffer);
    glGenTextures(1, &texture);
    fuzz_name_add(FUZZ_FRAMEBUFFER, framebuffer);
    fuzz_name_add(FUZZ_TEXTURE, texture);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 33, 20, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glFramebufferTextureMultiviewOVR(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0,
                                     (GLint)fuzz_random(f, 3),
                                     fuzz_chance(f, 70) ? 2 : (GLsizei)fuzz_random(f, 4));
    use_program(f, 4);
}

/* Makes a program with a mesh shader current, in most cases also with a task shader. Its random
 * uniforms lead to counts and indices above the limits. */
static void scene_mesh(struct fuzz *f)
{
    static const GLenum types[] = {GL_MESH_SHADER_EXT, GL_FRAGMENT_SHADER, GL_TASK_SHADER_EXT};
    static const char *const bodies[] = {
        "layout(local_size_x = 8) in;\n"
        "layout(triangles, max_vertices = 24, max_primitives = 8) out;\n"
        "taskPayloadSharedEXT uvec4 payload; uniform vec4 color; uniform uvec4 counts;\n"
        "out vec4 v[]; perprimitiveEXT out vec4 member[];\n"
        "void main() {\n"
        "    uint i = gl_LocalInvocationIndex;\n"
        "    SetMeshOutputsEXT(24u + counts.x, 8u + counts.y);\n"
        "    for (uint k = 0u; k < 3u; k++) {\n"
        "        gl_MeshVerticesEXT[3u * i + k].gl_Position = vec4(\n"
        "            float(i) / 4.0 - 1.0, float(k * k) / 4.0 - 0.5, color.z, 1.0);\n"
        "        v[3u * i + k] = vec4(payload);\n"
        "    }\n"
        "    gl_PrimitiveTriangleIndicesEXT[i] = uvec3(3u * i, 3u * i + 1u, 3u * i + 2u) + "
        "payload.xyz;\n"
        "    member[i + counts.z] = color;\n"
        "    gl_MeshPrimitivesEXT[i].gl_Layer = int(payload.y);\n"
        "    gl_MeshPrimitivesEXT[i].gl_CullPrimitiveEXT = i == payload.z;\n"
        "}",
        "precision mediump float;\n"
        "in vec4 v; perprimitiveEXT in vec4 member; out vec4 result;\n"
        "void main() { result = v + member; }",
        "layout(local_size_x = 4) in;\n"
        "taskPayloadSharedEXT uvec4 payload; uniform uvec4 counts;\n"
        "void main() {\n"
        "    if (gl_LocalInvocationIndex == 0u) payload = gl_WorkGroupID.xyzx / 2u;\n"
        "    EmitMeshTasksEXT(1u + gl_WorkGroupID.x % 3u, 1u, 1u + counts.w % 3u);\n"
        "}",
    };
    const char *text[] = {f->api == GL_API_ES2 ? "#version 310 es\n" : "#version 450\n",
                          "#extension GL_EXT_mesh_shader : require\n", NULL};
    if (f->api == GL_API_ES1)
        return;
    const GLuint program = glCreateProgram();
    const unsigned count = fuzz_chance(f, 70) ? 3 : 2;
    fuzz_name_add(FUZZ_PROGRAM, program);
    for (unsigned i = 0; i < count; i++) {
        const GLuint shader = glCreateShader(types[i]);
        text[2] = bodies[i];
        glShaderSource(shader, 3, text, NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        fuzz_name_add(FUZZ_SHADER, shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    if (fuzz_chance(f, 40))
        glUniform4ui(glGetUniformLocation(program, "counts"), fuzz_random(f, 9), fuzz_random(f, 4),
                     fuzz_random(f, 9), fuzz_random(f, 3));
    glDrawMeshTasksEXT(fuzz_random(f, 9), 1 + fuzz_random(f, 9), 1 + fuzz_random(f, 2));
}

/* --- use --- */

static void scene_draw(struct fuzz *f)
{
    GLint indices = 0;
    glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &indices);
    if (indices && !f->client_arrays && fuzz_chance(f, 50))
        glDrawElements(fuzz_random(f, 7), 3 + (GLsizei)fuzz_random(f, 12), GL_UNSIGNED_SHORT, NULL);
    else
        glDrawArrays(fuzz_random(f, 7), (GLint)fuzz_random(f, 3), 3 + (GLsizei)fuzz_random(f, 12));
}

static void scene_immediate(struct fuzz *f)
{
    if (f->api != GL_API_COMPAT)
        return;
    glBegin(fuzz_random(f, 10));
    for (unsigned n = fuzz_random(f, 12); n; n--) {
        glTexCoord2f((float)fuzz_random(f, 3), 0.5f);
        glColor4ub((GLubyte)fuzz_random(f, 256), 0, 255, 100);
        glVertex3f((float)fuzz_random(f, 5) / 2 - 1, (float)fuzz_random(f, 5) / 2 - 1, 0);
    }
    glEnd();
    f->inside_begin = false;
}

static void scene_list(struct fuzz *f)
{
    if (f->api != GL_API_COMPAT)
        return;
    GLuint list = 1 + fuzz_random(f, 6);
    if (f->compiling) {
        glEndList();
    } else if (fuzz_chance(f, 50)) {
        glNewList(list, fuzz_chance(f, 50) ? GL_COMPILE : GL_COMPILE_AND_EXECUTE);
        fuzz_name_add(FUZZ_DISPLAY_LIST, list);
        f->list_called = false;
    } else {
        glCallList(list);
        return;
    }
    f->compiling = !f->compiling;
}

static void scene_read(struct fuzz *f)
{
    static uint8_t pixels[FUZZ_MAX_THREADS][4 * 4 * 16];
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    if (f->api != GL_API_ES1) {
        glPixelStorei(GL_PACK_ROW_LENGTH, 0);
        glPixelStorei(GL_PACK_SKIP_ROWS, 0);
        glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }
    glReadPixels((GLint)fuzz_random(f, 40), 2, 4, 4, GL_RGBA,
                 fuzz_chance(f, 50) ? GL_FLOAT : GL_UNSIGNED_BYTE, pixels[f->thread]);
}

/* Resets state that makes most calls fail. */
static void scene_calm(struct fuzz *f)
{
    if (f->inside_begin)
        glEnd();
    f->inside_begin = false;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (f->api != GL_API_ES1) {
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
        glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
        glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);
        glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glUseProgram(0);
    }
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, 40, 40);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void fuzz_scene(struct fuzz *f)
{
    static void (*const scenes[])(struct fuzz *) = {
        scene_program,        scene_texture, scene_arrays,  scene_framebuffer, scene_draw,
        scene_draw,           scene_draw,    scene_draw,    scene_immediate,   scene_list,
        scene_list,           scene_read,    scene_calm,    scene_calm,        scene_context,
        scene_immediate,      scene_swap,    scene_texture, scene_views,       scene_sparse,
        scene_sparse_texture, scene_mesh};
    scenes[fuzz_random(f, ARRAY_SIZE(scenes))](f);
}
