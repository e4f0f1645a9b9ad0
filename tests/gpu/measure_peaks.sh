#!/usr/bin/env bash
# Runs every configuration that the prediction of a GPU's memory is held to, and prints the peaks as CSV
# (tests/golden/gpu_peaks_h200.csv). Takes some three minutes on an H200.
#
#     tests/gpu/measure_peaks.sh WARPGLASS-CLI [main|rest] >peaks.csv
#
# main: every model, context, and the usual precisions and attention variants; rest: the others at one context.
set -euo pipefail
cli=${1:?the command line program}
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
columns=peak_bytes,weights_bytes,gradients_bytes,optimizer_bytes,input_bytes,activations_bytes,temporaries_bytes,workspace_bytes,unknown_bytes

# measure MODEL CONTEXT PRECISION ATTENTION MODE EXECUTION
measure() {
    "$cli" run --device cuda:0 --model "$1" --context "$2" --batch 4 --precision "$3" --attention "$4" --mode "$5" \
        --execution "$6" --warmup 1 --steps 1 --record memory --output "$run/a.wgrun" >/dev/null
    local reserved
    reserved=$("$cli" info "$run/a.wgrun" --format csv | awk -F, '$2 == "allocator.peak_reserved_bytes" { print $3 }')
    "$cli" stats memory "$run/a.wgrun" --format csv |
        awk -F, -v wanted="$columns" -v head="$1,$2,$3,$4,$5,$6" -v reserved="$reserved" -v mode="$5" '
            NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; n = split(wanted, names, ",") }
            $at["name"] == "run" {
                # As they are predicted.
                $at[mode == "forward" ? "temporaries_bytes" : "activations_bytes"] += $at["weight_copies_bytes"]
                for (i = 1; i <= n; ++i) head = head "," $at[names[i]]
                print head "," reserved
                exit
            }'
}

echo "model,context,precision,attention,mode,execution,peak_allocated,weights,gradients,optimizer,input,activations,temporaries,workspace,unknown,peak_reserved"
if [ "${2:-main}" = main ]; then
    for model in small medium large xl 2.7B; do
        for context in 128 512 1024; do
            for kind in "fp32 naive" "bf16 naive" "bf16 sdpa-flash" "fp32 sdpa-efficient"; do
                read -r precision attention <<<"$kind"
                for mode in forward step; do
                    measure $model $context "$precision" "$attention" $mode eager
                done
            done
        done
    done
fi
if [ "${2:-rest}" = rest ]; then
    for model in small large; do
        for kind in "tf32 naive" "fp16 naive" "fp16 sdpa-flash" "bf16 sdpa-math" "fp32 sdpa-math" "bf16 sdpa-cudnn" "bf16 sdpa-efficient"; do
            read -r precision attention <<<"$kind"
            for mode in forward forward-backward step; do
                measure $model 512 "$precision" "$attention" $mode eager
            done
        done
        for kind in "fp32 naive" "bf16 naive" "bf16 sdpa-flash" "fp32 sdpa-efficient"; do
            read -r precision attention <<<"$kind"
            measure $model 512 "$precision" "$attention" forward-backward eager
            measure $model 512 "$precision" "$attention" step graph
        done
    done
fi
