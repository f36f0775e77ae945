/* SPDX-License-Identifier: MIT */
#include "driver/cpu/kernel/cpu_nir_io.h"

nir_variable *cpu_output_variable(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                                  unsigned slot, unsigned component)
{
    nir_variable **var = &outputs->var[slot][component];
    if (!*var)
        *var = nir_local_variable_create(kb->impl, glsl_uint_type(), "output");
    return *var;
}

nir_def *cpu_output_value(nir_builder *b, const struct cpu_outputs *outputs, unsigned slot,
                          unsigned component)
{
    nir_variable *var = outputs->var[slot][component];
    return var ? nir_load_var(b, var) : NULL;
}

nir_def *cpu_output_to_u32(nir_builder *b, nir_def *value)
{
    if (value->bit_size == 1)
        return nir_b2i32(b, value);
    return value->bit_size == 32 ? value : nir_u2u32(b, value);
}

/* Returns the number of slots that a store may write, starting with its first slot. */
static unsigned stored_slots(nir_intrinsic_instr *intr)
{
    bool direct = nir_src_is_const(*nir_get_io_offset_src(intr));
    return direct ? 1 : MAX2(nir_intrinsic_io_semantics(intr).num_slots, 1);
}

void cpu_declare_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                        nir_intrinsic_instr *intr)
{
    nir_src *offset = nir_get_io_offset_src(intr);
    unsigned slot = nir_intrinsic_io_semantics(intr).location;
    unsigned mask = nir_intrinsic_write_mask(intr) << nir_intrinsic_component(intr);

    if (nir_src_is_const(*offset))
        slot += (unsigned)nir_src_as_uint(*offset);
    for (unsigned s = 0; s < stored_slots(intr) && slot + s < CPU_IO_SLOTS; s++)
        for (unsigned c = 0; c < 4; c++)
            if (mask >> c & 1)
                cpu_output_variable(kb, outputs, slot + s, c);
}

void cpu_lower_store_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                            unsigned slot, nir_intrinsic_instr *intr)
{
    nir_builder *b = &kb->b;
    nir_def *value = intr->src[0].ssa;
    nir_src *offset = nir_get_io_offset_src(intr);
    bool direct = nir_src_is_const(*offset);
    unsigned mask = nir_intrinsic_write_mask(intr), first = nir_intrinsic_component(intr);
    unsigned num_slots = stored_slots(intr);

    if (direct)
        slot += (unsigned)nir_src_as_uint(*offset);
    for (unsigned s = 0; s < num_slots && slot + s < CPU_IO_SLOTS; s++) {
        for (unsigned i = 0; i < value->num_components && first + i < 4; i++) {
            if (!(mask >> i & 1))
                continue;
            nir_variable *var = cpu_output_variable(kb, outputs, slot + s, first + i);
            nir_def *v = cpu_output_to_u32(b, nir_channel(b, value, i));
            if (!direct)
                v = nir_bcsel(b, nir_ieq_imm(b, offset->ssa, s), v, nir_load_var(b, var));
            nir_store_var(b, var, v, 1);
        }
    }
    nir_instr_remove(&intr->instr);
}

struct output_reader {
    struct cpu_kernel_builder *kb;
    struct cpu_outputs *outputs;
};

static nir_def *read_output(void *data, unsigned slot, unsigned component)
{
    struct output_reader *r = data;
    if (slot >= CPU_IO_SLOTS)
        return nir_imm_int(&r->kb->b, 0);
    return nir_load_var(&r->kb->b, cpu_output_variable(r->kb, r->outputs, slot, component));
}

void cpu_lower_load_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                           unsigned slot, nir_intrinsic_instr *intr)
{
    struct output_reader reader = {kb, outputs};
    nir_def *value =
        cpu_select_slot(kb, intr, nir_get_io_offset_src(intr)->ssa, slot,
                        MAX2(nir_intrinsic_io_semantics(intr).num_slots, 1), read_output, &reader);
    nir_def_replace(&intr->def, value);
}

void cpu_lower_common_instr(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                            nir_instr *instr, nir_def *value)
{
    if (instr->type == nir_instr_type_tex) {
        cpu_lower_tex(kb, nir_instr_as_tex(instr));
        return;
    }
    nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    if (value)
        nir_def_replace(&intr->def, value);
    else if (outputs && intr->intrinsic == nir_intrinsic_store_output)
        cpu_lower_store_output(kb, outputs, nir_intrinsic_io_semantics(intr).location, intr);
    else if (outputs && intr->intrinsic == nir_intrinsic_load_output)
        cpu_lower_load_output(kb, outputs, nir_intrinsic_io_semantics(intr).location, intr);
    else if (!cpu_lower_memory(kb, intr))
        cpu_lower_image(kb, intr);
}

nir_def *cpu_load_vertex_input(nir_builder *b, const uint8_t input_slot[CPU_IO_SLOTS],
                               unsigned slot, unsigned component, nir_def *in, nir_def *vertex)
{
    if (slot >= CPU_IO_SLOTS || !input_slot[slot])
        return nir_imm_float(b, component == 3 ? 1.0f : 0.0f);
    unsigned row = (input_slot[slot] - 1u) * 4 + component;
    nir_def *at = nir_iadd_imm(b, vertex, row * CPU_BATCH_VERTICES);
    return nir_load_global_constant(b, 1, 32, in, nir_ishl_imm(b, at, 2), .align_mul = 4);
}

nir_def *cpu_select_slot(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr, nir_def *offset,
                         unsigned slot, unsigned num_slots,
                         nir_def *(*get)(void *data, unsigned slot, unsigned component), void *data)
{
    nir_builder *b = &kb->b;
    nir_src src = nir_src_for_ssa(offset);
    unsigned first = nir_intrinsic_component(intr), n = intr->def.num_components;
    nir_def *component[NIR_MAX_VEC_COMPONENTS];

    for (unsigned i = 0; i < n; i++) {
        unsigned c = MIN2(first + i, 3);
        if (nir_src_is_const(src)) {
            component[i] = get(data, slot + (unsigned)nir_src_as_uint(src), c);
            continue;
        }
        component[i] = get(data, slot, c);
        for (unsigned s = 1; s < num_slots; s++)
            component[i] =
                nir_bcsel(b, nir_ieq_imm(b, offset, s), get(data, slot + s, c), component[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        if (intr->def.bit_size == 1)
            component[i] = nir_ine_imm(b, component[i], 0);
        else if (intr->def.bit_size == 16)
            component[i] = nir_f2f16(b, component[i]);
    }
    return nir_vec(b, component, n);
}
