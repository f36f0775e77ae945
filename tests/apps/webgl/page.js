// SPDX-License-Identifier: MIT
// Code shared by the pages. finish() writes the renderer, the error and the pixels to the document,
// where the program that loaded the page reads them.
'use strict';

const report = {};

function start(kind, attributes) {
    const gl = document.getElementById('canvas').getContext(kind, attributes);
    if (!gl)
        throw new Error('no ' + kind);
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    report.version = gl.getParameter(gl.VERSION);
    report.renderer = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
    return gl;
}

function shader(gl, type, text) {
    const s = gl.createShader(type);
    gl.shaderSource(s, text);
    gl.compileShader(s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS))
        throw new Error(gl.getShaderInfoLog(s));
    return s;
}

function program(gl, vertex, fragment) {
    const p = gl.createProgram();
    gl.attachShader(p, shader(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(p, shader(gl, gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS))
        throw new Error(gl.getProgramInfoLog(p));
    gl.useProgram(p);
    return p;
}

// Returns `count` RGBA texels of two colors, a checkerboard in rows of eight.
function checkers(count, one, other) {
    const texels = new Uint8Array(count * 4);
    for (let i = 0; i < count; i++)
        texels.set(((i >> 3) ^ i) & 1 ? one : other, i * 4);
    return texels;
}

function finish(gl) {
    const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, p = new Uint8Array(w * h * 4);
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p);
    let text = '';
    for (let i = 0; i < p.length; i += 4096)
        text += String.fromCharCode.apply(null, p.subarray(i, i + 4096));
    Object.assign(report, {width: w, height: h, error: gl.getError(), pixels: btoa(text)});
    document.getElementById('report').textContent = JSON.stringify(report);
}
