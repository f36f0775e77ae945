/* SPDX-License-Identifier: MIT */
/*
 * Graph coloring after Chaitin and Briggs (Briggs, Cooper and Torczon, TOPLAS 1994). Nodes that can
 * certainly be colored are removed from the graph. When no such node is left, the cheapest node is
 * removed optimistically. The nodes are then colored in reverse order of removal.
 *
 * A node is certainly colorable by the test of Runeson and Nyström (SCOPES 2003) for overlapping
 * register classes. It has p possible places, and a neighbor blocks at most q of them wherever it
 * is placed. It can be colored if the sum of q over its neighbors is less than p. Here q is the
 * number of distances at which the two nodes overlap.
 */
#include "lir_color.h"

#include <stdint.h>
#include <talloc.h>

#include "util/dynarray.h"
#include "util/macros.h"

/* An edge between nodes a < b. If bit k is set, a may not start at (place of b) - (k - (size of b -
 * 1)). */
struct edge {
    unsigned a, b;
    uint64_t meets;
};

struct node {
    unsigned size;
    float cost;
    uint64_t forbidden[LIR_COLOR_MAX_PLACES / 64]; /* Bit set of forbidden first places. */
    unsigned first_edge, num_edges;                /* Range in lir_color.adjacent. */
    unsigned p, q; /* p: places; q: sum over the neighbors that are still in the graph. */
    unsigned q_total;
    bool removed;
    unsigned place;
};

struct lir_color {
    unsigned num_nodes, num_places;
    struct node *nodes;
    DYNARRAY(struct edge) edges;
    unsigned *table; /* Hash table of edges by both nodes: index in edges + 1. */
    unsigned table_size;
    unsigned *adjacent; /* Indices into edges. */
    unsigned *stack, stack_count;
};

struct lir_color *lir_color_create(void *mem_ctx, unsigned num_nodes, unsigned num_places)
{
    struct lir_color *g = talloc_zero(mem_ctx, struct lir_color);
    g->num_nodes = num_nodes;
    g->num_places = MIN2(num_places, LIR_COLOR_MAX_PLACES);
    g->nodes = talloc_zero_array(g, struct node, num_nodes + 1);
    g->edges.mem_ctx = g;
    g->table_size = 256;
    g->table = talloc_zero_array(g, unsigned, g->table_size);
    for (unsigned n = 0; n < num_nodes; n++)
        g->nodes[n].place = LIR_COLOR_NONE;
    return g;
}

void lir_color_set_node(struct lir_color *g, unsigned node, unsigned size, float cost)
{
    g->nodes[node].size = size;
    g->nodes[node].cost = cost;
}

void lir_color_forbid(struct lir_color *g, unsigned node, int place)
{
    if (place >= 0 && place < LIR_COLOR_MAX_PLACES)
        g->nodes[node].forbidden[place / 64] |= 1ull << place % 64;
}

/* --- Edges --- */

static unsigned hash_pair(unsigned a, unsigned b)
{
    uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15ull;
    return (unsigned)(x >> 32);
}

static void grow_table(struct lir_color *g)
{
    talloc_free(g->table);
    g->table_size *= 4;
    g->table = talloc_zero_array(g, unsigned, g->table_size);
    for (unsigned e = 0; e < g->edges.count; e++) {
        unsigned at = hash_pair(g->edges.data[e].a, g->edges.data[e].b) & (g->table_size - 1);
        while (g->table[at])
            at = (at + 1) & (g->table_size - 1);
        g->table[at] = e + 1;
    }
}

static struct edge *find_edge(struct lir_color *g, unsigned a, unsigned b)
{
    unsigned at = hash_pair(a, b) & (g->table_size - 1);
    for (; g->table[at]; at = (at + 1) & (g->table_size - 1)) {
        struct edge *e = &g->edges.data[g->table[at] - 1];
        if (e->a == a && e->b == b)
            return e;
    }
    struct edge edge = {.a = a, .b = b};
    if (!dynarray_append(&g->edges, edge))
        return NULL;
    g->table[at] = g->edges.count;
    if (g->edges.count * 2 > g->table_size)
        grow_table(g);
    return &g->edges.data[g->edges.count - 1];
}

/* Returns whether the nodes are too large for one bit per distance. They then interfere at all
 * distances. */
static bool is_coarse(const struct lir_color *g, const struct edge *e)
{
    return g->nodes[e->a].size + g->nodes[e->b].size > 65;
}

void lir_color_interfere(struct lir_color *g, unsigned a, unsigned unit_a, unsigned b,
                         unsigned unit_b)
{
    if (a > b) {
        lir_color_interfere(g, b, unit_b, a, unit_a);
        return;
    }
    struct edge *e = find_edge(g, a, b);
    if (e)
        e->meets |= is_coarse(g, e) ? 1 : 1ull << (unit_a + g->nodes[b].size - 1 - unit_b);
}

/* Returns the maximum number of one node's places that the other can block. */
static unsigned edge_weight(const struct lir_color *g, const struct edge *e)
{
    if (is_coarse(g, e))
        return g->nodes[e->a].size + g->nodes[e->b].size - 1;
    return (unsigned)__builtin_popcountll(e->meets);
}

static unsigned other_node(const struct edge *e, unsigned node)
{
    return e->a == node ? e->b : e->a;
}

static void build_adjacency(struct lir_color *g)
{
    unsigned next = 0;
    for (unsigned i = 0; i < g->edges.count; i++) {
        g->nodes[g->edges.data[i].a].num_edges++;
        g->nodes[g->edges.data[i].b].num_edges++;
    }
    for (unsigned n = 0; n < g->num_nodes; n++) {
        g->nodes[n].first_edge = next;
        next += g->nodes[n].num_edges;
        g->nodes[n].num_edges = 0;
    }
    g->adjacent = talloc_array(g, unsigned, next + 1);
    for (unsigned i = 0; i < g->edges.count; i++) {
        const struct edge *e = &g->edges.data[i];
        const unsigned ends[] = {e->a, e->b};
        for (unsigned k = 0; k < 2; k++) {
            struct node *node = &g->nodes[ends[k]];
            g->adjacent[node->first_edge + node->num_edges++] = i;
            node->q_total += edge_weight(g, e);
        }
    }
}

/* --- Removing nodes --- */

static unsigned count_places(const struct lir_color *g, const struct node *node)
{
    unsigned n = 0;
    for (unsigned place = 0; place + node->size <= g->num_places; place++)
        n += !(node->forbidden[place / 64] >> place % 64 & 1);
    return n;
}

/* Size classes of the removal worklist: small nodes are removed first, so that large ones are
 * placed first. */
enum { SIZE_CLASSES = 5 };

struct worklist {
    DYNARRAY(unsigned) nodes[SIZE_CLASSES];
};

static void add_work(struct lir_color *g, struct worklist *work, unsigned n)
{
    unsigned size = g->nodes[n].size;
    (void)dynarray_append(&work->nodes[MIN2(size, SIZE_CLASSES) - 1], n);
}

static void take_out(struct lir_color *g, struct worklist *work, unsigned n)
{
    struct node *node = &g->nodes[n];
    node->removed = true;
    g->stack[g->stack_count++] = n;
    for (unsigned i = 0; i < node->num_edges; i++) {
        const struct edge *e = &g->edges.data[g->adjacent[node->first_edge + i]];
        struct node *neighbor = &g->nodes[other_node(e, n)];
        bool was_sure = neighbor->q < neighbor->p;
        neighbor->q -= edge_weight(g, e);
        if (!neighbor->removed && !was_sure && neighbor->q < neighbor->p)
            add_work(g, work, other_node(e, n));
    }
}

static bool take_sure_node(struct lir_color *g, struct worklist *work)
{
    for (unsigned c = 0; c < SIZE_CLASSES; c++) {
        while (work->nodes[c].count) {
            unsigned n = work->nodes[c].data[--work->nodes[c].count];
            if (g->nodes[n].removed)
                continue;
            take_out(g, work, n);
            return true;
        }
    }
    return false;
}

/* Returns the number of its neighbors' places that the node can block, relative to its spill
 * cost. */
static float spill_score(const struct node *node)
{
    return (float)node->q_total / (node->cost + 0.01f);
}

/* Returns the node to remove optimistically when none is certainly colorable. */
static unsigned choose_optimistic(const struct lir_color *g)
{
    unsigned best = LIR_COLOR_NONE;
    for (unsigned n = 0; n < g->num_nodes; n++) {
        const struct node *node = &g->nodes[n];
        if (node->removed || !node->size)
            continue;
        if (best == LIR_COLOR_NONE) {
            best = n;
            continue;
        }
        const struct node *than = &g->nodes[best];
        if ((node->cost >= 0) != (than->cost >= 0) ? node->cost >= 0
            : node->cost >= 0                      ? spill_score(node) > spill_score(than)
                                                   : node->size < than->size)
            best = n;
    }
    return best;
}

static void simplify(struct lir_color *g)
{
    struct worklist work = {0};
    for (unsigned c = 0; c < SIZE_CLASSES; c++)
        work.nodes[c].mem_ctx = g;
    g->stack = talloc_array(g, unsigned, g->num_nodes + 1);
    for (unsigned n = 0; n < g->num_nodes; n++) {
        struct node *node = &g->nodes[n];
        if (!node->size)
            continue;
        node->p = count_places(g, node);
        node->q = node->q_total;
        if (node->q < node->p)
            add_work(g, &work, n);
    }
    for (;;) {
        if (take_sure_node(g, &work))
            continue;
        unsigned n = choose_optimistic(g);
        if (n == LIR_COLOR_NONE)
            break;
        take_out(g, &work, n);
    }
    for (unsigned c = 0; c < SIZE_CLASSES; c++)
        dynarray_finish(&work.nodes[c]);
}

/* --- Placing nodes --- */

static void block_places(const struct lir_color *g, const struct edge *e, unsigned node,
                         uint64_t blocked[LIR_COLOR_MAX_PLACES / 64])
{
    int place = (int)g->nodes[other_node(e, node)].place;
    int last = (int)(g->nodes[e->a].size + g->nodes[e->b].size) - 2;
    int zero = (int)g->nodes[e->b].size - 1; /* Bit of distance 0. */
    for (int k = 0; k <= last; k++) {
        if (!is_coarse(g, e) && !(e->meets >> k & 1))
            continue;
        int at = e->a == node ? place - (k - zero) : place + (k - zero);
        if (at >= 0 && at < LIR_COLOR_MAX_PLACES)
            blocked[at / 64] |= 1ull << at % 64;
    }
}

enum order {
    /* Next free place after the previous one, so that recently freed places are not reused soon. */
    AROUND,
    LOWEST,
    TWO_ENDS, /* Large nodes start from the top. */
    NUM_ORDERS,
};

static bool is_free(const uint64_t *blocked, unsigned place)
{
    return !(blocked[place / 64] >> place % 64 & 1);
}

static unsigned find_place(const struct lir_color *g, unsigned n, enum order order,
                           unsigned *cursor)
{
    const struct node *node = &g->nodes[n];
    uint64_t blocked[LIR_COLOR_MAX_PLACES / 64];
    unsigned count = g->num_places + 1 - node->size; /* Number of possible first places. */
    if (node->size > g->num_places)
        return LIR_COLOR_NONE;
    for (unsigned w = 0; w < ARRAY_SIZE(blocked); w++)
        blocked[w] = node->forbidden[w];
    for (unsigned i = 0; i < node->num_edges; i++) {
        const struct edge *e = &g->edges.data[g->adjacent[node->first_edge + i]];
        if (g->nodes[other_node(e, n)].place != LIR_COLOR_NONE)
            block_places(g, e, n, blocked);
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned place = order == AROUND                       ? (*cursor + i) % count
                         : order == TWO_ENDS && node->size > 2 ? count - 1 - i
                                                               : i;
        if (!is_free(blocked, place))
            continue;
        *cursor = place + node->size;
        return place;
    }
    return LIR_COLOR_NONE;
}

static bool place_all(struct lir_color *g, enum order order)
{
    unsigned cursor = 0;
    bool ok = true;
    for (unsigned n = 0; n < g->num_nodes; n++)
        g->nodes[n].place = LIR_COLOR_NONE;
    for (unsigned i = g->stack_count; i-- > 0;) {
        unsigned n = g->stack[i];
        g->nodes[n].place = find_place(g, n, order, &cursor);
        ok &= g->nodes[n].place != LIR_COLOR_NONE;
    }
    return ok;
}

bool lir_color_solve(struct lir_color *g)
{
    build_adjacency(g);
    simplify(g);
    for (unsigned order = 0; order < NUM_ORDERS; order++) {
        if (place_all(g, order))
            return true;
    }
    return false;
}

unsigned lir_color_place(const struct lir_color *g, unsigned node)
{
    return g->nodes[node].place;
}

/* --- Spilling --- */

static bool helps(const struct lir_color *g, unsigned n)
{
    const struct node *node = &g->nodes[n];
    if (node->place == LIR_COLOR_NONE)
        return true;
    for (unsigned i = 0; i < node->num_edges; i++) {
        const struct edge *e = &g->edges.data[g->adjacent[node->first_edge + i]];
        if (g->nodes[other_node(e, n)].place == LIR_COLOR_NONE)
            return true;
    }
    return false;
}

unsigned lir_color_choose_spill(struct lir_color *g)
{
    unsigned best = LIR_COLOR_NONE;
    for (unsigned n = 0; n < g->num_nodes; n++) {
        const struct node *node = &g->nodes[n];
        if (!node->size || node->cost < 0 || !helps(g, n))
            continue;
        if (best == LIR_COLOR_NONE || spill_score(node) > spill_score(&g->nodes[best]))
            best = n;
    }
    if (best != LIR_COLOR_NONE)
        g->nodes[best].cost = -1;
    return best;
}
