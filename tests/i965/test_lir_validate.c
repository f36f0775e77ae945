/* SPDX-License-Identifier: MIT */
/*
 * The LIR validator: a program that satisfies every rule, and for each rule the same program with
 * one change that must be rejected with that rule.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <talloc.h>

#include <cmocka.h>

#include "driver/i965/compiler/lir.h"

struct sample {
    struct lir_program *p;
    struct lir_reg a, b, c, pair, last; /* VGRFs. */
    struct lir_inst *copy, *compare, *branch, *add, *endif, *loop, *mad, *leave, *again, *math,
        *undef, *read, *spill, *header, *end;
};

static struct lir_inst *append(struct lir_program *p, unsigned op, struct lir_reg dst,
                               struct lir_reg src0, struct lir_reg src1, struct lir_reg src2)
{
    struct lir_inst *inst = lir_inst_create(p, op, 8, dst, src0, src1, src2);
    list_addtail(&inst->node, &p->insts);
    return inst;
}

static struct lir_inst *append_flow(struct lir_program *p, unsigned op, bool predicated)
{
    struct lir_inst *inst = append(p, op, lir_bad(), lir_bad(), lir_bad(), lir_bad());
    inst->predicate = predicated ? EU_PREDICATE_NORMAL : EU_PREDICATE_NONE;
    return inst;
}

static struct lir_inst *append_send(struct lir_program *p, unsigned op, enum eu_sfid sfid,
                                    struct lir_reg dst, struct lir_reg src0, struct lir_reg src1)
{
    struct lir_inst *inst = append(p, op, dst, src0, src1, lir_bad());
    inst->sfid = sfid;
    inst->mlen = 1;
    return inst;
}

/* Appends a spill of register c to slot 0. */
static struct lir_inst *append_spill(struct sample *s)
{
    struct lir_inst *inst = append_send(s->p, EU_OPCODE_SENDS, EU_SFID_DATA_CACHE0,
                                        lir_null(EU_TYPE_UD), lir_grf(0, EU_TYPE_UD), s->c);
    inst->exec_size = 16;
    inst->no_mask = inst->header = inst->scratch = inst->side_effects = true;
    inst->desc = 1 << 18 | 1 << 17;
    inst->ex_mlen = 1;
    s->p->scratch_size = LIR_REG_SIZE;
    return inst;
}

static void create_program(struct sample *s)
{
    static const uint16_t places[] = {10, 11, 12, 14, 127};
    struct lir_program *p = talloc_zero(NULL, struct lir_program);
    p->dev = i965_device_by_name("skl");
    p->stage = SHADER_COMPUTE;
    p->width = 8;
    p->payload_regs = 4;
    p->vgrfs.mem_ctx = p;
    list_init(&p->insts);
    struct lir_reg *const values[] = {&s->a, &s->b, &s->c, &s->pair, &s->last};
    for (unsigned i = 0; i < 5; i++) {
        *values[i] = lir_vgrf(p, i == 3 ? 2 : 1, EU_TYPE_F);
        p->vgrfs.data[i].hw = places[i];
    }
    s->p = p;
}

static struct sample create(void)
{
    struct sample s;
    create_program(&s);
    struct lir_program *p = s.p;
    const struct lir_reg none = lir_bad();
    s.copy = append(p, EU_OPCODE_MOV, s.a, lir_grf(1, EU_TYPE_F), none, none);
    s.compare = append(p, EU_OPCODE_CMP, lir_null(EU_TYPE_F), s.a, lir_imm_f(1.0f), none);
    s.compare->cmod = EU_CMOD_L;
    s.branch = append_flow(p, EU_OPCODE_IF, true);
    s.add = append(p, EU_OPCODE_ADD, s.b, s.a, s.a, none);
    s.endif = append_flow(p, EU_OPCODE_ENDIF, false);
    s.loop = append_flow(p, LIR_OP_DO, false);
    s.mad = append(p, EU_OPCODE_MAD, s.c, s.a, s.b, s.a);
    s.leave = append_flow(p, EU_OPCODE_BREAK, true);
    s.again = append_flow(p, EU_OPCODE_WHILE, false);
    s.math = append(p, EU_OPCODE_MATH, s.b, s.a, none, none);
    s.math->math = EU_MATH_INV;
    s.undef = append(p, LIR_OP_UNDEF, s.pair, none, none, none);
    s.undef->rlen = 2;
    s.read = append_send(p, EU_OPCODE_SEND, EU_SFID_SAMPLER, s.pair, s.a, none);
    s.read->rlen = 2;
    s.spill = append_spill(&s);
    s.header = append(p, EU_OPCODE_MOV, s.last, lir_component(s.pair, 8, 1), none, none);
    s.end =
        append_send(p, EU_OPCODE_SEND, EU_SFID_THREAD_SPAWNER, lir_null(EU_TYPE_UD), s.last, none);
    s.end->eot = true;
    return s;
}

static void test_valid(void **state)
{
    for (unsigned phase = LIR_PHASE_TRANSLATED; phase <= LIR_PHASE_ORDERED; phase++) {
        struct sample s = create();
        const struct lir_inst *broken;
        const char *rule = lir_validate(s.p, phase, &broken);
        if (rule)
            fail_msg("phase %u: instruction %u breaks: %s", phase, broken ? broken->ip : 0, rule);
        assert_null(broken);
        talloc_free(s.p);
    }
}

/* Makes change i. Returns the rule that it violates; NULL if there is no such change. */
typedef const char *(*change_fn)(struct sample *s, unsigned i);

static void check_changes(change_fn change, enum lir_phase phase)
{
    for (unsigned i = 0;; i++) {
        struct sample s = create();
        const struct lir_inst *broken;
        const char *rule = change(&s, i);
        if (rule) {
            const char *found = lir_validate(s.p, phase, &broken);
            if (!found)
                fail_msg("change %u is not found: %s", i, rule);
            assert_string_equal(found, rule);
        }
        talloc_free(s.p);
        if (!rule)
            break;
    }
}

static const char *change_operand(struct sample *s, unsigned i)
{
    switch (i) {
    case 0:
        s->add->src[0].nr = 99;
        return "the VGRF exists";
    case 1:
        s->add->src[1].offset = 4;
        return "the operand lies within its VGRF";
    case 2:
        s->add->dst.stride = 2;
        return "the operand lies within its VGRF";
    case 3:
        s->copy->src[0].nr = 4;
        return "the operand lies within the payload";
    case 4:
        s->add->dst = lir_grf(2, EU_TYPE_F);
        return "the payload and immediates aren't written";
    case 5:
        s->add->src[0] = lir_grf(1, EU_TYPE_F);
        s->add->src[0].stride = 3;
        return "a source's stride is 0, 1, 2 or 4";
    case 6:
        s->add->src[0] = (struct lir_reg){
            .file = LIR_VGRF, .type = EU_TYPE_F, .nr = s->a.nr, .region = true, .width = 3};
        return "a region's width is a power of two";
    case 7:
        s->compare->src[1].negate = true;
        return "immediates have no modifiers";
    case 8:
        s->compare->src[1].type = EU_TYPE_DF;
        return "only moves have immediates of 64 bits";
    case 9:
        s->copy->src[0].offset = 2;
        return "operands are aligned to their types";
    case 10:
        s->add->dst.negate = true;
        return "destinations have no modifiers and no region";
    case 11:
        s->read->src[0] = lir_grf_scalar(1, 4, EU_TYPE_UD);
        return "payloads begin with a register";
    case 12:
        s->undef->dst.offset = 4;
        s->undef->rlen = 1;
        return "answers begin with a register";
    case 13:
        s->header->src[0].stride = 0;
        s->header->dst.stride = 3;
        s->header->exec_size = 2;
        return "a destination's stride is 1, 2 or 4";
    case 14:
        s->copy->src[0].nr = 0;
        s->copy->src[0].stride = 4;
        return "a source lies in at most two registers";
    case 15:
        s->copy->dst = lir_temp(s->p, 8, 3, EU_TYPE_F);
        s->copy->dst.stride = 4;
        s->p->vgrfs.data[s->copy->dst.nr].size = 4;
        return "a result lies in at most two registers";
    case 16:
        s->add->src[0].file = 9;
        return "operands have a file and a type";
    default:
        return NULL;
    }
}

static void test_operands(void **state)
{
    check_changes(change_operand, LIR_PHASE_DIVIDED);
}

static const char *change_instruction(struct sample *s, unsigned i)
{
    switch (i) {
    case 0:
        s->add->exec_size = 6;
        return "the execution size is a power of two up to 32";
    case 1:
        s->add->group = 2;
        return "the group of channels fits the execution size";
    case 2:
        s->p->width = 32;
        s->add->exec_size = 32;
        return "instructions have at most 16 channels";
    case 3:
        s->compare->flag = 1;
        s->compare->group = 16;
        return "the channels' flag bits are in one flag register";
    case 4:
        s->add->flag = 4;
        return "the flag exists";
    case 5:
        s->add->predicate = EU_PREDICATE_ALL32H + 1;
        return "the predicate exists";
    case 6:
        s->compare->cmod = 7;
        return "the condition exists";
    case 7:
        s->add->op = 0x7f;
        return "the opcode exists";
    case 8:
        s->undef->op = LIR_OP_HALT_TARGET + 1;
        return "the opcode exists";
    case 9:
        s->add->src[1] = lir_bad();
        return "the instruction has its number of sources";
    case 10:
        s->add->dst = lir_bad();
        return "the instruction has a destination";
    case 11:
        s->add->src[1].type = EU_TYPE_D;
        return "sources are integers or floats";
    case 12:
        s->add->op = EU_OPCODE_AND;
        return "the instruction takes sources of the type";
    case 13:
        s->math->math = 0;
        return "the math function exists";
    case 14:
        s->mad->op = EU_OPCODE_BFE;
        s->mad->src[0].type = s->mad->src[1].type = s->mad->src[2].type = EU_TYPE_D;
        s->mad->cmod = EU_CMOD_L;
        return "the instruction can have a condition";
    case 15:
        s->add->op = EU_OPCODE_XOR;
        s->add->src[0].type = s->add->src[1].type = s->add->dst.type = EU_TYPE_D;
        s->add->saturate = true;
        return "the instruction saturates";
    case 16:
        s->compare->cmod = EU_CMOD_NONE;
        return "a comparison has a condition";
    case 17:
        s->add->op = EU_OPCODE_SEL;
        return "sel has a condition or a predicate";
    case 18:
        s->mad->src[1] = lir_imm_f(2.0f);
        return "three-source instructions have no immediates";
    case 19:
        s->add->src[0] = lir_imm_f(2.0f);
        return "an immediate is the last source";
    case 20:
        s->mad->predicate = EU_PREDICATE_ANY8H;
        return "three-source instructions have plain predicates";
    case 21:
        s->undef->rlen = 0;
        return "undef has registers";
    case 22:
        s->undef->op = LIR_OP_BROADCAST;
        s->undef->src[0] = lir_imm_f(1.0f);
        return "broadcast reads registers";
    case 23:
        s->undef->op = LIR_OP_GATHER;
        s->undef->rlen = 3;
        return "gather has 8 channels and a power of two of registers";
    case 24:
        s->loop->dst = s->a;
        return "a label has no operands";
    case 25:
        s->mad->cmod = EU_CMOD_L;
        s->mad->dst = lir_null(EU_TYPE_F);
        return "three-source instructions write a register";
    default:
        return NULL;
    }
}

static void test_instructions(void **state)
{
    check_changes(change_instruction, LIR_PHASE_LOWERED);
}

static const char *change_message(struct sample *s, unsigned i)
{
    switch (i) {
    case 0:
        s->read->sfid = EU_SFID_NULL;
        return "a message has a shared function";
    case 1:
        s->read->exec_size = 32;
        return "messages have at most 16 channels";
    case 2:
        s->read->mlen = 0;
        return "a payload has 1 to 15 registers";
    case 3:
        s->read->ex_mlen = 1;
        return "only split messages have a second payload";
    case 4:
        s->read->rlen = 17;
        return "an answer has at most 16 registers";
    case 5:
        s->read->dst = lir_null(EU_TYPE_UD);
        return "an answer goes to a VGRF";
    case 6:
        s->read->rlen = 0;
        return "without an answer the destination is null";
    case 7:
        s->read->eot = true;
        return "a thread's last message has no answer";
    case 8:
        s->read->src[0] = lir_imm_ud(1);
        return "a payload lies in registers";
    case 9:
        s->spill->src[1] = lir_bad();
        return "a payload lies in registers";
    case 10:
        s->read->src[2] = s->a;
        return "what is added to the descriptor is a scalar";
    case 11:
        s->read->saturate = true;
        return "messages have no condition and don't saturate";
    case 12:
        s->read->desc = 1 << 25;
        return "lengths and header are no part of desc";
    case 13:
        s->read->mlen = 2;
        return "the operand lies within its VGRF";
    case 14:
        s->spill->no_mask = false;
        return "spills and fills move whole registers of the thread";
    case 15:
        s->spill->desc |= 1 << 12;
        return "spills and fills say how many registers they move";
    case 16:
        s->spill->desc |= 1;
        return "spills and fills stay within scratch memory";
    default:
        return NULL;
    }
}

static void test_messages(void **state)
{
    check_changes(change_message, LIR_PHASE_LOWERED);
}

/* Removes the instruction. */
static void drop(struct lir_inst *inst)
{
    list_del(&inst->node);
}

static const char *change_structure(struct sample *s, unsigned i)
{
    switch (i) {
    case 0:
        s->endif->op = EU_OPCODE_WHILE;
        return "if and endif, do and while nest";
    case 1:
        drop(s->branch);
        return "if and endif, do and while nest";
    case 2:
        s->endif->op = EU_OPCODE_ELSE;
        return "a message ends the thread, outside of all";
    case 3:
        s->branch->op = EU_OPCODE_ELSE;
        return "else follows an if";
    case 4:
        drop(s->leave);
        list_add(&s->leave->node, &s->again->node);
        return "break and cont are in a loop";
    case 5:
        drop(s->again);
        return "a message ends the thread, outside of all";
    case 6:
        s->leave->op = EU_OPCODE_HALT;
        return "halted channels have a place to wait";
    case 7:
        s->leave->op = LIR_OP_HALT_TARGET;
        s->leave->predicate = EU_PREDICATE_NONE;
        return "channels halt at one place, outside of all";
    case 8:
        s->loop->op = LIR_OP_HALT_TARGET;
        s->again->op = EU_OPCODE_HALT;
        drop(s->leave);
        return "halted channels wait later";
    case 9:
        s->end->eot = false;
        return "the thread ends with a message";
    case 10:
        drop(s->header);
        list_add(&s->header->node, &s->end->node);
        return "nothing follows the thread's last message";
    default:
        return NULL;
    }
}

static void test_structure(void **state)
{
    check_changes(change_structure, LIR_PHASE_LOWERED);
}

static const char *change_value(struct sample *s, unsigned i)
{
    switch (i) {
    case 0:
        drop(s->copy);
        return "what is read may have been written";
    case 1: /* Written only later in the block. */
        drop(s->header);
        list_addtail(&s->header->node, &s->undef->node);
        drop(s->undef);
        return "what is read may have been written";
    case 2:
        drop(s->compare);
        return "flags are written before they are read";
    case 3:
        s->compare->flag = 2;
        return "flags are written before they are read";
    default:
        return NULL;
    }
}

static void test_values(void **state)
{
    check_changes(change_value, LIR_PHASE_LOWERED);
}

static const char *change_place(struct sample *s, unsigned i)
{
    switch (i) {
    case 0:
        s->p->vgrfs.data[s->pair.nr].hw = 127;
        return "registers have a place";
    case 1:
        s->p->vgrfs.data[s->last.nr].hw = 20;
        return "the last payload is in the last registers";
    case 2: /* b is written while a is still read. */
        s->p->vgrfs.data[s->b.nr].hw = 10;
        return "a result doesn't overwrite a live register";
    case 3: /* The payload is read later. */
        s->read->src[0] = lir_grf(1, EU_TYPE_UD);
        s->p->vgrfs.data[s->c.nr].hw = 1;
        return "a result doesn't overwrite a live register";
    case 4: /* The response's second register is read; c is written before and spilled after it. */
        s->p->vgrfs.data[s->pair.nr].hw = 11;
        return "a result doesn't overwrite a live register";
    default:
        return NULL;
    }
}

static void test_places(void **state)
{
    check_changes(change_place, LIR_PHASE_ALLOCATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_structure),    cmocka_unit_test(test_values),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
