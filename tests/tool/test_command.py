# SPDX-License-Identifier: MIT
"""Tests of the ./indium command: messages and exit statuses for wrong command lines, before
anything is installed or built; exit statuses of programs; comparison of piglit results; recorded
results of benchmarks; the package for Python."""

import base64
import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import zipfile
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "src", "tool"))

from indium_command import (  # noqa: E402
    arm64, bench, bench_common, bench_micro, bench_results, common, main, package, peer_root, piglit,
    syntax, test)


class Prepared(Exception):
    """Raised instead of installing and building."""


def indium(*args, prepare=None):
    """Returns status and output of ./indium. Installing and building are replaced by prepare."""
    out = io.StringIO()
    begin = mock.Mock(side_effect=prepare or Prepared)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), \
            mock.patch.object(common, "install", begin), mock.patch.object(common, "build", begin):
        try:
            status = main.main(list(args))
        except SystemExit as end:
            status = end.code
    return status, out.getvalue()


class PeerRoot(unittest.TestCase):
    def test_judges_are_skipped_without_a_root(self):
        out, counts = io.StringIO(), test.Counts()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(out), \
                mock.patch.object(peer_root, "PEER_ROOT", folder), mock.patch("os.geteuid", return_value=0):
            test.judge_steps(counts, 1)
        self.assertEqual(out.getvalue(), f"indium: i965-judges: skipped, because {folder} (INDIUM_PEER_ROOT) "
                         "has no Debian sid; --make-root makes it\n")
        self.assertEqual((counts.passed, counts.failed), (0, []))

    def test_only_root_makes_a_root(self):
        with mock.patch("os.geteuid", return_value=1000), mock.patch("subprocess.run") as run:
            self.assertRaises(common.Failure, peer_root.make)
        run.assert_not_called()

    def make(self, root, status=0):
        """Makes a root, and returns the commands that did it. debootstrap exits with the status."""
        commands = []

        def run(command, **options):
            commands.append([word for word in command if word != "chroot"])
            return mock.Mock(returncode=status if command[0] == "debootstrap" else 0)

        with mock.patch.object(peer_root, "PEER_ROOT", root), mock.patch("subprocess.run", run), \
                mock.patch.object(common, "install"), mock.patch("os.geteuid", return_value=0), \
                mock.patch.object(peer_root, "in_root", lambda command, env: (["chroot", root, *command], env)), \
                contextlib.redirect_stderr(io.StringIO()):
            peer_root.make()
        return commands

    def test_root_is_made_once(self):
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.join(folder, "sid")
            commands = self.make(root)
            self.assertEqual([command[0] for command in commands], ["rm", "debootstrap", root, root, root])
            self.assertEqual(commands[1][3:5], ["sid", root + ".part"])
            self.assertIn("Acquire::Check-Valid-Until=false", commands[2])
            self.assertIn("libgl1-mesa-dri", commands[3])
            os.makedirs(os.path.join(root, "usr", "bin"))
            open(os.path.join(root, "usr", "bin", "apt-get"), "w", encoding="ascii").close()
            self.assertEqual([command[0] for command in self.make(root)], [root, root, root])

    def test_failed_root_is_not_used(self):
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.join(folder, "sid")
            with self.assertRaises(common.Failure):
                self.make(root, status=1)
            self.assertFalse(os.path.exists(root))

    def test_mirror(self):
        for name, text in (("sources.list", "# deb http://no/debian sid\ndeb [arch=amd64] http://a/debian/ sid main\n"),
                           ("sources.list.d/x.sources", "Types: deb\nURIs: http://a/debian\nSuites: sid\n"),
                           ("sources.list.d/y.list", "deb http://deb.debian.org/debian sid main\n")):
            with tempfile.TemporaryDirectory() as apt:
                os.mkdir(os.path.join(apt, "sources.list.d"))
                with open(os.path.join(apt, name), "w", encoding="ascii") as out:
                    out.write(text)
                found = "http://deb.debian.org/debian" if "y" in name else "http://a/debian"
                self.assertEqual(peer_root.mirror(apt), found)
                open(os.path.join(apt, name), "w", encoding="ascii").close()
                self.assertEqual(peer_root.mirror(apt), "http://deb.debian.org/debian")


class CommandLine(unittest.TestCase):
    def test_script_finds_python_and_prints_help(self):
        done = subprocess.run([os.path.join(ROOT, "indium"), "help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, main.USAGE))

    def test_script_works_through_a_symlink(self):
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

    def test_wrong_command_lines_fail_before_the_build(self):
        for args, word in (([], "usage"), (["frob"], "frob"), (["run", "--frob"], "--frob"),
                           (["run", "--screenshot"], "requires a file"),
                           (["run", "--after", "soon", "true"], "seconds"),
                           (["run", "--after", "1", "true"], "--screenshot"),
                           (["test", "all"], "unknown step all"),
                           (["test", "quick", "fuzz"], "unknown step quick"), (["env", "zsh"], "no arguments"),
                           (["info", "-v"], "no arguments"), (["piglit"], "profile"),
                           (["piglit", "quick_gl", "-j", "many"], "-j"),
                           (["bench", "--rounds", "x"], "--rounds"),
                           (["bench", "nosuch"], "jellyfish"),
                           (["bench", "record", "nosuch"], "available"),
                           (["bench", "--write", "x"], "--write"),
                           (["bench", "jellyfish", "--record", "x"], "--record"),
                           (["bench", "micro", "--frob"], "--frob"),
                           (["apps", "--frob"], "--install"), (["extensions", "x"], "--write"),
                           (["package"], "tarball"), (["package", "rpm"], "tarball"),
                           (["fuzz", "--frob"], "--frob"), (["fuzz", "nosuch"], "nosuch"),
                           (["fuzz", "gl", "--api", "gl9"], "gl9")):
            status, text = indium(*args)
            self.assertEqual(status, 2, f"{args}: {text}")
            self.assertIn(word, text)

    def test_valid_command_lines_prepare(self):
        for args in (["run", "true"], ["run"], ["test"], ["env"], ["info"], ["piglit", "sanity"],
                     ["bench"], ["bench", "record"], ["apps"], ["extensions"], ["fuzz"],
                     ["fuzz", "gl"]):
            self.assertRaises(Prepared, indium, *args)

    def test_run_reports_missing_programs(self):
        nothing = lambda *args, **options: None
        with tempfile.NamedTemporaryFile() as file:
            for program, expected in (("no-such-program", 127), (ROOT, 126), (file.name, 126)):
                status, text = indium("run", program, prepare=nothing)
                self.assertEqual(status, expected, text)
                self.assertIn(program, text)

    def test_failures_are_one_line(self):
        def full(*args, **options):
            raise OSError(28, "No space left on device")

        status, text = indium("info", prepare=full)
        self.assertEqual(status, 1)
        self.assertRegex(text, r"^indium: .*No space left on device\n$")

    def test_unwritable_tree(self):
        def locked(*args, **options):
            raise PermissionError(13, "Permission denied", "/a tree/build")

        self.assertEqual(indium("info", prepare=locked),
                         (1, "indium: /a tree/build: Permission denied\n"))

    def test_releases_name_their_packages(self):
        with tempfile.NamedTemporaryFile("w+") as file:
            for line, expected in (("VERSION_CODENAME=bookworm", "bookworm"),
                                   ('VERSION_CODENAME="trixie"', "trixie"),
                                   ("VERSION_CODENAME=forky", "sid"), ("ID=other", "sid")):
                file.seek(0)
                file.truncate()
                file.write(f"NAME=x\n{line}\n")
                file.flush()
                self.assertEqual(common.release(file.name), expected)
        self.assertEqual(common.release("/nonexistent"), "sid")
        for name in ("bookworm", "trixie", "sid"):
            names = common.packages(("build",), name)
            self.assertIn("g++", names)
            self.assertEqual("libosmesa6-dev" in names, name != "sid")
            self.assertIn("git", common.packages(("test",), name))  # the step format lists files

    def test_one_of_several_packages_is_enough(self):
        either = next(name for name in common.packages(("build",)) if "|" in name)
        first, second = either.split("|")[:2]
        others = {name.split("|")[0] for name in common.packages(("build",))} - {first}
        asked = []
        with mock.patch.object(common, "apt_get", lambda args, progress=None: asked.append(args)), \
                mock.patch.object(common.os, "geteuid", return_value=0), \
                mock.patch.object(common, "say"):
            with mock.patch.object(common, "installed", return_value=others | {second}):
                common.install(("build",))
            self.assertEqual(asked, [])
            with mock.patch.object(common, "installed", return_value=others):
                for has, expected in (({first, second}, first), ({second}, second)):
                    with mock.patch.object(common, "available", has.__contains__):
                        common.install(("build",))
                    self.assertEqual(asked[-1][-1], expected)

    def test_missing_sudo_lists_packages(self):
        with mock.patch.object(common, "installed", return_value=set()), \
                mock.patch.object(common.shutil, "which", return_value=None), \
                mock.patch.object(common.os, "geteuid", return_value=1000), \
                contextlib.redirect_stderr(io.StringIO()), \
                self.assertRaisesRegex(common.Failure, "apt-get install .*meson"):
            common.install(("build",))

    def test_signal_ends_the_program(self):
        script = ("import sys; sys.path.insert(0, sys.argv[1])\n"
                  "from indium_command import common, main\n"
                  "common.install = common.build = lambda *args, **options: None\n"
                  "sys.exit(main.main(['run', 'sh', '-c', 'echo running; exec sleep 60']))\n")
        env = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        with subprocess.Popen([sys.executable, "-c", script, os.path.join(ROOT, "src", "tool")],
                              env=env, stdout=subprocess.PIPE, text=True) as command:
            self.assertEqual(command.stdout.readline(), "running\n")
            command.send_signal(signal.SIGTERM)
            # the pipe stays open while the program lives
            self.assertEqual(command.communicate(timeout=300)[0], "")
            self.assertEqual(command.returncode, 128 + signal.SIGTERM)

    def test_signal_ends_the_programs_of_threads(self):
        script = ("import subprocess, sys; sys.path.insert(0, sys.argv[1])\n"
                  "from indium_command import common, main, test\n"
                  "common.install = common.build = lambda *args, **options: None\n"
                  "def sleep(counts, jobs):\n"
                  "    subprocess.run(['sh', '-c', 'echo running; exec sleep 60'])\n"
                  "test.STEPS = {**test.STEPS, 'fuzz': sleep, 'threads': sleep}\n"
                  "sys.exit(main.main(['test', 'fuzz', 'threads']))\n")
        with subprocess.Popen([sys.executable, "-c", script, os.path.join(ROOT, "src", "tool")],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as command:
            self.assertEqual([command.stdout.readline() for _ in range(2)], ["running\n"] * 2)
            command.send_signal(signal.SIGTERM)
            self.assertEqual(command.communicate(timeout=300)[0], "")
            self.assertEqual(command.returncode, 128 + signal.SIGTERM)

    def test_signal_statuses_are_those_of_a_shell(self):
        self.assertEqual([main.shell_status(s) for s in (0, 3, -11)], [0, 3, 139])

    def test_library_path_has_no_duplicates(self):
        once = common.ours(base={"LD_LIBRARY_PATH": "/a"})
        self.assertEqual(common.ours(base=once), once)
        self.assertTrue(once["LD_LIBRARY_PATH"].endswith(":/a"))


class Wheel(unittest.TestCase):
    """The package for Python that is made of an installation."""

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        libraries = os.path.join(self.folder, "prefix", "lib", "x")
        for path, text in (("bin/indium", "#!/bin/sh\n"), ("lib/x/libindium.so", "core"),
                           ("lib/x/libGL.so.1.7.0", "gl"), ("share/man/man1/indium.1", "manual"),
                           ("lib/pkgconfig/indium.pc", "prefix=/usr")):
            path = os.path.join(self.folder, "prefix", path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
        os.chmod(os.path.join(self.folder, "prefix", "bin", "indium"), 0o755)
        os.symlink("libGL.so.1.7.0", os.path.join(libraries, "libGL.so.1"))
        os.symlink("libGL.so.1", os.path.join(libraries, "libGL.so"))
        unversioned = os.path.join(self.folder, "unversioned")
        os.mkdir(unversioned)
        with open(os.path.join(unversioned, "libGL.so"), "w", encoding="ascii") as file:
            file.write("unversioned gl")
        path = package.write_wheel(os.path.join(self.folder, "prefix"), unversioned, self.folder)
        self.wheel = self.enterContext(zipfile.ZipFile(path))

    def test_contains_each_library_under_the_name_that_programs_load(self):
        names = [name for name in self.wheel.namelist() if name.startswith("indium_gl/")]
        self.assertEqual(names, ["indium_gl/__init__.py", "indium_gl/__main__.py",
                                 "indium_gl/bin/indium", "indium_gl/lib/x/libGL.so",
                                 "indium_gl/lib/x/libGL.so.1",
                                 "indium_gl/lib/x/libindium.so"])
        self.assertEqual(self.wheel.read("indium_gl/lib/x/libGL.so.1"), b"gl")
        self.assertEqual(self.wheel.read("indium_gl/lib/x/libGL.so"), b"unversioned gl")

    def test_programs_stay_executable(self):
        mode = self.wheel.getinfo("indium_gl/bin/indium").external_attr >> 16
        self.assertEqual(mode & 0o111, 0o111)

    def test_record_has_the_hash_of_every_other_file(self):
        [record] = [name for name in self.wheel.namelist() if name.endswith("/RECORD")]
        rows = [line.split(",") for line in self.wheel.read(record).decode().splitlines()]
        self.assertEqual([row[0] for row in rows], self.wheel.namelist())
        for name, digest, size in rows[:-1]:
            data = self.wheel.read(name)
            expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
            self.assertEqual((digest, int(size)), ("sha256=" + expected.decode(), len(data)))
        self.assertEqual(rows[-1], [record, "", ""])

    def test_without_libraries_the_import_fails(self):
        self.wheel.extractall(self.folder)
        result = subprocess.run([sys.executable, "-c", "import indium_gl"], cwd=self.folder,
                                capture_output=True, text=True)
        self.assertIn("ImportError: no library in", result.stderr)

    def test_module_runs_programs_with_the_libraries(self):
        self.wheel.extractall(self.folder)
        script = ("import sys, types; sys.modules['indium_gl'] = m = types.ModuleType('indium_gl')\n"
                  "m.__path__ = ['indium_gl']; m.environment = lambda: {'PATH': '/bin:/usr/bin',"
                  " 'LD_LIBRARY_PATH': '/libraries'}\n"
                  "import runpy; sys.argv[1:] = ['sh', '-c', 'echo $LD_LIBRARY_PATH; exit 3']\n"
                  "runpy.run_module('indium_gl.__main__', run_name='__main__')\n")
        result = subprocess.run([sys.executable, "-c", script], cwd=self.folder,
                                capture_output=True, text=True)
        self.assertEqual((result.stdout, result.returncode), ("/libraries\n", 3))


@unittest.skipIf(subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode, "may not mount")
class OtherRoot(unittest.TestCase):
    """Commands in another root directory, which holds only cat and its libraries."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/var/tmp")  # /tmp is mounted as a whole
        self.addCleanup(folder.cleanup)
        self.root, self.source = os.path.join(folder.name, "root"), os.path.join(folder.name, "source")
        os.mkdir(self.source)
        libraries = subprocess.run(["ldd", "/usr/bin/cat"], capture_output=True, text=True, check=True).stdout
        for path in ["/usr/bin/cat", *re.findall(r"(/\S+) \(", libraries)]:
            os.makedirs(os.path.dirname(self.root + path), exist_ok=True)
            shutil.copy(path, self.root + path)

    def check(self, before="true"):
        """Runs a command of the shell, and then reads a file of the source tree in the root."""
        with open(os.path.join(self.source, "text"), "w", encoding="ascii") as out:
            out.write("text")
        with mock.patch.object(common, "ROOT", self.source):
            command, env = common.in_root(["/usr/bin/cat", f"{self.source}/text", "/proc/self/mounts"],
                                          {**os.environ, "INDIUM_ROOT": self.root})
        # A namespace of our own, because a failure would leave mounts.
        script = before + "\nmount > $0\n\"$@\"\nmount | diff $0 - >&2"
        result = subprocess.run(["unshare", "--mount", "sh", "-ec", script,
                                 os.path.join(self.source, "mounts"), *command],
                                env=env, capture_output=True, text=True)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertTrue(result.stdout.startswith("text"), result.stdout)

    def test_mounts_end_with_the_command(self):
        self.check()

    def test_mounts_of_deleted_directories_are_replaced(self):
        inside = self.root + self.source
        self.check(f"mkdir -p {inside} {self.source}/old\nmount --bind {self.source}/old {inside}\n"
                   f"rmdir {self.source}/old")


class Steps(unittest.TestCase):
    """Steps of ./indium test: which run, and what becomes of their counts."""

    def run_steps(self, *args, failing=(), sysroot=False):
        """Status, the last line, and the steps that ran; each step counts one pass or fails.
        sysroot: whether the libraries of arm64 have been downloaded."""
        ran = []

        def stub(name):
            def function(counts, jobs):
                ran.append(name)
                if name in failing:
                    raise common.Failure("it failed")
                counts.add(name, True)
            return function

        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), \
                mock.patch.object(common, "install", lambda *args: None), \
                mock.patch.object(arm64, "has_sysroot", lambda: sysroot), \
                mock.patch.object(test, "STEPS", {name: stub(name) for name in test.STEPS}):
            status = test.run(list(args))
        return status, out.getvalue().splitlines()[-1], ran

    def test_all_but_optional_steps_run(self):
        status, line, ran = self.run_steps()
        self.assertEqual((status, line), (0, f"{len(ran)} passed, 0 failed"))
        self.assertEqual(ran[:3], ["format", "readmes", "build"])
        self.assertEqual(set(ran), set(test.STEPS) - {"arm64", "options", "igt"})

    def test_arm64_runs_with_its_libraries_or_when_named(self):
        self.assertEqual(set(self.run_steps(sysroot=True)[2]),
                         set(test.STEPS) - {"options", "igt"})
        self.assertNotIn("arm64", self.run_steps("quick", sysroot=True)[2])
        self.assertIn("arm64", self.run_steps("arm64")[2])

    @unittest.skipUnless(all(map(os.path.isdir, syntax.TARGETS.values())) and shutil.which(syntax.CLANG),
                         "needs clang and the headers of other CPUs")
    def test_syntax_finds_types_that_a_cpu_lacks(self):
        counts, said = test.Counts(), io.StringIO()
        with tempfile.NamedTemporaryFile("w", suffix=".c") as source, \
                contextlib.redirect_stdout(said), mock.patch.object(common, "build"), \
                mock.patch.object(syntax, "sources", lambda: {source.name: ["-std=gnu17"]}):
            source.write("#include <stdint.h>\n__int128 product(int64_t x);\n")
            source.flush()
            syntax.run(counts, 2)
        self.assertEqual((counts.passed, counts.failed), (1, ["syntax: 1 files for i686-linux-gnu"]))
        self.assertIn("2:1: error: __int128 is not supported on this target", said.getvalue())

    def test_arm64_compares_all_frames(self):
        """Frames of one scene differ, another scene draws none, and the tarball's frames differ."""
        scenes = [("memory", 4, 1), ("images", 8, 2), ("smooth", 16, 4)]

        def frames_of(scene, display, directory, on_arm64, installed=None):
            if scene[0] == "smooth" and on_arm64:
                raise common.Failure("exited with status 1")
            differs = (scene[0] == "images" and on_arm64) or installed == "unpacked"
            return {"1": b"same", "2": b"other" if differs else b"same"}

        counts, said = test.Counts(), io.StringIO()
        with contextlib.redirect_stderr(said), mock.patch.object(common, "build"), \
                mock.patch.object(arm64, "SCENES", scenes), \
                mock.patch.object(arm64, "Display", mock.MagicMock()), \
                mock.patch.object(arm64, "unpacked_tarball",
                                  lambda: contextlib.nullcontext("unpacked")), \
                mock.patch.object(arm64, "frames_of", frames_of):
            arm64.compare_frames(counts, 2)
        self.assertEqual(counts.passed, 1)
        self.assertEqual(counts.failed, ["arm64: images with 8 lanes, 2 threads",
                                         "arm64: smooth with 16 lanes, 4 threads",
                                         "arm64: gears with 4 lanes, 2 threads, from the tarball"])
        self.assertRegex(said.getvalue(), r"differ from \w+'s: 2\n(.*\n)*.*compared 6 frames")

    def test_arm64_counts_of_the_second_interval(self):
        output = ("[ RUN ] test_count\n7\nsin C 1024\n999\n2048\nsin LLVM 1024\n123\n1024\n"
                  "exp2 C 512\n4\n256\n[ OK ]\n")
        self.assertEqual(arm64.instructions_per_element(output),
                         {"sin": {"C": 2.0, "LLVM": 1.0}, "exp2": {"C": 0.5}})

    def run_options(self, pictures, broken=None):
        """Counts of the step options, whose builds print nothing and whose demo draws these pictures.
        Builds of the directory `broken` fail."""
        def build(directory, *args, **kwargs):
            if os.path.basename(directory) == broken:
                raise common.Failure("it does not compile")

        counts = test.Counts()
        with contextlib.redirect_stderr(io.StringIO()), mock.patch.object(test, "build", build), \
                mock.patch.object(common, "run_logged") as configure, mock.patch.object(shutil, "rmtree"), \
                mock.patch.object(test, "demo_picture", mock.Mock(side_effect=pictures)):
            test.options_steps(counts, 1)
        self.assertIn("-Dllvm=shared", configure.call_args[0][0])
        return counts

    def test_options_compare_pictures_of_both_kinds_of_llvm(self):
        counts = self.run_options([b"a", b"a", b"a"])
        self.assertEqual((counts.passed, counts.failed), (8, []))
        self.assertEqual(self.run_options([b"a", b"a", b"b"]).failed, ["with a shared LLVM"])
        self.assertEqual(self.run_options([common.Failure("crash"), b"a", b"a"]).failed,
                         ["without x11, wayland, gbm, osmesa, dri, tests"])
        self.assertEqual(self.run_options([b"a", b"a", b"a"], "gbm").failed, ["without gbm"])

    def test_quick(self):
        self.assertEqual(set(self.run_steps("quick")[2]), set(test.QUICK))

    def test_build_comes_first_where_it_is_needed(self):
        self.assertEqual(self.run_steps("more-tests")[2], ["build", "more-tests"])
        self.assertEqual(self.run_steps("readmes", "format")[2], ["format", "readmes"])

    def test_failures_of_steps_in_threads_count(self):
        status, line, ran = self.run_steps(failing=("fuzz",))
        self.assertEqual((status, line), (1, f"{len(ran) - 1} passed, 1 failed"))

    def test_nothing_runs_after_a_build_that_fails(self):
        status, line, ran = self.run_steps(failing=("build",))
        self.assertEqual((status, line), (1, "2 passed, 1 failed"))
        self.assertEqual(ran, ["format", "readmes", "build"])

    def run_limited(self, slow):
        """Status and lines of a run whose slow step waits for a program, and whose step fuzz fails
        while time is left."""
        script = f"""
import subprocess, sys
sys.path.insert(0, {os.path.dirname(os.path.dirname(test.__file__))!r})
from indium_command import common, test
def stub(name):
    def function(counts, jobs):
        if name == {slow!r}:
            subprocess.run(["sleep", "1000"])
            raise common.Failure("the program was ended")
        counts.add(name, name != "fuzz")
    return function
common.install = lambda *args: None
test.STEPS = {{name: stub(name) for name in ({slow!r}, "fuzz")}}
sys.exit(test.run(["--limit", "0.05"]))
"""
        result = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True)
        return result.returncode, result.stdout.splitlines()

    def test_limit_ends_the_steps_and_keeps_failures(self):
        self.assertEqual(self.run_limited("sanitized"), (1, [
            "FAILED fuzz", "NOT FINISHED in 0.05 minutes: sanitized",
            "0 passed, 1 failed, steps not finished: 1"]))

    def test_limit_fails_if_a_step_of_quick_is_not_finished(self):
        self.assertEqual(self.run_limited("short-tests"), (1, [
            "NOT FINISHED in 0.05 minutes: short-tests", "NOT FINISHED in 0.05 minutes: fuzz",
            "0 passed, 0 failed, steps not finished: 2"]))


class Piglit(unittest.TestCase):
    """Comparison of results with a record that has other subtests."""

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

    def test_failing_tests_are_repeated_alone(self):
        results = {"a@x+": "fail", "b": "crash", "c": "notrun", "d": "pass", "e": "skip", "f": "fail"}
        asked = []

        def run(names):
            asked.extend(names)
            return {"a@x+": "pass", "b": "fail", "c": "skip", "d": "fail", "g": "pass"}
        piglit.repeat_alone(results, run)
        self.assertEqual(asked, [r"^a@x\+$", "^b$", "^c$", "^f$"])
        self.assertEqual(results, {"a@x+": "pass", "b": "fail", "c": "skip", "d": "pass",
                                   "e": "skip", "f": "fail"})
        piglit.repeat_alone({"a": "pass"}, lambda names: self.fail())


class BenchResults(unittest.TestCase):
    """Recorded results and the tables generated from them."""

    def render(self, *results, bench="micro"):
        """Returns a page with one table, rendered from result files."""
        begin = bench_results.BEGIN.format(bench)
        page = f"before\n\n{begin}\nold\n{bench_results.END}\n\nafter\n"
        with tempfile.TemporaryDirectory() as folder:
            for i, result in enumerate(results):
                with open(os.path.join(folder, f"{i}.json"), "w", encoding="utf-8") as f:
                    json.dump({"bench": bench, "date": "2026-01-02", "peer": "P", "settings": "S",
                               **result}, f)
            return bench_results.render(page, bench_results.load(folder))

    def test_a_column_per_machine(self):
        row = bench_results.result_row([(2.0, 4.0), (1.0, 4.0), (2.0, 6.0)])
        self.assertEqual(row, {"ratio": 3.0, "min": 2.0, "max": 4.0, "indium": 2.0, "peer": 4.0})
        page = self.render({"machine": "B", "rows": {"x": row, "y": {"ratio": 12.0}}},
                           {"machine": "A", "rows": {"y": {"ratio": 5.0}}, "mean": 7.0, "count": 9})
        self.assertEqual(page.split("\n")[3:-4], [
            "| workload | A | B |", "|---|---|---|", "| y | 5.00 | 12.00 |",
            "| x |  | 3.00 (2.00–4.00), 2.000 |", "| **geometric mean** | 7.00 | 6.00 |", "",
            "- A: 2026-01-02, P, 9 rows, S.", "- B: 2026-01-02, P, 2 rows, S."])
        self.assertTrue(page.startswith("before\n") and page.endswith("\nafter\n"))

    def test_rates_above_the_peer_are_faster(self):
        self.assertEqual(bench_results.result_row([(30.0, 10.0)], higher=True)["ratio"], 3.0)

    def rate(self, text, cpu):
        """Returns the rate of a program that prints the text, uses 4 s and half of that CPU time."""
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as script, \
                mock.patch.object(bench, "time") as clocks:
            print(f"#!/bin/sh\nprintf '{text}'", file=script, flush=True)
            clocks.monotonic.side_effect = [10.0, 14.0]
            clocks.clock_gettime.side_effect = [1.0, 3.0]
            with mock.patch.object(bench_common, "in_root", lambda command, env: (
                    ["sh", script.name], env)):
                return bench.frames_per_second("glmark2", "build", 1, None, cpu)

    def test_rates_of_scenes(self):
        result = "head\\n[build] <default>: FPS: %d FrameTime: %s ms\\n"
        self.assertEqual(self.rate(result % (400, "2.5"), False), 400)
        self.assertEqual(self.rate(result % (400, "2.5"), True), 800)
        self.assertEqual(self.rate(result % (31, "32.0"), True), 62.5)
        self.assertIsNone(self.rate("head\\n[build] <default>: Unsupported\\n", True))

    def test_slope(self):
        times = {"0": (1.0, 3.0), "4": (81.0, 48.0)}  # wall-clock and CPU time
        with mock.patch.object(bench_common, "costs", lambda command, env: times[command[2]]):
            self.assertAlmostEqual(bench_micro.slope("alu", 1, None, cpu=False), 3)
            self.assertAlmostEqual(bench_micro.slope("alu", 1, None, cpu=True), 2)

    def test_settings_of_a_record(self):
        options = mock.Mock(record="M", rounds=1, seconds=0.5, cpu=True, peer="system")
        with mock.patch.object(bench_results, "save") as save, \
                mock.patch.dict(os.environ, {"INDIUM_ISA": "avx2"}):
            os.environ.pop("INDIUM_LANES", None)
            bench_common.record("micro", options, {})
        self.assertEqual(save.call_args[0][2], "1 round of 0.5 s, CPU time, INDIUM_ISA=avx2")

    def test_lowest_rows(self):
        rows = {str(i): {"ratio": float(i)} for i in range(20, 0, -1)}
        page = self.render({"machine": "A", "rows": rows}, bench="hacks-frame")
        self.assertIn("|---|---|\n| 1 | 1.00 |\n| 2 | 2.00 |", page)
        self.assertIn("| 10 | 10.00 |\n| **geo", page)

    def test_no_result(self):
        self.assertIn("No result is recorded.", self.render())

    def test_saved_results_load(self):
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(bench_results, "RESULTS", folder), \
                mock.patch.object(bench_results, "ROOT", folder), \
                contextlib.redirect_stderr(io.StringIO()):
            bench_results.save("swap", "An X, 2 cores", "5 rounds", {"clear": {"ratio": 1.23456789}})
            self.assertEqual(os.listdir(folder), ["swap-an-x-2-cores.json"])
            (result,) = bench_results.load(folder)["swap"]
        self.assertEqual((result["machine"], result["settings"], result["rows"]),
                         ("An X, 2 cores", "5 rounds", {"clear": {"ratio": 1.2346}}))

    def test_the_page_is_up_to_date(self):
        with open(bench_results.PAGE, encoding="utf-8") as page:
            text = page.read()
        results = bench_results.load()
        self.assertEqual(text, bench_results.render(text, results))
        for bench in {*bench_results.BENCHMARKS, *results}:
            self.assertIn(bench_results.BEGIN.format(bench), text)


if __name__ == "__main__":
    unittest.main()
