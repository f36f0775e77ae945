/* SPDX-License-Identifier: MIT */
/* OpenGL functions used by transfers-bench, looked up in whichever libEGL the loader finds. */
#ifndef TRANSFERS_GL_H
#define TRANSFERS_GL_H

#include <GL/gl.h>
#include <GL/glext.h>

/* F(result type, name without gl, parameters) */
#define TRANSFERS_FUNCTIONS(F)                                                                     \
    F(void, BindBuffer, (GLenum, GLuint))                                                          \
    F(void, BindFramebuffer, (GLenum, GLuint))                                                     \
    F(void, BindRenderbuffer, (GLenum, GLuint))                                                    \
    F(void, BindTexture, (GLenum, GLuint))                                                         \
    F(void, Bitmap, (GLsizei, GLsizei, GLfloat, GLfloat, GLfloat, GLfloat, const GLubyte *))       \
    F(void, BlitFramebuffer,                                                                       \
      (GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum))                \
    F(void, BufferData, (GLenum, GLsizeiptr, const void *, GLenum))                                \
    F(void, BufferStorage, (GLenum, GLsizeiptr, const void *, GLbitfield))                         \
    F(GLenum, CheckFramebufferStatus, (GLenum))                                                    \
    F(void, Clear, (GLbitfield))                                                                   \
    F(void, ClearBufferSubData,                                                                    \
      (GLenum, GLenum, GLintptr, GLsizeiptr, GLenum, GLenum, const void *))                        \
    F(void, ClearColor, (GLfloat, GLfloat, GLfloat, GLfloat))                                      \
    F(void, ClearTexImage, (GLuint, GLint, GLenum, GLenum, const void *))                          \
    F(void, CopyImageSubData,                                                                      \
      (GLuint, GLenum, GLint, GLint, GLint, GLint, GLuint, GLenum, GLint, GLint, GLint, GLint,     \
       GLsizei, GLsizei, GLsizei))                                                                 \
    F(void, CopyPixels, (GLint, GLint, GLsizei, GLsizei, GLenum))                                  \
    F(void, CopyTexImage2D, (GLenum, GLint, GLenum, GLint, GLint, GLsizei, GLsizei, GLint))        \
    F(void, CopyTexSubImage2D, (GLenum, GLint, GLint, GLint, GLint, GLint, GLsizei, GLsizei))      \
    F(void, CopyTexSubImage3D,                                                                     \
      (GLenum, GLint, GLint, GLint, GLint, GLint, GLint, GLsizei, GLsizei))                        \
    F(void, DeleteBuffers, (GLsizei, const GLuint *))                                              \
    F(void, DeleteFramebuffers, (GLsizei, const GLuint *))                                         \
    F(void, DeleteRenderbuffers, (GLsizei, const GLuint *))                                        \
    F(void, DeleteTextures, (GLsizei, const GLuint *))                                             \
    F(void, DrawBuffer, (GLenum))                                                                  \
    F(void, DrawPixels, (GLsizei, GLsizei, GLenum, GLenum, const void *))                          \
    F(void, Finish, (void))                                                                        \
    F(void, FramebufferRenderbuffer, (GLenum, GLenum, GLenum, GLuint))                             \
    F(void, FramebufferTexture2D, (GLenum, GLenum, GLenum, GLuint, GLint))                         \
    F(void, FramebufferTextureLayer, (GLenum, GLenum, GLuint, GLint, GLint))                       \
    F(void, GenBuffers, (GLsizei, GLuint *))                                                       \
    F(void, GenFramebuffers, (GLsizei, GLuint *))                                                  \
    F(void, GenRenderbuffers, (GLsizei, GLuint *))                                                 \
    F(void, GenTextures, (GLsizei, GLuint *))                                                      \
    F(void, GenerateMipmap, (GLenum))                                                              \
    F(GLenum, GetError, (void))                                                                    \
    F(void, GetTexImage, (GLenum, GLint, GLenum, GLenum, void *))                                  \
    F(void, GetTextureSubImage,                                                                    \
      (GLuint, GLint, GLint, GLint, GLint, GLsizei, GLsizei, GLsizei, GLenum, GLenum, GLsizei,     \
       void *))                                                                                    \
    F(void *, MapBufferRange, (GLenum, GLintptr, GLsizeiptr, GLbitfield))                          \
    F(void, PixelMapfv, (GLenum, GLsizei, const GLfloat *))                                        \
    F(void, PixelStorei, (GLenum, GLint))                                                          \
    F(void, PixelTransferf, (GLenum, GLfloat))                                                     \
    F(void, PixelTransferi, (GLenum, GLint))                                                       \
    F(void, PixelZoom, (GLfloat, GLfloat))                                                         \
    F(void, RasterPos2i, (GLint, GLint))                                                           \
    F(void, ReadBuffer, (GLenum))                                                                  \
    F(void, ReadPixels, (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *))                  \
    F(void, RenderbufferStorageMultisample, (GLenum, GLsizei, GLenum, GLsizei, GLsizei))           \
    F(void, TexImage2D,                                                                            \
      (GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *))               \
    F(void, TexImage3D,                                                                            \
      (GLenum, GLint, GLint, GLsizei, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *))      \
    F(void, TexParameteri, (GLenum, GLenum, GLint))                                                \
    F(void, TexSubImage2D,                                                                         \
      (GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, const void *))               \
    F(void, TexSubImage3D,                                                                         \
      (GLenum, GLint, GLint, GLint, GLint, GLsizei, GLsizei, GLsizei, GLenum, GLenum,              \
       const void *))                                                                              \
    F(void, Viewport, (GLint, GLint, GLsizei, GLsizei))

struct transfers_gl {
#define DECLARE(result, name, arguments) result(APIENTRY *name) arguments;
    TRANSFERS_FUNCTIONS(DECLARE)
#undef DECLARE
};

#endif
