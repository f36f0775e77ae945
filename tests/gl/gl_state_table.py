# SPDX-License-Identifier: MIT
"""Makes gl_state_table.h: the rows that test_gl_state_table.c checks, as functions and an array.

A row has a change of one piece of state, and its inverse. Both are run several times, the inverse
also when nothing was changed. What both pictures have in common is the setup.
"""
import sys

COMPAT, CORE, ES = 'COMPAT', 'CORE', 'ES'
DESKTOP = COMPAT + ' | ' + CORE
ALL = DESKTOP + ' | ' + ES
NEW = CORE + ' | ' + ES

OBJECT = 'NO_ATTRIB | NO_LIST'  # state of objects, which neither lists nor attribute stacks hold
PROGRAM = 'NO_ATTRIB'  # uniforms and programs: commands that lists hold
DATA = OBJECT

rows = []


def row(name, apis, change, back, setup='', draw='draw_mesh', finish='nothing', flags='0'):
    rows.append((name, apis, change, back, setup, draw, finish, flags))


def switch(name, apis, cap, **more):
    """glEnable, and the reverse row."""
    row(name, apis, f'glEnable({cap});', f'glDisable({cap});', **more)


def each(name, apis, call, first, values, **more):
    """A row for each other argument of the same call."""
    for value in values:
        suffix = value.lower().removeprefix('gl_').replace('_', '-')
        row(f'{name}-{suffix}', apis, call % value, call % first, **more)


# --- blending ------------------------------------------------------------------------------------

BLEND = (
    'glEnable(GL_BLEND); glBlendColor(0.3f, 0.6f, 0.2f, 0.7f); '
    'glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ZERO);'
)
TWO = (
    'make_fbo(); use(VS, FRAGMENT("layout(location = 1) out vec4 second;", "result = v_color; '
    'second = v_color.bgra;"));'
)
TWO_BLEND = TWO + BLEND

switch('blend', ALL, 'GL_BLEND', setup='glBlendFunc(GL_ONE, GL_ONE);')
FACTORS = [
    'GL_ZERO',
    'GL_ONE',
    'GL_SRC_COLOR',
    'GL_ONE_MINUS_SRC_COLOR',
    'GL_DST_COLOR',
    'GL_ONE_MINUS_DST_COLOR',
    'GL_SRC_ALPHA',
    'GL_DST_ALPHA',
    'GL_ONE_MINUS_DST_ALPHA',
    'GL_CONSTANT_COLOR',
    'GL_ONE_MINUS_CONSTANT_COLOR',
    'GL_CONSTANT_ALPHA',
    'GL_ONE_MINUS_CONSTANT_ALPHA',
    'GL_SRC_ALPHA_SATURATE',
]
# a visual without alpha would read 1: destination alpha comes from a framebuffer object
each(
    'blend-source',
    ALL,
    'glBlendFunc(%s, GL_ONE);',
    'GL_ONE_MINUS_SRC_ALPHA',
    FACTORS,
    setup=TWO_BLEND,
)
each(
    'blend-destination',
    ALL,
    'glBlendFunc(GL_SRC_ALPHA, %s);',
    'GL_ONE_MINUS_SRC_ALPHA',
    FACTORS[:-1],
    setup=TWO_BLEND,
)
each(
    'blend-alpha-source',
    ALL,
    'glBlendFuncSeparate(GL_ONE, GL_ONE, %s, GL_ZERO);',
    'GL_ONE_MINUS_SRC_ALPHA',
    ['GL_ZERO', 'GL_ONE', 'GL_DST_ALPHA', 'GL_CONSTANT_COLOR'],
    setup=TWO_BLEND,
)
each(
    'blend-alpha-destination',
    ALL,
    'glBlendFuncSeparate(GL_ONE, GL_ONE, GL_ZERO, %s);',
    'GL_ONE_MINUS_SRC_ALPHA',
    ['GL_ZERO', 'GL_ONE', 'GL_SRC_ALPHA', 'GL_CONSTANT_ALPHA'],
    setup=TWO_BLEND,
)
EQUATIONS = ['GL_FUNC_SUBTRACT', 'GL_FUNC_REVERSE_SUBTRACT', 'GL_MIN', 'GL_MAX']
each('blend-equation', ALL, 'glBlendEquation(%s);', 'GL_FUNC_ADD', EQUATIONS, setup=BLEND)
each(
    'blend-equation-color',
    ALL,
    'glBlendEquationSeparate(%s, GL_FUNC_ADD);',
    'GL_FUNC_ADD',
    EQUATIONS,
    setup=TWO_BLEND,
)
each(
    'blend-equation-alpha',
    ALL,
    'glBlendEquationSeparate(GL_FUNC_ADD, %s);',
    'GL_FUNC_ADD',
    EQUATIONS,
    setup=TWO_BLEND + 'glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);',
)
row(
    'blend-color',
    ALL,
    'glBlendColor(0.9f, 0.1f, 0.4f, 0.5f);',
    'glBlendColor(0.3f, 0.6f, 0.2f, 0.7f);',
    setup=BLEND + 'glBlendFunc(GL_CONSTANT_COLOR, GL_CONSTANT_ALPHA);',
)
row(
    'blend-of-buffer',
    ALL,
    'glEnablei(GL_BLEND, 1);',
    'glDisablei(GL_BLEND, 1);',
    setup=TWO_BLEND + 'glDisablei(GL_BLEND, 1);',
)
row(
    'blend-func-of-buffer',
    ALL,
    'glBlendFunci(1, GL_ONE, GL_ONE);',
    'glBlendFunci(1, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);',
    setup=TWO_BLEND + 'glBlendFunci(1, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);',
)
row(
    'blend-func-separate-of-buffer',
    ALL,
    'glBlendFuncSeparatei(1, GL_ONE, GL_ONE, GL_ONE, GL_ZERO);',
    'glBlendFuncSeparatei(1, GL_ONE, GL_ONE, GL_ZERO, GL_ZERO);',
    setup=TWO_BLEND + 'glBlendFuncSeparatei(1, GL_ONE, GL_ONE, GL_ZERO, GL_ZERO);',
)
row(
    'blend-equation-of-buffer',
    ALL,
    'glBlendEquationi(1, GL_MAX);',
    'glBlendEquationi(1, GL_FUNC_ADD);',
    setup=TWO_BLEND,
)
row(
    'blend-equation-separate-of-buffer',
    ALL,
    'glBlendEquationSeparatei(1, GL_FUNC_ADD, GL_MAX);',
    'glBlendEquationSeparatei(1, GL_FUNC_ADD, GL_FUNC_ADD);',
    setup=TWO_BLEND,
)
ADVANCED = (
    'use(VS, "#extension GL_KHR_blend_equation_advanced : require\\n" '
    'FRAGMENT("layout(blend_support_all_equations) out;", "result = vec4(v_color.rgb * '
    'v_color.a, v_color.a);")); glEnable(GL_BLEND);'
)
each(
    'blend-advanced',
    ALL,
    'glBlendEquation(%s); glBlendBarrierKHR();',
    'GL_FUNC_ADD',
    ['GL_MULTIPLY_KHR', 'GL_SCREEN_KHR', 'GL_DIFFERENCE_KHR', 'GL_HSL_HUE_KHR'],
    setup=ADVANCED + 'glBlendFunc(GL_ONE, GL_ONE);',
    flags='NO_LIST',
)
row(
    'blend-advanced-other',
    ALL,
    'glBlendEquation(GL_MULTIPLY_KHR); glBlendBarrierKHR();',
    'glBlendEquation(GL_SCREEN_KHR); glBlendBarrierKHR();',
    setup=ADVANCED + 'glBlendEquation(GL_SCREEN_KHR);',
    flags='NO_LIST',
)
row(
    'blend-advanced-enable',
    ALL,
    'glEnable(GL_BLEND);',
    'glDisable(GL_BLEND);',
    setup=ADVANCED + 'glBlendEquation(GL_SCREEN_KHR); glDisable(GL_BLEND);',
)
row(
    'blend-dual-source',
    DESKTOP,
    'glBlendFunc(GL_ONE, GL_SRC1_COLOR);',
    'glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC1_ALPHA);',
    setup=(
        'use(VS, FRAGMENT("layout(location = 0, index = 1) out vec4 second;", "result = v_color '
        '* 0.4; second = v_color.bgra;")); glEnable(GL_BLEND); '
        'glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC1_ALPHA);'
    ),
)
for i, channel in enumerate(['red', 'green', 'blue', 'alpha']):
    mask = ', '.join('0' if i == c else '1' for c in range(4))
    row(
        f'color-mask-{channel}',
        ALL,
        f'glColorMask({mask});',
        'glColorMask(1, 1, 1, 1);',
        setup=TWO,
    )
row('color-mask-of-window', ALL, 'glColorMask(1, 0, 1, 1);', 'glColorMask(1, 1, 1, 1);')
row(
    'color-mask-of-buffer',
    ALL,
    'glColorMaski(1, 0, 0, 1, 1);',
    'glColorMaski(1, 1, 1, 1, 1);',
    setup=TWO,
)
switch('logic-op', DESKTOP, 'GL_COLOR_LOGIC_OP', setup='glLogicOp(GL_XOR);')
each(
    'logic-op',
    DESKTOP,
    'glLogicOp(%s);',
    'GL_COPY',
    [
        'GL_CLEAR', 'GL_AND', 'GL_AND_REVERSE', 'GL_AND_INVERTED', 'GL_NOOP', 'GL_XOR', 'GL_OR',
        'GL_NOR', 'GL_EQUIV', 'GL_INVERT', 'GL_OR_REVERSE', 'GL_COPY_INVERTED', 'GL_OR_INVERTED',
        'GL_NAND', 'GL_SET',
    ],
    setup='glEnable(GL_COLOR_LOGIC_OP);',
)
switch('logic-op-instead-of-blend', DESKTOP, 'GL_COLOR_LOGIC_OP', setup=BLEND)

# --- samples -------------------------------------------------------------------------------------

MS = dict(finish='resolve')
switch('alpha-to-coverage', ALL, 'GL_SAMPLE_ALPHA_TO_COVERAGE', setup='make_samples();', **MS)
switch('alpha-to-one', DESKTOP, 'GL_SAMPLE_ALPHA_TO_ONE', setup='make_samples();', **MS)
row(
    'multisample',
    DESKTOP,
    'glDisable(GL_MULTISAMPLE);',
    'glEnable(GL_MULTISAMPLE);',
    setup='make_samples();',
    **MS,
)
switch(
    'sample-coverage',
    ALL,
    'GL_SAMPLE_COVERAGE',
    setup='make_samples(); glSampleCoverage(0.5f, 0);',
    **MS,
)
row(
    'sample-coverage-value',
    ALL,
    'glSampleCoverage(0.75f, 0);',
    'glSampleCoverage(0.25f, 0);',
    setup='make_samples(); glEnable(GL_SAMPLE_COVERAGE); glSampleCoverage(0.25f, 0);',
    **MS,
)
row(
    'sample-coverage-invert',
    ALL,
    'glSampleCoverage(0.25f, 1);',
    'glSampleCoverage(0.25f, 0);',
    setup='make_samples(); glEnable(GL_SAMPLE_COVERAGE); glSampleCoverage(0.25f, 0);',
    **MS,
)
switch('sample-mask', ALL, 'GL_SAMPLE_MASK', setup='make_samples(); glSampleMaski(0, 5);', **MS)
row(
    'sample-mask-value',
    ALL,
    'glSampleMaski(0, 1);',
    'glSampleMaski(0, 7);',
    setup='make_samples(); glEnable(GL_SAMPLE_MASK); glSampleMaski(0, 7);',
    **MS,
)
SHADING = 'make_samples(); use(VS, FRAGMENT("", "result = fract(v_color * 9.0);"));'
switch('sample-shading', ALL, 'GL_SAMPLE_SHADING', setup=SHADING + 'glMinSampleShading(1);', **MS)
row(
    'min-sample-shading',
    ALL,
    'glMinSampleShading(1);',
    'glMinSampleShading(0);',
    setup=SHADING + 'glEnable(GL_SAMPLE_SHADING);',
    **MS,
)
row(
    'sample-framebuffer',
    ALL,
    'glBindFramebuffer(GL_FRAMEBUFFER, s.fbo);',
    'glBindFramebuffer(GL_FRAMEBUFFER, 0);',
    setup=(
        'make_samples(); glBindFramebuffer(GL_FRAMEBUFFER, 0); glEnable(GL_SAMPLE_MASK); '
        'glSampleMaski(0, 5);'
    ),
    finish='resolve',
    flags=OBJECT + ' | NO_PENDING',
)

# --- rasterization -------------------------------------------------------------------------------

switch('cull-face', ALL, 'GL_CULL_FACE')
each(
    'cull-face',
    ALL,
    'glCullFace(%s);',
    'GL_BACK',
    ['GL_FRONT', 'GL_FRONT_AND_BACK'],
    setup='glEnable(GL_CULL_FACE);',
)
row(
    'front-face',
    ALL,
    'glFrontFace(GL_CW);',
    'glFrontFace(GL_CCW);',
    setup='glEnable(GL_CULL_FACE);',
)
each(
    'polygon-mode',
    DESKTOP,
    'glPolygonMode(GL_FRONT_AND_BACK, %s);',
    'GL_FILL',
    ['GL_LINE', 'GL_POINT'],
    setup='glPointSize(3);',
)
each(
    'polygon-mode-front',
    COMPAT,
    'glPolygonMode(GL_FRONT, %s);',
    'GL_FILL',
    ['GL_LINE', 'GL_POINT'],
)
each('polygon-mode-back', COMPAT, 'glPolygonMode(GL_BACK, %s);', 'GL_FILL', ['GL_LINE', 'GL_POINT'])
OFFSET = 'glEnable(GL_DEPTH_TEST);'
row(
    'polygon-offset-factor',
    ALL,
    'glPolygonOffset(-1, 0);',
    'glPolygonOffset(1, 0);',
    setup=OFFSET + 'glPolygonOffset(1, 0);',
    draw='draw_again',
)
row(
    'polygon-offset-units',
    ALL,
    'glPolygonOffset(0, -40);',
    'glPolygonOffset(0, 40);',
    setup=OFFSET + 'glPolygonOffset(0, 40);',
    draw='draw_again',
)
row(
    'polygon-offset-clamp',
    DESKTOP,
    'glPolygonOffsetClamp(4, 0, 0.0001f);',
    'glPolygonOffsetClamp(4, 0, 0);',
    setup=OFFSET + 'glEnable(GL_POLYGON_OFFSET_FILL); glPolygonOffsetClamp(4, 0, 0);',
)
switch(
    'polygon-offset-fill',
    DESKTOP,
    'GL_POLYGON_OFFSET_FILL',
    setup=OFFSET + 'glPolygonOffset(2, 9);',
)
switch(
    'polygon-offset-line',
    DESKTOP,
    'GL_POLYGON_OFFSET_LINE',
    setup=OFFSET + 'glPolygonMode(GL_FRONT_AND_BACK, GL_LINE); glPolygonOffset(2, 9);',
)
switch(
    'polygon-offset-point',
    DESKTOP,
    'GL_POLYGON_OFFSET_POINT',
    setup=OFFSET + 'glPolygonMode(GL_FRONT_AND_BACK, GL_POINT); glPolygonOffset(2, 99);',
)
switch('polygon-smooth', DESKTOP, 'GL_POLYGON_SMOOTH', setup=BLEND)
switch('line-smooth', DESKTOP, 'GL_LINE_SMOOTH', setup=BLEND, draw='draw_lines')
switch(
    'point-smooth',
    COMPAT,
    'GL_POINT_SMOOTH',
    setup=BLEND + 'glPointSize(7);',
    draw='draw_points',
)
row('line-width', ALL, 'glLineWidth(4);', 'glLineWidth(1);', draw='draw_lines')
row(
    'point-size',
    DESKTOP,
    'glPointSize(5);',
    'glPointSize(2);',
    setup='glPointSize(2);',
    draw='draw_points',
)
switch('program-point-size', DESKTOP, 'GL_PROGRAM_POINT_SIZE', draw='draw_points')
row(
    'point-sprite-origin',
    DESKTOP,
    'glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);',
    'glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_UPPER_LEFT);',
    setup=(
        'use(VS, FRAGMENT("", "result = vec4(gl_PointCoord, v_color.xy);")); glPointSize(9); '
        'if (api == GL_API_COMPAT) glEnable(GL_POINT_SPRITE);'
    ),
    draw='draw_points',
)
switch(
    'point-sprite',
    COMPAT,
    'GL_POINT_SPRITE',
    setup='use(VS, FRAGMENT("", "result = vec4(gl_PointCoord, v_color.xy);")); glPointSize(9);',
    draw='draw_points',
)
row(
    'point-size-min',
    COMPAT,
    'glPointParameterf(GL_POINT_SIZE_MIN, 6);',
    'glPointParameterf(GL_POINT_SIZE_MIN, 0);',
    setup='glPointSize(2);',
    draw='draw_points',
)
row(
    'point-size-max',
    COMPAT,
    'glPointParameterf(GL_POINT_SIZE_MAX, 3);',
    'glPointParameterf(GL_POINT_SIZE_MAX, 99);',
    setup='glPointSize(8);',
    draw='draw_points',
)
switch(
    'line-stipple',
    COMPAT,
    'GL_LINE_STIPPLE',
    setup='glLineStipple(1, 0x3333);',
    draw='draw_lines',
)
row(
    'line-stipple-pattern',
    COMPAT,
    'glLineStipple(1, 0x5555);',
    'glLineStipple(1, 0x0f0f);',
    setup='glEnable(GL_LINE_STIPPLE); glLineStipple(1, 0x0f0f);',
    draw='draw_lines',
)
row(
    'line-stipple-factor',
    COMPAT,
    'glLineStipple(3, 0x5555);',
    'glLineStipple(1, 0x5555);',
    setup='glEnable(GL_LINE_STIPPLE); glLineStipple(1, 0x5555);',
    draw='draw_lines',
)
STIPPLE = 'GLubyte p[128]; memset(p, %s, sizeof p); glPolygonStipple(p);'
switch('polygon-stipple', COMPAT, 'GL_POLYGON_STIPPLE', setup=STIPPLE % '0x33')
row(
    'polygon-stipple-pattern',
    COMPAT,
    STIPPLE % '0x55',
    STIPPLE % '0xf0',
    setup='glEnable(GL_POLYGON_STIPPLE);' + STIPPLE % '0xf0',
)
FLAT = (
    'use("flat out vec4 f;\\n" VS_FLAT, "flat in vec4 f; out vec4 result; '
    'void main() { result = f; }");'
)
row(
    'provoking-vertex',
    DESKTOP,
    'glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);',
    'glProvokingVertex(GL_LAST_VERTEX_CONVENTION);',
    setup=FLAT,
)
row(
    'depth-clamp',
    DESKTOP,
    'glEnable(GL_DEPTH_CLAMP);',
    'glDisable(GL_DEPTH_CLAMP);',
    setup='glEnable(GL_DEPTH_TEST);',
)
row(
    'clip-control-origin',
    DESKTOP,
    'glClipControl(GL_UPPER_LEFT, GL_NEGATIVE_ONE_TO_ONE);',
    'glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);',
    setup='glEnable(GL_CULL_FACE);',
)
row(
    'clip-control-depth',
    DESKTOP,
    'glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);',
    'glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);',
    setup='glEnable(GL_DEPTH_TEST);',
)
CLIP = (
    'use("layout(location = 0) in vec4 pos; layout(location = 1) in vec4 color; '
    'out vec4 v_color; out float gl_ClipDistance[2]; void main() { gl_Position = pos; '
    'v_color = color; gl_ClipDistance[0] = pos.x + 0.2; gl_ClipDistance[1] = 0.1 - pos.y; '
    '}", "in vec4 v_color; out vec4 r; void main() { r = v_color; }");'
)
switch('clip-distance-0', ALL, 'GL_CLIP_DISTANCE0', setup=CLIP)
switch('clip-distance-1', ALL, 'GL_CLIP_DISTANCE1', setup=CLIP + 'glEnable(GL_CLIP_DISTANCE0);')
switch('rasterizer-discard', ALL, 'GL_RASTERIZER_DISCARD', flags='NO_ATTRIB')

# --- depth and stencil ---------------------------------------------------------------------------

switch('depth-test', ALL, 'GL_DEPTH_TEST')
row('depth-mask', ALL, 'glDepthMask(0);', 'glDepthMask(1);', setup='glEnable(GL_DEPTH_TEST);')
each(
    'depth-func',
    ALL,
    'glDepthFunc(%s);',
    'GL_LESS',
    ['GL_NEVER', 'GL_ALWAYS', 'GL_GREATER', 'GL_GEQUAL', 'GL_EQUAL', 'GL_NOTEQUAL'],
    setup='glEnable(GL_DEPTH_TEST);',
)
row(
    'depth-func-lequal',
    ALL,
    'glDepthFunc(GL_LEQUAL);',
    'glDepthFunc(GL_LESS);',
    setup=(
        'glEnable(GL_DEPTH_TEST); use("layout(location = 0) in vec4 pos; '
        'layout(location = 1) in vec4 color; out vec4 v_color; '
        'void main() { gl_Position = vec4(pos.xy, 0.0, 1.0); v_color = color; '
        '}", "in vec4 v_color; out vec4 r; void main() { r = v_color; }");'
    ),
)
STENCIL = (
    'glEnable(GL_STENCIL_TEST); glEnable(GL_DEPTH_TEST); glStencilFunc(GL_ALWAYS, 3, ~0u); '
    'glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);'
)
switch('stencil-test', ALL, 'GL_STENCIL_TEST', setup='glStencilFunc(GL_GREATER, 1, ~0u);')
each(
    'stencil-func',
    ALL,
    'glStencilFunc(%s, 0, ~0u);',
    'GL_ALWAYS',
    ['GL_NEVER', 'GL_EQUAL', 'GL_GREATER', 'GL_GEQUAL'],
    setup=STENCIL,
)
each(
    'stencil-func-not',
    ALL,
    'glStencilFunc(%s, 2, ~0u);',
    'GL_GREATER',
    ['GL_LESS', 'GL_LEQUAL', 'GL_EQUAL'],
    setup=STENCIL + 'glStencilFunc(GL_GREATER, 2, ~0u);',
)
row(
    'stencil-func-notequal',
    ALL,
    'glStencilFunc(GL_NOTEQUAL, 1, ~0u);',
    'glStencilFunc(GL_ALWAYS, 1, ~0u);',
    setup=STENCIL,
)
row(
    'stencil-reference',
    ALL,
    'glStencilFunc(GL_EQUAL, 0, ~0u);',
    'glStencilFunc(GL_EQUAL, 1, ~0u);',
    setup=STENCIL + 'glStencilFunc(GL_EQUAL, 1, ~0u);',
)
row(
    'stencil-value-mask',
    ALL,
    'glStencilFunc(GL_EQUAL, 3, 2);',
    'glStencilFunc(GL_EQUAL, 3, 1);',
    setup=STENCIL + 'glStencilFunc(GL_EQUAL, 3, 1);',
)
row(
    'stencil-reference-back',
    ALL,
    'glStencilFuncSeparate(GL_BACK, GL_EQUAL, 0, ~0u);',
    'glStencilFuncSeparate(GL_BACK, GL_EQUAL, 1, ~0u);',
    setup=STENCIL + 'glStencilFunc(GL_EQUAL, 1, ~0u);',
)
row(
    'stencil-reference-front',
    ALL,
    'glStencilFuncSeparate(GL_FRONT, GL_EQUAL, 0, ~0u);',
    'glStencilFuncSeparate(GL_FRONT, GL_EQUAL, 1, ~0u);',
    setup=STENCIL + 'glStencilFunc(GL_EQUAL, 1, ~0u);',
)
# each fragment sees what those before it left: two thirds of the pixels have overdraw
OPS = ['GL_ZERO', 'GL_REPLACE', 'GL_INCR', 'GL_DECR', 'GL_INVERT', 'GL_INCR_WRAP']
COUNT = STENCIL + 'glDisable(GL_DEPTH_TEST); glStencilFunc(GL_EQUAL, 1, ~0u);'
each(
    'stencil-pass',
    ALL,
    'glStencilOp(GL_KEEP, GL_KEEP, %s);',
    'GL_KEEP',
    [o for o in OPS if o != 'GL_REPLACE'],
    setup=COUNT,
)
row(
    'stencil-pass-replace',
    ALL,
    'glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);',
    'glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);',
    setup=COUNT + 'glStencilFunc(GL_GREATER, 2, ~0u);',
)
row(
    'stencil-pass-decr-wrap',
    ALL,
    'glStencilOp(GL_KEEP, GL_KEEP, GL_DECR_WRAP);',
    'glStencilOp(GL_KEEP, GL_KEEP, GL_DECR);',
    setup=(
        COUNT
        + 'glClearStencil(0); glStencilFunc(GL_GEQUAL, 1, ~0u); '
        'glStencilOp(GL_KEEP, GL_KEEP, GL_DECR);'
    ),
)
FAIL = COUNT + 'glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);'
each(
    'stencil-fail',
    ALL,
    'glStencilOp(%s, GL_KEEP, GL_INCR);',
    'GL_KEEP',
    ['GL_REPLACE', 'GL_DECR'],
    setup=FAIL,
    draw='draw_thrice',
)
each(
    'stencil-fail',
    DESKTOP,
    'glStencilOp(%s, GL_KEEP, GL_INCR);',
    'GL_KEEP',
    ['GL_ZERO', 'GL_INVERT'],
    setup=FAIL,
    draw='draw_thrice',
)
each(
    'stencil-depth-fail',
    ALL,
    'glStencilOp(GL_KEEP, %s, GL_KEEP);',
    'GL_KEEP',
    ['GL_ZERO', 'GL_INCR', 'GL_DECR', 'GL_INVERT'],
    setup=STENCIL + 'glStencilFunc(GL_EQUAL, 1, ~0u);',
    draw='draw_depth_fail',
)
row(
    'stencil-op-back',
    ALL,
    'glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_INCR);',
    'glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_KEEP);',
    setup=COUNT,
)
row(
    'stencil-op-front',
    ALL,
    'glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_INCR);',
    'glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_KEEP);',
    setup=COUNT,
)
row(
    'stencil-mask',
    ALL,
    'glStencilMask(2);',
    'glStencilMask(~0u);',
    setup=COUNT + 'glStencilOp(GL_KEEP, GL_KEEP, GL_INVERT); glStencilFunc(GL_EQUAL, 1, 1);',
)
row(
    'stencil-mask-back',
    ALL,
    'glStencilMaskSeparate(GL_BACK, 2);',
    'glStencilMaskSeparate(GL_BACK, ~0u);',
    setup=COUNT + 'glStencilOp(GL_KEEP, GL_KEEP, GL_INVERT); glStencilFunc(GL_EQUAL, 1, 1);',
)
row(
    'stencil-two-side',
    COMPAT,
    'glEnable(GL_STENCIL_TEST_TWO_SIDE_EXT);',
    'glDisable(GL_STENCIL_TEST_TWO_SIDE_EXT);',
    setup=(
        COUNT
        + 'glActiveStencilFaceEXT(GL_BACK); glStencilFunc(GL_NEVER, 0, ~0u); '
        'glActiveStencilFaceEXT(GL_FRONT);'
    ),
)
row(
    'stencil-active-face',
    COMPAT,
    'glActiveStencilFaceEXT(GL_BACK); glStencilFunc(GL_NEVER, 0, ~0u); '
    'glActiveStencilFaceEXT(GL_FRONT);',
    'glActiveStencilFaceEXT(GL_BACK); glStencilFunc(GL_ALWAYS, 0, ~0u); '
    'glActiveStencilFaceEXT(GL_FRONT);',
    setup=(
        COUNT
        + 'glEnable(GL_STENCIL_TEST_TWO_SIDE_EXT); glActiveStencilFaceEXT(GL_BACK); '
        'glStencilFunc(GL_ALWAYS, 0, ~0u); glActiveStencilFaceEXT(GL_FRONT);'
    ),
)

# --- viewport and scissor ------------------------------------------------------------------------

row('viewport', ALL, 'glViewport(3, 5, 20, 14);', 'glViewport(0, 0, SIZE, SIZE);')
DEPTH = (
    'use("layout(location = 0) in vec4 pos; void main() { gl_Position = pos; }", "out vec4 r; '
    'void main() { r = vec4(gl_FragCoord.z); }");'
)
row('depth-range', DESKTOP, 'glDepthRange(0.25, 0.5);', 'glDepthRange(0, 1);', setup=DEPTH)
row('depth-range-f', ALL, 'glDepthRangef(0.75f, 0.5f);', 'glDepthRangef(0, 1);', setup=DEPTH)
row(
    'depth-range-depth-buffer',
    DESKTOP,
    'glDepthRange(0.25, 0.5);',
    'glDepthRange(0, 1);',
    setup='glEnable(GL_DEPTH_TEST);',
)
RANGE = (
    'use("layout(location = 0) in vec4 pos; void main() { gl_Position = pos; }", "out vec4 r; '
    'void main() { r = vec4(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.diff, 1.0); '
    '}");'
)
row('depth-range-uniform', ALL, 'glDepthRangef(0.25f, 0.5f);', 'glDepthRangef(0, 1);', setup=RANGE)
SECOND = (
    'use("#extension GL_ARB_shader_viewport_layer_array : require\\n" "layout(location = 0) '
    'in vec4 pos; layout(location = 1) in vec4 color; out vec4 v_color; '
    'void main() { gl_Position = pos; v_color = color; gl_ViewportIndex = 1; '
    '}", "in vec4 v_color; out vec4 r; void main() { r = vec4(v_color.xyz, gl_FragCoord.z); '
    '}"); glEnable(GL_DEPTH_TEST);'
)
row(
    'viewport-indexed',
    DESKTOP,
    'glViewportIndexedf(1, 3.5f, 5, 20, 14);',
    'glViewportIndexedf(1, 0, 0, SIZE, SIZE);',
    setup=SECOND,
)
row(
    'viewport-array',
    DESKTOP,
    'glViewportArrayv(1, 1, (const GLfloat[]){2, 3, 20, 16});',
    'glViewportArrayv(1, 1, (const GLfloat[]){0, 0, SIZE, SIZE});',
    setup=SECOND,
)
row(
    'viewport-all',
    DESKTOP,
    'glViewport(2, 3, 10, 24);',
    'glViewport(0, 0, SIZE, SIZE);',
    setup=SECOND,
)
row(
    'depth-range-indexed',
    DESKTOP,
    'glDepthRangeIndexed(1, 0.5, 0.75);',
    'glDepthRangeIndexed(1, 0, 1);',
    setup=SECOND,
)
row(
    'depth-range-array',
    DESKTOP,
    'glDepthRangeArrayv(1, 1, (const GLdouble[]){0.5, 0.25});',
    'glDepthRangeArrayv(1, 1, (const GLdouble[]){0, 1});',
    setup=SECOND,
)
switch('scissor-test', ALL, 'GL_SCISSOR_TEST', setup='glScissor(7, 4, 13, 20);')
row(
    'scissor',
    ALL,
    'glScissor(8, 9, 10, 13);',
    'glScissor(7, 4, 13, 20);',
    setup='glEnable(GL_SCISSOR_TEST); glScissor(7, 4, 13, 20);',
)
row(
    'scissor-of-viewport',
    DESKTOP,
    'glEnablei(GL_SCISSOR_TEST, 1);',
    'glDisablei(GL_SCISSOR_TEST, 1);',
    setup=SECOND + 'glScissorIndexed(1, 7, 4, 13, 20);',
)
row(
    'scissor-indexed',
    DESKTOP,
    'glScissorIndexed(1, 9, 9, 9, 9);',
    'glScissorIndexed(1, 7, 4, 13, 20);',
    setup=SECOND + 'glEnable(GL_SCISSOR_TEST); glScissorIndexed(1, 7, 4, 13, 20);',
)
row(
    'scissor-array',
    DESKTOP,
    'glScissorArrayv(1, 1, (const GLint[]){9, 9, 9, 9});',
    'glScissorArrayv(1, 1, (const GLint[]){7, 4, 13, 20});',
    setup=SECOND + 'glEnable(GL_SCISSOR_TEST); glScissorIndexed(1, 7, 4, 13, 20);',
)

# --- clears --------------------------------------------------------------------------------------

CLEAR = dict(draw='clear')
row(
    'clear-color',
    ALL,
    'glClearColor(0.9f, 0.1f, 0.5f, 1);',
    'glClearColor(0.2f, 0.3f, 0.4f, 0.5f);',
    **CLEAR,
)
row('clear-depth', DESKTOP, 'glClearDepth(0.5);', 'glClearDepth(1);', **CLEAR)
row(
    'clear-depth-test',
    ALL,
    'glClearDepthf(0.5);',
    'glClearDepthf(1);',
    setup='glEnable(GL_DEPTH_TEST);',
    draw='clear_mesh',
)
row(
    'clear-stencil',
    ALL,
    'glClearStencil(2);',
    'glClearStencil(1);',
    setup=STENCIL + 'glStencilFunc(GL_EQUAL, 1, ~0u);',
    draw='clear_mesh',
)
row(
    'clear-color-mask',
    ALL,
    'glColorMask(1, 0, 0, 1);',
    'glColorMask(1, 1, 1, 1);',
    draw='clear_other',
)
row(
    'clear-scissor',
    ALL,
    'glScissor(4, 5, 6, 7);',
    'glScissor(2, 2, 20, 20);',
    setup='glEnable(GL_SCISSOR_TEST); glScissor(2, 2, 20, 20);',
    draw='clear_other',
)
row(
    'clear-stencil-mask',
    DESKTOP,
    'glStencilMask(0xf0);',
    'glStencilMask(0xff);',
    draw='clear_stencil',
)
row('clear-depth-mask', DESKTOP, 'glDepthMask(0);', 'glDepthMask(1);', draw='clear_depth')

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
    flags='NO_ATTRIB',
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
switch('seamless', DESKTOP, 'GL_TEXTURE_CUBE_MAP_SEAMLESS', setup=CUBE)
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
    flags='NO_ATTRIB',
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

# --- fixed function ------------------------------------------------------------------------------

FF = dict(draw='draw_immediate')
PLAIN = dict(draw='draw_plain')

row(
    'current-color',
    COMPAT,
    'glColor4f(1, 0, 0.5f, 1);',
    'glColor4f(0.2f, 1, 0.5f, 1);',
    setup='fixed_function(); glColor4f(0.2f, 1, 0.5f, 1);',
    **PLAIN,
)
row(
    'current-normal',
    COMPAT,
    'glNormal3f(0.6f, 0, 0.8f);',
    'glNormal3f(0, 0, 1);',
    setup='lit();',
    **PLAIN,
)
row(
    'current-texture-coordinates',
    COMPAT,
    'glTexCoord2f(0.9f, 0.3f);',
    'glTexCoord2f(0, 0);',
    setup='textured();',
    **PLAIN,
)
row(
    'current-secondary-color',
    COMPAT,
    'glSecondaryColor3f(0, 0.6f, 0);',
    'glSecondaryColor3f(0, 0, 0.6f);',
    setup=(
        'fixed_function(); glColor3f(0.1f, 0.1f, 0.1f); glEnable(GL_COLOR_SUM); '
        'glSecondaryColor3f(0, 0, 0.6f);'
    ),
    **PLAIN,
)
row(
    'current-fog-coordinate',
    COMPAT,
    'glFogCoordf(0.9f);',
    'glFogCoordf(0.1f);',
    setup=(
        'fixed_function(); glEnable(GL_FOG); fog(GL_FOG_COORD_SRC, GL_FOG_COORD); '
        'glFogCoordf(0.1f);'
    ),
    **PLAIN,
)
row(
    'edge-flag',
    COMPAT,
    'glEdgeFlag(0);',
    'glEdgeFlag(1);',
    setup='fixed_function(); glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);',
    **PLAIN,
)
each(
    'shade-model',
    COMPAT,
    'glShadeModel(%s);',
    'GL_SMOOTH',
    ['GL_FLAT'],
    setup='fixed_function();',
    **FF,
)
row(
    'shade-model-of-program',
    COMPAT,
    'glShadeModel(GL_FLAT);',
    'glShadeModel(GL_SMOOTH);',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_Color; }", "void main() { gl_FragColor = gl_Color; }");'
    ),
    **FF,
)
row(
    'provoking-vertex-of-quads',
    COMPAT,
    'glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);',
    'glProvokingVertex(GL_LAST_VERTEX_CONVENTION);',
    setup='fixed_function(); glShadeModel(GL_FLAT);',
    **FF,
)

MATRIX = '(const GLfloat[]){0.5f, 0.2f, 0, 0, -0.3f, 0.7f, 0, 0, 0, 0, 0.5f, 0, 0.1f, 0.2f, 0, 1}'
for mode, read in [
    ('MODELVIEW', 'gl_ModelViewMatrix'),
    ('PROJECTION', 'gl_ProjectionMatrix'),
]:
    lower = mode.lower()
    pick = f'glMatrixMode(GL_{mode}); '
    load = pick + f'glLoadMatrixf({MATRIX});'
    identity = pick + 'glLoadIdentity();'
    row(f'{lower}-load', COMPAT, load, identity, setup='fixed_function();', **FF)
    row(
        f'{lower}-load-double',
        COMPAT,
        pick
        + 'glLoadMatrixd((const GLdouble[]){0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1});',
        identity,
        setup='fixed_function();',
        **FF,
    )
    row(
        f'{lower}-transposed',
        COMPAT,
        pick
        + f'glLoadTransposeMatrixf((const '
        f'GLfloat[]){{0.5f, 0.2f, 0, 0.1f, 0, 0.5f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}});',
        identity,
        setup='fixed_function();',
        **FF,
    )
    row(
        f'{lower}-multiply',
        COMPAT,
        identity + f'glMultMatrixf({MATRIX});',
        identity,
        setup='fixed_function();',
        **FF,
    )
    for name, call in [
        ('translate', 'glTranslatef(0.2f, -0.3f, 0);'),
        ('rotate', 'glRotatef(30, 0, 0, 1);'),
        ('scale', 'glScalef(0.5f, 0.7f, 1);'),
        ('ortho', 'glOrtho(-2, 1, -1, 2, -1, 1);'),
    ]:
        row(f'{lower}-{name}', COMPAT, identity + call, identity, setup='fixed_function();', **FF)
    depth = f'GLint n; glGetIntegerv(GL_{mode}_STACK_DEPTH, &n); '
    row(
        f'{lower}-pop',
        COMPAT,
        pick + depth + 'if (n == 2) glPopMatrix();',
        pick + depth + f'if (n == 1) glPushMatrix(); glLoadMatrixf({MATRIX});',
        setup='fixed_function();',
        **FF,
    )
    row(
        f'{lower}-by-name',
        COMPAT,
        f'glMatrixLoadfEXT(GL_{mode}, {MATRIX});',
        f'glMatrixLoadIdentityEXT(GL_{mode});',
        setup='fixed_function();',
        **FF,
    )
    for suffix, expression in [
        ('', f'{read} * gl_Vertex'),
        ('-inverse', f'{read}Inverse * gl_Vertex'),
        ('-transpose', f'{read}Transpose * gl_Vertex'),
        ('-inverse-transpose', f'{read}InverseTranspose * gl_Vertex'),
        ('-product', 'gl_ModelViewProjectionMatrix * gl_Vertex'),
        ('-ftransform', 'ftransform()'),
        ('-product-inverse', 'gl_ModelViewProjectionMatrixInverse * gl_Vertex'),
    ]:
        row(
            f'{lower}-of-program{suffix}',
            COMPAT,
            load,
            identity,
            setup=(
                f'glBindVertexArray(0); use("void main() '
                f'{{ gl_Position = {expression}; gl_FrontColor = gl_Color; }}", "void main() '
                f'{{ gl_FragColor = gl_Color; }}");'
            ),
            flags='NO_ATTRIB',
            **FF,
        )
# matrices are in no attribute group
rows[:] = [
    r[:7] + ('NO_ATTRIB',) if r[0].startswith(('modelview-', 'projection-')) else r for r in rows
]
row(
    'normal-matrix',
    COMPAT,
    f'glLoadMatrixf({MATRIX});',
    'glLoadIdentity();',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = vec4(gl_NormalMatrix * gl_Normal, 1.0); '
        '}", "void main() { gl_FragColor = gl_Color; }");'
    ),
    flags='NO_ATTRIB',
    **FF,
)
row(
    'normal-scale',
    COMPAT,
    'glLoadIdentity(); glScalef(0.5f, 0.5f, 0.5f);',
    'glLoadIdentity();',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = vec4(gl_NormalScale * 0.4); '
        '}", "void main() { gl_FragColor = gl_Color; }");'
    ),
    flags='NO_ATTRIB',
    **FF,
)
TEXMAT = 'glMatrixMode(GL_TEXTURE); '
row(
    'texture-matrix',
    COMPAT,
    TEXMAT + f'glLoadMatrixf({MATRIX});',
    TEXMAT + 'glLoadIdentity();',
    setup='textured();',
    flags='NO_ATTRIB',
    **FF,
)
row(
    'texture-matrix-scaled',
    COMPAT,
    TEXMAT + f'glLoadIdentity(); glScalef(2, 2, 2);',
    TEXMAT + f'glLoadMatrixf({MATRIX});',
    setup='textured();' + TEXMAT + f'glLoadMatrixf({MATRIX});',
    flags='NO_ATTRIB',
    **FF,
)
row(
    'texture-matrix-of-program',
    COMPAT,
    TEXMAT + f'glLoadMatrixf({MATRIX});',
    TEXMAT + 'glLoadIdentity();',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_TextureMatrix[0] * gl_MultiTexCoord0; '
        '}", "void main() { gl_FragColor = gl_Color; }");'
    ),
    flags='NO_ATTRIB',
    **FF,
)
row(
    'texture-matrix-of-other-unit',
    COMPAT,
    'glActiveTexture(GL_TEXTURE1);'
    + TEXMAT
    + f'glLoadMatrixf({MATRIX}); glActiveTexture(GL_TEXTURE0);',
    'glActiveTexture(GL_TEXTURE1);' + TEXMAT + 'glLoadIdentity(); glActiveTexture(GL_TEXTURE0);',
    setup=(
        'textured(); glActiveTexture(GL_TEXTURE1); glEnable(GL_TEXTURE_2D); '
        'glBindTexture(GL_TEXTURE_2D, s.texture); glActiveTexture(GL_TEXTURE0);'
    ),
    flags='NO_ATTRIB',
    **FF,
)

switch('lighting', COMPAT, 'GL_LIGHTING', setup='lit(); glDisable(GL_LIGHTING);', **FF)
switch('light-0', COMPAT, 'GL_LIGHT0', setup='lit(); glDisable(GL_LIGHT0);', **FF)
switch(
    'light-3',
    COMPAT,
    'GL_LIGHT3',
    setup='lit(); glLightfv(GL_LIGHT3, GL_DIFFUSE, (const GLfloat[]){0.5f, 0, 0, 1});',
    **FF,
)
SHINY = (
    'light(GL_POSITION, 0.3f, 0.3f, 1, 0); light(GL_DIFFUSE, 0.3f, 0.3f, 0.3f, 1); '
    'glEnable(GL_NORMALIZE);'
)
LIGHT = [
    ('ambient', 'AMBIENT', '0.5f, 0.6f, 0, 1', '0.2f, 0.1f, 0.3f, 1', ''),
    ('diffuse', 'DIFFUSE', '0.5f, 0.6f, 0, 1', '1, 1, 1, 1', ''),
    ('specular', 'SPECULAR', '0.5f, 0, 1, 1', '1, 1, 1, 1', SHINY),
    ('position', 'POSITION', '-0.7f, -0.6f, 0.7f, 1', '0.4f, 0.6f, 1.5f, 1', ''),
    ('position-directional', 'POSITION', '-0.7f, -0.6f, 0.7f, 0', '0.4f, 0.6f, 1.5f, 1', ''),
]
SPOT = 'glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 50); light(GL_SPOT_DIRECTION, 0, 0, -1, 0);'
for name, pname, value, first, more in (
    LIGHT
    + [('spot-direction', 'SPOT_DIRECTION', '-0.5f, -0.5f, -1, 0', '0, 0, -1, 0', SPOT)]
):
    row(
        f'light-{name}',
        COMPAT,
        f'light(GL_{pname}, {value});',
        f'light(GL_{pname}, {first});',
        setup='lit();' + more,
        **FF,
    )
for name, value, first, more in [
    ('SPOT_CUTOFF', '30', '50', SPOT),
    ('SPOT_EXPONENT', '20', '0', SPOT),
    ('CONSTANT_ATTENUATION', '2', '1', ''),
    ('LINEAR_ATTENUATION', '1', '0', ''),
    ('QUADRATIC_ATTENUATION', '1', '0', ''),
]:
    row(
        'light-' + name.lower().replace('_', '-'),
        COMPAT,
        f'glLightf(GL_LIGHT0, GL_{name}, {value});',
        f'glLightf(GL_LIGHT0, GL_{name}, {first});',
        setup='lit();' + more,
        **FF,
    )
row(
    'light-spot',
    COMPAT,
    'glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 40);',
    'glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 180);',
    setup='lit(); light(GL_SPOT_DIRECTION, 0, 0, -1, 0);',
    **FF,
)
row(
    'light-model-ambient',
    COMPAT,
    'glLightModelfv(GL_LIGHT_MODEL_AMBIENT, (const GLfloat[]){0.9f, 0.1f, 0.7f, 1});',
    'glLightModelfv(GL_LIGHT_MODEL_AMBIENT, (const GLfloat[]){0.2f, 0.2f, 0.2f, 1});',
    setup='lit();',
    **FF,
)
for name, value, first, more in [
    ('TWO_SIDE', '1', '0', ''),
    ('LOCAL_VIEWER', '1', '0', 'material(GL_FRONT_AND_BACK, GL_SPECULAR, 1, 1, 1);'),
    (
        'COLOR_CONTROL',
        'GL_SEPARATE_SPECULAR_COLOR',
        'GL_SINGLE_COLOR',
        'glEnable(GL_TEXTURE_2D); material(GL_FRONT_AND_BACK, GL_SPECULAR, 1, 1, 1);' + SHINY,
    ),
]:
    row(
        'light-model-' + name.lower().replace('_', '-'),
        COMPAT,
        f'glLightModeli(GL_LIGHT_MODEL_{name}, {value});',
        f'glLightModeli(GL_LIGHT_MODEL_{name}, {first});',
        setup='lit();' + more,
        **FF,
    )
for name, value, first in [
    ('AMBIENT', '0.9f, 0, 0', '0.2f, 0.2f, 0.2f'),
    ('DIFFUSE', '0, 0.3f, 1', '0.8f, 0.8f, 0.8f'),
    ('SPECULAR', '1, 0, 0', '0.5f, 0.4f, 0.3f'),
    ('EMISSION', '0, 0.4f, 0', '0, 0, 0'),
    ('AMBIENT_AND_DIFFUSE', '0, 0.3f, 1', '0.5f, 0.6f, 0.8f'),
]:
    suffix = name.lower().replace('_', '-')
    first_setup = f'material(GL_FRONT_AND_BACK, GL_{name}, {first});'
    row(
        f'material-{suffix}',
        COMPAT,
        f'material(GL_FRONT_AND_BACK, GL_{name}, {value});',
        first_setup,
        setup='lit();' + SHINY + first_setup,
        **FF,
    )
    row(
        f'material-{suffix}-back',
        COMPAT,
        f'material(GL_BACK, GL_{name}, {value});',
        first_setup,
        setup=(
            'lit(); glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);'
            + SHINY
            + 'light(GL_POSITION, -0.3f, 0, -1, 0);'
            + first_setup
        ),
        **FF,
    )
row(
    'material-shininess',
    COMPAT,
    'glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 60);',
    'glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 4);',
    setup='lit();' + SHINY,
    **FF,
)
row(
    'material-of-program',
    COMPAT,
    'material(GL_FRONT, GL_DIFFUSE, 1, 0, 0.5f);',
    'material(GL_FRONT, GL_DIFFUSE, 0.8f, 0.8f, 0.8f);',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_FrontMaterial.diffuse * gl_LightSource[0].diffuse; '
        '}", "void main() { gl_FragColor = gl_Color; }");'
    ),
    **FF,
)
row(
    'material-product-of-program',
    COMPAT,
    'material(GL_FRONT, GL_AMBIENT, 1, 0, 0.5f);',
    'material(GL_FRONT, GL_AMBIENT, 0.2f, 0.2f, 0.2f);',
    setup=(
        'glBindVertexArray(0); light(GL_AMBIENT, 1, 1, 1, 1); '
        'use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_FrontLightProduct[0].ambient + '
        'gl_FrontLightModelProduct.sceneColor; }", "void main() { gl_FragColor = gl_Color; }");'
    ),
    **FF,
)
row(
    'light-of-program',
    COMPAT,
    'light(GL_DIFFUSE, 0.4f, 0.5f, 1, 1);',
    'light(GL_DIFFUSE, 1, 1, 1, 1);',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_LightSource[0].diffuse * gl_Color; '
        '}", "void main() { gl_FragColor = gl_Color; }");'
    ),
    **FF,
)
row(
    'color-material',
    COMPAT,
    'glEnable(GL_COLOR_MATERIAL);',
    'glDisable(GL_COLOR_MATERIAL); material(GL_FRONT_AND_BACK, GL_AMBIENT, 0.2f, 0.2f, 0.2f); '
    'material(GL_FRONT_AND_BACK, GL_DIFFUSE, 0.8f, 0.8f, 0.8f);',
    setup='lit();',
    flags='NO_ATTRIB',
    **FF,
)
each(
    'color-material',
    COMPAT,
    'glColorMaterial(GL_FRONT_AND_BACK, %s); material(GL_FRONT_AND_BACK, GL_AMBIENT, 0, 0, 0); '
    'material(GL_FRONT_AND_BACK, GL_DIFFUSE, 0, 1, 0); '
    'material(GL_FRONT_AND_BACK, GL_EMISSION, 0, 0, 0);',
    'GL_DIFFUSE',
    ['GL_AMBIENT', 'GL_EMISSION', 'GL_AMBIENT_AND_DIFFUSE'],
    setup=(
        'lit(); glEnable(GL_COLOR_MATERIAL); glColorMaterial(GL_FRONT_AND_BACK, GL_DIFFUSE); '
        'material(GL_FRONT_AND_BACK, GL_AMBIENT, 0, 0, 0);'
    ),
    flags='NO_ATTRIB',
    **FF,
)
switch('normalize', COMPAT, 'GL_NORMALIZE', setup='lit();', **FF)
switch(
    'rescale-normal',
    COMPAT,
    'GL_RESCALE_NORMAL',
    setup='lit(); glMatrixMode(GL_MODELVIEW); glScalef(0.5f, 0.5f, 0.5f);',
    **FF,
)
row(
    'two-side-of-program',
    COMPAT,
    'glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);',
    'glDisable(GL_VERTEX_PROGRAM_TWO_SIDE);',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_Color; gl_BackColor = gl_Color.bgra; '
        '}", "void main() { gl_FragColor = gl_Color; }");'
    ),
    **FF,
)

switch('fog', COMPAT, 'GL_FOG', setup='fixed_function();', **FF)
FOG = (
    'fixed_function(); glEnable(GL_FOG); glFogf(GL_FOG_DENSITY, 2); '
    'glFogfv(GL_FOG_COLOR, (const GLfloat[]){1, 0, 1, 1});'
)
each(
    'fog-mode',
    COMPAT,
    'fog(GL_FOG_MODE, %s);',
    'GL_EXP',
    ['GL_EXP2', 'GL_LINEAR'],
    setup=FOG,
    **FF,
)
row(
    'fog-density',
    COMPAT,
    'glFogf(GL_FOG_DENSITY, 0.5f);',
    'glFogf(GL_FOG_DENSITY, 2);',
    setup=FOG,
    **FF,
)
LINEAR = FOG + 'fog(GL_FOG_MODE, GL_LINEAR); glFogf(GL_FOG_START, 0); glFogf(GL_FOG_END, 1);'
row(
    'fog-start',
    COMPAT,
    'glFogf(GL_FOG_START, -1);',
    'glFogf(GL_FOG_START, 0);',
    setup=LINEAR,
    **FF,
)
row('fog-end', COMPAT, 'glFogf(GL_FOG_END, 2);', 'glFogf(GL_FOG_END, 1);', setup=LINEAR, **FF)
row(
    'fog-color',
    COMPAT,
    'glFogfv(GL_FOG_COLOR, (const GLfloat[]){0, 1, 1, 1});',
    'glFogfv(GL_FOG_COLOR, (const GLfloat[]){1, 0, 1, 1});',
    setup=FOG,
    **FF,
)
row(
    'fog-coordinate-source',
    COMPAT,
    'fog(GL_FOG_COORD_SRC, GL_FOG_COORD);',
    'fog(GL_FOG_COORD_SRC, GL_FRAGMENT_DEPTH);',
    setup=FOG,
    **FF,
)
row(
    'fog-distance-mode',
    COMPAT,
    'fog(GL_FOG_DISTANCE_MODE_NV, GL_EYE_RADIAL_NV);',
    'fog(GL_FOG_DISTANCE_MODE_NV, GL_EYE_PLANE);',
    setup=FOG + 'fog(GL_FOG_DISTANCE_MODE_NV, GL_EYE_PLANE);',
    **FF,
)
row(
    'fog-of-program',
    COMPAT,
    'glFogfv(GL_FOG_COLOR, (const GLfloat[]){0, 1, 1, 1});',
    'glFogfv(GL_FOG_COLOR, (const GLfloat[]){1, 0, 1, 1});',
    setup=(
        'glBindVertexArray(0); glFogfv(GL_FOG_COLOR, (const GLfloat[]){1, 0, 1, 1}); '
        'use("void main() { gl_Position = gl_Vertex; '
        '}", "void main() { gl_FragColor = gl_Fog.color; }");'
    ),
    **FF,
)
switch('color-sum', COMPAT, 'GL_COLOR_SUM', setup='fixed_function();', **FF)
switch(
    'alpha-test',
    COMPAT,
    'GL_ALPHA_TEST',
    setup='fixed_function(); glAlphaFunc(GL_GREATER, 0.6f);',
    **FF,
)
each(
    'alpha-func',
    COMPAT,
    'glAlphaFunc(%s, 0.6f);',
    'GL_ALWAYS',
    ['GL_NEVER', 'GL_LESS', 'GL_GREATER', 'GL_EQUAL'],
    setup='fixed_function(); glEnable(GL_ALPHA_TEST);',
    **FF,
)
row(
    'alpha-reference',
    COMPAT,
    'glAlphaFunc(GL_GREATER, 0.5f);',
    'glAlphaFunc(GL_GREATER, 0.7f);',
    setup='fixed_function(); glEnable(GL_ALPHA_TEST); glAlphaFunc(GL_GREATER, 0.7f);',
    **FF,
)
row(
    'alpha-test-of-program',
    COMPAT,
    'glAlphaFunc(GL_GREATER, 0.5f);',
    'glAlphaFunc(GL_GREATER, 0.7f);',
    setup='glEnable(GL_ALPHA_TEST); glAlphaFunc(GL_GREATER, 0.7f);',
)
PLANE = 'glClipPlane(GL_CLIP_PLANE0, (const GLdouble[]){1, 0.5, 0, 0.1});'
switch('clip-plane', COMPAT, 'GL_CLIP_PLANE0', setup='fixed_function();' + PLANE, **FF)
switch(
    'clip-plane-5',
    COMPAT,
    'GL_CLIP_PLANE5',
    setup=(
        'fixed_function(); glEnable(GL_CLIP_PLANE0);'
        + PLANE
        + PLANE.replace('{1', '{-1').replace('PLANE0', 'PLANE5')
    ),
    **FF,
)
row(
    'clip-plane-equation',
    COMPAT,
    PLANE.replace('{1', '{-1'),
    PLANE,
    setup='fixed_function(); glEnable(GL_CLIP_PLANE0);' + PLANE,
    **FF,
)
row(
    'clip-plane-of-program',
    COMPAT,
    PLANE.replace('{1', '{-1'),
    PLANE,
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_ClipVertex = gl_Vertex; }", "void main() { gl_FragColor = vec4(1.0); }"); '
        'glEnable(GL_CLIP_PLANE0);'
        + PLANE
    ),
    **FF,
)
row(
    'clip-plane-modelview',
    COMPAT,
    'glRotatef(90, 0, 0, 1);' + PLANE + 'glLoadIdentity();',
    'glLoadIdentity();' + PLANE,
    setup='fixed_function(); glEnable(GL_CLIP_PLANE0);' + PLANE,
    **FF,
)
row(
    'clip-plane-uniform',
    COMPAT,
    PLANE.replace('{1', '{0'),
    PLANE,
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_ClipPlane[0]; }", "void main() { gl_FragColor = gl_Color; }");'
        + PLANE
    ),
    **FF,
)
switch('clip-plane-of-arrays', COMPAT, 'GL_CLIP_PLANE0', setup=PLANE)

ATTENUATION = 'glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (const GLfloat[]){%s});'
POINTS = dict(draw='draw_immediate_points')
row(
    'point-attenuation',
    COMPAT,
    ATTENUATION % '0.3f, 0, 1',
    ATTENUATION % '1, 0, 0',
    setup='fixed_function(); glPointSize(8);',
    **POINTS,
)
row(
    'point-attenuation-other',
    COMPAT,
    ATTENUATION % '0.3f, 0, 1',
    ATTENUATION % '0.1f, 1, 0',
    setup='fixed_function(); glPointSize(8);' + ATTENUATION % '0.1f, 1, 0',
    **POINTS,
)
row(
    'point-size-attenuated',
    COMPAT,
    'glPointSize(5);',
    'glPointSize(8);',
    setup='fixed_function(); glPointSize(8);' + ATTENUATION % '0.3f, 0, 1',
    **POINTS,
)
row(
    'point-size-min-attenuated',
    COMPAT,
    'glPointParameterf(GL_POINT_SIZE_MIN, 7);',
    'glPointParameterf(GL_POINT_SIZE_MIN, 0);',
    setup='fixed_function(); glPointSize(5);' + ATTENUATION % '0.3f, 0, 1',
    **POINTS,
)
row(
    'point-fade',
    COMPAT,
    'glPointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, 9);',
    'glPointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, 1);',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = vec4(gl_Point.fadeThresholdSize * 0.1); '
        '}", "void main() { gl_FragColor = gl_Color; }");'
    ),
    **FF,
)
row(
    'point-of-program',
    COMPAT,
    'glPointSize(5);',
    'glPointSize(2);',
    setup=(
        'glBindVertexArray(0); glPointSize(2); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = vec4(gl_Point.size * 0.1); }", "void main() { gl_FragColor = gl_Color; '
        '}"); glEnable(GL_PROGRAM_POINT_SIZE);'
    ),
    **FF,
)
row(
    'coord-replace',
    COMPAT,
    'env2(GL_POINT_SPRITE, GL_COORD_REPLACE, 1);',
    'env2(GL_POINT_SPRITE, GL_COORD_REPLACE, 0);',
    setup='textured(); glEnable(GL_POINT_SPRITE); glPointSize(9);',
    **POINTS,
)

switch('texture-2d', COMPAT, 'GL_TEXTURE_2D', setup='fixed_function();', **FF)
switch(
    'texture-1d',
    COMPAT,
    'GL_TEXTURE_1D',
    setup=(
        'fixed_function(); glTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA8, 4, 0, GL_RGBA, '
        'GL_UNSIGNED_BYTE, mesh); glTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MIN_FILTER, '
        'GL_NEAREST);'
    ),
    **FF,
)
switch(
    'texture-3d-before-2d',
    COMPAT,
    'GL_TEXTURE_3D',
    setup=(
        'textured(); glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 2, 2, 2, 0, GL_RGBA, '
        'GL_UNSIGNED_BYTE, mesh); glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, '
        'GL_NEAREST);'
    ),
    **FF,
)
switch('texture-cube-map', COMPAT, 'GL_TEXTURE_CUBE_MAP', setup=CUBE + 'fixed_function(); ', **FF)
row(
    'texture-enable-of-other-unit',
    COMPAT,
    'glActiveTexture(GL_TEXTURE1); glEnable(GL_TEXTURE_2D); glActiveTexture(GL_TEXTURE0);',
    'glActiveTexture(GL_TEXTURE1); glDisable(GL_TEXTURE_2D); glActiveTexture(GL_TEXTURE0);',
    setup=(
        'textured(); glActiveTexture(GL_TEXTURE1); glBindTexture(GL_TEXTURE_2D, s.texture); '
        'glActiveTexture(GL_TEXTURE0);'
    ),
    **FF,
)
row(
    'texture-of-fixed-function',
    COMPAT,
    'glBindTexture(GL_TEXTURE_2D, s.a);',
    'glBindTexture(GL_TEXTURE_2D, s.texture);',
    setup='s.a = make_texture(1); glBindTexture(GL_TEXTURE_2D, s.texture); textured();',
    **FF,
)
row(
    'texture-incomplete-of-fixed-function',
    COMPAT,
    'param(GL_TEXTURE_MAX_LEVEL, 9); glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 3, 3, 0, GL_RGBA, '
    'GL_UNSIGNED_BYTE, NULL);',
    'glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);',
    setup='textured();',
    flags='NO_ATTRIB',
    **FF,
)
row(
    'texture-format-of-fixed-function',
    COMPAT,
    'glTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA8, 1, 1, 0, GL_ALPHA, GL_UNSIGNED_BYTE, mesh[0] + 4);',
    'glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE8, 1, 1, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, '
    'mesh[0] + 4);',
    setup=(
        'textured(); param(GL_TEXTURE_MIN_FILTER, GL_NEAREST); '
        'glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE8, 1, 1, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, '
        'mesh[0] + 4);'
        + BLEND
    ),
    flags='NO_ATTRIB',
    **FF,
)
ENV_COLOR = 'glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, (const GLfloat[]){%s});'
each(
    'texture-environment',
    COMPAT,
    'env(GL_TEXTURE_ENV_MODE, %s);',
    'GL_MODULATE',
    ['GL_REPLACE', 'GL_DECAL', 'GL_BLEND', 'GL_ADD', 'GL_COMBINE'],
    setup='textured(); env(GL_COMBINE_RGB, GL_SUBTRACT);' + ENV_COLOR % '0.2f, 0.5f, 0.9f, 1',
    **FF,
)
row(
    'texture-environment-color',
    COMPAT,
    ENV_COLOR % '1, 0, 0.3f, 1',
    ENV_COLOR % '0.2f, 0.5f, 0.9f, 1',
    setup='textured(); env(GL_TEXTURE_ENV_MODE, GL_BLEND);' + ENV_COLOR % '0.2f, 0.5f, 0.9f, 1',
    **FF,
)
row(
    'texture-environment-color-of-program',
    COMPAT,
    ENV_COLOR % '1, 0, 0.3f, 1',
    ENV_COLOR % '0.2f, 0.5f, 0.9f, 1',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        '}", "void main() { gl_FragColor = gl_TextureEnvColor[0]; }");'
        + ENV_COLOR % '0.2f, 0.5f, 0.9f, 1'
    ),
    **FF,
)
COMBINE = (
    'textured(); env(GL_TEXTURE_ENV_MODE, GL_COMBINE);'
    + ENV_COLOR % '0.2f, 0.5f, 0.9f, 0.4f'
    + BLEND
)
each(
    'combine-rgb',
    COMPAT,
    'env(GL_COMBINE_RGB, %s);',
    'GL_MODULATE',
    ['GL_REPLACE', 'GL_ADD', 'GL_ADD_SIGNED', 'GL_INTERPOLATE', 'GL_SUBTRACT', 'GL_DOT3_RGB'],
    setup=COMBINE,
    **FF,
)
each(
    'combine-alpha',
    COMPAT,
    'env(GL_COMBINE_ALPHA, %s);',
    'GL_MODULATE',
    ['GL_REPLACE', 'GL_SUBTRACT'],
    setup=COMBINE,
    **FF,
)
for i, first in enumerate(['GL_TEXTURE', 'GL_PREVIOUS', 'GL_CONSTANT']):
    mode = 'env(GL_COMBINE_RGB, GL_INTERPOLATE); env(GL_COMBINE_ALPHA, GL_INTERPOLATE);'
    other = 'GL_PRIMARY_COLOR' if i != 1 else 'GL_CONSTANT'
    row(
        f'combine-source-{i}',
        COMPAT,
        f'env(GL_SOURCE{i}_RGB, {other});',
        f'env(GL_SOURCE{i}_RGB, {first});',
        setup=COMBINE + mode,
        **FF,
    )
    row(
        f'combine-source-alpha-{i}',
        COMPAT,
        f'env(GL_SOURCE{i}_ALPHA, {other});',
        f'env(GL_SOURCE{i}_ALPHA, {first});',
        setup=COMBINE + mode,
        **FF,
    )
    operand = 'GL_SRC_ALPHA' if i == 2 else 'GL_SRC_COLOR'
    row(
        f'combine-operand-{i}',
        COMPAT,
        f'env(GL_OPERAND{i}_RGB, GL_ONE_MINUS_SRC_COLOR);',
        f'env(GL_OPERAND{i}_RGB, {operand});',
        setup=COMBINE + mode,
        **FF,
    )
    row(
        f'combine-operand-alpha-{i}',
        COMPAT,
        f'env(GL_OPERAND{i}_ALPHA, GL_ONE_MINUS_SRC_ALPHA);',
        f'env(GL_OPERAND{i}_ALPHA, GL_SRC_ALPHA);',
        setup=COMBINE + mode,
        **FF,
    )
row('rgb-scale', COMPAT, 'env(GL_RGB_SCALE, 2);', 'env(GL_RGB_SCALE, 1);', setup=COMBINE, **FF)
row(
    'alpha-scale',
    COMPAT,
    'env(GL_ALPHA_SCALE, 2);',
    'env(GL_ALPHA_SCALE, 1);',
    setup=COMBINE,
    **FF,
)
row(
    'lod-bias-of-unit',
    COMPAT,
    'glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 2.5f);',
    'glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 0);',
    setup='textured(); param(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);',
    **FF,
)
GEN = (
    'textured(); glTexGenfv(GL_S, GL_OBJECT_PLANE, (const GLfloat[]){0.6f, 0.3f, 0, 0.1f}); '
    'glTexGenfv(GL_T, GL_OBJECT_PLANE, (const GLfloat[]){0.1f, 0.7f, 0, 0.1f}); '
    'glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR); '
    'glTexGeni(GL_T, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);'
)
for c in 'ST':
    switch(f'texgen-{c.lower()}', COMPAT, f'GL_TEXTURE_GEN_{c}', setup=GEN, **FF)
    each(
        f'texgen-mode-{c.lower()}',
        COMPAT,
        f'glTexGeni(GL_{c}, GL_TEXTURE_GEN_MODE, %s);',
        'GL_OBJECT_LINEAR',
        ['GL_EYE_LINEAR', 'GL_SPHERE_MAP', 'GL_REFLECTION_MAP', 'GL_NORMAL_MAP'],
        setup=(
            GEN
            + f'glTexGenfv(GL_{c}, GL_EYE_PLANE, (const GLfloat[]){{0.2f, 0.7f, 0.4f, 0.3f}}); '
            f'glEnable(GL_TEXTURE_GEN_{c});'
        ),
        **FF,
    )
    for plane, mode in [
        ('OBJECT', ''),
        ('EYE', f'glTexGeni(GL_{c}, GL_TEXTURE_GEN_MODE, GL_EYE_LINEAR);'),
    ]:
        call = f'glTexGenfv(GL_{c}, GL_{plane}_PLANE, (const GLfloat[]){{%s}});'
        row(
            f'texgen-{plane.lower()}-plane-{c.lower()}',
            COMPAT,
            call % '0.2f, 0.7f, 0.4f, 0.3f',
            call % '1, 0.5f, 0, 0',
            setup=GEN + mode + f'glEnable(GL_TEXTURE_GEN_{c});' + call % '1, 0.5f, 0, 0',
            **FF,
        )
row(
    'texgen-plane-of-program',
    COMPAT,
    'glTexGenfv(GL_T, GL_OBJECT_PLANE, (const GLfloat[]){0.2f, 0.7f, 0.4f, 0.3f});',
    'glTexGenfv(GL_T, GL_OBJECT_PLANE, (const GLfloat[]){0, 1, 0, 0});',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_ObjectPlaneT[0]; }", "void main() { gl_FragColor = gl_Color; }");'
    ),
    **FF,
)
row(
    'clamp-vertex-color',
    COMPAT,
    'glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);',
    'glClampColor(GL_CLAMP_VERTEX_COLOR, GL_TRUE);',
    setup=(
        'glBindVertexArray(0); use("void main() { gl_Position = gl_Vertex; '
        'gl_FrontColor = gl_Color * 3.0; }", "void main() { gl_FragColor = gl_Color * 0.3; }");'
    ),
    **FF,
)
row(
    'clamp-fragment-color',
    COMPAT,
    'glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);',
    'glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE);',
    setup=(
        'make_fbo(); s.a = make_target(GL_RGBA16F); '
        'glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s.a, 0); '
        'use(VS, FRAGMENT("layout(location = 1) out vec4 second;", "result = v_color * 3.0; '
        'second = vec4(0.0);")); glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE); '
        'glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE); glReadBuffer(GL_COLOR_ATTACHMENT0);'
    ),
    finish='read_third',
)

VERTEX_PROGRAM = (
    'fixed_function(); assembly(GL_VERTEX_PROGRAM_ARB, "!!ARBvp1.0\\n" "PARAM e = program.env[3]; '
    'PARAM l = program.local[2]; MOV result.position, vertex.position; ADD result.color, e, l; END");'
)
for scope in ['Env', 'Local']:
    index = 3 if scope == 'Env' else 2
    call = f'glProgram{scope}Parameter4fARB(GL_VERTEX_PROGRAM_ARB, {index}, %s);'
    row(
        f'assembly-{scope.lower()}-parameter',
        COMPAT,
        call % '0.7f, 0, 0.2f, 1',
        call % '0, 0.5f, 0.2f, 1',
        setup=VERTEX_PROGRAM + call % '0, 0.5f, 0.2f, 1',
        flags='NO_ATTRIB',
        **FF,
    )
FRAGMENT_PROGRAM = (
    'fixed_function(); s.a = assembly(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\\n" "PARAM e = '
    'program.env[1]; MUL result.color, fragment.color, e; END"); '
    'glProgramEnvParameter4fARB(GL_FRAGMENT_PROGRAM_ARB, 1, 1, 0.3f, 0.3f, 1);'
)
row(
    'assembly-fragment-env-parameter',
    COMPAT,
    'glProgramEnvParameter4fARB(GL_FRAGMENT_PROGRAM_ARB, 1, 0.3f, 1, 0.3f, 1);',
    'glProgramEnvParameter4fARB(GL_FRAGMENT_PROGRAM_ARB, 1, 1, 0.3f, 0.3f, 1);',
    setup=FRAGMENT_PROGRAM,
    flags='NO_ATTRIB',
    **FF,
)
switch(
    'assembly-fragment-program',
    COMPAT,
    'GL_FRAGMENT_PROGRAM_ARB',
    setup=FRAGMENT_PROGRAM + 'glDisable(GL_FRAGMENT_PROGRAM_ARB);',
    **FF,
)
switch(
    'assembly-vertex-program',
    COMPAT,
    'GL_VERTEX_PROGRAM_ARB',
    setup=VERTEX_PROGRAM + 'glDisable(GL_VERTEX_PROGRAM_ARB);',
    **FF,
)
row(
    'assembly-program',
    COMPAT,
    'glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, s.b);',
    'glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, s.a);',
    setup=(
        FRAGMENT_PROGRAM
        + 's.b = assembly(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\\n" "MOV result.color, '
        'fragment.color.zxyw; END"); glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, s.a);'
    ),
    flags='NO_ATTRIB',
    **FF,
)
row(
    'assembly-string',
    COMPAT,
    'const char *t = "!!ARBfp1.0\\n" "MOV result.color, fragment.color.zxyw; END"; '
    'glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(t), '
    't);',
    'const char *t = "!!ARBfp1.0\\n" "MOV result.color, fragment.color; END"; '
    'glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(t), '
    't);',
    setup=(
        'fixed_function(); assembly(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\\n" "MOV result.color, '
        'fragment.color; END");'
    ),
    flags=OBJECT,
    **FF,
)
row(
    'assembly-matrix',
    COMPAT,
    f'glMatrixMode(GL_MATRIX0_ARB); glLoadMatrixf({MATRIX});',
    'glMatrixMode(GL_MATRIX0_ARB); glLoadIdentity();',
    setup=(
        'fixed_function(); assembly(GL_VERTEX_PROGRAM_ARB, "!!ARBvp1.0\\n" "PARAM m[4] = { '
        'state.matrix.program[0] }; DP4 result.position.x, m[0], vertex.position; '
        'DP4 result.position.y, m[1], vertex.position; MOV result.position.zw, vertex.position; '
        'MOV result.color, vertex.color; END");'
    ),
    flags='NO_ATTRIB',
    **FF,
)
for name, expression, change, back in [
    (
        'mvp',
        'state.matrix.mvp.row[0]',
        f'glMatrixMode(GL_PROJECTION); glLoadMatrixf({MATRIX});',
        'glMatrixMode(GL_PROJECTION); glLoadIdentity();',
    ),
    (
        'light',
        'state.light[1].diffuse',
        'glLightfv(GL_LIGHT1, GL_DIFFUSE, (const GLfloat[]){1, 0, 0.5f, 1});',
        'glLightfv(GL_LIGHT1, GL_DIFFUSE, (const GLfloat[]){0, 1, 0.5f, 1});',
    ),
    (
        'material',
        'state.material.emission',
        'material(GL_FRONT, GL_EMISSION, 0, 1, 0);',
        'material(GL_FRONT, GL_EMISSION, 1, 0, 0);',
    ),
    (
        'fog',
        'state.fog.params',
        'glFogf(GL_FOG_END, 0.2f); glFogf(GL_FOG_DENSITY, 0.5f);',
        'glFogf(GL_FOG_END, 1); glFogf(GL_FOG_DENSITY, 1);',
    ),
    ('depth-range', 'state.depth.range', 'glDepthRange(0.5, 0.75);', 'glDepthRange(0, 1);'),
    (
        'texenv',
        'state.texenv.color',
        ENV_COLOR % '1, 0, 0.3f, 1',
        ENV_COLOR % '0.2f, 0.5f, 0.9f, 1',
    ),
]:
    row(
        f'assembly-state-{name}',
        COMPAT,
        change,
        back,
        setup=(
            f'fixed_function(); {back} assembly(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\\n" "MOV '
            f'result.color, {expression}; END");'
        ),
        flags='NO_ATTRIB',
        **FF,
    )

ARRAYS = (
    'fixed_function(); glVertexPointer(4, GL_FLOAT, 40, NULL); '
    'glColorPointer(4, GL_FLOAT, 40, (void *)16); glEnableClientState(GL_VERTEX_ARRAY); '
    'glEnableClientState(GL_COLOR_ARRAY);'
)
CLIENT = dict(flags='NO_LIST')
row(
    'color-array',
    COMPAT,
    'glDisableClientState(GL_COLOR_ARRAY); glColor3f(1, 0, 1);',
    'glEnableClientState(GL_COLOR_ARRAY);',
    setup=ARRAYS,
    **CLIENT,
)
row(
    'color-pointer',
    COMPAT,
    'glColorPointer(3, GL_FLOAT, 40, (void *)20);',
    'glColorPointer(4, GL_FLOAT, 40, (void *)16);',
    setup=ARRAYS,
    **CLIENT,
)
row(
    'vertex-pointer',
    COMPAT,
    'glVertexPointer(2, GL_FLOAT, 40, (void *)4);',
    'glVertexPointer(4, GL_FLOAT, 40, NULL);',
    setup=ARRAYS,
    **CLIENT,
)
row(
    'client-memory',
    COMPAT,
    'glBindBuffer(GL_ARRAY_BUFFER, 0); glVertexPointer(3, GL_FLOAT, 40, mesh[3]);',
    'glBindBuffer(GL_ARRAY_BUFFER, s.vertices); glVertexPointer(4, GL_FLOAT, 40, NULL);',
    setup=ARRAYS,
    draw='draw_quads',
    **CLIENT,
)
row(
    'texture-coordinate-array',
    COMPAT,
    'glEnableClientState(GL_TEXTURE_COORD_ARRAY);',
    'glDisableClientState(GL_TEXTURE_COORD_ARRAY); glTexCoord2f(0.2f, 0.3f);',
    setup=(
        ARRAYS
        + 'glEnable(GL_TEXTURE_2D); glTexCoordPointer(2, GL_FLOAT, 40, (void *)32); '
        'glTexCoord2f(0.2f, 0.3f);'
    ),
    **CLIENT,
)
row(
    'client-active-texture',
    COMPAT,
    'glClientActiveTexture(GL_TEXTURE1); glTexCoordPointer(2, GL_FLOAT, 40, (void *)24);',
    'glClientActiveTexture(GL_TEXTURE1); glTexCoordPointer(2, GL_FLOAT, 40, (void *)32);',
    setup=(
        ARRAYS
        + 'glActiveTexture(GL_TEXTURE1); glEnable(GL_TEXTURE_2D); '
        'glBindTexture(GL_TEXTURE_2D, s.texture); glClientActiveTexture(GL_TEXTURE1); '
        'glTexCoordPointer(2, GL_FLOAT, 40, (void *)32); '
        'glEnableClientState(GL_TEXTURE_COORD_ARRAY);'
    ),
    **CLIENT,
)
row(
    'secondary-color-array',
    COMPAT,
    'glEnableClientState(GL_SECONDARY_COLOR_ARRAY);',
    'glDisableClientState(GL_SECONDARY_COLOR_ARRAY); glSecondaryColor3f(0, 0, 0);',
    setup=ARRAYS + 'glEnable(GL_COLOR_SUM); glSecondaryColorPointer(3, GL_FLOAT, 40, (void *)20);',
    **CLIENT,
)
row(
    'fog-coordinate-array',
    COMPAT,
    'glEnableClientState(GL_FOG_COORD_ARRAY);',
    'glDisableClientState(GL_FOG_COORD_ARRAY); glFogCoordf(0.1f);',
    setup=(
        ARRAYS
        + 'glEnable(GL_FOG); fog(GL_FOG_COORD_SRC, GL_FOG_COORD); '
        'glFogCoordPointer(GL_FLOAT, 40, (void *)20); glFogCoordf(0.1f);'
    ),
    **CLIENT,
)
row(
    'normal-array',
    COMPAT,
    'glEnableClientState(GL_NORMAL_ARRAY);',
    'glDisableClientState(GL_NORMAL_ARRAY); glNormal3f(0, 0, 1);',
    setup=(
        ARRAYS
        + 'glEnable(GL_LIGHTING); glEnable(GL_LIGHT0); glEnable(GL_NORMALIZE); '
        'glNormalPointer(GL_FLOAT, 40, (void *)16);'
    ),
    **CLIENT,
)
row(
    'edge-flag-array',
    COMPAT,
    'glEnableClientState(GL_EDGE_FLAG_ARRAY);',
    'glDisableClientState(GL_EDGE_FLAG_ARRAY); glEdgeFlag(1);',
    setup=(
        ARRAYS
        + 'glPolygonMode(GL_FRONT_AND_BACK, GL_LINE); glEdgeFlagPointer(1, mesh_indices); '
        'glBindBuffer(GL_ARRAY_BUFFER, 0); glEdgeFlagPointer(1, mesh_indices);'
    ),
    **CLIENT,
)

# --- pixels --------------------------------------------------------------------------------------

PIXELS = dict(draw='draw_pixels')
RASTER = 'fixed_function(); glRasterPos2f(-0.5f, -0.5f);'
row(
    'raster-position',
    COMPAT,
    'glRasterPos2f(-0.9f, 0);',
    'glRasterPos2f(-0.5f, -0.5f);',
    setup=RASTER,
    **PIXELS,
)
row(
    'window-position',
    COMPAT,
    'glWindowPos2i(3, 20);',
    'glRasterPos2f(-0.5f, -0.5f);',
    setup=RASTER,
    **PIXELS,
)
row('pixel-zoom', COMPAT, 'glPixelZoom(2, -2);', 'glPixelZoom(1, 1);', setup=RASTER, **PIXELS)
for name, value, first in [
    ('RED_SCALE', '0.5f', '1'),
    ('GREEN_BIAS', '0.5f', '0'),
    ('ALPHA_SCALE', '0.3f', '1'),
    ('BLUE_BIAS', '-0.4f', '0'),
]:
    row(
        'pixel-' + name.lower().replace('_', '-'),
        COMPAT,
        f'glPixelTransferf(GL_{name}, {value});',
        f'glPixelTransferf(GL_{name}, {first});',
        setup=RASTER + BLEND,
        flags='NO_PENDING',
        **PIXELS,
    )
MAP = 'glPixelMapfv(GL_PIXEL_MAP_R_TO_R, 2, (const GLfloat[]){%s});'
row(
    'pixel-map-color',
    COMPAT,
    'glPixelTransferi(GL_MAP_COLOR, 1);',
    'glPixelTransferi(GL_MAP_COLOR, 0);',
    setup=RASTER + MAP % '1, 0',
    flags='NO_PENDING',
    **PIXELS,
)
UNPACKED = (
    'glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 8, 8, 0, GL_RGB, GL_UNSIGNED_BYTE, mesh); '
    'param(GL_TEXTURE_MIN_FILTER, GL_LINEAR);'
)
VOLUMES = (
    VOLUME
    + 'glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_NEAREST); '
)
row(
    'unpack-skip-images',
    ALL,
    'glPixelStorei(GL_UNPACK_SKIP_IMAGES, 2);',
    'glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);',
    setup=VOLUMES,
    draw='draw_unpacked_volume',
    flags='NO_LIST',
)
row(
    'unpack-image-height',
    ALL,
    'glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 4);',
    'glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);',
    setup=VOLUMES,
    draw='draw_unpacked_volume',
    flags='NO_LIST',
)
row(
    'unpack-row-length',
    ALL,
    'glPixelStorei(GL_UNPACK_ROW_LENGTH, 5);',
    'glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);',
    setup=UNPACKED,
    draw='draw_unpacked',
    flags='NO_LIST',
)
row(
    'unpack-skip-rows',
    ALL,
    'glPixelStorei(GL_UNPACK_SKIP_ROWS, 1);',
    'glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);',
    setup=UNPACKED,
    draw='draw_unpacked',
    flags='NO_LIST',
)
row(
    'unpack-skip-pixels',
    ALL,
    'glPixelStorei(GL_UNPACK_SKIP_PIXELS, 2);',
    'glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);',
    setup=UNPACKED,
    draw='draw_unpacked',
    flags='NO_LIST',
)
row(
    'unpack-alignment',
    ALL,
    'glPixelStorei(GL_UNPACK_ALIGNMENT, 1);',
    'glPixelStorei(GL_UNPACK_ALIGNMENT, 4);',
    setup=UNPACKED,
    draw='draw_unpacked',
    flags='NO_LIST',
)
row(
    'unpack-swap-bytes',
    DESKTOP,
    'glPixelStorei(GL_UNPACK_SWAP_BYTES, 1);',
    'glPixelStorei(GL_UNPACK_SWAP_BYTES, 0);',
    draw='draw_unpacked_shorts',
    flags='NO_LIST',
)
row(
    'unpack-lsb-first',
    COMPAT,
    'glPixelStorei(GL_UNPACK_LSB_FIRST, 1);',
    'glPixelStorei(GL_UNPACK_LSB_FIRST, 0);',
    setup=RASTER,
    draw='draw_bitmap',
    flags='NO_LIST',
)
switch(
    'map-vertex',
    COMPAT,
    'GL_MAP1_VERTEX_3',
    setup='fixed_function(); glMap1f(GL_MAP1_VERTEX_3, 0, 1, 10, 4, mesh[3]); glLineWidth(3);',
    draw='draw_map',
)
switch(
    'map-color',
    COMPAT,
    'GL_MAP1_COLOR_4',
    setup=(
        'fixed_function(); glMap1f(GL_MAP1_VERTEX_3, 0, 1, 10, 4, mesh[3]); '
        'glEnable(GL_MAP1_VERTEX_3); glMap1f(GL_MAP1_COLOR_4, 0, 1, 10, 4, mesh[3] + 4); '
        'glLineWidth(3);'
    ),
    draw='draw_map',
)
row(
    'conditional-render',
    DESKTOP,
    'glBeginConditionalRender(s.a, GL_QUERY_WAIT);',
    'GLint in; glGetQueryObjectiv(s.a, GL_QUERY_RESULT, &in); glEndConditionalRender(); '
    'while (glGetError());',
    setup=(
        'glGenQueries(1, &s.a); glBeginQuery(GL_SAMPLES_PASSED, s.a); '
        'glEndQuery(GL_SAMPLES_PASSED);'
    ),
    flags=OBJECT,
)


def function(name, kind, body):
    return f'static void {name}_{kind}(void)\n{{\n    {body}\n}}\n'


def main(path):
    out = ['/* Generated by gl_state_table.py. */\n']
    table = []
    for name, apis, change, back, setup, draw, finish, flags in rows:
        c = 'row_' + name.replace('-', '_')
        out.append(function(c, 'change', change) + function(c, 'back', back))
        if setup:
            out.append(function(c, 'setup', setup))
        setup_name = f'{c}_setup' if setup else 'nothing'
        calls = f'{setup_name}, {c}_change, {c}_back, {draw}, {finish}'
        table.append(f'    {{"{name}", {apis}, {flags}, {calls}}},\n')
    out.append('static const struct row rows[] = {\n' + ''.join(table) + '};\n')
    with open(path, 'w') as file:
        file.write(''.join(out))


if __name__ == '__main__':
    main(sys.argv[1])
