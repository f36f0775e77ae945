#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares the encodings of AArch64 instructions that a program prints (test_a64.c) with those of
an assembler. Usage: check_a64.py PROGRAM. Exits with 77, skipped, if there is no assembler."""
import os
import shutil
import subprocess
import sys
import tempfile

PREFIX = "aarch64-linux-gnu-"


def assemble(lines):
    """Returns the words of the assembled instructions."""
    with tempfile.TemporaryDirectory() as folder:
        source, code, words = (os.path.join(folder, name) for name in ("a.s", "a.o", "a.bin"))
        with open(source, "w", encoding="ascii") as file:
            file.write("".join(f"\t{line}\n" for line in lines))
        # --no-warn: some pairs of registers are unpredictable, but encodable
        subprocess.run([PREFIX + "as", "--no-warn", "-o", code, source], check=True)
        subprocess.run([PREFIX + "objcopy", "-O", "binary", "-j", ".text", code, words], check=True)
        with open(words, "rb") as file:
            data = file.read()
    return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]


def main():
    if not shutil.which(PREFIX + "as"):
        return 77
    output = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
    ours, lines = zip(*(line.split(" ", 1) for line in output.splitlines()))
    words = assemble(lines)
    wrong = [f"{line}: {our}, not {word:08x}"
             for our, line, word in zip(ours, lines, words) if int(our, 16) != word]
    print("\n".join(wrong[:20]))
    print(f"{len(lines)} instructions, {len(wrong)} wrong")
    return 1 if wrong or len(words) != len(lines) else 0


if __name__ == "__main__":
    sys.exit(main())
