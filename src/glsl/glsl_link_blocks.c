/* SPDX-License-Identifier: MIT */
/*
 * Blocks in several shaders: GLSL 4.60 §4.3.9. Declarations of one uniform or storage block must
 * agree in the whole program, those of a block of inputs or outputs within their stage (what flows
 * between stages is glsl_link_varyings.c's).
 */
#include <talloc.h>

#include "glsl/glsl_link.h"

/* The instance's array type, NULL for one block. */
static const struct glsl_type *instance_array(const struct hir_variable *var)
{
    return var->interface_field < 0 && glsl_type_is_array(var->type) ? var->type : NULL;
}

static bool blocks_match(const struct hir_variable *a, const struct hir_variable *b)
{
    const struct glsl_type *array_a = instance_array(a), *array_b = instance_array(b);
    if (!array_a != !array_b ||
        (array_a && array_a->length && array_b->length && array_a->length != array_b->length))
        return false;
    return glsl_type_equal(a->interface_type, b->interface_type);
}

static void check_declaration(struct linker *ln, struct hash_table *seen, unsigned stage,
                              struct hir_variable *var)
{
    bool everywhere = var->mode == HIR_VAR_UNIFORM || var->mode == HIR_VAR_BUFFER;
    char *key = talloc_asprintf(ln->tmp, "%s %u %u", var->interface_type->name, var->mode,
                                everywhere ? SHADER_STAGES : stage);
    struct hir_variable *first = hash_table_get(seen, key);
    if (!first)
        hash_table_insert(seen, key, var);
    else if (first->interface_type != var->interface_type && !blocks_match(first, var))
        link_error(ln, "definitions of block `%s' do not match", var->interface_type->name);
}

void link_check_blocks(struct linker *ln)
{
    struct hash_table *seen = hash_table_create_string(ln->tmp);
    for (unsigned i = 0; i < ln->input->num_shaders; i++) {
        struct glsl_shader *sh = ln->input->shaders[i];
        list_for_each_entry (struct hir_node, node, &sh->hir->instructions, link) {
            struct hir_variable *var = (struct hir_variable *)node;
            if (node->kind == HIR_VARIABLE && var->interface_type && !var->builtin && !ln->failed)
                check_declaration(ln, seen, sh->stage, var);
        }
    }
}
