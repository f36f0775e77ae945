/* SPDX-License-Identifier: MIT */
/*
 * Prints AArch64 instructions, a line each, as encoded and in the assembler's syntax. check_a64.py
 * compares the two. Each operand of each instruction takes all values, or the least, the greatest,
 * powers of two and random ones if there are many. The other operands are random.
 */
#include <stdio.h>

#include "jit/jit_a64.h"

#include "util/macros.h"

#define FEW 128 /* values, of which all are printed */

static const char *const syntaxes[A64_NUM_OPS] = {
#define A64(name, pattern, syntax, ...) syntax,
#include "jit/jit_a64_table.h"
#undef A64
};

static uint32_t random_word(void)
{
    static uint64_t state = 88172645463325252ull; /* xorshift64 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Returns value number i of a field, in ascending order. */
static int32_t value_of(const struct a64_field_info *f, uint32_t i)
{
    return f->min + (int32_t)(i << f->scale);
}

static uint32_t num_values(const struct a64_field_info *f)
{
    return ((uint32_t)(f->max - f->min) >> f->scale) + 1;
}

static void print_register(char kind, int32_t number)
{
    if (number == 31 && (kind == 'x' || kind == 'w'))
        printf("zr");
    else
        printf("%d", number);
}

static void print(enum a64_op op, const int32_t operands[])
{
    static const char *const conditions[] = {"eq", "ne", "hs", "lo", "mi", "pl", "vs",
                                             "vc", "hi", "ls", "ge", "lt", "gt", "le"};
    const int32_t *next = operands;
    printf("%08x ", a64_encode(op, operands));
    for (const char *s = syntaxes[op]; *s; s++) {
        if (*s == '?')
            printf("%s", conditions[*next++]);
        else if (*s == '$' && *next == 31)
            next++, printf("sp");
        else if (*s == '$')
            printf("x%d", *next++);
        else if (*s == '%')
            print_register(s[-1], *next++);
        else if (*s != '+' || *next >= 0) /* no sign before a negative offset */
            putchar(*s);
    }
    putchar('\n');
}

/* Prints the instruction with value number i of a field. */
static void print_with(enum a64_op op, unsigned field, uint32_t i)
{
    int32_t operands[A64_MAX_OPERANDS] = {0};
    for (unsigned k = 0; k < A64_MAX_OPERANDS && a64_ops[op].fields[k]; k++) {
        const struct a64_field_info *f = &a64_fields[a64_ops[op].fields[k]];
        operands[k] = value_of(f, k == field ? i : random_word() % num_values(f));
    }
    print(op, operands);
}

int main(void)
{
    for (unsigned op = 0; op < A64_NUM_OPS; op++) {
        for (unsigned k = 0; k < A64_MAX_OPERANDS && a64_ops[op].fields[k]; k++) {
            const uint32_t count = num_values(&a64_fields[a64_ops[op].fields[k]]);
            for (uint32_t i = 0; i < MIN2(count, FEW); i++)
                print_with(op, k, count <= FEW ? i : random_word() % count);
            for (uint32_t i = 1; count > FEW && i < count; i *= 2)
                print_with(op, k, i);
            print_with(op, k, 0);
            print_with(op, k, count - 1);
        }
    }
    return 0;
}
