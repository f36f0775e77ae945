# SPDX-License-Identifier: MIT
"""check_messages.py INDIUM_COMPILE TARGET…: checks the numbers of messages and of interpolation instructions of
programs, for which the compiler merges or avoids some."""
import pathlib
import re
import subprocess
import sys
import tempfile

VERTEX = "[vertex shader]\n#version 430\nin vec4 p;\nvoid main() { gl_Position = p; }\n"
EVALUATION = """[tessellation evaluation shader]
#version 430
layout(triangles) in; in vec4 c[]; out vec4 d;
void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x; d = c[0]; }
"""
FRAGMENT = "[fragment shader]\n#version 430\nin vec4 d; out vec4 o;\nvoid main() { o = d; }\n"

# Name, program, stage, width and number of messages.
MESSAGES = [
    # A read of the position; writes of the position, the color and the levels, the last of which ends the thread.
    ("three-vertices", VERTEX + """[tessellation control shader]
#version 430
layout(vertices = 3) out; out vec4 c[]; uniform vec4 k;
void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; c[gl_InvocationID] = k;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0; }
""" + EVALUATION + FRAGMENT, "tcs", 8, 4),
    # Nothing is enabled again at the end, because each of the 8 channels has a vertex.
    ("eight-vertices", VERTEX + """[tessellation control shader]
#version 430
layout(vertices = 8) out; out vec4 c[]; uniform vec4 k;
void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; c[gl_InvocationID] = k;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0; }
""" + EVALUATION + FRAGMENT, "tcs", 8, 4),
    # The last write is in an if, and an empty one ends the thread.
    ("conditional-write", VERTEX + """[tessellation control shader]
#version 430
layout(vertices = 3) out; out vec4 c[]; uniform vec4 k;
void main() { c[gl_InvocationID] = k; gl_out[gl_InvocationID].gl_Position = k;
    if (gl_InvocationID == 0)
        gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = k.x; }
""" + EVALUATION + FRAGMENT, "tcs", 8, 4),
    # A read of a constant array; the write of the color.
    ("constant-array", VERTEX + """[fragment shader]
#version 430
out vec4 o; uniform int i; uniform vec4 a;
const vec4 t[24] = vec4[](vec4(1), vec4(2), vec4(3), vec4(4), vec4(5), vec4(6), vec4(7), vec4(8), vec4(1), vec4(2),
    vec4(3), vec4(4), vec4(5), vec4(6), vec4(7), vec4(8), vec4(1), vec4(2), vec4(3), vec4(4), vec4(5), vec4(6), vec4(7),
    vec4(9));
void main() { o = a + t[i]; }
""", "fs", 8, 2),
]

# An input of four components at SIMD16, and how many instructions interpolate it: pln for each; otherwise two mad for
# each, and four moves that join the barycentrics of the halves of the thread.
INTERPOLATION = "[vertex shader]\n#version 430\nin vec4 p; out vec4 d;\nvoid main() { gl_Position = d = p; }\n" + FRAGMENT
INTERPOLATION_CODE = {"bdw": (4, 0), "skl": (4, 0), "icl": (0, 8), "tgl": (0, 8)}


def statistics(compiler, target, file):
    """Returns the number of messages by stage and width."""
    result = subprocess.run([compiler, "--batch", "--quiet", f"--target={target}", "--list=-"], input=f"{file}\n",
                            capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    return {(row[1], row[2]): int(row[8]) for row in rows if len(row) == 9}


def main():
    compiler, targets = sys.argv[1], sys.argv[2:]
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, program, stage, width, messages in MESSAGES:
            file = pathlib.Path(folder, name + ".shader_test")
            file.write_text("[require]\nGLSL >= 4.30\n" + program + "[test]\n")
            for target in targets:
                found = statistics(compiler, target, file)[(stage, f"SIMD{width}")]
                if found != messages:
                    print(f"{name} for {target}: {found} messages, not {messages}")
                    errors += 1
        file = pathlib.Path(folder, "interpolation.shader_test")
        file.write_text("[require]\nGLSL >= 4.30\n" + INTERPOLATION + "[test]\n")
        for target in targets:
            text = subprocess.run([compiler, f"--target={target}", str(file)], capture_output=True, text=True,
                                  check=True).stdout
            text = text[text.index("fs SIMD16"):]
            counts = tuple(len(re.findall(rf"^L\d+ +{op} \(16", text, re.M)) for op in ("pln", "mad"))
            if counts != INTERPOLATION_CODE[target]:
                print(f"interpolation for {target}: pln, mad {counts}, not {INTERPOLATION_CODE[target]}")
                errors += 1
    sys.exit(errors != 0)


main()
