# SPDX-License-Identifier: MIT
"""Runs iga64, Intel's assembler and disassembler, and compares its output with ours."""
import functools
import re
import struct
import subprocess
import sys


PLATFORMS = {"bdw": "8", "skl": "9", "icl": "11", "tgl": "12p1"}  # arguments of -p by target


def iga(target, *args, warnings=True):
    """Runs iga64 and returns its output. Exits on an error, and with `warnings` also on a warning."""
    result = subprocess.run(["iga64", f"-p={PLATFORMS[target]}", *map(str, args)], capture_output=True,
                            text=True)
    words = ("error", "warning") if warnings else ("error",)
    said = [l for l in (result.stdout + result.stderr).split("\n")
            if any(w in l.lower() for w in words)]
    if result.returncode or said or (warnings and result.stderr.strip()):
        sys.exit(f"iga64 {args}: {result.stderr or said or result.stdout}")
    return result.stdout


def number(match):
    """Replaces a float immediate by its bits."""
    text, kind = match.groups()
    if text.startswith("0x"):
        return f"{int(text, 16):#x}:{kind}"
    code = {"f": ("<f", "<I"), "hf": ("<e", "<H"), "df": ("<d", "<Q")}[kind]
    return f"{struct.unpack(code[1], struct.pack(code[0], float(text)))[0]:#x}:{kind}"


@functools.lru_cache(maxsize=1 << 18)
def normalize(line):
    """Removes comments, the instruction's offset, and the compaction mark."""
    line = re.sub(r"//.*", "", line)
    line = re.sub(r"^L\d+\s*:?", "", line)
    line = re.sub(r",?Compacted,?", lambda m: "," if m.group().count(",") == 2 else "", line)
    line = line.replace("{}", "")
    line = re.sub(r"(0x[0-9A-Fa-f]+|-?\d+\.?\d*(?:e[-+]?\d+)?|-?inf):(f|hf|df)\b", number, line)
    return re.sub(r"\s+", " ", line).strip()


def lines(text):
    return [l for l in map(normalize, text.split("\n")) if l]


def labels(text, places):
    """Replaces the byte offsets in labels by instruction indices."""
    return re.sub(r"\bL(-?\d+)\b", lambda m: f"#{places.get(int(m.group(1)), m.group(1))}", text)


def compare(what, ours, theirs):
    if len(ours) != len(theirs):
        sys.exit(f"{what}: {len(ours)} and {len(theirs)} instructions")
    different = [(a, b) for a, b in zip(ours, theirs) if a != b]
    for a, b in different[:8]:
        print(f"{what} differs\n  ours   {a}\n  iga64  {b}")
    if different:
        sys.exit(1)


def assemble(target, text, size, folder, warnings=True):
    """Assembles our text of a native program of that size with iga64 and returns the bytes."""
    source, binary = folder / "source.asm", folder / "again.bin"
    source.write_text("\n".join(re.sub(r"^(L\d+)\s+", r"\1:\n", l)
                                for l in text.split("\n")) + f"\nL{size}:\n")
    iga(target, "-a", source, "-o", binary, warnings=warnings)
    return binary.read_bytes()


def same_bytes(what, ours, theirs, text):
    """Exits unless both are equal. text has our lines, one per 16 bytes."""
    for i in range(0, max(len(ours), len(theirs)), 16):
        if ours[i:i + 16] != theirs[i:i + 16]:
            sys.exit(f"{what}: bytes of {text[i // 16]}\n  ours   {ours[i:i + 16].hex()}\n"
                     f"  iga64  {theirs[i:i + 16].hex()}")
