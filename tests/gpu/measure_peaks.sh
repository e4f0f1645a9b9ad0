#!/usr/bin/env bash
# Runs every configuration that the prediction of a GPU's memory is held to, and prints the peaks as CSV
# (tests/golden/gpu_peaks_h200.csv). Takes some three minutes on an H200.
#
#     tests/gpu/measure_peaks.sh WARPGLASS-CLI >peaks.csv
set -euo pipefail
cli=${1:?the command line program}
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
columns=peak_bytes,weights_bytes,gradients_bytes,optimizer_bytes,input_bytes,activations_bytes,temporaries_bytes,workspace_bytes,unknown_bytes
echo "model,context,precision,attention,mode,peak_allocated,weights,gradients,optimizer,input,activations,temporaries,workspace,unknown"
for model in small medium large xl 2.7B; do
    for context in 128 512 1024; do
        for kind in "fp32 naive" "bf16 naive" "bf16 sdpa-flash" "fp32 sdpa-efficient"; do
            for mode in forward step; do
                read -r precision attention <<<"$kind"
                "$cli" run --device cuda:0 --model "$model" --context "$context" --batch 4 --precision "$precision" \
                    --attention "$attention" --mode "$mode" --warmup 1 --steps 1 --output "$run/a.wgrun" >/dev/null
                "$cli" stats memory "$run/a.wgrun" --format csv |
                    awk -F, -v wanted="$columns" -v head="$model,$context,$precision,$attention,$mode" '
                        NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; n = split(wanted, names, ",") }
                        $at["name"] == "run" { for (i = 1; i <= n; ++i) head = head "," $at[names[i]]; print head; exit }'
            done
        done
    done
done
