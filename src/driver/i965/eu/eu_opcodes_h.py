# SPDX-License-Identifier: MIT
"""Generates eu_opcodes.h: enum eu_opcode, with the hardware's encoding as values."""
import sys

from eu_opcodes import OPCODES

with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write("/* SPDX-License-Identifier: MIT */\n/* Made by eu_opcodes_h.py from eu_opcodes.py. */\n")
    out.write("#ifndef EU_OPCODES_H\n#define EU_OPCODES_H\n\nenum eu_opcode {\n")
    for op in OPCODES:
        out.write(f"    EU_OPCODE_{op.name.upper()} = {op.code:#04x},\n")
    out.write("};\n\n#endif\n")
