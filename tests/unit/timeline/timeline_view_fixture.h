// A timeline of a synthetic run under real mouse and key events, offscreen.
#pragma once

#include <gtest/gtest.h>

#include <QTest>
#include <QWheelEvent>

#include "tests/support/synthetic_trace.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

struct TimelineViewFixture : testing::Test {
    TimelineViewFixture() : view(&document, &axis) {
        view.resize(900, 500);
        snapshot = warpglass::test::makeSyntheticRun();
        document.setSnapshot(snapshot);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view, 60'000);
        view.grab();
    }

    void wheel(QPoint position, QPoint delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(position, view.mapToGlobal(position), QPoint(), delta, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(&view, Qt::LeftButton, modifiers, from);
        for (int i = 1; i <= 4; ++i)
            QTest::mouseMove(&view, from + (to - from) * i / 4);
        QTest::mouseRelease(&view, Qt::LeftButton, modifiers, to);
    }
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
