# SPDX-License-Identifier: MIT
"""
Generates display list compilation for plain commands (GL 4.6 compatibility §21.4). Each compilable
command gets a function gl_save_Foo, which records its arguments, and a replay function. Vectors are
copied with the length that the registry's `len` gives, images with gl_pixels_copy. All other
commands are executed immediately. gl_lists.c implements vertices, attributes and array draws.

usage: gl_save.py gl.xml OUTPUT
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../api'))

from gl_registry import Registry  # noqa: E402

# Commands that are executed and never compiled (§21.4), by prefix of their names.
NOT_COMPILED = re.compile(
    r'^gl(Gen|Framebuffer(?!DrawBuffer|ReadBuffer|Parameter)|NamedFramebuffer(?!DrawBuffer|ReadBuffer|Parameter)|Renderbuffer|NamedRenderbuffer|BindFramebuffer|'
    r'BindRenderbuffer|Blit(Named)?Framebuffer$|MemoryBarrier$|Delete|Is|Get|Are|Create|Attach|Detach|Compile|Link|Validate|Shader|Bind(Attrib|'
    r'Buffer|VertexArray|VertexBuffer|Frag|ProgramPipeline|Textures|Samplers|ImageTextures)|Feedback|Select|RenderMode|PixelStore|ReadPixels|Ready|'
    r'Flush|Finish|SemaphoreParameter|SignalSemaphore|ImportSemaphore|NewList|EndList|CallList|.*Pointer|InterleavedArrays|EnableClient|'
    r'DisableClient|ClientActive|PushClient|PopClient|Buffer|NamedBuffer|Map(?!Grid)|Unmap|Copy(Buffer|'
    r'NamedBuffer)|Debug|Object|PushDebug|PopDebug|Lock|Unlock|Draw(Arrays|Elements|Range|MeshTasksIndirect)|Multi'
    r'Draw|DispatchComputeIndirect|ArrayElement|EnableVertex|DisableVertex|Vertex(?!AttribL\d)|Normal|Color[34]|ColorP|SecondaryColor|'
    r'FogCoord|Index[sifdu]|TexCoord|MultiTexCoord|EdgeFlag|Invalidate|Release|Transform|Wait|'
    r'ClientWait|FenceSync|Texture(Buffer|Storage|View)|TexStorage|TexBuffer|Program(Binary|'
    r'Parameteri)|Make(Texture|Image)Handle|.*NV$|.*SGIX?S?$|.*SUN$|.*APPLE$|.*ATI$|.*AMD$|.*INTEL$|.*OES$|'
    r'.*NamedString|ClientAttrib|NamedCopy|MultiTexBuffer|PrimitiveRestartIndex|.*IMG$|.*QCOM$|.*HP$|.*IBM$|.*PGI$|.*OVR$|.*OML$|.*KHR$|.*3DFX$|Async)')

# Exceptions to NOT_COMPILED: these commands are compiled although their names match.
COMPILED = ('Map1f', 'VertexBlend', 'BindFragmentShaderATI', 'SetFragmentShaderConstantATI',
            'AlphaToCoverageDitherControlNV', 'SubpixelPrecisionBiasNV', 'StencilFuncSeparateATI',
            'TextureBarrierNV', 'ResolveDepthValuesNV', 'FramebufferFetchBarrierEXT',
            'ShaderStorageBlockBinding', 'WaitSync')

IMAGES = {  # command: (dims, width, height, depth, format, type)
    'TexImage1D': ('1', 'width', '1', '1', 'format', 'type'),
    'TexImage2D': ('2', 'width', 'height', '1', 'format', 'type'),
    'TexImage3D': ('3', 'width', 'height', 'depth', 'format', 'type'),
    'TexSubImage1D': ('1', 'width', '1', '1', 'format', 'type'),
    'TexSubImage2D': ('2', 'width', 'height', '1', 'format', 'type'),
    'TexSubImage3D': ('3', 'width', 'height', 'depth', 'format', 'type'),
    'DrawPixels': ('2', 'width', 'height', '1', 'format', 'type'),
    'Bitmap': ('2', 'width', 'height', '1', 'GL_COLOR_INDEX', 'GL_BITMAP'),
    'PolygonStipple': ('2', '32', '32', '1', 'GL_COLOR_INDEX', 'GL_BITMAP'),
}
for plain in [c for c in IMAGES if c.startswith('Tex')]:  # EXT_direct_state_access
    for kind in ('Texture', 'MultiTex'):
        IMAGES[kind + plain[3:] + 'EXT'] = IMAGES[plain]
    if 'Sub' in plain:
        IMAGES['Texture' + plain[3:]] = IMAGES[plain]
IMAGE_POINTER = {'Bitmap': 'bitmap', 'PolygonStipple': 'mask'}
PROXY = {name: f'GL_PROXY_TEXTURE_{dims}D' for name, (dims, *_) in IMAGES.items()
         if re.match(r'(Tex|Texture|MultiTex)Image', name)}


# These scalar commands are compiled as vector commands and then accept parameters of vectors, such
# as GL_TEXTURE_BORDER_COLOR. Executed immediately, they raise GL_INVALID_ENUM for these (GL 4.6
# §8.10). Applications rely on the difference.
AS_VECTOR = {'TexParameterf': ('TexParameterfv', 'GLfloat'), 'TexParameteri': ('TexParameteriv', 'GLint')}


def element(param):
    return param.type.replace('const', '').replace('*', '').strip()


VECTORS = {'ViewportArrayv': 4, 'ScissorArrayv': 4, 'DepthRangeArrayv': 2}  # elements per unit of `count`


def vector_bytes(command, param):
    """Returns a C expression of the bytes that a pointer refers to; None if unknown."""
    length = param.length
    base = element(param)
    if command.short in ('ProgramStringARB', 'NamedProgramStringEXT'):
        return '(size_t)len'
    if command.short == 'ClearTexImage':
        return 'gl_list_texel_bytes(format, type)'
    if command.short == 'ClearTexSubImage':  # an empty region needs no texel
        return 'width > 0 && height > 0 && depth > 0 ? gl_list_texel_bytes(format, type) : 0'
    if command.short == 'VertexAttribL1ui64vARB':  # the registry gives no length
        return f'sizeof({base})'
    if base == 'void':
        return None
    if not length:
        return None
    if command.short in VECTORS:
        return f'(size_t)count * {VECTORS[command.short]} * sizeof({base})'
    if length == 'COMPSIZE(pname)':
        return f'gl_list_pname_count(pname) * sizeof({base})'
    if re.fullmatch(r'\w+(\*\d+)?', length):
        return f'(size_t){length} * sizeof({base})'
    if length == 'COMPSIZE(buffer)':
        return f'(buffer == GL_COLOR ? 4 : 1) * sizeof({base})'
    return None


def is_compressed(command):
    return re.match('Compressed.*Image', command.short) and command.params[-1].length == 'imageSize'


def bytes_to_copy(command):
    """Returns, as a C expression, how many bytes a command reads from client memory or, if one is
    bound, from a pixel buffer; None for other commands, and for images of pixels."""
    if is_compressed(command):
        return 'imageSize'
    if command.short in ('PixelMapfv', 'PixelMapuiv', 'PixelMapusv'):
        element = command.params[-1].type.split()[1]
        return ('mapsize > 0 && mapsize <= GL_PIXEL_MAP_MAX ? '
                f'mapsize * (GLsizei)sizeof({element}) : 0')
    return None


def compilable(command):
    if command.returns != 'void' or 'compat' not in command.apis or not command.params and \
            command.short in ('Finish', 'Flush'):
        return False
    if NOT_COMPILED.match(command.name) and command.short not in COMPILED:
        return False
    if command.short in IMAGES or is_compressed(command):
        return True
    for p in command.params:
        if p.pointer and ('const' not in p.type or p.type.count('*') > 1 or
                          vector_bytes(command, p) is None):
            return False
        if p.type in ('GLDEBUGPROC', 'GLDEBUGPROCAMD'):
            return False
    return True


def emit(f, c):
    image = IMAGES.get(c.short)
    image_name = IMAGE_POINTER.get(c.short, 'pixels') if image else None
    f.write(f'struct args_{c.short} {{\n')
    for p in c.params:
        kind = p.type.replace('const ', '') if not p.pointer else 'void *'
        f.write(f'    {kind} {p.name};\n')
    if not c.params:
        f.write('    char unused;\n')
    f.write(f'}};\n\nstatic void gl_save_{c.short}({c.parameters})\n{{\n    GL_CONTEXT(ctx);\n')
    if c.short in PROXY:
        f.write(f'    if (target == {PROXY[c.short]} || target == GL_PROXY_TEXTURE_CUBE_MAP || '
                'target == GL_PROXY_TEXTURE_RECTANGLE ||\n        target == '
                'GL_PROXY_TEXTURE_1D_ARRAY || target == GL_PROXY_TEXTURE_2D_ARRAY ||\n        target == '
                'GL_PROXY_TEXTURE_CUBE_MAP_ARRAY) {\n'
                f'        ctx->exec_dispatch->{c.short}({c.arguments});\n        return;\n    }}\n')
    f.write(f'    struct gl_list_node *node = gl_list_node_add(ctx, GL_SLOT_{c.short}, '
            f'sizeof(struct args_{c.short}));\n    if (node) {{\n'
            f'        struct args_{c.short} *args_ = gl_list_args(node);\n')
    for p in c.params:
        if not p.pointer:
            f.write(f'        args_->{p.name} = {p.name};\n')
        elif image and p.name == image_name:
            dims, w, h, d, fmt, typ = image
            f.write(f'        bool outermost_ = gl_share_enter(ctx);\n'
                    f'        if (!gl_pixels_copy(ctx, {dims}, {w}, {h}, {d}, {fmt}, {typ}, '
                    f'{p.name}, &args_->{p.name}))\n'
                    f'            gl_list_out_of_memory(ctx);\n'
                    f'        gl_share_leave(ctx, outermost_);\n'
                    f'        if (args_->{p.name} && !gl_list_take_ownership(ctx, args_->{p.name}))\n'
                    f'            args_->{p.name} = NULL;\n')
        elif bytes_to_copy(c):
            f.write(f'        bool outermost_ = gl_share_enter(ctx);\n'
                    f'        if (!gl_pixels_copy_blocks(ctx, {bytes_to_copy(c)}, {p.name}, '
                    f'&args_->{p.name}))\n'
                    f'            gl_list_out_of_memory(ctx);\n'
                    f'        gl_share_leave(ctx, outermost_);\n'
                    f'        if (args_->{p.name} && !gl_list_take_ownership(ctx, args_->{p.name}))\n'
                    f'            args_->{p.name} = NULL;\n')
        else:
            f.write(f'        args_->{p.name} = gl_list_copy(ctx, {p.name}, '
                    f'{vector_bytes(c, p)});\n')
    if not c.params:
        f.write('        args_->unused = 0;\n')
    f.write(f'    }}\n    if (gl_list_executes(ctx))\n'
            f'        ctx->exec_dispatch->{c.short}({c.arguments});\n}}\n\n')
    f.write(f'static void replay_{c.short}(struct gl_context *ctx, struct gl_list_node *node)\n{{\n')
    if c.params:
        f.write(f'    const struct args_{c.short} *args_ = gl_list_args(node);\n')
    if image or bytes_to_copy(c):
        f.write('    struct gl_saved_unpack unpack;\n    gl_list_default_unpack(ctx, &unpack);\n')
    f.write(f'    ctx->exec_dispatch->{c.short}({", ".join("args_->" + p.name for p in c.params)});\n')
    if image or bytes_to_copy(c):
        f.write('    gl_list_restore_unpack(ctx, &unpack);\n')
    f.write('}\n\n')


def emit_as_vector(f, c):
    vector, kind = AS_VECTOR[c.short]
    *names, value = [p.name for p in c.params]
    f.write(f'static void gl_save_{c.short}({c.parameters})\n{{\n'
            f'    gl_save_{vector}({", ".join(names)}, (const {kind}[4]){{{value}}});\n}}\n\n')


def main():
    registry = Registry(sys.argv[1])
    commands = [c for c in registry.slots if compilable(c)]
    plain = [c for c in commands if c.short not in AS_VECTOR]
    vectors = [c for c in commands if c.short in AS_VECTOR]
    with open(sys.argv[2], 'w') as f:
        f.write('/* Generated from gl.xml by gl_save.py. */\n'
                '#include "gl/compat/gl_lists_private.h"\n#include "gl/context/gl_share.h"\n'
                '#include "gl/pixel/gl_pixel.h"\n\n')
        for c in plain:
            emit(f, c)
        for c in vectors:
            emit_as_vector(f, c)
        f.write('void gl_save_commands_install(struct gl_dispatch *table,\n'
                '                              const struct gl_slot_info *slots)\n{\n')
        for c in commands:
            f.write(f'    if (slots[GL_SLOT_{c.short}].implementation)\n'
                    f'        table->{c.short} = gl_save_{c.short};\n')
        f.write('}\n\nvoid gl_list_replay_command(struct gl_context *ctx, '
                'struct gl_list_node *node)\n{\n'
                '    static void (*const replay[GL_SLOT_COUNT])(struct gl_context *,\n'
                '                                               struct gl_list_node *) = {\n')
        for c in plain:
            f.write(f'        [GL_SLOT_{c.short}] = replay_{c.short},\n')
        f.write('    };\n    if (replay[node->opcode])\n        replay[node->opcode](ctx, node);\n}\n')


main()
