// How a running experiment gets on: what runs and how long it takes still, its bar, the cells of the sweep
// that runs, and a button to stop it; of one that was stopped, a button to go on.
#pragma once

#include <QWidget>

#include "ui/experiments/running_experiment.h"

class QProgressBar;
class QPushButton;

namespace warpglass::ui {

class ElidedLabel;
class SweepGrid;

/// "12 of 36 cells done · about 40 s left · now small · 512 · bf16 (modes)".
QString progressWords(const ExperimentProgress& progress);

class ExperimentStatus : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentStatus(QWidget* parent = nullptr);

    void showProgress(const ExperimentProgress& progress);
    /// It does not run: one sentence, and whether it can be gone on with.
    void showEnd(const QString& sentence, bool canGoOn);
    QString words() const;

signals:
    void stopRequested();
    void goOnRequested();

private:
    ElidedLabel* m_words;
    QProgressBar* m_bar;
    SweepGrid* m_grid;
    QPushButton* m_stop;
    QPushButton* m_goOn;
};

}  // namespace warpglass::ui
