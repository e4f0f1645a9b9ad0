// The fields that say what to run, one for each setting of engine/plan/settings.h, in its order: those of
// kMore are folded away while they have their usual values. They hold whatever was typed, valid or not, and
// are marked if something is wrong. Window's thread only.
#pragma once

#include <QHash>
#include <QString>
#include <QWidget>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/plan/valid_config.h"
#include "ui/panels/setting_control.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class ComboBox;
class PresetField;

/// Which fields have a problem: each is marked with its label, and has the sentence in its tool tip and for
/// assistive technology. Nothing moves: the text to read is in one place for all fields (the estimate card),
/// so that a field never slips away under the pointer or the keyboard.
class FieldMarks {
public:
    /// `field`: as validate() names it. The control's tool tip must be set by then.
    void add(const QString& field, QWidget* label, QWidget* control);
    bool contains(const QString& field) const { return m_fields.contains(field); }
    /// Replaces the tool tip that it has while nothing is wrong with it.
    void setToolTip(const QString& field, const QString& toolTip);
    /// Sentences by field; fields that are not named have no problem.
    void show(const QHash<QString, QString>& sentences);

private:
    struct Field {
        QWidget* label = nullptr;
        QWidget* control = nullptr;
        QString toolTip;
        QString sentence;
    };
    static void tell(const Field& field);

    QHash<QString, Field> m_fields;
};

class RunFields : public QWidget {
    Q_OBJECT
public:
    explicit RunFields(QWidget* parent = nullptr);

    /// What the fields say; a field that holds no number counts as 0, and a memory limit that is no size as
    /// −1, which validate() refuses where it matters.
    RunConfig config() const;
    /// Shows a configuration, also one that cannot be run.
    void setConfig(const RunConfig& config);
    /// Keeps the chosen device where it is in the list. An empty list leaves "cpu", of unknown size.
    void setDevices(std::vector<DeviceInfo> devices);
    /// Null when it is not among the devices.
    const DeviceInfo* chosenDevice() const;
    /// Null for one that is not there.
    const DeviceInfo* device(const std::string& id) const;
    const std::vector<DeviceInfo>& devices() const { return m_devices; }
    /// Whether setDevices() has named the devices.
    bool knowsDevices() const { return !m_devices.empty(); }
    /// Marks the fields that they are of.
    void showProblems(const std::vector<ConfigProblem>& problems);
    /// The width of the scroll bar beside the fields, 0 for none: it lies in their margin.
    void setScrollBarWidth(int width);
    /// Keyboard focus continues from here.
    QWidget* lastField() const;
    /// Whether the settings of kMore are in sight.
    bool isUnfolded() const;
    void setUnfolded(bool unfolded);

signals:
    /// The user changed something.
    void edited();
    /// The user wants to see these.
    void unfoldedByHand(QWidget* fields);

private:
    /// What stands for a setting: with its label or head, hidden where the workload has no such setting.
    struct Field {
        const Setting* setting = nullptr;
        QWidget* box = nullptr;
    };

    void addFields(QVBoxLayout* column, PanelPart part);
    void addField(QVBoxLayout* column, const Setting& setting, bool headFollows);
    QVBoxLayout* addGroup(QVBoxLayout* column, const char* name, QWidget*& group);
    void addFold(QVBoxLayout* column);
    void setTabOrders();
    QLabel* addHead(QVBoxLayout* column, const QString& text, bool isFirst);
    /// A label and its control, for validate()'s `field`.
    void addRow(QVBoxLayout* column, const QString& label, QWidget* control, const QString& field);
    void adaptToWorkload();
    /// What the workload has, and the sizes of a model that is no preset.
    void showWhatApplies();
    /// Those of the model.
    void showSizes();
    void adaptToDevice();
    void onEdited();

    std::vector<DeviceInfo> m_devices;
    bool m_loading = false;  // setConfig() or setDevices() is filling the fields

    /// One for each setting, in the table's order.
    std::vector<SettingControl> m_controls;
    std::vector<Field> m_fields;
    PresetField* m_preset = nullptr;
    ComboBox* m_device = nullptr;
    QWidget* m_sizes = nullptr;
    QToolButton* m_fold = nullptr;
    QWidget* m_extras = nullptr;
    FieldMarks m_marks;
};

}  // namespace warpglass::ui
