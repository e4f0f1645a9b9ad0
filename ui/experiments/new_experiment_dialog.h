// A new experiment: which one, on which device, with which settings in place of its own choice, and where its
// folder is; under it what that comes to.
#pragma once

#include <QDialog>
#include <QTimer>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/base/result.h"
#include "engine/experiments/experiment_request.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class ComboBox;
class SettingTicks;

class NewExperimentDialog : public QDialog {
    Q_OBJECT
public:
    /// The first GPU is chosen, else the first device; new folders are made in `parentFolder`.
    NewExperimentDialog(const std::vector<DeviceInfo>& devices, QString parentFolder,
                        QWidget* parent = nullptr);

    /// An error is one sentence: what cannot be run of it.
    Result<ExperimentRequest> request() const;
    /// Absolute.
    QString folder() const;
    void setExperiment(const std::string& name);
    /// Null for a setting that is not offered.
    SettingTicks* ticksOf(const std::string& key) const;
    /// For tests: what it comes to.
    QString forecastText() const;
    void showForecast();

private:
    struct Offered {
        SettingTicks* ticks;
        std::vector<std::string> own;  // the experiment's choice, as the ticks have it
    };

    QWidget* buildRight();
    QWidget* buildFolder();
    const Experiment& experiment() const;
    ExperimentOptions options() const;
    QStringList forecastLines(const ExperimentRequest& request, bool& runs) const;
    QStringList folderLines(const ExperimentRequest& request, bool& taken) const;
    void showExperiment();
    void offerSettings();
    void chooseFolder();

    QString m_parentFolder;
    QListWidget* m_list;
    QLabel* m_title = nullptr;
    QLabel* m_lookFor = nullptr;
    ComboBox* m_device = nullptr;
    QScrollArea* m_area = nullptr;
    QLineEdit* m_folder = nullptr;
    QLabel* m_forecast = nullptr;
    QPushButton* m_start;
    std::vector<Offered> m_settings;
    QTimer m_later;
};

}  // namespace warpglass::ui
