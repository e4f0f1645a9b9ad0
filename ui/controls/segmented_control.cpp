#include "ui/controls/segmented_control.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kSegmentsFrame = 2;

}  // namespace

SegmentedControl::SegmentedControl(const QStringList& options, QWidget* parent)
    : QFrame(parent), m_group(new QButtonGroup(this)) {
    setProperty("segments", true);
    auto* layout = spaced(new QHBoxLayout(this), kSegmentsFrame, 0);
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

void SegmentedControl::setSeveral(int room) {
    m_group->setExclusive(false);
    if (room <= 0)
        return;
    delete layout();  // the buttons stay
    auto* rows = spaced(new QVBoxLayout(this), kSegmentsFrame, 0);
    QHBoxLayout* row = nullptr;
    int used = 0;
    m_rows = 0;
    for (QToolButton* button : m_buttons) {
        button->ensurePolished();
        const int width = button->minimumSizeHint().width();
        if (!row || used + width > room - 2 * kSegmentsFrame) {
            row = new QHBoxLayout;
            row->setSpacing(0);
            rows->addLayout(row);
            used = 0;
            ++m_rows;
        }
        row->addWidget(button, width);
        used += width;
    }
}

bool SegmentedControl::isOn(int index) const {
    return m_buttons[index]->isChecked();
}

void SegmentedControl::setOn(int index, bool on) {
    m_buttons[index]->setChecked(on);
}

QSize SegmentedControl::sizeHint() const {
    return {QFrame::sizeHint().width(), m_rows * Metrics::kControlHeight};
}

}  // namespace warpglass::ui
