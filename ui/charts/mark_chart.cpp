#include "ui/charts/mark_chart.h"

#include <qcustomplot.h>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QTextDocumentFragment>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/controls/figure_mode.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

MarkChart::MarkChart(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, &MarkChart::invalidate);
}

int MarkChart::markAt(QPointF point) const {
    int found = -1;
    qreal smallest = 0;
    for (int mark = 0; mark < markCount(); ++mark) {
        const QRectF rect = markRect(mark);
        const qreal area = rect.width() * rect.height();
        if (rect.contains(point) && (found < 0 || area < smallest)) {
            found = mark;
            smallest = area;
        }
    }
    return found;
}

void MarkChart::setChosen(int mark) {
    if (mark >= markCount())
        mark = -1;
    if (mark == m_chosen)
        return;
    m_chosen = mark;
    // A screen reader reads what the tool tip says.
    setAccessibleDescription(mark < 0 ? QString()
                                      : QTextDocumentFragment::fromHtml(toolTipOf(mark)).toPlainText());
    update();
}

void MarkChart::choose(int mark) {
    setChosen(mark);
    emit markChosen(m_chosen);
}

void MarkChart::setEmptyText(const QString& sentence) {
    if (sentence == m_emptyText)
        return;
    m_emptyText = sentence;
    update();
}

void MarkChart::invalidate() {
    m_pictureValid = false;
    m_hovered = -1;
    if (m_chosen >= markCount())
        m_chosen = -1;
    update();
}

void MarkChart::paintHighlight(QPainter& painter, int mark, bool chosen) {
    const QRectF rect = markRect(mark);
    if (rect.isEmpty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    painter.setBrush(chosen ? Qt::NoBrush : QBrush(faded(colors.text, 0.10F)));
    painter.setPen(chosen ? QPen(colors.accent, 2) : QPen(Qt::NoPen));
    painter.drawRect(rect);
}

int MarkChart::neighbor(int mark, Qt::Key key) const {
    const int step = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
    if (mark < 0)
        return step > 0 ? 0 : markCount() - 1;
    return std::clamp(mark + step, 0, markCount() - 1);
}

void MarkChart::paintEmpty(QPainter& painter) const {
    painter.setFont(Theme::textFont());
    painter.setPen(Theme::instance().colors().secondaryText);
    const QRectF area = QRectF(rect()).adjusted(Metrics::kSpace4, 0, -Metrics::kSpace4, 0);
    painter.drawText(area, static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_emptyText);
}

void MarkChart::paintEvent(QPaintEvent*) {
    QCPPainter painter(this);
    if (!painter.isActive())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    if (!m_emptyText.isEmpty()) {
        painter.fillRect(rect(), colors.background);
        paintEmpty(painter);
        return;
    }
    if (painter.paintEngine()->type() != QPaintEngine::Raster) {
        painter.fillRect(rect(), colors.background);
        paintChart(painter);
    } else {
        const qreal ratio = std::max<qreal>(1.0, painter.deviceTransform().m11());
        const QSize pixels(static_cast<int>(std::ceil(width() * ratio)),
                           static_cast<int>(std::ceil(height() * ratio)));
        if (!m_pictureValid || m_picture.size() != pixels) {
            m_picture = QPixmap(pixels);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(colors.background);
            QCPPainter picture(&m_picture);
            paintChart(picture);
            m_pictureValid = true;
        }
        painter.drawPixmap(0, 0, m_picture);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const bool figure = FigureMode::holds(*this);  // it has neither a pointer nor the keyboard
    if (!figure && m_hovered >= 0 && m_hovered != m_chosen)
        paintHighlight(painter, m_hovered, false);
    if (m_chosen >= 0)
        paintHighlight(painter, m_chosen, true);
    if (!figure && hasFocus() && m_chosen < 0) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void MarkChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_pictureValid = false;
}

bool MarkChart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int mark = m_emptyText.isEmpty() ? markAt(help->pos()) : -1;
        if (mark >= 0)
            QToolTip::showText(help->globalPos(), toolTipOf(mark), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void MarkChart::setHovered(int mark) {
    if (mark == m_hovered)
        return;
    m_hovered = mark;
    update();
}

void MarkChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_emptyText.isEmpty())
        choose(markAt(event->position()));
}

void MarkChart::mouseMoveEvent(QMouseEvent* event) {
    setHovered(m_emptyText.isEmpty() ? markAt(event->position()) : -1);
}

void MarkChart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_emptyText.isEmpty())
        return;
    if (const int mark = markAt(event->position()); mark >= 0)
        emit markActivated(mark);
}

void MarkChart::leaveEvent(QEvent* event) {
    setHovered(-1);
    QWidget::leaveEvent(event);
}

void MarkChart::keyPressEvent(QKeyEvent* event) {
    const auto key = static_cast<Qt::Key>(event->key());
    if (!m_emptyText.isEmpty() || markCount() == 0)
        return QWidget::keyPressEvent(event);
    switch (key) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
            return choose(neighbor(m_chosen, key));
        case Qt::Key_Home:
            return choose(0);
        case Qt::Key_End:
            return choose(markCount() - 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_chosen >= 0)
                emit markActivated(m_chosen);
            return;
        case Qt::Key_Escape:
            if (m_chosen >= 0)
                return choose(-1);
            break;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

void MarkChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void MarkChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

QFont chartFont() {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    return font;
}

QColor faded(QColor color, float alpha) {
    color.setAlphaF(alpha);
    return color;
}

void drawBoxedLabel(QPainter& painter, QPointF at, Qt::Alignment side, const QString& text,
                    const QRectF& within, const QColor& ink) {
    const QFontMetricsF metrics(painter.font(), painter.device());
    QRectF box(at.x(), at.y() - metrics.height() / 2, metrics.horizontalAdvance(text) + 8, metrics.height());
    if (side & Qt::AlignRight)
        box.moveRight(at.x());
    else if (side & Qt::AlignHCenter)
        box.moveLeft(at.x() - box.width() / 2);
    if (side & Qt::AlignBottom)
        box.moveBottom(at.y());
    box.moveRight(std::min(box.right(), within.right()));
    box.moveLeft(std::max(box.left(), within.left()));
    box.moveBottom(std::min(box.bottom(), within.bottom()));
    box.moveTop(std::max(box.top(), within.top()));
    painter.fillRect(box, faded(Theme::instance().colors().background, 0.8F));
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace warpglass::ui
