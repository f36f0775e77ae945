# SPDX-License-Identifier: MIT
"""Rows for state of fragments: blending, samples, rasterization, depth, viewport and clears."""
from state_rows import ALL, COMPAT, DESKTOP, OBJECT, each, row, switch

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
row(
    'alpha-to-coverage-dither',
    ALL,
    'glAlphaToCoverageDitherControlNV(GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV);',
    'glAlphaToCoverageDitherControlNV(GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV);',
    setup='make_samples(); glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);',
    **MS,
)
row(
    'sample-locations',
    DESKTOP,
    'glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, 1);',
    'glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, 0);',
    setup='make_samples();',
    flags=OBJECT,
    **MS,
)
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
switch(
    'sample-mask',
    ALL,
    'GL_SAMPLE_MASK',
    setup='make_samples(); glSampleMaski(0, 5);',
    flags='NO_ATTRIB',
    **MS,
)
row(
    'sample-mask-value',
    ALL,
    'glSampleMaski(0, 1);',
    'glSampleMaski(0, 7);',
    setup='make_samples(); glEnable(GL_SAMPLE_MASK); glSampleMaski(0, 7);',
    flags='NO_ATTRIB',
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
switch('conservative-nv', DESKTOP, 'GL_CONSERVATIVE_RASTERIZATION_NV')
switch('conservative-intel', DESKTOP, 'GL_CONSERVATIVE_RASTERIZATION_INTEL')
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
switch(
    'depth-bounds-test', DESKTOP, 'GL_DEPTH_BOUNDS_TEST_EXT', setup='glDepthBoundsEXT(0.0, 0.5);'
)
row(
    'depth-bounds',
    DESKTOP,
    'glDepthBoundsEXT(0.0, 0.5);',
    'glDepthBoundsEXT(0.0, 1.0);',
    setup='glEnable(GL_DEPTH_BOUNDS_TEST_EXT);',
)
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
