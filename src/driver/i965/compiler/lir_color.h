/* SPDX-License-Identifier: MIT */
/*
 * Graph coloring with nodes that take several consecutive places. Knows nothing of instructions:
 * tests build graphs by hand.
 *
 * Two nodes interfere unit by unit: unit i of one and unit j of the other may not be at one place,
 * other units may. So a payload whose parts are made one after the other shares its last place with
 * a value that ends before that is written.
 */
#ifndef LIR_COLOR_H
#define LIR_COLOR_H

#include <stdbool.h>

enum { LIR_COLOR_MAX_PLACES = 128, LIR_COLOR_NONE = ~0u };

struct lir_color;

/* Under mem_ctx; nodes 0 … num_nodes - 1 have size 0: they take no part. At most MAX_PLACES places. */
struct lir_color *lir_color_create(void *mem_ctx, unsigned num_nodes, unsigned num_places);
/* cost: of keeping the node elsewhere; negative: it cannot be. Sizes are set before interferences. */
void lir_color_set_node(struct lir_color *g, unsigned node, unsigned size, float cost);
/* The node may not begin at that place; places outside are ignored. */
void lir_color_forbid(struct lir_color *g, unsigned node, int place);
/* Of different nodes; again and again is fine. */
void lir_color_interfere(struct lir_color *g, unsigned a, unsigned unit_a, unsigned b,
                         unsigned unit_b);

/* True: every node has its place. False: some have not. */
bool lir_color_solve(struct lir_color *g);
/* First place; LIR_COLOR_NONE: has none. */
unsigned lir_color_place(const struct lir_color *g, unsigned node);
/* After failure: the node that is best kept elsewhere, the next best …; LIR_COLOR_NONE: no other
 * can be. */
unsigned lir_color_choose_spill(struct lir_color *g);

#endif
