# SPDX-License-Identifier: MIT
"""check_iga.py EU_CORPUS SEEDS: random instructions against iga64, Intel's assembler.

Our bytes must be disassembled by it without an error, to what our disassembler says; assembled from
our text they must be the same bytes; compacted they must mean the same. Exit code 77: no iga64.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from iga import assemble, compare, iga, labels, lines, same_bytes


def check(corpus, seed, count, folder):
    native, text, small = (folder / n for n in ("native.bin", "text.asm", "small.bin"))
    subprocess.run([corpus, str(seed), str(count), native, text, small], check=True)
    ours = lines(text.read_text())
    theirs = iga("-d", native)
    compare(f"seed {seed}: text", ours, lines(theirs))
    # random regions break rules of which iga64 warns
    again = assemble(text.read_text(), count * 16, folder, warnings=False)
    same_bytes(f"seed {seed}", native.read_bytes(), again, ours)
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
