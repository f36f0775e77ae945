/* SPDX-License-Identifier: MIT */
#include "nir_search.h"

#include "nir_private.h"

struct binding {
    nir_def *def; /* NULL: not bound */
    uint8_t swizzle[NIR_MAX_VEC_COMPONENTS];
};

struct match {
    const struct nir_search_table *table;
    unsigned n;       /* components of the root */
    unsigned swapped; /* bit mask of commutative expressions whose sources are swapped */
    bool exact;       /* a matched instruction is exact */
    struct binding vars[NIR_SEARCH_MAX_VARIABLES];
};

/* --- Matching --- */

static bool match_value(struct match *m, const struct nir_search_value *value, nir_def *def,
                        const uint8_t *swizzle);

static bool match_constant(const struct match *m, const struct nir_search_value *value,
                           const nir_def *def, const uint8_t *swizzle)
{
    if (def->parent_instr->type != nir_instr_type_load_const)
        return false;
    const nir_const_value *c = nir_instr_as_load_const(def->parent_instr)->value;
    for (unsigned i = 0; i < m->n; i++) {
        nir_const_value v = c[swizzle[i]];
        if (value->const_type == nir_type_float) {
            if (def->bit_size < 16)
                return false;
            double want = value->data.f, have = nir_const_value_as_float(v, def->bit_size);
            /* +0 and -0 are different constants. */
            if (want != have || __builtin_signbit(want) != __builtin_signbit(have))
                return false;
        } else if (value->const_type == nir_type_bool) {
            if (def->bit_size != 1 || v.b != (value->data.i != 0))
                return false;
        } else {
            uint64_t mask = def->bit_size == 64 ? ~0ull : (1ull << def->bit_size) - 1;
            if (nir_const_value_as_uint(v, def->bit_size) != ((uint64_t)value->data.i & mask))
                return false;
        }
    }
    return true;
}

static bool match_variable(struct match *m, const struct nir_search_value *value, nir_def *def,
                           const uint8_t *swizzle)
{
    struct binding *var = &m->vars[value->variable];
    if (value->must_be_constant && def->parent_instr->type != nir_instr_type_load_const)
        return false;
    if (var->def && (var->def != def || memcmp(var->swizzle, swizzle, m->n) != 0))
        return false;
    if (value->cond && !m->table->conds[value->cond - 1](def, swizzle, m->n))
        return false;
    var->def = def;
    memcpy(var->swizzle, swizzle, m->n);
    return true;
}

static bool match_expression(struct match *m, const struct nir_search_value *value,
                             nir_alu_instr *alu, const uint8_t *swizzle)
{
    const nir_op_info *info = &nir_op_infos[value->op];
    if (alu->op != value->op || (value->inexact && alu->exact))
        return false;
    m->exact |= alu->exact;
    for (unsigned s = 0; s < info->num_inputs; s++) {
        unsigned from = s;
        if (value->commutative >= 0 && s < 2 && (m->swapped >> value->commutative & 1))
            from = 1 - s;
        uint8_t composed[NIR_MAX_VEC_COMPONENTS];
        for (unsigned i = 0; i < m->n; i++)
            composed[i] = nir_alu_src_comp(&alu->src[from], swizzle[i]);
        if (!match_value(m, &m->table->values[value->srcs[s]], alu->src[from].src.ssa, composed))
            return false;
    }
    return true;
}

static bool match_value(struct match *m, const struct nir_search_value *value, nir_def *def,
                        const uint8_t *swizzle)
{
    if (value->bit_size && def->bit_size != value->bit_size)
        return false;
    switch (value->type) {
    case nir_search_expression:
        return def->parent_instr->type == nir_instr_type_alu &&
               match_expression(m, value, nir_instr_as_alu(def->parent_instr), swizzle);
    case nir_search_variable:
        return match_variable(m, value, def, swizzle);
    default:
        return match_constant(m, value, def, swizzle);
    }
}

/* --- Replacement --- */

/* Returns the inherent bit size of a value; 0 if the context determines it. */
static unsigned own_bit_size(const struct match *m, const struct nir_search_value *value)
{
    if (value->bit_size)
        return value->bit_size;
    if (value->type == nir_search_variable)
        return m->vars[value->variable].def->bit_size;
    if (value->type == nir_search_constant)
        return value->const_type == nir_type_bool ? 1 : 0;
    const nir_op_info *info = &nir_op_infos[value->op];
    unsigned size = nir_alu_type_get_type_size(info->output_type);
    for (unsigned s = 0; s < info->num_inputs && !size; s++) {
        if (nir_alu_type_get_type_size(info->input_types[s]) == 0)
            size = own_bit_size(m, &m->table->values[value->srcs[s]]);
    }
    return size;
}

static nir_alu_src build_value(struct match *m, nir_builder *b,
                               const struct nir_search_value *value, unsigned bit_size);

static nir_alu_src build_constant(nir_builder *b, const struct nir_search_value *value,
                                  unsigned bit_size)
{
    nir_alu_src src = {0};
    nir_def *def = value->const_type == nir_type_float
                       ? nir_imm_floatN_t(b, value->data.f, bit_size)
                       : nir_imm_intN_t(b, value->data.i, bit_size);
    src.src = nir_src_for_ssa(def); /* a zero swizzle reads the first component for all */
    return src;
}

static nir_alu_src build_expression(struct match *m, nir_builder *b,
                                    const struct nir_search_value *value, unsigned bit_size)
{
    const nir_op_info *info = &nir_op_infos[value->op];
    unsigned out = nir_alu_type_get_type_size(info->output_type), unsized = 0;
    if (!out)
        unsized = bit_size;
    for (unsigned s = 0; s < info->num_inputs && !unsized; s++) {
        if (nir_alu_type_get_type_size(info->input_types[s]) == 0)
            unsized = own_bit_size(m, &m->table->values[value->srcs[s]]);
    }
    nir_alu_src srcs[4];
    for (unsigned s = 0; s < info->num_inputs; s++) {
        unsigned size = nir_alu_type_get_type_size(info->input_types[s]);
        srcs[s] = build_value(m, b, &m->table->values[value->srcs[s]], size ? size : unsized);
    }
    nir_alu_instr *alu = nir_alu_instr_create(b->shader, value->op);
    for (unsigned s = 0; s < info->num_inputs; s++)
        nir_alu_src_copy(&alu->src[s], &srcs[s]);
    alu->exact = m->exact || value->exact;
    nir_def_init(&alu->instr, &alu->def, m->n, out ? out : unsized);
    nir_builder_instr_insert(b, &alu->instr);

    nir_alu_src result = {nir_src_for_ssa(&alu->def), NIR_IDENTITY_SWIZZLE};
    return result;
}

static nir_alu_src build_value(struct match *m, nir_builder *b,
                               const struct nir_search_value *value, unsigned bit_size)
{
    switch (value->type) {
    case nir_search_expression:
        return build_expression(m, b, value, bit_size);
    case nir_search_variable: {
        nir_alu_src src = {.src = nir_src_for_ssa(m->vars[value->variable].def)};
        for (unsigned i = 0; i < m->n; i++)
            nir_alu_src_set_comp(&src, i, m->vars[value->variable].swizzle[i]);
        return src;
    }
    default:
        return build_constant(b, value, bit_size);
    }
}

/* Returns the new value with the size of the root. */
static nir_def *finish_value(struct match *m, nir_builder *b, const nir_alu_src *src)
{
    nir_def *def = src->src.ssa;
    bool identity = def->num_components == m->n;
    for (unsigned i = 0; i < m->n; i++)
        identity &= nir_alu_src_comp(src, i) == i;
    if (identity)
        return def;
    nir_alu_instr *mov = nir_alu_instr_create(b->shader, nir_op_mov);
    nir_alu_src_copy(&mov->src[0], src);
    nir_def_init(&mov->instr, &mov->def, m->n, def->bit_size);
    nir_builder_instr_insert(b, &mov->instr);
    return &mov->def;
}

static bool rule_matches(struct match *m, const struct nir_search_rule *rule, nir_alu_instr *alu)
{
    static const uint8_t identity[NIR_MAX_VEC_COMPONENTS] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                             8, 9, 10, 11, 12, 13, 14, 15};
    const struct nir_search_value *search = &m->table->values[rule->search];
    if (search->bit_size && search->bit_size != alu->def.bit_size)
        return false;
    for (unsigned swapped = 0; swapped < 1u << rule->num_commutative; swapped++) {
        for (unsigned i = 0; i < rule->num_variables; i++)
            m->vars[i].def = NULL;
        m->swapped = swapped;
        m->exact = false;
        if (match_expression(m, search, alu, identity))
            return true;
    }
    return false;
}

/* --- The pre-filter --- */

static uint16_t source_class(const nir_alu_instr *alu, unsigned s)
{
    const nir_instr *instr = alu->src[s].src.ssa->parent_instr;
    if (instr->type == nir_instr_type_alu)
        return nir_instr_as_alu(instr)->op + 1;
    return instr->type == nir_instr_type_load_const ? NIR_SEARCH_CONSTANT : 0;
}

static bool need_is_met(uint16_t need, uint16_t have)
{
    return need == 0 || need == have;
}

static bool may_match(const struct nir_search_rule *rule, const uint16_t have[3])
{
    if (!need_is_met(rule->needs[2], have[2]))
        return false;
    return (need_is_met(rule->needs[0], have[0]) && need_is_met(rule->needs[1], have[1])) ||
           (rule->swap && need_is_met(rule->needs[0], have[1]) &&
            need_is_met(rule->needs[1], have[0]));
}

static nir_def *try_rules(nir_builder *b, nir_alu_instr *alu, const struct nir_search_table *table,
                          const bool *options)
{
    unsigned first = table->first_rule[alu->op], end = table->first_rule[alu->op + 1];
    if (first == end)
        return NULL;
    struct match m;
    uint16_t have[3] = {0};
    m.table = table;
    m.n = alu->def.num_components;
    uint64_t mask = 0;
    bool same = nir_op_infos[alu->op].num_inputs > 1 && alu->src[0].src.ssa == alu->src[1].src.ssa;
    for (unsigned s = 0; s < MIN2(nir_op_infos[alu->op].num_inputs, 3); s++) {
        have[s] = source_class(alu, s);
        mask |= NIR_SEARCH_BIT(have[s]);
    }
    for (unsigned r = first; r < end; r++) {
        const struct nir_search_rule *rule = &table->rules[r];
        if ((rule->mask & ~mask) || (rule->same && !same) || !may_match(rule, have) ||
            (rule->option && !options[rule->option - 1]) || !rule_matches(&m, rule, alu))
            continue;
        b->cursor = nir_before_instr(&alu->instr);
        nir_alu_src src = build_value(&m, b, &table->values[rule->replace], alu->def.bit_size);
        return finish_value(&m, b, &src);
    }
    return NULL;
}

/* Limit of consecutive rule applications to new code. Rules shrink or lower expressions; the limit
 * guards against rules that undo each other. */
#define MAX_IN_A_ROW 16

/* Walks the block once; code created by a rule is searched immediately. */
static bool search_block(nir_builder *b, nir_block *block, const struct nir_search_table *table,
                         const bool *options)
{
    bool progress = false;
    unsigned in_a_row = 0;
    struct list_head *list = &block->instr_list, *following = NULL, *next;
    for (struct list_head *node = list->next; node != list; node = next) {
        nir_instr *instr = list_entry(node, nir_instr, node);
        struct list_head *before = node->prev;
        next = node->next;
        if (node == following)
            in_a_row = 0;
        if (nir_fold_instr(b, instr)) {
            progress = true;
            continue;
        }
        if (instr->type != nir_instr_type_alu || in_a_row == MAX_IN_A_ROW)
            continue;
        nir_alu_instr *alu = nir_instr_as_alu(instr);
        nir_def *def = nir_def_is_unused(&alu->def) ? NULL : try_rules(b, alu, table, options);
        if (!def)
            continue;
        if (in_a_row++ == 0)
            following = next;
        if (before->next != node)
            next = before->next;
        nir_def_replace_and_clean(&alu->def, def);
        progress = true;
    }
    return progress;
}

bool nir_search_impl(nir_function_impl *impl, const struct nir_search_table *table,
                     const bool *options)
{
    nir_builder b = nir_builder_create(impl);
    bool progress = false;
    nir_foreach_block (block, impl)
        progress |= search_block(&b, block, table, options);
    return nir_progress(progress, impl, nir_metadata_control_flow);
}
