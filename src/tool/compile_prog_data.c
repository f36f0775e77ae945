/* SPDX-License-Identifier: MIT */
/* Prints struct i965_prog_data and the kernels as JSON. */
#include "compile_prog_data.h"

#include <string.h>

#include "indium/driver.h"
#include "nir/nir.h"

/* A member of struct i965_prog_data that is a number or a bool. */
struct member {
    const char *name;
    size_t offset, size;
    bool is_bool;
};

#define MEMBER(name, path)                                                                         \
    {name, offsetof(struct i965_prog_data, path), sizeof(((struct i965_prog_data *)0)->path),      \
     _Generic(((struct i965_prog_data *)0)->path, bool: true, default: false)}

static const struct member common_members[] = {
    MEMBER("curb_read_length", curb_read_length), MEMBER("scratch_size", scratch_size),
    MEMBER("sampler_count", sampler_count),       MEMBER("urb_read_offset", urb_read_offset),
    MEMBER("urb_read_length", urb_read_length),
};

static const struct member binding_members[] = {
    MEMBER("render_targets", binding_table.render_targets),
    MEMBER("textures", binding_table.textures),
    MEMBER("uniform_blocks", binding_table.uniform_blocks),
    MEMBER("storage_blocks", binding_table.storage_blocks),
    MEMBER("images", binding_table.images),
    MEMBER("num_work_groups", binding_table.num_work_groups),
    MEMBER("depth_stencil", binding_table.depth_stencil),
    MEMBER("constants", binding_table.constants),
    MEMBER("size", binding_table.size),
};

static const struct member vs_members[] = {
    MEMBER("uses_vertex_ids", vs.uses_vertex_ids),
    MEMBER("uses_draw_id", vs.uses_draw_id),
    MEMBER("urb_read_length", vs.urb_read_length),
    MEMBER("urb_entry_size", vs.urb_entry_size),
};

static const struct member fs_members[] = {
    MEMBER("flat_inputs", fs.flat_inputs),
    MEMBER("barycentric_modes", fs.barycentric_modes),
    MEMBER("uses_source_depth", fs.uses_source_depth),
    MEMBER("uses_source_w", fs.uses_source_w),
    MEMBER("uses_position_offsets", fs.uses_position_offsets),
    MEMBER("uses_sample_mask", fs.uses_sample_mask),
    MEMBER("uses_coverage", fs.uses_coverage),
    MEMBER("writes_depth", fs.writes_depth),
    MEMBER("writes_stencil", fs.writes_stencil),
    MEMBER("writes_sample_mask", fs.writes_sample_mask),
    MEMBER("uses_discard", fs.uses_discard),
    MEMBER("uses_height", fs.uses_height),
    MEMBER("pulls_barycentrics", fs.pulls_barycentrics),
    MEMBER("reads_targets", fs.reads_targets),
    MEMBER("reads_depth_stencil", fs.reads_depth_stencil),
    MEMBER("dual_source", fs.dual_source),
    MEMBER("persample", fs.persample),
    MEMBER("early_fragment_tests", fs.early_fragment_tests),
    MEMBER("uses_side_effects", fs.uses_side_effects),
    MEMBER("num_color_outputs", fs.num_color_outputs),
};

static const struct member gs_members[] = {
    MEMBER("vertices_in", gs.vertices_in),
    MEMBER("invocations", gs.invocations),
    MEMBER("vertices_out", gs.vertices_out),
    MEMBER("output_vertex_size", gs.output_vertex_size),
    MEMBER("control_data_header_size", gs.control_data_header_size),
    MEMBER("static_output", gs.static_output),
    MEMBER("static_vertex_count", gs.static_vertex_count),
    MEMBER("include_primitive_id", gs.include_primitive_id),
    MEMBER("include_vertex_handles", gs.include_vertex_handles),
    MEMBER("urb_entry_size", gs.urb_entry_size),
};

static const struct member tcs_members[] = {
    MEMBER("vertices_out", tcs.vertices_out),
    MEMBER("instances", tcs.instances),
    MEMBER("uses_patch_vertices", tcs.uses_patch_vertices),
    MEMBER("uses_barrier", tcs.uses_barrier),
    MEMBER("urb_entry_size", tcs.urb_entry_size),
};

static const struct member tes_members[] = {
    MEMBER("ccw", tes.ccw),
    MEMBER("point_mode", tes.point_mode),
    MEMBER("uses_patch_vertices", tes.uses_patch_vertices),
    MEMBER("urb_entry_size", tes.urb_entry_size),
};

static const struct member cs_members[] = {
    MEMBER("variable_size", cs.variable_size),
    MEMBER("shared_size", cs.shared_size),
    MEMBER("uses_barrier", cs.uses_barrier),
    MEMBER("uses_num_work_groups", cs.uses_num_work_groups),
};

/* Prints the members as "name": value, separated by commas. */
static void print_members(FILE *out, const struct i965_prog_data *data,
                          const struct member *members, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t value = 0;
        memcpy(&value, (const char *)data + members[i].offset, members[i].size);
        fprintf(out, "%s\"%s\": ", i ? ", " : "", members[i].name);
        if (members[i].is_bool)
            fputs(value ? "true" : "false", out);
        else
            fprintf(out, "%u", value);
    }
}

#define PRINT_MEMBERS(out, data, members) print_members(out, data, members, ARRAY_SIZE(members))

static void print_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

/* Prints the name of a varying slot without its prefix, e.g. "POS", "VAR3", "PATCH0". */
static void print_varying(FILE *out, unsigned slot)
{
    static const char *const names[VARYING_SLOT_VAR0] = {
        [VARYING_SLOT_POS] = "POS",
        [VARYING_SLOT_COL0] = "COL0",
        [VARYING_SLOT_COL1] = "COL1",
        [VARYING_SLOT_FOGC] = "FOGC",
        [VARYING_SLOT_PSIZ] = "PSIZ",
        [VARYING_SLOT_BFC0] = "BFC0",
        [VARYING_SLOT_BFC1] = "BFC1",
        [VARYING_SLOT_EDGE] = "EDGE",
        [VARYING_SLOT_CLIP_VERTEX] = "CLIP_VERTEX",
        [VARYING_SLOT_CLIP_DIST0] = "CLIP_DIST0",
        [VARYING_SLOT_CLIP_DIST1] = "CLIP_DIST1",
        [VARYING_SLOT_CULL_DIST0] = "CULL_DIST0",
        [VARYING_SLOT_CULL_DIST1] = "CULL_DIST1",
        [VARYING_SLOT_PRIMITIVE_ID] = "PRIMITIVE_ID",
        [VARYING_SLOT_LAYER] = "LAYER",
        [VARYING_SLOT_VIEWPORT] = "VIEWPORT",
        [VARYING_SLOT_FACE] = "FACE",
        [VARYING_SLOT_POINT_COORD] = "POINT_COORD",
        [VARYING_SLOT_TESS_LEVEL_OUTER] = "TESS_LEVEL_OUTER",
        [VARYING_SLOT_TESS_LEVEL_INNER] = "TESS_LEVEL_INNER",
        [VARYING_SLOT_BOUNDING_BOX0] = "BOUNDING_BOX0",
        [VARYING_SLOT_BOUNDING_BOX1] = "BOUNDING_BOX1",
    };
    if (slot >= VARYING_SLOT_PATCH0)
        fprintf(out, "\"PATCH%u\"", slot - VARYING_SLOT_PATCH0);
    else if (slot >= VARYING_SLOT_VAR0)
        fprintf(out, "\"VAR%u\"", slot - VARYING_SLOT_VAR0);
    else if (slot >= VARYING_SLOT_TEX0 && slot <= VARYING_SLOT_TEX7)
        fprintf(out, "\"TEX%u\"", slot - VARYING_SLOT_TEX0);
    else
        fprintf(out, "\"%s\"", names[slot] ? names[slot] : "NONE");
}

static void print_vue_map(FILE *out, const char *name, const struct i965_vue_map *map)
{
    const char *separator = "";
    fprintf(out, ", \"%s\": {\"num_slots\": %u, \"num_patch_slots\": %u, \"slots\": {", name,
            map->num_slots, map->num_patch_slots);
    for (unsigned i = 0; i < VARYING_SLOT_COUNT && map->num_slots; i++) {
        if (map->slot[i] < 0)
            continue;
        fputs(separator, out);
        print_varying(out, i);
        fprintf(out, ": %d", map->slot[i]);
        separator = ", ";
    }
    fputs("}}", out);
}

static void print_vs(FILE *out, const struct i965_prog_data *data)
{
    fputs("\"vs\": {\"inputs\": [", out);
    for (unsigned i = 0; i < data->vs.num_inputs; i++)
        fprintf(out, "%s%u", i ? ", " : "", data->vs.inputs[i]);
    fputs("], ", out);
    PRINT_MEMBERS(out, data, vs_members);
    fputc('}', out);
}

static void print_fs(FILE *out, const struct i965_prog_data *data)
{
    fputs("\"fs\": {\"inputs\": [", out);
    for (unsigned i = 0; i < data->fs.num_inputs; i++) {
        fputs(i ? ", " : "", out);
        print_varying(out, data->fs.inputs[i]);
    }
    fputs("], ", out);
    PRINT_MEMBERS(out, data, fs_members);
    fputc('}', out);
}

static void print_gs(FILE *out, const struct i965_prog_data *data)
{
    static const char *const primitives[DRV_PRIM_COUNT] = {
        [DRV_PRIM_POINTS] = "points",
        [DRV_PRIM_LINES] = "lines",
        [DRV_PRIM_LINE_STRIP] = "line_strip",
        [DRV_PRIM_TRIANGLES] = "triangles",
        [DRV_PRIM_TRIANGLE_STRIP] = "triangle_strip",
        [DRV_PRIM_LINES_ADJACENCY] = "lines_adjacency",
        [DRV_PRIM_TRIANGLES_ADJACENCY] = "triangles_adjacency",
    };
    static const char *const formats[] = {"none", "cut", "stream"};
    fprintf(out,
            "\"gs\": {\"input_primitive\": \"%s\", \"output_primitive\": \"%s\", "
            "\"control_data_format\": \"%s\", ",
            primitives[data->gs.input_primitive], primitives[data->gs.output_primitive],
            formats[data->gs.control_data_format]);
    PRINT_MEMBERS(out, data, gs_members);
    fputc('}', out);
}

static void print_tes(FILE *out, const struct i965_prog_data *data)
{
    static const char *const primitives[] = {"none", "triangles", "quads", "isolines"};
    static const char *const spacings[] = {"none", "equal", "fractional_odd", "fractional_even"};
    fprintf(out, "\"tes\": {\"primitive\": \"%s\", \"spacing\": \"%s\", ",
            primitives[data->tes.primitive], spacings[data->tes.spacing]);
    PRINT_MEMBERS(out, data, tes_members);
    fputc('}', out);
}

static void print_stage(FILE *out, const struct i965_prog_data *data)
{
    switch (data->stage) {
    case SHADER_VERTEX:
        print_vs(out, data);
        break;
    case SHADER_TESS_CTRL:
        fputs("\"tcs\": {", out);
        PRINT_MEMBERS(out, data, tcs_members);
        fputc('}', out);
        break;
    case SHADER_TESS_EVAL:
        print_tes(out, data);
        break;
    case SHADER_GEOMETRY:
        print_gs(out, data);
        break;
    case SHADER_FRAGMENT:
        print_fs(out, data);
        break;
    default:
        fprintf(out, "\"cs\": {\"local_size\": [%u, %u, %u], ", data->cs.local_size[0],
                data->cs.local_size[1], data->cs.local_size[2]);
        PRINT_MEMBERS(out, data, cs_members);
        fputc('}', out);
        break;
    }
}

static void print_kernels(FILE *out, const struct i965_program *program)
{
    const char *separator = "";
    fputs(", \"kernels\": [", out);
    for (unsigned i = 0; i < ARRAY_SIZE(program->kernels); i++) {
        const struct i965_kernel *k = &program->kernels[i];
        if (!k->width)
            continue;
        fprintf(out, "%s{\"width\": %u, \"code_size\": %u, \"dispatch_grf_start\": %u}", separator,
                k->width, k->code_size, k->dispatch_grf_start);
        separator = ", ";
    }
    fputc(']', out);
}

void compile_print_prog_data(FILE *out, const char *name, const char *target,
                             const struct i965_program *program)
{
    const struct i965_prog_data *data = &program->data;
    fputs("{\"program\": ", out);
    print_string(out, name);
    fprintf(out, ", \"target\": \"%s\", ", target);
    print_stage(out, data);
    fputs(", ", out);
    PRINT_MEMBERS(out, data, common_members);
    fputs(", \"binding_table\": {", out);
    PRINT_MEMBERS(out, data, binding_members);
    fputs("}, \"push_ranges\": [", out);
    for (unsigned i = 0; i < data->num_push_ranges; i++) {
        const struct i965_push_range *r = &data->push_ranges[i];
        fprintf(out, "%s{\"buffer\": %u, \"start\": %u, \"length\": %u}", i ? ", " : "", r->buffer,
                r->start, r->length);
    }
    fputs("], \"constants\": [", out);
    for (unsigned i = 0; i < data->constant_size; i += 4) {
        uint32_t dword;
        memcpy(&dword, data->constants + i, sizeof dword);
        fprintf(out, "%s%u", i ? ", " : "", dword);
    }
    fputc(']', out);
    if (data->stage == SHADER_TESS_CTRL || data->stage == SHADER_TESS_EVAL ||
        data->stage == SHADER_GEOMETRY)
        print_vue_map(out, "input_map", &data->input_map);
    if (data->stage != SHADER_FRAGMENT && data->stage != SHADER_COMPUTE)
        print_vue_map(out, "vue_map", &data->vue_map);
    print_kernels(out, program);
    fputs("}\n", out);
}
