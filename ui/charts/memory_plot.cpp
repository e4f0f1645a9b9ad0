#include "ui/charts/memory_plot.h"

#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/plan/memory_prediction.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/trace/stack_order.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/stack_graph.h"
#include "ui/models/link_indexer.h"
#include "ui/models/memory_source.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

/// Above the highest value, for the peak's label.
constexpr double kHeadroom = 1.18;
/// A mark every 40 px at the closest.
constexpr int kPixelsPerTick = 40;
/// A line across further above the run than this would leave the run too little room.
constexpr double kMostAbove = 1.6;
/// But for the limit of one that ran out of memory: as far as the run can still be read.
constexpr double kMostAboveWhenOut = 4;
/// Below the plot, for the events' numbers.
constexpr int kEventAxis = 18;
/// From one number to the next at the closest: "10,000,000".
constexpr int kPixelsPerEventTick = 90;
constexpr std::pair<std::uint64_t, std::uint64_t> kNoEvents{0, 0};

}  // namespace

MemoryPlot::MemoryPlot(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QCustomPlot(parent),
      m_document(document),
      m_axis(axis),
      m_ticker(new QCPAxisTickerText),
      m_marks(new MarkLayer(document, axis,
                            {[this](Nanoseconds t) { return static_cast<int>(xOf(t)); },
                             [this] { return static_cast<int>(plotRect().bottom()) - kFlagHeight - 2; },
                             [this] { return static_cast<int>(plotRect().right()) - 1; }},
                            *this)),
      m_gestures(
          axis,
          [this] {
              return TimeGestures::Span{plotRect().left(), plotRect().width()};
          },
          [this](double x) { return timeAt(x); }),
      m_groupsQuery([this] { return makeGroupsJob(); }) {
    showFailures(this, m_groupsQuery);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Memory over time"));
    setNoAntialiasingOnDrag(false);
    makeGraphs();
    applyTheme();
    connect(&Theme::instance(), &Theme::changed, this, &MemoryPlot::applyTheme);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        m_dataValid = m_pictureValid = false;
        update();
    });
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        // Groups being made are the other run's; invalidate() follows.
        m_groups.reset();
        m_caused = {};
        if (m_stackBy != StackBy::kCategory)
            m_groupsQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    });
    const auto repaintOverlay = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::selectionChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::hoveredSpanChanged, this, repaintOverlay);
    connect(&m_document.links(), &LinkIndexer::changed, this, [this] {
        m_caused = {};
        update();
    });
}

void MemoryPlot::makeGraphs() {
    axisRect()->setAutoMargins(QCP::msNone);
    setMargins();
    for (QCPAxis* a : {xAxis, yAxis}) {
        a->setTickLabels(false);
        a->setTicks(a == yAxis);
        a->setTickLength(0);
        a->setSubTicks(false);
        a->setBasePen(Qt::NoPen);
        a->setTickPen(Qt::NoPen);
        a->setPadding(0);
        a->setLabelPadding(0);
    }
    yAxis->setTicker(m_ticker);
    xAxis->grid()->setVisible(false);
    // Above the fills, or it would be seen only where there is nothing to measure.
    yAxis->grid()->setLayer(QStringLiteral("axes"));
    yAxis->grid()->setZeroLinePen(Qt::NoPen);
    for (std::size_t i = kStackOrder.size(); i-- > 0;) {
        auto* graph = new StackGraph(xAxis, yAxis);  // the plot's
        graph->setPen(Qt::NoPen);
        graph->setAdaptiveSampling(false);  // there is one point a column already
        // Steps stand on pixel columns already, and antialiased fills cost three times as much.
        graph->setAntialiasedFill(false);
        graph->setAntialiased(false);
        graph->setBrush(Theme::categoryColor(kStackOrder[i]));
        m_graphs[static_cast<std::size_t>(kStackOrder[i])] = graph;
    }
    for (std::size_t i = m_groupGraphs.size(); i-- > 0;) {
        auto* graph = new StackGraph(xAxis, yAxis);
        graph->setPen(Qt::NoPen);
        graph->setAdaptiveSampling(false);
        graph->setAntialiasedFill(false);
        graph->setAntialiased(false);
        graph->setVisible(false);
        m_groupGraphs[i] = graph;
    }
    m_reservedGraph = addGraph();
    m_reservedGraph->setLineStyle(QCPGraph::lsStepLeft);
    m_reservedGraph->setAdaptiveSampling(false);
    m_reservedGraph->setAntialiased(false);
}

void MemoryPlot::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    setBackground(Qt::NoBrush);  // the phases' bands lie under the stack
    for (std::size_t i = 0; i < m_groupGraphs.size(); ++i)
        m_groupGraphs[i]->setBrush(groupColor(i));
    yAxis->grid()->setPen(QPen(withAlpha(colors.text, 0.12F), 1));
    QPen reserved(colors.secondaryText, 1);
    reserved.setDashPattern({10, 5});
    m_reservedGraph->setPen(reserved);
    m_pictureValid = false;
    update();
}

void MemoryPlot::setLabelWidth(int width) {
    if (width == m_labelWidth)
        return;
    m_labelWidth = width;
    setMargins();
    m_dataValid = m_pictureValid = false;
    update();
}

std::optional<TimeRange> MemoryPlot::countedTime() const {
    return m_filter && (m_bySteps || m_filter->usesSelection()) ? m_filter->extent().host : std::nullopt;
}

void MemoryPlot::setFilter(const RunFilter* filter, bool steps) {
    m_filter = filter;
    m_bySteps = steps;
    if (filter)
        connect(filter, &RunFilter::changed, this, qOverload<>(&QWidget::update));
    update();
}

void MemoryPlot::setTicksBeside(bool beside) {
    m_ticksBeside = beside;
    if (m_dataValid)
        setStepEnds(m_dataRange);
    update();
}

void MemoryPlot::invalidate() {
    const auto& snapshot = m_document.snapshot();
    m_reserved.update(snapshot);
    const auto info = snapshot ? snapshot->sharedInfo() : nullptr;
    if (info != m_knownFor) {
        m_knownFor = info;
        m_predicted.reset();
        m_predictedSecond.reset();
        m_limit.reset();
        m_ranOut = info && failedForWantOfMemory(*info);
        if (info) {
            m_limit = memoryLimit(*info);
            if (const auto config = configOfRun(*snapshot)) {
                const MemoryPrediction prediction = predictMemory(*config);
                m_predicted = prediction.given;
                m_predictedSecond = prediction.secondStep;
            }
        }
    }
    if (!m_document.isLive() || !snapshot)
        m_groups.reset();
    if (m_stackBy != StackBy::kCategory)
        m_groupsQuery.invalidate(m_document.isLive() ? DeferredQuery::Cause::kGrowth
                                                     : DeferredQuery::Cause::kOtherRun);
    m_dataValid = m_pictureValid = false;
    update();
    emit stackChanged();
}

void MemoryPlot::setStackBy(StackBy stackBy) {
    if (stackBy == m_stackBy)
        return;
    m_stackBy = stackBy;
    m_groups.reset();
    if (stackBy != StackBy::kCategory)
        m_groupsQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    m_dataValid = m_pictureValid = false;
    update();
    emit stackChanged();
}

void MemoryPlot::setSpacing(Spacing spacing) {
    if (spacing == m_spacing)
        return;
    m_spacing = spacing;
    m_gestures.setKeepsMoment(spacing == Spacing::kEvents);
    setMargins();
    m_dataValid = m_pictureValid = false;
    update();
    emit spacingChanged();
}

DeferredQuery::Job MemoryPlot::makeGroupsJob() {
    const MemorySource source = MemorySource::of(m_document);
    const StackBy by = m_stackBy;
    return {[this, source, by]() -> DeferredQuery::Apply {
                std::shared_ptr<const MemoryGroups> groups;
                if (source.snapshot && by != StackBy::kCategory)
                    groups = std::make_shared<const MemoryGroups>(
                        *source.timeline(),
                        by == StackBy::kModule ? MemoryGrouping::kModule : MemoryGrouping::kOp);
                return [this, groups = std::move(groups), by] {
                    if (by != m_stackBy)
                        return;
                    m_groups = groups;
                    m_dataValid = m_pictureValid = false;
                    update();
                    emit stackChanged();
                };
            },
            source.isHeavy()};
}

void MemoryPlot::finishGroups() {
    m_groupsQuery.runNow();
}

std::vector<std::string> MemoryPlot::groupNames() const {
    return showsGroups() ? m_groups->names() : std::vector<std::string>();
}

void MemoryPlot::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    m_groupsQuery.setActive(true);
}

void MemoryPlot::hideEvent(QHideEvent* event) {
    QCustomPlot::hideEvent(event);
    m_groupsQuery.setActive(false);
}

std::pair<std::uint64_t, std::uint64_t> MemoryPlot::visibleEvents() const {
    const MemoryTimeline& memory = m_document.memory();
    const TimeRange visible = m_axis.visibleRange();
    const std::uint64_t first = memory.firstEventAfter(visible.begin - Nanoseconds(1));
    // The run's end is the moment of its last event.
    const std::uint64_t last = visible.end >= m_axis.fullRange().end
                                   ? memory.eventCount()
                                   : memory.firstEventAfter(visible.end - Nanoseconds(1));
    return {first, std::max(first, last)};
}

QSize MemoryPlot::minimumSizeHint() const {
    return {m_labelWidth + 80, 60};
}

QSize MemoryPlot::sizeHint() const {
    return {800, 196};
}

QRectF MemoryPlot::plotRect() const {
    return QRectF(rect()).adjusted(m_labelWidth, 0, 0, -eventAxisHeight());
}

int MemoryPlot::eventAxisHeight() const {
    return m_spacing == Spacing::kEvents && height() >= 3 * kEventAxis ? kEventAxis : 0;
}

void MemoryPlot::setMargins() {
    axisRect()->setMargins(QMargins(m_labelWidth, 0, 0, eventAxisHeight()));
}

std::uint64_t MemoryPlot::eventNumberAt(Nanoseconds t) const {
    return m_document.memory().firstEventAfter(t);
}

std::vector<std::uint64_t> MemoryPlot::eventTicks() const {
    std::vector<std::uint64_t> ticks;
    const auto [first, last] = eventAxisHeight() > 0 ? visibleEvents() : kNoEvents;
    if (last == first)
        return ticks;
    const int most = std::max(1, static_cast<int>(plotRect().width()) / kPixelsPerEventTick);
    const std::vector<double> round = linearTicks(static_cast<double>(last - first), most);
    const auto step = static_cast<std::uint64_t>(round.size() > 1 ? std::max(1.0, round[1]) : 1.0);
    for (std::uint64_t number = (first / step + 1) * step; number <= last; number += step)
        ticks.push_back(number);
    return ticks;
}

Nanoseconds MemoryPlot::timeAt(double x) const {
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const double share = plot.width() > 0 ? std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0) : 0;
    const auto [first, last] = m_spacing == Spacing::kEvents ? visibleEvents() : kNoEvents;
    if (last > first) {
        const auto event = first + static_cast<std::uint64_t>(share * static_cast<double>(last - first));
        return m_document.memory().eventTime(std::min(event, last - 1));
    }
    return visible.begin + Nanoseconds(std::llround(share * static_cast<double>(visible.duration().value)));
}

double MemoryPlot::xOf(Nanoseconds t) const {
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const auto [first, last] = m_spacing == Spacing::kEvents ? visibleEvents() : kNoEvents;
    if (last > first) {
        // A moment lies where the last event at or before it begins to hold.
        const auto after = static_cast<double>(m_document.memory().firstEventAfter(t));
        return plot.left() +
               (after - 1 - static_cast<double>(first)) * plot.width() / static_cast<double>(last - first);
    }
    return plot.left() + static_cast<double>((t - visible.begin).value) * plot.width() /
                             static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
}

double MemoryPlot::yOf(std::int64_t bytes) const {
    return plotRect().height() * (1.0 - static_cast<double>(bytes) / static_cast<double>(m_top));
}

const std::vector<MemoryPlot::Level>& MemoryPlot::levels() {
    ensureScale();
    return m_levels;
}

std::optional<MemoryPoint> MemoryPlot::visiblePeak() {
    ensureScale();
    return m_peak;
}

/// The lines across, and what they raise the highest of the scale to.
void MemoryPlot::setLevels(std::int64_t& highest) {
    m_levels.clear();
    if (highest <= 0)
        return;
    const auto isWithin = [run = static_cast<double>(highest)](Bytes bytes, double times) {
        return static_cast<double>(bytes.value) <= times * run;
    };
    const auto add = [&](Bytes bytes, const QString& name, const QString& more, bool limit) {
        const bool above = bytes.value > highest;
        const QString text = name + QLatin1Char(' ') + toQString(formatBytes(bytes)) + more;
        m_levels.push_back(
            {bytes.value, name, above ? tr("%1, above the scale").arg(text) : text, limit, above});
    };
    const bool limitNear = m_limit && isWithin(m_limit->bytes, m_ranOut ? kMostAboveWhenOut : kMostAbove);
    if (limitNear)
        highest = std::max(highest, m_limit->bytes.value);
    if (m_predicted && isWithin(*m_predicted, kMostAbove))
        highest = std::max(highest, m_predicted->value);
    if (m_limit && (limitNear || m_ranOut))
        add(m_limit->bytes, m_limit->given ? tr("limit") : tr("device memory"), {}, true);
    if (m_predicted)
        add(*m_predicted, tr("predicted peak"),
            m_predictedSecond ? tr(" (with a second step %1)").arg(toQString(formatBytes(*m_predictedSecond)))
                              : QString(),
            false);
}

void MemoryPlot::ensureScale() {
    if (m_dataValid && m_dataRange == m_axis.visibleRange())
        return;
    const MemoryTimeline& memory = m_document.memory();
    // One scale for the whole run: a bar of one height is one size wherever the view is.
    const auto peak = memory.peak();
    const std::int64_t allocated = peak ? sumOf(peak->bytes) : 0;
    std::int64_t highest = std::max(allocated, peak ? m_reserved.peak().value : 0);
    setLevels(highest);
    m_top = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(highest) * kHeadroom));
    m_ticks = byteTicks(highest, std::max(2, static_cast<int>(plotRect().height()) / kPixelsPerTick));
    m_ticker->clear();
    for (const std::int64_t tick : m_ticks)
        m_ticker->addTick(static_cast<double>(tick), QString());
    yAxis->setRange(0, static_cast<double>(m_top));

    m_peak = memory.eventCount() > 0 ? memory.peakIn(m_axis.visibleRange()) : std::nullopt;
    m_peakLabel.clear();
    if (m_peak && m_document.snapshot()) {
        const bool ofRun = sumOf(m_peak->bytes) == allocated;
        const QString size = toQString(formatBytes(Bytes(sumOf(m_peak->bytes))));
        const QString phase = toQString(spanNameAt(*m_document.snapshot(), TrackKind::kPhase, m_peak->time));
        m_peakLabel = ofRun ? tr("peak %1").arg(size) : tr("highest in view %1").arg(size);
        if (!phase.isEmpty())
            m_peakLabel += QStringLiteral(" · ") + phase;
    }
}

void MemoryPlot::ensureData(int columns) {
    columns = std::max(columns, 1);
    const TimeRange visible = m_axis.visibleRange();
    if (m_dataValid && m_dataColumns == columns && m_dataRange == visible)
        return;
    ensureScale();
    const auto [first, last] = visibleEvents();
    const auto width = static_cast<std::size_t>(columns);
    const auto cells = m_spacing == Spacing::kTime ? m_document.memory().columns(visible, width)
                                                   : m_document.memory().columnsOfEvents(first, last, width);
    const double duration = static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
    setStack(cells, duration);
    setReserved(cells, columns, duration);
    setStepEnds(visible);
    xAxis->setRange(0, duration);
    m_dataRange = visible;
    m_dataColumns = columns;
    m_dataValid = true;
}

/// Only beside ticks are they drawn: finding them goes through all of the run's steps.
void MemoryPlot::setStepEnds(TimeRange visible) {
    m_stepEnds.clear();
    if (!m_ticksBeside || !m_document.snapshot())
        return;
    m_stepEnds = endedSteps(*m_document.snapshot());
    std::erase_if(m_stepEnds, [&](const StepSpan& step) {
        return step.range.end < visible.begin || step.range.end > visible.end;
    });
}

/// The graphs of the columns: each is the sum of its part and those below it.
void MemoryPlot::setStack(const std::vector<MemoryColumn>& cells, double duration) {
    const bool groups = showsGroups();
    const double step = duration / static_cast<double>(std::max<std::size_t>(1, cells.size()));
    const std::size_t parts = groups ? m_groupGraphs.size() : m_graphs.size();
    std::vector<QVector<QCPGraphData>> points(parts);
    std::vector<bool> any(parts, false);
    std::optional<MemoryGroups::Cursor> cursor;
    if (groups)
        cursor.emplace(*m_groups, m_document.memory());
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const std::int64_t* const bytes =
            groups ? cursor->after(cells[c].peakEvents).data() : cells[c].atPeak.data();
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < parts; ++k) {
            const std::size_t part = groups ? k : static_cast<std::size_t>(kStackOrder[k]);
            sum += bytes[part];
            any[part] = any[part] || bytes[part] != 0;
            points[part].append({static_cast<double>(c) * step, static_cast<double>(sum)});
        }
    }
    for (QCPGraph* graph : m_graphs)
        graph->setVisible(false);
    for (QCPGraph* graph : m_groupGraphs)
        graph->setVisible(false);
    for (std::size_t part = 0; part < parts; ++part) {
        if (!points[part].isEmpty())
            points[part].append({duration, points[part].back().value});  // the last column has a width too
        QCPGraph* const graph = groups ? m_groupGraphs[part] : m_graphs[part];
        graph->data()->set(points[part], true);
        graph->setVisible(any[part]);  // what is not there need not be painted over
    }
}

void MemoryPlot::setReserved(const std::vector<MemoryColumn>& cells, int columns, double duration) {
    std::vector<std::int64_t> held;
    if (m_spacing == Spacing::kTime)
        held = m_reserved.columns(m_axis.visibleRange(), static_cast<std::size_t>(columns));
    else if (!m_reserved.empty())
        for (const MemoryColumn& cell : cells)
            held.push_back(m_reserved.at(cell.peakTime).value);
    QVector<QCPGraphData> reserved;
    reserved.reserve(static_cast<qsizetype>(held.size()) + 1);
    for (std::size_t c = 0; c < held.size(); ++c)
        reserved.append({static_cast<double>(c) * duration / static_cast<double>(held.size()),
                         static_cast<double>(held[c])});
    if (!reserved.isEmpty())
        reserved.append({duration, reserved.back().value});
    m_reservedGraph->data()->set(reserved, true);
    m_reservedGraph->setVisible(!reserved.isEmpty());
}

void MemoryPlot::resizeEvent(QResizeEvent* event) {
    // Not QCustomPlot's: it would draw at once into buffers that are not used here.
    QWidget::resizeEvent(event);
    setMargins();
    m_dataValid = m_pictureValid = false;
}

}  // namespace warpglass::ui
