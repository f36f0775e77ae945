/* SPDX-License-Identifier: MIT */
/*
 * Moves arrays that hold constants and are read with variable indices from variables to the
 * shader's constant data. Such an array is written in one block, with constant values and indices,
 * before all reads. Elements that are not written are zero.
 *
 * Runs before the lowering of indirect derefs. The layout is that of the default uniform block;
 * booleans have 32 bits.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"
#include "nir_private.h"

#include "util/hash_table.h"

struct candidate {
    nir_variable *var;
    nir_block *block; /* block that writes the array */
    nir_instr *last;  /* last write */
    /* has_indirect: read with a variable index. bad: must stay a variable. */
    bool has_indirect, bad;
    uint8_t *data;   /* glsl_packed_size bytes */
    unsigned offset; /* byte offset in the shader's constant data */
    bool accepted;
};

struct state {
    void *mem_ctx;
    nir_shader *shader;
    struct hash_table *candidates; /* nir_variable → candidate */
    unsigned threshold;
};

/* ------------------------------------------------------------------------------ candidates --- */

static struct candidate *candidate_of(struct state *s, nir_deref_instr *deref)
{
    nir_variable *var = nir_deref_instr_get_variable(deref);
    if (!var || var->data.mode != nir_var_function_temp || !glsl_type_is_array(var->type))
        return NULL;
    struct candidate *c = hash_table_get(s->candidates, var);
    if (!c) {
        c = talloc_zero(s->mem_ctx, struct candidate);
        c->var = var;
        c->bad = glsl_packed_size(var->type) > 65536;
        hash_table_insert(s->candidates, var, c);
    }
    return c;
}

static bool is_only_read_and_written(nir_deref_instr *deref)
{
    nir_foreach_use_including_if(src, &deref->def)
    {
        if (nir_src_is_if(src))
            return false;
        nir_instr *user = nir_src_parent_instr(src);
        if (user->type == nir_instr_type_deref) {
            nir_deref_instr *child = nir_instr_as_deref(user);
            if (src != &child->parent || child->deref_type == nir_deref_type_cast ||
                child->deref_type == nir_deref_type_array_wildcard)
                return false;
        } else if (user->type == nir_instr_type_intrinsic) {
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(user);
            bool load = intr->intrinsic == nir_intrinsic_load_deref;
            bool store = intr->intrinsic == nir_intrinsic_store_deref && src == &intr->src[0];
            if ((!load && !store) || !glsl_type_is_vector_or_scalar(deref->type))
                return false;
        } else {
            return false;
        }
    }
    return true;
}

static void visit_write(struct candidate *c, nir_intrinsic_instr *store)
{
    nir_deref_instr *deref = nir_src_as_deref(store->src[0]);
    if ((c->block && c->block != store->instr.block) || nir_deref_instr_has_indirect(deref) ||
        !nir_src_is_const(store->src[1])) {
        c->bad = true;
        return;
    }
    c->block = store->instr.block;
    c->last = &store->instr;
}

static void find_candidates(struct state *s, nir_function_impl *impl)
{
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type == nir_instr_type_deref) {
                nir_deref_instr *deref = nir_instr_as_deref(instr);
                struct candidate *c = candidate_of(s, deref);
                if (c && !c->bad) {
                    c->bad = !is_only_read_and_written(deref);
                    c->has_indirect |= nir_deref_instr_has_indirect(deref);
                }
            } else if (instr->type == nir_instr_type_intrinsic) {
                nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
                nir_deref_instr *deref = intr->intrinsic == nir_intrinsic_store_deref
                                             ? nir_src_as_deref(intr->src[0])
                                             : NULL;
                struct candidate *c = deref ? candidate_of(s, deref) : NULL;
                if (c && !c->bad)
                    visit_write(c, intr);
            }
        }
    }
}

/* Reads must follow the last write. */
static void check_reads(struct state *s, nir_function_impl *impl)
{
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic ||
                nir_instr_as_intrinsic(instr)->intrinsic != nir_intrinsic_load_deref)
                continue;
            nir_deref_instr *deref = nir_src_as_deref(nir_instr_as_intrinsic(instr)->src[0]);
            struct candidate *c = deref ? candidate_of(s, deref) : NULL;
            if (!c || c->bad || !c->block)
                continue;
            bool following = c->block == block ? c->last->index < instr->index
                                               : nir_block_dominates(c->block, block);
            c->bad = !following;
        }
    }
}

/* ------------------------------------------------------------------------------------- data --- */

/* Returns the constant part of the byte offset. Stores the variable part, with clamped indices, in
 * *dynamic; NULL if there is none. */
static unsigned deref_offset(nir_builder *b, nir_deref_instr *deref, nir_def **dynamic)
{
    nir_deref_path path;
    unsigned offset = 0;
    *dynamic = NULL;
    nir_deref_path_init(&path, deref, NULL);
    for (nir_deref_instr **step = &path.path[1]; *step; step++) {
        const struct glsl_type *type = step[-1]->type;
        if ((*step)->deref_type == nir_deref_type_struct) {
            offset += nir_packed_field_offset(type, (*step)->strct.index);
            continue;
        }
        unsigned length = MAX2(glsl_length_of(type), 1), stride = nir_packed_stride((*step)->type);
        nir_src index = (*step)->arr.index;
        if (nir_src_is_const(index)) {
            offset += (unsigned)MIN2(nir_src_as_uint(index), length - 1) * stride;
            continue;
        }
        nir_def *i = nir_umin_imm(b, nir_u2uN(b, index.ssa, 32), length - 1);
        i = nir_imul_imm(b, i, stride);
        *dynamic = *dynamic ? nir_iadd(b, *dynamic, i) : i;
    }
    nir_deref_path_finish(&path);
    return offset;
}

static void write_data(struct candidate *c, nir_intrinsic_instr *store)
{
    nir_def *value = store->src[1].ssa, *none;
    unsigned bytes = MAX2(value->bit_size / 8, 4);
    unsigned at = deref_offset(NULL, nir_src_as_deref(store->src[0]), &none);
    const nir_const_value *v = nir_instr_as_load_const(value->parent_instr)->value;
    for (unsigned i = 0; i < value->num_components; i++, at += bytes) {
        uint64_t bits = nir_const_value_as_uint(v[i], value->bit_size);
        if (nir_intrinsic_write_mask(store) >> i & 1)
            memcpy(c->data + at, &bits, bytes);
    }
}

static void accept(struct state *s)
{
    hash_table_foreach (s->candidates, entry) {
        struct candidate *c = entry->data;
        if (c->bad || !c->block || !c->has_indirect ||
            glsl_packed_size(c->var->type) < s->threshold)
            continue;
        c->accepted = true;
        c->data = talloc_zero_array(s->mem_ctx, uint8_t, glsl_packed_size(c->var->type));
    }
}

/* Places the arrays in the order of the variables, so that equal shaders have equal data. */
static void place(struct state *s, nir_function_impl *impl)
{
    nir_shader *shader = s->shader;
    nir_foreach_function_temp_variable(var, impl)
    {
        struct candidate *c = hash_table_get(s->candidates, var);
        if (!c || !c->accepted)
            continue;
        unsigned size = glsl_packed_size(var->type);
        c->offset = ALIGN_POT(shader->constant_data_size, 16);
        shader->constant_data =
            talloc_realloc_size(shader, shader->constant_data, c->offset + size);
        memset((uint8_t *)shader->constant_data + shader->constant_data_size, 0,
               c->offset - shader->constant_data_size);
        memcpy((uint8_t *)shader->constant_data + c->offset, c->data, size);
        shader->constant_data_size = c->offset + size;
    }
}

static struct candidate *accepted(struct state *s, nir_instr *instr, nir_intrinsic_op op)
{
    if (instr->type != nir_instr_type_intrinsic || nir_instr_as_intrinsic(instr)->intrinsic != op)
        return NULL;
    nir_deref_instr *deref = nir_src_as_deref(nir_instr_as_intrinsic(instr)->src[0]);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    struct candidate *c = var ? hash_table_get(s->candidates, var) : NULL;
    return c && c->accepted ? c : NULL;
}

static void lower_load(nir_builder *b, struct candidate *c, nir_intrinsic_instr *load)
{
    nir_deref_instr *deref = nir_src_as_deref(load->src[0]);
    unsigned size = load->def.bit_size;
    nir_def *dynamic;
    b->cursor = nir_before_instr(&load->instr);
    unsigned offset = deref_offset(b, deref, &dynamic);
    nir_def *value = nir_load_constant(
        b, load->num_components, size == 1 ? 32 : size, dynamic ? dynamic : nir_imm_int(b, 0),
        .base = (int)(c->offset + offset), .range = glsl_packed_size(c->var->type) - offset,
        .align_mul = glsl_packed_align(deref->type));
    if (size == 1)
        value = nir_ine(b, value, nir_imm_zero(b, load->num_components, 32));
    nir_def_replace(&load->def, value);
    nir_deref_instr_remove_if_unused(deref);
}

static bool lower(struct state *s, nir_function_impl *impl)
{
    bool progress = false;
    nir_builder b = nir_builder_create(impl);
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            struct candidate *c = accepted(s, instr, nir_intrinsic_store_deref);
            if (c)
                write_data(c, nir_instr_as_intrinsic(instr));
        }
    }
    place(s, impl);
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) {
            struct candidate *c = accepted(s, instr, nir_intrinsic_store_deref);
            if (c) {
                nir_instr_remove(instr);
                progress = true;
            } else if ((c = accepted(s, instr, nir_intrinsic_load_deref))) {
                lower_load(&b, c, nir_instr_as_intrinsic(instr));
                progress = true;
            }
        }
    }
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_large_constants(nir_shader *shader, unsigned threshold)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        struct state s = {.mem_ctx = talloc_new(NULL), .shader = shader, .threshold = threshold};
        s.candidates = hash_table_create_pointer(s.mem_ctx);
        nir_metadata_require(impl, nir_metadata_dominance | nir_metadata_instr_index);
        find_candidates(&s, impl);
        check_reads(&s, impl);
        accept(&s);
        progress |= lower(&s, impl);
        talloc_free(s.mem_ctx);
    }
    return progress;
}
