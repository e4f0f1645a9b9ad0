#include "ui/theme/other_theme.h"

#include "ui/theme/style_sheet.h"

namespace warpglass::ui {

OtherTheme::OtherTheme(QWidget& widget, ThemeKind kind)
    : m_widget(&widget),
      m_former(Theme::instance().kind()),
      m_sheet(widget.styleSheet()),
      m_other(kind != m_former) {
    if (!m_other)
        return;
    Theme::instance().setKind(kind);
    const ThemeColors& colors = Theme::instance().colors();
    widget.setPalette(paletteOf(colors));
    widget.setStyleSheet(styleSheet(colors, kind));
}

OtherTheme::~OtherTheme() {
    if (!m_other)
        return;
    Theme::instance().setKind(m_former);
    if (!m_widget)
        return;
    m_widget->setStyleSheet(m_sheet);
    m_widget->setPalette(QPalette());
}

}  // namespace warpglass::ui
