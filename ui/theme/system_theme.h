// The desktop's choice of light or dark, followed while it changes: before Qt 6.5 Theme::systemKind() is what
// it was when the application began.
#pragma once

#include <QObject>

#include "ui/theme/theme.h"

class QWidget;

namespace warpglass::ui {

class SystemTheme : public QObject {
    Q_OBJECT
public:
    /// `window` is told by the desktop that its theme is another; it owns this.
    explicit SystemTheme(QWidget& window);

    /// While it follows, the application's theme becomes the desktop's a moment after that has changed.
    void setFollowing(bool following) { m_following = following; }

    /// The desktop's current theme. Where Qt shows it only through its palette (before 6.5), the application
    /// takes that palette for a moment and then its own again.
    static ThemeKind kind();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void take();

    bool m_following = false;
    bool m_waiting = false;  // to take it
};

}  // namespace warpglass::ui
