#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""Checks that Mesa's iris or crocus, installed in a Debian root (INDIUM_PEER_ROOT), starts on each
emulated chip: that eglinfo reports its renderer. Exits with 77 if there is no root with eglinfo.

Usage: check_chips.py LIBRARY
LIBRARY is libindium-gpu.so."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "src", "tool"))

from indium_command.common import PEER_ROOT, in_root  # noqa: E402

SKIP = 77
RENDERERS = {  # what the renderer's name contains, by chip
    "g45": "G45", "ilk": "(ILK)", "snb": "(SNB ", "ivb": "(IVB ", "hsw": "(HSW ", "bdw": "(BDW ",
    "skl": "(SKL ", "icl": "(ICL ", "ehl": "(EHL)", "tgl": "(TGL ", "adl": "(ADL ",
}


def renderer(library, chip):
    """Returns the renderers that eglinfo prints for a chip, one for each API and profile."""
    with tempfile.TemporaryDirectory(prefix=f"indium-gpu-{os.getpid()}-") as tree:
        env = {"PATH": os.environ["PATH"], "HOME": tree, "INDIUM_GPU_CHIP": chip,
               "INDIUM_GPU_TREE": tree, "INDIUM_ROOT": PEER_ROOT}
        command, env = in_root(["/usr/bin/env", f"LD_PRELOAD={os.path.realpath(library)}",
                                "/usr/bin/eglinfo", "-B", "-p", "gbm"], env)
        text = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=100, check=False).stdout.decode(errors="replace")
    return [line.split(": ", 1)[1] for line in text.splitlines()
            if line.startswith("OpenGL") and "renderer: " in line]


def main():
    if os.geteuid() != 0 or not os.path.exists(PEER_ROOT + "/usr/bin/eglinfo"):
        print("no Debian root with eglinfo in INDIUM_PEER_ROOT")
        return SKIP
    failed = 0
    for chip, name in RENDERERS.items():
        found = renderer(sys.argv[1], chip)
        right = len(found) >= 2 and all(name in text for text in found)
        failed += not right
        print(f"{chip}: {found[0] if right else f'{found}, expected {name}'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
