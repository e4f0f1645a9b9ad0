#include "ui/theme/other_theme.h"

#include "ui/theme/style_sheet.h"

namespace warpglass::ui {

OtherTheme::OtherTheme(QWidget& widget, ThemeKind kind)
    : m_widget(&widget),
      m_former(Theme::instance().kind()),
      m_sheet(widget.styleSheet()),
      m_highContrast(Theme::instance().highContrast()),
      m_other(kind != m_former || m_highContrast) {
    if (!m_other)
        return;
    Theme::instance().setHighContrast(false);
    Theme::instance().setKind(kind);
    const ThemeColors& colors = Theme::instance().colors();
    // Labels that no rule colors have the program's palette, which parts of a styled widget do not take
    // over.
    widget.setStyleSheet(QStringLiteral("QLabel { color: %1; }\n").arg(colors.text.name()) +
                         styleSheet(colors, kind));
    widget.setPalette(paletteOf(colors));
}

OtherTheme::~OtherTheme() {
    if (!m_other)
        return;
    Theme::instance().setKind(m_former);
    Theme::instance().setHighContrast(m_highContrast);
    if (!m_widget)
        return;
    m_widget->setStyleSheet(m_sheet);
    m_widget->setPalette(QPalette());
}

}  // namespace warpglass::ui
