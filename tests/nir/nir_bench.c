/* SPDX-License-Identifier: MIT */
/*
 * Checks that the optimization loop and the conversion out of SSA take linear time: measures
 * shaders of 10,000 and 100,000 instructions of several shapes.
 *
 *     nir-bench [LIMIT]            prints a table; exits with 1 if a ratio exceeds LIMIT (12 is
 *                                  met on an idle machine)
 *     nir-bench --size=N [SHAPE]   generates and optimizes one shader of each shape, for
 *                                  `valgrind --tool=callgrind`, whose counts don't depend on load
 *
 * NIR_BENCH_PASSES=1 in the environment adds a row for each pass.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <time.h>

#include "nir_builder.h"

#define NUM_VARS 24

enum shape { STRAIGHT, VECTORS, IFS, LOOPS, ARRAYS, LOCALS, NUM_SHAPES };

static const char *const shape_names[NUM_SHAPES] = {"straight", "vectors", "ifs",
                                                    "loops",    "arrays",  "locals"};

struct gen {
    nir_builder b;
    nir_variable *vars[NUM_VARS], *array;
    unsigned rng;
};

static unsigned rnd(struct gen *g, unsigned n)
{
    g->rng = g->rng * 1103515245u + 12345u;
    return (g->rng >> 8) % n;
}

static nir_def *get(struct gen *g)
{
    return nir_load_var(&g->b, g->vars[rnd(g, NUM_VARS)]);
}

static void put(struct gen *g, nir_def *value)
{
    nir_store_var(&g->b, g->vars[rnd(g, NUM_VARS)], value, BITFIELD_MASK(value->num_components));
}

/* Adds about 4 instructions that optimization doesn't remove. */
static void step(struct gen *g)
{
    nir_builder *b = &g->b;
    nir_def *x = get(g), *y = get(g);
    switch (rnd(g, 5)) {
    case 0:
        put(g, nir_fadd(b, nir_fmul(b, x, y), get(g)));
        break;
    case 1:
        put(g, nir_fmax(b, nir_fneg(b, x), nir_fmul(b, y, get(g))));
        break;
    case 2:
        put(g, nir_ffma(b, x, y, nir_ffract(b, get(g))));
        break;
    case 3:
        put(g, nir_fmul_imm(b, nir_fadd(b, x, y), rnd(g, 100)));
        break;
    default:
        put(g, nir_fsub(b, nir_fabs(b, x), nir_fadd(b, y, get(g))));
        break;
    }
}

static void piece(struct gen *g, enum shape shape)
{
    nir_builder *b = &g->b;
    switch (shape) {
    case STRAIGHT:
    case VECTORS:
        step(g);
        break;
    case IFS: {
        nir_if *nif =
            nir_push_if(b, nir_flt(b, nir_channel(b, get(g), 0), nir_channel(b, get(g), 0)));
        for (unsigned i = 0; i < 6; i++)
            step(g);
        nir_pop_if(b, nif);
        break;
    }
    case LOOPS: {
        nir_loop *loop = nir_push_loop(b);
        nir_break_if(b, nir_flt_imm(b, nir_channel(b, get(g), 0), 3));
        for (unsigned i = 0; i < 6; i++)
            step(g);
        nir_pop_loop(b, loop);
        break;
    }
    case LOCALS: { /* typical of inlined functions */
        nir_variable *var = nir_local_variable_create(b->impl, glsl_float_type(), "local");
        nir_def *x = get(g);
        nir_store_var(b, var, x, 1);
        nir_if *nif = nir_push_if(b, nir_flt(b, x, get(g)));
        nir_store_var(b, var, nir_fadd(b, x, get(g)), 1);
        step(g);
        nir_pop_if(b, nif);
        put(g, nir_load_var(b, var));
        break;
    }
    default: {
        nir_def *index = nir_iand_imm(b, nir_f2i32(b, get(g)), 7);
        nir_deref_instr *array = nir_build_deref_var(b, g->array);
        put(g, nir_load_deref(b, nir_build_deref_array(b, array, index)));
        nir_store_deref(b, nir_build_deref_array_imm(b, array, rnd(g, 8)), get(g), 1);
        step(g);
        break;
    }
    }
}

static unsigned count_instrs(const nir_shader *nir)
{
    unsigned n = 0;
    nir_foreach_function_impl (impl, nir) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block)
                n += instr->type != nir_instr_type_deref;
        }
    }
    return n;
}

static nir_shader *generate(enum shape shape, unsigned size,
                            const nir_shader_compiler_options *options)
{
    struct gen g = {.rng = 1};
    g.b = nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, options, "bench");
    nir_builder *b = &g.b;
    const struct glsl_type *type = glsl_vec_type(shape == VECTORS ? 4 : 1);
    nir_variable *in = nir_variable_create(b->shader, nir_var_shader_in, type, "in");
    nir_variable *out = nir_variable_create(b->shader, nir_var_shader_out, type, "out");
    in->data.location = VARYING_SLOT_VAR0;
    out->data.location = FRAG_RESULT_DATA0;
    for (unsigned i = 0; i < NUM_VARS; i++) {
        g.vars[i] = nir_local_variable_create(b->impl, type, "v");
        nir_store_var(b, g.vars[i], nir_fadd_imm(b, nir_load_var(b, in), i),
                      BITFIELD_MASK(type->vector_elements));
    }
    g.array = nir_local_variable_create(b->impl, glsl_array_type(b->shader, type, 8, 0), "a");
    for (unsigned i = 0; i < 8 && shape == ARRAYS; i++)
        nir_store_deref(b, nir_build_deref_array_imm(b, nir_build_deref_var(b, g.array), i),
                        get(&g), 1);
    /* Each step adds about ten instructions, including loads and stores. */
    for (unsigned made = 0; made < size; made = b->impl->ssa_alloc)
        piece(&g, shape);
    nir_def *sum = nir_load_var(b, g.vars[0]);
    for (unsigned i = 1; i < NUM_VARS; i++)
        sum = nir_fadd(b, sum, nir_load_var(b, g.vars[i]));
    nir_store_var(b, out, sum, BITFIELD_MASK(type->vector_elements));
    return b->shader;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

#define MAX_PASSES  64
#define MAX_SHADERS 10
#define ROUNDS      12

struct timing {
    unsigned instrs;        /* before optimization */
    double optimize, leave; /* ms */
    struct {
        const char *name;
        double ms;
        unsigned calls;
    } passes[MAX_PASSES];
    unsigned num_passes;
    double started;
};

static void begin(void *data, nir_shader *nir, const char *pass)
{
    struct timing *t = data;
    t->started = now();
}

static void end(void *data, nir_shader *nir, const char *pass, bool progress)
{
    struct timing *t = data;
    unsigned i = 0;
    while (i < t->num_passes && strcmp(t->passes[i].name, pass) != 0)
        i++;
    if (i == MAX_PASSES)
        return;
    if (i == t->num_passes)
        t->passes[t->num_passes++].name = pass;
    t->passes[i].ms += now() - t->started;
    t->passes[i].calls++;
}

static void print_passes(const struct timing *small, const struct timing *large)
{
    for (unsigned i = 0; i < large->num_passes; i++) {
        for (unsigned k = 0; k < small->num_passes; k++) {
            if (!strcmp(large->passes[i].name, small->passes[k].name))
                printf("    %-28s %3u %8.2f %3u %8.2f %6.1f\n", small->passes[k].name,
                       small->passes[k].calls, small->passes[k].ms, large->passes[i].calls,
                       large->passes[i].ms, large->passes[i].ms / small->passes[k].ms);
        }
    }
}

/* Generates enough shaders for 100,000 instructions before measuring, so that small shaders aren't
 * in a cache, either. The times are per shader. */
static struct timing measure_once(enum shape shape, unsigned size, unsigned count)
{
    struct timing t = {0};
    const struct nir_pass_observer observer = {begin, end, &t};
    nir_shader_compiler_options options = {.max_unroll_iterations = 32, .observer = &observer};
    nir_shader *nir[MAX_SHADERS];
    for (unsigned i = 0; i < count; i++)
        nir[i] = generate(shape, size, &options);
    t.instrs = count_instrs(nir[0]);
    double start = now();
    for (unsigned i = 0; i < count; i++)
        nir_optimize(nir[i]);
    t.optimize = (now() - start) / count;
    start = now();
    for (unsigned i = 0; i < count; i++)
        nir_convert_from_ssa(nir[i], true);
    t.leave = (now() - start) / count;
    for (unsigned i = 0; i < count; i++)
        nir_shader_destroy(nir[i]);
    for (unsigned i = 0; i < t.num_passes; i++) {
        t.passes[i].ms /= count;
        t.passes[i].calls /= count;
    }
    return t;
}

static void keep_better(struct timing *best, struct timing t)
{
    if (best->optimize == 0 || t.optimize < best->optimize)
        *best = t;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strncmp(argv[1], "--size=", 7)) {
        for (unsigned s = 0; s < NUM_SHAPES; s++) {
            if (argc == 2 || !strcmp(argv[2], shape_names[s]))
                measure_once(s, (unsigned)strtoul(argv[1] + 7, NULL, 10), 1);
        }
        return 0;
    }
    double limit = argc > 1 ? strtod(argv[1], NULL) : 0;
    /* Keeps freed memory, because page faults must not be measured. */
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    bool ok = true;
    printf("%-9s %10s %12s %10s %12s %6s %15s\n", "shape", "instrs", "loop ms", "instrs", "loop ms",
           "ratio", "out of SSA ms");
    for (unsigned s = 0; s < NUM_SHAPES; s++) {
        /* Interleaved runs, best of each, because other programs run, too. */
        struct timing small = {0}, large = {0};
        for (unsigned i = 0; i < ROUNDS; i++) {
            keep_better(&small, measure_once(s, 10000, MAX_SHADERS));
            keep_better(&large, measure_once(s, 100000, 1));
        }
        double ratio = large.optimize / small.optimize * ((double)small.instrs * 10 / large.instrs);
        printf("%-9s %10u %12.1f %10u %12.1f %6.1f %7.1f %7.1f\n", shape_names[s], small.instrs,
               small.optimize, large.instrs, large.optimize, ratio, small.leave, large.leave);
        if (getenv("NIR_BENCH_PASSES"))
            print_passes(&small, &large);
        ok = ok && (limit == 0 || ratio <= limit);
    }
    return ok ? 0 : 1;
}
