/* SPDX-License-Identifier: MIT */
/*
 * Internal declarations of the linker. It works in these steps:
 *
 *   - collect the shaders of each stage and merge their declarations (glsl_link.c,
 *     glsl_link_stages.c, glsl_link_blocks.c);
 *   - compare the uniforms of the stages, and find the array elements that code accesses
 *     (glsl_link_uniforms.c, glsl_link_access.c);
 *   - match the declared interfaces of the stages (glsl_link_interface.c);
 *   - find the definitions of functions (glsl_link_functions.c);
 *   - translate each stage to NIR (hir_to_nir*.c);
 *   - remove unused varyings, and assign slots to inputs and outputs (glsl_link_flow.c,
 *     glsl_link_flat.c, glsl_link_varyings.c, glsl_link_pack.c);
 *   - determine what transform feedback captures (glsl_link_xfb.c);
 *   - list the uniforms and assign their storage (glsl_link_uniforms.c, glsl_link_subroutines.c);
 *   - check the limits (glsl_link_limits.c).
 *
 * For programs made of SPIR-V modules, glsl_link_spirv.c replaces the steps up to the translation.
 *
 * Everything runs within an attempt (util/memory.h), so allocations aren't checked.
 */
#ifndef GLSL_LINK_H
#define GLSL_LINK_H

#include "glsl/glsl.h"
#include "glsl/hir.h"
#include "util/dynarray.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

/* A global variable of a stage. It stands for the declarations with its name in all shaders of the
 * stage. */
struct link_var {
    const char *name;
    struct hir_variable *decl;    /* first declaration; the others must have the same qualifiers */
    const struct glsl_type *type; /* type with final array sizes */
    struct hir_constant *initializer; /* constant initial value, or NULL */
    struct hir_variable *initialized; /* the declaration with a non-constant initializer, or NULL */
    /* Explicit values from any of the declarations, or -1. `location` of a built-in is its slot. */
    int location, binding, component, offset;
    int max_access;       /* highest constant index into it in any shader; -1: none */
    bool used;            /* statically used in any shader */
    bool assigned;        /* written in any shader */
    bool whole;           /* some access has no constant index, so all elements count as accessed */
    uint8_t depth_layout; /* enum nir_depth_layout */
    nir_variable *nir;    /* created on first use */
};

/* A function that subroutine uniforms can select. */
struct link_subroutine {
    struct hir_signature *sig;
    unsigned index; /* value of a subroutine uniform that selects it */
};

/* Numbers of 32-bit components of the active inputs and outputs per vertex. Only all_out includes
 * built-in variables. */
struct link_components {
    unsigned in, out;
    unsigned patch;   /* of patch outputs */
    unsigned all_out; /* of outputs that count toward MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS */
};

/* A stage of the program: its shaders and what they declare together. */
struct link_stage {
    enum shader_stage stage;
    DYNARRAY(struct glsl_shader *) shaders;
    struct hash_table *table;       /* name (block instances: mode and name) → index in vars + 1 */
    struct hash_table *declared;    /* hir_variable of a declaration → index in vars + 1 */
    DYNARRAY(struct link_var) vars; /* in declaration order */
    struct hash_table *resolved;    /* hir_signature without a body → its definition */
    DYNARRAY(struct hir_signature *) unresolved;  /* called but not defined; set by hir_to_nir */
    struct hir_signature *main;                   /* definition of main */
    DYNARRAY(struct link_subroutine) subroutines; /* in definition order */
    nir_shader_info info;                         /* merged layout qualifiers of the shaders */
    unsigned xfb_stride[4];                       /* bytes; 0: not declared */
    unsigned streams;     /* mask of the vertex streams that code emits to */
    bool ends_primitives; /* some code calls EndPrimitive */
    nir_shader *nir;      /* set by the translation to NIR; a child of the program */
    struct link_components components;
};

/* A block. Uniform and storage blocks belong to the program, input and output blocks to a stage. */
struct link_block {
    const char *name;
    struct hir_variable *decl; /* first declaration: the instance, or one of the members */
    /* Block type with final array sizes. Only the last member of a storage block may be unsized. */
    const struct glsl_type *type;
    int binding;     /* layout(binding); -1: none */
    int *max_access; /* for each member, the highest constant index into it; -1: none */
};

/* An input or output of a stage, either a variable or a block member. */
struct link_io {
    const char *name;             /* name; for block members, without the block's name */
    const char *block;            /* block name; NULL: not a block member */
    const struct glsl_type *type; /* type without the array dimension that counts vertices */
    const struct link_var *var;   /* the variable itself or the block instance */
    int location, component;      /* explicit values; if there are none, -1 and 0 */
    int index;                    /* layout(index) of a fragment output */
    int field;                    /* index of a block member in its block */
    uint8_t interpolation, precision;
    uint8_t stream; /* vertex stream of a geometry output */
    bool centroid, sample, patch, per_primitive, invariant, builtin;
};

/* State of a link. */
struct linker {
    const struct glsl_options *options;
    const struct glsl_link_input *input;
    struct glsl_program *program;
    void *tmp;         /* talloc context freed at the end */
    struct strbuf log; /* becomes program->info_log */
    bool failed;       /* an error was reported */
    bool es;
    bool spirv;           /* the shaders are SPIR-V modules */
    bool narrowed_inputs; /* some input has fewer components than the matching output */
    unsigned version;     /* highest language version of the shaders */
    struct link_stage *stages[SHADER_STAGE_COUNT]; /* NULL: the program lacks the stage */
    /* Separable programs: slots of inputs (0) and outputs (1) without an explicit location that
     * connect to other programs. Each table maps the variable's name in NIR to its slot + 1. */
    struct hash_table *open_slots[2];
    struct hash_table *blocks;   /* string of mode, stage and block name → link_block */
    struct hash_table *block_of; /* hir_variable.interface_type of a declaration → its link_block */
};

/* Appends "error: …" to the log and makes the link fail. */
void link_error(struct linker *ln, const char *format, ...) PRINTFLIKE(2, 3);
/* Returns the name of a stage for messages, such as "vertex". */
const char *link_stage_name(enum shader_stage stage);
/* Returns the global variable with this name, or NULL. Does not find instances of blocks, whose
 * names are local to a shader (GLSL 4.60 §4.3.9), except built-in ones. */
struct link_var *link_find_var(const struct link_stage *st, const char *name);
/* Returns the global variable that a shader's variable declares, or NULL if it is not global. */
struct link_var *link_var_of(const struct link_stage *st, const struct hir_variable *var);
/* Returns whether two constants have the same type and the same bits. */
bool link_constants_equal(const struct hir_constant *a, const struct hir_constant *b);

/* Turns the local and global temporaries of a stage into SSA values, optimizes, and removes unused
 * code and variables. */
void link_optimize(nir_shader *nir);

/* glsl_link_functions.c */
/* Finds main and the definitions of called functions; undefined ones are not reported here. Reports
 * a missing main, duplicate definitions, recursion, and a main that would be too large after
 * inlining. Also fills in st->subroutines, st->streams and st->ends_primitives, and reports errors
 * in subroutine indices and in the use of streams. Requires link_merge_layouts. */
void link_functions(struct linker *ln, struct link_stage *st);
/* Returns the definition of a function, which may be in another shader of the stage, or NULL. */
struct hir_signature *link_definition(const struct link_stage *st, struct hir_signature *sig);

/* Returns whether a subroutine uniform of type `type` may select the function sig. */
bool link_is_subroutine_of(const struct hir_signature *sig, const struct glsl_type *type);

/* A call to an undefined function is an error only if the call remains after optimization. Until
 * then, an end_primitive intrinsic stands for the call in NIR. Its stream_id is LINK_UNRESOLVED
 * plus the index of the function in st->unresolved. */
#define LINK_UNRESOLVED 0x1000
/* Reports an error if a call to an undefined function is left in st->nir; names the first one. */
void link_check_resolved(struct linker *ln, struct link_stage *st);

/* hir_to_nir.c */
/* Translates main of a stage, and the functions it calls, to a NIR shader that belongs to the
 * program. The functions are not inlined yet. */
nir_shader *hir_to_nir(struct linker *ln, struct link_stage *st);
/* Translates a constant. The result is a talloc child of mem_ctx. */
nir_constant *hir_constant_to_nir(void *mem_ctx, const struct hir_constant *c);

/* glsl_link_varyings.c */
/* Returns the next stage of the program's pipeline after `stage`, or NULL if there is none. For
 * SHADER_TASK, returns NULL. */
struct link_stage *link_stage_after(const struct linker *ln, enum shader_stage stage);
/* Assigns slots to vertex shader inputs and fragment shader outputs, and lists the program's inputs
 * and outputs. Reports locations that overlap, and variables for which no location is left; the
 * lists are then empty. Afterwards merges fragment outputs that share a location
 * (link_merge_components). */
void link_assign_attributes(struct linker *ln);
/* Removes varyings that the adjacent stage does not use. Merges and packs the others where possible
 * (link_merge_components, link_pack_varyings), and assigns slots to them. Also sets
 * link_stage.components. */
void link_assign_varyings(struct linker *ln);
/* Returns the first stage of the program's pipeline, not counting task shaders. Returns NULL if the
 * program has only a compute shader or a task shader. */
struct link_stage *link_first_stage(const struct linker *ln);
/* Finds `count` consecutive zero bits among the low `size` bits of `used`. Returns the lowest
 * possible index of the first one, or -1 if there are none. */
int link_find_free(uint64_t used, unsigned size, unsigned count);
/* Returns the input or output (by `mode`) of the adjacent stage `other` that matches the output or
 * input `var` of stage st, or NULL. */
nir_variable *link_partner(const struct link_stage *st, const struct link_stage *other,
                           const nir_variable *var, nir_variable_mode mode);

/* glsl_link_flow.c. Both functions return true if they changed something. */
/* Splits varyings between two stages: each array, matrix and struct becomes one variable per
 * vector. */
bool link_split_varyings(struct linker *ln, struct link_stage *producer,
                         struct link_stage *consumer);
/* Removes the producer's writes of components that the consumer does not read. If the producer
 * always writes the same constant, the consumer uses that constant instead of the input. The caller
 * must then fix the modes of derefs (nir_fixup_deref_modes). */
bool link_propagate_varyings(struct linker *ln, struct link_stage *producer,
                             struct link_stage *consumer);

/* glsl_link_flat.c. Makes a fragment shader input flat if its value is the same at all vertices.
 * Does nothing unless the producer is a vertex or evaluation shader and the consumer is a fragment
 * shader. */
void link_flatten_varyings(struct linker *ln, struct link_stage *producer,
                           struct link_stage *consumer);

/* Returns the last stage of the program before rasterization, or NULL. */
struct link_stage *link_last_geometry_stage(const struct linker *ln);

/* Returns the type of an input or output without the array dimension that counts vertices. */
const struct glsl_type *link_vertex_type(enum shader_stage stage, const nir_variable *var);
/* Returns the type of an input or output in the shader's text, which may contain half floats. */
static inline const struct glsl_type *link_declared_type(const nir_variable *var)
{
    return var->declared_type ? var->declared_type : var->type;
}
/* Returns link_declared_type() without the array dimension that counts vertices. */
const struct glsl_type *link_declared_vertex_type(enum shader_stage stage, const nir_variable *var);

/* glsl_link_attribs.c. Lists the inputs of `first` in program->inputs and the outputs of `last` in
 * program->outputs. */
void link_list_attributes(struct linker *ln, const struct link_stage *first,
                          const struct link_stage *last);

/* glsl_link_limits.c. Sets link_stage.components of all stages. Must be called before varyings are
 * packed, which may add unused components. */
void link_count_components(struct linker *ln);

/* glsl_link_limits.c. Reports resources that exceed their limit. Must be called after all other
 * steps. */
void link_check_limits(struct linker *ln);

/* End of the name of a NIR variable that holds the handles of a sampler or image uniform. */
#define LINK_HANDLES "#handle"

/* glsl_link_subroutines.c. Lists the subroutines and subroutine uniforms of a stage in the program,
 * and assigns locations to the uniforms. Adds their storage to *size, the size of the default block
 * in bytes. Reports errors. */
void link_list_subroutines(struct linker *ln, const struct link_stage *st, unsigned *size);
/* Returns whether a type is a subroutine type or an array of one. */
bool link_is_subroutine(const struct glsl_type *type);

/* glsl_link_xfb.c */
/* Fills in program->xfb and xfb_stride, and sets info.has_transform_feedback_varyings of the last
 * stage before rasterization if there are any. Reports errors. */
void link_transform_feedback(struct linker *ln);
/* Marks the outputs that transform feedback captures, so that they are not removed as unused.
 * Reports captured varyings that are not outputs. */
void link_keep_captured(struct linker *ln);

/* glsl_link_pack.c */
/* Packs the components of the varyings between two stages into few vec4s, if that saves slots. If
 * `crowded` is true, that is, if the varyings exceed the slots, it always packs, also inputs that
 * the consumer indexes with variables. Returns true if it changed something; the caller must then
 * fix the modes of derefs (nir_fixup_deref_modes). */
bool link_pack_varyings(struct linker *ln, struct link_stage *producer, struct link_stage *consumer,
                        bool crowded);
/* Merges inputs or outputs that share a location by layout(component) into one vec4. Does nothing
 * in geometry, control and mesh shaders, and for evaluation shader inputs. Returns true if it
 * changed something, as link_pack_varyings does. */
bool link_merge_components(struct linker *ln, struct link_stage *st, nir_variable_mode mode);

/* glsl_link_stages.c */
/* Reports combinations of stages that cannot form a program. */
void link_check_stages(struct linker *ln);
/* Returns whether the program's parameters replace missing layout qualifiers of geometry shaders
 * (ARB_geometry_shader4). */
bool link_has_program_geometry(const struct link_stage *st);
/* Merges the `layout(…) in;` and `layout(…) out;` of the stage's shaders into st->info and
 * st->xfb_stride. Reports conflicting and missing ones. */
void link_merge_layouts(struct linker *ln, struct link_stage *st);
/* Returns the number of vertices of a geometry shader's input primitive (enum drv_primitive). */
unsigned link_primitive_vertices(unsigned primitive);
/* Reports an error if the stages before rasterization declare different numbers of views
 * (EXT_multiview_tessellation_geometry_shader). */
void link_check_views(struct linker *ln);
/* Returns whether the outermost array dimension of a variable counts vertices, or the primitives of
 * a mesh. */
bool link_is_per_vertex(enum shader_stage stage, const struct hir_variable *var);
/* Returns the length of the array dimension for which link_is_per_vertex() returns true, for an
 * input or output of st. */
unsigned link_vertex_count(const struct linker *ln, const struct link_stage *st,
                           const struct hir_variable *var);

/* glsl_link_blocks.c */
/* Collects the blocks of all shaders in ln->blocks, and gives sizes to the unsized arrays in them.
 * Reports declarations of a block that differ. */
void link_collect_blocks(struct linker *ln);
/* Returns the block that `var` is an instance or member of, or NULL if it is not in ln->blocks. The
 * variable must have an interface_type. */
struct link_block *link_find_block(const struct linker *ln, enum shader_stage stage,
                                   const struct hir_variable *var);
/* Returns the type of a block member or instance with the array sizes that all declarations of the
 * block determine together. */
const struct glsl_type *link_block_member_type(struct linker *ln, enum shader_stage stage,
                                               const struct hir_variable *var);
/* Returns the common type of two declarations of a variable. One declaration may lack the outermost
 * array size. Returns NULL if the types differ in another way. */
const struct glsl_type *link_merge_types(const struct glsl_type *a, const struct glsl_type *b);

/* glsl_link_access.c */
/* Calls visit for every value in the code of a shader, except the results of calls and intrinsics
 * (return_deref) and the constants hir_texture.component and hir_texture.offsets. `parent` is the
 * value whose operand it is, or NULL for an operand of an instruction. */
void link_visit_values(const struct hir_shader *sh,
                       void (*visit)(void *data, const struct hir_value *value,
                                     const struct hir_value *parent),
                       void *data);
/* Shrinks uniform arrays that only constants index to the highest index in any stage plus one (GL
 * 2.1 §2.15.3). Arrays of opaque types, arrays in blocks, and those with an explicit location or an
 * initializer keep their size. Call it after link_check_uniforms. */
void link_shrink_uniforms(struct linker *ln);

/* glsl_link_interface.c. Reports inputs and outputs whose declarations overlap or do not match
 * between stages. For separable programs, also sets ln->open_slots and, in ES, the program's
 * open_inputs and open_outputs. */
void link_check_interfaces(struct linker *ln);

/* glsl_link_open.c. Records the inputs or outputs of a stage that connect to other programs in
 * program->open_inputs or open_outputs. */
void link_record_open(struct linker *ln, const struct link_io *io, unsigned count, bool outputs);

/* glsl_link_spirv.c */
/* Fills in the stages of a program made of SPIR-V modules from their NIR variables. Compares the
 * interfaces of the stages and reports errors; this replaces all checks of declarations. */
void link_spirv_collect(struct linker *ln);
/* Makes all names in a linked program empty, because SPIR-V modules have none. */
void link_spirv_forget_names(struct glsl_program *p);

/* glsl_link_uniforms.c */
/* Reports uniforms and buffer variables whose declarations differ between stages. */
void link_check_uniforms(struct linker *ln);
/* Lists the uniforms, subroutines and blocks that the NIR of the stages uses, and assigns their
 * storage, locations and slots. Sets nir_shader.num_uniforms and the numbers of textures and images
 * in nir_shader.info. Reports errors. */
void link_uniforms(struct linker *ln);

#endif
