/* SPDX-License-Identifier: MIT */
/*
 * Primitive assembly: turns the vertices of a topology into points, lines, triangles, rectangles
 * and patches. Quads and polygons become triangles.
 * Source: Sandy Bridge PRM, volume 2 part 1, "3D Primitive Topology Type", "Object Vertex
 * Ordering".
 */
#include "model_geometry.h"

#define TOPOLOGY(name) I965_PRIMITIVE_TOPOLOGY_TYPE_##name

void model_assemble_start(struct model_assembler *a, unsigned topology)
{
    a->topology = topology;
    a->count = a->primitives = 0;
    a->primitive_id = 0;
}

static bool emit(struct model_assembler *a, struct model_object *o)
{
    o->primitive_id = a->primitive_id;
    return a->receive(a->draw, o);
}

/* Emits v[0] to v[count - 1] and counts the primitive. */
static bool emit_list(struct model_assembler *a, enum model_primitive_kind kind, unsigned count,
                      unsigned provoking, bool adjacency)
{
    struct model_object o = {.kind = kind,
                             .count = (uint8_t)count,
                             .provoking = (uint8_t)provoking,
                             .adjacency = adjacency,
                             .line_start = true,
                             .edge = {true, true, true}};
    memcpy(o.v, a->v, count * sizeof o.v[0]);
    for (unsigned i = 0; i < 3 && a->topology == TOPOLOGY(TRILIST); i++)
        o.edge[i] = o.v[i].edge;
    if (kind == MODEL_POINT)
        o.edge[0] = o.v[0].edge;
    a->count = 0;
    bool done = emit(a, &o);
    a->primitive_id++;
    return done;
}

/* --- Lines --- */

static bool emit_line(struct model_assembler *a, struct model_vue from, struct model_vue to)
{
    struct model_object o = {.kind = MODEL_LINE,
                             .count = 2,
                             .provoking = (uint8_t)(a->select_line & 1),
                             .line_start = a->primitives == 0,
                             .edge = {true, true, true},
                             .v = {from, to}};
    bool done = emit(a, &o);
    a->primitives++;
    a->primitive_id++;
    return done;
}

static bool line_strip(struct model_assembler *a)
{
    if (a->count < 2)
        return true;
    struct model_vue from = a->v[0], to = a->v[1];
    if (!a->primitives)
        a->first = from;
    a->v[0] = to;
    a->count = 1;
    return emit_line(a, from, to);
}

/* The first and last vertices are adjacent ones. */
static bool line_strip_adjacency(struct model_assembler *a)
{
    if (a->count < 4)
        return true;
    struct model_object o = {.kind = MODEL_LINE,
                             .count = 4,
                             .provoking = (uint8_t)(1 + (a->select_line & 1)),
                             .adjacency = true,
                             .line_start = a->primitives == 0,
                             .edge = {true, true, true}};
    memcpy(o.v, a->v, 4 * sizeof o.v[0]);
    memmove(a->v, a->v + 1, 3 * sizeof a->v[0]);
    a->count = 3;
    bool done = emit(a, &o);
    a->primitives++;
    a->primitive_id++;
    return done;
}

/* --- Triangles --- */

/* Emits a triangle of a polygon: v[0] is its first vertex. */
static bool emit_polygon_triangle(struct model_assembler *a, struct model_vue first,
                                  struct model_vue second, struct model_vue third, bool begins,
                                  bool ends)
{
    struct model_object o = {.kind = MODEL_TRIANGLE,
                             .count = 3,
                             .line_start = true,
                             .edge = {begins && first.edge, second.edge, ends && third.edge},
                             .v = {first, second, third}};
    return emit(a, &o);
}

static bool triangle_strip(struct model_assembler *a)
{
    if (a->count < 3)
        return true;
    bool odd = (a->primitives & 1) != (a->topology == TOPOLOGY(TRISTRIP_REVERSE));
    unsigned select = MIN2(a->select_strip, 2);
    struct model_object o = {
        .kind = MODEL_TRIANGLE, .count = 3, .line_start = true, .edge = {true, true, true}};
    /* Exchange two vertices of every other triangle, for the winding. */
    static const uint8_t orders[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}};
    const uint8_t *order = orders[!odd ? 0 : a->trailing ? 2 : 1];
    for (unsigned i = 0; i < 3; i++) {
        o.v[i] = a->v[order[i]];
        if (order[i] == select)
            o.provoking = (uint8_t)i;
    }
    memmove(a->v, a->v + 1, 2 * sizeof a->v[0]);
    a->count = 2;
    bool done = emit(a, &o);
    a->primitives++;
    a->primitive_id++;
    return done;
}

static bool triangle_fan(struct model_assembler *a)
{
    if (a->count < 3)
        return true;
    struct model_object o = {.kind = MODEL_TRIANGLE,
                             .count = 3,
                             .provoking = (uint8_t)MIN2(a->select_fan, 2),
                             .line_start = true,
                             .edge = {true, true, true},
                             .v = {a->v[0], a->v[1], a->v[2]}};
    a->v[1] = a->v[2];
    a->count = 2;
    bool done = emit(a, &o);
    a->primitives++;
    a->primitive_id++;
    return done;
}

/* Holds back a triangle until the next vertex, because the last one has one more boundary edge. */
static bool polygon(struct model_assembler *a)
{
    if (a->count < 4)
        return true;
    bool done = emit_polygon_triangle(a, a->v[0], a->v[1], a->v[2], a->primitives++ == 0, false);
    a->v[1] = a->v[2];
    a->v[2] = a->v[3];
    a->count = 3;
    return done;
}

static bool end_polygon(struct model_assembler *a)
{
    bool done = a->count < 3 ||
                emit_polygon_triangle(a, a->v[0], a->v[1], a->v[2], a->primitives == 0, true);
    a->primitive_id++;
    return done;
}

/* Emits two triangles. The last vertex is the provoking one, as OpenGL requires. */
static bool quad(struct model_assembler *a, struct model_vue v0, struct model_vue v1,
                 struct model_vue v2, struct model_vue v3)
{
    bool done = emit_polygon_triangle(a, v3, v0, v1, true, false) &&
                emit_polygon_triangle(a, v3, v1, v2, false, true);
    a->primitive_id++;
    return done;
}

static bool quad_list(struct model_assembler *a)
{
    if (a->count < 4)
        return true;
    a->count = 0;
    return quad(a, a->v[0], a->v[1], a->v[2], a->v[3]);
}

static bool quad_strip(struct model_assembler *a)
{
    if (a->count < 4)
        return true;
    struct model_vue v[4];
    for (unsigned i = 0; i < 4; i++) {
        v[i] = a->v[i];
        v[i].edge = true;
    }
    a->v[0] = a->v[2];
    a->v[1] = a->v[3];
    a->count = 2;
    return quad(a, v[2], v[0], v[1], v[3]);
}

/* Emits triangle `a->primitives` of a strip with adjacency from vertices v[0] (the first of the
 * triangle) on. v[-2] is in `first` from the second triangle on. */
static bool emit_strip_adjacency(struct model_assembler *a, bool last)
{
    const struct model_vue *v = a->v;
    struct model_vue before = a->primitives ? a->first : v[1];
    struct model_vue after = last ? v[5] : v[6];
    bool odd = a->primitives & 1;
    struct model_object o = {.kind = MODEL_TRIANGLE,
                             .count = 6,
                             .adjacency = true,
                             .line_start = true,
                             .edge = {true, true, true}};
    /* Vertices 0, 2, 4 and the adjacent ones of the edges 0-2, 2-4, 4-0. */
    struct model_vue corner[3] = {v[0], v[2], v[4]};
    struct model_vue beside[3] = {before, after, v[3]};
    static const uint8_t orders[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}};
    static const uint8_t edges[3][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}};
    unsigned order = !odd ? 0 : a->trailing ? 2 : 1;
    unsigned select = MIN2(a->select_strip, 2);
    for (unsigned i = 0; i < 3; i++) {
        o.v[2 * i] = corner[orders[order][i]];
        o.v[2 * i + 1] = beside[edges[order][i]];
        if (orders[order][i] == select)
            o.provoking = (uint8_t)(2 * i);
    }
    bool done = emit(a, &o);
    a->primitives++;
    a->primitive_id++;
    a->first = v[0];
    memmove(a->v, a->v + 2, (a->count - 2) * sizeof a->v[0]);
    a->count -= 2;
    return done;
}

/* A triangle has six vertices; unless it is the last, the one after them is adjacent to it. */
static bool triangle_strip_adjacency(struct model_assembler *a)
{
    return a->count < 8 || emit_strip_adjacency(a, false);
}

static bool end_strip_adjacency(struct model_assembler *a)
{
    return a->count < 6 || emit_strip_adjacency(a, true);
}

/* --- Interface --- */

bool model_assemble_vertex(struct model_assembler *a, struct model_vue vertex)
{
    a->v[a->count++] = vertex;
    if (a->topology >= MODEL_PATCHLIST_1) {
        unsigned size = a->topology - MODEL_PATCHLIST_1 + 1;
        return a->count < size || emit_list(a, MODEL_POINT, size, 0, false);
    }
    switch (a->topology) {
    case TOPOLOGY(POINTLIST):
    case TOPOLOGY(POINTLIST_BF):
        return emit_list(a, MODEL_POINT, 1, 0, false);
    case TOPOLOGY(LINELIST):
        return a->count < 2 || emit_list(a, MODEL_LINE, 2, a->select_line & 1, false);
    case TOPOLOGY(LINELIST_ADJ):
        return a->count < 4 || emit_list(a, MODEL_LINE, 4, 1 + (a->select_line & 1), true);
    case TOPOLOGY(LINESTRIP_ADJ):
        return line_strip_adjacency(a);
    case TOPOLOGY(TRILIST):
        return a->count < 3 || emit_list(a, MODEL_TRIANGLE, 3, MIN2(a->select_strip, 2), false);
    case TOPOLOGY(TRILIST_ADJ):
        return a->count < 6 || emit_list(a, MODEL_TRIANGLE, 6, 2 * MIN2(a->select_strip, 2), true);
    case TOPOLOGY(RECTLIST):
        return a->count < 3 || emit_list(a, MODEL_RECTANGLE, 3, 0, false);
    case TOPOLOGY(TRISTRIP):
    case TOPOLOGY(TRISTRIP_REVERSE):
        return triangle_strip(a);
    case TOPOLOGY(TRISTRIP_ADJ):
        return triangle_strip_adjacency(a);
    case TOPOLOGY(TRIFAN):
    case TOPOLOGY(TRIFAN_NOSTIPPLE):
        return triangle_fan(a);
    case TOPOLOGY(POLYGON):
        return polygon(a);
    case TOPOLOGY(QUADLIST):
        return quad_list(a);
    case TOPOLOGY(QUADSTRIP):
        return quad_strip(a);
    default:
        return line_strip(a);
    }
}

bool model_assemble_cut(struct model_assembler *a)
{
    bool done = true;
    if (a->topology == TOPOLOGY(LINELOOP) && a->primitives && a->count == 1)
        done = emit_line(a, a->v[0], a->first);
    else if (a->topology == TOPOLOGY(POLYGON) && a->count >= 3)
        done = end_polygon(a);
    else if (a->topology == TOPOLOGY(TRISTRIP_ADJ))
        done = end_strip_adjacency(a);
    a->count = a->primitives = 0;
    return done;
}
