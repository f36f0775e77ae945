/* SPDX-License-Identifier: MIT */
/*
 * Translates SPIR-V 1.0 to 1.3 to NIR, in the environment that ARB_gl_spirv defines (appendix
 * A.spv). It needs no GL context. Thread-safe: there is no state outside the talloc contexts that
 * the caller passes.
 *
 * A module may contain any words. Each error message names the word offset and the opcode of the
 * offending instruction.
 */
#ifndef SPIRV_H
#define SPIRV_H

#include "nir/nir.h"

#define SPIRV_MAGIC 0x07230203u /* first word of a module */

/* Returns the name of supported SPIR-V extension number `index`, or NULL past the end of the
 * list. */
const char *spirv_extension(unsigned index);

struct spirv_specialization {
    uint32_t id; /* the SpecId decoration */
    uint32_t value;
};

struct spirv_options {
    enum shader_stage stage;
    const char *entry_point;
    const struct spirv_specialization *specializations;
    unsigned num_specializations;
    const nir_shader_compiler_options *nir_options; /* compiler options of the stage */
};

/* What a module contains under an entry point name. An invalid module contains nothing. */
enum spirv_entry {
    SPIRV_NO_ENTRY,
    SPIRV_OTHER_STAGE, /* the name has an entry point, but only of another stage */
    SPIRV_HAS_ENTRY,
};
enum spirv_entry spirv_find_entry_point(const uint32_t *words, size_t count, const char *name,
                                        enum shader_stage stage);
/* Returns whether a specialization constant has this SpecId. */
bool spirv_has_specialization(const uint32_t *words, size_t count, uint32_t id);

/*
 * Translates one entry point. The shader is a child of mem_ctx, is not optimized and contains
 * separate functions. On failure, returns NULL and sets *error to a message, a child of mem_ctx, or
 * to NULL if there is no memory.
 *
 * The variables are prepared for the linker: locations from the module are explicit. Since names in
 * SPIR-V have no meaning, variables get these names:
 * - built-ins: "gl_Position" and so on;
 * - inputs and outputs: "in4:1", "out4:1" from location and component, "out0:0i1" with index 1,
 *   "outp…" for patch outputs;
 * - uniforms: "u3" from the location; opaque uniforms: "b3" from the binding;
 * - blocks: "ubo3", "ssbo3" from the binding, which is also data.binding;
 * - atomic counters: "c3:8" from binding and offset.
 *
 * Outputs captured by transform feedback have data.xfb and data.offset set, and
 * info.has_transform_feedback_varyings is set. Each member of an output block is a separate
 * variable; its interface_type is the type of the block. The initial value of a uniform is its
 * constant_initializer.
 */
nir_shader *spirv_to_nir(void *mem_ctx, const uint32_t *words, size_t count,
                         const struct spirv_options *options, char **error);

#endif
