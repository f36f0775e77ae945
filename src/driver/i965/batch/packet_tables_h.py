# SPDX-License-Identifier: MIT
"""Generates i965_packet_tables.h: descriptions of all packets, structures, fields and enumerations."""
import os
import sys

from mako.template import Template

import packet_table

TEMPLATE = Template("""\
/* SPDX-License-Identifier: MIT */
/* Made by packet_tables_h.py from tables/. Included once, by packet_layout.c. */

% for name, values in enums.items():
static const struct i965_enum_value enum_${name.lower()}[] = {
% for value, text in sorted(values.items()):
    {${value}, "${text}"},
% endfor
};
% endfor
% for l in layouts:
% if l.fields:

static const struct i965_field fields_${c_name(l.name)}[] = {
% for f in l.fields:
    {"${f.name}", I965_FIELD_${f.kind.upper()}, ${f.fraction}, ${str(f.variable).lower()}, ${f.count},
     offsetof(struct ${c_name(l.name)}, ${f.identifier}),
     sizeof((${"(struct " + c_name(l.name) + " *)0)->" + f.identifier}${"[0]" if f.count > 1 else ""}),
     ${f"offsetof(struct {c_name(l.name)}, num_{f.identifier})" if f.variable else 0},
     ${c_name(f.arg).upper() if f.kind == "struct" else 0},
     ${f"enum_{f.arg.lower()}, ARRAY_SIZE(enum_{f.arg.lower()})" if f.kind == "enum" else "NULL, 0"},
     {${", ".join("{%d, %d, %d}" % (p.start, width(f, g), p.stride) if p else "{-1, 0, 0}" for g, p in enumerate(f.places))}}},
% endfor
};
% endif
% endfor

static const struct i965_layout layouts[I965_LAYOUT_COUNT] = {
% for l in layouts:
    [${c_name(l.name).upper()}] = {"${l.name}", ${f"{l.opcode:#010x}"}, ${f"{l.mask:#010x}"}, ${l.length_bits}, ${l.unit},
        {${", ".join(map(str, l.lengths if l.is_packet else [(b + 31) // 32 for b in l.lengths]))}},
        ${l.lengths[1] if not l.is_packet else 0}, sizeof(struct ${c_name(l.name)}),
        ${f"fields_{c_name(l.name)}, ARRAY_SIZE(fields_{c_name(l.name)})" if l.fields else "NULL, 0"}},
% endfor
};
""")

structs, packets, enums = packet_table.read(os.path.dirname(os.path.abspath(__file__)))
bits = {s.name: s.lengths[1] for s in structs}


def width(f, generation):
    """Returns the width of a field in bits; that of a structure is in the structure's row."""
    return bits[f.arg] if f.kind == "struct" else f.places[generation].width


with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write(TEMPLATE.render(layouts=structs + packets, enums=enums, width=width, c_name=packet_table.c_name))
