/* SPDX-License-Identifier: MIT */
/*
 * Named strings (GL_ARB_shading_language_include), which shaders can #include by their location in
 * a tree. The share group has a hash table from locations to strings, guarded by gl_shared.mutex.
 * Compilation copies the strings it includes.
 */
#include <string.h>
#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/program/gl_program.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/hash_table.h"

struct gl_named_strings {
    struct hash_table *strings; /* location → talloc'ed text; its length is the talloc size - 1 */
};

void gl_named_strings_finish(struct gl_shared *shared)
{
    talloc_free(shared->named_strings);
    shared->named_strings = NULL;
}

/* Returns the group's table and creates it if needed. NULL: out of memory. The caller holds the
 * mutex. */
static struct gl_named_strings *strings_of(struct gl_shared *shared)
{
    if (shared->named_strings)
        return shared->named_strings;
    struct gl_named_strings *s = talloc_zero(NULL, struct gl_named_strings);
    if (s)
        s->strings = hash_table_create_string(s);
    if (s && !s->strings) {
        talloc_free(s);
        return NULL;
    }
    return shared->named_strings = s;
}

/* Converts a name to a location (talloc'ed). NULL: an error was raised. */
static char *location_of(struct gl_context *ctx, GLint length, const GLchar *name, const char *call)
{
    size_t n = !name ? 0 : length < 0 ? strlen(name) : (size_t)length;
    char *location = n && name[0] == '/' ? glsl_path_locate(NULL, "/", name, n) : NULL;
    if (!location && ctx)
        gl_error(ctx, GL_INVALID_VALUE, "%s(name)", call);
    return location;
}

/* Returns the string at a location; NULL: none. The caller holds the mutex. */
static char *string_at(const struct gl_shared *shared, const char *location)
{
    return shared->named_strings ? hash_table_get(shared->named_strings->strings, location) : NULL;
}

static size_t string_length(const char *text)
{
    return talloc_get_size(text) - 1;
}

/* --------------------------------------------------------------------------------- commands --- */

static void remove_string(struct gl_shared *shared, const char *location)
{
    struct hash_table *table = shared->named_strings->strings;
    struct hash_entry *entry = hash_table_search(table, location);
    char *key = (char *)entry->key, *text = entry->data;
    hash_table_remove(table, entry);
    talloc_free(key);
    talloc_free(text);
}

static bool add_string(struct gl_shared *shared, const char *location, const GLchar *string,
                       size_t length)
{
    struct gl_named_strings *s = strings_of(shared);
    if (!s)
        return false;
    if (string_at(shared, location))
        remove_string(shared, location);
    char *key = talloc_strdup(s, location), *text = talloc_size(s, length + 1);
    if (!key || !text)
        goto fail;
    memcpy(text, string, length);
    text[length] = '\0';
    if (!hash_table_insert(s->strings, key, text))
        goto fail;
    return true;
fail:
    talloc_free(key);
    talloc_free(text);
    return false;
}

void gl_NamedStringARB(GLenum type, GLint namelen, const GLchar *name, GLint stringlen,
                       const GLchar *string)
{
    GL_CONTEXT(ctx);
    if (type != GL_SHADER_INCLUDE_ARB) {
        /* The extension doesn't specify the error. */
        gl_error(ctx, GL_INVALID_VALUE, "glNamedStringARB(type=%s)", gl_enum_name(type));
        return;
    }
    if (!string) {
        gl_error(ctx, GL_INVALID_VALUE, "glNamedStringARB(string)");
        return;
    }
    char *location = location_of(ctx, namelen, name, "glNamedStringARB");
    if (!location)
        return;
    pthread_mutex_lock(&ctx->shared->mutex);
    bool added = add_string(ctx->shared, location, string,
                            stringlen < 0 ? strlen(string) : (size_t)stringlen);
    pthread_mutex_unlock(&ctx->shared->mutex);
    if (!added)
        gl_error(ctx, GL_OUT_OF_MEMORY, "glNamedStringARB");
    talloc_free(location);
}

void gl_DeleteNamedStringARB(GLint namelen, const GLchar *name)
{
    GL_CONTEXT(ctx);
    char *location = location_of(ctx, namelen, name, "glDeleteNamedStringARB");
    if (!location)
        return;
    pthread_mutex_lock(&ctx->shared->mutex);
    bool found = string_at(ctx->shared, location) != NULL;
    if (found)
        remove_string(ctx->shared, location);
    pthread_mutex_unlock(&ctx->shared->mutex);
    if (!found)
        gl_error(ctx, GL_INVALID_OPERATION, "glDeleteNamedStringARB(no string)");
    talloc_free(location);
}

GLboolean gl_IsNamedStringARB(GLint namelen, const GLchar *name)
{
    GL_CONTEXT(ctx);
    char *location = location_of(NULL, namelen, name, "");
    if (!location)
        return GL_FALSE;
    pthread_mutex_lock(&ctx->shared->mutex);
    bool found = string_at(ctx->shared, location) != NULL;
    pthread_mutex_unlock(&ctx->shared->mutex);
    talloc_free(location);
    return found;
}

void gl_GetNamedStringARB(GLint namelen, const GLchar *name, GLsizei size, GLint *length,
                          GLchar *string)
{
    GL_CONTEXT(ctx);
    char *location = location_of(ctx, namelen, name, "glGetNamedStringARB");
    if (!location)
        return;
    pthread_mutex_lock(&ctx->shared->mutex);
    const char *text = string_at(ctx->shared, location);
    GLint n = 0;
    if (text && string && size > 0) {
        n = (GLint)MIN2(string_length(text), (size_t)size - 1);
        memcpy(string, text, n);
        string[n] = '\0';
    }
    pthread_mutex_unlock(&ctx->shared->mutex);
    if (!text)
        gl_error(ctx, GL_INVALID_OPERATION, "glGetNamedStringARB(no string)");
    else if (length)
        *length = n;
    talloc_free(location);
}

void gl_GetNamedStringivARB(GLint namelen, const GLchar *name, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    char *location = location_of(ctx, namelen, name, "glGetNamedStringivARB");
    if (!location)
        return;
    pthread_mutex_lock(&ctx->shared->mutex);
    const char *text = string_at(ctx->shared, location);
    size_t length = text ? string_length(text) + 1 : 0;
    pthread_mutex_unlock(&ctx->shared->mutex);
    if (!text)
        gl_error(ctx, GL_INVALID_OPERATION, "glGetNamedStringivARB(no string)");
    else if (pname == GL_NAMED_STRING_LENGTH_ARB)
        *params = (GLint)length;
    else if (pname == GL_NAMED_STRING_TYPE_ARB)
        *params = GL_SHADER_INCLUDE_ARB;
    else
        gl_error(ctx, GL_INVALID_ENUM, "glGetNamedStringivARB(pname=%s)", gl_enum_name(pname));
    talloc_free(location);
}

/* -------------------------------------------------------------------------------- compiling --- */

struct finder {
    struct gl_shared *shared;
    void *mem_ctx; /* owner of the copied strings */
};

/* Returns whether any string's location is below this one. */
static bool is_directory(const struct gl_shared *shared, const char *location)
{
    if (!shared->named_strings)
        return false;
    hash_table_foreach (shared->named_strings->strings, entry) {
        if (glsl_path_is_below(location, entry->key))
            return true;
    }
    return false;
}

static enum glsl_include_result find(void *data, const char *path, const char **text,
                                     size_t *length)
{
    struct finder *f = data;
    enum glsl_include_result result = GLSL_INCLUDE_NOT_FOUND;
    pthread_mutex_lock(&f->shared->mutex);
    const char *found = string_at(f->shared, path);
    if (found) {
        *length = string_length(found);
        *text = talloc_memdup(f->mem_ctx, found, *length + 1);
        result = *text ? GLSL_INCLUDE_FOUND : GLSL_INCLUDE_NOT_FOUND;
    } else if (is_directory(f->shared, path)) {
        result = GLSL_INCLUDE_NO_STRING;
    }
    pthread_mutex_unlock(&f->shared->mutex);
    return result;
}

void gl_named_strings_compile(struct gl_context *ctx, struct gl_shader_object *shader,
                              const char *const *search, unsigned num_search, GLuint name,
                              const char *call)
{
    struct finder f = {.shared = ctx->shared, .mem_ctx = talloc_new(NULL)};
    struct glsl_includes includes = {
        .search = search, .num_search = num_search, .find = find, .data = &f};
    if (f.mem_ctx)
        gl_shader_compile(ctx, shader, &includes, name, call);
    else
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    talloc_free(f.mem_ctx);
}

void gl_CompileShaderIncludeARB(GLuint name, GLsizei count, const GLchar *const *path,
                                const GLint *length)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glCompileShaderIncludeARB";
    struct gl_shader_object *shader = gl_names_lookup(&ctx->shared->programs, name);
    if (!shader || shader->is_program) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(shader=%u)", call, name);
        return;
    }
    if (count < 0 || (count > 0 && !path)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(count=%d)", call, count);
        return;
    }
    char **search = talloc_zero_array(NULL, char *, (size_t)count + 1);
    if (!search) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    bool good = true;
    for (GLsizei i = 0; good && i < count; i++) {
        search[i] = location_of(ctx, length ? length[i] : -1, path[i], call);
        good = search[i] != NULL;
        if (good)
            talloc_steal(search, search[i]);
    }
    if (good)
        gl_named_strings_compile(ctx, shader, (const char *const *)search, (unsigned)count, name,
                                 call);
    talloc_free(search);
}
