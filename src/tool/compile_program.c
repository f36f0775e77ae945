/* SPDX-License-Identifier: MIT */
/* Runs one program through the compiler, the linker, a driver's lowering, and the checks. */
#include "compile_program.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "asm/asm.h"
#include "compile_i965.h"
#include "compile_image.h"
#include "indium/driver.h"
#include "compile_options.h"
#include "compile_stats.h"
#include "driver/cpu/kernel/cpu_lower.h"
#include "driver/i965/compiler/from_nir.h"
#include "glsl/hir.h"
#include "jit/jit.h"

struct job {
    const struct compile_unit *unit;
    const struct compile_arguments *args;
    struct compile_stats *stats;
    struct glsl_options options;
    nir_shader_compiler_options nir_options;
    bool broken; /* a check failed */
};

static void fill_options(struct job *job)
{
    bool es = job->unit->es || job->args->es;
    unsigned version = job->args->version;
    struct glsl_options *o = &job->options;
    if (!version)
        version = es ? 320 : 460;
    compile_options_fill(o, es, version);
    if (job->unit->any_version || !job->args->version)
        o->max_es_version = es ? version : 320;
    job->nir_options = job->args->target == TARGET_I965
                           ? *i965_device_by_name(job->args->device)->nir_options
                           : cpu_nir_options;
    job->nir_options.observer = job->stats ? &job->stats->observer : NULL;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        o->nir_options[s] = &job->nir_options;
}

/* ----------------------------------------------------------------------------------- files --- */

bool compile_add_glsl_file(void *mem_ctx, struct compile_unit *unit, const char *path)
{
    struct compile_source source = {.stage = compile_stage_of(path)};
    if (source.stage == SHADER_STAGE_NONE)
        return false;
    source.text = compile_read_file(mem_ctx, path, &source.length);
    if (!source.text)
        return false;
    unit->sources =
        talloc_realloc(mem_ctx, unit->sources, struct compile_source, unit->num_sources + 1);
    unit->sources[unit->num_sources++] = source;
    return true;
}

/* ---------------------------------------------------------------------------------- checks --- */

static void complain(struct job *job, const nir_shader *nir, const char *what)
{
    static const char *const stages[] = {"vertex",
                                         "tessellation control",
                                         "tessellation evaluation",
                                         "geometry",
                                         "fragment",
                                         "compute",
                                         "task",
                                         "mesh"};
    job->broken = true;
    fprintf(stderr, "%s: %s shader: %s\n", job->unit->name, stages[nir->info.stage], what);
}

/* Checks that serializing, deserializing and serializing again yields the same bytes. */
static void check_serialize(struct job *job, const nir_shader *nir)
{
    void *mem_ctx = talloc_new(NULL);
    struct blob_bytes first = nir_serialize(mem_ctx, nir);
    nir_shader *copy = nir_deserialize(mem_ctx, nir->options, first.data, first.size);
    if (!copy) {
        complain(job, nir, "its own bytes are not read back");
    } else {
        struct blob_bytes second = nir_serialize(mem_ctx, copy);
        if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0)
            complain(job, nir, "serializes to other bytes the second time");
        if (job->args->validate)
            nir_validate_shader(copy, "after nir_deserialize");
    }
    talloc_free(mem_ctx);
}

static bool is_intrinsic(const nir_instr *instr, nir_intrinsic_op op)
{
    return instr->type == nir_instr_type_intrinsic &&
           nir_instr_as_intrinsic(instr)->intrinsic == op;
}

static nir_instr *neighbor(nir_instr *instr, bool next)
{
    struct list_head *node = next ? instr->node.next : instr->node.prev;
    return node == &instr->block->instr_list ? NULL : list_entry(node, nir_instr, node);
}

/* Returns whether a load is directly followed by its only user, which can read the register
 * itself. */
static bool load_is_free(nir_instr *load)
{
    nir_def *def = &nir_instr_as_intrinsic(load)->def;
    nir_instr *user = load;
    do
        user = neighbor(user, true);
    while (user && is_intrinsic(user, nir_intrinsic_load_reg));
    nir_foreach_use_including_if(src, def)
    {
        if (nir_src_is_if(src) ? user != NULL : nir_src_parent_instr(src) != user)
            return false;
    }
    return true;
}

/* Returns whether a store directly follows its value, which has no other user and can be written to
 * the register itself. */
static bool store_is_free(nir_instr *store)
{
    nir_def *def = nir_instr_as_intrinsic(store)->src[0].ssa;
    nir_instr *maker = def->parent_instr;
    return maker == neighbor(store, false) && maker->type != nir_instr_type_load_const &&
           !is_intrinsic(maker, nir_intrinsic_load_reg) && list_is_singular(&def->uses);
}

static void count_instr(nir_instr *instr, uint64_t *phis, uint64_t *copies, uint64_t *constants)
{
    if (instr->type == nir_instr_type_phi)
        ++*phis;
    else if (is_intrinsic(instr, nir_intrinsic_load_reg) && !load_is_free(instr))
        ++*copies;
    else if (is_intrinsic(instr, nir_intrinsic_store_reg) && !store_is_free(instr))
        ++*(nir_src_is_const(nir_instr_as_intrinsic(instr)->src[0]) ? constants : copies);
}

static void count_copies(const nir_shader *nir, uint64_t *phis, uint64_t *copies,
                         uint64_t *constants)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block)
            count_instr(instr, phis, copies, constants);
    }
}

/* Takes a copy of the shader out of SSA, to test this and to count the remaining moves. */
static void leave_ssa(struct job *job, const nir_shader *nir)
{
    uint64_t none = 0;
    nir_shader *copy = nir_shader_clone(NULL, nir);
    count_copies(copy, &job->stats->phis, &none, &none);
    NIR_PASS_V(copy, nir_convert_from_ssa, true);
    count_copies(copy, &none, &job->stats->copies, &job->stats->constants);
    nir_shader_destroy(copy);
}

/* -------------------------------------------------------------------------------- lowering --- */

static void lower_for_cpu(nir_shader *nir)
{
    cpu_lower_shader(nir, 16);
    jit_lower_nir(nir);
}

static void lower(struct job *job, const nir_shader *linked,
                  nir_shader *const stages[SHADER_STAGE_COUNT])
{
    nir_shader *nir = nir_shader_clone(NULL, linked);
    switch (job->args->target) {
    case TARGET_I965:
        if (job->args->nir_only)
            i965_lower_nir(nir, i965_device_by_name(job->args->device));
        else if (!compile_for_i965(job->unit->name, job->args->device, nir, stages, job->args))
            job->broken = true;
        break;
    case TARGET_CPU:
        lower_for_cpu(nir);
        break;
    case TARGET_NONE:
        break;
    }
    if (job->stats)
        job->stats->instrs_lowered += compile_count_instrs(nir);
    if (job->args->dump_lir)
        nir_print_shader(nir, stdout);
    if (job->args->check_serialize)
        check_serialize(job, nir);
    if (job->stats && job->args->target != TARGET_I965)
        leave_ssa(job, nir);
    nir_shader_destroy(nir);
}

/* --------------------------------------------------------------------------------- program --- */

static void print_program(const struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_inputs; i++)
        printf("in %s %s: location %d, slot %d\n", p->inputs[i].type->name, p->inputs[i].name,
               p->inputs[i].location, p->inputs[i].slot);
    for (unsigned i = 0; i < p->num_outputs; i++)
        printf("out %s %s: location %d, slot %d\n", p->outputs[i].type->name, p->outputs[i].name,
               p->outputs[i].location, p->outputs[i].slot);
    for (unsigned i = 0; i < p->num_uniforms; i++) {
        const struct glsl_uniform *u = &p->uniforms[i];
        printf("uniform %s %s: location %d, offset %d, stages %x, slots %d %d, block %d\n",
               u->type->name, u->name, u->location, u->offset, u->stages,
               u->opaque_index[SHADER_VERTEX], u->opaque_index[SHADER_FRAGMENT], u->block_index);
    }
    for (unsigned i = 0; i < p->num_blocks; i++)
        printf("block %s: %u bytes\n", p->blocks[i].name, p->blocks[i].size);
}

/* Prints the compiler's log; in a batch, only the first error. */
static void print_log(const struct job *job, const char *what, const char *log)
{
    if (!log[0] || job->args->quiet)
        return;
    if (job->args->batch)
        printf("%s: %s: %.*s\n", job->unit->name, what, (int)strcspn(log, "\n"), log);
    else
        printf("%s: %s:\n%s", job->unit->name, what, log);
}

/* Lowers, checks and prints the stages of a linked program. stream_output: what transform feedback
 * captures, or NULL. */
static void finish_stages(struct job *job, nir_shader *const stages[SHADER_STAGE_COUNT],
                          const struct drv_stream_output *stream_output)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!stages[s])
            continue;
        if (job->args->dump_nir)
            nir_print_shader(stages[s], stdout);
        if (job->args->check_serialize)
            check_serialize(job, stages[s]);
        /* The API layer converts task and mesh shaders before a driver lowers them. */
        if (job->args->target != TARGET_NONE && !job->args->image && s <= SHADER_COMPUTE)
            lower(job, stages[s], stages);
    }
    if (!job->args->image)
        return;
    if (stages[SHADER_TASK] || stages[SHADER_MESH]) {
        fprintf(stderr, "%s: --image does not support task and mesh shaders\n", job->unit->name);
        job->broken = true;
    } else if (!compile_image(job->unit->name, stages, stream_output, job->args)) {
        job->broken = true;
    }
}

static bool link_shaders(void *mem_ctx, struct job *job, struct glsl_shader **shaders,
                         unsigned count)
{
    struct glsl_link_input input = {
        .shaders = shaders,
        .num_shaders = count,
        .separable = job->unit->separable || job->unit->separable_program,
    };
    struct glsl_program *p = glsl_link(mem_ctx, &job->options, &input);
    if (!p->linked || !job->args->batch)
        print_log(job, "link", p->info_log);
    if (!p->linked)
        return false;
    if (job->args->dump_nir)
        print_program(p);
    struct drv_stream_output captured;
    finish_stages(job, p->nir, glsl_stream_output(p, &captured) ? &captured : NULL);
    return true;
}

/* Links the shaders. Each stage of a separable unit becomes a program. */
static bool link_unit(void *mem_ctx, struct job *job, struct glsl_shader **shaders, unsigned count)
{
    if (!job->unit->separable)
        return link_shaders(mem_ctx, job, shaders, count);
    bool ok = true;
    for (unsigned i = 0; i < count; i++)
        ok = link_shaders(mem_ctx, job, &shaders[i], 1) && ok;
    return ok;
}

static void dump_text(void *mem_ctx, const struct job *job, const struct compile_source *source)
{
    char *log;
    if (job->args->dump_tokens)
        fputs(glsl_preprocess(mem_ctx, &job->options, source->stage, source->text, source->length,
                              &log)
                  ?: "",
              stdout);
    if (job->args->dump_ast)
        fputs(glsl_print_ast(mem_ctx, &job->options, source->stage, source->text, source->length,
                             &log)
                  ?: "",
              stdout);
}

static enum glsl_include_result find_include(void *data, const char *path, const char **text,
                                             size_t *length)
{
    const struct compile_unit *unit = data;
    enum glsl_include_result result = GLSL_INCLUDE_NOT_FOUND;
    /* last one first: a later string replaces an earlier one */
    for (unsigned i = unit->num_includes; i-- > 0;) {
        const struct compile_include *in = &unit->includes[i];
        if (!strcmp(in->location, path)) {
            *text = in->text;
            *length = in->length;
            return GLSL_INCLUDE_FOUND;
        }
        if (glsl_path_is_below(path, in->location))
            result = GLSL_INCLUDE_NO_STRING;
    }
    return result;
}

/* Compiles GLSL, or a SPIR-V module with the entry point main. */
static struct glsl_shader *compile_source(void *mem_ctx, const struct job *job,
                                          const struct compile_source *source)
{
    const struct compile_unit *unit = job->unit;
    uint32_t magic = 0;
    if (source->length >= 4)
        memcpy(&magic, source->text, 4);
    if (magic != SPIRV_MAGIC) {
        const struct glsl_includes includes = {.search = unit->search,
                                               .num_search = unit->num_search,
                                               .find = find_include,
                                               .data = (void *)unit};
        return glsl_compile_with(mem_ctx, &job->options, &includes, source->stage, source->text,
                                 source->length);
    }
    const struct glsl_module module = {
        .stage = source->stage,
        .words = (const uint32_t *)source->text,
        .num_words = source->length / 4,
        .entry_point = "main",
        .specializations = unit->specializations[source->stage],
        .num_specializations = unit->num_specializations[source->stage],
    };
    return glsl_specialize(mem_ctx, &job->options, &module);
}

/* ------------------------------------------------------------------------ assembly programs --- */

static bool is_assembly_program(const struct compile_source *source)
{
    return source->length >= 5 && !memcmp(source->text, "!!ARB", 5);
}

/* Returns the limits of every context (src/gl/program/gl_asm.c). */
static struct asm_options assembly_options(const struct job *job, enum shader_stage stage)
{
    const struct glsl_limits *l = &job->options.limits;
    return (struct asm_options){
        .limits = {.instructions = 16384,
                   .alu_instructions = 16384,
                   .tex_instructions = 16384,
                   .tex_indirections = 16384,
                   .temporaries = 256,
                   .parameters = 1024,
                   .attribs = 16,
                   .address_registers = stage == SHADER_VERTEX,
                   .env_parameters = 1024,
                   .local_parameters = 1024,
                   .texture_image_units = l->max_texture_image_units,
                   .texture_coords = l->max_texture_coords,
                   .texture_units = l->max_texture_units,
                   .vertex_attribs = l->max_vertex_attribs,
                   .lights = l->max_lights,
                   .clip_planes = l->max_clip_planes,
                   .program_matrices = 8,
                   .draw_buffers = l->max_draw_buffers},
        .fragment_program_shadow = true,
        .draw_buffers = true,
        .fragment_coord_conventions = true,
        .nir_options = &job->nir_options,
    };
}

/* Assigns offsets in the constant buffer to the parameters (GL state). */
static void place_uniforms(nir_shader *nir)
{
    unsigned bytes = 0;
    nir_foreach_uniform_variable(var, nir)
    {
        if (!var->num_state_slots)
            continue;
        var->data.driver_location = bytes;
        bytes += ALIGN_POT(glsl_packed_size(var->type), 16);
    }
}

/* Compiles an assembly program; each is a program by itself and needs no linking. */
static bool compile_assembly_program(void *mem_ctx, struct job *job,
                                     const struct compile_source *source)
{
    const struct asm_options options = assembly_options(job, source->stage);
    nir_shader *stages[SHADER_STAGE_COUNT] = {NULL};
    struct asm_program *p =
        asm_compile(mem_ctx, source->stage, source->text, source->length, &options);
    if (!p || !p->nir) {
        print_log(job, "program", p ? p->error : "out of memory");
        return false;
    }
    stages[source->stage] = p->nir;
    place_uniforms(p->nir);
    nir_shader_gather_info(p->nir);
    return finish_stages(job, stages, NULL), true;
}

static bool compile_shader(void *mem_ctx, struct job *job, const struct compile_source *source,
                           struct glsl_shader **shader)
{
    *shader = compile_source(mem_ctx, job, source);
    if (!(*shader)->nir)
        dump_text(mem_ctx, job, source);
    if (!(*shader)->compiled || !job->args->batch)
        print_log(job, "shader", (*shader)->info_log);
    if ((*shader)->compiled && (*shader)->hir && job->args->dump_hir)
        hir_print((*shader)->hir, stdout);
    return (*shader)->compiled;
}

enum compile_result compile_unit(const struct compile_unit *unit,
                                 const struct compile_arguments *args, struct compile_stats *stats)
{
    struct job job = {.unit = unit, .args = args, .stats = stats};
    void *mem_ctx = talloc_new(NULL);
    struct glsl_shader **shaders = talloc_array(mem_ctx, struct glsl_shader *, unit->num_sources);
    unsigned count = 0;
    bool compiled = true, linked = true;
    fill_options(&job);
    for (unsigned i = 0; i < unit->num_sources; i++) {
        const struct compile_source *source = &unit->sources[i];
        bool ok = is_assembly_program(source)
                      ? compile_assembly_program(mem_ctx, &job, source)
                      : compile_shader(mem_ctx, &job, source, &shaders[count++]);
        compiled = compiled && ok;
    }
    if (compiled && args->link && count)
        linked = link_unit(mem_ctx, &job, shaders, count);
    talloc_free(mem_ctx);
    return !compiled    ? COMPILE_ERRORS
           : !linked    ? COMPILE_LINK_ERRORS
           : job.broken ? COMPILE_BROKEN
                        : COMPILE_DONE;
}
