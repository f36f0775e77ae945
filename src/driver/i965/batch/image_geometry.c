/* SPDX-License-Identifier: MIT */
/* Packets from vertex fetch to stream output: vertex buffers, URB, and the stages before the
 * rasterizer. */
#include <stdio.h>
#include <string.h>

#include "image_private.h"
#include "indium/driver.h"
#include "nir/nir.h"
#include "util/macros.h"

#define VERTEX_SIZE 32u
#define URB_CHUNK   8192u /* Unit of starting addresses in the URB, in bytes. */
#define MAX_THREADS 336u  /* Of the stages before the rasterizer: GT2, which GT3 and GT4 exceed. */

#define MAX_VERTEX_BUFFERS 33u

#define EMIT(b, id, ...) image_pack(b, IMAGE_BATCH, id, &(__VA_ARGS__), 4)

/* Returns the value of a field Sampler Count: samplers in groups of four, at most 16. */
static uint32_t sampler_count(const struct i965_prog_data *data)
{
    return MIN2((data->sampler_count + 3u) / 4, 4);
}

/* Returns the value of a field Per-Thread Scratch Space: 0 for 1 KiB, 1 for 2 KiB and so on. */
static uint32_t scratch_field(const struct i965_prog_data *data)
{
    uint32_t field = 0;
    while ((1024u << field) < data->scratch_size)
        field++;
    return field;
}

static const struct i965_kernel *first_kernel(const struct i965_program *p)
{
    return &p->kernels[0];
}

/* Vertex elements with the components that a slot of the payload needs. */
static struct i965_vertex_element_state element(uint32_t format, uint32_t offset)
{
    return (struct i965_vertex_element_state){
        .valid = true,
        .source_element_format = format,
        .source_element_offset = offset,
        .component_0_control = I965_VERTEX_COMPONENT_CONTROL_STORE_SRC,
        .component_1_control = I965_VERTEX_COMPONENT_CONTROL_STORE_SRC,
        .component_2_control = I965_VERTEX_COMPONENT_CONTROL_STORE_SRC,
        .component_3_control = I965_VERTEX_COMPONENT_CONTROL_STORE_SRC,
    };
}

/* An element of constants; the vertex fetcher replaces components by ids (3DSTATE_VF_SGVS). */
static struct i965_vertex_element_state zeros(void)
{
    struct i965_vertex_element_state e = element(I965_SURFACE_FORMAT_R32G32B32A32_FLOAT, 0);
    e.component_0_control = e.component_1_control = e.component_2_control = e.component_3_control =
        I965_VERTEX_COMPONENT_CONTROL_STORE_0;
    return e;
}

static void emit_vertex_fetch(struct image_builder *b)
{
    const struct i965_prog_data *d = &b->programs[SHADER_VERTEX]->data;
    const uint32_t size = b->options->vertices * VERTEX_SIZE;
    struct i965_3dstate_vertex_buffers buffers = {
        .num_vertex_buffer_state = MIN2(MAX2(d->vs.num_inputs, 1), MAX_VERTEX_BUFFERS)};
    struct i965_3dstate_vertex_elements elements = {0};
    struct i965_3dstate_vf_sgvs ids = {0};
    for (uint32_t i = 0; i < buffers.num_vertex_buffer_state; i++) {
        buffers.vertex_buffer_state[i] = (struct i965_vertex_buffer_state){
            .vertex_buffer_index = i,
            .buffer_pitch = VERTEX_SIZE,
            .address_modify_enable = true,
            .mocs = b->options->device->mocs,
            .buffer_starting_address = image_address(b, IMAGE_DATA, b->vertex_data + i * size),
            .buffer_size = size,
        };
    }
    uint32_t at = EMIT(b, I965_3DSTATE_VERTEX_BUFFERS, buffers);
    for (uint32_t i = 0; i < buffers.num_vertex_buffer_state; i++)
        image_relocate(b, IMAGE_BATCH, at + (2 + 4 * i) * 4, "vertex buffer");
    for (unsigned i = 0; i < d->vs.num_inputs; i++) {
        struct i965_vertex_element_state *e = &elements.element[elements.num_element++];
        *e = element(I965_SURFACE_FORMAT_R32G32B32A32_FLOAT,
                     d->vs.inputs[i] % I965_ATTRIB_SLOTS * VERTEX_SIZE / 2);
        e->vertex_buffer_index = MIN2(i, MAX_VERTEX_BUFFERS - 1);
    }
    if (d->vs.uses_vertex_ids) {
        ids.vertexid_enable = ids.instanceid_enable = true;
        ids.vertexid_element_offset = ids.instanceid_element_offset = elements.num_element;
        ids.vertexid_component_number = 2;
        ids.instanceid_component_number = 3;
        elements.element[elements.num_element++] = zeros();
    }
    if (d->vs.uses_draw_id || !elements.num_element)
        elements.element[elements.num_element++] = zeros();
    EMIT(b, I965_3DSTATE_VERTEX_ELEMENTS, elements);
    EMIT(b, I965_3DSTATE_VF, (struct i965_3dstate_vf){0});
    EMIT(b, I965_3DSTATE_VF_STATISTICS,
         (struct i965_3dstate_vf_statistics){.statistics_enable = true});
    EMIT(b, I965_3DSTATE_VF_SGVS, ids);
    for (uint32_t i = 0; i < elements.num_element; i++)
        EMIT(b, I965_3DSTATE_VF_INSTANCING,
             (struct i965_3dstate_vf_instancing){.vertex_element_index = i});
}

/* Returns the entries that fit into some chunks of the URB: a multiple of 8, at most max. */
static uint32_t urb_entries(uint32_t chunks, uint32_t entry_size, uint32_t max)
{
    return MIN2(chunks * URB_CHUNK / (entry_size * 64), max) & ~7u;
}

/* Divides the URB: 32 KB of push constants, then 64 KB of VS, 32 KB of HS, 32 KB of DS, 32 KB of
 * GS. */
static void emit_urb(struct image_builder *b)
{
    const struct i965_program *const *p = b->programs;
    uint32_t vs = p[SHADER_VERTEX]->data.vs.urb_entry_size;
    uint32_t hs = p[SHADER_TESS_CTRL] ? p[SHADER_TESS_CTRL]->data.tcs.urb_entry_size : 0;
    uint32_t ds = p[SHADER_TESS_EVAL] ? p[SHADER_TESS_EVAL]->data.tes.urb_entry_size : 0;
    uint32_t gs = p[SHADER_GEOMETRY] ? p[SHADER_GEOMETRY]->data.gs.urb_entry_size : 0;
    EMIT(b, I965_3DSTATE_PUSH_CONSTANT_ALLOC_VS,
         (struct i965_3dstate_push_constant_alloc_vs){6, 0});
    EMIT(b, I965_3DSTATE_PUSH_CONSTANT_ALLOC_HS,
         (struct i965_3dstate_push_constant_alloc_hs){6, 6});
    EMIT(b, I965_3DSTATE_PUSH_CONSTANT_ALLOC_DS,
         (struct i965_3dstate_push_constant_alloc_ds){6, 12});
    EMIT(b, I965_3DSTATE_PUSH_CONSTANT_ALLOC_GS,
         (struct i965_3dstate_push_constant_alloc_gs){6, 18});
    EMIT(b, I965_3DSTATE_PUSH_CONSTANT_ALLOC_PS,
         (struct i965_3dstate_push_constant_alloc_ps){8, 24});
    EMIT(b, I965_3DSTATE_URB_VS,
         (struct i965_3dstate_urb_vs){urb_entries(8, MAX2(vs, 1), 1856), MAX2(vs, 1) - 1, 4});
    EMIT(b, I965_3DSTATE_URB_HS,
         (struct i965_3dstate_urb_hs){hs ? urb_entries(4, hs, 672) : 0, hs ? hs - 1 : 0, 12});
    EMIT(b, I965_3DSTATE_URB_DS,
         (struct i965_3dstate_urb_ds){ds ? urb_entries(4, ds, 1120) : 0, ds ? ds - 1 : 0, 16});
    EMIT(b, I965_3DSTATE_URB_GS,
         (struct i965_3dstate_urb_gs){gs ? urb_entries(4, gs, 640) : 0, gs ? gs - 1 : 0, 20});
}

static void emit_vs(struct image_builder *b)
{
    const struct i965_program *p = b->programs[SHADER_VERTEX];
    EMIT(b, I965_3DSTATE_VS,
         (struct i965_3dstate_vs){
             .enable = true,
             .simd8_dispatch_enable = true,
             .statistics_enable = true,
             .kernel_start_pointer = b->kernel[SHADER_VERTEX][0],
             .binding_table_entry_count = p->data.binding_table.size,
             .sampler_count = sampler_count(&p->data),
             .per_thread_scratch_space = scratch_field(&p->data),
             .dispatch_grf_start_register_for_urb_data = first_kernel(p)->dispatch_grf_start,
             .vertex_urb_entry_read_length = p->data.vs.urb_read_length,
             .maximum_number_of_threads = MAX_THREADS - 1,
             .vertex_urb_entry_output_read_offset = 1,
             .vertex_urb_entry_output_length = MAX2((p->data.vue_map.num_slots - 1) / 2, 1),
         });
}

static void emit_hs(struct image_builder *b)
{
    const struct i965_program *p = b->programs[SHADER_TESS_CTRL];
    struct i965_3dstate_hs hs = {0};
    if (p) {
        hs = (struct i965_3dstate_hs){
            .enable = true,
            .statistics_enable = true,
            .include_vertex_handles = true,
            .kernel_start_pointer = b->kernel[SHADER_TESS_CTRL][0],
            .binding_table_entry_count = p->data.binding_table.size,
            .sampler_count = sampler_count(&p->data),
            .per_thread_scratch_space = scratch_field(&p->data),
            .dispatch_grf_start_register_for_urb_data = first_kernel(p)->dispatch_grf_start,
            .instance_count = p->data.tcs.instances - 1u,
            .maximum_number_of_threads = MAX_THREADS - 1,
            .dispatch_mode = I965_HS_DISPATCH_MODE_SINGLE_PATCH,
        };
    }
    EMIT(b, I965_3DSTATE_HS, hs);
}

static void emit_te(struct image_builder *b)
{
    const struct i965_program *p = b->programs[SHADER_TESS_EVAL];
    struct i965_3dstate_te te = {0};
    if (p) {
        static const uint32_t domains[] = {
            [nir_tess_primitive_none] = I965_TE_DOMAIN_QUAD,
            [nir_tess_primitive_triangles] = I965_TE_DOMAIN_TRI,
            [nir_tess_primitive_quads] = I965_TE_DOMAIN_QUAD,
            [nir_tess_primitive_isolines] = I965_TE_DOMAIN_ISOLINE,
        };
        static const uint32_t partitionings[] = {
            [nir_tess_spacing_none] = I965_PARTITIONING_INTEGER,
            [nir_tess_spacing_equal] = I965_PARTITIONING_INTEGER,
            [nir_tess_spacing_fractional_odd] = I965_PARTITIONING_ODD_FRACTIONAL,
            [nir_tess_spacing_fractional_even] = I965_PARTITIONING_EVEN_FRACTIONAL,
        };
        te.te_enable = true;
        te.te_domain = domains[p->data.tes.primitive];
        te.partitioning = partitionings[p->data.tes.spacing];
        te.output_topology = p->data.tes.point_mode ? I965_TE_OUTPUT_TOPOLOGY_POINT
                             : p->data.tes.primitive == nir_tess_primitive_isolines
                                 ? I965_TE_OUTPUT_TOPOLOGY_LINE
                             /* The hardware's v axis points down, OpenGL's up. */
                             : p->data.tes.ccw ? I965_TE_OUTPUT_TOPOLOGY_TRI_CW
                                               : I965_TE_OUTPUT_TOPOLOGY_TRI_CCW;
        te.maximum_tessellation_factor_odd = 63;
        te.maximum_tessellation_factor_not_odd = 64;
    }
    EMIT(b, I965_3DSTATE_TE, te);
}

static void emit_ds(struct image_builder *b)
{
    const struct i965_program *p = b->programs[SHADER_TESS_EVAL];
    struct i965_3dstate_ds ds = {0};
    if (p) {
        ds = (struct i965_3dstate_ds){
            .enable = true,
            .statistics_enable = true,
            .compute_w_coordinate_enable = p->data.tes.primitive == nir_tess_primitive_triangles,
            .kernel_start_pointer = b->kernel[SHADER_TESS_EVAL][0],
            .binding_table_entry_count = p->data.binding_table.size,
            .sampler_count = sampler_count(&p->data),
            .per_thread_scratch_space = scratch_field(&p->data),
            .dispatch_grf_start_register_for_urb_data = first_kernel(p)->dispatch_grf_start,
            .patch_urb_entry_read_offset = p->data.urb_read_offset,
            .patch_urb_entry_read_length = p->data.urb_read_length,
            .maximum_number_of_threads = MAX_THREADS - 1,
            .dispatch_mode = I965_DISPATCH_MODE_SIMD8_SINGLE_PATCH,
            .vertex_urb_entry_output_read_offset = 1,
            .vertex_urb_entry_output_length = MAX2((p->data.vue_map.num_slots - 1) / 2, 1),
        };
    }
    EMIT(b, I965_3DSTATE_DS, ds);
}

static void emit_gs(struct image_builder *b)
{
    const struct i965_program *p = b->programs[SHADER_GEOMETRY];
    struct i965_3dstate_gs gs = {0};
    if (p) {
        static const uint32_t topologies[DRV_PRIM_COUNT] = {
            [DRV_PRIM_POINTS] = I965_OUTPUT_TOPOLOGY_POINTLIST,
            [DRV_PRIM_LINE_STRIP] = I965_OUTPUT_TOPOLOGY_LINESTRIP,
            [DRV_PRIM_TRIANGLE_STRIP] = I965_OUTPUT_TOPOLOGY_TRISTRIP,
        };
        const uint32_t start = first_kernel(p)->dispatch_grf_start;
        gs = (struct i965_3dstate_gs){
            .enable = true,
            .statistics_enable = true,
            .dispatch_mode = I965_GS_DISPATCH_MODE_SIMD8,
            .kernel_start_pointer = b->kernel[SHADER_GEOMETRY][0],
            .binding_table_entry_count = p->data.binding_table.size,
            .sampler_count = sampler_count(&p->data),
            .per_thread_scratch_space = scratch_field(&p->data),
            .expected_vertex_count = p->data.gs.vertices_in,
            .dispatch_grf_start_register_for_urb_data = start & 15,
            .dispatch_grf_start_register_for_urb_data_5_4 = start >> 4,
            .vertex_urb_entry_read_offset = p->data.urb_read_offset,
            .vertex_urb_entry_read_length = p->data.urb_read_length,
            .include_vertex_handles = p->data.gs.include_vertex_handles,
            .include_primitive_id = p->data.gs.include_primitive_id,
            .output_topology = topologies[p->data.gs.output_primitive],
            .output_vertex_size = p->data.gs.output_vertex_size * 2u - 1,
            .control_data_header_size = p->data.gs.control_data_header_size,
            .control_data_format = p->data.gs.control_data_format == I965_CONTROL_STREAM
                                       ? I965_CONTROL_DATA_FORMAT_SID
                                       : I965_CONTROL_DATA_FORMAT_CUT,
            .instance_control = p->data.gs.invocations - 1u,
            .invocations_increment_value = p->data.gs.invocations - 1u,
            .static_output = p->data.gs.static_output,
            .static_output_vertex_count = p->data.gs.static_vertex_count,
            .reorder_mode = 1, /* provoking vertices stay last */
            .maximum_number_of_threads = MAX_THREADS / b->options->device->gs_threads_unit - 1,
            .vertex_urb_entry_output_read_offset = 1,
            .vertex_urb_entry_output_length = MAX2((p->data.vue_map.num_slots - 1) / 2, 1),
        };
    }
    EMIT(b, I965_3DSTATE_GS, gs);
}

/* --- Stream output --- */

#define CAPTURE_SIZE 0x8000u /* Bytes of each buffer; the hardware drops what doesn't fit. */

/* Appends an entry of a stream; those of different streams alternate (volume 2a, "SO_DECL"). */
static void add_so_decl(struct image_builder *b, struct i965_3dstate_so_decl_list *list,
                        unsigned stream, struct i965_so_decl decl)
{
    const unsigned at = 4 * list->num_entries[stream] + stream;
    if (at >= ARRAY_SIZE(list->decl)) {
        if (!b->error[0])
            snprintf(b->error, 200, "transform feedback captures too many outputs");
        return;
    }
    list->stream_to_buffer_selects[stream] |= 1u << decl.output_buffer_slot;
    list->num_entries[stream]++;
    list->num_decl = MAX2(list->num_decl, at / 4 * 4 + 4);
    list->decl[at] = decl;
}

/* Returns the first component of a captured output in its slot: built-in outputs with one component
 * share the header. */
static unsigned so_component(unsigned slot, unsigned component)
{
    return slot == VARYING_SLOT_LAYER      ? 1
           : slot == VARYING_SLOT_VIEWPORT ? 2
           : slot == VARYING_SLOT_PSIZ     ? 3
                                           : component;
}

/* Stores the indices of the captured outputs in the order of their offsets. */
static void sort_outputs(const struct drv_stream_output *so, unsigned order[DRV_MAX_SO_OUTPUTS])
{
    for (unsigned i = 0; i < so->num_outputs; i++) {
        unsigned at = i;
        for (; at && so->output[order[at - 1]].dst_offset > so->output[i].dst_offset; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Fills the list; gaps between captured outputs become holes. The hardware writes the outputs of a
 * buffer one after another, so they must be in the order of their offsets, which layouts may
 * declare in any order. */
static void list_outputs(struct image_builder *b, const struct i965_vue_map *map,
                         struct i965_3dstate_so_decl_list *list)
{
    const struct drv_stream_output *so = b->options->stream_output;
    unsigned next[DRV_MAX_SO_BUFFERS] = {0}; /* In dwords. There are no half floats. */
    unsigned order[DRV_MAX_SO_OUTPUTS];
    assert(so->num_outputs <= ARRAY_SIZE(order));
    sort_outputs(so, order);
    for (unsigned k = 0; k < so->num_outputs; k++) {
        const unsigned i = order[k];
        const unsigned buffer = so->output[i].buffer, stream = so->output[i].stream;
        const unsigned slot = so->output[i].slot, count = so->output[i].num_components;
        const unsigned first = so_component(slot, so->output[i].start_component);
        const unsigned offset = so->output[i].dst_offset / 4;
        while (next[buffer] < offset) {
            unsigned n = MIN2(offset - next[buffer], 4);
            add_so_decl(b, list, stream,
                        (struct i965_so_decl){.component_mask = BITFIELD_MASK(n),
                                              .hole_flag = true,
                                              .output_buffer_slot = buffer});
            next[buffer] += n;
        }
        add_so_decl(b, list, stream,
                    (struct i965_so_decl){
                        .component_mask = BITFIELD_MASK(count) << first,
                        .register_index = map->slot[slot] < 0 ? 0 : (uint32_t)map->slot[slot],
                        .hole_flag = map->slot[slot] < 0,
                        .output_buffer_slot = buffer,
                    });
        next[buffer] += count;
    }
}

/* Reserves a buffer and emits its packet. Gen12 has a packet for each index. */
static void emit_so_buffer(struct image_builder *b, unsigned index)
{
    const uint32_t offset = image_reserve(b, IMAGE_DATA, CAPTURE_SIZE, 64);
    struct i965_3dstate_so_buffer_index_body body = {
        .so_buffer_enable = true,
        .stream_offset_write_enable = true, /* starts at offset 0 */
        .mocs = b->options->device->mocs,
        .surface_base_address = image_address(b, IMAGE_DATA, offset),
        .surface_size = CAPTURE_SIZE / 4 - 1,
    };
    const struct i965_3dstate_so_buffer indexed = {
        .so_buffer_index = index,
        .so_buffer_enable = body.so_buffer_enable,
        .stream_offset_write_enable = body.stream_offset_write_enable,
        .mocs = body.mocs,
        .surface_base_address = body.surface_base_address,
        .surface_size = body.surface_size,
    };
    static const enum i965_layout_id packets[] = {
        I965_3DSTATE_SO_BUFFER_INDEX_0, I965_3DSTATE_SO_BUFFER_INDEX_1,
        I965_3DSTATE_SO_BUFFER_INDEX_2, I965_3DSTATE_SO_BUFFER_INDEX_3};
    uint32_t at = image_has_field(b, packets[index], "SO Buffer Index State Body")
                      ? EMIT(b, packets[index], body)
                      : EMIT(b, I965_3DSTATE_SO_BUFFER, indexed);
    image_relocate(b, IMAGE_BATCH, at + 2 * 4, "stream output buffer");
}

static void emit_stream_output(struct image_builder *b)
{
    const struct drv_stream_output *so = b->options->stream_output;
    const struct i965_program *const *p = b->programs;
    const struct i965_program *last = p[SHADER_GEOMETRY]    ? p[SHADER_GEOMETRY]
                                      : p[SHADER_TESS_EVAL] ? p[SHADER_TESS_EVAL]
                                                            : p[SHADER_VERTEX];
    struct i965_3dstate_streamout streamout = {0};
    struct i965_3dstate_so_decl_list list = {{0}};
    if (!so) {
        EMIT(b, I965_3DSTATE_STREAMOUT, streamout);
        return;
    }
    list_outputs(b, &last->data.vue_map, &list);
    unsigned buffers = 0;
    for (unsigned stream = 0; stream < ARRAY_SIZE(list.num_entries); stream++)
        buffers |= list.stream_to_buffer_selects[stream];
    for (unsigned i = 0; i < DRV_MAX_SO_BUFFERS; i++) {
        if (buffers >> i & 1)
            emit_so_buffer(b, i);
    }
    EMIT(b, I965_3DSTATE_SO_DECL_LIST, list);
    /* Whole entries, in pairs of slots. */
    const uint32_t length = (last->data.vue_map.num_slots + 1u) / 2 - 1;
    streamout = (struct i965_3dstate_streamout){
        .so_function_enable = true,
        .so_statistics_enable = true,
        .reorder_mode = I965_REORDER_MODE_TRAILING,
        .stream_0_vertex_read_length = length,
        .stream_1_vertex_read_length = length,
        .stream_2_vertex_read_length = length,
        .stream_3_vertex_read_length = length,
        .buffer_0_surface_pitch = so->stride[0],
        .buffer_1_surface_pitch = so->stride[1],
        .buffer_2_surface_pitch = so->stride[2],
        .buffer_3_surface_pitch = so->stride[3],
    };
    EMIT(b, I965_3DSTATE_STREAMOUT, streamout);
}

/* --- Constants --- */

/* Returns the push constants of a stage. Ranges use the last buffers: the address of buffer 0 may
 * be relative to the dynamic state. */
static struct i965_3dstate_constant_body constant_body(struct image_builder *b, unsigned stage)
{
    struct i965_3dstate_constant_body body = {0};
    const struct i965_program *p = b->programs[stage];
    for (unsigned i = 0; p && i < p->data.num_push_ranges; i++) {
        const struct i965_push_range *r = &p->data.push_ranges[i];
        unsigned slot = 4 - p->data.num_push_ranges + i;
        body.read_length[slot] = r->length;
        body.buffer[slot] = image_address(b, IMAGE_DATA, b->constants + r->start * 32u);
    }
    return body;
}

/* Relocates the buffers of a 3DSTATE_CONSTANT packet: 64-bit addresses from dword 3 on. */
static void relocate_constants(struct image_builder *b, uint32_t at, unsigned stage)
{
    unsigned ranges = b->programs[stage] ? b->programs[stage]->data.num_push_ranges : 0;
    for (unsigned slot = 4 - ranges; slot < 4; slot++)
        image_relocate(b, IMAGE_BATCH, at + (3 + 2 * slot) * 4, "push constants");
}

/* Emits the push constants, binding table and samplers of one stage. */
#define EMIT_STAGE(b, stage, HW, hw)                                                               \
    do {                                                                                           \
        uint32_t at =                                                                              \
            EMIT(b, I965_3DSTATE_CONSTANT_##HW,                                                    \
                 (struct i965_3dstate_constant_##hw){.mocs = b->options->device->mocs,             \
                                                     .constant_body = constant_body(b, stage)});   \
        relocate_constants(b, at, stage);                                                          \
        EMIT(b, I965_3DSTATE_BINDING_TABLE_POINTERS_##HW,                                          \
             (struct i965_3dstate_binding_table_pointers_##hw){(b)->binding_table[stage]});        \
        EMIT(b, I965_3DSTATE_SAMPLER_STATE_POINTERS_##HW,                                          \
             (struct i965_3dstate_sampler_state_pointers_##hw){(b)->samplers[stage]});             \
    } while (0)

void image_emit_geometry_stages(struct image_builder *b)
{
    emit_urb(b);
    emit_vertex_fetch(b);
    EMIT_STAGE(b, SHADER_VERTEX, VS, vs);
    EMIT_STAGE(b, SHADER_TESS_CTRL, HS, hs);
    EMIT_STAGE(b, SHADER_TESS_EVAL, DS, ds);
    EMIT_STAGE(b, SHADER_GEOMETRY, GS, gs);
    EMIT_STAGE(b, SHADER_FRAGMENT, PS, ps);
    emit_vs(b);
    emit_hs(b);
    emit_te(b);
    emit_ds(b);
    emit_gs(b);
    emit_stream_output(b);
}
