# SPDX-License-Identifier: MIT
"""
Generates the entry-point wrappers of commands on objects. A core function implements a command for
a given object. Several commands call it and differ in how the caller names the object: by target,
name or texture unit. Each wrapper resolves the object with a selector, which raises the error, and
calls the core:

    void gl_NamedBufferData(GLuint buffer, GLsizeiptr size, const void *data, GLenum usage)
    {
        GL_CONTEXT(ctx);
        static const char call[] = "glNamedBufferData";
        struct gl_buffer *object = gl_named_buffer(ctx, buffer, call);
        if (object)
            gl_buffer_data(ctx, object, size, data, usage, call);
    }

OUTPUTS has the headers and rows of each output file. A row consists of a core with its arguments,
the kind of object, and the commands that call the core, by the way they name the object:

  bound  bound to a target
  name   by name
  unit   bound to a target of a texture unit
  use    by a name that becomes an object if it has none (EXT_direct_state_access)

A detour row has a command instead of a core. Its wrapper temporarily selects something, such as a
texture unit, and calls the command. Arguments are parameter names of the commands. "name=value"
gives a default for commands without the parameter, "name|other name" lists alternatives, and "…"
stands for all remaining parameters. `dims` is the number in the command's name (TexImage2D). The
selector's parameters come first in a command.

usage: gl_entry_points.py gl.xml OUTPUT; the name of the output (gl_NAME_entry_points.c) selects the
rows.
"""

import os
import re
import sys

from gl_registry import Registry

# A selector: (number of its parameters, declaration, condition, object). For a detour, the object
# is None and a fifth element restores the previous selection.
def pointer(count, kind, expression):
    return (count, f'struct {kind} *object = {expression};', 'object', 'object')


def place(count, expression):
    return (count, 'struct gl_image_target place;', expression, '&place')


def textures(rules):
    return {
        'bound': pointer(1, 'gl_texture', f'gl_bound_texture(ctx, {UNIT}, {{0}}, {rules}, call)'),
        'unit': pointer(2, 'gl_texture',
                        f'gl_bound_texture(ctx, {{0}} - GL_TEXTURE0, {{1}}, {rules}, call)'),
        'use': pointer(2, 'gl_texture', f'gl_get_or_create_texture(ctx, {{0}}, {{1}}, {rules}, call)'),
        'name': pointer(1, 'gl_texture', f'gl_named_texture(ctx, {{0}}, {rules}, call)'),
    }


def images(dims, rules):
    return {
        'bound': place(1, f'gl_bound_image(ctx, {UNIT}, {{0}}, {dims}, {rules}, call, &place)'),
        'unit': place(2, f'gl_bound_image(ctx, {{0}} - GL_TEXTURE0, {{1}}, {dims}, {rules}, call, '
                         '&place)'),
        'use': place(2, f'gl_bindable_image(ctx, {{0}}, {{1}}, {dims}, {rules}, call, &place)'),
        'name': place(1, f'gl_named_image(ctx, {{0}}, {dims}, {rules}, call, &place)'),
    }


UNIT = 'ctx->texenv.active'
SELECTORS = {  # kind of object → way of naming it → selector
    'buffer': {
        'bound': pointer(1, 'gl_buffer', 'gl_bound_buffer(ctx, {0}, call)'),
        'name': pointer(1, 'gl_buffer', 'gl_named_buffer(ctx, {0}, call)'),
        'use': pointer(1, 'gl_buffer', 'gl_get_or_create_buffer(ctx, {0}, call)'),
    },
    'buffer to clear': {
        'bound': pointer(1, 'gl_buffer', 'gl_bound_buffer_to_clear(ctx, {0}, call)'),
        'name': pointer(1, 'gl_buffer', 'gl_named_buffer(ctx, {0}, call)'),
        'use': pointer(1, 'gl_buffer', 'gl_get_or_create_buffer(ctx, {0}, call)'),
    },
    'vao': {  # includes the default one
        'bound': pointer(0, 'gl_vertex_array', 'ctx->array.vao'),
        'name': pointer(1, 'gl_vertex_array', 'gl_named_arrays(ctx, {0}, call)'),
        'use': pointer(1, 'gl_vertex_array', 'gl_get_or_create_arrays(ctx, {0}, call)'),
    },
    'arrays': {
        'bound': pointer(0, 'gl_vertex_array', 'gl_bound_arrays(ctx, call)'),
        'name': pointer(1, 'gl_vertex_array', 'gl_named_arrays(ctx, {0}, call)'),
        'use': pointer(1, 'gl_vertex_array', 'gl_get_or_create_arrays(ctx, {0}, call)'),
    },
    'source': {
        'bound': (0, 'struct gl_array_source source = {{ctx->array.vao, ctx->array.array_buffer}};',
                  'source.vao', '&source'),
        'use': (2, 'struct gl_array_source source;',
                'gl_use_source(ctx, {0}, {1}, call, &source)', '&source'),
    },
    'framebuffer': {
        'bound': pointer(1, 'gl_framebuffer', 'gl_bound_framebuffer(ctx, {0}, call)'),
        'draw': pointer(0, 'gl_framebuffer', 'ctx->framebuffer.draw'),
        'read': pointer(0, 'gl_framebuffer', 'ctx->framebuffer.read'),
        'name': pointer(1, 'gl_framebuffer', 'gl_named_framebuffer(ctx, {0}, call)'),
        'use': pointer(1, 'gl_framebuffer', 'gl_get_or_create_framebuffer(ctx, {0}, call)'),
    },
    'renderbuffer': {
        'bound': pointer(1, 'gl_renderbuffer', 'gl_bound_renderbuffer(ctx, {0}, call)'),
        'name': pointer(1, 'gl_renderbuffer', 'gl_named_renderbuffer(ctx, {0}, call)'),
        'use': pointer(1, 'gl_renderbuffer', 'gl_get_or_create_renderbuffer(ctx, {0}, call)'),
    },
    'texture': textures('GL_PLACE_WHOLE | GL_PLACE_SAMPLES'),
    'mipmap': textures('GL_PLACE_WHOLE | GL_PLACE_NO_RECT'),
    'buffer texture': textures('GL_PLACE_ONLY_BUFFER'),
    'image': images('{dims}', 'GL_PLACE_FACES'),
    'image or proxy': images('{dims}', 'GL_PLACE_PROXY'),
    'image of blocks': images('{dims}', 'GL_PLACE_FACES | GL_PLACE_NO_RECT'),
    'image or proxy of blocks': images('{dims}', 'GL_PLACE_PROXY | GL_PLACE_NO_RECT'),
    'image to read': images('0', 'GL_PLACE_FACES'),
    'level': images('0', 'GL_PLACE_PROXY | GL_PLACE_BUFFER | GL_PLACE_SAMPLES'),
    'samples': images('{dims}', 'GL_PLACE_PROXY | GL_PLACE_ONLY_SAMPLES'),
    'storage': images('{dims}', 'GL_PLACE_PROXY | GL_PLACE_WHOLE'),
    'assembly': {
        'bound': pointer(1, 'gl_asm_program', 'gl_bound_asm(ctx, {0}, call)'),
        'use': pointer(2, 'gl_asm_program', 'gl_get_or_create_asm(ctx, {0}, {1}, call)'),
    },
    # detours
    'matrix mode': {
        'named': (1, 'GLenum saved = ctx->transform.matrix_mode;',
                  'gl_use_matrix_mode(ctx, {0}, call)', None, 'ctx->transform.matrix_mode = saved;'),
    },
    'active unit': {
        'unit': (1, 'GLuint saved = ctx->texenv.active;', 'gl_use_unit(ctx, {0}, call)', None,
                 'ctx->texenv.active = saved;'),
    },
    'assembly program': {
        'use': (2, 'struct gl_asm_program *saved;', 'gl_asm_bind_temporarily(ctx, {0}, {1}, &saved, call)', None,
                'gl_asm_restore_binding(ctx, saved);'),
    },
}


def numbered(name, numbers):
    """Returns the command names for each of these numbers of dimensions."""
    return ' '.join(name.replace('#', n) for n in numbers)


MATRIX = [('LoadIdentity', 'LoadIdentity'), ('PushMatrix', 'Push'), ('PopMatrix', 'Pop'),
          ('Frustum', 'Frustum'), ('Ortho', 'Ortho')] + [
    (f'{does}{transpose}Matrix{t}', f'{does}{transpose}{t}')
    for does in ('Load', 'Mult') for transpose in ('', 'Transpose') for t in 'fd'] + [
    (f'{does}{t}', f'{does}{t}') for does in ('Rotate', 'Scale', 'Translate') for t in 'fd']
TEXTURE_UNITS = [('', 'Envf Envfv Envi Enviv Gend Gendv Genf Genfv Geni Geniv'),
                 ('Get', 'Envfv Enviv Gendv Genfv Geniv')]
ASSEMBLY = [('', 'StringARB', 'String'), ('Get', 'StringARB', 'String'),
            ('', 'LocalParameters4fvEXT', 'LocalParameters4fv')] + [
    ('', f'LocalParameter4{t}ARB', f'LocalParameter4{t}') for t in ('f', 'fv', 'd', 'dv')] + [
    ('Get', f'LocalParameter{t}ARB', f'LocalParameter{t}') for t in ('fv', 'dv')]
OUTPUTS = {
    'array': (['gl/draw/gl_array.h', 'gl/state/gl_enable.h'], [
        ('gl_array_pointer(=GL_ARRAY_VERTEX, =0, size, type, =false, stride, pointer|offset)', 'source', {
            'bound': 'VertexPointer', 'use': 'VertexArrayVertexOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_NORMAL, =0, =3, type, =true, stride, pointer|offset)', 'source', {
            'bound': 'NormalPointer', 'use': 'VertexArrayNormalOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_COLOR, =0, size, type, =true, stride, pointer|offset)', 'source', {
            'bound': 'ColorPointer', 'use': 'VertexArrayColorOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_SECONDARY_COLOR, =0, size, type, =true, stride, pointer|offset)',
         'source', {
            'bound': 'SecondaryColorPointer', 'use': 'VertexArraySecondaryColorOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_INDEX, =0, =1, type, =false, stride, pointer|offset)', 'source', {
            'bound': 'IndexPointer', 'use': 'VertexArrayIndexOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_FOG_COORD, =0, =1, type, =false, stride, pointer|offset)', 'source', {
            'bound': 'FogCoordPointer', 'use': 'VertexArrayFogCoordOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_EDGE_FLAG, =0, =1, =GL_UNSIGNED_BYTE, =false, stride, '
         'pointer|offset)', 'source', {
            'bound': 'EdgeFlagPointer', 'use': 'VertexArrayEdgeFlagOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_TEX_COORD, =ctx->array.client_active_texture, size, type, '
         '=false, stride, pointer|offset)', 'source', {
            'bound': 'TexCoordPointer', 'use': 'VertexArrayTexCoordOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_POINT_SIZE, =0, =1, type, =false, stride, pointer|offset)', 'source', {
            'bound': 'PointSizePointerOES'}),
        ('gl_array_pointer(=GL_ARRAY_ATTRIB, index_, size, type, normalized, stride, pointer|offset)',
         'source', {
            'bound': 'VertexAttribPointer', 'use': 'VertexArrayVertexAttribOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_ATTRIB_I, index_, size, type, =false, stride, pointer|offset)',
         'source', {
            'bound': 'VertexAttribIPointer', 'use': 'VertexArrayVertexAttribIOffsetEXT'}),
        ('gl_array_pointer(=GL_ARRAY_ATTRIB_L, index_, size, type, =false, stride, pointer|offset)',
         'source', {
            'bound': 'VertexAttribLPointer', 'use': 'VertexArrayVertexAttribLOffsetEXT'}),
        ('gl_array_enable(index_, =true)', 'vao', {
            'bound': 'EnableVertexAttribArray', 'name': 'EnableVertexArrayAttrib',
            'use': 'EnableVertexArrayAttribEXT'}),
        ('gl_array_enable(index_, =false)', 'vao', {
            'bound': 'DisableVertexAttribArray', 'name': 'DisableVertexArrayAttrib',
            'use': 'DisableVertexArrayAttribEXT'}),
        ('gl_array_divisor(index_, divisor)', 'vao', {
            'bound': 'VertexAttribDivisor', 'use': 'VertexArrayVertexAttribDivisorEXT'}),
        ('gl_array_vertex_buffer(bindingindex, buffer, offset, stride)', 'arrays', {
            'bound': 'BindVertexBuffer', 'name': 'VertexArrayVertexBuffer',
            'use': 'VertexArrayBindVertexBufferEXT'}),
        ('gl_array_vertex_buffers(first, count, buffers, offsets, strides)', 'arrays', {
            'bound': 'BindVertexBuffers', 'name': 'VertexArrayVertexBuffers'}),
        ('gl_array_format(=GL_ARRAY_ATTRIB, attribindex, size, type, normalized, relativeoffset)',
         'arrays', {'bound': 'VertexAttribFormat', 'name': 'VertexArrayAttribFormat',
            'use': 'VertexArrayVertexAttribFormatEXT'}),
        ('gl_array_format(=GL_ARRAY_ATTRIB_I, attribindex, size, type, =false, relativeoffset)',
         'arrays', {'bound': 'VertexAttribIFormat', 'name': 'VertexArrayAttribIFormat',
            'use': 'VertexArrayVertexAttribIFormatEXT'}),
        ('gl_array_format(=GL_ARRAY_ATTRIB_L, attribindex, size, type, =false, relativeoffset)',
         'arrays', {'bound': 'VertexAttribLFormat', 'name': 'VertexArrayAttribLFormat',
            'use': 'VertexArrayVertexAttribLFormatEXT'}),
        ('gl_array_attrib_binding(attribindex, bindingindex)', 'arrays', {
            'bound': 'VertexAttribBinding', 'name': 'VertexArrayAttribBinding',
            'use': 'VertexArrayVertexAttribBindingEXT'}),
        ('gl_array_binding_divisor(bindingindex, divisor)', 'arrays', {
            'bound': 'VertexBindingDivisor', 'name': 'VertexArrayBindingDivisor',
            'use': 'VertexArrayVertexBindingDivisorEXT'}),
        ('gl_array_element_buffer(buffer)', 'arrays', {'name': 'VertexArrayElementBuffer'}),
        ('gl_array_get(pname, param)', 'arrays', {'name': 'GetVertexArrayiv'}),
        ('gl_array_get_indexed(index_, pname, param)', 'arrays', {'name': 'GetVertexArrayIndexediv'}),
        ('gl_array_get_indexed64(index_, pname, param)', 'arrays', {
            'name': 'GetVertexArrayIndexed64iv'}),
        ('gl_array_tex_coords(texunit, size, type, stride, pointer|offset)', 'source', {
            'bound': 'MultiTexCoordPointerEXT', 'use': 'VertexArrayMultiTexCoordOffsetEXT'}),
        ('gl_array_enable_client(array, =true)', 'vao', {'use': 'EnableVertexArrayEXT'}),
        ('gl_array_enable_client(array, =false)', 'vao', {'use': 'DisableVertexArrayEXT'}),
        ('gl_array_enable_tex_coords(array, index_, =true)', 'vao', {
            'bound': 'EnableClientStateIndexedEXT EnableClientStateiEXT'}),
        ('gl_array_enable_tex_coords(array, index_, =false)', 'vao', {
            'bound': 'DisableClientStateIndexedEXT DisableClientStateiEXT'}),
        ('gl_array_get_client(pname, param)', 'vao', {'use': 'GetVertexArrayIntegervEXT'}),
        ('gl_array_get_client_indexed(index_, pname, param)', 'vao', {
            'use': 'GetVertexArrayIntegeri_vEXT'}),
        ('gl_array_get_pointer(pname, param)', 'vao', {'use': 'GetVertexArrayPointervEXT'}),
        ('gl_array_get_pointer_indexed(index_, pname, param)', 'vao', {
            'use': 'GetVertexArrayPointeri_vEXT'}),
        ('gl_array_get_tex_coords_pointer(pname|target, index_, params|data)', 'vao', {
            'bound': 'GetPointerIndexedvEXT GetPointeri_vEXT'}),
    ]),
    'buffer': (['gl/buffer/gl_buffer.h'], [
        ('gl_buffer_data(size, data, usage)', 'buffer', {
            'name': 'NamedBufferData',
            'use': 'NamedBufferDataEXT'}),
        ('gl_buffer_storage(size, data, flags)', 'buffer', {
            'bound': 'BufferStorage', 'name': 'NamedBufferStorage',
            'use': 'NamedBufferStorageEXT'}),
        ('gl_buffer_storage_mem(size, memory, offset)', 'buffer', {
            'bound': 'BufferStorageMemEXT', 'name': 'NamedBufferStorageMemEXT'}),
        ('gl_buffer_page_commitment(offset, size, commit)', 'buffer', {
            'bound': 'BufferPageCommitmentARB', 'name': 'NamedBufferPageCommitmentARB',
            'use': 'NamedBufferPageCommitmentEXT'}),
        ('gl_buffer_sub_data(offset, size, data)', 'buffer', {
            'bound': 'BufferSubData', 'name': 'NamedBufferSubData',
            'use': 'NamedBufferSubDataEXT'}),
        ('gl_buffer_get_sub_data(offset, size, data)', 'buffer', {
            'bound': 'GetBufferSubData', 'name': 'GetNamedBufferSubData',
            'use': 'GetNamedBufferSubDataEXT'}),
        ('gl_buffer_map(access)', 'buffer', {'bound': 'MapBuffer', 'name': 'MapNamedBuffer',
            'use': 'MapNamedBufferEXT'}),
        ('gl_buffer_map_range(offset, length, access)', 'buffer', {
            'bound': 'MapBufferRange', 'name': 'MapNamedBufferRange',
            'use': 'MapNamedBufferRangeEXT'}),
        ('gl_buffer_flush_range(offset, length)', 'buffer', {
            'bound': 'FlushMappedBufferRange', 'name': 'FlushMappedNamedBufferRange',
            'use': 'FlushMappedNamedBufferRangeEXT'}),
        ('gl_buffer_unmap()', 'buffer', {'bound': 'UnmapBuffer', 'name': 'UnmapNamedBuffer',
            'use': 'UnmapNamedBufferEXT'}),
        ('gl_buffer_get_iv(pname, params)', 'buffer', {
            'bound': 'GetBufferParameteriv', 'name': 'GetNamedBufferParameteriv',
            'use': 'GetNamedBufferParameterivEXT'}),
        ('gl_buffer_get_i64v(pname, params)', 'buffer', {
            'bound': 'GetBufferParameteri64v', 'name': 'GetNamedBufferParameteri64v'}),
        ('gl_buffer_get_pointer(pname, params)', 'buffer', {
            'bound': 'GetBufferPointerv', 'name': 'GetNamedBufferPointerv',
            'use': 'GetNamedBufferPointervEXT'}),
    ]),
    'framebuffer': (['gl/framebuffer/gl_framebuffer.h', 'gl/texture/gl_teximage.h'], [
        ('gl_copy_tex_image(level, internalformat, x, y, width, height=1, border)', 'image', {
            'bound': numbered('CopyTexImage#D', '12'),
            'use': numbered('CopyTextureImage#DEXT', '12'),
            'unit': numbered('CopyMultiTexImage#DEXT', '12')}),
        ('gl_copy_tex_sub_image(level, xoffset, yoffset=0, zoffset=0, x, y, width, height=1)',
         'image', {
             'bound': numbered('CopyTexSubImage#D', '123'),
             'name': numbered('CopyTextureSubImage#D', '123'),
             'use': numbered('CopyTextureSubImage#DEXT', '123'),
             'unit': numbered('CopyMultiTexSubImage#DEXT', '123')}),
        ('gl_framebuffer_texture(attachment, dims, textarget, texture, level, zoffset=0)',
         'framebuffer', {
             'bound': numbered('FramebufferTexture#D', '123'),
             'use': numbered('NamedFramebufferTexture#DEXT', '123')}),
        ('gl_framebuffer_texture(attachment, =GL_ATTACH_FACE, face, texture, level, =0)',
         'framebuffer', {
             'bound': 'FramebufferTextureFaceARB', 'use': 'NamedFramebufferTextureFaceEXT'}),
        ('gl_framebuffer_texture(attachment, =GL_ATTACH_LAYER, =GL_NONE, texture, level, layer)',
         'framebuffer', {
             'bound': 'FramebufferTextureLayer', 'name': 'NamedFramebufferTextureLayer',
            'use': 'NamedFramebufferTextureLayerEXT'}),
        ('gl_framebuffer_texture(attachment, =GL_ATTACH_WHOLE, =GL_NONE, texture, level, =0)',
         'framebuffer', {'bound': 'FramebufferTexture', 'name': 'NamedFramebufferTexture',
            'use': 'NamedFramebufferTextureEXT'}),
        ('gl_framebuffer_texture_views(attachment, texture, level, baseViewIndex, numViews)',
         'framebuffer', {
             'bound': 'FramebufferTextureMultiviewOVR',
             'name': 'NamedFramebufferTextureMultiviewOVR'}),
        ('gl_framebuffer_renderbuffer(attachment, renderbuffertarget, renderbuffer)', 'framebuffer', {
            'bound': 'FramebufferRenderbuffer', 'name': 'NamedFramebufferRenderbuffer',
            'use': 'NamedFramebufferRenderbufferEXT'}),
        ('gl_framebuffer_get_attachment(attachment, pname, params)', 'framebuffer', {
            'bound': 'GetFramebufferAttachmentParameteriv',
            'name': 'GetNamedFramebufferAttachmentParameteriv',
            'use': 'GetNamedFramebufferAttachmentParameterivEXT'}),
        ('gl_framebuffer_parameter(pname, param)', 'framebuffer', {
            'bound': 'FramebufferParameteri', 'name': 'NamedFramebufferParameteri',
            'use': 'NamedFramebufferParameteriEXT'}),
        ('gl_framebuffer_sample_locations(start, count, v)', 'framebuffer', {
            'bound': 'FramebufferSampleLocationsfvARB',
            'name': 'NamedFramebufferSampleLocationsfvARB'}),
        ('gl_framebuffer_parameter_mesa(pname, param)', 'framebuffer', {
            'bound': 'FramebufferParameteriMESA'}),
        ('gl_framebuffer_get_mesa(pname, params|param)', 'framebuffer', {
            'bound': 'GetFramebufferParameterivMESA'}),
        ('gl_framebuffer_get(pname, params|param)', 'framebuffer', {
            'bound': 'GetFramebufferParameteriv', 'name': 'GetNamedFramebufferParameteriv',
            'use': 'GetNamedFramebufferParameterivEXT'}),
        ('gl_framebuffer_get_buffer(pname, params)', 'framebuffer', {
            'use': 'GetFramebufferParameterivEXT'}),
        ('gl_framebuffer_check(target)', 'framebuffer', {
            'name': 'CheckNamedFramebufferStatus', 'use': 'CheckNamedFramebufferStatusEXT'}),
        ('gl_framebuffer_draw_buffer(buf|mode)', 'framebuffer', {
            'draw': 'DrawBuffer', 'name': 'NamedFramebufferDrawBuffer',
            'use': 'FramebufferDrawBufferEXT'}),
        ('gl_framebuffer_draw_buffers(n, bufs)', 'framebuffer', {
            'draw': 'DrawBuffers', 'name': 'NamedFramebufferDrawBuffers',
            'use': 'FramebufferDrawBuffersEXT'}),
        ('gl_framebuffer_read_buffer(src|mode)', 'framebuffer', {
            'read': 'ReadBuffer', 'name': 'NamedFramebufferReadBuffer',
            'use': 'FramebufferReadBufferEXT'}),
        ('gl_framebuffer_invalidate(numAttachments, attachments, x=0, y=0, width=0, height=0)',
         'framebuffer', {
             'bound': 'InvalidateFramebuffer InvalidateSubFramebuffer DiscardFramebufferEXT',
             'name': 'InvalidateNamedFramebufferData InvalidateNamedFramebufferSubData'}),
        ('gl_clear_fv(buffer, drawbuffer, value)', 'framebuffer', {
            'draw': 'ClearBufferfv', 'name': 'ClearNamedFramebufferfv'}),
        ('gl_clear_iv(buffer, drawbuffer, value)', 'framebuffer', {
            'draw': 'ClearBufferiv', 'name': 'ClearNamedFramebufferiv'}),
        ('gl_clear_uiv(buffer, drawbuffer, value)', 'framebuffer', {
            'draw': 'ClearBufferuiv', 'name': 'ClearNamedFramebufferuiv'}),
        ('gl_clear_fi(buffer, drawbuffer, depth, stencil)', 'framebuffer', {
            'draw': 'ClearBufferfi', 'name': 'ClearNamedFramebufferfi'}),
        ('gl_renderbuffer_storage(samples=0, internalformat, width, height)', 'renderbuffer', {
            'bound': 'RenderbufferStorage RenderbufferStorageMultisample',
            'name': 'NamedRenderbufferStorage NamedRenderbufferStorageMultisample',
            'use': 'NamedRenderbufferStorageEXT NamedRenderbufferStorageMultisampleEXT'}),
        ('gl_renderbuffer_get(pname, params)', 'renderbuffer', {
            'bound': 'GetRenderbufferParameteriv', 'name': 'GetNamedRenderbufferParameteriv',
            'use': 'GetNamedRenderbufferParameterivEXT'}),
    ]),
    'texture': (['gl/buffer/gl_buffer.h', 'gl/texture/gl_teximage.h'], [
        ('gl_buffer_clear(internalformat, =0, =INTPTR_MAX, format, type, data)', 'buffer to clear', {
            'bound': 'ClearBufferData', 'name': 'ClearNamedBufferData',
            'use': 'ClearNamedBufferDataEXT'}),
        ('gl_buffer_clear(internalformat, offset, size, format, type, data)', 'buffer to clear', {
            'bound': 'ClearBufferSubData', 'name': 'ClearNamedBufferSubData',
            'use': 'ClearNamedBufferSubDataEXT'}),
        ('gl_tex_image(dims, level, internalformat, width, height=1, depth=1, border, format, type, '
         'pixels)', 'image or proxy', {
             'bound': numbered('TexImage#D', '123'),
             'use': numbered('TextureImage#DEXT', '123'),
             'unit': numbered('MultiTexImage#DEXT', '123')}),
        ('gl_tex_sub_image(dims, level, xoffset, yoffset=0, zoffset=0, width, height=1, depth=1, '
         'format, type, pixels)', 'image', {
             'bound': numbered('TexSubImage#D', '123'),
             'name': numbered('TextureSubImage#D', '123'),
             'use': numbered('TextureSubImage#DEXT', '123'),
             'unit': numbered('MultiTexSubImage#DEXT', '123')}),
        ('gl_compressed_image(level, internalformat, width, height=1, depth=1, border, imageSize, '
         'data|bits)', 'image or proxy of blocks', {
             'bound': numbered('CompressedTexImage#D', '123'),
             'use': numbered('CompressedTextureImage#DEXT', '123'),
             'unit': numbered('CompressedMultiTexImage#DEXT', '123')}),
        ('gl_compressed_sub_image(level, xoffset, yoffset=0, zoffset=0, width, height=1, depth=1, '
         'format, imageSize, data|bits)', 'image of blocks', {
             'bound': numbered('CompressedTexSubImage#D', '123'),
             'name': numbered('CompressedTextureSubImage#D', '123'),
             'use': numbered('CompressedTextureSubImage#DEXT', '123'),
             'unit': numbered('CompressedMultiTexSubImage#DEXT', '123')}),
        ('gl_tex_storage(levels, internalformat, width, height=1, depth=1)', 'storage', {
            'bound': numbered('TexStorage#D', '123'),
            'name': numbered('TextureStorage#D', '123'),
            'use': numbered('TextureStorage#DEXT', '123')}),
        ('gl_tex_storage_attribs(levels, internalformat, width, height, depth=1, attrib_list)',
         'storage', {'bound': numbered('TexStorageAttribs#DEXT', '23')}),
        ('gl_tex_multisample(=false, samples, internalformat, width, height, depth=1, '
         'fixedsamplelocations)', 'samples', {'bound': numbered('TexImage#DMultisample', '23')}),
        ('gl_tex_multisample(=true, samples, internalformat, width, height, depth=1, '
         'fixedsamplelocations)', 'samples', {
             'bound': numbered('TexStorage#DMultisample', '23'),
             'name': numbered('TextureStorage#DMultisample', '23'),
             'use': numbered('TextureStorage#DMultisampleEXT', '23')}),
        ('gl_tex_storage_mem(levels, internalFormat, width, height=1, depth=1, memory, offset)',
         'storage', {
             'bound': numbered('TexStorageMem#DEXT', '123'),
             'name': numbered('TextureStorageMem#DEXT', '123')}),
        ('gl_tex_multisample_mem(samples, internalFormat, width, height, depth=1, '
         'fixedSampleLocations, memory, offset)', 'samples', {
             'bound': numbered('TexStorageMem#DMultisampleEXT', '23'),
             'name': numbered('TextureStorageMem#DMultisampleEXT', '23')}),
        ('gl_generate_mipmap()', 'mipmap', {
            'bound': 'GenerateMipmap', 'name': 'GenerateTextureMipmap',
            'use': 'GenerateTextureMipmapEXT',
            'unit': 'GenerateMultiTexMipmapEXT'}),
        ('gl_get_tex_image(level, format, type, bufSize=INTPTR_MAX, pixels|img)', 'image to read', {
            'bound': 'GetTexImage GetnTexImage GetnTexImageARB', 'name': 'GetTextureImage',
            'use': 'GetTextureImageEXT',
            'unit': 'GetMultiTexImageEXT'}),
        ('gl_get_tex_sub_image(level, xoffset, yoffset, zoffset, width, height, depth, format, '
         'type, bufSize, pixels)', 'image to read', {'name': 'GetTextureSubImage'}),
        ('gl_get_compressed_image(level|lod, bufSize=INTPTR_MAX, img|pixels)', 'image to read', {
            'bound': 'GetCompressedTexImage GetnCompressedTexImage '
                     'GetnCompressedTexImageARB',
            'name': 'GetCompressedTextureImage',
            'use': 'GetCompressedTextureImageEXT',
            'unit': 'GetCompressedMultiTexImageEXT'}),
        ('gl_get_compressed_sub_image(level, xoffset, yoffset, zoffset, width, height, depth, '
         'bufSize, pixels)', 'image to read', {'name': 'GetCompressedTextureSubImage'}),
        ('gl_get_level_iv(level, pname, params)', 'level', {
            'bound': 'GetTexLevelParameteriv', 'name': 'GetTextureLevelParameteriv',
            'use': 'GetTextureLevelParameterivEXT',
            'unit': 'GetMultiTexLevelParameterivEXT'}),
        ('gl_get_level_fv(level, pname, params)', 'level', {
            'bound': 'GetTexLevelParameterfv', 'name': 'GetTextureLevelParameterfv',
            'use': 'GetTextureLevelParameterfvEXT',
            'unit': 'GetMultiTexLevelParameterfvEXT'}),
        ('gl_tex_page_commitment(level, xoffset, yoffset, zoffset, width, height, depth, commit)',
         'texture', {'bound': 'TexPageCommitmentARB', 'name': 'TexturePageCommitmentEXT'}),
        ('gl_tex_parameter_i(pname, param, =GL_INVALID_ENUM)', 'texture', {
            'bound': 'TexParameteri',
            'use': 'TextureParameteriEXT',
            'unit': 'MultiTexParameteriEXT'}),
        ('gl_tex_parameter_i(pname, param, =GL_INVALID_OPERATION)', 'texture', {
            'name': 'TextureParameteri'}),
        ('gl_tex_parameter_f(pname, param, =GL_INVALID_ENUM)', 'texture', {
            'bound': 'TexParameterf',
            'use': 'TextureParameterfEXT',
            'unit': 'MultiTexParameterfEXT'}),
        ('gl_tex_parameter_f(pname, param, =GL_INVALID_OPERATION)', 'texture', {
            'name': 'TextureParameterf'}),
        ('gl_tex_parameter_iv(pname, params|param, =GL_INVALID_ENUM)', 'texture', {
            'bound': 'TexParameteriv',
            'use': 'TextureParameterivEXT',
            'unit': 'MultiTexParameterivEXT'}),
        ('gl_tex_parameter_iv(pname, params|param, =GL_INVALID_OPERATION)', 'texture', {
            'name': 'TextureParameteriv'}),
        ('gl_tex_parameter_fv(pname, params|param, =GL_INVALID_ENUM)', 'texture', {
            'bound': 'TexParameterfv',
            'use': 'TextureParameterfvEXT',
            'unit': 'MultiTexParameterfvEXT'}),
        ('gl_tex_parameter_fv(pname, params|param, =GL_INVALID_OPERATION)', 'texture', {
            'name': 'TextureParameterfv'}),
        ('gl_tex_parameter_Iiv(pname, params, =GL_INVALID_ENUM)', 'texture', {
            'bound': 'TexParameterIiv',
            'use': 'TextureParameterIivEXT',
            'unit': 'MultiTexParameterIivEXT'}),
        ('gl_tex_parameter_Iiv(pname, params, =GL_INVALID_OPERATION)', 'texture', {
            'name': 'TextureParameterIiv'}),
        ('gl_tex_parameter_Iuiv(pname, params, =GL_INVALID_ENUM)', 'texture', {
            'bound': 'TexParameterIuiv',
            'use': 'TextureParameterIuivEXT',
            'unit': 'MultiTexParameterIuivEXT'}),
        ('gl_tex_parameter_Iuiv(pname, params, =GL_INVALID_OPERATION)', 'texture', {
            'name': 'TextureParameterIuiv'}),
        ('gl_get_tex_parameter_iv(pname, params)', 'texture', {
            'bound': 'GetTexParameteriv', 'name': 'GetTextureParameteriv',
            'use': 'GetTextureParameterivEXT',
            'unit': 'GetMultiTexParameterivEXT'}),
        ('gl_get_tex_parameter_fv(pname, params)', 'texture', {
            'bound': 'GetTexParameterfv', 'name': 'GetTextureParameterfv',
            'use': 'GetTextureParameterfvEXT',
            'unit': 'GetMultiTexParameterfvEXT'}),
        ('gl_get_tex_parameter_Iiv(pname, params)', 'texture', {
            'bound': 'GetTexParameterIiv', 'name': 'GetTextureParameterIiv',
            'use': 'GetTextureParameterIivEXT',
            'unit': 'GetMultiTexParameterIivEXT'}),
        ('gl_get_tex_parameter_Iuiv(pname, params)', 'texture', {
            'bound': 'GetTexParameterIuiv', 'name': 'GetTextureParameterIuiv',
            'use': 'GetTextureParameterIuivEXT',
            'unit': 'GetMultiTexParameterIuivEXT'}),
        ('gl_tex_buffer(internalformat, buffer)', 'buffer texture', {
            'bound': 'TexBuffer', 'name': 'TextureBuffer',
            'use': 'TextureBufferEXT',
            'unit': 'MultiTexBufferEXT'}),
        ('gl_tex_buffer_range(internalformat, buffer, offset, size)', 'buffer texture', {
            'bound': 'TexBufferRange', 'name': 'TextureBufferRange',
            'use': 'TextureBufferRangeEXT'}),
    ]),
    'compat': (['gl/program/gl_asm.h', 'gl/state/gl_matrix.h', 'gl/state/gl_texenv.h'], [
        (f'gl_{plain}(…)', 'matrix mode', {'named': f'Matrix{name}EXT'}) for plain, name in MATRIX
    ] + [
        (f'gl_{get}Tex{kind}(…)', 'active unit', {'unit': f'{get}MultiTex{kind}EXT'})
        for get, kinds in TEXTURE_UNITS for kind in kinds.split()
    ] + [
        ('gl_BindTexture(…)', 'active unit', {'unit': 'BindMultiTextureEXT'}),
        ('gl_asm_get_iv(pname, params)', 'assembly', {
            'bound': 'GetProgramivARB', 'use': 'GetNamedProgramivEXT'}),
    ] + [
        (f'gl_{get}Program{kind}(=target, …)', 'assembly program', {
            'use': f'{get}NamedProgram{name}EXT'})
        for get, kind, name in ASSEMBLY
    ]),
}


def arguments(core, command, params):
    """Returns the core's arguments for a command; params are its parameters after the selector's."""
    names = {p.name for p in params}
    out = []
    for argument in filter(None, re.search(r'\((.*)\)', core).group(1).split(', ')):
        if argument == '…':
            return out + [p.name for p in params]
        name, _, default = argument.partition('=')
        alternatives = [n for n in name.split('|') if n in names]
        if name == 'dims':
            out.append(re.search(r'([123])D', command.short).group(1))
        elif alternatives:
            offset = name != alternatives[0] == 'offset'  # the core takes a pointer
            out.append('(const void *)' * offset + alternatives[0])
        elif default:
            out.append(default)
        else:
            sys.exit(f'{command.name} has no parameter {name}')
        names -= set(alternatives)
    if names:
        sys.exit(f'{core} does not take {names} of {command.name}')
    return out


def entry_point(command, selector, core):
    count, declaration, condition, chosen, *leave = selector
    names = [p.name for p in command.params[:count]]
    dims = re.search(r'([123])D', command.short)
    fill = {'dims': dims.group(1) if dims else '0'}
    call = arguments(core, command, command.params[count:])
    call = ', '.join(['ctx', chosen] + call + ['call'] if chosen else call)
    result = '' if command.returns == 'void' else 'return '
    text = (f'{command.returns} gl_{command.short}({command.parameters})\n{{\n'
            f'    GL_CONTEXT(ctx);\n    static const char call[] = "{command.name}";\n'
            f'    {declaration.format(*names, **fill)}\n'
            f'    if ({condition.format(*names, **fill)})\n'
            f'        {result}{core[:core.index("(")]}({call});\n')
    text += ''.join(f'    {statement}\n' for statement in leave)
    return text + ('    return 0;\n' if result else '') + '}\n\n'


def main():
    registry = Registry(sys.argv[1])
    name = re.fullmatch(r'gl_(\w+)_entry_points\.c', os.path.basename(sys.argv[2])).group(1)
    headers, rows = OUTPUTS[name]
    with open(sys.argv[2], 'w') as f:
        f.write('/* Generated from gl.xml by gl_entry_points.py. */\n#include "gl/context/gl_context.h"\n')
        f.write(''.join(f'#include "{h}"\n' for h in headers) + '#include "gl_entry.h"\n\n')
        for core, kind, commands in rows:
            for how, names in commands.items():
                for short in names.split():
                    f.write(entry_point(registry.commands['gl' + short], SELECTORS[kind][how], core))


main()
