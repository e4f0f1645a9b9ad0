#include "ui/memory/memory_chart.h"

#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "engine/base/format.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/tables/memory_columns.h"
#include "ui/charts/category_key.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/failure_note.h"
#include "ui/memory/memory_legend.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/span_details.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Three digits tell a hundredth of it apart at least: in a view that is shorter they would be one time for
/// many pixels.
QString momentIn(TimeRange visible, Nanoseconds t) {
    return toQString(visible.duration() < t ? formatMoment(t) : formatDuration(t));
}

}  // namespace

MemoryChart::MemoryChart(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_legend(named(new MemoryLegend(this), "memoryLegend")),
      m_plot(named(new MemoryPlot(document, axis, this), "memoryPlot")),
      m_legendQuery(
          [this]() -> DeferredQuery::Job { return {[this] { return [this] { updateLegend(); }; }}; }) {
    askWhileSeen(this, m_legendQuery);
    setObjectName(QStringLiteral("memoryChart"));
    setFocusProxy(m_plot);
    makeChoices();
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addWidget(m_legend);
    layout->addWidget(m_plot, 1);

    connect(&m_document, &RunDocument::runChanged, this, &MemoryChart::showRun);
    connect(&m_document, &RunDocument::snapshotChanged, this, &MemoryChart::onSnapshotChanged);
    connect(&m_axis, &TimeAxis::clockChanged, this, &MemoryChart::updateReading);
    connect(&m_axis, &TimeAxis::cursorChanged, this, &MemoryChart::updateReading);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, &MemoryChart::updateReading);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, &MemoryChart::updateReading);
    connect(&Theme::instance(), &Theme::changed, this, &MemoryChart::updateLines);
    connect(&Theme::instance(), &Theme::changed, m_legend, qOverload<>(&QWidget::update));
    connect(m_legend, &MemoryLegend::heightChanged, this, &MemoryChart::placeChoices);
    connect(&m_plot->stack(), &MemoryStack::changed, this,
            [this] { m_legend->setGroups(m_plot->stack().groupNames()); });
    showRun();
}

void MemoryChart::makeChoices() {
    m_stack = new ComboBox(this);
    setNames(m_stack, "memoryStack", tr("What the stack is grouped by"));
    m_stack->setToolTip(tr("What the stack is grouped by"));
    m_stack->addItems({tr("Category"), tr("Module"), tr("Op")});
    m_stack->setItemData(2, toQString(kGroupedByOp), Qt::ToolTipRole);
    m_spacing = new ComboBox(this);
    setNames(m_spacing, "memorySpacing", tr("Horizontal axis"));
    m_spacing->setToolTip(
        tr("Over time, as in every view; or evenly, one position per allocation or free, numbered below the "
           "plot. The other views stay over time"));
    m_spacing->addItems({tr("Time"), tr("Events")});
    setFigureWords(*m_stack, tr("stacked by %1"));
    setFigureWords(*m_spacing, tr("over %1"));
    for (QComboBox* box : {m_stack, m_spacing}) {
        box->setFont(Theme::tableFont());
        box->setMinimumContentsLength(0);
    }
    connect(m_stack, &QComboBox::activated, this,
            [this](int by) { m_plot->stack().setBy(static_cast<MemoryStack::By>(by)); });
    connect(m_spacing, &QComboBox::activated, this, [this](int spacing) {
        m_plot->setSpacing(static_cast<MemoryPlot::Spacing>(spacing));
        updateReading();
    });
}

/// In the column of labels, which the plot leaves empty, and the legend's further rows: what is chosen there
/// brings and takes such rows, and the boxes stay under the mouse.
void MemoryChart::placeChoices() {
    const int width = labelWidth() - 2 * Metrics::kSpace1;
    int y = MemoryLegend::kHeight + Metrics::kSpace2;
    for (QComboBox* box : {m_stack, m_spacing}) {
        box->setGeometry(Metrics::kSpace1, y, width, Metrics::kControlHeight);
        y += Metrics::kControlHeight + Metrics::kSpace1;
        box->setVisible(width >= 80 && y <= height() && !FigureMode::holds(*this));
        box->raise();
    }
}

void MemoryChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeChoices();
}

int MemoryChart::labelWidth() const {
    return m_plot->labelWidth();
}

void MemoryChart::setLabelWidth(int width) {
    m_plot->setLabelWidth(width);
    m_legend->setLabelWidth(width);
    placeChoices();
}

void MemoryChart::setInFigure(bool inFigure) {
    if (inFigure)
        m_labelWidthBefore = labelWidth();
    m_plot->setTicksBeside(inFigure);
    setLabelWidth(inFigure ? kFigureLabelWidth : m_labelWidthBefore);
    updateLines();
}

int MemoryChart::figureHeight(int, int) {
    m_legend->setLines(lines());
    const int withoutPhases = m_legend->maximumHeight();
    updateLines();
    return height() + m_legend->maximumHeight() - withoutPhases;
}

void MemoryChart::fitInFigure() {
    updateLines();
    layout()->activate();
}

Heading MemoryChart::heading() const {
    const auto& snapshot = m_document.snapshot();
    if (!snapshot)
        return {tr("Memory over time"), {}};
    if (m_findingOf.lock() != snapshot) {
        m_findingOf = snapshot;
        const auto why = explainPeak(m_document.memory());
        m_finding = why ? toQString(why->shortSentence(m_plot->scale().reserved().peak())) : QString();
    }
    return {tr("Memory over time"), m_finding};
}

void MemoryChart::refreshNow() {
    showRun();
    m_plot->stack().finishGroups();
}

void MemoryChart::showRun() {
    m_plot->invalidate();
    m_legendQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    m_legendQuery.runNow();
    updateReading();
}

void MemoryChart::onSnapshotChanged() {
    if (!m_document.isLive())
        return showRun();
    m_plot->invalidate();
    m_legendQuery.invalidate(DeferredQuery::Cause::kGrowth);
    updateReading();
}

void MemoryChart::updateLegend() {
    m_legend->setCategories(seenCategories(m_document));
    updateLines();
}

std::vector<LegendEntry> MemoryChart::lines() const {
    const ThemeColors& colors = Theme::instance().colors();
    std::vector<LegendEntry> lines;
    if (!m_plot->scale().reserved().empty())
        lines.push_back({colors.secondaryText, tr("reserved"), true});
    for (const MemoryScale::Level& level : m_plot->scale().levels()) {
        if (!level.above)
            lines.push_back(
                {level.limit ? colors.warning : colors.text, level.name, true, false, false, !level.limit});
    }
    return lines;
}

void MemoryChart::updateLines() {
    std::vector<LegendEntry> lines = this->lines();
    // In the window the reading at the cursor names them.
    if (FigureMode::holds(*this))
        std::ranges::copy(unnamedPhases(m_plot->phases().bars(*m_plot)), std::back_inserter(lines));
    m_legend->setLines(std::move(lines));
}

void MemoryChart::updateReading() {
    const auto cursor = m_axis.effectiveCursor();
    if (!cursor || !m_document.snapshot() || m_document.memory().eventCount() == 0) {
        m_legend->setReading({});
        return;
    }
    const std::string phase = spanNameAt(*m_document.snapshot(), TrackKind::kPhase, *cursor);
    QString text = tr("%1 at %2")
                       .arg(toQString(formatBytes(Bytes(sumOf(m_document.memory().at(*cursor))))),
                            m_axis.clock().steps().empty() ? momentIn(m_axis.visibleRange(), *cursor)
                                                           : m_axis.clock().text(*cursor));
    if (!phase.empty())
        text += QStringLiteral(" · ") + toQString(phase);
    if (m_plot->spacing() == MemoryPlot::Spacing::kEvents)
        text += QStringLiteral(" · ") + m_plot->scale().eventWords(*cursor);
    m_legend->setReading(text);
}

}  // namespace warpglass::ui
