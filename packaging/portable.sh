#!/usr/bin/env bash
# One archive that runs unpacked anywhere on Debian 12 and Ubuntu 24.04.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/portable.sh [--output FILE]

Installs what is missing (packaging/setup.sh --help), builds a release with its GPU tests and benchmarks, and packs it into
one tar.gz: the window, the command line, the runner, Qt with its plugins, fonts and all other libraries inside; LibTorch and
CUDA left out. Unpacked, its launchers find LibTorch 2.11.0 in WARPGLASS_TORCH, in Warpglass's own cache, or in an installed
Python's torch package; without one everything but running models works.

  --output FILE   where the archive goes (out/warpglass-VERSION-linux-x86_64.tar.gz)
  --help          this text

Environment: WARPGLASS_TORCH_DIR, WARPGLASS_JOBS as for packaging/run.sh
TEXT
}

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

output=
while [ $# -gt 0 ]; do
    case $1 in
        --output)
            [ $# -ge 2 ] || misuse "--output needs a file"
            output=$2
            shift
            ;;
        --output=*) output=${1#--output=} ;;
        --help | -h) usage && exit 0 ;;
        *) misuse "unknown option $1" ;;
    esac
    shift
done

ensurePackages build window runner test
ensureTorch
configure bench "-DWARPGLASS_TORCH_DIR=$(torchDir)"
build bench

bin=$rootDir/build/bench/bin
version=$("$bin/warpglass-cli" --version | awk '{ print $NF }')
name=warpglass-$version-linux-x86_64
output=${output:-$rootDir/out/$name.tar.gz}
mkdir -p "$(dirname -- "$output")"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
top=$stage/$name

say "Packing $output"
# Installed, so that no program looks for libraries where it was built.
cmake --install "$rootDir/build/bench" --prefix "$top" --strip >/dev/null

# What every desktop has and must be the machine's own: libc and its family, the C++ runtime, graphics and X's core.
machinesOwn='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl|nsl|gcc_s|stdc\+\+|GL|EGL|GLX|GLdispatch|OpenGL|drm|gbm|X11|X11-xcb|xcb|wayland-.*)\.so.*)$'
# Found by the launcher.
torchs='^lib(torch.*|c10.*|cud.*|cu[bfprs].*|nccl.*|nv.*|gomp-.*|shm.*|caffe2.*)\.so.*$'
# neededBy FILE...: the libraries that a program or library loads, as paths, that have to come along.
neededBy() {
    ldd "$@" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r path; do
        base=$(basename -- "$path")
        [[ $base =~ $machinesOwn || $base =~ $torchs || $base =~ ^libwarpglass ]] || printf '%s\n' "$path"
    done
}
plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || /usr/lib/qt6/bin/qmake6 -query QT_INSTALL_PLUGINS)
for plugin in platforms/libqoffscreen.so platforms/libqminimal.so platforms/libqxcb.so imageformats/libqsvg.so \
    iconengines/libqsvgicon.so; do
    [ ! -e "$plugins/$plugin" ] || install -D "$plugins/$plugin" "$top/plugins/$plugin"
done
neededBy "$top"/bin/* "$top"/lib/*.so "$top"/plugins/*/*.so | while read -r library; do
    cp -L "$library" "$top/lib/"
done
# A machine with no desktop may lack what every desktop has; used only where something is missing.
mkdir -p "$top/lib/fallback"
libraries=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p)
for base in libEGL.so.1 libGL.so.1 libGLX.so.0 libGLdispatch.so.0 libOpenGL.so.0 libX11.so.6 libX11-xcb.so.1 libxcb.so.1; do
    path=$(awk -v base="$base" '$1 == base && /x86-64/ && !found { print $NF; found = 1 }' <<<"$libraries")
    [ -z "$path" ] || cp -L "$path" "$top/lib/fallback/"
done
printf '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig></fontconfig>\n' >"$top/fonts.conf"
cp -r "$rootDir/resources/runs" "$top/runs"
cp -r "$rootDir/resources/lessons" "$top/lessons"
cp "$rootDir/LICENSE" "$rootDir/LICENSE.exception" "$rootDir/README.md" "$rootDir/CHANGELOG.md" "$top/"

# launcher NAME PROGRAM: finds LibTorch, then becomes the program.
launcher() {
    cat >"$top/$1" <<TEXT
#!/bin/sh
# Finds what the archive leaves out, and starts bin/$2.
here=\$(cd -- "\$(dirname -- "\$(readlink -f -- "\$0")")" && pwd)
. "\$here/find-torch.sh"
export LD_LIBRARY_PATH="\$here/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}\${WARPGLASS_TORCH:+:\$WARPGLASS_TORCH/lib}"
# The command line draws figures by the window's program.
if ldd "\$here/bin/$2" "\$here/bin/warpglass" 2>/dev/null | grep -v -e libtorch -e libc10 | grep -q 'not found'; then
    export LD_LIBRARY_PATH="\$LD_LIBRARY_PATH:\$here/lib/fallback"
fi
export QT_PLUGIN_PATH="\$here/plugins"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="\$here/fonts.conf"
exec "\$here/bin/$2" "\$@"
TEXT
    chmod +x "$top/$1"
}
launcher warpglass warpglass
launcher warpglass-cli warpglass-cli
launcher gpu-tests warpglass_gpu_test
launcher recording-bench warpglass_recording_bench
launcher recording-cost warpglass_recording_cost
launcher live-bench warpglass_live_bench

pinned=$(sed -n 's/^torch==\([0-9.]*\) .*/\1/p' "$packagingDir/torch-pins.txt")
cat >"$top/find-torch.sh" <<TEXT
# Sets WARPGLASS_TORCH to a LibTorch $pinned, unless it is set. Says nothing where there is none: files open all the same,
# and Run says what to do.
wanted=$pinned
torchVersion() { sed -n "s/^__version__ = '\([0-9.]*\).*/\1/p" "\$1/version.py" 2>/dev/null; }
if [ -z "\${WARPGLASS_TORCH:-}" ]; then
    for candidate in "\${XDG_CACHE_HOME:-\$HOME/.cache}"/warpglass/torch-*/torch \\
        "\$(python3 -c 'import importlib.util as u; s = u.find_spec("torch"); print(s.submodule_search_locations[0] if s else "")' 2>/dev/null)"; do
        if [ -d "\$candidate/lib" ] && [ "\$(torchVersion "\$candidate")" = "\$wanted" ]; then
            export WARPGLASS_TORCH="\$candidate"
            break
        fi
    done
elif [ -f "\$WARPGLASS_TORCH/version.py" ] && [ "\$(torchVersion "\$WARPGLASS_TORCH")" != "\$wanted" ]; then
    echo "warpglass: WARPGLASS_TORCH names LibTorch \$(torchVersion "\$WARPGLASS_TORCH"), and LibTorch \$wanted is needed" >&2
fi
TEXT

tar -C "$stage" -czf "$output" "$name"
size=$(du -k "$output" | cut -f1)
note "$((size / 1024)) MiB: unpack it anywhere and start $name/warpglass"
printf '%s\n' "$output"
