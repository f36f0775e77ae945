# SPDX-License-Identifier: MIT
"""Rows for fixed-function state, pixel transfers and evaluators."""
from state_rows import ALL, COMPAT, DESKTOP, OBJECT, each, row, rows, switch
from state_rows_fragments import BLEND
from state_rows_objects import CUBE, VOLUME

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
