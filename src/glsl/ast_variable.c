/* SPDX-License-Identifier: MIT */
/* Declarations of variables and their qualifiers (GLSL 4.60 §4.3 to §4.8). */
#include "glsl/ast_layout.h"

uint8_t qualifier_interpolation(const struct ast_qualifier *q)
{
    return q->flags & AST_FLAT            ? INTERP_MODE_FLAT
           : q->flags & AST_NOPERSPECTIVE ? INTERP_MODE_NOPERSPECTIVE
           : q->flags & AST_PERVERTEX     ? INTERP_MODE_PER_VERTEX
           : q->flags & AST_SMOOTH        ? INTERP_MODE_SMOOTH
                                          : INTERP_MODE_DEFAULT;
}

uint8_t qualifier_access(const struct ast_qualifier *q)
{
    return (q->flags & AST_COHERENT ? ACCESS_COHERENT : 0) |
           (q->flags & AST_VOLATILE ? ACCESS_VOLATILE : 0) |
           (q->flags & AST_RESTRICT ? ACCESS_RESTRICT : 0) |
           (q->flags & AST_READONLY ? ACCESS_NON_WRITEABLE : 0) |
           (q->flags & AST_WRITEONLY ? ACCESS_NON_READABLE : 0);
}

uint8_t resolve_precision(struct ast_state *st, const struct ast_qualifier *q,
                          const struct glsl_type *type, struct glsl_loc loc)
{
    const struct glsl_type *t = glsl_without_array(type);
    bool takes = t->base_type == GLSL_TYPE_FLOAT || t->base_type == GLSL_TYPE_INT ||
                 t->base_type == GLSL_TYPE_UINT || type_is_opaque(t);
    if (q->precision && !takes && !glsl_type_is_error(t)) {
        glsl_error(st->c, loc, "precision qualifiers are not allowed for type %s", t->name);
        return GLSL_PRECISION_NONE;
    }
    if (!takes)
        return GLSL_PRECISION_NONE;
    enum glsl_precision precision = q->precision ? q->precision : default_precision(st, t);
    if (st->c->es && t->base_type == GLSL_TYPE_ATOMIC_UINT && precision != GLSL_PRECISION_HIGH)
        glsl_error(st->c, loc, "atomic counters can only be highp"); /* ESSL 3.20 §4.7.3 */
    if (st->c->es && precision == GLSL_PRECISION_NONE)               /* ESSL 1.00 §4.5.3 */
        glsl_error(st->c, loc, "no precision specified for type %s", t->name);
    return precision;
}

enum hir_variable_mode qualifier_mode(struct ast_state *st, const struct ast_qualifier *q)
{
    bool fragment = st->c->stage == SHADER_FRAGMENT;
    if (q->flags & AST_UNIFORM)
        return HIR_VAR_UNIFORM;
    if (q->flags & AST_BUFFER)
        return HIR_VAR_BUFFER;
    if (q->flags & (AST_SHARED | AST_TASK_PAYLOAD))
        return HIR_VAR_SHARED;
    if (q->flags & AST_ATTRIBUTE)
        return HIR_VAR_SHADER_IN;
    if (q->flags & AST_VARYING) /* GL_ARB_geometry_shader4 has `varying in` */
        return (fragment || q->flags & AST_IN) && !(q->flags & AST_OUT) ? HIR_VAR_SHADER_IN
                                                                        : HIR_VAR_SHADER_OUT;
    if (st->sig)
        return HIR_VAR_AUTO;
    if (q->flags & AST_OUT)
        return HIR_VAR_SHADER_OUT;
    if (q->flags & AST_IN && !(q->flags & AST_CONST))
        return HIR_VAR_SHADER_IN;
    return HIR_VAR_GLOBAL;
}

/* ------------------------------------------------------------------------- storage rules --- */

static bool framebuffer_fetch(const struct ast_state *st)
{
    return st_ext(st, GLSL_EXT_EXT_shader_framebuffer_fetch) ||
           st_ext(st, GLSL_EXT_EXT_shader_framebuffer_fetch_non_coherent);
}

/* Returns the name of a stage with workgroups, for messages. */
static const char *stage_word(enum shader_stage stage)
{
    return stage == SHADER_TASK ? "task" : stage == SHADER_MESH ? "mesh" : "compute";
}

/* EXT_mesh_shader, GLSL §4.3.X: only task and mesh shaders have a payload, and only one. */
static void check_payload(struct ast_state *st, struct glsl_loc loc)
{
    if (st->c->stage != SHADER_TASK && st->c->stage != SHADER_MESH)
        glsl_error(st->c, loc, "\"taskPayloadSharedEXT\" is only allowed in task and mesh shaders");
    else if (st->payload_declared)
        glsl_error(st->c, loc, "there can be only one variable with \"taskPayloadSharedEXT\"");
    st->payload_declared = true;
}

/* Checks the storage qualifiers of a global variable against stage and version. */
static void check_storage(struct ast_state *st, const struct ast_qualifier *q, struct glsl_loc loc)
{
    struct glsl_compiler *c = st->c;
    bool in_out = q->flags & (AST_IN | AST_OUT);
    if (q->flags & AST_ATTRIBUTE && c->stage != SHADER_VERTEX)
        glsl_error(c, loc, "attributes are only allowed in vertex shaders");
    if (q->flags & (AST_ATTRIBUTE | AST_VARYING) && (st_has(st, 420, 300) && (c->es || !c->compat)))
        glsl_error(c, loc,
                   "\"attribute\" and \"varying\" are not available in this language version");
    if (q->flags & AST_VARYING && in_out && c->stage != SHADER_GEOMETRY &&
        !st_ext(st, GLSL_EXT_EXT_gpu_shader4))
        glsl_error(c, loc,
                   "\"varying in\" and \"varying out\" are only allowed in geometry shaders");
    if (q->flags & AST_VARYING && shader_stage_has_workgroups(c->stage))
        glsl_error(c, loc, "%s shaders cannot have varyings", stage_word(c->stage));
    if ((q->flags & (AST_IN | AST_OUT)) == (AST_IN | AST_OUT)) {
        if (c->stage != SHADER_FRAGMENT || !st_has(st, 130, 300) || !framebuffer_fetch(st))
            glsl_error(c, loc, "\"inout\" is only allowed on parameters");
    } else if (in_out && !(q->flags & AST_VARYING) && !st_has(st, 130, 300) &&
               !st_ext(st, GLSL_EXT_ARB_explicit_attrib_location) &&
               !st_ext(st, GLSL_EXT_ARB_separate_shader_objects) &&
               !st_ext(st, GLSL_EXT_EXT_gpu_shader4))
        glsl_error(c, loc, "\"in\" and \"out\" at global scope require GLSL 1.30 or GLSL ES 3.00");
    if (q->flags & (AST_CENTROID | AST_SAMPLE) && !(q->flags & (AST_IN | AST_OUT | AST_VARYING)))
        glsl_error(c, loc, "\"centroid\" and \"sample\" require \"in\", \"out\" or \"varying\"");
    if (q->flags & AST_CENTROID && c->stage == SHADER_VERTEX && q->flags & AST_IN)
        glsl_error(c, loc, "\"centroid\" is not allowed on vertex shader inputs");
    if (q->flags & AST_CENTROID && c->stage == SHADER_FRAGMENT && q->flags & AST_OUT)
        glsl_error(c, loc, "\"centroid\" is not allowed on fragment shader outputs");
    if (q->flags & AST_SAMPLE && ((c->stage == SHADER_VERTEX && q->flags & AST_IN) ||
                                  (c->stage == SHADER_FRAGMENT && q->flags & AST_OUT)))
        glsl_error(c, loc,
                   "\"sample\" is not allowed on vertex shader inputs and fragment shader outputs");
    if (in_out && (c->stage == SHADER_COMPUTE || c->stage == SHADER_TASK))
        glsl_error(c, loc, "%s shaders cannot have user-defined inputs and outputs",
                   stage_word(c->stage));
    if (q->flags & AST_IN && c->stage == SHADER_MESH)
        glsl_error(c, loc, "mesh shaders cannot have user-defined inputs");
    if (q->flags & AST_PERPRIMITIVE && !((c->stage == SHADER_MESH && q->flags & AST_OUT) ||
                                         (c->stage == SHADER_FRAGMENT && q->flags & AST_IN)))
        glsl_error(c, loc,
                   "\"perprimitiveEXT\" is only allowed on mesh shader outputs and fragment shader "
                   "inputs");
    if (q->flags & AST_PATCH && !((c->stage == SHADER_TESS_CTRL && q->flags & AST_OUT) ||
                                  (c->stage == SHADER_TESS_EVAL && q->flags & AST_IN)))
        glsl_error(c, loc,
                   "\"patch\" is only allowed on tessellation control outputs and tessellation "
                   "evaluation inputs");
    if (q->flags & AST_SHARED && !shader_stage_has_workgroups(c->stage))
        glsl_error(c, loc, "shared variables are only allowed in compute, task and mesh shaders");
    if (q->flags & AST_TASK_PAYLOAD)
        check_payload(st, loc);
}

/* GLSL 1.10 §4.3.4 allows floats, 1.30 integers, 1.50 arrays. */
static void check_vertex_input(struct ast_state *st, const struct hir_variable *var,
                               struct glsl_loc loc)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    bool wide = st_has(st, 410, 0) || st_ext(st, GLSL_EXT_ARB_vertex_attrib_64bit);
    bool fits = t->base_type == GLSL_TYPE_FLOAT || t->base_type == GLSL_TYPE_FLOAT16 ||
                (glsl_type_is_64bit(t) && wide) ||
                ((t->base_type == GLSL_TYPE_INT || t->base_type == GLSL_TYPE_UINT) &&
                 (st_has(st, 130, 300) || st_ext(st, GLSL_EXT_EXT_gpu_shader4)));
    fits |= type_contains_handle(t) && !glsl_type_is_struct(t) && !type_is_no_value(st, t);
    if (!fits)
        glsl_error(st->c, loc, "vertex shader inputs cannot have type %s", var->type->name);
    else if (glsl_type_is_array(var->type) && !st_has(st, 150, 0))
        glsl_error(st->c, loc, "vertex shader inputs cannot be arrays");
}

static void check_fragment_output(struct ast_state *st, const struct hir_variable *var,
                                  struct glsl_loc loc)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    if (glsl_type_is_matrix(t) || glsl_type_is_struct(t) ||
        (t->base_type != GLSL_TYPE_FLOAT && t->base_type != GLSL_TYPE_INT &&
         t->base_type != GLSL_TYPE_UINT))
        glsl_error(st->c, loc, "fragment shader outputs cannot have type %s", var->type->name);
    else if (glsl_type_is_array(var->type) && glsl_type_is_array(var->type->element) && st->c->es)
        glsl_error(st->c, loc, "fragment shader outputs cannot be arrays of arrays");
}

/* ESSL 3.20 §4.3.4 and §4.3.6: a varying has at most one array dimension in addition to the one for
 * vertices, and not of structs. Struct members are neither arrays nor structs. */
static void check_nesting(struct ast_state *st, const struct hir_variable *var, struct glsl_loc loc)
{
    const struct glsl_type *t = var->type;
    if (glsl_type_is_array(t) && is_per_vertex(st, var->mode, var->patch, var->interpolation))
        t = t->element;
    const struct glsl_type *inner = glsl_type_is_array(t) ? t->element : t;
    bool nested = glsl_type_is_array(inner) || (inner != t && glsl_type_is_struct(inner));
    for (unsigned i = 0; glsl_type_is_struct(inner) && i < inner->length; i++)
        nested |=
            glsl_type_is_array(inner->fields[i].type) || glsl_type_is_struct(inner->fields[i].type);
    if (nested)
        glsl_error(st->c, loc, "varyings of type %s are not allowed in GLSL ES", t->name);
}

static void check_varying(struct ast_state *st, const struct hir_variable *var,
                          const struct ast_qualifier *q, struct glsl_loc loc)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    bool integers = glsl_type_contains(t, GLSL_TYPE_INT) || glsl_type_contains(t, GLSL_TYPE_UINT);
    if (glsl_type_contains(t, GLSL_TYPE_BOOL) || type_is_no_value(st, t) || glsl_type_is_void(t)) {
        glsl_error(st->c, loc, "varyings cannot have type %s", var->type->name);
        return;
    }
    bool new_types = st_has(st, 130, 300) || st_ext(st, GLSL_EXT_EXT_gpu_shader4);
    if (!new_types && t->base_type != GLSL_TYPE_FLOAT)
        glsl_error(st->c, loc, "varyings cannot have type %s", var->type->name);
    else if (glsl_type_is_struct(t) && !st_has(st, 150, 300))
        glsl_error(st->c, loc, "varyings cannot be structs before GLSL 1.50 and GLSL ES 3.00");
    if (st->c->es)
        check_nesting(st, var, loc);
    /* GLSL 1.50 §4.3.4: fragment inputs; ESSL 3.00 §4.3.6: vertex outputs, too, but not in ESSL
     * 3.20 §4.3.6. GLSL 1.30 requires it on outputs, but applying the rule of 1.50 there is common
     * practice. */
    bool flat = q->flags & (AST_FLAT | AST_PERPRIMITIVE);
    bool checked = st->c->stage == SHADER_FRAGMENT ||
                   (st->c->es && st->c->version < 320 && st->c->stage == SHADER_VERTEX);
    const bool raw = q->flags & AST_PERVERTEX;
    if (integers && !flat && !raw && new_types && checked)
        glsl_error(st->c, loc, "integer varyings must be declared flat");
    bool wide = glsl_type_contains(t, GLSL_TYPE_DOUBLE) || glsl_type_contains(t, GLSL_TYPE_INT64) ||
                glsl_type_contains(t, GLSL_TYPE_UINT64);
    if (wide && !flat && !raw && st->c->stage == SHADER_FRAGMENT)
        glsl_error(st->c, loc, "64-bit inputs must be declared flat");
    if (type_contains_handle(t) && !flat && st->c->stage == SHADER_FRAGMENT)
        glsl_error(st->c, loc, "inputs of type %s must be declared flat", var->type->name);
}

static void check_interpolation(struct ast_state *st, const struct hir_variable *var,
                                const struct ast_qualifier *q, struct glsl_loc loc)
{
    bool vertex_in = st->c->stage == SHADER_VERTEX && var->mode == HIR_VAR_SHADER_IN;
    bool fragment_out = st->c->stage == SHADER_FRAGMENT && var->mode == HIR_VAR_SHADER_OUT;
    if (!(q->flags & AST_INTERPOLATION))
        return;
    if (q->flags & AST_PERPRIMITIVE)
        glsl_error(st->c, loc, "interpolation qualifiers are not allowed with \"perprimitiveEXT\"");
    if (q->flags & AST_PATCH) /* GLSL 4.60 §4.5 */
        glsl_error(st->c, loc, "interpolation qualifiers are not allowed with \"patch\"");
    if ((var->mode != HIR_VAR_SHADER_IN && var->mode != HIR_VAR_SHADER_OUT) || vertex_in ||
        fragment_out)
        glsl_error(st->c, loc, "interpolation qualifiers are only allowed on varyings");
    else if (q->flags & AST_PERVERTEX &&
             (st->c->stage != SHADER_FRAGMENT || var->mode != HIR_VAR_SHADER_IN))
        glsl_error(st->c, loc, "\"pervertexNV\" is only allowed on fragment shader inputs");
    else if (q->flags & AST_PERVERTEX && q->flags & (AST_CENTROID | AST_SAMPLE))
        glsl_error(st->c, loc, "\"pervertexNV\" inputs are not interpolated");
    else if (q->flags & AST_VARYING && !st_ext(st, GLSL_EXT_EXT_gpu_shader4) && st_has(st, 130, 0))
        glsl_error(st->c, loc,
                   "interpolation qualifiers are not allowed with the deprecated \"varying\"");
}

static void check_invariant(struct ast_state *st, const struct hir_variable *var,
                            const struct ast_qualifier *q, struct glsl_loc loc)
{
    if (!(q->flags & AST_INVARIANT))
        return;
    bool output = var->mode == HIR_VAR_SHADER_OUT;
    bool input =
        st->c->stage != SHADER_VERTEX && var->mode == HIR_VAR_SHADER_IN && !st_has(st, 420, 300);
    if (!output && !input)
        glsl_error(st->c, loc, "\"%s\" cannot be declared invariant", var->name);
}

static void check_global(struct ast_state *st, struct hir_variable *var,
                         const struct ast_qualifier *q, struct glsl_loc loc)
{
    check_storage(st, q, loc);
    check_interpolation(st, var, q, loc);
    check_invariant(st, var, q, loc);
    check_subroutine_variable(st, var, q, loc);
    if (type_is_no_value(st, var->type) && var->mode != HIR_VAR_UNIFORM)
        glsl_error(st->c, loc, "variables of type %s must be uniform", var->type->name);
    if (q->flags & AST_MEMORY && !glsl_type_is_image(glsl_without_array(var->type)))
        glsl_error(st->c, loc, "memory qualifiers are only allowed on images and buffer blocks");
    if (var->mode == HIR_VAR_BUFFER)
        glsl_error(st->c, loc, "buffer variables must be members of a block");
    if (var->mode == HIR_VAR_SHADER_IN && st->c->stage == SHADER_VERTEX)
        check_vertex_input(st, var, loc);
    else if (var->mode == HIR_VAR_SHADER_OUT && st->c->stage == SHADER_FRAGMENT)
        check_fragment_output(st, var, loc);
    else if (var->mode == HIR_VAR_SHADER_IN || var->mode == HIR_VAR_SHADER_OUT)
        check_varying(st, var, q, loc);
}

static void check_local(struct ast_state *st, const struct hir_variable *var,
                        const struct ast_qualifier *q, struct glsl_loc loc)
{
    check_subroutine_variable(st, var, q, loc);
    uint32_t allowed = AST_CONST | AST_PRECISE;
    if (glsl_type_is_image(glsl_without_array(var->type)))
        allowed |= AST_MEMORY;
    if (q->flags & ~allowed || q->layout)
        glsl_error(st->c, loc, "qualifier not allowed on the local variable \"%s\"", var->name);
    if (type_is_no_value(st, var->type))
        glsl_error(st->c, loc, "variables of type %s must be uniform", var->type->name);
}

void apply_qualifier(struct ast_state *st, struct hir_variable *var, const struct ast_qualifier *q)
{
    var->per_primitive = q->flags & AST_PERPRIMITIVE;
    var->payload = q->flags & AST_TASK_PAYLOAD;
    var->interpolation = var->per_primitive ? INTERP_MODE_FLAT : qualifier_interpolation(q);
    var->centroid = q->flags & AST_CENTROID;
    var->sample = q->flags & AST_SAMPLE;
    var->patch = q->flags & AST_PATCH;
    var->invariant = q->flags & AST_INVARIANT ||
                     (st->c->pragma_invariant_all && var->mode == HIR_VAR_SHADER_OUT);
    var->precise = q->flags & AST_PRECISE;
    st->sh->has_precise |= var->precise || var->invariant;
    var->access = qualifier_access(q);
    var->read_only = q->flags & AST_CONST || var->mode == HIR_VAR_UNIFORM ||
                     var->mode == HIR_VAR_SHADER_IN ||
                     (var->payload && st->c->stage == SHADER_MESH);
    /* The texels of a readonly image are read-only, but not the handle in an image variable. */
    if (!glsl_type_is_image(glsl_without_array(var->type)))
        var->read_only |= (q->flags & AST_READONLY) != 0;
}

/* --------------------------------------------------------------------------- initializers --- */

static bool initializer_allowed(struct ast_state *st, const struct hir_variable *var,
                                struct glsl_loc loc)
{
    if (var->mode == HIR_VAR_SHADER_IN || var->mode == HIR_VAR_SHADER_OUT ||
        var->mode == HIR_VAR_SHARED) {
        glsl_error(st->c, loc, "\"%s\" cannot have an initializer", var->name);
        return false;
    }
    if (var->mode == HIR_VAR_UNIFORM) {
        if (type_contains_opaque(var->type))
            glsl_error(st->c, loc, "samplers cannot have an initializer");
        else if (!st_has(st, 120, 0))
            glsl_error(st->c, loc, "initializers of uniforms require GLSL 1.20");
        else
            return true;
        return false;
    }
    if (!array_is_value(st, var->type)) {
        glsl_error(st->c, loc, "initializers of arrays require GLSL 1.20 or GLSL ES 3.00");
        return false;
    }
    return true;
}

static void store_initializer(struct ast_state *st, struct hir_variable *var,
                              const struct ast_qualifier *q, struct hir_value *value,
                              struct glsl_loc loc)
{
    struct hir_constant *c = hir_constant_value(st->sh, value);
    bool is_const = q->flags & AST_CONST;
    bool local_const =
        st->sig && (st_has(st, 420, 0) || st_ext(st, GLSL_EXT_ARB_shading_language_420pack));
    if (is_const && c) {
        var->constant_value = c;
        return;
    }
    if (is_const && !local_const) {
        glsl_error(st->c, loc, "the initializer of const \"%s\" must be a constant expression",
                   var->name);
        return;
    }
    if (var->mode == HIR_VAR_UNIFORM || (!st->sig && c)) {
        if (c)
            var->constant_initializer = c;
        else
            glsl_error(st->c, loc,
                       "the initializer of uniform \"%s\" must be a constant expression",
                       var->name);
        return;
    }
    if (!st->sig && st->c->es) { /* ESSL 1.00 §4.3 */
        glsl_error(st->c, loc,
                   "the initializer of a global variable must be a constant expression");
        return;
    }
    var->initialized = true;
    emit_assign(st, hir_deref_var(st->sh, var), value);
}

static void initialize(struct ast_state *st, struct hir_variable *var,
                       const struct ast_qualifier *q, const struct ast_declarator *d,
                       struct hir_value *value)
{
    if (!initializer_allowed(st, var, d->loc) || value_is_error(value) ||
        glsl_type_is_error(var->type))
        return;
    struct hir_value *converted = convert_implicitly(st, value, var->type);
    if (!converted) {
        glsl_error(st->c, d->init->loc,
                   "cannot initialize \"%s\" of type %s with a value of type %s", var->name,
                   var->type->name, value->type->name);
        return;
    }
    var->assigned = true;
    store_initializer(st, var, q, converted, d->init->loc);
}

/* -------------------------------------------------------------------------- declarations --- */

static void check_unsized(struct ast_state *st, struct hir_variable *var,
                          const struct ast_declarator *d)
{
    if (!glsl_type_is_unsized_array(var->type) || d->init)
        return;
    if (var->payload)
        glsl_error(st->c, d->loc, "the payload \"%s\" must have a size", var->name);
    /* A layout qualifier may follow that sizes per-vertex arrays (ESSL 3.20 §4.3.4, §4.3.6). */
    if (st->c->es && (st->sig || !is_per_vertex(st, var->mode, var->patch, var->interpolation)))
        glsl_error(st->c, d->loc, "array \"%s\" must have a size", var->name);
    else if (!glsl_type_is_array(var->type->element) || var->type->element->length)
        var->implicit_sized = true;
}

static struct hir_variable *make_variable(struct ast_state *st, const struct ast_node *n,
                                          const struct glsl_type *type,
                                          const struct ast_declarator *d)
{
    const struct ast_qualifier *q = &n->qualifier;
    if (glsl_type_is_void(type)) {
        glsl_error(st->c, d->loc, "\"%s\" cannot be void", d->name->text);
        type = glsl_error_type();
    }
    struct hir_variable *var = hir_variable_create(st->sh, type, NULL, qualifier_mode(st, q));
    var->name = atom_name(st, d->name);
    var->node.loc = d->loc;
    if (glsl_type_is_error(type))
        return var;
    apply_qualifier(st, var, q);
    var->precision = resolve_precision(st, q, type, d->loc);
    if (st->sig)
        check_local(st, var, q, d->loc);
    else
        check_global(st, var, q, d->loc);
    if (!st->sig && is_per_vertex(st, var->mode, var->patch, var->interpolation))
        add_per_vertex(st, var, d->loc);
    apply_layout(st, var, q);
    if (var->mode == HIR_VAR_SHADER_OUT && (q->flags & AST_IN)) {
        var->framebuffer_fetch = true;
        if (!var->noncoherent && !st_ext(st, GLSL_EXT_EXT_shader_framebuffer_fetch))
            glsl_error(st->c, d->loc, "\"inout\" outputs require layout(noncoherent) here");
    }
    check_unsized(st, var, d);
    if (q->flags & AST_CONST && !d->init)
        glsl_error(st->c, d->loc, "const \"%s\" requires an initializer", var->name);
    return var;
}

/* Returns whether a name may be declared; handles permitted redeclarations. */
static bool name_is_free(struct ast_state *st, const struct ast_node *n,
                         const struct glsl_type *type, const struct ast_declarator *d)
{
    struct glsl_symbol *old = d->name->symbol;
    bool builtin = old && old->level == 0 && !strncmp(d->name->text, "gl_", 3);
    if (old && old->kind == SYMBOL_VARIABLE && !st->sig && (old->level == 1 || builtin) &&
        ast_redeclare(st, old->var, type, &n->qualifier, d))
        return false;
    if (old && old->kind == SYMBOL_VARIABLE && st->sig && symbol_in_scope(st, d->name) &&
        glsl_type_is_unsized_array(old->var->type) &&
        ast_redeclare(st, old->var, type, &n->qualifier, d))
        return false;
    check_declarable(st, d->name, d->loc);
    if (symbol_in_scope(st, d->name)) {
        glsl_error(st->c, d->loc, "\"%s\" is already declared in this scope", d->name->text);
        return false;
    }
    return true;
}

/* In an array of arrays, only the outermost size may be missing, unless an initializer provides the
 * others. */
static void check_inner_sizes(struct ast_state *st, const struct glsl_type *type,
                              const struct ast_declarator *d)
{
    while (glsl_type_is_array(type) && glsl_type_is_array(type->element)) {
        type = type->element;
        if (type->length == 0) {
            glsl_error(st->c, d->loc, "only the outermost array dimension of \"%s\" may be unsized",
                       d->name->text);
            return;
        }
    }
}

/* Returns the type of a variable, completed from its initializer. */
static const struct glsl_type *complete_type(struct ast_state *st, const struct glsl_type *type,
                                             const struct hir_value *value)
{
    const struct glsl_type *complete = take_sizes(st, type, value->type);
    if (lacks_size(value->type)) {
        glsl_error(st->c, value->node.loc, "an array without a size cannot be an initializer");
        return glsl_error_type();
    }
    if (complete != type && glsl_packed_size(value->type) > 8u << 22) {
        glsl_error(st->c, value->node.loc, "array is too large");
        return glsl_error_type();
    }
    return complete;
}

static void declare_variable(struct ast_state *st, struct ast_node *n, const struct ast_type *base,
                             const struct ast_declarator *d)
{
    const struct glsl_type *type = ast_resolve_type(st, base, &d->dims);
    struct hir_value *value = NULL;
    if (d->init) { /* evaluated first: it cannot see the new name (GLSL 4.60 §4.2.2) */
        value = ast_initializer(st, type, d->init);
        type = complete_type(st, type, value);
    } else {
        check_inner_sizes(st, type, d);
    }
    bool is_new = name_is_free(st, n, type, d);
    struct hir_variable *var = NULL;
    if (is_new) {
        var = make_variable(st, n, type, d);
        hir_emit(st, &var->node);
        symbol_add(st, d->name, SYMBOL_VARIABLE)->var = var;
    } else if (d->name->symbol && d->name->symbol->kind == SYMBOL_VARIABLE) {
        var = d->name->symbol->var;
    }
    if (!value || !var)
        return;
    if (var->builtin)
        glsl_error(st->c, d->loc, "a built-in variable cannot have an initializer");
    else
        initialize(st, var, &n->qualifier, d, value);
}

/* Checks the qualifiers of a declaration without names: a struct definition, an empty declaration,
 * or the default offset of a binding's atomic counters. */
static void declare_nothing(struct ast_state *st, struct ast_node *n, const struct ast_type *base)
{
    const struct ast_qualifier *q = &n->qualifier;
    const uint32_t storage = q->flags & AST_STORAGE & ~AST_CONST;
    const struct glsl_type *type = ast_resolve_type(st, base, NULL);
    if (storage == AST_UNIFORM && !st->sig && type->base_type == GLSL_TYPE_ATOMIC_UINT) {
        default_counter_offset(st, q, n->loc);
        return;
    }
    if (storage & (AST_ATTRIBUTE | AST_VARYING) || storage == (AST_IN | AST_OUT))
        check_storage(st, q, n->loc);
    if (storage == AST_BUFFER)
        glsl_error(st->c, n->loc, "buffer variables must be members of a block");
    else if (n->type->structure && !n->type->structure->name && storage)
        glsl_error(st->c, n->loc, "an interface block must have a name");
    if (!n->type->structure) {
        glsl_warning(st->c, n->loc, "empty declaration");
        if (q->precision)
            resolve_precision(st, q, type, n->loc);
    } else if (q->precision) {
        glsl_error(st->c, n->loc, "precision qualifiers are not allowed for structs");
    } else if (q->flags & AST_INVARIANT) {
        glsl_error(st->c, n->loc, "\"invariant\" requires a variable");
    }
}

void ast_variables(struct ast_state *st, struct ast_node *n)
{
    struct ast_type base = *n->type;
    if (base.structure) { /* defined once for all declarators */
        base.builtin = ast_declare_struct(st, base.structure);
        base.structure = NULL;
    }
    if (!n->declarators) {
        declare_nothing(st, n, &base);
        return;
    }
    for (const struct ast_declarator *d = n->declarators; d; d = d->next)
        declare_variable(st, n, &base, d);
}
