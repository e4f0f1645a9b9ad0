// The control of one setting on the run panel, made from its entry in engine/plan/settings.h: what it is
// named, its choices and tool tips come from there. It holds what is typed, sensible or not.
#pragma once

#include <QList>
#include <functional>

#include "engine/plan/settings.h"

class QWidget;

namespace warpglass::ui {

struct SettingControl {
    const Setting* setting = nullptr;
    QWidget* widget = nullptr;
    /// All that takes the keyboard, in the order of Tab.
    QList<QWidget*> stops;
    /// Puts what it says into a configuration. No number counts as 0; no size as −1, which validate()
    /// refuses. A model brings its sizes.
    std::function<void(RunConfig&)> read;
    /// Shows the configuration's value without emitting anything.
    std::function<void(const RunConfig&)> show;
};

/// `edited` is called when the user has changed it. For a device name the control is the list of devices,
/// which is empty at first.
SettingControl makeSettingControl(const Setting& setting, QWidget* parent,
                                  const std::function<void()>& edited);

}  // namespace warpglass::ui
