/* SPDX-License-Identifier: MIT */
/* Mesh shader workload (EXT_mesh_shader). A unit of work is one draw of 2^17 small triangles. */
#include <string.h>

#include "micro_gl.h"
#include "micro_workloads.h"

enum { GROUPS = 1024 }; /* workgroups of a draw, in 32 rows */

/* Attaches a shader, and exits with its log if it does not compile. */
static void attach(GLuint program, GLenum type, const char *text)
{
    const GLuint s = gl.CreateShader(type);
    GLint ok = 0;
    char log[1000] = "";
    gl.ShaderSource(s, 1, &text, NULL);
    gl.CompileShader(s);
    gl.GetShaderiv(s, GL_COMPILE_STATUS, &ok);
    gl.GetShaderInfoLog(s, sizeof log, NULL, log);
    if (!ok)
        micro_fail("mesh program", log);
    gl.AttachShader(program, s);
    gl.DeleteShader(s);
}

/* Each workgroup emits a square of 8×8 cells with two triangles each. */
void micro_setup_mesh(unsigned work)
{
    (void)work;
    const char *names = (const char *)gl.GetString(GL_EXTENSIONS);
    if (!gl.DrawMeshTasksEXT || !names || !strstr(names, "GL_EXT_mesh_shader"))
        micro_fail("mesh", "there is no GL_EXT_mesh_shader");
    micro_target(0);
    const GLuint p = gl.CreateProgram();
    attach(p, GL_MESH_SHADER_EXT,
           "#version 450\n"
           "#extension GL_EXT_mesh_shader : require\n"
           "layout(local_size_x = 64) in;\n"
           "layout(triangles, max_vertices = 81, max_primitives = 128) out;\n"
           "out vec3 v[];\n"
           "void main() {\n"
           "    uint me = gl_LocalInvocationIndex;\n"
           "    vec2 corner = vec2(gl_WorkGroupID.x % 32u, gl_WorkGroupID.x / 32u);\n"
           "    SetMeshOutputsEXT(81u, 128u);\n"
           "    for (uint i = me; i < 81u; i += 64u) {\n"
           "        vec2 at = (corner + vec2(i % 9u, i / 9u) / 8.0) / 16.0 - 1.0;\n"
           "        gl_MeshVerticesEXT[i].gl_Position = vec4(at, 0.0, 1.0);\n"
           "        v[i] = vec3(at, 0.5);\n"
           "    }\n"
           "    uint i = me / 8u * 9u + me % 8u;\n"
           "    gl_PrimitiveTriangleIndicesEXT[2u * me] = uvec3(i, i + 1u, i + 9u);\n"
           "    gl_PrimitiveTriangleIndicesEXT[2u * me + 1u] = uvec3(i + 1u, i + 10u, i + 9u);\n"
           "}\n");
    attach(p, GL_FRAGMENT_SHADER,
           "#version 450\n"
           "in vec3 v;\n"
           "out vec4 color;\n"
           "void main() { color = vec4(v, 1.0); }\n");
    GLint ok = 0;
    char log[1000] = "";
    gl.LinkProgram(p);
    gl.GetProgramiv(p, GL_LINK_STATUS, &ok);
    gl.GetProgramInfoLog(p, sizeof log, NULL, log);
    if (!ok)
        micro_fail("mesh program", log);
    gl.UseProgram(p);
}

/* Draws `work` times. */
void micro_frame_mesh(unsigned work)
{
    for (unsigned i = 0; i < work; i++)
        gl.DrawMeshTasksEXT(GROUPS, 1, 1);
}
