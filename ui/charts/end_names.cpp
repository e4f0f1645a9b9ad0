#include "ui/charts/end_names.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kNameMargin = 8, kNameGap = 6;
/// Names at the ends of lines take no more of the width, and need so much height each.
constexpr double kMostForNames = 0.34, kNameLine = 15;
constexpr std::size_t kMostEndNames = 8;
const QString kBeforeValue = QStringLiteral("  ");

}  // namespace

double EndNames::name(const DataScales& scales, const QFontMetricsF& metrics, bool withValues) {
    m_names.clear();
    double widest = 0, end = std::numeric_limits<double>::lowest();
    for (const std::size_t s : m_look.own()) {
        for (const ChartPoint& point : m_chart.series[s].points)
            end = std::max(end, point.x);
    }
    for (const std::size_t s : m_look.own()) {
        const auto& points = m_chart.series[s].points;
        const auto last = std::find_if(points.rbegin(), points.rend(),
                                       [](const ChartPoint& point) { return std::isfinite(point.y); });
        if (last == points.rend())
            return -1;
        const bool outOfMemory = m_look.endsOutOfMemory(s);
        const double y = outOfMemory ? scales.unmeasuredTop(s) : scales.yOf(last->y);
        QString text = m_look.labelOf(s);
        if (withValues && !outOfMemory && last->x == end && !m_look.isFitted(s))
            text += kBeforeValue + toQString(readableCell(wholeIfExact(last->y), m_chart.y.unit));
        widest = std::max(widest, metrics.horizontalAdvance(text));
        m_names.push_back({s, text, {}, y});
    }
    return widest;
}

bool EndNames::place(DataScales& scales, const QFontMetricsF& metrics, double width, bool withValues) {
    m_names.clear();
    if (m_chart.kind != ChartKind::kLines || m_look.own().size() < 2 || m_look.own().size() > kMostEndNames)
        return false;
    const double widestName = name(scales, metrics, withValues);
    if (widestName < 0 || widestName > kMostForNames * width ||
        static_cast<double>(m_names.size()) * kNameLine > scales.area().height()) {
        m_names.clear();
        return false;
    }
    QRectF area = scales.area();
    area.setRight(width - 1 - kNameMargin - widestName - 2 * kNameGap);
    scales.setArea(area);
    // From the highest on, each below the one before it; then up again from the lower edge.
    std::ranges::sort(m_names, {}, &Name::at);
    const double left = area.right() + kNameGap;
    double next = scales.bandHeight() > 0 ? scales.band().top() : area.top();
    for (Name& label : m_names) {
        const double top = std::max(next, label.at - kNameLine / 2);
        label.box = {left, top, metrics.horizontalAdvance(label.text) + 1, kNameLine};
        next = top + kNameLine;
    }
    double lowest = area.bottom() + kNameLine / 2;
    for (auto label = m_names.rbegin(); label != m_names.rend(); ++label) {
        label->box.moveBottom(std::min(label->box.bottom(), lowest));
        lowest = label->box.top();
    }
    return true;
}

QStringList EndNames::texts() const {
    QStringList texts;
    for (const Name& name : m_names)
        texts << name.text;
    return texts;
}

void EndNames::paint(QPainter& painter) const {
    for (const Name& name : m_names) {
        painter.setPen(Theme::readableOn(m_look.colorOf(name.series), Theme::instance().colors().background));
        painter.drawText(name.box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, name.text);
    }
}

}  // namespace warpglass::ui
