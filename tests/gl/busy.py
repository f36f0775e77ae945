# SPDX-License-Identifier: MIT
"""busy.py FRAME: runs the program busy_frame on a machine that is busy, stops it for longer than
INDIUM_TIMEOUT, and confines it to one CPU. It must print the same hash as when it runs alone, for
each number of lanes and threads."""

import contextlib
import os
import signal
import subprocess
import sys
import time

BUSY_LOOPS = 8
STOPPED = 2.5  # seconds; INDIUM_TIMEOUT is 1
ENV = {**os.environ, "INDIUM_TIMEOUT": "1", "INDIUM_DRIVER": "cpu"}


@contextlib.contextmanager
def busy_loops():
    """Keeps all CPUs busy."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def cpu_seconds(pid):
    """Returns the CPU time of a process, or None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as text:
            fields = text.read().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stop_in_the_middle(process):
    """Stops the process for a while once it has spent some CPU time."""
    while process.poll() is None and (cpu_seconds(process.pid) or 0) < 0.5:
        time.sleep(0.01)
    process.send_signal(signal.SIGSTOP)
    time.sleep(STOPPED)
    process.send_signal(signal.SIGCONT)


def run(frame, env, stop=False, one_cpu=False):
    """Returns what the program prints."""
    cpu = min(os.sched_getaffinity(0))
    process = subprocess.Popen(frame, env={**ENV, **env}, text=True, stdout=subprocess.PIPE,
                               preexec_fn=(lambda: os.sched_setaffinity(0, {cpu})) if one_cpu else None)
    if stop:
        stop_in_the_middle(process)
    out, _ = process.communicate()
    return out if process.returncode == 0 else f"exit status {process.returncode}: {out}"


def main(frame):
    want = run(frame, {})
    results = {"a stopped process": run(frame, {}, stop=True),
               "one CPU": run(frame, {}, one_cpu=True)}
    with busy_loops():
        results["busy loops"] = run(frame, {})
        for lanes in ("4", "8", "16"):
            for threads in ("1", "4"):
                env = {"INDIUM_LANES": lanes, "INDIUM_THREADS": threads, "INDIUM_DEBUG": "threads"}
                results[f"all of these, {lanes} lanes, {threads} threads"] = run(
                    frame, env, stop=True, one_cpu=True)
    wrong = {name: result for name, result in results.items() if result != want}
    for name, result in wrong.items():
        print(f"{name}: {result.strip()}, not {want.strip()}")
    return 1 if wrong or want.startswith("exit") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
