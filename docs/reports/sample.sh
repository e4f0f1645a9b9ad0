#!/usr/bin/env bash
# Makes the sample of docs/reports.md: two runs of resources/runs, compared. Run it from anywhere; BIN is the folder
# of the built programs.
set -euo pipefail
cd "$(dirname "$0")/../.."
"${BIN:-build/release/bin}/warpglass-cli" report resources/runs/small-bf16-naive.wgrun \
    resources/runs/small-bf16-flash.wgrun --title "What flash attention is worth: small in bf16 on an H200" \
    --output docs/reports/sample.html
