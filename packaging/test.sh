#!/usr/bin/env bash
# Everything that must hold before a change is submitted.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/test.sh [--viewer-only] [--fast] [--style-within MINUTES]

Installs what is missing (packaging/setup.sh --help), builds with warnings as errors, and checks: the code's format, the
engine's tests under the address and undefined-behavior sanitizers, the store's and the recording's under the thread
sanitizer, packaging/run.sh as a new user without a display types it, that each source compiles by itself, clang-tidy on
libwarpglass, and every test. Needs no display and no GPU. A failed check is reported at the end, after the others have run.
Interrupt and repeat it as you like; nothing is built twice.

  --viewer-only  neither LibTorch nor CUDA: leaves out what runs models
  --fast         format and tests only: no clang-tidy, no sanitizers, no release build
  --style-within MINUTES
                 leaves out each of the two checks of style, that sources compile by themselves and clang-tidy, whose turn
                 comes later than that, and says so: for a slow machine that has to be done by some time
  --help         this text

Environment: WARPGLASS_TORCH_DIR  a folder with the unpacked wheels to use instead of the cache
             WARPGLASS_JOBS       how many compilers and tests run at once (as many as there are cores)
TEXT
}

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

runner=yes
fast=no
styleWithin=
while [ $# -gt 0 ]; do
    case $1 in
        --viewer-only) runner=no ;;
        --fast) fast=yes ;;
        --style-within)
            [[ ${2:-} =~ ^[0-9]+$ ]] || misuse "--style-within needs a number of minutes"
            styleWithin=$((10#$2))
            shift
            ;;
        --help | -h) usage && exit 0 ;;
        *) misuse "unknown option $1" ;;
    esac
    shift
done
jobs=${WARPGLASS_JOBS:-$(nproc)}
sampleRun=$rootDir/resources/runs/small-bf16-flash.wgrun

# With address randomization of 32 bits (Ubuntu 24.04's kernel) GCC's thread sanitizer cannot place its memory.
steadyAddresses=()
if setarch "$(uname -m)" -R true 2>/dev/null; then
    steadyAddresses=(setarch "$(uname -m)" -R)
fi

failed=()
# check WHAT COMMAND...: notes a failure and goes on, so that one run tells all that is wrong.
check() {
    local what=$1 begin=$SECONDS
    shift
    say "Checking $what"
    if "$@"; then
        note "$what: passed in $((SECONDS - begin)) s"
    else
        note "$what: FAILED"
        failed+=("$what")
    fi
}

# checkStyle WHAT COMMAND...: the same, unless its turn comes too late.
checkStyle() {
    if [ -n "$styleWithin" ] && [ "$SECONDS" -gt $((styleWithin * 60)) ]; then
        note "$1: left out, since its turn came after $((SECONDS / 60)) minutes (--style-within $styleWithin)"
        return
    fi
    check "$@"
}

# sourceFiles PATTERN...: tracked files and new ones that git does not ignore, relative to the root.
sourceFiles() {
    git -C "$rootDir" ls-files --cached --others --exclude-standard -- "$@" | sort -u |
        while read -r file; do [ ! -e "$rootDir/$file" ] || printf '%s\n' "$file"; done
}

checkFormat() {
    (cd "$rootDir" && sourceFiles '*.cpp' '*.h' | xargs -r -n 40 -P "$jobs" clang-format-14 --dry-run -Werror)
}

# checkTidy DATABASE: several sources at a time, as the unity build of DATABASE joins them (tests/build/tidy_units.py). They
# are included, so findings in them are findings in an included file.
checkTidy() {
    local database=$1 folder units
    folder=$(dirname -- "$database")/tidy
    rm -rf "$folder"
    (
        cd "$rootDir" || exit 1
        units=$(sourceFiles 'engine/*.cpp' 'app/cli/*.cpp' | grep -vE '^engine/(capture|cuda|runner|kernels)/' |
            xargs -r /usr/bin/python3 -B tests/build/tidy_units.py "$database" "$folder") || exit 1
        printf '%s\n' "$units" | xargs -r -n 1 -P "$jobs" clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option \
            --config-file=.clang-tidy --header-filter='/(engine|ui|app)/.*\.(h|cpp)$' -p "$folder" \
            2> >(grep -vE '^(Error while processing .*|[0-9]+ warnings?.* generated\.?)$' >&2)
    )
}

# checkAlone DATABASE: the unity build of DATABASE does not show that a source compiles without its neighbors.
checkAlone() {
    (cd "$rootDir" && sourceFiles 'engine/*.cpp' 'ui/*.cpp' 'app/*.cpp' |
        { if [ "$runner" = yes ]; then cat; else grep -vE '^engine/(capture|cuda|runner|kernels)/'; fi; } |
        xargs /usr/bin/python3 -B tests/build/check_alone.py "$1" "$jobs" >&2)
}

# checkSanitized PRESET: builds and runs the tests that the build preset names, and the recorder's where there is one.
checkSanitized() {
    local preset=$1
    (cd "$rootDir" && "${steadyAddresses[@]}" cmake --build --preset "$preset" -j "$jobs" >&2) || return 1
    if [ "$runner" = yes ]; then
        "${steadyAddresses[@]}" ninja -C "$rootDir/build/$preset" -j "$jobs" capture_test >&2 || return 1
    fi
    (cd "$rootDir" && "${steadyAddresses[@]}" ctest --preset "$preset" -j $((jobs + 1)) >&2)  # some tests wait
}

# checkRun [ARGUMENT...]: packaging/run.sh as it is typed on a machine with no display ends well, and each file that it
# names is there with something in it.
checkRun() {
    local output
    output=$(mktemp -d) || return 1
    # Not on a path that what was written before could stand in for; removed with what it holds. With warnings as errors,
    # so that it finds in ccache what the tests' build compiled.
    env -u DISPLAY -u WAYLAND_DISPLAY WARPGLASS_WERROR=ON "$packagingDir/run.sh" --output "$output" "$@" >"$output/written.txt" &&
        /usr/bin/python3 -B "$rootDir/tests/build/check_written.py" <"$output/written.txt" >&2
    local status=$?
    rm -rf "$output"
    return "$status"
}

if [ "$runner" = yes ]; then
    ensurePackages build window runner test
    ensureTorch
    preset="test"
    withRunner=(-DWARPGLASS_RUNNER=ON "-DWARPGLASS_TORCH_DIR=$(torchDir)")
else
    ensurePackages build window test
    preset="test-viewer-only"
    withRunner=(-DWARPGLASS_RUNNER=OFF)
fi
configure "$preset" "${withRunner[@]}"

check "format" checkFormat
build "$preset"
if [ "$fast" = no ]; then
    configure asan "${withRunner[@]}"
    check "address and undefined-behavior sanitizers" checkSanitized asan
    configure tsan "${withRunner[@]}"
    check "thread sanitizer" checkSanitized tsan
fi
if [ "$fast" = no ]; then
    if [ "$runner" = yes ]; then
        check "packaging/run.sh without a display" checkRun
        check "packaging/run.sh --headless with two runs" checkRun --headless "$sampleRun" "$sampleRun"
    fi
    check "packaging/run.sh --viewer-only with a run" checkRun --viewer-only "$sampleRun"
    checkStyle "that each source compiles by itself" checkAlone "$rootDir/build/$preset/compile_commands.json"
    checkStyle "clang-tidy" checkTidy "$rootDir/build/asan/compile_commands.json"
fi
for what in ${failed[@]+"${failed[@]}"}; do
    note "$what: FAILED, see above"
done

# Last, so that ctest's own summary closes the output.
say "Running all tests"
status=0
(cd "$rootDir" && ctest --preset "$preset" -j $((jobs + 1))) || status=1
[ ${#failed[@]} -eq 0 ] || die "failed besides the tests above: $(printf '%s; ' "${failed[@]}")"
exit $status
