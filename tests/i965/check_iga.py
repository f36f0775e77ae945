# SPDX-License-Identifier: MIT
"""check_iga.py EU_CORPUS SEEDS TARGET…: compares random instructions of each target with iga64, Intel's
assembler.

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


def check(corpus, target, seed, count, folder):
    native, text, small = (folder / n for n in ("native.bin", "text.asm", "small.bin"))
    subprocess.run([corpus, target, str(seed), str(count), native, text, small], check=True)
    ours = lines(text.read_text())
    theirs = iga(target, "-d", native)
    compare(f"{target} seed {seed}: text", ours, lines(theirs))
    # Some random regions violate rules, for which iga64 prints warnings.
    again = assemble(target, text.read_text(), count * 16, folder, warnings=False)
    same_bytes(f"{target} seed {seed}", native.read_bytes(), again, ours)
    # The compacted form.
    data, offset, places = small.read_bytes(), 0, {}
    while offset < len(data):
        places[offset] = len(places)
        offset += 8 if data[offset + 3] & 0x20 else 16
    places[offset] = len(places)
    compacted = lines(labels(iga(target, "-d", small), places))
    compacted = [re.sub(r"^#\d+ ?:?", "", l).strip() for l in compacted]
    native_places = {i * 16: i for i in range(count + 1)}
    compare(f"{target} seed {seed}: compacted", [labels(l, native_places) for l in ours],
            [l for l in compacted if l])
    return sum(1 for i in sorted(places)[:-1] if data[i + 3] & 0x20)


def main():
    if not shutil.which("iga64"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        seeds = int(sys.argv[2])
        for target in sys.argv[3:]:
            small = sum(check(sys.argv[1], target, seed, 500, pathlib.Path(folder)) for seed in range(seeds))
            print(f"{target}: {seeds * 500} instructions agree, {small} compacted")


main()
