# SPDX-License-Identifier: MIT
"""
The doors of object commands. A core takes the object; a door finds it by what its caller names (a
target, a name, a texture unit) with a selector, which raises the error, and calls the core:

    void gl_NamedBufferData(GLuint buffer, GLsizeiptr size, const void *data, GLenum usage)
    {
        GL_CONTEXT(ctx);
        static const char call[] = "glNamedBufferData";
        struct gl_buffer *object = gl_named_buffer(ctx, buffer, call);
        if (object)
            gl_buffer_data(ctx, object, size, data, usage, call);
    }

ROOMS has, for each output, its headers and lines of: a core with its arguments, and per selector the
commands that call it. Arguments are names of the commands' parameters or "name=value where the command
has none"; `dims` is the number in a command's name (TexImage2D). Parameters that a selector takes
lead.

usage: gl_doors.py gl.xml OUTPUT, the output's name (gl_ROOM_doors.c) picks the room.
"""

import os
import re
import sys

from gl_registry import Registry

# selector: (leading parameters, type of the object, expression of it)
SELECTORS = {
    'bound buffer': (1, 'struct gl_buffer *', 'gl_bound_buffer(ctx, {0}, call)'),
    'buffer': (1, 'struct gl_buffer *', 'gl_named_buffer(ctx, {0}, call)'),
}

ROOMS = {
    'buffer': (['gl/draw/gl_buffer.h'], [
        ('gl_buffer_data(size, data, usage)', {
            'bound buffer': 'BufferData', 'buffer': 'NamedBufferData'}),
        ('gl_buffer_storage(size, data, flags)', {
            'bound buffer': 'BufferStorage'}),
        ('gl_buffer_sub_data(offset, size, data)', {
            'bound buffer': 'BufferSubData', 'buffer': 'NamedBufferSubData'}),
        ('gl_buffer_get_sub_data(offset, size, data)', {
            'bound buffer': 'GetBufferSubData'}),
        ('gl_buffer_map(access)', {'bound buffer': 'MapBuffer'}),
        ('gl_buffer_map_range(offset, length, access)', {'bound buffer': 'MapBufferRange'}),
        ('gl_buffer_flush_range(offset, length)', {'bound buffer': 'FlushMappedBufferRange'}),
        ('gl_buffer_unmap()', {'bound buffer': 'UnmapBuffer'}),
        ('gl_buffer_get_iv(pname, params)', {'bound buffer': 'GetBufferParameteriv'}),
        ('gl_buffer_get_i64v(pname, params)', {'bound buffer': 'GetBufferParameteri64v'}),
        ('gl_buffer_get_pointer(pname, params)', {'bound buffer': 'GetBufferPointerv'}),
    ]),
}


def arguments(core, command, params):
    """The core's arguments for a command whose parameters behind the selector's are params."""
    names = {p.name for p in params}
    out = []
    for argument in filter(None, re.search(r'\((.*)\)', core).group(1).split(', ')):
        name, _, default = argument.partition('=')
        alternatives = [n for n in name.split('|') if n in names]
        if name == 'dims':
            out.append(re.search(r'([123])D', command.short).group(1))
        elif alternatives:
            out.append(alternatives[0])
        elif default:
            out.append(default)
        else:
            sys.exit(f'{command.name} has no parameter {name}')
        names -= set(alternatives)
    if names:
        sys.exit(f'{core} does not take {names} of {command.name}')
    return out


def door(command, selector, core):
    count, kind, expression = SELECTORS[selector]
    selected = expression.format(*[p.name for p in command.params[:count]])
    call = ', '.join(['ctx', 'object'] + arguments(core, command, command.params[count:]) + ['call'])
    result = '' if command.returns == 'void' else 'return '
    text = (f'{command.returns} gl_{command.short}({command.parameters})\n{{\n'
            f'    GL_CONTEXT(ctx);\n    static const char call[] = "{command.name}";\n'
            f'    {kind}object = {selected};\n    if (object)\n'
            f'        {result}{core[:core.index("(")]}({call});\n')
    return text + ('    return 0;\n' if result else '') + '}\n\n'


def main():
    registry = Registry(sys.argv[1])
    room = re.fullmatch(r'gl_(\w+)_doors\.c', os.path.basename(sys.argv[2])).group(1)
    headers, lines = ROOMS[room]
    with open(sys.argv[2], 'w') as f:
        f.write('/* Generated from gl.xml by gl_doors.py. */\n#include "gl/api/gl_context.h"\n')
        f.write(''.join(f'#include "{h}"\n' for h in headers) + '#include "gl_entry.h"\n\n')
        for core, commands in lines:
            for selector, names in commands.items():
                for name in names.split():
                    f.write(door(registry.commands['gl' + name], selector, core))


main()
