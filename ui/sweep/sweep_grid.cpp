#include "ui/sweep/sweep_grid.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/sweep/grid.h"
#include "ui/charts/tool_tip_table.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr int kHeight = 64;
constexpr double kLargest = 14, kSmallest = 2;
/// From this size on there is room for a gap, and for what tells states apart without their color.
constexpr double kWithGap = 4, kWithSigns = 9;

QColor colorOf(CellState state) {
    const ThemeColors& colors = Theme::instance().colors();
    switch (state) {
        case CellState::kOk:
            return seriesColor(0);
        case CellState::kOutOfMemory:
            return colors.warning;
        case CellState::kFailed:
            return colors.text;
        case CellState::kRunning:
            return Theme::mixed(colors.accent, colors.background, 0.4);
        case CellState::kWaiting:
        case CellState::kSkipped:
            break;
    }
    return colors.hairline;
}

}  // namespace

SweepGrid::SweepGrid(QWidget* parent) : Canvas(parent) {
    setNames(this, "sweepGrid", tr("Cells of the sweep by state"));
}

QSize SweepGrid::sizeHint() const {
    return {400, kHeight + 2 * Metrics::kSpace2};
}

void SweepGrid::setSweep(std::shared_ptr<const Sweep> sweep) {
    m_sweep = std::move(sweep);
    layOut();
    invalidate();
}

void SweepGrid::layOut() {
    const double across = std::max(1, width() - 2 * Metrics::kSpace3);
    for (m_size = kLargest; m_size > kSmallest; --m_size) {
        m_columns = std::max(1, static_cast<int>(across / m_size));
        if (rows() * m_size <= kHeight)
            break;
    }
    m_columns = std::max(1, static_cast<int>(across / m_size));
    setFixedHeight(static_cast<int>(std::min<double>(kHeight, rows() * m_size)) + 2 * Metrics::kSpace2);
}

double SweepGrid::rows() const {
    return std::ceil(static_cast<double>(std::max(1, markCount())) / m_columns);
}

void SweepGrid::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    layOut();
}

QRectF SweepGrid::markRect(int mark) const {
    const double gap = m_size >= kWithGap ? 1 : 0;
    return {Metrics::kSpace3 + mark % m_columns * m_size, Metrics::kSpace2 + mark / m_columns * m_size,
            m_size - gap, m_size - gap};
}

int SweepGrid::markAt(QPointF point) const {
    const int column = static_cast<int>(std::floor((point.x() - Metrics::kSpace3) / m_size));
    const int row = static_cast<int>(std::floor((point.y() - Metrics::kSpace2) / m_size));
    const int mark = row * m_columns + column;
    return column >= 0 && column < m_columns && row >= 0 && mark < markCount() ? mark : -1;
}

QString SweepGrid::toolTipOf(int mark) const {
    const SweepCell& cell = m_sweep->cells[static_cast<std::size_t>(mark)];
    ToolTipTable tip(toQString(cellTitle(m_sweep->plan, cell)));
    tip.add(tr("state"), toQString(std::string(cellStateName(cell.state))));
    if (!cell.message.empty())
        tip.say(toQString(cell.message));
    return tip.html();
}

void SweepGrid::paintPicture(QPainter& painter) {
    const ThemeColors& colors = Theme::instance().colors();
    for (int mark = 0; mark < markCount(); ++mark) {
        const QRectF rect = markRect(mark);
        const CellState state = m_sweep->cells[static_cast<std::size_t>(mark)].state;
        painter.fillRect(rect, colorOf(state));
        if (m_size < kWithSigns)
            continue;
        const QRectF inner = rect.adjusted(3, 3, -3, -3);
        painter.setPen(QPen(colors.background, 1.5));
        if (state == CellState::kOutOfMemory || state == CellState::kFailed)
            painter.drawLine(inner.topLeft(), inner.bottomRight());
        if (state == CellState::kOutOfMemory)
            painter.drawLine(inner.topRight(), inner.bottomLeft());
        painter.setPen(QPen(colors.secondaryText, 1));
        if (state == CellState::kSkipped)
            painter.drawLine(inner.bottomLeft(), inner.topRight());
        if (state == CellState::kRunning)
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

}  // namespace warpglass::ui
