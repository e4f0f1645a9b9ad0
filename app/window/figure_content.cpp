#include "app/window/figure_content.h"

#include <QSortFilterProxyModel>
#include <QStringList>
#include <QTextDocumentFragment>
#include <algorithm>
#include <vector>

#include "app/window/inspector_drawer.h"
#include "app/window/shown_row.h"
#include "app/window/workspace.h"
#include "engine/lessons/lesson_place.h"
#include "engine/query/spans/step_spans.h"
#include "ui/controls/canvas.h"
#include "ui/controls/data_table.h"
#include "ui/memory/memory_focus.h"
#include "ui/memory/memory_page.h"
#include "ui/models/link_indexer.h"
#include "ui/models/run_document.h"
#include "ui/models/span_details.h"
#include "ui/models/time_axis.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/op_table.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

namespace {

const QStringList kSpanViews = {QStringLiteral("window"), QStringLiteral("timeline"),
                                QStringLiteral("inspector")};
const QStringList kMemoryViews = {QStringLiteral("window-memory"), QStringLiteral("memory"),
                                  QStringLiteral("memory-map"), QStringLiteral("segments")};

/// The first row of the table as it is sorted: the one with most of the time.
int slowestRow(ui::OpTable& ops) {
    ops.refreshNow();
    const QModelIndex first = ops.table().model()->index(0, 0);
    return first.isValid() ? ops.table().proxy()->mapToSource(first).row() : -1;
}

QString slowestName(ui::OpTable& ops) {
    const int row = slowestRow(ops);
    return row < 0 ? QString() : ui::toQString(ops.model().rowAt(row).row.figures.name);
}

/// From where the measured steps begin to just after the highest moment: what happens at a range's end does
/// not count in it. Nothing without a peak.
std::optional<TimeRange> upToThePeak(const ui::RunDocument& document) {
    const auto& snapshot = document.snapshot();
    if (!snapshot)
        return std::nullopt;
    const std::vector<StepSpan> steps = averagedSteps(*snapshot);
    const Nanoseconds from = steps.empty() ? snapshot->range().begin : steps.front().range.begin;
    const auto peak = document.memory().peakIn({from, snapshot->range().end + Nanoseconds(1)});
    if (!peak || peak->time <= from)
        return std::nullopt;
    return TimeRange{from, peak->time + Nanoseconds(1)};
}

/// The longest kernel of the first measured step's forward pass, which is launched a moment before it runs;
/// of a run on the CPU the longest op. Nothing in a run without either.
std::optional<SpanRef> spanToShow(const Snapshot& snapshot) {
    const TrackKind kind =
        snapshot.tracksOfKind(TrackKind::kGpuStream).empty() ? TrackKind::kCpuThread : TrackKind::kGpuStream;
    const std::vector<StepSpan> steps = averagedSteps(snapshot);
    const std::vector<TimeRange> ranges =
        steps.empty() ? std::vector<TimeRange>() : std::vector<TimeRange>{steps.front().range};
    const auto forward = ui::longestSpan(snapshot, kind, std::nullopt, ranges, kNoStep, Phase::kForward);
    return forward ? forward : ui::longestSpan(snapshot, kind, std::nullopt, ranges);
}

/// The first row with that text, as a click on it selects it, and the largest mark whose tool tip has it,
/// unless the row has chosen its own.
bool selectRowAndMark(QWidget& view, const QString& text) {
    const auto row = shownRow(view, text);
    if (row) {
        row->table->setCurrentIndex(row->index);
        emit row->table->clicked(row->index);
    }
    auto* canvas = qobject_cast<ui::Canvas*>(&view);
    if (!canvas)
        canvas = view.findChild<ui::Canvas*>();
    if (!canvas || canvas->chosen() >= 0)
        return row.has_value();
    int largest = -1;
    double most = 0;
    for (int mark = 0; mark < canvas->markCount(); ++mark) {
        const QSizeF size = canvas->markRect(mark).size();
        const QString tip = QTextDocumentFragment::fromHtml(canvas->toolTipOf(mark)).toPlainText();
        if (size.width() * size.height() > most && tip.contains(text, Qt::CaseInsensitive)) {
            largest = mark;
            most = size.width() * size.height();
        }
    }
    canvas->setChosen(largest);
    return row || largest >= 0;
}

}  // namespace

FigureContent::FigureContent(Workspace& workspace, ui::RunDocument& document, ui::TimeAxis& axis,
                             const QString& name, const QString& find)
    : m_workspace(workspace), m_document(document), m_axis(axis), m_name(name) {
    auto* ops = qobject_cast<ui::OpTable*>(workspace.view(QStringLiteral("ops")));
    if (name == QLatin1String("ops")) {
        if (slowestRow(*ops) >= 0)
            ops->table().selectRow(0);
    } else if (name == QLatin1String("find")) {
        workspace.findPanel().setPattern(find.isEmpty() ? slowestName(*ops) : find);
        m_found = true;
    } else if (name == QLatin1String("between")) {
        if (const auto range = upToThePeak(document)) {
            axis.setSelectedRange(range);
            m_selected = true;
        }
    } else if (name == QLatin1String("window") || name == QLatin1String("inspector")) {
        const auto span = document.snapshot() ? spanToShow(*document.snapshot()) : std::nullopt;
        if (span)
            selectSpan(*span, name == QLatin1String("window"));
    }
}

bool FigureContent::select(const QString& text) {
    if (!m_document.snapshot())
        return false;
    if (kSpanViews.contains(m_name)) {
        const Snapshot& run = *m_document.snapshot();
        const auto span = longestSpanCalled(run, averagedRange(run), text.toStdString());
        if (span)
            selectSpan(*span, m_name != QLatin1String("inspector"));
        return span.has_value();
    }
    if (kMemoryViews.contains(m_name))
        return selectAllocation(text);
    QWidget* view = m_workspace.view(m_name);
    if (!view)
        view = m_workspace.mainView();  // of a page
    return view && selectRowAndMark(*view, text);
}

/// The largest that is alive at the moment that the views show and has the text in its sentence.
bool FigureContent::selectAllocation(const QString& text) {
    ui::MemoryFocus& focus = m_workspace.memoryPage().focus();
    const auto moment = focus.moment();
    std::optional<AllocationId> largest;
    std::int64_t most = -1;
    for (const AllocationId id :
         moment ? m_document.memory().aliveAt(*moment) : std::vector<AllocationId>()) {
        const AllocationDetail detail = focus.detailOf(id);
        if (detail.row.bytes > most && ui::allocationSentence(detail).contains(text, Qt::CaseInsensitive)) {
            largest = id;
            most = detail.row.bytes;
        }
    }
    focus.setSelected(largest);
    return largest.has_value();
}

void FigureContent::selectSpan(SpanRef span, bool zoom) {
    const auto details = ui::describeSpan(*m_document.snapshot(), span);
    if (!details)
        return;
    if (!m_visible)
        m_visible = m_axis.visibleRange();
    m_axis.setSelectedSpan(span);
    m_axis.setPinnedCursor(details->start);
    m_workspace.inspectorDrawer().open();  // it waits for a second click otherwise
    if (!zoom)
        return;
    // With its launch, and twice its length on either side, so that there are names beside its own.
    m_document.links().runNow();
    const auto chain = m_document.links().chain(span);
    const auto launch = chain.spans[static_cast<std::size_t>(CauseLevel::kLaunch)];
    const auto call = launch ? ui::describeSpan(*m_document.snapshot(), *launch) : std::nullopt;
    const Nanoseconds margin(details->duration.value * 2);
    const Nanoseconds begin = details->start - margin,
                      launched = call ? call->start - details->duration : begin;
    m_axis.setVisibleRange({std::min(begin, launched), details->range().end + margin});
}

FigureContent::~FigureContent() {
    if (m_visible) {
        m_axis.setSelectedSpan(std::nullopt);
        m_axis.setPinnedCursor(std::nullopt);
        m_axis.setVisibleRange(*m_visible, false);
    }
    if (m_selected)
        m_axis.setSelectedRange(std::nullopt);
    if (m_found)
        m_workspace.findPanel().setPattern({});
}

}  // namespace warpglass::app
