# SPDX-License-Identifier: MIT
"""python -m indium_gl PROGRAM [ARGUMENT…]: runs a program with Indium."""

import os
import sys

from . import environment


def main(args):
    if not args:
        print("usage: python -m indium_gl PROGRAM [ARGUMENT…]", file=sys.stderr)
        return 2
    try:
        os.execvpe(args[0], args, environment())
    except OSError as error:
        print(f"indium_gl: {args[0]}: {error.strerror}", file=sys.stderr)
        return 127 if isinstance(error, FileNotFoundError) else 126


sys.exit(main(sys.argv[1:]))
