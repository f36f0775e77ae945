/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V 1.0 to 1.3 → NIR, in the environment of ARB_gl_spirv (appendix A.spv). The room knows no GL
 * context. Thread-safe: no state outside the talloc contexts that are passed in.
 *
 * A module may be any words: whatever is wrong with it is an error with the offset of the
 * instruction, in words, and its name.
 */
#ifndef SPIRV_H
#define SPIRV_H

#include "nir/nir.h"

#define SPIRV_MAGIC 0x07230203u /* first word of a module */

/* Extensions of SPIR-V that are known, by number; NULL: there is none. */
const char *spirv_extension(unsigned index);

struct spirv_specialization {
    uint32_t id; /* SpecId */
    uint32_t value;
};

struct spirv_options {
    enum shader_stage stage;
    const char *entry_point;
    const struct spirv_specialization *specializations;
    unsigned num_specializations;
    const nir_shader_compiler_options *nir_options; /* of the stage */
};

/* What the module has under the name. A module that is no SPIR-V has nothing. */
enum spirv_entry {
    SPIRV_NO_ENTRY,
    SPIRV_OTHER_STAGE, /* an entry point of that name, but none of the stage */
    SPIRV_HAS_ENTRY,
};
enum spirv_entry spirv_find_entry_point(const uint32_t *words, size_t count, const char *name,
                                        enum shader_stage stage);
/* Whether a specialization constant has this SpecId. */
bool spirv_has_specialization(const uint32_t *words, size_t count, uint32_t id);

/*
 * Translates an entry point. The shader is a child of mem_ctx and is not optimized; functions are in
 * it one by one. NULL: *error, a child of mem_ctx, says why (NULL: no memory).
 *
 * The variables are what the linker expects: locations that the module gave are explicit. Names
 * are made: SPIR-V's mean nothing. "gl_Position" and so on for what is built in; "in4:1", "out4:1" by
 * location and component ("out0:0i1" with index 1, "outp…" of patches); "u3" for uniforms by
 * location, "b3" for opaque ones by binding; "ubo3", "ssbo3" for blocks by binding, where data.binding
 * is that binding; "c3:8" for atomic counters by binding and offset. Outputs that transform feedback
 * captures have data.xfb and data.offset; info.has_transform_feedback_varyings says that there are
 * such. Members of output blocks are variables whose interface_type is that of the block's
 * instances.
 * Uniforms have their initial values as constant_initializer.
 */
nir_shader *spirv_to_nir(void *mem_ctx, const uint32_t *words, size_t count,
                         const struct spirv_options *options, char **error);

#endif
