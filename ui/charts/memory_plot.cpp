#include "ui/charts/memory_plot.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/plan/memory_prediction.h"
#include "engine/query/plan_of_run.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/caused_allocations.h"
#include "ui/charts/phase_bands.h"
#include "ui/charts/stack_graph.h"
#include "ui/models/link_indexer.h"
#include "ui/models/memory_source.h"
#include "ui/models/span_details.h"
#include "ui/models/table_model.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/veil.h"

namespace warpglass::ui {

namespace {

/// Above the highest value, for the peak's label.
constexpr double kHeadroom = 1.18;
/// A mark every 40 px at the closest.
constexpr int kPixelsPerTick = 40;
/// Vector figures are drawn for print: more columns than logical pixels.
constexpr int kVectorColumns = 4;
// The timeline's steps: a notch or a key shows this share of what was shown, or moves by it.
constexpr double kZoomPerNotch = 0.8, kZoomPerKey = 0.7;
constexpr double kPanPerNotch = 0.10, kPanPerKey = 0.15;
constexpr double kDragDistance = 4;
/// A predicted peak further above the run than this would leave the run too little room.
constexpr double kMostPredicted = 1.6;
constexpr std::pair<std::uint64_t, std::uint64_t> kNoEvents{0, 0};

QColor withAlpha(QColor color, float alpha) {
    color.setAlphaF(alpha);
    return color;
}

}  // namespace

MemoryPlot::MemoryPlot(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QCustomPlot(parent),
      m_document(document),
      m_axis(axis),
      m_ticker(new QCPAxisTickerText),
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
    axisRect()->setMargins(QMargins(m_labelWidth, 0, 0, 0));
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
    for (std::size_t i = kCategoryCount; i-- > 0;) {
        auto* graph = new StackGraph(xAxis, yAxis);  // the plot's
        graph->setPen(Qt::NoPen);
        graph->setAdaptiveSampling(false);  // there is one point a column already
        // Steps stand on pixel columns already, and antialiased fills cost three times as much.
        graph->setAntialiasedFill(false);
        graph->setAntialiased(false);
        graph->setBrush(Theme::categoryColor(static_cast<Category>(i)));
        m_graphs[i] = graph;
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
    m_reservedGraph->setPen(QPen(colors.secondaryText, 1));
    m_pictureValid = false;
    update();
}

void MemoryPlot::setLabelWidth(int width) {
    if (width == m_labelWidth)
        return;
    m_labelWidth = width;
    axisRect()->setMargins(QMargins(width, 0, 0, 0));
    m_dataValid = m_pictureValid = false;
    update();
}

void MemoryPlot::invalidate() {
    const auto& snapshot = m_document.snapshot();
    m_reserved.update(snapshot);
    const auto info = snapshot ? snapshot->sharedInfo() : nullptr;
    if (info != m_predictedFor) {
        m_predictedFor = info;
        m_predicted.reset();
        if (info) {
            if (const auto config = configOfRun(*snapshot))
                m_predicted = predictMemory(*config).total();
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
    m_dataValid = m_pictureValid = false;
    update();
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
    return QRectF(rect()).adjusted(m_labelWidth, 0, 0, 0);
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
    return height() * (1.0 - static_cast<double>(bytes) / static_cast<double>(m_top));
}

std::optional<MemoryPoint> MemoryPlot::visiblePeak() {
    ensureScale();
    return m_peak;
}

void MemoryPlot::ensureScale() {
    if (m_dataValid && m_dataRange == m_axis.visibleRange())
        return;
    const MemoryTimeline& memory = m_document.memory();
    // One scale for the whole run: a bar of one height is one size wherever the view is.
    const auto peak = memory.peak();
    const std::int64_t allocated = peak ? sumOf(peak->bytes) : 0;
    std::int64_t highest = std::max(allocated, peak ? m_reserved.peak().value : 0);
    const bool predicted = m_predicted && static_cast<double>(m_predicted->value) <=
                                              kMostPredicted * static_cast<double>(highest);
    highest = std::max(highest, predicted ? m_predicted->value : 0);
    m_top = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(highest) * kHeadroom));
    m_ticks = byteTicks(highest, std::max(2, height() / kPixelsPerTick));
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
    xAxis->setRange(0, duration);
    m_dataRange = visible;
    m_dataColumns = columns;
    m_dataValid = true;
}

/// The graphs of the columns: graph i is the sum of parts 0…i.
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
        for (std::size_t part = 0; part < parts; ++part) {
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
    m_dataValid = m_pictureValid = false;
}

void MemoryPlot::paintEvent(QPaintEvent*) {
    QCPPainter painter(this);
    if (!painter.isActive() || width() <= m_labelWidth)
        return;
    const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
    // The transform knows the scale also when a widget is drawn into a picture, where the device is the
    // widget.
    const qreal ratio = raster ? std::max<qreal>(1.0, painter.deviceTransform().m11()) : 1.0;
    const double plotWidth = plotRect().width();
    ensureData(static_cast<int>(std::lround(plotWidth * (raster ? ratio : kVectorColumns))));
    if (!raster) {
        painter.fillRect(rect(), Theme::instance().colors().background);
        paintBands(painter);
        painter.save();
        toPainter(&painter, width(), height());
        painter.restore();
    } else {
        if (!m_pictureValid || m_picture.devicePixelRatio() != ratio ||
            m_picture.deviceIndependentSize().toSize() != size()) {
            m_picture = QPixmap(size() * ratio);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(Theme::instance().colors().background);
            QCPPainter into(&m_picture);
            paintBands(into);
            toPainter(&into, width(), height());
            m_pictureValid = true;
        }
        painter.drawPixmap(0, 0, m_picture);
    }
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setFont(Theme::tableFont());
    paintPredicted(painter);
    paintTicks(painter);
    paintSelection(painter);
    paintPeak(painter);
    paintCausedAllocations(painter, *this, m_document, m_axis, m_caused.of(m_document, m_axis));
    paintCursors(painter);
}

void MemoryPlot::paintBands(QPainter& painter) const {
    if (!m_document.snapshot() || m_document.memory().eventCount() == 0)
        return;
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const Nanoseconds aPixel(static_cast<std::int64_t>(static_cast<double>(visible.duration().value) /
                                                       std::max(1.0, plot.width())));
    for (const PhaseBand& band :
         phaseBands(*m_document.snapshot(), visible, m_spacing == Spacing::kTime ? aPixel : Nanoseconds(0))) {
        const double left = std::max(plot.left(), xOf(std::max(band.range.begin, visible.begin)));
        const double right = std::min(plot.right(), xOf(std::min(band.range.end, visible.end)));
        if (right > left)
            painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()),
                             phaseBandColor(band.phase));
    }
}

void MemoryPlot::paintPredicted(QPainter& painter) const {
    if (!m_predicted || m_ticks.empty() || m_predicted->value > m_top)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const double y = std::floor(yOf(m_predicted->value)) + 0.5;
    QPen pen(colors.text, 1);
    pen.setDashPattern({5, 4});
    painter.setPen(pen);
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const QString text = tr("predicted peak %1").arg(toQString(formatBytes(*m_predicted)));
    QRectF chip(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height());
    // Beside the ticks' labels, at the other side of the peak's.
    chip.moveBottomLeft(QPointF(plot.left() + 72, y - 2));
    if (chip.top() < 0)
        chip.moveTop(y + 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(colors.background, 0.78F));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(chip, Qt::AlignCenter, text);
}

void MemoryPlot::paintTicks(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    if (m_ticks.empty()) {
        painter.setPen(colors.secondaryText);
        const QString text = m_document.snapshot() ? tr("There is no memory event to show") : QString();
        painter.drawText(plotRect(), Qt::AlignCenter, text);
        return;
    }
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(font, painter.device());
    for (const std::int64_t tick : m_ticks) {
        const QString text = toQString(byteTickLabel(tick));
        // On a chip of the canvas, so that it reads on every category's colour.
        const QRectF chip(m_labelWidth + 4, yOf(tick) - metrics.height() - 3,
                          metrics.horizontalAdvance(text) + 8, metrics.height());
        if (chip.top() < 0)
            continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(withAlpha(colors.background, 0.78F));
        painter.drawRoundedRect(chip, 3, 3);
        painter.setPen(colors.text);
        painter.drawText(chip, Qt::AlignCenter, text);
    }
}

void MemoryPlot::paintSelection(QPainter& painter) const {
    const auto range = m_axis.selectedRange();
    if (!range)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const double left = std::max(plot.left(), xOf(range->begin));
    const double right = std::min(plot.right(), xOf(range->end));
    if (right < left)
        return;
    const QRectF area(left, plot.top(), right - left, plot.height());
    fillVeil(painter, area, withAlpha(colors.accent, 0.14F));
    painter.fillRect(QRectF(area.left(), area.top(), 1, area.height()), colors.accent);
    painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), colors.accent);
}

void MemoryPlot::paintPeak(QPainter& painter) {
    if (!m_peak || sumOf(m_peak->bytes) <= 0)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const QPointF at(std::clamp(xOf(m_peak->time), plot.left() + 5, plot.right() - 5),
                     yOf(sumOf(m_peak->bytes)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.text, 1.5));
    painter.setBrush(colors.background);
    painter.drawEllipse(at, 3.5, 3.5);

    QFont font = Theme::tableFont();
    font.setWeight(QFont::Medium);
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const double width = metrics.horizontalAdvance(m_peakLabel) + 8;
    QRectF box(at.x() + 8, at.y() - metrics.height() - 2, width, metrics.height());
    if (box.right() > plot.right() - 4)
        box.moveRight(at.x() - 8);
    box.moveTop(std::max(box.top(), plot.top() + 1));
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(colors.background, 0.78F));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(colors.text);
    painter.drawText(box, Qt::AlignCenter, m_peakLabel);
}

void MemoryPlot::paintCursors(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const auto line = [&](Nanoseconds t, const QColor& color) {
        const double x = std::floor(xOf(t));
        if (x >= plot.left() && x <= plot.right())
            fillVeil(painter, QRectF(x, plot.top(), 1, plot.height()), color);
    };
    if (m_axis.pinnedCursor())
        line(*m_axis.pinnedCursor(), colors.accent);
    if (m_axis.cursor())
        line(*m_axis.cursor(), withAlpha(colors.text, 0.7F));
}

QString MemoryPlot::toolTipAt(Nanoseconds t) const {
    const CategoryBytes bytes = m_document.memory().at(t);
    const auto row = [](const QString& swatch, const QString& name, std::int64_t size) {
        return QStringLiteral(
                   "<tr><td>%1</td><td style='padding-right:16px'>%2</td><td align='right'>%3</td>"
                   "<td align='right' style='padding-left:16px'>%4</td></tr>")
            .arg(swatch, name, toQString(formatBytes(Bytes(size))), toQString(formatBytesExact(Bytes(size))));
    };
    QString rows;
    if (showsGroups()) {
        const MemoryTimeline& memory = m_document.memory();
        const MemoryGroups::Bytes9 parts =
            MemoryGroups::Cursor(*m_groups, memory).after(memory.firstEventAfter(t));
        const std::vector<std::string>& names = m_groups->names();
        for (std::size_t i = names.size(); i-- > 0;) {
            const std::size_t part = m_groups->hasRest() && i + 1 == names.size() ? MemoryGroups::kMost : i;
            if (parts[part] != 0)
                rows +=
                    row(QStringLiteral("<span style='color:%1'>■</span>&nbsp;").arg(groupColor(part).name()),
                        toQString(names[i]).toHtmlEscaped(), parts[part]);
        }
    }
    for (std::size_t i = showsGroups() ? 0 : kCategoryCount; i-- > 0;) {
        if (bytes[i] == 0)
            continue;
        const QString color = Theme::categoryColor(static_cast<Category>(i)).name();
        rows += row(QStringLiteral("<span style='color:%1'>■</span>&nbsp;").arg(color),
                    toQString(kCategoryNames[i]), bytes[i]);
    }
    rows += row(QString(), tr("all"), sumOf(bytes));
    if (!m_reserved.empty())
        rows += row(QString(), tr("reserved"), m_reserved.at(t).value);
    QString head = toQString(formatDuration(t));
    const QString phase = m_document.snapshot()
                              ? toQString(spanNameAt(*m_document.snapshot(), TrackKind::kPhase, t))
                              : QString();
    if (!phase.isEmpty())
        head += QStringLiteral(" · ") + phase.toHtmlEscaped();
    return QStringLiteral("<b>%1</b><table>%2</table>").arg(head, rows);
}

bool MemoryPlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (help->pos().x() >= m_labelWidth && m_document.memory().eventCount() > 0)
            QToolTip::showText(help->globalPos(), toolTipAt(timeAt(help->pos().x())), this);
        else
            QToolTip::hideText();
        return true;
    }
    // Tab and Shift+Tab leave the plot; everything else goes the usual way.
    return QCustomPlot::event(event);
}

void MemoryPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || event->position().x() < m_labelWidth)
        return;
    m_pressedAt = event->position();
    m_pressedRange = m_axis.visibleRange();
    m_anchor = timeAt(event->position().x());
    m_drag = event->modifiers() & Qt::ShiftModifier ? Drag::kSelect : Drag::kPressed;
}

void MemoryPlot::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (m_drag == Drag::kPressed && std::abs(at.x() - m_pressedAt.x()) >= kDragDistance)
        m_drag = Drag::kPan;
    if (m_drag == Drag::kPan) {
        const double perPixel =
            static_cast<double>(m_pressedRange.duration().value) / std::max(1.0, plotRect().width());
        const Nanoseconds moved(std::llround((at.x() - m_pressedAt.x()) * perPixel));
        if (m_spacing == Spacing::kTime)
            m_axis.panBy(m_pressedRange.begin - moved - m_axis.visibleRange().begin);
        else
            m_axis.panBy(m_anchor - timeAt(at.x()));  // the event that was pressed stays under the mouse
    } else if (m_drag == Drag::kSelect) {
        const Nanoseconds here = timeAt(at.x());
        m_axis.setSelectedRange(TimeRange{std::min(m_anchor, here), std::max(m_anchor, here)});
    }
    m_axis.setCursor(at.x() >= m_labelWidth ? std::optional(timeAt(at.x())) : std::nullopt);
}

void MemoryPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (m_drag == Drag::kPressed)
        m_axis.setPinnedCursor(timeAt(event->position().x()));
    m_drag = Drag::kNone;
}

void MemoryPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    // The second press of a double click is a press like any other.
    mousePressEvent(event);
}

void MemoryPlot::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier || std::abs(turned.x()) > std::abs(turned.y())) {
        const int amount = turned.x() != 0 ? turned.x() : turned.y();
        const double share = -static_cast<double>(amount) / 120.0 * kPanPerNotch;
        m_axis.panBy(
            Nanoseconds(std::llround(share * static_cast<double>(m_axis.visibleRange().duration().value))));
    } else if (turned.y() != 0) {
        m_axis.zoomAt(timeAt(event->position().x()), std::pow(kZoomPerNotch, turned.y() / 120.0));
    }
    event->accept();
}

void MemoryPlot::keyPressEvent(QKeyEvent* event) {
    const TimeRange visible = m_axis.visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    const auto pan = [&](double direction) {
        m_axis.panBy(Nanoseconds(
            std::llround(direction * kPanPerKey * static_cast<double>(visible.duration().value))));
    };
    if (event->matches(QKeySequence::Undo)) {
        m_axis.zoomBack();
        return;
    }
    switch (event->key()) {
        case Qt::Key_W:
            return m_axis.zoomAt(m_axis.effectiveCursor().value_or(middle), kZoomPerKey);
        case Qt::Key_S:
            return m_axis.zoomAt(m_axis.effectiveCursor().value_or(middle), 1 / kZoomPerKey);
        case Qt::Key_A:
        case Qt::Key_Left:
            return pan(-1);
        case Qt::Key_D:
        case Qt::Key_Right:
            return pan(1);
        case Qt::Key_F:
            return m_axis.fitAll();
        case Qt::Key_P:
            if (const auto peak = visiblePeak())
                m_axis.setPinnedCursor(peak->time);
            return;
        case Qt::Key_Escape:
            m_axis.setSelectedRange(std::nullopt);
            m_axis.setSelectedSpan(std::nullopt);
            return m_axis.setPinnedCursor(std::nullopt);
        default:
            QWidget::keyPressEvent(event);
    }
}

void MemoryPlot::leaveEvent(QEvent* event) {
    m_axis.setCursor(std::nullopt);
    QCustomPlot::leaveEvent(event);
}

}  // namespace warpglass::ui
