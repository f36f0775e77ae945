# SPDX-License-Identifier: MIT
"""
Generates the command dispatch from gl.xml:

  gl_entry.h           prototypes of the implementations gl_Foo, one per slot; aliases share a slot
  gl_dispatch.h        struct gl_dispatch with one function pointer per slot
  gl_no_context.c      the dispatch table of threads without a context
  gl_dispatch_table.c  table of slots: weak references to implementations, and error functions
  gl_guards.h, gl_guards_N.c
                       wrappers of implementations; parts, because one file takes long to compile
  gl_stubs.c           the exported functions glFoo, which jump through the thread's dispatch table,
                       and a sorted table of their names
  gl_enum_names.h      names of enumerants for messages
  indium.map           the linker version script

usage: gl_dispatch.py gl.xml OUTPUT; the name of the output selects the template.
"""

import os
import re
import sys

from mako.template import Template

from gl_registry import Registry, api_mask, since

HEAD = '/* Generated from gl.xml by gl_dispatch.py. */\n'
PARTS = 4  # files gl_guards_0.c to gl_guards_3.c

TEMPLATES = {
    'gl_entry.h': HEAD + '''
#ifndef GL_ENTRY_H
#define GL_ENTRY_H

#include "gl/context/gl_types.h"

% for c in r.slots:
${c.returns} gl_${c.short}(${c.parameters});
% endfor

#endif
''',
    'gl_dispatch.h': HEAD + '''
#ifndef GL_DISPATCH_H
#define GL_DISPATCH_H

#include "gl/context/gl_types.h"

#define GL_SLOT_COUNT ${len(r.slots)}

enum gl_slot {
% for c in r.slots:
    GL_SLOT_${c.short},
% endfor
};

struct gl_dispatch {
% for c in r.slots:
    ${c.returns} (*${c.short})(${c.parameters});
% endfor
};

/* The calling thread's dispatch table, never NULL. */
extern _Thread_local const struct gl_dispatch *gl_current_dispatch
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

struct gl_slot_info {
    const char *name;
    void (*implementation)(void); /* NULL: not implemented */
    /* implementation wrapped by the group's lock (gl_share.h) and the driver's floating-point
     * environment, as needed; NULL: neither is needed */
    void (*guarded)(void);
    uintptr_t (*missing)(void); /* raises an error, returns 0 */
    unsigned apis;              /* bit mask by enum gl_api */
    uint8_t since[4];           /* by enum gl_api: first version that has it; 0: extensions only */
    bool in_begin_end;          /* allowed between glBegin and glEnd */
    bool not_in_lists;          /* raises an error while a list is compiled */
};
extern const struct gl_slot_info gl_slots[GL_SLOT_COUNT];
/* Table for threads without a context. Each command returns 0. */
extern const struct gl_dispatch gl_dispatch_no_context;

#endif
''',
    'gl_dispatch_table.c': HEAD + '''
#include "gl_dispatch.h"

/* Hidden visibility: the dynamic linker doesn't look up unimplemented commands in other libraries. */
#pragma GCC visibility push(hidden)
#include "gl_entry.h"
#pragma GCC visibility pop

#include "gl/api/gl_core_private.h"
#include "gl_guards.h"

% for c in r.slots:
#pragma weak gl_${c.short}
% endfor

% for i, c in enumerate(r.slots):
static uintptr_t missing_${i}(void) { return gl_missing_command(${i}); }
% endfor

#define FN(f) ((void (*)(void))(f))
const struct gl_slot_info gl_slots[GL_SLOT_COUNT] = {
% for i, c in enumerate(r.slots):
    {"${c.name}", FN(gl_${c.short}), ${f'FN(gl_guarded_{c.short})' if computes(c) or locks(c) else 'NULL'},
     missing_${i}, ${api_mask(c)}, {${', '.join(map(str, since(c)))}},
     ${int(bool(in_begin_end(c)))}, ${int(bool(not_in_lists(c)))}},
% endfor
};
''',
    'gl_guards.h': HEAD + '''
#ifndef GL_GUARDS_H
#define GL_GUARDS_H

#include "gl/context/gl_types.h"

#pragma GCC visibility push(hidden)
% for c in r.slots:
% if computes(c) or locks(c):
${c.returns} gl_guarded_${c.short}(${c.parameters});
% endif
% endfor
#pragma GCC visibility pop

#endif
''',
    'gl_guards.c': HEAD + '''
#include "gl_guards.h"

#pragma GCC visibility push(hidden)
#include "gl_entry.h"
#pragma GCC visibility pop

#include "gl/context/gl_share.h"
#include "util/float_env.h"

% for c in slots:
#pragma weak gl_${c.short}
% endfor

% for c in slots:
% if computes(c) or locks(c):
${c.returns} gl_guarded_${c.short}(${c.parameters})
{
% if locks(c):
    struct gl_context *ctx_ = gl_current_context;
    bool outermost_ = gl_share_enter(ctx_);
% endif
% if computes(c):
    float_env env_ = float_env_enter();
% endif
    ${'' if c.returns == 'void' else c.returns + ' result_ = '}gl_${c.short}(${c.arguments});
% if computes(c):
    float_env_leave(env_);
% endif
% if locks(c):
    gl_share_leave(ctx_, outermost_);
% endif
% if c.returns != 'void':
    return result_;
% endif
}
% endif
% endfor
''',
    'gl_no_context.c': HEAD + '''
#include "gl_dispatch.h"

static uintptr_t no_context(void)
{
    return 0;
}

const struct gl_dispatch gl_dispatch_no_context = {
% for c in r.slots:
    .${c.short} = (__typeof__(gl_dispatch_no_context.${c.short}))(void (*)(void))no_context,
% endfor
};
''',
    'gl_stubs.c': HEAD + '''
#include "gl_dispatch.h"

#include "gl/api/gl_core_private.h"
#include "util/macros.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

% for name in sorted(r.commands):
<% c = r.commands[name]; slot = r.commands[r.slot_of[name]] %>\\
PUBLIC ${c.returns} ${name}(${c.parameters});
PUBLIC ${c.returns} ${name}(${c.parameters})
{
    ${'' if c.returns == 'void' else 'return '}gl_current_dispatch->${slot.short}(${c.arguments});
}
% endfor

#define FN(f) ((void (*)(void))(f))
const struct gl_proc gl_procs[] = {
% for name in sorted(r.commands):
    {"${name}", FN(${name})},
% endfor
};
const unsigned gl_num_procs = ${len(r.commands)};
''',
    'indium.map': '''INDIUM {
    global:
        indium_core_interface;
% for name in sorted(r.commands):
        ${name};
% endfor
    local:
        *;
};
''',
    'gl_enum_names.h': HEAD + '''
static const struct {
    unsigned value;
    const char *name;
} enum_names[] = {
% for value, name in names:
    {${hex(value)}u, "${name}"},
% endfor
};
''',
}


# Commands that compute with floats, or that compile or run shaders, set the driver's floating-point
# environment (util/float_env.h). Commands that only store their arguments don't, because many of
# them run between draws. gl_draw_vertices sets it for vertices between glBegin and glEnd.
COMPUTES = re.compile(
    'gl(MultiDraw|Draw|Dispatch|Clear|Accum|Bitmap|Read|Flush|Finish|Blit|Copy|Generate|EvalMesh|Rect|'
    'Rotate|Scale|Translate|Mult(Matrix|Transpose)|Load(Matrix|Transpose)|Matrix|Ortho|Frustum|'
    'RasterPos|WindowPos|Light|Fog|ClipPlane|TexGen|Map|TexEnv|Pixel|Get|Compile|Link|Program(String|'
    'Binary)|Create(Shader|Program)|Validate|(Compressed)?(Multi)?Tex(ture)?(Sub)?Image|Resolve|'
    'Buffer(Data|SubData|Storage)|NamedBuffer(Data|SubData|Storage)|Unmap|ClientWait|BeginTransform)')


# Commands that run without the group's lock (gl_share.h): those that access no shared objects, many
# of which run between draws, and those that wait for a long time. If they draw queued
# immediate-mode vertices, that takes the lock.
OWN_STATE = re.compile(
    'gl(Vertex[234]|VertexP[234]|VertexAttrib(I|L|P|s)?[1-4]|(Multi)?TexCoordP?[1-4]|(Secondary)?'
    'ColorP?[34]|NormalP?3|FogCoord[dfh]|EdgeFlagv?$|Index[dfisu]|EvalCoord|EvalPoint|End$|Enablei?$|'
    'Disablei?$|IsEnabledi?$|Blend(Func|Equation|Color|Barrier)|Depth(Func|Mask|Range)|Stencil|'
    'CullFace|FrontFace|SubpixelPrecision|Polygon(Mode|Offset)|LineWidth|LineStipple|PointSize[fx]?$|PointParameter|'
    'Scissor|Viewport|ColorMask|Clear(Color|Depth|Stencil|Index|Accum)[fx]?(OES|ARB)?$|MatrixMode|'
    '(Load|Mult)(Identity|Matrix|Transpose)|(Push|Pop)Matrix$|Rotate|Translate|Scale|Ortho|Frustum|'
    'Light|Material|Fog[fix]|TexEnv|TexGen|ShadeModel|AlphaFunc|LogicOp$|Hint$|Pixel(Store|Zoom|'
    'Transfer)|GetError|(Client)?ActiveTexture|(Enable|Disable)ClientState$|Flush$|Finish$|'
    'ClientWaitSync|WaitSync)')


# Commands allowed between glBegin and glEnd, by prefix of their names (GL 4.6 compatibility
# §10.7.5).
IN_BEGIN_END = re.compile(
    'gl(Vertex|(Secondary)?Color|Index|Normal|(Multi)?TexCoord|FogCoord|EvalCoord|EvalPoint|'
    'ArrayElement|Material|CallList|EdgeFlag|End|Begin|PrimitiveRestart)')
NOT_IN_BEGIN_END = re.compile(
    'gl(Vertex(Pointer|Array|Binding|Stream|WeightPointer)|VertexAttrib(Binding|Divisor|'
    '[IL]?(Pointer|Format))|Color(Pointer|Mask|Material|Table|SubTable)|SecondaryColorPointer|'
    'Index(Pointer|Mask)|NormalPointer|(Multi)?TexCoordPointer|FogCoordPointer|EdgeFlagPointer|'
    'EndList|EndTiling|(Begin|End)(Query|Conditional|TransformFeedback|Perf|Occlusion|Fragment|'
    'Vertex|Video)|PrimitiveRestartIndex)')

# Draws that raise an error while a display list is compiled (GL 4.6 compatibility §21.4.1).
NOT_IN_LISTS = re.compile('glDispatchComputeIndirect|gl(Multi)?Draw.*(Indirect|Instanced)')


def in_begin_end(command):
    return IN_BEGIN_END.match(command.name) and not NOT_IN_BEGIN_END.match(command.name)


def not_in_lists(command):
    return NOT_IN_LISTS.match(command.name)


def computes(command):
    return COMPUTES.match(command.name)


def locks(command):
    return not OWN_STATE.match(command.name)


def enum_names(registry):
    """Returns one name per value: core names are preferred to suffixed ones, then shorter names."""
    by_value = {}
    for name, text in registry.enums.items():
        try:
            value = int(text, 0)
        except ValueError:
            continue
        if not 1 < value < 0x20000 or name.endswith('_BIT') or '_BIT_' in name:
            continue
        suffixed = name.rsplit('_', 1)[1] in (
            'ARB', 'EXT', 'NV', 'ATI', 'SGIX', 'SGIS', 'SGI', 'APPLE', 'OES', 'AMD', 'KHR',
            'QCOM', 'IBM', 'INTEL', 'MESA', 'SUN', 'HP', 'OML', '3DFX', 'PGI', 'IMG', 'ANGLE')
        key = (suffixed, len(name), name)
        if value not in by_value or key < by_value[value]:
            by_value[value] = key
    return sorted((v, k[2]) for v, k in by_value.items())


def main():
    registry = Registry(sys.argv[1])
    name = os.path.basename(sys.argv[2])
    slots = registry.slots
    part = re.fullmatch(r'gl_guards_(\d)\.c', name)
    if part:
        name = 'gl_guards.c'
        slots = slots[int(part[1]) * len(slots) // PARTS:(int(part[1]) + 1) * len(slots) // PARTS]
    text = Template(TEMPLATES[name].lstrip('\n')).render(
        r=registry, slots=slots, api_mask=api_mask, computes=computes, locks=locks, since=since,
        in_begin_end=in_begin_end, not_in_lists=not_in_lists,
        names=enum_names(registry) if name == 'gl_enum_names.h' else None)
    with open(sys.argv[2], 'w') as f:
        f.write(text)


main()
