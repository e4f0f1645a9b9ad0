#!/usr/bin/env bash
# Records the sample runs of this folder anew on the first GPU: some 20 seconds on an H200.
#
#     resources/runs/record.sh WARPGLASS-CLI [FOLDER]
set -euo pipefail
cli=${1:?the command line program}
folder=${2:-$(dirname -- "$0")}

# record NAME OPTIONS...: one run; out of memory is one of the results wanted.
record() {
    local name=$1
    shift
    "$cli" run --device cuda:0 --batch 4 --seed 0 --output "$folder/$name.wgrun" "$@" >/dev/null ||
        [ "$("$cli" info "$folder/$name.wgrun" --format csv | grep -c ',failed')" -gt 0 ]
}

record small-fp32-naive --model small --context 512 --precision fp32 --attention naive --warmup 1 --steps 3
record small-bf16-naive --model small --context 512 --precision bf16 --attention naive --warmup 1 --steps 3
record small-bf16-flash --model small --context 512 --precision bf16 --attention sdpa-flash --warmup 1 --steps 3
record small-bf16-graph --model small --context 512 --precision bf16 --attention sdpa-flash --execution graph --warmup 1 \
    --steps 3
record small-no-warmup --model small --context 512 --precision bf16 --attention sdpa-flash --warmup 0 --steps 4
record xl-bf16-forward --model xl --context 512 --precision bf16 --attention sdpa-flash --mode forward --warmup 1 --steps 1
record xl-bf16-step --model xl --context 512 --precision bf16 --attention sdpa-flash --warmup 1 --steps 1
record large-fp32-out-of-memory --model large --context 1024 --precision fp32 --attention naive --warmup 0 --steps 1 \
    --memory-limit 16GiB
