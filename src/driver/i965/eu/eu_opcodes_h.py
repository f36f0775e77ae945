# SPDX-License-Identifier: MIT
"""Generates eu_opcodes.h: enum eu_opcode, with the hardware's oldest encoding as values, and enum
eu_generation."""
import sys

from eu_fields import GENERATIONS
from eu_opcodes import OPCODES, number

with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write("/* SPDX-License-Identifier: MIT */\n/* Made by eu_opcodes_h.py from eu_opcodes.py. */\n")
    out.write("#ifndef EU_OPCODES_H\n#define EU_OPCODES_H\n\nenum eu_opcode {\n")
    for op in OPCODES:
        out.write(f"    EU_OPCODE_{op.name.upper()} = {number(op):#04x},\n")
    out.write("};\n\n/* Columns of the tables. */\nenum eu_generation {\n")
    for gen in GENERATIONS:
        out.write(f"    EU_GEN{gen},\n")
    out.write("    EU_GENERATION_COUNT,\n};\n\n#endif\n")
