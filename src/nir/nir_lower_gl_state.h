/* SPDX-License-Identifier: MIT */
/* Functions shared by the passes that lower GL state. */
#ifndef NIR_LOWER_GL_STATE_H
#define NIR_LOWER_GL_STATE_H

#include "nir_builder.h"

/* A deref access to an input or output variable. */
struct nir_io_access {
    nir_variable *var;
    nir_deref_instr *deref;
    /* Location of the accessed slot. If the variable is an array with a variable index: location of
     * its element 0. */
    int location;
    nir_def *index; /* the variable index; NULL if there is none or it is constant */
};

/* Returns true and fills in *access if intr loads or stores a variable of this mode. Considers only
 * the outermost index of an array variable and clamps it if it is constant. Ignores indices of
 * inner arrays and of vector components. */
bool nir_get_io_access(nir_intrinsic_instr *intr, nir_variable_mode mode,
                       struct nir_io_access *access);
/* Returns the uniform that mirrors the state named by the tokens (nir_state_tokens.h). Creates it
 * with that type and name if the shader doesn't have it yet. */
nir_variable *nir_get_state_uniform(nir_shader *shader, const struct glsl_type *type,
                                    const int16_t tokens[NIR_STATE_LENGTH], const char *name);
/* Returns true for the locations (enum frag_result) of color outputs. */
static inline bool nir_is_color_result(int location)
{
    return location == FRAG_RESULT_COLOR ||
           (location >= FRAG_RESULT_DATA0 && location <= FRAG_RESULT_DATA7);
}

#endif
