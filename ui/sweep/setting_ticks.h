// The values that a setting takes in a new sweep: a tick for each choice, or a list of numbers.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "engine/plan/settings.h"

class QCheckBox;
class QLineEdit;

namespace warpglass::ui {

class SettingTicks : public QWidget {
    Q_OBJECT
public:
    /// The base's value is ticked, or stands in the list.
    SettingTicks(const Setting& setting, const RunConfig& base, QWidget* parent = nullptr);

    const Setting& setting() const { return m_setting; }
    /// In the words of the command line, as they are typed; an empty list for none.
    std::vector<std::string> values() const;
    void setValues(const std::vector<std::string>& values);
    /// Several choices of one word each can be ticked; otherwise values are a list.
    bool hasTicks() const { return !m_ticks.empty(); }
    /// Grayed, with the reason as its tool tip; empty where it applies.
    void setWhyNot(const QString& reason);
    bool applies() const { return m_applies; }

signals:
    void changed();

private:
    const Setting& m_setting;
    std::vector<std::pair<std::string, QCheckBox*>> m_ticks;
    QLineEdit* m_list = nullptr;
    bool m_applies = true;
};

}  // namespace warpglass::ui
