// The fields that say what to run: model, sizes, precision, attention, mode, device, steps. They hold what is
// typed, sensible or not, and show below each what is wrong with it. Window's thread only.
#pragma once

#include <QHash>
#include <QWidget>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/plan/run_config.h"

class QLabel;
class QVBoxLayout;

namespace warpglass::ui {

class ComboBox;
class NumberField;
class SegmentedControl;

/// Where the sentences of a field's problem stand; hidden while there is none. `field`: as validate() names
/// it.
QLabel* makeProblemLabel(const QString& field, QWidget* parent);
void showProblem(QLabel* label, const QString& sentence);

class RunFields : public QWidget {
    Q_OBJECT
public:
    explicit RunFields(QWidget* parent = nullptr);

    /// What the fields say; a field that holds no number counts as 0, which validate() refuses where it
    /// matters.
    RunConfig config() const;
    /// Shows a configuration, also one that cannot be run.
    void setConfig(const RunConfig& config);
    /// Keeps the chosen device where it is in the list. An empty list leaves "cpu", of unknown size.
    void setDevices(std::vector<DeviceInfo> devices);
    /// Null when it is not among the devices.
    /// The uppermost sentence that is shown; null for none.
    QWidget* firstProblem() const;
    const DeviceInfo* chosenDevice() const;
    /// Null for one that is not there.
    const DeviceInfo* device(const std::string& id) const;
    /// Each below its field; what no field claims is returned.
    QString showProblems(const std::vector<ConfigProblem>& problems);
    /// Of the scroll bar beside the fields, 0 for none: it stands in their margin, and they keep their width.
    void setScrollBarWidth(int width);
    /// The keyboard goes on from here.
    QWidget* lastField() const;

signals:
    /// The person changed something.
    void edited();

private:
    void buildModel(QVBoxLayout* column);
    void buildWork(QVBoxLayout* column);
    void buildProtocol(QVBoxLayout* column);
    void setTabOrders();
    void addHead(QVBoxLayout* column, const QString& text);
    /// A label, its control, and room for the problem of validate()'s `field`.
    void addRow(QVBoxLayout* column, const QString& label, QWidget* control, const QString& field);
    NumberField* addNumber(QVBoxLayout* column, const QString& label, const QString& unit,
                           const QString& field, const QString& toolTip, bool doubles);
    void addProblem(QVBoxLayout* column, const QString& field);
    void choosePreset(const QString& name);
    void showPreset();
    void nameDevice();
    void onEdited();

    QString m_model;
    ModelShape m_shape;
    std::vector<DeviceInfo> m_devices;
    bool m_loading = false;  // setConfig() or setDevices() is filling the fields

    SegmentedControl* m_preset = nullptr;
    QWidget* m_sizes = nullptr;
    NumberField *m_dModel = nullptr, *m_dFf = nullptr, *m_layers = nullptr, *m_heads = nullptr,
                *m_vocabulary = nullptr;
    NumberField *m_context = nullptr, *m_batch = nullptr;
    SegmentedControl* m_precision = nullptr;
    ComboBox* m_attention = nullptr;
    SegmentedControl* m_mode = nullptr;
    ComboBox* m_execution = nullptr;
    ComboBox* m_device = nullptr;
    NumberField *m_warmup = nullptr, *m_steps = nullptr, *m_seed = nullptr;
    QHash<QString, QLabel*> m_problemLabels;  // by validate()'s field
    QHash<QString, NumberField*> m_numbers;
};

}  // namespace warpglass::ui
