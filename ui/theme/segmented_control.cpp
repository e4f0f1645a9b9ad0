#include "ui/theme/segmented_control.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/theme/theme.h"

namespace warpglass::ui {

SegmentedControl::SegmentedControl(const QStringList& options, QWidget* parent)
    : QFrame(parent), m_group(new QButtonGroup(this)) {
    setProperty("segments", true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->setSpacing(0);
    const QFontMetrics metrics(Theme::tableFont());
    for (const QString& option : options) {
        auto* button = new QToolButton(this);
        button->setProperty("segment", true);
        button->setText(option);
        button->setFont(Theme::tableFont());
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setAccessibleName(option);
        m_group->addButton(button, static_cast<int>(m_buttons.size()));
        // Equal gaps between words of unequal length read as one row; equal widths would not fit long ones.
        layout->addWidget(button, metrics.horizontalAdvance(option) + Metrics::kSpace4);
        m_buttons << button;
    }
    m_group->setExclusive(true);
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
}

int SegmentedControl::current() const {
    return m_group->checkedId();
}

void SegmentedControl::setCurrent(int index) {
    if (index == current())
        return;
    if (index < 0 || index >= count()) {
        m_group->setExclusive(false);
        if (auto* checked = m_group->checkedButton())
            checked->setChecked(false);
        m_group->setExclusive(true);
        return;
    }
    m_buttons[index]->setChecked(true);
}

void SegmentedControl::setSeveral() {
    m_group->setExclusive(false);
}

bool SegmentedControl::isOn(int index) const {
    return m_buttons[index]->isChecked();
}

void SegmentedControl::setOn(int index, bool on) {
    m_buttons[index]->setChecked(on);
}

QSize SegmentedControl::sizeHint() const {
    return {QFrame::sizeHint().width(), Metrics::kControlHeight};
}

}  // namespace warpglass::ui
