#include "app/window/trial_runs.h"

#include <QPushButton>
#include <algorithm>
#include <utility>

#include "app/window/banner.h"
#include "app/window/session_controller.h"
#include "engine/query/findings/trial_outcome.h"
#include "ui/models/table_model.h"
#include "ui/panels/run_panel.h"

namespace warpglass::app {

TrialRuns::TrialRuns(SessionController& controller, ui::RunPanel& panel, QWidget* parent)
    : QObject(parent), m_controller(controller), m_panel(panel), m_outcome(new Banner(parent)) {
    m_outcome->setObjectName(QStringLiteral("trialOutcome"));
    m_outcome->setProperty("notice", true);
    auto* dismiss = m_outcome->addButton(tr("Dismiss"), tr("Hides this sentence"));
    dismiss->show();
    connect(dismiss, &QPushButton::clicked, m_outcome, [this] { m_outcome->setSentences({}); });
    connect(&m_controller, &SessionController::runEnded, this, &TrialRuns::sayOutcome);
}

void TrialRuns::start(const Trial& trial) {
    if (m_controller.isRunning()) {
        emit refused(tr("A run is being recorded: stop it first (Ctrl+.)."));
        return;
    }
    const Trial wanted = trial;  // what asks goes with the run it belongs to
    const auto& shown = m_controller.document().snapshot();
    const std::string recordedOn = shown ? shown->info().get("device.name") : std::string();
    m_panel.setConfig(wanted.config);
    const DeviceInfo* device = m_panel.device(wanted.config.device);
    if (!device || (!recordedOn.empty() && device->name != recordedOn)) {
        // What is expected of one device says nothing of another.
        emit refused(tr("This run was recorded on %1, which is not here; the run panel has what to try.")
                         .arg(ui::toQString(recordedOn.empty() ? wanted.config.device : recordedOn)));
        return;
    }
    if (!m_panel.canRun()) {
        emit refused(tr("Nothing can be run now; the run panel says why, and has what to try."));
        return;
    }
    m_outcome->setSentences({});
    m_trial = wanted;
    m_proposedFor = shown;
    m_panel.requestRun();
    if (!m_controller.isRunning())
        m_trial.reset();
}

void TrialRuns::sayOutcome() {
    if (!m_trial)
        return;
    const Trial trial = *std::exchange(m_trial, std::nullopt);
    const int index = m_controller.endedRun();
    if (index < 0)
        return;  // nothing was recorded, and why has been said
    const auto& runs = m_controller.runs();
    const OpenedRunEntry& tried = runs[static_cast<std::size_t>(index)];
    auto memory = tried.memory;  // none when another run was shown as it ended
    if (!memory) {
        memory = std::make_shared<MemoryTimeline>();
        memory->update(tried.snapshot);
    }
    m_outcome->setSentences({ui::toQString(trialOutcome(trial, *memory).sentence)});
    const auto before = std::find_if(runs.begin(), runs.end(), [this](const OpenedRunEntry& run) {
        return run.snapshot && run.snapshot == m_proposedFor;
    });
    m_proposedFor.reset();
    if (before != runs.end())
        emit settled(static_cast<int>(before - runs.begin()), index);
}

}  // namespace warpglass::app
