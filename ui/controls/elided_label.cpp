#include "ui/controls/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/name_text.h"

namespace warpglass::ui {

void wrapWords(QLabel& label) {
    label.setWordWrap(true);
    label.setMinimumWidth(1);  // in place of its longest word's
}

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize ElidedLabel::minimumSizeHint() const {
    const bool isLong = text().size() > kMostLetters;
    return {0, isLong ? fontMetrics().height() : QLabel::minimumSizeHint().height()};
}

QSize ElidedLabel::sizeHint() const {
    if (text().size() <= kMostLetters)
        return QLabel::sizeHint();
    return {fontMetrics().horizontalAdvance(cutName(text())), minimumSizeHint().height()};
}

bool ElidedLabel::fits(const QString& text) const {
    return text.size() <= kMostLetters && fontMetrics().horizontalAdvance(text) <= contentsRect().width();
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || fits(text()))
        return QLabel::event(event);
    const QString all =
        cutName(toolTip().isEmpty() ? text() : text() + QLatin1Char('\n') + toolTip(), kMostToolTipLetters);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), all, this);
    return true;
}

QString ElidedLabel::wording() const {
    QString wording = cutName(text(), kMostToolTipLetters);
    // Where lines wrap, the wordings for less room than the first shorter one takes are not needed.
    if (m_inFigure && m_shorter.size() > 1 && !m_shorter.back().isEmpty())
        return fits(wording) ? wording : m_shorter.front();
    for (const QString& shorter : m_shorter) {
        if (fits(wording))
            break;
        // A label without a short text is cut as it is.
        if (!shorter.isEmpty() || m_shorter.size() > 1)
            wording = shorter;
    }
    return wording;
}

void ElidedLabel::setInFigure(bool inFigure) {
    if (inFigure) {
        m_leastHeight = minimumHeight();
        m_mostHeight = maximumHeight();
    } else {
        setMinimumHeight(m_leastHeight);
        setMaximumHeight(m_mostHeight);
    }
    m_inFigure = inFigure;
    fitLines();
}

void ElidedLabel::fitLines() {
    if (!m_inFigure)
        return;
    const int lines = fontMetrics()
                          .boundingRect(QRect(0, 0, std::max(1, contentsRect().width()), 10'000),
                                        Qt::TextWordWrap, wording())
                          .height();
    setFixedHeight(std::max(m_leastHeight, lines));
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fitLines();
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_inFigure && !fits(wording())) {
        style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()) | Qt::TextWordWrap,
                              palette(), isEnabled(), wording(), foregroundRole());
        return;
    }
    const QString shown =
        fontMetrics().elidedText(cutName(wording()), Qt::ElideRight, contentsRect().width());
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine,
                          palette(), isEnabled(), shown, foregroundRole());
}

}  // namespace warpglass::ui
