#include "ui/controls/combo_box.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QWheelEvent>

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

void paintChoice(QPainter& painter, const QWidget& choice, const QString& text, Qt::TextElideMode elide) {
    const ThemeColors& colors = Theme::instance().colors();
    constexpr int kChevronRoom = 24;
    const QRect all = choice.rect();
    // As in a field; where that would cost the word its end, closer to the edge.
    const bool fits =
        choice.fontMetrics().horizontalAdvance(text) <= all.width() - Metrics::kSpace3 - kChevronRoom;
    const QRect room = all.adjusted(fits ? Metrics::kSpace3 : Metrics::kSpace2, 0, -kChevronRoom, 0);
    painter.setPen(choice.isEnabled() ? colors.text : colors.secondaryText);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     choice.fontMetrics().elidedText(text, elide, room.width()));
    paintIcon(painter, QRectF(all.width() - kChevronRoom, 0, Metrics::kIcon, all.height()),
              Icon::kChevronDown, colors.secondaryText);
}

ComboBox::ComboBox(QWidget* parent) : QComboBox(parent) {
    setFont(Theme::textFont());
    setFocusPolicy(Qt::StrongFocus);  // a wheel that scrolls past it gives it nothing
    setMinimumContentsLength(8);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
}

void ComboBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText.clear();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    paintChoice(painter, *this, currentText(), Qt::ElideRight);
}

void ComboBox::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

}  // namespace warpglass::ui
