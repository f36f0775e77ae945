# SPDX-License-Identifier: MIT
"""Writes gl_enums.h, which defines every enumerant of the registry."""

import sys

from gl_registry import Registry

registry = Registry(sys.argv[1])
with open(sys.argv[2], 'w') as f:
    f.write('/* Generated from gl.xml by gl_enums_h.py. */\n#ifndef GL_ENUMS_H\n#define GL_ENUMS_H\n\n')
    for name, value in registry.enums.items():
        f.write(f'#define {name} {value}\n')
    f.write('\n#endif\n')
