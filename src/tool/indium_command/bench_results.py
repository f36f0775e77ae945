# SPDX-License-Identifier: MIT
"""Recorded benchmark results: the files bench/results/*.json, and the tables that
`./indium bench --write` generates from them in docs/performance.md.

A file holds one benchmark on one machine: machine, date, peer, settings, and rows. A row has the
ratio of Indium to the peer (above 1: Indium is faster or needs less) and optionally its minimum and
maximum over the rounds, and the medians of Indium and of the peer in the benchmark's unit."""

import datetime
import glob
import json
import os
import re
import statistics
import subprocess

from .common import ROOT, say

RESULTS = os.path.join(ROOT, "bench", "results")
PAGE = os.path.join(ROOT, "docs", "performance.md")
PEER = "Mesa {} llvmpipe"
BEGIN, END = "<!-- bench {}: written by ./indium bench --write -->", "<!-- end -->"


class Benchmark:
    """Properties of a benchmark. kind: heading of the first column; unit, digits: of the medians;
    higher: whether a larger value is faster; lowest: show only that many rows, lowest ratio first;
    mean: whether the mean of the ratios is meaningful."""

    def __init__(self, kind, unit, digits=3, higher=False, lowest=None, mean=True):
        self.kind, self.unit, self.digits = kind, unit, digits
        self.higher, self.lowest, self.mean = higher, lowest, mean


BENCHMARKS = {
    "glmark2": Benchmark("scene", "frames/s", digits=0, higher=True),
    "micro": Benchmark("workload", "ms"),
    "swap": Benchmark("frame", "ms"),
    "webgl": Benchmark("scene", "ms"),
    "hacks-start": Benchmark("hack", "ms", digits=1, lowest=10),
    "hacks-frame": Benchmark("hack", "ms", digits=1, lowest=10),
    "memory": Benchmark("workload", "MB", digits=1),
    "start": Benchmark("measurement", "", digits=1, mean=False),
    "compile": Benchmark("step", "s", digits=2),
    "transfers": Benchmark("kind and width", "ms"),
    "scaling": Benchmark("workload", "ms"),
    "scaling-many": Benchmark("workload", "ms"),
}


def result_row(pairs, higher=False):
    """Returns the row for pairs of values of Indium and of the peer, one pair per round."""
    ratios = [mine / other if higher else other / mine for mine, other in pairs]
    mine, other = (statistics.median(side) for side in zip(*pairs))
    return {"ratio": statistics.median(ratios), "min": min(ratios), "max": max(ratios),
            "indium": mine, "peer": other}


def output_of(*command):
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def peer_version(root=""):
    """Returns the version of Mesa in a root directory."""
    version = output_of("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", "${Version}",
                        "libgl1-mesa-dri")
    return version.partition("-")[0] or "unknown"


def rounded(row):
    """Returns the row with five significant digits, more than the measurements can resolve."""
    return {key: float(f"{value:.5g}") for key, value in row.items()}


def save(bench, machine, settings, rows, peer=None):
    """Writes the file of a complete run. rows: name → row. machine: label of the column."""
    result = {"bench": bench, "machine": machine,
              "date": datetime.date.today().isoformat(),
              "commit": output_of("git", "describe", "--always", "--dirty"),
              "peer": peer or PEER.format(peer_version()), "settings": settings,
              "rows": {name: rounded(row) for name, row in rows.items()}}
    name = re.sub(r"[^a-z0-9]+", "-", f"{bench} {machine}".lower()).strip("-")
    os.makedirs(RESULTS, exist_ok=True)
    path = os.path.join(RESULTS, f"{name}.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump(result, out, indent=1, ensure_ascii=False)
        out.write("\n")
    say(f"wrote {os.path.relpath(path, ROOT)}")


def load(folder=RESULTS):
    """Returns all results by benchmark, each a list in the order of the machines' labels."""
    results = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as text:
            result = json.load(text)
        results.setdefault(result["bench"], []).append(result)
    for columns in results.values():
        columns.sort(key=lambda result: result["machine"])
    return results


def mean(result):
    """Returns the geometric mean of the ratios, or the recorded one if rows were not recorded."""
    if "mean" in result:
        return result["mean"]
    return statistics.geometric_mean(row["ratio"] for row in result["rows"].values())


def cell(row, digits):
    if not row:
        return ""
    text = f"{row['ratio']:.2f}"
    if "min" in row:
        text += f" ({row['min']:.2f}–{row['max']:.2f})"
    if "indium" in row:
        text += f", {row['indium']:.{digits}f}"
    return text


def row_names(results, lowest):
    """Returns the names of all rows in recorded order, or those with the lowest ratios."""
    names = list(dict.fromkeys(name for result in results for name in result["rows"]))
    if lowest:
        names.sort(key=lambda name: min(result["rows"][name]["ratio"] for result in results
                                        if name in result["rows"]))
    return names[:lowest]


def table(bench, results):
    """Returns the lines of a benchmark's table, a column per machine, and the machines' list."""
    if not results:
        return ["No result is recorded."]
    info = BENCHMARKS[bench]
    lines = [f"| {info.kind} | {' | '.join(result['machine'] for result in results)} |",
             "|---|" + "---|" * len(results)]
    lines += [f"| {name} | "
              + " | ".join(cell(result["rows"].get(name), info.digits) for result in results) + " |"
              for name in row_names(results, info.lowest)]
    if info.mean:
        means = " | ".join(f"{mean(result):.2f}" for result in results)
        lines.append(f"| **geometric mean** | {means} |")
    lines.append("")
    for result in results:
        count = result.get("count", len(result["rows"]))
        lines.append(f"- {result['machine']}: {result['date']}, {result['peer']}, {count} rows, "
                     f"{result['settings']}.")
    return lines


def render(text, results):
    """Returns the page's text with all tables between markers replaced."""
    def replaced(match):
        lines = table(match[1], results.get(match[1], []))
        return "\n".join([BEGIN.format(match[1]), *lines, END])

    begin = re.escape(BEGIN).replace(r"\{\}", r"([\w-]+)")
    return re.sub(begin + r"\n.*?" + re.escape(END), replaced, text, flags=re.S)


def write():
    """Updates docs/performance.md."""
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    with open(PAGE, "w", encoding="utf-8") as page:
        page.write(render(text, load()))
    say("wrote docs/performance.md")
    return 0
