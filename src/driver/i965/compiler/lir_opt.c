/* SPDX-License-Identifier: MIT */
/* The sequence of optimization passes, and small passes. */
#include "lir.h"

#include "util/macros.h"

/* --- Constants of three-source instructions --- */

struct constant_pool {
    DYNARRAY(uint32_t) values;
    DYNARRAY(struct lir_reg) places;
};

/* A register holds eight constants. */
static struct lir_reg pool_place(struct lir_program *p, struct constant_pool *pool, uint32_t value)
{
    for (unsigned i = 0; i < pool->values.count; i++) {
        if (pool->values.data[i] == value)
            return pool->places.data[i];
    }
    unsigned n = pool->values.count % 8;
    struct lir_reg place;
    if (n == 0) {
        place = lir_scalar(lir_vgrf(p, 1, EU_TYPE_F), 0);
    } else {
        place = pool->places.data[pool->places.count - 1];
        place.offset += 4;
    }
    (void)dynarray_append(&pool->values, value);
    (void)dynarray_append(&pool->places, place);
    return place;
}

bool lir_lower_constants(struct lir_program *p)
{
    struct constant_pool pool = {0};
    pool.values.mem_ctx = pool.places.mem_ctx = p;
    lir_foreach_inst(inst, p)
    {
        if (!lir_is_3src(inst))
            continue;
        for (unsigned s = 0; s < 3; s++) {
            struct lir_reg *src = &inst->src[s];
            if (src->file != LIR_IMM)
                continue;
            enum eu_type type = src->type;
            uint32_t value = src->imm;
            bool negative = type == EU_TYPE_F && value >> 31;
            *src = pool_place(p, &pool, negative ? value & 0x7fffffff : value);
            src->type = type;
            src->negate = negative;
        }
    }
    unsigned count = pool.values.count;
    for (unsigned i = count; i-- > 0;) {
        struct lir_inst *mov =
            lir_inst_create(p, EU_OPCODE_MOV, 1, lir_retype(pool.places.data[i], EU_TYPE_UD),
                            lir_imm_ud(pool.values.data[i]), lir_bad(), lir_bad());
        mov->no_mask = true;
        list_add(&mov->node, &p->insts);
    }
    dynarray_finish(&pool.values);
    dynarray_finish(&pool.places);
    return count > 0;
}

/* --- Sequence --- */

void lir_optimize(struct lir_program *p)
{
    enum { MAX_ROUNDS = 16 };
    static const struct {
        bool (*run)(struct lir_program *p);
        const char *name;
    } passes[] = {
        {lir_opt_copy_propagation, "lir_opt_copy_propagation"},
        {lir_opt_cse, "lir_opt_cse"},
        {lir_opt_saturate, "lir_opt_saturate"},
        {lir_opt_logic, "lir_opt_logic"},
        {lir_opt_cmod, "lir_opt_cmod"},
        {lir_opt_dead_code, "lir_opt_dead_code"},
        {lir_opt_coalesce, "lir_opt_coalesce"},
    };
    bool progress = true;
    for (unsigned round = 0; progress && round < MAX_ROUNDS; round++) {
        progress = false;
        for (unsigned i = 0; i < ARRAY_SIZE(passes); i++) {
            if (!passes[i].run(p))
                continue;
            progress = true;
            lir_check(p, LIR_PHASE_DIVIDED, passes[i].name);
        }
    }
}
