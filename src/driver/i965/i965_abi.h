/* SPDX-License-Identifier: MIT */
/*
 * Thread payloads: what a kernel finds in its registers when its thread starts, and how the thread
 * ends. This is the interface between the compiler and the dispatcher (the simulator, or the
 * 3DSTATE packets on hardware). The layouts are those of Skylake's fixed functions (PRM volume 2d
 * "3D pipeline stages", "Thread payload"; volume 7). A register has 32 bytes; rN is GRF N.
 *
 * Vertex shader, SIMD8, one vertex per channel
 *   r0       header; r0.5 bits 31:10: offset of the thread's scratch space from the general state
 *            base address, in units of 1024 bytes
 *   r1       URB return handle of each vertex (UD)
 *   r2 …     push constants, prog_data.curb_read_length registers
 *   then     attributes, 4 registers each (x, y, z, w of 8 vertices), in ascending order as listed
 *            in prog_data.vs.inputs; then, if used, one slot with
 *            (first vertex, base instance, vertex id - first vertex, instance id) and one with
 *            (draw id, is-indexed ~0 or 0, view index, 0)
 *   ends     with a SIMD8 URB write with EOT. VUE slot 0 is the header (x: 0, y: layer, z: viewport
 *            index, w: point size); it is not written if the shader writes none of the three. A
 *            varying that is not written has vue_map slot -1. Slot 1 is the position, slots 2 and 3
 *            are clip distances 0-3 and 4-7 if written, then the varyings: prog_data.vue_map.
 *
 * Fragment shader, SIMD8 and SIMD16 (×2: twice the number of registers in SIMD16)
 *   r0       header; r0.0 bit 15: set for back-facing primitives; r0.0 bits 26:16: layer (render
 *            target array index); r0.0 bits 9:6: sample index if there is one thread per sample;
 *            r0.5 bits 31:10: scratch space
 *   r1       subspans: r1.2 … r1.5 (UD): x (low word) and y (high word) of the first pixel of
 *            subspans 0 … 3. Channels of a subspan: (0,0), (1,0), (0,1), (1,1). The low word of
 *            r1.7 is the dispatch mask.
 *   then     barycentrics for each mode in prog_data.fs.barycentric_modes, in the order of enum
 *            i965_barycentric: i, then j for each group of 8 pixels (2 registers, ×2)
 *   then     source depth (1, ×2) and source w (1, ×2), if prog_data requests them
 *   then     if requested, the position of the shaded sample (1): byte x and byte y for each
 *            channel in sixteenths of a pixel, (8, 8) being the center; the input coverage mask (1,
 *            ×2); the fraction of the pixel that a smooth primitive covers (F; 1, ×2), which no
 *            hardware provides
 *   then     push constants, from prog_data.dispatch_grf_start
 *   then     if requested, a register with the framebuffer height in pixels in dword 0 (F)
 *   then     plane equations of the attributes: 4 floats per component (a_dx, a_dy, unused, a_0),
 *            two components per register, two registers per slot, in the order of
 *            prog_data.fs.inputs. value = a_0 + i·a_dx + j·a_dy. For flat inputs a_0 is the value
 *            of the provoking vertex.
 *   y        increases upwards in window space; the fragment position's origin is the lower left
 *   reads    of render targets precede the writes. They have the header of a write and return four
 *            values per channel. For surface prog_data.binding_table.depth_stencil, the first two
 *            are the current depth (F) and stencil value; no hardware has such a render target.
 *   ends     with render target writes, the last one with EOT. Discarded pixels are masked by the
 *            header's pixel mask or by predication.
 *
 * Tessellation control shader, SIMD8, one invocation per channel, all of the same patch. More than
 * eight invocations take several threads (volume 7, "HS Thread Payload", single patch).
 *   r0       header; r0.0: handle of the patch's entry; r0.1: primitive id; r0.2 bits 23:17: index
 *            of the thread within the patch; r0.2 bits 16:13: barrier id; r0.5: scratch space
 *   r1 … r4  handles of the input vertices' entries, in order
 *   r5 …     push constants; then, if requested, a register with the number of vertices of the
 *            input patch in dword 0
 *   entry    two slots with the tessellation levels (dword 7 is the first outer level; the other
 *            outer and then the inner levels occupy the dwords below in descending order; isolines:
 *            dword 6 is the number of lines, dword 7 of segments), the patch slots, then the slots
 *            of each vertex: prog_data.vue_map
 *   ends     with a SIMD8 URB write with EOT
 *
 * Tessellation evaluation shader, SIMD8, one vertex per channel, all of the same patch (volume 7,
 * "DS Thread Payload", SIMD8)
 *   r0       header; r0.0: handle of the patch's entry; r0.1: primitive id; r0.5: scratch space
 *   r1 … r3  u, v, w
 *   r4       URB return handle of each vertex
 *   r5 …     push constants; then, if requested, a register with the number of vertices of the
 *            patch in dword 0
 *   then     prog_data.urb_read_length registers of the patch's entry, two slots each, starting at
 *            slot pair urb_read_offset
 *   ends     like a vertex shader
 *
 * Geometry shader, SIMD8, one primitive per channel (volume 7, "GS Thread Payload", SIMD8). With
 * several invocations, the channels are invocations of one primitive.
 *   r0       header; r0.5: scratch space
 *   r1       for each channel: bits 15:0 URB return handle, bits 31:27 invocation
 *   then     if requested, primitive ids (1 register)
 *   then     if requested, URB handles of the vertices' entries: one register per vertex of the
 *            primitive; with several invocations, one dword per vertex in one register
 *   then     push constants
 *   then     for each vertex of the primitive: urb_read_length pairs of slots of its entry,
 *            starting at pair urb_read_offset, four registers per slot; none with several
 *            invocations
 *   entry    unless prog_data.gs.static_output: 32 bytes with the number of vertices in dword 0;
 *            control_data_header_size · 32 bytes with, for each vertex, one bit (the strip ends
 *            after it) or two bits (its stream); then the vertices, output_vertex_size · 32 bytes
 *            each: prog_data.vue_map
 *   ends     with a SIMD8 URB write with EOT
 *
 * Compute shader, SIMD8, 16 or 32; a thread group has ceil(local size / width) threads
 *   r0       header; r0.1, r0.6, r0.7: work group id x, y, z (UD); r0.5: scratch space
 *   r1 …     push constants common to all threads (prog_data.curb_read_length registers), then one
 *            register per thread: dword 0 is the thread's index in its group; dwords 1 … 3 are the
 *            group size if it is variable. The kernel computes the local ids from the thread index.
 *   shared   memory is accessed through binding table index 254 (SLM)
 *   ends     with a message to the thread spawner with EOT
 *
 * Binding table. The sections are, in order: render targets, depth and stencil (if the shader reads
 * them), textures, uniform blocks, storage blocks (the shader's own, then the atomic counter
 * buffers), images, prog_data.constants (if there are any), and the surface for gl_NumWorkGroups.
 * prog_data.binding_table has the first index of each section. Entry n of the uniform-block section
 * is constant buffer n of the driver interface; constant buffer 0 is the default uniform block.
 *
 * Samplers. There are prog_data.sampler_count sampler states, indexed by
 * nir_tex_instr.sampler_index.
 *
 * Push constants. Up to 4 ranges of constant buffers (prog_data.push_ranges), concatenated in
 * order, fill up to 64 registers.
 */
#ifndef I965_ABI_H
#define I965_ABI_H

/* Barycentric modes, in payload order. */
enum i965_barycentric {
    I965_BARYCENTRIC_PERSPECTIVE_PIXEL,
    I965_BARYCENTRIC_PERSPECTIVE_CENTROID,
    I965_BARYCENTRIC_PERSPECTIVE_SAMPLE,
    I965_BARYCENTRIC_NONPERSPECTIVE_PIXEL,
    I965_BARYCENTRIC_NONPERSPECTIVE_CENTROID,
    I965_BARYCENTRIC_NONPERSPECTIVE_SAMPLE,
    I965_BARYCENTRIC_COUNT,
};

/* Special binding table indices (BTI), and limits. */
enum {
    I965_BTI_STATELESS_NONCOHERENT = 253, /* As I965_BTI_STATELESS, for data of one thread. */
    I965_BTI_SLM = 254,                   /* Special binding table index: shared local memory. */
    I965_BTI_STATELESS = 255,             /* Special binding table index: scratch memory. */
    I965_MAX_PUSH_REGISTERS = 64,         /* Registers of push constants, all ranges together. */
    I965_MAX_PUSH_RANGES = 4,
    I965_MAX_BINDING_TABLE_ENTRIES = 240, /* Entries of all sections together. */
};

#endif
