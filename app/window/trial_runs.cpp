#include "app/window/trial_runs.h"

#include <QPushButton>
#include <utility>

#include "app/window/banner.h"
#include "app/window/session_controller.h"
#include "engine/query/findings/trial_outcome.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::app {

TrialRuns::TrialRuns(SessionController& controller, ui::RunPanel& panel, QWidget* parent)
    : QObject(parent), m_controller(controller), m_panel(panel), m_outcome(new Banner(parent)) {
    m_outcome->setObjectName(QStringLiteral("trialOutcome"));
    m_outcome->setProperty("notice", true);
    auto* dismiss = m_outcome->addButton(tr("Dismiss"), tr("Hides this sentence"));
    dismiss->show();
    connect(dismiss, &QPushButton::clicked, this, &TrialRuns::dismiss);
    connect(&m_controller, &SessionController::runEnded, this, &TrialRuns::sayOutcome);
    connect(&m_controller, &SessionController::runsChanged, this, &TrialRuns::forgetClosed);
}

QString TrialRuns::absentDevice(const Trial& trial) const {
    const auto& shown = m_controller.document().snapshot();
    const std::string recordedOn = shown ? shown->info().get("device.name") : std::string();
    const DeviceInfo* device = m_panel.device(trial.config.device);
    if (device && (recordedOn.empty() || device->name == recordedOn))
        return {};
    // What is expected of one device says nothing of another.
    return tr("This run was recorded on %1, which is not available here.")
        .arg(ui::toQString(recordedOn.empty() ? trial.config.device : recordedOn));
}

QString TrialRuns::whyNot(const Trial& trial) const {
    const QString absent = absentDevice(trial);
    return absent.isEmpty() ? m_panel.whyNot(trial.config) : absent;
}

void TrialRuns::start(const Trial& trial) {
    const Trial wanted = trial;  // what asks goes with the run it belongs to
    if (const QString why = whyNot(wanted); !why.isEmpty()) {
        emit refused(m_panel.saysWhyNot(why) ? tr("This cannot be tried: the run panel says why.") : why);
        return;
    }
    const RunConfig former = m_panel.config();
    m_trial = wanted;
    m_proposedFor = m_controller.document().snapshot();
    m_panel.requestRunOf(wanted.config);
    if (!m_controller.isRunning()) {
        // It did not start: why has been said, or the person did not want it after all.
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
    const OpenedRunEntry& tried = m_controller.run(index);
    auto memory = tried.memory;  // none when another run was shown as it ended
    if (!memory) {
        memory = std::make_shared<MemoryTimeline>();
        memory->update(tried.snapshot);
    }
    m_outcomes.push_back({proposedFor, tried.snapshot, ui::toQString(trialOutcome(trial, *memory).sentence)});
    if (index == m_controller.currentRun())
        m_shown = tried.snapshot;  // it was the run that is recorded, which has no snapshot yet
    showOutcomes();
    if (const int before = m_controller.runs().indexOf(proposedFor); before >= 0)
        emit settled(before, index);
}

void TrialRuns::showOutcomesOf(const std::shared_ptr<const Snapshot>& run,
                               const std::shared_ptr<const Snapshot>& other) {
    m_shown = run;
    m_shownBeside = other;
    showOutcomes();
}

bool TrialRuns::isShown(const Outcome& outcome) const {
    const auto shown = m_shown.lock(), beside = m_shownBeside.lock();
    const auto proposedFor = outcome.proposedFor.lock(), tried = outcome.tried.lock();
    if (!shown || !tried)
        return false;
    if (beside)
        return (shown == proposedFor && beside == tried) || (shown == tried && beside == proposedFor);
    return shown == tried || shown == proposedFor;
}

void TrialRuns::showOutcomes() {
    QStringList sentences;
    for (const Outcome& outcome : m_outcomes) {
        if (isShown(outcome))
            sentences << outcome.sentence;
    }
    if (sentences != m_outcome->sentences())  // hidden, with the rest, while one view is alone
        m_outcome->setSentences(sentences);
}

void TrialRuns::dismiss() {
    std::erase_if(m_outcomes, [this](const Outcome& outcome) { return isShown(outcome); });
    showOutcomes();
}

void TrialRuns::forgetClosed() {
    std::erase_if(m_outcomes, [this](const Outcome& outcome) {
        return m_controller.runs().indexOf(outcome.tried.lock()) < 0;
    });
    showOutcomes();
}

}  // namespace warpglass::app
