# SPDX-License-Identifier: MIT
"""Generates eu_tables.h: fields, opcodes, types and compaction tables as C, for the files of eu/."""
import sys

from eu_compaction import COMPACTION
from eu_fields import FIELDS, MATH, MATH_SOURCES, MATH_TYPES, TYPES, type_mask
from eu_opcodes import OPCODES

FORMATS = {"basic": "BASIC", "3src": "3SRC", "send": "SEND", "sends": "SENDS", "branch": "BRANCH",
           "jump": "JUMP", "math": "MATH", "none": "NONE"}


def emit(out):
    line = lambda text="": out.write(text + "\n")
    line("/* SPDX-License-Identifier: MIT */")
    line("/* Made by eu_tables.py from eu_opcodes.py, eu_fields.py and eu_compaction.py. */")
    line("#ifndef EU_TABLES_H\n#define EU_TABLES_H\n\n#include <stdint.h>\n")
    line("enum eu_field {")
    for name in FIELDS:
        line(f"    EU_FIELD_{name.upper()},")
    line("    EU_FIELD_COUNT,\n};\n")
    line("static const struct eu_field_info {\n    uint8_t high, low;\n    const char *name;\n"
         "    const char *error; /* of the encoder */\n"
         "} eu_field_info[EU_FIELD_COUNT] __attribute__((unused)) = {")
    for name, (high, low) in FIELDS.items():
        line(f"    [EU_FIELD_{name.upper()}] = {{{high}, {low}, \"{name}\","
             f" \"{name} has no encoding for its value\"}},")
    line("};\n")
    line("enum eu_format {")
    for name in FORMATS.values():
        line(f"    EU_FORMAT_{name},")
    line("};\n")
    flags = ["cmod", "sat"]
    line("enum eu_opcode_flag {")
    for i, name in enumerate(flags):
        line(f"    EU_FLAG_{name.upper()} = 1 << {i},")
    line("};\n")
    line("static const struct eu_opcode_info {\n    const char *name; /* NULL: no such opcode */\n"
         "    uint8_t sources, format, flags;\n    uint16_t types; /* of the sources: bits */\n"
         "} eu_opcode_info[128] __attribute__((unused)) = {")
    for op in OPCODES:
        bits = " | ".join(f"EU_FLAG_{f.upper()}" for f in op.flags.split()) or "0"
        line(f"    [{op.code:#04x}] = {{\"{op.name}\", {op.sources}, "
             f"EU_FORMAT_{FORMATS[op.format]}, {bits}, {type_mask(op.types):#x}}},")
    line("};\n")
    line("static const struct eu_type_info {\n    const char *name;\n"
         "    uint8_t size, reg, imm, ternary; /* codes; 0xff: has none */\n"
         "} eu_type_info[] __attribute__((unused)) = {")
    for name, (size, reg, imm, ternary) in TYPES.items():
        code = lambda c: 0xFF if c is None else c
        line(f"    {{\"{name}\", {size}, {code(reg)}, {code(imm)}, {code(ternary)}}},")
    line("};\n")
    line("static const struct eu_math_info {\n    const char *name;\n    uint8_t sources;\n"
         "    uint16_t types; /* of the sources: bits */\n"
         "} eu_math_info[16] __attribute__((unused)) = {")
    for code, name in MATH.items():
        line(f"    [{code}] = {{\"{name}\", {MATH_SOURCES[code]}, "
             f"{type_mask(MATH_TYPES[code]):#x}}},")
    line("};\n")
    for table, (pieces, rows) in COMPACTION.items():
        line(f"/* {table}: bits {', '.join(f'{h}:{l}' for h, l in pieces)} of the native form. */")
        line(f"static const uint64_t eu_compact_{table}[{len(rows)}] __attribute__((unused)) = {{")
        for row in rows:
            line(f"    {row:#x},")
        line("};")
        line(f"static const uint8_t eu_compact_{table}_pieces[][2] __attribute__((unused)) = {{")
        for high, low in pieces:
            line(f"    {{{high}, {low}}},")
        line("};\n")
    line("#endif")


with open(sys.argv[1], "w", encoding="utf-8") as f:
    emit(f)
