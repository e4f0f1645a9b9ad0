#include "ui/charts/memory_legend.h"

#include <QPainter>
#include <cmath>

#include "ui/models/table_model.h"
#include "ui/theme/tabular_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

MemoryLegend::MemoryLegend(QWidget* parent) : QWidget(parent) {
    setFixedHeight(Metrics::kBarHeight);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
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
    double x = m_labelWidth + Metrics::kSpace2;
    for (const Category category : m_categories) {
        const QString name = toQString(categoryName(category));
        const double end = x + 10 + 6 + metrics.horizontalAdvance(name);
        if (end > width() - Metrics::kSpace2)
            return;
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::categoryColor(category));
        painter.drawRoundedRect(QRectF(x, height() / 2.0 - 5, 10, 10), Metrics::kSwatchRadius,
                                Metrics::kSwatchRadius);
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(x + 16, 0, end - x, height()), Qt::AlignVCenter | Qt::AlignLeft, name);
        x = end + Metrics::kSpace4;
    }
    if (const QString name = tr("reserved"); m_reserved) {
        const double end = x + 10 + 6 + metrics.horizontalAdvance(name);
        if (end > width() - Metrics::kSpace2)
            return;
        painter.fillRect(QRectF(x, std::floor(height() / 2.0), 10, 1), colors.secondaryText);
        painter.drawText(QRectF(x + 16, 0, end - x, height()), Qt::AlignVCenter | Qt::AlignLeft, name);
        x = end + Metrics::kSpace4;
    }
    const QRectF rest(x, 0, width() - x - Metrics::kSpace3, height());
    if (tabularWidth(metrics, m_reading) <= rest.width()) {
        painter.setPen(colors.secondaryText);
        drawTabular(painter, rest, Qt::AlignRight, m_reading);
    }
}

}  // namespace warpglass::ui
