# SPDX-License-Identifier: MIT
"""
The table of intrinsics: operations that are not pure functions of values. The enum, the info
table, the accessors of indices and the builder are made from it.

src: components of each source: n, 0: the instruction's num_components, -1: any number.
dest: components of the result, 0: num_components, None: no result.
sizes: allowed bit sizes of the result, () for any. like_src: the result has the shape of that
source. indices: names from INDICES. divergence: of the result when the sources are uniform.
uniform: sources that must be the same in all lanes (nir_sources_are_uniform).
"""

# name: (C type, what it means)
INDICES = {
    "base": ("int", "constant part of the offset, or the number of an argument"),
    "write_mask": ("unsigned", "components that a store writes"),
    "component": ("unsigned", "first component in the I/O slot"),
    "range": ("unsigned", "bytes or slots from base that the offset stays in; ~0: unknown"),
    "range_base": ("unsigned", "first byte that the access may reach"),
    "align_mul": ("unsigned", "the address is a multiple of it, a power of two, plus align_offset"),
    "align_offset": ("unsigned", "less than align_mul"),
    "access": ("unsigned", "enum gl_access_qualifier"),
    "dest_type": ("nir_alu_type", "type of what is loaded"),
    "src_type": ("nir_alu_type", "type of what is stored"),
    "io_semantics": ("nir_io_semantics", "which input or output it is"),
    "interp_mode": ("unsigned", "enum glsl_interp_mode"),
    "image_dim": ("enum glsl_sampler_dim", "shape of the image"),
    "image_array": ("bool", "the image is an array"),
    "format": ("unsigned", "enum drv_format of the image, 0: unknown"),
    "atomic_op": ("nir_atomic_op", "what the atomic does"),
    "stream_id": ("unsigned", "geometry stream"),
    "execution_scope": ("nir_scope", "invocations that wait for each other"),
    "memory_scope": ("nir_scope", "invocations that see memory in order"),
    "memory_semantics": ("unsigned", "nir_memory_semantics"),
    "memory_modes": ("unsigned", "nir_variable_mode of the memory that is ordered"),
    "reduction_op": ("nir_op", "operation of a reduction"),
    "cluster_size": ("unsigned", "lanes that are reduced together, a power of two; 0: all"),
    "num_components": ("unsigned", "components of the register"),
    "bit_size": ("unsigned", "bits of the register"),
    "num_array_elems": ("unsigned", "elements of the register, 0: no array"),
    "divergent": ("bool", "the register may differ between lanes"),
    "param_idx": ("unsigned", "number of a parameter of the function"),
    "flags": ("unsigned", "bits that the user of the intrinsic defines"),
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

intrinsic("load_deref", [-1], dest=0, indices=["access"], flags=[ELIMINATE])
intrinsic("store_deref", [-1, 0], indices=["write_mask", "access"])
intrinsic("copy_deref", [-1, -1])
intrinsic("deref_atomic", [-1, 1], dest=1, indices=["access", "atomic_op"], divergence=ALWAYS)
# deref, comparison, value
intrinsic("deref_atomic_swap", [-1, 1, 1], dest=1, indices=["access", "atomic_op"],
          divergence=ALWAYS)
for where, extra in (("centroid", []), ("sample", [1]), ("offset", [2])):
    intrinsic(f"interp_deref_at_{where}", [-1] + extra, dest=0, sizes=[32], flags=PURE,
              divergence=ALWAYS)
# Length of an unsized array that ends a storage block: its deref.
intrinsic("deref_buffer_array_length", [-1], dest=1, sizes=[32], flags=PURE)

# A parameter of the function that the instruction is in; of derefs the value is cast to one.
intrinsic("load_param", dest=0, indices=["param_idx"], flags=PURE, divergence=ALWAYS)

# --- Registers -------------------------------------------------------------------------------

# decl_reg gives a handle. Indirect forms: element = base + offset.
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

# offset: slots
intrinsic("load_input", [1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
# vertex, offset
intrinsic("load_per_vertex_input", [1, 1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
intrinsic("load_input_vertex", [1, 1], dest=0, indices=IO_LOAD, flags=PURE, divergence=ALWAYS)
# barycentrics, offset
intrinsic("load_interpolated_input", [2, 1], dest=0, sizes=[16, 32], indices=IO_LOAD, flags=PURE,
          divergence=ALWAYS)
for where, extra in (("pixel", []), ("centroid", []), ("sample", []), ("at_sample", [1]),
                     ("at_offset", [2])):
    intrinsic(f"load_barycentric_{where}", extra, dest=2, sizes=[32], indices=["interp_mode"],
              flags=PURE, divergence=ALWAYS)
intrinsic("load_output", [1], dest=0, indices=IO_LOAD, flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_per_vertex_output", [1, 1], dest=0, indices=IO_LOAD, flags=[ELIMINATE],
          divergence=ALWAYS)
# value, offset / value, vertex, offset
intrinsic("store_output", [0, 1], indices=IO_STORE)
intrinsic("store_per_vertex_output", [0, 1, 1], indices=IO_STORE)
# offset: bytes
intrinsic("load_uniform", [1], dest=0, indices=["base", "range", "dest_type"], flags=PURE)

# --- Buffers and memory ----------------------------------------------------------------------

ALIGN = ["align_mul", "align_offset"]

# block, offset
intrinsic("load_ubo", [1, 1], dest=0, indices=["access", *ALIGN, "range_base", "range"],
          flags=PURE)
intrinsic("load_ssbo", [1, 1], dest=0, indices=["access", *ALIGN], flags=[ELIMINATE])
# value, block, offset
intrinsic("store_ssbo", [0, 1, 1], indices=["write_mask", "access", *ALIGN])
# block, offset, data / comparison, value
intrinsic("ssbo_atomic", [1, 1, 1], dest=1, indices=["access", "atomic_op"], divergence=ALWAYS)
intrinsic("ssbo_atomic_swap", [1, 1, 1, 1], dest=1, indices=["access", "atomic_op"],
          divergence=ALWAYS)
intrinsic("get_ssbo_size", [1], dest=1, sizes=[32], flags=PURE)

intrinsic("load_shared", [1], dest=0, indices=["base", *ALIGN], flags=[ELIMINATE])
intrinsic("store_shared", [0, 1], indices=["base", "write_mask", *ALIGN])
intrinsic("shared_atomic", [1, 1], dest=1, indices=["base", "atomic_op"], divergence=ALWAYS)
intrinsic("shared_atomic_swap", [1, 1, 1], dest=1, indices=["base", "atomic_op"],
          divergence=ALWAYS)

intrinsic("load_scratch", [1], dest=0, indices=["base", *ALIGN], flags=[ELIMINATE],
          divergence=ALWAYS)
intrinsic("store_scratch", [0, 1], indices=["base", "write_mask", *ALIGN])
intrinsic("load_constant", [1], dest=0, indices=["base", "range", *ALIGN], flags=PURE)

# Whole kernels in NIR: a 64-bit address and an offset of 32 bits, zero-extended.
intrinsic("load_kernel_arg", dest=1, sizes=[64], indices=["base"], flags=PURE, divergence=NEVER)
# One word that all invocations of the kernel share: what is left of the work that their loops may do.
intrinsic("load_work_left", dest=1, sizes=[32], flags=[ELIMINATE], divergence=NEVER)
intrinsic("store_work_left", [1], uniform=[0])
intrinsic("load_global", [1, 1], dest=0, indices=["access", *ALIGN], flags=[ELIMINATE])
intrinsic("load_global_constant", [1, 1], dest=0, indices=["access", *ALIGN], flags=PURE)
# address, offsets of four texels, weights: each texel is four floats or halves (dest_type), the first two
# and the last two are mixed by the first weight, the results by the second: x + (y - x) * weight.
intrinsic("load_global_bilinear", [1, 4, 2], dest=4, sizes=[32], indices=["dest_type"], flags=PURE)
# The same of a block of 4×4 lanes, or of 4×2, bits of whose numbers are, from the lowest, x, y, x, y: lanes of a
# column read the same columns of texels, lanes of a row the same rows. Uniform address; an offset of a texel is the
# sum of its column's and its row's, which is a word of the table at the second source, a uniform address, too. In
# the third source are the offsets of columns, and of rows' words in the table. Of 16 lanes those of the columns'
# first texels are in lanes 0 … 3, of their second ones in the next four, of the rows' first and second ones in lanes
# 8 … 15. Of 8 lanes those of first texels are in the lanes of the first row, or column, of second ones in those of
# the other row, or of the column beside it; rows whose first ones are the same have the same second ones. All lanes
# are active. For 8 and 16 lanes.
intrinsic("load_global_bilinear_grid", [1, 1, 2, 2], dest=4, sizes=[32], indices=["dest_type"],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0, 1])
# value, address, offset
intrinsic("store_global", [0, 1, 1], indices=["write_mask", "access", *ALIGN])
# Uniform address and offset; lane i's element is the i-th behind it. The store's last source is
# the mask of lanes.
intrinsic("load_global_block", [1, 1], dest=0, indices=["access", *ALIGN],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0, 1])
intrinsic("store_global_block", [0, 1, 1, 1], indices=["access", *ALIGN], flags=[CROSS_LANE],
          uniform=[1, 2])
# The same in pieces: a uniform address for each quad of lanes, of which the first ones count; one
# quad is stored after the other.
intrinsic("load_global_quads", [4], dest=0, indices=["access", *ALIGN],
          flags=[ELIMINATE, CROSS_LANE], divergence=ALWAYS, uniform=[0])
intrinsic("store_global_quads", [0, 4, 1], indices=["access", *ALIGN], flags=[CROSS_LANE],
          uniform=[1])
# address, offset, data / comparison, value
intrinsic("global_atomic", [1, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)
intrinsic("global_atomic_swap", [1, 1, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)

# --- Images ----------------------------------------------------------------------------------

IMAGE = ["image_dim", "image_array", "format", "access"]


def image(name, src, **kwargs):
    """By deref, and by index into the stage's images."""
    indices = IMAGE + kwargs.pop("indices", [])
    intrinsic(f"image_deref_{name}", [-1] + src, indices=indices, **kwargs)
    intrinsic(f"image_{name}", [1] + src, indices=indices, **kwargs)


# coordinates, sample, level / and value
image("load", [4, 1, 1], dest=0, indices=["dest_type"], flags=[ELIMINATE])
image("store", [4, 1, 0, 1], indices=["src_type"])
# coordinates, sample, data / comparison, value
image("atomic", [4, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)
image("atomic_swap", [4, 1, 1, 1], dest=1, indices=["atomic_op"], divergence=ALWAYS)
image("size", [1], dest=0, sizes=[32], flags=PURE)
image("samples", [], dest=1, sizes=[32], flags=PURE)

# --- Atomic counters -------------------------------------------------------------------------


def counter(name, operands, flags=()):
    """By deref, and by byte offset in the buffer number base."""
    intrinsic(f"atomic_counter_{name}_deref", [-1] + [1] * operands, dest=1, sizes=[32],
              flags=flags, divergence=ALWAYS)
    intrinsic(f"atomic_counter_{name}", [1] + [1] * operands, dest=1, sizes=[32],
              indices=["base", "range_base"], flags=flags, divergence=ALWAYS)


counter("inc", 0)
counter("pre_dec", 0)
counter("read", 0, [ELIMINATE])
for operation in ("add", "min", "max", "and", "or", "xor", "exchange"):
    counter(operation, 1)
counter("comp_swap", 2)

# --- System values ---------------------------------------------------------------------------


def system_value(name, components=1, size=32, divergence=ALWAYS):
    intrinsic(f"load_{name}", dest=components, sizes=[size], flags=PURE, divergence=divergence)


system_value("vertex_id")
system_value("vertex_id_zero_base")
system_value("instance_id", divergence=NEVER)
system_value("base_vertex", divergence=NEVER)
system_value("base_instance", divergence=NEVER)
system_value("draw_id", divergence=NEVER)
system_value("first_vertex", divergence=NEVER)
system_value("frag_coord", 4)
system_value("point_coord", 2)
system_value("front_face", size=1)
system_value("sample_id")
system_value("sample_pos", 2)
system_value("sample_mask_in")
# How much of the pixel a smooth primitive covers; 1 of others (GL 4.6 §17.1).
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
# What the framebuffer holds at the fragment; color buffer number.
intrinsic("load_last_frag_data", [1], dest=4, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_last_frag_depth", dest=1, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("load_last_frag_stencil", dest=1, sizes=[32], flags=[ELIMINATE], divergence=ALWAYS)
# It changes when lanes are demoted.
intrinsic("load_helper_invocation", dest=1, sizes=[1], flags=[ELIMINATE], divergence=ALWAYS)
intrinsic("is_helper_invocation", dest=1, sizes=[1], flags=[ELIMINATE], divergence=ALWAYS)

# --- Control of invocations ------------------------------------------------------------------

for name in ("discard", "demote", "terminate"):
    intrinsic(name)
    intrinsic(f"{name}_if", [1])
intrinsic("emit_vertex", indices=["stream_id"])
intrinsic("end_primitive", indices=["stream_id"])
intrinsic("barrier", indices=["execution_scope", "memory_scope", "memory_semantics",
                              "memory_modes"], flags=[CROSS_LANE])

# A counter of time, low word first. Never moved or merged: what is read between is measured.
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
# value, lane
intrinsic("read_invocation", [0, 1], dest=0, like_src=0, flags=LANES)
intrinsic("shuffle", [0, 1], dest=0, like_src=0, flags=LANES)
# value, what the lane's number is combined with to that of the lane that is read
for name in ("xor", "up", "down"):
    intrinsic(f"shuffle_{name}", [0, 1], dest=0, like_src=0, flags=LANES)
# Over the active lanes, in the order that nir_lower_subgroups gives them.
intrinsic("reduce", [0], dest=0, like_src=0, indices=["reduction_op", "cluster_size"], flags=LANES)
for name in ("inclusive", "exclusive"):
    intrinsic(f"{name}_scan", [0], dest=0, like_src=0, indices=["reduction_op"], flags=LANES,
              divergence=ALWAYS)
intrinsic("quad_broadcast", [0, 1], dest=0, like_src=0, flags=LANES)
for name in ("horizontal", "vertical", "diagonal"):
    intrinsic(f"quad_swap_{name}", [0], dest=0, like_src=0, flags=LANES)
# Of each half of a word, as an unsigned integer, the least that an active lane has; 0 if none is active.
intrinsic("min_2x16", [1], dest=1, sizes=[32], flags=LANES, divergence=NEVER)
# table, index: component c of the table has entries c * lanes …, one in each lane. Of the index only
# the bits count that number all entries; one, two or four components.
intrinsic("lookup_lanes", [-1, 1], dest=1, sizes=[32], flags=LANES, divergence=ALWAYS)
# Two blocks of 4×4 texels, one above the other, each with a texel in a lane: bits of its number are, from the
# lowest, x, y, x, y. Rows first … first + 3 of the two (first: 0 … 4), texel x, y in lane 4 x + y.
# For 16 lanes.
intrinsic("rows_of_blocks", [2, 1], dest=1, sizes=[32], flags=LANES, divergence=ALWAYS,
          uniform=[1])
# The lanes of quad q take component q.
intrinsic("select_quad", [4], dest=1, flags=[ELIMINATE, REORDER], divergence=ALWAYS, uniform=[0])
