#include "ui/theme/system_theme.h"

#include <QApplication>
#include <QEvent>
#include <QPalette>
#include <QStyleHints>
#include <QTimer>
#include <QWidget>

namespace warpglass::ui {

SystemTheme::SystemTheme(QWidget& window) : QObject(&window) {
    window.installEventFilter(this);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, &SystemTheme::take);
#endif
}

ThemeKind SystemTheme::kind() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return Theme::systemKind();
#else
    const QPalette ours = QApplication::palette();
    QApplication::setPalette(QPalette());
    const QPalette desktop = QApplication::palette();
    QApplication::setPalette(ours);
    const bool dark =
        desktop.color(QPalette::Window).lightness() <= desktop.color(QPalette::WindowText).lightness();
    return dark ? ThemeKind::kDark : ThemeKind::kLight;
#endif
}

/// Not ApplicationPaletteChange, which every theme of the application's own brings too.
bool SystemTheme::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ThemeChange && watched == parent() && !m_waiting) {
        m_waiting = true;
        QTimer::singleShot(0, this, &SystemTheme::take);  // when all of it has changed
    }
    return QObject::eventFilter(watched, event);
}

void SystemTheme::take() {
    m_waiting = false;
    if (!m_following)
        return;
    const ThemeKind now = kind();
    if (now == Theme::instance().kind())
        return;
    Theme::instance().setKind(now);
    Theme::instance().apply(*qApp);
}

}  // namespace warpglass::ui
