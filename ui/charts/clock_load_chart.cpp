#include "ui/charts/clock_load_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/controls/stacked_areas.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// As the chart by multiprocessor has it, so that the two stand alike.
constexpr double kLoadKeyHeight = 26, kLoadScaleHeight = 34, kLoadNames = 58;
/// Fine enough for a wave's tail, and coarser than a round.
constexpr std::size_t kParts = 240;
/// Above all warpgroups, where what is said of the tail covers no area.
constexpr double kTailHeight = 22;
/// A name is written where its area is this high.
constexpr double kNameHeight = 18;

/// From the bottom: what the kernel is for first.
constexpr std::array<ClockPhase, kClockPhaseCount> kClockStackOrder = {
    ClockPhase::kProducts, ClockPhase::kSoftmax, ClockPhase::kLoad, ClockPhase::kStore};

QString nameOf(ClockPhase phase) {
    return toQString(kClockPhaseNames[static_cast<std::size_t>(phase)]);
}

}  // namespace

ClockLoadChart::ClockLoadChart(QWidget* parent) : Canvas(parent) {
    setNames(this, "clockLoadChart", tr("What the warpgroups of a kernel do over time"));
}

ClockLoadChart::Load ClockLoadChart::loadOf(const ClockedKernel& kernel) {
    return kernel.bars.empty() ? Load() : clockedLoad(kernel, kParts);
}

void ClockLoadChart::setKernel(const ClockedKernel& kernel, Load load) {
    m_load = std::move(load);
    m_duration = kernel.duration;
    m_processors = kernel.processors;
    m_room = static_cast<double>(kernel.processors) * std::max(1u, kernel.lanes);
    m_halfIdle = kernel.halfIdle;
    m_shares = kernel.shares;
    invalidate();
}

QRectF ClockLoadChart::plot() const {
    return QRectF(rect()).adjusted(kLoadNames, kLoadKeyHeight, -Metrics::kSpace4, -kLoadScaleHeight);
}

double ClockLoadChart::xOf(double nanoseconds) const {
    return plot().left() + (m_duration > 0 ? plot().width() * nanoseconds / m_duration : 0);
}

double ClockLoadChart::yOf(double warpgroups) const {
    return plot().bottom() -
           (m_room > 0 ? (plot().height() - kTailHeight) * std::min(1.0, warpgroups / m_room) : 0);
}

double ClockLoadChart::stackedTo(std::size_t part, std::size_t place) const {
    double sum = 0;
    for (std::size_t i = 0; i <= place; ++i)
        sum += m_load[part][static_cast<std::size_t>(kClockStackOrder[i])];
    return sum;
}

QRectF ClockLoadChart::markRect(int mark) const {
    const double width = plot().width() / static_cast<double>(std::max<std::size_t>(1, m_load.size()));
    return {plot().left() + width * mark, plot().top(), width, plot().height()};
}

int ClockLoadChart::markAt(QPointF point) const {
    if (!plot().contains(point) || m_load.empty())
        return -1;
    const double at = (point.x() - plot().left()) / plot().width() * static_cast<double>(m_load.size());
    return std::clamp(static_cast<int>(at), 0, markCount() - 1);
}

QString ClockLoadChart::toolTipOf(int mark) const {
    const auto part = static_cast<std::size_t>(mark);
    const double width = m_duration / static_cast<double>(m_load.size());
    ToolTipTable tip(
        tr("%1 to %2")
            .arg(durationText(width * mark), durationText(width * (static_cast<double>(mark) + 1))));
    const auto row = [&](const QString& name, double count, const QColor& color) {
        tip.add(name, tr("%1 of %2 warpgroups").arg(count, 0, 'f', 1).arg(static_cast<std::int64_t>(m_room)),
                {}, color);
    };
    for (auto phase = kClockStackOrder.rbegin(); phase != kClockStackOrder.rend(); ++phase)
        row(nameOf(*phase), m_load[part][static_cast<std::size_t>(*phase)], Theme::clockPhaseColor(*phase));
    row(tr("idle"), std::max(0.0, m_room - stackedTo(part, kClockPhaseCount - 1)),
        Theme::instance().colors().panel);
    return tip.html();
}

void ClockLoadChart::paintPicture(QPainter& painter) {
    if (m_load.empty())
        return;
    painter.fillRect(plot(), Theme::instance().colors().panel);
    paintScales(painter);
    paintClockKey(painter, {plot().left(), 9}, rect().right(), m_shares, kClockStackOrder);
    paintAreas(painter);
    paintNames(painter);
    paintTail(painter);
}

void ClockLoadChart::paintAreas(QPainter& painter) const {
    const double top = m_room * plot().height() / (plot().height() - kTailHeight);
    StackedAreas areas(plot(), top, StackedAreas::Shape::kSlopes);
    for (std::size_t place = 0; place < kClockPhaseCount; ++place) {
        StackedAreas::Values tops;
        for (std::size_t part = 0; part < m_load.size(); ++part)
            tops.push_back(std::min(m_room, stackedTo(part, place)));
        areas.add(std::move(tops), Theme::clockPhaseColor(kClockStackOrder[place]));
    }
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    areas.paint(painter);
}

void ClockLoadChart::paintNames(QPainter& painter) const {
    const std::size_t middle = m_load.size() / 2;
    painter.setFont(chartFont());
    for (std::size_t place = 0; place < kClockPhaseCount; ++place) {
        const double top = yOf(stackedTo(middle, place));
        const double bottom = place == 0 ? plot().bottom() : yOf(stackedTo(middle, place - 1));
        if (bottom - top >= kNameHeight)
            drawBoxedLabel(painter, {plot().center().x(), (top + bottom) / 2}, Qt::AlignHCenter,
                           nameOf(kClockStackOrder[place]), plot(), Theme::instance().colors().text);
    }
}

void ClockLoadChart::paintTail(QPainter& painter) const {
    if (!(m_halfIdle > 0) || m_halfIdle >= 1)
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const double x = std::round(xOf(m_duration * (1 - m_halfIdle)));
    painter.setPen(QPen(colors.text, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
    painter.setFont(chartFont());
    drawBoxedLabel(painter, {x - 2, plot().top() + kTailHeight / 2}, Qt::AlignRight,
                   tr("last %1: fewer than half of the SMs busy").arg(percentText(m_halfIdle)), plot(),
                   colors.text);
}

void ClockLoadChart::paintScales(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = plot();
    paintClockTicks(painter, area, m_duration);
    painter.setFont(chartFont());
    const auto number = [&](double value) {
        const double y = std::round(yOf(value));
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), colors.grid);
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(0, y - 8, kLoadNames - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         toQString(formatGrouped(static_cast<std::int64_t>(value))));
    };
    const int most = std::clamp(static_cast<int>((area.height() - kTailHeight) / 50), 1, 6);
    for (const double tick : linearTicks(m_room, most)) {
        if (yOf(tick) - yOf(m_room) > 20)
            number(tick);
    }
    number(m_room);
    painter.drawText(QRectF(area.left(), 4, area.width(), 18), Qt::AlignRight | Qt::AlignVCenter,
                     scaleWords());
}

/// What is stacked, and how much of it there is.
QString ClockLoadChart::scaleWords() const {
    double busy = 0;
    for (std::size_t part = 0; part < m_load.size(); ++part)
        busy += stackedTo(part, kClockPhaseCount - 1);
    const double idle = 1 - busy / (m_room * static_cast<double>(m_load.size()));
    return tr("Warpgroups in each phase, of %1 (%2 SMs × %3); %4 idle")
        .arg(static_cast<std::int64_t>(m_room))
        .arg(m_processors)
        .arg(static_cast<std::int64_t>(m_room) / std::max<std::int64_t>(1, m_processors))
        .arg(percentText(std::clamp(idle, 0.0, 1.0)));
}

void paintClockKey(QPainter& painter, QPointF at, double right,
                   const std::array<double, kClockPhaseCount>& shares,
                   const std::array<ClockPhase, kClockPhaseCount>& order) {
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    for (const ClockPhase phase : order) {
        const QString text = ClockLoadChart::tr("%1 %2").arg(
            nameOf(phase), percentText(shares[static_cast<std::size_t>(phase)]));
        const double width = metrics.horizontalAdvance(text);
        if (at.x() + Metrics::kSwatch + 5 + width > right)
            return;
        painter.fillRect(QRectF(at.x(), at.y(), Metrics::kSwatch, Metrics::kSwatch),
                         Theme::clockPhaseColor(phase));
        painter.setPen(Theme::instance().colors().text);
        painter.drawText(QRectF(at.x() + Metrics::kSwatch + 5, at.y() - 5, width + 1, 18),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        at.rx() += Metrics::kSwatch + 5 + width + Metrics::kSpace4;
    }
}

void paintClockTicks(QPainter& painter, const QRectF& plot, double duration) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(chartFont());
    const QFontMetricsF metrics(painter.font(), painter.device());
    const int most = std::clamp(static_cast<int>(plot.width() / 90), 1, 10);
    for (const double tick : linearTicks(duration / 1000, most)) {
        const double at = duration > 0 ? plot.width() * tick * 1000 / duration : 0;
        const double x = std::round(plot.left() + at);
        painter.fillRect(QRectF(x, plot.top(), 1, plot.height()), colors.grid);
        const QString text = QString::number(tick);
        const double width = metrics.horizontalAdvance(text) + 2;
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(std::min(x - width / 2, plot.right() - width), plot.bottom() + 2, width, 15),
                         Qt::AlignCenter, text);
    }
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(plot.left(), plot.bottom() + 16, plot.width(), 15), Qt::AlignCenter,
                     ClockLoadChart::tr("µs since the kernel's first tile"));
}

}  // namespace warpglass::ui
