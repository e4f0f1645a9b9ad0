#include "ui/memory/memory_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/trace/stack_order.h"
#include "ui/controls/figure_mode.h"
#include "ui/models/link_indexer.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Vector figures are drawn for print: more columns than logical pixels.
constexpr double kVectorColumns = 4;

QString row(const QColor& color, const QString& name, std::int64_t size) {
    const QString swatch = color.isValid()
                               ? QStringLiteral("<span style='color:%1'>■</span>&nbsp;").arg(color.name())
                               : QString();
    return QStringLiteral(
               "<tr><td>%1</td><td style='padding-right:16px'>%2</td><td align='right'>%3</td>"
               "<td align='right' style='padding-left:16px'>%4</td></tr>")
        .arg(swatch, name, toQString(formatBytes(Bytes(size))), toQString(formatBytesExact(Bytes(size))));
}

/// As the stack has them, from the top.
QString rowsOf(const MemoryGroups& groups, const MemoryTimeline& memory, Nanoseconds t) {
    QString rows;
    const MemoryGroups::Bytes9 parts = MemoryGroups::Cursor(groups, memory).after(memory.firstEventAfter(t));
    const std::vector<std::string>& names = groups.names();
    for (std::size_t i = names.size(); i-- > 0;) {
        const std::size_t part = groups.hasRest() && i + 1 == names.size() ? MemoryGroups::kMost : i;
        if (parts[part] != 0)
            rows += row(groupColor(part), toQString(names[i]).toHtmlEscaped(), parts[part]);
    }
    return rows;
}

QString rowsOf(const CategoryBytes& bytes) {
    QString rows;
    for (std::size_t i = kStackOrder.size(); i-- > 0;) {
        const Category category = kStackOrder[i];
        if (const std::int64_t size = bytes[static_cast<std::size_t>(category)]; size != 0)
            rows += row(Theme::categoryColor(category), toQString(categoryName(category)), size);
    }
    return rows;
}

QString phaseAt(const Snapshot& run, Nanoseconds t) {
    if (const std::string host = spanNameAt(run, TrackKind::kPhase, t); !host.empty())
        return QStringLiteral(" · ") + toQString(host).toHtmlEscaped();
    const std::string gpu = spanNameAt(run, TrackKind::kGpuPhase, t);
    return gpu.empty()
               ? QString()
               : QStringLiteral(" · ") + MemoryPlot::tr("GPU: %1").arg(toQString(gpu).toHtmlEscaped());
}

/// What is told of a moment, as rich text: its sizes by part of the stack, and the phase that it is in.
/// `groups`: what the stack is made of, null for categories; `when`: the moment in words.
QString memoryTip(const RunDocument& document, const MemoryScale& scale, const MemoryGroups* groups,
                  Nanoseconds t, const QString& when) {
    const MemoryTimeline& memory = document.memory();
    const CategoryBytes bytes = memory.at(t);
    QString rows = groups ? rowsOf(*groups, memory, t) : rowsOf(bytes);
    rows += row({}, MemoryPlot::tr("allocated"), sumOf(bytes));
    if (!scale.reserved().empty())
        rows += row({}, MemoryPlot::tr("reserved"), scale.reserved().at(t).value);
    QString head = when;
    if (const auto& run = document.snapshot())
        head += phaseAt(*run, t);
    if (scale.spacing() == MemoryScale::Spacing::kEvents)
        head += QStringLiteral(" · ") + scale.eventWords(t);
    return QStringLiteral("<b>%1</b><table>%2</table>").arg(head, rows);
}

}  // namespace

MemoryPlot::MemoryPlot(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : Canvas(parent),
      m_document(document),
      m_axis(axis),
      m_scale(document, axis, *this),
      m_stack(new MemoryStack(document, m_scale, *this)),
      m_phases(document, axis, m_scale),
      m_labels(document, m_scale, *m_stack),
      m_marks(
          new MarkLayer(document, axis,
                        {[this](Nanoseconds t) { return static_cast<int>(xOf(t)); },
                         [this] { return static_cast<int>(m_scale.plotRect().bottom()) - kFlagHeight - 2; },
                         [this] { return static_cast<int>(m_scale.plotRect().right()) - 1; }},
                        *this)),
      m_gestures(
          axis,
          [this] {
              return TimeGestures::Span{m_scale.plotRect().left(), m_scale.plotRect().width()};
          },
          [this](double x) { return timeAt(x); }) {
    setAccessibleName(tr("Memory over time"));
    connect(this, &Canvas::seen, m_stack, &MemoryStack::setActive);
    connect(m_stack, &MemoryStack::changed, this, &MemoryPlot::redraw);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, &MemoryPlot::redraw);
    connect(&m_axis, &TimeAxis::selectionChanged, this, &MemoryPlot::redraw);
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_stack->forgetGroups();
        m_caused = {};
    });
    const auto repaintOverlay = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::hoveredSpanChanged, this, repaintOverlay);
    connect(&m_document.links(), &LinkIndexer::changed, this, [this] {
        m_caused = {};
        update();
    });
}

void MemoryPlot::setLabelWidth(int width) {
    if (width == labelWidth())
        return;
    m_scale.setLabelWidth(width);
    redraw();
}

void MemoryPlot::layOutPhases() {
    m_scale.setStripHeight(m_phases.height());
    redraw();
}

void MemoryPlot::setTicksBeside(bool beside) {
    m_phases.setOfFigure(beside);
    m_labels.setTicksBeside(beside);
    layOutPhases();
}

void MemoryPlot::setPhaseNames(bool named) {
    m_phases.setNamed(named);
    layOutPhases();
}

void MemoryPlot::setSpacing(Spacing spacing) {
    if (spacing == m_scale.spacing())
        return;
    m_scale.setSpacing(spacing);
    m_gestures.setKeepsMoment(spacing == Spacing::kEvents);
    layOutPhases();
    emit spacingChanged();
}

void MemoryPlot::setFilter(const RunFilter* filter, bool steps) {
    m_filter = filter;
    m_bySteps = steps;
    if (filter)
        connect(filter, &RunFilter::changed, this, &MemoryPlot::redraw);
    redraw();
}

std::optional<TimeRange> MemoryPlot::countedTime() const {
    return m_filter && (m_bySteps || m_filter->usesSelection()) ? m_filter->extent().host : std::nullopt;
}

void MemoryPlot::invalidate() {
    m_scale.readRun();
    layOutPhases();
    m_stack->invalidate();
}

QSize MemoryPlot::minimumSizeHint() const {
    return {labelWidth() + 80, 60};
}

QSize MemoryPlot::sizeHint() const {
    return {800, 196};
}

void MemoryPlot::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    m_scale.invalidate();
}

void MemoryPlot::paintPicture(QPainter& painter) {
    if (width() <= labelWidth())
        return;
    painter.fillRect(selectedRect(), Theme::instance().selectedGround());
    m_phases.paint(painter, kept());
    const double columnsPerPixel = painter.paintEngine()->type() == QPaintEngine::Raster
                                       ? painter.deviceTransform().m11()
                                       : kVectorColumns;
    const auto columns = static_cast<int>(std::lround(m_scale.plotRect().width() * columnsPerPixel));
    m_stack->paint(painter, columns, m_axis.visibleRange(), kept());
}

/// Lines, those across and those of marks and cursors, lie under every label, and the peak's has the first
/// choice of its place.
void MemoryPlot::paintOver(QPainter& painter) {
    if (width() <= labelWidth())
        return;
    painter.setFont(Theme::tableFont());
    LabelPlace place = m_labels.place(painter.device());
    const CausedMarks caused(*this, m_document, m_axis, m_caused.of(m_document, m_axis), place);
    m_labels.paintLevelLines(painter);
    paintMarks(painter);
    paintCursors(painter);
    m_labels.paintTicks(painter);
    m_labels.paintEventAxis(painter);
    const ThemeColors& colors = Theme::instance().colors();
    if (const QRectF area = selectedRect(); area.isValid()) {
        painter.fillRect(QRectF(area.left(), area.top(), 1, area.height()), colors.accent);
        painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), colors.accent);
    }
    m_labels.paintPeak(painter, place);
    caused.paint(painter, place);
    m_labels.paintLevels(painter, place);
    m_labels.paintReserved(painter, place);
    if (hasFocus() && !FigureMode::holds(*this))
        paintFocus(painter);
}

KeptX MemoryPlot::kept() const {
    const auto range = FigureMode::holds(*this) ? std::nullopt : countedTime();
    if (!range)
        return {};
    const QRectF plot = m_scale.plotRect();
    const TimeRange visible = m_axis.visibleRange();
    const auto edge = [&](Nanoseconds t) {  // no moment out of view, which may be that of no event
        return t <= visible.begin ? plot.left() : t >= visible.end ? plot.right() : std::floor(xOf(t));
    };
    return {edge(range->begin), edge(range->end)};
}

QRectF MemoryPlot::selectedRect() const {
    const auto range = m_axis.selectedRange();
    const QRectF plot = m_scale.plotRect();
    if (!range)
        return {};
    const double left = std::max(plot.left(), xOf(range->begin));
    const double right = std::min(plot.right(), xOf(range->end));
    return right > left ? QRectF(left, plot.top(), right - left, plot.height()) : QRectF();
}

void MemoryPlot::paintMarks(QPainter& painter) const {
    const QRectF plot = m_scale.plotRect();
    const PainterScope undone(painter);
    painter.setClipRect(plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    m_marks->paint(painter, static_cast<int>(plot.top()), static_cast<int>(plot.bottom()));
}

void MemoryPlot::paintCursors(QPainter& painter) const {
    if (m_document.memory().eventCount() == 0)
        return;  // a sentence stands there
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = m_scale.plotRect();
    const auto line = [&](Nanoseconds t, const QColor& color) {
        const double x = std::floor(xOf(t));
        if (x >= plot.left() && x <= plot.right())
            painter.fillRect(QRectF(x, plot.top(), 1, plot.height()), color);
    };
    if (m_axis.pinnedCursor())
        line(*m_axis.pinnedCursor(), colors.accent);
    if (m_axis.cursor())
        line(*m_axis.cursor(), Theme::instance().lineOver(colors.text));
}

QString MemoryPlot::textAt(Nanoseconds t) const {
    const QString tip = memoryTip(m_document, m_scale, m_stack->groups(), t, m_axis.clock().text(t));
    const auto counts = countedTime();
    return !counts || counts->contains(t) ? tip
                                          : tip + QStringLiteral("<p>%1</p>")
                                                      .arg(tr("Excluded elsewhere by the filter: %1")
                                                               .arg(m_filter->words().all().toHtmlEscaped()));
}

QString MemoryPlot::toolTipAt(QPointF point) const {
    if (const QString notes = m_marks->toolTipAt(point.toPoint()); !notes.isEmpty())
        return notes;
    return point.x() >= labelWidth() && m_document.memory().eventCount() > 0 ? textAt(timeAt(point.x()))
                                                                             : QString();
}

void MemoryPlot::mousePressEvent(QMouseEvent* event) {
    m_gestures.press(*event);
}

void MemoryPlot::mouseMoveEvent(QMouseEvent* event) {
    m_gestures.move(*event);
}

void MemoryPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_gestures.release(*event))
        return;
    if (const auto mark = m_marks->markAt(event->position().toPoint()))
        m_marks->steps().goTo(*mark);
    else
        m_axis.setPinnedCursor(timeAt(event->position().x()));
}

void MemoryPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    // The second press of a double click is a press like any other.
    mousePressEvent(event);
}

void MemoryPlot::wheelEvent(QWheelEvent* event) {
    m_gestures.wheel(*event);
    event->accept();
}

bool MemoryPlot::takeKey(const QKeyEvent& event) {
    if (event.key() != Qt::Key_P)
        return m_gestures.key(event) || m_marks->steps().handleKey(event.key(), event.modifiers());
    if (const auto peak = m_scale.visiblePeak())
        m_axis.setPinnedCursor(peak->time);
    return true;
}

void MemoryPlot::leaveEvent(QEvent* event) {
    m_gestures.leave();
    Canvas::leaveEvent(event);
}

}  // namespace warpglass::ui
