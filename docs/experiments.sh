#!/usr/bin/env bash
# Runs every experiment on a device, each into a folder of its own: docs/experiments.sh DEVICE FOLDER [BIN]
# DEVICE is cpu or cuda:0, BIN the folder of warpglass-cli and warpglass (default: build/release/bin). A run that was
# stopped goes on where it was.
set -euo pipefail
if [ $# -lt 2 ]; then
    echo "usage: docs/experiments.sh DEVICE FOLDER [BIN]" >&2
    exit 2
fi
root=$(cd "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
device=$1 folder=$2 bin=${3:-$root/build/release/bin}
mkdir -p "$folder"
# warpglass-cli ends in order on Ctrl+C and has a status, so the shell would go on with the next.
trap 'exit 130' INT
failed=0
# Attention alone up to the first length that does not fit: beyond it the fused variants go on for many minutes.
lengths=()
[ "$device" = cpu ] || lengths=(--context "256,1024,4096,8192,16384,32768")
for name in benchmark kernels attention-parts accumulation autocast precision memory attention compiled fusions; do
    echo "==> $name"
    options=()
    [ "$name" != attention ] || options=("${lengths[@]}")
    "$bin/warpglass-cli" experiment "$name" --device "$device" "${options[@]}" --output "$folder/$name" >"$folder/$name.txt" || failed=1
done
exit $failed
