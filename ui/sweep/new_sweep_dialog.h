// The plan of a new sweep: values of settings by ticking or as lists, repeats, order, and what to do with
// cells that will not fit; under it what the grid comes to: cells, time, memory, what will not run.
//
// GUI thread only.
#pragma once

#include <QDialog>
#include <QTimer>
#include <vector>

#include "engine/base/result.h"
#include "engine/sweep/sweep.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace warpglass::ui {

class ComboBox;
class SettingTicks;

class NewSweepDialog : public QDialog {
    Q_OBJECT
public:
    /// Every setting begins with its value in `base`.
    explicit NewSweepDialog(const RunConfig& base, QWidget* parent = nullptr);

    /// An error is one sentence: what cannot be run of it.
    Result<SweepPlan> plan() const;
    bool keepsRuns() const;
    SettingTicks* ticksOf(const std::string& key) const;
    /// For tests: what the plan comes to.
    QString forecastText() const;
    void showForecast();

private:
    QWidget* buildSettings(const RunConfig& base);
    QWidget* buildOptions();

    RunConfig m_base;
    std::vector<SettingTicks*> m_settings;
    QSpinBox* m_repeats;
    ComboBox* m_order;
    QCheckBox* m_tryTooLarge;
    QCheckBox* m_keepRuns;
    QLabel* m_forecast;
    QPushButton* m_start;
    QTimer m_later;
};

}  // namespace warpglass::ui
