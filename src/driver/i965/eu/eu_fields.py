# SPDX-License-Identifier: MIT
"""Bit positions and encodings of the fields of a native 128-bit instruction (Skylake PRM, volume 7,
"EU Instruction Formats"; the same on Gen8 and Gen9). The encoder, decoder, compaction and error
messages use these tables.
"""

# name: (high bit, low bit)
FIELDS = {
    # all formats
    "opcode": (6, 0),
    "access_mode": (8, 8),
    "no_dd_clear": (9, 9),
    "no_dd_check": (10, 10),
    "nibble_control": (11, 11),
    "quarter_control": (13, 12),
    "thread_control": (15, 14),
    "predicate": (19, 16),
    "predicate_inverse": (20, 20),
    "exec_size": (23, 21),
    "cmod": (27, 24),  # math: function; send: shared function
    "acc_write": (28, 28),  # branches: BranchCtrl
    "compacted": (29, 29),
    "debug": (30, 30),
    "saturate": (31, 31),
    "flag_subnr": (32, 32),
    "flag_nr": (33, 33),
    "mask_control": (34, 34),
    # one and two sources
    "dst_file": (36, 35),
    "dst_type": (40, 37),
    "src0_file": (42, 41),
    "src0_type": (46, 43),
    "dst_subnr": (52, 48),
    "dst_nr": (60, 53),
    "dst_hstride": (62, 61),
    "dst_address_mode": (63, 63),
    "dst_address_offset": (56, 48),
    "dst_address_offset_high": (47, 47),
    "dst_address_subnr": (60, 57),
    "src0_subnr": (68, 64),
    "src0_nr": (76, 69),
    "src0_abs": (77, 77),
    "src0_negate": (78, 78),
    "src0_address_mode": (79, 79),
    "src0_hstride": (81, 80),
    "src0_width": (84, 82),
    "src0_vstride": (88, 85),
    "src0_address_offset": (72, 64),
    "src0_address_subnr": (76, 73),
    "src0_address_offset_high": (95, 95),
    "src1_file": (90, 89),
    "src1_type": (94, 91),
    "src1_subnr": (100, 96),
    "src1_nr": (108, 101),
    "src1_abs": (109, 109),
    "src1_negate": (110, 110),
    "src1_address_mode": (111, 111),
    "src1_hstride": (113, 112),
    "src1_width": (116, 114),
    "src1_vstride": (120, 117),
    "src1_address_offset": (104, 96),
    "src1_address_subnr": (108, 105),
    "src1_address_offset_high": (121, 121),
    "imm32": (127, 96),
    "imm64": (127, 64),
    # branches
    "jip": (127, 96),
    "uip": (95, 64),
    # send, sends
    "desc": (126, 96),
    "eot": (127, 127),
    "ex_desc_19_16": (67, 64),
    "ex_desc_23_20": (83, 80),
    "ex_desc_27_24": (88, 85),
    "ex_desc_31_28": (94, 91),
    "sends_dst_file": (35, 35),
    "sends_src1_file": (36, 36),
    "sends_src1_nr": (51, 44),
    "sends_ex_desc_indirect": (61, 61),
    "sends_ex_desc_length": (67, 64),
    "sends_ex_desc_address": (82, 80),
    "sends_desc_indirect": (77, 77),
    # three sources, align16
    "src2_half_3src": (35, 35),
    "src1_half_3src": (36, 36),
    "src0_abs_3src": (37, 37),
    "src0_negate_3src": (38, 38),
    "src1_abs_3src": (39, 39),
    "src1_negate_3src": (40, 40),
    "src2_abs_3src": (41, 41),
    "src2_negate_3src": (42, 42),
    "src_type_3src": (45, 43),
    "dst_type_3src": (48, 46),
    "dst_writemask_3src": (52, 49),
    "dst_subnr_3src": (55, 53),
    "dst_nr_3src": (63, 56),
    "src0_replicate_3src": (64, 64),
    "src0_swizzle_3src": (72, 65),
    "src0_subnr_3src": (75, 73),
    "src0_nr_3src": (83, 76),
    "src0_word_3src": (84, 84),
    "src1_replicate_3src": (85, 85),
    "src1_swizzle_3src": (93, 86),
    "src1_subnr_3src": (96, 94),
    "src1_nr_3src": (104, 97),
    "src1_word_3src": (105, 105),
    "src2_replicate_3src": (106, 106),
    "src2_swizzle_3src": (114, 107),
    "src2_subnr_3src": (117, 115),
    "src2_nr_3src": (125, 118),
    "src2_word_3src": (126, 126),
}

# name: (size in bytes, encoding for registers, for immediates, in three-source instructions); None if
# the type is not available there
TYPES = {
    "ud": (4, 0, 0, 2),
    "d": (4, 1, 1, 1),
    "uw": (2, 2, 2, None),
    "w": (2, 3, 3, None),
    "ub": (1, 4, None, None),
    "b": (1, 5, None, None),
    "uq": (8, 8, 8, None),
    "q": (8, 9, 9, None),
    "hf": (2, 10, 11, 4),
    "f": (4, 7, 7, 0),
    "df": (8, 6, 10, 3),
    "uv": (4, None, 4, None),
    "v": (4, None, 6, None),
    "vf": (4, None, 5, None),
}

MATH = {
    1: "inv", 2: "log", 3: "exp", 4: "sqt", 5: "rsqt", 6: "sin", 7: "cos", 9: "fdiv", 10: "pow",
    11: "idiv", 12: "iqot", 13: "irem", 14: "invm", 15: "rsqtm",
}

# Number of sources of each math function.
MATH_SOURCES = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 9: 2, 10: 2, 11: 2, 12: 2, 13: 2, 14: 2,
                15: 1}

# Source types of each math function. Empty for the steps of multi-instruction division and square
# root, which the simulator does not model.
MATH_TYPES = {**dict.fromkeys((*range(1, 8), 9, 10), "f"), 11: "ud d", 12: "ud d", 13: "ud d", 14: "", 15: ""}


def type_mask(types):
    """Returns a bit mask by enum eu_type for a string of type names."""
    return sum(1 << list(TYPES).index(name) for name in types.split())
