#!/usr/bin/env bash
# Draws docs/screenshots anew: every view and every page of the window, in both themes, at 1× and 2×, from the
# sample runs (recorded on an H200). Needs no display and no GPU; a minute.
#
#     docs/screenshots.sh [WARPGLASS] [FOLDER]
#
# WARPGLASS: the program (build/release/bin/warpglass). Names: VIEW-THEME.png, and VIEW-THEME@2x.png. Where
# pngquant is installed it brings them to 256 colors that no eye tells from theirs, which makes them a third as large.
set -euo pipefail
root=$(cd "$(dirname -- "$0")/.." && pwd)
program=${1:-$root/build/release/bin/warpglass}
folder=${2:-$root/docs/screenshots}
run=$root/resources/runs/xl-bf16-step.wgrun
other=$root/resources/runs/small-bf16-naive.wgrun
[ -x "$program" ] || {
    printf '%s is not there: build it with packaging/run.sh, or name it.\n' "$program" >&2
    exit 1
}
mkdir -p "$folder"
rm -f "$folder"/*.png

# What each is drawn from: attention's parts, a comparison and a kernel's clocks say most of runs that have them.
runsOf() {
    case $1 in
        comparison) printf '%s\n' "$root/resources/runs/small-fp32-naive.wgrun" "$other" ;;
        attention | phase-dots | phases) printf '%s\n' "$other" ;;
        kernel-clocks) printf '%s\n' "$root/resources/runs/attention-clocks.wgrun" ;;
        sweep) printf '%s\n' "$root/resources/runs/small-and-medium.wgsweep" ;;
        window-lesson) printf '%s\n' "$root/resources/lessons/1-training-step.md" ;;
        window-experiment) printf '%s\n' "$root/resources/runs/attention" ;;
        *) printf '%s\n' "$run" ;;
    esac
}
# What is selected, where that says something (--select). The timeline is drawn twice: a step as a whole, and an op, to
# which it zooms, so that names can be read (timeline-op). The window's page of views and the inspector select a kernel
# by themselves (app/window/figure_content.h).
selectionOf() {
    case $1 in
        timeline-op) echo aten::silu ;;
        window-memory | memory) echo 'activations, allocated by aten::mm in blocks.24.ffn.w1' ;;
        treemap | allocations) echo 'blocks.*.ffn.w1' ;;
        breakdown | flame*) echo ffn ;;
        layers) echo blocks.0 ;;
        roofline) echo ffn.w1 ;;
        attention) echo softmax ;;
        comparison | phases) echo backward ;;
    esac
}
# The window as on a small laptop; single views a little smaller.
sizeOf() {
    case $1 in
        window* | comparison) echo 1280x720 ;;
        inspector) echo 320x990 ;;
        breakdown) echo 1120x552 ;;
        timeline-op) echo 1120x560 ;;
        phases) echo 1120x290 ;;
        summary) echo 1120x1020 ;;
        *) echo 1120x640 ;;
    esac
}
# A view's names are what --render lists.
names=$("$program" --render nothing --output x.png "$run" 2>&1 | sed -n 's/.*choose one of \(.*\)\./\1/p' | tr -d ',' || true)
[ -n "$names" ] || {
    printf 'The names of the views could not be read from %s.\n' "$program" >&2
    exit 1
}
for name in $names timeline-op; do
    # An experiment is a folder of figures, and a report a document; those of the documentation are made with them.
    case $name in all | experiment | report) continue ;; esac
    mapfile -t runs < <(runsOf "$name")
    more=()
    selected=$(selectionOf "$name")
    [ -z "$selected" ] || more=(--select "$selected")
    # The step of the lesson whose picture is the fullest.
    [ "$name" != window-lesson ] || more=(--lesson-step 6)
    # Several names are found, so that their sums stand beside one another.
    [ "$name" != find ] || more=(--find nvjet)
    for theme in dark light; do
        for scale in 1 2; do
            suffix=$([ "$scale" = 1 ] || echo @2x)
            "$program" --render "${name%-op}" --theme "$theme" --size "$(sizeOf "$name")" --scale "$scale" \
                --output "$folder/$name-$theme$suffix.png" "${more[@]}" "${runs[@]}"
            # A swatch of a few pixels keeps its color: below that quality the picture stays as it is.
            ! command -v pngquant >/dev/null || pngquant --nofs --speed 1 --quality 98-100 --skip-if-larger --force \
                --output "$folder/$name-$theme$suffix.png" "$folder/$name-$theme$suffix.png" || [ $? -ge 98 ]
        done
    done
    printf '%s\n' "$name"
done
