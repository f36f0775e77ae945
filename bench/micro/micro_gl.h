/* SPDX-License-Identifier: MIT */
/* OpenGL functions used by the workloads, looked up in whichever libEGL the loader finds. */
#ifndef MICRO_GL_H
#define MICRO_GL_H

#include <stdbool.h>

#include <GL/glcorearb.h>

/* Declarations of the compatibility profile, which glcorearb.h lacks. */
#define GL_COMPILE 0x1300
typedef void(APIENTRYP PFNGLBEGINPROC)(GLenum mode);
typedef void(APIENTRYP PFNGLENDPROC)(void);
typedef void(APIENTRYP PFNGLVERTEX2FPROC)(GLfloat x, GLfloat y);
typedef void(APIENTRYP PFNGLCOLOR3FPROC)(GLfloat r, GLfloat g, GLfloat b);
typedef void(APIENTRYP PFNGLLOADIDENTITYPROC)(void);
typedef void(APIENTRYP PFNGLROTATEFPROC)(GLfloat angle, GLfloat x, GLfloat y, GLfloat z);
typedef GLuint(APIENTRYP PFNGLGENLISTSPROC)(GLsizei range);
typedef void(APIENTRYP PFNGLNEWLISTPROC)(GLuint list, GLenum mode);
typedef void(APIENTRYP PFNGLENDLISTPROC)(void);
typedef void(APIENTRYP PFNGLCALLLISTPROC)(GLuint list);
#define GL_POINT_SPRITE  0x8861
#define GL_COORD_REPLACE 0x8862
#define GL_POINT_SMOOTH  0x0B10
#define GL_SELECT        0x1C02
#define GL_FEEDBACK      0x1C01
#define GL_RENDER        0x1C00
#define GL_3D_COLOR      0x0602
#define GL_QUADS         0x0007
typedef GLint(APIENTRYP PFNGLRENDERMODEPROC)(GLenum mode);
typedef void(APIENTRYP PFNGLSELECTBUFFERPROC)(GLsizei size, GLuint *buffer);
typedef void(APIENTRYP PFNGLFEEDBACKBUFFERPROC)(GLsizei size, GLenum type, GLfloat *buffer);
typedef void(APIENTRYP PFNGLINITNAMESPROC)(void);
typedef void(APIENTRYP PFNGLPUSHNAMEPROC)(GLuint name);
typedef void(APIENTRYP PFNGLLOADNAMEPROC)(GLuint name);
typedef void(APIENTRYP PFNGLTEXENVIPROC)(GLenum target, GLenum pname, GLint value);

/* F(type, name): the function gl<name>, whose pointer type is PFNGL<type>PROC. */
#define MICRO_FUNCTIONS(F)                                                                         \
    F(ATTACHSHADER, AttachShader)                                                                  \
    F(BEGIN, Begin)                                                                                \
    F(BINDATTRIBLOCATION, BindAttribLocation)                                                      \
    F(BINDBUFFER, BindBuffer)                                                                      \
    F(BINDBUFFERBASE, BindBufferBase)                                                              \
    F(BINDFRAMEBUFFER, BindFramebuffer)                                                            \
    F(BINDIMAGETEXTURE, BindImageTexture)                                                          \
    F(BINDTEXTURE, BindTexture)                                                                    \
    F(BINDVERTEXARRAY, BindVertexArray)                                                            \
    F(ACTIVETEXTURE, ActiveTexture)                                                                \
    F(BLENDFUNC, BlendFunc)                                                                        \
    F(BLITFRAMEBUFFER, BlitFramebuffer)                                                            \
    F(BUFFERDATA, BufferData)                                                                      \
    F(BUFFERSUBDATA, BufferSubData)                                                                \
    F(CALLLIST, CallList)                                                                          \
    F(CLEAR, Clear)                                                                                \
    F(CLEARCOLOR, ClearColor)                                                                      \
    F(COLOR3F, Color3f)                                                                            \
    F(COMPILESHADER, CompileShader)                                                                \
    F(CREATEPROGRAM, CreateProgram)                                                                \
    F(CREATESHADER, CreateShader)                                                                  \
    F(CULLFACE, CullFace)                                                                          \
    F(DELETEPROGRAM, DeleteProgram)                                                                \
    F(DELETESHADER, DeleteShader)                                                                  \
    F(DEPTHFUNC, DepthFunc)                                                                        \
    F(DISABLE, Disable)                                                                            \
    F(DISPATCHCOMPUTE, DispatchCompute)                                                            \
    F(DRAWARRAYS, DrawArrays)                                                                      \
    F(DRAWARRAYSINSTANCED, DrawArraysInstanced)                                                    \
    F(DRAWELEMENTS, DrawElements)                                                                  \
    F(ENABLE, Enable)                                                                              \
    F(ENABLEVERTEXATTRIBARRAY, EnableVertexAttribArray)                                            \
    F(END, End)                                                                                    \
    F(ENDLIST, EndList)                                                                            \
    F(FINISH, Finish)                                                                              \
    F(FRAMEBUFFERRENDERBUFFER, FramebufferRenderbuffer)                                            \
    F(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                                                  \
    F(GENBUFFERS, GenBuffers)                                                                      \
    F(GENERATEMIPMAP, GenerateMipmap)                                                              \
    F(GENFRAMEBUFFERS, GenFramebuffers)                                                            \
    F(GENLISTS, GenLists)                                                                          \
    F(GENRENDERBUFFERS, GenRenderbuffers)                                                          \
    F(BINDRENDERBUFFER, BindRenderbuffer)                                                          \
    F(RENDERBUFFERSTORAGEMULTISAMPLE, RenderbufferStorageMultisample)                              \
    F(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus)                                              \
    F(GENTEXTURES, GenTextures)                                                                    \
    F(GENVERTEXARRAYS, GenVertexArrays)                                                            \
    F(GETERROR, GetError)                                                                          \
    F(GETPROGRAMINFOLOG, GetProgramInfoLog)                                                        \
    F(GETPROGRAMIV, GetProgramiv)                                                                  \
    F(GETSHADERINFOLOG, GetShaderInfoLog)                                                          \
    F(GETSHADERIV, GetShaderiv)                                                                    \
    F(GETSTRING, GetString)                                                                        \
    F(GETUNIFORMLOCATION, GetUniformLocation)                                                      \
    F(GETUNIFORMBLOCKINDEX, GetUniformBlockIndex)                                                  \
    F(LINKPROGRAM, LinkProgram)                                                                    \
    F(LOADIDENTITY, LoadIdentity)                                                                  \
    F(MEMORYBARRIER, MemoryBarrier)                                                                \
    F(NEWLIST, NewList)                                                                            \
    F(PIXELSTOREI, PixelStorei)                                                                    \
    F(READPIXELS, ReadPixels)                                                                      \
    F(ROTATEF, Rotatef)                                                                            \
    F(SHADERSOURCE, ShaderSource)                                                                  \
    F(TEXIMAGE2D, TexImage2D)                                                                      \
    F(TEXIMAGE3D, TexImage3D)                                                                      \
    F(TEXPARAMETERI, TexParameteri)                                                                \
    F(TEXSTORAGE2D, TexStorage2D)                                                                  \
    F(TEXSUBIMAGE2D, TexSubImage2D)                                                                \
    F(UNIFORM1F, Uniform1f)                                                                        \
    F(UNIFORM1I, Uniform1i)                                                                        \
    F(UNIFORM4F, Uniform4f)                                                                        \
    F(UNIFORMBLOCKBINDING, UniformBlockBinding)                                                    \
    F(USEPROGRAM, UseProgram)                                                                      \
    F(VERTEX2F, Vertex2f)                                                                          \
    F(VERTEXATTRIBPOINTER, VertexAttribPointer)                                                    \
    F(DELETETEXTURES, DeleteTextures)                                                              \
    F(DRAWELEMENTSINSTANCED, DrawElementsInstanced)                                                \
    F(FEEDBACKBUFFER, FeedbackBuffer)                                                              \
    F(INITNAMES, InitNames)                                                                        \
    F(LINEWIDTH, LineWidth)                                                                        \
    F(LOADNAME, LoadName)                                                                          \
    F(MULTIDRAWARRAYS, MultiDrawArrays)                                                            \
    F(POINTSIZE, PointSize)                                                                        \
    F(PRIMITIVERESTARTINDEX, PrimitiveRestartIndex)                                                \
    F(PUSHNAME, PushName)                                                                          \
    F(RENDERMODE, RenderMode)                                                                      \
    F(SELECTBUFFER, SelectBuffer)                                                                  \
    F(TEXENVI, TexEnvi)                                                                            \
    F(VIEWPORT, Viewport)

/* Functions that only some workloads need. They are NULL if the library lacks them. */
#define MICRO_OPTIONAL(F) F(DRAWMESHTASKSEXT, DrawMeshTasksEXT)

/* Declarations of EXT_mesh_shader, which older headers lack. */
#ifndef GL_EXT_mesh_shader
#define GL_MESH_SHADER_EXT 0x9559
typedef void(APIENTRYP PFNGLDRAWMESHTASKSEXTPROC)(GLuint x, GLuint y, GLuint z);
#endif

struct micro_gl {
#define DECLARE(TYPE, name) PFNGL##TYPE##PROC name;
    MICRO_FUNCTIONS(DECLARE)
    MICRO_OPTIONAL(DECLARE)
#undef DECLARE
};
extern struct micro_gl gl;

#define MICRO_SIZE 1024 /* width and height of the render target in pixels */

struct micro_workload {
    const char *name;
    void (*setup)(unsigned work); /* Creates what a frame with `work` units needs. */
    /* Draws a frame with `work` units. The cost should be proportional to the work. */
    void (*frame)(unsigned work);
    unsigned work; /* units without doublings */
};
extern const struct micro_workload micro_workloads[];
extern const unsigned micro_num_workloads, micro_num_listed; /* listed workloads come first */

/* Exits with a message. */
_Noreturn void micro_fail(const char *what, const char *detail);
/* Creates and binds a framebuffer with RGBA8 color and depth, MICRO_SIZE × MICRO_SIZE, and sets the
 * viewport to its size. samples 0: not multisampled. */
GLuint micro_target(unsigned samples);

#endif
