#include "app/window/view_options.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QToolButton>
#include <algorithm>

#include "app/window/commands.h"
#include "ui/controls/segmented_control.h"

namespace warpglass::app {

namespace {

/// A longer list is one of steps, and no choice of a few.
constexpr int kMostEntries = 12;

QString nameOf(const QWidget& control) {
    const auto* button = qobject_cast<const QAbstractButton*>(&control);
    return button && control.accessibleName().isEmpty() ? button->text() : control.accessibleName();
}

bool isOption(const QWidget& control) {
    if (qobject_cast<const ui::SegmentedControl*>(&control))
        return true;
    if (qobject_cast<const ui::SegmentedControl*>(control.parentWidget()))
        return false;  // of which it is a piece
    if (const auto* box = qobject_cast<const QComboBox*>(&control))
        return !box->isEditable() && box->count() > 1 && box->count() <= kMostEntries;
    if (const auto* button = qobject_cast<const QAbstractButton*>(&control))
        return button->isCheckable() && !nameOf(control).isEmpty();
    const auto* field = qobject_cast<const QLineEdit*>(&control);
    return field && !field->isReadOnly() && !qobject_cast<const QComboBox*>(field->parentWidget()) &&
           !qobject_cast<const QAbstractSpinBox*>(field->parentWidget());
}

QAction* addChoice(QMenu& menu, const QString& title, bool checked, bool enabled) {
    QAction* action = menu.addAction(entryText(title));
    action->setCheckable(true);
    action->setChecked(checked);
    action->setEnabled(enabled);
    return action;
}

void press(QAction* action, QAbstractButton* button, const std::function<void()>& show) {
    action->setToolTip(button->toolTip());
    QObject::connect(action, &QAction::triggered, button, [button = QPointer(button), show] {
        show();
        if (button)
            button->click();
    });
}

void addSegments(QMenu& menu, ui::SegmentedControl& control, const std::function<void()>& show) {
    for (int i = 0; i < control.count(); ++i) {
        QToolButton* button = control.button(i);
        press(addChoice(menu, button->text(), i == control.current(), button->isEnabled()), button, show);
    }
}

void addEntries(QMenu& menu, QComboBox& box, const std::function<void()>& show) {
    for (int i = 0; i < box.count(); ++i) {
        QAction* action = addChoice(menu, box.itemText(i), i == box.currentIndex(), box.isEnabled());
        action->setToolTip(box.itemData(i, Qt::ToolTipRole).toString());
        QObject::connect(action, &QAction::triggered, &box, [box = QPointer(&box), i, show] {
            show();
            if (!box)
                return;
            box->setCurrentIndex(i);
            emit box->activated(i);
        });
    }
}

void addField(QMenu& menu, QLineEdit& field, const std::function<void()>& show) {
    QAction* action = menu.addAction(entryText(nameOf(field)) + QStringLiteral("…"));
    action->setToolTip(field.toolTip());
    action->setEnabled(field.isEnabled());
    QObject::connect(action, &QAction::triggered, &field, [field = QPointer(&field), show] {
        show();
        if (!field)
            return;
        field->setFocus(Qt::ShortcutFocusReason);
        field->selectAll();
    });
}

}  // namespace

QList<QWidget*> optionsOf(const QWidget& view, const QList<QWidget*>& others) {
    QList<QWidget*> options;
    for (QWidget* control : view.findChildren<QWidget*>()) {
        const bool elsewhere = std::any_of(others.begin(), others.end(), [control](const QWidget* other) {
            return other == control || other->isAncestorOf(control);
        });
        // What is in a window of its own is a list that a control opens.
        if (!elsewhere && isOption(*control) && control->window() == view.window() &&
            control->isVisibleTo(&view))
            options << control;
    }
    return options;
}

void addOptions(QMenu& menu, const QList<QWidget*>& controls, const std::function<void()>& show) {
    menu.setToolTipsVisible(true);
    const auto submenu = [&menu](const QWidget& control) {
        QMenu* choices = menu.addMenu(entryText(nameOf(control)));
        choices->setToolTipsVisible(true);
        return choices;
    };
    for (QWidget* control : controls) {
        if (auto* segments = qobject_cast<ui::SegmentedControl*>(control)) {
            addSegments(*submenu(*segments), *segments, show);
        } else if (auto* box = qobject_cast<QComboBox*>(control)) {
            addEntries(*submenu(*box), *box, show);
        } else if (auto* button = qobject_cast<QAbstractButton*>(control)) {
            press(addChoice(menu, nameOf(*button), button->isChecked(), button->isEnabled()), button, show);
        } else if (auto* field = qobject_cast<QLineEdit*>(control)) {
            addField(menu, *field, show);
        }
    }
}

}  // namespace warpglass::app
