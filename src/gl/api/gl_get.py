# SPDX-License-Identifier: MIT
"""
Table of glGet values that are expressions of the context's state. Each row has a name, the APIs (C
compatibility, D core, 1 ES 1, 2 ES 2 and later), the type (B bool, I int, E enum, F float, N
normalized: scaled by integer queries) and C expressions of the values. `c` is the context, `k` its
constants, `m16:` a matrix stack (`t16:` transposed, `b16:` bit patterns of the floats).
gl_enum_available() (gl_available.py) decides which versions and extensions have a name.

usage: gl_get.py OUTPUT
"""

import sys

VALUES = [
    # current values
    ('CURRENT_COLOR', 'C1', 'N', 'c->current_attribs.attrib[VERT_ATTRIB_COLOR0][0..3]'),
    ('CURRENT_SECONDARY_COLOR', 'C', 'N', 'c->current_attribs.attrib[VERT_ATTRIB_COLOR1][0..3]'),
    ('CURRENT_NORMAL', 'C1', 'N', 'c->current_attribs.attrib[VERT_ATTRIB_NORMAL][0..2]'),
    ('CURRENT_FOG_COORD', 'C', 'F', 'c->current_attribs.attrib[VERT_ATTRIB_FOG][0]'),
    ('CURRENT_INDEX', 'C', 'F', 'c->current_attribs.attrib[VERT_ATTRIB_COLOR_INDEX][0]'),
    ('EDGE_FLAG', 'C', 'B', 'c->current_attribs.attrib[VERT_ATTRIB_EDGEFLAG][0]'),
    ('CURRENT_TEXTURE_COORDS', 'C1', 'F',
     'c->current_attribs.attrib[VERT_ATTRIB_TEX(c->texenv.active & 7)][0..3]'),
    ('CURRENT_RASTER_POSITION', 'C', 'F', 'c->current_attribs.raster_pos[0..3]'),
    ('CURRENT_RASTER_POSITION_VALID', 'C', 'B', 'c->current_attribs.raster_valid'),
    ('CURRENT_RASTER_DISTANCE', 'C', 'F', 'c->current_attribs.raster_distance'),
    ('CURRENT_RASTER_COLOR', 'C', 'N', 'c->current_attribs.raster_color[0..3]'),
    ('CURRENT_RASTER_SECONDARY_COLOR', 'C', 'N',
     'c->current_attribs.raster_secondary_color[0..3]'),
    ('CURRENT_RASTER_INDEX', 'C', 'F', 'c->current_attribs.raster_index'),
    ('CURRENT_RASTER_TEXTURE_COORDS', 'C', 'F',
     'c->current_attribs.raster_texcoord[c->texenv.active & 7][0..3]'),
    # arrays
    ('CLIENT_ACTIVE_TEXTURE', 'C1', 'E', 'GL_TEXTURE0 + c->array.client_active_texture'),
    ('ARRAY_BUFFER_BINDING', 'CD12', 'I', 'name_of(c->array.array_buffer)'),
    ('ELEMENT_ARRAY_BUFFER_BINDING', 'CD12', 'I', 'name_of(c->array.vao->index_buffer)'),
    ('VERTEX_ARRAY_BINDING', 'CD12', 'I', 'c->array.vao->name'),
    ('PIXEL_PACK_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->pack.buffer)'),
    ('PIXEL_UNPACK_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->unpack.buffer)'),
    ('DRAW_INDIRECT_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->draw_indirect_buffer)'),
    ('DISPATCH_INDIRECT_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->dispatch_indirect_buffer)'),
    ('PARAMETER_BUFFER_BINDING', 'CD', 'I', 'name_of(c->parameter_buffer)'),
    ('QUERY_BUFFER_BINDING', 'CD', 'I', 'name_of(c->query_buffer)'),
    ('COPY_READ_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->copy_read_buffer)'),
    ('COPY_WRITE_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->copy_write_buffer)'),
    ('UNIFORM_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->uniform_buffer)'),
    ('UNIFORM_BUFFER_OFFSET_ALIGNMENT', 'CD2', 'I',
     'c->screen->caps.constant_buffer_offset_alignment'),
    ('SHADER_STORAGE_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->shader_storage_buffer)'),
    ('SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT', 'CD2', 'I',
     'c->screen->caps.storage_buffer_offset_alignment'),
    ('ATOMIC_COUNTER_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->atomic_counter_buffer)'),
    ('TRANSFORM_FEEDBACK_BUFFER_BINDING', 'CD2', 'I', 'name_of(c->transform_feedback_buffer)'),
    ('TRANSFORM_FEEDBACK_BINDING', 'CD2', 'I', 'c->xfb.bound->name'),
    ('TRANSFORM_FEEDBACK_ACTIVE', 'CD2', 'B', 'c->xfb.bound->active'),
    ('TRANSFORM_FEEDBACK_PAUSED', 'CD2', 'B', 'c->xfb.bound->paused'),
    ('PRIMITIVE_RESTART_INDEX', 'CD', 'I', 'c->array.restart_index'),
    ('PRIMITIVE_RESTART_INDEX_NV', 'C', 'I', 'c->array.restart_index'),
    ('MAX_ELEMENTS_VERTICES', 'CD2', 'I', 'k->max_elements_vertices'),
    ('MAX_ELEMENTS_INDICES', 'CD2', 'I', 'k->max_elements_indices'),
    ('MAX_ELEMENT_INDEX', 'CD2', 'F', '4294967295.0'),  # integer queries clamp to 2^31 - 1
    ('PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED', 'CD2', 'B', 'true'),
    ('MAX_VERTEX_ATTRIBS', 'CD2', 'I', 'k->max_vertex_attribs'),
    ('MAX_VERTEX_ATTRIB_BINDINGS', 'CD2', 'I', 'k->max_vertex_attribs'),
    ('MAX_VERTEX_ATTRIB_RELATIVE_OFFSET', 'CD2', 'I', '2047'),
    ('MAX_VERTEX_ATTRIB_STRIDE', 'CD2', 'I', 'c->screen->caps.max_vertex_attrib_stride'),
    ('ARRAY_ELEMENT_LOCK_FIRST_EXT', 'C', 'I', 'c->array.lock_first'),
    ('ARRAY_ELEMENT_LOCK_COUNT_EXT', 'C', 'I', 'c->array.lock_count'),
    # memory, in KiB: ATI_meminfo (free and largest free block, of the main and auxiliary pool), and
    # NVX_gpu_memory_info
    ('VBO_FREE_MEMORY_ATI', 'CD', 'I', 'os_memory_get().available >> 10', 'v[0]', '0', '0'),
    ('TEXTURE_FREE_MEMORY_ATI', 'CD', 'I', 'os_memory_get().available >> 10', 'v[0]', '0', '0'),
    ('RENDERBUFFER_FREE_MEMORY_ATI', 'CD', 'I', 'os_memory_get().available >> 10', 'v[0]', '0',
     '0'),
    ('GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX', 'CD', 'I', 'os_memory_get().total >> 10'),
    ('GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX', 'CD', 'I', 'os_memory_get().total >> 10'),
    ('GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX', 'CD', 'I',
     'os_memory_get().available >> 10'),
    ('GPU_MEMORY_INFO_EVICTION_COUNT_NVX', 'CD', 'I', '0'),
    ('GPU_MEMORY_INFO_EVICTED_MEMORY_NVX', 'CD', 'I', '0'),
    # transformation
    ('MATRIX_MODE', 'C1', 'E', 'c->transform.matrix_mode'),
    ('MODELVIEW_MATRIX', 'C1', 'F', 'm16:&c->modelview'),
    ('PROJECTION_MATRIX', 'C1', 'F', 'm16:&c->projection'),
    ('TEXTURE_MATRIX', 'C1', 'F', 'm16:&c->texture_matrix[c->texenv.active & 7]'),
    ('COLOR_MATRIX', 'C', 'F', 'm16:&c->color_matrix'),
    # OES_matrix_get: bit patterns of the floats
    ('MODELVIEW_MATRIX_FLOAT_AS_INT_BITS_OES', '1', 'I', 'b16:&c->modelview'),
    ('PROJECTION_MATRIX_FLOAT_AS_INT_BITS_OES', '1', 'I', 'b16:&c->projection'),
    ('TEXTURE_MATRIX_FLOAT_AS_INT_BITS_OES', '1', 'I',
     'b16:&c->texture_matrix[c->texenv.active & 7]'),
    ('TRANSPOSE_MODELVIEW_MATRIX', 'C', 'F', 't16:&c->modelview'),
    ('TRANSPOSE_PROJECTION_MATRIX', 'C', 'F', 't16:&c->projection'),
    ('TRANSPOSE_TEXTURE_MATRIX', 'C', 'F', 't16:&c->texture_matrix[c->texenv.active & 7]'),
    ('TRANSPOSE_COLOR_MATRIX', 'C', 'F', 't16:&c->color_matrix'),
    ('MODELVIEW_STACK_DEPTH', 'C1', 'I', 'c->modelview.depth + 1'),
    ('PROJECTION_STACK_DEPTH', 'C1', 'I', 'c->projection.depth + 1'),
    ('TEXTURE_STACK_DEPTH', 'C1', 'I', 'c->texture_matrix[c->texenv.active & 7].depth + 1'),
    ('COLOR_MATRIX_STACK_DEPTH', 'C', 'I', 'c->color_matrix.depth + 1'),
    ('MAX_MODELVIEW_STACK_DEPTH', 'C1', 'I', 'k->max_modelview_stack'),
    ('MAX_PROJECTION_STACK_DEPTH', 'C1', 'I', 'k->max_projection_stack'),
    ('MAX_TEXTURE_STACK_DEPTH', 'C1', 'I', 'k->max_texture_stack'),
    ('MAX_COLOR_MATRIX_STACK_DEPTH', 'C', 'I', '2'),
    ('VIEWPORT', 'CD12', 'F', 'c->viewport.vp[0].x', 'c->viewport.vp[0].y',
     'c->viewport.vp[0].width', 'c->viewport.vp[0].height'),
    ('DEPTH_RANGE', 'CD12', 'N', 'c->viewport.vp[0].near_val', 'c->viewport.vp[0].far_val'),
    ('MAX_VIEWPORT_DIMS', 'CD12', 'I', 'k->max_viewport_dims[0..1]'),
    ('MAX_VIEWPORTS', 'CD2', 'I', 'k->max_viewports'),
    ('MAX_VIEWS_OVR', 'CD2', 'I', 'k->max_views'),
    ('VIEWPORT_BOUNDS_RANGE', 'CD2', 'F', '-32768.0', '32767.0'),
    ('VIEWPORT_SUBPIXEL_BITS', 'CD2', 'I', 'k->subpixel_bits'),
    ('LAYER_PROVOKING_VERTEX', 'CD2', 'E', 'provoking_vertex(c)'),
    ('VIEWPORT_INDEX_PROVOKING_VERTEX', 'CD2', 'E', 'provoking_vertex(c)'),
    ('MAX_CLIP_PLANES', 'CD12', 'I', 'k->max_clip_planes'),
    ('CLIP_ORIGIN', 'CD2', 'E', 'c->viewport.clip_origin'),
    ('CLIP_DEPTH_MODE', 'CD2', 'E', 'c->viewport.clip_depth'),
    # coloring
    ('FOG_DENSITY', 'C1', 'F', 'c->fog.density'),
    ('FOG_START', 'C1', 'F', 'c->fog.start'),
    ('FOG_END', 'C1', 'F', 'c->fog.end'),
    ('FOG_INDEX', 'C', 'F', 'c->fog.index'),
    ('FOG_MODE', 'C1', 'E', 'c->fog.mode'),
    ('FOG_COORD_SRC', 'C', 'E', 'c->fog.coord_source'),
    ('FOG_DISTANCE_MODE_NV', 'C', 'E', 'c->fog.distance_mode'),
    ('SHADE_MODEL', 'C1', 'E', 'c->light.shade_model'),
    ('PROVOKING_VERTEX', 'CD', 'E', 'c->light.provoking_vertex'),
    ('QUADS_FOLLOW_PROVOKING_VERTEX_CONVENTION', 'C', 'B',
     'c->screen->caps.quads_follow_provoking_vertex'),
    ('CLAMP_VERTEX_COLOR', 'C', 'E', 'c->light.clamp_vertex'),
    ('CLAMP_FRAGMENT_COLOR', 'C', 'E', 'c->color.clamp_fragment'),
    ('CLAMP_READ_COLOR', 'CD', 'E', 'c->color.clamp_read'),
    ('COLOR_MATERIAL_FACE', 'C', 'E', 'c->light.color_material_face'),
    ('COLOR_MATERIAL_PARAMETER', 'C', 'E', 'c->light.color_material_mode'),
    ('LIGHT_MODEL_AMBIENT', 'C1', 'N', 'c->light.model_ambient[0..3]'),
    ('LIGHT_MODEL_LOCAL_VIEWER', 'C', 'B', 'c->light.local_viewer'),
    ('LIGHT_MODEL_TWO_SIDE', 'C1', 'B', 'c->light.two_side'),
    ('LIGHT_MODEL_COLOR_CONTROL', 'C', 'E', 'c->light.color_control'),
    ('MAX_LIGHTS', 'C1', 'I', 'k->max_lights'),
    ('MAX_SHININESS_NV', 'C', 'I', 'GL_MAX_EXPONENT'),
    ('MAX_SPOT_EXPONENT_NV', 'C', 'I', 'GL_MAX_EXPONENT'),
    # rasterization
    ('POINT_SIZE', 'CD1', 'F', 'c->point.size'),
    ('POINT_SIZE_MIN', 'C1', 'F', 'c->point.min'),
    ('POINT_SIZE_MAX', 'C1', 'F', 'c->point.max'),
    ('POINT_FADE_THRESHOLD_SIZE', 'CD1', 'F', 'c->point.fade_threshold'),
    ('POINT_DISTANCE_ATTENUATION', 'C1', 'F', 'c->point.attenuation[0..2]'),
    ('POINT_SPRITE_COORD_ORIGIN', 'CD', 'E', 'c->point.sprite_origin'),
    ('SMOOTH_POINT_SIZE_RANGE', 'CD1', 'F', 'k->point_size_range[0..1]'),
    ('SMOOTH_POINT_SIZE_GRANULARITY', 'CD', 'F', 'k->point_size_granularity'),
    ('ALIASED_POINT_SIZE_RANGE', 'CD12', 'F', 'k->point_size_range[0..1]'),
    ('LINE_WIDTH', 'CD12', 'F', 'c->line.width'),
    ('SMOOTH_LINE_WIDTH_RANGE', 'CD1', 'F', 'k->line_width_range[0..1]'),
    ('SMOOTH_LINE_WIDTH_GRANULARITY', 'CD', 'F', 'k->line_width_granularity'),
    ('ALIASED_LINE_WIDTH_RANGE', 'CD12', 'F', 'k->line_width_range[0..1]'),
    ('FRAGMENT_SHADER_DISCARDS_SAMPLES_EXT', 'CD2', 'B', 'true'),
    ('MULTISAMPLE_LINE_WIDTH_RANGE', 'CD2', 'F', 'k->line_width_range[0..1]'),
    ('MULTISAMPLE_LINE_WIDTH_GRANULARITY', 'CD2', 'F', 'k->line_width_granularity'),
    ('PRIMITIVE_BOUNDING_BOX', 'CD2', 'F', 'c->program.bounding_box[0..7]'),
    ('SUBGROUP_SIZE_KHR', 'CD2', 'I', 'c->screen->caps.subgroup_size'),
    ('SUBGROUP_SUPPORTED_STAGES_KHR', 'CD2', 'I', 'subgroup_stages(c)'),
    ('SUBGROUP_SUPPORTED_FEATURES_KHR', 'CD2', 'I', '0xff'),
    ('SUBGROUP_QUAD_ALL_STAGES_KHR', 'CD2', 'B', 'true'),
    ('LINE_STIPPLE_PATTERN', 'C', 'I', 'c->line.stipple_pattern'),
    ('LINE_STIPPLE_REPEAT', 'C', 'I', 'c->line.stipple_factor'),
    ('CULL_FACE_MODE', 'CD12', 'E', 'c->polygon.cull_mode'),
    ('FRONT_FACE', 'CD12', 'E', 'c->polygon.front_face'),
    ('POLYGON_MODE', 'CD', 'E', 'c->polygon.front_mode', 'c->polygon.back_mode'),
    ('POLYGON_OFFSET_FACTOR', 'CD12', 'F', 'c->polygon.offset_factor'),
    ('POLYGON_OFFSET_UNITS', 'CD12', 'F', 'c->polygon.offset_units'),
    ('POLYGON_OFFSET_CLAMP', 'CD12', 'F', 'c->polygon.offset_clamp'),
    ('SUBPIXEL_PRECISION_BIAS_X_BITS_NV', 'CD2', 'I', 'c->viewport.subpixel_bias[0]'),
    ('SUBPIXEL_PRECISION_BIAS_Y_BITS_NV', 'CD2', 'I', 'c->viewport.subpixel_bias[1]'),
    ('MAX_SUBPIXEL_PRECISION_BIAS_BITS_NV', 'CD2', 'I',
     'c->screen->caps.max_subpixel_bias'),
    ('SUBPIXEL_BITS', 'CD12', 'I', 'k->subpixel_bits'),
    ('SAMPLE_COVERAGE_VALUE', 'CD12', 'F', 'c->multisample.coverage_value'),
    ('SAMPLE_COVERAGE_INVERT', 'CD12', 'B', 'c->multisample.coverage_invert'),
    ('ALPHA_TO_COVERAGE_DITHER_MODE_NV', 'CD2', 'E', 'c->multisample.alpha_dither'),
    ('MIN_SAMPLE_SHADING_VALUE', 'CD2', 'F', 'c->multisample.min_sample_shading'),
    ('MAX_SAMPLE_MASK_WORDS', 'CD2', 'I', '1'),
    # pixel operations
    ('SCISSOR_BOX', 'CD12', 'I', 'c->scissor.rect[0].x', 'c->scissor.rect[0].y',
     'c->scissor.rect[0].width', 'c->scissor.rect[0].height'),
    ('ALPHA_TEST_FUNC', 'C1', 'E', 'c->color.alpha_func'),
    ('STENCIL_FUNC', 'CD12', 'E', 'c->stencil.func[FACE]'),
    ('STENCIL_VALUE_MASK', 'CD12', 'I', 'c->stencil.value_mask[FACE]'),
    ('STENCIL_REF', 'CD12', 'I', 'CLAMP(c->stencil.ref[FACE], 0, GL_STENCIL_MAX)'),
    ('STENCIL_FAIL', 'CD12', 'E', 'c->stencil.fail[FACE]'),
    ('STENCIL_PASS_DEPTH_FAIL', 'CD12', 'E', 'c->stencil.zfail[FACE]'),
    ('STENCIL_PASS_DEPTH_PASS', 'CD12', 'E', 'c->stencil.zpass[FACE]'),
    ('STENCIL_WRITEMASK', 'CD12', 'I', 'c->stencil.write_mask[FACE]'),
    ('STENCIL_BACK_FUNC', 'CD2', 'E', 'c->stencil.func[1]'),
    ('STENCIL_BACK_VALUE_MASK', 'CD2', 'I', 'c->stencil.value_mask[1]'),
    ('STENCIL_BACK_REF', 'CD2', 'I', 'CLAMP(c->stencil.ref[1], 0, GL_STENCIL_MAX)'),
    ('STENCIL_BACK_FAIL', 'CD2', 'E', 'c->stencil.fail[1]'),
    ('STENCIL_BACK_PASS_DEPTH_FAIL', 'CD2', 'E', 'c->stencil.zfail[1]'),
    ('STENCIL_BACK_PASS_DEPTH_PASS', 'CD2', 'E', 'c->stencil.zpass[1]'),
    ('STENCIL_BACK_WRITEMASK', 'CD2', 'I', 'c->stencil.write_mask[1]'),
    ('ACTIVE_STENCIL_FACE_EXT', 'C', 'E', 'c->stencil.active_face ? GL_BACK : GL_FRONT'),
    ('STENCIL_CLEAR_VALUE', 'CD12', 'I', 'c->stencil.clear'),
    ('DEPTH_FUNC', 'CD12', 'E', 'c->depth.func'),
    ('DEPTH_WRITEMASK', 'CD12', 'B', 'c->depth.mask'),
    ('DEPTH_BOUNDS_EXT', 'CD', 'N', 'c->depth.bounds[0..1]'),
    ('DEPTH_CLEAR_VALUE', 'CD12', 'N', 'c->depth.clear'),
    ('BLEND_SRC', 'CD1', 'E', 'c->color.blend[0].src_rgb'),
    ('BLEND_DST', 'CD1', 'E', 'c->color.blend[0].dst_rgb'),
    ('BLEND_SRC_RGB', 'CD12', 'E', 'c->color.blend[0].src_rgb'),
    ('BLEND_DST_RGB', 'CD12', 'E', 'c->color.blend[0].dst_rgb'),
    ('BLEND_SRC_ALPHA', 'CD12', 'E', 'c->color.blend[0].src_alpha'),
    ('BLEND_DST_ALPHA', 'CD12', 'E', 'c->color.blend[0].dst_alpha'),
    ('BLEND_EQUATION_RGB', 'CD12', 'E', 'c->color.blend[0].equation_rgb'),
    ('BLEND_EQUATION_ALPHA', 'CD12', 'E', 'c->color.blend[0].equation_alpha'),
    ('LOGIC_OP_MODE', 'CD1', 'E', 'c->color.logic_op'),
    ('INDEX_WRITEMASK', 'C', 'I', 'c->color.index_mask'),
    ('COLOR_WRITEMASK', 'CD12', 'B', 'c->color.mask[0] & 1', 'c->color.mask[0] >> 1 & 1',
     'c->color.mask[0] >> 2 & 1', 'c->color.mask[0] >> 3 & 1'),
    ('INDEX_CLEAR_VALUE', 'C', 'F', 'c->color.clear_index'),
    ('ACCUM_CLEAR_VALUE', 'C', 'N', 'c->accum.clear[0..3]'),
    ('MAX_DUAL_SOURCE_DRAW_BUFFERS', 'CD2', 'I', 'k->max_dual_source_draw_buffers'),
    # hints
    ('PERSPECTIVE_CORRECTION_HINT', 'C1', 'E', 'c->hint.perspective_correction'),
    ('POINT_SMOOTH_HINT', 'C1', 'E', 'c->hint.point_smooth'),
    ('LINE_SMOOTH_HINT', 'CD1', 'E', 'c->hint.line_smooth'),
    ('POLYGON_SMOOTH_HINT', 'CD', 'E', 'c->hint.polygon_smooth'),
    ('FOG_HINT', 'C1', 'E', 'c->hint.fog'),
    ('GENERATE_MIPMAP_HINT', 'C12', 'E', 'c->hint.generate_mipmap'),
    ('TEXTURE_COMPRESSION_HINT', 'CD', 'E', 'c->hint.texture_compression'),
    ('FRAGMENT_SHADER_DERIVATIVE_HINT', 'CD2', 'E', 'c->hint.fragment_derivative'),
    # texture units
    ('ACTIVE_TEXTURE', 'CD12', 'E', 'GL_TEXTURE0 + c->texenv.active'),
    ('MAX_TEXTURE_UNITS', 'C1', 'I', 'k->max_texture_units'),
    ('MAX_TEXTURE_COORDS', 'C', 'I', 'k->max_texture_coords'),
    ('MAX_TEXTURE_IMAGE_UNITS', 'CD2', 'I', 'k->max_texture_image_units'),
    ('MAX_VERTEX_TEXTURE_IMAGE_UNITS', 'CD2', 'I', 'k->max_vertex_texture_image_units'),
    ('MAX_COMBINED_TEXTURE_IMAGE_UNITS', 'CD2', 'I', 'k->max_combined_texture_image_units'),
    ('MAX_TEXTURE_SIZE', 'CD12', 'I', 'k->max_texture_size'),
    ('MAX_3D_TEXTURE_SIZE', 'CD2', 'I', 'k->max_3d_texture_size'),
    ('MAX_CUBE_MAP_TEXTURE_SIZE', 'CD12', 'I', 'k->max_cube_texture_size'),
    ('MAX_RECTANGLE_TEXTURE_SIZE', 'CD', 'I', 'k->max_rect_texture_size'),
    ('MAX_ARRAY_TEXTURE_LAYERS', 'CD2', 'I', 'k->max_array_texture_layers'),
    ('MAX_TEXTURE_LOD_BIAS', 'CD12', 'F', 'k->max_lod_bias'),
    ('MAX_TEXTURE_MAX_ANISOTROPY_EXT', 'CD12', 'F', 'k->max_anisotropy'),
    ('MAX_RENDERBUFFER_SIZE', 'CD12', 'I', 'k->max_renderbuffer_size'),
    ('SAMPLE_LOCATION_SUBPIXEL_BITS_ARB', 'CD2', 'I', 'gl_sample_location_value(c, 4)'),
    ('SAMPLE_LOCATION_PIXEL_GRID_WIDTH_ARB', 'CD2', 'I', 'gl_sample_location_value(c, 1)'),
    ('SAMPLE_LOCATION_PIXEL_GRID_HEIGHT_ARB', 'CD2', 'I', 'gl_sample_location_value(c, 1)'),
    ('PROGRAMMABLE_SAMPLE_LOCATION_TABLE_SIZE_ARB', 'CD2', 'I', 'DRV_MAX_SAMPLES'),
    ('MAX_SAMPLES', 'CD2', 'I', 'k->max_samples'),
    ('MAX_COLOR_TEXTURE_SAMPLES', 'CD2', 'I', 'MAX2(k->max_samples, 1)'),
    ('MAX_DEPTH_TEXTURE_SAMPLES', 'CD2', 'I', 'MAX2(k->max_samples, 1)'),
    ('MAX_INTEGER_SAMPLES', 'CD2', 'I', 'MAX2(k->max_samples, 1)'),
    ('MAX_FRAMEBUFFER_WIDTH', 'CD2', 'I', 'k->max_renderbuffer_size'),
    ('MAX_FRAMEBUFFER_HEIGHT', 'CD2', 'I', 'k->max_renderbuffer_size'),
    ('MAX_FRAMEBUFFER_LAYERS', 'CD2', 'I', 'k->max_array_texture_layers'),
    ('MAX_FRAMEBUFFER_SAMPLES', 'CD2', 'I', 'k->max_samples'),
    ('MAX_DRAW_BUFFERS', 'CD2', 'I', 'k->max_draw_buffers'),
    ('MAX_COLOR_ATTACHMENTS', 'CD2', 'I', 'k->max_color_attachments'),
    ('DRAW_FRAMEBUFFER_BINDING', 'CD12', 'I', 'c->framebuffer.draw->name'),
    ('READ_FRAMEBUFFER_BINDING', 'CD12', 'I', 'c->framebuffer.read->name'),
    ('RENDERBUFFER_BINDING', 'CD12', 'I',
     'c->framebuffer.renderbuffer ? c->framebuffer.renderbuffer->name : 0'),
    ('DRAW_BUFFER', 'CD12', 'E', 'c->framebuffer.draw->draw_buffer[0]'),
    *((f'DRAW_BUFFER{i}', 'CD12', 'E', f'c->framebuffer.draw->draw_buffer[{i}]')
      for i in range(8)),
    ('READ_BUFFER', 'CD12', 'E', 'c->framebuffer.read->read_buffer'),
    ('RGBA_MODE', 'CD12', 'B', 'true'),
    ('INDEX_MODE', 'CD12', 'I', '0'),
    ('INDEX_BITS', 'CD12', 'I', '0'),
    ('AUX_BUFFERS', 'CD12', 'I', '0'),
    # shaders
    ('MAX_VARYING_COMPONENTS', 'CD2', 'I', 'k->max_varying_floats'),
    ('MAX_VARYING_VECTORS', 'CD2', 'I', 'k->max_varying_floats / 4'),
    ('MAX_VERTEX_UNIFORM_COMPONENTS', 'CD2', 'I', 'k->max_vertex_uniform_components'),
    ('MAX_FRAGMENT_UNIFORM_COMPONENTS', 'CD2', 'I', 'k->max_fragment_uniform_components'),
    ('MAX_VERTEX_UNIFORM_VECTORS', 'CD2', 'I', 'k->max_vertex_uniform_components / 4'),
    ('MAX_FRAGMENT_UNIFORM_VECTORS', 'CD2', 'I', 'k->max_fragment_uniform_components / 4'),
    # lists, stacks, modes
    ('LIST_BASE', 'C', 'I', 'c->list_base'),
    ('LIST_INDEX', 'C', 'I', 'gl_lists_current(c, NULL)'),
    ('LIST_MODE', 'C', 'E', 'list_mode(c)'),
    ('MAX_LIST_NESTING', 'C', 'I', 'k->max_list_nesting'),
    ('ATTRIB_STACK_DEPTH', 'C', 'I', 'gl_attrib_stack_depth(c, false)'),
    ('CLIENT_ATTRIB_STACK_DEPTH', 'C', 'I', 'gl_attrib_stack_depth(c, true)'),
    ('MAX_ATTRIB_STACK_DEPTH', 'C', 'I', 'k->max_attrib_stack'),
    ('MAX_CLIENT_ATTRIB_STACK_DEPTH', 'C', 'I', 'k->max_client_attrib_stack'),
    ('RENDER_MODE', 'C', 'E', 'c->render_mode'),
    ('NAME_STACK_DEPTH', 'C', 'I', 'gl_feedback_get(c, GL_NAME_STACK_DEPTH)'),
    ('MAX_NAME_STACK_DEPTH', 'C', 'I', 'k->max_name_stack'),
    ('FEEDBACK_BUFFER_SIZE', 'C', 'I', 'gl_feedback_get(c, GL_FEEDBACK_BUFFER_SIZE)'),
    ('FEEDBACK_BUFFER_TYPE', 'C', 'E', 'gl_feedback_get(c, GL_FEEDBACK_BUFFER_TYPE)'),
    ('SELECTION_BUFFER_SIZE', 'C', 'I', 'gl_feedback_get(c, GL_SELECTION_BUFFER_SIZE)'),
    ('MAX_PIXEL_MAP_TABLE', 'C', 'I', 'GL_PIXEL_MAP_MAX'),
    # evaluators
    ('MAX_EVAL_ORDER', 'C', 'I', 'k->max_eval_order'),
    ('MAP1_GRID_DOMAIN', 'C', 'F', 'c->eval.grid1_u1', 'c->eval.grid1_u2'),
    ('MAP1_GRID_SEGMENTS', 'C', 'I', 'c->eval.grid1_un'),
    ('MAP2_GRID_DOMAIN', 'C', 'F', 'c->eval.grid2_u1', 'c->eval.grid2_u2', 'c->eval.grid2_v1',
     'c->eval.grid2_v2'),
    ('MAP2_GRID_SEGMENTS', 'C', 'I', 'c->eval.grid2_un', 'c->eval.grid2_vn'),
    # versions and debug output
    ('MAJOR_VERSION', 'CD2', 'I', 'k->version / 10'),
    ('MINOR_VERSION', 'CD2', 'I', 'k->version % 10'),
    # ATI_fragment_shader: values fixed by the specification
    ('NUM_FRAGMENT_REGISTERS_ATI', 'C', 'I', 'GL_ATI_REGISTERS'),
    ('NUM_FRAGMENT_CONSTANTS_ATI', 'C', 'I', 'GL_ATI_CONSTANTS'),
    ('NUM_PASSES_ATI', 'C', 'I', 'GL_ATI_PASSES'),
    ('NUM_INSTRUCTIONS_PER_PASS_ATI', 'C', 'I', 'GL_ATI_PAIRS'),
    ('NUM_INSTRUCTIONS_TOTAL_ATI', 'C', 'I', 'GL_ATI_PASSES * GL_ATI_PAIRS'),
    ('NUM_INPUT_INTERPOLATOR_COMPONENTS_ATI', 'C', 'I', '3'),
    ('NUM_LOOPBACK_COMPONENTS_ATI', 'C', 'I', '3'),
    ('COLOR_ALPHA_PAIRING_ATI', 'C', 'B', '1'),
    ('NUM_EXTENSIONS', 'CD2', 'I', 'c->num_extensions'),
    ('NUM_SHADING_LANGUAGE_VERSIONS', 'CD', 'I', 'gl_num_languages(c)'),
    ('CONTEXT_FLAGS', 'CD2', 'I', 'context_flags(c)'),
    ('CONTEXT_RELEASE_BEHAVIOR', 'CD2', 'E',
     'c->no_release_flush ? GL_NONE : GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH'),
    ('CONTEXT_PROFILE_MASK', 'CD', 'I', 'c->api == GL_API_CORE ? GL_CONTEXT_CORE_PROFILE_BIT : '
     'GL_CONTEXT_COMPATIBILITY_PROFILE_BIT'),
    ('MAX_SHADER_COMPILER_THREADS_KHR', 'CD2', 'I', '(GLint)c->program.compiler_threads'),
    ('CONTEXT_ROBUST_ACCESS', 'CD12', 'B', 'c->robust_access'),
    ('RESET_NOTIFICATION_STRATEGY', 'CD12', 'E',
     'c->reset == GL_RESET_LOSE_CONTEXT ? GL_LOSE_CONTEXT_ON_RESET : GL_NO_RESET_NOTIFICATION'),
    ('MAX_DEBUG_MESSAGE_LENGTH', 'CD12', 'I', 'GL_DEBUG_MESSAGE_MAX'),
    ('MAX_DEBUG_LOGGED_MESSAGES', 'CD12', 'I', 'GL_DEBUG_LOG_MAX'),
    ('MAX_DEBUG_GROUP_STACK_DEPTH', 'CD12', 'I', 'GL_DEBUG_GROUPS_MAX'),
    ('DEBUG_GROUP_STACK_DEPTH', 'CD12', 'I', 'c->debug.group_depth + 1'),
    ('DEBUG_LOGGED_MESSAGES', 'CD12', 'I', 'c->debug.log_count'),
    ('DEBUG_NEXT_LOGGED_MESSAGE_LENGTH', 'CD12', 'I',
     'c->debug.log_count ? c->debug.log[c->debug.log_first].length + 1 : 0'),
    ('MAX_LABEL_LENGTH', 'CD12', 'I', 'GL_DEBUG_MESSAGE_MAX'),
    ('MAX_SERVER_WAIT_TIMEOUT', 'CD12', 'I', '(double)INT64_MAX'),
    ('TIMESTAMP', 'CD2', 'I', '(double)c->screen->ops->get_timestamp(c->screen)'),
    ('GPU_DISJOINT_EXT', '2', 'B', 'false'),  # the timestamp clock never stops
    ('MIN_MAP_BUFFER_ALIGNMENT', 'CD', 'I', 'c->screen->caps.min_map_alignment'),
    ('SPARSE_BUFFER_PAGE_SIZE_ARB', 'CD', 'I', 'GL_SPARSE_BUFFER_PAGE_BYTES'),
    ('MAX_SPARSE_TEXTURE_SIZE_ARB', 'CD', 'I', 'k->max_sparse_texture_size'),
    ('MAX_SPARSE_3D_TEXTURE_SIZE_ARB', 'CD', 'I', 'k->max_sparse_3d_texture_size'),
    ('MAX_SPARSE_ARRAY_TEXTURE_LAYERS_ARB', 'CD', 'I', 'k->max_sparse_array_texture_layers'),
    ('SPARSE_TEXTURE_FULL_ARRAY_CUBE_MIPMAPS_ARB', 'CD', 'B', 'true'),
    ('SHADER_COMPILER', 'CD2', 'B', '1'),
    ('NUM_DEVICE_UUIDS_EXT', 'CD2', 'I', '1'),
    ('NUM_SHADER_BINARY_FORMATS', 'CD2', 'I', 'c->ext.ARB_gl_spirv'),
    ('NUM_SPIR_V_EXTENSIONS', 'CD', 'I', 'gl_num_spirv_extensions(c)'),
]

# Arrays: (stem, attribute, has a size); names of OES_point_size_array end in _OES.
for stem, attrib, size in (('VERTEX', 'VERT_ATTRIB_POS', True),
                           ('NORMAL', 'VERT_ATTRIB_NORMAL', False),
                           ('COLOR', 'VERT_ATTRIB_COLOR0', True),
                           ('SECONDARY_COLOR', 'VERT_ATTRIB_COLOR1', True),
                           ('INDEX', 'VERT_ATTRIB_COLOR_INDEX', False),
                           ('FOG_COORD', 'VERT_ATTRIB_FOG', False),
                           ('TEXTURE_COORD', 'VERT_ATTRIB_TEX(c->array.client_active_texture)',
                            True),
                           ('EDGE_FLAG', 'VERT_ATTRIB_EDGEFLAG', None),
                           ('POINT_SIZE', 'VERT_ATTRIB_POINT_SIZE', False)):
    array = f'c->array.vao->attrib[{attrib}]'
    suffix = '_OES' if stem == 'POINT_SIZE' else ''
    apis = ('1' if suffix else
            'C1' if stem in ('VERTEX', 'NORMAL', 'COLOR', 'TEXTURE_COORD') else 'C')
    if size:
        VALUES.append((f'{stem}_ARRAY_SIZE', apis, 'I',
                       f'{array}.format == GL_BGRA ? GL_BGRA : {array}.size'))
    if size is not None:
        VALUES.append((f'{stem}_ARRAY_TYPE{suffix}', apis, 'E', f'{array}.type'))
    VALUES.append((f'{stem}_ARRAY_STRIDE{suffix}', apis, 'I', f'{array}.stride'))
    if stem in ('VERTEX', 'NORMAL', 'COLOR', 'INDEX', 'TEXTURE_COORD', 'EDGE_FLAG'):
        # EXT_vertex_array: counts are not stored, the query returns 0 as in other implementations
        VALUES.append((f'{stem}_ARRAY_COUNT_EXT', 'C', 'I', '0'))
    VALUES.append((f'{stem}_ARRAY_BUFFER_BINDING{suffix}', apis, 'I',
                   f'name_of(c->array.vao->binding[{attrib}].buffer)'))

BIT = {'C': 1, 'D': 2, '1': 4, '2': 8}
TYPE = {'B': 'GL_GET_BOOL', 'I': 'GL_GET_INT', 'E': 'GL_GET_ENUM', 'F': 'GL_GET_FLOAT',
        'N': 'GL_GET_NORMALIZED'}


def expand(expressions):
    out = []
    for e in expressions:
        if e.endswith(']') and '..' in e[e.rindex('['):]:
            base, bounds = e[:e.rindex('[')], e[e.rindex('[') + 1:-1].split('..')
            out += [f'{base}[{i}]' for i in range(int(bounds[0]), int(bounds[1]) + 1)]
        else:
            out.append(e)
    return out


def main():
    with open(sys.argv[1], 'w') as f:
        f.write('/* Generated by gl_get.py. */\n'
                '/* Stores the values of pname and returns their number; 0: the API does not have the name. */\n'
                'static unsigned get_state(struct gl_context *c, GLenum pname, '
                'enum gl_get_type *type,\n                          double *v)\n{\n'
                '    const struct gl_constants *k = &c->consts;\n'
                '    const unsigned api = 1u << c->api;\n    switch (pname) {\n')
        for name, apis, kind, *expressions in VALUES:
            mask = sum(BIT[a] for a in apis)
            f.write(f'    case GL_{name}:\n')
            if mask != 15:
                f.write(f'        if (!(api & {mask}))\n            return 0;\n')
            f.write(f'        *type = {TYPE[kind]};\n')
            first = expressions[0]
            if first[:4] in ('m16:', 't16:', 'b16:'):
                how = {'m': 'AS_IT_IS', 't': 'TRANSPOSED', 'b': 'AS_BITS'}[first[0]]
                f.write(f'        return get_matrix(v, {first[4:]}, MATRIX_{how});\n')
                continue
            values = expand(expressions)
            for i, e in enumerate(values):
                e = e.replace('FACE', 'c->stencil.active_face')
                f.write(f'        v[{i}] = {e};\n')
            f.write(f'        return {len(values)};\n')
        f.write('    default:\n        return 0;\n    }\n}\n')


main()
