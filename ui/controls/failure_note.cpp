#include "ui/controls/failure_note.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

FailureNote::FailureNote(QWidget* view) : QLabel(view) {
    setObjectName(QStringLiteral("failureNote"));
    setProperty("problem", true);
    setWordWrap(true);
    setMargin(Metrics::kSpace2);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    hide();
    view->installEventFilter(this);
}

void FailureNote::setSentence(const QString& sentence) {
    setText(sentence);
    setAccessibleName(sentence);
    setVisible(!sentence.isEmpty());
    place();
}

bool FailureNote::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        place();
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        emit seen(event->type() == QEvent::Show);
    return QLabel::eventFilter(watched, event);
}

/// At the bottom, as wide as the sentence and the view allow.
void FailureNote::place() {
    if (isHidden())
        return;
    const int room = std::max(0, parentWidget()->width() - 2 * Metrics::kSpace3);
    const int wanted = fontMetrics().horizontalAdvance(text()) + 2 * margin() + 2;
    const int wide = std::min(room, wanted), high = heightForWidth(wide);
    setGeometry(Metrics::kSpace3, parentWidget()->height() - high - Metrics::kSpace3, wide, high);
    raise();
}

void FailureNote::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Theme::instance().colors().hairline);
        painter.setBrush(Theme::instance().colors().raised);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Metrics::kRadius,
                                Metrics::kRadius);
    }
    QLabel::paintEvent(event);
}

}  // namespace warpglass::ui
