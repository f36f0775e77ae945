/* SPDX-License-Identifier: MIT */
/*
 * Lists the subroutines and subroutine uniforms (GL 4.6 §7.10). A subroutine uniform is a uint in
 * the default block, the index of a function. Each stage has separate subroutine uniforms and
 * locations.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"

#include "util/check.h"

/* State while the subroutine uniforms of a stage are listed. */
struct listing {
    struct linker *ln;
    const struct link_stage *st;
    bool *taken; /* locations in use */
    unsigned max;
    unsigned *size; /* size of the default block */
};

bool link_is_subroutine(const struct glsl_type *type)
{
    return glsl_without_array(type)->base_type == GLSL_TYPE_SUBROUTINE;
}

static void list_functions(struct linker *ln, const struct link_stage *st)
{
    struct glsl_program *p = ln->program;
    p->subroutines = talloc_realloc(p, p->subroutines, struct glsl_subroutine,
                                    p->num_subroutines + st->subroutines.count + 1);
    for (unsigned i = 0; i < st->subroutines.count; i++) {
        const struct link_subroutine *s = &st->subroutines.data[i];
        p->subroutines[p->num_subroutines++] = (struct glsl_subroutine){
            .name = talloc_strdup(p, s->sig->function->name),
            .stage = st->stage,
            .index = s->index,
        };
    }
}

static void list_compatible(struct glsl_program *p, const struct link_stage *st,
                            const struct glsl_type *type, struct glsl_subroutine_uniform *out)
{
    out->compatible = talloc_array(p, unsigned, st->subroutines.count + 1);
    for (unsigned i = 0; i < st->subroutines.count; i++) {
        if (link_is_subroutine_of(st->subroutines.data[i].sig, type))
            NEXT_WITHIN(out->compatible, out->num_compatible, st->subroutines.count) =
                st->subroutines.data[i].index;
    }
}

static bool is_free(const struct listing *l, unsigned at, unsigned count)
{
    for (unsigned i = at; i < at + count; i++)
        if (l->taken[i])
            return false;
    return true;
}

/* Returns the location of a uniform: the explicit one, or the first where it fits. Returns -1 after
 * an error. */
static int take_location(struct listing *l, const struct link_var *lv, unsigned count)
{
    unsigned at = lv->location >= 0 ? (unsigned)lv->location : 0;
    while (lv->location < 0 && at < l->max && count <= l->max - at && !is_free(l, at, count))
        at++;
    if (at >= l->max || count > l->max - at) {
        link_error(l->ln, "%s shader: no location is left for subroutine uniform `%s' (limit %u)",
                   link_stage_name(l->st->stage), lv->name, l->max);
        return -1;
    }
    /* GLSL 4.60 §4.4.3 */
    if (!is_free(l, at, count)) {
        link_error(l->ln, "location of subroutine uniform `%s' overlaps another subroutine uniform",
                   lv->name);
        return -1;
    }
    memset(l->taken + at, true, count);
    return (int)at;
}

/* Lists a uniform; an array of arrays has one entry per innermost array (GL 4.6 §7.3.1). `out` is
 * the next entry. */
static void add_entries(struct glsl_program *p, const struct link_stage *st, const char *name,
                        const struct glsl_type *type, struct glsl_subroutine_uniform *out)
{
    if (glsl_type_is_array(type) && glsl_type_is_array(type->element)) {
        for (unsigned i = 0; i < type->length; i++)
            add_entries(p, st, talloc_asprintf(p, "%s[%u]", name, i), type->element, out);
        return;
    }
    unsigned count = glsl_aoa_size(type);
    out->array_size = glsl_type_is_array(type) ? count : 0;
    out->name = talloc_asprintf(p, out->array_size ? "%s[0]" : "%s", name);
    out->num_compatible = 0;
    list_compatible(p, st, glsl_without_array(type), out);
    p->subroutine_uniforms = talloc_realloc(
        p, p->subroutine_uniforms, struct glsl_subroutine_uniform, p->num_subroutine_uniforms + 1);
    p->subroutine_uniforms[p->num_subroutine_uniforms++] = *out;
    out->location += count;
    out->offset += 4 * count;
}

/* Reports a uniform that the shader uses although no function has its type: a call through it would
 * have no target (GL 4.6 §7.10). */
static bool check_compatible(struct listing *l, const struct link_var *lv)
{
    for (unsigned i = 0; i < l->st->subroutines.count; i++)
        if (link_is_subroutine_of(l->st->subroutines.data[i].sig, glsl_without_array(lv->type)))
            return true;
    if (!lv->decl->used)
        return true;
    link_error(l->ln, "%s shader: no function has the type of subroutine uniform `%s'",
               link_stage_name(l->st->stage), lv->name);
    return false;
}

static void add_uniform(struct listing *l, const struct link_var *lv)
{
    struct glsl_program *p = l->ln->program;
    const struct link_stage *st = l->st;
    unsigned count = glsl_aoa_size(lv->type);
    int location = take_location(l, lv, count);
    if (location < 0 || !check_compatible(l, lv))
        return;
    unsigned offset = ALIGN_POT(*l->size, 4);
    struct glsl_subroutine_uniform out = {
        .stage = st->stage,
        .location = (unsigned)location,
        .offset = offset,
    };
    *l->size = offset + 4 * count;
    nir_foreach_uniform_variable(var, st->nir) /* lv->nir may have been removed as unused */
    {
        if (!strcmp(var->name, lv->name))
            var->data.driver_location = offset;
    }
    add_entries(p, st, lv->name, lv->type, &out);
    /* GL 4.6 §7.10 */
    if (!p->subroutine_uniforms[p->num_subroutine_uniforms - 1].num_compatible)
        link_error(l->ln, "no function has the type of subroutine uniform `%s'", lv->name);
}

void link_list_subroutines(struct linker *ln, const struct link_stage *st, unsigned *size)
{
    struct listing l = {.ln = ln, .st = st, .size = size};
    l.max = MAX2(ln->options->limits.max_subroutine_uniform_locations, 1);
    l.taken = talloc_zero_array(ln->tmp, bool, l.max);
    list_functions(ln, st);
    for (unsigned pass = 0; pass < 2; pass++) { /* uniforms with layout(location) first */
        for (unsigned i = 0; i < st->vars.count && !ln->failed; i++) {
            const struct link_var *lv = &st->vars.data[i];
            if (lv->decl->mode == HIR_VAR_UNIFORM && link_is_subroutine(lv->type) &&
                (lv->location >= 0) == (pass == 0))
                add_uniform(&l, lv);
        }
    }
}
