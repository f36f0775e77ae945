/* SPDX-License-Identifier: MIT */
/*
 * Packs varyings if that saves slots, or if they would not fit with one vector per slot: a program
 * may use all of gl_MaxVaryingComponents as floats. All components with the same interpolation are
 * laid out consecutively in vec4s. The original varyings become private variables: the producer
 * copies them to the vec4s at its end, and the consumer copies them back at its start. Values are
 * untyped 32-bit words, so integers share vectors with flat floats. A geometry shader copies its
 * outputs before each EmitVertex; its inputs have one vec4 per vertex and are not interpolated.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"
#include "nir/nir_builder.h"

#include "util/check.h"

#define MAX_COMPONENTS (DRV_MAX_VARYINGS * 4)

struct pack_class {
    unsigned interpolation, centroid, sample;
    nir_variable *vars[2][DRV_MAX_VARYINGS]; /* vec4s of the producer and the consumer */
    unsigned count;                          /* components assigned */
};

/* An output, the input that reads it, and their packing class. */
struct packed_pair {
    nir_variable *out, *in;
    struct pack_class *class;
};

struct packer {
    struct pack_class classes[16];
    unsigned num_classes;
    nir_shader *shaders[2];
    unsigned vertices;           /* vertices of the consumer's arrays; 0: not arrays */
    unsigned vertex;             /* vertex that is being copied */
    bool placed;                 /* crowded, and some outputs have explicit locations */
    struct hash_table *excluded; /* inputs that are not packed */
    struct packed_pair *pairs;   /* the varyings to pack */
    unsigned num_pairs;
};

/* Returns the packing class of an input. The consumer's interpolation counts; without
 * interpolation, all inputs share one class. */
static struct pack_class *find_class(struct packer *p, const nir_variable *in)
{
    nir_variable bits = {.data.interpolation = INTERP_MODE_FLAT};
    const nir_variable *var = p->vertices ? &bits : in;
    for (unsigned i = 0; i < p->num_classes; i++) {
        struct pack_class *c = &p->classes[i];
        if (c->interpolation == var->data.interpolation && c->centroid == var->data.centroid &&
            c->sample == var->data.sample)
            return c;
    }
    if (p->num_classes == ARRAY_SIZE(p->classes))
        return NULL;
    struct pack_class *c = &NEXT_OF(p->classes, p->num_classes);
    c->interpolation = var->data.interpolation;
    c->centroid = var->data.centroid;
    c->sample = var->data.sample;
    return c;
}

static nir_variable *class_variable(struct packer *p, struct pack_class *c, unsigned side,
                                    unsigned slot)
{
    if (!c->vars[side][slot]) {
        const struct glsl_type *type = c->interpolation == INTERP_MODE_FLAT
                                           ? glsl_simple_type(GLSL_TYPE_INT, 4, 1)
                                           : glsl_vec4_type();
        if (side && p->vertices)
            type = glsl_array_type(p->shaders[side], type, p->vertices, 0);
        nir_variable *var = nir_variable_create(
            p->shaders[side], side ? nir_var_shader_in : nir_var_shader_out, type, NULL);
        var->name = talloc_asprintf(var, "packed%u.%u", (unsigned)(c - p->classes), slot);
        var->data.location = -1;
        var->data.interpolation = c->interpolation;
        var->data.centroid = c->centroid;
        var->data.sample = c->sample;
        c->vars[side][slot] = var;
    }
    return c->vars[side][slot];
}

static void put_word(struct packer *p, struct pack_class *c, nir_builder *b, nir_def *word,
                     unsigned *at)
{
    nir_variable *var = class_variable(p, c, 0, *at / 4);
    nir_store_var(b, var, nir_vec_broadcast(b, word, 4), 1u << (*at)++ % 4);
}

static nir_def *get_word(struct packer *p, struct pack_class *c, nir_builder *b, unsigned *at)
{
    nir_deref_instr *vec4 = nir_build_deref_var(b, class_variable(p, c, 1, *at / 4));
    if (p->vertices)
        vec4 = nir_build_deref_array_imm(b, vec4, p->vertex);
    return nir_channel(b, nir_load_deref(b, vec4), (*at)++ % 4);
}

/* Copies the components of a vector to (side 0) or from (side 1) the vec4s. A 64-bit component
 * takes two words. */
static void copy_vector(struct packer *p, struct pack_class *c, unsigned side, nir_builder *b,
                        nir_deref_instr *deref, unsigned *at)
{
    unsigned n = deref->type->vector_elements;
    bool wide = glsl_type_is_64bit(deref->type);
    nir_def *value = side == 0 ? nir_load_deref(b, deref) : NULL, *comps[4];
    for (unsigned i = 0; i < n; i++) {
        if (side == 1) {
            comps[i] = get_word(p, c, b, at);
            if (wide)
                comps[i] = nir_pack_64_2x32_split(b, comps[i], get_word(p, c, b, at));
            continue;
        }
        nir_def *component = nir_channel(b, value, i);
        if (wide) {
            put_word(p, c, b, nir_unpack_64_2x32_split_x(b, component), at);
            component = nir_unpack_64_2x32_split_y(b, component);
        }
        put_word(p, c, b, component, at);
    }
    if (side == 1)
        nir_store_deref(b, deref, nir_vec(b, comps, n), BITFIELD_MASK(n));
}

static void copy(struct packer *p, struct pack_class *c, unsigned side, nir_builder *b,
                 nir_deref_instr *deref, unsigned *at)
{
    const struct glsl_type *t = deref->type;
    if (glsl_type_is_vector_or_scalar(t)) {
        copy_vector(p, c, side, b, deref, at);
        return;
    }
    for (unsigned i = 0; i < (glsl_type_is_struct(t) ? t->length : glsl_length_of(t)); i++)
        copy(p, c, side, b,
             glsl_type_is_struct(t) ? nir_build_deref_struct(b, deref, i)
                                    : nir_build_deref_array_imm(b, deref, i),
             at);
}

/* Returns the maximum number of 32-bit components of a type; an overestimate for structs with both
 * widths. */
static unsigned words_of(const struct glsl_type *t)
{
    bool wide = glsl_type_contains(t, GLSL_TYPE_DOUBLE) || glsl_type_contains(t, GLSL_TYPE_INT64) ||
                glsl_type_contains(t, GLSL_TYPE_UINT64);
    return glsl_component_count(t) * (wide ? 2 : 1);
}

static bool can_pack(const nir_variable *var)
{
    return strncmp(var->name, "gl_", 3) && !var->data.explicit_location &&
           !var->data.always_active_io && !var->data.stream;
}

static nir_variable *find_input(nir_shader *nir, const char *name)
{
    nir_foreach_shader_in_variable(var, nir)
    {
        if (var->name && !strcmp(var->name, name))
            return var;
    }
    return NULL;
}

/* Returns whether packing saves space, or is needed because consecutive slots may not be free. */
static bool gains(const struct packer *p, const struct glsl_type *type)
{
    unsigned slots = glsl_count_attribute_slots(type, false);
    return words_of(type) < slots * 4 || (slots > 1 && p->placed);
}

/* Returns the input to pack together with an output, or NULL if it is not packed. */
static nir_variable *input_to_pack(const struct packer *p, const nir_variable *out)
{
    nir_variable *in = can_pack(out) ? find_input(p->shaders[1], out->name) : NULL;
    if (!in || hash_table_get(p->excluded, in) || in->data.interpolation == INTERP_MODE_PER_VERTEX)
        return NULL;
    if (p->vertices && (!glsl_type_is_array(in->type) || in->type->length != p->vertices))
        return NULL;
    const struct glsl_type *type = p->vertices ? in->type->element : in->type;
    return words_of(type) == words_of(out->type) && gains(p, type) ? in : NULL;
}

/* Copies an output at the end of the shader, or before each vertex emitted to rasterization. */
static void copy_output(struct packer *p, struct pack_class *c, nir_variable *out)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(p->shaders[0]);
    nir_builder b = nir_builder_at(nir_after_impl(impl));
    unsigned at = c->count;
    if (p->shaders[0]->info.stage != SHADER_GEOMETRY) {
        copy(p, c, 0, &b, nir_build_deref_var(&b, out), &at);
        return;
    }
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) {
            if (instr->type != nir_instr_type_intrinsic ||
                nir_instr_as_intrinsic(instr)->intrinsic != nir_intrinsic_emit_vertex ||
                nir_intrinsic_stream_id(nir_instr_as_intrinsic(instr)))
                continue;
            b = nir_builder_at(nir_before_instr(instr));
            at = c->count;
            copy(p, c, 0, &b, nir_build_deref_var(&b, out), &at);
        }
    }
}

/* Copies an input, for every vertex, at b, the start of the consumer. Returns the next free
 * component. */
static unsigned copy_input(struct packer *p, struct pack_class *c, nir_builder *b, nir_variable *in)
{
    nir_deref_instr *deref = nir_build_deref_var(b, in);
    unsigned at = c->count;
    if (!p->vertices)
        copy(p, c, 1, b, deref, &at);
    for (p->vertex = 0; p->vertex < p->vertices; p->vertex++) {
        at = c->count;
        copy(p, c, 1, b, nir_build_deref_array_imm(b, deref, p->vertex), &at);
    }
    return at;
}

/* Excludes the input that an interpolateAt* instruction reads. */
static void exclude_interpolated(struct packer *p, nir_instr *instr)
{
    nir_intrinsic_instr *intr =
        instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
    if (!intr || (intr->intrinsic != nir_intrinsic_interp_deref_at_centroid &&
                  intr->intrinsic != nir_intrinsic_interp_deref_at_sample &&
                  intr->intrinsic != nir_intrinsic_interp_deref_at_offset))
        return;
    nir_variable *var = nir_deref_instr_get_variable(nir_src_as_deref(intr->src[0]));
    if (var)
        hash_table_insert(p->excluded, var, var);
}

/* Excludes the input that a deref indexes with a variable: reading one element is cheaper than
 * copying all. */
static void exclude_indexed(struct packer *p, nir_instr *instr)
{
    nir_deref_instr *deref = instr->type == nir_instr_type_deref ? nir_instr_as_deref(instr) : NULL;
    if (!deref || deref->deref_type != nir_deref_type_array || nir_src_is_const(deref->arr.index))
        return;
    nir_variable *var = nir_deref_instr_get_variable(deref);
    if (var)
        hash_table_insert(p->excluded, var, var);
}

/* Finds the inputs to exclude. indexed: also those that are indexed with variables. */
static void exclude_inputs(struct packer *p, bool indexed)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(p->shaders[1])) {
        nir_foreach_instr (instr, block) {
            exclude_interpolated(p, instr);
            if (indexed)
                exclude_indexed(p, instr);
        }
    }
}

/* Declares every vec4 of a class in both stages, so that both get the same slots. */
static void complete_classes(struct packer *p)
{
    for (unsigned i = 0; i < p->num_classes; i++) {
        for (unsigned slot = 0; slot * 4 < p->classes[i].count; slot++) {
            class_variable(p, &p->classes[i], 0, slot);
            class_variable(p, &p->classes[i], 1, slot);
        }
    }
}

/* Finds the varyings that can be packed. Returns the number of slots that packing them saves. */
static int find_pairs(struct packer *p)
{
    int saved = 0;
    nir_foreach_shader_out_variable(out, p->shaders[0])
    {
        nir_variable *in = input_to_pack(p, out);
        struct pack_class *c = in ? find_class(p, in) : NULL;
        if (!c || c->count + words_of(out->type) > MAX_COMPONENTS)
            continue;
        saved += (int)glsl_count_attribute_slots(out->type, false);
        c->count += words_of(out->type);
        p->pairs[p->num_pairs++] = (struct packed_pair){out, in, c};
    }
    for (unsigned i = 0; i < p->num_classes; i++) {
        saved -= (int)DIV_ROUND_UP(p->classes[i].count, 4);
        p->classes[i].count = 0;
    }
    return saved;
}

bool link_pack_varyings(struct linker *ln, struct link_stage *producer, struct link_stage *consumer,
                        bool crowded)
{
    struct packer *p = talloc_zero(ln->tmp, struct packer);
    nir_function_impl *impls[2] = {nir_shader_get_entrypoint(producer->nir),
                                   nir_shader_get_entrypoint(consumer->nir)};
    nir_builder b = nir_builder_at(nir_before_impl(impls[1]));
    unsigned outputs = 0;
    p->shaders[0] = producer->nir;
    p->shaders[1] = consumer->nir;
    p->vertices = consumer->stage == SHADER_GEOMETRY ? consumer->nir->info.gs.vertices_in : 0;
    p->excluded = hash_table_create_pointer(p);
    nir_foreach_shader_out_variable(out, producer->nir)
    {
        outputs++;
        p->placed |= crowded && out->data.explicit_location;
    }
    p->pairs = talloc_array(p, struct packed_pair, MAX2(outputs, 1));
    exclude_inputs(p, !crowded);
    if (find_pairs(p) <= 0 && !crowded)
        return false;
    for (unsigned i = 0; i < p->num_pairs; i++) {
        struct packed_pair *pair = &p->pairs[i];
        pair->out->data.mode = pair->in->data.mode = nir_var_shader_temp;
        copy_output(p, pair->class, pair->out);
        pair->class->count = copy_input(p, pair->class, &b, pair->in);
    }
    complete_classes(p);
    nir_metadata_preserve(impls[0], nir_metadata_control_flow);
    nir_metadata_preserve(impls[1], nir_metadata_control_flow);
    return p->num_pairs != 0;
}

/* ------------------------------------------------------------------------ layout(component) --- */

#define MAX_LOCATIONS 128

struct merger {
    nir_shader *shader;
    nir_variable_mode mode;
    unsigned base;                   /* data.location of location 0 */
    uint8_t users[2][MAX_LOCATIONS]; /* variables at each location, for each index */
    nir_variable *vec4s[2][MAX_LOCATIONS];
};

static bool can_merge(const struct merger *m, const nir_variable *var)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    int location = var->data.location - (int)m->base;
    bool placed = var->data.explicit_location || m->base;
    return placed && location >= 0 && !var->data.patch &&
           var->data.interpolation != INTERP_MODE_PER_VERTEX && !var->data.always_active_io &&
           strncmp(var->name, "gl_", 3) && glsl_type_is_vector_or_scalar(t) &&
           !glsl_type_is_64bit(t) && location + glsl_aoa_size(var->type) <= MAX_LOCATIONS;
}

static bool shares(const struct merger *m, const nir_variable *var)
{
    unsigned location = var->data.location - m->base, count = glsl_aoa_size(var->type);
    for (unsigned i = location; i < location + count; i++) {
        if (m->users[var->data.index][i] > 1)
            return true;
    }
    return false;
}

static nir_variable *vec4_at(struct merger *m, const nir_variable *part, unsigned location)
{
    nir_variable **at = &m->vec4s[part->data.index][location];
    if (*at)
        return *at;
    const struct glsl_type *t = glsl_without_array(part->type);
    *at = nir_variable_create(m->shader, m->mode, glsl_simple_type(t->base_type, 4, 1), NULL);
    (*at)->name = talloc_asprintf(*at, "location%u.%u", location, part->data.index);
    (*at)->data = part->data;
    (*at)->data.mode = m->mode;
    (*at)->data.location = m->base + location;
    (*at)->data.location_frac = 0;
    (*at)->data.explicit_component = false;
    return *at;
}

/* Copies all vectors of deref to or from the vec4s. */
static void copy_parts(struct merger *m, nir_builder *b, const nir_variable *part,
                       nir_deref_instr *deref, unsigned *location)
{
    if (glsl_type_is_array(deref->type)) {
        for (unsigned i = 0; i < deref->type->length; i++)
            copy_parts(m, b, part, nir_build_deref_array_imm(b, deref, i), location);
        return;
    }
    nir_variable *vec4 = vec4_at(m, part, (*location)++);
    unsigned n = deref->type->vector_elements, first = part->data.location_frac;
    nir_def *comps[4];
    if (m->mode == nir_var_shader_in) {
        nir_def *all = nir_load_var(b, vec4);
        for (unsigned i = 0; i < n; i++)
            comps[i] = nir_channel(b, all, MIN2(first + i, 3));
        nir_store_deref(b, deref, nir_vec(b, comps, n), BITFIELD_MASK(n));
        return;
    }
    nir_def *value = nir_load_deref(b, deref);
    for (unsigned i = 0; i < 4; i++)
        comps[i] = nir_channel(b, value, i < first ? 0 : MIN2(i - first, n - 1));
    nir_store_var(b, vec4, nir_vec(b, comps, 4), (BITFIELD_MASK(n) << first) & 15);
}

bool link_merge_components(struct linker *ln, struct link_stage *st, nir_variable_mode mode)
{
    /* If vertices are emitted inside the code or the variables are per-vertex arrays, the parts
     * remain separate. */
    if (st->stage == SHADER_GEOMETRY || st->stage == SHADER_TESS_CTRL || st->stage == SHADER_MESH ||
        (st->stage == SHADER_TESS_EVAL && mode == nir_var_shader_in))
        return false;
    bool progress = false, components = false;
    unsigned declared = 0;
    nir_foreach_variable_with_modes (var, st->nir, mode) {
        components |= var->data.location_frac != 0;
        declared++;
    }
    if (!components)
        return false;
    struct merger *m = talloc_zero(ln->tmp, struct merger);
    m->shader = st->nir;
    m->mode = mode;
    m->base = st->stage == SHADER_FRAGMENT && mode == nir_var_shader_out ? FRAG_RESULT_DATA0 : 0;
    nir_foreach_variable_with_modes (var, st->nir, mode) {
        unsigned count = can_merge(m, var) ? glsl_aoa_size(var->type) : 0;
        for (unsigned i = 0; i < count; i++)
            m->users[var->data.index][var->data.location - m->base + i]++;
    }
    nir_function_impl *impl = nir_shader_get_entrypoint(st->nir);
    nir_builder b =
        nir_builder_at(mode == nir_var_shader_in ? nir_before_impl(impl) : nir_after_impl(impl));
    nir_foreach_variable_with_modes_safe(var, st->nir, mode)
    {
        if (!declared--)
            break; /* the remaining variables are the vec4s */
        if (!can_merge(m, var) || !shares(m, var))
            continue;
        unsigned location = var->data.location - m->base;
        var->data.mode = nir_var_shader_temp;
        copy_parts(m, &b, var, nir_build_deref_var(&b, var), &location);
        progress = true;
    }
    nir_metadata_preserve(impl, nir_metadata_control_flow);
    return progress;
}
