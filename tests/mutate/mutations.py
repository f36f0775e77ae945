# SPDX-License-Identifier: MIT
"""The mutations of mutate.py. Each replaces a text that occurs once in a file; tests are the
executables that should notice it first."""
from dataclasses import dataclass


@dataclass
class Mutation:
    name: str
    description: str
    file: str
    find: str
    replace: str
    tests: tuple


MUTATIONS = []


def mutate(name, description, file, find, replace, *tests):
    MUTATIONS.append(Mutation(name, description, 'src/' + file, find, replace, tests))


TABLE = 'test_gl_state_table'
STATE, UPDATE = 'gl/state/gl_state.c', 'gl/draw/gl_update_state.c'
PARAM, ENABLE = 'gl/program/gl_state_param.c', 'gl/state/gl_enable.c'
CPU = 'driver/cpu/'
LIR = ('i965_test_lir', 'i965_test_lir-opt', 'i965_test_compiler', 'i965_differential')
PASSES = ('nir_test_flow', 'nir_test_lower', 'nir-fuzz')

# --- dirty bits ----------------------------------------------------------------------------------

mutate(
    'dirty-modelview',
    'changes of the modelview matrix are not seen',
    'gl/state/gl_matrix.c',
    'GL_DIRTY_MODELVIEW',
    '0 * GL_DIRTY_MODELVIEW',
    TABLE,
)
mutate(
    'dirty-projection',
    'changes of the projection matrix are not seen',
    'gl/state/gl_matrix.c',
    'GL_DIRTY_PROJECTION',
    '0 * GL_DIRTY_PROJECTION',
    TABLE,
)
mutate(
    'dirty-texture-matrix',
    'changes of a texture matrix are not seen',
    'gl/state/gl_matrix.c',
    'GL_DIRTY_TEXTURE_MATRIX',
    '0 * GL_DIRTY_TEXTURE_MATRIX',
    TABLE,
)
mutate(
    'dirty-viewport',
    'the viewport atom is skipped',
    UPDATE,
    'if (dirty & GL_DIRTY_VIEWPORT)',
    'if (dirty & GL_DIRTY_SCISSOR)',
    TABLE,
)
mutate(
    'dirty-depth-range',
    'glDepthRange leaves the viewports as they are',
    STATE,
    'FLUSH_VERTICES(ctx, GL_DIRTY_VIEWPORT);\n    for (int i = 0; i < ctx->consts.max_viewports; i++)\n'
    '        set_depth_range(',
    'FLUSH_VERTICES(ctx, 0);\n    for (int i = 0; i < ctx->consts.max_viewports; i++)\n'
    '        set_depth_range(',
    TABLE,
)
mutate(
    'dirty-scissor',
    'the scissor atom follows the viewport',
    UPDATE,
    'if (dirty & GL_DIRTY_SCISSOR)',
    'if (dirty & GL_DIRTY_VIEWPORT)',
    TABLE,
)
mutate(
    'dirty-scissor-enable',
    'scissor enables do not reach the rasterizer',
    ENABLE,
    'FLUSH_VERTICES(ctx, GL_DIRTY_SCISSOR | RAST);',
    'FLUSH_VERTICES(ctx, GL_DIRTY_SCISSOR & RAST);',
    TABLE,
)
mutate(
    'dirty-stipple',
    'polygon stipples are not updated',
    UPDATE,
    'if (dirty & GL_DIRTY_STIPPLE)',
    'if (dirty & GL_DIRTY_FRAMEBUFFER)',
    TABLE,
)
mutate(
    'dirty-blend-color',
    'blend colors are not updated',
    UPDATE,
    'if (dirty & GL_DIRTY_BLEND_COLOR)',
    'if (dirty & GL_DIRTY_FRAMEBUFFER)',
    TABLE,
)
mutate(
    'dirty-sample-mask',
    'sample masks are not updated',
    UPDATE,
    'if (dirty & GL_DIRTY_SAMPLE_MASK)',
    'if (dirty & GL_DIRTY_FRAMEBUFFER)',
    TABLE,
)
mutate(
    'dirty-alpha-test',
    'the alpha test leaves programs as they are',
    ENABLE,
    'B(GL_ALPHA_TEST, FF, color.alpha_enabled, KEY)',
    'B(GL_ALPHA_TEST, FF, color.alpha_enabled, 0)',
    TABLE,
)
mutate(
    'dirty-fog-enable',
    'fog leaves programs as they are',
    ENABLE,
    'B(GL_FOG, FF, fog.enabled, KEY)',
    'B(GL_FOG, FF, fog.enabled, 0)',
    TABLE,
)
mutate(
    'dirty-images',
    'a draw does not see bindings of images',
    UPDATE,
    'if (dirty & (program | GL_DIRTY_IMAGES))',
    'if (dirty & program)',
    TABLE,
)
mutate(
    'dirty-uniform-buffers',
    'a buffer that is bound to a block is not seen',
    'gl/draw/gl_update_programs.c',
    'if (ctx->dirty & GL_DIRTY_UNIFORM_BUFFERS)',
    'if (ctx->dirty & GL_DIRTY_PROGRAM)',
    TABLE,
)
mutate(
    'dirty-clip-plane',
    'clip plane equations are not updated',
    'gl/state/gl_light.c',
    'GL_DIRTY_CLIP',
    '0 * GL_DIRTY_CLIP',
    TABLE,
)
mutate(
    'dirty-cull-enable',
    'GL_CULL_FACE does not reach the rasterizer',
    ENABLE,
    'B(GL_CULL_FACE, ALL, polygon.cull, RAST)',
    'B(GL_CULL_FACE, ALL, polygon.cull, KEY * 0)',
    TABLE,
)
mutate(
    'matrix-order',
    'the modelview is applied after the projection',
    PARAM,
    'gl_matrix_mul(m, gl_matrix_top(&ctx->projection), gl_matrix_top(&ctx->modelview));',
    'gl_matrix_mul(m, gl_matrix_top(&ctx->modelview), gl_matrix_top(&ctx->projection));',
    'test_gl_render',
)

# --- the API layer -------------------------------------------------------------------------------

mutate(
    'blend-factor-map',
    'a destination factor is mapped to its complement',
    UPDATE,
    'return DRV_FACTOR_INV_DST_ALPHA;',
    'return DRV_FACTOR_DST_ALPHA;',
    'test_gl_render',
)
mutate(
    'stencil-back-face',
    'the back face has the front reference',
    UPDATE,
    'CLAMP(st->ref[back], 0, GL_STENCIL_MAX)',
    'CLAMP(st->ref[0], 0, GL_STENCIL_MAX)',
    TABLE,
)
mutate(
    'front-face-origin',
    'the clip origin does not turn triangles',
    UPDATE,
    '(p->front_face == GL_CCW) == ((ctx->viewport.clip_origin == GL_LOWER_LEFT) != flips)',
    '(p->front_face == GL_CCW) == !flips',
    'test_gl_flip',
    TABLE,
)
mutate(
    'select-min-z',
    'a hit record has the greatest depth as the least',
    'gl/draw/gl_feedback.c',
    'f->min_z = MIN2(f->min_z, z);',
    'f->min_z = MAX2(f->min_z, z);',
    'test_gl_state',
)
mutate(
    'map-read-invalidate',
    'a map may read what it invalidates',
    'gl/buffer/gl_buffer.c',
    '(access & GL_MAP_READ_BIT && access & no_read) ||',
    '(access & GL_MAP_READ_BIT && access & no_read && !length) ||',
    'test_gl_state',
)
mutate(
    'map-discard-range',
    'invalidating a range discards the buffer',
    'gl/buffer/gl_buffer.c',
    'GL_MAP_INVALIDATE_RANGE_BIT ? DRV_MAP_DISCARD_RANGE : 0',
    'GL_MAP_INVALIDATE_RANGE_BIT ? DRV_MAP_DISCARD_WHOLE : 0',
    'test_gl_buffers',
    TABLE,
)
mutate(
    'unpack-row-length',
    'GL_UNPACK_ROW_LENGTH is ignored',
    'gl/pixel/gl_pixel_store.c',
    's->row_length > 0 ? s->row_length : width;',
    'width;',
    'test_gl_pixels',
)
mutate(
    'unpack-alignment',
    'the alignment of rows is ignored',
    'gl/pixel/gl_pixel_store.c',
    'if (bytes < (unsigned)s->alignment) /*',
    'if (bytes > (unsigned)s->alignment) /*',
    'test_gl_pixels',
)
mutate(
    'unpack-skip-images',
    'skipped images are counted as rows',
    'gl/pixel/gl_pixel_store.c',
    '+ images * image;',
    '+ images * l->row_stride;',
    'test_gl_pixels',
)
mutate(
    'get-cull-face-mode',
    'a query returns another value',
    'gl/api/gl_get.py',
    "'c->polygon.cull_mode'",
    "'c->polygon.front_face'",
    'test_gl_state',
)
mutate(
    'get-depth-func',
    'a query returns another value',
    'gl/api/gl_get.py',
    "'c->depth.func'",
    "'c->depth.func + 1'",
    'test_gl_state',
)
mutate(
    'error-line-width',
    'a width of zero is accepted',
    STATE,
    'gl_error(ctx, GL_INVALID_VALUE, "glLineWidth(width=%g)", width);',
    'gl_error(ctx, GL_INVALID_ENUM, "glLineWidth(width=%g)", width);',
    'test_gl_state',
    'test_gl_limits',
)
mutate(
    'debug-recursion',
    'errors of a debug callback call it again',
    'gl/context/gl_debug.c',
    'in_callback = true;',
    'in_callback = false;',
    'test_gl_debug',
)
mutate(
    'error-viewport',
    'the wrong error of a negative viewport',
    STATE,
    'gl_error(ctx, GL_INVALID_VALUE, "glViewport(width',
    'gl_error(ctx, GL_INVALID_OPERATION, "glViewport(width',
    'test_gl_state',
)
mutate(
    'sync-signaled',
    'a fence is signaled at once',
    'gl/draw/gl_query.c',
    'ctx->screen->ops->fence_finish(ctx->screen, s->fence, 0))',
    '!ctx->screen->ops->fence_finish(ctx->screen, s->fence, 0))',
    'test_gl_state',
    'test_gl_share',
)

# --- the CPU driver ------------------------------------------------------------------------------

mutate(
    'cull-sign',
    'culling takes the other triangles',
    CPU + 'front/cpu_cull.c',
    '.counterclockwise = r->front_ccw ? shows_front : shows_back,',
    '.counterclockwise = r->front_ccw ? shows_back : shows_front,',
    'test-cpu-pipeline',
    TABLE,
)
mutate(
    'clip-code-top',
    'what is above the view is not rejected',
    CPU + 'kernel/cpu_nir_vertex.c',
    'nir_flt(b, w, y), CPU_CLIP_TOP',
    'nir_flt(b, y, w), CPU_CLIP_TOP',
    'test-cpu-kernels',
    TABLE,
)
mutate(
    'clip-near-halfz',
    'the near plane is that of the other depth convention',
    CPU + 'front/cpu_clip.c',
    'return f->rast->clip_halfz ?',
    'return !f->rast->clip_halfz ?',
    'test-cpu-pipeline',
    TABLE,
)
mutate(
    'clip-interpolation',
    'the clipped vertex is off',
    CPU + 'front/cpu_clip.c',
    'out[at] = (float)(from + way * (b->out[at] - from));',
    'out[at] = (float)(from + way * way * (b->out[at] - from));',
    'test-cpu-pipeline',
    'test_gl_primitives',
)
mutate(
    'fill-rule',
    'centers on an edge belong to both triangles',
    CPU + 'front/cpu_triangles_lanes.h',
    'inclusive = (dy < zero) | ((dy == zero) & (dx > zero));',
    'inclusive = (dy <= zero) | (dy > zero) | (dx > zero);',
    'test_gl_primitives',
)
mutate(
    'sliver-planes',
    'planes of slivers are those of the unsnapped vertices',
    CPU + 'front/cpu_triangles_lanes.h',
    'if (unlikely(!ALL(kept))) {',
    'if (false) {',
    'test_gl_primitives',
)
mutate(
    'polygon-offset-units',
    'units of polygon offset are doubled',
    CPU + 'front/cpu_setup.c',
    '+ unit * r->offset_units;',
    '+ unit * r->offset_units * 2;',
    'test_gl_primitives',
)
mutate(
    'polygon-offset-clamp',
    'a positive clamp is a lower bound',
    CPU + 'front/cpu_setup.c',
    'offset = fminf(offset, r->offset_clamp);',
    'offset = fmaxf(offset, r->offset_clamp);',
    'test_gl_primitives',
)
mutate(
    'depth-notequal',
    'GL_NOTEQUAL passes what is equal',
    CPU + 'kernel/cpu_nir_depth_stencil.c',
    'nir_fneu(b, x, y) : nir_ine(b, x, y)',
    'nir_feq(b, x, y) : nir_ieq(b, x, y)',
    'test_gl_render',
)
mutate(
    'stencil-decr',
    'GL_DECR wraps',
    CPU + 'kernel/cpu_nir_depth_stencil.c',
    'nir_imax(b, nir_iadd_imm(b, s, -1), nir_imm_int(b, 0))',
    'nir_iand_imm(b, nir_iadd_imm(b, s, -1), 255)',
    'test_gl_render',
)
mutate(
    'stencil-zfail',
    'zfail and zpass are exchanged',
    CPU + 'kernel/cpu_nir_depth_stencil.c',
    'nir_bcsel(b, z_pass, s.on_zpass, s.on_zfail)',
    'nir_bcsel(b, z_pass, s.on_zfail, s.on_zpass)',
    'test-cpu-kernels',
)
mutate(
    'stencil-write-mask',
    'the write mask is ignored',
    CPU + 'kernel/cpu_nir_depth_stencil.c',
    'nir_iand(b, nir_ixor(b, value, stored), writemask)',
    'nir_ior(b, nir_ixor(b, value, stored), nir_isub(b, writemask, writemask))',
    'test_gl_render',
)
mutate(
    'blend-saturate',
    'SRC_ALPHA_SATURATE takes the source alpha',
    CPU + 'kernel/cpu_nir_blend.c',
    'return c == 3 ? NULL : smaller(b, in, in->src[3], complement(b, in, in->dst[3]));',
    'return c == 3 ? NULL : in->src[3];',
    'test-cpu-kernels',
    'test_gl_render',
)
mutate(
    'blend-subtract',
    'subtraction is reversed',
    CPU + 'kernel/cpu_nir_blend.c',
    'return difference(b, in, s ? s : zero, d ? d : zero);',
    'return difference(b, in, d ? d : zero, s ? s : zero);',
    'test_gl_render',
)
mutate(
    'blend-bytes',
    'blending of bytes is not rounded',
    CPU + 'kernel/cpu_nir_blend.c',
    'nir_ishr_imm(b, nir_iadd_imm(b, way, 128), 8)',
    'nir_ishr_imm(b, way, 8)',
    'test-cpu-kernels',
)
mutate(
    'srgb-encode',
    'the linear part of the sRGB encoding is too long',
    CPU + 'kernel/cpu_nir_format.c',
    'nir_imm_float(b, 0.0031308f)), low, high)',
    'nir_imm_float(b, 0.031308f)), low, high)',
    'test-cpu-kernels',
)
mutate(
    'srgb-encode-power',
    'a threshold of the sRGB encoding is off',
    CPU + 'kernel/cpu_nir_format.c',
    '1.0 / (255.0 * 1.055)',
    '1.0 / (255.0 * 1.054999)',
    'test-cpu-kernels',
)
mutate(
    'srgb-decode',
    'a coefficient of the sRGB decoding is off',
    CPU + 'kernel/cpu_nir_format.c',
    '0.168249039',
    '0.158249039',
    'test-cpu-kernels',
    'test-cpu-textures',
)
mutate(
    'srgb-bytes',
    'the sRGB encoder of util is off by one',
    'util/format.c',
    '            lo = mid + 1;\n        else\n            hi = mid;\n    }\n    return lo;',
    '            lo = mid + 1;\n        else\n            hi = mid;\n    }\n    return lo ? lo - '
    '1 : 0;',
    'test_format',
)
mutate(
    'srgb-threshold',
    'the thresholds of the sRGB encoder are moved',
    'util/format.c',
    'if (f >= util_srgb_threshold[mid])',
    'if (f >= util_srgb_threshold[mid] * 1.001f)',
    'test_format',
)
mutate(
    'wrap-repeat',
    'the texel after the last is the last',
    CPU + 'kernel/cpu_nir_wrap.c',
    'return nir_bcsel(b, nir_ilt(b, last, index), nir_imm_int(b, 0), index);',
    'return nir_bcsel(b, nir_ilt(b, last, index), last, index);',
    'test-cpu-kernels',
    'test_gl_lookup',
)
mutate(
    'wrap-mirror',
    'mirroring starts with the reflection',
    CPU + 'kernel/cpu_nir_wrap.c',
    'return nir_fsub_imm(b, 1.0, nir_fabs(b, t));',
    'return nir_fabs(b, t);',
    'test-cpu-kernels',
    'test_gl_lookup',
)
mutate(
    'wrap-border',
    'the texel after the last is not the border',
    CPU + 'kernel/cpu_nir_wrap.c',
    '            n = nir_imax(b, n, zero);\n        t.outside[i] = nir_uge(b, n, size);',
    '            n = nir_imax(b, n, zero);\n        t.outside[i] = nir_ult(b, size, n);',
    'test-cpu-kernels',
    'test_gl_lookup',
)
mutate(
    'mip-nearest',
    'the nearest level is rounded down',
    CPU + 'kernel/cpu_nir_sample.c',
    'nir_iadd_imm(b, nir_f2i32(b, nir_fceil(b, nir_fadd_imm(b, lod, 0.5))), -1));',
    'nir_iadd_imm(b, nir_f2i32(b, nir_fceil(b, nir_fadd_imm(b, lod, 0.0))), -1));',
    'test-cpu-kernels',
    'test_gl_lookup',
)
mutate(
    'lod-bias',
    'the bias of the level of detail is subtracted',
    CPU + 'kernel/cpu_nir_sample.c',
    'lod = nir_fadd(b, lod, total);',
    'lod = nir_fsub(b, lod, total);',
    'test-cpu-kernels',
    'test_gl_lookup',
)
mutate(
    'cube-face',
    'the y faces are exchanged with the z faces',
    CPU + 'kernel/cpu_nir_cube.c',
    'nir_bcsel(b, axis->is_y, nir_imm_int(b, 2), nir_imm_int(b, 4))',
    'nir_bcsel(b, axis->is_y, nir_imm_int(b, 4), nir_imm_int(b, 2))',
    'test-cpu-kernels',
    'test_gl_lookup',
)
mutate(
    'cube-negative',
    'sc of the z faces has the other sign',
    CPU + 'kernel/cpu_nir_cube.c',
    'negate_if(b, axis->negative, v[0]);              /* x, -x */',
    'negate_if(b, nir_inot(b, axis->negative), v[0]);',
    'test-cpu-kernels',
    'test_gl_lookup',
)
mutate(
    'layer-round',
    'layers of arrays are truncated',
    CPU + 'kernel/cpu_nir_sample.c',
    'nir_f2i32(b, nir_fround_even(b, coord))',
    'nir_f2i32(b, nir_ffloor(b, coord))',
    'test-cpu-kernels',
    'test_gl_lookup',
)
mutate(
    'feedback-stride',
    'captured vertices are written one after the other',
    CPU + 'front/cpu_stream_output.c',
    'k * desc->stride[b] + desc->output[i].dst_offset',
    'k * desc->stride[b]',
    'test_gl_feedback',
)
mutate(
    'feedback-overflow',
    'a primitive that does not fit is captured',
    CPU + 'front/cpu_stream_output.c',
    '> so->size[b]))',
    '> so->size[b] + 16))',
    'test_gl_feedback',
)
mutate(
    'query-not-reset',
    'an occlusion query goes on from its last result',
    CPU + 'context/cpu_query.c',
    '        q->counter = 0;\n',
    '',
    'test_gl_lookup',
    'test_gl_statistics',
)
mutate(
    'query-difference',
    'a query counts from the start of the context',
    CPU + 'context/cpu_query.c',
    'q->result = current_value(ctx, q) - q->start;',
    'q->result = current_value(ctx, q);',
    'test_gl_statistics',
    'test_gl_feedback',
)
mutate(
    'transfer-contents',
    'a map for writing loses what it does not write',
    CPU + 'transfer/cpu_transfer.c',
    'return flags & DRV_MAP_READ || !(flags',
    'return flags & DRV_MAP_READ && !(flags',
    'test-cpu-storage',
    'test_gl_pixels',
)
mutate(
    'rename-keeps',
    'a map that discards does not wait',
    CPU + 'transfer/cpu_transfer.c',
    '    if (flags & DRV_MAP_UNSYNCHRONIZED)',
    '    if (flags & (DRV_MAP_UNSYNCHRONIZED | DRV_MAP_DISCARD_WHOLE))',
    'test-cpu-storage',
    TABLE,
)

# --- util ----------------------------------------------------------------------------------------

mutate(
    'ref-drop',
    'storage is freed when another reference is dropped',
    CPU + 'resource/cpu_storage.c',
    'if (!s || !ref_drop(&s->refcount))',
    'if (!s || ref_drop(&s->refcount))',
    'test-cpu-storage',
)
mutate(
    'ref-sync',
    'a sync object is freed when a wait is over',
    'gl/draw/gl_query.c',
    'if (!s || !ref_drop(&s->refcount))',
    'if (!s || (ref_drop(&s->refcount), 0))',
    'test_gl_state',
    'test_gl_share',
)
mutate(
    'pool-release',
    'waiters are not woken',
    'util/thread_pool.c',
    '    if (!left && pool.waiting)',
    '    if (left && pool.waiting)',
    'test_thread_pool',
)
mutate(
    'pool-index',
    'two threads run the same job',
    'util/thread_pool.c',
    'index = __atomic_fetch_add(&group->next, 1, __ATOMIC_RELAXED)) {',
    'index = __atomic_add_fetch(&group->next, 1, __ATOMIC_RELAXED)) {',
    'test_thread_pool',
)
mutate(
    'cache-mode',
    'a cache directory that others write to is used',
    'jit/jit_cache.c',
    'if (stat(path, &st) || st.st_uid != geteuid() || st.st_mode & 022)',
    'if (stat(path, &st) || st.st_uid != geteuid())',
    'test-jit-cache',
)
mutate(
    'cache-owner',
    'a cache directory of another user is used',
    'jit/jit_cache.c',
    'if (stat(path, &st) || st.st_uid != geteuid() || st.st_mode & 022)',
    'if (stat(path, &st) || st.st_mode & 022)',
    'test-jit-cache',
)
mutate(
    'cache-entry',
    'an entry of another user is read',
    'jit/jit_cache.c',
    'if (fstat(fd, &st) || st.st_uid != geteuid() || st.st_mode & 022 ||',
    'if (fstat(fd, &st) ||',
    'test-jit-cache',
)
mutate(
    'cache-link',
    'an entry may be a link',
    'jit/jit_cache.c',
    'O_RDONLY | O_CLOEXEC | O_NOFOLLOW',
    'O_RDONLY | O_CLOEXEC',
    'test-jit-cache',
)

# --- NIR -----------------------------------------------------------------------------------------

mutate(
    'float-sum',
    'a sum of infinities of different sign counts as a number',
    'nir/nir_range_analysis.c',
    'return (a & b & NIR_FLOAT_NUMBER) &&',
    'return (a & b & NIR_FLOAT_NUMBER) ||',
    'nir_test_opt',
)
mutate(
    'min-max-order',
    'precise minima return another zero',
    'nir/nir_order_min_max.c',
    'alu->exact || is_number(alu, 1)',
    'is_number(alu, 1)',
    'nir_test_opt',
)
mutate(
    'algebraic-rule',
    'a rule gives the other operand',
    'nir/nir_opt_algebraic.py',
    '(("~flrp", a, b, 1.0), b),',
    '(("~flrp", a, b, 1.0), a),',
    'nir_test_algebraic',
)
mutate(
    'algebraic-zero',
    'a rule loses the sign',
    'nir/nir_opt_algebraic.py',
    '(("fmul", ("fneg", a), ("fneg", b)), ("fmul", a, b)),',
    '(("fmul", ("fneg", a), ("fneg", b)), ("fneg", ("fmul", a, b))),',
    'nir_test_algebraic',
)
mutate(
    'opcode-irem',
    'the remainder of integers has the sign of the divisor',
    'nir/nir_opcodes.py',
    '"src1 == 0 || src1 == -1 ? 0 : src0 % src1")',
    '"src1 == 0 || src1 == -1 ? 0 : -(-src0 % src1) * (src1 < 0 ? -1 : 1)")',
    'test-spirv',
)
mutate(
    'folding-swizzle',
    'constant folding ignores swizzles',
    'nir/nir_opt_constant_folding.c',
    'values[i][c] = v[nir_alu_src_comp(&alu->src[i], c)];',
    'values[i][c] = v[c];',
    *PASSES,
)
mutate(
    'folding-discard',
    'a discard of true is removed',
    'nir/nir_opt_constant_folding.c',
    '|| nir_src_as_bool(intr->src[0]))',
    '|| !nir_src_as_bool(intr->src[0]))',
    *PASSES,
)
mutate(
    'divergence-if',
    'an if under a divergent one is not divergent',
    'nir/nir_divergence_analysis.c',
    'inner.divergent_cf |= divergent;',
    'inner.divergent_cf = divergent;',
    *PASSES,
)
mutate(
    'divergence-phi',
    'phis after a divergent if are uniform',
    'nir/nir_divergence_analysis.c',
    'visit_phis(s, following, divergent);',
    '(void)divergent, visit_phis(s, following, false);',
    *PASSES,
)
mutate(
    'cse-dominance',
    'an instruction replaces one that it does not dominate',
    'nir/nir_opt_cse.c',
    'if (!nir_block_dominates(match->block, block)) {',
    'if (nir_block_dominates(block, match->block) && block != match->block) {',
    *PASSES,
)
mutate(
    'cse-exact',
    'the shared instruction loses exactness',
    'nir/nir_opt_cse.c',
    'nir_instr_as_alu(match)->exact |= nir_instr_as_alu(instr)->exact;',
    'nir_instr_as_alu(match)->exact &= nir_instr_as_alu(instr)->exact;',
    *PASSES,
)
mutate(
    'lcssa-nested',
    'loops inside of loops are not closed',
    'nir/nir_to_lcssa.c',
    '            progress |= convert_list(&loop->body);\n',
    '',
    *PASSES,
)
mutate(
    'dce-effect',
    'conditions of ifs do not keep values alive',
    'nir/nir_opt_dce.c',
    '            mark_src(&nif->condition, &s);\n',
    '',
    *PASSES,
)
mutate(
    'copy-swizzle',
    'copy propagation forgets the swizzle',
    'nir/nir_opt_copy_propagate.c',
    'swizzle[c] = s.comp;',
    'swizzle[c] = nir_alu_src_comp(alu_src, c);',
    *PASSES,
)
mutate(
    'std140-array',
    'elements of std140 arrays are not aligned to 16 bytes',
    'nir/glsl_types.c',
    'return std140 ? ALIGN_POT(align, 16) : align;',
    'return align;',
    'glsl-link',
    'test_gl_buffers',
)
mutate(
    'std140-vec3',
    'a vec3 is aligned to three components',
    'nir/glsl_types.c',
    'scalar_bytes(t) * (components == 3 ? 4 : components)',
    'scalar_bytes(t) * (components == 3 ? 1 : components)',
    'glsl-link',
    'test_gl_buffers',
)

# --- front ends ----------------------------------------------------------------------------------

mutate(
    'pp-shift',
    'the preprocessor shifts the other way',
    'glsl/pp_expr.y',
    '   expr LSHIFT expr        { $$.number = (int64_t)((uint64_t)$1.number << ($3.number & 63)); }',
    '   expr LSHIFT expr        { $$.number = $1.number >> ($3.number & 63); }',
    'glsl-preprocessor',
)
mutate(
    'pp-or',
    'the preprocessor takes || for &&',
    'glsl/pp_expr.y',
    '''$$.number = $1.number || $4.number; }
;

/* The second''',
    '''$$.number = $1.number && $4.number; }
;

/* The second''',
    'glsl-preprocessor',
)
mutate(
    'pp-paste',
    'operands of ## are expanded',
    'glsl/pp_macro.c',
    'const struct pp_tokens *arg = pasting || before_paste',
    'const struct pp_tokens *arg = before_paste',
    'glsl-preprocessor',
)
mutate(
    'overload-ambiguous',
    'an ambiguous call takes the first function',
    'glsl/ast_call.c',
    'if (i != best && !is_better(call, &call->convertible[best], &call->convertible[i]))',
    'if (i > best && !is_better(call, &call->convertible[best], &call->convertible[i]))',
    'glsl-semantics',
)
mutate(
    'overload-rank',
    'conversions have no order',
    'glsl/ast_call.c',
    'return exact_b - exact_a;',
    'return exact_a - exact_b;',
    'glsl-semantics',
)
mutate(
    'overload-version',
    'conversions are ranked before GLSL 4.00',
    'glsl/ast_call.c',
    'return st_has(st, 400, 310) ||',
    'return st_has(st, 330, 310) ||',
    'glsl-semantics',
)
mutate(
    'conversion-uint',
    'ints convert to uints in GLSL 3.30',
    'glsl/ast_convert.c',
    'bool to_uint = st_has(st, 400, 0) ||',
    'bool to_uint = st_has(st, 330, 0) ||',
    'glsl-semantics',
    'glsl-compile',
)
mutate(
    'link-struct',
    'structures match by the number of their members',
    'glsl/glsl_link_interface.c',
    '            !types_match(a->fields[i].type, b->fields[i].type, true))\n',
    '            0)\n',
    'glsl-stages',
)
mutate(
    'link-unwritten',
    'inputs that the previous stage does not write are undefined',
    'glsl/glsl_link_varyings.c',
    'nir_store_zero(&b, nir_build_deref_var(&b, var));',
    '(void)b;',
    'test_gl_values',
)
mutate(
    'link-block',
    'members of interface blocks may have other types',
    'glsl/glsl_link_interface.c',
    'if (strcmp(fa->name, fb->name) || !glsl_type_equal(fa->type, fb->type) ||',
    'if (strcmp(fa->name, fb->name) ||',
    'glsl-stages',
)
mutate(
    'spirv-srem',
    'OpSRem is OpSMod',
    'spirv/spirv_alu.c',
    '{SpvOpSRem, nir_op_irem,',
    '{SpvOpSRem, nir_op_imod,',
    'test-spirv',
)
mutate(
    'spirv-compare',
    'an unordered comparison is ordered',
    'spirv/spirv_alu.c',
    '{SpvOpFUnordLessThan, nir_op_fge, 2, CLASS_FLOAT, RESULT_BOOL | INVERTED}',
    '{SpvOpFUnordLessThan, nir_op_flt, 2, CLASS_FLOAT, RESULT_BOOL}',
    'test-spirv',
)
mutate(
    'spirv-row-major',
    'RowMajor is ignored',
    'spirv/spirv_type.c',
    'field->row_major = spv_has_decoration(v, i, SpvDecorationRowMajor);',
    'field->row_major = spv_has_decoration(v, i, SpvDecorationColMajor);',
    'test-spirv',
    'test_gl_spirv',
)
mutate(
    'spirv-flat',
    'Flat is taken for NoPerspective',
    'spirv/spirv_variable.c',
    'if (is_decorated(d, SpvDecorationFlat))',
    'if (is_decorated(d, SpvDecorationNoPerspective))',
    'test-spirv',
    'test_gl_spirv',
)
mutate(
    'asm-slt',
    'SLT is SGE',
    'asm/asm_to_nir.c',
    'nir_b2fN(b, nir_flt(b, x, s[1]), 32)',
    'nir_b2fN(b, nir_fge(b, x, s[1]), 32)',
    'test_gl_render',
)
mutate(
    'asm-lrp',
    'LRP takes the operands in the other order',
    'asm/asm_to_nir.c',
    'nir_fmul(b, x, s[1]), nir_fmul(b, nir_fsub_imm(b, 1.0, x), s[2])',
    'nir_fmul(b, x, s[2]), nir_fmul(b, nir_fsub_imm(b, 1.0, x), s[1])',
    'test_gl_render',
)

# --- code generators -----------------------------------------------------------------------------

mutate(
    'jit-spill-end',
    'two spilled values share a place while both live',
    'jit/jit_baseline.c',
    'p->heap.data[0].end < value->start',
    'p->heap.data[0].end <= value->end',
    'test-jit',
)
mutate(
    'jit-register',
    'a register is reused while its value is needed',
    'jit/jit_baseline.c',
    'if (!in[r] || in[r]->end < value->start)',
    'if (!in[r] || in[r]->end < value->end)',
    'test-jit',
)
mutate(
    'nan-sign',
    'changes of the sign end the search for visible NaNs',
    'nir/nir_canonicalize_nans.c',
    'op == nir_op_fneg || op == nir_op_fabs',
    'op == nir_op_fabs',
    'nir_test_lower',
)
mutate(
    'nan-kernels',
    'kernels store the NaNs of the machine',
    'jit/jit_lower.c',
    'NIR_PASS(progress, nir, nir_canonicalize_nans);',
    '',
    'test-jit-functions',
)
mutate(
    'jit-shift',
    'arithmetic shifts are logical',
    'jit/jit_baseline_alu.c',
    'is_signed = o->alu->op == nir_op_ishr;',
    'is_signed = o->alu->op == nir_op_ushr;',
    'test-jit',
)
mutate(
    'lir-copy-end',
    'a copy outlives a write of its source',
    'driver/i965/compiler/lir_opt_copy.c',
    '                       overlaps(&inst->dst, written, &c->src, copy_bytes_read(c)));',
    '                       copy_bytes_read(c) == 0);',
    *LIR,
)
mutate(
    'lir-copy-negate',
    'a negated immediate keeps its sign',
    'driver/i965/compiler/lir_opt_copy.c',
    'value.imm = is_float ? value.imm ^ 0x80000000 : -value.imm;',
    'value.imm = is_float ? value.imm : -value.imm;',
    *LIR,
)
mutate(
    'lir-overlap',
    'a copy outlives a write of a part of its source',
    'driver/i965/compiler/lir_opt_copy.c',
    'a->offset < b->offset + bytes_b && b->offset < a->offset + bytes_a;',
    'bytes_a && bytes_b && a->offset == b->offset;',
    *LIR,
)
mutate(
    'lir-liveness',
    'a register is dead where it is partly written',
    'driver/i965/compiler/lir_live.c',
    'if (whole && !bitset_test(s->use, r))',
    'if ((whole || written.count) && !bitset_test(s->use, r))',
    *LIR,
)
mutate(
    'lir-flags',
    'predicated writes end flags',
    'driver/i965/compiler/lir_live.c',
    '        if (!inst->predicate)\n            s->flag_def',
    '        if (inst->predicate || 1)\n            s->flag_def',
    *LIR,
)
mutate(
    'i965-clock',
    'channels that left a loop see later times',
    'driver/i965/compiler/from_nir_stage.c',
    'if (c->nesting)\n            value[i] = i965_mov(',
    'if (false)\n            value[i] = i965_mov(',
    'i965_test_memory',
)
mutate(
    'i965-block-write-predicate',
    'block writes of threads without covered pixels are executed',
    'driver/i965/compiler/from_nir_memory.c',
    '        inst->predicate = EU_PREDICATE_ANY16H;',
    '        inst->predicate = EU_PREDICATE_NONE;',
    'i965_test_memory',
)
mutate(
    'i965-sink-stores',
    'a load from scratch memory moves past a store',
    'driver/i965/compiler/i965_sink_loads.c',
    'use && store && kind == KIND_SCRATCH_LOAD',
    'false && store && kind == KIND_SCRATCH_LOAD',
    'i965_test_memory',
)
mutate(
    'i965-block-write-channels',
    'block writes enable only the channels of covered pixels',
    'driver/i965/compiler/from_nir_memory.c',
    '        inst->predicate = EU_PREDICATE_ANY16H;',
    '        inst->predicate = EU_PREDICATE_NORMAL;',
    'i965_test_memory',
)
mutate(
    'lir-selection-flag',
    'a repeated comparison overwrites the flag of the current condition',
    'driver/i965/compiler/lir_spill.c',
    'copy->flag = SPARE_FLAG;',
    'copy->flag = 0;',
    'i965_test_memory',
)
mutate(
    'eu-negate',
    'the bit of a negated source is that of the absolute',
    'driver/i965/eu/eu_fields.py',
    '"src0_negate": (78, 78),',
    '"src0_negate": (77, 77),',
    'i965_test_eu',
)
mutate(
    'eu-group',
    'the quarter of channels is not encoded',
    'driver/i965/eu/eu_encode.c',
    'put(e, EU_FIELD_QUARTER_CONTROL, inst->group >> 3);',
    'put(e, EU_FIELD_QUARTER_CONTROL, inst->group >> 4);',
    'i965_test_eu',
)
mutate(
    'eu-immediate',
    'words stand once in an immediate',
    'driver/i965/eu/eu_encode.c',
    '(reg->imm & 0xffff) * 0x10001u',
    '(reg->imm & 0xffff)',
    'i965_test_eu',
    'i965_test_sim',
    'i965_differential',
)
mutate(
    'eu-overlap',
    'payloads that begin in different registers do not overlap',
    'driver/i965/eu/eu_validate.c',
    'return a < b + b_length && b < a + a_length;',
    'return a == b && b < a + a_length && a < b + b_length;',
    'i965_test_eu',
)
mutate(
    'eu-token-overlap',
    'a pending response is waited for only by what accesses its first register',
    'driver/i965/eu/eu_scoreboard.c',
    'return a.first < b.first + b.count && b.first < a.first + a.count;',
    'return a.first <= b.first && b.first < a.first + a.count;',
    'i965_test_sim',
)
mutate(
    'eu-compact-immediate',
    'bit 2 of an immediate selects a row of the data types',
    'driver/i965/eu/eu_compaction.py',
    '((34, 30), "datatype", 0, 0x7FFFF)',
    '((34, 30), "datatype")',
    'i965_test_eu',
)
mutate(
    'eu-compact-sources',
    'sources 1 and 2 are exchanged in the compacted form',
    'driver/i965/eu/eu_compaction.py',
    '((55, 48), (127, 120)),\n    ((63, 56), (111, 104)),',
    '((63, 56), (127, 120)),\n    ((55, 48), (111, 104)),',
    'i965_test_eu',
)

# --- constants and math -----------------------------------------------------------------------

mutate(
    'fold-inverse',
    'folding divides by a reciprocal instead of multiplying',
    'glsl/hir_constant.c',
    'out->value[i] = calculate(HIR_OP_MUL, t, cofactor, scale);',
    'out->value[i] = calculate(HIR_OP_DIV, t, cofactor, calculate(HIR_OP_RCP, t, scale, none));',
    'test_gl_numeric',
)
mutate(
    'tan-low-part',
    'the low part of the reduced angle is dropped',
    'nir/nir_math_functions.h',
    'choose(b, large, number(b, 0), int_xor(b, lo, odd_bit))',
    'choose(b, large, number(b, 0), number(b, 0))',
    'nir_test_math',
)
mutate(
    'large-angle-bits',
    'a word of 1/π is wrong',
    'nir/nir_math_reduce.h',
    '0x27220a94',
    '0x27220a95',
    'nir_test_math',
)
mutate(
    'zero-arrays',
    'arrays that need a loop are not cleared',
    'nir/nir_builder.c',
    '            store_zero_loop(b, deref);',
    '            (void)store_zero_loop;',
    'test_gl_values',
)
mutate(
    'view-class-srgb',
    'R8 textures have no views as SR8',
    'gl/texture/gl_texview.c',
    'GL_R8, GL_R8_SNORM, GL_SR8_EXT}',
    'GL_R8, GL_R8_SNORM}',
    'test_gl_es_extensions',
)
mutate(
    'samples-of-full-tiles',
    'samples 8 to 15 of whole tiles are not covered',
    CPU + 'tile/cpu_tile.c',
    '    if (t->draw->samples > CPU_LOW_SAMPLES)\n        memset(',
    '    if (t->draw->samples > 2 * CPU_LOW_SAMPLES)\n        memset(',
    'test_gl_samples',
)
mutate(
    'samples-of-full-parts',
    'samples 8 to 15 of parts that no edge crosses are not covered',
    CPU + 'tile/cpu_raster.c',
    '            if (full && s->high)',
    '            if (full && s->high && s->counted)',
    'test_gl_samples',
)
mutate(
    'samples-of-stippled-pixels',
    'samples 8 to 15 of blocks after a dropped block are those of another block',
    CPU + 'tile/cpu_tile.c',
    '            if (high)\n',
    '            if (high && !kept)\n',
    'test_gl_samples',
)
mutate(
    'window-sample-border',
    'a sample of windows is on the border of the next pixel',
    CPU + 'tile/cpu_raster.c',
    '        {-7, 7},\n    },',
    '        {-7, 8},\n    },',
    'test_gl_samples',
)
mutate(
    'interpolator-inactive-channels',
    'messages to the pixel interpolator write inactive channels',
    'driver/i965/sim/sim_interpolator.c',
    ' && m->mask >> i & 1; c++)',
    '; c++)',
    'test_gl_samples',
)
mutate(
    'smooth-fraction-of-sample',
    'the fraction of a smooth primitive is masked like samples',
    'driver/i965/i965_fs.c',
    'r->fs->key->smooth ? UINT8_MAX : 1u << r->sample',
    '1u << r->sample',
    'test_gl_samples',
)
mutate(
    'invariant-phis',
    'phis after invariant ifs and loops move although a source varies',
    CPU + 'kernel/cpu_nir_invariant.c',
    'if (!nir_foreach_src(instr, src_is_invariant, NULL))',
    'if (!instr)',
    'test-cpu-invariant',
)
