/* SPDX-License-Identifier: MIT */
/* Prints LIR as text, for debugging. */
#include "lir.h"

#include <inttypes.h>
#include <string.h>

static void print_reg(const struct lir_reg *r, FILE *fp)
{
    static const char *const types[EU_TYPE_COUNT] = {"ud", "d",  "uw", "w",  "ub", "b", "uq",
                                                     "q",  "hf", "f",  "df", "uv", "v", "vf"};
    static const char *const files[] = {"-", "v", "r", "arf", ""};
    if (r->file == LIR_BAD) {
        fputs(" -", fp);
        return;
    }
    fprintf(fp, " %s%s", r->negate ? "-" : "", r->abs ? "|" : "");
    if (r->file == LIR_IMM) {
        float f;
        memcpy(&f, &r->imm, sizeof f);
        if (r->type == EU_TYPE_F)
            fprintf(fp, "%g", (double)f);
        else
            fprintf(fp, "0x%" PRIx64, (uint64_t)r->imm_high << 32 | r->imm);
    } else if (lir_is_null(r)) {
        fputs("null", fp);
    } else {
        fprintf(fp, "%s%u", files[r->file], r->nr);
        if (r->offset)
            fprintf(fp, "+%u", r->offset);
        if (r->region)
            fprintf(fp, "<%u;%u,%u>", r->vstride, r->width, r->hstride);
        else if (r->stride != 1)
            fprintf(fp, "<%u>", r->stride);
    }
    fprintf(fp, "%s:%s", r->abs ? "|" : "", types[r->type]);
}

static void print_name(const struct lir_inst *inst, FILE *fp)
{
    static const char *const names[] = {"do", "undef", "broadcast", "halt_target"};
    static const char *const cmods[] = {"", ".z", ".nz", ".g", ".ge", ".l", ".le", "", ".o", ".u"};
    if (inst->predicate)
        fprintf(fp, "(%sf%u.%u:%u) ", inst->predicate_inverse ? "~" : "", inst->flag / 2,
                inst->flag % 2, inst->predicate);
    fputs(inst->op >= LIR_OP_DO ? names[inst->op - LIR_OP_DO] : eu_opcode_name(inst->op), fp);
    fputs(cmods[inst->cmod], fp);
    if (inst->cmod)
        fprintf(fp, ".f%u.%u", inst->flag / 2, inst->flag % 2);
    if (inst->math)
        fprintf(fp, ".%u", inst->math);
    fprintf(fp, "%s (%u|%u%s)", inst->saturate ? ".sat" : "", inst->exec_size, inst->group,
            inst->no_mask ? " W" : "");
}

void lir_print(const struct lir_program *p, FILE *fp)
{
    lir_foreach_inst(inst, p)
    {
        fprintf(fp, "%4u ", inst->ip);
        print_name(inst, fp);
        print_reg(&inst->dst, fp);
        for (unsigned s = 0; s < lir_num_srcs(inst); s++)
            print_reg(&inst->src[s], fp);
        if (lir_is_send(inst))
            fprintf(fp, " sfid %u desc %#x mlen %u+%u rlen %u%s", inst->sfid, inst->desc,
                    inst->mlen, inst->ex_mlen, inst->rlen, inst->eot ? " eot" : "");
        fputc('\n', fp);
    }
}
