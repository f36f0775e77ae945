/* SPDX-License-Identifier: MIT */
/* Internal declarations of the compiler for ARB assembly programs: operands, instructions, and the
 * state of a compilation. Everything but the result is allocated in asm_parser.mem_ctx. The first
 * error sets asm_parser.failed, which stops the parser; later errors are not reported. */
#ifndef ASM_PARSER_H
#define ASM_PARSER_H

#include <locale.h>

#include "asm/asm.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* -------------------------------------------------------------------------- parsed operands --- */

/* A component of a dotted path such as `state.light[0].diffuse`, with the index that follows it. */
struct asm_step {
    struct asm_step *next;
    unsigned at;      /* byte offset in the text */
    const char *word; /* the component without the index */
    enum { ASM_INDEX_NONE, ASM_INDEX_CONST, ASM_INDEX_RANGE, ASM_INDEX_RELATIVE } index;
    /* [5] has low = high = 5, [2..4] has low = 2 and high = 4, and [A.x + 3] has low = 3. */
    int64_t low, high;
    const char *address, *component; /* ASM_INDEX_RELATIVE only: "A" and "x" in [A.x + 3] */
};

/* A dotted path: a list of at least one component. */
struct asm_path {
    struct asm_step *first, *last;
};

/* An operand of an instruction, or an item in the initializer of PARAM. */
struct asm_operand {
    struct asm_operand *next;
    unsigned at; /* byte offset in the text */
    enum { ASM_PATH, ASM_SCALAR, ASM_VECTOR, ASM_TARGET } kind;
    bool negate, has_sign; /* it starts with -; it starts with + or - */
    /* ASM_PATH only: a register, a binding, a component of SWZ, or a texture target such as
     * CUBE. */
    struct asm_path path;
    float value[4];            /* ASM_SCALAR (repeated four times), ASM_VECTOR: the constant */
    const char *suffix;        /* swizzle after a constant, or NULL */
    enum glsl_sampler_dim dim; /* ASM_TARGET only: texture target 1D, 2D or 3D */
};

/* A list of operands. */
struct asm_operands {
    struct asm_operand *first, *last;
    unsigned count;
};

/* ------------------------------------------------------------------------ resolved operands --- */

/* Opcodes. */
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

/* Properties of an opcode, in asm_op_infos. */
struct asm_op_info {
    const char *name;
    enum { ASM_VP = 1, ASM_FP = 2 } stages; /* mask of the program types that have it */
    uint8_t sources;                        /* number of source registers, without textures */
    bool scalar;                            /* the sources are scalars */
    bool texture; /* counts as a texture instruction: TEX, TXB, TXP and KIL */
};
extern const struct asm_op_info asm_op_infos[ASM_OP_COUNT];

/* Kinds of registers. */
enum asm_file {
    ASM_FILE_TEMP,
    ASM_FILE_ATTRIB,
    ASM_FILE_PARAM, /* a single parameter: a constant or state */
    ASM_FILE_ARRAY, /* an array of parameters */
    ASM_FILE_RESULT,
    ASM_FILE_ADDRESS
};

/* A register of a file. */
struct asm_register {
    enum asm_file file;
    /* Index of a temporary, parameter, array or address register. For attributes and results, the
     * NIR location (slot). */
    unsigned index;
};

/* Values of asm_source.select for the constants 0 and 1 in SWZ. */
enum { ASM_SELECT_ZERO = 4, ASM_SELECT_ONE = 5 };

/* A source of an instruction. */
struct asm_source {
    struct asm_register reg;
    uint8_t select[4]; /* for each component: component of reg to read, or ASM_SELECT_* */
    uint8_t negate;    /* bit i: component i is negated */
    uint8_t address;   /* ASM_FILE_ARRAY only: index of the address register */
    int offset;        /* ASM_FILE_ARRAY only: constant added to the address: 3 in [A.x + 3] */
};

/* An instruction. */
struct asm_inst {
    enum asm_op op;
    bool saturate, shadow;   /* the instruction has _SAT; the texture target is a SHADOW one */
    struct asm_register dst; /* unused by KIL */
    uint8_t mask;            /* bit i: write component i of dst */
    struct asm_source src[3];
    uint8_t unit;              /* TEX, TXB, TXP: texture image unit */
    enum glsl_sampler_dim dim; /* TEX, TXB, TXP: texture target */
};

/* A parameter (vec4): a constant or a state binding. */
struct asm_param {
    bool constant;
    float value[4];                   /* constants only */
    int16_t tokens[NIR_STATE_LENGTH]; /* state bindings only: nir_state_slot.tokens */
};

/* An array declared with PARAM. */
struct asm_array {
    unsigned *params; /* for each element, its index in asm_parser.params */
    unsigned length;
    bool relative; /* some instruction accesses it with relative addressing */
};

/* A declared name. */
struct asm_symbol {
    struct asm_register reg;
};

/* Values of OPTION ARB_precision_hint_…. */
enum asm_precision { ASM_PRECISION_ANY, ASM_PRECISION_FASTEST, ASM_PRECISION_NICEST };
/* Values of OPTION ARB_fog_…. */
enum asm_fog { ASM_FOG_NONE, ASM_FOG_EXP, ASM_FOG_EXP2, ASM_FOG_LINEAR };

/* State of a compilation. */
struct asm_parser {
    void *mem_ctx; /* freed at the end */
    enum shader_stage stage;
    const struct asm_options *options;
    struct asm_program *program; /* the result */
    const char *text;
    size_t length;     /* bytes */
    void *scanner;     /* flex scanner */
    unsigned at;       /* byte offset of the end of the last token */
    locale_t c_locale; /* for parsing numbers, whatever the application's locale is */
    bool failed;       /* an error was reported */

    struct hash_table *symbols; /* name → struct asm_symbol */
    DYNARRAY(struct asm_inst) insts;
    DYNARRAY(struct asm_param) params;
    DYNARRAY(struct asm_array) arrays;
    unsigned temporaries, addresses; /* number of declared temporaries and address registers */
    uint64_t attribs;                /* mask of the attribute slots that the program binds */
    uint64_t results;                /* mask of the result slots that instructions write */
    /* Options of the program. */
    bool position_invariant, shadow_option, draw_buffers_option;
    bool origin_upper_left, pixel_center_integer;
    enum asm_precision precision;
    enum asm_fog fog;
};

/* Reports an error at a byte offset of the text. Ignores all errors after the first. */
void asm_fail(struct asm_parser *p, unsigned at, const char *format, ...) PRINTFLIKE(3, 4);
/* Returns zeroed memory in p->mem_ctx. If there is no memory, reports an error and returns NULL. */
void *asm_alloc(struct asm_parser *p, size_t size);

/* Looks up an instruction of programs of this stage by its name. Stores in *saturate whether the
 * name ends in _SAT, which only fragment programs allow. Returns false if the word is not an
 * instruction. */
bool asm_find_op(enum shader_stage stage, const char *word, enum asm_op *op, bool *saturate);

/* --- asm_semantic.c: actions of the grammar, called in program order --- */
/* `at` is a byte offset in the text, where errors are reported. */
/* Returns a path with one component. If there is no memory, reports an error and returns an empty
 * path. */
struct asm_path asm_path(struct asm_parser *p, unsigned at, const char *word);
/* Appends a component to a path. If there is no memory, reports an error and leaves the path as it
 * is. */
void asm_path_step(struct asm_parser *p, struct asm_path *path, unsigned at, const char *word);
/* Copies the fields of *index that describe an index (`index`, low, high, address, component) to
 * the last component of the path, which must not be empty. Reports an error if that component
 * already has an index. */
void asm_path_index(struct asm_parser *p, struct asm_path *path, const struct asm_step *index);

/* Handles OPTION: sets the field of p that stands for the option. Reports options that are
 * unsupported or contradict an earlier one. */
void asm_option(struct asm_parser *p, unsigned at, const char *name);
/* Declares one name of TEMP or, if `address`, ADDRESS. */
void asm_declare_temps(struct asm_parser *p, unsigned at, const char *name, bool address);
/* Handle ATTRIB, OUTPUT and ALIAS: declare `name` as a binding or as another name for `old`. */
void asm_declare_attrib(struct asm_parser *p, unsigned at, const char *name,
                        const struct asm_path *binding);
void asm_declare_output(struct asm_parser *p, unsigned at, const char *name,
                        const struct asm_path *binding);
void asm_declare_alias(struct asm_parser *p, unsigned at, const char *name, const char *old);
/* Handles PARAM. size is the number of elements of an array, or -1 if the items determine it; 0
 * declares a single parameter. */
void asm_declare_param(struct asm_parser *p, unsigned at, const char *name, int64_t size,
                       const struct asm_operands *items);
/* Checks the operands of an instruction and appends it to p->insts. */
void asm_instruction(struct asm_parser *p, unsigned at, enum asm_op op, bool saturate,
                     const struct asm_operands *operands);

/* --- asm_state.c: resolves the binding at the start of a path --- */
/* On success, all functions set *rest to the component that follows the binding, or to NULL. */
/* Return the slot of an attribute (vert_attrib or varying_slot) and of a result (varying_slot or
 * frag_result), or -1 after reporting an error. */
int asm_bind_attrib(struct asm_parser *p, const struct asm_path *path,
                    const struct asm_step **rest);
int asm_bind_result(struct asm_parser *p, const struct asm_path *path,
                    const struct asm_step **rest);
/* Resolves a path that starts with "state" or "program". Calls `add` for each parameter (vec4) that
 * it stands for. Ranges and matrices stand for several; they are errors unless `multiple`. Returns
 * false after reporting an error. */
bool asm_bind_params(struct asm_parser *p, const struct asm_path *path, bool multiple,
                     const struct asm_step **rest,
                     void (*add)(struct asm_parser *p, const struct asm_param *param, void *data),
                     void *data);

/* asm_to_nir.c */
/* Translates p->insts to an optimized NIR shader, a talloc child of p->program. Must run within an
 * attempt (util/memory.h). Returns NULL if there is no memory for its tables. */
nir_shader *asm_to_nir(struct asm_parser *p);

/* asm_lex.l */
/* Parses p->text with the generated parser. Returns 0 on success. Otherwise, p->failed is set if an
 * error was reported; if it is clear, there was no memory. */
int asm_grammar(struct asm_parser *p);

#endif
