/* SPDX-License-Identifier: MIT */
/* Names and rules: turns parsed operands into instructions (ARB_vertex_program 2.14.2 to 2.14.4,
 * ARB_fragment_program 3.11.2 to 3.11.4). */
#include <stdarg.h>
#include <string.h>

#include <talloc.h>

#include "asm/asm_parser.h"

#define BOTH (ASM_VP | ASM_FP)

/* Maximum offset of a relative address. The grammar allows only 64 (<addrRegRelOffset>), but
 * programs use more. */
#define MAX_OFFSET 4096

const struct asm_op_info asm_op_infos[ASM_OP_COUNT] = {
    [ASM_ABS] = {"ABS", BOTH, 1},
    [ASM_ADD] = {"ADD", BOTH, 2},
    [ASM_ARL] = {"ARL", ASM_VP, 1, true},
    [ASM_CMP] = {"CMP", ASM_FP, 3},
    [ASM_COS] = {"COS", ASM_FP, 1, true},
    [ASM_DP3] = {"DP3", BOTH, 2},
    [ASM_DP4] = {"DP4", BOTH, 2},
    [ASM_DPH] = {"DPH", BOTH, 2},
    [ASM_DST] = {"DST", BOTH, 2},
    [ASM_EX2] = {"EX2", BOTH, 1, true},
    [ASM_EXP] = {"EXP", ASM_VP, 1, true},
    [ASM_FLR] = {"FLR", BOTH, 1},
    [ASM_FRC] = {"FRC", BOTH, 1},
    [ASM_KIL] = {"KIL", ASM_FP, 1, false, true},
    [ASM_LG2] = {"LG2", BOTH, 1, true},
    [ASM_LIT] = {"LIT", BOTH, 1},
    [ASM_LOG] = {"LOG", ASM_VP, 1, true},
    [ASM_LRP] = {"LRP", ASM_FP, 3},
    [ASM_MAD] = {"MAD", BOTH, 3},
    [ASM_MAX] = {"MAX", BOTH, 2},
    [ASM_MIN] = {"MIN", BOTH, 2},
    [ASM_MOV] = {"MOV", BOTH, 1},
    [ASM_MUL] = {"MUL", BOTH, 2},
    [ASM_POW] = {"POW", BOTH, 2, true},
    [ASM_RCP] = {"RCP", BOTH, 1, true},
    [ASM_RSQ] = {"RSQ", BOTH, 1, true},
    [ASM_SCS] = {"SCS", ASM_FP, 1, true},
    [ASM_SGE] = {"SGE", BOTH, 2},
    [ASM_SIN] = {"SIN", ASM_FP, 1, true},
    [ASM_SLT] = {"SLT", BOTH, 2},
    [ASM_SUB] = {"SUB", BOTH, 2},
    [ASM_SWZ] = {"SWZ", BOTH, 1},
    [ASM_TEX] = {"TEX", ASM_FP, 1, false, true},
    [ASM_TXB] = {"TXB", ASM_FP, 1, false, true},
    [ASM_TXP] = {"TXP", ASM_FP, 1, false, true},
    [ASM_XPD] = {"XPD", BOTH, 2},
};

bool asm_find_op(enum shader_stage stage, const char *word, enum asm_op *op, bool *saturate)
{
    size_t length = strlen(word);
    bool fragment = stage == SHADER_FRAGMENT;
    *saturate = fragment && length == 7 && !strcmp(word + 3, "_SAT");
    if (length != 3 && !*saturate)
        return false;
    for (unsigned i = 0; i < ASM_OP_COUNT; i++) {
        if (!memcmp(word, asm_op_infos[i].name, 3) &&
            asm_op_infos[i].stages & (fragment ? ASM_FP : ASM_VP) && !(*saturate && i == ASM_KIL)) {
            *op = i;
            return true;
        }
    }
    return false;
}

void asm_fail(struct asm_parser *p, unsigned at, const char *format, ...)
{
    if (p->failed)
        return;
    p->failed = true;
    va_list args;
    va_start(args, format);
    char *message = talloc_vasprintf(p->mem_ctx, format, args);
    va_end(args);
    unsigned line = 1;
    for (size_t i = 0; i < at && i < p->length; i++)
        line += p->text[i] == '\n';
    p->program->error_position = at;
    p->program->error = talloc_asprintf(p->program, "line %u, offset %u: %s", line, at,
                                        message ? message : "out of memory");
    if (!p->program->error)
        p->program->error = "out of memory";
}

void *asm_alloc(struct asm_parser *p, size_t size)
{
    void *result = talloc_zero_size(p->mem_ctx, size);
    if (!result)
        asm_fail(p, p->at, "out of memory");
    return result;
}

/* ------------------------------------------------------------------------------------ paths --- */

struct asm_path asm_path(struct asm_parser *p, unsigned at, const char *word)
{
    struct asm_path path = {0};
    asm_path_step(p, &path, at, word);
    return path;
}

void asm_path_step(struct asm_parser *p, struct asm_path *path, unsigned at, const char *word)
{
    struct asm_step *step = asm_alloc(p, sizeof *step);
    if (!step)
        return;
    step->at = at;
    step->word = word;
    if (path->last)
        path->last->next = step;
    else
        path->first = step;
    path->last = step;
}

void asm_path_index(struct asm_parser *p, struct asm_path *path, const struct asm_step *index)
{
    struct asm_step *step = path->last;
    if (step->index != ASM_INDEX_NONE) {
        asm_fail(p, index->at, "unexpected second index");
        return;
    }
    step->index = index->index;
    step->low = index->low;
    step->high = index->high;
    step->address = index->address;
    step->component = index->component;
}

/* -------------------------------------------------------------------------- swizzles, masks --- */

/* Returns the component that a letter selects, or -1. *rgba: whether it is a letter of rgba. */
static int component(const struct asm_parser *p, char letter, bool *rgba)
{
    static const char xyzw[] = "xyzw", colors[] = "rgba";
    const char *found = letter ? strchr(xyzw, letter) : NULL;
    *rgba = false;
    if (found)
        return found - xyzw;
    found = letter && p->stage == SHADER_FRAGMENT ? strchr(colors, letter) : NULL;
    *rgba = true;
    return found ? found - colors : -1;
}

/* Decodes a suffix of one to four letters from the same set. Returns their number, or 0 if it is
 * not a suffix. */
static unsigned decode_letters(const struct asm_parser *p, const char *word, uint8_t out[4])
{
    unsigned n = strlen(word);
    bool first, rgba;
    if (n > 4)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        int c = component(p, word[i], i ? &rgba : &first);
        if (c < 0 || (i && rgba != first))
            return 0;
        out[i] = c;
    }
    return n;
}

static bool swizzle(struct asm_parser *p, unsigned at, const char *word, bool scalar,
                    uint8_t select[4])
{
    uint8_t c[4];
    unsigned n = word ? decode_letters(p, word, c) : 0;
    for (unsigned i = 0; i < 4; i++)
        select[i] = n == 1 ? c[0] : n == 4 ? c[i] : i;
    if ((!word && !scalar) || n == 1 || (n == 4 && !scalar))
        return true;
    asm_fail(p, at,
             scalar ? "a scalar operand requires a single component"
                    : "'%s' is not a valid swizzle",
             word ? word : "");
    return false;
}

/* Gets the suffix of a register: at most one word without an index. Returns false after reporting
 * an error. */
static bool get_suffix(struct asm_parser *p, const struct asm_step *rest, const char **word)
{
    *word = rest ? rest->word : NULL;
    if (!rest || (!rest->next && rest->index == ASM_INDEX_NONE))
        return true;
    asm_fail(p, rest->at, "'%s' is not a valid register suffix", rest->word);
    return false;
}

static bool write_mask(struct asm_parser *p, const struct asm_step *rest, uint8_t *mask)
{
    const char *word;
    uint8_t c[4];
    *mask = 0xf;
    if (!get_suffix(p, rest, &word))
        return false;
    if (!word)
        return true;
    unsigned n = decode_letters(p, word, c);
    *mask = 0;
    for (unsigned i = 0; i < n; i++) {
        if (i && c[i] <= c[i - 1])
            n = 0;
        *mask |= 1 << c[i];
    }
    if (!n)
        asm_fail(p, rest->at, "'%s' is not a valid write mask", word);
    return n;
}

/* ------------------------------------------------------------------------------------ names --- */

static struct asm_symbol *declare(struct asm_parser *p, unsigned at, const char *name,
                                  enum asm_file file, unsigned index)
{
    if (hash_table_search(p->symbols, name)) {
        asm_fail(p, at, "%s is already declared", name);
        return NULL;
    }
    struct asm_symbol *symbol = asm_alloc(p, sizeof *symbol);
    if (!symbol)
        return NULL;
    symbol->reg = (struct asm_register){file, index};
    if (!hash_table_insert(p->symbols, name, symbol))
        asm_fail(p, at, "out of memory");
    return symbol;
}

void asm_option(struct asm_parser *p, unsigned at, const char *name)
{
    bool vertex = p->stage == SHADER_VERTEX;
    enum asm_fog fog = !strcmp(name, "ARB_fog_exp")      ? ASM_FOG_EXP
                       : !strcmp(name, "ARB_fog_exp2")   ? ASM_FOG_EXP2
                       : !strcmp(name, "ARB_fog_linear") ? ASM_FOG_LINEAR
                                                         : ASM_FOG_NONE;
    enum asm_precision hint = !strcmp(name, "ARB_precision_hint_fastest")  ? ASM_PRECISION_FASTEST
                              : !strcmp(name, "ARB_precision_hint_nicest") ? ASM_PRECISION_NICEST
                                                                           : ASM_PRECISION_ANY;
    bool repeated = (fog && p->fog && p->fog != fog);
    if (vertex && !strcmp(name, "ARB_position_invariant")) {
        p->position_invariant = true;
    } else if (!vertex && fog && !repeated) {
        p->fog = fog;
    } else if (!vertex && hint && (!p->precision || p->precision == hint)) {
        p->precision = hint;
    } else if (!vertex && !strcmp(name, "ARB_fragment_program_shadow") &&
               p->options->fragment_program_shadow) {
        p->shadow_option = true;
    } else if (!vertex &&
               (!strcmp(name, "ARB_draw_buffers") || !strcmp(name, "ATI_draw_buffers")) &&
               p->options->draw_buffers) {
        p->draw_buffers_option = true;
    } else if (!vertex && !strcmp(name, "ARB_fragment_coord_origin_upper_left") &&
               p->options->fragment_coord_conventions) {
        p->origin_upper_left = true;
    } else if (!vertex && !strcmp(name, "ARB_fragment_coord_pixel_center_integer") &&
               p->options->fragment_coord_conventions) {
        p->pixel_center_integer = true;
    } else {
        asm_fail(p, at, "option %s is not supported", name);
    }
}

void asm_declare_temps(struct asm_parser *p, unsigned at, const char *name, bool address)
{
    const struct asm_limits *l = &p->options->limits;
    unsigned *count = address ? &p->addresses : &p->temporaries;
    declare(p, at, name, address ? ASM_FILE_ADDRESS : ASM_FILE_TEMP, (*count)++);
    if (*count > (address ? l->address_registers : l->temporaries))
        asm_fail(p, at, "the program declares more than %u %s", *count - 1,
                 address ? "address registers" : "temporaries");
}

void asm_declare_alias(struct asm_parser *p, unsigned at, const char *name, const char *old)
{
    struct asm_symbol *symbol = hash_table_get(p->symbols, old);
    if (!symbol)
        asm_fail(p, at, "%s is not declared", old);
    else if (hash_table_search(p->symbols, name))
        asm_fail(p, at, "%s is already declared", name);
    else if (!hash_table_insert(p->symbols, name, symbol))
        asm_fail(p, at, "out of memory");
}

/* ARB_vertex_program, table X.2: a program may not use both a conventional attribute and its
 * generic alias. */
static void check_aliases(struct asm_parser *p, unsigned at)
{
    static const uint8_t partner[16] = {
        [0] = VERT_ATTRIB_POS,    [2] = VERT_ATTRIB_NORMAL, [3] = VERT_ATTRIB_COLOR0,
        [4] = VERT_ATTRIB_COLOR1, [5] = VERT_ATTRIB_FOG,
    };
    for (unsigned i = 0; i < 16; i++) {
        int conventional = i >= 8             ? (int)VERT_ATTRIB_TEX(i - 8)
                           : !i || partner[i] ? partner[i]
                                              : -1;
        if (conventional >= 0 && p->attribs >> conventional & 1 &&
            p->attribs >> VERT_ATTRIB_GENERIC(i) & 1)
            asm_fail(
                p, at,
                "generic attribute %u and the conventional attribute that aliases it are both used",
                i);
    }
}

static int bind_attrib(struct asm_parser *p, const struct asm_path *path,
                       const struct asm_step **rest)
{
    int slot = asm_bind_attrib(p, path, rest);
    if (slot < 0)
        return -1;
    p->attribs |= BITFIELD64_BIT(slot);
    if (p->stage == SHADER_VERTEX)
        check_aliases(p, path->first->at);
    if (__builtin_popcountll(p->attribs) > (int)p->options->limits.attribs)
        asm_fail(p, path->first->at, "the program uses more than %u attributes",
                 p->options->limits.attribs);
    return p->failed ? -1 : slot;
}

static int bind_result(struct asm_parser *p, const struct asm_path *path,
                       const struct asm_step **rest)
{
    int slot = asm_bind_result(p, path, rest);
    if (slot == VARYING_SLOT_POS && p->stage == SHADER_VERTEX && p->position_invariant) {
        asm_fail(p, path->first->at, "a position-invariant program cannot write the position");
        return -1;
    }
    return slot;
}

static bool expect_end(struct asm_parser *p, const struct asm_step *rest)
{
    if (rest)
        asm_fail(p, rest->at, "unexpected '%s' after the binding", rest->word);
    return !rest;
}

void asm_declare_attrib(struct asm_parser *p, unsigned at, const char *name,
                        const struct asm_path *binding)
{
    const struct asm_step *rest;
    int slot = bind_attrib(p, binding, &rest);
    if (slot >= 0 && expect_end(p, rest))
        declare(p, at, name, ASM_FILE_ATTRIB, slot);
}

void asm_declare_output(struct asm_parser *p, unsigned at, const char *name,
                        const struct asm_path *binding)
{
    const struct asm_step *rest;
    int slot = bind_result(p, binding, &rest);
    if (slot >= 0 && expect_end(p, rest))
        declare(p, at, name, ASM_FILE_RESULT, slot);
}

/* ------------------------------------------------------------------------------- parameters --- */

/* Returns the index of a parameter. Equal parameters share an index and are counted once. */
static unsigned param_index(struct asm_parser *p, const struct asm_param *param)
{
    for (unsigned i = 0; i < p->params.count; i++)
        if (!memcmp(&p->params.data[i], param, sizeof *param))
            return i;
    if (p->params.count >= p->options->limits.parameters)
        asm_fail(p, p->at, "the program uses more than %u parameters",
                 p->options->limits.parameters);
    else if (!dynarray_append(&p->params, *param))
        asm_fail(p, p->at, "out of memory");
    return p->failed ? 0 : p->params.count - 1;
}

static unsigned constant_index(struct asm_parser *p, const float value[4])
{
    struct asm_param param;
    memset(&param, 0, sizeof param); /* padding must be zero for memcmp */
    param.constant = true;
    memcpy(param.value, value, sizeof param.value);
    return param_index(p, &param);
}

struct param_list {
    DYNARRAY(unsigned) index;
};

static void add_param(struct asm_parser *p, const struct asm_param *param, void *data)
{
    struct param_list *list = data;
    struct asm_param clean;
    memset(&clean, 0, sizeof clean);
    memcpy(clean.tokens, param->tokens, sizeof clean.tokens);
    unsigned index = param_index(p, &clean);
    if (!p->failed && !dynarray_append(&list->index, index))
        asm_fail(p, p->at, "out of memory");
}

void asm_declare_param(struct asm_parser *p, unsigned at, const char *name, int64_t size,
                       const struct asm_operands *items)
{
    struct param_list list = {0};
    for (const struct asm_operand *o = items->first; o && !p->failed; o = o->next) {
        const struct asm_step *rest = NULL;
        if (o->kind == ASM_PATH) {
            if (asm_bind_params(p, &o->path, size != 0, &rest, add_param, &list))
                expect_end(p, rest);
        } else {
            unsigned index = constant_index(p, o->value);
            if (!p->failed && !dynarray_append(&list.index, index))
                asm_fail(p, at, "out of memory");
        }
    }
    if (!p->failed && size > 0 && size != list.index.count)
        asm_fail(p, at, "%u values are given for an array of %lld elements",
                 (unsigned)list.index.count, (long long)size);
    if (!p->failed && size == 0) {
        declare(p, at, name, ASM_FILE_PARAM, list.index.data[0]);
    } else if (!p->failed) {
        struct asm_array array = {.length = list.index.count};
        array.params = asm_alloc(p, array.length * sizeof *array.params);
        if (array.params) {
            memcpy(array.params, list.index.data, array.length * sizeof *array.params);
            if (dynarray_append(&p->arrays, array))
                declare(p, at, name, ASM_FILE_ARRAY, p->arrays.count - 1);
            else
                asm_fail(p, at, "out of memory");
        }
    }
    dynarray_finish(&list.index);
}

/* --------------------------------------------------------------------------------- operands --- */

static bool array_element(struct asm_parser *p, const struct asm_step *step, struct asm_source *src)
{
    const struct asm_array *array = &p->arrays.data[src->reg.index];
    if (step->index == ASM_INDEX_CONST) {
        if (step->low >= array->length) {
            asm_fail(p, step->at, "index is out of range: %s has %u elements", step->word,
                     array->length);
            return false;
        }
        src->reg = (struct asm_register){ASM_FILE_PARAM, array->params[step->low]};
        return true;
    }
    if (step->index != ASM_INDEX_RELATIVE) {
        asm_fail(p, step->at, "%s requires an index", step->word);
        return false;
    }
    const struct asm_symbol *address = hash_table_get(p->symbols, step->address);
    if (!address || address->reg.file != ASM_FILE_ADDRESS || strcmp(step->component, "x") ||
        step->low < -MAX_OFFSET || step->low >= MAX_OFFSET) {
        asm_fail(p, step->at, "a relative address must be ADDRESS.x with an offset from %d to %d",
                 -MAX_OFFSET, MAX_OFFSET - 1);
        return false;
    }
    p->arrays.data[src->reg.index].relative = true;
    src->address = address->reg.index;
    src->offset = step->low;
    return true;
}

/* Resolves the register at the start of a path. *rest is set to what follows. */
static bool source_register(struct asm_parser *p, const struct asm_path *path,
                            struct asm_source *src, const struct asm_step **rest)
{
    const struct asm_step *step = path->first;
    const struct asm_symbol *symbol = hash_table_get(p->symbols, step->word);
    if (symbol) {
        src->reg = symbol->reg;
        *rest = step->next;
        if (symbol->reg.file == ASM_FILE_ARRAY)
            return array_element(p, step, src);
        if (symbol->reg.file == ASM_FILE_RESULT || symbol->reg.file == ASM_FILE_ADDRESS) {
            asm_fail(p, step->at, "%s cannot be read", step->word);
            return false;
        }
        if (step->index != ASM_INDEX_NONE)
            asm_fail(p, step->at, "%s is not an array", step->word);
        return !p->failed;
    }
    if (!strcmp(step->word, "vertex") || !strcmp(step->word, "fragment")) {
        int slot = bind_attrib(p, path, rest);
        src->reg = (struct asm_register){ASM_FILE_ATTRIB, slot};
        return slot >= 0;
    }
    if (!strcmp(step->word, "state") || !strcmp(step->word, "program")) {
        struct param_list list = {0};
        bool ok = asm_bind_params(p, path, false, rest, add_param, &list);
        if (ok)
            src->reg = (struct asm_register){ASM_FILE_PARAM, list.index.data[0]};
        dynarray_finish(&list.index);
        return ok;
    }
    asm_fail(p, step->at, "%s is not declared", step->word);
    return false;
}

static bool source(struct asm_parser *p, const struct asm_operand *o, bool scalar,
                   struct asm_source *src)
{
    *src = (struct asm_source){.negate = o->negate ? 0xf : 0};
    if (o->kind == ASM_TARGET) {
        asm_fail(p, o->at, "expected a register");
        return false;
    }
    if (o->kind != ASM_PATH) {
        src->reg = (struct asm_register){ASM_FILE_PARAM, constant_index(p, o->value)};
        return !p->failed && swizzle(p, o->at, o->suffix, scalar, src->select);
    }
    const struct asm_step *rest = NULL;
    const char *word;
    return source_register(p, &o->path, src, &rest) && get_suffix(p, rest, &word) &&
           swizzle(p, rest ? rest->at : o->at, word, scalar, src->select);
}

static bool destination(struct asm_parser *p, const struct asm_operand *o, struct asm_inst *inst)
{
    const struct asm_step *step = o->path.first, *rest = NULL;
    if (o->kind != ASM_PATH || o->has_sign) {
        asm_fail(p, o->at, "expected a writable register");
        return false;
    }
    const struct asm_symbol *symbol = hash_table_get(p->symbols, step->word);
    if (symbol) {
        inst->dst = symbol->reg;
        rest = step->next;
        if (step->index != ASM_INDEX_NONE)
            asm_fail(p, step->at, "%s cannot be indexed as a destination", step->word);
    } else if (!strcmp(step->word, "result")) {
        int slot = bind_result(p, &o->path, &rest);
        inst->dst = (struct asm_register){ASM_FILE_RESULT, slot};
    } else {
        asm_fail(p, step->at, "%s is not declared or cannot be written", step->word);
    }
    if (p->failed || !write_mask(p, rest, &inst->mask))
        return false;
    bool address = inst->op == ASM_ARL;
    if (address ? inst->dst.file != ASM_FILE_ADDRESS || inst->mask != 1
                : inst->dst.file != ASM_FILE_TEMP && inst->dst.file != ASM_FILE_RESULT) {
        asm_fail(p, o->at,
                 address ? "the destination of ARL must be ADDRESS.x" : "%s cannot be written",
                 step->word);
        return false;
    }
    if (inst->dst.file == ASM_FILE_RESULT)
        p->results |= BITFIELD64_BIT(inst->dst.index);
    return true;
}

/* Decodes one of the four components of SWZ. */
static bool extended_component(struct asm_parser *p, const struct asm_operand *o, unsigned i,
                               struct asm_source *src, int *set)
{
    if (o->kind == ASM_SCALAR && !o->suffix && (o->value[0] == 0.0f || o->value[0] == 1.0f)) {
        src->select[i] = o->value[0] == 0.0f ? ASM_SELECT_ZERO : ASM_SELECT_ONE;
    } else {
        const struct asm_step *step = o->kind == ASM_PATH ? o->path.first : NULL;
        bool rgba = false;
        int c = step && !step->next && step->index == ASM_INDEX_NONE && strlen(step->word) == 1
                    ? component(p, step->word[0], &rgba)
                    : -1;
        if (c < 0 || (*set >= 0 && *set != rgba)) {
            asm_fail(p, o->at, "expected 0, 1, x, y, z or w");
            return false;
        }
        *set = rgba;
        src->select[i] = c;
    }
    src->negate |= o->negate << i;
    return true;
}

static bool extended_swizzle(struct asm_parser *p, const struct asm_operand *o,
                             struct asm_source *src)
{
    if (o->has_sign || o->kind != ASM_PATH) {
        asm_fail(p, o->at, "the source of SWZ cannot have a sign or suffix");
        return false;
    }
    const struct asm_step *rest = NULL;
    *src = (struct asm_source){0};
    if (!source_register(p, &o->path, src, &rest) || !expect_end(p, rest))
        return false;
    int set = -1;
    for (unsigned i = 0; i < 4; i++) {
        o = o->next;
        if (!extended_component(p, o, i, src, &set))
            return false;
    }
    return true;
}

/* --------------------------------------------------------------------------------- textures --- */

static bool texture_target(struct asm_parser *p, const struct asm_operand *o, struct asm_inst *inst)
{
    static const struct {
        const char *word;
        enum glsl_sampler_dim dim;
        bool shadow;
    } words[] = {
        {"CUBE", GLSL_SAMPLER_DIM_CUBE, false},      {"RECT", GLSL_SAMPLER_DIM_RECT, false},
        {"SHADOW1D", GLSL_SAMPLER_DIM_1D, true},     {"SHADOW2D", GLSL_SAMPLER_DIM_2D, true},
        {"SHADOWRECT", GLSL_SAMPLER_DIM_RECT, true},
    };
    if (o->kind == ASM_TARGET) {
        inst->dim = o->dim;
        return true;
    }
    const struct asm_step *step = o->kind == ASM_PATH && !o->has_sign ? o->path.first : NULL;
    for (unsigned i = 0;
         step && !step->next && step->index == ASM_INDEX_NONE && i < ARRAY_SIZE(words); i++) {
        if (!strcmp(step->word, words[i].word) && (!words[i].shadow || p->shadow_option)) {
            inst->dim = words[i].dim;
            inst->shadow = words[i].shadow;
            return true;
        }
    }
    asm_fail(p, o->at, "expected a texture target");
    return false;
}

static bool texture(struct asm_parser *p, const struct asm_operand *unit, struct asm_inst *inst)
{
    const struct asm_step *step =
        unit->kind == ASM_PATH && !unit->has_sign ? unit->path.first : NULL;
    if (!step || strcmp(step->word, "texture") || step->next ||
        (step->index != ASM_INDEX_NONE && step->index != ASM_INDEX_CONST) ||
        step->low >= MIN2(p->options->limits.texture_image_units, ASM_MAX_SAMPLERS)) {
        asm_fail(p, unit->at, "expected a texture image unit");
        return false;
    }
    inst->unit = step->low;
    if (!texture_target(p, unit->next, inst))
        return false;
    struct asm_sampler *s = &p->program->sampler[inst->unit];
    if (s->used && (s->dim != inst->dim || s->shadow != inst->shadow)) {
        asm_fail(p, unit->at, "texture image unit %u is used with two different targets",
                 inst->unit);
        return false;
    }
    *s = (struct asm_sampler){true, inst->shadow, inst->dim};
    return true;
}

/* ----------------------------------------------------------------------------- instructions --- */

void asm_instruction(struct asm_parser *p, unsigned at, enum asm_op op, bool saturate,
                     const struct asm_operands *operands)
{
    const struct asm_op_info *info = &asm_op_infos[op];
    bool samples = op == ASM_TEX || op == ASM_TXB || op == ASM_TXP;
    unsigned wanted = (op != ASM_KIL) + info->sources + (op == ASM_SWZ ? 4 : samples ? 2 : 0);
    struct asm_inst inst = {.op = op, .saturate = saturate};
    const struct asm_operand *o = operands->first;
    if (operands->count != wanted) {
        asm_fail(p, at, "%s takes %u operands, but %u were given", info->name, wanted,
                 operands->count);
        return;
    }
    if (op != ASM_KIL) {
        if (!destination(p, o, &inst))
            return;
        o = o->next;
    }
    if (op == ASM_SWZ) {
        if (!extended_swizzle(p, o, &inst.src[0]))
            return;
    } else {
        for (unsigned i = 0; i < info->sources; i++, o = o->next)
            if (!source(p, o, info->scalar, &inst.src[i]))
                return;
        if (samples && !texture(p, o, &inst))
            return;
    }
    if (p->insts.count >= p->options->limits.instructions)
        asm_fail(p, at, "the program has more than %u instructions",
                 p->options->limits.instructions);
    else if (!dynarray_append(&p->insts, inst))
        asm_fail(p, at, "out of memory");
}

/* Counts texture indirections (ARB_fragment_program 3.11.6): a texture instruction starts a new
 * phase if its coordinates were computed in the current phase, or if it overwrites a register used
 * in it. */
static unsigned count_indirections(struct asm_parser *p)
{
    bool *written = asm_alloc(p, MAX2(p->temporaries, 1));
    bool *read = asm_alloc(p, MAX2(p->temporaries, 1));
    unsigned phases = 1;
    bool any = false;
    for (unsigned i = 0; read && written && i < p->insts.count; i++) {
        const struct asm_inst *inst = &p->insts.data[i];
        const struct asm_register *dst = &inst->dst, *coord = &inst->src[0].reg;
        bool writes = inst->op != ASM_KIL && dst->file == ASM_FILE_TEMP;
        if (asm_op_infos[inst->op].texture) {
            any = true;
            if ((coord->file == ASM_FILE_TEMP && written[coord->index]) ||
                (writes && (written[dst->index] || read[dst->index]))) {
                phases++;
                memset(written, 0, p->temporaries);
                memset(read, 0, p->temporaries);
            }
        } else {
            for (unsigned s = 0; s < asm_op_infos[inst->op].sources; s++)
                if (inst->src[s].reg.file == ASM_FILE_TEMP)
                    read[inst->src[s].reg.index] = true;
        }
        if (writes)
            written[dst->index] = true;
    }
    return any ? phases : 0;
}

/* Checks that relatively addressed arrays contain each state binding only once (ARB_vertex_program
 * 2.14.3.2). */
static void check_relative_arrays(struct asm_parser *p)
{
    bool *bound = asm_alloc(p, MAX2(p->params.count, 1));
    for (unsigned a = 0; bound && a < p->arrays.count; a++) {
        const struct asm_array *array = &p->arrays.data[a];
        for (unsigned i = 0; array->relative && i < array->length; i++) {
            unsigned param = array->params[i];
            if (bound[param] && !p->params.data[param].constant)
                asm_fail(p, p->length,
                         "a state binding is used twice in arrays with relative addressing");
            bound[param] = true;
        }
    }
}

static void finish(struct asm_parser *p)
{
    check_relative_arrays(p);
    struct asm_counts *c = &p->program->counts;
    const struct asm_limits *l = &p->options->limits;
    *c = (struct asm_counts){
        .instructions = p->insts.count,
        .temporaries = p->temporaries,
        .parameters = p->params.count,
        .attribs = __builtin_popcountll(p->attribs),
        .address_registers = p->addresses,
    };
    if (p->stage != SHADER_FRAGMENT)
        return;
    for (unsigned i = 0; i < p->insts.count; i++)
        c->tex_instructions += asm_op_infos[p->insts.data[i].op].texture;
    c->alu_instructions = c->instructions - c->tex_instructions;
    c->tex_indirections = count_indirections(p);
    if (c->tex_instructions > l->tex_instructions || c->alu_instructions > l->alu_instructions ||
        c->tex_indirections > l->tex_indirections)
        asm_fail(p, p->length,
                 "too many instructions: %u texture, %u other, %u texture indirections",
                 c->tex_instructions, c->alu_instructions, c->tex_indirections);
}

struct asm_program *asm_compile(void *mem_ctx, enum shader_stage stage, const char *text,
                                size_t length, const struct asm_options *options)
{
    struct asm_program *program = talloc_zero(mem_ctx, struct asm_program);
    if (!program)
        return NULL;
    program->error_position = -1;
    program->error = "";
    struct asm_parser p = {
        .mem_ctx = talloc_new(program),
        .stage = stage,
        .options = options,
        .program = program,
        .text = text,
        .length = length,
    };
    p.symbols = p.mem_ctx ? hash_table_create_string(p.mem_ctx) : NULL;
    p.c_locale = p.symbols ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
    if (!p.c_locale) {
        talloc_free(program);
        return NULL;
    }
    if (asm_grammar(&p))
        asm_fail(&p, p.at, "out of memory");
    if (!p.failed)
        finish(&p);
    if (!p.failed) {
        program->nir = asm_to_nir(&p);
        if (!program->nir)
            asm_fail(&p, 0, "out of memory");
    }
    dynarray_finish(&p.insts);
    dynarray_finish(&p.params);
    dynarray_finish(&p.arrays);
    freelocale(p.c_locale);
    talloc_free(p.mem_ctx);
    return program;
}
