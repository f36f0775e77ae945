/* SPDX-License-Identifier: MIT */
/*
 * Search and replacement of expression trees, driven by tables that nir_algebraic.py generates.
 * Patterns match per-component ALU instructions of any vector width and look through swizzles.
 */
#ifndef NIR_SEARCH_H
#define NIR_SEARCH_H

#include "nir_builder.h"

#define NIR_SEARCH_MAX_VARIABLES 8 /* maximum number of variables in a rule */

/* Kinds of pattern nodes. */
enum nir_search_type { nir_search_expression, nir_search_variable, nir_search_constant };

/* Condition on the value that matched a variable of the pattern: the components swizzle[0] to
 * swizzle[n - 1] of def. Returns true if the condition holds. */
typedef bool (*nir_search_cond)(const nir_def *def, const uint8_t *swizzle, unsigned n);

/* A node of a pattern or of its replacement. Which fields are used depends on the type. */
struct nir_search_value {
    uint8_t type;     /* enum nir_search_type */
    uint8_t bit_size; /* required bit size of the value; 0: any */
    /* --- for nir_search_expression --- */
    bool inexact; /* doesn't match instructions that are exact */
    bool exact;   /* in a replacement: makes an exact instruction */
    /* -1 if the sources are tried in this order only. Otherwise the first two are also tried in
     * swapped order; the value is the index of this expression among such expressions of the
     * pattern. */
    int8_t commutative;
    uint16_t op;      /* nir_op */
    uint16_t srcs[4]; /* indices into nir_search_table.values */
    /* --- for nir_search_variable --- */
    uint8_t variable; /* index of the variable in the rule; equal indices match equal values */
    bool must_be_constant;
    uint8_t cond; /* 1 + index into nir_search_table.conds; 0: none */
    /* --- for nir_search_constant --- */
    nir_alu_type const_type; /* nir_type_float: data.f is used; other base types: data.i */
    union {
        double f;
        int64_t i;
    } data;
};

/* An element of nir_search_rule.needs is a requirement for a source of the root instruction. 0: no
 * requirement. NIR_SEARCH_CONSTANT: a constant. Otherwise opcode + 1: the result of that opcode.
 * Rules whose requirements aren't met are skipped without trying the pattern. */
#define NIR_SEARCH_CONSTANT UINT16_MAX
/* Bit of a requirement in nir_search_rule.mask; several requirements may share a bit. */
#define NIR_SEARCH_BIT(need) ((need) ? 1ull << (need) % 61 : 0)

/* A pattern and the expression that replaces it. */
struct nir_search_rule {
    uint64_t mask;            /* OR of NIR_SEARCH_BIT of all needs */
    uint16_t search, replace; /* indices into nir_search_table.values */
    uint8_t option;           /* 1 + index in `options` of the option that must be true; 0: none */
    uint8_t num_commutative;  /* number of expressions with commutative >= 0 in the pattern */
    uint8_t num_variables;
    bool swap;         /* the root is commutative: its first two sources may be swapped */
    bool same;         /* the first two sources of the root must be the same value */
    uint16_t needs[3]; /* requirements for the first three sources of the root */
};

/* The rules of a pass; static and constant. */
struct nir_search_table {
    const struct nir_search_value *values;
    const struct nir_search_rule *rules; /* sorted by the opcode of the root */
    const nir_search_cond *conds;
    /* [op]: index of the first rule whose root is op; nir_num_opcodes + 1 entries. */
    const uint16_t *first_rule;
};

/* Applies the rules and constant folding to a function in one walk, which also visits the
 * instructions that rules create. options: the values of the options that rules depend on
 * (nir_search_rule.option). Returns true if it changed the code. */
bool nir_search_impl(nir_function_impl *impl, const struct nir_search_table *table,
                     const bool *options);

#endif
