/* SPDX-License-Identifier: MIT */
/*
 * Converts primitives of display lists to vertex arrays. While a list is compiled, runs of
 * primitives without other commands between them are recorded. At the end of a run, they become
 * packs: vertices with one layout that are drawn without replaying commands. The nodes are kept.
 * They are replayed, and raise their errors, if a pack can't be drawn: between glBegin and glEnd,
 * in selection or feedback mode, or if validation fails.
 *
 * A group is one primitive: attributes, glBegin, attributes and vertices, glEnd. It starts with a
 * GL_LIST_GROUP node, which points to the pack that starts there. A group joins the previous
 * group's pack if it sets only attributes that the pack's first group sets before its first vertex.
 * The values of other attributes in the first group are known only when the list is called. Array
 * draws share packs only with array draws. The current attribute values after an array draw are
 * undefined (GL 4.6 compatibility §10.4); here they stay unchanged, which applications rely on.
 *
 * Material properties are treated as attributes. A pack ends before a group that sets a property
 * that the pack's first group doesn't set. It also ends before the first change of a property if it
 * has many vertices by then. Properties that are constant in a pack are set before it is drawn. The
 * others are vertex attributes. If a bound shader reads materials, the nodes of packs with material
 * properties are replayed.
 */
#ifndef GL_LIST_PACK_H
#define GL_LIST_PACK_H

#include "gl/compat/gl_lists_private.h"
#include "gl/draw/gl_draw.h"
#include "util/dynarray.h"

/* A primitive of a list that is being compiled. */
struct gl_list_group {
    struct gl_list_position at; /* position of its GL_LIST_GROUP node */
    /* bit masks of attributes: set before the first vertex; set only after it */
    uint64_t leading, late;
    /* material properties whose value at the first vertex differs from the previous group's */
    uint32_t changed_first;
    uint32_t changed;              /* material properties that change after the first vertex */
    uint8_t size[GL_ATTRIB_COUNT]; /* components of each attribute */
    GLenum type[GL_ATTRIB_COUNT];
    size_t num; /* number of vertices */
    /* inside: between glBegin and glEnd. ended: after glEnd. unfit: can't be packed. */
    bool inside, ended, unfit;
    bool array; /* is an array draw */
};

/* The current run of primitives. */
struct gl_list_run {
    DYNARRAY(struct gl_list_group) groups;
    uint32_t known; /* bit mask of material properties whose values in `material` are known */
    struct gl_material material[2];
};

/* The gl_list_run functions update the run for a node that is about to be added to the list. They
 * return false if out of memory. */
bool gl_list_run_attrib(struct gl_context *ctx, struct gl_list_run *run, unsigned attrib,
                        unsigned n, GLenum type);
/* Records a change of material properties, all to the value v. */
bool gl_list_run_material(struct gl_context *ctx, struct gl_list_run *run, uint32_t properties,
                          const uint32_t v[4]);
/* Record the start and the end of a primitive or array draw. */
bool gl_list_run_begin(struct gl_context *ctx, struct gl_list_run *run, GLenum mode, bool array);
bool gl_list_run_end(struct gl_list_run *run); /* returns false if no primitive was begun */
/* Creates the packs. end is the node after the last group. */
void gl_list_run_finish(struct gl_context *ctx, struct gl_list_run *run,
                        const struct gl_list_position *end);

/* Draws the pack of a GL_LIST_GROUP node and moves *place past it. If it returns false, nothing was
 * drawn, and the caller must replay the following nodes. Errors of validation may have been raised;
 * the replay raises them again. */
bool gl_list_pack_draw(struct gl_context *ctx, struct gl_list_node *node,
                       struct gl_list_position *place);

#endif
