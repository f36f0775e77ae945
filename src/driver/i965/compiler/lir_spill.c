/* SPDX-License-Identifier: MIT */
/*
 * Spilling. A VGRF moves to scratch memory, with block messages that transfer whole registers
 * regardless of the channel enables. Before a write, parts that must survive are filled: parts of
 * registers that the write does not cover, and values that other channels still need (lir_live.c).
 * Constants are rematerialized before each read instead. So are selections (sel) whose operands and
 * comparison have sources that never change.
 */
#include "lir.h"

#include "util/macros.h"

enum {
    SCRATCH_CATEGORY = 1 << 18,
    SCRATCH_WRITE = 1 << 17,
    SCRATCH_REGISTERS = 1 << 12, /* Address range of the messages, in registers. */
    MAX_SIZE = 64, /* Maximum size of a spilled VGRF: sets of its registers have 64 bits. */
};

/* --- Constants --- */

static bool makes_constant(const struct lir_inst *inst)
{
    return inst->op == EU_OPCODE_MOV && inst->src[0].file == LIR_IMM && !inst->predicate &&
           !inst->cmod && !inst->saturate && inst->dst.offset % 4 == 0;
}

struct constants {
    DYNARRAY(struct lir_inst *) defs;
};

/* Returns the instruction that wrote everything that src reads; NULL if there is no single one. */
static struct lir_inst *find_maker(const struct constants *c, const struct lir_inst *user,
                                   unsigned s)
{
    const struct lir_reg *src = &user->src[s];
    for (unsigned i = 0; i < c->defs.count; i++) {
        struct lir_inst *def = c->defs.data[i];
        if (src->offset >= def->dst.offset &&
            src->offset + lir_size_read(user, s) <= def->dst.offset + lir_size_written(def))
            return def;
    }
    return NULL;
}

bool *lir_find_constants(struct lir_program *p, void *mem_ctx)
{
    bool *constant = talloc_zero_array(mem_ctx, bool, p->vgrfs.count + 1);
    struct constants *c = talloc_zero_array(mem_ctx, struct constants, p->vgrfs.count + 1);
    lir_foreach_inst(inst, p)
    {
        if (inst->dst.file != LIR_VGRF || inst->op == LIR_OP_UNDEF)
            continue;
        struct constants *of = &c[inst->dst.nr];
        bool again = false;
        for (unsigned i = 0; i < of->defs.count; i++) {
            const struct lir_inst *other = of->defs.data[i];
            again |= inst->dst.offset < other->dst.offset + lir_size_written(other) &&
                     other->dst.offset < inst->dst.offset + lir_size_written(inst);
        }
        of->defs.mem_ctx = mem_ctx;
        constant[inst->dst.nr] =
            makes_constant(inst) && !again && (!of->defs.count || constant[inst->dst.nr]);
        (void)dynarray_append(&of->defs, inst);
    }
    lir_foreach_inst(inst, p)
    {
        for (unsigned s = 0; s < 3; s++) {
            if (inst->src[s].file == LIR_VGRF && constant[inst->src[s].nr] &&
                !find_maker(&c[inst->src[s].nr], inst, s))
                constant[inst->src[s].nr] = false;
        }
    }
    return constant;
}

/* Rematerializes the constant for each reader. */
static void remake_constant(struct lir_program *p, unsigned vgrf)
{
    struct constants c = {.defs.mem_ctx = p};
    lir_foreach_inst(inst, p)
    {
        if (inst->dst.file == LIR_VGRF && inst->dst.nr == vgrf && inst->op != LIR_OP_UNDEF)
            (void)dynarray_append(&c.defs, inst);
    }
    lir_foreach_inst_safe(inst, p)
    {
        if (inst->dst.file == LIR_VGRF && inst->dst.nr == vgrf) {
            list_del(&inst->node);
            continue;
        }
        for (unsigned s = 0; s < 3; s++) {
            struct lir_reg *src = &inst->src[s];
            if (src->file != LIR_VGRF || src->nr != vgrf)
                continue;
            const struct lir_inst *maker = find_maker(&c, inst, s);
            struct lir_inst *copy = lir_inst_clone(p, maker);
            unsigned skip = maker->dst.offset / LIR_REG_SIZE * LIR_REG_SIZE;
            unsigned bytes = maker->dst.offset - skip + lir_size_written(maker);
            struct lir_reg temp = lir_vgrf(p, DIV_ROUND_UP(bytes, LIR_REG_SIZE), EU_TYPE_UD);
            p->vgrfs.data[temp.nr].no_spill = true;
            copy->no_mask = true; /* The constant is the same in all channels. */
            copy->dst.nr = src->nr = temp.nr;
            copy->dst.offset -= skip;
            src->offset -= skip;
            list_addtail(&copy->node, &inst->node);
        }
    }
    dynarray_finish(&c.defs);
}

/* --- Selections --- */

/* The flag f0.1 (lir_inst.flag, and its bits in lir_flags_written()), for rematerialized
 * comparisons: kernels of up to 16 channels need only f0.0. SEARCH_LENGTH: how many instructions
 * has_compared() examines. */
enum { SPARE_FLAG = 1, SPARE_PARTS = 3 << 2, SEARCH_LENGTH = 8 };

/* Returns whether all sources of the instruction have the same values throughout the program. */
static bool is_invariant(const struct lir_inst *inst, const bool *constant)
{
    for (unsigned s = 0; s < 3; s++) {
        const struct lir_reg *src = &inst->src[s];
        if (src->file != LIR_BAD && src->file != LIR_IMM && src->file != LIR_GRF &&
            (src->file != LIR_VGRF || !constant[src->nr]))
            return false;
    }
    return true;
}

/* Returns whether the instruction selects by f0.0 and writes its VGRF from the start on. */
static bool is_selection(const struct lir_inst *inst)
{
    return inst->op == EU_OPCODE_SEL && inst->predicate == EU_PREDICATE_NORMAL && !inst->flag &&
           !inst->group && !inst->cmod && !inst->saturate && inst->dst.file == LIR_VGRF &&
           !inst->dst.offset && inst->dst.stride == 1;
}

struct lir_selection *lir_find_selections(struct lir_program *p, const bool *constant,
                                          void *mem_ctx)
{
    struct lir_selection *found =
        talloc_zero_array(mem_ctx, struct lir_selection, p->vgrfs.count + 1);
    bool *written = talloc_zero_array(mem_ctx, bool, p->vgrfs.count + 1);
    struct lir_inst *compare = NULL; /* The comparison that f0.0 holds, or NULL. */
    bool spare = true;
    lir_foreach_inst(inst, p)
    {
        spare &= !((lir_flags_written(inst) | lir_flags_read(inst)) & SPARE_PARTS) ||
                 inst->rematerialized;
        if (inst->dst.file == LIR_VGRF && inst->op != LIR_OP_UNDEF) {
            struct lir_selection *of = &found[inst->dst.nr];
            *of = (struct lir_selection){0};
            if (!written[inst->dst.nr] && compare && compare->exec_size == inst->exec_size &&
                is_selection(inst) && is_invariant(inst, constant) &&
                lir_size_written(inst) == p->vgrfs.data[inst->dst.nr].size * LIR_REG_SIZE)
                *of = (struct lir_selection){compare, inst};
            written[inst->dst.nr] = true;
        }
        if (lir_is_control_flow(inst) || lir_flags_written(inst) & ~SPARE_PARTS)
            compare = NULL;
        if (inst->op == EU_OPCODE_CMP && !inst->predicate && !inst->flag && !inst->group &&
            is_invariant(inst, constant))
            compare = inst;
    }
    if (!spare || p->width > 16)
        memset(found, 0, (p->vgrfs.count + 1) * sizeof *found);
    return found;
}

static bool same_operand(const struct lir_reg *a, const struct lir_reg *b)
{
    return !memcmp(a, b, sizeof *a);
}

/* Returns whether the spare flag already has the result of `compare` at instruction `at`. */
static bool has_compared(const struct lir_program *p, const struct lir_inst *at,
                         const struct lir_inst *compare)
{
    const struct list_head *node = at->node.prev;
    for (unsigned i = 0; i < SEARCH_LENGTH && node != &p->insts; i++, node = node->prev) {
        const struct lir_inst *inst = list_entry(node, struct lir_inst, node);
        if (lir_is_control_flow(inst))
            return false;
        if (lir_flags_written(inst) & SPARE_PARTS)
            return inst->cmod == compare->cmod && inst->exec_size == compare->exec_size &&
                   inst->dst.type == compare->dst.type &&
                   same_operand(&inst->src[0], &compare->src[0]) &&
                   same_operand(&inst->src[1], &compare->src[1]);
    }
    return false;
}

/* Inserts a copy of instruction `of` before `at`, which uses the spare flag and writes dst. */
static void add_copy(struct lir_program *p, struct lir_inst *at, const struct lir_inst *of,
                     struct lir_reg dst)
{
    struct lir_inst *copy = lir_inst_clone(p, of);
    copy->dst = dst;
    copy->flag = SPARE_FLAG;
    copy->no_mask = copy->rematerialized = true;
    list_addtail(&copy->node, &at->node);
}

/* Rematerializes a selection before each of its readers. */
static void remake_selection(struct lir_program *p, struct lir_selection of)
{
    unsigned vgrf = of.select->dst.nr;
    lir_foreach_inst_safe(inst, p)
    {
        struct lir_reg temp = lir_bad();
        for (unsigned s = 0; s < 3; s++) {
            struct lir_reg *src = &inst->src[s];
            if (src->file != LIR_VGRF || src->nr != vgrf)
                continue;
            if (temp.file == LIR_BAD) {
                temp = lir_vgrf(p, p->vgrfs.data[vgrf].size, of.select->dst.type);
                p->vgrfs.data[temp.nr].no_spill = true;
                if (!has_compared(p, inst, of.compare))
                    add_copy(p, inst, of.compare, lir_null(of.compare->dst.type));
                add_copy(p, inst, of.select, temp);
            }
            src->nr = temp.nr;
        }
    }
    lir_opt_dead_code(p);
}

/* --- Memory --- */

struct spill {
    struct lir_program *p;
    struct lir_cfg *cfg;
    unsigned vgrf, slot; /* slot: its first register in scratch memory. */
};

static struct lir_reg new_temp(struct spill *s, unsigned count)
{
    struct lir_reg temp = lir_vgrf(s->p, count, EU_TYPE_UD);
    s->p->vgrfs.data[temp.nr].no_spill = true;
    return temp;
}

static struct lir_inst *copy_register(struct spill *s, const struct lir_inst *at, struct lir_reg to,
                                      struct lir_reg from)
{
    struct lir_inst *mov = lir_inst_create(s->p, EU_OPCODE_MOV, 8, to, from, lir_bad(), lir_bad());
    mov->no_mask = true;
    mov->scratch = true;
    mov->comment = at->comment;
    return mov;
}

/* Without split messages, a write's payload is the header followed by the data. Emits the header
 * after *at, to the register before the data, whose value is no longer needed. Data that is not
 * part of such a register is copied. Returns the payload; *at becomes the last instruction. */
static struct lir_reg joined_payload(struct spill *s, struct lir_inst **at, struct lir_reg data,
                                     unsigned count)
{
    struct lir_reg payload = data;
    if (data.file == LIR_VGRF && data.offset >= LIR_REG_SIZE) {
        payload.offset -= LIR_REG_SIZE;
        count = 0;
    } else {
        payload = new_temp(s, count + 1);
    }
    for (unsigned i = 0; i <= count; i++) {
        struct lir_reg from =
            i ? lir_byte_offset(data, (i - 1) * LIR_REG_SIZE) : lir_grf(0, EU_TYPE_UD);
        struct lir_inst *mov =
            copy_register(s, *at, lir_byte_offset(payload, i * LIR_REG_SIZE), from);
        list_add(&mov->node, &(*at)->node);
        *at = mov;
    }
    return payload;
}

static struct lir_inst *scratch_message(struct spill *s, struct lir_inst *at, struct lir_reg data,
                                        unsigned reg, unsigned count, bool write)
{
    bool split = write && s->p->dev->has_sends;
    uint32_t desc = SCRATCH_CATEGORY | (write ? SCRATCH_WRITE : 0) |
                    (uint32_t)__builtin_ctz(count) << 12 | (s->slot + reg);
    struct lir_reg header = lir_grf(0, EU_TYPE_UD);
    if (write && !split)
        header = joined_payload(s, &at, data, count);
    struct lir_inst *inst = lir_inst_create(s->p, split ? EU_OPCODE_SENDS : EU_OPCODE_SEND, 16,
                                            write ? lir_null(EU_TYPE_UD) : data, header,
                                            split ? data : lir_bad(), lir_bad());
    inst->no_mask = true;
    inst->header = true;
    inst->scratch = true;
    inst->sfid = EU_SFID_DATA_CACHE0;
    inst->desc = desc;
    inst->mlen = (uint8_t)(write && !split ? 1 + count : 1);
    inst->ex_mlen = split ? (uint8_t)count : 0;
    inst->rlen = write ? 0 : (uint8_t)count;
    inst->side_effects = true;
    inst->comment = at->comment;
    if (write) {
        list_add(&inst->node, &at->node);
        s->p->spills++;
    } else {
        list_addtail(&inst->node, &at->node);
        s->p->fills++;
    }
    return inst;
}

/* Moves registers first … first + count of the VGRF to or from `temp`, in pieces that messages
 * support. */
static void move_scratch(struct spill *s, struct lir_inst *at, struct lir_reg temp, unsigned first,
                         unsigned count, bool write)
{
    for (unsigned done = 0; done < count;) {
        unsigned n = count - done >= 4 ? 4 : count - done >= 2 ? 2 : 1;
        struct lir_inst *inst = scratch_message(s, at, lir_byte_offset(temp, done * LIR_REG_SIZE),
                                                first + done, n, write);
        if (write)
            at = inst;
        done += n;
    }
}

static unsigned registers_of(const struct lir_reg *r, unsigned bytes)
{
    return DIV_ROUND_UP(r->offset % LIR_REG_SIZE + bytes, LIR_REG_SIZE);
}

static void spill_sources(struct spill *s, struct lir_inst *inst)
{
    for (unsigned i = 0; i < 3; i++) {
        struct lir_reg *src = &inst->src[i];
        if (src->file != LIR_VGRF || src->nr != s->vgrf)
            continue;
        unsigned first = src->offset / LIR_REG_SIZE,
                 count = registers_of(src, lir_size_read(inst, i));
        struct lir_reg temp = new_temp(s, count);
        move_scratch(s, inst, temp, first, count, false);
        src->nr = temp.nr;
        src->offset %= LIR_REG_SIZE;
        for (unsigned k = i + 1; k < 3; k++) { /* Further sources with the same operand. */
            struct lir_reg *other = &inst->src[k];
            if (other->file != LIR_VGRF || other->nr != s->vgrf ||
                other->offset / LIR_REG_SIZE < first)
                continue;
            unsigned skip = other->offset / LIR_REG_SIZE - first;
            if (skip + registers_of(other, lir_size_read(inst, k)) > count)
                continue;
            other->offset -= first * LIR_REG_SIZE;
            other->nr = temp.nr;
        }
    }
}

static void spill_destination(struct spill *s, struct lir_inst *inst, bool fill)
{
    struct lir_reg *dst = &inst->dst;
    unsigned first = dst->offset / LIR_REG_SIZE, count = registers_of(dst, lir_size_written(inst));
    unsigned before = s->p->dev->has_sends ? 0 : 1; /* For the header of the message. */
    struct lir_reg temp = lir_byte_offset(new_temp(s, before + count), before * LIR_REG_SIZE);
    if (fill) {
        move_scratch(s, inst, temp, first, count, false);
        inst->keeps_disabled_channels = true;
    }
    dst->nr = temp.nr;
    dst->offset = dst->offset % LIR_REG_SIZE + temp.offset;
    move_scratch(s, inst, temp, first, count, true);
}

/* Returns the set of the VGRF's registers that an operand covers. */
static uint64_t set_of(const struct spill *s, const struct lir_reg *r, unsigned bytes)
{
    if (r->file != LIR_VGRF || r->nr != s->vgrf || !bytes)
        return 0;
    unsigned count = MIN2(registers_of(r, bytes), MAX_SIZE);
    return (UINT64_MAX >> (64 - count)) << r->offset / LIR_REG_SIZE;
}

static uint64_t subset(const struct spill *s, const bitset_word *set)
{
    uint64_t out = 0;
    for (unsigned r = 0; set && r < s->p->vgrfs.data[s->vgrf].size; r++)
        out |= (uint64_t)bitset_test(set, s->cfg->vgrf_base[s->vgrf] + r) << r;
    return out;
}

/* By ip: the registers whose values the running channels read later. */
static void find_wanted(const struct spill *s, const struct lir_block *block, uint64_t *wanted)
{
    uint64_t now = subset(s, block->live_out);
    for (struct lir_inst *inst = block->last; inst;
         inst = inst == block->first ? NULL : list_entry(inst->node.prev, struct lir_inst, node)) {
        wanted[inst->ip] = now;
        if (!lir_is_partial_write(inst))
            now &= ~set_of(s, &inst->dst, lir_size_written(inst));
        for (unsigned k = 0; k < 3; k++)
            now |= set_of(s, &inst->src[k], lir_size_read(inst, k));
    }
}

static void spill_block(struct spill *s, const struct lir_block *block, uint64_t *wanted)
{
    uint64_t has_value = subset(s, block->written_in), waiting = subset(s, block->waiting);
    find_wanted(s, block, wanted);
    for (struct lir_inst *inst = block->first, *next; inst; inst = next) {
        next = inst == block->last ? NULL : list_entry(inst->node.next, struct lir_inst, node);
        uint64_t written = set_of(s, &inst->dst, lir_size_written(inst));
        spill_sources(s, inst);
        if (inst->op == LIR_OP_UNDEF && written) {
            list_del(&inst->node);
        } else if (written) {
            uint64_t kept = lir_is_partial_write(inst) ? wanted[inst->ip] & has_value : 0;
            spill_destination(s, inst, (kept | waiting) & written);
            has_value |= written;
        }
    }
}

static bool spill_to_memory(struct lir_program *p, unsigned vgrf)
{
    void *mem_ctx = talloc_new(p);
    unsigned size = p->vgrfs.data[vgrf].size;
    struct spill s = {.p = p,
                      .cfg = lir_cfg_build(p, mem_ctx),
                      .vgrf = vgrf,
                      .slot = DIV_ROUND_UP(p->scratch_size, LIR_REG_SIZE)};
    uint64_t *wanted = talloc_array(mem_ctx, uint64_t, lir_number(p) + 1);
    bool ok = size <= MAX_SIZE && s.slot + size <= SCRATCH_REGISTERS &&
              (s.slot + size) * LIR_REG_SIZE <= p->dev->max_scratch;
    if (ok) {
        p->scratch_size = (s.slot + size) * LIR_REG_SIZE;
        lir_liveness(p, s.cfg, mem_ctx);
        lir_find_waiting(s.cfg, mem_ctx);
        for (unsigned b = 0; b < s.cfg->num_blocks; b++)
            spill_block(&s, &s.cfg->blocks[b], wanted);
    }
    talloc_free(mem_ctx);
    return ok;
}

/* --- The payload --- */

struct payload_use {
    unsigned first_ip, reads;
    bool fixed; /* Cannot be spilled: read together with its neighbors, or needed by spills. */
};

static struct payload_use *find_payload_uses(struct lir_program *p, void *mem_ctx)
{
    struct payload_use *uses = talloc_zero_array(mem_ctx, struct payload_use, p->dev->grf_count);
    lir_number(p);
    uses[0].fixed = true;
    lir_foreach_inst(inst, p)
    {
        for (unsigned s = 0; s < 3; s++) {
            const struct lir_reg *src = &inst->src[s];
            if (src->file != LIR_GRF)
                continue;
            unsigned first = src->nr + src->offset / LIR_REG_SIZE;
            unsigned count = registers_of(src, lir_size_read(inst, s));
            for (unsigned r = first; r < first + count && r < p->dev->grf_count; r++) {
                if (!uses[r].reads++)
                    uses[r].first_ip = inst->ip;
                uses[r].fixed |= count != 1 || lir_is_send(inst) || inst->scratch;
            }
        }
    }
    return uses;
}

/* Returns the payload register with the fewest reads, preferring the latest first read. */
static unsigned choose_payload(const struct lir_program *p, const struct payload_use *uses)
{
    unsigned best = 0;
    for (unsigned r = 1; r < p->dev->grf_count; r++) {
        const struct payload_use *use = &uses[r], *than = &uses[best];
        if (use->fixed || !use->reads)
            continue;
        if (!best || use->reads < than->reads ||
            (use->reads == than->reads && use->first_ip > than->first_ip))
            best = r;
    }
    return best;
}

static void fill_payload(struct spill *s, struct lir_inst *inst, unsigned reg)
{
    for (unsigned i = 0; i < 3; i++) {
        struct lir_reg *src = &inst->src[i];
        if (src->file != LIR_GRF || src->nr + src->offset / LIR_REG_SIZE != reg)
            continue;
        struct lir_reg temp = new_temp(s, 1);
        move_scratch(s, inst, temp, 0, 1, false);
        src->file = LIR_VGRF;
        src->nr = temp.nr;
        src->offset %= LIR_REG_SIZE;
    }
}

bool lir_spill_payload(struct lir_program *p)
{
    void *mem_ctx = talloc_new(p);
    struct payload_use *uses = find_payload_uses(p, mem_ctx);
    struct spill s = {.p = p, .slot = DIV_ROUND_UP(p->scratch_size, LIR_REG_SIZE)};
    unsigned reg = choose_payload(p, uses);
    bool ok = reg && s.slot < SCRATCH_REGISTERS;
    if (ok) {
        p->scratch_size = (s.slot + 1) * LIR_REG_SIZE;
        lir_foreach_inst_safe(inst, p) fill_payload(&s, inst, reg);
        struct lir_inst *first = list_first_entry(&p->insts, struct lir_inst, node);
        struct lir_inst *save = scratch_message(&s, first, lir_grf(reg, EU_TYPE_UD), 0, 1, true);
        /* The message, and the copies of its payload, were added after the first instruction. */
        for (struct list_head *at = &p->insts, *node = NULL; node != &save->node; at = node) {
            node = first->node.next;
            list_del(node);
            list_add(node, at);
        }
    }
    talloc_free(mem_ctx);
    return ok;
}

/* --- Spilling a VGRF --- */

bool lir_spill(struct lir_program *p, unsigned vgrf)
{
    void *mem_ctx = talloc_new(p);
    bool *constants = lir_find_constants(p, mem_ctx), constant = constants[vgrf];
    struct lir_selection selection = lir_find_selections(p, constants, mem_ctx)[vgrf];
    talloc_free(mem_ctx);
    if (!constant && !selection.select)
        return spill_to_memory(p, vgrf);
    if (constant)
        remake_constant(p, vgrf);
    else
        remake_selection(p, selection);
    return true;
}
