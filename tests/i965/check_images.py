# SPDX-License-Identifier: MIT
"""check_images.py [--judge=PROGRAM] INDIUM_COMPILE TARGET…: builds images of GPU memory for programs of all stages
and decodes them.

The decoder must find no error: no unknown packet, wrong length, reserved bit or pointer to no memory. Each
relocation must be the address of something in the image.

With --judge, the decoder of Mesa's iris must agree. It must know each instruction, name the shader of each stage,
and print the same values. PROGRAM is built from tests/gpu/decode_image.c. It runs on the emulated GPU, in the Debian
root in INDIUM_PEER_ROOT (default /srv/sid)."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from stage_shaders import SHADERS

ADDRESS = 0x123456000
OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--judge")
OPTIONS.add_argument("compiler")
OPTIONS.add_argument("targets", nargs="+")
OPTIONS = OPTIONS.parse_args()

# Program, options, lines of the decoded image, and the shaders that Mesa names.
VERTEX, PIXEL = "vertex shader", "SIMD8 fragment shader"
IMAGES = [
    ("a", [], ["vertex kernel", "pixel kernel", "pixel 2 kernel", "Pixel Shader Kills Pixel: true", "SAMPLER_STATE at",
               "Primitive Topology Type: 4 (TRILIST)"], [VERTEX, PIXEL]),
    ("b", [], ["hull kernel", "domain kernel", "geometry kernel", "TE Domain: 1 (TRI)", "Partitioning: 1 (ODD_FRACTIONAL)",
               "Output Topology: 3 (LINESTRIP)", "Primitive Topology Type: 34 (PATCHLIST_3)", "Instance Control: 1"],
     [VERTEX, PIXEL, "tessellation control shader", "tessellation evaluation shader", "geometry shader"]),
    ("c", [], ["compute kernel", "GPGPU_WALKER", "Barrier Enable: true", "Shared Local Memory Size: 1"], ["compute shader"]),
    ("d", ["--blend", "--depth", "--instances=3", "--size=640x480"],
     ["Instance Count: 3", "Surface Type: 3 (SURFTYPE_CUBE)", "Depth Test Enable: true", "Stencil Test Enable: true",
      "Color Buffer Blend Enable: true", "Clipped Drawing Rectangle X Max: 639", "InstanceID Enable: true",
      "Vertex Buffer Index: 1"], [VERTEX, PIXEL]),
    ("e", ["--vertices=9"], ["Vertex Count Per Instance: 9"], [VERTEX, PIXEL]),
    ("f", ["--depth"], ["geometry kernel", "Stencil Test Enable: true"], [VERTEX, PIXEL, "geometry shader"]),
    ("g", ["--blend"], ["hull kernel", "domain kernel", "TE Domain: 0 (QUAD)", "Output Topology: 2 (TRI_CW)"],
     [VERTEX, PIXEL, "tessellation control shader", "tessellation evaluation shader"]),
    ("h", ["--instances=4"], ["Vertex Buffer Index: 2", "Instance Count: 4"], [VERTEX, PIXEL]),
    ("i", [], ["compute kernel", "GPGPU_WALKER"], ["compute shader"]),
    ("j", [], ["pixel kernel", "Surface Type: 2 (SURFTYPE_3D)"], [VERTEX, PIXEL]),
    ("k", [], ["SO Function Enable: true", "Buffer 0 Surface Pitch: 32", "Buffer 2 Surface Pitch: 16",
               "Surface Size: 8191", "Hole Flag: true", "Component Mask: 7"], [VERTEX, PIXEL]),
    ("l", [], ["SO Function Enable: true", "Buffer 1 Surface Pitch: 4", "Stream Offset Write Enable: true",
               "Component Mask: 8"], [VERTEX, PIXEL, "geometry shader"]),
    # Offsets in descending order; the hole is a dword between the outputs.
    ("m", [], ["Hole Flag: true", "Component Mask: 1\n"], [VERTEX, PIXEL]),
    ("n", [], ["Output Topology: 3 (TRI_CCW)", "Front Winding: 0 (Clockwise)", "Include Vertex Handles: true", "Instance Control: 3"],
     [VERTEX, PIXEL, "tessellation control shader", "tessellation evaluation shader", "geometry shader"]),
]


def build(folder, target, program, options, address):
    """Writes the image and the list of relocations; returns the text of our decoder."""
    image, relocations = folder / "image", folder / "relocations"
    subprocess.run([OPTIONS.compiler, f"--target={target}", f"--image={image}", f"--address={address:#x}",
                    f"--relocations={relocations}", *options, *sorted(folder.glob(program + ".*"))],
                   stdout=subprocess.DEVNULL, check=True)
    return subprocess.run([OPTIONS.compiler, f"--target={target}", f"--decode={image}", f"--address={address:#x}"],
                          stdout=subprocess.PIPE, text=True, check=False)


def check(folder, target, program, options, lines):
    """Returns what is wrong with an image."""
    result = build(folder, target, program, options, ADDRESS)
    found = [line for line in result.stdout.splitlines() if "error:" in line]
    found += [f"no line '{line}'" for line in lines if line not in result.stdout]
    size = (folder / "image").stat().st_size
    for line in (folder / "relocations").read_text().splitlines():
        offset, address, what = line.split(maxsplit=2)
        if int(offset, 16) + 8 > size or not ADDRESS <= int(address, 16) < ADDRESS + size:
            found.append(f"relocation at {offset} to {address} ({what})")
    if result.returncode and not found:
        found.append(f"the decoder's exit status is {result.returncode}")
    return found


def mesa(folder, target, *image):
    """Runs the program with Mesa's decoder on the emulated chip. Returns the buffer's address, and what the
    decoder says of the image."""
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "src" / "tool"))
    from indium_command.common import GPU_LIBRARY, PEER_ROOT, in_root
    tree = folder / f"tree-{target}"
    tree.mkdir(exist_ok=True)
    command, env = in_root([os.path.realpath(OPTIONS.judge), *image], {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "INDIUM_ROOT": PEER_ROOT, "LD_PRELOAD": GPU_LIBRARY,
        "INDIUM_GPU_CHIP": target, "INDIUM_GPU_TREE": str(tree), "SYSTEMD_DEVICE_VERIFY_SYSFS": "0",
        "MESA_SHADER_CACHE_DISABLE": "true", "INTEL_DEBUG": "bat"})
    result = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", check=False)
    if result.returncode:
        sys.exit(f"{OPTIONS.judge}: {result.stderr[-2000:]}")
    # The last batch is the one that jumps to the image.
    return int(result.stdout.split()[1], 16), result.stderr.rpartition("render batch [")[2]


def judge(folder, target, program, options, shaders, address):
    """Returns what is wrong according to the other decoder, and its last line about the comparison."""
    ours, theirs = folder / "ours", folder / "theirs"
    ours.write_text(build(folder, target, program, options, address).stdout)
    text = mesa(folder, target, folder / "image")[1]
    theirs.write_text(text)
    found = re.findall(r"^.*unknown instruction.*$", text, re.M | re.I)
    found += [f"no {name} is named" for name in shaders if not re.search(f"Referenced.*{name}", text)]
    compare = pathlib.Path(__file__).with_name("compare_decoders.py")
    result = subprocess.run([sys.executable, "-B", compare, ours, theirs], stdout=subprocess.PIPE, text=True, check=False)
    lines = result.stdout.splitlines() or ["nothing compared"]
    return found + (lines if result.returncode else []), lines[-1]


def main():
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for target in OPTIONS.targets:
            address = mesa(folder, target)[0] if OPTIONS.judge else ADDRESS
            for name, text in SHADERS.items():
                (folder / name).write_text(text + "\n")
            for program, options, lines, shaders in IMAGES:
                if OPTIONS.judge:
                    found, summary = judge(folder, target, program, options, shaders, address)
                    print(f"{target} {program}: {summary}")
                else:
                    found = check(folder, target, program, options, lines)
                for line in found:
                    print(f"{target} {program}: {line}")
                errors += len(found)
    return 1 if errors else 0


sys.exit(main())
