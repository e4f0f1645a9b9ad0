#!/usr/bin/env bash
# What holds our attention kernels back, by a profile from inside: 16,384 tokens and 2,048 features in all, bf16, as in
# warpglass_kernel_bench, each length a run whose kernels write clocks once (--record kernel-clocks). Prints Markdown.
#
#     tests/bench/kernels/attention_clocks.sh WARPGLASS-CLI [HEAD-DIMENSION...]
#
# The time and TFLOP/s are of the plain kernel, the median of 20 steps; all else is of its twin with the clock, which is
# slower. A tile's time is the duration times how many ran at once over how many there are, so the tail is within it; its
# phases are where a warpgroup's time goes, products with the wait for the tensor cores that the other warpgroup has. Last
# wave: how full it is; tail: from when the first multiprocessor has run its last tile.
set -euo pipefail
cli=${1:?the command line program}
dimensions=("${@:2}")
[ ${#dimensions[@]} -gt 0 ] || dimensions=(64 128)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

echo "| pass | d | causal | length | time | TFLOP/s | tiles | waves | last wave | a tile | load | products | softmax | store" \
    "| tail | half idle |"
echo "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
for d in "${dimensions[@]}"; do
    for causal in yes no; do
        for length in 512 1024 2048 4096 8192 16384; do
            run=$folder/clocks.wgrun batch=$((16384 / length)) heads=$((2048 / d))
            "$cli" run --device cuda:0 --workload attention --attention flash --mode forward-backward --precision bf16 \
                --batch $batch --heads $heads --head-dim "$d" --context "$length" --causal $causal --warmup 5 --steps 20 \
                --record kernels,kernel-clocks --output "$run" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
            "$cli" stats kernels "$run" --format csv 2>/dev/null >"$folder/kernels"
            "$cli" stats kernel-clocks "$run" --format csv 2>/dev/null >"$folder/clocks"
            rm "$run"
            # Columns by the names in a file's first line; the kernels come first.
            awk -F, -v d="$d" -v causal=$causal -v length_="$length" -v matrices=$((batch * heads)) '
                FNR == 1 { delete at; for (i = 1; i <= NF; ++i) at[$i] = i; next }
                "time_share" in at {
                    if ($at["name"] ~ /^flash(Forward|Backward)(Hopper)?Kernel$/)
                        median[$at["name"] ~ /Forward/ ? "forward" : "backward"] = $at["median_ns"]
                    next
                }
                {
                    pass = $at["kernel"]
                    work = 4 * matrices * length_ * length_ * d
                    if (causal == "yes") work /= 2
                    if (pass == "backward") work *= 2.5
                    waves = $at["tiles"] / $at["at_once"]
                    printf "| %s | %d | %s | %d | %.3f ms | %.0f | %d | %.2f | %.0f%% | %.2f µs |", pass, d, causal, length_,
                        median[pass] * 1e-6, work / median[pass] * 1e-3, $at["tiles"], waves,
                        100 * (waves - $at["waves"] + 1), $at["duration_ns"] / waves * 1e-3
                    count = split("load products softmax store tail half_idle", shares, " ")
                    for (i = 1; i <= count; ++i) printf " %.0f%% |", 100 * $at[shares[i] "_share"]
                    print ""
                }' "$folder/kernels" "$folder/clocks"
        done
    done
done
