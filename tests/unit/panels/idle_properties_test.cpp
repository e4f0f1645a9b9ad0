// What the inspector says of an idle stretch, against what the trace holds.
#include "tests/support/first_of.h"
#include "tests/support/sample_run.h"
#include "ui/panels/selection_properties.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/activity/gpu_busy.h"
#include "engine/query/spans/step_spans.h"
#include "ui/panels/inspector.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::idle_properties_test {

struct IdlePropertiesTest : testing::Test {
    static const Property& row(const std::vector<Property>& rows, const char* label,
                               std::source_location at = std::source_location::current()) {
        return test::firstOf(
            rows, [&](const Property& p) { return p.label == QString::fromUtf8(label); }, at);
    }

    std::shared_ptr<const Snapshot> run = test::openSampleRun("small-bf16-flash");
};

TEST_F(IdlePropertiesTest, EveryStretchSaysWhatEndedItAndItsShareOfItsStep) {
    const GpuBusy busy(*run);
    const std::vector<StepSpan> steps = endedSteps(*run);
    std::int32_t ended = 0, atEnd = 0;
    for (std::size_t i = 0; i < busy.idle().size(); i += 7) {
        const GpuBusy::Stretch& stretch = busy.idle()[i];
        if (stretch.part == GpuBusy::Part::kOutside)
            continue;
        const IdleDetails details = describeIdle(*run, {0, stretch});
        if (stretch.next.valid()) {
            ASSERT_TRUE(details.nextSpan);
            const auto next = run->lane(details.nextSpan->lane).row(details.nextSpan->row);
            EXPECT_EQ(next->start, stretch.end);
            EXPECT_EQ(toQString(run->name(next->name)), details.next);
            ++ended;
        } else {
            EXPECT_FALSE(details.nextSpan);
            EXPECT_TRUE(details.next.isEmpty());
            ++atEnd;
        }
        const StepSpan& step = test::firstOf(steps, [&](const StepSpan& one) {
            return one.range.begin.value <= stretch.begin && stretch.end <= one.range.end.value;
        });
        EXPECT_EQ(details.step, step.step);
        EXPECT_DOUBLE_EQ(details.shareOfStep, static_cast<double>(stretch.end - stretch.begin) /
                                                  static_cast<double>(step.range.duration().value));
    }
    EXPECT_GT(ended, 50);
    for (const GpuBusy::Stretch& stretch : busy.idle())
        atEnd += stretch.part != GpuBusy::Part::kOutside && !stretch.next.valid();
    EXPECT_GT(atEnd, 0);
}

TEST_F(IdlePropertiesTest, TheInspectorTellsThemAndLeadsToWhatEndedIt) {
    RunDocument document;
    TimeAxis axis;
    Inspector inspector(document, axis);
    document.setSnapshot(run);
    axis.setFullRange(run->range());
    const GpuBusy busy(*run);
    const GpuBusy::Stretch late = test::firstOf(busy.idle(), [](const GpuBusy::Stretch& s) {
        return s.part == GpuBusy::Part::kHostLate && s.next.valid();
    });
    const IdleDetails details = describeIdle(*run, {0, late});
    axis.inspect(SelectedIdle{0, late});
    inspector.refreshNow();
    EXPECT_EQ(inspector.subject().heading(), "GPU idle");
    EXPECT_EQ(inspector.subject().title(), "idle, waiting for the host");
    const std::vector<Property>& rows = inspector.subject().properties();
    EXPECT_EQ(row(rows, "Cause").value, "waiting for the host");
    EXPECT_EQ(row(rows, "Cause").toolTip, "waiting for the host to launch the next work");
    EXPECT_EQ(row(rows, "Ended by").value, details.next);
    EXPECT_EQ(row(rows, "Duration").value, toQString(formatDuration(Nanoseconds(late.end - late.begin))));
    EXPECT_TRUE(row(rows, "Share").value.endsWith(QStringLiteral(" of step %1").arg(details.step)));
    EXPECT_TRUE(inspector.kind().properties().empty());

    // A range that is selected later stands in its place, with the way back.
    axis.setSelectedRange(TimeRange{Nanoseconds(0), Nanoseconds(1000)});
    inspector.refreshNow();
    EXPECT_EQ(inspector.subject().heading(), "Selected range");
    EXPECT_EQ(row(inspector.subject().properties(), "Pinned").value, "idle, waiting for the host");
    emit const_cast<PropertyList&>(inspector.subject()).activated(0);
    inspector.refreshNow();
    EXPECT_EQ(inspector.subject().heading(), "GPU idle");
    emit const_cast<PropertyList&>(inspector.subject()).activated(row(rows, "Ended by").link);
    EXPECT_EQ(axis.selectedSpan(), details.nextSpan);
    EXPECT_FALSE(axis.selectedIdle());
    inspector.refreshNow();
    EXPECT_NE(inspector.subject().heading(), "GPU idle");
}

}  // namespace warpglass::ui::idle_properties_test
