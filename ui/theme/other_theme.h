// Shows one widget and its contents in a theme other than the program's, for example for a figure. Restyling
// the whole program takes a second; this takes only as long as the widget's own parts.
//
// Within one event: views are told of the theme, so that no other window may be painted meanwhile.
#pragma once

#include <QPalette>
#include <QPointer>
#include <QString>
#include <QWidget>

#include "ui/theme/theme.h"

namespace warpglass::ui {

class OtherTheme {
public:
    /// Until it ends, and without the high contrast of a presentation. Nothing if it is the program's theme.
    OtherTheme(QWidget& widget, ThemeKind kind);
    ~OtherTheme();
    Q_DISABLE_COPY(OtherTheme)

private:
    QPointer<QWidget> m_widget;
    ThemeKind m_former;
    QString m_sheet;
    bool m_highContrast, m_other;
};

}  // namespace warpglass::ui
