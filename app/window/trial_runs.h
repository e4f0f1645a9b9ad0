// "Try it": runs exactly what a finding proposes, and says in a banner whether the expected gain came true.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "engine/query/findings/finding.h"

class QWidget;

namespace warpglass {
class Snapshot;
}

namespace warpglass::ui {
class RunPanel;
}

namespace warpglass::app {

class Banner;
class SessionController;

class TrialRuns : public QObject {
    Q_OBJECT
public:
    /// `parent` owns the banner too.
    TrialRuns(SessionController& controller, ui::RunPanel& panel, QWidget* parent);

    /// For the window's layout.
    Banner& outcome() const { return *m_outcome; }

public slots:
    /// Fills the run panel with the trial's run and starts it. refused() where that cannot be, or where it
    /// could not be compared with the run shown, which was recorded on another device: the panel then stands
    /// as it was.
    void start(const warpglass::Trial& trial);

signals:
    void refused(const QString& sentence);
    /// The trial has run: both are among the controller's runs, if the run that it was proposed for still is.
    void settled(int proposedFor, int tried);

private:
    void sayOutcome();

    SessionController& m_controller;
    ui::RunPanel& m_panel;
    Banner* m_outcome;
    /// What the run that is being recorded tries, if it does.
    std::optional<Trial> m_trial;
    std::shared_ptr<const Snapshot> m_proposedFor;
};

}  // namespace warpglass::app
