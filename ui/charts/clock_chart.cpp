#include "ui/charts/clock_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/clock_load_chart.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kClockKeyHeight = 26, kClockScaleHeight = 34, kClockNames = 58;
/// Between two names of multiprocessors.
constexpr double kClockNameRoom = 15;
/// A round is drawn by itself, and a tile by its phases, from so many pixels on: two for each phase, so that
/// none takes another's.
constexpr double kClockRoundWidth = 8, kClockTileWidth = 4;
constexpr double kClockFigureRow = 4;

constexpr std::array<ClockPhase, kClockPhaseCount> kClockPhases = {ClockPhase::kLoad, ClockPhase::kProducts,
                                                                   ClockPhase::kSoftmax, ClockPhase::kStore};

}  // namespace

ClockChart::ClockChart(QWidget* parent) : Canvas(parent) {
    setNames(this, "clockChart", tr("A kernel's tiles by multiprocessor"));
}

QColor ClockChart::colorOf(ClockPhase phase) {
    return Theme::clockPhaseColor(phase);
}

void ClockChart::setKernel(ClockedKernel kernel) {
    m_kernel = std::move(kernel);
    m_firstBar.clear();
    for (std::size_t i = 0; i < m_kernel.bars.size(); ++i) {
        if (i == 0 || m_kernel.bars[i].processor != m_kernel.bars[i - 1].processor)
            m_firstBar.push_back(i);
    }
    m_firstBar.push_back(m_kernel.bars.size());
    invalidate();
}

QRectF ClockChart::plot() const {
    return QRectF(rect()).adjusted(kClockNames, kClockKeyHeight, -Metrics::kSpace4, -kClockScaleHeight);
}

int ClockChart::figureHeight(int, int most) {
    const auto rows = static_cast<double>(m_kernel.processorNumbers.size()) * std::max(1u, m_kernel.lanes);
    const double wanted = kClockKeyHeight + kClockScaleHeight + std::max(160.0, rows * kClockFigureRow);
    return static_cast<int>(std::min<double>(wanted, most > 0 ? std::max(most, minimumHeight()) : wanted));
}

double ClockChart::xOf(double nanoseconds) const {
    const QRectF area = plot();
    return area.left() + (m_kernel.duration > 0 ? area.width() * nanoseconds / m_kernel.duration : 0);
}

std::size_t ClockChart::rowOf(const ClockedTile& bar) const {
    const auto& numbers = m_kernel.processorNumbers;
    return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), bar.processor) -
                                    numbers.begin());
}

double ClockChart::rowHeight() const {
    return plot().height() / static_cast<double>(std::max<std::size_t>(1, m_kernel.processorNumbers.size()));
}

double ClockChart::rowTop(std::size_t row) const {
    return plot().top() + rowHeight() * static_cast<double>(row);
}

QRectF ClockChart::markRect(int mark) const {
    const ClockedTile& bar = m_kernel.bars[static_cast<std::size_t>(mark)];
    // A row's last pixel stays empty where there are several to spare.
    const double height = rowHeight(), used = height >= 5 ? height - 1 : height;
    const double lane = used / std::max(1u, m_kernel.lanes);
    const double left = xOf(bar.begin);
    return {left, rowTop(rowOf(bar)) + lane * bar.lane, std::max(xOf(bar.end) - left, 1.0), lane};
}

int ClockChart::markAt(QPointF point) const {
    const QRectF area = plot();
    if (!area.contains(point) || m_kernel.bars.empty())
        return -1;
    const auto row = static_cast<std::size_t>((point.y() - area.top()) / rowHeight());
    if (row + 1 >= m_firstBar.size())
        return -1;
    int nearest = -1;
    double distance = 3;  // thin lanes are met from beside, too
    for (std::size_t i = m_firstBar[row]; i < m_firstBar[row + 1]; ++i) {
        const QRectF rect = markRect(static_cast<int>(i));
        if (point.x() < rect.left() - 1 || point.x() > rect.right() + 1)
            continue;
        const double away = std::max({0.0, rect.top() - point.y(), point.y() - rect.bottom()});
        if (away < distance) {
            distance = away;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

int ClockChart::neighbor(int mark, Qt::Key key) const {
    if (mark < 0 || key == Qt::Key_Left || key == Qt::Key_Right)
        return Canvas::neighbor(mark, key);
    // Up and down lead to what ran at the same time on the next multiprocessor.
    const ClockedTile& bar = m_kernel.bars[static_cast<std::size_t>(mark)];
    const std::size_t row = rowOf(bar), rows = m_firstBar.size() - 1;
    const std::size_t other = key == Qt::Key_Down ? std::min(row + 1, rows - 1) : row == 0 ? 0 : row - 1;
    if (other == row)
        return mark;
    std::size_t best = m_firstBar[other];
    for (std::size_t i = m_firstBar[other]; i < m_firstBar[other + 1]; ++i) {
        if (std::fabs(m_kernel.bars[i].begin - bar.begin) < std::fabs(m_kernel.bars[best].begin - bar.begin))
            best = i;
    }
    return static_cast<int>(best);
}

QString ClockChart::toolTipOf(int mark) const {
    const ClockedTile& bar = m_kernel.bars[static_cast<std::size_t>(mark)];
    ToolTipTable tip(tr("SM %1, %2").arg(bar.processor).arg(toQString(m_kernel.rowsOf(bar.tile))));
    tip.add(tr("begins after"), durationText(bar.begin), durationExact(std::round(bar.begin)));
    tip.add(tr("takes"), durationText(bar.end - bar.begin), durationExact(std::round(bar.end - bar.begin)));
    double all = 0;
    for (const double phase : bar.phases)
        all += phase;
    for (const ClockPhase phase : kClockPhases) {
        const double time = bar.phases[static_cast<std::size_t>(phase)];
        tip.add(toQString(kClockPhaseNames[static_cast<std::size_t>(phase)]),
                all > 0 ? tr("%1, %2").arg(durationText(time), percentText(time / all)) : durationText(time),
                {}, colorOf(phase));
    }
    tip.add(tr("warpgroup"), QString::number(bar.group));
    if (bar.roundCount > 1)
        tip.add(tr("rounds"), toQString(formatGrouped(static_cast<std::int64_t>(bar.roundCount) - 1)));
    else if (bar.roundCount == 0)
        tip.say(tr("There was no room for its phases."));
    return tip.html();
}

void ClockChart::paintPicture(QPainter& painter) {
    if (m_kernel.bars.empty())
        return;
    painter.fillRect(plot(), Theme::instance().colors().panel);
    paintScales(painter);
    paintClockKey(painter, {plot().left(), 9}, rect().right(), m_kernel.shares, kClockPhases);
    const PainterScope undone(painter);
    painter.setClipRect(plot());
    for (const ClockedTile& bar : m_kernel.bars)
        paintBar(painter, bar);
}

void ClockChart::paintBar(QPainter& painter, const ClockedTile& bar) const {
    const QRectF rect = markRect(static_cast<int>(&bar - m_kernel.bars.data()));
    const auto fill = [&](double left, double right, ClockPhase phase) {
        if (right > left)
            painter.fillRect(QRectF(left, rect.top(), right - left, rect.height()), colorOf(phase));
    };
    if (bar.roundCount == 0) {
        painter.fillRect(rect, Theme::instance().colors().equal);
        return;
    }
    if (rect.width() < kClockTileWidth) {
        const auto most = std::max_element(bar.phases.begin(), bar.phases.end());
        fill(rect.left(), rect.right(), static_cast<ClockPhase>(most - bar.phases.begin()));
        return;
    }
    if (rect.width() >= kClockRoundWidth * static_cast<double>(bar.roundCount)) {
        for (std::size_t i = bar.firstRound; i < bar.firstRound + bar.roundCount; ++i) {
            const ClockedRound& round = m_kernel.rounds[i];
            double at = round.begin;
            for (const ClockPhase phase : kClockPhases) {
                const double until = at + static_cast<double>(round.phases[static_cast<std::size_t>(phase)]);
                fill(xOf(at), xOf(until), phase);
                at = until;
            }
        }
        return;
    }
    double all = 0, before = 0;
    for (const double phase : bar.phases)
        all += phase;
    for (const ClockPhase phase : kClockPhases) {
        const double time = bar.phases[static_cast<std::size_t>(phase)];
        if (all > 0)
            fill(rect.left() + rect.width() * before / all,
                 rect.left() + rect.width() * (before + time) / all, phase);
        before += time;
    }
    // Where the next tile begins.
    painter.fillRect(QRectF(rect.left(), rect.top(), 1, rect.height()),
                     Theme::instance().colors().background);
}

void ClockChart::paintScales(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF area = plot();
    paintClockTicks(painter, area, m_kernel.duration);
    painter.setPen(colors.secondaryText);
    double free = area.top() - kClockNameRoom;
    for (std::size_t row = 0; row < m_kernel.processorNumbers.size(); ++row) {
        const double middle = rowTop(row) + rowHeight() / 2;
        if (middle - kClockNameRoom / 2 < free ||
            middle + kClockNameRoom / 2 > area.bottom() + kClockNameRoom)
            continue;
        painter.drawText(QRectF(0, middle - 8, kClockNames - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tr("SM %1").arg(m_kernel.processorNumbers[row]));
        free = middle + kClockNameRoom / 2;
    }
}

}  // namespace warpglass::ui
