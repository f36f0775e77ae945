/* SPDX-License-Identifier: MIT */
/*
 * Control flow of a thread. Each channel has its own instruction pointer (Skylake PRM, volume 7,
 * "Execution masking"): a channel either runs with the thread (active) or waits at a later
 * instruction (waiting, wait_ip) until the thread arrives there. Branches make channels wait, and
 * the thread jumps to JIP when no active channel is left.
 */
#include <string.h>

#include "sim_internal.h"
#include "util/macros.h"

#define STEPS_PER_POLL 65536 /* instructions between two reads of sim_env.stop */

bool sim_fault(struct sim_thread *t, const struct sim_inst *inst, const char *why)
{
    snprintf(t->error, sizeof t->error, "offset %u: %s: %s", inst->offset,
             eu_opcode_name(inst->eu.opcode), why);
    return false;
}

void sim_thread_init(struct sim_thread *t, const struct sim_program *program, struct sim_env *env,
                     uint32_t mask)
{
    memset(t, 0, sizeof *t);
    t->program = program;
    t->env = env;
    t->active = mask;
    memcpy(t->state + SIM_STATE_DISPATCH_MASK, &mask, sizeof mask);
    memcpy(t->state + SIM_STATE_VECTOR_MASK, &mask, sizeof mask);
    t->max_steps = env && env->stop ? STEPS_PER_POLL : SIM_MAX_INSTRUCTIONS;
}

/* ----------------------------------------------------------------------------------- masks --- */

static uint32_t channel_bits(unsigned n)
{
    return n >= 32 ? UINT32_MAX : (1u << n) - 1;
}

static uint32_t flag_bits(const struct sim_thread *t, unsigned nr)
{
    uint32_t bits;
    memcpy(&bits, t->flag + nr * 4, 4);
    return bits;
}

/* Sets each channel's bit if any (or all) of its group of `size` channels have theirs set. */
static uint32_t group_predicate(uint32_t bits, unsigned n, unsigned size, bool all)
{
    uint32_t result = 0;

    for (unsigned i = 0; i < n; i += size) {
        uint32_t group = channel_bits(MIN2(size, 32 - i)) << i, set = bits & group;
        if (all ? set == group : set != 0)
            result |= group;
    }
    return result;
}

uint32_t sim_predicate_mask(const struct sim_thread *t, const struct eu_inst *inst)
{
    unsigned n = inst->exec_size, shift = (inst->flag_subnr * 16u + inst->group) & 31;
    uint32_t bits = flag_bits(t, inst->flag_nr) >> shift;

    switch (inst->predicate) {
    case EU_PREDICATE_NONE:
        return channel_bits(n);
    case EU_PREDICATE_NORMAL:
        break;
    case EU_PREDICATE_ANYV:
        bits |= flag_bits(t, inst->flag_nr ^ 1) >> shift;
        break;
    case EU_PREDICATE_ALLV:
        bits &= flag_bits(t, inst->flag_nr ^ 1) >> shift;
        break;
    default: {
        unsigned size = 2u << (inst->predicate - EU_PREDICATE_ANY2H) / 2;
        bits =
            group_predicate(bits, MAX2(n, size), size, (inst->predicate - EU_PREDICATE_ANY2H) & 1);
        break;
    }
    }
    if (inst->predicate_inverse)
        bits = ~bits;
    return bits & channel_bits(n);
}

uint32_t sim_execution_mask(const struct sim_thread *t, const struct sim_inst *inst)
{
    uint32_t enabled = inst->eu.no_mask ? UINT32_MAX : t->active >> inst->eu.group;
    return enabled & sim_predicate_mask(t, &inst->eu);
}

/* -------------------------------------------------------------------------------- branches --- */

/* Makes channels (thread channel numbers) wait at an instruction. */
static void wait_at(struct sim_thread *t, uint32_t channels, uint32_t ip)
{
    t->active &= ~channels;
    t->waiting |= channels;
    for (uint32_t rest = channels; rest; rest &= rest - 1)
        t->wait_ip[__builtin_ctz(rest)] = ip;
}

static void wake(struct sim_thread *t)
{
    for (uint32_t rest = t->waiting; rest; rest &= rest - 1) {
        unsigned channel = (unsigned)__builtin_ctz(rest);
        if (t->wait_ip[channel] == t->ip) {
            t->waiting &= ~(1u << channel);
            t->active |= 1u << channel;
        }
    }
}

/* Returns the instruction after the loop's while; a break may name either of the two. */
static uint32_t loop_exit(const struct sim_program *program, uint32_t ip)
{
    bool is_while = program->inst[ip].eu.opcode == EU_OPCODE_WHILE;
    return is_while ? ip + 1 : ip;
}

static bool anyone_at(const struct sim_thread *t, uint32_t ip)
{
    for (uint32_t rest = t->waiting; rest; rest &= rest - 1) {
        if (t->wait_ip[__builtin_ctz(rest)] == ip)
            return true;
    }
    return false;
}

static void next_or_jump(struct sim_thread *t, uint32_t target)
{
    if (t->active || anyone_at(t, t->ip + 1))
        t->ip++;
    else
        t->ip = target;
}

static bool run_jump(struct sim_thread *t, const struct sim_inst *inst)
{
    uint32_t target = inst->jip;

    if (inst->eu.src[0].file != EU_FILE_IMM)
        return sim_fault(t, inst, "field src1_file: a computed jump is not supported");
    if (inst->eu.predicate && !(sim_predicate_mask(t, &inst->eu) & 1)) {
        t->ip++;
        return true;
    }
    if (target == SIM_NO_TARGET)
        return sim_fault(t, inst, "field jip: no instruction starts there");
    t->ip = target;
    return true;
}

static bool run_branch(struct sim_thread *t, const struct sim_inst *inst)
{
    uint32_t jip = inst->jip;
    uint32_t taken = (t->active >> inst->eu.group & sim_predicate_mask(t, &inst->eu))
                     << inst->eu.group;

    if (inst->eu.opcode == EU_OPCODE_JMPI)
        return run_jump(t, inst);
    if (jip == SIM_NO_TARGET)
        return sim_fault(t, inst, "field jip: no instruction starts there");
    if (eu_has_uip(inst->eu.opcode) && inst->uip == SIM_NO_TARGET)
        return sim_fault(t, inst, "field uip: no instruction starts there");
    switch (inst->eu.opcode) {
    case EU_OPCODE_IF:
        wait_at(t, t->active & ~taken, jip);
        break;
    case EU_OPCODE_ELSE:
        wait_at(t, t->active, jip);
        break;
    case EU_OPCODE_ENDIF:
        break;
    case EU_OPCODE_BREAK:
        wait_at(t, taken, loop_exit(t->program, inst->uip));
        break;
    case EU_OPCODE_CONT:
    case EU_OPCODE_HALT:
        wait_at(t, taken, inst->uip);
        break;
    case EU_OPCODE_WHILE:
        if (taken) {
            wait_at(t, t->active & ~taken, t->ip + 1);
            t->ip = jip;
            return true;
        }
        t->ip++;
        return true;
    default:
        return sim_fault(t, inst, "field opcode: not supported");
    }
    next_or_jump(t, jip);
    return true;
}

/* ------------------------------------------------------------------------------------- run --- */

enum step { STEP_NEXT, STEP_DONE, STEP_BARRIER, STEP_FAULT };

static bool is_branch(enum eu_opcode op)
{
    return op >= EU_OPCODE_JMPI && op <= EU_OPCODE_RET;
}

static enum step step(struct sim_thread *t, const struct sim_inst *inst)
{
    enum eu_opcode op = inst->eu.opcode;

    if (is_branch(op))
        return run_branch(t, inst) ? STEP_NEXT : STEP_FAULT;
    t->ip++;
    switch (op) {
    case EU_OPCODE_SEND:
    case EU_OPCODE_SENDC:
    case EU_OPCODE_SENDS:
    case EU_OPCODE_SENDSC:
        t->slow_steps++;
        if (!sim_execute_send(t, inst))
            return STEP_FAULT;
        return inst->eu.eot ? STEP_DONE : STEP_NEXT;
    case EU_OPCODE_SYNC:
        if (inst->eu.sync != EU_SYNC_BARRIER)
            return STEP_NEXT;
        /* fallthrough */
    case EU_OPCODE_WAIT:
        if (!t->barrier_pending)
            return STEP_NEXT;
        t->barrier_pending = false;
        return STEP_BARRIER;
    case EU_OPCODE_NOP:
        return STEP_NEXT;
    case EU_OPCODE_ILLEGAL:
        sim_fault(t, inst, "field opcode: executed");
        return STEP_FAULT;
    default:
        t->slow_steps++;
        return sim_execute_alu(t, inst) ? STEP_NEXT : STEP_FAULT;
    }
}

/* Executes most instructions, for all channels at once. */
static void run_vector(struct sim_thread *t, const struct sim_inst *inst)
{
    uint32_t mask = (t->active >> inst->eu.group | inst->vector.always) & inst->vector.channels;

    if (inst->vector.predicated)
        mask &= sim_predicate_mask(t, &inst->eu);
    if (mask)
        inst->vector.run(t, inst, mask);
}

/* Returns whether the environment, if it sets the limit, allows more instructions. */
static bool may_continue(struct sim_thread *t)
{
    const uint32_t *stop = t->env ? t->env->stop : NULL;
    if (!stop || __atomic_load_n(stop, __ATOMIC_RELAXED))
        return false;
    t->max_steps = t->steps + STEPS_PER_POLL;
    return true;
}

enum sim_status sim_thread_run(struct sim_thread *t)
{
    const struct sim_program *program = t->program;

    while (t->ip < program->count) {
        const struct sim_inst *inst = &program->inst[t->ip];
        if (t->waiting && inst->target)
            wake(t);
        if (++t->steps > t->max_steps && !may_continue(t)) {
            sim_fault(t, inst, "the thread does not end");
            return SIM_FAULT;
        }
        if (program->dev->has_software_scoreboard && !sim_check_scoreboard(t, inst))
            return SIM_FAULT;
        if (inst->vector.run) {
            t->ip++;
            run_vector(t, inst);
            continue;
        }
        switch (step(t, inst)) {
        case STEP_NEXT:
            break;
        case STEP_DONE:
            return SIM_DONE;
        case STEP_BARRIER:
            return SIM_BARRIER;
        case STEP_FAULT:
            return SIM_FAULT;
        }
    }
    snprintf(t->error, sizeof t->error, "the program ends without an end of thread");
    return SIM_FAULT;
}
