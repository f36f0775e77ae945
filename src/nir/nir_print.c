/* SPDX-License-Identifier: MIT */
/* Prints a shader as text: one instruction per line, and blocks with their edges. */
#include "nir.h"

#include <inttypes.h>
#include <talloc.h>

#include "nir_loop_analyze.h"
#include "nir_range_analysis.h"

#include "util/strbuf.h"

struct printer {
    struct strbuf sb;
    unsigned indent;
};

static const char *const stage_names[] = {
    "vertex",
    "tessellation control",
    "tessellation evaluation",
    "geometry",
    "fragment",
    "compute",
    "task",
    "mesh",
};

static const char *mode_name(nir_variable_mode mode)
{
    static const char *const names[nir_num_variable_modes] = {
        "system", "uniform", "shader_in", "shader_out", "image",  "shader_temp",
        "temp",   "ubo",     "ssbo",      "shared",     "global",
    };
    return mode ? names[util_logbase2(mode)] : "none";
}

static void newline(struct printer *p)
{
    strbuf_append_char(&p->sb, '\n');
    for (unsigned i = 0; i < p->indent; i++)
        strbuf_append(&p->sb, "    ");
}

static void print_def(struct printer *p, const nir_def *def)
{
    strbuf_printf(&p->sb, "%s %ux%u %%%u = ", def->divergent ? "div" : "con", def->bit_size,
                  def->num_components, def->index);
}

static void print_src(struct printer *p, const nir_src *src)
{
    if (src->ssa)
        strbuf_printf(&p->sb, "%%%u", src->ssa->index);
    else
        strbuf_append(&p->sb, "(unset)");
}

/* Prints the facts that nir_range_analysis.h knows about the result. */
static void print_range(struct printer *p, const nir_def *def, nir_alu_type type)
{
    static const char *const facts[] = {">= 0", "number", "finite", "<= 1", "integral"};
    if (type == nir_type_int || type == nir_type_uint) {
        uint64_t all = def->bit_size == 64 ? ~0ull : (1ull << def->bit_size) - 1, bound = 0;
        for (unsigned c = 0; c < def->num_components; c++)
            bound = MAX2(bound, nir_unsigned_upper_bound((nir_def *)def, c));
        if (bound < all)
            strbuf_printf(&p->sb, "  // at most %" PRIu64, bound);
    } else if (type == nir_type_float) {
        unsigned known = ~0u, printed = 0;
        for (unsigned c = 0; c < def->num_components; c++)
            known &= nir_analyze_float((nir_def *)def, c);
        for (unsigned i = 0; i < ARRAY_SIZE(facts); i++) {
            if (known >> i & 1)
                strbuf_printf(&p->sb, "%s%s", printed++ ? ", " : "  // ", facts[i]);
        }
    }
}

static void print_alu(struct printer *p, const nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    print_def(p, &alu->def);
    strbuf_printf(&p->sb, "%s%s", info->name, alu->exact ? "!" : "");
    for (unsigned i = 0; i < info->num_inputs; i++) {
        strbuf_append(&p->sb, i ? ", " : " ");
        print_src(p, &alu->src[i].src);
        if (alu->src[i].src.ssa && !nir_alu_src_is_trivial_ssa(alu, i)) {
            strbuf_append_char(&p->sb, '.');
            for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, i); c++)
                strbuf_append_char(&p->sb,
                                   "xyzwefghijklmnop"[nir_alu_src_comp(&alu->src[i], c) & 15]);
        }
    }
    if (alu->instr.block)
        print_range(p, &alu->def, nir_alu_type_get_base_type(info->output_type));
}

static void print_deref(struct printer *p, const nir_deref_instr *deref)
{
    print_def(p, &deref->def);
    switch (deref->deref_type) {
    case nir_deref_type_var:
        strbuf_printf(&p->sb, "deref_var &%s", deref->var->name ? deref->var->name : "(unnamed)");
        break;
    case nir_deref_type_array:
        strbuf_append(&p->sb, "deref_array ");
        print_src(p, &deref->parent);
        strbuf_append_char(&p->sb, '[');
        print_src(p, &deref->arr.index);
        strbuf_append_char(&p->sb, ']');
        break;
    case nir_deref_type_array_wildcard:
        strbuf_append(&p->sb, "deref_array ");
        print_src(p, &deref->parent);
        strbuf_append(&p->sb, "[*]");
        break;
    case nir_deref_type_struct: {
        strbuf_append(&p->sb, "deref_struct ");
        print_src(p, &deref->parent);
        nir_deref_instr *parent = nir_deref_instr_parent(deref);
        strbuf_printf(&p->sb, ".%u (%s)", deref->strct.index,
                      parent && parent->type->fields ? parent->type->fields[deref->strct.index].name
                                                     : "?");
        break;
    }
    case nir_deref_type_cast:
        strbuf_append(&p->sb, "deref_cast ");
        print_src(p, &deref->parent);
        break;
    }
    strbuf_printf(&p->sb, "  (%s %s)", mode_name(deref->modes), deref->type->name);
}

static void print_intrinsic(struct printer *p, const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    if (info->has_dest)
        print_def(p, &intr->def);
    strbuf_printf(&p->sb, "@%s (", info->name);
    for (unsigned i = 0; i < info->num_srcs; i++) {
        if (i)
            strbuf_append(&p->sb, ", ");
        print_src(p, &intr->src[i]);
    }
    strbuf_append_char(&p->sb, ')');
    for (unsigned i = 0; i < info->num_indices; i++) {
        if (info->indices[i] == NIR_INTRINSIC_IO_SEMANTICS) {
            nir_io_semantics io = nir_intrinsic_io_semantics(intr);
            strbuf_printf(&p->sb, " io(location=%u slots=%u)", io.location, io.num_slots);
        } else {
            strbuf_printf(&p->sb, " %s=%d", nir_intrinsic_index_names[info->indices[i]],
                          intr->const_index[i]);
        }
    }
}

static void print_tex(struct printer *p, const nir_tex_instr *tex)
{
    static const char *const ops[] = {"tex",
                                      "txb",
                                      "txl",
                                      "txd",
                                      "txf",
                                      "txf_ms",
                                      "txs",
                                      "lod",
                                      "tg4",
                                      "query_levels",
                                      "texture_samples"};
    static const char *const srcs[nir_num_tex_src_types] = {
        "coord",
        "projector",
        "comparator",
        "offset",
        "bias",
        "lod",
        "min_lod",
        "ms_index",
        "ddx",
        "ddy",
        "texture",
        "sampler",
        "texture_offset",
        "sampler_offset",
        "texture_handle",
    };
    static const char *const dims[] = {"1D",   "2D",     "3D", "cube",
                                       "rect", "buffer", "MS", "external"};
    print_def(p, &tex->def);
    strbuf_printf(&p->sb, "%s %s%s%s%s", ops[tex->op], dims[tex->sampler_dim],
                  tex->is_array ? " array" : "", tex->is_shadow ? " shadow" : "",
                  tex->is_residency ? " residency" : "");
    for (unsigned i = 0; i < tex->num_srcs; i++) {
        strbuf_printf(&p->sb, ", ");
        print_src(p, &tex->src[i].src);
        strbuf_printf(&p->sb, " (%s)", srcs[tex->src[i].src_type]);
    }
    strbuf_printf(&p->sb, ", texture %u, sampler %u", tex->texture_index, tex->sampler_index);
    if (tex->op == nir_texop_tg4)
        strbuf_printf(&p->sb, ", component %u", tex->component);
}

static void print_load_const(struct printer *p, const nir_load_const_instr *load)
{
    print_def(p, &load->def);
    strbuf_append(&p->sb, "load_const (");
    for (unsigned i = 0; i < load->def.num_components; i++) {
        uint64_t bits = nir_const_value_as_uint(load->value[i], load->def.bit_size);
        strbuf_append(&p->sb, i ? ", " : "");
        if (load->def.bit_size == 1)
            strbuf_append(&p->sb, bits ? "true" : "false");
        else
            strbuf_printf(&p->sb, "0x%0*" PRIx64, load->def.bit_size / 4, bits);
        if (load->def.bit_size >= 16)
            strbuf_printf(&p->sb, " = %g",
                          nir_const_value_as_float(load->value[i], load->def.bit_size));
    }
    strbuf_append_char(&p->sb, ')');
}

static void print_phi(struct printer *p, const nir_phi_instr *phi)
{
    bool first = true;
    print_def(p, &phi->def);
    strbuf_append(&p->sb, "phi ");
    nir_foreach_phi_src (src, phi) {
        strbuf_printf(&p->sb, "%sb%u: ", first ? "" : ", ", src->pred->index);
        print_src(p, &src->src);
        first = false;
    }
}

static void print_call(struct printer *p, const nir_call_instr *call)
{
    strbuf_printf(&p->sb, "call %s (", call->callee->name);
    for (unsigned i = 0; i < call->num_params; i++) {
        strbuf_append(&p->sb, i ? ", " : "");
        print_src(p, &call->params[i]);
    }
    strbuf_append_char(&p->sb, ')');
}

static void print_parallel_copy(struct printer *p, const nir_parallel_copy_instr *pcopy)
{
    strbuf_append(&p->sb, "parallel_copy");
    list_for_each_entry (nir_parallel_copy_entry, entry, &pcopy->entries, node) {
        if (entry->dest_is_reg)
            strbuf_printf(&p->sb, " r%u = ", entry->dest_reg.ssa->index);
        else
            strbuf_printf(&p->sb, " %%%u = ", entry->def.index);
        print_src(p, &entry->src);
        strbuf_append_char(&p->sb, ';');
    }
}

static void print_instr(struct printer *p, const nir_instr *instr)
{
    static const char *const jumps[] = {"return", "halt", "break", "continue"};
    switch (instr->type) {
    case nir_instr_type_alu:
        print_alu(p, nir_instr_as_alu(instr));
        break;
    case nir_instr_type_deref:
        print_deref(p, nir_instr_as_deref(instr));
        break;
    case nir_instr_type_call:
        print_call(p, nir_instr_as_call(instr));
        break;
    case nir_instr_type_tex:
        print_tex(p, nir_instr_as_tex(instr));
        break;
    case nir_instr_type_intrinsic:
        print_intrinsic(p, nir_instr_as_intrinsic(instr));
        break;
    case nir_instr_type_load_const:
        print_load_const(p, nir_instr_as_load_const(instr));
        break;
    case nir_instr_type_jump:
        strbuf_append(&p->sb, jumps[nir_instr_as_jump(instr)->type]);
        break;
    case nir_instr_type_undef:
        print_def(p, &nir_instr_as_undef(instr)->def);
        strbuf_append(&p->sb, "undefined");
        break;
    case nir_instr_type_phi:
        print_phi(p, nir_instr_as_phi(instr));
        break;
    case nir_instr_type_parallel_copy:
        print_parallel_copy(p, nir_instr_as_parallel_copy(instr));
        break;
    }
}

/* Returns the lowest predecessor index above `last`, or -1. */
static int64_t next_pred_index(const nir_block *block, int64_t last)
{
    int64_t best = -1;
    for (unsigned i = 0; i < block->num_predecessors; i++) {
        int64_t index = block->predecessors[i]->index;
        if (index > last && (best < 0 || index < best))
            best = index;
    }
    return best;
}

static void print_block(struct printer *p, const nir_block *block)
{
    newline(p);
    strbuf_printf(&p->sb, "block b%u:  // preds:", block->index);
    /* Sorted, because the order of predecessors depends on how the shader was built. */
    for (int64_t last = -1, next; (next = next_pred_index(block, last)) >= 0; last = next)
        strbuf_printf(&p->sb, " b%u", (unsigned)next);
    nir_foreach_instr (instr, block) {
        newline(p);
        print_instr(p, instr);
    }
    newline(p);
    strbuf_append(&p->sb, "// succs:");
    for (unsigned i = 0; i < 2; i++) {
        if (block->successors[i])
            strbuf_printf(&p->sb, " b%u", block->successors[i]->index);
    }
}

static void print_cf_list(struct printer *p, const struct list_head *list);

static void print_cf_node(struct printer *p, const nir_cf_node *node)
{
    if (node->type == nir_cf_node_block) {
        print_block(p, nir_cf_node_as_block(node));
    } else if (node->type == nir_cf_node_if) {
        nir_if *nif = nir_cf_node_as_if(node);
        newline(p);
        strbuf_append(&p->sb, "if ");
        print_src(p, &nif->condition);
        strbuf_append(&p->sb, " {");
        print_cf_list(p, &nif->then_list);
        strbuf_append(&p->sb, "} else {");
        print_cf_list(p, &nif->else_list);
        strbuf_append_char(&p->sb, '}');
    } else if (node->type == nir_cf_node_loop) {
        nir_loop *loop = nir_cf_node_as_loop(node);
        nir_function_impl *impl = nir_cf_node_get_function(&loop->cf_node);
        newline(p);
        strbuf_printf(&p->sb, "loop {%s", loop->divergent ? "  // (divergent)" : "");
        if (impl && (impl->valid_metadata & nir_metadata_loop_analysis) &&
            loop->info->max_trips >= 0)
            strbuf_printf(&p->sb, "  // at most %d trips", loop->info->max_trips);
        print_cf_list(p, &loop->body);
        strbuf_append_char(&p->sb, '}');
    }
}

static void print_cf_list(struct printer *p, const struct list_head *list)
{
    p->indent++;
    nir_foreach_cf_node(node, list) print_cf_node(p, node);
    p->indent--;
    newline(p);
}

static void print_variable(struct printer *p, const nir_variable *var)
{
    static const char *const interpolations[] = {"", " smooth", " flat", " noperspective",
                                                 " per_vertex"};
    strbuf_printf(&p->sb, "decl_var %s%s %s %s", mode_name(var->data.mode),
                  interpolations[MIN2(var->data.interpolation, 4)], var->type->name,
                  var->name ? var->name : "(unnamed)");
    strbuf_printf(&p->sb, " (location %d.%u, driver_location %u, binding %u)", var->data.location,
                  var->data.location_frac, var->data.driver_location, var->data.binding);
}

static void print_function(struct printer *p, const nir_function *function)
{
    strbuf_printf(&p->sb, "function %s (%u parameters)%s", function->name, function->num_params,
                  function->is_entrypoint ? " // entrypoint" : "");
    if (!function->impl) {
        strbuf_append(&p->sb, ";\n");
        return;
    }
    nir_index_blocks(function->impl);
    strbuf_append(&p->sb, " {");
    p->indent++;
    nir_foreach_function_temp_variable(var, function->impl)
    {
        newline(p);
        print_variable(p, var);
    }
    p->indent--;
    print_cf_list(p, &function->impl->body);
    strbuf_printf(&p->sb, "} // end block b%u\n", function->impl->end_block->index);
}

char *nir_shader_as_str(void *mem_ctx, const nir_shader *shader)
{
    struct printer p = {.sb = STRBUF_INIT(mem_ctx)};
    strbuf_printf(&p.sb, "shader: %s%s%s\n",
                  shader->info.stage >= 0 && shader->info.stage < SHADER_STAGE_COUNT
                      ? stage_names[shader->info.stage]
                      : "none",
                  shader->info.name ? " " : "", shader->info.name ? shader->info.name : "");
    nir_foreach_variable_in_list (var, &shader->variables) {
        print_variable(&p, var);
        newline(&p);
    }
    nir_foreach_function (function, shader)
        print_function(&p, function);
    if (!p.sb.data || p.sb.failed)
        return talloc_strdup(mem_ctx, "");
    return p.sb.data;
}

void nir_print_shader(const nir_shader *shader, FILE *fp)
{
    char *text = nir_shader_as_str(NULL, shader);
    fputs(text, fp);
    talloc_free(text);
}

void nir_print_instr(const nir_instr *instr, FILE *fp)
{
    struct printer p = {.sb = STRBUF_INIT(NULL)};
    print_instr(&p, instr);
    fputs(strbuf_str(&p.sb), fp);
    fputc('\n', fp);
    talloc_free(p.sb.data);
}
