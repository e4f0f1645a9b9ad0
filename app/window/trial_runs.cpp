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
    const Trial wanted = trial;  // what asks goes with the run it belongs to
    const auto& shown = m_controller.document().snapshot();
    const std::string recordedOn = shown ? shown->info().get("device.name") : std::string();
    const DeviceInfo* device = m_panel.device(wanted.config.device);
    if (!device || (!recordedOn.empty() && device->name != recordedOn)) {
        // What is expected of one device says nothing of another.
        emit refused(tr("This run was recorded on %1, which is not here to try it on.")
                         .arg(ui::toQString(recordedOn.empty() ? wanted.config.device : recordedOn)));
        return;
    }
    if (const QString why = m_panel.whyNot(wanted.config); !why.isEmpty()) {
        emit refused(m_panel.saysWhyNot(why) ? tr("This cannot be tried: the run panel says why.") : why);
        return;
    }
    const RunConfig former = m_panel.config();
    m_outcome->setSentences({});
    m_trial = wanted;
    m_proposedFor = shown;
    m_panel.setConfig(wanted.config);
    m_panel.requestRun();
    if (!m_controller.isRunning()) {
        // It did not start, and why has been said.
        m_trial.reset();
        m_proposedFor.reset();
        m_panel.setConfig(former);
    }
}

void TrialRuns::sayOutcome() {
    if (!m_trial)
        return;
    const Trial trial = *std::exchange(m_trial, std::nullopt);
    // No longer held on to, however this ends: its tab may be closed.
    const std::shared_ptr<const Snapshot> proposedFor = std::exchange(m_proposedFor, nullptr);
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
    const auto before = std::find_if(runs.begin(), runs.end(), [&proposedFor](const OpenedRunEntry& run) {
        return run.snapshot && run.snapshot == proposedFor;
    });
    if (before != runs.end())
        emit settled(static_cast<int>(before - runs.begin()), index);
}

}  // namespace warpglass::app
