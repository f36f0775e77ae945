# SPDX-License-Identifier: MIT
"""Tests of igt.py, with a program in place of IGT's that leaves processes behind."""
import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import igt  # noqa: E402

# Prints the ids of a child and of a grandchild in process groups and sessions of their own. They
# would run for ten minutes. The subtest "hang" waits for them.
PROGRAM = f'''#!{sys.executable}
import os, sys, time
read, write = os.pipe()
def report():
    print("process", os.getpid(), flush=True)
    os.write(write, b" ")
if not os.fork():
    os.setsid()
    report()
    if not os.fork():
        os.setpgid(0, 0)
        report()
    time.sleep(600)
    os._exit(0)
os.read(read, 1)
os.read(read, 1)
if sys.argv[2] == "hang":
    os.wait()
print(f"Subtest {{sys.argv[2]}}: SUCCESS")
'''


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Igt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "program")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        os.chmod(self.path, 0o755)
        igt.adopt_orphans()
        self.runner = igt.Runner([], (None, folder.name), 5)

    def check(self, name, expected):
        result, _, text = self.runner.subtest("program", name)
        pids = [int(line.split()[1]) for line in text.splitlines() if line.startswith("process")]
        self.assertEqual((result, len(pids)), (expected, 2), text)
        self.assertEqual([pid for pid in pids if is_running(pid)], [])

    def test_ends_processes_that_a_subtest_leaves(self):
        self.check("leave", "pass")

    def test_ends_all_processes_after_the_limit(self):
        self.check("hang", "time")

    def test_worker_ends_its_descendants(self):
        read, write = os.pipe()
        worker = os.fork()
        if worker == 0:
            igt.start_worker()
            subprocess.Popen([self.path, "--run-subtest", "hang"], stdout=write).wait()
        with os.fdopen(read) as lines:
            pids = [int(lines.readline().split()[1]) for _ in range(2)]
        os.close(write)
        os.kill(worker, signal.SIGTERM)
        os.waitpid(worker, 0)
        self.assertEqual([pid for pid in pids if is_running(pid)], [])


unittest.main()
