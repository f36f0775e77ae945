/* SPDX-License-Identifier: MIT */
/* Short programs for the simulator's tests. They are encoded, so that the simulator runs bytes. */
#include "sim_test.h"

#include <math.h>
#include <string.h>

#include "util/half.h"

const struct i965_device *sim_dev;
bool sim_ran[128];
static uint64_t random_state = 1;

const uint32_t integers[] = {0,          1,          2,          3,          7,          31,
                             32,         33,         255,        256,        0x7fff,     0x8000,
                             0xffff,     0x10000,    0x12345678, 0x7fffffff, 0x80000000, 0x80000001,
                             0xfffffffe, 0xffffffff, 0xdeadbeef, 0x00ff00ff};
const float floats[] = {0.0f,  -0.0f, 1.0f,   -1.0f, 0.5f,   1.5f,   2.5f,     -2.5f,     0.3f,
                        -0.7f, 1e10f, -1e10f, 3e38f, 1e-38f, 1e-42f, INFINITY, -INFINITY, NAN};

int sim_find_device(void **state)
{
    sim_dev = i965_device_by_name("skl");
    return sim_dev ? 0 : -1;
}

uint32_t rnd(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 32);
}

void emit(struct code *c, struct eu_inst inst)
{
    const char *error = NULL;
    if (!eu_encode(sim_dev, &inst, &c->word[c->count++ * 2], &error))
        fail_msg("not encoded: %s", error);
}

void end(struct code *c)
{
    emit(c, (struct eu_inst){.opcode = EU_OPCODE_SEND,
                             .exec_size = 8,
                             .eot = true,
                             .sfid = EU_SFID_THREAD_SPAWNER,
                             .desc = 1u << 25,
                             .dst = {.file = EU_FILE_ARF, .hstride = 1},
                             .src = {{.file = EU_FILE_GRF, .nr = 127}}});
}

static struct sim_program *program_of(const struct code *c)
{
    char error[128];
    struct sim_program *p =
        sim_program_create(sim_dev, (const uint8_t *)c->word, c->count * 16ul, error, sizeof error);
    if (!p)
        fail_msg("%s", error);
    return p;
}

enum sim_status run(struct sim_thread *t, const struct code *c)
{
    struct sim_program *p = program_of(c);
    t->program = p;
    for (unsigned i = 0; i < c->count; i++)
        sim_ran[c->word[i * 2] & 0x7f] = true;
    t->ip = 0;
    enum sim_status status = sim_thread_run(t);
    sim_program_destroy(p);
    t->program = NULL;
    return status;
}

void run_one(struct sim_thread *t, struct eu_inst inst)
{
    struct code c = {.count = 0};
    emit(&c, inst);
    end(&c);
    if (run(t, &c) != SIM_DONE)
        fail_msg("%s", t->error);
}

void start(struct sim_thread *t)
{
    sim_thread_init(t, NULL, NULL, 0xffff);
}

struct eu_reg grf(unsigned nr, enum eu_type type)
{
    return (struct eu_reg){.file = EU_FILE_GRF,
                           .type = type,
                           .nr = (uint8_t)nr,
                           .vstride = 8,
                           .width = 8,
                           .hstride = 1,
                           .swizzle = 0xe4,
                           .writemask = 15};
}

struct eu_reg imm(enum eu_type type, uint64_t bits)
{
    return (struct eu_reg){.file = EU_FILE_IMM, .type = type, .imm = bits};
}

struct eu_inst alu(enum eu_opcode op, enum eu_type type)
{
    return (struct eu_inst){.opcode = op,
                            .exec_size = 8,
                            .dst = grf(20, type),
                            .src = {grf(10, type), grf(12, type), grf(14, type)}};
}

struct eu_inst message(enum eu_sfid sfid, uint32_t desc, unsigned dst, unsigned src)
{
    return (struct eu_inst){.opcode = EU_OPCODE_SEND,
                            .exec_size = 8,
                            .sfid = sfid,
                            .desc = desc,
                            .dst = {.file = EU_FILE_GRF, .nr = (uint8_t)dst, .hstride = 1},
                            .src = {{.file = EU_FILE_GRF, .nr = (uint8_t)src}}};
}

struct eu_inst branch(enum eu_opcode op, int jip, int uip, bool predicate)
{
    return (struct eu_inst){.opcode = op,
                            .exec_size = 16,
                            .jip = jip * 16,
                            .uip = uip * 16,
                            .predicate = predicate ? EU_PREDICATE_NORMAL : EU_PREDICATE_NONE};
}

float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

uint32_t as_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

bool is_real(enum eu_type t)
{
    return t == EU_TYPE_HF || t == EU_TYPE_F || t == EU_TYPE_DF;
}

bool is_signed_type(enum eu_type t)
{
    return t == EU_TYPE_D || t == EU_TYPE_W || t == EU_TYPE_B || t == EU_TYPE_Q;
}

long double value_of(enum eu_type type, uint64_t bits)
{
    unsigned size = eu_type_size(type) * 8;
    double d;

    switch (type) {
    case EU_TYPE_HF:
        return util_half_to_float((uint16_t)bits);
    case EU_TYPE_F:
        return as_float((uint32_t)bits);
    case EU_TYPE_DF:
        memcpy(&d, &bits, 8);
        return d;
    default:
        if (is_signed_type(type))
            return (long double)((int64_t)(bits << (64 - size)) >> (64 - size));
        return (long double)(bits << (64 - size) >> (64 - size));
    }
}

uint64_t interesting(enum eu_type type)
{
    uint64_t bits = (uint64_t)rnd() << 32 | rnd();

    if (type == EU_TYPE_F)
        return rnd() % 2 ? as_bits(floats[rnd() % ARRAY_SIZE(floats)])
                         : as_bits((float)(int32_t)rnd() / 65536.0f);
    if (type == EU_TYPE_HF)
        return util_float_to_half(floats[rnd() % ARRAY_SIZE(floats)]);
    if (type == EU_TYPE_DF) {
        double d = rnd() % 2 ? (double)floats[rnd() % ARRAY_SIZE(floats)] : (int32_t)rnd() / 256.0;
        memcpy(&bits, &d, 8);
        return bits;
    }
    if (rnd() % 2)
        bits = integers[rnd() % ARRAY_SIZE(integers)];
    return bits;
}

bool holds(enum eu_cmod c, long double x, long double y)
{
    switch (c) {
    case EU_CMOD_Z:
        return x == y;
    case EU_CMOD_NZ:
        return x != y;
    case EU_CMOD_G:
        return x > y;
    case EU_CMOD_GE:
        return x >= y;
    case EU_CMOD_L:
        return x < y;
    case EU_CMOD_U:
        return isnan((double)x) || isnan((double)y);
    default:
        return x <= y;
    }
}

void fill(struct sim_thread *t, const uint32_t *values, unsigned count)
{
    for (unsigned r = 10; r < 16; r++) {
        for (unsigned i = 0; i < 8; i++)
            sim_grf(t, r)[i] = rnd() % 4 ? values[rnd() % count] : rnd();
    }
}
