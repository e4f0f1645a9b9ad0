// The plan of a new sweep: values of settings by ticking or as lists, repeats, order, and what to do with
// cells that will not fit; under it what the grid comes to: cells, time, memory, what will not run.
//
// GUI thread only; what the grid comes to is computed on a worker, and of a plan that has changed since it is
// dropped. A sweep can be started once that is known.
#pragma once

#include <QDialog>
#include <QTimer>
#include <vector>

#include "engine/base/result.h"
#include "engine/sweep/sweep_run.h"
#include "ui/models/deferred_query.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass {
struct Setting;
}

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
    /// For tests: what the plan comes to, computed now.
    QString forecastText() const;
    void showForecast();
    /// Whether what is said of the plan is that of the plan as it is now.
    bool isSettled() const { return !m_later.isActive() && m_query.isIdle(); }

private:
    QWidget* buildSettings(const RunConfig& base);
    QWidget* buildOptions();
    void onEdited();
    void showWhatApplies();
    /// The values that it has in the plan: those ticked, or the base's where there are none.
    std::vector<RunConfig> configsOf(const char* key) const;
    bool isOnAnyDevice(const Setting& setting) const;
    DeferredQuery::Job weigh();
    void showOutlook(const SweepPlan& plan, const SweepForecast& ahead, const std::vector<std::string>& busy);

    RunConfig m_base;
    std::vector<SettingTicks*> m_settings;
    QSpinBox* m_repeats;
    ComboBox* m_order;
    QCheckBox* m_tryTooLarge;
    QCheckBox* m_keepRuns;
    QCheckBox* m_snapshots;
    QLabel* m_forecast;
    QPushButton* m_start;
    QSpinBox* m_seed;
    QLabel* m_seedName;
    QTimer m_later;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
