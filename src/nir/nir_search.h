/* SPDX-License-Identifier: MIT */
/*
 * Search and replacement of expression trees, described by tables that nir_algebraic.py makes.
 * A pattern matches per-component ALU instructions of any width; swizzles are looked through.
 */
#ifndef NIR_SEARCH_H
#define NIR_SEARCH_H

#include "nir_builder.h"

#define NIR_SEARCH_MAX_VARIABLES 8

enum nir_search_type { nir_search_expression, nir_search_variable, nir_search_constant };

/* Condition on a matched variable: n components of def in that order. */
typedef bool (*nir_search_cond)(const nir_def *def, const uint8_t *swizzle, unsigned n);

struct nir_search_value {
    uint8_t type;     /* enum nir_search_type */
    uint8_t bit_size; /* of the value, 0 for any */
    /* expressions */
    bool inexact;       /* does not match exact instructions */
    int8_t commutative; /* number among the pattern's commutative expressions, -1 */
    uint16_t op;
    uint16_t srcs[4]; /* in the table of values */
    /* variables */
    uint8_t variable;
    bool must_be_constant;
    uint8_t cond; /* in the table of conditions + 1; 0: none */
    /* constants */
    nir_alu_type const_type; /* base type */
    union {
        double f;
        int64_t i;
    } data;
};

/* What a source of the root must come from: 0 anything, NIR_SEARCH_CONSTANT, or an opcode + 1. The
 * pre-filter compares these before a pattern is tried. */
#define NIR_SEARCH_CONSTANT UINT16_MAX
/* A bit for that, in the mask of all that a rule asks for. */
#define NIR_SEARCH_BIT(need) ((need) ? 1ull << (need) % 61 : 0)

struct nir_search_rule {
    uint64_t mask; /* NIR_SEARCH_BIT of needs */
    uint16_t search, replace;
    uint8_t option; /* number of the option that must hold + 1; 0: none */
    uint8_t num_commutative;
    uint8_t num_variables;
    bool swap;         /* the first two sources may be exchanged */
    bool same;         /* the first two sources are one variable */
    uint16_t needs[3]; /* of the first three sources */
};

struct nir_search_table {
    const struct nir_search_value *values;
    const struct nir_search_rule *rules; /* sorted by opcode of the root */
    const nir_search_cond *conds;
    const uint16_t *first_rule; /* by opcode; num_opcodes + 1 entries */
};

/* Applies rules, in one walk, also to what they make. options: whether each option of the table
 * holds. */
bool nir_search_impl(nir_function_impl *impl, const struct nir_search_table *table,
                     const bool *options);

#endif
