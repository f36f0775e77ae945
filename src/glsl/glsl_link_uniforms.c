/* SPDX-License-Identifier: MIT */
/*
 * Uniforms: creates the program's list of uniforms, the storage layout shared by all stages, the
 * slots of samplers and images, and the blocks. A uniform is active if the NIR of some stage still
 * uses it after optimization. The HIR variables determine the order of the list and the names of
 * members.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"

/* A uniform variable of the default block, in all stages. */
struct uniform {
    const char *name;
    const struct glsl_type *type;
    bool builtin;
    bool handles; /* the handles of another uniform, see LINK_HANDLES; not listed */
    bool bindless_sampler, bindless_image; /* samplers, or images, may be set to handles */
    const struct hir_constant *initializer;
    int location; /* explicit location; -1: none */
    int binding;
    unsigned counter_offset; /* bytes; atomic counters only */
    unsigned offset;
    bool data_active; /* some non-opaque part is used */
    uint8_t stages;   /* mask of the stages that use non-opaque parts */
    nir_variable *nir[SHADER_STAGE_COUNT];
};

/* Where the members of a block are in layout.list. */
struct listed_block {
    bool named;    /* it has an instance name */
    unsigned *end; /* for each member, the index after its last entry; NULL: none are listed */
};

/* What the code of a stage refers to in the instances of a block. */
struct block_use {
    bool *instances, *members; /* by index in memory order, by member index */
    unsigned num_instances;
    bool any;
};

struct layout {
    struct linker *ln;
    DYNARRAY(struct uniform) uniforms;
    struct hash_table *table;                    /* name → index + 1 */
    struct hash_table *vars[SHADER_STAGE_COUNT]; /* name → nir_variable with mode uniform */
    DYNARRAY(struct glsl_uniform) list;
    DYNARRAY(struct listed_block) blocks; /* same order as program->blocks */
    unsigned size;
    unsigned samplers[SHADER_STAGE_COUNT], images[SHADER_STAGE_COUNT]; /* slots assigned so far */
    bool *reserved; /* explicit uniform locations, up to num_reserved */
    unsigned num_reserved;
};

/* ------------------------------------------------------------------- checks of declarations --- */

/* ESSL 3.00 §9.2: precision is part of the type of a uniform and of struct members. */
static bool same_precisions(const struct glsl_type *a, const struct glsl_type *b)
{
    a = glsl_without_array(a);
    b = glsl_without_array(b);
    for (unsigned i = 0; glsl_type_is_struct(a) && i < a->length; i++)
        if (a->fields[i].precision != b->fields[i].precision ||
            !same_precisions(a->fields[i].type, b->fields[i].type))
            return false;
    return true;
}

/* A name in the program's interface is the same object in all shaders: a variable, or a member of a
 * block without an instance name (GLSL 4.60 §4.3.9). Instance names are local to a shader. */
static void check_shared_name(struct linker *ln, const struct link_var *a, const struct link_var *b)
{
    const struct glsl_type *in_a = a->decl->interface_type, *in_b = b->decl->interface_type;
    if ((in_a && a->decl->interface_field < 0) || (in_b && b->decl->interface_field < 0))
        return;
    if (!in_a || !in_b)
        link_error(ln, "`%s' is both a uniform and a member of block `%s'", a->name,
                   (in_a ? in_a : in_b)->name);
    else if (strcmp(in_a->name, in_b->name))
        link_error(ln, "`%s' is a member of both block `%s' and block `%s'", a->name, in_a->name,
                   in_b->name);
}

static void check_uniform_pair(struct linker *ln, const struct link_var *a,
                               const struct link_var *b)
{
    if (b->decl->mode != a->decl->mode)
        return;
    if (a->decl->interface_type || b->decl->interface_type) {
        check_shared_name(ln, a, b); /* blocks match by block name: glsl_link_blocks.c */
        return;
    }
    if (link_is_subroutine(a->type))
        return; /* separate per stage */
    if (!glsl_type_equal(a->type, b->type)) {
        link_error(ln, "uniform `%s' is declared as both type `%s' and type `%s'", a->name,
                   a->type->name, b->type->name);
        return;
    }
    /* ESSL 1.00 §4.5.3 applies to used uniforms, 3.00 §9.2 to all. */
    bool precise = a->decl->precision == b->decl->precision && same_precisions(a->type, b->type);
    if (ln->es && !precise && !a->decl->builtin && (ln->version >= 300 || (a->used && b->used)))
        link_error(ln, "uniform `%s' has mismatched precision qualifiers", a->name);
    if (a->decl->image_format != b->decl->image_format)
        link_error(ln, "image `%s' has mismatched formats", a->name);
    if (a->location >= 0 && b->location >= 0 && a->location != b->location)
        link_error(ln, "uniform `%s' has different explicit locations in different declarations",
                   a->name);
    if (a->initializer && b->initializer && !link_constants_equal(a->initializer, b->initializer))
        link_error(ln, "uniform `%s' has different initializers in different declarations",
                   a->name);
    if (a->binding >= 0 && b->binding >= 0 && a->binding != b->binding)
        link_error(ln, "uniform `%s' has different explicit bindings in different declarations",
                   a->name);
    if (a->decl->explicit_offset && b->decl->explicit_offset && a->decl->offset != b->decl->offset)
        link_error(ln, "atomic counter `%s' has different offsets: %u and %u", a->name,
                   a->decl->offset, b->decl->offset);
}

void link_check_uniforms(struct linker *ln)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        for (unsigned o = s + 1; ln->stages[s] && o < SHADER_STAGE_COUNT; o++) {
            for (unsigned i = 0; ln->stages[o] && i < ln->stages[s]->vars.count; i++) {
                const struct link_var *a = &ln->stages[s]->vars.data[i];
                const struct link_var *b = link_find_var(ln->stages[o], a->name);
                bool shared = a->decl->mode == HIR_VAR_UNIFORM || a->decl->mode == HIR_VAR_BUFFER;
                if (b && shared)
                    check_uniform_pair(ln, a, b);
            }
        }
    }
}

/* ------------------------------------------------------------------------------- collecting --- */

static struct uniform *find_uniform(struct layout *l, const char *name)
{
    uintptr_t i = (uintptr_t)hash_table_get(l->table, name);
    return i ? &l->uniforms.data[i - 1] : NULL;
}

static struct uniform *get_uniform(struct layout *l, const char *name, const struct glsl_type *type,
                                   bool builtin)
{
    struct uniform *u = find_uniform(l, name);
    if (u)
        return u;
    struct uniform added = {
        .name = name, .type = type, .builtin = builtin, .location = -1, .binding = -1};
    dynarray_append(&l->uniforms, added);
    hash_table_insert(l->table, name, (void *)(uintptr_t)l->uniforms.count);
    return &l->uniforms.data[l->uniforms.count - 1];
}

/* Records the variable of a stage, or NULL if it was removed. */
static void use_variable(struct uniform *u, unsigned stage, nir_variable *var)
{
    u->nir[stage] = var;
    if (var && glsl_packed_size(var->type)) {
        u->data_active = true;
        u->stages |= 1 << stage;
    }
}

/* Applications can set uniforms that the code reads or that have an initial value, even if the
 * optimizer found that the result does not depend on them. The set of active uniforms should not
 * depend on the optimizer; GL 2.1 §2.15.3 allows this. */
static bool is_kept(const struct link_var *lv)
{
    return !lv->decl->builtin && glsl_packed_size(lv->type) && (lv->nir || lv->initializer);
}

static void collect(struct layout *l, const struct link_stage *st)
{
    unsigned s = st->stage;
    l->vars[s] = hash_table_create_string(l->ln->tmp);
    nir_foreach_uniform_variable(var, st->nir) hash_table_insert(l->vars[s], var->name, var);
    for (unsigned i = 0; i < st->vars.count; i++) {
        const struct link_var *lv = &st->vars.data[i];
        if (lv->decl->mode != HIR_VAR_UNIFORM || lv->decl->interface_type ||
            link_is_subroutine(lv->type))
            continue;
        struct uniform *u = get_uniform(l, lv->name, lv->type, lv->decl->builtin);
        if (lv->initializer)
            u->initializer = lv->initializer;
        if (lv->location >= 0)
            u->location = lv->location;
        if (lv->binding >= 0)
            u->binding = lv->binding;
        if (lv->decl->explicit_offset)
            u->counter_offset = lv->decl->offset;
        u->bindless_sampler |= lv->decl->bindless_sampler;
        u->bindless_image |= lv->decl->bindless_image;
        use_variable(u, s, hash_table_get(l->vars[s], lv->name));
        if (is_kept(lv))
            u->data_active = true;
    }
    /* Members of built-in uniforms, which have no declaration, and handles. */
    nir_foreach_uniform_variable(var, st->nir)
    {
        if (strstr(var->name, LINK_HANDLES)) {
            struct uniform *u = get_uniform(l, var->name, var->type, true);
            u->handles = true;
            use_variable(u, s, var);
        }
        if (var->num_state_slots && !link_find_var(st, var->name))
            use_variable(get_uniform(l, var->name, var->type, true), s, var);
    }
}

static void allocate(struct layout *l)
{
    for (unsigned i = 0; i < l->uniforms.count; i++) {
        struct uniform *u = &l->uniforms.data[i];
        if (!u->data_active)
            continue;
        unsigned align = glsl_packed_align(u->type), size = glsl_packed_size(u->type);
        u->offset = ALIGN_POT(l->size, align);
        if (size > (1u << 28) - u->offset) {
            link_error(l->ln, "uniform `%s' is too large", u->name);
            return;
        }
        l->size = u->offset + size;
        for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
            if (u->nir[s])
                u->nir[s]->data.driver_location = u->offset;
        }
    }
}

/* ---------------------------------------------------------------------------------- leaves --- */

/* Current position in a walk over the type of a uniform. */
struct type_cursor {
    struct uniform *u;
    char *name;    /* "s[1].t" */
    char *member;  /* name without array indices, "s.t": the name of an opaque member's variable */
    unsigned flat; /* element of that variable */
    unsigned offset;                    /* bytes */
    const struct hir_constant *initial; /* initial value, or NULL */
    int *location;                      /* next explicit location; NULL: none */
    int *binding;
};

static void pack_constant(uint8_t *out, const struct hir_constant *c)
{
    const struct glsl_type *t = c->base.type;
    if (c->elements) {
        for (unsigned i = 0; i < t->length; i++)
            pack_constant(out + i * glsl_packed_size(t->element), c->elements[i]);
        return;
    }
    for (unsigned i = 0; i < glsl_component_count(t); i++) {
        uint32_t word = t->base_type == GLSL_TYPE_BOOL ? c->value[i].b : c->value[i].u32;
        if (glsl_type_is_64bit(t))
            memcpy(out + i * 8, &c->value[i].u64, 8);
        else
            memcpy(out + i * 4, &word, 4);
    }
}

static bool is_counter(const struct glsl_type *type)
{
    return glsl_without_array(type)->base_type == GLSL_TYPE_ATOMIC_UINT;
}

/* Returns the stage's variable of an opaque leaf, or NULL if the stage does not use it. */
static nir_variable *opaque_variable(struct layout *l, unsigned stage, const char *member)
{
    nir_variable *var = l->vars[stage] ? hash_table_get(l->vars[stage], member) : NULL;
    return var && !glsl_packed_size(var->type) ? var : NULL;
}

static unsigned slot_limit(const struct linker *ln, unsigned stage, bool sampler)
{
    const struct glsl_limits *limits = &ln->options->limits;
    if (!sampler)
        return MIN2(limits->max_stage_images[stage], DRV_MAX_IMAGES);
    unsigned max = limits->max_stage_samplers[stage];
    if (!max)
        max = stage == SHADER_VERTEX ? limits->max_vertex_texture_image_units
                                     : limits->max_texture_image_units;
    return MIN2(max, DRV_MAX_SAMPLERS);
}

/* Returns the first slot of a sampler or image variable in a stage; assigns it when its first leaf
 * is listed. Returns -1 if it has no slots. */
static int opaque_slot(struct layout *l, unsigned stage, nir_variable *var)
{
    unsigned *next =
        glsl_type_is_image(glsl_without_array(var->type)) ? &l->images[stage] : &l->samplers[stage];
    if (var->index == UINT32_MAX) {
        unsigned count = glsl_aoa_size(var->type);
        /* Uniforms that are set to handles need no slots. If none are left, units don't work. */
        bool sampler = glsl_type_is_sampler(glsl_without_array(var->type));
        if (var->data.bindless &&
            count > MIN2(slot_limit(l->ln, stage, sampler) - *next, 65536 - *next)) {
            var->index = var->data.binding = NIR_NO_SLOT;
            return -1;
        }
        var->index = var->data.binding = *next;
        *next = count > 65536 ? 65536 : MIN2(*next + count, 65536);
    }
    return var->data.binding == NIR_NO_SLOT ? -1 : (int)var->data.binding;
}

/* Assigns the slots of variables that can be set only to units. */
static void assign_bound_slots(struct layout *l)
{
    bool any = false;
    for (unsigned i = 0; i < l->uniforms.count; i++)
        any |= l->uniforms.data[i].handles;
    for (unsigned i = 0; any && i < l->uniforms.count; i++) {
        struct uniform *u = &l->uniforms.data[i];
        const struct glsl_type *t = glsl_without_array(u->type);
        bool bound = (glsl_type_is_sampler(t) && !u->bindless_sampler) ||
                     (glsl_type_is_image(t) && !u->bindless_image);
        if (!bound)
            continue;
        for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
            if (u->nir[s])
                opaque_slot(l, s, u->nir[s]);
    }
}

/* GL 4.6 §7.3.1.1: counters with the same binding are in the same buffer. */
static int find_atomic_buffer(struct glsl_program *p, unsigned binding)
{
    for (unsigned i = 0; i < p->num_atomic_buffers; i++)
        if (p->atomic_buffers[i].binding == binding)
            return (int)i;
    p->atomic_buffers =
        talloc_realloc(p, p->atomic_buffers, struct glsl_atomic_buffer, p->num_atomic_buffers + 1);
    p->atomic_buffers[p->num_atomic_buffers] = (struct glsl_atomic_buffer){.binding = binding};
    return (int)p->num_atomic_buffers++;
}

static void set_counter(struct layout *l, const struct type_cursor *at, struct glsl_uniform *out)
{
    struct glsl_program *p = l->ln->program;
    unsigned end;
    out->binding = MAX2(at->u->binding, 0);
    out->offset = (int)(at->u->counter_offset + 4 * at->flat);
    out->array_stride = out->array_size ? 4 : 0;
    out->atomic_buffer = find_atomic_buffer(p, (unsigned)out->binding);
    struct glsl_atomic_buffer *buffer = &p->atomic_buffers[out->atomic_buffer];
    end = (unsigned)out->offset + 4 * MAX2(out->array_size, 1);
    buffer->size = MAX2(buffer->size, end);
    buffer->stages |= out->stages;
}

/* Sets where the handles of a sampler or image uniform are stored. */
static void set_handles(struct layout *l, const struct type_cursor *at, struct glsl_uniform *out)
{
    const struct uniform *u =
        find_uniform(l, talloc_asprintf(l->ln->tmp, "%s" LINK_HANDLES, at->member));
    out->bindless = glsl_type_is_image(out->type) ? at->u->bindless_image : at->u->bindless_sampler;
    out->handle_offset = u && u->data_active ? (int)(u->offset + 8 * at->flat) : -1;
}

static void add_leaf(struct layout *l, struct type_cursor *at, const struct glsl_type *type)
{
    const struct glsl_type *element = glsl_type_is_array(type) ? type->element : type;
    struct glsl_program *p = l->ln->program;
    unsigned count = glsl_type_is_array(type) ? type->length : 1;
    struct glsl_uniform out = {
        .array_size = glsl_type_is_array(type) ? type->length : 0,
        .location = -1,
        .block_index = -1,
        .atomic_buffer = -1,
        .handle_offset = -1,
        .top_array_size = 1,
        .binding = -1,
        .opaque = element->base_type > GLSL_TYPE_BOOL,
        .builtin = at->u->builtin,
    };
    bool counter = is_counter(element);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        nir_variable *var = out.opaque ? opaque_variable(l, s, at->member) : NULL;
        int slot = var && !counter ? opaque_slot(l, s, var) : -1;
        out.opaque_index[s] = slot < 0 ? -1 : slot + (int)at->flat;
        out.stages |= (var != NULL) << s;
    }
    if (!out.opaque)
        out.stages = at->u->stages;
    if (out.opaque && !counter && at->binding) {
        out.binding = *at->binding;
        *at->binding += count;
    }
    if (at->location) {
        out.location = *at->location;
        *at->location += count;
    }
    if (!out.stages && (out.opaque || !at->u->data_active))
        return;
    out.name = out.array_size ? talloc_asprintf(p, "%s[0]", at->name) : talloc_strdup(p, at->name);
    out.type = glsl_type_clone(p, element);
    if (counter)
        set_counter(l, at, &out);
    if (out.opaque && !counter)
        set_handles(l, at, &out);
    if (!out.opaque) {
        out.offset = (int)at->offset;
        out.array_stride = out.array_size ? glsl_packed_size(element) : 0;
        out.matrix_stride =
            glsl_type_is_matrix(element) ? glsl_packed_size(element) / element->matrix_columns : 0;
        if (at->initial) {
            uint8_t *bytes = talloc_zero_size(p, glsl_packed_size(type));
            pack_constant(bytes, at->initial);
            out.initial = bytes;
        }
    }
    dynarray_append(&l->list, out);
}

static void walk(struct layout *l, struct type_cursor *at, const struct glsl_type *type);

static void walk_struct(struct layout *l, struct type_cursor *at, const struct glsl_type *type)
{
    unsigned offset = at->offset;
    for (unsigned i = 0; i < type->length; i++) {
        const struct glsl_struct_field *f = &type->fields[i];
        struct type_cursor in = *at;
        offset = ALIGN_POT(offset, glsl_packed_align(f->type));
        in.offset = offset;
        in.name = talloc_asprintf(l->ln->tmp, "%s.%s", at->name, f->name);
        in.member = talloc_asprintf(l->ln->tmp, "%s.%s", at->member, f->name);
        in.initial = at->initial ? at->initial->elements[i] : NULL;
        walk(l, &in, f->type);
        offset += glsl_packed_size(f->type);
    }
}

/* Walks a type. Arrays of structs and arrays of arrays are split; arrays of vectors are one
 * entry. */
static void walk(struct layout *l, struct type_cursor *at, const struct glsl_type *type)
{
    if (l->list.count > 65536)
        return;
    if (glsl_type_is_struct(type)) {
        walk_struct(l, at, type);
    } else if (glsl_type_is_array(type) &&
               (glsl_type_is_struct(type->element) || glsl_type_is_array(type->element))) {
        for (unsigned i = 0; i < type->length; i++) {
            struct type_cursor in = *at;
            in.name = talloc_asprintf(l->ln->tmp, "%s[%u]", at->name, i);
            in.offset = at->offset + i * glsl_packed_size(type->element);
            in.initial = at->initial ? at->initial->elements[i] : NULL;
            in.flat = at->flat * type->length + i;
            walk(l, &in, type->element);
        }
    } else {
        struct type_cursor in = *at;
        if (glsl_type_is_array(type))
            in.flat = at->flat * type->length;
        add_leaf(l, &in, type);
    }
}

static void list_uniform(struct layout *l, struct uniform *u)
{
    int location = u->location, binding = u->binding;
    struct type_cursor at = {
        .u = u,
        .name = (char *)u->name,
        .member = (char *)u->name,
        .offset = u->offset,
        .initial = u->initializer,
        .location = u->location >= 0 ? &location : NULL,
        .binding = u->binding >= 0 ? &binding : NULL,
    };
    walk(l, &at, u->type);
}

/* Assigns to each leaf of a built-in uniform its part of the state slots, which have the same
 * order. */
static void set_state(struct layout *l, const struct uniform *u, unsigned first)
{
    struct glsl_program *p = l->ln->program;
    const nir_variable *var = NULL;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && !var; s++)
        var = u->nir[s];
    if (!var)
        return;
    unsigned next = 0, total = var->num_state_slots;
    nir_state_slot *all = talloc_memdup(p, var->state_slots, total * sizeof *all);
    for (unsigned i = first; i < l->list.count; i++) {
        struct glsl_uniform *leaf = &l->list.data[i];
        unsigned n = leaf->type->matrix_columns * MAX2(leaf->array_size, 1);
        leaf->num_state_slots = next + n <= total ? n : 0;
        leaf->state_slots = all + next;
        next += n;
    }
}

/* ------------------------------------------------------------------------------- locations --- */

/* Returns the number of locations of a type: one per leaf, or per element of an array of leaves. */
static unsigned type_locations(const struct glsl_type *t)
{
    uint64_t n = 1;
    if (glsl_type_is_array(t)) {
        n = (uint64_t)t->length * type_locations(t->element);
    } else if (glsl_type_is_struct(t)) {
        n = 0;
        for (unsigned i = 0; i < t->length; i++)
            n += type_locations(t->fields[i].type);
    }
    return (unsigned)MIN2(n, 1u << 20);
}

/* Reserves explicit locations, whether the uniform is active or not (GLSL 4.60 §4.4.3). */
static bool reserve_locations(struct layout *l)
{
    unsigned max = l->ln->options->limits.max_uniform_locations;
    l->reserved = talloc_zero_array(l->ln->tmp, bool, max + 1);
    for (unsigned i = 0; i < l->uniforms.count; i++) {
        const struct uniform *u = &l->uniforms.data[i];
        unsigned count = type_locations(u->type);
        if (u->location < 0)
            continue;
        if ((unsigned)u->location > max || count > max - u->location) {
            link_error(l->ln, "location of uniform `%s' is too large", u->name);
            return false;
        }
        l->num_reserved = MAX2(l->num_reserved, u->location + count);
        for (unsigned k = u->location; k < u->location + count; k++) {
            if (l->reserved[k]) {
                link_error(l->ln, "location of uniform `%s' overlaps another uniform", u->name);
                return false;
            }
            l->reserved[k] = true;
        }
    }
    return true;
}

static bool fits(const struct layout *l, unsigned at, unsigned count)
{
    unsigned max = l->ln->options->limits.max_uniform_locations;
    for (unsigned i = at; i < at + count && i < max; i++) {
        if (l->reserved[i])
            return false;
    }
    return true;
}

static void grow_locations(struct layout *l, unsigned count)
{
    struct glsl_program *p = l->ln->program;
    if (count <= p->num_locations)
        return;
    p->location_to_uniform = talloc_realloc(p, p->location_to_uniform, int, count);
    for (unsigned i = p->num_locations; i < count; i++)
        p->location_to_uniform[i] = l->reserved[i] ? -2 : -1;
    p->num_locations = count;
}

static bool take_locations(struct layout *l, unsigned index, unsigned at, unsigned count)
{
    struct glsl_program *p = l->ln->program;
    unsigned max = l->ln->options->limits.max_uniform_locations;
    if (at > max || count > max - at) {
        link_error(l->ln, "no location is left for uniform `%s'", p->uniforms[index].name);
        return false;
    }
    grow_locations(l, at + count);
    for (unsigned i = at; i < at + count; i++)
        p->location_to_uniform[i] = (int)index;
    p->uniforms[index].location = (int)at;
    return true;
}

static void assign_locations(struct layout *l)
{
    struct glsl_program *p = l->ln->program;
    unsigned next = 0;
    if (!reserve_locations(l))
        return;
    grow_locations(l, l->num_reserved);
    for (unsigned i = 0; i < p->num_uniforms; i++) {
        struct glsl_uniform *u = &p->uniforms[i];
        unsigned count = MAX2(u->array_size, 1);
        if (u->builtin || u->block_index >= 0 || u->atomic_buffer >= 0)
            continue;
        if (u->location >= 0) {
            if (!take_locations(l, i, u->location, count))
                return;
            continue;
        }
        while (!fits(l, next, count))
            next++;
        if (!take_locations(l, i, next, count))
            return;
        next += count;
    }
}

/* ---------------------------------------------------------------------------------- blocks --- */

static int find_block(const struct glsl_program *p, const char *name, bool storage)
{
    for (unsigned i = 0; i < p->num_blocks; i++) {
        if (!strcmp(p->blocks[i].name, name) && p->blocks[i].is_storage == storage)
            return (int)i;
    }
    return -1;
}

/* Returns the instance or the first member of a uniform or storage block in a stage, or NULL.
 * Blocks of different kinds may have the same name (GLSL 4.60 §4.3.9). */
static const struct link_var *block_declaration(const struct link_stage *st, const char *name,
                                                bool storage)
{
    const enum hir_variable_mode mode = storage ? HIR_VAR_BUFFER : HIR_VAR_UNIFORM;
    for (unsigned i = 0; i < st->vars.count; i++) {
        const struct hir_variable *d = st->vars.data[i].decl;
        if (d->mode == mode && d->interface_type && !strcmp(d->interface_type->name, name))
            return &st->vars.data[i];
    }
    return NULL;
}

/* The top-level array of a storage block member. */
struct top_level {
    unsigned size, stride;
};

static void list_member(struct layout *l, int block, const char *name, const struct glsl_type *type,
                        const struct glsl_type *shown, unsigned offset, bool row_major,
                        struct top_level top)
{
    struct glsl_program *p = l->ln->program;
    bool array = glsl_type_is_array(type);
    if (l->list.count > 65536)
        return;
    if (glsl_type_is_struct(type)) {
        for (unsigned i = 0; i < type->length; i++)
            list_member(l, block, talloc_asprintf(l->ln->tmp, "%s.%s", name, type->fields[i].name),
                        type->fields[i].type, shown->fields[i].type,
                        offset + type->fields[i].offset, type->fields[i].row_major, top);
        return;
    }
    if (array && (glsl_type_is_struct(type->element) || glsl_type_is_array(type->element))) {
        for (unsigned i = 0; i < type->length; i++)
            list_member(l, block, talloc_asprintf(l->ln->tmp, "%s[%u]", name, i), type->element,
                        shown->element, offset + i * type->explicit_stride, row_major, top);
        return;
    }
    const struct glsl_type *element = array ? type->element : type;
    struct glsl_uniform out = {
        .name = talloc_asprintf(p, array ? "%s[0]" : "%s", name),
        .type = glsl_type_clone(p, array ? shown->element : shown),
        .array_size = array ? MAX2(type->length, 1) : 0,
        .location = -1,
        .offset = (int)offset,
        .array_stride = array ? type->explicit_stride : 0,
        .matrix_stride = glsl_type_is_matrix(element) ? element->explicit_stride : 0,
        .row_major = glsl_type_is_matrix(element) && row_major,
        .block_index = block,
        .atomic_buffer = -1,
        .handle_offset = -1,
        .unsized = array && type->length == 0,
        .top_array_size = top.size,
        .top_array_stride = top.stride,
        .binding = -1,
    };
    memset(out.opaque_index, -1, sizeof out.opaque_index);
    dynarray_append(&l->list, out);
}

/* Returns the size in bytes of a type with explicit offsets and strides, as in SPIR-V blocks. The
 * last element of an array, or column of a matrix, does not extend to the full stride. */
static uint64_t explicit_size(const struct glsl_type *t, bool row_major)
{
    uint64_t size = 0;
    unsigned width = glsl_type_is_64bit(t) ? 8 : 4;
    if (glsl_type_is_array(t))
        return (uint64_t)t->explicit_stride * (MAX2(t->length, 1) - 1) +
               explicit_size(t->element, row_major);
    if (glsl_type_is_matrix(t)) {
        unsigned vectors = row_major ? t->vector_elements : t->matrix_columns;
        unsigned components = row_major ? t->matrix_columns : t->vector_elements;
        return (uint64_t)t->explicit_stride * (vectors - 1) + components * width;
    }
    if (!glsl_type_is_struct_or_ifc(t))
        return t->vector_elements * width;
    for (unsigned i = 0; i < t->length; i++) {
        const struct glsl_struct_field *f = &t->fields[i];
        uint64_t end = (uint64_t)f->offset + explicit_size(f->type, f->row_major);
        size = MAX2(size, end);
    }
    return size;
}

/* Returns the size of a block in bytes; an unsized last member counts as one element (GL 4.6
 * §7.3.1). */
static unsigned block_size(const struct glsl_type *type)
{
    bool std140 = glsl_packing_is_std140(type->packing);
    unsigned align = type->packing == GLSL_PACKING_STD430 ? 1 : 16;
    if (type->packing == GLSL_PACKING_NONE)
        return (unsigned)MIN2(ALIGN_POT(explicit_size(type, false), 16), UINT32_MAX);
    const struct glsl_struct_field *last = type->length ? &type->fields[type->length - 1] : NULL;
    if (last && glsl_type_is_unsized_array(last->type)) {
        unsigned size = last->offset + last->type->explicit_stride;
        return ALIGN_POT(size, align);
    }
    return ALIGN_POT(std140 ? glsl_std140_size(type, type->row_major)
                            : glsl_std430_size(type, type->row_major),
                     align);
}

static int add_block(struct layout *l, const struct link_stage *st, nir_variable *var,
                     const char *name, int binding)
{
    struct glsl_program *p = l->ln->program;
    bool storage = var->data.mode == nir_var_mem_ssbo;
    const struct glsl_type *type = glsl_without_array(var->type);
    int index = find_block(p, name, storage);
    if (index >= 0)
        return index;
    p->blocks = talloc_realloc(p, p->blocks, struct glsl_block, p->num_blocks + 1);
    index = (int)p->num_blocks++;
    p->blocks[index] = (struct glsl_block){
        .name = talloc_strdup(p, name),
        .size = block_size(type),
        .binding = binding,
        .is_storage = storage,
        .first_member = -1,
        .type = glsl_type_clone(p, type),
    };
    dynarray_append(&l->blocks, (struct listed_block){0});
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        p->blocks[index].stage_index[s] = -1;
    const struct glsl_limits *limits = &l->ln->options->limits;
    unsigned max = storage ? limits->max_storage_block_size : limits->max_uniform_block_size;
    if (p->blocks[index].size > max && (max || !storage))
        link_error(l->ln, "%s block `%s' is too large (%u > %u bytes)",
                   storage ? "storage" : "uniform", name, p->blocks[index].size, max);
    return index;
}

static void list_members(struct layout *l, const struct link_stage *st, int block,
                         const nir_variable *var)
{
    bool storage = var->data.mode == nir_var_mem_ssbo;
    const struct link_var *lv = block_declaration(st, var->name, storage);
    const struct glsl_type *type = glsl_without_array(var->type);
    const struct glsl_type *declared =
        lv ? link_find_block(l->ln, st->stage, lv->decl)->type : type;
    struct listed_block *listed = &l->blocks.data[block];
    l->ln->program->blocks[block].first_member = (int)l->list.count;
    listed->named = !lv || lv->decl->interface_field < 0;
    listed->end = talloc_zero_array(l->ln->tmp, unsigned, type->length + 1);
    for (unsigned i = 0; lv && i < type->length; i++) {
        const struct glsl_struct_field *f = &type->fields[i];
        const char *name = f->name;
        if (lv->decl->interface_field < 0)
            name = talloc_asprintf(l->ln->tmp, "%s.%s", var->name, f->name);
        const struct glsl_type *ft = f->type, *shown = declared->fields[i].type;
        struct top_level top = {1, 0};
        /* GL 4.6 §7.3.1.1: only the first element of an array of aggregates is listed. */
        if (storage && glsl_type_is_array(ft) &&
            (glsl_type_is_struct(ft->element) || glsl_type_is_array(ft->element))) {
            top = (struct top_level){ft->length, ft->explicit_stride};
            ft = ft->element;
            shown = shown->element;
            name = talloc_asprintf(l->ln->tmp, "%s[0]", name);
        }
        list_member(l, block, name, ft, shown, f->offset, f->row_major, top);
        listed->end[i] = l->list.count;
    }
}

/* Marks the instances that a deref of a block or an array of blocks refers to: those whose index in
 * memory order is `first` plus a multiple of `step`. A dynamic index refers to all. */
static void mark_instances(struct block_use *use, const nir_deref_instr *deref, unsigned first,
                           unsigned step)
{
    if (deref->deref_type != nir_deref_type_array) {
        use->instances[first] = true;
        return;
    }
    const nir_deref_instr *array = nir_deref_instr_parent(deref);
    const bool constant = nir_src_is_const(deref->arr.index);
    for (unsigned i = 0; i < array->type->length; i++)
        if (!constant || nir_src_as_uint(deref->arr.index) == i)
            mark_instances(use, array, first + i * step, step * array->type->length);
}

/* Records what a deref of a block member refers to. */
static void record_use(struct hash_table *uses, const nir_deref_instr *deref)
{
    const nir_variable *var = nir_deref_instr_get_variable(deref);
    struct block_use *use = var ? hash_table_get(uses, var) : NULL;
    const nir_deref_instr *block = nir_deref_instr_parent(deref), *root = block;
    while (root && root->deref_type == nir_deref_type_array)
        root = nir_deref_instr_parent(root);
    if (!use || !root || root->deref_type != nir_deref_type_var)
        return;
    use->any = true;
    use->members[deref->strct.index] = true;
    mark_instances(use, block, 0, 1);
}

/* Returns what the code of a stage uses of each block: nir_variable → block_use (GL 4.6 §7.3.1.1,
 * REFERENCED_BY_*). */
static struct hash_table *find_uses(struct layout *l, const struct link_stage *st,
                                    nir_variable_mode mode)
{
    struct hash_table *uses = hash_table_create_pointer(l->ln->tmp);
    nir_foreach_variable_with_modes (var, st->nir, mode) {
        const struct glsl_type *type = glsl_without_array(var->type);
        struct block_use *use = talloc_zero(l->ln->tmp, struct block_use);
        use->num_instances = glsl_aoa_size(var->type);
        use->instances = talloc_zero_array(use, bool, use->num_instances + 1);
        use->members = talloc_zero_array(use, bool, type->length + 1);
        hash_table_insert(uses, var, use);
    }
    nir_foreach_function_impl (impl, st->nir) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block) {
                const nir_deref_instr *deref =
                    instr->type == nir_instr_type_deref ? nir_instr_as_deref(instr) : NULL;
                if (deref && deref->deref_type == nir_deref_type_struct)
                    record_use(uses, deref);
            }
        }
    }
    return uses;
}

/* Sets the bit of a stage in the entries of the members that it uses. With an instance name, a use
 * of one member counts for all, as in Mesa. `block` is the first instance. */
static void reference_members(struct layout *l, unsigned stage, int block,
                              const struct block_use *use)
{
    const struct listed_block *listed = &l->blocks.data[block];
    const struct glsl_block *b = &l->ln->program->blocks[block];
    unsigned at = (unsigned)b->first_member;
    for (unsigned i = 0; listed->end && i < b->type->length; i++)
        for (; at < listed->end[i]; at++)
            if (listed->named ? use->any : use->members[i])
                l->list.data[at].stages |= 1u << stage;
}

/* Returns the name of instance i of a block array, such as "Block[2][1]"; instances are numbered in
 * memory order. */
static const char *instance_name(struct layout *l, const char *name, const struct glsl_type *type,
                                 unsigned i)
{
    for (; glsl_type_is_array(type); type = type->element) {
        const unsigned inner = glsl_type_is_array(type->element) ? glsl_aoa_size(type->element) : 1;
        name = talloc_asprintf(l->ln->tmp, "%s[%u]", name, i / inner);
        i %= inner;
    }
    return name;
}

/* Collects the uniform blocks or the storage blocks of a stage. Storage blocks and their variables
 * are listed last. */
static void collect_blocks(struct layout *l, const struct link_stage *st, bool storage)
{
    struct glsl_program *p = l->ln->program;
    unsigned next = 0;
    nir_variable_mode mode = storage ? nir_var_mem_ssbo : nir_var_mem_ubo;
    struct hash_table *uses = find_uses(l, st, mode);
    nir_foreach_variable_with_modes (var, st->nir, mode) {
        const struct block_use *use = hash_table_get(uses, var);
        unsigned count = glsl_aoa_size(var->type), first = next;
        int binding = var->data.explicit_binding ? (int)var->data.binding : 0;
        if (count > 1024) {
            link_error(l->ln, "too many instances of block `%s'", var->name);
            return;
        }
        for (unsigned i = 0; i < count; i++) {
            const char *name = instance_name(l, var->name, var->type, i);
            unsigned before = p->num_blocks;
            int b = add_block(l, st, var, name, var->data.explicit_binding ? binding + (int)i : 0);
            if (p->num_blocks > before && i == 0)
                list_members(l, st, b, var);
            if (i == 0)
                reference_members(l, st->stage, b, use);
            p->blocks[b].stages |= use->instances[i] << st->stage;
            p->blocks[b].stage_index[st->stage] = (int)next++;
        }
        var->data.binding = first;
    }
    if (storage)
        st->nir->info.num_ssbos = next;
    else
        st->nir->info.num_ubos = next;
}

/* Numbers the atomic counter buffers of a stage from 0 in list order. */
static void number_atomic_buffers(struct glsl_program *p, nir_shader *nir)
{
    unsigned stage = nir->info.stage;
    nir->info.num_abos = 0;
    for (unsigned i = 0; i < p->num_atomic_buffers; i++) {
        struct glsl_atomic_buffer *b = &p->atomic_buffers[i];
        b->stage_index[stage] = b->stages >> stage & 1 ? nir->info.num_abos++ : -1;
    }
    nir_foreach_uniform_variable(var, nir)
    {
        if (!is_counter(var->type))
            continue;
        int index = p->atomic_buffers[find_atomic_buffer(p, var->data.binding)].stage_index[stage];
        var->data.binding = MAX2(index, 0);
    }
}

/* ----------------------------------------------------------------------------- entry point --- */

void link_uniforms(struct linker *ln)
{
    struct layout l = {.ln = ln};
    l.uniforms.mem_ctx = l.list.mem_ctx = l.blocks.mem_ctx = ln->tmp;
    l.table = hash_table_create_string(ln->tmp);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!ln->stages[s])
            continue;
        nir_foreach_uniform_variable(var, ln->stages[s]->nir) var->index = UINT32_MAX;
        collect(&l, ln->stages[s]);
    }
    allocate(&l);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && !ln->failed; s++) {
        if (ln->stages[s])
            link_list_subroutines(ln, ln->stages[s], &l.size);
    }
    assign_bound_slots(&l);
    for (unsigned i = 0; i < l.uniforms.count && !ln->failed; i++) {
        unsigned first = l.list.count;
        if (l.uniforms.data[i].handles)
            continue;
        list_uniform(&l, &l.uniforms.data[i]);
        if (l.uniforms.data[i].builtin)
            set_state(&l, &l.uniforms.data[i], first);
    }
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && !ln->failed; s++) {
        if (ln->stages[s])
            collect_blocks(&l, ln->stages[s], false);
    }
    ln->program->num_active_uniforms = l.list.count;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && !ln->failed; s++) {
        if (ln->stages[s])
            collect_blocks(&l, ln->stages[s], true);
    }
    ln->program->uniforms = talloc_steal(ln->program, l.list.data);
    ln->program->num_uniforms = l.list.count;
    if (ln->failed)
        return;
    assign_locations(&l);
    ln->program->default_block_size = l.size;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!ln->stages[s])
            continue;
        nir_shader *nir = ln->stages[s]->nir;
        nir->num_uniforms = l.size;
        nir->info.num_textures = l.samplers[s];
        nir->info.num_images = l.images[s];
        number_atomic_buffers(ln->program, nir);
    }
}
