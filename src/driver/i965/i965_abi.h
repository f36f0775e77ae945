/* SPDX-License-Identifier: MIT */
/*
 * What a kernel may assume when its thread starts, and how it ends: the contract between the
 * compiler and whoever dispatches (the simulator; the 3DSTATE packets on hardware). Registers are
 * 32 bytes; rN is GRF N. As Skylake's fixed functions deliver it (PRM volume 2d "3D pipeline
 * stages", "Thread payload"; volume 7).
 *
 * Vertex shader, SIMD8, one vertex per channel
 *   r0       header; r0.5 bits 31:10: scratch space, bytes / 1024 from the base of general state
 *   r1       URB return handle of each vertex (UD)
 *   r2 …     push constants, prog_data.curb_read_length registers
 *   then     attributes: 4 registers each (x, y, z, w of 8 vertices), in the order of
 *            prog_data.vs.inputs (ascending), then, if used, one slot with
 *            (first vertex, base instance, vertex id - first vertex, instance id) and one with
 *            (draw id, is-indexed ~0 or 0, 0, 0)
 *   ends     URB write SIMD8, EOT. The VUE: slot 0 is the header (x: 0, y: layer, z: viewport
 *            index, w: point size), not written at all if the shader writes none of the three
 *            (their vue_map slots are -1 if they are not written); slot 1 position, slots 2 and 3
 *            clip distances 0-3 and 4-7 if written, then the varyings: prog_data.vue_map.
 *
 * Fragment shader, SIMD8 and SIMD16 (SIMD16 twice the registers where noted ×2)
 *   r0       header: r0.0 bit 15: the primitive faces back; bits 26:16 of r0.0: layer (render target
 *            array index); r0.0 bits 9:6: sample index when a thread runs per sample; r0.5 bits
 *            31:10 scratch
 *   r1       subspans: r1.2 … r1.5 (UD): x (low word) and y (high word) of the first pixel of
 *            subspans 0 … 3. Channels of a subspan: (0,0), (1,0), (0,1), (1,1); dispatch mask in
 *            r1.7 low word
 *   then     barycentrics for each mode in prog_data.fs.barycentric_modes, in the order of enum
 *            i965_barycentric: for each group of 8 pixels i then j (2 registers, ×2)
 *   then     source depth (1, ×2), source w (1, ×2), if the prog_data asks for them
 *   then     if asked for, where the sample is that is shaded (1): a byte x, a byte y of each channel,
 *            sixteenths of a pixel (8, 8: its center); coverage mask of the input (1, ×2);
 *            how much of the pixel a smooth primitive covers (F; 1, ×2), which no hardware says
 *   then     push constants from prog_data.dispatch_grf_start
 *   then     if asked for, a register of which dword 0 is the framebuffer's height in pixels (F)
 *   then     attributes' plane equations: for each component 4 floats (a_dx, a_dy, unused, a_0):
 *            two components per register, two registers per slot, in the order of prog_data.fs.inputs.
 *            value = a_0 + i·a_dx + j·a_dy; flat inputs have the value of the provoking vertex as a_0
 *   y        grows upwards in window space; the fragment position's origin is the lower left
 *   reads    of render targets, before they are written: a header like theirs, four values a channel;
 *            of surface prog_data.binding_table.depth_stencil the first two are the depth (F) and the
 *            stencil value that are there, which no hardware has as a render target
 *   ends     render target write(s), the last with EOT; pixels that were discarded are masked by the
 *            header's pixel mask or by predication
 *
 * Tessellation control shader, SIMD8, an invocation per channel, all of one patch; more than eight
 * invocations are more threads (volume 7, "HS Thread Payload", single patch)
 *   r0       header: r0.0 handle of the patch's entry; r0.1 primitive id; r0.2 bits 23:17: which of the
 *            patch's threads, bits 16:13: barrier; r0.5 scratch
 *   r1 … r4  handles of the input vertices' entries, one after the other
 *   r5 …     push constants, then, if asked for, a register of which dword 0 is the number of vertices
 *            of the input patch
 *   entry    two slots with the levels (dword 7 is the first outer one, the inner ones follow the outer
 *            ones, downwards; isolines: dword 6 the number of lines, dword 7 of segments), slots of the
 *            patch, then the vertices': prog_data.vue_map
 *   ends     URB write SIMD8, EOT
 *
 * Tessellation evaluation shader, SIMD8, a vertex per channel, all of one patch (volume 7, "DS Thread
 * Payload", SIMD8)
 *   r0       header: r0.0 handle of the patch's entry; r0.1 primitive id; r0.5 scratch
 *   r1 … r3  u, v, w
 *   r4       URB return handle of each vertex
 *   r5 …     push constants, then, if asked for, a register of which dword 0 is the number of vertices
 *            of the patch
 *   then     of the patch's entry prog_data.urb_read_length registers, two slots each, from
 *            urb_read_offset on
 *   ends     as a vertex shader
 *
 * Geometry shader, SIMD8, one primitive per channel (volume 7, "GS Thread Payload", SIMD8)
 *   r0       header; r0.5 scratch
 *   r1       of each primitive: bits 15:0 URB return handle, bits 31:27 invocation
 *   then     if asked for, primitive ids (1); if asked for, handles of the vertices' entries, a
 *   register
 *            per vertex of the primitive
 *   then     push constants
 *   then     for each vertex of the primitive: urb_read_length pairs of slots, from pair
 *   urb_read_offset
 *            of its entry on, four registers each slot
 *   entry    unless prog_data.gs.static_output, 32 bytes of which dword 0 is the number of vertices;
 *            control_data_header_size · 32 bytes: a bit per vertex, its strip ends behind it, or
 *            two, its stream; then the vertices, output_vertex_size · 32 bytes each: prog_data.vue_map
 *   ends     URB write SIMD8, EOT
 *
 * Compute shader, SIMD8, 16 or 32; a thread group is ceil(local size / width) threads
 *   r0       header: r0.1, r0.6, r0.7: work group id x, y, z (UD); r0.5 scratch
 *   r1 …     push constants common to all threads (prog_data.curb_read_length registers), then one
 *            register of this thread's own: dword 0 is the thread's index in its group, dwords 1 … 3
 *            are the group's size if that is variable. Local ids are computed from it by the kernel.
 *   shared   memory through surface 254 (SLM)
 *   ends     message to the thread spawner, EOT
 *
 * Binding table: sections in the order render targets (behind them depth and stencil, if the shader
 * reads what is there), textures, uniform blocks, storage blocks
 * (behind the shader's own the buffers of atomic counters), images, then the surface of
 * gl_NumWorkGroups; prog_data.binding_table has the first index of each. Samplers:
 * prog_data.sampler_count states, index = nir_tex_instr.sampler_index. A constant buffer of the
 * driver contract (index 0: default uniform block) is uniform block 0 of the section.
 *
 * Push constants: up to 64 registers from up to 4 ranges of constant buffers
 * (prog_data.push_ranges), concatenated in order.
 */
#ifndef I965_ABI_H
#define I965_ABI_H

enum i965_barycentric {
    I965_BARYCENTRIC_PERSPECTIVE_PIXEL,
    I965_BARYCENTRIC_PERSPECTIVE_CENTROID,
    I965_BARYCENTRIC_PERSPECTIVE_SAMPLE,
    I965_BARYCENTRIC_NONPERSPECTIVE_PIXEL,
    I965_BARYCENTRIC_NONPERSPECTIVE_CENTROID,
    I965_BARYCENTRIC_NONPERSPECTIVE_SAMPLE,
    I965_BARYCENTRIC_COUNT,
};

enum {
    I965_SURFACE_SLM = 254,       /* binding table indices with a meaning of their own */
    I965_SURFACE_STATELESS = 255, /* scratch */
    I965_MAX_PUSH_REGISTERS = 64,
    I965_MAX_PUSH_RANGES = 4,
    I965_MAX_BINDING_TABLE = 240,
};

#endif
