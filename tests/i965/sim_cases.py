# SPDX-License-Identifier: MIT
"""Generates sim_cases.h: every opcode with every source type, and every math function, in the tables
of the assembler. The simulator's test must run all of them."""
import sys

sys.path.insert(0, sys.argv[1])
from eu_fields import MATH, MATH_TYPES  # noqa: E402
from eu_opcodes import OPCODES  # noqa: E402

# Encoded only for the disassembler, or not at all; a thread that executes them faults.
NOT_MODELLED = {"movi", "smov", "brd", "brc", "calla", "call", "ret", "madm"}

with open(sys.argv[2], "w", encoding="utf-8") as out:
    line = lambda text: out.write(text + "\n")
    line("/* SPDX-License-Identifier: MIT */\n/* Made by sim_cases.py from eu_opcodes.py. */")
    line("static const struct sim_case {\n    enum eu_opcode opcode;\n    enum eu_type type;\n"
         "    bool cmod, saturate;\n} sim_cases[] = {")
    for op in OPCODES:
        flags = ", ".join(str(f in op.flags.split()).lower() for f in ("cmod", "sat"))
        for name in op.types.split():
            line(f"    {{EU_OPCODE_{op.name.upper()}, EU_TYPE_{name.upper()}, {flags}}},")
    line("};\n")
    line("static const struct sim_math_case {\n    enum eu_math function;\n    enum eu_type type;\n"
         "} sim_math_cases[] = {")
    for code, types in MATH_TYPES.items():
        for name in types.split():
            line(f"    {{{code}, EU_TYPE_{name.upper()}}}, /* {MATH[code]} */")
    line("};\n")
    line("/* Control flow and messages: run by the tests of those. */")
    line("static const enum eu_opcode sim_other_opcodes[] = {")
    for op in OPCODES:
        if not op.types and op.name not in NOT_MODELLED and op.name != "math":
            line(f"    EU_OPCODE_{op.name.upper()},")
    line("};\n")
    line("static const enum eu_opcode sim_not_modelled[] = {")
    for op in OPCODES:
        if op.name in NOT_MODELLED:
            line(f"    EU_OPCODE_{op.name.upper()},")
    line("};")
