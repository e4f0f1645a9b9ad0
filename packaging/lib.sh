# What setup.sh, run.sh and test.sh share. Sourced by them, with `set -euo pipefail` on.
# shellcheck shell=bash

packagingDir=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
rootDir=$(dirname -- "$packagingDir")

arrow='==>'
[ ! -t 2 ] || arrow=$'\033[1m==>\033[0m'
say() { printf '%s %s\n' "$arrow" "$*" >&2; }
note() { printf '    %s\n' "$*" >&2; }
die() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 1
}
# A usage mistake: exit status 2, as in the programs themselves.
misuse() {
    printf '%s: %s (--help lists the options)\n' "$(basename -- "$0")" "$*" >&2
    exit 2
}

# Ctrl+C goes to the whole foreground group, so the child has it too; every step can be repeated.
trap 'printf "\n%s: interrupted; the same command goes on from here\n" "$(basename -- "$0")" >&2; exit 130' INT
trap 'exit 143' TERM

# ---- System packages -------------------------------------------------------------------------------------------

# packagesOf GROUP...: their package names, in order.
packagesOf() {
    local group
    for group in "$@"; do
        awk -v group="$group" '$1 == group { print $2 }' "$packagingDir/debian-packages"
    done
}

# missingPackages PACKAGE...: those that are not installed.
missingPackages() {
    local installed name
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
        awk '$2 == "installed" { print $1 }' || true)
    for name in "$@"; do
        grep -qxF -- "$name" <<<"$installed" || printf '%s\n' "$name"
    done
}

# ensurePackages GROUP...: installs what is missing; asks nothing of apt when nothing is.
ensurePackages() {
    local wanted missing asRoot=()
    mapfile -t wanted < <(packagesOf "$@")
    if [[ " $* " == *" runner "* ]] && [ ! -d "$(torchDir)" ] && ! findPip >/dev/null; then
        wanted+=(python3 python3-pip)
    fi
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        note "This is neither Debian nor Ubuntu: what packaging/debian-packages lists must be installed by hand."
        return 0
    fi
    mapfile -t missing < <(missingPackages "${wanted[@]}")
    if [ "${#missing[@]}" -eq 0 ]; then
        return 0
    fi
    say "Installing ${#missing[@]} system packages: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "system packages are missing and sudo is not here; as root, run: apt-get install ${missing[*]}"
        asRoot=(sudo)
    fi
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600)
    # An installation that was interrupted earlier is finished first; apt refuses to work before that.
    ${asRoot[@]+"${asRoot[@]}"} dpkg --configure -a
    ${asRoot[@]+"${asRoot[@]}"} "${apt[@]}" update ||
        note "Some package lists could not be refreshed; going on with the ones that are there."
    ${asRoot[@]+"${asRoot[@]}"} "${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
        die "the system packages could not be installed: ${missing[*]}"
}

# ---- LibTorch and CUDA, as wheels ------------------------------------------------------------------------------

cacheDir() { printf '%s/warpglass' "${XDG_CACHE_HOME:-$HOME/.cache}"; }

# One folder for each content of the pin file, shared by every checkout. WARPGLASS_TORCH_DIR names another one.
torchDir() {
    if [ -n "${WARPGLASS_TORCH_DIR:-}" ]; then
        printf '%s' "$WARPGLASS_TORCH_DIR"
    else
        printf '%s/torch-%s' "$(cacheDir)" "$(sha256sum <"$packagingDir/torch-pins.txt" | cut -c1-12)"
    fi
}

# The Python whose pip unpacks the wheels; any will do, since the wheels are chosen by the flags in wheelFlags.
findPip() {
    local python
    for python in /usr/bin/python3 python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then
            printf '%s' "$python"
            return 0
        fi
    done
    return 1
}

# The wheels for x86-64 with glibc 2.28 or newer, whatever this machine's own Python is. pip does not derive the
# older platform tags by itself, so each is named.
wheelFlags() {
    local minor
    printf '%s\n' --no-deps --only-binary=:all: --implementation cp --python-version 3.12 \
        --disable-pip-version-check --no-cache-dir
    for minor in $(seq 28 -1 17); do
        printf '%s\n' --platform "manylinux_2_${minor}_x86_64"
    done
    printf '%s\n' --platform manylinux2014_x86_64
}

# Downloads wheel by wheel and unpacks them at the end, beside the final place, which is then one rename away: an
# interruption costs at most the wheel being downloaded, and nobody ever sees half a folder.
ensureTorch() {
    local target partial python flags pins pin name count=0
    target=$(torchDir)
    [ -d "$target" ] && return 0
    [ -z "${WARPGLASS_TORCH_DIR:-}" ] || die "WARPGLASS_TORCH_DIR names $target, which is not a folder"
    [ "$(uname -m)" = x86_64 ] || die "LibTorch is pinned for x86-64, and this machine is $(uname -m); --viewer-only works without it"

    mkdir -p "$(cacheDir)"
    exec 9>"$target.lock"
    if ! flock -n 9; then
        say "Another checkout is installing LibTorch; waiting for it"
        flock 9
    fi
    if [ -d "$target" ]; then
        exec 9>&-
        return 0
    fi
    python=$(findPip) || die "LibTorch cannot be installed without pip (Debian: python3-pip)"
    mapfile -t flags < <(wheelFlags)
    mapfile -t pins < <(grep -vE '^[[:space:]]*(#|$)' "$packagingDir/torch-pins.txt")
    partial="$target.partial"
    checkRoom "$partial"
    mkdir -p "$partial/wheels" "$partial/tmp"

    say "Installing LibTorch and CUDA (${#pins[@]} wheels, 4.0 GB unpacked) into $target"
    for pin in "${pins[@]}"; do
        count=$((count + 1))
        name=${pin%% *}
        if [ -e "$partial/$name.done" ]; then
            continue
        fi
        note "[$count/${#pins[@]}] $name"
        printf '%s\n' "$pin" >"$partial/pin.txt"
        TMPDIR="$partial/tmp" "$python" -m pip download --quiet "${flags[@]}" --progress-bar "$(progressBar)" \
            --dest "$partial/wheels" --requirement "$partial/pin.txt" ||
            die "$name could not be downloaded; the wheels so far are kept, and the same command goes on from there"
        touch "$partial/$name.done"
    done
    note "unpacking"
    rm -rf "$partial/tree"
    PIP_ROOT_USER_ACTION=ignore TMPDIR="$partial/tmp" "$python" -m pip install --quiet "${flags[@]}" --no-index --no-compile \
        --target "$partial/tree" "$partial"/wheels/*.whl || {
        rm -f "$partial"/*.done  # so that the next try checks every wheel's digest again
        die "the wheels in $partial could not be unpacked"
    }
    mv -T "$partial/tree" "$target"
    rm -rf "$partial"
    exec 9>&-
}

progressBar() { if [ -t 2 ]; then echo on; else echo off; fi; }

# The wheels and what is unpacked from them are on the disk together for a moment.
checkRoom() {
    local free needed=$((7 * 1024 * 1024))
    free=$(df -Pk "$(dirname -- "$1")" | awk 'NR == 2 { print $4 }')
    if [ "$free" -lt "$needed" ] && [ ! -d "$1" ]; then
        die "LibTorch needs 7 GB of free disk in $(dirname -- "$1") while it installs, and $((free / 1024 / 1024)) GB are free"
    fi
}

# ---- Configure and build ---------------------------------------------------------------------------------------

# configure PRESET [cmake argument...]: only when the folder is new or the arguments changed; Ninja itself sees
# changed CMake files.
configure() {
    local preset=$1 stamp wanted
    shift
    [ -z "${WARPGLASS_WERROR:-}" ] || set -- "$@" "-DWARPGLASS_WERROR=$WARPGLASS_WERROR"
    stamp="$rootDir/build/$preset/configured-with.txt"
    wanted=$(printf '%s\n' "$rootDir" "$@"; sha256sum <"$rootDir/CMakePresets.json")
    if [ -e "$rootDir/build/$preset/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
        return 0
    fi
    say "Configuring build/$preset"
    rm -f "$rootDir/build/$preset/CMakeCache.txt"  # it would remember libraries found in another place
    (cd "$rootDir" && cmake --preset "$preset" "$@" >&2) || die "build/$preset could not be configured"
    printf '%s\n' "$wanted" >"$stamp"
}

# build PRESET: Ninja shows its own progress; silent when there is nothing to do.
build() {
    local dir="$rootDir/build/$1"
    if ninja -C "$dir" -n 2>/dev/null | grep -q 'no work to do'; then
        return 0
    fi
    say "Building build/$1"
    # Not through CMake: it would hide Ninja's one-line progress on a terminal.
    ninja -C "$dir" ${WARPGLASS_JOBS:+-j "$WARPGLASS_JOBS"} >&2 || die "build/$1 did not build"
}
