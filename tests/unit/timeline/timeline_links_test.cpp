// What lights up with a span, and walking the chain of causes, in a run with a launch and its kernel.
#include <QImage>

#include "tests/support/trace_text.h"
#include "tests/unit/timeline/timeline_view_fixture.h"
#include "ui/models/link_indexer.h"

namespace warpglass::ui::timeline_links_test {

struct TimelineLinks : TimelineViewFixture {
    TimelineLinks() {
        snapshot = test::traceOf(R"(
            module blocks.0 0-500
            op aten::linear 50-400 | op aten::mm 100-300 | launch 150-200 link 7 | kernel gemm 700-850
            call cuStreamSynchronize 600-900 link 8 | wait stream 610-890
            end 1000
        )");
        document.setSnapshot(snapshot);
        view.labels().unfoldAll();
        view.resize(1000, 500);
        view.grab();
    }
    SpanRef ref(TrackKind kind, std::uint32_t depth = 0, std::uint64_t row = 0) const {
        return {lane(kind, depth), row};
    }
    /// Whether the pixels around a span's edge have changed between two pictures.
    bool differsAt(const QImage& a, const QImage& b, SpanRef span) const {
        const SpanRow row = *spanRow(*snapshot, span);
        const QPoint middle = middleOf(span);
        const int left = static_cast<int>(pixelOf(Nanoseconds(row.start)));
        const double scale = a.devicePixelRatio();
        const QPoint edge(static_cast<int>(left * scale), static_cast<int>(middle.y() * scale));
        return a.pixel(edge) != b.pixel(edge);
    }
};

TEST_F(TimelineLinks, HoveringAKernelLightsAllThatBelongsToIt) {
    const QImage before = view.grab().toImage();
    const SpanRef kernel = ref(TrackKind::kGpuStream);
    // From elsewhere: a test before may have left the pointer there, and then it would not move.
    QTest::mouseMove(&view, {300, 10});
    QTest::mouseMove(&view, middleOf(kernel));
    ASSERT_EQ(axis.hoveredSpan(), kernel);
    const std::uint64_t builds = view.body().geometryBuilds();
    const QImage lit = view.grab().toImage();
    EXPECT_EQ(view.body().geometryBuilds(), builds);
    for (const SpanRef span : {ref(TrackKind::kModule), ref(TrackKind::kCpuThread, 1),
                               ref(TrackKind::kApiThread, 0, 0), ref(TrackKind::kApiThread, 0, 1), kernel})
        EXPECT_TRUE(differsAt(before, lit, span));
    EXPECT_FALSE(differsAt(before, lit, ref(TrackKind::kCpuThread, 0))) << "not the innermost op";
    QTest::mouseMove(&view, {300, 10});
    EXPECT_FALSE(axis.hoveredSpan());
}

TEST_F(TimelineLinks, HoveringAnOpLightsItsKernelAndALineGoesThere) {
    const QImage before = view.grab().toImage();
    axis.setHoveredSpan(ref(TrackKind::kCpuThread, 1));
    const QImage lit = view.grab().toImage();
    EXPECT_TRUE(differsAt(before, lit, ref(TrackKind::kGpuStream)));
    // On the straight way between launch and kernel something is drawn.
    const QPoint from = middleOf(ref(TrackKind::kApiThread)), to = middleOf(ref(TrackKind::kGpuStream));
    const int x = static_cast<int>((pixelOf(Nanoseconds(150)) + pixelOf(Nanoseconds(700))) / 2);
    const int y = (from.y() + to.y()) / 2;
    const int scale = static_cast<int>(lit.devicePixelRatio());
    const QRect line(x * scale, (y - 12) * scale, 1, 25 * scale);
    EXPECT_NE(before.copy(line), lit.copy(line));
}

TEST_F(TimelineLinks, BracketsWalkTheChainOfCauses) {
    view.setFocus();
    axis.setSelectedSpan(ref(TrackKind::kGpuStream));
    const std::vector<SpanRef> up = {ref(TrackKind::kApiThread, 0, 0), ref(TrackKind::kCpuThread, 1),
                                     ref(TrackKind::kModule), ref(TrackKind::kModule)};
    for (const SpanRef span : up) {
        key(Qt::Key_BracketLeft);
        EXPECT_EQ(axis.selectedSpan(), span);
    }
    EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(0));
    axis.setSelectedSpan(ref(TrackKind::kCpuThread, 1));
    for (const SpanRef span : {ref(TrackKind::kApiThread, 0, 0), ref(TrackKind::kGpuStream),
                               ref(TrackKind::kApiThread, 0, 1), ref(TrackKind::kApiThread, 0, 1)}) {
        key(Qt::Key_BracketRight);
        EXPECT_EQ(axis.selectedSpan(), span);
    }
}

TEST_F(TimelineLinks, AnotherRunsLinksAreNotKept) {
    QTest::mouseMove(&view, middleOf(ref(TrackKind::kGpuStream)));
    view.grab();
    document.setSnapshot(test::makeSyntheticRun());
    EXPECT_FALSE(axis.hoveredSpan());
    view.grab();
    document.clear();
    view.grab();
}

}  // namespace warpglass::ui::timeline_links_test
