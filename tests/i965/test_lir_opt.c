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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverted_source),
        cmocka_unit_test(test_inverted_source_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
