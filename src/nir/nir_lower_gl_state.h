/* SPDX-License-Identifier: MIT */
/* Functions shared by the passes that lower GL state. */
#ifndef NIR_LOWER_GL_STATE_H
#define NIR_LOWER_GL_STATE_H

#include "nir_builder.h"

/* Input or output slot that an access reaches. location includes a constant index into an array of
 * slots. */
struct nir_io_access {
    nir_variable *var;
    nir_deref_instr *deref;
    int location;   /* if the index is not constant, the location of element 0 */
    nir_def *index; /* that index, or NULL if it is constant */
};

/* Fills access if intr is a load or store of a variable of that mode; otherwise returns false.
 * Steps after the first array index, which select components of vectors, are ignored. */
bool nir_get_io_access(nir_intrinsic_instr *intr, nir_variable_mode mode,
                       struct nir_io_access *access);
/* Returns the uniform of that type that mirrors the state; creates it if necessary. */
nir_variable *nir_get_state_uniform(nir_shader *shader, const struct glsl_type *type,
                                    const int16_t tokens[NIR_STATE_LENGTH], const char *name);
/* Returns true for the locations of color outputs. */
static inline bool nir_is_color_result(int location)
{
    return location == FRAG_RESULT_COLOR ||
           (location >= FRAG_RESULT_DATA0 && location <= FRAG_RESULT_DATA7);
}

#endif
