#include "app/window/table_tabs.h"

#include <QEvent>
#include <QStyle>
#include <QTabBar>

#include "ui/theme/tab_room.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

/// What the fullest bar needs beside the tabs: choices, filter with a condition, buttons.
constexpr int kRoomForBar = 700;

void setJoined(QWidget& widget, bool joined) {
    widget.setProperty("joined", joined);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
}

}  // namespace

TableTabs::TableTabs(QWidget* parent) : QTabWidget(parent) {
    setDocumentMode(true);
    tabBar()->installEventFilter(this);
}

bool TableTabs::joinsAt(int width) const {
    return !tabBar()->isHidden() && width >= tabBar()->sizeHint().width() + kRoomForBar;
}

int TableTabs::headHeight(int width) const {
    const int tabs = joinsAt(width) ? 0 : ui::Metrics::kControlHeight;
    return tabs + ui::Metrics::kBarHeight + ui::Metrics::kTableRow;
}

void TableTabs::resizeEvent(QResizeEvent* event) {
    fit();
    QTabWidget::resizeEvent(event);
}

void TableTabs::tabInserted(int index) {
    QTabWidget::tabInserted(index);
    fit();
}

bool TableTabs::eventFilter(QObject* watched, QEvent* event) {
    // One table alone has no tabs.
    if (watched == tabBar() &&
        (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent))
        fit();
    return QTabWidget::eventFilter(watched, event);
}

void TableTabs::fit() {
    const bool joined = joinsAt(width());
    if (joined != m_joined) {
        m_joined = joined;
        setJoined(*this, joined);
        setJoined(*tabBar(), joined);
        // In document mode the tabs take the whole width, and with it the bar's clicks.
        setDocumentMode(!joined);
        tabBar()->setExpanding(false);
    }
    for (int page = 0; page < count(); ++page) {
        for (QWidget* part : widget(page)->findChildren<QWidget*>()) {
            if (auto* room = dynamic_cast<ui::TabRoom*>(part))
                room->setRoom(joined ? tabBar()->sizeHint().width() : 0);
        }
    }
}

}  // namespace warpglass::app
