# SPDX-License-Identifier: MIT
"""
The table of intrinsics: operations that are not pure functions of their sources. The generators
make the enum, the info table, the accessors of the indices and the builder functions from it.

src:        number of components of each source; 0: the instruction's num_components; -1: any number
dest:       number of components of the result; 0: num_components; None: no result
sizes:      allowed bit sizes of the result; (): any
like_src:   the result has the bit size and components of that source
indices:    names from INDICES
divergence: divergence of the result if all sources are uniform
uniform:    sources that must be uniform, which nir_sources_are_uniform checks

Comments list the sources in order. An offset is in bytes unless noted, and base is added to it.
"""

# name: (C type, description)
INDICES = {
    "base": ("int", "constant added to the offset, or index of an argument"),
    "write_mask": ("unsigned", "mask of the components that a store writes"),
    "component": ("unsigned", "first component in the I/O slot"),
    "range": ("unsigned", "accessible bytes or slots from base on; ~0: unknown"),
    "range_base": ("unsigned", "lowest byte that the access may reach"),
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

# Sources: deref. A store has the value after it; copy_deref has the destination and the source.
intrinsic("load_deref", [-1], dest=0, indices=["access"], flags=[ELIMINATE])
intrinsic("store_deref", [-1, 0], indices=["write_mask", "access"])
intrinsic("copy_deref", [-1, -1])
# Return the old value. Sources: deref, data.
intrinsic("deref_atomic", [-1, 1], dest=1, indices=["access", "atomic_op"], divergence=ALWAYS)
# Sources: deref, comparison value, new value.
intrinsic("deref_atomic_swap", [-1, 1, 1], dest=1, indices=["access", "atomic_op"],
          divergence=ALWAYS)
# Interpolate an input (interpolateAt*). Sources: deref; sample index, or offset from the pixel
# center.
for where, extra in (("centroid", []), ("sample", [1]), ("offset", [2])):
    intrinsic(f"interp_deref_at_{where}", [-1] + extra, dest=0, sizes=[32], flags=PURE,
              divergence=ALWAYS)
# Returns the length of the unsized array at the end of a storage block. Source: its deref.
intrinsic("deref_buffer_array_length", [-1], dest=1, sizes=[32], flags=PURE)

# Returns a parameter of the enclosing function. For a deref parameter, a cast of the result gives
# the deref.
intrinsic("load_param", dest=0, indices=["param_idx"], flags=PURE, divergence=ALWAYS)

# --- Registers -------------------------------------------------------------------------------

# decl_reg returns the handle of a register. Sources of the others: value (stores), handle, index
# (indirect forms). The accessed element of an array is base + index.
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

# In this section offsets of inputs and outputs are in slots of 16 bytes. Source: offset.
intrinsic("load_input", [1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
# Inputs of a given vertex: of all stages that read several vertices, and of fragment shaders
# without interpolation. Sources: vertex index, offset.
intrinsic("load_per_vertex_input", [1, 1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
intrinsic("load_input_vertex", [1, 1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
# Sources: barycentrics (from load_barycentric_*), offset.
intrinsic("load_interpolated_input", [2, 1], dest=0, sizes=[16, 32], indices=IO_LOAD, flags=PURE,
          divergence=ALWAYS)
# Return the barycentrics of the pixel center, the centroid, the current sample, a given sample or
# an offset from the pixel center. Source: sample index or offset.
for where, extra in (("pixel", []), ("centroid", []), ("sample", []), ("at_sample", [1]),
                     ("at_offset", [2])):
    intrinsic(f"load_barycentric_{where}", extra, dest=2, sizes=[32], indices=["interp_mode"],
              flags=PURE, divergence=ALWAYS)
# Read back an output. Sources: vertex index (per_vertex), offset.
intrinsic("load_output", [1], dest=0, indices=IO_LOAD, flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_per_vertex_output", [1, 1], dest=0, indices=IO_LOAD, flags=[ELIMINATE],
          divergence=ALWAYS)
# Sources: value, vertex index (per_vertex), offset.
intrinsic("store_output", [0, 1], indices=IO_STORE)
intrinsic("store_per_vertex_output", [0, 1, 1], indices=IO_STORE)
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

# Workgroup shared memory. Sources: value (store), offset; atomics: offset, then as for ssbo_atomic.
intrinsic("load_shared", [1], dest=0, indices=["base", *ALIGN], flags=[ELIMINATE])
intrinsic("store_shared", [0, 1], indices=["base", "write_mask", *ALIGN])
intrinsic("shared_atomic", [1, 1], dest=1, indices=["base", "atomic_op"], divergence=ALWAYS)
intrinsic("shared_atomic_swap", [1, 1, 1], dest=1, indices=["base", "atomic_op"],
          divergence=ALWAYS)

# Scratch memory, private to the invocation, and nir_shader.constant_data. Sources: value (store),
# offset.
intrinsic("load_scratch", [1], dest=0, indices=["base", *ALIGN], flags=[ELIMINATE],
          divergence=ALWAYS)
intrinsic("store_scratch", [0, 1], indices=["base", "write_mask", *ALIGN])
intrinsic("load_constant", [1], dest=0, indices=["base", "range", *ALIGN], flags=PURE)

# Compiled kernels. A global memory access adds a zero-extended 32-bit offset to a 64-bit address.
#
# Returns kernel argument number `base`, a 64-bit value.
intrinsic("load_kernel_arg", dest=1, sizes=[64], indices=["base"], flags=PURE, divergence=NEVER)
# Access a 32-bit word that all invocations of the kernel share: the remaining iteration budget of
# their loops.
intrinsic("load_work_left", dest=1, sizes=[32], flags=[ELIMINATE], divergence=NEVER)
intrinsic("store_work_left", [1], uniform=[0])
# Sources: address, offset. load_global_constant reads memory that doesn't change during the kernel.
intrinsic("load_global", [1, 1], dest=0, indices=["access", *ALIGN], flags=[ELIMINATE])
intrinsic("load_global_constant", [1, 1], dest=0, indices=["access", *ALIGN], flags=PURE)
# Returns four bilinearly filtered channels. Sources: address, offsets of four texels, two weights.
# A texel is four floats or four halves (dest_type). The first weight mixes texels 0 and 1, and
# texels 2 and 3; the second mixes these two results. Mixing is x + (y - x) * weight.
intrinsic("load_global_bilinear", [1, 4, 2], dest=4, sizes=[32], indices=["dest_type"], flags=PURE)
# The same for all lanes of a 4×4 or 4×2 block of pixels that share texel rows and columns. From the
# lowest bit, the bits of a lane index are x, y, x, y. Lanes of a pixel column read the same two
# texel columns, and lanes of a pixel row the same two texel rows. All lanes must be active.
#
# Sources: uniform address of the texels; uniform address of a table of 32-bit row offsets; in
# component 0 the byte offsets of texel columns and in component 1 the byte offsets of rows within
# the table; in each lane its two weights. A texel's offset is its column offset plus the row offset
# from the table.
#
# Which lane of the third source holds the offset: with 16 lanes, lanes 0-3 hold the first texel
# columns, 4-7 the second columns, 8-11 the first rows and 12-15 the second rows. With 8 lanes, a
# first texel column is in the lane of its pixel column in pixel row 0, the second in pixel row 1; a
# first texel row is in the lane of its pixel row in the first pixel column, the second in the next
# lane. Pixel rows with the same first texel row then share the second one.
intrinsic("load_global_bilinear_grid", [1, 1, 2, 2], dest=4, sizes=[32], indices=["dest_type"],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0, 1])
# Sources: value, address, offset.
intrinsic("store_global", [0, 1, 1], indices=["write_mask", "access", *ALIGN])
# Access consecutive elements: lane i accesses element i after the uniform address + offset.
# Sources: address, offset; for the store: value, address, offset, mask of the lanes to store.
intrinsic("load_global_block", [1, 1], dest=0, indices=["access", *ALIGN],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0, 1])
intrinsic("store_global_block", [0, 1, 1, 1], indices=["access", *ALIGN], flags=[CROSS_LANE],
          uniform=[1, 2])
# The same for each quad of four lanes, which has its own uniform address (one component per quad;
# surplus components are ignored). Quads are stored in ascending order. Sources: addresses; for the
# store: value, addresses, mask of the lanes to store.
intrinsic("load_global_quads", [4], dest=0, indices=["access", *ALIGN],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0])
intrinsic("store_global_quads", [0, 4, 1], indices=["access", *ALIGN], flags=[CROSS_LANE],
          uniform=[1])
# Return the old value. Sources: address, offset, data. For swap: address, offset, comparison value,
# new value.
intrinsic("global_atomic", [1, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)
intrinsic("global_atomic_swap", [1, 1, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)

# --- Images ----------------------------------------------------------------------------------

IMAGE = ["image_dim", "image_array", "format", "access"]


def image(name, src, **kwargs):
    """Declares two forms: the image is a deref, or an index into the stage's images."""
    indices = IMAGE + kwargs.pop("indices", [])
    intrinsic(f"image_deref_{name}", [-1] + src, indices=indices, **kwargs)
    intrinsic(f"image_{name}", [1] + src, indices=indices, **kwargs)


# Sources: image, coordinates, sample index, level. The store has the value before the level.
image("load", [4, 1, 1], dest=0, indices=["dest_type"], flags=[ELIMINATE])
image("store", [4, 1, 0, 1], indices=["src_type"])
# Return the old value. Sources: image, coordinates, sample index, data. For swap: comparison value
# and new value instead of the data.
image("atomic", [4, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)
image("atomic_swap", [4, 1, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)
# Return the size of a level (source: image, level) and the number of samples.
image("size", [1], dest=0, sizes=[32], flags=PURE)
image("samples", [], dest=1, sizes=[32], flags=PURE)

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


# GLSL built-in inputs of the same name. vertex_id includes the base vertex; vertex_id_zero_base
# doesn't.
system_value("vertex_id")
system_value("vertex_id_zero_base")
system_value("instance_id", divergence=NEVER)
system_value("base_vertex", divergence=NEVER)
# gl_BaseVertex is 0 for draws without indices; first_vertex is the first vertex of such a draw.
system_value("base_instance", divergence=NEVER)
system_value("draw_id", divergence=NEVER)
system_value("first_vertex", divergence=NEVER)
# Window coordinates and 1 / w.
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
# Return the current framebuffer contents at the fragment. Source of load_last_frag_data: index of
# the color buffer.
intrinsic("load_last_frag_data", [1], dest=4, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_last_frag_depth", dest=1, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_last_frag_stencil", dest=1, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
# load_helper_invocation is gl_HelperInvocation. is_helper_invocation (helperInvocationEXT) is also
# true after a demote.
intrinsic("load_helper_invocation", dest=1, sizes=[1], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("is_helper_invocation", dest=1, sizes=[1], flags=[ELIMINATE], divergence=ALWAYS)

# --- Control of invocations ------------------------------------------------------------------

# discard may end the invocation, demote turns it into a helper invocation, terminate ends it.
# Source of the _if forms: condition.
for name in ("discard", "demote", "terminate"):
    intrinsic(name)
    intrinsic(f"{name}_if", [1])
intrinsic("emit_vertex", indices=["stream_id"])
intrinsic("end_primitive", indices=["stream_id"])
intrinsic("barrier", indices=["execution_scope", "memory_scope", "memory_semantics",
                              "memory_modes"], flags=[CROSS_LANE])

# Returns a time stamp counter, low word first. It is never moved or merged, because code measures
# the time between two of them.
intrinsic("shader_clock", dest=2, sizes=[32], divergence=NEVER)

# --- Between lanes ---------------------------------------------------------------------------

LANES = [ELIMINATE, CROSS_LANE]

for name in ("vote_any", "vote_all"):
    intrinsic(name, [1], dest=1, sizes=[1], flags=LANES, divergence=NEVER)
for name in ("vote_feq", "vote_ieq"):
    intrinsic(name, [0], dest=1, sizes=[1], flags=LANES, divergence=NEVER)
intrinsic("ballot", [1], dest=0, sizes=[32, 64], flags=LANES, divergence=NEVER)
intrinsic("elect", dest=1, sizes=[1], flags=LANES, divergence=ALWAYS)
intrinsic("first_invocation", dest=1, sizes=[32], flags=LANES, divergence=NEVER)
intrinsic("read_first_invocation", [0], dest=0, like_src=0, flags=LANES, divergence=NEVER)
# Return the value of another lane. Sources: value, lane index. For read_invocation the lane index
# is uniform.
intrinsic("read_invocation", [0, 1], dest=0, like_src=0, flags=LANES)
intrinsic("shuffle", [0, 1], dest=0, like_src=0, flags=LANES)
# Return the value of the lane whose index is this lane's index xor, minus or plus the second
# source. Sources: value, mask or delta.
for name in ("xor", "up", "down"):
    intrinsic(f"shuffle_{name}", [0, 1], dest=0, like_src=0, flags=LANES)
# Combine the active lanes in the order of evaluation that nir_lower_subgroups defines.
intrinsic("reduce", [0], dest=0, like_src=0, indices=["reduction_op", "cluster_size"], flags=LANES)
for name in ("inclusive", "exclusive"):
    intrinsic(f"{name}_scan", [0], dest=0, like_src=0, indices=["reduction_op"], flags=LANES,
              divergence=ALWAYS)
# Within a quad: broadcast of a lane (sources: value, lane index within the quad) and swaps.
intrinsic("quad_broadcast", [0, 1], dest=0, like_src=0, flags=LANES)
for name in ("horizontal", "vertical", "diagonal"):
    intrinsic(f"quad_swap_{name}", [0], dest=0, like_src=0, flags=LANES)
# Returns the minimum over the active lanes of each 16-bit half as an unsigned integer; 0 if no lane
# is active.
intrinsic("min_2x16", [1], dest=1, sizes=[32], flags=LANES, divergence=NEVER)
# Table lookup. Sources: table, index. Component c of the table holds entries c * lanes to (c + 1) *
# lanes - 1, one in each lane. The table has one, two or four components; higher index bits are
# ignored.
intrinsic("lookup_lanes", [-1, 1], dest=1, sizes=[32], flags=LANES, divergence=ALWAYS)
# Returns four texel rows of two vertically adjacent blocks of 4×4 texels, one block per component
# of the first source and one texel per lane. From the lowest bit, the bits of a lane index are x,
# y, x, y. The result holds rows first … first + 3, with texel (x, y) in lane 4 * x + y. Sources:
# blocks, first (0 … 4). For 16 lanes only.
intrinsic("rows_of_blocks", [2, 1], dest=1, sizes=[32], flags=LANES, divergence=ALWAYS,
          uniform=[1])
# The lanes of quad q receive component q of the source.
intrinsic("select_quad", [4], dest=1, flags=[ELIMINATE, REORDER], divergence=ALWAYS, uniform=[0])
