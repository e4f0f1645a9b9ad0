// What to run: model, sizes, precision, attention, mode, device, steps; what that will take; Run and Stop.
//
// After every change of the fields (run_fields.h) it asks engine/plan: problems take the place of the
// estimate, with their fields marked, and Run is unavailable until they are solved; otherwise the estimate is
// shown. Neither moves anything. A run that is too large for the device causes a warning but is not
// forbidden.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/plan/valid_config.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class EstimateCard;
class RunFields;

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

    /// As set.
    const std::vector<DeviceInfo>& devices() const;
    /// A device of setDevices(); null if it has none with this id.
    const DeviceInfo* device(const std::string& id) const;

    bool isRunning() const { return m_running; }
    void setRunning(bool running);
    /// `step` counts from 0 and is the step now running; 0 of 0 means "not begun".
    void setProgress(int step, int total);
    /// One line or sentence at the button.
    void setLastResult(const QString& sentence);
    /// Why this build or installation can run nothing, said at the button; empty when it can.
    /// `forbid`: Run stays disabled, since trying again would change nothing.
    void setCannotRun(const QString& sentence, bool forbid);
    /// Like a click on Run, if Run is enabled.
    void requestRun();
    /// Exactly this, which the fields then show, if it may be run.
    void requestRunOf(const RunConfig& config);
    bool canRun() const { return !m_running && m_config && !m_forbidden; }
    /// Why requestRunOf() would do nothing with this, in one sentence; empty where it would run.
    QString whyNot(const RunConfig& config) const;
    /// Whether this sentence is at the button now, where the user can see it.
    bool saysWhyNot(const QString& sentence) const;
    /// Like a click on Stop, while something runs.
    void requestStop();

signals:
    void runRequested(const warpglass::ValidConfig& config);
    void stopRequested();
    /// The user changed something.
    void configEdited();
    void canRunChanged();
    /// What whyNot() says may be another: there are other devices, or a run has begun or ended.
    void refusalChanged();

private:
    void buildRun(QVBoxLayout* column);
    void onEdited();
    std::optional<ConfigProblem> absenceOf(const RunConfig& config) const;
    void updateEstimate();
    void updateButton();
    /// How the last run ended, else why nothing can be run.
    const QString& resultOrReason() const { return m_result.isEmpty() ? m_cannotRun : m_result; }
    void showResult();
    void placeStatus(bool fieldsScroll);
    void showStatus();

    bool m_running = false;
    bool m_stopping = false;
    /// What the fields say; nothing where it cannot be run here.
    std::optional<ValidConfig> m_config;
    bool m_couldRun = true;
    bool m_forbidden = false;
    QString m_cannotRun;

    QScrollArea* m_scroll = nullptr;
    QVBoxLayout* m_footer = nullptr;
    RunFields* m_fields = nullptr;
    EstimateCard* m_estimate = nullptr;
    QPushButton* m_run = nullptr;
    QWidget* m_status = nullptr;
    QVBoxLayout* m_statusLines = nullptr;
    bool m_fieldsScroll = false;
    QProgressBar* m_progress = nullptr;
    QLabel* m_progressText = nullptr;
    QLabel* m_lastResult = nullptr;
    QString m_result;
};

}  // namespace warpglass::ui
