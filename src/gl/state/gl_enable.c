/* SPDX-License-Identifier: MIT */
/* glEnable, glDisable, glIsEnabled and the indexed forms, from one table. */
#include "gl/state/gl_enable.h"

#include "gl/context/gl_context.h"
#include "gl/state/gl_material.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"

enum { C = 1, D = 2, E1 = 4, E2 = 8, DESKTOP = C | D, FF = C | E1, ALL = 15 };

enum cap_kind {
    CAP_BOOL, /* a bool at the offset */
    CAP_BIT,  /* bit `bit` of a uint32_t at the offset */
    CAP_BIT8, /* bit `bit` of a uint8_t at the offset */
};

struct cap {
    GLenum cap;
    uint8_t apis; /* bit mask by enum gl_api */
    uint8_t kind, bit;
    bool per_unit; /* the offset is within the active unit's struct gl_texenv_unit */
    unsigned offset;
    uint64_t dirty;
};

#define B(cap, apis, field, dirty)                                                                 \
    {cap, apis, CAP_BOOL, 0, false, offsetof(struct gl_context, field), dirty}
#define BIT(cap, apis, field, bit, dirty)                                                          \
    {cap, apis, CAP_BIT, bit, false, offsetof(struct gl_context, field), dirty}
#define UNIT(cap, apis, bit, dirty)                                                                \
    {cap, apis, CAP_BIT, bit, true, offsetof(struct gl_texenv_unit, enabled), dirty}
#define GEN(cap, bit)                                                                              \
    {cap,                                                                                          \
     C,                                                                                            \
     CAP_BIT8,                                                                                     \
     bit,                                                                                          \
     true,                                                                                         \
     offsetof(struct gl_texenv_unit, gen_enabled),                                                 \
     GL_DIRTY_PROGRAM_KEY}

#define KEY  GL_DIRTY_PROGRAM_KEY
#define RAST GL_DIRTY_RASTERIZER

static const struct cap caps[] = {
    B(GL_ALPHA_TEST, FF, color.alpha_enabled, KEY),
    B(GL_BLEND_ADVANCED_COHERENT_KHR, DESKTOP | E2, color.advanced_coherent, 0),
    B(GL_COLOR_LOGIC_OP, DESKTOP | E1, color.logic_op_enabled, GL_DIRTY_BLEND),
    B(GL_INDEX_LOGIC_OP, C, color.index_logic_op_enabled, 0),
    B(GL_DITHER, ALL, color.dither, GL_DIRTY_BLEND),
    B(GL_FRAMEBUFFER_SRGB, DESKTOP | E2, color.srgb, GL_DIRTY_FRAMEBUFFER | GL_DIRTY_BLEND),
    B(GL_DEPTH_TEST, ALL, depth.test, GL_DIRTY_DEPTH_STENCIL),
    B(GL_DEPTH_BOUNDS_TEST_EXT, DESKTOP, depth.bounds_test, GL_DIRTY_DEPTH_STENCIL),
    B(GL_STENCIL_TEST, ALL, stencil.enabled, GL_DIRTY_DEPTH_STENCIL),
    B(GL_STENCIL_TEST_TWO_SIDE_EXT, C, stencil.two_side, GL_DIRTY_DEPTH_STENCIL),
    B(GL_CULL_FACE, ALL, polygon.cull, RAST),
    B(GL_POLYGON_SMOOTH, DESKTOP, polygon.smooth, RAST | KEY),
    B(GL_POLYGON_STIPPLE, C, polygon.stipple, RAST),
    B(GL_POLYGON_OFFSET_POINT, DESKTOP, polygon.offset_point, RAST),
    B(GL_POLYGON_OFFSET_LINE, DESKTOP, polygon.offset_line, RAST),
    B(GL_POLYGON_OFFSET_FILL, ALL, polygon.offset_fill, RAST),
    B(GL_CONSERVATIVE_RASTERIZATION_NV, DESKTOP | E2, conservative.nv, RAST),
    B(GL_CONSERVATIVE_RASTERIZATION_INTEL, DESKTOP | E2, conservative.intel, RAST),
    B(GL_LINE_SMOOTH, DESKTOP | E1, line.smooth, RAST | KEY),
    B(GL_LINE_STIPPLE, C, line.stipple, RAST),
    B(GL_POINT_SMOOTH, FF, point.smooth, RAST | KEY),
    B(GL_POINT_SPRITE, FF, point.sprite, RAST | KEY),
    B(GL_VERTEX_PROGRAM_POINT_SIZE, DESKTOP, point.program_size, RAST | KEY),
    B(GL_MULTISAMPLE, DESKTOP | E1, multisample.enabled,
      RAST | GL_DIRTY_BLEND | GL_DIRTY_SAMPLE_MASK),
    B(GL_SAMPLE_ALPHA_TO_COVERAGE, ALL, multisample.alpha_to_coverage, GL_DIRTY_BLEND),
    B(GL_SAMPLE_ALPHA_TO_ONE, DESKTOP | E1, multisample.alpha_to_one, GL_DIRTY_BLEND),
    B(GL_SAMPLE_COVERAGE, ALL, multisample.sample_coverage, GL_DIRTY_SAMPLE_MASK),
    B(GL_SAMPLE_MASK, DESKTOP | E2, multisample.sample_mask_enabled, GL_DIRTY_SAMPLE_MASK),
    B(GL_SAMPLE_SHADING, DESKTOP | E2, multisample.sample_shading, GL_DIRTY_SAMPLE_MASK),
    B(GL_VERTEX_PROGRAM_TWO_SIDE, C, light.program_two_side, KEY),
    B(GL_VERTEX_PROGRAM_ARB, C, assembly.enabled[GL_ASM_VERTEX], GL_DIRTY_PROGRAM | KEY),
    B(GL_FRAGMENT_PROGRAM_ARB, C, assembly.enabled[GL_ASM_FRAGMENT], GL_DIRTY_PROGRAM | KEY),
    B(GL_FRAGMENT_SHADER_ATI, C, ati.enabled, KEY),
    B(GL_LIGHTING, FF, light.enabled, KEY),
    B(GL_COLOR_MATERIAL, FF, light.color_material, KEY | GL_DIRTY_LIGHT),
    B(GL_FOG, FF, fog.enabled, KEY),
    B(GL_COLOR_SUM, C, fog.color_sum, KEY),
    B(GL_NORMALIZE, FF, transform.normalize, KEY),
    B(GL_RESCALE_NORMAL, FF, transform.rescale_normals, KEY),
    B(GL_RASTER_POSITION_UNCLIPPED_IBM, C, transform.raster_unclipped, 0),
    B(GL_RASTERIZER_DISCARD, DESKTOP | E2, transform.rasterizer_discard, RAST),
    B(GL_TEXTURE_CUBE_MAP_SEAMLESS, DESKTOP, texenv.seamless_cube_map, GL_DIRTY_TEXTURES),
    B(GL_AUTO_NORMAL, C, eval.auto_normal, 0),
    B(GL_PRIMITIVE_RESTART, DESKTOP, array.primitive_restart, 0),
    B(GL_PRIMITIVE_RESTART_FIXED_INDEX, DESKTOP | E2, array.primitive_restart_fixed, 0),
    B(GL_DEBUG_OUTPUT, ALL, debug.output, 0),
    B(GL_DEBUG_OUTPUT_SYNCHRONOUS, ALL, debug.synchronous, 0),
    UNIT(GL_TEXTURE_1D, C, GL_TEXTURE_INDEX_1D, KEY | GL_DIRTY_TEXTURES),
    UNIT(GL_TEXTURE_2D, FF, GL_TEXTURE_INDEX_2D, KEY | GL_DIRTY_TEXTURES),
    UNIT(GL_TEXTURE_RECTANGLE, C, GL_TEXTURE_INDEX_RECT, KEY | GL_DIRTY_TEXTURES),
    UNIT(GL_TEXTURE_3D, C, GL_TEXTURE_INDEX_3D, KEY | GL_DIRTY_TEXTURES),
    UNIT(GL_TEXTURE_EXTERNAL_OES, E1, GL_TEXTURE_INDEX_EXTERNAL, KEY | GL_DIRTY_TEXTURES),
    UNIT(GL_TEXTURE_CUBE_MAP, FF, GL_TEXTURE_INDEX_CUBE, KEY | GL_DIRTY_TEXTURES),
    GEN(GL_TEXTURE_GEN_S, 0),
    GEN(GL_TEXTURE_GEN_T, 1),
    GEN(GL_TEXTURE_GEN_R, 2),
    GEN(GL_TEXTURE_GEN_Q, 3),
};

static const struct cap *find_cap(const struct gl_context *ctx, GLenum cap, struct cap *made)
{
    unsigned api = 1u << ctx->api;

    if (!gl_enum_available(ctx, cap))
        return NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(caps); i++)
        if (caps[i].cap == cap)
            return caps[i].apis & api ? &caps[i] : NULL;
    /* Capabilities with several numbered enumerants. */
    unsigned n = cap - GL_LIGHT0;
    if (n < GL_MAX_LIGHTS_ && (api & FF)) {
        *made = (struct cap)B(cap, FF, light.light[0].enabled, KEY);
        made->offset += n * sizeof(struct gl_light);
        return made;
    }
    n = cap - GL_CLIP_PLANE0;
    if (n < (unsigned)ctx->consts.max_clip_planes) {
        *made = (struct cap)BIT(cap, C, transform.clip_enabled, n, KEY | RAST | GL_DIRTY_CLIP);
        return made;
    }
    n = cap - GL_MAP1_COLOR_4;
    if (n <= GL_MAP1_VERTEX_4 - GL_MAP1_COLOR_4 && (api & C)) {
        *made = (struct cap)BIT(cap, C, eval.map1_enabled, n, 0);
        return made;
    }
    n = cap - GL_MAP2_COLOR_4;
    if (n <= GL_MAP2_VERTEX_4 - GL_MAP2_COLOR_4 && (api & C)) {
        *made = (struct cap)BIT(cap, C, eval.map2_enabled, n, 0);
        return made;
    }
    return NULL;
}

/* Returns the attribute of a client array; glIsEnabled and glGet also accept these enumerants. */
static int client_array(const struct gl_context *ctx, GLenum cap)
{
    if (!gl_has_fixed_function(ctx))
        return -1;
    bool compat = gl_is_compat(ctx);
    switch (cap) {
    case GL_VERTEX_ARRAY:
        return VERT_ATTRIB_POS;
    case GL_NORMAL_ARRAY:
        return VERT_ATTRIB_NORMAL;
    case GL_COLOR_ARRAY:
        return VERT_ATTRIB_COLOR0;
    case GL_TEXTURE_COORD_ARRAY:
        return VERT_ATTRIB_TEX(ctx->array.client_active_texture);
    case GL_INDEX_ARRAY:
        return compat ? VERT_ATTRIB_COLOR_INDEX : -1;
    case GL_EDGE_FLAG_ARRAY:
        return compat ? VERT_ATTRIB_EDGEFLAG : -1;
    case GL_FOG_COORD_ARRAY:
        return compat ? VERT_ATTRIB_FOG : -1;
    case GL_SECONDARY_COLOR_ARRAY:
        return compat ? VERT_ATTRIB_COLOR1 : -1;
    case GL_POINT_SIZE_ARRAY_OES:
        return compat ? -1 : VERT_ATTRIB_POINT_SIZE;
    default:
        return -1;
    }
}

/* NV_primitive_restart: a client state with the same flag as GL_PRIMITIVE_RESTART (GL 3.1). */
static bool is_client_restart(const struct gl_context *ctx, GLenum cap)
{
    return cap == GL_PRIMITIVE_RESTART_NV && ctx->ext.NV_primitive_restart;
}

/* Returns the address of the flag; NULL if the active unit doesn't have it. */
static void *cap_address(struct gl_context *ctx, const struct cap *c)
{
    if (!c->per_unit)
        return (char *)ctx + c->offset;
    if (ctx->texenv.active >= GL_MAX_TEXTURE_COORD_UNITS)
        return NULL;
    return (char *)&ctx->texenv.unit[ctx->texenv.active] + c->offset;
}

static bool cap_get(const struct cap *c, const void *where)
{
    switch (c->kind) {
    case CAP_BOOL:
        return *(const bool *)where;
    case CAP_BIT:
        return *(const uint32_t *)where >> c->bit & 1;
    default:
        return *(const uint8_t *)where >> c->bit & 1;
    }
}

static void cap_set(const struct cap *c, void *where, bool value)
{
    switch (c->kind) {
    case CAP_BOOL:
        *(bool *)where = value;
        break;
    case CAP_BIT:
        *(uint32_t *)where = (*(uint32_t *)where & ~(1u << c->bit)) | (unsigned)value << c->bit;
        break;
    default:
        *(uint8_t *)where = (*(uint8_t *)where & ~(1u << c->bit)) | (unsigned)value << c->bit;
    }
}

/* Sets a capability that has one bit per buffer for all buffers. Returns false if cap is not
 * one. */
static bool set_masked(struct gl_context *ctx, GLenum cap, bool value)
{
    if (cap == GL_BLEND) {
        FLUSH_VERTICES(ctx, GL_DIRTY_BLEND);
        ctx->color.blend_enabled = value ? BITFIELD_MASK(DRV_MAX_COLOR_BUFS) : 0;
    } else if (cap == GL_SCISSOR_TEST) {
        FLUSH_VERTICES(ctx, GL_DIRTY_SCISSOR | RAST);
        ctx->scissor.enabled = value ? BITFIELD_MASK(DRV_MAX_VIEWPORTS) : 0;
    } else if (cap == GL_DEPTH_CLAMP && gl_enum_available(ctx, cap)) {
        FLUSH_VERTICES(ctx, RAST);
        ctx->transform.depth_clamp_near = ctx->transform.depth_clamp_far = value;
    } else {
        return false;
    }
    return true;
}

static void enable_array(struct gl_context *ctx, struct gl_vertex_array *vao, unsigned attrib,
                         bool value)
{
    FLUSH_VERTICES(ctx, GL_DIRTY_ARRAYS);
    vao->enabled &= ~(1u << attrib);
    if (value)
        vao->enabled |= 1u << attrib;
}

static void set_enabled(struct gl_context *ctx, GLenum cap, bool value, const char *call)
{
    if (set_masked(ctx, cap, value))
        return;
    /* EXT_vertex_array enabled arrays with glEnable. */
    int array = gl_is_compat(ctx) ? client_array(ctx, cap) : -1;
    if (array >= 0) {
        enable_array(ctx, ctx->array.vao, array, value);
        return;
    }
    if (cap == GL_TEXTURE_GEN_STR_OES && ctx->api == GL_API_ES1) {
        FLUSH_VERTICES(ctx, KEY);
        if (ctx->texenv.active < GL_MAX_TEXTURE_COORD_UNITS)
            ctx->texenv.unit[ctx->texenv.active].gen_enabled = value ? 7 : 0;
        return;
    }
    struct cap made;
    const struct cap *c = find_cap(ctx, cap, &made);
    if (!c) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(cap=%s)", call, gl_enum_name(cap));
        return;
    }
    void *where = cap_address(ctx, c);
    if (!where) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s of texture unit %u)", call, gl_enum_name(cap),
                 ctx->texenv.active);
        return;
    }
    if (cap_get(c, where) == value)
        return;
    FLUSH_VERTICES(ctx, c->dirty);
    cap_set(c, where, value);
    if (cap == GL_COLOR_MATERIAL)
        gl_material_track_color(ctx);
}

void gl_Enable(GLenum cap)
{
    GL_CONTEXT(ctx);
    set_enabled(ctx, cap, true, "glEnable");
}

void gl_Disable(GLenum cap)
{
    GL_CONTEXT(ctx);
    set_enabled(ctx, cap, false, "glDisable");
}

bool gl_enabled(struct gl_context *ctx, GLenum cap, bool *value)
{
    int array = client_array(ctx, cap);
    struct cap made;
    if (array >= 0) {
        *value = ctx->array.vao->enabled >> array & 1;
    } else if (cap == GL_BLEND) {
        *value = ctx->color.blend_enabled & 1;
    } else if (cap == GL_SCISSOR_TEST) {
        *value = ctx->scissor.enabled & 1;
    } else if (cap == GL_DEPTH_CLAMP && gl_enum_available(ctx, cap)) {
        *value = ctx->transform.depth_clamp_near;
    } else if (is_client_restart(ctx, cap)) {
        *value = ctx->array.primitive_restart;
    } else if (cap == GL_TEXTURE_GEN_STR_OES && ctx->api == GL_API_ES1) {
        *value = ctx->texenv.active < GL_MAX_TEXTURE_COORD_UNITS &&
                 ctx->texenv.unit[ctx->texenv.active].gen_enabled;
    } else {
        const struct cap *c = find_cap(ctx, cap, &made);
        if (!c)
            return false;
        const void *where = cap_address(ctx, c);
        *value = where && cap_get(c, where);
    }
    return true;
}

GLboolean gl_IsEnabled(GLenum cap)
{
    GL_CONTEXT(ctx);
    bool value;
    if (gl_enabled(ctx, cap, &value))
        return value;
    gl_error(ctx, GL_INVALID_ENUM, "glIsEnabled(cap=%s)", gl_enum_name(cap));
    return GL_FALSE;
}

/* State of units that EXT_direct_state_access queries by index (§6.1.1 as amended). */
enum gl_index_kind gl_index_kind(const struct gl_context *ctx, GLenum target)
{
    switch (target) { /* bindings of texture units: available in all contexts */
    case GL_SAMPLER_BINDING:
    case GL_TEXTURE_BINDING_1D:
    case GL_TEXTURE_BINDING_1D_ARRAY:
    case GL_TEXTURE_BINDING_2D:
    case GL_TEXTURE_BINDING_2D_ARRAY:
    case GL_TEXTURE_BINDING_2D_MULTISAMPLE:
    case GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY:
    case GL_TEXTURE_BINDING_3D:
    case GL_TEXTURE_BINDING_BUFFER:
    case GL_TEXTURE_BINDING_CUBE_MAP:
    case GL_TEXTURE_BINDING_CUBE_MAP_ARRAY:
    case GL_TEXTURE_BINDING_RECTANGLE:
        return GL_INDEX_UNIT;
    default:
        break;
    }
    if (!ctx->ext.EXT_direct_state_access)
        return GL_INDEX_DIRECT;
    switch (target) {
    case GL_PROGRAM_MATRIX_EXT:
    case GL_TRANSPOSE_PROGRAM_MATRIX_EXT:
    case GL_PROGRAM_MATRIX_STACK_DEPTH_EXT:
        return GL_INDEX_MATRIX;
    case GL_TEXTURE_COORD_ARRAY:
    case GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING:
    case GL_TEXTURE_COORD_ARRAY_SIZE:
    case GL_TEXTURE_COORD_ARRAY_STRIDE:
    case GL_TEXTURE_COORD_ARRAY_TYPE:
        return GL_INDEX_CLIENT_UNIT;
    case GL_CURRENT_RASTER_TEXTURE_COORDS:
    case GL_CURRENT_TEXTURE_COORDS:
    case GL_TEXTURE_BUFFER_DATA_STORE_BINDING:
    case GL_TEXTURE_BUFFER_FORMAT_EXT:
    case GL_TEXTURE_GEN_Q:
    case GL_TEXTURE_GEN_R:
    case GL_TEXTURE_GEN_S:
    case GL_TEXTURE_GEN_T:
    case GL_TEXTURE_MATRIX:
    case GL_TEXTURE_STACK_DEPTH:
    case GL_TRANSPOSE_TEXTURE_MATRIX:
    case GL_TEXTURE_1D:
    case GL_TEXTURE_2D:
    case GL_TEXTURE_3D:
    case GL_TEXTURE_CUBE_MAP:
    case GL_TEXTURE_RECTANGLE:
        return GL_INDEX_UNIT;
    default:
        return GL_INDEX_DIRECT;
    }
}

/* Returns the mask of an indexed capability. NULL: an error was raised. */
static uint32_t *indexed_mask(struct gl_context *ctx, GLenum cap, GLuint index, uint64_t *dirty,
                              const char *call)
{
    uint32_t *mask = NULL;
    unsigned limit = 0;
    if (cap == GL_BLEND) {
        mask = &ctx->color.blend_enabled;
        limit = ctx->consts.max_draw_buffers;
        *dirty = GL_DIRTY_BLEND;
    } else if (cap == GL_SCISSOR_TEST) {
        mask = &ctx->scissor.enabled;
        limit = ctx->consts.max_viewports;
        *dirty = GL_DIRTY_SCISSOR | RAST;
    } else {
        gl_error(ctx, GL_INVALID_ENUM, "%s(cap=%s)", call, gl_enum_name(cap));
        return NULL;
    }
    if (index >= limit) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
        return NULL;
    }
    return mask;
}

bool gl_select_indexed(struct gl_context *ctx, GLenum target, GLuint index,
                       struct gl_indexed_selection *saved, const char *call)
{
    enum gl_index_kind kind = gl_index_kind(ctx, target);
    bool coords = kind == GL_INDEX_CLIENT_UNIT, matrix = kind == GL_INDEX_MATRIX;
    *saved = (struct gl_indexed_selection){ctx->texenv.active, ctx->array.client_active_texture,
                                           ctx->transform.matrix_mode};
    unsigned limit = matrix   ? GL_ASM_MATRICES
                     : coords ? GL_MAX_TEXTURE_COORD_UNITS
                              : gl_texture_unit_limit(ctx);
    if (index >= limit) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
        return false;
    }
    if (matrix)
        ctx->transform.matrix_mode = GL_MATRIX0_ARB + index;
    else if (coords)
        ctx->array.client_active_texture = index;
    else
        ctx->texenv.active = index;
    return true;
}

void gl_restore_selection(struct gl_context *ctx, const struct gl_indexed_selection *saved)
{
    ctx->texenv.active = saved->active;
    ctx->array.client_active_texture = saved->client_active;
    ctx->transform.matrix_mode = saved->matrix_mode;
}

static void set_indexed(GLenum target, GLuint index, bool value, const char *call)
{
    GL_CONTEXT(ctx);
    uint64_t dirty;
    struct gl_indexed_selection saved;
    if (gl_index_kind(ctx, target) != GL_INDEX_DIRECT) {
        if (gl_select_indexed(ctx, target, index, &saved, call))
            set_enabled(ctx, target, value, call);
        gl_restore_selection(ctx, &saved);
        return;
    }
    uint32_t *mask = indexed_mask(ctx, target, index, &dirty, call);
    if (!mask)
        return;
    FLUSH_VERTICES(ctx, dirty);
    *mask &= ~(1u << index);
    *mask |= (uint32_t)value << index;
}

void gl_Enablei(GLenum target, GLuint index)
{
    set_indexed(target, index, true, "glEnablei");
}

void gl_Disablei(GLenum target, GLuint index)
{
    set_indexed(target, index, false, "glDisablei");
}

GLboolean gl_IsEnabledi(GLenum target, GLuint index)
{
    GL_CONTEXT(ctx);
    uint64_t dirty;
    struct gl_indexed_selection saved;
    if (gl_index_kind(ctx, target) != GL_INDEX_DIRECT) {
        bool selected = gl_select_indexed(ctx, target, index, &saved, "glIsEnabledi");
        GLboolean enabled = selected && gl_IsEnabled(target);
        gl_restore_selection(ctx, &saved);
        return enabled;
    }
    const uint32_t *mask = indexed_mask(ctx, target, index, &dirty, "glIsEnabledi");
    return mask && *mask >> index & 1;
}

/* ----------------------------------------------------------------------------- client state --- */

static void set_client_state(GLenum array, bool value, const char *call)
{
    GL_CONTEXT(ctx);
    if (is_client_restart(ctx, array)) {
        FLUSH_VERTICES(ctx, 0);
        ctx->array.primitive_restart = value;
        return;
    }
    int attrib = client_array(ctx, array);
    if (attrib < 0) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(array=%s)", call, gl_enum_name(array));
        return;
    }
    enable_array(ctx, ctx->array.vao, attrib, value);
}

void gl_array_enable_client(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                            bool enable, const char *call)
{
    unsigned unit = array - GL_TEXTURE0;
    int attrib =
        unit < GL_MAX_TEXTURE_COORD_UNITS ? (int)VERT_ATTRIB_TEX(unit) : client_array(ctx, array);
    if (attrib >= 0)
        enable_array(ctx, vao, attrib, enable);
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(array=%s)", call, gl_enum_name(array));
}

void gl_array_enable_tex_coords(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                                GLuint index, bool enable, const char *call)
{
    if (array != GL_TEXTURE_COORD_ARRAY)
        gl_error(ctx, GL_INVALID_ENUM, "%s(array=%s)", call, gl_enum_name(array));
    else if (index >= GL_MAX_TEXTURE_COORD_UNITS)
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
    else
        enable_array(ctx, vao, VERT_ATTRIB_TEX(index), enable);
}

void gl_EnableClientState(GLenum array)
{
    set_client_state(array, true, "glEnableClientState");
}

void gl_DisableClientState(GLenum array)
{
    set_client_state(array, false, "glDisableClientState");
}
