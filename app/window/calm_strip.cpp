#include "app/window/calm_strip.h"

#include <QEvent>
#include <QMoveEvent>
#include <QResizeEvent>
#include <QVBoxLayout>

namespace warpglass::app {

CalmStrip::CalmStrip(QWidget& below, QWidget* parent)
    : QWidget(parent),
      m_below(below),
      m_messages(new QWidget(parent)),
      m_layout(new QVBoxLayout(m_messages)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_messages->setObjectName(QStringLiteral("messages"));
    m_messages->installEventFilter(this);
    m_messages->hide();
    m_below.installEventFilter(this);
    setFixedHeight(0);
}

void CalmStrip::add(QWidget* message) {
    m_layout->addWidget(message);
    message->installEventFilter(this);
}

int CalmStrip::wantedHeight() const {
    bool any = false;
    for (int i = 0; i < m_layout->count(); ++i)
        any = any || !m_layout->itemAt(i)->widget()->isHidden();
    if (!any)
        return 0;
    // A sentence that has just come is not laid out yet: as its hint has it, it may be many short lines, for
    // which the window would grow.
    return m_layout->hasHeightForWidth() ? m_layout->totalHeightForWidth(width())
                                         : m_layout->sizeHint().height();
}

void CalmStrip::arrange() {
    if (!m_below.isVisible() || !m_below.underMouse())
        return settle();
    place();
}

void CalmStrip::settle() {
    setFixedHeight(wantedHeight());
    place();
}

void CalmStrip::place() {
    const int wanted = wantedHeight();
    m_messages->setGeometry(x(), y(), width(), wanted);
    if (m_messages->isHidden() == (wanted > 0))
        m_messages->setVisible(wanted > 0);
    m_messages->raise();
}

bool CalmStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_below) {
        if (event->type() == QEvent::Leave)
            settle();
    } else if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent) {
        if (watched != m_messages)
            arrange();
    } else if (event->type() == QEvent::LayoutRequest && watched == m_messages) {
        // At another width a sentence takes another height.
        QMetaObject::invokeMethod(this, &CalmStrip::arrange, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

void CalmStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void CalmStrip::moveEvent(QMoveEvent* event) {
    QWidget::moveEvent(event);
    place();
}

}  // namespace warpglass::app
