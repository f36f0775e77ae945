/* SPDX-License-Identifier: MIT */
/* Interpreter: decoding of kernels, control flow, phis, ALU instructions. */
#include "jit/jit_interpret.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <talloc.h>

#include "util/dynarray.h"
#include "util/macros.h"
#include "util/os_memory.h"

/* Copy at the end of a block: stores the value of a phi of its successor. */
struct copy {
    uint32_t dest;
    unsigned count; /* elements: lanes, or 1 */
    struct jit_operand src;
};

struct node_list {
    struct node *node;
    unsigned count;
};

/* A block, if or loop. */
struct node {
    nir_cf_node_type type;
    /* Blocks: */
    const struct jit_step *step;
    unsigned num_steps;
    const struct copy *copy;
    unsigned num_copies;
    bool jumps;
    nir_jump_type jump;
    /* Ifs: condition and both sides. Loops: list[0] is the body. */
    struct jit_operand condition;
    struct node_list list[2];
    /* Loops: */
    bool divergent;
};

/* Memory of one run: values, then scratch. */
struct frame {
    struct frame *next; /* next free frame */
    nir_const_value value[];
};

struct jit_program {
    unsigned lanes;
    struct node_list body;
    uint32_t num_values;     /* elements per frame */
    uint32_t phis, num_phis; /* elements where predecessors store phis: first one, number */
    const struct constant {
        uint32_t at;
        uint64_t value;
    } *constant; /* elements that each new frame is filled with */
    unsigned num_constants;
    unsigned scratch_slots;
    const uint8_t *constant_data;
    unsigned constant_size;
    pthread_mutex_t lock; /* protects frames */
    pthread_cond_t given; /* signaled when a frame is returned to frames */
    struct frame *frames; /* frames that no run uses */
};

struct jit_loop_masks {
    bool divergent;
    uint32_t live;    /* lanes still in the loop */
    uint32_t running; /* lanes still in this iteration */
};

/* --- running --- */

enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE };

static enum flow run_list(struct jit_machine *m, const struct node_list *list);

static void run_copies(struct jit_machine *m, const struct node *block)
{
    for (unsigned i = 0; i < block->num_copies; i++) {
        const struct copy *c = &block->copy[i];
        nir_const_value *dest = &m->value[c->dest];
        if (c->count == 1)
            *dest = jit_get(m, c->src, 0);
        for (unsigned lane = 0; c->count > 1 && lane < c->count; lane++)
            if (jit_is_active(m, lane))
                dest[lane] = jit_get(m, c->src, lane);
    }
}

static enum flow run_jump(struct jit_machine *m, nir_jump_type jump)
{
    struct jit_loop_masks *loop = m->loop;
    if (!loop->divergent)
        return jump == nir_jump_break ? FLOW_BREAK : FLOW_CONTINUE;
    loop->running &= ~m->exec;
    if (jump == nir_jump_break)
        loop->live &= ~m->exec;
    m->exec = 0;
    return FLOW_ON;
}

static enum flow run_block(struct jit_machine *m, const struct node *block)
{
    for (unsigned i = 0; i < block->num_steps; i++)
        block->step[i].run(m, &block->step[i]);
    run_copies(m, block);
    return block->jumps ? run_jump(m, block->jump) : FLOW_ON;
}

static uint32_t true_lanes(const struct jit_machine *m, struct jit_operand condition)
{
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < m->lanes; lane++)
        lanes |= (uint32_t)jit_get(m, condition, lane).b << lane;
    return lanes;
}

static enum flow run_if(struct jit_machine *m, const struct node *nif)
{
    const uint32_t outer = m->exec;
    enum flow flow = FLOW_ON;
    if (!nif->condition.stride) {
        flow = run_list(m, &nif->list[!jit_get(m, nif->condition, 0).b]);
    } else {
        const uint32_t taken = true_lanes(m, nif->condition);
        const uint32_t mask[2] = {outer & taken, outer & ~taken};
        for (unsigned i = 0; i < 2; i++) {
            m->exec = mask[i];
            if (mask[i])
                run_list(m, &nif->list[i]);
        }
    }
    m->exec = outer;
    /* Lanes may have left a divergent loop inside the if. */
    if (m->loop && m->loop->divergent)
        m->exec &= m->loop->running;
    return flow;
}

static void run_loop(struct jit_machine *m, const struct node *nloop)
{
    const uint32_t outer = m->exec;
    struct jit_loop_masks loop = {.divergent = nloop->divergent, .live = outer},
                          *outer_loop = m->loop;
    bool again = true;
    m->loop = &loop;
    while (again) {
        m->exec = loop.running = loop.live;
        again = run_list(m, &nloop->list[0]) != FLOW_BREAK && (!loop.divergent || loop.live);
    }
    m->loop = outer_loop;
    m->exec = outer;
}

static enum flow run_list(struct jit_machine *m, const struct node_list *list)
{
    enum flow flow = FLOW_ON;
    for (unsigned i = 0; i < list->count && flow == FLOW_ON; i++) {
        const struct node *node = &list->node[i];
        if (node->type == nir_cf_node_block)
            flow = run_block(m, node);
        else if (node->type == nir_cf_node_if)
            flow = run_if(m, node);
        else
            run_loop(m, node);
    }
    return flow;
}

/* --- frames: one per concurrent run; a run that can't allocate one waits for another run's --- */

static size_t scratch_words(const struct jit_program *p)
{
    return (size_t)p->scratch_slots * p->lanes;
}

static struct frame *make_frame(const struct jit_program *p)
{
    struct frame *frame =
        calloc(1, sizeof *frame + p->num_values * sizeof(nir_const_value) + 4 * scratch_words(p));
    for (unsigned i = 0; frame && i < p->num_constants; i++)
        frame->value[p->constant[i].at].u64 = p->constant[i].value;
    return frame;
}

static struct frame *take_frame(struct jit_program *p)
{
    struct frame *frame;
    pthread_mutex_lock(&p->lock);
    while (!(frame = p->frames) && !(frame = make_frame(p)))
        pthread_cond_wait(&p->given, &p->lock);
    if (frame == p->frames)
        p->frames = frame->next;
    pthread_mutex_unlock(&p->lock);
    return frame;
}

static void give_frame(struct jit_program *p, struct frame *frame)
{
    pthread_mutex_lock(&p->lock);
    frame->next = p->frames;
    p->frames = frame;
    pthread_cond_signal(&p->given);
    pthread_mutex_unlock(&p->lock);
}

void jit_program_run(const void *const *args, const void *self)
{
    struct jit_program *p = (struct jit_program *)self;
    struct frame *frame = take_frame(p);
    struct jit_machine m = {
        .lanes = p->lanes,
        .all_lanes = BITFIELD_MASK(p->lanes),
        .program = p,
        .args = args,
        .value = frame->value,
        .scratch = (uint32_t *)(frame->value + p->num_values),
        .scratch_slots = p->scratch_slots,
        .constant_data = p->constant_data,
        .constant_size = p->constant_size,
        .exec = BITFIELD_MASK(p->lanes),
    };
    /* Values read before they are written must not be another run's. */
    memset(frame->value + p->phis, 0, p->num_phis * sizeof *frame->value);
    os_memory_zero(m.scratch, 4 * scratch_words(p));
    run_list(&m, &p->body);
    give_frame(p, frame);
}

/* --- ALU instructions and phis --- */

static void run_alu(struct jit_machine *m, const struct jit_step *step)
{
    const unsigned inputs = nir_op_infos[step->op].num_inputs;
    nir_const_value spread[4][JIT_MAX_LANES], *src[4];
    for (unsigned c = 0; c < step->components; c++) {
        for (unsigned s = 0; s < inputs; s++) {
            const struct jit_operand o = step->src[s][c];
            src[s] = &m->value[o.at];
            if (o.stride || step->count == 1)
                continue;
            for (unsigned lane = 0; lane < step->count; lane++)
                spread[s][lane] = *src[s];
            src[s] = spread[s];
        }
        nir_eval_const_opcode(step->op, jit_dest(m, step, c), step->count, step->bits, src);
    }
}

/* Computes differences in the quad. fddx and fddy are fine. */
static void run_derivative(struct jit_machine *m, const struct jit_step *step)
{
    const bool y =
        step->op == nir_op_fddy || step->op == nir_op_fddy_fine || step->op == nir_op_fddy_coarse;
    const bool coarse = step->op == nir_op_fddx_coarse || step->op == nir_op_fddy_coarse;
    const unsigned step_bit = y ? 2 : 1;
    for (unsigned c = 0; c < step->components; c++) {
        nir_const_value *dest = jit_dest(m, step, c);
        for (unsigned lane = 0; lane < step->count; lane++) {
            unsigned low = coarse ? lane & ~3u : lane & ~step_bit;
            nir_const_value values[2] = {jit_get(m, step->src[0][c], low | step_bit),
                                         jit_get(m, step->src[0][c], low)};
            nir_const_value *src[2] = {&values[0], &values[1]};
            if (step->count == 1)
                dest[lane] = (nir_const_value){0};
            else
                nir_eval_const_opcode(nir_op_fsub, &dest[lane], 1, step->bits, src);
        }
    }
}

/* Copies the value that predecessors have stored for a phi. */
static void run_phi(struct jit_machine *m, const struct jit_step *step)
{
    memcpy(jit_dest(m, step, 0), &m->value[step->base],
           (size_t)step->components * step->count * sizeof *m->value);
}

/* --- decoding --- */

struct decoder {
    struct jit_program *program;
    unsigned lanes;
    struct jit_operand **operand; /* [nir_def.index][component] */
    uint32_t *phi; /* [nir_def.index]: first element where predecessors store a phi */
    DYNARRAY(struct constant) constants;
    bool failed;
};

static unsigned count_of(const struct decoder *d, const nir_def *def)
{
    return def->divergent ? d->lanes : 1;
}

static uint32_t take_values(struct decoder *d, uint64_t count)
{
    uint64_t at = d->program->num_values;
    d->failed |= at + count > UINT32_MAX / 16;
    d->program->num_values = (uint32_t)(d->failed ? 0 : at + count);
    return (uint32_t)at;
}

static struct jit_operand *new_operands(struct decoder *d, const nir_def *def)
{
    struct jit_operand *o = talloc_zero_array(d->program, struct jit_operand, def->num_components);
    d->operand[def->index] = o;
    return o;
}

/* Allocates the elements of a value and returns the first one. */
static uint32_t define(struct decoder *d, const nir_def *def)
{
    struct jit_operand *o = new_operands(d, def);
    const unsigned count = count_of(d, def);
    const uint32_t at = take_values(d, (uint64_t)count * def->num_components);
    for (unsigned c = 0; c < def->num_components; c++)
        o[c] = (struct jit_operand){at + c * count, def->divergent};
    return at;
}

static void decode_constant(struct decoder *d, const nir_def *def, const nir_const_value *value)
{
    struct jit_operand *o = new_operands(d, def);
    for (unsigned c = 0; c < def->num_components; c++) {
        o[c].at = take_values(d, 1);
        struct constant constant = {o[c].at, 0};
        if (value)
            constant.value = nir_const_value_as_uint(value[c], def->bit_size);
        (void)dynarray_append(&d->constants, constant);
    }
}

static void decode_vec(struct decoder *d, const nir_alu_instr *alu)
{
    struct jit_operand *o = new_operands(d, &alu->def);
    for (unsigned c = 0; c < alu->def.num_components; c++) {
        const nir_alu_src *src = &alu->src[alu->op == nir_op_mov ? 0 : c];
        unsigned from = nir_alu_src_comp(src, alu->op == nir_op_mov ? c : 0);
        o[c] = d->operand[src->src.ssa->index][from];
    }
}

static bool is_derivative(nir_op op)
{
    switch (op) {
    case nir_op_fddx:
    case nir_op_fddy:
    case nir_op_fddx_fine:
    case nir_op_fddy_fine:
    case nir_op_fddx_coarse:
    case nir_op_fddy_coarse:
        return true;
    default:
        return false;
    }
}

bool jit_decode_alu(struct jit_step *step, const nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    const bool sized = nir_alu_type_get_type_size(info->output_type) != 0;
    *step = (struct jit_step){
        .run = is_derivative(alu->op) ? run_derivative : run_alu,
        .components = alu->def.num_components,
        .bits = alu->def.bit_size,
        .op = alu->op,
    };
    for (unsigned s = 0; s < info->num_inputs; s++)
        if (sized && nir_alu_type_get_type_size(info->input_types[s]) == 0)
            step->bits = alu->src[s].src.ssa->bit_size;
    return info->output_size == 0 && info->num_inputs <= ARRAY_SIZE(step->src);
}

static void decode_alu(struct decoder *d, struct jit_step *step, const nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    d->failed |= !jit_decode_alu(step, alu);
    step->dest = define(d, &alu->def);
    step->count = count_of(d, &alu->def);
    for (unsigned s = 0; s < info->num_inputs && !d->failed; s++) {
        struct jit_operand *o = talloc_array(d->program, struct jit_operand, step->components);
        for (unsigned c = 0; c < step->components; c++)
            o[c] = d->operand[alu->src[s].src.ssa->index][nir_alu_src_comp(&alu->src[s], c)];
        step->src[s] = o;
    }
}

static unsigned kind_of(const nir_intrinsic_instr *intr)
{
    if (nir_intrinsic_has_atomic_op(intr))
        return nir_intrinsic_atomic_op(intr);
    return nir_intrinsic_has_dest_type(intr) && nir_intrinsic_dest_type(intr) == nir_type_float16;
}

bool jit_decode_intrinsic(struct jit_step *step, const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    *step = (struct jit_step){
        .run = jit_memory_step(intr->intrinsic),
        .op = intr->intrinsic,
        .base = nir_intrinsic_has_base(intr) ? (uint32_t)nir_intrinsic_base(intr) : 0,
        .write_mask = nir_intrinsic_has_write_mask(intr) ? nir_intrinsic_write_mask(intr) : ~0u,
        .kind = kind_of(intr),
    };
    if (!step->run)
        step->run = jit_lanes_step(intr->intrinsic);
    if (info->num_srcs) {
        step->src_bits = nir_src_bit_size(intr->src[0]);
        step->src_components = nir_src_num_components(intr->src[0]);
    }
    if (info->has_dest) {
        step->components = intr->def.num_components;
        step->bits = intr->def.bit_size;
    }
    return step->run && info->num_srcs <= ARRAY_SIZE(step->src);
}

static void decode_intrinsic(struct decoder *d, struct jit_step *step,
                             const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    d->failed |= !jit_decode_intrinsic(step, intr);
    for (unsigned s = 0; s < info->num_srcs && !d->failed; s++)
        step->src[s] = d->operand[intr->src[s].ssa->index];
    if (intr->intrinsic == nir_intrinsic_load_scratch ||
        intr->intrinsic == nir_intrinsic_store_scratch ||
        intr->intrinsic == nir_intrinsic_clear_scratch)
        d->failed |= !d->program->scratch_slots;
    if (intr->intrinsic == nir_intrinsic_load_constant)
        d->failed |= d->program->constant_size < intr->def.bit_size / 8;
    if (info->has_dest) {
        step->dest = define(d, &intr->def);
        step->count = count_of(d, &intr->def);
    }
}

static void decode_phi(struct decoder *d, struct jit_step *step, const nir_phi_instr *phi)
{
    *step = (struct jit_step){
        .run = run_phi,
        .dest = define(d, &phi->def),
        .count = count_of(d, &phi->def),
        .components = phi->def.num_components,
        .base = d->phi[phi->def.index],
    };
}

/* Decodes an instruction. Returns false if it needs no step at run time. */
static bool decode_instr(struct decoder *d, struct jit_step *step, nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu: {
        const nir_alu_instr *alu = nir_instr_as_alu(instr);
        if (nir_op_is_vec(alu->op) || alu->op == nir_op_mov) {
            decode_vec(d, alu);
            return false;
        }
        decode_alu(d, step, alu);
        return true;
    }
    case nir_instr_type_intrinsic:
        decode_intrinsic(d, step, nir_instr_as_intrinsic(instr));
        return true;
    case nir_instr_type_phi:
        decode_phi(d, step, nir_instr_as_phi(instr));
        return true;
    case nir_instr_type_load_const:
        decode_constant(d, nir_instr_def(instr), nir_instr_as_load_const(instr)->value);
        return false;
    case nir_instr_type_undef: /* zero, for equal results at every width */
        decode_constant(d, nir_instr_def(instr), NULL);
        return false;
    case nir_instr_type_jump:
        return false;
    default:
        d->failed = true;
        return false;
    }
}

static void decode_copies(struct decoder *d, struct node *node, const nir_block *block)
{
    DYNARRAY(struct copy) copies = DYNARRAY_INIT(d->program);
    for (unsigned i = 0; i < 2; i++) {
        if (!block->successors[i])
            continue;
        nir_foreach_instr (instr, block->successors[i]) {
            if (instr->type != nir_instr_type_phi)
                break;
            nir_phi_instr *phi = nir_instr_as_phi(instr);
            const unsigned count = count_of(d, &phi->def);
            nir_foreach_phi_src (src, phi) {
                if (src->pred != block || nir_src_is_undef(src->src))
                    continue;
                for (unsigned c = 0; c < phi->def.num_components; c++)
                    (void)dynarray_append(&copies,
                                          ((struct copy){d->phi[phi->def.index] + c * count, count,
                                                         d->operand[src->src.ssa->index][c]}));
            }
        }
    }
    node->copy = copies.data;
    node->num_copies = copies.count;
}

static void decode_block(struct decoder *d, struct node *node, nir_block *block)
{
    DYNARRAY(struct jit_step) steps = DYNARRAY_INIT(d->program);
    nir_foreach_instr (instr, block) {
        struct jit_step step;
        if (decode_instr(d, &step, instr))
            (void)dynarray_append(&steps, step);
        if (d->failed)
            return;
        if (instr->type == nir_instr_type_jump) {
            node->jumps = true;
            node->jump = nir_instr_as_jump(instr)->type;
            d->failed |= node->jump != nir_jump_break && node->jump != nir_jump_continue;
        }
    }
    node->step = steps.data;
    node->num_steps = steps.count;
    decode_copies(d, node, block);
}

static void decode_list(struct decoder *d, struct node_list *out, struct list_head *list)
{
    DYNARRAY(struct node) nodes = DYNARRAY_INIT(d->program);
    nir_foreach_cf_node(cf, list)
    {
        struct node node = {.type = cf->type};
        if (cf->type == nir_cf_node_block) {
            decode_block(d, &node, nir_cf_node_as_block(cf));
        } else if (cf->type == nir_cf_node_if) {
            nir_if *nif = nir_cf_node_as_if(cf);
            node.condition = d->operand[nif->condition.ssa->index][0];
            decode_list(d, &node.list[0], &nif->then_list);
            decode_list(d, &node.list[1], &nif->else_list);
        } else if (cf->type == nir_cf_node_loop) {
            node.divergent = nir_cf_node_as_loop(cf)->divergent;
            decode_list(d, &node.list[0], &nir_cf_node_as_loop(cf)->body);
        }
        if (d->failed)
            return;
        (void)dynarray_append(&nodes, node);
    }
    out->node = nodes.data;
    out->count = nodes.count;
}

/* Allocates the elements where predecessors store phis, before blocks are decoded. */
static void place_phis(struct decoder *d, nir_function_impl *impl)
{
    d->program->phis = d->program->num_values;
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            const nir_def *def = nir_instr_def(instr);
            d->phi[def->index] = take_values(d, (uint64_t)count_of(d, def) * def->num_components);
        }
    }
    d->program->num_phis = d->program->num_values - d->program->phis;
}

static int destroy_program(void *block)
{
    struct jit_program *p = block;
    for (struct frame *frame = p->frames, *next; frame; frame = next) {
        next = frame->next;
        free(frame);
    }
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->given);
    return 0;
}

struct jit_program *jit_program_create(nir_shader *nir, unsigned lanes)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    nir_index_ssa_defs(impl);
    struct jit_program *p = talloc_zero(NULL, struct jit_program);
    void *mem_ctx = talloc_new(NULL);
    struct decoder d = {
        .program = p,
        .lanes = lanes,
        .operand = talloc_zero_array(mem_ctx, struct jit_operand *, impl->ssa_alloc + 1),
        .phi = talloc_zero_array(mem_ctx, uint32_t, impl->ssa_alloc + 1),
        .constants = DYNARRAY_INIT(p),
    };
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->given, NULL);
    talloc_set_destructor(p, destroy_program);
    p->lanes = lanes;
    p->scratch_slots = (nir->scratch_size + 3) / 4;
    p->constant_size = nir->constant_data_size;
    p->constant_data = talloc_memdup(p, nir->constant_data, nir->constant_data_size);
    place_phis(&d, impl);
    decode_list(&d, &p->body, &impl->body);
    p->constant = d.constants.data;
    p->num_constants = d.constants.count;
    p->frames = d.failed ? NULL : make_frame(p); /* one frame, which runs can wait for */
    talloc_free(mem_ctx);
    if (p->frames)
        return p;
    talloc_free(p);
    return NULL;
}

void jit_program_destroy(struct jit_program *program)
{
    talloc_free(program);
}
