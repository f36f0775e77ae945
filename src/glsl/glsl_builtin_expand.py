# SPDX-License-Identifier: MIT
"""Expands prototypes of built-in functions to the rows of glsl_builtin_table.c.

A prototype is written as in the specification. It is expanded to overloads by replacing:
  genType, genIType, genUType, genBType, genDType, genF16Type, genI64Type, genU64Type
                                      scalar and vectors of 2 to 4 components
  vec, ivec, uvec, bvec, dvec, f16vec, i64vec, u64vec
                                      vectors of 2 to 4 components
  mat, dmat, f16mat                   the nine matrices
  gvec4, gsampler…, gimage…           float, int and uint texels
  iguvec4, igusampler…, iguimage…     int and uint texels; iguint the scalar
All of these in one prototype are replaced together. `out` before a parameter is as in GLSL. `mem`
is a variable in a buffer or shared memory that the function modifies in place. `input` is a shader
input that the function evaluates at another position. The condition for a function to be available
is a C expression with the macros in MACROS. The implementation is one of
  op(name)           the HIR operation of the arguments
  tex(op, roles)     a texture operation, with a letter per argument: s sampler, P coordinate (with
                     comparator), Q the same with projector, b bias, l lod, x, y derivatives,
                     R coordinate only, o offset, n sample, c comparator, g gather component,
                     O offsets, m minimum lod, - unused, T texel: the value is stored there, and
                     the function returns whether the texels are committed (ARB_sparse_texture2)
  intrinsic(name)    the HIR intrinsic of the arguments
  body(name)         glsl_build_<name> of glsl_builtin_bodies.c
"""
import re


def op(name):
    return ('op', name)


def tex(texop, roles):
    return ('tex', texop, roles)


def intrinsic(name):
    return ('intrinsic', name)


def body(name):
    return ('body', name)


GEN = {'genType': ('float', 'vec'), 'genIType': ('int', 'ivec'), 'genUType': ('uint', 'uvec'),
       'genBType': ('bool', 'bvec'), 'genDType': ('double', 'dvec'), 'genF16Type': ('float16_t', 'f16vec'),
       'genI64Type': ('int64_t', 'i64vec'), 'genU64Type': ('uint64_t', 'u64vec')}
VEC = ('vec', 'ivec', 'uvec', 'bvec', 'dvec', 'f16vec', 'i64vec', 'u64vec')
MATRICES = ['2', '2x3', '2x4', '3x2', '3', '3x4', '4x2', '4x3', '4']
TEXELS = re.compile(r'(ig)?(gvec4|gsampler\w+|gimage\w+|uint|uvec4|usampler\w+|uimage\w+)')


def texel_types(words, prefixes, marker):
    for p in prefixes:
        sub = {}
        for w in words:
            if w.startswith(marker):
                rest = w[len(marker):]
                sub[w] = ('int' if p == 'i' else 'uint') if rest == 'int' else p + rest
        yield sub


def substitutions(words):
    """Yields the maps from generic names to types, one per overload."""
    if words & set(GEN):
        for n in (1, 2, 3, 4):
            yield {g: (s if n == 1 else f'{v}{n}') for g, (s, v) in GEN.items()}
    elif words & set(VEC):
        for n in (2, 3, 4):
            yield {v: f'{v}{n}' for v in VEC}
    elif words & {'mat', 'dmat', 'f16mat'}:
        for m in MATRICES:
            yield {p + 'mat': p + 'mat' + m for p in ('', 'd', 'f16')}
    elif any(w.startswith('igu') for w in words):
        yield from texel_types(words, ('i', 'u'), 'igu')
    elif any(re.match(r'g(sampler|image|vec4)', w) for w in words):
        yield from texel_types([w for w in words if re.match(r'g(sampler|image|vec4)', w)],
                               ('', 'i', 'u'), 'g')
    else:
        yield {}


SCALARS = {'uint': 'UINT', 'int': 'INT', 'float': 'FLOAT', 'double': 'DOUBLE', 'bool': 'BOOL',
           'int64_t': 'INT64', 'uint64_t': 'UINT64', 'float16_t': 'FLOAT16'}
PREFIX = {'': 'FLOAT', 'i': 'INT', 'u': 'UINT', 'b': 'BOOL', 'd': 'DOUBLE', 'i64': 'INT64',
          'u64': 'UINT64', 'f16': 'FLOAT16'}
DIMS = {'1D': '1D', '2D': '2D', '3D': '3D', 'Cube': 'CUBE', '2DRect': 'RECT', 'Buffer': 'BUF',
        '2DMS': 'MS', 'ExternalOES': 'EXTERNAL'}
WORDS = {'void': 'VOID', 'atomic_uint': 'ATOMIC_UINT', 'ivec2[4]': 'OFFSETS'}


def type_code(name):
    """Returns the 16-bit encoding of a type as a macro of glsl_builtin_table.h."""
    if name in WORDS:
        return WORDS[name]
    if name in SCALARS:
        return f'NUMERIC({SCALARS[name]}, 1, 1)'
    m = re.fullmatch(r'([iubd]|i64|u64|f16|)vec([234])', name)
    if m:
        return f'NUMERIC({PREFIX[m[1]]}, {m[2]}, 1)'
    m = re.fullmatch(r'(d|f16|)mat([234])(?:x([234]))?', name)
    if m:
        return f'NUMERIC({PREFIX[m[1]]}, {m[3] or m[2]}, {m[2]})'
    m = re.fullmatch(r'([iu]?)(sampler|image)(1D|2DRect|2DMS|2D|3D|Cube|Buffer|ExternalOES)'
                     r'(Array)?(Shadow)?', name)
    assert m, name
    if m[2] == 'image':
        return f'IMAGE({DIMS[m[3]]}, {int(bool(m[4]))}, {PREFIX[m[1]]})'
    return f'SAMPLER({DIMS[m[3]]}, {int(bool(m[5]))}, {int(bool(m[4]))}, {PREFIX[m[1]]})'


def parse(proto):
    """Returns the result type, the name, and (type, mode) of each parameter."""
    m = re.fullmatch(r'(\w+) (\w+)\((.*)\)', proto)
    params = []
    for p in filter(None, (x.strip() for x in m[3].split(','))):
        words = p.split()
        mode = words[0] if words[0] in ('out', 'mem', 'input') else ''
        params.append((words[-2], mode))
    return m[1], m[2], params


def overloads(functions):
    """Returns name → [(result, ((type, mode), …), condition, implementation)]."""
    table = {}
    for proto, condition, impl in functions:
        ret, name, params = parse(proto)
        words = {ret} | {t for t, _ in params}
        for sub in substitutions(words):
            types = tuple((sub.get(t, t), mode) for t, mode in params)
            row = (sub.get(ret, ret), types, condition, impl)
            rows = table.setdefault(name, [])
            same = [i for i, r in enumerate(rows) if (r[0], r[1], r[3]) == (row[0], row[1], row[3])]
            if not same:
                rows.append(row)
            elif rows[same[0]][2] != condition:  # two prototypes give the same overload
                r = rows[same[0]]
                rows[same[0]] = (r[0], r[1], f'({r[2]}) || ({condition})', r[3])
    return table


MACROS = '''\
#define GL(v)   glsl_env_gl(env, v)
#define ES(v)   glsl_env_es(env, v)
#define ES100   (env->es && env->version == 100)
#define OLD(v)  (GL(v) && (env->version < 140 || env->compat))
#define X(name) glsl_env_ext(env, GLSL_EXT_##name)
#define VS      (env->stage == SHADER_VERTEX)
#define TCS     (env->stage == SHADER_TESS_CTRL)
#define GS      (env->stage == SHADER_GEOMETRY)
#define FS      (env->stage == SHADER_FRAGMENT)
#define CS      (env->stage == SHADER_COMPUTE)
#define TASK    (env->stage == SHADER_TASK)
#define MESH    (env->stage == SHADER_MESH)
#define GROUPS  shader_stage_has_workgroups(env->stage)
#define DERIVES (FS || (CS && X(NV_compute_shader_derivatives)))

'''


class Pool:
    """Assigns consecutive numbers to values in the order in which they first occur."""

    def __init__(self):
        self.items = {}

    def __call__(self, item):
        return self.items.setdefault(item, len(self.items))


def impl_fields(impl, roles, bodies):
    kind, name = impl[0], impl[1]
    if kind == 'op':
        return f'BUILTIN_OP, HIR_OP_{name.upper()}, 0'
    if kind == 'tex':
        return f'BUILTIN_TEX, nir_texop_{name}, {roles(impl[2])}'
    if kind == 'intrinsic':
        return f'BUILTIN_INTRINSIC, HIR_INTRINSIC_{name.upper()}, 0'
    return f'BUILTIN_BODY, 0, {bodies(name)}'


def source(functions, out):
    """Writes glsl_builtin_table.c."""
    table = overloads(functions)
    conditions, bodies, roles, lists = Pool(), Pool(), Pool(), Pool()
    params_pool, rows, names = [], [], []
    for name in sorted(table):
        names.append((name, len(rows), len(table[name])))
        for ret, params, condition, impl in table[name]:
            types = tuple(type_code(t) for t, _ in params)
            if types not in lists.items:
                lists.items[types] = len(params_pool)
                params_pool += types
            outs = sum(1 << i for i, (_, mode) in enumerate(params) if mode == 'out')
            first_param_mode = {'mem': 'HIR_VAR_BUFFER', 'input': 'HIR_VAR_SHADER_IN'}.get(
                params[0][1] if params else '', '0')
            assert all(mode in ('', 'out') for _, mode in params[1:])
            rows.append(f'    {{{type_code(ret)}, {lists.items[types]}, {len(params)}, {outs}, '
                        f'{first_param_mode}, {conditions(condition)}, '
                        f'{impl_fields(impl, roles, bodies)}}},')
    assert len(conditions.items) < 256 and len(rows) < 65536
    w = out.write
    w('/* SPDX-License-Identifier: MIT */\n/* Generated by glsl_builtin_functions.py. */\n')
    w('#include "glsl/glsl_builtin_table.h"\n\n' + MACROS)
    for condition, i in conditions.items.items():
        w(f'static bool condition_{i}(const struct glsl_builtin_env *env)\n{{\n')
        w(f'    return {condition};\n}}\n\n')
    w('bool (*const glsl_builtin_conditions[])(const struct glsl_builtin_env *env) = {\n')
    w(''.join(f'    condition_{i},\n' for i in range(len(conditions.items))))
    w('};\n\nconst builtin_build_fn glsl_builtin_bodies[] = {\n')
    w(''.join(f'    glsl_build_{name},\n' for name in bodies.items))
    w('};\n\nconst char *const glsl_builtin_roles[] = {\n')
    w(''.join(f'    "{r}",\n' for r in roles.items))
    w('};\n\nconst uint16_t glsl_builtin_params[] = {\n')
    w(''.join(f'    {p},\n' for p in params_pool))
    w('};\n\nconst struct glsl_builtin_row glsl_builtin_rows[] = {\n' + '\n'.join(rows))
    w('\n};\n\nconst struct glsl_builtin_name glsl_builtin_names[] = {\n')
    w(''.join(f'    {{"{name}", {first}, {count}}},\n' for name, first, count in names))
    w('};\n')
    w(f'const unsigned glsl_builtin_name_count = {len(names)};\n')
    w(f'const unsigned glsl_builtin_row_count = {len(rows)};\n')
