# SPDX-License-Identifier: MIT
"""Generates eu_tables.h (fields, opcodes and types) and eu_compaction.h (compaction) as C, for eu/."""
import sys

from eu_compaction import COMPACTION, NOT_COMPACTED
from eu_fields import (FIELDS, FILE_GRF_3SRC1, FILE_IMMEDIATE, GENERATIONS, INDIRECT_HAS_FILE, MATH, MATH_12,
                       MATH_SOURCES, MATH_TYPES, MAX_PIECES, TYPES, columns, pieces, type_mask)
from eu_opcodes import OPCODES, codes, number

FORMS = ("basic", "immediate", "ternary")
ABSENT = 0xFF  # no encoding
FORMATS = {"basic": "BASIC", "3src": "3SRC", "send": "SEND", "sends": "SENDS", "branch": "BRANCH",
           "jump": "JUMP", "math": "MATH", "sync": "SYNC", "none": "NONE"}


def emit_compaction(line):
    """Tables are shared by generations with the same dictionary of tables."""
    line("""struct eu_compact_table {
    const uint8_t (*ranges)[2]; /* native bits, high and low, from high to low */
    const uint64_t *rows;
    uint8_t num_ranges, num_rows;
};

/* Bits of the compacted form: an index into a table, or native bits. */
struct eu_compact_piece {
    uint8_t high, low;
    bool sign;      /* no compacted bits: native bits repeat the bit below them */
    bool immediate; /* bits of the immediate, depending on its type */
    uint8_t native_high, native_low;
    const struct eu_compact_table *table; /* or NULL */
    uint8_t shift;  /* of the table's native bits */
    uint64_t mask;  /* bits of a row that are used */
};

struct eu_compact_form {
    const struct eu_compact_piece *pieces;
    unsigned count; /* 0: the generation has no such form */
};
""")
    names = {}
    for gen, (tables, *_) in COMPACTION.items():
        for table, (ranges, rows) in tables.items():
            if (id(tables), table) in names:
                continue
            name = names[id(tables), table] = f"eu_compact_{table}_{gen}"
            line(f"static const uint8_t {name}_ranges[][2] = {{")
            line("    " + " ".join(f"{{{high}, {low}}}," for high, low in ranges))
            line(f"}};\nstatic const uint64_t {name}_rows[] = {{")
            for row in rows:
                line(f"    {row:#x},")
            line(f"}};\nstatic const struct eu_compact_table {name} = {{\n    {name}_ranges, {name}_rows, "
                 f"{len(ranges)}, {len(rows)}}};\n")
    forms = {}
    for gen, (tables, *kinds) in COMPACTION.items():
        for kind, pieces_ in zip(FORMS, kinds):
            name = f"eu_compact_{kind}_{gen}"
            forms[gen, kind] = f"{{{name}, {len(pieces_)}}}" if pieces_ else "{0}"
            if not pieces_:
                continue
            line(f"static const struct eu_compact_piece {name}[] = {{")
            for piece in pieces_:
                if piece[1] in tables and len(tables[piece[1]][1]) != 2 << (piece[0][0] - piece[0][1]):
                    sys.exit(f"{name}: an index into {piece[1]} without a row")
                line("    " + compact_piece(piece, lambda table: names[id(tables), table]) + ",")
            line("};\n")
    line("/* Encodings that have no compacted form: a bit for each. */")
    line(f"static const uint64_t eu_not_compacted[{len(GENERATIONS)}][2] = {{")
    for index, gen in enumerate(GENERATIONS):
        bits = sum(1 << codes(op)[index] for op in OPCODES if op.name in NOT_COMPACTED.get(gen, ()))
        line(f"    {{{bits & 0xFFFFFFFFFFFFFFFF:#x}, {bits >> 64:#x}}},")
    line("};\n")
    line("enum eu_compact_kind {")
    for kind in FORMS:
        line(f"    EU_COMPACT_{kind.upper()},")
    line("    EU_COMPACT_COUNT,\n};\n")
    line(f"static const struct eu_compact_form eu_compact_forms[{len(GENERATIONS)}][EU_COMPACT_COUNT] = {{")
    for gen in GENERATIONS:
        line("    {" + ", ".join(forms[gen, kind] for kind in FORMS) + "},")
    line("};\n")


def compact_piece(piece, table_name):
    """Returns a piece as a C initializer."""
    if piece[0] == "sign":
        (high, low) = piece[1]
        return f"{{.sign = true, .native_high = {high}, .native_low = {low}}}"
    (high, low), what, *rest = piece
    if what == "immediate":
        return f"{{.high = {high}, .low = {low}, .immediate = true}}"
    text = f"{{.high = {high}, .low = {low}"
    if isinstance(what, str):
        shift, mask = (rest + [0, 0xFFFFFFFFFFFFFFFF][len(rest):])
        return text + f", .table = &{table_name(what)}, .shift = {shift}, .mask = {mask:#x}}}"
    return text + f", .native_high = {what[0]}, .native_low = {what[1]}}}"


def emit(out):
    line = lambda text="": out.write(text + "\n")
    line("/* SPDX-License-Identifier: MIT */")
    line("/* Made by eu_tables.py from eu_opcodes.py, eu_fields.py and eu_compaction.py. */")
    line("#ifndef EU_TABLES_H\n#define EU_TABLES_H\n\n#include <stdbool.h>\n#include <stdint.h>\n")
    line("enum eu_field {")
    for name in FIELDS:
        line(f"    EU_FIELD_{name.upper()},")
    line("    EU_FIELD_COUNT,\n};\n")
    line("/* Bits of a field: ranges from high to low. count is 0: the generation has no such field. */")
    line("static const struct eu_field_info {\n    uint8_t count, size; /* ranges; bits */\n"
         f"    struct {{\n        uint8_t high, low;\n    }} range[{MAX_PIECES}];\n"
         f"}} eu_field_info[{len(GENERATIONS)}][EU_FIELD_COUNT] __attribute__((unused)) = {{")
    for gen in GENERATIONS:
        line("    {")
        for name in FIELDS:
            ranges = pieces(name, gen)
            size = sum(high - low + 1 for high, low in ranges)
            text = ", ".join(f"{{{high}, {low}}}" for high, low in ranges) or "{0, 0}"
            line(f"        [EU_FIELD_{name.upper()}] = {{{len(ranges)}, {size}, {{{text}}}}},")
        line("    },")
    line("};\n")
    line("static const struct eu_generation_info {\n"
         "    uint8_t file_immediate;   /* value of a file field for an immediate */\n"
         "    uint8_t file_grf_3src1;   /* and for a register in align1 three-source instructions */\n"
         "    bool indirect_has_file;   /* operands with indirect addresses have a file field */\n"
         "} eu_generation_info[] __attribute__((unused)) = {")
    for gen in GENERATIONS:
        line(f"    {{{FILE_IMMEDIATE[gen]}, {FILE_GRF_3SRC1[gen]}, {str(INDIRECT_HAS_FILE[gen]).lower()}}},")
    line("};\n")
    line("static const struct eu_field_name {\n    const char *name;\n    const char *error; /* of the encoder */\n"
         "} eu_field_name[EU_FIELD_COUNT] __attribute__((unused)) = {")
    for name in FIELDS:
        line(f"    [EU_FIELD_{name.upper()}] = {{\"{name}\", \"{name} has no encoding for its value\"}},")
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
         f"    uint8_t code[{len(GENERATIONS)}]; /* by generation; 0xff: has none */\n"
         "} eu_opcode_info[128] __attribute__((unused)) = {")
    for op in OPCODES:
        bits = " | ".join(f"EU_FLAG_{f.upper()}" for f in op.flags.split()) or "0"
        code = ", ".join("0xff" if c is None else f"{c:#04x}" for c in codes(op))
        line(f"    [{number(op):#04x}] = {{\"{op.name}\", {op.sources}, "
             f"EU_FORMAT_{FORMATS[op.format]}, {bits}, {type_mask(op.types):#x}, {{{code}}}}},")
    line("};\n")
    line(f"/* enum eu_opcode by encoding and generation; {ABSENT}: no such opcode. */")
    line(f"static const uint8_t eu_opcode_by_code[{len(GENERATIONS)}][128] __attribute__((unused)) = {{")
    for gen in range(len(GENERATIONS)):
        row = [ABSENT] * 128
        for op in OPCODES:
            if codes(op)[gen] is not None:
                row[codes(op)[gen]] = number(op)
        line("    {" + ", ".join(map(str, row)) + "},")
    line("};\n")
    line("static const struct eu_type_info {\n    const char *name;\n    uint8_t size;\n"
         "    struct {\n        uint8_t reg, imm, align16, align1; /* three sources: align16, align1 */\n"
         f"    }} code[{len(GENERATIONS)}]; /* by generation; 0xff: has none */\n"
         "} eu_type_info[] __attribute__((unused)) = {")
    for name, (size, *kinds) in TYPES.items():
        code = ["{" + ", ".join(str(ABSENT if c is None else c) for c in column) + "}"
                for column in zip(*map(columns, kinds))]
        line(f"    {{\"{name}\", {size}, {{{', '.join(code)}}}}},")
    line("};\n")
    line("static const struct eu_math_info {\n    const char *name;\n    uint8_t sources;\n"
         "    uint16_t types; /* of the sources: bits */\n"
         "    uint8_t gens;   /* bit i: generation i has the function */\n"
         "} eu_math_info[16] __attribute__((unused)) = {")
    for code, name in MATH.items():
        line(f"    [{code}] = {{\"{name}\", {MATH_SOURCES[code]}, "
             f"{type_mask(MATH_TYPES[code]):#x}, {0xF if code in MATH_12 else 0x7}}},")
    line("};\n")
    line("#endif")


def emit_compaction_header(out):
    line = lambda text="": out.write(text + "\n")
    line("/* SPDX-License-Identifier: MIT */")
    line("/* Made by eu_tables.py from eu_compaction.py. */")
    line("#ifndef EU_COMPACTION_H\n#define EU_COMPACTION_H\n\n#include <stdbool.h>\n#include <stdint.h>\n")
    emit_compaction(line)
    line("#endif")


with open(sys.argv[1], "w", encoding="utf-8") as f:
    emit(f)
with open(sys.argv[2], "w", encoding="utf-8") as f:
    emit_compaction_header(f)
