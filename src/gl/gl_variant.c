/* SPDX-License-Identifier: MIT */
/*
 * From linked programs and fixed function to the driver's shaders: variants by lowered state, the
 * choice of stages before a draw, and the constant buffers.
 */
#include <stdlib.h>
#include <talloc.h>

#include "gl/gl_context.h"
#include "gl/gl_ff.h"
#include "glsl/glsl.h"
#include "glsl/glsl_state.h"
#include "util/hash_table.h"
#include "util/options.h"

/* --------------------------------------------------------------------------------- executables --- */

static bool add_state(void *mem_ctx, struct gl_state_value **list, unsigned *num,
                      const nir_state_slot *slot, unsigned offset, unsigned components,
                      bool integer)
{
    struct gl_state_value *grown = talloc_realloc(mem_ctx, *list, struct gl_state_value, *num + 1);
    if (!grown)
        return false;
    *list = grown;
    grown[(*num)++] = (struct gl_state_value){*slot, offset, components, integer};
    return true;
}

/* The vectors of a type one after the other, each with its slot. */
static bool add_state_of_type(void *mem_ctx, struct gl_state_value **list, unsigned *num,
                              const struct glsl_type *type, const nir_state_slot *slots,
                              unsigned num_slots, unsigned *slot, unsigned *offset)
{
    if (glsl_type_is_array(type)) {
        for (unsigned i = 0; i < type->length; i++)
            if (!add_state_of_type(mem_ctx, list, num, type->element, slots, num_slots, slot,
                                   offset))
                return false;
        return true;
    }
    if (glsl_type_is_struct_or_ifc(type)) {
        for (unsigned i = 0; i < type->length; i++)
            if (!add_state_of_type(mem_ctx, list, num, type->fields[i].type, slots, num_slots, slot,
                                   offset))
                return false;
        return true;
    }
    for (unsigned c = 0; c < MAX2(type->matrix_columns, 1) && *slot < num_slots; c++) {
        if (!add_state(mem_ctx, list, num, &slots[*slot], *offset, type->vector_elements,
                       glsl_type_is_integer(type)))
            return false;
        (*slot)++;
        *offset += 4 * type->vector_elements;
    }
    return true;
}

static bool add_variable_state(void *mem_ctx, struct gl_state_value **list, unsigned *num,
                               const nir_variable *var)
{
    unsigned slot = 0, offset = var->data.driver_location;
    return add_state_of_type(mem_ctx, list, num, var->type, var->state_slots, var->num_state_slots,
                             &slot, &offset);
}

static uint8_t sampler_target(const struct glsl_type *type)
{
    switch (type->sampler_dim) {
    case GLSL_SAMPLER_DIM_1D:
        return type->sampler_array ? GL_TEXTURE_INDEX_1D_ARRAY : GL_TEXTURE_INDEX_1D;
    case GLSL_SAMPLER_DIM_3D:
        return GL_TEXTURE_INDEX_3D;
    case GLSL_SAMPLER_DIM_CUBE:
        return type->sampler_array ? GL_TEXTURE_INDEX_CUBE_ARRAY : GL_TEXTURE_INDEX_CUBE;
    case GLSL_SAMPLER_DIM_RECT:
        return GL_TEXTURE_INDEX_RECT;
    case GLSL_SAMPLER_DIM_BUF:
        return GL_TEXTURE_INDEX_BUFFER;
    case GLSL_SAMPLER_DIM_EXTERNAL:
        return GL_TEXTURE_INDEX_EXTERNAL;
    default:
        return type->sampler_array ? GL_TEXTURE_INDEX_2D_ARRAY : GL_TEXTURE_INDEX_2D;
    }
}

static void use_samplers(struct gl_stage *s, const struct glsl_type *type, unsigned first,
                         unsigned count, bool unit_is_slot)
{
    for (unsigned i = first; i < first + count && i < DRV_MAX_SAMPLERS; i++) {
        s->sampler[i] = (struct gl_sampler_use){
            .used = true,
            .shadow = type->sampler_shadow,
            .index = sampler_target(type),
            .unit = unit_is_slot ? i : 0,
        };
        s->num_samplers = MAX2(s->num_samplers, i + 1);
    }
}

static struct gl_stage *make_stage(void *mem_ctx, nir_shader *nir)
{
    struct gl_stage *s = talloc_zero(mem_ctx, struct gl_stage);
    if (!s)
        return NULL;
    s->stage = nir->info.stage;
    s->nir = nir;
    nir_foreach_shader_out_variable(var, nir)
        if (s->stage == SHADER_FRAGMENT && var->data.location == FRAG_RESULT_COLOR)
            s->may_write_fragcolor = true;
    nir_shader_gather_info(nir);
    return s;
}

struct gl_executable *gl_executable_from_nir(void *mem_ctx, nir_shader *nir, unsigned bytes)
{
    struct gl_executable *exe = talloc_zero(mem_ctx, struct gl_executable);
    struct gl_stage *s = exe ? make_stage(exe, nir) : NULL;
    if (!s || !(exe->storage = talloc_zero_array(exe, uint8_t, MAX2(bytes, 16)))) {
        talloc_free(exe);
        return NULL;
    }
    exe->stage[s->stage] = s;
    exe->storage_bytes = bytes;
    nir_foreach_uniform_variable(var, nir) {
        if (glsl_type_is_sampler(var->type))
            use_samplers(s, var->type, var->data.binding, 1, true);
        else if (!add_variable_state(exe, &exe->state, &exe->num_state, var))
            return NULL;
    }
    nir->num_uniforms = bytes;
    bool progress = false;
    NIR_PASS(progress, nir, nir_optimize);
    return exe;
}

/* A built-in uniform's state: vectors at its packed place. */
static bool add_uniform_state(struct gl_executable *exe, const struct glsl_uniform *u)
{
    unsigned rows = u->type->vector_elements, columns = MAX2(u->type->matrix_columns, 1);
    unsigned matrix_stride = u->matrix_stride ? u->matrix_stride : 4 * rows;
    unsigned array_stride = u->array_stride ? u->array_stride : columns * matrix_stride;
    unsigned slot = 0;
    for (unsigned i = 0; i < MAX2(u->array_size, 1); i++)
        for (unsigned c = 0; c < columns && slot < u->num_state_slots; c++, slot++)
            if (!add_state(exe, &exe->state, &exe->num_state, &u->state_slots[slot],
                           u->offset + i * array_stride + c * matrix_stride, rows,
                           glsl_type_is_integer(u->type)))
                return false;
    return true;
}

static unsigned uniform_bytes(const struct glsl_uniform *u)
{
    unsigned element = glsl_packed_size(u->type);
    unsigned stride = u->array_stride ? u->array_stride : element;
    return u->array_size ? (u->array_size - 1) * stride + element : element;
}

static bool init_uniform(struct gl_executable *exe, const struct glsl_uniform *u)
{
    if (u->opaque) {
        for (unsigned s = 0; s < SHADER_STAGES; s++)
            if (exe->stage[s] && u->opaque_index[s] >= 0 && glsl_type_is_sampler(u->type))
                use_samplers(exe->stage[s], u->type, u->opaque_index[s], MAX2(u->array_size, 1),
                             false);
        return true;
    }
    if (u->block_index >= 0)
        return true;
    if (u->initial && u->offset >= 0 && u->offset + uniform_bytes(u) <= exe->storage_bytes)
        memcpy(exe->storage + u->offset, u->initial, uniform_bytes(u));
    return !u->num_state_slots || add_uniform_state(exe, u);
}

struct gl_executable *gl_executable_create(struct gl_context *ctx, void *mem_ctx,
                                           struct glsl_program *glsl)
{
    struct gl_executable *exe = talloc_zero(mem_ctx, struct gl_executable);
    if (!exe)
        return NULL;
    exe->storage_bytes = glsl->default_block_size;
    exe->storage = talloc_zero_array(exe, uint8_t, MAX2(exe->storage_bytes, 16));
    if (!exe->storage)
        goto fail;
    for (unsigned s = 0; s < SHADER_STAGES; s++) {
        if (!glsl->nir[s])
            continue;
        exe->stage[s] = make_stage(exe, glsl->nir[s]);
        if (!exe->stage[s])
            goto fail;
        exe->stage[s]->nir->num_uniforms = exe->storage_bytes;
    }
    for (unsigned i = 0; i < glsl->num_uniforms; i++)
        if (!init_uniform(exe, &glsl->uniforms[i]))
            goto fail;
    return exe;
fail:
    talloc_free(exe);
    return NULL;
}

void gl_executable_destroy(struct gl_context *ctx, struct gl_executable *exe)
{
    if (!exe)
        return;
    for (unsigned s = 0; s < SHADER_STAGES; s++)
        for (struct gl_variant *v = exe->stage[s] ? exe->stage[s]->variants : NULL; v; v = v->next) {
            if (ctx->program.bound[s] == v) {
                ctx->drv->ops->bind_shader(ctx->drv, s, NULL);
                ctx->drv->ops->set_constant_buffer(ctx->drv, s, 0, NULL);
                ctx->program.bound[s] = NULL;
                ctx->program.bound_stage[s] = NULL;
                ctx->dirty |= GL_DIRTY_PROGRAM;
            }
            gl_owned_release(ctx, v->owned);
        }
    if (ctx->program.vertex == exe)
        ctx->program.vertex = NULL;
    if (ctx->program.fragment == exe)
        ctx->program.fragment = NULL;
    talloc_free(exe);
}

/* ------------------------------------------------------------------------------------- variants --- */

static void lower_vertex(nir_shader *nir, const struct gl_variant_key *key)
{
    bool progress = false;
    if (key->clip_planes) {
        bool clip_vertex = nir->info.outputs_written >> VARYING_SLOT_CLIP_VERTEX & 1;
        int16_t tokens[NIR_STATE_LENGTH] = {clip_vertex ? STATE_CLIPPLANE : STATE_CLIPPLANE_CLIP};
        NIR_PASS(progress, nir, nir_lower_clip_vs, key->clip_planes, tokens);
    }
    if (key->clamp_color)
        NIR_PASS(progress, nir, nir_lower_clamp_color_outputs);
}

static void lower_fragment(nir_shader *nir, const struct gl_variant_key *key)
{
    bool progress = false;
    if (key->coord_replace)
        NIR_PASS(progress, nir, nir_lower_texcoord_replace, key->coord_replace, key->sprite_flip);
    if (key->two_side)
        NIR_PASS(progress, nir, nir_lower_two_sided_color);
    if (key->flatshade)
        NIR_PASS(progress, nir, nir_lower_flatshade);
    if (key->clamp_color)
        NIR_PASS(progress, nir, nir_lower_clamp_color_outputs);
    if (key->alpha_func != DRV_FUNC_ALWAYS) {
        int16_t tokens[NIR_STATE_LENGTH] = {STATE_FRAG_ALPHA_REF};
        NIR_PASS(progress, nir, nir_lower_alpha_test, key->alpha_func, tokens);
    }
    if (key->frag_colors)
        NIR_PASS(progress, nir, nir_lower_fragcolor, key->frag_colors);
}

/* Places for the state that lowering asked for, behind the program's own uniforms. */
static bool place_new_state(struct gl_variant *v, nir_shader *nir, const struct hash_table *old)
{
    unsigned bytes = ALIGN_POT(v->base_bytes, 16);
    nir_foreach_uniform_variable(var, nir) {
        if (!var->num_state_slots || hash_table_search(old, var))
            continue;
        var->data.driver_location = bytes;
        if (!add_variable_state(v, &v->state, &v->num_state, var))
            return false;
        bytes += 16 * var->num_state_slots;
    }
    if (!v->num_state)
        return true;
    v->const_bytes = nir->num_uniforms = bytes;
    v->constants = talloc_zero_array(v, uint8_t, bytes);
    return v->constants;
}

static struct gl_variant *compile(struct gl_context *ctx, struct gl_executable *exe,
                                  struct gl_stage *s, const struct gl_variant_key *key)
{
    struct gl_variant *v = talloc_zero(s, struct gl_variant);
    nir_shader *nir = v ? nir_shader_clone(NULL, s->nir) : NULL;
    struct hash_table *old = nir ? hash_table_create_pointer(v) : NULL;
    if (!old)
        goto fail;
    v->key = *key;
    v->ctx = ctx;
    v->base_bytes = v->const_bytes = exe->storage_bytes;
    nir_foreach_uniform_variable(var, nir)
        hash_table_insert(old, var, var);
    if (s->stage == SHADER_FRAGMENT)
        lower_fragment(nir, key);
    else
        lower_vertex(nir, key);
    if (!place_new_state(v, nir, old))
        goto fail;
    bool progress = false;
    NIR_PASS(progress, nir, nir_optimize);
    nir_shader_gather_info(nir);
    v->inputs_read = nir->info.inputs_read;
    v->outputs_written = nir->info.outputs_written;
    v->clip_distances = key->clip_planes ? key->clip_planes
                                         : BITFIELD_MASK(nir->info.clip_distance_array_size);
    if (util_debug(DEBUG_NIR))
        nir_print_shader(nir, stderr);
    v->owned = talloc_zero(v, struct gl_owned);
    if (!v->owned)
        goto fail;
    v->owned->is_shader = true;
    v->owned->stage = s->stage;
    v->owned->object = ctx->drv->ops->create_shader(ctx->drv, &(struct drv_shader_desc){.nir = nir});
    nir = NULL;
    if (!v->owned->object)
        goto fail;
    gl_owned_add(ctx, v->owned);
    v->next = s->variants;
    s->variants = v;
    return v;
fail:
    nir_shader_destroy(nir);
    talloc_free(v);
    return NULL;
}

struct gl_variant *gl_stage_variant(struct gl_context *ctx, struct gl_executable *exe,
                                    enum shader_stage stage, const struct gl_variant_key *key)
{
    struct gl_stage *s = exe->stage[stage];
    for (struct gl_variant *v = s->variants; v; v = v->next)
        if (v->owned->ctx == ctx && !memcmp(&v->key, key, sizeof *key))
            return v;
    struct gl_variant *v = compile(ctx, exe, s, key);
    if (!v)
        gl_debug_message(ctx, GL_DEBUG_SOURCE_SHADER_COMPILER, GL_DEBUG_TYPE_ERROR, 1,
                         GL_DEBUG_SEVERITY_HIGH, "shader could not be compiled");
    return v;
}

static void fragment_key(const struct gl_context *ctx, const struct gl_stage *s,
                         struct gl_variant_key *k)
{
    uint64_t read = s->nir->info.inputs_read;
    bool colors = read & (BITFIELD64_BIT(VARYING_SLOT_COL0) | BITFIELD64_BIT(VARYING_SLOT_COL1));
    memset(k, 0, sizeof *k);
    k->alpha_func = DRV_FUNC_ALWAYS;
    k->frag_colors = s->may_write_fragcolor ? MAX2(ctx->framebuffer.frag_colors, 1) : 0;
    if (!gl_has_fixed_function(ctx))
        return;
    if (ctx->color.alpha_enabled)
        k->alpha_func = ctx->color.alpha_func - GL_NEVER;
    k->flatshade = colors && ctx->light.shade_model == GL_FLAT;
    k->two_side = colors && ctx->program.two_side;
    k->clamp_color = ctx->color.clamp_fragment == GL_TRUE;
    if (ctx->point.sprite && ctx->program.points) {
        k->coord_replace = ctx->point.coord_replace & (read >> VARYING_SLOT_TEX0 & 0xff);
        k->sprite_flip = k->coord_replace && ctx->point.sprite_origin == GL_LOWER_LEFT;
    }
}

static void vertex_key(const struct gl_context *ctx, const struct gl_stage *s,
                       struct gl_variant_key *k)
{
    uint64_t written = s->nir->info.outputs_written;
    memset(k, 0, sizeof *k);
    if (!s->nir->info.clip_distance_array_size && gl_has_fixed_function(ctx))
        k->clip_planes = ctx->transform.clip_enabled;
    bool colors = written & (BITFIELD64_BIT(VARYING_SLOT_COL0) | BITFIELD64_BIT(VARYING_SLOT_COL1) |
                             BITFIELD64_BIT(VARYING_SLOT_BFC0) | BITFIELD64_BIT(VARYING_SLOT_BFC1));
    k->clamp_color = gl_is_compat(ctx) && colors && ctx->program.current &&
                     ctx->light.clamp_vertex != GL_FALSE;
}

/* ------------------------------------------------------------------------------- before a draw --- */

static bool bind_stage(struct gl_context *ctx, struct gl_executable *exe, enum shader_stage stage)
{
    struct gl_program_state *p = &ctx->program;
    struct gl_stage *s = exe->stage[stage];
    struct gl_variant_key key;
    if (stage == SHADER_FRAGMENT)
        fragment_key(ctx, s, &key);
    else
        vertex_key(ctx, s, &key);
    struct gl_variant *v = p->bound[stage];
    if (v && p->bound_stage[stage] == s && !memcmp(&v->key, &key, sizeof key))
        return true;
    v = gl_stage_variant(ctx, exe, stage, &key);
    if (!v)
        return false;
    ctx->drv->ops->bind_shader(ctx->drv, stage, v->owned->object);
    p->bound[stage] = v;
    p->bound_stage[stage] = s;
    ctx->dirty |= GL_DIRTY_UNIFORMS | GL_DIRTY_TEXTURES;
    return true;
}

static void publish_vertex(struct gl_context *ctx, const struct gl_variant *v)
{
    bool psize = v->outputs_written >> VARYING_SLOT_PSIZ & 1;
    uint32_t inputs = v->inputs_read;
    if (ctx->vs_inputs != inputs)
        ctx->dirty |= GL_DIRTY_ARRAYS;
    if (ctx->vs_writes_point_size != psize || ctx->vs_clip_distances != v->clip_distances)
        ctx->dirty |= GL_DIRTY_RASTERIZER;
    ctx->vs_inputs = inputs;
    ctx->vs_writes_point_size = psize;
    ctx->vs_clip_distances = v->clip_distances;
}

bool gl_update_programs(struct gl_context *ctx)
{
    struct gl_program_state *p = &ctx->program;
    gl_owned_reap(ctx);
    const GLbitfield depends = GL_DIRTY_PROGRAM | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_TEXTURES |
                               GL_DIRTY_LIGHT | GL_DIRTY_FOG | GL_DIRTY_TEXTURE_MATRIX |
                               GL_DIRTY_POINT | GL_DIRTY_CLIP;
    if (!(ctx->dirty & depends) && p->bound[SHADER_VERTEX] && p->bound[SHADER_FRAGMENT])
        return true;
    struct gl_executable *user = p->current ? p->current->exe : NULL;
    bool ff = gl_has_fixed_function(ctx);
    if (!ff && (!user || !user->stage[SHADER_VERTEX] || !user->stage[SHADER_FRAGMENT]))
        return false;
    p->fragment = user && user->stage[SHADER_FRAGMENT] ? user : gl_ff_fragment(ctx);
    if (!p->fragment)
        return false;
    p->fragment_inputs = p->fragment->stage[SHADER_FRAGMENT]->nir->info.inputs_read;
    p->vertex = user && user->stage[SHADER_VERTEX] ? user : gl_ff_vertex(ctx);
    if (!p->vertex)
        return false;
    uint64_t written = p->vertex->stage[SHADER_VERTEX]->nir->info.outputs_written;
    bool back = written & (BITFIELD64_BIT(VARYING_SLOT_BFC0) | BITFIELD64_BIT(VARYING_SLOT_BFC1));
    p->two_side = back && (p->vertex == user ? ctx->light.program_two_side : ctx->light.two_side);
    if (!bind_stage(ctx, p->fragment, SHADER_FRAGMENT) ||
        !bind_stage(ctx, p->vertex, SHADER_VERTEX))
        return false;
    publish_vertex(ctx, p->bound[SHADER_VERTEX]);
    return true;
}

bool gl_validate_programs(struct gl_context *ctx, GLenum mode, const char *name)
{
    struct gl_program_state *p = &ctx->program;
    bool points = mode == GL_POINTS ||
                  (mode >= GL_TRIANGLES && mode <= GL_POLYGON && gl_is_compat(ctx) &&
                   ctx->polygon.front_mode == GL_POINT && ctx->polygon.back_mode == GL_POINT);
    if (points != p->points) {
        p->points = points;
        ctx->dirty |= GL_DIRTY_PROGRAM_KEY;
    }
    return !p->current || !p->current->exe || gl_validate_samplers(ctx, name);
}

/* ------------------------------------------------------------------------------------ constants --- */

static void write_state(struct gl_context *ctx, uint8_t *dst, const struct gl_state_value *state,
                        unsigned num)
{
    for (unsigned i = 0; i < num; i++) {
        float v[4];
        gl_state_evaluate(ctx, &state[i].slot, v);
        if (state[i].integer)
            for (unsigned c = 0; c < state[i].components; c++)
                v[c] = uif((uint32_t)(int32_t)v[c]);
        memcpy(dst + state[i].offset, v, 4 * state[i].components);
    }
}

static void set_constants(struct gl_context *ctx, enum shader_stage stage,
                          const struct gl_executable *exe)
{
    struct gl_variant *v = ctx->program.bound[stage];
    struct drv_constant_buffer cb = {.size = exe->storage_bytes, .user = exe->storage};
    if (v->constants) {
        memcpy(v->constants, exe->storage, exe->storage_bytes);
        write_state(ctx, v->constants, v->state, v->num_state);
        cb.user = v->constants;
        cb.size = v->const_bytes;
    }
    ctx->drv->ops->set_constant_buffer(ctx->drv, stage, 0, cb.size ? &cb : NULL);
}

void gl_update_constants(struct gl_context *ctx)
{
    struct gl_program_state *p = &ctx->program;
    if (!(ctx->dirty & (GL_DIRTY_CONSTANTS | GL_DIRTY_UNIFORMS | GL_DIRTY_PROGRAM)) ||
        !p->bound[SHADER_VERTEX] || !p->bound[SHADER_FRAGMENT])
        return;
    write_state(ctx, p->vertex->storage, p->vertex->state, p->vertex->num_state);
    if (p->fragment != p->vertex)
        write_state(ctx, p->fragment->storage, p->fragment->state, p->fragment->num_state);
    set_constants(ctx, SHADER_VERTEX, p->vertex);
    set_constants(ctx, SHADER_FRAGMENT, p->fragment);
}

/* ---------------------------------------------------------------------------- fixed function --- */

nir_variable *gl_state_uniform(nir_shader *nir, unsigned *bytes, const int16_t tokens[5],
                               unsigned components)
{
    nir_foreach_uniform_variable(old, nir) {
        if (old->num_state_slots == 1 && old->type->vector_elements == components &&
            !memcmp(old->state_slots[0].tokens, tokens, sizeof old->state_slots[0].tokens))
            return old;
    }
    nir_variable *var = nir_variable_create(nir, nir_var_uniform, glsl_vec_type(components), NULL);
    var->state_slots = talloc_zero(var, nir_state_slot);
    var->num_state_slots = 1;
    memcpy(var->state_slots[0].tokens, tokens, sizeof var->state_slots[0].tokens);
    var->data.driver_location = *bytes;
    *bytes += 16;
    return var;
}

/* Keys are stored with their size in front. */
struct ff_key {
    size_t size;
    const void *data;
};

static uint32_t hash_key(const void *key)
{
    const struct ff_key *k = key;
    return hash_data(k->data, k->size);
}

static bool equal_key(const void *a, const void *b)
{
    const struct ff_key *x = a, *y = b;
    return x->size == y->size && !memcmp(x->data, y->data, x->size);
}

struct gl_executable *gl_ff_find(struct gl_context *ctx, struct hash_table *table, const void *key,
                                 size_t size, gl_ff_build build)
{
    struct ff_key wanted = {size, key};
    struct gl_executable *exe = hash_table_get(table, &wanted);
    if (exe)
        return exe;
    exe = build(ctx, table, key);
    struct ff_key *stored = exe ? talloc_zero(exe, struct ff_key) : NULL;
    if (!stored || !(stored->data = talloc_memdup(stored, key, size))) {
        gl_executable_destroy(ctx, exe);
        return NULL;
    }
    stored->size = size;
    if (!hash_table_insert(table, stored, exe)) {
        gl_executable_destroy(ctx, exe);
        return NULL;
    }
    return exe;
}

bool gl_ff_init(struct gl_context *ctx)
{
    struct gl_ff_cache *ff = talloc_zero(ctx, struct gl_ff_cache);
    ctx->program.ff = ff;
    if (!ff)
        return false;
    ff->vertex = hash_table_create(ff, hash_key, equal_key);
    ff->fragment = hash_table_create(ff, hash_key, equal_key);
    return ff->vertex && ff->fragment;
}

void gl_ff_finish(struct gl_context *ctx)
{
    struct gl_ff_cache *ff = ctx->program.ff;
    if (!ff)
        return;
    struct hash_table *tables[2] = {ff->vertex, ff->fragment};
    for (unsigned i = 0; i < 2; i++) {
        if (!tables[i])
            continue;
        hash_table_foreach(tables[i], entry) {
            struct gl_executable *exe = entry->data;
            hash_table_remove(tables[i], entry);
            gl_executable_destroy(ctx, exe);
        }
    }
    talloc_free(ff);
    ctx->program.ff = NULL;
}
