/* SPDX-License-Identifier: MIT */
/*
 * Shader variants: a stage with state lowered into it that drivers don't implement, compiled by the
 * driver. State that the lowered code reads becomes uniforms, which follow the program's default
 * block.
 */
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_owned.h"
#include "gl/program/gl_lower_capture.h"
#include "gl/program/gl_lower_flip.h"
#include "gl/program/gl_lower_image.h"
#include "gl/program/gl_lower_mesh.h"
#include "gl/program/gl_program.h"
#include "nir/nir_builder.h"
#include "nir/nir_state_tokens.h"
#include "util/check.h"
#include "util/memory.h"
#include "util/deep_stack.h"

#define NO_PLACE (~0u) /* driver_location of a uniform without an assigned offset */

/* --------------------------------------------------------------------------- state uniforms --- */

nir_variable *gl_state_uniform(nir_shader *nir, const int16_t tokens[NIR_STATE_LENGTH])
{
    nir_foreach_uniform_variable(var, nir)
    {
        if (var->num_state_slots == 1 && var->type == glsl_vec_type(4) &&
            !memcmp(var->state_slots[0].tokens, tokens, sizeof var->state_slots[0].tokens))
            return var;
    }
    nir_variable *var = nir_variable_create(nir, nir_var_uniform, glsl_vec_type(4), "state");
    var->data.driver_location = NO_PLACE;
    var->data.location = -1;
    var->state_slots = talloc_zero(var, nir_state_slot);
    var->num_state_slots = 1;
    memcpy(var->state_slots[0].tokens, tokens, sizeof var->state_slots[0].tokens);
    return var;
}

struct state_list {
    void *mem_ctx;
    struct gl_state_value *values;
    unsigned count, capacity;
    bool ok;
};

/* Returns whether the slot at this offset is the next column of the matrix in the list's last
 * value. */
static bool is_next_column(const struct state_list *list, const nir_state_slot *slot,
                           unsigned offset, unsigned components)
{
    const struct gl_state_value *last = list->count ? &list->values[list->count - 1] : NULL;
    if (!last || !gl_state_is_matrix(slot) || last->components != components)
        return false;
    const int16_t *a = last->slot.tokens, *b = slot->tokens;
    return a[0] == b[0] && a[1] == b[1] && a[2] + last->columns == b[2] && a[4] == b[4] &&
           (last->columns == 1 ? offset > last->offset && offset - last->offset <= 16
                               : offset == last->offset + last->columns * last->stride);
}

static void append_vector(struct state_list *list, const nir_variable *var, unsigned *slot,
                          unsigned *offset, unsigned components)
{
    if (*slot < var->num_state_slots && list->ok &&
        is_next_column(list, &var->state_slots[*slot], *offset, components)) {
        struct gl_state_value *value = &list->values[list->count - 1];
        value->stride = (uint16_t)((*offset - value->offset) / value->columns);
        value->columns++;
    } else if (*slot < var->num_state_slots && list->ok) {
        if (list->count == list->capacity) {
            list->capacity = MAX2(2 * list->capacity, 16);
            struct gl_state_value *grown =
                talloc_realloc(list->mem_ctx, list->values, struct gl_state_value, list->capacity);
            list->ok = grown;
            if (!grown)
                return;
            list->values = grown;
        }
        NEXT_WITHIN(list->values, list->count, list->capacity) = (struct gl_state_value){
            .slot = var->state_slots[*slot],
            .offset = *offset,
            .dirty = gl_state_dirty(&var->state_slots[*slot]),
            .components = components,
            .columns = 1,
        };
    }
    *slot += 1;
    *offset += components * 4;
}

/* Appends one slot per vector, in memory order (nir_state_tokens.h). */
static void append_type(struct state_list *list, const nir_variable *var,
                        const struct glsl_type *type, unsigned *slot, unsigned *offset)
{
    if (glsl_type_is_array(type)) {
        for (unsigned i = 0; i < type->length; i++)
            append_type(list, var, type->element, slot, offset);
    } else if (glsl_type_is_struct_or_ifc(type)) {
        for (unsigned i = 0; i < type->length; i++)
            append_type(list, var, type->fields[i].type, slot, offset);
    } else {
        for (unsigned i = 0; i < type->matrix_columns; i++)
            append_vector(list, var, slot, offset, type->vector_elements);
    }
}

/* Assigns offsets from *bytes on to uniforms without one, and lists the state values of all
 * uniforms in a talloc array of mem_ctx. Returns false if out of memory. */
static bool layout_state(void *mem_ctx, nir_shader *nir, unsigned *bytes,
                         struct gl_state_value **values, unsigned *count)
{
    struct state_list list = {.mem_ctx = mem_ctx, .ok = true};
    nir_foreach_uniform_variable(var, nir)
    {
        if (!var->num_state_slots)
            continue;
        if (var->data.driver_location == NO_PLACE) {
            *bytes = ALIGN_POT(*bytes, 16);
            var->data.driver_location = *bytes;
            *bytes += glsl_packed_size(var->type);
        }
        unsigned slot = 0, offset = var->data.driver_location;
        append_type(&list, var, var->type, &slot, &offset);
        *bytes = MAX2(*bytes, offset);
    }
    *values = list.values;
    *count = list.count;
    return list.ok;
}

/* --------------------------------------------------------------------------------- lowering --- */

/* Marks state uniforms that a pass added after variable `last` as not placed. Passes leave their
 * driver_location at 0, so it can't be distinguished from a valid offset otherwise. */
static void unplace_new_uniforms(nir_shader *nir, nir_variable *last)
{
    bool added = !last;
    nir_foreach_variable_in_list (var, &nir->variables) {
        if (added && var->data.mode == nir_var_uniform && var->num_state_slots)
            var->data.driver_location = NO_PLACE;
        added |= var == last;
    }
}

static void lower_vertex(nir_shader *nir, const struct gl_variant_key *key)
{
    if (key->edge_flags)
        NIR_PASS_V(nir, nir_lower_passthrough_edgeflags);
    if (key->clip_planes) {
        bool eye = key->clip_position ||
                   nir->info.outputs_written & BITFIELD64_BIT(VARYING_SLOT_CLIP_VERTEX);
        const int16_t tokens[NIR_STATE_LENGTH] = {eye ? STATE_CLIPPLANE : STATE_CLIPPLANE_CLIP};
        NIR_PASS_V(nir, nir_lower_clip_vs, key->clip_planes, tokens);
    }
    if (key->clamp_color)
        NIR_PASS_V(nir, nir_lower_clamp_color_outputs);
}

/* Makes the shader write color 0 to all color buffers, and no other color: its color outputs become
 * temporaries, and element 0 of those with color 0 is copied to an output that all buffers receive,
 * like gl_FragColor. */
static bool write_one_color(nir_shader *nir)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    nir_builder b = nir_builder_at(nir_after_impl(impl));
    nir_foreach_variable_with_modes_safe(var, nir, nir_var_shader_out)
    {
        const int location = var->data.location;
        if (location < FRAG_RESULT_DATA0 || location > FRAG_RESULT_DATA7)
            continue;
        const bool array = glsl_type_is_array(var->type);
        const struct glsl_type *type = array ? var->type->element : var->type;
        var->data.mode = nir_var_shader_temp;
        var->data.location = -1;
        var->data.always_active_io = false;
        if (location != FRAG_RESULT_DATA0)
            continue;
        nir_variable *all = nir_variable_create(nir, nir_var_shader_out, type, "color");
        all->data.location = FRAG_RESULT_COLOR;
        all->data.location_frac = var->data.location_frac;
        all->data.index = var->data.index;
        nir_deref_instr *from = nir_build_deref_var(&b, var);
        if (array)
            from = nir_build_deref_array_imm(&b, from, 0);
        nir_store_var(&b, all, nir_load_deref(&b, from), BITFIELD_MASK(type->vector_elements));
    }
    nir_fixup_deref_modes(nir);
    return nir_progress(true, impl, nir_metadata_control_flow);
}

static void lower_fragment(nir_shader *nir, const struct gl_variant_key *key)
{
    if (key->one_color)
        NIR_PASS_V(nir, write_one_color);
    if (key->flip_y)
        NIR_PASS_V(nir, gl_lower_flip);
    if (key->image)
        NIR_PASS_V(nir, gl_lower_image, key->image);
    if (key->flatshade)
        NIR_PASS_V(nir, nir_lower_flatshade);
    if (key->two_side)
        NIR_PASS_V(nir, nir_lower_two_sided_color);
    if (key->coord_replace)
        NIR_PASS_V(nir, nir_lower_texcoord_replace, key->coord_replace, false);
    if (key->clamp_color)
        NIR_PASS_V(nir, nir_lower_clamp_color_outputs);
    if (key->alpha_func != DRV_FUNC_ALWAYS) {
        const int16_t tokens[NIR_STATE_LENGTH] = {STATE_FRAG_ALPHA_REF};
        NIR_PASS_V(nir, nir_lower_alpha_test, key->alpha_func, tokens, key->smooth);
    }
    if (key->blend)
        NIR_PASS_V(nir, nir_lower_advanced_blend, key->blend - 1, key->blend_clamp);
}

static void lower_state(nir_shader *nir, const struct gl_variant_key *key)
{
    nir_variable *last = list_is_empty(&nir->variables)
                             ? NULL
                             : container_of(nir->variables.prev, nir_variable, node);
    if (nir->info.stage == SHADER_FRAGMENT)
        lower_fragment(nir, key);
    else if (nir->info.stage < SHADER_FRAGMENT)
        lower_vertex(nir, key);
    unplace_new_uniforms(nir, last);
}

static uint8_t clip_distances_of(const nir_shader *nir, const struct gl_variant_key *key)
{
    unsigned declared = MIN2(nir->info.clip_distance_array_size, DRV_MAX_CLIP_PLANES);
    return key->clip_planes | (declared ? BITFIELD_MASK(declared) : 0);
}

/* ----------------------------------------------------------------------------------- making --- */

/* Fills in everything except the driver's shader, and returns the NIR to compile. NULL: out of
 * memory. */
static nir_shader *build_variant(struct gl_variant *v, const struct gl_executable *exe,
                                 const struct gl_stage *stage)
{
    nir_shader *nir = nir_shader_clone(NULL, stage->nir);
    lower_state(nir, &v->key);
    if (v->key.captured)
        NIR_PASS_V(nir, gl_lower_capture);
    if (stage->stage == SHADER_TASK || stage->stage == SHADER_MESH)
        NIR_PASS_V(nir, gl_lower_mesh);
    v->const_bytes = exe->storage_bytes;
    if (!layout_state(v, nir, &v->const_bytes, &v->state, &v->num_state)) {
        nir_shader_destroy(nir);
        return NULL;
    }
    v->const_bytes = ALIGN_POT(v->const_bytes, 16);
    v->constants = talloc_zero_array(v, uint8_t, MAX2(v->const_bytes, 16));
    for (unsigned i = 0; i < v->num_state; i++)
        v->dirty |= v->state[i].dirty;
    nir->num_uniforms = v->const_bytes;
    nir_shader_gather_info(nir);
    v->inputs_read = nir->info.inputs_read;
    v->outputs_written = nir->info.outputs_written;
    v->clip_distances = clip_distances_of(nir, &v->key);
    return nir;
}

/* The parameters of build_variant. */
struct build_args {
    struct gl_variant *v;
    struct gl_executable *exe;
    struct gl_stage *stage;
};

static void *build_deep(void *data)
{
    const struct build_args *a = data;
    return build_variant(a->v, a->exe, a->stage);
}

static struct gl_variant *make_variant(struct gl_context *ctx, struct gl_executable *exe,
                                       struct gl_stage *stage, const struct gl_variant_key *key)
{
    struct gl_variant *v = talloc_zero(NULL, struct gl_variant);
    if (!v)
        return NULL;
    v->key = *key;
    struct build_args args = {v, exe, stage};
    nir_shader *nir = util_deep_attempt(build_deep, &args);
    if (!nir) {
        talloc_free(v);
        return NULL;
    }
    v->owned.is_shader = true;
    v->owned.stage = nir->info.stage;
    struct drv_shader_desc desc = {.nir = nir};
    struct drv_stream_output captured;
    if (key->last && gl_stream_output_of(exe, &captured))
        desc.stream_output = &captured;
    v->owned.object = ctx->drv->ops->create_shader(ctx->drv, &desc);
    if (!v->owned.object) {
        talloc_free(v);
        return NULL;
    }
    gl_owned_add(ctx, &v->owned);
    pthread_mutex_lock(&ctx->shared->mutex);
    talloc_steal(exe, v);
    v->next = stage->variants;
    stage->variants = v;
    pthread_mutex_unlock(&ctx->shared->mutex);
    return v;
}

struct gl_variant *gl_stage_variant(struct gl_context *ctx, struct gl_executable *exe,
                                    enum shader_stage which, const struct gl_variant_key *key)
{
    struct gl_stage *stage = exe->stage[which];
    struct gl_variant *v;
    pthread_mutex_lock(&ctx->shared->mutex);
    for (v = stage->variants; v; v = v->next)
        if (v->owned.ctx == ctx && !memcmp(&v->key, key, sizeof *key))
            break;
    pthread_mutex_unlock(&ctx->shared->mutex);
    if (!v)
        v = make_variant(ctx, exe, stage, key);
    if (!v)
        gl_error(ctx, GL_OUT_OF_MEMORY, "a shader for drawing");
    return v;
}
