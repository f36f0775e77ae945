/* SPDX-License-Identifier: MIT */
/*
 * Checks of the hardware's restrictions (Skylake PRM, volume 7, "Register Region Restrictions",
 * "Special Restrictions", and the descriptions of the instructions). An instruction reports at most
 * one violation per rule; the structure of the program is checked last.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "driver/i965/eu.h"
#include "eu_tables.h"
#include "util/macros.h"

enum { GRF_BYTES = 32, EOT_REGISTERS = 16 };

struct validator {
    const struct i965_device *dev;
    FILE *fp;
    const struct eu_inst *inst;
    size_t offset;
    unsigned complaints;
};

__attribute__((format(printf, 2, 3))) static void complain(struct validator *v, const char *format,
                                                           ...)
{
    va_list args;

    v->complaints++;
    if (!v->fp)
        return;
    fprintf(v->fp, "offset %zu: ", v->offset);
    eu_print(v->dev, v->inst, v->offset, v->fp);
    fputs(": ", v->fp);
    va_start(args, format);
    vfprintf(v->fp, format, args);
    va_end(args);
    fputc('\n', v->fp);
}

static bool is_float(enum eu_type type)
{
    return type == EU_TYPE_F || type == EU_TYPE_HF || type == EU_TYPE_DF || type == EU_TYPE_VF;
}

static unsigned source_count(const struct eu_inst *inst)
{
    if (inst->opcode == EU_OPCODE_MATH)
        return eu_math_info[inst->math & 15].sources;
    return eu_opcode_info[inst->opcode].sources;
}

/* --------------------------------------------------------------------------------- regions --- */

/* Returns the number of bytes from the first to the last byte that a source reads, inclusive. */
static unsigned source_extent(const struct eu_inst *inst, const struct eu_reg *reg)
{
    unsigned size = eu_type_size(reg->type), rows = DIV_ROUND_UP(inst->exec_size, reg->width);
    return ((rows - 1) * reg->vstride + (reg->width - 1u) * reg->hstride + 1) * size;
}

static unsigned registers_touched(const struct eu_reg *reg, unsigned extent)
{
    return (reg->subnr + extent - 1) / GRF_BYTES + 1;
}

static void check_region_shape(struct validator *v, unsigned i)
{
    const struct eu_reg *reg = &v->inst->src[i];
    unsigned n = v->inst->exec_size;

    if (n < reg->width)
        complain(v, "src%u: the region is wider than the execution size", i);
    if (n == reg->width && reg->hstride && reg->vstride != reg->width * reg->hstride)
        complain(v, "src%u: one row's vertical stride must be width times horizontal stride", i);
    if (reg->width == 1 && reg->hstride)
        complain(v, "src%u: a row of one element has horizontal stride 0", i);
    if (n == 1 && reg->width == 1 && reg->vstride)
        complain(v, "src%u: a scalar region is <0;1,0>", i);
    if (!reg->vstride && !reg->hstride && reg->width != 1)
        complain(v, "src%u: without strides the width must be 1", i);
}

/* Rows must not cross registers; a source may span at most two registers. */
static void check_region_place(struct validator *v, unsigned i)
{
    const struct eu_reg *reg = &v->inst->src[i];
    unsigned size = eu_type_size(reg->type);
    unsigned row = ((reg->width - 1u) * reg->hstride + 1) * size;
    unsigned rows = DIV_ROUND_UP(v->inst->exec_size, reg->width);

    if (reg->subnr % size)
        complain(v, "src%u: the sub-register is not aligned to the type", i);
    for (unsigned r = 0; r < rows && reg->width > 1; r++) {
        unsigned at = (reg->subnr + r * reg->vstride * size) % GRF_BYTES;
        if (at + row > GRF_BYTES && row <= GRF_BYTES) {
            complain(v, "src%u: a row crosses a register boundary", i);
            break;
        }
    }
    if (reg->file != EU_FILE_GRF)
        return;
    unsigned touched = registers_touched(reg, source_extent(v->inst, reg));
    if (touched > 2)
        complain(v, "src%u: the region lies in %u registers", i, touched);
    if (reg->nr + touched > v->dev->grf_count)
        complain(v, "src%u: the region ends past the last register", i);
}

static void check_source_region(struct validator *v, unsigned i)
{
    const struct eu_reg *reg = &v->inst->src[i];

    if (reg->file == EU_FILE_IMM)
        return;
    if (v->inst->align16) {
        unsigned rows = reg->vstride ? v->inst->exec_size / 4u : 1;
        if (eu_opcode_info[v->inst->opcode].format != EU_FORMAT_3SRC &&
            reg->nr + registers_touched(reg, rows * 4 * eu_type_size(reg->type)) >
                v->dev->grf_count)
            complain(v, "src%u: the region ends past the last register", i);
        return;
    }
    if (reg->vstride == EU_VSTRIDE_ONE_DIMENSIONAL)
        return;
    check_region_shape(v, i);
    if (!reg->indirect)
        check_region_place(v, i);
}

static void check_destination_region(struct validator *v)
{
    const struct eu_reg *dst = &v->inst->dst;
    unsigned size = eu_type_size(dst->type), stride = v->inst->align16 ? 1 : dst->hstride;

    if (dst->indirect || (dst->file == EU_FILE_ARF && dst->nr == EU_ARF_NULL))
        return;
    if (dst->subnr % size)
        complain(v, "dst: the sub-register is not aligned to the type");
    if (dst->file != EU_FILE_GRF)
        return;
    unsigned touched = registers_touched(dst, ((v->inst->exec_size - 1u) * stride + 1) * size);
    if (touched > 2)
        complain(v, "dst: the region lies in %u registers", touched);
    if (dst->nr + touched > v->dev->grf_count)
        complain(v, "dst: the region ends past the last register");
}

/* ----------------------------------------------------------------------------------- types --- */

/* Returns the size of the execution type: bytes execute as words, vector immediates as their
 * elements. */
static unsigned execution_size(const struct eu_inst *inst, unsigned sources)
{
    unsigned size = 0;

    for (unsigned i = 0; i < sources; i++) {
        enum eu_type type = inst->src[i].type;
        bool words = type == EU_TYPE_V || type == EU_TYPE_UV;
        size = MAX2(size, words ? 2 : MAX2(eu_type_size(type), 2));
    }
    return size;
}

/* Results narrower than the execution type must be strided. */
static void check_narrowing(struct validator *v, unsigned sources)
{
    const struct eu_inst *inst = v->inst;
    const struct eu_reg *dst = &inst->dst;
    unsigned size = eu_type_size(dst->type), computed = execution_size(inst, sources);
    bool raw_bytes = inst->opcode == EU_OPCODE_MOV && size == 1 && computed == 2 &&
                     eu_type_size(inst->src[0].type) == 1;

    if (inst->exec_size == 1 || inst->align16 || dst->type == EU_TYPE_HF || raw_bytes ||
        (dst->file == EU_FILE_ARF && dst->nr == EU_ARF_NULL) || size >= computed)
        return;
    if (dst->hstride * size != computed)
        complain(v, "dst: stride times size must be the execution type's %u bytes", computed);
}

/* The execution type of vector immediates is their element type: word or float. */
static void check_source_types(struct validator *v, unsigned sources, uint16_t types)
{
    for (unsigned i = 0; i < sources; i++) {
        enum eu_type type = v->inst->src[i].type;
        if (type < EU_TYPE_UV && !(types >> type & 1))
            complain(v, "src%u: the instruction does not take this type", i);
    }
}

static void check_types(struct validator *v, unsigned sources)
{
    const struct eu_inst *inst = v->inst;
    uint8_t flags = eu_opcode_info[inst->opcode].flags;
    bool floats = false, integers = false;

    for (unsigned i = 0; i < sources; i++) {
        enum eu_type type = inst->src[i].type;
        if (is_float(type))
            floats = true;
        else
            integers = true;
    }
    check_source_types(v, sources, eu_opcode_info[inst->opcode].types);
    if (inst->opcode == EU_OPCODE_MUL && integers && eu_type_size(inst->src[0].type) == 4 &&
        eu_type_size(inst->src[1].type) == 4 && !v->dev->has_dword_multiply)
        complain(v, "src1: the multiplier takes words");
    if (floats && integers)
        complain(v, "integer and float sources are mixed");
    if (inst->cmod && !(flags & EU_FLAG_CMOD))
        complain(v, "the instruction has no conditional modifier");
    if (inst->saturate && !(flags & EU_FLAG_SAT))
        complain(v, "the instruction does not saturate");
    if ((inst->opcode == EU_OPCODE_CMP || inst->opcode == EU_OPCODE_CMPN ||
         inst->opcode == EU_OPCODE_CSEL) &&
        !inst->cmod)
        complain(v, "a comparison needs a conditional modifier");
}

static bool is_logic(enum eu_opcode op)
{
    return op >= EU_OPCODE_NOT && op <= EU_OPCODE_XOR;
}

static void check_modifiers(struct validator *v, unsigned sources)
{
    for (unsigned i = 0; i < sources; i++) {
        if (is_logic(v->inst->opcode) && v->inst->src[i].abs)
            complain(v, "src%u: logic instructions have no absolute value", i);
    }
}

/* ---------------------------------------------------------------------------- instructions --- */

static void check_math(struct validator *v)
{
    const struct eu_inst *inst = v->inst;
    bool integer = inst->math >= EU_MATH_INT_DIV_BOTH && inst->math <= EU_MATH_INT_REMAINDER;

    if (inst->dst.file != EU_FILE_GRF)
        complain(v, "dst: math writes GRF only");
    for (unsigned i = 0; i < source_count(inst); i++) {
        const struct eu_reg *reg = &inst->src[i];
        if (reg->file == EU_FILE_IMM && i == 0)
            complain(v, "src0: math takes no immediate there");
        if (reg->file == EU_FILE_ARF)
            complain(v, "src%u: math reads GRF only", i);
        if (reg->indirect)
            complain(v, "src%u: math takes no indirect operand", i);
        if (integer && (reg->negate || reg->abs))
            complain(v, "src%u: integer division takes no modifiers", i);
    }
    check_source_types(v, source_count(inst), eu_math_info[inst->math].types);
    if (integer && inst->exec_size > 8)
        complain(v, "integer division has at most eight channels");
    if (inst->dst.hstride != 1)
        complain(v, "dst: math writes packed results");
}

static void check_3src(struct validator *v)
{
    const struct eu_inst *inst = v->inst;

    if (!inst->align16) {
        if (inst->exec_size > 16)
            complain(v, "three-source instructions have at most 16 channels");
        return;
    }
    if (inst->predicate > EU_PREDICATE_NORMAL)
        complain(v, "align16 has other predicates than this one");
    if (inst->exec_size < 4 || inst->exec_size > 16)
        complain(v, "three-source instructions have 4, 8 or 16 channels");
    if (inst->dst.writemask != 15 && inst->dst.writemask != 1)
        complain(v, "dst: the write mask is neither x nor xyzw");
    for (unsigned i = 0; i < 3; i++) {
        unsigned bytes = inst->src[i].replicate ? 4 : inst->exec_size * 4u;
        if (!inst->src[i].replicate && inst->src[i].subnr % 16)
            complain(v, "src%u: vectors are aligned to 16 bytes", i);
        if (inst->src[i].nr * 32u + inst->src[i].subnr + bytes > v->dev->grf_count * 32)
            complain(v, "src%u: the region ends past the last register", i);
    }
}

static void check_pln(struct validator *v)
{
    const struct eu_inst *inst = v->inst;
    const struct eu_reg *plane = &inst->src[0], *uv = &inst->src[1];

    if (plane->file != EU_FILE_GRF || plane->vstride || plane->width != 1 || plane->subnr % 16)
        complain(v, "src0: planes are scalars at the start of half a register");
    if (inst->opcode == EU_OPCODE_PLN &&
        (uv->file != EU_FILE_GRF || uv->subnr || inst->exec_size < 8))
        complain(v, "src1: barycentrics are whole registers");
    if (inst->opcode == EU_OPCODE_PLN && uv->nr + inst->exec_size / 4u > v->dev->grf_count)
        complain(v, "src1: the barycentrics end past the last register");
}

static void check_alu(struct validator *v)
{
    const struct eu_inst *inst = v->inst;
    unsigned sources = source_count(inst);

    for (unsigned i = 0; i < sources; i++)
        check_source_region(v, i);
    check_destination_region(v);
    if (eu_opcode_info[inst->opcode].format == EU_FORMAT_3SRC) {
        check_3src(v);
        check_types(v, sources);
        return;
    }
    if (inst->opcode == EU_OPCODE_MATH) {
        check_math(v);
        return;
    }
    check_types(v, sources);
    check_modifiers(v, sources);
    check_narrowing(v, sources);
    if (inst->opcode == EU_OPCODE_PLN || inst->opcode == EU_OPCODE_LINE)
        check_pln(v);
    if (inst->opcode == EU_OPCODE_MACH && inst->exec_size > 8)
        complain(v, "mach has at most eight channels");
}

/* -------------------------------------------------------------------------------- messages --- */

static void check_payload(struct validator *v, const char *what, unsigned nr, unsigned length)
{
    if (nr + length > v->dev->grf_count)
        complain(v, "%s ends past the last register", what);
    if (v->inst->eot && length && nr + EOT_REGISTERS < v->dev->grf_count)
        complain(v, "%s of a thread's last message must lie in the last %d registers", what,
                 EOT_REGISTERS);
}

static bool overlap(unsigned a, unsigned a_length, unsigned b, unsigned b_length)
{
    return a < b + b_length && b < a + a_length;
}

static void check_send(struct validator *v)
{
    const struct eu_inst *inst = v->inst;
    bool split = eu_opcode_info[inst->opcode].format == EU_FORMAT_SENDS;
    unsigned length = inst->desc >> 25 & 15, answer = inst->desc >> 20 & 31;
    unsigned more = split ? inst->ex_desc >> 6 & 15 : 0;
    bool null = inst->dst.file == EU_FILE_ARF;

    if (inst->exec_size > 16)
        complain(v, "messages have at most 16 channels");
    if (inst->desc_indirect)
        length = answer = 0;
    else if (!length)
        complain(v, "the message has no payload");
    if (answer > 16)
        complain(v, "an answer has at most 16 registers");
    if (answer && null)
        complain(v, "the answer goes to null");
    if (answer && inst->eot)
        complain(v, "the last message of a thread has no answer");
    if (answer && inst->dst.nr + answer > v->dev->grf_count)
        complain(v, "the answer ends past the last register");
    check_payload(v, "the payload", inst->src[0].nr, length);
    if (split && inst->src[1].file == EU_FILE_GRF)
        check_payload(v, "the second payload", inst->src[1].nr, more);
    if (split && inst->src[1].file == EU_FILE_GRF &&
        overlap(inst->src[0].nr, length, inst->src[1].nr, more))
        complain(v, "the payloads overlap");
    if (answer && inst->dst.nr + answer == v->dev->grf_count &&
        overlap(inst->dst.nr, answer, inst->src[0].nr, length))
        complain(v, "an answer in r127 must not overlap the payload");
}

/* --------------------------------------------------------------------------------- program --- */

static void check_instruction(struct validator *v)
{
    const struct eu_inst *inst = v->inst;
    const struct eu_opcode_info *info = &eu_opcode_info[inst->opcode];

    if (info->format == EU_FORMAT_NONE)
        return;
    if (inst->group % MAX2(MIN2(inst->exec_size, 8), 4) || inst->group + inst->exec_size > 32)
        complain(v, "the execution size does not fit the group of channels");
    if (info->format == EU_FORMAT_SEND || info->format == EU_FORMAT_SENDS)
        check_send(v);
    else if ((info->format == EU_FORMAT_BASIC && inst->opcode != EU_OPCODE_WAIT) ||
             info->format == EU_FORMAT_3SRC || info->format == EU_FORMAT_MATH)
        check_alu(v);
}

/* Returns whether an instruction starts at an offset. starts has one byte per 8 bytes of the
 * program. */
static bool starts_at(const uint8_t *starts, size_t size, int64_t offset)
{
    return offset >= 0 && (uint64_t)offset < size && !(offset & 7) && starts[offset / 8];
}

static void check_jumps(struct validator *v, const uint8_t *starts, size_t size)
{
    const struct eu_inst *inst = v->inst;
    uint8_t format = eu_opcode_info[inst->opcode].format;
    bool jump = format == EU_FORMAT_JUMP && inst->src[0].file == EU_FILE_IMM;
    bool has_uip = eu_has_uip(inst->opcode);

    if (format != EU_FORMAT_BRANCH && !jump)
        return;
    if (!starts_at(starts, size, (int64_t)v->offset + inst->jip))
        complain(v, "jip: no instruction starts there");
    if (has_uip && !starts_at(starts, size, (int64_t)v->offset + inst->uip))
        complain(v, "uip: no instruction starts there");
    if (inst->opcode == EU_OPCODE_WHILE && inst->jip >= 0)
        complain(v, "jip: while jumps backwards");
    if ((inst->opcode == EU_OPCODE_IF || inst->opcode == EU_OPCODE_ELSE) && inst->jip <= 0)
        complain(v, "jip: if and else jump forwards");
}

/* Checks that if and endif are paired. */
static void check_nesting(struct validator *v, int *depth)
{
    *depth += v->inst->opcode == EU_OPCODE_IF;
    if ((v->inst->opcode == EU_OPCODE_ELSE || v->inst->opcode == EU_OPCODE_ENDIF) && *depth < 1)
        complain(v, "there is no if before it");
    *depth -= v->inst->opcode == EU_OPCODE_ENDIF && *depth > 0;
}

static bool ends_program(const struct eu_inst *inst)
{
    return inst->eot || (inst->opcode == EU_OPCODE_JMPI && !inst->predicate);
}

unsigned eu_validate(const struct i965_device *dev, const uint8_t *bytes, size_t size, FILE *fp)
{
    struct eu_inst inst = {0};
    struct validator v = {.dev = dev, .fp = fp, .inst = &inst};
    uint8_t *starts = calloc(size / 8 + 1, 1);
    char error[128];
    int depth = 0;

    if (!starts)
        return 1;
    for (size_t length; v.offset < size; v.offset += length) {
        length = eu_decode(dev, bytes, size, v.offset, &inst, error, sizeof error);
        if (!length) {
            if (fp)
                fprintf(fp, "%s\n", error);
            free(starts);
            return v.complaints + 1;
        }
        starts[v.offset / 8] = 1;
        check_instruction(&v);
        check_nesting(&v, &depth);
    }
    if (!size || !ends_program(&inst))
        complain(&v, "the program does not end with its last instruction");
    if (depth)
        complain(&v, "an if has no endif");
    v.offset = 0;
    for (size_t length; v.offset < size; v.offset += length) {
        length = eu_decode(dev, bytes, size, v.offset, &inst, error, sizeof error);
        check_jumps(&v, starts, size);
    }
    free(starts);
    return v.complaints;
}
