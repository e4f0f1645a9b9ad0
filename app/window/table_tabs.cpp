#include "app/window/table_tabs.h"

#include <QEvent>
#include <QLayout>
#include <QTabBar>
#include <algorithm>

#include "ui/controls/tab_room.h"
#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

/// What the fullest bar needs beside the tabs: choices, filter with a condition, buttons.
constexpr int kRoomForBar = 700;

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
    return tabs + ui::TabRoom::kBarHeight + ui::Metrics::kTableRow;
}

QSize TableTabs::minimumSizeHint() const {
    const QSize least = QTabWidget::minimumSizeHint();
    return {std::max(0, least.width() - m_room), least.height()};
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
        ui::restyle(*this, "joined", joined);
        ui::restyle(*tabBar(), "joined", joined);
        // In document mode the tabs take the whole width, and with it the bar's clicks.
        setDocumentMode(!joined);
        tabBar()->setExpanding(false);
    }
    m_room = joined ? tabBar()->sizeHint().width() : 0;
    for (int page = 0; page < count(); ++page) {
        for (QWidget* part : widget(page)->findChildren<QWidget*>()) {
            auto* room = dynamic_cast<ui::TabRoom*>(part);
            if (!room)
                continue;
            room->setRoom(m_room);
            // A page that is not in front would go on to ask for the width that it had with it.
            for (const QWidget* around = room->parentWidget(); around != this;
                 around = around->parentWidget()) {
                if (QLayout* layout = around->layout()) {
                    layout->invalidate();
                    layout->activate();
                }
            }
        }
    }
    updateGeometry();
}

}  // namespace warpglass::app
