#include "ui/controls/stacked_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/swatch.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {
constexpr int kHeight = 6;
constexpr double kGap = 1;
}  // namespace

StackedBar::StackedBar(QWidget* parent) : QWidget(parent) {
    setFixedHeight(kHeight);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
}

void StackedBar::setParts(std::vector<Part> parts) {
    m_parts = std::move(parts);
    update();
}

QSize StackedBar::sizeHint() const {
    return {120, kHeight};
}

std::vector<std::pair<double, double>> StackedBar::edges() const {
    double sum = 0;
    for (const Part& part : m_parts)
        sum += std::max(part.amount, 0.0);
    std::vector<std::pair<double, double>> found;
    double x = 0;
    for (const Part& part : m_parts) {
        const double length = sum > 0 ? width() * std::max(part.amount, 0.0) / sum : 0;
        found.emplace_back(x, x + length);
        x += length;
    }
    return found;
}

void StackedBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(rect(), Metrics::kSwatchRadius, Metrics::kSwatchRadius);
    painter.setClipPath(outline);
    painter.fillRect(rect(), Theme::instance().colors().hover);
    const auto sides = edges();
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        // A gap between parts, but never at the cost of a part that is as narrow as one.
        const double length = sides[i].second - sides[i].first;
        if (length > 0)
            paintBarPiece(painter,
                          QRectF(sides[i].first, 0, length > 2 * kGap ? length - kGap : length, height()),
                          m_parts[i].color, Theme::instance().colors().raised);
    }
}

bool StackedBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto sides = edges();
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (help->pos().x() >= sides[i].first && help->pos().x() < sides[i].second) {
                QToolTip::showText(help->globalPos(), m_parts[i].toolTip, this);
                return true;
            }
        }
    }
    return QWidget::event(event);
}

}  // namespace warpglass::ui
