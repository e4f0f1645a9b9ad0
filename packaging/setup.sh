#!/usr/bin/env bash
# Installs what Warpglass needs and nothing that is there already.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: packaging/setup.sh [--viewer-only] [--tests] [--print-torch-dir]

Installs what Warpglass needs on Debian 12 or Ubuntu 24.04 (x86-64): system packages with apt-get (through sudo when
not root), and LibTorch with the CUDA pieces it needs into a per-user cache. Repeating it does nothing twice.
run.sh and test.sh do this by themselves.

  --viewer-only      neither LibTorch nor CUDA: for opening run files, not for running models
  --tests            also what packaging/test.sh needs
  --print-torch-dir  print the folder LibTorch is (or will be) in, for cmake -DWARPGLASS_TORCH_DIR=, and do nothing else
  --help             this text

Environment: WARPGLASS_TORCH_DIR  a folder with the unpacked wheels to use instead of the cache
             XDG_CACHE_HOME       where the cache is (~/.cache)
TEXT
}

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

groups=(build window)
runner=yes
for argument in "$@"; do
    case $argument in
        --viewer-only) runner=no ;;
        --tests) groups+=(test) ;;
        --print-torch-dir) printf '%s\n' "$(torchDir)" && exit 0 ;;
        --help | -h) usage && exit 0 ;;
        *) misuse "unknown option $argument" ;;
    esac
done

if [ "$runner" = yes ]; then
    ensurePackages "${groups[@]}" runner
    ensureTorch
    say "Ready; LibTorch is in $(torchDir)"
else
    ensurePackages "${groups[@]}"
    say "Ready, for viewing run files"
fi
