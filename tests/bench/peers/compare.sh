#!/usr/bin/env bash
# A step in Warpglass against PyTorch's, one after the other on the first GPU: of small in every execution, of larger models
# compiled; attention alone; then what each one's recording costs.
#
#     tests/bench/peers/compare.sh WARPGLASS-CLI RECORDING-BENCH [CONTEXT] [MODEL...]
#
# The models (medium large xl) are those besides small; PyTorch takes minutes to compile the largest.
#
# Needs a python3 with PyTorch.
set -euo pipefail
cli=${1:?the command line program}
bench=${2:?the recording benchmark}
context=${3:-512}
models=("${@:4}")
[ ${#models[@]} -gt 0 ] || models=(medium large xl)
here=$(dirname -- "$(readlink -f -- "$0")")
alike=(--context "$context" --precision bf16)
common=(--model small "${alike[@]}")

ours() {
    "$cli" run --device cuda:0 --batch 4 "${alike[@]}" --warmup 10 --steps 40 --record none --output "$(mktemp -u).wgrun" \
        --format json "$@" 2>/dev/null | tr -d '\n' | sed 's/  */ /g'
    echo
}
for attention in sdpa-flash naive; do
    echo "== $attention"
    python3 "$here/pytorch_step.py" "${common[@]}" --attention $attention
    python3 "$here/pytorch_step.py" "${common[@]}" --attention $attention --fused
    ours --model small --attention $attention
    python3 "$here/pytorch_step.py" "${common[@]}" --attention $attention --fused --execution reduce-overhead
    ours --model small --attention $attention --execution graph
    own=${attention/sdpa-flash/flash}
    ours --model small --attention "$own" --kernels fused
    ours --model small --attention "$own" --kernels fused --execution graph
done
for model in "${models[@]}"; do
    echo "== $model"
    python3 "$here/pytorch_step.py" --model "$model" "${alike[@]}" --attention sdpa-flash --fused --execution reduce-overhead
    ours --model "$model" --attention sdpa-flash --execution graph
    ours --model "$model" --attention flash --kernels fused --execution graph
done
echo "== attention alone, fp32, batch 8, head dimension 64"
for execution in eager compiled; do
    python3 "$here/pytorch_attention.py" --execution $execution --context 256,1024,4096
done
for length in 256 1024 4096; do
    "$cli" run --workload attention --device cuda:0 --batch 8 --heads 1 --head-dim 64 --context $length --warmup 10 --steps 100 \
        --record none --output "$(mktemp -u).wgrun" --format json 2>/dev/null | tr -d '\n' | sed 's/  */ /g'
    echo
done
echo "== recording, eager, sdpa-flash"
for profile in cpu+cuda cuda memory; do
    python3 "$here/pytorch_step.py" "${common[@]}" --profile $profile
done
for execution in eager graph; do
    for record in all none ops memory kernels,calls kernels,calls,waits ops,memory,kernels,calls; do
        echo "-- $execution, $record"
        "$bench" --device cuda:0 "${common[@]}" --attention sdpa-flash --pairs 4 --steps 15 --execution $execution --record $record
    done
done
