# SPDX-License-Identifier: MIT
"""
The table of intrinsics: operations that are not pure functions of their sources. The generators
make the enum, the info table, the accessors of the indices and the builder functions from it.

Parameters of intrinsic():
src:        number of components of each source; 0: the instruction's num_components; -1: any number
dest:       number of components of the result; 0: num_components; None: no result
sizes:      allowed bit sizes of the result; (): any
like_src:   number of the source that has the same bit size and components as the result
indices:    constant operands of the instruction, by their names in INDICES
flags:      ELIMINATE, REORDER, CROSS_LANE: see nir_intrinsic_semantic_flag in nir.h
divergence: whether the result differs between lanes (FROM_SOURCES: only if a source does)
uniform:    numbers of the sources that must have the same value in all lanes

"Sources:" in a comment lists the sources in order. Offsets are in bytes unless noted; the accessed
offset is that source plus the index base.
"""

# name: (C type, description)
INDICES = {
    "base": ("int", "constant added to the offset, or index of an argument"),
    "write_mask": ("unsigned", "mask of the components that a store writes"),
    "component": ("unsigned", "first component in the I/O slot"),
    "range": ("unsigned", "accessible bytes or slots from base on; ~0: unknown"),
    "range_base": ("unsigned", "lowest byte that the access may reach"),
    "scratch_var": ("unsigned", "number of the variable in scratch memory; 0: not known"),
    "align_mul": ("unsigned", "power of two; address modulo align_mul is align_offset"),
    "align_offset": ("unsigned", "address modulo align_mul"),
    "access": ("unsigned", "enum gl_access_qualifier"),
    "dest_type": ("nir_alu_type", "type of the loaded value"),
    "src_type": ("nir_alu_type", "type of the stored value"),
    "io_semantics": ("nir_io_semantics", "the input or output that is accessed"),
    "interp_mode": ("unsigned", "enum glsl_interp_mode"),
    "image_dim": ("enum glsl_sampler_dim", "dimensionality of the image"),
    "image_array": ("bool", "true for an image array"),
    "format": ("unsigned", "enum drv_format of the image, 0: unknown"),
    "atomic_op": ("nir_atomic_op", "operation of an atomic"),
    "stream_id": ("unsigned", "vertex stream of a geometry shader"),
    "execution_scope": ("nir_scope", "invocations that wait for each other"),
    "memory_scope": ("nir_scope", "invocations for which memory is ordered"),
    "memory_semantics": ("unsigned", "nir_memory_semantics"),
    "memory_modes": ("unsigned", "mask of nir_variable_mode that is ordered"),
    "reduction_op": ("nir_op", "operation of a reduction"),
    "cluster_size": ("unsigned", "lanes per cluster, a power of two; 0: all lanes"),
    "num_components": ("unsigned", "components of the register"),
    "bit_size": ("unsigned", "bits of the register"),
    "num_array_elems": ("unsigned", "elements of the register; 0: not an array"),
    "divergent": ("bool", "the register may differ between lanes"),
    "param_idx": ("unsigned", "index of a function parameter"),
    "flags": ("unsigned", "bits with a meaning defined by the user"),
}

ELIMINATE = "NIR_INTRINSIC_CAN_ELIMINATE"
REORDER = "NIR_INTRINSIC_CAN_REORDER"
CROSS_LANE = "NIR_INTRINSIC_CROSS_LANE"

FROM_SOURCES = "nir_divergence_from_sources"
ALWAYS = "nir_divergence_always"
NEVER = "nir_divergence_never"


class Intrinsic:
    def __init__(self, name, src, dest, sizes, like_src, indices, flags, divergence, uniform):
        assert all(i in INDICES for i in indices) and len(indices) <= 8
        self.name = name
        self.src = src
        self.has_dest = dest is not None
        self.dest = dest or 0
        self.sizes = sizes
        self.like_src = like_src
        self.indices = indices
        self.flags = flags
        self.divergence = divergence
        self.uniform = uniform


intrinsics = {}


def intrinsic(name, src=(), dest=None, sizes=(), like_src=None, indices=(), flags=(),
              divergence=FROM_SOURCES, uniform=()):
    assert name not in intrinsics and all(i < len(src) for i in uniform)
    intrinsics[name] = Intrinsic(name, list(src), dest, list(sizes), like_src, list(indices),
                                 list(flags), divergence, list(uniform))


PURE = (ELIMINATE, REORDER)

# --- Variables -------------------------------------------------------------------------------

# Sources of load_deref: deref. Of store_deref: deref, value. Of copy_deref: destination deref,
# source deref.
intrinsic("load_deref", [-1], dest=0, indices=["access"], flags=[ELIMINATE])
intrinsic("store_deref", [-1, 0], indices=["write_mask", "access"])
intrinsic("copy_deref", [-1, -1])
# Return the old value. Sources: deref, data.
intrinsic("deref_atomic", [-1, 1], dest=1, indices=["access", "atomic_op"], divergence=ALWAYS)
# Sources: deref, comparison value, new value.
intrinsic("deref_atomic_swap", [-1, 1, 1], dest=1, indices=["access", "atomic_op"],
          divergence=ALWAYS)
# Interpolate an input (interpolateAt*). Sources: deref; for at_sample the sample index, for
# at_offset the offset from the pixel center in pixels.
for where, extra in (("centroid", []), ("sample", [1]), ("offset", [2])):
    intrinsic(f"interp_deref_at_{where}", [-1] + extra, dest=0, sizes=[32], flags=PURE,
              divergence=ALWAYS)
# Returns the length of the unsized array at the end of a storage block. Source: its deref.
intrinsic("deref_buffer_array_length", [-1], dest=1, sizes=[32], flags=PURE)

# Returns a parameter of the enclosing function. For a deref parameter, a cast of the result gives
# the deref.
intrinsic("load_param", dest=0, indices=["param_idx"], flags=PURE, divergence=ALWAYS)

# --- Registers -------------------------------------------------------------------------------

# decl_reg declares a register and returns its handle. Sources of loads: handle; of stores: value,
# handle. The indirect forms have an array index as their last source; they access the element base
# + index.
intrinsic("decl_reg", dest=1, sizes=[32],
          indices=["num_components", "bit_size", "num_array_elems", "divergent"],
          flags=[ELIMINATE], divergence=NEVER)
intrinsic("load_reg", [1], dest=0, indices=["base"], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_reg_indirect", [1, 1], dest=0, indices=["base"], flags=[ELIMINATE],
          divergence=ALWAYS)
intrinsic("store_reg", [0, 1], indices=["base", "write_mask"])
intrinsic("store_reg_indirect", [0, 1, 1], indices=["base", "write_mask"])

# --- Inputs, outputs, uniforms ---------------------------------------------------------------

IO_LOAD = ["base", "component", "dest_type", "io_semantics"]
IO_STORE = ["base", "write_mask", "component", "src_type", "io_semantics"]

# Offsets of inputs and outputs in this section are in slots of 16 bytes. Source of load_input:
# offset.
intrinsic("load_input", [1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
# Return the input of one vertex of the primitive or patch: load_per_vertex_input in tessellation
# and geometry shaders, load_input_vertex in fragment shaders, without interpolation. Sources:
# vertex index, offset.
intrinsic("load_per_vertex_input", [1, 1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
intrinsic("load_input_vertex", [1, 1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
# Sources: barycentric coordinates (from load_barycentric_*), offset.
intrinsic("load_interpolated_input", [2, 1], dest=0, sizes=[16, 32], indices=IO_LOAD, flags=PURE,
          divergence=ALWAYS)
# Return the barycentric coordinates at the pixel center, the centroid, the current sample, a given
# sample or an offset from the pixel center. Source of at_sample: sample index; of at_offset: offset
# in pixels.
for where, extra in (("pixel", []), ("centroid", []), ("sample", []), ("at_sample", [1]),
                     ("at_offset", [2])):
    intrinsic(f"load_barycentric_{where}", extra, dest=2, sizes=[32], indices=["interp_mode"],
              flags=PURE, divergence=ALWAYS)
# Return the current value of an output. Sources: offset; for per_vertex: vertex index, offset.
intrinsic("load_output", [1], dest=0, indices=IO_LOAD, flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_per_vertex_output", [1, 1], dest=0, indices=IO_LOAD, flags=[ELIMINATE],
          divergence=ALWAYS)
# Sources: value, offset; for per_vertex: value, vertex index, offset.
intrinsic("store_output", [0, 1], indices=IO_STORE)
intrinsic("store_per_vertex_output", [0, 1, 1], indices=IO_STORE)
# EXT_mesh_shader: the numbers of vertices and primitives of a workgroup of a mesh shader, and the
# numbers of workgroups of mesh shaders that a workgroup of a task shader launches. The first
# invocation of the workgroup determines them. The API layer lowers both.
intrinsic("set_mesh_outputs", [1, 1])
intrinsic("emit_mesh_tasks", [1, 1, 1])
# Loads from the default uniform block. Source: offset in bytes.
intrinsic("load_uniform", [1], dest=0, indices=["base", "range", "dest_type"], flags=PURE)

# --- Buffers and memory ----------------------------------------------------------------------

ALIGN = ["align_mul", "align_offset"]

# Sources: block index, offset.
intrinsic("load_ubo", [1, 1], dest=0, indices=["access", *ALIGN, "range_base", "range"],
          flags=PURE)
intrinsic("load_ssbo", [1, 1], dest=0, indices=["access", *ALIGN], flags=[ELIMINATE])
# Sources: value, block index, offset.
intrinsic("store_ssbo", [0, 1, 1], indices=["write_mask", "access", *ALIGN])
# Return the old value. Sources: block index, offset, data. For swap: block index, offset,
# comparison value, new value.
intrinsic("ssbo_atomic", [1, 1, 1], dest=1, indices=["access", "atomic_op"], divergence=ALWAYS)
intrinsic("ssbo_atomic_swap", [1, 1, 1, 1], dest=1, indices=["access", "atomic_op"],
          divergence=ALWAYS)
# Returns the size of a storage block in bytes. Source: block index.
intrinsic("get_ssbo_size", [1], dest=1, sizes=[32], flags=PURE)

# Workgroup shared memory. Sources of load: offset; of store: value, offset; of atomics: offset,
# data or offset, comparison value, new value.
intrinsic("load_shared", [1], dest=0, indices=["base", *ALIGN], flags=[ELIMINATE])
intrinsic("store_shared", [0, 1], indices=["base", "write_mask", *ALIGN])
intrinsic("shared_atomic", [1, 1], dest=1, indices=["base", "atomic_op"], divergence=ALWAYS)
intrinsic("shared_atomic_swap", [1, 1, 1], dest=1, indices=["base", "atomic_op"],
          divergence=ALWAYS)

# Scratch memory, which is private to the invocation, and nir_shader.constant_data (load_constant).
# Sources of loads: offset; of store: value, offset. Accesses with different scratch_var don't
# overlap, unless one is 0. Divergence analysis finds the variables that are the same in all lanes.
intrinsic("load_scratch", [1], dest=0, indices=["base", "scratch_var", *ALIGN], flags=[ELIMINATE],
          divergence=ALWAYS)
intrinsic("store_scratch", [0, 1], indices=["base", "scratch_var", "write_mask", *ALIGN])
# Stores 0 to scratch memory of all lanes, also inactive ones. Sources: offset, number of bytes; both
# are multiples of 4.
intrinsic("clear_scratch", [1, 1], indices=["base", "scratch_var"], uniform=[0, 1])
intrinsic("load_constant", [1], dest=0, indices=["base", "range", *ALIGN], flags=PURE)

# Intrinsics for kernels (functions that drivers build in NIR and compile with src/jit). The address
# of a global memory access is a 64-bit address plus a 32-bit offset below 2 GiB.
#
# Returns kernel argument number `base`, a 64-bit value.
intrinsic("load_kernel_arg", dest=1, sizes=[64], indices=["base"], flags=PURE, divergence=NEVER)
# Returns whether the 32-bit word at a 64-bit address is nonzero. Another thread may set it at any
# time, so each execution reads it. Source: address. Loops poll it to find out that they must end.
intrinsic("poll_stop", [1], dest=1, sizes=[1], flags=[ELIMINATE], divergence=NEVER, uniform=[0])
# Sources: address, offset. load_global_constant reads memory that doesn't change during the kernel.
intrinsic("load_global", [1, 1], dest=0, indices=["access", *ALIGN], flags=[ELIMINATE])
intrinsic("load_global_constant", [1, 1], dest=0, indices=["access", *ALIGN], flags=PURE)
# Returns four bilinearly filtered channels. Sources: address, offsets of four texels, two weights.
# A texel is four floats or four halves (dest_type). The first weight mixes texels 0 and 1, and
# texels 2 and 3; the second mixes these two results. Mixing is x + (y - x) * weight.
intrinsic("load_global_bilinear", [1, 4, 2], dest=4, sizes=[32], indices=["dest_type"], flags=PURE)
# Does the same for the lanes of a 4×4 block of pixels (16 lanes) or a 4×2 block (8 lanes). Bits 0
# and 2 of a lane index are the pixel's x, bits 1 and 3 its y. Lanes of a pixel column read the same
# two texel columns, and lanes of a pixel row the same two texel rows. All lanes must be active.
#
# Sources:
# - uniform address of the texels
# - uniform address of a table of 32-bit row offsets
# - component 0: byte offset of a texel column; component 1: byte offset of a row in the table
# - the lane's two weights
# A texel's byte offset is that of its column plus the row offset from the table.
#
# The lanes of the third source hold the offsets of the whole block. With 16 lanes, lanes 0-3 hold
# the first texel column of pixel columns 0-3, lanes 4-7 the second texel columns, lanes 8-11 the
# first texel rows of pixel rows 0-3, and lanes 12-15 the second texel rows. With 8 lanes, the lane
# of pixel row 0 in each pixel column holds the first texel column, and the lane of pixel row 1 the
# second. The lane of pixel column 0 in each pixel row holds the first texel row, and the next lane
# the second. Pixel rows with the same first texel row then share the second one.
intrinsic("load_global_bilinear_grid", [1, 1, 2, 2], dest=4, sizes=[32], indices=["dest_type"],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0, 1])
# Sources: value, address, offset.
intrinsic("store_global", [0, 1, 1], indices=["write_mask", "access", *ALIGN])
# Access consecutive elements in memory: lane i accesses element i of an array at the uniform
# address plus the uniform offset. Sources: address, offset; for the store: value, address, offset,
# mask of the lanes to store.
intrinsic("load_global_block", [1, 1], dest=0, indices=["access", *ALIGN],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0, 1])
intrinsic("store_global_block", [0, 1, 1, 1], indices=["access", *ALIGN], flags=[CROSS_LANE],
          uniform=[1, 2])
# Access four consecutive elements for each quad of four lanes. Component q of the uniform vector
# `addresses` is the address for quad q; components without a quad are ignored. Quads are stored in
# ascending order. Sources: addresses; for the store: value, addresses, mask of the lanes to store.
intrinsic("load_global_quads", [4], dest=0, indices=["access", *ALIGN],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0])
intrinsic("store_global_quads", [0, 4, 1], indices=["access", *ALIGN], flags=[CROSS_LANE],
          uniform=[1])
# Return the old value. Sources: address, offset, data. For swap: address, offset, comparison value,
# new value.
intrinsic("global_atomic", [1, 1, 1], dest=1, indices=["access", "atomic_op"], divergence=ALWAYS)
intrinsic("global_atomic_swap", [1, 1, 1, 1], dest=1, indices=["access", "atomic_op"],
          divergence=ALWAYS)

# --- Images ----------------------------------------------------------------------------------

IMAGE = ["image_dim", "image_array", "format", "access"]


def image(name, src, **kwargs):
    """Declares three forms: the image is a deref, an index into the stage's images, or a 64-bit
    handle (ARB_bindless_texture)."""
    indices = IMAGE + kwargs.pop("indices", [])
    intrinsic(f"image_deref_{name}", [-1] + src, indices=indices, **kwargs)
    intrinsic(f"image_{name}", [1] + src, indices=indices, **kwargs)
    intrinsic(f"bindless_image_{name}", [1] + src, indices=indices, **kwargs)


# Sources of load: image, coordinates, sample index, level. Of store: image, coordinates, sample
# index, value, level.
image("load", [4, 1, 1], dest=0, indices=["dest_type"], flags=[ELIMINATE])
image("store", [4, 1, 0, 1], indices=["src_type"])
# Return the old value. Sources: image, coordinates, sample index, data. For swap: comparison value
# and new value instead of the data.
image("atomic", [4, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)
image("atomic_swap", [4, 1, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)
# Returns 1 if the texel is in committed memory or outside the image, else 0. Sources: image,
# coordinates, sample index.
image("residency", [4, 1], dest=1, sizes=[32], flags=[ELIMINATE])
# size returns the size of a level in texels, with the number of layers as the last component of an
# array. Sources: image, level. samples returns the number of samples. Source: image.
image("size", [1], dest=0, sizes=[32], flags=PURE)
image("samples", [], dest=1, sizes=[32], flags=PURE)

# Returns a handle that stands for the sampler or image slot of a variable: the slot, plus
# NIR_SLOT_HANDLE. nir_lower_samplers replaces it. Source: deref.
intrinsic("load_slot_handle", [-1], dest=1, sizes=[64], flags=PURE)

# --- Atomic counters -------------------------------------------------------------------------


def counter(name, operands, flags=()):
    """Declares two forms: the counter is a deref, or a byte offset in buffer `base`."""
    intrinsic(f"atomic_counter_{name}_deref", [-1] + [1] * operands, dest=1, sizes=[32],
              flags=flags, divergence=ALWAYS)
    intrinsic(f"atomic_counter_{name}", [1] + [1] * operands, dest=1, sizes=[32],
              indices=["base", "range_base"], flags=flags, divergence=ALWAYS)


# All return the old value except pre_dec, which returns the new one.
counter("inc", 0)
counter("pre_dec", 0)
counter("read", 0, [ELIMINATE])
for operation in ("add", "min", "max", "and", "or", "xor", "exchange"):
    counter(operation, 1)
counter("comp_swap", 2)

# --- System values ---------------------------------------------------------------------------


def system_value(name, components=1, size=32, divergence=ALWAYS):
    intrinsic(f"load_{name}", dest=components, sizes=[size], flags=PURE, divergence=divergence)


# Return the GLSL built-in input of the same name, unless a comment says otherwise. vertex_id
# includes the base vertex, vertex_id_zero_base doesn't.
system_value("vertex_id")
system_value("vertex_id_zero_base")
system_value("instance_id", divergence=NEVER)
# In draws with indices, base_vertex and first_vertex are the base vertex. In draws without indices,
# base_vertex is 0 and first_vertex is the index of the first vertex.
system_value("base_vertex", divergence=NEVER)
system_value("base_instance", divergence=NEVER)
system_value("draw_id", divergence=NEVER)
system_value("view_index", divergence=NEVER)
system_value("first_vertex", divergence=NEVER)
# gl_FragCoord: window x, y and z, and 1 / w.
system_value("frag_coord", 4)
system_value("point_coord", 2)
system_value("front_face", size=1)
system_value("sample_id")
system_value("sample_pos", 2)
system_value("sample_mask_in")
# Fraction of the pixel that a smooth point, line or polygon covers; 1 for other primitives (GL 4.6
# §17.1).
system_value("frag_coverage")
system_value("primitive_id")
system_value("invocation_id")
system_value("tess_coord", 3)
system_value("patch_vertices_in", divergence=NEVER)
system_value("local_invocation_id", 3)
system_value("local_invocation_index")
system_value("workgroup_id", 3, divergence=NEVER)
system_value("workgroup_size", 3, divergence=NEVER)
system_value("num_workgroups", 3, divergence=NEVER)
system_value("global_invocation_id", 3)
system_value("subgroup_invocation")
system_value("subgroup_size", divergence=NEVER)
# Return the value in the framebuffer at the fragment's position. Source of load_last_frag_data:
# index of the color buffer.
intrinsic("load_last_frag_data", [1], dest=4, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_last_frag_depth", dest=1, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_last_frag_stencil", dest=1, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
# load_helper_invocation is gl_HelperInvocation. is_helper_invocation (helperInvocationEXT) is also
# true after a demote.
intrinsic("load_helper_invocation", dest=1, sizes=[1], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("is_helper_invocation", dest=1, sizes=[1], flags=[ELIMINATE], divergence=ALWAYS)

# --- Control of invocations ------------------------------------------------------------------

# discard drops the fragment and may end the invocation. demote drops the fragment but continues as
# a helper invocation. terminate drops the fragment and ends the invocation. Source of the _if
# forms: condition.
for name in ("discard", "demote", "terminate"):
    intrinsic(name)
    intrinsic(f"{name}_if", [1])
intrinsic("emit_vertex", indices=["stream_id"])
intrinsic("end_primitive", indices=["stream_id"])
intrinsic("barrier", indices=["execution_scope", "memory_scope", "memory_semantics",
                              "memory_modes"], flags=[CROSS_LANE])

# Delimit the critical section of a fragment shader (ARB_fragment_shader_interlock). The begin waits
# for the sections of earlier invocations whose fragments overlap. Both order memory like a barrier.
for name in ("begin", "end"):
    intrinsic(f"{name}_invocation_interlock")

# Returns a time stamp counter as two words, the low word first. The instruction is never moved or
# merged, because shaders measure the time between two of them.
intrinsic("shader_clock", dest=2, sizes=[32], divergence=NEVER)

# --- Subgroup operations ---------------------------------------------------------------------

LANES = [ELIMINATE, CROSS_LANE]

# vote_any and vote_all return whether the condition is true in any or in all active lanes. vote_feq
# and vote_ieq return whether all active lanes have the same value. ballot returns a mask of the
# active lanes whose condition is true. elect is true in the first active lane only, and
# first_invocation returns the index of that lane.
for name in ("vote_any", "vote_all"):
    intrinsic(name, [1], dest=1, sizes=[1], flags=LANES, divergence=NEVER)
for name in ("vote_feq", "vote_ieq"):
    intrinsic(name, [0], dest=1, sizes=[1], flags=LANES, divergence=NEVER)
intrinsic("ballot", [1], dest=0, sizes=[32, 64], flags=LANES, divergence=NEVER)
intrinsic("elect", dest=1, sizes=[1], flags=LANES, divergence=ALWAYS)
intrinsic("first_invocation", dest=1, sizes=[32], flags=LANES, divergence=NEVER)
intrinsic("read_first_invocation", [0], dest=0, like_src=0, flags=LANES, divergence=NEVER)
# Return the value in another lane. Sources: value, lane index. The lane index of read_invocation is
# uniform.
intrinsic("read_invocation", [0, 1], dest=0, like_src=0, flags=LANES)
intrinsic("shuffle", [0, 1], dest=0, like_src=0, flags=LANES)
# Return the value in the lane whose index is this lane's index XOR the second source (xor), minus
# it (up) or plus it (down). Sources: value, mask or delta.
for name in ("xor", "up", "down"):
    intrinsic(f"shuffle_{name}", [0, 1], dest=0, like_src=0, flags=LANES)
# Combine the values of the active lanes with reduction_op, in the order that nir_lower_subgroups
# defines. A scan combines the lanes up to this one, with or without this one.
intrinsic("reduce", [0], dest=0, like_src=0, indices=["reduction_op", "cluster_size"], flags=LANES)
for name in ("inclusive", "exclusive"):
    intrinsic(f"{name}_scan", [0], dest=0, like_src=0, indices=["reduction_op"], flags=LANES,
              divergence=ALWAYS)
# quad_broadcast returns the value in one lane of the quad. Sources: value, lane index in the quad.
# quad_swap_* return the value in the neighbor lane of the quad in that direction.
intrinsic("quad_broadcast", [0, 1], dest=0, like_src=0, flags=LANES)
for name in ("horizontal", "vertical", "diagonal"):
    intrinsic(f"quad_swap_{name}", [0], dest=0, like_src=0, flags=LANES)
# For each 16-bit half of the source, returns the unsigned minimum over the active lanes; 0 if no
# lane is active.
intrinsic("min_2x16", [1], dest=1, sizes=[32], flags=LANES, divergence=NEVER)
# Looks up an entry of a table that is stored across lanes: lane i of component c holds entry c *
# (number of lanes) + i. Sources: table of one, two or four components; index, which is taken modulo
# the number of entries.
intrinsic("lookup_lanes", [-1, 1], dest=1, sizes=[32], flags=LANES, divergence=ALWAYS)
# Selects four texel rows from two vertically adjacent blocks of 4×4 texels. Sources: blocks, one
# per component with one texel per lane; index of the first row, 0 to 4. Bits 0 and 2 of a lane
# index are the texel's x, bits 1 and 3 its y. In the result, column x of row first + y is in lane 4
# * x + y. For 16 lanes only.
intrinsic("rows_of_blocks", [2, 1], dest=1, sizes=[32], flags=LANES, divergence=ALWAYS,
          uniform=[1])
# Returns component q of the uniform source in the lanes of quad q.
intrinsic("select_quad", [4], dest=1, flags=[ELIMINATE, REORDER], divergence=ALWAYS, uniform=[0])
