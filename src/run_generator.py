# SPDX-License-Identifier: MIT
"""
Runs a generator. An output file whose contents don't change keeps its modification time, so ninja
doesn't rebuild what depends on it.

usage: run_generator.py GENERATOR ARGUMENT...; the arguments include the paths of all outputs.
"""
import os
import runpy
import sys


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def main():
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    before = {p: (os.stat(p), read(p)) for p in sys.argv[1:] if os.path.isfile(p)}
    try:
        runpy.run_path(sys.argv[0], run_name='__main__')
    except SystemExit as status:
        if status.code:
            raise
    for path, (status, data) in before.items():
        if os.stat(path).st_mtime_ns != status.st_mtime_ns and read(path) == data:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


main()
