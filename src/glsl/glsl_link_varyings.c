/* SPDX-License-Identifier: MIT */
/*
 * Assigns slots: vertex attributes, varyings between stages, fragment outputs.
 *
 * Varyings match by name, or by explicit location; built-ins match by slot, since gl_FrontColor
 * becomes gl_Color. A varying that exists on one side only is demoted to a private variable, and
 * the optimizer then removes the code that computes it. Matching varyings get the same slots.
 */

#include "glsl/glsl_link.h"
#include "nir/nir_builder.h"

static const enum shader_stage pipeline[] = {SHADER_VERTEX,   SHADER_TESS_CTRL, SHADER_TESS_EVAL,
                                             SHADER_GEOMETRY, SHADER_MESH,      SHADER_FRAGMENT};

struct link_stage *link_stage_after(const struct linker *ln, enum shader_stage stage)
{
    bool found = false;
    for (unsigned i = 0; i < ARRAY_SIZE(pipeline); i++) {
        if (found && ln->stages[pipeline[i]])
            return ln->stages[pipeline[i]];
        found |= pipeline[i] == stage;
    }
    return NULL;
}

struct link_stage *link_first_stage(const struct linker *ln)
{
    for (unsigned i = 0; i < ARRAY_SIZE(pipeline); i++) {
        if (ln->stages[pipeline[i]])
            return ln->stages[pipeline[i]];
    }
    return NULL;
}

struct link_stage *link_last_geometry_stage(const struct linker *ln)
{
    for (int i = ARRAY_SIZE(pipeline) - 2; i >= 0; i--) {
        if (ln->stages[pipeline[i]])
            return ln->stages[pipeline[i]];
    }
    return NULL;
}

/* ----------------------------------------------------------------------- slots of variables --- */

static nir_variable *find_nir(nir_shader *nir, nir_variable_mode mode, const char *name)
{
    nir_foreach_variable_with_modes (var, nir, mode) {
        if (var->name && !strcmp(var->name, name))
            return var;
    }
    return NULL;
}

static const struct glsl_type *vertex_type(enum shader_stage stage, const nir_variable *var,
                                           const struct glsl_type *type)
{
    bool in = var->data.mode == nir_var_shader_in;
    bool arrayed = stage == SHADER_TESS_CTRL || stage == SHADER_MESH ||
                   (in && (stage == SHADER_TESS_EVAL || stage == SHADER_GEOMETRY ||
                           var->data.interpolation == INTERP_MODE_PER_VERTEX));
    return arrayed && !var->data.patch && glsl_type_is_array(type) &&
                   strncmp(var->name, "gl_TessLevel", 12)
               ? type->element
               : type;
}

const struct glsl_type *link_vertex_type(enum shader_stage stage, const nir_variable *var)
{
    return vertex_type(stage, var, var->type);
}

const struct glsl_type *link_declared_vertex_type(enum shader_stage stage, const nir_variable *var)
{
    return vertex_type(stage, var, link_declared_type(var));
}

static unsigned slots_of(enum shader_stage stage, const nir_variable *var)
{
    const struct glsl_type *type = link_vertex_type(stage, var);
    if (var->data.compact)
        return DIV_ROUND_UP(glsl_aoa_size(type), 4);
    return glsl_count_attribute_slots(type, stage == SHADER_VERTEX &&
                                                var->data.mode == nir_var_shader_in);
}

int link_find_free(uint64_t used, unsigned size, unsigned count)
{
    for (unsigned i = 0; count <= size && i + count <= size; i++) {
        if (!(used >> i & BITFIELD64_MASK(count)))
            return (int)i;
    }
    return -1;
}

/* Makes an input or output a private variable. */
static void demote(nir_variable *var)
{
    var->data.mode = nir_var_shader_temp;
}

static void cleanup(struct link_stage *st)
{
    nir_fixup_deref_modes(st->nir);
    link_optimize(st->nir);
}

/* ------------------------------------------------------------------------------- attributes --- */

static int api_location(const struct glsl_binding *bindings, unsigned count, const char *name,
                        int *index)
{
    for (unsigned i = 0; i < count; i++) {
        if (!strcmp(bindings[i].name, name)) {
            if (index)
                *index = (int)bindings[i].index;
            return (int)bindings[i].location;
        }
    }
    return -1;
}

static bool uses_vertex(nir_shader *nir)
{
    return nir_find_variable_with_location(nir, nir_var_shader_in, VERT_ATTRIB_POS) &&
           find_nir(nir, nir_var_shader_in, "gl_Vertex");
}

/* Returns the location that the shader or the API assigns to an attribute; -1: none. */
static int given_location(const struct linker *ln, const struct link_var *lv)
{
    return lv->location >= 0
               ? lv->location
               : api_location(ln->input->attribs, ln->input->num_attribs, lv->name, NULL);
}

/* ESSL 3.00 shaders must not declare attributes that share a location, used or not (ES 3.2 §11.1.1,
 * ESSL 3.20 §4.4.1). ESSL 1.00 allows it if no path uses both (ES 2.0 §2.10.4), and so does desktop
 * GL. */
static void check_aliases(struct linker *ln, const struct link_stage *st)
{
    uint64_t used = 0;
    for (unsigned i = 0; ln->es && ln->version >= 300 && i < st->vars.count; i++) {
        const struct link_var *lv = &st->vars.data[i];
        int location =
            lv->decl->mode == HIR_VAR_SHADER_IN && !lv->decl->builtin ? given_location(ln, lv) : -1;
        if (location < 0 || location >= 64)
            continue;
        uint64_t mask = BITFIELD64_MASK(glsl_count_attribute_slots(lv->type, true)) << location;
        if (used & mask)
            link_error(ln, "location of attribute `%s' overlaps another attribute", lv->name);
        used |= mask;
    }
}

/* GL 4.6 §11.1.1: locations come from the shader, else from the API, else they are the first free
 * ones. Attribute 0 is gl_Vertex. */
static void assign_inputs(struct linker *ln, struct link_stage *st)
{
    unsigned max = MIN2(ln->options->limits.max_vertex_attribs, 16);
    uint64_t used = 0;
    check_aliases(ln, st);
    nir_foreach_shader_in_variable(var, st->nir)
    {
        struct link_var *lv = link_find_var(st, var->name);
        if (!lv || lv->decl->builtin)
            continue;
        int location = given_location(ln, lv);
        var->data.location = -1;
        if (location < 0)
            continue;
        unsigned count = slots_of(SHADER_VERTEX, var);
        if (location + count > max) {
            link_error(
                ln, "attribute `%s' at location %d takes %u locations and exceeds the limit of %u",
                var->name, location, count, max);
            return;
        }
        used |= BITFIELD64_MASK(count) << location;
        var->data.location = VERT_ATTRIB_GENERIC0 + location;
    }
    if (uses_vertex(st->nir))
        used |= 1;
    nir_foreach_shader_in_variable(var, st->nir)
    {
        if (var->data.location >= 0)
            continue;
        unsigned count = slots_of(SHADER_VERTEX, var);
        int location = link_find_free(used, max, count);
        if (location < 0) {
            link_error(ln, "too many vertex shader inputs: no location is left for `%s'",
                       var->name);
            return;
        }
        used |= BITFIELD64_MASK(count) << location;
        var->data.location = VERT_ATTRIB_GENERIC0 + location;
    }
}

/* Returns the mask of components in the first slot; each component of a 64-bit type takes two. */
static unsigned component_mask(const nir_variable *var)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    unsigned n = MAX2(t->vector_elements, 1) * (glsl_type_is_64bit(t) ? 2 : 1);
    return BITFIELD_MASK(MIN2(n, 4)) << var->data.location_frac & 15;
}

/* Used components of each fragment output location, for both sources of dual-source blending. */
struct color_map {
    uint8_t taken[2][8];
    unsigned max[2];
};

static bool is_free(const struct color_map *m, unsigned index, unsigned at, unsigned count,
                    unsigned mask)
{
    if (at + count > m->max[index])
        return false;
    for (unsigned i = at; i < at + count; i++) {
        if (m->taken[index][i] & mask)
            return false;
    }
    return true;
}

static bool place_output(struct linker *ln, struct color_map *m, nir_variable *var, int location,
                         unsigned index)
{
    unsigned count = slots_of(SHADER_FRAGMENT, var), mask = component_mask(var);
    for (unsigned i = 0; location < 0 && i < m->max[index]; i++) {
        if (is_free(m, index, i, count, 15))
            location = (int)i;
    }
    if (location < 0 || !is_free(m, index, location, count, mask)) {
        link_error(ln, "no location is left for fragment shader output `%s'", var->name);
        return false;
    }
    for (unsigned i = location; i < location + count; i++)
        m->taken[index][i] |= mask;
    var->data.location = FRAG_RESULT_DATA0 + location;
    var->data.index = index;
    return true;
}

/* Assigns locations to fragment outputs (GL 4.6 §15.2.3). */
static void assign_outputs(struct linker *ln, struct link_stage *st)
{
    const struct glsl_limits *limits = &ln->options->limits;
    struct color_map m = {
        .max = {MIN2(limits->max_draw_buffers, 8), MIN2(limits->max_dual_source_draw_buffers, 8)}};
    bool dual = false;
    for (unsigned pass = 0; pass < 2; pass++) {
        nir_foreach_shader_out_variable(var, st->nir)
        {
            struct link_var *lv = link_find_var(st, var->name);
            if (!lv || lv->decl->builtin || (pass && var->data.location >= 0))
                continue;
            int index = var->data.index;
            int location = lv->location;
            if (location < 0)
                location =
                    api_location(ln->input->frag_data, ln->input->num_frag_data, var->name, &index);
            if (!pass && location < 0) {
                var->data.location = -1;
                continue;
            }
            if (!place_output(ln, &m, var, location, !!index))
                return;
            dual |= index != 0;
        }
    }
    st->nir->info.fs.color_is_dual_source = dual;
}

void link_assign_attributes(struct linker *ln)
{
    struct link_stage *first = link_first_stage(ln), *fs = ln->stages[SHADER_FRAGMENT];
    struct link_stage *last = fs ? fs : link_last_geometry_stage(ln);
    if (first && first->stage == SHADER_VERTEX)
        assign_inputs(ln, first);
    if (fs && !ln->failed)
        assign_outputs(ln, fs);
    if (ln->failed || !first)
        return;
    link_list_attributes(ln, first, last);
    if (fs && link_merge_components(ln, fs, nir_var_shader_out))
        cleanup(fs);
}

/* -------------------------------------------------------------------------------- varyings --- */

static bool is_user_varying(const nir_variable *var)
{
    return strncmp(var->name, "gl_", 3) != 0;
}

/* Returns whether the rasterizer, or the assembly of meshes, reads an output of a stage. */
static bool feeds_rasterizer(enum shader_stage stage, int slot)
{
    switch (slot) {
    case VARYING_SLOT_POS:
    case VARYING_SLOT_PSIZ:
    case VARYING_SLOT_EDGE:
    case VARYING_SLOT_CLIP_VERTEX:
    case VARYING_SLOT_CLIP_DIST0:
    case VARYING_SLOT_CULL_DIST0:
    case VARYING_SLOT_LAYER:
    case VARYING_SLOT_VIEWPORT:
        return true;
    case VARYING_SLOT_PRIMITIVE_INDICES: /* other stages use these two slots for other outputs */
    case VARYING_SLOT_CULL_PRIMITIVE:
        return stage == SHADER_MESH;
    default:
        return false;
    }
}

/* Returns whether the raster position has an output of the vertex shader (GL 4.6 compatibility §14.7),
 * whatever the next stage reads. */
static bool feeds_raster_position(enum shader_stage stage, int slot)
{
    return stage == SHADER_VERTEX &&
           (slot == VARYING_SLOT_COL0 || slot == VARYING_SLOT_COL1 || slot == VARYING_SLOT_FOGC ||
            (slot >= VARYING_SLOT_TEX0 && slot <= VARYING_SLOT_TEX7));
}

/* Returns whether the tessellator reads an output of the tessellation control shader. */
static bool feeds_tessellator(int slot)
{
    return slot == VARYING_SLOT_TESS_LEVEL_OUTER || slot == VARYING_SLOT_TESS_LEVEL_INNER;
}

/* Returns whether a tessellation control or mesh shader loads its output; other invocations may
 * have written it. */
static bool is_loaded(nir_shader *nir, const nir_variable *var)
{
    nir_foreach_function_impl (impl, nir) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block) {
                nir_intrinsic_instr *intr =
                    instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
                bool copy = intr && intr->intrinsic == nir_intrinsic_copy_deref;
                if (!copy && (!intr || intr->intrinsic != nir_intrinsic_load_deref))
                    continue;
                if (nir_deref_instr_get_variable(nir_src_as_deref(intr->src[copy])) == var)
                    return true;
            }
        }
    }
    return false;
}

/* Returns the slot of a built-in varying in another stage. For the fragment shader, a back color is
 * a color; other stages have both (GLSL 4.60 §7.1.7). */
static int slot_in(const struct link_stage *other, int slot)
{
    bool back = slot == VARYING_SLOT_BFC0 || slot == VARYING_SLOT_BFC1;
    if (back && other->stage == SHADER_FRAGMENT)
        return slot - VARYING_SLOT_BFC0 + VARYING_SLOT_COL0;
    return slot;
}

nir_variable *link_partner(const struct link_stage *st, const struct link_stage *other,
                           const nir_variable *var, nir_variable_mode mode)
{
    if (!is_user_varying(var))
        return nir_find_variable_with_location(other->nir, mode,
                                               slot_in(other, var->data.location));
    nir_variable *found = find_nir(other->nir, mode, var->name);
    if (!var->data.explicit_location || (found && !found->data.explicit_location))
        return found;
    nir_foreach_variable_with_modes (v, other->nir, mode) {
        if (v->data.explicit_location && v->data.location == var->data.location &&
            v->data.location_frac == var->data.location_frac && v->data.patch == var->data.patch &&
            is_user_varying(v))
            return v;
    }
    return NULL;
}

/* Removes outputs that nothing reads. */
static void remove_unread(struct linker *ln, struct link_stage *producer,
                          struct link_stage *consumer)
{
    bool progress = false;
    nir_foreach_variable_with_modes_safe(var, producer->nir, nir_var_shader_out)
    {
        bool user = is_user_varying(var);
        if (var->data.always_active_io ||
            (!user && (feeds_rasterizer(producer->stage, var->data.location) ||
                       feeds_raster_position(producer->stage, var->data.location))))
            continue;
        bool read = consumer ? link_partner(producer, consumer, var, nir_var_shader_in) != NULL
                             : !user; /* read by fixed-function fragment processing */
        if (producer->stage == SHADER_TESS_CTRL)
            read |= feeds_tessellator(var->data.location) || is_loaded(producer->nir, var);
        if (producer->stage == SHADER_MESH)
            read |= is_loaded(producer->nir, var);
        if (read || ln->input->separable)
            continue;
        demote(var);
        progress = true;
    }
    if (progress)
        cleanup(producer);
}

/* Removes inputs that no stage writes. They read as 0, like variables that are not written. */
static void remove_unwritten(struct linker *ln, struct link_stage *producer,
                             struct link_stage *consumer)
{
    nir_builder b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(consumer->nir)));
    bool progress = false;
    nir_foreach_variable_with_modes_safe(var, consumer->nir, nir_var_shader_in)
    {
        bool user = is_user_varying(var);
        if (!user || ln->input->separable ||
            (producer && link_partner(consumer, producer, var, nir_var_shader_out)))
            continue;
        demote(var);
        nir_store_zero(&b, nir_build_deref_var(&b, var));
        progress = true;
    }
    if (progress)
        cleanup(consumer);
}

static void set_slot(nir_variable *var, unsigned slot)
{
    var->data.location = (var->data.patch ? VARYING_SLOT_PATCH0 : VARYING_SLOT_VAR0) + slot;
}

/* Used slots of an interface; patch variables have separate slots. */
struct slot_map {
    uint64_t used[2]; /* per-vertex slots, patch slots */
};

/* other: the stage on the other side, or NULL; match: its matching variable, or NULL. */
static bool place_varying(struct linker *ln, struct link_stage *owner,
                          const struct link_stage *other, struct slot_map *m, nir_variable *var,
                          nir_variable *match)
{
    bool patch = var->data.patch;
    unsigned count = slots_of(owner->stage, var);
    const struct hash_table *open = ln->open_slots[var->data.mode == nir_var_shader_out];
    int slot = var->data.explicit_location ? var->data.location
               : open && !other            ? (int)(uintptr_t)hash_table_get(open, var->name) - 1
                                : link_find_free(m->used[patch], DRV_MAX_VARYINGS, count);
    if (slot < 0 || slot + count > DRV_MAX_VARYINGS) {
        link_error(ln, "too many varyings: no location is left for `%s'", var->name);
        return false;
    }
    m->used[patch] |= BITFIELD64_MASK(count) << slot;
    set_slot(var, slot);
    if (match)
        set_slot(match, slot);
    return true;
}

/* Assigns slots to the outputs of a producer and the inputs that read them, explicit locations
 * first. Without a producer, or in separable programs, inputs are assigned in their own order. */
static void assign_slots(struct linker *ln, struct link_stage *owner, struct link_stage *other,
                         nir_variable_mode mode)
{
    nir_variable_mode other_mode =
        mode == nir_var_shader_out ? nir_var_shader_in : nir_var_shader_out;
    struct slot_map m = {0};
    for (unsigned pass = 0; pass < 2; pass++) {
        nir_foreach_variable_with_modes (var, owner->nir, mode) {
            bool is_explicit = var->data.explicit_location;
            if (!is_user_varying(var) || is_explicit != (pass == 0))
                continue;
            nir_variable *match = other ? link_partner(owner, other, var, other_mode) : NULL;
            if (!place_varying(ln, owner, other, &m, var, match))
                return;
        }
    }
    if (!other)
        return;
    /* What link_merge_components merged in one stage alone may have no partner. Explicit locations
     * that are not slots yet are below VARYING_SLOT_VAR0. */
    nir_foreach_variable_with_modes (var, other->nir, other_mode) {
        const int location = var->data.location;
        if (is_user_varying(var) && var->data.explicit_location && location >= 0 &&
            location < VARYING_SLOT_VAR0)
            set_slot(var, location);
    }
}

/* Returns whether the user-defined varyings need more slots than available. */
static bool is_crowded(const struct link_stage *st, nir_variable_mode mode)
{
    unsigned slots = 0;
    nir_foreach_variable_with_modes (var, st->nir, mode) {
        if (is_user_varying(var))
            slots += MIN2(slots_of(st->stage, var), DRV_MAX_VARYINGS + 1);
    }
    return slots > DRV_MAX_VARYINGS;
}

static void merge_components(struct linker *ln, struct link_stage *st, nir_variable_mode mode)
{
    if (link_merge_components(ln, st, mode))
        cleanup(st);
}

/* Starts at the last interface: removing unread inputs of a stage may make its own inputs
 * unused. */
static void reduce_varyings(struct linker *ln)
{
    for (unsigned i = ARRAY_SIZE(pipeline) - 1; i-- > 0;) {
        struct link_stage *producer = ln->stages[pipeline[i]];
        struct link_stage *consumer = producer ? link_stage_after(ln, pipeline[i]) : NULL;
        if (!consumer || producer->stage == SHADER_TESS_CTRL || producer->stage == SHADER_MESH)
            continue;
        remove_unwritten(ln, producer, consumer);
        if (link_split_varyings(ln, producer, consumer))
            remove_unwritten(ln, producer, consumer);
        remove_unread(ln, producer, consumer);
        if (link_propagate_varyings(ln, producer, consumer)) {
            cleanup(producer);
            cleanup(consumer);
            remove_unread(ln, producer, consumer);
        }
        link_flatten_varyings(ln, producer, consumer);
    }
}

/* Removes inputs that no stage writes and outputs that nothing reads. */
static void remove_inactive(struct linker *ln)
{
    struct link_stage *first = link_first_stage(ln);
    if (first && first->stage != SHADER_VERTEX)
        remove_unwritten(ln, NULL, first);
    for (unsigned i = 0; i + 1 < ARRAY_SIZE(pipeline); i++) {
        struct link_stage *producer = ln->stages[pipeline[i]];
        if (!producer)
            continue;
        struct link_stage *consumer = link_stage_after(ln, pipeline[i]);
        if (consumer)
            remove_unwritten(ln, producer, consumer);
        remove_unread(ln, producer, consumer);
    }
}

void link_assign_varyings(struct linker *ln)
{
    bool may_change = !ln->input->separable && !ln->narrowed_inputs;
    if (may_change)
        reduce_varyings(ln);
    remove_inactive(ln);
    link_count_components(ln);
    for (unsigned i = 0; i + 1 < ARRAY_SIZE(pipeline); i++) {
        struct link_stage *producer = ln->stages[pipeline[i]];
        if (!producer)
            continue;
        struct link_stage *consumer = link_stage_after(ln, pipeline[i]);
        merge_components(ln, producer, nir_var_shader_out);
        if (consumer)
            merge_components(ln, consumer, nir_var_shader_in);
        bool crowded = is_crowded(producer, nir_var_shader_out);
        bool packable = (crowded || may_change) && producer->stage != SHADER_TESS_CTRL &&
                        producer->stage != SHADER_MESH && consumer &&
                        (consumer->stage == SHADER_GEOMETRY || consumer->stage == SHADER_FRAGMENT);
        if (packable && link_pack_varyings(ln, producer, consumer, crowded)) {
            cleanup(producer);
            cleanup(consumer);
        }
        assign_slots(ln, producer, consumer, nir_var_shader_out);
    }
    struct link_stage *first = link_first_stage(ln);
    if (first && first->stage != SHADER_VERTEX) {
        merge_components(ln, first, nir_var_shader_in);
        assign_slots(ln, first, NULL, nir_var_shader_in);
    }
}
