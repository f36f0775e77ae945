# SPDX-License-Identifier: MIT
"""check_iga.py EU_CORPUS SEEDS: compares random instructions with iga64, Intel's assembler.

iga64 must disassemble our bytes without an error to the text of our disassembler. It must assemble
that text to the same bytes. The compacted form must disassemble to the same text. Exit code 77:
iga64 is not installed.
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
    # Some random regions violate rules, for which iga64 prints warnings.
    again = assemble(text.read_text(), count * 16, folder, warnings=False)
    same_bytes(f"seed {seed}", native.read_bytes(), again, ours)
    # The compacted form.
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
