# SPDX-License-Identifier: MIT
"""The opcodes of the execution unit (Skylake PRM, volume 2a and 7, "Instruction Set Reference").

One row per opcode: name, encoding in bits 6:0, number of sources, format, flags, source types. The
encoding has a hexadecimal column per generation (eu_fields.GENERATIONS), or one for all; "-": the
generation has no such opcode. All code that enumerates opcodes uses this table: the enum, the formats of
the encoder and decoder, the disassembler's names, the validator's rules, and the simulator's dispatch.
"""
from collections import namedtuple

from eu_fields import columns

Opcode = namedtuple("Opcode", "name codes sources format flags types")

SMALL = "b ub w uw d ud"
INTS = SMALL + " q uq"
ANY = INTS + " hf f df"

# Formats: "basic" (one or two sources), "3src" (align16), "send", "sends" (two payloads),
# "branch" (JIP, UIP), "jump" (JIP as a source), "math", "sync", "none".
# Flags: "cmod": may have a conditional modifier; "sat": may saturate.
# Types: source types that the validator accepts and the simulator models; the simulator's test covers
# each of them. Empty for control flow, messages and opcodes without a model. The types of math
# depend on its function (eu_fields.py).
OPCODES = [
    Opcode("illegal", "00", 0, "none", "", ""),
    Opcode("mov", "01 01 01 61", 1, "basic", "cmod sat", ANY),
    Opcode("sel", "02 02 02 62", 2, "basic", "cmod sat", ANY),
    Opcode("movi", "03 03 03 -", 2, "basic", "sat", ""),
    Opcode("not", "04 04 04 64", 1, "basic", "cmod", INTS),
    Opcode("and", "05 05 05 65", 2, "basic", "cmod", INTS),
    Opcode("or", "06 06 06 66", 2, "basic", "cmod", INTS),
    Opcode("xor", "07 07 07 67", 2, "basic", "cmod", INTS),
    Opcode("shr", "08 08 08 68", 2, "basic", "cmod sat", "ub uw ud d uq"),
    Opcode("shl", "09 09 09 69", 2, "basic", "cmod sat", INTS),
    Opcode("smov", "0A 0A 0A -", 2, "basic", "", ""),
    Opcode("asr", "0C 0C 0C 6C", 2, "basic", "cmod sat", "b w d ud q"),
    Opcode("cmp", "10 10 10 70", 2, "basic", "cmod", ANY),
    Opcode("cmpn", "11 11 11 71", 2, "basic", "cmod", ANY),
    Opcode("csel", "12 12 12 72", 3, "3src", "cmod sat", "f"),
    Opcode("bfrev", "17 17 17 77", 1, "basic", "", "ud"),
    Opcode("bfe", "18 18 18 78", 3, "3src", "", "ud d"),
    Opcode("bfi1", "19 19 19 79", 2, "basic", "", "ud d"),
    Opcode("bfi2", "1A 1A 1A 7A", 3, "3src", "", "ud d"),
    Opcode("jmpi", "20", 1, "jump", "", ""),
    Opcode("brd", "21", 1, "branch", "", ""),
    Opcode("if", "22", 0, "branch", "", ""),
    Opcode("brc", "23", 1, "branch", "", ""),
    Opcode("else", "24", 0, "branch", "", ""),
    Opcode("endif", "25", 0, "branch", "", ""),
    Opcode("while", "27", 0, "branch", "", ""),
    Opcode("break", "28", 0, "branch", "", ""),
    Opcode("cont", "29", 0, "branch", "", ""),
    Opcode("halt", "2A", 0, "branch", "", ""),
    Opcode("calla", "2B", 1, "branch", "", ""),
    Opcode("call", "2C", 1, "branch", "", ""),
    Opcode("ret", "2D", 1, "branch", "", ""),
    Opcode("wait", "30 30 30 -", 1, "basic", "", ""),
    Opcode("send", "31", 1, "send", "", ""),
    Opcode("sendc", "32", 1, "send", "", ""),
    # Gen12 has one instruction for both; it is a split send if src1 is a register.
    Opcode("sends", "- 33 33 31", 2, "sends", "", ""),
    Opcode("sendsc", "- 34 34 32", 2, "sends", "", ""),
    Opcode("math", "38", 2, "math", "sat", ""),
    Opcode("add", "40", 2, "basic", "cmod sat", ANY),
    Opcode("mul", "41", 2, "basic", "cmod sat", SMALL + " hf f df"),
    Opcode("avg", "42", 2, "basic", "cmod sat", SMALL),
    Opcode("frc", "43", 1, "basic", "cmod", "hf f df"),
    Opcode("rndu", "44", 1, "basic", "cmod sat", "hf f df"),
    Opcode("rndd", "45", 1, "basic", "cmod sat", "hf f df"),
    Opcode("rnde", "46", 1, "basic", "cmod sat", "hf f df"),
    Opcode("rndz", "47", 1, "basic", "cmod sat", "hf f df"),
    Opcode("mac", "48", 2, "basic", "cmod sat", "w uw f"),
    Opcode("mach", "49", 2, "basic", "cmod", "ud d"),
    Opcode("lzd", "4A", 1, "basic", "cmod", "ud d"),
    Opcode("fbh", "4B", 1, "basic", "", "ud d"),
    Opcode("fbl", "4C", 1, "basic", "", "ud"),
    Opcode("cbit", "4D", 1, "basic", "", "ub uw ud"),
    Opcode("addc", "4E", 2, "basic", "cmod", "ud"),
    Opcode("subb", "4F", 2, "basic", "cmod", "ud"),
    Opcode("sad2", "50 50 - -", 2, "basic", "cmod sat", "ub b"),
    Opcode("sada2", "51 51 - -", 2, "basic", "cmod sat", "ub b"),
    Opcode("dp4", "54 54 - -", 2, "basic", "cmod sat", "f"),
    Opcode("dph", "55 55 - -", 2, "basic", "cmod sat", "f"),
    Opcode("dp3", "56 56 - -", 2, "basic", "cmod sat", "f"),
    Opcode("dp2", "57 57 - -", 2, "basic", "cmod sat", "f"),
    Opcode("line", "59 59 - -", 2, "basic", "cmod sat", "f"),
    Opcode("pln", "5A 5A - -", 2, "basic", "cmod sat", "f"),
    Opcode("mad", "5B", 3, "3src", "cmod sat", "ud d hf f df"),
    Opcode("lrp", "5C 5C - -", 3, "3src", "cmod sat", "f"),
    Opcode("madm", "5D 5D 5D -", 3, "3src", "", ""),
    Opcode("sync", "- - - 01", 0, "sync", "", ""),
    Opcode("nop", "7E 7E 7E 60", 0, "none", "", ""),
]


def codes(op):
    """Returns the encoding of an opcode by generation, None where it doesn't exist."""
    return columns(" ".join(c if c == "-" else "0x" + c for c in op.codes.split()))


def number(op):
    """Returns the value of an opcode in enum eu_opcode: its encoding in the first generation that has it,
    or above those."""
    return 0x70 if op.name == "sync" else next(c for c in codes(op) if c is not None)
