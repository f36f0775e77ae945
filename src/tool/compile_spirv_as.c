/* SPDX-License-Identifier: MIT */
/* Assembles SPIR-V text with spirv-as of SPIRV-Tools. */
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "compile_program.h"

/* Runs spirv-as with the given input and output files. */
static bool run_assembler(FILE *in, FILE *out)
{
    char *const argv[] = {"spirv-as", "--target-env", "opengl4.5", "-o", "-", "-", NULL};
    posix_spawn_file_actions_t actions;
    int status = 0;
    pid_t pid;
    if (posix_spawn_file_actions_init(&actions))
        return false;
    bool ok = posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO) == 0 &&
              posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO) == 0 &&
              posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0 &&
              waitpid(pid, &status, 0) == pid && status == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

char *compile_assemble_spirv(void *mem_ctx, const char *text, size_t length, size_t *size)
{
    FILE *in = tmpfile(), *out = tmpfile();
    char *words = NULL;
    if (in && out && fwrite(text, 1, length, in) == length && fflush(in) == 0 &&
        fseek(in, 0, SEEK_SET) == 0 && run_assembler(in, out) && fseek(out, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(out);
        words = talloc_size(mem_ctx, *size);
        rewind(out);
        if (words && fread(words, 1, *size, out) != *size)
            words = NULL;
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return words;
}
