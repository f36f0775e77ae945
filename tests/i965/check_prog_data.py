# SPDX-License-Identifier: MIT
"""check_prog_data.py INDIUM_COMPILE: checks the JSON of --prog-data=json for a program of each stage, and messages
for programs that can't be compiled."""
import json
import pathlib
import subprocess
import sys
import tempfile

from stage_shaders import SHADERS

# Program, stage, and members of the JSON object with their values.
EXPECTED = [
    ("a", "vs", {"vs.inputs": [32, 34, 35], "vs.uses_vertex_ids": False, "curb_read_length": 2,
                 "push_ranges": [{"buffer": 0, "start": 0, "length": 2}],
                 "vue_map.slots": {"POS": 1, "VAR3": 2}}),
    ("a", "fs", {"fs.inputs": ["VAR3"], "fs.uses_discard": True, "fs.num_color_outputs": 1, "fs.writes_depth": False,
                 "binding_table.textures": 1, "sampler_count": 1}),
    ("b", "vs", {"vs.uses_vertex_ids": True, "push_ranges": []}),
    ("b", "tcs", {"tcs.vertices_out": 3, "tcs.instances": 1, "vue_map.num_patch_slots": 3}),
    ("b", "tes", {"tes.primitive": "triangles", "tes.spacing": "fractional_odd", "tes.ccw": False}),
    ("b", "gs", {"gs.input_primitive": "triangles", "gs.output_primitive": "line_strip", "gs.invocations": 2,
                 "gs.vertices_in": 3, "gs.vertices_out": 4, "gs.control_data_format": "cut"}),
    ("b", "fs", {"fs.inputs": ["VAR1"], "fs.flat_inputs": 1, "fs.writes_depth": True, "fs.num_color_outputs": 2}),
    ("c", "cs", {"cs.local_size": [8, 4, 1], "cs.shared_size": 64, "cs.uses_barrier": True,
                 "cs.uses_num_work_groups": True}),
    ("i", "cs", {"constants": [i * i for i in range(20)], "binding_table.constants": 2}),
]

# Fragment shader, and a part of the message.
UNSUPPORTED = [
    ("#version 450\n#extension GL_ARB_bindless_texture: require\nlayout(binding = 0) uniform B { sampler2D s; };\n"
     "out vec4 color; void main() { color = texture(s, vec2(0.5)); }", "texture handles are not supported"),
    ("#version 450\n#extension GL_ARB_bindless_texture: require\n"
     "layout(binding = 0) uniform B { layout(rgba8) writeonly image2D i; };\n"
     "void main() { imageStore(i, ivec2(0), vec4(1)); }", "image handles are not supported"),
    ("#version 450\n#extension GL_ARB_gpu_shader_int64: require\n"
     "#extension GL_NV_shader_atomic_int64: require\nlayout(binding = 0) buffer B { uint64_t v; };\n"
     "void main() { atomicXor(v, 1ul); }", "no atomic operations on 64-bit integers"),
]


def member(data, path):
    for name in path.split("."):
        data = data[name]
    return data


def main():
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, text in SHADERS.items():
            (folder / name).write_text(text + "\n")
        for program in sorted({p for p, _, _ in EXPECTED}):
            files = sorted(folder.glob(program + ".*"))
            result = subprocess.run([sys.argv[1], "--target=skl", "--prog-data=json", *files],
                                    stdout=subprocess.PIPE, text=True, check=True)
            objects = [json.loads(line) for line in result.stdout.splitlines()]
            for _, stage, values in (e for e in EXPECTED if e[0] == program):
                data = next(o for o in objects if stage in o)
                kernels = data["kernels"]
                if not kernels or any(k["width"] not in (8, 16, 32) or not k["code_size"] for k in kernels):
                    print(f"{program}, {stage}: kernels {kernels}")
                    errors += 1
                for path, value in values.items():
                    if member(data, path) != value:
                        print(f"{program}, {stage}: {path} is {member(data, path)} instead of {value}")
                        errors += 1
        for text, message in UNSUPPORTED:
            path = folder / "unsupported.frag"
            path.write_text(text + "\n")
            result = subprocess.run([sys.argv[1], "--target=skl", path], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, check=False)
            if not result.returncode or message not in result.stdout:
                print(f"exit status {result.returncode}, no '{message}' in:\n{result.stdout}")
                errors += 1
    return 1 if errors else 0


sys.exit(main())
