#!/usr/bin/env bash
# A step of small in Warpglass against PyTorch's, one after the other on the first GPU; then what each one's recording costs.
#
#     tests/bench/peers/compare.sh WARPGLASS-CLI RECORDING-BENCH [CONTEXT]
#
# Needs a python3 with PyTorch.
set -euo pipefail
cli=${1:?the command line program}
bench=${2:?the recording benchmark}
context=${3:-512}
here=$(dirname -- "$(readlink -f -- "$0")")
common=(--model small --context "$context" --precision bf16)

ours() {
    "$cli" run --device cuda:0 --batch 4 "${common[@]}" --warmup 10 --steps 40 --record none --output "$(mktemp -u).wgrun" \
        --format json "$@" 2>/dev/null | tr -d '\n' | sed 's/  */ /g'
    echo
}
for attention in sdpa-flash naive; do
    echo "== $attention"
    python3 "$here/pytorch_step.py" "${common[@]}" --attention $attention
    python3 "$here/pytorch_step.py" "${common[@]}" --attention $attention --fused
    ours --attention $attention
    python3 "$here/pytorch_step.py" "${common[@]}" --attention $attention --fused --execution reduce-overhead
    ours --attention $attention --execution graph
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
