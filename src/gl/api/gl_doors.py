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

# selector: (parameters that it takes, declaration, condition, object)
def pointer(count, kind, expression):
    return (count, f'struct {kind} *object = {expression};', 'object', 'object')


def place(count, expression):
    return (count, 'struct gl_image_place place;', expression, '&place')


UNIT = 'ctx->texenv.active'
SELECTORS = {
    'vao': pointer(0, 'gl_vertex_array', 'ctx->array.vao'),
    'bound arrays': pointer(0, 'gl_vertex_array', 'gl_bound_arrays(ctx, call)'),
    'bound source': (0, 'struct gl_array_source source = {{ctx->array.vao, ctx->array.array_buffer}};',
                     'source.vao', '&source'),
    'bound framebuffer': pointer(1, 'gl_framebuffer', 'gl_bound_framebuffer(ctx, {0}, call)'),
    'draw framebuffer': pointer(0, 'gl_framebuffer', 'ctx->framebuffer.draw'),
    'read framebuffer': pointer(0, 'gl_framebuffer', 'ctx->framebuffer.read'),
    'bound renderbuffer': pointer(1, 'gl_renderbuffer', 'gl_bound_renderbuffer(ctx, {0}, call)'),
    'bound buffer': pointer(1, 'gl_buffer', 'gl_bound_buffer(ctx, {0}, call)'),
    'buffer': pointer(1, 'gl_buffer', 'gl_named_buffer(ctx, {0}, call)'),
    'bound texture': pointer(1, 'gl_texture', f'gl_bound_texture(ctx, {UNIT}, {{0}}, 0, call)'),
    'bound buffer texture': pointer(
        1, 'gl_texture', f'gl_bound_texture(ctx, {UNIT}, {{0}}, GL_PLACE_BUFFER, call)'),
    'bound image': place(1, f'gl_bound_place(ctx, {UNIT}, {{0}}, {{dims}}, 0, call, &place)'),
    'bound image or proxy': place(
        1, f'gl_bound_place(ctx, {UNIT}, {{0}}, {{dims}}, GL_PLACE_PROXY, call, &place)'),
    'bound level': place(
        1, f'gl_bound_place(ctx, {UNIT}, {{0}}, 0, GL_PLACE_PROXY | GL_PLACE_BUFFER, call, &place)'),
    'bound storage': place(
        1, f'gl_bound_place(ctx, {UNIT}, {{0}}, {{dims}}, GL_PLACE_PROXY | GL_PLACE_WHOLE, call, '
        '&place)'),
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
    'array': ([], [
        ('gl_array_pointer(=GL_ARRAY_VERTEX, =0, size, type, =false, stride, pointer)', {
            'bound source': 'VertexPointer'}),
        ('gl_array_pointer(=GL_ARRAY_NORMAL, =0, =3, type, =true, stride, pointer)', {
            'bound source': 'NormalPointer'}),
        ('gl_array_pointer(=GL_ARRAY_COLOR, =0, size, type, =true, stride, pointer)', {
            'bound source': 'ColorPointer'}),
        ('gl_array_pointer(=GL_ARRAY_SECONDARY_COLOR, =0, size, type, =true, stride, pointer)', {
            'bound source': 'SecondaryColorPointer'}),
        ('gl_array_pointer(=GL_ARRAY_INDEX, =0, =1, type, =false, stride, pointer)', {
            'bound source': 'IndexPointer'}),
        ('gl_array_pointer(=GL_ARRAY_FOG_COORD, =0, =1, type, =false, stride, pointer)', {
            'bound source': 'FogCoordPointer'}),
        ('gl_array_pointer(=GL_ARRAY_EDGE_FLAG, =0, =1, =GL_UNSIGNED_BYTE, =false, stride, pointer)', {
            'bound source': 'EdgeFlagPointer'}),
        ('gl_array_pointer(=GL_ARRAY_TEX_COORD, =ctx->array.client_active_texture, size, type, '
         '=false, stride, pointer)', {'bound source': 'TexCoordPointer'}),
        ('gl_array_pointer(=GL_ARRAY_POINT_SIZE, =0, =1, type, =false, stride, pointer)', {
            'bound source': 'PointSizePointerOES'}),
        ('gl_array_pointer(=GL_ARRAY_ATTRIB, index_, size, type, normalized, stride, pointer)', {
            'bound source': 'VertexAttribPointer'}),
        ('gl_array_pointer(=GL_ARRAY_ATTRIB_I, index_, size, type, =false, stride, pointer)', {
            'bound source': 'VertexAttribIPointer'}),
        ('gl_array_enable(index_, =true)', {'vao': 'EnableVertexAttribArray'}),
        ('gl_array_enable(index_, =false)', {'vao': 'DisableVertexAttribArray'}),
        ('gl_array_divisor(index_, divisor)', {'vao': 'VertexAttribDivisor'}),
        ('gl_array_vertex_buffer(bindingindex, buffer, offset, stride)', {
            'bound arrays': 'BindVertexBuffer'}),
        ('gl_array_format(=GL_ARRAY_ATTRIB, attribindex, size, type, normalized, relativeoffset)', {
            'bound arrays': 'VertexAttribFormat'}),
        ('gl_array_format(=GL_ARRAY_ATTRIB_I, attribindex, size, type, =false, relativeoffset)', {
            'bound arrays': 'VertexAttribIFormat'}),
        ('gl_array_attrib_binding(attribindex, bindingindex)', {
            'bound arrays': 'VertexAttribBinding'}),
        ('gl_array_binding_divisor(bindingindex, divisor)', {
            'bound arrays': 'VertexBindingDivisor'}),
    ]),
    'framebuffer': ([], [
        ('gl_framebuffer_texture(attachment, dims, textarget, texture, level, zoffset=0)', {
            'bound framebuffer': 'FramebufferTexture1D FramebufferTexture2D FramebufferTexture3D'}),
        ('gl_framebuffer_texture(attachment, =GL_ATTACH_LAYER, =GL_NONE, texture, level, layer)', {
            'bound framebuffer': 'FramebufferTextureLayer'}),
        ('gl_framebuffer_texture(attachment, =GL_ATTACH_WHOLE, =GL_NONE, texture, level, =0)', {
            'bound framebuffer': 'FramebufferTexture'}),
        ('gl_framebuffer_renderbuffer(attachment, renderbuffertarget, renderbuffer)', {
            'bound framebuffer': 'FramebufferRenderbuffer'}),
        ('gl_framebuffer_get_attachment(attachment, pname, params)', {
            'bound framebuffer': 'GetFramebufferAttachmentParameteriv'}),
        ('gl_framebuffer_draw_buffer(buf)', {'draw framebuffer': 'DrawBuffer'}),
        ('gl_framebuffer_draw_buffers(n, bufs)', {'draw framebuffer': 'DrawBuffers'}),
        ('gl_framebuffer_read_buffer(src)', {'read framebuffer': 'ReadBuffer'}),
        ('gl_renderbuffer_storage(samples=0, internalformat, width, height)', {
            'bound renderbuffer': 'RenderbufferStorage RenderbufferStorageMultisample'}),
        ('gl_renderbuffer_get(pname, params)', {
            'bound renderbuffer': 'GetRenderbufferParameteriv'}),
    ]),
    'texture': (['gl/texture/gl_teximage.h'], [
        ('gl_tex_image(dims, level, internalformat, width, height=1, depth=1, border, format, type, '
         'pixels)', {'bound image or proxy': 'TexImage1D TexImage2D TexImage3D'}),
        ('gl_tex_sub_image(dims, level, xoffset, yoffset=0, zoffset=0, width, height=1, depth=1, '
         'format, type, pixels)', {'bound image': 'TexSubImage1D TexSubImage2D TexSubImage3D'}),
        ('gl_copy_tex_image(dims, level, internalformat, x, y, width, height=1, border)', {
            'bound image': 'CopyTexImage1D CopyTexImage2D'}),
        ('gl_copy_tex_sub_image(level, xoffset, yoffset=0, zoffset=0, x, y, width, height=1)', {
            'bound image': 'CopyTexSubImage1D CopyTexSubImage2D CopyTexSubImage3D'}),
        ('gl_compressed_image(level, internalformat, width, height=1, depth=1, border, imageSize, '
         'data)', {'bound image or proxy': 'CompressedTexImage1D CompressedTexImage2D '
                                           'CompressedTexImage3D'}),
        ('gl_compressed_sub_image(level, xoffset, yoffset=0, zoffset=0, width, height=1, depth=1, '
         'format, imageSize, data)', {'bound image': 'CompressedTexSubImage1D '
                                      'CompressedTexSubImage2D CompressedTexSubImage3D'}),
        ('gl_tex_storage(levels, internalformat, width, height=1, depth=1)', {
            'bound storage': 'TexStorage1D TexStorage2D TexStorage3D'}),
        ('gl_generate_mipmap()', {'bound texture': 'GenerateMipmap'}),
        ('gl_get_tex_image(level, format, type, bufSize=INTPTR_MAX, pixels)', {
            'bound image': 'GetTexImage GetnTexImage'}),
        ('gl_get_compressed_image(level|lod, bufSize=INTPTR_MAX, img|pixels)', {
            'bound image': 'GetCompressedTexImage GetnCompressedTexImage'}),
        ('gl_get_level_iv(level, pname, params)', {'bound level': 'GetTexLevelParameteriv'}),
        ('gl_get_level_fv(level, pname, params)', {'bound level': 'GetTexLevelParameterfv'}),
        ('gl_tex_parameter_i(pname, param)', {'bound texture': 'TexParameteri'}),
        ('gl_tex_parameter_f(pname, param)', {'bound texture': 'TexParameterf'}),
        ('gl_tex_parameter_iv(pname, params)', {'bound texture': 'TexParameteriv'}),
        ('gl_tex_parameter_fv(pname, params)', {'bound texture': 'TexParameterfv'}),
        ('gl_tex_parameter_Iiv(pname, params)', {'bound texture': 'TexParameterIiv'}),
        ('gl_tex_parameter_Iuiv(pname, params)', {'bound texture': 'TexParameterIuiv'}),
        ('gl_get_tex_parameter_iv(pname, params)', {'bound texture': 'GetTexParameteriv'}),
        ('gl_get_tex_parameter_fv(pname, params)', {'bound texture': 'GetTexParameterfv'}),
        ('gl_get_tex_parameter_Iiv(pname, params)', {'bound texture': 'GetTexParameterIiv'}),
        ('gl_get_tex_parameter_Iuiv(pname, params)', {'bound texture': 'GetTexParameterIuiv'}),
        ('gl_tex_buffer(internalformat, buffer)', {'bound buffer texture': 'TexBuffer'}),
        ('gl_tex_buffer_range(internalformat, buffer, offset, size)', {
            'bound buffer texture': 'TexBufferRange'}),
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
    count, declaration, condition, chosen = SELECTORS[selector]
    names = [p.name for p in command.params[:count]]
    dims = re.search(r'([123])D', command.short)
    fill = {'dims': dims.group(1) if dims else '0'}
    call = ', '.join(['ctx', chosen] + arguments(core, command, command.params[count:]) + ['call'])
    result = '' if command.returns == 'void' else 'return '
    text = (f'{command.returns} gl_{command.short}({command.parameters})\n{{\n'
            f'    GL_CONTEXT(ctx);\n    static const char call[] = "{command.name}";\n'
            f'    {declaration.format(*names, **fill)}\n'
            f'    if ({condition.format(*names, **fill)})\n'
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
