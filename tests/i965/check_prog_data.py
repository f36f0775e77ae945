# SPDX-License-Identifier: MIT
"""check_prog_data.py INDIUM_COMPILE: checks the JSON of --prog-data=json for a program of each stage."""
import json
import pathlib
import subprocess
import sys
import tempfile

SHADERS = {
    "a.vert": """#version 450
layout(location = 0) in vec4 p; layout(location = 1) in dvec3 q; layout(location = 3) out vec2 uv;
uniform mat4 m;
void main() { gl_Position = m * p * float(q.x); uv = p.xy; }""",
    "a.frag": """#version 450
layout(location = 3) in vec2 uv; layout(location = 0) out vec4 c; uniform sampler2D s;
void main() { c = texture(s, uv); if (c.a < 0.5) discard; }""",
    "b.vert": "#version 450\nvoid main() { gl_Position = vec4(gl_VertexID); }",
    "b.tesc": """#version 450
layout(vertices = 3) out; patch out vec4 color;
void main() { color = vec4(1); gl_TessLevelOuter[gl_InvocationID] = 2; barrier(); }""",
    "b.tese": """#version 450
layout(triangles, fractional_odd_spacing, cw) in; patch in vec4 color; layout(location = 0) out vec4 c;
void main() { gl_Position = gl_TessCoord.xyzz; c = color; }""",
    "b.geom": """#version 450
layout(triangles, invocations = 2) in; layout(line_strip, max_vertices = 4) out; layout(location = 0) in vec4 c[];
layout(location = 1) out vec4 d;
void main() { for (int i = 0; i < 4; i++) { gl_Position = vec4(i); d = c[0]; EmitVertex(); if (i == 1) EndPrimitive(); } }""",
    "b.frag": """#version 450
layout(location = 1) flat in vec4 d; layout(location = 0) out vec4 c; layout(location = 1) out vec4 e;
void main() { c = d; e = gl_FragCoord; gl_FragDepth = 0.5; }""",
    "c.comp": """#version 450
layout(local_size_x = 8, local_size_y = 4) in; shared uint x[16]; layout(std430, binding = 0) buffer B { uint y[]; };
void main() { x[gl_LocalInvocationIndex & 15] = 1; barrier(); y[gl_WorkGroupID.x] = x[3] + gl_NumWorkGroups.x; }""",
}

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
    return 1 if errors else 0


sys.exit(main())
