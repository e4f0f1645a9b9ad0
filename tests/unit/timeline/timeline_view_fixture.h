// A timeline of a synthetic run under real mouse and key events, offscreen.
#pragma once

#include <gtest/gtest.h>

#include <QTest>

#include "tests/support/gestures.h"
#include "tests/support/synthetic_trace.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

struct TimelineViewFixture : testing::Test {
    TimelineViewFixture() : view(&document, &axis) {
        view.resize(900, 500);
        snapshot = test::makeSyntheticRun();
        document.setSnapshot(snapshot);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view, 60'000);
        view.grab();
    }

    void wheel(QPoint at, QPoint turned, Qt::KeyboardModifiers keys = {}) {
        test::turnWheel(view, at, turned, keys);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) { test::drag(view, from, to, keys); }
    void click(QPoint at) { QTest::mouseClick(&view, Qt::LeftButton, {}, at); }
    void key(Qt::Key key, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(&view, key, keys); }
    double pixelOf(Nanoseconds t) const {
        return kTrackLabelWidth + timeToPixel(t, axis.visibleRange(), view.plotArea().width());
    }
    QPoint middleOf(SpanRef ref) const {
        const SpanRow span = *spanRow(*snapshot, ref);
        const TimelineRow& row = view.rows().rows()[*view.rows().rowOf(ref.lane)];
        return {static_cast<int>(pixelOf(Nanoseconds((span.start + span.end()) / 2))),
                kRulerHeight + view.viewport().shownTop(row.top) + row.height / 2};
    }
    /// The first lane of a kind and depth.
    LaneId lane(TrackKind kind, std::uint32_t depth) const {
        for (const TimelineRow& row : view.rows().rows()) {
            if (row.kind == kind && row.depth == depth && !row.gpu)
                return row.lane;
        }
        return {};
    }

    RunDocument document;
    TimeAxis axis;
    TimelineView view;
    std::shared_ptr<const Snapshot> snapshot;
};

}  // namespace warpglass::ui
