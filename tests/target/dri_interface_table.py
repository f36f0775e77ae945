# SPDX-License-Identifier: MIT
"""Generates the rows of test_dri_interface.c from our declarations of the DRI interface.

Arguments: dri_interface.h, output file.
"""
import re
import sys


def main(header_path, out_path):
    with open(header_path, encoding='utf-8') as f:
        text = re.sub(r'/\*.*?\*/', '', f.read(), flags=re.S)
    rows = [f'STRING({name})' for name in re.findall(r'#define (__DRI\w+) +"', text)]
    for body in re.findall(r'\benum\b[^{;]*\{(.*?)\}', text, re.S):
        rows += [f'VALUE({name})' for name in re.findall(r'\b__[A-Z]\w+', body)]
    for struct, body in re.findall(r'\bstruct (\w+) \{(.*?)\n\}', text, re.S):
        # A member is the last name of a declaration, or the name of a function pointer.
        for member in body.split(';')[:-1]:
            name = re.search(r'\(\*(\w+)\)', member) or re.search(r'(\w+)\s*$', member)
            rows.append(f'MEMBER({struct}, {name[1]})')
    with open(out_path, 'w', encoding='utf-8') as out:
        out.write(''.join(row + '\n' for row in rows))


main(*sys.argv[1:])
