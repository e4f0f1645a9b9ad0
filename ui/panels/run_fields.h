// The fields that say what to run, all that a RunConfig holds: model, sizes, precision, attention, mode,
// device, steps, and folded away while they say what is usual, the seed, the memory limit and what is
// recorded. They hold what is typed, sensible or not, and are marked where something is wrong. Window's
// thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/plan/run_config.h"
#include "ui/panels/field_marks.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace warpglass::ui {

class ComboBox;
class NumberField;
class RecordedField;
class SegmentedControl;
class SizeField;

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
    /// It has been said which there are.
    bool knowsDevices() const { return !m_devices.empty(); }
    /// Marks the fields that they are of.
    void showProblems(const std::vector<ConfigProblem>& problems);
    /// Of the scroll bar beside the fields, 0 for none: it stands in their margin, and they keep their width.
    void setScrollBarWidth(int width);
    /// The keyboard goes on from here.
    QWidget* lastField() const;
    /// Whether seed, memory limit and what is recorded are in sight.
    bool isUnfolded() const;
    void setUnfolded(bool unfolded);

signals:
    /// The person changed something.
    void edited();
    /// The person wants to see these.
    void unfoldedByHand(QWidget* fields);

private:
    void buildModel(QVBoxLayout* column);
    void buildWork(QVBoxLayout* column);
    void buildProtocol(QVBoxLayout* column);
    void buildExtras(QVBoxLayout* column);
    void setTabOrders();
    QLabel* addHead(QVBoxLayout* column, const QString& text);
    /// A label and its control, for validate()'s `field`.
    void addRow(QVBoxLayout* column, const QString& label, QWidget* control, const QString& field);
    NumberField* addNumber(QVBoxLayout* column, const QString& label, const QString& unit,
                           const QString& field, const QString& toolTip, bool doubles);
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
    QToolButton* m_fold = nullptr;
    QWidget* m_extras = nullptr;
    SizeField* m_limit = nullptr;
    RecordedField* m_recorded = nullptr;
    FieldMarks m_marks;
};

}  // namespace warpglass::ui
