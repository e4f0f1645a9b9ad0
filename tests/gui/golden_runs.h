// The two runs whose views are compared with what they looked like (tests/golden/views, tests/golden/pixels):
// a made one with segments, without a GPU, with nothing selected, and a recorded one of an H200 with a
// moment, a stretch of time and a kernel selected.
#pragma once

#include <gtest/gtest.h>

#include <QFile>
#include <QString>

#include "app/window/inspector_drawer.h"
#include "engine/io/run_file.h"
#include "tests/gui/unseen_run.h"
#include "tests/support/synthetic_trace.h"
#include "ui/models/span_details.h"
#include "ui/panels/find_panel.h"

namespace warpglass::app {

inline OpenedRun openSample(const char* name) {
    auto opened = openRun(std::string(WARPGLASS_SAMPLE_RUNS) + "/" + name + ".wgrun");
    EXPECT_TRUE(opened) << (opened ? std::string() : opened.message());
    return opened ? std::move(*opened) : OpenedRun{};
}

inline OpenedRun makeRunWithSegments() {
    return {test::makeSyntheticRun({.allocatorEvents = 600}), {}, {}};
}

inline void showMade(UnseenRun& shown) {
    shown.show("made.wgrun", makeRunWithSegments());
    shown.window().workspace().findPanel().setPattern("mm");
}

inline void showRecorded(UnseenRun& shown) {
    const OpenedRun run = openSample("small-bf16-naive");
    shown.show("small-bf16-naive.wgrun", run);
    ui::TimeAxis& axis = shown.controller().axis();
    const Snapshot& snapshot = *run.snapshot;
    const TimeRange whole = snapshot.range();
    axis.setSelectedRange(TimeRange{whole.begin + Nanoseconds(whole.duration().value / 2),
                                    whole.begin + Nanoseconds(whole.duration().value * 3 / 4)});
    axis.setSelectedSpan(ui::longestSpan(snapshot, TrackKind::kGpuStream, std::nullopt, {}, 0));
    axis.setPinnedCursor(shown.controller().document().memory().peak()->time);
    shown.window().workspace().findPanel().setPattern("softmax");
    // It would open after the selection, between one view and the next, and leave the tables less room.
    shown.window().workspace().inspectorDrawer().open();
}

/// Whether goldens are to be written instead of compared with: `ninja update-view-goldens`.
inline bool updatesGoldens() {
    return qEnvironmentVariableIsSet("WARPGLASS_UPDATE_GOLDENS");
}

inline constexpr const char* kHowToUpdate =
    "; if that is meant: cmake --build BUILD --target update-view-goldens";

}  // namespace warpglass::app
