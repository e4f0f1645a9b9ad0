// The choices that the views have on themselves (segments, boxes, buttons that stay pressed, fields), as
// actions for a menu: so the palette has them too, and the keyboard without walking to them.
#pragma once

#include <QList>
#include <functional>

class QMenu;
class QWidget;

namespace warpglass::app {

/// The controls of `view` in the order of their creation, except those that it hides now and those of
/// `others`, which are nested in it. By type: SegmentedControl, a QComboBox of a few entries, a
/// QAbstractButton that can be checked, a QLineEdit.
QList<QWidget*> optionsOf(const QWidget& view, const QList<QWidget*>& others = {});

/// An action, or a submenu of actions, for each, under the name that a screen reader has for it. Checked and
/// enabled as the control is at the moment; when chosen, it first calls `show` and then does what the user
/// would have done at the control.
void addOptions(QMenu& menu, const QList<QWidget*>& controls, const std::function<void()>& show);

}  // namespace warpglass::app
