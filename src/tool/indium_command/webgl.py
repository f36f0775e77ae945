# SPDX-License-Identifier: MIT
"""WebGL pages in headless Chromium, whose ANGLE uses the libEGL that it finds."""

import base64
import html
import json
import os
import re
import shutil
import subprocess
import tempfile

from .common import ROOT

PAGES = os.path.join(ROOT, "tests", "apps", "webgl")
BACKENDS = ("gl-egl", "gles-egl")  # ANGLE on OpenGL, and on OpenGL ES


def load(page, backend, env, *more):
    """Loads a page and returns the JSON that its script writes to #report. Returns None if Chromium
    is missing or there is no report. more: additional Chromium options."""
    chromium = shutil.which("chromium")
    if not chromium:
        return None
    with tempfile.TemporaryDirectory() as home:
        command = [chromium, "--headless=new", "--no-sandbox", f"--user-data-dir={home}",
                   "--use-gl=angle", f"--use-angle={backend}", "--ignore-gpu-blocklist",
                   "--allow-file-access-from-files", *more, "--dump-dom", "file://" + page]
        env = {**env, "EGL_PLATFORM": "surfaceless", "HOME": home}
        try:
            result = subprocess.run(command, env=env, capture_output=True, text=True,
                                    errors="replace", timeout=120)
        except subprocess.TimeoutExpired:
            return None
    found = re.search(r'<pre id="report">(\{.*?\})</pre>', result.stdout, re.DOTALL)
    return json.loads(html.unescape(found[1])) if found else None


def draw(page, backend, env):
    """Returns the page's report: version, renderer, error, width, height, pixels (RGBA bytes).
    Returns None if Chromium is missing or the page did not draw."""
    report = load(os.path.join(PAGES, page), backend, env, "--virtual-time-budget=10000")
    if report:
        report["pixels"] = base64.b64decode(report["pixels"])
    return report
