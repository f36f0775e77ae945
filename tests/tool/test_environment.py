#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/environment.md names the environment variables and the flags that the sources read, and no others.

usage: test_environment.py SOURCE_ROOT
"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop())
INTERNAL = {"INDIUM_ROOT"}  # passes a directory from ./indium to the commands that it runs
READ = re.compile(r"(?:getenv|env_int|env_directory|environ\.get)\(\s*[\"']((?:INDIUM_|EGL_|vblank)[A-Za-z0-9_]*)")


def documented():
    """Returns the names of the table's rows, and its lines by name."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)$", (ROOT / "docs/environment.md").read_text(), re.M)
    return {name: text for name, text in rows}


def sources():
    for suffix in "c", "h", "py":
        yield from (ROOT / "src").rglob("*." + suffix)


class Environment(unittest.TestCase):
    def test_variables(self):
        read = set()
        for path in sources():
            read.update(READ.findall(path.read_text()))
        self.assertGreater(len(read), 20)
        self.assertEqual(read - INTERNAL, set(documented()))

    def test_debug_flags(self):
        text = (ROOT / "src/util/options.c").read_text()
        flags = re.findall(r'\{"(\w+)", DEBUG_', text)
        self.assertGreater(len(flags), 10)
        values = documented()["INDIUM_DEBUG"]
        for flag in flags:
            self.assertIn(f"`{flag}`", values)
        self.assertEqual(len(re.findall(r"`\w+`", values)), len(flags) + 1)  # and help


if __name__ == "__main__":
    unittest.main()
