#include "ui/memory/phase_strip.h"

#include <QPainter>
#include <algorithm>

#include "engine/trace/ids.h"
#include "ui/charts/phase_bands.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

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

void PhaseStrip::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.background);
    const double width = this->width() - m_labelWidth;
    if (!m_document.snapshot() || width < 1)
        return;
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(Metrics::kSpace3, 0, m_labelWidth - Metrics::kSpace3 - 6, height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("Phase"));
    painter.setClipRect(QRectF(m_labelWidth, 0, width, height()));
    const TimeRange visible = m_axis.visibleRange();
    const auto duration = static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
    const auto xOf = [&](Nanoseconds t) {
        return m_labelWidth + static_cast<double>((t - visible.begin).value) * width / duration;
    };
    const Nanoseconds aPixel(static_cast<std::int64_t>(duration / width));
    const QFontMetricsF metrics(font, painter.device());
    for (const PhaseBand& band : phaseBands(*m_document.snapshot(), visible, aPixel)) {
        const QColor color = Theme::instance().phaseColor(band.phase);
        const double left = std::max<double>(m_labelWidth, xOf(band.range.begin));
        const QRectF area(left, 1, std::max(1.0, xOf(band.range.end) - left - 1), height() - 3);
        painter.fillRect(area, color);
        const QString name = toQString(phaseName(band.phase));
        if (metrics.horizontalAdvance(name) + 8 > area.width())
            continue;
        painter.setPen(Theme::textOn(color));
        painter.drawText(area.adjusted(4, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
    }
}

}  // namespace warpglass::ui
