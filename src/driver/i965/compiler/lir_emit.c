/* SPDX-License-Identifier: MIT */
/* Emission: converts allocated LIR to struct eu_inst and to bytes. Branch targets are resolved
 * after all instructions have positions. */
#include <string.h>

#include "from_nir.h"

#include "driver/i965/eu_scoreboard.h"
#include "util/check.h"

struct code {
    struct eu_inst inst;
    const struct lir_inst *lir;
};

struct emitter {
    struct lir_program *p;
    DYNARRAY(struct code) code;
    DYNARRAY(unsigned) position; /* By LIR instruction: index into code. */
};

static enum eu_file file_of(unsigned file)
{
    switch (file) {
    case LIR_ARF:
        return EU_FILE_ARF;
    case LIR_IMM:
        return EU_FILE_IMM;
    default:
        return EU_FILE_GRF;
    }
}

static struct eu_reg base_register(const struct emitter *e, const struct lir_reg *r)
{
    struct eu_reg out = {
        .file = file_of(r->file), .type = r->type, .negate = r->negate, .abs = r->abs};
    if (r->file == LIR_IMM) {
        out.imm = (uint64_t)r->imm_high << 32 | r->imm;
        return out;
    }
    unsigned nr = r->file == LIR_VGRF ? e->p->vgrfs.data[r->nr].hw : r->nr;
    if (r->file != LIR_ARF) {
        nr += r->offset / LIR_REG_SIZE;
        out.subnr = r->offset % LIR_REG_SIZE;
    } else {
        out.subnr = (uint8_t)r->offset;
    }
    out.nr = (uint8_t)nr;
    return out;
}

/* A row is at most one register long and eight elements wide. */
static void set_region(struct eu_reg *out, const struct lir_reg *r, unsigned exec_size)
{
    if (r->region) {
        out->vstride = r->vstride;
        out->width = r->width;
        out->hstride = r->hstride;
        return;
    }
    if (!r->stride || exec_size == 1) {
        out->vstride = 0;
        out->width = 1;
        out->hstride = 0;
        return;
    }
    unsigned width = LIR_REG_SIZE / (r->stride * lir_type_size(r->type));
    width = MIN2(MIN2(width, 8), exec_size);
    out->width = (uint8_t)width;
    out->hstride = r->stride;
    out->vstride = (uint8_t)(width * r->stride);
    if (width == 1)
        out->hstride = 0;
}

static struct eu_reg source(const struct emitter *e, const struct lir_inst *inst, unsigned s)
{
    const struct lir_reg *r = &inst->src[s];
    struct eu_reg out = base_register(e, r);
    if (r->file != LIR_IMM)
        set_region(&out, r, inst->exec_size);
    return out;
}

static struct eu_reg destination(const struct emitter *e, const struct lir_inst *inst)
{
    struct eu_reg out = {
        .file = EU_FILE_ARF, .nr = EU_ARF_NULL, .type = inst->dst.type, .hstride = 1};
    if (inst->dst.file == LIR_BAD)
        return out;
    out = base_register(e, &inst->dst);
    out.hstride = MAX2(inst->dst.stride, 1);
    return out;
}

static struct eu_reg null_source(enum eu_type type, unsigned exec_size)
{
    struct lir_reg null = lir_null(type);
    struct eu_reg out = {.file = EU_FILE_ARF, .nr = EU_ARF_NULL, .type = type};
    set_region(&out, &null, exec_size);
    return out;
}

static struct eu_inst *append(struct emitter *e, const struct lir_inst *inst, unsigned opcode)
{
    struct code c = {.lir = inst};
    c.inst.opcode = opcode;
    c.inst.exec_size = inst->exec_size;
    c.inst.group = inst->group;
    c.inst.no_mask = inst->no_mask;
    if (!dynarray_append(&e->code, c)) {
        lir_fail(e->p, "out of memory");
        e->code.count = 1;
    }
    return &e->code.data[e->code.count - 1].inst;
}

static void set_modifiers(struct eu_inst *out, const struct lir_inst *inst)
{
    out->saturate = inst->saturate;
    out->predicate = inst->predicate;
    out->predicate_inverse = inst->predicate_inverse;
    out->cmod = inst->cmod;
    out->math = inst->math;
    if (inst->predicate || inst->cmod) {
        out->flag_nr = inst->flag / 2;
        out->flag_subnr = inst->flag % 2;
    }
}

static void emit_send(struct emitter *e, const struct lir_inst *inst)
{
    bool split = inst->op == EU_OPCODE_SENDS || inst->op == EU_OPCODE_SENDSC;
    uint32_t desc = inst->desc | (uint32_t)inst->header << 19 | (uint32_t)inst->rlen << 20 |
                    (uint32_t)inst->mlen << 25;
    bool indirect = inst->src[2].file != LIR_BAD;
    if (indirect) {
        struct eu_inst *add = append(e, inst, EU_OPCODE_ADD);
        struct lir_inst one = {.exec_size = 1};
        one.src[0] = inst->src[2];
        add->exec_size = 1;
        add->group = 0;
        add->no_mask = true;
        add->dst = (struct eu_reg){
            .file = EU_FILE_ARF, .nr = EU_ARF_ADDRESS, .type = EU_TYPE_UD, .hstride = 1};
        add->src[0] = source(e, &one, 0);
        add->src[1] = (struct eu_reg){.file = EU_FILE_IMM, .type = EU_TYPE_UD, .imm = desc};
    }
    struct eu_inst *out = append(e, inst, inst->op);
    set_modifiers(out, inst);
    out->sfid = inst->sfid;
    out->eot = inst->eot;
    out->desc_indirect = indirect;
    out->desc = indirect ? 0 : desc;
    out->ex_desc = split ? (uint32_t)inst->ex_mlen << 6 : 0;
    out->dst = destination(e, inst);
    for (unsigned s = 0; s < (split ? 2u : 1u); s++) {
        out->src[s] = base_register(e, &inst->src[s]);
        out->src[s].type = EU_TYPE_UD;
        out->src[s].vstride = 8;
        out->src[s].width = 8;
        out->src[s].hstride = 1;
    }
}

/* Sets a0 to the byte address of the channel's element, and dst to that element. */
static void emit_broadcast(struct emitter *e, const struct lir_inst *inst)
{
    unsigned shift = (unsigned)__builtin_ctz(lir_type_size(inst->dst.type));
    struct eu_reg base = base_register(e, &inst->src[0]), channel = base_register(e, &inst->src[1]);
    struct eu_reg address = {
        .file = EU_FILE_ARF, .nr = EU_ARF_ADDRESS, .type = EU_TYPE_UD, .hstride = 1};
    struct eu_inst *out[3];
    for (unsigned i = 0; i < 3; i++) {
        out[0] = append(e, inst, i == 0 ? EU_OPCODE_SHL : i == 1 ? EU_OPCODE_ADD : EU_OPCODE_MOV);
        out[0]->exec_size = 1;
        out[0]->group = 0;
        out[0]->no_mask = true;
        out[0]->dst = i < 2 ? address : destination(e, inst);
        if (i == 2) {
            out[0]->src[0] = (struct eu_reg){
                .file = EU_FILE_GRF, .type = inst->dst.type, .indirect = true, .width = 1};
            continue;
        }
        out[0]->src[0] = i ? address : channel;
        out[0]->src[0].type = EU_TYPE_UD;
        out[0]->src[0].vstride = out[0]->src[0].hstride = 0;
        out[0]->src[0].width = 1;
        out[0]->src[1] = (struct eu_reg){.file = EU_FILE_IMM,
                                         .type = EU_TYPE_UD,
                                         .imm = i ? base.nr * LIR_REG_SIZE + base.subnr : shift};
    }
}

/* Sets a0.0 to a0.7 to the byte addresses of the channels' dwords, and dst to these dwords. The
 * index is masked, so that even disabled channels have addresses within the registers. */
static void emit_gather(struct emitter *e, const struct lir_inst *inst)
{
    struct eu_reg base = base_register(e, &inst->src[0]), index = base_register(e, &inst->src[1]);
    struct eu_reg address = {.file = EU_FILE_ARF,
                             .nr = EU_ARF_ADDRESS,
                             .type = EU_TYPE_UW,
                             .vstride = 8,
                             .width = 8,
                             .hstride = 1};
    const struct {
        enum eu_opcode op;
        unsigned imm;
    } steps[] = {{EU_OPCODE_AND, inst->rlen * 8u - 1},
                 {EU_OPCODE_SHL, 2},
                 {EU_OPCODE_ADD, base.nr * LIR_REG_SIZE + base.subnr}};
    index.type = EU_TYPE_UW; /* The low word of the index. */
    index.vstride = 16;
    index.width = 8;
    index.hstride = 2;
    for (unsigned i = 0; i < ARRAY_SIZE(steps); i++) {
        struct eu_inst *out = append(e, inst, steps[i].op);
        out->no_mask = true;
        out->dst = address;
        out->src[0] = i ? address : index;
        out->src[1] = (struct eu_reg){.file = EU_FILE_IMM, .type = EU_TYPE_UW, .imm = steps[i].imm};
    }
    struct eu_inst *move = append(e, inst, EU_OPCODE_MOV);
    move->dst = destination(e, inst);
    move->src[0] = (struct eu_reg){.file = EU_FILE_GRF,
                                   .type = inst->dst.type,
                                   .indirect = true,
                                   .vstride = EU_VSTRIDE_ONE_DIMENSIONAL,
                                   .width = 1};
}

static void emit_3src(struct emitter *e, const struct lir_inst *inst)
{
    struct eu_inst *out = append(e, inst, inst->op);
    set_modifiers(out, inst);
    out->align16 = !e->p->dev->has_align1_3src;
    out->dst = destination(e, inst);
    out->dst.writemask = out->align16 ? 0xf : 0;
    for (unsigned s = 0; s < 3; s++) {
        out->src[s] = source(e, inst, s);
        if (out->align16) {
            out->src[s].replicate = !inst->src[s].stride;
            out->src[s].swizzle = 0xe4;
        } else if (s == 2) { /* One stride. */
            out->src[s].vstride = inst->src[s].stride;
            out->src[s].width = 1;
            out->src[s].hstride = 0;
        }
    }
}

static void emit_inst(struct emitter *e, const struct lir_inst *inst)
{
    if (lir_is_send(inst)) {
        emit_send(e, inst);
        return;
    }
    if (lir_is_3src(inst)) {
        emit_3src(e, inst);
        return;
    }
    switch (inst->op) {
    case LIR_OP_DO:
    case LIR_OP_UNDEF:
        return;
    case LIR_OP_BROADCAST:
        emit_broadcast(e, inst);
        return;
    case LIR_OP_GATHER:
        emit_gather(e, inst);
        return;
    case LIR_OP_HALT_TARGET:
        append(e, inst, EU_OPCODE_HALT);
        return;
    default:
        break;
    }
    struct eu_inst *out = append(e, inst, inst->op);
    set_modifiers(out, inst);
    if (inst->op == EU_OPCODE_WAIT && !eu_has_opcode(e->p->dev, EU_OPCODE_WAIT)) {
        out->opcode = EU_OPCODE_SYNC;
        out->sync = EU_SYNC_BARRIER;
        return;
    }
    if (lir_is_control_flow(inst))
        return;
    out->dst = destination(e, inst);
    unsigned n = lir_num_srcs(inst);
    for (unsigned s = 0; s < n; s++)
        out->src[s] = source(e, inst, s);
    if (inst->op == EU_OPCODE_MATH && n == 1)
        out->src[1] = null_source(inst->src[0].type, inst->exec_size);
}

/* --- Software scoreboard --- */

static void append_code(struct emitter *e, struct code c)
{
    if (!dynarray_append(&e->code, c)) {
        lir_fail(e->p, "out of memory");
        e->code.count = 1;
    }
}

/* Emits a sync that has the scoreboard information, for what the next instruction cannot
 * express. */
static void append_sync(struct emitter *e, struct eu_scoreboard *s, const struct lir_inst *lir,
                        enum eu_sync function, unsigned scoreboard)
{
    struct code c = {.lir = lir};
    c.inst.opcode = EU_OPCODE_SYNC;
    c.inst.exec_size = 1;
    c.inst.sync = function;
    c.inst.scoreboard = (uint8_t)scoreboard;
    eu_scoreboard_wait(s, &c.inst);
    append_code(e, c);
}

/* Returns the scoreboard information of an instruction that takes no token, after syncs for tokens
 * beyond the first. */
static unsigned in_order_information(struct emitter *e, struct eu_scoreboard *s,
                                     const struct lir_inst *lir, struct eu_waits waits)
{
    unsigned information = waits.distance;
    bool free = true;
    for (unsigned t = 0; t < EU_TOKENS; t++) {
        bool written = waits.written >> t & 1, read = waits.read >> t & 1;
        if (free && written) {
            information = waits.distance ? EU_SCOREBOARD_DISTANCE | waits.distance << 4 | t
                                         : EU_SCOREBOARD_WRITTEN | t;
            free = false;
        } else if (free && read && !waits.distance) {
            information = EU_SCOREBOARD_READ | t;
            free = false;
        } else if (written || read) {
            append_sync(e, s, lir, EU_SYNC_NOP,
                        (written ? EU_SCOREBOARD_WRITTEN : EU_SCOREBOARD_READ) | t);
        }
    }
    return information;
}

/* Waits for all tokens before a branch or the end of the thread. */
static void append_full_sync(struct emitter *e, struct eu_scoreboard *s, const struct lir_inst *lir,
                             struct eu_waits waits)
{
    if (waits.read)
        append_sync(e, s, lir, EU_SYNC_ALL_READ, 0);
    if (waits.written)
        append_sync(e, s, lir, EU_SYNC_ALL_WRITTEN, 0);
}

/* Returns a token that is not in use, after a wait if there is none. */
static unsigned take_token(struct emitter *e, struct eu_scoreboard *s, const struct lir_inst *lir,
                           unsigned *next)
{
    for (unsigned i = 0; i < EU_TOKENS; i++) {
        unsigned t = (*next + i) % EU_TOKENS;
        if (!s->token[t].active) {
            *next = t + 1;
            return t;
        }
    }
    unsigned oldest = *next % EU_TOKENS;
    append_sync(e, s, lir, EU_SYNC_NOP, EU_SCOREBOARD_WRITTEN | oldest);
    *next = oldest + 1;
    return oldest;
}

/* Returns what the instruction accesses, including the registers that it addresses indirectly. */
static struct eu_access access_of(const struct emitter *e, const struct code *c)
{
    struct eu_access access = eu_access(&c->inst);
    if (c->inst.src[0].indirect && c->inst.src[0].file == EU_FILE_GRF) {
        struct eu_reg base = base_register(e, &c->lir->src[0]);
        eu_access_read(&access, base.nr,
                       DIV_ROUND_UP(base.subnr + lir_size_read(c->lir, 0), LIR_REG_SIZE));
    }
    return access;
}

/* Adds scoreboard information and syncs, and updates the positions. Every branch waits for all
 * instructions in flight, so that the code after it, wherever it was reached from, need not
 * wait. */
static void add_scoreboard(struct emitter *e)
{
    struct eu_scoreboard *s = talloc_zero(e->p, struct eu_scoreboard);
    struct code *old = e->code.data;
    unsigned count = e->code.count, next = 0;
    unsigned *place = talloc_array(s, unsigned, count + 1);
    e->code.data = NULL;
    e->code.count = e->code.capacity = 0;
    for (unsigned i = 0; i < count; i++) {
        struct code c = old[i];
        struct eu_access access = access_of(e, &c);
        struct eu_waits waits = eu_scoreboard_needs(s, &access);
        if (access.waits_for_all) {
            append_full_sync(e, s, c.lir, waits);
            c.inst.scoreboard = (uint8_t)waits.distance;
        } else if (access.out_of_order) {
            for (unsigned t = 0; t < EU_TOKENS; t++) {
                if ((waits.written | waits.read) >> t & 1)
                    append_sync(
                        e, s, c.lir, EU_SYNC_NOP,
                        (waits.written >> t & 1 ? EU_SCOREBOARD_WRITTEN : EU_SCOREBOARD_READ) | t);
            }
            unsigned token = take_token(e, s, c.lir, &next);
            c.inst.scoreboard =
                (uint8_t)(waits.distance ? EU_SCOREBOARD_DISTANCE | waits.distance << 4 | token
                                         : EU_SCOREBOARD_SET | token);
        } else {
            c.inst.scoreboard = (uint8_t)in_order_information(e, s, c.lir, waits);
        }
        eu_scoreboard_wait(s, &c.inst);
        eu_scoreboard_issue(s, &c.inst, &access);
        place[i] = e->code.count;
        append_code(e, c);
    }
    place[count] = e->code.count;
    for (unsigned i = 0; i < e->position.count; i++)
        e->position.data[i] = place[e->position.data[i]];
    talloc_free(old);
    talloc_free(s);
}

/* --- Branches --- */

static int32_t distance(unsigned from, unsigned to)
{
    return ((int32_t)to - (int32_t)from) * 16;
}

/* Returns the instruction where channels that branch at `at` wait: the end of the innermost
 * enclosing block. */
static unsigned block_end(const struct emitter *e, unsigned at, bool *none)
{
    unsigned depth = 0;
    *none = false;
    for (unsigned i = at + 1; i < e->code.count; i++) {
        switch (e->code.data[i].inst.opcode) {
        case EU_OPCODE_IF:
            depth++;
            break;
        case EU_OPCODE_ENDIF:
            if (!depth)
                return i;
            depth--;
            break;
        case EU_OPCODE_ELSE:
        case EU_OPCODE_WHILE:
            /* Skip a loop that follows `at`: its while jumps back to a later instruction. */
            if (e->code.data[i].inst.opcode == EU_OPCODE_WHILE &&
                distance(i, at) + 0 < e->code.data[i].inst.jip)
                break;
            if (!depth)
                return i;
            break;
        case EU_OPCODE_HALT:
            if (e->code.data[i].lir->op == LIR_OP_HALT_TARGET)
                return i;
            break;
        default:
            break;
        }
    }
    *none = true;
    return at + 1;
}

struct nesting {
    unsigned loops[64], num_loops; /* First instruction of each enclosing loop. */
    unsigned ifs[64], elses[64], num_ifs;
    unsigned halt_target;
};

/* Sets JIP of while, and JIP and UIP of if and else, which block_end() needs. */
static bool patch_structures(struct emitter *e, struct nesting *n)
{
    unsigned i = 0;
    lir_foreach_inst(inst, e->p)
    {
        unsigned at = e->position.data[i++];
        struct eu_inst *code = at < e->code.count ? &e->code.data[at].inst : NULL;
        switch (inst->op) {
        case LIR_OP_DO:
            if (n->num_loops == ARRAY_SIZE(n->loops))
                return false;
            NEXT_OF(n->loops, n->num_loops) = at;
            break;
        case EU_OPCODE_WHILE:
            code->jip = distance(at, n->loops[--n->num_loops]);
            break;
        case EU_OPCODE_IF:
            if (n->num_ifs == ARRAY_SIZE(n->ifs))
                return false;
            n->elses[n->num_ifs] = 0;
            NEXT_OF(n->ifs, n->num_ifs) = at;
            break;
        case EU_OPCODE_ELSE:
            n->elses[n->num_ifs - 1] = at;
            break;
        case EU_OPCODE_ENDIF: {
            unsigned from = n->ifs[--n->num_ifs], other = n->elses[n->num_ifs];
            e->code.data[from].inst.uip = distance(from, at);
            e->code.data[from].inst.jip = distance(from, other ? other + 1 : at);
            if (other)
                e->code.data[other].inst.jip = e->code.data[other].inst.uip = distance(other, at);
            break;
        }
        case LIR_OP_HALT_TARGET:
            n->halt_target = at;
            code->jip = code->uip = 16;
            break;
        default:
            break;
        }
    }
    return true;
}

/* Returns the while that ends the loop around `at`. */
static unsigned loop_end(const struct emitter *e, unsigned at)
{
    for (unsigned i = at + 1; i < e->code.count; i++) {
        const struct eu_inst *inst = &e->code.data[i].inst;
        if (inst->opcode == EU_OPCODE_WHILE && distance(i, at) >= inst->jip)
            return i;
    }
    return at + 1;
}

static void patch_leaving(struct emitter *e, const struct nesting *n)
{
    for (unsigned at = 0; at < e->code.count; at++) {
        struct eu_inst *inst = &e->code.data[at].inst;
        bool none;
        switch (inst->opcode) {
        case EU_OPCODE_BREAK:
        case EU_OPCODE_CONT:
            inst->jip = distance(at, block_end(e, at, &none));
            inst->uip = distance(at, loop_end(e, at));
            break;
        case EU_OPCODE_ENDIF:
            inst->jip = distance(at, block_end(e, at, &none));
            break;
        case EU_OPCODE_HALT:
            if (e->code.data[at].lir->op == LIR_OP_HALT_TARGET)
                break;
            inst->jip = distance(at, block_end(e, at, &none));
            inst->uip = distance(at, n->halt_target);
            break;
        default:
            break;
        }
    }
}

/* --- Bytes --- */

static bool encode(struct emitter *e, void *mem_ctx, struct i965_kernel *kernel)
{
    kernel->code_size = e->code.count * 16;
    kernel->code = talloc_size(mem_ctx, MAX2(kernel->code_size, 16));
    for (unsigned i = 0; i < e->code.count; i++) {
        const char *error = "";
        uint64_t words[2];
        if (!eu_encode(e->p->dev, &e->code.data[i].inst, words, &error)) {
            lir_fail(e->p, "instruction %u (%s) has no encoding: %s", i,
                     eu_opcode_name(e->code.data[i].inst.opcode), error);
            return false;
        }
        memcpy(kernel->code + 16 * i, words, 16);
    }
    return true;
}

static void fill_stats(const struct emitter *e, struct i965_kernel *kernel, unsigned native_size)
{
    struct i965_stats *s = &kernel->stats;
    *s = (struct i965_stats){.loops = e->p->loops,
                             .spills = e->p->spills,
                             .fills = e->p->fills,
                             .cycles = e->p->cycles,
                             .bytes = kernel->code_size};
    s->instructions = e->code.count;
    for (unsigned i = 0; i < e->code.count; i++) {
        unsigned op = e->code.data[i].inst.opcode;
        s->sends += op >= EU_OPCODE_SEND && op <= EU_OPCODE_SENDSC && !e->code.data[i].lir->scratch;
    }
    s->compacted = (native_size - kernel->code_size) / 8;
}

/* Sets the offset of each annotation's instructions in the final code. */
static void place_comments(const struct emitter *e, void *mem_ctx, struct i965_kernel *kernel)
{
    const char *last = NULL;
    size_t offset = 0;
    kernel->comments = talloc_array(mem_ctx, struct eu_annotation, e->code.count + 1);
    for (unsigned i = 0; i < e->code.count; i++) {
        const char *text = e->code.data[i].lir->comment;
        struct eu_inst inst;
        char error[80];
        if (text && text != last)
            NEXT_WITHIN(kernel->comments, kernel->num_comments, e->code.count + 1) =
                (struct eu_annotation){offset, talloc_strdup(kernel->comments, text)};
        last = text;
        offset += eu_decode(e->p->dev, kernel->code, kernel->code_size, offset, &inst, error,
                            sizeof error);
    }
}

bool lir_emit(struct lir_program *p, void *mem_ctx, unsigned flags, struct i965_kernel *kernel)
{
    struct emitter e = {.p = p};
    struct nesting nesting = {0};
    e.code.mem_ctx = p;
    e.position.mem_ctx = p;
    lir_foreach_inst(inst, p)
    {
        if (!dynarray_append(&e.position, e.code.count))
            lir_fail(p, "out of memory");
        emit_inst(&e, inst);
    }
    if (!p->failure && p->dev->has_software_scoreboard)
        add_scoreboard(&e);
    if (!p->failure && !patch_structures(&e, &nesting))
        lir_fail(p, "control flow is nested too deeply");
    if (!p->failure) {
        patch_leaving(&e, &nesting);
        encode(&e, mem_ctx, kernel);
    }
    if (!p->failure) {
        unsigned native_size = kernel->code_size;
        if (!(flags & I965_COMPILE_NO_COMPACTION))
            kernel->code_size =
                (uint32_t)eu_compact_program(p->dev, kernel->code, kernel->code_size);
        fill_stats(&e, kernel, native_size);
        if (flags & I965_COMPILE_COMMENTS)
            place_comments(&e, mem_ctx, kernel);
    }
    dynarray_finish(&e.code);
    dynarray_finish(&e.position);
    return !p->failure;
}
