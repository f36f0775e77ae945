# SPDX-License-Identifier: MIT
"""The list of rows for gl_state_table.py, and functions that append to it.

A row has a change of one piece of state, and its inverse. Both are run several times, the inverse
also when nothing was changed. What both pictures have in common is the setup.
"""
COMPAT, CORE, ES = 'COMPAT', 'CORE', 'ES'
DESKTOP = COMPAT + ' | ' + CORE
ALL = DESKTOP + ' | ' + ES

OBJECT = 'NO_ATTRIB | NO_LIST'  # state of objects, which neither lists nor attribute stacks hold
PROGRAM = 'NO_ATTRIB'  # uniforms and programs: commands that lists hold
DATA = OBJECT

rows = []


def row(name, apis, change, back, setup='', draw='draw_mesh', finish='nothing', flags='0'):
    rows.append((name, apis, change, back, setup, draw, finish, flags))


def switch(name, apis, cap, **more):
    """glEnable, and the reverse row."""
    row(name, apis, f'glEnable({cap});', f'glDisable({cap});', **more)


def each(name, apis, call, first, values, **more):
    """A row for each other argument of the same call."""
    for value in values:
        suffix = value.lower().removeprefix('gl_').replace('_', '-')
        row(f'{name}-{suffix}', apis, call % value, call % first, **more)
