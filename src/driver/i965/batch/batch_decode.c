/* SPDX-License-Identifier: MIT */
/* Walks a batch packet by packet, keeps the base addresses, and prints what packets point to. */
#include "batch_decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "eu.h"
#include "util/macros.h"

#define MAX_DWORDS   (1u << 20) /* Of all packets of a batch. */
#define MAX_JUMPS    1024       /* Of a batch, by MI_BATCH_BUFFER_START. */
#define MAX_LEVEL    3          /* Nested batches. */
#define ADDRESS_MASK UINT64_C(0xffffffffffff)
#define KERNEL_BYTES 65536 /* Of one kernel, at most. */
#define MAX_BINDINGS 32    /* Entries of a binding table whose length is unknown. */

/* Shader stages with binding tables, in the order of the stage index below. */
enum stage { VS, HS, DS, GS, PS, STAGES };

struct decoder {
    const struct i965_decode_options *options;
    const struct i965_batch_memory *memory;
    FILE *out;
    unsigned errors;
    unsigned dwords; /* Printed so far. */
    /* Base addresses, and whether the batch has set them. Otherwise they are those of an earlier
     * batch. */
    uint64_t surface, dynamic, instruction, pool;
    bool has_surface, has_dynamic, has_instruction, has_pool;
    uint64_t jumps[MAX_JUMPS]; /* Addresses of the jumps that were followed. */
    unsigned num_jumps;
    unsigned bindings[STAGES]; /* Entries of the stage's binding table, 0 if unknown. */
};

__attribute__((format(printf, 2, 3))) static void report(struct decoder *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("    error: ", d->out);
    vfprintf(d->out, format, args);
    fputc('\n', d->out);
    va_end(args);
    d->errors++;
}

/* Returns memory of at least size bytes, or NULL after an error. what: its name in the error. */
static const void *memory_at(struct decoder *d, uint64_t address, uint64_t size, const char *what)
{
    uint64_t available = 0;
    const uint8_t *bytes = d->memory->read(d->memory->data, address & ADDRESS_MASK, &available);
    if (!bytes || available < size) {
        report(d, "%s at %#" PRIx64 ": no memory", what, address & ADDRESS_MASK);
        return NULL;
    }
    return bytes;
}

/* Prints a structure in memory and stores it in values, if that is not NULL. Returns false if no
 * memory is known at the address. */
static bool print_struct(struct decoder *d, enum i965_layout_id id, unsigned dwords,
                         uint64_t address, void *values)
{
    enum i965_generation gen = d->options->generation;
    struct i965_packet_error error;
    uint32_t copy[16];
    const void *bytes = memory_at(d, address, dwords * 4ull, i965_layout_name(id));
    if (!bytes)
        return false;
    memcpy(copy, bytes, dwords * 4ull);
    fprintf(d->out, "  %s at %#" PRIx64 "\n", i965_layout_name(id), address & ADDRESS_MASK);
    i965_print_fields(gen, id, copy, dwords, 8, d->out);
    d->errors += !i965_check_packet(gen, id, copy, dwords, &error);
    if (values)
        i965_unpack(gen, id, copy, dwords, values, &error);
    return true;
}

/* Returns the bytes of a kernel up to its end of thread, or size if it has none or is malformed. */
static size_t kernel_size(const struct i965_device *device, const uint8_t *code, size_t size)
{
    struct eu_inst inst;
    char error[128];
    for (size_t offset = 0, length; offset < size; offset += length) {
        length = eu_decode(device, code, size, offset, &inst, error, sizeof error);
        if (!length)
            return size;
        if (inst.eot)
            return offset + length;
    }
    return size;
}

static void print_kernel(struct decoder *d, const char *name, uint64_t offset)
{
    if (!d->has_instruction)
        return;
    uint64_t available = 0, address = (d->instruction + offset) & ADDRESS_MASK;
    const uint8_t *code = d->memory->read(d->memory->data, address, &available);
    fprintf(d->out, "  %s kernel at %#" PRIx64 "\n", name, address);
    if (!code) {
        report(d, "%s kernel: no memory", name);
        return;
    }
    if (!d->options->device)
        return;
    size_t size = kernel_size(d->options->device, code, MIN2(available, KERNEL_BYTES));
    d->errors += !eu_disassemble(d->options->device, code, size, NULL, 0, d->out);
}

static void print_binding_table(struct decoder *d, enum stage stage, uint64_t pointer)
{
    unsigned known = d->bindings[stage], count = known ? known : MAX_BINDINGS;
    uint64_t table = (d->has_pool ? d->pool : d->surface) + pointer;
    if (!d->has_surface)
        return;
    for (unsigned i = 0; i < count; i++) {
        uint64_t available = 0;
        uint32_t entry;
        const uint8_t *bytes =
            d->memory->read(d->memory->data, (table + i * 4ull) & ADDRESS_MASK, &available);
        if (!bytes || available < 4) {
            if (known || i == 0)
                report(d, "binding table at %#" PRIx64 ": no memory", table & ADDRESS_MASK);
            return;
        }
        memcpy(&entry, bytes, sizeof entry);
        if (!known && !entry)
            return;
        fprintf(d->out, "  binding %u: %#x\n", i, entry);
        if (!entry)
            continue;
        print_struct(d, I965_RENDER_SURFACE_STATE, 16, d->surface + entry, NULL);
    }
}

static void print_vertex_buffers(struct decoder *d, const struct i965_3dstate_vertex_buffers *v)
{
    for (unsigned i = 0; i < v->num_vertex_buffer_state; i++) {
        const struct i965_vertex_buffer_state *b = &v->vertex_buffer_state[i];
        uint64_t available = 0, address = b->buffer_starting_address & ADDRESS_MASK;
        const uint8_t *bytes = d->memory->read(d->memory->data, address, &available);
        uint32_t word;
        fprintf(d->out, "  vertex buffer %u: %u bytes at %#" PRIx64 "\n", b->vertex_buffer_index,
                b->buffer_size, address);
        if (b->null_vertex_buffer || !b->buffer_size)
            continue;
        if (!bytes || available < b->buffer_size) {
            report(d, "vertex buffer %u: %" PRIu64 " of %u bytes are in memory",
                   b->vertex_buffer_index, bytes ? available : 0, b->buffer_size);
            continue;
        }
        for (unsigned w = 0; w + 4 <= b->buffer_size && w < 64; w += 4) {
            memcpy(&word, bytes + w, sizeof word);
            fprintf(d->out, "%s%08x", w % 32 ? " " : "        ", word);
            if (w % 32 == 28 || w + 8 > b->buffer_size)
                fputc('\n', d->out);
        }
    }
}

static void print_descriptors(struct decoder *d,
                              const struct i965_media_interface_descriptor_load *load)
{
    struct i965_interface_descriptor_data data;
    unsigned count = load->interface_descriptor_total_length / 32;
    for (unsigned i = 0; i < count && i < 64 && d->has_dynamic; i++) {
        uint64_t address = d->dynamic + load->interface_descriptor_data_start_address + i * 32ull;
        if (!print_struct(d, I965_INTERFACE_DESCRIPTOR_DATA, 8, address, &data))
            return;
        print_kernel(d, "compute", data.kernel_start_pointer);
    }
}

/* Prints count structures in dynamic state memory. Pointer 0 is not followed: it is what drivers
 * set for no state. */
static void print_dynamic(struct decoder *d, enum i965_layout_id id, unsigned dwords,
                          uint64_t pointer, unsigned count)
{
    for (unsigned i = 0; i < count && pointer && d->has_dynamic; i++) {
        if (!print_struct(d, id, dwords, d->dynamic + pointer + i * dwords * 4ull, NULL))
            return;
    }
}

static void set_bases(struct decoder *d, const struct i965_state_base_address *s)
{
    if (s->surface_state_base_address_modify_enable) {
        d->surface = s->surface_state_base_address;
        d->has_surface = true;
    }
    if (s->dynamic_state_base_address_modify_enable) {
        d->dynamic = s->dynamic_state_base_address;
        d->has_dynamic = true;
    }
    if (s->instruction_base_address_modify_enable) {
        d->instruction = s->instruction_base_address;
        d->has_instruction = true;
    }
}

/* Any packet whose contents the decoder uses. */
union packet {
    struct i965_state_base_address base;
    struct i965_3dstate_binding_table_pool_alloc pool;
    struct i965_3dstate_vs vs;
    struct i965_3dstate_hs hs;
    struct i965_3dstate_ds ds;
    struct i965_3dstate_gs gs;
    struct i965_3dstate_ps ps;
    struct i965_3dstate_binding_table_pointers_vs bt_vs;
    struct i965_3dstate_binding_table_pointers_hs bt_hs;
    struct i965_3dstate_binding_table_pointers_ds bt_ds;
    struct i965_3dstate_binding_table_pointers_gs bt_gs;
    struct i965_3dstate_binding_table_pointers_ps bt_ps;
    struct i965_3dstate_sampler_state_pointers_vs ss_vs;
    struct i965_3dstate_sampler_state_pointers_hs ss_hs;
    struct i965_3dstate_sampler_state_pointers_ds ss_ds;
    struct i965_3dstate_sampler_state_pointers_gs ss_gs;
    struct i965_3dstate_sampler_state_pointers_ps ss_ps;
    struct i965_3dstate_blend_state_pointers blend;
    struct i965_3dstate_cc_state_pointers cc;
    struct i965_3dstate_viewport_state_pointers_cc viewport_cc;
    struct i965_3dstate_viewport_state_pointers_sf_clip viewport_sf;
    struct i965_3dstate_scissor_state_pointers scissor;
    struct i965_3dstate_vertex_buffers vertex_buffers;
    struct i965_media_interface_descriptor_load descriptors;
    struct i965_mi_batch_buffer_start start;
};

/* Keeps the length of the binding table and prints the kernels of a shader packet. */
static bool follow_shader(struct decoder *d, enum i965_layout_id id, const union packet *p)
{
    switch (id) {
    case I965_3DSTATE_VS:
        d->bindings[VS] = p->vs.binding_table_entry_count;
        if (p->vs.enable)
            print_kernel(d, "vertex", p->vs.kernel_start_pointer);
        return true;
    case I965_3DSTATE_HS:
        d->bindings[HS] = p->hs.binding_table_entry_count;
        if (p->hs.enable)
            print_kernel(d, "hull", p->hs.kernel_start_pointer);
        return true;
    case I965_3DSTATE_DS:
        d->bindings[DS] = p->ds.binding_table_entry_count;
        if (p->ds.enable)
            print_kernel(d, "domain", p->ds.kernel_start_pointer);
        return true;
    case I965_3DSTATE_GS:
        d->bindings[GS] = p->gs.binding_table_entry_count;
        if (p->gs.enable)
            print_kernel(d, "geometry", p->gs.kernel_start_pointer);
        return true;
    case I965_3DSTATE_PS:
        d->bindings[PS] = p->ps.binding_table_entry_count;
        if (p->ps._8_pixel_dispatch_enable || p->ps._16_pixel_dispatch_enable ||
            p->ps._32_pixel_dispatch_enable)
            print_kernel(d, "pixel", p->ps.kernel_start_pointer_0);
        if (p->ps.kernel_start_pointer_1)
            print_kernel(d, "pixel 1", p->ps.kernel_start_pointer_1);
        if (p->ps.kernel_start_pointer_2)
            print_kernel(d, "pixel 2", p->ps.kernel_start_pointer_2);
        return true;
    default:
        return false;
    }
}

/* Prints the binding table or the sampler that a packet points to. */
static bool follow_table(struct decoder *d, enum i965_layout_id id, const union packet *p)
{
    unsigned shift = d->options->generation >= I965_GENERATION_11 && d->has_pool ? 3 : 0;
    switch (id) {
    case I965_3DSTATE_BINDING_TABLE_POINTERS_VS:
        print_binding_table(d, VS, p->bt_vs.pointer_to_vs_binding_table << shift);
        return true;
    case I965_3DSTATE_BINDING_TABLE_POINTERS_HS:
        print_binding_table(d, HS, p->bt_hs.pointer_to_hs_binding_table << shift);
        return true;
    case I965_3DSTATE_BINDING_TABLE_POINTERS_DS:
        print_binding_table(d, DS, p->bt_ds.pointer_to_ds_binding_table << shift);
        return true;
    case I965_3DSTATE_BINDING_TABLE_POINTERS_GS:
        print_binding_table(d, GS, p->bt_gs.pointer_to_gs_binding_table << shift);
        return true;
    case I965_3DSTATE_BINDING_TABLE_POINTERS_PS:
        print_binding_table(d, PS, p->bt_ps.pointer_to_ps_binding_table << shift);
        return true;
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_VS:
        print_dynamic(d, I965_SAMPLER_STATE, 4, p->ss_vs.pointer_to_vs_sampler_state, 1);
        return true;
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_HS:
        print_dynamic(d, I965_SAMPLER_STATE, 4, p->ss_hs.pointer_to_hs_sampler_state, 1);
        return true;
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_DS:
        print_dynamic(d, I965_SAMPLER_STATE, 4, p->ss_ds.pointer_to_ds_sampler_state, 1);
        return true;
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_GS:
        print_dynamic(d, I965_SAMPLER_STATE, 4, p->ss_gs.pointer_to_gs_sampler_state, 1);
        return true;
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_PS:
        print_dynamic(d, I965_SAMPLER_STATE, 4, p->ss_ps.pointer_to_ps_sampler_state, 1);
        return true;
    default:
        return false;
    }
}

/* Prints what a packet points to. */
static void follow(struct decoder *d, enum i965_layout_id id, const union packet *p)
{
    if (follow_shader(d, id, p) || follow_table(d, id, p))
        return;
    switch (id) {
    case I965_STATE_BASE_ADDRESS:
        set_bases(d, &p->base);
        break;
    case I965_3DSTATE_BINDING_TABLE_POOL_ALLOC:
        d->has_pool =
            p->pool.binding_table_pool_enable || d->options->generation == I965_GENERATION_12;
        d->pool = p->pool.binding_table_pool_base_address;
        break;
    case I965_3DSTATE_BLEND_STATE_POINTERS:
        print_dynamic(d, I965_BLEND_STATE, 1, p->blend.blend_state_pointer, 1);
        print_dynamic(d, I965_BLEND_STATE_ENTRY, 2, p->blend.blend_state_pointer + 4, 8);
        break;
    case I965_3DSTATE_CC_STATE_POINTERS:
        print_dynamic(d, I965_COLOR_CALC_STATE, 6, p->cc.color_calc_state_pointer, 1);
        break;
    case I965_3DSTATE_VIEWPORT_STATE_POINTERS_CC:
        print_dynamic(d, I965_CC_VIEWPORT, 2, p->viewport_cc.cc_viewport_pointer, 4);
        break;
    case I965_3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP:
        print_dynamic(d, I965_SF_CLIP_VIEWPORT, 16, p->viewport_sf.sf_clip_viewport_pointer, 1);
        break;
    case I965_3DSTATE_SCISSOR_STATE_POINTERS:
        print_dynamic(d, I965_SCISSOR_RECT, 2, p->scissor.scissor_rect_pointer, 1);
        break;
    case I965_3DSTATE_VERTEX_BUFFERS:
        print_vertex_buffers(d, &p->vertex_buffers);
        break;
    case I965_MEDIA_INTERFACE_DESCRIPTOR_LOAD:
        print_descriptors(d, &p->descriptors);
        break;
    default:
        break;
    }
}

/* Returns whether follow() or the loop below uses the packet's contents. */
static bool is_followed(enum i965_layout_id id)
{
    switch (id) {
    case I965_STATE_BASE_ADDRESS:
    case I965_3DSTATE_BINDING_TABLE_POOL_ALLOC:
    case I965_3DSTATE_VS:
    case I965_3DSTATE_HS:
    case I965_3DSTATE_DS:
    case I965_3DSTATE_GS:
    case I965_3DSTATE_PS:
    case I965_3DSTATE_BINDING_TABLE_POINTERS_VS:
    case I965_3DSTATE_BINDING_TABLE_POINTERS_HS:
    case I965_3DSTATE_BINDING_TABLE_POINTERS_DS:
    case I965_3DSTATE_BINDING_TABLE_POINTERS_GS:
    case I965_3DSTATE_BINDING_TABLE_POINTERS_PS:
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_VS:
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_HS:
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_DS:
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_GS:
    case I965_3DSTATE_SAMPLER_STATE_POINTERS_PS:
    case I965_3DSTATE_BLEND_STATE_POINTERS:
    case I965_3DSTATE_CC_STATE_POINTERS:
    case I965_3DSTATE_VIEWPORT_STATE_POINTERS_CC:
    case I965_3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP:
    case I965_3DSTATE_SCISSOR_STATE_POINTERS:
    case I965_3DSTATE_VERTEX_BUFFERS:
    case I965_MEDIA_INTERFACE_DESCRIPTOR_LOAD:
    case I965_MI_BATCH_BUFFER_START:
        return true;
    default:
        return false;
    }
}

/* Prints one packet. Stores its length, and its contents if it is followed. Returns false if
 * nothing can be read. */
static bool print_packet(struct decoder *d, uint64_t address, enum i965_layout_id *id,
                         unsigned *length, union packet *contents)
{
    enum i965_generation gen = d->options->generation;
    uint64_t available = 0;
    uint32_t dwords[I965_PACKET_MAX_DWORDS];
    struct i965_packet_error error;
    const uint8_t *bytes = d->memory->read(d->memory->data, address, &available);
    if (!bytes || available < 4) {
        report(d, "batch at %#" PRIx64 ": no memory", address);
        return false;
    }
    memcpy(dwords, bytes, 4);
    if (!i965_find_packet(gen, dwords[0], id)) {
        fprintf(d->out, "%#" PRIx64 ": %08x unknown\n", address, dwords[0]);
        report(d, "unknown instruction %#010x at %#" PRIx64, dwords[0], address);
        return false;
    }
    *length = i965_packet_length(*id, dwords[0]);
    unsigned count = *length < I965_PACKET_MAX_DWORDS ? *length : I965_PACKET_MAX_DWORDS;
    if (available < count * 4ull)
        count = (unsigned)(available / 4);
    memcpy(dwords, bytes, count * 4ull);
    fprintf(d->out, "%#" PRIx64 ": %08x %s\n", address, dwords[0], i965_layout_name(*id));
    i965_print_fields(gen, *id, dwords, count, 4, d->out);
    bool ok = i965_check_packet(gen, *id, dwords, count, &error);
    d->errors += !ok;
    if (is_followed(*id))
        i965_unpack(gen, *id, dwords, count, contents, &error);
    d->dwords += *length;
    return *length * 4ull <= available || ok;
}

static bool decode_level(struct decoder *d, uint64_t address, unsigned level);

/* Stores that a jump is followed. Returns false if it was followed before. */
static bool is_new_jump(struct decoder *d, uint64_t source)
{
    for (unsigned i = 0; i < d->num_jumps; i++) {
        if (d->jumps[i] == source)
            return false;
    }
    if (d->num_jumps < MAX_JUMPS)
        d->jumps[d->num_jumps++] = source;
    return true;
}

/* Follows the MI_BATCH_BUFFER_START before *address: decodes the batch that it calls, or stores the
 * address that it jumps to. A call that is reached again is not printed again. Returns false if
 * decoding must stop. */
static bool jump(struct decoder *d, const struct i965_mi_batch_buffer_start *start,
                 uint64_t *address, uint64_t source, unsigned level)
{
    uint64_t target = start->batch_buffer_start_address & ADDRESS_MASK;
    bool is_new = is_new_jump(d, source);
    if (d->num_jumps == MAX_JUMPS) {
        report(d, "more than %u jumps", MAX_JUMPS - 1);
        return false;
    }
    if (!start->second_level_batch_buffer) {
        *address = target;
        if (!is_new)
            report(d, "the batch does not end: the jump at %#" PRIx64 " is reached again", source);
        return is_new;
    }
    if (!is_new)
        return true;
    if (level + 1 >= MAX_LEVEL) {
        report(d, "more than %u levels of batches", MAX_LEVEL);
        return false;
    }
    return decode_level(d, target, level + 1);
}

/* Prints packets from an address until the batch ends. Returns false if decoding must stop. */
static bool decode_level(struct decoder *d, uint64_t address, unsigned level)
{
    enum i965_layout_id id;
    union packet contents;
    unsigned length = 0;
    for (;;) {
        if (d->dwords >= MAX_DWORDS) {
            report(d, "the batch does not end within %u dwords", MAX_DWORDS);
            return false;
        }
        memset(&contents, 0, sizeof contents);
        if (!print_packet(d, address, &id, &length, &contents))
            return false;
        const uint64_t source = address;
        address = (address + length * 4ull) & ADDRESS_MASK;
        if (id == I965_MI_BATCH_BUFFER_END)
            return true;
        if (id == I965_MI_BATCH_BUFFER_START) {
            if (!jump(d, &contents.start, &address, source, level))
                return false;
        } else if (!d->options->blitter) {
            follow(d, id, &contents);
        }
    }
}

unsigned i965_batch_decode(const struct i965_decode_options *options,
                           const struct i965_batch_memory *memory, FILE *out)
{
    struct decoder d = {.options = options, .memory = memory, .out = out};
    decode_level(&d, options->address & ADDRESS_MASK, 0);
    return d.errors;
}
