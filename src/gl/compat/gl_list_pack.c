/* SPDX-License-Identifier: MIT */
/* Records runs of primitives in display lists, packs their vertices in arrays, and draws these. */
#include "gl/compat/gl_list_pack.h"

#include <stdlib.h>

#include "gl/compat/gl_immediate.h"
#include "gl/compat/gl_lists_private.h"
#include "gl/compat/gl_set_material.h"
#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl/state/gl_material.h"

struct gl_list_pack {
    struct gl_list_position end; /* position of the node after the pack's groups */
    struct gl_vertex_layout layout;
    unsigned num, num_prims;
    bool array;     /* from array draws, which set no current values except materials */
    uint32_t modes; /* bit mask of primitive modes */
    /* bit mask of material properties set only once, before all vertices; values in `last` */
    uint32_t fixed;
    struct gl_prim *prims;
    uint32_t *vertices;
    uint32_t last[GL_ATTRIB_COUNT][4]; /* values of the layout's attributes after the pack */
};

/* ------------------------------------------------------------------------- recording groups --- */

#define MAX_GROUPS 1024 /* maximum number of groups to record before packing */

/* Returns the open group, which collects the next commands; starts a new one after the end of a
 * primitive. Returns NULL if out of memory. */
static struct gl_list_group *open_group(struct gl_context *ctx, struct gl_list_run *run)
{
    const size_t n = run->groups.count;
    if (n && !run->groups.data[n - 1].ended)
        return &run->groups.data[n - 1];
    const struct gl_list_pack *none = NULL;
    struct gl_list_group group = {0};
    struct gl_list_node *node = gl_list_node_append(ctx, GL_LIST_GROUP, sizeof none, &group.at);
    if (!node)
        return NULL;
    memcpy(gl_list_args(node), &none, sizeof none);
    if (n >= MAX_GROUPS)
        gl_list_run_finish(ctx, run, &group.at);
    if (!dynarray_append(&run->groups, group)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "display list");
        return NULL;
    }
    return &run->groups.data[run->groups.count - 1];
}

static void note(struct gl_list_group *g, unsigned attrib, unsigned n, GLenum type)
{
    const uint64_t bit = 1ull << attrib, known = g->leading | g->late;
    g->unfit |= known & bit && g->type[attrib] != type;
    if (!(known & bit) && (!g->num || attrib == VERT_ATTRIB_POS))
        g->leading |= bit;
    else if (!(known & bit))
        g->late |= bit;
    g->type[attrib] = type;
    g->size[attrib] = MAX2(g->size[attrib], n);
}

bool gl_list_run_attrib(struct gl_context *ctx, struct gl_list_run *run, unsigned attrib,
                        unsigned n, GLenum type)
{
    struct gl_list_group *g = open_group(ctx, run);
    if (!g)
        return false;
    /* Generic attribute 0 emits a vertex only between glBegin and glEnd. */
    if (attrib == VERT_ATTRIB_GENERIC0 && g->inside)
        attrib = VERT_ATTRIB_POS;
    g->unfit |= attrib == VERT_ATTRIB_GENERIC0 || (attrib == VERT_ATTRIB_POS && !g->inside) ||
                type == GL_DOUBLE; /* packs have one word per component */
    note(g, attrib, n, type);
    g->num += attrib == VERT_ATTRIB_POS;
    return true;
}

bool gl_list_run_material(struct gl_context *ctx, struct gl_list_run *run, uint32_t properties,
                          const uint32_t v[4])
{
    struct gl_list_group *g = open_group(ctx, run);
    if (!g)
        return false;
    while (properties) {
        const unsigned i = u_bit_scan(&properties);
        const bool change = gl_material_store(run->material, i, (const float *)v);
        const uint32_t bit = 1u << i;
        if (!change && run->known & bit)
            continue; /* no change, whatever the current value is */
        if (g->num)
            g->changed |= bit;
        else if (run->known & bit)
            g->changed_first |= bit;
        run->known |= bit;
        note(g, GL_ATTRIB_MATERIAL + i, gl_material_components(i), GL_FLOAT);
    }
    return true;
}

bool gl_list_run_begin(struct gl_context *ctx, struct gl_list_run *run, GLenum mode, bool array)
{
    struct gl_list_group *g = open_group(ctx, run);
    if (g && array && !g->inside && (uint32_t)(g->leading | g->late)) {
        g->ended = true; /* earlier attributes must stay current after the draw */
        g = open_group(ctx, run);
    }
    if (!g)
        return false;
    g->array = array;
    g->unfit |= g->inside || mode > GL_POLYGON;
    g->inside = true;
    return true;
}

bool gl_list_run_end(struct gl_list_run *run)
{
    const size_t n = run->groups.count;
    struct gl_list_group *g = n ? &run->groups.data[n - 1] : NULL;
    if (!g || g->ended)
        return false;
    g->unfit |= !g->inside;
    g->inside = false;
    g->ended = true;
    return true;
}

/* ---------------------------------------------------------------------------------- packing --- */

static bool can_pack(const struct gl_list_group *g)
{
    return g->ended && !g->unfit && g->num;
}

/* Returns whether a group can share the layout of the groups before it. */
static bool fits_layout(const struct gl_list_group *g, const struct gl_vertex_layout *l)
{
    uint64_t set = g->leading | g->late;
    if (set & ~l->attribs)
        return false;
    while (set) {
        unsigned a = u_bit_scan64(&set);
        if (l->type[a] != g->type[a])
            return false;
    }
    return true;
}

/* Returns how many groups from g on share a pack: at least 1, or 0 if g can't be packed. Fills in
 * the layout's attributes, sizes and types, and sets *fixed to the material properties that are set
 * only once. */
static size_t groups_of_pack(const struct gl_list_group *g, size_t count,
                             struct gl_vertex_layout *l, uint32_t *fixed)
{
    uint32_t varying = g[0].changed;
    size_t n = 0, num = 0;
    for (; n < count && can_pack(&g[n]); n++) {
        uint64_t set = g[n].leading | g[n].late;
        if (n == 0) {
            l->attribs = g[0].leading;
            memcpy(l->type, g[0].type, sizeof l->type);
        }
        const uint32_t changed = g[n].changed | (n ? g[n].changed_first : 0);
        if (!fits_layout(&g[n], l) || g[n].array != g[0].array ||
            (g[0].array && (uint32_t)set != (uint32_t)l->attribs) ||
            (changed & ~varying && num >= GL_MAX_JOINED_VERTICES))
            break;
        varying |= changed;
        num += g[n].num;
        while (set) {
            unsigned a = u_bit_scan64(&set);
            l->size[a] = MAX2(l->size[a], g[n].size[a]);
        }
    }
    *fixed = gl_materials_of(l->attribs) & ~varying;
    l->attribs &= ~((uint64_t)*fixed << GL_ATTRIB_MATERIAL);
    return n;
}

struct writer {
    struct gl_list_pack *pack;
    uint32_t *out;
};

static void write_vertex(struct writer *w)
{
    const struct gl_vertex_layout *l = &w->pack->layout;
    uint64_t attribs = l->attribs;
    while (attribs) {
        unsigned a = u_bit_scan64(&attribs);
        memcpy(w->out + l->offset[a], w->pack->last[a], l->size[a] * sizeof *w->out);
    }
    w->out += l->vertex_words;
    w->pack->num++;
    w->pack->prims[w->pack->num_prims - 1].count++;
}

static void write_node(struct writer *w, const struct gl_list_node *node)
{
    struct gl_list_pack *p = w->pack;
    switch (node->opcode) {
    case GL_SLOT_Begin:
    case GL_LIST_DRAW_BEGIN:
        p->prims[p->num_prims++] = (struct gl_prim){
            .mode = node->data, .begin = true, .end = true, .compiled = true, .start = p->num};
        p->modes |= 1u << node->data;
        break;
    case GL_SLOT_End:
    case GL_LIST_DRAW_END:
        p->num_prims -= gl_prims_merge_last(p->prims, p->num_prims);
        break;
    case GL_LIST_ATTRIB: {
        unsigned a = node->data & 0xff;
        if (a == VERT_ATTRIB_GENERIC0)
            a = VERT_ATTRIB_POS;
        memcpy(p->last[a], gl_list_args((struct gl_list_node *)node), sizeof p->last[a]);
        if (a == VERT_ATTRIB_POS)
            write_vertex(w);
        break;
    }
    case GL_LIST_MATERIAL: {
        uint32_t properties = gl_material_property_mask(node->data & 0xffff, node->data >> 16);
        while (properties) {
            unsigned a = GL_ATTRIB_MATERIAL + u_bit_scan(&properties);
            memcpy(p->last[a], gl_list_args((struct gl_list_node *)node), sizeof p->last[a]);
        }
        break;
    }
    }
}

/* Builds a pack of n groups. If out of memory, the list runs without it. */
static void pack_groups(struct gl_context *ctx, const struct gl_list_group *g, size_t n,
                        const struct gl_vertex_layout *layout, uint32_t fixed,
                        struct gl_list_position end)
{
    size_t num = 0;
    for (size_t i = 0; i < n; i++)
        num += g[i].num;
    if (num > UINT32_MAX / sizeof(uint32_t) / layout->vertex_words)
        return;
    /* One allocation, owned by the list. */
    const size_t prims = n * sizeof(struct gl_prim);
    struct gl_list_pack *p =
        malloc(sizeof *p + prims + num * layout->vertex_words * sizeof *p->vertices);
    if (!p)
        return;
    *p = (struct gl_list_pack){.end = end, .layout = *layout, .array = g[0].array, .fixed = fixed};
    p->prims = (struct gl_prim *)(p + 1);
    p->vertices = (uint32_t *)((char *)p->prims + prims);
    struct writer w = {p, p->vertices};
    for (struct gl_list_position at = g[0].at; gl_list_node_at(&at) != gl_list_node_at(&end);
         gl_list_step(&at))
        write_node(&w, gl_list_node_at(&at));
    if (gl_list_take_ownership(ctx, p))
        memcpy(gl_list_args(gl_list_node_at(&g[0].at)), &p, sizeof p);
}

void gl_list_run_finish(struct gl_context *ctx, struct gl_list_run *run,
                        const struct gl_list_position *end)
{
    const size_t count = run->groups.count;
    const struct gl_list_group *g = run->groups.data;
    for (size_t i = 0; i < count;) {
        struct gl_vertex_layout layout = {0};
        uint32_t fixed;
        size_t n = groups_of_pack(g + i, count - i, &layout, &fixed);
        if (n) {
            gl_vertex_layout_assign_offsets(&layout);
            pack_groups(ctx, g + i, n, &layout, fixed, i + n < count ? g[i + n].at : *end);
        }
        i += MAX2(n, 1);
    }
    run->groups.count = 0;
    run->known = 0;
}

/* ---------------------------------------------------------------------------------- drawing --- */

bool gl_list_pack_draw(struct gl_context *ctx, struct gl_list_node *node,
                       struct gl_list_position *place)
{
    const struct gl_list_pack *p;
    memcpy(&p, gl_list_args(node), sizeof p);
    if (!p || ctx->inside_begin_end || ctx->render_mode != GL_RENDER)
        return false;
    const uint32_t varying = gl_materials_of(p->layout.attribs);
    if ((p->fixed | varying) && !gl_material_is_per_vertex(ctx))
        return false;
    for (uint32_t modes = p->modes; modes;)
        if (!gl_validate_draw(ctx, u_bit_scan(&modes), "glBegin"))
            return false;
    for (uint32_t fixed = p->fixed; fixed;) {
        unsigned i = u_bit_scan(&fixed);
        gl_material_set_property(ctx, i, (const float *)p->last[GL_ATTRIB_MATERIAL + i]);
    }
    gl_immediate_append(ctx, &p->layout, p->vertices, p->num, p->prims, p->num_prims, p->last,
                        p->array);
    *place = p->end;
    return true;
}
