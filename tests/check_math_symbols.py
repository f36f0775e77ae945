# SPDX-License-Identifier: MIT
"""
Checks that libraries call no function of libm whose result may differ between versions and CPUs:
results of shaders, folded constants and fixed-function state must have the same bits everywhere.

Usage: check_symbols.py ARCHIVE…
"""
import subprocess
import sys

# Functions with exact or correctly rounded results (C17 annex F.10, IEEE 754).
EXACT = {
    "ceil", "copysign", "fabs", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "ilogb", "isinf",
    "isnan", "ldexp", "llrint", "llround", "logb", "lrint", "lround", "modf", "nearbyint",
    "nextafter", "remainder", "rint", "round", "roundeven", "scalbln", "scalbn", "sqrt", "trunc",
}
# All others of libm, in double precision.
INEXACT = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf",
    "erfc", "exp", "exp10", "exp2", "expm1", "hypot", "j0", "j1", "jn", "lgamma", "log", "log10",
    "log1p", "log2", "pow", "pow10", "sin", "sincos", "sinh", "tan", "tanh", "tgamma", "y0", "y1",
    "yn",
}
assert not EXACT & INEXACT


def undefined_symbols(archive):
    output = subprocess.run(["nm", "--undefined-only", "--format=posix", archive], check=True,
                            capture_output=True, text=True).stdout
    member = archive
    for line in output.splitlines():
        words = line.split()
        if line.endswith(":"):
            member = line.rstrip(":")
        elif len(words) > 1 and words[1] == "U":
            yield member, words[0].split("@")[0]


def is_inexact(symbol):
    symbol = symbol.removeprefix("__").removesuffix("_finite")
    return symbol in INEXACT or (symbol[-1:] in "fl" and symbol[:-1] in INEXACT)


def main():
    found = [f"{member} calls {symbol}" for archive in sys.argv[1:]
             for member, symbol in undefined_symbols(archive) if is_inexact(symbol)]
    if found:
        sys.exit("\n".join(found))


main()
