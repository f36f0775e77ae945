# SPDX-License-Identifier: MIT
"""check_images.py INDIUM_COMPILE: builds images of GPU memory for programs of all stages and decodes them.

The decoder must find no error: no unknown packet, wrong length, reserved bit or pointer to no memory. Each
relocation must be the address of something in the image."""
import pathlib
import subprocess
import sys
import tempfile

from stage_shaders import SHADERS

ADDRESS = 0x123456000

# Program, options, and lines of the decoded image.
IMAGES = [
    ("a", [], ["vertex kernel", "pixel kernel", "pixel 2 kernel", "Pixel Shader Kills Pixel: true", "SAMPLER_STATE at",
               "Primitive Topology Type: 4 (TRILIST)"]),
    ("b", [], ["hull kernel", "domain kernel", "geometry kernel", "TE Domain: 1 (TRI)", "Partitioning: 1 (ODD_FRACTIONAL)",
               "Output Topology: 3 (LINESTRIP)", "Primitive Topology Type: 34 (PATCHLIST_3)", "Instance Control: 1"]),
    ("c", [], ["compute kernel", "GPGPU_WALKER", "Barrier Enable: true", "Shared Local Memory Size: 1"]),
    ("d", ["--blend", "--depth", "--instances=3", "--size=640x480"],
     ["Instance Count: 3", "Surface Type: 3 (SURFTYPE_CUBE)", "Depth Test Enable: true", "Stencil Buffer Enable: true",
      "Color Buffer Blend Enable: true", "Clipped Drawing Rectangle X Max: 639", "InstanceID Enable: true"]),
]


def main():
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        image, relocations = folder / "image", folder / "relocations"
        for name, text in SHADERS.items():
            (folder / name).write_text(text + "\n")
        for program, options, lines in IMAGES:
            subprocess.run([sys.argv[1], "--target=skl", f"--image={image}", f"--address={ADDRESS:#x}",
                            f"--relocations={relocations}", *options, *sorted(folder.glob(program + ".*"))],
                           stdout=subprocess.DEVNULL, check=True)
            result = subprocess.run([sys.argv[1], "--target=skl", f"--decode={image}", f"--address={ADDRESS:#x}"],
                                    stdout=subprocess.PIPE, text=True, check=False)
            found = [line for line in result.stdout.splitlines() if "error:" in line]
            found += [f"no line '{line}'" for line in lines if line not in result.stdout]
            size = image.stat().st_size
            for line in relocations.read_text().splitlines():
                offset, address, what = line.split(maxsplit=2)
                if int(offset, 16) + 8 > size or not ADDRESS <= int(address, 16) < ADDRESS + size:
                    found.append(f"relocation at {offset} to {address} ({what})")
            for line in found:
                print(f"{program}: {line}")
            errors += len(found) + (result.returncode != 0 and not found)
    return 1 if errors else 0


sys.exit(main())
