#include "ui/panels/duration_histogram.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/theme/tabular_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr int kScaleHeight = 20;  // the first and the last edge under the bars
constexpr int kLeast = 1;         // px, for a bin that is not empty
constexpr int kBins = DurationDistribution::kBins;

}  // namespace

DurationHistogram::DurationHistogram(QWidget* parent) : QWidget(parent) {
    setFixedHeight(kHeight);
    setAccessibleName(tr("Durations of its kind"));
}

void DurationHistogram::setInteractive(bool interactive) {
    m_interactive = interactive;
    setMouseTracking(interactive);
    setFocusPolicy(interactive ? Qt::StrongFocus : Qt::NoFocus);
}

void DurationHistogram::setDistribution(const DurationDistribution& distribution,
                                        std::optional<Nanoseconds> marked) {
    if (distribution.edges != m_distribution.edges)
        m_chosen = -1;
    m_distribution = distribution;
    m_marked = marked;
    setVisible(!m_distribution.counts.empty());
    update();
}

QRectF DurationHistogram::bars() const {
    return QRectF(rect()).adjusted(Metrics::kSpace4, Metrics::kSpace1, -Metrics::kSpace4, -kScaleHeight);
}

int DurationHistogram::binAt(int x) const {
    const QRectF area = bars();
    const int bin = static_cast<int>(std::floor((x - area.left()) / area.width() * kBins));
    return m_distribution.counts.empty() || bin < 0 || bin >= kBins ? -1 : bin;
}

QRect DurationHistogram::binRect(int bin) const {
    const QRectF area = bars();
    const double pitch = area.width() / kBins;
    const int left = static_cast<int>(std::round(area.left() + bin * pitch));
    const int right = static_cast<int>(std::round(area.left() + (bin + 1) * pitch));
    return {left, static_cast<int>(area.top()), std::max(1, right - left - 1),
            static_cast<int>(area.height())};
}

void DurationHistogram::paintEvent(QPaintEvent*) {
    const auto& counts = m_distribution.counts;
    if (counts.empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    const QRectF area = bars();
    const auto highest = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
    const int marked = m_marked ? m_distribution.binOf(*m_marked) : -1;
    QColor quiet = colors.accent;
    quiet.setAlphaF(0.6F);
    for (int bin = 0; bin < kBins; ++bin) {
        const QRect column = binRect(bin);
        if (bin == m_chosen)
            painter.fillRect(column.adjusted(-1, 0, 1, 0), colors.hover);
        if (counts[static_cast<std::size_t>(bin)] == 0)
            continue;
        const double share = static_cast<double>(counts[static_cast<std::size_t>(bin)]) / highest;
        const double height = std::max<double>(kLeast, std::round(area.height() * share));
        painter.fillRect(QRectF(column.left(), area.bottom() - height, column.width(), height),
                         bin == marked || bin == m_chosen ? colors.accent : quiet);
    }
    if (marked >= 0) {
        // A small arrow below: its own bar may be too low to see.
        const double x = binRect(marked).center().x() + 0.5;
        QPainterPath arrow(QPointF(x, area.bottom() + 2));
        arrow.lineTo(x + 4, area.bottom() + 7);
        arrow.lineTo(x - 4, area.bottom() + 7);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(arrow, colors.accent);
    }
    painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), colors.hairline);
    painter.setFont(Theme::tableFont());
    painter.setPen(colors.secondaryText);
    const QRectF scale(area.left(), area.bottom() + 3, area.width(), kScaleHeight - 3);
    drawTabular(painter, scale, Qt::AlignLeft | Qt::AlignVCenter,
                toQString(formatDuration(m_distribution.min)));
    drawTabular(painter, scale, Qt::AlignRight | Qt::AlignVCenter,
                toQString(formatDuration(m_distribution.max)));
    // The scale of the heights: beside the highest bar, where there is more room.
    const QRect tallest = binRect(static_cast<int>(std::ranges::max_element(counts) - counts.begin()));
    const bool atLeft = tallest.center().x() > area.center().x();
    drawTabular(
        painter,
        atLeft ? QRectF(area.left(), area.top(), tallest.left() - 4 - area.left(), kScaleHeight)
               : QRectF(tallest.right() + 5, area.top(), area.right() - tallest.right() - 5, kScaleHeight),
        (atLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop,
        toQString(formatGrouped(std::llround(highest))));
    if (m_distribution.logarithmic && marked < 0)
        painter.drawText(scale, Qt::AlignHCenter | Qt::AlignVCenter, tr("log"));
    if (hasFocus())
        painter.fillRect(QRectF(area.left(), height() - 2, area.width(), 2), colors.accent);
}

QString DurationHistogram::describe(int bin) const {
    const auto i = static_cast<std::size_t>(bin);
    const QString text = tr("%1 of %2 to %3")
                             .arg(toQString(formatGrouped(m_distribution.counts[i])),
                                  toQString(formatDuration(m_distribution.edges[i])),
                                  toQString(formatDuration(m_distribution.edges[i + 1])));
    return m_interactive && m_distribution.counts[i] > 0
               ? tr("%1\nClick to show the longest of them in the timeline").arg(text)
               : text;
}

void DurationHistogram::choose(int bin) {
    if (bin == m_chosen)
        return;
    m_chosen = bin;
    if (bin >= 0)
        setAccessibleDescription(describe(bin));
    update();
}

void DurationHistogram::mousePressEvent(QMouseEvent* event) {
    const int bin = binAt(event->position().toPoint().x());
    if (m_interactive && event->button() == Qt::LeftButton && bin >= 0 &&
        m_distribution.counts[static_cast<std::size_t>(bin)] > 0)
        emit binActivated(bin);
}

void DurationHistogram::mouseMoveEvent(QMouseEvent* event) {
    choose(binAt(event->position().toPoint().x()));
}

void DurationHistogram::leaveEvent(QEvent*) {
    choose(-1);
}

void DurationHistogram::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step != 0) {
        // To the next bar that there is.
        for (int bin = m_chosen < 0 && step < 0 ? kBins - 1 : m_chosen + step; bin >= 0 && bin < kBins;
             bin += step) {
            if (m_distribution.counts[static_cast<std::size_t>(bin)] > 0) {
                choose(bin);
                break;
            }
        }
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_chosen >= 0) {
        emit binActivated(m_chosen);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool DurationHistogram::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int bin = binAt(help->pos().x());
        if (bin >= 0)
            QToolTip::showText(help->globalPos(), describe(bin), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

}  // namespace warpglass::ui
