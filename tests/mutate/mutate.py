#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Applies small mutations to a copy of the tree, one at a time, and reports which ones no test notices.

usage: mutate.py --list | --all | NAME...

The copy is build/mutate/tree. Its build directory has the options of `./indium test`, so that ccache
has the objects. A mutation is killed
when one of its tests fails; if none does, all unit and API tests run. One that does not build, or
whose text is not found exactly once, is an error of the table (mutations.py). The tests that the
mutations name must pass without mutations; otherwise, the program ends. The exit code is 0 if at most
5% survive. NINJA and MESON are the commands to run; MUTATE_QUICK=1 leaves out the tests that a mutation
does not name.
"""
import argparse
import fcntl
import json
import os
import pathlib
import shlex
import subprocess
import sys

import mutations

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / 'build' / 'mutate'
TREE = WORK / 'tree'
BUILD = TREE / 'build'
NINJA = shlex.split(os.environ.get('NINJA', 'ninja'))
MESON = shlex.split(os.environ.get('MESON', 'meson'))
QUICK = os.environ.get('MUTATE_QUICK') == '1'
SUITES = {'unit', 'glsl', 'gl'}  # of the tests that run when a mutation's own find nothing
MOST_SURVIVORS = 0.05
TIMEOUTS = 8  # factor of the tests' timeouts: a busy machine must not kill a mutation


def run(command, **more):
    environment = {k: v for k, v in os.environ.items() if k != 'NINJA'}  # Meson reads it too
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=environment, **more)


def copy_tree():
    """Makes the copy equal to the working tree; files that are equal keep their times."""
    files = run(['git', 'ls-files', '-co', '--exclude-standard', '-z'], cwd=ROOT).stdout.split('\0')
    wanted = {f for f in files if f and (ROOT / f).is_file()}
    for path in [p for p in TREE.rglob('*') if p.is_file() or p.is_symlink()]:
        if not path.is_relative_to(BUILD) and str(path.relative_to(TREE)) not in wanted:
            path.unlink()
    for name in wanted:
        source, copy = ROOT / name, TREE / name
        data = source.read_bytes()
        if not copy.is_file() or copy.read_bytes() != data:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(data)
            copy.chmod(source.stat().st_mode)


def prepare():
    copy_tree()
    if not (BUILD / 'build.ninja').exists():
        setup = ['setup', str(BUILD), str(TREE), '-Dbuildtype=debugoptimized', '-Db_ndebug=true', '-Dwerror=true']
        result = run(MESON + setup)
    else:  # introspection must see changes of meson.build
        result = run(NINJA + ['-C', str(BUILD), 'build.ninja'])
    if result.returncode:
        sys.exit(result.stdout)


def introspect(what):
    return json.loads(subprocess.check_output(MESON + ['introspect', f'--{what}', str(BUILD)]))


def find_tests():
    """Tests by the name of their executables: {name: [(test's name, targets)]}, and those of SUITES."""
    files = {t['id']: t['filename'] for t in introspect('targets')}
    by_program, common = {}, []
    for test in introspect('tests'):
        program = pathlib.Path(test['cmd'][0])
        if not program.is_relative_to(BUILD):
            continue
        needed = [file for target in test['depends'] for file in files[target]]
        entry = (test['name'], tuple(str(pathlib.Path(file).relative_to(BUILD)) for file in needed))
        by_program.setdefault(program.name, []).append(entry)
        if SUITES & {s.split(':')[-1] for s in test['suite']}:
            common.append(entry)
    return by_program, common


def passes(tests):
    """Builds tests and runs them until one fails. Returns None if all pass, else what failed; False: it does not
    build."""
    targets = sorted({target for _, needed in tests for target in needed})
    built = run(NINJA + ['-C', str(BUILD)] + targets)
    if built.returncode:
        print(built.stdout[-2000:])
        return False
    names = sorted({name for name, _ in tests})
    ran = run(MESON + ['test', '-C', str(BUILD), '--no-rebuild', '--maxfail=1', f'--timeout-multiplier={TIMEOUTS}']
              + names)
    if not ran.returncode:
        return None
    failed = [line for line in ran.stdout.splitlines() if 'FAIL' in line or 'TIMEOUT' in line]
    return failed[0].strip() if failed else 'a test'


def check(mutation, by_program, common):
    """Returns one of 'killed', 'survives', 'error', and a text."""
    path = TREE / mutation.file
    text = path.read_text() if path.exists() else ''
    if text.count(mutation.find) != 1:
        return 'error', f'the text occurs {text.count(mutation.find)} times in {mutation.file}'
    unknown = [t for t in mutation.tests if t not in by_program]
    if unknown:
        return 'error', f'no test {unknown[0]}'
    path.write_text(text.replace(mutation.find, mutation.replace))
    try:
        own = [entry for t in mutation.tests for entry in by_program[t]]
        result = passes(own) if own else None
        if result is None and not QUICK:
            result = passes(common)
    finally:
        path.write_text(text)
    if result is False:
        return 'error', 'it does not build'
    return ('survives', mutation.description) if result is None else ('killed', result)


def check_all(chosen):
    prepare()
    by_program, common = find_tests()
    failed = passes({entry for m in chosen for t in m.tests for entry in by_program.get(t, ())})
    if failed is not None:
        sys.exit(f'without mutations: {failed or "it does not build"}')
    count = {'killed': 0, 'survives': 0, 'error': 0}
    for m in chosen:
        result, text = check(m, by_program, common)
        count[result] += 1
        print(f'{m.name:32} {result:9} {text}', flush=True)
    print(', '.join(f'{n} {result}' for result, n in count.items()))
    return int(count['error'] > 0 or count['survives'] > MOST_SURVIVORS * len(chosen))


def list_mutations():
    """Prints the table. Returns 1 if a text does not occur exactly once in its file, otherwise 0."""
    status = 0
    for m in mutations.MUTATIONS:
        path = ROOT / m.file
        count = path.read_text().count(m.find) if path.exists() else 0
        status |= count != 1
        print(f'{m.name:32} {m.file}: {m.description}' + ('' if count == 1 else f' [{count} times]'))
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--list', action='store_true', help='print the mutations; fails if a text is not found exactly once')
    parser.add_argument('--all', action='store_true', help='check all mutations')
    parser.add_argument('names', nargs='*', metavar='NAME')
    args = parser.parse_args()
    unknown = set(args.names) - {m.name for m in mutations.MUTATIONS}
    if unknown:
        parser.error(f'no mutation {sorted(unknown)[0]}')
    if args.list:
        return list_mutations()
    chosen = [m for m in mutations.MUTATIONS if args.all or m.name in args.names]
    if not chosen:
        parser.error('name a mutation, or --all')
    WORK.mkdir(parents=True, exist_ok=True)
    with open(WORK / 'lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one process at a time changes the copy
        return check_all(chosen)


if __name__ == '__main__':
    sys.exit(main())
