# SPDX-License-Identifier: MIT
"""What ./indium says and returns where the command line is wrong, before anything is installed or
built, and what becomes of a program's status."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "src", "tool"))

from indium_command import common, main, piglit  # noqa: E402


class Prepared(Exception):
    """Installing and building would begin now."""


def indium(*args, prepare=None):
    """Status and all output of ./indium, whose preparation is replaced."""
    out = io.StringIO()
    begin = mock.Mock(side_effect=prepare or Prepared)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), \
            mock.patch.object(common, "install", begin), mock.patch.object(common, "build", begin):
        try:
            status = main.main(list(args))
        except SystemExit as end:
            status = end.code
    return status, out.getvalue()


class CommandLine(unittest.TestCase):
    def test_script_finds_python_and_prints_help(self):
        done = subprocess.run([os.path.join(ROOT, "indium"), "help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, main.USAGE))

    def test_script_is_found_by_a_link_from_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, "a link")
            os.symlink(os.path.join(ROOT, "indium"), link)
            done = subprocess.run([link, "help"], capture_output=True, text=True, cwd=folder)
        self.assertEqual((done.returncode, done.stdout), (0, main.USAGE))

    def test_help_needs_no_build(self):
        for args in (["help"], ["--help"], ["run", "--help"], ["fuzz", "-h"]):
            self.assertEqual(indium(*args), (0, main.USAGE))
        for args in (["piglit", "--help"], ["bench", "-h"], ["bench", "swap", "--help"]):
            status, text = indium(*args)
            self.assertEqual(status, 0)
            self.assertIn(f"usage: ./indium {args[0]}", text)

    def test_wrong_lines_end_before_the_build(self):
        for args, word in (([], "usage"), (["frob"], "frob"), (["run", "--frob"], "--frob"),
                           (["run", "--screenshot"], "takes a file"),
                           (["run", "--after", "soon", "true"], "seconds"),
                           (["run", "--after", "1", "true"], "--screenshot"),
                           (["test", "quick"], "no step quick"), (["env", "zsh"], "no arguments"),
                           (["info", "-v"], "no arguments"), (["piglit"], "profile"),
                           (["piglit", "quick_gl", "-j", "many"], "-j"),
                           (["bench", "--rounds", "x"], "--rounds"),
                           (["bench", "nosuch"], "jellyfish"),
                           (["bench", "record", "nosuch"], "all are"),
                           (["bench", "micro", "--frob"], "--frob"),
                           (["apps", "--frob"], "--install"), (["extensions", "x"], "--write"),
                           (["fuzz", "--frob"], "--frob"), (["fuzz", "nosuch"], "nosuch"),
                           (["fuzz", "gl", "--api", "gl9"], "gl9")):
            status, text = indium(*args)
            self.assertEqual(status, 2, f"{args}: {text}")
            self.assertIn(word, text)

    def test_right_lines_prepare(self):
        for args in (["run", "true"], ["run"], ["test"], ["env"], ["info"], ["piglit", "sanity"],
                     ["bench"], ["bench", "record"], ["apps"], ["extensions"], ["fuzz"],
                     ["fuzz", "gl"]):
            self.assertRaises(Prepared, indium, *args)

    def test_run_tells_of_no_program(self):
        nothing = lambda *args: None
        with tempfile.NamedTemporaryFile() as file:
            for program, expected in (("no-such-program", 127), (ROOT, 126), (file.name, 126)):
                status, text = indium("run", program, prepare=nothing)
                self.assertEqual(status, expected, text)
                self.assertIn(program, text)

    def test_failures_are_a_line(self):
        def full(*args):
            raise OSError(28, "No space left on device")

        status, text = indium("info", prepare=full)
        self.assertEqual(status, 1)
        self.assertRegex(text, r"^indium: .*No space left on device\n$")

    def test_a_tree_that_is_not_ours(self):
        def locked(*args):
            raise PermissionError(13, "Permission denied", "/a tree/build")

        self.assertEqual(indium("info", prepare=locked),
                         (1, "indium: /a tree/build: Permission denied\n"))

    def test_what_root_has_to_install(self):
        with mock.patch.object(common, "installed", return_value=set()), \
                mock.patch.object(common.shutil, "which", return_value=None), \
                mock.patch.object(common.os, "geteuid", return_value=1000), \
                contextlib.redirect_stderr(io.StringIO()), \
                self.assertRaisesRegex(common.Failure, "apt-get install .*meson"):
            common.install(("build",))

    def test_a_signal_ends_the_program_too(self):
        script = ("import sys; sys.path.insert(0, sys.argv[1])\n"
                  "from indium_command import common, main\n"
                  "common.install = common.build = lambda *args: None\n"
                  "sys.exit(main.main(['run', 'sh', '-c', 'echo running; exec sleep 60']))\n")
        env = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        with subprocess.Popen([sys.executable, "-c", script, os.path.join(ROOT, "src", "tool")],
                              env=env, stdout=subprocess.PIPE, text=True) as command:
            self.assertEqual(command.stdout.readline(), "running\n")
            command.send_signal(signal.SIGTERM)
            # the program has the pipe open as long as it lives
            self.assertEqual(command.communicate(timeout=30)[0], "")
            self.assertEqual(command.returncode, 128 + signal.SIGTERM)

    def test_signals_as_a_shell_has_them(self):
        self.assertEqual([main.shell_status(s) for s in (0, 3, -11)], [0, 3, 139])

    def test_libraries_are_named_once(self):
        once = common.ours(base={"LD_LIBRARY_PATH": "/a"})
        self.assertEqual(common.ours(base=once), once)
        self.assertTrue(once["LD_LIBRARY_PATH"].endswith(":/a"))


class Piglit(unittest.TestCase):
    """Results of shapes that differ from those of the record beside which they are held."""

    def same(self, tests, names, of=None):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "results.json"), "w", encoding="utf-8") as f:
                json.dump({"tests": tests}, f)
            return piglit.on_the_same(*piglit.read_results(folder), (names, of or {}))

    def test_test_recorded_as_a_whole_fails_with_a_subtest(self):
        ours = {"a": {"result": "fail", "subtests": {"x": "pass", "y": "fail"}},
                "b": {"result": "pass", "subtests": {"x": "pass", "y": "skip"}},
                "c": {"result": "fail", "subtests": {"x": "fail"}}}
        self.assertEqual(self.same(ours, dict.fromkeys("abcd", "pass")),
                         {"a": "fail", "b": "pass", "c": "fail"})

    def test_subtests_are_recorded_by_name(self):
        ours = {"a": {"result": "fail", "subtests": {"x": "pass", "y": "fail"}},
                "b": {"result": "skip"}}
        names = dict.fromkeys(("a@x", "a@y", "a@z", "b@x", "c@x"), "pass")
        self.assertEqual(self.same(ours, names, {n: n[0] for n in names}),
                         {"a@x": "pass", "a@y": "fail", "a@z": "notrun", "b@x": "skip"})


if __name__ == "__main__":
    unittest.main()
