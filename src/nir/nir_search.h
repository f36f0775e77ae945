/* SPDX-License-Identifier: MIT */
/*
 * Search and replacement of expression trees, driven by tables that nir_algebraic.py generates.
 * Patterns match per-component ALU instructions of any vector width and look through swizzles.
 */
#ifndef NIR_SEARCH_H
#define NIR_SEARCH_H

#include "nir_builder.h"

#define NIR_SEARCH_MAX_VARIABLES 8

enum nir_search_type { nir_search_expression, nir_search_variable, nir_search_constant };

/* Condition on a matched variable: takes the components swizzle[0 … n - 1] of def. */
typedef bool (*nir_search_cond)(const nir_def *def, const uint8_t *swizzle, unsigned n);

struct nir_search_value {
    uint8_t type;     /* enum nir_search_type */
    uint8_t bit_size; /* required bit size of the value; 0: any */
    /* nir_search_expression */
    bool inexact; /* doesn't match exact instructions */
    /* Index among the commutative expressions of the pattern; -1: not commutative. */
    int8_t commutative;
    uint16_t op;
    uint16_t srcs[4]; /* indices into nir_search_table.values */
    /* nir_search_variable */
    uint8_t variable;
    bool must_be_constant;
    uint8_t cond; /* 1 + index into nir_search_table.conds; 0: none */
    /* nir_search_constant */
    nir_alu_type const_type; /* base type */
    union {
        double f;
        int64_t i;
    } data;
};

/* Requirement on what a source of the root is computed by: 0 (anything), NIR_SEARCH_CONSTANT or an
 * opcode + 1. Checked before the pattern is tried. */
#define NIR_SEARCH_CONSTANT UINT16_MAX
/* Bit of a requirement in nir_search_rule.mask. */
#define NIR_SEARCH_BIT(need) ((need) ? 1ull << (need) % 61 : 0)

struct nir_search_rule {
    uint64_t mask;            /* NIR_SEARCH_BIT of all needs */
    uint16_t search, replace; /* indices into nir_search_table.values */
    uint8_t option;           /* 1 + index of the option that must be true; 0: none */
    uint8_t num_commutative;
    uint8_t num_variables;
    bool swap;         /* the first two sources may be swapped */
    bool same;         /* the first two sources must be the same variable */
    uint16_t needs[3]; /* requirements on the first three sources */
};

struct nir_search_table {
    const struct nir_search_value *values;
    const struct nir_search_rule *rules; /* sorted by the opcode of the root */
    const nir_search_cond *conds;
    const uint16_t *first_rule; /* index by opcode; num_opcodes + 1 entries */
};

/* Applies the rules to the function in one walk, including to the instructions that they create.
 * options: the value of each option in the table. Returns true on progress. */
bool nir_search_impl(nir_function_impl *impl, const struct nir_search_table *table,
                     const bool *options);

#endif
