# SPDX-License-Identifier: MIT
"""check_model.py INDIUM_COMPILE MODEL_RUN LIBOSMESA: runs images of GPU memory on the model of a GPU.

Each program of stage_shaders.py is drawn twice: from an image that indium-compile writes, by the model, and by
OpenGL with the CPU driver and the same vertices, constants and textures. The first render target and the captured
outputs must agree. A channel may differ by TOLERANCE, and in BORDER of the pixels by any value: the model and the CPU
driver round coordinates of vertices differently."""
import array
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from stage_shaders import SHADERS

ADDRESS = 0x123456000
TOLERANCE = 2
BORDER = 0.005
SIZE = 256
CAPTURE = 0x8000

# Program: options of the image, and the kinds of its textures by uniform.
PROGRAMS = {
    "a": ([], {"s": "2d"}), "b": ([], {}), "d": (["--blend", "--depth", "--instances=3"], {"s": "cube", "t": "2d-array"}),
    "e": (["--vertices=9"], {}), "f": (["--depth"], {}), "g": (["--blend"], {}), "h": (["--instances=4"], {}),
    "j": ([], {"s": "3d", "t": "cube-array", "u": "1d"}), "k": ([], {}), "l": ([], {}), "m": ([], {}), "n": ([], {}), "o": ([], {}),
}
CAPTURES = {"k": [0, 2], "l": [1], "m": [0]}  # numbers of the buffers
MODES = {"l": 0}
STAGES = {"vert": 0x8B31, "frag": 0x8B30, "geom": 0x8DD9, "tesc": 0x8E88, "tese": 0x8E87}
TARGETS = {"1d": 0x0DE0, "2d": 0x0DE1, "3d": 0x806F, "cube": 0x8513, "2d-array": 0x8C1A, "cube-array": 0x9009}
CORNERS = [(-1, -1), (1, -1), (-1, 1)]


class Gl:
    """Functions of OpenGL by name, without the prefix."""

    def __init__(self, library):
        self.mesa = ctypes.CDLL(library)
        self.mesa.OSMesaGetProcAddress.restype = ctypes.c_void_p
        self.mesa.OSMesaCreateContextExt.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(self.mesa.OSMesaCreateContextExt(0x1908, 24, 8, 0, None))
        self.pixels = ctypes.create_string_buffer(SIZE * SIZE * 4)
        if not self.mesa.OSMesaMakeCurrent(self.context, self.pixels, 0x1401, SIZE, SIZE):
            sys.exit("no context")

    def __getattr__(self, name):
        address = self.mesa.OSMesaGetProcAddress(b"gl" + name.encode())
        return ctypes.CFUNCTYPE(ctypes.c_int)(address)

    def make(self, function):
        """Returns the name of a new object of a function glGen…."""
        name = ctypes.c_uint()
        getattr(self, function)(1, ctypes.byref(name))
        return name.value


def number(value):
    return ctypes.c_float(value)


def make_program(gl, sources):
    program = gl.CreateProgram()
    for stage, text in sources.items():
        shader = gl.CreateShader(STAGES[stage])
        gl.ShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text.encode())), None)
        gl.CompileShader(shader)
        gl.AttachShader(program, shader)
    gl.LinkProgram(program)
    linked = ctypes.c_int()
    gl.GetProgramiv(program, 0x8B82, ctypes.byref(linked))
    if not linked.value:
        sys.exit(f"a program does not link: {sources}")
    gl.UseProgram(program)
    return program


def set_uniforms(gl, program):
    """Constants are rows of unit matrices: the first uniform is a number, vector or matrix of them."""
    values = (ctypes.c_float * 16)(*(1.0 if i % 5 == 0 else 0.0 for i in range(16)))
    for name, function in (("m", "UniformMatrix4fv"), ("color", "Uniform4fv"), ("shift", "Uniform4fv"), ("level", "Uniform1fv")):
        location = gl.GetUniformLocation(program, name.encode())
        if location >= 0 and function.startswith("UniformM"):
            getattr(gl, function)(location, 1, 0, values)
        elif location >= 0:
            getattr(gl, function)(location, 1, values)


def make_texture(gl, target, kind):
    """Gradients in each layer: red grows to the right, green upwards."""
    size = 64
    layer = bytes(c for y in range(size) for x in range(size) for c in (x * 4 & 255, y * 4 & 255, 128, 255))
    gl.BindTexture(target, gl.make("GenTextures"))
    for name, value in ((0x2801, 0x2601), (0x2800, 0x2601), (0x2802, 0x2901), (0x2803, 0x2901), (0x8072, 0x2901)):
        gl.TexParameteri(target, name, value)
    if kind == "1d":
        gl.TexImage1D(target, 0, 0x8058, size, 0, 0x1908, 0x1401, layer)
    elif kind == "2d":
        gl.TexImage2D(target, 0, 0x8058, size, size, 0, 0x1908, 0x1401, layer)
    elif kind == "cube":
        for face in range(6):
            gl.TexImage2D(0x8515 + face, 0, 0x8058, size, size, 0, 0x1908, 0x1401, layer)
    else:
        gl.TexImage3D(target, 0, 0x8058, size, size, 12, 0, 0x1908, 0x1401, layer * 12)


def bind_vertices(gl, program, count):
    """Every attribute reads the same 32 bytes of a vertex, as its type wants them."""
    data = array.array("f")
    for v in range(count):
        data.extend([*CORNERS[v % 3], 0, 1, 0, 0, 0, 0])
    gl.BindVertexArray(gl.make("GenVertexArrays"))
    gl.BindBuffer(0x8892, gl.make("GenBuffers"))
    gl.BufferData(0x8892, ctypes.c_ssize_t(len(data) * 4), data.tobytes(), 0x88E4)
    for name, kind in (("p", "f"), ("q", "f"), ("r", "i")):
        location = gl.GetAttribLocation(program, name.encode())
        if location < 0:
            continue
        size, kinds = ctypes.c_int(), ctypes.c_uint()
        text = ctypes.create_string_buffer(32)
        for i in range(8):
            gl.GetActiveAttrib(program, i, 32, None, ctypes.byref(size), ctypes.byref(kinds), text)
            if text.value.decode() == name:
                break
        if kinds.value == 0x8FFD:  # dvec3
            gl.VertexAttribLPointer(location, 3, 0x140A, 32, None)
        elif kind == "i":
            gl.VertexAttribIPointer(location, 4, 0x1404, 32, None)
        else:
            gl.VertexAttribPointer(location, 4, 0x1406, 0, 32, None)
        gl.EnableVertexAttribArray(location)


def make_targets(gl, depth):
    gl.BindFramebuffer(0x8D40, gl.make("GenFramebuffers"))
    for i in range(2):
        gl.BindRenderbuffer(0x8D41, gl.make("GenRenderbuffers"))
        gl.RenderbufferStorage(0x8D41, 0x8058, SIZE, SIZE)
        gl.FramebufferRenderbuffer(0x8D40, 0x8CE0 + i, 0x8D41, ctypes.c_uint(gl_bound(gl)))
    gl.DrawBuffers(2, (ctypes.c_uint * 2)(0x8CE0, 0x8CE1))
    if depth:
        gl.BindRenderbuffer(0x8D41, gl.make("GenRenderbuffers"))
        gl.RenderbufferStorage(0x8D41, 0x8CAC, SIZE, SIZE)
        gl.FramebufferRenderbuffer(0x8D40, 0x8D00, 0x8D41, ctypes.c_uint(gl_bound(gl)))
        gl.Enable(0x0B71)
    gl.ClearDepthf(number(0))
    gl.Viewport(0, 0, SIZE, SIZE)
    gl.ClearColor(number(0), number(0), number(0), number(0))
    gl.Clear(0x4100)


def gl_bound(gl):
    name = ctypes.c_int()
    gl.GetIntegerv(0x8CA7, ctypes.byref(name))
    return name.value


def option(options, name, default):
    return next((int(o.split("=")[1]) for o in options if o.startswith(name + "=")), default)


def draw_reference(gl, program_name, options, textures):
    """Returns the pixels, lowest row first, and the captured buffers."""
    sources = {name.split(".")[1]: text for name, text in SHADERS.items() if name.startswith(program_name + ".")}
    program = make_program(gl, sources)
    make_targets(gl, "--depth" in options)
    set_uniforms(gl, program)
    for unit, (uniform, kind) in enumerate(textures.items()):
        gl.ActiveTexture(0x84C0 + unit)
        make_texture(gl, TARGETS[kind], kind)
        gl.Uniform1i(gl.GetUniformLocation(program, uniform.encode()), unit)
    count = option(options, "--vertices", 3)
    bind_vertices(gl, program, count)
    if "--blend" in options:
        gl.Enable(0x0BE2)
        gl.BlendFunc(0x0302, 0x0303)
    captures = CAPTURES.get(program_name, [])
    for index in captures:
        gl.BindBufferBase(0x8C8E, index, gl.make("GenBuffers"))
        gl.BufferData(0x8C8E, ctypes.c_ssize_t(CAPTURE), bytes(CAPTURE), 0x88E4)
    if captures:
        gl.BeginTransformFeedback(MODES.get(program_name, 4))
    if "tesc" in sources:
        gl.PatchParameteri(0x8E72, 3)
    gl.DrawArraysInstanced(0xE if "tesc" in sources else 4, 0, count, option(options, "--instances", 1))
    buffers = []
    if captures:
        gl.EndTransformFeedback()
    for index in captures:
        name = ctypes.c_int()
        gl.GetIntegeri_v(0x8C8F, index, ctypes.byref(name))
        gl.BindBuffer(0x8C8E, ctypes.c_uint(name.value))
        data = ctypes.create_string_buffer(CAPTURE)
        gl.GetBufferSubData(0x8C8E, ctypes.c_ssize_t(0), ctypes.c_ssize_t(CAPTURE), data)
        buffers.append(data.raw)
    pixels = ctypes.create_string_buffer(SIZE * SIZE * 4)
    gl.ReadBuffer(0x8CE0)
    gl.ReadPixels(0, 0, SIZE, SIZE, 0x1908, 0x1401, pixels)
    error = gl.GetError()
    if error:
        sys.exit(f"{program_name}: OpenGL error {error:#x}")
    gl.Disable(0x0BE2)
    gl.Disable(0x0B71)
    return pixels.raw, buffers


def run_image(folder, name, options, wanted):
    """Returns the bytes of the parts that a list of relocations' names and sizes selects, or an error message."""
    image, relocations = folder / "image", folder / "relocations"
    files = sorted(folder.glob(name + ".*"))
    subprocess.run([sys.argv[1], "--target=skl", f"--image={image}", f"--address={ADDRESS:#x}", f"--relocations={relocations}",
                    *options, *files], stdout=subprocess.DEVNULL, check=True)
    lines = [line.split(maxsplit=2) for line in relocations.read_text().splitlines()]
    parts = [(line[1], size) for what, size in wanted for line in lines if line[2] == what]
    reads = [f"--read={address}:{size}:{folder / f'part{i}'}" for i, (address, size) in enumerate(parts)]
    results = []
    for threads in 1, 5:
        result = subprocess.run([sys.argv[2], f"--address={ADDRESS:#x}", *reads, image], stderr=subprocess.PIPE, text=True,
                                check=False, env={**os.environ, "INDIUM_DEBUG": "threads", "INDIUM_THREADS": str(threads)})
        if result.returncode:
            return result.stderr.strip()
        results.append([(folder / f"part{i}").read_bytes() for i in range(len(parts))])
    return results[0] if results[0] == results[1] else "the result depends on the number of threads"


def run_model(folder, name, options):
    """Returns the pixels of the first target and the captured buffers, or an error message."""
    data = run_image(folder, name, options, [("render target", SIZE * SIZE * 4), ("stream output buffer", CAPTURE)])
    captured = len(CAPTURES.get(name, []))
    return data if isinstance(data, str) else (data[0], data[len(data) - captured:])


def check_compute(folder):
    """The group of c.comp stores 1 plus gl_NumWorkGroups.x, which is read from the constants: 1.0."""
    data = run_image(folder, "c", [], [("storage block", 16)])
    expected = [0x3f800001, 0, 0, 0]
    if isinstance(data, str):
        return [data]
    words = list(array.array("I", data[0]))
    return [] if words == expected else [f"stores {words} instead of {expected}"]


def check_trace(folder):
    """Returns what the trace of a draw, with the history of a covered pixel, lacks. The depth test fails if there is one."""
    pixel = r"^    pixel \(20, 200\): "
    covered = pixel + r"covered by primitive 0 \(layer 0, \w+-facing\), samples 0x1\n"
    state = [r"^0x123456000: PIPE_CONTROL\n    Depth Cache Flush Enable: ", r"^  state of 3DPRIMITIVE at 0x12345",
             r"^    3DSTATE_PS\n        ", r"^    at 0x\w+: COLOR_CALC_STATE\n        ", r"^    kernel at 0x\w+:\n"]
    expected = {
        "--depth": [*state, covered + pixel[1:] + r"sample 0: stencil test passes: reference \d+, result in the buffer \d+\n" + pixel[1:]
                    + r"sample 0: depth test fails: value 0x\w+, buffer 0\n"],
        "--blend": [*state, covered, r"^    at 0x\w+: RENDER_SURFACE_STATE\n        ",
                    pixel + r"sample 0 of target 0: written: shader output \(0x\w+ 0x\w+ 0x\w+ 0x3f800000\), \(\S+ \S+ \S+ 1\); "
                    r"bytes after the write: \w{8}\n"],
    }
    missing = []
    for option, lines in expected.items():
        image = folder / "trace.image"
        subprocess.run([sys.argv[1], "--target=skl", f"--image={image}", f"--address={ADDRESS:#x}", option, *sorted(folder.glob("m.*"))],
                       stdout=subprocess.DEVNULL, check=True)
        trace = subprocess.run([sys.argv[2], f"--address={ADDRESS:#x}", "--strict", "--trace=20,200", image], capture_output=True,
                               text=True, check=False).stdout
        missing += [f"the trace with {option} has no {line}" for line in lines if not re.search(line, trace, re.MULTILINE)]
    return missing


def compare(ours, theirs):
    """Returns what is different."""
    found = []
    different = sum(any(abs(a - b) > TOLERANCE for a, b in zip(ours[0][i:i + 4], theirs[0][i:i + 4]))
                    for i in range(0, len(theirs[0]), 4))
    if different > BORDER * SIZE * SIZE:
        found.append(f"{different} pixels differ")
    for i, (a, b) in enumerate(zip(ours[1], theirs[1])):
        if a != b:
            found.append(f"captured buffer {i} differs at byte {next(k for k in range(len(a)) if a[k] != b[k])}")
    if len(ours[1]) != len(theirs[1]):
        found.append(f"{len(ours[1])} captured buffers instead of {len(theirs[1])}")
    return found


def main():
    errors = drawn = 0
    gl = Gl(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, text in SHADERS.items():
            (folder / name).write_text(text + "\n")
        for name, (options, textures) in PROGRAMS.items():
            theirs = draw_reference(gl, name, options, textures)
            ours = run_model(folder, name, options)
            found = [ours] if isinstance(ours, str) else compare(ours, theirs)
            drawn += any(theirs[0])
            for line in found:
                print(f"{name}: {line}")
            errors += len(found)
        for line in check_trace(folder):
            print(line)
            errors += 1
        for line in check_compute(folder):
            print(f"c: {line}")
            errors += 1
    if drawn < 7:  # The other images are empty: their triangles are degenerate or fail the depth test.
        print(f"the reference drew only {drawn} programs")
        errors += 1
    return 1 if errors else 0


sys.exit(main())
