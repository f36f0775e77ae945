/* SPDX-License-Identifier: MIT */
/*
 * Program interface queries (GL 4.6 §7.3.1): lists of a program's resources, their names and
 * properties, and the older commands that query parts of the same data (§7.6, §7.6.3). Lists are
 * computed by iterating over the linked program's tables. An index counts the resources of one
 * interface.
 */
#include <string.h>

#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"

/* One resource. Only the pointers that apply to its interface are set. */
struct resource {
    const char *name;
    const struct glsl_uniform *uniform; /* uniform or buffer variable */
    const struct glsl_attrib *attrib;
    const struct glsl_block *block;
    const struct glsl_xfb_output *xfb;
    const struct glsl_atomic_buffer *counters;
    const struct glsl_subroutine *subroutine;
    const struct glsl_subroutine_uniform *subroutine_uniform;
    bool is_xfb_buffer;
    unsigned xfb_buffer;
    unsigned array_size; /* 0: not an array */
};

/* Enumerants per stage: the subroutine interfaces (GL 4.6 tables 7.9 and 7.10), and the "referenced
 * by" property with its older names. */
static const struct {
    GLenum functions, uniforms, referenced, block_referenced, counters_referenced;
} stage_names[SHADER_STAGE_COUNT] = {
    [SHADER_VERTEX] = {GL_VERTEX_SUBROUTINE, GL_VERTEX_SUBROUTINE_UNIFORM,
                       GL_REFERENCED_BY_VERTEX_SHADER, GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER,
                       GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_VERTEX_SHADER},
    [SHADER_TESS_CTRL] = {GL_TESS_CONTROL_SUBROUTINE, GL_TESS_CONTROL_SUBROUTINE_UNIFORM,
                          GL_REFERENCED_BY_TESS_CONTROL_SHADER,
                          GL_UNIFORM_BLOCK_REFERENCED_BY_TESS_CONTROL_SHADER,
                          GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TESS_CONTROL_SHADER},
    [SHADER_TESS_EVAL] = {GL_TESS_EVALUATION_SUBROUTINE, GL_TESS_EVALUATION_SUBROUTINE_UNIFORM,
                          GL_REFERENCED_BY_TESS_EVALUATION_SHADER,
                          GL_UNIFORM_BLOCK_REFERENCED_BY_TESS_EVALUATION_SHADER,
                          GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TESS_EVALUATION_SHADER},
    [SHADER_GEOMETRY] = {GL_GEOMETRY_SUBROUTINE, GL_GEOMETRY_SUBROUTINE_UNIFORM,
                         GL_REFERENCED_BY_GEOMETRY_SHADER,
                         GL_UNIFORM_BLOCK_REFERENCED_BY_GEOMETRY_SHADER,
                         GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_GEOMETRY_SHADER},
    [SHADER_FRAGMENT] = {GL_FRAGMENT_SUBROUTINE, GL_FRAGMENT_SUBROUTINE_UNIFORM,
                         GL_REFERENCED_BY_FRAGMENT_SHADER,
                         GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER,
                         GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_FRAGMENT_SHADER},
    [SHADER_COMPUTE] = {GL_COMPUTE_SUBROUTINE, GL_COMPUTE_SUBROUTINE_UNIFORM,
                        GL_REFERENCED_BY_COMPUTE_SHADER,
                        GL_UNIFORM_BLOCK_REFERENCED_BY_COMPUTE_SHADER,
                        GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_COMPUTE_SHADER},
    [SHADER_TASK] = {GL_TASK_SUBROUTINE_EXT, GL_TASK_SUBROUTINE_UNIFORM_EXT,
                     GL_REFERENCED_BY_TASK_SHADER_EXT,
                     GL_UNIFORM_BLOCK_REFERENCED_BY_TASK_SHADER_EXT,
                     GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_TASK_SHADER_EXT},
    [SHADER_MESH] = {GL_MESH_SUBROUTINE_EXT, GL_MESH_SUBROUTINE_UNIFORM_EXT,
                     GL_REFERENCED_BY_MESH_SHADER_EXT,
                     GL_UNIFORM_BLOCK_REFERENCED_BY_MESH_SHADER_EXT,
                     GL_ATOMIC_COUNTER_BUFFER_REFERENCED_BY_MESH_SHADER_EXT},
};

static bool is_functions(GLenum interface)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        if (stage_names[s].functions == interface)
            return true;
    return false;
}

static bool is_function_uniforms(GLenum interface)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        if (stage_names[s].uniforms == interface)
            return true;
    return false;
}

/* Returns whether the resources of an interface have no names. */
static bool is_unnamed(GLenum interface)
{
    return interface == GL_ATOMIC_COUNTER_BUFFER || interface == GL_TRANSFORM_FEEDBACK_BUFFER;
}

static const struct glsl_program *glsl_of(const struct gl_program *p)
{
    return p->exe ? p->exe->glsl : NULL;
}

static bool is_buffer_variable(const struct glsl_program *glsl, const struct glsl_uniform *u)
{
    return u->block_index >= 0 && glsl->blocks[u->block_index].is_storage;
}

/* ---------------------------------------------------------------------------------- walking --- */

static bool get_function(const struct glsl_program *glsl, GLenum interface, unsigned at,
                         struct resource *r, bool *skip)
{
    if (at >= glsl->num_subroutines)
        return false;
    r->subroutine = &glsl->subroutines[at];
    r->name = r->subroutine->name;
    *skip = stage_names[r->subroutine->stage].functions != interface;
    return true;
}

static bool get_function_uniform(const struct glsl_program *glsl, GLenum interface, unsigned at,
                                 struct resource *r, bool *skip)
{
    if (at >= glsl->num_subroutine_uniforms)
        return false;
    r->subroutine_uniform = &glsl->subroutine_uniforms[at];
    r->name = r->subroutine_uniform->name;
    r->array_size = r->subroutine_uniform->array_size;
    *skip = stage_names[r->subroutine_uniform->stage].uniforms != interface;
    return true;
}

/* Returns whether transform feedback writes an output to the buffer. */
static bool captures(const struct glsl_program *glsl, unsigned buffer)
{
    for (unsigned i = 0; i < glsl->num_xfb; i++)
        if (glsl->xfb[i].type && glsl->xfb[i].buffer == buffer)
            return true;
    return false;
}

/* Gets entry `at` of the table that contains the interface's resources. Returns false after the
 * last one. *skip: the entry belongs to another interface. */
static bool get_entry(const struct glsl_program *glsl, GLenum interface, unsigned at,
                      struct resource *r, bool *skip)
{
    *r = (struct resource){0};
    *skip = false;
    switch (interface) {
    case GL_UNIFORM:
    case GL_BUFFER_VARIABLE:
        if (at >= glsl->num_uniforms)
            return false;
        r->uniform = &glsl->uniforms[at];
        r->name = r->uniform->name;
        r->array_size = r->uniform->array_size;
        *skip = is_buffer_variable(glsl, r->uniform) != (interface == GL_BUFFER_VARIABLE);
        return true;
    case GL_UNIFORM_BLOCK:
    case GL_SHADER_STORAGE_BLOCK:
        if (at >= glsl->num_blocks)
            return false;
        r->block = &glsl->blocks[at];
        r->name = r->block->name;
        *skip = r->block->is_storage != (interface == GL_SHADER_STORAGE_BLOCK);
        return true;
    case GL_PROGRAM_INPUT:
    case GL_PROGRAM_OUTPUT: {
        bool in = interface == GL_PROGRAM_INPUT;
        if (at >= (in ? glsl->num_inputs : glsl->num_outputs))
            return false;
        r->attrib = in ? &glsl->inputs[at] : &glsl->outputs[at];
        r->name = r->attrib->name;
        if (glsl_type_is_array(r->attrib->type))
            r->array_size = r->attrib->type->length;
        return true;
    }
    case GL_TRANSFORM_FEEDBACK_VARYING:
        if (at >= glsl->num_xfb)
            return false;
        r->xfb = &glsl->xfb[at];
        r->name = r->xfb->name;
        r->array_size = r->xfb->array_size;
        return true;
    case GL_TRANSFORM_FEEDBACK_BUFFER:
        r->is_xfb_buffer = true;
        r->xfb_buffer = at;
        *skip = !captures(glsl, at);
        return at < ARRAY_SIZE(glsl->xfb_stride);
    case GL_ATOMIC_COUNTER_BUFFER:
        if (at >= glsl->num_atomic_buffers)
            return false;
        r->counters = &glsl->atomic_buffers[at];
        return true;
    default:
        return is_functions(interface) ? get_function(glsl, interface, at, r, skip)
                                       : get_function_uniform(glsl, interface, at, r, skip);
    }
}

/* Returns whether an interface of subroutines is that of task or mesh shaders. */
static bool is_of_mesh_stages(GLenum interface)
{
    return interface == GL_TASK_SUBROUTINE_EXT || interface == GL_TASK_SUBROUTINE_UNIFORM_EXT ||
           interface == GL_MESH_SUBROUTINE_EXT || interface == GL_MESH_SUBROUTINE_UNIFORM_EXT;
}

static bool is_interface(const struct gl_context *ctx, GLenum interface)
{
    switch (interface) {
    case GL_UNIFORM:
    case GL_BUFFER_VARIABLE:
    case GL_UNIFORM_BLOCK:
    case GL_SHADER_STORAGE_BLOCK:
    case GL_PROGRAM_INPUT:
    case GL_PROGRAM_OUTPUT:
    case GL_TRANSFORM_FEEDBACK_VARYING:
    case GL_TRANSFORM_FEEDBACK_BUFFER:
    case GL_ATOMIC_COUNTER_BUFFER:
        return true;
    default:
        return ctx->ext.ARB_shader_subroutine &&
               (is_functions(interface) || is_function_uniforms(interface)) &&
               (ctx->ext.EXT_mesh_shader || !is_of_mesh_stages(interface));
    }
}

static bool find_index(const struct glsl_program *glsl, GLenum interface, unsigned index,
                       struct resource *r)
{
    bool skip;
    for (unsigned at = 0; glsl && get_entry(glsl, interface, at, r, &skip); at++) {
        if (skip)
            continue;
        if (r->subroutine ? r->subroutine->index == index : index-- == 0)
            return true;
    }
    return false;
}

static unsigned count_resources(const struct glsl_program *glsl, GLenum interface)
{
    struct resource r;
    unsigned n = 0;
    bool skip;
    for (unsigned at = 0; glsl && get_entry(glsl, interface, at, &r, &skip); at++)
        n += !skip;
    return n;
}

/* ------------------------------------------------------------------------------------ names --- */

/* Returns whether "[0]" must be appended to the name. Names of uniforms already contain it. */
static bool needs_subscript(const struct resource *r)
{
    size_t n = strlen(r->name);
    return r->attrib && r->array_size && (n < 3 || strcmp(r->name + n - 3, "[0]"));
}

static GLint name_length(const struct resource *r)
{
    return (GLint)strlen(r->name) + 1 + (needs_subscript(r) ? 3 : 0);
}

/* Returns whether name refers to the resource, with or without "[0]". *element: index in an
 * array. */
static bool name_matches(const struct resource *r, const char *name, unsigned *element)
{
    size_t base = strlen(r->name), n = strlen(name), length;
    *element = 0;
    if (!*r->name) /* SPIR-V modules have no names (ARB_gl_spirv 7.3.1) */
        return false;
    if (!strcmp(r->name, name))
        return true;
    if (r->block) /* GL 4.6 §7.3.1: a name that matches if "[0]" is appended */
        return base == n + 3 && !strncmp(r->name, name, n) && !strcmp(r->name + n, "[0]");
    if (!r->array_size)
        return false;
    if (base > 3 && !strcmp(r->name + base - 3, "[0]"))
        base -= 3;
    if (n < base || strncmp(r->name, name, base))
        return false;
    if (n == base)
        return true;
    return gl_split_subscript(name, &length, element) && length == base && *element < r->array_size;
}

static bool find_name(const struct glsl_program *glsl, GLenum interface, const char *name,
                      struct resource *r, unsigned *index, unsigned *element)
{
    bool skip;
    *index = 0;
    for (unsigned at = 0; glsl && get_entry(glsl, interface, at, r, &skip); at++) {
        if (!skip && name_matches(r, name, element)) {
            if (r->subroutine)
                *index = r->subroutine->index;
            return true;
        }
        *index += !skip;
    }
    return false;
}

/* ------------------------------------------------------------------------------- properties --- */

static bool refers_to(const struct resource *r, unsigned stage)
{
    unsigned stages = r->uniform    ? r->uniform->stages
                      : r->block    ? r->block->stages
                      : r->attrib   ? r->attrib->stages
                      : r->counters ? r->counters->stages
                                    : 0;
    return stages >> stage & 1;
}

/* Appends the members of a block, as indices in their interface, while there is room. Returns their
 * number. */
static GLint block_members(const struct glsl_program *glsl, const struct glsl_block *block,
                           GLint *out, GLint room)
{
    GLint n = 0, number = 0;
    int first = (int)(block - glsl->blocks);
    /* The elements of a block array share their members, which are listed with the first
     * element. */
    while (first > 0 && glsl->blocks[first].first_member < 0 &&
           glsl->blocks[first - 1].is_storage == block->is_storage)
        first--;
    for (unsigned i = 0; i < glsl->num_uniforms; i++) {
        const struct glsl_uniform *u = &glsl->uniforms[i];
        if (is_buffer_variable(glsl, u) != block->is_storage)
            continue;
        if (u->block_index == first) {
            if (out && n < room)
                out[n] = number;
            n++;
        }
        number++;
    }
    return n;
}

/* Appends the variables in a buffer, as indices in their interface, while there is room. Returns
 * their number. */
static GLint buffer_members(const struct glsl_program *glsl, const struct resource *r, GLint *out,
                            GLint room)
{
    GLint n = 0, number = 0;
    if (r->block)
        return block_members(glsl, r->block, out, room);
    for (unsigned i = 0; r->counters && i < glsl->num_uniforms; i++) {
        const struct glsl_uniform *u = &glsl->uniforms[i];
        if (is_buffer_variable(glsl, u))
            continue;
        if (u->atomic_buffer == r->counters - glsl->atomic_buffers && n++ < room)
            out[n - 1] = number;
        number++;
    }
    for (unsigned i = 0; r->is_xfb_buffer && i < glsl->num_xfb; i++)
        if (glsl->xfb[i].type && glsl->xfb[i].buffer == r->xfb_buffer && n++ < room)
            out[n - 1] = (GLint)i;
    return n;
}

static GLint block_index(const struct glsl_program *glsl, const struct glsl_uniform *u)
{
    GLint n = 0;
    for (int i = 0; i < u->block_index; i++)
        n += glsl->blocks[i].is_storage == glsl->blocks[u->block_index].is_storage;
    return u->block_index < 0 ? -1 : n;
}

static bool uniform_property(const struct glsl_program *glsl, const struct resource *r, GLenum prop,
                             GLint *v)
{
    const struct glsl_uniform *u = r->uniform;
    bool in_block = u->block_index >= 0, buffer_variable = is_buffer_variable(glsl, u);
    switch (prop) {
    case GL_TYPE:
        *v = gl_uniform_type(u->type);
        return true;
    case GL_ARRAY_SIZE:
        *v = u->unsized ? 0 : MAX2(u->array_size, 1);
        return true;
    case GL_OFFSET:
        *v = in_block || u->atomic_buffer >= 0 ? u->offset : -1;
        return true;
    case GL_BLOCK_INDEX:
        *v = block_index(glsl, u);
        return true;
    case GL_ARRAY_STRIDE:
        *v = in_block || u->atomic_buffer >= 0 ? (GLint)u->array_stride : -1;
        return true;
    case GL_MATRIX_STRIDE:
        *v = in_block ? (GLint)u->matrix_stride : u->atomic_buffer >= 0 ? 0 : -1;
        return true;
    case GL_IS_ROW_MAJOR:
        *v = in_block && u->row_major;
        return true;
    case GL_ATOMIC_COUNTER_BUFFER_INDEX:
        *v = u->atomic_buffer;
        return !buffer_variable;
    case GL_LOCATION:
        *v = u->location;
        return !buffer_variable;
    case GL_TOP_LEVEL_ARRAY_SIZE:
        *v = u->top_array_size;
        return buffer_variable;
    case GL_TOP_LEVEL_ARRAY_STRIDE:
        *v = u->top_array_stride;
        return buffer_variable;
    default:
        return false;
    }
}

static bool attrib_property(const struct glsl_program *glsl, const struct resource *r, GLenum prop,
                            GLint *v)
{
    /* Only outputs have an index (GL 4.6 table 7.2). */
    const bool output = r->attrib >= glsl->outputs && r->attrib < glsl->outputs + glsl->num_outputs;
    const struct glsl_attrib *a = r->attrib;
    switch (prop) {
    case GL_TYPE:
        *v = gl_uniform_type(a->type);
        return true;
    case GL_ARRAY_SIZE:
        *v = MAX2(r->array_size, 1);
        return true;
    case GL_LOCATION:
        *v = a->location;
        return true;
    case GL_LOCATION_INDEX:
        *v = a->location >= 0 && a->stages == 1u << SHADER_FRAGMENT ? a->index : -1;
        return output;
    case GL_LOCATION_COMPONENT:
        *v = a->component;
        return true;
    case GL_IS_PER_PATCH:
        *v = a->patch;
        return true;
    default:
        return false;
    }
}

/* Gets a property of a block, atomic counter buffer or transform feedback buffer. */
static bool buffer_property(const struct gl_program *p, const struct resource *r, GLenum prop,
                            GLint *v)
{
    const struct glsl_program *glsl = glsl_of(p);
    switch (prop) {
    case GL_BUFFER_BINDING:
        *v = r->block      ? p->exe->block_bindings[r->block - glsl->blocks]
             : r->counters ? r->counters->binding
                           : (GLint)r->xfb_buffer;
        return true;
    case GL_BUFFER_DATA_SIZE:
        if (r->is_xfb_buffer)
            return false;
        *v = r->block ? r->block->size : r->counters->size;
        return true;
    case GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE:
        if (!r->is_xfb_buffer)
            return false;
        *v = glsl->xfb_stride[r->xfb_buffer];
        return true;
    case GL_NUM_ACTIVE_VARIABLES:
        *v = buffer_members(glsl, r, NULL, 0);
        return true;
    default:
        return false;
    }
}

static bool subroutine_uniform_property(const struct resource *r, GLenum prop, GLint *v)
{
    const struct glsl_subroutine_uniform *u = r->subroutine_uniform;
    switch (prop) {
    case GL_ARRAY_SIZE:
        *v = MAX2(u->array_size, 1);
        return true;
    case GL_LOCATION:
        *v = u->location;
        return true;
    case GL_NUM_COMPATIBLE_SUBROUTINES:
        *v = u->num_compatible;
        return true;
    default:
        return false;
    }
}

/* Returns the index of an output's buffer among the active transform feedback buffers. */
static GLint active_buffer(const struct glsl_program *glsl, const struct glsl_xfb_output *out)
{
    GLint n = 0;
    for (unsigned b = 0; b < out->buffer; b++)
        n += captures(glsl, b);
    return out->type ? n : -1;
}

static bool xfb_property(const struct glsl_program *glsl, const struct resource *r, GLenum prop,
                         GLint *v)
{
    switch (prop) {
    case GL_TYPE:
        *v = r->xfb->type ? (GLint)gl_uniform_type(r->xfb->type) : GL_NONE;
        return true;
    case GL_ARRAY_SIZE:
        *v = r->xfb->type ? MAX2(r->xfb->array_size, 1) : r->xfb->array_size;
        return true;
    case GL_OFFSET:
        *v = r->xfb->type ? (GLint)r->xfb->offset : -1;
        return true;
    case GL_TRANSFORM_FEEDBACK_BUFFER_INDEX:
        *v = active_buffer(glsl, r->xfb);
        return true;
    default:
        return false;
    }
}

static int referenced_stage(GLenum prop)
{
    for (int s = 0; s < SHADER_STAGE_COUNT; s++)
        if (stage_names[s].referenced == prop)
            return s;
    return -1;
}

/* Gets a property with a single value. Returns false if the interface doesn't have it. */
static bool property(const struct gl_program *p, const struct resource *r, GLenum prop, GLint *v)
{
    const struct glsl_program *glsl = glsl_of(p);
    int stage = referenced_stage(prop);
    if (prop == GL_NAME_LENGTH && r->name) {
        *v = name_length(r);
        return true;
    }
    if (stage >= 0) {
        *v = refers_to(r, stage);
        return r->uniform || r->block || r->attrib || r->counters;
    }
    return r->uniform              ? uniform_property(glsl, r, prop, v)
           : r->attrib             ? attrib_property(glsl, r, prop, v)
           : r->subroutine_uniform ? subroutine_uniform_property(r, prop, v)
           : r->xfb                ? xfb_property(glsl, r, prop, v)
           : r->subroutine         ? false
                                   : buffer_property(p, r, prop, v);
}

/* Appends the values of a property with several values while there is room. Returns their number;
 * -1 if prop is not such a property. */
static GLint list_property(const struct glsl_program *glsl, const struct resource *r, GLenum prop,
                           GLint *out, GLint room)
{
    const struct glsl_subroutine_uniform *u = r->subroutine_uniform;
    if (prop == GL_ACTIVE_VARIABLES && (r->block || r->counters || r->is_xfb_buffer))
        return buffer_members(glsl, r, out, room);
    if (prop != GL_COMPATIBLE_SUBROUTINES || !u)
        return -1;
    for (unsigned i = 0; i < u->num_compatible && (GLint)i < room; i++)
        out[i] = u->compatible[i];
    return u->num_compatible;
}

static bool is_property(const struct gl_context *ctx, GLenum prop)
{
    static const GLenum names[] = {
        GL_ACTIVE_VARIABLES,
        GL_BUFFER_BINDING,
        GL_NUM_ACTIVE_VARIABLES,
        GL_ARRAY_SIZE,
        GL_ARRAY_STRIDE,
        GL_BLOCK_INDEX,
        GL_IS_ROW_MAJOR,
        GL_MATRIX_STRIDE,
        GL_ATOMIC_COUNTER_BUFFER_INDEX,
        GL_BUFFER_DATA_SIZE,
        GL_NUM_COMPATIBLE_SUBROUTINES,
        GL_COMPATIBLE_SUBROUTINES,
        GL_IS_PER_PATCH,
        GL_LOCATION,
        GL_LOCATION_COMPONENT,
        GL_LOCATION_INDEX,
        GL_NAME_LENGTH,
        GL_OFFSET,
        GL_TRANSFORM_FEEDBACK_BUFFER_INDEX,
        GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE,
        GL_TOP_LEVEL_ARRAY_SIZE,
        GL_TOP_LEVEL_ARRAY_STRIDE,
        GL_TYPE,
    };
    for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
        if (names[i] == prop)
            return true;
    const int stage = referenced_stage(prop);
    return stage >= 0 && (stage <= SHADER_COMPUTE || ctx->ext.EXT_mesh_shader);
}

/* --------------------------------------------------------------------------------- commands --- */

/* Returns the maximum of a property over all resources of the interface. */
static GLint largest(const struct gl_program *p, GLenum interface, GLenum prop)
{
    const struct glsl_program *glsl = glsl_of(p);
    struct resource r;
    GLint most = 0, v;
    bool skip;
    for (unsigned at = 0; glsl && get_entry(glsl, interface, at, &r, &skip); at++)
        if (!skip && property(p, &r, prop, &v))
            most = MAX2(most, v);
    return most;
}

void gl_GetProgramInterfaceiv(GLuint program, GLenum interface, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetProgramInterfaceiv");
    if (!p)
        return;
    bool unnamed = is_unnamed(interface);
    bool blocks = unnamed || interface == GL_UNIFORM_BLOCK || interface == GL_SHADER_STORAGE_BLOCK;
    if (!is_interface(ctx, interface)) {
        /* ARB_program_interface_query specifies this error; GL 4.6 §7.3.1 specifies
         * GL_INVALID_ENUM. */
        gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramInterfaceiv(%s)", gl_enum_name(interface));
        return;
    }
    switch (pname) {
    case GL_ACTIVE_RESOURCES:
        *params = count_resources(glsl_of(p), interface);
        break;
    case GL_MAX_NAME_LENGTH:
        if (unnamed)
            gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramInterfaceiv(%s has no names)",
                     gl_enum_name(interface));
        else
            *params = largest(p, interface, GL_NAME_LENGTH);
        break;
    case GL_MAX_NUM_ACTIVE_VARIABLES:
        if (!blocks)
            gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramInterfaceiv(%s has no variables)",
                     gl_enum_name(interface));
        else
            *params = largest(p, interface, GL_NUM_ACTIVE_VARIABLES);
        break;
    case GL_MAX_NUM_COMPATIBLE_SUBROUTINES:
        if (!is_function_uniforms(interface))
            gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramInterfaceiv(%s has no subroutines)",
                     gl_enum_name(interface));
        else
            *params = largest(p, interface, GL_NUM_COMPATIBLE_SUBROUTINES);
        break;
    default:
        gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramInterfaceiv(pname=%s)",
                 gl_enum_name(pname));
        break;
    }
}

GLuint gl_GetProgramResourceIndex(GLuint program, GLenum interface, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetProgramResourceIndex");
    struct resource r;
    unsigned index, element;
    if (!p || !name)
        return GL_INVALID_INDEX;
    if (!is_interface(ctx, interface) || is_unnamed(interface)) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetProgramResourceIndex(%s)", gl_enum_name(interface));
        return GL_INVALID_INDEX;
    }
    bool found = find_name(glsl_of(p), interface, name, &r, &index, &element);
    bool special = found && r.xfb && !r.xfb->type; /* gl_NextBuffer or gl_SkipComponents */
    return found && element == 0 && !special ? index : GL_INVALID_INDEX;
}

static void get_name(struct gl_context *ctx, const struct gl_program *p, GLenum interface,
                     GLuint index, GLsizei size, GLsizei *length, GLchar *name, const char *call)
{
    struct resource r;
    GLsizei n, subscript = 0;
    if (size < 0 || !find_index(glsl_of(p), interface, index, &r)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u, bufSize=%d)", call, index, size);
        return;
    }
    gl_copy_string(size, &n, name, r.name);
    if (needs_subscript(&r) && name && size)
        gl_copy_string(size - n, &subscript, name + n, "[0]");
    if (length)
        *length = n + subscript;
}

void gl_GetProgramResourceName(GLuint program, GLenum interface, GLuint index, GLsizei size,
                               GLsizei *length, GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetProgramResourceName");
    if (!p)
        return;
    if (!is_interface(ctx, interface) || is_unnamed(interface))
        gl_error(ctx, GL_INVALID_ENUM, "glGetProgramResourceName(%s)", gl_enum_name(interface));
    else
        get_name(ctx, p, interface, index, size, length, name, "glGetProgramResourceName");
}

void gl_GetProgramResourceiv(GLuint program, GLenum interface, GLuint index, GLsizei num_props,
                             const GLenum *props, GLsizei count, GLsizei *length, GLint *params)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetProgramResourceiv");
    struct resource r;
    if (!p)
        return;
    if (!is_interface(ctx, interface)) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetProgramResourceiv(%s)", gl_enum_name(interface));
        return;
    }
    if (num_props <= 0 || count < 0 || !find_index(glsl_of(p), interface, index, &r)) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetProgramResourceiv(index=%u, propCount=%d)", index,
                 num_props);
        return;
    }
    GLsizei n = 0;
    GLint v;
    for (GLsizei i = 0; i < num_props; i++) { /* an error leaves params unchanged */
        if (!is_property(ctx, props[i])) {
            gl_error(ctx, GL_INVALID_ENUM, "glGetProgramResourceiv(%s)", gl_enum_name(props[i]));
            return;
        }
        if (list_property(glsl_of(p), &r, props[i], NULL, 0) < 0 &&
            !property(p, &r, props[i], &v)) {
            gl_error(ctx, GL_INVALID_OPERATION, "glGetProgramResourceiv(%s of %s)",
                     gl_enum_name(props[i]), gl_enum_name(interface));
            return;
        }
    }
    for (GLsizei i = 0; i < num_props && n < count; i++) {
        GLint all = list_property(glsl_of(p), &r, props[i], params + n, count - n);
        if (all >= 0)
            n = MIN2(n + all, count);
        else if (property(p, &r, props[i], &v))
            params[n++] = v;
    }
    if (length)
        *length = n;
}

/* Returns the number of locations of an element of an input or output, of all of it unless it is an
 * array. */
static unsigned slots_of_element(const struct resource *r, GLenum interface)
{
    const struct glsl_type *t = r->attrib->type;
    const bool of_vertices =
        interface == GL_PROGRAM_INPUT && r->attrib->stages & 1u << SHADER_VERTEX;
    return glsl_count_attribute_slots(glsl_type_is_array(t) ? t->element : t, of_vertices);
}

GLint gl_GetProgramResourceLocation(GLuint program, GLenum interface, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup_linked(ctx, program, "glGetProgramResourceLocation");
    struct resource r;
    unsigned index, element;
    if (!p || !name)
        return -1;
    if (interface != GL_UNIFORM && interface != GL_PROGRAM_INPUT &&
        interface != GL_PROGRAM_OUTPUT && !is_function_uniforms(interface)) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetProgramResourceLocation(%s)", gl_enum_name(interface));
        return -1;
    }
    if (!find_name(glsl_of(p), interface, name, &r, &index, &element))
        return -1;
    int location = r.uniform              ? r.uniform->location
                   : r.attrib             ? r.attrib->location
                   : r.subroutine_uniform ? (int)r.subroutine_uniform->location
                                          : -1;
    unsigned step = r.attrib ? slots_of_element(&r, interface) : 1;
    return location < 0 ? -1 : location + (GLint)(element * step);
}

GLint gl_GetProgramResourceLocationIndex(GLuint program, GLenum interface, const GLchar *name)
{
    GL_CONTEXT(ctx);
    if (interface != GL_PROGRAM_OUTPUT) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetProgramResourceLocationIndex(%s)",
                 gl_enum_name(interface));
        return -1;
    }
    return gl_GetFragDataIndex(program, name);
}

/* ----------------------------------------------------------------------- the older commands --- */

/* Enumerants of the older commands and the properties that they correspond to. */
static const struct {
    GLenum interface, name, prop;
} older_names[] = {
    {GL_UNIFORM, GL_UNIFORM_TYPE, GL_TYPE},
    {GL_UNIFORM, GL_UNIFORM_SIZE, GL_ARRAY_SIZE},
    {GL_UNIFORM, GL_UNIFORM_NAME_LENGTH, GL_NAME_LENGTH},
    {GL_UNIFORM, GL_UNIFORM_BLOCK_INDEX, GL_BLOCK_INDEX},
    {GL_UNIFORM, GL_UNIFORM_OFFSET, GL_OFFSET},
    {GL_UNIFORM, GL_UNIFORM_ARRAY_STRIDE, GL_ARRAY_STRIDE},
    {GL_UNIFORM, GL_UNIFORM_MATRIX_STRIDE, GL_MATRIX_STRIDE},
    {GL_UNIFORM, GL_UNIFORM_IS_ROW_MAJOR, GL_IS_ROW_MAJOR},
    {GL_UNIFORM, GL_UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX, GL_ATOMIC_COUNTER_BUFFER_INDEX},
    {GL_UNIFORM_BLOCK, GL_UNIFORM_BLOCK_BINDING, GL_BUFFER_BINDING},
    {GL_UNIFORM_BLOCK, GL_UNIFORM_BLOCK_DATA_SIZE, GL_BUFFER_DATA_SIZE},
    {GL_UNIFORM_BLOCK, GL_UNIFORM_BLOCK_NAME_LENGTH, GL_NAME_LENGTH},
    {GL_UNIFORM_BLOCK, GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS, GL_NUM_ACTIVE_VARIABLES},
    {GL_UNIFORM_BLOCK, GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES, GL_ACTIVE_VARIABLES},
    {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_BINDING, GL_BUFFER_BINDING},
    {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_DATA_SIZE, GL_BUFFER_DATA_SIZE},
    {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTERS,
     GL_NUM_ACTIVE_VARIABLES},
    {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_ACTIVE_ATOMIC_COUNTER_INDICES,
     GL_ACTIVE_VARIABLES},
};

/* Returns the property that an enumerant of an older command corresponds to; GL_NONE: none. */
static GLenum property_called(const struct gl_context *ctx, GLenum interface, GLenum name)
{
    const unsigned stages = ctx->ext.EXT_mesh_shader ? SHADER_STAGE_COUNT : SHADER_COMPUTE + 1;
    for (unsigned s = 0; s < stages; s++)
        if ((interface == GL_UNIFORM_BLOCK && stage_names[s].block_referenced == name) ||
            (interface == GL_ATOMIC_COUNTER_BUFFER && stage_names[s].counters_referenced == name))
            return stage_names[s].referenced;
    for (unsigned i = 0; i < ARRAY_SIZE(older_names); i++)
        if (older_names[i].interface == interface && older_names[i].name == name)
            return older_names[i].prop;
    return GL_NONE;
}

GLuint gl_GetUniformBlockIndex(GLuint program, const GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetUniformBlockIndex");
    struct resource r;
    unsigned index, element;
    if (!p || !name || !find_name(glsl_of(p), GL_UNIFORM_BLOCK, name, &r, &index, &element))
        return GL_INVALID_INDEX;
    return index;
}

void gl_GetUniformIndices(GLuint program, GLsizei count, const GLchar *const *names,
                          GLuint *indices)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetUniformIndices");
    if (!p)
        return;
    if (count < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetUniformIndices(uniformCount=%d)", count);
        return;
    }
    for (GLsizei i = 0; i < count; i++) {
        struct resource r;
        unsigned index, element;
        bool found = find_name(glsl_of(p), GL_UNIFORM, names[i], &r, &index, &element);
        indices[i] = found && element == 0 ? index : GL_INVALID_INDEX;
    }
}

void gl_GetActiveUniformsiv(GLuint program, GLsizei count, const GLuint *indices, GLenum pname,
                            GLint *params)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetActiveUniformsiv");
    GLenum prop = property_called(ctx, GL_UNIFORM, pname);
    if (!p)
        return;
    if (!prop) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetActiveUniformsiv(pname=%s)", gl_enum_name(pname));
        return;
    }
    unsigned total = count_resources(glsl_of(p), GL_UNIFORM);
    for (GLsizei i = 0; i < count; i++) {
        if (indices[i] >= total) {
            gl_error(ctx, GL_INVALID_VALUE, "glGetActiveUniformsiv(index %u)", indices[i]);
            return;
        }
    }
    if (count < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGetActiveUniformsiv(uniformCount=%d)", count);
    for (GLsizei i = 0; i < count; i++) {
        struct resource r;
        if (find_index(glsl_of(p), GL_UNIFORM, indices[i], &r))
            property(p, &r, prop, &params[i]);
    }
}

void gl_GetActiveUniformName(GLuint program, GLuint index, GLsizei size, GLsizei *length,
                             GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetActiveUniformName");
    if (p)
        get_name(ctx, p, GL_UNIFORM, index, size, length, name, "glGetActiveUniformName");
}

void gl_GetActiveUniformBlockName(GLuint program, GLuint index, GLsizei size, GLsizei *length,
                                  GLchar *name)
{
    GL_CONTEXT(ctx);
    struct gl_program *p = gl_program_lookup(ctx, program, "glGetActiveUniformBlockName");
    if (p)
        get_name(ctx, p, GL_UNIFORM_BLOCK, index, size, length, name,
                 "glGetActiveUniformBlockName");
}

static void get_buffer(struct gl_context *ctx, GLuint program, GLenum interface, GLuint index,
                       GLenum pname, GLint *params, const char *call)
{
    struct gl_program *p = gl_program_lookup(ctx, program, call);
    GLenum prop = property_called(ctx, interface, pname);
    struct resource r;
    if (!p)
        return;
    if (!find_index(glsl_of(p), interface, index, &r))
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u)", call, index);
    else if (!prop)
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    else if (prop == GL_ACTIVE_VARIABLES)
        buffer_members(glsl_of(p), &r, params, INT32_MAX);
    else
        property(p, &r, prop, params);
}

void gl_GetActiveUniformBlockiv(GLuint program, GLuint index, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    get_buffer(ctx, program, GL_UNIFORM_BLOCK, index, pname, params, "glGetActiveUniformBlockiv");
}

void gl_GetActiveAtomicCounterBufferiv(GLuint program, GLuint index, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    get_buffer(ctx, program, GL_ATOMIC_COUNTER_BUFFER, index, pname, params,
               "glGetActiveAtomicCounterBufferiv");
}

static void set_binding(struct gl_context *ctx, GLuint program, GLenum interface, GLuint index,
                        GLuint binding, unsigned limit, const char *call)
{
    struct gl_program *p = gl_program_lookup(ctx, program, call);
    struct resource r;
    if (!p)
        return;
    if (!find_index(glsl_of(p), interface, index, &r) || binding >= limit) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(index=%u, binding=%u)", call, index, binding);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_UNIFORM_BUFFERS | GL_DIRTY_STORAGE_BUFFERS);
    p->exe->block_bindings[r.block - glsl_of(p)->blocks] = binding;
}

void gl_UniformBlockBinding(GLuint program, GLuint index, GLuint binding)
{
    GL_CONTEXT(ctx);
    set_binding(ctx, program, GL_UNIFORM_BLOCK, index, binding,
                ctx->consts.glsl->limits.max_uniform_bindings, "glUniformBlockBinding");
}

void gl_ShaderStorageBlockBinding(GLuint program, GLuint index, GLuint binding)
{
    GL_CONTEXT(ctx);
    set_binding(ctx, program, GL_SHADER_STORAGE_BLOCK, index, binding,
                ctx->consts.glsl->limits.max_storage_bindings, "glShaderStorageBlockBinding");
}
