/* SPDX-License-Identifier: MIT */
/*
 * Primitives of display lists as arrays. While a list is compiled, runs of primitives with nothing
 * but attributes between them are noted; at a run's end they become packs, vertices in one layout
 * that are drawn without replaying commands. The nodes stay: where a pack cannot be drawn (inside of
 * glBegin and glEnd, in selection), they are replayed, with the errors that belong to it.
 *
 * A group is one primitive: attributes, glBegin, attributes and vertices, glEnd. It begins with a
 * node GL_LIST_GROUP, which points to the pack that starts there. Groups share a pack as long as they
 * set no attribute that the ones before did not set: a vertex's other attributes are whatever is
 * current when the list is called. Array draws share packs with each other only: what they leave
 * current is undefined (GL 4.6 compatibility §10.4), and programs find that they leave it alone, as
 * in Mesa.
 *
 * Properties of materials are attributes, too, for which a pack begins anew if some are set that the
 * first of its groups did not set, or if they first change behind many vertices. Those that are one in the
 * whole pack are set before it is drawn, the others are the vertices'. Where something that is bound
 * reads materials by itself, such packs are replayed.
 */
#ifndef GL_LIST_PACK_H
#define GL_LIST_PACK_H

#include "gl/compat/gl_lists_private.h"
#include "gl/draw/gl_draw.h"
#include "util/dynarray.h"

struct gl_list_group {
    struct gl_list_place at;       /* of its node */
    uint64_t leading, late;        /* attributes set before its first vertex, and only later */
    uint32_t changed_first;        /* material properties that the run before has otherwise */
    uint32_t changed;              /* those that change behind the first vertex */
    uint8_t size[GL_ATTRIB_COUNT]; /* of leading and late, components */
    GLenum type[GL_ATTRIB_COUNT];
    size_t num;                /* vertices */
    bool inside, ended, unfit; /* between its begin and end; behind; cannot be packed */
    bool array;                /* an array draw */
};

/* What was compiled last, as far as it can be packed. */
struct gl_list_run {
    DYNARRAY(struct gl_list_group) groups;
    uint32_t known; /* material properties that it has set: bits … */
    struct gl_material material[2];
};

/* Follow what is about to be added to the list; false: no memory. */
bool gl_list_run_attrib(struct gl_context *ctx, struct gl_list_run *run, unsigned attrib,
                        unsigned n, GLenum type);
/* Properties of materials, all to v. */
bool gl_list_run_material(struct gl_context *ctx, struct gl_list_run *run, uint32_t properties,
                          const uint32_t v[4]);
bool gl_list_run_begin(struct gl_context *ctx, struct gl_list_run *run, GLenum mode, bool array);
bool gl_list_run_end(struct gl_list_run *run); /* false: nothing has begun */
/* Makes the packs; end is the node behind the last group. */
void gl_list_run_finish(struct gl_context *ctx, struct gl_list_run *run,
                        const struct gl_list_place *end);

/* Draws what a node of that kind points to and moves *place behind it. False: nothing happened, the
 * nodes that follow are to be replayed. */
bool gl_list_pack_draw(struct gl_context *ctx, struct gl_list_node *node,
                       struct gl_list_place *place);

#endif
