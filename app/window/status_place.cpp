#include "app/window/status_place.h"

#include <QEvent>
#include <QWidget>
#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::app {

namespace {

constexpr int kStatusHeight = 28;  // a button with room around it: the same whatever is said
/// A window with the menus, the timeline's page with lanes of 300 pixels, the memory and six rows
/// (fitted_panes.cpp), and the bar.
constexpr int kRoomForAll = 748;

}  // namespace

StatusPlace::StatusPlace(QWidget& central)
    : QObject(&central), m_central(central), m_bar(new QStatusBar(&central)), m_room(new QWidget(&central)) {
    m_bar->setSizeGripEnabled(false);
    m_bar->setFixedHeight(kStatusHeight);
    m_bar->setAutoFillBackground(true);
    m_room->setFixedHeight(kStatusHeight);
    central.installEventFilter(this);
    m_room->installEventFilter(this);
}

void StatusPlace::show(bool shown, int width) {
    m_width = width;
    m_bar->setVisible(shown);
    m_room->setVisible(shown && !m_floats);
    place();
}

bool StatusPlace::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move) {
        const bool floats = m_central.window()->height() < kRoomForAll;
        if (watched == &m_central && floats != m_floats) {
            m_floats = floats;
            ui::restyle(*m_bar, "floating", floats);
            emit floatsChanged();
        }
        place();
    }
    return QObject::eventFilter(watched, event);
}

void StatusPlace::place() {
    const int width = m_floats ? std::min(m_width, m_central.width()) : m_central.width();
    m_bar->setGeometry(0, m_central.height() - kStatusHeight, width, kStatusHeight);
    m_bar->raise();
}

}  // namespace warpglass::app
