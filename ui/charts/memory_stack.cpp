#include "ui/charts/memory_stack.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "engine/trace/stack_order.h"
#include "ui/charts/stack_graph.h"
#include "ui/models/memory_source.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

MemoryStack::MemoryStack(RunDocument& document, const MemoryScale& scale, QWidget& widget)
    : QObject(&widget),
      m_document(document),
      m_scale(scale),
      m_widget(widget),
      m_plot(std::make_unique<QCustomPlot>()),
      m_query([this] { return makeJob(); }) {
    showFailures(&widget, m_query);
    makeAxes();
    for (std::size_t i = kStackOrder.size(); i-- > 0;)
        m_graphs[static_cast<std::size_t>(kStackOrder[i])] = addStackGraph(*m_plot);
    for (std::size_t i = m_groupGraphs.size(); i-- > 0;)
        m_groupGraphs[i] = addStackGraph(*m_plot);
    m_reservedGraph = m_plot->addGraph();
    m_reservedGraph->setLineStyle(QCPGraph::lsStepLeft);
    m_reservedGraph->setAdaptiveSampling(false);
    m_reservedGraph->setAntialiased(false);
    applyTheme();
    connect(&Theme::instance(), &Theme::changed, this, &MemoryStack::applyTheme);
}

MemoryStack::~MemoryStack() = default;

void MemoryStack::makeAxes() {
    m_plot->setBackground(Qt::NoBrush);  // the phases' bands lie under the stack
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    for (QCPAxis* a : {m_plot->xAxis, m_plot->yAxis}) {
        a->setTickLabels(false);
        a->setTicks(a == m_plot->yAxis);
        a->setTickLength(0);
        a->setSubTicks(false);
        a->setBasePen(Qt::NoPen);
        a->setTickPen(Qt::NoPen);
        a->setPadding(0);
        a->setLabelPadding(0);
    }
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTickerText>::create());
    m_plot->xAxis->grid()->setVisible(false);
    // Above the fills, or it would be seen only where there is nothing to measure.
    m_plot->yAxis->grid()->setLayer(QStringLiteral("axes"));
    m_plot->yAxis->grid()->setZeroLinePen(Qt::NoPen);
}

void MemoryStack::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    for (const Category category : kStackOrder)
        m_graphs[static_cast<std::size_t>(category)]->setBrush(Theme::categoryColor(category));
    for (std::size_t i = 0; i < m_groupGraphs.size(); ++i)
        m_groupGraphs[i]->setBrush(groupColor(i));
    m_plot->yAxis->grid()->setPen(QPen(withAlpha(colors.text, 0.12F), 1));
    m_reservedGraph->setPen(QPen(colors.secondaryText, 1));
}

void MemoryStack::ask() {
    if (m_by != By::kCategory)
        m_query.invalidate(m_document.isLive() ? DeferredQuery::Cause::kGrowth
                                               : DeferredQuery::Cause::kOtherRun);
}

void MemoryStack::forgetGroups() {
    m_groups.reset();
    if (m_by != By::kCategory)
        m_query.invalidate(DeferredQuery::Cause::kOtherRun);
}

void MemoryStack::invalidate() {
    if (!m_document.isLive() || !m_document.snapshot())
        m_groups.reset();
    ask();
    emit changed();
}

void MemoryStack::setBy(By by) {
    if (by == m_by)
        return;
    m_by = by;
    forgetGroups();
    emit changed();
}

DeferredQuery::Job MemoryStack::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const By by = m_by;
    return {[this, source, by]() -> DeferredQuery::Apply {
                std::shared_ptr<const MemoryGroups> groups;
                if (source.snapshot && by != By::kCategory)
                    groups = std::make_shared<const MemoryGroups>(
                        *source.timeline(),
                        by == By::kModule ? MemoryGrouping::kModule : MemoryGrouping::kOp);
                return [this, groups = std::move(groups), by] {
                    if (by != m_by)
                        return;
                    m_groups = groups;
                    emit changed();
                };
            },
            source.isHeavy()};
}

std::vector<std::string> MemoryStack::groupNames() const {
    return groups() ? groups()->names() : std::vector<std::string>();
}

void MemoryStack::paint(QCPPainter& painter, int columns, TimeRange visible, double shortest) {
    fill(std::max(columns, 1), visible);
    m_plot->axisRect()->setMargins(QMargins(m_scale.labelWidth(), 0, 0, m_scale.eventAxisHeight()));
    painter.save();
    m_plot->toPainter(&painter, m_widget.width(), m_widget.height());
    painter.restore();
    paintAllocated(painter, shortest);
}

void MemoryStack::fill(int columns, TimeRange visible) {
    auto ticker = m_plot->yAxis->ticker().staticCast<QCPAxisTickerText>();
    ticker->clear();
    for (const std::int64_t tick : m_scale.ticks())
        ticker->addTick(static_cast<double>(tick), QString());
    m_plot->yAxis->setRange(0, static_cast<double>(m_scale.top()));
    const auto [first, last] = m_scale.visibleEvents();
    const auto width = static_cast<std::size_t>(columns);
    const auto cells = m_scale.spacing() == MemoryScale::Spacing::kTime
                           ? m_document.memory().columns(visible, width)
                           : m_document.memory().columnsOfEvents(first, last, width);
    const double duration = static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
    fillStack(cells, duration);
    fillReserved(cells, columns, visible);
    m_plot->xAxis->setRange(0, duration);
}

/// The graphs of the columns: each is the sum of its part and those below it.
void MemoryStack::fillStack(const std::vector<MemoryColumn>& cells, double duration) {
    const double step = duration / static_cast<double>(std::max<std::size_t>(1, cells.size()));
    const std::size_t parts = groups() ? m_groupGraphs.size() : m_graphs.size();
    std::vector<QVector<QCPGraphData>> points(parts);
    std::vector<bool> any(parts, false);
    std::optional<MemoryGroups::Cursor> cursor;
    if (groups())
        cursor.emplace(*groups(), m_document.memory());
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const std::int64_t* const bytes =
            cursor ? cursor->after(cells[c].peakEvents).data() : cells[c].atPeak.data();
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < parts; ++k) {
            const std::size_t part = cursor ? k : static_cast<std::size_t>(kStackOrder[k]);
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
        QCPGraph* const graph = cursor ? m_groupGraphs[part] : m_graphs[part];
        graph->data()->set(points[part], true);
        graph->setVisible(any[part]);  // what is not there need not be painted over
    }
}

void MemoryStack::fillReserved(const std::vector<MemoryColumn>& cells, int columns, TimeRange visible) {
    const ReservedCurve& curve = m_scale.reserved();
    std::vector<std::int64_t> held;
    if (m_scale.spacing() == MemoryScale::Spacing::kTime)
        held = curve.columns(visible, static_cast<std::size_t>(columns));
    else if (!curve.empty())
        for (const MemoryColumn& cell : cells)
            held.push_back(curve.at(cell.peakTime).value);
    const double duration = static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
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

std::optional<std::int64_t> MemoryStack::lastReserved() const {
    if (!m_reservedGraph->visible())
        return std::nullopt;
    return static_cast<std::int64_t>((m_reservedGraph->data()->constEnd() - 1)->value);
}

bool MemoryStack::reservedRunsThrough(const QRectF& box) const {
    if (!m_reservedGraph->visible())
        return false;
    const QCPAxis* x = m_plot->xAxis;
    const auto data = m_reservedGraph->data();
    const auto end = data->findEnd(x->pixelToCoord(box.right()));
    return std::any_of(data->findBegin(x->pixelToCoord(box.left())), end, [&](const QCPGraphData& point) {
        const double y = m_scale.yOf(static_cast<std::int64_t>(point.value));
        return y > box.top() && y < box.bottom();
    });
}

/// Along the tops of columns alone: strokes up and down would hide the colors of a curve that jumps. Pieces
/// are `shortest` or longer, at the highest of the columns that they go over.
void MemoryStack::paintAllocated(QPainter& painter, double shortest) const {
    const QCPGraph& top = groups() ? *m_groupGraphs.back() : graphOf(kStackOrder.back());
    const auto data = top.data();
    const auto xAt = [&](int i) { return m_plot->xAxis->coordToPixel(data->at(i)->key); };
    // The stack's own first row of pixels.
    const auto yAt = [&](int i) { return std::ceil(m_plot->yAxis->coordToPixel(data->at(i)->value) - 0.5); };
    QVector<QRectF> pieces;
    for (int i = 0, next = 0; i + 1 < data->size(); i = next) {
        const double left = xAt(i);
        double y = yAt(i), value = data->at(i)->value;
        for (next = i + 1; next + 1 < data->size() && (yAt(next) == y || xAt(next) - left < shortest);
             ++next) {
            y = std::min(y, yAt(next));
            value = std::max(value, data->at(next)->value);
        }
        if (value > 0)
            pieces.append(QRectF(left, y, xAt(next) - left, 1));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().colors().text);
    painter.drawRects(pieces);
}

}  // namespace warpglass::ui
