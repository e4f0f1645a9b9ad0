// An inspector of a synthetic run on the CPU.
#pragma once

#include <gtest/gtest.h>

#include <QTest>
#include <memory>
#include <string_view>

#include "tests/support/span_of.h"
#include "tests/support/synthetic_trace.h"
#include "ui/models/run_document.h"
#include "ui/models/span_details.h"
#include "ui/models/time_axis.h"
#include "ui/panels/inspector.h"
#include "ui/panels/property_list.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

struct InspectorTest : testing::Test {
    InspectorTest() : run(test::makeSyntheticRun()), inspector(document, axis) {
        show(run);
        inspector.refreshNow();
    }
    void show(const std::shared_ptr<const Snapshot>& shown) {
        document.setSnapshot(shown);
        axis.setFullRange(shown->range());
    }
    static QString value(const PropertyList& list, const char* label) {
        for (const Property& p : list.properties()) {
            if (p.label == QString::fromUtf8(label))
                return p.value;
        }
        return QStringLiteral("(none)");
    }
    SpanRef first(TrackKind kind) const { return test::spanOf(*document.snapshot(), kind); }
    void select(SpanRef span) {
        axis.setSelectedSpan(span);
        inspector.refreshNow();
    }
    /// The longest span of a name.
    void select(TrackKind kind, const char* name) {
        select(*longestSpan(*run, kind, run->findName(name), {}));
    }
    void select(const TimeRange& range) {
        axis.setSelectedRange(range);
        inspector.refreshNow();
    }
    /// On the screen, where lines are clicked.
    void open() {
        inspector.resize(300, 900);
        inspector.show();
        inspector.refreshNow();
    }
    /// Another run, with its first kernel selected.
    void showKernelOf(const std::shared_ptr<const Snapshot>& gpu) {
        show(gpu);
        axis.setSelectedSpan(first(TrackKind::kGpuStream));
        open();
    }
    static void clickLine(PropertyList& list, int row) {
        QTest::mouseClick(&list, Qt::LeftButton, {}, list.lineRect(row).center());
    }
    static QString text(std::string_view s) { return toQString(s); }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    Inspector inspector;
};

}  // namespace warpglass::ui
