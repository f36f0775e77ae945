/* SPDX-License-Identifier: MIT */
#include "xvfb.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t server;

static void run_server(int fd, const char *depth, const char *without, unsigned screens)
{
    char number[16], screen[32];
    int null = open("/dev/null", O_WRONLY);

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(null, 1);
    dup2(null, 2);
    snprintf(number, sizeof number, "%d", fd);
    snprintf(screen, sizeof screen, "640x480x%s", depth);
    const char *args[16] = {"Xvfb", "-displayfd", number, "-nolisten", "tcp", "-noreset"};
    unsigned n = 6;

    for (unsigned i = 0; i < screens && i < 2; i++) {
        args[n++] = "-screen";
        args[n++] = i ? "1" : "0";
        args[n++] = screen;
    }
    if (without) {
        args[n++] = "-extension";
        args[n++] = without;
    }
    execvp("Xvfb", (char *const *)args);
    _exit(127);
}

bool xvfb_start(const char *depth, const char *without)
{
    return xvfb_start_screens(depth, without, 1);
}

bool xvfb_start_screens(const char *depth, const char *without, unsigned screens)
{
    char display[32] = ":";
    size_t length = 1;
    ssize_t n;
    int fd[2];

    if (pipe(fd) != 0)
        return false;
    server = fork();
    if (server == 0) {
        close(fd[0]);
        run_server(fd[1], depth, without, screens);
    }
    close(fd[1]);
    while (length < sizeof display - 1 &&
           (n = read(fd[0], display + length, sizeof display - 1 - length)) > 0) {
        length += n;
        if (display[length - 1] == '\n')
            break;
    }
    close(fd[0]);
    display[strcspn(display, "\n")] = 0;
    if (length < 3) {
        xvfb_stop();
        return false;
    }
    setenv("DISPLAY", display, 1);
    return true;
}

void xvfb_stop(void)
{
    if (server > 0) {
        kill(server, SIGTERM);
        waitpid(server, NULL, 0);
    }
    server = 0;
}
