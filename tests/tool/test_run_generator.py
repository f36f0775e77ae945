# SPDX-License-Identifier: MIT
"""Tests of src/run_generator.py: usage: test_run_generator.py RUN_GENERATOR."""
import os
import subprocess
import sys
import tempfile
import unittest

RUN_GENERATOR = sys.argv.pop(1)
OLD = 1_000_000_000  # seconds since 1970
GENERATOR = '''
import sys
import helper
with open(sys.argv[2], 'w') as f:
    f.write(sys.argv[1])
sys.exit(helper.STATUS)
'''


class RunGenerator(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = self.write('output', 'text', OLD)
        self.generator = self.write('generator.py', GENERATOR)

    def write(self, name, text, time=None):
        path = os.path.join(self.folder.name, name)
        with open(path, 'w') as f:
            f.write(text)
        if time:
            os.utime(path, (time, time))
        return path

    def run_with(self, text, status=0):
        """Runs the generator, which writes the text. Returns its exit code."""
        self.write('helper.py', f'STATUS = {status}')
        command = [sys.executable, '-B', RUN_GENERATOR, self.generator, text, self.output]
        return subprocess.run(command).returncode

    def test_equal_output_keeps_its_time(self):
        self.assertEqual(self.run_with('text'), 0)
        self.assertEqual(os.stat(self.output).st_mtime, OLD)

    def test_other_output_gets_a_new_time(self):
        self.assertEqual(self.run_with('other'), 0)
        self.assertNotEqual(os.stat(self.output).st_mtime, OLD)
        with open(self.output) as f:
            self.assertEqual(f.read(), 'other')

    def test_missing_output_is_created(self):
        os.remove(self.output)
        self.assertEqual(self.run_with('text'), 0)
        self.assertTrue(os.path.isfile(self.output))

    def test_failure_is_reported(self):
        self.assertEqual(self.run_with('text', 3), 3)


unittest.main()
