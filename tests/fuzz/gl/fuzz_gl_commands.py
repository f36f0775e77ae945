# SPDX-License-Identifier: MIT
"""
Generates the tables of the GL fuzzer from gl.xml:

  fuzz_gl_commands.h  prototypes of the exported commands, and classes of objects
  fuzz_gl_told.h      macros that print each call of handwritten code before making it
  fuzz_gl_commands.c  a row for each command: its APIs, how to call it, and its parameters' types,
                      groups, classes and lengths; the values of each group of enumerants

usage: fuzz_gl_commands.py gl.xml OUTPUT; the output's name selects the template.
"""

import os
import re
import sys

from mako.template import Template

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../src/gl/api'))

from gl_registry import APIS, Registry, api_mask  # noqa: E402

# Vendor extensions are omitted: Indium supports few of them, and calling unsupported commands tests little.
LEFT_OUT = re.compile('(NV|NVX|ATI|SUN|SUNX|SGI|SGIX|SGIS|APPLE|AMD|QCOM|INTEL|IBM|IMG|HP|MESA|OVR|PGI|'
                      'ANGLE|GREMEDY|OML|3DFX)$')

# Commands of vendor extensions that Indium advertises.
SUPPORTED = {'glAlphaToCoverageDitherControlNV', 'glResolveDepthValuesNV',
             'glSubpixelPrecisionBiasNV'}

CLASSES = ['buffer', 'texture', 'framebuffer', 'renderbuffer', 'sampler', 'query', 'shader', 'program',
           'program pipeline', 'vertex array', 'transform feedback', 'display list', 'sync']

INTEGERS = {'GLbyte', 'GLubyte', 'GLshort', 'GLushort', 'GLhalfNV', 'GLclampx', 'GLint', 'GLuint'}
SCALARS = {
    'GLenum': 'ENUM', 'GLbitfield': 'BITS', 'GLboolean': 'BOOLEAN', 'GLsizei': 'SIZE',
    'GLfloat': 'FLOAT', 'GLclampf': 'FLOAT', 'GLdouble': 'FLOAT', 'GLclampd': 'FLOAT',
    'GLfixed': 'INTEGER', 'GLint64': 'WIDE', 'GLint64EXT': 'WIDE', 'GLuint64': 'WIDE',
    'GLuint64EXT': 'WIDE', 'GLintptr': 'OFFSET', 'GLintptrARB': 'OFFSET', 'GLsizeiptr': 'BYTES',
    'GLsizeiptrARB': 'BYTES', 'GLsync': 'SYNC', 'GLDEBUGPROC': 'CALLBACK',
}


def scalar_kind(name):
    return SCALARS.get(name, 'INTEGER' if name in INTEGERS else 'OPAQUE')


def is_integer_pointer(kind):
    return kind in ('SYNC', 'CALLBACK', 'OPAQUE')


class Row:
    """A parameter as represented in the C table."""

    def __init__(self, command, param, groups):
        base = re.sub(r'const|\*', ' ', param.type).split()[0]
        stars = param.type.count('*')
        self.name = param.name
        self.kind = scalar_kind(base)
        self.pointer = min(stars, 2)
        self.constant = 'const' in param.type
        self.element = {0: '0', 1: '1' if base == 'void' else f'sizeof({base})'}.get(
            stars, 'sizeof(void *)')
        self.text = base in ('GLchar', 'GLcharARB') or param.name == 'string'
        self.group = groups.get(param.group, -1) if param.group else -1
        cls = param.object_class
        self.cls = CLASSES.index(cls) if cls in CLASSES else -1
        if cls is None and param.name in ('list', 'lists') and base == 'GLuint':
            self.cls = CLASSES.index('display list')
        names = [p.name for p in command.params]
        self.length, self.of, self.times, self.over = 'NONE', 0, 1, 1
        text = (param.length or '').strip()
        # Lengths of glDepthRangeArrayfvOES and glCreateMemoryObjectsEXT, which the registry lacks.
        unsaid = 'count' if self.name == 'v' else 'n'
        if not text and self.pointer and unsaid in names:
            text = f'COMPSIZE({unsaid})'
        if param.array:  # GLfloat v[4]
            text = param.array.strip('[] ')
        if text.isdigit():
            wrong = command.name.startswith('glGetVertexAttrib')  # they return the 4 components of the current attribute
            self.length, self.times = 'CONSTANT', 4 if wrong else int(text)
        elif match := re.fullmatch(r'(\w+)\s*(?:([*/])\s*(\d+))?', text):
            if match[1] in names:
                self.length, self.of = 'PARAMETER', names.index(match[1])
                if match[2]:
                    setattr(self, 'times' if match[2] == '*' else 'over', int(match[3]))
        elif match := re.fullmatch(r'COMPSIZE\((?:\w+,)?(count|drawcount|primcount|uniformCount|n|length)\)', text):
            self.length, self.of = 'PARAMETER', names.index(match[1])
            if self.name == 'v':  # glViewportArrayv: four per viewport
                self.times = 4
        elif text.startswith('COMPSIZE'):
            self.length = 'COMPUTED'


def argument(command, i):
    p = command.params[i]
    kind = scalar_kind(p.type)
    if p.pointer or is_integer_pointer(kind):
        return f'({p.type})(uintptr_t)a[{i}].i'
    return f'({p.type})a[{i}].{"f" if kind == "FLOAT" else "i"}'


def call(command):
    text = f'{command.name}({", ".join(argument(command, i) for i in range(len(command.params)))})'
    if command.returns == 'void':
        return f'{text};\n    return 0;'
    if '*' in command.returns or is_integer_pointer(scalar_kind(command.returns)):
        return f'return (uintptr_t){text};'
    return f'return (uint64_t){text};'


def value(param):
    """The C initializer of a union fuzz_value with the parameter's value."""
    kind = scalar_kind(param.type)
    if param.pointer or is_integer_pointer(kind):
        return f'{{.i = (int64_t)(uintptr_t){param.name}}}'
    return f'{{.{"f" if kind == "FLOAT" else "i"} = {param.name}}}'


TEMPLATES = {
    'fuzz_gl_commands.h': '''
/* Generated from gl.xml by fuzz_gl_commands.py. */
#ifndef FUZZ_GL_COMMANDS_H
#define FUZZ_GL_COMMANDS_H

#include "gl/context/gl_types.h"

% for name in sorted(r.commands):
${r.commands[name].returns} ${name}(${r.commands[name].parameters});
% endfor

enum fuzz_class {
% for c in classes:
    FUZZ_${c.upper().replace(' ', '_')},
% endfor
    FUZZ_CLASSES,
};

#endif
''',
    'fuzz_gl_told.h': '''
/* Generated from gl.xml by fuzz_gl_commands.py. To be included after everything else. */
#include "fuzz_gl.h"

% for c in commands:
static inline ${c.returns} told_${c.name}(${c.parameters})
{
    const union fuzz_value values_[] = {${', '.join(value(p) for p in c.params) or '{0}'}};
    ${'' if c.returns == 'void' else f'return ({c.returns})'}fuzz_print_and_call(${loop.index}, values_);
}
#define ${c.name} told_${c.name}
% endfor
''',
    'fuzz_gl_commands.c': '''
/* Generated from gl.xml by fuzz_gl_commands.py. */
#include "fuzz_gl.h"

% for name, values in groups:
static const uint32_t group_${loop.index}[] = {${', '.join(f'{v:#x}u' for v in values)}}; /* ${name} */
% endfor

const struct fuzz_group fuzz_groups[] = {
% for name, values in groups:
    {group_${loop.index}, ${len(values)}},
% endfor
};

% for c in commands:
static uint64_t call_${c.short}(const union fuzz_value *a)
{
    ${call(c)}
}

% if c.params:
static const struct fuzz_param params_${c.short}[] = {
% for p in map(lambda p: Row(c, p, group_index), c.params):
    {"${p.name}", FUZZ_KIND_${p.kind}, ${p.pointer}, ${int(p.constant)}, ${int(p.text)}, ${p.element},
     ${p.group}, ${p.cls}, FUZZ_LENGTH_${p.length}, ${p.of}, ${p.times}, ${p.over}},
% endfor
};
% endif

% endfor
const struct fuzz_command fuzz_commands[] = {
% for c in commands:
    {"${c.name}", call_${c.short}, ${f'params_{c.short}' if c.params else 'NULL'}, ${len(c.params)},
     ${api_mask(c)}},
% endfor
};
const unsigned fuzz_num_commands = ${len(commands)};
''',
}


def main():
    registry = Registry(sys.argv[1])
    groups = sorted((name, sorted(v & 0xffffffff for v in values))
                    for name, values in registry.groups.items())
    text = Template(TEMPLATES[os.path.basename(sys.argv[2])].lstrip('\n')).render(
        r=registry, classes=CLASSES, groups=groups, api_mask=api_mask, call=call, value=value, Row=Row,
        group_index={name: i for i, (name, _) in enumerate(groups)},
        commands=[c for c in registry.slots if not LEFT_OUT.search(c.name) or c.name in SUPPORTED])
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.write(text)


assert APIS == ('compat', 'core', 'es1', 'es2')
main()
