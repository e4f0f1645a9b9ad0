#include "ui/charts/memory_legend.h"

#include <QPainter>
#include <cmath>

#include "ui/models/table_model.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/tabular_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

MemoryLegend::MemoryLegend(QWidget* parent) : QWidget(parent) {
    setFixedHeight(Metrics::kBarHeight);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void MemoryLegend::setGroups(const std::vector<std::string>& names) {
    if (names == m_groups)
        return;
    m_groups = names;
    update();
}

QSize MemoryLegend::sizeHint() const {
    return {600, Metrics::kBarHeight};
}

void MemoryLegend::setLabelWidth(int width) {
    m_labelWidth = width;
    update();
}

void MemoryLegend::setCategories(std::vector<Category> categories) {
    if (categories == m_categories)
        return;
    m_categories = std::move(categories);
    update();
}

void MemoryLegend::setReserved(bool shown) {
    if (shown == m_reserved)
        return;
    m_reserved = shown;
    update();
}

void MemoryLegend::setReading(const QString& text) {
    if (text == m_reading)
        return;
    m_reading = text;
    update();
}

void MemoryLegend::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.fillRect(QRect(0, 0, width(), 1), colors.hairline);
    painter.setFont(Theme::tableFont());
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(Metrics::kSpace3, 0, m_labelWidth, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     tr("Memory"));

    const QFontMetricsF metrics(painter.font(), painter.device());
    painter.setRenderHint(QPainter::Antialiasing);
    const double right = width() - Metrics::kSpace3;
    double x = m_labelWidth + Metrics::kSpace2;
    const auto entry = [&](const QString& name, auto&& drawMark) {
        const double end = x + 10 + 6 + metrics.horizontalAdvance(name);
        if (end > right)
            return false;
        drawMark();
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(x + 16, 0, end - x, height()), Qt::AlignVCenter | Qt::AlignLeft, name);
        x = end + Metrics::kSpace4;
        return true;
    };
    const auto swatch = [&](const QColor& color) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(x, height() / 2.0 - 5, 10, 10), Metrics::kSwatchRadius,
                                Metrics::kSwatchRadius);
    };
    bool all = true;
    for (std::size_t i = 0; all && i < m_groups.size(); ++i)
        all = entry(toQString(m_groups[i]), [&] { swatch(groupColor(i)); });
    for (std::size_t i = 0; all && m_groups.empty() && i < m_categories.size(); ++i)
        all = entry(toQString(categoryName(m_categories[i])),
                    [&] { swatch(Theme::categoryColor(m_categories[i])); });
    if (all && m_reserved)
        all = entry(tr("reserved"), [&] {
            painter.fillRect(QRectF(x, std::floor(height() / 2.0), 10, 1), colors.secondaryText);
        });
    const QRectF rest(x, 0, right - x, height());
    if (all && tabularWidth(metrics, m_reading) <= rest.width()) {
        painter.setPen(colors.secondaryText);
        drawTabular(painter, rest, Qt::AlignRight, m_reading);
    }
}

}  // namespace warpglass::ui
