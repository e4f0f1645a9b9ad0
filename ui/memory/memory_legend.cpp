#include "ui/memory/memory_legend.h"

#include <QPaintEvent>
#include <QPainter>
#include <algorithm>

#include "ui/theme/group_colors.h"
#include "ui/theme/tabular_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {
/// In a narrower column of labels there is no room for a name.
constexpr int kNamed = 80;
}  // namespace

MemoryLegend::MemoryLegend(QWidget* parent) : QWidget(parent) {
    setFixedHeight(kHeight);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void MemoryLegend::setGroups(const std::vector<std::string>& names) {
    if (names == m_groups)
        return;
    m_groups = names;
    fitHeight();
}

QSize MemoryLegend::sizeHint() const {
    return {600, kHeight};
}

void MemoryLegend::setLabelWidth(int width) {
    m_labelWidth = width;
    fitHeight();
}

void MemoryLegend::setCategories(std::vector<Category> categories) {
    if (categories == m_categories)
        return;
    m_categories = std::move(categories);
    fitHeight();
}

void MemoryLegend::setLines(std::vector<LegendEntry> lines) {
    if (lines == m_lines)
        return;
    m_lines = std::move(lines);
    fitHeight();
}

void MemoryLegend::setReading(const QString& text) {
    if (text == m_reading)
        return;
    m_reading = text;
    update(readingArea());  // it follows the mouse, and the rest takes longer to draw
}

std::vector<LegendEntry> MemoryLegend::entries() const {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        entries.push_back({groupColor(i), toQString(m_groups[i])});
    for (std::size_t i = 0; m_groups.empty() && i < m_categories.size(); ++i)
        entries.push_back({Theme::categoryColor(m_categories[i]), toQString(categoryName(m_categories[i]))});
    if (!entries.empty())
        entries.push_back({Theme::instance().colors().text, tr("allocated"), true});
    entries.insert(entries.end(), m_lines.begin(), m_lines.end());
    return entries;
}

QRectF MemoryLegend::entryArea() const {
    const double left = m_labelWidth >= kNamed ? m_labelWidth + Metrics::kSpace2 : Metrics::kSpace3;
    return QRectF(left, 0, std::max(1.0, width() - Metrics::kSpace3 - left), height());
}

/// Empty where the entries take several rows.
QRect MemoryLegend::readingArea() const {
    const QRectF area = entryArea().adjusted(m_entriesWidth, 0, 0, 0);
    return height() == kHeight && area.width() > 0 ? area.toAlignedRect() : QRect();
}

void MemoryLegend::fitHeight() {
    const std::vector<QRectF> places = legendPlaces(entries(), Theme::tableFont(), entryArea().width());
    m_entriesWidth = places.empty() ? 0 : places.back().right() + Metrics::kSpace4;
    const int rows = places.empty() ? 0 : static_cast<int>(places.back().bottom() / kLegendRow);
    const int height = kHeight + std::max(0, rows - 1) * static_cast<int>(kLegendRow);
    if (height != maximumHeight()) {
        setFixedHeight(height);
        emit heightChanged();
    }
    update();
}

void MemoryLegend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitHeight();
}

void MemoryLegend::paintEvent(QPaintEvent* event) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    painter.fillRect(QRect(0, 0, width(), 1), colors.hairline);
    painter.setFont(Theme::tableFont());
    painter.setPen(colors.secondaryText);
    if (m_labelWidth >= kNamed)
        painter.drawText(QRectF(Metrics::kSpace3, 0, m_labelWidth, kHeight), Qt::AlignVCenter | Qt::AlignLeft,
                         tr("Memory"));

    painter.setRenderHint(QPainter::Antialiasing);
    const double margin = (kHeight - kLegendRow) / 2;
    const QRect rest = readingArea();
    if (!rest.contains(event->rect()))
        paintLegend(painter, entryArea().adjusted(0, margin, 0, -margin), entries());
    const QFontMetricsF metrics(painter.font(), painter.device());
    if (!rest.isEmpty() && tabularWidth(metrics, m_reading) <= rest.width()) {
        painter.setPen(colors.secondaryText);
        drawTabular(painter, rest, Qt::AlignRight, m_reading);
    }
}

}  // namespace warpglass::ui
