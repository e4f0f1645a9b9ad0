#include "ui/compare/memory_difference_plot.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/summary/out_of_memory.h"
#include "ui/charts/byte_ticks.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/theme/veil.h"
#include "ui/timeline/time_ruler.h"

namespace warpglass::ui {

namespace {

/// For labels under each other; in less height they are closer, so that there are some, and in much height
/// they are no more than are read.
constexpr int kPixelsPerTick = 24, kLeastTicks = 3, kMostTicks = 10;
constexpr double kZoomPerNotch = 0.8;
constexpr double kDragDistance = 4;
/// A line of the table font above the plot.
constexpr int kLegendHeight = 20;
/// Under 0, for its label where no times follow.
constexpr double kRoomForZero = 7;
constexpr int kLegendSample = 22;
constexpr int kLegendGap = Metrics::kSpace1 + 2;
const QString kWidestFigure = QStringLiteral("00.00\u202FGiB");
/// A's line, so that it is not told by its color alone; in widths of the line.
const QList<qreal> kDashes = {3, 2};

QPen linePen(bool ofA) {
    const ThemeColors& colors = Theme::instance().colors();
    QPen pen(ofA ? colors.secondaryText : colors.accent, 1.5);
    if (ofA)
        pen.setDashPattern(kDashes);
    return pen;
}

/// A moment of a run, where the axis has A's steps alone.
QString momentText(const RunDocument& document, Nanoseconds moment) {
    const bool steps = document.snapshot() && !ClockChoice::instance().countsFromRun();
    return (steps ? StepClock(*document.snapshot()) : StepClock()).text(moment);
}

}  // namespace

MemoryDifferencePlot::MemoryDifferencePlot(RunDocument& a, RunDocument& b, TimeAxis& axis, QWidget* parent)
    : QWidget(parent), m_a(a), m_b(b), m_axis(axis) {
    setObjectName(QStringLiteral("memoryDifference"));
    setAccessibleName(tr("Memory of both runs over time"));
    setMouseTracking(true);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, repaint);
    connect(&m_axis, &TimeAxis::clockChanged, this, repaint);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    for (RunDocument* document : {&m_a, &m_b}) {
        takeEnd(*document);
        connect(document, &RunDocument::snapshotChanged, this, [this, document] {
            takeEnd(*document);
            m_curves.reset();
            update();
        });
    }
    connect(&Theme::instance(), &Theme::changed, this, repaint);
}

void MemoryDifferencePlot::takeEnd(const RunDocument& document) {
    const auto& run = document.snapshot();
    (&document == &m_a ? m_endOfA : m_endOfB) =
        run ? outOfMemoryTime(*run).value_or(run->range().end) : Nanoseconds();
}

void MemoryDifferencePlot::setShowsTimes(bool shown) {
    m_showsTimes = shown;
    update();
}

void MemoryDifferencePlot::setOffset(Nanoseconds offset) {
    m_offset = offset;
    update();
}

void MemoryDifferencePlot::setSteps(std::optional<TimeRange> ofA, std::optional<TimeRange> ofB) {
    m_stepOfA = ofA;
    m_stepOfB = ofB;
    update();
}

TimeRange MemoryDifferencePlot::shownOf(const RunDocument& document) const {
    const bool isA = &document == &m_a;
    const auto& step = isA ? m_stepOfA : m_stepOfB;
    const TimeRange run{Nanoseconds(0), isA ? m_endOfA : m_endOfB};
    return step ? TimeRange{std::max(run.begin, step->begin), std::min(run.end, step->end)} : run;
}

std::optional<std::int64_t> MemoryDifferencePlot::at(const RunDocument& document, Nanoseconds time) const {
    const auto& snapshot = document.snapshot();
    const TimeRange range = shownOf(document);
    if (!snapshot || time < range.begin || time > range.end ||
        !Completeness(*snapshot).has(DataKind::kMemory))
        return std::nullopt;
    return shownOf(document.memory().at(time));
}

std::int64_t MemoryDifferencePlot::shownOf(const CategoryBytes& bytes) const {
    return m_category ? bytes[static_cast<std::size_t>(*m_category)] : sumOf(bytes);
}

std::optional<std::int64_t> MemoryDifferencePlot::ofA(Nanoseconds time) const {
    return at(m_a, time);
}

std::optional<std::int64_t> MemoryDifferencePlot::ofB(Nanoseconds time) const {
    return at(m_b, time + m_offset);
}

std::vector<std::int64_t> MemoryDifferencePlot::columns(const RunDocument& document, Nanoseconds offset,
                                                        int width) const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(std::max(0, width)), kNone);
    const auto& snapshot = document.snapshot();
    if (!snapshot || width <= 0 || !Completeness(*snapshot).has(DataKind::kMemory))
        return sums;  // what is lost is not 0
    const TimeRange visible = m_axis.visibleRange();
    const TimeRange shown{visible.begin + offset, visible.end + offset};
    const double perColumn = static_cast<double>(shown.duration().value) / width;
    // The part of it in which the run has something to show, in whole columns.
    const auto columnOf = [&](Nanoseconds t) {
        return static_cast<int>(
            std::clamp(std::floor(static_cast<double>((t - shown.begin).value) / perColumn), 0.0,
                       static_cast<double>(width)));
    };
    const TimeRange range = shownOf(document);
    const int first = columnOf(range.begin), last = columnOf(range.end);
    if (last <= first)
        return sums;
    const auto timeOf = [&](int column) {
        return shown.begin + Nanoseconds(std::llround(perColumn * column));
    };
    const std::vector<MemoryColumn> found =
        document.memory().columns({timeOf(first), timeOf(last)}, static_cast<std::size_t>(last - first));
    for (std::size_t i = 0; i < found.size(); ++i)
        sums[static_cast<std::size_t>(first) + i] = m_category ? shownOf(found[i].atPeak) : found[i].maxTotal;
    return sums;
}

QRectF MemoryDifferencePlot::plotRect() const {
    return QRectF(rect()).adjusted(m_labelWidth, kLegendHeight, 0,
                                   showsTimes() ? -kTimesHeight : -kRoomForZero);
}

Nanoseconds MemoryDifferencePlot::timeAt(double x) const {
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const double share = plot.width() > 0 ? std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0) : 0;
    return visible.begin + Nanoseconds(std::llround(share * static_cast<double>(visible.duration().value)));
}

const MemoryDifferencePlot::Curves& MemoryDifferencePlot::curves() {
    const TimeRange visible = m_axis.visibleRange();
    const int width = static_cast<int>(plotRect().width());
    if (m_curves && m_curves->visible == visible && m_curves->offset == m_offset &&
        m_curves->width == width && m_curves->stepOfA == m_stepOfA && m_curves->stepOfB == m_stepOfB)
        return *m_curves;
    m_curves = Curves{visible, m_offset, m_stepOfA, m_stepOfB, width, columnsOfA(width), columnsOfB(width)};
    for (const auto* sums : {&m_curves->a, &m_curves->b}) {
        for (const std::int64_t sum : *sums)
            m_curves->top = std::max(m_curves->top, sum);
    }
    return *m_curves;
}

double MemoryDifferencePlot::yOf(std::int64_t bytes, const Curves& shown) const {
    const QRectF plot = plotRect();
    return plot.bottom() - static_cast<double>(bytes) * std::max(1.0, plot.height() - kRoomForPeaks) /
                               static_cast<double>(shown.top);
}

void MemoryDifferencePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.background);
    const Curves& shown = curves();
    paintTicks(painter, shown);
    paintDifference(painter, shown);
    paintSums(painter, shown.a, shown, linePen(true));
    paintSums(painter, shown.b, shown, linePen(false));
    paintPeaks(painter, shown);
    paintCursor(painter);
    paintLegend(painter);
    if (showsTimes())
        paintTimes(painter);
}

void MemoryDifferencePlot::setTitles(const QString& a, const QString& b) {
    m_titleA = a;
    m_titleB = b;
    update();
}

void MemoryDifferencePlot::setCategory(std::optional<Category> category) {
    if (category == m_category)
        return;
    m_category = category;
    m_curves.reset();
    update();
}

QStringList MemoryDifferencePlot::legend(Legend form, bool widest) const {
    // Not of a moment that the view has left.
    auto time = m_axis.effectiveCursor();
    if (time && !m_axis.visibleRange().contains(*time))
        time.reset();
    const auto a = time ? ofA(*time) : std::nullopt, b = time ? ofB(*time) : std::nullopt;
    const auto figure = [widest](std::int64_t bytes) {
        return widest ? kWidestFigure : toQString(formatBytes(Bytes(bytes)));
    };
    const auto named = [&](const QString& name, std::optional<std::int64_t> bytes) {
        return !time ? name
                     : QStringLiteral("%1: %2").arg(name, bytes ? figure(*bytes) : QStringLiteral("–"));
    };
    // For one category, it says which.
    const QString of = m_category
                           ? tr(", %1").arg(toQString(kCategoryNames[static_cast<std::size_t>(*m_category)]))
                           : QString();
    const auto name = [&](const QString& letter, const QString& title) {
        return form == Legend::kTitles    ? QStringLiteral("%1  %2%3").arg(letter, title, of)
               : form == Legend::kLetters ? letter + of
                                          : letter;
    };
    QStringList parts = {named(name(QStringLiteral("A"), m_titleA), a),
                         named(name(QStringLiteral("B"), m_titleB), b)};
    const bool brief = form == Legend::kFigures;
    if (!a || !b)
        return parts << (brief ? tr("− less") : tr("− B uses less"))
                     << (brief ? tr("+ more") : tr("+ B uses more"));
    if (*a == *b)
        return parts << tr("no difference");
    const QString difference = figure(std::abs(*b - *a));
    if (brief)
        return parts << (*b < *a ? QStringLiteral("−") : QStringLiteral("+")) + difference;
    return parts << (*b < *a ? tr("− B uses %1 less").arg(difference)
                             : tr("+ B uses %1 more").arg(difference));
}

QStringList MemoryDifferencePlot::shownLegend() const {
    const QFontMetrics metrics(Theme::tableFont());
    for (const Legend form : {Legend::kTitles, Legend::kLetters}) {
        int needed = m_labelWidth;
        for (const QString& part : legend(form, true))
            needed += kLegendSample + kLegendGap + metrics.horizontalAdvance(part) + Metrics::kSpace4;
        if (needed <= width())
            return legend(form, false);
    }
    return legend(Legend::kFigures, false);
}

void MemoryDifferencePlot::paintLegend(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(Theme::tableFont());
    const QStringList parts = shownLegend();
    int x = m_labelWidth;
    const int middle = kLegendHeight / 2;
    for (int i = 0; i < parts.size(); ++i) {
        const bool less = parts[i].startsWith(QStringLiteral("−"));
        if (i < 2) {
            painter.setPen(linePen(i == 0));
            painter.drawLine(QPointF(x, middle + 0.5), QPointF(x + kLegendSample, middle + 0.5));
        } else if (less || parts[i].startsWith(QLatin1Char('+'))) {
            painter.fillRect(QRect(x + 6, middle - 5, kLegendSample - 6, 10),
                             withAlpha(less ? colors.less : colors.more, kFillAlpha));
        }
        x += kLegendSample + kLegendGap;
        painter.setPen(i == 1 ? colors.accent : i == 0 ? colors.secondaryText : colors.text);
        painter.drawText(QRect(x, 0, width() - x, kLegendHeight), Qt::AlignLeft | Qt::AlignVCenter, parts[i]);
        x += metrics.horizontalAdvance(parts[i]) + Metrics::kSpace4;
    }
    // The lanes above are the GPU's, which runs what the host has long allocated for.
    const QString whose = tr("Allocated by the host, ahead of the GPU's work above");
    const QRect room(x, 0, width() - x - Metrics::kSpace3, kLegendHeight);
    const auto& a = m_a.snapshot();
    if (a && hasKernels(*a) && metrics.horizontalAdvance(whose) <= room.width()) {
        painter.setPen(colors.secondaryText);
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, whose);
    }
}

QString MemoryDifferencePlot::exactText(Nanoseconds time) const {
    const auto exact = [](std::optional<std::int64_t> bytes) {
        return bytes ? tr("%1 bytes").arg(toQString(formatGrouped(*bytes))) : tr("nothing recorded then");
    };
    const auto a = ofA(time), b = ofB(time);
    const bool aligned = m_axis.clock().alignment().has_value();
    const QString momentOfA = aligned ? m_axis.clock().text(time) : momentText(m_a, time);
    const QString momentOfB = aligned ? momentOfA : momentText(m_b, time + m_offset);
    QString text = tr("A at %1: %2\nB at %3: %4").arg(momentOfA, exact(a), momentOfB, exact(b));
    if (a && b)
        text +=
            tr("\nB − A: %1%2 bytes")
                .arg(*b < *a ? QStringLiteral("−") : QString(), toQString(formatGrouped(std::abs(*b - *a))));
    return text;
}

bool MemoryDifferencePlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    if (plotRect().contains(help.pos()))
        QToolTip::showText(help.globalPos(), exactText(timeAt(help.pos().x())), this);
    else
        QToolTip::hideText();
    return true;
}

std::vector<std::int64_t> MemoryDifferencePlot::ticksOf(std::int64_t top) const {
    return byteTicks(
        top, std::clamp(static_cast<int>(plotRect().height()) / kPixelsPerTick, kLeastTicks, kMostTicks));
}

void MemoryDifferencePlot::wheelEvent(QWheelEvent* event) {
    const int notches = event->angleDelta().y();
    if (notches != 0)
        m_axis.zoomAt(timeAt(event->position().x()), std::pow(kZoomPerNotch, notches / 120.0));
    event->accept();
}

void MemoryDifferencePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressedAt = event->position();
    m_pressedRange = m_axis.visibleRange();
    m_dragged = false;
}

void MemoryDifferencePlot::mouseMoveEvent(QMouseEvent* event) {
    const QRectF plot = plotRect();
    if (m_pressedAt && plot.width() > 0) {
        const double moved = event->position().x() - m_pressedAt->x();
        m_dragged = m_dragged || std::abs(moved) > kDragDistance;
        if (m_dragged) {
            const double perPixel = static_cast<double>(m_pressedRange.duration().value) / plot.width();
            const Nanoseconds by(std::llround(-moved * perPixel));
            m_axis.panBy(m_pressedRange.begin + by - m_axis.visibleRange().begin);
            return;
        }
    }
    m_axis.setCursor(plot.contains(event->position()) ? std::optional(timeAt(event->position().x()))
                                                      : std::nullopt);
}

void MemoryDifferencePlot::mouseReleaseEvent(QMouseEvent* event) {
    if (m_pressedAt && !m_dragged)
        m_axis.setPinnedCursor(timeAt(event->position().x()));
    m_pressedAt.reset();
}

void MemoryDifferencePlot::leaveEvent(QEvent*) {
    m_axis.setCursor(std::nullopt);
}

}  // namespace warpglass::ui
