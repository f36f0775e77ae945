# SPDX-License-Identifier: MIT
"""Generates i965_packets.h: ids, C structs and enumerations of all packets and structures."""
import os
import sys

from mako.template import Template

import packet_table

TEMPLATE = Template("""\
/* SPDX-License-Identifier: MIT */
/*
 * Packets of the command stream and structures in memory. Made by packets_h.py from tables/. A struct
 * has a member for each field of any generation, in the units of the manual: fixed-point fields are
 * floats, addresses are whole addresses.
 */
#ifndef I965_PACKETS_H
#define I965_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

/* Identifies a packet or a structure. */
enum i965_layout_id {
% for l in layouts:
    ${c_name(l.name).upper()},
% endfor
    I965_LAYOUT_COUNT,
};
% for name, values in enums.items():

enum i965_${name.lower()} {
% for label, value in labels(name, values):
    ${label} = ${value},
% endfor
};
% endfor
% for l in layouts:

struct ${c_name(l.name)} {
% for f in members(l):
% if f.variable:
    uint32_t num_${f.identifier}; /* Elements used of the next member. */
% endif
    ${f.c_type} ${f.identifier}${f"[{f.count}]" if f.count > 1 else ""};
% endfor
% if not l.fields:
    uint32_t unused; /* The packet has no fields. */
% endif
};
% endfor

#endif
""")


def labels(name, values):
    """Yields the constants of an enumeration. Equal names get the value as a suffix."""
    seen = set()
    for value, text in sorted(values.items()):
        label = f"I965_{name}_{packet_table.identifier(text).lstrip('_')}".upper()
        label = f"{label}_{value}" if label in seen else label
        seen.add(label)
        yield label, value


def members(layout):
    """Yields one field for each member of the C struct."""
    seen = set()
    for f in layout.fields:
        if f.identifier not in seen:
            seen.add(f.identifier)
            yield f


structs, packets, enums = packet_table.read(os.path.dirname(os.path.abspath(__file__)))
with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write(
        TEMPLATE.render(layouts=structs + packets, enums=enums, labels=labels, members=members, c_name=packet_table.c_name)
    )
