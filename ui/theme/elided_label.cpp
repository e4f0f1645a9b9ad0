#include "ui/theme/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace warpglass::ui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize ElidedLabel::minimumSizeHint() const {
    return {0, QLabel::minimumSizeHint().height()};
}

bool ElidedLabel::fits(const QString& text) const {
    return fontMetrics().horizontalAdvance(text) <= contentsRect().width();
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || fits(text()))
        return QLabel::event(event);
    const QString all = toolTip().isEmpty() ? text() : text() + QLatin1Char('\n') + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), all, this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QString wording = text();
    for (const QString& shorter : m_shorter) {
        if (fits(wording))
            break;
        // A label without a short text is cut as it is.
        if (!shorter.isEmpty() || m_shorter.size() > 1)
            wording = shorter;
    }
    const QString shown = fontMetrics().elidedText(wording, Qt::ElideRight, contentsRect().width());
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine,
                          palette(), isEnabled(), shown, foregroundRole());
}

}  // namespace warpglass::ui
