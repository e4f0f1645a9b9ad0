#include "ui/theme/combo_box.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QWheelEvent>

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

ComboBox::ComboBox(QWidget* parent) : QComboBox(parent) {
    setFont(Theme::textFont());
    setMinimumContentsLength(8);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
}

void ComboBox::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    constexpr int kChevronRoom = 24;
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText.clear();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect text = rect().adjusted(Metrics::kSpace2 + 2, 0, -kChevronRoom, 0);
    painter.setPen(isEnabled() ? colors.text : colors.secondaryText);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     fontMetrics().elidedText(currentText(), Qt::ElideRight, text.width()));
    paintIcon(painter, QRectF(width() - kChevronRoom, 0, Metrics::kIcon, height()), Icon::kChevronDown,
              colors.secondaryText);
}

void ComboBox::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

}  // namespace warpglass::ui
