/* SPDX-License-Identifier: MIT */
/* Immediate mode: stores the vertices between glBegin and glEnd, and draws several primitives at
 * once. */
#include "gl/compat/gl_immediate.h"

#include <assert.h>
#include <stdlib.h>
#include <talloc.h>

#include "gl/compat/gl_set_material.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_current.h"
#include "gl/context/gl_share.h"
#include "gl/draw/gl_array.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_feedback.h"
#include "gl/state/gl_material.h"
#include "gl_entry.h"
#include "util/format.h"
#include "util/half.h"

#define FLUSH_VERTEX_COUNT 8192 /* glEnd draws if at least this many vertices are stored */

static void flush_vertices(struct gl_context *ctx);

bool gl_immediate_init(struct gl_context *ctx)
{
    ctx->immediate = talloc_zero(ctx, struct gl_immediate);
    if (!ctx->immediate)
        return false;
    ctx->immediate->prims.mem_ctx = ctx->immediate;
    ctx->hooks.flush_vertices = flush_vertices;
    return true;
}

void gl_immediate_finish(struct gl_context *ctx)
{
    if (ctx->immediate)
        free(ctx->immediate->store);
}

/* ---------------------------------------------------------------------------------- layouts --- */

/* Sets the offsets of the attributes whose components have 64 bits or, if !wide, of the others.
 * Returns the number of words up to their end. */
static unsigned assign_offsets(struct gl_vertex_layout *l, bool wide, unsigned words)
{
    for (uint64_t attribs = l->attribs; attribs;) {
        unsigned a = u_bit_scan64(&attribs);
        if ((l->type[a] == GL_DOUBLE || l->type[a] == GL_UNSIGNED_INT64_ARB) == wide) {
            l->offset[a] = words;
            words += l->size[a];
        }
    }
    return words;
}

void gl_vertex_layout_assign_offsets(struct gl_vertex_layout *l)
{
    const unsigned wide = assign_offsets(l, true, 0), words = assign_offsets(l, false, wide);
    l->vertex_words = wide ? ALIGN_POT(words, 2) : words;
    assert(l->vertex_words <= GL_VERTEX_WORDS);
}

/* Returns the current value of an attribute, for vertices stored without it. */
static const void *current_value(const struct gl_context *ctx, unsigned a)
{
    struct gl_light_state *s = (struct gl_light_state *)&ctx->light;
    return a < VERT_ATTRIB_COUNT ? (const void *)ctx->current_attribs.attrib[a]
                                 : gl_material_property(s->material, a - GL_ATTRIB_MATERIAL);
}

/* Converts one vertex to a new layout. New attributes get the current values. */
static void convert_vertex(const struct gl_context *ctx, const struct gl_vertex_layout *from,
                           const uint32_t *src, const struct gl_vertex_layout *to, uint32_t *dst)
{
    uint64_t attribs = to->attribs;
    while (attribs) {
        unsigned a = u_bit_scan64(&attribs);
        uint32_t *out = dst + to->offset[a];
        const GLenum current =
            a < VERT_ATTRIB_COUNT ? ctx->current_attribs.attrib_type[a] : GL_FLOAT;
        if (from->attribs >> a & 1)
            gl_convert_attrib(out, to->size[a], to->type[a], src + from->offset[a], from->size[a],
                              from->type[a]);
        else if (current == GL_DOUBLE)
            gl_convert_attrib(out, to->size[a], to->type[a],
                              (const uint32_t *)ctx->current_attribs.wide[a - VERT_ATTRIB_GENERIC0],
                              8, GL_DOUBLE);
        else if (to->type[a] == GL_DOUBLE)
            gl_convert_attrib(out, to->size[a], GL_DOUBLE, current_value(ctx, a), 4, current);
        else
            memcpy(out, current_value(ctx, a), to->size[a] * sizeof *out);
    }
}

static bool grow_store(struct gl_immediate *imm, size_t words)
{
    size_t capacity = MAX2(imm->capacity * 2, 16384);
    while (capacity < words)
        capacity *= 2;
    uint32_t *store = realloc(imm->store, capacity * sizeof *store);
    if (!store)
        return false;
    imm->store = store;
    imm->capacity = capacity;
    return true;
}

static bool reserve(struct gl_immediate *imm, size_t words)
{
    return likely(words <= imm->capacity) || grow_store(imm, words);
}

/* Returns the size in words that the store needs to append a vertex. */
static inline size_t stored_words(const struct gl_immediate *imm)
{
    const unsigned words = imm->layout.vertex_words;
    return (size_t)imm->num * words + ALIGN_POT(words, 4);
}

/* Extends the layout to n components of an attribute, converting the stored vertices. Returns false
 * if out of memory. */
static bool grow_layout(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type)
{
    struct gl_immediate *imm = ctx->immediate;
    struct gl_vertex_layout next = imm->layout;
    const bool had = imm->layout.attribs >> attrib & 1;
    next.attribs |= 1ull << attrib;
    if (had && (type == GL_DOUBLE) != (next.type[attrib] == GL_DOUBLE)) /* keep the components */
        next.size[attrib] = type == GL_DOUBLE ? next.size[attrib] * 2 : next.size[attrib] / 2;
    next.size[attrib] = MAX2(n, had ? next.size[attrib] : 0);
    next.type[attrib] = type;
    /* A new attribute needs all components of the current value in the stored vertices. */
    if (imm->num && !had && attrib != VERT_ATTRIB_POS && attrib < VERT_ATTRIB_COUNT)
        next.size[attrib] = gl_attrib_words(type);
    gl_vertex_layout_assign_offsets(&next);

    if (imm->num) {
        uint32_t *store =
            malloc(MAX2(imm->capacity, (size_t)(imm->num + 1) * next.vertex_words) * sizeof *store);
        if (!store)
            return false;
        for (unsigned i = 0; i < imm->num; i++)
            convert_vertex(ctx, &imm->layout, imm->store + (size_t)i * imm->layout.vertex_words,
                           &next, store + (size_t)i * next.vertex_words);
        imm->capacity = MAX2(imm->capacity, (size_t)(imm->num + 1) * next.vertex_words);
        free(imm->store);
        imm->store = store;
    }
    uint32_t vertex[ARRAY_SIZE(imm->vertex)];
    convert_vertex(ctx, &imm->layout, imm->vertex, &next, vertex);
    memcpy(imm->vertex, vertex, next.vertex_words * sizeof *vertex);
    if (imm->loop_split) {
        convert_vertex(ctx, &imm->layout, imm->loop_first, &next, vertex);
        memcpy(imm->loop_first, vertex, next.vertex_words * sizeof *vertex);
    }
    imm->layout = next;
    return true;
}

/* ------------------------------------------------------------------------------- attributes --- */

/* Stores a vertex for which the store has room. `vertex` has GL_VERTEX_WORDS words; the layout's
 * words come first. Copies four words at a time, possibly too many, which is faster than memcpy for
 * so few. */
static inline void append_reserved(struct gl_immediate *imm, const uint32_t *vertex)
{
    const unsigned words = imm->layout.vertex_words;
    uint32_t *to = imm->store + (size_t)imm->num * words;
    for (unsigned i = 0; i < words; i += 4)
        memcpy(to + i, vertex + i, 4 * sizeof *to);
    imm->num++;
    imm->prims.data[imm->prims.count - 1].count++;
}

/* Stores a vertex after enlarging the store. A separate function, so that append_vertex needs no
 * stack frame. */
static __attribute__((noinline)) void append_grown(struct gl_context *ctx, const uint32_t *vertex)
{
    struct gl_immediate *imm = ctx->immediate;
    if (grow_store(imm, stored_words(imm)))
        append_reserved(imm, vertex);
    else
        gl_error(ctx, GL_OUT_OF_MEMORY, "glVertex");
}

/* Stores a vertex (see append_reserved). */
static inline void append_vertex(struct gl_context *ctx, const uint32_t *vertex)
{
    struct gl_immediate *imm = ctx->immediate;
    if (likely(stored_words(imm) <= imm->capacity))
        append_reserved(imm, vertex);
    else
        append_grown(ctx, vertex);
}

/* Sets an attribute of the layout in the next vertex to the words v. Inlined, so that gl_attrib
 * calls no function. */
static inline __attribute__((always_inline)) void write_attrib(struct gl_immediate *imm,
                                                               unsigned attrib, const uint32_t *v)
{
    uint32_t *to = imm->vertex + imm->layout.offset[attrib];
    const unsigned n = imm->layout.size[attrib];
    to[0] = v[0];
    if (n > 1)
        to[1] = v[1];
    if (n > 2)
        to[2] = v[2];
    if (n > 3)
        to[3] = v[3];
    for (unsigned i = 4; i < n; i++)
        to[i] = v[i];
}

/* Returns whether the layout contains n components of an attribute, with this type. */
static inline bool fits_layout(const struct gl_immediate *imm, unsigned attrib, unsigned n,
                               GLenum type)
{
    const struct gl_vertex_layout *l = &imm->layout;
    return l->attribs >> attrib & 1 && l->size[attrib] >= n && l->type[attrib] == type;
}

/* Returns whether an attribute set between primitives may be stored in vertices: its type must not
 * change, and nothing else may read it (glColorMaterial). */
static bool can_join(const struct gl_context *ctx, unsigned attrib, GLenum type)
{
    const struct gl_vertex_layout *l = &ctx->immediate->layout;
    const GLenum had =
        l->attribs >> attrib & 1 ? l->type[attrib] : ctx->current_attribs.attrib_type[attrib];
    return had == type && (attrib != VERT_ATTRIB_COLOR0 || !ctx->light.color_material ||
                           gl_material_is_per_vertex(ctx));
}

/* Sets the current value of an attribute. */
static void set_current(struct gl_context *ctx, unsigned a, GLenum type, const uint32_t *v)
{
    struct gl_current_state *s = &ctx->current_attribs;
    s->attrib_type[a] = type;
    if (type == GL_DOUBLE) {
        assert(a >= VERT_ATTRIB_GENERIC0 && a < VERT_ATTRIB_COUNT);
        memcpy(s->wide[a - VERT_ATTRIB_GENERIC0], v, sizeof s->wide[0]);
        for (unsigned i = 0; i < 4; i++)
            s->attrib[a][i] = (float)s->wide[a - VERT_ATTRIB_GENERIC0][i];
        return;
    }
    memcpy(s->attrib[a], v, 4 * sizeof *v);
    if (type == GL_UNSIGNED_INT64_ARB) {
        assert(a >= VERT_ATTRIB_GENERIC0 && a < VERT_ATTRIB_COUNT);
        double *wide = s->wide[a - VERT_ATTRIB_GENERIC0];
        memset(wide, 0, sizeof s->wide[0]);
        memcpy(wide, v, sizeof(GLuint64));
    }
    if (a == VERT_ATTRIB_COLOR0)
        gl_material_track_color(ctx);
}

/* Sets an attribute if no glBegin is open, or if the attribute does not fit the layout. */
static __attribute__((noinline)) void set_attrib(struct gl_context *ctx, unsigned attrib,
                                                 unsigned n, GLenum type, const uint32_t *v)
{
    struct gl_immediate *imm = ctx->immediate;
    if (ctx->inside_begin_end) {
        if (!grow_layout(ctx, attrib, n, type)) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "glBegin/glEnd");
            return;
        }
        write_attrib(imm, attrib, v);
        if (attrib == VERT_ATTRIB_POS)
            append_vertex(ctx, imm->vertex);
        return;
    }
    if (attrib == VERT_ATTRIB_POS)
        return; /* glVertex outside glBegin / glEnd is undefined */
    if (imm->num && fits_layout(imm, attrib, n, type)) {
        imm->waiting &= ~(1ull << attrib); /* overrides a value set between primitives */
        write_attrib(imm, attrib, v);
        return;
    }
    if (imm->num && imm->num < GL_MAX_JOINED_VERTICES && can_join(ctx, attrib, type)) {
        imm->waiting |= 1u << attrib;
        memcpy(imm->next[attrib].v, v, gl_attrib_words(type) * sizeof *v);
        imm->next[attrib].type = type;
        imm->next[attrib].n = n;
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    set_current(ctx, attrib, type, v);
}

void gl_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type, const uint32_t *v)
{
    struct gl_immediate *imm = ctx->immediate;
    if (unlikely(!ctx->inside_begin_end || !fits_layout(imm, attrib, n, type))) {
        set_attrib(ctx, attrib, n, type, v);
        return;
    }
    write_attrib(imm, attrib, v);
    if (attrib == VERT_ATTRIB_POS)
        append_vertex(ctx, imm->vertex);
}

void gl_attrib_current(struct gl_context *ctx, unsigned attrib, float v[4])
{
    const struct gl_immediate *imm = ctx->immediate;
    const struct gl_vertex_layout *l = &imm->layout;
    const bool waits = imm->waiting >> attrib & 1;
    memcpy(v, waits ? (const void *)imm->next[attrib].v : ctx->current_attribs.attrib[attrib],
           4 * sizeof *v);
    if (waits || !(l->attribs >> attrib & 1))
        return;
    for (unsigned i = 0; i < 4; i++)
        v[i] = uif(i < l->size[attrib] ? imm->vertex[l->offset[attrib] + i]
                                       : gl_default_component(GL_FLOAT, i));
}

unsigned gl_generic_attrib(struct gl_context *ctx, GLuint index)
{
    if (index == 0 && ctx->inside_begin_end)
        return VERT_ATTRIB_POS;
    if (index < (unsigned)ctx->consts.max_vertex_attribs)
        return VERT_ATTRIB_GENERIC(index);
    gl_error(ctx, GL_INVALID_VALUE, "glVertexAttrib(index=%u)", index);
    return VERT_ATTRIB_COUNT;
}

/* --------------------------------------------------------------------------------- flushing --- */

static void set_current_material(struct gl_context *ctx, unsigned property, const float *v)
{
    if (!(gl_material_tracked_properties(ctx) >> property & 1) &&
        gl_material_store(ctx->light.material, property, v))
        ctx->dirty |= GL_DIRTY_MATERIAL;
}

/* Makes the attributes of the last vertex the current ones. */
static void copy_to_current(struct gl_context *ctx)
{
    const struct gl_immediate *imm = ctx->immediate;
    uint32_t materials = gl_materials_of(imm->layout.attribs);
    while (materials) {
        unsigned i = u_bit_scan(&materials);
        const uint32_t *v = imm->vertex + imm->layout.offset[GL_ATTRIB_MATERIAL + i];
        set_current_material(ctx, i, (const float *)v);
    }
    uint32_t attribs = (uint32_t)imm->layout.attribs & ~(1u << VERT_ATTRIB_POS);
    while (attribs) {
        unsigned a = u_bit_scan(&attribs);
        uint32_t v[8];
        for (unsigned i = 0; i < gl_attrib_words(imm->layout.type[a]); i++)
            v[i] = i < imm->layout.size[a] ? imm->vertex[imm->layout.offset[a] + i]
                                           : gl_default_component(imm->layout.type[a], i);
        set_current(ctx, a, imm->layout.type[a], v);
    }
}

static void draw_stored(struct gl_context *ctx)
{
    struct gl_immediate *imm = ctx->immediate;
    if (!imm->num)
        return;
    bool outermost = gl_share_enter(ctx);
    if (ctx->render_mode != GL_RENDER)
        gl_feedback_vertices(ctx, &imm->layout, imm->store, imm->prims.data, imm->prims.count);
    else
        gl_draw_vertices(ctx, &imm->layout, imm->store, NULL, imm->num, imm->prims.data,
                         imm->prims.count);
    gl_share_leave(ctx, outermost);
    imm->num = 0;
}

/* Draws the stored part of an open primitive, which then continues with new state (glMaterial). */
static void split_primitive(struct gl_context *ctx);

static void flush_vertices(struct gl_context *ctx)
{
    struct gl_immediate *imm = ctx->immediate;
    if (ctx->inside_begin_end) {
        split_primitive(ctx);
        return;
    }
    ctx->need_flush = false; /* first, because drawing calls functions that flush */
    draw_stored(ctx);
    imm->prims.count = 0;
    copy_to_current(ctx);
    while (imm->waiting) {
        unsigned a = u_bit_scan(&imm->waiting);
        set_current(ctx, a, imm->next[a].type, imm->next[a].v);
    }
    if (ctx->light.material_pending)
        gl_material_apply_pending(ctx);
    imm->layout.attribs = 0;
    imm->layout.vertex_words = 0;
}

/* ---------------------------------------------------------------------------- begin and end --- */

/* Applies the attributes set between primitives to the next vertices. */
static void apply_deferred_attribs(struct gl_context *ctx)
{
    struct gl_immediate *imm = ctx->immediate;
    if (imm->num >= GL_MAX_JOINED_VERTICES) {
        flush_vertices(ctx);
        return;
    }
    ctx->inside_begin_end = true;
    while (imm->waiting) {
        unsigned a = u_bit_scan(&imm->waiting);
        gl_attrib(ctx, a, imm->next[a].n, imm->next[a].type, imm->next[a].v);
    }
    if (ctx->light.material_pending)
        gl_material_begin(ctx);
    ctx->inside_begin_end = false;
}

void gl_Begin(GLenum mode)
{
    GL_CONTEXT(ctx);
    struct gl_immediate *imm = ctx->immediate;
    if (ctx->inside_begin_end) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBegin(inside glBegin/glEnd)");
        return;
    }
    /* A primitive of the same mode and state as the previous one needs no validation. */
    const bool again =
        ctx->need_flush && imm->prims.count && imm->prims.data[imm->prims.count - 1].mode == mode;
    if (!again && !gl_validate_draw(ctx, mode, "glBegin"))
        return;
    if (unlikely(imm->waiting || ctx->light.material_pending))
        apply_deferred_attribs(ctx);
    struct gl_prim prim = {.mode = mode, .begin = true, .start = imm->num};
    if (!dynarray_append(&imm->prims, prim)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glBegin");
        return;
    }
    imm->loop_split = false;
    ctx->need_flush = true;
    ctx->inside_begin_end = true;
    gl_dispatch_select(ctx);
}

/* Returns the vertices per primitive of modes with independent primitives, or 0 for the others.
 * Also 0 for patches, whose size is state. */
static unsigned independent_size(unsigned mode)
{
    switch (mode) {
    case GL_POINTS:
        return 1;
    case GL_LINES:
        return 2;
    case GL_TRIANGLES:
        return 3;
    case GL_QUADS:
        return 4;
    default:
        return 0;
    }
}

unsigned gl_prims_merge_last(struct gl_prim *prims, unsigned count)
{
    if (count < 2)
        return 0;
    const struct gl_prim *last = &prims[count - 1];
    struct gl_prim *before = &prims[count - 2];
    unsigned size = independent_size(last->mode);
    if (!size || before->mode != last->mode || before->compiled != last->compiled ||
        before->count % size || before->start + before->count != last->start)
        return 0;
    before->count += last->count;
    return 1;
}

void gl_End(void)
{
    GL_CONTEXT(ctx);
    struct gl_immediate *imm = ctx->immediate;
    if (!ctx->inside_begin_end) {
        gl_error(ctx, GL_INVALID_OPERATION, "glEnd(no glBegin)");
        return;
    }
    if (imm->loop_split)
        append_vertex(ctx, imm->loop_first);
    imm->loop_split = false;
    imm->prims.data[imm->prims.count - 1].end = true;
    ctx->inside_begin_end = false;
    gl_dispatch_select(ctx);
    imm->prims.count -= gl_prims_merge_last(imm->prims.data, imm->prims.count);
    gl_material_end(ctx);
    if (imm->num >= FLUSH_VERTEX_COUNT || ctx->render_mode != GL_RENDER)
        flush_vertices(ctx);
}

/* minimum vertices for a separate draw; copying more costs more than it saves */
#define DIRECT_VERTICES 64

static bool same_layout(const struct gl_vertex_layout *a, const struct gl_vertex_layout *b)
{
    if (a->attribs != b->attribs)
        return false;
    for (uint64_t attribs = a->attribs; attribs;) {
        unsigned i = u_bit_scan64(&attribs);
        if (a->size[i] != b->size[i] || a->type[i] != b->type[i])
            return false;
    }
    return true;
}

/* Makes the last vertex's attributes current after vertices were drawn directly. attribs: mask of
 * attributes to set. */
static void set_last_attribs(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                             uint64_t attribs, const uint32_t (*last)[4])
{
    attribs &= layout->attribs & ~(1ull << VERT_ATTRIB_POS);
    while (attribs) {
        unsigned a = u_bit_scan64(&attribs);
        if (a >= GL_ATTRIB_MATERIAL)
            set_current_material(ctx, a - GL_ATTRIB_MATERIAL, (const float *)last[a]);
        else
            set_current(ctx, a, layout->type[a], last[a]);
    }
}

void gl_immediate_append(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                         const uint32_t *vertices, unsigned num, const struct gl_prim *prims,
                         unsigned num_prims, const uint32_t (*last)[4], bool array)
{
    struct gl_immediate *imm = ctx->immediate;
    if (num >= DIRECT_VERTICES || array) {
        FLUSH_VERTICES(ctx, 0);
        gl_draw_vertices(ctx, layout, vertices, NULL, num, prims, num_prims);
        set_last_attribs(ctx, layout, array ? ~0ull << GL_ATTRIB_MATERIAL : ~0ull, last);
        return;
    }
    if (ctx->need_flush &&
        (imm->waiting || ctx->light.material_pending || !same_layout(&imm->layout, layout)))
        flush_vertices(ctx);
    const size_t words = (size_t)num * layout->vertex_words;
    if (!reserve(imm, (size_t)imm->num * layout->vertex_words + words)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCallList");
        return;
    }
    for (unsigned i = 0; i < num_prims; i++) {
        struct gl_prim prim = prims[i];
        prim.start += imm->num;
        if (!dynarray_append(&imm->prims, prim)) {
            gl_error(ctx, GL_OUT_OF_MEMORY, "glCallList");
            return;
        }
        imm->prims.count -= gl_prims_merge_last(imm->prims.data, imm->prims.count);
    }
    imm->layout = *layout;
    memcpy(imm->store + (size_t)imm->num * layout->vertex_words, vertices,
           words * sizeof *vertices);
    imm->num += num;
    for (uint64_t attribs = layout->attribs & ~(1ull << VERT_ATTRIB_POS); attribs;) {
        unsigned a = u_bit_scan64(&attribs);
        write_attrib(imm, a, last[a]);
    }
    ctx->need_flush = true;
    if (imm->num >= FLUSH_VERTEX_COUNT)
        flush_vertices(ctx);
}

#define MAX_REPEATED_VERTICES 31 /* the largest patch minus one vertex */

/* Returns the number of vertices that the next piece of an open primitive repeats, and their
 * indices from the primitive's start. count: vertices so far. Sets *drawn to the number that this
 * piece may draw. */
static unsigned carried(const struct gl_context *ctx, unsigned mode, unsigned count,
                        unsigned *drawn, unsigned index[MAX_REPEATED_VERTICES])
{
    unsigned n = 0,
             size = mode == GL_PATCHES ? ctx->program.patch_vertices : independent_size(mode);
    *drawn = count;
    if (size) {
        *drawn = count - count % size;
        for (unsigned i = *drawn; i < count; i++)
            index[n++] = i;
        return n;
    }
    switch (mode) {
    case GL_LINE_STRIP:
    case GL_LINE_LOOP:
        n = MIN2(count, 1);
        break;
    case GL_TRIANGLE_STRIP:
    case GL_QUAD_STRIP:
        /* Pieces have even lengths to keep the winding. */
        *drawn = count & ~1u;
        n = MIN2(count, 2 + (count & 1));
        break;
    default: /* fans and polygons repeat the first and the last vertex */
        if (count >= 2) {
            index[0] = 0;
            index[1] = count - 1;
            return 2;
        }
        n = count;
    }
    for (unsigned i = 0; i < n; i++)
        index[i] = count - n + i;
    return n;
}

static void split_primitive(struct gl_context *ctx)
{
    struct gl_immediate *imm = ctx->immediate;
    struct gl_prim *prim = &imm->prims.data[imm->prims.count - 1];
    unsigned words = imm->layout.vertex_words, index[MAX_REPEATED_VERTICES], drawn;
    if (!imm->num)
        return;
    unsigned mode = prim->mode;
    if (mode == GL_LINE_LOOP && prim->count) {
        memcpy(imm->loop_first, imm->store + (size_t)prim->start * words, words * 4);
        imm->loop_split = true;
        mode = prim->mode = GL_LINE_STRIP;
    }
    unsigned n = carried(ctx, mode, prim->count, &drawn, index);
    uint32_t kept[MAX_REPEATED_VERTICES][GL_VERTEX_WORDS];
    for (unsigned i = 0; i < n; i++)
        memcpy(kept[i], imm->store + (size_t)(prim->start + index[i]) * words, words * 4);
    prim->count = drawn;
    /* Drawing needs the state outside glBegin and glEnd. */
    ctx->inside_begin_end = false;
    ctx->need_flush = false;
    draw_stored(ctx);
    copy_to_current(ctx);
    ctx->inside_begin_end = true;
    ctx->need_flush = true;
    for (unsigned i = 0; i < n; i++)
        memcpy(imm->store + (size_t)i * words, kept[i], words * 4);
    imm->num = n;
    imm->prims.data[0] = (struct gl_prim){.mode = mode, .count = n};
    imm->prims.count = 1;
}

/* --------------------------------------------------------------------------- array elements --- */

bool gl_packed_type(struct gl_context *ctx, GLenum type, bool generic, const char *name)
{
    if (type == GL_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_2_10_10_10_REV ||
        (type == GL_UNSIGNED_INT_10F_11F_11F_REV && generic &&
         ctx->ext.ARB_vertex_type_10f_11f_11f_rev))
        return true;
    gl_error(ctx, GL_INVALID_ENUM, "%s(type=%s)", name, gl_enum_name(type));
    return false;
}

/* Sets an attribute from an array. Generic attribute 0 is the position (GL 4.6 compatibility
 * §10.2.1). */
static void exec_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type,
                        const uint32_t *v)
{
    if (attrib == VERT_ATTRIB_GENERIC0 && ctx->inside_begin_end)
        attrib = VERT_ATTRIB_POS;
    gl_attrib(ctx, attrib, n, type, v);
}

void gl_ArrayElement(GLint i)
{
    GL_CONTEXT(ctx);
    if (gl_element_restarts(ctx, i)) {
        gl_PrimitiveRestartNV();
        return;
    }
    if (i < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glArrayElement(i=%d)", i);
        return;
    }
    /* GL 4.6 compatibility §10.7.4: the first element of instanced arrays */
    gl_array_element(ctx, i, 0, 0, exec_attrib);
}

void gl_PrimitiveRestartNV(void)
{
    GL_CONTEXT(ctx);
    if (!ctx->inside_begin_end) {
        gl_error(ctx, GL_INVALID_OPERATION, "glPrimitiveRestartNV(no glBegin)");
        return;
    }
    unsigned mode = ctx->immediate->prims.data[ctx->immediate->prims.count - 1].mode;
    gl_End();
    gl_Begin(mode);
}

/* ------------------------------------------------------------------------------- rectangles --- */

void gl_Rectf(GLfloat x1, GLfloat y1, GLfloat x2, GLfloat y2)
{
    gl_Begin(GL_QUADS);
    gl_Vertex2f(x1, y1);
    gl_Vertex2f(x2, y1);
    gl_Vertex2f(x2, y2);
    gl_Vertex2f(x1, y2);
    GL_CONTEXT(ctx);
    if (ctx->inside_begin_end)
        gl_End();
}

#define RECT(suffix, type)                                                                         \
    void gl_Rect##suffix(type x1, type y1, type x2, type y2)                                       \
    {                                                                                              \
        gl_Rectf(x1, y1, x2, y2);                                                                  \
    }                                                                                              \
    void gl_Rect##suffix##v(const type *v1, const type *v2)                                        \
    {                                                                                              \
        gl_Rectf(v1[0], v1[1], v2[0], v2[1]);                                                      \
    }
RECT(d, GLdouble)
RECT(i, GLint)
RECT(s, GLshort)

void gl_Rectfv(const GLfloat *v1, const GLfloat *v2)
{
    gl_Rectf(v1[0], v1[1], v2[0], v2[1]);
}
