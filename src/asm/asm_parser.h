/* SPDX-License-Identifier: MIT */
/* Internal declarations of the compiler. Everything is allocated in asm_parser.mem_ctx. */
#ifndef ASM_PARSER_H
#define ASM_PARSER_H

#include <locale.h>

#include "asm/asm.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* -------------------------------------------------------------------------- parsed operands --- */

/* One component of a dotted path, with the index that follows it. */
struct asm_step {
    struct asm_step *next;
    unsigned at; /* byte offset in the text */
    const char *word;
    enum { ASM_INDEX_NONE, ASM_INDEX_CONST, ASM_INDEX_RANGE, ASM_INDEX_RELATIVE } index;
    int64_t low, high; /* constant: low; range: low to high; relative: low is the offset */
    const char *address, *component; /* relative: register and component, "A" and "x" */
};

struct asm_path {
    struct asm_step *first, *last;
};

struct asm_operand {
    struct asm_operand *next;
    /* Byte offset in the text. */
    unsigned at;
    enum { ASM_PATH, ASM_SCALAR, ASM_VECTOR, ASM_TARGET } kind;
    bool negate, has_sign;
    struct asm_path path;
    float value[4];
    const char *suffix;        /* swizzle of a constant; NULL: none */
    enum glsl_sampler_dim dim; /* ASM_TARGET only */
};

struct asm_operands {
    struct asm_operand *first, *last;
    unsigned count;
};

/* ------------------------------------------------------------------------ resolved operands --- */

enum asm_op {
    ASM_ABS,
    ASM_ADD,
    ASM_ARL,
    ASM_CMP,
    ASM_COS,
    ASM_DP3,
    ASM_DP4,
    ASM_DPH,
    ASM_DST,
    ASM_EX2,
    ASM_EXP,
    ASM_FLR,
    ASM_FRC,
    ASM_KIL,
    ASM_LG2,
    ASM_LIT,
    ASM_LOG,
    ASM_LRP,
    ASM_MAD,
    ASM_MAX,
    ASM_MIN,
    ASM_MOV,
    ASM_MUL,
    ASM_POW,
    ASM_RCP,
    ASM_RSQ,
    ASM_SCS,
    ASM_SGE,
    ASM_SIN,
    ASM_SLT,
    ASM_SUB,
    ASM_SWZ,
    ASM_TEX,
    ASM_TXB,
    ASM_TXP,
    ASM_XPD,
    ASM_OP_COUNT,
};

struct asm_op_info {
    const char *name;
    enum { ASM_VP = 1, ASM_FP = 2 } stages;
    uint8_t sources;
    bool scalar; /* the sources are scalars */
    bool texture;
};
extern const struct asm_op_info asm_op_infos[ASM_OP_COUNT];

enum asm_file {
    ASM_FILE_TEMP,
    ASM_FILE_ATTRIB,
    ASM_FILE_PARAM,
    ASM_FILE_ARRAY,
    ASM_FILE_RESULT,
    ASM_FILE_ADDRESS
};

struct asm_register {
    enum asm_file file;
    unsigned index; /* index of a temporary, parameter, array or address register, or a slot */
};

/* Values of asm_source.select for SWZ. */
enum { ASM_SELECT_ZERO = 4, ASM_SELECT_ONE = 5 };

struct asm_source {
    struct asm_register reg;
    uint8_t select[4]; /* source component, or ASM_SELECT_* */
    uint8_t negate;    /* bit per component */
    uint8_t address;   /* ASM_FILE_ARRAY: index of the address register */
    int offset;
};

struct asm_inst {
    enum asm_op op;
    bool saturate, shadow;
    struct asm_register dst;
    uint8_t mask;
    struct asm_source src[3];
    uint8_t unit;
    enum glsl_sampler_dim dim;
};

struct asm_param {
    bool constant;
    float value[4];
    int16_t tokens[NIR_STATE_LENGTH];
};

struct asm_array {
    unsigned *params; /* indices into asm_parser.params */
    unsigned length;
    bool relative; /* some instruction uses relative addressing */
};

struct asm_symbol {
    struct asm_register reg;
    bool is_array;
};

enum asm_precision { ASM_PRECISION_ANY, ASM_PRECISION_FASTEST, ASM_PRECISION_NICEST };
enum asm_fog { ASM_FOG_NONE, ASM_FOG_EXP, ASM_FOG_EXP2, ASM_FOG_LINEAR };

struct asm_parser {
    void *mem_ctx;
    enum shader_stage stage;
    const struct asm_options *options;
    struct asm_program *program;
    const char *text;
    size_t length;
    void *scanner;
    unsigned at;       /* byte offset of the next token */
    locale_t c_locale; /* for parsing numbers, whatever the application's locale is */
    bool failed;

    struct hash_table *symbols; /* name → struct asm_symbol */
    DYNARRAY(struct asm_inst) insts;
    DYNARRAY(struct asm_param) params;
    DYNARRAY(struct asm_array) arrays;
    unsigned temporaries, addresses;
    uint64_t attribs; /* slots that are bound */
    uint64_t results; /* slots that are written */
    bool position_invariant, shadow_option, draw_buffers_option;
    bool origin_upper_left, pixel_center_integer;
    enum asm_precision precision;
    enum asm_fog fog;
};

/* Reports an error at a byte offset. Only the first error is kept. */
void asm_fail(struct asm_parser *p, unsigned at, const char *format, ...) PRINTFLIKE(3, 4);
/* Zeroed; on failure, reports an error and returns NULL. */
void *asm_alloc(struct asm_parser *p, size_t size);

/* Finds the opcode for a word in the given stage. Strips _SAT and sets *saturate. Returns false if
 * the word is not an opcode. */
bool asm_find_op(enum shader_stage stage, const char *word, enum asm_op *op, bool *saturate);

/* --- asm_semantic.c: the parser's actions call these functions in program order --- */
struct asm_path asm_path(struct asm_parser *p, unsigned at, const char *word);
void asm_path_step(struct asm_parser *p, struct asm_path *path, unsigned at, const char *word);
/* Sets the index of the last component; fails if it has one. */
void asm_path_index(struct asm_parser *p, struct asm_path *path, const struct asm_step *index);

void asm_option(struct asm_parser *p, unsigned at, const char *name);
void asm_declare_temps(struct asm_parser *p, unsigned at, const char *name, bool address);
void asm_declare_attrib(struct asm_parser *p, unsigned at, const char *name,
                        const struct asm_path *binding);
void asm_declare_output(struct asm_parser *p, unsigned at, const char *name,
                        const struct asm_path *binding);
void asm_declare_alias(struct asm_parser *p, unsigned at, const char *name, const char *old);
/* size: number of elements; 0: a single parameter, -1: the number of items. */
void asm_declare_param(struct asm_parser *p, unsigned at, const char *name, int64_t size,
                       const struct asm_operands *items);
void asm_instruction(struct asm_parser *p, unsigned at, enum asm_op op, bool saturate,
                     const struct asm_operands *operands);

/* --- asm_state.c: resolves paths. *rest is set to the first component after the binding. --- */
/* Return a slot of vertex attributes or varyings, or -1 after reporting an error. */
int asm_bind_attrib(struct asm_parser *p, const struct asm_path *path,
                    const struct asm_step **rest);
int asm_bind_result(struct asm_parser *p, const struct asm_path *path,
                    const struct asm_step **rest);
/* Resolves a path that starts with "state" or "program" and calls `add` for each parameter.
 * multiple: ranges and whole matrices are allowed. Returns false after reporting an error. */
bool asm_bind_params(struct asm_parser *p, const struct asm_path *path, bool multiple,
                     const struct asm_step **rest,
                     void (*add)(struct asm_parser *p, const struct asm_param *param, void *data),
                     void *data);

/* asm_to_nir.c */
/* Returns NULL if there is no memory. */
nir_shader *asm_to_nir(struct asm_parser *p);

/* Runs the generated parser. Returns 0, or nonzero after reporting an error. */
int asm_grammar(struct asm_parser *p);

#endif
