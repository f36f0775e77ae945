# SPDX-License-Identifier: MIT
"""Rows for state of objects: vertex arrays, framebuffers and textures."""
from state_rows import ALL, COMPAT, DATA, DESKTOP, OBJECT, each, row, switch
from state_rows_fragments import BLEND, TWO

# --- vertex arrays -------------------------------------------------------------------------------

row(
    'attrib-enable',
    ALL,
    'glDisableVertexAttribArray(1);',
    'glEnableVertexAttribArray(1);',
    setup='glVertexAttrib4f(1, 0.3f, 0.9f, 0.6f, 1);',
    flags='NO_LIST',
)
row(
    'attrib-current',
    ALL,
    'glVertexAttrib4f(1, 1, 0.2f, 0.1f, 1);',
    'glVertexAttrib4f(1, 0.3f, 0.9f, 0.6f, 1);',
    setup='glDisableVertexAttribArray(1); glVertexAttrib4f(1, 0.3f, 0.9f, 0.6f, 1);',
)
row(
    'attrib-current-components',
    ALL,
    'glVertexAttrib2f(1, 0.3f, 0.9f);',
    'glVertexAttrib4f(1, 0.3f, 0.9f, 0.6f, 0.5f);',
    setup='glDisableVertexAttribArray(1); glVertexAttrib4f(1, 0.3f, 0.9f, 0.6f, 0.5f);',
)
row('attrib-offset', ALL, 'point_attrib(1, 4, 5);', 'point_attrib(1, 4, 4);', flags='NO_LIST')
row('attrib-size', ALL, 'point_attrib(1, 2, 4);', 'point_attrib(1, 4, 4);', flags='NO_LIST')
row(
    'attrib-stride',
    ALL,
    'glVertexAttribPointer(1, 4, GL_FLOAT, 0, 20, NULL);',
    'glVertexAttribPointer(1, 4, GL_FLOAT, 0, 40, NULL);',
    setup='glVertexAttribPointer(1, 4, GL_FLOAT, 0, 40, NULL);',
    flags='NO_LIST',
)
row(
    'attrib-type',
    ALL,
    'glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, 1, 40, (void *)16);',
    'glVertexAttribPointer(1, 4, GL_BYTE, 1, 40, (void *)16);',
    setup='glVertexAttribPointer(1, 4, GL_BYTE, 1, 40, (void *)16);',
    flags='NO_LIST',
)
row(
    'attrib-normalized',
    ALL,
    'glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, 0, 40, (void *)16);',
    'glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, 1, 40, (void *)16);',
    setup='glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, 1, 40, (void *)16);',
    flags='NO_LIST',
)
row(
    'attrib-bgra',
    DESKTOP,
    'glVertexAttribPointer(1, GL_BGRA, GL_UNSIGNED_BYTE, 1, 40, (void *)16);',
    'glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, 1, 40, (void *)16);',
    setup='glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, 1, 40, (void *)16);',
    flags='NO_LIST',
)
INTEGER = (
    'use("layout(location = 0) in vec4 pos; layout(location = 3) in ivec4 n; '
    'flat out ivec4 v; void main() { gl_Position = pos; v = n; }", "flat in ivec4 v; '
    'out vec4 r; void main() { r = vec4(v & 255) / 255.0; }"); '
    'glVertexAttribIPointer(3, 4, GL_BYTE, 40, (void *)17); glEnableVertexAttribArray(3);'
)
row(
    'attrib-integer-type',
    ALL,
    'glVertexAttribIPointer(3, 4, GL_SHORT, 40, (void *)16);',
    'glVertexAttribIPointer(3, 4, GL_BYTE, 40, (void *)17);',
    setup=INTEGER,
    flags='NO_LIST',
)
row(
    'attrib-integer-current',
    ALL,
    'glVertexAttribI4i(3, 1, 200, 3, 255);',
    'glVertexAttribI4i(3, 77, 20, 30, 255);',
    setup=INTEGER + 'glDisableVertexAttribArray(3); glVertexAttribI4i(3, 77, 20, 30, 255);',
)
row(
    'attrib-buffer',
    ALL,
    'glBindBuffer(GL_ARRAY_BUFFER, s.a); point_attrib(1, 4, 4);',
    'glBindBuffer(GL_ARRAY_BUFFER, s.vertices); point_attrib(1, 4, 4);',
    setup=(
        's.a = make_buffer(GL_ARRAY_BUFFER, sizeof mesh, mesh); '
        'glBufferSubData(GL_ARRAY_BUFFER, 0, 400, mesh[3]);'
    ),
    flags='NO_LIST',
)
row(
    'attrib-format',
    ALL,
    'glVertexAttribFormat(1, 3, GL_FLOAT, 0, 20);',
    'glVertexAttribFormat(1, 4, GL_FLOAT, 0, 16);',
    setup=(
        'for (unsigned i = 0; i < 2; i++) { glVertexAttribFormat(i, 4, GL_FLOAT, 0, 16 * i); '
        'glVertexAttribBinding(i, i); glBindVertexBuffer(i, s.vertices, 0, 40); }'
    ),
    flags='NO_LIST',
)
FORMAT = (
    'for (unsigned i = 0; i < 2; i++) { glVertexAttribFormat(i, 4, GL_FLOAT, 0, 16 * i); '
    'glVertexAttribBinding(i, i); glBindVertexBuffer(i, s.vertices, 0, 40); '
    '} glBindVertexBuffer(3, s.vertices, 8, 36);'
)
row(
    'attrib-binding',
    ALL,
    'glVertexAttribBinding(1, 3);',
    'glVertexAttribBinding(1, 1);',
    setup=FORMAT,
    flags='NO_LIST',
)
row(
    'vertex-buffer-offset',
    ALL,
    'glBindVertexBuffer(1, s.vertices, 40, 40);',
    'glBindVertexBuffer(1, s.vertices, 0, 40);',
    setup=FORMAT,
    flags='NO_LIST',
)
row(
    'vertex-buffer-stride',
    ALL,
    'glBindVertexBuffer(1, s.vertices, 0, 32);',
    'glBindVertexBuffer(1, s.vertices, 0, 40);',
    setup=FORMAT,
    flags='NO_LIST',
)
row(
    'vertex-buffers',
    DESKTOP,
    'glBindVertexBuffers(1, 1, &s.vertices, (const GLintptr[]){80}, (const GLsizei[]){40});',
    'glBindVertexBuffers(1, 1, &s.vertices, (const GLintptr[]){0}, (const GLsizei[]){40});',
    setup=FORMAT,
    flags='NO_LIST',
)
INSTANCED = 'glVertexAttribDivisor(1, 1);'
row(
    'attrib-divisor',
    ALL,
    'glVertexAttribDivisor(1, 1);',
    'glVertexAttribDivisor(1, 0);',
    draw='draw_instances',
    flags='NO_LIST',
)
row(
    'attrib-divisor-2',
    ALL,
    'glVertexAttribDivisor(1, 2);',
    'glVertexAttribDivisor(1, 1);',
    setup=INSTANCED,
    draw='draw_instances',
    flags='NO_LIST',
)
row(
    'binding-divisor',
    ALL,
    'glVertexBindingDivisor(1, 1);',
    'glVertexBindingDivisor(1, 0);',
    setup=FORMAT,
    draw='draw_instances',
    flags='NO_LIST',
)
row(
    'vertex-array',
    ALL,
    'glBindVertexArray(s.a);',
    'glBindVertexArray(s.vao);',
    setup=(
        'glGenVertexArrays(1, &s.a); glBindVertexArray(s.a); point_attrib(0, 4, 0); '
        'point_attrib(1, 3, 3); glBindVertexArray(s.vao);'
    ),
    flags='NO_LIST',
)
row(
    'vertex-array-deleted',
    ALL,
    'glGenVertexArrays(1, &s.a); glBindVertexArray(s.a); point_attrib(0, 4, 0); '
    'point_attrib(1, 3, 3);',
    'glDeleteVertexArrays(1, &s.a); glBindVertexArray(s.vao);',
    flags=OBJECT,
)
row(
    'vertex-data',
    ALL,
    'glBufferSubData(GL_ARRAY_BUFFER, 0, 400, mesh[4]);',
    'glBufferSubData(GL_ARRAY_BUFFER, 0, 400, mesh[0]);',
    flags=DATA,
)
row(
    'vertex-data-again',
    ALL,
    'glBufferData(GL_ARRAY_BUFFER, 480, mesh[3], GL_STATIC_DRAW);',
    'glBufferData(GL_ARRAY_BUFFER, sizeof mesh, mesh, GL_STATIC_DRAW);',
    setup='glBufferData(GL_ARRAY_BUFFER, sizeof mesh, mesh, GL_STATIC_DRAW);',
    draw='draw_quads',
    flags=DATA,
)
row(
    'vertex-data-mapped',
    ALL,
    'float *p = glMapBufferRange(GL_ARRAY_BUFFER, 16, 16, GL_MAP_WRITE_BIT); p[0] = 0; p[1] = 1; '
    'glUnmapBuffer(GL_ARRAY_BUFFER);',
    'float *p = glMapBufferRange(GL_ARRAY_BUFFER, 16, 16, GL_MAP_WRITE_BIT); p[0] = 1; '
    'p[1] = 0.3f; glUnmapBuffer(GL_ARRAY_BUFFER);',
    flags=DATA,
)
row(
    'vertex-data-mapped-invalidated',
    ALL,
    'float *p = glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof mesh, GL_MAP_WRITE_BIT | '
    'GL_MAP_INVALIDATE_BUFFER_BIT); memcpy(p, mesh, sizeof mesh); p[0] = 0; '
    'glUnmapBuffer(GL_ARRAY_BUFFER);',
    'float *p = glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof mesh, GL_MAP_WRITE_BIT | '
    'GL_MAP_INVALIDATE_BUFFER_BIT); memcpy(p, mesh, sizeof mesh); glUnmapBuffer(GL_ARRAY_BUFFER);',
    flags=DATA,
)
row(
    'vertex-data-mapped-range',
    ALL,
    'float *p = glMapBufferRange(GL_ARRAY_BUFFER, 16, 8, '
    'GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT); '
    'p[0] = 0; p[1] = 1; glUnmapBuffer(GL_ARRAY_BUFFER);',
    'float *p = glMapBufferRange(GL_ARRAY_BUFFER, 16, 8, '
    'GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT); '
    'p[0] = 1; p[1] = 0.3f; glUnmapBuffer(GL_ARRAY_BUFFER);',
    flags=DATA,
)
row(
    'vertex-data-copied',
    ALL,
    'glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 80, 0, 400);',
    'glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 0, 400);',
    setup='s.a = make_buffer(GL_COPY_READ_BUFFER, sizeof mesh, mesh);',
    flags=DATA,
)
row(
    'vertex-data-cleared',
    DESKTOP,
    'glClearBufferSubData(GL_ARRAY_BUFFER, GL_R32F, 16, 16, GL_RED, GL_FLOAT, NULL);',
    'glBufferSubData(GL_ARRAY_BUFFER, 0, 400, mesh[0]);',
    flags=DATA,
)
ELEMENTS = dict(draw='draw_elements', flags=OBJECT)
row(
    'index-buffer',
    ALL,
    'glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s.a);',
    'glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s.indices);',
    setup=(
        's.a = make_buffer(GL_ELEMENT_ARRAY_BUFFER, 30, &mesh_indices[0]); '
        'glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, 6, &mesh_indices[9]); '
        'glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s.indices);'
    ),
    **ELEMENTS,
)
row(
    'index-data',
    ALL,
    'glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, 6, &mesh_indices[9]);',
    'glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, 6, mesh_indices);',
    **ELEMENTS,
)
RESTART = (
    'glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s.indices); '
    'glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, 16, (const GLushort[]){0, 1, 5, 0xffff, 6, '
    '10, 8, 14});'
)
switch(
    'primitive-restart',
    DESKTOP,
    'GL_PRIMITIVE_RESTART',
    setup=RESTART + 'glPrimitiveRestartIndex(6);',
    draw='draw_strip',
    flags='0',
)
row(
    'primitive-restart-index',
    DESKTOP,
    'glPrimitiveRestartIndex(5);',
    'glPrimitiveRestartIndex(6);',
    setup=RESTART + 'glEnable(GL_PRIMITIVE_RESTART); glPrimitiveRestartIndex(6);',
    draw='draw_strip',
    flags='NO_LIST',
)
switch(
    'primitive-restart-fixed',
    ALL,
    'GL_PRIMITIVE_RESTART_FIXED_INDEX',
    setup=RESTART,
    draw='draw_strip',
)

# --- framebuffers --------------------------------------------------------------------------------

row(
    'framebuffer',
    ALL,
    'glBindFramebuffer(GL_FRAMEBUFFER, s.a);',
    'glBindFramebuffer(GL_FRAMEBUFFER, s.fbo);',
    setup=(
        TWO
        + 'glClear(GL_COLOR_BUFFER_BIT); glGenFramebuffers(1, &s.a); '
        'glBindFramebuffer(GL_FRAMEBUFFER, s.a); s.b = make_target(GL_RGB5_A1); '
        'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s.b, 0); '
        'glBindFramebuffer(GL_FRAMEBUFFER, s.fbo);'
    ),
    flags=OBJECT + ' | NO_PENDING',
)
row(
    'framebuffer-of-window',
    ALL,
    'glBindFramebuffer(GL_FRAMEBUFFER, s.fbo);',
    'glBindFramebuffer(GL_FRAMEBUFFER, 0);',
    setup=TWO + 'glBindFramebuffer(GL_FRAMEBUFFER, 0);',
    flags=OBJECT + ' | NO_PENDING',
)
row(
    'draw-framebuffer',
    ALL,
    'glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);',
    'glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s.fbo);',
    setup=TWO,
    flags=OBJECT,
)
row(
    'read-framebuffer',
    ALL,
    'glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);',
    'glBindFramebuffer(GL_READ_FRAMEBUFFER, s.fbo);',
    setup=TWO,
    flags=OBJECT + ' | NO_PENDING',
)
row(
    'read-buffer',
    ALL,
    'glReadBuffer(GL_COLOR_ATTACHMENT0);',
    'glReadBuffer(GL_COLOR_ATTACHMENT1);',
    setup=TWO,
    flags='NO_PENDING',
)
row(
    'draw-buffers',
    ALL,
    'glDrawBuffers(1, (const GLenum[]){GL_COLOR_ATTACHMENT0});',
    'glDrawBuffers(2, (const GLenum[]){GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});',
    setup=TWO,
)
row(
    'draw-buffers-none',
    ALL,
    'glDrawBuffers(2, (const GLenum[]){GL_COLOR_ATTACHMENT0, GL_NONE});',
    'glDrawBuffers(2, (const GLenum[]){GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});',
    setup=TWO,
)
row(
    'draw-buffers-swapped',
    DESKTOP,
    'glDrawBuffers(2, (const GLenum[]){GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT0});',
    'glDrawBuffers(2, (const GLenum[]){GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});',
    setup=TWO,
)
row(
    'draw-buffer',
    DESKTOP,
    'glDrawBuffer(GL_FRONT);',
    'glDrawBuffer(GL_BACK);',
    setup='glDrawBuffer(GL_FRONT); clear(); glDrawBuffer(GL_BACK);',
)
row('draw-buffer-none', DESKTOP, 'glDrawBuffer(GL_NONE);', 'glDrawBuffer(GL_BACK);')
row(
    'attachment',
    ALL,
    'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, s.a, 0);',
    'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, s.f, 0);',
    setup=TWO + 's.a = make_target(GL_RGBA4); clear();',
    flags=OBJECT + ' | NO_PENDING',
)
row(
    'attachment-detached',
    ALL,
    'glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, 0, 0);',
    'glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, s.f, 0);',
    setup=(
        TWO
        + 'glGenFramebuffers(1, &s.a); glBindFramebuffer(GL_READ_FRAMEBUFFER, s.a); '
        'glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s.f, '
        '0); glBindFramebuffer(GL_READ_FRAMEBUFFER, s.a);'
    ),
    flags=OBJECT,
)
LEVELS = (
    TWO
    + 'glGenTextures(1, &s.a); glBindTexture(GL_TEXTURE_2D_ARRAY, s.a); '
    'glTexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8, 64, 64, 3); glGenFramebuffers(1, &s.b); '
    'glBindFramebuffer(GL_FRAMEBUFFER, s.b); for (GLint i = 2; i >= 0; '
    'i--) { glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s.a, i == 2 ? 0 : '
    '1, i == 1); clear(); } glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, '
    's.a, 0, 0); '
)
LEVELS += (
    'glGenFramebuffers(1, &s.c); glBindFramebuffer(GL_READ_FRAMEBUFFER, s.c); '
    'glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s.a, 0, 0);'
)
row(
    'attachment-level',
    ALL,
    'glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s.a, 1, 0);',
    'glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s.a, 0, 0);',
    setup=LEVELS,
    flags=OBJECT,
)
row(
    'attachment-layer',
    ALL,
    'glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s.a, 0, 1);',
    'glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s.a, 0, 0);',
    setup=LEVELS,
    flags=OBJECT,
)
row(
    'attachment-view',
    ALL,
    'glFramebufferTextureMultiviewOVR(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s.a, 0, 1, 1);',
    'glFramebufferTextureMultiviewOVR(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, s.a, 0, 0, 1);',
    setup=LEVELS,
    flags=OBJECT,
)
DEPTH_FBO = (
    TWO
    + 's.a = make_target(GL_DEPTH_COMPONENT24); '
    'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, s.a, 0); '
    'glEnable(GL_DEPTH_TEST);'
)
row(
    'attachment-depth',
    ALL,
    'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, 0, 0);',
    'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, s.a, 0);',
    setup=DEPTH_FBO,
    flags=OBJECT,
)
row(
    'attachment-named',
    DESKTOP,
    'glNamedFramebufferTexture(s.fbo, GL_DEPTH_ATTACHMENT, 0, 0);',
    'glNamedFramebufferTexture(s.fbo, GL_DEPTH_ATTACHMENT, s.a, 0);',
    setup=DEPTH_FBO,
    flags=OBJECT,
)
row(
    'renderbuffer-storage',
    ALL,
    'glBindRenderbuffer(GL_RENDERBUFFER, s.a); '
    'glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, SIZE, SIZE);',
    'glBindRenderbuffer(GL_RENDERBUFFER, s.a); '
    'glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);',
    setup=(
        TWO
        + 'glGenRenderbuffers(1, &s.a); glBindRenderbuffer(GL_RENDERBUFFER, s.a); '
        'glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE); '
        'glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, s.a); '
        'clear();'
    ),
    draw='clear_mesh',
    flags=OBJECT + ' | NO_PENDING',
)
SRGB = (
    TWO
    + 's.a = make_target(GL_SRGB8_ALPHA8); glFramebufferTexture2D(GL_FRAMEBUFFER, '
    'GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, s.a, 0);'
)
switch('framebuffer-srgb', DESKTOP, 'GL_FRAMEBUFFER_SRGB', setup=SRGB)
switch('framebuffer-srgb-blend', DESKTOP, 'GL_FRAMEBUFFER_SRGB', setup=SRGB + BLEND)
row(
    'framebuffer-size',
    ALL,
    'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s.a, 0);',
    'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s.e, 0);',
    setup=(
        TWO
        + 'glGenTextures(1, &s.a); glBindTexture(GL_TEXTURE_2D, s.a); '
        'glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 20, 16); '
        'glBindTexture(GL_TEXTURE_2D, s.texture);'
    ),
    flags=OBJECT,
)
FEEDBACK = (
    TWO
    + 'glBindTexture(GL_TEXTURE_2D, s.a = make_target(GL_RGBA8)); '
    'glBindFramebuffer(GL_FRAMEBUFFER, s.fbo); '
    'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, s.a, 0); '
    'clear(); use(VS, FS); glBindFramebuffer(GL_FRAMEBUFFER, 0); '
    'glBindTexture(GL_TEXTURE_2D, s.a);'
)
row(
    'texture-drawn-to',
    ALL,
    'GLint f; glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &f); '
    'glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s.fbo); '
    'glClearBufferfv(GL_COLOR, 1, (const GLfloat[]){1, 0, 0.5f, 1}); '
    'glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)f);',
    'GLint f; glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &f); '
    'glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s.fbo); '
    'glClearBufferfv(GL_COLOR, 1, (const GLfloat[]){0.2f, 0.3f, 0.4f, 0.5f}); '
    'glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)f);',
    setup=FEEDBACK,
    flags=OBJECT,
)

# --- textures ------------------------------------------------------------------------------------

TEXTURE = dict(flags='NO_LIST')
row(
    'texture',
    ALL,
    'glBindTexture(GL_TEXTURE_2D, s.a);',
    'glBindTexture(GL_TEXTURE_2D, s.texture);',
    setup='s.a = make_texture(1); glBindTexture(GL_TEXTURE_2D, s.texture);',
)
row(
    'texture-zero',
    ALL,
    'glBindTexture(GL_TEXTURE_2D, 0);',
    'glBindTexture(GL_TEXTURE_2D, s.texture);',
)
row(
    'texture-deleted',
    ALL,
    's.a = make_texture(1);',
    'glDeleteTextures(1, &s.a); glBindTexture(GL_TEXTURE_2D, s.texture);',
    flags=OBJECT,
)
row(
    'texture-unit',
    DESKTOP,
    'glBindTextureUnit(0, s.a);',
    'glBindTextureUnit(0, s.texture);',
    setup='s.a = make_texture(1); glBindTexture(GL_TEXTURE_2D, s.texture);',
    flags='NO_LIST',
)
row(
    'bind-textures',
    DESKTOP,
    'glBindTextures(0, 1, &s.a);',
    'glBindTextures(0, 1, &s.texture);',
    setup='s.a = make_texture(1); glBindTexture(GL_TEXTURE_2D, s.texture);',
    flags='NO_LIST',
)
row(
    'mag-filter',
    ALL,
    'param(GL_TEXTURE_MAG_FILTER, GL_NEAREST);',
    'param(GL_TEXTURE_MAG_FILTER, GL_LINEAR);',
)
MINIFIED = 'glUniform1f(u("scale"), 5);'
each(
    'min-filter',
    ALL,
    'param(GL_TEXTURE_MIN_FILTER, %s);',
    'GL_LINEAR_MIPMAP_LINEAR',
    [
        'GL_NEAREST', 'GL_LINEAR', 'GL_NEAREST_MIPMAP_NEAREST', 'GL_LINEAR_MIPMAP_NEAREST',
        'GL_NEAREST_MIPMAP_LINEAR',
    ],
    setup=MINIFIED + 'param(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);',
)
BORDER = 'glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, (const GLfloat[]){%s});'
for axis in 'ST':
    each(
        f'wrap-{axis.lower()}',
        ALL,
        f'param(GL_TEXTURE_WRAP_{axis}, %s);',
        'GL_REPEAT',
        ['GL_CLAMP_TO_EDGE', 'GL_MIRRORED_REPEAT', 'GL_CLAMP_TO_BORDER'],
        setup=BORDER % '1, 0.5f, 0, 1',
    )
row(
    'wrap-mirror-once',
    DESKTOP,
    'param(GL_TEXTURE_WRAP_S, GL_MIRROR_CLAMP_TO_EDGE);',
    'param(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);',
    setup='param(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);',
)
row(
    'wrap-clamp',
    COMPAT,
    'param(GL_TEXTURE_WRAP_S, GL_CLAMP);',
    'param(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);',
    setup='param(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);',
)
row(
    'border-color',
    ALL,
    BORDER % '0, 1, 0.5f, 0.5f',
    BORDER % '1, 0.5f, 0, 1',
    setup='param(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);' + BORDER % '1, 0.5f, 0, 1',
)
row(
    'min-lod',
    ALL,
    'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, 2.5f);',
    'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, -1000);',
)
row(
    'max-lod',
    ALL,
    'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 0.5f);',
    'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 1000);',
    setup=MINIFIED,
)
row('base-level', ALL, 'param(GL_TEXTURE_BASE_LEVEL, 2);', 'param(GL_TEXTURE_BASE_LEVEL, 0);')
row(
    'max-level',
    ALL,
    'param(GL_TEXTURE_MAX_LEVEL, 1);',
    'param(GL_TEXTURE_MAX_LEVEL, 1000);',
    setup=MINIFIED,
)
row(
    'lod-bias',
    DESKTOP,
    'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, 1.5f);',
    'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, 0);',
    setup=MINIFIED,
)
row(
    'anisotropy',
    ALL,
    'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY, 8);',
    'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY, 1);',
    setup=(
        'param(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR); '
        'use("layout(location = 0) in vec4 pos; layout(location = 2) in vec2 tex; '
        'out vec2 v_tex; void main() { gl_Position = pos; v_tex = tex * vec2(8.0, 1.0); '
        '}", "in vec2 v_tex; uniform sampler2D image; out vec4 r; '
        'void main() { r = texture(image, v_tex); }");'
    ),
)
for channel, value in [('R', 'GL_ZERO'), ('G', 'GL_ONE'), ('B', 'GL_RED'), ('A', 'GL_GREEN')]:
    same = dict(R='GL_RED', G='GL_GREEN', B='GL_BLUE', A='GL_ALPHA')[channel]
    row(
        f'swizzle-{channel.lower()}',
        ALL,
        f'param(GL_TEXTURE_SWIZZLE_{channel}, {value});',
        f'param(GL_TEXTURE_SWIZZLE_{channel}, {same});',
        setup=BLEND,
    )
row(
    'swizzle',
    DESKTOP,
    'glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, (const GLint[]){GL_BLUE, GL_RED, '
    'GL_GREEN, GL_ALPHA});',
    'glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, (const GLint[]){GL_RED, GL_GREEN, '
    'GL_BLUE, GL_ALPHA});',
)
row(
    'parameter-by-name',
    DESKTOP,
    'glTextureParameteri(s.texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);',
    'glTextureParameteri(s.texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);',
    flags='NO_LIST',
)
SHADOW = (
    'use(VS, FRAGMENT("uniform sampler2DShadow image;", "result = v_color * texture(image, '
    'vec3(v_tex, 0.4));")); glGenTextures(1, &s.a); glBindTexture(GL_TEXTURE_2D, s.a); '
    'GLuint d[64]; for (unsigned i = 0; i < 64; '
    'i++) d[i] = i % 5 == 2 ? 0x66666666u : i * 0x4000000u; '
    'glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 8, 8, 0, GL_DEPTH_COMPONENT, '
    'GL_UNSIGNED_INT, d); param(GL_TEXTURE_MIN_FILTER, GL_NEAREST); '
    'param(GL_TEXTURE_MAG_FILTER, GL_NEAREST); '
    'param(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);'
)
each(
    'compare-func',
    ALL,
    'param(GL_TEXTURE_COMPARE_FUNC, %s);',
    'GL_LEQUAL',
    ['GL_GEQUAL', 'GL_GREATER', 'GL_ALWAYS', 'GL_NEVER'],
    setup=SHADOW,
)
DEPTH_IMAGE = (
    'textured(); glGenTextures(1, &s.a); glBindTexture(GL_TEXTURE_2D, s.a); GLuint d[64]; '
    'for (unsigned i = 0; i < 64; i++) d[i] = i * 0x4000000u; '
    'glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 8, 8, 0, GL_DEPTH_COMPONENT, '
    'GL_UNSIGNED_INT, d); param(GL_TEXTURE_MIN_FILTER, GL_NEAREST); '
    'param(GL_TEXTURE_MAG_FILTER, GL_NEAREST);'
)
row(
    'compare-mode',
    COMPAT,
    'param(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);',
    'param(GL_TEXTURE_COMPARE_MODE, GL_NONE);',
    setup=DEPTH_IMAGE,
    draw='draw_immediate',
)
row(
    'depth-texture-mode',
    COMPAT,
    'param(GL_DEPTH_TEXTURE_MODE, GL_ALPHA);',
    'param(GL_DEPTH_TEXTURE_MODE, GL_LUMINANCE);',
    setup=DEPTH_IMAGE + BLEND,
    draw='draw_immediate',
)
row(
    'depth-stencil-mode',
    ALL,
    'param(GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX); glUseProgram(s.b);',
    'param(GL_DEPTH_STENCIL_TEXTURE_MODE, GL_DEPTH_COMPONENT); glUseProgram(s.program);',
    setup=(
        's.b = link_program(VS, FRAGMENT("uniform usampler2D image;", "result = '
        'vec4(texture(image, v_tex)) / 99.0;")); glGenTextures(1, &s.a); '
        'glBindTexture(GL_TEXTURE_2D, s.a); GLuint d[64]; for (unsigned i = 0; i < 64; '
        'i++) d[i] = i * 0x4000000u + 2 * i; '
        'glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8, 8, 8, 0, GL_DEPTH_STENCIL, '
        'GL_UNSIGNED_INT_24_8, d); param(GL_TEXTURE_MIN_FILTER, GL_NEAREST); '
        'param(GL_TEXTURE_MAG_FILTER, GL_NEAREST);'
    ),
    flags=OBJECT,
)
SRGB_TEXTURE = (
    'glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, (const '
    'GLubyte[]){200, 40, 90, 255, 20, 140, 200, 255, 100, 100, 30, 255, 60, 240, 130, 255}); '
    'param(GL_TEXTURE_MIN_FILTER, GL_LINEAR);'
)
row(
    'srgb-decode',
    ALL,
    'param(GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);',
    'param(GL_TEXTURE_SRGB_DECODE_EXT, GL_DECODE_EXT);',
    setup=SRGB_TEXTURE,
)
row(
    'texels',
    ALL,
    'glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, (const '
    'GLubyte[]){255, 0, 0, 255, 0, 0, 255, 255});',
    'glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, (const '
    'GLubyte[]){9, 99, 9, 255, 9, 9, 9, 255});',
    setup=(
        'glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, (const '
        'GLubyte[]){9, 99, 9, 255, 9, 9, 9, 255});'
    ),
    flags='NO_ATTRIB',
)
IMAGE = (
    'glTexImage2D(GL_TEXTURE_2D, 0, %s, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, (const '
    'GLubyte[]){200, 40, 90, 99, 20, 140, 200, 255, 100, 100, 30, 155, 60, 240, 130, 255});'
)
row(
    'image-format',
    ALL,
    IMAGE % 'GL_RGBA8',
    'glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, (const '
    'GLubyte[]){200, 40, 90});',
    setup=(
        'param(GL_TEXTURE_MIN_FILTER, GL_NEAREST); '
        'glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, (const '
        'GLubyte[]){200, 40, 90});'
    ),
    flags='NO_ATTRIB',
)
row(
    'image-incomplete',
    ALL,
    'glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 3, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);',
    'glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);',
    setup='param(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);',
    flags='NO_ATTRIB',
)
row(
    'generate-mipmap',
    ALL,
    'glGenerateMipmap(GL_TEXTURE_2D);',
    'glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, mesh);',
    setup=(
        'glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, mesh); '
        'glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, 1);'
    ),
    flags='NO_ATTRIB | NO_LIST',
)
row(
    'copy-texels',
    ALL,
    'glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 8, 8);',
    'glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, mesh);',
    setup='glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, mesh);',
    flags='NO_ATTRIB',
)
row(
    'sampler',
    ALL,
    'glBindSampler(0, s.a);',
    'glBindSampler(0, 0);',
    setup='glGenSamplers(1, &s.a); glSamplerParameteri(s.a, GL_TEXTURE_MAG_FILTER, GL_NEAREST);',
    flags=OBJECT,
)
SAMPLER = 'glGenSamplers(1, &s.a); glBindSampler(0, s.a);'
for name, value, first in [
    ('WRAP_S', 'GL_CLAMP_TO_EDGE', 'GL_REPEAT'),
    ('WRAP_T', 'GL_MIRRORED_REPEAT', 'GL_REPEAT'),
    ('MAG_FILTER', 'GL_NEAREST', 'GL_LINEAR'),
    ('MIN_LOD', '3', '-1000'),
]:
    call = f'glSamplerParameteri(s.a, GL_TEXTURE_{name}, %s);'
    row(
        'sampler-' + name.lower().replace('_', '-'),
        ALL,
        call % value,
        call % first,
        setup=SAMPLER,
        flags=OBJECT,
    )
row(
    'sampler-min-filter',
    ALL,
    'glSamplerParameteri(s.a, GL_TEXTURE_MIN_FILTER, GL_NEAREST);',
    'glSamplerParameteri(s.a, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);',
    setup=(
        SAMPLER
        + MINIFIED
        + 'glSamplerParameteri(s.a, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);'
    ),
    flags=OBJECT,
)
row(
    'sampler-max-lod',
    ALL,
    'glSamplerParameterf(s.a, GL_TEXTURE_MAX_LOD, 0.5f);',
    'glSamplerParameterf(s.a, GL_TEXTURE_MAX_LOD, 1000);',
    setup=SAMPLER + MINIFIED,
    flags=OBJECT,
)
row(
    'sampler-lod-bias',
    DESKTOP,
    'glSamplerParameterf(s.a, GL_TEXTURE_LOD_BIAS, 2);',
    'glSamplerParameterf(s.a, GL_TEXTURE_LOD_BIAS, 0);',
    setup=SAMPLER + MINIFIED,
    flags=OBJECT,
)
row(
    'sampler-border-color',
    ALL,
    'glSamplerParameterfv(s.a, GL_TEXTURE_BORDER_COLOR, (const GLfloat[]){1, 0, 0, 1});',
    'glSamplerParameterfv(s.a, GL_TEXTURE_BORDER_COLOR, (const GLfloat[]){0, 0, 1, 1});',
    setup=(
        SAMPLER
        + 'glSamplerParameteri(s.a, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER); '
        'glSamplerParameterfv(s.a, GL_TEXTURE_BORDER_COLOR, (const GLfloat[]){0, 0, 1, 1});'
    ),
    flags=OBJECT,
)
row(
    'sampler-srgb-decode',
    ALL,
    'glSamplerParameteri(s.a, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);',
    'glSamplerParameteri(s.a, GL_TEXTURE_SRGB_DECODE_EXT, GL_DECODE_EXT);',
    setup=SAMPLER + SRGB_TEXTURE + 'glSamplerParameteri(s.a, GL_TEXTURE_MIN_FILTER, GL_LINEAR);',
    flags=OBJECT,
)
row(
    'sampler-compare-func',
    ALL,
    'glSamplerParameteri(s.a, GL_TEXTURE_COMPARE_FUNC, GL_GREATER);',
    'glSamplerParameteri(s.a, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);',
    setup=(
        SHADOW.replace('s.a', 's.b')
        + SAMPLER
        + 'glSamplerParameteri(s.a, GL_TEXTURE_MIN_FILTER, GL_NEAREST); '
        'glSamplerParameteri(s.a, GL_TEXTURE_MAG_FILTER, GL_NEAREST); '
        'glSamplerParameteri(s.a, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);'
    ),
    flags=OBJECT,
)
CUBE = (
    'use(VS, FRAGMENT("uniform samplerCube image;", "result = texture(image, vec3(v_tex - 0.5, '
    '0.6));")); glGenTextures(1, &s.a); glBindTexture(GL_TEXTURE_CUBE_MAP, s.a); '
    'for (unsigned i = 0; i < 6; i++) { GLubyte t[16]; for (unsigned c = 0; c < 16; '
    'c++) t[c] = (GLubyte)(i * 40 + c * 13); '
    'glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, '
    'GL_UNSIGNED_BYTE, t); } glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, '
    'GL_LINEAR);'
)
switch('seamless', DESKTOP, 'GL_TEXTURE_CUBE_MAP_SEAMLESS', setup=CUBE, flags='NO_ATTRIB')
row(
    'cube-face',
    ALL,
    'glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_Z, 0, 0, 0, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, '
    'mesh[3] + 4);',
    'glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_Z, 0, 0, 0, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, '
    'mesh[9] + 4);',
    setup=(
        CUBE
        + 'glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_Z, 0, 0, 0, 2, 1, GL_RGBA, '
        'GL_UNSIGNED_BYTE, mesh[9] + 4);'
    ),
    flags='NO_ATTRIB',
)
VOLUME = (
    'use(VS, FRAGMENT("uniform sampler3D image;", "result = texture(image, vec3(v_tex, '
    'v_tex.x * 2.0 - 0.7));")); glGenTextures(1, &s.a); glBindTexture(GL_TEXTURE_3D, s.a); '
    'glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 4, 2, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, mesh); '
    'glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);'
)
each(
    'wrap-r',
    ALL,
    'glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, %s);',
    'GL_REPEAT',
    ['GL_CLAMP_TO_EDGE', 'GL_MIRRORED_REPEAT'],
    setup=VOLUME,
)
BUFFER = (
    'use(VS, FRAGMENT("uniform samplerBuffer image;", "result = texelFetch(image, '
    'int(gl_FragCoord.x) % max(textureSize(image), 1));")); '
    's.a = make_buffer(GL_TEXTURE_BUFFER, sizeof mesh, mesh); '
    's.b = make_buffer(GL_TEXTURE_BUFFER, 256, mesh[7]); glGenTextures(1, &s.c); '
    'glBindTexture(GL_TEXTURE_BUFFER, s.c); glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, s.a);'
)
row(
    'texture-buffer',
    ALL,
    'glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, s.b);',
    'glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, s.a);',
    setup=BUFFER,
    flags=OBJECT,
)
row(
    'texture-buffer-format',
    ALL,
    'glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, s.a);',
    'glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, s.a);',
    setup=BUFFER,
    flags=OBJECT,
)
row(
    'texture-buffer-range',
    ALL,
    'glTexBufferRange(GL_TEXTURE_BUFFER, GL_RGBA8, s.a, 256, 64);',
    'glTexBufferRange(GL_TEXTURE_BUFFER, GL_RGBA8, s.a, 0, 64);',
    setup=BUFFER + 'glTexBufferRange(GL_TEXTURE_BUFFER, GL_RGBA8, s.a, 0, 64);',
    flags=OBJECT,
)
row(
    'texture-buffer-data',
    ALL,
    'glBindBuffer(GL_TEXTURE_BUFFER, s.a); glBufferSubData(GL_TEXTURE_BUFFER, 0, 200, mesh[5]);',
    'glBindBuffer(GL_TEXTURE_BUFFER, s.a); glBufferSubData(GL_TEXTURE_BUFFER, 0, 200, mesh[0]);',
    setup=BUFFER,
    flags=OBJECT,
)
row(
    'texture-buffer-data-again',
    ALL,
    'glBindBuffer(GL_TEXTURE_BUFFER, s.a); glBufferData(GL_TEXTURE_BUFFER, 64, mesh[5], '
    'GL_STATIC_DRAW);',
    'glBindBuffer(GL_TEXTURE_BUFFER, s.a); glBufferData(GL_TEXTURE_BUFFER, sizeof mesh, mesh, '
    'GL_STATIC_DRAW);',
    setup=BUFFER,
    flags=OBJECT,
)
VIEW = (
    's.b = make_target(GL_RGBA8); glBindTexture(GL_TEXTURE_2D, s.b); '
    'glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, mesh); '
    'glGenTextures(1, &s.a); glTextureView(s.a, GL_TEXTURE_2D, s.b, GL_RGBA8_SNORM, 0, 1, 0, '
    '1); glBindTexture(GL_TEXTURE_2D, s.a); param(GL_TEXTURE_MIN_FILTER, GL_NEAREST); '
    'glBindTexture(GL_TEXTURE_2D, s.b);'
)
row(
    'texture-view',
    DESKTOP,
    'glBindTexture(GL_TEXTURE_2D, s.a);',
    'glBindTexture(GL_TEXTURE_2D, s.b);',
    setup=VIEW,
)
row(
    'texture-view-texels',
    DESKTOP,
    'glTextureSubImage2D(s.b, 0, 0, 0, 8, 2, GL_RGBA, GL_UNSIGNED_BYTE, mesh[4]);',
    'glTextureSubImage2D(s.b, 0, 0, 0, 8, 2, GL_RGBA, GL_UNSIGNED_BYTE, mesh[0]);',
    setup=VIEW + 'glBindTexture(GL_TEXTURE_2D, s.a);',
    flags='NO_ATTRIB | NO_LIST',
)
row(
    'clear-texture',
    DESKTOP,
    'glClearTexSubImage(s.texture, 0, 2, 2, 0, 4, 3, 1, GL_RGBA, GL_UNSIGNED_BYTE, NULL);',
    'glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 4, 3, GL_RGBA, GL_UNSIGNED_BYTE, mesh[3]);',
    setup='glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 4, 3, GL_RGBA, GL_UNSIGNED_BYTE, mesh[3]);',
    flags=OBJECT,
)
row(
    'copy-image',
    ALL,
    'glCopyImageSubData(s.a, GL_TEXTURE_2D, 0, 0, 0, 0, s.texture, GL_TEXTURE_2D, 0, 0, 0, 0, 8, '
    '8, 1);',
    'glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, mesh);',
    setup=(
        's.a = make_texture(1); glBindTexture(GL_TEXTURE_2D, s.texture); '
        'glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, mesh);'
    ),
    flags=OBJECT,
)
