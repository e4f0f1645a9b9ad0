#include "ui/charts/end_names.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr double kMargin = 8, kLabelGap = 6;
/// Names at the ends of lines take no more of the width, and need so much height each.
constexpr double kMostForNames = 0.34, kNameLine = 15;
constexpr std::size_t kMostNames = 8;

}  // namespace

double EndNames::name(const DataScales& scales, const QFontMetricsF& metrics) {
    m_names.clear();
    double widest = 0;
    for (const std::size_t s : m_look.own()) {
        const auto& points = m_chart.series[s].points;
        const auto last = std::find_if(points.rbegin(), points.rend(),
                                       [](const ChartPoint& point) { return std::isfinite(point.y); });
        if (last == points.rend())
            return -1;
        const double y = m_look.endsOutOfMemory(s) ? scales.unmeasuredTop(s) : scales.yOf(last->y);
        const QString text = m_look.labelOf(s);
        widest = std::max(widest, metrics.horizontalAdvance(text));
        m_names.push_back({s, text, {}, y});
    }
    return widest;
}

bool EndNames::place(DataScales& scales, const QFontMetricsF& metrics, double width) {
    m_names.clear();
    if (m_chart.kind != ChartKind::kLines || m_look.own().size() < 2 || m_look.own().size() > kMostNames)
        return false;
    const double widestName = name(scales, metrics);
    if (widestName < 0 || widestName > kMostForNames * width ||
        static_cast<double>(m_names.size()) * kNameLine > scales.area().height()) {
        m_names.clear();
        return false;
    }
    QRectF area = scales.area();
    area.setRight(width - 1 - kMargin - widestName - 2 * kLabelGap);
    scales.setArea(area);
    // From the highest on, each below the one before it; then up again from the lower edge.
    std::sort(m_names.begin(), m_names.end(), [](const Name& a, const Name& b) { return a.at < b.at; });
    const double left = area.right() + kLabelGap;
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
