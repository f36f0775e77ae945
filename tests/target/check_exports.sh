#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that the libraries export only their API, import no internal symbols, and need no libraries
# other than those listed here and no glibc after 2.34 (src/util/glibc_compat.c). LLVM says whether LLVM
# is linked "static" or "shared".
status=0
for lib in "$@"; do
    case $lib in
    *libindium.so*) pattern='^(gl[A-Z].*@@INDIUM|indium_core_interface@@INDIUM|INDIUM)$' ;;
    *libGL.so*) pattern='^glX' ;;
    *libEGL.so*) pattern='^egl[A-Z]' ;;
    *libgbm.so*) pattern='^(gbm_|indium_gbm_interface$)' ;;
    *indium_gbm.so*) pattern='^(gbmint_get_backend|indium_gbm_backend_interface)$' ;;
    *_indium.so*) pattern='^__(glx|egl)_Main$' ;;
    *libOSMesa.so*) pattern='^OSMesa' ;;
    *_dri.so*) pattern='^__driDriver' ;;
    esac
    extra=$(nm -D --defined-only "$lib" | awk '{print $3}' | grep -Ev "$pattern")
    if [ -n "$extra" ]; then
        echo "$lib exports $extra"
        status=1
    fi
    sought=$(nm -D --undefined-only "$lib" | grep ' gl_')
    if [ -n "$sought" ]; then
        echo "$lib imports $sought"
        status=1
    fi
    newer=$(objdump -T "$lib" |
        sed -nE 's/.*\*UND\*.*[ (](GLIBC_2\.(3[5-9]|[4-9][0-9]))[).0-9]* +(\S+)$/\3 (\1)/p')
    if [ -n "$newer" ]; then
        echo "$lib needs a later glibc than 2.34: $newer"
        status=1
    fi
    needed=$(readelf -d "$lib" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
    for n in $needed; do
        case $LLVM:$lib:$n in
        shared:*libindium.so*:libLLVM*) ;;
        *:libindium.so | *:libc.so.* | *:ld-linux* | *:libm.so.*) ;;
        *libGL.so*:libX11.so.6 | *libGLX_indium.so*:libX11.so.6) ;;
        *libEGL*.so*:libz.so.1 | *libindium.so*:libz.so.1) ;;
        *)
            echo "$lib needs $n"
            status=1
            ;;
        esac
    done
done
exit $status
