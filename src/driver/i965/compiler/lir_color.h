/* SPDX-License-Identifier: MIT */
/*
 * Graph coloring for register allocation. A node consists of one or more units, which get
 * consecutive colors, called places. The code is independent of instructions; tests build graphs by
 * hand.
 *
 * Interference is recorded per pair of units: unit i of one node and unit j of the other must not
 * share a place, but other pairs may. For example, if a payload is written in parts, its last place
 * can hold a value that dies before the last write. If two nodes interfere and have more than 65
 * units in total, all their units interfere.
 *
 * Call these functions in an attempt (util/memory.h); they don't check for failed allocations.
 */
#ifndef LIR_COLOR_H
#define LIR_COLOR_H

#include <stdbool.h>

/* Maximum number of places, and the value that means "no place" or "no node". */
enum { LIR_COLOR_MAX_PLACES = 128, LIR_COLOR_NONE = ~0u };

struct lir_color;

/* Creates a graph under mem_ctx. All nodes (0 to num_nodes - 1) have size 0 at first; nodes of size
 * 0 are not colored. num_places is at most LIR_COLOR_MAX_PLACES. */
struct lir_color *lir_color_create(void *mem_ctx, unsigned num_nodes, unsigned num_places);
/* Sets a node's size in units and its spill cost. A node with a negative cost cannot be spilled.
 * Must be called for all nodes before lir_color_interfere(). */
void lir_color_set_node(struct lir_color *g, unsigned node, unsigned size, float cost);
/* Forbids placing a node's first unit at this place. Ignores places that are out of range. */
void lir_color_forbid(struct lir_color *g, unsigned node, int place);
/* Makes unit unit_a of node a interfere with unit unit_b of node b, another node. May be called
 * again for the same units. */
void lir_color_interfere(struct lir_color *g, unsigned a, unsigned unit_a, unsigned b,
                         unsigned unit_b);

/* Assigns places to all nodes. Returns false if some nodes got no place. Call it once per graph. */
bool lir_color_solve(struct lir_color *g);
/* Returns the place of the node's first unit, or LIR_COLOR_NONE if it has none. */
unsigned lir_color_place(const struct lir_color *g, unsigned node);
/* After a failed solve, returns the node that blocks the most places of its neighbors relative to
 * its spill cost; each further call returns the next one. Candidates are nodes without a place and
 * their neighbors. Returns LIR_COLOR_NONE when no candidates are left. */
unsigned lir_color_choose_spill(struct lir_color *g);

#endif
