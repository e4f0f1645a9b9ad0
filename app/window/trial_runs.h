// "Try it": runs exactly what a finding proposes, and says in a banner whether the expected gain came true.
// The result belongs to the run that was tried and the run for which it was proposed, and is shown only with
// these.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/window/window_fwd.h"
#include "engine/query/findings/finding.h"

namespace warpglass::app {

class TrialRuns : public QObject {
    Q_OBJECT
public:
    /// `parent` owns the banner too.
    TrialRuns(SessionController& controller, ui::RunPanel& panel, QWidget* parent);

    /// For the window's layout.
    Banner& outcome() const { return *m_outcome; }
    /// Says what came of the trials of the run in front; of two that are compared, of the trial that led from
    /// one to the other. `other` is null where one run is shown.
    void showOutcomesOf(const std::shared_ptr<const Snapshot>& run,
                        const std::shared_ptr<const Snapshot>& other = nullptr);
    /// Why start() would refuse this, in a sentence; empty where it would not.
    QString whyNot(const Trial& trial) const;

public slots:
    /// Starts exactly the trial's run, which the run panel then shows. refused() if that is impossible, or if
    /// the shown run was recorded on another device; the panel is then unchanged.
    void start(const warpglass::Trial& trial);

signals:
    void refused(const QString& sentence);
    /// The trial has run: both are among the controller's runs, if the run that it was proposed for still is.
    void settled(int proposedFor, int tried);

private:
    /// What came of a trial. The runs are held by whoever has them open.
    struct Outcome {
        std::weak_ptr<const Snapshot> proposedFor, tried;
        QString sentence;
    };

    void sayOutcome();
    void dismiss();
    /// Drops what belongs to runs that have been closed.
    void forgetClosed();
    bool isShown(const Outcome& outcome) const;
    void showOutcomes();
    /// Where the run shown was recorded on a device that this machine does not have.
    QString absentDevice(const Trial& trial) const;

    SessionController& m_controller;
    ui::RunPanel& m_panel;
    Banner* m_outcome;
    /// What the run that is being recorded tries, if it does.
    std::optional<Trial> m_trial;
    std::shared_ptr<const Snapshot> m_proposedFor;
    std::vector<Outcome> m_outcomes;
    std::weak_ptr<const Snapshot> m_shown, m_shownBeside;
};

}  // namespace warpglass::app
