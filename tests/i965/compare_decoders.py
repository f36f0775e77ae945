#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the packets and fields that indium-compile --decode and another decoder print.

usage: compare_decoders.py OURS THEIRS [PACKET…]

OURS is the output of indium-compile --decode. THEIRS is the output of Mesa's decoder (INTEL_DEBUG=bat) for
the same batch. PACKETs are not compared: Mesa misplaces the fields of MI_LOAD_REGISTER_IMM on Gen8 and the
mask of 3DSTATE_3D_MODE on Gen11. Prints each difference and a count. Exit status: 0 if all packets and fields agree."""
import collections
import re
import sys

MASK = 0xFFFFFFFFFFFF
# Spellings that differ on purpose.
RENAMED = {"Display Plnae 1 A Scan Line Wait Enable": "Display Plane 1 A Scan Line Wait Enable", "Scoredboard Y": "Scoreboard Y"}
# Another view of fields that are printed as well, or part of the header. Mesa prints the offsets of gather
# entries in odd halves of a dword 65,536 times too large.
SKIPPED = re.compile(r"DWord Length|Length$|Vertex Element Enables DW|Constant Buffer Offset")


def value(text):
    """Returns a number for a printed value, or the text."""
    text = text.strip()
    if text in ("true", "false"):
        return int(text == "true")
    match = re.match(r"(-?\d+) \(.*\)$", text)
    if match:
        return int(match[1])
    try:
        return int(text, 0)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def same(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return str(a) == str(b)
    if isinstance(a, float) or isinstance(b, float):
        return a == b or a != a and b != b or abs(a - b) <= 1e-6 + 1e-5 * abs(b)
    return a == b or (a ^ b) & MASK == 0 and (a | b) > 0xFFFFFFFF or a == b & 0xFFFFFFFF


def base(name):
    name = re.sub(r"\s*\[(\d+)\]$", "", RENAMED.get(name, name).strip())
    return re.sub(r"Sample\d+", "Sample", name)


def read_ours(path):
    """Returns [(address, packet, {field: [values]})]."""
    packets = []
    fields = None
    for line in open(path, errors="replace"):
        match = re.match(r"(0x[0-9a-f]+|0): ([0-9a-f]{8}) (\S+)", line)
        if match:
            fields = collections.defaultdict(list)
            packets.append((int(match[1], 16) & MASK, match[3], fields))
            continue
        if line.startswith("  ") and not line.startswith("    "):
            fields = None
        match = re.match(r" {4,}(\S.*?): (.*)$", line)
        if match and fields is not None and match[1] != "error":
            if not re.fullmatch(r"[A-Z0-9]*[A-Z]+[A-Z0-9]*_[A-Z0-9_]*", match[2]):
                fields[base(match[1])].append(value(match[2]))
    return packets


def read_theirs(path):
    packets = []
    fields = None
    for line in open(path, errors="replace"):
        match = re.match(r"0x([0-9a-f]+):  0x([0-9a-f]{8}):  (\S+)", line)
        if match:
            start = int(match[1], 16)
            fields = collections.defaultdict(list)
            packets.append((start & MASK, match[3], fields))
            continue
        match = re.match(r"0x([0-9a-f]+):  0x[0-9a-f]+ : Dword", line)
        if match:
            if fields is not None and not 0 <= int(match[1], 16) - start < 4096:
                fields = None
            continue
        match = re.match(r"    (\S.*?): (.*)$", line)
        if match and fields is not None:
            if not SKIPPED.match(match[1]) and not match[2].startswith("<struct"):
                fields[base(match[1])].append(value(match[2]))
        elif not line.startswith(" "):
            fields = None
    return packets


def compare(got, expected):
    """Yields a text for each field whose values differ."""
    for field, values in expected.items():
        found = got.get(field, [])
        if len(found) < len(values) or not all(same(a, b) for a, b in zip(found, values)):
            yield f"{field}: {found[:4]} instead of {values[:4]}"


def main():
    ours = collections.defaultdict(list)  # An address may have another packet in the next batch.
    for address, name, fields in read_ours(sys.argv[1]):
        ours[address, name].append(fields)
    known = {address for address, _ in ours}  # Mesa also prints the batch that jumps to this one.
    theirs = read_theirs(sys.argv[2])
    packets = fields = 0
    differences = collections.Counter()
    for address, name, expected in theirs:
        if name in sys.argv[3:] or not name.startswith("3D") and address not in known:
            continue
        candidates = ours[address, name]
        if name.startswith("3DPRIMITIVE"):  # Mesa has one name for both lengths.
            candidates = candidates + ours[address, "3DPRIMITIVE"] + ours[address, "3DPRIMITIVE_EXTENDED"]
            expected = {k: v for k, v in expected.items() if not k.startswith("Extended")}
        if not candidates:
            differences[f"{name}: not decoded"] += 1
            continue
        packets += 1
        fields += sum(map(len, expected.values()))
        best = min((list(compare(got, expected)) for got in candidates), key=len)
        differences.update(f"{name}: {text}" for text in best)
    for text, count in differences.most_common(60):
        print(f"{count:5} {text}")
    print(f"{packets} packets, {fields} fields compared, {sum(differences.values())} differences")
    return 1 if differences or not packets else 0


sys.exit(main())
