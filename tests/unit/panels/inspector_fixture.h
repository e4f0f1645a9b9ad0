// An inspector of a synthetic run on the CPU.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "tests/support/synthetic_trace.h"
#include "ui/models/run_document.h"
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
    SpanRef first(TrackKind kind) const {
        const Snapshot& shown = *document.snapshot();
        return {shown.lanesOf(shown.tracksOfKind(kind).front())[0].id(), 0};
    }
    /// Another run, with its first kernel selected.
    void showKernelOf(const std::shared_ptr<const Snapshot>& gpu) {
        show(gpu);
        axis.setSelectedSpan(first(TrackKind::kGpuStream));
        inspector.resize(300, 900);
        inspector.show();
        inspector.refreshNow();
    }
    static QString text(std::string_view s) { return toQString(s); }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    Inspector inspector;
};

}  // namespace warpglass::ui
