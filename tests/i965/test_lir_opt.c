/* SPDX-License-Identifier: MIT */
/* Optimization passes of LIR on hand-written programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <talloc.h>

#include <cmocka.h>

#include "driver/i965/compiler/lir.h"
#include "driver/i965/i965_device.h"

static struct lir_program *create_for(const char *target)
{
    struct lir_program *p = talloc_zero(NULL, struct lir_program);
    p->dev = i965_device_by_name(target);
    p->stage = SHADER_VERTEX;
    p->width = 8;
    p->payload_regs = 8;
    p->vgrfs.mem_ctx = p;
    list_init(&p->insts);
    return p;
}

static struct lir_inst *append(struct lir_program *p, unsigned op, struct lir_reg dst,
                               struct lir_reg a, struct lir_reg b)
{
    struct lir_inst *inst = lir_inst_create(p, op, 8, dst, a, b, lir_bad());
    list_addtail(&inst->node, &p->insts);
    return inst;
}

static struct lir_inst *move(struct lir_program *p, struct lir_reg dst, struct lir_reg src)
{
    return append(p, EU_OPCODE_MOV, dst, src, lir_bad());
}

/* Ends the thread with a message whose payload is r. */
static void finish(struct lir_program *p, struct lir_reg r, unsigned regs)
{
    struct lir_inst *send = append(p, EU_OPCODE_SEND, lir_null(EU_TYPE_UD), r, lir_bad());
    send->sfid = EU_SFID_URB;
    send->mlen = (uint8_t)regs;
    send->eot = true;
    const struct lir_inst *broken;
    assert_null(lir_validate(p, LIR_PHASE_LOWERED, &broken));
}

static void check_valid(struct lir_program *p)
{
    const struct lir_inst *broken;
    assert_null(lir_validate(p, LIR_PHASE_LOWERED, &broken));
}

static struct lir_reg part(struct lir_reg r, unsigned reg)
{
    return lir_byte_offset(r, reg * LIR_REG_SIZE);
}

static unsigned count(struct lir_program *p)
{
    return lir_number(p);
}

static void test_inverted_source(void **state)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg a = lir_vgrf(p, 1, EU_TYPE_UD), b = lir_vgrf(p, 1, EU_TYPE_UD);
    struct lir_reg c = lir_vgrf(p, 1, EU_TYPE_UD), d = lir_vgrf(p, 1, EU_TYPE_UD);
    move(p, a, lir_grf(2, EU_TYPE_UD));
    append(p, EU_OPCODE_NOT, b, a, lir_bad());
    struct lir_inst *and = append(p, EU_OPCODE_AND, c, b, lir_imm_ud(0x3f800000));
    struct lir_inst *or = append(p, EU_OPCODE_OR, d, c, b);
    finish(p, d, 1);
    assert_true(lir_opt_logic(p));
    check_valid(p);
    assert_true(and->src[0].nr == a.nr && and->src[0].negate);
    assert_true(or->src[0].nr == c.nr && !or->src[0].negate);
    assert_true(or->src[1].nr == a.nr && or->src[1].negate);
    assert_true(lir_opt_dead_code(p));
    assert_int_equal(count(p), 4);
    talloc_free(p);
}

/* The source of not has another value when the inverse is used. */
static void test_inverted_source_changed(void **state)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg a = lir_vgrf(p, 1, EU_TYPE_UD), b = lir_vgrf(p, 1, EU_TYPE_UD);
    struct lir_reg c = lir_vgrf(p, 1, EU_TYPE_UD);
    move(p, a, lir_grf(2, EU_TYPE_UD));
    append(p, EU_OPCODE_NOT, b, a, lir_bad());
    move(p, a, lir_grf(3, EU_TYPE_UD));
    append(p, EU_OPCODE_AND, c, b, a);
    finish(p, c, 1);
    assert_false(lir_opt_logic(p));
    talloc_free(p);
}

static void test_joined_constants(void **state)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg v = lir_vgrf(p, 4, EU_TYPE_UD);
    move(p, part(v, 1), lir_imm_ud(7));
    move(p, part(v, 0), lir_imm_ud(7));
    move(p, part(v, 2), lir_imm_ud(8));
    move(p, part(v, 3), lir_imm_ud(9));
    finish(p, v, 4);
    assert_true(lir_join_moves(p));
    check_valid(p);
    assert_int_equal(count(p), 4);
    const struct lir_inst *first = list_entry(p->insts.next, struct lir_inst, node);
    assert_true(first->exec_size == 16 && first->no_mask && first->dst.offset == 0);
    talloc_free(p);
}

/* Consecutive registers, and consecutive scalars. */
static void test_joined_copies(void **state)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg v = lir_vgrf(p, 4, EU_TYPE_F);
    move(p, part(v, 0), lir_grf(4, EU_TYPE_F));
    move(p, part(v, 2), lir_grf_scalar(2, 8, EU_TYPE_F));
    move(p, part(v, 1), lir_grf(5, EU_TYPE_F));
    move(p, part(v, 3), lir_grf_scalar(2, 12, EU_TYPE_F));
    finish(p, v, 4);
    assert_true(lir_join_moves(p));
    check_valid(p);
    assert_int_equal(count(p), 3);
    const struct lir_inst *first = list_entry(p->insts.next, struct lir_inst, node);
    const struct lir_inst *second = list_entry(first->node.next, struct lir_inst, node);
    assert_true(first->exec_size == 16 && first->src[0].nr == 4 && !first->src[0].region);
    assert_true(second->exec_size == 16 && second->src[0].region && second->src[0].vstride == 1 &&
                second->src[0].width == 8 && second->src[0].hstride == 0);
    talloc_free(p);
}

/* Waiting channels may read a VGRF that several blocks access. */
static void test_moves_of_other_blocks(void **state)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg v = lir_vgrf(p, 2, EU_TYPE_UD);
    move(p, part(v, 0), lir_grf(2, EU_TYPE_UD));
    move(p, part(v, 1), lir_grf(4, EU_TYPE_UD));
    append(p, EU_OPCODE_CMP, lir_null(EU_TYPE_UD), lir_grf(5, EU_TYPE_UD), lir_imm_ud(1))->cmod =
        EU_CMOD_L;
    append(p, EU_OPCODE_IF, lir_bad(), lir_bad(), lir_bad())->predicate = EU_PREDICATE_NORMAL;
    move(p, part(v, 0), lir_imm_ud(7));
    move(p, part(v, 1), lir_imm_ud(7));
    append(p, EU_OPCODE_ENDIF, lir_bad(), lir_bad(), lir_bad());
    finish(p, v, 2);
    assert_false(lir_join_moves(p));
    talloc_free(p);
}

/* The source of the second move is computed between the two. */
static void test_moves_in_order(void **state)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg v = lir_vgrf(p, 2, EU_TYPE_UD), w = lir_vgrf(p, 2, EU_TYPE_UD);
    append(p, EU_OPCODE_ADD, part(w, 0), lir_grf(2, EU_TYPE_UD), lir_imm_ud(1));
    move(p, part(v, 0), part(w, 0));
    append(p, EU_OPCODE_ADD, part(w, 1), lir_grf(2, EU_TYPE_UD), lir_imm_ud(2));
    move(p, part(v, 1), part(w, 1));
    finish(p, v, 2);
    assert_false(lir_join_moves(p));
    talloc_free(p);
}

/* The second move reads what the first writes, or the first reads what the second writes. */
static void test_moves_of_each_other(void **state)
{
    for (unsigned up = 0; up < 2; up++) {
        struct lir_program *p = create_for("skl");
        struct lir_reg v = lir_vgrf(p, 3, EU_TYPE_UD);
        for (unsigned i = 0; i < 3; i++)
            append(p, EU_OPCODE_ADD, part(v, i), lir_grf(2 + i, EU_TYPE_UD), lir_imm_ud(i + 1));
        move(p, part(v, up ? 0 : 1),
             part(v, up ? 1 : 0)); /* v1 = v0, v2 = v1 or v0 = v1, v1 = v2 */
        move(p, part(v, up ? 1 : 2), part(v, up ? 2 : 1));
        finish(p, v, 3);
        assert_false(lir_join_moves(p));
        talloc_free(p);
    }
}

static void build_scalars(struct lir_program *p)
{
    struct lir_reg scalars = lir_scalar(lir_vgrf(p, 1, EU_TYPE_UD), 0),
                   v = lir_vgrf(p, 1, EU_TYPE_UD);
    for (unsigned i = 0; i < 3; i++) {
        struct lir_inst *set = move(p, lir_byte_offset(scalars, 4 * i), lir_imm_ud(100 + i));
        set->exec_size = 1;
        set->no_mask = true;
    }
    append(p, EU_OPCODE_ADD, v, lir_byte_offset(scalars, 4), lir_byte_offset(scalars, 8));
    finish(p, v, 1);
}

static void test_joined_scalars(void **state)
{
    struct lir_program *p = create_for("skl");
    build_scalars(p);
    assert_true(lir_join_moves(p));
    check_valid(p);
    assert_int_equal(count(p), 4);
    const struct lir_reg *src = &list_entry(p->insts.next, struct lir_inst, node)->src[0];
    assert_true(src->type == EU_TYPE_UQ && src->imm == 100 && src->imm_high == 101);
    talloc_free(p);

    p = create_for("icl"); /* It has no 64-bit types. */
    build_scalars(p);
    assert_false(lir_join_moves(p));
    talloc_free(p);
}

static struct lir_inst *compare(struct lir_program *p, struct lir_reg dst, enum eu_type type,
                                enum eu_cmod cmod)
{
    struct lir_inst *inst =
        append(p, EU_OPCODE_CMP, lir_retype(dst, type), lir_grf(2, type), lir_grf(3, type));
    inst->cmod = (uint8_t)cmod;
    return inst;
}

/* Returns whether the second comparison becomes the inverse of the first. `reads_flag`: the flag of
 * the second is read. */
static bool inverts_second(enum eu_type type, enum eu_cmod first, enum eu_cmod second,
                           bool reads_flag)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg a = lir_vgrf(p, 1, EU_TYPE_UD), b = lir_vgrf(p, 1, EU_TYPE_UD);
    struct lir_reg payload = lir_vgrf(p, 2, EU_TYPE_UD);
    compare(p, a, type, first);
    const struct lir_inst *inst = compare(p, b, type, second);
    if (reads_flag)
        append(p, EU_OPCODE_SEL, part(payload, 0), a, lir_imm_ud(1))->predicate =
            EU_PREDICATE_NORMAL;
    else
        append(p, EU_OPCODE_AND, part(payload, 0), a, lir_imm_ud(1));
    append(p, EU_OPCODE_AND, part(payload, 1), b, lir_imm_ud(2));
    finish(p, payload, 2);
    lir_opt_cse(p);
    check_valid(p);
    bool inverts = inst->op == EU_OPCODE_NOT && inst->src[0].nr == a.nr && !inst->cmod;
    talloc_free(p);
    return inverts;
}

static void test_opposite_comparisons(void **state)
{
    assert_true(inverts_second(EU_TYPE_F, EU_CMOD_Z, EU_CMOD_NZ, false));
    assert_true(inverts_second(EU_TYPE_D, EU_CMOD_L, EU_CMOD_GE, false));
    assert_false(inverts_second(EU_TYPE_F, EU_CMOD_L, EU_CMOD_GE, false)); /* Both false for NaN. */
    assert_false(inverts_second(EU_TYPE_D, EU_CMOD_L, EU_CMOD_LE, false));
    assert_false(inverts_second(EU_TYPE_D, EU_CMOD_Z, EU_CMOD_NZ, true));
}

/* Three-source instructions need 64-bit scalars in all channels; one copy serves several. */
static void test_copies_of_wide_scalars(void **state)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg scalar = lir_grf_scalar(2, 8, EU_TYPE_DF), copies[2], results[2];
    struct lir_reg payload = lir_vgrf(p, 1, EU_TYPE_F);
    for (unsigned i = 0; i < 2; i++) {
        copies[i] = lir_vgrf(p, 2, EU_TYPE_DF);
        results[i] = lir_vgrf(p, 2, EU_TYPE_DF);
        move(p, copies[i], scalar);
        struct lir_reg from = i ? results[0] : copies[i];
        append(p, EU_OPCODE_MAD, results[i], copies[i], from)->src[2] = from;
    }
    struct lir_reg low = lir_retype(results[1], EU_TYPE_F);
    low.stride = 2;
    move(p, payload, low);
    finish(p, payload, 1);
    assert_true(lir_opt_cse(p));
    assert_true(lir_opt_copy_propagation(p));
    assert_true(lir_opt_dead_code(p));
    check_valid(p);
    assert_int_equal(count(p), 5);
    talloc_free(p);
}

/* The first comparison of each half of a SIMD16 kernel writes its own part of the flag. */
static void test_halves_of_flags(void **state)
{
    struct lir_program *p = create_for("skl");
    p->width = 16;
    struct lir_reg payload = lir_vgrf(p, 2, EU_TYPE_UD);
    for (unsigned i = 0; i < 2; i++) {
        struct lir_inst *cmp = compare(p, lir_null(EU_TYPE_D), EU_TYPE_D, EU_CMOD_L);
        cmp->group = (uint8_t)(8 * i);
        assert_int_equal(lir_flags_written(cmp), 1u << i);
    }
    struct lir_inst *sel = append(p, EU_OPCODE_SEL, payload, lir_grf(4, EU_TYPE_UD), lir_imm_ud(1));
    sel->exec_size = 16;
    sel->predicate = EU_PREDICATE_NORMAL;
    assert_int_equal(lir_flags_read(sel), 3);
    finish(p, payload, 2);
    assert_false(lir_opt_dead_code(p));
    assert_int_equal(count(p), 4);
    talloc_free(p);
}

/* A vote's predicate reads the flag bits of all channels, although the instruction has one. */
static void test_flags_of_votes(void **state)
{
    struct lir_program *p = create_for("skl");
    struct lir_inst *set = move(p, lir_scalar(lir_vgrf(p, 1, EU_TYPE_D), 0), lir_imm_d(-1));
    set->exec_size = 1;
    set->predicate = EU_PREDICATE_ALL8H;
    assert_int_equal(lir_flags_read(set), 1);
    set->predicate = EU_PREDICATE_ALL16H;
    assert_int_equal(lir_flags_read(set), 3);
    set->predicate = EU_PREDICATE_ANY16H;
    assert_int_equal(lir_flags_read(set), 3);
    set->predicate = EU_PREDICATE_ANY32H;
    assert_int_equal(lir_flags_read(set), 0xf);
    talloc_free(p);
}

/* Returns the immediate that an addition reads instead of a copy of `value` with the modifiers. */
static uint32_t modified_immediate(struct lir_reg value, bool negate, bool abs)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg copy = lir_vgrf(p, 1, value.type), sum = lir_vgrf(p, 1, value.type);
    move(p, copy, value);
    copy.negate = negate;
    copy.abs = abs;
    struct lir_inst *add = append(p, EU_OPCODE_ADD, sum, lir_grf(2, value.type), copy);
    finish(p, sum, 1);
    assert_true(lir_opt_copy_propagation(p));
    check_valid(p);
    const struct lir_reg *src = &add->src[1];
    assert_true(src->file == LIR_IMM && src->type == value.type && !src->negate && !src->abs);
    uint32_t imm = src->imm;
    talloc_free(p);
    return imm;
}

static void test_modified_immediates(void **state)
{
    static const struct {
        bool negate, abs;
        uint32_t of_positive, of_negative, of_five, of_minus_five;
    } rows[] = {
        {false, false, 0x3fc00000, 0xbfc00000, 5, -5},
        {true, false, 0xbfc00000, 0x3fc00000, -5, 5},
        {false, true, 0x3fc00000, 0x3fc00000, 5, 5},
        {true, true, 0xbfc00000, 0xbfc00000, -5, -5},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        bool negate = rows[i].negate, abs = rows[i].abs;
        assert_int_equal(modified_immediate(lir_imm_f(1.5f), negate, abs), rows[i].of_positive);
        assert_int_equal(modified_immediate(lir_imm_f(-1.5f), negate, abs), rows[i].of_negative);
        assert_int_equal(modified_immediate(lir_imm_d(5), negate, abs), rows[i].of_five);
        assert_int_equal(modified_immediate(lir_imm_d(-5), negate, abs), rows[i].of_minus_five);
    }
}

/* Returns whether an addition reads the source of a copy of a VGRF's second register if `size`
 * channels at a byte offset of that VGRF are written before it. */
static bool sees_through(unsigned offset, unsigned size)
{
    struct lir_program *p = create_for("skl");
    struct lir_reg v = lir_vgrf(p, 3, EU_TYPE_UD), copy = lir_vgrf(p, 1, EU_TYPE_UD);
    struct lir_reg payload = lir_vgrf(p, 4, EU_TYPE_UD);
    for (unsigned i = 0; i < 3; i++)
        append(p, EU_OPCODE_ADD, part(v, i), lir_grf(2 + i, EU_TYPE_UD), lir_imm_ud(1));
    move(p, copy, part(v, 1));
    struct lir_reg written = lir_byte_offset(v, offset);
    struct lir_inst *write = move(p, size == 1 ? lir_scalar(written, 0) : written, lir_imm_ud(7));
    write->exec_size = (uint8_t)size;
    write->no_mask = size != 8;
    struct lir_inst *add = append(p, EU_OPCODE_ADD, part(payload, 0), lir_grf(5, EU_TYPE_UD), copy);
    for (unsigned i = 0; i < 3; i++)
        append(p, EU_OPCODE_ADD, part(payload, 1 + i), lir_grf(5, EU_TYPE_UD), part(v, i));
    finish(p, payload, 4);
    lir_opt_copy_propagation(p);
    check_valid(p);
    bool result = add->src[1].nr != copy.nr;
    talloc_free(p);
    return result;
}

/* A write ends a copy if its bytes are among those of the source, wherever either begins. */
static void test_overlaps_of_copies(void **state)
{
    assert_true(sees_through(0, 8));
    assert_true(sees_through(64, 8));
    assert_false(sees_through(32, 8));
    assert_true(sees_through(28, 1));
    assert_false(sees_through(32, 1));
    assert_false(sees_through(48, 1));
    assert_false(sees_through(60, 1));
    assert_true(sees_through(64, 1));
    assert_false(sees_through(48, 4));
    assert_true(sees_through(16, 4));
    assert_true(sees_through(64, 4));
    assert_false(sees_through(16, 8)); /* The second half of it. */
    assert_false(sees_through(48, 8)); /* The first half. */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverted_source),
        cmocka_unit_test(test_inverted_source_changed),
        cmocka_unit_test(test_joined_constants),
        cmocka_unit_test(test_joined_copies),
        cmocka_unit_test(test_moves_of_other_blocks),
        cmocka_unit_test(test_moves_in_order),
        cmocka_unit_test(test_moves_of_each_other),
        cmocka_unit_test(test_joined_scalars),
        cmocka_unit_test(test_opposite_comparisons),
        cmocka_unit_test(test_copies_of_wide_scalars),
        cmocka_unit_test(test_halves_of_flags),
        cmocka_unit_test(test_flags_of_votes),
        cmocka_unit_test(test_modified_immediates),
        cmocka_unit_test(test_overlaps_of_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
