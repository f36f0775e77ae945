/* SPDX-License-Identifier: MIT */
/*
 * Global variables (SPIR-V §3.32.8, ARB_gl_spirv 7.4.spv, 7.6.2.spv and A.spv). The NIR variable is
 * created when code first uses it. An input or output block becomes one variable per member.
 */
#include "indium/driver.h"
#include "spirv/spirv_private.h"
#include "util/stage_bits.h"

/* ------------------------------------------------------------------------------- built-ins --- */

#define SV  nir_var_system_value
#define IN  nir_var_shader_in
#define OUT nir_var_shader_out

struct builtin_row {
    uint16_t builtin, stages;
    nir_variable_mode mode;
    int location;
    const char *name;
    SpvOp scalar; /* scalar type of a component */
    uint8_t components;
    uint8_t array;   /* number of elements; 255: any number up to 8; 0: not an array */
    bool per_vertex; /* an array over vertices in some stages */
};

static const struct builtin_row builtins[] = {
    {SpvBuiltInPosition, VS | TCS | TES | GS, OUT, VARYING_SLOT_POS, "gl_Position", SpvOpTypeFloat,
     4, 0, true},
    {SpvBuiltInPosition, TCS | TES | GS, IN, VARYING_SLOT_POS, "gl_Position", SpvOpTypeFloat, 4, 0,
     true},
    {SpvBuiltInPointSize, VS | TCS | TES | GS, OUT, VARYING_SLOT_PSIZ, "gl_PointSize",
     SpvOpTypeFloat, 1, 0, true},
    {SpvBuiltInPointSize, TCS | TES | GS, IN, VARYING_SLOT_PSIZ, "gl_PointSize", SpvOpTypeFloat, 1,
     0, true},
    {SpvBuiltInClipDistance, VS | TCS | TES | GS, OUT, VARYING_SLOT_CLIP_DIST0, "gl_ClipDistance",
     SpvOpTypeFloat, 1, 255, true},
    {SpvBuiltInClipDistance, TCS | TES | GS | FS, IN, VARYING_SLOT_CLIP_DIST0, "gl_ClipDistance",
     SpvOpTypeFloat, 1, 255, true},
    {SpvBuiltInCullDistance, VS | TCS | TES | GS, OUT, VARYING_SLOT_CULL_DIST0, "gl_CullDistance",
     SpvOpTypeFloat, 1, 255, true},
    {SpvBuiltInCullDistance, TCS | TES | GS | FS, IN, VARYING_SLOT_CULL_DIST0, "gl_CullDistance",
     SpvOpTypeFloat, 1, 255, true},
    {SpvBuiltInVertexId, VS, SV, SYSTEM_VALUE_VERTEX_ID, "gl_VertexID", SpvOpTypeInt, 1},
    {SpvBuiltInVertexIndex, VS, SV, SYSTEM_VALUE_VERTEX_ID, "gl_VertexID", SpvOpTypeInt, 1},
    {SpvBuiltInInstanceId, VS, SV, SYSTEM_VALUE_INSTANCE_ID, "gl_InstanceID", SpvOpTypeInt, 1},
    {SpvBuiltInBaseVertex, VS, SV, SYSTEM_VALUE_BASE_VERTEX, "gl_BaseVertex", SpvOpTypeInt, 1},
    {SpvBuiltInBaseInstance, VS, SV, SYSTEM_VALUE_BASE_INSTANCE, "gl_BaseInstance", SpvOpTypeInt,
     1},
    {SpvBuiltInDrawIndex, VS, SV, SYSTEM_VALUE_DRAW_ID, "gl_DrawID", SpvOpTypeInt, 1},
    {SpvBuiltInPrimitiveId, TCS | TES, SV, SYSTEM_VALUE_PRIMITIVE_ID, "gl_PrimitiveID",
     SpvOpTypeInt, 1},
    {SpvBuiltInPrimitiveId, GS, SV, SYSTEM_VALUE_PRIMITIVE_ID, "gl_PrimitiveIDIn", SpvOpTypeInt, 1},
    {SpvBuiltInPrimitiveId, GS, OUT, VARYING_SLOT_PRIMITIVE_ID, "gl_PrimitiveID", SpvOpTypeInt, 1},
    {SpvBuiltInPrimitiveId, FS, IN, VARYING_SLOT_PRIMITIVE_ID, "gl_PrimitiveID", SpvOpTypeInt, 1},
    {SpvBuiltInInvocationId, TCS | GS, SV, SYSTEM_VALUE_INVOCATION_ID, "gl_InvocationID",
     SpvOpTypeInt, 1},
    {SpvBuiltInLayer, VS | TES | GS, OUT, VARYING_SLOT_LAYER, "gl_Layer", SpvOpTypeInt, 1},
    {SpvBuiltInLayer, FS, IN, VARYING_SLOT_LAYER, "gl_Layer", SpvOpTypeInt, 1},
    {SpvBuiltInViewportIndex, VS | TES | GS, OUT, VARYING_SLOT_VIEWPORT, "gl_ViewportIndex",
     SpvOpTypeInt, 1},
    {SpvBuiltInViewportIndex, FS, IN, VARYING_SLOT_VIEWPORT, "gl_ViewportIndex", SpvOpTypeInt, 1},
    {SpvBuiltInTessLevelOuter, TCS, OUT, VARYING_SLOT_TESS_LEVEL_OUTER, "gl_TessLevelOuter",
     SpvOpTypeFloat, 1, 4},
    {SpvBuiltInTessLevelInner, TCS, OUT, VARYING_SLOT_TESS_LEVEL_INNER, "gl_TessLevelInner",
     SpvOpTypeFloat, 1, 2},
    {SpvBuiltInTessLevelOuter, TES, IN, VARYING_SLOT_TESS_LEVEL_OUTER, "gl_TessLevelOuter",
     SpvOpTypeFloat, 1, 4},
    {SpvBuiltInTessLevelInner, TES, IN, VARYING_SLOT_TESS_LEVEL_INNER, "gl_TessLevelInner",
     SpvOpTypeFloat, 1, 2},
    {SpvBuiltInTessCoord, TES, SV, SYSTEM_VALUE_TESS_COORD, "gl_TessCoord", SpvOpTypeFloat, 3},
    {SpvBuiltInPatchVertices, TCS | TES, SV, SYSTEM_VALUE_PATCH_VERTICES_IN, "gl_PatchVerticesIn",
     SpvOpTypeInt, 1},
    {SpvBuiltInFragCoord, FS, SV, SYSTEM_VALUE_FRAG_COORD, "gl_FragCoord", SpvOpTypeFloat, 4},
    {SpvBuiltInPointCoord, FS, SV, SYSTEM_VALUE_POINT_COORD, "gl_PointCoord", SpvOpTypeFloat, 2},
    {SpvBuiltInFrontFacing, FS, SV, SYSTEM_VALUE_FRONT_FACE, "gl_FrontFacing", SpvOpTypeBool, 1},
    {SpvBuiltInSampleId, FS, SV, SYSTEM_VALUE_SAMPLE_ID, "gl_SampleID", SpvOpTypeInt, 1},
    {SpvBuiltInSamplePosition, FS, SV, SYSTEM_VALUE_SAMPLE_POS, "gl_SamplePosition", SpvOpTypeFloat,
     2},
    {SpvBuiltInSampleMask, FS, SV, SYSTEM_VALUE_SAMPLE_MASK_IN, "gl_SampleMaskIn", SpvOpTypeInt, 1,
     1},
    {SpvBuiltInSampleMask, FS, OUT, FRAG_RESULT_SAMPLE_MASK, "gl_SampleMask", SpvOpTypeInt, 1, 1},
    {SpvBuiltInHelperInvocation, FS, SV, SYSTEM_VALUE_HELPER_INVOCATION, "gl_HelperInvocation",
     SpvOpTypeBool, 1},
    {SpvBuiltInFragDepth, FS, OUT, FRAG_RESULT_DEPTH, "gl_FragDepth", SpvOpTypeFloat, 1},
    {SpvBuiltInFragStencilRefEXT, FS, OUT, FRAG_RESULT_STENCIL, "gl_FragStencilRefARB",
     SpvOpTypeInt, 1},
    {SpvBuiltInNumWorkgroups, CS, SV, SYSTEM_VALUE_NUM_WORKGROUPS, "gl_NumWorkGroups", SpvOpTypeInt,
     3},
    {SpvBuiltInWorkgroupSize, CS, SV, SYSTEM_VALUE_WORKGROUP_SIZE, "gl_WorkGroupSize", SpvOpTypeInt,
     3},
    {SpvBuiltInWorkgroupId, CS, SV, SYSTEM_VALUE_WORKGROUP_ID, "gl_WorkGroupID", SpvOpTypeInt, 3},
    {SpvBuiltInLocalInvocationId, CS, SV, SYSTEM_VALUE_LOCAL_INVOCATION_ID, "gl_LocalInvocationID",
     SpvOpTypeInt, 3},
    {SpvBuiltInGlobalInvocationId, CS, SV, SYSTEM_VALUE_GLOBAL_INVOCATION_ID,
     "gl_GlobalInvocationID", SpvOpTypeInt, 3},
    {SpvBuiltInLocalInvocationIndex, CS, SV, SYSTEM_VALUE_LOCAL_INVOCATION_INDEX,
     "gl_LocalInvocationIndex", SpvOpTypeInt, 1},
    {SpvBuiltInNumSubgroups, CS, SV, SYSTEM_VALUE_NUM_SUBGROUPS, "gl_NumSubgroups", SpvOpTypeInt,
     1},
    {SpvBuiltInSubgroupId, CS, SV, SYSTEM_VALUE_SUBGROUP_ID, "gl_SubgroupID", SpvOpTypeInt, 1},
    {SpvBuiltInSubgroupSize, ANY, SV, SYSTEM_VALUE_SUBGROUP_SIZE, "gl_SubgroupSize", SpvOpTypeInt,
     1},
    {SpvBuiltInSubgroupLocalInvocationId, ANY, SV, SYSTEM_VALUE_SUBGROUP_INVOCATION,
     "gl_SubgroupInvocationID", SpvOpTypeInt, 1},
    {SpvBuiltInSubgroupEqMaskKHR, ANY, SV, SYSTEM_VALUE_SUBGROUP_EQ_MASK, "gl_SubgroupEqMask",
     SpvOpTypeInt, 4},
    {SpvBuiltInSubgroupGeMaskKHR, ANY, SV, SYSTEM_VALUE_SUBGROUP_GE_MASK, "gl_SubgroupGeMask",
     SpvOpTypeInt, 4},
    {SpvBuiltInSubgroupGtMaskKHR, ANY, SV, SYSTEM_VALUE_SUBGROUP_GT_MASK, "gl_SubgroupGtMask",
     SpvOpTypeInt, 4},
    {SpvBuiltInSubgroupLeMaskKHR, ANY, SV, SYSTEM_VALUE_SUBGROUP_LE_MASK, "gl_SubgroupLeMask",
     SpvOpTypeInt, 4},
    {SpvBuiltInSubgroupLtMaskKHR, ANY, SV, SYSTEM_VALUE_SUBGROUP_LT_MASK, "gl_SubgroupLtMask",
     SpvOpTypeInt, 4},
};

/* Returns whether inputs or outputs are arrays over the vertices of a primitive or patch. */
static bool is_arrayed(const struct spv *p, bool output)
{
    return p->stage == SHADER_TESS_CTRL ||
           (!output && (p->stage == SHADER_TESS_EVAL || p->stage == SHADER_GEOMETRY));
}

static const struct builtin_row *find_builtin(struct spv *p, uint32_t builtin, bool output)
{
    for (unsigned i = 0; i < ARRAY_SIZE(builtins); i++) {
        const struct builtin_row *row = &builtins[i];
        if (row->builtin == builtin && row->stages >> p->stage & 1 && (row->mode == OUT) == output)
            return row;
    }
    spv_fail(p, "built-in %u is not one of the %s of this stage", builtin,
             output ? "outputs" : "inputs");
}

/* Checks the type of a built-in; t lacks the dimension of vertices. */
static void check_builtin_type(struct spv *p, const struct builtin_row *row,
                               const struct spv_type *t)
{
    const struct spv_type *element = t;
    if (row->array) {
        unsigned max = row->array == 255 ? 8 : row->array;
        spv_fail_if(p,
                    t->op != SpvOpTypeArray || t->length > max ||
                        (row->array != 255 && t->length != max),
                    "%s must be an array of %u elements", row->name, max);
        element = t->element;
    }
    spv_fail_if(p,
                !spv_is_vector(element) || spv_components(element) != row->components ||
                    spv_scalar_of(element)->op != row->scalar ||
                    (row->scalar != SpvOpTypeBool && spv_bits(element) != 32),
                "%s has the wrong type", row->name);
}

static nir_variable *create_builtin(struct spv *p, uint32_t builtin, bool output,
                                    const struct spv_type *t, const struct glsl_type *type,
                                    bool vertices)
{
    const struct builtin_row *row = find_builtin(p, builtin, output);
    spv_fail_if(p, row->per_vertex && is_arrayed(p, output) && !vertices,
                "%s must be an array with one element per vertex", row->name);
    check_builtin_type(p, row, t);
    nir_foreach_variable_with_modes (var, p->shader, row->mode) {
        if (!strcmp(var->name, row->name)) {
            spv_fail_if(p, !glsl_type_equal(var->type, type), "%s is declared twice", row->name);
            return var;
        }
    }
    nir_variable *var =
        nir_variable_create(p->shader, row->mode, glsl_type_clone(p->shader, type), row->name);
    var->data.location = row->location;
    var->data.read_only = row->mode != OUT;
    var->data.patch = !row->per_vertex && row->array > 1;
    var->data.compact = t->op == SpvOpTypeArray && row->scalar == SpvOpTypeFloat;
    if (row->mode == IN && row->scalar == SpvOpTypeInt)
        var->data.interpolation = INTERP_MODE_FLAT;
    if (row->location == VARYING_SLOT_CLIP_DIST0 && row->mode == OUT)
        p->shader->info.clip_distance_array_size = t->length;
    if (row->location == VARYING_SLOT_CULL_DIST0 && row->mode == OUT)
        p->shader->info.cull_distance_array_size = t->length;
    return var;
}

/* --------------------------------------------------------------------- inputs and outputs --- */

/* The decorations of a variable or of a member of its block. */
struct decorated {
    const struct spv_value *variable;
    const struct spv_value *block; /* the block type; NULL: not a member */
    int member;
};

static uint32_t decoration_of(const struct decorated *d, SpvDecoration decoration, uint32_t none)
{
    uint32_t value = UINT32_MAX;
    if (d->block)
        value = spv_decoration_value(d->block, d->member, decoration, UINT32_MAX);
    if (value == UINT32_MAX)
        value = spv_decoration_value(d->variable, -1, decoration, UINT32_MAX);
    return value == UINT32_MAX ? none : value;
}

static bool is_decorated(const struct decorated *d, SpvDecoration decoration)
{
    return spv_has_decoration(d->variable, -1, decoration) ||
           (d->block && spv_has_decoration(d->block, d->member, decoration));
}

static void set_interpolation(nir_variable *var, const struct decorated *d)
{
    if (is_decorated(d, SpvDecorationFlat))
        var->data.interpolation = INTERP_MODE_FLAT;
    else if (is_decorated(d, SpvDecorationNoPerspective))
        var->data.interpolation = INTERP_MODE_NOPERSPECTIVE;
    var->data.centroid = is_decorated(d, SpvDecorationCentroid);
    var->data.sample = is_decorated(d, SpvDecorationSample);
    var->data.patch |= is_decorated(d, SpvDecorationPatch);
    var->data.invariant = is_decorated(d, SpvDecorationInvariant);
}

static void set_feedback(struct spv *p, nir_variable *var, const struct decorated *d)
{
    uint32_t stream = decoration_of(d, SpvDecorationStream, 0);
    spv_fail_if(p, stream > 3, "stream %u is too large (maximum 3)", stream);
    var->data.stream = stream;
    const struct spv_value *place = d->block ? d->block : d->variable;
    uint32_t offset = spv_decoration_value(place, d->member, SpvDecorationOffset, UINT32_MAX);
    uint32_t buffer = decoration_of(d, SpvDecorationXfbBuffer, UINT32_MAX);
    uint32_t stride = decoration_of(d, SpvDecorationXfbStride, 0);
    if (!p->xfb || buffer == UINT32_MAX)
        return;
    spv_fail_if(p, buffer > 3, "XfbBuffer %u is too large (maximum 3)", buffer);
    spv_fail_if(p, stride > 65535 || stride % 4, "invalid XfbStride %u", stride);
    var->data.xfb.buffer = buffer;
    var->data.xfb.explicit_buffer = true;
    var->data.xfb.stride = stride;
    var->data.xfb.explicit_stride = stride != 0;
    if (offset == UINT32_MAX)
        return;
    spv_fail_if(p, offset > 65535 || offset % 4, "invalid Offset %u", offset);
    var->data.offset = offset;
    var->data.xfb.explicit_offset = true;
    var->data.always_active_io = true;
    p->shader->info.has_transform_feedback_varyings = true;
}

/* Creates a user-defined input or output, or one member of such a block. */
static nir_variable *create_varying(struct spv *p, const struct decorated *d, bool output,
                                    const struct spv_type *t, const struct glsl_type *type,
                                    uint32_t location)
{
    spv_fail_if(p, location == UINT32_MAX, "lacks a Location decoration");
    spv_fail_if(p, location > 1024, "Location %u is too large", location);
    uint32_t component = decoration_of(d, SpvDecorationComponent, 0);
    uint32_t index = decoration_of(d, SpvDecorationIndex, 0);
    bool patch = is_decorated(d, SpvDecorationPatch);
    const struct glsl_type *element = glsl_without_array(type);
    spv_fail_if(p, component > 3 || index > 1, "Component or Index is out of range");
    spv_fail_if(
        p,
        component &&
            (!glsl_type_is_vector_or_scalar(element) ||
             component + glsl_component_count(element) * (glsl_type_is_64bit(element) ? 2 : 1) > 4),
        "Component %u is not allowed for a variable of this type", component);
    spv_fail_if(p, is_arrayed(p, output) && !patch && !glsl_type_is_array(type),
                "must be an array with one element per vertex");
    spv_fail_if(p, t->scalars > SPV_MAX_COPY || glsl_component_count(type) > SPV_MAX_COPY,
                "the variable is too large");
    spv_fail_if(p, t->opaque || t->op == SpvOpTypeBool || glsl_type_contains(type, GLSL_TYPE_BOOL),
                "inputs and outputs cannot contain booleans, images or samplers");
    char *name = talloc_asprintf(p->mem, "%s%s%u:%u", output ? "out" : "in", patch ? "p" : "",
                                 location, component);
    if (index)
        name = talloc_asprintf(p->mem, "%si%u", name, index);
    /* Outputs must not share components, but programs rely on the result when they do. Variables
     * that are neither captured nor read disappear later. */
    nir_variable_mode mode = output ? OUT : IN;
    unsigned same = 0;
    size_t n = strlen(name);
    nir_foreach_variable_with_modes (other, p->shader, mode)
        same += !strncmp(other->name, name, n) && (!other->name[n] || other->name[n] == '#');
    if (same)
        name = talloc_asprintf(p->mem, "%s#%u", name, same);
    nir_variable *var =
        nir_variable_create(p->shader, mode, glsl_type_clone(p->shader, type), name);
    var->data.location = (int)location;
    var->data.explicit_location = true;
    var->data.explicit_component =
        component != 0 || decoration_of(d, SpvDecorationComponent, 9) != 9;
    var->data.location_frac = component;
    var->data.index = index;
    var->data.read_only = !output;
    set_interpolation(var, d);
    set_feedback(p, var, d);
    return var;
}

static const struct glsl_type *in_arrays(struct spv *p, const struct spv_type *outer,
                                         unsigned levels, const struct glsl_type *type)
{
    return levels ? glsl_array_type(p->mem, in_arrays(p, outer->element, levels - 1, type),
                                    outer->length, 0)
                  : type;
}

static bool is_output(const struct spv_variable *v)
{
    return v->storage == SpvStorageClassOutput;
}

/* Returns whether the outermost dimension counts vertices, and checks its size. */
static bool counts_vertices(struct spv *p, const struct spv_variable *v, bool patch)
{
    if (!is_arrayed(p, is_output(v)) || patch || v->type->op != SpvOpTypeArray)
        return false;
    unsigned count = p->stage == SHADER_GEOMETRY ? p->shader->info.gs.vertices_in
                     : is_output(v)              ? p->shader->info.tess.vertices_out
                                                 : 0;
    spv_fail_if(p, v->type->length > 32, "has more elements than a primitive can have vertices");
    spv_fail_if(p, count && v->type->length != count,
                "has %u elements, but the primitive has %u vertices", v->type->length, count);
    return true;
}

static const struct spv_type *block_of(const struct spv_variable *v)
{
    const struct spv_type *t = v->type;
    for (unsigned i = 0; i < v->levels; i++)
        t = t->element;
    return t;
}

/* Returns the location of a block member. The Location of a block is that of its first member. In
 * an array of blocks, a member is one variable with consecutive locations for all instances. */
static uint32_t member_location(struct spv *p, const struct spv_variable *v, unsigned member,
                                unsigned instances)
{
    const struct spv_value *type = spv_id(p, block_of(v)->id), *var = spv_id(p, v->id);
    uint32_t location = spv_decoration_value(var, -1, SpvDecorationLocation, UINT32_MAX);
    for (unsigned i = 0; i <= member; i++) {
        location = spv_decoration_value(type, i, SpvDecorationLocation, location);
        uint64_t slots = glsl_count_attribute_slots(block_of(v)->members[i]->plain, false);
        if (i < member && location != UINT32_MAX)
            location += MIN2(slots * instances, 4096);
    }
    return location;
}

/* Returns whether v is an output block, or an array of blocks, with an initial value. */
static bool has_initial_value(const struct spv_variable *v, const struct spv_instr *in)
{
    return is_output(v) && v->members && in->count > 4;
}

/* Returns the part of a constant of type t that initializes a member of a block. t is the block
 * within that many levels of arrays, and so is the result. mem_ctx owns the result. */
static nir_constant *clone_member(struct spv *p, void *mem_ctx, const nir_constant *c,
                                  const struct spv_type *t, unsigned levels, unsigned member)
{
    if (!levels)
        return spv_constant_clone(p, mem_ctx, c->is_null_constant ? c : c->elements[member],
                                  t->members[member]);
    nir_constant *copy = talloc_zero(mem_ctx, nir_constant);
    if (!copy || !(copy->elements = talloc_array(copy, nir_constant *, t->length)))
        spv_out_of_memory(p);
    spv_count_work(p, 1);
    copy->is_null_constant = c->is_null_constant;
    copy->num_elements = t->length;
    for (unsigned i = 0; i < t->length; i++)
        copy->elements[i] = clone_member(p, copy, c->is_null_constant ? c : c->elements[i],
                                         t->element, levels - 1, member);
    return copy;
}

/* Gives the variable of a block member its part of the block's initial value. */
static void set_initial_value(struct spv *p, const struct spv_variable *v, unsigned member,
                              nir_variable *var)
{
    const struct spv_instr at = p->at, in = spv_read(p, v->offset);
    if (has_initial_value(v, &in)) {
        const struct spv_value *init = spv_id(p, in.w[4]);
        spv_fail_if(p, init->kind != SPV_CONSTANT || !spv_same_type(init->type, v->type),
                    "the initializer must be a constant of the variable's type");
        var->constant_initializer =
            clone_member(p, var, init->constant, v->type, v->levels, member);
    }
    p->at = at;
}

nir_variable *spv_io_member(struct spv *p, struct spv_variable *v, unsigned member)
{
    if (v->members[member])
        return v->members[member];
    spv_fail_if(p, v->type->scalars > SPV_MAX_COPY, "the variable is too large");
    spv_count_work(p, v->type->nodes);
    const struct spv_type *block = block_of(v), *t = block->members[member];
    const struct spv_value *type = spv_id(p, block->id);
    const struct glsl_type *whole = in_arrays(p, v->type, v->levels, t->plain);
    uint32_t builtin = spv_decoration_value(type, member, SpvDecorationBuiltIn, UINT32_MAX);
    struct decorated d = {spv_id(p, v->id), type, (int)member};
    nir_variable *var;
    bool vertices = counts_vertices(p, v, is_decorated(&d, SpvDecorationPatch));
    unsigned instances = glsl_aoa_size(v->type->plain) / (vertices ? v->type->length : 1);
    if (builtin != UINT32_MAX) {
        const struct builtin_row *row = find_builtin(p, builtin, is_output(v));
        spv_fail_if(p, v->levels > (row->per_vertex && is_arrayed(p, is_output(v))),
                    "%s cannot be in an array of blocks", row->name);
        var = create_builtin(p, builtin, is_output(v), t, whole, v->levels == 1);
    } else {
        var =
            create_varying(p, &d, is_output(v), t, whole, member_location(p, v, member, instances));
    }
    if (builtin != UINT32_MAX && is_output(v))
        set_feedback(p, var, &d);
    if (is_output(v))
        var->interface_type = glsl_type_clone(p->shader, v->type->plain);
    set_initial_value(p, v, member, var);
    return v->members[member] = var;
}

static nir_variable *create_io(struct spv *p, struct spv_variable *v)
{
    const struct spv_value *value = spv_id(p, v->id);
    uint32_t builtin = spv_decoration_value(value, -1, SpvDecorationBuiltIn, UINT32_MAX);
    struct decorated d = {value, NULL, -1};
    bool vertices = counts_vertices(p, v, spv_has_decoration(value, -1, SpvDecorationPatch));
    if (builtin == UINT32_MAX)
        return create_varying(p, &d, is_output(v), v->type, v->type->plain,
                              spv_decoration_value(value, -1, SpvDecorationLocation, UINT32_MAX));
    const struct builtin_row *row = find_builtin(p, builtin, is_output(v));
    vertices &= row->per_vertex;
    nir_variable *var = create_builtin(
        p, builtin, is_output(v), vertices ? v->type->element : v->type, v->type->plain, vertices);
    if (is_output(v))
        set_feedback(p, var, &d);
    return var;
}

/* -------------------------------------------------------------------------------- uniforms --- */

static const struct {
    uint16_t format, drv;
} image_formats[] = {
    {SpvImageFormatRgba32f, DRV_FORMAT_R32G32B32A32_FLOAT},
    {SpvImageFormatRgba16f, DRV_FORMAT_R16G16B16A16_FLOAT},
    {SpvImageFormatR32f, DRV_FORMAT_R32_FLOAT},
    {SpvImageFormatRgba8, DRV_FORMAT_R8G8B8A8_UNORM},
    {SpvImageFormatRgba8Snorm, DRV_FORMAT_R8G8B8A8_SNORM},
    {SpvImageFormatRg32f, DRV_FORMAT_R32G32_FLOAT},
    {SpvImageFormatRg16f, DRV_FORMAT_R16G16_FLOAT},
    {SpvImageFormatR11fG11fB10f, DRV_FORMAT_R11G11B10_FLOAT},
    {SpvImageFormatR16f, DRV_FORMAT_R16_FLOAT},
    {SpvImageFormatRgba16, DRV_FORMAT_R16G16B16A16_UNORM},
    {SpvImageFormatRgb10A2, DRV_FORMAT_R10G10B10A2_UNORM},
    {SpvImageFormatRg16, DRV_FORMAT_R16G16_UNORM},
    {SpvImageFormatRg8, DRV_FORMAT_R8G8_UNORM},
    {SpvImageFormatR16, DRV_FORMAT_R16_UNORM},
    {SpvImageFormatR8, DRV_FORMAT_R8_UNORM},
    {SpvImageFormatRgba16Snorm, DRV_FORMAT_R16G16B16A16_SNORM},
    {SpvImageFormatRg16Snorm, DRV_FORMAT_R16G16_SNORM},
    {SpvImageFormatRg8Snorm, DRV_FORMAT_R8G8_SNORM},
    {SpvImageFormatR16Snorm, DRV_FORMAT_R16_SNORM},
    {SpvImageFormatR8Snorm, DRV_FORMAT_R8_SNORM},
    {SpvImageFormatRgba32i, DRV_FORMAT_R32G32B32A32_SINT},
    {SpvImageFormatRgba16i, DRV_FORMAT_R16G16B16A16_SINT},
    {SpvImageFormatRgba8i, DRV_FORMAT_R8G8B8A8_SINT},
    {SpvImageFormatR32i, DRV_FORMAT_R32_SINT},
    {SpvImageFormatRg32i, DRV_FORMAT_R32G32_SINT},
    {SpvImageFormatRg16i, DRV_FORMAT_R16G16_SINT},
    {SpvImageFormatRg8i, DRV_FORMAT_R8G8_SINT},
    {SpvImageFormatR16i, DRV_FORMAT_R16_SINT},
    {SpvImageFormatR8i, DRV_FORMAT_R8_SINT},
    {SpvImageFormatRgba32ui, DRV_FORMAT_R32G32B32A32_UINT},
    {SpvImageFormatRgba16ui, DRV_FORMAT_R16G16B16A16_UINT},
    {SpvImageFormatRgba8ui, DRV_FORMAT_R8G8B8A8_UINT},
    {SpvImageFormatR32ui, DRV_FORMAT_R32_UINT},
    {SpvImageFormatRgb10a2ui, DRV_FORMAT_R10G10B10A2_UINT},
    {SpvImageFormatRg32ui, DRV_FORMAT_R32G32_UINT},
    {SpvImageFormatRg16ui, DRV_FORMAT_R16G16_UINT},
    {SpvImageFormatRg8ui, DRV_FORMAT_R8G8_UINT},
    {SpvImageFormatR16ui, DRV_FORMAT_R16_UINT},
    {SpvImageFormatR8ui, DRV_FORMAT_R8_UINT},
};

static unsigned image_format(SpvImageFormat format)
{
    for (unsigned i = 0; i < ARRAY_SIZE(image_formats); i++) {
        if (image_formats[i].format == format)
            return image_formats[i].drv;
    }
    return 0;
}

static unsigned access_of(const struct spv_value *v)
{
    static const struct {
        SpvDecoration decoration;
        unsigned access;
    } rows[] = {
        {SpvDecorationCoherent, ACCESS_COHERENT},
        {SpvDecorationRestrict, ACCESS_RESTRICT},
        {SpvDecorationVolatile, ACCESS_VOLATILE},
        {SpvDecorationNonReadable, ACCESS_NON_READABLE},
        {SpvDecorationNonWritable, ACCESS_NON_WRITEABLE},
    };
    unsigned access = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
        access |= spv_has_decoration(v, -1, rows[i].decoration) ? rows[i].access : 0;
    return access;
}

static const struct spv_type *element_of(const struct spv_type *t)
{
    while (t->op == SpvOpTypeArray || t->op == SpvOpTypeRuntimeArray)
        t = t->element;
    return t;
}

static void set_binding(nir_variable *var, const struct spv_value *value)
{
    uint32_t binding = spv_decoration_value(value, -1, SpvDecorationBinding, UINT32_MAX);
    var->data.explicit_binding = binding != UINT32_MAX;
    var->data.binding = binding != UINT32_MAX ? MIN2(binding, 1u << 20) : 0;
}

/* Creates a uniform: opaque, an aggregate with opaque members, or plain data. */
nir_variable *spv_create_uniform(struct spv *p, const struct spv_variable *v,
                                 const struct glsl_type *type, const char *name)
{
    const struct spv_value *value = spv_id(p, v->id);
    const struct spv_type *element = element_of(v->type);
    nir_variable *var =
        nir_variable_create(p->shader, nir_var_uniform, glsl_type_clone(p->shader, type), name);
    uint32_t location = spv_decoration_value(value, -1, SpvDecorationLocation, UINT32_MAX);
    spv_fail_if(p, location != UINT32_MAX && location > 1u << 20, "Location %u is too large",
                location);
    var->data.location = location == UINT32_MAX ? -1 : (int)location;
    var->data.explicit_location = location != UINT32_MAX;
    var->data.read_only = true;
    var->data.access = access_of(value);
    var->data.image_format = element->op == SpvOpTypeImage && element->image.sampled == 2
                                 ? image_format(element->image.format)
                                 : 0;
    set_binding(var, value);
    return var;
}

static nir_variable *create_uniform(struct spv *p, struct spv_variable *v)
{
    spv_fail_if(p, v->type->scalars > SPV_MAX_SCALARS, "the variable is too large");
    const struct glsl_type *type = glsl_type_bools_to_uints(p->mem, v->type->plain);
    nir_variable *var = spv_create_uniform(p, v, type, v->name);
    if (!glsl_type_equal(type, v->type->plain))
        var->interface_type = glsl_type_clone(p->shader, v->type->plain);
    return var;
}

static nir_variable *create_counter(struct spv *p, struct spv_variable *v)
{
    const struct spv_value *value = spv_id(p, v->id);
    const struct spv_type *element = element_of(v->type);
    spv_fail_if(p, element->op != SpvOpTypeInt || element->width != 32 || element->is_signed,
                "atomic counters must be 32-bit unsigned integers");
    const struct spv_type *t = v->type;
    unsigned levels = 0;
    while (t != element) {
        spv_fail_if(p, t->op != SpvOpTypeArray, "an array of atomic counters must have a size");
        t = t->element;
        levels++;
    }
    nir_variable *var =
        spv_create_uniform(p, v, in_arrays(p, v->type, levels, glsl_atomic_uint_type()), v->name);
    var->data.offset = spv_decoration_value(value, -1, SpvDecorationOffset, 0);
    spv_fail_if(p, var->data.offset > SPV_MAX_BYTES || var->data.offset % 4, "invalid Offset %u",
                var->data.offset);
    return var;
}

/* ---------------------------------------------------------------------------------- blocks --- */

/* ARB_gl_spirv 7.6.2.spv: all members have an explicit layout. */
static void check_layout(struct spv *p, const struct glsl_type *t)
{
    if (glsl_type_is_array(t)) {
        spv_fail_if(p, !t->explicit_stride, "an array in the block has no ArrayStride");
        check_layout(p, t->element);
    } else if (glsl_type_is_struct_or_ifc(t)) {
        for (unsigned i = 0; i < t->length; i++) {
            spv_fail_if(p, t->fields[i].offset < 0, "a member of the block has no Offset");
            check_layout(p, t->fields[i].type);
        }
    } else if (glsl_type_is_matrix(t)) {
        spv_fail_if(p, !t->explicit_stride, "a matrix in the block has no MatrixStride");
    } else {
        spv_fail_if(p, t->base_type >= GLSL_TYPE_BOOL,
                    "a member of the block has a type without layout");
    }
}

static nir_variable *create_block(struct spv *p, struct spv_variable *v)
{
    const struct spv_value *value = spv_id(p, v->id);
    const struct spv_type *block = element_of(v->type);
    bool storage = v->storage == SpvStorageClassStorageBuffer || block->buffer_block;
    spv_fail_if(p, block->op != SpvOpTypeStruct || (!block->block && !block->buffer_block),
                "must be a structure decorated Block or BufferBlock");
    check_layout(p, block->layout);
    const struct spv_type *last = block->length ? block->members[block->length - 1] : NULL;
    spv_fail_if(p, last && last->op == SpvOpTypeRuntimeArray && !storage,
                "a runtime array is only allowed in a storage block");
    unsigned levels = 0;
    uint64_t instances = 1;
    for (const struct spv_type *t = v->type; t != block; t = t->element, levels++) {
        spv_fail_if(p, t->op != SpvOpTypeArray, "an array of blocks must have a size");
        instances *= t->length;
        spv_fail_if(p, instances > SPV_MAX_COPY, "an array of %llu blocks is too large",
                    (unsigned long long)instances);
    }
    const struct glsl_type *type = in_arrays(p, v->type, levels, block->layout);
    nir_variable_mode mode = storage ? nir_var_mem_ssbo : nir_var_mem_ubo;
    type = glsl_type_clone(p->shader, type);
    nir_variable *var = nir_variable_create(p->shader, mode, type, v->name);
    var->interface_type = glsl_without_array(type);
    var->data.read_only = !storage;
    var->data.access = access_of(value);
    var->data.always_active_io = true;
    set_binding(var, value);
    return var;
}

/* --------------------------------------------------------------------------------- creating --- */

static nir_variable *create_private(struct spv *p, struct spv_variable *v)
{
    nir_variable_mode mode =
        v->storage == SpvStorageClassWorkgroup ? nir_var_mem_shared : nir_var_shader_temp;
    spv_fail_if(p, v->type->opaque, "the type has no values");
    spv_fail_if(p, v->type->scalars > SPV_MAX_SCALARS, "the variable is too large");
    spv_fail_if(p, v->storage == SpvStorageClassWorkgroup && p->stage != SHADER_COMPUTE,
                "shared variables are only allowed in compute shaders");
    return nir_variable_create(p->shader, mode, glsl_type_clone(p->shader, v->type->plain),
                               v->name);
}

nir_variable *spv_variable_nir(struct spv *p, struct spv_variable *v)
{
    struct spv_instr at = p->at;
    if (v->nir)
        return v->nir;
    p->at = spv_read(p, v->offset); /* errors refer to the declaration */
    spv_count_work(p, v->type->nodes);
    switch (v->storage) {
    case SpvStorageClassInput:
    case SpvStorageClassOutput:
        spv_fail_if(p, !hash_table_search(p->interface, (void *)(uintptr_t)v->id),
                    "is used, but OpEntryPoint does not list it");
        v->nir = create_io(p, v);
        break;
    case SpvStorageClassUniformConstant:
        v->nir = create_uniform(p, v);
        break;
    case SpvStorageClassAtomicCounter:
        v->nir = create_counter(p, v);
        break;
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
        v->nir = create_block(p, v);
        break;
    default:
        v->nir = create_private(p, v);
        break;
    }
    const struct spv_instr *in = &p->at;
    if (in->count > 4) {
        const struct spv_value *init = spv_id(p, in->w[4]);
        spv_fail_if(p, init->kind != SPV_CONSTANT || !spv_same_type(init->type, v->type),
                    "the initializer must be a constant of the variable's type");
        v->nir->constant_initializer = spv_constant_clone(p, v->nir, init->constant, init->type);
    } else if (v->storage == SpvStorageClassPrivate) {
        v->nir->constant_initializer = talloc_zero(v->nir, nir_constant);
        v->nir->constant_initializer->is_null_constant = true;
    }
    p->at = at;
    return v->nir;
}

/* Returns the name of a variable, as described in spirv.h. */
static const char *variable_name(struct spv *p, const struct spv_variable *v)
{
    const struct spv_value *value = spv_id(p, v->id);
    uint32_t location = spv_decoration_value(value, -1, SpvDecorationLocation, UINT32_MAX);
    uint32_t binding = spv_decoration_value(value, -1, SpvDecorationBinding, UINT32_MAX);
    const struct spv_type *element = element_of(v->type);
    switch (v->storage) {
    case SpvStorageClassUniformConstant:
        if (location != UINT32_MAX)
            return talloc_asprintf(p->mem, "u%u", location);
        if (binding != UINT32_MAX && element->plain)
            return talloc_asprintf(p->mem, "b%u%s", binding, element->plain->name);
        return talloc_asprintf(p->mem, "n%u:%u", p->stage, v->id);
    case SpvStorageClassAtomicCounter:
        return talloc_asprintf(p->mem, "c%u:%u", binding == UINT32_MAX ? 0 : binding,
                               spv_decoration_value(value, -1, SpvDecorationOffset, 0));
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer: {
        bool storage = v->storage == SpvStorageClassStorageBuffer || element->buffer_block;
        return talloc_asprintf(p->mem, "%s%u", storage ? "ssbo" : "ubo",
                               binding == UINT32_MAX ? 0 : binding);
    }
    default:
        return talloc_asprintf(p->mem, "t%u", v->id);
    }
}

/* Appends a suffix if another variable has the same name. Names are made from what interfaces match
 * by. */
static const char *unique_name(struct spv *p, const char *name)
{
    unsigned same = 0;
    size_t n = strlen(name);
    spv_count_work(p, p->globals.count / 64);
    for (unsigned i = 0; i < p->globals.count; i++) {
        const char *other = p->globals.data[i]->name;
        same += !strncmp(other, name, n) && (!other[n] || other[n] == '#');
    }
    return same ? talloc_asprintf(p->mem, "%s#%u", name, same) : name;
}

static void find_io_block(struct spv *p, struct spv_variable *v)
{
    if (v->storage != SpvStorageClassInput && v->storage != SpvStorageClassOutput)
        return;
    const struct spv_type *t = v->type;
    unsigned levels = 0;
    for (; t->op == SpvOpTypeArray; t = t->element)
        levels++;
    if (t->op != SpvOpTypeStruct || (!t->block && !t->builtin_block))
        return;
    v->levels = levels;
    v->members = spv_alloc(p, (t->length + 1) * sizeof *v->members);
}

void spv_define_variable(struct spv *p, const struct spv_instr *in)
{
    const struct spv_type *type = spv_type(p, in->w[1]);
    SpvStorageClass storage = in->w[3];
    static const uint32_t allowed =
        1u << SpvStorageClassUniformConstant | 1u << SpvStorageClassInput |
        1u << SpvStorageClassUniform | 1u << SpvStorageClassOutput |
        1u << SpvStorageClassWorkgroup | 1u << SpvStorageClassPrivate |
        1u << SpvStorageClassAtomicCounter | 1u << SpvStorageClassStorageBuffer;
    spv_fail_if(p, type->op != SpvOpTypePointer || type->storage != storage,
                "the type must be a pointer with the same storage class");
    spv_fail_if(p, storage > 31 || !(allowed >> storage & 1),
                "storage class %u is not supported here", storage);
    spv_fail_if(p,
                !type->element->plain ||
                    (type->element->unsized && storage != SpvStorageClassUniform &&
                     storage != SpvStorageClassStorageBuffer),
                "the type has no values");
    struct spv_value *value = spv_define(p, in->w[2], SPV_VARIABLE);
    struct spv_variable *v = spv_alloc(p, sizeof *v);
    *v = (struct spv_variable){
        .type = type->element,
        .storage = storage,
        .id = in->w[2],
        .offset = in->offset,
    };
    v->name = unique_name(p, variable_name(p, v));
    find_io_block(p, v);
    value->type = type;
    value->variable = v;
    dynarray_append(&p->globals, v);
}

/* Creates the outputs that transform feedback captures and the outputs with an initial value, even
 * if no code uses them. */
static void create_needed(struct spv *p, struct spv_variable *v)
{
    bool output = is_output(v) && hash_table_search(p->interface, (void *)(uintptr_t)v->id);
    const struct spv_instr in = spv_read(p, v->offset);
    if (!output)
        return;
    const struct spv_value *value = spv_id(p, v->id);
    bool buffer = spv_has_decoration(value, -1, SpvDecorationXfbBuffer);
    if (!v->members) {
        if (in.count > 4 ||
            (p->xfb && buffer && spv_has_decoration(value, -1, SpvDecorationOffset)))
            spv_variable_nir(p, v);
        return;
    }
    const struct spv_type *block = block_of(v);
    const struct spv_value *type = spv_id(p, block->id);
    for (unsigned i = 0; i < block->length; i++) {
        const bool captured = p->xfb && spv_has_decoration(type, i, SpvDecorationOffset) &&
                              (buffer || spv_has_decoration(type, i, SpvDecorationXfbBuffer));
        if (captured || has_initial_value(v, &in))
            spv_io_member(p, v, i);
    }
}

/* Creates the inputs that the entry point of a vertex shader lists, even if no code uses them: they
 * are active (ARB_gl_spirv 7.3.1). */
static void create_attribute(struct spv *p, struct spv_variable *v)
{
    const struct spv_value *value = spv_id(p, v->id);
    const uint32_t builtin = spv_decoration_value(value, -1, SpvDecorationBuiltIn, UINT32_MAX);
    const bool attribute = spv_has_decoration(value, -1, SpvDecorationLocation) ||
                           builtin == SpvBuiltInVertexId || builtin == SpvBuiltInInstanceId;
    if (p->stage == SHADER_VERTEX && v->storage == SpvStorageClassInput && !v->members &&
        attribute && hash_table_search(p->interface, (void *)(uintptr_t)v->id))
        spv_variable_nir(p, v)->data.always_active_io = true;
}

void spv_create_globals(struct spv *p)
{
    for (unsigned i = 0; i < p->globals.count; i++) {
        create_needed(p, p->globals.data[i]);
        create_attribute(p, p->globals.data[i]);
    }
}

/* -------------------------------------------------------------------------- execution modes --- */

static void set_workgroup_size(struct spv *p, const uint32_t size[3])
{
    for (unsigned k = 0; k < 3; k++) {
        spv_fail_if(p, size[k] == 0 || size[k] > UINT16_MAX,
                    "a workgroup size of %u is out of range", size[k]);
        p->shader->info.cs.workgroup_size[k] = size[k];
    }
}

static void geometry_mode(struct spv *p, const struct spv_instr *in)
{
    static const struct {
        SpvExecutionMode mode;
        bool output;
        uint8_t primitive, vertices;
    } rows[] = {
        {SpvExecutionModeInputPoints, false, DRV_PRIM_POINTS, 1},
        {SpvExecutionModeInputLines, false, DRV_PRIM_LINES, 2},
        {SpvExecutionModeInputLinesAdjacency, false, DRV_PRIM_LINES_ADJACENCY, 4},
        {SpvExecutionModeTriangles, false, DRV_PRIM_TRIANGLES, 3},
        {SpvExecutionModeInputTrianglesAdjacency, false, DRV_PRIM_TRIANGLES_ADJACENCY, 6},
        {SpvExecutionModeOutputPoints, true, DRV_PRIM_POINTS, 0},
        {SpvExecutionModeOutputLineStrip, true, DRV_PRIM_LINE_STRIP, 0},
        {SpvExecutionModeOutputTriangleStrip, true, DRV_PRIM_TRIANGLE_STRIP, 0},
    };
    nir_shader_info *info = &p->shader->info;
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].mode != in->w[2])
            continue;
        if (rows[i].output) {
            info->gs.output_primitive = rows[i].primitive;
        } else {
            info->gs.input_primitive = rows[i].primitive;
            info->gs.vertices_in = rows[i].vertices;
        }
    }
    if (in->w[2] == SpvExecutionModeInvocations) {
        spv_fail_if(p, in->w[3] == 0 || in->w[3] > 127, "%u invocations are out of range",
                    in->w[3]);
        info->gs.invocations = in->w[3];
    } else if (in->w[2] == SpvExecutionModeOutputVertices) {
        spv_fail_if(p, in->w[3] > UINT16_MAX, "%u output vertices are too many", in->w[3]);
        info->gs.vertices_out = in->w[3];
    }
}

static void tessellation_mode(struct spv *p, const struct spv_instr *in)
{
    nir_shader_info *info = &p->shader->info;
    switch ((SpvExecutionMode)in->w[2]) {
    case SpvExecutionModeOutputVertices:
        spv_fail_if(p, in->w[3] == 0 || in->w[3] > 32, "%u vertices are out of range", in->w[3]);
        info->tess.vertices_out = in->w[3];
        break;
    case SpvExecutionModeTriangles:
        info->tess.primitive_mode = nir_tess_primitive_triangles;
        break;
    case SpvExecutionModeQuads:
        info->tess.primitive_mode = nir_tess_primitive_quads;
        break;
    case SpvExecutionModeIsolines:
        info->tess.primitive_mode = nir_tess_primitive_isolines;
        break;
    case SpvExecutionModeSpacingEqual:
        info->tess.spacing = nir_tess_spacing_equal;
        break;
    case SpvExecutionModeSpacingFractionalOdd:
        info->tess.spacing = nir_tess_spacing_fractional_odd;
        break;
    case SpvExecutionModeSpacingFractionalEven:
        info->tess.spacing = nir_tess_spacing_fractional_even;
        break;
    case SpvExecutionModeVertexOrderCw:
        info->tess.ccw = false;
        break;
    case SpvExecutionModeVertexOrderCcw:
        info->tess.ccw = true;
        break;
    case SpvExecutionModePointMode:
        info->tess.point_mode = true;
        break;
    default:
        break;
    }
}

static void fragment_mode(struct spv *p, const struct spv_instr *in)
{
    nir_shader_info *info = &p->shader->info;
    switch ((SpvExecutionMode)in->w[2]) {
    case SpvExecutionModeOriginUpperLeft:
        info->fs.origin_upper_left = true;
        break;
    case SpvExecutionModePixelCenterInteger:
        info->fs.pixel_center_integer = true;
        break;
    case SpvExecutionModeEarlyFragmentTests:
        info->fs.early_fragment_tests = true;
        break;
    case SpvExecutionModeDepthGreater:
        info->fs.depth_layout = nir_depth_layout_greater;
        break;
    case SpvExecutionModeDepthLess:
        info->fs.depth_layout = nir_depth_layout_less;
        break;
    case SpvExecutionModeDepthUnchanged:
        info->fs.depth_layout = nir_depth_layout_unchanged;
        break;
    default:
        break;
    }
}

/* Checks the execution modes that the stage requires. */
static void check_modes(struct spv *p)
{
    const nir_shader_info *info = &p->shader->info;
    p->at = spv_read(p, p->entry_offset);
    switch (p->stage) {
    case SHADER_GEOMETRY:
        spv_fail_if(p, !info->gs.vertices_in || !info->gs.vertices_out,
                    "lacks the execution mode for the input primitive type or OutputVertices");
        break;
    case SHADER_TESS_CTRL:
        spv_fail_if(p, !info->tess.vertices_out, "lacks the execution mode OutputVertices");
        break;
    case SHADER_TESS_EVAL:
        spv_fail_if(p, !info->tess.primitive_mode,
                    "lacks the execution mode for the primitive type");
        break;
    case SHADER_COMPUTE:
        spv_fail_if(p, !info->cs.workgroup_size[0],
                    "lacks a workgroup size (LocalSize or WorkgroupSize)");
        break;
    default:
        break;
    }
}

void spv_execution_modes(struct spv *p)
{
    nir_shader_info *info = &p->shader->info;
    if (p->stage == SHADER_GEOMETRY)
        info->gs.invocations = 1;
    if (p->stage == SHADER_TESS_EVAL)
        info->tess.ccw = true;
    for (unsigned i = 0; i < p->modes.count; i++) {
        struct spv_instr in = spv_read(p, p->modes.data[i]);
        if (in.w[2] == SpvExecutionModeXfb)
            p->xfb = true;
        else if (p->stage == SHADER_GEOMETRY)
            geometry_mode(p, &in);
        else if (p->stage == SHADER_TESS_CTRL || p->stage == SHADER_TESS_EVAL)
            tessellation_mode(p, &in);
        else if (p->stage == SHADER_FRAGMENT)
            fragment_mode(p, &in);
        else if (p->stage == SHADER_COMPUTE && in.w[2] == SpvExecutionModeLocalSize)
            set_workgroup_size(p, in.w + 3);
    }
    if (p->stage == SHADER_COMPUTE && p->workgroup_size) {
        uint32_t size[3];
        for (unsigned k = 0; k < 3; k++)
            size[k] = p->workgroup_size->constant->values[k].u32;
        set_workgroup_size(p, size);
    }
    check_modes(p);
}
