#!/usr/bin/env bash
# The one command: installs what is missing, builds, opens the window.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/run.sh [--viewer-only] [--headless] [--output FOLDER] [FILE...]

Installs what is missing (packaging/setup.sh --help), builds a release, and opens the Warpglass window, with the run
files given, if any. Interrupt and repeat it as you like; nothing is done twice.

With no display it does the same job without one: runs the tiny model on the CPU and writes the run file, the op table
and a picture of each view into FOLDER. Given run files, it writes the tables and pictures of those instead. It prints
the path of each file that it wrote.

  --viewer-only    neither LibTorch nor CUDA: opens run files, runs no model
  --headless       as if there were no display
  --output FOLDER  where the results without a display go (out/)
  --help           this text

Environment: WARPGLASS_TORCH_DIR  a folder with the unpacked wheels to use instead of the cache
             WARPGLASS_JOBS       how many compilers run at once (as many as there are cores)
             WARPGLASS_WERROR     ON to treat compiler warnings as errors, as packaging/test.sh does (OFF)
TEXT
}

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# freeName NAME TAKEN...: NAME, or with a number behind it where a run of that name is among those drawn already.
freeName() {
    local wanted=$1 name=$1 number=1
    shift
    while printf '%s\n' "$@" | grep -qxF -- "$name"; do
        number=$((number + 1))
        name=$wanted-$number
    done
    printf '%s' "$name"
}

preset=release
headless=no
output=$rootDir/out
files=()
while [ $# -gt 0 ]; do
    case $1 in
        --viewer-only) preset=viewer-only ;;
        --headless) headless=yes ;;
        --output)
            [ $# -ge 2 ] || misuse "--output needs a folder"
            output=$2
            shift
            ;;
        --output=*) output=${1#--output=} ;;
        --help | -h) usage && exit 0 ;;
        --)
            shift
            files+=("$@")
            break
            ;;
        -*) misuse "unknown option $1" ;;
        *) files+=("$1") ;;
    esac
    shift
done

if [ "$preset" = viewer-only ]; then
    ensurePackages build window
    configure viewer-only
else
    ensurePackages build window runner
    ensureTorch
    configure release "-DWARPGLASS_TORCH_DIR=$(torchDir)"
fi
build "$preset"
bin=$rootDir/build/$preset/bin

if [ "$headless" = no ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/warpglass" ${files[@]+"${files[@]}"}
fi

# ---- No display: the same job, as files ------------------------------------------------------------------------

[ "$headless" = yes ] || say "There is no display, so the results go into files"
mkdir -p "$output"
written=()
if [ ${#files[@]} -eq 0 ]; then
    if [ "$preset" = viewer-only ]; then
        say "Built $bin/warpglass; a build for viewing runs no model, so name a run file to draw: packaging/run.sh --viewer-only FILE"
        exit 0
    fi
    say "Running the tiny model on the CPU"
    "$bin/warpglass-cli" run --model tiny --context 128 --batch 4 --precision fp32 --attention naive --mode step \
        --device cpu --warmup 1 --steps 3 --seed 0 --output "$output/tiny.wgrun" >&2
    files=("$output/tiny.wgrun")
    written=("$output/tiny.wgrun")
fi

# Without Qt's own remarks about the missing desktop; Warpglass's messages do not come that way.
export QT_LOGGING_RULES='default.warning=false'
names=()
for file in "${files[@]}"; do
    name=$(freeName "$(basename -- "$file" .wgrun)" ${names[@]+"${names[@]}"})
    names+=("$name")
    say "Drawing every view of $file"
    "$bin/warpglass-cli" stats ops "$file" >"$output/$name-ops.txt"
    written+=("$output/$name-ops.txt")
    # Into a variable first: a failure inside a process substitution would go unnoticed.
    pictures=$("$bin/warpglass" --render all --size 1600x1000 --output "$output/$name" "$file")
    mapfile -t -O "${#written[@]}" written <<<"$pictures"
done
say "Written:"
printf '%s\n' "${written[@]}"
