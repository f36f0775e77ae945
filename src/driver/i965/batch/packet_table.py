# SPDX-License-Identifier: MIT
"""Reads the packet tables (tables/*.txt) and checks them. README.md describes their format."""
import os
import re
from dataclasses import dataclass, field

GENERATIONS = ["8", "9", "11", "12"]  # The columns.
TABLES = ["mi", "state", "pipeline", "media", "blitter"]
KINDS = {"bool", "uint", "int", "address", "float", "enum", "struct"}


@dataclass
class Place:
    """Where a field is in one generation, in bits from the start of the packet or structure."""

    start: int
    width: int
    stride: int  # Bits between the elements of an array.


@dataclass
class Field:
    name: str
    kind: str  # One of KINDS, "ufixed" or "sfixed".
    arg: str  # The name of the enumeration or structure.
    fraction: int  # Fraction bits of a fixed-point field.
    count: int  # Elements of an array, the capacity if it is variable, or 1.
    variable: bool
    places: list  # A Place or None per generation.

    @property
    def identifier(self):
        return identifier(self.name)

    @property
    def c_type(self):
        """The type of the member in the C struct."""
        if self.kind == "struct":
            return "struct " + c_name(self.arg)
        if self.kind in ("float", "ufixed", "sfixed"):
            return "float"
        if self.kind == "uint" and max(p.width for p in self.places if p) > 32:
            return "uint64_t"
        return {"bool": "bool", "uint": "uint32_t", "enum": "uint32_t", "int": "int32_t", "address": "uint64_t"}[self.kind]


@dataclass
class Layout:
    """A packet or a structure."""

    name: str
    is_packet: bool
    opcode: int = 0
    mask: int = 0
    length_bits: int = 8
    lengths: list = None  # Dwords per generation, 0 where the packet doesn't exist.
    unit: int = 0  # Dwords that a variable packet grows by, 0 for a fixed length.
    fields: list = field(default_factory=list)

    @property
    def identifier(self):
        return identifier(self.name)


def identifier(name):
    """Returns the C identifier for a name in the manuals' spelling, in lower case."""
    result = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return "_" + result if result[0].isdigit() else result


def c_name(name):
    """Returns the name of the C struct, or in upper case of the constant, of a packet or structure."""
    return "i965_" + identifier(name).lstrip("_")


def parse_place(text):
    if text == "-":
        return None
    match = re.fullmatch(r"(\d+):(\d+)(?:-(\d+))?(?:/(\d+))?", text)
    if not match:
        raise ValueError(f"malformed position '{text}'")
    dword, high, low, stride = (int(x) if x else None for x in match.groups())
    low = high if low is None else low
    if low > high:
        raise ValueError(f"position '{text}' has its low bit first")
    return Place(dword * 32 + low, high - low + 1, stride or 0)


def parse_field(line, layout):
    match = re.fullmatch(r"    (.+?)\s+(bool|uint|int|address|float|[us]\d+\.\d+|(?:enum|struct) \w+)\s+([-\d:/ ]+)", line)
    if not match:
        raise ValueError("malformed field")
    name, kind, columns = match.groups()
    columns = columns.split()
    places = [parse_place(c) for c in columns]
    if len(places) == 1:
        places = [places[0] if not layout.lengths or layout.lengths[g] else None for g in range(len(GENERATIONS))]
    if len(places) != len(GENERATIONS):
        raise ValueError("a field needs one position, or one per generation")
    arg, fraction, count, variable = "", 0, 1, False
    if kind[0] in "us" and "." in kind:
        fraction = int(kind.split(".")[1])
        kind = "ufixed" if kind[0] == "u" else "sfixed"
    elif " " in kind:
        kind, arg = kind.split()
    array = re.fullmatch(r"(.*[^ ])\[(n<=)?(\d+)\]", name)
    if array:
        name, variable, count = array[1], bool(array[2]), int(array[3])
    return Field(name, kind, arg, fraction, count, variable, places)


def parse_header(line):
    words = line.split()
    layout = Layout(words[1], words[0] == "packet")
    if not layout.is_packet:
        layout.lengths = [int(words[3]) for _ in GENERATIONS]  # In bits.
        return layout
    kind, rest = ("3d", words[2:]) if words[2].startswith("0x") else (words[2], words[3:])
    opcode = int(rest[0], 16)
    shift, layout.mask = {"3d": (16, 0xFFFF0000), "mi": (23, 0xFF800000), "blt": (22, 0xFFC00000)}[kind]
    layout.opcode = opcode << shift | (2 << 29 if kind == "blt" else 0)
    options = re.split(r"\b(length-bits|length|match|gens) ", " ".join(rest[1:]))[1:]
    options = dict(zip(options[::2], (o.split() for o in options[1::2])))
    lengths = options["length"]
    if "n" in lengths[0]:
        base, unit = re.fullmatch(r"(\d+)\+(\d+)n", lengths[0]).groups()
        gens = options.get("gens", GENERATIONS)
        layout.lengths = [int(base) if g in gens else 0 for g in GENERATIONS]
        layout.unit = int(unit)
    else:
        lengths = lengths * len(GENERATIONS) if len(lengths) == 1 else lengths
        layout.lengths = [0 if x == "-" else int(x) for x in lengths]
    layout.length_bits = int(options.get("length-bits", ["8"])[0])
    if layout.unit == 0 and max(layout.lengths) == 1:
        layout.length_bits = 0
    if "match" in options:
        bit = 1 << parse_place(options["match"][0]).start
        layout.mask |= bit
        layout.opcode |= bit
    return layout


def read_layouts(path):
    layouts = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            try:
                if line.startswith(("packet ", "struct ")):
                    layouts.append(parse_header(line))
                elif line.startswith("    "):
                    layouts[-1].fields.append(parse_field(line, layouts[-1]))
                elif line and not line.startswith("#"):
                    raise ValueError("malformed line")
            except (ValueError, KeyError, IndexError) as error:
                raise SystemExit(f"{path}:{number}: {error}") from error
    return layouts


def read_enums(path):
    enums = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("enum "):
                values = enums[line.split()[1]] = {}
            elif line.startswith("    "):
                value, name = line.split(maxsplit=1)
                values[int(value)] = name.strip()
    return enums


def check(layouts, enums):
    """Ends the program if a field is outside its packet, has an unknown type or a name twice."""
    names = {l.name for l in layouts}
    for layout in layouts:
        seen = {}
        for f in layout.fields:
            where = f"{layout.name}, {f.name}"
            other = seen.setdefault(f.identifier, f)
            if other is not f and any(a and b for a, b in zip(f.places, other.places)):
                raise SystemExit(f"{where}: name used twice")
            if (f.c_type, f.count) != (other.c_type, other.count):
                raise SystemExit(f"{where}: has two C types")
            if f.kind == "enum" and f.arg not in enums or f.kind == "struct" and f.arg not in names:
                raise SystemExit(f"{where}: unknown {f.kind} {f.arg}")
            for g, place in enumerate(f.places):
                if not place:
                    continue
                last = place.start + place.width + (f.count - 1) * place.stride
                size = layout.lengths[g] * (32 if layout.is_packet else 1)
                if not f.variable and f.kind != "struct" and last > size:
                    raise SystemExit(f"{where}: outside of the {size} bits of generation {GENERATIONS[g]}")
                if f.kind != "struct" and place.start // 32 != (place.start + place.width - 1) // 32 and place.width > 64:
                    raise SystemExit(f"{where}: more than 64 bits")


def read(directory):
    """Returns (structures, packets, enums). Structures precede the structures that contain them."""
    directory = os.path.join(directory, "tables")
    enums = read_enums(os.path.join(directory, "enums.txt"))
    structs = read_layouts(os.path.join(directory, "structures.txt"))
    packets = [p for t in TABLES for p in read_layouts(os.path.join(directory, t + ".txt"))]
    check(structs + packets, enums)
    return structs, packets, enums
