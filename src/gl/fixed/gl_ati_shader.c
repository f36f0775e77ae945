/* SPDX-License-Identifier: MIT */
/* ATI_fragment_shader: the commands. */
#include "gl/fixed/gl_ati_shader.h"

#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/fixed/gl_ff.h"
#include "gl_entry.h"
#include "util/refcount.h"

/* ---------------------------------------------------------------------------------- objects --- */

static struct gl_ati_shader *create(void)
{
    struct gl_ati_shader *s = talloc_zero(NULL, struct gl_ati_shader);
    if (s)
        s->refcount = 1;
    return s;
}

static void unref(struct gl_context *ctx, struct gl_ati_shader *s)
{
    if (!s || !ref_drop(&s->refcount))
        return;
    gl_ff_free_table(ctx, s->programs);
    talloc_free(s);
}

static void bind(struct gl_context *ctx, struct gl_ati_shader *s)
{
    /* Binding the same shader counts, too: another context may have redefined it. */
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY);
    ref_take(&s->refcount);
    unref(ctx, ctx->ati.current);
    ctx->ati.current = s;
}

bool gl_ati_init(struct gl_context *ctx)
{
    ctx->ati.initial = ctx->ati.current = create();
    if (!ctx->ati.initial)
        return false;
    ctx->ati.initial->refcount++;
    return true;
}

void gl_ati_finish(struct gl_context *ctx)
{
    unref(ctx, ctx->ati.current);
    unref(ctx, ctx->ati.initial);
}

static void finish_one(GLuint name, void *object, void *ctx)
{
    unref(ctx, object);
}

void gl_ati_finish_shared(struct gl_context *ctx, struct gl_shared *shared)
{
    gl_names_foreach(&shared->ati_shaders, finish_one, ctx);
    gl_names_finish(&shared->ati_shaders);
}

/* Checks that a definition is open (needed) or not open (!needed). Returns false after raising an
 * error. */
static bool check_defining(struct gl_context *ctx, bool needed, const char *call)
{
    if (ctx->ati.defining == needed)
        return true;
    gl_error(ctx, GL_INVALID_OPERATION, "%s(%s a shader's definition)", call,
             needed ? "outside of" : "inside");
    return false;
}

GLuint gl_GenFragmentShadersATI(GLuint range)
{
    GL_CONTEXT(ctx);
    if (!check_defining(ctx, false, "glGenFragmentShadersATI"))
        return 0;
    if (!range) {
        gl_error(ctx, GL_INVALID_VALUE, "glGenFragmentShadersATI(range=0)");
        return 0;
    }
    GLuint first = gl_names_gen_range(&ctx->shared->ati_shaders, range);
    if (!first)
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenFragmentShadersATI(range=%u)", range);
    return first;
}

void gl_BindFragmentShaderATI(GLuint id)
{
    GL_CONTEXT(ctx);
    if (!check_defining(ctx, false, "glBindFragmentShaderATI"))
        return;
    struct gl_names *names = &ctx->shared->ati_shaders;
    gl_names_lock(names);
    struct gl_ati_shader *s = id ? gl_names_lookup(names, id) : ctx->ati.initial;
    if (!s) {
        s = create();
        if (s && !gl_names_insert(names, id, s)) {
            unref(ctx, s);
            s = NULL;
        }
    }
    gl_names_unlock(names);
    if (s)
        bind(ctx, s);
    else
        gl_error(ctx, GL_OUT_OF_MEMORY, "glBindFragmentShaderATI");
}

void gl_DeleteFragmentShaderATI(GLuint id)
{
    GL_CONTEXT(ctx);
    if (!check_defining(ctx, false, "glDeleteFragmentShaderATI") || !id)
        return;
    struct gl_ati_shader *s = gl_names_remove(&ctx->shared->ati_shaders, id);
    if (s && ctx->ati.current == s)
        bind(ctx, ctx->ati.initial);
    unref(ctx, s);
}

/* ------------------------------------------------------------------------------ definitions --- */

void gl_BeginFragmentShaderATI(void)
{
    GL_CONTEXT(ctx);
    if (!check_defining(ctx, false, "glBeginFragmentShaderATI"))
        return;
    memset(&ctx->ati.draft, 0, sizeof ctx->ati.draft);
    ctx->ati.draft.passes = 1;
    ctx->ati.defining = true;
}

static bool is_color(GLenum source)
{
    return source == GL_PRIMARY_COLOR || source == GL_SECONDARY_INTERPOLATOR_ATI;
}

static bool reads_color(const struct gl_ati_pass *pass)
{
    for (unsigned i = 0; i < pass->pairs; i++)
        for (unsigned part = GL_ATI_COLOR; part <= GL_ATI_ALPHA; part++)
            for (unsigned j = 0; j < ARRAY_SIZE(pass->pair[i][part].arg); j++)
                if (is_color(pass->pair[i][part].arg[j].source))
                    return true;
    return false;
}

/* Returns why the definition is invalid, or NULL if it is valid. */
static const char *find_definition_error(const struct gl_ati_definition *d)
{
    if (!d->pass[d->passes - 1].pairs)
        return "a pass without instructions";
    if (d->passes > 1 && reads_color(&d->pass[0]))
        return "colors in the first of two passes";
    return NULL;
}

void gl_EndFragmentShaderATI(void)
{
    GL_CONTEXT(ctx);
    struct gl_ati_shader *s = ctx->ati.current;
    if (!check_defining(ctx, true, "glEndFragmentShaderATI"))
        return;
    const char *why = find_definition_error(&ctx->ati.draft);
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY);
    ctx->ati.defining = false;
    gl_ff_free_table(ctx, s->programs);
    s->programs = NULL;
    s->definition = ctx->ati.draft;
    s->valid = !why;
    if (why)
        gl_error(ctx, GL_INVALID_OPERATION, "glEndFragmentShaderATI(%s)", why);
}

void gl_SetFragmentShaderConstantATI(GLuint dst, const GLfloat *value)
{
    GL_CONTEXT(ctx);
    unsigned n = dst - GL_CON_0_ATI;
    if (n >= GL_ATI_CONSTANTS) {
        gl_error(ctx, GL_INVALID_ENUM, "glSetFragmentShaderConstantATI(dst=%s)", gl_enum_name(dst));
        return;
    }
    if (!ctx->ati.defining)
        FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_PARAMETERS);
    else
        ctx->ati.draft.local |= 1u << n;
    memcpy(ctx->ati.defining ? ctx->ati.draft.constant[n] : ctx->ati.constant[n], value,
           4 * sizeof *value);
}

/* Returns the index of a register, which has the texture unit of the same index; -1 if the name is
 * invalid. */
static int register_of(const struct gl_context *ctx, GLuint name)
{
    unsigned n = name - GL_REG_0_ATI;
    return n < GL_ATI_REGISTERS && n < ctx->consts.max_texture_units ? (int)n : -1;
}

/* ---------------------------------------------------------------------------------- routing --- */

static bool is_swizzle(GLenum swizzle)
{
    return swizzle == GL_SWIZZLE_STR_ATI || swizzle == GL_SWIZZLE_STQ_ATI ||
           swizzle == GL_SWIZZLE_STR_DR_ATI || swizzle == GL_SWIZZLE_STQ_DQ_ATI;
}

static void route(GLuint dst, GLuint from, GLenum swizzle, bool sample, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_ati_definition *d = &ctx->ati.draft;
    if (!check_defining(ctx, true, call))
        return;
    int to = register_of(ctx, dst);
    unsigned coord = from - GL_TEXTURE0;
    bool is_register = register_of(ctx, from) >= 0;
    if (to < 0 || !is_swizzle(swizzle) ||
        (!is_register && (coord >= GL_ATI_COORDS || coord >= ctx->consts.max_texture_coords))) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(dst=%s, source=%s, swizzle=%s)", call, gl_enum_name(dst),
                 gl_enum_name(from), gl_enum_name(swizzle));
        return;
    }
    /* The first routing after an arithmetic instruction begins a pass. */
    unsigned pass = d->passes - 1 + (d->pass[d->passes - 1].pairs != 0);
    bool q = swizzle == GL_SWIZZLE_STQ_ATI || swizzle == GL_SWIZZLE_STQ_DQ_ATI;
    const char *why = NULL;
    if (pass >= GL_ATI_PASSES)
        why = "more than two passes";
    else if (d->pass[pass].route[to].source)
        why = "a register twice in a pass";
    else if (is_register && (pass == 0 || q))
        why = pass == 0 ? "a register in the first pass" : "a register's q";
    else if (!is_register && (q ? d->coord_r : d->coord_q) & 1u << coord)
        why = "both r and q of a texture coordinate";
    if (why) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", call, why);
        return;
    }
    if (!is_register)
        *(q ? &d->coord_q : &d->coord_r) |= 1u << coord;
    d->passes = pass + 1;
    d->pass[pass].route[to] =
        (struct gl_ati_route){.source = from, .swizzle = swizzle, .sample = sample};
}

void gl_PassTexCoordATI(GLuint dst, GLuint coord, GLenum swizzle)
{
    route(dst, coord, swizzle, false, "glPassTexCoordATI");
}

void gl_SampleMapATI(GLuint dst, GLuint interp, GLenum swizzle)
{
    route(dst, interp, swizzle, true, "glSampleMapATI");
}

/* ------------------------------------------------------------------------------- arithmetic --- */

#define DST_SCALES                                                                                 \
    (GL_2X_BIT_ATI | GL_4X_BIT_ATI | GL_8X_BIT_ATI | GL_HALF_BIT_ATI | GL_QUARTER_BIT_ATI |        \
     GL_EIGHTH_BIT_ATI)
#define DST_MASK (GL_RED_BIT_ATI | GL_GREEN_BIT_ATI | GL_BLUE_BIT_ATI)
#define ARG_MODS (GL_2X_BIT_ATI | GL_COMP_BIT_ATI | GL_NEGATE_BIT_ATI | GL_BIAS_BIT_ATI)

static unsigned argument_count(GLenum op)
{
    if (op == GL_MOV_ATI)
        return 1;
    if (op >= GL_ADD_ATI && op <= GL_DOT4_ATI)
        return 2;
    return op >= GL_MAD_ATI && op <= GL_DOT2_ADD_ATI ? 3 : 0;
}

static bool is_dot(GLenum op)
{
    return op == GL_DOT2_ADD_ATI || op == GL_DOT3_ATI || op == GL_DOT4_ATI;
}

static bool is_constant(GLenum source)
{
    return source - GL_CON_0_ATI < GL_ATI_CONSTANTS;
}

/* Returns GL_NO_ERROR, or the error for an invalid name or bit. */
static GLenum check_argument(const struct gl_context *ctx, const struct gl_ati_argument *a)
{
    bool source = register_of(ctx, a->source) >= 0 || is_constant(a->source) ||
                  a->source == GL_ZERO || a->source == GL_ONE || is_color(a->source);
    bool rep = a->rep == GL_NONE || (a->rep >= GL_RED && a->rep <= GL_ALPHA);
    if (!source || !rep)
        return GL_INVALID_ENUM;
    return a->mod & ~ARG_MODS ? GL_INVALID_VALUE : GL_NO_ERROR;
}

static GLenum check_names(const struct gl_context *ctx, const struct gl_ati_op *o, GLuint dst,
                          unsigned n)
{
    GLbitfield scale = o->mod & DST_SCALES;
    if (argument_count(o->op) != n || register_of(ctx, dst) < 0 || scale & (scale - 1))
        return GL_INVALID_ENUM;
    for (unsigned i = 0; i < n; i++) {
        GLenum error = check_argument(ctx, &o->arg[i]);
        if (error)
            return error;
    }
    return o->mod & ~(DST_SCALES | GL_SATURATE_BIT_ATI) || o->mask & ~DST_MASK ? GL_INVALID_VALUE
                                                                               : GL_NO_ERROR;
}

/* Returns why the sources can't be combined in an instruction, or NULL if they can. */
static const char *check_sources(const struct gl_ati_op *o, unsigned part, unsigned n)
{
    const struct gl_ati_argument *a = o->arg;
    for (unsigned i = 0; i < n; i++) {
        bool reads_alpha =
            a[i].rep == GL_ALPHA || (!a[i].rep && (part == GL_ATI_ALPHA || o->op == GL_DOT4_ATI));
        if (a[i].source == GL_SECONDARY_INTERPOLATOR_ATI && reads_alpha)
            return "alpha of the secondary color";
    }
    if (n == 3 && is_constant(a[0].source) && is_constant(a[1].source) &&
        is_constant(a[2].source) && a[0].source != a[1].source && a[1].source != a[2].source &&
        a[0].source != a[2].source)
        return "three constants";
    return NULL;
}

static void fragment_op(unsigned part, unsigned n, GLuint dst, struct gl_ati_op o, const char *call)
{
    GL_CONTEXT(ctx);
    if (!check_defining(ctx, true, call))
        return;
    GLenum error = check_names(ctx, &o, dst, n);
    if (error) {
        gl_error(ctx, error, "%s(op=%s, dst=%s)", call, gl_enum_name(o.op), gl_enum_name(dst));
        return;
    }
    struct gl_ati_pass *pass = &ctx->ati.draft.pass[ctx->ati.draft.passes - 1];
    /* Finds the last color instruction if it has no alpha instruction yet. */
    struct gl_ati_op *last = pass->pairs ? pass->pair[pass->pairs - 1] : NULL;
    bool joins = part == GL_ATI_ALPHA && last && !last[GL_ATI_ALPHA].op;
    const char *why = check_sources(&o, part, n);
    if (!why && part == GL_ATI_ALPHA) {
        GLenum color = joins ? last[GL_ATI_COLOR].op : GL_NONE;
        if (is_dot(o.op) ? color != o.op : color == GL_DOT4_ATI)
            why = "not the op of the color instruction before";
    }
    if (!why && !joins && pass->pairs == GL_ATI_PAIRS)
        why = "more than 8 instructions in a pass";
    if (why) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", call, why);
        return;
    }
    o.dst = (uint8_t)register_of(ctx, dst);
    pass->pairs += !joins;
    pass->pair[pass->pairs - 1][part] = o;
}

#define PARAMETERS(i) GLuint arg##i, GLuint arg##i##Rep, GLuint arg##i##Mod
#define ARGUMENT(i)   .arg[i - 1] = {arg##i, arg##i##Rep, arg##i##Mod}

void gl_ColorFragmentOp1ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, PARAMETERS(1))
{
    fragment_op(GL_ATI_COLOR, 1, dst,
                (struct gl_ati_op){.op = op, .mask = dstMask, .mod = dstMod, ARGUMENT(1)},
                "glColorFragmentOp1ATI");
}

void gl_ColorFragmentOp2ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, PARAMETERS(1),
                            PARAMETERS(2))
{
    fragment_op(
        GL_ATI_COLOR, 2, dst,
        (struct gl_ati_op){.op = op, .mask = dstMask, .mod = dstMod, ARGUMENT(1), ARGUMENT(2)},
        "glColorFragmentOp2ATI");
}

void gl_ColorFragmentOp3ATI(GLenum op, GLuint dst, GLuint dstMask, GLuint dstMod, PARAMETERS(1),
                            PARAMETERS(2), PARAMETERS(3))
{
    fragment_op(
        GL_ATI_COLOR, 3, dst,
        (struct gl_ati_op){
            .op = op, .mask = dstMask, .mod = dstMod, ARGUMENT(1), ARGUMENT(2), ARGUMENT(3)},
        "glColorFragmentOp3ATI");
}

void gl_AlphaFragmentOp1ATI(GLenum op, GLuint dst, GLuint dstMod, PARAMETERS(1))
{
    fragment_op(GL_ATI_ALPHA, 1, dst, (struct gl_ati_op){.op = op, .mod = dstMod, ARGUMENT(1)},
                "glAlphaFragmentOp1ATI");
}

void gl_AlphaFragmentOp2ATI(GLenum op, GLuint dst, GLuint dstMod, PARAMETERS(1), PARAMETERS(2))
{
    fragment_op(GL_ATI_ALPHA, 2, dst,
                (struct gl_ati_op){.op = op, .mod = dstMod, ARGUMENT(1), ARGUMENT(2)},
                "glAlphaFragmentOp2ATI");
}

void gl_AlphaFragmentOp3ATI(GLenum op, GLuint dst, GLuint dstMod, PARAMETERS(1), PARAMETERS(2),
                            PARAMETERS(3))
{
    fragment_op(GL_ATI_ALPHA, 3, dst,
                (struct gl_ati_op){.op = op, .mod = dstMod, ARGUMENT(1), ARGUMENT(2), ARGUMENT(3)},
                "glAlphaFragmentOp3ATI");
}
