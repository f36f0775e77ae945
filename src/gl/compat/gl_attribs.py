# SPDX-License-Identifier: MIT
"""
Generates the commands that set vertex attributes, for all types. gl_attribs.c contains two
functions per command: gl_Foo for execution and gl_save_Foo for display list compilation.

usage: gl_attribs.py gl.xml OUTPUT
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../api'))

from gl_registry import Registry  # noqa: E402

NUMBER = {  # suffix: (C type, divisor for normalization)
    'b': ('GLbyte', '127.0'),
    'ub': ('GLubyte', '255.0'),
    's': ('GLshort', '32767.0'),
    'us': ('GLushort', '65535.0'),
    'i': ('GLint', '2147483647.0'),
    'ui': ('GLuint', '4294967295.0'),
    'f': ('GLfloat', None),
    'd': ('GLdouble', None),
    'x': ('GLfixed', 'fixed'),
    'h': ('GLhalfNV', 'half'),
}

# command stem: (attribute expression, integers are normalized, kind of the first parameter or None)
STEMS = {
    'Vertex': ('VERT_ATTRIB_POS', False, None),
    'Normal': ('VERT_ATTRIB_NORMAL', True, None),
    'Color': ('VERT_ATTRIB_COLOR0', True, None),
    'SecondaryColor': ('VERT_ATTRIB_COLOR1', True, None),
    'FogCoord': ('VERT_ATTRIB_FOG', False, None),
    'Index': ('VERT_ATTRIB_COLOR_INDEX', False, None),
    'TexCoord': ('VERT_ATTRIB_TEX0', False, None),
    'MultiTexCoord': (None, False, 'unit'),
    'VertexAttrib': (None, False, 'index'),
    'VertexAttribI': (None, False, 'integer'),
}

PATTERN = re.compile(r'^gl(VertexAttribI|VertexAttrib|MultiTexCoord|SecondaryColor|FogCoord|'
                     r'TexCoord|Vertex|Normal|Color|Index)([1-4]?)(N?)(ub|us|ui|[bsifdx]|h(?=v?NV))(v?)(?:NV)?$')
# NV_half_float: sets n attributes starting at index, in descending order
SEVERAL = re.compile(r'^glVertexAttribs([1-4])hvNV$')
PACKED = re.compile(r'^gl(VertexAttrib|MultiTexCoord|SecondaryColor|TexCoord|Vertex|Normal|Color)'
                    r'P([1-4])ui(v?)$')


def convert(expression, suffix, normalized):
    _, divisor = NUMBER[suffix]
    if divisor == 'fixed':
        return f'{expression} / 65536.0f'
    if divisor == 'half':
        return f'util_half_to_float({expression})'
    if normalized and divisor:
        if suffix in ('b', 's', 'i'):
            return f'(float)MAX2({expression} / {divisor}, -1.0)'
        return f'(float)({expression} / {divisor})'
    return f'(float){expression}'


def emit(f, command, n, values, kind, attribute, ctype, check=None):
    """
    Emits both functions of one command. values: C expressions of type uint32_t. check: C expression
    that validates the arguments and raises the error.
    """
    fill = ['0', '0', '0', 'FLOAT_ONE' if ctype == 'GL_FLOAT' else '1']
    values = values + fill[len(values):]
    for prefix, call in (('gl_', 'gl_attrib'), ('gl_save_', 'gl_save_attrib')):
        static = 'static ' if prefix == 'gl_save_' else ''
        f.write(f'{static}void {prefix}{command.short}({command.parameters})\n{{\n    GL_CONTEXT(ctx);\n')
        if check:
            f.write(f'    if (!{check})\n        return;\n')
        first = command.params[0].name
        if kind == 'unit':
            f.write(f'    unsigned a = VERT_ATTRIB_TEX({first} & 7);\n')
        elif kind in ('index', 'integer'):
            generic = 'gl_generic_attrib' if prefix == 'gl_' else 'gl_save_generic_attrib'
            f.write(f'    unsigned a = {generic}(ctx, {first});\n'
                    '    if (a == VERT_ATTRIB_COUNT)\n        return;\n')
        else:
            f.write(f'    const unsigned a = {attribute};\n')
        f.write(f'    const uint32_t bits_[4] = {{{", ".join(values)}}};\n'
                f'    {call}(ctx, a, {n}, {ctype}, bits_);\n}}\n\n')


def emit_several(f, command, size):
    """Emits both functions of VertexAttribs…hvNV(index, n, v) as calls of VertexAttrib…hvNV."""
    for prefix, static in (('gl_', ''), ('gl_save_', 'static ')):
        f.write(f'{static}void {prefix}{command.short}({command.parameters})\n{{\n    GL_CONTEXT(ctx);\n'
                '    if (n < 0 || (uint64_t)index_ + n > (uint64_t)ctx->consts.max_vertex_attribs) {\n'
                f'        gl_error(ctx, GL_INVALID_VALUE, "{command.name}(index=%u, n=%d)", index_, n);\n'
                '        return;\n    }\n'
                '    for (GLsizei i = n; i-- > 0;)\n'
                f'        {prefix}VertexAttrib{size}hvNV(index_ + i, v + {size} * i);\n}}\n\n')


def main():
    registry = Registry(sys.argv[1])
    names = []
    with open(sys.argv[2], 'w') as f:
        f.write('/* Generated from gl.xml by gl_attribs.py. */\n'
                '#include "gl/compat/gl_immediate.h"\n#include "gl/draw/gl_array.h"\n#include "gl_dispatch.h"\n#include "gl_entry.h"\n'
                '#include "util/half.h"\n\n'
                '#define FLOAT_ONE 0x3f800000u\n\n')
        for command in registry.slots:
            m = PATTERN.match(command.name)
            if m:
                stem, count, n_flag, suffix, vector = m.groups()
                attribute, normalized, kind = STEMS[stem]
                n = int(count or 1)
                if suffix == 'ub' and stem == 'VertexAttrib':
                    normalized = bool(n_flag)
                normalized = normalized or bool(n_flag)
                skip = 1 if kind else 0
                if vector:
                    source = [f'{command.params[skip].name}[{i}]' for i in range(n)]
                else:
                    source = [p.name for p in command.params[skip:skip + n]]
                if kind == 'integer':
                    unsigned = suffix in ('ub', 'us', 'ui')
                    values = [f'(uint32_t){s}' for s in source]
                    ctype = 'GL_UNSIGNED_INT' if unsigned else 'GL_INT'
                else:
                    values = [f'fui({convert(s, suffix, normalized)})' for s in source]
                    ctype = 'GL_FLOAT'
                emit(f, command, n, values, kind, attribute, ctype)
                names.append(command.short)
                continue
            m = SEVERAL.match(command.name)
            if m:
                emit_several(f, command, m.group(1))
                names.append(command.short)
                continue
            m = PACKED.match(command.name)
            if m:
                stem, count, vector = m.groups()
                attribute, normalized, kind = STEMS[stem]
                n = int(count)
                norm = str(normalized).lower()
                params = [p.name for p in command.params]
                packed = params[-1] + ('[0]' if vector else '')
                type_param = params[1 if kind else 0]
                if stem == 'VertexAttrib':
                    norm = params[2]
                values = [f'gl_packed_component(ctx, {type_param}, {norm}, {packed}, {i})'
                          for i in range(n)]
                emit(f, command, n, values, kind, attribute, 'GL_FLOAT',
                     f'gl_packed_type(ctx, {type_param}, {str(stem == "VertexAttrib" and n < 4).lower()}, '
                     f'"{command.name}")')
                names.append(command.short)
        for name, value in (('EdgeFlag', 'flag'), ('EdgeFlagv', 'flag[0]')):
            command = registry.commands['gl' + name]
            emit(f, command, 1, [f'fui({value} ? 1.0f : 0.0f)'], None, 'VERT_ATTRIB_EDGEFLAG',
                 'GL_FLOAT')
            names.append(name)
        f.write('void gl_save_attribs_install(struct gl_dispatch *table)\n{\n')
        for name in names:
            f.write(f'    table->{name} = gl_save_{name};\n')
        f.write('}\n')


main()
