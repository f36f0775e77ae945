/* SPDX-License-Identifier: MIT */
/*
 * What the linker's parts share. Linking goes: collect the shaders of each stage and check them
 * against each other (glsl_link.c, glsl_link_stages.c, glsl_link_blocks.c, glsl_link_functions.c),
 * match the declared interfaces of the stages (glsl_link_interface.c), make NIR of each stage
 * (hir_to_nir*.c), give inputs and outputs slots (glsl_link_varyings.c), list the uniforms and lay
 * them out (glsl_link_uniforms.c), check what all takes against the limits (glsl_link_limits.c).
 */
#ifndef GLSL_LINK_H
#define GLSL_LINK_H

#include "glsl/glsl.h"
#include "glsl/hir.h"
#include "util/dynarray.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

/* A global variable of a stage: all its declarations under one name. */
struct link_var {
    const char *name;
    struct hir_variable *decl;    /* the first; qualifiers are checked to agree */
    const struct glsl_type *type; /* with array sizes settled */
    struct hir_constant *initializer;
    struct hir_variable *initialized;         /* the declaration whose initializer is no constant */
    int location, binding, component, offset; /* from whichever declaration says so, -1 */
    int max_access;                           /* highest constant index in any shader, -1 */
    bool used;                                /* static use in any shader */
    bool assigned;                            /* written to in any shader */
    bool whole;           /* used other than by constant indices: see glsl_link_access.c */
    uint8_t depth_layout; /* enum nir_depth_layout */
    nir_variable *nir;    /* made at the first use */
};

struct link_subroutine {
    struct hir_signature *sig;
    unsigned index; /* what a subroutine uniform holds to mean it */
};

struct link_stage {
    enum shader_stage stage;
    DYNARRAY(struct glsl_shader *) shaders;
    struct hash_table *table;       /* name → link_var */
    DYNARRAY(struct link_var) vars; /* in order of declaration */
    struct hash_table *resolved;    /* hir_signature that is only declared → its definition */
    DYNARRAY(struct hir_signature *) unresolved; /* called, but nowhere defined */
    struct hir_signature *main;
    DYNARRAY(struct link_subroutine) subroutines; /* in order of definition */
    nir_shader_info info;   /* what layout qualifiers of the shaders say together */
    unsigned xfb_stride[4]; /* bytes, 0: not declared */
    unsigned streams;       /* bit of each vertex stream that code emits to */
    bool ends_primitives;
    nir_shader *nir;
};

/* A block: of uniforms or storage in the program, of inputs or outputs in a stage. */
struct link_block {
    const char *name;
    struct hir_variable *decl; /* the first: the instance, or one of the members */
    const struct glsl_type
        *type;       /* with array sizes settled, but a storage block's last member's */
    int binding;     /* -1: none */
    int *max_access; /* of each member: the highest constant index, -1 */
};

/* An input or output as an interface sees it: a variable, or a member of a block. */
struct link_io {
    const char *name;             /* of a member: its own */
    const char *block;            /* NULL: of no block */
    const struct glsl_type *type; /* of one vertex */
    const struct link_var *var;
    int location, component; /* explicit ones, else -1 and 0 */
    int index;               /* of fragment outputs */
    uint8_t interpolation, precision;
    uint8_t stream; /* of a geometry shader's output */
    bool centroid, sample, patch, invariant, builtin;
};

struct linker {
    const struct glsl_options *options;
    const struct glsl_link_input *input;
    struct glsl_program *program;
    void *tmp; /* freed at the end */
    struct strbuf log;
    bool failed;
    bool es;
    bool spirv; /* all shaders are modules */
    bool loose; /* an input has fewer components than the output it comes from */
    unsigned version;
    struct link_stage *stages[SHADER_STAGES]; /* NULL: no such stage */
    struct hash_table *open_slots[2]; /* of separable programs: NIR's names of what other programs
                                       * write (0) and read (1), without location → slot + 1 */
    struct hash_table *blocks;        /* mode, stage and name → link_block */
    struct hash_table *block_of;      /* an interface type of some declaration → its link_block */
};

/* Adds "error: …" to the log; the program does not link. */
void link_error(struct linker *ln, const char *format, ...) PRINTFLIKE(2, 3);
const char *link_stage_name(enum shader_stage stage);
/* NULL: the stage has none of this name. */
struct link_var *link_find_var(const struct link_stage *st, const char *name);

/* Makes values of variables, optimizes, and removes what is not used. */
void link_optimize(nir_shader *nir);

/* glsl_link_functions.c: finds main and all definitions, refuses recursion and endless inlining. */
void link_functions(struct linker *ln, struct link_stage *st);
/* NULL if the function is nowhere defined. */
struct hir_signature *link_definition(const struct link_stage *st, struct hir_signature *sig);

/* The function may stand for subroutine uniforms of that type. */
bool link_is_subroutine_of(const struct hir_signature *sig, const struct glsl_type *type);

/* A call without a definition is an error only if optimized code still has it; until then NIR has
 * an end_primitive with this stream plus the index in st->unresolved in its place. */
#define LINK_UNRESOLVED 0x1000
void link_check_resolved(struct linker *ln, struct link_stage *st);

/* hir_to_nir.c: st->nir, everything inlined; NULL on no memory. */
nir_shader *hir_to_nir(struct linker *ln, struct link_stage *st);
nir_constant *hir_constant_to_nir(void *mem_ctx, const struct hir_constant *c);

/* glsl_link_varyings.c */
struct link_stage *link_stage_after(const struct linker *ln, enum shader_stage stage); /* or NULL */
void link_assign_attributes(struct linker *ln); /* vertex inputs, fragment outputs */
void link_assign_varyings(struct linker *ln); /* after removing what the other side does not use */
struct link_stage *link_first_stage(const struct linker *ln); /* of the pipeline, or NULL */
/* First place of `count` free bits in a mask of `size`, -1 if there is none. */
int link_find_free(uint64_t used, unsigned size, unsigned count);
/* The other stage's variable that an output goes to, or an input comes from; NULL: none. */
nir_variable *link_partner(const struct link_stage *st, const struct link_stage *other,
                           const nir_variable *var, nir_variable_mode mode);

/* glsl_link_flow.c: both true if they changed something; derefs' modes are to be set after the
 * second. */
bool link_split_varyings(struct linker *ln, struct link_stage *producer,
                         struct link_stage *consumer);
bool link_propagate_varyings(struct linker *ln, struct link_stage *producer,
                             struct link_stage *consumer);

/* The last stage before rasterization, or NULL. */
struct link_stage *link_last_geometry_stage(const struct linker *ln);

/* The type without the dimension that counts vertices. */
const struct glsl_type *link_vertex_type(enum shader_stage stage, const nir_variable *var);

/* glsl_link_attribs.c: fills program->inputs and outputs */
void link_list_attributes(struct linker *ln, const struct link_stage *first,
                          const struct link_stage *last);

/* glsl_link_limits.c: on a program that is complete. */
void link_check_limits(struct linker *ln);

/* glsl_link_subroutines.c: size, of the default block, grows by their uniforms. */
void link_list_subroutines(struct linker *ln, const struct link_stage *st, unsigned *size);
bool link_is_subroutine(const struct glsl_type *type); /* or an array of such */

/* glsl_link_xfb.c */
void link_transform_feedback(struct linker *ln); /* fills program->xfb */
/* Marks outputs that transform feedback captures, before unused ones are removed. */
void link_keep_captured(struct linker *ln);

/* glsl_link_pack.c: true if it changed something; derefs' modes are to be set right then. */
bool link_pack_varyings(struct linker *ln, struct link_stage *producer,
                        struct link_stage *consumer);
/* Variables that share a location by layout(component) become parts of one vec4; the same holds. */
bool link_merge_components(struct linker *ln, struct link_stage *st, nir_variable_mode mode);

/* glsl_link_stages.c */
void link_check_stages(struct linker *ln);
void link_merge_layouts(struct linker *ln, struct link_stage *st); /* fills st->info */
/* The variable's outermost array dimension counts vertices. */
bool link_is_per_vertex(enum shader_stage stage, const struct hir_variable *var);
unsigned link_vertex_count(const struct linker *ln, const struct link_stage *st,
                           enum hir_variable_mode mode);

/* glsl_link_blocks.c */
void link_collect_blocks(struct linker *ln); /* checks declarations against each other */
struct link_block *link_find_block(const struct linker *ln, enum shader_stage stage,
                                   const struct hir_variable *var);
/* The type of a member or instance with the sizes that the whole program settles. */
const struct glsl_type *link_block_member_type(struct linker *ln, enum shader_stage stage,
                                               const struct hir_variable *var);
/* One type of two declarations, where arrays may lack the outermost size; NULL if they differ. */
const struct glsl_type *link_merge_types(const struct glsl_type *a, const struct glsl_type *b);

/* glsl_link_access.c: calls visit for every value in the code, parent: what it is an operand of, NULL
 * for none. */
void link_visit_values(const struct hir_shader *sh,
                       void (*visit)(void *data, const struct hir_value *value,
                                     const struct hir_value *parent),
                       void *data);
void link_shrink_uniforms(struct linker *ln); /* to what is active; after link_check_uniforms */

/* glsl_link_interface.c: declarations of inputs and outputs. */
void link_check_interfaces(struct linker *ln);

/* glsl_link_spirv.c: instead of all checks of declarations; then, of a program that is complete. */
void link_spirv_collect(struct linker *ln);
void link_spirv_forget_names(struct glsl_program *p);

/* glsl_link_uniforms.c */
void link_check_uniforms(struct linker *ln); /* on declarations */
void link_uniforms(struct linker *ln);       /* on NIR: lists, storage, slots */

#endif
