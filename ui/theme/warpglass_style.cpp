#include "ui/theme/warpglass_style.h"

#include <QPainter>
#include <QStyleOption>

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// Fusion's frame is next to invisible on a dark panel.
void paintCheckBox(QPainter& painter, const QStyleOption& option) {
    const ThemeColors& colors = Theme::instance().colors();
    const bool on = option.state & QStyle::State_On, enabled = option.state & QStyle::State_Enabled;
    const QColor fill = !on ? colors.background : enabled ? colors.accent : colors.hairline;
    const bool focused = option.state & QStyle::State_HasFocus;
    // 3 : 1 is what a control's outline needs to be told from what is around it.
    const QColor line = focused   ? (on ? colors.text : colors.accent)
                        : on      ? fill
                        : enabled ? Theme::readableOn(colors.hairline, colors.panel, 3)
                                  : colors.hairline;
    constexpr double kCorner = 3;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), kCorner, kCorner);
    painter.restore();
    if (on)
        paintIcon(painter, option.rect, Icon::kCheck, enabled ? colors.onAccent : colors.secondaryText);
}

}  // namespace

WarpglassStyle::WarpglassStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WarpglassStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                   const QWidget* widget) const {
    const ThemeColors& colors = Theme::instance().colors();
    const bool lively = option && option->state & State_Enabled && option->state & State_MouseOver;
    const QColor color = lively ? colors.text : colors.secondaryText;
    switch (element) {
        case PE_IndicatorArrowDown:
        case PE_IndicatorSpinDown:
            return paintIcon(*painter, option->rect, Icon::kChevronDown, color);
        case PE_IndicatorArrowUp:
        case PE_IndicatorSpinUp:
            return paintIcon(*painter, option->rect, Icon::kChevronUp, color);
        case PE_IndicatorArrowRight:
            return paintIcon(*painter, option->rect, Icon::kChevronRight, color);
        case PE_IndicatorTabClose:
            return paintIcon(*painter, option->rect, Icon::kClose, color);
        case PE_IndicatorMenuCheckMark:
            return paintIcon(*painter, option->rect, Icon::kCheck, colors.accent);
        case PE_IndicatorCheckBox:
            return paintCheckBox(*painter, *option);
        case PE_FrameFocusRect:
            return;  // focus is a border in the accent color
        default:
            QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

int WarpglassStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                              QStyleHintReturn* returnData) const {
    switch (hint) {
        case SH_EtchDisabledText:
        case SH_DitherDisabledText:
        case SH_UnderlineShortcut:                 // Alt still works; the menu bar stays quiet
        case SH_DialogButtonBox_ButtonsHaveIcons:  // the desktop's pictures say nothing that the words do not
            return 0;
        case SH_Menu_AllowActiveAndDisabled:
            return 1;  // keys reach what cannot be chosen too, whose reason the status bar says
        case SH_ToolTip_WakeUpDelay:
            return 400;  // ms: long enough not to flicker past, short enough to feel like an answer
        case SH_ComboBox_Popup:
            return 0;  // a list below the field, not over it
        default:
            return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

int WarpglassStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_TabCloseIndicatorWidth:
        case PM_TabCloseIndicatorHeight:
        case PM_SmallIconSize:
        case PM_HeaderMarkSize:
            return metric == PM_HeaderMarkSize ? 12 : Metrics::kIcon;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

}  // namespace warpglass::ui
