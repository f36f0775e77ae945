/* SPDX-License-Identifier: MIT */
/*
 * Unit tests of LIR allocation and scheduling: hand-written and random graphs for coloring, and
 * random programs for the scheduler, whose order is checked against every dependency.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include <cmocka.h>

#include "driver/i965/compiler/lir.h"
#include "driver/i965/compiler/lir_color.h"
#include "util/macros.h"

static unsigned rnd(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*state >> 33) % n;
}

/* --- Colors --- */

/* Makes all units of both nodes interfere. */
static void interfere_whole(struct lir_color *g, unsigned a, unsigned size_a, unsigned b,
                            unsigned size_b)
{
    for (unsigned i = 0; i < size_a; i++) {
        for (unsigned j = 0; j < size_b; j++)
            lir_color_interfere(g, a, i, b, j);
    }
}

static void test_clique(void **state)
{
    struct lir_color *g = lir_color_create(NULL, 8, 8);
    uint64_t taken = 0;
    (void)state;
    for (unsigned n = 0; n < 8; n++)
        lir_color_set_node(g, n, 1, 1);
    for (unsigned n = 0; n < 8; n++) {
        for (unsigned m = 0; m < n; m++)
            lir_color_interfere(g, n, 0, m, 0);
    }
    assert_true(lir_color_solve(g));
    for (unsigned n = 0; n < 8; n++)
        taken |= 1ull << lir_color_place(g, n);
    assert_int_equal(taken, 0xff);
    talloc_free(g);
}

/* One node too many: the node with the best ratio of freed places to cost must be spilled. */
static void test_spill_choice(void **state)
{
    static const float costs[] = {5, 40, 3, 60, -1};
    struct lir_color *g = lir_color_create(NULL, 5, 4);
    (void)state;
    for (unsigned n = 0; n < 5; n++)
        lir_color_set_node(g, n, 1, costs[n]);
    for (unsigned n = 0; n < 5; n++) {
        for (unsigned m = 0; m < n; m++)
            lir_color_interfere(g, n, 0, m, 0);
    }
    assert_false(lir_color_solve(g));
    assert_int_equal(lir_color_choose_spill(g), 2);
    talloc_free(g);
}

/* In a cycle of four, every node has degree two, and two colors suffice: optimistic coloring. */
static void test_optimism(void **state)
{
    struct lir_color *g = lir_color_create(NULL, 4, 2);
    (void)state;
    for (unsigned n = 0; n < 4; n++)
        lir_color_set_node(g, n, 1, 1);
    for (unsigned n = 0; n < 4; n++)
        lir_color_interfere(g, n, 0, (n + 1) % 4, 0);
    assert_true(lir_color_solve(g));
    for (unsigned n = 0; n < 4; n++)
        assert_int_not_equal(lir_color_place(g, n), lir_color_place(g, (n + 1) % 4));
    talloc_free(g);
}

/* A payload of four units that are written one after the other, each when a value ends. It fits in
 * the places of the values. */
static void test_units(void **state)
{
    struct lir_color *g = lir_color_create(NULL, 5, 4);
    (void)state;
    lir_color_set_node(g, 0, 4, 1);
    for (unsigned n = 1; n < 5; n++)
        lir_color_set_node(g, n, 1, 1);
    for (unsigned n = 1; n < 5; n++) {
        for (unsigned m = 1; m < n; m++)
            lir_color_interfere(g, n, 0, m, 0);
        for (unsigned unit = 0; unit + 1 < n; unit++) /* Value n ends when unit n - 1 is written. */
            lir_color_interfere(g, 0, unit, n, 0);
    }
    assert_true(lir_color_solve(g));
    assert_int_equal(lir_color_place(g, 0), 0);
    for (unsigned n = 1; n < 5; n++)
        assert_int_equal(lir_color_place(g, n), n - 1);
    talloc_free(g);
}

static void test_forbidden(void **state)
{
    struct lir_color *g = lir_color_create(NULL, 2, 16);
    (void)state;
    lir_color_set_node(g, 0, 4, 1);
    lir_color_set_node(g, 1, 4, -1);
    interfere_whole(g, 0, 4, 1, 4);
    lir_color_forbid(g, 0, -3);
    for (int place = 0; place < 12; place++) /* At the end, like the payload of the last message. */
        lir_color_forbid(g, 0, place);
    assert_true(lir_color_solve(g));
    assert_int_equal(lir_color_place(g, 0), 12);
    assert_true(lir_color_place(g, 1) <= 8);
    talloc_free(g);

    g = lir_color_create(NULL, 2, 16);
    lir_color_set_node(g, 0, 17, -1);
    assert_false(lir_color_solve(g));
    assert_int_equal(lir_color_choose_spill(g), LIR_COLOR_NONE);
    assert_int_equal(lir_color_place(g, 0), LIR_COLOR_NONE);
    talloc_free(g);
}

/* Nodes too large for one bit per distance interfere as a whole. */
static void test_large(void **state)
{
    struct lir_color *g = lir_color_create(NULL, 2, 128);
    (void)state;
    lir_color_set_node(g, 0, 60, 1);
    lir_color_set_node(g, 1, 68, 1);
    lir_color_interfere(g, 0, 3, 1, 67);
    assert_true(lir_color_solve(g));
    unsigned a = lir_color_place(g, 0), b = lir_color_place(g, 1);
    assert_true(a + 60 <= b || b + 68 <= a);
    talloc_free(g);
}

/* Intervals of random sizes and lengths, with at most `room` registers live: no two may overlap. */
static void random_graph(uint64_t seed, unsigned room)
{
    enum { NODES = 120, TIME = 400 };
    unsigned start[NODES], end[NODES], size[NODES], alive[TIME] = {0}, count = 0;
    for (unsigned tries = 0; tries < 400 && count < NODES; tries++) {
        unsigned s = rnd(&seed, TIME - 40), e = s + 1 + rnd(&seed, 39),
                 n = 1 + rnd(&seed, 4) * rnd(&seed, 3);
        bool fits = true;
        for (unsigned t = s; t < e; t++)
            fits &= alive[t] + n <= room;
        if (!fits)
            continue;
        for (unsigned t = s; t < e; t++)
            alive[t] += n;
        start[count] = s;
        end[count] = e;
        size[count++] = n;
    }
    struct lir_color *g = lir_color_create(NULL, count, 128);
    for (unsigned n = 0; n < count; n++)
        lir_color_set_node(g, n, size[n], (float)rnd(&seed, 10));
    for (unsigned n = 0; n < count; n++) {
        for (unsigned m = 0; m < n; m++) {
            if (start[n] < end[m] && start[m] < end[n])
                interfere_whole(g, n, size[n], m, size[m]);
        }
    }
    bool solved = lir_color_solve(g);
    if (room <= 64)
        assert_true(solved); /* There is enough room, even with fragmentation. */
    for (unsigned n = 0; n < count; n++) {
        unsigned a = lir_color_place(g, n);
        assert_true(a == LIR_COLOR_NONE ? !solved : a + size[n] <= 128);
        for (unsigned m = 0; m < n; m++) {
            unsigned b = lir_color_place(g, m);
            bool meet = start[n] < end[m] && start[m] < end[n];
            if (meet && a != LIR_COLOR_NONE && b != LIR_COLOR_NONE)
                assert_true(a + size[n] <= b || b + size[m] <= a);
        }
    }
    talloc_free(g);
}

static void test_random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        random_graph(seed, 64);
        random_graph(seed, 128);
    }
}

/* --- Scheduling --- */

static struct lir_program *random_program(uint64_t seed, unsigned count)
{
    struct lir_program *p = talloc_zero(NULL, struct lir_program);
    p->dev = i965_device_by_name("skl");
    p->stage = SHADER_COMPUTE;
    p->width = 8;
    p->vgrfs.mem_ctx = p;
    list_init(&p->insts);
    struct lir_reg values[24];
    for (unsigned v = 0; v < ARRAY_SIZE(values); v++) {
        values[v] = lir_vgrf(p, 1 + v % 3, EU_TYPE_F);
        p->vgrfs.data[v].hw = (uint16_t)(8 + v * 2); /* Some overlap. */
    }
    for (unsigned i = 0; i < count; i++) {
        static const unsigned ops[] = {EU_OPCODE_ADD, EU_OPCODE_MUL, EU_OPCODE_CMP,  EU_OPCODE_SEL,
                                       EU_OPCODE_MAD, EU_OPCODE_MOV, EU_OPCODE_SEND, LIR_OP_UNDEF};
        unsigned op = ops[rnd(&seed, ARRAY_SIZE(ops))];
        struct lir_reg r[4];
        for (unsigned k = 0; k < 4; k++) {
            unsigned v = rnd(&seed, ARRAY_SIZE(values));
            r[k] = lir_byte_offset(values[v], rnd(&seed, p->vgrfs.data[v].size) * LIR_REG_SIZE);
        }
        bool one = op == EU_OPCODE_MOV || op == EU_OPCODE_SEND;
        struct lir_inst *inst = lir_inst_create(
            p, op, 8, r[0], op == LIR_OP_UNDEF ? lir_bad() : r[1],
            one || op == LIR_OP_UNDEF ? lir_bad() : r[2], op == EU_OPCODE_MAD ? r[3] : lir_bad());
        inst->flag = (uint8_t)rnd(&seed, 2);
        inst->cmod = op == EU_OPCODE_CMP ? EU_CMOD_L : EU_CMOD_NONE;
        inst->predicate =
            op == EU_OPCODE_SEL || rnd(&seed, 8) == 0 ? EU_PREDICATE_NORMAL : EU_PREDICATE_NONE;
        if (op == EU_OPCODE_SEND) {
            inst->sfid = EU_SFID_DATA_CACHE1;
            inst->mlen = inst->rlen = 1;
            inst->predicate = EU_PREDICATE_NONE;
            inst->side_effects = rnd(&seed, 2);
            inst->scratch = inst->side_effects && rnd(&seed, 2);
        }
        if (op == LIR_OP_UNDEF)
            inst->rlen = 1;
        list_addtail(&inst->node, &p->insts);
    }
    return p;
}

static bool overlap(struct lir_span a, struct lir_span b)
{
    return a.first < b.first + b.count && b.first < a.first + a.count;
}

/* Returns the hardware registers if allocated, otherwise the virtual ones. */
static struct lir_span place(const struct lir_program *p, const struct lir_reg *r, unsigned bytes,
                             bool real)
{
    unsigned base = real ? p->vgrfs.data[r->nr].hw : r->nr * 16;
    if (r->file != LIR_VGRF || !bytes)
        return (struct lir_span){0, 0};
    return (struct lir_span){base + r->offset / LIR_REG_SIZE, DIV_ROUND_UP(bytes, LIR_REG_SIZE)};
}

/* Returns whether b must stay after a. */
static bool depends(const struct lir_program *p, const struct lir_inst *a, const struct lir_inst *b,
                    bool real)
{
    if (real && (a->op == LIR_OP_UNDEF || b->op == LIR_OP_UNDEF))
        return false;
    struct lir_span write_a = place(p, &a->dst, lir_size_written(a), real);
    struct lir_span write_b = place(p, &b->dst, lir_size_written(b), real);
    if (overlap(write_a, write_b))
        return true;
    for (unsigned s = 0; s < 3; s++) {
        if (overlap(write_a, place(p, &b->src[s], lir_size_read(b, s), real)) ||
            overlap(write_b, place(p, &a->src[s], lir_size_read(a, s), real)))
            return true;
    }
    unsigned wa = lir_flags_written(a), wb = lir_flags_written(b);
    if (wa & (wb | lir_flags_read(b)) || wb & lir_flags_read(a))
        return true;
    return lir_has_side_effects(a) && lir_has_side_effects(b) && a->scratch == b->scratch &&
           !(a->scratch && a->rlen && b->rlen);
}

static void check_order(uint64_t seed, enum lir_schedule_mode mode, unsigned max_alive)
{
    enum { COUNT = 60 };
    struct lir_program *p = random_program(seed, COUNT);
    struct lir_inst *before[COUNT];
    bool real = mode == LIR_SCHEDULE_ALLOCATED;
    unsigned n = 0;
    lir_foreach_inst(inst, p) before[n++] = inst;
    lir_schedule(p, mode, max_alive);
    assert_int_equal(lir_number(p), COUNT); /* Sets ip to the new order. */
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned j = i + 1; j < COUNT; j++) {
            if (depends(p, before[i], before[j], real))
                assert_true(before[i]->ip < before[j]->ip);
        }
    }
    talloc_free(p);
}

static void test_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        for (unsigned alive = 0; alive <= 40; alive += 10)
            check_order(seed, LIR_SCHEDULE_VIRTUAL, alive);
        check_order(seed, LIR_SCHEDULE_ALLOCATED, 0);
    }
}

static void append(struct lir_program *p, unsigned op, struct lir_reg dst, struct lir_reg src)
{
    struct lir_inst *inst = lir_inst_create(p, op, 8, dst, src, src, lir_bad());
    list_addtail(&inst->node, &p->insts);
}

static uint64_t cycles_of_nested_loops(unsigned depth)
{
    struct lir_program *p = talloc_zero(NULL, struct lir_program);
    p->dev = i965_device_by_name("skl");
    p->vgrfs.mem_ctx = p;
    list_init(&p->insts);
    struct lir_reg v = lir_vgrf(p, 1, EU_TYPE_F);
    for (unsigned i = 0; i < depth; i++)
        append(p, LIR_OP_DO, lir_bad(), lir_bad());
    append(p, EU_OPCODE_ADD, v, v);
    for (unsigned i = 0; i < depth; i++)
        append(p, EU_OPCODE_WHILE, lir_bad(), lir_bad());
    uint64_t cycles = lir_count_cycles(p);
    talloc_free(p);
    return cycles;
}

/* Each loop counts ten times, also if the number needs more than 32 bits. */
static void test_cycles(void **state)
{
    (void)state;
    uint64_t weight = 1;
    for (unsigned depth = 1; depth <= 15; depth++) {
        weight *= 10;
        assert_in_range(cycles_of_nested_loops(depth), 2 * weight, 12 * weight);
    }
    assert_true(cycles_of_nested_loops(40) == I965_MAX_CYCLES);
}

/* A message's result is used at once; independent instructions must be moved in between. */
static void test_latency(void **state)
{
    struct lir_program *p = talloc_zero(NULL, struct lir_program);
    (void)state;
    p->dev = i965_device_by_name("skl");
    p->vgrfs.mem_ctx = p;
    list_init(&p->insts);
    struct lir_reg v[8];
    for (unsigned i = 0; i < 8; i++)
        v[i] = lir_vgrf(p, 1, EU_TYPE_F);
    struct lir_inst *load = lir_inst_create(p, EU_OPCODE_SEND, 8, v[1], v[0], lir_bad(), lir_bad());
    load->mlen = load->rlen = 1;
    load->sfid = EU_SFID_SAMPLER;
    struct lir_inst *use = lir_inst_create(p, EU_OPCODE_ADD, 8, v[2], v[1], v[1], lir_bad());
    struct lir_inst *other = lir_inst_create(p, EU_OPCODE_ADD, 8, v[3], v[0], v[0], lir_bad());
    list_addtail(&other->node, &p->insts);
    list_addtail(&load->node, &p->insts);
    list_addtail(&use->node, &p->insts);
    uint64_t cycles = lir_count_cycles(p);
    lir_schedule(p, LIR_SCHEDULE_VIRTUAL, 96);
    assert_true(lir_count_cycles(p) < cycles);
    lir_number(p);
    assert_true(load->ip < other->ip && other->ip < use->ip);
    talloc_free(p);
}

/* --- Liveness --- */

/* A register that is read after a write is live before the write unless the write is whole. */
static void test_partial_writes(void **state)
{
    static const struct {
        unsigned predicate, exec_size;
        bool alive;
    } cases[] = {
        {EU_PREDICATE_NONE, 8, false},
        {EU_PREDICATE_NORMAL, 8, true},
        {EU_PREDICATE_NONE, 4, true}, /* half a register */
    };
    (void)state;
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        struct lir_program *p = random_program(1, 0);
        struct lir_reg value = {.file = LIR_VGRF, .nr = 0, .type = EU_TYPE_F, .stride = 1};
        struct lir_reg other = {.file = LIR_VGRF, .nr = 3, .type = EU_TYPE_F, .stride = 1};
        struct lir_inst *insts[] = {
            lir_inst_create(p, EU_OPCODE_MOV, 8, value, lir_imm_f(0), lir_bad(), lir_bad()),
            lir_inst_create(p, EU_OPCODE_MOV, 8, other, lir_imm_f(0), lir_bad(), lir_bad()),
            lir_inst_create(p, EU_OPCODE_IF, 8, lir_bad(), lir_bad(), lir_bad(), lir_bad()),
            lir_inst_create(p, EU_OPCODE_MOV, cases[i].exec_size, value, other, lir_bad(),
                            lir_bad()),
            lir_inst_create(p, EU_OPCODE_MOV, 8, other, value, lir_bad(), lir_bad()),
            lir_inst_create(p, EU_OPCODE_ENDIF, 8, lir_bad(), lir_bad(), lir_bad(), lir_bad()),
        };
        insts[2]->predicate = EU_PREDICATE_NORMAL;
        insts[3]->predicate = cases[i].predicate;
        for (unsigned n = 0; n < ARRAY_SIZE(insts); n++)
            list_addtail(&insts[n]->node, &p->insts);
        struct lir_cfg *cfg = lir_cfg_build(p, p);
        lir_liveness(p, cfg, p);
        const bitset_word *live = cfg->blocks[1].live_in; /* after the if */
        assert_int_equal(bitset_test(live, cfg->vgrf_base[0]), cases[i].alive);
        assert_true(bitset_test(live, cfg->vgrf_base[3]));
        talloc_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clique),         cmocka_unit_test(test_spill_choice),
        cmocka_unit_test(test_optimism),       cmocka_unit_test(test_units),
        cmocka_unit_test(test_forbidden),      cmocka_unit_test(test_large),
        cmocka_unit_test(test_random_graphs),  cmocka_unit_test(test_order),
        cmocka_unit_test(test_cycles),         cmocka_unit_test(test_latency),
        cmocka_unit_test(test_partial_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
