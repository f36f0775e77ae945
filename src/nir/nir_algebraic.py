# SPDX-License-Identifier: MIT
"""
Compiles lists of algebraic rules to C passes.

A rule is (search, replacement) or (search, replacement, option). An expression is a tuple
("op", source, …):
  "op" matches the opcode with any bit size; "op@32" only 32-bit results.
  "~op" doesn't match exact instructions: the rule may change the last bits of the result.
  "!op" in a replacement makes an exact instruction.
A source is an expression, a number (a Python float, int or bool) or a variable:
  "a" matches any value; a second "a" must be the same value.
  "#a" matches a constant, "a@32" a 32-bit value.
  "a(cond)" matches if the condition of nir_search_helpers.h holds.
option is a field of nir_shader_compiler_options that must be true; "!" negates it. Constants in a
replacement get the bit size that their position requires.
"""
import re

from mako.template import Template
from nir_opcodes import COMMUTATIVE, opcodes

MAX_COMMUTATIVE = 4
VARIABLE = re.compile(r"^(#?)([a-z])(?:@(\d+))?(?:\((\w+)\))?$")


class Table:
    def __init__(self):
        self.values = []
        self.index = {}
        self.conds = []
        self.options = []

    def number(self, names, name):
        if not name:
            return 0
        if name not in names:
            names.append(name)
        return names.index(name) + 1

    def add(self, fields):
        text = ", ".join(f".{k} = {v}" for k, v in fields.items())
        if text not in self.index:
            self.index[text] = len(self.values)
            self.values.append(text)
        return self.index[text]


def parse_op(text):
    mark = text[0] if text[0] in "~!" else ""
    name, _, size = text.removeprefix(mark).partition("@")
    return name, mark, int(size) if size else 0


class Rule:
    def __init__(self, table, rule):
        search, replace, *option = rule
        self.table = table
        self.text = repr(rule)
        self.variables = {}
        self.num_commutative = 0
        self.option = table.number(table.options, option[0] if option else None)
        self.op = parse_op(search[0])[0]
        self.search = self.value(search, searching=True)
        names = [VARIABLE.match(s).group(2) if isinstance(s, str) else None for s in search[1:3]]
        self.same = len(names) == 2 and names[0] is not None and names[0] == names[1]
        self.swap = self.num_commutative > 0 and COMMUTATIVE in opcodes[self.op].properties \
            and not self.same and search[1] != search[2]
        self.needs = ([self.need(s) for s in search[1:4]] + ["0"] * 3)[:3]
        bound = set(self.variables)
        self.replace = self.value(replace, searching=False)
        assert set(self.variables) == bound, f"unbound variable in {self.text}"

    @staticmethod
    def need(v):
        """Returns the requirement on a source of the root, checked before the pattern is tried."""
        if isinstance(v, tuple):
            return f"nir_op_{parse_op(v[0])[0]} + 1"
        if isinstance(v, str) and not v.startswith("#"):
            return "0"
        return "NIR_SEARCH_CONSTANT"

    def value(self, v, searching):
        if isinstance(v, tuple):
            return self.expression(v, searching)
        if isinstance(v, str):
            return self.variable(v, searching)
        return self.constant(v)

    def expression(self, v, searching):
        name, mark, size = parse_op(v[0])
        assert mark != ("!" if searching else "~"), f"{v[0]} in {self.text}"
        op = opcodes[name]
        assert op.per_component and not any(op.input_sizes), f"{name} in {self.text}"
        assert len(v) - 1 == op.num_inputs <= 4, f"sources of {name} in {self.text}"
        commutative = -1
        # Sources that are equal patterns need not be swapped.
        if (searching and COMMUTATIVE in op.properties and v[1] != v[2]
                and self.num_commutative < MAX_COMMUTATIVE):
            commutative = self.num_commutative
            self.num_commutative += 1
        srcs = [self.value(s, searching) for s in v[1:]]
        return self.table.add({
            "type": "nir_search_expression", "op": f"nir_op_{name}",
            "inexact": "true" if mark == "~" else "false",
            "exact": "true" if mark == "!" else "false", "bit_size": size,
            "commutative": commutative, "srcs": "{" + ", ".join(map(str, srcs)) + "}",
        })

    def variable(self, v, searching):
        m = VARIABLE.match(v)
        assert m, f"variable {v} in {self.text}"
        constant, name, size, cond = m.groups()
        number = self.variables.setdefault(name, len(self.variables))
        assert number < 8
        return self.table.add({
            "type": "nir_search_variable", "variable": number, "bit_size": size or 0,
            "must_be_constant": "true" if constant and searching else "false",
            "cond": self.table.number(self.table.conds, cond) if searching else 0,
        })

    def constant(self, v):
        if isinstance(v, bool):
            return self.table.add({"type": "nir_search_constant", "const_type": "nir_type_bool",
                                   "data": f"{{.i = {int(v)}}}"})
        if isinstance(v, int):
            return self.table.add({"type": "nir_search_constant", "const_type": "nir_type_int",
                                   "data": f"{{.i = {v}ll}}"})
        return self.table.add({"type": "nir_search_constant", "const_type": "nir_type_float",
                               "data": f"{{.f = {v.hex()}}}"})


TEMPLATE = """\
/* SPDX-License-Identifier: MIT */
/* Generated by nir_opt_algebraic.py. */
#include "nir_search.h"
#include "nir_search_helpers.h"

% for name, table, rules, first in passes:
static const struct nir_search_value ${name}_values[] = {
% for v in table.values:
    {${v}},
% endfor
};

static const nir_search_cond ${name}_conds[] = {
% for c in table.conds:
    ${c},
% endfor
    NULL,
};

static const struct nir_search_rule ${name}_rules[] = {
% for r in rules:
    /* ${r.text} */
    {${' | '.join(f'NIR_SEARCH_BIT({n})' for n in r.needs)},
     ${r.search}, ${r.replace}, ${r.option}, ${r.num_commutative}, ${len(r.variables)},
     ${'true' if r.swap else 'false'}, ${'true' if r.same else 'false'}, {${', '.join(r.needs)}}},
% endfor
};

static const uint16_t ${name}_first[nir_num_opcodes + 1] = {
    ${", ".join(map(str, first))},
};

bool ${name}(nir_shader *shader)
{
    const bool options[] = {
% for o in table.options:
        ${("!" if o.startswith("!") else "") + "(shader->options && shader->options->" + o.lstrip("!") + ")"},
% endfor
        true,
    };
    static const struct nir_search_table table = {
        .values = ${name}_values,
        .rules = ${name}_rules,
        .conds = ${name}_conds,
        .first_rule = ${name}_first,
    };
    bool progress = false;
    nir_foreach_function_impl(impl, shader)
        progress |= nir_search_impl(impl, &table, options);
    return progress;
}

% endfor
"""


def write_passes(path, passes):
    """Writes the C file. passes: list of (function name, rules)."""
    rendered = []
    order = {name: i for i, name in enumerate(opcodes)}
    for name, rules in passes:
        table = Table()
        parsed = sorted((Rule(table, r) for r in rules), key=lambda r: order[r.op])
        first = [sum(order[r.op] < i for r in parsed) for i in range(len(order) + 1)]
        rendered.append((name, table, parsed, first))
    with open(path, "w", encoding="utf-8") as f:
        f.write(Template(TEMPLATE).render(passes=rendered))
