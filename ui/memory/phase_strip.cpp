#include "ui/memory/phase_strip.h"

#include <QPainter>
#include <algorithm>

#include "ui/charts/chart_text.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

PhaseStrip::PhaseStrip(RunDocument& document, TimeAxis& axis, QWidget* parent)
    : QWidget(parent), m_document(document), m_axis(axis) {
    setFixedHeight(kHeight);
    hide();
    setObjectName(QStringLiteral("phaseStrip"));
    setAccessibleName(tr("Phases over time"));
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, repaint);
    connect(&m_document, &RunDocument::snapshotChanged, this, repaint);
    connect(&m_document, &RunDocument::runChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, repaint);
}

void PhaseStrip::setAlone(bool alone) {
    m_alone = alone;
    setVisible(m_alone || m_inFigure);
}

void PhaseStrip::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    setVisible(m_alone || m_inFigure);
}

void PhaseStrip::setLabelWidth(int width) {
    m_labelWidth = width;
    update();
}

std::vector<PhaseBar> PhaseStrip::bars(const QPaintDevice& device) const {
    const double width = this->width() - m_labelWidth;
    if (!m_document.snapshot() || width < 1)
        return {};
    const TimeRange visible = m_axis.visibleRange();
    const auto duration = static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
    const auto xOf = [&](Nanoseconds t) {
        return m_labelWidth + static_cast<double>((t - visible.begin).value) * width / duration;
    };
    const Nanoseconds aPixel(static_cast<std::int64_t>(duration / width));
    return phaseBars(QRectF(m_labelWidth, 1, width, height() - 3),
                     phaseBands(*m_document.snapshot(), visible, aPixel), visible, xOf, device);
}

void PhaseStrip::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.background);
    if (!m_document.snapshot())
        return;
    painter.setFont(chartFont());
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(Metrics::kSpace3, 0, m_labelWidth - Metrics::kSpace3 - 6, height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("Phase"));
    painter.setClipRect(QRectF(m_labelWidth, 0, width() - m_labelWidth, height()));
    paintPhaseBars(painter, bars(*painter.device()));
}

}  // namespace warpglass::ui
