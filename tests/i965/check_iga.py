# SPDX-License-Identifier: MIT
"""check_iga.py EU_CORPUS SEEDS: random instructions against iga64, Intel's assembler.

Our bytes must be disassembled by it without an error, to what our disassembler says; assembled from
our text they must be the same bytes; compacted they must mean the same. Exit code 77: no iga64.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile


def iga(*args):
    result = subprocess.run(["iga64", "-p=9", *map(str, args)], capture_output=True, text=True)
    errors = [l for l in (result.stdout + result.stderr).split("\n") if "error" in l]
    if result.returncode or errors:
        sys.exit(f"iga64 {args}: {result.stderr or result.stdout}")
    return result.stdout


def number(match):
    """A float immediate as its bits."""
    text, kind = match.groups()
    if text.startswith("0x"):
        return f"{int(text, 16):#x}:{kind}"
    code = {"f": ("<f", "<I"), "hf": ("<e", "<H"), "df": ("<d", "<Q")}[kind]
    return f"{struct.unpack(code[1], struct.pack(code[0], float(text)))[0]:#x}:{kind}"


def normalize(line):
    line = re.sub(r"//.*", "", line)
    line = re.sub(r"^L\d+\s*:?", "", line)
    line = re.sub(r",?Compacted,?", lambda m: "," if m.group().count(",") == 2 else "", line)
    line = line.replace("{}", "")
    line = re.sub(r"(0x[0-9A-Fa-f]+|-?\d+\.?\d*(?:e[-+]?\d+)?):(f|hf|df)\b", number, line)
    return re.sub(r"\s+", " ", line).strip()


def lines(text):
    return [l for l in map(normalize, text.split("\n")) if l]


def labels(text, places):
    """Labels by instruction instead of by byte."""
    return re.sub(r"\bL(-?\d+)\b", lambda m: f"#{places.get(int(m.group(1)), m.group(1))}", text)


def compare(what, ours, theirs):
    if len(ours) != len(theirs):
        sys.exit(f"{what}: {len(ours)} and {len(theirs)} instructions")
    different = [(a, b) for a, b in zip(ours, theirs) if a != b]
    for a, b in different[:8]:
        print(f"{what} differs\n  ours   {a}\n  iga64  {b}")
    if different:
        sys.exit(1)


def check(corpus, seed, count, folder):
    native, text, small = (folder / n for n in ("native.bin", "text.asm", "small.bin"))
    subprocess.run([corpus, str(seed), str(count), native, text, small], check=True)
    ours = lines(text.read_text())
    theirs = iga("-d", native)
    compare(f"seed {seed}: text", ours, lines(theirs))
    # assembled from our own text
    source, again = folder / "source.asm", folder / "again.bin"
    source.write_text("\n".join(re.sub(r"^(L\d+)\s+", r"\1:\n", l)
                                for l in text.read_text().split("\n")) + f"\nL{count * 16}:\n")
    iga("-a", source, "-o", again)
    a, b = native.read_bytes(), again.read_bytes()
    for i in range(0, max(len(a), len(b)), 16):
        if a[i:i + 16] != b[i:i + 16]:
            sys.exit(f"seed {seed}: bytes of {ours[i // 16]}\n  ours   {a[i:i + 16].hex()}\n"
                     f"  iga64  {b[i:i + 16].hex()}")
    # compacted
    data, offset, places = small.read_bytes(), 0, {}
    while offset < len(data):
        places[offset] = len(places)
        offset += 8 if data[offset + 3] & 0x20 else 16
    places[offset] = len(places)
    compacted = lines(labels(iga("-d", small), places))
    compacted = [re.sub(r"^#\d+ ?:?", "", l).strip() for l in compacted]
    native_places = {i * 16: i for i in range(count + 1)}
    compare(f"seed {seed}: compacted", [labels(l, native_places) for l in ours],
            [l for l in compacted if l])
    return sum(1 for i in sorted(places)[:-1] if data[i + 3] & 0x20)


def main():
    if not shutil.which("iga64"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        small = 0
        seeds = int(sys.argv[2])
        for seed in range(seeds):
            small += check(sys.argv[1], seed, 500, pathlib.Path(folder))
    print(f"{seeds * 500} instructions agree, {small} compacted")


main()
