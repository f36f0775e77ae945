/* SPDX-License-Identifier: MIT */
/* The temporary directory with the device's files: when it is removed. */
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_client.h"

static char parent_directory[] = "/tmp/test-gpu-XXXXXX";

/* A shell that runs with its own emulated GPU. */
struct program {
    pid_t pid;
    int in, out; /* its standard input and output */
};

static struct program start(const char *script)
{
    struct program program;
    int in[2], out[2];

    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    program.pid = fork();
    assert_true(program.pid >= 0);
    if (!program.pid) {
        unsetenv("INDIUM_GPU_TREE");
        setenv("TMPDIR", parent_directory, 1);
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    program.in = in[1];
    program.out = out[0];
    return program;
}

/* Waits until the program ends. Returns its wait status. */
static int finish(struct program *program)
{
    int status;

    close(program->in);
    assert_int_equal(waitpid(program->pid, &status, 0), program->pid);
    close(program->out);
    return status;
}

/* Returns how many directories a process has created. */
static size_t count_directories(pid_t pid)
{
    char pattern[64];
    glob_t found;
    size_t count = 0;

    snprintf(pattern, sizeof pattern, "%s/indium-gpu-%d-*", parent_directory, (int)pid);
    if (glob(pattern, 0, NULL, &found) == 0)
        count = found.gl_pathc;
    globfree(&found);
    return count;
}

static int make_parent(void **state)
{
    return !mkdtemp(parent_directory);
}

static int remove_parent(void **state)
{
    return rmdir(parent_directory); /* fails if it isn't empty */
}

static void test_removal(void **state)
{
    struct program crashes = start("test -e /dev/dri/card0 && kill -9 $$");
    struct program waits, ends;
    char byte;

    assert_int_equal(WTERMSIG(finish(&crashes)), SIGKILL);
    assert_int_equal(count_directories(crashes.pid), 1);
    waits = start("test -e /dev/dri/card0 && echo && read line; test -e /dev/dri/card0");
    assert_int_equal(read(waits.out, &byte, 1), 1);
    assert_int_equal(count_directories(crashes.pid), 0);
    assert_int_equal(count_directories(waits.pid), 1);
    ends = start("exec ls /dev/dri");
    assert_int_equal(finish(&ends), 0);
    assert_int_equal(count_directories(ends.pid), 0);
    assert_int_equal(count_directories(waits.pid), 1); /* still in use */
    assert_int_equal(finish(&waits), 0);
    ends = start("exec ls /dev/dri");
    assert_int_equal(finish(&ends), 0);
    assert_int_equal(count_directories(waits.pid), 0);
}

/* A directory stays while a child uses it, even if its creator is gone. */
static void test_child(void **state)
{
    struct program parent =
        start("test -e /dev/dri/card0; exec 3<&0; (read line <&3; echo) & kill -9 $$");
    struct program other;
    int status;
    char byte;

    assert_int_equal(waitpid(parent.pid, &status, 0), parent.pid);
    assert_int_equal(count_directories(parent.pid), 1);
    other = start("exec ls /dev/dri");
    assert_int_equal(finish(&other), 0);
    assert_int_equal(count_directories(parent.pid), 1);
    close(parent.in);
    assert_int_equal(read(parent.out, &byte, 1), 1);
    while (read(parent.out, &byte, 1) > 0) /* until the child ends */
        ;
    close(parent.out);
    other = start("exec ls /dev/dri");
    assert_int_equal(finish(&other), 0);
    assert_int_equal(count_directories(parent.pid), 0);
}

const struct CMUnitTest directory_tests[] = {
    cmocka_unit_test_setup(test_removal, make_parent),
    cmocka_unit_test_teardown(test_child, remove_parent),
    {0},
};
