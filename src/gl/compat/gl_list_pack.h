/* SPDX-License-Identifier: MIT */
/*
 * Converts primitives of display lists to vertex arrays. Terms:
 * - A group is one primitive of a list: attributes, glBegin, attributes and vertices, glEnd; or an
 *   array draw. It starts with a GL_LIST_GROUP node.
 * - A run is a sequence of groups without other commands between them. It is recorded while the
 *   list is compiled.
 * - A pack has the vertices of consecutive groups, in one layout. At the end of a run, its groups
 *   are divided into packs. The GL_LIST_GROUP node of a pack's first group points to the pack.
 *
 * Calling the list draws a pack instead of replaying the nodes of its groups. The nodes are kept
 * for the cases in which a pack can't be drawn: between glBegin and glEnd, in selection and
 * feedback mode, if a draw raises an error, and if the pack has material properties and a bound
 * shader reads materials.
 *
 * A group joins the previous group's pack if it sets only attributes that the pack's first group
 * sets before its first vertex, with the same types. The values of other attributes are known only
 * when the list is called. Array draws share packs only with array draws that set the same
 * attributes. After an array draw, the current values of these attributes are undefined (GL 4.6
 * compatibility §10.4). Indium leaves them unchanged, because applications rely on it.
 *
 * Material properties are treated like attributes. Those that are constant in a pack are set before
 * it is drawn; the others are vertex attributes. A new pack starts if a property changes that was
 * constant so far and the pack already has GL_MAX_JOINED_VERTICES vertices.
 */
#ifndef GL_LIST_PACK_H
#define GL_LIST_PACK_H

#include "gl/compat/gl_lists_private.h"
#include "gl/draw/gl_draw.h"
#include "util/dynarray.h"

/* A group of a list that is being compiled. */
struct gl_list_group {
    struct gl_list_position at; /* position of its GL_LIST_GROUP node */
    /* Masks of attributes. leading: the position, and attributes set before the first vertex. late:
     * attributes set only after it. */
    uint64_t leading, late;
    /* Masks of material properties. changed_first: set earlier in the run, and set to another value
     * before the group's first vertex. changed: set after the first vertex, except to the value
     * that the run has set before. */
    uint32_t changed_first;
    uint32_t changed;
    uint8_t size[GL_ATTRIB_COUNT]; /* maximum number of components of each attribute */
    GLenum type[GL_ATTRIB_COUNT];  /* component type of each attribute */
    size_t num;                    /* number of vertices */
    /* inside: glBegin was recorded, glEnd not yet. ended: glEnd was recorded. unfit: the group
     * can't be packed. */
    bool inside, ended, unfit;
    bool array; /* is an array draw */
};

/* The run that is being recorded. */
struct gl_list_run {
    DYNARRAY(struct gl_list_group) groups;
    uint32_t known;                 /* mask of material properties that the run has set */
    struct gl_material material[2]; /* last values of the properties in `known` */
};

/* The following functions record a command in the run. Call them before the command's node is added
 * to the list. The first three may add a GL_LIST_GROUP node; if out of memory, they call
 * gl_list_out_of_memory and return false. */

/* Records that an attribute is set to n components of a type. */
bool gl_list_run_attrib(struct gl_context *ctx, struct gl_list_run *run, unsigned attrib,
                        unsigned n, GLenum type);
/* Records that glMaterial sets the properties in the mask `properties` to v (bits of floats). */
bool gl_list_run_material(struct gl_context *ctx, struct gl_list_run *run, uint32_t properties,
                          const uint32_t v[4]);
/* Records the start of a primitive (glBegin), or of an array draw if `array`. */
bool gl_list_run_begin(struct gl_context *ctx, struct gl_list_run *run, GLenum mode, bool array);
/* Records the end of a primitive or array draw. Returns false, without effect, if the run has no
 * open group. */
bool gl_list_run_end(struct gl_list_run *run);
/* Ends the run and creates its packs. `end` is the position of the node after the last group. If
 * out of memory, groups stay without a pack, and gl_list_out_of_memory may have been called, so
 * that glEndList keeps the list's old contents. */
void gl_list_run_finish(struct gl_context *ctx, struct gl_list_run *run,
                        const struct gl_list_position *end);

/* Draws the pack that a GL_LIST_GROUP node points to, and moves *place to the node after the pack's
 * groups. Returns false if nothing was drawn; the caller must then replay the following nodes. */
bool gl_list_pack_draw(struct gl_context *ctx, struct gl_list_node *node,
                       struct gl_list_position *place);

#endif
