# SPDX-License-Identifier: MIT
"""The opcodes of the execution unit (Skylake PRM, volume 2a and 7, "Instruction Set Reference").

One row per opcode: name, encoding in bits 6:0, number of sources, format, flags, source types. All
code that enumerates opcodes uses this table: the enum, the formats of the encoder and decoder, the
disassembler's names, the validator's rules, and the simulator's dispatch.
"""
from collections import namedtuple

Opcode = namedtuple("Opcode", "name code sources format flags types")

SMALL = "b ub w uw d ud"
INTS = SMALL + " q uq"
ANY = INTS + " hf f df"

# Formats: "basic" (one or two sources), "3src" (align16), "send", "sends" (two payloads),
# "branch" (JIP, UIP), "jump" (JIP as a source), "math", "none".
# Flags: "cmod": may have a conditional modifier; "sat": may saturate.
# Types: source types that the validator accepts and the simulator models; the simulator's test covers
# each of them. Empty for control flow, messages and opcodes without a model. The types of math
# depend on its function (eu_fields.py).
OPCODES = [
    Opcode("illegal", 0x00, 0, "none", "", ""),
    Opcode("mov", 0x01, 1, "basic", "cmod sat", ANY),
    Opcode("sel", 0x02, 2, "basic", "cmod sat", ANY),
    Opcode("movi", 0x03, 2, "basic", "sat", ""),
    Opcode("not", 0x04, 1, "basic", "cmod", INTS),
    Opcode("and", 0x05, 2, "basic", "cmod", INTS),
    Opcode("or", 0x06, 2, "basic", "cmod", INTS),
    Opcode("xor", 0x07, 2, "basic", "cmod", INTS),
    Opcode("shr", 0x08, 2, "basic", "cmod sat", "ub uw ud d uq"),
    Opcode("shl", 0x09, 2, "basic", "cmod sat", INTS),
    Opcode("smov", 0x0A, 2, "basic", "", ""),
    Opcode("asr", 0x0C, 2, "basic", "cmod sat", "b w d ud q"),
    Opcode("cmp", 0x10, 2, "basic", "cmod", ANY),
    Opcode("cmpn", 0x11, 2, "basic", "cmod", ANY),
    Opcode("csel", 0x12, 3, "3src", "cmod sat", "f"),
    Opcode("bfrev", 0x17, 1, "basic", "", "ud"),
    Opcode("bfe", 0x18, 3, "3src", "", "ud d"),
    Opcode("bfi1", 0x19, 2, "basic", "", "ud d"),
    Opcode("bfi2", 0x1A, 3, "3src", "", "ud d"),
    Opcode("jmpi", 0x20, 1, "jump", "", ""),
    Opcode("brd", 0x21, 1, "branch", "", ""),
    Opcode("if", 0x22, 0, "branch", "", ""),
    Opcode("brc", 0x23, 1, "branch", "", ""),
    Opcode("else", 0x24, 0, "branch", "", ""),
    Opcode("endif", 0x25, 0, "branch", "", ""),
    Opcode("while", 0x27, 0, "branch", "", ""),
    Opcode("break", 0x28, 0, "branch", "", ""),
    Opcode("cont", 0x29, 0, "branch", "", ""),
    Opcode("halt", 0x2A, 0, "branch", "", ""),
    Opcode("calla", 0x2B, 1, "branch", "", ""),
    Opcode("call", 0x2C, 1, "branch", "", ""),
    Opcode("ret", 0x2D, 1, "branch", "", ""),
    Opcode("wait", 0x30, 1, "basic", "", ""),
    Opcode("send", 0x31, 1, "send", "", ""),
    Opcode("sendc", 0x32, 1, "send", "", ""),
    Opcode("sends", 0x33, 2, "sends", "", ""),
    Opcode("sendsc", 0x34, 2, "sends", "", ""),
    Opcode("math", 0x38, 2, "math", "sat", ""),
    Opcode("add", 0x40, 2, "basic", "cmod sat", ANY),
    Opcode("mul", 0x41, 2, "basic", "cmod sat", SMALL + " hf f df"),
    Opcode("avg", 0x42, 2, "basic", "cmod sat", SMALL),
    Opcode("frc", 0x43, 1, "basic", "cmod", "hf f df"),
    Opcode("rndu", 0x44, 1, "basic", "cmod sat", "hf f df"),
    Opcode("rndd", 0x45, 1, "basic", "cmod sat", "hf f df"),
    Opcode("rnde", 0x46, 1, "basic", "cmod sat", "hf f df"),
    Opcode("rndz", 0x47, 1, "basic", "cmod sat", "hf f df"),
    Opcode("mac", 0x48, 2, "basic", "cmod sat", "w uw f"),
    Opcode("mach", 0x49, 2, "basic", "cmod", "ud d"),
    Opcode("lzd", 0x4A, 1, "basic", "cmod", "ud d"),
    Opcode("fbh", 0x4B, 1, "basic", "", "ud d"),
    Opcode("fbl", 0x4C, 1, "basic", "", "ud"),
    Opcode("cbit", 0x4D, 1, "basic", "", "ub uw ud"),
    Opcode("addc", 0x4E, 2, "basic", "cmod", "ud"),
    Opcode("subb", 0x4F, 2, "basic", "cmod", "ud"),
    Opcode("sad2", 0x50, 2, "basic", "cmod sat", "ub b"),
    Opcode("sada2", 0x51, 2, "basic", "cmod sat", "ub b"),
    Opcode("dp4", 0x54, 2, "basic", "cmod sat", "f"),
    Opcode("dph", 0x55, 2, "basic", "cmod sat", "f"),
    Opcode("dp3", 0x56, 2, "basic", "cmod sat", "f"),
    Opcode("dp2", 0x57, 2, "basic", "cmod sat", "f"),
    Opcode("line", 0x59, 2, "basic", "cmod sat", "f"),
    Opcode("pln", 0x5A, 2, "basic", "cmod sat", "f"),
    Opcode("mad", 0x5B, 3, "3src", "cmod sat", "ud d hf f df"),
    Opcode("lrp", 0x5C, 3, "3src", "cmod sat", "f"),
    Opcode("madm", 0x5D, 3, "3src", "", ""),
    Opcode("nop", 0x7E, 0, "none", "", ""),
]
