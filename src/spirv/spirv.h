/* SPDX-License-Identifier: MIT */
/*
 * Translates modules of SPIR-V 1.0 to 1.3 to NIR, in the environment that ARB_gl_spirv defines
 * (appendix A.spv). It needs no GL context. Thread-safe: there is no state outside the talloc
 * contexts that the caller passes.
 *
 * A module may contain any words: all errors are detected and reported. The message names the word
 * offset and the opcode of the instruction.
 */
#ifndef SPIRV_H
#define SPIRV_H

#include "nir/nir.h"

#define SPIRV_MAGIC 0x07230203u /* first word of a module */

/* Returns the name of entry `index` of the list of supported SPIR-V extensions, or NULL past the
 * end of the list. */
const char *spirv_extension(unsigned index);

/* The value of a specialization constant. */
struct spirv_specialization {
    uint32_t id;    /* its SpecId */
    uint32_t value; /* bits of a 32-bit value; a boolean is true if they are not 0 */
};

/* What to translate. */
struct spirv_options {
    enum shader_stage stage;
    const char *entry_point;                            /* name of an entry point of the stage */
    const struct spirv_specialization *specializations; /* others keep their default values */
    unsigned num_specializations;
    const nir_shader_compiler_options *nir_options; /* compiler options of the stage */
    /* The capabilities SparseResidency and MinLod are supported (ARB_gl_spirv A.spv.3). */
    bool sparse;
    bool int64_atomics; /* the capability Int64Atomics is supported (NV_shader_atomic_int64) */
};

/* Result of the search for an entry point. */
enum spirv_entry {
    SPIRV_NO_ENTRY,
    SPIRV_OTHER_STAGE, /* the name has an entry point, but only of another stage */
    SPIRV_HAS_ENTRY,
};
/* Searches a module of `count` words for an entry point with this name and stage. The module need
 * not be valid: the search ends at the first instruction with an invalid length. */
enum spirv_entry spirv_find_entry_point(const uint32_t *words, size_t count, const char *name,
                                        enum shader_stage stage);
/* Returns whether a module has a specialization constant with this SpecId. Like
 * spirv_find_entry_point, it accepts invalid modules. */
bool spirv_has_specialization(const uint32_t *words, size_t count, uint32_t id);

/*
 * Translates one entry point of a module of `count` words, which is borrowed during the call.
 * Returns a shader that is a talloc child of mem_ctx. It is not optimized, and its functions are
 * not inlined. On failure, returns NULL and sets *error to a message that ends with a newline and
 * is a child of mem_ctx. If there is no memory, *error is NULL. Must run within an attempt
 * (util/memory.h), because it builds NIR.
 *
 * The variables are prepared for the linker. Locations in the module become explicit locations.
 * Names in SPIR-V have no meaning, so variables get names by which the linker can match them:
 * - "gl_Position" and so on: built-ins;
 * - "in4:1", "out4:1": input, output with location 4 and component 1; "out0:0i1" also has index 1,
 *   and "inp" or "outp" is used for patch variables;
 * - "u3": uniform with location 3;
 * - "b3sampler2D": opaque uniform with binding 3 and without a location, followed by its type;
 * - "ubo3", "ssbo3": uniform block, storage block with binding 3, which is also data.binding;
 * - "c3:8": atomic counter with binding 3 and byte offset 8.
 * Other variables are named after their ids. If two variables would get the same name, the second
 * gets a suffix of "#" and a number.
 *
 * Outputs that transform feedback captures have data.xfb and data.offset set, and
 * info.has_transform_feedback_varyings is set. Each member of an input or output block is a
 * separate variable; for an output block, its interface_type is the type of the block variable. The
 * initial value of a uniform is its constant_initializer.
 */
nir_shader *spirv_to_nir(void *mem_ctx, const uint32_t *words, size_t count,
                         const struct spirv_options *options, char **error);

#endif
