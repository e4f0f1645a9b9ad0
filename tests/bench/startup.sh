#!/usr/bin/env bash
# Times the window from process start to its first paint (and the exit that follows), LibTorch not loaded.
# Usage: tests/bench/startup.sh [BUILD_DIR]      (default build/release; 11 runs; prints min, median, max in ms)
# With no display the offscreen platform stands in for one.
set -euo pipefail
build=${1:-build/release}
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || export QT_QPA_PLATFORM=offscreen
app="$build/bin/warpglass"
[ -x "$app" ] || { echo "startup.sh: $app is not there; build it first (packaging/run.sh)" >&2; exit 1; }
times=()
for _ in 0 1 2 3 4 5 6 7 8 9 10; do
    begin=$(date +%s%N)
    "$app" --exit-after-first-paint
    end=$(date +%s%N)
    times+=($(((end - begin) / 1000)))
done
mapfile -t sorted < <(printf '%s\n' "${times[@]}" | sort -n)
awk -v a="${sorted[0]}" -v b="${sorted[5]}" -v c="${sorted[10]}" \
    'BEGIN { printf "first paint: min %.0f ms, median %.0f ms, max %.0f ms (11 runs)\n", a/1000, b/1000, c/1000 }'
