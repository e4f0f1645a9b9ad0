#!/usr/bin/env bash
# Records the samples of this folder anew on the first GPU: the runs in a minute on an H200, the sweep in another, the
# experiment in six; needs python3.
#
#     resources/runs/record.sh WARPGLASS-CLI [FOLDER]
set -euo pipefail
cli=${1:?the command line program}
folder=${2:-$(dirname -- "$0")}

# stepTime FILE: the mean of its measured steps in ns; 0 when none was completed.
stepTime() {
    "$cli" info "$1" --format json | python3 -c 'import json, sys; print(int(next(t["rows"][0].get("step_mean_ns") or 0 for t in json.load(sys.stdin) if t["table"] == "summary")))'
}
# record NAME OPTIONS...: five runs, of which the one with the fastest steps stays: the host may be shared. Out of memory is one
# of the results wanted, and the same every time.
record() {
    local name=$1 best=
    shift
    for attempt in 1 2 3 4 5; do
        "$cli" run --device cuda:0 --seed 0 --output "$folder/$name.$attempt.wgrun" "$@" >/dev/null ||
            [ "$("$cli" info "$folder/$name.$attempt.wgrun" --format csv | grep -c ',failed')" -gt 0 ]
        local time
        time=$(stepTime "$folder/$name.$attempt.wgrun")
        if [ -z "$best" ] || [ "$time" -lt "$best" ]; then
            best=$time
            mv -f "$folder/$name.$attempt.wgrun" "$folder/$name.wgrun"
        else
            rm -f "$folder/$name.$attempt.wgrun"
        fi
        [ "$time" -gt 0 ] || break
    done
}

record small-fp32-naive --batch 4 --model small --context 512 --precision fp32 --attention naive --warmup 1 --steps 3
record small-bf16-naive --batch 4 --model small --context 512 --precision bf16 --attention naive --warmup 1 --steps 3
record small-bf16-flash --batch 4 --model small --context 512 --precision bf16 --attention sdpa-flash --warmup 1 --steps 3
record small-bf16-graph --batch 4 --model small --context 512 --precision bf16 --attention sdpa-flash --execution graph --warmup 1 \
    --steps 3
record small-bf16-fused --batch 4 --model small --context 512 --precision bf16 --attention flash --kernels fused \
    --execution graph --warmup 1 --steps 3
record small-8192-naive --batch 1 --model small --context 8192 --precision bf16 --attention naive --warmup 1 --steps 2
record small-8192-flash --batch 1 --model small --context 8192 --precision bf16 --attention flash --warmup 1 --steps 2
record attention-clocks --batch 4 --workload attention --mode forward-backward --heads 16 --head-dim 64 --context 4096 \
    --causal yes --precision bf16 --attention flash --warmup 2 --steps 3 --record all,kernel-clocks
record small-no-warmup --batch 4 --model small --context 512 --precision bf16 --attention sdpa-flash --warmup 0 --steps 4
record xl-bf16-forward --batch 4 --model xl --context 512 --precision bf16 --attention sdpa-flash --mode forward --warmup 1 --steps 1
record xl-bf16-step --batch 4 --model xl --context 512 --precision bf16 --attention sdpa-flash --warmup 1 --steps 1
record large-fp32-out-of-memory --batch 4 --model large --context 1024 --precision fp32 --attention naive --warmup 0 --steps 1 \
    --memory-limit 16GiB

# sweep NAME OPTIONS..., experiment NAME OPTIONS...: one that is there already is gone on with.
sweep() {
    "$cli" sweep --device cuda:0 --output "$folder/$1.wgsweep" "${@:2}" >/dev/null
}
experiment() {
    "$cli" experiment "$1" --device cuda:0 --output "$folder/$1" "${@:2}" >/dev/null
}
sweep small-and-medium --model small,medium --context 128,256,512 --precision fp32,bf16 --attention naive,sdpa-flash,flash \
    --mode forward,step --batch 4 --warmup 3 --steps 10
experiment attention --context 256,1024,4096,8192,16384,32768
