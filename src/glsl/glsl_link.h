/* SPDX-License-Identifier: MIT */
/*
 * Internal declarations of the linker. It works in these steps:
 *
 *   - collect the shaders of each stage and check them against each other (glsl_link.c,
 *     glsl_link_stages.c, glsl_link_blocks.c, glsl_link_functions.c);
 *   - match the declared interfaces of the stages (glsl_link_interface.c);
 *   - translate each stage to NIR (hir_to_nir*.c);
 *   - assign slots to inputs and outputs (glsl_link_varyings.c);
 *   - list the uniforms and assign their storage (glsl_link_uniforms.c);
 *   - check the limits (glsl_link_limits.c).
 */
#ifndef GLSL_LINK_H
#define GLSL_LINK_H

#include "glsl/glsl.h"
#include "glsl/hir.h"
#include "util/dynarray.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

/* A global variable of a stage, which represents all declarations with its name. */
struct link_var {
    const char *name;
    struct hir_variable *decl;    /* first declaration; all must have the same qualifiers */
    const struct glsl_type *type; /* with final array sizes */
    struct hir_constant *initializer;
    struct hir_variable *initialized; /* the declaration with a non-constant initializer */
    /* Explicit values from any of the declarations; -1: none. */
    int location, binding, component, offset;
    int max_access;       /* highest constant index in any shader; -1: none */
    bool used;            /* statically used in any shader */
    bool assigned;        /* written in any shader */
    bool whole;           /* accessed other than by constant indices (glsl_link_access.c) */
    uint8_t depth_layout; /* enum nir_depth_layout */
    nir_variable *nir;    /* created on first use */
};

struct link_subroutine {
    struct hir_signature *sig;
    unsigned index; /* value of a subroutine uniform that selects it */
};

struct link_stage {
    enum shader_stage stage;
    DYNARRAY(struct glsl_shader *) shaders;
    struct hash_table *table;       /* name → link_var */
    DYNARRAY(struct link_var) vars; /* in declaration order */
    struct hash_table *resolved;    /* hir_signature without a body → its definition */
    DYNARRAY(struct hir_signature *) unresolved; /* called but not defined */
    struct hir_signature *main;
    DYNARRAY(struct link_subroutine) subroutines; /* in definition order */
    nir_shader_info info;                         /* merged layout qualifiers of the shaders */
    unsigned xfb_stride[4];                       /* bytes; 0: not declared */
    unsigned streams; /* mask of the vertex streams that code emits to */
    bool ends_primitives;
    nir_shader *nir;
};

/* A block. Uniform and storage blocks belong to the program, input and output blocks to a stage. */
struct link_block {
    const char *name;
    struct hir_variable *decl;    /* first declaration: the instance, or one of the members */
    const struct glsl_type *type; /* final array sizes, except a storage block's last member */
    int binding;                  /* -1: none */
    int *max_access;              /* highest constant index into each member; -1: none */
};

/* An input or output of a stage, either a variable or a block member. */
struct link_io {
    const char *name;             /* a member's own name */
    const char *block;            /* block name; NULL: not a block member */
    const struct glsl_type *type; /* type for one vertex */
    const struct link_var *var;
    int location, component; /* explicit values; else -1 and 0 */
    int index;               /* index of a fragment output */
    uint8_t interpolation, precision;
    uint8_t stream; /* vertex stream of a geometry output */
    bool centroid, sample, patch, invariant, builtin;
};

struct linker {
    const struct glsl_options *options;
    const struct glsl_link_input *input;
    struct glsl_program *program;
    void *tmp; /* talloc context freed at the end */
    struct strbuf log;
    bool failed;
    bool es;
    bool spirv;           /* all shaders are SPIR-V modules */
    bool narrowed_inputs; /* some input has fewer components than the matching output */
    unsigned version;
    struct link_stage *stages[SHADER_STAGE_COUNT]; /* NULL: the program lacks the stage */
    /* Separable programs: NIR names of inputs and outputs without a location that other programs
     * write (0) or read (1) → slot + 1. */
    struct hash_table *open_slots[2];
    struct hash_table *blocks;   /* mode, stage and name → link_block */
    struct hash_table *block_of; /* interface type of a declaration → its link_block */
};

/* Appends "error: …" to the log and makes the link fail. */
void link_error(struct linker *ln, const char *format, ...) PRINTFLIKE(2, 3);
const char *link_stage_name(enum shader_stage stage);
/* Returns NULL if the stage has no variable with this name. */
struct link_var *link_find_var(const struct link_stage *st, const char *name);

/* Turns variables into SSA values, optimizes, and removes unused code. */
void link_optimize(nir_shader *nir);

/* glsl_link_functions.c */
/* Finds main and all definitions; rejects recursion and excessive inlining. */
void link_functions(struct linker *ln, struct link_stage *st);
/* Returns the definition of a function, or NULL if there is none. */
struct hir_signature *link_definition(const struct link_stage *st, struct hir_signature *sig);

/* Returns whether a subroutine uniform of this type may select the function. */
bool link_is_subroutine_of(const struct hir_signature *sig, const struct glsl_type *type);

/* A call to an undefined function is an error only if the call remains after optimization. Until
 * then, NIR has an end_primitive in its place; its stream is LINK_UNRESOLVED plus the index in
 * st->unresolved. */
#define LINK_UNRESOLVED 0x1000
void link_check_resolved(struct linker *ln, struct link_stage *st);

/* hir_to_nir.c. Returns st->nir with all functions inlined, or NULL if there is no memory. */
nir_shader *hir_to_nir(struct linker *ln, struct link_stage *st);
nir_constant *hir_constant_to_nir(void *mem_ctx, const struct hir_constant *c);

/* glsl_link_varyings.c */
struct link_stage *link_stage_after(const struct linker *ln, enum shader_stage stage); /* or NULL */
void link_assign_attributes(struct linker *ln); /* vertex inputs, fragment outputs */
/* First removes varyings the other side does not use. */
void link_assign_varyings(struct linker *ln);
/* First stage of the pipeline, or NULL. */
struct link_stage *link_first_stage(const struct linker *ln);
/* Returns the lowest bit of `count` consecutive free bits in a mask of `size` bits; -1 if there is
 * none. */
int link_find_free(uint64_t used, unsigned size, unsigned count);
/* Returns the variable of the adjacent stage that an output is written to or an input is read from,
 * or NULL. */
nir_variable *link_partner(const struct link_stage *st, const struct link_stage *other,
                           const nir_variable *var, nir_variable_mode mode);

/* glsl_link_flow.c. Both return true if they changed something. The caller must set the modes of
 * derefs after link_propagate_varyings. */
bool link_split_varyings(struct linker *ln, struct link_stage *producer,
                         struct link_stage *consumer);
bool link_propagate_varyings(struct linker *ln, struct link_stage *producer,
                             struct link_stage *consumer);

/* Returns the last stage before rasterization, or NULL. */
struct link_stage *link_last_geometry_stage(const struct linker *ln);

/* Returns the type without the dimension that counts vertices. */
const struct glsl_type *link_vertex_type(enum shader_stage stage, const nir_variable *var);

/* glsl_link_attribs.c: fills in program->inputs and outputs. */
void link_list_attributes(struct linker *ln, const struct link_stage *first,
                          const struct link_stage *last);

/* glsl_link_limits.c. The program must be complete. */
void link_check_limits(struct linker *ln);

/* glsl_link_subroutines.c. Adds the storage of the subroutine uniforms to *size, the size of the
 * default block. */
void link_list_subroutines(struct linker *ln, const struct link_stage *st, unsigned *size);
bool link_is_subroutine(const struct glsl_type *type); /* or an array of such */

/* glsl_link_xfb.c */
void link_transform_feedback(struct linker *ln); /* fills in program->xfb */
/* Marks the outputs that transform feedback captures, before unused outputs are removed. */
void link_keep_captured(struct linker *ln);

/* glsl_link_pack.c. Returns true if it changed something; the caller must then set the modes of
 * derefs. */
bool link_pack_varyings(struct linker *ln, struct link_stage *producer,
                        struct link_stage *consumer);
/* Merges variables that share a location by layout(component) into one vec4. Same return value. */
bool link_merge_components(struct linker *ln, struct link_stage *st, nir_variable_mode mode);

/* glsl_link_stages.c */
void link_check_stages(struct linker *ln);
void link_merge_layouts(struct linker *ln, struct link_stage *st); /* fills in st->info */
/* Returns whether the outermost array dimension of a variable counts vertices. */
bool link_is_per_vertex(enum shader_stage stage, const struct hir_variable *var);
unsigned link_vertex_count(const struct linker *ln, const struct link_stage *st,
                           enum hir_variable_mode mode);

/* glsl_link_blocks.c */
void link_collect_blocks(struct linker *ln); /* checks declarations against each other */
struct link_block *link_find_block(const struct linker *ln, enum shader_stage stage,
                                   const struct hir_variable *var);
/* Returns the type of a block member or instance, with array sizes merged over the whole
 * program. */
const struct glsl_type *link_block_member_type(struct linker *ln, enum shader_stage stage,
                                               const struct hir_variable *var);
/* Merges two types that may lack outermost array sizes; returns NULL if they differ otherwise. */
const struct glsl_type *link_merge_types(const struct glsl_type *a, const struct glsl_type *b);

/* glsl_link_access.c. Calls visit for every value in the code; `parent` is the value that has it as
 * an operand, or NULL. */
void link_visit_values(const struct hir_shader *sh,
                       void (*visit)(void *data, const struct hir_value *value,
                                     const struct hir_value *parent),
                       void *data);
void link_shrink_uniforms(struct linker *ln); /* to their active size; after link_check_uniforms */

/* glsl_link_interface.c: checks the declarations of inputs and outputs. */
void link_check_interfaces(struct linker *ln);

/* glsl_link_spirv.c. Replaces all checks of declarations. */
void link_spirv_collect(struct linker *ln);
/* Removes the generated names from a complete program. */
void link_spirv_forget_names(struct glsl_program *p);

/* glsl_link_uniforms.c */
void link_check_uniforms(struct linker *ln); /* checks the declarations */
void link_uniforms(struct linker *ln); /* from NIR: lists uniforms, assigns storage and slots */

#endif
