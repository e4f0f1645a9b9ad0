// A view of the charts page over a run, driven by mouse and keyboard.
#pragma once

#include <QCoreApplication>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "tests/support/sample_run.h"
#include "tests/support/show_unseen.h"
#include "ui/charts/layers_view.h"
#include "ui/controls/canvas.h"
#include "ui/controls/segmented_control.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

using test::openSampleRun;

/// A view of a run, laid out and computed.
template <class View>
class Shown {
public:
    template <class... More>
    explicit Shown(std::shared_ptr<const Snapshot> run, More... more)
        : view(document, axis, filter, more...) {
        test::showUnseen(view, {1200, 800});
        if (run) {
            document.setSnapshot(run);
            axis.setFullRange(run->range());
        }
        view.refreshNow();
        QCoreApplication::processEvents();
    }
    std::optional<SpanDetails> selected() const {
        return axis.selectedSpan() ? describeSpan(*document.snapshot(), *axis.selectedSpan()) : std::nullopt;
    }
    void click(Canvas& chart, int mark) {
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.markRect(mark).center().toPoint());
    }

    /// By a click on a segment of the control of that name.
    void choose(const char* control, int segment) {
        QTest::mouseClick(view.template findChild<SegmentedControl*>(QLatin1String(control))->button(segment),
                          Qt::LeftButton);
    }

    RunDocument document;
    TimeAxis axis;
    RunFilter filter{document, axis};
    View view;
};

/// The row of a layer; -1 where it is not there.
inline int rowNamed(const LayersChart& chart, std::string_view name) {
    const auto& rows = chart.layers().rows;
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
    return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

}  // namespace warpglass::ui
