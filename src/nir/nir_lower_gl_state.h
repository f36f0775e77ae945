/* SPDX-License-Identifier: MIT */
/* What the passes that lower GL state have in common. */
#ifndef NIR_LOWER_GL_STATE_H
#define NIR_LOWER_GL_STATE_H

#include "nir_builder.h"

/* What an access to an input or output reaches: the location, with the constant index of an array
 * of slots added. */
struct nir_io_access {
    nir_variable *var;
    nir_deref_instr *deref;
    int location;   /* of an index that is not constant: that of element 0 */
    nir_def *index; /* that index, else NULL */
};

/* False: intr is no load or store of a variable of that mode. Steps other than one array index
 * (components of vectors) are ignored. */
bool nir_get_io_access(nir_intrinsic_instr *intr, nir_variable_mode mode,
                       struct nir_io_access *access);
/* The uniform of that type which mirrors the state; made if there is none yet. */
nir_variable *nir_get_state_uniform(nir_shader *shader, const struct glsl_type *type,
                                    const int16_t tokens[NIR_STATE_LENGTH], const char *name);
/* Whether the location is that of a color the fragment shader writes. */
static inline bool nir_is_color_result(int location)
{
    return location == FRAG_RESULT_COLOR ||
           (location >= FRAG_RESULT_DATA0 && location <= FRAG_RESULT_DATA7);
}

#endif
