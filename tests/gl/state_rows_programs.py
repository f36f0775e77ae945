# SPDX-License-Identifier: MIT
"""Rows for programs, uniforms, tessellation, geometry and instances."""
from state_rows import ALL, DESKTOP, OBJECT, PROGRAM, row

# --- programs and uniforms -----------------------------------------------------------------------

row(
    'program',
    ALL,
    'glUseProgram(s.a);',
    'glUseProgram(s.program);',
    setup='s.a = link_program(VS, FRAGMENT("", "result = v_color.gbra;"));',
    flags=PROGRAM,
)
row(
    'program-without-varyings',
    ALL,
    'glUseProgram(s.a);',
    'glUseProgram(s.program);',
    setup=(
        's.a = link_program("in vec4 pos; void main() { gl_Position = pos.yxzw; '
        'gl_PointSize = 1.0; }", "out vec4 r; void main() { r = vec4(0.5); }");'
    ),
    flags=PROGRAM,
)
row(
    'program-relinked',
    ALL,
    'glBindAttribLocation(s.a, 1, "p"); glLinkProgram(s.a);',
    'glBindAttribLocation(s.a, 0, "p"); glLinkProgram(s.a);',
    setup=(
        's.a = link_program("in vec4 p; void main() { gl_Position = vec4(p.xy, 0.0, 1.0); '
        '}", "out vec4 r; void main() { r = vec4(0.5); }"); glBindAttribLocation(s.a, 0, "p"); '
        'glLinkProgram(s.a); glUseProgram(s.a);'
    ),
    flags=OBJECT,
)
row(
    'uniform',
    ALL,
    'glUniform4f(u("factor"), 1, 0.5f, 0.2f, 1);',
    'glUniform4f(u("factor"), 1, 1, 1, 1);',
    flags=PROGRAM,
)
row(
    'uniform-of-vertex-shader',
    ALL,
    'glUniform1f(u("scale"), 0.5f);',
    'glUniform1f(u("scale"), 1);',
    flags=PROGRAM,
)
row(
    'uniform-by-name',
    ALL,
    'glProgramUniform4f(s.program, u("factor"), 1, 0.5f, 0.2f, 1);',
    'glProgramUniform4f(s.program, u("factor"), 1, 1, 1, 1);',
    flags=PROGRAM,
)
row(
    'uniform-of-other-program',
    ALL,
    'glProgramUniform4f(s.a, glGetUniformLocation(s.a, "factor"), 1, 0, 1, 1); glUseProgram(s.a);',
    'glUseProgram(s.program);',
    setup='s.a = link_program(VS, FS);',
    flags=PROGRAM,
)
# what shaders draw by a uniform x
UNIFORM_VALUES = {
    'vec2': 'vec4(x, 0.0, 1.0)',
    'vec3': 'vec4(x, 1.0)',
    'ivec4': 'vec4(x)',
    'mat2': 'vec4(x * v_color.xy, 0.0, 1.0)',
    'mat4': 'x * v_color',
    'mat3x2': 'vec4(x * v_color.xyz, 0.0, 1.0)',
    'element': 'vec4(x[3])',
    'member': 'vec4(x.b, 1.0)',
    'bool': 'x ? v_color : vec4(1.0)',
    'uint': 'vec4(float(x))',
    'int': 'vec4(float(x))',
}
for kind, glsl, call, first, value in [
    ('int', 'int x;', 'glUniform1i(u("x"), %s);', '1', '0'),
    ('uint', 'uint x;', 'glUniform1ui(u("x"), %s);', '1', '0'),
    ('bool', 'bool x;', 'glUniform1i(u("x"), %s);', '1', '0'),
    ('vec2', 'vec2 x;', 'glUniform2f(u("x"), %s);', '0.5f, 1', '0, 0.25f'),
    (
        'vec3',
        'vec3 x;',
        'glUniform3fv(u("x"), 1, (const GLfloat[]){%s});',
        '0.5f, 1, 0',
        '0, 0.25f, 1',
    ),
    ('ivec4', 'ivec4 x;', 'glUniform4i(u("x"), %s);', '0, 1, 0, 1', '1, 0, 0, 1'),
    (
        'mat2',
        'mat2 x;',
        'glUniformMatrix2fv(u("x"), 1, 0, (const GLfloat[]){%s});',
        '1, 0, 0, 1',
        '0, 1, 1, 0',
    ),
    (
        'mat4',
        'mat4 x;',
        'glUniformMatrix4fv(u("x"), 1, 1, (const GLfloat[]){%s});',
        '1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1',
        '0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1',
    ),
    (
        'mat3x2',
        'mat3x2 x;',
        'glUniformMatrix3x2fv(u("x"), 1, 0, (const GLfloat[]){%s});',
        '1, 0, 0, 1, 0, 0',
        '0, 1, 1, 0, 0.5f, 0.5f',
    ),
    ('element', 'float x[5];', 'glUniform1f(u("x[3]"), %s);', '1', '0.3f'),
    (
        'member',
        'struct { float a; vec3 b; } x;',
        'glUniform3f(u("x.b"), %s);',
        '1, 0, 1',
        '0.3f, 1, 0',
    ),
]:
    value_of = UNIFORM_VALUES[kind]
    row(
        f'uniform-{kind}',
        ALL,
        call % value,
        call % first,
        setup=f'use(VS, FRAGMENT("uniform {glsl}", "result = {value_of};")); ' + call % first,
        flags=PROGRAM,
    )
row(
    'uniform-double',
    DESKTOP,
    'glUniform1d(u("x"), 0.25);',
    'glUniform1d(u("x"), 1);',
    setup='use(VS, FRAGMENT("uniform double x;", "result = vec4(x);")); glUniform1d(u("x"), 1);',
    flags=PROGRAM,
)
SAMPLERS = (
    's.a = make_texture(1); glActiveTexture(GL_TEXTURE3); '
    'glBindTexture(GL_TEXTURE_2D, s.a); glActiveTexture(GL_TEXTURE0); '
    'glBindTexture(GL_TEXTURE_2D, s.texture);'
)
row(
    'uniform-sampler',
    ALL,
    'glUniform1i(u("image"), 3);',
    'glUniform1i(u("image"), 0);',
    setup=SAMPLERS,
    flags=PROGRAM,
)
row(
    'texture-of-other-unit',
    ALL,
    'glActiveTexture(GL_TEXTURE3); glBindTexture(GL_TEXTURE_2D, s.texture); '
    'glActiveTexture(GL_TEXTURE0);',
    'glActiveTexture(GL_TEXTURE3); glBindTexture(GL_TEXTURE_2D, s.a); '
    'glActiveTexture(GL_TEXTURE0);',
    setup=SAMPLERS + 'glUniform1i(u("image"), 3);',
)
row(
    'subroutine',
    DESKTOP,
    'glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 1, (const GLuint[]){1});',
    'glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 1, (const GLuint[]){0});',
    setup=(
        'use(VS, FRAGMENT("subroutine vec4 kind(); '
        'layout(index = 0) subroutine(kind) vec4 one() { return v_color; '
        '} layout(index = 1) subroutine(kind) vec4 two() { return v_color.bgra; '
        '} subroutine uniform kind pick;", "result = pick();")); '
        'glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 1, (const GLuint[]){0});'
    ),
    flags='NO_ATTRIB | NO_LIST',
)
SEPARATE = (
    'const char *vs[] = {versions[api], api == GL_API_ES2 ? precisions : "", '
    '"layout(location = 0) in vec4 pos; layout(location = 1) in vec4 color; '
    'layout(location = 0) out vec4 v; out gl_PerVertex { vec4 gl_Position; }; '
    'void main() { gl_Position = pos; v = color; }"}; '
    'const char *fs[] = {versions[api], api == GL_API_ES2 ? precisions : "", '
    '"layout(location = 0) in vec4 v; layout(location = 0) out vec4 r; uniform vec4 k; '
    'void main() { r = v.bgra + k; }", "layout(location = 0) in vec4 v; '
    'layout(location = 0) out vec4 r; void main() { r = v; }"}; '
    's.a = glCreateShaderProgramv(GL_VERTEX_SHADER, 3, vs); '
    's.b = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 3, fs); fs[2] = fs[3]; '
    's.c = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 3, fs); '
    'glGenProgramPipelines(1, &s.d); glUseProgramStages(s.d, GL_VERTEX_SHADER_BIT, s.a); '
    'glUseProgramStages(s.d, GL_FRAGMENT_SHADER_BIT, s.b); glUseProgram(0); '
    'glBindProgramPipeline(s.d);'
)
row(
    'pipeline-stage',
    ALL,
    'glUseProgramStages(s.d, GL_FRAGMENT_SHADER_BIT, s.c);',
    'glUseProgramStages(s.d, GL_FRAGMENT_SHADER_BIT, s.b);',
    setup=SEPARATE,
    flags=OBJECT,
)
row(
    'pipeline',
    ALL,
    'glBindProgramPipeline(s.e);',
    'glBindProgramPipeline(s.d);',
    setup=(
        SEPARATE
        + 'glGenProgramPipelines(1, &s.e); glUseProgramStages(s.e, GL_VERTEX_SHADER_BIT, s.a); '
        'glUseProgramStages(s.e, GL_FRAGMENT_SHADER_BIT, s.c);'
    ),
    flags=OBJECT,
)
row(
    'pipeline-or-program',
    ALL,
    'glUseProgram(s.program);',
    'glUseProgram(0);',
    setup=SEPARATE,
    flags=PROGRAM,
)
row(
    'pipeline-uniform',
    ALL,
    'glProgramUniform4f(s.b, glGetUniformLocation(s.b, "k"), 0.5f, 0, 0, 0);',
    'glProgramUniform4f(s.b, glGetUniformLocation(s.b, "k"), 0, 0, 0, 0);',
    setup=SEPARATE,
    flags=PROGRAM,
)

BLOCK = (
    'use(VS, FRAGMENT("layout(std140) uniform block { vec4 x; } ;", "result = x;")); '
    's.a = make_buffer(GL_UNIFORM_BUFFER, sizeof mesh, mesh); '
    's.b = make_buffer(GL_UNIFORM_BUFFER, 64, mesh[0] + 4); '
    'glBindBufferBase(GL_UNIFORM_BUFFER, 0, s.a); glBindBufferBase(GL_UNIFORM_BUFFER, 1, s.b);'
)
row(
    'uniform-buffer',
    ALL,
    'glBindBufferBase(GL_UNIFORM_BUFFER, 0, s.b);',
    'glBindBufferBase(GL_UNIFORM_BUFFER, 0, s.a);',
    setup=BLOCK,
    flags=OBJECT,
)
row(
    'uniform-buffer-range',
    ALL,
    'glBindBufferRange(GL_UNIFORM_BUFFER, 0, s.a, 256, 16);',
    'glBindBufferRange(GL_UNIFORM_BUFFER, 0, s.a, 0, 16);',
    setup=BLOCK,
    flags=OBJECT,
)
row(
    'uniform-buffers-ranges',
    DESKTOP,
    'glBindBuffersRange(GL_UNIFORM_BUFFER, 0, 1, &s.a, (const GLintptr[]){256}, (const '
    'GLsizeiptr[]){16});',
    'glBindBuffersRange(GL_UNIFORM_BUFFER, 0, 1, &s.a, (const GLintptr[]){0}, (const '
    'GLsizeiptr[]){16});',
    setup=BLOCK,
    flags=OBJECT,
)
row(
    'uniform-buffer-data',
    ALL,
    'glBindBuffer(GL_UNIFORM_BUFFER, s.a); glBufferSubData(GL_UNIFORM_BUFFER, 0, 16, mesh[1] + 4);',
    'glBindBuffer(GL_UNIFORM_BUFFER, s.a); glBufferSubData(GL_UNIFORM_BUFFER, 0, 16, mesh[0]);',
    setup=BLOCK,
    flags=OBJECT,
)
row(
    'uniform-buffer-data-again',
    ALL,
    'glBindBuffer(GL_UNIFORM_BUFFER, s.a); glBufferData(GL_UNIFORM_BUFFER, 16, mesh[1] + 4, '
    'GL_STATIC_DRAW);',
    'glBindBuffer(GL_UNIFORM_BUFFER, s.a); glBufferData(GL_UNIFORM_BUFFER, sizeof mesh, mesh[0], '
    'GL_STATIC_DRAW);',
    setup=BLOCK,
    flags=OBJECT,
)
MAPPED = (
    'glBindBuffer(GL_UNIFORM_BUFFER, s.a); float *p = glMapBufferRange(GL_UNIFORM_BUFFER, 0, '
    'sizeof mesh, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT); '
    'memcpy(p, mesh[%s] + 4, 16); glUnmapBuffer(GL_UNIFORM_BUFFER);'
)
row('uniform-buffer-mapped', ALL, MAPPED % '1', MAPPED % '2', setup=BLOCK, flags=OBJECT)
row(
    'uniform-block-binding',
    ALL,
    'glUniformBlockBinding(s.program, 0, 1);',
    'glUniformBlockBinding(s.program, 0, 0);',
    setup=BLOCK,
    flags=OBJECT,
)
STORAGE = BLOCK.replace('uniform block', 'buffer block').replace('std140', 'std430, binding = 0').replace(
    'UNIFORM_BUFFER',
    'SHADER_STORAGE_BUFFER',
)
row(
    'storage-buffer',
    ALL,
    'glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, s.b);',
    'glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, s.a);',
    setup=STORAGE,
    flags=OBJECT,
)
row(
    'storage-buffer-range',
    ALL,
    'glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, s.a, 256, 64);',
    'glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, s.a, 0, 64);',
    setup=STORAGE,
    flags=OBJECT,
)
row(
    'storage-buffer-data-again',
    ALL,
    'glBindBuffer(GL_SHADER_STORAGE_BUFFER, s.a); '
    'glBufferData(GL_SHADER_STORAGE_BUFFER, 16, mesh[1] + 4, GL_STATIC_DRAW);',
    'glBindBuffer(GL_SHADER_STORAGE_BUFFER, s.a); '
    'glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof mesh, mesh[0], GL_STATIC_DRAW);',
    setup=STORAGE,
    flags=OBJECT,
)
row(
    'storage-block-binding',
    DESKTOP,
    'glShaderStorageBlockBinding(s.program, 0, 1);',
    'glShaderStorageBlockBinding(s.program, 0, 0);',
    setup=STORAGE,
    flags=OBJECT,
)
COUNTER = (
    'use(VS, FRAGMENT("layout(binding = 0, offset = 4) uniform atomic_uint x;", "result = '
    'vec4(float(atomicCounter(x)) / 255.0);")); '
    's.a = make_buffer(GL_ATOMIC_COUNTER_BUFFER, 16, (const GLuint[]){9, 99, 1, 2}); '
    's.b = make_buffer(GL_ATOMIC_COUNTER_BUFFER, 16, (const GLuint[]){9, 200, 1, 2}); '
    'glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, s.a);'
)
row(
    'counter-buffer',
    ALL,
    'glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, s.b);',
    'glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, s.a);',
    setup=COUNTER,
    flags=OBJECT,
)
IMAGES = (
    'use(VS, FRAGMENT("layout(rgba8, binding = 0) uniform readonly image2D image;", "result '
    '= imageLoad(image, ivec2(gl_FragCoord.xy) & 7);")); for (GLuint *t = &s.a; t <= &s.b; '
    't++) { glGenTextures(1, t); glBindTexture(GL_TEXTURE_2D_ARRAY, *t); '
    'glTexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8, 8, 8, 2); for (GLint i = 0; i < 3; '
    'i++) glTexSubImage3D(GL_TEXTURE_2D_ARRAY, i == 2, 0, 0, i & 1, 8 >> (i == 2), 8 >> (i '
    '== 2), 1, GL_RGBA, GL_UNSIGNED_BYTE, mesh[i + (t == &s.a ? 0 : 4)]); '
    '} glBindImageTexture(0, s.a, 0, 0, 0, GL_READ_ONLY, GL_RGBA8); '
    'glBindImageTexture(1, s.b, 0, 0, 0, GL_READ_ONLY, GL_RGBA8);'
)
for name, args in [('', 's.b, 0, 0, 0'), ('-level', 's.a, 1, 0, 0'), ('-layer', 's.a, 0, 0, 1')]:
    row(
        'image' + name,
        ALL,
        f'glBindImageTexture(0, {args}, GL_READ_ONLY, GL_RGBA8);',
        'glBindImageTexture(0, s.a, 0, 0, 0, GL_READ_ONLY, GL_RGBA8);',
        setup=IMAGES,
        flags=OBJECT,
    )
row(
    'image-format-of-unit',
    DESKTOP,
    'glBindImageTexture(0, s.a, 0, 0, 0, GL_READ_ONLY, GL_RGBA8_SNORM);',
    'glBindImageTexture(0, s.a, 0, 0, 0, GL_READ_ONLY, GL_RGBA8);',
    setup=IMAGES,
    flags=OBJECT,
)
row(
    'images',
    DESKTOP,
    'glBindImageTextures(0, 1, &s.b);',
    'glBindImageTextures(0, 1, &s.a);',
    setup=IMAGES.replace('image2D image', 'image2DArray image').replace(
        'ivec2(gl_FragCoord.xy) & 7',
        'ivec3(gl_FragCoord.xyx) & 7 & ivec3(7, 7, 1)',
    ),
    flags=OBJECT,
)
row(
    'uniform-image',
    DESKTOP,
    'glUniform1i(u("image"), 1);',
    'glUniform1i(u("image"), 0);',
    setup=IMAGES,
    flags=PROGRAM,
)
row(
    'image-texels',
    ALL,
    'glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 8, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, '
    'mesh[6]);',
    'glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 8, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, '
    'mesh[4]);',
    setup=(
        IMAGES.replace('s.b, 0', 's.a, 0')
        + 'glBindImageTexture(0, s.b, 0, 0, 0, GL_READ_ONLY, GL_RGBA8);'
    ),
    flags=OBJECT,
)

# --- tessellation, geometry, instances -----------------------------------------------------------

TESS = (
    's.a = glCreateProgram(); attach(s.a, GL_VERTEX_SHADER, "layout(location = 0) in vec4 pos; '
    'void main() { gl_Position = pos; }"); '
    'attach(s.a, GL_TESS_EVALUATION_SHADER, "layout(triangles, point_mode) in; '
    'void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position '
    '* gl_TessCoord.y + gl_in[gl_PatchVerticesIn - 1].gl_Position * gl_TessCoord.z; }"); '
    'attach(s.a, GL_FRAGMENT_SHADER, "out vec4 r; void main() { r = vec4(1); }"); '
    'gl_test_link(s.a); glUseProgram(s.a); glDisable(GL_DEPTH_TEST);'
)
row(
    'patch-vertices',
    DESKTOP,
    'glPatchParameteri(GL_PATCH_VERTICES, 5);',
    'glPatchParameteri(GL_PATCH_VERTICES, 3);',
    setup=TESS,
    draw='draw_patches',
)
row(
    'patch-outer-level',
    DESKTOP,
    'glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, (const GLfloat[]){3, 4, 5, 6});',
    'glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, (const GLfloat[]){1, 1, 1, 1});',
    setup=TESS,
    draw='draw_patches',
    flags=OBJECT,
)
row(
    'patch-inner-level',
    DESKTOP,
    'glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, (const GLfloat[]){5, 4});',
    'glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, (const GLfloat[]){1, 1});',
    setup=TESS,
    draw='draw_patches',
    flags=OBJECT,
)
