# SPDX-License-Identifier: MIT
"""Bit positions and encodings of the fields of a native 128-bit instruction (Skylake PRM, volume 7,
"EU Instruction Formats"). The encoder, decoder, compaction and error messages use these tables.
"""

# Columns of the tables of eu/, in the order of enum eu_generation.
GENERATIONS = (8, 9, 11, 12)

# name: (high bit, low bit) of Gen8 to Gen11
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
    # one and two sources, align16: four components
    "dst_writemask": (51, 48),
    "dst_row": (52, 52),
    "src0_swizzle_xy": (67, 64),
    "src0_row": (68, 68),
    "src0_swizzle_zw": (83, 80),
    "src1_swizzle_xy": (99, 96),
    "src1_row": (100, 100),
    "src1_swizzle_zw": (115, 112),
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
    # three sources, align1
    "float_3src1": (35, 35),
    "dst_file_3src1": (36, 36),
    "src0_file_3src1": (43, 43),
    "src1_file_3src1": (44, 44),
    "src2_file_3src1": (45, 45),
    "dst_type_3src1": (48, 46),
    "dst_hstride_3src1": (49, 49),
    "dst_subnr_3src1": (55, 54),
    "src0_type_3src1": (66, 64),
    "src0_vstride_3src1": (68, 67),
    "src0_hstride_3src1": (70, 69),
    "src0_subnr_3src1": (75, 71),
    "src1_type_3src1": (87, 85),
    "src1_vstride_3src1": (89, 88),
    "src1_hstride_3src1": (91, 90),
    "src1_subnr_3src1": (96, 92),
    "src2_type_3src1": (108, 106),
    "src2_hstride_3src1": (112, 111),
    "src2_subnr_3src1": (117, 113),
    "src0_immediate_3src1": (43, 43),
    "src2_immediate_3src1": (45, 45),
    "src0_imm16_3src1": (82, 67),
    "src2_imm16_3src1": (124, 109),
}


# Fields of Gen12: a range, several from high to low, or None if it has no such field. Three-source
# instructions have their own fields. Those not listed are where older generations have them.
FIELDS_12 = {
    "access_mode": None,
    "dst_writemask": None,
    "dst_row": None,
    "src0_swizzle_xy": None,
    "src0_row": None,
    "src0_swizzle_zw": None,
    "src1_swizzle_xy": None,
    "src1_row": None,
    "src1_swizzle_zw": None,
    "no_dd_clear": None,
    "no_dd_check": None,
    "thread_control": None,
    "software_scoreboard": (15, 8),
    "exec_size": (18, 16),
    "nibble_control": (19, 19),
    "quarter_control": (21, 20),
    "flag_subnr": (22, 22),
    "flag_nr": (23, 23),
    "predicate": (27, 24),
    "predicate_inverse": (28, 28),
    "compacted": (29, 29),
    "debug": (30, 30),
    "mask_control": (31, 31),
    "acc_write": (33, 33),
    "saturate": (34, 34),
    "cmod": (95, 92),
    "dst_file": (50, 50),
    "dst_type": (39, 36),
    "dst_subnr": (55, 51),
    "dst_nr": (63, 56),
    "dst_hstride": (49, 48),
    "dst_address_mode": (35, 35),
    "dst_address_offset": (58, 50),
    "dst_address_offset_high": (59, 59),
    "dst_address_subnr": (63, 60),
    "src0_file": [(46, 46), (66, 66)],
    "src0_type": (43, 40),
    "src0_subnr": (71, 67),
    "src0_nr": (79, 72),
    "src0_abs": (44, 44),
    "src0_negate": (45, 45),
    "src0_address_mode": (80, 80),
    "src0_hstride": (65, 64),
    "src0_width": (83, 81),
    "src0_vstride": (87, 84),
    "src0_address_offset": (74, 66),
    "src0_address_offset_high": (75, 75),
    "src0_address_subnr": (79, 76),
    "src1_file": [(47, 47), (98, 98)],
    "src1_type": (91, 88),
    "src1_subnr": (103, 99),
    "src1_nr": (111, 104),
    "src1_abs": (120, 120),
    "src1_negate": (121, 121),
    "src1_address_mode": (112, 112),
    "src1_hstride": (97, 96),
    "src1_width": (115, 113),
    "src1_vstride": (119, 116),
    "src1_address_offset": (106, 98),
    "src1_address_offset_high": (107, 107),
    "src1_address_subnr": (111, 108),
    "imm64": None,
    "src0_immediate": (46, 46),
    "src1_immediate": (47, 47),
    "desc": [(122, 122), (71, 67), (55, 51), (121, 113), (91, 81)],
    "eot": (34, 34),
    "sends_dst_file": (50, 50),
    "sends_src0_file": (66, 66),
    "sends_src1_file": (98, 98),
    "sends_src1_nr": (111, 104),
    "sends_ex_desc_length": (102, 99),
    "sends_ex_desc_indirect": (49, 49),
    "sends_desc_indirect": (48, 48),
    "sends_desc_31": (123, 123),
    "sends_ex_desc_other": [(127, 124), (97, 96), (65, 64), (47, 35), (103, 103)],
    "src0_abs_3src": (44, 44),
    "src0_negate_3src": (45, 45),
    "src1_abs_3src": (86, 86),
    "src1_negate_3src": (87, 87),
    "src2_abs_3src": (84, 84),
    "src2_negate_3src": (85, 85),
    "dst_nr_3src": (63, 56),
    "src0_nr_3src": (79, 72),
    "src1_nr_3src": (111, 104),
    "src2_nr_3src": (127, 120),
    "float_3src1": (39, 39),
    "dst_file_3src1": (50, 50),
    "src0_file_3src1": [(46, 46), (66, 66)],
    "src1_file_3src1": (98, 98),
    "src2_file_3src1": [(47, 47), (114, 114)],
    "dst_type_3src1": (38, 36),
    "dst_hstride_3src1": (48, 48),
    "dst_subnr_3src1": (55, 54),
    "src0_type_3src1": (42, 40),
    "src0_vstride_3src1": [(43, 43), (35, 35)],
    "src0_hstride_3src1": (65, 64),
    "src0_subnr_3src1": (71, 67),
    "src1_type_3src1": (90, 88),
    "src1_vstride_3src1": [(91, 91), (83, 83)],
    "src1_hstride_3src1": (97, 96),
    "src1_subnr_3src1": (103, 99),
    "src2_type_3src1": (82, 80),
    "src2_hstride_3src1": (113, 112),
    "src2_subnr_3src1": (119, 115),
    "src0_immediate_3src1": (46, 46),
    "src2_immediate_3src1": (47, 47),
    "src0_imm16_3src1": (79, 64),
    "src2_imm16_3src1": (127, 112),
}

# Fields that only Gen12 has.
FIELDS.update({name: None for name in FIELDS_12 if name not in FIELDS})

MAX_PIECES = 5


def pieces(name, gen):
    """Returns the bit ranges of a field in a generation, from high to low; none: no such field."""
    field = FIELDS_12.get(name, FIELDS[name]) if gen == 12 else FIELDS[name]
    return [] if field is None else field if isinstance(field, list) else [field]


# The value of the file fields for a register of three-source align1 instructions and for an
# immediate; whether operands with indirect addresses have a file field.
FILE_GRF_3SRC1 = {8: 0, 9: 0, 11: 0, 12: 1}
FILE_IMMEDIATE = {8: 3, 9: 3, 11: 3, 12: 2}
INDIRECT_HAS_FILE = {8: True, 9: True, 11: True, 12: False}

# name: (size in bytes, encoding for registers, for immediates, in align16 and in align1 three-source
# instructions). "-": the type is not available there; columns are those of GENERATIONS. The highest bit
# of an align1 type is a separate field: float.
TYPES = {
    "ud": (4, "0 0 0 2", "0 0 0 2", "2", "0 0 0 2"),
    "d": (4, "1 1 1 6", "1 1 1 6", "1", "1 1 1 6"),
    "uw": (2, "2 2 2 1", "2 2 2 1", "-", "2 2 2 1"),
    "w": (2, "3 3 3 5", "3 3 3 5", "-", "3 3 3 5"),
    "ub": (1, "4 4 4 0", "-", "-", "4 4 4 0"),
    "b": (1, "5 5 5 4", "-", "-", "5 5 5 4"),
    "uq": (8, "8 8 - -", "8 8 - -", "-", "-"),
    "q": (8, "9 9 - -", "9 9 - -", "-", "-"),
    "hf": (2, "10 10 8 9", "11 11 8 9", "4", "8 8 8 9"),
    "f": (4, "7 7 9 10", "7 7 9 10", "0", "9 9 9 10"),
    "df": (8, "6 6 - -", "10 10 - -", "3", "-"),
    "uv": (4, "-", "4 4 4 0", "-", "-"),
    "v": (4, "-", "6 6 5 4", "-", "-"),
    "vf": (4, "-", "5 5 11 8", "-", "-"),
}


def columns(text):
    """Returns one number per generation, None where there is none. A single number stands for all."""
    values = text.split()
    if len(values) == 1:
        values *= len(GENERATIONS)
    return [None if v == "-" else int(v, 0) for v in values]


MATH = {
    1: "inv", 2: "log", 3: "exp", 4: "sqt", 5: "rsqt", 6: "sin", 7: "cos", 9: "fdiv", 10: "pow",
    11: "idiv", 12: "iqot", 13: "irem", 14: "invm", 15: "rsqtm",
}

# Functions that Gen12 has.
MATH_12 = (1, 2, 3, 4, 5, 6, 7, 11, 12, 13)

# Number of sources of each math function.
MATH_SOURCES = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 9: 2, 10: 2, 11: 2, 12: 2, 13: 2, 14: 2,
                15: 1}

# Source types of each math function. Empty for the steps of multi-instruction division and square
# root, which the simulator does not model.
MATH_TYPES = {**dict.fromkeys((*range(1, 8), 9, 10), "f"), 11: "ud d", 12: "ud d", 13: "ud d", 14: "", 15: ""}


def type_mask(types):
    """Returns a bit mask by enum eu_type for a string of type names."""
    return sum(1 << list(TYPES).index(name) for name in types.split())
