// What to run: model, sizes, precision, attention, mode, device, steps; what that will take; Run and Stop.
//
// The panel holds what is typed, sensible or not. After every change it asks engine/plan: problems stand
// below their fields and Run waits for them; otherwise the estimate is shown. A run that is too large for the
// device is warned of, not forbidden.
#pragma once

#include <QHash>
#include <QWidget>
#include <vector>

#include "engine/plan/run_config.h"
#include "engine/runner/runner_api.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace warpglass::ui {

class ComboBox;
class EstimateCard;
class NumberField;
class SegmentedControl;

class RunPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunPanel(QWidget* parent = nullptr);

    /// What the fields say; a field that holds no number counts as 0, which validate() refuses where it
    /// matters.
    RunConfig config() const;
    /// Shows a configuration, also one that cannot be run.
    void setConfig(const RunConfig& config);
    /// Keeps the chosen device where it is in the list. An empty list leaves "cpu", of unknown size.
    void setDevices(std::vector<DeviceInfo> devices);

    bool isRunning() const { return m_running; }
    void setRunning(bool running);
    /// `step` counts from 0 and is the one now running; 0 of 0 is "not begun".
    void setProgress(int step, int total);
    /// One line or sentence under the button.
    void setLastResult(const QString& sentence);
    /// Why this build or installation can run nothing, said under the button; empty when it can.
    /// `forbid`: Run stays disabled, since trying again would change nothing.
    void setCannotRun(const QString& sentence, bool forbid);
    /// As a click on Run, if it may be clicked.
    void requestRun();
    bool canRun() const;
    /// As a click on Stop, while something runs.
    void requestStop();

signals:
    void runRequested(const warpglass::RunConfig& config);
    void stopRequested();
    /// The person changed something.
    void configEdited();
    void canRunChanged();

private:
    void buildModel(QVBoxLayout* column);
    void buildWork(QVBoxLayout* column);
    void buildProtocol(QVBoxLayout* column);
    void buildRun(QVBoxLayout* column);
    void setTabOrders();
    void addHead(QVBoxLayout* column, const QString& text);
    /// A label, its control, and room for the problem of validate()'s `field`.
    void addRow(QVBoxLayout* column, const QString& label, QWidget* control, const QString& field);
    NumberField* addNumber(QVBoxLayout* column, const QString& label, const QString& unit,
                           const QString& field, const QString& toolTip, bool doubles);
    QLabel* addProblem(QVBoxLayout* column, const QString& field);
    void choosePreset(const QString& name);
    void showPreset();
    void edited();
    void updateEstimate();
    void updateButton();
    void showResult();
    const DeviceInfo* chosenDevice() const;

    QString m_model;
    ModelShape m_shape;
    std::vector<DeviceInfo> m_devices;
    bool m_running = false;
    bool m_stopping = false;
    bool m_loading = false;  // setConfig() or setDevices() is filling the fields
    bool m_problems = false;
    bool m_couldRun = true;
    bool m_forbidden = false;
    QString m_cannotRun;

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
    EstimateCard* m_estimate = nullptr;
    QPushButton* m_run = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_progressText = nullptr;
    QLabel* m_lastResult = nullptr;
    QString m_result;
    /// By validate()'s field; "" takes what no field claims.
    QHash<QString, QLabel*> m_problemLabels;
    QHash<QString, NumberField*> m_numbers;
};

}  // namespace warpglass::ui
