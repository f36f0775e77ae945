/* SPDX-License-Identifier: MIT */
/*
 * Helpers for the unit tests of passes: building a shader, finding instructions, running a pass
 * with validation before and after it, and memory for the evaluator. Include it after cmocka.h.
 */
#ifndef NIR_TEST_H
#define NIR_TEST_H

#include <string.h>

#include "nir_builder.h"
#include "nir_eval.h"

static const nir_shader_compiler_options nir_test_options = {.max_unroll_iterations = 32};

/* Returns a builder in the empty entry point of a new shader. */
static inline nir_builder test_shader(enum shader_stage stage)
{
    return nir_builder_init_simple_shader(NULL, stage, &nir_test_options, "test");
}

/* Loads the first components of an input slot. */
static inline nir_def *test_input_at(nir_builder *b, unsigned components, unsigned slot)
{
    return nir_load_input(b, components, 32, nir_imm_int(b, 0), .base = (int)slot);
}

/* Loads the first components of input slot 0. */
static inline nir_def *test_input(nir_builder *b, unsigned components)
{
    return test_input_at(b, components, 0);
}

/* Stores the value to an output slot. A 64-bit scalar becomes two words; Booleans and smaller
 * values become unsigned words. */
static inline void test_output(nir_builder *b, nir_def *value, unsigned slot)
{
    if (value->bit_size == 64)
        value = nir_unpack_64_2x32(b, value);
    else if (value->bit_size == 1)
        value = nir_b2i32(b, value);
    else
        value = nir_u2uN(b, value, 32);
    nir_store_output(b, value, nir_imm_int(b, 0), .base = (int)slot);
}

/* Loads the first two components of an input slot as a 64-bit value. */
static inline nir_def *test_input_64(nir_builder *b, unsigned slot)
{
    return nir_pack_64_2x32(b, test_input_at(b, 2, slot));
}

/* Adds a variable to the shader. */
static inline nir_variable *test_variable(nir_builder *b, nir_variable_mode mode,
                                          const struct glsl_type *type, int location)
{
    nir_variable *var = nir_variable_create(b->shader, mode, type, "v");
    var->data.location = location;
    return var;
}

/* Creates a phi of the header of a loop that was just pushed, with the source from before the loop.
 * insert_phi() adds the source from the back edge and inserts the phi. */
static inline nir_phi_instr *head_phi(nir_builder *b, nir_loop *loop, nir_def *initial)
{
    nir_phi_instr *phi = nir_phi_instr_create(b->shader);
    nir_def_init(&phi->instr, &phi->def, 1, 32);
    nir_phi_instr_add_src(phi, nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node)), initial);
    return phi;
}

static inline void insert_phi(nir_phi_instr *phi, nir_loop *loop, nir_def *back)
{
    nir_phi_instr_add_src(phi, nir_loop_last_block(loop), back);
    nir_instr_insert(nir_before_block(nir_loop_first_block(loop)), &phi->instr);
}

/* Returns the first such intrinsic of the entry point, or NULL. */
static inline nir_intrinsic_instr *find_intrinsic(nir_shader *shader, nir_intrinsic_op op)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(shader)) {
        nir_foreach_instr (instr, block) {
            if (instr->type == nir_instr_type_intrinsic &&
                nir_instr_as_intrinsic(instr)->intrinsic == op)
                return nir_instr_as_intrinsic(instr);
        }
    }
    return NULL;
}

/* These functions count instructions of the entry point. */
static inline unsigned count_intrinsics(nir_shader *shader, nir_intrinsic_op op)
{
    unsigned n = 0;
    nir_foreach_block (block, nir_shader_get_entrypoint(shader)) {
        nir_foreach_instr (instr, block)
            n += instr->type == nir_instr_type_intrinsic &&
                 nir_instr_as_intrinsic(instr)->intrinsic == op;
    }
    return n;
}

static inline unsigned count_ops(nir_shader *shader, nir_op op)
{
    unsigned n = 0;
    nir_foreach_block (block, nir_shader_get_entrypoint(shader)) {
        nir_foreach_instr (instr, block)
            n += instr->type == nir_instr_type_alu && nir_instr_as_alu(instr)->op == op;
    }
    return n;
}

static inline unsigned count_type(nir_shader *shader, nir_instr_type type)
{
    unsigned n = 0;
    nir_foreach_block (block, nir_shader_get_entrypoint(shader)) {
        nir_foreach_instr (instr, block)
            n += instr->type == type;
    }
    return n;
}

/* Run a pass, which gets the further arguments, over a valid shader. RUN: the pass must return true
 * and leave the shader valid. EXPECT_UNCHANGED: it must return false and not change the shader. */
#define RUN(b, pass, ...)                                                                          \
    do {                                                                                           \
        nir_validate_shader((b)->shader, "in the test");                                           \
        assert_true(pass((b)->shader, ##__VA_ARGS__));                                             \
        nir_validate_shader((b)->shader, "after " #pass);                                          \
    } while (0)
#define EXPECT_UNCHANGED(b, pass, ...)                                                             \
    do {                                                                                           \
        nir_validate_shader((b)->shader, "in the test");                                           \
        char *before_ = nir_shader_as_str((b)->shader, (b)->shader);                               \
        assert_false(pass((b)->shader, ##__VA_ARGS__));                                            \
        assert_string_equal(before_, nir_shader_as_str((b)->shader, (b)->shader));                 \
    } while (0)

/* Evaluates the shader, which must end normally. */
static inline void test_evaluate(struct nir_eval *eval, nir_shader *shader)
{
    assert_int_equal(nir_eval_shader(eval, shader), NIR_EVAL_DONE);
}

/* Checks the first component of an output slot for an input in slot 0. */
static inline void check(nir_shader *shader, uint32_t input, unsigned slot, uint32_t expected)
{
    struct nir_eval eval = {.inputs = {{input}}};
    test_evaluate(&eval, shader);
    assert_int_equal(eval.outputs[slot][0], expected);
}

/* --- Memory --- */

/* Memory that all UBO, SSBO and shared memory accesses share, and the number of accesses. */
struct test_memory {
    uint8_t bytes[256];
    unsigned loads, stores;
};

/* nir_eval.intrinsic for a struct test_memory in eval->data. Reads past the end yield 0; writes
 * there are dropped. */
static inline bool test_memory_intrinsic(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                                         nir_const_value *const *srcs, nir_const_value *dest)
{
    struct test_memory *memory = eval->data;
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    const nir_src *offset_src = nir_get_io_offset_src((nir_intrinsic_instr *)intr);
    if (!offset_src || !nir_intrinsic_has_align_mul(intr))
        return false;
    const nir_def *value = info->has_dest ? &intr->def : intr->src[0].ssa;
    unsigned bytes = value->bit_size / 8, offset = srcs[offset_src - intr->src][0].u32;
    if (nir_intrinsic_has_base(intr))
        offset += (unsigned)nir_intrinsic_base(intr);
    memory->loads += info->has_dest;
    memory->stores += !info->has_dest;
    for (unsigned c = 0; c < value->num_components; c++, offset += bytes) {
        bool inside = offset < sizeof memory->bytes && offset + bytes <= sizeof memory->bytes;
        if (info->has_dest) {
            dest[c].u64 = 0;
            if (inside)
                memcpy(&dest[c], memory->bytes + offset, bytes);
        } else if (inside && (nir_intrinsic_write_mask(intr) >> c & 1)) {
            memcpy(memory->bytes + offset, &srcs[0][c], bytes);
        }
    }
    return true;
}

#endif
